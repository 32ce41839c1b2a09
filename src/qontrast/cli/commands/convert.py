"""The command `convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import FormatError, Hint, InvalidInput, count
from ...formats import FORMATS, read_many, write, write_many, write_text
from ...formats.files import list_targets
from ...formats.kpa import read_debates
from ...formats.qbaf_json import LINE_SUFFIXES, has_lines
from ..options import (
    FILE,
    JSON,
    REMOVE,
    SET,
    STANDARD_INPUT,
    TOPIC,
    Argument,
    make_choice,
    make_flag,
    make_option,
    make_question,
)
from ..output import is_stdout, print_file, print_json, print_note

DEBATES = "kpa"  # folders of key point analysis: several graphs, so no row of FORMATS
PARAMETERS = [
    FILE,
    SET,
    REMOVE,
    make_choice(
        "--read-as --as",
        [*FORMATS, DEBATES],
        "Read the file, or the folder, in this format instead of the one it seems to have",
    ),
    TOPIC,
    Argument("target", "TARGET", "The file to write, or - for standard output.", required=False),
    make_option("--out -o", "PATH", "The file to write, where TARGET is not given."),
    make_choice("--write-as", FORMATS, "Write this format instead of the one that the suffix stands for"),
    make_flag("--force", "Overwrite the second of two CSV files also where it has nothing to do with the first."),
    JSON,
]


def run(*, target: str | None, out: str | None, write_as: str | None, force: bool, json: bool, **options: Any) -> None:
    """Write a graph, or all graphs of a folder or file as JSON lines."""
    if (target is None) == (out is None):
        raise InvalidInput("convert writes one file: name it after the one to read, or with -o")
    place = target or out or ""
    if write_as is None and has_lines(place):
        number = write_many(_read_all(**options), place)
        if json:
            return print_json({"schema": "qontrast/written/1", "path": place, "graphs": number})
        return print_note(f"{place}: {count(number, 'graph')}")
    if options["read_as"] == DEBATES:
        raise FormatError(f"the debates of a folder go to a file that ends in {' or '.join(LINE_SUFFIXES)}", place)
    qbaf = make_question(**options).qbaf
    if is_stdout(place):
        if write_as is None:
            hint = Hint("write_as", tuple(FORMATS))
            raise FormatError("has no suffix that tells the format", "standard output", hints=[hint])
        return print_file(write_text(qbaf, write_as))
    write(qbaf, place, write_as, force=force)
    others = [str(each) for each in list_targets(place, write_as) if each != Path(place)]
    if json:
        partner = {"partner": others[0]} if others else {}
        return print_json({"schema": "qontrast/written/1", "path": place, "arguments": len(qbaf), **partner})
    files = " and ".join([place, *others])
    return print_note(f"{files}: {count(len(qbaf), 'argument')}, {count(len(qbaf.weights), 'edge')}")


def _read_all(file: str, read_as: str | None, **changes: Any) -> Any:
    """Read every graph of a file or folder."""
    if read_as == DEBATES:
        return read_debates(Path(file))
    if file != STANDARD_INPUT and read_as is None and not any(changes.values()):
        return read_many(file)
    return [make_question(file, read_as=read_as, **changes).qbaf]
