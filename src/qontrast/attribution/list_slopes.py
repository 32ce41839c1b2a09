"""The slopes of strengths in base scores, with kinks, on graphs that are solved in plain lists.

A kink far from a topic changes the slopes by less than anyone can see. So both sides are computed only for arguments
where a bound of the difference, from one sweep for all of them, is above MAX_BEND.
"""

from __future__ import annotations

import numpy as np

from ..engine.problem import Problem
from ..engine.scalar import KINK_TOLERANCE, Formulas, bound_bends, find_local, push_lists, sweep_lists
from ..graph.parent_lists import ParentLists
from ..types import Floats, Name
from .matrix import Sides

SLOPE_TOLERANCE = KINK_TOLERANCE  # one-sided slopes that differ by less are equal up to what strengths leave
MAX_BEND = 1e-12  # what kinks may change in a slope unnoticed


def find_slopes_in_lists(
    problem: Problem, lists: ParentLists, formulas: Formulas, topics: tuple[Name, ...], tau: Floats, strengths: Floats
) -> tuple[Floats, dict[tuple[Name, Name], Sides], tuple[Name, ...]]:
    """∂σ(t)/∂τ(x) for each topic t (rows) and every x, NaN where its sides differ; sides and kinks."""
    qbaf, base, here = problem.qbaf, tau.tolist(), strengths.tolist()
    asked = [qbaf.index(topic) for topic in topics]
    rows, bent = sweep_lists(lists, formulas, base, here, asked)
    values, sides = np.array(rows).reshape(len(rows), len(base)), {}
    if not bent:
        return values, {}, ()
    bounds = bound_bends(lists, formulas, base, here, bent)
    movers = [x for x, bound in enumerate(bounds) if bound > MAX_BEND]
    if not movers:
        return values, {}, ()
    upstream = qbaf.structure.ancestors(asked).tolist()
    order = [x for x in lists.order if upstream[x]]
    local = {x: find_local(lists, formulas, base, here, x) for x in order}
    for x in movers:
        above, below = push_lists(order, local, x, 1.0), push_lists(order, local, x, -1.0)
        for row, t, topic in zip(values, asked, topics, strict=True):
            both = Sides(-below.get(t, 0.0), above.get(t, 0.0))
            row[x] = both.below if base[x] == 1 else both.above
            differ = abs(both.above - both.below) > SLOPE_TOLERANCE * max(1.0, abs(both.above))
            if differ and 0 < base[x] < 1:
                row[x] = np.nan
                if x != t:
                    sides[topic, qbaf.arguments[x]] = both
    if not sides:
        return values, {}, ()
    above_a_kink = qbaf.structure.ancestors(bent)
    kinks = [x for x in np.flatnonzero(above_a_kink).tolist() if _is_bent(find_local(lists, formulas, base, here, x))]
    return values, sides, tuple(qbaf.arguments[x] for x in kinks)


def _is_bent(local: tuple[float, float, float, object]) -> bool:
    return abs(local[2] - local[1]) > SLOPE_TOLERANCE
