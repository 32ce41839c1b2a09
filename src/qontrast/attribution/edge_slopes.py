"""Slopes of strengths in the weights of edges: of those that are there, and of those that are not.

    ∂σ(t)/∂w(r) = a(y) · ι_E(y) · s_r · σ(x)          for r = (x → y), a the adjoint of t, s_r = ∂α/∂(w·σ) of r at y

At a kink both one-sided slopes are given. An edge that is not there has weight 0, which can only rise.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.problem import Problem
from ..engine.update import gather_parents
from ..types import Floats, Integers, Name
from .list_slopes import SLOPE_TOLERANCE
from .matrix import Sides
from .players import MissingEdge
from .slopes import DIRECTIONS_PER_BLOCK, MAX_SWEPT_TOPICS, find_directional, solve_implicit, sweep


def find_edge_slopes(
    problem: Problem, topics: tuple[Name, ...]
) -> tuple[Floats, Floats, dict[tuple[Name, Any], Sides], tuple[Name, ...]]:
    """∂σ(t)/∂w(r) for each topic t (rows) and every edge r, in the graph's order; strengths; sides and kinks.

    With r = (x → y), a the adjoint of t and s the slope of the aggregation: a(y) · ι_E(y) · s · σ(x).
    """
    arrays, qbaf = problem.arrays, problem.qbaf
    strengths = problem.strengths()[0]
    here, base = strengths[arrays.order], qbaf.base_array[arrays.order]
    asked = [int(arrays.place[qbaf.index(topic)]) for topic in topics]
    edges = qbaf.structure.edge_order
    values = np.empty((len(topics), len(edges)))
    with np.errstate(over="ignore"):
        if arrays.acyclic and len(topics) <= MAX_SWEPT_TOPICS:
            slopes = np.zeros(values.shape)
            _, bent = sweep(problem.equation, here, base, asked, slopes)
            values[:, edges] = slopes
        else:
            by_weight = np.zeros(len(edges))
            _, adjoint, bent = solve_implicit(problem, here, base, np.array(asked, np.intp), by_weight)
            values[:, edges] = by_weight * adjoint[:, arrays.place[qbaf.targets[edges]]]
        sides = _find_edge_bends(problem, here, base, topics, bent, values) if bent.any() else {}
        kinks = tuple(qbaf.arguments[i] for i in np.sort(arrays.order[bent]).tolist()) if sides else ()
    return values, strengths, sides, kinks


def _find_edge_bends(
    problem: Problem,
    strengths: Floats,
    base: Floats,
    topics: tuple[Name, ...],
    bent: NDArray[np.bool_],
    values: Floats,
) -> dict[tuple[Name, Any], Sides]:
    """Both sides for every edge upstream of a kink; `values` gets the answer, or NaN, in place."""
    qbaf, arrays = problem.qbaf, problem.arrays
    upstream = np.flatnonzero(qbaf.structure.ancestors(arrays.order[bent].tolist()))
    places = [qbaf.index(topic) for topic in topics]
    rates = find_energy_rates(problem, strengths, base, upstream)
    rate = {int(y): (rates[0][places, k], rates[1][places, k]) for k, y in enumerate(upstream.tolist())}
    sides: dict[tuple[Name, Any], Sides] = {}
    for edge in np.flatnonzero(np.isin(qbaf.targets, upstream)).tolist():
        source, target, weight = int(qbaf.sources[edge]), int(qbaf.targets[edge]), abs(float(qbaf.weights[edge]))
        up, down = _move_weight(problem, strengths, edge)
        above, below = _follow(rate[target], up), -_follow(rate[target], down)
        differ = np.abs(above - below) > SLOPE_TOLERANCE * np.maximum(1.0, np.abs(above))
        values[:, edge] = np.where(differ & (weight > 0), np.nan, above)  # a weight of 0 can only rise
        for k in np.flatnonzero(differ & (weight > 0)).tolist():
            name = (qbaf.arguments[source], qbaf.arguments[target])
            sides[topics[k], name] = Sides(float(below[k]), float(above[k]))
    return sides


def _follow(rates: tuple[Floats, Floats], by: float) -> Floats:
    """What strengths change by when an energy changes by so much; without a change an infinite rate does not matter."""
    return rates[0] * by if by > 0 else rates[1] * -by if by < 0 else np.zeros_like(rates[0])


def find_energy_rates(problem: Problem, strengths: Floats, base: Floats, movers: Integers) -> tuple[Floats, Floats]:
    """dσ when the energy of each mover rises by 1, and when it falls by 1, one-sided: (arguments, movers)."""
    direction = np.zeros((len(base), len(movers)))
    direction[movers, np.arange(len(movers))] = 1.0
    rise = find_directional(problem, strengths, base, direction, by_energy=True)
    return rise, find_directional(problem, strengths, base, -direction, by_energy=True)


def _move_weight(problem: Problem, strengths: Floats, edge: int) -> tuple[float, float]:
    """What the energy of an edge's target changes by when its weight rises, and when it falls, one-sided."""
    qbaf, place = problem.qbaf, problem.arrays.place
    into = np.flatnonzero(qbaf.targets == qbaf.targets[edge])
    into = into[np.argsort(~np.signbit(qbaf.weights[into]), kind="stable")]
    attackers = int(np.signbit(qbaf.weights[into]).sum())
    x = (np.abs(qbaf.weights[into]) * strengths[place[qbaf.sources[into]]])[:, None]
    dx = np.where(into == edge, strengths[place[qbaf.sources[edge]]], 0.0)[:, None]
    rise, fall = (
        push_energy(problem, x[:attackers], x[attackers:], each[:attackers], each[attackers:]) for each in (dx, -dx)
    )
    return rise, fall


def push_energy(problem: Problem, attacks: Floats, supports: Floats, d_attacks: Floats, d_supports: Floats) -> float:
    """The one-sided derivative of one argument's energy, given what its parents give it and how that changes."""
    push = problem.semantics.aggregation.tangent
    if push is not None:
        return float(np.asarray(push(attacks, supports, d_attacks, d_supports))[0])
    by_attack, by_support = problem.semantics.slopes(attacks, supports)
    return float((by_attack * d_attacks).sum() + (by_support * d_supports).sum())


def find_missing_edges(problem: Problem, topics: Sequence[Name], limit: int) -> list[MissingEdge]:
    """Find the edges that are not there and whose weights have the largest slopes at 0: of σ(t), or of a gap.

    A slope is the product of what depends on the source alone, its strength, and of what depends on target and kind
    alone; so the best are found without looking at all pairs. Self-loops and edges out of the topics are left out.
    """
    qbaf, strengths = problem.qbaf, problem.strengths()[0]
    rates = _find_new_rates(problem, topics)  # (kinds, topics, arguments)
    gap = rates[:, 0] - rates[:, 1] if len(topics) == 2 else rates[:, 0]
    sources = np.argsort(-strengths, kind="stable")
    sources = sources[~np.isin(sources, [qbaf.index(topic) for topic in topics])]
    heap = [
        (-abs(gap[kind, target]) * strengths[sources[0]], kind, target, 0)
        for kind, target in np.argwhere(gap).tolist()
        if len(sources)
    ]
    heapq.heapify(heap)
    found: list[MissingEdge] = []
    present: dict[int, set[int]] = {}
    while heap and len(found) < limit:
        size, kind, target, place = heapq.heappop(heap)
        if size == 0:
            break
        source = int(sources[place])
        if target not in present:
            present[target] = set(qbaf.sources[qbaf.targets == target].tolist()) | {target}
        if source not in present[target]:
            here = {t: float(rates[kind, k, target] * strengths[source]) + 0.0 for k, t in enumerate(topics)}
            slope = float(gap[kind, target] * strengths[source])
            ends = qbaf.arguments[source], qbaf.arguments[target]
            found.append(MissingEdge(*ends, ("attack", "support")[kind], slope, here))
        if place + 1 < len(sources):
            next_size = -abs(gap[kind, target]) * strengths[sources[place + 1]]
            heapq.heappush(heap, (next_size, kind, target, place + 1))
    return found


def _find_new_rates(problem: Problem, topics: Sequence[Name]) -> Floats:
    """dσ(t) when a new attack, or a new support, brings 1 to an argument: (kinds, topics, arguments)."""
    qbaf, arrays, equation = problem.qbaf, problem.arrays, problem.equation
    here, base = problem.strengths()[0][arrays.order], qbaf.base_array[arrays.order]
    places = [qbaf.index(topic) for topic in topics]
    with np.errstate(over="ignore"):
        _, adjoint, bent = solve_implicit(problem, here, base, arrays.place[places].astype(np.intp))
        energy, rates = np.zeros((2, len(base))), np.zeros((2, len(topics), len(base)))  # in the order of evaluation
        for group in arrays.groups():
            own = slice(group.lo, group.hi)
            energy[:, own] = _find_new_energy(problem, *gather_parents(group, here))
            below, above = equation.local(group, here, base, None).by_energy
            rates[0][:, own], rates[1][:, own] = -adjoint[:, own] * below, adjoint[:, own] * above
        rates = rates[:, :, arrays.place]
        if bent.any():
            upstream = np.flatnonzero(qbaf.structure.ancestors(arrays.order[bent].tolist()))
            for first in range(0, len(upstream), DIRECTIONS_PER_BLOCK):
                some = upstream[first : first + DIRECTIONS_PER_BLOCK]
                rise, fall = find_energy_rates(problem, here, base, some)
                rates[0][:, some], rates[1][:, some] = fall[places], rise[places]
    return np.asarray(rates * np.abs(energy[:, arrays.place])[:, None])


def _find_new_energy(problem: Problem, attacks: Floats, supports: Floats) -> Floats:
    """What the energy of each argument changes by when a new attack, or support, begins to bring 1: (2, width)."""
    width = attacks.shape[1]
    nothing, one = np.zeros((1, width)), np.ones((1, width))
    push, found = problem.semantics.aggregation.tangent, []
    for attack in (True, False):
        more = [attacks, supports]
        more[not attack] = np.concatenate((more[not attack], nothing))
        if push is not None:
            still = [np.zeros_like(each) for each in more]
            still[not attack][-1:] = one
            found.append(np.asarray(push(*more, *still)))
        else:
            found.append(problem.semantics.slopes(*more)[not attack][-1])
    return np.array(found)
