"""The command `why`."""

from __future__ import annotations

from typing import Any

from ...graph.labels import called
from ..options import GRAPH, JSON, MEASURING, PAIR, SOLVING, make_question
from ..output import make_heading, print_json, print_text

PARAMETERS = [*GRAPH, *PAIR, *SOLVING, *MEASURING, JSON]


def run(*, json: bool, **options: Any) -> None:
    """Print a contrast."""
    why = make_question(**options).contrast()
    if json:
        return print_json(why.to_dict())
    from ...show.narrative import account, sentences
    from ...show.terminal import contrast_bars

    reasons, all_sentences = sentences(why, measured=False), sentences(why)
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    print_text(make_heading(f"Why {fact} rather than {foil}?"), "", " ".join(reasons), "")
    return print_text(contrast_bars(why, words=False), "", account(why), " ".join(all_sentences[len(reasons) :]))
