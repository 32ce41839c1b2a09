"""State the property of the sets of arguments that keep an order, and of those without which it changes.

They are what `reasons` finds, whatever the method. A function of your own is checked where it takes `sets=` ("prime" or
"breaking") and then returns a list of sets of arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..explain.reasons_search import hit
from . import player_properties  # noqa: F401 -- whose rows of AXIOMS come first
from .axiom import Case, Instance, axiom


@axiom(
    "prime-breaking-duality",
    "Duality of prime and breaking sets",
    "T is prime for α over β ⇔ T is a minimal set with a member in every breaking set, and the other way round",
    "there is no prime set",
    "{contributor} is prime for {fact} over {foil}, but no minimal set with a member in every breaking set",
    "{contributor} is a minimal set with a member in every breaking set for {fact} over {foil}, but not prime",
    "{contributor} is breaking for {fact} over {foil}, but no minimal set with a member in every prime set",
    "{contributor} is a minimal set with a member in every prime set for {fact} over {foil}, but not breaking",
    players="sets",
)
def prime_breaking_duality(case: Case) -> Iterator[Instance]:
    """What keeps an order whatever else is dropped has a member in every set without which the order changes."""
    prime, breaking = (case.values.find_sets(case.fact, case.foil, kind) for kind in ("prime", "breaking"))
    yield from _compare(case, prime, _find_hitting_sets(breaking), 0)
    yield from _compare(case, breaking, _find_hitting_sets(prime), 2)


def _compare(
    case: Case, found: set[frozenset[Any]], expected: set[frozenset[Any]], sentence: int
) -> Iterator[Instance]:
    """Make an instance of each set that is in one of the two lists."""
    for some in sorted(found | expected, key=lambda each: (len(each), sorted(map(case.values.index, each)))):
        names = tuple(sorted(some, key=case.values.index))
        inside = some in found
        yield case.compare(float(inside), float(some in expected), names, sentence=sentence + (not inside))


def _find_hitting_sets(sets: Iterable[frozenset[Any]]) -> set[frozenset[Any]]:
    """Find the minimal sets with a member in each of the sets."""
    found: list[frozenset[Any]] = [frozenset()]
    for some in sets:
        found = hit(found, some)
    return set(found)
