"""Sample small random graphs and compute the numbers of many at once.

Arguments without a path between them do not affect each other, so a batch of acyclic graphs is solved, and Φ filled by
the library's own methods, as one graph. A violation that a batch shows is checked again on the graph by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..attribution.methods import METHODS
from ..engine.problem import Problem, make_problem
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..semantics import Semantics
from ..settings import check_integer, check_list, format_value
from ..types import Floats, Name
from .evaluation import CafUnderTest, Evaluation, one_sided_slopes

LETTERS = "abcdefghijklmnopq"
MAX_ARGUMENTS = len(LETTERS) - 1  # the last letter is left for an isolated argument
GRAPHS_PER_BATCH = 50  # removal has a lane per argument, so time grows with the square of this


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


@dataclass(frozen=True)
class GraphSampler:
    """Which random graphs are searched, as in `find_counterexample`; a value that makes no sense is refused."""

    seed: int = 0
    graphs: int = 5000
    cyclic: bool = False
    loops: bool = True
    arguments: tuple[int, int] = (3, 6)

    def __post_init__(self) -> None:
        check_integer(self.seed, "seed")
        check_integer(self.graphs, "graphs", 1)
        sizes = [each for each in check_list(self.arguments, "arguments", "two numbers") if isinstance(each, int)]
        if len(sizes) != 2 or not 2 <= sizes[0] <= sizes[1] <= MAX_ARGUMENTS:
            given = format_value(self.arguments)
            raise InvalidInput(f"arguments is {given}; give (from, to) between 2 and {MAX_ARGUMENTS}")

    def batches(self, max_weight: float) -> Iterator[RandomGraphs]:
        """Sample batches of graphs of one size, sizes growing in equal shares."""
        sizes, rng = range(self.arguments[0], self.arguments[1] + 1), np.random.default_rng(self.seed)
        for k, n in enumerate(sizes):
            share = self.graphs * (k + 1) // len(sizes) - self.graphs * k // len(sizes)
            for first in range(0, share, GRAPHS_PER_BATCH):
                count = min(GRAPHS_PER_BATCH, share - first)
                yield sample_graphs(rng, count, n, max_weight, self.cyclic, self.loops)


@dataclass(frozen=True, eq=False)
class Batch:
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
        graphs = np.arange(len(self.graphs.base))
        asked = (graphs[:, None] * self.n + np.array(self.topics)).ravel()
        found = METHODS[self.caf.method].make()(self.problem, tuple(asked.tolist()))
        own: Floats = self._by_graph(found.values).reshape(len(graphs), -1, len(graphs), self.n)[graphs, :, graphs]
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
    def with_isolated(self) -> Batch:
        return Batch(self.graphs.with_isolated(), self.semantics, self.caf, (0, 1, self.n))

    def __getitem__(self, k: int) -> BatchedEvaluation:
        return BatchedEvaluation(self, k)


class BatchedEvaluation(Evaluation):
    """The numbers of the k-th graph of a batch, computed for the whole batch at once."""

    acyclic: ClassVar[bool] = True

    def __init__(self, batch: Batch, k: int) -> None:
        # past the fields of Evaluation: making the graph takes long, and few of a batch are needed
        vars(self).update(batch=batch, k=k, semantics=batch.semantics, caf=batch.caf, _known={})
        self.batch: Batch
        self.k: int

    @cached_property
    def qbaf(self) -> Qbaf:
        return self.batch.graphs.qbaf(self.k)

    @property
    def players(self) -> Sequence[Name]:
        return LETTERS[: self.batch.n]

    def index(self, x: Name) -> int:
        return LETTERS.index(str(x))

    @property
    def base_scores(self) -> Floats:
        return self.batch.graphs.base[self.k]

    @cached_property
    def _rows(self) -> dict[Name, dict[Name, float]]:
        names, rows = self.players, self.batch.phi[self.k].tolist()
        return {
            names[topic]: {x: value for x, value in zip(names, row, strict=True) if x != names[topic]}
            for topic, row in zip(self.batch.topics, rows, strict=True)
        }

    def contrast(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        mine, theirs = self._rows[fact], self._rows[foil]
        return {x: self.caf.combine(value, theirs[x]) for x, value in mine.items() if x != foil}

    def phi(self, topic: Name) -> Mapping[Name, float]:
        return self._rows[topic]

    def strengths(self) -> Floats:
        return self.batch.strengths[self.k]

    def strengths_without(self, x: int) -> Floats:
        return self.batch.without[x, self.k]

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        below, above = self.batch.slopes
        return below[:, self.k].T, above[:, self.k].T

    @cached_property
    def with_isolated(self) -> Evaluation:
        return self.batch.with_isolated[self.k]
