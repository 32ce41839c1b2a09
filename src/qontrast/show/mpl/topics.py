"""Many topics, or strengths over time, as matplotlib figures: all pairs, a ranking, convergence."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ...explain.pairs import Pairs
from ...explain.ranking import Ranking
from ...explain.trajectory import Trajectory
from ...extras import require
from ...graph.labels import label_text, quote_label
from ...results.base import TIE_TOLERANCE
from ...types import Name
from ..numbers import SHOWN_AS_ZERO, number
from ..palette import find_palette
from .axes import format_numbers, hide_frame, label_rows, make_axes, wrap_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 1.5)), (0, (8, 2)))


def plot_pairs(pairs: Pairs, of: Name | None = None, *, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw a table of all pairs of topics: the gap of row over column, or what one argument contributes to it.

    Parameters
    ----------
    pairs : Pairs
        What `all_pairs` gives.
    of : Name, optional
        The argument whose contributions are shown; gaps if not given.
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
    >>> from qontrast import all_pairs, examples
    >>> plot_pairs(all_pairs(examples.load("zebra"))).get_xlabel()
    'gap, row over column (shapley, df-quad)'
    """
    require("matplotlib", "a figure")
    from matplotlib.colors import LinearSegmentedColormap

    colours, qbaf = find_palette(palette), pairs.qbaf
    values = pairs.gaps if of is None else pairs.tensor[:, :, qbaf.index(of)]
    size = len(pairs.topics)
    ax = make_axes(ax, 2.4 + (1.35 if size <= 4 else 0.95) * size, 1.7 + 0.62 * size)
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    hues = [colours.foil, colours.foil_soft, "#ffffff", colours.fact_soft, colours.fact]
    ramp = LinearSegmentedColormap.from_list("qx", hues)
    cells = np.where(np.eye(size, dtype=bool), np.nan, values)
    ax.imshow(cells, cmap=ramp, vmin=-1.5 * largest, vmax=1.5 * largest, aspect="auto")
    for i in range(size):
        for j in range(size):
            ax.text(j, i, _cell(values[i, j], i == j), ha="center", va="center", fontsize=9.5, color=colours.ink)
    labels = [wrap_label(label_text(qbaf, topic), 18, 3) for topic in pairs.topics]
    turn: dict[str, Any] = {"rotation": 0, "ha": "center"} if size <= 4 else {"rotation": 40, "ha": "left"}
    ax.set_xticks(range(size), labels, parse_math=False, **turn)
    ax.set_yticks(range(size), labels, parse_math=False)
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="#ffffff", linewidth=2.5)
    hide_frame(ax, keep=())
    ax.tick_params(which="both", length=0, labelcolor=colours.ink)
    what = "gap" if of is None else f"contribution of {quote_label(qbaf, of)}"
    how = f"{pairs.phi.method}, {pairs.phi.problem.semantics.name}"
    ax.set_xlabel(f"{what}, row over column ({how})", fontsize=8.5, parse_math=False)
    return ax


def _cell(value: float, own: bool) -> str:
    if own:
        return "·"
    if isnan(value):
        return "–"
    return "tied" if abs(value) <= TIE_TOLERANCE else number(value, "+")


def plot_ranking(ranking: Ranking, *, palette: str = "default", ax: Axes | None = None) -> Axes:
    """Draw topics from the strongest down, with a notch at the base score and what makes each difference.

    Parameters
    ----------
    ranking : Ranking
        What `rank` gives.
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
    >>> from qontrast import examples, rank
    >>> [label.get_text() for label in plot_ranking(rank(examples.load("zebra"))).get_yticklabels()][0]
    '1. It is a zebra'
    """
    colours, size = find_palette(palette), len(ranking.order)
    ax = make_axes(ax, 7.2, 1.0 + 0.78 * size)
    font: dict[str, Any] = {"va": "center", "fontsize": 9.5, "fontweight": "bold"}
    for k, topic in enumerate(ranking.order):
        strength, colour = ranking.strengths[topic], colours.fact if ranking.places[k] == 1 else colours.fill
        ax.barh(k, strength, height=0.44, color=colour)
        ax.annotate(number(strength), (strength, k), (5, 0), textcoords="offset points", **font)
        if k < len(ranking.steps):
            ax.text(0.008, k + 0.5, _step(ranking, k), va="center", fontsize=8.5, color=colours.muted, parse_math=False)
        base = ranking.qbaf.base_scores[topic]
        ax.plot([base, base], [k - 0.3, k + 0.3], color=colours.ink, linewidth=1.6, zorder=3)
    labels = [label_text(ranking.qbaf, topic) for topic in ranking.order]
    numbered = [f"{place}. {wrap_label(label, 30)}" for place, label in zip(ranking.places, labels, strict=True)]
    label_rows(ax, numbered, colours.ink, 10)
    ax.set_ylim(size - 0.4, -0.5)
    ax.set_xlim(0, max(1.0, *(1.08 * ranking.strengths[topic] for topic in ranking.order)))
    ax.set_xlabel("strength (notch: base score)", fontsize=8.5)
    return ax


def _step(ranking: Ranking, k: int) -> str:
    """`ahead by 0.120: Viral pneumonia +0.328, Positive PCR test +0.079`."""
    step = ranking.steps[k]
    found = [each for each in step.ranked() if abs(each[1]) >= SHOWN_AS_ZERO and (each[1] > 0 or ranking.tied[k])]
    text = "▾ tied" if ranking.tied[k] else f"▾ ahead by {number(step.gap)}"
    for place, (name, value) in enumerate(found[:2]):
        label = wrap_label(label_text(step.qbaf, name), 44, 1)
        longer = f"{text}{', ' if place else ': '}{label} {number(value, '+')}"
        if len(longer) <= 76:
            text = longer
    return text


def plot_trajectory(
    run: Trajectory, arguments: Sequence[Name] | None = None, *, palette: str = "default", ax: Axes | None = None
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
    colours, qbaf = find_palette(palette), run.qbaf
    named = list(arguments if arguments is not None else qbaf.topics or qbaf.arguments)[:8]
    ax = make_axes(ax, 7.2, 3.8)
    for name in qbaf.arguments:
        if name not in named:
            ax.plot(run.times, run[name], color=colours.line, linewidth=0.7, zorder=1)
    hues = [colours.fact, colours.foil, colours.topic, colours.support, colours.attack, colours.muted]
    ends = sorted(((float(run[name][-1]), k) for k, name in enumerate(named)), reverse=True)
    low, high = ax.get_ylim() if len(named) < len(qbaf) else (0.0, 1.0)
    places = _apart([end for end, _ in ends], 0.062 * max(high - low, 0.2))
    marker = "o" if run.solver == "discrete" and len(run.times) <= 40 else None
    style: dict[str, Any] = {"linewidth": 1.9, "marker": marker, "markersize": 3}
    font: dict[str, Any] = {"va": "center", "fontsize": 9, "parse_math": False, "annotation_clip": False}
    leader = {"arrowstyle": "-", "color": colours.line, "linewidth": 0.7}
    right = ("axes fraction", "data")
    for (end, k), place in zip(ends, places, strict=True):
        name, hue = named[k], hues[k % len(hues)]
        ax.plot(run.times, run[name], color=hue, linestyle=DASHES[k % len(DASHES)], zorder=2 + k / 10, **style)
        text = f"{wrap_label(label_text(qbaf, name), 26)}  {number(end)}"
        ax.annotate(text, (1, end), (1.03, place), right, right, color=hue, arrowprops=leader, **font)
    ax.set_xlim(run.times[0], run.times[-1])
    hide_frame(ax, keep=("bottom", "left"))
    format_numbers(ax.yaxis)
    ax.set_xlabel("update" if run.solver == "discrete" else "time", fontsize=9)
    ax.set_ylabel(f"strength ({run.semantics})", fontsize=9)
    return ax


def _apart(places: Sequence[float], gap: float) -> list[float]:
    """Falling places, moved down as little as keeps them a gap apart, then centred again."""
    out: list[float] = []
    for place in places:
        out.append(place if not out else min(place, out[-1] - gap))
    shift = (sum(places) - sum(out)) / len(out) if out else 0.0
    return [place + shift for place in out]
