"""Sample small random graphs and compute the numbers of many at once.

Arguments without a path between them do not affect each other, so a batch of acyclic graphs is solved, and Φ filled by
the library's own methods, as one graph. A violation that a batch shows is checked again on the graph by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..attribution.methods import METHODS
from ..engine.problem import Problem, make_problem
from ..explain.contrast import apply_combination
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..types import Floats, Name
from .evaluation import CafUnderTest, GraphEvaluation, one_sided_slopes

LETTERS = "abcdefghijklmnop"
FACT, FOIL, THIRD = "a", "b", "c"


@dataclass(frozen=True, eq=False)
class RandomGraphs:
    """Graphs of n arguments each: base scores (graphs, n) and signed weights (graphs, source, target), NaN: no edge."""

    base: Floats
    weights: Floats

    def qbaf(self, k: int) -> Qbaf:
        """Make the k-th graph, with arguments a (the fact), b (the foil), c, …"""
        sources, targets = np.nonzero(~np.isnan(self.weights[k]))
        names = LETTERS[: self.base.shape[1]]
        return Qbaf.from_arrays(self.base[k], sources, targets, self.weights[k, sources, targets], names=names)

    def union(self) -> Qbaf:
        """Make one graph of all of them, one after the other."""
        n = self.base.shape[1]
        graph, source, target = np.nonzero(~np.isnan(self.weights))
        weights = self.weights[graph, source, target]
        return Qbaf.from_arrays(self.base.ravel(), graph * n + source, graph * n + target, weights)

    def with_isolated(self) -> RandomGraphs:
        """Add an isolated argument to each."""
        base = np.pad(self.base, ((0, 0), (0, 1)), constant_values=0.5)
        return RandomGraphs(base, np.pad(self.weights, ((0, 0), (0, 1), (0, 1)), constant_values=np.nan))


def sample_graphs(
    rng: np.random.Generator, graphs: int, n: int, max_weight: float, cyclic: bool = False, loops: bool = True
) -> RandomGraphs:
    """Sample graphs: base scores 0, 1/2, 1 and between; weights 1 and others up to `max_weight`; some with twin topics.

    Cyclic ones have self-attacks and self-supports too, unless `loops` is false.
    """
    nice = rng.choice([0.0, 0.5, 0.5, 1.0], size=(graphs, n))
    base = np.where(rng.random((graphs, n)) < 0.5, nice, rng.random((graphs, n)))
    edge = rng.random((graphs, n, n)) < rng.uniform(0.15, 0.9, size=(graphs, 1, 1))
    if cyclic:
        edge &= ~np.eye(n, dtype=bool) | (rng.random((graphs, n, n)) < (0.2 if loops else 0.0))
    else:
        rank = rng.random((graphs, n))
        edge &= rank[:, :, None] > rank[:, None, :]
    plain = rng.random((graphs, 1, 1)) < 0.5
    other = np.where(
        rng.random((graphs, n, n)) < 0.5, rng.choice([0.5, 1.0, max_weight]), max_weight * rng.random((graphs, n, n))
    )
    signed = np.where(plain, 1.0, other) * rng.choice([-1.0, 1.0], size=(graphs, n, n))
    weights = np.asarray(np.where(edge, signed, np.nan), np.float64)  # some stubs of NumPy call `signed` integers
    # twins: the foil gets the fact's base score and parents, so that premises of equality occur
    twins = rng.random(graphs) < 0.15
    weights[twins, :2, :] = np.nan
    weights[twins, :, 1] = weights[twins, :, 0]
    base[twins, 1] = base[twins, 0]
    return RandomGraphs(base, weights)


@dataclass(frozen=True, eq=False)
class BatchEvaluation:
    """The numbers of acyclic random graphs for one method and semantics; `topics` are places in each graph."""

    graphs: RandomGraphs
    semantics: Semantics
    caf: CafUnderTest
    topics: tuple[int, ...]

    @property
    def n(self) -> int:
        return self.graphs.base.shape[1]

    @cached_property
    def problem(self) -> Problem:
        return make_problem(self.graphs.union(), self.semantics)

    def _by_graph(self, values: Floats) -> Floats:
        """The last axis, of all arguments, as (graphs, n)."""
        return values.reshape(*values.shape[:-1], -1, self.n)

    @cached_property
    def phi(self) -> Floats:
        """φ[graph, topic, contributor]."""
        assert self.caf.method is not None
        graphs = len(self.graphs.base)
        asked = (np.arange(graphs)[:, None] * self.n + np.array(self.topics)).ravel()
        found = METHODS[self.caf.method].make()(self.problem, tuple(asked.tolist()))
        every = found.values.reshape(graphs, len(self.topics), graphs, self.n)
        own: Floats = every[np.arange(graphs), :, np.arange(graphs)]
        return own

    @cached_property
    def strengths(self) -> Floats:
        """σ[graph, argument]."""
        return self._by_graph(self.problem.strengths()[0])

    @cached_property
    def without(self) -> Floats:
        """σ[removed, graph, argument]."""
        present = np.tile(~np.eye(self.n, dtype=bool), (1, len(self.graphs.base)))
        return self._by_graph(self.problem.strengths(present))

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """∂σ/∂τ[mover, graph, argument] from below and from above."""
        directions = np.tile(np.eye(self.n), (len(self.graphs.base), 1))
        below, above = one_sided_slopes(self.problem, self.strengths.ravel(), directions)
        return self._by_graph(below.T), self._by_graph(above.T)

    @cached_property
    def with_isolated(self) -> BatchEvaluation:
        return BatchEvaluation(self.graphs.with_isolated(), self.semantics, self.caf, (0, 1, self.n))

    def __getitem__(self, k: int) -> BatchedGraph:
        return BatchedGraph(self, k)


@dataclass(frozen=True, eq=False)
class BatchedGraph:
    """One graph of a batch, as an `Evaluation`."""

    batch: BatchEvaluation
    k: int

    @property
    def names(self) -> Sequence[Name]:
        return LETTERS[: self.batch.n]

    @cached_property
    def _rows(self) -> dict[Name, dict[Name, float]]:
        rows = self.batch.phi[self.k].tolist()
        names = self.names
        return {
            names[topic]: {x: value for x, value in zip(names, row, strict=True) if x != names[topic]}
            for topic, row in zip(self.batch.topics, rows, strict=True)
        }

    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        mine, theirs, combine = self._rows[fact], self._rows[foil], self.batch.caf.combine
        if combine is None:
            return {x: value - theirs[x] for x, value in mine.items() if x != foil}
        return {x: apply_combination(combine, value, theirs[x]) for x, value in mine.items() if x != foil}

    def phi(self, topic: Name) -> Mapping[Name, float]:
        return self._rows[topic]

    def base_score(self, x: Name) -> float:
        return float(self.batch.graphs.base[self.k, self._at(x)])

    def strength(self, topic: Name) -> float:
        return float(self.batch.strengths[self.k, self._at(topic)])

    def strength_without(self, x: Name, topic: Name) -> float:
        return float(self.batch.without[self._at(x), self.k, self._at(topic)])

    def slopes(self, x: Name, topic: Name) -> tuple[float, float]:
        at = (self._at(x), self.k, self._at(topic))
        below, above = self.batch.slopes
        return float(below[at]), float(above[at])

    def gap_changes(self, x: Name, side: int, fact: Name, foil: Name) -> list[float]:
        return self._direct.gap_changes(x, side, fact, foil)

    def with_isolated(self) -> tuple[BatchedGraph, Name]:
        grown = self.batch.with_isolated[self.k]
        return grown, grown.names[-1]

    @cached_property
    def _direct(self) -> GraphEvaluation:
        return GraphEvaluation(self.batch.graphs.qbaf(self.k), self.batch.semantics, self.batch.caf)

    def _at(self, x: Name) -> int:
        return ord(str(x)) - ord(LETTERS[0])
