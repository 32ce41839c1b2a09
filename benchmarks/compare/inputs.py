"""The seeded inputs of the comparison: lists of names, as every library takes them, and one network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qontrast import Network, Qbaf, networks
from qontrast.attribution.shapley.game import Game
from qontrast.engine.problem import make_problem

from ..attribution import dag
from ..engine import Edges, random_dag

Pairs = list[tuple[str, str]]


@dataclass(frozen=True)
class Lists:
    """A graph before any library has seen it; the topic is the last argument."""

    scores: dict[str, float]
    attacks: Pairs
    supports: Pairs

    @cached_property
    def topic(self) -> str:
        return next(reversed(self.scores))

    @cached_property
    def others(self) -> list[str]:
        """All arguments but the topic."""
        return list(self.scores)[:-1]

    @cached_property
    def near(self) -> list[str]:
        """The parents of the topic and a few of the first arguments, which are among its ancestors."""
        parents = (source for source, target in (*self.attacks, *self.supports) if target == self.topic)
        return [*self.others[:2], *parents]

    def qbaf(self) -> Qbaf:
        return Qbaf(self.scores, self.attacks, self.supports)

    def game(self) -> Game:
        """The game of the topic under qe, as qontrast evaluates it: many coalitions at once."""
        return Game(make_problem(self.qbaf(), "qe"), len(self.scores) - 1)

    def keep(self, kept: set[str]) -> Lists:
        scores = {name: score for name, score in self.scores.items() if name in kept}
        parts = ([(a, b) for a, b in each if a in kept and b in kept] for each in (self.attacks, self.supports))
        return Lists(scores, *parts)

    def with_score(self, name: str, score: float) -> Lists:
        return Lists({**self.scores, name: score}, self.attacks, self.supports)


def make_lists(base: np.ndarray, sources: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> Lists:
    names = [f"a{i}" for i in range(len(base))]
    edges = list(zip(sources.tolist(), targets.tolist(), (weights > 0).tolist(), strict=True))
    attacks = [(names[i], names[j]) for i, j, support in edges if not support]
    supports = [(names[i], names[j]) for i, j, support in edges if support]
    return Lists(dict(zip(names, base.tolist(), strict=True)), attacks, supports)


def acyclic_arrays(size: int) -> Edges:
    return random_dag(size)


def acyclic(size: int) -> Lists:
    """Make a random acyclic graph in which most arguments have three parents."""
    return make_lists(*acyclic_arrays(size))


def cyclic_arrays(size: int) -> Edges:
    rng = np.random.default_rng(0)
    targets = np.repeat(np.arange(size), 3)
    sources = (targets + 1 + rng.integers(0, size - 1, len(targets))) % size
    edges = np.unique(np.stack([sources, targets], axis=1), axis=0)
    return rng.random(size), edges[:, 0], edges[:, 1], rng.choice([-1.0, 1.0], len(edges))


def cyclic(size: int) -> Lists:
    """Make a random graph with cycles in which most arguments have three parents."""
    return make_lists(*cyclic_arrays(size))


def with_players(players: int, seed: int = 0) -> Lists:
    """Make an acyclic graph whose other arguments all reach the topic."""
    q = dag(players, seed)
    return make_lists(q.base_array, q.sources, q.targets, q.weights)


def coalitions(size: int, players: int) -> np.ndarray:
    """Draw coalitions as rows of booleans."""
    return np.random.default_rng(1).random((size, players)) < 0.5


@dataclass(frozen=True)
class Audited:
    """An 8–16–3 network and instances whose first feature, the protected one, is 0 or 1."""

    weights: list[np.ndarray]
    biases: list[np.ndarray]
    x: np.ndarray

    def network(self) -> Network:
        return networks.from_arrays(self.weights, self.biases)


def audited(instances: int) -> Audited:
    rng = np.random.default_rng(4)  # a network in which a tenth of the instances flips
    weights, biases = [rng.normal(size=(8, 16)), rng.normal(size=(16, 3))], [rng.normal(size=16), rng.normal(size=3)]
    x = rng.random((instances, 8))
    x[:, 0] = x[:, 0] < 0.5
    return Audited(weights, biases, x)
