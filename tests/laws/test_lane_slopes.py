"""Slopes of many lanes at once are those of each lane alone, in base scores and in weights, with cycles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import Qbaf, UndefinedStrength
from qontrast.attribution.edge_slopes import find_edge_slopes
from qontrast.attribution.slopes import find_slopes
from qontrast.engine import lane_slopes
from qontrast.engine.lane_slopes import LaneSlopes
from qontrast.engine.problem import make_problem
from tests.support.strategies import qbafs


def slopes_of(qbaf: Qbaf, semantics: str) -> tuple[np.ndarray, np.ndarray]:
    problem, lanes = make_problem(qbaf, semantics), 2
    strengths, base = (np.repeat(each, lanes, axis=0) for each in (problem.strengths(), qbaf.base_array[None]))
    weights = np.repeat(np.abs(qbaf.weights)[None], lanes, axis=0)
    by_base, by_weight = LaneSlopes(problem, np.eye(len(qbaf))).find(strengths, base, weights)
    assert (by_base[0] == by_base[1]).all()
    return by_base[0], by_weight[0]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("semantics", ["qe", "reb", "df-quad"])
@given(data=st.data())
def test_slopes_of_lanes_are_those_of_one_graph(data, semantics, sparse):
    qbaf = data.draw(qbafs(max_size=6))
    problem, names = make_problem(qbaf, semantics), tuple(qbaf)
    try:
        expected, _, _, kinks = find_slopes(problem, names)
        edges, _, _, edge_kinks = find_edge_slopes(problem, names)
    except UndefinedStrength:
        return
    if kinks or edge_kinks:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lane_slopes, "MAX_DENSE_SIZE", 0 if sparse else 128)
        by_base, by_weight = slopes_of(qbaf, semantics)
    inner = (qbaf.base_array > 0) & (qbaf.base_array < 1)  # at the ends only one side exists
    assert by_base[:, inner] == pytest.approx(expected[:, inner], abs=1e-7, rel=1e-6)
    if len(qbaf.weights) and inner.all():
        real = qbaf.weights != 0  # at a weight of 0 only one side exists, too
        assert by_weight[:, real] == pytest.approx(edges[:, real], abs=1e-7, rel=1e-6)


def test_at_a_kink_the_mean_of_both_sides_is_taken():
    qbaf = Qbaf({"p": 0.75, "a": 0.5, "b": 0.5}, attacks=[("a", "p")], supports=[("b", "p")])
    by_base, _ = slopes_of(qbaf, "df-quad")
    assert by_base[0].tolist() == [1.0, -0.5, 0.5]  # 0.75 below, 0.25 above


def test_a_singular_equation_has_no_slopes():
    qbaf = Qbaf({"a": 0.0, "t": 0.5}, supports={("a", "a"): 1.0, ("a", "t"): 1.0})
    by_base, by_weight = slopes_of(qbaf, "df-quad")
    assert np.isfinite(by_base).all()
    assert np.isfinite(by_weight).all()
