"""Graphs with narrow levels are solved in plain lists: the same as in arrays, to the last bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, Qbaf, Semantics, strengths
from qontrast.attribution.slopes import find_slopes, sweep
from qontrast.engine.discrete import solve_discrete
from qontrast.engine.problem import Problem, make_problem
from qontrast.engine.scalar import ListedUpdate, sweep_lists
from qontrast.graph import structure
from qontrast.types import Floats
from tests.support.reference import Loop
from tests.support.strategies import eighths, qbafs, scores

SCALAR = [name for name, each in SEMANTICS.items() if each.scalar is not None]
SMOOTH_ENERGIES = [
    name for name in SCALAR if SEMANTICS[name].aggregation.kinked is None
]  # whose slopes come from lists


def solve_in_arrays(problem: Problem, base: Floats, there: Floats | None = None) -> Floats:
    order, place = problem.arrays.order, problem.arrays.place
    run = solve_discrete(problem.equation, base[order], None if there is None else there[order], 100)
    return np.clip(run.strengths[place], 0.0, 1.0)


def deep_graph(size: int, seed: int) -> Qbaf:
    """Every argument acts on the next, and on another one after it."""
    rng = np.random.default_rng(seed)
    far = np.minimum(np.arange(size - 2) + rng.integers(2, 6, size - 2), size - 1)
    sources, targets = np.append(np.arange(size - 1), np.arange(size - 2)), np.append(np.arange(1, size), far)
    kept = rng.random(len(sources)) < 0.9
    label = rng.permutation(size)
    weights = rng.choice([-1.0, 1.0], len(sources)) * rng.choice([0.0, 0.3, 1.0], len(sources))
    return Qbaf.from_arrays(rng.random(size), label[sources[kept]], label[targets[kept]], weights[kept])


@pytest.mark.parametrize("semantics", SCALAR)
@given(qbaf=qbafs(), data=st.data())
def test_plain_lists_give_the_bits_of_arrays(semantics: str, qbaf: Qbaf, data: st.DataObject) -> None:
    problem = make_problem(qbaf, semantics)
    assert qbaf.structure.parent_lists is not None
    assert problem.solution.strengths[0].tolist() == solve_in_arrays(problem, qbaf.base_array).tolist()
    there = np.array([data.draw(st.sampled_from([0.0, 1.0])) for _ in qbaf])
    lane = problem.solve(present=there[None]).strengths[0]
    assert lane.tolist() == solve_in_arrays(problem, qbaf.base_array, there).tolist()


def test_every_built_in_semantics_has_its_formulas_in_plain_floats() -> None:
    assert list(SEMANTICS) == SCALAR


@pytest.mark.parametrize("semantics", SMOOTH_ENERGIES)
@given(qbaf=qbafs())
def test_slopes_in_lists_are_those_of_arrays(semantics: str, qbaf: Qbaf) -> None:
    problem = make_problem(qbaf, semantics)
    formulas, lists, arrays = problem.semantics.scalar, qbaf.structure.parent_lists, problem.arrays
    assert formulas is not None
    assert lists is not None
    strength, base = problem.strengths()[0], qbaf.base_array
    rows, kinks = sweep_lists(lists, formulas, base.tolist(), strength.tolist(), range(len(qbaf)))
    expected, bent = sweep(problem.equation, strength[arrays.order], base[arrays.order], arrays.place.tolist())
    np.testing.assert_allclose(rows, expected[:, arrays.place], rtol=1e-12, atol=1e-13)
    assert sorted(kinks) == np.sort(arrays.order[bent]).tolist()


@pytest.mark.parametrize("semantics", SMOOTH_ENERGIES)
@given(qbaf=qbafs(base=eighths, weight=st.sampled_from([0.5, 1.0])))
def test_sides_at_kinks_in_lists_are_those_of_arrays(semantics: str, qbaf: Qbaf) -> None:
    problem = make_problem(qbaf, semantics)
    values, strength, sides, kinks = find_slopes(problem, tuple(qbaf))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(problem.semantics.influence.__dict__, "scalar", None)
        assert problem.semantics.scalar is None
        expected = find_slopes(problem, tuple(qbaf), strengths=strength)
    np.testing.assert_allclose(values, expected[0], rtol=0, atol=1e-12)
    assert (sides.keys(), kinks) == (expected[2].keys(), expected[3])
    for key, each in sides.items():
        assert (each.below, each.above) == pytest.approx((expected[2][key].below, expected[2][key].above), abs=1e-12)


@pytest.mark.parametrize("size", [1_000, 2_500])  # made of lists of edges, and of rows of arrays
@pytest.mark.parametrize("semantics", SCALAR)
def test_a_large_graph_of_narrow_levels_is_solved_in_lists(semantics: str, size: int) -> None:
    qbaf = deep_graph(size, seed=3)
    assert qbaf.structure.parent_lists is not None
    problem = make_problem(qbaf, semantics)
    assert problem.solution.strengths[0].tolist() == solve_in_arrays(problem, qbaf.base_array).tolist()
    assert strengths(qbaf, semantics=semantics).solver == "one pass"


@pytest.mark.parametrize("semantics", SCALAR)
@given(qbaf=qbafs(cyclic=True, max_weight=0.5), data=st.data())
def test_steps_with_cycles_in_lists_are_those_of_arrays(semantics: str, qbaf: Qbaf, data: st.DataObject) -> None:
    equation = make_problem(qbaf, semantics).equation
    order = equation.arrays.order
    base, now = (np.array([data.draw(scores) for _ in qbaf])[order] for _ in range(2))
    held = data.draw(st.sampled_from([None, np.array([k % 3 > 0 for k in range(len(qbaf))], float)]))
    there = None if held is None else held.tolist()
    assert equation.semantics.scalar is not None
    listed = ListedUpdate(equation.arrays, equation.semantics.scalar, base.tolist(), there)
    skip = equation.arrays.before_cycles
    for first in (0, skip):
        assert listed(now, first).tolist() == equation.update(now, base, held, skip=first).tolist()


def test_a_large_graph_of_wide_levels_is_solved_in_arrays() -> None:
    rng = np.random.default_rng(0)
    sources, targets = rng.permutation(1000), rng.permutation(np.arange(1000, 2000))
    assert Qbaf.from_arrays(rng.random(2000), sources, targets, np.ones(1000)).structure.parent_lists is None


def test_a_graph_of_middle_size_with_a_cycle_is_not_acyclic() -> None:
    ring = np.arange(1_000)
    qbaf = Qbaf.from_arrays(np.full(1_000, 0.5), ring, np.roll(ring, 1), np.ones(1_000))
    assert qbaf.structure.parent_lists is None
    assert not qbaf.structure.acyclic


@given(qbaf=qbafs(cyclic=True))
def test_graphs_made_of_lists_and_of_arrays_are_equal(qbaf: Qbaf) -> None:
    arrays = Qbaf.from_arrays(
        qbaf.base_array, qbaf.sources, qbaf.targets, qbaf.weights, names=list(qbaf), topics=qbaf.topics
    )
    assert arrays == qbaf
    assert arrays.structure.acyclic == qbaf.structure.acyclic == qbaf.structure.arrays.acyclic


def test_the_edges_of_a_large_graph_may_come_as_an_iterator() -> None:
    names = [f"a{i}" for i in range(structure.MAX_LISTED)]
    edges = list(pairwise(names))
    assert Qbaf(dict.fromkeys(names, 0.5), iter(edges)) == Qbaf(dict.fromkeys(names, 0.5), edges)


def test_a_semantics_of_ones_own_is_solved_in_arrays() -> None:
    mean = Semantics("mean", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: (b + np.clip(b + e, 0, 1)) / 2)
    assert mean.scalar is None
    qbaf = Qbaf({"a": 0.5, "b": 0.25, "t": 0.5}, attacks={("a", "t"): 0.5}, supports=[("b", "t")])
    assert strengths(qbaf, semantics=mean)["t"] == 0.5


@given(qbaf=qbafs(max_weight=1.0))
def test_narrow_graphs_follow_the_definition(qbaf: Qbaf) -> None:
    for semantics in SCALAR:
        expected = Loop(qbaf, semantics).run(len(qbaf))
        assert dict(strengths(qbaf, semantics=semantics)) == pytest.approx(expected, rel=0, abs=1e-14)
