"""Goals against reference optima: `related.json` holds graphs, goals, and the cost with a lower bound."""

from __future__ import annotations

from typing import Any

import pytest

from qontrast import Reach, reach, strengths
from tests.numbers.test_related import CASES, find, graph_of

CHANGES = {"base scores": "base_scores", "weights": "weights", "base scores and weights": "both"}


def goal_of(asked: dict[str, Any]) -> Any:
    if "order" in asked:
        return asked["order"]
    signs = {"at_least": ">=", "at_most": "<=", "equal": "=="}
    return next(f"{asked['topic']} {sign} {asked[key]}" for key, sign in signs.items() if key in asked)


def ask_goal(case: dict[str, Any]) -> Reach:
    asked = case["ask"]
    return reach(
        graph_of(case),
        goal_of(asked),
        change=CHANGES[asked["change"]],
        cost="fewest" if asked["norm"] == "l0" else asked["norm"],
        fixed=asked.get("fixed", ()),
        bounds=asked.get("bounds"),
        margin=asked.get("margin", 0.0),
    )


@find("reach")
def test_a_goal_is_reached_at_the_reference_cost_and_every_claim_is_true(name: str) -> None:
    case = CASES[name]
    cost, tolerance = case["expected"]["cost"], case["tolerance"]
    found = ask_goal(case)
    if cost is None:
        assert found.change is None
        assert (found.possible, found.proved) == (False, True)
        return
    assert found.possible
    assert found.qbaf_after is not None
    assert found.cost is not None
    assert found.cost <= cost + tolerance
    assert found.cost >= case["expected"]["lower"] - 1e-6
    assert found.lower <= cost + 1e-9
    assert found.proved
    after = strengths(found.qbaf_after)
    for topic, (_, new) in found.strengths.items():
        assert after[topic] == pytest.approx(new, abs=1e-12)
