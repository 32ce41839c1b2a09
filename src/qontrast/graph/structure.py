"""A Qbaf compiled once: integers, levels, parents by argument.

The *level* of an argument is the length of the longest path that ends in it. Arguments are put into an order
of evaluation: by level, then by number of attackers, then by number of supporters. A *group* is a stretch of
that order in which all three are equal, so that its parents form two full rectangles, and one NumPy call
serves the whole group, in all lanes. A cyclic graph has no levels: it is evaluated again and again, first whole, then
without its *still* part. That part has no cycle upstream, and comes to rest after as many updates as it is deep.

    group g = arguments lo … hi−1; parents[k, i] is the place of the k-th parent of argument lo + i, attackers first

A *layer* is a level of several arguments that all have the same parents, as in a neural network: where the energy
is a sum of what the parents give, it is a matrix product, and one layer stands for all its groups. BLAS adds in an
order of its own, so that in a layer a lane alone equals the lane among others up to rounding only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..types import Ends, Floats, Integers
from .qbaf import Qbaf

SMALL = 20_000  # edges up to which sorting them is quicker than importing SciPy
FEW = 512  # groups that are kept as they are
LAYER = 32  # edges from which a matrix product is worth its own name
WAVES = 2_000  # levels found by whole waves; what is deeper is narrow, and a plain loop is quicker


@dataclass(frozen=True, slots=True)
class Group:
    """Arguments `lo` … `hi` − 1 of the order of evaluation, with their parents: first `attackers` rows of
    attackers, then the supporters; weights None means all 1."""

    lo: int
    hi: int
    attackers: int
    parents: Integers  # (parents, hi − lo): their places
    weights: Floats | None


@dataclass(frozen=True, slots=True)
class Layer:
    """Arguments `lo` … `hi` − 1 that all have the same parents; an attack has a negative entry in the matrix."""

    lo: int
    hi: int
    parents: Integers  # (parents,): their places
    matrix: Floats  # (hi − lo, parents)


@dataclass(frozen=True, slots=True)
class Arrays:
    """The graph as the solver sees it; `order[p]` is the argument at place p, `place` its inverse.

    `parents` and `weights` hold group after group, each a block of shape (parents, width) laid out flat.
    """

    order: Integers
    place: Ends
    parents: Integers
    weights: Floats | None
    bounds: NDArray[np.int64]  # a row per group: lo, hi, attackers, parents, start of its block
    levels: int
    acyclic: bool
    layers: dict[int, Layer]  # by the `lo` of each of their groups
    still: int = 0  # of a cyclic graph: how many places, the first ones, have no cycle upstream
    rest: int = 0  # the updates after which these are at rest
    few: tuple[Group, ...] = ()  # all groups, where they are few

    def __len__(self) -> int:
        return len(self.order)

    def groups(self, backwards: bool = False) -> Iterable[Group]:
        """The groups in the order of evaluation; where they are many they are made on the way."""
        return (self.few[::-1] if backwards else self.few) or self._groups(backwards)

    def _groups(self, backwards: bool) -> Iterator[Group]:
        bounds = self.bounds[::-1] if backwards else self.bounds
        for first in range(0, len(bounds), 4096):
            for lo, hi, attackers, degree, start in bounds[first : first + 4096].tolist():
                stop, shape = start + degree * (hi - lo), (degree, hi - lo)
                weights = None if self.weights is None else self.weights[start:stop].reshape(shape)
                yield Group(lo, hi, attackers, self.parents[start:stop].reshape(shape), weights)

    def blocks(self, backwards: bool = False) -> Iterator[Group | Layer]:
        """The same with each layer in place of its groups."""
        last: Layer | None = None
        for group in self.groups(backwards):
            layer = self.layers.get(group.lo)
            if layer is None:
                yield group
            elif layer is not last:
                yield layer
            last = layer


def compiled(qbaf: Qbaf) -> Arrays:
    """The arrays of a graph, made once and kept with it."""
    if "arrays" not in qbaf._shape:
        qbaf._shape["arrays"] = _compile(qbaf)
    arrays: Arrays = qbaf._shape["arrays"]
    return arrays


def _compile(qbaf: Qbaf) -> Arrays:
    n, support = len(qbaf), ~np.signbit(qbaf.weights)
    level, reached = _peeled(n, qbaf.sources, qbaf.targets)
    acyclic = bool(reached.all())
    degrees = np.bincount(2 * qbaf.targets + support, minlength=2 * n).reshape(n, 2)
    key = degrees[:, 0] * (degrees[:, 1].max(initial=0) + 1) + degrees[:, 1]
    # a level for each step of an acyclic graph; of a cyclic one, what is upstream of all cycles comes first
    key += (level if acyclic else ~reached) * (key.max(initial=0) + 1)
    order = np.argsort(key, kind="stable")
    place = np.empty(n, np.int32)
    place[order] = np.arange(n)
    lo = np.flatnonzero(np.diff(key[order], prepend=-1))
    width = np.diff(lo, append=n)
    attackers, degree = degrees[order[lo], 0], degrees[order[lo]].sum(axis=1)
    start = np.cumsum(degree * width) - degree * width
    bounds = np.column_stack((lo, lo + width, attackers, degree, start)).astype(np.int64)
    # one row for the attackers of each argument and one for its supporters, in the order of evaluation
    plain = bool((np.abs(qbaf.weights) == 1).all())
    data = None if plain else np.abs(qbaf.weights)
    _, sources, weights = by_row(2 * n, 2 * place[qbaf.targets] + support, place[qbaf.sources], data)
    parents = sources.astype(np.intp)
    for s, d, w in zip(start.tolist(), degree.tolist(), width.tolist(), strict=True):
        if d > 1 and w > 1:  # from a row per argument to a column per argument
            parents[s : s + d * w] = parents[s : s + d * w].reshape(w, d).T.ravel()
            if weights is not None:
                weights[s : s + d * w] = weights[s : s + d * w].reshape(w, d).T.ravel()
    deepest = int(level.max(initial=-1, where=reached)) + 1
    part = level if acyclic else (~reached).astype(np.int64)  # of a cyclic graph, what is still and what is not
    layers = _layers(bounds, part[order[lo]], parents, weights)
    if acyclic:
        made = Arrays(order, place, parents, weights, bounds, deepest, True, layers)
    else:
        made = Arrays(order, place, parents, weights, bounds, 1, False, layers, int(reached.sum()), deepest)
    return replace(made, few=tuple(made.groups())) if len(bounds) <= FEW else made


def _layers(
    bounds: NDArray[np.int64], level: NDArray[np.int64], parents: Integers, weights: Floats | None
) -> dict[int, Layer]:
    """The levels whose arguments all have the same parents; `level` is that of each group."""
    found: dict[int, Layer] = {}
    first = np.flatnonzero(np.diff(level, prepend=-1))
    if not len(first):
        return found
    degree, width = bounds[:, 3], bounds[:, 1] - bounds[:, 0]
    least, most = np.minimum.reduceat(degree, first), np.maximum.reduceat(degree, first)
    total = np.add.reduceat(width, first)
    wide = (least == most) & (total > 1) & (least * total >= LAYER)
    for row, stop in zip(first[wide].tolist(), np.append(first[1:], len(level))[wide].tolist(), strict=True):
        layer = _layer(bounds[row:stop].tolist(), parents, weights)
        if layer is not None:
            found |= dict.fromkeys(bounds[row:stop, 0].tolist(), layer)
    return found


def _layer(groups: list[list[int]], parents: Integers, weights: Floats | None) -> Layer | None:
    """These groups as one layer, or None where two arguments differ in their parents."""
    shared: Integers | None = None
    rows = []
    for lo, hi, attackers, degree, start in groups:
        block = slice(start, start + degree * (hi - lo))
        here = parents[block].reshape(degree, hi - lo)
        shared = np.sort(here[:, 0]) if shared is None else shared
        if not np.array_equal(np.sort(here[:, -1]), shared):  # one column tells most graphs apart
            return None
        order = np.argsort(here, axis=0)
        if (np.take_along_axis(here, order, axis=0) != shared[:, None]).any():
            return None
        signed = np.ones(here.shape) if weights is None else weights[block].reshape(here.shape).copy()
        signed[:attackers] *= -1
        rows.append(np.take_along_axis(signed, order, axis=0).T)
    assert shared is not None
    return Layer(groups[0][0], groups[-1][1], shared, np.ascontiguousarray(np.concatenate(rows)))


def by_row(rows: int, row: Ends, column: Ends, data: Floats | None = None) -> tuple[Ends, Ends, Floats | None]:
    """Edges row after row, each by column: where the rows start, then the columns, then the data.

    >>> starts, columns, _ = by_row(2, np.array([1, 0, 1]), np.array([7, 6, 5]))
    >>> starts.tolist(), columns.tolist()
    ([0, 1, 3], [6, 5, 7])
    """
    if len(row) <= SMALL:
        order = np.lexsort((column, row))
        starts = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows))))
        return starts, column[order], None if data is None else data[order]
    from scipy.sparse import coo_array

    given = np.ones(len(row), np.int8) if data is None else data
    found = coo_array((given, (row, column)), shape=(rows, int(column.max()) + 1)).tocsr()
    return found.indptr, found.indices, None if data is None else found.data


def levels(n: int, sources: Ends, targets: Ends) -> NDArray[np.int64] | None:
    """The length of the longest path that ends in each argument, or None if there is a cycle.

    >>> levels(3, np.array([0, 1, 0], np.int32), np.array([1, 2, 2], np.int32)).tolist()
    [0, 1, 2]
    """
    level, reached = _peeled(n, sources, targets)
    return level if reached.all() else None


def _peeled(n: int, sources: Ends, targets: Ends) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The levels, and which arguments have one: those without a cycle upstream."""
    start, child, _ = by_row(n, sources, targets)
    waiting = np.bincount(targets, minlength=n)
    level = np.zeros(n, np.int64)
    wave, depth = np.flatnonzero(waiting == 0), 0
    slot = np.empty(n, np.int32)
    while len(wave) and depth < WAVES:
        depth += 1
        size = start[wave + 1] - start[wave]
        edge = np.repeat(start[wave] - np.cumsum(size) + size, size)
        edge += np.arange(len(edge), dtype=edge.dtype)
        reached = child[edge]
        np.subtract.at(waiting, reached, 1)
        free = reached[waiting[reached] == 0]
        count = np.arange(len(free), dtype=np.int32)
        slot[free] = count
        wave = free[slot[free] == count]  # each once
        level[wave] = depth
    if len(wave):
        _deep(start.tolist(), child.tolist(), waiting, level, wave)
    return level, waiting == 0


def _deep(
    start: list[int], child: list[int], waiting: NDArray[np.int64], level: NDArray[np.int64], wave: Integers
) -> None:
    """The same for what lies deeper, one argument at a time; `level` and `waiting` are filled in place."""
    left, depth, stack = waiting.tolist(), level.tolist(), wave.tolist()
    while stack:
        source = stack.pop()
        for target in child[start[source] : start[source + 1]]:
            depth[target] = max(depth[target], depth[source] + 1)
            left[target] -= 1
            if not left[target]:
                stack.append(target)
    level[:], waiting[:] = depth, left


def ancestors(qbaf: Qbaf, targets: Iterable[int]) -> NDArray[np.bool_]:
    """Which arguments have a path to one of these, the targets themselves included."""
    n, found = len(qbaf), np.zeros(len(qbaf), bool)
    if len(qbaf.sources) <= SMALL:
        return _climbed(qbaf, found, targets)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order

    if "parents" not in qbaf._shape:
        ones = np.ones(len(qbaf.sources), np.int8)
        qbaf._shape["parents"] = coo_array((ones, (qbaf.targets, qbaf.sources)), shape=(n, n)).tocsr()
    for target in targets:
        if not found[target]:
            found[breadth_first_order(qbaf._shape["parents"], target, return_predecessors=False)] = True
    return found


def _climbed(qbaf: Qbaf, found: NDArray[np.bool_], targets: Iterable[int]) -> NDArray[np.bool_]:
    """The same for a small graph, one argument at a time."""
    start, parent, _ = by_row(len(qbaf), qbaf.targets, qbaf.sources)
    starts, parents, stack = start.tolist(), parent.tolist(), list(targets)
    while stack:
        here = stack.pop()
        if not found[here]:
            found[here] = True
            stack += parents[starts[here] : starts[here + 1]]
    return found
