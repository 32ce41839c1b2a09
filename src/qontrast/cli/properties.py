"""The command axioms."""

from __future__ import annotations

from ..axioms import AXIOMS, Outcome, Witness, verdicts
from ..engine.problem import strengths as solved
from . import load
from .options import Fact, Foil, Graph, Json, Meaning, Method
from .screen import heading, note, put, put_json, table


def axioms(graph: Graph, under: Meaning, by: Method, fact: Fact = None, foil: Foil = None, json: Json = False) -> None:
    """Check which of the paper's properties the explanation has on this graph."""
    if fact is None and foil is None:
        qbaf, topics = load.graph(graph), None
    else:
        qbaf, *topics = load.pair(graph, fact, foil, under)
    method, semantics = by.chosen()["method"], under.chosen()["semantics"]
    solved(qbaf, semantics=semantics)  # so that undefined strengths are one error, not one for each property
    outcomes = verdicts(qbaf, method, semantics=semantics, topics=topics, progress=True)
    found = [(AXIOMS[name], *_verdict(outcome)) for name, outcome in outcomes.items()]
    if json:
        return put_json(
            {
                "schema": "qontrast/axioms/1",
                "method": method,
                "semantics": solved(qbaf, semantics=semantics).semantics,
                "axioms": [
                    {"name": each.name, "statement": each.statement, "outcome": verdict, "words": words}
                    for each, verdict, words in found
                ],
            }
        )
    rows = [
        (each.title, heading(verdict) if verdict == "violated" else verdict, words) for each, verdict, words in found
    ]
    put(table([("property", "text"), (method, "bar"), ("", "text")], rows))
    return note("holds: on this graph, for the topics asked about")


def _verdict(outcome: Outcome) -> tuple[str, str]:
    if outcome is None:
        return "holds", ""
    if isinstance(outcome, Witness):
        return "violated", outcome.words
    return "undecided" if outcome.undecided else "does not apply", outcome.reason
