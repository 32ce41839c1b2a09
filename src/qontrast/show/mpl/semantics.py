"""The gap of two topics under several semantics, as a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...explain.compare_semantics import SemanticsComparison
from ...graph.labels import label_text
from ..numbers import number
from ..palette import find_palette
from .axes import label_rows, make_axes, wrap_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_semantics(found: SemanticsComparison, *, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw the gap under each semantics as a bar that ends in a dot, on one side or the other of a line at 0.

    Parameters
    ----------
    found : SemanticsComparison
        What `compare_semantics` gives.
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
    >>> from qontrast import compare_semantics, examples
    >>> ax = plot_semantics(compare_semantics(examples.load("zebra"), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['df-quad', 'qe']
    """
    colours = find_palette(palette)
    names = [*found.gaps, *(name for name in found.refused if name not in found.gaps)]
    ax = make_axes(ax, 7.2, 1.3 + 0.42 * len(names))
    reach = 1.35 * max((abs(gap) for gap in found.gaps.values()), default=1.0) or 1.0
    ax.axvline(0.0, color=colours.ink, linewidth=1.0)
    for row, name in enumerate(names):
        if name not in found.gaps:
            ax.text(0.02 * reach, row, "no strengths", va="center", fontsize=9, color=colours.muted)
            continue
        gap, sign = found.gaps[name], found.signs[name]
        colour = {1: colours.fact, 0: colours.muted, -1: colours.foil}[sign]
        ax.plot([0.0, gap], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt")
        ax.plot([gap], [row], marker="o", markersize=7, color=colour)
        text = "tied" if sign == 0 else number(gap, "+")
        place, align = ((9, 0), "left") if gap >= 0 else ((-9, 0), "right")
        ax.annotate(text, (gap, row), place, textcoords="offset points", va="center", ha=align, fontsize=9)
    label_rows(ax, [wrap_label(name, 30) for name in names], colours.ink, 10)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlim(-reach, reach)
    fact, foil = (wrap_label(label_text(found.qbaf, topic), 32, 1) for topic in (found.fact, found.foil))
    ax.set_xlabel(f"◂ {foil}      gap      {fact} ▸", fontsize=9, parse_math=False)
    return ax
