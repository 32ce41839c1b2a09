"""A graph as SVG: one function for the figure, the notebook, the report and the web page.

Boxes hold the label, base score → strength, and a gauge of both; supports are solid green, attacks dashed red. Every
box and arrow is a group with classes and data attributes (`data-name`, `data-source`, `data-target`, …).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan

from ...graph.qbaf import Qbaf
from ...types import Name
from ..layout.layered import Point
from ..palette import Palette, find_palette
from ..phrasing import Language, choose, write_size
from ..scene import BROADEST, LABEL, LINE, MAX_SCENE_ARGUMENTS, NUMBERS, PAD, Arrow, Node, Scene, find_heads, scene
from .elements import Raw, compact, element, picture, text_width, write_text

MARGIN = 20.0
HEAD = 9.5  # length of an arrowhead
DENSEST = 0.85  # opacity of the fill at strength 1: ink stays readable on it
FADED = 0.16


def graph_svg(
    qbaf: Qbaf,
    strengths: Mapping[Name, float] | None = None,
    *,
    fact: Name | None = None,
    foil: Name | None = None,
    highlight: Name | Iterable[Name] | None = None,
    contributions: Mapping[Name, float] | None = None,
    limit: int = MAX_SCENE_ARGUMENTS,
    broadest: float = BROADEST,
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
        Argument → contribution: which arguments to draw where not all are.
    limit : int
        Arguments to draw: topics, the strongest contributors and their paths; the picture says how many are left out.
    broadest : float
        The width of a line of a label, in pixels.
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
    made = scene(
        qbaf,
        strengths,
        fact=fact,
        foil=foil,
        highlight=highlight,
        contributions=contributions,
        limit=limit,
        broadest=broadest,
        engine=engine,
        sideways=sideways,
        to=to,
    )
    notes = _legend(made, strengths is not None, colours, to) if legend else []
    note_width = max((width for _, width in notes), default=0.0)
    width = max(made.width, note_width) + 2 * MARGIN
    shift = (width - made.width) / 2
    height = made.height + 2 * MARGIN + 6 + 22 * len(notes)
    arrows = sorted(made.arrows, key=lambda each: each.lit)
    drawing = element(
        "g",
        *(_arrow(arrow, colours) for arrow in arrows),
        *(_weight(arrow, colours) for arrow in arrows if arrow.weights),
        *(_node(node, colours, id, to) for node in made.nodes),
        transform=f"translate({compact(shift)} {compact(MARGIN + 6)})",
    )
    rows = [
        element("g", row, class_="qx-legend", transform=f"translate({compact(MARGIN)} {compact(height - 18 - 22 * k)})")
        for k, (row, _) in enumerate(reversed(notes))
    ]
    return picture(width, height, title or write_size(qbaf, to), drawing, *rows, class_="qx-graph", id=id, role="group")


def _node(node: Node, colours: Palette, id: str, to: Language) -> Raw:
    box = node.box
    left, top = box.x - box.width / 2, box.y - box.height / 2
    line = {"": "outline"}.get(node.role, node.role)
    frame = {"x": left, "y": top, "width": box.width, "height": box.height, "rx": 9}
    value = node.base if node.strength is None else node.strength
    parts = [
        element("title", node.words),
        element("rect", **frame, class_="qx-paper", fill=colours.paper),
        element(
            "rect",
            **frame,
            class_=f"qx-fill qx-{line}-line",
            fill=colours.fill,
            fill_opacity=0.0 if isnan(value) else DENSEST * min(1.0, max(0.0, value)),
            stroke=getattr(colours, line),
            stroke_width={"": 1.2, "topic": 2.4}.get(node.role, 3.6),
            stroke_dasharray="5 4" if isnan(value) else None,
        ),
    ]
    for k, text in enumerate(node.lines):
        parts.append(write_text(box.x, top + PAD + LINE * (k + 0.75) - 1, text, "ink", colours, LABEL, "middle", 600))
    below = top + PAD + LINE * (len(node.lines) + 0.75)
    parts.append(write_text(box.x, below, node.numbers, "ink", colours, NUMBERS, "middle", extra="qx-numbers"))
    parts += _gauge(node, colours)
    if node.role in ("fact", "foil"):
        parts.append(_tag(left + 12, top, node.role, to.say(f"graph.{node.role}"), colours))
    return element(
        "g",
        *parts,
        class_=f"qx-node{f' qx-{node.role}-node' if node.role else ''}{'' if node.lit else ' qx-faded'}",
        id=f"{id}-node-{node.index}",
        data_name=node.name,
        data_base=repr(node.base),
        data_strength=None if node.strength is None else repr(node.strength),
        opacity=None if node.lit else FADED,
        role="img",
        aria_label=node.words,
    )


def _gauge(node: Node, colours: Palette) -> list[Raw]:
    """A thin bar as long as the strength, with a notch at the base score."""
    box = node.box
    left, y, length = box.x - box.width / 2 + PAD, box.y + box.height / 2 - 9, box.width - 2 * PAD
    value = node.base if node.strength is None else node.strength
    role = "qx-muted" if node.role in ("", "topic") else f"qx-{node.role}"
    colour = colours.muted if node.role in ("", "topic") else getattr(colours, node.role)
    parts = [element("rect", x=left, y=y, width=length, height=3.5, rx=1.75, class_="qx-track", fill=colours.track)]
    if not isnan(value) and value > 0:
        long = length * min(1.0, value)
        parts.append(element("rect", x=left, y=y, width=long, height=3.5, rx=1.75, class_=role, fill=colour))
    if node.strength is not None:
        notch = left + length * node.base
        parts.append(element("rect", x=notch - 0.8, y=y - 2, width=1.6, height=7.5, class_="qx-ink", fill=colours.ink))
    return parts


def _tag(left: float, top: float, role: str, text: str, colours: Palette) -> Raw:
    width = text_width(text, 10.5) + 12
    return element(
        "g",
        element(
            "rect",
            x=left,
            y=top - 8,
            width=width,
            height=15,
            rx=7.5,
            class_=f"qx-paper qx-{role}-line",
            fill=colours.paper,
            stroke=getattr(colours, role),
            stroke_width=1.6,
        ),
        write_text(left + width / 2, top + 3.2, text, f"{role}_ink", colours, 10.5, "middle", 700),
    )


def _arrow(arrow: Arrow, colours: Palette) -> Raw:
    colour = getattr(colours, arrow.kind)
    ends = find_heads(arrow)
    points = list(arrow.curve)
    for place, (tip, (dx, dy)) in zip((-1, 0), ends, strict=False):  # the line ends inside its head
        points[place] = (tip[0] - dx * HEAD * 0.7, tip[1] - dy * HEAD * 0.7)
    parts = [
        element("title", arrow.words),
        element(
            "path",
            d=_path(points),
            class_="qx-stroke",
            fill="none",
            stroke=colour,
            stroke_width=1.9,
            stroke_dasharray="6 4" if arrow.kind == "attack" else None,
        ),
    ]
    parts += [element("path", d=_triangle(tip, way), class_="qx-head", fill=colour) for tip, way in ends]
    return element(
        "g",
        *parts,
        class_=f"qx-edge qx-{arrow.kind}{'' if arrow.lit else ' qx-faded'}",
        data_source=arrow.source,
        data_target=arrow.target,
        data_kind=arrow.kind,
        data_weight=repr(arrow.weight),
        data_mutual=None if arrow.back is None else "true",
        data_weight_back=None if arrow.back is None else repr(arrow.back),
        opacity=None if arrow.lit else FADED,
    )


def _weight(arrow: Arrow, colours: Palette) -> Raw:
    """The number of an edge, above all lines."""
    x, y = arrow.middle
    wide = text_width(arrow.weights, 11) + 6
    back = {"x": x - wide / 2, "y": y - 7.5, "width": wide, "height": 15, "rx": 4}
    where = {"x": x, "y": y + 4, "text_anchor": "middle", "font_size": 11, "font_weight": 600}
    return element(
        "g",
        element("rect", **back, class_="qx-paper", fill=colours.paper),
        element("text", arrow.weights, **where, class_="qx-weight", fill=getattr(colours, arrow.kind)),
        class_=f"qx-number qx-{arrow.kind}{'' if arrow.lit else ' qx-faded'}",
        data_source=arrow.source,
        data_target=arrow.target,
        opacity=None if arrow.lit else FADED,
    )


def _path(points: list[Point]) -> str:
    pairs = [f"{compact(x)} {compact(y)}" for x, y in points]
    return f"M{pairs[0]}C{' '.join(pairs[1:])}"


def _triangle(tip: Point, way: Point) -> str:
    (x, y), (dx, dy) = tip, way
    back, half = (x - dx * HEAD, y - dy * HEAD), HEAD * 0.44
    left, right = (back[0] - dy * half, back[1] + dx * half), (back[0] + dy * half, back[1] - dx * half)
    return "M" + "L".join(f"{compact(px)} {compact(py)}" for px, py in (tip, left, right)) + "Z"


def _legend(made: Scene, solved: bool, colours: Palette, to: Language) -> list[tuple[Raw, float]]:
    """Rows of the legend with their widths: what lines and numbers mean, and what is not shown."""
    parts, x = [], 0.0
    for kind in ("support", "attack"):
        if any(arrow.kind == kind for arrow in made.arrows):
            colour, dash = getattr(colours, kind), "6 4" if kind == "attack" else None
            line = element(
                "path",
                d=f"M{compact(x)} -4H{compact(x + 26)}",
                stroke=colour,
                stroke_width=1.9,
                stroke_dasharray=dash,
                class_="qx-stroke",
            )
            head = element("path", d=_triangle((x + 34, -4), (1, 0)), class_="qx-head", fill=colour)
            parts.append(element("g", line, head, class_=f"qx-{kind}"))
            text = to.say(f"graph.{kind}")
            parts.append(write_text(x + 40, 0, text, "muted", colours, 11.5))
            x += 40 + text_width(text, 11.5) + 18
    what = to.say("graph.legend" if solved else "graph.legend.base")
    parts.append(write_text(x, 0, what, "muted", colours, 11.5))
    rows = [(element("g", *parts), x + text_width(what, 11.5))]
    if made.hidden:
        more = to.count("graph.hidden", made.hidden)
        rows.append((write_text(0, 0, more, "ink", colours, 11.5), text_width(more, 11.5)))
    return rows
