"""The text that Kialo exports: a discussion as a numbered tree.

    Discussion Title: Should towns ban cars from their centres?

    1. Towns should ban cars from their centres.
    1.1. Pro: The air becomes cleaner.
    1.1.1. Con: Traffic moves to other streets.
    1.2. Con: Shops lose customers.
    1.2.1. Pro: -> See 1.1.1.

A claim's number is its name, its text the label; Pro supports and Con attacks the claim above it.
`-> See 1.1.1.` is one more edge from that claim, which may stand further down. Text may run over several
lines; `[text](url)` becomes its text and a backslash before a mark is dropped. Children with neither Pro
nor Con are the topics; if there are none, the first claim is the topic. A first claim that has only such
children is the question and no argument.

There are no base scores: every argument gets 0.5, and a warning says so. Writing gives new numbers for
names. An argument that reaches no topic has no place in the tree and is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ..errors import quote_names, unknown_name
from ..graph.qbaf import Qbaf
from ..types import Name
from .building import GraphBuilder, excerpt, fail, list_edges, prepare, split_lines, warn, warn_of

LOSES = ("base scores", "weights", "empty labels", "semantics", "groups", "uncertain base scores", "names")
KINDS = {"Pro": "support", "Con": "attack"}
MAX_DEPTH = 500

_CLAIM = re.compile(r"(?P<number>1(?:\.[0-9]{1,6})*)\.\s+(?:(?P<side>Pro|Con):(?:\s+|$))?(?P<text>.*)", re.DOTALL)
_SEE = re.compile(r"->\s*See\s+(?P<number>[0-9]+(?:\.[0-9]+)*)\.?\s*")
_TITLE = re.compile(r"\s*Discussion (?:Title|Name):", re.IGNORECASE)
_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\s\\]|\\.)*\)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass
class Claim:
    number: str
    side: str | None
    lines: list[str]
    line: int

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    @property
    def above(self) -> str:
        return self.number.rpartition(".")[0]


def recognise(text: str) -> bool:
    return bool(_TITLE.match(text) or (re.match(r"\s*1\. \S", text) and re.search(r"^1\.1\. ", text, re.MULTILINE)))


def parse(text: str) -> Qbaf:
    claims = _read_claims(text)
    links = {number: found["number"] for number, claim in claims.items() if (found := _SEE.fullmatch(claim.text))}
    topics = [claim.number for claim in claims.values() if claim.side is None and claim.above]
    builder = GraphBuilder(merge=["edge"])  # the same link may stand twice
    question = bool(topics) and not any(claim.side and claim.above == "1" for claim in claims.values())
    for number, claim in claims.items():
        if number not in links and not (question and number == "1"):
            builder.add_argument(number, label=_unescape(claim.text) or None, line=claim.line)
    for claim in claims.values():
        if claim.side:
            source, target = (_follow_links(number, links, claims) for number in (claim.number, claim.above))
            builder.add_edge(KINDS[claim.side], source, target, line=claim.line)
        elif claim.number in links:
            raise fail(f"'-> See {links[claim.number]}' is neither Pro nor Con", claim.line)
    return builder.build(topics=topics or ["1"])


def _read_claims(text: str) -> dict[str, Claim]:
    """Read every claim with all of its lines."""
    claims: dict[str, Claim] = {}
    last: Claim | None = None
    for line, content in split_lines(text):
        found = _CLAIM.fullmatch(content)
        if found:
            last = Claim(found["number"], found["side"], [found["text"]], line)
            _check(last, claims)
            claims[last.number] = last
        elif last:
            last.lines.append(content)
        elif content.strip() and not _TITLE.match(content):
            raise fail(f"{excerpt(content)} comes before the first claim; expected '1. ' and its text", line)
    if not claims:
        raise fail("no claim; expected a line '1. ' and its text")
    return claims


def _check(claim: Claim, claims: dict[str, Claim]) -> None:
    if claim.number in claims:
        raise fail(f"claim {claim.number} was given before, in line {claims[claim.number].line}", claim.line)
    if claim.above and claim.above not in claims:
        missing = f"there is no claim {claim.above} before it"
        raise fail(f"claim {claim.number} belongs under {claim.above}, but {missing}", claim.line)
    if not claim.above and claim.side:
        raise fail(f"the first claim is a {claim.side}; expected the thesis", claim.line)


def _follow_links(number: str, links: dict[str, str], claims: dict[str, Claim]) -> str:
    seen = {number}
    while number in links:
        line, number = claims[number].line, links[number]
        if number not in claims:
            reason = unknown_name(number[:80], claims, "claim")
            raise fail(f"'-> See {excerpt(number)[1:-1]}' leads nowhere: {reason}", line)
        if number in seen:
            raise fail(f"'-> See {number}' leads in a circle", line)
        seen.add(number)
    return number


def _unescape(text: str) -> str:
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1", text))


def render(qbaf: Qbaf) -> str:
    """The tree over the topics; edges beyond a tree become links."""
    qbaf = prepare(qbaf, "kialo", LOSES)
    if not qbaf.topics:
        raise fail("kialo needs a topic as the root of its tree; give the graph topics")
    # a discussion that was read with one topic under its question has the topic 1.1
    question = len(qbaf.topics) > 1 or qbaf.topics == ("1.1",)
    numbers, rows = _number_claims(qbaf, question)
    if len(numbers) < len(qbaf):
        lost = [name for name in qbaf.arguments if name not in numbers]
        raise fail(f"kialo cannot hold arguments that reach no topic: {quote_names(lost, limit=3)}")
    if any(name != number for name, number in numbers.items()):
        warn("kialo cannot hold names; arguments are numbered by their place in the tree")
    changed = sum(_strip(text) != text for text in map(qbaf.label, qbaf.arguments))
    warn_of(changed, "label", "{} changed: spaces at the ends and carriage returns are lost")
    texts = ["1. Which of these?"] if question else []
    for number, side, name in rows:
        text = _escape(_strip(qbaf.label(name))) if numbers[name] == number else f"-> See {numbers[name]}."
        texts.append(f"{number}. {side}{text}")
    return "".join(f"{text}\n" for text in texts)


def _number_claims(qbaf: Qbaf, question: bool) -> tuple[dict[Name, str], list[tuple[str, str, Name]]]:
    """Number the claims from the topics down; return the numbers, and (number, side, claim) in the tree's order."""
    above: dict[Name, list[tuple[str, str]]] = {name: [] for name in qbaf.arguments}
    for kind, source, target, _ in list_edges(qbaf):
        above[target].append(("Con: " if kind == "attack" else "Pro: ", source))
    numbers = {topic: f"1.{place}" if question else "1" for place, topic in enumerate(qbaf.topics, start=1)}
    rows: list[tuple[str, str, Name]] = [(number, "", topic) for topic, number in numbers.items()]
    queue = list(qbaf.topics)
    for name in queue:  # grows while it is walked: breadth first
        for place, (side, child) in enumerate(above[name], start=1):
            rows.append((f"{numbers[name]}.{place}", side, child))
            if child not in numbers:
                if rows[-1][0].count(".") >= MAX_DEPTH:
                    raise fail(f"kialo cannot hold a tree of more than {MAX_DEPTH} levels")
                numbers[child] = rows[-1][0]
                queue.append(child)
    rows.sort(key=lambda row: [int(part) for part in row[0].split(".")])
    return numbers, rows


def _strip(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text).strip()


def _escape(text: str) -> str:
    text = re.sub(r"([\\()\[\]])", r"\\\1", text)
    text = re.sub(r"^(->|Pro:|Con:)", lambda mark: mark[0][:-1] + "\\" + mark[0][-1], text)
    return re.sub(r"^(1)\.", r"\1\\.", text, flags=re.MULTILINE)
