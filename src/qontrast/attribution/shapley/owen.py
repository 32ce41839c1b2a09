"""Owen values: Shapley values of players that are joined in unions, each union's share divided among its members.

With m unions, a union g of k members, and v(∪H ∪ T) the value of whole unions H and some members T of g:

    φ_i = Σ_{H ⊆ other unions} Σ_{T ⊆ g∖i} |H|! (m−|H|−1)!/m! · |T|! (k−|T|−1)!/k! · (v(∪H ∪ T ∪ i) − v(∪H ∪ T))

The members of a union add up to what the union gets as one player. φ_i is also the mean of what i adds to those before
it, over the orders in which the members of a union follow each other without a gap; with `orders`, random ones of them
are drawn, each with its reverse, and the values have standard errors. Edges are joined by their source: the edges out
of an argument add up to that argument's Shapley value, since to remove it is to remove them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...engine.problem import Problem
from ...errors import Hint, TooLarge, count
from ...settings import check_integer, setting
from ...standard_errors import average
from ...types import Bools, Floats, Integers, Name, Progress
from ..cost import Cost, add_costs, count_lanes, find_steps, limit_minutes
from ..matrix import Phi, make_phi
from ..players import Arguments, Edges, Groups, Players
from .coalitions import keep_connected, list_coalitions, pack, unpack, weigh_coalitions, weigh_sizes
from .exact import ROUNDING
from .game import Game, mark_players
from .sampling import MIN_ORDERS, CoalitionValues, count_samples, list_gains, list_prefixes

MAX_EVALUATIONS = 1 << 22
ROWS_PER_BLOCK = 1 << 14  # coalitions that are solved at a time


@dataclass(frozen=True)
class Owen:
    """Divide each union's Shapley value among its members: the edges of one source, or the arguments of a group.

    Parameters
    ----------
    max_evaluations : int
        Refuse games that need more evaluations of sub-graphs than this.
    orders : int, optional
        Estimate the values from so many pairs of random orders, at least 10, where summing over all coalitions would
        take too long.
    seed : int
        The seed of the random numbers.
    max_minutes : float or None
        Refuse work that takes longer by its own count.

    Examples
    --------
    >>> from qontrast import Qbaf, attribute
    >>> q = Qbaf({"t": 0.5, "x": 0.5, "y": 0.0}, supports=[("x", "t"), ("x", "y"), ("y", "t")], semantics="df-quad")
    >>> edges = attribute(q, "t", players="edges", method="owen")
    >>> edges["x", "t"] + edges["x", "y"] == attribute(q, "t")["x"]
    True
    >>> found = attribute(q, "t", players={"both": ["x", "y"]}, method=Owen(orders=50), semantics="df-quad")
    >>> found["x"], found["y"], found.std_error["x"]
    (0.3125, 0.0625, 0.0)
    """

    max_evaluations: int = setting(
        MAX_EVALUATIONS, "Refuse games that need more evaluations of sub-graphs than this.", least=1, option="budget"
    )
    orders: int | None = setting(
        None,
        "Estimate from this many pairs of random orders, where unions are too large to be summed.",
        least=MIN_ORDERS,
    )
    seed: int = setting(0, "The seed of the random numbers.", least=0)
    max_minutes: float | None = limit_minutes()

    def __post_init__(self) -> None:
        check_integer(self.max_evaluations, "max_evaluations", 1)
        check_integer(self.seed, "seed")
        if self.orders is not None:
            check_integer(self.orders, "orders", MIN_ORDERS)

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count the coalitions of whole unions and members of one, or those on the way of the orders.

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
        games, _, union_of = _make_games(problem, topics, players)
        steps = find_steps(problem)
        if self.orders is not None:
            return add_costs(count_samples(each, 2 * self.orders * (len(each.players) + 1), steps) for each in games)
        counts = self._count_coalitions(games, union_of, topics, players)
        return add_costs(
            Cost(needed, count_lanes(game.problem, needed, steps)) for game, needed in zip(games, counts, strict=True)
        )

    def _count_coalitions(
        self, games: list[Game], union_of: Integers, topics: tuple[Name, ...], players: Players
    ) -> list[int]:
        """How many coalitions each game has; too many are refused."""
        unions = [_find_unions(game, union_of) for game in games]
        counts = [count_evaluations(np.bincount(each).tolist()) for each in unions]
        for topic, union, needed in zip(topics, unions, counts, strict=True):
            self._check_count(topic, union, needed, "edge" if isinstance(players, Edges) else "member")
        return counts

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """Each topic's own game; with groups, Φ has a column for each argument."""
        assert players is not None
        strengths = problem.strengths()[0]
        games, columns, union_of = _make_games(problem, topics, players)
        if self.orders is not None:
            playing = mark_players(games, len(columns))
            values, replicates, used = _follow_orders(games, union_of, len(columns), self.orders, self.seed, progress)
            how = f"{count(self.orders, 'pair')} of random orders, {count(used, 'evaluation')}, seed {self.seed}"
            return make_phi(problem, topics, values, strengths, "owen", how, used, columns, replicates, playing)
        counts = self._count_coalitions(games, union_of, topics, players)
        values, done = np.zeros((len(topics), len(columns))), 0
        for k, game in enumerate(games):
            union = _find_unions(game, union_of)
            for member, shares in _divide_unions(game, union):
                values[k, game.players[member]] = np.where(np.abs(shares) <= ROUNDING, 0.0, shares)
                done += 1 << len(member)
                if progress:
                    progress(min(sum(counts), done << (int(union.max()))), sum(counts))
        how = f"{count(sum(counts), 'coalition')} of whole unions and members of one"
        return make_phi(problem, topics, values, strengths, "owen", how, sum(counts), columns)

    def _check_count(self, topic: Name, union: Integers, needed: int, noun: str) -> None:
        if needed > self.max_evaluations:
            sizes = np.bincount(union)
            unions = count(len(sizes), "argument" if noun == "edge" else "group")
            written = f"{needed:,}" if needed < 10**15 else f"2^{needed.bit_length() - 1}"
            raise TooLarge(
                f"Owen values for {topic!r} over {unions} with up to {count(int(sizes.max()), noun)} need {written} "
                f"evaluations (limit {self.max_evaluations:,})",
                hints=[Hint("max_evaluations", raised=True), Hint("orders", (100,))],
            )


def _make_games(problem: Problem, topics: tuple[Name, ...], players: Players) -> tuple[list[Game], Players, Integers]:
    """The game of each topic, the players that are its columns, and the union of each of them."""
    if isinstance(players, Edges):
        return players.make_games_by_source(problem, topics), players, problem.qbaf.sources.astype(np.intp)
    assert isinstance(players, Groups)
    columns = Arguments(problem.qbaf)
    return columns.make_games(problem, topics), columns, players.column_of


def _find_unions(game: Game, union_of: Integers) -> Integers:
    """The number of the union of each player of a game."""
    return np.unique(union_of[game.players], return_inverse=True)[1]


def count_evaluations(sizes: Sequence[int]) -> int:
    """Σ over unions g of 2^(unions − 1 + members of g), from the sizes of the unions.

    >>> count_evaluations([1, 2]), count_evaluations([])
    (12, 0)
    """
    return sum(1 << (len(sizes) - 1 + size) for size in sizes)


def _divide_unions(game: Game, union: Integers) -> list[tuple[Integers, Floats]]:
    """The members of each union, as numbers of players, and their shares."""
    unions = int(union.max()) + 1 if len(union) else 0
    found, weights = [], weigh_sizes(unions) if unions else np.zeros(0)
    for own in range(unions):
        members = np.flatnonzero(union == own)
        inside = list_coalitions(len(members))
        averages = np.zeros(len(inside))  # of each set of members, over the coalitions of the other unions
        others = np.delete(np.arange(unions), own)
        block = max(1, ROWS_PER_BLOCK // len(inside))
        for first in range(0, 1 << len(others), block):
            outside = list_coalitions(len(others), first, min(first + block, 1 << len(others)))
            whole = np.zeros((len(outside), unions), bool)
            whole[:, others] = outside
            rows = np.repeat(whole[:, union], len(inside), axis=0)
            rows[:, members] = np.tile(inside, (len(outside), 1))
            values = solve_connected(game, rows).reshape(len(outside), -1)
            averages += weights[outside.sum(axis=1)] @ values
        found.append((members, averages @ weigh_coalitions(inside)))
    return found


def _follow_orders(
    games: list[Game], union_of: Integers, width: int, orders: int, seed: int, progress: Progress | None
) -> tuple[Floats, Floats, int]:
    """Values of all topics from the same orders, deviations whose squares add up to their variance, and evaluations."""
    rng = np.random.default_rng(seed)
    memos = [CoalitionValues(game) for game in games]
    drawn: list[list[tuple[Integers, list[bytes]]]] = []
    for _ in range(orders):
        unions, members = rng.permutation(int(union_of.max(initial=0)) + 1), rng.permutation(len(union_of))
        for turn in (1, -1):
            own = [np.lexsort((members[game.players], unions[union_of[game.players]]))[::turn] for game in games]
            drawn.append([(each, memo.note(list_prefixes(each))) for each, memo in zip(own, memos, strict=True)])
    used = sum(memo.evaluations for memo in memos)
    for memo in memos:
        memo.solve(progress and (lambda _, __: progress(sum(len(each.known) for each in memos), used)))
    added = np.zeros((2 * orders, len(games), width))
    for row, order in enumerate(drawn):
        for k, (own_order, keys) in enumerate(order):
            added[row, k, games[k].players] = list_gains(own_order, memos[k].recall(keys))
    return *average((added[::2] + added[1::2]) / 2), used


def solve_connected(game: Game, coalitions: Bools) -> Floats:
    """v of each coalition; those that differ in players without a way to the topic are solved once."""
    words, where = np.unique(pack(keep_connected(game.graph, coalitions)), axis=0, return_inverse=True)
    return game.values(unpack(words, coalitions.shape[1]))[where.ravel()]
