"""Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation."""

from ._version import __version__
from .attribution import METHODS, Attribution, attribute, contributions
from .contrast import Contrast, CrossTopic, contrast
from .errors import InvalidInput, InvalidQbaf, QontrastError, TooLarge, UndefinedStrength, UnknownName
from .pairs import Chained, Pairs, Ranking, all_pairs, chained_pairs, rank
from .paths import Path, Paths, paths
from .qbaf import Qbaf
from .semantics import SEMANTICS, Aggregation, Influence, Semantics
from .solve import Strengths, Trajectory, solve_lanes, strengths, trajectory

__all__ = [
    "METHODS",
    "SEMANTICS",
    "Aggregation",
    "Attribution",
    "Chained",
    "Contrast",
    "CrossTopic",
    "Influence",
    "InvalidInput",
    "InvalidQbaf",
    "Pairs",
    "Path",
    "Paths",
    "Qbaf",
    "QontrastError",
    "Ranking",
    "Semantics",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "UndefinedStrength",
    "UnknownName",
    "__version__",
    "all_pairs",
    "attribute",
    "chained_pairs",
    "contrast",
    "contributions",
    "paths",
    "rank",
    "solve_lanes",
    "strengths",
    "trajectory",
]
