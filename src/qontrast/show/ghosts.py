"""Join an earlier version of a graph with the present one: a picture keeps its places and shows what is gone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..graph.qbaf import Qbaf
from ..types import Edge, Name


@dataclass(frozen=True)
class Joined:
    """A graph with all arguments and edges of both versions, in the present state where they are still there."""

    graph: Qbaf
    gone: frozenset[Name] = field(default_factory=frozenset)  # arguments
    gone_edges: frozenset[Edge] = field(default_factory=frozenset)
    new: frozenset[Name] = field(default_factory=frozenset)  # arguments
    new_edges: frozenset[Edge] = field(default_factory=frozenset)  # between arguments of the earlier version
    weighted: frozenset[Edge] = field(default_factory=frozenset)  # edges of the earlier version with a weight beside 1


def join(before: Qbaf | None, now: Qbaf) -> Joined:
    """Join two versions.

    >>> a = Qbaf({"a": 0.5, "b": 0.5, "t": 0.5}, attacks=[("a", "t")], supports=[("b", "t")])
    >>> both = join(a, a.without("a").with_base_scores({"b": 0.9}))
    >>> sorted(both.gone), sorted(both.gone_edges), both.graph.base_scores["b"]
    (['a'], [('a', 't')], 0.9)
    """
    if before is None or before is now:
        return Joined(now, weighted=_list_weighted(_list_edges(now)))
    earlier, present = _list_edges(before), _list_edges(now)
    names = [*before.arguments, *(name for name in now.arguments if name not in before)]
    number = {name: k for k, name in enumerate(names)}
    scores = {**before.base_scores, **now.base_scores}
    edges = {**earlier, **present}
    graph = Qbaf.from_arrays(
        [scores[name] for name in names],
        np.array([number[a] for a, _ in edges], np.int64),
        np.array([number[b] for _, b in edges], np.int64),
        np.array([*edges.values()], np.float64),
        names=[str(name) for name in names],
        labels={**before.labels, **now.labels},
        topics=now.topics,
        groups=now.groups,
    )
    edges_between = frozenset(edge for edge in present if edge not in earlier and all(end in before for end in edge))
    gone, new = (frozenset(a.arguments).difference(b.arguments) for a, b in ((before, now), (now, before)))
    return Joined(graph, gone, frozenset(earlier) - frozenset(present), new, edges_between, _list_weighted(earlier))


def _list_edges(graph: Qbaf) -> dict[Edge, float]:
    """Every edge with its weight, negative for an attack."""
    names = graph.arguments
    ends = zip(graph.sources.tolist(), graph.targets.tolist(), graph.weights.tolist(), strict=True)
    return {(names[a], names[b]): weight for a, b, weight in ends}


def _list_weighted(edges: dict[Edge, float]) -> frozenset[Edge]:
    return frozenset(edge for edge, weight in edges.items() if abs(weight) != 1)
