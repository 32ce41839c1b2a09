"""Strengths: the one door through which everything asks for them.

The definition is the synchronous update that starts at the base scores, on the whole graph:

    σ₀ = τ,    σₖ₊₁(a) = F(σₖ)(a) = ι(τ(a), α(σₖ of the attackers of a, σₖ of its supporters))

and σ is its limit. On an acyclic graph one pass in topological order gives that limit. On a cyclic one it is
iterated until the error is about 1e-12; no limit means *undefined*. `solver="continuous"` follows
dσ/dt = F(σ) − σ from the same start instead (Potyka, KR 2018; AAMAS 2019).

A *lane* is one sub-problem: a set of present arguments, their base scores, and the weights of the edges. Many lanes
are solved at once. An absent argument is held at 0, and an edge of weight 0 gives nothing: both are as good as cut out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import Hint, InvalidInput, InvalidQbaf, UndefinedStrength, count, quote_names
from ..graph.qbaf import ArgumentValues, Qbaf, check_graph
from ..graph.structure import Arrays
from ..results.base import Plottable, Result, Schema
from ..semantics import Semantics, find_semantics
from ..settings import check_choice, check_integer, format_value
from ..types import Floats, Integers, Name
from .backend import NUMPY, Backend, find_backend, run_tasks
from .balance import MAX_APART, NEIGHBOUR_DISTANCE
from .discrete import SOLVERS, TOLERANCE
from .scalar import solve_lists
from .update import Equation
from .workers import check_executor

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROUNDING = 1e-14  # by which a user's formula may leave [0, 1] unintended
MAX_STEPS = 10_000
MAX_LANES_PER_TASK = 1 << 12  # sent to an executor at a time; fewer on large graphs
MAX_BLOCKS_PER_TASK = 4
NUMBERS_PER_BLOCK = 1 << 20  # lanes × edges: groups are gathered one by one, and fewer lanes cost more calls
ONE_STEP, AT_REST = np.ones(1, np.int64), np.zeros(1)  # of one lane that was solved in one pass
for _constant in (ONE_STEP, AT_REST):
    _constant.setflags(write=False)


SCHEMA = Schema(
    "qontrast/strengths/1",
    {
        "semantics": "name of the semantics",
        "solver": "`discrete`, `continuous`, or `one pass` for an acyclic graph",
        "steps": "how many updates it took",
        "residual": "the largest |F(σ) − σ|",
        "strengths": "argument → strength",
    },
    source="`strengths`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Strengths(ArgumentValues, Result, Plottable, schema=SCHEMA):
    """A mapping from argument to strength σ, with how it was found.

    Attributes
    ----------
    qbaf
        The graph.
    array
        The strengths in the order of `qbaf.arguments`.
    semantics, solver
        Names; the solver is "one pass" for an acyclic graph.
    steps
        The number of updates.
    residual
        The largest |F(σ) − σ|.

    Examples
    --------
    >>> found = strengths(Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]), semantics="df-quad")
    >>> found["t"], found.solver, found.steps
    (0.75, 'one pass', 1)
    """

    qbaf: Qbaf
    array: Floats
    semantics: str
    solver: str
    steps: int
    residual: float
    method: ClassVar[None] = None

    @property
    def strengths(self) -> Mapping[Name, float]:
        """Argument → strength: this result itself."""
        return self


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths of many lanes, (lanes, arguments) in the graph's own order; undefined lanes are NaN."""

    strengths: Floats
    steps: NDArray[np.int64]  # of each lane
    moving: Floats  # the last step's largest change, of each lane: 0 where it settled
    # of a single lane that is undefined, in the order of evaluation: by how much each argument still moves, or, where
    # only an exact balance keeps the lane where it is, how far apart base scores next to these lead
    moves: Floats | None = None
    balanced: bool = False


@dataclass(frozen=True, slots=True)
class Solved:
    """The solution for the graph's own base scores under a semantics."""

    base: Floats | list[float]
    semantics: Semantics
    solution: Solution


@dataclass(frozen=True, eq=False)
class Problem:
    """A graph under a semantics, ready to be solved for any number of lanes: in an executor, or on a device.

    A single lane is solved on the CPU.
    """

    qbaf: Qbaf
    semantics: Semantics
    solver: str = "discrete"
    max_steps: int = MAX_STEPS
    executor: Executor | None = None
    device: str = "cpu"
    check_balance: bool = True  # whether lanes are undefined where only rounding would decide; trials need not know

    @property
    def backend(self) -> Backend:
        """The array module of the device."""
        return NUMPY if self.device == "cpu" else find_backend(self.device)

    @property
    def arrays(self) -> Arrays:
        return self.qbaf.structure.arrays

    @cached_property
    def equation(self) -> Equation:
        """F; strengths found by iteration are good to 1e-12, and so are energies."""
        return Equation(self.arrays, self.semantics, 1e-14 if self.arrays.acyclic else 1e-11)

    @property
    def lanes_per_block(self) -> int:
        """Lanes that are solved side by side."""
        return max(1, min(MAX_LANES_PER_TASK, NUMBERS_PER_BLOCK // max(len(self.qbaf), len(self.qbaf.weights), 1)))

    @property
    def lanes_per_task(self) -> int:
        """Lanes that are sent to an executor at a time, in whole blocks: so their numbers are the same anywhere.

        A call with no more lanes than that is not worth sending.
        """
        if self.device != "cpu":
            return max(1, self.backend.numbers_per_block // max(len(self.qbaf), 1))
        block = self.lanes_per_block
        return block * max(1, min(MAX_BLOCKS_PER_TASK, MAX_LANES_PER_TASK // block))

    def solve(
        self,
        present: ArrayLike | None = None,
        base_scores: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> Solution:
        """Solve lanes; undefined ones are NaN.

        Parameters
        ----------
        present : array of shape (lanes, arguments), optional
            1 where an argument is there and 0 where it is not; one row may stand for all lanes.
        base_scores : array of shape (lanes, arguments), optional
            What the arguments start from; one row may stand for all lanes.
        weights : array of shape (lanes, edges), optional
            How much each edge counts, in the order of `qbaf.weights`; 0 cuts an edge. An attack stays an attack. One
            row may stand for all lanes.

        Returns
        -------
        Solution
            `strengths` (lanes, arguments), `steps` and `moving`, the last change of each lane: 0 where it settled.

        Raises
        ------
        InvalidInput
            If the arrays have other shapes.
        InvalidQbaf
            If a base score or a strength is outside [0, 1], or a weight is beyond what the semantics allows.

        Examples
        --------
        >>> asked = make_problem(Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]), "df-quad")
        >>> asked.solve(present=[[1, 1], [0, 1]]).strengths.tolist()
        [[0.5, 0.75], [0.0, 0.5]]
        >>> asked.solve(weights=[[1], [0.5]]).strengths.tolist()
        [[0.5, 0.75], [0.5, 0.625]]
        """
        if present is None and base_scores is None and weights is None:
            return self.solution
        return self._solved(*self._lanes(present, base_scores, weights))

    @cached_property
    def solution(self) -> Solution:
        """The graph as it is; the last one solved under this semantics is remembered."""
        base, semantics = self.qbaf.given_base, self.semantics

        def solve() -> Solved:
            listed = self._solve_lists(None, base)
            found = self._solved(None, self.qbaf.base_array[None]) if listed is None else listed
            found.strengths.setflags(write=False)
            return Solved(base, semantics, found)

        def is_of_this(solved: Solved) -> bool:
            return solved.base is base and solved.semantics is semantics

        key = (semantics.name, self.solver, self.max_steps, self.check_balance)
        return self.qbaf.structure.remember(Solved, key, solve, is_of_this).solution

    def _solve_lists(self, there: Floats | None, base: Floats | list[float]) -> Solution | None:
        """Solve one lane in plain lists, where that is quicker; None elsewhere."""
        formulas = self.semantics.scalar
        lists = None if formulas is None else self.qbaf.structure.parent_lists
        if formulas is None or lists is None:
            return None
        scores = base if isinstance(base, list) else base.tolist()
        found = solve_lists(lists, formulas, scores, None if there is None else there.tolist())
        if self.semantics.bounded and not (min(found, default=0.0) >= 0 and max(found, default=1.0) <= 1):
            found = [min(max(each, 0.0), 1.0) for each in found]  # what rounding leaves
        return Solution(np.array([found], np.float64), ONE_STEP, AT_REST)

    def _solved(self, there: Floats | None, base: Floats, weights: Floats | None = None) -> Solution:
        sizes = [len(rows) for rows in (there, base, weights) if rows is not None]
        lanes = next((size for size in sizes if size != 1), 1)
        if lanes == 1 and weights is None:
            listed = self._solve_lists(None if there is None else there[0], base[0])
            if listed is not None:
                return listed
        if self.device != "cpu" and lanes > 1:
            from .device_lanes import solve_on_device

            return solve_on_device(self, there, base, weights, lanes)
        out, steps, moving = np.empty((lanes, len(self.qbaf))), np.ones(lanes, np.int64), np.zeros(lanes)
        if self.executor is not None and lanes > self.lanes_per_task:
            # to others go whole tasks, worth the sending; each is cut up again where it is solved
            alone = replace(self, executor=None)
            cuts = [slice(first, first + self.lanes_per_task) for first in range(0, lanes, self.lanes_per_task)]
            tasks = ((alone, _rows(there, cut), _rows(base, cut), _rows(weights, cut)) for cut in cuts)
            for cut, part in zip(cuts, run_tasks(self.executor, Problem._solved, tasks), strict=True):
                out[cut], steps[cut], moving[cut] = part.strengths, part.steps, part.moving
            return Solution(out, steps, moving)
        chunk, solver = self.lanes_per_block, SOLVERS[self.solver]
        for first in range(0, lanes, chunk):
            here = slice(first, first + chunk)
            size = min(chunk, lanes - first)
            lane = self._columns(there, base, weights, here, size)
            run = solver(*lane, self.max_steps, self.check_balance)
            steps[here], moving[here] = run.steps, run.moving
            out[here] = run.strengths[self.arrays.place].T if size > 1 else run.strengths[self.arrays.place]
        check_domain(self, out, moving)
        if self.semantics.bounded:
            np.clip(out, 0.0, 1.0, out=out)  # rounding, and the last digits of a flow, may lead a little beyond
        return Solution(out, steps, moving, *((run.moves, run.balanced) if lanes == 1 else ()))

    def _columns(
        self, there: Floats | None, base: Floats, weights: Floats | None, here: slice, size: int
    ) -> tuple[Equation, Floats, Floats | None]:
        """Some lanes as a solver takes them: their equation, base scores, and who is there."""
        order = self.arrays.order
        equation = self.equation
        if weights is not None:
            equation = equation.with_weights(_columns(weights, here, size, self.qbaf.structure.edge_order))
        held = None if there is None else _columns(there, here, size, order)
        return equation, _columns(base, here, size, order), held

    def strengths(
        self,
        present: ArrayLike | None = None,
        base_scores: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> Floats:
        """Solve lanes; an undefined one is an error that names the arguments which still move.

        Parameters
        ----------
        present, base_scores, weights : array, optional
            As in `solve`.

        Returns
        -------
        array of shape (lanes, arguments)
            The strengths.

        Raises
        ------
        UndefinedStrength
            If a lane has no strengths.

        Examples
        --------
        >>> make_problem(Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")]), "df-quad").strengths().tolist()
        [[0.5, 0.75]]
        """
        solution = self.solve(present, base_scores, weights)
        bad = np.flatnonzero(solution.moving)
        if len(bad):
            raise self.undefined(int(bad[0]), present, base_scores, weights, solution)
        return solution.strengths

    def undefined(
        self,
        lane: int,
        present: ArrayLike | None = None,
        base_scores: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        solution: Solution | None = None,
    ) -> UndefinedStrength:
        """Make the error for one undefined lane, with the arguments that still move; it is solved again if need be.

        Parameters
        ----------
        lane : int
            The number of the lane.
        present, base_scores, weights : array, optional
            As in `solve`.
        solution : Solution, optional
            What `solve` gave for them.

        Returns
        -------
        UndefinedStrength
            The error, which is not raised here.

        Raises
        ------
        InvalidInput
            If the arrays have other shapes.

        Examples
        --------
        >>> pair = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
        >>> make_problem(pair, "df-quad").undefined(0).arguments
        ('a', 'b')
        """
        rows = self._lanes(present, base_scores, weights)
        where = f" in lane {lane}" if any(each is not None and len(each) > 1 for each in rows) else ""
        if solution is None or solution.moves is None:
            there, base, edges = rows
            only = slice(lane, lane + 1)
            solution = self._solved(_rows(there, only), base if len(base) == 1 else base[only], _rows(edges, only))
        moves = np.full(len(self.qbaf), np.inf) if solution.moves is None else solution.moves
        # a derived graph has several copies of an argument
        moved = moves > (MAX_APART if solution.balanced else TOLERANCE)
        names = list(dict.fromkeys(self.qbaf.arguments[i] for i in self.arrays.order[moved]))
        most, steps = float(moves.max()), int(solution.steps[0])
        more, hints = Hint("max_steps", raised=True), []
        if solution.balanced:
            message = (
                f"{self.semantics.name}: {quote_names(names)} are held by an exact balance{where}, so that rounding "
                f"would decide: changes of {NEIGHBOUR_DISTANCE:g} lead at least {most:.2g} apart"
            )
            return UndefinedStrength(message, tuple(names), most, lane)
        if self.solver != "discrete":
            if np.isinf(solution.moving[0]):
                state = "the continuous semantics has no equilibrium here either"
            else:
                state, hints = "the flow has not come to rest", [more]
        elif most > 1e-6:
            state = "strengths are undefined here"
            other = Hint("solver", ("continuous",))  # which needs its number of steps too
            hints = [other] if steps < self.max_steps else [other, more] if steps >= MAX_STEPS else [more]
        else:
            state, hints = "it may converge slowly", [more]
        moving = f"{quote_names(names)} still move by {most:.2g} after {count(steps, 'step')}"
        return UndefinedStrength(
            f"{self.semantics.name}: {moving}{where}; {state}", tuple(names), most, lane, hints=hints
        )

    def _lanes(
        self, present: ArrayLike | None, base_scores: ArrayLike | None, weights: ArrayLike | None
    ) -> tuple[Floats | None, Floats, Floats | None]:
        base = self.qbaf.base_array[None] if base_scores is None else _numbers(base_scores, "base_scores")
        there = None if present is None else self._flags(present)
        edges = None if weights is None else _numbers(weights, "weights", "edges")
        lanes = 1
        for what, rows, size, kind in (
            ("present", there, len(self.qbaf), "arguments"),
            ("base_scores", base, len(self.qbaf), "arguments"),
            ("weights", edges, len(self.qbaf.weights), "edges"),
        ):
            if rows is None:
                continue
            if rows.ndim != 2 or rows.shape[1] != size:
                raise InvalidInput(f"{what} has shape {rows.shape}; give (lanes, {size} {kind})")
            if len(rows) != lanes and 1 not in (len(rows), lanes):
                raise InvalidInput(f"{what} has {len(rows)} lanes, and there are {lanes}; give 1 or {lanes}")
            lanes = lanes if len(rows) == 1 else len(rows)
        if there is not None and there.dtype != bool and not ((there == 0) | (there == 1)).all():
            lane, which = np.argwhere((there != 0) & (there != 1))[0]
            name, value = self.qbaf.arguments[which], there[lane, which]
            raise InvalidInput(f"present says {value:g} of argument {name!r} in lane {lane}; give 1 (there) or 0 (not)")
        if base_scores is not None and (self.device == "cpu" or lanes == 1):  # a device checks them there
            check_base_scores(self, base)
        if edges is not None:
            self._check_weights(edges)
        return there, base, edges

    def _flags(self, present: ArrayLike) -> Floats:
        """Who is there, as numbers; for a device booleans stay booleans, an eighth of the memory to send."""
        if self.device != "cpu" and isinstance(present, np.ndarray) and present.dtype == bool:
            return np.atleast_2d(present)
        return _numbers(present, "present")

    def _check_weights(self, weights: Floats) -> None:
        limit = self.semantics.aggregation.max_weight
        good = (weights >= 0) & (weights <= limit) & np.isfinite(weights)
        if not good.all():
            lane, which = np.argwhere(~good)[0]
            edge = self.qbaf.arguments[self.qbaf.sources[which]], self.qbaf.arguments[self.qbaf.targets[which]]
            allowed = "a number from 0 on" if np.isinf(limit) else f"a number from 0 to {limit:g}"
            raise InvalidQbaf(f"the weight of edge {edge} in lane {lane} is {weights[lane, which]:g}; give {allowed}")


def _numbers(given: ArrayLike, what: str, of: str = "arguments") -> Floats:
    try:
        return np.atleast_2d(np.asarray(given, np.float64))
    except (TypeError, ValueError):
        raise InvalidInput(f"{what} is {format_value(given)}; give an array of numbers, (lanes, {of})") from None


def _rows(rows: Floats | None, cut: slice) -> Floats | None:
    """These rows, or the one that stands for all."""
    return rows if rows is None or len(rows) == 1 else rows[cut]


def make_problem(
    qbaf: Qbaf,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
) -> Problem:
    """The problem behind every public function: `semantics=None` means the graph's own, else `qe`."""
    check_graph(qbaf)
    found = find_semantics(qbaf.semantics if semantics is None else semantics)
    check_choice(solver, SOLVERS, "solver")
    check_integer(max_steps, "max_steps", 1)
    check_executor(executor)
    if not isinstance(device, str) or device != "cpu":
        _check_device(device, solver, executor)
    limit = found.aggregation.max_weight
    if limit < inf and qbaf.structure.max_weight > limit:
        bad = int(np.argmax(np.abs(qbaf.weights) > limit))
        pair = (qbaf.arguments[qbaf.sources[bad]], qbaf.arguments[qbaf.targets[bad]])
        raise InvalidQbaf(
            f"the weight of edge {pair} is {abs(qbaf.weights[bad]):g}; {found.name} allows weights up to {limit:g}: "
            "rescale the weights, or choose a semantics with a sum, such as qe"
        )
    return Problem(qbaf, found, solver, max_steps, executor, device=device)


def _check_device(device: str, solver: str, executor: Executor | None) -> None:
    """Refuse a device that is not here, and what is computed on the CPU alone."""
    find_backend(device)
    if solver != "discrete":
        raise InvalidInput(f"solver {solver!r} computes on the CPU alone; leave device={device!r} out")
    if executor is not None:
        raise InvalidInput(f"device {device!r} and an executor are both given; leave one of them out")


def strengths(
    qbaf: Qbaf,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
) -> Strengths:
    """Compute the strength of every argument: the limit of the synchronous update from the base scores.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    semantics : str or Semantics, optional
        A name from SEMANTICS or a semantics of your own; the graph's own unless given, else "qe".
    solver : {"discrete", "continuous"}
        On cyclic graphs, iterate the update, or follow dσ/dt = F(σ) − σ to its equilibrium.
    max_steps : int
        The updates after which a graph that has not settled is undefined.

    Returns
    -------
    Strengths
        A mapping from argument to strength.

    Raises
    ------
    UndefinedStrength
        If the update has no limit, or one that only an exact balance leads to, so that rounding would decide; the
        error names the arguments that still move or are in balance.
    InvalidQbaf
        If a weight is beyond what the semantics allows.

    Examples
    --------
    >>> q = Qbaf({"a": 0.5, "b": 0.5, "t": 0.5}, attacks=[("a", "t")], supports={("b", "t"): 0.5})
    >>> strengths(q, semantics="df-quad")["t"]
    0.375
    """
    asked = make_problem(qbaf, semantics, solver, max_steps)
    solution = asked.solve()
    if solution.moving[0]:
        raise asked.undefined(0, solution=solution)
    found = solution.strengths[0]
    residual, used = 0.0, "one pass"  # a pass repeats the very same arithmetic: its residual is 0
    if not qbaf.structure.acyclic:
        order, used = asked.arrays.order, solver
        again = asked.equation.update(found[order], qbaf.base_array[order], None)
        residual = float(np.abs(again - found[order]).max())
    return Strengths(
        qbaf=qbaf,
        array=found,
        semantics=asked.semantics.name,
        solver=used,
        steps=int(solution.steps[0]),
        residual=residual,
    )


def solve_lanes(
    qbaf: Qbaf,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    device: str = "cpu",
    present: ArrayLike | None = None,
    base_scores: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Floats:
    """Compute the strengths of many lanes at once; a lane is a set of arguments, their base scores and edge weights.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    semantics, solver, max_steps
        As in `strengths`.
    executor : concurrent.futures.Executor, optional
        Where shares of the lanes are solved, if there are many.
    device : {"cpu", "cuda"}
        Where lanes are computed: "cuda" is a GPU, which needs the extra `gpu`.
    present : array of shape (lanes, arguments), optional
        1 where an argument is there and 0 where it is not; one row may stand for all lanes.
    base_scores : array of shape (lanes, arguments), optional
        What the arguments start from; one row may stand for all lanes.
    weights : array of shape (lanes, edges), optional
        How much each edge counts, in the order of `qbaf.weights`; 0 cuts an edge. An attack stays an attack. One row
        may stand for all lanes.

    Returns
    -------
    array of shape (lanes, arguments)
        An argument that is not there has strength 0.

    Raises
    ------
    UndefinedStrength
        If a lane has no strengths; `lane` of the error says which.
    InvalidInput
        If the arrays have other shapes.

    Examples
    --------
    >>> q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")])
    >>> solve_lanes(q, present=[[1, 1], [0, 1]], semantics="df-quad").tolist()
    [[0.5, 0.75], [0.0, 0.5]]
    """
    asked = make_problem(qbaf, semantics, solver, max_steps, executor, device)
    return asked.strengths(present, base_scores, weights)


def check_base_scores(asked: Problem, base: Floats) -> None:
    """Refuse lanes of base scores that are not all in [0, 1]."""
    if not ((base >= 0) & (base <= 1)).all():
        lane, which = np.argwhere(~((base >= 0) & (base <= 1)))[0]
        name, value = asked.qbaf.arguments[which], base[lane, which]
        raise InvalidQbaf(f"the base score of argument {name!r} in lane {lane} is {value:g}, outside [0, 1]")


def check_domain(asked: Problem, found: Floats, moving: Floats) -> None:
    """A user's formulas may fail: not a number is always an error, outside [0, 1] unless they said so."""
    low, high = (-ROUNDING, 1 + ROUNDING) if asked.semantics.bounded else (-np.inf, np.inf)
    outside = ~((found >= low) & (found <= high)) & (moving == 0)[:, None]  # NaN compares false
    if outside.any():
        lane, which = np.argwhere(outside)[0]
        name, value = asked.qbaf.arguments[which], found[lane, which]
        raise InvalidQbaf(
            f"semantics {asked.semantics.name!r} gives argument {name!r} the strength {value:g}; "
            + ("its formulas must give numbers" if np.isnan(value) else "bounded=False lets strengths leave [0, 1]")
        )


def _columns(rows: Floats, here: slice, size: int, order: Integers) -> Floats:
    """Lanes as columns, so that a gather moves whole rows of lanes; one lane alone is one-dimensional."""
    lanes = rows[here] if len(rows) > 1 else rows
    if size == 1:
        return np.asarray(lanes[0, order])
    columns = lanes.T[order]
    return np.ascontiguousarray(np.broadcast_to(columns, (columns.shape[0], size)))
