"""The matplotlib figures: what they say, and that they leave the user's settings alone."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import qontrast as qx
from qontrast import show
from tests.support.graphs_to_show import evil, healthcare, kinked, treatment


def texts(ax: Axes) -> list[str]:
    labels = [*ax.get_yticklabels(), *ax.get_xticklabels()]
    written = [each.get_text() for each in (*ax.texts, *labels, ax.xaxis.label, ax.yaxis.label)]
    return [*written, *(ax.get_title(side) for side in ("left", "center", "right"))]  # type: ignore[arg-type]


def saved(ax: Axes, kind: str = "png") -> bytes:
    out = io.BytesIO()
    ax.figure.savefig(out, format=kind)
    return out.getvalue()


@pytest.mark.heavy
def test_each_figure_draws_on_the_axes_that_it_is_given_and_changes_no_setting() -> None:
    before = dict(matplotlib.rcParams)
    q, pairs, order = healthcare(), qx.all_pairs(healthcare()), qx.rank(healthcare())
    drawn = [
        (show.draw_graph, (q, qx.strengths(q))),
        (show.plot_contrast, (treatment(),)),
        (show.plot_waterfall, (treatment(),)),
        (show.plot_attribution, (qx.attribute(q, "antiviral"),)),
        (show.plot_pairs, (pairs,)),
        (show.plot_interactions, (qx.interactions(q, "antiviral", "antibiotic"),)),
        (show.plot_semantics, (qx.compare_semantics(q, "antiviral", "antibiotic"),)),
        (show.plot_uncertainty, (qx.uncertainty(q, "antiviral", "antibiotic", scores={"pcr": (0.1, 0.9)}),)),
        (show.plot_change, (qx.change(q, q.without("wbc"), "antiviral", "antibiotic"),)),
        (show.plot_history, (qx.history([q, q.without("wbc"), q], "antiviral", "antibiotic"),)),
        (show.plot_ranking, (order,)),
        (show.plot_trajectory, (qx.trajectory(q, until=3),)),
    ]
    for function, arguments in drawn:
        ax = Figure().add_subplot()
        assert function(*arguments, ax=ax) is ax  # type: ignore[operator]
        assert saved(ax).startswith(b"\x89PNG")
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_a_figure_of_its_own_is_saved_in_every_format(kind: str, start: bytes) -> None:
    assert saved(treatment().plot(), kind).startswith(start)


def test_the_figure_of_a_change_goes_from_one_gap_to_the_other_and_joins_small_steps() -> None:
    before = healthcare()
    found = qx.change(
        before, before.with_base_scores({"pcr": 0.2, "fever": 0.1, "wbc": 0.3}), "antiviral", "antibiotic"
    )
    bars: list[Any] = list(show.plot_change(found).patches)
    widths = [found.gap_before, *(share for _, share in found.ranked()), found.gap_after]
    assert [bar.get_width() for bar in bars] == pytest.approx(widths, abs=1e-12)
    assert bars[-2].get_x() + bars[-2].get_width() == pytest.approx(found.gap_after, abs=1e-12)
    assert {"before", "2 others", "after"} <= set(texts(show.plot_change(found, limit=1)))
    assert "strength of Antiviral therapy" in texts(show.plot_change(qx.change(before, before, "antiviral")))


def test_the_figure_of_a_history_has_a_point_for_each_version_and_a_reason_for_each_step() -> None:
    before = healthcare()
    versions = [before, before.without("wbc"), before.without("wbc"), before]
    found = qx.history(versions, "antiviral", "antibiotic", names=["May", "June", "July", "$8$"])
    ax = show.plot_history(found)
    assert ax.lines[0].get_ydata() == pytest.approx(found.gaps)
    said = [text.replace("\n", " ") for text in texts(ax)]
    assert {"May", "June", "July", "$8$", "no change made a difference"} <= set(said)
    assert any(text.startswith("the dropped argument “Elevated WBC count” +") for text in said)


def test_the_contrast_figure_has_every_argument_its_number_and_both_topics() -> None:
    said = texts(show.plot_contrast(treatment()))
    assert {"Viral pneumonia", "+0.328", "−0.273", "◂ Antibiotic therapy", "Antiviral therapy ▸"} <= set(said)
    assert "kink: −1.100 | −0.700" in texts(show.plot_contrast(kinked()))


def test_the_waterfall_goes_from_the_base_gap_to_the_gap() -> None:
    q = healthcare().with_base_scores({"antiviral": 0.6})
    why = qx.contrast(q, "antiviral", "antibiotic")
    ax = show.plot_waterfall(why, limit=4)
    bars = [bar for bar in ax.patches if bar.get_height() == pytest.approx(0.6)]  # type: ignore[attr-defined]
    first, *steps, last = bars
    assert first.get_width() == pytest.approx(0.1)  # type: ignore[attr-defined]
    assert last.get_width() == pytest.approx(why.gap)  # type: ignore[attr-defined]
    assert len(steps) == 4 + 1 + 1  # the strongest, the others together, the topics on each other
    level = why.base_gap
    for bar in steps:
        ends = {round(bar.get_x(), 12), round(bar.get_x() + bar.get_width(), 12)}  # type: ignore[attr-defined]
        assert round(level, 12) in ends
        (level,) = ends - {round(level, 12)} or {level}
    assert level == pytest.approx(why.gap)
    said = {text.replace("\n", " ") for text in texts(ax)}
    assert {"5 others", "Effect of the two topics on each other", "Gap of the base scores"} <= said
    assert ax.get_xlabel().startswith("gap of strengths; bars: share of the gap (shapley, qe)")


@pytest.mark.parametrize("method", ["removal", "gradient", "intrinsic"])
def test_only_shapley_values_have_a_waterfall(method: str) -> None:
    with pytest.raises(qx.InvalidInput, match=f"bars that add up to the gap, and {method} values do not"):
        show.plot_waterfall(treatment(method))


def test_the_matrix_says_gaps_and_ties_and_contributions_of_one_argument() -> None:
    zebra = qx.all_pairs(qx.examples.load("zebra"))
    said = texts(show.plot_pairs(zebra))
    assert said.count("tied") == 2
    assert said.count("+0.375") == 2
    assert "−0.062" in texts(show.plot_pairs(zebra, of="stripes"))


def test_the_ranking_says_places_and_what_makes_the_difference() -> None:
    said = texts(show.plot_ranking(qx.rank(qx.examples.load("zebra"))))
    assert {"1. It is a zebra", "2. It is a horse", "2. It is a tiger"} <= set(said)
    assert "▾ ahead by 0.375: It has stripes +0.438" in said
    assert any(each.startswith("▾ tied") for each in said)


@pytest.mark.heavy
def test_the_figure_of_semantics_has_a_dot_for_each_gap_and_says_who_gives_none() -> None:
    found = qx.compare_semantics(healthcare(), "antiviral", "antibiotic")
    ax = found.plot()
    said = texts(ax)
    assert {*qx.SEMANTICS, "tied", "+0.120", "◂ Antibiotic therapy", "gap of strengths", "Antiviral therapy ▸"} <= set(
        said
    )
    dots = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]  # type: ignore[index]
    assert dots == pytest.approx(list(found.gaps.values()))
    undefined = qx.compare_semantics(qx.examples.load("undefined"), "open", "closed").plot()
    assert texts(undefined).count("no strengths") == 2


def test_a_trajectory_names_its_topics() -> None:
    said = texts(qx.trajectory(healthcare(), until=60).plot())
    assert "Antiviral therapy  0.356" in said
    assert "time" in said


def test_dollar_signs_and_markup_in_labels_stay_text() -> None:
    q = evil()
    why = qx.contrast(q, "t<u>", "b", method="removal")
    for ax in (q.plot(), why.plot(), qx.all_pairs(q).plot(), qx.rank(q).plot(), qx.attribute(q, "b").plot()):
        assert saved(ax)  # neither mathematics nor a missing glyph
        assert any("script" in each for each in texts(ax))


@pytest.mark.parametrize("size", [2, 60])
@pytest.mark.heavy
def test_two_and_sixty_arguments_have_their_figures(size: int) -> None:
    q = qx.examples.load("debate") if size == 60 else qx.Qbaf({"a": 0.5, "t": 0.5}, attacks=[("a", "t")])
    fact, foil = (q.topics or q.arguments)[:2]
    why = qx.contrast(q, fact, foil, method="gradient")
    assert saved(why.plot())
    assert saved(q.plot(fact=fact, foil=foil))


def test_pyplot_is_not_loaded_by_drawing() -> None:
    code = (
        "import qontrast as qx, sys; q = qx.examples.load('zebra'); assert 'matplotlib' not in sys.modules; "
        "assert not {'qontrast.show', 'rich', 'pandas', 'pygraphviz'} & set(sys.modules); "
        "qx.contrast(q, 'zebra', 'horse').plot(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("shell", "figures"), [("Mock()", [1]), ("None", [])])
def test_a_figure_drawn_in_ipython_is_one_of_pyplot_which_shows_it(shell: str, figures: list[int]) -> None:
    """`get_ipython()` is None where IPython is only imported; test_browser_notebook.py has a real notebook."""
    code = (
        "import qontrast as qx, sys; from unittest.mock import Mock; "
        f"sys.modules['IPython'] = Mock(version_info=(9, 0), get_ipython=lambda: {shell}); "
        "qx.rank(qx.examples.load('zebra')).plot(); from matplotlib import pyplot; print(pyplot.get_fignums())"
    )
    settings: dict[str, Any] = {"env": os.environ | {"MPLBACKEND": "agg"}, "capture_output": True, "text": True}
    assert subprocess.run([sys.executable, "-c", code], check=True, **settings).stdout.strip() == str(figures)


def test_the_text_of_a_result_in_a_notebook_keeps_its_words_whole() -> None:
    html = qx.flip(healthcare(), "antiviral", "antibiotic")._repr_html_()
    assert html.startswith('<pre style="white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere">')


@pytest.mark.parametrize("players", ["arguments", "direct", {"findings": ["pcr", "fever"]}])
def test_the_figure_of_interactions_has_one_cell_for_each_pair_of_players(players: Any) -> None:
    found = qx.interactions(healthcare(), "antiviral", "antibiotic", players=players)
    ax = found.plot()
    (image,) = ax.images
    cells = np.ma.filled(image.get_array().astype(float), np.nan)
    size = len(cells)
    assert np.array_equal(np.isfinite(cells), np.tri(size, dtype=bool))
    shown = sorted(abs(cells[np.isfinite(cells)]), reverse=True)
    strongest = [abs(value) for _, value in found.strongest(len(found))]
    assert shown[: len(strongest)] == pytest.approx(strongest, abs=1e-12)
    assert saved(ax)


def test_the_figure_of_interactions_names_the_pair_in_each_cell_and_counts_who_is_left_out() -> None:
    found = qx.interactions(healthcare(), "antiviral", "antibiotic")
    ax = show.plot_interactions(found, limit=3)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Positive PCR test", "Viral pneumonia"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Viral pneumonia", "Bacterial pneumonia"]
    written = {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}
    assert written == {(0, 0): "+0.092", (0, 1): "+0.082", (1, 1): "+0.017"}
    assert "6 players with weaker pairs not shown" in ax.get_xlabel()
    assert "+ they work together for “Antiviral therapy”" in ax.get_xlabel()
    alone = qx.interactions(qx.Qbaf({"t": 0.5, "x": 0.5}, supports=[("x", "t")]), "t")
    assert "no two players interact" in texts(alone.plot())
