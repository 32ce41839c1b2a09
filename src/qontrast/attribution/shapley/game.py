"""The game of a topic: its players, and what a coalition of them is worth.

    v(S) = σ(t) in the graph restricted to S ∪ {t};   φ_t(x) = Σ_S |S|! (n−|S|−1)!/n! · (v(S ∪ {x}) − v(S))

Players are arguments, or sets of arguments that come and go together; arguments of no player are always there. Only
ancestors of t can change its strength, so only players with an ancestor are kept here; the others get exactly 0, and
leave the shares of the rest unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...engine.problem import Problem
from ...errors import quote_names
from ...graph.qbaf import Qbaf
from ...types import Bools, Floats, Integers
from .coalitions import Neighbours, Words, find_connected_sets, find_neighbours, join_blocks


@dataclass(frozen=True, eq=False)
class Membership:
    """Who plays in the game of a topic: what does not depend on base scores."""

    columns: Integers  # of the players, in Φ
    members: Integers  # the topic and its ancestors, as places in the whole graph
    player_of: Integers  # of each member, the number of its player; −1 if it is always there
    graph: Qbaf  # restricted to the members; its base scores are not used


def find_members(qbaf: Qbaf, topic: int, column_of: Integers | None) -> Membership:
    """Find the ancestors of a topic, the graph restricted to them, and the players among them."""
    upstream = qbaf.structure.ancestors([topic])
    members = upstream.nonzero()[0]
    place = int(members.searchsorted(topic))
    if column_of is None:  # everyone is a player
        columns = np.concatenate((members[:place], members[place + 1 :]))
        player_of = np.arange(len(members))
        player_of[place:] -= 1
        player_of[place] = -1
    else:
        column = column_of[members]
        column[place] = -1
        columns = np.unique(column[column >= 0])
        player_of = np.where(column >= 0, np.searchsorted(columns, column), -1)
    graph = qbaf if len(members) == len(qbaf) else qbaf._keep(upstream)
    return Membership(columns, members, player_of, graph)


def mark_players(games: Sequence[Game], width: int) -> Bools:
    """Who plays in each game, (games, columns of Φ)."""
    playing = np.zeros((len(games), width), bool)
    for k, game in enumerate(games):
        playing[k, game.players] = True
    return playing


@dataclass(frozen=True, eq=False)
class Game:
    """The game of one topic on its ancestors; `players[i]` is the i-th player's column in Φ.

    `column_of` gives the column of each argument's player, −1 for arguments that are always there; without it every
    argument is a player, and its place is its column. `names` are the players' names by column.
    """

    whole: Problem
    topic: int
    column_of: Integers | None = None
    names: Any = None  # a sequence; the graph's arguments by default

    @cached_property
    def key(self) -> tuple[int, bytes | None]:
        """What tells the games on one graph apart."""
        return self.topic, None if self.column_of is None else self.column_of.tobytes()

    @cached_property
    def _found(self) -> Membership:
        qbaf = self.whole.qbaf
        return qbaf.structure.remember(Membership, self.key, lambda: find_members(qbaf, self.topic, self.column_of))

    @property
    def players(self) -> Integers:
        return self._found.columns

    @property
    def player_of(self) -> Integers:
        """Of each member the number of its player; −1 if it is always there."""
        return self._found.player_of

    @property
    def members(self) -> Integers:
        """The topic and its ancestors, as places in the whole graph, in the order of `problem`."""
        return self._found.members

    @cached_property
    def problem(self) -> Problem:
        """The same problem on the topic and its ancestors alone."""
        qbaf = self.whole.qbaf
        if len(self.members) == len(qbaf):
            return self.whole
        kept = self._found.graph._with(base_array=qbaf.base_array[self.members])
        return replace(self.whole, qbaf=kept)

    @cached_property
    def edges(self) -> tuple[Integers, Integers]:
        """Sources and targets, as numbers of players; the topic, and all that is always there, is the last."""
        qbaf = self.problem.qbaf
        number = np.where(self._found.player_of >= 0, self._found.player_of, len(self.players))
        return number[qbaf.sources], number[qbaf.targets]

    @cached_property
    def graph(self) -> Neighbours:
        return find_neighbours(len(self.players), *self.edges)

    @cached_property
    def is_plain(self) -> bool:
        """Whether every member but the topic is a player of its own."""
        return len(self.players) == len(self.members) - 1

    @cached_property
    def places(self) -> Integers:
        """The place of each player in `problem`, where each is one argument."""
        played = np.flatnonzero(self._found.player_of >= 0)
        return played[np.argsort(self._found.player_of[played])]

    @cached_property
    def topic_column(self) -> int:
        """The topic's place in `problem`."""
        return int(np.searchsorted(self.members, self.topic))

    def find_connected_sets(self, block: int) -> Iterator[tuple[Words, Words]]:
        """All connected sets with their in-boundaries, in blocks of about that size."""
        return join_blocks(find_connected_sets(self.graph, block), block)

    def name(self, player: int) -> Any:
        return (self.whole.qbaf.arguments if self.names is None else self.names)[int(self.players[player])]

    def present(self, coalitions: Bools) -> Bools:
        """Coalitions as lanes of `problem`: the topic is always there."""
        if self.is_plain:
            lanes = np.ones((len(coalitions), len(self.members)), bool)
            lanes[:, self.places] = coalitions
            return lanes
        always = np.ones((len(coalitions), 1), bool)
        return np.concatenate((coalitions, always), axis=1)[:, self._found.player_of]

    def values(self, coalitions: Bools) -> Floats:
        """v of each coalition; one without a defined strength is an error that names it."""
        if self.problem.device != "cpu":
            from ...engine.device_lanes import solve_column

            found, moving = solve_column(self.problem, coalitions, self.player_of, self.topic_column)
        else:
            solution = self.problem.solve(self.present(coalitions))
            found, moving = np.ascontiguousarray(solution.strengths[:, self.topic_column]), solution.moving
        bad = np.flatnonzero(moving)
        if len(bad):
            self.refuse(coalitions[bad[0]])
        return found

    def refuse(self, coalition: Bools) -> None:
        """Raise the error for a coalition that has no value."""
        cause = self.problem.undefined(0, self.present(coalition[None]))
        topic = self.whole.qbaf.arguments[self.topic]
        names = quote_names([self.name(i) for i in np.flatnonzero(coalition).tolist()])
        raise cause.found_in(f"the coalition {{{names}}} of the game of {topic!r} has no value") from cause
