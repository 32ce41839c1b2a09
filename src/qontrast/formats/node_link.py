"""networkx: its node-link JSON, and its graphs themselves.

    {"directed": true, "multigraph": false, "graph": {"semantics": "qe"},
     "nodes": [{"id": "rooms", "base_score": 0.7, "label": "The rooms are quiet"}, {"id": "book", "topic": 1}],
     "edges": [{"source": "rooms", "target": "book", "relation": "support", "weight": 1.0}]}

Edges stand under `edges` or, as older versions wrote, `links`. A node has base_score, label and topic (its
place among the topics), an edge relation and weight; `_attributes` says which other names are understood and what
holds without them.
"""

from __future__ import annotations

import re
from typing import Any

from ..extras import require
from ..graph.qbaf import Qbaf
from ._attributes import from_attributes, graph_attributes, link_attributes, node_attributes
from ._json import Lines, dump_line, loads, need, read_with_lines
from ._text import fail, prepare, shown


def sniff(text: str) -> bool:
    keys = (r'"nodes"\s*:\s*\[', r'"(?:links|edges)"\s*:\s*\[')
    return bool(re.match(r"\s*\{", text)) and all(re.search(key, text) for key in keys)


def parse(text: str) -> Qbaf:
    data = need(loads(text), dict, "the whole")
    if "nodes" not in data or ("edges" in data) == ("links" in data):
        raise fail(f"the keys are {shown(', '.join(data))}; expected nodes and either edges or links")
    if not data.get("directed", True):
        raise fail('the graph is not directed; expected "directed": true')
    key = "edges" if "edges" in data else "links"
    nodes = [need(node, dict, "a node") for node in need(data["nodes"], list, "'nodes'")]
    links = [need(link, dict, "an edge") for link in need(data[key], list, f"'{key}'")]
    graph = need(data.get("graph", {}), dict, "'graph'")

    def read(lines: Lines) -> Qbaf:
        return from_attributes(
            (
                (_key(node, "id", line), _others(node, "id"), line)
                for line, node in ((lines.get(("nodes", place)), node) for place, node in enumerate(nodes))
            ),
            (
                (_key(link, "source", line), _key(link, "target", line), _others(link, "source", "target", "key"), line)
                for line, link in ((lines.get((key, place)), link) for place, link in enumerate(links))
            ),
            graph,
        )

    return read_with_lines(text, read)


def _key(thing: dict[str, Any], key: str, line: int | None) -> Any:
    if key not in thing:
        raise fail(f"{shown(dump_line(thing))} has no {key!r}", line)
    return thing[key]


def _others(thing: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in thing.items() if key not in keys}


def render(qbaf: Qbaf) -> str:
    """With `edges`, as networkx 3.4 and later write."""
    qbaf = prepare(qbaf, "node-link")
    nodes = [dump_line({"id": name} | attributes) for name, attributes in node_attributes(qbaf).items()]
    edges = [dump_line({"source": s, "target": t} | attributes) for s, t, attributes in link_attributes(qbaf)]
    head = f'"directed": true,\n"multigraph": false,\n"graph": {dump_line(graph_attributes(qbaf))}'
    return (
        "{" + f"{head},\n" + ",\n".join(_block(key, rows) for key, rows in (("nodes", nodes), ("edges", edges))) + "}\n"
    )


def _block(key: str, rows: list[str]) -> str:
    return f'"{key}": [' + ("\n  " + ",\n  ".join(rows) + "\n" if rows else "") + "]"


def to_networkx(qbaf: Qbaf) -> Any:
    """A `networkx.DiGraph` with base_score, label, topic on nodes and relation, weight on edges."""
    networkx = require("networkx", "to_networkx")
    graph = networkx.DiGraph(**graph_attributes(qbaf))
    graph.add_nodes_from(node_attributes(qbaf).items())
    for kind, edges in (("attack", qbaf.attacks), ("support", qbaf.supports)):
        graph.add_edges_from((*pair, {"relation": kind, "weight": weight}) for pair, weight in edges.items())
    return graph


def from_networkx(graph: Any) -> Qbaf:
    """The QBAF of a directed networkx graph; the same attributes as `to_networkx` gives.

    >>> import networkx
    >>> graph = networkx.DiGraph()
    >>> graph.add_node("book", base_score=0.5); graph.add_node("noise", base_score=0.8)
    >>> graph.add_edge("noise", "book", relation="attack")
    >>> from_networkx(graph).attacks
    mappingproxy({('noise', 'book'): 1.0})
    """
    if not graph.is_directed():
        raise fail("the graph is not directed; an attack or support has a direction")
    return from_attributes(
        ((name, attributes, None) for name, attributes in graph.nodes(data=True)),
        ((source, target, attributes, None) for source, target, attributes in graph.edges(data=True)),
        graph.graph,
    )
