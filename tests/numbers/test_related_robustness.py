"""Robustness against reference values: the radius, and what a plain pass with intervals certifies."""

from __future__ import annotations

import numpy as np
import pytest

import qontrast as qx
from qontrast.engine.intervals import Boxes, IntervalPass
from qontrast.engine.problem import make_problem
from tests.numbers.test_related import CASES, find, graph_of


@find("robustness")
def test_the_certified_and_the_found_radius_are_the_reference_values(name: str) -> None:
    case = CASES[name]
    asked, expected = case["ask"], case["expected"]
    found = qx.robustness(graph_of(case), asked["fact"], asked["foil"], norm=expected["norm"], movers=asked["movers"])
    assert found.certified <= expected["radius"] + case["tolerance"]
    assert found.certified >= expected["interval_certified"] - 1e-9
    assert found.found == pytest.approx(expected["radius"], abs=case["tolerance"])
    assert found.exact


@find("robustness")
def test_one_pass_with_intervals_certifies_the_reference_values(name: str) -> None:
    case = CASES[name]
    q, radius = graph_of(case), case["expected"]["interval_certified"]
    movers = [q.index(x) for x in case["ask"]["movers"]]
    fact, foil = (q.index(case["ask"][role]) for role in ("fact", "foil"))
    for factor, holds in ((1 - 1e-6, True), (1 + 1e-6, False)):
        low, high = q.base_array.copy(), q.base_array.copy()
        low[movers] = np.maximum(low[movers] - factor * radius, 0.0)
        high[movers] = np.minimum(high[movers] + factor * radius, 1.0)
        found = IntervalPass(make_problem(q), Boxes(low[None], high[None]))
        assert (found.low[0, fact] > found.high[0, foil]) == holds
