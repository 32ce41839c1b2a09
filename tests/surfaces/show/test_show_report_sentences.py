"""Every part of a report is about the same question: the same graph, semantics and solver, in every language."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import qontrast as qx
from qontrast.show import describe, report_html
from qontrast.show.phrasing import LANGUAGES
from qontrast.show.uncertainty_texts import describe_sampling
from tests.support.all_results import BARE, make_graph
from tests.support.sentences import collect, collect_result, find_problems, find_slips, read_page

ASKED = {"plain": "ebt", "tied": "df-quad", "cyclic": "reb"}  # none is the graph's own semantics, qe


@cache
def answer(kind: str) -> dict[str, Any]:
    """What the report is made of, each computed by itself."""
    q, semantics = make_graph(kind), ASKED[kind]
    strengths = qx.strengths(q, semantics=semantics)
    first, second = sorted(("p", "q"), key=lambda name: -strengths[name])
    return {
        "strengths": strengths,
        "contrast": qx.contrast(q, "p", "q", semantics=semantics),
        "edges": qx.contrast(q, "p", "q", players="edges", method="owen", semantics=semantics),
        "interactions": qx.interactions(q, "p", "q", semantics=semantics),
        "pairs": qx.all_pairs(q, semantics=semantics),
        "uncertainty": qx.uncertainty(q, "p", "q", semantics=semantics),
        "reasons": qx.reasons(q, "p", "q", semantics=semantics),
        "semantics": qx.compare_semantics(q, "p", "q"),
        "flip": qx.flip(q, first, second, semantics=semantics),
        "robustness": qx.robustness(q, "p", "q", max_boxes=20, semantics=semantics),
    }


@cache
def write_report(kind: str, code: str) -> str:
    searched = {name: answer(kind)[name] for name in ("flip", "robustness")}
    page = report_html(make_graph(kind), "p", "q", language=code, semantics=ASKED[kind], **searched)
    return " ".join(read_page(page).split())


@pytest.mark.parametrize("kind", ASKED)
def test_a_report_says_of_every_part_what_that_part_says_under_the_same_semantics(kind: str) -> None:
    for code in LANGUAGES:
        text, found = write_report(kind, code), answer(kind)
        for name in ("uncertainty", "reasons", "semantics", "flip", "robustness"):
            assert " ".join(describe(found[name], language=code).split()) in text, name
        assert describe_sampling(found["uncertainty"], language=code) in text
        own = qx.uncertainty(make_graph(kind), "p", "q")
        assert describe_sampling(own, language=code) != describe_sampling(found["uncertainty"], language=code)


@pytest.mark.parametrize("kind", ASKED)
def test_every_number_and_every_name_of_a_report_is_found_in_one_of_its_parts(kind: str) -> None:
    facts = collect(make_graph(kind))
    for found in answer(kind).values():
        facts.join(collect_result(found))
    for value in answer(kind)["pairs"].gaps.ravel():
        facts.add(value)  # pairs stand in both directions
    for code in LANGUAGES:
        text = write_report(kind, code)
        made = text.rindex("SHA-256")  # the fingerprint of the graph, and the version of qontrast
        assert find_problems(text[:made], facts, code, bare=BARE) == []
        assert find_slips(text[:made], facts, code) == []
