"""Contrasts: antisymmetry, what a result knows, other combinations, and the sentence."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import METHODS, SEMANTICS, InvalidInput, Qbaf, UnknownName, attribute, contrast
from tests.support import games
from tests.support.graphs import KINK, ZEBRA, healthcare
from tests.support.strategies import qbafs

PLAIN = ["removal", "gradient", "shapley", "intrinsic"]


@given(qbafs(max_size=7), st.sampled_from(list(SEMANTICS)), st.sampled_from(PLAIN))
def test_a_contrast_is_the_difference_of_two_attributions_and_antisymmetric(
    q: Qbaf, semantics: str, method: str
) -> None:
    fact, foil = q.topics[0], q.arguments[0]
    why, reverse = (
        contrast(q, fact, foil, method=method, semantics=semantics),
        contrast(q, foil, fact, method=method, semantics=semantics),
    )
    one, other = (
        attribute(q, fact, method=method, semantics=semantics),
        attribute(q, foil, method=method, semantics=semantics),
    )
    # with cycles the gradients of two topics come from one sparse system
    expected = {x: 0.0 if fact == foil else one[x] - other[x] for x in why}
    assert dict(why) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    np.testing.assert_array_equal(why.array, -reverse.array)
    assert (why.gap, why.base_gap) == (-reverse.gap, -reverse.base_gap)
    np.testing.assert_array_equal(why.cross_topic.component, -reverse.cross_topic.component)  # at a kink both are NaN
    if fact == foil:
        assert set(why.values()) <= {0.0}
        assert (why.gap, why.cross_topic.component, why.residual) == (0.0, 0.0, 0.0)
    else:
        parts = (why.cross_topic.fact_from_foil, why.cross_topic.foil_from_fact)
        assert parts == pytest.approx((one[foil], other[fact]), abs=1e-12, nan_ok=True)


@given(qbafs(max_size=7), st.sampled_from(list(SEMANTICS)))
def test_shapley_contrasts_and_the_cross_topic_component_leave_nothing(q: Qbaf, semantics: str) -> None:
    why = contrast(q, q.topics[0], q.arguments[0], method="shapley", semantics=semantics)
    assert why.residual == pytest.approx(0, abs=1e-14)  # roundings


def test_the_other_topic_plays_in_both_games() -> None:
    """b supports a and x attacks b: were b no player of a's game, x could do nothing there."""
    q = Qbaf(dict.fromkeys("abx", 0.5), attacks=[("x", "b")], supports=[("b", "a")], topics=["a", "b"])
    why = contrast(q, "a", "b", method="shapley", semantics="df-quad")
    # v({b}) = 3/4, v({b, x}) = 5/8, else 1/2: φ_a(x) = −1/16, φ_a(b) = 3/16; φ_b(x) = −1/4
    assert dict(why) == {"x": -1 / 16 + 1 / 4}
    assert (why.cross_topic.fact_from_foil, why.cross_topic.foil_from_fact) == (3 / 16, 0.0)


@pytest.mark.parametrize("method", [*PLAIN, "sampled"])
def test_an_argument_compared_with_itself_has_nothing_to_explain(method: str) -> None:
    why = contrast(ZEBRA, "zebra", "zebra", method=method, semantics="df-quad")
    assert set(why.values()) == {0.0}
    assert len(why) == 4
    assert str(why) == "zebra (0.875) is compared with itself; nothing is left to explain."


@pytest.mark.parametrize("topic", ["t", "att"])
def test_a_topic_on_a_kink_compared_with_itself_has_nothing_to_explain_either(topic: str) -> None:
    why = contrast(KINK, topic, topic, method="gradient", semantics="df-quad")
    assert dict(why) == dict.fromkeys(set(KINK) - {topic}, 0.0)
    assert (why.gap, why.base_gap, why.cross_topic.component, why.residual) == (0.0, 0.0, 0.0, 0.0)


def test_another_combination_makes_another_derived_caf() -> None:
    larger = contrast(ZEBRA, "zebra", "horse", method="removal", semantics="df-quad", combine=max)
    one, other = larger.individual["zebra"], larger.individual["horse"]
    assert dict(larger) == {x: max(one[x], other[x]) for x in larger}
    assert larger.combined
    assert contrast(ZEBRA, "zebra", "horse", method="sampled", semantics="df-quad", combine=max).std_error is None
    plain = contrast(ZEBRA, "zebra", "horse", method="removal", semantics="df-quad")
    minus = contrast(ZEBRA, "zebra", "horse", method="removal", semantics="df-quad", combine=lambda a, b: a - b)
    assert dict(plain) == dict(minus)
    assert not plain.combined


def test_ties_are_ranked_by_name_and_magnitude_comes_first() -> None:
    q = Qbaf(
        {"t": 0.5, "u": 0.5, "c": 0.5, "b": 0.5, "a": 1.0}, attacks=[("a", "t")], supports=[("c", "t"), ("b", "u")]
    )
    why = contrast(q, "t", "u", method="gradient", semantics="qe")
    assert why.ranked() == sorted(why.items(), key=lambda item: (-abs(item[1]), item[0]))
    tied = contrast(ZEBRA, "horse", "tiger", method="removal", semantics="df-quad")
    assert [name for name, _ in tied.ranked()] == ["herbivore", "stripes", "zebra"]


def test_the_two_topics_are_no_contributors() -> None:
    why = contrast(ZEBRA, "zebra", "horse", semantics="df-quad")
    assert list(why) == ["tiger", "stripes", "herbivore"]
    assert len(why) == 3
    for topic in ("zebra", "horse"):
        assert topic not in why
        with pytest.raises(UnknownName, match=f"no contributor '{topic}'"):
            why[topic]


def test_a_contrast_as_plain_data_survives_json() -> None:
    why = contrast(healthcare(), "antiviral", "antibiotic")
    data = json.loads(json.dumps(why.to_dict()))
    assert data["contributions"] == dict(why)
    assert data["individual"]["antibiotic"] == dict(why.individual["antibiotic"])
    assert data["cross_topic"]["component"] == why.cross_topic.component
    assert "std_error" not in data
    sampled = contrast(healthcare(), "antiviral", "antibiotic", method="sampled", budget=100).to_dict()
    assert set(sampled["std_error"]) == set(why)


def test_the_sentence_names_both_topics_the_gap_and_the_strongest_reasons() -> None:
    assert str(contrast(healthcare(), "antiviral", "antibiotic")) == (
        "antiviral (0.3564) is rated above antibiotic (0.2368) by 0.1196, mainly because of viral (+0.328) and "
        "pcr (+0.079); the strongest counterweight is bacterial (−0.273)."
    )
    below = str(contrast(healthcare(), "antibiotic", "antiviral"))
    assert below.startswith(
        "antibiotic (0.2368) is rated below antiviral (0.3564) by 0.1196, mainly because of viral (−0.328)"
    )
    assert below.endswith("the strongest counterweight is bacterial (+0.273).")


def test_the_sentence_of_a_tie_takes_no_side() -> None:
    assert str(contrast(ZEBRA, "horse", "tiger", semantics="df-quad")) == (
        "horse and tiger are tied at 0.500; herbivore (+0.500) speaks for horse and stripes (−0.500) speaks for tiger."
    )


def test_the_sentence_of_a_kink_says_so() -> None:
    q = Qbaf(
        {**KINK.base_scores, "u": 0.7}, attacks=[("att", "t")], supports=[("sup", "t")], labels={"att": "the attacker"}
    )
    said = str(contrast(q, "t", "u", method="gradient", semantics="df-quad"))
    assert said == (
        "t (0.800) is rated above u (0.700) by 0.100; "
        "base scores alone put t ahead by 0.100; the slope is not defined (a kink) for “the attacker” and sup."
    )


def test_base_scores_and_the_topics_themselves_are_reasons_too() -> None:
    apart = Qbaf({"t": 0.6, "u": 0.5})
    assert str(contrast(apart, "t", "u")) == (
        "t (0.600) is rated above u (0.500) by 0.100, mainly because of their base scores (+0.100)."
    )
    assert str(contrast(apart, "u", "t", method="removal")) == (
        "u (0.500) is rated below t (0.600) by 0.100; base scores alone put t ahead by 0.100."
    )
    acting = Qbaf({"t": 0.5, "u": 0.5}, attacks=[("t", "u")])
    assert str(contrast(acting, "t", "u", semantics="df-quad")) == (
        "t (0.500) is rated above u (0.250) by 0.250, "
        "mainly because of the effect of the two topics on each other (+0.250)."
    )
    against = Qbaf({"t": 0.9, "u": 0.5, "x": 1.0}, attacks=[("x", "t")])
    assert str(contrast(against, "t", "u", semantics="df-quad")) == (
        "t (0) is rated below u (0.500) by 0.500, mainly because of x (−0.900); "
        "the strongest counterweight is their base scores (+0.400)."
    )


def test_nothing_is_ever_shown_as_zero_point_zero_zero_zero() -> None:
    q = Qbaf({"t": 0.5, "u": 0.5, "x": 0.5}, attacks={("x", "t"): 1e-3})
    said = str(contrast(q, "t", "u", method="removal", semantics="df-quad"))
    assert said == (
        "t (0.49975) is rated below u (0.50000) by 0.00025; relative to u, t would gain most without x (0.00025)."
    )
    assert "0.000" not in str(contrast(q, "u", "t", method="removal", semantics="qe"))
    assert "-0.0000" not in str(attribute(q, "u", method="removal", semantics="qe"))


def test_methods_whose_values_are_shares_promise_a_sum_that_counts_the_base_scores() -> None:
    for entry in METHODS.values():
        parts = "base scores, contributions and the effect of the topics on each other add up to the gap"
        assert entry.promises.startswith(parts) == entry.adds_up


def test_every_method_says_what_it_measures_and_promises() -> None:
    assert {"shapley", "removal", "gradient"} <= set(METHODS)  # the three of the paper
    assert all(entry.measures and entry.promises for entry in METHODS.values())


def test_a_method_of_ones_own_is_called_and_takes_no_settings() -> None:
    made = METHODS["removal"].make()
    assert dict(contrast(ZEBRA, "zebra", "horse", method=made, semantics="df-quad")) == dict(
        contrast(ZEBRA, "zebra", "horse", method="removal", semantics="df-quad")
    )
    with pytest.raises(InvalidInput, match="settings budget go with a method's name"):
        contrast(ZEBRA, "zebra", "horse", method=made, semantics="df-quad", budget=3)


def test_a_graph_large_enough_to_hurt_answers_all_the_same() -> None:
    q = games.random_dag(1000, seed=0)
    why = contrast(q, 1000, 999, method="gradient", semantics="qe")
    assert len(why) == 999
    assert "… (992 more)" in str(attribute(q, 1000, method="gradient", semantics="qe"))
