"""How sure an order is, as sentence, table, figure, command and section of a report."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import qontrast as qx
from qontrast import show
from qontrast.show.phrasing import choose
from qontrast.show.uncertainty_texts import describe_sampling, write_distribution
from tests.support.graphs_to_show import healthcare

SCORES = {"pcr": (0.2, 0.9), "bacterial": qx.Normal(0.5, 0.1), "wheezing": qx.Beta(2, 2)}
NAMES = "“Antiviral therapy” is ahead of “Antibiotic therapy”"


def ask(**settings: Any) -> qx.Uncertainty:
    return qx.uncertainty(healthcare(), "antiviral", "antibiotic", **{"scores": SCORES, **settings})


def uncertain() -> qx.Qbaf:
    q = healthcare()
    given: dict[str, Any] = {"labels": q.labels, "topics": q.topics, "semantics": q.semantics, "uncertain": SCORES}
    return qx.Qbaf(q.base_scores, q.attacks, q.supports, **given)


def test_the_sentence_has_the_probability_the_sources_of_doubt_and_what_to_check_next() -> None:
    found, said = ask(), str(ask())
    assert said.startswith(f"{NAMES} in {100 * found.probability:.0f} % of cases; ")
    assert "of the doubt comes from “Positive PCR test”, " in said
    assert "Check “Positive PCR test” next: the risk of the wrong order would fall from" in said
    assert show.describe(found, language="de").startswith("„Antiviral therapy“ liegt in ")
    assert str(ask(scores={"pcr": (0.5, 0.6)})).startswith(
        f"{NAMES} in all cases that were drawn; nearly all of the spread"
    )


@pytest.mark.parametrize(
    ("scores", "english", "german"),
    [
        (qx.Interval(0.25, 1), "0.25 to 1", "0,25 bis 1"),
        (qx.Normal(0.5, 0.125), "normal, 0.5 ± 0.125", "normal, 0,5 ± 0,125"),
        (qx.Beta(8, 2.5), "Beta(8, 2.5)", "Beta(8; 2,5)"),
        (qx.Samples([0.5]), "one of 0.5", "eines von 0,5"),
        (qx.Samples([0.4, 0.5, 0.9]), "one of 0.4, 0.5 and 0.9", "eines von 0,4, 0,5 und 0,9"),
        (qx.Samples([0.1] * 1200), "1,200 samples", "1.200 Stichproben"),
    ],
)
def test_what_a_base_score_may_be_is_written_in_both_languages(scores: Any, english: str, german: str) -> None:
    assert [choose(code).write(write_distribution(scores)) for code in ("en", "de")] == [english, german]


@pytest.mark.parametrize(("error", "english", "german"), [(0.0123, "1.2 %", "1,2 %"), (0.25, "25.0 %", "25,0 %")])
def test_the_error_of_a_percentage_is_a_percentage(error: float, english: str, german: str) -> None:
    found = dataclasses.replace(ask(), std_error=error)
    assert f"cases, standard error {english}, seed" in describe_sampling(found)
    assert f"Standardfehler {german}" in describe_sampling(found, language="de")


def test_the_table_has_the_shares_and_their_errors() -> None:
    found, frame = ask(), ask().to_frame()
    for kind in ("first_order", "total", "expected_drop"):
        errors = getattr(found, f"{kind}_error")
        assert frame[f"{kind}_error"].to_dict() == pytest.approx(errors)
        assert {x: each["std_error"] for x, each in found.to_dict()[kind].items()} == pytest.approx(errors)
        assert len({round(each, 9) for each in errors.values()}) == len(errors)  # a swap would show
    assert list(frame.index) == ["pcr", "wheezing", "bacterial"]
    assert frame["first_order"].to_dict() == pytest.approx(found.first_order)
    assert frame["total_error"].to_dict() == pytest.approx(found.total_error)
    assert frame["expected_drop"].to_dict() == pytest.approx(found.expected_drop)


@pytest.mark.parametrize("quick", [False, True])
def test_the_bars_of_the_distribution_are_on_the_side_of_who_is_ahead(quick: bool) -> None:
    found = ask(quick=quick)
    ax = found.plot()
    sides = {True: 0.0, False: 0.0}
    for bar in ax.patches:
        left, right = bar.get_x(), bar.get_x() + bar.get_width()
        assert right <= 1e-9 or left >= -1e-9, "no bar crosses 0"
        sides[left >= -1e-9] += bar.get_height()
    part = sides[True] / (sides[True] + sides[False])
    assert part == pytest.approx(found.probability, abs=1e-3)
    assert ax.get_title("right") == f"{100 * found.probability:.0f} % “Antiviral therapy” ahead ▸"
    (shares,) = ax.child_axes
    names = [each.get_text() for each in shares.get_yticklabels()]
    assert names == [healthcare().label(name) for name, _ in found.ranked()]
    assert [bar.get_width() for bar in shares.patches] == pytest.approx([max(0, share) for _, share in found.ranked()])


def test_the_figure_shows_ties_and_says_what_is_left_out() -> None:
    q = qx.Qbaf({"p": 0.5, "q": 0.5, "x": 0.0, "y": 0.0}, supports=[("x", "p"), ("y", "p")])
    found = qx.uncertainty(q, "p", "q", scores={"x": [0.0, 0.0, 1.0], "y": [0.0, 0.0, 0.5]})
    ax = show.plot_uncertainty(found, limit=1)
    assert any(abs(bar.get_x() + bar.get_width() / 2) < 1e-9 for bar in ax.patches)
    caption = ax.child_axes[0].get_xlabel()
    assert "tied in 4" in caption
    assert "1 argument with smaller shares not shown" in caption


@pytest.mark.parametrize(("language", "heading"), [("en", "How sure is it?"), ("de", "Wie sicher ist das?")])
@pytest.mark.heavy
def test_a_report_says_how_sure_the_order_is_where_base_scores_are_uncertain(language: str, heading: str) -> None:
    page = show.report_html(uncertain(), "antiviral", "antibiotic", language=language)
    assert f"<h2>{heading}</h2>" in page
    assert {"en": '<td class="text">0.2 to 0.9</td>', "de": '<td class="text">0,2 bis 0,9</td>'}[language] in page
    assert {"en": "normal, 0.5 ± 0.1", "de": "normal, 0,5 ± 0,1"}[language] in page
    assert heading not in show.report_html(healthcare(), "antiviral", "antibiotic", language=language)


def test_the_command_prints_the_sentence_and_a_table(qontrast: Any) -> None:
    qx.write(uncertain(), "graph.json")
    ran = qontrast("uncertainty graph.json")
    assert ran.code == 0
    assert " ".join(ran.out.split()).startswith(f"How sure is it that {NAMES}? {NAMES} in ")
    assert "Positive PCR test" in ran.out
    assert "0.2 to 0.9" in ran.out
    assert "two samples of 4,096 cases, standard error 0." in ran.err
    expected = qx.uncertainty(uncertain(), "antiviral", "antibiotic").to_dict()
    assert qontrast("uncertainty graph.json --json").data == expected


def test_the_command_reads_every_form_of_an_uncertain_base_score(qontrast: Any) -> None:
    forms = "--score pcr=0.2:0.9 --score fever=normal:0.5:0.1 --score wbc=beta:8:2 --score cough=0.4,0.5,0.9"
    found = qontrast(f"uncertainty examples:healthcare {forms} --samples 500 --json").data
    assert found["scores"] == {
        "pcr": {"interval": [0.2, 0.9]},
        "wbc": {"beta": [8.0, 2.0]},
        "fever": {"normal": [0.5, 0.1]},
        "cough": {"samples": [0.4, 0.5, 0.9]},
    }


WRONG = {
    "": "examples:zebra has no uncertain base scores; say in the file what they may be; try --score NAME=0.6:0.9",
    "--score stripes": "--score 'stripes' lacks what the base score may be; write NAME=0.6:0.9",
    "--score stripes=high": "--score 'stripes=high': 'high' is not understood; write NAME=0.6:0.9",
    "--score stripes=0.5": "'0.5' is not understood; write NAME=0.6:0.9",
    "--score stripes=0.5:0.6:0.7": "'0.5:0.6:0.7' is not understood",
    "--score stripes=0.9:0.6": "--score 'stripes=0.9:0.6': the interval from 0.9 to 0.6 is reversed; give (0.6, 0.9)",
    "--score stripes=0.9:1.6": "the interval from 0.9 to 1.6 leaves [0, 1]",
    "--score stripes=beta:0:1": "the parameter a of a beta base score is 0; give a number above 0",
    "--score strips=0.1:0.9": "no argument 'strips' among the 5 here; did you mean 'stripes'?",
    "--score stripes=0.1:0.9 --score stripes=0:1": "'stripes' is given two uncertain base scores; keep one",
    "--score stripes=0.1:0.9 --samples 499": "samples is 499; give a whole number of at least 500",
}


@pytest.mark.parametrize("given", WRONG)
def test_a_wrong_option_is_refused_with_the_way_out(qontrast: Any, given: str) -> None:
    ran = qontrast(f"uncertainty examples:zebra {given}")
    assert ran.code == 2
    assert WRONG[given] in ran.err


def test_the_figure_of_a_graph_without_uncertain_base_scores_is_refused_with_the_way_out(qontrast: Any) -> None:
    ran = qontrast("draw examples:zebra --figure uncertainty -o a.svg")
    assert (ran.code, "has no uncertain base scores; say in the file what they may be" in ran.err) == (2, True)
    assert "try --score NAME=0.6:0.9" in ran.err
    assert qontrast("draw examples:zebra --figure uncertainty --score stripes=0.1:0.9 -o a.svg").code == 0
    ran = qontrast("draw examples:zebra --score stripes=0.1:0.9 -o a.svg")
    assert "--score has no meaning for --figure graph; try --figure uncertainty" in ran.err
