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
