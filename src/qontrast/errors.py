"""What can go wrong, as few kinds of error as a caller needs to tell apart.

Every message names the thing, the value and the way out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any


class QontrastError(Exception):
    """Any error that qontrast raises on purpose."""

    __str__ = Exception.__str__  # a KeyError would show its message in quotes


class InvalidQbaf(QontrastError, ValueError):
    """The graph breaks the definition of a QBAF, or the domain of its semantics."""


class InvalidInput(QontrastError, ValueError):
    """A setting has a value that makes no sense here."""


class FormatError(QontrastError, ValueError):
    """A file that cannot be read or written as it should; `file` and `line` say where, if known.

    >>> print(FormatError("'sup(P1, A1' lacks a closing parenthesis", "hotel.bag", 7))
    hotel.bag:7: 'sup(P1, A1' lacks a closing parenthesis
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None):
        place = f"line {line}" if file is None and line else ":".join(str(part) for part in (file, line) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.message, self.file, self.line = message, file, line

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.message, self.file, self.line)


class FormatWarning(UserWarning):
    """What a reader had to assume or a writer could not keep."""


class UnknownName(QontrastError, KeyError):
    """A name that is not there: of an argument, a semantics, a method, a format."""


class UndefinedStrength(QontrastError, ArithmeticError):
    """The update has no limit from these base scores: some strengths are ⊥.

    `arguments` are the ones that still move, `step` by how much they moved last, and `lane` is the
    index of the sub-problem, where several were solved at once.
    """

    def __init__(self, message: str, arguments: tuple[str | int, ...] = (), step: float = float("nan"), lane: int = 0):
        super().__init__(message)
        self.arguments, self.step, self.lane = arguments, step, lane

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.args[0], self.arguments, self.step, self.lane)


class TooLarge(QontrastError):
    """The work asked for is over its limit; the message says by how much and what to ask for instead."""


def unknown(
    name: object, known: Collection[object], kind: str = "argument", labels: Mapping[Any, str] | None = None
) -> UnknownName:
    """The error for a name that is not among the known ones, with the nearest of them.

    >>> print(unknown("proft", ["profit", "loss"]))
    no argument 'proft' among the 2 here; did you mean 'profit'?
    """
    texts = {str(each): each for each in islice(known, 20_000)}
    near = get_close_matches(str(name), texts, n=1, cutoff=0.5)
    labelled = [each for each, label in (labels or {}).items() if label == name]
    if labelled:
        hint = f"; that is the label of {labelled[0]!r}"
    elif near:
        hint = f"; did you mean {texts[near[0]]!r}?"
    elif 0 < len(known) <= 12:
        hint = f": {quoted(known)}"
    else:
        hint = ""
    return UnknownName(f"no {kind} {name!r} among the {len(known)} here{hint}")


def quoted(names: Iterable[object], most: int = 12) -> str:
    """Names for a message: quoted, with commas, and cut after `most`.

    >>> quoted(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
