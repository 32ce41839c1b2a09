"""Many topics, or strengths over time, as matplotlib figures: all pairs, a ranking, convergence."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ...explain.pairs import Pairs
from ...explain.ranking import Ranking
from ...explain.trajectory import Trajectory
from ...graph.labels import label_text, quote_label, shorten
from ...results.base import TIE_TOLERANCE
from ...results.order import sort_by_size
from ...types import Name
from ..numbers import SHOWN_AS_ZERO, number
from .axes import MANY_ROWS, Sheet, format_numbers, start_sheet
from .cells import draw_cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_WIDTH = 11.0  # inches of a figure of pairs whose width is not given
BAR = 0.36  # height of a bar of a ranking, as a share of its row
CURVES = 2.9  # inches, the height of the Axes of a trajectory
DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 1.5)), (0, (8, 2)))


def plot_pairs(
    pairs: Pairs,
    of: Name | None = None,
    *,
    palette: str = "default",
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table of all pairs of topics: the gap of row over column, or what one argument contributes to it.

    Parameters
    ----------
    pairs : Pairs
        What `all_pairs` gives.
    of : Name, optional
        The argument whose contributions are shown; gaps if not given.
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
    >>> from qontrast import all_pairs, examples
    >>> plot_pairs(all_pairs(examples.load("zebra"))).get_xlabel()
    'gap, row over column (shapley, df-quad)'
    """
    qbaf, size = pairs.qbaf, len(pairs.topics)
    values = pairs.gaps if of is None else pairs.tensor[:, :, qbaf.index(of)]
    natural = min(MAX_WIDTH, 2.4 + (1.35 if size <= 4 else 0.95) * size)
    sheet = start_sheet(ax, palette, width, qbaf=qbaf, natural=natural)
    cells = np.where(np.eye(size, dtype=bool), np.nan, values)
    texts = [[_cell(values[i, j], i == j) for j in range(size)] for i in range(size)]
    labels = [label_text(qbaf, topic) for topic in pairs.topics]
    height, notes = draw_cells(sheet, cells, texts, labels, labels, top=True)
    what = "gap" if of is None else f"contribution of {quote_label(qbaf, of)}"
    how = f"{pairs.phi.method}, {pairs.phi.problem.semantics.name}"
    sheet.write_caption(f"{what}, row over column ({how})", *notes)
    return sheet.finish(height)


def _cell(value: float, own: bool) -> str:
    if own:
        return "·"
    if isnan(value):
        return "–"
    if abs(value) <= TIE_TOLERANCE:
        return "tied"
    return number(value, "+") if abs(value) >= SHOWN_AS_ZERO else "≈ 0"


def plot_ranking(
    ranking: Ranking, *, palette: str = "default", width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw topics from the strongest down, with a notch at the base score and what makes each difference.

    Parameters
    ----------
    ranking : Ranking
        What `rank` gives.
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
    >>> from qontrast import examples, rank
    >>> [label.get_text() for label in plot_ranking(rank(examples.load("zebra"))).get_yticklabels()][0]
    '1. It is a zebra'
    """
    sheet = start_sheet(ax, palette, width, qbaf=ranking.qbaf)
    ax, colours = sheet.ax, sheet.colours
    for k, topic in enumerate(ranking.order):
        strength, colour = ranking.strengths[topic], colours.fact if ranking.places[k] == 1 else colours.fill
        ax.barh(k, strength, height=BAR, color=colour, linewidth=0)
        base = ranking.qbaf.base_scores[topic]
        ax.plot([base, base], [k - 0.68 * BAR, k + 0.68 * BAR], color=colours.ink, linewidth=1.6, zorder=3)
    labels = [label_text(ranking.qbaf, topic) for topic in ranking.order]
    lines = 3 if len(labels) <= MANY_ROWS else 2
    short = sheet.slim and len(labels) > MANY_ROWS
    numbered = [
        sheet.wrap(f"{place}. {label}", sheet.label_width, 10, lines if sheet.slim else lines - 1)
        for place, label in zip(ranking.places, labels, strict=True)
    ]
    sheet.label_rows(numbered, 10)
    sheet.write_numbers([number(ranking.strengths[topic]) for topic in ranking.order])
    steps = [
        sheet.wrap(_step(ranking, k, short), sheet.width - 0.25, 8.5, lines - 1) for k in range(len(ranking.steps))
    ]
    _write_steps(sheet, steps)
    ax.set_ylim(len(numbered) - 0.5, -0.5)
    ax.set_xlim(0, max(1.0, *(1.02 * ranking.strengths[topic] for topic in ranking.order)))
    sheet.write_caption("strength (notch: base score)")
    between = sheet.row_height(steps, 8.5) + 0.04 if steps else 0.0
    return sheet.finish((sheet.row_height(numbered, 10, least=0.34) + between) * len(numbered))


def _write_steps(sheet: Sheet, steps: Sequence[str]) -> None:
    """Write between two rows what makes the difference, from the left of the figure on."""
    from matplotlib.transforms import blended_transform_factory

    place = blended_transform_factory(sheet.ax.figure.transSubfigure, sheet.ax.transData)
    font: dict[str, Any] = {"va": "center", "fontsize": sheet.size(8.5), "parse_math": False}
    for k, text in enumerate(steps):
        drawn = sheet.ax.text(sheet.left, k + 0.5, text, transform=place, color=sheet.colours.muted, **font)
        drawn.set_in_layout(False)


def _step(ranking: Ranking, k: int, short: bool) -> str:
    """`ahead by 0.120: Viral pneumonia +0.328, Positive PCR test +0.079`."""
    step = ranking.steps[k]
    found = [each for each in step.ranked() if abs(each[1]) >= SHOWN_AS_ZERO and (each[1] > 0 or ranking.tied[k])]
    text = "▾ tied" if ranking.tied[k] else f"▾ ahead by {number(step.gap)}"
    for place, (name, value) in enumerate(found[:2]):
        label = shorten(label_text(step.qbaf, name), 22 if short else 44)
        longer = f"{text}{', ' if place else ': '}{label} {number(value, '+')}"
        if len(longer) <= (50 if short else 76):
            text = longer
    return text


def plot_trajectory(
    run: Trajectory,
    arguments: Sequence[Name] | None = None,
    *,
    palette: str = "default",
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how strengths develop from the base scores.

    Parameters
    ----------
    run : Trajectory
        What `trajectory` gives.
    arguments : sequence of Name, optional
        Arguments to name, at most eight; the topics if not given. The others are thin lines.
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
    >>> from qontrast import examples, trajectory
    >>> plot_trajectory(trajectory(examples.load("zebra"))).get_ylabel()
    'strength (df-quad)'
    """
    sheet, qbaf = start_sheet(ax, palette, width, qbaf=run.qbaf), run.qbaf
    ax, colours = sheet.ax, sheet.colours
    named = list(arguments if arguments is not None else qbaf.topics or qbaf.arguments)[:8]
    for name in qbaf.arguments:
        if name not in named:
            ax.plot(run.times, run[name], color=colours.line, linewidth=0.7, zorder=1)
    hues = [colours.fact_ink, colours.foil_ink, colours.ink, colours.support, colours.attack, colours.muted]
    marker = "o" if run.solver == "discrete" and len(run.times) <= 40 else None
    style: dict[str, Any] = {"linewidth": 1.9, "marker": marker, "markersize": 3}
    for k, name in enumerate(named):
        hue = hues[k % len(hues)]
        ax.plot(run.times, run[name], color=hue, linestyle=DASHES[k % len(DASHES)], zorder=2 + k / 10, **style)
    height = _name_lines(sheet, run, named, hues)
    ax.set_xlim(run.times[0], run.times[-1])
    sheet.hide_frame(keep=("bottom", "left"))
    format_numbers(ax.yaxis)
    sheet.write_caption("update" if run.solver == "discrete" else "time")
    label = sheet.wrap(f"strength ({run.semantics})", height, 9)
    ax.set_ylabel(label, fontsize=sheet.size(9), color=colours.muted, parse_math=False)
    return sheet.finish(height)


def _name_lines(sheet: Sheet, run: Trajectory, named: Sequence[Name], hues: Sequence[str]) -> float:
    """Write the names of lines at their ends, moved apart where they would overlap; return how high Axes must be."""
    ends = sort_by_size(((float(run[name][-1]), k) for k, name in enumerate(named)), lambda end: end[0])
    room, texts = sheet.label_width, []
    for end, k in ends:
        label, value = label_text(run.qbaf, named[k]), number(end)
        whole = f"{sheet.wrap(label, 2 * room, 9)}  {value}"
        if "\n" in sheet.wrap(whole, room, 9):  # the number stays whole
            whole = f"{sheet.wrap(label, room, 9)}\n{value}" if sheet.slim else _cut_before(sheet, label, value, room)
        texts.append(whole)
    low, high = sheet.ax.get_ylim()
    lines = max((text.count("\n") + 1 for text in texts), default=1)
    gap = sheet.line_height(9, lines) + 0.03
    height = max(CURVES, gap * len(texts))
    gap *= (high - low) / height
    places = _apart([end for end, _ in ends], gap)
    lift = max(0.0, low + gap / 2 - min(places, default=high))  # nothing stands beside the numbers of the axis
    places = [place + lift for place in places]
    font: dict[str, Any] = {"va": "center", "fontsize": sheet.size(9), "parse_math": False, "annotation_clip": False}
    leader = {"arrowstyle": "-", "relpos": (0, 0.5), "shrinkA": 1, "color": sheet.colours.outline, "linewidth": 0.7}
    right = ("axes fraction", "data")
    for (end, k), place, text in zip(ends, places, texts, strict=True):
        sheet.ax.annotate(
            text, (1, end), (1.06, place), right, right, color=hues[k % len(hues)], arrowprops=leader, **font
        )
    sheet.ax.set_ylim(low, high)
    return height


def _cut_before(sheet: Sheet, label: str, value: str, room: float) -> str:
    """Write a label on two lines with a number at the end of the second."""
    first, *rest = sheet.wrap(label, room, 9).split("\n")
    last = sheet.wrap(" ".join(rest), room - sheet.measure(f"  {value}", 9), 9, 1) if rest else ""
    return f"{first}\n{last}  {value}" if last else f"{first}\n{value}"


def _apart(places: Sequence[float], gap: float) -> list[float]:
    """Falling places, moved down as little as keeps them a gap apart, then centred again."""
    out: list[float] = []
    for place in places:
        out.append(place if not out else min(place, out[-1] - gap))
    shift = (sum(places) - sum(out)) / len(out) if out else 0.0
    return [place + shift for place in out]
