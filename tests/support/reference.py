"""The definitions, slow and obvious: dictionaries, one argument at a time, all arguments at once per step.

Nothing here is shared with the library: every formula is written again, from the papers, in plain Python. The same
formulas take floats, fractions, and `Moved` numbers, which carry a one-sided derivative along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qontrast import Qbaf


@dataclass(frozen=True, order=True)
class Moved:
    """value + rate · ε with an ε > 0 smaller than every number; so the order of two equal values is that of rates."""

    value: Any
    rate: Any = 0

    def __add__(self, other: Any) -> Moved:
        other = as_moved(other)
        return Moved(self.value + other.value, self.rate + other.rate)

    def __mul__(self, other: Any) -> Moved:
        other = as_moved(other)
        return Moved(self.value * other.value, self.value * other.rate + self.rate * other.value)

    def __truediv__(self, other: Any) -> Moved:
        other = as_moved(other)
        value = self.value / other.value
        return Moved(value, (self.rate - value * other.rate) / other.value)

    def __neg__(self) -> Moved:
        return Moved(-self.value, -self.rate)

    def __sub__(self, other: Any) -> Moved:
        return self + -as_moved(other)

    def __rsub__(self, other: Any) -> Moved:
        return as_moved(other) - self

    def __rtruediv__(self, other: Any) -> Moved:
        return as_moved(other) / self

    __radd__, __rmul__ = __add__, __mul__


def as_moved(number: Any) -> Moved:
    return number if isinstance(number, Moved) else Moved(number)


def _is_positive(number: Any) -> bool:
    """Where a number that moves is 0 but for rounding, its rate decides."""
    if isinstance(number, Moved):
        return bool(number.rate > 0 if abs(number.value) <= ROUNDING else number.value > 0)
    return bool(number > 0)


def _exp(x: Any) -> Any:
    if isinstance(x, Moved):
        value = _exp(x.value)
        return Moved(value, value * x.rate)
    return math.exp(max(x, -700.0))  # a power of 0 would be divided by


def _max(values: list[Any]) -> Any:
    """The largest, and 0 at least."""
    return max(map(as_moved, [0.0, *values])) if any(isinstance(x, Moved) for x in values) else max([0.0, *values])


def _product(values: list[Any]) -> Any:
    out = 1
    for value in values:
        out = out * (1 - value)
    return out


def _towards(b: Any, e: Any, share: Callable[[Any], Any]) -> Any:
    """Towards 1 by a share of the way if the energy is positive, towards 0 else."""
    return b + (1 - b) * share(e) if _is_positive(e) else b - b * share(-e)


def _df_quad(b: Any, att: list[Any], sup: list[Any]) -> Any:
    return _towards(b, _product(att) - _product(sup), lambda x: x)  # what attackers and supporters leave


def _qe(b: Any, att: list[Any], sup: list[Any]) -> Any:
    return _towards(b, sum(sup) - sum(att), lambda x: x * x / (1 + x * x))


def _euler(b: Any, e: Any) -> Any:
    if _is_positive(-e):
        return 1 - (1 - b * b) / (1 + b * _exp(e))
    return 1 - (1 - b * b) * _exp(-e) / (_exp(-e) + b)  # the same, for energies whose power is no number


def _reb(b: Any, att: list[Any], sup: list[Any]) -> Any:
    return _euler(b, sum(sup) - sum(att))


def _ebt(b: Any, att: list[Any], sup: list[Any]) -> Any:
    return _euler(b, _max(sup) - _max(att))


def _mlp(b: Any, att: list[Any], sup: list[Any]) -> Any:
    """logistic(logit b + e) = b eᵉ / (b eᵉ + 1 − b)."""
    e = sum(sup) - sum(att)
    return b / (b + (1 - b) * _exp(-e)) if _is_positive(e) else b * _exp(e) / (b * _exp(e) + 1 - b)


def _squared_product(b: Any, att: list[Any], sup: list[Any]) -> Any:
    a, s = _product(att), _product(sup)
    return _towards(b, a * a - s * s, lambda x: x)


def _one_max(b: Any, att: list[Any], sup: list[Any]) -> Any:
    return _towards(b, _product(att) - _product(sup), lambda x: x / (1 + x))


ROUNDING = 1e-14  # of energies that are 0 on paper, such as 0.9 · 0.8 − 0.72

RULES: dict[str, Callable[[Any, list[Any], list[Any]], Any]] = {
    "df-quad": _df_quad,
    "qe": _qe,
    "reb": _reb,
    "ebt": _ebt,
    "mlp": _mlp,
    "df-quad-squared-product": _squared_product,
    "df-quad-1-max": _one_max,
}


class Loop:
    """The synchronous update of one graph, or of those of its arguments that are kept.

    `number` is float, or Fraction for exact arithmetic.
    """

    def __init__(
        self, qbaf: Qbaf, semantics: str, number: Callable[[float], Any] = float, keep: Collection[Any] | None = None
    ) -> None:
        assert semantics in RULES, f"write the formula of {semantics!r} in RULES of tests/support/reference.py"
        self.rule = RULES[semantics]
        kept = set(qbaf if keep is None else keep)
        self.base = {name: number(value) for name, value in qbaf.base_scores.items() if name in kept}
        self.attackers = {name: [] for name in self.base}
        self.supporters = {name: [] for name in self.base}
        for edges, parents in ((qbaf.attacks, self.attackers), (qbaf.supports, self.supporters)):
            for (source, target), weight in edges.items():
                if source in kept and target in kept:
                    parents[target].append((source, number(weight)))

    def step(self, now: dict[Any, Any]) -> dict[Any, Any]:
        return {
            name: self.rule(
                base, [w * now[x] for x, w in self.attackers[name]], [w * now[x] for x, w in self.supporters[name]]
            )
            for name, base in self.base.items()
        }

    def move_score(self, name: Any, side: int) -> Loop:
        """Let a base score move to one side."""
        self.base[name] = Moved(self.base[name], side)
        return self

    def move_weight(self, edge: tuple[Any, Any], side: int) -> Loop:
        """Let the weight of an edge move to one side."""
        for parents in (self.attackers, self.supporters):
            own = parents[edge[1]]
            parents[edge[1]] = [(x, Moved(w, side) if x == edge[0] else w) for x, w in own]
        return self

    def run(self, steps: int) -> dict[Any, Any]:
        now = dict(self.base)
        for _ in range(steps):
            now = self.step(now)
        return now

    def limit(self, steps: int = 3000, still: float = 1e-15) -> dict[Any, float] | None:
        """The limit, or None if the update still moves after so many steps."""
        now = dict(self.base)
        for _ in range(steps):
            then, now = now, self.step(now)
            if max((_distance(now[x], then[x]) for x in now), default=0.0) <= still:
                return now
        return None

    def flow(self, step: float = 0.05, steps: int = 20_000, still: float = 1e-14) -> dict[Any, float] | None:
        """The equilibrium of dσ/dt = F(σ) − σ from the base scores, by many small steps; None if it still moves."""
        now = dict(self.base)
        for _ in range(steps):
            then = self.step(now)
            if max((abs(then[x] - now[x]) for x in now), default=0.0) <= still:
                return now
            now = {x: now[x] + step * (then[x] - now[x]) for x in now}
        return None


def _distance(one: Any, other: Any) -> float:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other)
    one, other = as_moved(one), as_moved(other)
    return float(max(abs(one.value - other.value), abs(one.rate - other.rate)))


RATIONAL = ("df-quad", "qe", "df-quad-squared-product", "df-quad-1-max")  # whose strengths are fractions
MAX_RATIONAL = 12  # arguments of a graph that is solved in fractions


def find_rates(qbaf: Qbaf, semantics: str, moved: Any, side: int) -> dict[Any, float] | None:
    """The one-sided derivatives of all strengths by a base score, or by the weight of an edge, a pair of names.

    They are exact at kinks of small acyclic graphs where strengths are fractions. None if strengths have no limit.
    """
    acyclic = qbaf.structure.acyclic
    rational = acyclic and semantics in RATIONAL and len(qbaf) <= MAX_RATIONAL
    loop = Loop(qbaf, semantics, Fraction if rational else float)
    loop = loop.move_weight(moved, side) if isinstance(moved, tuple) else loop.move_score(moved, side)
    found = loop.limit(still=0.0 if acyclic else 1e-15)
    return None if found is None else {x: side * float(as_moved(value).rate) for x, value in found.items()}


def exact(qbaf: Qbaf, semantics: str) -> dict[Any, Fraction]:
    """Strengths of an acyclic graph as fractions: after as many steps as there are arguments nothing moves."""
    return Loop(qbaf, semantics, Fraction).run(len(qbaf))
