"""The result of an audit, as text, as plain data and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..extras import require
from ..graph.labels import quote, visible
from ..networks import Network
from ..results.base import Result
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

    def __str__(self) -> str:
        lines = [
            f"Why {quote(visible(self.fact))} rather than {quote(visible(self.foil))}, "
            f"with {quote(visible(self.protected))} protected: "
            f"{len(self.instances)} instances of {self.rows} ({visible(self.choice)})",
            f"players: the inputs; {self.network.readout} readout; explains {visible(self.explains)}",
            f"flip rate {self.flip_rate:.2f} ({self.flips} of {self.candidates} {visible(self.asked)}); "
            f"{self.changed:.0%} of all predictions change with {quote(visible(self.protected))} alone",
        ]
        for method in self.table:
            lines += ["", *self._text(method)]
        for title, runs in (("over seeds", self.runs), (f"null, {quote(visible(self.protected))} shuffled", self.null)):
            if runs is not None:
                lines += ["", *self._over_seeds(title, runs)]
        return "\n".join(lines)

    def _text(self, method: str) -> list[str]:
        width = max(len(visible(name)) for name in self.network.inputs) + 2
        lines = [f"{method:<{width}}  rank, individual → contrastive            |φ|, individual → contrastive"]
        for name, each in self.table[method].items():
            one, two = each.individual_rank, each.contrastive_rank
            mark = "*" if name == self.protected else " "
            lines.append(
                f"{mark}{visible(name):<{width}} {one.mean:5.2f} [{one.low:.2f}, {one.high:.2f}] → {two.mean:5.2f} "
                f"[{two.low:.2f}, {two.high:.2f}]   {each.individual.mean:7.4f} → {each.contrastive.mean:7.4f}"
            )
        return lines

    def _over_seeds(self, title: str, runs: Runs) -> list[str]:
        without = f"{runs.without_flips} of them without a flip"
        lines = [f"{title}: {len(runs.runs)} networks, flip rate {runs.rate:.2f}, {without}"]
        for method in self.methods:
            found = runs.rank(method)
            if found is not None:
                (a, low, high), (b, least, most) = found
                lines.append(f"  {method}: rank {a:.2f} ({low:.2f}–{high:.2f}) → {b:.2f} ({least:.2f}–{most:.2f})")
        return lines

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

    def to_frame(self) -> Any:
        """A pandas row for each method and feature: means, and the ends of their intervals."""
        pandas = require("pandas", "to_frame")
        cells = [(method, name, each) for method, features in self.table.items() for name, each in features.items()]
        rows = [
            {
                f"{what}{end}": getattr(getattr(each, what), value)
                for what in Measure.__dataclass_fields__
                for end, value in (("", "mean"), ("_low", "low"), ("_high", "high"))
            }
            for _, _, each in cells
        ]
        index = pandas.MultiIndex.from_tuples([cell[:2] for cell in cells], names=["method", "feature"])
        return pandas.DataFrame(rows, index=index)

    def report_html(self) -> str:
        """One self-contained page, without scripts: table, plot, instances, and what the figures do not show."""
        from .page import page

        return page(self)
