"""The command `semantics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...explain.compare_semantics import SemanticsComparison
from ...graph.labels import quote_label
from ...semantics import SEMANTICS
from ...show.numbers import number
from ..completion import complete_from
from ..options import (
    DEVICE,
    GRAPH,
    JSON,
    LANGUAGE,
    MEASURING,
    PAIR,
    PLAYING,
    SOLVER,
    STEPS,
    WORKING,
    load_semantics,
    make_option,
    make_question,
)
from ..output import make_heading, make_table, print_json, print_text

if TYPE_CHECKING:
    from ...show.phrasing import Language

NAMES_TEXT = f"Compare this semantics. May be repeated. Default: {', '.join(SEMANTICS)}."
PARAMETERS = [
    *GRAPH,
    *PAIR,
    make_option("--semantics compared -s", "NAME", NAMES_TEXT, complete_from(SEMANTICS), multiple=True),
    SOLVER,
    STEPS,
    *WORKING,
    DEVICE,
    *MEASURING,
    *PLAYING,
    LANGUAGE,
    JSON,
]


def run(*, compared: tuple[str, ...], language: str, json: bool, **options: Any) -> None:
    """Print the gap and the strongest reasons under each semantics."""
    question = make_question(language=language, **options)
    found = question.compare_semantics([load_semantics(name) for name in compared])
    if json:
        return print_json(found.to_dict())
    from ...show.phrasing import choose
    from ...show.semantics_texts import describe_comparison

    to = choose(language)
    fact, foil = (to.name(quote_label(found.qbaf, name)) for name in (found.fact, found.foil))
    heading = make_heading(to.say("semantics.question", fact=fact, foil=foil))
    return print_text(heading, "", describe_comparison(found, language=language), "", _make_gaps_table(found, to))


def _make_gaps_table(found: SemanticsComparison, to: Language) -> Any:
    """Make a table of the semantics: the gap, and the strongest reasons or why there are none."""
    from ...show.semantics_texts import write_strongest

    rows = []
    for name in dict.fromkeys([*found.gaps, *found.refused]):
        gap = to.number(number(found.gaps[name], "+", 4)) if name in found.gaps else ""
        rows.append((name, gap, found.refused.get(name) or write_strongest(found, name, to.code)))
    title, gap, why = to.say("semantics.table").split("|")
    return make_table([(title, "text"), (gap, "number"), (why, "text")], rows)
