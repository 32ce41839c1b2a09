"""Limits are exact: what lies on a limit is accepted, the next number beyond it is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qontrast import (
    SEMANTICS,
    InvalidInput,
    InvalidQbaf,
    Qbaf,
    Semantics,
    TooLarge,
    UndefinedStrength,
    attribute,
    paths,
    solve_lanes,
    strengths,
)
from qontrast.axioms import find_counterexample
from qontrast.engine.problem import MAX_LANES_PER_TASK, make_problem
from tests.support import games

SLOW = Qbaf({"a": 0.001, "t": 0.5}, supports={("a", "a"): 0.9, ("a", "t"): 1.0})  # settles at a rate of about 0.9
PAIR = Qbaf({"a": 1.0, "b": 1.0, "t": 0.5}, attacks=[("a", "b"), ("b", "a")], supports=[("a", "t")])


@pytest.mark.parametrize("players", [3, 8, 13])
def test_a_game_of_exactly_as_many_evaluations_as_allowed_is_solved_and_one_more_is_refused(players: int) -> None:
    star = games.branches(players, 1)  # every coalition is connected
    assert attribute(star, 0, max_evaluations=1 << players).evaluations == 1 << players
    with pytest.raises(TooLarge, match=f"needs at least {1 << players:,} evaluations .limit {(1 << players) - 1:,}"):
        attribute(star, 0, max_evaluations=(1 << players) - 1)
    acyclic = games.random_dag(players, seed=1)
    edges = np.column_stack((acyclic.sources, acyclic.targets)).tolist()
    cyclic = Qbaf.from_arrays(acyclic.base_array, *zip(*edges, (players, 0), strict=True), [0.3] * (len(edges) + 1))
    count = attribute(cyclic, players).evaluations
    assert attribute(cyclic, players, max_evaluations=count).evaluations == count
    with pytest.raises(TooLarge, match=f"needs at least {count:,} evaluations .limit {count - 1:,}"):
        attribute(cyclic, players, max_evaluations=count - 1)


def test_connected_sets_of_a_large_acyclic_game_are_counted_up_to_the_limit() -> None:
    tree = games.branches(2, 20)  # 40 players, 21² connected sets
    assert attribute(tree, 0, max_evaluations=441).evaluations == 441
    with pytest.raises(TooLarge, match=r"needs at least 441 evaluations .limit 440"):
        attribute(tree, 0, max_evaluations=440)


def test_exactly_as_many_steps_as_allowed_are_taken() -> None:
    needed = strengths(SLOW, semantics="df-quad").steps
    assert needed > 100
    assert strengths(SLOW, semantics="df-quad", max_steps=needed).steps == needed
    for ask in (strengths, solve_lanes):
        with pytest.raises(UndefinedStrength, match=f"after {needed - 1} steps"):
            ask(SLOW, semantics="df-quad", max_steps=needed - 1)
    lanes = np.array([[1, 1], [0, 1], [1, 1]])
    assert solve_lanes(SLOW, present=lanes, semantics="df-quad", max_steps=needed).shape == (3, 2)
    with pytest.raises(UndefinedStrength, match="in lane 0"):
        solve_lanes(SLOW, present=lanes, semantics="df-quad", max_steps=needed - 1)


@pytest.mark.parametrize("outside", [np.nextafter(0, -1), np.nextafter(1, 2), -0.01, 1.01, np.nan, np.inf])
def test_base_scores_of_zero_and_one_are_accepted_and_nothing_beyond(outside: float) -> None:
    q = Qbaf({"a": 0.0, "b": 1.0}, attacks=[("a", "b")])
    assert solve_lanes(q, base_scores=[[0.0, 1.0], [1.0, 0.0]]).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert q.with_base_scores({"a": 1.0, "b": 0.0}).base_scores == {"a": 1.0, "b": 0.0}
    for make in (
        lambda: Qbaf({"a": 0.5, "b": outside}),
        lambda: Qbaf.from_arrays([0.5, outside], [], [], []),
        lambda: q.with_base_scores({"b": outside}),
        lambda: solve_lanes(q, base_scores=[0.5, outside]),
        lambda: solve_lanes(q, base_scores=[[0.5, 0.5], [0.5, outside]]),
        lambda: solve_lanes(q, present=[[1, 1], [1, 0]], base_scores=[[0.5, 0.5], [0.5, outside]]),
    ):
        with pytest.raises(InvalidQbaf, match=r"base score of argument '?[b1]'?"):
            make()


def test_weights_up_to_the_limit_of_the_graph_and_of_the_semantics_are_accepted() -> None:
    scores = {"a": 0.5, "b": 0.5}
    for kind in ("attacks", "supports"):
        heaviest = Qbaf(scores, **{kind: {("a", "b"): 1e300}})
        assert 0 <= strengths(heaviest, semantics="qe")["b"] <= 1
        with pytest.raises(InvalidQbaf, match=r"at most 1e\+300"):
            Qbaf(scores, **{kind: {("a", "b"): np.nextafter(1e300, np.inf)}})
        for name, semantics in SEMANTICS.items():
            if semantics.aggregation.max_weight == 1.0:
                strengths(Qbaf(scores, **{kind: {("a", "b"): 1.0}}), semantics=name)
                with pytest.raises(InvalidQbaf, match=f"{name} allows weights up to 1"):
                    strengths(Qbaf(scores, **{kind: {("a", "b"): np.nextafter(1.0, 2.0)}}), semantics=name)
            else:
                assert semantics.aggregation.max_weight == np.inf
    assert {name for name, each in SEMANTICS.items() if each.aggregation.max_weight == 1.0} == {
        "df-quad",
        "df-quad-squared-product",
        "df-quad-1-max",
    }


@pytest.mark.parametrize("solver", ["discrete", "continuous"])
@pytest.mark.parametrize("beyond", [1e-12, 1e-4, 0.005])
def test_a_bounded_semantics_may_leave_the_unit_interval_by_rounding_alone(solver: str, beyond: float) -> None:
    q = Qbaf({"a": 0.5, "t": 0.5, "u": 0.5}, supports=[("a", "t"), ("a", "u")], attacks={("u", "u"): 0.1})

    def shifted(by: float, bounded: bool = True) -> Semantics:
        return Semantics(
            "shifted",
            lambda att, sup: sup.sum(0) - att.sum(0),
            lambda b, e: np.where(e > 0, (1 + by) if by > 0 else by, b),
            bounded=bounded,
        )

    for by in (beyond, -beyond):
        for ask in (
            lambda s: strengths(q, semantics=s, solver=solver),
            lambda s: solve_lanes(q, present=[[1, 1, 1], [0, 1, 1]], semantics=s, solver=solver),
        ):
            with pytest.raises(InvalidQbaf, match=r"semantics 'shifted' gives argument 't' the strength .* bounded"):
                ask(shifted(by))
            ask(shifted(by, bounded=False))
        ask(shifted(by / abs(by) * 5e-15))


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("solver", ["discrete", "continuous"])
def test_strengths_of_the_built_in_semantics_never_leave_the_unit_interval(semantics: str, solver: str) -> None:
    rng = np.random.default_rng(0)
    for cyclic in (False, True):
        n = 8
        i, j = np.nonzero(rng.random((n, n)) < 0.5)
        keep = slice(None) if cyclic else i < j
        top = SEMANTICS[semantics].aggregation.max_weight
        weights = rng.choice([0.1, 1.0, 1.0 if top == 1 else 30.0], len(i)) * rng.choice([-1, 1], len(i))
        q = Qbaf.from_arrays(rng.choice([0.0, 0.3, 1.0], n), i[keep], j[keep], weights[keep])
        base = rng.choice([0.0, 1e-300, 0.5, np.nextafter(1, 0), 1.0], (12, n))
        found = make_problem(q, semantics, solver, max_steps=300).solve(rng.random((12, n)) < 0.8, base).strengths
        defined = found[~np.isnan(found)]
        assert ((defined >= 0) & (defined <= 1)).all()


def test_undefined_lanes_are_told_whoever_solves_them() -> None:
    present = np.ones((2 * MAX_LANES_PER_TASK + 5, 3))
    present[:, 0] = 0  # without a nothing goes round
    present[MAX_LANES_PER_TASK + 3, 0] = 1
    with ThreadPoolExecutor(2) as executor:
        for hands in (None, executor):
            with pytest.raises(UndefinedStrength, match=f"in lane {MAX_LANES_PER_TASK + 3};") as error:
                solve_lanes(PAIR, present=present, semantics="df-quad", executor=hands)
            assert error.value.lane == MAX_LANES_PER_TASK + 3
            assert set(error.value.arguments) == {"a", "b", "t"}


def test_as_many_paths_are_listed_as_asked_for() -> None:
    q = Qbaf(dict.fromkeys("xabct", 0.5), supports=[("x", m) for m in "abc"] + [(m, "t") for m in "abc"])
    for most in (1, 2, 3, 4):
        found = paths(q, "x", "t", semantics="qe", limit=most)
        assert (len(found), found.left_out) == (min(most, 3), max(0, 3 - most))
    ring = Qbaf(q.base_scores, supports=[*q.supports, ("t", "x")])
    for most in (1, 2, 3, 4):
        found = paths(ring, "x", "t", semantics="qe", limit=most)
        assert (len(found), found.left_out) == (min(most, 3), max(0, 3 - most))


def test_random_graphs_for_properties_have_two_to_sixteen_arguments() -> None:
    for arguments in ((2, 2), (16, 16)):
        find_counterexample("antisymmetry", "removal", semantics="qe", graphs=2, arguments=arguments)
    for arguments in ((1, 2), (16, 17), (4, 3)):
        with pytest.raises(InvalidInput, match="between 2 and 16"):
            find_counterexample("antisymmetry", "removal", semantics="qe", graphs=2, arguments=arguments)
