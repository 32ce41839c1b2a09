"""Histograms of a gap: bins of equal width, one edge of which is 0, so that no bin has both orders in it."""

from __future__ import annotations

import numpy as np

from ..types import Bools, Floats

MIN_BIN_WIDTH = 1e-4
CURVE_WIDTH = 3.5  # standard deviations to either side that a normal distribution covers
MIN_SD = 1e-12  # so that a distribution of one value divides nothing by 0


def make_edges(low: float, high: float, bins: int) -> Floats:
    """Return the edges of about so many bins from `low` to `high`."""
    width = max((high - low) / bins, MIN_BIN_WIDTH)
    return np.arange(np.floor(low / width), np.ceil(high / width) + 2) * width


def count_gaps(gaps: Floats, tied: Bools, bins: int) -> tuple[Floats, Floats]:
    """Return the edges of bins, and the part of all gaps that lies in each; those that are `tied` lie in none."""
    edges = make_edges(float(gaps.min()), float(gaps.max()), bins)
    return edges, np.histogram(gaps[~tied], edges)[0] / len(gaps)


def spread_normal(mean: float, sd: float, bins: int) -> tuple[Floats, Floats]:
    """Return the edges of bins, and the part of a normal distribution that lies in each."""
    from scipy.special import ndtr  # here: SciPy takes longer to import than NumPy

    edges = make_edges(mean - CURVE_WIDTH * sd, mean + CURVE_WIDTH * sd, bins)
    return edges, np.diff(ndtr((edges - mean) / max(sd, MIN_SD)))
