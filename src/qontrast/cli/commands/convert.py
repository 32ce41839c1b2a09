"""The command `convert`."""

from __future__ import annotations

from typing import Any

from ...errors import FormatError, Hint, count
from ...formats import FORMATS, write, write_text
from ..options import GRAPH, JSON, Argument, make_choice, make_question
from ..output import is_stdout, print_file, print_json, print_note

PARAMETERS = [
    *GRAPH,
    Argument("target", "TARGET", "The file to write, or - for standard output."),
    make_choice("--write-as", FORMATS, "Write this format instead of the one that the suffix stands for"),
    JSON,
]


def run(*, target: str, write_as: str | None, json: bool, **options: Any) -> None:
    """Write a graph."""
    qbaf = make_question(**options).qbaf
    if is_stdout(target):
        if write_as is None:
            hint = Hint("write_as", tuple(FORMATS))
            raise FormatError("has no suffix that tells the format", "standard output", hints=[hint])
        return print_file(write_text(qbaf, write_as))
    write(qbaf, target, write_as)
    if json:
        return print_json({"schema": "qontrast/written/1", "path": target, "arguments": len(qbaf)})
    return print_note(f"{target}: {count(len(qbaf), 'argument')}, {count(len(qbaf.weights), 'edge')}")
