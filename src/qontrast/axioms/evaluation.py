"""Compute what properties speak of: Φ and φ of the function under test, strengths, restrictions, one-sided slopes.

The function under test is a CAF: the name of a method ("removal": Φ = φ_fact − φ_foil), `Derived(phi, f)`:
Φ = f(φ_fact, φ_foil), or any function `caf(qbaf, fact, foil, semantics) -> Mapping`. φ, against which some properties
measure it, is a method's name or a function `phi(qbaf, topic, semantics) -> Mapping`.

`GraphEvaluation` computes each number when it is first needed, for one graph. The search computes the same for many
graphs at once (`random_graphs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Protocol, TypeVar

import numpy as np

from ..attribution.gradient import find_directional
from ..attribution.methods import METHODS, attribute
from ..engine.discrete import TOLERANCE
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import InvalidInput, UndefinedStrength, unknown_name
from ..explain.contrast import COMBINATION, Combination, apply_combination, contrast
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import check_function, check_number, format_value, wrap_failures
from ..types import Floats, Name

Caf = Callable[[Qbaf, Name, Name, Semantics], Mapping[Name, float]]
Phi = Callable[[Qbaf, Name, Semantics], Mapping[Name, float]]
K = TypeVar("K")
V = TypeVar("V")

# Tolerances. An acyclic pass rounds each strength by a few 1e-16; contributions add a few dozen of them at most.
ACYCLIC_TOLERANCE = 1e-12
CYCLIC_TOLERANCE = 100 * TOLERANCE  # strengths of cyclic graphs are good to 1e-12; contributions add a few dozen
SLOPE_TOLERANCE = 1e-8  # derivatives at strengths good to 1e-12, divided by 1 − rate where iteration contracts slowly
NUMERIC_TOLERANCE = 1e-7  # derivatives by differences, of a user's own formulas, are good to 1e-9
STEPS = tuple(2.0**-k for k in range(9, 13))  # what is of second order still moves strengths by 1e-8 here


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
    """A CAF ready to be tested; `method` and `combine` are set where Φ comes from one of METHODS."""

    name: str
    caf: Caf
    phi: Phi | None
    method: str | None = None
    combine: Combination | None = None

    def tolerance(self, qbaf: Qbaf, semantics: Semantics) -> float:
        """How far equal values may lie apart: from the accuracy of strengths, coarser for slopes on cyclic graphs."""
        if self.method is not None and METHODS[self.method].kind == "slope":
            return slope_tolerance(qbaf, semantics)
        if make_problem(qbaf, semantics).arrays.acyclic:
            return ACYCLIC_TOLERANCE
        return CYCLIC_TOLERANCE if self.method else SLOPE_TOLERANCE


def slope_tolerance(qbaf: Qbaf, semantics: Semantics) -> float:
    """How far a derivative of strength may be from the true one."""
    if semantics.numeric:
        return NUMERIC_TOLERANCE
    return ACYCLIC_TOLERANCE if make_problem(qbaf, semantics).arrays.acyclic else SLOPE_TOLERANCE


def resolve_caf(caf: str | Caf | Derived, phi: str | Phi | None = None) -> CafUnderTest:
    """Look up the CAF of that name or function, with its φ: its own, unless another is given."""
    own = caf if isinstance(caf, str) else caf.phi if isinstance(caf, Derived) else None
    chosen = own if phi is None else phi
    measured = None if chosen is None else resolve_phi(chosen)
    batched = own if isinstance(own, str) and chosen == own else None
    if isinstance(caf, str):
        if caf not in METHODS:
            raise unknown_name(caf, METHODS, "method")
        return CafUnderTest(caf, partial(_contrast, caf), measured, batched)
    if isinstance(caf, Derived):
        check_function(caf.combine, "combine", COMBINATION, 2)
        name = caf.name or f"{_name(caf.combine)} of {_name(caf.phi)}"
        return CafUnderTest(name, caf, measured, batched, caf.combine)
    check_function(caf, "caf", f"(qbaf, fact, foil, semantics), or one of {', '.join(METHODS)}", 4)
    return CafUnderTest(_name(caf), partial(_call, caf, f"caf {_name(caf)}"), measured)


def resolve_phi(phi: str | Phi) -> Phi:
    """Look up φ as a function (qbaf, topic, semantics)."""
    if not isinstance(phi, str):
        check_function(phi, "phi", f"(qbaf, topic, semantics), or one of {', '.join(METHODS)}", 3)
        return partial(_call, phi, f"phi {_name(phi)}")
    if phi not in METHODS:
        raise unknown_name(phi, METHODS, "method")
    return partial(_attribute, phi)


def _call(own: Callable[..., Mapping[Name, float]], name: str, qbaf: Qbaf, *question: Any) -> Mapping[Name, float]:
    """Call a user's own function and check that it gives a number for every contributor."""
    topics = [each for each in question if not isinstance(each, Semantics)]
    hint = "give a mapping from every contributor to a number"
    with wrap_failures(name, hint):
        found = own(qbaf, *question)
    if not isinstance(found, Mapping):
        raise InvalidInput(f"{name} gave {format_value(found)}; {hint}")
    for x in qbaf:
        if x not in topics:
            if x not in found:
                raise InvalidInput(f"{name} gave no contribution of {x!r} to {topics}; {hint}")
            check_number(found[x], f"the contribution of {x!r} by {name}", hint, missing=True)
    return found


def _name(thing: object) -> str:
    return thing if isinstance(thing, str) else getattr(thing, "__name__", repr(thing))


def _contrast(method: str, qbaf: Qbaf, fact: Name, foil: Name, semantics: Semantics) -> Mapping[Name, float]:
    return dict(contrast(qbaf, fact, foil, method=method, semantics=semantics))


def _attribute(method: str, qbaf: Qbaf, topic: Name, semantics: Semantics) -> Mapping[Name, float]:
    return dict(attribute(qbaf, topic, method=method, semantics=semantics))


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

    def gap_changes(self, x: Name, side: int, fact: Name, foil: Name) -> list[float]:
        """How the gap changes when τ(x) moves to a side by ever smaller steps."""
        ...

    def with_isolated(self) -> tuple[Evaluation, Name]:
        """The same with one more argument, its last, connected to none; the others keep their order."""
        ...


Cache = dict[K, V | UndefinedStrength]


def _compute_once(cache: Cache[K, V], key: K, make: Callable[[], V]) -> V:
    """Call `make` once; that it is undefined is kept too, since finding out takes longest."""
    if key not in cache:
        try:
            cache[key] = make()
        except UndefinedStrength as error:
            cache[key] = error
    found = cache[key]
    if isinstance(found, UndefinedStrength):
        raise found
    return found


@dataclass(frozen=True, eq=False)
class GraphEvaluation:
    """The numbers of one graph, each computed when it is first needed."""

    qbaf: Qbaf
    semantics: Semantics
    caf: CafUnderTest
    max_steps: int = MAX_STEPS  # after which strengths count as undefined
    _contrasts: Cache[tuple[Name, Name], Mapping[Name, float]] = field(default_factory=dict, repr=False)
    _phis: Cache[Name, Mapping[Name, float]] = field(default_factory=dict, repr=False)
    _without: Cache[Name, Floats] = field(default_factory=dict, repr=False)
    _whole: Cache[None, Floats] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> Sequence[Name]:
        return self.qbaf.arguments

    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        self._strengths()  # where they are undefined, nothing else need be tried
        return _compute_once(
            self._contrasts, (fact, foil), partial(self.caf.caf, self.qbaf, fact, foil, self.semantics)
        )

    def phi(self, topic: Name) -> Mapping[Name, float]:
        if self.caf.phi is None:
            raise InvalidInput(f"this property measures {self.caf.name} against an attribution function: give phi=...")
        self._strengths()
        return _compute_once(self._phis, topic, partial(self.caf.phi, self.qbaf, topic, self.semantics))

    def base_score(self, x: Name) -> float:
        return self.qbaf.base_scores[x]

    def strength(self, topic: Name) -> float:
        return float(self._strengths()[self.qbaf.index(topic)])

    def strength_without(self, x: Name, topic: Name) -> float:
        present = np.ones(len(self.qbaf), bool)
        present[self.qbaf.index(x)] = False
        found = _compute_once(self._without, x, lambda: self._problem.strengths(present)[0])
        return float(found[self.qbaf.index(topic)])

    def slopes(self, x: Name, topic: Name) -> tuple[float, float]:
        below, above = self._slopes
        at = (self.qbaf.index(topic), self.qbaf.index(x))
        return float(below[at]), float(above[at])

    def gap_changes(self, x: Name, side: int, fact: Name, foil: Name) -> list[float]:
        scores = np.tile(self.qbaf.base_array, (len(STEPS), 1))
        scores[:, self.qbaf.index(x)] = np.clip(self.base_score(x) + side * np.array(STEPS), 0.0, 1.0)
        found = self._problem.strengths(base_scores=scores)
        gaps = found[:, self.qbaf.index(fact)] - found[:, self.qbaf.index(foil)]
        return [float(gap) - (self.strength(fact) - self.strength(foil)) for gap in gaps]

    def with_isolated(self) -> tuple[GraphEvaluation, Name]:
        return self._with_isolated

    @cached_property
    def _with_isolated(self) -> tuple[GraphEvaluation, Name]:
        grown = add_isolated(self.qbaf)
        return GraphEvaluation(grown, self.semantics, self.caf), grown.arguments[-1]

    @cached_property
    def _problem(self) -> Problem:
        return make_problem(self.qbaf, self.semantics)

    def _strengths(self) -> Floats:
        return _compute_once(self._whole, None, self._solve)

    def _solve(self) -> Floats:
        solution = make_problem(self.qbaf, self.semantics, max_steps=self.max_steps).solve()
        if solution.moving[0]:
            raise UndefinedStrength(f"{self.semantics.name}: strengths still move after {self.max_steps} steps")
        return solution.strengths[0]

    @cached_property
    def _slopes(self) -> tuple[Floats, Floats]:
        return one_sided_slopes(self._problem, self._strengths(), np.eye(len(self.qbaf)))


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
