"""Prove a lower bound of the cost of a task, or that it has no solution, by branch and bound.

Boxes of variables are kept with a lower bound of what a solution inside them costs. The cheapest boxes are examined
first, many at once: the interval pass bounds the constraints on them, and a box in which a constraint cannot hold is
dropped, as is one that cannot be cheaper than the best point. Others are cut in two. Three things sharpen the bounds:

- a constraint is at most its value at the box's point nearest to the start, plus slopes times moves, with the largest
  slopes of the box; so an easier task with one linear constraint bounds the price (`reach_relaxation`);
- a variable whose move away from the start helps no constraint stays; where its slope has one sign, a constraint is
  bounded at the better end;
- the best point that is known limits how far every variable can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from ..engine.backend import run_tasks
from ..engine.intervals import can_bound
from ..types import Bools, Floats
from .reach_boxes import BoxBounds, Seen, join
from .reach_relaxation import find_reach
from .reach_task import FEASIBILITY, ReachTask
from .reach_trials import PointTrials

MAX_BOXES = 2_000_000
MAX_BOXES_PER_ROUND, MIN_BOXES_PER_ROUND = 2048, 8
NUMBERS_PER_ROUND = 1 << 17  # edges times boxes, so that large graphs get fewer boxes
BALLS, BALL_ROUNDS = 24, 9  # radii of the boxes around the start that are examined first, ever closer to each other
CANDIDATES = 4  # boxes of a round in which a better point is looked for
OVERSHOOTS = np.array([1.0, 1.0001, 1.001, 1.01, 1.1, 1.5])  # how far beyond the moves of the easier task
MIN_WIDTH = 1e-10  # a box narrower than this is not cut any more
BOXES_PER_TASK = 512  # examined at a time, here or in an executor


@dataclass(frozen=True)
class Proof:
    """What was proved about a task.

    Attributes
    ----------
    lower
        No feasible point costs less; ∞ if none exists.
    point, cost
        The best feasible point that is known, which may be better than the one given; None and ∞ without one.
    proved
        Whether the cost is at most `tolerance` above `lower`; or, without a point, whether none exists.
    boxes
        How many boxes were examined.
    stopped
        Whether the time, the number of boxes or an interrupt ended the proof early.
    interrupted
        Whether it was an interrupt (Ctrl-C).
    """

    lower: float
    point: Floats | None
    cost: float
    proved: bool
    boxes: int = 0
    stopped: bool = False
    interrupted: bool = False

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no point is feasible."""
        return self.proved and self.point is None


Advance = Callable[[float], None]  # told the part that is done; may raise to stop


def prove(
    task: ReachTask,
    point: Floats | None = None,
    *,
    tolerance: float = 1e-3,
    time_limit: float | None = None,
    max_boxes: int = MAX_BOXES,
    advance: Advance | None = None,
) -> Proof:
    """Bound the cost of a task from below; `point` is the best feasible point that is known.

    Where nothing can be proved, on graphs with cycles and under semantics that are not known to be monotone, `lower` is
    0. KeyboardInterrupt ends the proof early.
    """
    start = 0.0 if point is None else float(task.measure(point[None])[0])
    cost = np.inf if point is None else start
    if not can_bound(task.problem):
        return Proof(lower=0.0, point=point, cost=cost, proved=False)
    return BoxSearch(task, point, cost, tolerance, time_limit, max_boxes, advance).run()


def settle(proof: Proof, trials: PointTrials, tolerance: float) -> tuple[float, bool]:
    """Keep the point of a proof if it is the best; give the lower bound, and whether that proves the best point.

    The trials may keep another point than the proof: one that is a little dearer and meets the constraints better.
    """
    task = trials.task
    if proof.point is not None and proof.point is not trials.best:
        base, weights = task.make_lanes(proof.point[None])
        trials.record(proof.point[None], task.evaluate(task.problem.solve(None, base, weights).strengths))
    if trials.best is None:
        return proof.lower, proof.impossible
    lower = min(proof.lower, task.find_cost_beyond())
    return lower, proof.proved and float(task.measure(trials.best[None])[0]) - lower <= tolerance


class BoxSearch:
    """The open boxes of a proof, and what is known so far."""

    def __init__(
        self,
        task: ReachTask,
        point: Floats | None,
        cost: float,
        tolerance: float,
        time_limit: float | None,
        max_boxes: int,
        advance: Advance | None,
    ) -> None:
        self.task, self.point, self.cost, self.tolerance = task, point, cost, tolerance
        self.max_boxes, self.advance = max_boxes, advance
        self.deadline = np.inf if time_limit is None else monotonic() + time_limit
        self.seeds = task.coefficients
        self.bounds = BoxBounds(replace(task, problem=replace(task.problem, executor=None)))
        self.low, self.high = task.low[None].copy(), task.high[None].copy()
        self.price = np.zeros(1)
        self.closed = np.inf  # the least price among the boxes that were dropped for their price
        self.boxes = 0
        size = max(len(task.problem.qbaf), len(task.problem.qbaf.weights), 1)
        self.batch = int(np.clip(NUMBERS_PER_ROUND // size, MIN_BOXES_PER_ROUND, MAX_BOXES_PER_ROUND))

    # -- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> Proof:
        """Examine boxes until all are dropped, or until time or boxes run out."""
        lower, stopped, interrupted = 0.0, False, False
        try:
            self._examine_balls()
            lower = self._find_lower()
            while len(self.price) and not stopped:
                self._step()
                lower = self._find_lower()  # after whole rounds only: the boxes of one that is interrupted are lost
                stopped = bool(len(self.price)) and (self.boxes >= self.max_boxes or monotonic() > self.deadline)
                if self.advance:
                    self.advance(self._done())
        except KeyboardInterrupt:
            stopped = interrupted = True
        lower = min(lower, self.cost)
        proved = self.cost - lower <= self.tolerance * (1 + 1e-9) if self.point is not None else bool(np.isinf(lower))
        return Proof(lower, self.point, self.cost, proved, self.boxes, stopped and not proved, interrupted)

    def _find_lower(self) -> float:
        """No feasible point costs less than the cheapest box that is open or was dropped for its price."""
        return min(self.closed, float(self.price.min(initial=np.inf)))

    def _examine_balls(self) -> None:
        """Bound the cost by boxes around the start: a point outside one costs its radius, one inside what is proved.

        Small boxes have sharp bounds, so that this says much where cutting boxes leads nowhere: with many variables.
        """
        prices, start = self.task.prices, self.task.start
        if self.task.cost == "fewest" or not prices.any():
            return
        most = min(self.cost, float((prices * np.maximum(self.task.high - start, start - self.task.low)).max()))
        radii = np.geomspace(1e-6, 1.0, BALLS) * most
        for _ in range(BALL_ROUNDS):
            reach = np.where(prices > 0, radii[:, None] / np.where(prices > 0, prices, 1.0), np.inf)
            low, high = np.maximum(self.task.low, start - reach), np.minimum(self.task.high, start + reach)
            proved = np.minimum(radii, self._bound_prices(low, high))
            best = int(proved.argmax())
            self.price = np.maximum(self.price, proved[best])
            self.boxes += BALLS
            # once more, between the neighbours of the best radius
            radii = np.linspace(radii[max(best - 1, 0)], radii[min(best + 1, BALLS - 1)], BALLS)
            if radii[-1] - radii[0] <= MIN_WIDTH or monotonic() > self.deadline:
                break

    def _done(self) -> float:
        lower = min(self.closed, float(self.price.min(initial=self.cost)))
        return min(1.0, lower / self.cost) if 0 < self.cost < np.inf else 0.0

    def _step(self) -> None:
        """Examine the cheapest boxes; keep the halves of those that may hold a better point."""
        # half of the open boxes: a large batch takes less time for each box, a small one examines fewer in vain
        count = min(self.batch, max(len(self.price) // 2, 128), len(self.price))
        some = np.argpartition(self.price, count - 1)[:count] if count < len(self.price) else np.arange(count)
        rest = np.ones(len(self.price), bool)
        rest[some] = False
        low, high, price = self.low[some], self.high[some], self.price[some]
        self.low, self.high, self.price = self.low[rest], self.high[rest], self.price[rest]
        self.boxes += count
        low, high, price, score = self._examine(low, high, price)
        self._push(*self._split(low, high, price, score))

    def _push(self, low: Floats, high: Floats, price: Floats) -> None:
        """Keep the boxes that may hold a better point."""
        self.low, self.high = np.concatenate((self.low, low)), np.concatenate((self.high, high))
        self.price = np.concatenate((self.price, price))
        dear = self.price >= self.cost - self.tolerance
        if dear.any():
            self.closed = min(self.closed, float(self.price[dear].min()))
            self.low, self.high, self.price = self.low[~dear], self.high[~dear], self.price[~dear]

    # -- one round ----------------------------------------------------------------------------------------------

    def _examine(self, low: Floats, high: Floats, price: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Bound prices, narrow and drop boxes; also returns how much each side adds to what is unknown."""
        seen = self._look(*self._fit_budget(low, high))
        price = np.maximum(price, seen.price)
        holds = (seen.least >= -FEASIBILITY).all(axis=1)
        self._keep_feasible(seen.near[holds])
        if holds.any():
            self.closed = min(self.closed, float(self._measure_near(seen.near[holds]).min()))
        alive = ~holds & np.isfinite(price)
        low, high, price = seen.low[alive], seen.high[alive], price[alive]
        self._try_moves(seen.near[alive], seen.moves[alive], price, low, high)
        return low, high, price, (seen.spread[alive] * (high - low))

    def _bound_prices(self, low: Floats, high: Floats) -> Floats:
        """The least price of a feasible point of each box, or less; ∞ where there is none."""
        return self._look(low, high).price

    def _look(self, low: Floats, high: Floats) -> Seen:
        """Bound constraints, slopes and prices on boxes, and narrow the boxes: in tasks that depend on them alone."""
        cuts = [slice(first, first + BOXES_PER_TASK) for first in range(0, max(len(low), 1), BOXES_PER_TASK)]
        tasks = ((self.bounds, low[cut], high[cut], self.cost) for cut in cuts)
        executor = self.task.problem.executor if len(cuts) > 1 else None
        return join(list(run_tasks(executor, BoxBounds.look, tasks)))

    def _measure_near(self, near: Floats) -> Floats:
        return self.bounds.measure_near(near)

    def _fit_budget(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Cut off what is too far from the start to be cheaper than the best point."""
        start = self.task.start
        far = find_reach(self.task.cost, np.abs(np.clip(start, low, high) - start), self.task.prices, self.cost)
        # a box that is beyond the budget keeps its nearest end; its price drops it
        near = np.clip(start, low, high)
        return np.maximum(low, np.minimum(start - far, near)), np.minimum(high, np.maximum(start + far, near))

    # -- better points ------------------------------------------------------------------------------------------

    def _keep_feasible(self, points: Floats) -> None:
        """Remember the cheapest of these feasible points, if it is better."""
        if len(points):
            costs = self.task.measure(points)
            k = int(costs.argmin())
            if costs[k] < self.cost:
                self.point, self.cost = points[k].copy(), float(costs[k])

    def _try_moves(self, near: Floats, moves: Floats, price: Floats, low: Floats, high: Floats) -> None:
        """Look for better points near the solutions of the easier tasks of the cheapest boxes."""
        some = np.argsort(price, kind="stable")[:CANDIDATES]
        if not len(some):
            return
        steps = near[some, None] + OVERSHOOTS[:, None] * moves[some, None]
        points = np.clip(steps, low[some, None], high[some, None]).reshape(-1, near.shape[1])
        good = points[self._is_feasible(points) & (self.task.measure(points) < self.cost)]
        if len(good):
            self._shorten(good[int(self.task.measure(good).argmin())])

    def _is_feasible(self, points: Floats) -> Bools:
        found = self.bounds.bound(points, points).bound_linear(self.seeds)[0] + self.task.constants
        return np.asarray((found >= -FEASIBILITY).all(axis=1))

    def _shorten(self, point: Floats) -> None:
        """Go back towards the start as far as the constraints hold."""
        start, little, much = self.task.start, 0.0, 1.0
        for _ in range(4):  # each round narrows the stretch by 16
            parts = np.linspace(little, much, 17)[1:]
            holds = self._is_feasible(start + parts[:, None] * (point - start))
            first = int(holds.argmax()) if holds.any() else len(parts) - 1
            little, much = (little if first == 0 else float(parts[first - 1])), float(parts[first])
        self._keep_feasible((start + much * (point - start))[None] if much < 1.0 else point[None])

    # -- cutting ------------------------------------------------------------------------------------------------

    def _split(self, low: Floats, high: Floats, price: Floats, score: Floats) -> tuple[Floats, Floats, Floats]:
        """Cut each box in two: at the start if it is inside, else in the middle."""
        rows = np.arange(len(low))
        width = high - low
        if not len(low):
            return low, high, price
        side = np.where(score.max(axis=1) > 0, score.argmax(axis=1), width.argmax(axis=1))
        narrow = width[rows, side] <= MIN_WIDTH
        if narrow.any():
            self.closed = min(self.closed, float(price[narrow].min()))
            low, high, price, side = low[~narrow], high[~narrow], price[~narrow], side[~narrow]
            rows = np.arange(len(low))
        start = self.task.start[side]
        inside = (start > low[rows, side]) & (start < high[rows, side])
        at = np.where(inside, start, (low[rows, side] + high[rows, side]) / 2)
        left, right = high.copy(), low.copy()
        left[rows, side], right[rows, side] = at, at
        return np.concatenate((low, right)), np.concatenate((left, high)), np.concatenate((price, price))
