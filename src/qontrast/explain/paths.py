"""List the paths through which an argument acts on a topic.

A path x = a₀ → a₁ → … → aₖ = t of attacks and supports raises t if it has an even number of attacks and lowers it
otherwise: an attack on an attacker helps. On an acyclic graph the gradient is a sum over paths,

    ∂σ(t)/∂τ(x) = Σ_paths  ∂ι/∂τ(x) · Π ∂σ(aᵢ₊₁)/∂σ(aᵢ),

so each path has its exact share of it. With cycles only simple paths are listed, and no share is claimed; nor is it
at a kink, where the gradient does not exist or is that of one side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice, pairwise
from math import prod
from typing import Any

import numpy as np

from ..attribution.slopes import find_slopes
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..engine.update import gather_parents
from ..errors import InvalidInput
from ..graph.labels import quote_label
from ..graph.qbaf import Qbaf
from ..graph.structure import Arrays, Group, Structure
from ..results.base import Result, Schema, presenter
from ..results.order import sort_by_size
from ..semantics import Semantics
from ..settings import check_integer
from ..types import Ends, Floats, Integers, Name

SLOPE_TOLERANCE = 1e-9  # slopes that differ by less are equal, here as in the gradient
MAX_SIMPLE_PATHS = 10_000  # of a cyclic graph


@dataclass(frozen=True, kw_only=True)
class Path:
    """A path from the contributor to the topic.

    Attributes
    ----------
    arguments
        From the contributor to the topic.
    relations
        `"attacks"` or `"supports"` for each step.
    share
        Of the gradient; None on cyclic graphs and at kinks.
    names
        The arguments as they are called in a sentence.
    """

    arguments: tuple[Name, ...]
    relations: tuple[str, ...]
    share: float | None
    names: tuple[str, ...]

    @property
    def sign(self) -> int:
        """+1 if the path raises the topic, −1 if it lowers it."""
        return -1 if self.relations.count("attacks") % 2 else 1

    @property
    def words(self) -> str:
        """The path as a text: `raises t by 0.250 per unit of base score: a —attacks→ b —attacks→ t`."""
        return str(presenter().describe(self))

    def __str__(self) -> str:
        return self.words


SCHEMA = Schema(
    "qontrast/paths/1",
    {
        "contributor": "where the paths begin",
        "topic": "where they end",
        "gradient": "what all shares add up to; `null` on cyclic graphs",
        "paths": "for each `arguments`, `relations` (`attacks`, `supports`), `sign`, `share` of the gradient (`null` "
        "on cyclic graphs and at kinks), `words`",
        "left_out": "how many more there are",
        "counted_all": "whether `left_out` is exact; else there are at least so many",
    },
    source="`paths`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Paths(Result, Sequence[Path], schema=SCHEMA):
    """The paths from a contributor to a topic, the strongest first.

    Attributes
    ----------
    qbaf, contributor, topic, semantics
        The question.
    found
        The paths.
    left_out
        How many more there are.
    counted_all
        Whether `left_out` is exact; else there are at least so many.
    gradient
        What all shares, left out or not, add up to; None on cyclic graphs, NaN at a kink.
    """

    qbaf: Qbaf
    contributor: Name
    topic: Name
    semantics: str
    found: tuple[Path, ...]
    left_out: int
    counted_all: bool
    gradient: float | None

    @property
    def method(self) -> str:
        """The method whose values are shared out: gradient."""
        return "gradient"

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths."""
        return self.found

    def __getitem__(self, k):  # type: ignore[no-untyped-def] # a slice gives paths, an index one path
        return self.found[k]

    def __len__(self) -> int:
        return len(self.found)

    def _computed_fields(self) -> dict[str, Any]:
        names = ("arguments", "relations", "sign", "share", "words")
        return {"paths": [{name: getattr(path, name) for name in names} for path in self.found]}


def paths(
    qbaf: Qbaf,
    contributor: Name,
    topic: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    limit: int = 20,
) -> Paths:
    """List the paths through which a contributor acts on a topic, the strongest first.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    contributor, topic : str or int
        Where the paths begin and end.
    semantics, solver, max_steps
        As in `strengths`.
    limit : int
        How many paths are listed at most.

    Returns
    -------
    Paths
        A sequence of `Path`; on an acyclic graph each with its share of the gradient.

    Raises
    ------
    InvalidInput
        If contributor and topic are the same.
    UndefinedStrength
        If the graph has no strengths.

    Examples
    --------
    >>> q = Qbaf({"a": 0.5, "b": 0.5, "t": 0.5}, attacks=[("a", "b"), ("b", "t")])
    >>> print(paths(q, "a", "t", semantics="df-quad"))
    raises t by 0.250 per unit of base score: a —attacks→ b —attacks→ t
    """
    check_integer(limit, "limit", 1)
    asked = make_problem(qbaf, semantics, solver, max_steps)
    start, end = qbaf.index(contributor), qbaf.index(topic)
    if start == end:
        raise InvalidInput(f"{contributor!r} is both contributor and topic; a path needs two arguments")
    steps = _collect_steps(asked, start, end)
    gradient: float | None
    if asked.arrays.acyclic:
        found, total, added = _find_strongest(steps, start, end, limit)
        gradient = float(find_slopes(asked, (topic,))[0][0, start]) if steps.kinked else added
        counted_all, smooth = True, abs(added - gradient) <= SLOPE_TOLERANCE
    else:
        every = list(islice(_list_simple(steps, start, end), MAX_SIMPLE_PATHS))
        total, counted_all, gradient, smooth = len(every), len(every) < MAX_SIMPLE_PATHS, None, False
        found = sort_by_size(every, lambda nodes: abs(steps.share(nodes)))[:limit]
    made = tuple(_make_path(qbaf, steps, nodes, smooth) for nodes in found)
    return Paths(
        qbaf=qbaf,
        contributor=contributor,
        topic=topic,
        semantics=asked.semantics.name,
        found=made,
        left_out=total - len(made),
        counted_all=counted_all,
        gradient=gradient,
    )


@dataclass(frozen=True)
class _Steps:
    """Of all arguments on paths from the contributor to the topic: their children, and what is along every edge."""

    nodes: Integers  # in the order of evaluation
    children: dict[int, list[int]]
    slope: dict[tuple[int, int], float]  # (source, target) → ∂σ(target)/∂σ(source)
    relation: dict[tuple[int, int], str]
    by_base: float  # ∂ι/∂τ of the contributor
    kinked: bool  # whether some slope may not exist

    def share(self, nodes: Sequence[int]) -> float:
        """Compute the share of a path: ∂ι/∂τ of its first argument times the slopes along it."""
        return float(self.by_base * prod(self.slope[hop] for hop in pairwise(nodes)))


def _collect_steps(asked: Problem, start: int, end: int) -> _Steps:
    qbaf, arrays = asked.qbaf, asked.arrays
    strengths = asked.strengths()[0]
    sources, targets, weights = _find_edges_between(qbaf, start, end)
    nodes = np.unique(np.concatenate((sources, targets, [start])))
    places = np.sort(arrays.place[nodes])
    slope: dict[tuple[int, int], float] = {}
    by_base, kinked = 1.0, asked.semantics.numeric
    for group, some in _pick_groups(arrays, places):
        local = asked.equation.local(group, strengths, qbaf.base_array[some], None)
        ends = np.broadcast_to(some, group.parents.shape).ravel()
        hops = zip(group.parents.ravel().tolist(), ends.tolist(), strict=True)
        slope.update(zip(hops, (local.slopes * local.by_energy[1]).ravel().tolist(), strict=True))
        by_base = dict(zip(some.tolist(), local.by_base.tolist(), strict=True)).get(start, by_base)
        ties = asked.semantics.aggregation.kinked
        kinked |= not np.array_equal(*local.by_energy)
        kinked |= ties is not None and bool(ties(*gather_parents(group, strengths)).any())
    edges = list(zip(sources.tolist(), targets.tolist(), strict=True))
    relation = dict(zip(edges, np.where(np.signbit(weights), "attacks", "supports").tolist(), strict=True))
    children: dict[int, list[int]] = {}
    for source, target in edges:
        children.setdefault(source, []).append(target)
    return _Steps(arrays.order[places], children, slope, relation, by_base, kinked)


def _find_edges_between(qbaf: Qbaf, start: int, end: int) -> tuple[Ends, Ends, Floats]:
    """Find the edges on paths from one argument to another: sources, targets and weights."""
    above = qbaf.structure.ancestors([end])
    inner = np.flatnonzero(above[qbaf.targets] if above[start] else above[:0])  # its source is above, too
    sources, targets = qbaf.sources[inner], qbaf.targets[inner]
    # upwards in the reversed graph is downwards
    number = np.cumsum(above, dtype=np.int32) - np.int32(1)
    ends = number[targets], number[sources]
    reversed_graph = Structure(int(above.sum()), *ends, np.ones(len(inner)))
    reached = reversed_graph.ancestors([int(number[start])] if len(inner) else [])[ends[1]]
    return sources[reached], targets[reached], qbaf.weights[inner[reached]]


def _pick_groups(arrays: Arrays, places: Integers) -> Iterator[tuple[Group, Integers]]:
    """The groups with these places alone, numbered from 0, and the arguments there; parents are arguments too."""
    first = np.searchsorted(places, arrays.bounds[:, 0])
    last = np.searchsorted(places, arrays.bounds[:, 1])
    for number in np.flatnonzero(last > first).tolist():
        lo, hi, attackers, degree, start = arrays.bounds[number].tolist()
        some = places[first[number] : last[number]]
        block, shape, column = slice(start, start + degree * (hi - lo)), (degree, hi - lo), some - lo
        weights = None if arrays.weights is None else arrays.weights[block].reshape(shape)[:, column]
        parents = arrays.order[arrays.parents[block].reshape(shape)[:, column]]
        yield Group(0, len(some), attackers, parents, weights), arrays.order[some]


def _find_strongest(steps: _Steps, start: int, end: int, limit: int) -> tuple[list[tuple[int, ...]], int, float]:
    """Find the `limit` strongest paths of an acyclic graph, the number of all, and the gradient that they add up to.

    Best-first search: what a path has so far, times the best that can still come, never underestimates it.
    """
    best, counts, total = {end: 1.0}, {end: 1}, {end: 1.0}
    for node in steps.nodes[::-1].tolist():  # children before their parents
        ahead = [child for child in steps.children.get(node, []) if child in counts]
        if ahead:
            counts[node] = sum(counts[child] for child in ahead)
            best[node] = max(abs(steps.slope[node, child]) * best[child] for child in ahead)
            total[node] = sum(steps.slope[node, child] * total[child] for child in ahead)
    found: list[tuple[int, ...]] = []
    heap: list[tuple[float, tuple[int, ...], float]] = [(0.0, (start,), 1.0)] if start in counts else []
    while heap and len(found) < limit:
        _, nodes, so_far = heappop(heap)
        if nodes[-1] == end:
            found.append(nodes)
            continue
        for child in steps.children.get(nodes[-1], []):
            if child in counts:
                value = so_far * abs(steps.slope[nodes[-1], child])
                heappush(heap, (-value * best[child], (*nodes, child), value))
    return found, counts.get(start, 0), float(steps.by_base * total.get(start, 0.0))


def _list_simple(steps: _Steps, start: int, end: int) -> Iterator[tuple[int, ...]]:
    """List the simple paths of any graph."""
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        nodes = stack.pop()
        for child in steps.children.get(nodes[-1], []):
            if child == end:
                yield (*nodes, child)
            elif child not in nodes:
                stack.append((*nodes, child))


def _make_path(qbaf: Qbaf, steps: _Steps, nodes: tuple[int, ...], smooth: bool) -> Path:
    arguments = tuple(qbaf.arguments[node] for node in nodes)
    return Path(
        arguments=arguments,
        relations=tuple(steps.relation[hop] for hop in pairwise(nodes)),
        share=steps.share(nodes) if smooth else None,
        names=tuple(quote_label(qbaf, name) for name in arguments),
    )
