"""The command `flip`."""

from __future__ import annotations

from typing import Any

from ...graph.labels import quote_label
from ..completion import complete_argument
from ..options import GRAPH, JSON, LANGUAGE, PAIR, SOLVING, TIME_LIMIT, WORKING, make_flag, make_option, make_question
from ..output import make_heading, print_json, print_text

FIX_TEXT = "Keep this argument and its base score as they are. May be repeated."
NORM_TEXT = "How a change is measured: l1, the sum of its parts, or l2, the root of the sum of their squares."
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    make_option("--fix fixed", "NAME", FIX_TEXT, complete_argument, multiple=True),
    make_flag("--move-topics", "Let the base scores of the two topics change too."),
    make_option("--norm", "l1|l2", NORM_TEXT, default="l1"),
    TIME_LIMIT,
    LANGUAGE,
    JSON,
]


def run(*, time_limit: float, language: str, json: bool, fixed: tuple[str, ...], **options: Any) -> None:
    """Print what would make the foil win."""
    settings = {name: options.pop(name) for name in ("move_topics", "norm")}
    question = make_question(**options)
    found = question.flip(fixed=fixed, time_limit=time_limit or None, **settings)
    if json:
        return print_json(found.to_dict())
    from ...show.descriptions import describe_flip
    from ...show.phrasing import choose

    to = choose(language)
    fact, foil = (to.name(quote_label(question.qbaf, name)) for name in question.pair)
    heading = make_heading(to.say("flip.question", fact=fact, foil=foil))
    return print_text(heading, "", describe_flip(found, language=language))
