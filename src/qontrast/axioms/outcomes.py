"""The outcomes of a check: a violation of a property, that it does not apply, a search without violation.

A `Witness` is true and the others are false, so that `if axiom(qbaf, caf):` reads "if it is violated"; `is None` alone
means that the property was tested on this graph and holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema, presenter
from ..types import Name


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Witness(
    Result,
    schema=Schema(
        "qontrast/witness/1",
        {
            "axiom": "title of the property",
            "semantics": "name of the semantics",
            "caf": "the method or function that was tested",
            "arguments": "role (`fact`, `foil`, `contributor`, `third`) → name; a contributor that is an edge or a "
            "pair is a list of two",
            "left": "the left side of the statement",
            "right": "the right side, which should be equal or ordered as stated",
            "value": "Φ of the contributor, or `null`",
            "words": "the violation as a sentence",
            "graph": "`base_scores`, `attacks`, `supports`",
        },
        source="a violation of a property",
    ),
):
    """A violation of a property: the graph, the arguments, and the two sides of the statement that does not hold.

    Attributes
    ----------
    axiom
        The title of the property.
    qbaf, semantics, caf
        The graph, the semantics, and the name of the method or function that was tested.
    arguments
        Role (fact, foil, contributor, third) → name; a contributor may be an edge (source, target) or a pair.
    left, right
        The two sides of the statement.
    template
        The violation as a sentence, with the roles and the sides to be filled in.
    players
        Who the property is about: "arguments", "edges", "groups", "pairs" or "sets".
    value
        Φ of the contributor where the statement has it as its premise, else NaN.
    """

    axiom: str
    qbaf: Qbaf
    semantics: str
    caf: str
    arguments: dict[str, Any]
    left: float
    right: float
    template: str
    players: str = "arguments"
    value: float = float("nan")

    @property
    def method(self) -> str:
        """The name of the method or function that was tested."""
        return self.caf

    @property
    def graph(self) -> Qbaf:
        """The graph."""
        return self.qbaf

    @property
    def words(self) -> str:
        """The violation as a sentence."""
        return str(presenter().write_violation(self))

    def _computed_fields(self) -> dict[str, Any]:
        edges = {"attacks": self.qbaf.attacks, "supports": self.qbaf.supports}
        relations = {kind: [[*pair, weight] for pair, weight in each.items()] for kind, each in edges.items()}
        return {"graph": {"base_scores": self.qbaf.base_scores, **relations}}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NotApplicable(
    Result,
    schema=Schema(
        "qontrast/not-applicable/1",
        {
            "axiom": "title of the property",
            "reason": "why it does not apply",
            "undecided": "whether it applies, but the numbers do not tell whether it holds",
        },
        source="a property that does not apply to the graph",
    ),
):
    """A property whose premise is not met on this graph, or that the numbers do not decide.

    Attributes
    ----------
    axiom
        The title of the property.
    reason
        Why it does not apply.
    undecided
        Whether it applies, but the numbers do not tell whether it holds.
    qbaf, semantics, caf
        The graph, the semantics, and the name of the method or function that was tested.
    template, details, kinks
        What `reason` is made of: a text, what fills it in, and the contributors whose Φ does not exist; empty where
        `reason` is a text of its own.
    """

    axiom: str
    reason: str
    undecided: bool = False
    qbaf: Qbaf | None = None
    semantics: str | None = None
    caf: str | None = None
    template: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    kinks: tuple[Name, ...] = ()

    @property
    def method(self) -> str | None:
        """The name of the method or function that was tested."""
        return self.caf

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tried(
    Result,
    schema=Schema(
        "qontrast/tried/1",
        {
            "graphs": "how many graphs were checked",
            "applied": "to how many of them the property applies",
            "undecided": "for how many the numbers do not tell whether it holds",
        },
        source="a search that found no violation",
    ),
):
    """A search that found no violation.

    Attributes
    ----------
    graphs
        How many graphs were checked.
    applied
        To how many of them the property applies.
    undecided
        For how many the numbers do not tell whether it holds.
    semantics, caf
        The semantics, and the name of the method or function that was tested.
    """

    graphs: int = 0
    applied: int = 0
    undecided: int = 0
    semantics: str | None = None
    caf: str | None = None
    qbaf: ClassVar[None] = None  # many random graphs were checked

    @property
    def method(self) -> str | None:
        """The name of the method or function that was tested."""
        return self.caf

    def __bool__(self) -> bool:
        return False


Outcome = Witness | NotApplicable | None
Found = Witness | Tried
