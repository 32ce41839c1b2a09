"""The command `axioms`."""

from __future__ import annotations

from typing import Any

from ...axioms import AXIOMS, Outcome, Witness
from ..options import GRAPH, JSON, LANGUAGE, METHOD, PAIR, SEMANTICS_NAME, WORKING, make_question
from ..output import make_heading, make_table, print_json, print_note, print_text

PARAMETERS = [*GRAPH, *PAIR, SEMANTICS_NAME, METHOD, *WORKING, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print which properties hold."""
    question = make_question(**options)
    found = question.verdicts()
    if json:
        rows = [make_row(name, outcome) for name, outcome in found.items()]
        semantics = question.strengths.semantics
        return print_json(
            {"schema": "qontrast/axioms/1", "method": question.method, "semantics": semantics, "axioms": rows}
        )
    from ...show.phrasing import call, choose

    to, cells = choose(language), []
    for name, outcome in found.items():
        said, words = describe_outcome(outcome, language)
        verdict = make_heading(said) if isinstance(outcome, Witness) else said
        cells.append((to.text(AXIOMS[name].title), verdict, words))
    print_text(make_table([(to.say("axiom.table"), "text"), (question.method, "bar"), ("", "text")], cells))
    topics = [call(question.qbaf, name) for name in question.compared_topics]
    return print_note(to.say("axiom.note", topics=topics))


def make_row(name: str, outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data; of a violation, with who violates it and both sides of the statement."""
    said, words = describe_outcome(outcome)
    row = {"name": name, "statement": AXIOMS[name].statement, "outcome": said, "words": words}
    if isinstance(outcome, Witness):
        data = outcome.to_dict()
        row |= {key: data[key] for key in ("arguments", "left", "right", "value")}
    return row


def describe_outcome(outcome: Outcome, language: str = "en") -> tuple[str, str]:
    """Return one word for an outcome, and the reason."""
    from ...show.axiom_texts import write_reason, write_violation
    from ...show.phrasing import choose

    to = choose(language)
    if outcome is None:
        return to.say("axiom.holds"), ""
    if isinstance(outcome, Witness):
        return to.say("axiom.violates"), write_violation(outcome, language=language)
    key = "axiom.decided not" if outcome.undecided else "axiom.applies not"
    return to.say(key), write_reason(outcome, language=language)
