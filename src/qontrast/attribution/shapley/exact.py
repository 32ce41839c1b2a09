"""Exact Shapley values: the cheaper of two ways, chosen by counting first.

    φ_t(x) = Σ_{S ⊆ players∖{x}} |S|! (n−|S|−1)!/n! · (v(S ∪ {x}) − v(S))        (the paper, Definition 6)

Acyclic graphs may go through all 2ⁿ coalitions of the topic's ancestors (`hypercube`), any graph through the
connected sets among them (`connected`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...engine.problem import Problem
from ...errors import Hint, TooLarge
from ...settings import setting, whole
from ...types import Floats, Name, Progress
from ..matrix import Phi, own_entries
from ..players import Game
from .coalitions import at_least
from .connected_sets import BLOCK, connected, together
from .hypercube import hypercube

MAX_EVALUATIONS = 1 << 28
ROUNDING = 1e-15  # what sums of strengths leave of a contribution that is 0
SMALL = 14  # players whose coalitions are gone through sooner than their connected sets are counted
DEARER = 60  # one connected set costs about as much as this many coalitions of the hypercube


@dataclass(frozen=True)
class Shapley:
    """Compute exact Shapley values: the average of what an argument adds, over all coalitions of the others.

    Parameters
    ----------
    max_evaluations : int
        Refuse games that need more evaluations of sub-graphs than this.

    Examples
    --------
    >>> from qontrast import Qbaf, attribute
    >>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 1.0}, supports=[("x", "t"), ("y", "t")])
    >>> dict(attribute(q, "t", method=Shapley(max_evaluations=100), semantics="df-quad"))
    {'x': 0.25, 'y': 0.25}
    """

    max_evaluations: int = setting(MAX_EVALUATIONS, "Refuse games that need more evaluations of sub-graphs.")

    def __post_init__(self) -> None:
        whole(self.max_evaluations, "max_evaluations", 1)

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """Each topic's own game, on its ancestors; all other arguments get 0."""
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        games = [Game(problem, topic) for topic in asked]
        plans = [self._known_plan(game, progress) for game in games]  # all are counted before the first is begun
        values, ways, total = np.zeros((len(asked), len(problem.qbaf))), [], 0
        found = self._all(games, plans, progress)
        for k, (game, (way, count)) in enumerate(zip(games, plans, strict=True)):
            values[k, game.players] = np.where(np.abs(found[k]) <= ROUNDING, 0.0, found[k])
            ways.append(f"{count:,} {way} over {len(game.players)} players")
            total += count
        way = "; ".join(dict.fromkeys(ways))
        return Phi(problem, topics, own_entries(asked, values), strengths, "shapley", way, total)

    def _known_plan(self, game: Game, progress: Progress | None) -> tuple[str, int]:
        """The plan, made once for all graphs that differ in base scores alone."""
        shape, key = game.whole.qbaf._shape, ("plan", game.topic, self.max_evaluations)
        if key not in shape:
            shape[key] = self._plan(game, progress)
        known: tuple[str, int] = shape[key]
        return known

    def _plan(self, game: Game, progress: Progress | None) -> tuple[str, int]:
        """The cheaper way and its number of evaluations; counting stops as soon as it is decided."""
        n, most = len(game.players), self.max_evaluations
        cube = game.problem.arrays.acyclic and n < most.bit_length()
        if cube and n <= SMALL:
            return "coalitions", 1 << n
        limit = (1 << n) // DEARER if cube else most
        fewest = at_least(n, *game.edges)
        sets = game.count_connected(limit, progress) if fewest <= limit else fewest
        if sets <= limit:
            return "connected sets", sets
        if cube:
            return "coalitions", 1 << n
        topic = game.whole.qbaf.arguments[game.topic]
        least = most + 1 if fewest <= most else fewest
        needs = f"{least:,}" if least < 10**15 else f"2^{least.bit_length() - 1}"
        raise TooLarge(
            f"exact Shapley for {topic!r} over {n:,} players needs at least {needs} evaluations (limit {most:,})",
            hints=[Hint("method", ("sampled",)), Hint("max_evaluations", raised=True)],
        )

    def _all(self, games: list[Game], plans: list[tuple[str, int]], progress: Progress | None) -> list[Floats]:
        """φ of every game; small games on the same arguments are solved together."""
        counts = [count for _, count in plans]
        if (
            len(games) > 1
            and all(way == "connected sets" for way, _ in plans)
            and sum(counts) <= BLOCK
            and all(np.array_equal(game.members, games[0].members) for game in games)
        ):
            return together(games, counts, progress)
        return [self._run(game, *plan, progress) for game, plan in zip(games, plans, strict=True)]

    def _run(self, game: Game, way: str, count: int, progress: Progress | None) -> Floats:
        if way == "coalitions":
            return hypercube(game, progress)
        return connected(game, count, progress)
