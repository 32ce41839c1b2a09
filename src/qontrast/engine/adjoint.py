"""Slopes of many lanes at once, in reverse: what `attribution.gradient` is for one graph, for all its lanes.

    ∂y/∂τ(x) for y = Σ_a c(a) σ(a),        one sweep from the last level to the first, for all y and all lanes

with c the rows of `seeds`; a topic alone is a row with a single 1. One call serves ten thousand inputs of a neural
network, of all its classes. Graphs with cycles, and formulas with kinks, go one lane at a time through
`attribute(..., method="gradient")`, which says where a slope does not exist.

>>> from qontrast import Qbaf
>>> from qontrast.engine.problem import make_problem
>>> q = Qbaf({"a": 0.5, "t": 0.5}, supports={("a", "t"): 4.0}, semantics="mlp")
>>> slopes = pull_back(make_problem(q), np.array([[0.0, 1.0]]), np.array([[0.0, 0.5], [0.5, 0.5]]))
>>> slopes[:, 0, 0].round(6).tolist()  # w σ(t) (1 − σ(t)) at a = 0 and at a = 0.5
[1.0, 0.419974]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput
from ..types import Floats, Integers
from .problem import Problem

NUMBERS_PER_BLOCK = (
    1 << 15
)  # numbers in one adjoint: they stay in cache, and their products below what BLAS splits into threads


def pull_back(
    asked: Problem, seeds: ArrayLike, base_scores: ArrayLike | None = None, movers: Integers | None = None
) -> Floats:
    """∂y/∂τ(x), shape (lanes, ys, movers): `seeds` (ys, arguments) says what y is, `movers` which arguments x are.

    `base_scores` (lanes, arguments) are the lanes; both default to what the graph says, and to all arguments.
    """
    _check_smooth(asked)
    qbaf, order, equation = asked.qbaf, asked.arrays.order, asked.equation
    rows = np.atleast_2d(np.asarray(seeds, np.float64))
    if rows.ndim != 2 or rows.shape[1] != len(qbaf):
        raise InvalidInput(f"seeds has shape {rows.shape}; give (how many, {len(qbaf)} arguments)")
    base = qbaf.base_array[None] if base_scores is None else np.atleast_2d(np.asarray(base_scores, np.float64))
    found = asked.strengths(base_scores=base)
    wanted = np.arange(len(qbaf)) if movers is None else movers
    moved = np.zeros(len(qbaf), bool)
    moved[wanted] = True
    out = np.empty((len(base), len(rows), len(wanted)))
    chunk = max(1, NUMBERS_PER_BLOCK // max(1, len(qbaf) * len(rows)))
    places, start = asked.arrays.place[wanted], rows.T[order][:, :, None]
    for first in range(0, len(base), chunk):
        here = slice(first, first + chunk)
        strengths, scores = (np.ascontiguousarray(each[here].T[order]) for each in (found, base))
        adjoint = np.repeat(start, scores.shape[1], axis=2)
        with np.errstate(over="ignore"):
            slopes = equation.pulled_back(strengths, scores, adjoint, moved[order])
        out[here] = slopes[places].transpose(2, 1, 0)
    return out


def _check_smooth(asked: Problem) -> None:
    aggregation, influence, name = asked.semantics.aggregation, asked.semantics.influence, asked.semantics.name
    if not asked.arrays.acyclic:
        raise InvalidInput(
            "the graph has a cycle; slopes of many lanes need an acyclic one: attribute one lane at a time"
        )
    if asked.semantics.numeric or aggregation.kinked or influence.by_energy_left:
        raise InvalidInput(f"{name} may have kinks; ask for attribute(..., method='gradient') one lane at a time")
