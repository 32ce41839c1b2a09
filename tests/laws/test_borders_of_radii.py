"""A radius is certified, exact or without end where mpmath's intervals say so: just inside of the border and outside.

In these graphs every argument acts on one of two topics along one path, so that the judge knows the radius to 1e-12.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.engine.problem import make_problem
from qontrast.explain import reach_proof, robustness
from qontrast.explain.reach_proof import Proof
from tests.support import interval_judge
from tests.support.profiles import number_of_cases
from tests.support.stops import count_time, interrupt_everywhere

SEEDS = range(number_of_cases(12, 2))
LEVEL = 1e-9  # a gap of no more than this counts as none
NEAR = 1e-6  # how near to the judge's radius a change can be found


@cache
def make_trees(seed: int) -> Qbaf:
    """Two topics with trees of their own, weights other than 1, base scores of 0 and 1."""
    rng = np.random.default_rng(seed)
    names = ["p", "q", *(f"x{k}" for k in range(4))]
    base = np.where(rng.random(6) < 0.2, rng.integers(0, 2, 6), rng.uniform(0.05, 0.95, 6))
    base[:2] = rng.uniform(0.3, 0.7, 2)
    edges = {}
    for k, name in enumerate(names[2:], 2):
        parent = names[k % 2] if k < 4 else names[k - 2]
        edges[name, parent] = float(rng.choice([-1, 1]) * rng.choice([1.0, 0.5, 0.75]))
    attacks = {edge: -weight for edge, weight in edges.items() if weight < 0}
    supports = {edge: weight for edge, weight in edges.items() if weight > 0}
    return Qbaf(dict(zip(names, base.tolist(), strict=True)), attacks, supports)


def judge(found: qx.Robustness) -> tuple[float, float]:
    """The radius, from below and from above."""
    movers = [each for each in found.movers if not isinstance(each, tuple)]
    behind = found.foil if found.ahead == found.fact else found.fact
    return interval_judge.find_radius(found.qbaf, found.semantics, found.ahead, behind, movers)


def check(found: qx.Robustness) -> None:
    """What is claimed of a radius holds by the judge, however much was proved."""
    inside, outside = judge(found)
    assert found.certified <= outside
    assert found.impossible is (found.certified == np.inf)
    assert not found.impossible or outside == np.inf
    assert found.found >= inside - NEAR
    assert found.exact is (found.impossible or found.found - found.certified <= 1e-4)
    if found.example is not None:
        exact = found.qbaf.with_base_scores(found.example)  # type: ignore[arg-type]
        behind = found.foil if found.ahead == found.fact else found.fact
        assert interval_judge.bound_gap(exact, found.semantics, found.ahead, behind, {})[0] <= 2 * LEVEL


@pytest.mark.parametrize("semantics", interval_judge.FORMULAS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_certified_radius_is_below_the_one_of_another_library_and_a_found_one_is_not(
    seed: int, semantics: str
) -> None:
    whole = qx.robustness(make_trees(seed), "p", "q", semantics=semantics, time_limit=None)
    inside, _ = judge(whole)
    check(whole)
    assert whole.exact
    assert not whole.stopped
    assert whole.certified == pytest.approx(inside, abs=1.1e-4) or inside == np.inf


@pytest.mark.parametrize("semantics", interval_judge.FORMULAS)
@pytest.mark.parametrize(("above", "impossible"), [(-1e-7, False), (0.0, False), (1e-8, True), (1e-5, True)])
def test_a_lead_that_a_mover_can_just_end_is_not_called_one_that_nothing_ends(
    semantics: str, above: float, impossible: bool
) -> None:
    q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.25}, supports={("x", "q"): 0.5})
    most = float(interval_judge.bound_strengths(q, semantics, {"x": (0.0, 1.0)})["q"].b)
    q = q.with_base_scores({"p": most + above})
    found = qx.robustness(q, "p", "q", semantics=semantics, movers=["x"], time_limit=None)
    check(found)
    assert found.impossible is impossible
    assert (found.found == np.inf) is impossible
    assert (found.example is None) is impossible
    assert found.exact


@pytest.mark.parametrize(("apart", "exact"), [(0.0, True), (0.99e-4, True), (1.01e-4, False), (1e-3, False),
                                              (1e-2, False)])  # fmt: skip
def test_bounds_that_differ_by_more_than_1e_4_are_not_exact(
    apart: float, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    q = Qbaf({"p": 0.75, "q": 0.25})
    whole = robustness.prove

    def answer(task, point, **settings):  # type: ignore[no-untyped-def]
        found = whole(task, point, **settings)
        return Proof(found.cost - apart, found.point, found.cost, apart <= 1e-4, found.boxes)

    monkeypatch.setattr(robustness, "prove", answer)
    found = qx.robustness(q, "p", "q")
    assert found.exact is exact
    assert found.certified == pytest.approx(0.25 - apart)
    assert ("beyond that, q may draw level" in str(found)) is exact


@pytest.mark.parametrize(("ended", "boxes", "interrupted", "stopped"), [
    (False, 5, False, False),
    (True, 5, False, True),  # by the time
    (True, 50, False, False),  # by the number of boxes that was asked for
    (True, 50, True, True),
])  # fmt: skip
def test_a_radius_is_stopped_where_time_or_an_interrupt_ended_its_proof(
    ended: bool, boxes: int, interrupted: bool, stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(task: Any, point: Any, **_: Any) -> Proof:
        return Proof(0.125, point, 0.25, False, boxes, ended, interrupted)

    monkeypatch.setattr(robustness, "prove", answer)
    found = qx.robustness(Qbaf({"p": 0.75, "q": 0.25}), "p", "q", max_boxes=50)
    assert found.stopped is stopped
    assert (found.certified, found.found, found.exact) == (0.125, 0.25, False)
    assert ("was stopped early" in str(found)) is stopped


def test_a_proof_of_a_radius_that_ends_early_certifies_less_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach_proof, "BALL_ROUNDS", 0)
    monkeypatch.setattr(robustness, "TOLERANCE", 1e-9)  # so that a proof takes many rounds
    q = make_trees(1)
    whole = qx.robustness(q, "p", "q", semantics="qe", time_limit=None)
    clock, seen = count_time(monkeypatch), []
    for limit in (1, 120, 10_000):
        clock.now = 0.0
        found = qx.robustness(q, "p", "q", semantics="qe", time_limit=limit)
        inside, outside = judge(found)
        assert found.certified <= outside
        assert found.certified <= whole.certified + 1e-9
        assert found.found >= inside - NEAR
        assert found.stopped or found.certified == pytest.approx(whole.certified)
        seen.append((found.stopped, found.certified > 0))
    assert seen[0][0]
    assert seen[-1] == (False, True)


def test_an_interrupt_of_a_proof_of_a_radius_certifies_no_more_than_holds() -> None:
    q = Qbaf({"p": 0.55, "q": 0.5, "x": 0.5}, supports=[("x", "q")], semantics="qe")
    seen = set()
    for found in interrupt_everywhere(
        lambda: qx.robustness(q, "p", "q", time_limit=None), number_of_cases(40, 3), reach_proof.__file__
    ):
        check(found)
        assert found.stopped
        seen.add(found.certified > 0)
    assert seen


@pytest.mark.parametrize(("fact", "foil"), [("p", "q"), ("q", "p")])
def test_a_radius_of_the_first_round_is_certified_in_both_orders_of_the_topics(fact: str, foil: str) -> None:
    for seed in SEEDS:
        q = make_trees(seed)
        strengths = qx.strengths(q, semantics="qe")
        ahead, behind = sorted(("p", "q"), key=lambda topic: -strengths[topic])
        radius = robustness.certify_order(make_problem(q, "qe"), fact, foil)
        assert 0 < radius <= interval_judge.find_radius(q, "qe", ahead, behind, list(q))[1]
