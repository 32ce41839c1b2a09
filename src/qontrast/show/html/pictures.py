"""The pictures of a report: for screens, with fewer arguments for paper, and bars below their labels for phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...explain.contrast import Contrast
from ...graph.labels import label_text, shorten
from ...graph.qbaf import Qbaf
from ..bar_rows import Row, find_notes, find_parts, find_rows
from ..drawing import TAG
from ..palette import Palette, find_palette
from ..phrasing import Language
from ..scene import BROADEST
from ..svg.elements import Drawing
from ..svg.graph import graph_svg
from .parts import Raw, element

PRINTED_ARGUMENTS = (30, 20, 16, 12, 10, 8)  # the picture for paper shows fewer until its texts are large enough
PRINTED_TOPICS = 5  # of more than these, the picture for paper shows fact and foil
ARRANGED = ((BROADEST, False), (BROADEST, True), (0.6 * BROADEST, False), (0.6 * BROADEST, True))  # for paper
MIN_POINTS = 7.0  # of a text in a printed picture
PAPER = 658.0, 775.0  # pixels of a printed picture, as the style sheet has it
MAX_BARS = 20
WIDTH, HEIGHT = 100.0, 42.0  # of the picture of a bar, which is stretched to the width of the page


def draw_graph(why: Contrast, limit: int, **settings: Any) -> Raw:
    """Draw the graph; where its texts would be too small on paper, draw it for paper and phones too.

    That picture has shorter lines, or topics on the left, and only where this does not suffice fewer arguments.
    """
    topics: Any = {"fact": why.fact, "foil": why.foil}

    def draw(qbaf: Qbaf, limit: int, id: str, **more: Any) -> str:
        return graph_svg(qbaf, why.strengths, **topics, contributions=why, limit=limit, id=id, **settings, **more)

    whole = draw(why.qbaf, limit, "qx-graph")
    if measure_text(whole) >= MIN_POINTS:
        return element("div", Raw(whole), class_="picture")
    qbaf = why.qbaf if len(why.qbaf.topics) <= PRINTED_TOPICS else why.qbaf.with_topics(topics.values())
    close = whole
    for fewer in PRINTED_ARGUMENTS:
        arranged = [
            draw(qbaf, min(limit, fewer), "qx-graph-close", broadest=broadest, sideways=sideways)
            for broadest, sideways in ARRANGED
        ]
        legible = [each for each in arranged if measure_text(each) >= MIN_POINTS]
        close = min(legible, key=_measure_height, default=max(arranged, key=measure_text))
        if legible:
            break
    if measure_text(close) <= measure_text(whole):
        return element("div", Raw(whole), class_="picture")
    both = (element("div", Raw(whole), class_="whole"), element("div", Raw(close), class_="close"))
    return element("div", *both, class_="picture")


def measure_text(picture: str) -> float:
    """Compute the size in points that the smallest texts of a picture have on paper."""
    return 0.75 * TAG * _find_scale(*_measure(picture))


def _measure_height(picture: str) -> float:
    """Compute the height in pixels that a picture has on paper."""
    width, height = _measure(picture)
    return height * _find_scale(width, height)


def _measure(picture: str) -> tuple[float, float]:
    width, height = map(float, picture.partition('viewBox="0 0 ')[2].partition('"')[0].split())
    return width, height


def _find_scale(width: float, height: float) -> float:
    """How much smaller a picture of that size is on paper."""
    return min(1.0, PAPER[0] / width, PAPER[1] / height)


def draw_stacked_bars(why: Contrast, palette: str, to: Language) -> Raw:
    """Draw the bars of a contrast, the strongest first, each below its label and number."""
    first, rest = find_rows(why, MAX_BARS, to)
    nothing = [row for row in first if not any((row.value, row.fact, row.foil))]
    drawn, rest = [*(row for row in first if row not in nothing), *find_parts(why, to)], [*rest, *nothing]
    values = [0.0, *(value for row in drawn for value in row.values)]
    low, high = min(values), max(values)

    def scale(value: float) -> float:
        return WIDTH * (value - low) / (high - low or 1.0)

    foil, fact = (shorten(label_text(why.qbaf, topic)) for topic in (why.foil, why.fact))
    ends = element("b", "◂ ", foil, class_="for-foil"), element("b", fact, " ▸", class_="for-fact")
    head = element("p", *ends, class_="ends")
    bars = [_draw_row(row, scale, find_palette(palette)) for row in drawn]
    notes = [element("div", text, class_="note") for text, _ in find_notes(why, rest, drawn, to)]
    return element("div", head, *bars, *notes, class_="rows")


def _draw_row(row: Row, scale: Callable[[float], float], colours: Palette) -> Raw:
    side = "for-fact" if row.value > 0 else "for-foil" if row.value < 0 else None
    drawing = Drawing(colours)
    drawing.bar(scale(0) - 0.2, 0, 0.4, HEIGHT, "muted")
    for bar in row.bars:
        start, end = sorted((scale(0), scale(bar.value)))
        style: Any = {"line": bar.colour, "vector_effect": "non-scaling-stroke"} if bar.hollow else {}
        place = start, HEIGHT * bar.top, end - start, HEIGHT * bar.height
        drawing.bar(*place, None if bar.hollow else bar.colour, **style)
    if row.whiskers:
        start, end = map(scale, row.whiskers)
        drawing.bar(start, 12.5, end - start, 2, "ink")
    line = element("p", element("span", row.label), element("b", row.text, class_=side))
    view: Any = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "preserveAspectRatio": "none", "aria_hidden": "true"}
    return element("div", line, element("svg", *drawing.parts, **view))
