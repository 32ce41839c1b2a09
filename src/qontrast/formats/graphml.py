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

A node has base_score, label and topic (its place among the topics), an edge relation and weight, the graph
semantics; an edge without a relation is an attack if its weight is below zero, else a support. Data of other
names are left aside with a warning. One directed graph; no hyperedges, ports or graphs in graphs. A document
type is refused, and with it every entity that could expand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import TooLarge
from ..qbaf import Qbaf
from ._attributes import Link, Node, from_attributes, graph_attributes, link_attributes, node_attributes
from ._text import count, fail, number, prepare, shown

MAX_LETTERS = 64 * 2**20
ELEMENTS = {"graphml", "key", "default", "graph", "node", "edge", "data", "desc"}
PARENTS = {"key": "graphml", "graph": "graphml", "node": "graph", "edge": "graph", "default": "key"}
TYPES = {"base_score": "double", "label": "string", "topic": "int", "relation": "string", "weight": "double"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def sniff(text: str) -> bool:
    return bool(re.match(r"\s*<", text) and re.search(r"<(?:\w+:)?graphml[\s>]", text))


def parse(text: str) -> Qbaf:
    from xml.parsers import expat

    if len(text) > MAX_LETTERS:
        raise TooLarge(f"{len(text):,} letters of GraphML are over the limit of {MAX_LETTERS:,}; use json or csv")
    reader = _Reader(expat.ParserCreate("utf-8", " "), plain=text.isascii())
    try:
        reader.parser.Parse(text.lstrip().encode(), True)
    except expat.ExpatError as error:
        raise fail(f"not XML: {expat.ErrorString(error.code)}", error.lineno) from None
    except UnicodeEncodeError:
        raise fail("the text holds half a surrogate pair") from None
    if reader.graph is None:
        raise fail("no <graph> in the file")
    return from_attributes(reader.nodes, reader.links, reader.graph)


class _Reader:
    """Collects keys, nodes and edges while expat walks the file."""

    def __init__(self, parser: Any, plain: bool) -> None:
        self.parser = parser
        self.plain = plain  # ASCII is the same in every encoding that a file may declare
        self.keys: dict[str, tuple[str, str, str]] = {}  # id → for, name, type
        self.defaults: dict[str, tuple[str, str]] = {}  # id → for, text
        self.nodes: list[Node] = []
        self.links: list[Link] = []
        self.graph: dict[str, Any] | None = None
        self.path: list[str] = []
        self.owner: dict[str, Any] = {}  # the attributes that <data> goes to
        self.key = ""
        self.text: list[str] = []
        self.owners = {"node": self._node, "edge": self._edge, "graph": self._graph, "key": self._key}
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
            raise fail(f"the file declares the encoding {shown(encoding)}; save it as UTF-8", self.line)

    def _doctype(self, *_: object) -> None:
        raise fail("a document type stands here; it is refused, for it can hold entities without end", self.line)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if "data" in self.path:  # what editors draw with
            self.path.append("*")
            return
        parent = self.path[-1] if self.path else ""
        allowed = tag in ELEMENTS and PARENTS.get(tag, parent) == parent and (tag == "graphml") == (not parent)
        if not allowed:
            raise fail(
                f"<{tag[:40]}> stands in <{parent[:40]}>; expected a plain GraphML graph of nodes and edges", self.line
            )
        self.path.append(tag)
        self.text.clear()
        if tag in self.owners:
            self.owners[tag](attributes)
        elif tag == "data":
            self.key = self._attribute(attributes, "key", "data")

    def _attribute(self, attributes: Mapping[str, str], key: str, tag: str) -> str:
        if key not in attributes:
            raise fail(f"<{tag}> has no {key!r}", self.line)
        return attributes[key]

    def _key(self, attributes: dict[str, str]) -> None:
        self.key = self._attribute(attributes, "id", "key")
        if self.key in self.keys:
            raise fail(f"the key {shown(self.key)} was given before", self.line)
        name = attributes.get("attr.name", attributes.get("yfiles.type", self.key))
        self.keys[self.key] = attributes.get("for", "all"), name, attributes.get("attr.type", "string")

    def _graph(self, attributes: dict[str, str]) -> None:
        if self.graph is not None:
            raise fail("a second <graph> stands here; expected one", self.line)
        if attributes.get("edgedefault", "directed") != "directed":
            raise fail(f"edgedefault is {shown(attributes['edgedefault'])}; expected directed", self.line)
        self.owner = self.graph = self._with_defaults("graph")

    def _node(self, attributes: dict[str, str]) -> None:
        self.owner = self._with_defaults("node")
        self.nodes.append((self._attribute(attributes, "id", "node"), self.owner, self.line))

    def _edge(self, attributes: dict[str, str]) -> None:
        if attributes.get("directed", "true") != "true":
            raise fail("an edge is not directed; an attack or support has a direction", self.line)
        self.owner = self._with_defaults("edge")
        source, target = (self._attribute(attributes, end, "edge") for end in ("source", "target"))
        self.links.append((source, target, self.owner, self.line))

    def _with_defaults(self, tag: str) -> dict[str, Any]:
        return {
            self.keys[key][1]: self._value(key, text)
            for key, (owner, text) in self.defaults.items()
            if owner in (tag, "all")
        }

    def _end(self, tag: str) -> None:
        ended = self.path.pop()
        text = "".join(self.text)
        if ended == "default":
            self.defaults[self.key] = self.keys[self.key][0], text
        elif ended == "data":
            self._data(text)
        elif ended in ("node", "edge") and self.graph is not None:
            self.owner = self.graph
        if ended not in ("*", "data", "default", "desc") and text.strip():
            raise fail(f"the text {shown(text.strip())} stands outside <data>", self.line)
        if ended != "*":
            self.text.clear()

    def _data(self, text: str) -> None:
        if not self.path or self.path[-1] not in ("node", "edge", "graph"):
            raise fail("<data> stands outside nodes, edges and the graph", self.line)
        if self.key not in self.keys:
            raise fail(f"<data> has the key {shown(self.key)}, which no <key> explains", self.line)
        name = self.keys[self.key][1]
        if name in self.owner and self.key not in self.defaults:
            raise fail(f"{shown(name)} is given twice", self.line)
        self.owner[name] = self._value(self.key, text)

    def _value(self, key: str, text: str) -> Any:
        _, name, kind = self.keys[key]
        if kind in ("double", "float", "int", "long") and name in ("base_score", "initial_weight", "weight"):
            return number(text, name, self.line)
        return text


def render(qbaf: Qbaf) -> str:
    """With keys for those attributes that networkx and editors look up by name."""
    qbaf = prepare(qbaf, "graphml")
    graph = "".join(f'    <data key="semantics">{_text(name)}</data>\n' for name in graph_attributes(qbaf).values())
    nodes = "".join(
        f'    <node id="{_text(str(name))}">{_datas(attributes)}</node>\n'
        for name, attributes in node_attributes(qbaf).items()
    )
    edges = "".join(
        f'    <edge source="{_text(source)}" target="{_text(target)}">{_datas(attributes)}</edge>\n'
        for source, target, attributes in link_attributes(qbaf)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        f'{_keys()}  <graph edgedefault="directed">\n{graph}{nodes}{edges}  </graph>\n</graphml>\n'
    )


def _keys() -> str:
    owners = {"relation": "edge", "weight": "edge"}
    keys = [(name, owners.get(name, "node"), kind) for name, kind in TYPES.items()] + [("semantics", "graph", "string")]
    return "".join(
        f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n' for name, owner, kind in keys
    )


def _datas(attributes: Mapping[str, Any]) -> str:
    return "".join(
        f'<data key="{name}">{_text(value) if isinstance(value, str) else repr(value)}</data>'
        for name, value in attributes.items()
    )


def _text(text: str) -> str:
    """Escaped for text and attributes alike; the ends of lines too, which readers would change."""
    if _FORBIDDEN.search(text):
        raise fail(f"graphml cannot hold {shown(text)}: XML has no way to write its {count(1, 'control character')}")
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return re.sub(r'[&<>"\n\r\t]', lambda mark: marks[mark[0]], text)
