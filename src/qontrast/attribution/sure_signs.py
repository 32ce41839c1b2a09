"""Signs of edges that hold whatever the base scores.

If every path from y to the topic has an even number of attacks, or every one an odd number, then on an acyclic graph
and under a monotone semantics the removal, the slope and the Shapley value of each edge into y have a known sign, or
are 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..engine.problem import Problem
from ..graph.qbaf import Qbaf
from ..semantics import SEMANTICS
from ..types import Bools, Edge, Integers, Name


def find_sure_signs(problem: Problem, topics: Sequence[Name]) -> dict[Edge, int]:
    """Edge → the sign of its contribution to σ(t), or to the gap of two topics, whatever the base scores.

    1 and −1 mean at least 0 and at most 0; 0 means that the edge has no path to a topic. Edges whose sign depends on
    the base scores are left out; so are all edges where a cycle leads to a topic, and under semantics of your own.
    """
    qbaf = problem.qbaf
    places = [qbaf.index(topic) for topic in topics]
    upstream = qbaf.structure.ancestors(places)
    if SEMANTICS.get(problem.semantics.name) is not problem.semantics:
        return {}
    if not (problem.arrays.acyclic or qbaf._keep(upstream).structure.arrays.acyclic):
        return {}
    signs = [_find_signs(qbaf, place) for place in places]
    found: dict[Edge, int] = {}
    for edge, (source, target) in enumerate(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True)):
        rising, falling = signs[0][0][edge], signs[0][1][edge]
        if len(signs) == 2:
            rising, falling = rising | signs[1][1][edge], falling | signs[1][0][edge]
        if not (rising and falling):
            found[qbaf.arguments[source], qbaf.arguments[target]] = int(rising) - int(falling)
    return found


def _find_signs(qbaf: Qbaf, topic: int) -> tuple[Bools, Bools]:
    """For each edge, whether it has a path to the topic with an even, and with an odd number of attacks."""
    order = np.argsort(qbaf.targets, kind="stable")
    first = np.searchsorted(qbaf.targets[order], np.arange(len(qbaf) + 1)).tolist()
    edges, sources = order.tolist(), qbaf.sources.tolist()
    attack: list[bool] = np.signbit(qbaf.weights).tolist()
    reached = np.zeros((2, len(qbaf)), bool)  # by an even number, by an odd number
    reached[0, topic] = True
    stack = [(topic, False)]
    while stack:
        target, odd = stack.pop()
        for edge in edges[first[target] : first[target + 1]]:
            state = (sources[edge], odd != attack[edge])
            if not reached[int(state[1]), state[0]]:
                reached[int(state[1]), state[0]] = True
                stack.append(state)
    into: Integers = qbaf.targets.astype(np.intp)
    attacks = np.signbit(qbaf.weights)
    even, odd_ = reached[0, into], reached[1, into]
    return np.where(attacks, odd_, even), np.where(attacks, even, odd_)
