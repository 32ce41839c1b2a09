"""Ranks and intervals: how prominent each feature is in each explanation, and how sure a mean over instances is.

Rank 1 is the largest |contribution|; equal ones share the mean of their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats

DIGITS = 12  # contributions that agree to so many digits of the largest are equal


@dataclass(frozen=True)
class Estimate:
    """A mean over instances with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        return {"mean": self.mean, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Measure:
    """One feature under one method: rank and |contribution|, in explaining the fact alone and in the contrast."""

    individual_rank: Estimate
    contrastive_rank: Estimate
    individual: Estimate
    contrastive: Estimate

    def to_dict(self) -> dict[str, dict[str, float]]:
        return {name: getattr(self, name).to_dict() for name in self.__dataclass_fields__}


def ranks(contributions: Floats) -> Floats:
    """The rank of each |contribution| in its row, 1 for the largest, the mean of the ranks at ties.

    >>> ranks(np.array([[0.5, -2.0, 0.5, 0.0]])).tolist()
    [[2.5, 1.0, 2.5, 4.0]]
    """
    size = np.abs(contributions)
    top = size.max(axis=1, keepdims=True, initial=0.0)
    size = np.round(size / np.where(top > 0, top, 1.0), DIGITS)
    order = np.argsort(-size, axis=1, kind="stable")
    ordered = np.take_along_axis(size, order, axis=1)
    place = np.arange(1.0, size.shape[1] + 1)
    fresh = np.ones(ordered.shape, bool)
    fresh[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(fresh, place, 0.0), axis=1)
    ends = np.ones(ordered.shape, bool)
    ends[:, :-1] = fresh[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, np.inf)[:, ::-1], axis=1)[:, ::-1]
    out = np.empty(size.shape)
    np.put_along_axis(out, order, (first + last) / 2, axis=1)
    return out


def estimates(values: Floats, draws: int, rng: np.random.Generator) -> list[Estimate]:
    """The mean of each column of (instances, columns), with the interval that resampling the instances gives."""
    n = len(values)
    mean = values.mean(axis=0)
    means = np.empty((draws, values.shape[1]))
    some = max(1, (1 << 22) // n)
    for first in range(0, draws, some):
        size = min(some, draws - first)
        counts = rng.multinomial(n, np.full(n, 1 / n), size=size)
        means[first : first + size] = counts @ values / n
    low, high = np.quantile(means, [0.025, 0.975], axis=0) if draws else (mean, mean)
    return [Estimate(*map(float, each)) for each in zip(mean, low, high, strict=True)]


def measures(individual: Floats, contrastive: Floats, draws: int, rng: np.random.Generator) -> list[Measure]:
    """Of every feature, from contributions (instances, features)."""
    columns = (ranks(individual), ranks(contrastive), np.abs(individual), np.abs(contrastive))
    found = [estimates(each, draws, rng) for each in columns]
    return [Measure(*each) for each in zip(*found, strict=True)]
