"""Interactions of pairs of players as a matplotlib figure: one cell for each unordered pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import count
from ...explain.interactions import Interactions
from ...extras import require
from ...graph.labels import label_text
from ..numbers import SHOWN_AS_ZERO, number
from ..palette import find_palette
from .axes import hide_frame, make_axes, wrap_label
from .bars import wrap_player

if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes


def plot_interactions(
    found: Interactions, *, limit: int = 12, palette: str = "default", ax: Axes | None = None
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
    require("matplotlib", "a figure")
    from matplotlib.colors import LinearSegmentedColormap

    colours = find_palette(palette)
    names, left_out = _select_players(found, limit)
    places = [found.players.index(name) for name in names]
    values = found.matrix[np.ix_(places[1:], places[:-1])]
    size = len(names) - 1
    ax = make_axes(ax, 3.4 + 0.8 * max(1, size), 2.6 + 0.5 * max(1, size))
    hide_frame(ax, keep=())
    if size < 1:
        ax.text(0.5, 0.5, "no two players interact", ha="center", va="center", color=colours.muted)
        ax.set_xticks([])
        ax.set_yticks([])
    else:
        largest = float(np.abs(values).max()) or 1.0
        hues = [colours.foil, colours.foil_soft, colours.paper, colours.fact_soft, colours.fact]
        ramp = LinearSegmentedColormap.from_list("qx", hues)
        cells = np.where(np.tri(size, dtype=bool), values, np.nan)
        ax.imshow(cells, cmap=ramp, vmin=-1.5 * largest, vmax=1.5 * largest, aspect="auto")
        for i in range(size):
            for j in range(i + 1):
                text = number(values[i, j], "+") if abs(values[i, j]) >= SHOWN_AS_ZERO else "·"
                ax.text(j, i, text, ha="center", va="center", fontsize=9, color=colours.ink)
        labels = [wrap_player(found.qbaf, name, 24) for name in names]
        below = [wrap_player(found.qbaf, name, 18) for name in names]
        ax.set_xticks(range(size), below[:-1], parse_math=False, rotation=40, ha="right", rotation_mode="anchor")
        ax.set_yticks(range(size), labels[1:], parse_math=False)
        ax.set_xticks(np.arange(size + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(size + 1) - 0.5, minor=True)
        ax.grid(which="minor", color=colours.paper, linewidth=2.5)
    ax.tick_params(which="both", length=0, labelcolor=colours.ink)
    ax.set_xlabel(_write_caption(found, left_out), fontsize=8.5, parse_math=False)
    return ax


def _select_players(found: Interactions, limit: int) -> tuple[list[Any], int]:
    """List the players with the strongest pairs, and count the others that interact."""
    names = list(dict.fromkeys(name for pair, _ in found.strongest(len(found)) for name in pair))
    return names[:limit], max(0, len(names) - limit)


def _write_caption(found: Interactions, left_out: int) -> str:
    """Write what a number is, what the two signs mean, and what is left out."""
    fact = wrap_label(label_text(found.qbaf, found.fact), 40, 1)
    lines = [f"interaction of two, each pair once ({found.index}, {found.semantics})"]
    if found.foil is None:
        lines.append(f"+ together they raise “{fact}” by more than one by one, − by less")
    else:
        foil = wrap_label(label_text(found.qbaf, found.foil), 40, 1)
        lines += [f"+ they work together for “{fact}”", f"− they work together for “{foil}”"]
    if left_out:
        lines.append(f"{count(left_out, 'player')} with weaker pairs not shown")
    return "\n".join(lines)
