"""Check the paper's properties, and those of edges, groups, pairs, sets and changes: each can be called on a graph.

>>> from qontrast import examples
>>> q = examples.load("efficiency")
>>> efficiency(q, "shapley") is None
True
>>> print(efficiency(q, "removal").words)
contributions to α over β and their cross-topic component add up to 0.25, not to 0.375

A property gives a `Witness` against it, a `NotApplicable`, or None where it holds. It takes the name of a method, or a
CAF of your own, `caf(qbaf, fact, foil, semantics)`, and any semantics. Equal means equal up to a tolerance that
follows from the accuracy of the solver: 1e-12 on acyclic graphs, 1e-10 on cyclic ones, whose strengths are good to
1e-12, and 1e-8 there for gradients and for CAFs of your own.
"""

from .axiom import AXIOMS, Axiom, verdicts
from .change_properties import certified_radius, change_efficiency
from .evaluation import Derived
from .outcomes import Found, NotApplicable, Outcome, Tried, Witness
from .player_properties import (
    direct_efficiency,
    edge_additivity,
    edge_antisymmetry,
    edge_efficiency,
    edge_split,
    group_additivity,
    group_antisymmetry,
    group_efficiency,
    group_split,
    k_sii_efficiency,
    pair_additivity,
    pair_antisymmetry,
    slope_identity,
    stii_efficiency,
)
from .properties import (
    additivity,
    antisymmetry,
    calibration,
    counterfactuality,
    efficiency,
    inverse_calibration,
    local_faithfulness,
    monotonicity,
    neutrality,
    plausibility,
)
from .search import AxiomTable, axiom_table, find_counterexample
from .set_properties import prime_breaking_duality

__all__ = [
    "AXIOMS",
    "Axiom",
    "AxiomTable",
    "Derived",
    "Found",
    "NotApplicable",
    "Outcome",
    "Tried",
    "Witness",
    "additivity",
    "antisymmetry",
    "axiom_table",
    "calibration",
    "certified_radius",
    "change_efficiency",
    "counterfactuality",
    "direct_efficiency",
    "edge_additivity",
    "edge_antisymmetry",
    "edge_efficiency",
    "edge_split",
    "efficiency",
    "find_counterexample",
    "group_additivity",
    "group_antisymmetry",
    "group_efficiency",
    "group_split",
    "inverse_calibration",
    "k_sii_efficiency",
    "local_faithfulness",
    "monotonicity",
    "neutrality",
    "pair_additivity",
    "pair_antisymmetry",
    "plausibility",
    "prime_breaking_duality",
    "slope_identity",
    "stii_efficiency",
    "verdicts",
]
