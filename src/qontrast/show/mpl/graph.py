"""The graph as a matplotlib figure: the same scene as the SVG, for papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from ...graph.qbaf import Qbaf
from ...types import Name
from ..palette import Palette, find_palette
from ..scene import LABEL, LINE, MAX_SCENE_ARGUMENTS, NUMBERS, PAD, Arrow, Node, Scene, find_heads, scene
from .axes import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARGIN, HEAD, DENSEST, FADED = 18.0, 9.5, 0.85, 0.16


def draw_graph(
    qbaf: Qbaf,
    strengths: Mapping[Name, float] | None = None,
    *,
    fact: Name | None = None,
    foil: Name | None = None,
    highlight: Name | Iterable[Name] | None = None,
    contributions: Mapping[Name, float] | None = None,
    limit: int = MAX_SCENE_ARGUMENTS,
    palette: str = "default",
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
        Argument → contribution: which arguments to draw where not all are.
    limit : int
        Arguments to draw: topics, the strongest contributors and their paths.
    engine : str, optional
        "own", which is the default, or "graphviz" (needs pygraphviz).
    sideways : bool, optional
        Whether topics stand on the left; if not given, where the graph is wide.
    palette : str
        A name from PALETTES.
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
    made = scene(
        qbaf,
        strengths,
        fact=fact,
        foil=foil,
        highlight=highlight,
        contributions=contributions,
        limit=limit,
        engine=engine,
        sideways=sideways,
    )
    return _draw(made, find_palette(palette), ax)


def _draw(made: Scene, colours: Palette, ax: Axes | None) -> Axes:
    width, height = made.width + 2 * MARGIN, made.height + 2 * MARGIN + (16 if made.hidden else 0)
    ax = axes(ax, width / 72, height / 72, bare=True)
    ax.set_xlim(-MARGIN, width - MARGIN)
    ax.set_ylim(height - MARGIN, -MARGIN)
    ax.set_aspect("equal")
    ax.axis("off")
    extent = ax.get_window_extent()
    scale = min(extent.width / width, extent.height / height) * 72 / ax.figure.dpi  # points for one unit of the scene
    for arrow in made.arrows:
        _arrow(ax, arrow, colours, scale)
    for node in made.nodes:
        _node(ax, node, colours, scale)
    if made.hidden:
        ax.text(0, height - MARGIN - 6, f"{made.hidden:,} more not shown", fontsize=11 * scale, color=colours.muted)
    return ax


def _node(ax: Axes, node: Node, colours: Palette, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    box, alpha = node.box, 1.0 if node.lit else FADED
    left, top = box.x - box.width / 2, box.y - box.height / 2
    value = node.base if node.strength is None else node.strength
    filled = 0.0 if isnan(value) else DENSEST * min(1.0, max(0.0, value))
    role = node.role or "outline"
    ax.add_patch(
        FancyBboxPatch(
            (left, top),
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=9",
            facecolor=_mixed(colours.fill, colours.paper, filled),
            edgecolor=getattr(colours, role),
            linewidth={"outline": 1.0, "topic": 2.2}.get(role, 3.2) * scale,
            linestyle=(0, (3, 2)) if isnan(value) else "-",
            alpha=alpha,
            zorder=3,
        )
    )
    type_: dict[str, Any] = {
        "ha": "center",
        "va": "baseline",
        "alpha": alpha,
        "zorder": 4,
        "color": colours.ink,
        "parse_math": False,
    }
    for k, text in enumerate(node.lines):
        size = LABEL * scale * 0.97
        ax.text(box.x, top + PAD + LINE * (k + 0.75) - 1, text, fontsize=size, fontweight="bold", **type_)
    ax.text(box.x, top + PAD + LINE * (len(node.lines) + 0.75), node.numbers, fontsize=NUMBERS * scale, **type_)
    y, start, length = box.y + box.height / 2 - 9, left + PAD, box.width - 2 * PAD
    ax.add_patch(Rectangle((start, y), length, 3.5, color=colours.track, alpha=alpha, zorder=4, linewidth=0))
    if not isnan(value):
        colour = getattr(colours, role) if role in ("fact", "foil") else colours.muted
        long = length * min(1.0, max(0.0, value))
        ax.add_patch(Rectangle((start, y), long, 3.5, color=colour, alpha=alpha, zorder=4, linewidth=0))
    if node.strength is not None:
        notch = start + length * node.base - 0.8
        ax.add_patch(Rectangle((notch, y - 2), 1.6, 7.5, color=colours.ink, alpha=alpha, zorder=5, linewidth=0))
    if role in ("fact", "foil"):
        ax.text(
            left + 12,
            top,
            role,
            fontsize=10 * scale,
            fontweight="bold",
            color=getattr(colours, f"{role}_ink"),
            va="center",
            zorder=6,
            bbox={
                "boxstyle": "round,pad=0.25,rounding_size=0.6",
                "fc": colours.paper,
                "ec": getattr(colours, role),
                "lw": 1.4 * scale,
            },
        )


def _arrow(ax: Axes, arrow: Arrow, colours: Palette, scale: float) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    colour, alpha, zorder = getattr(colours, arrow.kind), 1.0 if arrow.lit else FADED, 2 if arrow.lit else 1
    points, ends = list(arrow.curve), find_heads(arrow)
    for place, (tip, (dx, dy)) in zip((-1, 0), ends, strict=False):
        points[place] = (tip[0] - dx * HEAD * 0.7, tip[1] - dy * HEAD * 0.7)
    codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
    dash = (0, (3.4, 2.2)) if arrow.kind == "attack" else "-"
    style = {"edgecolor": colour, "facecolor": "none", "linewidth": 1.7 * scale, "linestyle": dash}
    ax.add_patch(PathPatch(Path(points, codes), alpha=alpha, zorder=zorder, **style))
    for (x, y), (dx, dy) in ends:
        bx, by, half = x - dx * HEAD, y - dy * HEAD, HEAD * 0.44
        corners = [(x, y), (bx - dy * half, by + dx * half), (bx + dy * half, by - dx * half)]
        ax.add_patch(Polygon(corners, closed=True, color=colour, alpha=alpha, zorder=zorder, linewidth=0))
    if arrow.weights:
        ax.text(
            *arrow.middle,
            arrow.weights,
            fontsize=11 * scale,
            fontweight="bold",
            color=colour,
            ha="center",
            va="center",
            alpha=alpha,
            zorder=2.5,
            bbox={"boxstyle": "round,pad=0.12", "fc": colours.paper, "ec": "none"},
        )


def _mixed(colour: str, ground: str, share: float) -> tuple[float, ...]:
    """The colour laid over the ground with that opacity: a PDF without transparency prints everywhere."""
    from matplotlib.colors import to_rgb

    return tuple(share * a + (1 - share) * b for a, b in zip(to_rgb(colour), to_rgb(ground), strict=True))
