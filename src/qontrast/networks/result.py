"""The contrast of two classes of a network, with its players and its readout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..attribution.methods import METHODS, ranked, value_title
from ..errors import unknown
from ..explain.contrast import Contrast
from ..explain.wording import SMALL, TIE, compare, listed
from ..extras import require
from ..graph.labels import quote, visible
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..types import Name

QBAF, FUNCTION = "the QBAF under mlp", "the network's own function"  # what contributions explain

SCHEMA = Schema(
    "qontrast/network-contrast/1",
    {
        "fact": "the class asked about",
        "foil": "the class it is compared with",
        "method": "the attribution method",
        "players": "who contributes: the inputs, or all arguments",
        "readout": "how outputs are made of logits",
        "explains": "what is explained: the QBAF under mlp, or the network's own function",
        "strengths": "class → strength",
        "gap": "σ(fact) − σ(foil)",
        "contributions": "contributor → contribution to the gap",
        "individual": "fact and foil → contributor → contribution",
    },
    source="`Network.contrast`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NetworkContrast(Result, Mapping[Name, float], schema=SCHEMA):
    """Φ_{fact ⪰ foil} of one instance: a mapping from contributor to contribution, with its context.

    Attributes
    ----------
    players : {"inputs", "all"}
        Who contributes.
    explains : str
        Whether the QBAF or the network's own function was explained.
    qbaf : Qbaf or None
        The graph of the instance; None where the network is read as a function or by a softmax.
    contrast : Contrast or None
        Where all arguments played, the whole contrast with its cross-topic component.
    """

    fact: str
    foil: str
    method: str
    players: str
    readout: str
    explains: str
    strengths: Mapping[str, float]
    contributions: Mapping[Name, float]
    individual: Mapping[str, Mapping[Name, float]]
    qbaf: Qbaf | None = None
    contrast: Contrast | None = None

    @property
    def semantics(self) -> str | None:
        """The semantics "mlp", or None where the network's own function was explained."""
        return "mlp" if self.explains == QBAF else None

    def __getitem__(self, name: Name) -> float:
        if name not in self.contributions:
            raise unknown(name, list(self.contributions), "contributor")
        return self.contributions[name]

    def __iter__(self) -> Iterator[Name]:
        return iter(self.contributions)

    def __len__(self) -> int:
        return len(self.contributions)

    @property
    def gap(self) -> float:
        """σ(fact) − σ(foil)."""
        return self.strengths[self.fact] - self.strengths[self.foil]

    def ranked(self) -> list[tuple[Name, float]]:
        """List contributors with their contributions, the largest first; ties by name."""
        return ranked(self)

    def __str__(self) -> str:
        fact, foil = quote(visible(self.fact)), quote(visible(self.foil))
        text = compare(fact, foil, self.strengths[self.fact], self.strengths[self.foil])
        side = -1.0 if self.gap < -TIE else 1.0
        speaking = [(quote(visible(n)), v) for n, v in self.ranked() if v * side >= SMALL][:2]
        against = [(quote(visible(n)), v) for n, v in self.ranked() if v * side <= -SMALL][:1]
        if not (self.method in METHODS and METHODS[self.method].adds_up):
            found = listed([*speaking, *against])
            text += f"; the largest values ({value_title(self.method)}) are {found}" if found else ""
        else:
            text += f", mainly because of {listed(speaking)}" if speaking else ""
            text += f"; the strongest counterweight is {listed(against)}" if against else ""
        who = f"the {len(self)} inputs" if self.players == "inputs" else "all arguments"
        marked = ", of the network's own function" if self.explains != QBAF else ""
        return f"{text}; players: {who} ({self.method}, {self.readout} readout{marked})."

    def to_frame(self) -> Any:
        """Make a pandas row for each contributor: its contribution to the contrast, to the fact and to the foil."""
        pandas = require("pandas", "to_frame")
        fact, foil = self.individual[self.fact], self.individual[self.foil]
        columns = {
            "contrast": [self[x] for x in self],
            "fact": [fact[x] for x in self],
            "foil": [foil[x] for x in self],
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(self), name="contributor"))


def from_contrast(why: Contrast, readout: str) -> NetworkContrast:
    """Make the result of a contrast in which all arguments played."""
    return NetworkContrast(
        fact=str(why.fact),
        foil=str(why.foil),
        method=why.method,
        players="all",
        readout=readout,
        explains=QBAF,
        strengths={str(topic): why.strengths[topic] for topic in why.qbaf.topics},
        contributions=dict(why),
        individual={str(topic): dict(each) for topic, each in why.individual.items()},
        qbaf=why.qbaf,
        contrast=why,
    )
