"""What readers and writers of every format share: places, numbers, the words for relations, what is lost.

A reader is a pure function of its text and does not know the file. `reading(name)` lends it the name for
its messages, so that `hotel.bag:7: …` can be said from any depth.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from ..errors import FormatError, FormatWarning, quoted
from ..graph.qbaf import Qbaf

Place = tuple[str | None, int | None]  # file and line, where known

DEFAULT_BASE_SCORE = 0.5

RELATIONS = dict.fromkeys(("attack", "attacks", "att", "-", "-1", "con"), "attack") | dict.fromkeys(
    ("support", "supports", "sup", "+", "1", "+1", "pro"), "support"
)
RELATION_WORDS = "attack, att, -, -1, con or support, sup, +, 1, pro"

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LINE_END = re.compile(r"\r\n|\r|\n")  # str.splitlines would also split at U+2028, which a label may hold
_TOPIC_WORDS = {"": 0, "no": 0, "false": 0, "yes": 1, "true": 1, "x": 1}
_reading: ContextVar[str | None] = ContextVar("reading", default=None)
_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def reading(name: str | None) -> Iterator[None]:
    """Messages from inside name this file."""
    token = _reading.set(name)
    try:
        yield
    finally:
        _reading.reset(token)


@contextmanager
def silence() -> Iterator[None]:
    """Nothing is warned of inside, for a text that is read once more."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def here(line: int | None = None) -> Place:
    return _reading.get(), line


def fail(message: str, line: int | None = None) -> FormatError:
    return FormatError(message, *here(line))


def warn(message: str) -> None:
    """A FormatWarning that names the file and points at the caller outside this library."""
    if _silent.get():
        return
    name, level, frame = _reading.get(), 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "qontrast":
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{name}: {message}" if name else message, FormatWarning, stacklevel=level)


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, whatever system wrote them."""
    return enumerate(_LINE_END.split(text), start=1)


def shown(value: object, most: int = 60) -> str:
    """A piece of a file for a message: quoted, and cut where it is long."""
    text = value if isinstance(value, str) else str(type(value).__name__ if isinstance(value, dict | list) else value)
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def number(text: str, what: str, line: int | None = None) -> float:
    """A decimal number as files write it; float() would also take 'nan', '1_0' and digits of other scripts."""
    if not _NUMBER.fullmatch(text.strip()):
        raise fail(f"{what} is {shown(text)}; expected a number", line)
    return float(text.strip())  # float() itself strips fewer kinds of blank


def relation(word: object, line: int | None = None) -> str:
    kind = RELATIONS.get(str(word).strip().casefold())
    if kind is None:
        raise fail(f"{shown(word)} is not a relation; expected {RELATION_WORDS}", line)
    return kind


def topic_rank(value: object, line: int | None = None) -> int:
    """Which topic an argument is: 0 for none, else its place among them (yes, true, x count as 1)."""
    word = str(value).strip().casefold()
    if word in _TOPIC_WORDS:
        return _TOPIC_WORDS[word]
    if re.fullmatch(r"[0-9]{1,9}", word):
        return int(word)
    raise fail(f"topic is {shown(value)}; expected yes, no or a place 1, 2, 3 …", line)


# -- writing ------------------------------------------------------------------------------------------


def prepare(qbaf: Qbaf, format: str, loses: Iterable[str] = ()) -> Qbaf:
    """The graph with names as text; a warning names what of it the format cannot hold."""
    lost = [what for what in loses if _holds(qbaf, what)]
    if lost:
        warn(f"{format} cannot hold {', '.join(lost)}; these are lost")
    return with_text_names(qbaf)


def _holds(qbaf: Qbaf, what: str) -> bool:
    match what:
        case "base scores":
            return bool((qbaf.base_array != DEFAULT_BASE_SCORE).any())
        case "weights":
            return bool((np.abs(qbaf.weights) != 1).any())
        case "empty labels":
            return "" in qbaf.labels.values()
        case "labels" | "topics" | "semantics":
            return bool(getattr(qbaf, what))
        case _:
            raise ValueError(f"nothing is known about losing {what!r}")


def with_text_names(qbaf: Qbaf) -> Qbaf:
    """A graph from arrays calls its arguments 0, 1, 2, …; in a file they are '0', '1', '2', …"""
    if all(isinstance(name, str) for name in qbaf.arguments):
        return qbaf
    warn(f"{count(len(qbaf), 'integer name')} written as text: {qbaf.arguments[0]} becomes '{qbaf.arguments[0]}'")
    return Qbaf.from_arrays(
        qbaf.base_array,
        qbaf.sources,
        qbaf.targets,
        qbaf.weights,
        names=[str(name) for name in qbaf.arguments],
        labels={str(name): text for name, text in qbaf.labels.items()},
        topics=[str(name) for name in qbaf.topics],
        semantics=qbaf.semantics,
    )


def refuse_names(qbaf: Qbaf, format: str, forbidden: re.Pattern[str], why: str) -> None:
    """Names that the format has no way to write are an error that lists them."""
    bad = [name for name in qbaf.arguments if forbidden.search(str(name))]
    if bad:
        raise fail(f"{format} cannot hold the {count(len(bad), 'name')} {quoted(bad, most=3)}: {why}")


def flat_labels(qbaf: Qbaf) -> dict[str, str]:
    """Labels on one line each; a warning counts those that change by it."""
    flat = {str(name): " ".join(text.split()) for name, text in qbaf.labels.items()}
    changed = sum(text != flat[str(name)] for name, text in qbaf.labels.items())
    if changed:
        warn(f"{count(changed, 'label')} changed: line breaks and repeated spaces become one space")
    return {name: text for name, text in flat.items() if text}


def edges_of(qbaf: Qbaf) -> Iterator[tuple[str, str, str, float]]:
    """(kind, source, target, weight) of every edge, attacks first."""
    for kind, relation_ in (("attack", qbaf.attacks), ("support", qbaf.supports)):
        for (source, target), weight in relation_.items():
            yield kind, str(source), str(target), weight
