"""From the words of the command line to a graph and its two topics."""

from __future__ import annotations

import sys
from pathlib import PurePath

from ..errors import FormatError, InvalidInput, quoted, unknown
from ..formats import read, read_bytes
from ..qbaf import Name, Qbaf
from ..solve import strengths
from ..whatif import changed
from .options import Graph, Meaning


def graph(asked: Graph) -> Qbaf:
    """The graph as the command asked for it: read, base scores set, arguments removed."""
    return changed(unchanged(asked), scores(asked), removed(asked))


def unchanged(asked: Graph) -> Qbaf:
    """The graph as the file has it."""
    if asked.file != "-":
        return read(asked.file, asked.read_as)
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidInput("FILE is -, but nothing is piped in; pipe a graph in, or name a file")
    return read_bytes(sys.stdin.buffer.read(), asked.read_as, name="standard input")


def scores(asked: Graph) -> dict[Name, float]:
    """--set NAME=SCORE as a mapping."""
    found: dict[Name, float] = {}
    for text in asked.sets or ():
        name, mark, number = text.rpartition("=")
        if not mark or not name:
            raise InvalidInput(f"--set {text!r} lacks its score; write --set NAME=SCORE, as in --set {text or 'a'}=0.7")
        try:
            value = float(number)
        except ValueError:
            raise InvalidInput(f"--set {text!r}: {number!r} is not a number; give one between 0 and 1") from None
        if not 0 <= value <= 1:
            raise InvalidInput(f"--set {text!r}: a base score lies between 0 and 1")
        if name in found:
            raise InvalidInput(f"--set gives {name!r} two base scores; keep one")
        found[name] = value
    return found


def removed(asked: Graph) -> tuple[Name, ...]:
    """--remove NAME, each once."""
    return tuple(dict.fromkeys(asked.removes or ()))


def pair(qbaf: Qbaf, fact: Name | None, foil: Name | None, under: Meaning, asked: Graph) -> tuple[Name, Name]:
    """The two topics of the question: those named, else the strongest of the file's topics."""
    gone = removed(asked)
    for name, role in ((fact, "FACT"), (foil, "FOIL")):
        if name is not None and name in gone and name not in qbaf:
            raise InvalidInput(f"{name!r} is {role} and removed by --remove; keep it, or set it to 0")
        if name is not None and name not in qbaf:
            raise unknown(name, qbaf.arguments)
    if fact is not None and foil is not None:
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
        return fact, foil
    rest = [topic for topic in qbaf.topics if topic != fact]
    if len(rest) < (2 if fact is None else 1):
        has = f"the topics {quoted(qbaf.topics)}" if len(qbaf.topics) > 1 else "less than two topics"
        raise InvalidInput(f"{asked.file} has {has}; name FACT and FOIL after it")
    order = ordered(qbaf, rest, under)
    return (order[0], order[1]) if fact is None else (fact, order[0])


def ordered(qbaf: Qbaf, topics: list[Name], under: Meaning) -> list[Name]:
    """Strongest first; ties in the order of the file."""
    found = strengths(qbaf, **under.chosen())
    return sorted(topics, key=lambda topic: -round(found[topic], 10))


def stated_format(path: str, write_as: str | None) -> str | None:
    """The format to write, where the path is - and so has no suffix."""
    if path == "-" and write_as is None:
        raise FormatError("standard output has no suffix; say --write-as FORMAT", "-")
    return write_as


def is_page(out: str) -> None:
    """Refuse to write a page under the name of something else."""
    suffix = PurePath(out).suffix.lower()
    if out != "-" and suffix not in ("", ".html", ".htm"):
        raise InvalidInput(f"a report is a page of HTML, and {out!r} ends in {suffix}; end it in .html")
