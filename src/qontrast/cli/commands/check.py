"""The command `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...graph.labels import label_and_name
from ...graph.qbaf import Qbaf
from ..main import DONE, UNDEFINED, describe_error
from ..options import GRAPH, JSON, LANGUAGE, SOLVING, make_question
from ..output import make_table, print_json, print_note, print_text

if TYPE_CHECKING:
    from ...show.phrasing import Language

PARAMETERS = [*GRAPH, *SOLVING, LANGUAGE, JSON]
MAX_NAMES = 6  # of unconnected arguments in the table


def run(*, language: str, json: bool, **options: Any) -> int:
    """Print what a file holds; return UNDEFINED where its strengths are."""
    question = make_question(**options)
    found, qbaf = question.check(), question.qbaf
    code = DONE if found.undefined is None else UNDEFINED
    reason = None if found.reason is None else describe_error(found.reason, "check")
    if json:
        print_json(found.to_dict() | {"undefined": reason})
        return code
    from ...show.descriptions import write_comparison, write_cycles
    from ...show.phrasing import choose
    from ...show.robustness_texts import describe_robustness

    to = choose(language)
    titles, none = to.say("check.rows").split("|"), to.say("check.none")
    weights = to.count("check.other", found.weighted) if found.weighted else to.say("check.weights.none")
    named = found.semantics if qbaf.semantics else to.say("check.semantics", semantics=found.semantics)
    order = ""
    if found.robustness is not None and found.strengths is not None:
        pair = found.robustness.fact, found.robustness.foil
        said = write_comparison(qbaf, found.strengths, *pair, language=language)
        order = f"{said} {describe_robustness(found.robustness, language=language)}"
    cells = [
        *map(to.integer, (found.arguments, found.attacks, found.supports)),
        weights,
        _list_names(qbaf, found.topics, to) or to.say("check.topics.none"),
        to.integer(found.labels),
        _list_names(qbaf, found.uncertain, to),
        write_cycles(found, to) if found.cycles else none,
        _list_names(qbaf, found.isolated, to, MAX_NAMES) or none,
        named,
        to.say(f"check.strengths.{'defined' if found.defined else 'undefined'}"),
        order,
    ]
    rows = [(title, cell) for title, cell in zip(titles, cells, strict=True) if cell]
    print_text(make_table([("", "dim"), ("", "text")], rows))
    if reason is not None:
        print_note(f"qontrast: {reason}")
    return code


def _list_names(qbaf: Qbaf, names: tuple[Any, ...], to: Language, limit: int = 12) -> str:
    shown = [label_and_name(qbaf, name) for name in names[:limit]]
    if len(names) <= limit:
        return ", ".join(shown)
    return to.say("and", first=", ".join(shown), last=to.count("more", len(names) - limit))
