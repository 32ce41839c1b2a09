"""The command `paths`."""

from __future__ import annotations

from typing import Any

from ...settings import check_integer
from ..completion import complete_argument
from ..options import CHANGES, FILE, JSON, LANGUAGE, SOLVING, Argument, make_option, make_question
from ..output import print_json, print_note, print_text

PARAMETERS = [
    FILE,
    Argument("contributor", "ARGUMENT", "The argument where the paths begin.", complete_argument),
    Argument("topic", "TOPIC", "The argument where they end.", complete_argument),
    *CHANGES,
    *SOLVING,
    make_option("--most", "N", "Print at most N paths.", type=int, default=20),
    LANGUAGE,
    JSON,
]


def run(*, contributor: str, topic: str, most: int, language: str, json: bool, **options: Any) -> None:
    """Print paths."""
    question = make_question(**options)
    found = question.paths(contributor, topic, limit=check_integer(most, "most", 1))
    if json:
        return print_json(found.to_dict())
    from ...show.descriptions import describe_paths
    from ...show.phrasing import choose

    print_text(describe_paths(found, language=language))
    if any(path.share is None for path in found):
        print_note(choose(language).say("paths.no numbers"))
    return None
