"""The exceptions of qontrast: as few kinds as a caller needs to tell apart.

Every message names the thing, the value and the way out. A way out that is a setting is a `Hint`, which Python, the
command line and the explorer each phrase in their own terms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any

KEYWORDS: Mapping[str, str | None] = {  # settings that have another name in Python, or none
    "read_as": "format",
    "write_as": "format",
    "figure": None,
    "all_graphs": None,
}


@dataclass(frozen=True)
class Hint:
    """A way out of an error: the setting to change, and the values to choose from.

    Without values the setting is a list that the user has to write; `more` says what belongs in it. `raised` means
    that a larger number helps. `in_python` is the way out of Python where that is no setting of this name.
    """

    setting: str
    values: tuple[str | bool | int, ...] = ()
    more: str = ""
    raised: bool = False
    in_python: str = ""


def phrase_in_python(hint: Hint) -> str | None:
    """Phrase a hint as a keyword argument.

    >>> phrase_in_python(Hint("method", ("removal", "shapley"))), phrase_in_python(Hint("max_steps", raised=True))
    ("ask for method='removal' or 'shapley'", 'raise max_steps')
    """
    keyword = KEYWORDS.get(hint.setting, hint.setting)
    if keyword is None or hint.in_python:
        return hint.in_python or None
    if hint.raised:
        text = f"raise {keyword}"
    elif not hint.values:
        text = f"give {keyword}=[...]"
    elif len(hint.values) > 3:
        text = f"give {keyword}= one of {', '.join(map(str, hint.values))}"
    else:
        text = f"ask for {keyword}={' or '.join(map(repr, hint.values))}"
    return f"{text} {hint.more}".rstrip()


class _Hinted(Exception):
    """A message with hints, which each surface phrases in its own words."""

    def __init__(self, message: str = "", *, hints: Iterable[Hint] = ()):
        super().__init__(message)
        self.hints = tuple(hints)

    def phrase(self, say: Callable[[Hint], str | None]) -> str:
        """Write the message with its hints in the words of a surface.

        Parameters
        ----------
        say : callable
            Phrases one hint; None leaves it out.

        Returns
        -------
        str
        """
        ways = [way for hint in self.hints if (way := say(hint)) is not None]
        return "; ".join([str(self.args[0]) if self.args else "", *([", or ".join(ways)] if ways else [])])

    def __str__(self) -> str:
        return self.phrase(phrase_in_python)


class QontrastError(_Hinted):
    """Any error that qontrast raises on purpose; `hints` are the settings that would avoid it."""


class InvalidQbaf(QontrastError, ValueError):
    """The graph breaks the definition of a QBAF, or the domain of its semantics."""


class InvalidInput(QontrastError, ValueError):
    """A setting has a value that makes no sense here."""


class FormatError(QontrastError, ValueError):
    """A file that cannot be read or written as it should; `file` and `line` say where, if known.

    >>> print(FormatError("'sup(P1, A1' lacks a closing parenthesis", "hotel.bag", 7))
    hotel.bag:7: 'sup(P1, A1' lacks a closing parenthesis
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None, *, hints: Iterable[Hint] = ()):
        place = f"line {line}" if file is None and line else ":".join(str(part) for part in (file, line) if part)
        super().__init__(f"{place}: {message}" if place else message, hints=hints)
        self.message, self.file, self.line = message, file, line

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.file, self.line), self.__dict__


class FormatWarning(UserWarning):
    """What a reader had to assume or a writer could not keep."""


class FontWarning(UserWarning):
    """Characters of a figure that no installed font has."""


class SlowWarning(_Hinted, UserWarning):
    """What was asked for takes a minute or more; `hints` are settings that take less."""


class UnknownName(QontrastError, KeyError):
    """A name that is not there: of an argument, a semantics, a method, a format."""


class UndefinedStrength(QontrastError, ArithmeticError):
    """The update has no limit from these base scores, or rounding would choose it: some strengths are ⊥.

    `arguments` are the ones that still move, `step` by how much they moved last, and `lane` is the
    index of the sub-problem, where several were solved at once. Where an exact balance holds the strengths,
    `arguments` are those in balance, and `step` is how far the least change leads.
    """

    def __init__(
        self,
        message: str,
        arguments: tuple[str | int, ...] = (),
        step: float = float("nan"),
        lane: int = 0,
        *,
        hints: Iterable[Hint] = (),
    ):
        super().__init__(message, hints=hints)
        self.arguments, self.step, self.lane = arguments, step, lane

    def found_in(self, place: str) -> UndefinedStrength:
        """Put the place where this was found before the message; the hints stay hints.

        Parameters
        ----------
        place : str
            Where it was found.

        Returns
        -------
        UndefinedStrength
            The same error with the longer message.
        """
        return UndefinedStrength(f"{place}: {self.args[0]}", self.arguments, self.step, hints=self.hints)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.arguments, self.step, self.lane), self.__dict__


class TooLarge(QontrastError):
    """The work asked for is over its limit; the message says by how much and what to ask for instead."""


def unknown_name(
    name: object, known: Collection[object], kind: str = "argument", labels: Mapping[Any, str] | None = None
) -> UnknownName:
    """The error for a name that is not among the known ones, with the nearest of them.

    >>> print(unknown_name("proft", ["profit", "loss"]))
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
        hint = f": {quote_names(known)}"
    else:
        hint = ""
    return UnknownName(f"no {kind} {name!r} among the {len(known)} here{hint}")


def quote_names(names: Iterable[object], limit: int = 12) -> str:
    """Names for a message: quoted, with commas, and cut after `limit`.

    >>> quote_names(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    names = list(names)
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(map(repr, names[:limit])) + more


def count(number: int, noun: str) -> str:
    """Write a number and a noun in the singular or the plural.

    >>> count(1, "attack"), count(2000, "attack")
    ('1 attack', '2,000 attacks')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """Put "a" or "an" before a noun: `an int`."""
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"
