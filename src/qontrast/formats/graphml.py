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
semantics; `_attributes` says which other names are understood. Data of other names are left aside with a warning.

igraph calls its nodes n0, n1, … and keeps their names in `name`: these become the names of the arguments where
every node has one of its own. yEd draws instead of writing data; `_yed` says how its drawings are read. Graphs
inside nodes are opened: the nodes in them are arguments, the node around them is one only if an edge touches it.
Ports are left aside. There are no hyperedges and no undirected edges. A document type is refused, and with it
every entity that could expand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import TooLarge
from ..graph.qbaf import Qbaf
from ._attributes import UNDERSTOOD, from_attributes, graph_attributes, link_attributes, node_attributes
from ._text import count, fail, number, prepare, shown, warn
from ._yed import Thing, label_nodes, read_edges

MAX_LETTERS = 64 * 2**20
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
TYPES = {"base_score": "double", "label": "string", "topic": "int", "relation": "string", "weight": "double"}
NUMBERS = {"base_score", "initial_weight", "weight"}
DRAWN_TEXTS = {"NodeLabel", "EdgeLabel", "Label.Text"}  # the last in files of yEd Live
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
    links = read_edges(reader.edges)
    nodes = list(_without_frames(reader, {end for link in links for end in link[:2]}))
    label_nodes(nodes)
    names = _own_names(nodes)
    return from_attributes(
        ((names.get(node.ends[0], node.ends[0]), node.attributes, node.line) for node in nodes),
        ((names.get(str(a), a), names.get(str(b), b), attributes, line) for a, b, attributes, line in links),
        reader.graph.attributes,
    )


def _without_frames(reader: _Reader, touched: set[object]) -> Iterator[Thing]:
    """The nodes that are arguments: all but groups that no edge touches."""
    frames = 0
    for node in reader.nodes:
        if node.group and node.ends[0] not in touched:
            frames += 1
        else:
            yield node
    if frames:
        warn(f"ignored: {count(frames, 'group')} that no edge touches; the nodes inside are read")
    if reader.ports:
        warn(f"ignored: {count(reader.ports, 'port')}")


def _own_names(nodes: list[Thing]) -> dict[str, str]:
    """Names for ids, where all ids are n0, n1, … and every node has a name of its own."""
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
        self.nodes: list[Thing] = []
        self.edges: list[Thing] = []
        self.graph: Thing | None = None
        self.ports = 0
        self.path: list[str] = []
        self.things: list[Thing] = []  # what <data> goes to, and what stands around it
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
            raise fail(f"the file declares the encoding {shown(encoding)}; save it as UTF-8", self.line)

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
        self._draw()
        self.path.append("*" + tag)
        self.plain_data = False
        if tag == "Label" and "Text" in attributes and self._drawn:
            self._drawn.texts.append(attributes["Text"])
        elif tag == "Arrows" and self._drawn:
            self._drawn.arrows = attributes.get("source", "none"), attributes.get("target", "none")

    @property
    def _drawn(self) -> Thing | None:
        """What the open <data> describes."""
        return self.things[-1] if self.things and "port" not in self.path else None

    def _draw(self) -> None:
        """Keep the text read so far if it is one that is seen."""
        if self.path[-1][1:] in DRAWN_TEXTS and self._drawn:
            self._drawn.texts.append("".join(self.text))
        self.text.clear()

    def _attribute(self, attributes: Mapping[str, str], key: str, tag: str) -> str:
        if key not in attributes:
            raise fail(f"<{tag}> has no {key!r}", self.line)
        return attributes[key]

    def _key(self, attributes: dict[str, str]) -> None:
        self.key = self._attribute(attributes, "id", "key")
        name = attributes.get("attr.name", attributes.get("yfiles.type", self.key))
        word = name.strip().casefold().replace(" ", "_")
        name, owner = word if word in UNDERSTOOD else name, attributes.get("for", "all")
        if self.key in self.keys:  # some programs give one key for nodes and again for edges
            owner = "all"
            if self.keys[self.key][1] != name:
                raise fail(f"the key {shown(self.key)} was declared before, with another meaning", self.line)
        self.keys[self.key] = owner, name

    def _graph(self, attributes: dict[str, str]) -> None:
        self.undirected.append(attributes.get("edgedefault", "directed") == "undirected")
        inner = Thing((), self.line, self._with_defaults("graph"))
        if self.things:
            self.things[-1].group = True
        elif self.graph is not None:
            raise fail("the file has a second <graph>; expected one", self.line)
        else:
            self.graph = inner
        self.things.append(inner)

    def _node(self, attributes: dict[str, str]) -> None:
        self.things.append(Thing((self._attribute(attributes, "id", "node"),), self.line, self._with_defaults("node")))
        self.nodes.append(self.things[-1])

    def _edge(self, attributes: dict[str, str]) -> None:
        source, target = (self._attribute(attributes, end, "edge") for end in ("source", "target"))
        if attributes.get("directed", "false" if self.undirected[-1] else "true") != "true":
            raise fail(
                f"the edge between {shown(source)} and {shown(target)} is not directed; "
                "an attack or support has a direction",
                self.line,
            )
        self.things.append(Thing((source, target), self.line, self._with_defaults("edge")))
        self.edges.append(self.things[-1])

    def _with_defaults(self, tag: str) -> dict[str, Any]:
        return {
            self.keys[key][1]: self._value(key, text)
            for key, (owner, text) in self.defaults.items()
            if owner in (tag, "all")
        }

    def _end(self, tag: str) -> None:
        if self.path[-1].startswith("*"):
            self._draw()
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
            self.things.pop()
        if ended == "graph":
            self.undirected.pop()
        if ended not in ("data", "default", "desc") and text.strip():
            raise fail(f"the text {shown(text.strip())} is outside <data>", self.line)

    def _data(self, text: str) -> None:
        if self.key not in self.keys:
            raise fail(f"<data> has the key {shown(self.key)}, which no <key> declares", self.line)
        if self.path[-1] not in ("node", "edge", "graph") or not self.plain_data:
            return  # a port, what the whole file shares, or a drawing
        name, attributes = self.keys[self.key][1], self.things[-1].attributes
        if name in attributes and self.key not in self.defaults:
            raise fail(f"{shown(name)} is given twice", self.line)
        attributes[name] = self._value(self.key, text)

    def _value(self, key: str, text: str) -> Any:
        name = self.keys[key][1]
        return number(text, name, self.line) if name in NUMBERS else text


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
