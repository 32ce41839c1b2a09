"""Where boxes stand and edges run: by a small layered layout of our own, or by Graphviz where it is asked for.

Both put each argument on its layer (see `layered`), topics on top, and give every edge as a chain of Bézier curves
from border to border. Edges within a layer do not constrain it, and are drawn by us in both cases: straight between
neighbours, else as an arc that passes over the boxes between. A wide graph is laid out sideways, topics on the left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...errors import unknown_name
from ...extras import require
from .layered import Box, Curve, Pair, Point, fan_out, find_layers, place_in_layers

DEFAULT_ENGINE = "own"
GAP, RISE = 26.0, 74.0  # between boxes of one layer, between layers
WRITTEN = 64.0  # between boxes of a layer where something is written at an edge between them
WIDEST = 3.2  # width ÷ height above which a graph is laid out sideways


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
    sizes: Sequence[tuple[float, float]],
    edges: Iterable[Pair],
    topics: Iterable[int] = (),
    *,
    engine: str | None = None,
    sideways: bool | None = None,
    rise: float = RISE,
    written: Iterable[Pair] = (),
) -> Layout:
    """A place for every box (width, height) and a curve for every edge (source, target) that is not a loop.

    `engine` is "own" or "graphviz"; ours if not given, so that a picture depends on its input alone.
    Edges that something is `written` at are given room for it.
    """
    engine = engine or DEFAULT_ENGINE
    if engine not in ENGINES:
        raise unknown_name(engine, ENGINES, "layout engine")
    pairs = tuple(sorted({(a, b) for a, b in edges if a != b}))
    return _laid_out(tuple(sizes), pairs, tuple(sorted(set(topics))), engine, sideways, rise, tuple(sorted(written)))


@lru_cache(64)  # half the time of a picture of 60 arguments, which a slider asks for again and again
def _laid_out(
    sizes: tuple[tuple[float, float], ...],
    pairs: tuple[Pair, ...],
    topics: tuple[int, ...],
    engine: str,
    sideways: bool | None,
    rise: float,
    written: tuple[Pair, ...],
) -> Layout:
    layer = find_layers(len(sizes), pairs, topics)
    if sideways is None:
        sideways = _wide(sizes, layer, rise)
    gap = WRITTEN if any(a != b and layer[a] == layer[b] for a, b in written) else GAP
    turned = [(h, w) for w, h in sizes] if sideways else list(sizes)
    centres, curves = ENGINES[engine](turned, pairs, layer, gap, rise)
    boxes = [Box(x, y, *size) for (x, y), size in zip(centres, turned, strict=True)]
    if sideways and engine != "own":  # a narrow side: edges that arrive on it are spread, not aimed at its middle
        curves |= fan_out(boxes, [(a, b) for a, b in pairs if abs(layer[a] - layer[b]) == 1])
    for a, b in pairs:
        if layer[a] == layer[b]:
            curves[a, b] = _within(boxes, layer, a, b, rise)
    return _framed(boxes, curves, layer, sideways)


def _wide(sizes: Sequence[tuple[float, float]], layer: Sequence[int], rise: float) -> bool:
    """Whether the graph is too wide for a page, and would be less so when turned."""

    def ratio(turn: bool) -> float:
        rows: dict[int, tuple[float, float]] = {}
        for (w, h), k in zip(sizes, layer, strict=True):
            along, across = (h, w) if turn else (w, h)
            total, thick = rows.get(k, (0.0, 0.0))
            rows[k] = (total + along + GAP, max(thick, across))
        length = max((total for total, _ in rows.values()), default=1.0)
        depth = sum(thick + rise for _, thick in rows.values()) or 1.0
        return depth / length if turn else length / depth

    upright = ratio(False)
    return upright > WIDEST and upright * ratio(True) > 1


# -- the two engines: (sizes, edges, layer, gap, rise) → centres, curves of the edges between layers


def _graphviz(
    sizes: Sequence[tuple[float, float]], edges: Sequence[Pair], layer: Sequence[int], gap: float, rise: float
) -> tuple[list[Point], dict[Pair, Curve]]:
    """dot's, with empty labels of fixed sizes; a pair of opposite edges is routed once."""
    pygraphviz = require("pygraphviz", "a layout by Graphviz")

    graph = pygraphviz.AGraph(
        directed=True, strict=False, rankdir="BT", splines="true", nodesep=gap / 72, ranksep=rise / 72
    )
    for node, (width, height) in enumerate(sizes):
        graph.add_node(node, label="", shape="box", fixedsize="true", width=width / 72, height=height / 72)
    for k in sorted(set(layer)):
        graph.add_subgraph([node for node in range(len(sizes)) if layer[node] == k], rank="same")
    there = set(edges)
    for a, b in edges:
        if (b, a) in there and (layer[b], b) > (layer[a], a):
            continue
        if layer[a] > layer[b]:
            graph.add_edge(a, b, minlen=layer[a] - layer[b])
        else:
            graph.add_edge(a, b, constraint="false")
    graph.layout(prog="dot")
    centres = [_points(graph.get_node(node).attr["pos"])[0] for node in range(len(sizes))]
    curves: dict[Pair, Curve] = {}
    for edge in graph.edges():
        a, b = int(edge[0]), int(edge[1])
        if layer[a] != layer[b]:
            curves[a, b] = _spline(edge.attr["pos"])
            if (b, a) in there:
                curves[b, a] = curves[a, b][::-1]
    return [(x, -y) for x, y in centres], {pair: tuple((x, -y) for x, y in each) for pair, each in curves.items()}


def _points(text: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in (each.split(",") for each in text.split())]


def _spline(text: str) -> Curve:
    """Graphviz's `e,x,y s,x,y x,y x,y …`: the curve, led on in a straight line to the tips of its arrowheads."""
    start, end, inner = None, None, []
    for part in text.replace("\\\n", "").split(";")[0].split():
        if part.startswith("e,"):
            end = _points(part[2:])[0]
        elif part.startswith("s,"):
            start = _points(part[2:])[0]
        else:
            inner += _points(part)
    curve = inner
    if start is not None:
        curve = [start, start, inner[0], *curve]
    if end is not None:
        curve = [*curve, inner[-1], end, end]
    return tuple(curve)


ENGINES = {"graphviz": _graphviz, "own": place_in_layers}


# -- curves of our own ------------------------------------------------------------------------------------------------


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


def _framed(boxes: Sequence[Box], curves: dict[Pair, Curve], layer: Sequence[int], sideways: bool) -> Layout:
    """The same, moved so that nothing is left of or above 0, and turned if it was asked for."""
    xs = [x for box in boxes for x in (box.x - box.width / 2, box.x + box.width / 2)]
    ys = [y for box in boxes for y in (box.y - box.height / 2, box.y + box.height / 2)]
    xs += [x for curve in curves.values() for x, _ in curve]
    ys += [y for curve in curves.values() for _, y in curve]
    left, top = min(xs, default=0.0), min(ys, default=0.0)
    width, height = max(xs, default=0.0) - left, max(ys, default=0.0) - top

    def moved(x: float, y: float) -> Point:
        return (y - top, x - left) if sideways else (x - left, y - top)

    placed = []
    for box in boxes:
        size = (box.height, box.width) if sideways else (box.width, box.height)
        placed.append(Box(*moved(box.x, box.y), *size))
    paths = {pair: tuple(moved(x, y) for x, y in curve) for pair, curve in curves.items()}
    width, height = (height, width) if sideways else (width, height)
    return Layout(width, height, tuple(placed), paths, tuple(layer), sideways)
