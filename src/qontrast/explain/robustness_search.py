"""Search for a small change after which a constraint holds: follow its slopes from the start and from other points.

At a point the constraint is replaced by its tangent, and the cheapest move from the start that meets it is found
(`reach_relaxation`). On the way there, and beyond, the first point at which the constraint itself holds is the next
point. This ends where the cost falls no more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

import numpy as np

from ..attribution.slopes import find_slopes
from ..errors import UndefinedStrength
from ..types import Floats
from .reach_relaxation import relax
from .reach_task import ReachTask

MAX_ROUNDS = 12  # tangents from one start
RANDOM_POINTS = 256
RANDOM_STARTS = 4
NARROWINGS = 6  # of the stretch in which the constraint begins to hold, each by 32
MAX_TRIAL_STEPS = 500  # on a cyclic graph; base scores that have not settled by then are not suggested
NUMBERS_PER_SOLVE = 1 << 20
# along a direction: up to twice the move of the tangent, then far beyond, where base scores stop at their ends
STRETCHES = np.concatenate((np.linspace(0.0, 2.0, 33)[1:], np.geomspace(2.0, 1e4, 25)[1:]))


class _OutOfTime(Exception):
    """The time limit has passed."""


class CrossingSearch:
    """The search for one constraint on base scores, and the cheapest point that it has found."""

    def __init__(self, task: ReachTask, time_limit: float | None, advance: Callable[[float], None]) -> None:
        self.task, self.advance = task, advance
        self.deadline = np.inf if time_limit is None else monotonic() + time_limit
        self.best: Floats | None = None
        self.cost = np.inf
        self.quick = replace(task.problem, max_steps=min(MAX_TRIAL_STEPS, task.problem.max_steps))
        row = task.coefficients[0]
        self.topics = tuple(task.problem.qbaf.arguments[i] for i in np.flatnonzero(row).tolist())
        self.signs = row[np.flatnonzero(row)]

    def run(self) -> bool:
        """Search until done; say whether the time ended it."""
        try:
            starts = [self.task.start, *self._scatter()]
            for k, start in enumerate(starts):
                self._descend(start)
                self.advance((k + 1) / len(starts))
        except _OutOfTime:
            return True
        return False

    def _solve(self, points: Floats) -> tuple[Floats, Floats]:
        """The values of the constraint and the strengths; undefined points are NaN. The best point is kept."""
        if monotonic() > self.deadline:
            raise _OutOfTime
        base, weights = self.task.make_lanes(points)
        strengths = self.quick.solve(base_scores=base, weights=weights).strengths
        values = self.task.evaluate(strengths)
        costs = np.where(self.task.is_feasible(values), self.task.measure(points), np.inf)
        k = int(costs.argmin())
        if costs[k] < self.cost:
            self.best, self.cost = points[k].copy(), float(costs[k])
        return values[:, 0], strengths

    def _scatter(self) -> list[Floats]:
        """Random points and corners: the cheapest that do, then those that come nearest to it."""
        rng, task = np.random.default_rng(0), self.task
        count = min(RANDOM_POINTS, max(16, NUMBERS_PER_SOLVE // len(task.problem.qbaf)))
        parts = rng.random((count, len(task)))
        parts[::2] = parts[::2].round()
        moved = rng.random((count, len(task))) < rng.random((count, 1))
        points = np.where(moved, task.low + parts * (task.high - task.low), task.start)
        values = np.nan_to_num(self._solve(points)[0], nan=-np.inf)
        costs = np.where(values >= 0, task.measure(points), np.inf)
        order = np.lexsort((-values, costs))
        return list(points[order[:RANDOM_STARTS]])

    def _descend(self, point: Floats) -> None:
        """Follow tangents from a point until the cost falls no more."""
        last = np.inf
        for _ in range(MAX_ROUNDS):
            values, strengths = self._solve(point[None])
            slope = self._find_slope(point, strengths[0]) if np.isfinite(values[0]) else None
            if slope is None or not slope.any():
                return
            found = self._cross(self._solve_tangent(point, float(values[0]), slope))
            if found is None:
                return
            cost = float(self.task.measure(found[None])[0])
            if cost >= last - 1e-9:
                return
            last, point = cost, found

    def _find_slope(self, point: Floats, strengths: Floats) -> Floats | None:
        """The slopes of the constraint; on a kink the mean of both sides."""
        problem = self.task.problem
        try:
            base = self.task.make_lanes(point[None])[0][0]
            values, _, sides, _ = find_slopes(problem, self.topics, base, strengths)
        except UndefinedStrength:
            return None
        for (topic, x), both in sides.items():
            values[self.topics.index(topic), problem.qbaf.index(x)] = (both.below + both.above) / 2
        return np.nan_to_num(self.signs @ values)[self.task.arguments]

    def _solve_tangent(self, point: Floats, value: float, slope: Floats) -> Floats:
        """The direction of the cheapest move from the start after which the tangent holds; towards a corner if none."""
        task = self.task
        width = np.where(slope > 0, task.high - task.start, task.start - task.low)
        need = np.array([-(value + slope @ (task.start - point))])
        price, moves = relax(task.cost, np.zeros((1, len(task))), width[None], np.abs(slope)[None], need, task.prices)
        size = moves[0] if np.isfinite(price[0]) and moves[0].any() else width
        return np.asarray(np.sign(slope) * size)

    def _cross(self, direction: Floats) -> Floats | None:
        """The first point in this direction at which the constraint holds."""
        task, little, stretches = self.task, 0.0, STRETCHES
        found = None
        for _ in range(NARROWINGS):
            points = np.clip(task.start + stretches[:, None] * direction, task.low, task.high)
            holds = self._solve(points)[0] >= 0
            if not holds.any():
                return found
            first = int(holds.argmax())
            found = points[first]
            little, much = float(stretches[first - 1]) if first else little, float(stretches[first])
            stretches = np.linspace(little, much, 33)[1:]
        return found


def search_crossing(
    task: ReachTask, time_limit: float | None, advance: Callable[[float], None]
) -> tuple[Floats | None, bool]:
    """Search for the cheapest point of a task with one constraint; also say whether the time ended the search."""
    search = CrossingSearch(task, time_limit, advance)
    stopped = search.run()
    return search.best, stopped
