"""Slopes of many lanes at once, in base scores and in weights, with cycles: what a search by gradients needs.

    y = Σ_a c(a) σ(a),      ∂y/∂τ(x) = F_τ(x) a(x),      ∂y/∂w(r) = a(y) · ∂F(y)/∂(wσ) · σ(x)    for r = (x → y)

where the adjoint a solves (I − F_σ)ᵀ a = c: in reverse over an acyclic graph, and by one matrix for each lane of a
cyclic one. At a kink the mean of both sides is taken. `attribution.slopes` gives both sides, one lane at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..types import Floats, Integers
from .problem import Problem

MAX_DENSE_SIZE = 128  # arguments of a cyclic graph; beyond, its matrices are sparse


@dataclass(frozen=True, slots=True)
class Block:
    """A group of arguments, and its edges sorted by parent: `starts` says where each of the `parents` begins."""

    lo: int
    hi: int
    attackers: int
    degree: int
    edges: slice
    parents: Integers
    order: Integers
    starts: Integers


@dataclass(frozen=True, slots=True)
class Rates:
    """The derivatives of F of all lanes, in the order of evaluation."""

    by_base: Floats  # (arguments, lanes)
    by_parent: Floats  # ∂F(target)/∂(w·σ(source)) of each edge: (edges, lanes)
    by_strength: Floats  # ∂F(target)/∂σ(source)


@dataclass(frozen=True, eq=False)
class LaneSlopes:
    """Slopes of sums of strengths, y = seeds · σ, for lanes of one problem."""

    problem: Problem
    seeds: Floats  # (ys, arguments)

    @cached_property
    def _blocks(self) -> list[Block]:
        found = []
        for lo, hi, attackers, degree, start in self.problem.arrays.bounds.tolist():
            edges = slice(start, start + degree * (hi - lo))
            parents = self.problem.arrays.parents[edges]
            order = np.argsort(parents, kind="stable")
            first = np.flatnonzero(np.diff(parents[order], prepend=-1))
            found.append(Block(lo, hi, attackers, degree, edges, parents[order][first], order, first))
        return found

    @cached_property
    def _targets(self) -> Integers:
        """The place of the target of each edge, in the order of `arrays.parents`."""
        return self.problem.arrays.place[self.problem.qbaf.targets[self.problem.qbaf.structure.edge_order]].astype(
            np.intp
        )

    def find(self, strengths: Floats, base: Floats, weights: Floats | None = None) -> tuple[Floats, Floats]:
        """Compute ∂y/∂τ (lanes, ys, arguments) and ∂y/∂w (lanes, ys, edges) of lanes that are solved.

        `weights` are magnitudes, (lanes, edges); the slope by a weight is that of its magnitude. A slope that does
        not exist is 0.
        """
        qbaf, arrays = self.problem.qbaf, self.problem.arrays
        here, scores = (np.ascontiguousarray(each.T[arrays.order]) for each in (strengths, base))
        given = np.abs(qbaf.weights)[None] if weights is None else weights
        size = given.T[qbaf.structure.edge_order]
        with np.errstate(all="ignore"):
            rates = self._find_rates(here, scores, size)
            adjoint = self._pull(rates) if arrays.acyclic else self._solve(rates)
            by_base = (rates.by_base[:, None] * adjoint)[arrays.place]
            by_weight = np.empty((len(size), *adjoint.shape[1:]))
            by_weight[qbaf.structure.edge_order] = (rates.by_parent * here[arrays.parents])[:, None] * adjoint[
                self._targets
            ]
        return tuple(np.nan_to_num(each.transpose(2, 1, 0), posinf=0.0, neginf=0.0) for each in (by_base, by_weight))  # type: ignore[return-value]

    def _find_rates(self, strengths: Floats, base: Floats, weights: Floats) -> Rates:
        semantics, rounding = self.problem.semantics, self.problem.equation.rounding
        by_base, by_parent = np.empty(base.shape), np.empty((len(weights), base.shape[1]))
        parents = self.problem.arrays.parents
        for block in self._blocks:
            own = slice(block.lo, block.hi)
            if semantics.influence.neutral and not block.degree:
                by_base[own] = 1.0
                continue
            x = strengths[parents[block.edges]] * weights[block.edges]
            x = x.reshape(block.degree, block.hi - block.lo, base.shape[1])
            attacks, supports = x[: block.attackers], x[block.attackers :]
            energy = np.asarray(semantics.aggregation.energy(attacks, supports))
            energy = np.where(np.abs(energy) <= rounding, 0.0, energy)
            by_base[own] = semantics.by_base(base[own], energy)
            below, above = semantics.by_energy(base[own], energy)
            slopes = np.concatenate(semantics.slopes(attacks, supports))
            by_parent[block.edges] = (slopes * ((below + above) / 2)).reshape(-1, base.shape[1])
        return Rates(by_base, by_parent, by_parent * weights)

    def _pull(self, rates: Rates) -> Floats:
        """Find the adjoints in reverse over an acyclic graph: (arguments, ys, lanes)."""
        start = self.seeds.T[self.problem.arrays.order]
        adjoint = np.repeat(start[:, :, None], rates.by_base.shape[1], axis=2)
        for block in reversed(self._blocks):
            if block.degree:
                pushed = rates.by_strength[block.edges][:, None] * adjoint[self._targets[block.edges]]
                adjoint[block.parents] += np.add.reduceat(pushed[block.order], block.starts, axis=0)
        return adjoint

    def _solve(self, rates: Rates) -> Floats:
        """Find the adjoints of a cyclic graph from one matrix for each lane; 0 where it is singular."""
        arrays = self.problem.arrays
        size, lanes = rates.by_base.shape
        ends = self.seeds.T[arrays.order]
        if size > MAX_DENSE_SIZE:
            return np.stack([self._solve_sparse(rates.by_strength[:, lane], ends) for lane in range(lanes)], axis=2)
        matrices = np.zeros((lanes, size, size))
        matrices[:, np.arange(size), np.arange(size)] = 1.0
        matrices[:, arrays.parents, self._targets] -= rates.by_strength.T
        matrices[~np.isfinite(matrices).all(axis=(1, 2))] = np.inf
        return np.stack([_solve_dense(matrix, ends) for matrix in matrices], axis=2)

    def _solve_sparse(self, by_strength: Floats, ends: Floats) -> Floats:
        from scipy.sparse import coo_array, csc_array, eye_array
        from scipy.sparse.linalg import splu

        size = len(ends)
        inner = coo_array((by_strength, (self.problem.arrays.parents, self._targets)), shape=(size, size))
        try:
            return np.asarray(splu(csc_array(eye_array(size) - inner)).solve(ends))
        except RuntimeError:
            return np.zeros(ends.shape)


def _solve_dense(matrix: Floats, ends: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(matrix, ends))
    except np.linalg.LinAlgError:
        return np.zeros(ends.shape)
