"""Find what would have to change for the foil to win.

There are two answers: a small change of base scores, which is the goal σ(foil) ≥ σ(fact) + margin of `reach`, and a
small set of arguments to remove. Both are verified by solving the changed graph. The first is the cheapest that was
found from several starts; the second is proved smallest where all smaller sets were examined. The result says what was
tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..engine.intervals import can_bound
from ..engine.problem import MAX_STEPS, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..results.order import sort_by_size
from ..semantics import Semantics
from ..settings import check_list, check_number, check_progress
from ..types import Name, Progress
from .flip_removals import SCORES_SHARE, RemovalSearch
from .flip_trials import Trials
from .reach_proof import prove, settle
from .reach_search import PointSearch
from .reach_task import ReachTask
from .reach_trials import PointTrials
from .search_clock import Clock

if TYPE_CHECKING:
    from concurrent.futures import Executor

MARGIN = 1e-6  # so that the foil is ahead, and not only level up to rounding
TIME_LIMIT = 30.0  # seconds
MAX_PROVED_VARIABLES = 12  # beyond, a proof takes long
MAX_BOXES = 2000  # of a proof: some hundredths of a second
TOLERANCE = 1e-3  # by which another change may be cheaper without being called cheaper
NORMS = {"l1": 1, "l2": 2}

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
        "or the least that was found, `movable` (how many base scores may change), `stopped` (by the time limit or an "
        "interrupt), `lower` (no change costs less than this: proved, 0 where nothing is, `null` where none exists), "
        "`proved` (no change is cheaper by more than 0.001, or none exists)",
        "removal": "`arguments` (`null` if none were found), `gap`, `removable` (how many arguments may be removed), "
        "`examined` (no set of up to so many does it), `proved_smallest` (no smaller set does it; or, with `null`, no "
        "set at all), `stopped`",
        "interrupted": "whether an interrupt (Ctrl-C) ended the search early",
    },
    source="`flip`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Flip(Result, schema=SCHEMA):
    """What would make the foil win, and what was tried to find it. An answer that was not found is None.

    Attributes
    ----------
    qbaf, fact, foil, semantics, norm, move_topics, time_limit
        The question.
    gap
        σ(fact) − σ(foil).
    change, cost
        Argument → (old, new) base score, and how large the change is.
    change_gap
        The gap after the change, or the least that was found.
    movable
        How many base scores were free to change.
    removal, removal_gap
        The arguments to remove, and the gap without them or the least that was found.
    removable
        How many arguments may be removed.
    examined
        No set of up to so many arguments does it; larger ones were searched one argument at a time.
    proved
        Whether no smaller set does it or, where `removal` is None, no set at all.
    change_stopped, removal_stopped
        Whether the time limit, or an interrupt, ended a search early.
    interrupted
        Whether an interrupt (Ctrl-C) ended the search early.
    change_lower, change_proved
        A proved lower bound of the cost, 0 where nothing is proved and ∞ where no change exists; and whether it is
        proved that no change is cheaper by more than 0.001, or that none exists. Only a quick proof is tried.
    evaluations
        How many graphs were solved.
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    semantics: str
    norm: str
    move_topics: bool
    time_limit: float | None
    gap: float
    change: Mapping[Name, tuple[float, float]] | None
    cost: float | None
    change_gap: float
    movable: int
    removal: tuple[Name, ...] | None
    removal_gap: float
    removable: int
    examined: int
    proved: bool
    change_stopped: bool = False
    removal_stopped: bool = False
    evaluations: int = 0
    interrupted: bool = False
    change_lower: float = 0.0
    change_proved: bool = False
    method: ClassVar[None] = None

    @property
    def stopped(self) -> bool:
        """Whether the time limit ended the search early."""
        return self.change_stopped or self.removal_stopped

    def changed(self) -> Qbaf:
        """Return the graph with the changed base scores."""
        if self.change is None:
            raise InvalidInput(f"no change of base scores was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.with_base_scores({name: new for name, (_, new) in self.change.items()})

    def removed(self) -> Qbaf:
        """Return the graph without the removed arguments."""
        if self.removal is None:
            raise InvalidInput(f"no removal was found that makes {self.foil!r} win; none can be applied")
        return self.qbaf.without(*self.removal)

    @property
    def base_scores(self) -> dict[str, Any]:
        """All about the change of base scores, as in JSON: `change`, `norm`, `cost`, `gap`, `movable` and so on."""
        change = None if self.change is None else {x: {"from": a, "to": b} for x, (a, b) in self.change.items()}
        return {
            "change": change,
            "norm": self.norm,
            "cost": self.cost,
            "gap": self.change_gap,
            "movable": self.movable,
            "stopped": self.change_stopped,
            "lower": self.change_lower,
            "proved": self.change_proved,
        }

    def _computed_fields(self) -> dict[str, Any]:
        return {
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
    executor: Executor | None = None,
    progress: Progress | None = None,
    fixed: Iterable[Name] = (),
    move_topics: bool = False,
    norm: str = "l1",
    margin: float = MARGIN,
    time_limit: float | None = TIME_LIMIT,
) -> Flip:
    """Find what would have to change for the foil to win: base scores, or arguments to remove.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The topic that is ahead, and the one that is to win.
    semantics, solver, max_steps, executor, progress
        As in `contributions`.
    fixed : iterable of names
        Arguments that keep their base score and are not removed.
    move_topics : bool
        Whether the base scores of fact and foil may change too.
    norm : {"l1", "l2"}
        How a change of base scores is measured: `"l1"`, the sum of all changes, or `"l2"`, their Euclidean length.
    margin : float
        By how much the foil has to be ahead.
    time_limit : float, optional
        Seconds for the whole search, half of them for base scores; None means no limit. When they have passed, and
        when an interrupt (Ctrl-C) comes after something was found, the best answer so far is given, and the result
        says that the search was stopped.

    Returns
    -------
    Flip
        What was found, verified by solving the changed graph, and what was tried. "Not found" does not mean
        "impossible", unless `proved` says so.

    Raises
    ------
    UndefinedStrength
        If the graph itself has no strengths.
    InvalidInput
        If fact and foil are the same, or a setting makes no sense.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")], attacks=[("x", "p")])
    >>> print(flip(q, "q", "p", semantics="df-quad"))
    p would win if the base score of x fell from 0.500 to 0.090. It would also win without x.
    """
    held_names = check_list(fixed, "fixed")
    if not isinstance(norm, str) or norm not in NORMS:
        raise InvalidInput(f"norm is one of {', '.join(NORMS)}, not {norm!r}")
    check_number(margin, "margin", "give a number between 0 and 1", above=0, below=1)
    if not isinstance(move_topics, bool):
        raise InvalidInput(f"move_topics is {move_topics!r}; give True or False")
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    asked, held = make_problem(qbaf, semantics, solver, max_steps, executor), {qbaf.index(name) for name in held_names}
    clock = Clock(time_limit, check_progress(progress))
    trials = Trials(asked, fact, foil, margin, clock)
    near = [i for i in np.flatnonzero(qbaf.structure.ancestors(trials.pair)).tolist() if i not in held]
    players = [i for i in near if i not in trials.pair]
    points = PointTrials(_make_task(trials, near if move_topics else players, norm), clock)
    removal = RemovalSearch(trials, players)
    ended = _search(trials, points, removal)
    return _make_result(trials, points, removal, norm, move_topics, ended)


def _make_task(trials: Trials, movers: list[int], norm: str) -> ReachTask:
    """State that the foil shall be ahead by the margin, and that these base scores may move."""
    qbaf, row = trials.problem.qbaf, np.zeros((1, len(trials.problem.qbaf)))
    row[0, list(trials.pair)] = -1.0, 1.0
    size = len(movers)
    return ReachTask(
        problem=trials.problem,
        arguments=np.array(movers, np.intp),
        edges=np.empty(0, np.intp),
        start=qbaf.base_array[movers],
        low=np.zeros(size),
        high=np.ones(size),
        prices=np.ones(size),
        cost=norm,
        coefficients=row,
        constants=np.array([-trials.margin]),
    )


def _search(trials: Trials, points: PointTrials, removal: RemovalSearch) -> dict[str, Any]:
    """Search for base scores, then for removals; give the fields that say how the search ended and what it proved.

    An interrupt ends both, and goes through where nothing was found yet.
    """
    clock = trials.clock
    if trials.gap <= -trials.margin:
        points.record(points.task.start[None], np.array([[-trials.gap - trials.margin]]))
        removal.found, removal.gap = (), trials.gap
        return {"change_proved": True}
    ended = {"change_stopped": True, "removal_stopped": True}
    try:
        clock.span = (0.0, SCORES_SHARE)
        ended["change_stopped"] = clock.run(PointSearch(points).search, deadline=0.5)  # removals get the rest
        proof = {} if ended["change_stopped"] else _prove(points)
        clock.span = (0.0, 100.0)
        ended["removal_stopped"] = clock.run(removal.search, deadline=1.0)
    except KeyboardInterrupt:
        if points.best is None and removal.found is None:
            raise
        return ended | {"interrupted": True}
    return ended | proof


def _prove(points: PointTrials) -> dict[str, Any]:
    """Bound the cost from below, if that takes little time; a better point that the proof finds is kept."""
    task = points.task
    if len(task) > MAX_PROVED_VARIABLES or not can_bound(task.problem):
        return {}
    found = prove(task, points.best, tolerance=TOLERANCE, max_boxes=MAX_BOXES)
    if found.interrupted:
        raise KeyboardInterrupt
    lower, proved = settle(found, points, TOLERANCE)
    return {"change_lower": lower, "change_proved": proved}


def _make_result(
    trials: Trials,
    points: PointTrials,
    removal: RemovalSearch,
    norm: str,
    move_topics: bool,
    ended: dict[str, Any],
) -> Flip:
    qbaf, names = trials.problem.qbaf, trials.problem.qbaf.arguments
    task, best = points.task, points.best
    moves, value = None, -trials.gap - trials.margin
    if best is not None:
        size = np.abs(best - task.start)
        moved = [i for i in sort_by_size(range(len(size)), size.__getitem__) if size[i]]
        moves = {names[task.arguments[i]]: (float(task.start[i]), float(best[i])) for i in moved}
        value = float(points.best_values[0])
    elif points.evaluations:
        value = max(value, float(points.least_values[0]))
    fact, foil = trials.topics
    return Flip(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        gap=trials.gap,
        change=moves,
        cost=None if best is None else float(task.measure(best[None])[0]),
        change_gap=trials.gap if moves == {} else -value - trials.margin,
        movable=len(task),
        removal=None if removal.found is None else tuple(names[i] for i in removal.found),
        removal_gap=removal.gap,
        removable=len(removal.players),
        examined=removal.examined,
        proved=removal.proved,
        norm=norm,
        semantics=trials.problem.semantics.name,
        move_topics=move_topics,
        time_limit=trials.clock.time_limit,
        evaluations=trials.evaluations + points.evaluations,
        **ended,
    )
