"""The gap of two topics under several semantics, as a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...explain.compare_semantics import SemanticsComparison
from ...graph.labels import label_text
from ..numbers import number
from .axes import start_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_semantics(
    found: SemanticsComparison, *, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the gap under each semantics as a bar that ends in a dot, on one side or the other of a line at 0.

    Parameters
    ----------
    found : SemanticsComparison
        What `compare_semantics` gives.
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
    >>> from qontrast import compare_semantics, examples
    >>> ax = plot_semantics(compare_semantics(examples.load("zebra"), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['df-quad', 'qe']
    """
    sheet = start_sheet(ax, palette, width, qbaf=found.qbaf)
    ax, colours = sheet.ax, sheet.colours
    names = [*found.gaps, *(name for name in found.refused if name not in found.gaps)]
    reach = 1.08 * max((abs(gap) for gap in found.gaps.values()), default=1.0) or 1.0
    ax.axvline(0.0, color=colours.ink, linewidth=1.0)
    texts = []
    for row, name in enumerate(names):
        if name not in found.gaps:
            texts.append("no strengths")
            continue
        gap, sign = found.gaps[name], found.signs[name]
        colour = {1: colours.fact, 0: colours.muted, -1: colours.foil}[sign]
        ax.plot([0.0, gap], [row, row], color=colour, linewidth=2.4, solid_capstyle="butt")
        ax.plot([gap], [row], marker="o", markersize=7, color=colour)
        texts.append("tied" if sign == 0 else number(gap, "+"))
    labels = [sheet.wrap_parts([name], 10) for name in names]
    sheet.label_rows(labels, 10)
    sheet.write_numbers(texts, 9)
    ax.set_xlim(-reach, reach)
    sheet.write_heads(f"◂ {label_text(found.qbaf, found.foil)}", f"{label_text(found.qbaf, found.fact)} ▸")
    sheet.write_caption("gap of strengths")
    return sheet.finish(sheet.row_height(labels, 10, least=0.36) * len(names))
