"""What is proved or impossible is so by another judge, just inside of the border and just outside of it.

The judges are closed forms and mpmath's intervals (`tests/support/interval_judge`). Searches and proofs are ended at
every moment, by a clock that counts or by an interrupt (`tests/support/stops`), and claim no more than they know then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.engine.problem import make_problem
from qontrast.explain import reach as reach_module
from qontrast.explain import reach_proof
from qontrast.explain.reach_proof import BoxSearch, Proof, prove, settle
from qontrast.explain.reach_task import ReachTask
from qontrast.explain.reach_trials import PointTrials
from qontrast.explain.search_clock import Clock
from tests.support import interval_judge
from tests.support.profiles import number_of_cases
from tests.support.stops import count_time, interrupt_everywhere

TOLERANCE = 1e-3
PROOF = reach_proof.__file__
# t has the strength 0.5 + 0.5 E² / (1 + E²) with E = y − x ≥ 0: at most 0.75, where x = 0 and y = 1
CORNER, AT_CORNER = 0.75, {"x": 0.0, "y": 1.0}
TWO = Qbaf({"t": 0.5, "x": 0.5, "y": 0.25}, attacks=[("x", "t")], supports=[("y", "t")], semantics="qe")


def make_task(aim: float, cost: str = "l1") -> ReachTask:
    """Move x and y until t has a strength; under l1 the cheapest change costs what E has to rise by."""
    two = np.ones(2)
    start, constants = TWO.base_array[1:], np.array([-aim])
    return ReachTask(make_problem(TWO), np.array([1, 2]), np.array([], np.intp), start, 0 * two, two, two, cost,
                     np.array([[1.0, 0.0, 0.0]]), constants)  # fmt: skip


def find_least_cost(aim: float) -> float:
    """The closed form of the least cost under l1: E rises from −0.25 to √(s / (1 − s)) with s = 2 σ − 1."""
    share = 2 * aim - 1
    return 0.25 + float(np.sqrt(share / (1 - share)))


AIM = 0.6
LEAST = find_least_cost(AIM)  # 0.25 + 0.5


def make_point(cost: float) -> Any:
    """A feasible point of this cost: x falls to 0, and y rises by the rest."""
    return np.array([0.0, 0.25 + cost - 0.5])


# x and y act on t on two ways of opposite signs, so that a proof has to cut boxes; t is strongest where x = 0 and y = 1
TWO_WAYS = Qbaf(
    {"t": 0.2, "z": 0.1, "x": 0.9, "y": 0.9},
    attacks={("x", "t"): 1.0, ("y", "z"): 1.0},
    supports={("x", "z"): 1.0, ("z", "t"): 2.0, ("y", "t"): 0.5},
    semantics="qe",
)
MOST = 0.2 + 0.8 * 0.6**2 / (1 + 0.6**2)


def make_impossible_task(beyond: float = 1e-5) -> ReachTask:
    """Reach a little more than the most that x and y allow."""
    two = np.ones(2)
    start, goal = TWO_WAYS.base_array[2:], np.array([[1.0, 0.0, 0.0, 0.0]])
    return ReachTask(make_problem(TWO_WAYS), np.array([2, 3]), np.array([], np.intp), start, 0 * two, two, two, "l1",
                     goal, np.array([-MOST - beyond]))  # fmt: skip


TASKS = {  # a task, and the least cost
    "middle": (make_task(AIM), LEAST),
    "high": (make_task(0.7), find_least_cost(0.7)),
    "corner": (make_task(CORNER), 1.25),
    "impossible": (make_impossible_task(), np.inf),
}


def test_the_strongest_point_of_two_ways_is_a_corner() -> None:
    parts = np.linspace(0, 1, 41)
    base = np.array([[0.2, 0.1, x, y] for x in parts for y in parts])
    assert make_problem(TWO_WAYS).strengths(None, base)[:, 0].max() == pytest.approx(MOST, abs=1e-12)


# -- a change one tolerance cheaper --------------------------------------------------------------------------------


@pytest.mark.parametrize(("excess", "proved"), [(0.0, True), (0.5, True), (0.98, True), (1.02, False), (2, False),
                                                (9.9, False)])  # fmt: skip
@pytest.mark.parametrize("tolerance", [1e-3, 1e-2])
def test_a_change_is_proved_exactly_where_none_is_cheaper_by_more_than_the_tolerance(
    excess: float, proved: bool, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoxSearch, "_keep_feasible", lambda search, points: None)  # so that the proof finds none itself
    cost = LEAST + excess * tolerance
    found = prove(make_task(AIM), make_point(cost), tolerance=tolerance, max_boxes=20_000)
    assert found.cost == pytest.approx(cost, abs=1e-12)
    assert found.lower <= LEAST + 1e-9
    assert found.proved is proved


@pytest.mark.parametrize("cost", ["l1", "linf", "l2", "fewest"][: number_of_cases(4, 2)])
@pytest.mark.parametrize(("beyond", "impossible"), [(-1e-4, False), (-1e-7, False), (0.0, False), (1e-8, True),
                                                    (1e-7, True), (1e-4, True)])  # fmt: skip
def test_a_goal_is_impossible_from_just_beyond_what_all_base_scores_together_reach(
    cost: str, beyond: float, impossible: bool
) -> None:
    most = interval_judge.bound_strengths(TWO, "qe", {"x": (0.0, 1.0), "y": (0.0, 1.0)})["t"]
    assert (most.b < CORNER + beyond - 2e-9) is impossible
    found = qx.reach(TWO, f"t >= {CORNER + beyond!r}", fixed=["t"], cost=cost, time_limit=None)
    assert found.possible is (not impossible)
    assert found.proved
    assert (found.lower == np.inf) is impossible
    if not impossible and cost == "l1":
        assert found.cost == pytest.approx(find_least_cost(min(CORNER, CORNER + beyond)), abs=1e-3)
    without = qx.reach(TWO, f"t >= {CORNER + beyond!r}", fixed=["t"], cost=cost, time_limit=None, prove=False)
    assert without.possible is (None if impossible else True)
    assert not without.proved
    assert without.lower == 0


@pytest.mark.parametrize("factor", [0.9, 1.1, 9.0])
def test_the_tolerance_that_is_given_decides_what_is_proved(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def answer(task: ReachTask, point: Any, *, tolerance: float, **_: Any) -> Proof:
        seen.append(tolerance)
        cost = float(task.measure(point[None])[0])
        lower = cost - factor * tolerance
        return Proof(lower, point, cost, factor <= 1)

    monkeypatch.setattr(reach_module, "prove_bound", answer)
    for tolerance in (1e-3, 1e-2):
        found = qx.reach(TWO, f"t >= {AIM}", fixed=["t"], tolerance=tolerance)
        assert found.proved is (factor <= 1)
        assert found.cost is not None
        assert found.cost - found.lower == pytest.approx(factor * tolerance)
    assert seen == [1e-3, 1e-2]


@pytest.mark.parametrize(("excess", "proved"), [(0.9, True), (1.1, False), (5.0, False)])
def test_a_proof_of_another_point_does_not_prove_the_one_that_is_kept(excess: float, proved: bool) -> None:
    """The trials keep a point that is dearer by up to 0.001 where it meets the constraints better."""
    task = make_task(AIM)
    trials = PointTrials(task, Clock())
    kept = make_point(LEAST + excess * TOLERANCE)
    trials.record(kept[None], np.array([[1e-3]]))
    # as cheap as can be, and feasible only up to rounding: not kept
    other = Proof(LEAST, make_point(LEAST - 1e-9), LEAST - 1e-9, True)
    lower, known = settle(other, trials, TOLERANCE)
    assert (trials.best == kept).all() or excess > 1
    best = float(task.measure(trials.best[None])[0])  # type: ignore[index]
    assert known is (best - lower <= TOLERANCE)
    assert known is (proved or best <= LEAST + TOLERANCE)


def test_a_point_of_a_proof_that_the_solver_refuses_proves_neither_a_change_nor_that_there_is_none() -> None:
    task = make_task(AIM)
    trials = PointTrials(task, Clock())
    infeasible = Proof(0.1, make_point(0.5), 0.1, True)  # it does not reach the aim
    assert settle(infeasible, trials, TOLERANCE) == (0.1, False)
    assert trials.best is None


def test_a_change_that_does_not_hold_after_all_is_neither_found_nor_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach_module, "_verify", lambda *_: None)
    found = qx.reach(TWO, f"t >= {AIM}", fixed=["t"])
    assert (found.possible, found.change, found.cost, found.proved) == (None, None, None, False)


@pytest.mark.parametrize(("missed", "holds"), [(0.0, True), (0.5e-8, True), (2e-8, False), (1e-6, False)])
def test_a_changed_graph_counts_as_reached_up_to_1e_8_and_no_further(missed: float, holds: bool) -> None:
    task = make_task(AIM)
    after = TWO.with_base_scores({"x": 0.0, "y": float(make_point(LEAST)[1])})
    found = reach_module._verify(task.problem, replace(task, constants=task.constants - missed), after)
    assert (found is not None) is holds


@pytest.mark.parametrize(("missed", "holds"), [(0.0, True), (0.9e-9, True), (1.1e-9, False), (1e-8, False)])
def test_a_point_is_feasible_up_to_1e_9_and_no_further(missed: float, holds: bool) -> None:
    task = make_task(AIM)
    assert bool(task.is_feasible(np.array([[-missed]]))[0]) is holds
    assert bool(PointTrials(task, Clock()).holds(np.array([[-missed]]))[0]) is holds


# -- ended early ----------------------------------------------------------------------------------------------------


@pytest.fixture
def many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs cut boxes from the start, so that they take many short rounds."""
    monkeypatch.setattr(reach_proof, "BALL_ROUNDS", 0)


def check_proof(found: Proof, least: float) -> None:
    """Whatever ended it: no bound is above the least cost, and nothing is proved without a bound that is close."""
    assert found.lower <= least + 1e-9
    assert found.lower <= found.cost
    assert found.proved or found.stopped
    if found.point is None:
        assert found.proved == (found.lower == np.inf)
        assert not found.impossible or least == np.inf
    else:
        assert found.proved == (found.cost - found.lower <= TOLERANCE * (1 + 1e-9))
        assert not found.proved or found.cost <= least + TOLERANCE + 1e-9


def list_stopped_proofs(task: ReachTask, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Proof, Proof]]:
    """Proofs that ended after every number of rounds, by boxes and by the clock: each with the one a round later."""
    by_boxes = [prove(task, max_boxes=k) for k in range(1, 120, number_of_cases(1, 8))]
    clock = count_time(monkeypatch)
    by_clock = []
    for limit in range(0, 30, number_of_cases(1, 3)):
        clock.now = 0.0
        by_clock.append(prove(task, time_limit=limit + 0.5))
    for proofs in (by_boxes, by_clock):
        yield from pairwise(proofs)


@pytest.mark.parametrize("name", TASKS)
def test_a_proof_that_ends_one_round_early_is_stopped_and_not_a_proof(
    name: str, many_rounds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, least = TASKS[name]
    whole = prove(task)
    check_proof(whole, least)
    assert whole.proved
    assert not whole.stopped
    seen = set()
    for found, later in list_stopped_proofs(task, monkeypatch):
        check_proof(found, least)
        assert found.lower <= later.lower + 1e-12
        assert not found.interrupted
        seen.add((found.proved, later.proved))
    assert (False, True) in seen
    assert (True, False) not in seen


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("given", [False, True])
def test_an_interrupt_in_the_middle_of_a_proof_proves_nothing(name: str, given: bool, many_rounds: None) -> None:
    task, least = TASKS[name]
    point = make_point(1.25) if given and least < np.inf else None
    seen = []
    for found in interrupt_everywhere(lambda: prove(task, point), number_of_cases(400, 24), PROOF):
        check_proof(found, least)
        seen.append(found.interrupted)
    assert len(seen) >= 15
    assert True in seen


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("width", [1.0, 0.3, 0.05])
def test_boxes_that_are_too_narrow_to_be_cut_are_not_dropped(
    name: str, width: float, many_rounds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach_proof, "MIN_WIDTH", width)
    task, least = TASKS[name]
    for point in [None] if least == np.inf else [None, make_point(1.25)]:
        found = prove(task, point)
        assert found.lower <= least + 1e-9
        assert not found.impossible or least == np.inf
        assert not found.proved or found.point is None or found.cost <= least + TOLERANCE + 1e-9


@pytest.mark.parametrize("limit", [30, 2, 1])
def test_a_proof_over_many_variables_is_not_called_stopped_by_the_time_limit(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has little time, whatever the limit is, and says that nothing is proved."""
    monkeypatch.setattr(reach_module, "MAX_VARIABLES", limit - 1)
    seen = []

    def answer(task: ReachTask, point: Any, *, time_limit: float | None, **_: Any) -> Proof:
        seen.append(time_limit)
        return Proof(0.0, point, float(task.measure(point[None])[0]), False, 1, True)

    monkeypatch.setattr(reach_module, "prove_bound", answer)
    found = qx.reach(TWO, f"t >= {AIM}", fixed=["t"], time_limit=None)
    assert (found.proved, found.stopped, found.lower) == (False, False, 0.0)
    assert seen == [None if limit > 2 else 2.0]


def test_an_interrupt_of_reach_gives_what_is_known_and_says_that_it_came() -> None:
    asked: list[tuple[str, float]] = [(f"t >= {AIM}", LEAST), (f"t >= {CORNER + 1e-6!r}", np.inf)]
    seen = set()
    for goal, least in asked:

        def ask(goal: str = goal) -> qx.Reach:
            return qx.reach(TWO, goal, fixed=["t"], time_limit=None)

        for found in interrupt_everywhere(ask, number_of_cases(120, 6)):
            seen.add((found.possible, found.proved, found.stopped))
            assert found.lower <= least + 1e-9
            assert not found.proved or found.possible is not None
            assert found.possible is not True or found.cost >= least - 1e-6
            assert found.possible is not False or least == np.inf
            if found.proved and found.possible:
                assert found.cost - least <= TOLERANCE + 1e-9
            if not found.proved:
                assert found.stopped, "an interrupt is the only reason why nothing is proved here"
    assert (True, False, True) in seen


def test_an_interrupt_of_the_proof_of_reach_is_told(many_rounds: None) -> None:
    whole = qx.reach(TWO, f"t >= {AIM}", fixed=["t"], time_limit=None)
    assert (whole.proved, whole.stopped) == (True, False)
    seen = set()

    def ask() -> qx.Reach:
        return qx.reach(TWO, f"t >= {AIM}", fixed=["t"], time_limit=None)

    for found in interrupt_everywhere(ask, number_of_cases(40, 4), PROOF):
        assert found.stopped is (not found.proved)
        assert found.cost == pytest.approx(LEAST, abs=1e-3)
        assert ("was stopped early" in str(found)) is found.stopped
        seen.add(found.proved)
    assert False in seen


def test_the_time_of_reach_may_end_at_every_reading_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, seen = count_time(monkeypatch), []
    for limit in [*range(1, number_of_cases(120, 40), 3), 10_000]:
        clock.now = 0.0
        found = qx.reach(TWO, f"t >= {AIM}", fixed=["t"], time_limit=limit)
        assert found.lower <= LEAST + 1e-9
        assert found.stopped or found.proved
        if found.proved:
            assert found.cost is not None
            assert found.cost <= LEAST + TOLERANCE + 1e-9
        assert found.possible in (True, None)
        seen.append((found.possible, found.proved))
    assert seen[0] == (None, False)
    assert seen[-1] == (True, True)
