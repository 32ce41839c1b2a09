"""Solve trial graphs for `flip` in pieces; between two pieces the clock is read and progress is reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..errors import InvalidInput
from ..types import Floats, Name, Progress

MAX_TRIAL_STEPS = 500  # of a trial on a cyclic graph; base scores that have not settled by then are not suggested
STRENGTHS_PER_PIECE = 1 << 23  # strengths computed between two looks at the clock: a fraction of a second
ASSUMED_STEPS = 128  # of a trial on a cyclic graph, for the size of a piece
PERCENT = 100


class OutOfTime(Exception):
    """The time limit has passed; `Trials` holds what was found until then."""


class Trials:
    """The gap σ(fact) − σ(foil) of changed graphs, the best changes so far, and the time that is left.

    `deadline` is the share of `time_limit` at which the search under way stops.
    """

    def __init__(
        self,
        asked: Problem,
        fact: Name,
        foil: Name,
        norm: int,
        margin: float,
        time_limit: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        qbaf = asked.qbaf
        self.pair = (qbaf.index(fact), qbaf.index(foil))
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot win over itself; name two topics")
        self.problem, self.topics, self.norm, self.margin = asked, (fact, foil), norm, margin
        self.time_limit, self.progress = time_limit, progress
        self.clock, self.began, self.deadline = monotonic, monotonic(), 1.0
        self.base = qbaf.base_array
        steps = 1 if asked.arrays.acyclic else ASSUMED_STEPS
        self.piece = max(1, STRENGTHS_PER_PIECE // (steps * max(len(qbaf), len(qbaf.weights), 1)))
        self.quick = replace(asked, max_steps=min(MAX_TRIAL_STEPS, asked.max_steps))
        self.evaluations, self.reported, self.phase = 0, 0.0, (0.0, 100.0)
        strengths = asked.strengths()[0]  # an undefined graph is an error here
        self.gap = float(strengths[self.pair[0]] - strengths[self.pair[1]])
        self.least_gap = self.gap  # over all base scores that were tried
        self.best: Floats | None = None  # the cheapest base scores that make the foil win
        self.best_cost, self.best_gap = np.inf, self.gap

    # -- time and progress --------------------------------------------------------------------------------------

    def run(self, search: Callable[[], None], deadline: float) -> bool:
        """Search until done or until this share of the time limit has passed; say whether the time ended it."""
        self.deadline = deadline
        try:
            search()
        except OutOfTime:
            return True
        return False

    def enter(self, begin: float, end: float) -> None:
        """Begin a phase that takes the bar from `begin` to `end` percent."""
        self.phase = (begin, end)
        self.advance(0.0)

    def advance(self, part: float) -> None:
        """Report that this part of the phase is done; stop if the time has passed."""
        if self.time_limit is not None and self.clock() - self.began > self.deadline * self.time_limit:
            raise OutOfTime
        begin, end = self.phase
        self.reported = max(self.reported, begin + (end - begin) * min(1.0, part))
        if self.progress:
            self.progress(int(self.reported), PERCENT)

    # -- base scores --------------------------------------------------------------------------------------------

    def cost(self, base: Floats) -> float:
        """Measure the change of base scores in the norm."""
        return float(np.linalg.norm(base - self.base, self.norm))

    def score_gaps(self, lanes: Floats, begin: float = 0.0, end: float = 0.0) -> Floats:
        """Compute the gap for each row of base scores, +∞ where undefined; the phase goes from `begin` to `end`."""
        return self.solve_scores(lanes, begin, end)[0]

    def solve_scores(self, lanes: Floats, begin: float = 0.0, end: float = 0.0) -> tuple[Floats, Floats]:
        """Compute the gap and the strengths of each lane."""
        gaps, strengths = np.empty(len(lanes)), np.empty(lanes.shape)
        for first in range(0, len(lanes), self.piece):
            here = slice(first, first + self.piece)
            self.advance(begin + (end - begin) * first / len(lanes))
            gaps[here], strengths[here] = self._solve(base_scores=lanes[here])
            self._record(lanes[here], gaps[here])
        return gaps, strengths

    def _record(self, lanes: Floats, gaps: Floats) -> None:
        """Keep the cheapest base scores that make the foil win, and the least gap."""
        self.least_gap = min(self.least_gap, float(gaps.min()))
        costs = np.where(gaps <= -self.margin, np.linalg.norm(lanes - self.base, self.norm, axis=1), np.inf)
        cheapest = int(costs.argmin())
        if costs[cheapest] < self.best_cost:
            self.best, self.best_cost = lanes[cheapest].copy(), float(costs[cheapest])
            self.best_gap = float(gaps[cheapest])

    def pick_cheapest(self, lanes: Floats, gaps: Floats, limit: int) -> Floats:
        """Pick the cheapest of the base scores that make the foil win."""
        good = lanes[gaps <= -self.margin]
        costs = np.linalg.norm(good - self.base, self.norm, axis=1)
        return np.asarray(good[np.argsort(costs, kind="stable")[:limit]])

    # -- removal ------------------------------------------------------------------------------------------------

    def removal_gaps(self, sets: Sequence[tuple[int, ...]]) -> Floats:
        """Compute the gap without each of these sets, all of one size; +∞ where undefined."""
        present = np.ones((len(sets), len(self.base)), bool)
        present[np.arange(len(sets))[:, None], np.array(sets, np.intp).reshape(len(sets), -1)] = False
        gaps = self._solve(present=present)[0]
        slow = np.flatnonzero(np.isinf(gaps))  # undefined, or slow to settle: a claim about all sets must know
        if len(slow) and self.quick.max_steps < self.problem.max_steps:
            gaps[slow] = self._solve(full=True, present=present[slow])[0]
        return gaps

    def _solve(self, full: bool = False, **lanes: Any) -> tuple[Floats, Floats]:
        found = (self.problem if full else self.quick).solve(**lanes).strengths
        self.evaluations += len(found)
        gaps = found[:, self.pair[0]] - found[:, self.pair[1]]
        return np.where(np.isnan(gaps), np.inf, gaps), found
