"""The numbers that properties speak of, on one graph: Φ, φ, strengths, restrictions, one-sided slopes.

`Direct` asks the library for each when it is first needed, one graph at a time. The search fills the same protocol
from many graphs at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol, TypeVar

import numpy as np

from ..attribution.gradient import directional
from ..engine.problem import MAX_STEPS, Problem, problem
from ..errors import InvalidInput, UndefinedStrength
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..types import Floats, Name
from .caf import Tested

K = TypeVar("K")
V = TypeVar("V")
STEPS = tuple(2.0**-k for k in range(9, 13))  # what is of second order still moves strengths by 1e-8 here


class Evaluation(Protocol):
    """All that a property may ask of a graph."""

    @property
    def names(self) -> Sequence[Name]: ...
    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]: ...
    def phi(self, topic: Name) -> Mapping[Name, float]: ...
    def base_score(self, x: Name) -> float: ...
    def strength(self, topic: Name) -> float: ...
    def strength_without(self, x: Name, topic: Name) -> float: ...
    def slopes(self, x: Name, topic: Name) -> tuple[float, float]:
        """∂σ(topic)/∂τ(x) from below and from above."""
        ...

    def moved(self, x: Name, side: int, fact: Name, foil: Name) -> list[float]:
        """How the gap changes when τ(x) moves to a side by ever smaller steps."""
        ...

    def extended(self) -> tuple[Evaluation, Name]:
        """The same with an argument more, its last, connected to none; the others keep their order."""
        ...


Kept = dict[K, V | UndefinedStrength]


def _once(kept: Kept[K, V], key: K, make: Callable[[], V]) -> V:
    """What `make` gives, asked once; that it is undefined is kept too, since finding out takes longest."""
    if key not in kept:
        try:
            kept[key] = make()
        except UndefinedStrength as error:
            kept[key] = error
    found = kept[key]
    if isinstance(found, UndefinedStrength):
        raise found
    return found


@dataclass(frozen=True, eq=False)
class Direct:
    """One graph, asked through the public functions."""

    qbaf: Qbaf
    semantics: Semantics
    caf: Tested
    patience: int = MAX_STEPS  # steps after which strengths count as undefined
    _contrasts: Kept[tuple[Name, Name], Mapping[Name, float]] = field(default_factory=dict, repr=False)
    _phis: Kept[Name, Mapping[Name, float]] = field(default_factory=dict, repr=False)
    _without: Kept[Name, Floats] = field(default_factory=dict, repr=False)
    _whole: Kept[None, Floats] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> Sequence[Name]:
        return self.qbaf.arguments

    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        self._strengths()  # where they are undefined, nothing else need be tried
        make = partial(self.caf.caf, self.qbaf, fact, foil, self.semantics)
        return _once(self._contrasts, (fact, foil), make)

    def phi(self, topic: Name) -> Mapping[Name, float]:
        if self.caf.phi is None:
            raise InvalidInput(f"this property measures {self.caf.name} against an attribution function: give phi=...")
        self._strengths()
        return _once(self._phis, topic, partial(self.caf.phi, self.qbaf, topic, self.semantics))

    def base_score(self, x: Name) -> float:
        return self.qbaf.base_scores[x]

    def strength(self, topic: Name) -> float:
        return float(self._strengths()[self.qbaf.index(topic)])

    def strength_without(self, x: Name, topic: Name) -> float:
        present = np.ones(len(self.qbaf), bool)
        present[self.qbaf.index(x)] = False
        found = _once(self._without, x, lambda: self._problem.strengths(present)[0])
        return float(found[self.qbaf.index(topic)])

    def slopes(self, x: Name, topic: Name) -> tuple[float, float]:
        below, above = self._slopes
        at = (self.qbaf.index(topic), self.qbaf.index(x))
        return float(below[at]), float(above[at])

    def moved(self, x: Name, side: int, fact: Name, foil: Name) -> list[float]:
        scores = np.tile(self.qbaf.base_array, (len(STEPS), 1))
        scores[:, self.qbaf.index(x)] = np.clip(self.base_score(x) + side * np.array(STEPS), 0.0, 1.0)
        found = self._problem.strengths(base_scores=scores)
        gaps = found[:, self.qbaf.index(fact)] - found[:, self.qbaf.index(foil)]
        return [float(gap) - (self.strength(fact) - self.strength(foil)) for gap in gaps]

    def extended(self) -> tuple[Direct, Name]:
        return self._extended

    @cached_property
    def _extended(self) -> tuple[Direct, Name]:
        grown = isolated(self.qbaf)
        return Direct(grown, self.semantics, self.caf), grown.arguments[-1]

    @cached_property
    def _problem(self) -> Problem:
        return problem(self.qbaf, self.semantics)

    def _strengths(self) -> Floats:
        return _once(self._whole, None, self._solved)

    def _solved(self) -> Floats:
        solution = problem(self.qbaf, self.semantics, max_steps=self.patience).solve()
        if solution.moving[0]:
            raise UndefinedStrength(f"{self.semantics.name}: strengths still move after {self.patience} steps")
        return solution.strengths[0]

    @cached_property
    def _slopes(self) -> tuple[Floats, Floats]:
        return one_sided(self._problem, self._strengths(), np.eye(len(self.qbaf)))


def one_sided(asked: Problem, strengths: Floats, directions: Floats) -> tuple[Floats, Floats]:
    """dσ per unit of each direction, from below and from above: (arguments, directions)."""
    order = asked.arrays.order
    at = strengths[order], asked.qbaf.base_array[order]
    with np.errstate(over="ignore"):
        return -directional(asked, *at, -directions), directional(asked, *at, directions)


def isolated(qbaf: Qbaf, base_score: float = 0.5) -> Qbaf:
    """The graph with one argument more, its last, and no edge more; the others keep their order."""
    names: list[str] | None = None
    if not isinstance(qbaf.arguments, range):
        names = [str(name) for name in qbaf.arguments]
        new = "isolated"
        while new in names:
            new += "′"
        names.append(new)
    scores = np.append(qbaf.base_array, base_score)
    return Qbaf.from_arrays(scores, qbaf.sources, qbaf.targets, qbaf.weights, names=names)
