"""Sampled Shapley values, with their standard errors, for games too large to be summed exactly.

`sampler="regression"` (regression on the connected frontier) needs the fewest evaluations; `"permutations"` is the
plain alternative. All topics are estimated from the same coalitions, so the error of a contrast is right too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...coalitions import Bools
from ...errors import InvalidInput, TooLarge, unknown
from ...game import Game
from ...phi import Phi, Progress, own_entries
from ...qbaf import Floats, Integers, Name
from ...solve import Problem
from . import permutations, regression
from .worth import Worth

GROUPS = 50  # of the jackknife: the error itself is then good to a tenth
BATCH = 64  # pairs of coalitions drawn at a time
SAMPLERS = ("regression", "permutations")


@dataclass(frozen=True)
class Sampled:
    """Estimated Shapley values: at most `budget` evaluations for each topic, or until the error is `target`.

    With a `target` the budget doubles until the largest standard error is at most that, or `max_budget` is spent.
    """

    budget: int = 2000
    seed: int = 0
    sampler: str = "regression"
    target: float | None = None
    max_budget: int = 200_000

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """All topics from the same coalitions, until the budget or the target is met."""
        self._check()
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        run = _Run(problem, asked, np.random.default_rng(self.seed), progress)
        budget = self.budget
        while True:
            estimate = run.regression if self.sampler == "regression" else run.permutations
            values, replicates = estimate(budget)
            worst = float(np.sqrt(np.square(replicates).sum(axis=0)).max(initial=0.0))
            if self.target is None or worst <= self.target:
                break
            if budget >= self.max_budget:
                raise TooLarge(
                    f"after {budget:,} evaluations the standard error is {worst:.2g}, not yet {self.target:g}; "
                    "raise max_budget, or allow a larger target"
                )
            budget = min(2 * budget, self.max_budget)
        used = sum(worth.evaluations for worth in run.worths)
        way = f"{self.sampler}, {used:,} evaluations, seed {self.seed}"
        strengths = problem.strengths()[0]
        replicates[:, np.arange(len(asked)), list(asked)] = np.nan
        own = own_entries(asked, values)
        return Phi(problem, topics, own, strengths, "sampled", way, used, replicates)

    def _check(self) -> None:
        if self.sampler not in SAMPLERS:
            raise unknown(self.sampler, SAMPLERS, "sampler")
        if self.budget < 1 or (self.target is not None and not self.target > 0):
            raise InvalidInput(f"a budget is at least 1 and a target above 0, not {self.budget} and {self.target}")


@dataclass
class _Run:
    """The games of all topics, with what was drawn and found out so far."""

    problem: Problem
    asked: tuple[int, ...]
    rng: np.random.Generator
    progress: Progress | None
    games: list[Game] = field(init=False)
    worths: list[Worth] = field(init=False)
    everyone: Integers = field(init=False)  # arguments that play for some topic
    drawn: list[Bools] = field(default_factory=list)
    orders: list[Floats] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.games = [Game(self.problem, topic) for topic in self.asked]
        self.worths = [Worth(game) for game in self.games]
        self.everyone = np.unique(np.concatenate([game.players for game in self.games]))

    def regression(self, budget: int) -> tuple[Floats, Floats]:
        most = max((len(game.players) for game in self.games), default=0)
        if budget < 2 * most + 2:
            raise InvalidInput(
                f"{budget} evaluations are too few for a regression on {most} players; "
                f"give a budget of {2 * most + 2:,} or more, or sampler='permutations'"
            )
        self._draw(budget)
        coalitions = np.concatenate(self.drawn) if self.drawn else np.zeros((0, len(self.everyone)), bool)
        values = np.zeros((len(self.asked), len(self.problem.qbaf)))
        groups = max(2, min(GROUPS, len(coalitions) // 4))
        replicates = np.zeros((groups, *values.shape))
        for k, (game, worth) in enumerate(zip(self.games, self.worths, strict=True)):
            if len(game.players):
                mine = coalitions[:, np.searchsorted(self.everyone, game.players)]
                made = regression.basis(game.graph, budget)
                found = regression.fit(made, mine, worth(mine), worth.empty, worth.full, groups)
                values[k, game.players], replicates[:, k, game.players] = found
        return values, replicates

    def _draw(self, budget: int) -> None:
        """Draw pairs until some topic has spent its budget, or the draws are four times as many."""
        rows = sum(map(len, self.drawn))
        while rows < 4 * budget and len(self.everyone):
            some = regression.draw(self.rng, BATCH, len(self.everyone))
            cut = self._affordable(some, budget)
            self.drawn.append(some[:cut])
            for game, worth in zip(self.games, self.worths, strict=True):
                worth(some[:cut][:, np.searchsorted(self.everyone, game.players)])
            rows += cut
            if self.progress:
                self.progress(min(budget, max(worth.evaluations for worth in self.worths)), budget)
            if cut < len(some):
                break

    def _affordable(self, some: Bools, budget: int) -> int:
        """How many of these rows, in whole pairs, fit into the budget of every topic."""
        cut = len(some)
        for game, worth in zip(self.games, self.worths, strict=True):
            fresh: set[bytes] = set()
            for row, key in enumerate(worth.parts(some[:, np.searchsorted(self.everyone, game.players)])):
                if key not in worth.known:
                    fresh.add(key)
                if worth.evaluations + len(fresh) > budget:
                    cut = min(cut, row - row % 2)
                    break
        return cut

    def permutations(self, budget: int) -> tuple[Floats, Floats]:
        """Pairs of orders until the next could overspend; at least two, or there would be no error to tell."""
        n = len(self.everyone)
        while n and (len(self.orders) < 2 or self._spent() + 2 * n <= budget):
            order = self.rng.permutation(n)
            pair = (self._order(order) + self._order(order[::-1])) / 2
            self.orders.append(pair)
            if self.progress:
                self.progress(min(self._spent(), budget), budget)
            if len(self.orders) * n > 4 * budget and len(self.orders) >= 2:
                break
        if not n:
            shape = (len(self.asked), len(self.problem.qbaf))
            return np.zeros(shape), np.zeros((2, *shape))
        return permutations.summary(np.array(self.orders))

    def _spent(self) -> int:
        return max(worth.evaluations for worth in self.worths)

    def _order(self, order: Integers) -> Floats:
        """What each argument adds in this order, for every topic."""
        added = np.zeros((len(self.asked), len(self.problem.qbaf)))
        for k, (game, worth) in enumerate(zip(self.games, self.worths, strict=True)):
            mine = np.searchsorted(self.everyone, game.players)
            rank = np.empty(len(order), np.intp)
            rank[order] = np.arange(len(order))
            own = np.argsort(rank[mine])
            added[k, game.players] = permutations.shares(own, worth(permutations.prefixes(own)))
        return added
