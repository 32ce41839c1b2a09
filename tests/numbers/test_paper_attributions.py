"""Every attribution and contrast that the paper states, each by its place in the paper."""

from __future__ import annotations

import pytest

from qontrast import Qbaf, attribute, contrast
from tests.support.graphs import ZEBRA, halves, healthcare

SHAPLEY = {  # section "CAFs for Healthcare": on antiviral, on antibiotic, contrast
    "pcr": (0.053369, -0.025630, 0.078999),
    "wbc": (-0.001042, 0.030577, -0.031619),
    "fever": (0.021261, 0.014765, 0.006496),
    "cough": (-0.009497, -0.013580, 0.004083),
    "wheezing": (-0.016648, -0.018820, 0.002172),
    "viral": (0.174723, -0.153120, 0.327842),
    "bacterial": (-0.128279, 0.145220, -0.273498),
    "asthma": (-0.104519, -0.103766, -0.000753),
    "bronchodilator": (-0.062420, -0.060955, -0.001466),
}
GRADIENT = {
    "pcr": (0.34836, -0.12643, 0.47479),
    "wbc": (-0.02411, 0.18252, -0.20663),
    "fever": (0.09427, 0.10468, -0.01042),
    "cough": (-0.11160, -0.02924, -0.08236),
    "wheezing": (-0.09427, -0.10468, 0.01042),
    "viral": (0.23676, -0.15567, 0.39243),
    "bacterial": (-0.31762, 0.28889, -0.60650),
    "asthma": (-0.25733, -0.16741, -0.08993),
    "bronchodilator": (-0.08381, -0.05452, -0.02929),
}
REMOVAL = {
    "pcr": (0.13997, -0.08724, 0.22721),
    "wbc": (-0.00378, 0.05032, -0.05411),
    "fever": (0.06502, 0.01378, 0.05125),
    "cough": (-0.01568, -0.04633, 0.03065),
    "wheezing": (-0.02803, -0.05970, 0.03167),
    "viral": (0.23668, -0.23891, 0.47559),
    "bacterial": (-0.14340, 0.12929, -0.27269),
    "asthma": (-0.10884, -0.09744, -0.01140),
    "bronchodilator": (-0.03908, -0.02720, -0.01188),
}


@pytest.mark.parametrize(
    ("method", "own", "other"), [("removal", 0.375, -0.125), ("gradient", 0.75, -0.25), ("shapley", 0.4375, -0.0625)]
)
def test_the_zebra_rather_than_the_horse_or_the_tiger(method: str, own: float, other: float) -> None:
    horse = contrast(ZEBRA, "zebra", "horse", method=method, semantics="df-quad")
    assert dict(horse) == {"stripes": own, "herbivore": other, "tiger": 0.0}
    tiger = contrast(ZEBRA, "zebra", "tiger", method=method, semantics="df-quad")
    assert dict(tiger) == {"stripes": other, "herbivore": own, "horse": 0.0}
    assert (horse.gap, horse.base_gap, horse.cross_topic.component) == (0.375, 0.0, 0.0)


@pytest.mark.parametrize(
    ("method", "given", "digits"),
    # printed digits; the gradient and removal figures come from central differences, good to about 1e-5
    [("shapley", SHAPLEY, 6e-7), ("gradient", GRADIENT, 1.5e-5), ("removal", REMOVAL, 1.5e-5)],
)
def test_antiviral_rather_than_antibiotic(method: str, given: dict, digits: float) -> None:
    why = contrast(healthcare(), "antiviral", "antibiotic", method=method)
    assert why.semantics == "qe"
    assert set(why) == set(given)
    for name, numbers in given.items():
        found = (why.individual["antiviral"][name], why.individual["antibiotic"][name], why[name])
        assert found == pytest.approx(numbers, rel=0, abs=digits), name


def test_the_sums_and_the_cross_topic_component_of_the_healthcare_example() -> None:
    why = contrast(healthcare(), "antiviral", "antibiotic")
    cross = why.cross_topic
    assert (cross.fact_from_foil, cross.foil_from_fact) == pytest.approx((-0.070515, -0.077898), abs=6e-7)
    assert cross.component == float(cross) == pytest.approx(0.0074, abs=5e-5)
    assert sum(why.values()) == pytest.approx(0.112256, abs=6e-7)
    sums = [sum(why.individual[topic].values()) for topic in ("antiviral", "antibiotic")]
    assert sums == pytest.approx([-0.143567, -0.263206], abs=6e-7)
    assert why.gap == pytest.approx(0.1196, abs=5e-5)
    assert why.residual == pytest.approx(0, abs=1e-11)  # strengths of a cyclic graph are good to 1e-12


def counterexample(attacks: list[str], supports: list[str]) -> Qbaf:
    return Qbaf(halves(*"abgh"), [tuple(pair) for pair in attacks], [tuple(pair) for pair in supports])


def test_counterfactuality_fails_for_gradient_and_shapley() -> None:
    q = counterexample(["gh", "gb", "hb", "ba"], ["ha"])  # α, β, γ, η are a, b, g, h
    assert contrast(q, "a", "b", method="gradient", semantics="df-quad")["g"] == 1 / 8
    why = contrast(q, "a", "b", method="shapley", semantics="df-quad")
    assert why["g"] == pytest.approx(1 / 8, abs=1e-15)  # a few roundings
    phi = (why.individual["a"]["g"], why.individual["b"]["g"])
    assert phi == pytest.approx((-1 / 32, -5 / 32), abs=1e-15)
    assert contrast(q, "a", "b", method="removal", semantics="df-quad")["g"] == -1 / 32
    assert why.gap == 17 / 32 - 3 / 16


def test_local_faithfulness_fails_for_removal_and_shapley() -> None:
    q = counterexample(["ga", "gb", "hb", "ba"], ["gh"])
    assert contrast(q, "a", "b", method="removal", semantics="df-quad")["g"] == 3 / 64
    assert contrast(q, "a", "b", method="gradient", semantics="df-quad")["g"] == -5 / 32
    why = contrast(q, "a", "b", method="shapley", semantics="df-quad")
    assert why["g"] == pytest.approx(7 / 192, abs=1e-15)
    phi = (why.individual["a"]["g"], why.individual["b"]["g"])
    assert phi == pytest.approx((-35 / 192, -7 / 32), abs=1e-15)
    assert why.gap == 15 / 64 - 1 / 16


@pytest.mark.parametrize(("method", "each"), [("removal", 1 / 8), ("gradient", 1 / 4), ("shapley", 3 / 16)])
def test_cross_topic_adjusted_efficiency_holds_for_shapley_alone(method: str, each: float) -> None:
    q = counterexample([], ["ga", "ha"])
    why = contrast(q, "a", "b", method=method, semantics="df-quad")
    assert dict(why) == pytest.approx({"g": each, "h": each}, abs=1e-15)
    assert why.gap == 3 / 8
    assert why.residual == pytest.approx(3 / 8 - 2 * each, abs=1e-15)


def test_an_attribution_knows_its_topic_method_semantics_strengths_and_base_score() -> None:
    found = attribute(healthcare(), "antiviral")
    assert (found.topic, found.method, found.semantics, found.base_score) == ("antiviral", "shapley", "qe", 0.5)
    assert found.strength == found.strengths["antiviral"] == pytest.approx(0.35643314, abs=5e-9)
    assert sum(found.values()) == pytest.approx(found.strength - found.base_score, abs=1e-11)
    assert "antiviral" not in list(found)
    assert len(found) == 10
    assert str(found).startswith(
        "antiviral has strength 0.3564 (base score 0.5000); share of the strength (shapley, qe):"
    )


def test_an_attribution_quotes_labels_names_what_one_types_and_writes_zero_as_zero() -> None:
    labels = {"a": "Hire her", "b": "She has worked here, for years.", "c": "Rain"}
    graph = Qbaf({"a": 0.5, "b": 0.5, "c": 0.25}, supports=[("b", "a")], labels=labels)
    assert str(attribute(graph, "a", method="removal")).endswith(
        "“She has worked here, for years.” [b] +0.1000, Rain [c] 0"
    )
