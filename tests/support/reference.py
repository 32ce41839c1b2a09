"""The definitions, slow and obvious: dictionaries, one argument at a time, all arguments at once per step.

Nothing here is shared with the library: every formula is written again, from the papers, in plain Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from qontrast import Qbaf


def _product(values: list[Any]) -> Any:
    out = 1
    for value in values:
        out = out * (1 - value)
    return out


def _df_quad(b: Any, att: list[Any], sup: list[Any]) -> Any:
    a, s = _product(att), _product(sup)  # what attackers and supporters leave
    return b - b * (s - a) if s >= a else b + (1 - b) * (a - s)


def _qe(b: Any, att: list[Any], sup: list[Any]) -> Any:
    e = sum(sup) - sum(att)
    h = e * e / (1 + e * e)
    return b + (1 - b) * h if e > 0 else b - b * h


def _euler(b: float, e: float) -> float:
    return 1 - (1 - b * b) / (1 + b * math.exp(e))


def _reb(b: float, att: list[float], sup: list[float]) -> float:
    return _euler(b, sum(sup) - sum(att))


def _ebt(b: float, att: list[float], sup: list[float]) -> float:
    return _euler(b, max([0.0, *sup]) - max([0.0, *att]))


def _mlp(b: float, att: list[float], sup: list[float]) -> float:
    if b in (0.0, 1.0):
        return b
    return 1 / (1 + math.exp(-math.log(b / (1 - b)) - sum(sup) + sum(att)))


def _squared_product(b: Any, att: list[Any], sup: list[Any]) -> Any:
    a, s = _product(att) ** 2, _product(sup) ** 2
    return b - b * (s - a) if s >= a else b + (1 - b) * (a - s)


def _one_max(b: Any, att: list[Any], sup: list[Any]) -> Any:
    e = _product(att) - _product(sup)
    return b + (1 - b) * e / (1 + e) if e > 0 else b - b * (-e) / (1 - e)


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
    """The synchronous update of one graph; `number` is float, or Fraction for exact arithmetic."""

    def __init__(self, qbaf: Qbaf, semantics: str, number: Callable[[float], Any] = float) -> None:
        assert semantics in RULES, f"write the formula of {semantics!r} in RULES of tests/support/reference.py"
        self.rule = RULES[semantics]
        self.base = {name: number(value) for name, value in qbaf.base_scores.items()}
        self.attackers = {name: [] for name in self.base}
        self.supporters = {name: [] for name in self.base}
        for edges, parents in ((qbaf.attacks, self.attackers), (qbaf.supports, self.supporters)):
            for (source, target), weight in edges.items():
                parents[target].append((source, number(weight)))

    def step(self, now: dict[Any, Any]) -> dict[Any, Any]:
        return {
            name: self.rule(
                base, [w * now[x] for x, w in self.attackers[name]], [w * now[x] for x, w in self.supporters[name]]
            )
            for name, base in self.base.items()
        }

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
            if max((abs(now[x] - then[x]) for x in now), default=0.0) <= still:
                return now
        return None


def exact(qbaf: Qbaf, semantics: str) -> dict[Any, Fraction]:
    """Strengths of an acyclic graph as fractions: after as many steps as there are arguments nothing moves."""
    return Loop(qbaf, semantics, Fraction).run(len(qbaf))
