"""Build a graph while a file is read, and prepare one for writing: what the formats share.

A reader is a pure function of its text. `file_context(name)` gives it the name of the file for its messages, so that a
failure at any depth reads `hotel.bag:7: …`. `Qbaf` checks a graph as a whole; a `GraphBuilder` checks every argument
and edge as it is added, so that the error can name the line.

>>> builder = GraphBuilder()
>>> builder.add_argument("a", 0.5, line=1)
>>> builder.add_edge("attack", "a", "b", line=2)
>>> builder.build()
Traceback (most recent call last):
qontrast.errors.FormatError: line 2: the attack from 'a' to 'b' ends nowhere: no argument 'b' among the 1 here: 'a'
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import inf
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from ..errors import (
    FormatError,
    FormatWarning,
    Hint,
    InvalidInput,
    QontrastError,
    UnknownName,
    count,
    quote_names,
    unknown_name,
)
from ..graph.distributions import Distribution, Interval, read_distribution
from ..graph.qbaf import Qbaf

DEFAULT_BASE_SCORE = 0.5
RELATIONS = dict.fromkeys(("attack", "attacks", "att", "-", "-1", "con"), "attack") | dict.fromkeys(
    ("support", "supports", "sup", "+", "1", "+1", "pro"), "support"
)
RELATION_WORDS = "attack, att, -, -1, con or support, sup, +, 1, pro"
MAX_EXCERPT_CHARACTERS = 60
READ_ALL = Hint("all_graphs", in_python="read_many reads them all")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LINE_END = re.compile(r"\r\n|\r|\n")  # str.splitlines would also split at U+2028, which a label may hold
# what people write, and what spreadsheets write for TRUE and FALSE in European languages
_YES = (
    *("yes", "x", "ja", "oui", "sí", "si", "sì", "sim", "tak"),
    *("true", "wahr", "vrai", "verdadero", "vero", "verdadeiro", "waar", "prawda", "pravda", "sant", "sand", "sann"),
    *("tosi", "igaz", "adevărat", "doğru", "αληθησ", "истина"),
)
_NO = (
    *("", "no", "nein", "non", "não", "nee", "nej", "nei", "nie"),
    *("false", "falsch", "faux", "falso", "onwaar", "fałsz", "nepravda", "falskt", "falsk", "usann"),
    *("epätosi", "hamis", "fals", "yanliş", "ψευδησ", "ложь"),
)
_TOPIC_WORDS = dict.fromkeys(_YES, 1) | dict.fromkeys(_NO, 0)
_file: ContextVar[str | None] = ContextVar("file", default=None)
_muted: ContextVar[bool] = ContextVar("muted", default=False)
_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)

T = TypeVar("T")


# -- messages -----------------------------------------------------------------------------------------


def file_context(name: str | None) -> AbstractContextManager[None]:
    """Name this file in the errors and warnings that are raised inside; None keeps the one around."""
    return _set_inside(_file, name or _file.get())


@contextmanager
def line_context(line: int) -> Iterator[None]:
    """Name this line of the file in the errors that are raised inside, for a text that is one line of it."""
    try:
        yield
    except FormatError as error:
        raise FormatError(error.message, error.file, line, hints=error.hints) from None


def mute_warnings() -> AbstractContextManager[None]:
    """Give no warnings inside, for a text that is read a second time."""
    return _set_inside(_muted, True)


def collect_warnings(messages: list[str]) -> AbstractContextManager[None]:
    """Append the messages of warnings to a list inside, instead of giving them."""
    return _set_inside(_collected, messages)


@contextmanager
def _set_inside(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def fail(message: str, line: int | None = None, *, hints: Iterable[Hint] = ()) -> FormatError:
    """Make the error that names the current file and this line."""
    return FormatError(message, _file.get(), line, hints=hints)


def warn(message: str) -> None:
    """Give a FormatWarning that names the file and points at the caller outside this library."""
    if _muted.get():
        return
    collected = _collected.get()
    if collected is not None:
        collected.append(message)
        return
    name, level, frame = _file.get(), 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "qontrast":
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{name}: {message}" if name else message, FormatWarning, stacklevel=level)


def warn_of(number: int, noun: str, message: str) -> None:
    """Warn of this many things, if there are any; `{}` in the message stands for number and noun."""
    if number:
        warn(message.format(count(number, noun)))


def warn_ignored(names: Iterable[str], what: str = "", where: str = "") -> None:
    """Warn of names in a file that are not understood, if there are any."""
    names = list(dict.fromkeys(names))
    if names:
        warn(f"{what}not understood and ignored{where}: {quote_names(names, limit=6)}")


def excerpt(value: object) -> str:
    """Quote a piece of a file for a message, cut where it is long."""
    text = value if isinstance(value, str) else str(type(value).__name__ if isinstance(value, dict | list) else value)
    return repr(text if len(text) <= MAX_EXCERPT_CHARACTERS else text[: MAX_EXCERPT_CHARACTERS - 1] + "…")


# -- values -------------------------------------------------------------------------------------------


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and content of every line, whatever system wrote it."""
    return enumerate(_LINE_END.split(text), start=1)


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def parse_number(text: str, what: str, line: int | None = None) -> float:
    """Read a decimal number; float() would also take 'nan', '1_0' and digits of other scripts."""
    if not _NUMBER.fullmatch(text.strip()):
        raise fail(f"{what} is {excerpt(text)}; expected a number", line)
    return float(text.strip())  # float() itself strips fewer kinds of blank


def parse_relation(word: object, line: int | None = None) -> str:
    kind = RELATIONS.get(str(word).strip().casefold())
    if kind is None:
        raise fail(f"{excerpt(word)} is not a relation; expected {RELATION_WORDS}", line)
    return kind


def _parse_topic_rank(value: object, line: int | None) -> int:
    """Read which topic an argument is: 0 for none, else its place among them."""
    word = str(value).strip().casefold()
    if word in _TOPIC_WORDS:
        return _TOPIC_WORDS[word]
    if re.fullmatch(r"[0-9]{1,9}", word):
        return int(word)
    raise fail(f"topic is {excerpt(value)}; expected yes, no or a place 1, 2, 3 …", line)


def check_text(value: object, what: str, line: int | None = None) -> str:
    """Return a string that every file can hold."""
    if not isinstance(value, str):
        raise fail(f"{what} is {excerpt(value)}; expected text", line)
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise fail(f"{what} holds half a surrogate pair: {value[:40]!a}", line)
    return value


def to_float(value: object, what: str, line: int | None = None) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):  # NumPy's numbers are Real too
        raise fail(f"{what} is {excerpt(value)}; expected a number", line)
    try:
        return float(value)
    except OverflowError:
        raise fail(f"{what} is too large for a number", line) from None


# -- reading ------------------------------------------------------------------------------------------


class GraphBuilder:
    """Collect arguments and edges in the order in which they are read; `build` makes the graph.

    What `merge` names, "argument" or "edge", counts once when it is given again in exactly the same way, and a warning
    says how many there were; where the two differ, and without `merge`, the second is an error.
    """

    def __init__(self, merge: Collection[str] = ()) -> None:
        self.merge = merge
        self.repeated = {"argument": 0, "edge": 0}
        self.base_scores: dict[str, float | None] = {}
        self.labels: dict[str, str] = {}
        self.topic_ranks: dict[str, int] = {}
        self.group_of: dict[str, str] = {}
        self.uncertain: dict[str, Distribution] = {}
        self.edges: dict[tuple[str, str], tuple[str, float]] = {}
        self.places: dict[str | tuple[str, str], tuple[str | None, int | None]] = {}  # file and line

    def add_argument(
        self,
        name: object,
        base_score: object = None,
        *,
        label: object = None,
        topic: object = "",
        group: object = None,
        line: int | None = None,
    ) -> None:
        """Add an argument.

        A base score of None means that the file has none for it. `topic` is its place among the topics; empty, no and
        false mean that it is none, and yes, true and x count as 1, in other European languages too. `group` is the name
        of its group; None and the empty text mean that it is in none.
        """
        name = check_text(name, "the name of an argument", line)
        if not name:
            raise fail("an argument has an empty name; give every argument a name", line)
        score = None if base_score is None else _check_base_score(name, base_score, line)
        label = None if label is None else check_text(label, f"the label of {name[:60]!r}", line)
        rank = 0 if topic == "" else _parse_topic_rank(topic, line)
        group = "" if group is None else check_text(group, f"the group of {excerpt(name)}", line)
        if name in self.base_scores:
            before = self.base_scores[name], self.labels.get(name), self.topic_ranks.get(name, 0)
            same_group = self.group_of.get(name, "") == group
            if "argument" in self.merge and before == (score, label, rank) and same_group:
                self.repeated["argument"] += 1
                return
            raise fail(f"argument {excerpt(name)} was given before{self._in_line(name)}", line)
        self.base_scores[name] = score
        self.places[name] = _file.get(), line
        if label is not None:
            self.labels[name] = label
        if rank:
            self.topic_ranks[name] = rank
        if group:
            self.group_of[name] = group

    def add_uncertain(self, name: str, value: object, *, line: int | None = None) -> None:
        """Say what the base score of an argument may be: (low, high), or `{"interval": [low, high]}` and the like."""
        if name not in self.base_scores:
            raise fail(
                f"the uncertain base score of {excerpt(name)}: {unknown_name(name[:80], self.base_scores)}", line
            )
        try:
            self.uncertain[name] = read_distribution(value)
        except (InvalidInput, UnknownName) as error:
            raise fail(f"the uncertain base score of {excerpt(name)}: {error.args[0]}", line) from None

    def add_edge(
        self, kind: str, source: object, target: object, weight: object = 1.0, *, line: int | None = None
    ) -> None:
        """Add an edge of a kind that is any word for attack or support; its ends may be added later."""
        kind = kind if kind in ("attack", "support") else parse_relation(kind, line)
        pair = check_text(source, "the source of an edge", line), check_text(target, "the target of an edge", line)
        value = weight if type(weight) is float else to_float(weight, f"the weight of the {kind} {_ends(pair)}", line)
        if not 0 <= value < inf:
            raise fail(f"the weight of the {kind} {_ends(pair)} is {value:g}; give a finite number ≥ 0", line)
        if pair in self.edges:
            if "edge" in self.merge and self.edges[pair] == (kind, value):
                self.repeated["edge"] += 1
                return
            raise fail(f"{self._describe_repeated(kind, pair)} was given before{self._in_line(pair)}", line)
        self.edges[pair] = kind, value
        self.places[pair] = _file.get(), line

    def _describe_repeated(self, kind: str, pair: tuple[str, str]) -> str:
        if self.edges[pair][0] == kind:
            other = f" with the weight {self.edges[pair][1]:g}" if self.merge else ""
            return f"the {kind} {_ends(pair)}{other}"
        return f"the edge {_ends(pair)} is both an attack and a support; it"

    def _in_line(self, key: str | tuple[str, str]) -> str:
        line = self.places[key][1]
        return f", in line {line}" if line else ""

    def build(
        self,
        semantics: object = None,
        *,
        topics: list[str] | None = None,
        groups: Mapping[str, list[str]] | None = None,
    ) -> Qbaf:
        """Make the graph; arguments without a base score get 0.5, and a warning counts them.

        Without `topics` and `groups`, those are taken that were given with the arguments.
        """
        if semantics is not None and not isinstance(semantics, str):
            raise fail(f"'semantics' is {excerpt(semantics)}; expected a name")
        self._check_ends()
        self._check_group_names()
        again = [count(number, noun) for noun, number in self.repeated.items() if number]
        if again:
            warn(f"{' and '.join(again)} given more than once; kept once")
        blank = sum(not label.strip() for label in self.labels.values())
        warn_of(blank, "argument", "{} with an empty label: sentences and pictures show no name there")
        missing = sum(score is None for score in self.base_scores.values())
        warn_of(missing, "argument", f"{{}} without a base score: {DEFAULT_BASE_SCORE} is used")
        try:
            return Qbaf(
                {name: DEFAULT_BASE_SCORE if b is None else b for name, b in self.base_scores.items()},
                attacks={pair: weight for pair, (kind, weight) in self.edges.items() if kind == "attack"},
                supports={pair: weight for pair, (kind, weight) in self.edges.items() if kind == "support"},
                labels=self.labels,
                topics=sorted(self.topic_ranks, key=self.topic_ranks.__getitem__) if topics is None else topics,
                semantics=semantics,
                groups=self._collect_groups() if groups is None else groups,
                uncertain=self.uncertain,
            )
        except QontrastError as error:
            raise fail(str(error)) from None

    def _collect_groups(self) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for name, group in self.group_of.items():
            groups.setdefault(group, []).append(name)
        return groups

    def _check_group_names(self) -> None:
        for name, group in self.group_of.items():
            if group in self.base_scores:
                raise FormatError(describe_taken_name(group), *self.places[name])

    def _check_ends(self) -> None:
        for pair, (kind, _) in self.edges.items():
            for name, verb in zip(pair, ("begins", "ends"), strict=True):
                if name not in self.base_scores:
                    reason = unknown_name(name[:80], self.base_scores)
                    raise FormatError(f"the {kind} {_ends(pair)} {verb} nowhere: {reason}", *self.places[pair])


def _check_base_score(name: str, value: object, line: int | None) -> float:
    score = value if type(value) is float else to_float(value, f"the base score of {excerpt(name)}", line)
    if not 0 <= score <= 1:
        raise fail(f"the base score of {excerpt(name)} is {score:g}; base scores lie between 0 and 1", line)
    return score


def describe_taken_name(group: str) -> str:
    return f"group {excerpt(group)} has the name of an argument; give it another name"


def _ends(pair: tuple[str, str]) -> str:
    return f"from {excerpt(pair[0])} to {excerpt(pair[1])}"


# -- writing ------------------------------------------------------------------------------------------


HAS: dict[str, Callable[[Qbaf], bool]] = {  # what a format may lose with a warning → whether a graph has it
    "base scores": lambda qbaf: bool((qbaf.base_array != DEFAULT_BASE_SCORE).any()),
    "weights": lambda qbaf: bool((np.abs(qbaf.weights) != 1).any()),
    "labels": lambda qbaf: bool(qbaf.labels),
    "empty labels": lambda qbaf: "" in qbaf.labels.values(),
    "topics": lambda qbaf: bool(qbaf.topics),
    "semantics": lambda qbaf: bool(qbaf.semantics),
    "groups": lambda qbaf: bool(qbaf.groups),
    "uncertain base scores": lambda qbaf: bool(qbaf.uncertain),
    "distributions": lambda qbaf: not all(isinstance(each, Interval) for each in qbaf.uncertain.values()),
    "empty groups": lambda qbaf: not all(qbaf.groups.values()),
}


def warn_lost(qbaf: Qbaf, format: str, loses: Iterable[str]) -> None:
    """Warn of what the graph has and the format cannot hold."""
    lost = [what for what in loses if what in HAS and HAS[what](qbaf)]
    if lost:
        warn(f"{format} cannot hold {', '.join(lost)}; these are lost")


def prepare(qbaf: Qbaf, format: str, loses: Iterable[str] = (), *, forbidden: str = "", why: str = "") -> Qbaf:
    """Return the graph with names as text; a warning names what of it the format cannot hold.

    Names in which the pattern `forbidden` is found are refused; `why` says what the format has no way to write.
    """
    warn_lost(qbaf, format, loses)
    bad = [name for name in qbaf.arguments if re.search(forbidden, str(name))] if forbidden else []
    if bad:
        raise fail(f"{format} cannot hold the {count(len(bad), 'name')} {quote_names(bad, limit=3)}: {why}")
    if all(isinstance(name, str) for name in qbaf.arguments):
        return qbaf
    for group in qbaf.groups.keys() & set(map(str, qbaf.arguments)):
        raise fail(f"integer names are written as text, and {describe_taken_name(group)}")
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
        groups={group: [str(name) for name in members] for group, members in qbaf.groups.items()},
        uncertain={str(name): each for name, each in qbaf.uncertain.items()},
    )


def list_edges(qbaf: Qbaf) -> Iterator[tuple[str, Any, Any, float]]:
    """Yield (kind, source, target, weight) of every edge, attacks first."""
    for kind, edges in (("attack", qbaf.attacks), ("support", qbaf.supports)):
        for (source, target), weight in edges.items():
            yield kind, source, target, weight


def list_nodes(qbaf: Qbaf) -> dict[Any, dict[str, Any]]:
    """Return the attributes of every argument; the ones that it has not are left out."""
    rank = {name: place for place, name in enumerate(qbaf.topics, start=1)}
    group_of = {name: group for group, members in qbaf.groups.items() for name in members}
    return {
        name: {"base_score": score}
        | ({"label": qbaf.labels[name]} if name in qbaf.labels else {})
        | ({"topic": rank[name]} if name in rank else {})
        | ({"group": group_of[name]} if name in group_of else {})
        for name, score in qbaf.base_scores.items()
    }
