"""Change a layout that is made: stubs stand at the near side of their layer, and new boxes and edges move nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import hypot

import numpy as np

from .curves import sample_curve
from .layout import Box, Curve, Layout, Pair, Point, Size

APART = 10.0  # between a new box and the others
NEIGHBOURS = 12  # boxes beside which a place is looked for
SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))
BEND = 0.42  # of the way, where a curve bends


def pull_stubs(made: Layout, stubs: Mapping[int, int]) -> Layout:
    """Move each stub (stub → target) to that side of its layer where its target is, so that its line crosses no box."""
    boxes, curves = list(made.boxes), dict(made.curves)
    for stub, target in stubs.items():
        box, end = boxes[stub], curves[stub, target][-1]
        row = [each for each, layer in zip(made.boxes, made.layers, strict=True) if layer == made.layers[stub]]
        if made.sideways:
            near = min(each.x - each.width / 2 for each in row)
            boxes[stub] = replace(box, x=near + box.width / 2)
            bend = BEND * (near - end[0])
            curves[stub, target] = (near, box.y), (near - bend, box.y), (end[0] + bend, end[1]), end
        else:
            near = min(each.y - each.height / 2 for each in row)
            boxes[stub] = replace(box, y=near + box.height / 2)
            bend = BEND * (near - end[1])
            curves[stub, target] = (box.x, near), (box.x, near - bend), (end[0], end[1] + bend), end
    return replace(made, boxes=tuple(boxes), curves=curves)


def add_boxes(made: Layout, sizes: Sequence[Size], wishes: Sequence[Point]) -> Layout:
    """Add boxes at the end, each as near to where it is wished as the others and the picture allow."""
    boxes, width, height = list(made.boxes), made.width, made.height
    for size, wish in zip(sizes, wishes, strict=True):
        box = _find_place(boxes, size, wish, (made.width, made.height))
        boxes.append(box)
        width, height = max(width, box.x + box.width / 2), max(height, box.y + box.height / 2)
    layers = (*made.layers, *[-1] * len(sizes))
    return replace(made, width=width, height=height, boxes=tuple(boxes), layers=layers)


def _find_place(boxes: Sequence[Box], size: Size, wish: Point, room: Size) -> Box:
    """The place nearest to a wish that hides no box; inside the room, or where that is full, right of it or below."""
    low = size[0] / 2, size[1] / 2
    x, y = (max(least, min(most - least, want)) for least, most, want in zip(low, room, wish, strict=True))
    near = sorted(boxes, key=lambda box: hypot(box.x - x, box.y - y))[:NEIGHBOURS]
    beside = [(box.x + k * ((box.width + size[0]) / 2 + APART), box.y) for box in near for k in (-1, 1)]
    above = [(box.x, box.y + k * ((box.height + size[1]) / 2 + APART)) for box in near for k in (-1, 1)]
    ways = product([x, *(each for each, _ in beside)], [y, *(each for _, each in above)])
    places = np.array([(a, b) for a, b in ways if a >= low[0] and b >= low[1]])
    outside = (places[:, 0] > room[0] - low[0] + 1e-9) | (places[:, 1] > room[1] - low[1] + 1e-9)
    centres = np.array([(box.x, box.y) for box in boxes]).reshape(-1, 2)
    gaps = np.array([(box.width + size[0], box.height + size[1]) for box in boxes]).reshape(-1, 2) / 2 + APART - 1e-6
    hidden = (np.abs(places[:, None] - centres) < gaps).all(axis=2).any(axis=1)
    order = np.lexsort((np.hypot(*(places - (x, y)).T), outside, hidden))
    if hidden[order[0]]:  # full all around: below everything
        return Box(x, max(room[1], *(box.y + box.height / 2 for box in boxes)) + APART + low[1], *size)
    best = places[order[0]]
    return Box(float(best[0]), float(best[1]), *size)


def add_curves(made: Layout, pairs: Iterable[Pair]) -> Layout:
    """Lead edges between boxes that stay where they are."""
    curves = dict(made.curves)
    for a, b in sorted(pairs):
        if a != b:
            curves[a, b] = curves[b, a][::-1] if (b, a) in curves else _lead(made, a, b)
    return replace(made, curves=curves)


def _lead(made: Layout, a: int, b: int) -> Curve:
    """The shortest curve between two boxes that passes behind the fewest others, and does not leave the picture."""
    source, target = made.boxes[a], made.boxes[b]
    ways = [_join(source, target, one, other) for one, other in product(SIDES, SIDES)]
    return min(ways, key=lambda curve: _count_faults(curve, made))


def _join(source: Box, target: Box, one: Point, other: Point) -> Curve:
    start, end = _find_port(source, one), _find_port(target, other)
    far = max(18.0, BEND * hypot(end[0] - start[0], end[1] - start[1]))
    handles = [(x + far * dx, y + far * dy) for (x, y), (dx, dy) in ((start, one), (end, other))]
    return start, handles[0], handles[1], end


def _find_port(box: Box, side: Point) -> Point:
    return box.x + side[0] * box.width / 2, box.y + side[1] * box.height / 2


def _count_faults(curve: Curve, made: Layout) -> tuple[int, float]:
    """How many points of a curve are behind a box or outside of the picture, and its length."""
    points = sample_curve(curve, 24)
    inner = np.array(points[1:-1])
    centres = np.array([(box.x, box.y) for box in made.boxes])
    halves = np.array([(box.width, box.height) for box in made.boxes]) / 2 + 2
    behind = (np.abs(inner[:, None] - centres) < halves).all(axis=2).any(axis=1)
    outside = ((inner < 0) | (inner > (made.width, made.height))).any(axis=1)
    length = sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(points))
    return int((behind | outside).sum()), length
