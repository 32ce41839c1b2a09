"""A state of the page, computed in Python: the fields that static/state.js lists, and what follows from them."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import qontrast as qx
from qontrast.questions import Question


@dataclass(frozen=True)
class State:
    """What the page is about; None for a fact or foil that the server chooses."""

    graph: qx.Qbaf
    name: str
    example: str | None
    fact: str | None
    foil: str | None
    players: str = "arguments"
    method: str = "shapley"
    semantics: str = "qe"
    solver: str = "discrete"
    set: dict[str, float] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    scores: dict[str, Any] = field(default_factory=dict)

    @property
    def changed(self) -> qx.Qbaf:
        """The graph with base scores set and arguments removed."""
        made = self.graph.with_base_scores(self.set)
        return made.without(*self.removed) if self.removed else made

    @property
    def solving(self) -> dict[str, str]:
        return {"semantics": self.semantics, "solver": self.solver}

    @property
    def pair(self) -> tuple[str, str]:
        asked = Question(
            graph=self.changed, fact=self.fact, foil=self.foil, semantics=self.semantics, solver=self.solver
        )
        return asked.pair  # type: ignore[return-value]

    def tidy(self) -> State:
        """A question about an argument that is removed asks for another instead."""
        fact, foil = (None if name in self.removed else name for name in (self.fact, self.foil))
        return replace(self, fact=fact, foil=foil)

    def settle(self) -> State:
        """A question that named no pair is about the one that is answered."""
        if self.fact is not None or self.foil is not None:
            return self
        fact, foil = self.pair
        return replace(self, fact=fact, foil=foil)

    @cached_property
    def why(self) -> qx.Contrast:
        return self.contrast(self.method)

    def contrast(self, method: str) -> qx.Contrast:
        fact, foil = self.pair
        players: Any = self.players
        if players == "groups":
            groups = {
                name: [each for each in group if each not in (fact, foil, *self.removed)]
                for name, group in self.graph.groups.items()
            }
            players = {name: group for name, group in groups.items() if group}
        return qx.contrast(self.changed, fact, foil, method=method, players=players, **self.solving)

    def link(self) -> dict[str, Any]:
        """The fields of a link, without the graph."""
        kept = {"name": self.name, "set": self.set, "scores": self.scores, "removed": list(self.removed)}
        question = {
            "fact": self.fact,
            "foil": self.foil,
            "players": self.players,
            "method": self.method,
            **self.solving,
        }
        return kept | {key: value for key, value in question.items() if value is not None}


def read_link(fragment: str) -> dict[str, Any]:
    """The state in the address of the page."""
    text = fragment.removeprefix("#").removeprefix("s=").replace("-", "+").replace("_", "/")
    data = base64.b64decode(text + "=" * (-len(text) % 4))
    found: dict[str, Any] = json.loads(zlib.decompress(data, wbits=-15))
    return found
