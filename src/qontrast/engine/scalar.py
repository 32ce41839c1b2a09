"""Solve an acyclic graph, and find its slopes, in plain lists of floats, one argument after the other.

On graphs whose levels are narrow this is quicker than arrays: one group of them takes as long as some twenty arguments
here. The arithmetic is that of `update`, in the same order, so that the bits are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul

import numpy as np

from ..graph.parent_lists import ParentLists
from ..graph.structure import Arrays, Group
from ..scalar_formulas import ScalarAggregation, ScalarInfluence
from ..types import Floats

ROUNDING = 1e-14  # how far from 0 an energy of an acyclic graph may be that is 0 on paper
KINK_TOLERANCE = 1e-9  # one-sided slopes that differ by less are equal

Formulas = tuple[ScalarAggregation, ScalarInfluence]


def solve_lists(
    lists: ParentLists, formulas: Formulas, base: list[float], there: list[float] | None = None
) -> list[float]:
    """The strengths of all arguments; `there` is 0 for those that are absent, whose strength is 0.

    >>> from qontrast import Qbaf, SEMANTICS
    >>> lists = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]).structure.parent_lists
    >>> solve_lists(lists, SEMANTICS["df-quad"].scalar, [0.5, 0.5])
    [0.5, 0.75]
    """
    energy, strength = formulas[0].energy, formulas[1].strength
    order, attackers, supporters, weights = lists
    found = base.copy()  # which is the strength of an argument without parents
    give = found.__getitem__
    for x in order:
        down, up = attackers[x], supporters[x]
        if there is not None and not there[x]:
            found[x] = 0.0
        elif weights is None:
            if down or up:
                found[x] = strength(base[x], energy(map(give, down), map(give, up)))
        elif down or up:
            attacks, supports = map(mul, weights[0][x], map(give, down)), map(mul, weights[1][x], map(give, up))
            found[x] = strength(base[x], energy(attacks, supports))
    return found


class ListedUpdate:
    """F of one lane of a small graph with cycles, in plain lists; vectors are in the order of evaluation."""

    def __init__(self, arrays: Arrays, formulas: Formulas, base: list[float], held: list[float] | None) -> None:
        self.formulas, self.base = formulas, base
        self.rows = [row for group in arrays.groups() for row in _list_group(group)]
        if held is not None:
            self.rows = [row for row in self.rows if held[row[0]]]
            self.base = [score * there for score, there in zip(base, held, strict=True)]

    def __call__(self, strengths: Floats, skip: int) -> Floats:
        """F(σ), shaped like σ; the first `skip` places are at rest."""
        energy, strength = self.formulas[0].energy, self.formulas[1].strength
        now = strengths.ravel().tolist()
        found, give = now[:skip] + self.base[skip:], now.__getitem__
        for x, down, up, weights in self.rows:
            if x < skip:
                continue
            attacks, supports = map(give, down), map(give, up)
            if weights is not None:
                attacks, supports = map(mul, weights, attacks), map(mul, weights[len(down) :], supports)
            found[x] = strength(self.base[x], energy(attacks, supports))
        return np.array(found).reshape(strengths.shape)


def _list_group(group: Group) -> Iterator[tuple[int, list[int], list[int], list[float] | None]]:
    """The arguments of a group that have parents: place, attackers, supporters, and all their weights or None."""
    if len(group.parents):
        weights = None if group.weights is None else group.weights.T.tolist()
        for k, parents in enumerate(group.parents.T.tolist()):
            own = None if weights is None else weights[k]
            yield group.lo + k, parents[: group.attackers], parents[group.attackers :], own


Local = tuple[float, float, float, list[tuple[int, float]]]
# of an argument: ∂F/∂τ, ∂F/∂E from below and from above, and (parent, ∂E/∂σ(parent)) of all its parents


def sweep_lists(
    lists: ParentLists, formulas: Formulas, base: list[float], strengths: list[float], topics: Sequence[int]
) -> tuple[list[list[float]], dict[int, float]]:
    """Find ∂σ(t)/∂τ of all arguments, for each topic t, by one sweep from the topics to the sources.

    At kinks it is the slope from above; the arguments at kinks come too, each with what the kink may change in the
    slopes of the topics, per change of its energy.

    >>> from qontrast import Qbaf, SEMANTICS
    >>> lists = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]).structure.parent_lists
    >>> sweep_lists(lists, SEMANTICS["df-quad"].scalar, [0.5, 0.5], [0.5, 0.75], [1])
    ([[0.5, 0.5]], {})
    """
    _, attackers, supporters, _ = lists
    rows = [[0.0] * len(base) for _ in topics]  # ∂σ(t)/∂σ until an argument is reached, then ∂σ(t)/∂τ
    bent: dict[int, float] = {}
    for row, topic in zip(rows, topics, strict=True):
        row[topic] = 1.0
    for x in reversed(lists.order):
        if not (attackers[x] or supporters[x]):
            continue
        moved = [row for row in rows if row[x]]
        if not moved:
            continue
        by_base, below, above, slopes = find_local(lists, formulas, base, strengths, x)
        if abs(above - below) > KINK_TOLERANCE:
            bent[x] = abs(above - below) * sum([abs(row[x]) for row in moved])
        for row in moved:
            share = row[x]
            row[x], rate = by_base * share, above * share
            for y, slope in slopes:
                row[y] += slope * rate
    return rows, bent


def bound_bends(
    lists: ParentLists, formulas: Formulas, base: list[float], strengths: list[float], bent: dict[int, float]
) -> list[float]:
    """Bound, for each argument, how much kinks change the slopes of topics in its base score, to either side.

    A kink changes the rate at which an argument follows its energy by at most the difference of the rates from below
    and from above. How fast the energy moves is bounded by absolute values, with the larger rate at every other kink.
    """
    found = [0.0] * len(base)
    for x in reversed(lists.order):
        share, jump = found[x], bent.get(x, 0.0)
        if (share or jump) and (lists.attackers[x] or lists.supporters[x]):
            by_base, below, above, slopes = find_local(lists, formulas, base, strengths, x)
            found[x] = abs(by_base) * share
            rate = max(abs(below), abs(above)) * share + jump
            for y, slope in slopes:
                found[y] += abs(slope) * rate
    return found


def push_lists(order: Sequence[int], local: dict[int, Local], mover: int, sign: float) -> dict[int, float]:
    """The one-sided derivative of strengths when one base score moves to one side; `order` has all that it may move."""
    moved: dict[int, float] = {}
    for x in order:
        by_base, below, above, slopes = local[x]
        energy = sum([slope * moved[y] for y, slope in slopes if y in moved])
        if x == mover or energy:
            own = by_base * sign if x == mover else 0.0
            moved[x] = own + (above if energy > 0 else below) * energy
    return moved


def find_local(lists: ParentLists, formulas: Formulas, base: list[float], strengths: list[float], x: int) -> Local:
    """The derivatives of F at an argument."""
    down, up = lists.attackers[x], lists.supporters[x]
    if not (down or up):
        return 1.0, 0.0, 0.0, []
    attacks, supports = [strengths[y] for y in down], [strengths[y] for y in up]
    if lists.weights is None:
        slopes = formulas[0].slopes(attacks, supports)
    else:
        sizes = lists.weights[0][x], lists.weights[1][x]
        attacks, supports = list(map(mul, sizes[0], attacks)), list(map(mul, sizes[1], supports))
        by_attack, by_support = formulas[0].slopes(attacks, supports)
        slopes = list(map(mul, sizes[0], by_attack)), list(map(mul, sizes[1], by_support))
    energy = formulas[0].energy(attacks, supports)
    if abs(energy) <= ROUNDING:
        energy = 0.0  # on paper it is, and a kink sits there
    pairs = [*zip(down, slopes[0], strict=True), *zip(up, slopes[1], strict=True)]
    return *formulas[1].slopes(base[x], energy), pairs
