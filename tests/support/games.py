"""Attributions, slow and obvious: Definitions 4–6 of the paper word for word, on the loops of `reference`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from math import comb

import numpy as np

from qontrast import Qbaf
from tests.support.reference import Loop

Name = str | int


class Undefined(Exception):
    """Some sub-graph has no strengths."""


def strength(qbaf: Qbaf, keep: Iterable[Name], topic: Name, semantics: str) -> float:
    """σ(topic) in the restriction to `keep`."""
    found = Loop(qbaf.restrict(keep), semantics).limit()
    if found is None:
        raise Undefined
    return found[topic]


def removal(qbaf: Qbaf, topic: Name, semantics: str) -> dict[Name, float]:
    """Definition 4."""
    everyone = list(qbaf)
    whole = strength(qbaf, everyone, topic, semantics)
    return {
        x: whole - strength(qbaf, [y for y in everyone if y != x], topic, semantics) for x in everyone if x != topic
    }


def shapley(qbaf: Qbaf, topic: Name, semantics: str) -> dict[Name, float]:
    """Definition 6: over all coalitions of all other arguments, ancestors or not."""
    players = [name for name in qbaf if name != topic]
    n, worth = len(players), {}
    for some in chain.from_iterable(combinations(players, k) for k in range(n + 1)):
        worth[frozenset(some)] = strength(qbaf, [*some, topic], topic, semantics)
    return {
        x: sum((worth[s | {x}] - value) / (n * comb(n - 1, len(s))) for s, value in worth.items() if x not in s)
        for x in players
    }


def slope(qbaf: Qbaf, x: Name, topic: Name, semantics: str, side: float, h: float) -> float:
    """One side of Definition 5, by a difference of second order that never leaves that side."""
    at = [
        strength(qbaf.with_base_scores({x: qbaf.base_scores[x] + side * k * h}), qbaf, topic, semantics)
        for k in (0, 1, 2)
    ]
    return side * (-3 * at[0] + 4 * at[1] - at[2]) / (2 * h)


def branches(count: int, length: int, seed: int = 0) -> Qbaf:
    """Chains of arguments that all lead into argument 0: (length + 1) ** count connected sets."""
    rng, n = np.random.default_rng(seed), count * length
    targets = [0 if k % length == 0 else k for k in range(n)]
    return Qbaf.from_arrays(rng.random(n + 1), np.arange(1, n + 1), targets, rng.choice([-1.0, 1.0], n))


def random_dag(players: int, seed: int, parents: int = 4, degree: int = 3) -> Qbaf:
    """The topic is the last argument; every other argument reaches it."""
    rng = np.random.default_rng(seed)
    edges = {(int(j), i) for i in range(1, players) for j in rng.choice(i, min(i, degree), replace=False)}
    edges |= {(players - 1 - k, players) for k in range(min(parents, players))}
    edges |= {(i, players) for i in range(players) if not any(source == i for source, _ in edges)}
    sources, targets = zip(*sorted(edges), strict=True)
    return Qbaf.from_arrays(rng.random(players + 1), sources, targets, rng.choice([-1.0, 1.0], len(edges)))
