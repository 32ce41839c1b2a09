"""Put the outcomes of checks of properties into words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..graph.labels import quote, visible
from .numbers import markdown_table, significant
from .phrasing import Language, Quoted, call, call_some, choose, state

if TYPE_CHECKING:
    from ..axioms import AxiomTable, NotApplicable, Tried, Witness
    from ..graph.qbaf import Qbaf

DIGITS = 6  # of the numbers in a sentence about a violation, and of its graph


def write_violation(found: Witness, *, language: str = "en") -> str:
    """Write the sentence of a violation: who, and the two sides of the statement that does not hold."""
    to = choose(language)
    texts = {role: _write_player(found, name, to) for role, name in found.arguments.items()}
    sides = {"left": found.left, "right": found.right, "value": found.value}
    numbers = {side: to.number(significant(value, DIGITS)) for side, value in sides.items()}
    return to.text(found.template).format(**texts, **numbers)


def _write_player(found: Witness, name: Any, to: Language) -> str:
    """Write an argument, an edge, a group, a pair or a set as it is called in a sentence."""
    if not isinstance(name, tuple):
        return to.write(call(found.qbaf, name)) if name in found.qbaf else visible(name)
    names = [to.write(call(found.qbaf, end)) for end in name]
    if found.players == "pairs":
        return to.join(names)
    return " → ".join(names) if found.players == "edges" else f"{{{', '.join(names)}}}"


def write_reason(found: NotApplicable, *, language: str = "en") -> str:
    """Write why a property does not apply, or is not decided."""
    to = choose(language)
    if language == "en" or not found.template:
        return found.reason
    said = to.text(found.template).format(**found.details)
    if not found.kinks or found.qbaf is None:
        return said
    return said + to.say("axiom.kinks", names=call_some(found.qbaf, found.kinks))


def describe_witness(found: Witness, *, language: str = "en") -> str:
    """Say which property is violated, by what, and in which graph."""
    to = choose(language)
    return to.say(
        "axiom.violated",
        axiom=to.text(found.axiom),
        caf=found.caf,
        semantics=found.semantics,
        words=write_violation(found, language=language),
        where=write_graph(found.qbaf, language=language),
    )


def write_graph(qbaf: Qbaf, *, language: str = "en") -> str:
    """Write a small graph in one line.

    >>> from qontrast import Qbaf
    >>> write_graph(Qbaf({"a": 0.5, "b": 1.0}, attacks={("a", "b"): 0.25}))
    'a 0.5, b 1; a attacks b (weight 0.25)'
    """
    to = choose(language)
    texts = {name: Quoted(quote(visible(name))) for name in qbaf}
    scores = [f"{to.write(texts[x])} {to.number(significant(score, DIGITS))}" for x, score in qbaf.base_scores.items()]
    edges = []
    for key, relation in (("graph.attacks", qbaf.attacks), ("graph.supports", qbaf.supports)):
        for (source, target), weight in relation.items():
            said = to.say(key, source=texts[source], target=texts[target])
            edges.append(said if weight == 1 else to.say("axiom.weight", edge=said, weight=significant(weight, DIGITS)))
    return f"{', '.join(scores)}; {', '.join(edges) or to.say('axiom.no edges')}"


def describe_not_applicable(found: NotApplicable, *, language: str = "en") -> str:
    """Say why a property was not tested or not decided."""
    to = choose(language)
    key = "axiom.undecided" if found.undecided else "axiom.not applicable"
    return to.say(key, axiom=to.text(found.axiom), reason=write_reason(found, language=language))


def describe_tried(found: Tried, *, language: str = "en") -> str:
    """Say in how many graphs no violation was found."""
    to = choose(language)
    text = to.count("tried", found.graphs)
    if found.applied < found.graphs:
        text += to.count("tried.applied", found.applied)
    return text + (to.count("tried.undecided", found.undecided) if found.undecided else "")


def describe_axioms(table: AxiomTable, *, language: str = "en") -> str:
    """Write a Markdown table, with the witnesses below it."""
    from ..axioms import AXIOMS, Witness

    to = choose(language)
    rows = [
        [to.text(AXIOMS[axiom].title), *(_describe_cell(table[axiom, caf], to) for caf in table.cafs)]
        for axiom in table.axioms
    ]
    violated = [each for each in table.cells.values() if isinstance(each, Witness)]
    notes = [f"- {describe_witness(each, language=language)}" for each in violated]
    return "\n".join([markdown_table((table.semantics, *table.cafs), rows), *([""] if notes else []), *notes])


def _describe_cell(found: Witness | Tried, to: Language) -> str:
    from ..axioms import Tried

    if isinstance(found, Tried):
        return describe_tried(found, language=to.code)
    sizes = {"arguments": len(found.qbaf), "edges": len(found.qbaf.weights)}
    return to.say("axiom.cell", **{what: state(f"size.{what}", count=size) for what, size in sizes.items()})
