"""Propagate uncertain base scores to the gap by the delta method: exact slopes at their means, and no draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ..attribution.slopes import find_directional, find_slopes
from ..engine.problem import Problem
from ..graph.distributions import Distribution
from ..results.base import TIE_TOLERANCE
from ..types import Floats, Integers, Name


@dataclass(frozen=True, kw_only=True)
class DeltaMethod:
    """The answer of the delta method: the gap as a linear function of the base scores around their means.

        Var(gap) ≈ Σ_i (∂gap/∂τ(i))² Var τ(i);    P(fact ahead) ≈ Φ(mean / sd)

    Attributes
    ----------
    probability
        Probability that the fact is ahead, as if the gap were normal.
    mean
        The gap at the means of all base scores.
    sd
        Standard deviation of the gap.
    shares
        Argument → share of the variance; they add up to 1.
    kinks
        Arguments at whose mean the gap has a kink; the slope is the mean of those on both sides.
    """

    probability: float
    mean: float
    sd: float
    shares: Mapping[Name, float]
    kinks: tuple[Name, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data.

        Returns
        -------
        dict
        """
        return {
            "probability": self.probability,
            "mean": self.mean,
            "sd": self.sd,
            "shares": {str(name): share for name, share in self.shares.items()},
            "kinks": [str(name) for name in self.kinks],
        }


def find_delta(problem: Problem, topics: tuple[Name, Name], scores: Mapping[Name, Distribution]) -> DeltaMethod:
    """Answer by the delta method: exact slopes at the means of the base scores."""
    from scipy.special import ndtr  # here: SciPy takes longer to import than NumPy

    qbaf, pair = problem.qbaf, [problem.qbaf.index(topic) for topic in topics]
    places = np.array([qbaf.index(name) for name in scores], np.intp)
    base = qbaf.base_array.copy()
    base[places] = [each.expectation for each in scores.values()]
    values, strengths, _, _ = find_slopes(problem, topics, base)
    slopes = (values[0] - values[1])[places]
    spread = np.array([each.variance for each in scores.values()])
    bent = np.flatnonzero(np.isnan(slopes) & (spread > 0))
    if len(bent):
        slopes[bent] = _average_sides(problem, pair, strengths, base, places[bent])
    parts = np.where(spread > 0, slopes, 0.0) ** 2 * spread
    variance, mean = float(parts.sum()), float(strengths[pair[0]] - strengths[pair[1]])
    sd = sqrt(variance) if variance > TIE_TOLERANCE**2 else 0.0
    level = 0.5 if abs(mean) <= TIE_TOLERANCE else float(mean > 0)
    probability = float(ndtr(mean / sd)) if sd else level
    names = list(scores)
    return DeltaMethod(
        probability=probability,
        mean=mean,
        sd=sd,
        shares=dict(zip(names, (parts / variance if sd else 0 * parts).tolist(), strict=True)),
        kinks=tuple(names[i] for i in bent.tolist()),
    )


def _average_sides(problem: Problem, pair: list[int], strengths: Floats, base: Floats, places: Integers) -> Floats:
    """Average the slopes of the gap from below and from above, at arguments where it has a kink."""
    size, order = len(places), problem.arrays.order
    direction = np.zeros((len(base), 2 * size))
    direction[places, np.arange(size)] = 1.0
    direction[places, size + np.arange(size)] = -1.0
    moved = find_directional(problem, strengths[order], base[order], direction)
    sides = moved[pair[0]] - moved[pair[1]]
    return np.asarray((sides[:size] - sides[size:]) / 2)
