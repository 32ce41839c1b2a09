"""Removal that solves only what lies between a player and the topics, against removal that solves whole graphs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, Qbaf, attribute, contributions
from qontrast.attribution import downstream
from qontrast.engine.problem import make_problem
from tests.support import games
from tests.support.strategies import qbafs


def remove(q: Qbaf, topics: list[Any], semantics: str, players: Any, **limits: Any) -> np.ndarray:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(downstream, name, value)
        return contributions(q, topics, method="removal", semantics=semantics, players=players).values


@given(
    q=qbafs(max_size=8),
    semantics=st.sampled_from(list(SEMANTICS)),
    players=st.sampled_from(["arguments", "edges", "groups"]),
    parents=st.sampled_from([1, 2, 64]),
)
def test_solving_what_changes_gives_the_strengths_of_whole_graphs(
    q: Qbaf, semantics: str, players: str, parents: int
) -> None:
    topics = list(dict.fromkeys([q.topics[0], q.arguments[0]]))
    others = [name for name in q if name not in topics]
    chosen = {"one": others[::2], "two": others[1::2]} if players == "groups" else players
    if players == "groups" and len(others) < 2:
        return
    whole = remove(q, topics, semantics, chosen, MIN_NUMBERS=1 << 60)
    some = {"MIN_NUMBERS": 0, "MAX_CHANGED": 10.0, "MIN_PARENTS_KEPT": parents, "NUMBERS_GATHERED": 4}
    found = remove(q, topics, semantics, chosen, **some, SAMPLED_PLAYERS=2, FULL_BATCH=1, MAX_LANES=3)
    np.testing.assert_allclose(found, whole, rtol=0, atol=1e-14)


def test_a_graph_of_many_branches_is_solved_by_parts_in_an_executor_too(monkeypatch: pytest.MonkeyPatch) -> None:
    q = games.branches(60, 12, seed=2)
    expected = remove(q, [0], "qe", "arguments", MIN_NUMBERS=1 << 60)[0]
    monkeypatch.setattr(downstream, "PAIRS_PER_BATCH", 1)
    seen: list[int] = []
    solve = downstream.Downstream.solve

    def spy(self: downstream.Downstream, gone: Any) -> Any:
        seen.append(len(gone))
        return solve(self, gone)

    monkeypatch.setattr(downstream.Downstream, "solve", spy)
    with ThreadPoolExecutor(2) as executor:
        found = attribute(q, 0, method="removal", semantics="qe", executor=executor)
    np.testing.assert_allclose(found.array, expected, rtol=0, atol=1e-13)
    assert sum(seen) == 720
    assert max(seen) == 64


@given(q=qbafs(max_size=8), joined=st.booleans())
def test_descendants_are_counted_as_a_search_from_each_player_finds_them(q: Qbaf, joined: bool) -> None:
    size = len(q)
    column_of = np.arange(size) // 2 if joined else np.arange(size)
    problem = make_problem(q, "qe")
    made = downstream.Downstream(problem, problem.strengths()[0], (0,), column_of)
    players, total = np.unique(column_of), 0
    for player in players.tolist():
        members = {i for i in range(size) if column_of[i] == player}
        reached = {j for j in range(size) if members & set(np.flatnonzero(q.structure.ancestors([j])).tolist())}
        total += len(reached - members)
    assert made.count_descendants(players) == pytest.approx(total / len(players))


def test_whole_graphs_are_solved_where_much_depends_on_each_player(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: downstream.Downstream, gone: Any) -> Any:
        raise AssertionError("parts were solved")

    monkeypatch.setattr(downstream.Downstream, "solve", refuse)
    q = games.random_dag(600, seed=0)
    assert contributions(q, list(q), method="removal", semantics="qe").values.shape == (601, 601)


def test_a_star_of_many_attackers_needs_one_update_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    n, rng = 3000, np.random.default_rng(0)
    weights = rng.choice([-1.0, 1.0], n) * rng.random(n) / 50
    star = Qbaf.from_arrays(rng.random(n + 1), np.arange(1, n + 1), np.zeros(n, int), weights)
    monkeypatch.setattr(downstream, "NUMBERS_GATHERED", 0)  # whoever gathered parents would do so one pair at a time
    for semantics in ("qe", "df-quad", "ebt"):
        found = attribute(star, 0, method="removal", semantics=semantics)
        for x in (1, 7, n):
            rest = attribute(star.without(x), 0, method="gradient", semantics=semantics).strength
            assert found[x] == pytest.approx(found.strength - rest, rel=0, abs=1e-13)


def test_members_of_a_group_that_act_on_each_other_stay_away_together() -> None:
    q = Qbaf({"a": 0.5, "b": 0.4, "c": 0.3, "t": 0.2}, supports=[("a", "b"), ("b", "t"), ("c", "t"), ("a", "c")])
    groups = {"both": ["a", "b"]}
    found = remove(q, ["t"], "df-quad", groups, MIN_NUMBERS=0, MAX_CHANGED=10.0, FULL_BATCH=1)
    np.testing.assert_allclose(found, remove(q, ["t"], "df-quad", groups, MIN_NUMBERS=1 << 60), rtol=0, atol=1e-15)
