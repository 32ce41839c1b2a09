"""The continuous semantics: follow dσ/dt = F(σ) − σ from the base scores to its equilibrium.

(Potyka: Continuous dynamical systems for weighted bipolar argumentation, KR 2018; Extending modular
semantics …, AAMAS 2019.) An adaptive Runge–Kutta integrator brings σ near its equilibrium, Newton's method on
F(σ) − σ = 0 (or a creep along the flow, where the equilibrium is not isolated) then gives the last digits;
a polish that would leave the neighbourhood is not accepted, nor an unstable equilibrium that the flow only
passes by: it must have stayed for as long as rounding alone would need to carry it off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import ArpackNoConvergence, eigs, splu

from ..types import Floats, Integers

Update = Callable[[Floats], Floats]
NEWTON_BELOW = 1e-5  # residual at which Newton may take over
MAX_SPEED = 1e100  # a flow this fast comes to no rest
MAX_DENSE_ARGUMENTS = 300  # arguments up to which all eigenvalues cost less than a few by iteration
MAX_SHARED_TIME = 64.0  # the longest span in which lanes flow side by side
FIRST_SPAN = 16.0  # of time; the next is twice as long, and so on
MAX_TIME = 2.0**17  # the time after which a system that still moves counts as one without an equilibrium


@dataclass(frozen=True, slots=True)
class Course:
    """How far the flow of one lane is: its state at a time, the span to follow it next, updates, and how long calm."""

    state: Floats
    time: float = 0.0
    span: float = FIRST_SPAN
    calls: int = 1
    calm: float = 0.0


def find_equilibrium(
    update: Update,
    jacobian: Callable[[Floats], csc_array],
    start: Floats,
    max_time: float = MAX_TIME,
    course: Course | None = None,
) -> tuple[Floats, int, float]:
    """The equilibrium reached from `start`, the number of updates, and how much still moves (0: nothing).

    A flow that grows beyond all bounds moves by ∞; a formula that gives no number gives a state of NaN. A `course` is
    followed from where it is.
    """
    course = Course(start) if course is None else course
    state, time, span, calls, calm = course.state, course.time, course.span, course.calls, course.calm
    try:
        move = _find_move(update, state)
        while time < max_time:
            if np.abs(move).max(initial=0.0) <= NEWTON_BELOW:
                polished, used = _polish(update, jacobian, state)
                calls += used
                if polished is not None and (not move.any() or calm >= _time_to_stay(jacobian(polished))):
                    return polished, calls, 0.0
                calm += span
            else:
                calm = 0.0
            # a long way to rest is a slow one, along which an implicit method takes long steps
            integrator: Literal["LSODA", "RK45"] = (
                "LSODA" if span > MAX_SHARED_TIME and len(state) <= MAX_DENSE_ARGUMENTS else "RK45"
            )
            run = solve_ivp(lambda _, s: _find_move(update, s), (0, span), state, integrator, rtol=1e-8, atol=1e-11)
            state, time, span, calls = run.y[:, -1], time + span, span * 2, calls + run.nfev + 1
            move = _find_move(update, state)
    except FloatingPointError as lost:
        return np.full_like(start, np.nan), calls, np.inf if "grows" in str(lost) else 0.0
    return state, calls, float(np.abs(move).max(initial=0.0))


@dataclass(frozen=True)
class Lanes:
    """Many flows side by side, the columns of `start`: F and F′ in some of them, and one of them alone."""

    update: Callable[[Floats, Integers], Floats]
    jacobians: Callable[[Floats, Integers], Floats]
    alone: Callable[[int], tuple[Update, Callable[[Floats], csc_array], Floats]]
    start: Floats

    def moves(self, states: Floats, lanes: Integers) -> Floats:
        """dσ/dt in these lanes."""
        return _find_move(lambda s: self.update(s, lanes), states)

    def flat(self, lanes: Integers, _: float, states: Floats) -> Floats:
        """The same as an integrator wants it."""
        return self.moves(states.reshape(len(self.start), -1), lanes).ravel()


def find_equilibria(flows: Lanes, max_time: float = MAX_TIME) -> list[tuple[Floats, int, float]]:
    """What `find_equilibrium` finds, for many lanes: they flow side by side, and each comes to rest by itself.

    Those that have not after a while go on alone.
    The integrator looks at the mean error of all that it moves, so its tolerance shrinks with the root of their number.
    """
    found: dict[int, tuple[Floats, int, float]] = {}
    (n, lanes), state, time, span, calls = flows.start.shape, flows.start.copy(), 0.0, FIRST_SPAN, 1
    left, calm = np.arange(lanes), np.zeros(lanes)
    try:
        while len(left) and span <= MAX_SHARED_TIME:
            move = flows.moves(state[:, left], left)
            near = np.abs(move).max(axis=0, initial=0.0) <= NEWTON_BELOW
            calm[left[~near]] = 0.0
            for lane, (polished, used, patience) in _polish_lanes(flows, state, left[near]).items():
                if polished is not None and (calm[lane] >= patience or not move[:, left == lane].any()):
                    found[lane] = polished, calls + used, 0.0
                calm[lane] += span
            left = np.array([lane for lane in left.tolist() if lane not in found], np.intp)
            if len(left):
                fine = np.sqrt(len(left))
                flow = partial(flows.flat, left)
                run = solve_ivp(flow, (0, span), state[:, left].ravel(), rtol=1e-8 / fine, atol=1e-11 / fine)
                state[:, left] = run.y[:, -1].reshape(n, -1)
                time, span, calls = time + span, span * 2, calls + run.nfev + 1
    except FloatingPointError:
        pass  # in one of them; which it was is told when each goes alone
    for lane in left.tolist():
        course = Course(state[:, lane].copy(), time, span, calls, float(calm[lane]))
        found[lane] = find_equilibrium(*flows.alone(lane), max_time, course)
    return [found[lane] for lane in range(lanes)]


def _polish_lanes(flows: Lanes, states: Floats, lanes: Integers) -> dict[int, tuple[Floats | None, int, float]]:
    """The last digits in these lanes, the updates that took, and how long to stay before believing them.

    Small steps along the flow do for most lanes, all at once; the others go alone.
    """
    if not len(lanes):
        return {}
    near, used = states[:, lanes], 0
    now = near
    for used in range(1, 200):  # noqa: B007 — the count is a result
        move = flows.update(now, lanes) - now
        if not np.abs(move).max(initial=0.0) > 4e-16:
            break
        now = now + 0.5 * move
    rest = np.abs(flows.update(now, lanes) - now).max(axis=0, initial=0.0)
    good = (rest <= 1e-13) & (np.abs(now - near).max(axis=0, initial=0.0) <= 1e-2)
    found: dict[int, tuple[Floats | None, int, float]] = {}
    if len(states) <= MAX_DENSE_ARGUMENTS:
        largest = np.linalg.eigvals(flows.jacobians(now[:, good], lanes[good])).real.max(axis=1, initial=0.0)
        for lane, state, each in zip(lanes[good].tolist(), now[:, good].T, largest.tolist(), strict=True):
            found[lane] = state, used, _time_to_leave(each)
    for lane in lanes.tolist():
        if lane not in found:
            update, jacobian, _ = flows.alone(lane)
            polished, more = _polish(update, jacobian, states[:, lane])
            found[lane] = polished, used + more, 0.0 if polished is None else _time_to_stay(jacobian(polished))
    return found


def _find_move(update: Update, state: Floats) -> Floats:
    """dσ/dt = F(σ) − σ; an integrator that is given no number never comes back."""
    move = update(state) - state
    size = np.abs(move).max(initial=0.0)
    if not size < MAX_SPEED:
        raise FloatingPointError("the flow has no value" if np.isnan(size) else "the flow grows beyond all bounds")
    return move


def _time_to_stay(jacobian: csc_array) -> float:
    """How long to stay near an equilibrium with this F′ before believing that the flow ends there.

    Stable: no time at all. If it is left at the rate λ, the largest real part of F′ − I, then a deviation of
    1e-16 would be seen after 37/λ.
    """
    n = jacobian.shape[0]
    if n <= MAX_DENSE_ARGUMENTS:
        largest = np.linalg.eigvals(jacobian.toarray()).real.max(initial=0.0)
    else:
        try:
            largest = eigs(jacobian, k=1, which="LR", return_eigenvectors=False, v0=np.ones(n), tol=1e-6).real.max()
        except ArpackNoConvergence:
            largest = 2.0  # unknown: as long as for one that is left at the rate 1
    return _time_to_leave(float(largest))


def _time_to_leave(largest: float) -> float:
    return 0.0 if largest <= 1 + 1e-6 else 37.0 / (largest - 1)


def _polish(update: Update, jacobian: Callable[[Floats], csc_array], near: Floats) -> tuple[Floats | None, int]:
    """Newton's last digits, or small steps along the flow where equilibria are not isolated."""
    try:
        state, used = _newton(update, jacobian, near)
    except RuntimeError:  # a singular system
        state, used = _creep(update, near)
    if state is None:
        return None, used
    if np.abs(state - near).max(initial=0.0) > 1e-2 or np.abs(update(state) - state).max(initial=0.0) > 1e-13:
        return None, used
    return state, used


def _newton(update: Update, jacobian: Callable[[Floats], csc_array], near: Floats) -> tuple[Floats | None, int]:
    """σ ← σ + (I − F′)⁻¹ (F(σ) − σ), up to rounding; None if that leads away, an error if the system is singular."""
    state = near
    for used in range(1, 12):
        move = update(state) - state
        if np.abs(move).max(initial=0.0) <= 4e-16:
            return state, used
        state = state + splu(csc_array(eye_array(len(state)) - jacobian(state))).solve(move)
        if not np.abs(state - near).max() <= 1e-2:
            return None, used
    return state, 12


def _creep(update: Update, near: Floats) -> tuple[Floats, int]:
    """σ ← σ + η (F(σ) − σ), η halved whenever the move grows."""
    state, pace = near, 0.5
    move = update(state) - state
    for used in range(1, 4000):  # noqa: B007 — the count is the result
        trial = state + pace * move
        after = update(trial) - trial
        if np.abs(after).max(initial=0.0) > np.abs(move).max(initial=0.0):
            pace /= 2
        else:
            state, move = trial, after
        if np.abs(move).max(initial=0.0) <= 4e-16 or pace < 1e-6:
            break
    return state, used


def follow_flow(update: Callable[[Floats], Floats], start: Floats, times: Floats) -> Floats:
    """σ at each of the times, (times, arguments)."""
    run = solve_ivp(lambda _, s: _find_move(update, s), (0, times[-1]), start, t_eval=times, rtol=1e-9, atol=1e-12)
    return np.ascontiguousarray(run.y.T)
