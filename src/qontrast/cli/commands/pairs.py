"""The command `pairs`."""

from __future__ import annotations

from typing import Any

from ..options import DEVICE, GRAPH, JSON, LANGUAGE, MEASURING_PLAYERS, SOLVING, WORKING, make_question
from ..output import print_json, print_text

PARAMETERS = [*GRAPH, *SOLVING, *WORKING, *MEASURING_PLAYERS, DEVICE, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print the gaps between all topics, and a sentence for each pair."""
    pairs = make_question(language=language, **options).all_pairs()
    if json:
        return print_json(pairs.to_dict())
    from ...show.narrative import sentence
    from ...show.terminal import pairs_table

    said = (sentence(pairs[pair], language=language) for pair in pairs.ahead())
    return print_text(pairs_table(pairs, language=language), "", *said)
