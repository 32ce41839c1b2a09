"""Every formula beside its derivative: the derivatives against differences, also where formulas like to break."""

from __future__ import annotations

import numpy as np
import pytest

from qontrast import SEMANTICS, Aggregation, Influence, InvalidInput, Qbaf, Semantics, strengths
from qontrast.engine.problem import make_problem
from qontrast.engine.update import Equation
from qontrast.finite_differences import numeric_by_base, numeric_by_energy, numeric_slopes

NAMES = sorted(SEMANTICS)
DIFFERENCES = 1e-8  # one-sided differences with h = 1e-5 are good to about 1e-9, times third derivatives of a few units
BASE = np.array([0.0, 1e-3, 0.3, 0.5, 0.8, 1.0])
ENERGY = np.array([-0.9, -0.3, 0.2, 0.7])


def grid() -> tuple[np.ndarray, np.ndarray]:
    b, e = np.meshgrid(BASE, ENERGY)
    return b.ravel(), e.ravel()


@pytest.mark.parametrize("name", NAMES)
def test_the_derivatives_of_an_influence_equal_differences(name: str) -> None:
    s, (b, e) = SEMANTICS[name], grid()
    below, above = s.by_energy(b, e)
    assert (below == above).all()
    num_below, num_above = numeric_by_energy(s.influence.strength, b, e)
    assert above == pytest.approx(num_above, abs=DIFFERENCES)
    assert below == pytest.approx(num_below, abs=DIFFERENCES)
    smooth = b != 1e-3 if name in ("reb", "ebt", "mlp") else b >= 0  # third derivatives there are of the order 1e6
    assert s.by_base(b, e)[smooth] == pytest.approx(numeric_by_base(s.influence.strength, b, e)[smooth], abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_the_slopes_of_an_aggregation_equal_differences_also_at_strengths_0_and_1(name: str) -> None:
    s, rng = SEMANTICS[name], np.random.default_rng(0)
    for attackers, supporters in ((0, 0), (0, 3), (2, 0), (3, 4)):
        att, sup = rng.random((attackers, 50)), rng.random((supporters, 50))
        if s.aggregation.kinked is None:  # two equal strongest parents have no derivative there, but a tangent
            att[rng.random(att.shape) < 0.3], sup[rng.random(sup.shape) < 0.3] = 0.0, 1.0
        for found, truth in zip(s.slopes(att, sup), numeric_slopes(s.aggregation.energy, att, sup), strict=True):
            assert found.shape == truth.shape
            assert found == pytest.approx(truth, abs=DIFFERENCES)


@pytest.mark.parametrize("name", ["df-quad", "df-quad-1-max", "df-quad-squared-product"])
def test_at_energy_0_a_linear_share_has_two_slopes(name: str) -> None:
    below, above = SEMANTICS[name].by_energy(np.array([0.8]), np.zeros(1))
    assert (below[0], above[0]) == pytest.approx((0.8, 0.2), abs=1e-16)


@pytest.mark.parametrize("name", ["qe", "reb", "ebt", "mlp"])
def test_the_other_influences_are_smooth_at_energy_0(name: str) -> None:
    below, above = SEMANTICS[name].by_energy(BASE, np.zeros_like(BASE))
    assert (below == above).all()


@pytest.mark.parametrize("name", NAMES)
def test_huge_energies_give_numbers_and_no_warning(name: str) -> None:
    s = SEMANTICS[name]
    big = [1.0] if s.aggregation.max_weight == 1 else [1.0, 40.0, 800.0, 1e10, 1e155, 1e303]
    for e in [sign * x for x in big for sign in (-1, 1)]:
        energy = np.full_like(BASE, e)
        strength = s.influence.strength(BASE, energy)
        assert ((strength >= 0) & (strength <= 1)).all()
        below, above = s.by_energy(BASE, energy)
        assert np.isfinite([below, above]).all()
        assert not np.isnan(s.by_base(BASE, energy)).any()  # at 0 and 1 the slope may be beyond 1e308: infinite
    if name in ("reb", "ebt", "mlp"):
        assert (strength[0], strength[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_every_semantics_keeps_the_base_score_without_parents_and_names_its_source(name: str) -> None:
    s = SEMANTICS[name]
    assert s.influence.strength(BASE, np.zeros_like(BASE)) == pytest.approx(BASE, abs=1e-15)
    assert s.name == name
    assert s.source
    assert s.formula
    assert not s.numeric
    assert dict(strengths(Qbaf({"x": 0.3}), semantics=name)) == {"x": 0.3}


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_acts_or_is_refused_but_is_never_ignored(name: str) -> None:
    scores = {"a": 0.6, "t": 0.5}
    for kind in ("attacks", "supports"):
        full, half, none = (
            strengths(Qbaf(scores, **{kind: {("a", "t"): w}}), semantics=name)["t"] for w in (1.0, 0.5, 0.0)
        )
        assert abs(full - 0.5) > abs(half - 0.5) > abs(none - 0.5) - 1e-15
        weaker = strengths(Qbaf({"a": 0.3, "t": 0.5}, **{kind: [("a", "t")]}), semantics=name)["t"]
        assert half == pytest.approx(weaker, abs=1e-16)  # only w·σ counts, and 0.5 · 0.6 = 0.3


def test_the_strongest_parents_tangent_is_right_where_they_tie() -> None:
    tangent = SEMANTICS["ebt"].aggregation.tangent
    assert tangent is not None
    sup, d_sup = np.array([[0.5], [0.5], [0.2]]), np.array([[1.0], [-1.0], [9.0]])
    none = np.zeros((0, 1))
    assert tangent(none, sup, none, d_sup).tolist() == [1.0]
    assert tangent(sup, none, -d_sup, none).tolist() == [-1.0]
    zero = np.zeros((1, 1))
    assert tangent(none, zero, none, np.full((1, 1), -2.0)).tolist() == [0.0]  # max(0, ·) holds it


def test_a_users_kink_is_found_by_differences() -> None:
    mine = Semantics("mine", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + e * np.where(e > 0, 1 - b, b))
    below, above = mine.by_energy(np.array([0.8, 0.8, 0.5]), np.array([0.0, 0.1, 0.0]))
    assert below == pytest.approx([0.8, 0.2, 0.5], abs=DIFFERENCES)
    assert above == pytest.approx([0.2, 0.2, 0.5], abs=DIFFERENCES)


def test_derivatives_may_be_given_in_part_and_the_rest_is_derived() -> None:
    qe = SEMANTICS["qe"]
    part = Semantics("part", Aggregation(qe.aggregation.energy), Influence(qe.influence.strength, qe.influence.by_base))
    assert part.numeric
    x = np.random.default_rng(0).random((3, 5))
    for found, truth in zip(part.slopes(x, x), qe.slopes(x, x), strict=True):
        assert found == pytest.approx(truth, abs=DIFFERENCES)
    e = np.array([1e4, 3.0])  # the step grows with the energy
    assert part.by_energy(np.full(2, 0.5), e)[1] == pytest.approx(qe.by_energy(np.full(2, 0.5), e)[1], abs=DIFFERENCES)


@pytest.mark.parametrize("name", NAMES)
def test_the_jacobian_of_the_equation_equals_differences(name: str) -> None:
    rng = np.random.default_rng(4)
    i, j = np.nonzero(rng.random((6, 6)) < 0.5)
    q = Qbaf.from_arrays(rng.random(6), i, j, rng.random(len(i)) * rng.choice([-1, 1], len(i)))
    equation: Equation = make_problem(q, name).equation
    base, at, held = q.base_array[equation.arrays.order], rng.random(6), np.array([1.0, 1, 0, 1, 1, 1])
    jacobian, by_base = equation.jacobian(at, base, held)
    h = 1e-6  # central differences: error about h², rounding 1e-10
    for k in range(6):
        step = h * (np.arange(6) == k)
        truth = (equation.update(at + step, base, held) - equation.update(at - step, base, held)) / (2 * h)
        assert jacobian.toarray()[:, k] == pytest.approx(truth, abs=1e-8)
        truth = (equation.update(at, base + step, held) - equation.update(at, base - step, held)) / (2 * h)
        assert by_base[k] == pytest.approx(truth[k], abs=1e-8)
        d = np.eye(6)[:, [k]]
        both = equation.tangent(at, base, held, 2 * d, d, np.empty((6, 1)))[:, 0]
        assert both == pytest.approx(jacobian.toarray()[:, k] + 2 * by_base * d[:, 0], abs=1e-12)


def test_formulas_of_the_wrong_shape_are_refused():
    q = Qbaf({"t": 0.5, "a": 0.1, "u": 0.5, "b": 0.4}, attacks=[("a", "t"), ("b", "u")])

    def flat_for_two(x):  # as it should be for three columns, which are tried when the semantics is made
        return x.sum() if x.shape[-1] == 2 else x

    one_for_all = Semantics("one", lambda att, sup: flat_for_two(sup.sum(0) - att.sum(0)), lambda b, e: b)
    with pytest.raises(InvalidInput, match=r"aggregation of semantics 'one' gives an array of shape \(\), not \(2,\)"):
        strengths(q, semantics=one_for_all)
    flat = Semantics("flat", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: flat_for_two(b))
    with pytest.raises(InvalidInput, match=r"influence of semantics 'flat' .* must be elementwise"):
        strengths(q, semantics=flat)
