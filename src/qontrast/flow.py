"""The continuous semantics: follow dσ/dt = F(σ) − σ from the base scores to its equilibrium.

(Potyka: Continuous dynamical systems for weighted bipolar argumentation, KR 2018; Extending modular
semantics …, AAMAS 2019.) An adaptive Runge–Kutta integrator brings σ near its equilibrium, Newton's method on
F(σ) − σ = 0 (or a creep along the flow, where the equilibrium is not isolated) then gives the last digits;
a polish that would leave the neighbourhood is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .qbaf import Floats

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Update = Callable[[Floats], Floats]
NEAR = 1e-5  # residual at which Newton may take over
LAST = 2.0**17  # the time after which a system that still moves counts as one without an equilibrium


def equilibrium(update: Update, jacobian: Callable[[Floats], csc_array], start: Floats) -> tuple[Floats, int, float]:
    """The equilibrium reached from `start`, the number of updates, and how much still moves (0: nothing)."""
    from scipy.integrate import solve_ivp  # here, and so below: SciPy takes longer to import than NumPy

    state, time, span, calls = start, 0.0, 16.0, 1
    move = update(state) - state
    while time < LAST:
        if np.abs(move).max(initial=0.0) <= NEAR:
            polished, used = _polish(update, jacobian, state)
            calls += used
            if polished is not None:
                return polished, calls, 0.0
        run = solve_ivp(lambda _, s: update(s) - s, (0, span), state, rtol=1e-8, atol=1e-11)
        state, time, span, calls = run.y[:, -1], time + span, span * 2, calls + run.nfev + 1
        move = update(state) - state
    return state, calls, float(np.abs(move).max())


def _polish(update: Update, jacobian: Callable[[Floats], csc_array], near: Floats) -> tuple[Floats | None, int]:
    """Newton's last digits, or small steps along the flow where equilibria are not isolated."""
    state, used = _newton(update, jacobian, near)
    if state is None:
        state, more = _creep(update, near)
        used += more
    if np.abs(state - near).max(initial=0.0) > 1e-2 or np.abs(update(state) - state).max(initial=0.0) > 1e-13:
        return None, used
    return state, used


def _newton(update: Update, jacobian: Callable[[Floats], csc_array], near: Floats) -> tuple[Floats | None, int]:
    """σ ← σ + (I − F′)⁻¹ (F(σ) − σ), up to rounding; None if that system is singular or leads away."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    state = near
    for used in range(1, 12):
        move = update(state) - state
        if np.abs(move).max(initial=0.0) <= 4e-16:
            return state, used
        try:
            state = state + splu(csc_array(eye_array(len(state)) - jacobian(state))).solve(move)
        except RuntimeError:  # singular
            return None, used
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


def path(update: Callable[[Floats], Floats], start: Floats, times: Floats) -> Floats:
    """σ at each of the times, (times, arguments)."""
    from scipy.integrate import solve_ivp

    run = solve_ivp(lambda _, s: update(s) - s, (0, times[-1]), start, t_eval=times, rtol=1e-9, atol=1e-12)
    return np.ascontiguousarray(run.y.T)
