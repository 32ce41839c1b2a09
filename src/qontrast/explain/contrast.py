"""Contrast two topics: subtract two rows of Φ.

    Φ_{fact ⪰ foil}(x) = φ_fact(x) − φ_foil(x)          for every argument x besides the two

A positive contribution speaks for the fact, a negative one for the foil. φ_fact and φ_foil each come from their own
game, in which the other topic plays too; what the two topics do to each other is the *cross-topic* component

    φ_fact(foil) − φ_foil(fact),

and for Shapley values gap − base gap = Σ Φ + cross-topic, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from ..attribution.matrix import Phi, Sides
from ..attribution.methods import (
    DEFAULT,
    Attribution,
    MethodSettings,
    contributions,
    extract_row,
    make_method,
)
from ..attribution.players import EdgeQuestions, Groups, Players, PlayersGiven, PlayerValues
from ..engine.problem import MAX_STEPS, Problem
from ..errors import Hint, InvalidInput
from ..graph.qbaf import Qbaf, check_graph
from ..results.base import Plottable, Result, Schema, ShapConvertible
from ..results.order import rank_contributions
from ..semantics import Semantics
from ..settings import check_function, check_number, wrap_failures
from ..types import Floats, Method, Name, Progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

EXCESS_METHODS = ("removal", "intrinsic", "gradient", "shapley")  # for which a group is compared with its members
MAX_EXCESS_EVALUATIONS = 1 << 16  # for Shapley values of the members
Combination = Callable[[float, float], float]
COMBINATION = "(φ_fact(x), φ_foil(x)) → a number"  # how `combine` is called, for messages


RELATIVE_ROUNDING = 1e-13  # contributions that differ by less are equal


@dataclass(frozen=True)
class CrossTopic:
    """What the two topics contribute to each other."""

    fact_from_foil: float  # φ_fact(foil)
    foil_from_fact: float  # φ_foil(fact)

    @property
    def component(self) -> float:
        """φ_fact(foil) − φ_foil(fact)."""
        return float(_subtract(np.float64(self.fact_from_foil), np.float64(self.foil_from_fact)))

    def __float__(self) -> float:
        return self.component


SCHEMA = Schema(
    "qontrast/contrast/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with",
        "players": "who contributes: `arguments`, `edges`, `direct` (edges into the topics) or `groups`",
        "method": "name of the method",
        "semantics": "name of the semantics",
        "strengths": "argument → strength",
        "gap": "σ(fact) − σ(foil)",
        "base_gap": "the same for base scores",
        "contributions": "contributor → Φ; `null` at a kink",
        "individual": "topic → contributor → φ",
        "cross_topic": "`fact_from_foil`, `foil_from_fact`, `component` (their difference)",
        "residual": "gap − base gap − Σ Φ − cross-topic: 0 for Shapley values, unless a topic acts on itself",
    },
    optional={
        "std_error": "contributor → standard error, if values were sampled",
        "kinks": "the arguments at a kink, if there are any",
        "sides": "contributor → `below`, `above` (the one-sided slopes), if there are kinks",
    },
    source="`why`, `contrast`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Contrast(PlayerValues, EdgeQuestions, Result, Plottable, ShapConvertible, schema=SCHEMA):
    """A mapping from contributor to contribution Φ_{fact ⪰ foil}, with its context.

    Attributes
    ----------
    qbaf, fact, foil
        The question.
    array
        The contributions in the order of `players`; NaN at the two topics.
    individual
        Topic → attribution φ.
    std_error
        A mapping like this one where values were sampled, else None.
    combined
        Whether φ_fact and φ_foil were combined by another function than subtraction.
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    array: Floats
    individual: Mapping[Name, Attribution]
    std_error: Mapping[Any, float] | None
    combined: bool = False

    member: ClassVar[str] = "contributor"

    @cached_property
    def left_out(self) -> tuple[Name, ...]:
        """The two topics, where they are among the players."""
        return tuple(self.players.find_topics((self.fact, self.foil)))

    @property
    def contributions(self) -> Mapping[Any, float]:
        """Contributor → Φ: this result itself."""
        return self

    @property
    def problem(self) -> Problem:
        """The graph under its semantics, with how it is solved."""
        return self._fact.problem

    @property
    def topics(self) -> tuple[Name, ...]:
        """Fact and foil."""
        return (self.fact, self.foil)

    @cached_property
    def players(self) -> Players:
        """Who contributes: the keys, in the order of `array`."""
        return self._fact.players

    @cached_property
    def _fact(self) -> Attribution:
        return self.individual[self.fact]

    @cached_property
    def _foil(self) -> Attribution:
        return self.individual[self.foil]

    @cached_property
    def method(self) -> str:
        """The name of the method."""
        return self._fact.method

    @cached_property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self._fact.semantics

    @cached_property
    def strengths(self) -> Mapping[Name, float]:
        """The strengths of all arguments."""
        return self._fact.strengths

    @property
    def how(self) -> str:
        """How it was computed, in words."""
        return self._fact.how

    @property
    def evaluations(self) -> int:
        """How many graphs were solved."""
        return self._fact.evaluations

    @cached_property
    def gap(self) -> float:
        """σ(fact) − σ(foil)."""
        return self._fact.strength - self._foil.strength

    @cached_property
    def base_gap(self) -> float:
        """τ(fact) − τ(foil)."""
        return self._fact.base_score - self._foil.base_score

    @cached_property
    def cross_topic(self) -> CrossTopic:
        """What the two topics contribute to each other."""
        if self.fact == self.foil or not self.left_out:
            return CrossTopic(0.0, 0.0)
        return CrossTopic(self._fact[self.foil], self._foil[self.fact])

    @property
    def residual(self) -> float:
        """gap − base gap − Σ Φ − cross-topic: 0 for Shapley values, unless a topic acts on itself."""
        inner = np.ones(len(self.array), bool)
        inner[[self.players.index(topic) for topic in self.left_out]] = False
        return self.gap - self.base_gap - float(self.array[inner].sum()) - self.cross_topic.component

    @property
    def kinks(self) -> tuple[Name, ...]:
        """Arguments on a kink, because of which some gradients do not exist."""
        return tuple(dict.fromkeys((*self._fact.kinks, *self._foil.kinks)))

    @cached_property
    def sides(self) -> Mapping[Any, Sides]:
        """The contrast from below and from above, of contributors whose gradient does not exist."""
        found = {}
        for x in {**self._fact.sides, **self._foil.sides}:
            if x not in self.left_out:
                a = self._fact.sides.get(x) or Sides(self._fact[x], self._fact[x])
                b = self._foil.sides.get(x) or Sides(self._foil[x], self._foil[x])
                found[x] = Sides(a.below - b.below, a.above - b.above)
        return found

    def ranked(self) -> list[tuple[Any, float]]:
        """Sort contributors by the size of their contribution, the largest first; ties by name, undefined ones last."""
        return rank_contributions(self)

    @cached_property
    def _one_by_one(self) -> Contrast:
        """The same with the members of groups as players of their own, by the same method."""
        if self.method not in EXCESS_METHODS or self.combined:
            what = "combined values" if self.combined else f"values of method {self.method!r}"
            raise InvalidInput(f"excess is not defined for {what}", hints=[Hint("method", EXCESS_METHODS)])
        limit = {"max_evaluations": MAX_EXCESS_EVALUATIONS} if self.method == "shapley" else {}
        phi = make_method(self.method, limit)(self.problem, tuple(dict.fromkeys(self.topics)), None)
        assert isinstance(phi, Phi)
        return subtract(phi, self.fact, self.foil)

    def excess(self, group: str) -> float:
        """Compute what a group contributes beyond its members one by one: Φ(G) − Σ_{x ∈ G} Φ(x).

        Parameters
        ----------
        group : str
            The name of a group.

        Returns
        -------
        float
            A positive excess speaks for the fact. By slopes it is 0, since the members move together; by Shapley values
            the members are players of their own, and up to 65,536 evaluations are made for them.

        Raises
        ------
        UnknownName
            If no such group plays.
        InvalidInput
            If no groups play, or the method is none of removal, intrinsic, gradient and shapley.
        TooLarge
            If Shapley values of the members need more evaluations.

        Examples
        --------
        >>> q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "p")], semantics="df-quad")
        >>> why = contrast(q, "p", "q", players={"both": ["x", "y"]}, method="removal")
        >>> why["both"], why.excess("both")
        (0.375, 0.125)
        """
        if not isinstance(self.players, Groups):
            raise InvalidInput(f"excess is about groups; here {self.players.kind} play: give players={{name: [...]}}")
        value = self[group]
        return value - sum(self._one_by_one[member] for member in self.players.members(group))

    def _computed_fields(self) -> dict[str, Any]:
        cross = self.cross_topic
        sides = {x: asdict(each) for x, each in self.sides.items()} if self.kinks else None
        return {
            "players": self.players.kind,
            "cross_topic": asdict(cross) | {"component": cross.component},
            "sides": sides,
        }


def contrast(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    method: str | Method = DEFAULT,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    combine: Combination | None = None,
    **settings: Unpack[MethodSettings],
) -> Contrast:
    """Explain why the fact rather than the foil: how much every other argument contributes to the gap.

        Φ(x) = φ_fact(x) − φ_foil(x)

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics.
    method : str or Method
        How contributions are measured: "shapley", "removal", "intrinsic", "gradient", "owen" or "sampled", a method
        with its settings, or a function of your own, as in `contributions`. `METHODS` says what each measures.
    players, semantics, solver, max_steps, executor, device, progress, **settings
        As in `contributions`.
    combine : callable, optional
        Another function than subtraction of (φ_fact(x), φ_foil(x)), such as `max`; what is said of sums and of the
        gap then no longer holds.

    Returns
    -------
    Contrast
        A mapping from contributor to contribution; positive ones speak for the fact.

    Raises
    ------
    UnknownName
        If there is no such argument, method or semantics.
    UndefinedStrength
        If a graph that is needed has no strengths.
    TooLarge
        If exact Shapley values would need more than `max_evaluations`.

    Examples
    --------
    >>> q = Qbaf({"zebra": 0.5, "horse": 0.5, "stripes": 0.5, "herbivore": 0.5}, attacks=[("stripes", "horse")],
    ...          supports=[("stripes", "zebra"), ("herbivore", "zebra"), ("herbivore", "horse")])
    >>> why = contrast(q, "zebra", "horse", semantics="df-quad")
    >>> dict(why), why.gap
    ({'stripes': 0.4375, 'herbivore': -0.0625}, 0.375)
    """
    check_graph(qbaf)
    for topic in (fact, foil):
        qbaf.index(topic)
    phi = contributions(
        qbaf,
        [fact] if fact == foil else [fact, foil],
        method=method,
        players=players,
        semantics=semantics,
        solver=solver,
        max_steps=max_steps,
        executor=executor,
        device=device,
        progress=progress,
        **settings,
    )
    return subtract(phi, fact, foil, combine)


def subtract(phi: Phi, fact: Name, foil: Name, combine: Combination | None = None) -> Contrast:
    """Make the contrast of two topics of Φ."""
    qbaf = phi.problem.qbaf
    mine, theirs = phi.row(fact), phi.row(foil)
    if combine is not None:
        array = _combine_rows(mine, theirs, combine)
    else:
        array = _subtract(mine, theirs) if fact != foil else np.zeros_like(mine)  # 0 even where φ does not exist
    array[[phi.players.index(topic) for topic in phi.players.find_topics((fact, foil))]] = np.nan
    errors = None if combine is not None else phi.std_error(fact, foil)
    return Contrast(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        array=array,
        individual={fact: extract_row(phi, fact), foil: extract_row(phi, foil)},
        std_error=None if errors is None else phi.view(errors, fact, foil),
        combined=combine is not None,
    )


def apply_combination(combine: Combination, mine: float, theirs: float) -> float:
    """Call combine(φ_fact(x), φ_foil(x)) and check that it gives a number."""
    name, hint = f"combine({mine!r}, {theirs!r})", f"give a function {COMBINATION}"
    with wrap_failures(name, hint):
        found = combine(mine, theirs)
    return check_number(found, name, hint, missing=True)


def _subtract(mine: Floats | np.float64, theirs: Floats | np.float64) -> Floats:
    """Subtract contributions; where nothing but rounding is left of equal ones, on some machines, it is 0 on all."""
    left, size = mine - theirs, np.maximum(np.abs(mine), np.abs(theirs))
    return np.where(np.abs(left) <= RELATIVE_ROUNDING * size, 0.0, left)


def _combine_rows(mine: Floats, theirs: Floats, combine: Combination) -> Floats:
    check_function(combine, "combine", COMBINATION, 2)
    pairs = zip(mine.tolist(), theirs.tolist(), strict=True)
    return np.array([apply_combination(combine, a, b) for a, b in pairs])
