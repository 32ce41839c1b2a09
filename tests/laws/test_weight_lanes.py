"""Lanes that differ in the weights of edges, against one graph after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qontrast import SEMANTICS, Qbaf, UndefinedStrength, solve_lanes, strengths
from qontrast.engine.problem import make_problem
from tests.support.profiles import number_of_cases
from tests.support.strategies import random_qbaf

NAMES = sorted(SEMANTICS)


def make_lanes(seed: int, *, cyclic: bool, semantics: str) -> tuple[Qbaf, np.ndarray, np.ndarray, np.ndarray]:
    """A graph, and lanes of weights (some 0), base scores and present arguments."""
    most = 1.0 if np.isfinite(SEMANTICS[semantics].aggregation.max_weight) else 2.0
    qbaf = random_qbaf(seed, cyclic=cyclic, max_weight=most, max_size=6)
    rng = np.random.default_rng(seed)
    weights = most * rng.random((5, len(qbaf.weights))) * (rng.random((5, len(qbaf.weights))) < 0.8)
    return qbaf, weights, rng.random((5, len(qbaf))), rng.random((5, len(qbaf))) < 0.8


def solve_alone(qbaf: Qbaf, semantics: str, solver: str, weights: np.ndarray, base: np.ndarray, there: np.ndarray):
    """The strengths of one lane, from a graph of its own without the edges of weight 0; NaN where undefined."""
    signed = np.copysign(weights, qbaf.weights)
    keep = (weights > 0) & there[qbaf.sources] & there[qbaf.targets]
    one = Qbaf.from_arrays(base, qbaf.sources[keep], qbaf.targets[keep], signed[keep])
    try:
        return np.where(there, strengths(one, semantics=semantics, solver=solver).array, 0.0)
    except UndefinedStrength:
        return np.full(len(qbaf), np.nan)


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("semantics", NAMES)
def test_a_lane_of_weights_is_the_graph_with_these_weights(semantics: str, cyclic: bool) -> None:
    for seed in range(number_of_cases(60, 15)):
        qbaf, weights, base, there = make_lanes(seed, cyclic=cyclic, semantics=semantics)
        found = make_problem(qbaf, semantics).solve(there, base, weights).strengths
        alone = [solve_alone(qbaf, semantics, "discrete", *lane) for lane in zip(weights, base, there, strict=True)]
        assert np.isnan(found).any(axis=1).tolist() == np.isnan(alone).any(axis=1).tolist(), seed
        good = ~np.isnan(alone).any(axis=1)
        assert found[good] == pytest.approx(np.array(alone)[good], rel=0, abs=1e-11), seed


@pytest.mark.parametrize("semantics", ["qe", "df-quad"])
def test_a_lane_of_weights_has_the_equilibrium_of_the_graph_with_these_weights(semantics: str) -> None:
    for seed in range(number_of_cases(12, 4)):
        qbaf, weights, base, there = make_lanes(seed, cyclic=True, semantics=semantics)
        found = make_problem(qbaf, semantics, "continuous").solve(there, base, weights).strengths
        alone = [solve_alone(qbaf, semantics, "continuous", *lane) for lane in zip(weights, base, there, strict=True)]
        assert found == pytest.approx(np.array(alone), rel=0, abs=1e-9, nan_ok=True), seed


@pytest.mark.parametrize("cyclic", [False, True])
def test_one_row_of_weights_stands_for_all_lanes_and_the_other_rows_for_all_weights(cyclic: bool) -> None:
    qbaf, weights, base, there = make_lanes(3, cyclic=cyclic, semantics="df-quad")
    asked = make_problem(qbaf, "df-quad")
    one = asked.solve(there, base, weights[:1]).strengths
    assert np.array_equal(one, asked.solve(there, base, np.repeat(weights[:1], 5, axis=0)).strengths, equal_nan=True)
    one = asked.solve(there[:1], base[:1], weights).strengths
    rows = np.repeat(there[:1], 5, axis=0), np.repeat(base[:1], 5, axis=0)
    assert np.array_equal(one, asked.solve(*rows, weights).strengths, equal_nan=True)


def test_the_graphs_own_weights_change_nothing() -> None:
    for seed in range(20):
        qbaf = random_qbaf(seed, cyclic=False)
        assert solve_lanes(qbaf, weights=np.abs(qbaf.weights)[None]) == pytest.approx(
            solve_lanes(qbaf), rel=0, abs=1e-15
        )


def test_a_layer_of_equal_parents_takes_weights_by_lane() -> None:
    """A layer is solved as one matrix product, which cannot differ from lane to lane."""
    names = [f"i{k}" for k in range(8)]
    base = {**dict.fromkeys(names, 0.5), **{f"o{k}": 0.4 for k in range(8)}}
    qbaf = Qbaf(base, supports=[(x, f"o{k}") for x in names for k in range(8)])
    weights = np.random.default_rng(1).random((4, 64))
    found = solve_lanes(qbaf, weights=weights, semantics="qe")
    for row, lane in zip(weights, found, strict=True):
        one = Qbaf.from_arrays(qbaf.base_array, qbaf.sources, qbaf.targets, row)
        assert lane == pytest.approx(strengths(one, semantics="qe").array, rel=0, abs=1e-14)


def test_an_executor_gets_the_weights_of_its_lanes() -> None:
    qbaf, _, _, _ = make_lanes(5, cyclic=False, semantics="qe")
    asked = make_problem(qbaf, "qe")
    weights = np.random.default_rng(2).random((3 * asked.lanes_per_task, len(qbaf.weights)))
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(solve_lanes(qbaf, weights=weights, executor=pool), solve_lanes(qbaf, weights=weights))


def test_an_undefined_lane_of_weights_is_named() -> None:
    pair = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    with pytest.raises(UndefinedStrength, match=r"'a', 'b' still move by 1 .* in lane 1") as caught:
        solve_lanes(pair, weights=[[1, 0], [1, 1]], semantics="df-quad")
    assert caught.value.lane == 1
