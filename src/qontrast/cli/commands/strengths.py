"""The command `strengths`."""

from __future__ import annotations

from typing import Any

from ..options import GRAPH, JSON, LANGUAGE, SOLVING, make_question
from ..output import print_json, print_note, print_text

PARAMETERS = [*GRAPH, *SOLVING, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print strengths."""
    found = make_question(**options).strengths
    if json:
        return print_json(found.to_dict())
    from ...show.descriptions import write_solving
    from ...show.terminal import strengths_table

    print_text(strengths_table(found.qbaf, found, language=language))
    return print_note(write_solving(found, language=language))
