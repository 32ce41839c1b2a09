"""Solve an acyclic graph, and find its slopes, in plain lists of floats, one argument after the other.

On graphs whose levels are narrow this is quicker than arrays: one group of them takes as long as some twenty arguments
here. The arithmetic is that of `update`, in the same order, so that the bits are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from ..graph.parent_lists import ParentLists
from ..scalar_formulas import ScalarAggregation, ScalarInfluence

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
    for x in order:
        down, up = attackers[x], supporters[x]
        if there is not None and not there[x]:
            found[x] = 0.0
        elif not down and not up:
            continue
        elif weights is None:
            found[x] = strength(base[x], energy([found[y] for y in down], [found[y] for y in up]))
        else:
            down_weights, up_weights = weights[0][x], weights[1][x]
            attacks = [w * found[y] for w, y in zip(down_weights, down, strict=True)]
            found[x] = strength(base[x], energy(attacks, [w * found[y] for w, y in zip(up_weights, up, strict=True)]))
    return found


class Slopes(NamedTuple):
    """∂σ(t)/∂τ of all arguments, for each topic t, and the arguments at kinks on which a topic depends."""

    rows: list[list[float]]
    bent: list[int]


def sweep_lists(
    lists: ParentLists, formulas: Formulas, base: list[float], strengths: list[float], topics: Sequence[int]
) -> Slopes:
    """Find the slopes of some topics by one sweep from the topics to the sources; at kinks the slope from above.

    >>> from qontrast import Qbaf, SEMANTICS
    >>> lists = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]).structure.parent_lists
    >>> sweep_lists(lists, SEMANTICS["df-quad"].scalar, [0.5, 0.5], [0.5, 0.75], [1]).rows
    [[0.5, 0.5]]
    """
    _, attackers, supporters, _ = lists
    rows = [[0.0] * len(base) for _ in topics]  # ∂σ(t)/∂σ until an argument is reached, then ∂σ(t)/∂τ
    bent: list[int] = []
    for row, topic in zip(rows, topics, strict=True):
        row[topic] = 1.0
    for x in reversed(lists.order):
        down, up = attackers[x], supporters[x]
        if not (down or up):
            continue
        moved = [row for row in rows if row[x]]
        if not moved:
            continue
        by_base, below, above, slopes = _find_local(lists, formulas, base[x], strengths, x)
        if abs(above - below) > KINK_TOLERANCE:
            bent.append(x)
        for row in moved:
            share = row[x]
            row[x], rate = by_base * share, above * share
            for y, slope in slopes:
                row[y] += slope * rate
    return Slopes(rows, bent)


def _find_local(
    lists: ParentLists, formulas: Formulas, base: float, strengths: list[float], x: int
) -> tuple[float, float, float, list[tuple[int, float]]]:
    """∂F/∂τ, ∂F/∂E from below and from above, and (parent, ∂E/∂σ(parent)) of all parents of an argument."""
    down, up = lists.attackers[x], lists.supporters[x]
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
    return *formulas[1].slopes(base, energy), pairs
