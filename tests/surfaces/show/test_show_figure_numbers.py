"""Bars, dots, cells and texts of every figure stand in the row, have the length and point to the side of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isnan
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import show
from qontrast.show.figures import FIGURES
from qontrast.show.palette import find_palette
from qontrast.show.presentation import PRESENTATIONS
from tests.support.cells import name_player, name_unit
from tests.support.figure_rows import FigureRow, is_written, join_lines, read_cells, read_number, read_rows
from tests.support.results_to_show import GRAPH, make_result

pytest.importorskip("matplotlib")
SMALL = 5e-4  # of values that are written as 0.000, or not at all


def is_colour(found: Sequence[float], *names: str) -> bool:
    from matplotlib.colors import to_rgba

    return any(to_rgba(find_palette()[name]) == tuple(found) for name in names)


def assert_bar(row: FigureRow, place: int, value: float, start: float = 0.0) -> None:
    assert row.bars[place] == pytest.approx((start, value), abs=1e-12), row


def assert_favours(row: FigureRow, value: float) -> None:
    """The first bar has the colour of the topic that the value speaks for."""
    if value:
        assert is_colour(row.colours[0], *(("fact", "fact_soft") if value > 0 else ("foil", "foil_soft"))), row


def assert_heads(ax: Any, q: qx.Qbaf, fact: str, foil: str) -> None:
    assert join_lines(ax.get_title("left")) == f"◂ {q.label(foil)}"
    assert join_lines(ax.get_title("right")) == f"{q.label(fact)} ▸"


# -- one function for each figure -------------------------------------------------------------------------------------


def check_contrast(why: qx.Contrast, ax: Any) -> None:
    q, rows = why.qbaf, {row.label: row for row in read_rows(ax)}
    left_out = [x for x in why if name_player(q, x) not in rows]
    assert all(why[x] == 0 for x in left_out)
    for x in set(why) - set(left_out):
        row = rows[name_player(q, x)]
        alone = [why.individual[topic][x] for topic in (why.fact, why.foil)]
        if isnan(why[x]):
            sides = why.sides[x]
            assert [length for _, length in row.bars[:2]] == [sides.below, sides.above]
            continue
        assert is_written(row.number, why[x]) or why.std_error is not None, row
        for place, value in enumerate([why[x], *alone]):
            assert_bar(row, place, value)
        assert_favours(row, why[x])
        if why.std_error is not None:
            value, error = row.number.split(" ± ")
            assert read_number(value) == pytest.approx(why[x], abs=5.1e-4)
            assert is_written(error, why.std_error[x], signed=False), row
    if any((why.cross_topic.fact_from_foil, why.cross_topic.foil_from_fact)):
        row, cross = rows["Effect of the two topics on each other"], why.cross_topic
        for place, value in enumerate((cross.component, cross.fact_from_foil, cross.foil_from_fact)):
            assert_bar(row, place, value)
        assert is_written(row.number, cross.component)
    if "Base scores of the two topics" in rows:
        assert_bar(rows["Base scores of the two topics"], 0, why.base_gap)
    if why.std_error is not None:
        check_whiskers(ax, dict(why), why.std_error, dict(why.ranked()))
    assert_heads(ax, q, why.fact, why.foil)


def check_whiskers(ax: Any, values: Any, errors: Any, order: Any) -> None:
    """Whiskers reach two standard errors to both sides."""
    segments = [each.get_segments()[0][:, 0].tolist() for each in ax.collections]
    expected = [[values[x] - 2 * errors[x], values[x] + 2 * errors[x]] for x in order]
    assert segments == [pytest.approx(each, abs=1e-12) for each in expected]


def check_attribution(one: qx.Attribution, ax: Any) -> None:
    rows = read_rows(ax)
    assert [row.label for row in rows] == [name_player(one.qbaf, x) for x, _ in one.ranked()]
    for row, (_, value) in zip(rows, one.ranked(), strict=True):
        if isnan(value):
            assert (row.number, row.bars) == ("kink", ())
        else:
            assert_bar(row, 0, value)
            assert is_written(row.number, value), row
            assert value == 0 or is_colour(row.colours[0], "fact" if value > 0 else "fact_soft")
    if one.std_error is not None:
        check_whiskers(ax, one, one.std_error, [x for x, _ in one.ranked()])
    assert is_written(ax.get_title().split("strength ")[1], one.strength, signed=False)


def check_steps(rows: list[FigureRow], start: float, end: float) -> None:
    """Each bar begins where the one above ends, has its number beside it, and the colour of its side."""
    assert_bar(rows[0], 0, start)
    level = start
    for row in rows[1:-1]:
        ((begin, length),) = row.bars
        assert begin == pytest.approx(level, abs=1e-12)
        assert is_written(row.number, length), row
        assert_favours(row, length)
        level += length
    assert level == pytest.approx(end, abs=1e-9)
    assert_bar(rows[-1], 0, end)
    assert is_written(rows[0].number, start)
    assert is_written(rows[-1].number, end)


def check_waterfall(why: qx.Contrast, ax: Any) -> None:
    rows = read_rows(ax)
    check_steps(rows, why.base_gap, why.gap)
    known = {name_player(why.qbaf, x): value for x, value in why.items()}
    known["Effect of the two topics on each other"] = why.cross_topic.component
    for row in rows[1:-1]:
        assert row.bars[0][1] == pytest.approx(known[row.label], abs=1e-12)
    assert_heads(ax, why.qbaf, why.fact, why.foil)


def check_change(found: qx.Change, ax: Any) -> None:
    rows = read_rows(ax)
    check_steps(rows, found.gap_before, found.gap_after)
    assert (rows[0].label, rows[-1].label) == ("before", "after")
    shown, shares = rows[1:-1], [(name_unit(found, unit), share) for unit, share in found.ranked()]
    if len(shares) > len(shown):
        shares[len(shown) - 1 :] = [(shown[-1].label, sum(share for _, share in shares[len(shown) - 1 :]))]
    assert [row.label for row in shown] == [label for label, _ in shares]
    assert [row.bars[0][1] for row in shown] == pytest.approx([share for _, share in shares], abs=1e-12)
    if found.foil is not None:
        assert_heads(ax, found.qbaf, found.fact, found.foil)


def check_history(found: qx.History, ax: Any) -> None:
    line = ax.lines[0]
    names = dict(zip(ax.get_xticks().tolist(), [each.get_text() for each in ax.get_xticklabels()], strict=True))
    shown = {names[x]: y for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    assert shown == dict(zip(found.names, found.gaps, strict=True))
    reasons = {each.get_position()[0]: join_lines(each.get_text()) for each in ax.texts}
    assert set(reasons) == {k + 0.5 for k in range(len(found.steps))}
    for k, step in enumerate(found.steps):
        unit, share = step.ranked()[0]
        said = reasons[k + 0.5]
        assert all(f"{step.version_of(x).label(x)}" in said for x in (unit[1:] if isinstance(unit, tuple) else (unit,)))
        written = said.split(" ± ")[0].split(" ")[-1]
        assert is_written(written, share) or read_number(written) == pytest.approx(share, abs=SMALL)


def check_edges(why: qx.Contrast, ax: Any) -> None:
    rows, totals = read_rows(ax), {}
    for (source, _), value in why.items():
        totals[why.qbaf.label(source)] = totals.get(why.qbaf.label(source), 0.0) + value
    source = ""
    edges = {(why.qbaf.label(x), f"→ {why.qbaf.label(y)}"): value for (x, y), value in why.items()}
    for row in rows:
        source = source if row.label.startswith("→") else row.label
        value = edges[source, row.label] if row.label.startswith("→") else totals[source]
        assert_bar(row, 0, value)
        assert_favours(row, value)
        assert is_written(row.number, value), row
    drawn = {(one.label, other.label) for one, other in pairwise(rows)}
    assert drawn
    assert_heads(ax, why.qbaf, why.fact, why.foil)


def check_interactions(found: qx.Interactions, ax: Any) -> None:
    cells = read_cells(ax)
    names = {name_player(found.qbaf, x): x for pair in found for x in pair}
    seen = set()
    for (row, column), text in cells.items():
        one, other = names[row], names[column]
        value = found[one, other]
        seen.add(frozenset((one, other)))
        assert abs(value) < SMALL if text == "·" else is_written(text, value), (row, column)
    for pair, value in found.items():
        assert abs(value) < 1e-12 or frozenset(pair) in seen
    painted = np.asarray(ax.images[0].get_array().filled(np.nan))
    rows, columns = ([join_lines(x.get_text()) for x in axis.get_ticklabels()] for axis in (ax.yaxis, ax.xaxis))
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            assert isnan(painted[i, j]) == (j > i)
            assert j > i or painted[i, j] == found[names[row], names[column]]


def check_uncertainty(found: qx.Uncertainty, ax: Any) -> None:
    for side, part, topic in (("left", found.behind, found.foil), ("right", found.probability, found.fact)):
        said = join_lines(ax.get_title(side)).strip("◂▸ ")
        assert f"“{found.qbaf.label(topic)}” ahead" in said
        assert is_written(said, part, signed=False), said
    edges, heights = found.histogram()
    middles = (edges[1:] + edges[:-1]) / 2
    bars = {round(float(bar.get_x() + bar.get_width() / 2), 9): bar for bar in ax.patches[: len(middles)]}
    for middle, height in zip(middles, heights, strict=True):
        bar = bars[round(float(middle), 9)]
        assert bar.get_height() == pytest.approx(height, abs=1e-12)
        assert is_colour(bar.get_facecolor(), "fact" if middle > 0 else "foil")
    (below,) = ax.child_axes
    rows, lines = read_rows(below), below.collections[0].get_segments()
    for row, line, (x, share) in zip(rows, lines, found.ranked(), strict=True):
        assert row.label == found.qbaf.label(x)
        assert_bar(row, 0, min(max(share, 0.0), 1.0))
        assert line[1][0] == pytest.approx(min(max(found.total[x], 0.0), 1.0), abs=1e-12)
        assert "less than" in row.number or is_written(row.number, row.bars[0][1], signed=False)
    assert_mean(found, ax)


def assert_mean(found: qx.Uncertainty, ax: Any) -> None:
    (line,) = ax.collections[0].get_segments()
    assert line[:, 0].tolist() == pytest.approx([found.mean, found.mean], abs=1e-12)


def check_pairs(pairs: qx.Pairs, ax: Any) -> None:
    names = {pairs.qbaf.label(topic): topic for topic in pairs.topics}
    own = pairs.phi.strengths
    for (row, column), text in read_cells(ax).items():
        one, other = (pairs.qbaf.index(names[x]) for x in (row, column))
        assert text == "·" if row == column else is_written(text, own[one] - own[other]), (row, column)


def check_ranking(ranking: qx.Ranking, ax: Any) -> None:
    rows, q = read_rows(ax), ranking.qbaf
    notches = [line.get_xdata()[0] for line in ax.lines]
    for row, topic, place, notch in zip(rows, ranking.order, ranking.places, notches, strict=True):
        assert row.label == f"{place}. {q.label(topic)}"
        assert_bar(row, 0, ranking.strengths[topic])
        assert is_written(row.number, ranking.strengths[topic], signed=False)
        assert notch == q.base_scores[topic]
    between = {each.get_position()[1]: each.get_text() for each in ax.texts if each.get_text().startswith("▾")}
    for k, step in enumerate(ranking.steps):
        said = between[k + 0.5]
        assert "tied" in said or is_written(said.split("ahead by ")[1], step.gap, signed=False), said
        for part in said.split(": ")[1].split(", "):
            label, _, number = part.rpartition(" ")
            assert is_written(number, {q.label(x): value for x, value in step.items()}[label]), said


def check_semantics(found: qx.SemanticsComparison, ax: Any) -> None:
    rows = read_rows(ax)
    dots = {line.get_ydata()[0]: float(line.get_xdata()[0]) for line in ax.lines if len(line.get_xdata()) == 1}
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_ydata()[0] == line.get_ydata()[1]]
    ends = {line.get_ydata()[0]: (line.get_xdata()[1], line.get_color()) for line in lines}
    assert {row.label for row in rows} == {*found.gaps, *found.refused}
    for k, row in enumerate(rows):
        if row.label not in found.gaps:
            assert (row.number, k in dots) == ("no strengths", False)
            continue
        gap = found.gaps[row.label]
        assert dots[k] == ends[k][0] == gap
        assert is_written(row.number, gap)
        assert ends[k][1] == find_palette()["muted" if abs(gap) < 1e-10 else "fact" if gap > 0 else "foil"]
    assert_heads(ax, found.qbaf, found.fact, found.foil)


def check_trajectory(run: qx.Trajectory, ax: Any) -> None:
    lines = {tuple(line.get_ydata().tolist()): line for line in ax.lines}
    for name in run.qbaf:
        assert lines[tuple(run[name].tolist())].get_xdata().tolist() == run.times.tolist()
    for each in ax.texts:
        label, _, value = join_lines(each.get_text()).rpartition(" ")
        name = next(x for x in run.qbaf if run.qbaf.label(x) == label)
        assert is_written(value, run[name][-1], signed=False)
        drawn = lines[tuple(run[name].tolist())]
        assert drawn.get_color() == each.get_color()
        assert each.xy[1] == run[name][-1]


def check_graph(found: qx.Strengths, ax: Any) -> None:
    texts = {join_lines(each.get_text()) for each in ax.texts}
    for name in found.qbaf:
        assert found.qbaf.label(name) in texts
        pair = [text for text in texts if "→" in text and is_written(text, found.qbaf.base_scores[name], signed=False)]
        assert any(is_written(text.split("→ ")[1], found[name], signed=False) for text in pair), name


CHECKS: dict[str, tuple[str, Callable[..., None], tuple[int, ...]]] = {  # plot → results, and which of them it can draw
    "draw_graph": ("Strengths", check_graph, (0, 1)),
    "plot_attribution": ("Attribution", check_attribution, (0, 1, 2, 3)),
    "plot_contrast": ("Contrast", check_contrast, (0, 1, 2, 3, 4, 5)),
    "plot_waterfall": ("Contrast", check_waterfall, (0, 1, 3, 4)),
    "plot_edges": ("Contrast", check_edges, (3,)),
    "plot_pairs": ("Pairs", check_pairs, (0, 1, 2)),
    "plot_ranking": ("Ranking", check_ranking, (0, 1)),
    "plot_trajectory": ("Trajectory", check_trajectory, (0, 1)),
    "plot_interactions": ("Interactions", check_interactions, (0, 1, 2)),
    "plot_uncertainty": ("Uncertainty", check_uncertainty, (0, 1, 2)),
    "plot_semantics": ("SemanticsComparison", check_semantics, (0, 1, 2)),
    "plot_change": ("Change", check_change, (0, 1, 2, 3)),
    "plot_history": ("History", check_history, (0, 1, 2)),
}


def test_every_figure_and_every_result_with_a_picture_is_read() -> None:
    drawn = {row.plot for row in PRESENTATIONS.values() if row.plot}
    drawn |= {figure.plot.__name__ for figure in FIGURES.values()}
    drawn |= {name for name in show.__all__ if name.startswith("plot_")}
    assert drawn == CHECKS.keys(), "give a new figure a row in CHECKS"


@pytest.mark.parametrize("name", CHECKS)
def test_a_figure_shows_the_numbers_of_the_result_in_their_rows_and_on_their_sides(name: str) -> None:
    from matplotlib import pyplot

    kind, check, cases = CHECKS[name]
    for case in cases:
        result: Any = make_result(kind, case)
        drawn = (result.qbaf, result) if name == "draw_graph" else (result,)
        ax = getattr(show, name)(*drawn)
        check(result, ax)
        pyplot.close("all")


CAPTIONS = {  # figure → the method and the semantics of its numbers, as the caption has them
    "plot_attribution": lambda one: f"({one.method}, {one.semantics})",
    "plot_contrast": lambda why: f"({why.method}, {why.semantics})",
    "plot_waterfall": lambda why: f"({why.method}, {why.semantics})",
    "plot_edges": lambda why: f"(owen, {why.semantics})",
    "plot_pairs": lambda pairs: f"({pairs.method}, {pairs.semantics})",
    "plot_interactions": lambda found: f"({found.index}, {found.semantics})",
}


@pytest.mark.parametrize("name", CAPTIONS)
def test_the_caption_of_a_figure_names_the_method_and_the_semantics_of_its_numbers(name: str) -> None:
    kind, _, cases = CHECKS[name]
    for case in cases[:2]:
        result = make_result(kind, case)
        assert CAPTIONS[name](result) in join_lines(getattr(show, name)(result).get_xlabel())


def test_a_table_of_pairs_shows_the_contributions_of_one_argument() -> None:
    pairs: Any = make_result("Pairs")
    for who in ("a", "c", "q"):
        cells = read_cells(show.plot_pairs(pairs, who))
        for one in pairs.topics:
            for other in pairs.topics:
                text, value = cells[GRAPH.label(one), GRAPH.label(other)], dict(pairs[one, other]).get(who, np.nan)
                if one != other:
                    assert (text == "–") == isnan(value)
                    assert isnan(value) or text == "tied" or is_written(text, value)
