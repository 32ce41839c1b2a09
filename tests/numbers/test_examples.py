"""The examples are what the papers say, and random graphs are what their kind says."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from qontrast import InvalidInput, Qbaf, UnknownName, examples, read


def acyclic(qbaf: Qbaf) -> bool:
    left, edges = set(qbaf), {*qbaf.attacks, *qbaf.supports}
    while sources := left - {target for source, target in edges if source in left}:
        left -= sources
    return not left


@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_every_example_loads_with_topics_labels_and_semantics(name: str) -> None:
    qbaf = examples.load(name)
    assert read(f"examples:{name}") == qbaf
    assert len(qbaf.topics) >= 2
    assert qbaf.labels.keys() == set(qbaf)
    assert qbaf.semantics in ("df-quad", "qe")


def test_every_example_file_is_in_the_table_and_the_other_way_round() -> None:
    there = {path.name.removesuffix(".json") for path in files(examples).iterdir() if path.name.endswith(".json")}
    assert there == set(examples.EXAMPLES)


def test_an_unknown_example_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="no example 'zebre' among the 10 here; did you mean 'zebra'"):
        read("examples:zebre")


def test_zebra_is_the_graph_of_the_papers_introduction() -> None:
    qbaf = examples.load("zebra")
    assert set(qbaf.attacks) == {("stripes", "horse"), ("herbivore", "tiger")}
    assert set(qbaf.supports) == {
        ("stripes", "zebra"),
        ("herbivore", "zebra"),
        ("herbivore", "horse"),
        ("stripes", "tiger"),
    }
    assert set(qbaf.base_scores.values()) == {0.5}


def test_healthcare_is_the_graph_of_the_papers_case_study() -> None:
    qbaf = examples.load("healthcare")
    assert [len(qbaf), len(qbaf.attacks), len(qbaf.supports)] == [11, 18, 11]
    assert {pair[0] for pair in qbaf.supports if pair[1] == "viral"} == {"pcr", "fever", "cough"}
    assert {pair[0] for pair in qbaf.attacks if pair[1] == "asthma"} == {"pcr", "wbc", "fever"}
    treatments = set(qbaf.topics)
    assert {(a, b) for a in treatments for b in treatments if a != b} <= set(qbaf.attacks)
    assert qbaf.label("pcr") == "Positive PCR test"


def test_the_counterexamples_are_those_of_the_proofs() -> None:
    edges = {
        "counterfactuality": ({"γη", "γβ", "ηβ", "βα"}, {"ηα"}),
        "local-faithfulness": ({"γα", "γβ", "ηβ", "βα"}, {"γη"}),
        "efficiency": (set(), {"γα", "ηα"}),
    }
    for name, (attacks, supports) in edges.items():
        qbaf = examples.load(name)
        assert {qbaf.label(a) + qbaf.label(b) for a, b in qbaf.attacks} == attacks
        assert {qbaf.label(a) + qbaf.label(b) for a, b in qbaf.supports} == supports


def test_the_claim_is_a_file_in_the_shape_of_argllm() -> None:
    data = json.loads(files(examples).joinpath("claim.json").read_text(encoding="utf-8"))
    entries = data["arguments"].values()
    assert all(entry.keys() == {"name", "argument", "initial_weight", "strength"} for entry in entries)
    assert "format" not in data


def test_the_loan_has_weights_and_the_debate_sixty_arguments_without_a_cycle() -> None:
    assert len(set(examples.load("loan").weights)) > 5
    debate = examples.load("debate")
    assert len(debate) == 60
    assert len(debate.topics) == 3
    assert acyclic(debate)


def test_every_argument_of_our_own_examples_reaches_a_topic() -> None:
    for name in ("loan", "claim", "products", "debate"):
        qbaf = examples.load(name)
        reached: set[object] = set(qbaf.topics)
        for _ in range(len(qbaf)):
            reached |= {a for a, b in (*qbaf.attacks, *qbaf.supports) if b in reached}
        assert reached == set(qbaf)


# -- random ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", examples.KINDS)
def test_one_seed_gives_one_graph(kind: str) -> None:
    assert examples.random(30, kind, seed=5) == examples.random(30, kind, seed=5)
    assert examples.random(30, kind, seed=5) != examples.random(30, kind, seed=6)


@pytest.mark.parametrize("kind", ["dag", "tree", "layered"])
@pytest.mark.parametrize("n", [1, 2, 3, 17, 60])
def test_only_the_cyclic_kind_has_cycles(kind: str, n: int) -> None:
    assert acyclic(examples.random(n, kind, seed=n))


def test_cyclic_graphs_have_cycles() -> None:
    assert not acyclic(examples.random(30, "cyclic"))


def test_a_tree_has_one_edge_fewer_than_arguments() -> None:
    tree = examples.random(50, "tree")
    assert len(tree.weights) == 49
    assert len(np.unique(tree.sources)) == 49


def test_layers_are_joined_to_the_next_only() -> None:
    qbaf = examples.random(100, "layered", in_degree=3)
    assert set((qbaf.sources // 10 - qbaf.targets // 10).tolist()) == {1}


def test_weights_attacks_and_topics_are_as_asked() -> None:
    qbaf = examples.random(200, "dag", weights=True, attacks=0.0, topics=3, in_degree=4, semantics="qe")
    assert not qbaf.attacks
    assert qbaf.topics == ("a0", "a1", "a2")
    assert qbaf.semantics == "qe"
    assert all(0 <= weight < 1 for weight in qbaf.supports.values())
    assert 700 < len(qbaf.weights) <= 800
    sizes = [len(examples.random(200, in_degree=d).weights) for d in (0, 1, 4)]
    assert all(one < other for one, other in pairwise(sizes))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"n": 0}, "a random graph of 0 arguments"),
        ({"n": 3, "in_degree": -1}, "in_degree is -1"),
        ({"n": 3, "attacks": 2}, "attacks is 2"),
    ],
)
def test_settings_without_sense_are_refused(setting: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        examples.random(**setting)  # type: ignore[arg-type]


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownName, match="no kind of graph 'lattice' among the 4 here"):
        examples.random(3, "lattice")
