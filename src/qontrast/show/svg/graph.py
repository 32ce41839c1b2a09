"""A graph as SVG: one function for the figure, the notebook, the report and the web page.

Boxes hold the label, base score → strength, and a gauge of both; supports are solid green, attacks dashed red. Every
box and arrow is a group with classes and data attributes (`data-name`, `data-source`, `data-target`, …).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import Any

from ...graph.qbaf import Qbaf
from ...types import Name
from ..bands import Band
from ..drawing import (
    FADED,
    draw_arrow,
    draw_band,
    draw_edge,
    draw_ghost,
    draw_name,
    draw_node,
    draw_stub,
    draw_weight,
    find_dashes,
)
from ..fitting import FRAME, POINTS, fill_page, find_scale, find_smallest_type
from ..layout import Box, Curve
from ..legend import SIZE, find_legend
from ..palette import Palette, find_palette
from ..phrasing import Language, choose, write_size
from ..scene import BROADEST, MAX_SCENE_ARGUMENTS, Arrow, More, Node, Scene, scene
from .elements import Drawing, Raw, compact, element, picture, text_width

MARGIN = 20.0
PIXELS = 96.0  # of an inch
TYPE = re.compile(r' font-size="([\d.]+)"( font-weight="\d+")?')
FRAME_SIZE = re.compile(' width="([^"]+)" height="([^"]+)"')
GHOST = 0.3  # opacity of an edge that is gone


def graph_svg(
    qbaf: Qbaf,
    strengths: Mapping[Name, float] | None = None,
    *,
    fact: Name | None = None,
    foil: Name | None = None,
    highlight: Name | Iterable[Name] | None = None,
    contributions: Mapping[Any, float] | None = None,
    groups: Mapping[str, Iterable[Name]] | None = None,
    limit: int = MAX_SCENE_ARGUMENTS,
    broadest: float = BROADEST,
    width: float | None = None,
    palette: str = "default",
    dark: bool = False,
    legend: bool = True,
    title: str | None = None,
    id: str = "qx-graph",
    engine: str | None = None,
    sideways: bool | None = None,
    language: str = "en",
) -> str:
    """Draw a graph as an SVG picture.

    Boxes hold the label, base score → strength, and a gauge of both; supports are solid, attacks dashed.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    strengths : Mapping, optional
        Argument → strength; NaN is drawn as undefined. Without it only base scores are shown.
    fact, foil : Name, optional
        The two topics to mark.
    highlight : Name or iterable of Name, optional
        One argument lights up all that it can reach; several light up themselves.
    contributions : Mapping, optional
        Argument → contribution: which arguments to draw where not all are. Edge → contribution: edges are as thick as
        their contributions, in the colour of the topic that they favour. A contrast of groups shows them with theirs.
    groups : Mapping, optional
        Name → arguments: groups to show as bands behind the boxes of their members. If not given, those of
        `contributions`, else those that the graph stores; {} shows none.
    limit : int
        Arguments to draw: topics, the strongest contributors and their paths; the picture says how many are left out.
    broadest : float
        The width of a line of a label, in pixels.
    width : float, optional
        Pixels, 96 of an inch. The arrangement is then the one with the largest type at that width, and a graph whose
        type would be too small to be read is folded: topics and the strongest contributors are drawn, the others
        counted. If not given, the picture is as wide as the graph needs.
    palette : str
        A name from PALETTES.
    dark : bool
        Whether the colours are for a dark page.
    legend : bool
        Whether a legend stands below.
    title : str, optional
        What is read out; the size of the graph if not given.
    id : str
        The `id` of the `svg` element, which must be unique in a page.
    engine : str, optional
        "own", which is the default, or "graphviz" (needs pygraphviz).
    sideways : bool, optional
        Whether topics stand on the left; if not given, where the graph is wide.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The picture as SVG text.

    Raises
    ------
    UnknownName
        If there is no such argument, palette, engine or language.

    Examples
    --------
    >>> from qontrast import Qbaf
    >>> q = Qbaf({"a": 0.5, "t": 0.5}, attacks=[("a", "t")])
    >>> 'class="qx-edge qx-attack"' in graph_svg(q)
    True
    """
    colours, to = find_palette(palette, dark), choose(language)
    arrange = partial(
        scene,
        qbaf,
        strengths,
        fact=fact,
        foil=foil,
        highlight=highlight,
        contributions=contributions,
        groups=groups,
        limit=limit,
        broadest=broadest,
        engine=engine,
        sideways=sideways,
        to=to,
    )
    if width is None:
        made = arrange()
        notes = _legend(made, strengths is not None, colours, to) if legend else []
        return write_scene(made, colours, title or write_size(qbaf, to), id, notes)
    inches = width / PIXELS
    made = fill_page(arrange, inches)
    scale = find_scale(made, inches)
    room, least = POINTS * inches / scale, find_smallest_type(scale, inches) / scale
    notes = _legend(made, strengths is not None, colours, to, room - FRAME[0], max(SIZE, least)) if legend else []
    svg = write_scene(made, colours, title or write_size(qbaf, to), id, notes, room)
    return _resize(_enlarge_type(svg, least), width)


def write_scene(
    made: Scene,
    colours: Palette,
    title: str,
    id: str = "qx-graph",
    notes: Sequence[tuple[list[Raw], float]] = (),
    width: float | None = None,
    light: bool = False,
) -> str:
    """Write a scene as SVG, with notes below; as wide as it needs if no width is given.

    A light picture has no gauges and few elements for its edges, so that a page can show thousands of arguments.
    """
    if width is None:
        width = max([made.width, *(note_width for _, note_width in notes)]) + 2 * MARGIN
    height = made.above + made.height + 2 * MARGIN + 6 + 22 * len(notes)
    drawing = element(
        "g",
        *(_band(band, colours) for band in made.bands),
        *(_stub(stub, colours) for stub in made.stubs),
        *(_write_together(made.arrows, colours) if light else (_edge(arrow, colours) for arrow in made.arrows)),
        *(_name(band, colours) for band in made.bands),
        *(_weight(arrow, colours) for arrow in made.arrows if arrow.weights),
        *(_node(node, colours, id, light) for node in made.nodes),
        transform=f"translate({compact((width - made.width) / 2)} {compact(MARGIN + 6 + made.above)})",
    )
    margin = min(MARGIN, max(FRAME[0] / 2, (width - made.width) / 2))
    rows = [
        element(
            "g", *row, class_="qx-legend", transform=f"translate({compact(margin)} {compact(height - 18 - 22 * k)})"
        )
        for k, (row, _) in enumerate(reversed(notes))
    ]
    return picture(width, height, title, drawing, *rows, class_="qx-graph", id=id, role="group")


class _Canvas(Drawing):
    """A canvas of SVG; an edge has the colour of the group that it is in."""

    def box(self, box: Box, line: str, width: float, fill: float | None) -> None:
        frame = (box.x - box.width / 2, box.y - box.height / 2, box.width, box.height)
        self.bar(*frame, "paper", 9)
        dashes = "5 4" if fill is None else None
        self.bar(*frame, "fill", 9, line, fill_opacity=fill or 0.0, stroke_width=width, stroke_dasharray=dashes)

    def band(self, box: Box, colour: str) -> None:
        frame = (box.x - box.width / 2, box.y - box.height / 2, box.width, box.height)
        self.bar(*frame, colour, 13, "outline", stroke_width=0.8, stroke_dasharray="1.5 2.5")

    def tag(self, x: float, y: float, text: str, colour: str, size: float, line: str | None = None) -> None:
        width, radius = text_width(text, size) + (12 if line else 6), 7.5 if line else 4
        self.bar(x - width / 2, y - 7.5, width, 15, "paper", radius, line, stroke_width=1.6 if line else None)
        self.text(x, y + 0.36 * size, text, colour, size, "middle", 700, class_="" if line else "qx-weight")

    def curve(self, points: Curve, colour: str, width: float, dashed: bool) -> None:
        start, *rest = (f"{compact(x)} {compact(y)}" for x, y in points)
        dashes = " ".join(map(compact, find_dashes(width))) if dashed else None
        style = {"fill": "none", "stroke_width": compact(width), "stroke_dasharray": dashes}
        self.add("path", d=f"M{start}C{' '.join(rest)}", class_="qx-stroke", stroke=self.colours[colour], **style)

    def head(self, corners: Curve, colour: str) -> None:
        d = "L".join(f"{compact(x)} {compact(y)}" for x, y in corners)
        self.add("path", d=f"M{d}Z", class_="qx-head", fill=self.colours[colour])


def _node(node: Node, colours: Palette, id: str, light: bool = False) -> Raw:
    canvas = _Canvas(colours, element("title", node.words))
    if node.ghost:
        draw_ghost(canvas, node)
        return element("g", *canvas.parts, class_="qx-ghost", data_ghost=node.name, role="img", aria_label=node.words)
    draw_node(canvas, node, gauge=not light)
    return _group(
        canvas,
        node,
        f"qx-node qx-{node.role}-node" if node.role else "qx-node",
        id=f"{id}-node-{node.index}",
        data_name=node.name,
        data_base=repr(node.base),
        data_strength=None if node.strength is None else repr(node.strength),
        role="img",
        aria_label=None if light else node.words,  # its title says the same
    )


def _band(band: Band, colours: Palette) -> Raw:
    canvas = _Canvas(colours, element("title", band.words))
    draw_band(canvas, band)
    return _group(canvas, band, "qx-group", data_group=band.group, role="img", aria_label=band.words)


def _name(band: Band, colours: Palette) -> Raw:
    canvas = _Canvas(colours)
    draw_name(canvas, band)
    return _group(canvas, band, "qx-group-name", data_group=band.group)


def _stub(stub: More, colours: Palette) -> Raw:
    canvas = _Canvas(colours, element("title", stub.words))
    draw_stub(canvas, stub)
    return element(
        "g", *canvas.parts, class_="qx-stub qx-muted-edge", data_fold=stub.target, role="img", aria_label=stub.words
    )


def _edge(arrow: Arrow, colours: Palette) -> Raw:
    canvas = _Canvas(colours, element("title", arrow.words))
    draw_arrow(canvas, arrow)
    if arrow.ghost:
        return element("g", *canvas.parts, class_=f"qx-ghost qx-{arrow.kind}", opacity=GHOST)
    return _group(
        canvas,
        arrow,
        f"qx-edge {_name_class(arrow)}",
        data_source=arrow.source,
        data_target=arrow.target,
        data_kind=arrow.kind,
        data_weight=repr(arrow.weight),
        data_value=None if arrow.value is None or isnan(arrow.value) else repr(arrow.value),
        data_mutual=None if arrow.back is None else "true",
        data_weight_back=None if arrow.back is None else repr(arrow.back),
    )


class _Lines(_Canvas):
    """Collects lines and heads that look the same."""

    def __init__(self, colours: Palette) -> None:
        super().__init__(colours)
        self.lines: dict[tuple[str, str, str, bool], list[str]] = {}

    def curve(self, points: Curve, colour: str, width: float, dashed: bool) -> None:
        ends = " ".join(f"{compact(x)} {compact(y)}" for x, y in (points[0], points[-1]))
        self.lines.setdefault(("qx-stroke", colour, compact(width), dashed), []).append(f"M{ends}")

    def head(self, corners: Curve, colour: str) -> None:
        d = "L".join(f"{compact(x)} {compact(y)}" for x, y in corners)
        self.lines.setdefault(("qx-head", colour, "", False), []).append(f"M{d}Z")


def _write_together(arrows: Iterable[Arrow], colours: Palette) -> list[Raw]:
    """Write edges as a few paths, one for all that look the same."""
    found: dict[str, _Lines] = {}
    for arrow in arrows:
        name = f"qx-ghost qx-{arrow.kind}" if arrow.ghost else _name_class(arrow)
        draw_arrow(found.setdefault(name, _Lines(colours)), arrow)
    for canvas in found.values():
        for (kind, colour, width, dashed), lines in canvas.lines.items():
            style: dict[str, object] = {"fill": colours[colour]}
            if kind == "qx-stroke":
                style = {"fill": "none", "stroke": colours[colour], "stroke_width": width}
            canvas.add("path", d="".join(lines), class_=kind, stroke_dasharray="6 4" if dashed else None, **style)
    return [
        element("g", *canvas.parts, class_=f"qx-edges {name}", opacity=GHOST if "ghost" in name else None)
        for name, canvas in found.items()
    ]


def _weight(arrow: Arrow, colours: Palette) -> Raw:
    canvas = _Canvas(colours)
    draw_weight(canvas, arrow)
    return _group(canvas, arrow, f"qx-number {_name_class(arrow)}", data_source=arrow.source, data_target=arrow.target)


def _name_class(arrow: Arrow) -> str:
    """The class that gives an edge its colour: its kind, or the topic that its contribution favours."""
    return f"qx-{arrow.kind}" if arrow.value is None else f"qx-{arrow.colour}-edge"


def _group(canvas: _Canvas, part: Node | Arrow | Band, classes: str, **attributes: object) -> Raw:
    if not part.lit:
        attributes, classes = attributes | {"opacity": FADED}, f"{classes} qx-faded"
    return element("g", *canvas.parts, class_=classes, **attributes)


def _legend(
    made: Scene, solved: bool, colours: Palette, to: Language, room: float | None = None, size: float = SIZE
) -> list[tuple[list[Raw], float]]:
    """Rows of the legend with their widths: what lines and numbers mean, and what is not shown."""
    rows, width = find_legend(made, solved, to, room=room, size=size)
    found = []
    for row in rows:
        canvas = _Canvas(colours)
        for entry in row:
            if entry.kind:
                sample, x = _Canvas(colours), entry.x
                line = ((x, -4), (x, -4), (x + 34, -4), (x + 34, -4))
                draw_edge(sample, entry.kind, line, colour="muted" if entry.valued else None)
                canvas.add("g", *sample.parts, class_="qx-muted-edge" if entry.valued else f"qx-{entry.kind}")
            canvas.text(entry.start, 0, entry.text, entry.ink, size)
        found.append((canvas.parts, width))
    return found


def _enlarge_type(svg: str, least: float) -> str:
    """Make type that is smaller than `least` as large as that, and not bold, since bold type is wider."""
    small = f' font-size="{compact(least)}"'
    return TYPE.sub(lambda found: small if float(found[1]) < least else found[0], svg)


def _resize(svg: str, width: float) -> str:
    """Write another width into an SVG, and the height that belongs to it."""
    wide, high = (float(number) for number in FRAME_SIZE.findall(svg)[0])
    return FRAME_SIZE.sub(f' width="{compact(width)}" height="{compact(high * width / wide)}"', svg, count=1)
