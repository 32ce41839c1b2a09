"""Solve graphs without some arguments, for `flip`; between two pieces the clock is read and progress is reported."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..engine.problem import Problem
from ..errors import InvalidInput
from ..types import Bools, Floats, Name
from .reach_trials import ASSUMED_STEPS, STRENGTHS_PER_PIECE, limit_steps
from .search_clock import Clock


class Trials:
    """The gap σ(fact) − σ(foil) of graphs without some arguments, and the time that is left."""

    def __init__(self, asked: Problem, fact: Name, foil: Name, margin: float, clock: Clock) -> None:
        qbaf = asked.qbaf
        self.pair = (qbaf.index(fact), qbaf.index(foil))
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot win over itself; name two topics")
        self.problem, self.topics, self.margin, self.clock = asked, (fact, foil), margin, clock
        steps = 1 if asked.arrays.acyclic else ASSUMED_STEPS
        self.piece = max(1, STRENGTHS_PER_PIECE // (steps * max(len(qbaf), len(qbaf.weights), 1)))
        self.quick = limit_steps(asked)
        self.evaluations = 0
        strengths = asked.strengths()[0]  # an undefined graph is an error here
        self.gap = float(strengths[self.pair[0]] - strengths[self.pair[1]])

    def removal_gaps(self, sets: Sequence[tuple[int, ...]]) -> Floats:
        """Compute the gap without each of these sets, all of one size; +∞ where undefined."""
        present = np.ones((len(sets), len(self.problem.qbaf)), bool)
        present[np.arange(len(sets))[:, None], np.array(sets, np.intp).reshape(len(sets), -1)] = False
        gaps = self._solve(self.quick, present)
        slow = np.flatnonzero(np.isinf(gaps))  # undefined, or slow to settle: a claim about all sets must know
        if len(slow) and (self.quick.max_steps < self.problem.max_steps or self.problem.solver != "discrete"):
            gaps[slow] = self._solve(self.problem, present[slow])
        return gaps

    def _solve(self, problem: Problem, present: Bools) -> Floats:
        found = problem.solve(present=present).strengths
        self.evaluations += len(found)
        gaps = found[:, self.pair[0]] - found[:, self.pair[1]]
        return np.where(np.isnan(gaps), np.inf, gaps)
