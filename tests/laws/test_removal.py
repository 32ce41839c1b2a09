"""Removal and intrinsic removal against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, Qbaf, UndefinedStrength, attribute, contrast, contributions, strengths
from tests.support import games
from tests.support.strategies import qbafs

CLOSE = 1e-10  # strengths of cyclic graphs are good to 1e-12, the slow loop stops a little earlier where it is slow


@given(
    q=st.booleans().flatmap(lambda cyclic: qbafs(cyclic=cyclic, max_size=6)), semantics=st.sampled_from(list(SEMANTICS))
)
def test_removal_is_its_definition(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    try:
        truth = games.removal(q, topic, semantics)
        found = attribute(q, topic, method="removal", semantics=semantics)
    except (games.Undefined, UndefinedStrength):
        return
    assert dict(found) == pytest.approx(truth, rel=0, abs=CLOSE)


@given(qbafs(max_size=7), st.sampled_from(list(SEMANTICS)))
def test_the_contrast_by_removal_is_what_the_gap_loses(q: Qbaf, semantics: str) -> None:
    """The paper's compact formula for Φ^R."""
    fact, foil = q.topics[0], q.arguments[0]
    why = contrast(q, fact, foil, method="removal", semantics=semantics)
    for x in why:
        rest = strengths(q.without(x), semantics=semantics)
        assert why[x] == pytest.approx(why.gap - (rest[fact] - rest[foil]), abs=1e-14)  # a rounding or two


def test_many_topics_cost_no_more_evaluations_than_one() -> None:
    q = games.random_dag(30, seed=1)
    one, all_of_them = (
        contributions(q, [30], method="removal", semantics="qe"),
        contributions(q, list(q), method="removal", semantics="qe"),
    )
    assert one.evaluations <= len(q)
    assert all_of_them.evaluations <= len(q)
    np.testing.assert_array_equal(all_of_them.row(30), one.row(30))
    assert np.isnan(np.diag(all_of_them.values)).all()


def test_a_topic_leaves_only_if_another_topic_depends_on_it() -> None:
    # without t, a and b attack each other and never settle
    mutual, support = [("a", "b"), ("b", "a"), ("t", "a")], [("b", "t")]
    q = Qbaf({"t": 1.0, "a": 1.0, "b": 1.0, "c": 0.5}, attacks=mutual, supports=support, semantics="df-quad")
    for method in ("removal", "intrinsic"):
        found = attribute(q, "t", method=method)
        assert dict(found) == {"a": 0.0, "b": 0.0, "c": 0.0}
        assert dict(contrast(q, "t", "c", method=method)) == {"a": 0.0, "b": 0.0}
        with pytest.raises(UndefinedStrength, match="without 't'"):
            contrast(q, "t", "b", method=method)


def test_intrinsic_removal_cuts_the_parents_off_first() -> None:
    # d attacks c, c supports b, b attacks a; DF-QuAD, all halves: by hand, without the edge (d, c) c has 1/2
    q = Qbaf(dict.fromkeys("abcd", 0.5), attacks=[("b", "a"), ("d", "c")], supports=[("c", "b")])
    found = attribute(q, "a", method="intrinsic", semantics="df-quad")
    assert dict(found) == {"b": -0.25, "c": -0.125, "d": 0.0625}
    plain = attribute(q, "a", method="removal", semantics="df-quad")
    assert plain["b"] == -0.3125
    assert plain["c"] == -0.0625


def test_intrinsic_removal_works_on_cycles_and_keeps_a_self_loop() -> None:
    q = Qbaf(dict.fromkeys("abc", 0.5), attacks=[("b", "a"), ("a", "b"), ("b", "b"), ("c", "b")])
    cut = Qbaf(dict.fromkeys("abc", 0.5), attacks=[("b", "a"), ("b", "b")])
    found = attribute(q, "a", method="intrinsic", semantics="qe")
    assert found["b"] == pytest.approx(strengths(cut, semantics="qe")["a"] - 0.5, abs=1e-11)
    assert found["c"] == attribute(q, "a", method="removal", semantics="qe")["c"]


def test_an_undefined_restriction_names_who_is_missing() -> None:
    q = Qbaf(
        {"a": 1.0, "b": 1.0, "calm": 1.0, "t": 0.5},
        attacks=[("a", "b"), ("b", "a"), ("calm", "a"), ("calm", "b")],
        supports=[("a", "t")],
    )
    with pytest.raises(
        UndefinedStrength, match="without 'calm': df-quad: 't', 'a', 'b' still move by 1 after 4 steps; "
    ):
        attribute(q, "t", method="removal", semantics="df-quad")


def test_progress_ends_at_all_of_it() -> None:
    seen: list[tuple[int, int]] = []
    for method, evaluations in (("removal", 8), ("intrinsic", 16)):
        attribute(
            games.random_dag(8, seed=0),
            8,
            method=method,
            semantics="qe",
            progress=lambda done, of: seen.append((done, of)),
        )
        assert seen[-1] == (evaluations, evaluations)
        assert seen == sorted(seen)
        seen.clear()
