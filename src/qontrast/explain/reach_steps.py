"""Solve the linearised task of `reach`: the cheapest point of a box that meets linear constraints.

    minimise cost(p − z₀)   subject to   v + J (p − here) ≥ 0,   low ≤ p ≤ high

With one constraint the answer is known: in sum the best value for money first; in length along the slope; in the
largest move all moves alike. Several constraints need a linear programme (HiGHS), or for the length a dual ascent.
Where the box has no such point, the answer does as much as it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..types import Floats

LEAST_PRICE = 1e-9  # what a move that costs nothing is taken to cost, so that it is not made without need
MAX_BISECTIONS = 60
MAX_ASCENTS = 12
MAX_LEAST_SQUARES = 64  # variables of a task that is solved by least squares
STEP_SIZES = (1.0, 0.3, 0.1, 0.01)  # of a Newton step
MAX_MULTIPLIER = 1e4  # times the largest squared price: what meets a constraint that the box does not allow
LEAST_SQUARED = 1e-4  # the least price whose square is used
SLACK_PRICE = 1e3  # of what a programme leaves unmet, times the most that a unit costs


@dataclass(frozen=True, slots=True)
class Step:
    """A linearised task: the variables around `here`, with the values and slopes of the constraints there."""

    start: Floats
    here: Floats
    low: Floats
    high: Floats
    prices: Floats
    values: Floats  # (constraints,)
    slopes: Floats  # (constraints, variables)

    @property
    def nearest(self) -> Floats:
        """The point of the box that is nearest to the start: where a change is cheapest."""
        return np.asarray(np.clip(self.start, self.low, self.high))

    def predict(self, point: Floats) -> Floats:
        """Compute the linearised values at a point."""
        return np.asarray(self.values + self.slopes @ (point - self.here))


def solve_step(step: Step, cost: str) -> tuple[Floats, float]:
    """Find the cheapest point, and what one more unit of the hardest constraint costs there."""
    nearest = step.nearest
    values = step.predict(nearest)
    worst = int(values.argmin())
    if values[worst] >= 0:
        return nearest, 0.0
    point, price = ONE[cost](step, worst, -float(values[worst]))
    if len(values) == 1 or (step.predict(point) >= -1e-12).all():
        return point, price
    return SEVERAL[cost](step)


# -- one constraint -----------------------------------------------------------------------------------------------


def _move_steepest(step: Step, row: int, need: float) -> tuple[Floats, float]:
    """Move what gives most for its price, then the next: the least sum."""
    point, slope = step.nearest, step.slopes[row]
    end = np.where(slope > 0, step.high, step.low)
    gain = np.abs(slope * (end - point))
    some = np.flatnonzero(gain)
    if not len(some):
        return point, 0.0
    rate = np.maximum(step.prices[some], LEAST_PRICE) / np.abs(slope[some])
    order = np.argsort(rate, kind="stable")
    some = some[order]
    total = np.cumsum(gain[some])
    last = min(int(np.searchsorted(total, need)), len(some) - 1)
    whole, part = some[:last], some[last]
    point[whole] = end[whole]
    left = need - (total[last - 1] if last else 0.0)
    point[part] += (end[part] - point[part]) * min(1.0, left / gain[part])
    return point, float(rate[order[last]])


def _move_along(step: Step, row: int, need: float) -> tuple[Floats, float]:
    """Move along the slope, clipped to the box: the least length."""
    slope, prices = step.slopes[row], np.maximum(step.prices, LEAST_PRICE)
    rate = slope / np.square(prices)
    point, length = _bisect(step, row, need, lambda x: np.clip(step.start + x * rate, step.low, step.high))
    cost = float(np.linalg.norm(prices * (point - step.start)))
    return point, length / cost if cost else 0.0


def _move_alike(step: Step, row: int, need: float) -> tuple[Floats, float]:
    """Move all by the same price: the least of the largest moves."""
    slope = step.slopes[row]
    rate = np.sign(slope) / np.maximum(step.prices, LEAST_PRICE)
    point, _ = _bisect(step, row, need, lambda x: np.clip(step.start + x * rate, step.low, step.high))
    total = float(slope @ (rate * ((point > step.low) & (point < step.high))))
    return point, 1.0 / total if total else 0.0


def _bisect(step: Step, row: int, need: float, move: Callable[[float], Floats]) -> tuple[Floats, float]:
    """Find the shortest move that meets the constraint; where none does, the longest."""
    slope, nearest = step.slopes[row], step.nearest
    much = 1.0
    while slope @ (move(much) - nearest) < need and much < 1e12:
        much *= 8
    little = 0.0
    for _ in range(MAX_BISECTIONS):
        middle = (little + much) / 2
        little, much = (little, middle) if slope @ (move(middle) - nearest) >= need else (middle, much)
    return move(much), much


# -- several constraints ------------------------------------------------------------------------------------------


def _programme_sum(step: Step) -> tuple[Floats, float]:
    return _programme(step, largest=False)


def _programme_largest(step: Step) -> tuple[Floats, float]:
    return _programme(step, largest=True)


def _programme(step: Step, largest: bool) -> tuple[Floats, float]:
    """Solve a linear programme in the moves up and down of each variable, the slacks, and the largest move."""
    from scipy.optimize import linprog  # here: SciPy takes longer to import than NumPy
    from scipy.sparse import csr_array, diags_array, hstack, vstack

    solve: Any = linprog
    matrix: Any
    below: Any
    nearest, some = step.nearest, np.flatnonzero(step.slopes.any(axis=0))
    if not len(some):
        return nearest, 0.0
    rows, prices = step.slopes[:, some], np.maximum(step.prices[some], LEAST_PRICE)
    count, size = rows.shape
    steepest = np.abs(rows).max(axis=0)
    slack = SLACK_PRICE * float((prices / np.maximum(steepest, 1e-3 * steepest.max())).max())
    matrix = np.hstack((-rows, rows, -np.eye(count), np.zeros((count, 1))))
    limits, bounds = step.predict(nearest), np.zeros((2 * size + count + 1, 2))
    bounds[:size, 1], bounds[size : 2 * size, 1] = (step.high - nearest)[some], (nearest - step.low)[some]
    bounds[2 * size :, 1] = np.inf
    objective = np.concatenate((prices, prices, np.full(count, slack), [0.0]))
    if largest:
        objective[: 2 * size] *= 1e-6  # of equally large moves the fewest
        objective[-1] = 1.0
        each, nothing = diags_array(prices), csr_array((size, count))
        below = hstack((each, each, nothing, csr_array(-np.ones((size, 1)))))
        matrix = vstack((csr_array(matrix), below))
        limits = np.concatenate((limits, -prices * np.abs(nearest - step.start)[some]))
    found = solve(objective, A_ub=matrix, b_ub=limits, bounds=bounds, method="highs")
    point = nearest.copy()
    if found.x is None:
        return point, 0.0
    point[some] += found.x[:size] - found.x[size : 2 * size]
    return np.clip(point, step.low, step.high), float(-found.ineqlin.marginals[:count].min())


def _ascend(step: Step) -> tuple[Floats, float]:
    """Find the least length by its dual, which has one multiplier ≥ 0 for each constraint.

    Multipliers are set one after the other, then all together by Newton steps, and so on. Constraints that are nearly
    parallel make this slow; a task of few variables is then solved as one of non-negative least squares.
    """
    dual = Dual(step, np.square(np.maximum(step.prices, LEAST_SQUARED)))
    now = np.zeros(len(step.values))
    for _ in range(MAX_ASCENTS):
        for row in range(len(now)):
            now[row] = dual.set_one(now, row)
        now = dual.climb(now)
        missing = -step.predict(dual.move(now))
        if (np.abs(np.where(now > 0, missing, np.maximum(missing, 0.0))) <= 1e-10).all():
            break
    else:
        now = _find_multipliers(step, np.sqrt(dual.squares), now)
    point = dual.move(now)
    cost = float(np.linalg.norm(step.prices * (point - step.start)))
    return point, float(now.max()) / cost if cost else 0.0


def _find_multipliers(step: Step, scale: Floats, otherwise: Floats) -> Floats:
    """Find the multipliers of the least length, bounds included, exactly.

    The least ‖y‖ with G y ≥ h is y = Gᵀu / (1 − hᵀu), where u ≥ 0 brings [Gᵀ; hᵀ] u nearest to (0, …, 0, 1).
    """
    size = len(step.start)
    if size > MAX_LEAST_SQUARES:
        return otherwise
    from scipy.optimize import nnls  # here: SciPy takes longer to import than NumPy

    eye = np.eye(size)
    rows = np.concatenate((step.slopes, eye, -eye)) / scale
    needs = np.concatenate((-step.predict(step.start), step.low - step.start, step.start - step.high))
    goal = np.append(np.zeros(size), 1.0)
    try:
        found = nnls(np.vstack((rows.T, needs)), goal)[0]
    except RuntimeError:  # too many iterations
        return otherwise
    left = 1.0 - needs @ found
    return np.asarray(found[: len(step.values)] / left) if left > 1e-12 else otherwise


@dataclass(frozen=True, slots=True)
class Dual:
    """The dual of the least length: for given multipliers the best point is known."""

    step: Step
    squares: Floats  # of the prices

    def move(self, multipliers: Floats) -> Floats:
        """Find the best point for these multipliers."""
        rise = multipliers @ self.step.slopes / self.squares
        return np.minimum(np.maximum(self.step.start + rise, self.step.low), self.step.high)

    def rate(self, multipliers: Floats) -> float:
        """Compute the value of the dual, which is to be as large as possible."""
        point = self.move(multipliers)
        return float(self.squares @ np.square(point - self.step.start) / 2 - multipliers @ self.step.predict(point))

    def set_one(self, multipliers: Floats, row: int) -> float:
        """Find the least multiplier of one constraint with which it holds, the others being given."""
        values, slope = self.step.values[row], self.step.slopes[row]

        def holds(multiplier: float) -> bool:
            trial = multipliers.copy()
            trial[row] = multiplier
            return bool(values + slope @ (self.move(trial) - self.step.here) >= 0)

        most = MAX_MULTIPLIER * float(self.squares.max())
        little, much = 0.0, 1e-3
        if holds(0.0):
            return 0.0
        while much < most and not holds(much):
            little, much = much, 8 * much
        for _ in range(30):
            middle = (little + much) / 2
            little, much = (little, middle) if holds(middle) else (middle, much)
        return min(much, most)

    def climb(self, now: Floats) -> Floats:
        """Take Newton steps as long as they help."""
        best = self.rate(now)
        for _ in range(MAX_ASCENTS):
            point = self.move(now)
            missing = -self.step.predict(point)
            some = (now > 0) | (missing > 0)
            inner = self.step.slopes[some] * ((point > self.step.low) & (point < self.step.high))
            curve = inner @ (inner / self.squares).T
            ahead = np.zeros(len(now))
            size = 1e-12 + 1e-9 * float(np.trace(curve))
            ahead[some] = np.linalg.solve(curve + size * np.eye(len(curve)), missing[some])
            trials = [np.maximum(now + part * ahead, 0.0) for part in STEP_SIZES]
            rates = [self.rate(trial) for trial in trials]
            if not max(rates) > best:
                break
            now, best = trials[int(np.argmax(rates))], max(rates)
        return now


Solve = Callable[[Step], tuple[Floats, float]]
ONE: dict[str, Callable[[Step, int, float], tuple[Floats, float]]] = {
    "l1": _move_steepest,
    "l2": _move_along,
    "linf": _move_alike,
}
SEVERAL: dict[str, Solve] = {"l1": _programme_sum, "l2": _ascend, "linf": _programme_largest}
