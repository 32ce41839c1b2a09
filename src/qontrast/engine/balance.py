"""Find the limits that a solver reaches by an exact balance alone.

Two equal rivals keep each other in balance: in exact arithmetic the strengths rest on a ridge between two other limits,
and the least rounding may carry them off it, on one machine to this side and on the next one to the other. Where only
rounding would decide, strengths are undefined. So two neighbours of each lane are followed, which every update moves a
little, in opposite directions: by up to NEIGHBOUR_DISTANCE, strengths of 0 and 1, which no rounding changes, not at
all. If one of them comes to be more than MAX_APART away from the lane, the lane is balanced.

Most lanes need no neighbours. If F contracts on the box of all states that a lane went through,

    |F′(σ)| v ≤ r v    for some v > 0, some r < 1 and every σ in the box,

then whatever is beside the lane comes closer to it with every step, and with every moment of the flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..graph.structure import Group
from ..semantics import Semantics
from ..types import Bools, Floats
from .derivative_bounds import AGGREGATIONS, INFLUENCES
from .update import Equation, gather_parents

NEIGHBOUR_DISTANCE = 1e-11  # of strengths: far above rounding, far below what anybody means
MAX_APART = 1e-6  # of strengths, to which a lane and its neighbours may differ at the end
GOLDEN_RATIO = 0.6180339887498949  # its multiples spread evenly over [0, 1), so that no two arguments move alike
MAX_RATE = 0.999  # of what still counts as a contraction
MAX_WEIGHTINGS = 10  # vectors v that are tried
LEAST_WEIGHT = 0.01  # of v, whose largest entry is 1


@dataclass(frozen=True, slots=True)
class Path:
    """How lanes came to an end: their last states, updates, what still moved, and the box of all states.

    `state`, `low` and `high` are (arguments, lanes); `moving` is 0 where a lane is at rest. Of a single lane, `moves`
    says how much each argument moved last.
    """

    state: Floats
    steps: NDArray[np.int64]
    moving: Floats
    low: Floats
    high: Floats
    moves: Floats | None = None


Follow = Callable[[Equation, Floats, Floats | None, NDArray[np.int64]], Path]


def measure_balance(
    follow: Follow, equation: Equation, base: Floats, held: Floats | None, path: Path, max_steps: int
) -> Floats:
    """Return how far from each strength its neighbours come, (arguments, lanes); 0 where none needs to be looked at."""
    apart = np.zeros_like(base)
    resting = (path.moving == 0) & ~np.isnan(path.state).any(axis=0)
    unsure = np.flatnonzero(resting & ~find_contractions(equation, base, held, path))
    if len(unsure):
        own, there = equation.pick_lanes(unsure), None if held is None else held[:, unsure]
        limit = np.minimum(4 * path.steps[unsure] + 200, max_steps)
        for sign in (1, -1):
            beside = replace(own, drift=sign * find_drift(np.arange(len(base)))[:, None])
            away = np.abs(follow(beside, base[:, unsure], there, limit).state - path.state[:, unsure])
            apart[:, unsure] = np.maximum(apart[:, unsure], np.where(np.isnan(away), np.inf, away))
    return apart


def find_drift(place: Any) -> Any:
    """Return d of the arguments at these places: a neighbour's strengths σ become σ + d σ (1 − σ) after each update."""
    return 4 * NEIGHBOUR_DISTANCE * (2 * ((place + 1) * GOLDEN_RATIO % 1.0) - 1)


def find_contractions(equation: Equation, base: Floats, held: Floats | None, path: Path) -> Bools:
    """In which lanes F contracts on the box of all states; never for formulas without bounds of their slopes."""
    if not _has_bounds(equation.semantics):
        return np.zeros(base.shape[1], bool)
    return _contract(equation, _bound_slopes(equation, (base, base), held, (path.low, path.high)), base.shape)


def contracts_everywhere(equation: Equation, low: Floats, high: Floats) -> bool:
    """Whether F contracts for all base scores (arguments, 1) between these, whatever is there and however strong."""
    if not _has_bounds(equation.semantics) or not equation.semantics.bounded:
        return False
    slopes = _bound_slopes(equation, (low, high), None, (np.zeros_like(low), np.ones_like(high)))
    return bool(_contract(equation, slopes, low.shape)[0])


def _has_bounds(semantics: Semantics) -> bool:
    return semantics.influence in INFLUENCES and semantics.aggregation in AGGREGATIONS


def _contract(equation: Equation, slopes: list[tuple[Group, Floats]], shape: tuple[int, ...]) -> Bools:
    """In which lanes some v > 0 is found for which |F′| v ≤ r v with r < 1."""
    weights, rate = np.ones(shape), np.full(shape[1], np.inf)
    for _ in range(MAX_WEIGHTINGS):
        image = np.zeros(shape)
        for group, own in slopes:
            image[group.lo : group.hi] = (own * weights[group.parents]).sum(axis=0)
        rate = np.minimum(rate, (image / weights).max(axis=0, initial=0.0))
        if (rate <= MAX_RATE).all():
            break
        weights = np.maximum(image / np.maximum(image.max(axis=0), np.finfo(float).tiny), LEAST_WEIGHT)
    return np.asarray(rate <= MAX_RATE)


def _bound_slopes(
    equation: Equation, base: tuple[Floats, Floats], held: Floats | None, states: tuple[Floats, Floats]
) -> list[tuple[Group, Floats]]:
    """Bound |∂F/∂σ| between these base scores and states: (parents, width, lanes) of each group behind a cycle."""
    by_energy = INFLUENCES[equation.semantics.influence].by_energy
    by_parent = AGGREGATIONS[equation.semantics.aggregation]
    energy, bounds = equation.semantics.aggregation.energy, []
    for group in equation.arrays.groups():
        if len(group.parents) and group.hi > equation.arrays.before_cycles:
            here = slice(group.lo, group.hi)
            (weak_attacks, weak_supports), (strong_attacks, strong_supports) = (
                gather_parents(group, each) for each in states
            )
            with np.errstate(over="ignore", invalid="ignore"):
                ends = energy(strong_attacks, weak_supports), energy(weak_attacks, strong_supports)
                sides = by_parent(weak_attacks, strong_attacks)[1], by_parent(weak_supports, strong_supports)[1]
                slopes = np.concatenate(sides) * by_energy(base[0][here], base[1][here], *ends)[1]
            if group.weights is not None:
                slopes = slopes * (group.weights if group.weights.ndim == 3 else group.weights[:, :, None])
            bounds.append((group, slopes if held is None else slopes * held[here]))
    return bounds
