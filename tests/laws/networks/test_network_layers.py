"""Dense layers in the engine, and slopes of many lanes in reverse."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit

from qontrast import Qbaf, solve_lanes


def dense(sizes: list[int], seed: int = 0, semantics: str = "mlp") -> tuple[Qbaf, list[np.ndarray], list[np.ndarray]]:
    """A random layered graph, with its weights and base scores by layer."""
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=pair) * 2 for pair in pairwise(sizes)]
    base = [rng.random(size) for size in sizes]
    start = np.cumsum([0, *sizes])
    sources = [np.repeat(start[k] + np.arange(m), n) for k, (m, n) in enumerate(w.shape for w in weights)]
    targets = [np.tile(start[k + 1] + np.arange(n), m) for k, (m, n) in enumerate(w.shape for w in weights)]
    flat = np.concatenate([w.ravel() for w in weights])
    q = Qbaf.from_arrays(
        np.concatenate(base), np.concatenate(sources), np.concatenate(targets), flat, semantics=semantics
    )
    return q, weights, base


def test_a_level_whose_arguments_share_all_parents_is_one_layer():
    q, weights, _ = dense([8, 16, 3])
    layers = {layer.lo: layer for layer in q.structure.arrays.layers.values()}
    assert sorted((layer.hi - layer.lo, len(layer.parents)) for layer in layers.values()) == [(3, 16), (16, 8)]
    first, order = layers[8], q.structure.arrays.order
    for i in range(16):  # rows are in the order of evaluation, and attacks are negative
        np.testing.assert_array_equal(first.matrix[i], weights[0][:, order[8 + i] - 8][order[first.parents]])


@pytest.mark.parametrize("left_out", [0, 63, 127])
def test_one_missing_edge_makes_a_level_no_layer(left_out):
    q, _, _ = dense([8, 16])
    kept = np.arange(128) != left_out
    fewer = Qbaf.from_arrays(q.base_array, q.sources[kept], q.targets[kept], q.weights[kept])
    assert not fewer.structure.arrays.layers


def test_equally_many_but_other_parents_make_no_layer():
    sources, targets = np.arange(8).repeat(8), np.tile(np.arange(9, 17), 8)
    moved = sources.copy()
    moved[0] = 8  # argument 9 has parent 8 instead of parent 0
    shared = Qbaf.from_arrays(np.full(17, 0.5), sources, targets, np.ones(64))
    other = Qbaf.from_arrays(np.full(17, 0.5), moved, targets, np.ones(64))
    assert shared.structure.arrays.layers
    assert not other.structure.arrays.layers


@pytest.mark.parametrize("semantics", ["mlp", "qe", "reb", "df-quad", "ebt"])
def test_a_layer_changes_no_strength(semantics, monkeypatch):
    q, _, _ = dense([8, 6, 6, 3], seed=1)
    weights = np.clip(q.weights, -1, 1)
    lanes = np.random.default_rng(2).random((50, len(q)))
    present = np.random.default_rng(3).random((50, len(q))) < 0.8
    given = Qbaf.from_arrays(q.base_array, q.sources, q.targets, weights, semantics=semantics)
    found = solve_lanes(given, present=present, base_scores=lanes)
    monkeypatch.setattr("qontrast.graph.structure.MIN_LAYER_EDGES", 10**9)
    plain = Qbaf.from_arrays(q.base_array, q.sources, q.targets, weights, semantics=semantics)
    assert given.structure.arrays.layers
    assert not plain.structure.arrays.layers
    np.testing.assert_allclose(found, solve_lanes(plain, present=present, base_scores=lanes), rtol=0, atol=1e-14)


def test_dense_strengths_are_a_forward_pass():
    q, weights, base = dense([8, 16, 3], seed=4)
    hidden = expit(np.log(base[1] / (1 - base[1])) + base[0] @ weights[0])
    outputs = expit(np.log(base[2] / (1 - base[2])) + hidden @ weights[1])
    np.testing.assert_allclose(solve_lanes(q)[0, 24:], outputs, rtol=0, atol=1e-14)


def test_one_argument_with_many_parents_is_no_layer():
    star = Qbaf.from_arrays(np.full(41, 0.5), np.arange(40), np.full(40, 40), np.ones(40))
    assert not star.structure.arrays.layers


def test_in_a_layer_a_lane_alone_is_the_lane_among_others_up_to_rounding():
    q, _, _ = dense([8, 16, 3], seed=8)
    lanes = np.random.default_rng(9).random((40, len(q)))
    alone = np.concatenate([solve_lanes(q, base_scores=lane) for lane in lanes])
    np.testing.assert_allclose(solve_lanes(q, base_scores=lanes), alone, rtol=0, atol=1e-14)
