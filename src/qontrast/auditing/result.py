"""The result of an audit, as text, as plain data and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..networks import Network
from ..results.base import Result, Schema, presenter
from .measures import Measure, Telling
from .retraining import Runs

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


SCHEMA = Schema(
    "qontrast/audit/1",
    {
        "fact": "the class asked about",
        "foil": "the class it is compared with",
        "protected": "the protected attribute",
        "features": "the names of the features",
        "classes": "the names of the classes",
        "readout": "how outputs are made of logits",
        "explains": "what is explained: the QBAF under mlp, or the network's own function",
        "players": "who contributes: the inputs",
        "rows": "how many instances were given",
        "instances": "the row numbers of those explained",
        "choice": "how these were chosen",
        "flips": "how many candidates become the foil when the protected attribute alone changes",
        "candidates": "how many instances could flip",
        "asked": "who the candidates are",
        "flip_rate": "flips / candidates",
        "changed": "the share of all predictions that change with the protected attribute alone",
        "methods": "method → feature → ranks and |contributions|, individual and contrastive: mean, "
        "and `low` and `high` of its 95 % interval, `null` where there is one instance only",
        "telling": "the instances in which the contrast lifts the protected attribute most",
        "limits": "what these figures do not show",
    },
    {
        "runs": "the same over networks trained with other seeds",
        "null": "the same over networks trained with the protected attribute shuffled",
    },
    source="`qontrast audit --json`, `audit`, `audit_files`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Audit(Result, schema=SCHEMA):
    """Figures about every feature of a classifier, individual beside contrastive, over the instances chosen.

    Attributes
    ----------
    network : Network
        The network that was audited.
    fact, foil, protected : str
        The two classes and the protected attribute.
    methods : tuple of str
        The attribution methods.
    rows : int
        How many instances were given; `instances` are the row numbers of those explained, `choice` says how they were
        chosen: by the user if `given`.
    flips, candidates : int
        How many of how many candidates become the foil when the protected attribute alone changes; `asked` says who
        the candidates are, and `flip_rate` is the share.
    labelled : bool
        Whether candidates are rightly predicted; else nobody knows.
    value : float or None
        The value of the protected attribute that candidates have; None for any.
    changed : float
        The share of all predictions that change with the protected attribute alone.
    table : mapping
        Method → feature → ranks and |contributions|, each a mean with its 95 % interval over instances (`low`, `high`),
        which is NaN where there is one instance only.
    telling : tuple of Telling
        The instances in which the contrast lifts the protected attribute most.
    runs, null : Runs or None
        The same over seeds, as it is and with the attribute shuffled, where a trainer was given.
    qbaf, method
        None: an audit is about many graphs and several methods.
    """

    network: Network
    fact: str
    foil: str
    protected: str
    methods: tuple[str, ...]
    rows: int
    instances: tuple[int, ...]
    given: bool
    flips: int
    candidates: int
    labelled: bool
    value: float | None
    changed: float
    table: Mapping[str, Mapping[str, Measure]]
    telling: tuple[Telling, ...]
    runs: Runs | None = None
    null: Runs | None = None
    players: str = "inputs"
    qbaf: None = None
    method: None = None

    @property
    def semantics(self) -> str | None:
        """The semantics "mlp", or None where the network's own function was explained."""
        return None if self.network.as_function else "mlp"

    @property
    def choice(self) -> str:
        """How the instances were chosen, in words."""
        return "as given" if self.given else f"those that flip when {self.protected} alone changes"

    @property
    def asked(self) -> str:
        """Who the candidates are, in words."""
        having = "" if self.value is None else f" with {self.protected} = {self.value:g}"
        return f"{'rightly ' if self.labelled else ''}predicted {self.fact}{having}"

    @property
    def flip_rate(self) -> float:
        """The share of candidates that flip."""
        return self.flips / self.candidates if self.candidates else 0.0

    @property
    def explains(self) -> str:
        """What was explained: the QBAF, or the network's own function."""
        return self.network.explains

    @property
    def features(self) -> Sequence[str]:
        """The names of the features."""
        return self.network.inputs

    @property
    def classes(self) -> Sequence[str]:
        """The names of the classes."""
        return self.network.classes

    @property
    def readout(self) -> str:
        """How outputs are made of logits."""
        return self.network.readout

    @property
    def limits(self) -> tuple[str, ...]:
        """What these figures do not show."""
        return LIMITS

    def _computed_fields(self) -> dict[str, Any]:
        return {
            "methods": {
                method: {name: asdict(each) for name, each in features.items()}
                for method, features in self.table.items()
            },
            "telling": [asdict(each) for each in self.telling],
            "runs": self.runs and self.runs.to_dict(self.methods),
            "null": self.null and self.null.to_dict(self.methods),
        }

    def report_html(self) -> str:
        """Write one self-contained page without scripts: table, plot, instances, and what the figures do not show."""
        return str(presenter().page(self))
