"""The ICCMA 2023 format: an abstract argumentation framework with numbered arguments.

    p af 3
    # 1 attacks 2
    1 2
    2 3

Arguments are called '1' … 'n'. `#` lines are comments. There are attacks only, and no base scores: every
argument gets 0.5, and a warning says so.

Writing numbers the arguments in their order, keeps their names as comments for people, and warns that a
reader will not see them; a graph with supports is refused, for without them it would be another graph.
"""

from __future__ import annotations

import re

from ..qbaf import Qbaf
from ._draft import Draft
from ._text import count, edges_of, fail, lines, prepare, shown, warn

LOSES = ("base scores", "weights", "labels", "topics", "semantics")
MAX_ARGUMENTS = 1_000_000


def sniff(text: str) -> bool:
    return bool(re.match(r"(?:\s|#[^\n]*\n)*p\s+af\s+[0-9]+\s", text + "\n"))


def parse(text: str) -> Qbaf:
    draft, size = Draft(), None
    for line, content in lines(text):
        content = content.strip()
        if not content or content.startswith("#"):
            continue
        if size is None:
            size = _size(content, line)
        else:
            parts = content.split()
            if len(parts) != 2:
                raise fail(f"{shown(content)} is no attack; expected two numbers", line)
            draft.edge("attack", *(_index(part, size, line) for part in parts), line=line)
    if size is None:
        raise fail("no line 'p af <number of arguments>'")
    for index in range(1, size + 1):
        draft.argument(str(index))
    return draft.build()


def _size(content: str, line: int) -> int:
    found = re.fullmatch(r"p\s+af\s+([0-9]{1,12})", content)
    if not found:
        raise fail(f"{shown(content)} stands first; expected 'p af <number of arguments>'", line)
    size = int(found[1])
    if size > MAX_ARGUMENTS:
        raise fail(f"{size:,} arguments are announced; the limit is {MAX_ARGUMENTS:,}", line)
    return size


def _index(text: str, size: int, line: int) -> str:
    if not re.fullmatch(r"[0-9]{1,12}", text) or not 1 <= int(text) <= size:
        raise fail(f"{shown(text)} is no argument; expected a number from 1 to {size}", line)
    return str(int(text))


def render(qbaf: Qbaf) -> str:
    """Attacks between numbers; names, where they are others, as comments."""
    supports = len(qbaf.supports)
    if supports:
        raise fail(f"iccma holds attacks only and this graph has {count(supports, 'support')}; apx and tgf hold both")
    qbaf = prepare(qbaf, "iccma", LOSES)
    numbers = {str(name): str(place) for place, name in enumerate(qbaf.arguments, start=1)}
    rows = [f"p af {len(qbaf)}"]
    if any(name != place for name, place in numbers.items()):
        warn("iccma cannot hold names; arguments are numbered in their order and names become comments")
        rows += [f"# {place} is {name!r}" for name, place in numbers.items()]
    rows += [f"{numbers[source]} {numbers[target]}" for _, source, target, _ in edges_of(qbaf)]
    return "".join(row + "\n" for row in rows)
