"""The command `axioms`."""

from __future__ import annotations

from typing import Any

from ...axioms import AXIOMS, Outcome, Witness
from ...graph.labels import quote_label
from ..options import GRAPH, JSON, METHOD, PAIR, SEMANTICS_NAME, WORKING, make_question
from ..output import make_heading, make_table, print_json, print_note, print_text

PARAMETERS = [*GRAPH, *PAIR, SEMANTICS_NAME, METHOD, *WORKING, JSON]


def run(*, json: bool, **options: Any) -> None:
    """Print which properties hold."""
    question = make_question(**options)
    outcomes = {name: describe_outcome(outcome) for name, outcome in question.verdicts().items()}
    if json:
        rows = [
            {"name": name, "statement": AXIOMS[name].statement, "outcome": outcome, "words": words}
            for name, (outcome, words) in outcomes.items()
        ]
        semantics = question.strengths.semantics
        return print_json(
            {"schema": "qontrast/axioms/1", "method": question.method, "semantics": semantics, "axioms": rows}
        )
    cells = [
        (AXIOMS[name].title, make_heading(outcome) if outcome == "violated" else outcome, words)
        for name, (outcome, words) in outcomes.items()
    ]
    print_text(make_table([("property", "text"), (question.method, "bar"), ("", "text")], cells))
    topics = ", ".join(quote_label(question.qbaf, name) for name in question.compared_topics)
    return print_note(f"holds: on this graph, for every two of {topics}")


def describe_outcome(outcome: Outcome) -> tuple[str, str]:
    """Return one word for an outcome, and the reason."""
    if outcome is None:
        return "holds", ""
    if isinstance(outcome, Witness):
        return "violated", outcome.words
    return "undecided" if outcome.undecided else "does not apply", outcome.reason
