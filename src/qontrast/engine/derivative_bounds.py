"""Bounds on the derivatives of aggregations and influences over boxes, for the semantics that are known to be monotone.

Each function of an influence takes b_low, b_high, e_low, e_high, the ends of base scores and energies, and returns the
least and the largest value of a derivative on that box, or numbers beyond them. All these derivatives are at least 0.
A kink counts with the slopes of both its sides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..semantics import (
    TIE_TOLERANCE,
    Aggregation,
    Influence,
    Semantics,
    euler,
    expit,
    linear,
    logistic,
    logit,
    one_max,
    product,
    squared_product,
    summed,
    top,
    two_max,
)
from ..types import Floats

Range = tuple[Floats, Floats]
InfluenceRange = Callable[[Floats, Floats, Floats, Floats], Range]
SlopeRange = Callable[[Floats, Floats], Range]

STEEPEST = 1 / np.sqrt(3.0)  # where 2x / (1 + x²)² is largest


@dataclass(frozen=True)
class InfluenceBounds:
    """Bounds of ∂ι/∂b and ∂ι/∂e on boxes."""

    by_base: InfluenceRange
    by_energy: InfluenceRange


def _find_distance(low: Floats, high: Floats) -> Range:
    """The least and the largest |x| of an interval."""
    return np.maximum(np.maximum(low, -high), 0.0), np.maximum(np.abs(low), np.abs(high))


def _make_towards(falling: Callable[[Floats], Floats], slope: Callable[[Floats, Floats], Range]) -> InfluenceBounds:
    """Bounds where by_base is a falling function of |e| and by_energy is a slope(|e|) times 1 − b or b."""

    def by_base(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
        near, far = _find_distance(e_low, e_high)
        return falling(far), falling(near)

    def by_energy(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
        up = slope(np.maximum(e_low, 0.0), np.maximum(e_high, 0.0))
        down = slope(np.maximum(-e_high, 0.0), np.maximum(-e_low, 0.0))
        rising = up[0] * (1 - b_high), up[1] * (1 - b_low)
        sinking = down[0] * b_low, down[1] * b_high
        above, below = e_low > 0, e_high < 0
        low = np.where(above, rising[0], np.where(below, sinking[0], np.minimum(rising[0], sinking[0])))
        high = np.where(above, rising[1], np.where(below, sinking[1], np.maximum(rising[1], sinking[1])))
        return low, high

    return InfluenceBounds(by_base, by_energy)


def _linear_slope(near: Floats, far: Floats) -> Range:
    return np.ones_like(near), np.ones_like(far)


def _one_max_slope(near: Floats, far: Floats) -> Range:
    return 1 / np.square(1 + far), 1 / np.square(1 + near)


def _two_max_slope(near: Floats, far: Floats) -> Range:
    def slope(x: Floats) -> Floats:
        x = np.minimum(x, 1e75)
        return np.asarray(2 * x / np.square(1 + np.square(x)))

    return np.minimum(slope(near), slope(far)), slope(np.clip(STEEPEST, near, far))


def _bell_range(low: Floats, high: Floats) -> Range:
    """The range of expit(z) · expit(−z), which is largest at 0."""
    near, far = _find_distance(low, high)
    return expit(far) * expit(-far), expit(near) * expit(-near)


def _log(x: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))


def _exp(x: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(x))


def _euler_by_energy(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
    """(1 − b²) p (1 − p) with p = expit(ln b + e)."""
    low, high = _bell_range(_log(b_low) + e_low, _log(b_high) + e_high)
    return (1 - b_high * b_high) * low, (1 - b_low * b_low) * high


def _euler_by_base(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
    """2b / u + (1 − b²) eᴱ / u² with u = 1 + b eᴱ: the first rises in b and falls in e; the second falls in b."""
    first = 2 * b_low * expit(-(_log(b_low) + e_high)), 2 * b_high * expit(-(_log(b_high) + e_low))

    def second(b: Floats, e: Floats) -> Floats:
        return np.asarray((1 - b * b) * _exp(e - 2 * np.logaddexp(0.0, _log(b) + e)))

    low = np.minimum(second(b_high, e_low), second(b_high, e_high))
    return first[0] + low, first[1] + second(b_low, np.clip(-_log(b_low), e_low, e_high))


def _logistic_by_energy(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
    return _bell_range(logit(b_low) + e_low, logit(b_high) + e_high)


def _logistic_by_base(b_low: Floats, b_high: Floats, e_low: Floats, e_high: Floats) -> Range:
    """eᴱ / (1 − b + b eᴱ)²: monotone in b for each e, and for each b largest where the strength is 1/2."""

    def slope(b: Floats, e: Floats) -> Floats:
        return _exp(e - 2 * np.logaddexp(_log(1 - b), _log(b) + e))

    ends = [slope(b, e) for b in (b_low, b_high) for e in (e_low, e_high)]
    tops = [slope(b, np.clip(-logit(b), e_low, e_high)) for b in (b_low, b_high)]
    return np.minimum.reduce(ends), np.maximum.reduce(tops)


INFLUENCES: dict[Influence, InfluenceBounds] = {
    linear: _make_towards(lambda x: np.maximum(1 - x, 0.0), _linear_slope),
    one_max: _make_towards(lambda x: 1 / (1 + x), _one_max_slope),
    two_max: _make_towards(lambda x: 1 / (1 + np.square(np.minimum(x, 1e150))), _two_max_slope),
    euler: InfluenceBounds(_euler_by_base, _euler_by_energy),
    logistic: InfluenceBounds(_logistic_by_base, _logistic_by_energy),
}


def _sum_slopes(low: Floats, high: Floats) -> Range:
    return np.ones_like(low), np.ones_like(high)


def _top_slopes(low: Floats, high: Floats) -> Range:
    """Of max(x): 0 where x is never the largest, 1 where it always is, else between."""
    if len(low) < 2:
        return np.ones_like(low), np.ones_like(high)
    best_low, best_high = _find_best_other(low), _find_best_other(high)
    return (low > best_high + TIE_TOLERANCE).astype(np.float64), (high >= best_low - TIE_TOLERANCE).astype(np.float64)


def _find_best_other(x: Floats) -> Floats:
    """For each row the largest of all other rows."""
    order = np.sort(x, axis=0)
    return np.where(x == order[-1], order[-2], order[-1])


def _make_falling(aggregation: Aggregation) -> SlopeRange:
    """Slopes that fall in every parent of the same side: the ends of the box are the ends of the range."""
    slopes = aggregation.slopes
    assert slopes is not None

    def find(low: Floats, high: Floats) -> Range:
        nothing = low[:0]
        return slopes(nothing, high)[1], slopes(nothing, low)[1]

    return find


# ∂α/∂x of the supporters; of the attackers it is the same with the other sign
AGGREGATIONS: dict[Aggregation, SlopeRange] = {
    summed: _sum_slopes,
    product: _make_falling(product),
    squared_product: _make_falling(squared_product),
    top: _top_slopes,
}
# ι = b + |e| ((e > 0) − b) falls in b for |e| > 1, which only sums and tops reach
NOT_MONOTONE = {(summed, linear), (top, linear)}


def is_monotone(semantics: Semantics) -> bool:
    """Whether strengths are known to rise in base scores and supporters and to fall in attackers.

    >>> from qontrast.semantics import SEMANTICS
    >>> all(is_monotone(each) for each in SEMANTICS.values())
    True
    """
    parts = semantics.aggregation, semantics.influence
    return parts[0] in AGGREGATIONS and parts[1] in INFLUENCES and parts not in NOT_MONOTONE
