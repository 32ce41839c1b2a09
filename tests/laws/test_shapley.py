"""Exact Shapley values: both ways against Definition 6 and against each other, laws, limits."""

from __future__ import annotations

import tracemalloc
from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import (
    SEMANTICS,
    InvalidInput,
    Qbaf,
    TooLarge,
    UndefinedStrength,
    UnknownName,
    attribute,
    contrast,
    strengths,
)
from qontrast.attribution.shapley import exact as shapley_exact
from qontrast.attribution.shapley.coalitions import (
    bound_connected_sets,
    estimate_connected_sets,
    find_connected_sets,
    find_smallest_connected,
    keep_connected,
    unpack,
)
from qontrast.attribution.shapley.exact import _count_connected, sum_connected_sets
from qontrast.attribution.shapley.game import Game
from qontrast.attribution.shapley.hypercube import hypercube
from qontrast.engine.problem import make_problem
from qontrast.errors import Hint
from tests.support import games
from tests.support.graphs import SAID
from tests.support.strategies import qbafs, random_qbaf


def count(game: Game, limit: int) -> int | None:
    plan = _count_connected(game, limit)
    return None if plan is None else plan.evaluations


CLOSE = 1e-10  # strengths of cyclic graphs are good to 1e-12, and a value sums many of them
NAMES = st.sampled_from(list(SEMANTICS))


@given(st.booleans().flatmap(lambda cyclic: qbafs(cyclic=cyclic, max_size=5)), NAMES)
def test_shapley_is_its_definition(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    try:
        truth = games.shapley(q, topic, semantics)
        found = attribute(q, topic, method="shapley", semantics=semantics)
    except (games.Undefined, UndefinedStrength):
        return
    assert dict(found) == pytest.approx(truth, rel=0, abs=CLOSE)


@given(qbafs(max_size=8), NAMES)
def test_both_exact_ways_agree_on_acyclic_graphs(q: Qbaf, semantics: str) -> None:
    game = Game(make_problem(q, semantics), q.index(q.topics[0]))
    np.testing.assert_allclose(
        hypercube(game), sum_connected_sets(game, 0), rtol=0, atol=1e-14
    )  # sums in another order


@pytest.mark.parametrize("semantics", [*SEMANTICS, SAID])
def test_both_exact_ways_agree_beyond_one_block(semantics: str) -> None:
    """15 players: the hypercube walks a tree of two axes above its blocks of 13."""
    game = Game(make_problem(games.random_dag(15, seed=2), semantics), 15)
    np.testing.assert_allclose(hypercube(game), sum_connected_sets(game, 0), rtol=0, atol=1e-13)


@given(qbafs(max_size=8), NAMES)
def test_values_sum_to_strength_minus_base_score_and_non_ancestors_get_exactly_zero(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    found = attribute(q, topic, method="shapley", semantics=semantics)
    assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-14)  # roundings
    players = {q.arguments[i] for i in Game(make_problem(q, semantics), q.index(topic)).players}
    assert all(found[x] == 0.0 for x in found if x not in players)


@given(st.booleans().flatmap(lambda cyclic: qbafs(cyclic=cyclic, max_size=5)), NAMES)
def test_the_contrast_by_shapley_is_the_papers_compact_formula(q: Qbaf, semantics: str) -> None:
    fact, foil = q.topics[0], q.arguments[0]
    if fact == foil:
        return
    others, n = [x for x in q if x not in (fact, foil)], len(q) - 1

    def adds(x: str, topic: str, some: tuple[str, ...]) -> float:
        return games.strength(q, {*some, topic, x}, topic, semantics) - games.strength(
            q, {*some, topic}, topic, semantics
        )

    def weight(size: int) -> float:
        return 1 / (n * comb(n - 1, size))

    try:
        why = contrast(q, fact, foil, method="shapley", semantics=semantics)
        for x in others:
            rest = [y for y in others if y != x]
            total = sum(
                weight(len(b)) * (adds(x, fact, b) - adds(x, foil, b))
                + weight(len(b) + 1) * (adds(x, fact, (*b, foil)) - adds(x, foil, (*b, fact)))
                for b in chain.from_iterable(combinations(rest, k) for k in range(len(rest) + 1))
            )
            assert why[x] == pytest.approx(total, rel=0, abs=CLOSE)
    except (games.Undefined, UndefinedStrength):
        return


@given(st.booleans().flatmap(lambda cyclic: qbafs(cyclic=cyclic, max_size=7)))
def test_connected_sets_are_those_whose_members_all_reach_the_topic(q: Qbaf) -> None:
    game = Game(make_problem(q, "qe"), q.index(q.topics[0]))
    n = len(game.players)
    every = ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1).astype(bool) if n else np.zeros((1, 0), bool)
    parts = keep_connected(game.graph, every)
    truth = {tuple(row) for row in every[(parts == every).all(axis=1)].tolist()}
    assert {tuple(row) for row in parts.tolist()} == truth
    found = [tuple(row) for words, _ in find_connected_sets(game.graph, 4) for row in unpack(words, n).tolist()]
    assert len(found) == len(set(found)) == count(game, 1 << n)
    assert set(found) == truth
    assert bound_connected_sets(n, *game.edges) <= len(truth)
    small = [tuple(row) for row in unpack(find_smallest_connected(game.graph, 1 << n), n).tolist()]
    assert set(small) == {row for row in truth if any(row)}
    assert [sum(row) for row in small] == sorted(sum(row) for row in small)


def test_the_bound_of_a_spanning_tree_counts_the_connected_sets_of_a_tree() -> None:
    game = Game(make_problem(games.branches(3, 4), "qe"), 0)
    assert bound_connected_sets(12, *game.edges) == count(game, 125) == 5**3
    assert count(game, 124) is None


def test_the_cheaper_way_is_chosen_and_said() -> None:
    dense, sparse = games.random_dag(12, seed=0), games.branches(2, 10)
    assert attribute(dense, 12, semantics="qe").how == "4,096 coalitions over 12 players"
    found = attribute(sparse, 0, semantics="qe")
    assert (found.how, found.evaluations) == ("121 connected sets over 20 players", 121)


def test_a_long_chain_is_summed_exactly() -> None:
    """1,000 players have 1,001 connected sets; in a chain of supporters with base score 0 only prefixes matter."""
    q = games.branches(1, 1000)
    found = attribute(q, 0, semantics="df-quad")
    assert found.evaluations == 1001
    assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-13)
    # φ_k of a chain: player k counts once all before it are there, so v only jumps at the prefixes
    values = [strengths(q.restrict(range(k + 1)), semantics="df-quad")[0] for k in range(60)]
    truth = sum((values[j] - values[j - 1]) / j for j in range(3, 60))
    assert found[3] == pytest.approx(truth, abs=1e-3)  # the rest of the series: |Δv| ≤ 2⁻⁶⁰ on average, /j


def test_more_than_sixty_four_players_fill_more_than_one_word() -> None:
    q = games.branches(2, 40, seed=5)
    found = attribute(q, 0, semantics="qe")
    assert found.evaluations == 41**2
    assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-12)
    # permutations of the two branches are all alike: the same by sampling orders, which knows nothing of words
    guess = attribute(q, 0, method="sampled", semantics="qe", sampler="permutations", budget=1681, seed=1)
    for x in found:
        assert abs(found[x] - guess[x]) <= 5 * guess.std_error[x] + 1e-12


def test_a_topic_without_ancestors_and_a_graph_of_one_argument() -> None:
    assert dict(attribute(Qbaf({"t": 0.3}), "t")) == {}
    assert dict(attribute(Qbaf({"t": 0.3, "x": 0.4}, attacks=[("t", "x")]), "t")) == {"x": 0.0}
    assert dict(attribute(Qbaf({"t": 0.3}, attacks=[("t", "t")]), "t")) == {}


def test_over_the_limit_the_error_says_the_evaluations_the_limit_and_the_way_out() -> None:
    said = r"exact Shapley for 200 over 200 players needs at least 2\^\d+ evaluations \(limit 268,435,456\); ask for"
    with pytest.raises(TooLarge, match=said + " method='sampled'$"):  # to raise the limit would not help
        attribute(games.random_dag(200, seed=0), 200, semantics="qe")
    with pytest.raises(TooLarge, match=r"over 12 players needs at least 1,001 evaluations \(limit 1,000\)"):
        attribute(games.random_dag(12, seed=0), 12, semantics="qe", max_evaluations=1000)
    ring = Qbaf.from_arrays([0.5] * 9, [*range(9), 0, 2, 4], [*range(1, 9), 0, 5, 7, 8], [0.5] * 12)
    with pytest.raises(TooLarge, match=r"limit 2\)"):
        attribute(ring, 8, semantics="qe", max_evaluations=2)
    with pytest.raises(InvalidInput, match="max_evaluations is 0"):
        attribute(ring, 8, max_evaluations=0)


def test_hundreds_of_thousands_of_players_are_refused_at_once() -> None:
    """Nothing of size players² is made on the way."""
    n = 200_000
    q = Qbaf.from_arrays(np.full(n + 1, 0.5), np.arange(1, n + 1), np.arange(n) // 2, np.ones(n))
    with pytest.raises(TooLarge, match="over 200,000 players"):
        attribute(q, 0)
    with pytest.raises(
        InvalidInput, match="2,000 evaluations are too few for 200,000 players; give a budget of 400,002"
    ):
        attribute(q, 0, method="sampled", budget=2000)
    with pytest.raises(TooLarge, match="400,002 coalitions of 200,000 players do not fit into memory"):
        attribute(q, 0, method="sampled")


@pytest.mark.parametrize("seed", range(3))
def test_the_number_of_connected_sets_is_estimated_without_counting_them(seed: int) -> None:
    game = Game(make_problem(games.random_dag(14, seed=seed), "qe"), 14)
    counted = sum(len(members) for members, _ in find_connected_sets(game.graph))
    mean, error = estimate_connected_sets(game.graph, runs=50, kept=64)
    assert 0 < error < 0.1 * counted
    assert abs(mean - counted) <= 4 * error
    assert estimate_connected_sets(game.graph, kept=counted) == (counted, 0.0)


def test_games_with_many_connected_sets_are_refused_or_summed_by_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapley_exact, "MAX_SETS_COUNTED", 50)
    monkeypatch.setattr(shapley_exact, "bound_connected_sets", lambda *edges: 1)
    ring = Qbaf.from_arrays(np.full(15, 0.5), np.arange(15), (np.arange(15) + 1) % 15, np.ones(15))
    q = Qbaf.from_arrays(
        np.full(15, 0.5), [*ring.sources, *range(1, 15, 2)], [*ring.targets, *[0] * 7], np.full(22, 0.5)
    )
    counted = sum(len(members) for members, _ in find_connected_sets(Game(make_problem(q, "qe"), 0).graph))
    with pytest.raises(TooLarge, match=r"over 14 players needs about [\d,]+ evaluations \(limit 60\)"):
        attribute(q, 0, semantics="qe", max_evaluations=60)
    found = attribute(q, 0, semantics="qe", max_evaluations=10_000)
    assert found.how.startswith("about ")
    assert found.evaluations == pytest.approx(counted, rel=0.05)
    monkeypatch.undo()
    assert dict(found) == pytest.approx(dict(attribute(q, 0, semantics="qe")), rel=0, abs=1e-12)


def test_an_undefined_coalition_is_named() -> None:
    q = Qbaf(
        {"a": 1.0, "b": 1.0, "calm": 1.0, "t": 0.5},
        attacks=[("a", "b"), ("b", "a"), ("calm", "a"), ("calm", "b")],
        supports=[("a", "t")],
    )
    for method in ("shapley", "sampled"):
        with pytest.raises(
            UndefinedStrength, match=r"the coalition \{'a', 'b'\} of the game of 't' has no value: df-quad: "
        ) as caught:
            attribute(q, "t", method=method, semantics="df-quad")
        assert caught.value.hints == (Hint("solver", ("continuous",)),)
        assert "solver=" not in caught.value.phrase(lambda hint: None)


def test_twenty_players_need_little_memory() -> None:
    q = games.random_dag(20, seed=1)
    tracemalloc.start()
    attribute(q, 20, semantics="qe")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6  # 2^20 numbers alone would be 8 MB, and every argument has as many; a block is 64 kB


def test_connected_sets_need_little_memory() -> None:
    q = games.branches(3, 30)
    tracemalloc.start()
    found = attribute(q, 0, semantics="qe")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.evaluations == 31**3
    assert peak < 100e6  # blocks of 2^14 sets of 91 arguments: 12 MB a copy


def test_unknown_topics_methods_and_settings_are_named() -> None:
    q = Qbaf({"profit": 0.5, "loss": 0.5}, attacks=[("loss", "profit")])
    with pytest.raises(UnknownName, match="no argument 'proft' among the 2 here; did you mean 'profit'"):
        attribute(q, "proft")
    with pytest.raises(UnknownName, match="no method 'shaply' among the 6 here; did you mean 'shapley'"):
        attribute(q, "profit", method="shaply")
    with pytest.raises(InvalidInput, match="method 'shapley' has no setting 'budget'; it has max_evaluations"):
        attribute(q, "profit", budget=7)
    with pytest.raises(UnknownName, match="no contributor 'profit'"):
        attribute(q, "profit")["profit"]
    with pytest.raises(UnknownName, match="no argument 'los'"):
        contrast(q, "profit", "los")


def test_progress_of_both_ways_ends_at_the_whole() -> None:
    for q, topic in ((games.random_dag(14, seed=0), 14), (games.branches(2, 20), 0)):
        seen: list[tuple[int, int]] = []
        attribute(q, topic, semantics="qe", progress=lambda done, of, seen=seen: seen.append((done, of)))
        assert seen[-1][0] == seen[-1][1]
        assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_values_on_cyclic_graphs_sum_to_what_the_topic_gains_over_being_alone() -> None:
    """Alone it has its base score, unless it attacks or supports itself."""
    for seed in range(30):
        q = random_qbaf(seed, cyclic=True, max_size=7)
        try:
            found = attribute(q, 0, semantics="reb")
        except UndefinedStrength:
            continue
        alone = strengths(q.restrict([0]), semantics="reb")[0]
        assert sum(found.values()) == pytest.approx(found.strength - alone, abs=CLOSE)
