"""Neither the position of an argument nor the lanes beside a lane change an answer by more than rounding: 1e-12."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast import Qbaf, UndefinedStrength
from qontrast.attribution.shapley import regression
from qontrast.attribution.shapley.regression import Basis, fit, fit_single_players
from qontrast.engine.lane_slopes import LaneSlopes
from qontrast.engine.problem import make_problem
from tests.laws.networks.test_network import random_network
from tests.support.profiles import FEW
from tests.support.strategies import qbafs, random_qbaf

SAME = {"abs": 1e-12, "rel": 0, "nan_ok": True}
METHODS: dict[str, dict[str, Any]] = {
    "shapley": {},
    "removal": {},
    "gradient": {},
    "intrinsic": {},
    "owen": {"players": "edges"},
}


def relabel(qbaf: Qbaf, order: list[str]) -> Qbaf:
    """List the arguments, and with them the edges, in another order."""
    place = {name: k for k, name in enumerate(order)}

    def sort(edges: Any) -> dict[Any, float]:
        return dict(sorted(edges.items(), key=lambda edge: (place[edge[0][1]], -place[edge[0][0]])))

    scores = {name: qbaf.base_scores[name] for name in order}
    return Qbaf(scores, sort(qbaf.attacks), sort(qbaf.supports), topics=qbaf.topics)


@pytest.mark.parametrize("method", METHODS)
@FEW
@given(data=st.data())
def test_a_graph_in_another_order_has_the_same_contributions(method: str, data: st.DataObject) -> None:
    qbaf = data.draw(qbafs(max_size=6))
    other = relabel(qbaf, data.draw(st.permutations(list(qbaf))))
    fact, foil = qbaf.topics[0], next(iter(qbaf))
    for semantics in ("qe", "df-quad", "mlp"):
        one, two = (
            qx.contrast(q, fact, foil, method=method, semantics=semantics, **METHODS[method]) for q in (qbaf, other)
        )
        assert dict(one) == pytest.approx(dict(two), **SAME)
        assert [x for x, _ in one.ranked()] == [x for x, _ in two.ranked()]


@FEW
@given(data=st.data())
def test_a_graph_in_another_order_has_the_same_interactions(data: st.DataObject) -> None:
    qbaf = data.draw(qbafs(max_size=6))
    other = relabel(qbaf, data.draw(st.permutations(list(qbaf))))
    one, two = (qx.interactions(q, qbaf.topics[0]) for q in (qbaf, other))
    places = [[found.players.index(name) for name in qbaf] for found in (one, two)]
    matrices = [found.matrix[np.ix_(own, own)] for found, own in zip((one, two), places, strict=True)]
    assert matrices[0] == pytest.approx(matrices[1], **SAME)


@pytest.mark.parametrize("lanes", [2, 3, 8, 17])
@pytest.mark.parametrize("cyclic", [False, True])
def test_strengths_and_slopes_of_a_lane_are_those_that_it_has_alone(cyclic: bool, lanes: int) -> None:
    tried = 0
    for seed in range(12):
        qbaf = random_qbaf(seed, cyclic=cyclic, max_size=12)
        base = np.random.default_rng(seed).random((lanes, len(qbaf)))
        problem = make_problem(qbaf, "qe")
        slopes, weights = LaneSlopes(problem, np.eye(len(qbaf))), np.repeat(np.abs(qbaf.weights)[None], lanes, axis=0)
        try:
            strengths = problem.solve(base_scores=base).strengths
        except UndefinedStrength:
            continue
        found = slopes.find(strengths, base, weights)
        for k in range(lanes):
            own = problem.solve(base_scores=base[k : k + 1]).strengths
            assert own[0] == pytest.approx(strengths[k], **SAME)
            for among, alone in zip(found, slopes.find(own, base[k : k + 1], weights[:1]), strict=True):
                assert alone[0] == pytest.approx(among[k], **SAME)
        tried += 1
    assert tried >= 8


@pytest.mark.parametrize("lanes", [2, 5, 16, 33])
def test_an_instance_of_a_network_has_alone_what_it_has_among_others(lanes: int) -> None:
    network = random_network(sizes=(7, 9, 3))
    x = np.random.default_rng(lanes).random((lanes, 7))
    outputs = network.strengths(x)
    for k in range(lanes):
        assert network.strengths(x[k : k + 1])[0] == pytest.approx(outputs[k], **SAME)
    for method in ("gradient", "shapley"):
        alone = network.contrast(x[-1], *network.classes[:2], method=method)
        assert alone.gap == pytest.approx(outputs[-1, 0] - outputs[-1, 1], **SAME)


def make_game(players: int, pairs: int) -> tuple[np.ndarray, np.ndarray, float, float]:
    random = np.random.default_rng(players)
    coalitions, worth = regression.draw(random, pairs, players), random.normal(size=players) / players
    values = np.tanh((coalitions * worth).sum(axis=1)) + 0.5
    return coalitions, values, 0.5, float(np.tanh(worth.sum())) + 0.5


@pytest.mark.parametrize("players", [3, 17, 64])
def test_a_regression_does_not_depend_on_the_order_of_the_players(players: int) -> None:
    coalitions, values, *ends = make_game(players, 6 * players)
    order = np.random.default_rng(1).permutation(players)
    own = fit_single_players(coalitions, values, *ends, 5)
    assert fit_single_players(coalitions[:, order], values, *ends, 5)[0] == pytest.approx(own[0][order], **SAME)
    made = Basis(np.eye(players, dtype=bool))
    found = fit(made, coalitions, values, *ends, 5)
    assert fit(made, coalitions[:, order], values, *ends, 5)[0] == pytest.approx(found[0][order], **SAME)
    assert own[0] == pytest.approx(found[0], abs=1e-11, rel=0)


@pytest.mark.parametrize("players", [40, 150])
def test_a_regression_of_single_players_is_the_weighted_least_squares_fit(players: int) -> None:
    coalitions, values, empty, full = make_game(players, 3 * players)
    size = coalitions.sum(axis=1)
    inner = (size > 0) & (size < players)
    x, y, weight = coalitions[inner].astype(float), values[inner] - empty, 1 / (size * (players - size))[inner]
    # φ = mean + z with Σ z = 0
    free = np.linalg.qr(np.column_stack((np.ones(players), np.eye(players)[:, 1:])))[0][:, 1:]
    mean, root = (full - empty) / players, np.sqrt(weight)
    z = np.linalg.lstsq((x @ free) * root[:, None], (y - mean * x.sum(axis=1)) * root, rcond=None)[0]
    assert fit_single_players(coalitions, values, empty, full, 5)[0] == pytest.approx(mean + free @ z, **SAME)
