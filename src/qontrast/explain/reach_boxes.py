"""Bound the constraints of a task, and the price of its solutions, on many boxes of variables at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ..engine.intervals import Boxes, IntervalPass
from ..types import Bools, Floats
from .reach_relaxation import measure_moves, relax
from .reach_task import FEASIBILITY, ReachTask

SECTIONS, ROUNDS = 6, 2  # of the radii that are tried at once, and again between two of them


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


def join(parts: list[Seen]) -> Seen:
    """What was seen of all boxes, from what was seen of some of them at a time."""
    if len(parts) == 1:
        return parts[0]
    return Seen(**{each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Seen)})


@dataclass(frozen=True, eq=False)
class BoxBounds:
    """Bounds for the boxes of one task; they depend on the boxes and on the cost of the best point alone."""

    task: ReachTask

    @cached_property
    def _upstream(self) -> Bools:
        """Which arguments matter to the constraints."""
        return self.task.problem.qbaf.structure.ancestors(np.flatnonzero(self.task.coefficients.any(axis=0)).tolist())

    def look(self, low: Floats, high: Floats, cost: float) -> Seen:
        """Bound constraints, slopes and prices on boxes, and narrow the boxes; `cost` is that of the best point."""
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
        price, moves = self.measure_near(near), np.zeros_like(near)
        for k in range(len(self.task.coefficients)):
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
            price = self._raise_radius(low, high, price, least, most, cost)
        price = np.where((np.minimum(bounds, better) < -FEASIBILITY).any(axis=1), np.inf, price)
        return Seen(low, high, price, near, values[0], moves, (most - least).max(axis=0))

    def measure_near(self, near: Floats) -> Floats:
        """The cost of the points of boxes that are nearest to the start."""
        return measure_moves(self.task.cost, np.abs(near - self.task.start), self.task.prices)

    def _make_boxes(self, low: Floats, high: Floats) -> Boxes:
        base, weights = self.task.make_lanes(low), self.task.make_lanes(high)
        return Boxes(base[0], weights[0], base[1], weights[1])

    def bound(self, low: Floats, high: Floats) -> IntervalPass:
        """Bound all strengths on boxes."""
        return IntervalPass(self.task.problem, self._make_boxes(low, high), self._upstream)

    def _bound_boxes(self, low: Floats, high: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
        """The largest value of every constraint on each box, and the least and largest slopes by variable."""
        found, edges = self.bound(low, high), self.task.edges
        slopes = found.bound_slopes(self.task.coefficients, by_weight=len(edges) > 0)
        pairs = []
        for base, weight in ((slopes.low, slopes.weight_low), (slopes.high, slopes.weight_high)):
            own = base[:, :, self.task.arguments]
            pairs.append(own if weight is None else np.concatenate((own, weight[:, :, edges]), axis=2))
        return found.bound_linear(self.task.coefficients)[1] + self.task.constants, (pairs[0], pairs[1])

    def _bound_points(
        self, near: Floats, low: Floats, high: Floats, least: Floats, most: Floats
    ) -> tuple[tuple[Floats, Floats], Floats]:
        """Bounds of the constraints at the nearest points; and on boxes whose sure sides are at their better ends."""
        lows, highs = [near], [near]
        for k in range(len(self.task.coefficients)):
            rising = least[k] >= 0
            falling = ~rising & (most[k] <= 0)
            lows.append(np.where(rising, high, low))
            highs.append(np.where(falling, low, high))
        found = self.bound(np.concatenate(lows), np.concatenate(highs)).bound_linear(self.task.coefficients)
        count, constants = len(near), self.task.constants
        rows = range(len(self.task.coefficients))
        better = np.stack([found[1][(k + 1) * count : (k + 2) * count, k] for k in rows], axis=1)
        return (found[0][:count] + constants, found[1][:count] + constants), better + constants

    def _raise_radius(
        self, low: Floats, high: Floats, price: Floats, least: Floats, most: Floats, cost: float
    ) -> Floats:
        """Raise the price of boxes to a radius within which a constraint cannot hold; sure sides at their better ends.

        Within a radius all variables may move at once, so that a corner is the best point where all signs are sure.
        """
        start, prices, count = self.task.start, self.task.prices, len(self.task.coefficients)
        near = np.clip(start, low, high)
        scale = np.where(prices > 0, prices, 1.0)
        far = (prices * np.maximum(high - start, start - low)).max(axis=1, initial=0.0)
        far = np.where(np.isfinite(price), np.minimum(far, max(cost, 0.0)), 0.0)
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
            bounds = self.bound(np.concatenate(lows), np.concatenate(highs)).bound_linear(self.task.coefficients)[1]
            bounds = (bounds + self.task.constants).reshape(SECTIONS, count, len(price), count)
            fails = (bounds[:, range(count), :, range(count)] < -FEASIBILITY).any(axis=0)  # (sections, boxes)
            tried = np.array(radii)
            holds = np.where(fails, tried, price)
            step = np.maximum(far - price, 0.0) / SECTIONS
            price = holds.max(axis=0)
            far = np.minimum(far, price + step)
        return price


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
