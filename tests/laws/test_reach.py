"""The cheapest change that reaches a goal: verified, within its bounds, and not beaten by a grid."""

from __future__ import annotations

import re
from functools import partial
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

import qontrast
from qontrast import InvalidInput, Qbaf, Reach, UndefinedStrength, UnknownName, examples, solve_lanes, strengths
from qontrast.engine.problem import make_problem
from qontrast.explain import search_clock
from qontrast.explain.goals import read_goals
from qontrast.explain.reach_steps import Step, solve_step
from tests.support.profiles import number_of_cases

reach = partial(qontrast.reach, time_limit=None, prove=False)  # a slow machine gives the same answers
COSTS = {
    "l1": lambda moves: np.abs(moves).sum(axis=-1),
    "l2": lambda moves: np.linalg.norm(moves, axis=-1),
    "linf": lambda moves: np.abs(moves).max(axis=-1),
    "fewest": lambda moves: (moves != 0).sum(axis=-1),
}


def small(seed: int, n: int = 4, cyclic: bool = False) -> Qbaf:
    """A random graph of a few arguments with weights, in which topics have parents."""
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(n)]
    while True:
        edges = [(a, b) for a in names for b in names if a != b and (cyclic or a > b)]
        chosen = [edges[i] for i in rng.permutation(len(edges))[: n + 1]]
        signs, weights = rng.random(len(chosen)) < 0.5, rng.choice([0.3, 0.7, 1.0], len(chosen)).tolist()
        base = rng.choice([0.0, 1.0, *rng.random(6).round(2)], n).tolist()
        made = Qbaf(
            dict(zip(names, base, strict=True)),
            {e: w for e, s, w in zip(chosen, signs, weights, strict=True) if s},
            {e: w for e, s, w in zip(chosen, signs, weights, strict=True) if not s},
        )
        try:
            strengths(made)
        except UndefinedStrength:
            continue
        return made


def moves_of(qbaf: Qbaf, found: Reach) -> np.ndarray:
    """The moves of all base scores and all weights, read from the two graphs."""
    assert found.qbaf_after is not None
    assert np.array_equal(np.signbit(found.qbaf_after.weights), np.signbit(qbaf.weights))
    moved = np.abs(found.qbaf_after.weights) - np.abs(qbaf.weights)
    return np.concatenate((found.qbaf_after.base_array - qbaf.base_array, moved))


def check_answer(qbaf: Qbaf, found: Reach, semantics: str) -> None:
    """Whatever a result says of itself is true."""
    assert found.possible is True
    assert found.missed == 0
    after = strengths(found.qbaf_after, semantics=semantics)
    for goal in read_goals(qbaf, found.goal):
        value = after[goal.topic] - (goal.other if isinstance(goal.other, float) else after[goal.other])
        if goal.relation == "==":
            assert abs(value) <= 1e-6
        else:
            assert (value if goal.relation == ">=" else -value) >= found.margin - 2e-9
    for topic, (old, new) in found.strengths.items():
        assert old == pytest.approx(strengths(qbaf, semantics=semantics)[topic], abs=1e-12)
        assert new == pytest.approx(after[topic], abs=1e-9)
    moves = moves_of(qbaf, found)
    assert found.cost == pytest.approx(float(COSTS[found.norm](moves)), abs=1e-12)
    assert len(found.change) == (moves != 0).sum()
    for who, (old, new) in found.change.items():
        if isinstance(who, tuple):
            kind = "attacks" if who in qbaf.attacks else "supports"
            assert (getattr(qbaf, kind)[who], getattr(found.qbaf_after, kind)[who]) == pytest.approx((old, new))
        else:
            assert (qbaf.base_scores[who], found.qbaf_after.base_scores[who]) == pytest.approx((old, new))


def grid_cost(qbaf: Qbaf, semantics: str, change: str, cost: str, reached: Any, steps: int = 9) -> float:
    """The cheapest point of a grid that reaches the goal, over all base scores or all weights."""
    weights = np.abs(qbaf.weights)
    start = qbaf.base_array if change == "base_scores" else weights
    lanes = np.array(list(product(*([*np.linspace(0, 1, steps), own] for own in start.tolist()))))
    given = {"base_scores": lanes} if change == "base_scores" else {"weights": lanes}
    good = lanes[reached(solve_lanes(qbaf, semantics=semantics, **given))]
    return float(COSTS[cost](good - start).min()) if len(good) else np.inf


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("semantics", ["qe", "df-quad"])
@pytest.mark.parametrize("seed", range(number_of_cases(6, 2)))
def test_no_point_of_a_grid_of_base_scores_is_cheaper(seed, semantics, cost):
    qbaf = small(seed)
    own = strengths(qbaf, semantics=semantics)["x0"]
    goal = 0.7 if own < 0.6 else 0.3
    found = reach(qbaf, f"x0 {'>=' if own < 0.6 else '<='} {goal}", semantics=semantics, cost=cost)
    sign = 1 if own < 0.6 else -1
    best = grid_cost(qbaf, semantics, "base_scores", cost, lambda s: sign * (s[:, 0] - goal) >= 0)
    check_answer(qbaf, found, semantics)
    assert found.cost <= best * (1 + 1e-5) + 1e-6


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("seed", range(number_of_cases(5, 2)))
def test_no_point_of_a_grid_of_weights_is_cheaper(seed, cost):
    qbaf = small(seed + 40, 4)
    found = strengths(qbaf, semantics="qe")
    first, second = sorted(("x0", "x1"), key=lambda x: -found[x])
    a, b = qbaf.index(first), qbaf.index(second)
    best = grid_cost(qbaf, "qe", "weights", cost, lambda s: s[:, b] >= s[:, a], steps=6)
    found = reach(qbaf, f"{second} >= {first}", semantics="qe", change="weights", cost=cost)
    if found.change is None:
        assert best == np.inf
        return
    check_answer(qbaf, found, "qe")
    assert found.cost <= best * (1 + 1e-5) + 1e-6


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("seed", range(number_of_cases(4, 1)))
def test_orders_of_three_topics_are_reached_by_a_margin(seed, cyclic, cost):
    qbaf = small(seed + 80, 4, cyclic)
    order = ["x2", "x0", "x1"]
    found = reach(qbaf, order, margin=0.05, cost=cost)
    check_answer(qbaf, found, "qe")
    best = (
        grid_cost(qbaf, "qe", "base_scores", cost, lambda s: (s[:, 2] >= s[:, 0] + 0.05) & (s[:, 0] >= s[:, 1] + 0.05))
        if not cyclic
        else np.inf
    )
    assert found.cost <= best * (1 + 1e-5) + 1e-6


@pytest.mark.parametrize("change", ["base_scores", "weights", "both"])
@pytest.mark.parametrize("seed", range(number_of_cases(6, 2)))
def test_what_is_fixed_stays_and_what_has_bounds_keeps_to_them(seed, change):
    qbaf = small(seed + 20, 5)
    edge = next(iter({**qbaf.attacks, **qbaf.supports}))
    bounds: dict[Any, tuple[float, float]] = {}
    if change != "weights":
        bounds["x1"] = (max(0.0, qbaf.base_scores["x1"] - 0.1), min(1.0, qbaf.base_scores["x1"] + 0.1))
    found = reach(qbaf, "x0 >= 0.8", change=change, fixed=["x3", edge], bounds=bounds)
    assert found.fixed == ("x3", edge)
    if found.change is None:
        assert found.possible is None or found.movable == 0
        return
    check_answer(qbaf, found, "qe")
    assert not {"x3", edge} & set(found.change)
    for who, (low, high) in bounds.items():
        assert low <= found.qbaf_after.base_scores[who] <= high
    assert change != "weights" or all(isinstance(who, tuple) for who in found.change)
    assert change != "base_scores" or not any(isinstance(who, tuple) for who in found.change)


@pytest.mark.parametrize("cost", ["l1", "l2", "linf"])
@pytest.mark.parametrize("seed", range(number_of_cases(4, 2)))
def test_an_equality_costs_as_much_as_the_inequality_that_it_is_reached_from(seed, cost):
    qbaf = small(seed + 10)
    own = strengths(qbaf)["x0"]
    goal = 0.7 if own < 0.5 else 0.2
    equal = reach(qbaf, f"x0 == {goal}", cost=cost)
    other = reach(qbaf, f"x0 {'>=' if own < goal else '<='} {goal}", cost=cost)
    check_answer(qbaf, equal, "qe")
    assert equal.cost == pytest.approx(other.cost, rel=0.01, abs=1e-4)


def test_prices_lead_to_what_is_cheap():
    qbaf = Qbaf({"t": 0.5, "x": 0.5, "y": 0.5}, attacks=[("x", "t"), ("y", "t")])
    for dear, cheap in (("x", "y"), ("y", "x")):
        found = reach(qbaf, "t >= 0.2", semantics="df-quad", fixed=["t"], prices={dear: 3})
        assert list(found.change) == [cheap]
        assert found.cost == pytest.approx(0.3)  # 0.5 · 0.5 · (1 − 0.2) = 0.2
    free = reach(qbaf, "t >= 0.24", semantics="df-quad", prices={"t": 0})
    assert (list(free.change), free.cost) == (["t"], 0.0)


def test_a_tie_is_reached_with_a_margin_of_0_and_no_more():
    qbaf = Qbaf({"0": 0.5, "1": 0.5, "2": 0.5}, attacks=[("1", "0"), ("2", "0")])
    found = reach(qbaf, "0 >= 0.5", fixed=["0"])
    assert (found.cost, found.strengths["0"][1]) == (1.0, 0.5)
    beyond = reach(qbaf, "0 >= 0.5", fixed=["0"], margin=1e-6)
    assert (beyond.possible, beyond.cost, beyond.change, beyond.qbaf_after) == (None, None, None, None)
    assert beyond.missed == pytest.approx(1e-6)


def test_a_goal_that_holds_needs_nothing():
    qbaf = examples.load("zebra")
    found = reach(qbaf, ["zebra", "horse"])
    assert (found.change, found.cost, found.lower, found.proved, found.possible) == ({}, 0.0, 0.0, True, True)
    assert found.qbaf_after == qbaf
    assert str(found).endswith("holds already; nothing has to change.")


def test_a_goal_that_nothing_matters_to_is_impossible():
    qbaf = Qbaf({"t": 0.5, "x": 0.5})
    found = reach(qbaf, "t >= 0.6", fixed=["t"])
    assert (found.possible, found.proved, found.lower, found.movable) == (False, True, np.inf, 0)
    assert (
        str(found) == "t ≥ 0.6 cannot be reached: nothing that may change matters to it. t was not allowed to change."
    )
    assert found.to_dict()["lower"] is None


def brute_fewest(qbaf: Qbaf, goal: float) -> int:
    """The fewest base scores that reach σ(x0) ≥ goal on a grid."""
    start, grid = qbaf.base_array, np.linspace(0, 1, 9)
    for size in range(1, len(qbaf) + 1):
        for chosen in combinations(range(len(qbaf)), size):
            lanes = np.repeat(start[None], 9**size, axis=0)
            lanes[:, list(chosen)] = list(product(grid, repeat=size))
            if (solve_lanes(qbaf, base_scores=lanes)[:, 0] >= goal).any():
                return size
    return 99


def needs_weight(weight: float) -> Qbaf:
    """Under reb, q draws level with p when the weight of x → q reaches this."""
    level = 1 - (1 - 0.2**2) / (1 + 0.2 * np.exp(0.05 * weight))
    return Qbaf({"p": float(level), "q": 0.2, "x": 0.05}, supports={("x", "q"): 0.5}, semantics="reb")


def test_an_impossible_goal_is_so_up_to_the_largest_weight_that_was_tried_and_the_sentence_names_it():
    for weight in (13.0, 99.0):
        found = qontrast.reach(needs_weight(weight), "q >= p", change="weights")
        assert (found.possible, found.proved) == (True, True)
        assert found.cost == pytest.approx(weight - 0.5, abs=1e-3)
    far = needs_weight(101.0)
    found = qontrast.reach(far, "q >= p", change="weights")
    assert (found.possible, found.max_weight, found.to_dict()["max_weight"]) == (False, 100.0, 100.0)
    assert str(found) == "No change of weights up to 100 reaches q ≥ p; this is proved."
    assert str(reach(far, "q >= p", change="weights")).startswith("No change of weights up to 100 was found")
    more = qontrast.reach(far, "q >= p", change="weights", bounds={("x", "q"): (0.0, 150.0)})
    assert (more.cost, more.max_weight) == (pytest.approx(100.5, abs=1e-3), None)
    less = qontrast.reach(far, "q >= p", change="weights", bounds={("x", "q"): (0.0, 20.0)})
    assert (less.possible, str(less)) == (False, "No change of weights reaches q ≥ p; this is proved.")
    assert qontrast.reach(far, "q <= 0.1", semantics="df-quad", change="weights").max_weight is None


@pytest.mark.parametrize(("price", "proved"), [(0.001, False), (1.0, True)])
def test_weights_that_were_not_tried_are_not_said_to_cost_more_than_a_change_that_was_found(price, proved):
    q, settings = needs_weight(150.0), {"change": "both", "prices": {("x", "q"): price}, "fixed": ["x", "q"]}
    found = qontrast.reach(q, "q >= p", **settings)
    assert found.possible
    beyond = price * (100 - 0.5)
    assert (found.cost > beyond + found.tolerance) == (not proved)
    assert found.proved == proved
    assert found.lower <= beyond
    fewest = qontrast.reach(q, "q >= p", **settings, cost="fewest")
    assert (fewest.cost, fewest.proved) == (1.0, True)


@pytest.mark.parametrize("seed", range(number_of_cases(8, 3)))
def test_the_fewest_moves_are_no_more_than_a_grid_needs(seed):
    qbaf = small(seed + 30)
    found = reach(qbaf, "x0 >= 0.85", cost="fewest")
    assert found.cost <= brute_fewest(qbaf, 0.85)
    check_answer(qbaf, found, "qe")


def test_results_name_who_moves_and_who_was_not_allowed_to():
    qbaf = Qbaf({"t": 0.5, "x": 0.8, "y": 0.4}, attacks=[("x", "t")], supports=[("y", "t")], semantics="df-quad")
    found = reach(qbaf, "t >= 0.5", fixed=["t", ("y", "t")])
    assert str(found) == (
        "t ≥ 0.5 is reached if the base score of x falls from 0.800 to 0.400. Then t has strength 0.500 instead of "
        "0.300. t and y → t were not allowed to change. That no cheaper change exists is not proved."
    )
    weights = reach(qbaf, "t >= 0.5", change="weights")
    assert "the weight of x → t falls from 1.000 to 0.500" in str(weights)
    assert weights.to_dict()["change"] == {
        "base_scores": {},
        "weights": [{"source": "x", "target": "t", "from": 1.0, "to": pytest.approx(0.5)}],
    }


@pytest.mark.parametrize("seed", range(number_of_cases(60, 4)))
def test_a_flip_costs_at_most_a_hundredth_more_than_the_proved_bound(seed):
    qbaf = small(seed + 500, 4 + seed % 5)
    first, second = sorted(("x0", "x1"), key=lambda x: -strengths(qbaf)[x])
    found = qontrast.flip(qbaf, first, second, move_topics=True, time_limit=None)
    tolerance = 0.004 * found.cost if found.cost else 1e-3
    best = qontrast.reach(qbaf, f"{second} >= {first}", margin=1e-6, tolerance=tolerance, time_limit=None)
    assert best.proved
    assert (found.cost is None) == (best.possible is False)
    assert found.cost is None or found.cost <= 1.01 * best.lower


@pytest.mark.parametrize("seed", range(number_of_cases(30, 3)))
def test_random_search_on_a_cyclic_graph_is_not_cheaper_by_a_hundredth(seed):
    qbaf, rng = small(seed + 600, 5, cyclic=True), np.random.default_rng(seed)
    first, second = sorted(("x0", "x1"), key=lambda x: -strengths(qbaf)[x])
    found = qontrast.flip(qbaf, first, second, move_topics=True, time_limit=None)
    cost, best = np.inf, qbaf.base_array
    for spread in (1.0, 1.0, 0.3, 0.1, 0.03, 0.01):
        lanes = best + spread * rng.normal(size=(500, 5)) * (rng.random((500, 5)) < 0.5)
        lanes = np.clip(np.where(rng.random((500, 5)) < 0.3, qbaf.base_array, lanes), 0, 1)
        after = make_problem(qbaf, "qe", max_steps=500).solve(base_scores=lanes).strengths  # NaN where undefined
        good = lanes[after[:, qbaf.index(second)] - after[:, qbaf.index(first)] >= 1e-6]
        costs = np.abs(good - qbaf.base_array).sum(axis=1)
        if len(costs) and costs.min() < cost:
            best, cost = good[costs.argmin()], float(costs.min())
    assert (np.inf if found.cost is None else found.cost) <= 1.01 * cost


Q = Qbaf({"t": 0.5, "x": 0.8, "y": 0.4, "a > b": 0.5}, attacks=[("x", "t")], supports=[("y", "t")])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"goal": "t"}, "cannot read the goal 't'; write it as 't >= 0.5'"),
        ({"goal": "t >="}, "cannot read the goal 't >='"),
        ({"goal": "t >= 1.5"}, "the goal 't >= 1.5' is outside [0, 1]"),
        ({"goal": "t >= nan"}, "a goal cannot be nan"),
        ({"goal": "t >= t"}, "compares 't' with itself"),
        ({"goal": "0.3 >= 0.2"}, "names no argument"),
        ({"goal": ["t"]}, "an order takes at least two topics"),
        ({"goal": ["t", "x", "t"]}, "goal names 't' twice"),
        ({"goal": []}, "goal is empty"),
        ({"goal": 3}, "goal is 3; write it as"),
        ({"goal": ["t >= 0.7", "t <= 0.5"]}, "the goals 't >= 0.7', 't <= 0.5' contradict each other"),
        ({"goal": "t >= 0.99", "margin": 0.1}, "no strength can meet 't >= 0.99' by 0.1; lower the margin"),
        ({"goal": ["t >= x", "x >= t"], "margin": 0.1}, "contradict each other by 0.1"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"fixed": "t"}, "fixed is the string 't'"),
        ({"fixed": ["t", "x", "y", "a > b"]}, "nothing may move: fixed and bounds hold all"),
        ({"bounds": {"t": (0.6, 0.9)}}, "the bounds of 't' are 0.6 to 0.9, which excludes its base score 0.5; widen"),
        ({"bounds": {"t": (0.6, 0.2)}}, "give the lower one first"),
        ({"bounds": {"t": (0, 2)}}, "give numbers between 0 and 1"),
        ({"bounds": {"t": 0.5}}, "give a pair (low, high)"),
        ({"bounds": {("x", "t"): (2, 3)}}, "the bounds of ('x', 't') are 2 to 3, which excludes its weight 1; widen"),
        ({"prices": {"t": -1}}, "the price of 't' is -1; give a number of at least 0"),
        ({"prices": {"t": float("inf")}}, "the price of 't' is inf"),
        ({"prices": [1]}, "prices is [1]; give a mapping"),
        ({"tolerance": 0}, "tolerance is 0; give a number above 0"),
        ({"prove": 1}, "prove is 1; give True or False"),
        ({"time_limit": 0}, "time_limit is 0; give seconds above 0"),
    ],
)
def test_bad_questions_are_refused(settings, message):
    with pytest.raises(InvalidInput, match=re.escape(message)):
        qontrast.reach(Q, **{"goal": "t >= 0.6"} | settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"goal": "u >= 0.5"},
        {"goal": ["t", "u"]},
        {"fixed": ["u"]},
        {"bounds": {"u": (0, 1)}},
        {"prices": {"u": 1}},
        {"fixed": [("t", "x")]},
        {"cost": "l3"},
        {"change": "edges"},
    ],
)
def test_unknown_names_are_refused(settings):
    with pytest.raises(UnknownName):
        qontrast.reach(Q, **{"goal": "t >= 0.6"} | settings)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("t>=0.5", ["t >= 0.5"]),
        ("0.5 <= t", ["t >= 0.5"]),
        ("t < x", ["t <= x"]),
        ("t ≥ x > y", ["t >= x", "x >= y"]),
        ("'a > b' > t", ['"a > b" >= t']),
        (["x", "a > b"], ['x >= "a > b"']),
        (["x >= 0.25", "t = y"], ["x >= 0.25", "t == y"]),
    ],
)
def test_goals_are_read_in_every_form_and_written_so_that_they_are_read_again(text, read):
    found = read_goals(Q, text)
    assert [str(goal) for goal in found] == read
    assert read_goals(Q, [str(goal) for goal in found]) == found


def test_a_name_that_looks_like_a_number_is_a_name():
    qbaf = Qbaf({"0": 0.5, "1": 0.25, "one": 0.5}, labels={"one": "The one"})
    assert [str(goal) for goal in read_goals(qbaf, "0 >= 1")] == ["0 >= 1"]
    assert read_goals(qbaf, "0 >= 1")[0].other == "1"
    assert read_goals(qbaf, "0 >= 1.0")[0].other == 1.0
    assert read_goals(qbaf, "The one >= 0.5")[0].topic == "one"
    assert read_goals(Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0]), "1 >= 0.7")[0].topic == 1


def test_an_interrupt_gives_the_best_so_far_or_goes_through():
    qbaf = examples.load("debate")
    for calls in (1, 40):
        told: list[int] = []

        def interrupt(done, of, told=told, calls=calls):
            told.append(done)
            if len(told) == calls:
                raise KeyboardInterrupt

        if calls == 1:
            with pytest.raises(KeyboardInterrupt):
                qontrast.reach(qbaf, "charge >= levy", progress=interrupt)
        else:
            found = qontrast.reach(qbaf, "charge >= levy", progress=interrupt)
            assert found.stopped
            assert found.possible
            assert str(found).endswith("The search was stopped early; better answers may exist.")


class Ticking:
    """A clock that goes on by one second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_a_time_limit_stops_the_search_and_what_is_said_then_is_true(monkeypatch):
    monkeypatch.setattr(search_clock, "monotonic", Ticking())
    qbaf = small(3, 5)
    costs = []
    for limit in (0.5, 8, 20, 40, 1e6):
        found = qontrast.reach(qbaf, "x0 >= 0.9", time_limit=limit, prove=False)
        assert found.stopped == (limit < 1e6)
        if found.change is not None:
            check_answer(qbaf, found, "qe")
            costs.append(found.cost)
    assert all(later <= earlier * (1 + 1e-5) for earlier, later in pairwise(costs))


def random_step(seed: int, constraints: int) -> Step:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    start, here = rng.random(n), rng.random(n)
    slopes = rng.normal(size=(constraints, n)) * (rng.random((constraints, n)) < 0.8)
    low, high = np.maximum(0, here - 0.6), np.minimum(1, here + 0.6)
    inside = low + rng.random(n) * (high - low)  # a point that meets all constraints
    values = -slopes @ (inside - here) + rng.random(constraints) * 0.05
    return Step(start, here, low, high, rng.choice([0.5, 1.0, 2.0], n), values, slopes)


@pytest.mark.parametrize("cost", ["l1", "l2", "linf"])
@pytest.mark.parametrize("constraints", [1, 2, 3])
@pytest.mark.parametrize("seed", range(number_of_cases(20, 4)))
def test_a_step_is_the_cheapest_point_that_meets_the_linearised_constraints(seed, constraints, cost):
    step = random_step(seed, constraints)
    point, price = solve_step(step, cost)
    assert price >= 0
    assert (step.low - 1e-9 <= point).all()
    assert (point <= step.high + 1e-9).all()
    assert (step.predict(point) >= -1e-6).all()
    best = min(minimal(step, cost, begin) for begin in (point, step.nearest, (step.low + step.high) / 2))
    assert COSTS[cost](step.prices * (point - step.start)) <= best + 1e-4


def minimal(step: Step, cost: str, begin: np.ndarray) -> float:
    """The least cost by a general solver."""
    n = len(step.start)
    slack = np.column_stack((np.abs(begin - step.start), np.zeros(n)))[:, 0]
    size = {"l1": lambda u: u.sum(), "l2": lambda u: np.sqrt(np.square(u).sum() + 1e-14), "linf": np.max}[cost]
    eye, scale = np.eye(n), np.diag(1 / step.prices)
    limits = [
        LinearConstraint(np.hstack((step.slopes, 0 * step.slopes)), step.slopes @ step.here - step.values, np.inf),
        LinearConstraint(np.hstack((eye, scale)), step.start, np.inf),
        LinearConstraint(np.hstack((-eye, scale)), -step.start, np.inf),
    ]
    found = minimize(
        lambda z: size(z[n:]),
        np.concatenate((begin, step.prices * slack)),
        method="SLSQP",
        bounds=[*zip(step.low, step.high, strict=True), *[(0, None)] * n],
        constraints=limits,
        options={"maxiter": 500},
    )
    held = all((limit.A @ found.x >= limit.lb - 1e-7).all() for limit in limits)
    return float(found.fun) if held else np.inf
