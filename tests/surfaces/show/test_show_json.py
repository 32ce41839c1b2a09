"""Every number that a result holds stands in its JSON under the name, the role and the version that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from typing import Any

import pytest

import qontrast as qx
from tests.support.cells import CELLS, Cells, is_same
from tests.support.json_cells import LABELS, READERS, TABLE_ONLY, read_unit
from tests.support.results_to_show import make_result, make_results


def list_missing(name: str, shown: Cells, expected: Cells) -> Cells:
    """The cells of a result that are not in its JSON, and are neither 0 nor undefined."""
    apart = LABELS | TABLE_ONLY.get(name, set())
    left = {place: value for place, value in expected.items() if place[1] not in apart and place not in shown}
    return {place: value for place, value in left.items() if value not in (0, "") and not is_same(value, None)}


def test_every_result_has_a_reader_of_its_json() -> None:
    assert READERS.keys() == CELLS.keys()


@pytest.mark.parametrize("name", READERS)
def test_every_number_of_json_is_that_of_the_result_in_its_place(name: str) -> None:
    for result in make_results(name):
        shown, expected = READERS[name](json.loads(result.to_json())), CELLS[name](result)
        wrong = {place: value for place, value in shown.items() if not is_same(value, expected.get(place))}
        assert wrong == {}
        assert list_missing(name, shown, expected) == {}


def check_contrast(why: Any, data: Any) -> None:
    cross = why.cross_topic
    assert data["cross_topic"] == {
        "fact_from_foil": cross.fact_from_foil,
        "foil_from_fact": cross.foil_from_fact,
        "component": cross.component,
    }
    assert data["players"] == why.players.kind


def check_reach(found: Any, data: Any) -> None:
    ends = {topic: (each["from"], each["to"]) for topic, each in data["strengths"].items()}
    assert ends == dict(found.strengths)
    assert data["fixed"]["arguments"] == [x for x in found.fixed if not isinstance(x, tuple)]


def check_flip(found: Any, data: Any) -> None:
    scores, removal = data["base_scores"], data["removal"]
    assert (scores["cost"], scores["gap"], scores["movable"]) == (found.cost, found.change_gap, found.movable)
    lower = None if found.change_lower == inf else found.change_lower
    assert (scores["lower"], scores["proved"]) == (lower, found.change_proved)
    assert (removal["gap"], removal["removable"]) == (found.removal_gap, found.removable)
    assert (removal["examined"], removal["proved_smallest"]) == (found.examined, found.proved)
    assert (scores["stopped"], removal["stopped"]) == (found.change_stopped, found.removal_stopped)


def check_change(found: Any, data: Any) -> None:
    for kind in ("sufficient", "counterfactual", "necessary", "pockets"):
        assert [frozenset(each) for each in data[kind]] == list(getattr(found, kind)), kind
    for kind, sets in found.element_sets.items():
        assert [frozenset(map(read_unit, each)) for each in data["element_sets"][kind]] == list(sets), kind


def check_robustness(found: Any, data: Any) -> None:
    edges = [(each["source"], each["target"]) for each in data["edges"]]
    assert [*data["movers"], *edges] == sorted(found.movers, key=lambda each: isinstance(each, tuple))


def check_ranking(ranking: Any, data: Any) -> None:
    assert data["steps"] == [step.to_dict() for step in ranking.steps]


def check_whatif(found: Any, data: Any) -> None:
    assert data["change"] == (None if found.change is None else found.change.to_dict())


def check_check(found: Any, data: Any) -> None:
    assert data.get("robustness") == (None if found.robustness is None else found.robustness.to_dict())


def check_audit(audit: Any, data: Any) -> None:
    for each, told in zip(audit.telling, data["telling"], strict=True):
        assert (told["row"], told["features"], told["strengths"]) == (each.row, each.features, each.strengths)
        ranks = each.individual_rank, each.contrastive_rank
        assert (told["individual_rank"], told["contrastive_rank"]) == ranks


PARTS: dict[str, Callable[[Any, Any], None]] = {  # what else JSON says in another form than the attribute has
    "Contrast": check_contrast,
    "Reach": check_reach,
    "Flip": check_flip,
    "Change": check_change,
    "Robustness": check_robustness,
    "Ranking": check_ranking,
    "WhatIf": check_whatif,
    "Check": check_check,
    "Audit": check_audit,
}


@pytest.mark.parametrize("name", PARTS)
def test_the_other_parts_of_json_are_those_of_the_result(name: str) -> None:
    for result in make_results(name):
        PARTS[name](result, json.loads(result.to_json()))


def test_the_sides_of_a_kink_are_told_apart_in_json() -> None:
    for result in (make_result("Attribution", 2), make_result("Contrast", 2)):
        data: Any = result.to_dict()["sides"]
        assert isinstance(result, qx.Attribution | qx.Contrast)
        assert data.keys() == result.sides.keys()
        for name, each in result.sides.items():
            assert each.below != each.above
            assert (data[name]["below"], data[name]["above"]) == (each.below, each.above)


def test_the_standard_errors_of_each_topic_stand_under_that_topic() -> None:
    phi: Any = make_result("Phi", 1)
    errors = phi.to_dict()["std_error"]
    assert list(errors) == list(phi.topics)
    assert errors["p"] != errors["r"]
    for topic, found in errors.items():
        own = dict(zip(phi.players, phi.std_error(topic).tolist(), strict=True))
        assert found == {x: own[x] for x in found}


def test_the_histogram_and_the_quick_answer_are_those_of_the_uncertainty() -> None:
    for found in make_results("Uncertainty"):
        assert isinstance(found, qx.Uncertainty)
        data, (edges, parts) = found.to_dict(), found.histogram()
        assert data["histogram"] == {"edges": edges.tolist(), "parts": parts.tolist()}
        assert data["quantiles"] == {str(level): value for level, value in found.quantiles.items()}
        if found.delta is not None:
            assert (data["delta"]["mean"], data["delta"]["sd"]) == (found.delta.mean, found.delta.sd)
            assert data["delta"]["probability"] == found.delta.probability
            assert data["delta"]["shares"] == {str(x): share for x, share in found.delta.shares.items()}
