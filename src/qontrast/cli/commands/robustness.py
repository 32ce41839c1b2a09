"""The command `robustness`."""

from __future__ import annotations

from typing import Any

from ...explain.reach_variables import CHANGES
from ...explain.robustness import NORMS, Robustness
from ...graph.labels import label_and_name
from ...show.numbers import write_move
from ...show.phrasing import Language, choose
from ..completion import complete_argument
from ..options import GRAPH, JSON, LANGUAGE, PAIR, SOLVING, TIME_LIMIT, WORKING, make_choice, make_option, make_question
from ..output import make_heading, make_table, print_json, print_text

MOVERS_TEXT = "An argument whose base score, or an edge SOURCE->TARGET whose weight may be off. May be repeated."
CHANGE_TEXT = "What may be off, without --movers, of all that matters to the two topics"
NORM_TEXT = "How a change is measured, by its largest part, the sum of its parts, or its Euclidean length"
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    make_choice("--norm", NORMS, NORM_TEXT, default="linf"),
    make_option("--movers", "NAME", MOVERS_TEXT, complete_argument, multiple=True),
    make_choice("--change", CHANGES, CHANGE_TEXT, default="base_scores"),
    TIME_LIMIT,
    LANGUAGE,
    JSON,
]


def run(*, movers: tuple[str, ...], time_limit: float, language: str, json: bool, **options: Any) -> None:
    """Print how far base scores and weights may be off before the order changes."""
    settings = {name: options.pop(name) for name in ("norm", "change")}
    found = make_question(**options).robustness(movers=movers, time_limit=time_limit or None, **settings)
    if json:
        return print_json(found.to_dict())
    from ...show.robustness_texts import describe_robustness, find_question

    to = choose(language)
    heading = make_heading(to.write(find_question(found)))
    print_text(heading, "", describe_robustness(found, language=language))
    for kind in ("base_scores", "weights"):
        print_example(found, kind, to)
    return None


def print_example(found: Robustness, kind: str, to: Language) -> None:
    """Print a table of the base scores, or of the weights, after which the lead is gone."""
    qbaf, rows = found.qbaf, []
    values: dict[Any, float] = {**qbaf.base_scores, **qbaf.attacks, **qbaf.supports}
    for each, new in (found.example or {}).items():
        if isinstance(each, tuple) == (kind == "weights"):
            who = each if isinstance(each, tuple) else (each,)
            moves = (to.number(text) for text in write_move(values[each], new))
            rows.append((" → ".join(label_and_name(qbaf, name) for name in who), *moves))
    if rows:
        names, old, after = to.say(f"robustness.table.{kind}").split("|")
        print_text("", make_table([(names, "text"), (old, "number"), (after, "number")], rows))
