"""The graph as a matplotlib figure: the same scene as the SVG, for papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...graph.qbaf import Qbaf
from ...types import Name
from ..drawing import FADED, draw_arrow, draw_band, draw_name, draw_node, draw_weight, find_dashes
from ..layout import Box, Curve
from ..palette import Palette
from ..phrasing import choose
from ..scene import BOLD, BROADEST, LABEL, MAX_SCENE_ARGUMENTS, Scene, scene
from ..svg.elements import text_width
from .axes import start_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

MARGIN = 18.0
PAGE_HEIGHT = 9.0  # inches
LABEL_WIDTHS = (BROADEST, 0.72 * BROADEST, 0.55 * BROADEST)  # of the labels of boxes, to be tried
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
    engine : str, optional
        "own", which is the default, or "graphviz" (needs pygraphviz).
    sideways : bool, optional
        Whether topics stand on the left; if not given, where the graph is wide.
    palette : str
        A name from PALETTES.
    width : float, optional
        Inches, of a new figure: 3.3 for a column of a paper, for example. The arrangement is then the one with the
        largest type at that width; if not given, the figure is as wide as the graph needs.
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
        to=to,
    )
    made = arrange(sideways=sideways) if width is None or ax is not None else _fill(arrange, width, sideways)
    hidden = to.count("graph.hidden", made.hidden) if made.hidden else ""
    wide, height = _measure(made)
    sheet = start_sheet(ax, palette, width, natural=wide / 72, bare=True)
    ax, colours = sheet.ax, sheet.colours
    if sheet.own:
        sheet.ax.figure.set_size_inches(sheet.width, sheet.width * height / wide)  # type: ignore[union-attr]
    ax.set_xlim(-MARGIN, wide - MARGIN)
    ax.set_ylim(height - MARGIN - made.above, -MARGIN - made.above)
    ax.set_aspect("equal")
    ax.axis("off")
    extent = ax.get_window_extent()
    scale = min(extent.width / wide, extent.height / height) * 72 / ax.figure.dpi  # points for one unit of the scene
    lit, faded = _Canvas(ax, colours, scale, 1.0), _Canvas(ax, colours, scale, FADED)
    for band in made.bands:
        draw_band(lit if band.lit else faded, band)
    for arrow in made.arrows:
        draw_arrow(lit if arrow.lit else faded, arrow)
    for band in made.bands:
        draw_name(lit if band.lit else faded, band)
    for arrow in made.arrows:
        if arrow.weights:
            draw_weight(lit if arrow.lit else faded, arrow)
    for node in made.nodes:
        draw_node(lit if node.lit else faded, node)
    if hidden:
        lit.text(0, height - made.above - MARGIN - 6, hidden, "muted", 11, "start")
    return sheet.finish_texts()


def _measure(made: Scene) -> tuple[float, float]:
    """How wide and how high a scene is with its margins and the line about what is left out."""
    note = 1.1 * text_width(made.nodes[0].to.count("graph.hidden", made.hidden), 11) if made.hidden else 0.0
    wide = max(made.width, note) + 2 * MARGIN
    return wide, made.height + made.above + 2 * MARGIN + (16 if made.hidden else 0)


def _fill(arrange: Callable[..., Scene], width: float, sideways: bool | None) -> Scene:
    """Arrange a graph with the largest type that a page of that width allows."""

    def find_scale(made: Scene) -> float:
        wide, high = _measure(made)
        return min(width / wide, PAGE_HEIGHT / high)

    turns = (False, True) if sideways is None else (sideways,)
    first = arrange(sideways=turns[0])
    words = [text_width(word, LABEL) for node in first.nodes for word in node.label.split()]
    least = BOLD * max(words, default=0.0) + 1  # narrower labels would break words
    widths = sorted({min(BROADEST, max(least, each)) for each in LABEL_WIDTHS})
    tried = [arrange(sideways=turn, broadest=broadest) for turn in turns for broadest in widths]
    return max(tried, key=find_scale)


@dataclass(frozen=True)
class _Canvas:
    """A canvas of matplotlib; what is drawn later lies above."""

    ax: Axes
    colours: Palette
    scale: float
    alpha: float

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
        bold = weight > 400
        settings |= {"fontsize": size * self.scale * (BOLD_SIZE if bold else 1), "color": self.colours[colour]}
        settings |= {"fontweight": "bold" if bold else "normal"}
        self.ax.text(x, y, text, alpha=self.alpha, zorder=ORDER, parse_math=False, **settings)
