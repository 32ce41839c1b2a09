"""Check the settings of public functions; a refusal names the setting, its value and the way out.

>>> check_integer("many", "max_steps", 1)
Traceback (most recent call last):
...
qontrast.errors.InvalidInput: max_steps is 'many'; give a whole number of at least 1
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from inspect import signature
from math import inf, isnan
from numbers import Integral, Real
from typing import Any

from .errors import InvalidInput, QontrastError, unknown_name
from .types import Progress

MAX_VALUE_LENGTH = 80  # characters of a value in a message


def setting(default: Any, help: str, *, least: int | None = None, option: str | None = None) -> Any:
    """Declare a field of a method: its default, a line of help, the least value, and its option's name if another."""
    return field(default=default, metadata={"help": help, "least": least, "option": option})


def format_value(value: object) -> str:
    """A value for a message, cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + "…"


def check_choice(value: object, known: Collection[str], kind: str) -> str:
    """A name out of a table."""
    if not isinstance(value, str) or value not in known:
        raise unknown_name(value, known, kind)
    return value


def check_integer(value: object, name: str, least: int = 0) -> int:
    """An integer of at least so much; True and 2.0 are none."""
    if type(value) is int and value >= least:
        return value
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidInput(f"{name} is {format_value(value)}; give a whole number of at least {least}")
    return int(value)


def check_number(
    value: object,
    name: str,
    advice: str = "give a number",
    *,
    missing: bool = False,
    above: float = -inf,
    below: float = inf,
) -> float:
    """A finite number between the two bounds; with `missing` also NaN, which stands for one that does not exist."""
    number = not isinstance(value, bool) and isinstance(value, Real)
    if not number or not (above < value < below or (missing and isnan(value))):  # type: ignore[operator, arg-type]
        raise InvalidInput(f"{name} is {format_value(value)}; {advice}")
    return float(value)  # type: ignore[arg-type]


def check_list(value: object, name: str, what: str = "names") -> list[Any]:
    """A list of things, which a string is not."""
    if isinstance(value, str):
        raise InvalidInput(f"{name} is the string {value!r}; give a list of {what}")
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise InvalidInput(f"{name} is {format_value(value)}; give a list of {what}")
    return list(value)


def check_function(value: Any, name: str, takes: str, arguments: int | None = None, otherwise: str = "") -> Any:
    """Something to call; `takes` says with what, `arguments` with how many, and `otherwise` what else may be given."""
    if not callable(value):
        raise InvalidInput(f"{name} is {format_value(value)}; give a function {takes}{otherwise}")
    if arguments is not None:
        try:
            accepted = signature(value)
        except (TypeError, ValueError):  # some built-in functions do not tell
            return value
        try:
            accepted.bind(*range(arguments))
        except TypeError:
            advice = f"; give a function that can{otherwise}"
            raise InvalidInput(
                f"{name} is {format_value(value)}, which cannot be called with {takes}{advice}"
            ) from None
    return value


def check_progress(progress: Any) -> Progress | None:
    """A function that takes (done, total), or None."""
    if progress is None:
        return None
    function: Progress = check_function(progress, "progress", "(done, total)", 2, ", such as print")
    return function


@contextmanager
def wrap_failures(name: str, advice: str) -> Iterator[None]:
    """Whatever a user's own function raises becomes an error of ours that names it; the cause is kept."""
    try:
        yield
    except QontrastError:
        raise
    except Exception as error:
        raise InvalidInput(f"{name} failed with {type(error).__name__}: {error}; {advice}") from error
