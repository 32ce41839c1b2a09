"""Φ[topic, contributor]: one matrix of contributions, with what it explains and how it was made.

Every method fills it for all asked topics at once; an attribution is a row, a contrast the difference of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..errors import unknown_name
from ..graph.qbaf import Qbaf
from ..results.base import Result
from ..results.serialize import to_plain
from ..types import Floats, Name


@dataclass(frozen=True)
class Sides:
    """The derivatives from below and from above, where they differ."""

    below: float
    above: float


@dataclass(frozen=True, eq=False)
class View(Mapping[Name, float]):
    """An array in the graph's order as a mapping from name to number, some names left out."""

    qbaf: Qbaf
    array: Floats
    without: tuple[Name, ...] = ()

    def __getitem__(self, name: Name) -> float:
        if name in self.without:
            raise unknown_name(name, list(self))
        return float(self.array[self.qbaf.index(name)])

    def __iter__(self) -> Iterator[Name]:
        return (name for name in self.qbaf.arguments if name not in self.without)

    def __len__(self) -> int:
        return len(self.qbaf) - len(set(self.without))

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, eq=False, repr=False)
class Phi(Result):
    """φ_t(x) for each topic t (rows, in the order of `topics`) and argument x (columns, in the graph's order).

    A topic's own entry is NaN. `replicates` (R, topics, arguments), where a value was sampled, are deviations
    whose squares add up to the variance, of φ and of any difference of two φ alike. `sides` holds the one-sided
    derivatives at kinks, by (topic, contributor), `kinks` the arguments where they arise.
    """

    problem: Problem
    topics: tuple[Name, ...]
    values: Floats
    strengths: Floats
    method: str
    way: str  # how it was computed, in words
    evaluations: int
    replicates: Floats | None = None
    sides: Mapping[tuple[Name, Name], Sides] = field(default_factory=dict)
    kinks: tuple[Name, ...] = ()

    def row(self, topic: Name) -> Floats:
        return self.values[self.topics.index(topic)]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/contributions/1`."""
        qbaf = self.problem.qbaf
        data: dict[str, Any] = {
            "schema": "qontrast/contributions/1",
            "topics": self.topics,
            "method": self.method,
            "semantics": self.problem.semantics.name,
            "strengths": View(qbaf, self.strengths),
            "contributions": {topic: View(qbaf, self.row(topic), (topic,)) for topic in self.topics},
        }
        if self.replicates is not None:
            errors = ((topic, self.std_error(topic)) for topic in self.topics)
            data["std_error"] = {topic: View(qbaf, each, (topic,)) for topic, each in errors if each is not None}
        return to_plain(data)

    def std_error(self, fact: Name, foil: Name | None = None) -> Floats | None:
        """Of φ_fact, or of φ_fact − φ_foil; None where nothing was sampled."""
        if self.replicates is None:
            return None
        deviations = self.replicates[:, self.topics.index(fact)]
        if foil is not None:
            deviations = deviations - self.replicates[:, self.topics.index(foil)]
        return np.asarray(np.sqrt(np.square(deviations).sum(axis=0)))


def blank_own_entries(topics: tuple[int, ...], values: Floats) -> Floats:
    """The same with each topic's own entry NaN."""
    values[np.arange(len(topics)), list(topics)] = np.nan
    return values
