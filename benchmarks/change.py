"""Differences between two versions of a graph: how fast, against the definition written plainly.

The plain version builds every mixture of changed arguments as dictionaries, solves it by a loop, and looks for minimal
sets among frozen sets. Times are the best of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from time import perf_counter

import numpy as np

from qontrast import Qbaf, change

from .engine import Figure, best

Sets = set[frozenset[str]]


def figures() -> Iterator[Figure]:
    yield from sets_of_changes()
    yield from many_units()


def make_versions(arguments: int, changed: int, seed: int = 0, *, edges: bool = False) -> tuple[Qbaf, Qbaf]:
    """Two versions of an acyclic graph whose order of the last two arguments, the topics, differs."""
    rng = np.random.default_rng(seed)
    names = [f"a{i}" for i in range(arguments)]
    while True:
        pairs = [
            (names[i], names[j])
            for j in range(1, arguments)
            for i in range(j)
            if (i == j - 1 or rng.random() < 0.12) and i != arguments - 2
        ]
        signs = dict(zip(pairs, rng.choice([-1.0, 1.0], len(pairs)).tolist(), strict=True))
        signs |= {(names[i], names[-1]): float(rng.choice([-1.0, 1.0])) for i in range(2)}
        base = dict(zip(names, rng.random(arguments).tolist(), strict=True))
        movers = [names[i] for i in rng.choice(arguments, changed, replace=False).tolist()]
        scores, other = dict(base), dict(signs)
        if edges:
            for pair in [pairs[k] for k in rng.choice(len(pairs), changed // 2, replace=False).tolist()]:
                other[pair] = -other[pair]
            movers = movers[changed // 2 :]
        scores |= {name: float(rng.random()) for name in movers}
        made = [make_graph(base, signs), make_graph(scores, other)]
        found = change(made[0], made[1], names[-1], names[-2])
        if found.gap_before * found.gap_after < 0 and sum(map(bool, found.alone.values())) == changed:
            return made[0], made[1]


def make_graph(base: dict[str, float], signs: dict[tuple[str, str], float]) -> Qbaf:
    attacks = [pair for pair, sign in signs.items() if sign < 0]
    return Qbaf(base, attacks, [pair for pair in signs if pair not in attacks], semantics="qe")


def find_sets_plainly(before: Qbaf, after: Qbaf, fact: str, foil: str) -> tuple[Sets, Sets, Sets]:
    """Sufficient, counterfactual and necessary sets of changed base scores: the definition, word for word."""
    changed = [name for name in before if before.base_scores[name] != after.base_scores[name]]
    parents: dict[str, list[tuple[str, float]]] = {name: [] for name in before}
    for edges, sign in ((before.attacks, -1.0), (before.supports, 1.0)):
        for (source, target), weight in edges.items():
            parents[target].append((source, sign * weight))
    orders: dict[frozenset[str], int] = {}
    for applied in chain.from_iterable(combinations(changed, size) for size in range(len(changed) + 1)):
        strength: dict[str, float] = {}
        for name in before:  # in topological order
            b = (after if name in applied else before).base_scores[name]
            energy = sum(weight * strength[source] for source, weight in parents[name])
            share = energy * energy / (1 + energy * energy)
            strength[name] = b + (1 - b) * share if energy > 0 else b - b * share
        gap = strength[fact] - strength[foil]
        orders[frozenset(applied)] = 0 if abs(gap) <= 1e-10 else 1 if gap > 0 else -1
    every, start = frozenset(changed), orders[frozenset()]
    sufficient = [each for each in orders if orders[each] != start]
    counterfactual = [each for each in sufficient if orders[every - each] == start]
    below = {rest: any(each <= rest for each in sufficient) for rest in (every - each for each in sufficient)}
    necessary = [each for each in sufficient if not below[every - each]]
    return keep_minimal(sufficient), keep_minimal(counterfactual), keep_minimal(necessary)


def keep_minimal(sets: list[frozenset[str]]) -> Sets:
    found: Sets = set()
    for each in sorted(sets, key=len):
        if not any(smaller <= each for smaller in found):
            found.add(each)
    return found


def sets_of_changes(changed: int = 12) -> Iterator[Figure]:
    before, after = make_versions(20, changed)
    fact, foil = "a19", "a18"
    start = perf_counter()
    expected = find_sets_plainly(before, after, fact, foil)
    plain = perf_counter() - start
    found = change(before, after, fact, foil)
    same = (set(found.sufficient), set(found.counterfactual), set(found.necessary)) == expected
    ours = best(lambda: change(before, after, fact, foil))
    line = f"sets of {changed} changed arguments: {1e3 * ours:.1f} ms, plain Python {1e3 * plain:.0f} ms"
    yield f"{line}: {plain / ours:.0f} times (target 50), the same sets: {same}", plain / ours >= 50 and same


def many_units(arguments: int = 30) -> Iterator[Figure]:
    for edges in (False, True):
        for units, target in ((16, 0.1), (20, 2.0)):
            before, after = make_versions(arguments, units, edges=edges)
            seconds = best(lambda: change(before, after, f"a{arguments - 1}", f"a{arguments - 2}"), 3)  # noqa: B023
            what = "base scores and signs of edges" if edges else "base scores"
            line = f"{units} changed {what} of {arguments} arguments: {seconds:.3f} s (target {target} s)"
            yield line, seconds < target
