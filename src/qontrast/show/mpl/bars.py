"""Bars as matplotlib figures: a contrast beside the effects on each topic alone, a waterfall, one topic's row.

A waterfall is for Shapley values only: no other method's bars add up to the gap.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from ...attribution.methods import Attribution
from ...errors import Hint, InvalidInput
from ...explain.contrast import Contrast
from ...graph.labels import label_text
from ..bar_rows import Row, find_parts, find_rows
from ..narrative import are_shares
from ..numbers import number
from ..palette import Palette, find_palette
from ..phrasing import choose, name_value
from .axes import axes, lines, minus, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_contrast(why: Contrast, *, limit: int = 20, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw contributions to a contrast as thick bars, and the effects on each topic alone as thin ones.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Bars to draw; the caption says how many are left out.
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
    >>> from qontrast import contrast, examples
    >>> ax = plot_contrast(contrast(examples.load("zebra"), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['It has stripes', 'It eats plants']
    """
    colours = find_palette(palette)
    to = choose("en")
    first, rest = find_rows(why, limit, to)
    other = find_parts(why, to)
    drawn = [*first, *other]
    ax = axes(ax, 7.4, 1.7 + 0.46 * max(1, len(drawn)))
    for k, row in enumerate(drawn):
        _thick(ax, row, k, colours)
        for value, shift, colour in ((row.fact, 0.16, colours.fact_soft), (row.foil, 0.31, colours.foil_soft)):
            if not isnan(value):
                ax.barh(k + shift, value, height=0.13, color=colour)
    _labels(ax, [row.label for row in drawn], [row.text for row in drawn])
    if other and first:
        ax.axhline(len(first) - 0.5, color=colours.line, linewidth=0.8, linestyle=(0, (2, 2)))
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    _heads(ax, fact, foil, colours)
    notes = [f"{len(rest)} smaller ones not shown"] if rest else []
    notes += ["whiskers: two standard errors"] if why.std_error is not None else []
    notes += ["hollow: slopes from both sides of a kink"] if any(isnan(row.value) for row in drawn) else []
    ax.set_xlabel(_caption(why, "thin: the same for each topic alone (upper: fact, lower: foil)", *notes), fontsize=8.5)
    return ax


def _thick(ax: Axes, row: Row, place: float, colours: Palette) -> None:
    if not isnan(row.value):
        colour = colours.fact if row.value > 0 else colours.foil
        error = None if row.error is None else 2 * row.error
        ax.barh(place - 0.11, row.value, height=0.36, color=colour, xerr=error, ecolor=colours.ink, capsize=2.5)
        return
    for k, side in enumerate(row.sides or ()):
        colour = colours.fact if side > 0 else colours.foil
        style: dict[str, Any] = {"facecolor": "none", "edgecolor": colour, "linestyle": (0, (3, 2)), "linewidth": 1.2}
        ax.barh(place - 0.2 + 0.18 * k, side, height=0.16, **style)


def plot_waterfall(why: Contrast, *, limit: int = 14, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw the steps from the gap of the base scores to the gap of the strengths, one for each argument.

    Only values that add up to the gap can be drawn so: Shapley values, exact or sampled.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Steps to draw; the others are one step.
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
    InvalidInput
        If the values do not add up to the gap.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> ax = plot_waterfall(contrast(examples.load("zebra"), "zebra", "horse"))
    >>> ax.get_yticklabels()[-1].get_text()
    'Gap of the strengths'
    """
    if not are_shares(why):
        what = "combined values" if why.combined else f"{why.method} values"
        raise InvalidInput(
            f"a waterfall needs bars that add up to the gap, and {what} do not",
            hints=[Hint("method", ("shapley",)), Hint("figure", ("bars",))],
        )
    colours = find_palette(palette)
    ranked = why.ranked()
    steps = [(label_text(why.qbaf, name), value) for name, value in ranked[:limit]]
    if len(ranked) > limit:
        steps.append((f"{len(ranked) - limit} others", sum(value for _, value in ranked[limit:])))
    steps += [
        (row.label, row.value) for row in find_parts(why, choose("en")) if row.alone
    ]  # base scores are where it begins
    ax = axes(ax, 7.4, 1.5 + 0.36 * (len(steps) + 2))
    at, level = 0, why.base_gap
    ax.barh(0, level, height=0.6, color=colours.muted)
    for at, (_, value) in enumerate(steps, 1):
        ax.plot([level, level], [at - 1.3, at + 0.3], color=colours.outline, linewidth=0.8)
        ax.barh(at, value, left=level, height=0.6, color=colours.fact if value > 0 else colours.foil)
        level += value
    ax.plot([level, level], [at - 0.3, at + 1.3], color=colours.outline, linewidth=0.8)
    ax.barh(at + 1, why.gap, height=0.6, color=colours.topic)
    ax.margins(x=0.03)
    ax.use_sticky_edges = False
    texts = ["Gap of the base scores", *(label for label, _ in steps), "Gap of the strengths"]
    _labels(ax, texts, [number(why.base_gap, "+"), *(number(value, "+") for _, value in steps), number(why.gap, "+")])
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    _heads(ax, fact, foil, colours)
    ax.set_xlabel(_caption(why, "each bar starts where the one above ends"), fontsize=8.5)
    return ax


def plot_attribution(one: Attribution, *, limit: int = 20, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw what every argument contributes to one topic: dark where it raises it, light where it lowers it.

    Parameters
    ----------
    one : Attribution
        What `attribute` gives.
    limit : int
        Bars to draw; the caption says how many are left out.
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
    >>> from qontrast import attribute, examples
    >>> plot_attribution(attribute(examples.load("zebra"), "zebra")).get_title()
    'It is a zebra: strength 0.875'
    """
    colours = find_palette(palette)
    ranked = one.ranked()
    shown = ranked[:limit]
    ax = axes(ax, 6.6, 1.2 + 0.34 * max(1, len(shown)))
    for k, (name, value) in enumerate(shown):
        if not isnan(value):
            error = None if one.std_error is None else 2 * one.std_error[name]
            colour = colours.fact if value > 0 else colours.fact_soft
            ax.barh(k, value, height=0.6, color=colour, xerr=error, ecolor=colours.ink, capsize=2.5)
    written = ["kink" if isnan(value) else number(value, "+") for _, value in shown]
    _labels(ax, [label_text(one.qbaf, name) for name, _ in shown], written)
    more = f" · {len(ranked) - limit} smaller ones not shown" if len(ranked) > limit else ""
    ax.set_xlabel(f"{name_value(one.method, 'strength')} ({one.method}, {one.semantics}){more}", fontsize=8.5)
    topic = lines(label_text(one.qbaf, one.topic), 60, 1)
    ax.set_title(
        f"{topic}: strength {number(one.strength)}",
        fontsize=10,
        parse_math=False,
    )
    return ax


def _labels(ax: Axes, labels: list[str], values: list[str]) -> None:
    """Labels on the left, numbers right-aligned on the right, a line at 0."""
    ax.axvline(0, color="#0f172a", linewidth=0.9, zorder=3)
    ax.set_yticks(range(len(labels)), [lines(label) for label in labels], parse_math=False)
    ax.set_ylim(len(labels) - 0.45, -0.6)
    low, high = ax.get_xlim()
    room = 0.13 * (high - low)
    ax.set_xlim(min(low, -room), max(high, room))
    quiet(ax)
    ax.tick_params(axis="y", length=0, labelcolor="#0f172a", labelsize=9.5)
    minus(ax)
    longest = max(map(len, values), default=6)
    for k, text in enumerate(values):
        where: dict[str, Any] = {"xy": (1, k), "xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        ax.annotate(text, xytext=(10 + 5.9 * longest, 0), ha="right", va="center", fontsize=9.5, **where)


def _heads(ax: Axes, fact: str, foil: str, colours: Palette) -> None:
    """Which side is whose, over the two ends."""
    ends = ((0, f"◂ {foil}", "left", colours.foil_ink), (1, f"{fact} ▸", "right", colours.fact_ink))
    for x, text, side, colour in ends:
        ax.annotate(
            lines(text, 28),
            xy=(x, 1),
            xycoords="axes fraction",
            xytext=(0, 4),
            textcoords="offset points",
            ha=side,
            va="bottom",
            fontsize=9,
            fontweight="bold",
            color=colour,
            parse_math=False,
        )


def _caption(why: Contrast, *notes: str) -> str:
    return "\n".join(
        [
            f"{name_value(why.method, combined=why.combined)} ({why.method}, {why.semantics})",
            " · ".join(notes[:1]),
            *notes[1:],
        ]
    )
