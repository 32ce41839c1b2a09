"""The other half of a contrastive question: what would have to change for the foil to win?

Two answers. The smallest change of base scores,

    minimise ‖τ′ − τ‖₁   subject to   σ′(fact) − σ′(foil) ≤ −margin,   0 ≤ τ′ ≤ 1,

found by linearising the gap with its exact gradient, again and again, inside a trust region: with one linear
constraint the best change is greedy, the steepest arguments first. And the smallest set of arguments whose removal
does it. Both are verified by solving again; the first is the smallest that was found from several starts, the second
is proved smallest where all smaller sets were tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InvalidInput
from ..phi import Progress
from ..plain import plain
from ..progress import shown
from ..qbaf import Name, Qbaf
from ..semantics import Semantics
from ..settings import listed, real
from ..shown import Stated
from ..solve import problem
from ..words import called, number
from .search import NORMS, Search

SAID = 5  # changes named in the sentence
MARGIN = 1e-6  # so that the foil is ahead, and not only level up to rounding


@dataclass(frozen=True, eq=False, repr=False)
class Flip(Stated):
    """What would make the foil win. A part that is impossible is None, with the best gap that was reached.

    `change` maps arguments to (old, new) base score at `cost`; `removal` names arguments to remove, `proved` that no
    smaller set does it.
    """

    qbaf: Qbaf = field(repr=False)
    fact: Name
    foil: Name
    gap: float
    change: Mapping[Name, tuple[float, float]] | None
    cost: float | None
    change_gap: float  # σ(fact) − σ(foil) after the change, or the least that was reached
    removal: tuple[Name, ...] | None
    removal_gap: float
    proved: bool
    norm: str
    semantics: str

    def changed(self) -> Qbaf:
        """The graph with the changed base scores."""
        if self.change is None:
            raise InvalidInput(f"no change of base scores makes {self.foil!r} win; there is nothing to apply")
        return self.qbaf.with_base_scores({name: new for name, (_, new) in self.change.items()})

    def removed(self) -> Qbaf:
        """The graph without the removed arguments."""
        if self.removal is None:
            raise InvalidInput(f"no removal makes {self.foil!r} win; there is nothing to apply")
        return self.qbaf.without(*self.removal)

    def __str__(self) -> str:
        fact, foil = called(self.qbaf, self.fact), called(self.qbaf, self.foil)
        if self.gap <= -MARGIN:
            return f"{foil} is ahead of {fact} already, by {number(-self.gap)}; nothing has to change."
        if self.change is None:
            text = f"No change of base scores makes {foil} win over {fact}; {_reached(self.change_gap)}."
        else:
            each = [f"{called(self.qbaf, x)} from {_apart(old, new)}" for x, (old, new) in self.change.items()]
            moves = ", ".join(each[:SAID]) + (f" and {len(each) - SAID} smaller changes" if len(each) > SAID else "")
            text = f"{foil} would win over {fact} with {moves} ({self.norm.upper()} change {number(self.cost or 0.0)})."
        if self.removal is None:
            return f"{text} Removing arguments does not do it; {_reached(self.removal_gap)}."
        gone = " and ".join(called(self.qbaf, x) for x in self.removal)
        smallest = "; no smaller removal does" if self.proved and len(self.removal) > 1 else ""
        return f"{text} It would also win without {gone}{smallest}."

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/flip/1`."""
        change = None if self.change is None else {x: {"from": a, "to": b} for x, (a, b) in self.change.items()}
        data = {
            "schema": "qontrast/flip/1",
            "fact": self.fact,
            "foil": self.foil,
            "semantics": self.semantics,
            "gap": self.gap,
            "base_scores": {"change": change, "norm": self.norm, "cost": self.cost, "gap": self.change_gap},
            "removal": {
                "arguments": None if self.removal is None else list(self.removal),
                "gap": self.removal_gap,
                "proved_smallest": self.proved,
            },
        }
        return plain(data)


def _apart(old: float, new: float) -> str:
    """Both with as many digits as it takes to tell them apart."""
    digits = next((k for k in range(3, 9) if f"{old:.{k}f}" != f"{new:.{k}f}"), 9)
    return f"{old:.{digits}f} to {new:.{digits}f}"


def _reached(gap: float) -> str:
    return "the two can be brought level, no more" if abs(gap) < MARGIN else f"the gap stays at least {number(gap)}"


def flip(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    semantics: str | Semantics | None = None,
    *,
    fixed: Iterable[Name] = (),
    norm: str = "l1",
    solver: str = "discrete",
    margin: float = MARGIN,
    progress: Progress | bool | None = None,
) -> Flip:
    """What would have to change for the foil to win: base scores, or arguments to remove.

    Arguments in `fixed` keep their base score and stay.

    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    >>> print(flip(q, "p", "q", "df-quad", fixed=["p", "x"]))
    q would win over p with q from 0.500 to 0.800 (L1 change 0.300). Removing arguments does not do it; \
the gap stays at least 0.300.
    """
    held_names = listed(fixed, "fixed")
    if not isinstance(norm, str) or norm not in NORMS:
        raise InvalidInput(f"norm is one of {', '.join(NORMS)}, not {norm!r}")
    if not 0 < real(margin, "margin", "give a number between 0 and 1") < 1:
        raise InvalidInput(f"margin is {margin!r}; give a number between 0 and 1")
    asked, held = problem(qbaf, semantics, solver), {qbaf.index(name) for name in held_names}
    with shown(progress, "flip") as report:
        return _found(Search(asked, fact, foil, held, norm, margin, report), fact, foil, norm)


def _found(search: Search, fact: Name, foil: Name, norm: str) -> Flip:
    qbaf, margin = search.problem.qbaf, search.margin
    gap = search.gap(qbaf.base_array)
    if gap <= -margin:
        return Flip(qbaf, fact, foil, gap, {}, 0.0, gap, (), gap, True, norm, search.problem.semantics.name)
    change, change_gap = search.change()
    removal, removal_gap, proved = search.removal()
    search.report(3, 1.0)
    moves, cost = None, None
    if change is not None:
        moved = [int(i) for i in np.argsort(-np.abs(change - qbaf.base_array)) if change[i] != qbaf.base_array[i]]
        moves = {qbaf.arguments[i]: (float(qbaf.base_array[i]), float(change[i])) for i in moved}
        cost = search.cost(change)
    names = None if removal is None else tuple(qbaf.arguments[i] for i in removal)
    return Flip(
        qbaf, fact, foil, gap, moves, cost, change_gap, names, removal_gap, proved, norm, search.problem.semantics.name
    )
