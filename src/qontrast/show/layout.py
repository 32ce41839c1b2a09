"""Where boxes stand and edges run: by a small layered layout of our own, or by Graphviz where it is asked for.

Both put each argument on its layer, topics on top, and give every edge as a chain of Bézier curves from border to
border. Edges within a layer do not constrain it, and are drawn by us in both cases: straight between neighbours, else
as an arc that passes over the boxes between. A wide graph is laid out sideways, topics on the left.

The layer of an argument is the longest path to a sink of the condensation, so that edges point upwards, to the topics.
All topics stand on one layer. Arguments on a cycle share a layer; a cycle too large for one row is spread by the
distance to where its paths lead. In our own layout an edge over several layers passes through a place of its own on
each of them, so that it goes around the boxes there. Boxes are ordered by the barycentre of their neighbours, and then
drawn towards them as far as the gaps allow.

>>> find_layers(4, [(0, 1), (1, 3), (2, 3)], topics=[3])
[2, 1, 1, 0]
>>> find_layers(3, [(0, 1), (1, 0), (2, 0)], topics=[0, 1])
[0, 0, 1]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from graphlib import TopologicalSorter
from itertools import pairwise

import numpy as np

from ..errors import unknown_name
from ..graph.levels import find_components

Pair = tuple[int, int]  # source, target
Point = tuple[float, float]
Curve = tuple[Point, ...]  # 1 + 3 k points: a start, then two handles and an end for each piece
Size = tuple[float, float]
DEFAULT_ENGINE = "own"
GAP, RISE = 26.0, 74.0  # between boxes of one layer, between layers
GROUPED = 46.0  # between boxes of a layer that stand one above the other, where groups have their names between them
WRITTEN = 64.0  # between boxes of a layer where something is written at an edge between them
WIDEST = 3.2  # width ÷ height above which a graph is laid out sideways
SWEEPS = 24  # over the rows, to order boxes and to move them
MAX_CYCLE_IN_ROW = 6  # arguments of one cycle that stand on one row


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """Boxes in the order of the sizes given, a curve for each edge, all within 0 … width and 0 … height."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: dict[Pair, Curve]
    layers: tuple[int, ...]
    sideways: bool


def layout(
    sizes: Sequence[Size],
    edges: Iterable[Pair],
    topics: Iterable[int] = (),
    *,
    engine: str | None = None,
    sideways: bool | None = None,
    rise: float = RISE,
    written: Iterable[Pair] = (),
    group_of: Sequence[int] = (),
    together: Iterable[int] = (),
) -> Layout:
    """A place for every box (width, height) and a curve for every edge (source, target) that is not a loop.

    `engine` is "own" or "graphviz"; ours if not given, so that a picture depends on its input alone.
    Edges that something is `written` at are given room for it. Boxes of one group (`group_of` gives its number, −1
    where there is none) stand side by side on each layer of our own layout, and so do the boxes that belong `together`.
    """
    engine = engine or DEFAULT_ENGINE
    if engine not in ENGINES:
        raise unknown_name(engine, ENGINES, "layout engine")
    pairs = tuple(sorted({(a, b) for a, b in edges if a != b}))
    joined = tuple(group_of) if any(k >= 0 for k in group_of) else (-1,) * len(sizes)
    ends = tuple(sorted(set(topics)))
    near = tuple(sorted(set(together)))
    return _make_layout(tuple(sizes), pairs, ends, engine, sideways, rise, tuple(sorted(written)), joined, near)


@lru_cache(64)  # half the time of a picture of 60 arguments, which a slider asks for again and again
def _make_layout(
    sizes: tuple[Size, ...],
    pairs: tuple[Pair, ...],
    topics: tuple[int, ...],
    engine: str,
    sideways: bool | None,
    rise: float,
    written: tuple[Pair, ...],
    group_of: tuple[int, ...],
    together: tuple[int, ...],
) -> Layout:
    layer = find_layers(len(sizes), pairs, topics)
    if sideways is None:
        sideways = _is_wide(sizes, layer, rise)
    gap = WRITTEN if any(a != b and layer[a] == layer[b] for a, b in written) else GAP
    if sideways and any(k >= 0 for k in group_of):
        gap = max(gap, GROUPED)
    turned = [(h, w) for w, h in sizes] if sideways else list(sizes)
    centres, curves = ENGINES[engine](turned, pairs, layer, gap, rise, group_of, together)
    boxes = [Box(x, y, *size) for (x, y), size in zip(centres, turned, strict=True)]
    if sideways and engine != "own":  # a narrow side: edges that arrive on it are spread, not aimed at its middle
        curves |= fan_out(boxes, [(a, b) for a, b in pairs if abs(layer[a] - layer[b]) == 1])
    for a, b in pairs:
        if layer[a] == layer[b]:
            curves[a, b] = _within(boxes, layer, a, b, rise)
    return _frame(boxes, curves, layer, sideways)


def _is_wide(sizes: Sequence[Size], layer: Sequence[int], rise: float) -> bool:
    """Whether the graph is too wide for a page, and would be less so when turned."""

    def ratio(turn: bool) -> float:
        rows: dict[int, Size] = {}
        for (w, h), k in zip(sizes, layer, strict=True):
            along, across = (h, w) if turn else (w, h)
            total, thick = rows.get(k, (0.0, 0.0))
            rows[k] = (total + along + GAP, max(thick, across))
        length = max((total for total, _ in rows.values()), default=1.0)
        depth = sum(thick + rise for _, thick in rows.values()) or 1.0
        return depth / length if turn else length / depth

    upright = ratio(False)
    return upright > WIDEST and upright * ratio(True) > 1


def find_layers(size: int, edges: Sequence[Pair], topics: Iterable[int] = ()) -> list[int]:
    """Find the layer of every argument, 0 on top."""
    ordered = sorted(set(topics))
    one = list(range(size))  # topics are one argument, so that they end on one layer
    for topic in ordered:
        one[topic] = ordered[0]
    merged = sorted({(one[a], one[b]) for a, b in edges if one[a] != one[b]})
    arrows = np.array(merged, np.int32).reshape(-1, 2)
    component = find_components(size, arrows[:, 0], arrows[:, 1]).tolist()
    members: dict[int, list[int]] = defaultdict(list)
    inner: dict[int, list[Pair]] = defaultdict(list)  # edges within a component
    after: dict[int, list[Pair]] = defaultdict(list)  # edges that leave it
    for node in sorted(set(one)):
        members[component[node]].append(node)
    for a, b in merged:
        (inner if component[a] == component[b] else after)[component[a]].append((a, b))
    layer = [0] * size
    for each in TopologicalSorter({k: {component[b] for _, b in after[k]} for k in members}).static_order():
        floor = max((layer[b] + 1 for _, b in after[each]), default=0)
        depth: dict[int, int] = {}
        if len(members[each]) > MAX_CYCLE_IN_ROW:
            ends = [node for node in members[each] if node in ordered]
            ends = ends or [a for a, _ in after[each]] or members[each][:1]
            for node, ahead in find_paths(inner[each], ends).items():
                depth[node] = depth.get(ahead, -1) + 1
        for node in members[each]:
            layer[node] = floor + depth.get(node, 0)
    return [layer[one[node]] for node in range(size)]


def find_paths(edges: Iterable[Pair], ends: Iterable[int]) -> dict[int, int]:
    """Find shortest paths to one of the ends: argument → the next one on its path (an end → −1), the nearest first."""
    parents: dict[int, list[int]] = defaultdict(list)
    for a, b in edges:
        parents[b].append(a)
    ahead = dict.fromkeys(ends, -1)
    queue = list(ahead)
    for node in queue:  # grows while it is walked: breadth first
        new = [parent for parent in parents[node] if parent not in ahead]
        ahead |= dict.fromkeys(new, node)
        queue += new
    return ahead


def place_in_layers(
    sizes: Sequence[Size],
    edges: Sequence[Pair],
    layer: Sequence[int],
    gap: float,
    rise: float,
    group_of: Sequence[int] = (),
    together: Sequence[int] = (),
) -> tuple[list[Point], dict[Pair, Curve]]:
    """Give the centres of the boxes, and curves of the edges between layers."""
    chains, level, room = _chains(sizes, edges, layer)
    rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for node, k in enumerate(level):
        rows[k].append(node)
    steps = sorted({step for chain in chains.values() for step in pairwise(chain)})
    joined = [*(group_of or [-1] * len(sizes)), *[-1] * (len(room) - len(sizes))]
    x = _places(rows, [*steps, *((a, b) for a, b in edges if layer[a] == layer[b])], room, gap, joined, together)
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
        step = 1 if layer[b] > layer[a] else -1
        between = list(range(layer[a] + step, layer[b], step))
        chains[a, b] = [a, *range(len(level), len(level) + len(between)), b]
        level += between
        room += [(0.0, 0.0)] * len(between)
    return chains, level, room


def _places(
    rows: Sequence[list[int]],
    edges: Sequence[Pair],
    room: Sequence[Size],
    gap: float,
    group_of: Sequence[int],
    together: Sequence[int] = (),
) -> list[float]:
    """Where each box stands along its row; boxes of one group, and those that belong together, stand side by side."""
    near: list[list[int]] = [[] for _ in room]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    x = [0.0] * len(room)
    for row in rows:
        _spread(row, [float(k) for k in range(len(row))], room, x, gap)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            wish = {n: average([x[m] for m in near[n]] or [x[n]]) for n in row}
            if joint := [n for n in together if n in wish]:
                wish |= dict.fromkeys(joint, average([wish[n] for n in joint]))
            if sweep < SWEEPS - 6:  # the last sweeps only move boxes, and leave their order alone
                row[:] = _order_row(row, wish, group_of)
            _spread(row, [wish[n] for n in row], room, x, gap)
    return [round(each, 6) for each in x]


def average(places: Sequence[float]) -> float:
    """Average places to a millionth of a pixel: last bits, which differ between versions of Python, order no boxes."""
    return round(sum(places) / len(places), 6)


def _order_row(row: Sequence[int], wish: Mapping[int, float], group_of: Sequence[int]) -> list[int]:
    """Sort a row by where each box, or on average its group, wishes to be."""
    members: dict[int, list[float]] = defaultdict(list)
    for n in row:
        members[group_of[n]].append(wish[n])
    mean = {group: average(own) for group, own in members.items()}
    return sorted(row, key=lambda n: (wish[n] if group_of[n] < 0 else mean[group_of[n]], group_of[n], wish[n], n))


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


def _within(boxes: Sequence[Box], layer: Sequence[int], a: int, b: int, rise: float) -> Curve:
    """Straight between neighbours; over the boxes between, where there are any."""
    source, target = boxes[a], boxes[b]
    left, right = sorted((source.x, target.x))
    between = [box for box, k in zip(boxes, layer, strict=True) if k == layer[a] and left < box.x < right]
    side = 1.0 if target.x > source.x else -1.0
    if not between:
        start, end = (source.x + side * source.width / 2, source.y), (target.x - side * target.width / 2, target.y)
        third = (end[0] - start[0]) / 3
        return start, (start[0] + third, start[1]), (end[0] - third, end[1]), end
    tops = [box.y - box.height / 2 for box in (*between, source, target)]
    lift = min(rise * 0.72, 26.0 + 7.0 * len(between))
    high = min(tops) - lift / 0.75  # a cubic curve reaches three quarters of the way to its handles
    start = (source.x + side * source.width * 0.25, source.y - source.height / 2)
    end = (target.x - side * target.width * 0.25, target.y - target.height / 2)
    lean = (end[0] - start[0]) * 0.12
    return start, (start[0] + lean, high), (end[0] - lean, high), end


def _frame(boxes: Sequence[Box], curves: dict[Pair, Curve], layer: Sequence[int], sideways: bool) -> Layout:
    """The same, moved so that nothing is left of or above 0, and turned if it was asked for."""
    points = [(box.x + k * box.width / 2, box.y + k * box.height / 2) for box in boxes for k in (-1, 1)]
    points += [point for curve in curves.values() for point in curve]
    xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
    left, top, width, height = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def turned(width: float, height: float) -> Size:
        return (height, width) if sideways else (width, height)

    def moved(x: float, y: float) -> Point:
        return turned(x - left, y - top)

    placed = tuple(Box(*moved(box.x, box.y), *turned(box.width, box.height)) for box in boxes)
    paths = {pair: tuple(moved(x, y) for x, y in curve) for pair, curve in curves.items()}
    return Layout(*turned(width, height), placed, paths, tuple(layer), sideways)


def _graphviz(
    sizes: Sequence[Size], edges: Sequence[Pair], layer: Sequence[int], gap: float, rise: float, *_: Sequence[int]
) -> tuple[list[Point], dict[Pair, Curve]]:
    from .graphviz_layout import place_by_graphviz

    return place_by_graphviz(sizes, edges, layer, gap, rise)


# (sizes, edges, layer, gap, rise, group_of, together) → centres, curves of the edges between layers
ENGINES: dict[str, Callable[..., tuple[list[Point], dict[Pair, Curve]]]] = {
    "graphviz": _graphviz,
    "own": place_in_layers,
}
