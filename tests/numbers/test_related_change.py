"""The difference of two versions against reference values: `related.json` holds graphs, questions and answers."""

from __future__ import annotations

from typing import Any

import pytest

from qontrast import Qbaf, change
from tests.numbers.test_related import CASES, find, graph_of


def versions_of(case: dict[str, Any]) -> tuple[Qbaf, Qbaf]:
    return graph_of(case), graph_of({"graph": case["after"]})


def write(unit: tuple[str, ...]) -> str:
    return f"{unit[0]} {'→'.join(unit[1:])}"


@find("change")
def test_shares_alone_and_undone_of_changes_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    found, expected = change(*versions_of(case), **case["ask"]), case["expected"]
    assert found.gap_before == pytest.approx(expected["gap_before"], abs=case["tolerance"])
    assert found.gap_after == pytest.approx(expected["gap_after"], abs=case["tolerance"])
    for key, values in {"shapley": found, "alone": found.alone, "undone": found.undone}.items():
        named = {write(unit): value for unit, value in values.items()}
        assert named == pytest.approx(expected[key], abs=case["tolerance"]), key


@find("change")
@pytest.mark.parametrize("units", ["elements", "arguments"])
def test_sets_of_changes_are_the_reference_sets(name: str, units: str) -> None:
    case = CASES[name]
    found = change(*versions_of(case), **case["ask"], units=units)
    for key in ("sufficient", "counterfactual", "necessary"):
        assert set(getattr(found, key)) == set(map(frozenset, case["expected"][key])), key
