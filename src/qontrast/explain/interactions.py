"""Find out which two players work together, and which overlap.

For one topic, the interaction of two players is what they add together beyond what each of them adds alone, averaged
over coalitions of the others. For a contrast it is that of the fact minus that of the foil:

    I(ij) = I_fact(ij) − I_foil(ij)

Each unordered pair is counted once. In the game of the fact the foil plays too, and the other way round; the pairs with
the other topic are reported beside, as `cross_topic`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from ..attribution.cost import add_costs, find_steps, warn_or_refuse
from ..attribution.matrix import View
from ..attribution.players import Arguments, Players, PlayersGiven, make_players
from ..attribution.shapley.exact import MAX_EVALUATIONS, describe_plan, make_plan, run_games
from ..attribution.shapley.game import Game
from ..attribution.shapley.interactions import INDICES, find_pairs, find_set
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import Hint, InvalidInput, UnknownName, quote_names, unknown_name
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result, Schema
from ..results.order import rank_contributions
from ..semantics import Semantics
from ..settings import check_choice, check_integer, check_progress
from ..types import Floats, Name, Progress

SCHEMA = Schema(
    "qontrast/interactions/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with; `null` if there is none",
        "index": "the index: `sii`, `stii` or `k-sii`",
        "players": "who interacts: `arguments`, `edges`, `direct` (edges into the topics) or `groups`",
        "semantics": "name of the semantics",
        "strengths": "argument → strength",
        "gap": "σ(fact) − σ(foil); σ(fact) if there is no foil",
        "base_gap": "the same for base scores",
        "pairs": "list of `pair` (two players) and `value`, the largest first; pairs of value 0 are left out",
        "singles": "player → what it contributes by itself, under this index",
        "cross_topic": "player → its interaction with the other topic",
        "cross_topic_single": "what the topics contribute to each other by themselves",
        "how": "how it was computed, in words",
        "evaluations": "how many sub-graphs were evaluated",
    },
    source="`interactions`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Interactions(Mapping[tuple[Any, Any], float], Result, Plottable, schema=SCHEMA):
    """A mapping from pairs of players to their interaction, in either order of the pair, with its context.

    Attributes
    ----------
    problem, fact, foil
        The question; `foil` is None for one topic.
    index
        "sii", "stii" or "k-sii".
    players
        Who interacts, in the order of `matrix`.
    matrix
        The interactions, symmetric, 0 on the diagonal; NaN at topics.
    cross_topic
        Player → its interaction with the other topic: I_fact(i, foil) − I_foil(i, fact).
    strengths
        The strengths of all arguments.
    how, evaluations, max_evaluations
        How it was computed, in words, how many sub-graphs were evaluated, and how many might have been.
    pair_sums
        Σ_j I_t(ij) for each topic t and player i, the other topic included.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 0.5, "y": 1.0}, supports=[("x", "t")], attacks=[("y", "x")], semantics="df-quad")
    >>> found = interactions(q, "t")
    >>> found["x", "y"] == found["y", "x"] == -0.25
    True
    """

    problem: Problem
    fact: Name
    foil: Name | None
    index: str
    players: Players
    matrix: Floats
    cross_topic: Mapping[Any, float]
    strengths: Mapping[Name, float]
    how: str
    evaluations: int
    pair_sums: Floats
    max_evaluations: int

    @property
    def qbaf(self) -> Qbaf:
        """The graph."""
        return self.problem.qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.problem.semantics.name

    @property
    def method(self) -> str:
        """The index."""
        return self.index

    @cached_property
    def left_out(self) -> tuple[Any, ...]:
        """The topics, where they are among the players."""
        return tuple(self.players.find_topics(_list_topics(self.fact, self.foil)))

    @property
    def gap(self) -> float:
        """σ(fact) − σ(foil); σ(fact) if there is no foil."""
        return self.strengths[self.fact] - (0.0 if self.foil is None else self.strengths[self.foil])

    @property
    def base_gap(self) -> float:
        """τ(fact) − τ(foil); τ(fact) if there is no foil."""
        scores = self.qbaf.base_scores
        return scores[self.fact] - (0.0 if self.foil is None else scores[self.foil])

    @cached_property
    def _singles(self) -> tuple[Floats, float]:
        """The singles of all players, and those of the topics for each other."""
        topics, size = _list_topics(self.fact, self.foil), len(self.players)
        games = self.players.make_games(self.problem, topics)
        if self.index == "stii":
            found = [_find_gains_alone(game) for game in games]
        else:
            found = run_games(games, [make_plan(game, self.max_evaluations) for game in games], None)
        singles = np.zeros((len(topics), size))
        for row, game, own in zip(singles, games, found, strict=True):
            row[game.players] = own
        if self.index == "k-sii":
            singles -= self.pair_sums / 2
        if len(topics) == 1:
            return (singles[0] if self.foil is None else np.zeros(size)), 0.0
        places = [self.players.index(topic) for topic in self.left_out]
        crossed = float(singles[0, places[1]] - singles[1, places[0]]) if places else 0.0
        return singles[0] - singles[1], crossed

    @cached_property
    def singles(self) -> Mapping[Any, float]:
        """What each player contributes by itself: φ (sii), v(i) − v(∅) (stii), or φ − ½ Σ_j SII(ij) (k-sii)."""
        return View(self.players, self._singles[0], self.left_out)

    @property
    def cross_topic_single(self) -> float:
        """What the topics contribute to each other by themselves."""
        return self._singles[1]

    @property
    def residual(self) -> float:
        """gap − base gap − all singles and pairs, those with the other topic included: 0 for stii and k-sii."""
        within = sum(self.singles.values()) + sum(self.values())
        return self.gap - self.base_gap - within - sum(self.cross_topic.values()) - self.cross_topic_single

    @cached_property
    def _names(self) -> list[Any]:
        return [name for name in self.players if name not in self.left_out]

    def __getitem__(self, pair: Any) -> float:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise UnknownName(f"{pair!r} is no pair; ask for the interaction of two players, [a, b]")
        for name in pair:
            if name in self.left_out:
                raise UnknownName(f"{name!r} is a topic; cross_topic has the interactions with the other topic")
        return float(self.matrix[self.players.index(pair[0]), self.players.index(pair[1])])

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        names = self._names
        return ((one, other) for k, one in enumerate(names) for other in names[k + 1 :])

    def __len__(self) -> int:
        return len(self._names) * (len(self._names) - 1) // 2

    def strongest(self, limit: int = 10) -> list[tuple[tuple[Any, Any], float]]:
        """List the pairs with the largest interactions, the largest first; ties by name.

        Parameters
        ----------
        limit : int
            How many at most.

        Returns
        -------
        list of ((player, player), float)
            Pairs without an interaction are left out.
        """
        check_integer(limit, "limit")
        places = [self.players.index(name) for name in self._names]
        inner = np.triu(self.matrix[np.ix_(places, places)], 1)
        rows, columns = np.nonzero(inner)
        found = [((self._names[i], self._names[j]), float(inner[i, j])) for i, j in zip(rows, columns, strict=True)]
        return rank_contributions(dict(found))[:limit]

    def among(self, *players: Any) -> float:
        """Compute the interaction of two or more players, named one by one.

        Parameters
        ----------
        *players
            Two or more different ones.

        Returns
        -------
        float
            For two of them the same as `[a, b]`. For three it is what the three add together beyond what each of them
            and each two of them add, averaged over coalitions of the others; and so on.

        Raises
        ------
        UnknownName
            If one of them does not play.
        InvalidInput
            If fewer than two are named, one is named twice, or the index is "k-sii" and there are more than two.
        """
        if len(players) < 2 or len(set(players)) < len(players):
            raise InvalidInput(f"the players are {quote_names(players)}; name two or more different ones")
        if len(players) == 2:
            return self[players[0], players[1]]
        if self.index == "k-sii":
            raise InvalidInput("k-sii is of pairs here; ask for index='sii' or 'stii' for more than two players")
        for player in players:
            if player in self.left_out:
                raise unknown_name(player, self._names, self.players.noun)
        columns = [self.players.index(player) for player in players]
        found = []
        for game in self.players.make_games(self.problem, _list_topics(self.fact, self.foil)):
            inside = all(column in game.players for column in columns)
            numbers = np.searchsorted(game.players, columns).tolist()
            found.append(find_set(game, numbers, self.index == "stii") if inside else 0.0)
        if self.foil is None:
            return found[0]
        return 0.0 if len(found) == 1 else found[0] - found[1]

    def to_shapiq(self) -> Any:
        """Convert to `shapiq.InteractionValues`, with players numbered as in `list(players)` without the topics.

        Returns
        -------
        shapiq.InteractionValues

        Raises
        ------
        ImportError
            If shapiq is not installed.
        """
        from ..extras import require

        shapiq = require("shapiq", "to_shapiq()")
        singles = list(self.singles.values())
        pairs = dict(self.items())
        number = {name: k for k, name in enumerate(self._names)}
        lookup: dict[tuple[int, ...], int] = {(): 0}
        values = [self.base_gap]
        for k, value in enumerate(singles):
            lookup[k,] = len(values)
            values.append(value)
        for (one, other), value in pairs.items():
            lookup[number[one], number[other]] = len(values)
            values.append(value)
        return shapiq.InteractionValues(
            np.array(values),
            index={"sii": "SII", "stii": "STII", "k-sii": "k-SII"}[self.index],
            max_order=2,
            n_players=len(singles),
            min_order=0,
            interaction_lookup=lookup,
            estimated=False,
            baseline_value=self.base_gap,
        )

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """For each two players with an interaction their `pair` and its `value`, the largest first."""
        return [{"pair": list(pair), "value": value} for pair, value in self.strongest(len(self))]

    def _computed_fields(self) -> dict[str, Any]:
        return {"players": self.players.kind}


def _list_topics(fact: Name, foil: Name | None) -> list[Name]:
    return [fact] if foil is None or foil == fact else [fact, foil]


def interactions(
    qbaf: Qbaf,
    fact: Name,
    foil: Name | None = None,
    *,
    index: str = "sii",
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    max_evaluations: int = MAX_EVALUATIONS,
) -> Interactions:
    """Compute how much every two players contribute together, beyond what each of them contributes alone.

        I(ij) = I_fact(ij) − I_foil(ij);    I_t(ij) averages v(S∪ij) − v(S∪i) − v(S∪j) + v(S) over coalitions S

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact : str or int
        The topic that is explained.
    foil : str or int, optional
        The topic that it is compared with; without it the strength of the fact alone is explained.
    index : {"sii", "stii", "k-sii"}
        The Shapley interaction index; the Shapley–Taylor index; or SII with singles that make both add up to the gap.
    players, semantics, solver, max_steps, executor, device, progress
        As in `contributions`.
    max_evaluations : int
        Refuse games that need more evaluations of sub-graphs than this.

    Returns
    -------
    Interactions
        A mapping from pairs to interactions: one number for each unordered pair.

    Raises
    ------
    UnknownName
        If there is no such argument, index or semantics.
    UndefinedStrength
        If a graph that is needed has no strengths.
    TooLarge
        If more than `max_evaluations` would be needed.

    Examples
    --------
    >>> q = Qbaf({"zebra": 0.5, "horse": 0.5, "stripes": 0.5, "herbivore": 0.5}, attacks=[("stripes", "horse")],
    ...          supports=[("stripes", "zebra"), ("herbivore", "zebra"), ("herbivore", "horse")])
    >>> interactions(q, "zebra", "horse", semantics="df-quad").strongest()
    [(('stripes', 'herbivore'), -0.125)]
    """
    problem = make_problem(qbaf, semantics, solver, max_steps, executor, device)
    for topic in (fact,) if foil is None else (fact, foil):
        qbaf.index(topic)
    topics = _list_topics(fact, foil)
    check_choice(index, INDICES, "index")
    report, playing = check_progress(progress), make_players(qbaf, topics, players)
    check_integer(max_evaluations, "max_evaluations", 1)
    strengths = problem.strengths()[0]
    games = playing.make_games(problem, topics)
    fewer = [] if playing.kind == "arguments" else [Hint("players", ("arguments",))]
    plans = [make_plan(game, max_evaluations, "the table of interactions", fewer) for game in games]
    steps, size = find_steps(problem), len(playing)
    cost = add_costs(plan.count(game, steps) for game, plan in zip(games, plans, strict=True))
    warn_or_refuse(f"the table of interactions for {quote_names(topics)}", cost, inf, fewer)
    rows = np.zeros((len(topics), size, size))
    for k, (game, plan) in enumerate(zip(games, plans, strict=True)):
        rows[k][np.ix_(game.players, game.players)] = find_pairs(game, plan, index, report)
    matrix = rows[0] - rows[1] if len(topics) == 2 else np.zeros((size, size)) if foil is not None else rows[0].copy()
    own = [playing.index(topic) for topic in playing.find_topics(topics)]
    cross: dict[Any, float] = {}
    if len(own) == 2:
        with_other = rows[0][:, own[1]] - rows[1][:, own[0]]
        cross = dict(View(playing, with_other, tuple(playing.find_topics(topics))).items())
    matrix[own] = matrix[:, own] = np.nan
    how = dict.fromkeys(map(describe_plan, plans, games))
    return Interactions(
        problem=problem,
        fact=fact,
        foil=foil,
        index=index,
        players=playing,
        matrix=matrix,
        cross_topic=cross,
        strengths=View(Arguments(qbaf), strengths),
        how="; ".join(how),
        evaluations=sum(plan.evaluations for plan in plans),
        pair_sums=rows.sum(axis=2),
        max_evaluations=max_evaluations,
    )


def _find_gains_alone(game: Game) -> Floats:
    """v(i) − v(∅) of every player."""
    n = len(game.players)
    values = game.values(np.concatenate((np.zeros((1, n), bool), np.eye(n, dtype=bool))))
    return values[1:] - values[0]
