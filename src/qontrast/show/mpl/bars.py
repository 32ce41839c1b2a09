"""Bars as matplotlib figures: a contrast beside the effects on each topic alone, a waterfall, one topic's row.

A waterfall is for Shapley values only: no other method's bars add up to the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from ...attribution.methods import Attribution
from ...attribution.players import Edges
from ...errors import Hint, InvalidInput, count
from ...explain.contrast import Contrast
from ...explain.interactions import Interactions
from ...graph.labels import label_text
from ..arcs import MAX_ARCS, Arc, find_arcs, find_room
from ..bar_rows import Row, find_notes, find_parts, find_rows, name_favoured, write_ends, write_gap
from ..numbers import number
from ..palette import name_ink
from ..phrasing import are_shares, choose, name_value
from .axes import Sheet, start_sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_HEIGHT, ARC_ROW_HEIGHT = 0.42, 0.46  # inches of a row with three bars, at least, and beside arcs
STEP_HEIGHT = 0.34  # of a row with one
ARCS, ARC_TYPE = 0.26, 8.0  # share of the width that arcs may take, and the size of their numbers in points
SLIM_LABELS = 0.27  # share of the width of labels beside arcs


def plot_contrast(
    why: Contrast,
    *,
    interactions: Interactions | None = None,
    limit: int = 20,
    palette: str = "default",
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw contributions to a contrast as thick bars, and the effects on each topic alone as thin ones.

    Parameters
    ----------
    why : Contrast
        The contrast.
    interactions : Interactions, optional
        Those of the same question, `interactions(qbaf, fact, foil)`: the strongest between drawn players are arcs
        beside the bars.
    limit : int
        Bars to draw; the caption says how many are left out.
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
        If `interactions` are about another question.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> ax = plot_contrast(contrast(examples.load("zebra"), "zebra", "horse"))
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['It has stripes', 'It eats plants']
    """
    to = choose("en")
    first, rest = find_rows(why, limit, to)
    parts = find_parts(why, to)
    rows = [*first, *parts]
    sheet = start_sheet(ax, palette, width, qbaf=why.qbaf, labels=SLIM_LABELS if interactions else None)
    colours = sheet.colours
    labels = [sheet.wrap_parts(row.lines, rows=1 if interactions else len(rows)) for row in rows]
    height = sheet.row_height(labels, least=ARC_ROW_HEIGHT if interactions else sheet.size(ROW_HEIGHT))
    arcs = find_arcs(interactions, why, rows, to)
    shrink = min(1.0, ARCS * 72 * sheet.width / find_room(arcs)) if arcs else 1.0
    room = (72 * max((sheet.measure(arc.text, ARC_TYPE, bold=True) for arc in arcs), default=0.0) + 4, 14.0)
    most: Any = {"limit": 3 if sheet.slim else MAX_ARCS, "shrink": shrink, "number": room, "row": 72 * height}
    arcs = find_arcs(interactions, why, rows, to, **most)
    for k, row in enumerate(rows):
        _draw_row(sheet, row, k)
    index = interactions.index if arcs and interactions else ""
    notes = [text for text, _ in find_notes(why, rest, rows, to, index=index, named=False)]
    written = [(label, row.text) for label, row in zip(labels, rows, strict=True)]
    _draw_arcs(sheet, arcs, 14 + 72 * write_contrast(sheet, why, written, *notes), shrink)
    if parts and first:
        sheet.ax.axhline(len(first) - 0.5, color=colours.line, linewidth=0.8, linestyle=(0, (2, 2)))
    return sheet.finish(height * max(1, len(rows)))


def _draw_arcs(sheet: Sheet, arcs: Sequence[Arc], start: float, shrink: float) -> None:
    """Draw arcs between rows, from so many points right of the Axes on; then their numbers."""
    if not arcs:
        return
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

    ax, colours = sheet.ax, sheet.colours
    page = ax.get_figure(root=True)
    assert page is not None
    right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type] # any transformation of a point will do
    points = Affine2D().scale(1 / 72) + page.dpi_scale_trans + right
    place = blended_transform_factory(points, ax.transData)
    for arc in arcs:
        handle = start + shrink * arc.reach * 4 / 3
        corners = [(start, arc.upper), (handle, arc.upper), (handle, arc.lower), (start, arc.lower)]
        path = Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        style: dict[str, Any] = {"facecolor": "none", "edgecolor": colours[arc.colour], "linewidth": arc.width}
        ax.add_patch(PathPatch(path, transform=place, clip_on=False, **style))
    behind = {"boxstyle": "round,pad=0.1", "fc": colours.paper, "ec": "none"}
    font: dict[str, Any] = {"fontsize": sheet.size(ARC_TYPE), "fontweight": "bold", "ha": "center", "va": "center"}
    for arc in arcs:
        far, row = arc.number_place
        ink = colours[name_ink(arc.colour)]
        ax.text(start + shrink * far, row, arc.text, color=ink, transform=place, bbox=behind, **font)


def _draw_row(sheet: Sheet, row: Row, place: float) -> None:
    """Draw the bars of a row, and the whiskers of the first."""
    hollow: dict[str, Any] = {"facecolor": "none", "linestyle": (0, (3, 2)), "linewidth": 1.2}
    for k, bar in enumerate(row.bars):
        middle, colour = place - 0.44 + bar.top + bar.height / 2, sheet.colours[bar.colour]
        if bar.hollow:
            sheet.ax.barh(middle, bar.value, height=bar.height, edgecolor=colour, **hollow)
        else:
            _draw_bar(sheet, middle, bar.value, bar.height, colour, row.error if row.whiskers and k == 0 else None)


def _draw_bar(sheet: Sheet, place: float, value: float, height: float, colour: str, error: float | None) -> None:
    reach = None if error is None else 2 * error
    ink = sheet.colours.ink
    sheet.ax.barh(place, value, height=height, color=colour, linewidth=0, xerr=reach, ecolor=ink, capsize=2.5)


def plot_waterfall(
    why: Contrast, *, limit: int = 14, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
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
    sheet, edges = start_sheet(ax, palette, width, qbaf=why.qbaf), isinstance(why.players, Edges)
    ranked = [(name, value) for name, value in why.ranked() if value or not edges]
    drawn = min(limit, len(ranked))
    steps = [(sheet.wrap_parts(write_ends(why.qbaf, name), rows=drawn), value) for name, value in ranked[:limit]]
    if len(ranked) > limit:
        steps.append((count(len(ranked) - limit, "other"), sum(value for _, value in ranked[limit:])))
    # base scores are where it begins
    steps += [(sheet.wrap_parts([row.label]), row.value) for row in find_parts(why, choose("en")) if row.alone]
    draw_steps(sheet, why.base_gap, [value for _, value in steps], why.gap)
    ends = [sheet.wrap_parts([f"Gap of the {what}"]) for what in ("base scores", "strengths")]
    rows = [(ends[0], why.base_gap), *steps, (ends[1], why.gap)]
    written: list[tuple[str, str]] = [(label, number(value, "+")) for label, value in rows]
    written[-1] = (ends[1], write_gap(why.gap, choose("en")))
    write_contrast(sheet, why, written, "each bar starts where the one above ends", shows="gap of strengths")
    return sheet.finish(sheet.row_height([label for label, _ in rows], least=STEP_HEIGHT) * len(rows))


def draw_steps(sheet: Sheet, start: float, steps: Sequence[float], end: float) -> None:
    """Draw steps from one number to another, each bar from where the one above ends."""
    ax, colours, level = sheet.ax, sheet.colours, start
    ax.barh(0, start, height=0.6, color=colours.muted, linewidth=0)
    for k, value in enumerate([*steps, None], 1):
        ax.plot([level, level], [k - 1.3, k + 0.3], color=colours.outline, linewidth=0.8)
        if value is not None:
            ax.barh(k, value, left=level, height=0.6, color=colours[name_favoured(value)], linewidth=0)
            level += value
    ax.barh(len(steps) + 1, end, height=0.6, color=colours.topic, linewidth=0)
    ax.margins(x=0.03)
    ax.use_sticky_edges = False


def plot_attribution(
    one: Attribution, *, limit: int = 20, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw what every argument contributes to one topic: dark where it raises it, light where it lowers it.

    Parameters
    ----------
    one : Attribution
        What `attribute` gives.
    limit : int
        Bars to draw; the caption says how many are left out.
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
    >>> from qontrast import attribute, examples
    >>> plot_attribution(attribute(examples.load("zebra"), "zebra")).get_title()
    'It is a zebra: strength 0.875'
    """
    sheet, ranked = start_sheet(ax, palette, width, qbaf=one.qbaf), one.ranked()
    first, colours = ranked[:limit], sheet.colours
    for k, (name, value) in enumerate(first):
        if not isnan(value):
            error = None if one.std_error is None else one.std_error[name]
            _draw_bar(sheet, k, value, 0.6, colours.fact if value > 0 else colours.fact_soft, error)
    written = ["kink" if isnan(value) else number(value, "+") for _, value in first]
    labels = [sheet.wrap_parts(write_ends(one.qbaf, name), rows=len(first)) for name, _ in first]
    _write_rows(sheet, labels, written)
    more = f" · {len(ranked) - limit} smaller ones not shown" if len(ranked) > limit else ""
    what = name_value(one.method, "strength", players=one.players.kind)
    sheet.write_caption(f"{what} ({one.method}, {one.semantics}){more}")
    said = f"{label_text(one.qbaf, one.topic)}: strength {number(one.strength)}"
    if "\n" in (title := sheet.wrap(said, sheet.width - 0.3, 10, 3)):  # the number is not cut off
        room = sheet.width - 0.3
        title = f"{sheet.wrap(label_text(one.qbaf, one.topic), room, 10)}:\nstrength {number(one.strength)}"
    sheet.write_title(title)
    return sheet.finish(sheet.row_height(labels, least=STEP_HEIGHT) * max(1, len(first)))


def write_contrast(
    sheet: Sheet, why: Contrast, rows: Sequence[tuple[str, str]], *notes: str, shows: str = "", points: float = 9.5
) -> float:
    """Write the rows, over the two ends which side is whose, and below what the bars are.

    Returns how much room the numbers take. `shows` names what the axis shows where bars do not begin at 0.
    """
    room = _write_rows(sheet, [label for label, _ in rows], [text for _, text in rows], points)
    sheet.write_heads(f"◂ {label_text(why.qbaf, why.foil)}", f"{label_text(why.qbaf, why.fact)} ▸")
    what = f"{name_value(why.method, players=why.players.kind, combined=why.combined)} ({why.method}, {why.semantics})"
    sheet.write_caption(f"{shows}; bars: {what}" if shows else what, *notes)
    return room


def _write_rows(sheet: Sheet, labels: Sequence[str], texts: Sequence[str], points: float = 9.5) -> float:
    """Write labels, which are wrapped already, on the left, numbers right-aligned on the right; draw a line at 0."""
    sheet.ax.axvline(0, color=sheet.colours.ink, linewidth=0.9, zorder=3)
    low, high = sheet.ax.get_xlim()
    room = 0.13 * (high - low)
    sheet.ax.set_xlim(min(low, -room), max(high, room))
    sheet.label_rows(labels, points)
    return sheet.write_numbers(texts, points)
