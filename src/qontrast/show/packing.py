"""Lay out a very large graph as a page full of small boxes: layers from top to bottom, each over several rows.

A layered layout of thousands of arguments is a strip that no window shows. Here the picture has the shape of its room,
and edges are straight lines behind the boxes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt

from .layout import Box, Curve, Layout, Pair, Size, average, find_layers

MIN_PACKED = 300  # arguments from which a page shows them like this
GAP, BETWEEN = 14.0, 60.0  # between boxes, between layers


def pack(
    sizes: Sequence[Size], pairs: Sequence[Pair], topics: Sequence[int], together: Sequence[int], room: Size
) -> Layout:
    """Place boxes in rows, layer by layer, each box near those that it acts on."""
    layer = find_layers(len(sizes), pairs, topics)
    members: dict[int, list[int]] = defaultdict(list)
    targets: dict[int, list[int]] = defaultdict(list)
    for k, at in enumerate(layer):
        members[at].append(k)
    for a, b in pairs:
        targets[a].append(b)
    wide, tall = (max(size[k] for size in sizes) + GAP for k in (0, 1))
    per_row = max(1, round(sqrt(len(sizes) * wide * tall * room[0] / room[1]) / wide))
    boxes = [Box(0.0, 0.0, 0.0, 0.0)] * len(sizes)
    y = 0.0
    for at in sorted(members):
        wish = {k: _find_wish(k, targets[k], boxes, layer) for k in members[at]}
        near = set(together) & wish.keys()
        order = sorted(members[at], key=lambda k: (k not in near, wish[k], k))
        rows = [order[k : k + per_row] for k in range(0, len(order), per_row)]
        for row in rows:
            for place, k in enumerate(sorted(row, key=lambda k: (wish[k], k not in near, k))):
                x = (place - (len(row) - 1) / 2 + per_row / 2) * wide
                boxes[k] = Box(x, y + tall / 2, *sizes[k])
            y += tall
        y += BETWEEN
    curves = {(a, b): _draw_line(boxes[a], boxes[b]) for a, b in pairs if a != b}
    return Layout(per_row * wide, y - BETWEEN, tuple(boxes), curves, tuple(layer), False)


def _find_wish(k: int, targets: Sequence[int], boxes: Sequence[Box], layer: Sequence[int]) -> float:
    """The middle of the boxes on higher layers that a box acts on."""
    above = [boxes[b].x for b in targets if layer[b] < layer[k]]
    return average(above) if above else 0.0


def _draw_line(source: Box, target: Box) -> Curve:
    """A straight line from the middle of a box to the border of another, from below or above it, or from the side."""
    dx, dy = target.x - source.x, target.y - source.y
    share = min(target.width / 2 / abs(dx) if dx else 1.0, target.height / 2 / abs(dy) if dy else 1.0, 1.0)
    end = target.x - share * dx, target.y - share * dy
    return (source.x, source.y), (source.x, source.y), end, end
