"""Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation."""

from ._version import __version__
from .errors import InvalidInput, InvalidQbaf, QontrastError, TooLarge, UndefinedStrength, UnknownName
from .qbaf import Qbaf
from .semantics import SEMANTICS, Aggregation, Influence, Semantics
from .solve import Strengths, Trajectory, solve_lanes, strengths, trajectory

__all__ = [
    "SEMANTICS",
    "Aggregation",
    "Influence",
    "InvalidInput",
    "InvalidQbaf",
    "Qbaf",
    "QontrastError",
    "Semantics",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "UndefinedStrength",
    "UnknownName",
    "__version__",
    "solve_lanes",
    "strengths",
    "trajectory",
]
