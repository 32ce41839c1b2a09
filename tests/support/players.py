"""Contributions of edges and groups, and interactions, slow and obvious: the definitions word for word."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from math import comb, factorial
from typing import Any

from qontrast import Qbaf
from tests.support.games import strength

Coalition = frozenset[Any]
Worth = Callable[[Coalition], float]


def edges_of(qbaf: Qbaf) -> list[tuple[Any, Any]]:
    """All edges, in the graph's order."""
    names = qbaf.arguments
    return [(names[s], names[t]) for s, t in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True)]


def keep_edges(qbaf: Qbaf, kept: Iterable[tuple[Any, Any]]) -> Qbaf:
    """The graph with some of its edges."""
    some = set(kept)
    return Qbaf(
        dict(qbaf.base_scores),
        {edge: weight for edge, weight in qbaf.attacks.items() if edge in some},
        {edge: weight for edge, weight in qbaf.supports.items() if edge in some},
    )


def subsets(players: Sequence[Hashable]) -> Iterable[Coalition]:
    """All coalitions."""
    every = chain.from_iterable(combinations(players, size) for size in range(len(players) + 1))
    return map(frozenset, every)


def remember(worth: Worth) -> Worth:
    """The same function, which computes each coalition once."""
    known: dict[Coalition, float] = {}

    def recall(coalition: Coalition) -> float:
        if coalition not in known:
            known[coalition] = worth(coalition)
        return known[coalition]

    return recall


def edge_worth(qbaf: Qbaf, topic: Any, semantics: str, always: Iterable[Any] = ()) -> Worth:
    """v(S) = σ(topic) with the edges S, and those that are always there."""
    fixed = set(always)
    return remember(lambda some: strength(keep_edges(qbaf, some | fixed), qbaf, topic, semantics))


def argument_worth(qbaf: Qbaf, topic: Any, semantics: str) -> Worth:
    """v(S) = σ(topic) in the restriction to S and the topic."""
    return remember(lambda some: strength(qbaf, [*some, topic], topic, semantics))


def shapley(players: Sequence[Any], worth: Worth) -> dict[Any, float]:
    """The Shapley value of each player."""
    n = len(players)
    return {
        x: sum(
            (worth(some | {x}) - worth(some)) / (n * comb(n - 1, len(some)))
            for some in subsets([y for y in players if y != x])
        )
        for x in players
    }


def owen(unions: Mapping[Any, Sequence[Any]], worth: Worth) -> dict[Any, float]:
    """The Owen value of each member of each union."""
    found: dict[Any, float] = {}
    m = len(unions)
    for own, members in unions.items():
        k = len(members)
        for i in members:
            total = 0.0
            for others in subsets([union for union in unions if union != own]):
                whole = frozenset(chain.from_iterable(unions[union] for union in others))
                for some in subsets([j for j in members if j != i]):
                    weight = 1 / (m * comb(m - 1, len(others)) * k * comb(k - 1, len(some)))
                    total += weight * (worth(whole | some | {i}) - worth(whole | some))
            found[i] = total
    return found


def interaction(players: Sequence[Any], worth: Worth, pair: Iterable[Any], taylor: bool = False) -> float:
    """The Shapley interaction index of some players, or the Shapley–Taylor index."""
    inner = frozenset(pair)
    n, k = len(players), len(inner)
    total = 0.0
    for some in subsets([x for x in players if x not in inner]):
        s = len(some)
        plain = factorial(s) * factorial(n - s - k) / factorial(n - k + 1)
        weight = k / (n * comb(n - 1, s)) if taylor else plain
        total += weight * sum((-1) ** (k - len(part)) * worth(some | part) for part in subsets(sorted(inner)))
    return total
