"""The formulas of semantics for one argument at a time, in plain floats: where few arguments are evaluated, one call of
NumPy takes longer than the formula.

They repeat the arithmetic of `semantics`, in the same order, so that both give the same bits; α sees x = w·σ of the
attackers and of the supporters, two lists. A semantics that has none is evaluated in arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import exp, inf, log1p, prod

import numpy as np

MAX_EXPONENT = 709.0  # beyond, the power of e is not a float

Numbers = list[float]


@dataclass(frozen=True)
class ScalarAggregation:
    """α(attacks, supports), and its slopes in each of them."""

    energy: Callable[[Iterable[float], Iterable[float]], float]
    slopes: Callable[[Numbers, Numbers], tuple[Numbers, Numbers]]


@dataclass(frozen=True)
class ScalarInfluence:
    """ι(b, e), with ι(b, 0) = b, and (∂ι/∂b, ∂ι/∂e from below, ∂ι/∂e from above)."""

    strength: Callable[[float, float], float]
    slopes: Callable[[float, float], tuple[float, float, float]]


# -- aggregations ---------------------------------------------------------------------------------------------


def _add(attacks: Iterable[float], supports: Iterable[float]) -> float:
    down = up = 0.0  # one after the other: `sum` compensates for rounding in newer versions of Python
    for x in attacks:
        down += x
    for x in supports:
        up += x
    return up - down


def _add_slopes(attacks: Numbers, supports: Numbers) -> tuple[Numbers, Numbers]:
    return [-1.0] * len(attacks), [1.0] * len(supports)


def _multiply(attacks: Iterable[float], supports: Iterable[float]) -> float:
    return prod([1 - x for x in attacks], start=1.0) - prod([1 - x for x in supports], start=1.0)


def multiply_others(factors: Numbers) -> Numbers:
    """For each factor the product of all others, from both sides, so that a factor of 0 divides nothing.

    >>> multiply_others([2.0, 0.0, 4.0])
    [0.0, 8.0, 0.0]
    """
    if len(factors) < 2:
        return [1.0] * len(factors)
    found, before, after = [], 1.0, 1.0
    for factor in factors:
        found.append(before)
        before *= factor
    for k in range(len(factors) - 1, -1, -1):
        found[k] *= after
        after *= factors[k]
    return found


def _multiply_slopes(attacks: Numbers, supports: Numbers) -> tuple[Numbers, Numbers]:
    return [-x for x in multiply_others([1 - x for x in attacks])], multiply_others([1 - x for x in supports])


def _squares(values: Iterable[float]) -> Numbers:
    return [(1 - x) * (1 - x) for x in values]


def _multiply_squares(attacks: Iterable[float], supports: Iterable[float]) -> float:
    return prod(_squares(attacks), start=1.0) - prod(_squares(supports), start=1.0)


def _multiply_squares_slopes(attacks: Numbers, supports: Numbers) -> tuple[Numbers, Numbers]:
    down = zip(attacks, multiply_others(_squares(attacks)), strict=True)
    up = zip(supports, multiply_others(_squares(supports)), strict=True)
    return [-2 * (1 - x) * others for x, others in down], [2 * (1 - x) * others for x, others in up]


def _take_top(attacks: Iterable[float], supports: Iterable[float]) -> float:
    return max(0.0, *supports, 0.0) - max(0.0, *attacks, 0.0)


def _select_top(values: Numbers) -> Numbers:
    """1 at the first largest value, 0 elsewhere."""
    found = [0.0] * len(values)
    if values:
        found[values.index(max(values))] = 1.0
    return found


def _take_top_slopes(attacks: Numbers, supports: Numbers) -> tuple[Numbers, Numbers]:
    return [-x for x in _select_top(attacks)], _select_top(supports)


TOP = ScalarAggregation(_take_top, _take_top_slopes)
ADD = ScalarAggregation(_add, _add_slopes)
MULTIPLY = ScalarAggregation(_multiply, _multiply_slopes)
MULTIPLY_SQUARES = ScalarAggregation(_multiply_squares, _multiply_squares_slopes)

# -- influences -------------------------------------------------------------------------------------------------


def _linear(b: float, e: float) -> float:
    return b + abs(e) * ((e > 0) - b)


def _linear_slopes(b: float, e: float) -> tuple[float, float, float]:
    return 1 - abs(e), 1 - b if e > 0 else b, 1 - b if e >= 0 else b


def _one_max(b: float, e: float) -> float:
    x = abs(e)
    return b + x / (1 + x) * ((e > 0) - b)


def _one_max_slopes(b: float, e: float) -> tuple[float, float, float]:
    x = abs(e)
    slope = 1 / ((1 + x) * (1 + x))
    return 1 - x / (1 + x), slope * (1 - b if e > 0 else b), slope * (1 - b if e >= 0 else b)


def _two_max(b: float, e: float) -> float:
    if not -1e150 <= e <= 1e150:
        e = 1e150 if e > 0 else -1e150  # whose square is a number still
    square = e * e
    return (b + square) / (1 + square) if e > 0 else b / (1 + square)


def _two_max_slopes(b: float, e: float) -> tuple[float, float, float]:
    e = max(min(e, 1e150), -1e150)
    by_base = 1 / (1 + e * e)
    e = max(min(e, 1e75), -1e75)
    below = 1 + e * e
    by_energy = (max(e, 0.0) - b * e) * 2 / (below * below)
    return by_base, by_energy, by_energy


@cache
def _load_special() -> tuple[Callable[[float], float], Callable[[float], float]]:
    """expit and logit of SciPy, which takes longer to import than NumPy."""
    from scipy.special import expit, logit

    return expit, logit


def _log(b: float) -> float:
    return float(np.log(b)) if b > 0 else -inf  # NumPy's, whose last bit may be another than that of `math`


def _exp(x: float) -> float:
    return exp(x) if x < MAX_EXPONENT else inf


def _add_logs(x: float, y: float) -> float:
    """ln(eˣ + eʸ)."""
    return max(x, y) + log1p(exp(-abs(x - y)))


def _euler(b: float, e: float) -> float:
    expit, _ = _load_special()
    return 1 - (1 - b * b) * float(expit(-(_log(b) + e)))


def _euler_slopes(b: float, e: float) -> tuple[float, float, float]:
    expit, _ = _load_special()
    x = _log(b) + e
    down = float(expit(-x))
    by_base = 2 * b * down + (1 - b * b) * _exp(e - 2 * _add_logs(0.0, x))
    by_energy = (1 - b * b) * float(expit(x)) * down
    return by_base, by_energy, by_energy


def _logistic(b: float, e: float) -> float:
    expit, logit = _load_special()
    return float(expit(float(logit(b)) + e))


def _logistic_slopes(b: float, e: float) -> tuple[float, float, float]:
    expit, logit = _load_special()
    x = float(logit(b)) + e
    by_energy = float(expit(x)) * float(expit(-x))
    return _exp(e - 2 * _add_logs(_log(1 - b), _log(b) + e)), by_energy, by_energy


EULER = ScalarInfluence(_euler, _euler_slopes)
LOGISTIC = ScalarInfluence(_logistic, _logistic_slopes)
LINEAR = ScalarInfluence(_linear, _linear_slopes)
ONE_MAX = ScalarInfluence(_one_max, _one_max_slopes)
TWO_MAX = ScalarInfluence(_two_max, _two_max_slopes)
