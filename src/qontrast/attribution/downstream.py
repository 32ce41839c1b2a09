"""Solve an acyclic graph without each of its players: only what lies between a player and the topics is solved again.

A *pair* is an argument and a lane in which one of its parents has another strength than in the whole graph. Pairs are
followed group by group in the order of evaluation, all lanes together. An argument with many parents, one of which
changed, is not summed again: its energy is that of the others, kept for each parent, and of the one that changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from ..engine.backend import run_tasks
from ..engine.problem import Problem
from ..graph.structure import Group
from ..semantics import SEMANTICS
from ..types import Bools, Floats, Integers

MIN_NUMBERS = 1 << 18  # lanes × arguments from which it pays to look for what changes
MAX_GROUPS = 4096  # beyond, the graph is deep, and whole lanes are quicker
MAX_CHANGED = 1 / 8  # share of the arguments that may change in a lane: beyond, whole lanes are quicker
FULL_BATCH = 4096  # lanes; with fewer, a visit of a group costs more for each pair, and less may change
SAMPLED_PLAYERS = 64  # whose descendants are counted to see how much may change: the bits of a word
PAIRS_PER_BATCH = 1 << 19
MAX_LANES = 1 << 16  # in a batch
MIN_PARENTS_KEPT = 64  # parents from which the energy of all others is kept for each
NUMBERS_GATHERED = 1 << 21  # parents × pairs at a time
UPDATES_PER_PAIR = 30  # what a pair, and each of its edges, costs in arguments of a lane: 0.2 to 0.4 µs
UPDATES_PER_GROUP = 20_000  # what a visit of a group costs in a batch: 0.1 to 0.3 ms

Changes = tuple[Integers, Integers, Integers, Floats]  # of a group: argument, lane, which parent, its new strength


@dataclass(frozen=True, eq=False)
class Downstream:
    """An acyclic graph whose every argument has a path to one of the topics."""

    problem: Problem
    strengths: Floats  # of the whole graph, by argument
    topics: tuple[int, ...]
    column_of: Integers  # the player of each argument; those of one player leave together

    def solve(self, gone: Integers) -> Floats:
        """The strengths of the topics without each of these players, (players, topics)."""
        order, lanes = self.problem.arrays.order, len(gone)
        place, lane = self._find_members(gone)
        found = np.tile(self.strengths[list(self.topics)], (lanes, 1))
        waiting: dict[int, list[Changes]] = {}
        numbers: list[int] = []
        self._record(found, place, lane, np.zeros(len(place)))
        present = self._before[place] != 0  # who has strength 0 leaves without a trace
        self._push(waiting, numbers, place[present], lane[present], np.zeros(int(present.sum())))
        while numbers:
            number = heappop(numbers)
            argument, lane, row, value = (np.concatenate(each) for each in zip(*waiting.pop(number), strict=True))
            stays = self.column_of[order[argument]] != gone[lane]
            key, where = np.unique(argument[stays] * lanes + lane[stays], return_inverse=True)
            place, lane = key // lanes, key % lanes
            values = self._update(number, place, where, row[stays], value[stays])
            moved = values != self._before[place]
            place, lane, values = place[moved], lane[moved], values[moved]
            self._record(found, place, lane, values)
            self._push(waiting, numbers, place, lane, values)
        return found

    def count_descendants(self, gone: Integers) -> float:
        """The mean number of arguments, each player's own left out, that may change without one of these players.

        At most SAMPLED_PLAYERS of them are counted at once: every argument has a word, in which bit k says that player
        k acts on it.
        """
        place, lane = self._find_members(gone)
        own = np.zeros(len(self._before), np.uint64)
        np.bitwise_or.at(own, place, np.uint64(1) << lane.astype(np.uint64))
        reached = np.zeros_like(own)
        for group in self.problem.arrays.groups():
            if len(group.parents):
                acting = reached[group.parents] | own[group.parents]
                reached[group.lo : group.hi] = np.bitwise_or.reduce(acting, axis=0)
        return float(np.bitwise_count(reached & ~own).sum()) / len(gone)

    @cached_property
    def _before(self) -> Floats:
        """The strengths in the order of evaluation."""
        return self.strengths[self.problem.arrays.order]

    @cached_property
    def _base(self) -> Floats:
        return self.problem.qbaf.base_array[self.problem.arrays.order]

    @cached_property
    def _slot_of(self) -> Integers:
        """The last topic at each place, −1 where there is none."""
        found = np.full(len(self._before), -1)
        found[self.problem.arrays.place[list(self.topics)]] = np.arange(len(self.topics))
        return found

    @cached_property
    def _by_column(self) -> tuple[Integers, Integers]:
        """The arguments sorted by player, and their players."""
        order = np.argsort(self.column_of, kind="stable")
        return order, self.column_of[order]

    @cached_property
    def _group_of(self) -> Integers:
        """The number of the group at each place."""
        bounds = self.problem.arrays.bounds
        return np.repeat(np.arange(len(bounds)), bounds[:, 1] - bounds[:, 0])

    @cached_property
    def _children(self) -> tuple[Integers, Integers, Integers]:
        """Where the children of each place start, their places, and which of their parents it is."""
        arrays = self.problem.arrays
        lo, hi, _, degree, start = arrays.bounds.T
        width, size = hi - lo, degree * (hi - lo)
        within = np.arange(len(arrays.parents)) - np.repeat(start, size)
        wide = np.repeat(width, size)
        child, row = np.repeat(lo, size) + within % wide, within // wide
        by_parent = np.argsort(arrays.parents, kind="stable")
        starts = np.searchsorted(arrays.parents[by_parent], np.arange(len(arrays) + 1))
        return starts, child[by_parent], row[by_parent]

    @cached_property
    def _kept(self) -> dict[int, tuple[Floats, Floats, Floats]]:
        """Of places with many parents: what all parents but each give, what all attackers give, all supporters."""
        return {}

    def _find_members(self, gone: Integers) -> tuple[Integers, Integers]:
        """The places of the arguments of these players, and the lane in which each of them leaves."""
        order, column = self._by_column
        first = np.searchsorted(column, gone)
        number = np.searchsorted(column, gone, side="right") - first
        members = order[_spread(first, number)]
        return self.problem.arrays.place[members].astype(np.intp), np.repeat(np.arange(len(gone)), number)

    def _record(self, found: Floats, place: Integers, lane: Integers, values: Floats) -> None:
        slot = self._slot_of[place]
        asked = slot >= 0
        found[lane[asked], slot[asked]] = values[asked]

    def _push(
        self, waiting: dict[int, list[Changes]], numbers: list[int], place: Integers, lane: Integers, values: Floats
    ) -> None:
        """Note the new strengths at the children of these places, by group."""
        starts, child, row = self._children
        number = starts[place + 1] - starts[place]
        if not number.any():
            return
        entry = _spread(starts[place], number)
        child, row = child[entry], row[entry]
        lane, values = np.repeat(lane, number), np.repeat(values, number)
        group = self._group_of[child]
        order = np.argsort(group, kind="stable")
        group = group[order]
        cuts = np.flatnonzero(np.diff(group, prepend=-1))
        for first, last in zip(cuts.tolist(), np.append(cuts[1:], len(group)).tolist(), strict=True):
            some, each = order[first:last], int(group[first])
            if each not in waiting:
                waiting[each] = []
                heappush(numbers, each)
            waiting[each].append((child[some], lane[some], row[some], values[some]))

    def _update(self, number: int, place: Integers, where: Integers, row: Integers, value: Floats) -> Floats:
        """The strengths of pairs of one group; change k is of pair `where[k]`, of its parent `row[k]`."""
        group, semantics = self._make_group(number), self.problem.semantics
        by_pair = np.argsort(where, kind="stable")
        where, row, value = where[by_pair], row[by_pair], value[by_pair]
        energy = np.empty(len(place))
        first = np.searchsorted(where, np.arange(len(place) + 1))
        kept = np.zeros(len(place), bool)
        if len(group.parents) >= MIN_PARENTS_KEPT:
            kept = np.diff(first) == 1
            self._replace_one(group, place, kept, row[first[:-1]], value[first[:-1]], energy)
        rest, size = np.flatnonzero(~kept), max(1, NUMBERS_GATHERED // max(1, len(group.parents)))
        for some in (rest[k : k + size] for k in range(0, len(rest), size)):
            column = place[some] - group.lo
            x = self._before[group.parents[:, column]]
            count = first[some + 1] - first[some]
            change = _spread(first[some], count)
            x[row[change], np.repeat(np.arange(len(some)), count)] = value[change]
            if group.weights is not None:
                x *= group.weights[:, column]
            energy[some] = semantics.aggregation.energy(x[: group.attackers], x[group.attackers :])
        found = np.asarray(semantics.influence.strength(self._base[place], energy))
        return np.clip(found, 0.0, 1.0) if semantics.bounded else found

    def _replace_one(
        self, group: Group, place: Integers, kept: Bools, row: Integers, value: Floats, energy: Floats
    ) -> None:
        """The energies of pairs with many parents of which one changed."""
        fold, attackers = self.problem.semantics.aggregation.fold, group.attackers
        assert fold is not None
        for one in np.unique(place[kept]).tolist():
            some = np.flatnonzero(kept & (place == one))
            others, attacks, supports = self._sum_others(group, one)
            weight = 1.0 if group.weights is None else group.weights[row[some], one - group.lo]
            side = fold.combine(others[row[some]], fold.lift(weight * value[some]))
            is_attack = row[some] < attackers
            energy[some] = fold.finish(np.where(is_attack, side, attacks), np.where(is_attack, supports, side))

    def _sum_others(self, group: Group, place: int) -> tuple[Floats, Floats, Floats]:
        """Combine all parents but each, from both sides, so that nothing is subtracted."""
        if place in self._kept:
            return self._kept[place]
        fold = self.problem.semantics.aggregation.fold
        assert fold is not None
        column = place - group.lo
        x = self._before[group.parents[:, column]]
        lifted = fold.lift(x if group.weights is None else x * group.weights[:, column])
        nothing = fold.lift(np.zeros(1))  # an x of 0 is without effect
        others, totals = [], []
        for side in (lifted[: group.attackers], lifted[group.attackers :]):
            before = fold.combine.accumulate(np.concatenate((nothing, side)))
            after = fold.combine.accumulate(np.concatenate((nothing, side[::-1])))[::-1]
            others.append(fold.combine(before[:-1], after[1:]))
            totals.append(before[-1:])
        self._kept[place] = np.concatenate(others), totals[0], totals[1]
        return self._kept[place]

    def _make_group(self, number: int) -> Group:
        arrays = self.problem.arrays
        lo, hi, attackers, degree, start = arrays.bounds[number].tolist()
        block, shape = slice(start, start + degree * (hi - lo)), (degree, hi - lo)
        weights = None if arrays.weights is None else arrays.weights[block].reshape(shape)
        return Group(lo, hi, attackers, arrays.parents[block].reshape(shape), weights)


def _spread(first: Integers, number: Integers) -> Integers:
    """The numbers from each `first` on, as many as `number` says, in a row.

    >>> _spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.repeat(first - np.cumsum(number) + number, number) + np.arange(int(number.sum()))


@dataclass(frozen=True, eq=False)
class DownstreamPlan:
    """Which part of a graph is solved again without each mover, in batches."""

    downstream: Downstream
    movers: Integers
    pairs: float  # the mean number of arguments that may change without one of them

    @property
    def batch(self) -> int:
        """How many movers are followed together."""
        return int(min(MAX_LANES, max(SAMPLED_PLAYERS, PAIRS_PER_BATCH / (1 + self.pairs))))

    def count_updates(self) -> float:
        """Count the pairs and their edges, each costing as much as some arguments of a lane, and visits of groups."""
        problem = self.downstream.problem
        arguments, edges = len(problem.qbaf), len(problem.qbaf.weights)
        visits = len(problem.arrays.bounds) * -(-len(self.movers) // self.batch)
        pairs = len(self.movers) * (1 + self.pairs)
        return UPDATES_PER_PAIR * pairs * (1 + edges / max(1, arguments)) + UPDATES_PER_GROUP * visits

    def solve(self) -> Iterator[tuple[slice, Floats]]:
        """Solve the graph without each mover in batches: which movers, and σ of the topics, (movers, topics)."""
        size, executor = self.batch, self.downstream.problem.executor
        alone = replace(self.downstream, problem=replace(self.downstream.problem, executor=None))
        cuts = [slice(first, first + size) for first in range(0, len(self.movers), size)]
        tasks = ((alone, self.movers[cut]) for cut in cuts)
        found = run_tasks(executor if len(cuts) > 1 else None, Downstream.solve, tasks)
        return zip(cuts, found, strict=True)


def plan_downstream(
    problem: Problem, topics: list[int], column_of: Integers, movers: Integers
) -> DownstreamPlan | None:
    """Plan to solve only what lies between each mover and the topics.

    None where whole lanes are quicker: small or deep graphs, graphs with cycles, players on whom much depends; and for
    semantics of the user's own, whose results have to be checked.
    """
    semantics = problem.semantics
    if (
        not len(movers)
        or len(movers) * len(problem.qbaf) < MIN_NUMBERS
        or SEMANTICS.get(semantics.name) is not semantics
        or semantics.aggregation.fold is None
        or not problem.qbaf.structure.acyclic
        or len(problem.arrays.bounds) > MAX_GROUPS
    ):
        return None
    part = Downstream(problem, problem.strengths()[0], tuple(topics), column_of)
    some = movers[np.linspace(0, len(movers) - 1, min(SAMPLED_PLAYERS, len(movers))).astype(np.intp)]
    pairs = part.count_descendants(some)
    if pairs > MAX_CHANGED * min(1.0, len(movers) / FULL_BATCH) * len(problem.qbaf):
        return None
    return DownstreamPlan(part, movers, pairs)
