"""The command `paths`."""

from __future__ import annotations

from typing import Any

from ...graph.labels import quote_label
from ...settings import check_integer
from ..completion import complete_argument
from ..options import CHANGES, FILE, JSON, SOLVING, Argument, make_option, make_question
from ..output import print_json, print_note, print_text

PARAMETERS = [
    FILE,
    Argument("contributor", "ARGUMENT", "The argument where the paths begin.", complete_argument),
    Argument("topic", "TOPIC", "The argument where they end.", complete_argument),
    *CHANGES,
    *SOLVING,
    make_option("--most", "N", "Print at most N paths.", type=int, default=20),
    JSON,
]


def run(*, contributor: str, topic: str, most: int, json: bool, **options: Any) -> None:
    """Print paths."""
    question = make_question(**options)
    found = question.paths(contributor, topic, limit=check_integer(most, "most", 1))
    if json:
        return print_json(found.to_dict())
    start, end = quote_label(question.qbaf, found.contributor), quote_label(question.qbaf, found.topic)
    print_text(str(found) if found else f"no path leads from {start} to {end}")
    if any(path.share is None for path in found):
        print_note("no numbers: with cycles or kinks a path has no share of the slope")
    return None
