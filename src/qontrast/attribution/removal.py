"""Removal: what the topic loses when an argument leaves.

    φ_t(x) = σ(t) − σ₋ₓ(t)                                       (the paper, Definition 4)
    intrinsic:  φ_t(x) = σ(t) in Q without the edges into x − σ₋ₓ(t)     (Kampik et al., IJAR 2024)

Players are lanes, and every lane serves all topics; in large acyclic graphs only what lies between a player and the
topics is solved again (`downstream`). A group leaves as a whole; an edge leaves as an argument of the line graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..engine.backend import run_tasks
from ..engine.problem import Problem
from ..errors import UndefinedStrength, count
from ..types import Floats, Integers, Name, Progress
from .downstream import solve_downstream
from .matrix import Phi, make_phi
from .players import Arguments, Groups, Players

GRAPHS_PER_TASK = 64
MAX_NUMBERS_HELD = 1 << 24  # in lanes at a time: 128 MB


@dataclass(frozen=True)
class Removal:
    """φ_t(x) = σ(t) − σ₋ₓ(t): what the topic loses when x leaves."""

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


def _solve_without(
    problem: Problem, topics: tuple[Name, ...], players: Players, progress: Progress | None
) -> tuple[Integers, Floats]:
    """The columns of the players that act on a topic, and σ₋ₓ of the topics for each of them, (players, topics).

    A topic that acts on no other topic stays: its own strength without itself is not asked for.
    """
    own = [players.index(topic) for topic in players.find_topics(topics)]
    problem, asked, column_of = players.arrange(problem, topics)
    reached = np.zeros(len(problem.qbaf), np.intp)
    for place in asked:
        reached += problem.qbaf.structure.ancestors([place])
    members = np.flatnonzero(reached)
    columns = members if column_of is None else column_of[members]
    alone = columns[np.isin(columns, own) & (reached[members] == 1)]
    movers = np.setdiff1d(columns[columns >= 0], alone)
    # nothing else changes a topic
    inner = problem if len(members) == len(problem.qbaf) else replace(problem, qbaf=problem.qbaf._keep(reached > 0))
    places = np.searchsorted(members, asked).tolist()
    found, done = np.empty((len(movers), len(asked))), 0
    batches = solve_downstream(inner, places, columns, movers) or _solve_lanes(inner, places, columns, movers, players)
    for cut, strengths in batches:
        found[cut] = strengths
        done += len(strengths)
        if progress:
            progress(done, len(movers))
    return movers, found


def _solve_lanes(
    problem: Problem, topics: list[int], column_of: Integers, movers: Integers, players: Players
) -> Iterator[tuple[slice, Floats]]:
    """Solve the graph without each mover as a lane: which movers, and σ of the topics, (movers, topics)."""
    some = problem.lanes_per_task * max(1, MAX_NUMBERS_HELD // (problem.lanes_per_task * max(1, len(problem.qbaf))))
    for first in range(0, len(movers), some):
        gone = movers[first : first + some]
        present = column_of != gone[:, None]
        try:
            yield slice(first, first + some), problem.strengths(present)[:, topics]
        except UndefinedStrength as cause:
            name, alone = players.names[int(gone[cause.lane])], problem.undefined(0, present[cause.lane])
            raise alone.found_in(f"without {name!r}") from cause


@dataclass(frozen=True)
class IntrinsicRemoval:
    """φ_t(x) = σ(t) − σ₋ₓ(t), both after the edges into x were cut: what x gives of its own."""

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
        found, without = _solve_without(problem, topics, players, None)
        movers = found.tolist()
        values = np.zeros((len(topics), len(players)))
        values[:, movers] = -without.T
        cuts = [movers[first : first + GRAPHS_PER_TASK] for first in range(0, len(movers), GRAPHS_PER_TASK)]
        alone, executor = replace(problem, executor=None), problem.executor if len(cuts) > 1 else None
        column_of = players.column_of if isinstance(players, Groups) else np.arange(len(problem.qbaf))
        tasks, done = ((alone, cut, column_of, asked) for cut in cuts), 0
        for cut, own in zip(cuts, run_tasks(executor, _solve_without_parents, tasks), strict=True):
            values[:, cut] += own
            done += len(cut)
            if progress:
                progress(done, len(movers))
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
