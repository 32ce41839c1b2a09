"""Search for prime and breaking sets where there are too many players for a table of all their sets.

First all sets are examined by size, the smallest first, so that small breaking and sufficient sets are all found. Then
candidates for prime sets, which are the minimal sets with a member in every breaking set that is known, are tested one
by one: a superset that does not keep the order shows a new breaking set, and so new candidates (as in MARCO, Liffiton
et al. 2016). A candidate is called prime only where this is proved: by bounds (`reasons_proof`) on an acyclic graph, or
by solving all of its supersets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from math import comb
from time import monotonic
from typing import Any

import numpy as np

from ..attribution.players import Players
from ..attribution.shapley.coalitions import list_coalitions
from ..engine.problem import Problem
from ..results.base import TIE_TOLERANCE
from ..types import Bools, Floats, Name, Progress
from .minimal_sets import members, minimal
from .reasons_proof import Proof

MAX_TABLE_PLAYERS = 18  # whose sets are all solved
MAX_SETS_PER_SIZE = 100_000  # a size with more sets is not examined
LANES_PER_PIECE = 4096  # solved between two looks at the clock
LANES_PER_PIECE_SENT = 1 << 16  # the same with an executor
STRENGTHS_PER_PIECE = 1 << 22  # and at most so many strengths: a fraction of a second
ASSUMED_STEPS = 32  # of a lane on a cyclic graph, for the size of a piece
PERCENT = 100

Some = tuple[int, ...]  # a set of players, by number, in ascending order


def find_signs(gaps: Floats) -> Floats:
    """The sign of each gap: 0 for a tie, NaN where it is undefined."""
    return np.where(np.abs(gaps) <= TIE_TOLERANCE, 0.0, np.sign(gaps))


class OutOfTime(Exception):
    """The time limit has passed."""


@dataclass
class Found:
    """The sets that were found, by the numbers of their players."""

    prime: list[Some] = field(default_factory=list)
    breaking: list[Some] = field(default_factory=list)
    sufficient: list[Some] = field(default_factory=list)
    unproved: list[Some] = field(default_factory=list)
    examined: int = 0
    complete: bool = False
    stopped: bool = False


class Orders:
    """The gaps of two topics for sets of players, of which only those with a path to a topic are numbered."""

    def __init__(
        self, asked: Problem, players: Players, fact: Name, foil: Name, progress: Progress | None = None
    ) -> None:
        problem, topics, column_of = players.arrange(asked, [fact, foil])
        upstream = problem.qbaf.structure.ancestors(topics)
        inside = np.flatnonzero(upstream)
        column = inside.copy() if column_of is None else column_of[inside]
        self.topics = np.searchsorted(inside, topics)
        column[self.topics] = -1
        columns = np.unique(column[column >= 0])
        self.unit_of = np.where(column >= 0, np.searchsorted(columns, column), -1)  # −1: always there
        self.names = [players.names[k] for k in columns.tolist()]
        self.problem = problem
        if len(inside) < len(problem.qbaf):
            self.problem = replace(problem, qbaf=problem.qbaf._keep(upstream))
        self.progress, self.evaluations, self.undefined = progress, 0, 0
        steps = 1 if self.problem.arrays.acyclic else ASSUMED_STEPS
        lane = steps * max(len(self.problem.qbaf), len(self.problem.qbaf.weights), 1)
        limit = LANES_PER_PIECE if problem.executor is None and problem.device == "cpu" else LANES_PER_PIECE_SENT
        self.piece = max(1, min(limit, STRENGTHS_PER_PIECE // lane))
        self.sign = float(find_signs(self.solve(np.ones((1, self.size), bool)))[0])

    @property
    def size(self) -> int:
        """How many players have a path to a topic."""
        return len(self.names)

    def solve(self, sets: Bools) -> Floats:
        """Compute the gap with these players alone, for each row of (sets, players); NaN where it is undefined."""
        always = np.ones((len(sets), 1), bool)
        present = np.concatenate((sets, always), axis=1)[:, self.unit_of]
        solution = self.problem.solve(present)
        self.evaluations += len(sets)
        self.undefined += int((solution.moving != 0).sum())
        fact, foil = self.topics
        gaps = solution.strengths[:, fact] - solution.strengths[:, foil]
        return np.where(solution.moving != 0, np.nan, gaps)

    def keep(self, sets: Bools, shown: bool = False) -> Bools:
        """Say of each set of players whether it keeps the order; `shown` reports the progress."""
        found = np.empty(len(sets), bool)
        for first in range(0, len(sets), self.piece):
            here = slice(first, first + self.piece)
            found[here] = find_signs(self.solve(sets[here])) == self.sign
            if shown and self.progress:
                self.progress(min(first + self.piece, len(sets)), len(sets))
        return found

    def find_gaps_without(self, sets: Sequence[Some]) -> list[float]:
        """Compute the gap without each of the sets."""
        solved = self.evaluations, self.undefined  # these were solved before
        gaps = [] if not sets else self.solve(~self.mark(sets)).tolist()
        self.evaluations, self.undefined = solved
        return gaps

    def mark(self, sets: Sequence[Iterable[int]]) -> Bools:
        """Write sets as rows of (sets, players)."""
        rows = np.zeros((len(sets), self.size), bool)
        for row, some in zip(rows, sets, strict=True):
            row[list(some)] = True
        return rows


class Search:
    """The search for sets among many players, and the time that is left."""

    def __init__(self, orders: Orders, max_sets: int, time_limit: float | None) -> None:
        self.orders, self.max_sets, self.time_limit = orders, max_sets, time_limit
        self.clock, self.began, self.reported = monotonic, monotonic(), 0
        self.found = Found()
        self.proof = Proof(orders, lambda: self._advance(0.0))
        self.barriers: list[Some] = []  # sets that break the order; every prime set has a member in each

    def run(self) -> Found:
        """Search until done, or until the time has passed."""
        try:
            self._examine_sizes()
            self._advance(0.5)
            self._test_candidates()
        except OutOfTime:
            self.found.stopped = True
        self._advance(1.0, last=True)
        self.found.breaking.sort(key=lambda some: (len(some), some))
        return self.found

    def _advance(self, part: float, last: bool = False) -> None:
        """Report that this part is done; stop if the time has passed."""
        if not last and self.time_limit is not None and self.clock() - self.began > self.time_limit:
            raise OutOfTime
        self.reported = max(self.reported, int(PERCENT * part))
        if self.orders.progress:
            self.orders.progress(self.reported, PERCENT)

    # -- by size --------------------------------------------------------------------------------------------------

    def _examine_sizes(self) -> None:
        """Examine all sets of one size after the other: which suffice, and without which does the order change?"""
        found, size = self.found, self.orders.size
        if self.orders.keep(np.zeros((1, size), bool))[0]:
            found.sufficient.append(())
        for k in range(1, size + 1):
            full = max(len(found.breaking), len(found.sufficient)) >= self.max_sets
            if full or comb(size, k) > MAX_SETS_PER_SIZE:
                return
            self._examine_size(k)
            found.examined = k

    def _examine_size(self, k: int) -> None:
        """Examine all sets of one size. What is found before the time has passed is kept: it is minimal."""
        total, done = 2 * comb(self.orders.size, k), 0
        for known, dropped in ((self.found.breaking, True), (self.found.sufficient, False)):
            smaller = list(known)
            for some in _cut(combinations(range(self.orders.size), k), self.orders.piece):
                self._advance(0.5 * done / total)
                rows = self._drop_supersets(self.orders.mark(some), smaller)
                if len(rows):
                    hits = ~self.orders.keep(~rows) if dropped else self.orders.keep(rows)
                    known += [tuple(np.flatnonzero(row).tolist()) for row in rows[hits]]
                done += len(some)

    @staticmethod
    def _drop_supersets(rows: Bools, known: Iterable[Some]) -> Bools:
        """Leave out the sets that hold a known one: they are not minimal."""
        for some in known:
            rows = rows[~rows[:, list(some)].all(axis=1)]
        return rows

    # -- candidates -----------------------------------------------------------------------------------------------

    def _test_candidates(self) -> None:
        """Test candidates for prime sets until none is left, or too many are known."""
        self.barriers = list(self.found.breaking)
        candidates: list[frozenset[int]] = [frozenset()]
        for some in self.barriers:
            candidates = hit(candidates, some)
            if len(candidates) > self.max_sets:
                return
        tested: dict[frozenset[int], bool] = {}  # whether it is proved
        while waiting := sorted((each for each in candidates if each not in tested), key=_sort_key):
            self._advance(0.5 + 0.5 * len(tested) / (len(tested) + len(waiting)))
            one = waiting[0]
            against, tested[one] = self._find_breaking_outside(one)
            for some in against:
                candidates = hit(candidates, some)
            self._record(candidates, tested)
            if len(candidates) > self.max_sets or len(self.barriers) > self.max_sets:
                return
        self._record(candidates, tested)
        self.found.complete = not self.found.unproved and set(self.barriers) == set(self.found.breaking)

    def _record(self, candidates: list[frozenset[int]], tested: dict[frozenset[int], bool]) -> None:
        """Keep what is known of the candidates, in case that the time passes."""
        known = [(tuple(sorted(each)), tested[each]) for each in candidates if each in tested]
        known.sort(key=lambda each: (len(each[0]), each[0]))
        self.found.prime = [some for some, proved in known if proved]
        self.found.unproved = [some for some, proved in known if not proved]

    def _find_breaking_outside(self, candidate: frozenset[int]) -> tuple[list[Some], bool]:
        """Find breaking sets without a member in the candidate; without any, say whether there are none for sure."""
        free = [k for k in range(self.orders.size) if k not in candidate]
        if len(free) <= self.found.examined:
            return [], True
        proved, dropped = False, self._descend(free)
        if dropped is None:
            proved, dropped = self.proof.try_to_prove(candidate)
        if dropped is None and not proved and len(free) <= MAX_TABLE_PLAYERS:
            new = self._find_minimal(free)
            return new, not new
        return ([] if dropped is None else self._shrink(dropped)), proved

    def _descend(self, free: list[int]) -> list[int] | None:
        """Drop or put back one free player at a time, so that the gap shrinks, until the order changes."""
        side = self.orders.sign or 1.0
        for start in ([], free):
            gone = np.zeros(self.orders.size, bool)
            gone[start] = True
            best = np.inf
            while True:
                self._advance(0.0)
                trials = np.tile(gone, (len(free) + 1, 1))
                trials[np.arange(len(free)), free] ^= True  # the last one is the start itself
                gaps = self.orders.solve(~trials)
                broken = np.flatnonzero(find_signs(gaps) != self.orders.sign)
                if len(broken):
                    return np.flatnonzero(trials[broken[0]]).tolist()
                least = int(np.argmin(side * gaps))
                if not side * gaps[least] < best - TIE_TOLERANCE:
                    break
                best, gone = side * gaps[least], trials[least]
        return None

    def _shrink(self, dropped: list[int]) -> list[Some]:
        """Put players back as long as the order stays changed; then find the minimal sets by a table."""
        for k in list(dropped):
            self._advance(0.0)
            fewer = [each for each in dropped if each != k]
            if not self.orders.keep(~self.orders.mark([fewer]))[0]:
                dropped = fewer
        if len(dropped) <= MAX_TABLE_PLAYERS:
            return self._find_minimal(dropped)
        self.barriers.append(tuple(dropped))  # smaller sets inside of it may do
        return self.barriers[-1:]

    def _find_minimal(self, dropped: list[int]) -> list[Some]:
        """Solve all sets of these players, and find the breaking ones that are new."""
        rows = np.zeros((1 << len(dropped), self.orders.size), bool)
        rows[:, dropped] = list_coalitions(len(dropped))
        broken = ~self.orders.keep(~rows)
        found = [tuple(dropped[k] for k in members(each)) for each in minimal(broken)]
        new = [some for some in found if some not in self.barriers]
        self.found.breaking += new
        self.barriers += new
        return new


def hit(sets: list[frozenset[Any]], other: Iterable[Any]) -> list[frozenset[Any]]:
    """From all minimal sets that hit some sets, make all minimal sets that hit one more.

    >>> [sorted(each) for each in hit([frozenset({1}), frozenset({2, 3})], (1, 4))]
    [[1], [2, 3, 4]]
    """
    target = frozenset(other)
    kept = [each for each in sets if each & target]
    grown = (each | {k} for each in sets if not each & target for k in target)
    return kept + [each for each in grown if not any(one <= each for one in kept)]


def _sort_key(some: Iterable[int]) -> tuple[int, list[int]]:
    numbers = sorted(some)
    return len(numbers), numbers


def _cut(sets: Iterator[Some], size: int) -> Iterator[list[Some]]:
    while some := list(islice(sets, size)):
        yield some
