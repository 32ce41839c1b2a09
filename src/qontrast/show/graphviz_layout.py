"""Place the boxes of a layered graph, and lead its edges, by Graphviz's dot."""

from __future__ import annotations

from collections.abc import Sequence

from ..extras import require
from .layout import Curve, Pair, Point, Size


def place_by_graphviz(
    sizes: Sequence[Size], edges: Sequence[Pair], layer: Sequence[int], gap: float, rise: float
) -> tuple[list[Point], dict[Pair, Curve]]:
    """Give dot's centres and curves, with empty labels of fixed sizes; a pair of opposite edges is routed once."""
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
    tips: dict[str, Point] = {}
    inner: list[Point] = []
    for part in text.replace("\\\n", "").split(";")[0].split():
        if part[0] in "es":
            tips[part[0]] = _points(part[2:])[0]
        else:
            inner += _points(part)
    start = (tips["s"], tips["s"], inner[0]) if "s" in tips else ()
    end = (inner[-1], tips["e"], tips["e"]) if "e" in tips else ()
    return (*start, *inner, *end)
