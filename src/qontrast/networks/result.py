"""What a network's contrast is: contributions with who played, how the outputs were read, and what was explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..attribution.methods import METHODS, ranked, value_title
from ..errors import unknown
from ..explain.contrast import Contrast
from ..explain.wording import SMALL, TIE, compare, listed
from ..extras import require
from ..graph.labels import quote, visible
from ..results.base import Result
from ..results.serialize import to_plain
from ..types import Name


@dataclass(frozen=True, eq=False, repr=False)
class NetworkContrast(Result, Mapping[Name, float]):
    """Φ_{fact ⪰ foil} of one instance: a mapping from contributor to contribution, with its context.

    `players` is "inputs" or "all", `explains` says whether the QBAF or the network's own function was explained;
    where all arguments played, `contrast` is the whole `Contrast`, cross-topic component and all.
    """

    fact: str
    foil: str
    contributions: Mapping[Name, float] = field(repr=False)
    individual: Mapping[str, Mapping[Name, float]] = field(repr=False)
    strengths: Mapping[str, float]
    method: str
    players: str
    readout: str
    explains: str
    contrast: Contrast | None = field(default=None, repr=False)

    @classmethod
    def argued(cls, why: Contrast, readout: str) -> NetworkContrast:
        """From a contrast in which all arguments played."""
        fact, foil = str(why.fact), str(why.foil)
        individual = {str(topic): dict(each) for topic, each in why.individual.items()}
        strengths = {str(topic): why.strengths[topic] for topic in why.qbaf.topics}
        return cls(fact, foil, dict(why), individual, strengths, why.method, "all", readout, "the QBAF under mlp", why)

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
        """Contributors, the most telling first; ties by name."""
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
        marked = ", of the network's own function" if self.explains != "the QBAF under mlp" else ""
        return f"{text}; players: {who} ({self.method}, {self.readout} readout{marked})."

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/network-contrast/1`."""
        data = {
            "schema": "qontrast/network-contrast/1",
            "fact": self.fact,
            "foil": self.foil,
            "method": self.method,
            "players": self.players,
            "readout": self.readout,
            "explains": self.explains,
            "strengths": self.strengths,
            "gap": self.gap,
            "contributions": self,
            "individual": self.individual,
        }
        return to_plain(data)

    def to_frame(self) -> Any:
        """A pandas row for each contributor: its contribution to the contrast, to the fact and to the foil."""
        pandas = require("pandas", "to_frame")
        fact, foil = self.individual[self.fact], self.individual[self.foil]
        columns = {
            "contrast": [self[x] for x in self],
            "fact": [fact[x] for x in self],
            "foil": [foil[x] for x in self],
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(self), name="contributor"))
