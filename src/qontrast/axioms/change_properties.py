"""State the properties of changes: shares of a change add up, and no change within a certified radius ends a lead.

They are about what `change` and `robustness` compute, whatever the method. A function of your own is checked where it
takes `before=`, a graph, and then returns a mapping from changed element to share; and where it takes `norm=` ("linf")
and then returns the certified radius as a number.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..engine.problem import make_problem
from ..types import Floats
from . import set_properties  # noqa: F401 -- whose rows of AXIOMS come first
from .axiom import Case, Instance, axiom

MAX_CHANGED = 4  # base scores, and as many weights, that differ between the two versions
SAMPLES = 64  # changes of base scores within the radius: half of them at corners


@axiom(
    "change-efficiency",
    "Efficiency of a change",
    "Σ_e Φ(e) = gap(Q′) − gap(Q), for the elements e in which a graph Q and its next version Q′ differ",
    "nothing changed",
    "shares of the change of {fact} over {foil} add up to {left}, but the gap changes by {right}",
    players="changes",
)
def change_efficiency(case: Case) -> Iterator[Instance]:
    """Shares of what changed between two versions add up to the change of the gap.

    The version before has half the base scores and half the weights of a few arguments and edges that matter.
    """
    values, qbaf = case.values, case.values.qbaf
    upstream = qbaf.structure.ancestors([values.index(case.fact), values.index(case.foil)])
    base, weights = qbaf.base_array.copy(), qbaf.weights.copy()
    some, edges = np.flatnonzero(upstream)[:MAX_CHANGED], np.flatnonzero(upstream[qbaf.targets])[:MAX_CHANGED]
    base[some] = np.where(base[some] > 0, base[some] / 2, 0.5)
    weights[edges] /= 2
    before = qbaf._with(base_array=base, weights=weights)
    shares = values.find_shares(case.fact, case.foil, before)
    old = make_problem(before, values.semantics, max_steps=values.max_steps).strengths()[0]
    old_gap = float(old[values.index(case.fact)] - old[values.index(case.foil)])
    if len(shares):
        yield case.compare(sum(shares.values()), case.gap - old_gap, errors=len(shares) + 1)


@axiom(
    "certified-radius",
    "Certified radius",
    "sign(σ′(α) − σ′(β)) = sign(σ(α) − σ(β)) for all base scores τ′ with ‖τ′ − τ‖∞ < r, the certified radius",
    "nothing is certified: the topics are level, a cycle leads to them, or the semantics is not known to be monotone",
    "base scores that are off by less than {value}, the certified radius, change the gap of {fact} over {foil} from "
    "{right} to {left}",
    players="radii",
)
def certified_radius(case: Case) -> Iterator[Instance]:
    """No sampled change of base scores within the certified radius ends the lead, so that certified ≤ found."""
    radius = case.values.find_radius(case.fact, case.foil)
    if radius <= 0 or abs(case.gap) <= case.strict_tolerance:
        return
    found = case.values.problem.strengths(base_scores=_sample_scores(case.values.base_scores, radius))
    sign = np.sign(case.gap)
    gaps = sign * (found[:, case.values.index(case.fact)] - found[:, case.values.index(case.foil)])
    worst = float(gaps.min())
    yield Instance(worst > 0, sign * worst, case.gap, value=radius)


def _sample_scores(base: Floats, radius: float) -> Floats:
    """Draw base scores within the radius, half of them at its corners; always the same ones."""
    moves = np.random.default_rng(0).uniform(-1.0, 1.0, (SAMPLES, len(base)))
    moves[: SAMPLES // 2] = np.sign(moves[: SAMPLES // 2])
    return np.clip(base + min(radius, 1.0) * (1 - 1e-9) * moves, 0.0, 1.0)
