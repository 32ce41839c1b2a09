"""How sure an order is, as a matplotlib figure: the distribution of the gap, and where the doubt comes from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...errors import count
from ...explain.uncertainty import Uncertainty
from ...graph.labels import label_text, shorten
from ..phrasing import choose
from ..uncertainty_texts import describe_sampling, write_percent
from .axes import Sheet, format_numbers, start_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...types import Name

UPPER_HEIGHT = 2.1  # inches of the distribution
THINNEST = 0.02  # of a column of the distribution, as a share of the width


def plot_uncertainty(
    found: Uncertainty, *, limit: int = 8, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the distribution of the gap with the probability on both sides of 0, and the shares in its variance.

    A full bar is the first-order share of an argument, the thin line behind it the total share. The dashed line is the
    mean of the gap, and a grey column at 0 are ties.

    Parameters
    ----------
    found : Uncertainty
        What `uncertainty` gives.
    limit : int
        Arguments to draw, those with the largest shares first; the caption says how many are left out.
    palette : str
        A name from PALETTES.
    width : float, optional
        Inches, of a new figure: 3.3 for a column of a paper, for example; 7 if not given.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if not given.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes with the distribution; the shares are on Axes inside it.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    UnknownName
        If there is no such palette.

    Examples
    --------
    >>> from qontrast import examples, uncertainty
    >>> found = uncertainty(examples.load("zebra"), "zebra", "horse", scores={"stripes": (0.1, 0.9)}, samples=500)
    >>> plot_uncertainty(found).get_xlabel()
    'gap: strength of “It is a zebra” − strength of “It is a horse”'
    """
    sheet, shown = start_sheet(ax, palette, width, qbaf=found.qbaf), found.ranked()[:limit]
    _draw_distribution(sheet, found)
    labels = [sheet.wrap_parts([label_text(found.qbaf, name)], 9) for name, _ in shown]
    lower = sheet.row_height(labels, 9, least=0.3) * max(1, len(shown)) + 0.1
    space = 0.35 + sheet.line_height(8.5, sheet.ax.get_xlabel().count("\n") + 1)
    below = sheet.ax.inset_axes((0.0, -(space + lower) / UPPER_HEIGHT, 1.0, lower / UPPER_HEIGHT))
    _draw_shares(sheet, below, found, shown, labels)
    return sheet.finish(UPPER_HEIGHT)


def _draw_distribution(sheet: Sheet, found: Uncertainty) -> None:
    """Draw the histogram of the gap, or the curve of the delta method, with the zero line."""
    ax, colours = sheet.ax, sheet.colours
    edges, heights = found.histogram()
    middles = (edges[1:] + edges[:-1]) / 2
    low, high = min(edges[0], -0.02), max(edges[-1], 0.02)
    width = max(float(edges[1] - edges[0]), THINNEST * (high - low))  # a gap that never changes is seen, too
    low, high = min(low, middles[0] - width), max(high, middles[-1] + width)
    for side, colour in ((middles > 0, colours.fact), (middles <= 0, colours.foil)):
        ax.bar(middles[side], heights[side], width, color=colour, linewidth=0)
    ties = found.tie / (1 - found.undefined)  # heights are parts of the defined lanes
    if ties:
        ax.bar([0.0], [ties], width, color=colours.outline, linewidth=0)
    ax.axvline(0.0, color=colours.ink, linewidth=1.2)
    ax.vlines(found.mean, 0.0, heights[middles.searchsorted(found.mean) - 1], color=colours.paper, linestyle="--")
    ax.set_ylim(0.0, 1.04 * max(ties, float(heights.max())))
    ax.set_xlim(low, high)
    to, label = choose("en"), partial(label_text, found.qbaf)
    fact, foil = (shorten(label(topic), 30) for topic in (found.fact, found.foil))
    sheet.write_heads(
        f"◂ {to.write(write_percent(found.behind))} “{foil}” ahead",
        f"{to.write(write_percent(found.probability))} “{fact}” ahead ▸",
    )
    sheet.hide_frame()
    ax.set_yticks([])
    ax.locator_params(axis="x", nbins=3 if sheet.slim else 7)
    format_numbers(ax.xaxis)
    sheet.write_caption(f"gap: strength of “{fact}” − strength of “{foil}”")


def _draw_shares(
    sheet: Sheet, bars: Axes, found: Uncertainty, shown: list[tuple[Name, float]], labels: list[str]
) -> None:
    """Draw the share of each argument in the variance of the gap."""
    rows, colours = np.arange(len(shown)), sheet.colours
    first = np.array([share for _, share in shown]).clip(0.0, 1.0)
    total = np.array([found.total[name] for name, _ in shown]).clip(0.0, 1.0)
    bars.hlines(rows, 0.0, total, color=colours.outline, linewidth=2.0, zorder=1)
    bars.barh(rows, first, height=0.55, color=colours.fill, linewidth=0, zorder=2)
    to = choose("en")
    sheet.label_rows(labels, 9, bars)
    sheet.write_numbers([to.write(write_percent(float(share))) for share in first], 9, ax=bars)
    bars.set_xlim(0.0, 1.0)
    bars.set_xticks([0.0, 0.5, 1.0] if sheet.slim else [0.0, 0.25, 0.5, 0.75, 1.0])
    lines = ["share of the variance of the gap (bar: first order, line: total)", describe_sampling(found)]
    rest = {"tied": found.tie, "undefined": found.undefined}
    lines += [f"{what} in {to.write(write_percent(part))} of cases" for what, part in rest.items() if part > 0]
    left_out = len(found.scores) - len(shown)
    if left_out:
        lines.append(f"{count(left_out, 'argument')} with smaller shares not shown")
    sheet.write_caption(*lines, axis=bars.xaxis)
