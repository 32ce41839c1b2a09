"""The difference between versions of a graph as matplotlib figures: shares of one step, and the gap over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import count
from ...explain.change import Change
from ...explain.history import History
from ...graph.labels import label_text, shorten, visible
from ..bar_rows import name_favoured, write_gap
from ..change_texts import find_main_reason, label_unit
from ..numbers import number
from ..palette import name_ink
from ..phrasing import choose
from .axes import Sheet, format_numbers, start_sheet
from .bars import STEP_HEIGHT, draw_steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HISTORY_HEIGHT = 2.8  # inches of the Axes


def plot_change(
    found: Change, *, limit: int = 14, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the steps from the gap of the version before to the gap of the version after, one for each change.

    Parameters
    ----------
    found : Change
        What `change` gives.
    limit : int
        Steps to draw; the others are one step.
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
    sheet, ranked = start_sheet(ax, palette, width, qbaf=found.qbaf), found.ranked()
    drawn = min(limit, len(ranked))
    steps = [(sheet.wrap_parts([label_unit(found, unit)], rows=drawn), share) for unit, share in ranked[:limit]]
    if len(ranked) > limit:
        steps.append((count(len(ranked) - limit, "other"), sum(share for _, share in ranked[limit:])))
    draw_steps(sheet, found.gap_before, [share for _, share in steps], found.gap_after)
    rows = [("before", found.gap_before), *steps, ("after", found.gap_after)]
    labels = [label for label, _ in rows]
    sheet.label_rows(labels)
    texts: list[str] = [number(value, "+") for _, value in rows]
    if found.foil is not None:
        texts[0], texts[-1] = (write_gap(gap, choose("en")) for gap in (found.gap_before, found.gap_after))
        sheet.write_heads(f"◂ {label_text(found.qbaf, found.foil)}", f"{label_text(found.qbaf, found.fact)} ▸")
    sheet.write_numbers(texts)
    sheet.ax.axvline(0, color=sheet.colours.outline, linewidth=0.8)
    sheet.write_caption(_name_gap(found))
    return sheet.finish(sheet.row_height(labels, least=STEP_HEIGHT) * len(rows))


def plot_history(
    found: History, *, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the gap in every version, and write beside each step which change had the largest share in it.

    Parameters
    ----------
    found : History
        What `history` gives.
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
    >>> from qontrast import examples, history
    >>> q = examples.load("zebra")
    >>> ax = plot_history(history([q, q.with_base_scores({"stripes": 0.25})], "zebra", "horse"))
    >>> ax.get_ylabel(), [text.get_text() for text in ax.texts]
    ('gap: It is a zebra − It is a horse', ['the base score of “It has stripes”\\n(0.500 → 0.250) −0.188'])
    """
    gaps = found.gaps
    sheet = start_sheet(ax, palette, width, qbaf=found.qbaf, natural=max(5.0, 1.8 * len(gaps) + 1.5))
    ax, colours, places = sheet.ax, sheet.colours, list(range(len(gaps)))
    ax.plot(places, gaps, color=colours.topic, linewidth=1.9, marker="o", markersize=5, zorder=3)
    if found.foil is not None:
        ax.axhline(0, color=colours.outline, linewidth=0.8, zorder=1)
    ax.margins(x=0.08, y=0.12)
    sheet.hide_frame(keep=("bottom", "left"))
    format_numbers(ax.yaxis)
    label = sheet.wrap(_name_gap(found), HISTORY_HEIGHT, 9, 3)
    ax.set_ylabel(label, fontsize=sheet.size(9), color=colours.muted, parse_math=False)
    room = sheet.width - 0.75 - sheet.line_height(9, label.count("\n") + 1)
    names = [sheet.wrap(visible(name), 0.92 * room / len(gaps), 9, 3) for name in found.names]
    ax.set_xticks(places, names, parse_math=False)
    _write_reasons(sheet, found, 0.86 * room / len(gaps))
    return sheet.finish(HISTORY_HEIGHT)


def _write_reasons(sheet: Sheet, found: History, room: float) -> None:
    """Write above each step what made it; below the figure where the steps have less than an inch each."""
    to, steps = choose("en"), found.steps
    reasons = [visible(to.write(find_main_reason(step))) for step in steps]
    if room < 1.0:
        texts = [str(k) for k in range(1, len(steps) + 1)]
        sheet.write_caption(*(f"{k}: {reason}" for k, reason in zip(texts, reasons, strict=True)))
    else:
        texts = [sheet.wrap(reason, room, 7.5, 6) for reason in reasons]
    place: Any = sheet.ax.get_xaxis_transform()  # above the line, wherever it runs
    font: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": sheet.size(7.5), "parse_math": False}
    for k, (step, text) in enumerate(zip(steps, texts, strict=True)):
        ink = sheet.colours[name_ink(name_favoured(step.gap_after - step.gap_before))]
        sheet.ax.text(k + 0.5, 1.0, text, transform=place, color=ink, **font)


def _name_gap(found: Change | History) -> str:
    """Write what the gap is: `gap: zebra − horse`, or the strength of one topic."""
    fact = shorten(label_text(found.qbaf, found.fact))
    if found.foil is None:
        return f"strength of {fact}"
    return f"gap: {fact} − {shorten(label_text(found.qbaf, found.foil))}"
