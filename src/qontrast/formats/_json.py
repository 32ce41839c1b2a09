"""Strict JSON: no duplicate keys, no NaN, and every way to fail is a FormatError."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

from ..errors import quoted
from ._text import fail, shown, warn


def loads(text: str) -> Any:
    """
    >>> loads('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    qontrast.errors.FormatError: the key 'a' stands twice in one object; keep one
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 20].split("\n")[0]
        stands = f"at {shown(found)} (column {error.colno})" if found else "at the end of a line or of the text"
        raise fail(f"not JSON: {error.msg[0].lower()}{error.msg[1:]} {stands}", error.lineno) from None
    except RecursionError:
        raise fail("the JSON is nested too deeply") from None
    except ValueError as error:
        if type(error) is not ValueError:
            raise  # a FormatError of the hooks below
        raise fail("a number in the JSON has too many digits") from None  # int() refuses over 4300 of them


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise fail(f"the key {shown(twice)} stands twice in one object; keep one")
    return made


def _constant(word: str) -> NoReturn:
    raise fail(f"{word} is no JSON number; give a finite one")


def need(value: Any, kind: type, what: str) -> Any:
    """The value, if it is a dict or a list as it should be."""
    if not isinstance(value, kind):
        expected = "an object {…}" if kind is dict else "a list […]"
        raise fail(f"{what} is {_described(value)}; expected {expected}")
    return value


def _described(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shown(json.dumps(value))


def ignore(keys: Iterable[str], where: str) -> None:
    """Say which keys are not understood."""
    keys = sorted(set(keys))
    if keys:
        warn(f"not understood and ignored in {where}: {quoted(keys, most=6)}")


dump_line = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make an encoder for every line
