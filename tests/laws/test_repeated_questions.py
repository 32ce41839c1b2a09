"""Whatever is kept with a graph, every graph gets its own answer: all questions on long-lived graphs, in random order,
equal the same questions on graphs that nothing was asked before."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from qontrast import (
    METHODS,
    Qbaf,
    QontrastError,
    all_pairs,
    attribute,
    check,
    contrast,
    paths,
    rank,
    solve_lanes,
    strengths,
    trajectory,
    whatif,
)
from tests.support.profiles import number_of_cases

SETTINGS: dict[str, dict[str, Any]] = {"sampled": {"budget": 40}}
ACYCLIC = [(0, 2), (1, 2), (1, 3), (2, 4), (3, 4), (2, 5), (3, 5), (0, 5)]  # 4 and 5 are topics; 6 is alone
CYCLIC = [*ACYCLIC, (4, 5), (5, 4), (3, 1)]


def graph(edges: list[tuple[int, int]], seed: int, names: str = "abcdefg", semantics: str | None = None) -> Qbaf:
    rng = np.random.default_rng(seed)
    sources, targets = np.array(edges).T
    weights = rng.uniform(0.2, 0.9, len(edges)) * rng.choice([-1, 1], len(edges))
    return Qbaf.from_arrays(
        rng.random(7), sources, targets, weights, names=list(names), topics=[names[4], names[5]], semantics=semantics
    )


def family(edges: list[tuple[int, int]]) -> list[Qbaf]:
    """Graphs of one shape that differ in base scores, weights, names, topics or semantics alone."""
    one = graph(edges, 1)
    scores = [dict(zip(one, np.random.default_rng(k).random(7).tolist(), strict=True)) for k in (7, 8)]
    flipped = Qbaf.from_arrays(one.base_array, one.sources, one.targets, -one.weights, names=list(one))
    return [
        one,
        one.with_base_scores(scores[0]),
        one.with_base_scores(scores[1]).with_base_scores({"a": 1.0}),
        Qbaf.from_arrays(one.base_array, one.sources, one.targets, one.weights / 2, names=list(one), topics=one.topics),
        flipped,
        graph(edges, 1, "gfedcba"),
        graph(edges, 1, semantics="df-quad"),
        Qbaf.from_arrays(one.base_array, one.sources, one.targets, one.weights),  # names 0 … 6
    ]


def questions(q: Qbaf) -> list[Callable[[Qbaf], Any]]:
    names = list(q)
    fact, foil, third = names[4], names[5], names[2]
    found: list[Callable[[Qbaf], Any]] = [
        lambda q: strengths(q),
        lambda q: strengths(q, solver="continuous"),
        lambda q: strengths(q, semantics="reb"),
        lambda q: solve_lanes(q, present=[[1, 1, 0, 1, 1, 1, 1], [1] * 7]).tolist(),
        lambda q: trajectory(q, until=3, points=3),
        lambda q: check(q),
        lambda q: paths(q, names[1], fact),
        lambda q: rank(q, [fact, foil, third], method="removal"),
        lambda q: whatif(q, fact, foil, base_scores={names[0]: 0.9}, remove=[names[3]]),
        lambda q: all_pairs(q, [fact, foil, third]),
        lambda q: contrast(q, fact, foil, method="removal", solver="continuous"),
    ]
    for method in METHODS:
        more = SETTINGS.get(method, {})
        for topic in (fact, foil, third):
            found.append(lambda q, m=method, t=topic, more=more: attribute(q, t, method=m, **more))
        found.append(lambda q, m=method, more=more: contrast(q, fact, foil, method=m, semantics="mlp", **more))
    return found


def answer(question: Callable[[Qbaf], Any], q: Qbaf) -> Any:
    try:
        found = question(q)
    except QontrastError as error:
        return str(error)
    return found.to_dict() if hasattr(found, "to_dict") else found


@pytest.mark.parametrize("edges", [ACYCLIC, CYCLIC], ids=["acyclic", "cyclic"])
@pytest.mark.heavy
def test_a_graph_that_was_asked_before_answers_like_a_new_one(edges: list[tuple[int, int]]) -> None:
    kept = family(edges)
    # in the light run, each question is asked of every third graph
    every = [
        (k, question)
        for k, q in enumerate(kept)
        for which, question in enumerate(questions(q))
        if (k + which) % number_of_cases(1, 3) == 0
    ]
    for which in np.random.default_rng(0).permutation(len(every)).tolist():
        k, question = every[which]
        fresh = answer(question, pickle.loads(pickle.dumps(kept[k])))
        # repr tells −0.0 from 0.0 and treats NaN as equal to itself
        assert repr(answer(question, kept[k])) == repr(fresh)


def test_a_result_of_one_graph_cannot_be_written_into_that_of_another() -> None:
    one = graph(CYCLIC, 1)
    with pytest.raises(ValueError, match="read-only"):
        strengths(one).array[0] = 0.5
    other = one.with_base_scores({"a": 0.123})
    assert strengths(one)["a"] != strengths(other)["a"] == 0.123
