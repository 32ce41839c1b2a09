"""Bars as matplotlib figures: a contrast beside the effects on each topic alone, a waterfall, one topic's row.

A waterfall is for Shapley values only: no other method's bars add up to the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...attribution.methods import Attribution
from ...attribution.players import Edges
from ...errors import Hint, InvalidInput, count
from ...explain.contrast import Contrast
from ...explain.interactions import Interactions
from ...graph.labels import label_text
from ...graph.qbaf import Qbaf
from ..arcs import Arc, find_arcs, find_room
from ..bar_rows import Row, find_notes, find_parts, find_rows, name_favoured, write_ends
from ..numbers import number
from ..palette import LIGHT, Palette, find_palette
from ..phrasing import are_shares, choose, name_value
from .axes import label_rows, make_axes, wrap_ends, wrap_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = LIGHT.ink
NUMBER_WIDTH = 5.9  # points, of a character of the numbers on the right


def plot_contrast(
    why: Contrast,
    *,
    interactions: Interactions | None = None,
    limit: int = 20,
    palette: str = "default",
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
    colours, to = find_palette(palette), choose("en")
    first, rest = find_rows(why, limit, to)
    parts = find_parts(why, to)
    rows = [*first, *parts]
    arcs = find_arcs(interactions, why, rows, to)
    ax = make_axes(ax, 7.4 + find_room(arcs) / 72, 1.7 + 0.46 * max(1, len(rows)))
    for k, row in enumerate(rows):
        _draw_row(ax, row, k, colours)
    index = interactions.index if arcs and interactions else ""
    notes = [text for text, _ in find_notes(why, rest, rows, to, index=index, named=False)]
    write_contrast(ax, why, [(wrap_ends(row.lines), row.text) for row in rows], colours, *notes)
    _draw_arcs(ax, arcs, 18 + NUMBER_WIDTH * max((len(row.text) for row in rows), default=0), colours)
    if parts and first:
        ax.axhline(len(first) - 0.5, color=colours.line, linewidth=0.8, linestyle=(0, (2, 2)))
    return ax


def _draw_arcs(ax: Axes, arcs: Sequence[Arc], start: float, colours: Palette) -> None:
    """Draw arcs between rows, from so many points right of the Axes on; then their numbers."""
    if not arcs:
        return
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

    page = ax.get_figure(root=True)
    assert page is not None
    right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type] # any transformation of a point will do
    points = Affine2D().scale(1 / 72) + page.dpi_scale_trans + right
    place = blended_transform_factory(points, ax.transData)
    for arc in arcs:
        handle = start + arc.reach * 4 / 3
        corners = [(start, arc.upper), (handle, arc.upper), (handle, arc.lower), (start, arc.lower)]
        path = Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        style: dict[str, Any] = {"facecolor": "none", "edgecolor": colours[arc.colour], "linewidth": arc.width}
        ax.add_patch(PathPatch(path, transform=place, clip_on=False, **style))
    behind = {"boxstyle": "round,pad=0.1", "fc": colours.paper, "ec": "none"}
    for arc in arcs:
        font: dict[str, Any] = {"fontsize": 8.5, "fontweight": "bold", "ha": "center", "va": "center", "bbox": behind}
        far, row = arc.number_place
        ax.text(start + far, row, arc.text, color=colours[f"{arc.colour}_ink"], transform=place, **font)


def _draw_row(ax: Axes, row: Row, place: float, colours: Palette) -> None:
    """Draw the bars of a row, and the whiskers of the first."""
    hollow: dict[str, Any] = {"facecolor": "none", "linestyle": (0, (3, 2)), "linewidth": 1.2}
    for k, bar in enumerate(row.bars):
        middle, colour = place - 0.44 + bar.top + bar.height / 2, colours[bar.colour]
        if bar.hollow:
            ax.barh(middle, bar.value, height=bar.height, edgecolor=colour, **hollow)
        else:
            _draw_bar(ax, middle, bar.value, bar.height, colour, row.error if row.whiskers and k == 0 else None)


def _draw_bar(ax: Axes, place: float, value: float, height: float, colour: str, error: float | None) -> None:
    reach = None if error is None else 2 * error
    ax.barh(place, value, height=height, color=colour, xerr=reach, ecolor=INK, capsize=2.5)


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
    colours, edges = find_palette(palette), isinstance(why.players, Edges)
    ranked = [(name, value) for name, value in why.ranked() if value or not edges]
    steps = [(wrap_player(why.qbaf, name), value) for name, value in ranked[:limit]]
    if len(ranked) > limit:
        steps.append((count(len(ranked) - limit, "other"), sum(value for _, value in ranked[limit:])))
    # base scores are where it begins
    steps += [(wrap_label(row.label), row.value) for row in find_parts(why, choose("en")) if row.alone]
    ax = make_axes(ax, 7.4, 1.5 + 0.36 * (len(steps) + 2))
    draw_steps(ax, why.base_gap, [value for _, value in steps], why.gap, colours)
    rows = [("Gap of the base scores", why.base_gap), *steps, ("Gap of the strengths", why.gap)]
    written = [(label, number(value, "+")) for label, value in rows]
    write_contrast(ax, why, written, colours, "each bar starts where the one above ends")
    return ax


def draw_steps(ax: Axes, start: float, steps: Sequence[float], end: float, colours: Palette) -> None:
    """Draw steps from one number to another, each bar from where the one above ends."""
    level = start
    ax.barh(0, start, height=0.6, color=colours.muted)
    for k, value in enumerate([*steps, None], 1):
        ax.plot([level, level], [k - 1.3, k + 0.3], color=colours.outline, linewidth=0.8)
        if value is not None:
            ax.barh(k, value, left=level, height=0.6, color=colours[name_favoured(value)])
            level += value
    ax.barh(len(steps) + 1, end, height=0.6, color=colours.topic)
    ax.margins(x=0.03)
    ax.use_sticky_edges = False


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
    colours, ranked = find_palette(palette), one.ranked()
    first = ranked[:limit]
    ax = make_axes(ax, 6.6, 1.2 + 0.34 * max(1, len(first)))
    for k, (name, value) in enumerate(first):
        if not isnan(value):
            error = None if one.std_error is None else one.std_error[name]
            _draw_bar(ax, k, value, 0.6, colours.fact if value > 0 else colours.fact_soft, error)
    written = ["kink" if isnan(value) else number(value, "+") for _, value in first]
    _write_rows(ax, [(wrap_player(one.qbaf, name), text) for (name, _), text in zip(first, written, strict=True)])
    more = f" · {len(ranked) - limit} smaller ones not shown" if len(ranked) > limit else ""
    ax.set_xlabel(
        f"{name_value(one.method, 'strength', players=one.players.kind)} ({one.method}, {one.semantics}){more}",
        fontsize=8.5,
    )
    topic = wrap_label(label_text(one.qbaf, one.topic), 60, 1)
    ax.set_title(f"{topic}: strength {number(one.strength)}", fontsize=10, parse_math=False)
    return ax


def wrap_player(qbaf: Qbaf, name: Any, width: int = 30) -> str:
    """Write a player in two lines at most: an argument, a group, or an edge with a line for each end."""
    return wrap_ends(write_ends(qbaf, name), width)


def write_contrast(ax: Axes, why: Contrast, rows: Sequence[tuple[str, str]], colours: Palette, *notes: str) -> None:
    """Write the rows, over the two ends which side is whose, and below what the bars are."""
    _write_rows(ax, rows)
    fact, foil = label_text(why.qbaf, why.fact), label_text(why.qbaf, why.foil)
    place: dict[str, Any] = {"xycoords": "axes fraction", "xytext": (0, 4), "textcoords": "offset points"}
    font: dict[str, Any] = {"va": "bottom", "fontsize": 9, "fontweight": "bold", "parse_math": False}
    ax.annotate(wrap_label(f"◂ {foil}", 28), xy=(0, 1), ha="left", color=colours.foil_ink, **place, **font)
    ax.annotate(wrap_label(f"{fact} ▸", 28), xy=(1, 1), ha="right", color=colours.fact_ink, **place, **font)
    what = f"{name_value(why.method, players=why.players.kind, combined=why.combined)} ({why.method}, {why.semantics})"
    ax.set_xlabel("\n".join([what, *(line for note in notes for line in wrap(note, 96))]), fontsize=8.5)


def _write_rows(ax: Axes, rows: Sequence[tuple[str, str]]) -> None:
    """Write labels, which are wrapped already, on the left, numbers right-aligned on the right; draw a line at 0."""
    ax.axvline(0, color=INK, linewidth=0.9, zorder=3)
    low, high = ax.get_xlim()
    room = 0.13 * (high - low)
    ax.set_xlim(min(low, -room), max(high, room))
    label_rows(ax, [label for label, _ in rows], INK, 9.5)
    longest = max((len(text) for _, text in rows), default=6)
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    for k, (_, text) in enumerate(rows):
        ax.annotate(text, (1, k), (10 + NUMBER_WIDTH * longest, 0), ha="right", va="center", fontsize=9.5, **place)
