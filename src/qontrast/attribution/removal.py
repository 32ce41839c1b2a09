"""Removal: what the topic loses when an argument leaves.

    φ_t(x) = σ(t) − σ₋ₓ(t)                                       (the paper, Definition 4)
    intrinsic:  φ_t(x) = σ(t) in Q without the edges into x − σ₋ₓ(t)     (Kampik et al., IJAR 2024)

All arguments are lanes of one batch, and every lane serves all topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..engine.backend import run_tasks
from ..engine.problem import Problem
from ..errors import UndefinedStrength, count
from ..types import Floats, Name, Progress
from .matrix import Phi, make_phi

GRAPHS_PER_TASK = 64
MAX_NUMBERS_HELD = 1 << 24  # in lanes at a time: 128 MB


@dataclass(frozen=True)
class Removal:
    """φ_t(x) = σ(t) − σ₋ₓ(t): what the topic loses when x leaves."""

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """One lane for each argument that has a path to a topic; the others change nothing."""
        asked = tuple(problem.qbaf.index(topic) for topic in topics)
        strengths = problem.strengths()[0]
        movers = np.flatnonzero(problem.qbaf.structure.ancestors(asked))
        values = np.zeros((len(topics), len(problem.qbaf)))
        values[:, movers] = (
            strengths[list(asked)][:, None] - _solve_without(problem, movers.tolist(), asked, progress).T
        )
        how = f"{count(len(movers), 'restriction')}, each solved"
        return make_phi(problem, topics, values, strengths, "removal", how, len(movers))


def _solve_without(problem: Problem, movers: list[int], asked: tuple[int, ...], progress: Progress | None) -> Floats:
    """σ₋ₓ of the asked topics for each mover x, (movers, topics)."""
    found = np.empty((len(movers), len(asked)))
    some = problem.lanes_per_task * max(1, MAX_NUMBERS_HELD // (problem.lanes_per_task * max(1, len(problem.qbaf))))
    for first in range(0, len(movers), some):
        gone = movers[first : first + some]
        present = np.ones((len(gone), len(problem.qbaf)), bool)
        present[np.arange(len(gone)), gone] = False
        try:
            found[first : first + some] = problem.strengths(present)[:, list(asked)]
        except UndefinedStrength as cause:
            name, alone = problem.qbaf.arguments[gone[cause.lane]], problem.undefined(0, present[cause.lane])
            raise UndefinedStrength(f"without {name!r}: {alone}", cause.arguments, cause.step) from cause
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
        values[:, movers] = -_solve_without(problem, movers, asked, None).T
        cuts = [movers[first : first + GRAPHS_PER_TASK] for first in range(0, len(movers), GRAPHS_PER_TASK)]
        alone, executor = replace(problem, executor=None), problem.executor if len(cuts) > 1 else None
        tasks, done = ((alone, cut, asked) for cut in cuts), 0
        for cut, own in zip(cuts, run_tasks(executor, _solve_without_parents, tasks), strict=True):
            values[:, cut] += own
            done += len(cut)
            if progress:
                progress(done, len(movers))
        how = f"{count(2 * len(movers), 'restriction')}, each solved"
        return make_phi(problem, topics, values, strengths, "intrinsic", how, 2 * len(movers))


def _solve_without_parents(asked: Problem, movers: list[int], topics: tuple[int, ...]) -> Floats:
    """σ of the topics, (topics, movers), each mover having lost its parents; a self-loop stays."""
    qbaf, found = asked.qbaf, np.empty((len(topics), len(movers)))
    for k, x in enumerate(movers):
        kept = (qbaf.targets != x) | (qbaf.sources == x)
        cut = qbaf._with(sources=qbaf.sources[kept], targets=qbaf.targets[kept], weights=qbaf.weights[kept])
        found[:, k] = replace(asked, qbaf=cut).strengths()[0][list(topics)]
    return found
