"""Gradients: exact, against one-sided differences; at base scores 0 and 1, at strength 1, and at kinks."""

from __future__ import annotations

import numpy as np
import pytest

from qontrast import (
    SEMANTICS,
    Influence,
    Qbaf,
    Semantics,
    UndefinedStrength,
    attribute,
    contrast,
    contributions,
    strengths,
)
from tests.support import games
from tests.support.graphs import KINK, SAID
from tests.support.strategies import random_qbaf

H = 1e-4  # second order: truncation about 1e-8 · f‴; strengths are good to 1e-12, which leaves 1e-8 of noise
CLOSE = 5e-6  # third derivatives of several hundred occur


def agrees(q: Qbaf, topic: int, semantics: str) -> int:
    """Check every contributor against the slow reference; how many were checked."""
    try:
        found, checked = attribute(q, topic, method="gradient", semantics=semantics), 0
        for x in found:
            base = q.base_scores[x]
            up = games.slope(q, x, topic, semantics, 1.0, H) if base <= 1 - 2 * H else None
            down = games.slope(q, x, topic, semantics, -1.0, H) if base >= 2 * H else None
            if x in found.sides:
                assert np.isnan(found[x])
                assert (found.sides[x].below, found.sides[x].above) == pytest.approx((down, up), abs=CLOSE)
            else:
                for side in (up, down):
                    assert side is None or found[x] == pytest.approx(side, abs=CLOSE), (x, semantics)
            checked += 1
    except (games.Undefined, UndefinedStrength):
        return 0
    return checked


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_gradients_of_acyclic_graphs_agree_with_differences(semantics: str) -> None:
    checked = 0
    for seed in range(40):
        q = random_qbaf(seed, cyclic=False, max_size=7)
        checked += agrees(q, int(np.argmax(np.bincount(q.targets, minlength=len(q)))), semantics)
    assert checked > 60


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_gradients_of_cyclic_graphs_agree_with_differences(semantics: str) -> None:
    checked = 0
    for seed in range(100, 120):
        q = random_qbaf(seed, cyclic=True, max_size=5)
        checked += agrees(q, int(np.argmax(np.bincount(q.targets, minlength=len(q)))), semantics)
    assert checked > 20


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_one_topic_alone_and_among_others_has_the_same_gradient(semantics: str) -> None:
    for seed, cyclic in ((1, False), (2, False), (3, True)):
        q = random_qbaf(seed, cyclic=cyclic, max_size=9)
        both = contributions(q, list(q), method="gradient", semantics=semantics)
        for topic in q:
            # a sweep and a sparse system add in another order
            np.testing.assert_allclose(
                both.row(topic), attribute(q, topic, method="gradient", semantics=semantics).array, atol=1e-12
            )


def test_a_strength_of_one_divides_nothing() -> None:
    scores = {"t": 0.5, "one": 1.0, "other": 1.0, "x": 0.25, "up": 1.0}
    two = Qbaf(scores, attacks=[("one", "t"), ("other", "t"), ("x", "t")], supports=[("up", "t")])
    assert dict(attribute(two, "t", method="gradient", semantics="df-quad")) == {
        "one": 0.0,
        "other": 0.0,
        "x": 0.0,
        "up": 0.5,
    }
    single = Qbaf(scores, attacks=[("one", "t"), ("x", "t")])
    # ∏(1 − a) = (1 − one)(1 − x): its slope in `one` is −(1 − 0.25), times τ = 0.5
    found = attribute(single, "t", method="gradient", semantics="df-quad")
    assert (found["one"], found["x"]) == (-0.375, 0.0)


@pytest.mark.parametrize(("base", "at_zero"), [(0.0, -0.5), (1.0, -0.5)])
def test_at_base_scores_zero_and_one_the_only_side_is_the_answer(base: float, at_zero: float) -> None:
    q = Qbaf({"t": 0.5, "x": base}, attacks=[("x", "t")])
    assert attribute(q, "t", method="gradient", semantics="df-quad")["x"] == at_zero
    # at base score 0 the attacker sits on the kink of t, whose sides are 0.2 and 0.8; x can only grow
    kinked = Qbaf({"t": 0.8, "x": 0.0}, attacks=[("x", "t")])
    found = attribute(kinked, "t", method="gradient", semantics="df-quad")
    assert found["x"] == pytest.approx(-0.8, abs=1e-15)
    assert (dict(found.sides), found.kinks) == ({}, ())
    full = Qbaf({"t": 0.8, "x": 1.0, "y": 1.0}, attacks=[("x", "t")], supports=[("y", "t")])
    found = attribute(full, "t", method="gradient", semantics="df-quad")  # both can only fall
    assert (found["x"], found["y"]) == pytest.approx((-0.2, 0.8), abs=1e-15)


def test_at_a_kink_there_are_two_sides_no_value_and_a_name() -> None:
    """The peers' first error: QBAF-Py says −0.8 and +0.2, which are the derivatives from the right."""
    for found in (
        attribute(KINK, "t", method="gradient", semantics="df-quad"),
        contrast(KINK, "t", "att", method="gradient", semantics="df-quad").individual["t"],
    ):
        assert np.isnan([found["att"], found["sup"]]).all()
        sides = [found.sides[x] for x in ("att", "sup")]
        assert [s.below for s in sides] == pytest.approx([-0.2, 0.8], abs=1e-15)
        assert [s.above for s in sides] == pytest.approx([-0.8, 0.2], abs=1e-15)
        assert found.kinks == ("t",)
    half = KINK.with_base_scores({"t": 0.5})  # its two slopes are equal
    assert dict(attribute(half, "t", method="gradient", semantics="df-quad")) == {"att": -0.5, "sup": 0.5}


def test_arguments_without_parents_are_no_kinks() -> None:
    q = KINK.with_base_scores({"att": 0.6, "sup": 0.6})
    assert attribute(q, "t", method="gradient", semantics="df-quad").kinks == ("t",)


def test_kinks_in_series_are_all_named_and_their_sides_multiply() -> None:
    q = Qbaf(
        {"x": 0.4, "y": 0.4, "m": 0.8, "z": 0.8, "t": 0.9},
        attacks=[("y", "m"), ("z", "t")],
        supports=[("x", "m"), ("m", "t")],
    )
    found = attribute(q, "t", method="gradient", semantics="df-quad")
    assert found.kinks == ("m", "t")
    # x up: m rises by 0.2, then t by 0.1 of that; x down: m falls by 0.8, then t by 0.9 of that
    assert (found.sides["x"].above, found.sides["x"].below) == pytest.approx((0.02, 0.72), abs=1e-15)
    assert (found.sides["y"].above, found.sides["y"].below) == pytest.approx((-0.72, -0.02), abs=1e-15)
    sure = attribute(q.with_base_scores({"t": 1.0}), "t", method="gradient", semantics="df-quad")  # flat from above
    assert sure.kinks == ("m", "t")
    assert (sure.sides["x"].above, sure.sides["x"].below) == pytest.approx((0.0, 0.8), abs=1e-15)


def test_kinks_of_one_topic_are_not_those_of_another() -> None:
    q = Qbaf(
        {**KINK.base_scores, "u": 0.7, "v": 0.3},
        attacks=[("att", "t"), ("att", "u")],
        supports=[("sup", "t"), ("sup", "u"), ("v", "u")],
    )
    why = contrast(q, "t", "u", method="gradient", semantics="df-quad")
    assert why.individual["t"].kinks == why.kinks == ("t",)
    assert why.individual["u"].kinks == ()
    u = why.individual["u"]
    assert (why.sides["att"].below, why.sides["att"].above) == pytest.approx((-0.2 - u["att"], -0.8 - u["att"]))
    assert list(why) == ["att", "sup", "v"]
    assert np.isnan(why["att"])
    assert why["v"] == -u["v"]
    assert np.isnan(why.residual)
    assert [name for name, _ in why.ranked()] == ["v", "att", "sup"]  # what is undefined comes last


def test_ties_under_the_top_semantics_are_kinks_until_one_parent_leads() -> None:
    q = Qbaf({"t": 0.5, "a": 0.6, "b": 0.6}, supports=[("a", "t"), ("b", "t")])
    found = attribute(q, "t", method="gradient", semantics="ebt")
    alone = attribute(q.without("b"), "t", method="gradient", semantics="ebt")["a"]
    assert np.isnan(found["a"])
    assert (found.sides["a"].below, found.sides["a"].above) == pytest.approx((0.0, alone), abs=1e-15)
    assert found.kinks == ("t",)
    led = attribute(q.with_base_scores({"a": 0.7}), "t", method="gradient", semantics="ebt")
    assert led["a"] > 0 == led["b"]


def test_a_kink_in_a_cyclic_graph_has_two_sides_too() -> None:
    q = Qbaf(
        {"t": 0.8, "att": 0.5, "sup": 0.5, "u": 0.5, "v": 0.5},
        attacks=[("att", "t"), ("u", "v"), ("v", "u")],
        supports=[("sup", "t"), ("t", "u")],
    )
    found = attribute(q, "u", method="gradient", semantics="df-quad")
    assert found.kinks == ("t",)
    for x in ("att", "sup"):
        sides = [games.slope(q, x, "u", "df-quad", side, H) for side in (-1.0, 1.0)]
        assert (found.sides[x].below, found.sides[x].above) == pytest.approx(sides, abs=CLOSE)


MEAN = Semantics("mean", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: (b + np.clip(b + e, 0, 1)) / 2)
UNSAID = Semantics("unsaid", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b * np.exp(-e * e))


@pytest.mark.parametrize("method", ["removal", "gradient", "shapley", "sampled", "intrinsic"])
def test_a_users_own_semantics_goes_through_every_method(method: str) -> None:
    for seed in range(6):
        q = random_qbaf(seed, cyclic=False, max_size=7)
        for topic in q:
            said, unsaid = (attribute(q, topic, method=method, semantics=semantics) for semantics in (SAID, UNSAID))
            assert (said.semantics, unsaid.semantics) == ("said", "unsaid")
            # numerical derivatives are good to about 1e-9; the rest is the same arithmetic
            assert dict(said) == pytest.approx(dict(unsaid), abs=1e-8)
    assert ("numerical" in attribute(q, topic, method=method, semantics=UNSAID).how) == (method == "gradient")


def test_a_users_kink_is_found_by_differences() -> None:
    q = Qbaf({"t": 0.5, "x": 0.5}, supports=[("x", "t")])  # clip(0.5 + 0.5) is at its upper bend
    found = attribute(q, "t", method="gradient", semantics=MEAN)
    assert np.isnan(found["x"])
    assert (found.sides["x"].below, found.sides["x"].above) == pytest.approx((0.5, 0.0), abs=1e-8)


def test_the_contrast_by_gradient_is_the_slope_of_the_gap() -> None:
    """The paper's compact formula for Φ^G."""
    q = games.random_dag(8, seed=3)
    why = contrast(q, 8, 7, method="gradient", semantics="qe")
    for x in why:
        slopes = [games.slope(q, x, topic, "qe", 1.0, H) for topic in (8, 7)]
        assert why[x] == pytest.approx(slopes[0] - slopes[1], abs=CLOSE)


def test_a_singular_equation_is_an_error_with_a_way_out() -> None:
    # σ(t) = σ(t): every number is a fixed point, and I − F_σ is 0
    echo = Semantics(
        "echo", SAID.aggregation, Influence(lambda b, e: e, lambda b, e: np.zeros_like(e), lambda b, e: np.ones_like(e))
    )
    q = Qbaf({"t": 0.5}, supports=[("t", "t")])
    with pytest.raises(UndefinedStrength, match="singular"):
        attribute(q, "t", method="gradient", semantics=echo)


def test_a_hundred_thousand_arguments_on_cycles_have_a_gradient_without_a_factorisation() -> None:
    """A factorisation of a random sparse matrix of this size fills up to gigabytes."""
    n, rng = 100_000, np.random.default_rng(0)
    sources, targets = rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n)
    keys = np.unique(sources * n + targets)
    q = Qbaf.from_arrays(rng.random(n), keys // n, keys % n, rng.choice([-0.3, 0.3], len(keys)))
    found = attribute(q, 0, method="gradient", semantics="qe")
    x = int(q.sources[q.targets == 0][0])
    at = [strengths(q.with_base_scores({x: q.base_scores[x] + k * H}), semantics="qe")[0] for k in (-1, 1)]
    assert found[x] == pytest.approx((at[1] - at[0]) / (2 * H), abs=1e-7)
