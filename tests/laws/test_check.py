"""The first look at a graph: what it counts, against counting by hand."""

from __future__ import annotations

import networkx as nx
from hypothesis import given

from qontrast import Qbaf, UndefinedStrength, check, strengths
from tests.support.strategies import qbafs


@given(qbafs(cyclic=True, max_size=6))
def test_a_check_counts_what_is_there(q: Qbaf) -> None:
    found = check(q, semantics="reb")
    edges = {**q.attacks, **q.supports}
    graph = nx.DiGraph(list(edges))
    graph.add_nodes_from(q)
    circles = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    circles += [{x} for x in graph if graph.has_edge(x, x) and not any(x in part for part in circles)]
    assert (found.arguments, found.attacks, found.supports) == (len(q), len(q.attacks), len(q.supports))
    assert found.weighted == sum(weight != 1 for weight in edges.values())
    assert found.isolated == tuple(x for x in q if graph.degree(x) == 0)
    assert (found.cycles, found.cyclic) == (len(circles), sum(map(len, circles)))
    assert found.semantics == "reb"
    undefined, steps = None, None
    try:
        steps = strengths(q, semantics="reb").steps
    except UndefinedStrength as error:
        undefined = str(error)
    assert (found.undefined, found.steps) == (undefined, steps)
    data = found.to_dict()
    assert data["topics"] == list(q.topics)
    assert data["defined"] == (found.undefined is None)
    for name in ("arguments", "attacks", "supports", "weighted", "cycles", "cyclic", "semantics", "undefined", "steps"):
        assert data[name] == getattr(found, name)
    assert data["isolated"] == list(found.isolated)


def test_a_check_by_hand() -> None:
    q = Qbaf(
        {"source": 0.5, "sink": 0.5, "loop": 0.5, "alone": 0.5, "a": 0.5, "b": 0.5},
        attacks={("source", "sink"): 0.5, ("loop", "loop"): 1.0, ("a", "b"): 2.0},
        supports={("b", "a"): 1.0, ("source", "a"): 0.0},
        labels={"a": "A", "b": "B"},
    )
    found = check(q, semantics="qe")
    assert found.isolated == ("alone",)  # neither a source nor a sink is
    assert found.weighted == 3  # 0.5, 2 and 0
    assert (found.cycles, found.cyclic) == (2, 3)
    assert found.to_dict()["labels"] == 2


def count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


@given(qbafs(cyclic=True, max_size=8))
def test_the_text_of_a_check_says_every_count(q: Qbaf) -> None:
    found = check(q, semantics="qe")
    said = [
        f"{count(found.arguments, 'argument')}, {count(found.attacks, 'attack')}, {count(found.supports, 'support')}"
    ]
    if found.weighted:
        said.append(f"{count(found.weighted, 'weight')} other than 1")
    if found.isolated:
        names = [*found.isolated[:5], *([f"{len(found.isolated) - 5} more"] if len(found.isolated) > 5 else [])]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        said.append(f"{count(len(found.isolated), 'argument')} without any edge: {listed}")
    circles = f"{count(found.cyclic, 'argument')} on cycles, in {count(found.cycles, 'group')}"
    said.append(circles if found.cyclic else "acyclic")
    if found.undefined is None:
        said.append(f"strengths are defined under qe ({count(strengths(q, semantics='qe').steps, 'step')})")
    else:
        said.append(f"strengths are undefined: {found.undefined}")
    assert str(found) == "; ".join(said)


def test_texts_of_checks_by_hand() -> None:
    apart = Qbaf({f"x{k}": 0.5 for k in range(1200)})
    assert str(check(apart)).startswith(
        "1,200 arguments, 0 attacks, 0 supports; 1,200 arguments without any edge: x0, x1, x2, x3, x4 "
        "and 1,195 more; acyclic; strengths are defined under qe (1 step)"
    )
    rings = Qbaf(
        {"a": 1.0, "b": 1.0, "c": 0.5, "d": 0.5}, attacks={("a", "b"): 1.0, ("b", "a"): 1.0}, supports={("c", "c"): 0.5}
    )
    assert str(check(rings, semantics="df-quad")).startswith(
        "4 arguments, 2 attacks, 1 support; 1 weight other than 1; 1 argument without any edge: d; "
        "3 arguments on cycles, in 2 groups; strengths are undefined: df-quad: 'a', 'b' still move by 1 after"
    )


def test_a_check_lists_the_arguments_whose_base_scores_are_uncertain() -> None:
    q = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], uncertain={"b": (0.1, 0.6)})
    assert check(q).to_dict()["uncertain"] == ["b"]
    assert "1 uncertain base score" in str(check(q))
    assert "uncertain" not in check(q.with_base_scores({"b": 0.2})).to_dict()
