"""Find the sets of players that decide which of two topics is ahead.

Let N be the players with a path to a topic, and let gap(T) be σ(fact) − σ(foil) with the players T alone (what is no
player is always there). T *keeps* the order if gap(T) has the sign of gap(N); a tie is a third sign, and strengths that
are undefined have none.

    sufficient:  minimal T that keeps the order
    prime:       minimal T such that every T′ with T ⊆ T′ ⊆ N keeps it: they do so whatever else is dropped
    breaking:    minimal B such that N∖B does not keep it: without them the order changes

A set is prime if and only if it is a minimal set that has a member in every breaking set, and the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..attribution.players import Players, PlayersGiven, make_players
from ..attribution.shapley.coalitions import list_coalitions
from ..engine.problem import MAX_STEPS, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..semantics import Semantics
from ..settings import check_integer, check_number, check_progress
from ..types import Name, Progress
from .minimal_sets import all_supersets, members, minimal
from .reasons_search import MAX_TABLE_PLAYERS, Found, Orders, Search, find_signs

MAX_SETS = 1000
TIME_LIMIT = 30.0  # seconds

SCHEMA = Schema(
    "qontrast/reasons/1",
    {
        "fact": "the topic that is explained",
        "foil": "the topic that it is compared with",
        "players": "who is dropped: `arguments`, `edges`, `direct` (edges into the topics) or `groups`",
        "semantics": "name of the semantics",
        "gap": "σ(fact) − σ(foil)",
        "sign": "1 if the fact is ahead, −1 if the foil is, 0 for a tie",
        "prime": "list of sets of players that keep this sign whatever else is dropped; minimal ones",
        "breaking": "list of sets of players without which the sign is another; minimal ones",
        "breaking_gaps": "the gap without each of the breaking sets; `null` where strengths are undefined",
        "sufficient": "list of sets of players that give this sign if all others are dropped; minimal ones",
        "unproved": "list of sets that may be prime: none of the graphs that were solved speaks against them",
        "complete": "whether `prime` and `breaking` hold every set",
        "removable": "how many players have a path to a topic",
        "examined": "`breaking` and `sufficient` hold every set of up to so many players",
        "evaluations": "how many graphs were solved",
        "undefined": "how many of them have no strengths",
        "stopped": "whether the time limit ended the search",
        "time_limit": "seconds, or `null` for none",
    },
    source="`reasons`",
)

Sets = list[frozenset[Any]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Reasons(Result, schema=SCHEMA):
    """The sets of players that keep the order of two topics, and those without which it changes.

    Attributes
    ----------
    qbaf, fact, foil, semantics, players, time_limit
        The question.
    gap
        σ(fact) − σ(foil).
    prime
        Minimal sets that keep the order whatever else is dropped; [∅] where dropping players never changes it.
    breaking
        Minimal sets without which the order is another, a tie included, or undefined.
    breaking_gaps
        The gap without each of the breaking sets; NaN where strengths are undefined.
    sufficient
        Minimal sets that keep the order if all others are dropped.
    unproved
        Sets that may be prime; empty where `complete` is true. No graph that was solved speaks against them.
    complete
        Whether `prime` and `breaking` hold every set.
    removable
        How many players have a path to a topic; dropping others changes nothing.
    examined
        `breaking` and `sufficient` hold every set of up to so many players.
    evaluations, undefined
        How many graphs were solved, and how many of them have no strengths.
    stopped
        Whether the time limit ended the search.
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    semantics: str
    players: Players
    gap: float
    prime: Sets
    breaking: Sets
    breaking_gaps: list[float]
    sufficient: Sets
    unproved: Sets
    complete: bool
    removable: int
    examined: int
    evaluations: int
    undefined: int
    stopped: bool
    time_limit: float | None
    method: ClassVar[None] = None

    @cached_property
    def sign(self) -> int:
        """1 if the fact is ahead, −1 if the foil is, 0 for a tie."""
        return int(find_signs(np.array(self.gap)))

    def sort_members(self, some: frozenset[Any]) -> list[Any]:
        """List the members of a set in the order of the graph.

        Parameters
        ----------
        some : frozenset
            A set of players.

        Returns
        -------
        list
        """
        return sorted(some, key=self.players.index)

    def _computed_fields(self) -> dict[str, Any]:
        names = ("prime", "breaking", "sufficient", "unproved")
        lists = {name: [self.sort_members(some) for some in getattr(self, name)] for name in names}
        return {**lists, "players": self.players.kind}


def reasons(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    players: PlayersGiven = "arguments",
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    max_sets: int = MAX_SETS,
    time_limit: float | None = TIME_LIMIT,
) -> Reasons:
    """Find the minimal sets of players that keep one topic ahead of another, and those without which it is not.

    With gap(T) = σ(fact) − σ(foil) where of all players N only T are there:

        prime:     minimal T with sign gap(T′) = sign gap(N) for every T′ with T ⊆ T′ ⊆ N
        breaking:  minimal B with sign gap(N∖B) ≠ sign gap(N)

    Up to 18 players with a path to a topic, all of their sets are solved, and every list is complete. Beyond that, sets
    are examined by size and then searched, until the time has passed; the result says what was examined.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics, which are never dropped.
    players : str or mapping
        Who is dropped: "arguments" (all but the two topics), "edges", "direct", "groups", or a mapping from the name of
        a group to its arguments, as in `contrast`.
    semantics, solver, max_steps, executor, device, progress
        As in `contributions`.
    max_sets : int
        Beyond 18 players, stop when so many sets of one kind are known.
    time_limit : float, optional
        Beyond 18 players, the seconds after which the search stops; None means no limit.

    Returns
    -------
    Reasons
        `prime`, `breaking` and `sufficient` sets, and whether these are all.

    Raises
    ------
    UnknownName
        If there is no such argument or semantics.
    UndefinedStrength
        If the graph itself has no strengths.
    InvalidInput
        If fact and foil are the same, or a setting makes no sense.

    Examples
    --------
    >>> from qontrast import examples
    >>> found = reasons(examples.load("healthcare"), "antiviral", "antibiotic")
    >>> [sorted(some) for some in found.prime], [sorted(some) for some in found.breaking]
    ([['pcr', 'viral']], [['pcr'], ['viral']])
    """
    asked = make_problem(qbaf, semantics, solver, max_steps, executor, device)
    for topic in (fact, foil):
        qbaf.index(topic)
    if fact == foil:
        raise InvalidInput(f"{fact!r} cannot be ahead of itself; name two topics")
    playing, report = make_players(qbaf, [fact, foil], players), check_progress(progress)
    check_integer(max_sets, "max_sets", 1)
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    strengths = asked.strengths()[0]
    orders = Orders(asked, playing, fact, foil, report)
    found = _tabulate(orders) if orders.size <= MAX_TABLE_PLAYERS else Search(orders, max_sets, time_limit).run()
    return Reasons(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        semantics=asked.semantics.name,
        players=playing,
        gap=float(strengths[qbaf.index(fact)] - strengths[qbaf.index(foil)]),
        prime=_name_sets(orders, found.prime),
        breaking=_name_sets(orders, found.breaking),
        breaking_gaps=orders.find_gaps_without(found.breaking),
        sufficient=_name_sets(orders, found.sufficient),
        unproved=_name_sets(orders, found.unproved),
        complete=found.complete,
        removable=orders.size,
        examined=found.examined,
        evaluations=orders.evaluations,
        undefined=orders.undefined,
        stopped=found.stopped,
        time_limit=time_limit,
    )


def _tabulate(orders: Orders) -> Found:
    """Solve all sets of players, and read the minimal ones from the table."""
    keeps = orders.keep(list_coalitions(orders.size), shown=True)
    return Found(
        prime=[members(each) for each in minimal(all_supersets(keeps))],
        breaking=[members(each) for each in minimal(~keeps[::-1])],
        sufficient=[members(each) for each in minimal(keeps)],
        examined=orders.size,
        complete=True,
    )


def _name_sets(orders: Orders, sets: Sequence[tuple[int, ...]]) -> Sets:
    return [frozenset(orders.names[k] for k in some) for some in sets]
