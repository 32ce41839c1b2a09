"""Bars of arguments that open into their edges, as a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Hint, InvalidInput, count
from ...explain.contrast import Contrast
from ...graph.labels import label_text
from ..bar_rows import join_by_source, name_favoured
from ..numbers import SHOWN_AS_ZERO, number
from .axes import start_sheet
from .bars import write_contrast

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_HEIGHT = 0.21  # inches, of a wide figure
THICK, THIN = 0.66, 0.3  # bars of arguments and of edges, as shares of the height of a row
TYPE = 9.0  # points
MAX_EDGES = 3  # of an argument; its others are one row


def plot_edges(
    why: Contrast, *, limit: int = 10, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the bar of each argument, and below it the edges through which it acts, which add up to it.

    Parameters
    ----------
    why : Contrast
        A contrast of edges by Owen values: `contrast(..., players="edges", method="owen")`.
    limit : int
        Arguments to draw, those with the largest edges first; the caption says how many are left out. The three
        largest edges of each are drawn, and its others as one.
    palette : str
        A name from PALETTES.
    width : float, optional
        Inches, of a new figure: 3.3 for a column of a paper, for example; 7 if not given.
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
        If there is no such palette.
    InvalidInput
        If the values are not Owen values of edges: no others add up to the bars of arguments.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse", players="edges", method="owen")
    >>> [label.get_text() for label in plot_edges(why).get_yticklabels()][:3]
    ['It eats plants', '→ It is a horse', '→ It is a zebra']
    """
    if why.players.kind != "edges" or why.method != "owen" or why.combined:
        raise InvalidInput(
            "bars that open into their edges need Owen values of edges",
            hints=[Hint("players", ("edges",)), Hint("method", ("owen",))],
        )
    sheet, opened = start_sheet(ax, palette, width, qbaf=why.qbaf), join_by_source(why)
    rows: list[tuple[str, str]] = []
    bars: list[tuple[float, float]] = []  # value, height

    def add(label: str, value: float, height: float) -> None:
        rows.append((sheet.wrap(label, sheet.label_width, TYPE, 1, bold=height == THICK), number(value, "+")))
        bars.append((value, height))

    small = 0
    for source, edges in opened[:limit]:
        add(label_text(why.qbaf, source), sum(value for _, value in edges), THICK)
        shown = [edge for edge in edges if abs(edge[1]) >= SHOWN_AS_ZERO]
        small += len(edges) - len(shown)
        room = MAX_EDGES if len(shown) > MAX_EDGES + 1 else len(shown)  # one that is left over takes no more room
        for target, value in shown[:room]:
            add(f"→ {label_text(why.qbaf, target)}", value, THIN)
        if shown[room:]:
            add(f"→ and {len(shown) - room} more", sum(value for _, value in shown[room:]), THIN)
    for k, (value, height) in enumerate(bars):
        colour = sheet.colours[name_favoured(value) + ("" if height == THICK else "_soft")]
        sheet.ax.barh(k, value, height=height, color=colour, linewidth=0)
    notes = ["thin: the edges through which the argument above acts; they add up to its bar"]
    notes += [f"{count(small, 'edge')} below {number(SHOWN_AS_ZERO)} not shown"] if small else []
    more = len(opened) - limit
    notes += [f"{count(more, 'argument')} with smaller edges not shown"] if more > 0 else []
    write_contrast(sheet, why, rows, *notes, points=TYPE)
    for label, (_, height) in zip(sheet.ax.get_yticklabels(), bars, strict=True):
        label.set_fontweight("bold" if height == THICK else "normal")
    return sheet.finish(sheet.row_height([""], TYPE, least=0.0 if sheet.slim else ROW_HEIGHT) * max(1, len(rows)))
