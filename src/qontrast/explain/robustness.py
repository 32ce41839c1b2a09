"""Bound how far base scores and weights may be off before the order of two topics changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..attribution.players import EdgeNames, Edges
from ..engine.derivative_bounds import is_monotone
from ..engine.intervals import can_bound
from ..engine.problem import MAX_STEPS, Problem, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE, Result, Schema
from ..results.order import sort_by_size
from ..semantics import Semantics
from ..settings import check_choice, check_integer, check_list, check_number, check_progress
from ..types import Bools, Edge, Floats, Name, Progress
from .reach_proof import Proof, prove
from .reach_search import PointSearch
from .reach_task import ReachTask
from .reach_trials import PointTrials
from .reach_variables import CHANGES, Variables
from .search_clock import Clock, OutOfTime

if TYPE_CHECKING:
    from concurrent.futures import Executor

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
        "norm": "how a change is measured: `linf`, its largest part, `l1`, the sum of its parts, or `l2`, their "
        "Euclidean length",
        "movers": "the arguments whose base scores may be off",
        "edges": "the edges (`source`, `target`) whose weights may be off",
        "certified": "no smaller change ends the lead: proved, and 0 where nothing is; `null` where no change does",
        "found": "a change of this size ends the lead; `null` where none was found",
        "exact": "whether the two agree up to 1e-4, or no change ends the lead",
        "certifiable": "whether something can be proved: the topics depend on no cycle, and the semantics is known to "
        "be monotone",
        "obstacles": "what prevents a proof: `cycle`, one leads to the topics, and `semantics`, it is not known to be "
        "monotone",
        "impossible": "whether it is proved that no change ends the lead",
        "example": "argument → base score after which the lead is gone, of those that move; `null` where none was "
        "found",
        "example_weights": "the weights of the example, of those that move: list of `source`, `target`, `weight`; "
        "`null` where none was found",
        "time_limit": "seconds, or `null` for none",
        "max_weight": "the largest weight that was tried, where the semantics allows any; `null` where no such weight "
        "may be off",
        "stopped": "whether the time limit or an interrupt ended search or proof early",
    },
    source="`robustness`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Robustness(Result, schema=SCHEMA):
    """How far base scores and weights may be off before the order of two topics changes: certified ≤ radius ≤ found.

    Attributes
    ----------
    qbaf, fact, foil, semantics, norm, time_limit, max_boxes
        The question.
    ahead
        The topic that is ahead; None for a tie.
    gap
        σ(fact) − σ(foil).
    movers
        The arguments whose base scores, and the edges (source, target) whose weights may be off.
    certified
        No change that is smaller ends the lead. 0 where nothing can be proved, ∞ where no change does.
    found
        A change of this size ends the lead, the smallest that was found; ∞ if none was found, with weights up to
        `max_weight`.
    exact
        Whether the two agree up to 1e-4, or no change ends the lead.
    obstacles
        What prevents a proof: "cycle", if one leads to the topics, and "semantics", if it is not known to be monotone.
    certifiable
        Whether something can be proved: there is no obstacle.
    example
        Argument → base score, and edge → weight, after which the lead is gone, of those that move; None if none was
        found.
    max_weight
        The largest weight that was tried, where the semantics allows any; None where no such weight may be off.
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
    movers: tuple[Name | Edge, ...]
    certified: float
    found: float
    exact: bool
    obstacles: tuple[str, ...]
    example: Mapping[Name | Edge, float] | None
    time_limit: float | None
    max_boxes: int
    max_weight: float | None = None
    stopped: bool = False
    method: ClassVar[None] = None

    @property
    def certifiable(self) -> bool:
        """Whether something can be proved: the topics depend on no cycle, and the semantics is known to be monotone."""
        return not self.obstacles

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no change ends the lead."""
        return bool(np.isinf(self.certified))

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges among `movers`, whose weights may be off."""
        return tuple(each for each in self.movers if isinstance(each, tuple))

    @property
    def example_weights(self) -> Mapping[Edge, float] | None:
        """The weights of `example`; None if none was found."""
        moves = None if self.example is None else self.example.items()
        return None if moves is None else {each: value for each, value in moves if isinstance(each, tuple)}

    def changed(self) -> Qbaf:
        """Return the graph with the base scores and weights of the example."""
        if self.example is None:
            raise InvalidInput(f"no change was found after which {self.ahead!r} is not ahead; none can be applied")
        scores = {each: value for each, value in self.example.items() if not isinstance(each, tuple)}
        after = self.qbaf.with_base_scores(scores)
        weights, edges = self.qbaf.weights.copy(), Edges(self.qbaf)
        for each in self.example.keys() - scores.keys():
            k = edges.index(each)
            weights[k] = np.copysign(self.example[each], weights[k])
        return after if len(scores) == len(self.example) else after._with(weights=weights)

    def _computed_fields(self) -> dict[str, Any]:
        moves, weights = None if self.example is None else self.example.items(), self.example_weights
        return {
            "movers": [each for each in self.movers if not isinstance(each, tuple)],
            "edges": [{"source": str(source), "target": str(target)} for source, target in self.edges],
            "example": None if moves is None else {x: value for x, value in moves if not isinstance(x, tuple)},
            "example_weights": None
            if weights is None
            else [{"source": str(x), "target": str(y), "weight": value} for (x, y), value in weights.items()],
        }


def robustness(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | None = None,
    norm: str = "linf",
    movers: Iterable[Name | Edge] | None = None,
    change: str = "base_scores",
    max_boxes: int = MAX_BOXES,
    time_limit: float | None = TIME_LIMIT,
) -> Robustness:
    """Bound how far base scores and weights may be off before the order of two topics changes.

        radius = min ‖z′ − z‖   over all z′   after which the topic that is ahead is not ahead any more

    z holds the base scores that may be off, which stay in [0, 1], and the weights of edges that may be off, which stay
    between 0 and the most that the semantics allows: an attack stays an attack, or disappears. Where it allows any
    weight, those up to 100 times the largest one (at least 100) are tried. A change that was found bounds the radius
    from above, and a proof from below. The proof bounds strengths over boxes of base scores and
    weights (`engine.intervals`), and needs an acyclic graph and a semantics of SEMANTICS.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    fact, foil : str or int
        The two topics; either may be ahead.
    semantics, solver, max_steps, executor, progress
        As in `contributions`.
    norm : {"linf", "l1", "l2"}
        How a change is measured: "linf", the largest change of a base score or weight, "l1", the sum of all changes,
        or "l2", their Euclidean length.
    movers : iterable of names and edges, optional
        The arguments whose base scores may be off, and the edges (source, target) whose weights may be.
    change : {"base_scores", "weights", "both"}
        What may be off where no movers are named: of the arguments and edges that matter to the two topics, the topics
        included.
    max_boxes : int
        Limit on the boxes that a proof examines; a proof that ends there keeps the bound that it has.
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
        If fact and foil are the same, no mover is named, both movers and another `change` are given, or a setting makes
        no sense.

    Examples
    --------
    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "q")], attacks=[("x", "p")])
    >>> print(robustness(q, "q", "p", semantics="df-quad", movers=["x"]))
    The order holds as long as the base score of x is off by less than 0.409; beyond that, p may draw level with q.
    >>> print(robustness(q, "q", "p", semantics="df-quad", change="weights"))
    The order holds as long as every weight is off by less than 0.818; beyond that, p may draw level with q.
    """
    check_choice(norm, NORMS, "norm")
    check_choice(change, CHANGES, "change")
    if time_limit is not None:
        check_number(time_limit, "time_limit", "give seconds above 0, or None for no limit", above=0)
    check_integer(max_boxes, "max_boxes", 1)
    report = check_progress(progress)
    problem, pair = make_problem(qbaf, semantics, solver, max_steps, executor), (qbaf.index(fact), qbaf.index(foil))
    if pair[0] == pair[1]:
        raise InvalidInput(f"{fact!r} cannot be compared with itself; name two topics")
    upstream = qbaf.structure.ancestors(pair)
    chosen = _choose_movers(problem, upstream, movers, change)
    strengths = problem.strengths()[0]
    gap = float(strengths[pair[0]] - strengths[pair[1]])
    part = problem if upstream.all() else replace(problem, qbaf=qbaf._keep(upstream))
    certified, found, point, stopped, max_weight = 0.0, 0.0, None, False, None
    if abs(gap) > TIE_TOLERANCE:
        order = (fact, foil) if gap > 0 else (foil, fact)
        task = _make_task(part, order, [each for each in chosen if _matters(each, qbaf, upstream)], norm)
        certified, found, point, stopped = _bound_radius(task, Clock(time_limit, report), max_boxes)
        max_weight = task.max_weight
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
        obstacles=_find_obstacles(part),
        example={} if abs(gap) <= TIE_TOLERANCE else point,
        time_limit=time_limit,
        max_boxes=max_boxes,
        max_weight=max_weight,
        stopped=stopped,
    )


def certify_order(problem: Problem, fact: Name, foil: Name) -> float:
    """Certify a radius for all base scores together (linf), without a search for a change that ends the lead.

    It is that of a first round of boxes: at most the one that `robustness` certifies; 0 where nothing can be proved.
    """
    qbaf, strengths = problem.qbaf, problem.strengths()[0]
    pair = qbaf.index(fact), qbaf.index(foil)
    gap = float(strengths[pair[0]] - strengths[pair[1]])
    upstream = qbaf.structure.ancestors(pair)
    part = replace(problem, qbaf=qbaf._keep(upstream))
    if abs(gap) <= TIE_TOLERANCE or not can_bound(part):
        return 0.0
    order = (fact, foil) if gap > 0 else (foil, fact)
    return prove(_make_task(part, order, list(part.qbaf.arguments), "linf"), max_boxes=1).lower


def _find_obstacles(problem: Problem) -> tuple[str, ...]:
    """What prevents a proof."""
    cycle = () if problem.arrays.acyclic else ("cycle",)
    return cycle if is_monotone(problem.semantics) else (*cycle, "semantics")


def _choose_movers(
    problem: Problem, upstream: Bools, movers: Iterable[Name | Edge] | None, change: str
) -> tuple[Name | Edge, ...]:
    """List what may be off, each once: what is named, or all that matters of the kinds that `change` names."""
    qbaf, (scores, weights) = problem.qbaf, CHANGES[change]
    if movers is None:
        arguments = [qbaf.arguments[i] for i in np.flatnonzero(upstream).tolist()] if scores else []
        edges = list(EdgeNames(qbaf, np.flatnonzero(upstream[qbaf.targets]))) if weights else []
        return *arguments, *edges
    if change != "base_scores":
        raise InvalidInput(f"change is {change!r}, but movers say what may be off; leave out one of them")
    names = check_list(movers, "movers", "names, and of pairs (source, target)")
    if not names:
        raise InvalidInput("movers is empty; name the arguments and edges that may be off, or leave it out")
    variables = Variables(problem, "both")
    for each in names:
        variables.find(each, "movers")
    return tuple(dict.fromkeys(tuple(each) if isinstance(each, list) else each for each in names))


def _matters(mover: Name | Edge, qbaf: Qbaf, upstream: Bools) -> bool:
    """Whether an argument, or the end of an edge, has a path to a topic."""
    return bool(upstream[qbaf.index(mover[1] if isinstance(mover, tuple) else mover)])


def _make_task(problem: Problem, order: tuple[Name, Name], movers: list[Name | Edge], norm: str) -> ReachTask:
    """The task that the topic behind draws level."""
    qbaf, variables = problem.qbaf, Variables(problem, "both")
    chosen = np.array(sorted(variables.find(each, "movers") for each in movers), np.intp)
    coefficients = np.zeros((1, len(qbaf)))
    coefficients[0, [qbaf.index(order[0]), qbaf.index(order[1])]] = -1.0, 1.0
    return variables.make_task(chosen, norm, coefficients, np.zeros(1))


def _bound_radius(
    task: ReachTask, clock: Clock, max_boxes: int
) -> tuple[float, float, dict[Name | Edge, float] | None, bool]:
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
        proof = _prove(task, point, clock, max_boxes)
        certified, found, point = min(proof.lower, task.find_cost_beyond()), proof.cost, proof.point
        stopped = stopped or proof.interrupted or (proof.stopped and proof.boxes < max_boxes)
    with suppress(OutOfTime):
        clock.advance(1.0)
    return certified, found, None if point is None else _list_moves(task, point), stopped


def _prove(task: ReachTask, point: Floats | None, clock: Clock, max_boxes: int) -> Proof:
    clock.deadline, clock.span = 1.0, (50.0, 100.0)
    clock.phase = clock.span

    def advance(part: float) -> None:
        with suppress(OutOfTime):  # the proof reads the clock itself, and keeps what it has
            clock.advance(part)

    return prove(task, point, tolerance=TOLERANCE, time_limit=clock.left, max_boxes=max_boxes, advance=advance)


def _list_moves(task: ReachTask, point: Floats) -> dict[Name | Edge, float]:
    """List the new base scores and weights of what moves, the largest moves first."""
    qbaf, size = task.problem.qbaf, np.abs(point - task.start)
    names: list[Name | Edge] = [qbaf.arguments[i] for i in task.arguments.tolist()]
    names += list(EdgeNames(qbaf, task.edges))
    return {names[i]: float(point[i]) for i in sort_by_size(range(len(size)), size.__getitem__) if size[i]}
