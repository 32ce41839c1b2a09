"""networkx: its node-link JSON, its graphs themselves, and the attributes that GraphML uses too.

    {"directed": true, "multigraph": false, "graph": {"semantics": "qe"},
     "nodes": [{"id": "rooms", "base_score": 0.7, "label": "The rooms are quiet"}, {"id": "book", "topic": 1}],
     "edges": [{"source": "rooms", "target": "book", "relation": "support", "weight": 1.0}]}

Edges stand under `edges` or, as older versions wrote, `links`. The attributes are

    node   base_score, label, topic (its place among the topics; yes and true count as 1), group (text or an integer),
           uncertain (what the base score may be: {"interval": [low, high]} and the like)
    edge   relation (attack or support, or the other words for them), weight; without a relation a weight with its
           sign: below zero an attack, as in `Qbaf.from_arrays`
    graph  semantics

`initial_weight` is read as base_score, `argument`, `name` and `text` as label, and a label, type or kind of an edge as
its relation where it is a word for one. Where no edge of a graph has a relation or a weight, all are read as attacks,
as in the files of the solver competitions, and a warning says so. An edge that is repeated exactly counts once, with a
warning. Other attributes are left aside with a warning that names them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

from ..extras import require
from ..graph.qbaf import Qbaf
from .building import (
    RELATIONS,
    GraphBuilder,
    excerpt,
    fail,
    list_edges,
    list_nodes,
    parse_relation,
    prepare,
    to_float,
    warn_ignored,
    warn_lost,
    warn_of,
)
from .strict_json import Lines, check_type, dump_line, dump_rows, loads, read_with_lines

LOSES = ("empty groups",)

Node = tuple[object, Mapping[str, Any], int | None]  # name, attributes, line
Link = tuple[object, object, Mapping[str, Any], int | None]  # source, target, attributes, line

NODE_KEYS = {"base_score", "initial_weight", "label", "argument", "topic", "group", "uncertain"}
LABEL_KEYS = ("name", "text")  # a label where there is no other
LINK_KEYS = {"relation", "weight"}
RELATION_KEYS = ("label", "edge_label", "type", "kind")  # a relation where there is no other
KNOWN_KEYS = {*NODE_KEYS, *LABEL_KEYS, *LINK_KEYS, *RELATION_KEYS, "semantics"}


def recognise(text: str) -> bool:
    keys = (r'"nodes"\s*:\s*\[', r'"(?:links|edges)"\s*:\s*\[')
    return bool(re.match(r"\s*\{", text)) and all(re.search(key, text) for key in keys)


def parse(text: str) -> Qbaf:
    data = loads(text)
    return read_with_lines(text, lambda lines: _from_data(data, lines))


def _from_data(data: Any, lines: Lines) -> Qbaf:
    data = check_type(data, dict, "the whole")
    if "nodes" not in data or ("edges" in data) == ("links" in data):
        raise fail(f"the keys are {excerpt(', '.join(data))}; expected nodes and either edges or links")
    if not data.get("directed", True):
        raise fail('the graph is not directed; expected "directed": true')
    key = "edges" if "edges" in data else "links"
    nodes, links = _list_with_lines(data, "nodes", "a node", lines), _list_with_lines(data, key, "an edge", lines)
    return build_from_attributes(
        [(_take(node, "id", line), _drop(node, "id"), line) for node, line in nodes],
        [
            (_take(link, "source", line), _take(link, "target", line), _drop(link, "source", "target", "key"), line)
            for link, line in links
        ],
        check_type(data.get("graph", {}), dict, "'graph'"),
    )


def _list_with_lines(data: dict[str, Any], key: str, what: str, lines: Lines) -> list[tuple[Any, int | None]]:
    things = check_type(data[key], list, f"'{key}'")
    return [(check_type(thing, dict, what), lines.get((key, place))) for place, thing in enumerate(things)]


def _take(thing: dict[str, Any], key: str, line: int | None) -> Any:
    if key not in thing:
        raise fail(f"{excerpt(dump_line(thing))} has no {key!r}", line)
    return thing[key]


def _drop(thing: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in thing.items() if key not in keys}


def render(qbaf: Qbaf) -> str:
    """Write the graph as networkx 3.4 and later do, with `edges`."""
    qbaf = prepare(qbaf, "node-link", LOSES)
    data = {
        "directed": True,
        "multigraph": False,
        "graph": _list_graph_attributes(qbaf),
        "nodes": [{"id": name} | attributes for name, attributes in _list_all_attributes(qbaf).items()],
        "edges": [{"source": s, "target": t} | attributes for s, t, attributes in list_links(qbaf)],
    }
    return dump_rows(data, ("nodes", "edges"))


def to_networkx(qbaf: Qbaf) -> Any:
    """Convert a graph to a `networkx.DiGraph`.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.

    Returns
    -------
    networkx.DiGraph
        With `base_score`, and `label`, `topic`, `group` and `uncertain` where there are any, on nodes; `relation` and
        `weight` on edges.

    Examples
    --------
    >>> to_networkx(Qbaf({"a": 0.5, "b": 1.0}, attacks=[("b", "a")])).edges["b", "a"]
    {'relation': 'attack', 'weight': 1.0}
    """
    networkx = require("networkx", "to_networkx")
    warn_lost(qbaf, "networkx", LOSES)
    graph = networkx.DiGraph(**_list_graph_attributes(qbaf))
    graph.add_nodes_from(_list_all_attributes(qbaf).items())
    graph.add_edges_from(list_links(qbaf))
    return graph


def from_networkx(graph: Any) -> Qbaf:
    """Convert a directed networkx graph.

    Parameters
    ----------
    graph : networkx.DiGraph
        With the attributes that `to_networkx` gives.

    Returns
    -------
    Qbaf

    Raises
    ------
    FormatError
        If the graph is not directed, or an attribute is not valid.

    Examples
    --------
    >>> import networkx
    >>> graph = networkx.DiGraph()
    >>> graph.add_node("book", base_score=0.5); graph.add_node("noise", base_score=0.8)
    >>> graph.add_edge("noise", "book", relation="attack")
    >>> from_networkx(graph).attacks
    mappingproxy({('noise', 'book'): 1.0})
    """
    if not graph.is_directed():
        raise fail("the graph is not directed; an attack or support has a direction")
    return build_from_attributes(
        ((name, attributes, None) for name, attributes in graph.nodes(data=True)),
        ((source, target, attributes, None) for source, target, attributes in graph.edges(data=True)),
        graph.graph,
    )


def build_from_attributes(nodes: Iterable[Node], links: Iterable[Link], graph: Mapping[str, Any]) -> Qbaf:
    """Build the graph from the attributes that this module's docstring names."""
    builder, integers = GraphBuilder(merge=["edge"]), 0
    strange = {str(key) for key, value in graph.items() if key != "semantics" and value not in ({}, "")}
    for identifier, values, line in nodes:
        integers += isinstance(identifier, Integral)
        name, attributes = _check_name(identifier, line), _drop_blanks(values)
        label = _take_label(name, attributes, line)
        strange |= {str(key) for key in attributes.keys() - NODE_KEYS}
        score = _take_either(attributes, "base_score", "initial_weight", line)
        topic, group = attributes.get("topic", ""), _take_group(attributes)
        builder.add_argument(name, score, label=label, topic=topic, group=group, line=line)
        if isinstance(attributes.get("uncertain"), Mapping):
            builder.add_uncertain(str(name), attributes["uncertain"], line=line)
        elif "uncertain" in attributes:  # of another program, which means something else
            strange.add("uncertain")
    edges = [(source, target, _take_relation(values, line), line) for source, target, values, line in links]
    bare = bool(edges) and not any(attributes.keys() & LINK_KEYS for _, _, attributes, _ in edges)
    for source, target, attributes, line in edges:
        strange |= {str(key) for key in attributes.keys() - LINK_KEYS}
        kind, weight = ("attack", 1.0) if bare else _take_kind_and_weight(source, target, attributes, line)
        builder.add_edge(kind, _check_name(source, line), _check_name(target, line), weight, line=line)
    warn_of(bare * len(edges), "edge", "no edge has a relation or a weight; each is read as an attack ({})")
    warn_ignored(sorted(strange))
    warn_of(integers, "integer name", "{} read as text")
    return builder.build(graph.get("semantics"))


def _drop_blanks(values: Mapping[str, Any]) -> dict[str, Any]:
    """Drop what is empty and not ours: yEd writes a url and a description for every node."""
    return {key: value for key, value in values.items() if key in NODE_KEYS | LINK_KEYS or value not in ("", None)}


def _take_label(name: object, attributes: dict[str, Any], line: int | None) -> Any:
    """The label; where it is taken from another attribute, that one is understood."""
    label = _take_either(attributes, "label", "argument", line)
    for key in LABEL_KEYS:
        if isinstance(attributes.get(key), str) and (label is None or attributes[key] in (label, name)):
            found = attributes.pop(key)
            label = label if found == name else found
    return label


def _take_group(attributes: Mapping[str, Any]) -> Any:
    """The name of the group; many programs number theirs."""
    group = attributes.get("group")
    return str(group) if isinstance(group, Integral) and not isinstance(group, bool) else group


def _take_relation(values: Mapping[str, Any], line: int | None) -> dict[str, Any]:
    """The attributes of an edge, with its relation from another attribute that says it."""
    attributes = _drop_blanks(values)
    if attributes.get("relation") is not None:
        return attributes
    said = [key for key in RELATION_KEYS if str(attributes.get(key)).strip().casefold() in RELATIONS]
    if len({parse_relation(attributes[key], line) for key in said}) > 1:
        raise fail(f"an edge is both an attack and a support according to its {' and '.join(said)}", line)
    for key in said:
        attributes["relation"] = attributes.pop(key)
    return attributes


def _check_name(name: object, line: int | None) -> object:
    if isinstance(name, bool) or not isinstance(name, str | Integral):
        raise fail(f"an argument is named {excerpt(name)}; expected text or an integer", line)
    try:
        return str(name)
    except ValueError:  # an integer of more digits than Python writes
        raise fail("an argument is named by an integer with too many digits", line) from None


def _take_either(attributes: Mapping[str, Any], one: str, other: str, line: int | None) -> Any:
    first, second = attributes.get(one), attributes.get(other)
    if first is not None and second is not None and first != second:
        raise fail(f"{one} is {excerpt(first)} and {other} is {excerpt(second)}; keep one", line)
    return second if first is None else first


def _take_kind_and_weight(
    source: object, target: object, attributes: Mapping[str, Any], line: int | None
) -> tuple[str, object]:
    weight = attributes.get("weight")
    if attributes.get("relation") is not None:
        return attributes["relation"], 1.0 if weight is None else weight
    if weight is None:
        ends = f"from {excerpt(source)} to {excerpt(target)}"
        raise fail(f"the edge {ends} has neither a relation nor a weight; expected attack or support", line)
    value = to_float(weight, "a weight", line)
    return "attack" if math.copysign(1, value) < 0 else "support", abs(value)


def _list_all_attributes(qbaf: Qbaf) -> dict[Any, dict[str, Any]]:
    """Return the attributes of every argument, with what its base score may be."""
    found = list_nodes(qbaf)
    for name, each in qbaf.uncertain.items():
        found[name]["uncertain"] = each.to_dict()
    return found


def list_links(qbaf: Qbaf) -> list[tuple[Any, Any, dict[str, Any]]]:
    return [(source, target, {"relation": kind, "weight": weight}) for kind, source, target, weight in list_edges(qbaf)]


def _list_graph_attributes(qbaf: Qbaf) -> dict[str, str]:
    return {} if qbaf.semantics is None else {"semantics": qbaf.semantics}
