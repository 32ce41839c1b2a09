"""Graphs in which edges are arguments, so that they can leave one by one.

The line graph L(Q) has one argument for each edge (x → y), with the base score of x, which acts on every edge that
starts in y, and one for each topic. Keeping the arguments S of L(Q) gives the topic the strength that it has in Q with
the edges S alone, on cyclic graphs too: removal and Shapley values of edges are those of arguments there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..errors import Hint, TooLarge
from ..graph.qbaf import Qbaf
from ..types import Ends, Floats, Integers

MAX_LINE_EDGES = 20_000_000  # of a line graph: about a gigabyte


@dataclass(frozen=True, eq=False)
class DerivedGraph:
    """A graph whose arguments stand for arguments of another one: `origin` says for which."""

    origin: Integers
    graph: Qbaf  # its base scores are not used; names repeat, and are for messages alone


@dataclass(frozen=True, eq=False)
class LineGraph(DerivedGraph):
    """The line graph of the edges upstream of some topics: first the edges, then the topics."""

    edges: Integers  # their numbers in the graph

    @cached_property
    def column_of(self) -> Integers:
        """The number of each argument's edge; −1 for topics."""
        return np.concatenate((self.edges, np.full(len(self.origin) - len(self.edges), -1, np.intp)))


def make_line_graph(qbaf: Qbaf, topics: Sequence[int]) -> LineGraph:
    """Make L(Q): an argument for each edge with a path to a topic, and one for each topic."""
    edges = np.flatnonzero(qbaf.structure.ancestors(topics)[qbaf.targets])
    source, target, weight = qbaf.sources[edges], qbaf.targets[edges], qbaf.weights[edges]
    by_source = np.argsort(source, kind="stable")
    first = np.searchsorted(source[by_source], np.arange(len(qbaf) + 1))
    count = np.diff(first)[target]  # edges that start where this one ends
    if count.sum() > MAX_LINE_EDGES:
        raise TooLarge(
            f"the edges act on each other in {int(count.sum()):,} pairs (limit {MAX_LINE_EDGES:,})",
            hints=[Hint("method", ("gradient",)), Hint("players", ("arguments",))],
        )
    acting = np.repeat(np.arange(len(edges)), count)
    within = np.arange(len(acting)) - np.repeat(np.cumsum(count) - count, count)
    acted_on = by_source[np.repeat(first[target], count) + within]
    into = [np.flatnonzero(target == topic) for topic in topics]
    sources = np.concatenate([acting, *into])
    targets = np.concatenate([acted_on, *(np.full(len(own), len(edges) + k) for k, own in enumerate(into))])
    origin = np.concatenate((source, topics)).astype(np.intp)
    return LineGraph(origin, _make_graph(qbaf, origin, sources, targets, weight[sources]), edges)


def make_star(qbaf: Qbaf, topic: int, edges: Integers) -> DerivedGraph:
    """A topic, the last, with a parent for each of these edges, which has no parents itself."""
    origin = np.append(qbaf.sources[edges], topic).astype(np.intp)
    own = np.arange(len(edges))
    return DerivedGraph(origin, _make_graph(qbaf, origin, own, np.full(len(edges), len(edges)), qbaf.weights[edges]))


def copy_parents(qbaf: Qbaf, topic: int, edges: Integers) -> DerivedGraph:
    """The graph with a copy of the source of each edge into the topic; the topic receives from the copies alone."""
    n, kept = len(qbaf), qbaf.targets != topic
    sources, targets, weights = [qbaf.sources[kept]], [qbaf.targets[kept]], [qbaf.weights[kept]]
    copies = n + np.arange(len(edges))
    into_topic = (copies, qbaf.weights[edges])
    for copy, parent in zip([topic, *copies.tolist()], [topic, *qbaf.sources[edges].tolist()], strict=True):
        into = np.flatnonzero(qbaf.targets == parent)
        source, weight = into_topic if parent == topic else (qbaf.sources[into], qbaf.weights[into])
        sources.append(source.astype(np.int32))
        targets.append(np.full(len(source), copy, np.int32))
        weights.append(weight)
    origin = np.concatenate((np.arange(n), qbaf.sources[edges])).astype(np.intp)
    ends = np.concatenate(sources), np.concatenate(targets), np.concatenate(weights)
    return DerivedGraph(origin, _make_graph(qbaf, origin, *ends))


def _make_graph(qbaf: Qbaf, origin: Integers, sources: Any, targets: Any, weights: Floats) -> Qbaf:
    ends: tuple[Ends, Ends] = (np.asarray(sources, np.int32), np.asarray(targets, np.int32))
    return qbaf._with(
        arguments=tuple(qbaf.arguments[i] for i in origin.tolist()),
        base_array=qbaf.base_array[origin],
        sources=ends[0],
        targets=ends[1],
        weights=np.asarray(weights, np.float64),
        labels=MappingProxyType({}),
        topics=(),
        groups=MappingProxyType({}),
        uncertain=MappingProxyType({}),
    )


def derive(problem: Problem, derived: DerivedGraph, base: Floats | None = None) -> Problem:
    """The same problem on a derived graph, with the base scores of now."""
    base = problem.qbaf.base_array[derived.origin] if base is None else base
    made = derived.graph._with(base_array=base)
    return replace(problem, qbaf=made)
