"""Gradient: the slope of the topic's strength in an argument's base score, in an edge's weight, or of a whole group.

φ_t(x) = ∂σ(t)/∂τ(x)                                         (the paper, Definition 5)
edges: φ_t(r) = ∂σ(t)/∂w(r);    groups: the slope when all members move together
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..types import Floats, Name, Progress
from .cost import Cost, count_alone, find_steps, limit_minutes
from .device_slopes import can_sweep
from .edge_slopes import find_edge_slopes
from .list_slopes import SLOPE_TOLERANCE
from .matrix import Phi, Sides, make_phi
from .players import Arguments, Edges, Groups, Players
from .slopes import MAX_SWEPT_TOPICS, find_directional, find_slopes


@dataclass(frozen=True)
class Gradient:
    """φ_t(x) = ∂σ(t)/∂τ(x), exact; on cyclic graphs by the implicit function theorem.

    Parameters
    ----------
    max_minutes : float or None
        Refuse work that takes longer by its own count.
    """

    max_minutes: float | None = limit_minutes()

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count the graph once, and once more for each topic; whatever the number of players.

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
        return Cost(1, count_alone(problem, 1 + len(topics), find_steps(problem)))

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """One reverse sweep on an acyclic graph; one sparse system with cycles, and for many topics."""
        players = Arguments(problem.qbaf) if players is None else players
        sides: Mapping[tuple[Name, Any], Sides]
        if isinstance(players, Edges):
            values, strengths, sides, kinks = find_edge_slopes(problem, topics)
            values = np.ascontiguousarray(values[:, players.numbers])
            players.clear_absent(values, topics)
            sides = {key: each for key, each in sides.items() if key[1] in players}
        else:
            values, strengths, sides, kinks = find_slopes(problem, topics)
            if isinstance(players, Groups):
                values, sides = _add_up_groups(problem, topics, players, values, sides)
        few = len(topics) <= MAX_SWEPT_TOPICS or (can_sweep(problem) and not isinstance(players, Edges))
        swept = few and problem.qbaf.structure.acyclic
        how = "one sweep in reverse" if swept else "one sparse system"
        if problem.semantics.numeric:
            how += ", with numerical derivatives of the user's own formulas (good to about 1e-9)"
        return make_phi(problem, topics, values, strengths, "gradient", how, 1, players, sides=sides, kinks=kinks)


def _add_up_groups(
    problem: Problem,
    topics: tuple[Name, ...],
    players: Groups,
    slopes: Floats,
    bends: Mapping[tuple[Name, Any], Sides],
) -> tuple[Floats, dict[tuple[Name, Any], Sides]]:
    """The slope of each group, whose members move together: the sum of theirs, or both sides where it bends."""
    values = np.zeros((len(topics), len(players)))
    for row, own in zip(values, slopes, strict=True):
        np.add.at(row, players.column_of, own)
    sides: dict[tuple[Name, Any], Sides] = {}
    bent = [name for name in players if any((t, x) in bends for t in topics for x in players.members(name))]
    if not bent:
        return values, sides
    arrays, tau = problem.arrays, problem.qbaf.base_array
    here, base = problem.strengths()[0][arrays.order], tau[arrays.order]
    direction = np.array([players.column_of == players.index(name) for name in bent], float).T
    places = [problem.qbaf.index(topic) for topic in topics]
    above = find_directional(problem, here, base, direction)[places]
    below = -find_directional(problem, here, base, -direction)[places]
    for k, topic in enumerate(topics):
        for j, name in enumerate(bent):
            both = Sides(float(below[k, j]), float(above[k, j]))
            differ = abs(both.above - both.below) > SLOPE_TOLERANCE * max(1.0, abs(both.above))
            values[k, players.index(name)] = np.nan if differ else both.above
            if differ and name != topic:
                sides[topic, name] = both
    return values, sides
