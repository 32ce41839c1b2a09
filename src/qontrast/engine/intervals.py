"""Bounds of strengths and slopes over boxes of base scores and weights, many boxes at once.

On an acyclic graph under a monotone semantics, strengths rise in base scores and supporters and fall in attackers, so
one pass with pairs (low, high) bounds all of them on a box:

    low(y) = ι(low τ(y), α(high of the attackers, low of the supporters)),      high(y) likewise

Every bound is rounded outwards. The slopes of y = Σ c(a) σ(a) are bounded in reverse, by the chain rule with intervals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InvalidInput
from ..graph.structure import Group
from ..types import Bools, Floats, Integers
from .derivative_bounds import AGGREGATIONS, INFLUENCES, Range, is_monotone
from .problem import Problem

ROUNDING = 1e-12  # by which each bound of a strength is moved outwards
RELATIVE_ROUNDING = 1e-9  # the same for slopes, relative, so that their signs stay
UNIT = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Boxes:
    """Boxes of base scores, and of weights (magnitudes in the order of `qbaf.weights`); None: the graph's own weights.

    Base scores have shape (boxes, arguments), weights (boxes, edges).
    """

    low: Floats
    high: Floats
    weight_low: Floats | None = None
    weight_high: Floats | None = None

    def __len__(self) -> int:
        return len(self.low)


@dataclass(frozen=True)
class SlopeBounds:
    """Bounds of ∂y/∂τ, (goals, boxes, arguments), and of ∂y/∂w, (goals, boxes, edges)."""

    low: Floats
    high: Floats
    weight_low: Floats | None = None
    weight_high: Floats | None = None


def can_bound(problem: Problem) -> bool:
    """Whether bounds can be proved: the graph has no cycle, and the semantics is known to be monotone."""
    return problem.arrays.acyclic and is_monotone(problem.semantics)


class IntervalPass:
    """Bounds of all strengths over boxes, and from them bounds of slopes.

    `low` and `high` have shape (boxes, arguments). Only the arguments of `upstream` are computed, if it is given: the
    ancestors of what will be asked.

    >>> from qontrast import Qbaf
    >>> from qontrast.engine.problem import make_problem
    >>> q = Qbaf({"a": 0.5, "t": 0.5}, attacks=[("a", "t")], semantics="df-quad")
    >>> found = IntervalPass(make_problem(q), Boxes(np.array([[0.4, 0.5]]), np.array([[0.6, 0.5]])))
    >>> found.low.round(6).tolist(), found.high.round(6).tolist()
    ([[0.4, 0.2]], [[0.6, 0.3]])
    >>> found.bound_slopes(np.array([[0.0, 1.0]])).high.round(6).tolist()
    [[[-0.5, 0.6]]]
    """

    def __init__(self, problem: Problem, boxes: Boxes, upstream: Bools | None = None) -> None:
        if not problem.arrays.acyclic:
            raise InvalidInput("the graph has a cycle; bounds over boxes need an acyclic one")
        if not is_monotone(problem.semantics):
            raise InvalidInput(
                f"semantics {problem.semantics.name!r} is not known to be monotone; bounds need one of SEMANTICS"
            )
        self.problem, self.boxes, self.arrays = problem, boxes, problem.arrays
        self.upstream = None if upstream is None else upstream[self.arrays.order]
        self._base = tuple(np.ascontiguousarray(each.T[self.arrays.order]) for each in (boxes.low, boxes.high))
        self._weights = None
        if boxes.weight_low is not None and boxes.weight_high is not None:
            edges = problem.qbaf.structure.edge_order
            ends = boxes.weight_low, boxes.weight_high
            self._weights = tuple(np.ascontiguousarray(each.T[edges]) for each in ends)
        self._low, self._high = self._base[0].copy(), self._base[1].copy()
        self._energies: dict[int, Range] = {}
        with np.errstate(over="ignore"):
            start = 0
            for group in self.arrays.groups():
                if len(group.parents) and self._is_needed(group):
                    self._bound(group, start)
                start += group.parents.size

    @property
    def low(self) -> Floats:
        return np.asarray(self._low[self.arrays.place].T)

    @property
    def high(self) -> Floats:
        return np.asarray(self._high[self.arrays.place].T)

    def _is_needed(self, group: Group) -> bool:
        return self.upstream is None or bool(self.upstream[group.lo : group.hi].any())

    def _find_weights(self, group: Group, start: int) -> Range | None:
        """The ends of the weights of a group, (parents, width, boxes or 1); None where all are 1."""
        if self._weights is not None:
            block, shape = slice(start, start + group.parents.size), (*group.parents.shape, -1)
            return self._weights[0][block].reshape(shape), self._weights[1][block].reshape(shape)
        return None if group.weights is None else (group.weights[:, :, None], group.weights[:, :, None])

    def _gather(self, group: Group, weights: Range | None) -> Range:
        low, high = self._low.take(group.parents, axis=0), self._high.take(group.parents, axis=0)
        return (low, high) if weights is None else (low * weights[0], high * weights[1])

    def _bound(self, group: Group, start: int) -> None:
        here, k = slice(group.lo, group.hi), group.attackers
        weights = self._find_weights(group, start)
        low, high = self._gather(group, weights)
        alpha, iota = self.problem.semantics.aggregation.energy, self.problem.semantics.influence.strength
        energies = np.asarray(alpha(high[:k], low[k:])), np.asarray(alpha(low[:k], high[k:]))
        # what adding up as many numbers may lose
        slack = UNIT * len(group.parents) * high.sum(axis=0) + ROUNDING
        energies = energies[0] - slack, energies[1] + slack
        self._energies[group.lo] = energies
        self._low[here] = np.clip(iota(self._base[0][here], energies[0]) - ROUNDING, 0.0, 1.0)
        self._high[here] = np.clip(iota(self._base[1][here], energies[1]) + ROUNDING, 0.0, 1.0)

    def bound_linear(self, coefficients: Floats) -> Range:
        """Bounds of y = Σ c(a) σ(a), (boxes, goals), for coefficients (goals, arguments)."""
        plus, minus = np.maximum(coefficients, 0.0).T, np.minimum(coefficients, 0.0).T
        low, high = self.low, self.high
        slack = ROUNDING * np.abs(coefficients).sum(axis=1)
        return low @ plus + high @ minus - slack, high @ plus + low @ minus + slack

    def bound_slopes(self, coefficients: Floats, by_weight: bool = False) -> SlopeBounds:
        """Bounds of the slopes of y = Σ c(a) σ(a) in base scores and, if asked, in weights."""
        goals, lanes = len(coefficients), len(self.boxes)
        start = np.repeat(coefficients.T[self.arrays.order][:, :, None], lanes, axis=2)
        adjoint = start, start.copy()
        out = np.zeros(start.shape), np.zeros(start.shape)
        size = len(self.arrays.parents)
        edges = (np.zeros((size, goals, lanes)), np.zeros((size, goals, lanes))) if by_weight else None
        with np.errstate(over="ignore"):
            for group in self.arrays.groups(backwards=True):
                size -= group.parents.size
                self._pull_back(group, size, adjoint, out, edges)
        place, number = self.arrays.place, self.problem.qbaf.structure.edge_order
        found = [_round_slopes(each[place], sign) for each, sign in zip(out, (-1, 1), strict=True)]
        if edges is None:
            return SlopeBounds(*found)
        for each, sign in zip(edges, (-1, 1), strict=True):
            ordered = np.empty_like(each)
            ordered[number] = each
            found.append(_round_slopes(ordered, sign))
        return SlopeBounds(*found)

    def _pull_back(self, group: Group, start: int, adjoint: Range, out: Range, edges: Range | None) -> None:
        """Pass the adjoints of a group on to its base scores, weights and parents."""
        here, k = slice(group.lo, group.hi), group.attackers
        share = adjoint[0][here], adjoint[1][here]
        if not (share[0].any() or share[1].any()):
            return
        if not len(group.parents):
            out[0][here], out[1][here] = share
            return
        box = self._base[0][here], self._base[1][here], *self._energies[group.lo]
        bounds = INFLUENCES[self.problem.semantics.influence]
        out[0][here], out[1][here] = _multiply(share, _spread(bounds.by_base(*box), 1))
        pushed = _multiply(share, _spread(bounds.by_energy(*box), 1))  # (width, goals, boxes)
        weights = self._find_weights(group, start)
        low, high = self._gather(group, weights)
        find = AGGREGATIONS[self.problem.semantics.aggregation]
        sides = [find(low[rows], high[rows]) for rows in (slice(k), slice(k, None))]
        slopes = tuple(np.concatenate(each) for each in zip(*sides, strict=True))  # (parents, width, boxes)
        if edges is not None:
            strengths = self._low.take(group.parents, axis=0), self._high.take(group.parents, axis=0)
            block = slice(start, start + group.parents.size)
            found = _turn(_multiply(pushed, _spread((slopes[0] * strengths[0], slopes[1] * strengths[1]), 2)), k)
            for each, value in zip(edges, found, strict=True):
                each[block] = value.reshape(group.parents.size, *value.shape[2:])
        given = (slopes[0], slopes[1]) if weights is None else (slopes[0] * weights[0], slopes[1] * weights[1])
        for each, value in zip(adjoint, _turn(_multiply(pushed, _spread(given, 2)), k), strict=True):
            _add_rows(each, group.parents, value)


def _spread(pair: Range, axis: int) -> Range:
    """The same with an axis for the goals."""
    return np.expand_dims(pair[0], axis), np.expand_dims(pair[1], axis)


def _multiply(pair: Range, factor: Range) -> Range:
    """An interval times one that is not negative."""
    return (
        pair[0] * np.where(pair[0] < 0, factor[1], factor[0]),
        pair[1] * np.where(pair[1] > 0, factor[1], factor[0]),
    )


def _turn(pair: Range, attackers: int) -> Range:
    """Change the sign of the first rows, those of attackers."""
    low, high = pair
    low[:attackers], high[:attackers] = -high[:attackers], -low[:attackers]
    return low, high


def _add_rows(target: Floats, rows: Integers, values: Floats) -> None:
    """Add values (parents, width, …) to these rows, which may repeat."""
    for some, value in zip(rows, values, strict=True):
        if len(some) == 1:
            target[some[0]] += value[0]
        else:
            np.add.at(target, some, value)


def _round_slopes(slopes: Floats, sign: int) -> Floats:
    """Round outwards, (arguments, goals, boxes) → (goals, boxes, arguments)."""
    return np.asarray((slopes + sign * RELATIVE_ROUNDING * np.abs(slopes)).transpose(1, 2, 0))
