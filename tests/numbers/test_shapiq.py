"""Interactions against those that shapiq computes from all coalitions of the same game, and their conversion to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qontrast import Interactions, Qbaf, interactions
from qontrast.attribution.players import make_players
from qontrast.engine.problem import make_problem
from tests.support.games import random_dag
from tests.support.graphs import healthcare

INDICES = {"sii": "SII", "stii": "STII", "k-sii": "k-SII"}


def compute_by_shapiq(q: Qbaf, topic: Any, players: str, index: str) -> tuple[dict[tuple[Any, ...], float], float]:
    """Singles and pairs by name, and v(∅); the game is that of all coalitions, each of them solved."""
    shapiq = pytest.importorskip("shapiq")
    playing = make_players(q, [topic], players)
    (game,) = playing.make_games(make_problem(q), [topic])
    names = [list(playing)[k] for k in game.players]
    exact = shapiq.ExactComputer(game=lambda rows: game.values(np.asarray(rows, bool)), n_players=len(names))
    found = exact(INDICES[index], order=2).dict_values
    empty = float(game.values(np.zeros((1, len(names)), bool))[0])
    return {tuple(names[k] for k in key): float(value) for key, value in found.items() if key}, empty


def check_against_shapiq(found: Interactions, expected: dict[tuple[Any, ...], float]) -> None:
    for key, value in expected.items():
        got = found.singles[key[0]] if len(key) == 1 else found[key[0], key[1]]
        assert got == pytest.approx(value, abs=1e-12), key
    assert any(len(key) == 2 and abs(value) > 1e-3 for key, value in expected.items())


@pytest.mark.heavy
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("players", ["arguments", "edges"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_interactions_on_acyclic_graphs_are_those_of_shapiq(index: str, players: str, seed: int) -> None:
    q = random_dag(5, seed)
    topic = q.arguments[-1]
    expected, _ = compute_by_shapiq(q, topic, players, index)
    check_against_shapiq(interactions(q, topic, index=index, players=players), expected)


@pytest.mark.heavy
@pytest.mark.parametrize("index", INDICES)
def test_interactions_on_the_cycle_of_healthcare_are_those_of_shapiq(index: str) -> None:
    expected, _ = compute_by_shapiq(healthcare(), "antiviral", "arguments", index)
    check_against_shapiq(interactions(healthcare(), "antiviral", index=index), expected)


@pytest.mark.heavy
@pytest.mark.parametrize("index", INDICES)
def test_a_contrast_of_interactions_is_a_difference_of_those_of_shapiq(index: str) -> None:
    q, fact, foil = healthcare(), "antiviral", "antibiotic"
    of_fact, of_foil = (compute_by_shapiq(q, topic, "arguments", index)[0] for topic in (fact, foil))
    found = interactions(q, fact, foil, index=index)
    for a, b in found:
        expected = of_fact.get((a, b), of_fact.get((b, a), 0.0)) - of_foil.get((a, b), of_foil.get((b, a), 0.0))
        assert found[a, b] == pytest.approx(expected, abs=1e-12)
    for name, value in found.cross_topic.items():
        with_foil = of_fact.get((name, foil), of_fact.get((foil, name), 0.0))
        with_fact = of_foil.get((name, fact), of_foil.get((fact, name), 0.0))
        assert value == pytest.approx(with_foil - with_fact, abs=1e-12)


@pytest.mark.heavy
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("players", ["arguments", "edges", "direct"])
def test_shapiq_gets_the_same_pairs_and_singles_under_its_own_name_of_the_index(index: str, players: str) -> None:
    pytest.importorskip("shapiq")
    q = random_dag(5, 3)
    found = interactions(q, q.arguments[-1], q.arguments[-2], index=index, players=players)
    made = found.to_shapiq()
    names = list(found.singles)
    assert (made.index, made.max_order, made.n_players, made.estimated) == (INDICES[index], 2, len(names), False)
    assert made.baseline_value == pytest.approx(found.base_gap)
    for k, name in enumerate(names):
        assert made[k,] == pytest.approx(found.singles[name], abs=1e-15)
        for j in range(k):
            assert made[j, k] == made[k, j] == pytest.approx(found[names[j], name], abs=1e-15)


@pytest.mark.heavy
@pytest.mark.parametrize("index", ["stii", "k-sii"])
def test_what_shapiq_gets_for_one_topic_adds_up_to_its_strength(index: str) -> None:
    pytest.importorskip("shapiq")
    found = interactions(healthcare(), "antiviral", index=index)
    assert found.to_shapiq().values.sum() == pytest.approx(found.gap)
