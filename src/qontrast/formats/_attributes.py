"""The QBAF as attributes of a graph's nodes and edges, shared by node-link JSON, GraphML and networkx.

node: base_score, label, topic (its place among the topics; yes and true count as 1)
edge: relation (attack or support, or the other words for them), weight; without a relation a weight with
      its sign: below zero an attack, as in `Qbaf.from_arrays`
graph: semantics

`initial_weight` is read as base_score, `argument`, `name` and `text` as label, and a label, type or kind of an edge as
its relation where it is a word for one. Where no edge of a graph has a relation or a weight, all are read as attacks,
as in the files of the solver competitions, and a warning says so. An edge that is repeated exactly counts once, with a
warning. Other attributes are left aside with a warning that names them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

from ..errors import quoted
from ..graph.qbaf import Qbaf
from ._draft import Draft, as_float
from ._text import RELATIONS, count, edges_of, fail, relation, shown, topic_rank, warn

Node = tuple[object, Mapping[str, Any], int | None]  # name, attributes, line
Link = tuple[object, object, Mapping[str, Any], int | None]  # source, target, attributes, line

NODE_KEYS = {"base_score", "initial_weight", "label", "argument", "topic"}
LABEL_KEYS = ("name", "text")  # a label where there is no other
LINK_KEYS = {"relation", "weight"}
RELATION_KEYS = ("label", "edge_label", "type", "kind")  # a relation where there is no other
UNDERSTOOD = {*NODE_KEYS, *LABEL_KEYS, *LINK_KEYS, *RELATION_KEYS, "semantics"}


def from_attributes(nodes: Iterable[Node], links: Iterable[Link], graph: Mapping[str, Any]) -> Qbaf:
    draft, integers = Draft(merge=["edge"]), 0
    strange = {str(key) for key, value in graph.items() if key != "semantics" and value not in ({}, "")}
    for name, given, line in nodes:
        integers += isinstance(name, Integral)
        attributes = _without_blanks(given)
        label = _label(_name(name, line), attributes, line)
        strange |= {str(key) for key in attributes.keys() - NODE_KEYS}
        draft.argument(
            _name(name, line),
            _either(attributes, "base_score", "initial_weight", line),
            label=label,
            topic=topic_rank(attributes.get("topic", ""), line),
            line=line,
        )
    edges = [(source, target, _with_relation(given, line), line) for source, target, given, line in links]
    bare = bool(edges) and not any(attributes.keys() & LINK_KEYS for _, _, attributes, _ in edges)
    for source, target, attributes, line in edges:
        strange |= {str(key) for key in attributes.keys() - LINK_KEYS}
        kind, weight = ("attack", 1.0) if bare else _kind_and_weight(source, target, attributes, line)
        draft.edge(kind, _name(source, line), _name(target, line), weight, line=line)
    if bare:
        warn(f"no edge has a relation or a weight; each is read as an attack ({count(len(edges), 'edge')})")
    if strange:
        warn(f"not understood and ignored: {quoted(sorted(strange), most=6)}")
    if integers:
        warn(f"{count(integers, 'integer name')} read as text")
    return draft.build(_semantics(graph))


def _without_blanks(given: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is empty and not ours: yEd writes a url and a description for every node."""
    return {key: value for key, value in given.items() if key in NODE_KEYS | LINK_KEYS or value not in ("", None)}


def _label(name: object, attributes: dict[str, Any], line: int | None) -> Any:
    """The label; where it is taken from another attribute, that one is understood."""
    label = _either(attributes, "label", "argument", line)
    for key in LABEL_KEYS:
        if isinstance(attributes.get(key), str) and (label is None or attributes[key] in (label, name)):
            found = attributes.pop(key)
            label = label if found == name else found
    return label


def _with_relation(given: Mapping[str, Any], line: int | None) -> dict[str, Any]:
    """The attributes of an edge, with its relation from another attribute that says it."""
    attributes = _without_blanks(given)
    if attributes.get("relation") is not None:
        return attributes
    said = [key for key in RELATION_KEYS if str(attributes.get(key)).strip().casefold() in RELATIONS]
    if len({relation(attributes[key], line) for key in said}) > 1:
        raise fail(f"an edge is both an attack and a support according to its {' and '.join(said)}", line)
    for key in said:
        attributes["relation"] = attributes.pop(key)
    return attributes


def _name(name: object, line: int | None) -> object:
    if isinstance(name, bool) or not isinstance(name, str | Integral):
        raise fail(f"an argument is named {shown(name)}; expected text or an integer", line)
    try:
        return str(name)
    except ValueError:  # an integer of more digits than Python writes
        raise fail("an argument is named by an integer with too many digits", line) from None


def _either(attributes: Mapping[str, Any], one: str, other: str, line: int | None) -> Any:
    first, second = attributes.get(one), attributes.get(other)
    if first is not None and second is not None and first != second:
        raise fail(f"{one} is {shown(first)} and {other} is {shown(second)}; keep one", line)
    return second if first is None else first


def _kind_and_weight(
    source: object, target: object, attributes: Mapping[str, Any], line: int | None
) -> tuple[str, object]:
    weight = attributes.get("weight")
    if attributes.get("relation") is not None:
        return relation(attributes["relation"], line), 1.0 if weight is None else weight
    if weight is None:
        ends = f"from {shown(source)} to {shown(target)}"
        raise fail(f"the edge {ends} has neither a relation nor a weight; expected attack or support", line)
    value = as_float(weight, "a weight", line)
    return "attack" if math.copysign(1, value) < 0 else "support", abs(value)


def _semantics(graph: Mapping[str, Any]) -> str | None:
    name = graph.get("semantics")
    if name is not None and not isinstance(name, str):
        raise fail(f"semantics is {shown(name)}; expected a name")
    return name


def node_attributes(qbaf: Qbaf) -> dict[Any, dict[str, Any]]:
    rank = {name: place for place, name in enumerate(qbaf.topics, start=1)}
    return {
        name: {"base_score": score}
        | ({"label": qbaf.labels[name]} if name in qbaf.labels else {})
        | ({"topic": rank[name]} if name in rank else {})
        for name, score in qbaf.base_scores.items()
    }


def link_attributes(qbaf: Qbaf) -> list[tuple[str, str, dict[str, Any]]]:
    return [(source, target, {"relation": kind, "weight": weight}) for kind, source, target, weight in edges_of(qbaf)]


def graph_attributes(qbaf: Qbaf) -> dict[str, str]:
    return {} if qbaf.semantics is None else {"semantics": qbaf.semantics}
