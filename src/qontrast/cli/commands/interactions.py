"""The command `interactions`."""

from __future__ import annotations

from typing import Any

from ...attribution.shapley.exact import MAX_EVALUATIONS
from ...attribution.shapley.interactions import INDICES
from ...settings import check_integer
from ..completion import complete_argument
from ..options import (
    DEVICE,
    GRAPH,
    JSON,
    LANGUAGE,
    PLAYING,
    SOLVING,
    WORKING,
    Argument,
    make_choice,
    make_option,
    make_question,
)
from ..output import make_heading, print_json, print_note, print_text

FACT_TEXT = "The topic to explain. Default: the strongest topic, compared with the second."
FOIL_TEXT = "The topic to compare it with. Default: none where FACT is named; FACT alone is explained."
PARAMETERS = [
    *GRAPH,
    Argument("fact", "FACT", FACT_TEXT, complete_argument, required=False),
    Argument("foil", "FOIL", FOIL_TEXT, complete_argument, required=False),
    *SOLVING,
    *WORKING,
    DEVICE,
    make_choice("--index", INDICES, "How the interaction of two players is measured", default="sii"),
    *PLAYING,
    make_option("--budget max_evaluations", "N", "Refuse more evaluations of sub-graphs than this.", type=int,
                default=MAX_EVALUATIONS),
    make_option("--most", "N", "Print at most N pairs.", type=int, default=20),
    LANGUAGE,
    JSON,
]  # fmt: skip


def run(*, index: str, max_evaluations: int, most: int, language: str, json: bool, **options: Any) -> None:
    """Print the strongest interactions."""
    limit = check_integer(most, "most", 1)
    found = make_question(**options).interactions(alone=True, index=index, max_evaluations=max_evaluations)
    if json:
        return print_json(found.to_dict())
    from ...show.interaction_texts import (
        describe_interactions,
        write_measurement,
        write_pairs_question,
        write_rest,
        write_way,
    )
    from ...show.terminal import interactions_table

    said = describe_interactions(found, language=language)
    print_text(make_heading(write_pairs_question(found, language=language)), "", said, "")
    if found.strongest(1) or any(found.cross_topic.values()):
        rest = write_rest(found, limit, language=language)
        print_text(interactions_table(found, limit=limit, language=language), *([rest] if rest else []), "")
    print_text(write_measurement(found, language=language))
    return print_note(write_way(found, language=language))
