"""Trivial Graph Format: arguments, a line `#`, edges.

    1 The rooms are quiet
    2
    #
    2 1 att

An argument is a name without blanks and, after a blank, its label. An edge is source, target and a relation:
attack, att, -, -1, con or support, sup, +, 1, pro. An edge without one is an attack, as in the files of the
solver competitions.

A line that is repeated counts once, and a warning says so. There are no base scores: every argument gets 0.5,
and a warning says so.

>>> import warnings; warnings.simplefilter("ignore")
>>> parse("1 quiet\\n2\\n#\\n2 1 sup").supports
mappingproxy({('2', '1'): 1.0})
"""

from __future__ import annotations

import re

from ..graph.qbaf import Qbaf
from .building import RELATION_WORDS, GraphBuilder, excerpt, fail, list_edges, prepare, split_lines, warn_of

LOSES = ("base scores", "weights", "empty labels", "topics", "semantics", "groups", "uncertain base scores")


def recognise(text: str) -> bool:
    return bool(re.search(r"^[ \t]*#[ \t]*\r?$", text, re.MULTILINE))


def parse(text: str) -> Qbaf:
    builder, arguments_over = GraphBuilder(merge=("argument", "edge")), False
    for line, content in split_lines(text):
        content = content.strip()
        if content == "#" and not arguments_over:
            arguments_over = True
        elif content and arguments_over:
            _read_edge(builder, content, line)
        elif content:
            name, *label = content.split(maxsplit=1)
            builder.add_argument(name, label=label[0] if label else None, line=line)
    if not arguments_over:
        raise fail("no line '#' between arguments and edges")
    return builder.build()


def _read_edge(builder: GraphBuilder, content: str, line: int) -> None:
    parts = content.split()
    if len(parts) not in (2, 3):
        raise fail(f"{excerpt(content)} is not an edge; expected source, target and {RELATION_WORDS}", line)
    kind = parts[2] if len(parts) == 3 else "attack"
    builder.add_edge(kind, parts[0], parts[1], line=line)


def render(qbaf: Qbaf) -> str:
    """Every edge with its relation."""
    why = "a name there cannot contain a space or be '#'"
    qbaf = prepare(qbaf, "tgf", LOSES, forbidden=r"\s|^#$", why=why)
    labels = _flatten_labels(qbaf)
    rows = [f"{name} {labels[str(name)]}" if name in labels else str(name) for name in qbaf.arguments]
    rows += ["#"] + [f"{source} {target} {kind[:3]}" for kind, source, target, _ in list_edges(qbaf)]
    return "".join(row + "\n" for row in rows)


def _flatten_labels(qbaf: Qbaf) -> dict[str, str]:
    """Return labels on one line each; a warning counts those that change by it."""
    flat = {str(name): " ".join(text.split()) for name, text in qbaf.labels.items()}
    changed = sum(text != flat[str(name)] for name, text in qbaf.labels.items())
    warn_of(changed, "label", "{} changed: line breaks and repeated spaces become one space")
    return {name: text for name, text in flat.items() if text}
