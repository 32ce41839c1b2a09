"""Exact Shapley values: the cheaper of two ways, chosen by counting first.

    φ_t(x) = Σ_{S ⊆ players∖{x}} |S|! (n−|S|−1)!/n! · (v(S ∪ {x}) − v(S))        (the paper, Definition 6)

Acyclic graphs may go through all 2ⁿ coalitions of the topic's ancestors (`hypercube`), any graph through the
connected sets among them (`connected`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TooLarge
from ...game import Game
from ...phi import Phi, Progress, own_entries
from ...qbaf import Floats, Name
from ...solve import Problem
from .connected import connected
from .hypercube import hypercube

MAX_EVALUATIONS = 1 << 28
DEARER = 60  # one connected set costs about as much as this many coalitions of the hypercube


@dataclass(frozen=True)
class Shapley:
    """Exact Shapley values; more than `max_evaluations` coalitions are refused, with the way out."""

    max_evaluations: int = MAX_EVALUATIONS

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """Each topic's own game, on its ancestors; all other arguments get 0."""
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        games = [Game(problem, topic) for topic in asked]
        plans = [self._plan(game) for game in games]  # all are counted before the first is begun
        values, ways, total = np.zeros((len(asked), len(problem.qbaf))), [], 0
        for k, (game, (way, count)) in enumerate(zip(games, plans, strict=True)):
            values[k, game.players] = self._run(game, way, count, progress)
            ways.append(f"{count:,} {way} over {len(game.players)} players")
            total += count
        way = "; ".join(dict.fromkeys(ways))
        return Phi(problem, topics, own_entries(asked, values), strengths, "shapley", way, total)

    def _plan(self, game: Game) -> tuple[str, int]:
        """The cheaper way and its number of evaluations."""
        n, acyclic = len(game.players), game.problem.arrays.acyclic
        cube = 1 << n
        bound = min(self.max_evaluations, cube // DEARER) if acyclic and cube <= self.max_evaluations else None
        if bound is None or bound > 0:
            sets = game.count_connected(self.max_evaluations if bound is None else bound)
            if sets <= (self.max_evaluations if bound is None else bound):
                return "connected sets", sets
        if bound is not None:
            return "coalitions", cube
        topic = game.whole.qbaf.arguments[game.topic]
        needs = f"2^{n} evaluations" if acyclic else f"more than {self.max_evaluations:,} evaluations"
        raise TooLarge(
            f"exact Shapley for {topic!r} over {n} players needs {needs} "
            f"(limit {self.max_evaluations:,}); ask for method='sampled', or raise max_evaluations"
        )

    def _run(self, game: Game, way: str, count: int, progress: Progress | None) -> Floats:
        if way == "coalitions":
            return hypercube(game, progress)
        return connected(game, count, progress)
