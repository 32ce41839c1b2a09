"""Exact Shapley values: the cheaper of two ways, chosen by counting first.

    φ_t(x) = Σ_{S ⊆ players∖{x}} |S|! (n−|S|−1)!/n! · (v(S ∪ {x}) − v(S))        (the paper, Definition 6)

Acyclic graphs may go through all 2ⁿ coalitions of the topic's ancestors (`hypercube`), any graph through the
connected sets among them. With C a connected set, B its in-boundary, c = |C| and b = |B|, everyone else being free:

    φ_i = Σ_{C ∋ i} v(C) (c−1)! b!/(c+b)!  −  Σ_{C : i ∈ B} v(C) c! (b−1)!/(c+b)!
        = Σ_{C ∋ i} v(C) / (c · (c+b choose c))  −  Σ_{C : i ∈ B} v(C) / (b · (c+b choose b))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, inf
from typing import Literal

import numpy as np

from ...engine.problem import Problem
from ...errors import Hint, TooLarge, count
from ...settings import check_integer, setting
from ...types import Bools, Floats, Integers, Name, Progress
from ..cost import UPDATES_PER_COALITION, Cost, add_costs, count_lanes, find_max_updates, find_steps, limit_minutes
from ..matrix import Phi, make_phi
from ..players import Arguments, Players
from .coalitions import (
    Words,
    bound_connected_sets,
    estimate_connected_sets,
    find_connected_sets,
    join_blocks,
    pack,
    unpack,
)
from .game import Game
from .hypercube import hypercube

MAX_EVALUATIONS = 1 << 28
ROUNDING = 1e-15  # what sums of strengths leave of a contribution that is 0
MAX_PLAYERS_UNCOUNTED = 14  # all coalitions of so few are solved sooner than connected sets are counted
COST_PER_CONNECTED_SET = 60  # in coalitions of the hypercube
COST_PER_SET_ON_DEVICE = 1 << 14  # the same on a GPU
MAX_SETS_FOR_DEVICE = 1 << 22  # connected sets up to which they are counted where a GPU can do without them
COST_PER_SET_AS_LANE = 1 << 8  # in coalitions that are lanes of a GPU
MAX_SETS_KEPT = 1 << 14  # connected sets that a plan keeps
SETS_PER_BLOCK = 1 << 14  # connected sets that are solved at a time
NUMBERS_PER_BLOCK = 1 << 22  # connected sets × arguments that are solved at a time, where a graph is large
SETS_PER_DEVICE_BLOCK = 1 << 18  # the same on a GPU
MAX_SETS_COUNTED = 1 << 20  # connected sets that are counted in a moment; more are estimated

Sets = Iterable[tuple[Words, Words]]  # blocks of connected sets with their in-boundaries


@dataclass(frozen=True, eq=False)
class Plan:
    """The way to the Shapley values of one game, and how many sub-graphs it evaluates."""

    how: Literal["coalitions", "connected sets"]
    evaluations: int
    sets: tuple[tuple[Words, Words], ...] = ()  # the connected sets, where they are few enough to be kept
    estimated: bool = False  # whether the evaluations were not counted: an estimate good to a few percent
    stopped: bool = False  # whether counting was stopped, as there are more than can be solved

    def count(self, game: Game, steps: int) -> Cost:
        """Count the updates, where a lane of this game takes so many steps."""
        if self.how == "connected sets" or game.problem.device != "cpu":
            updates = count_lanes(game.problem, self.evaluations, steps)
        else:
            updates = float(UPDATES_PER_COALITION * self.evaluations)
        return Cost(self.evaluations, updates, "at least" if self.stopped else "about" if self.estimated else "")


@dataclass(frozen=True, eq=False)
class CheapPlan:
    """A plan within a limit, or that there is none."""

    plan: Plan | None


@dataclass(frozen=True)
class Shapley:
    """Compute exact Shapley values: the average of what an argument adds, over all coalitions of the others.

    Parameters
    ----------
    max_evaluations : int
        Refuse games that need more evaluations of sub-graphs than this.
    max_minutes : float or None
        Refuse work that takes longer by its own count.

    Examples
    --------
    >>> from qontrast import Qbaf, attribute
    >>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 1.0}, supports=[("x", "t"), ("y", "t")])
    >>> dict(attribute(q, "t", method=Shapley(max_evaluations=100), semantics="df-quad"))
    {'x': 0.25, 'y': 0.25}
    """

    max_evaluations: int = setting(
        MAX_EVALUATIONS, "Refuse games that need more evaluations of sub-graphs than this.", least=1, option="budget"
    )

    max_minutes: float | None = limit_minutes()

    def __post_init__(self) -> None:
        check_integer(self.max_evaluations, "max_evaluations", 1)

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count the coalitions or connected sets of all games; a plan that is made here is remembered.

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
        games, steps = players.make_games(problem, topics), find_steps(problem)
        return add_costs(plan.count(game, steps) for game, plan in zip(games, self._plan(games, steps), strict=True))

    def _plan(self, games: list[Game], steps: int) -> list[Plan]:
        limit = find_max_updates(self.max_minutes)
        return [make_plan(game, self.max_evaluations, max_sets=find_max_sets(game, limit, steps)) for game in games]

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """Each topic's own game, on its ancestors; all other players get 0."""
        players = Arguments(problem.qbaf) if players is None else players
        strengths = problem.strengths()[0]
        games = players.make_games(problem, topics)
        plans = self._plan(games, find_steps(problem))  # all are counted before the first is begun
        values, how, total = follow_plans(games, plans, len(players), progress)
        return make_phi(problem, topics, values, strengths, "shapley", how, total, players)


def follow_plans(
    games: list[Game], plans: list[Plan], width: int, progress: Progress | None
) -> tuple[Floats, str, int]:
    """Compute φ of every game as a row of `width` columns; how, in words; and the number of evaluations."""
    values, ways = np.zeros((len(games), width)), []
    found = run_games(games, plans, progress)
    for k, (game, plan) in enumerate(zip(games, plans, strict=True)):
        values[k, game.players] = np.where(np.abs(found[k]) <= ROUNDING, 0.0, found[k])
        ways.append(describe_plan(plan, game))
    return values, "; ".join(dict.fromkeys(ways)), sum(plan.evaluations for plan in plans)


def describe_plan(plan: Plan, game: Game) -> str:
    """Say how the values of a game are found: `32 coalitions over 5 players`."""
    sets = count(plan.evaluations, plan.how.removesuffix("s"))
    return f"{'about ' if plan.estimated else ''}{sets} over {count(len(game.players), 'player')}"


def find_cheap_plan(game: Game, limit: int) -> Plan | None:
    """Make a plan that costs no more than so many connected sets; None if there is none, which is found out soon."""
    n = len(game.players)
    if n > limit:  # every player is in a connected set
        return None
    key, make = (game.key, limit), partial(_find_cheap_plan, game, limit)
    return game.whole.qbaf.structure.remember(CheapPlan, key, make).plan


def _find_cheap_plan(game: Game, limit: int) -> CheapPlan:
    n = len(game.players)
    if game.is_plain and game.problem.arrays.acyclic and 1 << n <= COST_PER_CONNECTED_SET * limit:
        return CheapPlan(_plan(game, 1 << n, "", ()))
    if bound_connected_sets(n, *game.edges) > limit:
        return CheapPlan(None)
    return CheapPlan(_count_connected(game, min(limit, MAX_SETS_COUNTED)))


def find_max_sets(game: Game, max_updates: float, steps: int) -> float:
    """How many connected sets can be solved with so many updates, about."""
    if max_updates == inf:
        return inf
    block = game.problem.lanes_per_block
    return max(1.0, max_updates * block / count_lanes(game.problem, block, steps))


def make_plan(
    game: Game,
    max_evaluations: int,
    what: str = "exact Shapley",
    hints: Sequence[Hint] = (),
    max_sets: float = inf,
) -> Plan:
    """Make the plan once for all graphs that differ in base scores alone; messages say what takes long, and hints.

    Counting stops beyond `max_sets` connected sets: the plan is then too long to be followed.
    """
    key = (game.key, max_evaluations, game.problem.device, max_sets)
    name = f"{what} for {game.whole.qbaf.arguments[game.topic]!r} over {len(game.players):,} players"
    make = partial(_plan, game, max_evaluations, name, hints, max_sets)
    return game.whole.qbaf.structure.remember(Plan, key, make)


def _plan(game: Game, most: int, name: str, hints: Sequence[Hint], max_sets: float = inf) -> Plan:
    """Choose the cheaper way; counting stops as soon as it is decided, and what is long to count is estimated."""
    n = len(game.players)
    walked = game.is_plain and game.problem.qbaf.structure.acyclic
    cost, countable = COST_PER_CONNECTED_SET, most
    if game.problem.device != "cpu":  # it can solve all coalitions of any graph as lanes
        cost, walked = COST_PER_SET_ON_DEVICE if walked else COST_PER_SET_AS_LANE, True
        countable = MAX_SETS_FOR_DEVICE
    cube = walked and n < most.bit_length()
    if cube and n <= MAX_PLAYERS_UNCOUNTED:
        return Plan("coalitions", 1 << n)
    limit = min((1 << n) // cost, countable) if cube else most
    fewest = bound_connected_sets(n, *game.edges)
    if not cube and max_sets < fewest <= most:
        return Plan("connected sets", fewest, stopped=True)
    found = _count_connected(game, limit, inf if cube else max_sets) if fewest <= limit else None
    if found is not None and found.evaluations <= limit:
        return found
    if cube:
        return Plan("coalitions", 1 << n)
    least, about = (most + 1 if fewest <= most else fewest), "at least"
    if found is not None:
        least, about = found.evaluations, "about"
    needs = f"{about} {least:,}" if least < 10**15 else f"{about} 2^{least.bit_length() - 1}"
    raise TooLarge(
        f"{name} needs {needs} evaluations (limit {most:,})",
        hints=[*hints, *([Hint("max_evaluations", raised=True)] if least <= max_sets else [])],
    )


def run_games(games: list[Game], plans: list[Plan], progress: Progress | None) -> list[Floats]:
    """Compute φ of every game; small games on the same arguments are solved together."""
    if (
        len(games) > 1
        and all(plan.sets for plan in plans)
        and sum(plan.evaluations for plan in plans) <= SETS_PER_BLOCK
        and all(game.whole is games[0].whole for game in games)
        and all(np.array_equal(game.members, games[0].members) for game in games)
    ):
        return solve_together(games, [plan.sets for plan in plans], progress)
    return [
        hypercube(game, progress)
        if plan.how == "coalitions"
        else sum_connected_sets(game, plan.evaluations, plan.sets, progress)
        for game, plan in zip(games, plans, strict=True)
    ]


def _count_connected(game: Game, limit: int, max_sets: float = inf) -> Plan | None:
    """Count the connected sets, or estimate their number if they are many; None if they are more than a small limit.

    Beyond `max_sets`, which cannot be solved, counting stops.
    """
    kept: list[tuple[Words, Words]] = []
    count = 0
    for block in find_connected_sets(game.graph):
        count += len(block[0])
        if count > limit and limit <= MAX_SETS_COUNTED:
            return None
        if count > max_sets:
            return Plan("connected sets", count, stopped=True)
        if count > MAX_SETS_COUNTED:
            return Plan("connected sets", _round(max(count, estimate_connected_sets(game.graph)[0])), (), True)
        if count <= MAX_SETS_KEPT:
            kept.append(block)
    return Plan("connected sets", count, tuple(kept) if count <= MAX_SETS_KEPT else ())


def _round(number: float) -> int:
    """A number of three digits and zeros.

    >>> _round(123456.7)
    123000
    """
    return int(float(f"{number:.2e}"))


def sum_connected_sets(game: Game, count: int, sets: Sets = (), progress: Progress | None = None) -> Floats:
    """Compute φ of every player, in the order of `game.players`; `count` is the number of connected sets."""
    n = len(game.players)
    phi, done = np.zeros(n), 0
    some = block = SETS_PER_DEVICE_BLOCK
    if game.problem.device == "cpu":
        block = SETS_PER_BLOCK
        some = max(game.problem.lanes_per_block, min(block, NUMBERS_PER_BLOCK // max(1, n)))
    for members, out in join_blocks(sets or find_connected_sets(game.graph, block), block):
        for first in range(0, len(members), some):
            here = slice(first, first + some)
            inside = unpack(members[here], n)
            phi += _shares(inside, unpack(out[here], n), game.values(inside))
            done += len(inside)
            if progress:
                progress(min(done, count), count)  # which may be an estimate
    return phi


def solve_together(games: Sequence[Game], sets: Sequence[Sets], progress: Progress | None = None) -> list[Floats]:
    """Compute the same for topics with the same ancestors: a sub-graph that serves many games is solved once."""
    joined = [[np.concatenate(each) for each in zip(*blocks, strict=True)] for blocks in sets]
    inside, boundary = (
        [unpack(each[k], len(game.players)) for game, each in zip(games, joined, strict=True)] for k in (0, 1)
    )
    lanes = np.concatenate([game.present(each) for game, each in zip(games, inside, strict=True)])
    words, where = np.unique(pack(lanes), axis=0, return_inverse=True)
    solution = games[0].problem.solve(unpack(words, lanes.shape[1]))
    counts = [len(each) for each in inside]
    if solution.moving.any():  # one by one, they name the coalition
        return [sum_connected_sets(*each, progress) for each in zip(games, counts, sets, strict=True)]
    places = np.split(where.ravel(), np.cumsum(counts)[:-1])
    if progress:
        progress(sum(counts), sum(counts))
    return [
        _shares(inside[k], boundary[k], solution.strengths[places[k], game.topic_column])
        for k, game in enumerate(games)
    ]


def _shares(inside: Bools, boundary: Bools, values: Floats) -> Floats:
    """What these connected sets, with their in-boundaries, give to each player."""
    c, b = inside.sum(axis=1), boundary.sum(axis=1)
    rare = values * _rare(c, b)
    return np.asarray((rare / np.maximum(c, 1)) @ inside - (rare / np.maximum(b, 1)) @ boundary)


def _rare(c: Integers, b: Integers) -> Floats:
    """1 / (c+b choose c), each different pair once."""
    most = int(b.max()) + 1
    pairs, where = np.unique(c * most + b, return_inverse=True)
    return np.array([1 / comb(sum(each), each[0]) for each in (divmod(pair, most) for pair in pairs.tolist())])[where]
