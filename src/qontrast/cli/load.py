"""From the words of the command line to a graph and its two topics."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

from ..engine.problem import strengths
from ..errors import FormatError, Hint, InvalidInput
from ..explain.whatif import apply_changes
from ..formats import FORMATS, read, read_bytes
from ..formats.disk import find_descriptor, is_stream
from ..graph.labels import shorten, visible
from ..graph.qbaf import Qbaf
from ..types import Name
from .options import Graph, Meaning, Source

MAX_CANDIDATES = 12  # arguments that a message suggests as topics


def graph(asked: Source) -> Qbaf:
    """The graph as the command asked for it: read, topics named, base scores set, arguments removed."""
    qbaf = unchanged(asked)
    return apply_changes(qbaf, scores(qbaf, asked), removed(qbaf, asked))


def unchanged(asked: Source) -> Qbaf:
    """The graph as the file has it, with the topics of --topic."""
    if asked.file != "-":
        qbaf = read(asked.file, asked.read_as)
    elif sys.stdin is None or sys.stdin.isatty():
        raise InvalidInput("FILE is -, but nothing is piped in; pipe a graph in, or name a file")
    else:
        qbaf = read_bytes(sys.stdin.buffer.read(), asked.read_as, name="standard input")
    return _with_topics(qbaf, asked)


def _with_topics(qbaf: Qbaf, asked: Source) -> Qbaf:
    if not isinstance(asked, Graph) or not asked.topics:
        return qbaf
    names = list(dict.fromkeys(qbaf.resolve(topic) for topic in asked.topics))
    for name in removed(qbaf, asked):
        if name in names:
            raise InvalidInput(f"{name!r} is a topic by --topic and removed by --remove; do one of the two")
    return qbaf.with_topics(names)


def scores(qbaf: Qbaf, asked: Source) -> dict[Name, float]:
    """--set NAME=SCORE as a mapping."""
    found: dict[Name, float] = {}
    for text in asked.sets or ():
        given, mark, number = text.rpartition("=")
        if not mark or not given:
            raise InvalidInput(f"--set {text!r} lacks its score; write --set NAME=SCORE, as in --set {text or 'a'}=0.7")
        try:
            value = float(number)
        except ValueError:
            raise InvalidInput(f"--set {text!r}: {number!r} is not a number; give one between 0 and 1") from None
        if not 0 <= value <= 1:
            raise InvalidInput(f"--set {text!r}: a base score lies between 0 and 1")
        name = qbaf.resolve(given)
        if name in found:
            raise InvalidInput(f"--set gives {name!r} two base scores; keep one")
        found[name] = value
    return found


def removed(qbaf: Qbaf, asked: Source) -> tuple[Name, ...]:
    """--remove NAME, each once."""
    return resolved(qbaf, asked.removes or ())


def resolved(qbaf: Qbaf, names: Iterable[Name]) -> tuple[Name, ...]:
    """The arguments that these names or labels stand for, each once."""
    return tuple(dict.fromkeys(qbaf.resolve(name) for name in names))


def pair(asked: Graph, fact: Name | None, foil: Name | None, under: Meaning) -> tuple[Qbaf, Name, Name]:
    """The changed graph and the two topics of the question: those named, else the strongest of the topics."""
    before = unchanged(asked)
    gone, scored = removed(before, asked), scores(before, asked)
    one, other = (None if name is None else before.resolve(name) for name in (fact, foil))
    for name, role in ((one, "FACT"), (other, "FOIL")):
        if name is not None and name in gone:
            raise InvalidInput(f"{name!r} is {role} and removed by --remove; keep it, or set it to 0")
    qbaf = apply_changes(before, scored, gone)
    return qbaf, *strongest(qbaf, one, other, under, asked)


def strongest(qbaf: Qbaf, fact: Name | None, foil: Name | None, under: Meaning, asked: Graph) -> tuple[Name, Name]:
    """Fact and foil as named; what is not named is the strongest of the other topics."""
    if fact is not None and foil is not None:
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
        return fact, foil
    rest = [topic for topic in qbaf.topics if topic != fact]
    if len(rest) < (2 if fact is None else 1):
        raise too_few_topics(qbaf, asked, "name FACT and FOIL after the file, or ")
    order = ordered(qbaf, rest, under)
    return (order[0], order[1]) if fact is None else (fact, order[0])


def check_topics(qbaf: Qbaf, asked: Graph) -> None:
    """Refuse a graph with fewer than two topics."""
    if len(qbaf.topics) < 2:
        raise too_few_topics(qbaf, asked)


def too_few_topics(qbaf: Qbaf, asked: Graph, way: str = "") -> InvalidInput:
    """The error for a question that needs two topics, with the arguments that could be some."""
    has = f"only one topic, {qbaf.topics[0]!r}" if qbaf.topics else "no topics"
    ends = [name for name in qbaf.sinks() if name not in qbaf.topics]
    names = [*ends, *(name for name in qbaf.arguments if name not in ends and name not in qbaf.topics)]
    shown = [_named(qbaf, name) for name in names[:MAX_CANDIDATES]]
    more = f" and {len(names) - MAX_CANDIDATES:,} more" if len(names) > MAX_CANDIDATES else ""
    first = " (those that act on no other come first)" if ends and len(ends) < len(names) else ""
    candidates = f". Candidates{first}: {', '.join(shown)}{more}" if shown else ""
    file = "standard input" if asked.file == "-" else asked.file
    return InvalidInput(f"{file} has {has}; {way}give --topic NAME for each{candidates}")


def _named(qbaf: Qbaf, name: Name) -> str:
    label = qbaf.label(name)
    return f"{name!r}" if label == str(name) else f"{name!r} (“{shorten(visible(label))}”)"


def ordered(qbaf: Qbaf, topics: list[Name], under: Meaning) -> list[Name]:
    """Strongest first; ties in the order of the file."""
    found = strengths(qbaf, **under.chosen())
    return sorted(topics, key=lambda topic: -round(found[topic], 10))


def stated_format(path: str, write_as: str | None) -> str | None:
    """The format to write; a path without a suffix of its own needs --write-as."""
    if write_as is None and to_stdout(path):
        hint = Hint("write_as", tuple(FORMATS))
        raise FormatError("has no suffix that tells the format", "standard output", hints=[hint])
    return write_as


def to_stdout(out: str) -> bool:
    """Whether a path means standard output: - or /dev/stdout."""
    return out == "-" or find_descriptor(Path(out)) == 1


def without_suffix(out: str) -> bool:
    """Whether a path is one that cannot have a suffix: standard output, a device, a pipe."""
    try:
        return to_stdout(out) or (not PurePath(out).suffix and is_stream(Path(out)))
    except (OSError, ValueError):
        return False  # writing says what is wrong with it


def check_page_name(out: str) -> None:
    """Refuse to write a page under the name of something else."""
    suffix = PurePath(out).suffix.lower()
    if out != "-" and suffix not in ("", ".html", ".htm"):
        raise InvalidInput(f"a report is a page of HTML, and {out!r} ends in {suffix}; end it in .html")
