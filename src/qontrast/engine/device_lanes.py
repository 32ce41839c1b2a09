"""Solve many lanes on a device: every argument is a row of lanes, and each update of a row is one kernel.

The same update and the same test of convergence as on the CPU (`discrete`), with rows in place of one array: a row is
never changed, so that no state has to be copied. A lane that has ended keeps its strengths while the others go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph.structure import Arrays
from ..semantics import SEMANTICS, Semantics
from ..settings import wrap_failures
from ..types import Bools, Floats, Integers
from .backend import Backend
from .balance import MAX_APART, contracts_everywhere, find_drift
from .discrete import TOLERANCE, estimate_error
from .update import Equation

if TYPE_CHECKING:
    from .problem import Problem, Solution

MAX_FUSED_PARENTS = 8  # in one kernel; more are folded by several

Row = Any  # an array (lanes,) of the device, or a number that is the same in all lanes


@dataclass(frozen=True)
class Argument:
    """One argument: its place, its parents with their weights (attackers first), and how many of them attack."""

    place: int
    attackers: int
    parents: tuple[int, ...]
    weights: tuple[Row, ...] | None  # None: all are 1


@dataclass(frozen=True)
class LanesOnDevice:
    """F of a graph for many lanes on a device; rows are in the order of evaluation."""

    arrays: Arrays
    semantics: Semantics
    backend: Backend
    arguments: list[Argument]

    def solve(
        self,
        base: Sequence[Row],
        held: Sequence[Row | None],
        lanes: int,
        max_steps: int,
        check_balance: bool = True,
    ) -> tuple[list[Row], Row, Row]:
        """Return strengths by argument, steps and, of each lane, how much still moves: 0 where it settled."""
        with self._wrap_failures():
            if self.arrays.acyclic:
                rows: list[Row] = []
                for each in self.arguments:
                    rows.append(self._strength(each, rows, base[each.place], held[each.place]))
                return rows, self._fill(lanes, 1, np.int64), self._fill(lanes, 0.0)
            rows, steps, moving = self._iterate(base, held, lanes, self._fill(lanes, max_steps, np.int64))
            if check_balance and not self._contracts(base):
                moving = self._find_balanced(rows, steps, moving, base, held, max_steps)
            lost = moving != 0
            if bool(lost.any()):
                rows = [self.backend.arrays.where(lost, np.nan, row) for row in rows]
            return rows, steps, moving

    def _contracts(self, base: Sequence[Row]) -> bool:
        """Whether F contracts whatever the strengths are, so that no lane needs its neighbours."""
        low, high = (
            np.array([float(getattr(row, end)()) if np.ndim(row) else row for row in base])[:, None]
            for end in ("min", "max")
        )
        return contracts_everywhere(Equation(self.arrays, self.semantics), low, high)

    def _find_balanced(
        self, rows: list[Row], steps: Row, moving: Row, base: Sequence[Row], held: Sequence[Row | None], max_steps: int
    ) -> Row:
        """How much still moves, or how far apart the neighbours of a lane lead (see `balance`)."""
        arrays, limit, apart = self.backend.arrays, 4 * steps + 200, self._fill(len(steps), 0.0)
        limit = arrays.where(limit < max_steps, limit, max_steps)
        for sign in (1, -1):
            ends = self._iterate(base, held, len(steps), limit, drift=sign)[0]
            for row, end in zip(rows, ends, strict=True):
                away = arrays.abs(row - end)
                apart = arrays.where(away > apart, away, apart)
        return arrays.where((moving == 0) & (apart > MAX_APART), apart, moving)

    def _wrap_failures(self) -> AbstractContextManager[None]:
        if SEMANTICS.get(self.semantics.name) is self.semantics:
            return nullcontext()
        name = f"semantics {self.semantics.name!r} on device {self.backend.device!r}"
        way = "write its formulas with functions of NumPy and methods of arrays that CuPy has too, or leave device out"
        return wrap_failures(name, way)

    def _fill(self, lanes: int, value: float, kind: Any = np.float64) -> Row:
        return self.backend.arrays.full(lanes, value, kind)

    def _strength(self, argument: Argument, rows: Sequence[Row], base: Row, held: Row | None) -> Row:
        """F of one argument, 0 where it is not there."""
        if not argument.parents and self.semantics.influence.neutral:
            return base if held is None else base * held
        if self.semantics.aggregation.fold is None or len(argument.parents) > MAX_FUSED_PARENTS:
            there = () if held is None else (held,)
            return _fuse_influence(self.semantics, self.backend, len(there))(base, self._energy(argument, rows), *there)
        kernel = _fuse_update(
            self.semantics,
            self.backend,
            argument.attackers,
            len(argument.parents),
            argument.weights is not None,
            held is not None,
        )
        there = () if held is None else (held,)
        return kernel(base, *there, *(rows[parent] for parent in argument.parents), *(argument.weights or ()))

    def _energy(self, argument: Argument, rows: Sequence[Row]) -> Row:
        """α of one argument by several kernels: for many parents, and for aggregations without a fold."""
        x = [rows[parent] for parent in argument.parents]
        if argument.weights is not None:
            x = [weight * each for weight, each in zip(argument.weights, x, strict=True)]
        attacks, supports = x[: argument.attackers], x[argument.attackers :]
        fold = self.semantics.aggregation.fold
        if fold is not None:
            return fold.finish(self._fold(attacks), self._fold(supports))
        return self.semantics.aggregation.energy(self._stack(attacks, x), self._stack(supports, x))

    def _fold(self, x: list[Row]) -> Row:
        fold = self.semantics.aggregation.fold
        assert fold is not None
        received: Row = float(fold.lift(np.zeros(())))
        for first in range(0, len(x), MAX_FUSED_PARENTS):
            some = x[first : first + MAX_FUSED_PARENTS]
            received = _fuse_fold(self.semantics, self.backend, len(some))(received, *some)
        return received

    def _stack(self, x: list[Row], every: list[Row]) -> Row:
        """Rows as one array (parents, lanes)."""
        arrays = self.backend.arrays
        lanes = max((np.size(each) for each in every), default=1)
        if not x:
            return arrays.zeros((0, lanes))
        return arrays.stack([arrays.broadcast_to(arrays.asarray(each, np.float64), (lanes,)) for each in x])

    def _iterate(
        self, base: Sequence[Row], held: Sequence[Row | None], lanes: int, limit: Row, drift: int = 0
    ) -> tuple[list[Row], Row, Row]:
        """The synchronous update until each lane has settled by itself, or taken its number of steps.

        With a `drift` of 1 or −1 the lanes are neighbours of those that are asked for.
        """
        arrays = self.backend.arrays
        n, magnified = len(self.arguments), self._find_magnification()
        zero = self._fill(lanes, 0.0)
        now = [zero + row if gone is None else zero + row * gone for row, gone in zip(base, held, strict=True)]
        steps, moving, going = self._fill(lanes, 0, np.int64), zero, self._fill(lanes, 1, np.bool_)
        before = earlier = self._fill(lanes, np.inf)
        mark: list[Row] | None = None
        marked, at_mark, most = 0, before, zero
        track = _fuse_track(self.backend)
        for step in range(1, int(limit.max()) + 1):
            first = self.arrays.before_cycles if step > self.arrays.steps_before_cycles else 0
            then, now, change = now, now[:first], zero
            for each in self.arguments[first:]:
                place = each.place
                found = self._strength(each, then, base[place], held[place])
                if drift:
                    found = found + drift * find_drift(place) * np.clip(found * (1 - found), -1, 1)
                row, change = track(found, then[place], change, going, magnified[place])
                now.append(row)
            settled = (change == 0) | arrays.isnan(change)
            if bool((change <= TOLERANCE).any()):
                power = 1 / (step - marked)
                settled = settled | _fuse_settled(self.backend)(change, before, earlier, at_mark, power)
            earlier, before, most = before, change, arrays.maximum(most, change)
            stuck = arrays.isinf(change)
            if mark is not None and step % 4 == 0:
                back = self._compare(now[first:], mark[first:])
                settled, stuck = settled | back & (most <= TOLERANCE), stuck | back & (most > TOLERANCE)
            if step & (step - 1) == 0:
                mark, marked, at_mark, most = now, step, change, zero
            ended = going & (settled | stuck | (limit <= step))
            if bool(ended.any()):
                steps = arrays.where(ended, step, steps)
                moving = arrays.where(ended & ~settled, change, moving)
                going = going & ~ended
                if not bool(going.any()):
                    break
        assert len(now) == n
        return now, steps, moving

    def _compare(self, rows: Sequence[Row], others: Sequence[Row]) -> Row:
        """In which lanes all rows are equal."""
        same, agree = _fuse_agree(self.backend), self._fill(len(rows[0]), 1, np.bool_)
        for row, other in zip(rows, others, strict=True):
            if row is not other:
                agree = same(agree, row, other)
        return agree

    def _find_magnification(self) -> list[Row]:
        """By how much a change of each argument is magnified on its way to its children, at least 1."""
        found: list[Row] = [1.0] * len(self.arguments)
        for each in self.arguments:
            for parent, weight in zip(each.parents, each.weights or (), strict=False):
                found[parent] = (
                    max(found[parent], weight)
                    if isinstance(weight, float) and isinstance(found[parent], float)
                    else self.backend.arrays.maximum(found[parent], weight)
                )
        return found


def solve_on_device(
    problem: Problem, there: Floats | None, base: Floats, weights: Floats | None, lanes: int
) -> Solution:
    """Solve lanes on the device of a problem: what `Problem.solve` does on the CPU."""
    from .problem import Solution, check_base_scores  # here: it imports this module

    backend, size = problem.backend, len(problem.qbaf)
    out, steps, moving = backend.make_host_array((lanes, size)), np.ones(lanes, np.int64), np.zeros(lanes)
    for here, count in cut_lanes(problem, lanes):
        held, scores, edges = (_send(backend, rows, here) for rows in (there, base, weights))
        if len(base) > 1 and not (float(scores.min()) >= 0 and float(scores.max()) <= 1):
            check_base_scores(problem, base)
        found, *ended = solve_rows(problem, scores, [None] * size if held is None else held, edges, count)
        steps[here], moving[here] = map(backend.to_host, ended)
        joined = check_strengths(problem, _join(backend, found, count), moving[here])
        backend.fetch(backend.arrays.ascontiguousarray(joined.T), out[here])
    return Solution(out, steps, moving)


def solve_column(problem: Problem, coalitions: Bools, player_of: Integers, column: int) -> tuple[Floats, Floats]:
    """Return the strength of one argument in many coalitions, and how much still moves in each.

    `player_of` says of each argument which column of `coalitions` switches it; −1 for one that is always there.
    """
    lanes, backend = len(coalitions), problem.backend
    out, moving = np.empty(lanes), np.zeros(lanes)
    base = problem.qbaf.base_array.tolist()
    for here, count in cut_lanes(problem, lanes):
        switch = _send(backend, coalitions, here)
        held = [None if player < 0 else switch[player] for player in player_of.tolist()]
        row, ended = solve_topic(problem, base, held, column, count)
        out[here], moving[here] = backend.to_host(row), backend.to_host(ended)
    return out, moving


def solve_topic(
    problem: Problem, base: Sequence[Row], held: Sequence[Row | None], column: int, lanes: int
) -> tuple[Row, Row]:
    """Return the strengths of one argument in all lanes, checked, and how much still moves in each."""
    rows, _, moving = solve_rows(problem, base, held, None, lanes)
    row = problem.backend.arrays.broadcast_to(problem.backend.arrays.asarray(rows[column], np.float64), (lanes,))
    if not _is_inside(problem, row):
        check_strengths(problem, _join(problem.backend, rows, lanes), problem.backend.to_host(moving))
    return (problem.backend.arrays.clip(row, 0.0, 1.0) if problem.semantics.bounded else row), moving


def solve_rows(
    problem: Problem, base: Sequence[Row], held: Sequence[Row | None], weights: Sequence[Row] | None, lanes: int
) -> tuple[list[Row], Row, Row]:
    """Solve lanes whose base scores, presence and weights are rows on the device, in the graph's own order.

    Returns the strengths of each argument in that order, the steps, and how much still moves.
    """
    arrays, own = problem.arrays, None
    if weights is not None:
        own = [weights[edge] for edge in problem.qbaf.structure.edge_order.tolist()]
    made = make_lanes(arrays, problem.semantics, problem.backend, own)
    order = arrays.order.tolist()
    rows, steps, moving = made.solve(
        [base[k] for k in order], [held[k] for k in order], lanes, problem.max_steps, problem.check_balance
    )
    return [rows[place] for place in arrays.place.tolist()], steps, moving


def cut_lanes(problem: Problem, lanes: int) -> Iterator[tuple[slice, int]]:
    """Blocks of lanes that are solved at a time, with their sizes."""
    block = max(1, problem.backend.numbers_per_block // max(len(problem.qbaf), 1))
    for first in range(0, lanes, block):
        yield slice(first, first + block), min(block, lanes - first)


def check_strengths(problem: Problem, found: Row, moving: Floats) -> Row:
    """Refuse strengths (arguments, lanes) outside the domain of the semantics, and clip what rounding leaves."""
    from .problem import check_domain

    if not _is_inside(problem, found):  # it may be that lanes are undefined, and nothing else
        check_domain(problem, problem.backend.to_host(found).T, moving)
    return problem.backend.arrays.clip(found, 0.0, 1.0) if problem.semantics.bounded else found


def _is_inside(problem: Problem, found: Row) -> bool:
    """Whether all strengths are in the domain of the semantics; NaN is not."""
    from .problem import ROUNDING

    if problem.semantics.bounded:
        return float(found.min()) >= -ROUNDING and float(found.max()) <= 1 + ROUNDING
    return bool(problem.backend.arrays.isfinite(found).all())


def _send(backend: Backend, rows: Floats | Bools | None, here: slice) -> Any:
    """Lanes as an array (arguments, lanes) of the device; one lane that stands for all as a list of numbers."""
    if rows is None:
        return None
    if len(rows) == 1:
        return rows[0].tolist()
    return backend.arrays.ascontiguousarray(backend.arrays.asarray(rows[here]).T)


def _join(backend: Backend, rows: Sequence[Row], lanes: int) -> Row:
    """Rows and numbers as one array (arguments, lanes)."""
    arrays = backend.arrays
    out = arrays.empty((len(rows), lanes))
    for k, row in enumerate(rows):
        out[k] = row
    return out


def make_lanes(
    arrays: Arrays, semantics: Semantics, backend: Backend, weights: Sequence[Row] | None = None
) -> LanesOnDevice:
    """Prepare a compiled graph for a device; `weights` has a row for each entry of `arrays.parents`."""
    listed = None if arrays.weights is None else arrays.weights.tolist()
    parents, arguments = arrays.parents.tolist(), []
    for lo, hi, attackers, degree, start in arrays.bounds.tolist():
        width = hi - lo
        for k in range(width):
            entries = range(start + k, start + k + degree * width, width)
            own = None
            if weights is not None:
                own = tuple(weights[entry] for entry in entries)
            elif listed is not None:
                own = tuple(listed[entry] for entry in entries)
            arguments.append(Argument(lo + k, attackers, tuple(parents[entry] for entry in entries), own))
    return LanesOnDevice(arrays, semantics, backend, arguments)


@lru_cache(maxsize=1024)
def _fuse_update(
    semantics: Semantics, backend: Backend, attackers: int, parents: int, weighted: bool, held: bool
) -> Any:
    """ι(b, α(…)) of an argument with so many parents, as one kernel of (base, [held], x…, [w…])."""
    fold, influence = semantics.aggregation.fold, semantics.influence.strength
    assert fold is not None
    nothing = float(fold.lift(np.zeros(())))

    def gather(x: Sequence[Any]) -> Any:
        received: Any = nothing
        for k, each in enumerate(x):
            lifted = fold.lift(each)
            received = lifted if k == 0 else fold.combine(received, lifted)
        return received

    def update(base: Any, *rows: Any) -> Any:
        there, x = (rows[0], rows[1:]) if held else (None, rows)
        if weighted:
            x = tuple(weight * each for each, weight in zip(x[:parents], x[parents:], strict=True))
        found = influence(base, fold.finish(gather(x[:attackers]), gather(x[attackers:])))
        return found if there is None else found * there

    return backend.fuse(update)


@lru_cache(maxsize=256)
def _fuse_influence(semantics: Semantics, backend: Backend, held: int) -> Any:
    strength = semantics.influence.strength
    if held:
        return backend.fuse(lambda base, energy, there: strength(base, energy) * there)
    return backend.fuse(strength)


@lru_cache(maxsize=256)
def _fuse_fold(semantics: Semantics, backend: Backend, parents: int) -> Any:
    """Fold so many parents into what was received."""
    fold = semantics.aggregation.fold
    assert fold is not None

    def receive(received: Any, *x: Any) -> Any:
        for each in x:
            received = fold.combine(received, fold.lift(each))
        return received

    return backend.fuse(receive)


@lru_cache(maxsize=8)
def _fuse_track(backend: Backend) -> Any:
    """Keep a lane that has ended as it is, and note by how much the others change at most."""

    def track(found: Any, then: Any, change: Any, going: Any, magnified: Any) -> Any:
        now = np.where(going, found, then)
        moved = np.abs(now - then) * magnified
        return now, np.where(moved > change, moved, np.where(np.isnan(moved), moved, change))

    return backend.fuse(track)


@lru_cache(maxsize=8)
def _fuse_settled(backend: Backend) -> Any:
    def settled(change: Any, before: Any, earlier: Any, at_mark: Any, power: Any) -> Any:
        left = estimate_error(change, before, earlier, (change / at_mark) ** power)
        return (change <= TOLERANCE) & (left <= TOLERANCE)

    return backend.fuse(settled)


@lru_cache(maxsize=8)
def _fuse_agree(backend: Backend) -> Any:
    return backend.fuse(lambda agree, row, other: agree & (row == other))
