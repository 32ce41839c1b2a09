"""An acyclic graph as plain lists, in an order of evaluation: for graphs whose levels are so narrow that one NumPy call
for each of them takes longer than a loop over their arguments."""

from __future__ import annotations

from itertools import pairwise
from operator import lt
from typing import NamedTuple, TypeVar

import numpy as np

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
    attackers = _gather(size, sources[:attacks], targets[:attacks])
    supporters = _gather(size, sources[attacks:], targets[attacks:])
    order = _sort_topologically(size, sources, targets, attackers, supporters)
    if order is None:
        return None
    for rows in (attackers, supporters):
        for row in rows:
            if len(row) > 1:
                row.sort()
    listed = None if weights is None else _list_weights(size, sources, targets, weights, attacks)
    return ParentLists(order, attackers, supporters, listed)


def list_signed(size: int, sources: Ends, targets: Ends, weights: Floats) -> ParentLists | None:
    """Make the lists from arrays of edges; the sign bit of a weight says attack; None if there is a cycle."""
    attack = np.signbit(weights)
    order = np.argsort(~attack, kind="stable")
    sizes = find_sizes(weights[order])
    listed = None if sizes is None else sizes.tolist()
    return list_parents(size, sources[order].tolist(), targets[order].tolist(), listed, int(attack.sum()))


def find_sizes(weights: Floats) -> Floats | None:
    """The weights without their signs; None if all are 1."""
    sizes: Floats = np.abs(weights)
    return None if (sizes == 1).all() else sizes


def _gather(size: int, sources: list[int], targets: list[int]) -> Rows:
    """The parents of each argument by these edges; arguments without parents share one empty list."""
    nothing: list[int] = []
    found = [nothing] * size
    for source, target in zip(sources, targets, strict=True):
        row = found[target]
        if row:
            row.append(source)
        else:
            found[target] = [source]
    return found


def _sort_topologically(
    size: int, sources: list[int], targets: list[int], attackers: Rows, supporters: Rows
) -> list[int] | None:
    """An order of evaluation that begins with the arguments without parents; None if there is a cycle."""
    waiting = [len(down) + len(up) for down, up in zip(attackers, supporters, strict=True)]
    order = [argument for argument, parents in enumerate(waiting) if not parents]
    if all(map(lt, sources, targets)):  # the numbers are an order of evaluation already
        return order + [argument for argument, parents in enumerate(waiting) if parents]
    children = _gather(size, targets, sources)
    for source in order:  # which grows on the way
        for target in children[source]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order if len(order) == size else None


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
