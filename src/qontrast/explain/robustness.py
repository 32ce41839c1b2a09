"""Bound how far base scores may be off before the order of two topics changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..engine.intervals import can_bound
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE, Result, Schema
from ..semantics import Semantics
from ..settings import check_choice, check_list, check_number, check_progress
from ..types import Floats, Name, Progress
from .reach_proof import Proof, prove
from .reach_search import PointSearch
from .reach_task import ReachTask
from .reach_trials import PointTrials
from .search_clock import Clock, OutOfTime

NORMS = ("linf", "l1", "l2")
TOLERANCE = 1e-4  # by which found and certified radius may differ and be called exact
TIME_LIMIT = 30.0  # seconds
MAX_BOXES = 20_000  # of a proof; what they do not prove, more of them seldom do

SCHEMA = Schema(
    "qontrast/robustness/1",
    {
        "fact": "one topic",
        "foil": "the other",
        "ahead": "the topic that is ahead of the other; `null` for a tie",
        "semantics": "name of the semantics",
        "gap": "σ(fact) − σ(foil)",
        "norm": "how a change of base scores is measured: `linf`, its largest part, `l1`, their sum, or `l2`, their "
        "Euclidean length",
        "movers": "the arguments whose base scores may be off",
        "certified": "no smaller change ends the lead: proved, and 0 where nothing is; `null` where no change does",
        "found": "a change of this size ends the lead; `null` where none was found",
        "exact": "whether the two agree up to 1e-4, or no change ends the lead",
        "certifiable": "whether something can be proved: the topics depend on no cycle, and the semantics is known to "
        "be monotone",
        "impossible": "whether it is proved that no change ends the lead",
        "example": "argument → base score after which the lead is gone, of those that move; `null` where none was "
        "found",
        "time_limit": "seconds, or `null` for none",
        "stopped": "whether the time limit or an interrupt ended search or proof early",
    },
    source="`robustness`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Robustness(Result, schema=SCHEMA):
    """How far base scores may be off before the order of two topics changes: certified ≤ radius ≤ found.

    Attributes
    ----------
    qbaf, fact, foil, semantics, norm, time_limit
        The question.
    ahead
        The topic that is ahead; None for a tie.
    gap
        σ(fact) − σ(foil).
    movers
        The arguments whose base scores may be off.
    certified
        No change of base scores that is smaller ends the lead. 0 where nothing can be proved, ∞ where no change does.
    found
        A change of this size ends the lead, the smallest that was found; ∞ if none was found.
    exact
        Whether the two agree up to 1e-4, or no change ends the lead.
    certifiable
        Whether something can be proved: the topics depend on no cycle, and the semantics is known to be monotone.
    example
        Argument → base score after which the lead is gone, of those that move; None if none was found.
    stopped
        Whether the time limit or an interrupt ended search or proof early.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")])
    >>> found = robustness(q, "q", "p", semantics="df-quad")
    >>> round(found.certified, 3), round(found.found, 3), found.exact
    (0.072, 0.072, True)
    """

    qbaf: Qbaf
    fact: Name
    foil: Name
    semantics: str
    norm: str
    gap: float
    ahead: Name | None
    movers: tuple[Name, ...]
    certified: float
    found: float
    exact: bool
    certifiable: bool
    example: Mapping[Name, float] | None
    time_limit: float | None
    stopped: bool = False
    method: ClassVar[None] = None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no change ends the lead."""
        return bool(np.isinf(self.certified))

    def changed(self) -> Qbaf:
        """Return the graph with the base scores of the example."""
        if self.example is None:
            raise InvalidInput(f"no change was found after which {self.ahead!r} is not ahead; none can be applied")
        return self.qbaf.with_base_scores(self.example)


def robustness(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    progress: Progress | None = None,
    norm: str = "linf",
    movers: Iterable[Name] | None = None,
    time_limit: float | None = TIME_LIMIT,
) -> Robustness:
    """Bound how far base scores may be off before the order of two topics changes.

        radius = min ‖τ′ − τ‖   over   τ′ ∈ [0, 1]ⁿ   after which the topic that is ahead is not ahead any more

    A change that was found bounds the radius from above, and a proof from below. The proof bounds strengths over boxes
    of base scores (`engine.intervals`), and needs an acyclic graph and a semantics of SEMANTICS.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics; either may be ahead.
    semantics, solver, max_steps, progress
        As in `contributions`.
    norm : {"linf", "l1", "l2"}
        How a change is measured: "linf", the largest change of a base score, "l1", the sum of all changes, or "l2",
        their Euclidean length.
    movers : iterable of names, optional
        The arguments whose base scores may be off; all that matter to the two topics, themselves included, unless
        given.
    time_limit : float, optional
        Seconds for search and proof; None means no limit. When they have passed, and when an interrupt (Ctrl-C) comes,
        what is known so far is given.

    Returns
    -------
    Robustness
        `certified` and `found`, with an example.

    Raises
    ------
    UndefinedStrength
        If the graph itself has no strengths.
    InvalidInput
        If fact and foil are the same, no mover is named, or a setting makes no sense.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")], attacks=[("x", "p")])
    >>> print(robustness(q, "q", "p", semantics="df-quad", movers=["x"]))
    The order holds as long as the base score of x is off by less than 0.409; beyond that, p may draw level with q.
    """
    check_choice(norm, NORMS, "norm")
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    report = check_progress(progress)
    names = None if movers is None else check_list(movers, "movers")
    if names == []:
        raise InvalidInput("movers is empty; name the arguments whose base scores may be off, or leave it out")
    problem, pair = make_problem(qbaf, semantics, solver, max_steps), (qbaf.index(fact), qbaf.index(foil))
    if pair[0] == pair[1]:
        raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
    strengths = problem.strengths()[0]
    gap = float(strengths[pair[0]] - strengths[pair[1]])
    upstream = qbaf.structure.ancestors(pair)
    moved = np.flatnonzero(upstream).tolist() if names is None else [qbaf.index(name) for name in names]
    chosen = tuple(qbaf.arguments[i] for i in dict.fromkeys(moved))
    part = problem if upstream.all() else make_problem(qbaf._keep(upstream), problem.semantics, solver, max_steps)
    certifiable = can_bound(part)
    certified, found, point, stopped = 0.0, 0.0, None, False
    if abs(gap) > TIE_TOLERANCE:
        order = (fact, foil) if gap > 0 else (foil, fact)
        task = _make_task(part, order, [name for name in chosen if upstream[qbaf.index(name)]], norm)
        certified, found, point, stopped = _bound_radius(task, Clock(time_limit, report))
    return Robustness(
        qbaf=qbaf,
        fact=fact,
        foil=foil,
        semantics=problem.semantics.name,
        norm=norm,
        gap=gap,
        ahead=None if abs(gap) <= TIE_TOLERANCE else fact if gap > 0 else foil,
        movers=chosen,
        certified=certified,
        found=found,
        exact=bool(np.isinf(certified) or found - certified <= TOLERANCE),
        certifiable=certifiable,
        example={} if abs(gap) <= TIE_TOLERANCE else point,
        time_limit=time_limit,
        stopped=stopped,
    )


def _make_task(problem: Problem, order: tuple[Name, Name], movers: list[Name], norm: str) -> ReachTask:
    """The task that the topic behind draws level."""
    qbaf = problem.qbaf
    arguments = np.array([qbaf.index(name) for name in movers], np.intp)
    coefficients = np.zeros((1, len(qbaf)))
    coefficients[0, [qbaf.index(order[0]), qbaf.index(order[1])]] = -1.0, 1.0
    size = len(arguments)
    return ReachTask(
        problem=problem,
        arguments=arguments,
        edges=np.array([], np.intp),
        start=qbaf.base_array[arguments],
        low=np.zeros(size),
        high=np.ones(size),
        prices=np.ones(size),
        cost=norm,
        coefficients=coefficients,
        constants=np.zeros(1),
    )


def _bound_radius(task: ReachTask, clock: Clock) -> tuple[float, float, dict[Name, float] | None, bool]:
    """Search for a small change, then prove that no smaller one exists: certified, found, example, stopped."""
    if not len(task):
        return np.inf, np.inf, None, False
    trials, proving = PointTrials(task, clock), can_bound(task.problem)
    clock.span = (0.0, 50.0 if proving else 100.0)
    try:
        stopped = clock.run(PointSearch(trials).search, deadline=0.5 if proving else 1.0)
    except KeyboardInterrupt:
        stopped, proving = True, proving and clock.time_limit is not None
    point, certified = trials.best, 0.0
    found = np.inf if point is None else float(task.measure(point[None])[0])
    if proving:
        proof = _prove(task, point, clock)
        certified, found, point = proof.lower, proof.cost, proof.point
        stopped = stopped or (proof.stopped and proof.boxes < MAX_BOXES)
    with suppress(OutOfTime):
        clock.advance(1.0)
    return certified, found, None if point is None else _list_moves(task, point), stopped


def _prove(task: ReachTask, point: Floats | None, clock: Clock) -> Proof:
    clock.deadline, clock.span = 1.0, (50.0, 100.0)
    clock.phase = clock.span

    def advance(part: float) -> None:
        with suppress(OutOfTime):  # the proof reads the clock itself, and keeps what it has
            clock.advance(part)

    return prove(task, point, tolerance=TOLERANCE, time_limit=clock.left, max_boxes=MAX_BOXES, advance=advance)


def _list_moves(task: ReachTask, point: Floats) -> dict[Name, float]:
    """List the new base scores of what moves, the largest moves first."""
    size = np.abs(point - task.start)
    order = [i for i in np.argsort(-size, kind="stable").tolist() if size[i]]
    return {task.problem.qbaf.arguments[task.arguments[i]]: float(point[i]) for i in order}
