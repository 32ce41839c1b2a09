"""Read strict JSON, without duplicate keys and NaN; every failure is a FormatError with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from ..errors import FormatError
from .building import excerpt, fail, mute_warnings

MAX_CHARACTERS_WITH_LINES = 16 * 2**20  # a larger text is refused without the line
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')

Path = tuple[str | int, ...]  # keys and places from the whole down to a value
Lines = Mapping[Path, int]
T = TypeVar("T")


def loads(text: str) -> Any:
    """Parse a JSON text.

    >>> loads('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    qontrast.errors.FormatError: line 1: the key 'a' appears twice in one object; keep one
    """
    try:
        return json.loads(text, object_pairs_hook=_make_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 20].split("\n")[0]
        stands = f"at {excerpt(found)} (column {error.colno})" if found else "at the end of a line or of the text"
        said = error.msg.removesuffix(" at")  # json's own text ends so where it knows the place
        raise fail(f"not JSON: {said[0].lower()}{said[1:]} {stands}", error.lineno) from None
    except RecursionError:
        raise fail("the JSON is nested too deeply") from None
    except FormatError as error:  # of the hooks below
        raise fail(error.message, _find_faulty_line(text)) from None
    except ValueError:
        raise fail("a number in the JSON has too many digits") from None  # int() refuses over 4300 of them


def read_with_lines(text: str, read: Callable[[Lines], T]) -> T:
    """Call `read` without lines, and once more with the lines of all values if it fails without naming one."""
    try:
        return read({})
    except FormatError as error:
        if error.line is not None or len(text) > MAX_CHARACTERS_WITH_LINES:
            raise
    with mute_warnings():
        return read({path: line for path, line, _ in _walk_values(text)})


def _walk_values(text: str) -> Iterator[tuple[Path, int, str]]:
    """Yield path, line and first token of every value, and of every key under its own path, of a valid JSON text."""
    path: list[str | int | None] = []  # a key, None where one is awaited, or a place in a list
    line, at = 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        line, at = line + text.count("\n", at, match.start()), match.start()
        if token in ("}", "]"):
            path.pop()
        elif token == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif token != ":" and path and path[-1] is None:
            path[-1] = json.loads(token)
        elif token != ":":
            yield tuple(key for key in path if key is not None), line, token
            if token in ("{", "["):
                path.append(None if token == "{" else 0)


def _find_faulty_line(text: str) -> int | None:
    """Return the line of the first constant that is no number, or of the first key that stands twice."""
    seen: set[Path] = set()
    for path, line, token in _walk_values(text) if len(text) <= MAX_CHARACTERS_WITH_LINES else ():
        if token in ("NaN", "Infinity", "-Infinity") or path in seen:
            return line
        seen.add(path)
    return None


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise fail(f"the key {excerpt(twice)} appears twice in one object; keep one")
    return made


def _refuse_constant(word: str) -> NoReturn:
    raise fail(f"{word} is not a JSON number; give a finite one")


def check_type(value: Any, kind: type, what: str, expected: str = "", line: int | None = None) -> Any:
    """Return the value if it is a dict or a list, as `kind` says."""
    if not isinstance(value, kind):
        expected = expected or ("an object {…}" if kind is dict else "a list […]")
        raise fail(f"{what} is {_describe(value)}; expected {expected}", line)
    return value


def _describe(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return excerpt(json.dumps(value))


def dump_rows(data: Mapping[str, Any], rows: Collection[str]) -> str:
    """Write an object with one line for each entry of the values that `rows` names."""
    return "{\n" + ",\n".join(f"{dump_line(key)}: {_dump_value(data[key], key in rows)}" for key in data) + "\n}\n"


def _dump_value(value: Any, in_rows: bool) -> str:
    if not in_rows or not value:
        return dump_line(value)
    if isinstance(value, dict):
        return "{\n  " + ",\n  ".join(f"{dump_line(key)}: {dump_line(each)}" for key, each in value.items()) + "\n}"
    return "[\n  " + ",\n  ".join(map(dump_line, value)) + "\n]"


dump_line = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make an encoder for every line
