"""Order things by computed numbers, so that rounding decides no order: sizes within `TIE_TOLERANCE` are tied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isnan
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .base import TIE_TOLERANCE

Item = TypeVar("Item")
Key = TypeVar("Key")


def sort_by_size(
    items: Iterable[Item], size: Callable[[Item], float], tie: Callable[[Item], Any] = lambda _: 0
) -> list[Item]:
    """Return the items, the largest size first and NaN last; tied ones in the order of `tie`, or as they are given.

    A number is tied with the largest one of its group, so that a long row of close numbers is no single tie.

    >>> sort_by_size("cba", {"a": 0.3, "b": 0.3 + 1e-16, "c": 0.2}.__getitem__, tie=str)
    ['a', 'b', 'c']
    """
    given = list(items)
    sizes = [-inf if isnan(each) else float(each) for each in map(size, given)]
    group_of, group, largest = [0] * len(given), 0, inf
    for k in sorted(range(len(given)), key=lambda k: -sizes[k]):
        if sizes[k] != largest and not largest - sizes[k] <= TIE_TOLERANCE:
            group, largest = group + 1, sizes[k]
        group_of[k] = group
    return [given[k] for k in sorted(range(len(given)), key=lambda k: (group_of[k], tie(given[k])))]


def rank_contributions(contributions: Mapping[Key, float]) -> list[tuple[Key, float]]:
    """Return the items of a table, the largest magnitude first, then by name; NaN at the end.

    >>> rank_contributions({"b": -0.3 - 1e-16, "a": 0.3, "c": float("nan"), "d": 0.5})
    [('d', 0.5), ('a', 0.3), ('b', -0.3000000000000001), ('c', nan)]
    """
    return sort_by_size(contributions.items(), lambda item: abs(item[1]), tie=lambda item: str(item[0]))


def find_least(values: ArrayLike) -> int:
    """Return the place of the least number, of tied ones the first.

    >>> find_least([0.5, 0.25 + 1e-16, 0.25])
    1
    """
    found = np.asarray(values)
    return int(np.argmax(found <= found.min() + TIE_TOLERANCE))
