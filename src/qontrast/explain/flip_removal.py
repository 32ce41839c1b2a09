"""Find a small set of arguments whose removal makes the foil win.

First one argument at a time is removed, always the most helpful, until the foil wins; then what is not needed is put
back. That is quick, and proves nothing. Then all smaller sets are examined, one size after the other, as long as there
are at most `MAX_SETS` of a size: a set that is found there is a smallest one, and sizes without any are ruled out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np

from .flip_trials import OutOfTime, Trials

MAX_SETS = 100_000  # of one size; a size with more of them is not examined


@dataclass
class RemovalSearch:
    """What was tried and found; `run` fills it in."""

    trials: Trials
    players: list[int]  # the arguments that may be removed
    found: tuple[int, ...] | None = None
    gap: float = np.inf  # without what was found, or the least that was reached
    examined: int = 0  # every set of up to so many arguments was tried, and none does it
    stepwise: bool = False  # the search by one argument at a time came to its end
    stopped: bool = False  # by the time limit

    @property
    def proved(self) -> bool:
        """Whether no smaller set does it; or, where nothing was found, no set at all."""
        return self.examined >= (len(self.players) if self.found is None else len(self.found) - 1)

    def run(self) -> RemovalSearch:
        self.gap = self.trials.gap
        try:
            self._remove_stepwise()
            self._examine_all()
            self.trials.advance(1.0)
        except OutOfTime:
            self.stopped = True
        return self

    def _remove_stepwise(self) -> None:
        """Remove the most helpful argument, again and again; then put back what is not needed."""
        gone: tuple[int, ...] = ()
        self.trials.enter(70, 80)
        while len(gone) < len(self.players):
            self.trials.advance(len(gone) / len(self.players))
            gone, gap = self._best((*gone, x) for x in self.players if x not in gone)
            if gap <= -self.trials.margin:
                self.found, self.gap = gone, gap
                self._put_back(gone)
                break
            self.gap = min(self.gap, gap)
        self.stepwise = True

    def _put_back(self, gone: tuple[int, ...]) -> None:
        for x in gone[:-1]:  # the last one was needed
            fewer = tuple(y for y in self.found or () if y != x)
            gap = self._best([fewer])[1]
            if gap <= -self.trials.margin:
                self.found, self.gap = fewer, gap

    def _examine_all(self) -> None:
        """Examine all sets that are smaller than what was found, the smallest first."""
        sizes = range(1, len(self.players) + 1 if self.found is None else len(self.found))
        counts = [comb(len(self.players), size) for size in sizes]
        total = sum(count for count in counts if count <= MAX_SETS)
        done = 0
        self.trials.enter(80, 100)
        for size, count in zip(sizes, counts, strict=True):
            if count > MAX_SETS:
                return
            some, gap = self._best(combinations(self.players, size), done, total)
            if gap <= -self.trials.margin:
                self.found, self.gap = some, gap
                return
            self.gap = self.gap if self.found else min(self.gap, gap)
            self.examined, done = size, done + count

    def _best(
        self, sets: Iterable[tuple[int, ...]], done: int = 0, total: int | None = None
    ) -> tuple[tuple[int, ...], float]:
        """The set whose removal leaves the least gap; `done` of the `total` sets of the phase came before these."""
        best: tuple[tuple[int, ...], float] = ((), np.inf)
        sets = iter(sets)
        while some := list(islice(sets, min(self.trials.piece, 4096))):
            self.trials.advance(done / total if total else 0.0)
            gaps = self.trials.removal_gaps(some)
            if gaps.min() < best[1] or not best[0]:
                best = some[int(gaps.argmin())], float(gaps.min())
            done += len(some)
        return best
