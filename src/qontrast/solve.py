"""Strengths: the one door through which everything asks for them.

The definition is the synchronous update that starts at the base scores, on the whole graph:

    σ₀ = τ,    σₖ₊₁(a) = F(σₖ)(a) = ι(τ(a), α(σₖ of the attackers of a, σₖ of its supporters))

and σ is its limit. On an acyclic graph one pass in topological order gives that limit. On a cyclic one it is
iterated until the error is about 1e-12; no limit means *undefined*. `solver="continuous"` follows
dσ/dt = F(σ) − σ from the same start instead (Potyka, KR 2018; AAMAS 2019).

A *lane* is one sub-problem: a set of present arguments and a vector of base scores. Many lanes are solved at
once; an absent argument is one held at 0, which is as good as cutting it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Arrays, compiled
from .equation import Equation
from .errors import InvalidInput, InvalidQbaf, UndefinedStrength, quoted, unknown
from .plain import plain
from .qbaf import Floats, Integers, Name, Qbaf
from .semantics import Semantics, named
from .shown import Pictured, Told

if TYPE_CHECKING:
    from scipy.sparse import csc_array

TOLERANCE = 1e-12  # of strengths on cyclic graphs, by the estimate step · rate / (1 − rate)
ROUNDING = 1e-14  # by which a user's formula may leave [0, 1] unintended
MAX_STEPS = 10_000
BLOCK = 1 << 18  # numbers in one gather: what stays in cache beside its neighbours


@dataclass(frozen=True, eq=False)
class Strengths(Told, Mapping[Name, float]):
    """σ: a mapping from argument to strength, with how it was found.

    `steps` is the number of updates (1 for an acyclic graph), `residual` the largest |F(σ) − σ|.
    """

    qbaf: Qbaf = field(repr=False)
    array: Floats = field(repr=False)  # in the order of qbaf.arguments
    semantics: str
    solver: str
    steps: int
    residual: float

    def __getitem__(self, name: Name) -> float:
        return float(self.array[self.qbaf.index(name)])

    def __iter__(self) -> Iterator[Name]:
        return iter(self.qbaf.arguments)

    def __len__(self) -> int:
        return len(self.qbaf)

    def __contains__(self, name: object) -> bool:
        return name in self.qbaf

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/strengths/1`."""
        return {
            "schema": "qontrast/strengths/1",
            "semantics": self.semantics,
            "solver": self.solver,
            "steps": self.steps,
            "residual": self.residual,
            "strengths": plain(self),
        }

    def __str__(self) -> str:
        shown = [f"{self.qbaf.label(name)} {value:.4f}" for name, value in islice(self.items(), 20)]
        more = f", … ({len(self) - 20} more)" if len(self) > 20 else ""
        return f"strengths under {self.semantics}: {', '.join(shown)}{more}"


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths of many lanes, (lanes, arguments) in the graph's own order; undefined lanes are NaN."""

    strengths: Floats
    steps: NDArray[np.int64]  # of each lane
    moving: Floats  # the last step's largest change, of each lane: 0 where it settled


@dataclass(frozen=True, eq=False)
class Problem:
    """A graph under a semantics, ready to be solved for any number of lanes."""

    qbaf: Qbaf
    semantics: Semantics
    solver: str = "discrete"
    max_steps: int = MAX_STEPS

    @property
    def arrays(self) -> Arrays:
        return compiled(self.qbaf)

    @property
    def equation(self) -> Equation:
        """F; strengths found by iteration are good to 1e-12, and so are energies."""
        return Equation(self.arrays, self.semantics, 1e-14 if self.arrays.acyclic else 1e-11)

    def solve(self, present: ArrayLike | None = None, base_scores: ArrayLike | None = None) -> Solution:
        """All lanes; either array may be missing, or have one row for all lanes. Undefined lanes are NaN."""
        if present is None and base_scores is None:
            return self._whole()
        return self._solved(*self._lanes(present, base_scores))

    def _whole(self) -> Solution:
        """The graph as it is: solved once, and kept with it."""
        key = ("solution", self.semantics, self.solver, self.max_steps)
        if key not in self.qbaf._cache:
            found = self._solved(None, self.qbaf.base_array[None])
            found.strengths.setflags(write=False)
            self.qbaf._cache[key] = found
        kept: Solution = self.qbaf._cache[key]
        return kept

    def _solved(self, there: Floats | None, base: Floats) -> Solution:
        lanes = len(base) if there is None or len(there) == 1 else len(there)
        out, steps, moving = np.empty((lanes, len(self.qbaf))), np.ones(lanes, np.int64), np.zeros(lanes)
        widest = max(len(self.qbaf), len(self.qbaf.weights), 1)
        chunk = max(1, BLOCK // widest)
        run = SOLVERS[self.solver]
        for first in range(0, lanes, chunk):
            here = slice(first, first + chunk)
            size = min(chunk, lanes - first)
            some = _columns(base, here, size, self.arrays.order)
            held = None if there is None else _columns(there, here, size, self.arrays.order)
            found, steps[here], moving[here] = run(self, some, held)
            out[here] = found[self.arrays.place].T if size > 1 else found[self.arrays.place]
        _check_domain(self, out, moving)
        return Solution(out, steps, moving)

    def strengths(self, present: ArrayLike | None = None, base_scores: ArrayLike | None = None) -> Floats:
        """The same, an undefined lane being an error that names the arguments which still move."""
        solution = self.solve(present, base_scores)
        bad = np.flatnonzero(solution.moving)
        if len(bad):
            raise self.undefined(int(bad[0]), present, base_scores)
        return solution.strengths

    def undefined(
        self, lane: int, present: ArrayLike | None = None, base_scores: ArrayLike | None = None
    ) -> UndefinedStrength:
        """The error for one lane: run it again, and look at who moves."""
        there, base = self._lanes(present, base_scores)
        one, order = slice(lane, lane + 1), self.arrays.order
        held = None if there is None else _columns(there, one, 1, order)
        start = _columns(base, one, 1, order)
        moves, steps = MOVES[self.solver](self, start, held)
        names = [self.qbaf.arguments[i] for i in order[moves > TOLERANCE]]
        most = float(moves.max())
        if self.solver != "discrete":
            way = "the continuous semantics has no equilibrium here either"
        elif most > 1e-6:
            way = 'strengths are undefined here, or ask for solver="continuous"'
            if steps == self.max_steps:
                way += ", or raise max_steps"
        else:
            way = "it may converge slowly: raise max_steps"
        where = f" in lane {lane}" if max(len(base), 1 if there is None else len(there)) > 1 else ""
        message = f"{self.semantics.name}: {quoted(names)} still move by {most:.2g} after {steps} steps{where}; {way}"
        return UndefinedStrength(message, tuple(names), most, lane)

    def _lanes(self, present: ArrayLike | None, base_scores: ArrayLike | None) -> tuple[Floats | None, Floats]:
        base = self.qbaf.base_array[None] if base_scores is None else np.atleast_2d(np.asarray(base_scores, np.float64))
        there = None if present is None else np.atleast_2d(np.asarray(present, np.float64))
        for what, given in (("present", there), ("base_scores", base)):
            if given is not None and (given.ndim != 2 or given.shape[1] != len(self.qbaf)):
                raise InvalidInput(f"{what} has shape {given.shape}; give (lanes, {len(self.qbaf)} arguments)")
        if there is not None and len(there) != len(base) and 1 not in (len(there), len(base)):
            raise InvalidInput(f"{len(there)} lanes of present arguments and {len(base)} of base scores do not pair up")
        if there is not None and not ((there == 0) | (there == 1)).all():
            lane, which = np.argwhere((there != 0) & (there != 1))[0]
            name, value = self.qbaf.arguments[which], there[lane, which]
            raise InvalidInput(f"present says {value:g} of argument {name!r} in lane {lane}; give 1 (there) or 0 (not)")
        if base_scores is not None and not ((base >= 0) & (base <= 1)).all():
            lane, which = np.argwhere(~((base >= 0) & (base <= 1)))[0]
            name, value = self.qbaf.arguments[which], base[lane, which]
            raise InvalidQbaf(f"the base score of argument {name!r} in lane {lane} is {value:g}, outside [0, 1]")
        return there, base


def problem(
    qbaf: Qbaf,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
) -> Problem:
    """The problem behind every public function: `semantics=None` means the graph's own, else `qe`."""
    if not isinstance(qbaf, Qbaf):
        raise InvalidInput(f"expected a Qbaf, not {type(qbaf).__name__}")
    chosen = named(qbaf.semantics if semantics is None else semantics)
    if solver not in SOLVERS:
        raise unknown(solver, SOLVERS, "solver")
    if max_steps < 1:
        raise InvalidInput(f"max_steps is {max_steps}; give at least 1")
    limit = chosen.aggregation.max_weight
    if len(qbaf.weights) and np.abs(qbaf.weights).max() > limit:
        bad = int(np.argmax(np.abs(qbaf.weights) > limit))
        pair = (qbaf.arguments[qbaf.sources[bad]], qbaf.arguments[qbaf.targets[bad]])
        raise InvalidQbaf(
            f"the weight of edge {pair} is {abs(qbaf.weights[bad]):g}; {chosen.name} allows weights up to {limit:g}: "
            "rescale the weights, or choose a semantics with a sum, such as qe"
        )
    return Problem(qbaf, chosen, solver, max_steps)


def strengths(
    qbaf: Qbaf, semantics: str | Semantics | None = None, *, solver: str = "discrete", max_steps: int = MAX_STEPS
) -> Strengths:
    """The strength of every argument: the limit of the synchronous update from the base scores.

    >>> q = Qbaf({"a": 0.5, "b": 0.5, "t": 0.5}, attacks=[("a", "t")], supports={("b", "t"): 0.5})
    >>> strengths(q, "df-quad")["t"]
    0.375
    """
    asked = problem(qbaf, semantics, solver, max_steps)
    solution = asked.solve()
    if solution.moving[0]:
        raise asked.undefined(0, None, None)
    found = solution.strengths[0]
    residual, used = 0.0, "one pass"  # a pass repeats the very same arithmetic: its residual is 0
    if not asked.arrays.acyclic:
        order, used = asked.arrays.order, solver
        again = asked.equation.update(found[order], qbaf.base_array[order], None)
        residual = float(np.abs(again - found[order]).max())
    return Strengths(qbaf, found, asked.semantics.name, used, int(solution.steps[0]), residual)


def solve_lanes(
    qbaf: Qbaf,
    present: ArrayLike | None = None,
    base_scores: ArrayLike | None = None,
    semantics: str | Semantics | None = None,
    *,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
) -> Floats:
    """Strengths of many lanes at once, shape (lanes, arguments).

    `present` (lanes, arguments) says which arguments are there, `base_scores` (lanes, arguments) what they
    start from; either may have a single row for all lanes. An argument that is not there has strength 0.

    >>> q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")])
    >>> solve_lanes(q, present=[[1, 1], [0, 1]], semantics="df-quad").tolist()
    [[0.5, 0.75], [0.0, 0.5]]
    """
    return problem(qbaf, semantics, solver, max_steps).strengths(present, base_scores)


def _check_domain(asked: Problem, found: Floats, moving: Floats) -> None:
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


# -- the solvers: (problem, base, held) in the order of evaluation → strengths, steps, how much still moves ------


def _columns(rows: Floats, here: slice, size: int, order: Integers) -> Floats:
    """Lanes as columns, so that a gather moves whole rows of lanes; one lane alone is one-dimensional."""
    chosen = rows[here] if len(rows) > 1 else rows
    if size == 1:
        return np.asarray(chosen[0, order])
    columns = chosen.T[order]
    return np.ascontiguousarray(np.broadcast_to(columns, (columns.shape[0], size)))


Run = tuple[Floats, NDArray[np.int64] | int, Floats | float]


def _discrete(asked: Problem, base: Floats, held: Floats | None) -> Run:
    """One pass, or the synchronous update until each lane has settled by itself."""
    if asked.arrays.acyclic:
        out = np.empty_like(base)
        return asked.equation.update(out, base, held, out=out), 1, 0.0
    lanes = base.shape[1] if base.ndim == 2 else 1
    base = base.reshape(len(base), lanes)
    held = None if held is None else held.reshape(len(base), lanes)
    result = np.full(base.shape, np.nan)
    steps, moving = np.zeros(lanes, np.int64), np.zeros(lanes)
    alive, watch, update = np.arange(lanes), _Settling(lanes), asked.equation.update
    now, reach, first = base if held is None else base * held, _reach(asked.arrays), 0
    for step in range(1, asked.max_steps + 1):
        if step == asked.arrays.rest + 1:  # from now on the still part is at rest, and need not be looked at
            first = asked.arrays.still
            watch.narrow(first)
        then, now = now, update(now, base, held, still=first > 0)
        with np.errstate(invalid="ignore"):  # ∞ − ∞, where strengths grow beyond all bounds
            moved = np.abs(now[first:] - then[first:])
            change = (moved if reach is None else reach[first:] * moved).max(axis=0, initial=0.0)
        settled, stuck = watch(step, change, now[first:])
        last = stuck | (step == asked.max_steps)
        ended = settled | last
        if ended.any():
            result[:, alive[settled]] = now[:, settled]
            steps[alive[ended]] = step
            moving[alive[last & ~settled]] = change[last & ~settled]
            keep = ~ended
            if not keep.any():
                break
            alive, now, base = alive[keep], now[:, keep], base[:, keep]
            held = None if held is None else held[:, keep]
            watch.keep(keep)
    return (result[:, 0], steps, moving) if lanes == 1 else (result, steps, moving)


def _reach(arrays: Arrays) -> Floats | None:
    """By how much a change of an argument is magnified on its way to its children: its largest weight, at least 1."""
    if arrays.weights is None:
        return None
    reach = np.ones((len(arrays), 1))
    np.maximum.at(reach[:, 0], arrays.parents, arrays.weights)
    return reach


class _Settling:
    """Tells of every lane whether it has reached its limit, or never will.

    The error left after a step d that shrinks by the rate r each time is d·r/(1 − r). The rate is the worst of
    the last two steps (a complex pair of eigenvalues makes single rates flatter) and the mean rate since the
    mark, a state kept at each power of two (near the last digits single rates are noise). A lane that comes
    back to its mark to the last bit goes round for ever: within 1e-12 that is rounding, else it has no limit.
    A step below 1e-12 counts as no step: what would grow out of one later is not seen.
    """

    def __init__(self, lanes: int) -> None:
        self.before = np.full(lanes, np.inf)
        self.rate = np.full(lanes, 1.0)
        self.mark: Floats | None = None
        self.marked, self.at_mark = 0, self.before
        self.most = np.zeros(lanes)  # the largest change since the mark

    def __call__(self, step: int, change: Floats, now: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(self.before > 0, change / self.before, 0.0)
        settled = (change == 0) | np.isnan(change)  # NaN: a formula failed, and that is the result
        near = np.flatnonzero(change <= TOLERANCE)  # what is left is never less than the change
        if len(near):
            settled[near] |= self._left(step, change[near], rate[near], near) <= TOLERANCE
        self.before, self.rate, self.most = change, rate, np.maximum(self.most, change)
        stuck = np.isinf(change)
        if self.mark is not None:
            back = (now == self.mark).all(axis=0)
            settled |= back & (self.most <= TOLERANCE)
            stuck |= back & (self.most > TOLERANCE)
        if step & (step - 1) == 0:
            self.mark, self.marked, self.at_mark, self.most = now.copy(), step, change, np.zeros(len(change))
        return settled, stuck

    def _left(self, step: int, change: Floats, rate: Floats, lanes: Integers) -> Floats:
        """The error left in these lanes."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (change / self.at_mark[lanes]) ** (1 / (step - self.marked)) if self.mark is not None else rate
            worst = np.maximum(np.maximum(rate, self.rate[lanes]), mean)
            return np.asarray(np.where(worst < 1, change * np.maximum(1.0, worst / (1 - worst)), np.inf))

    def narrow(self, first: int) -> None:
        """Look at the arguments from this place on alone."""
        self.mark = None if self.mark is None else self.mark[first:]

    def keep(self, lanes: NDArray[np.bool_]) -> None:
        self.before, self.rate, self.at_mark = self.before[lanes], self.rate[lanes], self.at_mark[lanes]
        self.most = self.most[lanes]
        self.mark = None if self.mark is None else self.mark[:, lanes]


def _continuous(asked: Problem, base: Floats, held: Floats | None) -> Run:
    """The equilibrium of each lane, one after the other."""
    from .flow import equilibrium  # here: it brings SciPy, which takes longer to import than NumPy

    if asked.arrays.acyclic:
        return _discrete(asked, base, held)
    if base.ndim == 1:
        return equilibrium(*_flow(asked, base, held))
    runs = [equilibrium(*_flow(asked, base[:, k], None if held is None else held[:, k])) for k in range(base.shape[1])]
    states, steps, moving = zip(*runs, strict=True)
    found = np.where(np.array(moving) > 0, np.nan, np.column_stack(states))
    return found, np.array(steps), np.array(moving)


def _flow(
    asked: Problem, base: Floats, held: Floats | None
) -> tuple[Callable[[Floats], Floats], Callable[[Floats], csc_array], Floats]:
    """F, F′ and the start of one lane."""
    equation = asked.equation
    return (
        lambda s: equation.update(s, base, held),
        lambda s: equation.jacobian(s, base, held)[0],
        base if held is None else base * held,
    )


def _discrete_moves(asked: Problem, base: Floats, held: Floats | None) -> tuple[Floats, int]:
    """How much each argument moves in the last eight steps of an update that does not settle."""
    _, steps, _ = _discrete(asked, base, held)
    last = int(np.max(steps))
    now, moves = base if held is None else base * held, np.zeros(len(base))
    for step in range(last):
        then, now = now, asked.equation.update(now, base, held)
        if step >= last - 8:
            moves = np.maximum(moves, np.abs(now - then))
    return moves, last


def _continuous_moves(asked: Problem, base: Floats, held: Floats | None) -> tuple[Floats, int]:
    from .flow import equilibrium

    update, jacobian, start = _flow(asked, base, held)
    state, steps, _ = equilibrium(update, jacobian, start)
    return np.abs(update(state) - state), steps


SOLVERS: dict[str, Callable[[Problem, Floats, Floats | None], Run]] = {
    "discrete": _discrete,
    "continuous": _continuous,
}
MOVES: dict[str, Callable[[Problem, Floats, Floats | None], tuple[Floats, int]]] = {
    "discrete": _discrete_moves,
    "continuous": _continuous_moves,
}


@dataclass(frozen=True, eq=False)
class Trajectory(Pictured):
    """Strength over time: `strengths[k]` at `times[k]`, in the order of the graph's arguments."""

    qbaf: Qbaf = field(repr=False)
    times: Floats = field(repr=False)
    strengths: Floats = field(repr=False)  # (times, arguments)
    semantics: str
    solver: str

    def __getitem__(self, name: Name) -> Floats:
        return self.strengths[:, self.qbaf.index(name)]


def trajectory(
    qbaf: Qbaf,
    semantics: str | Semantics | None = None,
    *,
    solver: str = "continuous",
    until: float = 20.0,
    points: int = 201,
) -> Trajectory:
    """How strengths develop from the base scores: of dσ/dt = F(σ) − σ, or step by step of the discrete update.

    `until` is the last time, or the number of updates; `points` is how many times the continuous curve is read.

    >>> q = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    >>> trajectory(q, "df-quad", solver="discrete", until=3)["a"].tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    asked = problem(qbaf, semantics, solver)
    if not (np.isfinite(until) and until > 0 and points >= 2):
        raise InvalidInput(f"a trajectory needs until > 0 and points ≥ 2, not {until!r} and {points!r}")
    order, place, equation = asked.arrays.order, asked.arrays.place, asked.equation
    base = qbaf.base_array[order]
    if solver == "continuous":
        from .flow import path

        times = np.linspace(0.0, until, points)
        found = path(lambda s: equation.update(s, base, None), base, times)
    else:
        times = np.arange(int(until) + 1.0)
        found = np.empty((len(times), len(base)))
        found[0] = base
        for k in range(1, len(times)):
            found[k] = equation.update(found[k - 1], base, None)
    return Trajectory(qbaf, times, found[:, place], asked.semantics.name, solver)
