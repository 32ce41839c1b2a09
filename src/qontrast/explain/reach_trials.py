"""Solve trial points for `reach` in pieces, and keep the best; between two pieces the clock is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..engine.lane_slopes import LaneSlopes
from ..engine.problem import Problem
from ..types import Bools, Floats
from .reach_task import COSTS, ReachTask
from .search_clock import Clock

# updates of a trial on a cyclic graph; what has not settled by then is not suggested
MAX_TRIAL_STEPS = {"discrete": 500, "continuous": 2_000}
STRENGTHS_PER_PIECE = 1 << 23  # strengths computed between two looks at the clock: a fraction of a second
ASSUMED_STEPS = 128  # of a trial on a cyclic graph, for the size of a piece
LEAST_GAIN = 1e-8  # by which a point must be cheaper to be better
LEAST_LOSS = 1e-5  # how much more a rounder point may cost, as a share
EXACT = 1e-12  # by which a constraint may be missed without being called missed: the last digits of a strength
ROUNDED = 1e-3  # how much cheaper a point must be that meets a constraint less exactly


def limit_steps(problem: Problem) -> Problem:
    """The problem with the limit on the steps of a trial."""
    return replace(problem, max_steps=min(MAX_TRIAL_STEPS[problem.solver], problem.max_steps))


class PointTrials:
    """Values of the constraints at trial points, the best point so far, and the least by which they are missed."""

    def __init__(self, task: ReachTask, clock: Clock) -> None:
        self.task, self.clock = task, clock
        problem = task.problem
        steps = 1 if problem.arrays.acyclic else ASSUMED_STEPS
        self.piece = max(1, STRENGTHS_PER_PIECE // (steps * max(len(problem.qbaf), len(problem.qbaf.weights), 1)))
        # what is found is solved again at the end, when its balance is looked at
        self.quick = replace(limit_steps(problem), check_balance=False)
        self.slopes = LaneSlopes(problem, task.coefficients)
        self.evaluations = 0
        self.best: Floats | None = None
        self.best_rank, self.best_values = np.inf, np.full(len(task.constants), -np.inf)
        self.least_missing, self.least_values = np.inf, self.best_values
        self._whole = 1.0 + float((task.prices * (task.high - task.low)).sum())

    def solve(
        self, points: Floats, begin: float = 0.0, end: float = 0.0, *, limited: bool = True
    ) -> tuple[Floats, Floats]:
        """Compute the values (points, constraints) and the strengths; undefined ones are NaN.

        The phase of the clock goes from `begin` to `end`. Steps and time are limited as for a trial, unless told.
        """
        problem = self.quick if limited else self.task.problem
        values = np.empty((len(points), len(self.task.constants)))
        strengths = np.empty((len(points), len(self.task.problem.qbaf)))
        for first in range(0, len(points), self.piece):
            here = slice(first, first + self.piece)
            self.clock.advance(begin + (end - begin) * first / len(points))
            base, weights = self.task.make_lanes(points[here])
            with np.errstate(over="ignore", invalid="ignore"):  # strengths that grow beyond all bounds are undefined
                strengths[here] = problem.solve(base_scores=base, weights=weights).strengths
            values[here] = self.task.evaluate(strengths[here])
            self.evaluations += len(base)
            self.record(points[here], values[here])
        return values, strengths

    def find_slopes(self, points: Floats, strengths: Floats) -> Floats:
        """Compute the slopes of the constraints in each variable: (points, constraints, variables)."""
        base, weights = self.task.make_lanes(points)
        by_base, by_weight = self.slopes.find(strengths, base, weights)
        return np.concatenate((by_base[:, :, self.task.arguments], by_weight[:, :, self.task.edges]), axis=2)

    def rank(self, points: Floats) -> Floats:
        """Compute the cost by which points are compared; of equally many moves those of the least sum are best."""
        task = self.task
        if task.cost != "fewest":
            return task.measure(points)
        return np.asarray(task.measure(points) + COSTS["l1"](task.prices * np.abs(points - task.start)) / self._whole)

    def miss(self, values: Floats) -> Floats:
        """Compute by how much constraints are missed in all; +∞ where undefined."""
        return np.asarray(np.nan_to_num(np.maximum(0.0, -values).sum(axis=-1), nan=np.inf))

    def holds(self, values: Floats) -> Bools:
        """Say which points meet all constraints up to rounding."""
        return self.task.is_feasible(values)

    def replace_best(self, point: Floats) -> bool:
        """Take a point that is as good as the best, and rounder, if it meets the constraints as well."""
        values = self.solve(point[None])[0]
        rank = float(self.rank(point[None])[0])
        if (values >= np.minimum(-EXACT, self.best_values)).all() and rank <= (1 + LEAST_LOSS) * self.best_rank:
            self.best, self.best_rank, self.best_values = point, rank, values[0]
            return True
        return False

    def record(self, points: Floats, values: Floats) -> None:
        """Keep a point if it is the best, or misses the constraints by the least."""
        missing = self.miss(values)
        least = int(missing.argmin())
        if missing[least] < self.least_missing:
            self.least_missing, self.least_values = float(missing[least]), values[least].copy()
        ranks = np.where(self.holds(values), self.rank(points) + ROUNDED * (values < -EXACT).any(axis=1), np.inf)
        best = int(ranks.argmin())
        if ranks[best] < self.best_rank - LEAST_GAIN:
            self.best, self.best_rank = points[best].copy(), float(ranks[best])
            self.best_values = values[best].copy()
