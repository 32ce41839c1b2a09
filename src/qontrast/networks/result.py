"""The contrast of two classes of a network, with its players and its readout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..attribution.methods import METHODS
from ..errors import InvalidInput, unknown_name
from ..explain.contrast import Contrast
from ..extras import require
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema, ShapConvertible
from ..results.order import rank_contributions
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
class NetworkContrast(Mapping[Name, float], ShapConvertible, Result, schema=SCHEMA):
    """Φ_{fact ⪰ foil} of one instance: a mapping from contributor to contribution, with its context.

    Attributes
    ----------
    players : {"inputs", "all"}
        Who contributes.
    explains : str
        Whether the QBAF or the network's own function was explained.
    instance : mapping
        Input → its value.
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
    instance: Mapping[Name, float]
    qbaf: Qbaf | None = None
    contrast: Contrast | None = None

    @property
    def semantics(self) -> str | None:
        """The semantics "mlp", or None where the network's own function was explained."""
        return "mlp" if self.explains == QBAF else None

    def __getitem__(self, name: Name) -> float:
        if name not in self.contributions:
            raise unknown_name(name, list(self.contributions), "contributor")
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
        return rank_contributions(self)

    def to_shap(self) -> Any:
        """Convert to a `shap.Explanation`; it starts at the gap that is left when every input is 0.

        Raises
        ------
        InvalidInput
            If the values are not shares of the gap, as with gradients and removals.
        ImportError
            If shap is not installed.
        """
        if self.contrast is not None:
            return self.contrast.to_shap()
        if not METHODS[self.method].adds_up:
            raise InvalidInput(
                f'shap needs values that add up to the gap, and those of {self.method} do not; ask for method="shapley"'
            )
        values = np.array(list(self.values()))
        return require("shap", "to_shap").Explanation(
            values=values,
            base_values=self.gap - float(values.sum()),
            data=np.array([self.instance[name] for name in self]),
            feature_names=[str(name) for name in self],
        )
