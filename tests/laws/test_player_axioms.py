"""Properties of edges, groups and pairs: they hold where they are claimed, and what breaks them is caught."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qontrast import Qbaf, UndefinedStrength, change, contrast, examples, interactions, reasons
from qontrast.axioms import AXIOMS, Derived, NotApplicable, Tried, Witness, axiom_table, find_counterexample, verdicts
from qontrast.engine.problem import make_problem
from qontrast.explain.robustness import certify_order
from tests.support.profiles import FEW
from tests.support.strategies import qbafs

NAMES = [name for name, each in AXIOMS.items() if each.players != "arguments"]
METHODS = ("removal", "gradient", "shapley")
CYCLE = Qbaf(
    {"a": 0.5, "b": 0.4, "c": 0.6, "x": 0.7, "y": 0.3},
    attacks={("x", "a"): 0.5, ("a", "b"): 0.8, ("y", "x"): 0.6, ("c", "y"): 0.4},
    supports={("b", "x"): 0.9, ("x", "y"): 0.7, ("y", "b"): 0.3, ("c", "a"): 0.2},
    topics=["a", "b", "c"],
)
NOT_WITH_LOOPS = ("group-efficiency", "stii-efficiency", "k-sii-efficiency")  # where a topic acts on itself
GRAPH = Qbaf(
    {"a": 0.5, "b": 0.4, "c": 0.6, "x": 0.7, "y": 0.3, "z": 0.8, "u": 0.45},
    attacks={("z", "a"): 0.5, ("z", "b"): 1.0, ("u", "x"): 0.8, ("a", "c"): 1.0},
    supports={("x", "a"): 0.9, ("y", "b"): 1.0, ("u", "a"): 0.6, ("x", "c"): 0.7},
    topics=["a", "b", "c"],
)


def test_the_properties_of_other_players_follow_those_of_the_paper() -> None:
    assert list(AXIOMS)[10:] == NAMES
    assert {AXIOMS[name].players for name in NAMES} == {"edges", "groups", "pairs", "sets", "changes", "radii"}
    assert all(each.title and each.statement and each.help and each.words for each in AXIOMS.values())


@pytest.mark.parametrize("method", METHODS)
@FEW
@given(qbaf=qbafs(max_size=5), semantics=st.sampled_from(["df-quad", "qe", "reb"]))
def test_what_is_claimed_holds_of_any_acyclic_graph(method: str, qbaf: Qbaf, semantics: str) -> None:
    assume(len(qbaf) > 1)
    for name in NAMES:
        if method in AXIOMS[name].proved_for:
            found = AXIOMS[name](qbaf, method, semantics=semantics, topics=qbaf.arguments[:2])
            assert not found, str(found)


@pytest.mark.parametrize("method", METHODS)
@FEW
@given(qbaf=qbafs(max_size=4, cyclic=True, max_weight=0.6), semantics=st.sampled_from(["df-quad", "qe", "reb"]))
def test_what_is_claimed_holds_of_cyclic_graphs_with_weights(method: str, qbaf: Qbaf, semantics: str) -> None:
    topics = qbaf.arguments[:2]
    assume(len(topics) == 2)
    looped = any((x, x) in {**qbaf.attacks, **qbaf.supports} for x in topics)
    for name in NAMES:
        if method in AXIOMS[name].proved_for and not (looped and name in NOT_WITH_LOOPS):
            try:
                found = AXIOMS[name](qbaf, method, semantics=semantics, topics=topics)
            except UndefinedStrength:
                assume(False)
            assert not isinstance(found, Witness), str(found)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NAMES)
def test_a_cyclic_graph_with_weights_is_checked_for_every_property_that_is_claimed(name: str, method: str) -> None:
    if method in AXIOMS[name].proved_for:
        found = AXIOMS[name](CYCLE, method, semantics="qe")
        # nothing is certified where a cycle leads to the topics
        assert found is None or (name == "certified-radius" and "a cycle leads to them" in str(found))
    elif method in AXIOMS[name].refuted_for:
        assert isinstance(AXIOMS[name](CYCLE, method, semantics="qe"), Witness)


@pytest.mark.parametrize("semantics", ["df-quad", "qe", "reb"])
@pytest.mark.heavy
def test_the_search_finds_what_is_refuted_and_nothing_that_is_claimed(semantics: str) -> None:
    names = [name for name in NAMES if name != "certified-radius" or semantics == "qe"]  # its proofs take a while
    table = axiom_table(axioms=names, semantics=semantics, graphs=24, arguments=(3, 5))
    for (name, method), found in table.cells.items():
        if method in AXIOMS[name].refuted_for:
            assert isinstance(found, Witness), (name, method)
            assert isinstance(AXIOMS[name](found.qbaf, method, semantics=semantics, topics=["a", "b"]), Witness)
        else:
            assert isinstance(found, Tried), str(found)
            assert (found.applied > 5) == (method in AXIOMS[name].proved_for), (name, method, found.applied)


def own(change: Any) -> Any:
    """A function of one's own that knows edges and groups, by Shapley values, and combines φ of fact and foil."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, players: Any = "arguments") -> Any:
        method = "owen" if players == "edges" and change is split else "shapley"
        return contrast(qbaf, fact, foil, method=method, players=players, semantics=semantics, combine=change)

    return caf


def split(a: float, b: float) -> float:
    return a - b


def slopes(factor: float) -> Any:
    """Slopes; those of edges are multiplied by a factor."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, players: Any = "arguments") -> Any:
        found = contrast(qbaf, fact, foil, method="gradient", players=players, semantics=semantics)
        return {x: value * (factor if players == "edges" else 1.0) for x, value in found.items()}

    return caf


def pairs(change: Any) -> Any:
    """A function of one's own that knows pairs, with another matrix."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, index: str = "sii") -> Any:
        found = interactions(qbaf, fact, foil, index=index, semantics=semantics)
        return replace(found, matrix=change(found.matrix))

    return caf


def sets(change: Any) -> Any:
    """A function of one's own that knows prime and breaking sets, and changes the prime ones."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, sets: str = "prime") -> Any:
        found = reasons(qbaf, fact, foil, semantics=semantics)
        return change(found.prime) if sets == "prime" else found.breaking

    return caf


def shares(factor: float) -> Any:
    """A function of one's own that knows shares of a change, each multiplied by a factor."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, before: Any = None) -> Any:
        return {x: factor * share for x, share in change(before, qbaf, fact, foil, semantics=semantics).items()}

    return caf


def radius(factor: float) -> Any:
    """A function of one's own that knows the certified radius, multiplied by a factor."""

    def caf(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any, norm: str = "linf") -> Any:
        return factor * min(certify_order(make_problem(qbaf, semantics), fact, foil), 1.0)

    return caf


PLANTED = {  # a function that breaks the property, and one that does not
    "edge-efficiency": (own(lambda a, b: 1.001 * (a - b)), own(lambda a, b: a - b)),
    "edge-split": (own(lambda a, b: a - b), own(split)),  # Shapley values of edges do not share an argument's
    "direct-efficiency": (own(lambda a, b: 1.001 * (a - b)), own(split)),
    "slope-identity": (slopes(1.001), slopes(1.0)),
    "edge-antisymmetry": (own(max), own(split)),
    "edge-additivity": (own(lambda a, b: (a - b) ** 3), own(split)),
    "group-efficiency": (own(lambda a, b: 1.001 * (a - b)), own(split)),
    "group-split": (own(split), slopes(1.0)),  # Shapley values of members do not share their group's
    "group-antisymmetry": (own(max), own(split)),
    "group-additivity": (own(lambda a, b: (a - b) ** 3), own(split)),
    "stii-efficiency": (pairs(lambda m: 1.001 * m), pairs(lambda m: m)),
    "k-sii-efficiency": (pairs(lambda m: m / 2), pairs(lambda m: m)),  # each pair counted half
    "pair-antisymmetry": (pairs(abs), pairs(lambda m: m)),
    "pair-additivity": (pairs(lambda m: m**3), pairs(lambda m: m)),
    "prime-breaking-duality": (sets(lambda prime: prime[:-1]), sets(list)),
    "change-efficiency": (shares(1.001), shares(1.0)),
    "certified-radius": (radius(2.0), radius(1.0)),
}


def test_a_wrong_function_is_planted_for_every_property() -> None:
    assert list(PLANTED) == NAMES


@pytest.mark.parametrize("name", PLANTED)
def test_a_function_that_breaks_a_property_of_players_is_caught_and_a_right_one_is_not(name: str) -> None:
    wrong, right = PLANTED[name]
    found = AXIOMS[name](GRAPH, wrong, semantics="qe")
    assert isinstance(found, Witness), str(found)
    assert found.left != found.right
    assert AXIOMS[name](GRAPH, right, semantics="qe") is None


@pytest.mark.parametrize("name", PLANTED)
def test_the_search_finds_the_planted_function(name: str) -> None:
    found = find_counterexample(name, PLANTED[name][0], semantics="qe", graphs=40, arguments=(4, 5))
    assert isinstance(found, Witness), str(found)


def test_a_combination_other_than_subtraction_is_caught_for_edges_and_groups() -> None:
    for name in ("edge-antisymmetry", "edge-additivity", "group-antisymmetry", "group-additivity"):
        assert isinstance(AXIOMS[name](GRAPH, Derived("removal", max), semantics="qe"), Witness)
    assert isinstance(AXIOMS["pair-antisymmetry"](GRAPH, Derived("shapley", max), semantics="qe"), NotApplicable)


def test_a_function_of_arguments_alone_is_told_how_to_be_checked() -> None:
    def plain(qbaf: Qbaf, fact: Any, foil: Any, semantics: Any) -> Any:
        return dict(contrast(qbaf, fact, foil, method="removal", semantics=semantics))

    found = verdicts(GRAPH, plain, semantics="qe", phi="removal")
    for name in NAMES:
        others = {"pairs": "index", "sets": "sets", "changes": "before", "radii": "norm"}
        asked = others.get(AXIOMS[name].players, "players")
        assert isinstance(found[name], NotApplicable)
        assert f"let it take {asked}= to check this" in str(found[name])


def test_stored_groups_play_without_the_topics() -> None:
    grouped = Qbaf(
        dict(GRAPH.base_scores), GRAPH.attacks, GRAPH.supports, topics=["a", "b"], groups={"g": ["x", "u", "a"]}
    )
    found = AXIOMS["group-antisymmetry"](grouped, Derived("removal", max), semantics="qe")
    assert isinstance(found, Witness)
    assert found.arguments["contributor"] in ("g", "y", "z", "c")
    assert AXIOMS["group-efficiency"](grouped, "shapley", semantics="qe") is None


def test_edges_add_up_even_where_a_topic_attacks_itself() -> None:
    looped = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "a")])
    assert AXIOMS["edge-efficiency"](looped, "shapley", semantics="qe") is None
    assert isinstance(AXIOMS["efficiency"](looped, "shapley", semantics="qe"), Witness)
    assert isinstance(AXIOMS["group-efficiency"](looped, "shapley", semantics="qe"), Witness)


def test_too_many_edges_are_not_checked_and_the_reason_is_given() -> None:
    found = AXIOMS["edge-efficiency"](examples.load("healthcare"), "shapley")
    assert isinstance(found, NotApplicable)
    assert "too many players: exact Shapley for 'antiviral' over 29 players" in found.reason
    assert "max_evaluations" not in found.reason
    for name in ("edge-split", "group-efficiency", "stii-efficiency", "k-sii-efficiency"):
        assert AXIOMS[name](examples.load("healthcare"), "shapley") is None
    assert AXIOMS["slope-identity"](examples.load("healthcare"), "gradient") is None


def test_a_witness_names_the_edge_by_its_ends() -> None:
    found = AXIOMS["edge-antisymmetry"](GRAPH, Derived("removal", max), semantics="qe")
    assert isinstance(found, Witness)
    source, target = found.arguments["contributor"]
    assert f"Φ of {source} → {target} is" in found.words
    assert found.to_dict()["arguments"]["contributor"] in ([source, target], (source, target))
