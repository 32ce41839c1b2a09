"""Count what a graph holds, find its cycles, and say whether its strengths are defined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..engine.problem import MAX_STEPS, make_problem, strengths
from ..errors import UndefinedStrength
from ..graph.levels import find_components
from ..graph.qbaf import Qbaf
from ..results.base import Result, Schema
from ..semantics import Semantics
from ..types import Name
from .robustness import Robustness

SCHEMA = Schema(
    "qontrast/check/1",
    {
        "arguments": "how many arguments there are",
        "attacks": "how many attacks",
        "supports": "how many supports",
        "weighted": "how many edges have a weight other than 1",
        "topics": "the graph's own topics",
        "labels": "how many arguments have a label",
        "isolated": "the arguments without any edge",
        "cycles": "how many groups of arguments reach each other",
        "cyclic": "how many arguments are in such groups",
        "semantics": "name of the semantics",
        "defined": "whether strengths are defined",
        "undefined": "why they are not, else `null`",
        "steps": "updates until they settled, or `null`",
        "strengths": "topic → strength, or `null`",
    },
    {
        "uncertain": "the arguments whose base scores are uncertain",
        "robustness": "on the command line, for a small graph without cycles that has two topics: how far base scores "
        "may be off, as `qontrast/robustness/1`",
    },
    source="`check`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Check(Result, schema=SCHEMA):
    """What a graph holds, and whether its strengths are defined.

    Attributes
    ----------
    qbaf
        The graph.
    arguments, attacks, supports
        How many there are.
    weighted
        How many edges have a weight other than 1.
    isolated
        The arguments without any edge.
    cycles
        How many groups of arguments reach each other.
    cyclic
        How many arguments are in such groups.
    steps, strengths
        Updates until strengths settled, and topic → strength; None where they are undefined.
    reason
        The error that says why strengths are undefined; None where they are defined.
    robustness
        How far base scores may be off before the order of the two strongest topics changes. `check` does not compute
        it; the command line does, for a small graph without cycles.
    """

    qbaf: Qbaf
    semantics: str
    arguments: int
    attacks: int
    supports: int
    weighted: int
    isolated: tuple[Name, ...]
    cycles: int
    cyclic: int
    steps: int | None
    strengths: Mapping[Name, float] | None = None
    reason: UndefinedStrength | None = None
    robustness: Robustness | None = None
    method: ClassVar[None] = None

    @property
    def undefined(self) -> str | None:
        """Why strengths are undefined; None where they are defined."""
        return None if self.reason is None else str(self.reason)

    @property
    def defined(self) -> bool:
        """Whether strengths are defined."""
        return self.reason is None

    @property
    def topics(self) -> tuple[Name, ...]:
        """The graph's own topics."""
        return self.qbaf.topics

    @property
    def labels(self) -> int:
        """How many arguments have a label."""
        return len(self.qbaf.labels)

    @property
    def uncertain(self) -> tuple[Name, ...]:
        """The arguments whose base scores are uncertain."""
        return tuple(self.qbaf.uncertain)

    def _computed_fields(self) -> dict[str, Any]:
        return {"robustness": None if self.robustness is None else self.robustness.to_dict()}


def check(
    qbaf: Qbaf, *, semantics: str | Semantics | None = None, solver: str = "discrete", max_steps: int = MAX_STEPS
) -> Check:
    """Count what a graph holds, find its cycles, and solve it once.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    semantics, solver, max_steps
        As in `strengths`.

    Returns
    -------
    Check
        The counts, and whether strengths are defined.

    Examples
    --------
    >>> from qontrast import examples
    >>> found = check(examples.load("healthcare"))
    >>> found.arguments, found.attacks, found.supports, found.cyclic
    (11, 18, 11, 3)
    """
    asked = make_problem(qbaf, semantics, solver, max_steps)
    attacks = int(np.signbit(qbaf.weights).sum())
    touched = np.zeros(len(qbaf), bool)
    touched[qbaf.sources] = touched[qbaf.targets] = True
    groups = [] if asked.arrays.acyclic else _group_sizes(qbaf)
    reason, found = None, None
    try:
        found = strengths(qbaf, semantics=asked.semantics, solver=solver, max_steps=max_steps)
    except UndefinedStrength as error:
        reason = error
    return Check(
        qbaf=qbaf,
        semantics=asked.semantics.name,
        arguments=len(qbaf),
        attacks=attacks,
        supports=len(qbaf.weights) - attacks,
        weighted=int((np.abs(qbaf.weights) != 1).sum()),
        isolated=tuple(qbaf.arguments[i] for i in np.flatnonzero(~touched).tolist()),
        cycles=len(groups),
        cyclic=sum(groups),
        steps=None if found is None else found.steps,
        strengths=None if found is None else {topic: found[topic] for topic in qbaf.topics},
        reason=reason,
    )


def _group_sizes(qbaf: Qbaf) -> list[int]:
    """Count the arguments of every group that reach each other, or themselves."""
    group = find_components(len(qbaf), qbaf.sources, qbaf.targets)
    size = np.bincount(group)
    loops = np.unique(group[qbaf.sources[qbaf.sources == qbaf.targets]])
    found = np.union1d(np.flatnonzero(size > 1), loops)
    return [int(each) for each in size[found]]
