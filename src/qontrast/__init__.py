"""Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation."""

from . import examples, networks
from ._version import __version__
from .attribution.gradient import Gradient
from .attribution.matrix import Phi
from .attribution.methods import METHODS, Attribution, MethodEntry, attribute, contributions
from .attribution.removal import IntrinsicRemoval, Removal
from .attribution.shapley.exact import Shapley
from .attribution.shapley.owen import Owen
from .attribution.shapley.sampling import Sampled
from .auditing.audit import audit, audit_files
from .auditing.result import Audit
from .engine.problem import Problem, Strengths, solve_lanes, strengths
from .engine.workers import workers
from .errors import (
    FontWarning,
    FormatError,
    FormatWarning,
    InvalidInput,
    InvalidQbaf,
    QontrastError,
    SlowWarning,
    TooLarge,
    UndefinedStrength,
    UnknownName,
)
from .explain.change import Change, change
from .explain.check import Check, check
from .explain.compare_semantics import SemanticsComparison, compare_semantics
from .explain.contrast import Contrast, CrossTopic, contrast
from .explain.delta_method import DeltaMethod
from .explain.flip import Flip, flip
from .explain.history import History, history
from .explain.interactions import Interactions, interactions
from .explain.pairs import (
    Chained,
    Pairs,
    all_pairs,
    chained_pairs,
)
from .explain.paths import Path, Paths, paths
from .explain.ranking import (
    Ranking,
    rank,
)
from .explain.reach import Reach, reach
from .explain.reasons import Reasons, reasons
from .explain.robustness import Robustness, robustness
from .explain.trajectory import Trajectory, trajectory
from .explain.uncertainty import Uncertainty, uncertainty
from .explain.whatif import WhatIf, whatif
from .formats import (
    FORMATS,
    convert,
    from_lists,
    from_networkx,
    read,
    read_groups,
    read_many,
    read_text,
    to_networkx,
    write,
    write_many,
    write_text,
)
from .graph.distributions import Beta, Distribution, Interval, Normal, Samples
from .graph.qbaf import Qbaf
from .networks import Network, NetworkContrast
from .questions.many import Explained, explain_many
from .results.base import use_presenter
from .semantics import SEMANTICS, Aggregation, Influence, Semantics
from .types import Method


def _load_presenter() -> object:
    from .show import presentation

    return presentation


use_presenter(_load_presenter)
PARTS = ("axioms", "show", "studies", "web")  # imported when they are first named


def __dir__() -> list[str]:
    return [*__all__, *PARTS]


def __getattr__(name: str) -> object:
    if name in PARTS:
        from importlib import import_module

        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "FORMATS",
    "METHODS",
    "SEMANTICS",
    "Aggregation",
    "Attribution",
    "Audit",
    "Beta",
    "Chained",
    "Change",
    "Check",
    "Contrast",
    "CrossTopic",
    "DeltaMethod",
    "Distribution",
    "Explained",
    "Flip",
    "FontWarning",
    "FormatError",
    "FormatWarning",
    "Gradient",
    "History",
    "Influence",
    "Interactions",
    "Interval",
    "IntrinsicRemoval",
    "InvalidInput",
    "InvalidQbaf",
    "Method",
    "MethodEntry",
    "Network",
    "NetworkContrast",
    "Normal",
    "Owen",
    "Pairs",
    "Path",
    "Paths",
    "Phi",
    "Problem",
    "Qbaf",
    "QontrastError",
    "Ranking",
    "Reach",
    "Reasons",
    "Removal",
    "Robustness",
    "Sampled",
    "Samples",
    "Semantics",
    "SemanticsComparison",
    "Shapley",
    "SlowWarning",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "Uncertainty",
    "UndefinedStrength",
    "UnknownName",
    "WhatIf",
    "__version__",
    "all_pairs",
    "attribute",
    "audit",
    "audit_files",
    "chained_pairs",
    "change",
    "check",
    "compare_semantics",
    "contrast",
    "contributions",
    "convert",
    "examples",
    "explain_many",
    "flip",
    "from_lists",
    "from_networkx",
    "history",
    "interactions",
    "networks",
    "paths",
    "rank",
    "reach",
    "read",
    "read_groups",
    "read_many",
    "read_text",
    "reasons",
    "robustness",
    "solve_lanes",
    "strengths",
    "to_networkx",
    "trajectory",
    "uncertainty",
    "whatif",
    "workers",
    "write",
    "write_many",
    "write_text",
]
