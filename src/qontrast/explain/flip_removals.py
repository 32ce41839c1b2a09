"""Search for a small set of arguments whose removal makes the foil win."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from ..results.base import TIE_TOLERANCE
from ..results.order import find_least, sort_by_size
from .flip_trials import Trials

MAX_SETS = 100_000  # of one size; a size with more of them is not examined
MAX_SETS_PER_SOLVE = 1 << 14  # a few tasks of an executor
MAX_CANDIDATES = 128  # arguments that are tried in a step of the removals: of more, those that do most alone
SCORES_SHARE = 70.0  # percent of the bar; the removals have the rest


@dataclass
class RemovalSearch:
    """The search for a small set of arguments whose removal makes the foil win.

    First one argument at a time is removed, always the most helpful, until the foil wins; then what is not needed is
    put back. That is quick, and proves nothing. Then all smaller sets are examined, one size after the other, as long
    as there are at most `MAX_SETS` of a size: a set that is found there is a smallest one, and sizes without any are
    ruled out.
    """

    trials: Trials
    players: list[int]  # the arguments that may be removed
    found: tuple[int, ...] | None = None
    gap: float = np.inf  # without what was found, or the least that was reached
    examined: int = 0  # every set of up to so many arguments was tried, and none does it

    @property
    def proved(self) -> bool:
        """Whether no smaller set does it; or, where nothing was found, no set at all."""
        return self.examined >= (len(self.players) if self.found is None else len(self.found) - 1)

    def search(self) -> None:
        """Search until done."""
        self.gap = self.trials.gap
        self._remove_stepwise()
        self._examine_all()
        self.trials.clock.advance(1.0)

    def _remove_stepwise(self) -> None:
        """Remove the most helpful argument, again and again; then put back what is not needed."""
        gone: tuple[int, ...] = ()
        self.trials.clock.enter(SCORES_SHARE, 80)
        order = self._rank()
        while len(gone) < len(self.players):
            self.trials.clock.advance(len(gone) / len(self.players))
            left = islice((x for x in order if x not in gone), MAX_CANDIDATES)
            gone, gap = self._find_best((*gone, x) for x in left)
            if gap <= -self.trials.margin:
                self.found, self.gap = gone, gap
                self._put_back(gone)
                break
            self.gap = min(self.gap, gap)

    def _rank(self) -> list[int]:
        """Order the arguments by the gap without each of them, where they are too many to be tried in every step."""
        if len(self.players) <= MAX_CANDIDATES:
            return self.players
        gaps: list[float] = []
        for first in range(0, len(self.players), self.trials.piece):
            self.trials.clock.advance(0.0)
            gaps += self.trials.removal_gaps([(x,) for x in self.players[first : first + self.trials.piece]]).tolist()
        return [self.players[i] for i in sort_by_size(range(len(gaps)), lambda i: -gaps[i])]

    def _put_back(self, gone: tuple[int, ...]) -> None:
        for x in gone[:-1]:  # the last one was needed
            fewer = tuple(y for y in self.found or () if y != x)
            gap = self._find_best([fewer])[1]
            if gap <= -self.trials.margin:
                self.found, self.gap = fewer, gap

    def _examine_all(self) -> None:
        """Examine all sets that are smaller than what was found, the smallest first."""
        sizes = range(1, len(self.players) + 1 if self.found is None else len(self.found))
        counts = [comb(len(self.players), size) for size in sizes]
        total = sum(count for count in counts if count <= MAX_SETS)
        done = 0
        self.trials.clock.enter(80, 100)
        for size, count in zip(sizes, counts, strict=True):
            if count > MAX_SETS:
                return
            some, gap = self._find_best(combinations(self.players, size), done, total)
            if gap <= -self.trials.margin:
                self.found, self.gap = some, gap
                return
            self.gap = self.gap if self.found else min(self.gap, gap)
            self.examined, done = size, done + count

    def _find_best(
        self, sets: Iterable[tuple[int, ...]], done: int = 0, total: int | None = None
    ) -> tuple[tuple[int, ...], float]:
        """Find the set whose removal leaves the least gap; `done` of `total` sets of the phase came before."""
        best: tuple[tuple[int, ...], float] = ((), np.inf)
        sets = iter(sets)
        while some := list(islice(sets, min(self.trials.piece, MAX_SETS_PER_SOLVE))):
            self.trials.clock.advance(done / total if total else 0.0)
            gaps = self.trials.removal_gaps(some)
            least = find_least(gaps)
            if gaps[least] < best[1] - TIE_TOLERANCE or not best[0]:
                best = some[least], float(gaps[least])
            done += len(some)
        return best
