"""Edges, groups and pairs against reference values: `related.json` holds graphs, questions and answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qontrast import InvalidInput, Qbaf, attribute, contrast, interactions

CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "related.json").read_text())["cases"]}


def graph_of(case: dict[str, Any]) -> Qbaf:
    graph = case["graph"]
    attacks, supports = (
        {(edge[0], edge[1]): edge[2] if len(edge) > 2 else 1.0 for edge in graph[kind]}
        for kind in ("attacks", "supports")
    )
    return Qbaf(graph["arguments"], attacks, supports, semantics=graph["semantics"])


def ask(case: dict[str, Any], **settings: Any) -> Any:
    asked = case["ask"]
    if "topic" in asked:
        return attribute(graph_of(case), asked["topic"], **settings)
    return contrast(graph_of(case), asked["fact"], asked["foil"], **settings)


def find(kind: str) -> Any:
    found = [name for name, case in CASES.items() if case["method"].startswith(kind)]
    assert found
    return pytest.mark.parametrize("name", found)


@find("relation-")
def test_contributions_of_edges_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    if case["method"] == "relation-interaction":
        check_interactions(case, "edges")
        return
    found = ask(case, players="edges", method=case["method"].removeprefix("relation-"))
    for source, target, _, value in case["expected"].get("edges", ()):
        assert found[source, target] == pytest.approx(value, abs=case["tolerance"])
    for source, target, below, above in case["expected"].get("sides", ()):
        both = found.sides[source, target]
        assert (both.below, both.above) == pytest.approx((below, above), abs=case["tolerance"])
        assert np.isnan(found[source, target])


@find("missing-edge")
def test_slopes_of_edges_that_are_not_there_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    fact, foil = case["ask"]["fact"], case["ask"]["foil"]
    found = ask(case, players="edges", method="gradient").missing(10_000)
    slopes = {(each.source, each.target, each.kind): each for each in found}
    for source, target, kind, of_fact, of_foil, of_gap in case["expected"]["edges"]:
        each = slopes.get((source, target, kind))
        values = (each.slopes[fact], each.slopes[foil], each.slope) if each else (0.0, 0.0, 0.0)
        assert values == pytest.approx((of_fact, of_foil, of_gap), abs=case["tolerance"])


@find("direct-")
def test_contributions_of_direct_edges_are_the_reference_values_and_their_sum(name: str) -> None:
    case = CASES[name]
    found = ask(case, players="direct")
    expected = {(source, target): value for source, target, _, value in case["expected"]["edges"]}
    assert dict(found) == pytest.approx(expected, abs=case["tolerance"])
    assert sum(found.values()) == pytest.approx(case["expected"]["sum"], abs=case["tolerance"])


@find("set")
def test_one_group_contributes_the_reference_value_and_holds_no_topic(name: str) -> None:
    case = CASES[name]
    players, expected = {"X": case["ask"]["set"]}, case["expected"]
    if expected.get("refused"):
        with pytest.raises(InvalidInput, match="a topic cannot leave its own game"):
            ask(case, players=players)
        return
    methods = {"removal": "removal", "intrinsic": "intrinsic", "shapley": "shapley", "gradient_sum": "gradient"}
    for key, method in methods.items():
        if key in expected:
            found = ask(case, players=players, method=method)
            assert found["X"] == pytest.approx(expected[key], abs=case["tolerance"]), method


@find("group-shapley")
def test_contributions_of_groups_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    found = ask(case, players=case["ask"]["groups"])
    assert dict(found) == pytest.approx(case["expected"]["groups"], abs=case["tolerance"])


@find("owen")
def test_shares_within_groups_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    found = ask(case, players=case["ask"]["groups"], method="owen")
    assert dict(found) == pytest.approx(case["expected"]["arguments"], abs=case["tolerance"])


@find("interaction")
def test_interactions_of_pairs_are_the_reference_values(name: str) -> None:
    check_interactions(CASES[name], "arguments")


def check_interactions(case: dict[str, Any], players: str) -> None:
    asked, expected = case["ask"], case["expected"]
    topics = [asked["topic"]] if "topic" in asked else [asked["fact"], asked["foil"]]

    def compute(index: str) -> Any:
        return interactions(graph_of(case), *topics, index=index, players=players)

    by_index = {index: expected[index] for index in ("sii", "stii", "k-sii", "sii3") if index in expected}
    for pair, values in expected.get("pairs", {}).items():
        for index, value in values.items():
            by_index.setdefault(index, {})[pair] = value
    assert by_index
    for index, values in by_index.items():
        found = compute("sii" if index == "sii3" else index)
        for key, value in values.items():
            names = [tuple(each.split("→")) if "→" in each else each for each in key.split("|")]
            got = found.singles[names[0]] if len(names) == 1 else found.among(*names)
            assert got == pytest.approx(value, abs=case["tolerance"]), (index, key)
            if len(names) == 2:
                assert found[names[0], names[1]] == found[names[1], names[0]]
                assert found[names[0], names[1]] == pytest.approx(value, abs=case["tolerance"])
    for name, value in expected.get("cross_topic_sii", {}).items():
        assert compute("sii").cross_topic[name] == pytest.approx(value, abs=case["tolerance"])
