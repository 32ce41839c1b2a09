"""Minimal and maximal sets from a table of all subsets, against the definitions over frozen sets."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qontrast.explain import minimal_sets
from qontrast.types import Bools


@st.composite
def tables(draw: st.DrawFn) -> Bools:
    units = draw(st.integers(0, 5))
    rare = draw(st.sampled_from([2, 5, 20]))  # with rare entries sets of several units are minimal
    entries = st.integers(0, rare - 1).map(lambda number: number == 0)
    holds = np.array(draw(st.lists(entries, min_size=1 << units, max_size=1 << units)))
    return ~holds if draw(st.booleans()) else holds


def list_subsets(of: frozenset[int]) -> list[frozenset[int]]:
    return [frozenset(each) for each in chain.from_iterable(combinations(of, size) for size in range(len(of) + 1))]


def number(units: frozenset[int]) -> int:
    return sum(1 << unit for unit in units)


def list_sets(holds: Bools) -> tuple[list[frozenset[int]], set[frozenset[int]]]:
    """All sets, and those that have the property."""
    every = list_subsets(frozenset(range(len(holds).bit_length() - 1)))
    return every, {each for each in every if holds[number(each)]}


@given(tables())
def test_a_property_of_subsets_and_supersets_is_found_for_every_set(holds: Bools) -> None:
    every, those = list_sets(holds)
    before = holds.copy()
    some, all_below, all_above = (
        function(holds) for function in (minimal_sets.any_subset, minimal_sets.all_subsets, minimal_sets.all_supersets)
    )
    for each in every:
        assert some[number(each)] == any(other <= each for other in those)
        assert all_below[number(each)] == all(other in those for other in every if other <= each)
        assert all_above[number(each)] == all(other in those for other in every if other >= each)
    assert (holds == before).all()


@given(tables())
def test_minimal_and_maximal_sets_are_those_without_a_smaller_or_larger_one(holds: Bools) -> None:
    _, those = list_sets(holds)
    least, largest = minimal_sets.minimal(holds), minimal_sets.maximal(holds)
    assert set(least) == {number(each) for each in those if not any(other < each for other in those)}
    assert set(largest) == {number(each) for each in those if not any(other > each for other in those)}
    for found in (least, largest):
        assert found == sorted(found, key=lambda each: (each.bit_count(), each))


@given(st.sets(st.integers(0, 70)))
def test_the_members_of_a_set_are_its_bits(units: set[int]) -> None:
    assert minimal_sets.members(number(frozenset(units))) == tuple(sorted(units))
