"""The command `pairs`."""

from __future__ import annotations

from typing import Any

from ..options import DEVICE, GRAPH, JSON, MEASURING_PLAYERS, SOLVING, WORKING, make_question
from ..output import print_json, print_text

PARAMETERS = [*GRAPH, *SOLVING, *WORKING, *MEASURING_PLAYERS, DEVICE, JSON]


def run(*, json: bool, **options: Any) -> None:
    """Print the gaps between all topics, and a sentence for each pair."""
    pairs = make_question(**options).all_pairs()
    if json:
        return print_json(pairs.to_dict())
    from ...show.terminal import pairs_table

    return print_text(pairs_table(pairs), "", *(str(pairs[pair]) for pair in pairs.ahead()))
