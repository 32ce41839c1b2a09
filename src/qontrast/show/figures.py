"""The table of figures, and how one is drawn as a file.

Adding a figure takes a function that draws it and a row in FIGURES; the command `draw`, the explorer and the reference
read the row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from ..attribution.methods import EVERY_KIND
from ..errors import Hint, InvalidInput, unknown_name
from .mpl.axes import check_width
from .mpl.bars import plot_contrast, plot_waterfall
from .mpl.changes import plot_change
from .mpl.edges import plot_edges
from .mpl.graph import draw_graph
from .mpl.interactions import plot_interactions
from .mpl.semantics import plot_semantics
from .mpl.topics import plot_pairs, plot_ranking, plot_trajectory
from .mpl.uncertainty import plot_uncertainty
from .svg.bars import bars_svg
from .svg.graph import PIXELS, graph_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("svg", "pdf", "png")
RESOLUTION = 200  # dots per inch of a PNG
WITHOUT_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # the same question gives the same file


@dataclass(frozen=True)
class Figure:
    """Everything about a figure.

    Attributes
    ----------
    title
        For menus.
    help
        One line for the help of the command line.
    source
        What it is drawn from: "graph", "contrast", "edges" (their Owen values), "interactions",
        "uncertainty", "change", "pairs", "ranking", "semantics" or "trajectory".
    plot
        Draws it with matplotlib.
    svg
        Draws it as SVG without matplotlib, so many pixels wide, or None.
    formats
        The suffixes of files that it can be written to.
    players
        The kinds of players that it can show.
    """

    title: str
    help: str
    source: Literal[
        "graph",
        "contrast",
        "edges",
        "interactions",
        "uncertainty",
        "change",
        "pairs",
        "ranking",
        "semantics",
        "trajectory",
    ]
    plot: Callable[..., Axes] = field(repr=False)
    svg: Callable[..., str] | None = field(default=None, repr=False)
    formats: tuple[str, ...] = FORMATS
    players: tuple[str, ...] = ("arguments",)


FIGURES: dict[str, Figure] = {
    "graph": Figure(
        "The graph", "the graph with base scores and strengths", "graph", draw_graph, graph_svg, players=EVERY_KIND
    ),
    "bars": Figure(
        "Contributions, contrastive and individual",
        "what made the difference between FACT and FOIL",
        "contrast",
        plot_contrast,
        bars_svg,
        players=EVERY_KIND,
    ),
    "waterfall": Figure(
        "Waterfall (Shapley only)",
        "the same, adding up to the gap; for --method shapley",
        "contrast",
        plot_waterfall,
        players=EVERY_KIND,
    ),
    "edges": Figure(
        "Contributions, opened into edges",
        "the Shapley bar of each argument, and the edges through which it acts",
        "edges",
        plot_edges,
        players=("arguments", "edges"),
    ),
    "interactions": Figure(
        "Interactions of pairs of players",
        "which two players work together for FACT or for FOIL",
        "interactions",
        plot_interactions,
        players=EVERY_KIND,
    ),
    "uncertainty": Figure(
        "How sure the order is",
        "how sure the order of FACT and FOIL is, where the graph has uncertain base scores",
        "uncertainty",
        plot_uncertainty,
    ),
    "change": Figure(
        "What the changes did",
        "what the changes of --set and --remove did to the gap between FACT and FOIL",
        "change",
        plot_change,
    ),
    "pairs": Figure("All pairs", "the gap of every pair of topics", "pairs", plot_pairs),
    "ranking": Figure("Ranking of the topics", "the topics from the strongest down", "ranking", plot_ranking),
    "semantics": Figure(
        "The gap under every semantics",
        "the gap between FACT and FOIL under every semantics",
        "semantics",
        plot_semantics,
    ),
    "convergence": Figure(
        "How strengths develop", "how strengths develop from the base scores", "trajectory", plot_trajectory
    ),
}


def find_figure(name: str, players: str = "arguments") -> Figure:
    """Look up a figure, and check that it can show players of this kind."""
    if name not in FIGURES:
        raise unknown_name(name, FIGURES, "figure")
    if players not in FIGURES[name].players:
        able = tuple(other for other, each in FIGURES.items() if players in each.players)
        hints = [Hint("players", FIGURES[name].players), Hint("figure", able)]
        raise InvalidInput(f"the figure {name!r} does not show {players}", hints=hints)
    return FIGURES[name]


def draw_figure(name: str, *drawn: Any, format: str = "svg", width: float | None = None, **settings: Any) -> bytes:
    """Draw a figure of the table FIGURES as a file.

    Parameters
    ----------
    name : str
        A name from FIGURES.
    *drawn
        What it is drawn from: a graph and its strengths, a contrast, interactions, uncertainty, pairs, a ranking, or a
        trajectory.
    format : str
        "svg", "pdf" or "png".
    width : float, optional
        Inches: 3.3 for a column of a paper, for example.
    **settings
        Those of the function that draws it, such as `palette`.

    Returns
    -------
    bytes
        The file. Two calls with the same input give the same bytes.

    Raises
    ------
    UnknownName
        If there is no such figure, or it has no such format.
    InvalidInput
        If `width` is no number of inches from 1 to 100.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> draw_figure("bars", contrast(examples.load("zebra"), "zebra", "horse"))[:4]
    b'<svg'
    """
    figure = find_figure(name)
    if format not in figure.formats:
        raise unknown_name(format, figure.formats, "format")
    if width is not None:
        check_width(width)
    if format != "svg" or figure.svg is None:
        return save(figure.plot(*drawn, **settings, **({} if width is None else {"width": width})), format)
    if width is not None:
        settings["width"] = width * PIXELS
    return figure.svg(*drawn, **settings).encode()


def save(axes: Axes, format: str) -> bytes:
    """Write matplotlib's picture as a file; the figure is closed, since pyplot would keep it."""
    from matplotlib import pyplot, rc_context, rcParams

    from .mpl.fit import without_glyph_warnings

    data, page = BytesIO(), axes.get_figure(root=True)
    assert page is not None
    salt: Any = {"svg.hashsalt": rcParams["svg.hashsalt"] or "qontrast"}  # else the identifiers in SVG are random
    with without_glyph_warnings(), rc_context(salt):
        page.savefig(data, format=format, dpi=RESOLUTION, metadata=WITHOUT_DATE.get(format))
    pyplot.close(page)
    return data.getvalue()
