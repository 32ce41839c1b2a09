"""A graph while it is read: every argument and edge with the place it stands at.

`Qbaf` checks the whole; a draft checks each thing as it comes, so that the error can name the line.

>>> draft = Draft()
>>> draft.argument("a", 0.5, line=1)
>>> draft.edge("attack", "a", "b", line=2)
>>> draft.build()
Traceback (most recent call last):
qontrast.errors.FormatError: line 2: the attack from 'a' to 'b' ends nowhere: no argument 'b' among the 1 here: 'a'
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from numbers import Real

from ..errors import FormatError, QontrastError, unknown
from ..graph.qbaf import Qbaf
from ._text import DEFAULT_BASE_SCORE, Place, count, fail, here, shown, warn


class Draft:
    """Arguments and edges in the order they are read; `build` makes the graph of them.

    What `merge` names, "argument" or "edge", counts once when it is given again in exactly the same way, and a warning
    says how many there were; where the two differ, and without `merge`, the second is an error.
    """

    def __init__(self, merge: Collection[str] = ()) -> None:
        self.merge = merge
        self.repeated = {"argument": 0, "edge": 0}
        self.base_scores: dict[str, float | None] = {}
        self.labels: dict[str, str] = {}
        self.ranks: dict[str, int] = {}  # of the topics
        self.edges: dict[tuple[str, str], tuple[str, float]] = {}
        self.places: dict[str | tuple[str, str], Place] = {}

    def argument(
        self,
        name: object,
        base_score: object = None,
        *,
        label: object = None,
        topic: int = 0,
        line: int | None = None,
    ) -> None:
        """One more argument; a base score of None means that the file has none for it."""
        name = text(name, "the name of an argument", line)
        if not name:
            raise fail("an argument has an empty name; give every argument a name", line)
        score = None if base_score is None else _base_score(name, base_score, line)
        label = None if label is None else text(label, f"the label of {name[:60]!r}", line)
        if name in self.base_scores:
            before = self.base_scores[name], self.labels.get(name), self.ranks.get(name, 0)
            if "argument" in self.merge and before == (score, label, topic):
                self.repeated["argument"] += 1
                return
            raise fail(f"argument {shown(name)} was given before{_at(self.places[name])}", line)
        self.base_scores[name] = score
        self.places[name] = here(line)
        if label is not None:
            self.labels[name] = label
        if topic:
            self.ranks[name] = topic

    def edge(self, kind: str, source: object, target: object, weight: object = 1.0, *, line: int | None = None) -> None:
        """One more edge; its ends may be given later."""
        pair = text(source, "the source of an edge", line), text(target, "the target of an edge", line)
        value = weight if type(weight) is float else as_float(weight, f"the weight of the {kind} {_ends(pair)}", line)
        if not 0 <= value < inf:
            raise fail(f"the weight of the {kind} {_ends(pair)} is {value:g}; give a finite number ≥ 0", line)
        if pair in self.edges:
            if "edge" in self.merge and self.edges[pair] == (kind, value):
                self.repeated["edge"] += 1
                return
            raise fail(f"{self._twice(kind, pair)} was given before{_at(self.places[pair])}", line)
        self.edges[pair] = kind, value
        self.places[pair] = here(line)

    def _twice(self, kind: str, pair: tuple[str, str]) -> str:
        if self.edges[pair][0] == kind:
            other = f" with the weight {self.edges[pair][1]:g}" if self.merge else ""
            return f"the {kind} {_ends(pair)}{other}"
        return f"the edge {_ends(pair)} is both an attack and a support; it"

    def build(self, semantics: str | None = None, *, topics: list[str] | None = None) -> Qbaf:
        """The graph; arguments without a base score get 0.5, and a warning counts them."""
        self._check_ends()
        again = [count(number, noun) for noun, number in self.repeated.items() if number]
        if again:
            warn(f"{' and '.join(again)} given more than once; kept once")
        missing = sum(score is None for score in self.base_scores.values())
        if missing:
            warn(f"{count(missing, 'argument')} without a base score: {DEFAULT_BASE_SCORE} is used")
        try:
            return Qbaf(
                {name: DEFAULT_BASE_SCORE if b is None else b for name, b in self.base_scores.items()},
                attacks={pair: weight for pair, (kind, weight) in self.edges.items() if kind == "attack"},
                supports={pair: weight for pair, (kind, weight) in self.edges.items() if kind == "support"},
                labels=self.labels,
                topics=sorted(self.ranks, key=self.ranks.__getitem__) if topics is None else topics,
                semantics=semantics,
            )
        except QontrastError as error:
            raise fail(str(error)) from None

    def _check_ends(self) -> None:
        for pair, (kind, _) in self.edges.items():
            for name, verb in zip(pair, ("begins", "ends"), strict=True):
                if name not in self.base_scores:
                    reason = unknown(name[:80], self.base_scores)
                    message = f"the {kind} {_ends(pair)} {verb} nowhere: {reason}"
                    raise FormatError(message, *self.places[pair])


def text(value: object, what: str, line: int | None = None) -> str:
    """A string that every file can hold."""
    if not isinstance(value, str):
        raise fail(f"{what} is {shown(value)}; expected text", line)
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise fail(f"{what} holds half a surrogate pair: {value[:40]!a}", line)
    return value


def as_float(value: object, what: str, line: int | None = None) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):  # NumPy's numbers are Real too
        raise fail(f"{what} is {shown(value)}; expected a number", line)
    try:
        return float(value)
    except OverflowError:
        raise fail(f"{what} is too large for a number", line) from None


def _base_score(name: str, value: object, line: int | None) -> float:
    score = value if type(value) is float else as_float(value, f"the base score of {shown(name)}", line)
    if not 0 <= score <= 1:
        raise fail(f"the base score of {shown(name)} is {score:g}; base scores lie between 0 and 1", line)
    return score


def _ends(pair: tuple[str, str]) -> str:
    return f"from {shown(pair[0])} to {shown(pair[1])}"


def _at(place: Place) -> str:
    return f", in line {place[1]}" if place[1] else ""
