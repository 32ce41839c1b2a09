"""The function under test: a CAF, and the attribution function φ that some properties measure it against.

A CAF is given as the name of a method ("removal": Φ = φ_fact − φ_foil), as `Derived(phi, f)`: Φ = f(φ_fact, φ_foil),
or as any function `caf(qbaf, fact, foil, semantics) -> Mapping`. φ is a method's name or a function
`phi(qbaf, topic, semantics) -> Mapping`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..attribution.methods import METHODS, attribute
from ..engine.discrete import TOLERANCE
from ..engine.problem import problem
from ..errors import InvalidInput, unknown
from ..explain.contrast import COMBINATION, Combination, apply_combination, contrast
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import calling, function, real, shown
from ..types import Name

Caf = Callable[[Qbaf, Name, Name, Semantics], Mapping[Name, float]]
Phi = Callable[[Qbaf, Name, Semantics], Mapping[Name, float]]

# Tolerances. An acyclic pass rounds each strength by a few 1e-16; contributions add a few dozen of them at most.
ACYCLIC = 1e-12
CYCLIC = 100 * TOLERANCE  # strengths of cyclic graphs are good to 1e-12; contributions add a few dozen
SLOPES = 1e-8  # derivatives at strengths good to 1e-12, divided by 1 − rate where the iteration contracts slowly
NUMERIC = 1e-7  # derivatives by differences, of a user's own formulas, are good to 1e-9
CLEARLY = 10  # a strict premise, such as Φ > 0, counts as met from this many tolerances on


@dataclass(frozen=True)
class Derived:
    """Φ(x) = f(φ_fact(x), φ_foil(x)): a CAF that combines two attributions by another function than subtraction."""

    phi: str | Phi
    combine: Combination
    name: str = ""

    def __call__(self, qbaf: Qbaf, fact: Name, foil: Name, semantics: Semantics) -> dict[Name, float]:
        mine, theirs = (reference(self.phi)(qbaf, topic, semantics) for topic in (fact, foil))
        return {x: apply_combination(self.combine, mine[x], theirs[x]) for x in mine if x not in (fact, foil)}


@dataclass(frozen=True)
class Tested:
    """A CAF ready to be tested; `method` and `combine` are set where Φ comes from one of METHODS."""

    name: str
    caf: Caf
    phi: Phi | None
    method: str | None = None
    combine: Combination | None = None

    def tolerance(self, qbaf: Qbaf, semantics: Semantics) -> float:
        """How far equal values may lie apart: from the accuracy of strengths, coarser for slopes on cyclic graphs."""
        if self.method and METHODS[self.method].kind == "slope":
            return slope_tolerance(qbaf, semantics)
        if problem(qbaf, semantics).arrays.acyclic:
            return ACYCLIC
        return CYCLIC if self.method else SLOPES


def slope_tolerance(qbaf: Qbaf, semantics: Semantics) -> float:
    """How far a derivative of strength may be from the true one."""
    if semantics.numeric:
        return NUMERIC
    return ACYCLIC if problem(qbaf, semantics).arrays.acyclic else SLOPES


def as_caf(caf: str | Caf | Derived | Tested, phi: str | Phi | None = None) -> Tested:
    """The CAF of that name or function, with its φ: its own, unless another is given."""
    if isinstance(caf, Tested):
        return caf
    own = caf if isinstance(caf, str) else caf.phi if isinstance(caf, Derived) else None
    chosen = own if phi is None else phi
    measured = None if chosen is None else reference(chosen)
    batched = own if isinstance(own, str) and chosen == own else None
    if isinstance(caf, str):
        if caf not in METHODS:
            raise unknown(caf, METHODS, "method")
        return Tested(caf, partial(_by_method, caf), measured, batched)
    if isinstance(caf, Derived):
        function(caf.combine, "combine", COMBINATION, 2)
        return Tested(caf.name or f"{_name(caf.combine)} of {_name(caf.phi)}", caf, measured, batched, caf.combine)
    function(caf, "caf", f"(qbaf, fact, foil, semantics), or one of {', '.join(METHODS)}", 4)
    return Tested(_name(caf), partial(_asked, caf, f"caf {_name(caf)}"), measured)


def reference(phi: str | Phi) -> Phi:
    """φ as a function (qbaf, topic, semantics)."""
    if not isinstance(phi, str):
        function(phi, "phi", f"(qbaf, topic, semantics), or one of {', '.join(METHODS)}", 3)
        return partial(_asked, phi, f"phi {_name(phi)}")
    if phi not in METHODS:
        raise unknown(phi, METHODS, "method")
    return partial(_attribution, phi)


def _asked(own: Callable[..., Mapping[Name, float]], name: str, qbaf: Qbaf, *question: Any) -> Mapping[Name, float]:
    """What a user's own function says of every contributor, checked."""
    topics = [each for each in question if not isinstance(each, Semantics)]
    way = "give a mapping from every contributor to a number"
    with calling(name, way):
        found = own(qbaf, *question)
    if not isinstance(found, Mapping):
        raise InvalidInput(f"{name} gave {shown(found)}; {way}")
    for x in qbaf:
        if x not in topics:
            if x not in found:
                raise InvalidInput(f"{name} gave no contribution of {x!r} to {topics}; {way}")
            real(found[x], f"the contribution of {x!r} by {name}", way, missing=True)
    return found


def _name(thing: object) -> str:
    return thing if isinstance(thing, str) else getattr(thing, "__name__", repr(thing))


def _by_method(method: str, qbaf: Qbaf, fact: Name, foil: Name, semantics: Semantics) -> Mapping[Name, float]:
    return dict(contrast(qbaf, fact, foil, method=method, semantics=semantics))


def _attribution(method: str, qbaf: Qbaf, topic: Name, semantics: Semantics) -> Mapping[Name, float]:
    return dict(attribute(qbaf, topic, method=method, semantics=semantics))
