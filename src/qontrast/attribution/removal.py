"""Removal: what the topic loses when an argument leaves.

    φ_t(x) = σ(t) − σ₋ₓ(t)                                       (the paper, Definition 4)
    intrinsic:  φ_t(x) = σ(t) in Q without the edges into x − σ₋ₓ(t)     (Kampik et al., IJAR 2024)

All arguments are lanes of one batch, and every lane serves all topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..engine.problem import Problem, problem
from ..errors import UndefinedStrength
from ..graph.qbaf import Qbaf
from ..types import Floats, Name, Progress
from .matrix import Phi, own_entries

GRAPHS = 64  # that are sent to an executor at a time
NUMBERS = 1 << 24  # of lanes held at a time: 128 MB


@dataclass(frozen=True)
class Removal:
    """φ_t(x) = σ(t) − σ₋ₓ(t): what the topic loses when x leaves."""

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """One lane for each argument that has a path to a topic; the others change nothing."""
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        movers = np.flatnonzero(problem.qbaf.structure.ancestors(asked))
        values = np.zeros((len(topics), len(problem.qbaf)))
        values[:, movers] = strengths[list(asked)][:, None] - _without(problem, movers.tolist(), asked, progress).T
        way = f"{len(movers)} restrictions, each solved"
        return Phi(problem, topics, own_entries(asked, values), strengths, "removal", way, len(movers))


def _without(problem: Problem, movers: list[int], asked: tuple[int, ...], progress: Progress | None) -> Floats:
    """σ₋ₓ of the asked topics for each mover x, (movers, topics)."""
    found = np.empty((len(movers), len(asked)))
    some = problem.share * max(1, NUMBERS // (problem.share * max(1, len(problem.qbaf))))
    for first in range(0, len(movers), some):
        chosen = movers[first : first + some]
        present = np.ones((len(chosen), len(problem.qbaf)), bool)
        present[np.arange(len(chosen)), chosen] = False
        try:
            found[first : first + some] = problem.strengths(present)[:, list(asked)]
        except UndefinedStrength as cause:
            gone, alone = problem.qbaf.arguments[chosen[cause.lane]], problem.undefined(0, present[cause.lane])
            raise UndefinedStrength(f"without {gone!r}: {alone}", cause.arguments, cause.step) from cause
        if progress:
            progress(min(first + some, len(movers)), len(movers))
    return found


@dataclass(frozen=True)
class IntrinsicRemoval:
    """φ_t(x) = σ(t) − σ₋ₓ(t), both after the edges into x were cut: what x gives of its own."""

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """For each argument one graph without its incoming edges (a self-loop stays), and one without itself."""
        qbaf = problem.qbaf
        asked = tuple(qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        movers = np.flatnonzero(qbaf.structure.ancestors(asked)).tolist()
        values = np.zeros((len(topics), len(qbaf)))
        values[:, movers] = -_without(problem, movers, asked, None).T
        cuts = [movers[first : first + GRAPHS] for first in range(0, len(movers), GRAPHS)]
        alone = replace(problem, executor=None)
        if problem.executor is None or len(cuts) < 2:
            found = (_alone(alone, cut, asked) for cut in cuts)
        else:
            sent = [problem.executor.submit(_alone, alone, cut, asked) for cut in cuts]
            found = (each.result() for each in sent)
        for cut, own in zip(cuts, found, strict=True):
            values[:, cut] += own
            if progress:
                progress(min(len(movers), movers.index(cut[-1]) + 1), len(movers))
        way = f"{2 * len(movers)} restrictions, each solved"
        return Phi(problem, topics, own_entries(asked, values), strengths, "intrinsic", way, 2 * len(movers))


def _alone(asked: Problem, movers: list[int], topics: tuple[int, ...]) -> Floats:
    """σ of the topics, (topics, movers), each mover having lost its parents."""
    found = [_rootless(asked, asked.qbaf, x).strengths()[0][list(topics)] for x in movers]
    return np.array(found).reshape(len(movers), len(topics)).T


def _rootless(asked: Problem, qbaf: Qbaf, x: int) -> Problem:
    kept = (qbaf.targets != x) | (qbaf.sources == x)
    cut = qbaf._with(sources=qbaf.sources[kept], targets=qbaf.targets[kept], weights=qbaf.weights[kept])
    return problem(cut, asked.semantics, asked.solver, asked.max_steps)
