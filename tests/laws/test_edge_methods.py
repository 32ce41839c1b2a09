"""Which method edges get where none is named, and what is said of exact values that take long."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given

from qontrast import Qbaf, SlowWarning, attribute, contrast, interactions
from qontrast.attribution import cost
from qontrast.attribution.defaults import MAX_OUT_DEGREE, MAX_SOURCES, choose_edge_method
from qontrast.show.player_texts import describe_choice
from tests.support.graphs import healthcare
from tests.support.players import edges_of
from tests.support.strategies import qbafs

CYCLIC = qbafs(max_size=5, cyclic=True, max_weight=0.7)


def find_out_edges(q: Qbaf, topic: object) -> dict[object, int]:
    """The number of edges of every argument besides the topic that lead to the topic, word for word."""
    upstream = {topic}
    while grown := {s for s, t in edges_of(q) if t in upstream} - upstream:
        upstream |= grown
    found: dict[object, int] = {}
    for source, target in edges_of(q):
        if target in upstream and source != topic:
            found[source] = found.get(source, 0) + 1
    return found


@given(CYCLIC)
def test_the_evaluations_by_which_owen_is_chosen_are_those_that_it_makes(q: Qbaf) -> None:
    topic = q.topics[0]
    sizes = find_out_edges(q, topic).values()
    needed = sum(2 ** (len(sizes) - 1 + size) for size in sizes)
    assert choose_edge_method(q, [topic], max_evaluations=needed).method == "owen"
    if needed:
        assert choose_edge_method(q, [topic], max_evaluations=needed - 1).method == "gradient"
    assert attribute(q, topic, players="edges", method="owen", semantics="qe").evaluations == needed


@pytest.mark.parametrize(
    ("sources", "degree", "method"),
    [
        (MAX_SOURCES, 1, "owen"),
        (MAX_SOURCES + 1, 1, "gradient"),
        (MAX_OUT_DEGREE, MAX_OUT_DEGREE, "owen"),
        (MAX_OUT_DEGREE + 1, MAX_OUT_DEGREE + 1, "gradient"),
        (MAX_SOURCES, MAX_OUT_DEGREE, "gradient"),  # 2^25 evaluations
    ],
)
def test_owen_is_chosen_up_to_its_limits_and_the_reason_names_the_sizes(sources: int, degree: int, method: str) -> None:
    """Argument k supports the topic, number 0, and the next ones in a circle."""
    edges = [(k, (k - 1 + step) % sources + 1 if step else 0) for k in range(1, sources + 1) for step in range(degree)]
    starts, ends = np.array(edges).T
    q = Qbaf.from_arrays(np.full(sources + 1, 0.5), starts, ends, np.full(len(edges), 0.1))
    choice = choose_edge_method(q, [0])
    assert choice.method == method
    plural = "edge" if degree == 1 else "edges"
    assert f"is used: {sources} arguments with at most {degree} {plural} each can act on a topic" in describe_choice(
        choice
    )
    assert f"wirken {sources} Argumente mit höchstens je {degree} Kante" in describe_choice(choice, language="de")


def test_a_topic_without_edges_gets_owen_values() -> None:
    assert choose_edge_method(Qbaf({"t": 0.5, "x": 0.5}), ["t", "x"]).method == "owen"


@pytest.mark.heavy
def test_exact_values_that_take_long_are_announced_each_time_with_quicker_methods(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cost, "WARN_ABOVE", 1000)
    q = healthcare()
    said = r"method 'shapley' for 'antiviral' over 11 arguments needs 836 evaluations, about 1 second; ask for method="
    for _ in range(2):
        with pytest.warns(SlowWarning, match=rf"{said}'gradient'"):
            attribute(q, "antiviral", semantics="qe")
    small = q.without("fever", "cough", "wheezing", "wbc")
    with pytest.warns(SlowWarning, match=r"ask for method='owen' or 'sampled'$"):
        contrast(small, "antiviral", "antibiotic", players="edges", semantics="qe")
    with pytest.warns(SlowWarning, match=r"evaluations, about 1 second$"):  # interactions have no method
        interactions(q, "antiviral", semantics="qe")


def test_exact_values_that_are_quick_are_not_announced() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attribute(healthcare(), "antiviral", semantics="qe")
