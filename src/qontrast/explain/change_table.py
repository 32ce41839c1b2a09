"""Compute the values of all 2^k mixtures of an acyclic union graph, in arrays that have one axis of two for each unit.

The strength of an argument varies along the axes of the units that act on it, and has length 1 along the others, so
that an argument far from the topics costs little. The axes of more than AXES_PER_BLOCK units are walked one by one.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ..engine.problem import ROUNDING
from ..engine.update import Accumulator, Received
from ..types import Floats, Progress
from .change_elements import NEVER, Mixtures, Switched

AXES_PER_BLOCK = 16  # half a megabyte an array
MIN_UNITS = 9  # with fewer, lanes are quicker


def solve_table(mixtures: Mixtures, progress: Progress | None = None) -> Floats:
    """The values of all mixtures: by axes where that works and pays, else, and on a device, as lanes."""
    problem = mixtures.problem
    if len(mixtures.units) >= MIN_UNITS and problem.arrays.acyclic and problem.device == "cpu":
        values = solve_axes(mixtures, progress)
        if values is not None:
            return values
    return mixtures.solve_table(progress)


def solve_axes(mixtures: Mixtures, progress: Progress | None = None) -> Floats | None:
    """The values of all mixtures of an acyclic graph; None where a formula fails, which lanes report."""
    units = len(mixtures.units)
    axes = min(units, AXES_PER_BLOCK)
    values = np.empty((1 << (units - axes), 1 << axes))
    for upper in range(len(values)):
        strengths = _solve_block(mixtures, axes, upper)
        if strengths is None:
            return None
        gap = strengths[mixtures.topics[0]]
        for other in mixtures.topics[1:]:
            gap = gap - strengths[other]
        values[upper] = np.broadcast_to(gap, (2,) * axes).ravel()
        if progress:
            progress((upper + 1) << axes, values.size)
    return values.ravel()


def _solve_block(mixtures: Mixtures, axes: int, upper: int) -> dict[int, Floats] | None:
    """The strengths of all arguments, in all settings of the first units and one setting of the others."""
    problem, graph = mixtures.problem, mixtures.problem.qbaf
    low, high = (-ROUNDING, 1 + ROUNDING) if problem.semantics.bounded else (-np.inf, np.inf)
    add_up, spread = Accumulator(problem.semantics, axes), partial(_spread, axes, upper)
    into: dict[int, list[int]] = {}
    for edge, target in enumerate(graph.targets.tolist()):
        into.setdefault(target, []).append(edge)
    sources, supports = graph.sources.tolist(), (~np.signbit(graph.weights)).tolist()
    strengths: dict[int, Floats] = {}
    for place in problem.arrays.order.tolist():
        received: Received | None = None
        for edge in into.get(place, ()):
            found, weight = strengths[sources[edge]], mixtures.weights
            if weight.unit[edge] == NEVER:
                received = add_up.add(received, found, supports[edge], float(weight.before[edge]))
            else:
                received = add_up.add(received, found * spread(weight, edge), supports[edge], 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            own = add_up.strength(spread(mixtures.base, place), received)
        if not ((own >= low) & (own <= high)).all():  # NaN compares false
            return None
        own = np.clip(own, 0.0, 1.0) if problem.semantics.bounded else own
        strengths[place] = own if mixtures.present.unit[place] == NEVER else own * spread(mixtures.present, place)
    return strengths


def _spread(axes: int, upper: int, part: Switched, place: int) -> Floats:
    """A number along the axis of the unit that switches it; bit i of a set is the i-th axis from the last."""
    before, after, unit = part.before[place], part.after[place], int(part.unit[place])
    if unit == NEVER or unit >= axes:
        applied = unit != NEVER and upper >> (unit - axes) & 1
        return np.full((1,) * axes, after if applied else before)
    shape = [1] * axes
    shape[axes - 1 - unit] = 2
    return np.array([before, after]).reshape(shape)
