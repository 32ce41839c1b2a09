"""Find the sets of changed arguments that change the order of two topics (Kampik et al., 2024).

With o(S) the order of the topics (ahead, level, behind) when the changes S are applied, and N all of them:

    S is sufficient      if o(S) ≠ o(∅)
    S is counterfactual  if it is sufficient and o(N∖S) = o(∅)
    S is necessary       if it is sufficient and no subset of N∖S is

Each list holds the minimal sets of its kind. Where the order is the same before and after, each is [∅].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..results.base import TIE_TOLERANCE
from ..types import Bools, Floats, Integers, Progress
from .change_elements import Mixtures
from .change_table import solve_table
from .minimal_sets import all_subsets, any_subset, maximal, members, minimal

MAX_TABLE_UNITS = 20  # up to which all 2^k mixtures are solved
MAX_SMALL_SET = 3  # the largest sets that are tried where there are more units
MAX_SMALL_SETS = 1 << 18  # that are tried at most
MAX_UNDEFINED_LISTED = 20  # mixtures without strengths that a result names
UNDEFINED = 2  # the order of a mixture without strengths

Sets = list[frozenset[Any]]
Orders = NDArray[np.int8]  # 1, 0, −1, or UNDEFINED


@dataclass(frozen=True)
class OrderSets:
    """The minimal sets of each kind, and robust pockets.

    `largest` is the size up to which sets were searched, None for all. Necessary sets are then not searched at all.
    """

    sufficient: Sets = field(default_factory=list)
    counterfactual: Sets = field(default_factory=list)
    necessary: Sets = field(default_factory=list)
    pockets: Sets = field(default_factory=list)
    largest: int | None = None
    undefined: Sets = field(default_factory=list)
    undefined_count: int = 0

    @property
    def minimal(self) -> dict[str, Sets]:
        """The minimal sets of each kind."""
        return {kind: getattr(self, kind) for kind in ("sufficient", "counterfactual", "necessary")}


def find_orders(values: Floats) -> Orders:
    """The order of the topics in each mixture, from the gaps."""
    orders = np.where(np.abs(values) <= TIE_TOLERANCE, 0, np.sign(values))
    return np.where(np.isnan(values), UNDEFINED, orders).astype(np.int8)


def find_order_sets(
    mixtures: Mixtures, added: Sequence[Any], table: Floats | None, progress: Progress | None
) -> OrderSets:
    """Find the sets; `table` has the values of all mixtures where they are known, `added` are the added arguments."""
    units = mixtures.units
    new = [k for k, unit in enumerate(units) if unit in set(added)]
    idle = frozenset(name for name in added if name not in set(units))
    ends = (
        mixtures.solve_all(np.array([[False] * len(units), [True] * len(units)])) if table is None else table[[0, -1]]
    )
    start, end = find_orders(ends).tolist()
    if start != end and len(units) <= MAX_TABLE_UNITS and table is None:
        table = solve_table(mixtures, progress)
    pockets = _find_pockets(mixtures, new, idle, table)
    if start == end:
        return OrderSets([frozenset()], [frozenset()], [frozenset()], pockets)
    if table is None:
        return _search_small(mixtures, start, pockets, progress)
    orders = find_orders(table)
    sufficient = (orders != start) & (orders != UNDEFINED)
    kinds = sufficient, sufficient & (orders[::-1] == start), sufficient & ~any_subset(sufficient)[::-1]
    found = [[name_members(units, each) for each in minimal(kind)] for kind in kinds]
    return OrderSets(found[0], found[1], found[2], pockets, None, *list_undefined(units, table))


def name_members(units: Sequence[Any], number: int) -> frozenset[Any]:
    """The units of a set of a table."""
    return frozenset(units[k] for k in members(number))


def list_undefined(units: Sequence[Any], table: Floats) -> tuple[Sets, int]:
    """The smallest sets whose mixture has no strengths, and how many there are."""
    bad = np.flatnonzero(np.isnan(table))
    smallest = bad[np.argsort(np.bitwise_count(bad), kind="stable")][:MAX_UNDEFINED_LISTED].tolist()
    return [name_members(units, each) for each in smallest], len(bad)


def _find_pockets(mixtures: Mixtures, new: list[int], idle: frozenset[Any], table: Floats | None) -> Sets:
    """The maximal sets of added arguments all of whose subsets keep the order; an idle one is in all of them."""
    if len(new) > MAX_TABLE_UNITS:
        return []
    parts = np.arange(1 << len(new))
    if table is not None:
        places = sum(((parts >> k & 1) << unit for k, unit in enumerate(new)), np.zeros_like(parts))
        values = table[places]
    else:
        applied = np.zeros((len(parts), len(mixtures.units)), bool)
        applied[:, new] = parts[:, None] >> np.arange(len(new)) & 1
        values = mixtures.solve_all(applied)
    orders = find_orders(values)
    names = [mixtures.units[k] for k in new]
    return [idle | name_members(names, each) for each in maximal(all_subsets(orders == orders[0]))]


def _search_small(mixtures: Mixtures, start: int, pockets: Sets, progress: Progress | None) -> OrderSets:
    """Try all sets of one, two and three units, as long as they are not too many."""
    units, sufficient, counterfactual = mixtures.units, _Minimal(), _Minimal()
    undefined: Sets = []
    bad, largest, total = 0, 0, 0
    for size in range(1, MAX_SMALL_SET + 1):
        total += comb(len(units), size)
        if total > MAX_SMALL_SETS and size > 1:
            break
        sets = np.array(list(combinations(range(len(units)), size)))
        orders = find_orders(mixtures.solve_all(_apply(sets, len(units)), progress))
        bad += int((orders == UNDEFINED).sum())
        undefined += [frozenset(units[k] for k in each) for each in sets[orders == UNDEFINED].tolist()]
        enough = sets[(orders != start) & (orders != UNDEFINED)]
        sufficient.add(enough)
        back = find_orders(mixtures.solve_all(~_apply(enough, len(units)), None))
        counterfactual.add(enough[back == start])
        largest = size
    named = [[frozenset(units[k] for k in each) for each in kind.sets] for kind in (sufficient, counterfactual)]
    return OrderSets(named[0], named[1], [], pockets, largest, undefined[:MAX_UNDEFINED_LISTED], bad)


def _apply(sets: Integers, units: int) -> Bools:
    """Sets of one size as rows of booleans."""
    applied = np.zeros((len(sets), units), bool)
    applied[np.arange(len(sets))[:, None], sets] = True
    return applied


@dataclass(frozen=True)
class _Minimal:
    """Sets that come by size, of which those without a smaller one inside are kept."""

    sets: list[frozenset[int]] = field(default_factory=list)

    def add(self, sets: Integers) -> None:
        known = set(self.sets)
        for each in map(frozenset, sets.tolist()):
            smaller = (frozenset(part) for size in range(1, len(each)) for part in combinations(each, size))
            if not any(part in known for part in smaller):
                self.sets.append(each)
