"""How sure an order is, as a matplotlib figure: the distribution of the gap, and where the doubt comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import count
from ...explain.uncertainty import Uncertainty
from ...extras import require
from ...graph.labels import label_text
from ..palette import Palette, find_palette
from ..phrasing import choose
from ..uncertainty_texts import describe_sampling, write_percent
from .axes import format_numbers, hide_frame, label_rows, make_axes, wrap_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...types import Name

ROW_HEIGHT = 0.34  # inches of a bar
UPPER_HEIGHT = 2.6  # inches of the distribution
SPACE = 0.65  # inches between the two parts
CAPTION = 0.85  # inches below them
WIDTH, LEFT = 7.4, 2.0  # inches of the figure, and of the labels


def plot_uncertainty(found: Uncertainty, *, limit: int = 8, palette: str = "default", ax: Axes | None = None) -> Axes:
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
    >>> found = uncertainty(examples.load("zebra"), "zebra", "horse", scores={"stripes": (0.1, 0.9)}, samples=200)
    >>> plot_uncertainty(found).get_xlabel()
    'gap: strength of “It is a zebra” − strength of “It is a horse”'
    """
    require("matplotlib", "a figure")
    colours, shown = find_palette(palette), found.ranked()[:limit]
    lower = ROW_HEIGHT * max(1, len(shown)) + 0.1
    if ax is None:  # no layout of matplotlib's own leaves room for Axes below others
        height = UPPER_HEIGHT + SPACE + lower + CAPTION
        ax = make_axes(None, WIDTH, height, bare=True)
        ax.set_position(
            (LEFT / WIDTH, 1 - UPPER_HEIGHT / height, 1 - (LEFT + 0.2) / WIDTH, (UPPER_HEIGHT - 0.15) / height)
        )
    _draw_distribution(ax, found, colours)
    below = ax.inset_axes((0.0, -(SPACE + lower) / UPPER_HEIGHT, 1.0, lower / UPPER_HEIGHT))
    _draw_shares(below, found, shown, colours)
    return ax


def _draw_distribution(ax: Axes, found: Uncertainty, colours: Palette) -> None:
    """Draw the histogram of the gap, or the curve of the delta method, with the zero line."""
    edges, heights = found.histogram()
    middles = (edges[1:] + edges[:-1]) / 2
    width = float(edges[1] - edges[0])
    for side, colour in ((middles > 0, colours.fact), (middles <= 0, colours.foil)):
        ax.bar(middles[side], heights[side], width, color=colour, linewidth=0)
    ties = found.tie / (1 - found.undefined)  # heights are parts of the defined lanes
    if ties:
        ax.bar([0.0], [ties], width, color=colours.outline, linewidth=0)
    ax.axvline(0.0, ymax=0.82, color=colours.ink, linewidth=1.2)
    ax.vlines(found.mean, 0.0, heights[middles.searchsorted(found.mean) - 1], color=colours.paper, linestyle="--")
    ax.set_ylim(0.0, max(ties, float(heights.max())) / 0.77)
    ax.set_xlim(min(edges[0], -0.02), max(edges[-1], 0.02))
    to = choose("en")
    for x, align, part, topic, colour in (
        (0.0, "left", found.behind, found.foil, colours.foil_ink),
        (1.0, "right", found.probability, found.fact, colours.fact_ink),
    ):
        said = f"{to.write(write_percent(part))}\n“{wrap_label(label_text(found.qbaf, topic), 26, 1)}” ahead"
        ax.text(x, 1.0, said, ha=align, va="top", color=colour, fontsize=9.5, transform=ax.transAxes, parse_math=False)
    hide_frame(ax)
    ax.set_yticks([])
    format_numbers(ax.xaxis)
    names = [wrap_label(label_text(found.qbaf, topic), 30, 1) for topic in (found.fact, found.foil)]
    ax.set_xlabel("gap: strength of “{}” − strength of “{}”".format(*names), fontsize=9, parse_math=False)


def _draw_shares(bars: Axes, found: Uncertainty, shown: list[tuple[Name, float]], colours: Palette) -> None:
    """Draw the share of each argument in the variance of the gap."""
    rows = np.arange(len(shown))
    first = np.array([share for _, share in shown]).clip(0.0, 1.0)
    total = np.array([found.total[name] for name, _ in shown]).clip(0.0, 1.0)
    bars.hlines(rows, 0.0, total, color=colours.outline, linewidth=2.0, zorder=1)
    bars.barh(rows, first, height=0.55, color=colours.fill, zorder=2)
    to = choose("en")
    for row, (share, reach) in enumerate(zip(first, np.maximum(first, total), strict=True)):
        text = to.write(write_percent(float(share)))
        bars.text(reach + 0.01, row, text, va="center", fontsize=9, color=colours.ink)
    label_rows(bars, [wrap_label(label_text(found.qbaf, name), 34, 1) for name, _ in shown], colours.ink, 9)
    bars.set_xlim(0.0, 1.1)
    bars.set_xticks([0.0, 0.25, 0.5, 0.75, 1.0])
    lines = ["share of the variance of the gap (bar: first order, line: total)", describe_sampling(found)]
    rest = {"tied": found.tie, "undefined": found.undefined}
    lines += [f"{what} in {to.write(write_percent(part))} of cases" for what, part in rest.items() if part > 0]
    left_out = len(found.scores) - len(shown)
    if left_out:
        lines.append(f"{count(left_out, 'argument')} with smaller shares not shown")
    bars.set_xlabel("\n".join(lines), fontsize=8.5, parse_math=False)
