"""Standard errors of sampled numbers: value ± 1.96 of them is to cover the exact value in 95 % of all samples.

The spread of a few draws is often smaller than the true one, for two reasons. It is an estimate itself: so errors are
widened by t/z, the 97.5 % quantile of Student's t over that of the normal distribution. And what is rare may be missing
among the draws: so two more draws are imagined. Where many numbers are estimated from the same draws, these two spread
as all the numbers do on average; where there is one number alone, two of them lie at either end of its range.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from .types import Bools, Floats

IMAGINED_DRAWS = 2
COVERED = 0.95  # of all samples


def find_reach() -> float:
    """By how many standard errors an interval reaches to either side.

    >>> round(find_reach(), 2)
    1.96
    """
    from scipy.special import ndtri  # here: SciPy takes longer to import than NumPy

    return float(ndtri((1 + COVERED) / 2))


def widen(draws: int) -> float:
    """By how much an error from so few independent draws is too small: t/z.

    >>> [round(widen(draws), 2) for draws in (5, 10, 50)]
    [1.42, 1.15, 1.03]
    """
    from scipy.special import stdtrit  # here: SciPy takes longer to import than NumPy

    return float(stdtrit(max(1, draws - 1), (1 + COVERED) / 2)) / find_reach()


def average(draws: Floats) -> tuple[Floats, Floats]:
    """The mean over the first axis, and deviations of the shape of the draws whose squares add up to its variance."""
    count, mean = len(draws), draws.mean(axis=0)
    return mean, (draws - mean) * (widen(count) / sqrt(count * max(1, count - 1)))


def find_errors(variances: Floats, draws: int, sampled: Bools | None = None) -> Floats:
    """The standard errors of numbers (…, numbers) that were estimated from the same draws.

    The imagined draws add to each variance a share of their mean; numbers that were not `sampled` are known exactly.
    """
    sampled = np.ones(variances.shape, bool) if sampled is None else sampled
    mean = variances.sum(axis=-1, where=sampled, keepdims=True) / np.maximum(1, sampled.sum(axis=-1, keepdims=True))
    return np.asarray(np.sqrt(variances + sampled * (IMAGINED_DRAWS * mean / max(1, draws - 1))))


def find_error(draws: Floats, low: float | None = None, high: float | None = None) -> float:
    """The standard error of the mean of independent draws; `low` and `high` end their range, where it is known."""
    count, mean = len(draws), float(draws.mean())
    ends = float(draws.min() if low is None else low), float(draws.max() if high is None else high)
    squares = float(np.square(draws - mean).sum()) + IMAGINED_DRAWS * sum((end - mean) ** 2 for end in ends)
    return widen(count) * sqrt(squares / (count * max(1, count - 1)))
