"""The continuous semantics: follow dσ/dt = F(σ) − σ from the base scores to its equilibrium.

(Potyka: Continuous dynamical systems for weighted bipolar argumentation, KR 2018; Extending modular
semantics …, AAMAS 2019.) The flow of each lane is integrated by the method of Dormand and Prince with a step size of
its own. Every operation is elementwise, so that a lane among others has the bits that it has alone, and equal
arguments stay equal. Near an equilibrium small steps along the flow give the last digits, or Newton's method where
these would take too long. Newton's method may find an equilibrium that the flow only passes by: it must be stable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..types import Bools, Floats, Integers
from .balance import Path
from .update import Equation

if TYPE_CHECKING:
    from scipy.sparse import csc_array

# Dormand and Prince (1980): the weights of the earlier stages in each stage, of which the last is the next state, and
# the weights of all seven stages in the estimate of the error
STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERROR_WEIGHTS = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)

STEP_ERROR = 1e-8  # of one step, relative to 1 + |σ|
FIRST_STEP, LEAST_STEP = 0.05, 1e-9  # of time
MAX_SPEED = 1e15  # a flow this fast comes to no rest
NEAR = 1e-5  # speed below which the last digits are tried
AT_REST = 1e-13  # speed of a state that counts as an equilibrium
ROUNDING = 4e-16  # speed that rounding leaves
MAX_SMALL_STEPS = 400
SMALL_STEPS_PER_DIGIT = 25  # a lane whose speed has not become a tenth after so many small steps is too slow for them
MAX_NEWTON_STEPS = 60
MAX_POLISH = 1e-2  # by which the last digits may change a strength
MAX_DENSE_ARGUMENTS = 300  # arguments up to which all eigenvalues cost less than a few by iteration


class Flow:
    """dσ/dt = F(σ) − σ of many lanes; states are (arguments, lanes)."""

    def __init__(self, equation: Equation, base: Floats, held: Floats | None) -> None:
        self.equation, self.base, self.held = equation, base, held

    @property
    def start(self) -> Floats:
        return self.base.copy() if self.held is None else self.base * self.held

    def pick(self, lanes: Integers) -> Flow:
        """The flow of some of the lanes."""
        held = None if self.held is None else self.held[:, lanes]
        return Flow(self.equation.pick_lanes(lanes), self.base[:, lanes], held)

    def __call__(self, states: Floats) -> Floats:
        with np.errstate(invalid="ignore", over="ignore"):
            return self.equation.update(states, self.base, self.held) - states

    def find_jacobian(self, state: Floats) -> csc_array:
        """F′ of the only lane."""
        held = None if self.held is None else self.held[:, 0]
        weights = self.equation.arrays.weights
        own = self.equation if weights is None or weights.ndim == 1 else self.equation.with_weights(weights[:, 0])
        return own.jacobian(state[:, 0], self.base[:, 0], held)[0]


def follow_flow(equation: Equation, base: Floats, held: Floats | None, limit: NDArray[np.int64]) -> Path:
    """Follow the flow of each lane until it rests, or until another step would take it beyond its number of updates.

    A flow that grows beyond all bounds moves by ∞; a formula that gives no number gives a state of NaN at rest.
    """
    flow, lanes = Flow(equation, base, held), base.shape[1]
    state, alive = flow.start, np.arange(lanes)
    path = Path(state, np.ones(lanes, np.int64), np.zeros(lanes), state.copy(), state.copy())
    moves, pace, next_try = flow(state), np.full(lanes, FIRST_STEP), np.zeros(lanes, np.int64)
    while len(alive):
        speed = _find_speed(moves[:, alive])
        path.moving[alive] = np.where(np.isnan(speed), 0.0, np.where(speed < MAX_SPEED, speed, np.inf))
        state[:, alive[np.isnan(speed)]] = np.nan
        going = speed < MAX_SPEED  # neither lost nor beyond all bounds
        near = alive[going & (speed <= NEAR) & (path.steps[alive] >= next_try[alive])]
        resting = _find_rest(flow, path, moves, near)
        next_try[near] = 2 * path.steps[near]
        path.moving[near[resting]] = 0.0
        alive = alive[going & ~np.isin(alive, near[resting]) & (path.steps[alive] + len(STAGES) <= limit[alive])]
        if not len(alive):
            break
        then, after, error = _take_step(flow.pick(alive), state[:, alive], moves[:, alive], pace[alive])
        path.steps[alive] += len(STAGES)
        good = error <= 1
        done = alive[good]
        state[:, done], moves[:, done] = then[:, good], after[:, good]
        path.low[:, done] = np.minimum(path.low[:, done], then[:, good])
        path.high[:, done] = np.maximum(path.high[:, done], then[:, good])
        pace[alive] *= np.clip(0.9 * np.maximum(error, 1e-10) ** -0.2, 0.2, 5.0)
        lost = alive[pace[alive] < LEAST_STEP]
        moves[:, lost] = np.nan  # no step is small enough: a formula gives no numbers beside this state
    return replace(path, moves=np.abs(moves[:, 0])) if lanes == 1 else path


def sample_flow(equation: Equation, base: Floats, times: Floats) -> Floats:
    """Return σ at each of the times, (times, arguments)."""
    flow = Flow(equation, base[:, None], None)
    state, pace = flow.start, np.array([FIRST_STEP])
    moves, samples, time = flow(state), [state[:, 0]], float(times[0])
    for end in times[1:].tolist():
        while time < end:
            step = np.minimum(pace, end - time)
            then, after, error = _take_step(flow, state, moves, step)
            if error[0] <= 1:
                state, moves, time = then, after, time + float(step[0]) if step[0] == pace[0] else end
            pace = step * np.clip(0.9 * np.maximum(error, 1e-10) ** -0.2, 0.2, 5.0)
        samples.append(state[:, 0])
    return np.array(samples)


def _find_speed(moves: Floats) -> Floats:
    """The largest |dσ/dt| of each lane."""
    speed: Floats = np.abs(moves).max(axis=0, initial=0.0)
    return speed


def _take_step(flow: Flow, state: Floats, moves: Floats, pace: Floats) -> tuple[Floats, Floats, Floats]:
    """One step of each lane by its own time: the next state, its moves, and the error as a share of what is allowed."""
    stages, then = [moves], state
    with np.errstate(invalid="ignore", over="ignore"):
        for weights in STAGES:
            then = state + pace * _mix(weights, stages)
            stages.append(flow(then))
        error = np.abs(pace * _mix(ERROR_WEIGHTS, stages)) / (
            STEP_ERROR * (1 + np.maximum(np.abs(state), np.abs(then)))
        )
    worst = error.max(axis=0, initial=0.0)
    return then, stages[-1], np.where(np.isfinite(worst), worst, np.inf)


def _mix(weights: tuple[float, ...], stages: list[Floats]) -> Floats:
    """Σ weight · stage, one after the other: a product of matrices would round by position."""
    total = weights[0] * stages[0]
    for weight, stage in zip(weights[1:], stages[1:], strict=True):
        if weight:
            total += weight * stage
    return total


def _find_rest(flow: Flow, path: Path, moves: Floats, lanes: Integers) -> Bools:
    """Give these lanes their last digits, where they are near an equilibrium; which of them now rest."""
    if not len(lanes):
        return np.zeros(0, bool)
    state, own = path.state[:, lanes], flow.pick(lanes)
    now, used = _creep(own, state, moves[:, lanes])
    path.steps[lanes] += used
    resting = _is_at_rest(own, now, state)
    for k in np.flatnonzero(~resting).tolist():
        only = own.pick(np.array([k]))
        now[:, [k]], used_alone = _solve_newton(only, state[:, [k]])
        path.steps[lanes[k]] += used_alone
        resting[k] = _is_at_rest(only, now[:, [k]], state[:, [k]])[0] and _is_stable(only.find_jacobian(now[:, [k]]))
    path.state[:, lanes[resting]] = now[:, resting]
    return resting


def _is_at_rest(flow: Flow, now: Floats, near: Floats) -> Bools:
    """Whether a state is an equilibrium, and the one near which the flow was."""
    gone = np.abs(now - near).max(axis=0, initial=0.0)
    return np.asarray((_find_speed(flow(now)) <= AT_REST) & (gone <= MAX_POLISH))


def _creep(flow: Flow, state: Floats, moves: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """σ ← σ + η (F(σ) − σ), η halved whenever the move grows; the states, and how many updates each lane took."""
    state, moves = state.copy(), moves.copy()
    pace, used = np.full(state.shape[1], 0.5), np.ones(state.shape[1], np.int64)  # the last one is the check
    going, mark = np.arange(state.shape[1]), _find_speed(moves)
    for count in range(MAX_SMALL_STEPS):
        speed = _find_speed(moves[:, going])
        if count and count % SMALL_STEPS_PER_DIGIT == 0:
            slow = speed > 0.1 * mark[going]
            mark[going] = speed
        else:
            slow = np.zeros(len(going), bool)
        kept = (speed > ROUNDING) & ~slow
        going, speed = going[kept], speed[kept]
        if not len(going):
            break
        trial = state[:, going] + pace[going] * moves[:, going]
        after = flow.pick(going)(trial)
        used[going] += 1
        better = _find_speed(after) <= speed
        pace[going[~better]] /= 2
        state[:, going[better]], moves[:, going[better]] = trial[:, better], after[:, better]
    return state, used


def _solve_newton(flow: Flow, state: Floats) -> tuple[Floats, int]:
    """σ ← σ + (I − F′)⁻¹ (F(σ) − σ) of one lane, up to rounding; as it is where the system is singular."""
    from scipy.sparse import csc_array, eye_array  # here: SciPy takes longer to import than NumPy
    from scipy.sparse.linalg import splu

    moves, used = flow(state), 1
    while used < MAX_NEWTON_STEPS and _find_speed(moves)[0] > ROUNDING:
        try:
            step = splu(csc_array(eye_array(len(state)) - flow.find_jacobian(state))).solve(moves[:, 0])
        except RuntimeError:  # a singular system
            break
        if not np.abs(step).max(initial=0.0) <= MAX_POLISH:
            break
        state = state + step[:, None]
        moves, used = flow(state), used + 1
    return state, used


def _is_stable(jacobian: csc_array) -> bool:
    """Whether the flow comes back to an equilibrium with this F′ when it is a little beside it."""
    from scipy.sparse.linalg import ArpackNoConvergence, eigs

    n = jacobian.shape[0]
    if n <= MAX_DENSE_ARGUMENTS:
        largest = np.linalg.eigvals(jacobian.toarray()).real.max(initial=0.0)
    else:
        try:
            largest = eigs(jacobian, k=1, which="LR", return_eigenvectors=False, v0=np.ones(n), tol=1e-6).real.max()
        except ArpackNoConvergence:
            return False  # it is not known
    return bool(largest <= 1 + 1e-6)
