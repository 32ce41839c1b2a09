"""The command `rank`."""

from __future__ import annotations

from typing import Any

from ..options import DEVICE, GRAPH, JSON, LANGUAGE, MEASURING, SOLVING, WORKING, make_question
from ..output import print_json, print_text

PARAMETERS = [*GRAPH, *SOLVING, *WORKING, *MEASURING, DEVICE, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print a ranking."""
    ranking = make_question(**options).rank()
    if json:
        return print_json(ranking.to_dict())
    from ...show.terminal import ranking_table

    return print_text(ranking_table(ranking, language=language))
