"""Interactions of pairs of players as a matplotlib figure: one cell for each unordered pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import count
from ...explain.interactions import Interactions
from ...graph.labels import label_text, shorten
from ..bar_rows import write_ends
from ..numbers import SHOWN_AS_ZERO, number
from .axes import start_sheet
from .cells import draw_cells

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

MAX_WIDTH = 11.0  # inches of a figure whose width is not given


def plot_interactions(
    found: Interactions,
    *,
    limit: int = 12,
    palette: str = "default",
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the interactions of all pairs as a triangle of cells; each unordered pair has one cell.

    A cell has the colour of the topic for which the two work together.

    Parameters
    ----------
    found : Interactions
        What `interactions` gives.
    limit : int
        Players to draw, those with the strongest pairs first; the caption says how many are left out.
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

    Examples
    --------
    >>> from qontrast import examples, interactions
    >>> ax = plot_interactions(interactions(examples.load("zebra"), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['It has stripes']
    """
    names, left_out = _select_players(found, limit)
    size = len(names) - 1
    sheet = start_sheet(ax, palette, width, qbaf=found.qbaf, natural=min(MAX_WIDTH, 3.4 + 0.8 * max(1, size)))
    if size < 1:
        sheet.hide_frame(keep=())
        said = sheet.wrap("no two players interact", sheet.width - 0.4, 10)
        sheet.ax.text(0.5, 0.5, said, ha="center", va="center", color=sheet.colours.muted)
        sheet.ax.set_xticks([])
        sheet.ax.set_yticks([])
        sheet.write_caption(*_write_caption(found, left_out))
        return sheet.finish(0.5)
    places = [found.players.index(name) for name in names]
    values = found.matrix[np.ix_(places[1:], places[:-1])]
    texts = [[_write_cell(values[i, j]) for j in range(i + 1)] for i in range(size)]
    labels = [" ".join(write_ends(found.qbaf, name)) for name in names]
    cells = np.where(np.tri(size, dtype=bool), values, np.nan)
    height, notes = draw_cells(sheet, cells, texts, labels[:-1], labels[1:], top=False)
    sheet.write_caption(*_write_caption(found, left_out), *notes)
    return sheet.finish(height)


def _write_cell(value: float) -> str:
    return number(value, "+") if abs(value) >= SHOWN_AS_ZERO else "·"


def _select_players(found: Interactions, limit: int) -> tuple[list[Any], int]:
    """List the players with the strongest pairs, and count the others that interact."""
    names = list(dict.fromkeys(name for pair, _ in found.strongest(len(found)) for name in pair))
    return names[:limit], max(0, len(names) - limit)


def _write_caption(found: Interactions, left_out: int) -> list[str]:
    """Write what a number is, what the two signs mean, and what is left out."""
    fact = shorten(label_text(found.qbaf, found.fact))
    lines = [f"interaction of two, each pair once ({found.index}, {found.semantics})"]
    if found.foil is None:
        lines.append(f"+ together they raise “{fact}” by more than one by one, − by less")
    else:
        foil = shorten(label_text(found.qbaf, found.foil))
        lines += [f"+ they work together for “{fact}”", f"− they work together for “{foil}”"]
    if left_out:
        lines.append(f"{count(left_out, 'player')} with weaker pairs not shown")
    return lines
