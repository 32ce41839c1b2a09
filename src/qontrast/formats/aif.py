"""AIF in JSON, as AIFdb and OVA write it; xAIF wraps it in `{"AIF": {…}}`.

    {"nodes": [{"nodeID": "1", "text": "It rains", "type": "I"}, {"nodeID": "2", "text": "Default Inference",
     "type": "RA"}, {"nodeID": "3", "text": "Streets are wet", "type": "I"}],
     "edges": [{"edgeID": "4", "fromID": "1", "toID": "2"}, {"edgeID": "5", "fromID": "2", "toID": "3"}]}

I-nodes are arguments: the nodeID is the name, the text the label. I → RA → I is a support, I → CA → I an
attack; several premises of one RA are several supports. What a QBAF has no place for is left aside with a
warning: MA, PA, TA, YA and L nodes, and inferences or conflicts that end at another inference or conflict.

There are no base scores: every argument gets 0.5, and a warning says so.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import Any

from ..errors import count
from ..graph.qbaf import Qbaf
from .building import GraphBuilder, excerpt, fail, list_edges, prepare, warn, warn_of
from .strict_json import check_type, dump_line, dump_rows, loads

LOSES = ("base scores", "weights", "topics", "semantics", "groups", "uncertain base scores")
KINDS = {"RA": "support", "CA": "attack"}
LEFT_ASIDE = ("MA", "PA", "TA", "YA", "L")
TYPES = ("I", *KINDS, *LEFT_ASIDE)


def recognise(text: str) -> bool:
    return bool(re.match(r"\s*\{", text) and re.search(r'"(?:nodeID|AIF)"\s*:', text))


def parse(text: str) -> Qbaf:
    data = check_type(loads(text), dict, "the whole")
    data = check_type(data["AIF"], dict, "'AIF'") if "AIF" in data else data
    for key in ("nodes", "edges"):
        if key not in data:
            raise fail(f"no {key!r} in the object; expected nodes and edges")
    builder = GraphBuilder(merge=("argument", "edge"))
    types: dict[str, str] = {}
    for node in check_type(data["nodes"], list, "'nodes'"):
        name, kind = _take_id(check_type(node, dict, "a node"), "nodeID"), node.get("type")
        if kind not in TYPES:
            raise fail(f"node {excerpt(name)} has the type {excerpt(kind)}; expected {', '.join(TYPES)}")
        if types.get(name, kind) != kind:
            raise fail(f"node {excerpt(name)} is given twice, as {types[name]} and as {kind}")
        types[name] = str(kind)
        if kind == "I":
            builder.add_argument(name, label=None if node.get("text") == name else node.get("text"))
    _read_edges(builder, types, check_type(data["edges"], list, "'edges'"))
    skipped = Counter(kind for kind in types.values() if kind in LEFT_ASIDE)
    if skipped:
        warn("ignored: " + ", ".join(count(number, f"{kind}-node") for kind, number in sorted(skipped.items())))
    return builder.build()


def _take_id(thing: dict[str, Any], key: str) -> str:
    value = thing.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise fail(f"{excerpt(dump_line(thing))} has no {key}; expected text or an integer")
    try:
        return str(value)
    except ValueError:  # an integer of more digits than Python writes
        raise fail(f"a {key} has too many digits") from None


def _read_edges(builder: GraphBuilder, types: dict[str, str], edges: list[Any]) -> None:
    into: dict[str, list[str]] = {name: [] for name, kind in types.items() if kind in KINDS}
    out: dict[str, list[str]] = {name: [] for name in into}
    chains = loose = 0
    for edge in edges:
        source, target = (_take_end(check_type(edge, dict, "an edge"), key, types) for key in ("fromID", "toID"))
        if types[source] == types[target] == "I":
            raise fail(f"an edge joins the I-nodes {excerpt(source)} and {excerpt(target)}; expected RA or CA between")
        chains += source in into and target in into
        if types[source] == "I" and target in into:
            into[target].append(source)
        elif types[target] == "I" and source in into:
            out[source].append(target)
    for scheme, sources in into.items():
        loose += not (sources and out[scheme])
        for source, target in product(sources, out[scheme]):
            builder.add_edge(KINDS[types[scheme]], source, target)
    warn_of(loose, "RA- or CA-node", "ignored: {} without an I-node on both sides")
    warn_of(chains, "edge", "ignored: {} between RA- and CA-nodes; a QBAF has no edges to edges")


def _take_end(edge: dict[str, Any], key: str, types: dict[str, str]) -> str:
    name = _take_id(edge, key)
    if name not in types:
        raise fail(f"an edge has the {key} {excerpt(name)}, which is not a node")
    return name


def render(qbaf: Qbaf) -> str:
    """Write one RA or CA for every edge."""
    qbaf = prepare(qbaf, "aif", LOSES)
    nodes = [{"nodeID": str(name), "text": qbaf.label(name), "type": "I"} for name in qbaf.arguments]
    edges = []
    for place, (kind, source, target, _) in enumerate(list_edges(qbaf), start=1):
        scheme = f"{kind}-{place}"
        while scheme in qbaf:
            scheme += "'"
        text, letters = ("Default Conflict", "CA") if kind == "attack" else ("Default Inference", "RA")
        nodes.append({"nodeID": scheme, "text": text, "type": letters})
        edges.append({"edgeID": f"{place}a", "fromID": source, "toID": scheme})
        edges.append({"edgeID": f"{place}b", "fromID": scheme, "toID": target})
    return dump_rows({"nodes": nodes, "edges": edges, "locutions": []}, ("nodes", "edges"))
