"""Who plays: arguments, edges, the edges into a topic, or groups of arguments. The players are the columns of Φ.

Edges play on the line graph (`derived_graphs`), where each of them is an argument.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..engine.problem import Problem
from ..errors import Hint, InvalidInput, InvalidQbaf, UnknownName, quote_names, unknown_name
from ..graph.qbaf import ArgumentValues, Qbaf
from ..graph.validation import check_groups
from ..settings import check_integer, format_value
from ..types import Edge, Floats, Integers, Name
from .derived_graphs import LineGraph, copy_parents, derive, make_line_graph, make_star
from .shapley.game import Game

KINDS = ("arguments", "edges", "direct")

PlayersGiven = str | Mapping[str, Sequence[Name]]  # the parameter `players` of the public functions


class PlayerValues(ArgumentValues):
    """A mapping from player to number: arguments, edges or groups, as `players` says."""

    players: Any  # Players: a field or a property of the class that uses this

    @cached_property
    def keys_in_order(self) -> Any:
        """The players, in the order of `array`; the graph itself where they are its arguments."""
        return self.qbaf if isinstance(self.players, Arguments) else self.players


@dataclass(frozen=True)
class MissingEdge:
    """An edge that is not there, and the slope that its weight would have at 0."""

    source: Name
    target: Name
    kind: str  # "attack" or "support"
    slope: float  # of the gap, or of one topic's strength
    slopes: Mapping[Name, float]  # topic → slope of its strength


class EdgeQuestions:
    """What results whose players are edges can tell besides contributions."""

    problem: Any  # Problem: fields or properties of the class that uses this
    players: Any  # Players
    topics: Any  # tuple[Name, ...]: one, or fact and foil

    @property
    def sure(self) -> dict[Edge, int]:
        """Edge → the sign of its contribution whatever the base scores; edges whose sign depends on them are left out.

        1 means at least 0, −1 at most 0, and 0 that the edge has no path to a topic. It is known from the number of
        attacks on the paths of an acyclic graph, under the built-in semantics; where a cycle leads to a topic, nothing
        is claimed.
        """
        from .sure_signs import find_sure_signs

        self._need_edges("sure")
        return {edge: sign for edge, sign in find_sure_signs(self.problem, self.topics).items() if edge in self.players}

    def missing(self, limit: int = 3) -> list[MissingEdge]:
        """Find the edges that are not there and would matter most: the largest slopes at weight 0.

        Parameters
        ----------
        limit : int
            How many at most.

        Returns
        -------
        list of MissingEdge
            With `source`, `target`, `kind`, `slope` (of the gap, or of the topic's strength) and `slopes` by topic, the
            largest first. Self-loops and edges out of the topics are left out.
        """
        from .edge_slopes import find_missing_edges

        self._need_edges("missing")
        return find_missing_edges(self.problem, self.topics, check_integer(limit, "limit"))

    def _need_edges(self, what: str) -> None:
        if not isinstance(self.players, Edges):
            raise InvalidInput(f"{what} is about edges; here {self.players.kind} play: ask for players='edges'")


@dataclass(frozen=True, eq=False)
class Players(ABC):
    """The players of a graph, in the order of the columns of Φ, and the games that they play."""

    qbaf: Qbaf
    kind: ClassVar[str]
    noun: ClassVar[str]  # what messages call one

    @property
    @abstractmethod
    def names(self) -> Sequence[Any]:
        """The keys of results, in order."""

    @abstractmethod
    def index(self, name: Any) -> int:
        """Return the column of a player."""

    @abstractmethod
    def make_games(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """Make the game of each topic."""

    @abstractmethod
    def arrange(self, problem: Problem, topics: Sequence[Name]) -> tuple[Problem, list[int], Integers | None]:
        """A problem in which players leave as sets of arguments: it, its topics, and the column of each argument."""

    def find_topics(self, topics: Sequence[Name]) -> list[Name]:
        """Which of these topics are players themselves; they contribute to the other one, not to the contrast."""
        return []

    def clear_absent(self, values: Floats, topics: Sequence[Name]) -> None:
        """Set to 0 what players contribute to topics in whose games they do not play: none, as a rule."""
        return

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        try:
            self.index(name)
        except UnknownName:
            return False
        return True


@dataclass(frozen=True, eq=False)
class Arguments(Players):
    """Every argument plays."""

    kind: ClassVar[str] = "arguments"
    noun: ClassVar[str] = "argument"

    @property
    def names(self) -> Sequence[Name]:
        """The arguments."""
        return self.qbaf.arguments

    def index(self, name: Any) -> int:
        """Return the place of an argument."""
        return self.qbaf.index(name)

    def find_topics(self, topics: Sequence[Name]) -> list[Name]:
        """All of them."""
        return list(topics)

    def make_games(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """Make the game of each topic."""
        return [Game(problem, self.qbaf.index(topic)) for topic in topics]

    def arrange(self, problem: Problem, topics: Sequence[Name]) -> tuple[Problem, list[int], Integers | None]:
        """The problem itself."""
        return problem, [self.qbaf.index(topic) for topic in topics], None


@dataclass(frozen=True, eq=False)
class Groups(Players):
    """Groups of arguments play, each as one player; whoever is in no group plays alone."""

    groups: Mapping[str, tuple[Name, ...]]
    kind: ClassVar[str] = "groups"
    noun: ClassVar[str] = "group or argument"

    @cached_property
    def column_of(self) -> Integers:
        """The column of each argument's player: groups first, then all who play alone, in the graph's order."""
        found = np.full(len(self.qbaf), -1, np.intp)
        for number, members in enumerate(self.groups.values()):
            found[[self.qbaf.index(member) for member in members]] = number
        alone = found < 0
        found[alone] = np.arange(len(self.groups), len(self.groups) + alone.sum())
        return found

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The groups, then all arguments that play alone."""
        grouped = {member for members in self.groups.values() for member in members}
        return (*self.groups, *(name for name in self.qbaf.arguments if name not in grouped))

    @cached_property
    def _index(self) -> Mapping[Any, int]:
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: Any) -> int:
        """Return the column of a group, or of an argument that plays alone."""
        try:
            return self._index[name]
        except (KeyError, TypeError):
            group = next((each for each, members in self.groups.items() if name in members), None)
            if group is None:
                raise unknown_name(name, self.names, self.noun) from None
            raise UnknownName(f"{name!r} plays as a member of the group {group!r}; ask for {group!r}") from None

    def members(self, name: Any) -> tuple[Name, ...]:
        """Return the arguments of a player."""
        return self.groups.get(name, (name,))

    def find_topics(self, topics: Sequence[Name]) -> list[Name]:
        """All of them: a topic is in no group."""
        return list(topics)

    def make_games(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """Make the game of each topic."""
        return [Game(problem, self.qbaf.index(topic), self.column_of, self.names) for topic in topics]

    def arrange(self, problem: Problem, topics: Sequence[Name]) -> tuple[Problem, list[int], Integers | None]:
        """The problem itself, the members of a group in the same column."""
        return problem, [self.qbaf.index(topic) for topic in topics], self.column_of


class EdgeNames(Sequence[Edge]):
    """The edges of a graph as pairs (source, target), made when they are asked for."""

    def __init__(self, qbaf: Qbaf, numbers: Integers | None = None) -> None:
        self.qbaf = qbaf
        self.numbers = np.arange(len(qbaf.sources)) if numbers is None else numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self)[place]
        number, names = self.numbers[place], self.qbaf.arguments
        return names[int(self.qbaf.sources[number])], names[int(self.qbaf.targets[number])]

    def __iter__(self) -> Iterator[Edge]:
        names = self.qbaf.arguments
        ends = (each[self.numbers].tolist() for each in (self.qbaf.sources, self.qbaf.targets))
        return ((names[source], names[target]) for source, target in zip(*ends, strict=True))


@dataclass(frozen=True, eq=False)
class Edges(Players):
    """Every edge plays."""

    kind: ClassVar[str] = "edges"
    noun: ClassVar[str] = "edge"

    @cached_property
    def names(self) -> EdgeNames:
        """The edges, (source, target)."""
        return EdgeNames(self.qbaf)

    @cached_property
    def numbers(self) -> Integers:
        """The edges that play, by their numbers in the graph."""
        return self.names.numbers

    @cached_property
    def _index(self) -> Mapping[Any, int]:
        return {edge: place for place, edge in enumerate(self.names)}

    def index(self, name: Any) -> int:
        """Return the column of an edge."""
        if not isinstance(name, tuple) or len(name) != 2:
            raise UnknownName(f"{format_value(name)} is no edge; an edge is a pair (source, target)")
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise self._unknown(name) from None

    def _unknown(self, edge: Any) -> UnknownName:
        """Say which edges there are between arguments that exist; else guess what was meant."""
        source, target = edge
        if source not in self.qbaf or target not in self.qbaf:
            return unknown_name(edge, self.names, self.noun)
        if (target, source) in self._index:
            return UnknownName(f"no edge {edge!r} here; there is one in the other direction, {(target, source)!r}")
        ends = [end for start, end in self.names if start == source]
        found = f"the edges of {source!r} go to {quote_names(ends, 6)}" if ends else f"{source!r} has no edge"
        return UnknownName(f"no edge {edge!r} here; {found}")

    def make_games(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """Make the game of each topic, on the line graph."""
        line, places, column_of = self.arrange(problem, topics)
        return [Game(line, place, column_of, self.names) for place in places]

    def make_games_by_source(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """The same, but the edges out of a topic are always there in its own game."""
        games = []
        for game, topic in zip(self.make_games(problem, topics), topics, strict=True):
            assert game.column_of is not None
            column = game.column_of.copy()
            played = np.flatnonzero(column >= 0)
            column[played[self.qbaf.sources[column[played]] == self.qbaf.index(topic)]] = -1
            games.append(Game(game.whole, game.topic, column, self.names))
        return games

    def arrange(self, problem: Problem, topics: Sequence[Name]) -> tuple[Problem, list[int], Integers | None]:
        """The problem on the line graph."""
        places = tuple(self.qbaf.index(topic) for topic in topics)
        line = self.qbaf.structure.remember(LineGraph, places, lambda: make_line_graph(self.qbaf, places))
        return derive(problem, line), list(range(len(line.edges), len(line.origin))), line.column_of


@dataclass(frozen=True, eq=False)
class Direct(Edges):
    """The edges into the asked topics play, each in the game of its topic; all else stays as it is."""

    topics: tuple[Name, ...]
    kind: ClassVar[str] = "direct"

    def _unknown(self, edge: Any) -> UnknownName:
        if edge in (every := Edges(self.qbaf)):
            return UnknownName(f"the edge {edge!r} enters no topic; ask for players='edges' to have it play")
        return every._unknown(edge)

    @cached_property
    def names(self) -> EdgeNames:
        """The edges into the topics."""
        wanted = np.isin(self.qbaf.targets, [self.qbaf.index(topic) for topic in self.topics])
        return EdgeNames(self.qbaf, np.flatnonzero(wanted))

    def clear_absent(self, values: Floats, topics: Sequence[Name]) -> None:
        """An edge plays for the topic that it goes into."""
        places = np.array([self.qbaf.index(topic) for topic in topics])
        values[places[:, None] != self.qbaf.targets[self.numbers]] = 0.0

    def arrange(self, problem: Problem, topics: Sequence[Name]) -> tuple[Problem, list[int], Integers | None]:
        """The problem on the line graph, in which the other edges never leave."""
        line, places, edge_of = super().arrange(problem, topics)
        assert edge_of is not None
        column = np.minimum(np.searchsorted(self.numbers, edge_of), max(len(self) - 1, 0))
        plays = np.isin(edge_of, self.numbers)
        return line, places, np.where(plays, column, -1)

    def make_games(self, problem: Problem, topics: Sequence[Name]) -> list[Game]:
        """Make the game of each topic: with its parents alone where it does not act on them, else with their copies."""
        return [self._make_game(problem, self.qbaf.index(topic)) for topic in topics]

    def _make_game(self, problem: Problem, topic: int) -> Game:
        qbaf, edges = self.qbaf, np.flatnonzero(self.qbaf.targets == topic)
        column = np.searchsorted(self.numbers, edges)
        parents = qbaf.sources[edges]
        semantics = problem.semantics
        upstream = qbaf.structure.ancestors(parents.tolist())
        if not upstream[topic] and semantics.influence.neutral and semantics.bounded:
            star = make_star(qbaf, topic, edges)
            strengths = problem.strengths()[0]
            base = np.append(strengths[parents], qbaf.base_array[topic])
            return Game(derive(problem, star, base), len(edges), np.append(column, -1), self.names)
        copies = copy_parents(qbaf, topic, edges)
        column_of = np.concatenate((np.full(len(qbaf), -1, np.intp), column))
        return Game(derive(problem, copies), topic, column_of, self.names)


def make_players(qbaf: Qbaf, topics: Sequence[Name], players: PlayersGiven) -> Players:
    """Make the players that the parameter `players` asks for: a kind of KINDS, or a mapping of groups."""
    if isinstance(players, Mapping):
        try:
            groups = check_groups(players, qbaf.arguments, qbaf._index)
        except UnknownName as error:
            raise UnknownName(f"players: {error}") from None
        except InvalidQbaf as error:
            raise InvalidInput(f"players: {error}") from None
        for topic in topics:
            for group, members in groups.items():
                if topic in members:
                    raise InvalidInput(
                        f"players: group {group!r} holds {topic!r}, whose strength is explained: a topic cannot leave "
                        f"its own game; take {topic!r} out of the group"
                    )
        return Groups(qbaf, groups)
    kind = players if isinstance(players, str) else None
    if kind == "arguments":
        return Arguments(qbaf)
    if kind == "edges":
        return Edges(qbaf)
    if kind == "direct":
        return Direct(qbaf, tuple(topics))
    if kind == "groups" and qbaf.groups:
        return make_players(qbaf, topics, qbaf.groups)
    if kind == "groups":
        way = "set them by with_groups, or give players={name: [argument, ...]}"
        raise InvalidInput("the graph has no groups", hints=[Hint("groups", ("FILE",), in_python=way)])
    kinds = (*KINDS, "groups")
    raise InvalidInput(f"players is {format_value(players)}; give {quote_names(kinds)}, or {{group: [argument, ...]}}")
