"""The game of a topic: its players, and what a coalition of them is worth.

    v(S) = σ(t) in the graph restricted to S ∪ {t};   φ_t(x) = Σ_S |S|! (n−|S|−1)!/n! · (v(S ∪ {x}) − v(S))

Players are all other arguments. Only ancestors of t can change its strength, so only they are kept here; the
others get exactly 0, and leave the shares of the rest unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..engine.problem import Problem, make_problem
from ..errors import UndefinedStrength, quote_names
from ..graph.qbaf import Qbaf
from ..types import Bools, Floats, Integers, Name
from .shapley.coalitions import Neighbours, Words, find_connected_sets, find_neighbours, join_blocks


@dataclass(frozen=True, eq=False)
class Players:
    """The players of a topic, its ancestors: what does not depend on base scores."""

    places: Integers  # of the players in the whole graph
    members: Integers  # of the players and the topic
    graph: Qbaf  # restricted to the members; its base scores are not used


def find_players(qbaf: Qbaf, topic: int) -> Players:
    """Find the ancestors of a topic, and the graph restricted to them."""
    upstream = qbaf.structure.ancestors([topic])
    members = np.flatnonzero(upstream)
    whole = len(members) == len(qbaf)
    graph = qbaf if whole else qbaf.restrict([qbaf.arguments[i] for i in members.tolist()])
    return Players(members[members != topic], members, graph)


@dataclass(frozen=True, eq=False)
class Game:
    """The game of one topic on its ancestors; `players[i]` is the i-th player's place in the whole graph."""

    whole: Problem
    topic: int

    @cached_property
    def _found(self) -> Players:
        qbaf = self.whole.qbaf
        return qbaf.structure.remember(Players, self.topic, lambda: find_players(qbaf, self.topic))

    @property
    def players(self) -> Integers:
        return self._found.places

    @property
    def members(self) -> Integers:
        """The players and the topic, as places in the whole graph, in the order of `problem`."""
        return self._found.members

    @cached_property
    def problem(self) -> Problem:
        """The same problem on the topic and its ancestors alone."""
        qbaf = self.whole.qbaf
        if len(self.members) == len(qbaf):
            return self.whole
        kept = self._found.graph._with(base_array=qbaf.base_array[self.members])
        return make_problem(kept, self.whole.semantics, self.whole.solver, self.whole.max_steps, self.whole.executor)

    @cached_property
    def edges(self) -> tuple[Integers, Integers]:
        """Sources and targets, as numbers of players, the topic being the last."""
        qbaf = self.problem.qbaf
        number = np.empty(len(qbaf), np.intp)
        number[self._columns] = np.arange(len(self.players))
        number[self.topic_column] = len(self.players)
        return number[qbaf.sources], number[qbaf.targets]

    @cached_property
    def graph(self) -> Neighbours:
        return find_neighbours(len(self.players), *self.edges)

    @cached_property
    def _columns(self) -> Integers:
        return np.searchsorted(self.members, self.players)

    @cached_property
    def topic_column(self) -> int:
        """The topic's place in `problem`."""
        return int(np.searchsorted(self.members, self.topic))

    def find_connected_sets(self, block: int) -> Iterator[tuple[Words, Words]]:
        """All connected sets with their in-boundaries, in blocks of about that size."""
        return join_blocks(find_connected_sets(self.graph, block), block)

    def name(self, player: int) -> Name:
        return self.whole.qbaf.arguments[int(self.players[player])]

    def present(self, coalitions: Bools) -> Bools:
        """Coalitions as lanes of `problem`: the topic is always there."""
        lanes = np.zeros((len(coalitions), len(self.members)), bool)
        lanes[:, self._columns] = coalitions
        lanes[:, self.topic_column] = True
        return lanes

    def values(self, coalitions: Bools) -> Floats:
        """v of each coalition; one without a defined strength is an error that names it."""
        lanes = self.present(coalitions)
        solution = self.problem.solve(lanes)
        bad = np.flatnonzero(solution.moving)
        if len(bad):
            self._refuse(coalitions[bad[0]], self.problem.undefined(0, lanes[bad[0]]))
        return np.ascontiguousarray(solution.strengths[:, self.topic_column])

    def _refuse(self, coalition: Bools, cause: UndefinedStrength) -> None:
        topic = self.whole.qbaf.arguments[self.topic]
        names = quote_names([self.name(i) for i in np.flatnonzero(coalition).tolist()])
        raise UndefinedStrength(
            f"the coalition {{{names}}} of the game of {topic!r} has no value: {cause}",
            cause.arguments,
            cause.step,
        ) from cause
