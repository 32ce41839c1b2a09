"""The order of two topics under every semantics: gaps, reasons, who makes the semantics disagree, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qontrast as qx
from qontrast import SEMANTICS, InvalidInput, Qbaf, Semantics, TooLarge, UnknownName, compare_semantics
from tests.support.games import shapley, strength
from tests.support.profiles import number_of_cases
from tests.support.strategies import qbafs

DISAGREE = Qbaf(  # two weak supporters are more than one strong one where strengths are summed
    {"p": 0.5, "q": 0.5, "a": 0.5, "b": 0.4, "c": 0.6, "d": 0.1},
    supports={("a", "p"): 1.0, ("b", "p"): 1.0, ("c", "q"): 1.0, ("p", "d"): 0.5},
)


@given(q=qbafs(max_size=5))
@settings(max_examples=number_of_cases(25, 8), deadline=None)
def test_gaps_and_contributions_are_those_under_each_semantics(q: Qbaf) -> None:
    fact, foil = q.topics[0], next((x for x in q if x != q.topics[0]), None)
    if foil is None:
        return
    found = compare_semantics(q, fact, foil)
    assert list(found.gaps) == list(found.contrasts) == list(SEMANTICS)
    for name in SEMANTICS:
        gap = strength(q, q, fact, name) - strength(q, q, foil, name)
        assert found.gaps[name] == pytest.approx(gap, abs=1e-12)
        mine, theirs = shapley(q, fact, name), shapley(q, foil, name)
        expected = {x: mine[x] - theirs[x] for x in q if x not in (fact, foil)}
        assert dict(found.contrasts[name]) == pytest.approx(expected, abs=1e-9)


@given(q=qbafs(max_size=6), method=st.sampled_from(["shapley", "removal"]))
@settings(max_examples=number_of_cases(60, 15), deadline=None)
def test_differences_are_means_of_contributions_and_shares_add_up_to_that_of_the_gaps(q: Qbaf, method: str) -> None:
    fact, foil = q.topics[0], next((x for x in q if x != q.topics[0]), None)
    if foil is None:
        return
    found = compare_semantics(q, fact, foil, method=method)
    signs = {s: 0 if abs(gap) <= 1e-10 else np.sign(gap) for s, gap in found.gaps.items()}
    first = [s for s in SEMANTICS if signs[s] == max(signs.values())]
    second = [s for s in SEMANTICS if s not in first]
    assert found.sides == (tuple(first), tuple(second))
    assert found.agree == (not second)
    if not second:
        assert (found.differences, found.decisive, found.cross_topic_difference) == ({}, None, 0.0)
        return

    def mean(values: dict[str, float], side: list[str]) -> float:
        return sum(values[s] for s in side) / len(side)

    for x, value in found.differences.items():
        own = {s: qx.contrast(q, fact, foil, method=method, semantics=s)[x] for s in SEMANTICS}
        assert value == pytest.approx(mean(own, first) - mean(own, second), abs=1e-12)
    gaps = dict(found.gaps)
    if method == "shapley":
        total = sum(found.differences.values()) + found.cross_topic_difference
        assert total == pytest.approx(mean(gaps, first) - mean(gaps, second), abs=1e-9)
    if found.decisive is not None:
        assert found.differences[found.decisive] == max(found.differences.values())


def test_where_semantics_disagree_the_result_says_who_makes_them() -> None:
    found = compare_semantics(DISAGREE, "p", "q")
    assert found.agree is False
    assert found.signs["qe"] == 1
    assert found.signs["ebt"] == -1
    assert found.decisive in ("a", "b")
    assert "depends on the semantics" in str(found)


def test_a_semantics_that_does_not_allow_the_weights_is_listed_with_the_reason() -> None:
    q = Qbaf({"p": 0.5, "q": 0.4, "a": 0.5}, supports={("a", "p"): 2.0})
    found = compare_semantics(q, "p", "q")
    assert set(found.gaps) | set(found.refused) == set(SEMANTICS)
    assert "the weight of edge ('a', 'p') is 2; df-quad allows weights up to 1" in found.refused["df-quad"]
    assert "qe" in found.gaps
    assert found.agree
    assert "No answer under df-quad" in str(found)


def test_a_semantics_without_strengths_is_listed_with_the_reason_and_other_ways_out_are_not() -> None:
    found = compare_semantics(qx.examples.load("undefined"), "open", "closed")
    assert "still move" in found.refused["df-quad"]
    assert "solver" not in found.refused["df-quad"]
    assert "df-quad" not in found.gaps
    assert "qe" in found.gaps


def test_a_semantics_with_strengths_and_without_contributions_has_its_gap() -> None:
    found = compare_semantics(qx.examples.load("healthcare"), "antiviral", "antibiotic")
    name = "df-quad-squared-product"
    assert name in found.gaps
    assert name not in found.contrasts
    assert "has no value" in found.refused[name]
    assert f"No reasons can be given under {name}." in str(found)
    assert found.strongest(name) == []
    assert found.strongest("qe", 1)[0][0] == "viral"


def test_where_no_semantics_gives_an_answer_this_is_said() -> None:
    found = compare_semantics(qx.examples.load("undefined"), "open", "closed", semantics=["df-quad"])
    assert (found.agree, found.gaps, found.decisive) == (None, {}, None)
    assert str(found).startswith("No semantics gives an answer")
    assert len(found.to_frame()) == 1


def test_semantics_are_chosen_by_name_or_given_as_objects() -> None:
    half = Semantics("half", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: np.clip((b + e) / 2, 0, 1))
    found = compare_semantics(DISAGREE, "p", "q", semantics=["qe", half], method="removal")
    assert list(found.gaps) == ["qe", "half"]
    assert found.gaps["half"] == pytest.approx(qx.strengths(DISAGREE, semantics=half)["p"] - 0.4)


@pytest.mark.parametrize("players", ["edges", "direct", {"weak": ["a", "b"]}])
def test_edges_and_groups_are_compared_too(players: Any) -> None:
    found = compare_semantics(DISAGREE, "p", "q", players=players)
    assert set(found.differences) == set(found.contrasts["qe"])
    assert found.to_frame().shape == (len(SEMANTICS), 2 + len(found.contrasts["qe"]))


def test_what_is_wrong_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'p' cannot be compared with itself"):
        compare_semantics(DISAGREE, "p", "p")
    with pytest.raises(InvalidInput, match="give one or more, each once"):
        compare_semantics(DISAGREE, "p", "q", semantics=["qe", "qe"])
    with pytest.raises(InvalidInput, match="semantics is the string 'qe'; give a list"):
        compare_semantics(DISAGREE, "p", "q", semantics="qe")
    with pytest.raises(UnknownName, match="no semantics 'euler'"):
        compare_semantics(DISAGREE, "p", "q", semantics=["euler"])
    with pytest.raises(TooLarge):
        compare_semantics(DISAGREE, "p", "q", max_evaluations=1)


def test_progress_counts_the_semantics() -> None:
    seen: list[tuple[int, int]] = []
    compare_semantics(DISAGREE, "p", "q", progress=lambda *at: seen.append(at))
    assert seen == [(k + 1, len(SEMANTICS)) for k in range(len(SEMANTICS))]


def test_the_strongest_reasons_are_asked_for_by_the_name_of_a_semantics_and_a_number() -> None:
    found = compare_semantics(DISAGREE, "p", "q", semantics=["qe", "ebt"])
    assert len(found.strongest("qe", 2)) == 2
    with pytest.raises(UnknownName, match="no semantics 'mlp' among the 2 here"):
        found.strongest("mlp")
    with pytest.raises(InvalidInput, match="limit is -1"):
        found.strongest("qe", -1)
