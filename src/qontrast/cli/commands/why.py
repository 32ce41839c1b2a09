"""The command `why`."""

from __future__ import annotations

from typing import Any

from ..options import DEVICE, GRAPH, JSON, LANGUAGE, MEASURING_PLAYERS, PAIR, SOLVING, WORKING, make_question
from ..output import make_heading, print_json, print_text

PARAMETERS = [*GRAPH, *PAIR, *SOLVING, *WORKING, *MEASURING_PLAYERS, DEVICE, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print a contrast."""
    why = make_question(language=language, **options).contrast()
    if json:
        return print_json(why.to_dict())
    from ...show.narrative import account, write_question, write_sentences
    from ...show.terminal import contrast_bars

    reasons, method = write_sentences(why, language=language)
    print_text(make_heading(write_question(why, language=language)), "", " ".join(reasons), "")
    bars = contrast_bars(why, words=False, language=language)
    return print_text(bars, "", account(why, language=language), " ".join(method))
