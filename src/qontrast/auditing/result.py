"""The result of an audit, as text, as plain data and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..networks import Network
from ..results.base import Result, presenter
from ..results.serialize import to_plain
from .prominence import Telling
from .seeds import Runs
from .statistics import Measure

LIMITS = (
    "A gradient is a slope per whole unit of a feature, from its least value to its largest: where one unit is 38 "
    "prior offences, a small slope can move much, and the slope at a yes/no feature is not the difference between "
    "yes and no.",
    "A low rank is not innocence: what an attribute does may act through features that go with it, and a feature at "
    "base score 0 contributes exactly 0 by removal and by Shapley, whatever the network has learnt about it.",
    "The contrast helps the gradient most. Removal and Shapley values often rank an attribute that decides first "
    "without any contrast; where they disagree with the gradient, look at the flip rate.",
    "A contrastive rank can also be worse than the individual one where an influence is weak; without a null (the "
    "attribute shuffled, the network trained again) a single rank has no yardstick.",
    "All of this describes what the network does with these instances. Whether that is unjust, these figures "
    "cannot say.",
)


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """What the explanations say about every feature, individual beside contrastive, over the instances chosen.

    `table[method][feature]` has ranks and |contributions| with intervals; `flip_rate` is the share of those predicted
    as the fact that become the foil when the protected attribute alone changes, `changed` the share of all predictions
    that change at all; `runs` and `null` are there where a trainer was given.
    """

    network: Network = field(repr=False)
    fact: str
    foil: str
    protected: str
    methods: tuple[str, ...]
    rows: int
    instances: tuple[int, ...] = field(repr=False)
    choice: str  # how the instances were chosen, in words
    flips: int
    candidates: int
    asked: str  # who the candidates are, in words
    changed: float
    table: Mapping[str, Mapping[str, Measure]] = field(repr=False)
    telling: tuple[Telling, ...] = field(repr=False)
    runs: Runs | None = field(default=None, repr=False)
    null: Runs | None = field(default=None, repr=False)
    players: str = "inputs"

    @property
    def flip_rate(self) -> float:
        return self.flips / self.candidates if self.candidates else 0.0

    @property
    def explains(self) -> str:
        """What was explained: the QBAF, or the network's own function."""
        return "the network's own function" if self.network.as_function else "the QBAF under mlp"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/audit/1`."""
        data: dict[str, Any] = {
            "schema": "qontrast/audit/1",
            "fact": self.fact,
            "foil": self.foil,
            "protected": self.protected,
            "features": list(self.network.inputs),
            "classes": list(self.network.classes),
            "readout": self.network.readout,
            "explains": self.explains,
            "players": self.players,
            "rows": self.rows,
            "instances": list(self.instances),
            "choice": self.choice,
            "flips": self.flips,
            "candidates": self.candidates,
            "asked": self.asked,
            "flip_rate": self.flip_rate,
            "changed": self.changed,
            "methods": {
                method: {name: each.to_dict() for name, each in features.items()}
                for method, features in self.table.items()
            },
            "telling": [asdict(each) for each in self.telling],
            "limits": list(LIMITS),
        }
        for name, runs in (("runs", self.runs), ("null", self.null)):
            if runs is not None:
                data[name] = runs.to_dict(self.methods)
        return to_plain(data)

    def report_html(self) -> str:
        """One self-contained page, without scripts: table, plot, instances, and what the figures do not show."""
        return presenter().page(self)
