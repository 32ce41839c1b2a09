"""Everything that follows from the arguments and edges of a graph alone: compiled arrays, ancestors, levels.

The *level* of an argument is the length of the longest path that ends in it. Arguments are put into an order
of evaluation: by level, then by number of attackers, then by number of supporters. A *group* is a stretch of
that order in which all three are equal, so that its parents form two full rectangles, and one NumPy call
serves the whole group, in all lanes. A cyclic graph has no levels: it is evaluated again and again, first whole, then
without the part before all cycles, which comes to rest after as many updates as it is deep.

    group g = arguments lo … hi−1; parents[k, i] is the place of the k-th parent of argument lo + i, attackers first

A *layer* is a level of several arguments that all have the same parents, as in a neural network: where the energy
is a sum of what the parents give, it is a matrix product, and one layer stands for all its groups. BLAS adds in an
order of its own, so that in a layer a lane alone equals the lane among others up to rounding only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..types import Ends, Floats, Integers
from .levels import MAX_EDGES_WITHOUT_SCIPY, find_levels, is_shallow, sort_by_row
from .parent_lists import ParentLists, cut_rows, find_sizes, list_parents, list_signed

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_GROUPS_KEPT = 512  # beyond, groups are made on the way
MIN_LAYER_EDGES = 32  # from which a matrix product is quicker
MAX_PARTS = 256  # that one structure remembers
MAX_LISTED = 1_200  # arguments and edges up to which plain lists are quicker than arrays, whatever the levels
MAX_LISTED_DEEP = 6_000  # the same for graphs that are not shallow
ARGUMENTS_PER_GROUP = 18  # that a loop over plain lists evaluates in the time of one group
EDGES_PER_GROUP = 1_000  # the same for edges

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Group:
    """Arguments `lo` … `hi` − 1 of the order of evaluation, with their parents: first `attackers` rows of
    attackers, then the supporters; weights None means all 1; a third axis of them is lanes."""

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

    `parents` and `weights` hold group after group, each a block of shape (parents, width) laid out flat. Where lanes
    differ in their weights, these have a second axis, the lanes, and there are no layers.
    """

    order: Integers
    place: Ends
    parents: Integers
    weights: Floats | None
    bounds: NDArray[np.int64]  # a row per group: lo, hi, attackers, parents, start of its block
    levels: int
    acyclic: bool
    layers: dict[int, Layer]  # by the `lo` of each of their groups
    before_cycles: int = 0  # of a cyclic graph: how many places, the first ones, have no cycle upstream
    steps_before_cycles: int = 0  # the updates after which these are at rest
    kept_groups: tuple[Group, ...] = ()  # all groups, where they are few

    def __len__(self) -> int:
        return len(self.order)

    @property
    def _lanes(self) -> tuple[int, ...]:
        """The shape of the lanes, which is empty where all have the same weights."""
        return () if self.weights is None else self.weights.shape[1:]

    def with_weights(self, weights: Floats) -> Arrays:
        """Return the same graph with other weights: one for each entry of `parents`, or (entries, lanes)."""
        made = replace(self, weights=weights, layers={}, kept_groups=())
        return replace(made, kept_groups=tuple(made.groups())) if self.kept_groups else made

    def groups(self, backwards: bool = False) -> Iterable[Group]:
        """The groups in the order of evaluation; where they are many they are made on the way."""
        return (self.kept_groups[::-1] if backwards else self.kept_groups) or self._groups(backwards)

    def _groups(self, backwards: bool) -> Iterator[Group]:
        bounds = self.bounds[::-1] if backwards else self.bounds
        for first in range(0, len(bounds), 4096):
            for lo, hi, attackers, degree, start in bounds[first : first + 4096].tolist():
                stop, shape = start + degree * (hi - lo), (degree, hi - lo)
                weights = None if self.weights is None else self.weights[start:stop].reshape(*shape, *self._lanes)
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


class Structure:
    """What follows from arguments and edges alone; graphs that differ in base scores share one.

    Other packages keep what they derive from it here (`remember`): at most MAX_PARTS, the least recently used goes.
    """

    def __init__(
        self,
        size: int,
        sources: Ends | list[int],
        targets: Ends | list[int],
        weights: Floats | list[float] | None,
        attacks: int | None = None,
        children: Ends | None = None,
    ) -> None:
        """Edges come as arrays, or as lists, of which the first `attacks` are attacks; no weights means all 1.

        `children` are the targets of all edges, source after source, where they are known already.
        """
        self.size, self._given, self._attacks = size, (sources, targets, weights), attacks
        self._children = children
        self._parts: dict[tuple[type, Hashable], Any] = {}  # in the order of their last use
        self._lock = Lock()

    @cached_property
    def sources(self) -> Ends:
        """Of every edge, the number of an argument."""
        return _freeze(np.asarray(self._given[0], np.int32))

    @cached_property
    def targets(self) -> Ends:
        """Of every edge, the number of an argument."""
        return _freeze(np.asarray(self._given[1], np.int32))

    @cached_property
    def weights(self) -> Floats:
        """Of every edge; the sign bit says attack."""
        given, attacks = self._given[2], self._attacks
        sizes = np.ones(len(self.sources)) if given is None else np.asarray(given, np.float64)
        if attacks is not None:
            sizes[:attacks] *= -1
        return _freeze(sizes)

    @cached_property
    def max_weight(self) -> float:
        """The largest weight of an edge; 0 without edges."""
        if self._given[2] is None:
            return 1.0 if len(self._given[0]) else 0.0
        return float(np.abs(self.weights).max(initial=0.0))

    @cached_property
    def parent_lists(self) -> ParentLists | None:
        """The graph as plain lists, where a loop over them is quicker than arrays; None elsewhere, and with cycles."""
        total = self.size + len(self._given[0])
        if total <= MAX_LISTED or (total <= MAX_LISTED_DEEP and not is_shallow(self.sources, self.targets, self.size)):
            if self._attacks is not None:
                return list_parents(self.size, *self._given, self._attacks)  # type: ignore[arg-type]
            return list_signed(self.size, self.sources, self.targets, self.weights)
        attack, sizes = np.signbit(self.weights), find_sizes(self.weights)
        if len(self._sorted.bounds) <= self.size / ARGUMENTS_PER_GROUP + len(attack) / EDGES_PER_GROUP:
            return None
        if not self._sorted.reached.all():
            return None
        starts, by_row, sizes = sort_by_row(2 * self.size, 2 * self.targets + ~attack, self.sources, sizes)
        return cut_rows(self._sorted.order, starts, by_row, sizes)

    @property
    def acyclic(self) -> bool:
        """Whether no argument reaches itself."""
        if self.parent_lists is not None:
            return True
        return self.size + len(self._given[0]) > MAX_LISTED and self.arrays.acyclic

    @property
    def evaluation_order(self) -> list[int]:
        """The arguments of an acyclic graph in an order of evaluation."""
        return self.arrays.order.tolist() if self.parent_lists is None else self.parent_lists.order

    def restrict(self, kept: NDArray[np.bool_]) -> Structure:
        """Keep some arguments, numbered anew, and the edges among them."""
        if self._attacks is None:
            place = np.cumsum(kept, dtype=np.int32) - 1
            inner = kept[self.sources] & kept[self.targets]
            ends = place[self.sources[inner]], place[self.targets[inner]]
            return Structure(int(place[-1]) + 1 if self.size else 0, *ends, self.weights[inner])
        number = {argument: place for place, argument in enumerate(kept.nonzero()[0].tolist())}
        sources, targets, weights = self._given
        edges = [k for k, (s, t) in enumerate(zip(sources, targets, strict=True)) if s in number and t in number]
        starts, stops = [number[sources[k]] for k in edges], [number[targets[k]] for k in edges]
        sizes = None if weights is None else [weights[k] for k in edges]
        return Structure(len(number), starts, stops, sizes, sum(k < self._attacks for k in edges))

    @cached_property
    def arrays(self) -> Arrays:
        """The graph as the solver sees it."""
        return _compile(self.size, self.sources, self.targets, self.weights, self._sorted)

    @cached_property
    def _sorted(self) -> SortedArguments:
        children, self._children = self._children, None  # which is needed once
        return _sort_arguments(self.size, self.sources, self.targets, self.weights, children)

    @cached_property
    def edge_order(self) -> Integers:
        """The number of the edge at each entry of `arrays.parents`."""
        arrays, support = self.arrays, ~np.signbit(self.weights)
        numbers = np.arange(len(self.weights), dtype=np.float64)
        row = 2 * arrays.place[self.targets] + support
        _, _, found = sort_by_row(2 * self.size, row, self.sources, numbers)
        assert found is not None
        for lo, hi, _, degree, start in arrays.bounds.tolist():
            block, width = slice(start, start + degree * (hi - lo)), hi - lo
            if degree > 1 and width > 1:
                found[block] = found[block].reshape(width, degree).T.ravel()
        return found.astype(np.intp)

    def remember(
        self, kind: type[Part], key: Hashable, make: Callable[[], Part], fits: Callable[[Part], bool] | None = None
    ) -> Part:
        """Return the part of this kind and key, made now if it is not remembered or does not fit."""
        with self._lock:
            found: Part | None = self._parts.pop((kind, key), None)
        if found is None or (fits is not None and not fits(found)):
            found = make()
        with self._lock:
            self._parts[kind, key] = found
            while len(self._parts) > MAX_PARTS:
                del self._parts[next(iter(self._parts))]
        return found

    def ancestors(self, targets: Iterable[int]) -> NDArray[np.bool_]:
        """Which arguments have a path to one of these, the targets themselves included."""
        found = np.zeros(self.size, bool)
        if len(self.sources) <= MAX_EDGES_WITHOUT_SCIPY:
            self._climb(found, list(targets))
            return found
        from scipy.sparse.csgraph import breadth_first_order

        for target in targets:
            if not found[target]:
                found[breadth_first_order(self._parents, target, return_predecessors=False)] = True
        return found

    def _climb(self, found: NDArray[np.bool_], stack: list[int]) -> None:
        """Mark the ancestors of all on the stack, one argument at a time."""
        seen, parents = set(stack), self._parents_in_lists
        while stack:
            for parent in parents[stack.pop()]:
                if parent not in seen:
                    seen.add(parent)
                    stack.append(parent)
        found[list(seen)] = True

    @cached_property
    def _parents_in_lists(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.size)]
        ends = [each if isinstance(each, list) else each.tolist() for each in self._given[:2]]
        for source, target in zip(*ends, strict=True):
            found[target].append(source)
        return found

    @cached_property
    def _parents(self) -> csr_array:
        from scipy.sparse import coo_array

        ones = np.ones(len(self.sources), np.int8)
        return coo_array((ones, (self.targets, self.sources)), shape=(self.size, self.size)).tocsr()


def _freeze(array: Any) -> Any:
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True)
class SortedArguments:
    """The arguments in the order of evaluation, and its groups."""

    level: NDArray[np.int32]
    reached: NDArray[np.bool_]  # which have no cycle upstream
    order: Integers
    bounds: NDArray[np.int64]  # a row per group: lo, hi, attackers, parents, start of its block


def _sort_arguments(n: int, sources: Ends, targets: Ends, signed: Floats, children: Ends | None) -> SortedArguments:
    """Sort by level, then by number of attackers, then by number of supporters."""
    support = ~np.signbit(signed)
    degrees = np.bincount(2 * targets + support, minlength=2 * n).reshape(n, 2)
    level, reached = find_levels(n, sources, targets, children, degrees[:, 0] + degrees[:, 1])
    acyclic = bool(reached.all())
    key = degrees[:, 0] * (degrees[:, 1].max(initial=0) + 1) + degrees[:, 1]
    # a level for each step of an acyclic graph; of a cyclic one, what is upstream of all cycles comes first
    key += (level.astype(np.int64) if acyclic else ~reached) * (key.max(initial=0) + 1)
    short = key.astype(np.uint16) if key.max(initial=0) < 1 << 16 else key  # which is sorted by counting
    order = np.argsort(short, kind="stable")
    sorted_keys = short[order]
    lo = np.append(np.zeros(min(n, 1), np.intp), np.flatnonzero(sorted_keys[1:] != sorted_keys[:-1]) + 1)
    width = np.diff(lo, append=n)
    attackers, degree = degrees[order[lo], 0], degrees[order[lo]].sum(axis=1)
    start = np.cumsum(degree * width) - degree * width
    bounds = np.column_stack((lo, lo + width, attackers, degree, start)).astype(np.int64)
    return SortedArguments(level, reached, order, bounds)


def _compile(n: int, sources: Ends, targets: Ends, signed: Floats, done: SortedArguments) -> Arrays:
    support, acyclic = ~np.signbit(signed), bool(done.reached.all())
    level, reached, order, bounds = done.level, done.reached, done.order, done.bounds
    place = np.empty(n, np.int32)
    place[order] = np.arange(n)
    # one row for the attackers of each argument and one for its supporters, in the order of evaluation
    data = None if (np.abs(signed) == 1).all() else np.abs(signed)
    _, by_row, weights = sort_by_row(2 * n, 2 * place[targets] + support, sources, data)
    parents = place[by_row].astype(np.intp)
    for lo, hi, _, d, s in bounds.tolist():
        w = hi - lo
        if d > 1 and w > 1:  # from a row per argument to a column per argument
            for each in (parents,) if weights is None else (parents, weights):
                each[s : s + d * w] = each[s : s + d * w].reshape(w, d).T.ravel()
    deepest = int(level.max(initial=-1, where=reached)) + 1
    # in a cycle, what a product of matrices rounds by position could be magnified
    layers = _find_layers(bounds, level[order[bounds[:, 0]]], parents, weights) if acyclic else {}
    made = Arrays(order, place, parents, weights, bounds, deepest, True, layers)
    if not acyclic:
        made = replace(made, levels=1, acyclic=False, before_cycles=int(reached.sum()), steps_before_cycles=deepest)
    return replace(made, kept_groups=tuple(made.groups())) if len(bounds) <= MAX_GROUPS_KEPT else made


def _find_layers(
    bounds: NDArray[np.int64], level: NDArray[np.int32], parents: Integers, weights: Floats | None
) -> dict[int, Layer]:
    """The levels whose arguments all have the same parents; `level` is that of each group."""
    found: dict[int, Layer] = {}
    if len(parents) < MIN_LAYER_EDGES:
        return found
    first = np.flatnonzero(np.diff(level, prepend=-1))
    degree, width = bounds[:, 3], bounds[:, 1] - bounds[:, 0]
    least, most = np.minimum.reduceat(degree, first), np.maximum.reduceat(degree, first)
    total = np.add.reduceat(width, first)
    wide = (least == most) & (total > 1) & (least * total >= MIN_LAYER_EDGES)
    for row, stop in zip(first[wide].tolist(), np.append(first[1:], len(level))[wide].tolist(), strict=True):
        layer = _make_layer(bounds[row:stop].tolist(), parents, weights)
        if layer is not None:
            found |= dict.fromkeys(bounds[row:stop, 0].tolist(), layer)
    return found


def _make_layer(groups: list[list[int]], parents: Integers, weights: Floats | None) -> Layer | None:
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
