"""From a violation to the smallest graph that still shows it: drop, then simplify, as long as it still does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from ..graph.qbaf import Qbaf
from ..types import Edge, Name
from .outcome import Witness, size

NOTHING: Mapping[Name, float] = MappingProxyType({})
NICE = (0.5, 0.0, 1.0, 0.25, 0.75)


def shrink(witness: Witness, again: Callable[[Qbaf], Witness | None], keep: Collection[Name]) -> Witness:
    """The smallest witness found by steps that each leave less to look at; arguments in `keep` stay.

    `again` is the witness that a graph gives, or None if it does not violate the property any more.
    """
    changed = True
    while changed:
        changed = False
        for step in _steps(witness.graph, keep):
            smaller = step(witness.graph)
            if smaller is not None and size(smaller) < size(witness.graph):
                found = again(smaller)
                if found is not None:
                    witness, changed = found, True
    return witness


Step = Callable[[Qbaf], Qbaf | None]  # None where there is nothing to do any more


def _steps(graph: Qbaf, keep: Collection[Name]) -> Iterator[Step]:
    """Arguments go first, then edges, then all that is not plain at once, then one at a time."""
    edges = [*graph.attacks, *graph.supports]
    yield from (partial(_dropped, name=name) for name in graph.arguments if name not in keep)
    yield from (partial(_made, gone=edge) for edge in edges)
    yield lambda q: _made(q, scores=dict.fromkeys(q.arguments, 0.5), plain=[*q.attacks, *q.supports])
    yield lambda q: _made(q, plain=[*q.attacks, *q.supports])
    yield from (partial(_made, plain=[edge]) for edge in edges)
    for name, score in graph.base_scores.items():
        for nicer in (*NICE, round(score, 1), round(score, 2)):
            yield partial(_made, scores={name: nicer})


def _dropped(graph: Qbaf, name: Name) -> Qbaf | None:
    return graph.without(name) if name in graph else None


def _made(
    graph: Qbaf, gone: Edge | None = None, scores: Mapping[Name, float] = NOTHING, plain: Collection[Edge] = ()
) -> Qbaf | None:
    """The graph without an edge, with other base scores, with the weight 1 on some edges."""
    if not scores.keys() <= graph.base_scores.keys():
        return None
    relations = (
        {edge: 1.0 if edge in plain else weight for edge, weight in relation.items() if edge != gone}
        for relation in (graph.attacks, graph.supports)
    )
    base = {str(name): score for name, score in {**graph.base_scores, **scores}.items()}
    return Qbaf(base, *relations)
