"""The slopes of strengths in base scores, exactly, with kinks.

    φ_t(x) = ∂σ(t)/∂τ(x)                                         (the paper, Definition 5)

Differentiating σ = F(σ, τ) gives (I − F_σ) dσ = F_τ dτ, with F_σ the derivatives by the parents' strengths and
F_τ a diagonal. So the row of a topic is φ_t = F_τ a, where a solves (I − F_σ)ᵀ a = e_t: on an acyclic graph by
one sweep from the topic down to the sources; for many topics, and with cycles, all rows from one sparse matrix.

At a *kink* the two one-sided derivatives may differ, and the limit of the definition does not exist: φ is NaN
there, `sides` has both values, `kinks` names the arguments that bend. At τ(x) = 0 or 1 only one side exists,
and is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..engine.discrete import TOLERANCE
from ..engine.problem import Problem
from ..engine.update import Equation, Local, gather_parents
from ..errors import Hint, UndefinedStrength, quote_names
from ..graph.structure import Group
from ..types import Floats, Integers, Name
from .device_slopes import can_sweep, sweep_on_device
from .list_slopes import SLOPE_TOLERANCE, find_slopes_in_lists
from .matrix import Sides

if TYPE_CHECKING:
    from scipy.sparse import csc_array

DIRECTIONS_PER_BLOCK = 512
MAX_SWEPT_TOPICS = 6  # for which one sweep each is quicker than one sparse system for all
MAX_SERIES_TERMS = 2_000  # terms of the series a = Σ (F_σᵀ)ᵏ e_t before the matrix is factorised instead


def find_slopes(
    problem: Problem, topics: tuple[Name, ...], base_scores: Floats | None = None, strengths: Floats | None = None
) -> tuple[Floats, Floats, dict[tuple[Name, Name], Sides], tuple[Name, ...]]:
    """∂σ(t)/∂τ(x) for each topic t (rows) and every x, the topic itself included; strengths; sides and kinks."""
    asked = tuple(problem.qbaf.index(topic) for topic in topics)
    if strengths is None:
        strengths = problem.strengths(base_scores=base_scores)[0]
    tau = problem.qbaf.base_array if base_scores is None else base_scores
    formulas, kinked = problem.semantics.scalar, problem.semantics.aggregation.kinked
    lists = None if formulas is None or kinked is not None else problem.qbaf.structure.parent_lists
    on_device = can_sweep(problem)
    if lists is not None and formulas is not None and not on_device:
        values, sides, kinks = find_slopes_in_lists(problem, lists, formulas, topics, tau, strengths)
        return values, strengths, sides, kinks
    arrays, equation = problem.arrays, problem.equation
    here, base = strengths[arrays.order], tau[arrays.order]
    places = arrays.place[list(asked)].astype(np.intp)
    swept = sweep_on_device(problem, here, base, places) if on_device else None
    with np.errstate(over="ignore"):
        if swept is not None:
            values, bent = swept
        elif arrays.acyclic and len(asked) <= MAX_SWEPT_TOPICS:
            values, bent = sweep(equation, here, base, places.tolist())
        else:
            by_base, adjoint, bent = solve_implicit(problem, here, base, places)
            values = by_base * adjoint
        values = values[:, arrays.place]
        sides, kinks = _find_bends(problem, here, base, asked, topics, bent, values)
    return values, strengths, sides, kinks


def sweep(
    equation: Equation, strengths: Floats, base: Floats, topics: Sequence[int], by_weight: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """∂σ(t)/∂τ of all arguments, for each topic t (rows), and which of them sit on a kink that matters.

    `by_weight` is filled with ∂σ(t)/∂w of every edge, (topics, edges), in the order of `arrays.parents`.
    """
    adjoint, out = np.zeros((len(topics), len(base))), np.zeros((len(topics), len(base)))
    bent = np.zeros(len(base), bool)
    adjoint[np.arange(len(topics)), topics] = 1.0
    start = len(equation.arrays.parents)
    for group in equation.arrays.groups(backwards=True):
        here = slice(group.lo, group.hi)
        start -= group.parents.size
        moved = np.flatnonzero(adjoint[:, here].any(axis=1)).tolist()
        if not moved:
            continue
        local = equation.local(group, strengths, base, None)
        bent[here] = _find_bent(equation, group, local, strengths) & adjoint[:, here].any(axis=0)
        flat = group.parents.ravel()
        for k in moved:
            share = adjoint[k, here]
            out[k, here] = local.by_base * share
            if not len(group.parents):
                continue
            rate = local.by_energy[1] * share
            pushed = local.slopes * rate
            if by_weight is not None:
                by_energy = pushed if local.slopes is local.by_parent else local.by_parent * rate
                by_weight[k, start : start + len(flat)] = (by_energy * strengths[group.parents]).ravel()
            np.add.at(adjoint[k], flat, pushed.ravel())  # flat: several times quicker than rectangles
    return out, bent


def _find_bent(equation: Equation, group: Group, local: Local, strengths: Floats) -> NDArray[np.bool_]:
    """Which arguments of a group sit on a kink; one without parents has nothing that could bend."""
    below, above = local.by_energy
    kinked = equation.semantics.aggregation.kinked
    if not len(group.parents) or (below is above and kinked is None):
        return np.zeros(group.hi - group.lo, bool)
    bent = np.abs(above - below) > SLOPE_TOLERANCE
    return bent if kinked is None else bent | kinked(*gather_parents(group, strengths))


def _find_all_bent(equation: Equation, strengths: Floats, base: Floats) -> NDArray[np.bool_]:
    bent = np.zeros(len(base), bool)
    aggregation, influence = equation.semantics.aggregation, equation.semantics.influence
    if influence.by_energy and not influence.by_energy_left and not aggregation.kinked:
        return bent  # smooth formulas have no kinks
    for group in equation.arrays.groups():
        local = equation.local(group, strengths, base, None)
        bent[group.lo : group.hi] = _find_bent(equation, group, local, strengths)
    return bent


def solve_implicit(
    problem: Problem, strengths: Floats, base: Floats, topics: Integers, by_weight: Floats | None = None
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """F_τ, the adjoints a of all topics from one matrix F_σ, (topics, arguments), and who sits on a kink that matters.

    `by_weight` is filled with F_w of every edge, in the order of `arrays.parents`.
    """
    inner, by_base = problem.equation.jacobian(strengths, base, by_weight=by_weight)
    ends = np.zeros((len(base), len(topics)))
    ends[topics, np.arange(len(topics))] = 1.0
    adjoint = None if problem.arrays.acyclic else _sum_series(inner, ends)
    if adjoint is None:
        adjoint = _solve_factorised(problem, inner, ends)
    bent = _find_all_bent(problem.equation, strengths, base)
    return by_base, adjoint.T, bent & adjoint.any(axis=1)


def _sum_series(inner: csc_array, ends: Floats) -> Floats | None:
    """a = Σ (F_σᵀ)ᵏ e, which converges where the update that found the strengths does; None if it takes too long."""
    back = inner.T
    wave, total = ends, ends.copy()
    for _ in range(MAX_SERIES_TERMS):
        wave = back @ wave
        total += wave
        left = np.abs(wave).max(initial=0.0)
        if left <= 1e-17:
            return total
        if left > 1e6:
            return None
    return None


def _solve_factorised(problem: Problem, inner: csc_array, ends: Floats) -> Floats:
    """The solution of (I − F_σ)ᵀ a = e; in the order of an acyclic evaluation the matrix is triangular already."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    matrix = csc_array((eye_array(len(ends)) - inner).T)
    try:
        if problem.arrays.acyclic:
            return np.asarray(splu(matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0).solve(ends))
        return np.asarray(splu(matrix).solve(ends))
    except RuntimeError:
        raise UndefinedStrength(
            f"{problem.semantics.name}: the equation is singular at these strengths, so that they have no gradient",
            hints=[Hint("method", ("removal", "shapley"))],
        ) from None


def _find_bends(
    problem: Problem,
    strengths: Floats,
    base: Floats,
    asked: tuple[int, ...],
    topics: tuple[Name, ...],
    bent: NDArray[np.bool_],
    values: Floats,
) -> tuple[dict[tuple[Name, Name], Sides], tuple[Name, ...]]:
    """Both sides for every contributor upstream of a kink; `values` gets the answer, or NaN, in place."""
    if not bent.any():
        return {}, ()
    qbaf, order = problem.qbaf, problem.arrays.order
    above_a_kink = qbaf.structure.ancestors(order[bent].tolist())
    upstream = np.flatnonzero(above_a_kink)
    sides: dict[tuple[Name, Name], Sides] = {}
    for first in range(0, len(upstream), DIRECTIONS_PER_BLOCK):
        some = upstream[first : first + DIRECTIONS_PER_BLOCK]
        above = _move_towards(problem, strengths, base, some, 1.0)[list(asked)]
        below = -_move_towards(problem, strengths, base, some, -1.0)[list(asked)]
        tau = base[problem.arrays.place[some]]
        differ = np.abs(above - below) > SLOPE_TOLERANCE * np.maximum(1.0, np.abs(above))
        inner = (tau > 0) & (tau < 1)
        values[:, some] = np.where(tau == 1, below, above)
        values[:, some] = np.where(differ & inner, np.nan, values[:, some])
        for t, x in np.argwhere(differ & inner).tolist():
            if asked[t] != some[x]:
                sides[topics[t], qbaf.arguments[int(some[x])]] = Sides(float(below[t, x]), float(above[t, x]))
    if not sides:
        return {}, ()
    # a kink may hide another one upstream of it, where its slope from above is 0
    every = order[_find_all_bent(problem.equation, strengths, base)]
    return sides, tuple(qbaf.arguments[i] for i in np.sort(every[above_a_kink[every]]).tolist())


def _move_towards(problem: Problem, strengths: Floats, base: Floats, movers: Integers, sign: float) -> Floats:
    """dσ when the base score of each mover moves to the given side: (arguments, movers), in the graph's order."""
    direction = np.zeros((len(base), len(movers)))
    direction[movers, np.arange(len(movers))] = sign
    return find_directional(problem, strengths, base, direction)


def find_directional(
    problem: Problem, strengths: Floats, base: Floats, direction: Floats, by_energy: bool = False
) -> Floats:
    """The one-sided derivative of σ in each direction of τ, a column of (arguments, directions); kinks included.

    `by_energy` says that the directions are of the energies. Strengths and base scores come in the order of
    evaluation, directions and the answer in the graph's own.
    """
    arrays, equation = problem.arrays, problem.equation
    direction = direction[arrays.order]
    now, nothing = np.zeros_like(direction), np.zeros_like(direction)
    moved = (nothing, direction) if by_energy else (direction, None)

    def push(then: Floats, out: Floats) -> Floats:
        return equation.tangent(strengths, base, None, moved[0], then, out, moved[1])

    if arrays.acyclic:
        return push(now, now)[arrays.place]
    for _ in range(problem.max_steps):
        then, now = now, push(now, np.empty_like(now))
        if np.abs(now - then).max() <= TOLERANCE * max(1.0, np.abs(now).max()):
            return now[arrays.place]
    movers = np.flatnonzero(direction[arrays.place].any(axis=1)).tolist()
    names = quote_names([problem.qbaf.arguments[i] for i in movers])
    raise UndefinedStrength(f"{problem.semantics.name}: the one-sided derivatives by {names} do not settle")
