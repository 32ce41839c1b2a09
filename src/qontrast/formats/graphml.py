"""GraphML, as graph editors and networkx write it.

    <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      <key id="b" for="node" attr.name="base_score" attr.type="double"/>
      <key id="r" for="edge" attr.name="relation" attr.type="string"/>
      <graph edgedefault="directed">
        <node id="rooms"><data key="b">0.7</data></node>
        <node id="book"/>
        <edge source="rooms" target="book"><data key="r">support</data></edge>
      </graph>
    </graphml>

A node has base_score, label, topic (its place among the topics) and group, an edge relation and weight, the graph
semantics; `node_link` says which other names are understood. Data of other names are left aside with a warning.

igraph calls its nodes n0, n1, … and keeps their names in `name`: these become the names of the arguments where
every node has one of its own. Graphs inside nodes are opened: the nodes in them are arguments, the node around them is
one only if an edge touches it. Ports are left aside. There are no hyperedges and no undirected edges. A document type
is refused, and with it every entity that could expand.

yEd draws instead of writing data. The text of a node is its label. The text of an edge is its relation (attack, -, con,
support, +, pro) or its signed weight. An edge with one arrowhead at its source is read as it is drawn, from target to
source; one with arrowheads at both ends is two edges; one without arrowheads goes from source to target. A warning
counts each of these, and the texts that mean nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import TooLarge
from ..graph.qbaf import Qbaf
from .building import RELATIONS, excerpt, fail, is_number, list_nodes, parse_number, prepare, warn_ignored, warn_of
from .node_link import KNOWN_KEYS, Link, build_from_attributes, list_links

MAX_CHARACTERS = 64 * 2**20
PARENTS = {  # where an element may stand
    "graphml": {""},
    "key": {"graphml", "graph"},
    "default": {"key"},
    "graph": {"graphml", "node"},
    "node": {"graph"},
    "edge": {"graph"},
    "port": {"node", "port"},
    "data": {"graphml", "graph", "node", "edge", "port"},
    "desc": {"graphml", "key", "graph", "node", "edge", "port"},
}
KEYS = {  # what is written → whose it is, and its type
    "base_score": ("node", "double"),
    "label": ("node", "string"),
    "topic": ("node", "int"),
    "group": ("node", "string"),
    "relation": ("edge", "string"),
    "weight": ("edge", "double"),
    "semantics": ("graph", "string"),
}
NUMBERS = {"base_score", "initial_weight", "weight"}
TEXT_TAGS = {"NodeLabel", "EdgeLabel", "Label.Text"}  # the last in files of yEd Live
LOSES = ("empty groups", "uncertain base scores")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass
class Element:
    """A node, edge or graph of a GraphML file."""

    ends: tuple[str, ...]  # the id of a node, source and target of an edge
    line: int
    attributes: dict[str, Any]
    texts: list[str] = field(default_factory=list)
    arrows: tuple[str, str] | None = None  # the heads at source and target
    group: bool = False

    def visible_texts(self) -> list[str]:
        return list(dict.fromkeys(text for each in self.texts if (text := each.strip())))


def recognise(text: str) -> bool:
    return bool(re.match(r"\s*<", text) and re.search(r"<(?:\w+:)?graphml[\s>]", text))


def parse(text: str) -> Qbaf:
    from xml.parsers import expat

    if len(text) > MAX_CHARACTERS:
        raise TooLarge(f"{len(text):,} letters of GraphML are over the limit of {MAX_CHARACTERS:,}; use json or csv")
    reader = _Reader(expat.ParserCreate("utf-8", " "), plain=text.isascii())
    try:
        reader.parser.Parse(text.lstrip().encode(), True)
    except expat.ExpatError as error:
        raise fail(f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    except UnicodeEncodeError:
        raise fail("the text holds half a surrogate pair") from None
    if not reader.graphs:
        raise fail("no <graph> in the file")
    links = _read_edges(reader.edges)
    touched = {end for link in links for end in link[:2]}
    nodes = [node for node in reader.nodes if not node.group or node.ends[0] in touched]
    warn_of(len(reader.nodes) - len(nodes), "group", "ignored: {} that no edge touches; the nodes inside are read")
    warn_of(reader.ports, "port", "ignored: {}")
    _label_nodes(nodes)
    names = _find_own_names(nodes)
    return build_from_attributes(
        ((names.get(node.ends[0], node.ends[0]), node.attributes, node.line) for node in nodes),
        ((names.get(str(a), a), names.get(str(b), b), attributes, line) for a, b, attributes, line in links),
        reader.graphs[0].attributes,
    )


def _find_own_names(nodes: list[Element]) -> dict[str, str]:
    """Return id → name where all ids are n0, n1, … and every node has a name of its own."""
    names = {node.ends[0]: node.attributes.get("name", "") for node in nodes}
    plain = len(names) == len(nodes) and all(re.fullmatch("n[0-9]+", name) for name in names)
    if not plain or len({*names.values(), ""}) <= len(names):
        return {}
    for node in nodes:
        del node.attributes["name"]
    return names


class _Reader:
    """Collects keys, nodes and edges while expat walks the file."""

    def __init__(self, parser: Any, plain: bool) -> None:
        self.parser = parser
        self.plain = plain  # ASCII is the same in every encoding that a file may declare
        self.keys: dict[str, tuple[str, str]] = {}  # id → for, name
        self.defaults: dict[str, tuple[str, str]] = {}  # id → for, text
        self.nodes: list[Element] = []
        self.edges: list[Element] = []
        self.graphs: list[Element] = []  # the whole, then the graphs inside nodes
        self.ports = 0
        self.path: list[str] = []
        self.elements: list[Element] = []  # what <data> goes to, and what stands around it
        self.undirected: list[bool] = []  # of every open graph
        self.key = ""
        self.text: list[str] = []
        self.plain_data = True  # nothing but text in the open <data>
        self.begin = {"node": self._node, "edge": self._edge, "graph": self._graph, "key": self._key}
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.text.append
        parser.StartDoctypeDeclHandler = self._doctype
        parser.XmlDeclHandler = self._declaration

    @property
    def line(self) -> int:
        return int(self.parser.CurrentLineNumber)

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if not self.plain and encoding is not None and encoding.lower() not in ("utf-8", "utf8"):
            raise fail(f"the file declares the encoding {excerpt(encoding)}; save it as UTF-8", self.line)

    def _doctype(self, *_: object) -> None:
        raise fail(
            "a <!DOCTYPE> is not accepted, because it can define entities that expand without limit; remove it",
            self.line,
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        parent = self.path[-1] if self.path else ""
        if parent in ("data", "default") or parent.startswith("*"):
            self._start_drawing(tag, attributes)
        elif parent not in PARENTS.get(tag, ()):
            place = f"inside <{parent[:40]}>" if parent else "here"
            raise fail(f"unexpected <{tag[:40]}> {place}; expected a GraphML graph of nodes and edges", self.line)
        else:
            self.path.append(tag)
            self.text.clear()
            self.ports += tag == "port"
            self.plain_data = True
            if tag in self.begin:
                self.begin[tag](attributes)
            elif tag == "data":
                self.key = self._attribute(attributes, "key", "data")

    def _start_drawing(self, tag: str, attributes: dict[str, str]) -> None:
        """An element inside <data>: of these, only texts and arrowheads are looked at."""
        self._keep_text()
        self.path.append("*" + tag)
        self.plain_data = False
        if tag == "Label" and "Text" in attributes and self._open_element:
            self._open_element.texts.append(attributes["Text"])
        elif tag == "Arrows" and self._open_element:
            self._open_element.arrows = attributes.get("source", "none"), attributes.get("target", "none")

    @property
    def _open_element(self) -> Element | None:
        """Return the element that the open <data> describes."""
        return self.elements[-1] if self.elements and "port" not in self.path else None

    def _keep_text(self) -> None:
        """Keep the text read so far if the drawing shows it."""
        if self.path[-1][1:] in TEXT_TAGS and self._open_element:
            self._open_element.texts.append("".join(self.text))
        self.text.clear()

    def _attribute(self, attributes: Mapping[str, str], key: str, tag: str) -> str:
        if key not in attributes:
            raise fail(f"<{tag}> has no {key!r}", self.line)
        return attributes[key]

    def _key(self, attributes: dict[str, str]) -> None:
        self.key = self._attribute(attributes, "id", "key")
        name = attributes.get("attr.name", attributes.get("yfiles.type", self.key))
        word = name.strip().casefold().replace(" ", "_")
        name, owner = word if word in KNOWN_KEYS else name, attributes.get("for", "all")
        if self.key in self.keys:  # some programs give one key for nodes and again for edges
            owner = "all"
            if self.keys[self.key][1] != name:
                raise fail(f"the key {excerpt(self.key)} was declared before, with another meaning", self.line)
        self.keys[self.key] = owner, name

    def _graph(self, attributes: dict[str, str]) -> None:
        self.undirected.append(attributes.get("edgedefault", "directed") == "undirected")
        if self.elements:
            self.elements[-1].group = True
        elif self.graphs:
            raise fail("the file has a second <graph>; expected one", self.line)
        self._open(self.graphs, "graph")

    def _node(self, attributes: dict[str, str]) -> None:
        self._open(self.nodes, "node", self._attribute(attributes, "id", "node"))

    def _edge(self, attributes: dict[str, str]) -> None:
        source, target = (self._attribute(attributes, end, "edge") for end in ("source", "target"))
        if attributes.get("directed", "false" if self.undirected[-1] else "true") != "true":
            ends = f"between {excerpt(source)} and {excerpt(target)}"
            raise fail(f"the edge {ends} is not directed; an attack or support has a direction", self.line)
        self._open(self.edges, "edge", source, target)

    def _open(self, found: list[Element], tag: str, *ends: str) -> None:
        """Begin an element, with the defaults of its kind."""
        defaults = {
            self.keys[key][1]: self._value(key, text)
            for key, (owner, text) in self.defaults.items()
            if owner in (tag, "all")
        }
        found.append(Element(ends, self.line, defaults))
        self.elements.append(found[-1])

    def _end(self, tag: str) -> None:
        if self.path[-1].startswith("*"):
            self._keep_text()
            self.path.pop()
            return
        ended = self.path.pop()
        text = "".join(self.text)
        self.text.clear()
        if ended == "data":
            self._data(text)
        elif ended == "default" and self.plain_data:
            self.defaults[self.key] = self.keys[self.key][0], text
        elif ended in ("node", "edge", "graph"):
            self.elements.pop()
        if ended == "graph":
            self.undirected.pop()
        if ended not in ("data", "default", "desc") and text.strip():
            raise fail(f"the text {excerpt(text.strip())} is outside <data>", self.line)

    def _data(self, text: str) -> None:
        if self.key not in self.keys:
            raise fail(f"<data> has the key {excerpt(self.key)}, which no <key> declares", self.line)
        if self.path[-1] not in ("node", "edge", "graph") or not self.plain_data:
            return  # a port, what the whole file shares, or a drawing
        name, attributes = self.keys[self.key][1], self.elements[-1].attributes
        if name in attributes and self.key not in self.defaults:
            raise fail(f"{excerpt(name)} is given twice", self.line)
        attributes[name] = self._value(self.key, text)

    def _value(self, key: str, text: str) -> Any:
        name = self.keys[key][1]
        return parse_number(text, name, self.line) if name in NUMBERS else text


def _label_nodes(nodes: Iterable[Element]) -> None:
    """Give every node its first text for a label, unless it has one."""
    more = 0
    for node in nodes:
        texts = node.visible_texts()
        more += len(texts) > 1
        if texts and not {"label", "argument"} & node.attributes.keys():
            node.attributes["label"] = texts[0]
    warn_of(more, "node", "{} with several texts; the first is the label")


def _read_edges(edges: Iterable[Element]) -> list[Link]:
    """Return the edges as they are drawn: an arrowhead at the source turns an edge round."""
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
    warn_of(turned, "edge", "{} with the arrowhead at the source; read as drawn, from target to source")
    warn_of(doubled, "edge", "{} with arrowheads at both ends; read in both directions")
    warn_of(headless, "edge", "{} without an arrowhead; read from source to target")
    warn_ignored(strange, "texts of edges ")
    return links


def _read_texts(edge: Element) -> Iterator[str]:
    """Take relation and weight from the texts of an edge; yield the texts that are neither."""
    for text in edge.visible_texts():
        if text.casefold() in RELATIONS and "relation" not in edge.attributes:
            edge.attributes["relation"] = text
        elif is_number(text) and "weight" not in edge.attributes:
            edge.attributes["weight"] = float(text)
        else:
            yield text


def render(qbaf: Qbaf) -> str:
    """Write keys for those attributes that networkx and editors look up by name."""
    qbaf = prepare(qbaf, "graphml", LOSES)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for name, (owner, kind) in KEYS.items():
        if name == "group" and not qbaf.groups:
            continue  # most graphs have none
        lines.append(f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>')
    lines.append('  <graph edgedefault="directed">')
    if qbaf.semantics is not None:
        lines.append(f"    {_render_data({'semantics': qbaf.semantics})}")
    for name, attributes in list_nodes(qbaf).items():
        lines.append(f'    <node id="{_escape(name)}">{_render_data(attributes)}</node>')
    for source, target, attributes in list_links(qbaf):
        ends = f'source="{_escape(source)}" target="{_escape(target)}"'
        lines.append(f"    <edge {ends}>{_render_data(attributes)}</edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _render_data(attributes: Mapping[str, Any]) -> str:
    return "".join(
        f'<data key="{name}">{_escape(value) if isinstance(value, str) else repr(value)}</data>'
        for name, value in attributes.items()
    )


def _escape(text: str) -> str:
    """Escape for text and attributes alike; the ends of lines too, which readers would change."""
    if _FORBIDDEN.search(text):
        raise fail(f"graphml cannot hold {excerpt(text)}: XML has no way to write its 1 control character")
    from xml.sax.saxutils import escape  # here: it imports urllib.request

    return escape(text, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
