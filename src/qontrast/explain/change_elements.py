"""Compare two versions of a graph: list what changed, and compute mixtures that have some of the changes.

Both versions are parts of one *union graph*, which has all their arguments and edges. A *mixture* applies a set of
changed units to the version before; it is a lane of the union graph, with its own present arguments, base scores and
weights of edges. An edge that changes its sign is two edges of the union graph, of which a mixture has one.

A unit is an element, such as one base score or one edge, or an argument with its base score and its outgoing edges
(Kampik et al., 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import copysign
from types import MappingProxyType
from typing import Any

import numpy as np

from ..attribution.shapley.coalitions import list_coalitions
from ..engine.problem import Problem
from ..errors import UndefinedStrength
from ..graph.qbaf import Qbaf
from ..types import Bools, Ends, Floats, Integers, Name, Progress

NEVER = -1  # the unit of what no unit changes
TASKS_PER_REPORT = 16  # that an executor gets between two reports of progress

Element = tuple[Any, ...]  # ("base", x), ("add", x), ("drop", x) or ("edge", x, y)


def list_units(units: Sequence[Any]) -> str:
    """Write units for a message.

    >>> list_units([("base", "x"), ("edge", "x", "y"), "z"])
    "base 'x', edge 'x' → 'y', 'z'"
    """

    def write(unit: Any) -> str:
        return f"{unit[0]} {' → '.join(map(repr, unit[1:]))}" if isinstance(unit, tuple) else repr(unit)

    return ", ".join(map(write, units)) or "none"


@dataclass(frozen=True, slots=True)
class UnionEdge:
    """An edge of one or both versions: its ends as places in the union, its signed weights, None where it is not."""

    source: int
    target: int
    before: float | None
    after: float | None

    @property
    def changed(self) -> bool:
        """Whether it is not the same edge in both versions; an attack of weight 0 is not a support of weight 0."""
        if self.before is None or self.after is None:
            return True
        return self.before != self.after or copysign(1, self.before) != copysign(1, self.after)


@dataclass(frozen=True, eq=False)
class Versions:
    """Two versions of a graph, and the arguments and edges of both together."""

    before: Qbaf
    after: Qbaf
    arguments: tuple[Name, ...]
    in_before: Bools  # of every argument of the union
    in_after: Bools
    base_before: Floats
    base_after: Floats
    edges: tuple[UnionEdge, ...]

    @property
    def lasting(self) -> Bools:
        """Which arguments are in both versions."""
        return self.in_before & self.in_after


def join_versions(before: Qbaf, after: Qbaf) -> Versions:
    """Join two versions: the arguments and edges of the one before, then those that the other adds."""
    arguments = (*before.arguments, *(name for name in after.arguments if name not in before))
    place_of = {name: place for place, name in enumerate(arguments)}
    known, base, edges = [], [], []
    for qbaf in (before, after):
        place = np.array([place_of[name] for name in qbaf.arguments], np.intp)
        own_known, own_base = np.zeros(len(arguments), bool), np.zeros(len(arguments))
        own_known[place], own_base[place] = True, qbaf.base_array
        ends = zip(place[qbaf.sources].tolist(), place[qbaf.targets].tolist(), strict=True)
        known.append(own_known)
        base.append(own_base)
        edges.append(dict(zip(ends, qbaf.weights.tolist(), strict=True)))
    pairs = dict.fromkeys((*edges[0], *edges[1]))
    union = tuple(UnionEdge(*pair, edges[0].get(pair), edges[1].get(pair)) for pair in pairs)
    return Versions(before, after, arguments, known[0], known[1], base[0], base[1], union)


@dataclass(frozen=True, eq=False)
class Switched:
    """Numbers that units switch: `before` where the unit is not applied, `after` where it is."""

    before: Floats
    after: Floats
    unit: Integers  # NEVER where no unit changes it

    @property
    def fixed(self) -> bool:
        """Whether no unit switches any of them."""
        return bool((self.unit == NEVER).all())

    def make_lanes(self, applied: Bools) -> Floats | None:
        """The numbers of each mixture, (mixtures, numbers); None where they are `before` in all of them."""
        if self.fixed:
            return None
        moving = self.unit != NEVER
        lanes = np.tile(self.before, (len(applied), 1))
        lanes[:, moving] = np.where(applied[:, self.unit[moving]], self.after[moving], self.before[moving])
        return lanes

    def cut(self, kept: Bools | Integers) -> Switched:
        """Some of the numbers."""
        return Switched(self.before[kept], self.after[kept], self.unit[kept])

    def equals(self, other: Switched) -> bool:
        return all(map(np.array_equal, (self.before, self.after, self.unit), (other.before, other.after, other.unit)))


@dataclass(frozen=True, eq=False)
class Mixtures:
    """The value of every mixture: the gap of the two topics, or the strength of one, in the union graph.

    Only what has a path to a topic is in `problem`; a unit that changes nothing there is not in `units`.
    """

    problem: Problem
    topics: tuple[int, ...]  # places of the fact, and of the foil if there is one
    units: tuple[Any, ...]
    present: Switched
    base: Switched
    weights: Switched

    def solve(self, applied: Bools) -> Floats:
        """The values of these mixtures, (mixtures, units) being who is applied; NaN where one is undefined."""
        found = self.problem.solve(*self.make_lanes(applied)).strengths
        value = found[:, self.topics[0]].copy()
        for other in self.topics[1:]:
            value -= found[:, other]
        return value

    def make_lanes(self, applied: Bools) -> tuple[Floats | None, Floats | None, Floats | None]:
        """Present arguments, base scores and weights of these mixtures."""
        return tuple(part.make_lanes(applied) for part in (self.present, self.base, self.weights))  # type: ignore[return-value]

    def solve_all(self, rows: Sequence[Bools] | Bools, progress: Progress | None = None) -> Floats:
        """The same for many mixtures, in blocks between which progress is reported."""
        values = np.empty(len(rows))
        for here in self._cut(len(rows)):
            values[here] = self.solve(np.asarray(rows[here]))
            if progress:
                progress(here.stop, len(rows))
        return values

    def solve_table(self, progress: Progress | None = None) -> Floats:
        """The values of all 2^k mixtures; bit i of the number of a mixture is unit i."""
        units = len(self.units)
        values = np.empty(1 << units)
        for here in self._cut(len(values)):
            values[here] = self.solve(list_coalitions(units, here.start, here.stop))
            if progress:
                progress(here.stop, len(values))
        return values

    def _cut(self, rows: int) -> Iterator[slice]:
        problem = self.problem
        size = problem.lanes_per_task * (1 if problem.executor is None else TASKS_PER_REPORT)
        return (slice(first, min(first + size, rows)) for first in range(0, rows, size))

    def explain_undefined(self, applied: Bools) -> UndefinedStrength:
        """Make the error for one mixture (units,) that has no strengths."""
        return self.problem.undefined(0, *self.make_lanes(applied[None]))

    def same_as(self, other: Mixtures) -> bool:
        """Whether the mixtures of both have the same values."""
        if len(self.units) != len(other.units) or len(self.problem.qbaf.weights) != len(other.problem.qbaf.weights):
            return False
        pairs = ((self.present, other.present), (self.base, other.base), (self.weights, other.weights))
        return all(one.equals(two) for one, two in pairs)


def mix_elements(versions: Versions, topics: Sequence[int], make: Callable[[Qbaf], Problem]) -> tuple[Any, Mixtures]:
    """List the changed elements, and make the mixtures of those that have a path to a topic.

    An element is the base score of a lasting argument; an argument added or dropped, with all edges that touch it; or
    an edge between lasting arguments.
    """
    names, lasting = versions.arguments, versions.lasting
    elements: list[Element] = []
    there, score = _never(len(names)), _never(len(names))
    for place in np.flatnonzero(~lasting | (versions.base_before != versions.base_after)).tolist():
        (score if lasting[place] else there)[place] = len(elements)
        kind = "base" if lasting[place] else "drop" if versions.in_before[place] else "add"
        elements.append((kind, names[place]))
    switch = _never(len(versions.edges))
    for k, edge in enumerate(versions.edges):
        if edge.changed and lasting[edge.source] and lasting[edge.target]:
            switch[k] = len(elements)
            elements.append(("edge", names[edge.source], names[edge.target]))
    return tuple(elements), _mix(versions, topics, elements, (there, score, switch), make)


def mix_arguments(versions: Versions, topics: Sequence[int], make: Callable[[Qbaf], Problem]) -> tuple[Any, Mixtures]:
    """List the changed arguments, and make the mixtures of those that have a path to a topic.

    An argument owns its base score and its outgoing edges. With S the applied arguments, x is there if it is in both
    versions, or added and in S, or dropped and not in S; an edge x → y that is only in the version after is there if
    both ends are and y is added or x is in S; one that is only in the version before if both ends are and x is not in
    S; and the new base score of x counts if x is in S or added.
    """
    lasting, switched = versions.lasting, np.zeros(len(versions.edges), bool)
    changed = ~lasting | (versions.base_before != versions.base_after)
    for k, edge in enumerate(versions.edges):
        new_target = edge.before is None and not versions.in_before[edge.target]
        switched[k] = edge.changed and lasting[edge.source] and not new_target
        changed[edge.source] |= switched[k]
    units = np.flatnonzero(changed)
    number = _never(len(lasting))
    number[units] = np.arange(len(units))
    sources = np.array([edge.source for edge in versions.edges], np.intp)
    names = tuple(versions.arguments[place] for place in units.tolist())
    there, score = np.where(lasting, NEVER, number), np.where(lasting, number, NEVER)
    score[versions.base_before == versions.base_after] = NEVER
    return names, _mix(versions, topics, names, (there, score, np.where(switched, number[sources], NEVER)), make)


def _never(size: int) -> Integers:
    return np.full(size, NEVER, np.intp)


def _mix(
    versions: Versions,
    topics: Sequence[int],
    units: Sequence[Any],
    switches: tuple[Integers, Integers, Integers],
    make: Callable[[Qbaf], Problem],
) -> Mixtures:
    """Make the mixtures of units that switch arguments, base scores and edges."""
    there, score, switch = switches
    present = Switched(versions.in_before.astype(float), versions.in_after.astype(float), there)
    old = np.where(versions.in_before, versions.base_before, versions.base_after)
    new = np.where(versions.in_after, versions.base_after, versions.base_before)
    base = Switched(old, new, score)
    ends, signs, weights = _list_signed(versions.edges, switch)
    graph = _make_union(versions, old, ends, np.copysign(np.maximum(weights.before, weights.after), signs))
    kept = graph.structure.ancestors(topics)
    inner = kept[graph.targets]
    place = np.cumsum(kept) - 1
    graph = graph._with(
        arguments=tuple(name for name, own in zip(versions.arguments, kept.tolist(), strict=True) if own),
        base_array=old[kept],
        sources=place[graph.sources[inner]].astype(np.int32),
        targets=place[graph.targets[inner]].astype(np.int32),
        weights=graph.weights[inner],
    )
    parts = present.cut(kept), base.cut(kept), weights.cut(inner)
    used = _sort_units(graph, parts)
    renumbered = _never(len(units) + 1)  # the last entry is that of NEVER
    renumbered[used] = np.arange(len(used))
    parts_now = [Switched(part.before, part.after, renumbered[part.unit]) for part in parts]
    own = tuple(int(place[topic]) for topic in topics)
    return Mixtures(make(graph), own, tuple(units[k] for k in used.tolist()), *parts_now)


def _sort_units(graph: Qbaf, parts: tuple[Switched, Switched, Switched]) -> Integers:
    """The units that change something in a graph: those far from the topics first, if it is acyclic."""
    units = np.concatenate([part.unit for part in parts])
    order = graph.structure.arrays.place
    place = np.concatenate([order, order, order[graph.targets]])
    last = np.zeros(units.max(initial=NEVER) + 2, np.intp)  # the last entry is that of NEVER
    np.maximum.at(last, units, place)
    used = np.unique(units[units != NEVER])
    return used[np.argsort(last[used], kind="stable")]


def _list_signed(edges: Sequence[UnionEdge], switch: Integers) -> tuple[tuple[Ends, Ends], Floats, Switched]:
    """The edges of the union graph, each of one sign: their ends, their signs, and the sizes that they switch."""
    rows: list[tuple[int, int, float, float, float, int]] = []
    for edge, unit in zip(edges, switch.tolist(), strict=True):
        if unit == NEVER:  # where its ends are there, it is; it has the same weight in both versions or is in one
            weight = edge.after if edge.before is None else edge.before
            assert weight is not None
            rows.append((edge.source, edge.target, copysign(1, weight), abs(weight), abs(weight), NEVER))
            continue
        sizes: dict[float, list[float]] = {}
        for side, weight in enumerate((edge.before, edge.after)):
            if weight is not None:
                sizes.setdefault(copysign(1, weight), [0.0, 0.0])[side] = abs(weight)
        rows += [(edge.source, edge.target, sign, *both, unit) for sign, both in sizes.items()]
    columns = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.zeros(0)] * 6
    ends = columns[0].astype(np.int32), columns[1].astype(np.int32)
    sizes_of = Switched(columns[3].astype(float), columns[4].astype(float), columns[5].astype(np.intp))
    return ends, columns[2].astype(float), sizes_of


def _make_union(versions: Versions, base: Floats, ends: tuple[Ends, Ends], weights: Floats) -> Qbaf:
    """The union graph; its parallel edges of opposite sign are allowed here and nowhere else."""
    return versions.before._with(
        arguments=versions.arguments,
        _index=MappingProxyType({name: place for place, name in enumerate(versions.arguments)}),
        base_array=base,
        sources=ends[0],
        targets=ends[1],
        weights=weights,
        labels=MappingProxyType({}),
        topics=(),
        groups=MappingProxyType({}),
    )
