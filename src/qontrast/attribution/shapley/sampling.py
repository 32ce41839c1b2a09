"""Sampled Shapley values, with their standard errors, for games too large to be summed exactly.

`sampler="auto"` sums games exactly where that is quicker, unless a budget or a target is given, and takes the
regression for all others; `how` of the result says which. `"regression"` (on the connected frontier) needs the fewest
evaluations. `"permutations"` is the plain alternative: φ_i is the mean, over random orders, of what i adds to those
before it; each order is followed by its reverse, and the error comes from the spread over pairs of orders. All topics
are estimated from the same coalitions, so the error of a contrast is right too.

Standard errors come from pairs of orders, or from groups of the jackknife (`standard_errors`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...engine.problem import Problem
from ...errors import Hint, InvalidInput, TooLarge, count
from ...settings import check_choice, check_integer, check_number, setting
from ...standard_errors import average, find_errors, widen
from ...types import Bools, Floats, Integers, Name, Progress
from ..cost import Cost, add_costs, count_lanes, find_steps, limit_minutes
from ..matrix import Phi, make_phi
from ..players import Arguments, Players
from . import regression
from .coalitions import find_depth, keep_connected, pack, unpack
from .exact import Plan, find_cheap_plan, follow_plans
from .game import Game, mark_players

JACKKNIFE_GROUPS = 50  # the error itself is then good to a tenth
PAIRS_PER_DRAW = 64
MIN_PLAYERS_DRAWN_TOGETHER = 1000  # from which eight times as many pairs are drawn at a time
MIN_ORDERS = 10  # pairs of orders: with fewer, players that matter in few orders may not be met at all
MIN_EVALUATIONS = 40  # of a regression: with fewer, the jackknife has too few pairs beyond those that the fit meets
MAX_ORDERS = 5000  # pairs of orders: in a small game they cost no evaluations any more, but time
TASKS_PER_REPORT = 16  # that an executor gets between two reports of progress
SAMPLERS = ("auto", "regression", "permutations")
MIN_BUDGET = 2000  # evaluations for each topic, where none are given
EVALUATIONS_PER_PLAYER = 4  # where none are given, and there are many players: pairs of rows for each unknown
SETS_PER_EVALUATION = 4  # connected sets whose exact sum takes no longer than an evaluation and its share of the fit
MAX_MEMBERS_HELD = 1 << 29  # players × coalitions: half a GiB, and as much again at work

UPDATES_PER_MEMBER = 4  # to draw a player of a coalition, and to fit it
WORDS_PER_UPDATE = 64  # coalitions × players that are followed one edge further for the price of an update
WORK_PER_UPDATE = 50  # products of a fit: 0.1 to 0.2 ns each on a quiet core
SAMPLER = Hint("sampler", ("regression",), "(it needs fewer)")

_Order = list[tuple[Integers, list[bytes]]]  # by topic: its players as they come, and the coalitions on the way


@dataclass(frozen=True)
class Sampled:
    """Estimate Shapley values from random coalitions, with standard errors.

    Parameters
    ----------
    budget : int, optional
        Evaluations of sub-graphs for each topic; if not given, 2,000, or 4 for each player if that is more (20 for
        "permutations"). At least 40, and 2 for each player (20 for "permutations"), or as many as there are
        coalitions.
    seed : int
        The seed of the random numbers.
    sampler : {"auto", "regression", "permutations"}
        How coalitions are drawn and put together; "regression" needs fewer. "auto" uses the regression too, but where
        neither budget nor target is given it computes the exact values, whose standard errors are 0, if that is
        quicker; `how` says which.
    target : float, optional
        Double the budget until the largest standard error is at most this.
    max_budget : int
        The budget at which that ends with an error.
    max_minutes : float or None
        Refuse work that takes longer by its own count; with a target, the count of the first budget.

    Examples
    --------
    >>> from qontrast import Qbaf, attribute
    >>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 1.0}, supports=[("x", "t"), ("y", "t")])
    >>> found = attribute(q, "t", method=Sampled(budget=200), semantics="df-quad")
    >>> round(found["x"], 6), round(found.std_error["x"], 6)
    (0.25, 0.0)
    """

    budget: int | None = setting(
        None,
        "How many sub-graphs are evaluated for each topic; by default 2,000, or 4 for each player if that is more.",
        least=1,
    )
    seed: int = setting(0, "The seed of the random numbers.", least=0)
    sampler: str = setting(
        "auto",
        'How coalitions are drawn: "regression", "permutations", or "auto", which sums exactly where that is quicker.',
    )
    target: float | None = setting(None, "Double the budget until the largest standard error is at most this.")
    max_budget: int = setting(200_000, "The budget at which a target that is not reached is an error.", least=1)
    max_minutes: float | None = limit_minutes()

    def count(self, problem: Problem, topics: tuple[Name, ...], players: Players) -> Cost:
        """Count the budget of each topic, and what it takes to draw the coalitions and to fit them.

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
        self._check()
        games, steps = players.make_games(problem, topics), find_steps(problem)
        budget, plans = self._choose_budget(_find_largest(games)), self._find_exact_plans(games)
        if plans is not None:
            return add_costs(plan.count(game, steps) for game, plan in zip(games, plans, strict=True))
        _Run(games, len(players), np.random.default_rng(self.seed), None).check_budget(budget, self.sampler)
        fitted = self.sampler != "permutations"
        return add_costs(count_samples(game, budget, steps, fitted) for game in games)

    def _find_exact_plans(self, games: list[Game]) -> list[Plan] | None:
        """The plans to sum all games exactly, if that is quicker and neither budget nor target is given."""
        if self.sampler != "auto" or self.budget is not None or self.target is not None:
            return None
        most = _find_largest(games)
        limit = min(SETS_PER_EVALUATION * self._choose_budget(most), MAX_MEMBERS_HELD // max(1, most))
        plans = [find_cheap_plan(game, limit) for game in games]
        found = [plan for plan in plans if plan is not None]
        return found if len(found) == len(plans) else None

    def __call__(
        self,
        problem: Problem,
        topics: tuple[Name, ...],
        progress: Progress | None = None,
        players: Players | None = None,
    ) -> Phi:
        """All topics from the same coalitions, until the budget or the target is met."""
        self._check()
        players = Arguments(problem.qbaf) if players is None else players
        games = players.make_games(problem, topics)
        budget, plans = self._choose_budget(_find_largest(games)), self._find_exact_plans(games)
        if plans is not None:
            return _sum_exactly(problem, topics, games, plans, progress, players)
        run = _Run(games, len(players), np.random.default_rng(self.seed), progress)
        playing = mark_players(games, len(players))
        while True:
            estimate = run.permutations if self.sampler == "permutations" else run.regression
            values, replicates = estimate(budget)
            errors = find_errors(np.square(replicates).sum(axis=0), len(replicates), playing)
            worst = float(errors.max(initial=0.0))
            if self.target is None or worst <= self.target:
                break
            if budget >= self.max_budget:
                raise TooLarge(
                    f"after {count(budget, 'evaluation')} the standard error is {worst:.2g}, not yet {self.target:g}",
                    hints=[Hint("max_budget", raised=True), Hint("target", raised=True)],
                )
            budget = min(2 * budget, self.max_budget)
        used = sum(memo.evaluations for memo in run.values_of)
        sampler = "permutations" if self.sampler == "permutations" else "regression"
        how = f"{sampler}, {count(used, 'evaluation')}, seed {self.seed}"
        strengths = problem.strengths()[0]
        return make_phi(problem, topics, values, strengths, "sampled", how, used, players, replicates, playing)

    def _choose_budget(self, players: int) -> int:
        """The budget that was given, or one for so many players."""
        least, room = 2 * players + 2, MAX_MEMBERS_HELD // max(1, players)
        usual = max(least, min(EVALUATIONS_PER_PLAYER * players + 2, room))
        if self.sampler == "permutations":
            usual = 2 * MIN_ORDERS * players + 2
        budget = max(MIN_BUDGET, usual) if self.budget is None else self.budget
        return budget if self.target is None else min(budget, self.max_budget)

    def _check(self) -> None:
        check_choice(self.sampler, SAMPLERS, "sampler")
        if self.budget is not None:
            check_integer(self.budget, "budget", 1)
        check_integer(self.max_budget, "max_budget", 1)
        check_integer(self.seed, "seed")
        if self.target is not None and check_number(self.target, "target", "give a number above 0") <= 0:
            raise InvalidInput(f"target is {self.target!r}; give a number above 0")


def _sum_exactly(
    problem: Problem,
    topics: tuple[Name, ...],
    games: list[Game],
    plans: list[Plan],
    progress: Progress | None,
    players: Players,
) -> Phi:
    """Φ without any error, and the words that say so."""
    values, how, used = follow_plans(games, plans, len(players), progress)
    strengths, exactly = problem.strengths()[0], f"exact, as that is quicker than sampling: {how}"
    nothing = np.zeros((2, *values.shape))
    return make_phi(problem, topics, values, strengths, "sampled", exactly, used, players, nothing)


@dataclass
class _Run:
    """The games of all topics, with what was drawn and found out so far."""

    games: list[Game]
    width: int  # the number of columns of Φ
    rng: np.random.Generator
    progress: Progress | None
    drawn: list[Bools] = field(default_factory=list)
    orders: list[list[_Order]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.most = _find_largest(self.games)
        # players of some topic, and where the players of each topic are among them
        columns = [game.players for game in self.games]
        self.everyone = columns[0] if len(columns) == 1 else np.unique(np.concatenate(columns))
        self.columns = [np.searchsorted(self.everyone, game.players) for game in self.games]
        self.keys: list[list[bytes]] = [[] for _ in self.games]

    @cached_property
    def values_of(self) -> list[CoalitionValues]:
        return [CoalitionValues(game) for game in self.games]

    def check_budget(self, budget: int, sampler: str) -> None:
        """Refuse a budget that is too small for so many players, and one that does not fit into memory."""
        hints: list[Hint] = []
        if sampler == "permutations":
            needed, hints = 2 * MIN_ORDERS * len(self.everyone) + 2, [SAMPLER]
            least = min(needed, 1 << min(len(self.everyone), 62))  # there are no more than 2^n coalitions
        else:
            least = min(max(2 * self.most + 2, MIN_EVALUATIONS), 1 << min(self.most, 62))  # or all coalitions
        if budget < least:
            raise InvalidInput(
                f"{budget:,} evaluations are too few for {self.most:,} players; give a budget of {least:,} or more",
                hints=hints,
            )
        if budget * len(self.everyone) > MAX_MEMBERS_HELD:
            raise TooLarge(
                f"{budget:,} coalitions of {len(self.everyone):,} players do not fit into memory "
                f"(limit {MAX_MEMBERS_HELD:,} members of all coalitions)"
            )

    def regression(self, budget: int) -> tuple[Floats, Floats]:
        self.check_budget(budget, "regression")
        self._draw(budget)
        coalitions = np.concatenate(self.drawn) if self.drawn else np.zeros((0, len(self.everyone)), bool)
        values = np.zeros((len(self.games), self.width))
        groups = max(2, min(JACKKNIFE_GROUPS, len(coalitions) // 4))
        replicates = np.zeros((groups, *values.shape))
        for k, (game, memo) in enumerate(zip(self.games, self.values_of, strict=True)):
            if len(game.players):
                everyone = len(game.players) == len(self.everyone)
                own, known = coalitions if everyone else coalitions[:, self.columns[k]], memo.recall(self.keys[k])
                ends = memo.empty, memo.full, groups
                if regression.is_too_large(len(game.players), len(own)):
                    found = regression.fit_single_players(own, known, *ends)
                else:
                    made = regression.choose_basis(game.graph, budget, len(own))
                    found = regression.fit(made, own, known, *ends)
                values[k, game.players], replicates[:, k, game.players] = found
        return values, replicates * widen(groups)

    def _draw(self, budget: int) -> None:
        """Draw pairs until some topic has spent its budget, or the draws are four times as many."""
        rows = sum(map(len, self.drawn))
        enough = min(4 * budget, MAX_MEMBERS_HELD // max(1, len(self.everyone)))
        pairs = PAIRS_PER_DRAW * (8 if len(self.everyone) >= MIN_PLAYERS_DRAWN_TOGETHER else 1)
        while rows < enough and len(self.everyone):
            some = regression.draw(self.rng, pairs, len(self.everyone))
            looked = [memo.keys(some[:, own]) for memo, own in zip(self.values_of, self.columns, strict=True)]
            cut = min(_count_affordable(memo, keys, budget) for memo, keys in zip(self.values_of, looked, strict=True))
            self.drawn.append(some[:cut])
            for memo, kept, keys in zip(self.values_of, self.keys, looked, strict=True):
                memo.note_keys(keys[:cut])
                kept.extend(keys[:cut])
            rows += cut
            if cut < len(some):
                break
        self._solve(budget)

    def permutations(self, budget: int) -> tuple[Floats, Floats]:
        """Pairs of orders until the next could overspend."""
        n = len(self.everyone)
        self.check_budget(budget, "permutations")
        while n and (len(self.orders) < MIN_ORDERS or self._spent() + 2 * n <= budget):
            order = self.rng.permutation(n)
            self.orders.append([self._note(order), self._note(order[::-1])])
            enough = len(self.orders) >= MIN_ORDERS and 2 * n * len(self.orders) >= 4 * budget
            if enough or len(self.orders) >= MAX_ORDERS:
                break
        self._solve(budget)
        if not n:
            shape = (len(self.games), self.width)
            return np.zeros(shape), np.zeros((2, *shape))
        return average(np.array([(self._added(a) + self._added(b)) / 2 for a, b in self.orders]))

    def _spent(self) -> int:
        return max(memo.evaluations for memo in self.values_of)

    def _solve(self, budget: int) -> None:
        """Solve all coalitions that were noted, of one topic after the other."""
        for memo in self.values_of:
            memo.solve(self._report(budget) if self.progress else None)

    def _report(self, budget: int) -> Progress:
        def report(done: int, of: int) -> None:
            assert self.progress is not None
            self.progress(min(budget, sum(len(each.known) for each in self.values_of) // len(self.values_of)), budget)

        return report

    def _note(self, order: Integers) -> _Order:
        """The coalitions on the way of this order, for every topic: who comes when, and their keys."""
        rank = np.empty(len(order), np.intp)
        rank[order] = np.arange(len(order))
        own = [np.argsort(rank[columns]) for columns in self.columns]
        return [(each, memo.note(list_prefixes(each))) for each, memo in zip(own, self.values_of, strict=True)]

    def _added(self, order: _Order) -> Floats:
        """What each argument adds in this order, for every topic."""
        added = np.zeros((len(self.games), self.width))
        for k, (own, keys) in enumerate(order):
            added[k, self.games[k].players] = list_gains(own, self.values_of[k].recall(keys))
        return added


def _find_largest(games: list[Game]) -> int:
    """The number of players of the largest game."""
    return max((len(game.players) for game in games), default=0)


def count_samples(game: Game, evaluations: int, steps: int, fitted: bool = False) -> Cost:
    """Count what so many random coalitions of a game take: to find their connected parts, to solve and to fit them."""
    n = len(game.players)
    evaluations = min(evaluations, 1 << min(n, 62))
    members = n * (UPDATES_PER_MEMBER + find_depth(n, *game.edges) / WORDS_PER_UPDATE)
    sets = n + min(regression.MAX_SETS, regression.SETS_PER_EVALUATION * evaluations)
    fit = min(regression.MAX_WORK, evaluations * sets**2) / WORK_PER_UPDATE if fitted else 0.0
    return Cost(evaluations, count_lanes(game.problem, evaluations, steps) + evaluations * members + fit)


def _count_affordable(memo: CoalitionValues, keys: list[bytes], budget: int) -> int:
    """How many of these coalitions, in whole pairs, fit into the budget."""
    fresh: set[bytes] = set()
    for row, key in enumerate(keys):
        if memo.is_new(key):
            fresh.add(key)
        if memo.evaluations + len(fresh) > budget:
            return row - row % 2
    return len(keys)


class CoalitionValues:
    """Memoised values v(S) of one game, keyed by the part of S that is connected to the topic.

    Coalitions are noted first and solved later, many at a time: so an executor gets tasks that are worth sending.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[bytes, float] = {}
        self.waiting: dict[bytes, None] = {}  # in the order of their coming
        ends = np.zeros((2, len(game.players)), bool)
        ends[1] = True
        self.empty, self.full = self.recall(self.note(ends)).tolist()

    @property
    def evaluations(self) -> int:
        """How many sub-graphs are solved for them."""
        return len(self.known) + len(self.waiting)

    def keys(self, coalitions: Bools) -> list[bytes]:
        """Which sub-graph each coalition stands for."""
        words = pack(keep_connected(self.game.graph, coalitions))
        raw, width = words.tobytes(), words.shape[1] * 8
        return [raw[k : k + width] for k in range(0, len(raw), width)]

    def is_new(self, key: bytes) -> bool:
        return key not in self.known and key not in self.waiting

    def note(self, coalitions: Bools) -> list[bytes]:
        """Remember to solve these; their keys."""
        keys = self.keys(coalitions)
        self.note_keys(keys)
        return keys

    def note_keys(self, keys: list[bytes]) -> None:
        self.waiting.update((key, None) for key in keys if key not in self.known)

    def solve(self, progress: Progress | None = None) -> None:
        """Solve what was noted; progress is reported as (solved, evaluations)."""
        keys, problem = list(self.waiting), self.game.problem
        some = problem.lanes_per_task * (1 if problem.executor is None else TASKS_PER_REPORT)
        for first in range(0, len(keys), some):
            block = keys[first : first + some]
            words = np.frombuffer(b"".join(block), np.uint64).reshape(len(block), -1)
            values = self.game.values(unpack(words, len(self.game.players)))
            self.known.update(zip(block, values.tolist(), strict=True))
            if progress:
                progress(len(self.known), self.evaluations)
        self.waiting.clear()

    def recall(self, keys: list[bytes]) -> Floats:
        """The values of noted coalitions."""
        if self.waiting:
            self.solve()
        return np.array([self.known[key] for key in keys])


def list_prefixes(order: Integers) -> Bools:
    """The coalitions met on the way: (n + 1, n), from none to all, in the given order."""
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return place < np.arange(len(order) + 1)[:, None]


def list_gains(order: Integers, values: Floats) -> Floats:
    """What each player added, from the values of the prefixes."""
    added = np.empty(len(order))
    added[order] = np.diff(values)
    return added
