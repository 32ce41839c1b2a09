"""Compute what properties speak of: Φ and φ of the function under test, strengths, restrictions, one-sided slopes.

The function under test is a CAF: the name of a method ("removal": Φ = φ_fact − φ_foil), `Derived(phi, f)`:
Φ = f(φ_fact, φ_foil), or any function `caf(qbaf, fact, foil, semantics) -> Mapping`. φ, against which some properties
measure it, is a method's name or a function `phi(qbaf, topic, semantics) -> Mapping`.

`Evaluation` computes each number when it is first needed, for one graph. The search computes the same for many graphs
at once (`random_graphs`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import signature
from operator import sub
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution.methods import METHODS, attribute, contributions
from ..attribution.slopes import find_directional
from ..engine.discrete import TOLERANCE
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import InvalidInput, TooLarge, UndefinedStrength, count, unknown_name
from ..explain.change import change
from ..explain.contrast import COMBINATION, Combination, Contrast, apply_combination, contrast, subtract
from ..explain.interactions import Interactions, interactions
from ..explain.pairs import call_caf
from ..explain.reasons import reasons
from ..explain.robustness import certify_order
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import check_function, check_number, wrap_failures
from ..types import Floats, Name

if TYPE_CHECKING:
    from concurrent.futures import Executor

Caf = Callable[[Qbaf, Name, Name, Semantics], Mapping[Name, float]]
Phi = Callable[[Qbaf, Name, Semantics], Mapping[Name, float]]

# Tolerances. An acyclic pass rounds each strength by a few 1e-16; contributions add a few dozen of them at most.
ACYCLIC_TOLERANCE = 1e-12
CYCLIC_TOLERANCE = 100 * TOLERANCE  # strengths of cyclic graphs are good to 1e-12; contributions add a few dozen
SLOPE_TOLERANCE = 1e-8  # derivatives at strengths good to 1e-12, divided by 1 − rate where iteration contracts slowly
NUMERIC_TOLERANCE = 1e-7  # derivatives by differences, of a user's own formulas, are good to 1e-9
MAX_EVALUATIONS = 1 << 16  # of sub-graphs, for the games of edges, groups and pairs of one contrast
STEPS = 2.0 ** -np.arange(9, 13)  # what is of second order still moves strengths by 1e-8 here


class NotCheckable(Exception):
    """A property speaks of players that the function under test does not know, or that are too many.

    It has a text and what fills that in, so that it can be written in any language.
    """

    def __init__(self, template: str, **details: Any):
        super().__init__(template.format(**details))
        self.template, self.details = template, details


@dataclass(frozen=True)
class Derived:
    """A CAF that combines two attributions by another function than subtraction: Φ(x) = f(φ_fact(x), φ_foil(x)).

    Attributes
    ----------
    phi
        A method's name, or a function (qbaf, topic, semantics) → a mapping.
    combine
        The function f of two numbers.
    name
        What results call it; made from the two unless given.

    Examples
    --------
    >>> from qontrast import examples
    >>> from qontrast.axioms import antisymmetry
    >>> print(antisymmetry(examples.load("zebra"), Derived("removal", max)).caf)
    max of removal
    """

    phi: str | Phi
    combine: Combination
    name: str = ""

    def __call__(self, qbaf: Qbaf, fact: Name, foil: Name, semantics: Semantics) -> dict[Name, float]:
        mine, theirs = (resolve_phi(self.phi)(qbaf, topic, semantics) for topic in (fact, foil))
        return {x: apply_combination(self.combine, mine[x], theirs[x]) for x in mine if x not in (fact, foil)}


@dataclass(frozen=True)
class CafUnderTest:
    """A CAF ready to be tested; where Φ comes from one of METHODS, `method` names it and Φ = combine(φ, φ).

    `own` is a user's function as it was given: asked about edges, groups or pairs if it takes `players` or `index`.
    """

    name: str
    caf: Caf
    phi: Phi | None
    method: str | None = None
    combine: Combination = sub
    own: Callable[..., Any] | None = None


def resolve_caf(caf: str | Caf | Derived, phi: str | Phi | None = None) -> CafUnderTest:
    """Look up the CAF of that name or function, with its φ: its own, unless another is given."""
    own = caf if isinstance(caf, str) else caf.phi if isinstance(caf, Derived) else None
    phi = own if phi is None else phi
    measured = None if phi is None else resolve_phi(phi)
    method = own if isinstance(own, str) and phi == own else None
    if isinstance(caf, str):
        _check_method(caf)
        return CafUnderTest(caf, partial(_contrast, caf), measured, method)
    if isinstance(caf, Derived):
        check_function(caf.combine, "combine", COMBINATION, 2)
        name = caf.name or f"{_name(caf.combine)} of {_name(caf.phi)}"
        return CafUnderTest(name, caf, measured, method, partial(apply_combination, caf.combine))
    check_function(caf, "caf", f"(qbaf, fact, foil, semantics), or one of {', '.join(METHODS)}", 4)
    return CafUnderTest(_name(caf), partial(_call, caf, f"caf {_name(caf)}"), measured, own=caf)


def resolve_phi(phi: str | Phi) -> Phi:
    """Look up φ as a function (qbaf, topic, semantics)."""
    if isinstance(phi, str):
        _check_method(phi)
        return lambda qbaf, topic, semantics: dict(attribute(qbaf, topic, method=phi, semantics=semantics))
    check_function(phi, "phi", f"(qbaf, topic, semantics), or one of {', '.join(METHODS)}", 3)
    return partial(_call, phi, f"phi {_name(phi)}")


def _check_method(name: str) -> None:
    if name not in METHODS:
        raise unknown_name(name, METHODS, "method")


def _call(own: Callable[..., Mapping[Name, float]], name: str, qbaf: Qbaf, *question: Any) -> Mapping[Name, float]:
    """Call a user's own function and check that it gives a number for every contributor."""
    hint = "give a mapping from every contributor to a number"
    found, topics = call_caf(own, name, hint, qbaf, *question), question[:-1]
    for x in qbaf:
        if x not in topics:
            if x not in found:
                raise InvalidInput(f"{name} gave no contribution of {x!r} to {list(topics)}; {hint}")
            check_number(found[x], f"the contribution of {x!r} by {name}", hint, missing=True)
    return found


def _name(thing: object) -> str:
    return thing if isinstance(thing, str) else getattr(thing, "__name__", repr(thing))


def _contrast(method: str, qbaf: Qbaf, fact: Name, foil: Name, semantics: Semantics) -> Mapping[Name, float]:
    return dict(contrast(qbaf, fact, foil, method=method, semantics=semantics))


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All that a property may ask of a graph, each number computed when it is first needed."""

    qbaf: Qbaf
    semantics: Semantics
    caf: CafUnderTest
    max_steps: int = MAX_STEPS  # after which strengths count as undefined
    executor: Executor | None = None  # where large pieces of work are done
    _known: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @property
    def players(self) -> Sequence[Name]:
        """Whose contributions are asked for."""
        return self.qbaf.arguments

    @property
    def _solving(self) -> dict[str, Any]:
        """How graphs are solved and where, as keywords of the functions that contribute."""
        return {"semantics": self.semantics, "max_steps": self.max_steps, "executor": self.executor}

    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        """Φ of every player besides the two."""
        self.strengths()  # where they are undefined, nothing else need be tried
        if self.caf.method == "shapley" and self.caf.combine is sub:
            make: Callable[[], Any] = partial(self._subtract_rows, fact, foil, "shapley", "arguments")
        else:
            make = partial(self.caf.caf, self.qbaf, fact, foil, self.semantics)
        return self._once(("contrast", fact, foil), make)

    def phi(self, topic: Name) -> Mapping[Name, float]:
        """φ of every player besides the topic."""
        if self.caf.phi is None:
            raise InvalidInput(f"this property measures {self.caf.name} against an attribution function: give phi=...")
        self.strengths()
        return self._once(("phi", topic), partial(self.caf.phi, self.qbaf, topic, self.semantics))

    def contrast_edges(self, fact: Name, foil: Name, owen: bool = False) -> Mapping[Any, float]:
        """Φ of every edge; with `owen` by Owen values in place of Shapley values: edges then share their source's Φ."""
        method = "owen" if owen and self.caf.method == "shapley" else self.caf.method
        make = partial(self._contrast_players, fact, foil, "edges", method)
        return self._once(("edges", method, fact, foil), make)

    def contrast_direct(self, fact: Name, foil: Name) -> Mapping[Any, float]:
        """Φ of every edge into fact or foil, all else staying as it is."""
        make = partial(self._contrast_players, fact, foil, "direct", self.caf.method)
        return self._once(("direct", fact, foil), make)

    def contrast_members(self, fact: Name, foil: Name, groups: Mapping[str, Sequence[Name]]) -> Mapping[Name, float]:
        """Φ of every argument; by Owen values inside the groups in place of Shapley values."""
        if self.caf.method != "shapley":
            return self.contrast(fact, foil)
        make = partial(self._contrast_players, fact, foil, groups, "owen")
        return self._once(("members", tuple(groups.values()), fact, foil), make)

    def contrast_groups(self, fact: Name, foil: Name, groups: Mapping[str, Sequence[Name]]) -> Mapping[Any, float]:
        """Φ of every group."""
        make = partial(self._contrast_players, fact, foil, groups, self.caf.method)
        return self._once(("groups", tuple(groups.values()), fact, foil), make)

    def contrast_pairs(self, fact: Name, foil: Name, index: str) -> Interactions:
        """The interactions of every two arguments."""
        return self._once(("pairs", index, fact, foil), partial(self._find_interactions, fact, foil, index))

    def find_sets(self, fact: Name, foil: Name, kind: str) -> set[frozenset[Name]]:
        """The sets that `reasons` lists as "prime" or "breaking"."""
        return self._once((kind, fact, foil), partial(self._find_sets, fact, foil, kind))

    def find_shares(self, fact: Name, foil: Name, before: Qbaf) -> Mapping[Any, float]:
        """The share of every element that changed since the version before in the change of the gap."""
        self.strengths()
        if self.caf.method is None:
            own, name = self._need_own("before", "one graph alone"), f"caf {self.caf.name}"
            hint = "give a mapping from every changed element to a number"
            return call_caf(partial(own, before=before), name, hint, self.qbaf, fact, foil, self.semantics)
        return change(before, self.qbaf, fact, foil, **self._solving)

    def find_radius(self, fact: Name, foil: Name) -> float:
        """How far all base scores may be off before the order changes: the certified radius, 0 where there is none."""
        key = ("radius", *sorted((fact, foil), key=self.index))
        return self._once(key, partial(self._find_radius, fact, foil))

    def _find_radius(self, fact: Name, foil: Name) -> float:
        self.strengths()
        if self.caf.method is None:
            own, name, hint = self._need_own("norm", "contributions"), f"caf {self.caf.name}", "give a radius, a number"
            with wrap_failures(name, hint):
                return float(check_number(own(self.qbaf, fact, foil, self.semantics, norm="linf"), name, hint))
        return certify_order(self.problem, fact, foil)

    def _find_sets(self, fact: Name, foil: Name, kind: str) -> set[frozenset[Name]]:
        self.strengths()
        if self.caf.method is None:
            own, name = self._need_own("sets", "contributions"), f"caf {self.caf.name}"
            hint = "give a list of sets of arguments"
            with wrap_failures(name, hint):
                return {frozenset(some) for some in own(self.qbaf, fact, foil, self.semantics, sets=kind)}
        players = int(self.qbaf.structure.ancestors([self.index(fact), self.index(foil)]).sum()) - 2
        if 1 << max(players, 0) > MAX_EVALUATIONS:
            raise NotCheckable("there are too many players: {players} arguments have 2^{players} sets", players=players)
        key = ("reasons", *sorted((fact, foil), key=self.index))
        make = partial(reasons, self.qbaf, fact, foil, **self._solving)
        return set(getattr(self._once(key, make), kind))

    def _contrast_players(self, fact: Name, foil: Name, players: Any, method: str | None) -> Mapping[Any, float]:
        self.strengths()
        if method is None:
            own = self._need_own("players", "arguments alone")
            name, hint = f"caf {self.caf.name}", "give a mapping from every player to a number"
            return call_caf(partial(own, players=players), name, hint, self.qbaf, fact, foil, self.semantics)
        kind = players if isinstance(players, str) else "groups"
        if kind not in METHODS[method].players:
            raise NotCheckable("{method} is not defined for {kind}", method=method, kind=kind)
        limit: Any = {"max_evaluations": MAX_EVALUATIONS} if method in ("shapley", "owen") else {}
        asked = self._solving
        combine = None if self.caf.combine is sub else self.caf.combine
        with _limit_work():
            if limit and kind != "direct":
                return self._subtract_rows(fact, foil, method, players, combine, **asked, **limit)
            return contrast(self.qbaf, fact, foil, method=method, players=players, combine=combine, **asked, **limit)

    def _subtract_rows(
        self, fact: Name, foil: Name, method: str, players: Any, combine: Combination | None = None, **settings: Any
    ) -> Contrast:
        """Contrast two topics by a method that takes long: φ of each topic is computed once, whatever the other one."""
        asked = {"semantics": self.semantics, "executor": self.executor, "method": method, "players": players}
        kind = players if isinstance(players, str) else tuple((name, *members) for name, members in players.items())
        first, second = (
            self._once(("row", method, kind, topic), partial(contributions, self.qbaf, [topic], **asked | settings))
            for topic in (fact, foil)
        )
        both = replace(first, topics=(fact, foil), values=np.concatenate((first.values, second.values)))
        return subtract(both, fact, foil, combine)

    def _find_interactions(self, fact: Name, foil: Name, index: str) -> Interactions:
        self.strengths()
        if self.caf.method is None:
            own = self._need_own("index", "single players alone")
            name, hint = f"caf {self.caf.name}", "give what `interactions` returns"
            found = call_caf(partial(own, index=index), name, hint, self.qbaf, fact, foil, self.semantics)
            if not isinstance(found, Interactions):
                raise InvalidInput(f"{name} gave {type(found).__name__} for index={index!r}; {hint}")
            return found
        if self.caf.method != "shapley" or self.caf.combine is not sub:
            raise NotCheckable("interactions belong to Shapley values, and to their difference")
        with _limit_work():
            return interactions(self.qbaf, fact, foil, index=index, max_evaluations=MAX_EVALUATIONS, **self._solving)

    def _need_own(self, parameter: str, known: str) -> Callable[..., Any]:
        """Return the user's function if it takes the parameter."""
        own = self.caf.own
        if own is None or parameter not in signature(own).parameters:
            told = "{caf} speaks of {known}; let it take {parameter}= to check this"
            raise NotCheckable(told, caf=self.caf.name, known=known, parameter=parameter)
        return own

    def base_slope(self, x: Name) -> float:
        """ι_τ(x) = ∂ι/∂τ(x): what the strength of x gains from its base score, its parents being as they are."""
        qbaf, into = self.qbaf, np.flatnonzero(self.qbaf.targets == self.index(x))
        weights, strengths = qbaf.weights[into], self.strengths()[qbaf.sources[into]]
        given, attacks = (np.abs(weights) * strengths)[:, None], np.signbit(weights)
        energy = self.semantics.aggregation.energy(given[attacks], given[~attacks])
        base = np.array([self.base_score(x)])
        return float(np.asarray(self.semantics.by_base(base, np.broadcast_to(energy, (1,))))[0])

    def index(self, x: Name) -> int:
        return self.qbaf.index(x)

    def base_score(self, x: Name) -> float:
        return float(self.base_scores[self.index(x)])

    def strength(self, topic: Name) -> float:
        return float(self.strengths()[self.index(topic)])

    def strength_without(self, x: Name, topic: Name) -> float:
        return float(self.strengths_without(self.index(x))[self.index(topic)])

    def slope(self, x: Name, topic: Name, side: int) -> float:
        """∂σ(topic)/∂τ(x) from below (side −1) or from above (+1)."""
        return float(self.slopes[side > 0][self.index(topic), self.index(x)])

    def gap_changes(self, x: Name, side: int, fact: Name, foil: Name) -> Floats:
        """How the gap changes when τ(x) moves to a side by ever smaller steps."""
        scores = np.tile(self.qbaf.base_array, (len(STEPS), 1))
        scores[:, self.index(x)] = np.clip(self.base_score(x) + side * STEPS, 0.0, 1.0)
        found = self.problem.strengths(base_scores=scores)
        gaps = found[:, self.index(fact)] - found[:, self.index(foil)]
        return np.asarray(gaps - (self.strength(fact) - self.strength(foil)))

    @cached_property
    def with_isolated(self) -> Evaluation:
        """The same with one more player, the last, connected to none; the others keep their order."""
        return Evaluation(add_isolated(self.qbaf), self.semantics, self.caf)

    @cached_property
    def tolerance(self) -> float:
        """How far equal values may lie apart: from the accuracy of strengths, coarser for slopes on cyclic graphs."""
        if self.caf.method is not None and METHODS[self.caf.method].kind == "slope":
            return self.slope_tolerance
        if self.acyclic:
            return ACYCLIC_TOLERANCE
        return CYCLIC_TOLERANCE if self.caf.method else SLOPE_TOLERANCE

    @property
    def slope_tolerance(self) -> float:
        """How far a derivative of strength may be from the true one."""
        if self.semantics.numeric:
            return NUMERIC_TOLERANCE
        return ACYCLIC_TOLERANCE if self.acyclic else SLOPE_TOLERANCE

    # -- arrays ------------------------------------------------------------------------------------------------

    @property
    def base_scores(self) -> Floats:
        """τ of all arguments."""
        return self.qbaf.base_array

    @property
    def acyclic(self) -> bool:
        return self.problem.arrays.acyclic

    @cached_property
    def problem(self) -> Problem:
        return make_problem(self.qbaf, self.semantics)

    def strengths(self) -> Floats:
        """σ of all arguments."""
        return self._once("strengths", self._solve)

    def strengths_without(self, x: int) -> Floats:
        """σ of all arguments once the x-th is removed."""
        present = np.arange(len(self.qbaf)) != x
        return self._once(("without", x), lambda: self.problem.strengths(present)[0])

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """∂σ/∂τ[topic, mover] from below and from above."""
        return one_sided_slopes(self.problem, self.strengths(), np.eye(len(self.qbaf)))

    def _solve(self) -> Floats:
        solution = make_problem(self.qbaf, self.semantics, max_steps=self.max_steps).solve()
        if solution.moving[0]:
            steps = count(self.max_steps, "step")
            raise UndefinedStrength(f"{self.semantics.name}: strengths still move after {steps}")
        return solution.strengths[0]

    def _once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Call `make` once; that it is undefined is kept too, since finding out takes longest."""
        if key not in self._known:
            try:
                self._known[key] = make()
            except (UndefinedStrength, NotCheckable) as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, (UndefinedStrength, NotCheckable)):
            raise found
        return found


@contextmanager
def _limit_work() -> Iterator[None]:
    """Say that a property cannot be checked where its games are too large."""
    try:
        yield
    except TooLarge as error:
        told = str(error).split(";")[0]  # the way out is about another function
        raise NotCheckable("there are too many players: {told}", told=told) from error


def one_sided_slopes(asked: Problem, strengths: Floats, directions: Floats) -> tuple[Floats, Floats]:
    """Compute dσ per unit of each direction, from below and from above: (arguments, directions)."""
    order = asked.arrays.order
    at = strengths[order], asked.qbaf.base_array[order]
    with np.errstate(over="ignore"):
        return -find_directional(asked, *at, -directions), find_directional(asked, *at, directions)


def add_isolated(qbaf: Qbaf, base_score: float = 0.5) -> Qbaf:
    """Return the graph with one more argument, its last, and no more edges; the others keep their order."""
    names: list[str] | None = None
    if not isinstance(qbaf.arguments, range):
        names = [str(name) for name in qbaf.arguments]
        new = "isolated"
        while new in names:
            new += "′"
        names.append(new)
    scores = np.append(qbaf.base_array, base_score)
    return Qbaf.from_arrays(scores, qbaf.sources, qbaf.targets, qbaf.weights, names=names)
