"""The two solvers of σ = F(σ): the synchronous update, and the continuous flow.

Each takes the equation, base scores and who is held at 0, in the order of evaluation with lanes as columns, and gives
strengths, the number of steps, and how much still moves in each lane: 0 where it settled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..graph.structure import Arrays
from ..types import Floats, Integers
from .scalar import ListedUpdate
from .update import Equation

if TYPE_CHECKING:
    from scipy.sparse import csc_array

LAST_STEPS = 8  # of an update without a limit, in which an argument that moves is named
COMPACT_BELOW = 0.7  # share of lanes still going at which the others are dropped
MAX_LISTED_UPDATE = 400  # arguments and edges up to which one lane is updated more quickly in plain lists
TOLERANCE = 1e-12  # of strengths on cyclic graphs, by the estimate step · rate / (1 − rate)

Run = tuple[Floats, NDArray[np.int64] | int, Floats | float]


def solve_discrete(
    equation: Equation, base: Floats, held: Floats | None, max_steps: int, last_moves: deque[Floats] | None = None
) -> Run:
    """One pass, or the synchronous update until each lane has settled by itself.

    `last_moves` gets how much each argument that is not at rest moved in each step, for one lane.
    """
    if equation.arrays.acyclic:
        out = np.empty_like(base)
        return equation.update(out, base, held, out=out), 1, 0.0
    lanes = base.shape[1] if base.ndim == 2 else 1
    base = base.reshape(len(base), lanes)
    held = None if held is None else held.reshape(len(base), lanes)
    result = np.full(base.shape, np.nan)
    steps, moving = np.zeros(lanes, np.int64), np.zeros(lanes)
    alive, watch = np.arange(lanes), _Settling(lanes)
    going = np.ones(lanes, bool)  # those of `alive` that have not ended
    now, reach, first = base if held is None else base * held, _find_magnification(equation.arrays), 0
    listed = _list_update(equation, base, held) if lanes == 1 else None
    for step in range(1, max_steps + 1):
        if step == equation.arrays.steps_before_cycles + 1:  # what is before all cycles is at rest
            first = equation.arrays.before_cycles
            watch.narrow(first)
        then, now = now, listed(now, first) if listed else equation.update(now, base, held, skip=first)
        with np.errstate(invalid="ignore"):  # ∞ − ∞, where strengths grow beyond all bounds
            moved = np.abs(now[first:] - then[first:])
            if last_moves is not None:
                last_moves.append(moved)
            change = (moved if reach is None else reach[first:] * moved).max(axis=0, initial=0.0)
        settled, stuck = watch(step, change, now[first:])
        ended = (settled | stuck | (step == max_steps)) & going
        if ended.any():
            good, bad = ended & settled, ended & ~settled
            result[:, alive[good]] = now[:, good]
            steps[alive[ended]] = step
            moving[alive[bad]] = change[bad]
            going &= ~ended
            left = int(going.sum())
            if not left:
                break
            if left <= COMPACT_BELOW * len(going):  # carrying a few lanes along costs less
                alive, now, base = alive[going], now[:, going], base[:, going]
                held = None if held is None else held[:, going]
                equation = equation.pick_lanes(going)
                reach = reach if reach is None or reach.shape[1] == 1 else reach[:, going]
                watch.keep(going)
                going = np.ones(left, bool)
    return (result[:, 0], steps, moving) if lanes == 1 else (result, steps, moving)


def _list_update(equation: Equation, base: Floats, held: Floats | None) -> ListedUpdate | None:
    """F in plain lists, where that is quicker: for one lane of a small graph; None elsewhere."""
    arrays, semantics = equation.arrays, equation.semantics
    if semantics.scalar is None or len(arrays) + len(arrays.parents) > MAX_LISTED_UPDATE:
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


def solve_continuous(
    equation: Equation, base: Floats, held: Floats | None, max_steps: int, max_time: float | None = None
) -> Run:
    """The equilibrium of each lane; they flow side by side. A lane that does not rest by `max_time` is undefined."""
    from .continuous import (  # here: it brings SciPy, which takes longer to import than NumPy
        MAX_TIME,
        Lanes,
        find_equilibria,
        find_equilibrium,
    )

    if equation.arrays.acyclic:
        return solve_discrete(equation, base, held, max_steps)
    if base.ndim == 1:
        state, calls, rest = find_equilibrium(*_make_flow(equation, base, held), max_time or MAX_TIME)
        return np.where(rest > 0, np.nan, state), calls, rest

    def some(lanes: Integers) -> tuple[Floats, Floats | None]:
        return base[:, lanes], None if held is None else held[:, lanes]

    flows = Lanes(
        lambda states, lanes: equation.pick_lanes(lanes).update(states, *some(lanes)),
        lambda states, lanes: equation.pick_lanes(lanes).jacobians(states, *some(lanes)),
        lambda lane: _make_flow(equation.pick_lanes(lane), base[:, lane], None if held is None else held[:, lane]),
        base if held is None else base * held,
    )
    states, steps, moving = zip(*find_equilibria(flows, max_time or MAX_TIME), strict=True)
    found = np.where(np.array(moving) > 0, np.nan, np.column_stack(states))
    return found, np.array(steps), np.array(moving)


def _make_flow(
    equation: Equation, base: Floats, held: Floats | None
) -> tuple[Callable[[Floats], Floats], Callable[[Floats], csc_array], Floats]:
    """F, F′ and the start of one lane."""
    return (
        lambda s: equation.update(s, base, held),
        lambda s: equation.jacobian(s, base, held)[0],
        base if held is None else base * held,
    )


def find_discrete_moves(equation: Equation, base: Floats, held: Floats | None, max_steps: int) -> tuple[Floats, int]:
    """How much each argument moves in the last steps of an update that does not settle."""
    last: deque[Floats] = deque(maxlen=LAST_STEPS)
    _, steps, _ = solve_discrete(equation, base, held, max_steps, last)
    return join_moves(last, len(base)), int(np.max(steps))


def join_moves(last: Iterable[Floats], size: int) -> Floats:
    """The largest move of each argument in some steps; in each, the first arguments may be at rest and left out."""
    found = np.zeros(size)
    for moved in last:
        own = found[size - len(moved) :]
        np.maximum(own, moved.ravel(), out=own)
    return found


def find_continuous_moves(equation: Equation, base: Floats, held: Floats | None, max_steps: int) -> tuple[Floats, int]:
    """How much each argument still moves at the end of a flow without an equilibrium."""
    from .continuous import find_equilibrium

    update, jacobian, start = _make_flow(equation, base, held)
    state, steps, _ = find_equilibrium(update, jacobian, start)
    return np.abs(update(state) - state), steps


SOLVERS: dict[str, Callable[[Equation, Floats, Floats | None, int], Run]] = {
    "discrete": solve_discrete,
    "continuous": solve_continuous,
}
MOVES: dict[str, Callable[[Equation, Floats, Floats | None, int], tuple[Floats, int]]] = {
    "discrete": find_discrete_moves,
    "continuous": find_continuous_moves,
}
