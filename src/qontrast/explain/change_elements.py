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
from types import MappingProxyType
from typing import Any

import numpy as np

from ..attribution.shapley.coalitions import list_coalitions
from ..engine.problem import Problem
from ..errors import UndefinedStrength
from ..graph.qbaf import Qbaf
from ..types import Bools, Ends, Floats, Integers, Name, Progress

NEVER = -1  # the unit of what no unit changes
NUMBERS_PER_CUT = 1 << 25  # lanes × edges of the mixtures that are in memory at once
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
    sources: Integers  # of every edge of the union, as places of arguments
    targets: Integers
    weights_before: Floats  # signed; NaN where an edge is not there
    weights_after: Floats

    @property
    def lasting(self) -> Bools:
        """Which arguments are in both versions."""
        return self.in_before & self.in_after

    @property
    def edge_changed(self) -> Bools:
        """Which edges differ between the versions; an attack of weight 0 is not a support of weight 0."""
        before, after = self.weights_before, self.weights_after
        return (before != after) | (np.signbit(before) != np.signbit(after))  # NaN differs from everything


def join_versions(before: Qbaf, after: Qbaf) -> Versions:
    """Join two versions: the arguments and edges of the one before, then those that the other adds."""
    arguments = (*before.arguments, *(name for name in after.arguments if name not in before))
    place_of = {name: place for place, name in enumerate(arguments)}
    known, base, keys = [], [], []
    for qbaf in (before, after):
        place = np.array([place_of[name] for name in qbaf.arguments], np.intp)
        own_known, own_base = np.zeros(len(arguments), bool), np.zeros(len(arguments))
        own_known[place], own_base[place] = True, qbaf.base_array
        known.append(own_known)
        base.append(own_base)
        keys.append(place[qbaf.sources] * len(arguments) + place[qbaf.targets])
    union = np.concatenate((keys[0], keys[1][~np.isin(keys[1], keys[0])]))
    ends = (union // len(arguments), union % len(arguments)) if len(union) else (union, union)
    weights = [_look_up(union, own, qbaf.weights) for own, qbaf in zip(keys, (before, after), strict=True)]
    return Versions(before, after, arguments, known[0], known[1], base[0], base[1], *ends, *weights)


def _look_up(union: Integers, keys: Integers, weights: Floats) -> Floats:
    """The weight of each edge of the union in one version, NaN where it is not there."""
    found = np.full(len(union), np.nan)
    if len(keys):
        order = np.argsort(keys)
        at = order[np.minimum(np.searchsorted(keys, union, sorter=order), len(keys) - 1)]
        there = keys[at] == union
        found[there] = weights[at[there]]
    return found


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
        size = max(1, min(size, NUMBERS_PER_CUT // max(len(problem.qbaf), len(problem.qbaf.weights), 1)))
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
    switch = _never(len(versions.sources))
    inner = versions.edge_changed & lasting[versions.sources] & lasting[versions.targets]
    for edge in np.flatnonzero(inner).tolist():
        switch[edge] = len(elements)
        elements.append(("edge", names[versions.sources[edge]], names[versions.targets[edge]]))
    return tuple(elements), _mix(versions, topics, elements, (there, score, switch), make)


def mix_arguments(versions: Versions, topics: Sequence[int], make: Callable[[Qbaf], Problem]) -> tuple[Any, Mixtures]:
    """List the changed arguments, and make the mixtures of those that have a path to a topic.

    An argument owns its base score and its outgoing edges. With S the applied arguments, x is there if it is in both
    versions, or added and in S, or dropped and not in S; an edge x → y that is only in the version after is there if
    both ends are and y is added or x is in S; one that is only in the version before if both ends are and x is not in
    S; and the new base score of x counts if x is in S or added.
    """
    lasting, sources = versions.lasting, versions.sources
    new_target = np.isnan(versions.weights_before) & ~versions.in_before[versions.targets]
    switched = versions.edge_changed & lasting[sources] & ~new_target
    changed = ~lasting | (versions.base_before != versions.base_after)
    changed[sources[switched]] = True
    units = np.flatnonzero(changed)
    number = _never(len(lasting))
    number[units] = np.arange(len(units))
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
    ends, signs, weights = _list_signed(versions, switch)
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


def _list_signed(versions: Versions, switch: Integers) -> tuple[tuple[Ends, Ends], Floats, Switched]:
    """The edges of the union graph, each of one sign: their ends, their signs, and the sizes that they switch.

    An edge that no unit switches is there where its ends are: it is the same in both versions, or is in one of them.
    """
    before, after = versions.weights_before, versions.weights_after
    own: list[int] = np.flatnonzero(switch == NEVER).tolist()
    weight = np.where(np.isnan(before), after, before)[own]
    signs, sizes = [np.copysign(1.0, weight)], [[np.abs(weight)], [np.abs(weight)]]
    for edge in np.flatnonzero(switch != NEVER).tolist():
        weights = (before[edge], after[edge])
        for sign in dict.fromkeys(float(np.copysign(1.0, each)) for each in weights if not np.isnan(each)):
            own.append(edge)
            signs.append(np.array([sign]))
            for column, each in zip(sizes, weights, strict=True):
                there = not np.isnan(each) and np.copysign(1.0, each) == sign
                column.append(np.array([abs(each) if there else 0.0]))
    ends = versions.sources[own].astype(np.int32), versions.targets[own].astype(np.int32)
    switched = Switched(np.concatenate(sizes[0]), np.concatenate(sizes[1]), switch[own])
    return ends, np.concatenate(signs), switched


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
