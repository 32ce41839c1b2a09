"""apx: facts for argumentation solvers (ASPARTIX and its kin), here with supports.

    arg(a). arg(b). arg(c).
    att(a, b).  % a comment
    support(b, c).

Any number of facts a line, each closed by `.`; `sup` is read as `support`. A name is a word without blank,
comma, parenthesis, dot, quote or %, or anything in double quotes, with \\\\, \\" and \\n inside. Names that
solvers would take for variables or numbers of another kind are written in quotes.

A fact that is repeated counts once, and a warning says so. There are no base scores: every argument gets 0.5,
and a warning says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..graph.qbaf import Qbaf
from .building import GraphBuilder, excerpt, fail, list_edges, prepare

LOSES = ("base scores", "weights", "labels", "topics", "semantics", "groups", "uncertain base scores")
KEYWORDS = {"arg": "argument", "att": "attack", "support": "support", "sup": "support"}

_TOKEN = re.compile(
    r'(?P<blank>\s+|%[^\r\n]*)|(?P<quoted>"(?:[^"\\\r\n]|\\["\\n])*")|(?P<mark>[(),.])|(?P<word>[^\s,().%"]+)'
)
_PLAIN = re.compile(r"[a-z0-9_][A-Za-z0-9_]*")
_ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}

Token = tuple[str, str, int]  # kind, text, line


def recognise(text: str) -> bool:
    fact = r'arg\s*\(\s*(?:"[^"\n]*"|[^\s,().%"]+)\s*\)\s*\.'
    return bool(re.match(r"(?:\s|%[^\n]*\n)*" + fact, text))


def parse(text: str) -> Qbaf:
    builder = GraphBuilder(merge=("argument", "edge"))
    fact: list[Token] = []
    for token in _split_tokens(text):
        fact.append(token)
        if token[1] == "." and token[0] == "mark":
            _read_fact(builder, fact)
            fact = []
    if fact:
        raise fail(f"{_quote_fact(fact)} lacks its final '.'", fact[0][2])
    return builder.build()


def _split_tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise fail(f"{excerpt(text[at : at + 20])} opens a quote that is not closed on its line", line)
        if match.lastgroup != "blank":
            yield str(match.lastgroup), match[0], line
        line += len(re.findall(r"\r\n|\r|\n", match[0]))
        at = match.end()


def _read_fact(builder: GraphBuilder, fact: list[Token]) -> None:
    line = fact[0][2]
    if fact[0][1] not in KEYWORDS:
        raise fail(f"{excerpt(fact[0][1])} is not a keyword; expected arg, att or support", line)
    kind = KEYWORDS[fact[0][1]]
    pattern = ["(", None, ")", "."] if kind == "argument" else ["(", None, ",", None, ")", "."]
    fits = len(fact) == len(pattern) + 1 and all(
        token[0] != "mark" if mark is None else token[:2] == ("mark", mark)
        for token, mark in zip(fact[1:], pattern, strict=True)
    )
    if not fits:
        form = "arg(name)." if kind == "argument" else f"{fact[0][1]}(source, target)."
        raise fail(f"{_quote_fact(fact)} is not a fact; expected {form}", line)
    names = [_read_name(token) for token in fact[1:] if token[0] != "mark"]
    if kind == "argument":
        builder.add_argument(names[0], line=line)
    else:
        builder.add_edge(kind, *names, line=line)


def _read_name(token: Token) -> str:
    if token[0] != "quoted":
        return token[1]
    return re.sub(r'\\["\\n]', lambda escape: _ESCAPES[escape[0]], token[1][1:-1])


def _quote_fact(fact: list[Token]) -> str:
    return excerpt("".join(text + (" " if text == "," else "") for _, text, _ in fact))


def render(qbaf: Qbaf) -> str:
    """One fact a line, arguments first."""
    qbaf = prepare(qbaf, "apx", LOSES, forbidden="\r", why="it has no way to write a carriage return")
    names = {str(name): _quote_name(str(name)) for name in qbaf.arguments}
    facts = [f"arg({name})." for name in names.values()]
    words = {"attack": "att", "support": "support"}
    facts += [f"{words[kind]}({names[source]}, {names[target]})." for kind, source, target, _ in list_edges(qbaf)]
    return "".join(fact + "\n" for fact in facts)


def _quote_name(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
