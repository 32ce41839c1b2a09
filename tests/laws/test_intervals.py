"""Bounds over boxes: every point of a box lies within them, and so does every difference of two points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, InvalidInput, Qbaf, Semantics
from qontrast.engine.derivative_bounds import AGGREGATIONS, is_monotone
from qontrast.engine.intervals import Boxes, IntervalPass, can_bound
from qontrast.engine.problem import make_problem
from qontrast.semantics import linear, summed, top
from qontrast.types import Floats
from tests.support.strategies import qbafs

POINTS = 6
each_semantics = pytest.mark.parametrize("semantics", sorted(SEMANTICS))


def make_box(rng: np.random.Generator, start: Floats, most: float) -> tuple[Floats, Floats]:
    """A box around or beside what the graph says; some sides are points, some reach the ends."""
    width = rng.choice([0.0, 0.05, 0.3, 1.0], len(start))
    low, high = start - width * rng.random(len(start)), start + width * rng.random(len(start))
    return np.clip(low, 0.0, most), np.clip(high, 0.0, most)


def pick_points(rng: np.random.Generator, low: Floats, high: Floats) -> Floats:
    """Points in the box; about half of their coordinates are at an end."""
    part = rng.choice([0.0, 1.0, 0.5], (POINTS, len(low)))
    part = np.where(part == 0.5, rng.random(part.shape), part)
    return np.clip(low + part * (high - low), low, high)


def solve(q: Qbaf, semantics: str, base: Floats, weights: Floats) -> Floats:
    """Strengths for other base scores and weights, by a graph that has them."""
    signed = np.where(np.signbit(q.weights), -weights, weights)
    changed = Qbaf.from_arrays(base, q.sources, q.targets, signed)
    return make_problem(changed, semantics).strengths()[0]


@each_semantics
@given(q=qbafs(), seed=st.integers(0, 2**32 - 1))
def test_every_point_of_a_box_lies_within_the_bounds_and_differences_within_those_of_slopes(
    semantics: str, q: Qbaf, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    most = min(SEMANTICS[semantics].aggregation.max_weight, 3.0)
    (low, high), (w_low, w_high) = make_box(rng, q.base_array, 1.0), make_box(rng, np.abs(q.weights), most)
    boxes = Boxes(low[None], high[None], w_low[None], w_high[None])
    found = IntervalPass(make_problem(q, semantics), boxes)
    goal = rng.choice([-1.0, 0.0, 1.0, 0.5], len(q))
    slopes = found.bound_slopes(goal[None], by_weight=True)
    assert slopes.weight_low is not None
    assert slopes.weight_high is not None
    least, most_of_goal = found.bound_linear(goal[None])
    points, weights = pick_points(rng, low, high), pick_points(rng, w_low, w_high)
    values = []
    for base, weight in zip(points, weights, strict=True):
        strengths = solve(q, semantics, base, weight)
        assert (found.low[0] <= strengths).all()
        assert (strengths <= found.high[0]).all()
        values.append(goal @ strengths)
        assert least[0, 0] <= values[-1] <= most_of_goal[0, 0]
    # between two points of the box the goal changes by some slope in the bounds times the step
    lows, highs = (
        np.concatenate((a[0, 0], b[0, 0]))
        for a, b in ((slopes.low, slopes.weight_low), (slopes.high, slopes.weight_high))
    )
    places = np.concatenate((points, weights), axis=1)
    for here, there, before, after in zip(places[:-1], places[1:], values[:-1], values[1:], strict=True):
        step = there - here
        assert after - before >= np.minimum(lows * step, highs * step).sum() - 1e-11
        assert after - before <= np.maximum(lows * step, highs * step).sum() + 1e-11
    one = int(rng.integers(len(lows)))  # a step along one side alone
    here, there = places[0], places[0].copy()
    there[one] = places[1, one]
    change = goal @ solve(q, semantics, there[: len(q)], there[len(q) :]) - values[0]
    ends = sorted((lows[one] * (there - here)[one], highs[one] * (there - here)[one]))
    assert ends[0] - 1e-11 <= change <= ends[1] + 1e-11


@each_semantics
@given(q=qbafs(), seed=st.integers(0, 2**32 - 1))
def test_the_bounds_of_a_box_without_width_are_the_strengths_and_boxes_do_not_mix(
    semantics: str, q: Qbaf, seed: int
) -> None:
    problem, rng = make_problem(q, semantics), np.random.default_rng(seed)
    (low, high) = make_box(rng, q.base_array, 1.0)
    both = IntervalPass(problem, Boxes(np.array([q.base_array, low]), np.array([q.base_array, high])))
    assert both.low[0] == pytest.approx(problem.strengths()[0], abs=1e-9)
    assert both.high[0] == pytest.approx(problem.strengths()[0], abs=1e-9)
    alone = IntervalPass(problem, Boxes(low[None], high[None]))
    assert both.low[1] == pytest.approx(alone.low[0], abs=1e-14)
    goals = rng.choice([-1.0, 0.0, 1.0], (2, len(q)))
    slopes, one = both.bound_slopes(goals), alone.bound_slopes(goals[1:])
    assert slopes.low[1, 1] == pytest.approx(one.low[0, 0], abs=1e-12)
    assert slopes.high[1, 1] == pytest.approx(one.high[0, 0], abs=1e-12)


@each_semantics
@given(q=qbafs(), seed=st.integers(0, 2**32 - 1))
def test_on_a_tree_the_bounds_are_reached(semantics: str, q: Qbaf, seed: int) -> None:
    out = [int(np.flatnonzero(q.sources == x)[0]) for x in range(len(q)) if (q.sources == x).any()]  # one edge each
    tree = Qbaf.from_arrays(q.base_array, q.sources[out], q.targets[out], q.weights[out])
    low, high = make_box(np.random.default_rng(seed), tree.base_array, 1.0)
    found = IntervalPass(make_problem(tree, semantics), Boxes(low[None], high[None]))
    for y in range(len(tree)):
        signs = find_path_signs(tree, y)
        worst = np.where(signs > 0, low, high)
        assert found.low[0, y] == pytest.approx(make_problem(tree, semantics).strengths(None, worst)[0, y], abs=1e-9)


def find_path_signs(tree: Qbaf, topic: int) -> Floats:
    """1 or −1 for an argument whose only path to the topic has an even or odd number of attacks, 0 without one."""
    signs = np.zeros(len(tree))
    signs[topic] = 1.0
    for _ in range(len(tree)):
        for x, y, w in zip(tree.sources, tree.targets, tree.weights, strict=True):
            signs[x] = signs[y] * (-1 if np.signbit(w) else 1) if signs[y] else signs[x]
    return signs


def test_only_arguments_upstream_of_a_question_are_computed() -> None:
    q = Qbaf({"x": 0.5, "t": 0.5, "u": 0.5}, supports=[("x", "t"), ("x", "u")], semantics="qe")
    boxes = Boxes(np.zeros((1, 3)), np.ones((1, 3)))
    some = IntervalPass(make_problem(q), boxes, upstream=q.structure.ancestors([q.index("t")]))
    assert some.low[0, :2] == pytest.approx(IntervalPass(make_problem(q), boxes).low[0, :2])


def test_bounds_are_refused_where_they_would_not_hold() -> None:
    q = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b"), ("b", "a")])
    boxes = Boxes(np.zeros((1, 2)), np.ones((1, 2)))
    assert not can_bound(make_problem(q))
    with pytest.raises(InvalidInput, match="the graph has a cycle; bounds over boxes need an acyclic one"):
        IntervalPass(make_problem(q), boxes)
    own = Semantics("own", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b * np.cos(e) ** 2)
    acyclic = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")])
    assert can_bound(make_problem(acyclic))
    assert not can_bound(make_problem(acyclic, own))
    with pytest.raises(InvalidInput, match="semantics 'own' is not known to be monotone"):
        IntervalPass(make_problem(acyclic, own), boxes)


def test_a_linear_influence_of_an_unbounded_energy_is_not_monotone() -> None:
    for aggregation in (summed, top):
        assert not is_monotone(Semantics("sum of lines", aggregation, linear, bounded=False))


@pytest.mark.parametrize("semantics", ["qe", "df-quad", "df-quad-squared-product", "ebt"])
@given(seed=st.integers(0, 2**32 - 1))
def test_slopes_of_an_aggregation_lie_within_their_bounds_at_every_point_of_a_box(semantics: str, seed: int) -> None:
    rng, aggregation = np.random.default_rng(seed), SEMANTICS[semantics].aggregation
    ends = np.sort(rng.choice([0.0, 0.2, 0.4, 0.6, 1.0], (2, 4, 20)), axis=0)
    low, high = AGGREGATIONS[aggregation](ends[0], ends[1])
    for part in (0.0, 1.0, rng.random((4, 20)), rng.integers(0, 2, (4, 20))):
        x = ends[0] + part * (ends[1] - ends[0])
        assert aggregation.slopes is not None
        by_attack, by_support = aggregation.slopes(x, x)
        for slopes in (-by_attack, by_support):
            assert (low <= slopes).all()
            assert (slopes <= high).all()
