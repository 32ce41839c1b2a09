"""The command `robustness`."""

from __future__ import annotations

from typing import Any

from ...explain.robustness import NORMS
from ...graph.labels import label_and_name
from ...show.numbers import write_move
from ..completion import complete_argument
from ..options import GRAPH, JSON, LANGUAGE, PAIR, SOLVING, TIME_LIMIT, make_choice, make_option, make_question
from ..output import make_heading, make_table, print_json, print_text

MOVERS_TEXT = "An argument whose base score may be off. May be repeated. Default: all that matter to the two topics."
NORM_TEXT = "How a change is measured, by its largest part, the sum of its parts, or its Euclidean length"
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    make_choice("--norm", NORMS, NORM_TEXT, default="linf"),
    make_option("--movers", "NAME", MOVERS_TEXT, complete_argument, multiple=True),
    TIME_LIMIT,
    LANGUAGE,
    JSON,
]


def run(*, norm: str, movers: tuple[str, ...], time_limit: float, language: str, json: bool, **options: Any) -> None:
    """Print how far base scores may be off before the order changes."""
    found = make_question(**options).robustness(movers=movers, norm=norm, time_limit=time_limit or None)
    if json:
        return print_json(found.to_dict())
    from ...show.phrasing import choose
    from ...show.robustness_words import describe_robustness, find_question

    to = choose(language)
    heading = make_heading(to.write(find_question(found)))
    print_text(heading, "", describe_robustness(found, language=language))
    if found.example:
        names, old, new = to.say("robustness.table").split("|")
        moves = [(x, *write_move(found.qbaf.base_scores[x], score)) for x, score in found.example.items()]
        rows = [(label_and_name(found.qbaf, x), to.number(a), to.number(b)) for x, a, b in moves]
        print_text("", make_table([(names, "text"), (old, "number"), (new, "number")], rows))
    return None
