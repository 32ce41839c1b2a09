"""Judge claims about small acyclic graphs by interval arithmetic with outward rounding: by mpmath, not by the library.

Strengths rise in the base score and in supporters and fall in attackers, so that the ends of a strength are formulas of
ends. Where every argument acts on one of two topics along one path, the bounds of their gap are sharp up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mpmath import iv, mp

from qontrast import Qbaf

Box = Mapping[Any, tuple[float, float]]  # argument → between which ends its base score lies
DIGITS = 25
STEPS = 60  # of a bisection
Interval = Any  # of mpmath, which has no types


def _point(value: float) -> Interval:
    return iv.mpf(value)


def _sum_energy(attackers: list[Interval], supporters: list[Interval]) -> Interval:
    return sum(supporters, _point(0)) - sum(attackers, _point(0))


def _product_energy(attackers: list[Interval], supporters: list[Interval]) -> Interval:
    return _join(supporters) - _join(attackers)


def _join(parents: list[Interval]) -> Interval:
    rest = _point(1)
    for each in parents:
        rest = rest * (1 - each)
    return 1 - rest


def _qe(base: Interval, energy: Interval) -> Interval:
    share = energy**2 / (1 + energy**2)
    return base + (1 - base) * share if energy.a >= 0 else base - base * share


def _df_quad(base: Interval, energy: Interval) -> Interval:
    return base + (1 - base) * energy if energy.a >= 0 else base + base * energy


def _reb(base: Interval, energy: Interval) -> Interval:
    return 1 - (1 - base**2) / (1 + base * iv.exp(energy))


# semantics → energy of attackers and supporters, and strength of a base score and an energy that are points
FORMULAS: dict[str, tuple[Callable[..., Interval], Callable[..., Interval]]] = {
    "qe": (_sum_energy, _qe),
    "df-quad": (_product_energy, _df_quad),
    "reb": (_sum_energy, _reb),
}


def bound_strengths(qbaf: Qbaf, semantics: str, box: Box) -> dict[Any, Interval]:
    """Bound the strengths of an acyclic graph while base scores lie in a box; others are as they are."""
    mp.dps = iv.dps = DIGITS
    find_energy, find_strength = FORMULAS[semantics]
    ends = {name: box.get(name, (score, score)) for name, score in qbaf.base_scores.items()}
    found: dict[Any, Interval] = {}

    def bound(name: Any) -> Interval:
        if name not in found:
            parents = [
                [bound(source) * _point(weight) for (source, target), weight in edges.items() if target == name]
                for edges in (qbaf.attacks, qbaf.supports)
            ]
            energy = find_energy(*parents)
            low, high = ends[name]
            least, most = (find_strength(_point(b), _point(e)) for b, e in ((low, energy.a), (high, energy.b)))
            found[name] = iv.mpf([least.a, most.b]) if any(parents) else iv.mpf([low, high])
        return found[name]

    for name in qbaf:
        bound(name)
    return found


def bound_gap(qbaf: Qbaf, semantics: str, fact: Any, foil: Any, box: Box) -> tuple[Any, Any]:
    """Bound σ(fact) − σ(foil), rounded outwards."""
    found = bound_strengths(qbaf, semantics, box)
    gap = found[fact] - found[foil]
    return gap.a, gap.b


def make_ball(qbaf: Qbaf, movers: list[Any], radius: float) -> Box:
    """The base scores that are off by no more than a radius."""
    scores = qbaf.base_scores
    return {x: (max(0.0, scores[x] - radius), min(1.0, scores[x] + radius)) for x in movers}


def find_radius(qbaf: Qbaf, semantics: str, ahead: Any, behind: Any, movers: list[Any]) -> tuple[float, float]:
    """Find two radii next to each other: within the first the lead holds for sure, at the second it may end.

    Both are ∞ where it never ends. The second is sharp where every mover acts along one path.
    """
    if bound_gap(qbaf, semantics, ahead, behind, make_ball(qbaf, movers, 1.0))[0] > 0:
        return float("inf"), float("inf")
    inside, outside = 0.0, 1.0
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        holds = bound_gap(qbaf, semantics, ahead, behind, make_ball(qbaf, movers, middle))[0] > 0
        inside, outside = (middle, outside) if holds else (inside, middle)
    return inside, outside
