"""Find minimal and maximal sets with a property from one table of all subsets of k units.

A table has 2^k entries; entry S says whether the set S of units has the property, and bit i of the number S stands for
unit i. Read backwards, `table[::-1]`, it is the table of complements: entry S is that of all units without S.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..types import Bools


def any_subset(holds: Bools) -> Bools:
    """Say of every set whether the property holds for one of its subsets, itself included.

    Parameters
    ----------
    holds : array of bool, of length 2^k
        Whether the property holds, for every set.

    Returns
    -------
    array of bool, of length 2^k

    Examples
    --------
    >>> any_subset(np.array([False, True, False, False])).tolist()  # ∅, {0}, {1}, {0, 1}
    [False, True, False, True]
    """
    found = holds.copy()
    for without, with_unit in _split(found):
        with_unit |= without
    return found


def all_subsets(holds: Bools) -> Bools:
    """Say of every set whether the property holds for all of its subsets, itself included.

    Parameters
    ----------
    holds : array of bool, of length 2^k
        Whether the property holds, for every set.

    Returns
    -------
    array of bool, of length 2^k

    Examples
    --------
    >>> all_subsets(np.array([True, False, True, True])).tolist()
    [True, False, True, False]
    """
    return ~any_subset(~holds)


def all_supersets(holds: Bools) -> Bools:
    """Say of every set whether the property holds for all of its supersets, itself included.

    Parameters
    ----------
    holds : array of bool, of length 2^k
        Whether the property holds, for every set.

    Returns
    -------
    array of bool, of length 2^k

    Examples
    --------
    >>> all_supersets(np.array([True, False, True, True])).tolist()
    [False, False, True, True]
    """
    return all_subsets(holds[::-1])[::-1]


def minimal(holds: Bools) -> list[int]:
    """List the sets for which the property holds and for none of whose proper subsets it holds.

    Parameters
    ----------
    holds : array of bool, of length 2^k
        Whether the property holds, for every set.

    Returns
    -------
    list of int
        The numbers of the sets, small sets first.

    Examples
    --------
    >>> minimal(np.array([False, False, True, True]))
    [2]
    """
    found = holds.copy()
    for (_, with_unit), (below, _) in zip(_split(found), _split(any_subset(holds)), strict=True):
        with_unit &= ~below  # `below` is about the subsets of the set without this unit
    return _by_size(np.flatnonzero(found))


def maximal(holds: Bools) -> list[int]:
    """List the sets for which the property holds and for none of whose proper supersets it holds.

    Parameters
    ----------
    holds : array of bool, of length 2^k
        Whether the property holds, for every set.

    Returns
    -------
    list of int
        The numbers of the sets, small sets first.

    Examples
    --------
    >>> maximal(np.array([True, True, True, False]))
    [1, 2]
    """
    every = len(holds) - 1
    return _by_size(every - np.array(minimal(holds[::-1]), np.int64))


def members(number: int) -> tuple[int, ...]:
    """List the units of a set.

    Parameters
    ----------
    number : int
        The number of the set.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> members(0b1101)
    (0, 2, 3)
    """
    return tuple(unit for unit in range(number.bit_length()) if number >> unit & 1)


def _split(table: Bools) -> Iterator[tuple[Bools, Bools]]:
    """For every unit, the entries of the sets without it and of the same sets with it, as views."""
    units = len(table).bit_length() - 1
    for unit in range(units):
        halves = table.reshape(-1, 2, 1 << unit)
        yield halves[:, 0], halves[:, 1]


def _by_size(sets: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    """Sort sets by size, and those of one size by number."""
    return sorted(sets.tolist(), key=lambda each: (each.bit_count(), each))
