"""Shapley values by antithetic permutations: the plain alternative.

φ_i is the mean, over random orders, of what i adds to those before it. Each order is followed by its reverse, and
every order's contributions add up to v(N) − v(∅) exactly. The error comes from the spread over pairs of orders, of
which there are at least ten.
"""

from __future__ import annotations

import numpy as np

from ...types import Bools, Floats, Integers


def prefixes(order: Integers) -> Bools:
    """The coalitions met on the way: (n + 1, n), from none to all, in the given order."""
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return place < np.arange(len(order) + 1)[:, None]


def shares(order: Integers, values: Floats) -> Floats:
    """What each player added, from the values of the prefixes."""
    added = np.empty(len(order))
    added[order] = np.diff(values)
    return added


def summary(pairs: Floats) -> tuple[Floats, Floats]:
    """The mean over pairs of orders, and deviations (pairs, …) whose squares add up to its variance."""
    count = len(pairs)
    return pairs.mean(axis=0), (pairs - pairs.mean(axis=0)) / np.sqrt(count * max(1, count - 1))
