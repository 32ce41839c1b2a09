"""The least price of a move inside a box, when a constraint is replaced by a linear bound.

In a box, c is the point nearest to the start. A constraint is at most g(c) + Σ gain · move, with moves away from the
start that are at least 0 and at most `width`. So whatever makes the constraint hold is a point of this easier task:

    minimise cost(before + move)   subject to   Σ gain · move ≥ need,   0 ≤ move ≤ width

`before` is how far c is from the start already. The answer is a lower bound of the price of every feasible point of the
box. All arrays have shape (boxes, variables), `need` (boxes,). Where even the largest moves do not do, the price is ∞.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..types import Floats
from .reach_task import COSTS

BISECTIONS = 48
ROUNDING = 1e-12  # relative; by which a price is rounded down

Relaxation = Callable[[Floats, Floats, Floats, Floats, Floats], tuple[Floats, Floats]]


def relax(
    cost: str, before: Floats, width: Floats, gain: Floats, need: Floats, prices: Floats
) -> tuple[Floats, Floats]:
    """Compute the least price of each box, and the moves that have it.

    >>> one = np.ones((1, 2))
    >>> relax("l1", 0 * one, one, np.array([[2.0, 1.0]]), np.array([2.5]), np.ones(2))[1].tolist()
    [[1.0, 0.5]]
    """
    free = (prices == 0) & (cost != "fewest")
    given = np.where(free, gain * width, 0.0).sum(axis=1)
    paid = np.where(free, 0.0, gain)
    missing = np.maximum(need - given, 0.0)
    possible = (paid * width).sum(axis=1) * (1 + ROUNDING) >= missing
    price, moves = _RELAXATIONS[cost](before, width, paid, missing, prices)
    moves = np.where(free & (need > 0)[:, None], width, moves)
    price = price if cost == "fewest" else price * (1 - ROUNDING)
    return np.where(possible, price, np.inf), moves


def _relax_sum(before: Floats, width: Floats, gain: Floats, need: Floats, prices: Floats) -> tuple[Floats, Floats]:
    """A fractional knapsack: the variable that gains most for its price moves first."""
    worth = np.divide(gain, prices, out=np.zeros_like(gain), where=np.broadcast_to(prices > 0, gain.shape))
    moves = _fill(np.argsort(-worth, axis=1, kind="stable"), width, gain, need)
    return (prices * (before + moves)).sum(axis=1), moves


def _fill(order: np.typing.NDArray[np.intp], width: Floats, gain: Floats, need: Floats) -> Floats:
    """Move one variable after the other to the end of its width until the need is met."""
    steps = np.take_along_axis(gain * width, order, axis=1)
    taken = np.clip(need[:, None] - (np.cumsum(steps, axis=1) - steps), 0.0, steps)
    moves = np.zeros_like(width)
    share = np.divide(taken, steps, out=np.zeros_like(taken), where=steps > 0)
    np.put_along_axis(moves, order, share, axis=1)
    return moves * width


def _relax_length(before: Floats, width: Floats, gain: Floats, need: Floats, prices: Floats) -> tuple[Floats, Floats]:
    """The Euclidean length: moves of λ · gain / price², clipped; any λ gives a lower bound, by duality."""
    squares = np.where(prices > 0, prices, 1.0) ** 2
    rate = gain / squares

    def move(size: Floats) -> Floats:
        return np.asarray(np.clip(size[:, None] * rate - before, 0.0, width))

    low = np.zeros(len(need))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(rate > 0, (before + width) / rate, 0.0)
    high = ends.max(axis=1, initial=0.0)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = (gain * move(middle)).sum(axis=1) >= need
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    moves = move(high)
    cost = squares * np.square(before + moves) * (prices > 0)
    dual = cost.sum(axis=1) + 2 * high * (need - (gain * moves).sum(axis=1))
    return np.sqrt(np.maximum(dual, 0.0)), moves


def _relax_largest(before: Floats, width: Floats, gain: Floats, need: Floats, prices: Floats) -> tuple[Floats, Floats]:
    """The largest move: all variables move as far as it lets them."""
    scale = np.where(prices > 0, prices, 1.0)

    def move(size: Floats) -> Floats:
        return np.asarray(np.clip(size[:, None] / scale - before, 0.0, width))

    low = (prices * before).max(axis=1, initial=0.0)
    high = np.maximum(low, np.where(gain > 0, scale * (before + width), 0.0).max(axis=1, initial=0.0))
    high = np.where((gain * move(low)).sum(axis=1) >= need, low, high)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = (gain * move(middle)).sum(axis=1) >= need
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return low, move(high) * (gain > 0)


def _relax_count(before: Floats, width: Floats, gain: Floats, need: Floats, prices: Floats) -> tuple[Floats, Floats]:
    """The fewest variables: those that have moved already go on for nothing, then the largest gains come first."""
    moved = before > 0
    gains = gain * width
    order = np.argsort(-np.where(moved, np.inf, gains), axis=1, kind="stable")
    moves = _fill(order, width, gain, need)
    return (moved | (moves > 0)).sum(axis=1).astype(np.float64), moves


_RELAXATIONS: dict[str, Relaxation] = {
    "l1": _relax_sum,
    "l2": _relax_length,
    "linf": _relax_largest,
    "fewest": _relax_count,
}


def find_reach(cost: str, before: Floats, prices: Floats, budget: float) -> Floats:
    """How far from the start each variable may be within the budget, when the others are where they are already."""
    if cost == "fewest" or not np.isfinite(budget):
        return np.full_like(before, np.inf)
    priced = prices * before
    if cost == "l1":
        left = budget - (priced.sum(axis=1, keepdims=True) - priced)
    elif cost == "l2":
        squares = np.square(priced)
        left = np.sqrt(np.maximum(budget**2 - (squares.sum(axis=1, keepdims=True) - squares), 0.0))
    else:
        left = np.full_like(before, budget)
    scale = np.where(prices > 0, prices, 1.0)
    return np.where(prices > 0, np.maximum(left, 0.0) * (1 + ROUNDING) / scale + ROUNDING, np.inf)


def measure_moves(cost: str, moves: Floats, prices: Floats) -> Floats:
    """The price of moves, (boxes, variables) → (boxes,), rounded down."""
    return COSTS[cost](moves) if cost == "fewest" else COSTS[cost](prices * moves) * (1 - ROUNDING)
