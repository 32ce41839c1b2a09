"""Compute the shares of changed units from the values of mixtures: exactly from all of them, or from a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..attribution.shapley.coalitions import weigh_sizes
from ..attribution.shapley.sampling import MIN_ORDERS, list_gains, list_prefixes
from ..errors import InvalidInput, UndefinedStrength, count
from ..standard_errors import average, find_errors
from ..types import Bools, Floats, Integers, Progress
from .change_elements import Mixtures, list_units
from .change_sets import MAX_TABLE_UNITS
from .change_table import solve_table

Values = Mapping[Any, float]


@dataclass(frozen=True, eq=False)
class Shares:
    """The values of units; `shares` is None where they are refused."""

    ends: tuple[float, float]  # the values of the version before and of the one after
    shares: Values | None
    alone: Values
    undone: Values
    std_error: Values | None = None
    refusal: UndefinedStrength | None = None
    table: Floats | None = None  # the values of all mixtures


def find_shares(mixtures: Mixtures, units: Sequence[Any], budget: int, seed: int, progress: Progress | None) -> Shares:
    """Compute the shares of all units; those that are not among the mixtures' have share 0."""
    size = len(mixtures.units)
    if size > MAX_TABLE_UNITS:
        return _sample_shares(mixtures, units, budget, np.random.default_rng(seed), progress)
    table = solve_table(mixtures, progress)
    _check_ends(mixtures, table[0], table[-1])
    one = 1 << np.arange(size)
    undefined = np.flatnonzero(np.isnan(table))
    refusal = None
    if len(undefined):
        smallest = undefined[np.argmin(np.bitwise_count(undefined))]
        refusal = refuse_shares(mixtures, (smallest >> np.arange(size) & 1).astype(bool))
    return Shares(
        (float(table[0]), float(table[-1])),
        None if refusal else _by_unit(mixtures, units, sum_table(table)),
        _by_unit(mixtures, units, table[one] - table[0]),
        _by_unit(mixtures, units, table[-1] - table[len(table) - 1 - one]),
        refusal=refusal,
        table=table,
    )


def sum_table(table: Floats) -> Floats:
    """Shapley values from the values of all 2^k sets; bit i of the number of a set is player i.

    >>> sum_table(np.array([0.0, 1.0, 2.0, 5.0])).tolist()
    [2.0, 3.0]
    """
    size = len(table).bit_length() - 1
    if not size:
        return np.zeros(0)
    weights = np.append(weigh_sizes(size), 0.0)[np.bitwise_count(np.arange(len(table)))]
    shares = np.empty(size)
    for unit in range(size):
        halves, weight = table.reshape(-1, 2, 1 << unit), weights.reshape(-1, 2, 1 << unit)[:, 0]
        shares[unit] = np.sum(weight * (halves[:, 1] - halves[:, 0]))
    return shares


def _sample_shares(
    mixtures: Mixtures, units: Sequence[Any], budget: int, rng: np.random.Generator, progress: Progress | None
) -> Shares:
    """Estimate shares from random orders, each followed by its reverse: what a unit adds to those before it."""
    size = len(mixtures.units)
    pairs = budget // (2 * (size + 1))
    if pairs < MIN_ORDERS:
        least = 2 * (size + 1) * MIN_ORDERS
        raise InvalidInput(
            f"{count(budget, 'mixture')} are too few for {size:,} changed units; give a budget of {least:,} or more"
        )
    ends, alone, undone = _solve_single(mixtures)
    _check_ends(mixtures, *ends)
    orders = [each for _ in range(pairs) for each in _draw_pair(rng, size)]
    rows = np.concatenate([list_prefixes(order) for order in orders])
    values = mixtures.solve_all(rows, progress)
    undefined = np.flatnonzero(np.isnan(values))
    refusal = refuse_shares(mixtures, rows[undefined[0]]) if len(undefined) else None
    if refusal:
        return Shares(ends, None, _by_unit(mixtures, units, alone), _by_unit(mixtures, units, undone), {}, refusal)
    gains = [list_gains(order, own) for order, own in zip(orders, values.reshape(len(orders), -1), strict=True)]
    means, deviations = average(np.array(gains).reshape(pairs, 2, size).mean(axis=1))
    errors = find_errors(np.square(deviations).sum(axis=0), pairs)
    found = [_by_unit(mixtures, units, each) for each in (means, alone, undone, errors)]
    return Shares(ends, found[0], found[1], found[2], found[3])


def _draw_pair(rng: np.random.Generator, size: int) -> tuple[Integers, Integers]:
    order = rng.permutation(size)
    return order, order[::-1]


def _solve_single(mixtures: Mixtures) -> tuple[tuple[float, float], Floats, Floats]:
    """The values of both versions, and of every unit applied alone and undone alone."""
    size = len(mixtures.units)
    one: Bools = np.vstack([np.zeros(size, bool), np.eye(size, dtype=bool)])
    first, last = mixtures.solve_all(one), mixtures.solve_all(~one)
    return (float(first[0]), float(last[0])), first[1:] - first[0], last[0] - last[1:]


def _by_unit(mixtures: Mixtures, units: Sequence[Any], values: Floats) -> Values:
    known = dict(zip(mixtures.units, values.tolist(), strict=True))
    return {unit: known.get(unit, 0.0) for unit in units}


def _check_ends(mixtures: Mixtures, first: float, last: float) -> None:
    """Refuse versions without strengths."""
    for value, version, applied in ((first, "before", False), (last, "after", True)):
        if np.isnan(value):
            error = mixtures.explain_undefined(np.full(len(mixtures.units), applied))
            text = f"the version {version} has no strengths: {error.args[0]}"
            raise UndefinedStrength(text, error.arguments, error.step, hints=error.hints)


def refuse_shares(mixtures: Mixtures, applied: Bools) -> UndefinedStrength:
    """Make the error for shares that need a mixture without strengths."""
    error = mixtures.explain_undefined(applied)
    which = list_units([unit for unit, own in zip(mixtures.units, applied.tolist(), strict=True) if own])
    text = f"shares need the graph with only these changes, which has no strengths: {which} ({error.args[0]})"
    return UndefinedStrength(text, error.arguments, error.step, hints=error.hints)
