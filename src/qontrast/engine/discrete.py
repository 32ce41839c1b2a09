"""The two solvers of σ = F(σ): the synchronous update, and the continuous flow.

Each takes the equation, base scores and who is held at 0, in the order of evaluation with lanes as columns, and gives
strengths, the number of steps, and how much still moves in each lane: 0 where it settled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..graph.structure import Arrays
from ..types import Floats, Integers
from .balance import MAX_APART, Follow, Path, measure_balance
from .scalar import ListedUpdate
from .update import Equation

LAST_STEPS = 8  # of an update without a limit, in which an argument that moves is named
COMPACT_BELOW = 0.7  # share of lanes still going at which the others are dropped
MAX_LISTED_UPDATE = 400  # arguments and edges up to which one lane is updated more quickly in plain lists
TOLERANCE = 1e-12  # of strengths on cyclic graphs, by the estimate step · rate / (1 − rate)


@dataclass(frozen=True, slots=True)
class Run:
    """What a solver found: strengths, NaN where they are undefined, the updates and what still moves in each lane.

    Of a single undefined lane, `moves` says by how much each argument still moves, or, if it is `balanced`, by how much
    its strength changes with base scores next to these.
    """

    strengths: Floats
    steps: NDArray[np.int64] | int
    moving: Floats | float
    moves: Floats | None = None
    balanced: bool = False


def solve_discrete(
    equation: Equation, base: Floats, held: Floats | None, max_steps: int, check_balance: bool = True
) -> Run:
    """One pass, or the synchronous update until each lane has settled by itself."""
    if equation.arrays.acyclic:
        out = np.empty_like(base)
        return Run(equation.update(out, base, held, out=out), 1, 0.0)
    return _solve_cyclic(iterate, equation, base, held, max_steps, check_balance)


def solve_continuous(
    equation: Equation, base: Floats, held: Floats | None, max_steps: int, check_balance: bool = True
) -> Run:
    """The equilibrium of each lane, after at most so many updates."""
    from .continuous import follow_flow  # here: few ask for it

    if equation.arrays.acyclic:
        return solve_discrete(equation, base, held, max_steps)
    return _solve_cyclic(follow_flow, equation, base, held, max_steps, check_balance)


def _solve_cyclic(
    follow: Follow, equation: Equation, base: Floats, held: Floats | None, max_steps: int, check_balance: bool
) -> Run:
    """Follow each lane to its end; if `check_balance`, a lane that only an exact balance keeps there is undefined."""
    shape, lanes = base.shape, base.shape[1] if base.ndim == 2 else 1
    base = base.reshape(len(base), lanes)
    held = None if held is None else held.reshape(len(base), lanes)
    path = follow(equation, base, held, np.full(lanes, max_steps))
    apart = measure_balance(follow, equation, base, held, path, max_steps) if check_balance else np.zeros_like(base)
    farthest = apart.max(axis=0, initial=0.0)
    moving = np.where(farthest > MAX_APART, farthest, path.moving)
    strengths = np.where(moving > 0, np.nan, path.state).reshape(shape)
    if lanes > 1 or not moving[0]:
        return Run(strengths, path.steps, moving)
    balanced = bool(farthest[0] > MAX_APART)
    return Run(strengths, path.steps, moving, apart[:, 0] if balanced else path.moves, balanced)


def iterate(equation: Equation, base: Floats, held: Floats | None, limit: NDArray[np.int64]) -> Path:
    """Update all arguments at once, step by step, until each lane has settled or taken its number of steps."""
    lanes = base.shape[1]
    now = base if held is None else base * held
    path = Path(now.copy(), np.zeros(lanes, np.int64), np.zeros(lanes), now.copy(), now.copy())
    alive, watch = np.arange(lanes), _Settling(lanes)
    going = np.ones(lanes, bool)  # those of `alive` that have not ended
    low, high = path.low, path.high
    magnification, first = _find_magnification(equation.arrays), 0
    last_moves: deque[Floats] = deque(maxlen=LAST_STEPS)
    listed = _list_update(equation, base, held) if lanes == 1 else None
    for step in range(1, int(limit.max()) + 1):
        if step == equation.arrays.steps_before_cycles + 1:  # what is before all cycles is at rest
            first = equation.arrays.before_cycles
            watch.narrow(first)
        then, now = now, listed(now, first) if listed else equation.update(now, base, held, skip=first)
        with np.errstate(invalid="ignore"):  # ∞ − ∞, where strengths grow beyond all bounds
            moved = np.abs(now[first:] - then[first:])
            if lanes == 1:
                last_moves.append(moved)
            change = (moved if magnification is None else magnification[first:] * moved).max(axis=0, initial=0.0)
        np.minimum(low[first:], now[first:], out=low[first:])
        np.maximum(high[first:], now[first:], out=high[first:])
        settled, stuck = watch(step, change, now[first:])
        ended = (settled | stuck | (step >= limit[alive])) & going
        if ended.any():
            own = alive[ended]
            path.state[:, own], path.low[:, own], path.high[:, own] = now[:, ended], low[:, ended], high[:, ended]
            path.steps[own] = step
            path.moving[own] = np.where(settled[ended], 0.0, change[ended])
            going &= ~ended
            left = int(going.sum())
            if not left:
                break
            if left <= COMPACT_BELOW * len(going):  # carrying a few lanes along costs less
                alive, now, base = alive[going], now[:, going], base[:, going]
                held = None if held is None else held[:, going]
                low, high = low[:, going], high[:, going]
                equation = equation.pick_lanes(going)
                if magnification is not None and magnification.shape[1] > 1:
                    magnification = magnification[:, going]
                watch.keep(going)
                going = np.ones(left, bool)
    return replace(path, moves=_join_moves(last_moves, len(base))) if lanes == 1 else path


def _list_update(equation: Equation, base: Floats, held: Floats | None) -> ListedUpdate | None:
    """F in plain lists, where that is quicker: for one lane of a small graph; None elsewhere."""
    arrays, semantics = equation.arrays, equation.semantics
    if semantics.scalar is None or len(arrays) + len(arrays.parents) > MAX_LISTED_UPDATE:
        return None
    if equation.drift is not None:
        return None
    if (arrays.layers and semantics.aggregation.linear) or (arrays.weights is not None and arrays.weights.ndim > 1):
        return None
    there = None if held is None else held[:, 0].tolist()
    return ListedUpdate(arrays, semantics.scalar, base[:, 0].tolist(), there)


def _find_magnification(arrays: Arrays) -> Floats | None:
    """By how much a change of an argument is magnified on its way to its children: its largest weight, at least 1."""
    if arrays.weights is None:
        return None
    weights = arrays.weights.reshape(len(arrays.parents), -1)
    reach = np.ones((len(arrays), weights.shape[1]))
    np.maximum.at(reach, arrays.parents, weights)
    return reach


def estimate_error(change: Floats, before: Floats, earlier: Floats, mean: Floats | float) -> Floats:
    """The error left after a change, from the two changes before it and the mean rate since a mark."""
    rate = np.where(before > 0, change / before, 0.0)
    last = np.where(np.isinf(earlier), 1.0, np.where(earlier > 0, before / earlier, 0.0))
    worst = np.maximum(np.maximum(rate, last), mean)
    left: Floats = np.where(worst < 1, change * np.maximum(1.0, worst / (1 - worst)), np.inf)
    return left


class _Settling:
    """Tells of every lane whether it has reached its limit, or never will.

    The error left after a step d that shrinks by the rate r each time is d·r/(1 − r). The rate is the worst of
    the last two steps (a complex pair of eigenvalues makes single rates flatter) and the mean rate since the
    mark, a state kept at each power of two (near the last digits single rates are noise). A lane that comes
    back to its mark to the last bit goes round for ever: within 1e-12 that is rounding, else it has no limit.
    A step below 1e-12 counts as no step: what would grow out of one later is not seen.
    """

    def __init__(self, lanes: int) -> None:
        self.before, self.earlier = np.full(lanes, np.inf), np.full(lanes, np.inf)  # the last two changes
        self.mark: Floats | None = None
        self.marked, self.at_mark = 0, self.before
        self.most = np.zeros(lanes)  # the largest change since the mark

    def __call__(self, step: int, change: Floats, now: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        settled = (change == 0) | np.isnan(change)  # NaN: a formula failed, and that is the result
        near = np.flatnonzero(change <= TOLERANCE)  # what is left is never less than the change
        if len(near):
            settled[near] |= self._left(step, change[near], near) <= TOLERANCE
        self.earlier, self.before, self.most = self.before, change, np.maximum(self.most, change)
        stuck = np.isinf(change)
        if self.mark is not None and step % 4 == 0:  # whatever the period, some multiple of it is one of 4 too
            back = (now == self.mark).all(axis=0)
            settled |= back & (self.most <= TOLERANCE)
            stuck |= back & (self.most > TOLERANCE)
        if step & (step - 1) == 0:
            self.mark, self.marked, self.at_mark, self.most = now.copy(), step, change, np.zeros(len(change))
        return settled, stuck

    def _left(self, step: int, change: Floats, lanes: Integers) -> Floats:
        """The error left in these lanes."""
        before, earlier = self.before[lanes], self.earlier[lanes]
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (change / self.at_mark[lanes]) ** (1 / (step - self.marked)) if self.mark is not None else 0.0
            return estimate_error(change, before, earlier, mean)

    def narrow(self, first: int) -> None:
        """Look at the arguments from this place on alone."""
        self.mark = None if self.mark is None else self.mark[first:]

    def keep(self, lanes: NDArray[np.bool_]) -> None:
        self.before, self.earlier, self.at_mark = self.before[lanes], self.earlier[lanes], self.at_mark[lanes]
        self.most = self.most[lanes]
        self.mark = None if self.mark is None else self.mark[:, lanes]


def _join_moves(last: Iterable[Floats], size: int) -> Floats:
    """The largest move of each argument in some steps; in each, the first arguments may be at rest and left out."""
    largest = np.zeros(size)
    for moved in last:
        own = largest[size - len(moved) :]
        np.maximum(own, moved.ravel(), out=own)
    return largest


SOLVERS: dict[str, Callable[[Equation, Floats, Floats | None, int, bool], Run]] = {
    "discrete": solve_discrete,
    "continuous": solve_continuous,
}
