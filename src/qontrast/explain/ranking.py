"""Rank topics by strength, and explain each step between neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

from ..attribution.methods import DEFAULT, MethodSettings
from ..engine.problem import MAX_STEPS
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE, Plottable, Result, Schema
from ..semantics import Semantics
from ..types import Method, Name, Progress
from .contrast import Contrast
from .pairs import all_pairs

if TYPE_CHECKING:
    from concurrent.futures import Executor

SCHEMA = Schema(
    "qontrast/ranking/1",
    {
        "method": "name of the method",
        "semantics": "name of the semantics",
        "order": "from the strongest down: `topic`, `place` (shared by ties), `strength`",
        "steps": "the `qontrast/contrast/1` of each topic with the next",
    },
    source="`rank`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Ranking(Result, Plottable, schema=SCHEMA):
    """Topics from the strongest down, each step between neighbours explained.

    Attributes
    ----------
    order
        The topics from the strongest down.
    places
        Their places, such as 1, 2, 2, 4: tied topics share one.
    strengths
        Topic → strength.
    steps
        `steps[k]` is the contrast of `order[k]` with `order[k + 1]`.
    """

    order: tuple[Name, ...]
    places: tuple[int, ...]
    strengths: Mapping[Name, float]
    steps: tuple[Contrast, ...]

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.steps[0].qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.steps[0].semantics

    @property
    def method(self) -> str:
        """The name of the method."""
        return self.steps[0].method

    @property
    def tied(self) -> tuple[bool, ...]:
        """Whether each step is a tie."""
        return tuple(abs(step.gap) <= TIE_TOLERANCE for step in self.steps)

    def _computed_fields(self) -> dict[str, Any]:
        places = zip(self.order, self.places, strict=True)
        return {
            "order": [{"topic": x, "place": place, "strength": self.strengths[x]} for x, place in places],
            "steps": [step.to_dict() for step in self.steps],
        }


def rank(
    qbaf: Qbaf,
    topics: Sequence[Name] | None = None,
    *,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    **settings: Unpack[MethodSettings],
) -> Ranking:
    """Sort topics by strength and explain each step between neighbours.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    topics : sequence of names, optional
        The topics; the graph's own unless given.
    method, semantics, solver, max_steps, executor, device, progress, **settings
        As in `contributions`.

    Returns
    -------
    Ranking
        The topics from the strongest down; tied ones share a place and keep the given order.

    Raises
    ------
    InvalidInput
        If there are fewer than two topics, or one is named twice.

    Examples
    --------
    >>> from qontrast import examples
    >>> found = rank(examples.load("zebra"), ["tiger", "horse", "zebra"])
    >>> found.order, found.places
    (('zebra', 'tiger', 'horse'), (1, 2, 2))
    """
    pairs = all_pairs(
        qbaf,
        topics,
        method=method,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        device=device,
        progress=progress,
        **settings,
    )
    strength = {topic: float(pairs.phi.strengths[qbaf.index(topic)]) for topic in pairs.topics}
    rough = sorted(pairs.topics, key=lambda topic: -strength[topic])
    places: list[int] = []
    for k, topic in enumerate(rough):
        same = k > 0 and strength[rough[k - 1]] - strength[topic] <= TIE_TOLERANCE
        places.append(places[-1] if same else k + 1)
    place = dict(zip(rough, places, strict=True))
    order = sorted(pairs.topics, key=lambda topic: place[topic])  # tied ones keep the given order
    return Ranking(
        order=tuple(order),
        places=tuple(places),
        strengths={topic: strength[topic] for topic in order},
        steps=tuple(pairs[a, b] for a, b in pairwise(order)),
    )
