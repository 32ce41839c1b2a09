"""Removal: what the topic loses when an argument leaves.

    φ_t(x) = σ(t) − σ₋ₓ(t)                                       (the paper, Definition 4)
    intrinsic:  φ_t(x) = σ(t) in Q without the edges into x − σ₋ₓ(t)     (Kampik et al., IJAR 2024)

Players are lanes, and every lane serves all topics; in large acyclic graphs only what lies between a player and the
topics is solved again (`downstream`). A group leaves as a whole; an edge leaves as an argument of the line graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..engine.backend import run_tasks
from ..engine.problem import Problem
from ..errors import UndefinedStrength, count
from ..types import Floats, Integers, Name, Progress
from .cost import Cost, count_alone, count_lanes, find_steps, limit_minutes
from .downstream import DownstreamPlan, plan_downstream
from .matrix import Phi, make_phi
from .players import Arguments, Groups, Players

GRAPHS_PER_TASK = 64  # at most
NUMBERS_PER_TASK = 1 << 17  # arguments and edges of the graphs that are made one after the other between two reports
MAX_UPDATES_UNCOUNTED = 10**7  # a tenth of a second, which is more than counting takes
MAX_NUMBERS_HELD = 1 << 24  # in lanes at a time: 128 MB


@dataclass(frozen=True)
class Removal:
    """φ_t(x) = σ(t) − σ₋ₓ(t): what the topic loses when x leaves.

    Parameters
    ----------
    max_minutes : float or None
        Refuse work that takes longer by its own count.
    """

    max_minutes: float | None = limit_minutes()

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count the players that have a path to a topic, and what is solved again without each of them.

        Parameters
        ----------
        problem : Problem
            The graph under a semantics.
        topics : tuple of names
            The topics.
        players : Players
            Who contributes.

        Returns
        -------
        Cost
            What is needed at most.
        """
        return _count_without(problem, topics, players)

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """One lane for each player that has a path to a topic; the others change nothing."""
        players = Arguments(problem.qbaf) if players is None else players
        strengths = problem.strengths()[0]
        here = np.array([strengths[problem.qbaf.index(topic)] for topic in topics])
        movers, without = _solve_without(problem, topics, players, progress)
        values = np.zeros((len(topics), len(players)))
        values[:, movers] = here[:, None] - without.T
        players.clear_absent(values, topics)
        how = f"{count(len(movers), 'restriction')}, each solved"
        return make_phi(problem, topics, values, strengths, "removal", how, len(movers), players)


@dataclass(frozen=True, eq=False)
class Movers:
    """The players that act on a topic, and the part of the graph that acts on one: nothing else changes a topic."""

    columns: Integers  # of the movers, in Φ
    problem: Problem  # restricted to what has a path to a topic
    topics: list[int]  # their places in it
    column_of: Integers  # of each of its arguments, the player

    @cached_property
    def downstream(self) -> DownstreamPlan | None:
        """What is solved again without each mover, where that is quicker than whole lanes."""
        return plan_downstream(self.problem, self.topics, self.column_of, self.columns)

    def count(self, steps: int) -> Cost:
        """Count the sub-graphs to solve, and the updates in them."""
        lanes = len(self.columns)
        plan = self.downstream
        updates = count_lanes(self.problem, lanes, steps) if plan is None else plan.count_updates()
        return Cost(lanes, updates)

    def solve(self, players: Players) -> Iterator[tuple[slice, Floats]]:
        """Solve the graph without each mover: which movers, and σ of the topics, (movers, topics)."""
        return self._solve_lanes(players) if self.downstream is None else self.downstream.solve()

    def _solve_lanes(self, players: Players) -> Iterator[tuple[slice, Floats]]:
        problem, some = self.problem, self.problem.lanes_per_block
        if problem.executor is not None or problem.device != "cpu":
            whole = problem.lanes_per_task
            some = whole * max(1, MAX_NUMBERS_HELD // (whole * max(1, len(problem.qbaf))))
        for first in range(0, len(self.columns), some):
            gone = self.columns[first : first + some]
            present = self.column_of != gone[:, None]
            try:
                yield slice(first, first + some), problem.strengths(present)[:, self.topics]
            except UndefinedStrength as cause:
                name, alone = players.names[int(gone[cause.lane])], problem.undefined(0, present[cause.lane])
                raise alone.found_in(f"without {name!r}") from cause


def _count_without(problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
    """Count the sub-graphs without each player; of all players where even that is little."""
    steps = find_steps(problem)
    if players.kind == "arguments":
        every = Cost(len(players), count_lanes(problem, len(players), steps))
        if every.updates <= MAX_UPDATES_UNCOUNTED:
            return every
    return _find_movers(problem, topics, players).count(steps)


def _find_movers(problem: Problem, topics: tuple[Name, ...], players: Players) -> Movers:
    """Find who acts on a topic. A topic that acts on no other topic stays: without itself, nobody asks for it."""
    own = [players.index(topic) for topic in players.find_topics(topics)]
    problem, asked, column_of = players.arrange(problem, topics)
    reached = np.zeros(len(problem.qbaf), np.intp)
    for place in asked:
        reached += problem.qbaf.structure.ancestors([place])
    members = np.flatnonzero(reached)
    columns = members if column_of is None else column_of[members]
    alone = columns[np.isin(columns, own) & (reached[members] == 1)]
    movers = np.setdiff1d(columns[columns >= 0], alone)
    inner = problem if len(members) == len(problem.qbaf) else replace(problem, qbaf=problem.qbaf._keep(reached > 0))
    return Movers(movers, inner, np.searchsorted(members, asked).tolist(), columns)


def _solve_without(
    problem: Problem, topics: tuple[Name, ...], players: Players, progress: Progress | None
) -> tuple[Integers, Floats]:
    """The columns of the players that act on a topic, and σ₋ₓ of the topics for each of them, (players, topics)."""
    movers = _find_movers(problem, topics, players)
    total = len(movers.columns)
    found, done = np.empty((total, len(topics))), 0
    for cut, strengths in movers.solve(players):
        found[cut] = strengths
        done += len(strengths)
        if progress:
            progress(done, total)
    return movers.columns, found


@dataclass(frozen=True)
class IntrinsicRemoval:
    """φ_t(x) = σ(t) − σ₋ₓ(t), both after the edges into x were cut: what x gives of its own.

    Parameters
    ----------
    max_minutes : float or None
        Refuse work that takes longer by its own count.
    """

    max_minutes: float | None = limit_minutes()

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count what removal takes, and for each player a graph of its own.

        Parameters
        ----------
        problem : Problem
            The graph under a semantics.
        topics : tuple of names
            The topics.
        players : Players
            Who contributes.

        Returns
        -------
        Cost
            What is needed at most.
        """
        steps = find_steps(problem)
        without = _count_without(problem, topics, players)
        cut = count_alone(problem, without.evaluations, steps)
        return Cost(2 * without.evaluations, without.updates + cut)

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """For each player one graph without the edges into it (those inside a group stay), and one without itself."""
        players = Arguments(problem.qbaf) if players is None else players
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        first = progress and (lambda done, total: progress(done, 2 * total))
        found, without = _solve_without(problem, topics, players, first)
        movers = found.tolist()
        values = np.zeros((len(topics), len(players)))
        values[:, movers] = -without.T
        size = len(problem.qbaf) + len(problem.qbaf.weights)
        some = max(1, min(GRAPHS_PER_TASK, NUMBERS_PER_TASK // max(1, size)))
        cuts = [movers[start : start + some] for start in range(0, len(movers), some)]
        alone, executor = replace(problem, executor=None), problem.executor if len(cuts) > 1 else None
        column_of = players.column_of if isinstance(players, Groups) else np.arange(len(problem.qbaf))
        tasks, done = ((alone, cut, column_of, asked) for cut in cuts), 0
        for cut, own in zip(cuts, run_tasks(executor, _solve_without_parents, tasks), strict=True):
            values[:, cut] += own
            done += len(cut)
            if progress:
                progress(len(movers) + done, 2 * len(movers))
        how = f"{count(2 * len(movers), 'restriction')}, each solved"
        return make_phi(problem, topics, values, strengths, "intrinsic", how, 2 * len(movers), players)


def _solve_without_parents(asked: Problem, movers: list[int], column_of: Integers, topics: tuple[int, ...]) -> Floats:
    """σ of the topics, (topics, movers), each mover having lost its parents; what is inside of it stays."""
    qbaf, found = asked.qbaf, np.empty((len(topics), len(movers)))
    for k, x in enumerate(movers):
        kept = (column_of[qbaf.targets] != x) | (column_of[qbaf.sources] == x)
        cut = qbaf._with(sources=qbaf.sources[kept], targets=qbaf.targets[kept], weights=qbaf.weights[kept])
        found[:, k] = replace(asked, qbaf=cut).strengths()[0][list(topics)]
    return found
