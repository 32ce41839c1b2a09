"""Sampled Shapley values: reproducible, efficient to the last digit, and honest about their error."""

from __future__ import annotations

import numpy as np
import pytest

from qontrast import InvalidInput, Qbaf, Sampled, TooLarge, UnknownName, attribute, contrast, contributions
from qontrast.attribution.shapley import exact, regression
from qontrast.attribution.shapley import sampling as sampled
from qontrast.attribution.shapley.game import Game
from qontrast.engine.problem import make_problem
from tests.support import games
from tests.support.graphs import healthcare
from tests.support.profiles import number_of_cases

SAMPLERS = ["regression", "permutations"]
T95 = 2.0  # the 97.5 % quantile of Student's t with about 50 degrees of freedom


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(sampler: str) -> None:
    q = games.random_dag(16, seed=0)
    one, same, other = (
        attribute(q, 16, method="sampled", semantics="qe", budget=400, sampler=sampler, seed=s) for s in (1, 1, 2)
    )
    np.testing.assert_array_equal(one.array, same.array)
    assert dict(one.std_error) == dict(same.std_error)
    assert dict(one) != dict(other)
    assert one.how == f"{sampler}, {one.evaluations} evaluations, seed 1"
    assert one.evaluations <= 400


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_values_sum_to_strength_minus_base_score_exactly(sampler: str) -> None:
    for seed in range(5):
        q = games.random_dag(16, seed=seed)
        found = attribute(q, 16, method="sampled", semantics="df-quad", budget=400, sampler=sampler)
        assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-12)  # roundings
    why = contrast(q, 16, 15, method="sampled", semantics="df-quad", budget=400, sampler=sampler)
    assert why.residual == pytest.approx(0, abs=1e-12)


def test_at_least_ten_pairs_of_orders_are_drawn() -> None:
    for n in (2, 5, 16):
        phi = contributions(
            games.random_dag(n, seed=0), [n], method="sampled", budget=20 * n + 2, sampler="permutations"
        )
        assert len(phi.replicates) >= 10


def test_the_jackknife_is_what_leaving_out_each_pair_would_do() -> None:
    game = Game(make_problem(games.random_dag(8, seed=0), "df-quad"), 8)
    pairs = 40
    rows = regression.draw(np.random.default_rng(0), pairs, 8)
    empty, full = game.values(np.array([[False] * 8, [True] * 8]))
    made, values = regression.choose_basis(game.graph, 100), game.values(rows)
    whole, deviations = regression.fit(made, rows, values, empty, full, pairs)
    moves = []
    for pair in range(pairs):
        kept = np.arange(len(rows)) // 2 != pair
        moves.append(whole - regression.fit(made, rows[kept], values[kept], empty, full, 2)[0])
    moves -= np.mean(moves, axis=0)
    # the ridge is a mean over all rows, so that it changes a little without a pair
    size = np.abs(moves).max()
    np.testing.assert_allclose(deviations, np.sqrt(pairs / (pairs - 1)) * moves, rtol=0, atol=0.05 * size)


def test_a_hundred_players_are_estimated_within_their_errors() -> None:
    """Three branches of 34 arguments: 42,875 connected sets give the exact values of 102 players."""
    q = games.branches(3, 34, seed=1)
    exact = attribute(q, 0, method="shapley", semantics="qe")
    assert exact.evaluations == 35**3
    for sampler, budget in (("regression", 1000), ("permutations", 2042)):
        found = attribute(q, 0, method="sampled", semantics="qe", budget=budget, sampler=sampler)
        assert found.evaluations <= budget
        off = np.array([(found[x] - exact[x]) / (found.std_error[x] + 1e-12) for x in found if abs(exact[x]) > 1e-9])
        assert np.mean(np.abs(off) <= T95) >= 0.8  # of one run, whose errors go together
        assert max(abs(found[x] - exact[x]) for x in found) < 0.01


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_hundreds_of_players_run_at_all(sampler: str) -> None:
    players = number_of_cases(1000, 300)
    budget = {"regression": 2 * players + 2, "permutations": 20 * players + 2}[sampler]
    q = games.random_dag(players, seed=0)
    found = attribute(q, players, method="sampled", semantics="qe", budget=budget, sampler=sampler)
    assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-10)
    assert found.evaluations <= budget


def test_all_topics_share_their_coalitions() -> None:
    """Two topics with the same parents have the same estimates, and a contrast without any error."""
    parents, rng = 12, np.random.default_rng(0)
    base = {f"a{i}": float(rng.random()) for i in range(parents)} | {"t": 0.4, "u": 0.4}
    edges = [(f"a{i}", topic) for topic in "tu" for i in range(parents)]
    q = Qbaf(base, attacks=edges[::3], supports=[edge for edge in edges if edge not in edges[::3]])
    for sampler in SAMPLERS:
        why = contrast(q, "t", "u", method="sampled", semantics="qe", budget=242, sampler=sampler)
        assert max(why.individual["t"].std_error.values()) > 1e-6
        assert max(map(abs, why.values())) < 1e-13  # the same sums, up to rounding
        assert max(why.std_error.values()) < 1e-13


def test_a_target_is_met_or_the_error_says_how_far_it_got() -> None:
    q = games.random_dag(14, seed=3)
    for sampler in SAMPLERS:
        found = attribute(q, 14, method="sampled", semantics="qe", budget=300, target=5e-3, sampler=sampler)
        assert max(found.std_error.values()) <= 5e-3
    with pytest.raises(
        TooLarge, match=r"after 200 evaluations the standard error is \S+, not yet 1e-12; raise max_budget"
    ):
        attribute(q, 14, method="sampled", semantics="qe", budget=100, target=1e-12, max_budget=200)


def test_a_largest_budget_below_the_first_budget_bounds_the_first_too() -> None:
    q = games.random_dag(14, seed=3)
    for sampler, least in zip(SAMPLERS, (60, 300), strict=True):
        with pytest.raises(TooLarge, match=rf"after {least} evaluations the standard error is \S+, not yet 1e-12"):
            attribute(q, 14, method=Sampled(target=1e-12, max_budget=least, sampler=sampler), semantics="qe")
        found = attribute(q, 14, method=Sampled(target=0.5, max_budget=least, sampler=sampler), semantics="qe")
        assert found.evaluations <= least
        whole = attribute(q, 14, method=Sampled(budget=400, max_budget=least, sampler=sampler), semantics="qe")
        assert whole.evaluations > least  # without a target nothing is doubled, and the budget alone counts


def test_a_single_player_and_none() -> None:
    one = Qbaf({"t": 0.5, "x": 0.3}, attacks=[("x", "t")])
    for sampler in SAMPLERS:
        found = attribute(one, "t", method="sampled", semantics="df-quad", budget=10, sampler=sampler)
        assert found["x"] == pytest.approx(-0.15, abs=1e-14)
        assert found.std_error["x"] == pytest.approx(0, abs=1e-14)
        lone = attribute(one, "x", method="sampled", semantics="df-quad", sampler=sampler)
        assert (lone["t"], lone.std_error["t"]) == (0.0, 0.0)


def test_two_and_three_players_are_nearly_exact() -> None:
    """So few coalitions are all seen; what is left is the randomness of their weights."""
    q = games.random_dag(3, seed=1)
    exact = attribute(q, 3, method="shapley", semantics="qe")
    for sampler in SAMPLERS:
        found = attribute(q, 3, method="sampled", semantics="qe", budget=100, sampler=sampler)
        assert dict(found) == pytest.approx(dict(exact), abs=5e-3)


def test_cyclic_graphs_are_sampled_too() -> None:
    exact = contrast(healthcare(), "antiviral", "antibiotic")
    found = contrast(healthcare(), "antiviral", "antibiotic", method="sampled", budget=300)
    assert dict(found) == pytest.approx(dict(exact), abs=5e-3)
    assert found.residual == pytest.approx(0, abs=1e-10)


def test_settings_that_make_no_sense_are_named() -> None:
    q = games.random_dag(10, seed=0)
    with pytest.raises(UnknownName, match="no sampler 'magic'"):
        attribute(q, 10, method="sampled", sampler="magic")
    with pytest.raises(InvalidInput, match="39 evaluations are too few for 10 players; give a budget of 40 or more"):
        attribute(q, 10, method="sampled", budget=39)
    assert attribute(q, 10, method="sampled", budget=40).evaluations <= 40
    with pytest.raises(InvalidInput, match="61 evaluations are too few for 30 players; give a budget of 62 or more"):
        attribute(games.random_dag(30, seed=0), 30, method="sampled", budget=61)
    message = r"give a budget of 202 or more; ask for sampler='regression' \(it needs fewer\)"
    with pytest.raises(InvalidInput, match=message):
        attribute(q, 10, method="sampled", budget=201, sampler="permutations")
    tiny = games.random_dag(4, seed=0)  # 2^4 coalitions in all
    assert attribute(tiny, 4, method="sampled", budget=16).evaluations <= 16
    with pytest.raises(InvalidInput, match="15 evaluations are too few for 4 players; give a budget of 16 or more"):
        attribute(tiny, 4, method="sampled", budget=15)
    small = games.random_dag(6, seed=0)  # 2^6 coalitions in all
    assert attribute(small, 6, method="sampled", budget=64, sampler="permutations").evaluations <= 64
    for wrong in ({"budget": 0}, {"target": 0.0}, {"target": -1.0}):
        with pytest.raises(
            InvalidInput, match=r"(budget|target) is .*; give a (whole number of at least 1|number above 0)"
        ):
            attribute(q, 10, method="sampled", **wrong)


def test_progress_is_told_up_to_the_budget() -> None:
    q = games.random_dag(14, seed=0)
    for sampler in SAMPLERS:
        seen: list[tuple[int, int]] = []
        contributions(
            q,
            [14],
            method="sampled",
            semantics="qe",
            budget=300,
            sampler=sampler,
            progress=lambda *at, seen=seen: seen.append(at),
        )
        assert all(done <= of == 300 for done, of in seen)
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_the_data_of_contributions_hold_the_standard_error_of_every_value() -> None:
    q = healthcare()
    phi = contributions(q, ["antiviral", "antibiotic"], method="sampled", budget=200)
    data = phi.to_dict()["std_error"]
    assert list(data) == ["antiviral", "antibiotic"]
    for topic, errors in data.items():
        assert errors == {x: pytest.approx(phi.std_error(topic)[q.index(x)], rel=1e-12) for x in q if x != topic}
        assert max(errors.values()) > 0


@pytest.mark.parametrize(("players", "budget"), [(1, 40), (2, 60), (3, 100), (4, 16), (5, 400)])
def test_in_a_small_game_orders_are_drawn_until_they_meet_four_times_the_budget(players: int, budget: int) -> None:
    """Where all coalitions are known, a pair of orders costs no evaluations but meets 2 n coalitions."""
    q = Qbaf({"t": 0.5} | {f"x{k}": 0.3 for k in range(players)}, supports=[(f"x{k}", "t") for k in range(players)])
    phi = contributions(q, ["t"], method="sampled", budget=budget, sampler="permutations")
    assert phi.evaluations <= 1 << players
    assert len(phi.replicates) == max(10, -(-4 * budget // (2 * players)))


def test_at_most_five_thousand_pairs_of_orders_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sampled.MAX_ORDERS == 5000
    monkeypatch.setattr(sampled, "MAX_ORDERS", 50)
    q = Qbaf({"t": 0.5, "x": 0.3, "y": 0.2}, supports=[("x", "t")], attacks=[("y", "t")])
    for budget, orders in ((49, 49), (51, 50), (1_000, 50)):
        assert (
            len(contributions(q, ["t"], method="sampled", budget=budget, sampler="permutations").replicates) == orders
        )


def test_small_games_are_summed_exactly_unless_more_is_asked_and_the_result_says_so() -> None:
    for q, topics in ((games.random_dag(9, seed=0), [9, 8]), (healthcare(), ["antiviral", "antibiotic"])):
        summed = contributions(q, topics, method="shapley", semantics="qe")
        auto = contributions(q, topics, method="sampled", semantics="qe")
        np.testing.assert_array_equal(auto.values, summed.values)
        assert auto.method == "sampled"
        assert auto.how == f"exact, as that is quicker than sampling: {summed.how}"
        assert not np.nan_to_num(auto.replicates).any()
        drawn = contributions(q, topics, method="sampled", semantics="qe", sampler="regression", budget=100)
        assert drawn.how.startswith("regression, ")
        assert np.nan_to_num(drawn.replicates).any()


def test_large_games_and_those_with_a_budget_or_a_target_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    q = games.branches(3, 5, seed=1)  # 216 connected sets
    for settings in ({"budget": 150}, {"target": 0.5}):
        found = attribute(q, 0, method="sampled", semantics="qe", **settings)
        assert found.how == f"regression, {found.evaluations} evaluations, seed 0"
    monkeypatch.setattr(sampled, "MIN_BUDGET", 50)
    monkeypatch.setattr(sampled, "SETS_PER_EVALUATION", 1)
    monkeypatch.setattr(exact, "COST_PER_CONNECTED_SET", 1)
    assert attribute(q, 0, method="sampled", semantics="qe").how.startswith("regression")


@pytest.mark.parametrize(
    ("players", "sampler", "budget"), [(10, "auto", 2000), (800, "auto", 3202), (800, "permutations", 16_002)]
)
def test_a_budget_that_is_not_given_grows_with_the_number_of_players(players: int, sampler: str, budget: int) -> None:
    assert Sampled(sampler=sampler)._choose_budget(players) == budget


@pytest.mark.parametrize("sampler", ["auto", "regression", "permutations"])
def test_a_game_whose_coalitions_do_not_fit_into_memory_is_refused_before_they_are_made(sampler: str) -> None:
    n = 50_000
    star = Qbaf.from_arrays(np.full(n + 1, 0.5), np.arange(1, n + 1), np.zeros(n, int), np.full(n, -1e-5))
    message = r"coalitions of 50,000 players do not fit into memory .*; ask for method='removal' or 'gradient'"
    with pytest.raises(TooLarge, match=message):
        attribute(star, 0, method="sampled", semantics="qe", sampler=sampler)


def test_single_players_fitted_by_conjugate_gradients_are_those_of_the_regression() -> None:
    """The values are the same; the errors, which use the average leverage, nearly so."""
    n, rng = 60, np.random.default_rng(0)
    single = regression.Basis(np.eye(n, dtype=bool))
    rows = regression.draw(rng, 300, n)
    worth, pairs = rng.normal(size=n), rng.normal(size=(n, n)) / n
    values = (rows @ worth + ((rows @ pairs) * rows).sum(axis=1)) * rows.mean(axis=1)
    ends = 0.0, float(worth.sum() + pairs.sum()), 50
    found, deviations = regression.fit_single_players(rows, values, *ends)
    expected, others = regression.fit(single, rows, values, *ends)
    np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(expected).max())
    assert found.sum() == pytest.approx(ends[1], rel=1e-12)
    errors, usual = np.sqrt(np.square(deviations).sum(axis=0)), np.sqrt(np.square(others).sum(axis=0))
    assert 0.85 <= np.mean(errors / usual) <= 1.15


def test_the_basis_is_smaller_where_there_are_many_rows() -> None:
    graph = Game(make_problem(games.random_dag(16, seed=0), "qe"), 16).graph
    sizes = [len(regression.choose_basis(graph, 10_000, rows).sets) for rows in (0, 2_000, 20_000, 10**9)]
    assert sizes == [16 + regression.MAX_SETS, 16 + regression.MAX_SETS, 632, 16]
