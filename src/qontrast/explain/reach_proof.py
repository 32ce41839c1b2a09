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
from dataclasses import dataclass
from time import monotonic

import numpy as np

from ..engine.intervals import Boxes, IntervalPass, can_bound
from ..types import Bools, Floats
from .reach_relaxation import find_reach, measure_moves, relax
from .reach_task import FEASIBILITY, ReachTask

MAX_BOXES = 2_000_000
MAX_BOXES_PER_ROUND, MIN_BOXES_PER_ROUND = 2048, 8
NUMBERS_PER_ROUND = 1 << 17  # edges times boxes, so that large graphs get fewer boxes
BALLS, BALL_ROUNDS = 24, 9  # radii of the boxes around the start that are examined first, ever closer to each other
CANDIDATES = 4  # boxes of a round in which a better point is looked for
OVERSHOOTS = np.array([1.0, 1.0001, 1.001, 1.01, 1.1, 1.5])  # how far beyond the moves of the easier task
MIN_WIDTH = 1e-10  # a box narrower than this is not cut any more
SECTIONS, ROUNDS = 6, 2  # of the radii that are tried at once, and again between two of them


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
        Whether the time or the number of boxes ended the proof early.
    """

    lower: float
    point: Floats | None
    cost: float
    proved: bool
    boxes: int = 0
    stopped: bool = False

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no point is feasible."""
        return self.proved and self.point is None


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at boxes gives."""

    low: Floats  # narrowed
    high: Floats
    price: Floats  # of any feasible point, at least; ∞ where there is none
    near: Floats  # the point nearest to the start, before the box was narrowed
    least: Floats  # the least values of the constraints there, (boxes, constraints)
    moves: Floats  # from there, of the easier task
    spread: Floats  # by how much the slopes differ on the box, (boxes, variables)


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
        self.upstream = task.problem.qbaf.structure.ancestors(np.flatnonzero(self.seeds.any(axis=0)).tolist())
        self.low, self.high = task.low[None].copy(), task.high[None].copy()
        self.price = np.zeros(1)
        self.closed = np.inf  # the least price among the boxes that were dropped for their price
        self.boxes = 0
        size = max(len(task.problem.qbaf), len(task.problem.qbaf.weights), 1)
        self.batch = int(np.clip(NUMBERS_PER_ROUND // size, MIN_BOXES_PER_ROUND, MAX_BOXES_PER_ROUND))

    # -- the loop -----------------------------------------------------------------------------------------------

    def run(self) -> Proof:
        """Examine boxes until all are dropped, or until time or boxes run out."""
        stopped = False
        try:
            self._examine_balls()
            while len(self.price) and not stopped:
                self._step()
                stopped = bool(len(self.price)) and (self.boxes >= self.max_boxes or monotonic() > self.deadline)
                if self.advance:
                    self.advance(self._done())
        except KeyboardInterrupt:
            stopped = True
        lower = min(self.closed, float(self.price.min(initial=np.inf)), self.cost)
        proved = self.cost - lower <= self.tolerance * (1 + 1e-9) if self.point is not None else bool(np.isinf(lower))
        return Proof(lower, self.point, self.cost, proved, self.boxes, stopped and not proved)

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
        """Bound constraints and slopes on boxes, and from them prices; narrow the boxes."""
        start = self.task.start
        near = np.clip(start, low, high)
        bounds, (least, most) = self._bound_boxes(low, high)  # slopes: (constraints, boxes, variables)
        gains = np.maximum(most, 0.0) * (high > near), np.maximum(-least, 0.0) * (low < near)
        # what helps no constraint stays at its nearest end
        high = np.where((gains[0] > 0).any(axis=0), high, near)
        low = np.where((gains[1] > 0).any(axis=0), low, near)
        up, down = high - near, near - low
        values, better = self._bound_points(near, low, high, least, most)
        before = np.abs(near - start)
        price, moves = self._measure_near(near), np.zeros_like(near)
        for k in range(len(self.seeds)):
            gain = np.maximum(gains[0][k], gains[1][k])
            reach = np.maximum(gains[0][k] * up, gains[1][k] * down)
            width = np.divide(reach, gain, out=np.zeros_like(reach), where=gain > 0)
            need = -(values[1][:, k] + FEASIBILITY)
            found, here = relax(self.task.cost, before, width, gain, need, self.task.prices)
            steeper = gains[0][k] * up >= gains[1][k] * down
            moves = np.where(((found > price) | (k == 0))[:, None], np.where(steeper, here, -here), moves)
            price = np.maximum(price, found)
            low, high = _narrow(low, high, near, start, gains[0][k], gains[1][k], need)
        if self.task.cost == "linf":
            price = self._raise_radius(low, high, price, least, most)
        price = np.where((np.minimum(bounds, better) < -FEASIBILITY).any(axis=1), np.inf, price)
        return Seen(low, high, price, near, values[0], moves, (most - least).max(axis=0))

    def _measure_near(self, near: Floats) -> Floats:
        return measure_moves(self.task.cost, np.abs(near - self.task.start), self.task.prices)

    def _fit_budget(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Cut off what is too far from the start to be cheaper than the best point."""
        start = self.task.start
        far = find_reach(self.task.cost, np.abs(np.clip(start, low, high) - start), self.task.prices, self.cost)
        # a box that is beyond the budget keeps its nearest end; its price drops it
        near = np.clip(start, low, high)
        return np.maximum(low, np.minimum(start - far, near)), np.minimum(high, np.maximum(start + far, near))

    def _make_boxes(self, low: Floats, high: Floats) -> Boxes:
        base, weights = self.task.make_lanes(low), self.task.make_lanes(high)
        return Boxes(base[0], weights[0], base[1], weights[1])

    def _pass(self, low: Floats, high: Floats) -> IntervalPass:
        return IntervalPass(self.task.problem, self._make_boxes(low, high), self.upstream)

    def _bound_boxes(self, low: Floats, high: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
        """The largest value of every constraint on each box, and the least and largest slopes by variable."""
        found, edges = self._pass(low, high), self.task.edges
        slopes = found.bound_slopes(self.seeds, by_weight=len(edges) > 0)
        pairs = []
        for base, weight in ((slopes.low, slopes.weight_low), (slopes.high, slopes.weight_high)):
            own = base[:, :, self.task.arguments]
            pairs.append(own if weight is None else np.concatenate((own, weight[:, :, edges]), axis=2))
        return found.bound_linear(self.seeds)[1] + self.task.constants, (pairs[0], pairs[1])

    def _bound_points(
        self, near: Floats, low: Floats, high: Floats, least: Floats, most: Floats
    ) -> tuple[tuple[Floats, Floats], Floats]:
        """Bounds of the constraints at the nearest points; and on boxes whose sure sides are at their better ends."""
        lows, highs = [near], [near]
        for k in range(len(self.seeds)):
            rising = least[k] >= 0
            falling = ~rising & (most[k] <= 0)
            lows.append(np.where(rising, high, low))
            highs.append(np.where(falling, low, high))
        found = self._pass(np.concatenate(lows), np.concatenate(highs)).bound_linear(self.seeds)
        count, constants = len(near), self.task.constants
        better = np.stack([found[1][(k + 1) * count : (k + 2) * count, k] for k in range(len(self.seeds))], axis=1)
        return (found[0][:count] + constants, found[1][:count] + constants), better + constants

    def _raise_radius(self, low: Floats, high: Floats, price: Floats, least: Floats, most: Floats) -> Floats:
        """Raise the price of boxes to a radius within which a constraint cannot hold; sure sides at their better ends.

        Within a radius all variables may move at once, so that a corner is the best point where all signs are sure.
        """
        start, prices, count = self.task.start, self.task.prices, len(self.seeds)
        near = np.clip(start, low, high)
        scale = np.where(prices > 0, prices, 1.0)
        far = (prices * np.maximum(high - start, start - low)).max(axis=1, initial=0.0)
        far = np.where(np.isfinite(price), np.minimum(far, max(self.cost, 0.0)), 0.0)
        sure = [(least[k] >= 0, (least[k] < 0) & (most[k] <= 0)) for k in range(count)]
        for _ in range(ROUNDS):
            lows, highs, radii = [], [], []
            for part in np.linspace(0.0, 1.0, SECTIONS + 1)[1:]:
                radius = price + part * np.maximum(far - price, 0.0)
                reach = np.where(prices > 0, radius[:, None] / scale, np.inf)
                here = (
                    np.maximum(low, np.minimum(start - reach, near)),
                    np.minimum(high, np.maximum(start + reach, near)),
                )
                for rising, falling in sure:
                    lows.append(np.where(rising, here[1], here[0]))
                    highs.append(np.where(falling, here[0], here[1]))
                radii.append(radius)
            bounds = self._pass(np.concatenate(lows), np.concatenate(highs)).bound_linear(self.seeds)[1]
            bounds = (bounds + self.task.constants).reshape(SECTIONS, count, len(price), count)
            fails = (bounds[:, range(count), :, range(count)] < -FEASIBILITY).any(axis=0)  # (sections, boxes)
            tried = np.array(radii)
            holds = np.where(fails, tried, price)
            step = np.maximum(far - price, 0.0) / SECTIONS
            price = holds.max(axis=0)
            far = np.minimum(far, price + step)
        return price

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
        found = self._pass(points, points).bound_linear(self.seeds)[0] + self.task.constants
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


def _narrow(
    low: Floats, high: Floats, near: Floats, start: Floats, rising: Floats, falling: Floats, need: Floats
) -> tuple[Floats, Floats]:
    """Cut off, nearest to the start, what leaves a constraint unmet even with all other variables at their ends."""
    up, down = rising * (high - near), falling * (near - low)
    most = np.maximum(up, down)
    missing = need[:, None] - (most.sum(axis=1, keepdims=True) - most)  # what the variable itself must bring
    with np.errstate(divide="ignore", invalid="ignore"):
        move_up, move_down = missing / rising * (1 - 1e-9), missing / falling * (1 - 1e-9)
    above, below = (near >= start) & (low >= start) & (missing > 0), (high <= start) & (missing > 0)
    new_low = np.where(above & (rising > 0), np.clip(near + move_up, low, high), low)
    new_high = np.where(below & (falling > 0), np.clip(near - move_down, low, high), high)
    return new_low, new_high
