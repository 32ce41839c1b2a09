"""Branch and bound: no feasible point is cheaper than a bound that is claimed, on a grid over the whole task."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qontrast import SEMANTICS, Qbaf, Semantics
from qontrast.engine.problem import make_problem
from qontrast.explain.reach_proof import prove
from qontrast.explain.reach_relaxation import relax
from qontrast.explain.reach_task import COSTS, FEASIBILITY, ReachTask
from qontrast.types import Floats
from tests.support.profiles import number_of_cases
from tests.support.strategies import qbafs

GRID = 13
each_cost = pytest.mark.parametrize("cost", sorted(COSTS))


def make_task(q: Qbaf, semantics: str, cost: str, rng: np.random.Generator) -> ReachTask:
    """A task with up to three variables, base scores or weights, one or two constraints, some prices 0 or 2."""
    variables = rng.permutation(len(q) + len(q.weights))[: rng.integers(1, 4)]
    arguments, edges = np.sort(variables[variables < len(q)]), np.sort(variables[variables >= len(q)]) - len(q)
    start = np.concatenate((q.base_array[arguments], np.abs(q.weights[edges])))
    most = np.concatenate((np.ones(len(arguments)), np.full(len(edges), 1.0)))
    low = np.where(rng.random(len(start)) < 0.7, 0.0, start * rng.random(len(start)))
    high = np.where(rng.random(len(start)) < 0.7, most, start + (most - start) * rng.random(len(start)))
    prices = rng.choice([1.0, 2.0, 0.3, 0.0], len(start), p=[0.6, 0.2, 0.15, 0.05])
    count = rng.integers(1, 3)
    coefficients = rng.choice([-1.0, 0.0, 1.0], (count, len(q)))
    problem = make_problem(q, semantics)
    aim = problem.strengths()[0] @ coefficients.T + rng.choice([-0.05, 0.02, 0.1, 0.3], count)
    return ReachTask(problem, arguments, edges, start, low, high, prices, cost, coefficients, -aim)


def solve(task: ReachTask, points: Floats) -> Floats:
    """C σ + d of each point."""
    base, weights = task.make_lanes(points)
    return task.evaluate(task.problem.strengths(None, base, weights))


def list_points(task: ReachTask) -> Floats:
    """A grid over all variables that holds the start, too."""
    axes = [
        np.union1d(np.linspace(low, high, GRID), [start])
        for low, high, start in zip(task.low, task.high, task.start, strict=True)
    ]
    return np.array(list(product(*axes)))


@each_cost
@settings(max_examples=number_of_cases(25, 10))
@given(
    q=qbafs(max_size=5),
    semantics=st.sampled_from(sorted(SEMANTICS)),
    seed=st.integers(0, 2**32 - 1),
    with_point=st.booleans(),
)
def test_no_point_of_a_grid_is_cheaper_than_the_lower_bound_and_the_best_point_is_feasible(
    cost: str, q: Qbaf, semantics: str, seed: int, with_point: bool
) -> None:
    task = make_task(q, semantics, cost, np.random.default_rng(seed))
    some = list_points(task)[:: 1 if len(task) < 3 else 5]
    values = solve(task, some)
    feasible = some[(values >= 0).all(axis=1)]
    costs = task.measure(feasible)
    point = feasible[int(costs.argmax())] if with_point and len(feasible) else None
    found = prove(task, point, max_boxes=2_000)
    assert found.lower <= costs.min(initial=np.inf) + 1e-9
    assert found.lower <= found.cost
    assert found.proved or found.stopped
    if found.point is None:
        assert not found.impossible or not len(feasible)
    else:
        assert (task.low <= found.point).all()
        assert (found.point <= task.high).all()
        assert (solve(task, found.point[None]) >= -FEASIBILITY).all()
        assert found.cost == pytest.approx(float(task.measure(found.point[None])[0]))
        assert not found.proved or found.cost - found.lower <= 1e-3 + 1e-9


@each_cost
@given(seed=st.integers(0, 2**32 - 1))
def test_no_move_of_the_easier_task_is_cheaper_than_its_least_price(cost: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, width = rng.choice([0.0, 0.3, 1.0], (2, 1, 3))
    gain = rng.choice([0.0, 0.5, 2.0], (1, 3))
    prices = rng.choice([0.0, 1.0, 3.0], 3)
    need = rng.choice([-0.1, 0.2, 1.0], 1)
    price, moves = relax(cost, before, width, gain, need, prices)
    grid = np.array(list(product(np.linspace(0, 1, 21), repeat=3))) * width
    enough = grid[(grid * gain).sum(axis=1) >= need[0]]
    moved = before + enough
    costs = COSTS[cost](moved if cost == "fewest" else prices * moved)
    assert price[0] <= costs.min(initial=np.inf) + 1e-9
    if np.isfinite(price[0]):
        assert (gain * moves).sum() >= need[0] - 1e-9
        here = before[0] + moves[0]
        assert COSTS[cost](here if cost == "fewest" else prices * here) == pytest.approx(price[0], abs=1e-6)
    else:
        assert not len(enough)


def make_simple(semantics: str | Semantics = "df-quad", aim: float = 0.4, **changes: object) -> ReachTask:
    """Lower the attacker x until t has the strength that is asked for."""
    q = Qbaf({"t": 0.5, "x": 0.5}, attacks=[("x", "t")])
    one = np.ones(1)
    task = ReachTask(
        make_problem(q, semantics),
        np.array([1]),
        np.array([], np.intp),
        0.5 * one,
        0 * one,
        one,
        one,
        "l1",
        np.array([[1.0, 0.0]]),
        -aim * one,
    )
    return replace(task, **changes)  # type: ignore[arg-type]


def test_a_simple_task_has_its_closed_form_and_an_impossible_one_is_proved_impossible() -> None:
    found = prove(make_simple())  # σ(t) = 0.5 (1 − x) ≥ 0.4 for x ≤ 0.2
    assert (found.cost, found.lower) == pytest.approx((0.3, 0.3), abs=1e-3)
    assert found.proved
    assert not found.impossible
    none = prove(make_simple(aim=0.6))
    assert none.impossible
    assert none.lower == np.inf


def test_nothing_is_proved_with_a_cycle_or_under_a_semantics_that_may_not_be_monotone() -> None:
    own = Semantics("own", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b * np.cos(e) ** 2)
    cycle = Qbaf({"t": 0.5, "x": 0.5}, attacks=[("x", "t"), ("t", "x")])
    for task in (make_simple(own), make_simple(problem=make_problem(cycle))):
        found = prove(task, np.zeros(1))
        assert (found.lower, found.proved, found.boxes, found.cost) == (0.0, False, 0, 0.5)
        assert not prove(task).impossible


def test_a_proof_that_is_stopped_says_so_and_its_bound_holds() -> None:
    q = Qbaf.from_arrays([0.5, 0.2, 0.7, 0.4], [0, 1, 0, 1, 2], [2, 2, 3, 3, 3], [1.0, -0.7, -1.0, 0.8, 0.9])
    three = np.ones(3)
    goal, aim = np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([-0.62])
    task = ReachTask(
        make_problem(q, "qe"), np.arange(3), np.array([], np.intp), q.base_array[:3], 0 * three, three, three, "l1",
        goal, aim,
    )  # fmt: skip
    full = prove(task)
    assert full.proved
    stopped = prove(task, max_boxes=1, tolerance=1e-6)
    assert stopped.stopped
    assert not stopped.proved
    assert stopped.lower <= full.cost

    def interrupt(part: float) -> None:
        raise KeyboardInterrupt

    assert prove(task, advance=interrupt, tolerance=1e-6).stopped
