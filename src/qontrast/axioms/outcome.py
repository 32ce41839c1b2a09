"""What a check of a property says: a witness against it, that it does not apply, or nothing, since it holds.

A `Witness` is true and a `NotApplicable` false, so that `if axiom(qbaf, caf):` reads "if it is violated"; `is None`
alone means that the property was tested on this graph and holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..graph.labels import quote, visible
from ..graph.qbaf import Qbaf
from ..results.base import Result
from ..results.serialize import to_plain
from ..types import Name


@dataclass(frozen=True, eq=False, repr=False)
class Witness(Result):
    """A violation: the graph, the arguments, and the two sides of the statement that should hold and does not.

    `arguments` maps a role (fact, foil, contributor, third) to a name. `value` is Φ of the contributor where the
    statement has it as its premise, else NaN.
    """

    axiom: str
    graph: Qbaf = field(repr=False)
    semantics: str
    caf: str
    arguments: dict[str, Name]
    left: float
    right: float
    words: str
    value: float = float("nan")

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/witness/1`."""
        edges = {"attacks": self.graph.attacks, "supports": self.graph.supports}
        return to_plain(
            {
                "schema": "qontrast/witness/1",
                "axiom": self.axiom,
                "semantics": self.semantics,
                "caf": self.caf,
                "arguments": self.arguments,
                "left": self.left,
                "right": self.right,
                "value": self.value,
                "words": self.words,
                "graph": {
                    "base_scores": self.graph.base_scores,
                    **{kind: [[*pair, weight] for pair, weight in each.items()] for kind, each in edges.items()},
                },
            }
        )


@dataclass(frozen=True)
class NotApplicable(Result):
    """The premise is not met on this graph, or, with `undecided`, the answer cannot be told from the numbers."""

    axiom: str
    reason: str
    undecided: bool = False

    def __bool__(self) -> bool:
        return False

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/not-applicable/1`."""
        return {
            "schema": "qontrast/not-applicable/1",
            "axiom": self.axiom,
            "reason": self.reason,
            "undecided": self.undecided,
        }


Outcome = Witness | NotApplicable | None


def describe_graph(qbaf: Qbaf) -> str:
    """Write a small graph in one line.

    >>> describe_graph(Qbaf({"a": 0.5, "b": 1.0}, attacks={("a", "b"): 0.25}))
    'a 0.5, b 1; a attacks b (weight 0.25)'
    """
    scores = ", ".join(f"{quote(visible(name))} {score:.6g}" for name, score in qbaf.base_scores.items())
    edges = [
        f"{quote(visible(source))} {verb} {quote(visible(target))}" + ("" if weight == 1 else f" (weight {weight:.6g})")
        for verb, relation in (("attacks", qbaf.attacks), ("supports", qbaf.supports))
        for (source, target), weight in relation.items()
    ]
    return f"{scores}; {', '.join(edges) or 'no edges'}"


def size(qbaf: Qbaf) -> tuple[int, int, int, int]:
    """How much there is to look at: arguments, edges, weights other than 1, digits of base scores other than 1/2."""
    odd = sum(weight != 1 for relation in (qbaf.attacks, qbaf.supports) for weight in relation.values())
    digits = sum(len(f"{score:.17g}") for score in qbaf.base_scores.values() if score != 0.5)
    return len(qbaf), len(qbaf.weights), odd, digits
