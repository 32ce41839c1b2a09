"""Why the fact rather than the foil: two rows of Φ, subtracted.

    Φ_{fact ⪰ foil}(x) = φ_fact(x) − φ_foil(x)          for every argument x besides the two

A positive contribution speaks for the fact, a negative one for the foil. φ_fact and φ_foil each come from their own
game, in which the other topic plays too; what the two topics do to each other is the *cross-topic* component

    φ_fact(foil) − φ_foil(fact),

and for Shapley values gap − base gap = Σ Φ + cross-topic, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..attribution.matrix import Phi, Sides, View
from ..attribution.methods import DEFAULT, Attribution, contributions, ranked, row, uncertain
from ..engine.problem import MAX_STEPS
from ..errors import unknown
from ..explain.wording import sentence
from ..graph.qbaf import Qbaf, is_graph
from ..results.base import Plottable, Result, ShapConvertible
from ..results.serialize import to_plain
from ..semantics import Semantics
from ..settings import calling, function, real
from ..types import Floats, Method, Name, Progress

Combination = Callable[[float, float], float]


@dataclass(frozen=True)
class CrossTopic:
    """What the two topics contribute to each other."""

    fact_from_foil: float  # φ_fact(foil)
    foil_from_fact: float  # φ_foil(fact)

    @property
    def component(self) -> float:
        """φ_fact(foil) − φ_foil(fact)."""
        return self.fact_from_foil - self.foil_from_fact

    def __float__(self) -> float:
        return self.component


@dataclass(frozen=True, eq=False, repr=False)
class Contrast(Result, Plottable, ShapConvertible, Mapping[Name, float]):
    """Φ_{fact ⪰ foil}: a mapping from contributor to contribution, with its context.

    `gap` is σ(fact) − σ(foil), `base_gap` the same for base scores, `individual` the two attributions, `residual`
    what contributions and cross-topic component leave of the gap: gap − base gap − Σ Φ − cross-topic.
    """

    qbaf: Qbaf = field(repr=False)
    fact: Name
    foil: Name
    array: Floats = field(repr=False)  # in the graph's order; NaN at the two topics
    individual: Mapping[Name, Attribution] = field(repr=False)
    cross_topic: CrossTopic
    gap: float
    base_gap: float
    std_error: Mapping[Name, float] | None = field(repr=False)
    sides: Mapping[Name, Sides] = field(repr=False)
    combined: bool = False  # by another function than subtraction

    def __getitem__(self, name: Name) -> float:
        place = self.qbaf.index(name)
        if name in (self.fact, self.foil):
            raise unknown(name, list(self), "contributor")
        return float(self.array[place])

    def __iter__(self) -> Iterator[Name]:
        return (name for name in self.qbaf.arguments if name not in (self.fact, self.foil))

    def __len__(self) -> int:
        return len(self.qbaf) - len({self.fact, self.foil})

    @property
    def _fact(self) -> Attribution:
        return self.individual[self.fact]

    @property
    def method(self) -> str:
        return self._fact.method

    @property
    def semantics(self) -> str:
        return self._fact.semantics

    @property
    def strengths(self) -> Mapping[Name, float]:
        """The strengths of all arguments."""
        return self._fact.strengths

    @property
    def way(self) -> str:
        """How it was computed, in words."""
        return self._fact.way

    @property
    def evaluations(self) -> int:
        return self._fact.evaluations

    @property
    def kinks(self) -> tuple[Name, ...]:
        """Arguments on a kink, because of which some gradients do not exist."""
        return tuple(dict.fromkeys((*self._fact.kinks, *self.individual[self.foil].kinks)))

    @property
    def residual(self) -> float:
        """gap − base gap − Σ Φ − cross-topic: 0 for Shapley values, informative for the others."""
        inner = np.ones(len(self.array), bool)
        inner[[self.qbaf.index(self.fact), self.qbaf.index(self.foil)]] = False
        return self.gap - self.base_gap - float(self.array[inner].sum()) - self.cross_topic.component

    def ranked(self) -> list[tuple[Name, float]]:
        """Contributors, the most telling first; ties by name, what is undefined last."""
        return ranked(self)

    def __str__(self) -> str:
        return sentence(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/contrast/1`."""
        cross = self.cross_topic
        data: dict[str, Any] = {
            "schema": "qontrast/contrast/1",
            "fact": self.fact,
            "foil": self.foil,
            "method": self.method,
            "semantics": self.semantics,
            "strengths": self.strengths,
            "gap": self.gap,
            "base_gap": self.base_gap,
            "contributions": self,
            "individual": self.individual,
            "cross_topic": {
                "fact_from_foil": cross.fact_from_foil,
                "foil_from_fact": cross.foil_from_fact,
                "component": cross.component,
            },
            "residual": self.residual,
        }
        return to_plain(data | uncertain(self))


def contrast(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    combine: Combination | None = None,
    **settings: Any,
) -> Contrast:
    """Why the fact rather than the foil: every other argument's share in the gap between the two.

    `combine` makes another derived CAF than subtraction: any function of (φ_fact(x), φ_foil(x)) that gives a number,
    such as `max`; what is then said of sums and of the gap no longer holds.

    >>> q = Qbaf({"zebra": 0.5, "horse": 0.5, "stripes": 0.5, "herbivore": 0.5}, attacks=[("stripes", "horse")],
    ...          supports=[("stripes", "zebra"), ("herbivore", "zebra"), ("herbivore", "horse")])
    >>> why = contrast(q, "zebra", "horse", semantics="df-quad")
    >>> dict(why), why.gap
    ({'stripes': 0.4375, 'herbivore': -0.0625}, 0.375)
    """
    is_graph(qbaf)
    for topic in (fact, foil):
        qbaf.index(topic)
    topics = [fact] if fact == foil else [fact, foil]
    phi = contributions(
        qbaf,
        topics,
        method=method,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        progress=progress,
        **settings,
    )
    return difference(phi, fact, foil, combine)


def difference(phi: Phi, fact: Name, foil: Name, combine: Combination | None = None) -> Contrast:
    """The contrast of two topics of Φ."""
    qbaf = phi.problem.qbaf
    i, j = qbaf.index(fact), qbaf.index(foil)
    mine, theirs = phi.row(fact), phi.row(foil)
    array = mine - theirs if combine is None else _all_combined(mine, theirs, combine)
    if combine is None and i == j:
        array = np.zeros_like(mine)  # even where φ does not exist
    array[[i, j]] = np.nan
    cross = CrossTopic(0.0, 0.0) if i == j else CrossTopic(float(mine[j]), float(theirs[i]))
    individual = {fact: row(phi, fact), foil: row(phi, foil)}
    errors = None if combine is not None else phi.std_error(fact, foil)
    return Contrast(
        qbaf,
        fact,
        foil,
        array,
        individual,
        cross,
        float(phi.strengths[i] - phi.strengths[j]),
        float(qbaf.base_array[i] - qbaf.base_array[j]),
        None if errors is None else View(qbaf, errors, (fact, foil)),
        _both_sides(individual[fact], individual[foil]),
        combine is not None,
    )


COMBINES = "(φ_fact(x), φ_foil(x)) → a number"


def combined(combine: Combination, mine: float, theirs: float) -> float:
    """combine(φ_fact(x), φ_foil(x)), checked to be a number."""
    with calling(f"combine({mine!r}, {theirs!r})", f"give a function {COMBINES}"):
        found = combine(mine, theirs)
    return real(found, f"combine({mine!r}, {theirs!r})", f"give a function {COMBINES}", missing=True)


def _all_combined(mine: Floats, theirs: Floats, combine: Combination) -> Floats:
    function(combine, "combine", COMBINES, 2)
    pairs = zip(mine.tolist(), theirs.tolist(), strict=True)
    return np.array([combined(combine, a, b) for a, b in pairs])


def _both_sides(fact: Attribution, foil: Attribution) -> dict[Name, Sides]:
    """One-sided contrasts: where either topic bends, each side is the difference on that side."""
    found = {}
    for x in {**fact.sides, **foil.sides}:
        if x not in (fact.topic, foil.topic):
            a = fact.sides.get(x) or Sides(fact[x], fact[x])
            b = foil.sides.get(x) or Sides(foil[x], foil[x])
            found[x] = Sides(a.below - b.below, a.above - b.above)
    return found
