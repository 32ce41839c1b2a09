"""How the drawings of yEd are read: the texts of nodes and edges, and arrowheads.

The text of a node is its label. The text of an edge is its relation (attack, -, con, support, +, pro) or its signed
weight. An edge with one arrowhead at its source is read as it is drawn, from target to source; one with arrowheads
at both ends is two edges; one without arrowheads goes from source to target. A warning counts each of these, and
the texts that mean nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..errors import quoted
from ._attributes import Link
from ._text import RELATIONS, count, is_number, warn


@dataclass
class Thing:
    """A node, edge or graph of a GraphML file."""

    ends: tuple[str, ...]  # the id of a node, source and target of an edge
    line: int
    attributes: dict[str, Any]
    texts: list[str] = field(default_factory=list)
    arrows: tuple[str, str] | None = None  # the heads at source and target
    group: bool = False

    def shown_texts(self) -> list[str]:
        return list(dict.fromkeys(text for each in self.texts if (text := each.strip())))


def label_nodes(nodes: Iterable[Thing]) -> None:
    """Give every node its first text for a label, unless it has one."""
    more = 0
    for node in nodes:
        texts = node.shown_texts()
        more += len(texts) > 1
        if texts and not {"label", "argument"} & node.attributes.keys():
            node.attributes["label"] = texts[0]
    if more:
        warn(f"{count(more, 'node')} with several texts; the first is the label")


def read_edges(edges: Iterable[Thing]) -> list[Link]:
    """The edges as they are drawn."""
    links: list[Link] = []
    turned = doubled = headless = 0
    strange: list[str] = []
    for edge in edges:
        strange += _read_texts(edge)
        source, target = edge.ends
        at_source, at_target = (head != "none" for head in edge.arrows or ("none", "standard"))
        turned += at_source and not at_target
        doubled += at_source and at_target
        headless += not at_source and not at_target
        if at_target or not at_source:
            links.append((source, target, edge.attributes, edge.line))
        if at_source and not (at_target and source == target):
            links.append((target, source, edge.attributes, edge.line))
    for message in _notes(turned, doubled, headless, strange):
        warn(message)
    return links


def _read_texts(edge: Thing) -> Iterator[str]:
    """Take relation and weight from the texts of an edge; the texts that are neither are returned."""
    for text in edge.shown_texts():
        if text.casefold() in RELATIONS and "relation" not in edge.attributes:
            edge.attributes["relation"] = text
        elif is_number(text) and "weight" not in edge.attributes:
            edge.attributes["weight"] = float(text)
        else:
            yield text


def _notes(turned: int, doubled: int, headless: int, strange: list[str]) -> Iterator[str]:
    if turned:
        yield f"{count(turned, 'edge')} with the arrowhead at the source; read as drawn, from target to source"
    if doubled:
        yield f"{count(doubled, 'edge')} with arrowheads at both ends; read in both directions"
    if headless:
        yield f"{count(headless, 'edge')} without an arrowhead; read from source to target"
    if strange:
        yield f"texts of edges not understood and ignored: {quoted(dict.fromkeys(strange), most=6)}"
