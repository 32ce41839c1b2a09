"""The other half of a contrastive question: what would have to change for the foil to win?

Two answers: a small change of base scores (`search`), and a small set of arguments whose removal does it (`removal`).
Both are verified by solving the changed graph. The first is the smallest that was found from several starts; the
second is proved smallest where all smaller sets were examined. The result says what was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.problem import MAX_STEPS, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..progress import report_progress
from ..results.base import Result, Schema
from ..semantics import Semantics
from ..settings import check_list, check_number
from ..types import Integers, Name, Progress
from .flip_removal import RemovalSearch
from .flip_search import NORMS, ScoreSearch
from .flip_trials import Trials

MARGIN = 1e-6  # so that the foil is ahead, and not only level up to rounding
TIME_LIMIT = 30.0  # seconds


SCHEMA = Schema(
    "qontrast/flip/1",
    {
        "fact": "the topic that is ahead",
        "foil": "the topic that is to win",
        "semantics": "name of the semantics",
        "gap": "σ(fact) − σ(foil)",
        "move_topics": "whether the base scores of the two topics were free to change",
        "time_limit": "seconds, or `null` for none",
        "evaluations": "how many graphs were solved",
        "base_scores": "`change` (argument → `from`, `to`; `null` if none was found), `norm`, `cost`, `gap` after it "
        "or the least that was found, `movable` (how many base scores may change), `stopped` (by the time limit)",
        "removal": "`arguments` (`null` if none were found), `gap`, `removable` (how many arguments may be removed), "
        "`examined` (no set of up to so many does it), `proved_smallest` (no smaller set does it; or, with `null`, no "
        "set at all), `stopped`",
    },
    source="`flip`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Flip(Result, schema=SCHEMA):
    """What would make the foil win, and what was tried to find it. An answer that was not found is None.

    `change` maps arguments to (old, new) base score at `cost`. `removal` names arguments to remove; `proved` says that
    no smaller set does it or, where `removal` is None, that no set does. No set of up to `examined` of the `removable`
    arguments does it; larger ones were searched one argument at a time. `change_stopped` and `removal_stopped` say
    that the time limit ended a search early.
    """

    qbaf: Qbaf = field(repr=False)
    fact: Name
    foil: Name
    gap: float
    change: Mapping[Name, tuple[float, float]] | None
    cost: float | None
    change_gap: float  # σ(fact) − σ(foil) after the change, or the least that was found
    movable: int  # how many base scores were free to change
    removal: tuple[Name, ...] | None
    removal_gap: float
    removable: int
    examined: int
    proved: bool
    norm: str
    semantics: str
    move_topics: bool
    time_limit: float | None
    change_stopped: bool = False
    removal_stopped: bool = False
    evaluations: int = 0  # graphs that were solved

    @property
    def stopped(self) -> bool:
        """Whether the time limit ended the search early."""
        return self.change_stopped or self.removal_stopped

    def changed(self) -> Qbaf:
        """The graph with the changed base scores."""
        if self.change is None:
            raise InvalidInput(f"no change of base scores was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.with_base_scores({name: new for name, (_, new) in self.change.items()})

    def removed(self) -> Qbaf:
        """The graph without the removed arguments."""
        if self.removal is None:
            raise InvalidInput(f"no removal was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.without(*self.removal)

    @property
    def method(self) -> None:
        """None: nothing is attributed."""
        return None

    def _computed_fields(self) -> dict[str, Any]:
        change = None if self.change is None else {x: {"from": a, "to": b} for x, (a, b) in self.change.items()}
        return {
            "base_scores": {
                "change": change,
                "norm": self.norm,
                "cost": self.cost,
                "gap": self.change_gap,
                "movable": self.movable,
                "stopped": self.change_stopped,
            },
            "removal": {
                "arguments": self.removal,
                "gap": self.removal_gap,
                "removable": self.removable,
                "examined": self.examined,
                "proved_smallest": self.proved,
                "stopped": self.removal_stopped,
            },
        }


def flip(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    progress: Progress | bool | None = None,
    fixed: Iterable[Name] = (),
    move_topics: bool = False,
    norm: str = "l1",
    margin: float = MARGIN,
    time_limit: float | None = TIME_LIMIT,
) -> Flip:
    """Find what would have to change for the foil to win: base scores, or arguments to remove.

    Parameters
    ----------
    qbaf, fact, foil, semantics, solver, max_steps
        The question, as in `contrast`.
    fixed
        Arguments that keep their base score and are not removed.
    move_topics
        Whether the base scores of fact and foil may change too.
    norm
        How a change of base scores is measured: `"l1"`, the sum of all changes, or `"l2"`, their Euclidean length.
    margin
        By how much the foil has to be ahead.
    time_limit
        Seconds for the whole search, half of them for base scores; None means no limit. When they have passed, the
        best answer so far is given, and the result says that the search was stopped.
    progress
        True for a bar on a terminal, or a function of (done, total).

    Returns
    -------
    Flip
        What was found, verified by solving the changed graph, and what was tried. "Not found" does not mean
        "impossible", unless `proved` says so.

    Raises
    ------
    UndefinedStrength
        The graph itself has no strengths.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")], attacks=[("x", "p")])
    >>> print(flip(q, "q", "p", semantics="df-quad"))
    p would win if the base score of x fell from 0.500 to 0.090. It would also win without x.
    """
    held_names = check_list(fixed, "fixed")
    if not isinstance(norm, str) or norm not in NORMS:
        raise InvalidInput(f"norm is one of {', '.join(NORMS)}, not {norm!r}")
    if not 0 < check_number(margin, "margin", "give a number between 0 and 1") < 1:
        raise InvalidInput(f"margin is {margin!r}; give a number between 0 and 1")
    if not isinstance(move_topics, bool):
        raise InvalidInput(f"move_topics is {move_topics!r}; give True or False")
    if time_limit is not None:
        way = "give seconds above 0, or None for no limit"
        if not check_number(time_limit, "time_limit", way) > 0:
            raise InvalidInput(f"time_limit is {time_limit!r}; {way}")
    asked, held = make_problem(qbaf, semantics, solver, max_steps), {qbaf.index(name) for name in held_names}
    with report_progress(progress, "flip") as report:
        trials = Trials(asked, fact, foil, NORMS[norm], margin, time_limit, report)
        near = [i for i in np.flatnonzero(qbaf.structure.ancestors(trials.pair)).tolist() if i not in held]
        players = [i for i in near if i not in trials.pair]
        movers = np.array(near if move_topics else players, np.intp)
        return _search(trials, movers, players, norm, move_topics)


def _search(trials: Trials, movers: Integers, players: list[int], norm: str, move_topics: bool) -> Flip:
    qbaf, names = trials.problem.qbaf, trials.problem.qbaf.arguments
    scores, removal = ScoreSearch(trials, movers), RemovalSearch(trials, players)
    if trials.gap <= -trials.margin:
        trials.best, trials.best_cost, trials.least_gap = trials.base, 0.0, trials.gap
        removal.found, removal.gap = (), trials.gap
    else:
        trials.deadline = 0.5  # of the time limit; the removals get the rest
        scores.run()
        trials.deadline = 1.0
        removal.run()
    moves, gap = None, trials.least_gap
    if trials.best is not None:
        size = np.abs(trials.best - trials.base)
        moved = [int(i) for i in np.argsort(-size, kind="stable") if size[i]]
        moves = {names[i]: (float(trials.base[i]), float(trials.best[i])) for i in moved}
        gap = trials.best_gap
    fact, foil = trials.topics
    return Flip(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        gap=trials.gap,
        change=moves,
        cost=None if moves is None else trials.best_cost,
        change_gap=gap,
        movable=len(movers),
        removal=None if removal.found is None else tuple(names[i] for i in removal.found),
        removal_gap=removal.gap,
        removable=len(players),
        examined=removal.examined,
        proved=removal.proved,
        norm=norm,
        semantics=trials.problem.semantics.name,
        move_topics=move_topics,
        time_limit=trials.time_limit,
        change_stopped=scores.stopped,
        removal_stopped=removal.stopped,
        evaluations=trials.evaluations,
    )
