"""Tied, defined, decisive and sure: each result has the word on one side of its border and not on the other."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.explain.reasons_search import find_signs as find_signs_of_reasons
from qontrast.explain.uncertain_lanes import choose_next
from qontrast.explain.uncertain_lanes import find_signs as find_signs_of_lanes
from qontrast.show import describe, to_frame
from qontrast.show.html.report import report_html
from qontrast.show.uncertainty_texts import describe_sampling

TOLERANCE = 1e-10  # below which strengths are tied
APART = {"equal": 0.0, "tied": 0.9 * TOLERANCE, "apart": 1.1 * TOLERANCE, "ten times": 9.0 * TOLERANCE}


def make_pair(gap: float) -> Qbaf:
    """Two topics whose strengths are their base scores, so that the gap is this one in any arithmetic."""
    return Qbaf({"p": 0.5 + gap, "q": 0.5, "x": 0.5}, topics=["p", "q"], semantics="qe")


# every result that can say that two topics are tied, and how it says so
TIES: dict[str, Callable[[Qbaf], bool]] = {
    "Ranking.tied": lambda q: qx.rank(q).tied == (True,),
    "Ranking.places": lambda q: qx.rank(q).places == (1, 1),
    "Robustness.ahead": lambda q: qx.robustness(q, "p", "q").ahead is None,
    "Robustness in words": lambda q: "are level" in str(qx.robustness(q, "p", "q")),
    "Reasons.sign": lambda q: qx.reasons(q, "p", "q").sign == 0,
    "SemanticsComparison.signs": lambda q: set(qx.compare_semantics(q, "p", "q").signs.values()) == {0},
    "Uncertainty.tie": lambda q: qx.uncertainty(q, "p", "q", scores={"x": (0.1, 0.9)}, samples=500).tie == 1,
    "Uncertainty.tie, quick": lambda q: qx.uncertainty(q, "p", "q", scores={"x": (0.1, 0.9)}, quick=True).tie == 1,
    "Change in words": lambda q: "level" in str(qx.change(q.with_base_scores({"x": 0.25}), q, "p", "q")),
    "a sentence": lambda q: "are tied at" in str(qx.contrast(q, "p", "q")),
    "a sentence in German": lambda q: "gleichauf" in describe(qx.contrast(q, "p", "q"), language="de"),
    "a report": lambda q: "are tied at" in report_html(q, "p", "q"),
    "a report's table": lambda q: ">tied<" in report_html(q, "p", "q"),
    "a frame": lambda q: list(to_frame(qx.rank(q))["place"]) == [1, 1],
    "JSON": lambda q: [each["place"] for each in qx.rank(q).to_dict()["order"]] == [1, 1],
    "a figure": lambda q: any("tied" in each.get_text() for each in qx.rank(q).plot().figure.findobj(is_text)),
}


def is_text(artist: Any) -> bool:
    return hasattr(artist, "get_text")


@pytest.mark.parametrize("gap", APART)
@pytest.mark.parametrize("where", TIES)
def test_two_topics_are_tied_up_to_the_tolerance_and_no_further(where: str, gap: str) -> None:
    assert TIES[where](make_pair(APART[gap])) is (APART[gap] <= TOLERANCE)


def test_signs_of_gaps_are_zero_up_to_the_tolerance_on_both_sides() -> None:
    gaps = np.array([-2, -1.1, -0.9, 0, 0.9, 1.1, 9, np.nan]) * TOLERANCE
    expected = [-1, -1, 0, 0, 0, 1, 1, np.nan]
    for find in (find_signs_of_reasons, find_signs_of_lanes):
        np.testing.assert_array_equal(find(gaps), expected)


# -- defined --------------------------------------------------------------------------------------------------------


def test_strengths_are_defined_with_as_many_steps_as_they_take_and_undefined_with_one_less() -> None:
    q = Qbaf({"a": 0.5, "b": 0.6, "t": 0.4}, attacks=[("a", "b"), ("b", "a"), ("b", "t")], semantics="qe")
    whole = qx.check(q)
    assert whole.steps is not None
    for steps, defined in ((whole.steps, True), (whole.steps - 1, False)):
        found = qx.check(q, max_steps=steps)
        assert found.defined is defined
        assert (found.undefined is None) is defined
        assert (found.to_dict()["undefined"] is None) is defined
        assert ("strengths are defined" in str(found)) is defined
        assert ("Stärken sind definiert" in describe(found, language="de")) is defined
        assert ("nicht definiert" in describe(found, language="de")) is not defined


# -- decisive -------------------------------------------------------------------------------------------------------


def compare(difference: float) -> qx.SemanticsComparison:
    """Two semantics disagree, and one argument contributes so much more under the one with the higher sign."""
    q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "q")], semantics="qe")
    found = qx.compare_semantics(q, "p", "q", semantics=["qe", "df-quad"])
    arrays = {"qe": np.full(2, 0.25), "df-quad": np.array([0.25 - difference, 0.25 + 0.125])}
    contrasts = {}
    for name, each in found.contrasts.items():
        array = np.zeros_like(each.array)
        array[[each.players.index(x) for x in each]] = arrays[name]
        contrasts[name] = dataclasses.replace(each, array=array)
    return dataclasses.replace(found, gaps={"qe": 0.25, "df-quad": -0.25}, contrasts=contrasts)


@pytest.mark.parametrize(("difference", "decisive"), [(0.0, None), (0.9e-10, None), (1.1e-10, "x"), (0.25, "x"),
                                                      (-0.25, None)])  # fmt: skip
def test_an_argument_is_decisive_where_it_contributes_more_on_the_side_that_is_ahead(
    difference: float, decisive: str | None
) -> None:
    found = compare(difference)
    assert found.agree is False
    assert found.decisive == decisive
    assert found.to_dict()["decisive"] == decisive
    assert ("They disagree most about" in str(found)) is (decisive is not None)
    assert ("Am meisten unterscheidet sie" in describe(found, language="de")) is (decisive is not None)


def test_semantics_agree_where_all_signs_are_the_same_and_a_tie_is_a_sign() -> None:
    found = compare(0.25)
    for gaps, agree in (((0.25, 0.5), True), ((0.25, 1.1e-10), True), ((0.25, 0.9e-10), False), ((0.0, 0.9e-10), True),
                        ((0.25, -0.25), False)):  # fmt: skip
        named = dict(zip(("qe", "df-quad"), gaps, strict=True))
        assert dataclasses.replace(found, gaps=named).agree is agree
    assert dataclasses.replace(found, gaps={}).agree is None


# -- sure -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("errors", "sure"), [(0.5, False), (1.5, False), (1.99, False), (2.01, True), (5.0, True)])
def test_a_sampled_contribution_is_a_reason_from_two_standard_errors_on(errors: float, sure: bool) -> None:
    q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p")], semantics="qe")
    found = qx.contrast(q, "p", "q", method="sampled", budget=40)
    error = {name: abs(found[name]) / errors for name in found}
    text = qx.show.paragraph(dataclasses.replace(found, std_error=error))
    assert ("favour of p, x (" in text) is sure
    assert ("cannot be told from 0" in text or "in favour" not in text) is not sure


@pytest.mark.parametrize(("errors", "chosen"), [(1.9, "y"), (2.1, "x")])
def test_what_to_check_next_lowers_the_risk_by_more_than_two_standard_errors_or_has_the_largest_share(
    errors: float, chosen: str
) -> None:
    drop, share = {"x": 0.1, "y": 0.0}, {"x": 0.2, "y": 0.8}
    assert choose_next(drop, {"x": 0.1 / errors, "y": 0.1}, share) == chosen


def draw(**fields: Any) -> qx.Uncertainty:
    q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "q")], semantics="qe")
    found = qx.uncertainty(q, "p", "q", scores={"x": (0.1, 0.9), "y": (0.0, 1.0)}, samples=500)
    return dataclasses.replace(found, **fields)


@pytest.mark.parametrize(("part", "said", "german"), [
    (1.0, "in all cases that were drawn", "in allen gezogenen Fällen"),
    (0.9995, "in more than 99 % of cases", "in mehr als 99 % der Fälle"),
    (0.991, "in more than 99 % of cases", "in mehr als 99 % der Fälle"),
    (0.99, "in 99 % of cases", "in 99 % der Fälle"),
    (0.98, "in 98 % of cases", "in 98 % der Fälle"),
])  # fmt: skip
def test_an_order_is_sure_in_all_cases_only_where_no_case_that_was_drawn_is_another(
    part: float, said: str, german: str
) -> None:
    rest = {"behind": (1 - part) / 2, "tie": (1 - part) / 2, "undefined": 0.0}
    found = draw(probability=part, **rest)
    assert said in str(found)
    assert german in describe(found, language="de")
    assert ("they are tied in" in str(found)) is (part < 1)
    assert "undefined" not in str(found)
    quick = dataclasses.replace(found, samples=0)
    assert "drawn" not in str(quick)


@pytest.mark.parametrize(("tie", "undefined"), [(0.0, 0.25), (0.25, 0.0), (0.125, 0.25), (0.004, 0.0)])
def test_ties_and_cases_without_strengths_are_said_each_with_its_own_part(tie: float, undefined: float) -> None:
    found = draw(probability=0.5, behind=0.5 - tie - undefined, tie=tie, undefined=undefined)
    for part, english, german in ((tie, "they are tied in", "liegen beide gleichauf"),
                                  (undefined, "strengths are undefined in", "Stärken nicht definiert")):  # fmt: skip
        percent = "less than 1" if part < 0.01 else f"{100 * part:.0f}"
        assert (f"{english} {percent} %" in str(found)) is (part > 0)
        assert (german in describe(found, language="de")) is (part > 0)


@pytest.mark.parametrize(("wrong", "key"), [(0.0, "of the spread of the gap"), (0.001, "of the doubt")])
def test_doubt_is_spoken_of_only_where_an_order_may_be_wrong(wrong: float, key: str) -> None:
    text = str(draw(wrong_order=wrong))
    assert key in text
    assert ("doubt" in text) is (wrong > 0)


@pytest.mark.parametrize(("share", "all_of_it"), [(0.96, True), (0.94, False), (0.91, False)])
def test_nearly_all_of_the_doubt_is_said_from_19_in_20_on(share: float, all_of_it: bool) -> None:
    found = draw(first_order={"x": share, "y": 1 - share}, wrong_order=0.1)
    assert ("nearly all of the doubt" in str(found)) is all_of_it
    assert ("fast der ganze Zweifel" in describe(found, language="de")) is all_of_it


@pytest.mark.parametrize(("errors", "said"), [(1.9, False), (2.1, True)])
def test_a_lower_risk_is_promised_only_beyond_two_standard_errors(errors: float, said: bool) -> None:
    found = draw(check_next="x", wrong_order=0.3, expected_drop={"x": 0.2, "y": 0.0},
                 expected_drop_error={"x": 0.2 / errors, "y": 0.1})  # fmt: skip
    assert ("the risk of the wrong order would fall" in str(found)) is said
    assert "Check x next" in str(found)
    assert "next" not in str(dataclasses.replace(found, scores={"x": found.scores["x"]}))


@pytest.mark.parametrize("share", [0.0123, 0.0004])
def test_the_error_of_a_probability_is_given_in_percent_and_the_quick_answer_is_about_the_same_topic(
    share: float,
) -> None:
    found = draw(std_error=share, probability=0.25, behind=0.75, tie=0.0, undefined=0.0)
    assert found.delta is not None
    beside = dataclasses.replace(found, delta=dataclasses.replace(found.delta, probability=0.2))
    for language, mark in (("en", "."), ("de", ",")):
        text = describe_sampling(beside, language=language)
        written = f"{100 * share:.1f}".replace(".", mark)
        assert re.search(rf"(standard error|Standardfehler) {written} %", text) or share < 0.001
        assert "80 %" in text
    assert "standard error 0.0 %" not in describe_sampling(beside) or share < 0.001
