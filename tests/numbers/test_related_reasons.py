"""Prime, breaking and sufficient sets against reference values of `related.json`."""

from __future__ import annotations

import pytest

from qontrast import attribute, reasons, strengths
from tests.numbers.test_related import CASES, find, graph_of


@find("reasons")
def test_the_sets_that_decide_the_order_are_the_reference_sets(name: str) -> None:
    case = CASES[name]
    found = reasons(graph_of(case), case["ask"]["fact"], case["ask"]["foil"])
    assert found.complete
    assert found.sign == case["expected"]["sign"]
    for kind in ("sufficient", "prime", "breaking"):
        assert set(getattr(found, kind)) == set(map(frozenset, case["expected"][kind])), kind


@find("dispute-tree")
def test_strengths_and_slopes_of_a_dispute_tree_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    assert dict(strengths(graph_of(case))) == pytest.approx(case["expected"]["strengths"], abs=case["tolerance"])
    found = attribute(graph_of(case), case["ask"]["topic"], method="gradient")
    for x, slope in case["expected"]["gradient"].items():
        assert found[x] == pytest.approx(slope, abs=case["tolerance"])
