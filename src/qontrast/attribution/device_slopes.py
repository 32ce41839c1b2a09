"""The slopes of strengths in base scores on a device: what `slopes` does on the CPU, for all topics at once.

The derivatives of F are computed for one group of arguments after the other, each by a few kernels. On an acyclic graph
the adjoints of all topics are then swept from group to group; with cycles they are the sum of the series Σ (F_σᵀ)ᵏ e.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..engine.backend import Backend
from ..engine.problem import Problem
from ..graph.structure import Group
from ..semantics import Semantics
from ..types import Bools, Floats, Integers
from .list_slopes import SLOPE_TOLERANCE

MAX_SERIES_TERMS = 2_000  # of a graph with cycles, before the CPU factorises its matrix
SERIES_END = 1e-17
REDUCE: dict[np.ufunc, str] = {np.add: "sum", np.multiply: "prod", np.maximum: "max"}

Array = Any  # of the device


def can_sweep(problem: Problem) -> bool:
    """Whether the slopes are computed on the device: with derivatives that are formulas, and smooth aggregations."""
    aggregation = problem.semantics.aggregation
    smooth = aggregation.kinked is None and aggregation.fold is not None and not problem.semantics.numeric
    return problem.device != "cpu" and smooth


def sweep_on_device(problem: Problem, strengths: Floats, base: Floats, topics: Integers) -> tuple[Floats, Bools] | None:
    """∂σ(t)/∂τ of all arguments, for each topic t (rows), and who sits on a kink that matters.

    Vectors and places are in the order of evaluation. None where a series does not converge soon.
    """
    made = SlopesOnDevice(problem, strengths, base)
    rows, bent = np.empty((len(topics), len(base))), np.zeros(len(base), bool)
    block = max(1, problem.backend.numbers_per_block // max(len(base), len(problem.arrays.parents), 1))
    for first in range(0, len(topics), block):
        found = made.find(topics[first : first + block])
        if found is None:
            return None
        rows[first : first + block] = found[0]
        bent |= found[1]
    return rows, bent


@dataclass(frozen=True)
class GroupOnDevice:
    """A group of arguments with the derivatives of F there."""

    lo: int
    hi: int
    parents: Array  # their places, flat
    rates: Array  # ∂F(a)/∂σ(parent), (parents, arguments); at kinks from above


class SlopesOnDevice:
    """The derivatives of F at some strengths."""

    def __init__(self, problem: Problem, strengths: Floats, base: Floats) -> None:
        self.problem, self.backend = problem, problem.backend
        arrays = self.backend.arrays
        self.strengths, self.base = arrays.asarray(strengths), arrays.asarray(base)
        self.by_base, self.bends = arrays.ones(len(base)), arrays.zeros(len(base), bool)
        self.groups = list(self._prepare())

    def _prepare(self) -> Iterator[GroupOnDevice]:
        slopes = _fuse_slopes(self.problem.semantics, self.backend, self.problem.equation.rounding)
        neutral = self.problem.semantics.influence.neutral
        for group in self.problem.arrays.groups():
            here = slice(group.lo, group.hi)
            if not len(group.parents) and neutral:
                continue
            parents = self.backend.arrays.asarray(np.ascontiguousarray(group.parents).reshape(-1))
            energy, by_parent = self._find_energy(group, parents)
            by_base, below, above = slopes(self.base[here], energy)
            self.by_base[here] = by_base
            self.bends[here] = np.abs(above - below) > SLOPE_TOLERANCE
            if len(group.parents):
                yield GroupOnDevice(group.lo, group.hi, parents, by_parent * above)

    def _find_energy(self, group: Group, parents: Array) -> tuple[Array, Array]:
        """α of the arguments of a group, and its slope in the strength of each parent."""
        aggregation, shape = self.problem.semantics.aggregation, group.parents.shape
        x = self.strengths.take(parents, axis=0).reshape(shape)
        weights = None
        if group.weights is not None:
            weights = self.backend.arrays.asarray(np.ascontiguousarray(group.weights))
            x = x * weights
        attacks, supports = x[: group.attackers], x[group.attackers :]
        fold = aggregation.fold
        assert fold is not None
        assert aggregation.slopes is not None
        energy = fold.finish(*(self._reduce(each, shape[1]) for each in (attacks, supports)))
        by_parent = self.backend.arrays.concatenate(aggregation.slopes(attacks, supports))
        return energy, by_parent if weights is None else by_parent * weights

    def _reduce(self, x: Array, width: int) -> Array:
        fold = self.problem.semantics.aggregation.fold
        assert fold is not None
        if not len(x):
            return self.backend.arrays.full(width, float(fold.lift(np.zeros(()))))
        return getattr(fold.lift(x), REDUCE[fold.combine])(axis=0)

    def find(self, topics: Integers) -> tuple[Floats, Bools] | None:
        """The slopes of some topics, and who sits on a kink that matters to one of them."""
        arrays, count = self.backend.arrays, len(topics)
        start = np.zeros((count, len(self.base)))
        start[np.arange(count), topics] = 1.0
        acyclic = self.problem.arrays.acyclic
        adjoint = self._sweep(arrays.asarray(start)) if acyclic else self._sum_series(arrays.asarray(start))
        if adjoint is None:
            return None
        bent = self.backend.to_host(self.bends & (adjoint != 0).any(axis=0))
        return self.backend.to_host(adjoint * self.by_base), bent

    def _sweep(self, adjoint: Array) -> Array:
        for group in reversed(self.groups):
            self._push(group, adjoint, adjoint)
        return adjoint

    def _push(self, group: GroupOnDevice, adjoint: Array, out: Array) -> None:
        """Add to the parents of a group what its arguments pass on."""
        count = len(adjoint)
        share = adjoint[:, group.lo : group.hi]
        passed = (group.rates[None] * share[:, None]).reshape(count, -1)
        rows = self.backend.arrays.arange(count)[:, None]
        self.backend.add_at(out, (rows, group.parents[None]), passed)

    def _sum_series(self, start: Array) -> Array | None:
        wave, total = start, start.copy()
        for _ in range(MAX_SERIES_TERMS):
            then, wave = wave, self.backend.arrays.zeros(start.shape)
            for group in self.groups:
                self._push(group, then, wave)
            total = total + wave
            left = float(np.abs(wave).max())
            if left <= SERIES_END:
                return total
            if not left <= 1e6:
                return None
        return None


@lru_cache(maxsize=64)
def _fuse_slopes(semantics: Semantics, backend: Backend, rounding: float) -> Any:
    """∂ι/∂b, and ∂ι/∂e from below and from above, as one kernel of (base, energy)."""

    def slopes(base: Any, energy: Any) -> Any:
        energy = np.where(np.abs(energy) <= rounding, 0.0, energy)  # on paper these are 0, and a kink sits there
        below, above = semantics.by_energy(base, energy)
        return semantics.by_base(base, energy), below, above

    return backend.fuse(slopes)
