"""The journal of a batch: what was asked, then the answers for each graph on a line, as soon as they are there.

A line names its graph and has a hash of the content that it was read from, so that a run that continues takes over the
answers for graphs that are as they were, and no others. Lines are only added: one that is not complete was not
written, and a later one about the same graph counts.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from .._version import __version__
from ..errors import FormatError, Hint, InvalidInput

LAYOUT = 2  # of the lines; it rises when they change
OPENING = b'{"journal": '  # of the first line
MISSING = -1  # the place of a line that is not written yet

Row = dict[str, Any]


class Journal:
    """Answers by graph, on disk; `with` opens the file and reads which graphs are done.

    Parameters
    ----------
    path : Path
        The file; it is made if it is not there.
    sources : sequence of str
        Where the graphs come from.
    settings : dict
        Everything else that the answers depend on, as plain data.
    """

    def __init__(self, path: Path, sources: Iterable[str], settings: Row):
        self.path = path
        self.header: Row = {
            "journal": LAYOUT,
            "version": __version__,
            "sources": list(sources),
            "settings": settings,
        }
        self.done: dict[tuple[str, str], int] = {}  # name and content of a graph → where its line begins
        self.names: set[str] = set()  # of the graphs that an earlier run has explained
        self.order = array("q")  # where the line of each graph begins, in the order of the graphs of this run

    def __enter__(self) -> Journal:
        try:
            self.file: IO[bytes] = self.path.open("r+b" if self.path.exists() else "w+b")
        except OSError as error:
            raise FormatError(f"cannot be written: {error.strerror or error}", str(self.path)) from None
        try:
            self._read()
        except BaseException:
            self.file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def _read(self) -> None:
        """Find the lines of an earlier run, and cut off what follows the last complete one."""
        first = self.file.readline()
        if not first.endswith(b"\n"):
            if first[: len(OPENING)] != OPENING[: len(first)]:
                raise self._refuse("is no journal of qontrast")
            self.file.seek(0)
            self.file.truncate()
            append_json(self.file, self.header)
            return
        self._compare(_parse(first))
        end = len(first)
        for line in self.file:
            if not line.endswith(b"\n"):
                break
            found = _parse(line)
            if {"name", "content", "answers"} <= found.keys():  # of a disk that lost power a line may be empty
                self.done[found["name"], found["content"]] = end
            end += len(line)
        self.names = {name for name, _ in self.done}
        self.file.seek(end)
        self.file.truncate()

    def _compare(self, before: Row) -> None:
        """Refuse the journal of a run that asked something else."""
        if before.get("journal") != LAYOUT or before.get("version") != __version__:
            raise self._refuse(f"is of another version of qontrast ({before.get('version', 'unknown')})")
        if not {*before["sources"]} & {*self.header["sources"]}:
            raise self._refuse(f"is of a run on other graphs: {', '.join(before['sources'])}")
        old, new = before["settings"], self.header["settings"]
        for key in new:
            if old.get(key) != new.get(key):
                values = old.get(key), new.get(key)
                short = not any(isinstance(each, dict | list) for each in values)
                said = f"{key} {values[0]!r} instead of {values[1]!r}" if short else f"other {key}"
                raise self._refuse(f"is of a run with {said}; ask the same to continue it", *_suggest(key, values[0]))

    def _refuse(self, message: str, *hints: Hint) -> InvalidInput:
        again = Hint("restart", (True,), "to begin again")
        return InvalidInput(f"{self.path} {message}", hints=[*hints, again])

    def take_over(self, name: str, content: str) -> bool:
        """Put a graph next in the order; return whether an earlier run has explained it as it is now."""
        self.order.append(self.done.get((name, content), MISSING))
        return self.order[-1] != MISSING

    def add(self, place: int, name: str, content: str, answers: list[Row]) -> None:
        """Write the answers for the graph at this place of the order."""
        self.order[place] = self.file.tell()
        append_json(self.file, {"name": name, "content": content, "answers": answers})

    def read_lines(self) -> Iterator[Row]:
        """Read name, content and answers of each graph, in the order of the graphs."""
        with self.path.open("rb") as file:
            for place in self.order:
                file.seek(place)
                yield json.loads(file.readline())

    def read_rows(self) -> Iterator[Row]:
        """Read the answers, in the order of the graphs."""
        for line in self.read_lines():
            yield from line["answers"]


def _parse(line: bytes) -> Row:
    """Return the content of a line; {} where it is not what was written."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _suggest(key: str, value: object) -> list[Hint]:
    """Suggest to ask for the value that was asked for before, where it can be written as one word."""
    if value is True:
        return [Hint(key, (True,))]
    return [Hint(key, (str(value),))] if value is not False and isinstance(value, str | int | float) else []


def append_json(file: IO[bytes], data: Mapping[str, Any]) -> None:
    """Write one line of JSON."""
    file.write(json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
    file.flush()
