"""`.bag`: the text format of Uncertainpy, Attractor and the attribution papers' code.

    # the hotel
    arg(A1, 0.5).
    att(C1, A2).
    sup(P1, A1).
    sup(P1, A2, 0.5)

One fact a line; the final `.` may be missing; `#` begins a comment. A third value of `att` or `sup` is the
weight of the edge. Blanks around names do not count. A name has no comma, no parenthesis and no blank: other
readers take `my arg` for `myarg`, so such a name is read as it stands and never written.

Weights are known to one fork only, other readers drop them silently: they are written when asked for,
`render(qbaf, weights=True)`, and with a warning.

>>> parse("arg(a, 0.5).\\narg(b, 1)\\natt(a, b).")
<Qbaf: 2 arguments, 1 attack, 0 supports>
"""

from __future__ import annotations

import re

from ..errors import count
from ..graph.qbaf import Qbaf
from .building import GraphBuilder, excerpt, fail, list_edges, parse_number, prepare, split_lines, warn_of

LOSES = ("weights", "labels", "topics", "semantics", "groups", "uncertain base scores")
KEYWORDS = {"arg": "argument", "att": "attack", "sup": "support"}
_FACT = re.compile(r"(?P<keyword>[^\s(]+)\s*\((?P<inside>[^()]*)\)\s*\.?\s*(?P<rest>.*)", re.DOTALL)


def recognise(text: str) -> bool:
    return bool(re.search(r"^[ \t]*arg[ \t]*\([^(),\n]+,[^(),\n]+\)", text, re.MULTILINE))


def parse(text: str) -> Qbaf:
    builder = GraphBuilder()
    for line, content in split_lines(text):
        fact = content.strip()
        if fact and not fact.startswith("#"):
            _read_fact(builder, fact, line)
    return builder.build()


def _read_fact(builder: GraphBuilder, fact: str, line: int) -> None:
    keyword, parts = _split_fact(fact, line)
    if keyword == "arg":
        if len(parts) != 2:
            raise fail(f"{excerpt(fact)} has {count(len(parts), 'part')}; expected arg(name, base score)", line)
        score = parse_number(parts[1], f"the base score of {excerpt(parts[0])}", line)
        builder.add_argument(parts[0], score, line=line)
    else:
        if len(parts) not in (2, 3) or not all(parts[:2]):
            forms = f"{keyword}(source, target) or {keyword}(source, target, weight)"
            raise fail(f"{excerpt(fact)} is not an edge; expected {forms}", line)
        weight = parse_number(parts[2], f"the weight in {excerpt(fact)}", line) if len(parts) == 3 else 1.0
        builder.add_edge(KEYWORDS[keyword], parts[0], parts[1], weight, line=line)


def _split_fact(fact: str, line: int) -> tuple[str, list[str]]:
    """Return keyword and parts of a fact that fills its line."""
    found = _FACT.fullmatch(fact)
    word = fact.partition("(")[0].strip()
    if word not in KEYWORDS:
        raise fail(f"{excerpt(word)} is not a keyword; expected arg, att or sup", line)
    if not found and ")" not in fact:
        raise fail(f"{excerpt(fact)} lacks a closing parenthesis", line)
    if not found:
        raise fail(f"{excerpt(fact)} has parentheses inside parentheses; a name cannot hold them", line)
    rest = found["rest"]
    if rest and not rest.startswith("#"):
        raise fail(f"{excerpt(rest)} follows a fact on the same line; write one fact per line", line)
    return word, [part.strip() for part in found["inside"].split(",")]


def render(qbaf: Qbaf, *, weights: bool = False) -> str:
    """Facts, arguments first; `weights=True` writes weights as a third value."""
    loses = [what for what in LOSES if not (weights and what == "weights")]
    why = "a name there cannot contain a space, comma or parenthesis"
    qbaf = prepare(qbaf, "bag", loses, forbidden=r"[\s,()]", why=why)
    facts = [f"arg({name}, {score!r})." for name, score in qbaf.base_scores.items()]
    weighted = 0
    for kind, source, target, weight in list_edges(qbaf):
        third = f", {weight!r}" if weights and weight != 1 else ""
        weighted += bool(third)
        facts.append(f"{kind[:3]}({source}, {target}{third}).")
    warn_of(weighted, "weight", "{} written to bag; most readers of that format drop them silently")
    return "".join(fact + "\n" for fact in facts)
