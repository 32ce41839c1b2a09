"""Draw the boxes and arrows of a scene on a canvas, which is SVG or matplotlib.

A canvas puts shapes and texts on paper, in colours of the palette given by their names. What is drawn where is decided
here, once for both.
"""

from __future__ import annotations

from math import hypot, isnan
from typing import Protocol

from .bands import NAME, Band
from .layout import Box, Curve, Point
from .palette import name_ink
from .scene import LABEL, LINE, NUMBERS, PAD, Arrow, More, Node
from .svg.elements import text_width

ARROW_LINE, ARROW_HEAD = 1.9, 9.5  # the width of the line, the length of the head
THINNEST, THICKEST = 1.0, 6.5  # the width of the line of an edge without, and with the largest contribution
MAX_FILL = 0.85  # opacity of the fill at strength 1: ink stays readable on it
TAG = 11.5  # type of tags: the smallest in a picture
FADED = 0.16  # opacity of what is not lit up


def find_dashes(width: float) -> tuple[float, float]:
    """The lengths of dash and gap of a dashed line: longer than the line is thick."""
    dash = max(6.0, 1.9 * width)
    return dash, dash * 2 / 3


class Canvas(Protocol):
    """What a picture of a graph is made of; lengths are in the units of the scene."""

    def box(self, box: Box, line: str, width: float, fill: float | None) -> None:
        """Draw a box filled with that opacity; None is an empty box with a dashed line."""

    def band(self, box: Box, colour: str) -> None:
        """Draw a filled rectangle with round corners and a dotted line around it."""

    def bar(self, x: float, y: float, width: float, height: float, colour: str, radius: float = 0.0) -> None:
        """Draw a filled rectangle."""

    def text(self, x: float, y: float, text: str, colour: str, size: float, anchor: str, weight: int = 400) -> None:
        """Write a text on the baseline `y`; `anchor` is "start", "middle" or "end"."""

    def tag(self, x: float, y: float, text: str, colour: str, size: float, line: str | None = None) -> None:
        """Write a bold text around a point, on a patch of paper that may have a line around it."""

    def curve(self, points: Curve, colour: str, width: float, dashed: bool) -> None:
        """Draw a chain of Bézier curves."""

    def head(self, corners: Curve, colour: str) -> None:
        """Draw a filled arrowhead."""


def draw_node(canvas: Canvas, node: Node, gauge: bool = True) -> None:
    """Draw a box with its texts, its gauge, and the word "fact" or "foil" on its border."""
    box, line = node.box, node.role or "outline"
    left, top = box.x - box.width / 2, box.y - box.height / 2
    value = node.base if node.strength is None else node.strength
    share = min(1.0, max(0.0, value))
    canvas.box(box, line, {"outline": 1.2, "topic": 2.4}.get(line, 3.6), None if isnan(value) else MAX_FILL * share)
    for k, text in enumerate(node.lines):
        canvas.text(box.x, top + PAD + LINE * (k + 0.75) - 1, text, "ink", LABEL, "middle", 600)
    canvas.text(box.x, top + PAD + LINE * (len(node.lines) + 0.75), node.numbers, "ink", NUMBERS, "middle")
    marked = node.role in ("fact", "foil")
    start, y, length = left + PAD, box.y + box.height / 2 - 9, box.width - 2 * PAD
    if gauge:
        canvas.bar(start, y, length, 3.5, "track", 1.75)
    if gauge and not isnan(value):
        canvas.bar(start, y, length * share, 3.5, node.role if marked else "muted", 1.75)
    if gauge and node.strength is not None:
        canvas.bar(start + length * node.base - 0.8, y - 2, 1.6, 7.5, "ink")
    if marked:
        word = node.to.say(f"graph.{node.role}")
        canvas.tag(left + 18 + text_width(word, TAG) / 2, top - 0.5, word, f"{node.role}_ink", TAG, node.role)


def draw_ghost(canvas: Canvas, node: Node) -> None:
    """Draw the place of an argument that is gone: a dashed box with its label."""
    canvas.box(node.box, "outline", 1.2, None)
    first = node.box.y - LINE * (len(node.lines) - 1) / 2 + 0.35 * LABEL
    for k, text in enumerate(node.lines):
        canvas.text(node.box.x, first + LINE * k, text, "muted", LABEL, "middle")


def draw_stub(canvas: Canvas, stub: More) -> None:
    """Draw a stub: a line to the argument through which the counted ones act, and their number."""
    canvas.curve(stub.curve, "muted", 1.4, False)
    box = stub.box
    canvas.bar(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height, "track", box.height / 2)
    canvas.text(box.x, box.y + 0.35 * LABEL, stub.text, "ink", LABEL, "middle")


def draw_band(canvas: Canvas, band: Band) -> None:
    """Draw the band of a group behind its members."""
    canvas.band(band.box, band.colour)


def draw_name(canvas: Canvas, band: Band) -> None:
    """Write the name of a group on its band."""
    canvas.tag(band.name_box.x, band.name_box.y, band.text, band.ink, NAME, "line")


def draw_arrow(canvas: Canvas, arrow: Arrow) -> None:
    """Draw an edge: as thick as its contribution, where it has one."""
    width = ARROW_LINE if arrow.value is None else THINNEST + (THICKEST - THINNEST) * arrow.share
    draw_edge(canvas, arrow.kind, arrow.curve, arrow.back is not None, arrow.colour, width)


def draw_edge(
    canvas: Canvas,
    kind: str,
    curve: Curve,
    mutual: bool = False,
    colour: str | None = None,
    width: float = ARROW_LINE,
) -> None:
    """Draw a line with a head at its end, and where it is mutual at its start too; attacks are dashed."""
    points, heads = list(curve), []
    length = ARROW_HEAD + 1.4 * max(0.0, width - ARROW_LINE)  # a thick line needs a larger head
    for place, path in ((-1, curve), (0, curve[::-1]))[: 1 + mutual]:
        (x, y), (dx, dy) = path[-1], _find_direction(path)
        back, half = (x - dx * length, y - dy * length), length * 0.44
        heads.append(((x, y), (back[0] - dy * half, back[1] + dx * half), (back[0] + dy * half, back[1] - dx * half)))
        points[place] = (x - dx * length * 0.7, y - dy * length * 0.7)  # the line ends inside its head
    canvas.curve(tuple(points), colour or kind, width, kind == "attack")
    for corners in heads:
        canvas.head(corners, colour or kind)


def draw_weight(canvas: Canvas, arrow: Arrow) -> None:
    """Write the weights of an arrow."""
    canvas.tag(*arrow.middle, arrow.weights, name_ink(arrow.colour), TAG)


def _find_direction(curve: Curve) -> Point:
    """The direction of a curve at its end, from the last point that differs from it."""
    x, y = curve[-1]
    before = next((p for p in curve[-2::-1] if hypot(p[0] - x, p[1] - y) > 0.5), curve[0])
    length = hypot(x - before[0], y - before[1]) or 1.0
    return (x - before[0]) / length, (y - before[1]) / length
