"""Find the cheapest change of base scores or weights that reaches a goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..engine.intervals import can_bound
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..results.order import sort_by_size
from ..semantics import Semantics
from ..settings import check_choice, check_list, check_number, check_progress
from ..types import Edge, Floats, Name, Progress
from .goals import Goal, check_goals, make_constraints, read_goals
from .reach_fewest import search_fewest
from .reach_proof import prove as prove_bound
from .reach_proof import settle
from .reach_search import PointSearch
from .reach_task import COSTS, FEASIBILITY, ReachTask
from .reach_trials import PointTrials
from .reach_variables import CHANGES, make_task
from .search_clock import Clock, OutOfTime

if TYPE_CHECKING:
    from concurrent.futures import Executor

TIME_LIMIT = 30.0  # seconds
SEARCH_SHARE = 60.0  # percent of the bar; the proof has the rest
MAX_VARIABLES = 30  # beyond, a proof seldom ends, and gets little time
MAX_LARGE_PROOF = 2.0  # seconds

SCHEMA = Schema(
    "qontrast/reach/1",
    {
        "goal": "what shall hold, as texts such as `approve >= 0.7`",
        "margin": "by how much each inequality shall hold",
        "semantics": "name of the semantics",
        "may_change": "`base_scores`, `weights` or `both`",
        "norm": "how the change is measured: `l1`, `l2`, `linf` or `fewest`",
        "fixed": "`arguments` that keep their base score, and `edges` (`source`, `target`) that keep their weight",
        "possible": "`true` if a change was found, `false` if it is proved that none exists with weights up to "
        "`max_weight`, `null` if none was found",
        "change": "what moves: `base_scores` (argument → `from`, `to`) and `weights` (list of `source`, `target`, "
        "`from`, `to`); `null` if nothing was found",
        "cost": "how large the change is, or `null`",
        "lower": "no change costs less than this: proved, and 0 where nothing is; `null` where none exists",
        "proved": "whether it is proved that no change is cheaper by more than `tolerance`, or that none exists",
        "tolerance": "how much cheaper another change may be without being called cheaper",
        "strengths": "topic of the goal → `from`, `to`, its strength before and after; `to` is `null` without a change",
        "missed": "the least by which all goals together were missed; 0 if a change was found",
        "movable": "how many base scores and weights were free to change and matter to the goal",
        "max_weight": "the largest weight that was tried, where the semantics and `bounds` allow any; `null` where no "
        "such weight may move",
        "time_limit": "seconds, or `null` for none",
        "stopped": "whether the time limit or an interrupt ended search or proof early",
        "evaluations": "how many graphs were solved",
    },
    source="`reach`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Reach(Result, schema=SCHEMA):
    """The cheapest change that was found, with a proved lower bound of the cost.

    Attributes
    ----------
    qbaf, semantics, margin, tolerance, time_limit
        The question.
    goal
        What shall hold, as texts.
    may_change
        "base_scores", "weights" or "both".
    norm
        How the change is measured: "l1", "l2", "linf" or "fewest".
    fixed
        The arguments and edges that were not allowed to move.
    possible
        True if a change was found, False if it is proved that none exists with weights up to `max_weight`, None if none
        was found.
    change
        Argument → (old, new) base score, and edge (source, target) → (old, new) weight; None if none was found.
    cost
        How large the change is, or None.
    lower
        A proved lower bound of the cost: 0 where nothing is proved, ∞ where no change exists.
    proved
        Whether cost − lower ≤ tolerance, or it is proved that no change exists.
    qbaf_after
        The graph with the change, solved again; None if none was found.
    strengths
        Topic of the goal → its strength before and after the change.
    missed
        The least by which all goals together were missed: 0 if a change was found.
    movable
        How many base scores and weights were free to change and matter to the goal.
    max_weight
        The largest weight that was tried, where the semantics and `bounds` allow any; None where no such weight may
        move.
    stopped
        Whether the time limit or an interrupt ended search or proof early.
    evaluations
        How many graphs were solved.
    """

    qbaf: Qbaf
    goal: tuple[str, ...]
    margin: float
    semantics: str
    may_change: str
    norm: str
    fixed: tuple[Name | Edge, ...]
    possible: bool | None
    change: Mapping[Name | Edge, tuple[float, float]] | None
    cost: float | None
    lower: float
    proved: bool
    tolerance: float
    qbaf_after: Qbaf | None
    strengths: Mapping[Name, tuple[float, float | None]]
    missed: float
    movable: int
    time_limit: float | None
    max_weight: float | None = None
    stopped: bool = False
    evaluations: int = 0
    method: ClassVar[None] = None

    def _computed_fields(self) -> dict[str, Any]:
        change = None
        if self.change is not None:
            moves = {each: {"from": old, "to": new} for each, (old, new) in self.change.items()}
            change = {
                "base_scores": {each: move for each, move in moves.items() if not isinstance(each, tuple)},
                "weights": [
                    {"source": str(each[0]), "target": str(each[1])} | move
                    for each, move in moves.items()
                    if isinstance(each, tuple)
                ],
            }
        edges = [each for each in self.fixed if isinstance(each, tuple)]
        return {
            "change": change,
            "fixed": {
                "arguments": [each for each in self.fixed if not isinstance(each, tuple)],
                "edges": [{"source": str(source), "target": str(target)} for source, target in edges],
            },
            "strengths": {topic: {"from": old, "to": new} for topic, (old, new) in self.strengths.items()},
        }


def reach(
    qbaf: Qbaf,
    goal: str | Iterable[Name],
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | None = None,
    change: str = "base_scores",
    cost: str = "l1",
    fixed: Iterable[Name | Edge] = (),
    bounds: Mapping[Any, tuple[float, float]] | None = None,
    prices: Mapping[Any, float] | None = None,
    margin: float = 0.0,
    prove: bool = True,
    tolerance: float = 1e-3,
    time_limit: float | None = TIME_LIMIT,
) -> Reach:
    """Find the cheapest change of base scores or weights that reaches a goal.

        minimise cost(z − z₀)   subject to   the goal holds for σ(z),   low ≤ z ≤ high

    z holds the base scores, or the weights of edges, or both. An edge stays an attack or a support.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    goal : str or list
        "t >= 0.5", "t <= 0.5", "t == 0.5" (met to 1e-6), "b > a", "c > b > a", or a list of topics from the strongest
        down; a list of texts holds goals that shall all be met. What is the name of an argument is that argument,
        also where it looks like a number; a name that holds a sign such as > stands in quotes.
    semantics, solver, max_steps, executor, progress
        As in `contributions`.
    change : {"base_scores", "weights", "both"}
        What may move.
    cost : {"l1", "l2", "linf", "fewest"}
        Σ price·|move|, √Σ(price·|move|)², the largest price·|move|, or the number of moves (of equally many those with
        the least Σ price·|move|).
    fixed : iterable of names and edges
        Arguments that keep their base score, and edges (source, target) that keep their weight.
    bounds : mapping, optional
        Argument or edge → (low, high). Base scores stay in [0, 1] anyway, and weights between 0 and the most that the
        semantics allows; where it allows any weight, up to 100 times the largest one (at least 100).
    prices : mapping, optional
        Argument or edge → what a move of 1 costs, at least 0; 1 unless given. Bounds and prices of what may not move
        anyway have no effect.
    margin : float
        By how much inequalities have to hold; 0 allows a tie, for "b > a" too.
    prove : bool
        Whether to look for a proof that no cheaper change exists, or none at all. Cyclic graphs have none, and with
        more than 30 variables the proof gets 2 seconds.
    tolerance : float
        How much cheaper another change may be without being called cheaper.
    time_limit : float, optional
        Seconds for search and proof, half of them for the search; None means no limit. When they have passed, and
        when an interrupt (Ctrl-C) comes after something was found, the best change so far is given.

    Returns
    -------
    Reach
        What was found, verified by solving the changed graph. "Not found" does not mean "impossible", unless
        `possible` is False.

    Raises
    ------
    UndefinedStrength
        If the graph itself has no strengths.
    UnknownName
        If a name is not in the graph.
    InvalidInput
        If goals cannot be read or contradict each other, bounds exclude what is, nothing may move, or a setting makes
        no sense.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 0.8, "y": 0.4}, attacks=[("x", "t")], supports=[("y", "t")])
    >>> found = reach(q, "t >= 0.5", semantics="df-quad", fixed=["t"])
    >>> found.change, round(found.cost, 6)
    ({'x': (0.8, 0.4)}, 0.4)
    """
    check_choice(change, CHANGES, "change")
    check_choice(cost, COSTS, "cost")
    margin = check_number(margin, "margin", "give a number of at least 0 and below 1", above=-1e-300, below=1)
    check_number(tolerance, "tolerance", "give a number above 0", above=0)
    if not isinstance(prove, bool):
        raise InvalidInput(f"prove is {prove!r}; give True or False")
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    held = check_list(fixed, "fixed", "names, and of pairs (source, target)")
    problem = make_problem(qbaf, semantics, solver, max_steps, executor)
    goals = read_goals(qbaf, goal)
    rows, constants = make_constraints(qbaf, goals, margin)
    check_goals(goals, rows, constants, problem.semantics.bounded, margin)
    task, kept = make_task(problem, rows, constants, change, cost, held, bounds, prices)
    trials = PointTrials(task, Clock(time_limit, check_progress(progress)))
    lower, proved, stopped = _run(trials, prove, tolerance)
    return _make_result(trials, goals, margin, change, kept, lower, proved, tolerance, stopped)


def _run(trials: PointTrials, proving: bool, tolerance: float) -> tuple[float, bool, bool]:
    """Search and prove; give the lower bound, whether it is proved, and whether the search was stopped early."""
    task, clock = trials.task, trials.clock
    trials.record(task.start[None], task.evaluate(task.problem.strengths()))
    if trials.best is not None:
        return 0.0, True, False
    if not len(task):
        return np.inf, True, False
    proving = proving and can_bound(task.problem)
    clock.span = (0.0, SEARCH_SHARE if proving else 100.0)
    try:
        stopped = clock.run(lambda: _search(trials), deadline=0.5 if proving else 1.0)
    except KeyboardInterrupt:
        if trials.best is None:
            raise
        return 0.0, False, True
    if not proving:
        return 0.0, False, stopped
    lower, proved, ended = _prove(trials, tolerance)
    return lower, proved, stopped or ended


def _prove(trials: PointTrials, tolerance: float) -> tuple[float, bool, bool]:
    """Bound the cost from below; say whether that is proved, and whether the time or an interrupt ended the proof."""
    task, clock = trials.task, trials.clock
    clock.span = (SEARCH_SHARE, 100.0)
    clock.phase, left = clock.span, clock.left

    def advance(part: float) -> None:
        with suppress(OutOfTime):  # the proof reads the clock itself, and keeps what it has
            clock.advance(part)

    if len(task) > MAX_VARIABLES:
        left = min(MAX_LARGE_PROOF, MAX_LARGE_PROOF if left is None else left)
    found = prove_bound(task, trials.best, tolerance=tolerance, time_limit=left, advance=advance)
    lower, proved = settle(found, trials, tolerance)
    ended = found.interrupted or (found.stopped and clock.left == 0)
    advance(1.0)
    return lower, proved, ended and not proved


def _search(trials: PointTrials) -> None:
    if trials.task.cost == "fewest":
        search_fewest(trials)
    else:
        PointSearch(trials).search()
    trials.clock.advance(1.0)


def _make_result(
    trials: PointTrials,
    goals: tuple[Goal, ...],
    margin: float,
    change: str,
    kept: tuple[Name | Edge, ...],
    lower: float,
    proved: bool,
    tolerance: float,
    stopped: bool,
) -> Reach:
    task = trials.task
    qbaf, problem = task.problem.qbaf, task.problem
    after = None if trials.best is None else _apply(task, trials.best)
    named = dict.fromkeys(name for goal in goals for name in (goal.topic, goal.other) if not isinstance(name, float))
    old = problem.strengths()[0]
    new = None if after is None else _verify(problem, task, after)
    if new is None:
        after = None
    places = {name: qbaf.index(name) for name in named}
    found = after is not None and trials.best is not None
    proved = proved and (found or trials.best is None)  # of a point that does not hold after all nothing is proved
    return Reach(
        qbaf=qbaf,
        goal=tuple(map(str, goals)),
        margin=margin,
        semantics=problem.semantics.name,
        may_change=change,
        norm=task.cost,
        fixed=kept,
        possible=True if found else False if proved else None,
        change=_list_moves(task, trials.best) if found and trials.best is not None else None,
        cost=float(task.measure(trials.best[None])[0]) if found and trials.best is not None else None,
        lower=lower,
        proved=proved,
        tolerance=tolerance,
        qbaf_after=after,
        strengths={name: (float(old[i]), None if new is None else float(new[i])) for name, i in places.items()},
        missed=0.0 if found else trials.least_missing,
        movable=len(task),
        time_limit=trials.clock.time_limit,
        max_weight=task.max_weight,
        stopped=stopped,
        evaluations=trials.evaluations,
    )


def _apply(task: ReachTask, point: Floats) -> Qbaf:
    """Make the graph with the base scores and weights of a point."""
    qbaf = task.problem.qbaf
    base, weights = task.make_lanes(point[None])
    if weights is None:
        return qbaf._with(base_array=base[0])
    return qbaf._with(base_array=base[0], weights=np.copysign(weights[0], qbaf.weights))


def _verify(problem: Problem, task: ReachTask, after: Qbaf) -> Floats | None:
    """Solve the changed graph anew; None if it does not meet the constraints after all."""
    found = make_problem(after, problem.semantics, problem.solver, problem.max_steps).solve().strengths[0]
    return found if (task.evaluate(found[None]) >= -10 * FEASIBILITY).all() else None


def _list_moves(task: ReachTask, point: Floats) -> dict[Name | Edge, tuple[float, float]]:
    """List what moves, the largest price first."""
    qbaf, count = task.problem.qbaf, len(task.arguments)
    names: list[Name | Edge] = [qbaf.arguments[i] for i in task.arguments.tolist()]
    names += [(qbaf.arguments[qbaf.sources[i]], qbaf.arguments[qbaf.targets[i]]) for i in task.edges.tolist()]
    assert len(names) == len(task) == count + len(task.edges)
    size = np.abs(point - task.start)
    order = sort_by_size(range(len(size)), size.__getitem__)
    return {names[i]: (float(task.start[i]), float(point[i])) for i in order if size[i]}
