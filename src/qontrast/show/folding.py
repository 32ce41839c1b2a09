"""Fold a large graph: choose the arguments that a picture shows, and count the others at those through which they act.

The picture shows fact and foil, the strongest contributors and their shortest paths to both. Every other argument is
counted once: at the shown argument that it reaches first, or as one that reaches none of them.

>>> from qontrast import Qbaf
>>> chain = Qbaf(dict.fromkeys("abcdt", 0.5), supports=[("a", "b"), ("b", "c"), ("c", "t"), ("d", "t")])
>>> fold(chain, [4], shown=["c"])
Fold(included=(2, 4), stubs=(Stub(target=2, count=2), Stub(target=4, count=1)), apart=0)
>>> fold(chain, [4], shown=["c"], opened="c").included
(1, 2, 4)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan

from ..graph.qbaf import Qbaf
from ..results.order import rank_contributions, sort_by_size
from ..types import Name
from .layout import find_paths

STRONGEST = 10  # contributors that a folded picture shows
MAX_FOLDED = 24  # arguments in it at first, with the paths
MAX_OPENED = 10  # arguments that opening a stub adds


@dataclass(frozen=True)
class Stub:
    """How many arguments that are not shown act through a shown one."""

    target: int
    count: int


@dataclass(frozen=True)
class View:
    """How a page looks at a graph."""

    folded: bool = True
    shown: tuple[Name, ...] | None = None  # what a folded picture shows; the strongest contributors if None
    opened: Name | None = None  # whose stub is opened
    before: Qbaf | None = None  # an earlier version: its arguments keep their places, and what is gone is a ghost
    room: tuple[float, float] | None = None  # width and height of the place for the picture
    placed: Mapping[Name, tuple[float, float]] = field(default_factory=dict)  # where new arguments are to stand


@dataclass(frozen=True)
class Fold:
    """The arguments that are shown, by their numbers, and where the others are counted."""

    included: tuple[int, ...]
    stubs: tuple[Stub, ...]
    apart: int  # arguments that reach none of those that are shown


def fold(
    qbaf: Qbaf,
    ends: Iterable[int],
    contributions: Mapping[Name, float] | None = None,
    shown: Iterable[Name] | None = None,
    opened: Name | None = None,
    uncounted: Collection[Name] = (),
) -> Fold:
    """Choose what is shown: the ends, and the strongest contributors with their paths, or the arguments given.

    With `opened`, the strongest arguments that act on this one directly are shown too. Those that are `uncounted` are
    gone: a picture may show them, but no stub counts them.
    """
    edges = list(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True))
    order = _order(qbaf, contributions)
    included = set(ends)
    if shown is None:
        _add_paths(included, edges, order)
    else:
        included |= {qbaf.index(name) for name in shown if name in qbaf}
    if opened is not None and opened in qbaf:
        target = qbaf.index(opened)
        parents = {a for a, b in edges if b == target} - included
        included |= {target, *[index for index in order if index in parents][:MAX_OPENED]}
    ahead = find_paths(edges, sorted(included))
    root: dict[int, int] = {}
    for index, nearer in ahead.items():  # the nearest first: whoever is ahead has its root already
        root[index] = index if nearer < 0 else root[nearer]
    gone = {qbaf.index(name) for name in uncounted}
    counts = Counter(root[index] for index in root if index not in included and index not in gone)
    stubs = tuple(Stub(target, counts[target]) for target in sorted(counts))
    return Fold(
        tuple(sorted(included)), stubs, sum(index not in root and index not in gone for index in range(len(qbaf)))
    )


def _order(qbaf: Qbaf, contributions: Mapping[Name, float] | None) -> list[int]:
    """All arguments, the largest contribution first; without contributions as they are."""
    values = [0.0] * len(qbaf)
    for name, value in (contributions or {}).items():
        if name in qbaf and not isnan(value):
            values[qbaf.index(name)] = abs(value)
    return sort_by_size(range(len(qbaf)), values.__getitem__)


def _add_paths(included: set[int], edges: list[tuple[int, int]], order: list[int]) -> None:
    """Add the strongest contributors with their shortest path to each end, as long as they are few."""
    ways = [find_paths(edges, [end]) for end in sorted(included)]
    added = 0
    for index in order:
        if added == STRONGEST:
            break
        paths = [_follow(ahead, index) for ahead in sorted(ways, key=lambda way: len(_follow(way, index)))]
        nearest = next((path for path in paths if path), None)
        if index in included or nearest is None or len(included.union(nearest)) > MAX_FOLDED:
            continue
        for path in paths:
            if len(included.union(path)) <= MAX_FOLDED:
                included.update(path)
        added += 1


def _follow(ahead: Mapping[int, int], index: int) -> list[int]:
    """The path from an argument to the end; empty where there is none."""
    path = [index] if index in ahead else []
    while path and ahead[path[-1]] >= 0:
        path.append(ahead[path[-1]])
    return path


def select(
    qbaf: Qbaf, roles: Mapping[int, str], contributions: Mapping[Name, float] | None, limit: int
) -> tuple[int, ...]:
    """Select all arguments, or where there are too many: topics, then contributors with their shortest paths to one."""
    if len(qbaf) <= limit:
        return tuple(range(len(qbaf)))
    ends = [index for index, role in roles.items() if role != "topic"] or list(roles) or [0]
    ahead = find_paths(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True), ends)
    included = set(roles)
    order = list(ahead)  # the nearest first, where nobody says what matters
    if contributions is not None:
        order = [qbaf.index(name) for name, value in rank_contributions(contributions) if not isnan(value)]
    for index in order:
        path = [index]
        while ahead.get(path[-1], -1) >= 0:
            path.append(ahead[path[-1]])
        if len(included.union(path)) > limit:
            break
        included.update(path)
    return tuple(sorted(included))
