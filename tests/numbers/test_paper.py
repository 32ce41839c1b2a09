"""The strengths that the paper states, each by its place in the paper."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qontrast import Qbaf, strengths
from qontrast.axioms import AXIOMS
from tests.support.graphs import DIAGNOSES, TREATMENTS, ZEBRA, halves, healthcare
from tests.support.reference import exact


def test_the_zebra_of_the_introduction() -> None:
    found = strengths(ZEBRA, semantics="df-quad")
    assert (found["zebra"], found["horse"], found["tiger"]) == (0.875, 0.5, 0.5)


def test_the_healthcare_example_of_the_section_on_cafs_for_healthcare() -> None:
    q = healthcare()
    assert (len(q), len(q.weights)) == (11, 14 + 9 + 6)
    found = strengths(q)
    assert [found[d] for d in DIAGNOSES] == pytest.approx([0.75, 0.6, 0.4], abs=1e-12)  # the iteration's tolerance
    given = [0.35643314, 0.23679440, 0.14786113]  # eight digits
    assert [found[t] for t in TREATMENTS] == pytest.approx(given, rel=0, abs=5e-9)


COUNTEREXAMPLES = {
    "Counterfactuality": (
        [("g", "h"), ("g", "b"), ("h", "b"), ("b", "a")],
        [("h", "a")],
        {"a": Fraction(17, 32), "b": Fraction(3, 16)},
        {"a": Fraction(5, 8), "b": Fraction(1, 4)},
    ),
    "Local Faithfulness": (
        [("g", "a"), ("g", "b"), ("h", "b"), ("b", "a")],
        [("g", "h")],
        {"a": Fraction(15, 64), "b": Fraction(1, 16)},
        {"a": Fraction(3, 8), "b": Fraction(1, 4)},
    ),
    "Cross-topic-adjusted Efficiency": (
        [],
        [("g", "a"), ("h", "a")],
        {"a": Fraction(7, 8), "b": Fraction(1, 2)},
        {"a": Fraction(3, 4), "b": Fraction(1, 2)},
    ),
}


@pytest.mark.parametrize("name", COUNTEREXAMPLES)
def test_the_counterexamples_of_the_appendix_on_proofs_as_exact_fractions(name: str) -> None:
    attacks, supports, whole, without = COUNTEREXAMPLES[name]
    q = Qbaf(halves("a", "b", "g", "h"), attacks, supports)
    for graph, truth in ((q, whole), (q.without("g"), without)):
        found, fractions = strengths(graph, semantics="df-quad"), exact(graph, "df-quad")
        for argument, value in truth.items():
            assert fractions[argument] == value
            assert found[argument] == float(value)  # halves and their products are exact in binary


def test_the_properties_that_the_paper_refutes_are_named_for_their_methods() -> None:
    paper = {name: axiom for name, axiom in AXIOMS.items() if axiom.players == "arguments"}
    refuted = {(name, method) for name, axiom in paper.items() for method in axiom.refuted_for}
    assert refuted == {
        ("counterfactuality", "gradient"),
        ("counterfactuality", "shapley"),
        ("local-faithfulness", "removal"),
        ("local-faithfulness", "shapley"),
        ("efficiency", "removal"),
        ("efficiency", "gradient"),
    }
