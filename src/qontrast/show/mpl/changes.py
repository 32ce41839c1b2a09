"""The difference between versions of a graph as matplotlib figures: shares of one step, and the gap over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import count
from ...explain.change import Change
from ...explain.history import History
from ...graph.labels import label_text, visible
from ..bar_rows import name_favoured
from ..change_texts import find_main_reason, label_unit
from ..numbers import number
from ..palette import find_palette
from ..phrasing import choose
from .axes import format_numbers, hide_frame, label_rows, make_axes, wrap_label
from .bars import draw_steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_change(found: Change, *, limit: int = 14, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw the steps from the gap of the version before to the gap of the version after, one for each change.

    Parameters
    ----------
    found : Change
        What `change` gives.
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
    UndefinedStrength
        If the shares need a graph that has no strengths.

    Examples
    --------
    >>> from qontrast import change, examples
    >>> q = examples.load("zebra")
    >>> ax = plot_change(change(q, q.with_base_scores({"stripes": 0.25}), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['before', 'base score of It has stripes', 'after']
    """
    colours, ranked = find_palette(palette), found.ranked()
    steps = [(wrap_label(label_unit(found, unit), 36), share) for unit, share in ranked[:limit]]
    if len(ranked) > limit:
        steps.append((count(len(ranked) - limit, "other"), sum(share for _, share in ranked[limit:])))
    ax = make_axes(ax, 7.4, 1.5 + 0.36 * (len(steps) + 2))
    draw_steps(ax, found.gap_before, [share for _, share in steps], found.gap_after, colours)
    rows = [("before", found.gap_before), *steps, ("after", found.gap_after)]
    label_rows(ax, [label for label, _ in rows], colours.ink, 9.5)
    right: Any = ax.get_yaxis_transform()
    for k, (_, value) in enumerate(rows):
        ax.text(1.02, k, number(value, "+"), transform=right, va="center", fontsize=9, color=colours.ink)
    ax.axvline(0, color=colours.outline, linewidth=0.8)
    ax.set_xlabel(_name_gap(found), fontsize=9, parse_math=False)
    return ax


def plot_history(found: History, *, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw the gap in every version, and write beside each step which change had the largest share in it.

    Parameters
    ----------
    found : History
        What `history` gives.
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
    >>> from qontrast import examples, history
    >>> q = examples.load("zebra")
    >>> ax = plot_history(history([q, q.with_base_scores({"stripes": 0.25})], "zebra", "horse"))
    >>> ax.get_ylabel(), [text.get_text() for text in ax.texts]
    ('It is a zebra − It is a horse', ['the base score of “It has\\nstripes” (0.500 → 0.250)\\n−0.188'])
    """
    colours, to, gaps = find_palette(palette), choose("en"), found.gaps
    ax = make_axes(ax, max(5.0, 1.8 * len(gaps) + 1.5), 3.8)
    places = list(range(len(gaps)))
    ax.plot(places, gaps, color=colours.topic, linewidth=1.9, marker="o", markersize=5, zorder=3)
    if found.foil is not None:
        ax.axhline(0, color=colours.outline, linewidth=0.8, zorder=1)
    for k, step in enumerate(found.steps):
        favoured = name_favoured(step.gap_after - step.gap_before)
        text = wrap_label(to.write(find_main_reason(step)), 28, 3)
        place: Any = ax.get_xaxis_transform()  # above the line, wherever it runs
        ax.text(
            k + 0.5,
            1.0,
            text,
            transform=place,
            ha="center",
            va="bottom",
            fontsize=7.5,
            color=colours[favoured],
            parse_math=False,
        )
    ax.margins(x=0.08, y=0.12)
    hide_frame(ax, keep=("bottom", "left"))
    format_numbers(ax.yaxis)
    ax.set_xticks(places, [wrap_label(visible(name), 18) for name in found.names], parse_math=False)
    ax.set_ylabel(_name_gap(found), fontsize=9, parse_math=False)
    return ax


def _name_gap(found: Change | History) -> str:
    """Write what the gap is: `zebra − horse`, or the strength of one topic."""
    fact = wrap_label(label_text(found.qbaf, found.fact), 40, 1)
    if found.foil is None:
        return f"strength of {fact}"
    return f"{fact} − {wrap_label(label_text(found.qbaf, found.foil), 40, 1)}"
