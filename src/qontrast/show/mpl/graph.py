"""The graph as a matplotlib figure: the same scene as the SVG, for papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...graph.labels import isolate_text
from ...graph.qbaf import Qbaf
from ...types import Name
from ..drawing import (
    FADED,
    draw_arrow,
    draw_band,
    draw_edge,
    draw_name,
    draw_node,
    draw_stub,
    draw_weight,
    find_dashes,
)
from ..fitting import POINTS, fill_page, find_scale, find_smallest_type
from ..layout import Box, Curve
from ..legend import SIZE, Entry, find_legend
from ..palette import Palette
from ..phrasing import choose
from ..scene import MAX_SCENE_ARGUMENTS, scene
from .axes import check_width, start_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

MARGIN, TAG_HEIGHT = 10.0, 5.0  # around everything; how far a tag reaches beyond the margin above
LEGEND_WIDTH, NARROWER = 320.0, 0.94  # of a legend at least; matplotlib's type is wider than that of a browser
LINE_WIDTH, BOLD_SIZE = 0.9, 0.97  # of those of the SVG: print is finer, and matplotlib's bold type is wider
ORDER = 3  # of everything: matplotlib then keeps the order of drawing


def draw_graph(
    qbaf: Qbaf,
    strengths: Mapping[Name, float] | None = None,
    *,
    fact: Name | None = None,
    foil: Name | None = None,
    highlight: Name | Iterable[Name] | None = None,
    contributions: Mapping[Any, float] | None = None,
    groups: Mapping[str, Iterable[Name]] | None = None,
    limit: int = MAX_SCENE_ARGUMENTS,
    palette: str = "default",
    width: float | None = None,
    legend: bool = True,
    engine: str | None = None,
    sideways: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a graph with base score → strength in every box; supports are solid, attacks dashed.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    strengths : Mapping, optional
        Argument → strength; without it only base scores are shown.
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
        Arguments to draw: topics, the strongest contributors and their paths.
    legend : bool
        Whether a legend stands below.
    engine : str, optional
        "own", which is the default, or "graphviz" (needs pygraphviz).
    sideways : bool, optional
        Whether topics stand on the left; if not given, where the graph is wide.
    palette : str
        A name from PALETTES.
    width : float, optional
        Inches, of a new figure: 3.3 for a column of a paper, for example. The arrangement is then the one with the
        largest type at that width, and a graph whose type would be too small to be read is folded: topics and the
        strongest contributors are drawn, the others counted. If not given, the figure is as wide as the graph needs.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes with the picture.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    UnknownName
        If there is no such palette, argument or engine.

    Examples
    --------
    >>> from qontrast import examples
    >>> ax = draw_graph(examples.load("zebra"))
    >>> "It has stripes" in [text.get_text() for text in ax.texts]
    True
    """
    to = choose("en")
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
        engine=engine,
        sideways=sideways,
        to=to,
    )
    paged = None if ax is not None or width is None else check_width(width)
    made = arrange() if paged is None else fill_page(arrange, paged)
    scale = 1.0 if paged is None else find_scale(made, paged)
    least = 0.0 if paged is None else find_smallest_type(scale, paged)
    size = max(SIZE, least / scale)
    room = max(made.width, LEGEND_WIDTH) if paged is None else POINTS * paged / scale - 2 * MARGIN
    rows, notes = find_legend(made, strengths is not None, to, room=NARROWER * room, size=size) if legend else ([], 0.0)
    wide = max(made.width, notes / NARROWER) + 2 * MARGIN if paged is None else POINTS * paged / scale
    height = made.above + made.height + 2 * MARGIN + TAG_HEIGHT + 1.4 * size * len(rows)
    sheet = start_sheet(ax, palette, width, natural=wide / POINTS, bare=True)
    ax, colours = sheet.ax, sheet.colours
    if sheet.own:
        sheet.ax.figure.set_size_inches(sheet.width, sheet.width * height / wide)  # type: ignore[union-attr]
    left, bottom = (made.width - wide) / 2, height - MARGIN - TAG_HEIGHT - made.above
    ax.set_xlim(left, left + wide)
    ax.set_ylim(bottom, bottom - height)
    ax.set_aspect("equal")
    ax.axis("off")
    extent = ax.get_window_extent()
    scale = min(extent.width / wide, extent.height / height) * POINTS / ax.figure.dpi  # points for a unit of the scene
    lit, faded = (_Canvas(ax, colours, scale, alpha, least) for alpha in (1.0, FADED))
    for band in made.bands:
        draw_band(lit if band.lit else faded, band)
    for stub in made.stubs:
        draw_stub(lit, stub)
    for arrow in made.arrows:
        draw_arrow(lit if arrow.lit else faded, arrow)
    for band in made.bands:
        draw_name(lit if band.lit else faded, band)
    for arrow in made.arrows:
        if arrow.weights:
            draw_weight(lit if arrow.lit else faded, arrow)
    for node in made.nodes:
        draw_node(lit if node.lit else faded, node)
    for k, row in enumerate(reversed(rows)):
        for entry in row:
            _draw_entry(lit, entry, left + MARGIN, bottom - 0.6 * MARGIN - 1.4 * size * k, size)
    return sheet.finish_texts()


def _draw_entry(canvas: _Canvas, entry: Entry, x: float, y: float, size: float) -> None:
    """Draw a part of the legend: the sample of a line, and a text."""
    if entry.kind:
        start, middle = x + entry.x, y - 0.35 * size
        line = ((start, middle), (start, middle), (start + 34, middle), (start + 34, middle))
        draw_edge(canvas, entry.kind, line, colour="muted" if entry.valued else None)
    canvas.text(x + entry.start, y, entry.text, entry.ink, size, "start")


@dataclass(frozen=True)
class _Canvas:
    """A canvas of matplotlib; what is drawn later lies above."""

    ax: Axes
    colours: Palette
    scale: float
    alpha: float
    least: float  # points, of the smallest type

    def box(self, box: Box, line: str, width: float, fill: float | None) -> None:
        from matplotlib.colors import to_rgb
        from matplotlib.patches import FancyBboxPatch

        share, pairs = fill or 0.0, zip(to_rgb(self.colours.fill), to_rgb(self.colours.paper), strict=True)
        face = tuple(share * a + (1 - share) * b for a, b in pairs)  # a PDF without transparency prints everywhere
        style: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=9", "fc": face, "ec": self.colours[line]}
        corner = (box.x - box.width / 2, box.y - box.height / 2)
        self._add(FancyBboxPatch(corner, box.width, box.height, **style), width, dashed=fill is None)

    def band(self, box: Box, colour: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        style: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=13", "ec": self.colours.outline}
        corner = (box.x - box.width / 2, box.y - box.height / 2)
        self._add(FancyBboxPatch(corner, box.width, box.height, fc=self.colours[colour], **style), 0.8)
        self.ax.patches[-1].set_linestyle((0, (2, 3)))

    def bar(self, x: float, y: float, width: float, height: float, colour: str, radius: float = 0.0) -> None:
        from matplotlib.patches import Rectangle

        self._add(Rectangle((x, y), width, height, color=self.colours[colour]))

    def text(self, x: float, y: float, text: str, colour: str, size: float, anchor: str, weight: int = 400) -> None:
        align = {"start": "left", "middle": "center"}[anchor]
        self._write(x, y, text, colour, size, weight, ha=align, va="baseline")

    def tag(self, x: float, y: float, text: str, colour: str, size: float, line: str | None = None) -> None:
        edge = {"boxstyle": "round,pad=0.12", "ec": "none"}
        if line is not None:
            edge = {"boxstyle": "round,pad=0.25,rounding_size=0.6", "ec": self.colours[line]}
        patch = {"fc": self.colours.paper, "lw": 1.6 * LINE_WIDTH * self.scale, "alpha": self.alpha, **edge}
        self._write(x, y, text, colour, size, 700, ha="center", va="center", bbox=patch)

    def curve(self, points: Curve, colour: str, width: float, dashed: bool) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        path = Path(points, [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1))
        self._add(PathPatch(path, edgecolor=self.colours[colour], facecolor="none"), width, dashed)

    def head(self, corners: Curve, colour: str) -> None:
        from matplotlib.patches import Polygon

        self._add(Polygon(corners, closed=True, color=self.colours[colour]))

    def _add(self, patch: Patch, width: float = 0.0, dashed: bool = False) -> None:
        patch.set(linewidth=width * LINE_WIDTH * self.scale, alpha=self.alpha, zorder=ORDER)
        lengths = tuple(length / width for length in find_dashes(width)) if dashed else ()  # matplotlib multiplies them
        patch.set_linestyle((0, lengths) if dashed else "-")
        self.ax.add_patch(patch)

    def _write(self, x: float, y: float, text: str, colour: str, size: float, weight: int, **settings: Any) -> None:
        from .fonts import draws_both_ways

        bold, text = weight > 400, isolate_text(text) if draws_both_ways() else text
        points = size * self.scale * (BOLD_SIZE if bold else 1)
        if points < self.least:
            points, bold = self.least, False
        settings |= {"fontsize": points, "color": self.colours[colour]}
        settings |= {"fontweight": "bold" if bold else "normal"}
        self.ax.text(x, y, text, alpha=self.alpha, zorder=ORDER, parse_math=False, **settings)
