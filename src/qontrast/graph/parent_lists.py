"""An acyclic graph as plain lists, in an order of evaluation: for graphs whose levels are so narrow that one NumPy call
for each of them takes longer than a loop over their arguments."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeVar

from ..types import Ends, Floats, Integers

Rows = list[list[int]]
RowWeights = list[list[float]]
Number = TypeVar("Number", int, float)


class ParentLists(NamedTuple):
    """The parents of each argument in the order of their numbers, and the arguments in an order of evaluation."""

    order: list[int]  # parents before children
    attackers: Rows  # by argument
    supporters: Rows
    weights: tuple[RowWeights, RowWeights] | None  # of attacks and supports; None means all 1


def list_parents(
    size: int, sources: list[int], targets: list[int], weights: list[float] | None, attacks: int
) -> ParentLists | None:
    """Make the lists from edges, the first `attacks` of which are attacks; None if there is a cycle.

    >>> list_parents(3, [2, 0], [1, 1], None, attacks=1)
    ParentLists(order=[0, 2, 1], attackers=[[], [2], []], supporters=[[], [0], []], weights=None)
    """
    children: list[list[int]] = [[] for _ in range(size)]
    attackers: list[list[int]] = [[] for _ in range(size)]
    supporters: list[list[int]] = [[] for _ in range(size)]
    for source, target in zip(sources[:attacks], targets[:attacks], strict=True):
        attackers[target].append(source)
        children[source].append(target)
    for source, target in zip(sources[attacks:], targets[attacks:], strict=True):
        supporters[target].append(source)
        children[source].append(target)
    waiting = [len(down) + len(up) for down, up in zip(attackers, supporters, strict=True)]
    order = [argument for argument, parents in enumerate(waiting) if not parents]
    for source in order:  # which grows on the way
        for target in children[source]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    if len(order) < size:
        return None
    for rows in (attackers, supporters):
        for row in rows:
            if len(row) > 1:
                row.sort()
    listed = None if weights is None else _list_weights(size, sources, targets, weights, attacks)
    return ParentLists(order, attackers, supporters, listed)


def _list_weights(
    size: int, sources: list[int], targets: list[int], weights: list[float], attacks: int
) -> tuple[RowWeights, RowWeights]:
    """The sizes of the weights, shaped like the parents."""
    found: tuple[RowWeights, RowWeights] = [[] for _ in range(size)], [[] for _ in range(size)]
    for edge in sorted(range(len(sources)), key=sources.__getitem__):
        found[edge >= attacks][targets[edge]].append(abs(weights[edge]))
    return found


def cut_rows(order: Integers, starts: Ends, parents: Ends, weights: Floats | None) -> ParentLists:
    """Make the lists from arrays: row 2a has the attackers of argument a, row 2a + 1 its supporters."""
    ends = starts.tolist()
    every = _cut(ends, parents.tolist())
    sizes = None
    if weights is not None:
        each = _cut(ends, weights.tolist())
        sizes = each[::2], each[1::2]
    return ParentLists(order.tolist(), every[::2], every[1::2], sizes)


def _cut(ends: list[int], values: list[Number]) -> list[list[Number]]:
    nothing: list[Number] = []  # all rows without entries share it
    return [values[first:last] if first < last else nothing for first, last in pairwise(ends)]
