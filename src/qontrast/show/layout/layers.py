"""Which layer each argument of a picture stands on.

The layer is the longest path to a sink of the condensation, so that edges point upwards, to the topics. All topics
stand on one layer. Arguments on a cycle share a layer; a cycle too large for one row is spread by the distance to
where its paths lead.

>>> layers(4, [(0, 1), (1, 3), (2, 3)], topics=[3])
[2, 1, 1, 0]
>>> layers(3, [(0, 1), (1, 0), (2, 0)], topics=[0, 1])
[0, 0, 1]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

Pair = tuple[int, int]
ROW = 6  # arguments of one cycle that fit on a row


def layers(size: int, edges: Sequence[Pair], topics: Iterable[int] = ()) -> list[int]:
    """The layer of every argument, 0 on top."""
    chosen = sorted(set(topics))
    one = list(range(size))  # topics are one argument, so that they end on one layer
    for topic in chosen:
        one[topic] = chosen[0]
    merged = sorted({(one[a], one[b]) for a, b in edges if one[a] != one[b]})
    component = _components(size, merged)
    members: dict[int, list[int]] = {}
    for node in range(size):
        if one[node] == node:
            members.setdefault(component[node], []).append(node)
    after: dict[int, list[int]] = {}
    inner: dict[int, list[Pair]] = {}
    for a, b in merged:
        if component[a] == component[b]:
            inner.setdefault(component[a], []).append((a, b))
        else:
            after.setdefault(component[a], []).append(b)
    layer = [0] * size
    for each in _sinks_first(members, after, component):
        floor = max((layer[b] + 1 for b in after.get(each, [])), default=0)
        ends = [node for node in members[each] if node in chosen]
        ends = ends or [a for a, b in merged if component[a] == each != component[b]] or members[each][:1]
        spread = len(members[each]) > ROW
        below = _distances(inner.get(each, []), ends) if spread else {}
        for node in members[each]:
            layer[node] = floor + below.get(node, 0)
    return [layer[one[node]] for node in range(size)]


def _components(size: int, edges: Sequence[Pair]) -> list[int]:
    """The strongly connected component of every argument."""
    from scipy.sparse import coo_array  # here: SciPy takes longer to import than NumPy
    from scipy.sparse.csgraph import connected_components

    ends = np.array(edges, np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    found: list[int] = connected_components(graph, connection="strong")[1].tolist()
    return found


def _sinks_first(members: dict[int, list[int]], after: dict[int, list[int]], component: list[int]) -> list[int]:
    """Components in an order in which those that an edge leads to come first."""
    waiting = {each: {component[b] for b in after.get(each, [])} for each in members}
    before: dict[int, list[int]] = {}
    for each, others in waiting.items():
        for other in others:
            before.setdefault(other, []).append(each)
    ready, order = [each for each, others in waiting.items() if not others], []
    while ready:
        each = ready.pop()
        order.append(each)
        for one in before.get(each, []):
            waiting[one].discard(each)
            if not waiting[one]:
                ready.append(one)
    return order


def _distances(edges: Sequence[Pair], ends: Iterable[int]) -> dict[int, int]:
    """How many steps it takes to reach one of the ends."""
    parents: dict[int, list[int]] = {}
    for a, b in edges:
        parents.setdefault(b, []).append(a)
    wave = list(dict.fromkeys(ends))
    found = dict.fromkeys(wave, 0)
    while wave:
        wave = [a for b in wave for a in parents.get(b, []) if found.setdefault(a, found[b] + 1) == found[b] + 1]
        wave = list(dict.fromkeys(wave))
    return found
