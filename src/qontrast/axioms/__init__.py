"""Every property of the paper as something to call: a witness against it, "does not apply", or None, since it holds.

>>> from qontrast import examples
>>> q = examples.load("efficiency")
>>> efficiency(q, "shapley") is None
True
>>> print(efficiency(q, "removal").words)
contributions to α over β and their cross-topic component add up to 0.25, not to 0.375

They take the name of a method, or any CAF of your own, `caf(qbaf, fact, foil, semantics)`, and any semantics. Equal
means equal up to a tolerance that follows from the accuracy of the solver: 1e-12 on acyclic graphs, 1e-10 on cyclic
ones, whose strengths are good to 1e-12, and 1e-8 there for gradients and for CAFs of your own.
"""

from .caf import Derived
from .checking import AXIOMS, Axiom, verdicts
from .outcome import NotApplicable, Outcome, Witness
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
from .search import Found, Tried, find_counterexample
from .table import AxiomTable, axiom_table

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
    "counterfactuality",
    "efficiency",
    "find_counterexample",
    "inverse_calibration",
    "local_faithfulness",
    "monotonicity",
    "neutrality",
    "plausibility",
    "verdicts",
]
