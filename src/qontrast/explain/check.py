"""What a graph holds, and whether its strengths are defined: the first look at a file.

>>> from qontrast import examples
>>> found = check(examples.load("healthcare"))
>>> found.arguments, found.attacks, found.supports, found.cyclic
(11, 18, 11, 3)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.problem import MAX_STEPS, problem, strengths
from ..errors import UndefinedStrength, quoted
from ..graph.qbaf import Qbaf
from ..results.base import Result
from ..semantics import Semantics
from ..types import Name


@dataclass(frozen=True, repr=False)
class Check(Result):
    """What `check` found; `undefined` says why strengths are undefined, and is None where they are defined."""

    qbaf: Qbaf = field(repr=False)
    arguments: int
    attacks: int
    supports: int
    weighted: int  # edges with a weight other than 1
    isolated: tuple[Name, ...]  # arguments without any edge
    cycles: int  # groups of arguments that all reach each other
    cyclic: int  # arguments in such groups
    semantics: str
    undefined: str | None
    steps: int | None
    reason: UndefinedStrength | None = field(default=None, repr=False, compare=False)  # `undefined` as an error

    def __str__(self) -> str:
        edges = f"{_counted(self.attacks, 'attack')}, {_counted(self.supports, 'support')}"
        parts = [f"{_counted(self.arguments, 'argument')}, {edges}"]
        if self.weighted:
            parts.append(f"{_counted(self.weighted, 'weight')} other than 1")
        if self.isolated:
            parts.append(f"{_counted(len(self.isolated), 'argument')} without any edge: {quoted(self.isolated, 5)}")
        on = f"{_counted(self.cyclic, 'argument')} on {_counted(self.cycles, 'group')} of cycles"
        parts.append(on if self.cycles else "acyclic")
        if self.undefined is not None:
            parts.append(f"strengths are undefined: {self.undefined}")
        else:
            parts.append(f"strengths are defined under {self.semantics} ({_counted(self.steps or 0, 'step')})")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/check/1`."""
        return {
            "schema": "qontrast/check/1",
            "arguments": self.arguments,
            "attacks": self.attacks,
            "supports": self.supports,
            "weighted": self.weighted,
            "topics": list(self.qbaf.topics),
            "labels": len(self.qbaf.labels),
            "isolated": list(self.isolated),
            "cycles": self.cycles,
            "cyclic": self.cyclic,
            "semantics": self.semantics,
            "defined": self.undefined is None,
            "undefined": self.undefined,
            "steps": self.steps,
        }


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def check(
    qbaf: Qbaf, *, semantics: str | Semantics | None = None, solver: str = "discrete", max_steps: int = MAX_STEPS
) -> Check:
    """Count what there is, look for cycles, and solve once."""
    asked = problem(qbaf, semantics, solver, max_steps)
    attacks = int(np.signbit(qbaf.weights).sum())
    touched = np.zeros(len(qbaf), bool)
    touched[qbaf.sources] = touched[qbaf.targets] = True
    groups = [] if asked.arrays.acyclic else _groups(qbaf)
    reason, steps = None, None
    try:
        steps = strengths(qbaf, semantics=asked.semantics, solver=solver, max_steps=max_steps).steps
    except UndefinedStrength as error:
        reason = error
    return Check(
        qbaf,
        len(qbaf),
        attacks,
        len(qbaf.weights) - attacks,
        int((np.abs(qbaf.weights) != 1).sum()),
        tuple(qbaf.arguments[i] for i in np.flatnonzero(~touched).tolist()),
        len(groups),
        sum(groups),
        asked.semantics.name,
        None if reason is None else str(reason),
        steps,
        reason,
    )


def _groups(qbaf: Qbaf) -> list[int]:
    """The size of every group of arguments that reach each other, or themselves."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones, n = np.ones(len(qbaf.sources), np.int8), len(qbaf)
    graph = coo_array((ones, (qbaf.sources, qbaf.targets)), shape=(n, n))
    _, group = connected_components(graph, connection="strong")
    size = np.bincount(group)
    loops = np.unique(group[qbaf.sources[qbaf.sources == qbaf.targets]])
    found = np.union1d(np.flatnonzero(size > 1), loops)
    return [int(each) for each in size[found]]
