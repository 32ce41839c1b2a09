"""Prove that a set of players keeps an order whatever else is dropped, without solving all of its supersets.

A *part* says of every player whether it is there, dropped, or free. The strengths of all graphs of a part are bounded
by one interval pass: the weights of the edges out of a free player lie between 0 and what they are, those out of a
dropped one are 0. A part whose least gap has the sign of the order keeps it. Any other is divided at a free player,
until none is left, or one of the graphs tried on the way does not keep the order. This needs an acyclic graph and a
monotone semantics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..engine.intervals import Boxes, IntervalPass, can_bound
from ..results.base import TIE_TOLERANCE
from ..types import Floats, Integers

if TYPE_CHECKING:
    from .reasons_search import Orders

PARTS_PER_PASS = 512
MAX_PARTS = 20_000  # that are divided for one set of players

DROPPED, THERE, FREE = 0, 1, 2
Parts = NDArray[np.int8]  # (parts, players)


class Proof:
    """Bounds of the gap over parts, whose entries are DROPPED, THERE and FREE."""

    def __init__(self, orders: Orders, check_time: Callable[[], None]) -> None:
        self.orders, self.check_time = orders, check_time
        self.possible = can_bound(orders.problem) and orders.sign != 0
        qbaf = orders.problem.qbaf
        self.weights = np.abs(qbaf.weights)
        self.unit_of_edge = orders.unit_of[qbaf.sources]
        self.goal = np.zeros((1, len(qbaf)))
        self.goal[0, orders.topics] = orders.sign, -orders.sign

    def try_to_prove(self, candidate: frozenset[int]) -> tuple[bool, list[int] | None]:
        """Say whether the candidate is proved to keep the order, and which players may be dropped if it does not."""
        if not self.possible:
            return False, None
        root = np.full((1, self.orders.size), FREE, np.int8)
        root[0, sorted(candidate)] = THERE
        order, worst = self._rank(root)
        waiting, done = root, 0
        while len(waiting):
            self.check_time()
            some, waiting = waiting[-PARTS_PER_PASS:], waiting[:-PARTS_PER_PASS]
            some = some[self.bound(some) <= TIE_TOLERANCE]
            if not len(some):
                continue
            done += len(some)
            filled = np.where(some == FREE, worst, some) == THERE
            broken = np.flatnonzero(~self.orders.keep(filled))
            if len(broken):
                return False, np.flatnonzero(~filled[broken[0]]).tolist()
            some = some[(some == FREE).any(axis=1)]  # the others were solved
            if done > MAX_PARTS:
                return False, None
            waiting = np.concatenate((waiting, self._divide(some, order)))
        return True, None

    def bound(self, parts: Parts) -> Floats:
        """The least gap in the direction of the order, over each part."""
        state = np.concatenate((parts, np.full((len(parts), 1), THERE, np.int8)), axis=1)[:, self.unit_of_edge]
        base = np.broadcast_to(self.orders.problem.qbaf.base_array, (len(parts), self.goal.shape[1]))
        high = self.weights * (state != DROPPED)
        found = IntervalPass(self.orders.problem, Boxes(base, base, self.weights * (state == THERE), high))
        return np.asarray(found.bound_linear(self.goal)[0][:, 0])

    def _rank(self, root: Parts) -> tuple[Integers, Parts]:
        """Rank free players by what it helps to know of them, and say for each which state is the worse one."""
        free = np.flatnonzero(root[0] == FREE)
        parts = np.repeat(root, 2 * len(free), axis=0)
        rows = np.arange(len(free))
        parts[rows, free], parts[rows + len(free), free] = DROPPED, THERE
        bounds = self.bound(parts).reshape(2, -1) if len(free) else np.zeros((2, 0))
        worst = np.full(self.orders.size, THERE, np.int8)
        worst[free] = np.where(bounds[0] <= bounds[1], DROPPED, THERE)
        return free[np.argsort(-bounds.sum(axis=0), kind="stable")], worst

    def _divide(self, parts: Parts, order: Integers) -> Parts:
        """Divide each part at its first free player in this order."""
        first = order[np.argmax(parts[:, order] == FREE, axis=1)]
        rows, out = np.arange(len(parts)), []
        for value in (DROPPED, THERE):
            half = parts.copy()
            half[rows, first] = value
            out.append(half)
        return np.concatenate(out)
