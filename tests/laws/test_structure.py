"""What follows from arguments and edges alone is shared by graphs that differ in base scores, and bounded in size."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import Qbaf, attribute, contrast, strengths
from qontrast.graph import structure
from tests.support import games
from tests.support.strategies import qbafs


@given(st.booleans().flatmap(lambda cyclic: qbafs(cyclic=cyclic, max_size=6)))
def test_ancestors_are_the_arguments_with_a_path_to_a_target(q: Qbaf) -> None:
    reach = np.eye(len(q), dtype=bool)
    for _ in q:
        for source, target in zip(q.sources.tolist(), q.targets.tolist(), strict=True):
            reach[source] |= reach[target]
    for i in range(len(q)):
        assert q.structure.ancestors([i]).tolist() == reach[:, i].tolist()
    assert q.structure.ancestors(range(len(q))).all()


def test_graphs_that_differ_in_base_scores_or_topics_share_their_structure_and_others_do_not() -> None:
    q = games.random_dag(6, seed=0)
    assert q.with_base_scores({0: 0.1}).structure is q.structure is q.with_topics([1]).structure
    assert q.without(5).structure is not q.structure
    assert pickle.loads(pickle.dumps(q)).structure is not q.structure


def test_a_graph_with_a_used_structure_is_copied_pickled_compared_and_hashed_as_before() -> None:
    q = games.random_dag(6, seed=0)
    attribute(q, 6)
    fresh = games.random_dag(6, seed=0)
    again = pickle.loads(pickle.dumps(q))
    assert q == fresh == again == copy.deepcopy(q)
    assert len({hash(q), hash(fresh), hash(again)}) == 1
    assert len(pickle.dumps(q)) == len(pickle.dumps(fresh))
    with pytest.raises(AttributeError, match="never changes"):
        q.structure = fresh.structure


def test_no_more_than_the_bound_is_remembered_and_the_least_recently_used_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "MAX_PARTS", 3)
    made: list[int] = []
    kept = games.random_dag(3, seed=0).structure

    def ask(key: int) -> str:
        return kept.remember(str, key, lambda: made.append(key) or f"part {key}")

    for key in (1, 2, 3, 1, 4, 1, 2):  # 4 drops 2, which was not used since
        assert ask(key) == f"part {key}"
    assert made == [1, 2, 3, 4, 2]
    assert len(kept._parts) == 3


def test_answers_do_not_depend_on_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    q = games.random_dag(7, seed=3)
    with_memory = [dict(attribute(q, topic)) for topic in q for _ in range(2)]
    monkeypatch.setattr(structure, "MAX_PARTS", 0)
    forgetful = games.random_dag(7, seed=3)
    assert [dict(attribute(forgetful, topic)) for topic in forgetful for _ in range(2)] == with_memory
    assert not forgetful.structure._parts


def test_parts_of_one_kind_are_not_taken_for_another() -> None:
    kept = games.random_dag(3, seed=0).structure
    assert kept.remember(str, 0, lambda: "text") == "text"
    assert kept.remember(list, 0, lambda: [1]) == [1]


def test_threads_may_ask_the_same_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "MAX_PARTS", 2)
    q = games.random_dag(8, seed=1)
    alone = [dict(attribute(q, topic)) for topic in q]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda topic: dict(attribute(q, topic)), [*q] * 4))
    assert together == alone * 4


def test_a_question_writes_nothing_to_the_graph_itself() -> None:
    q = games.random_dag(6, seed=0)
    fields = set(vars(q))
    strengths(q)
    contrast(q, 6, 5)
    assert set(vars(q)) - fields <= {"label_counts", "base_array", "base_scores", "attacks", "supports"}
