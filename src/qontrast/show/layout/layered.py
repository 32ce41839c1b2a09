"""A small layered layout of our own: no dependency, and the same result each time.

The layer of an argument is the longest path to a sink of the condensation, so that edges point upwards, to the topics.
All topics stand on one layer. Arguments on a cycle share a layer; a cycle too large for one row is spread by the
distance to where its paths lead. An edge over several layers passes through a place of its own on each of them, so that
it goes around the boxes there. Boxes are ordered by the barycentre of their neighbours, and then drawn towards them as
far as the gaps allow.

>>> find_layers(4, [(0, 1), (1, 3), (2, 3)], topics=[3])
[2, 1, 1, 0]
>>> find_layers(3, [(0, 1), (1, 0), (2, 0)], topics=[0, 1])
[0, 0, 1]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

Pair = tuple[int, int]  # source, target
Point = tuple[float, float]
Curve = tuple[Point, ...]  # 1 + 3 k points: a start, then two handles and an end for each piece
Size = tuple[float, float]
SWEEPS = 24  # over the rows, to order boxes and to move them
MAX_CYCLE_IN_ROW = 6  # arguments of one cycle that stand on one row


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float


def find_layers(size: int, edges: Sequence[Pair], topics: Iterable[int] = ()) -> list[int]:
    """Find the layer of every argument, 0 on top."""
    ordered = sorted(set(topics))
    one = list(range(size))  # topics are one argument, so that they end on one layer
    for topic in ordered:
        one[topic] = ordered[0]
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
        ends = [node for node in members[each] if node in ordered]
        ends = ends or [a for a, b in merged if component[a] == each != component[b]] or members[each][:1]
        spread = len(members[each]) > MAX_CYCLE_IN_ROW
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


def place_in_layers(
    sizes: Sequence[Size], edges: Sequence[Pair], layer: Sequence[int], gap: float, rise: float
) -> tuple[list[Point], dict[Pair, Curve]]:
    """Give the centres of the boxes, and curves of the edges between layers."""
    chains, level, room = _chains(sizes, edges, layer)
    rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for node, k in enumerate(level):
        rows[k].append(node)
    steps = sorted({step for chain in chains.values() for step in pairwise(chain)})
    x = _places(rows, [*steps, *((a, b) for a, b in edges if layer[a] == layer[b])], room, gap)
    y, boxes = 0.0, [Box(0.0, 0.0, 0.0, 0.0)] * len(room)
    for row in rows:
        thick = max(room[node][1] for node in row)
        for node in row:
            own = room[node] if node < len(sizes) else (0.0, thick)
            boxes[node] = Box(x[node], y + thick / 2, *own)
        y += thick + rise
    pieces = fan_out(boxes, steps)
    curves: dict[Pair, Curve] = {}
    for pair, chain in chains.items():
        curve: Curve = ()
        for step in pairwise(chain):
            piece = pieces[step]
            curve = piece if not curve else (*curve, curve[-1], piece[0], *piece)  # straight on, past the boxes
        curves[pair] = curve
    for a, b in edges:
        if layer[a] != layer[b] and (a, b) not in curves:
            curves[a, b] = curves[b, a][::-1]
    return [(box.x, box.y) for box in boxes[: len(sizes)]], curves


def _chains(
    sizes: Sequence[Size], edges: Sequence[Pair], layer: Sequence[int]
) -> tuple[dict[Pair, list[int]], list[int], list[Size]]:
    """Each edge as a chain of neighbours, with a new place for every layer that it passes; opposite edges share one."""
    chains: dict[Pair, list[int]] = {}
    level, room = list(layer), list(sizes)
    for a, b in edges:
        if layer[a] == layer[b] or (b, a) in chains:
            continue
        way = 1 if layer[b] > layer[a] else -1
        between = list(range(layer[a] + way, layer[b], way))
        chains[a, b] = [a, *range(len(level), len(level) + len(between)), b]
        level += between
        room += [(0.0, 0.0)] * len(between)
    return chains, level, room


def _places(rows: Sequence[list[int]], edges: Sequence[Pair], room: Sequence[Size], gap: float) -> list[float]:
    """Where each box stands along its row."""
    near: list[list[int]] = [[] for _ in room]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    x = [0.0] * len(room)
    for row in rows:
        _spread(row, [float(k) for k in range(len(row))], room, x, gap)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            wish = {n: sum(x[m] for m in near[n]) / len(near[n]) if near[n] else x[n] for n in row}
            if sweep < SWEEPS - 6:  # the last sweeps only move boxes, and leave their order alone
                row.sort(key=lambda n: (wish[n], n))
            _spread(row, [wish[n] for n in row], room, x, gap)
    return x


def _spread(row: Sequence[int], wish: Sequence[float], sizes: Sequence[Size], x: list[float], gap: float) -> None:
    """Boxes of a row as near to where they wish to be as their order and the gaps allow (pool adjacent violators)."""
    offsets, at = [], 0.0
    for k, node in enumerate(row):
        at += (sizes[row[k - 1]][0] + sizes[node][0]) / 2 + gap if k else 0.0
        offsets.append(at)
    blocks: list[tuple[float, int]] = []  # (mean of wish − offset, how many)
    for want, offset in zip(wish, offsets, strict=True):
        blocks.append((want - offset, 1))
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (b, m), (a, n) = blocks.pop(), blocks.pop()
            blocks.append(((a * n + b * m) / (n + m), n + m))
    shifts = [mean for mean, count in blocks for _ in range(count)]
    for node, offset, shift in zip(row, offsets, shifts, strict=True):
        x[node] = offset + shift


def fan_out(boxes: Sequence[Box], edges: Sequence[Pair]) -> dict[Pair, Curve]:
    """Curves from border to border, leaving and arriving upright, their ends spread in the order of where they go."""
    there = set(edges)
    once = [(a, b) for a, b in edges if (b, a) not in there or a < b]
    ends: dict[tuple[int, bool], list[tuple[float, int]]] = {}  # (box, whether its upper side) → (where to, who)
    for a, b in once:
        for here, far in ((a, b), (b, a)):
            ends.setdefault((here, boxes[far].y < boxes[here].y), []).append((boxes[far].x, far))
    port: dict[tuple[int, int], Point] = {}
    for (here, upper), others in ends.items():
        box, step = boxes[here], 0.64 * boxes[here].width / max(3, len(others))
        for k, (_, far) in enumerate(sorted(others)):
            shift = (k - (len(others) - 1) / 2) * step
            port[here, far] = (box.x + shift, box.y - box.height / 2 if upper else box.y + box.height / 2)
    curves: dict[Pair, Curve] = {}
    for a, b in once:
        start, end = port[a, b], port[b, a]
        bend = (end[1] - start[1]) * 0.42
        curves[a, b] = (start, (start[0], start[1] + bend), (end[0], end[1] - bend), end)
        if (b, a) in there:
            curves[b, a] = curves[a, b][::-1]
    return curves
