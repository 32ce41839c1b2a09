"""Small graphs, and deep ones: what one pays per question and per level, against a plain Python loop.

The yardstick is the loop of `engine`, from the same lists that a Qbaf is made from: parents in dictionaries, a
topological order, one argument after the other. Small graphs have 15 arguments and about 20 edges; 300 of them are
asked in turn, each a new graph of which nothing is known yet; the best time of each counts. Graphs of 300 to 3,000
arguments are neither small nor wide. Deep graphs are a chain and a random tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from qontrast import Qbaf, UndefinedStrength, contrast, strengths

from .engine import Figure, best, parents_and_order, plain_loop

Lists = tuple[dict[str, float], list[tuple[str, str]], list[tuple[str, str]]]  # base scores, attacks, supports


def random_graphs(count: int = 300, n: int = 15, density: float = 0.2) -> list[Lists]:
    """Acyclic graphs: an edge from i to each later j with this probability, names in random order."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        names = [f"a{i}" for i in rng.permutation(n).tolist()]
        i, j = np.nonzero(np.triu(rng.random((n, n)) < density, 1))
        found.append(_lists(names, rng, [(names[s], names[t]) for s, t in zip(i.tolist(), j.tolist(), strict=True)]))
    return found


def chain(n: int) -> Lists:
    """Each argument acts on the next."""
    names = [f"a{i}" for i in range(n)]
    return _lists(names, np.random.default_rng(0), list(pairwise(names)))


def tree(n: int, depth: int) -> Lists:
    """A path of the given depth; every other argument acts on a random one before it, if that is not at the end."""
    rng = np.random.default_rng(0)
    names, level = [f"a{i}" for i in range(n)], list(range(depth + 1))
    parent = list(range(-1, depth))
    for i, share in enumerate(rng.random(n - depth - 1).tolist(), depth + 1):
        above = int(share * i)
        above = above if level[above] < depth else above - 1
        parent.append(above)
        level.append(level[above] + 1)
    return _lists(names, rng, [(names[i], names[above]) for i, above in enumerate(parent) if above >= 0])


def _lists(names: list[str], rng: np.random.Generator, edges: list[tuple[str, str]]) -> Lists:
    """Random base scores, and edges of random kinds."""
    kinds = (rng.random(len(edges)) < 0.5).tolist()
    attacks = [edge for edge, attack in zip(edges, kinds, strict=True) if attack]
    supports = [edge for edge, attack in zip(edges, kinds, strict=True) if not attack]
    return dict(zip(names, rng.random(len(names)).tolist(), strict=True)), attacks, supports


def best_of_each(work: Callable[..., object], graphs: list[Lists], times: int = 9) -> float:
    """The mean over all graphs of the fastest run on each: a run is so short that few are disturbed."""
    found = [float("inf")] * len(graphs)
    for _ in range(times):
        for k, graph in enumerate(graphs):
            start = time.perf_counter()
            work(*graph)
            found[k] = min(found[k], time.perf_counter() - start)
    return sum(found) / len(found)


def figures() -> Iterator[Figure]:
    yield from fifteen_arguments()
    for n in (300, 1_000, 3_000):
        yield from some_arguments(n)
    yield from cycles()
    yield from deep(*chain(1_000_000), what="a chain of 1,000,000 arguments")
    yield from deep(*tree(100_000, 5_000), what="a random tree of 100,000 arguments and depth 5,000")


def fifteen_arguments() -> Iterator[Figure]:
    graphs = random_graphs()
    for graph in graphs[:50]:
        prepared = parents_and_order(*graph)
        assert abs(strengths(Qbaf(*graph), semantics="qe")[list(prepared[0])[-1]] - plain_loop(*prepared)) < 1e-12

    def ask(method: str) -> Callable[..., object]:
        return lambda scores, *edges: contrast(Qbaf(scores, *edges), *[*scores][:2], method=method, semantics="qe")

    loop = best_of_each(lambda *graph: plain_loop(*parents_and_order(*graph)), graphs)
    solve = best_of_each(lambda *graph: strengths(Qbaf(*graph), semantics="qe"), graphs)
    print(f"15 arguments; a plain Python loop over dicts takes {loop * 1e3:.3f} ms")
    yield f"  build and strengths: {solve / loop:.1f} loops, {solve * 1e3:.3f} ms (target ≤ 2)", solve / loop <= 2
    for method, most in (("gradient", 10), ("shapley", 27)):
        took = best_of_each(ask(method), graphs, 5)
        yield (
            f"  build and contrast by {method}: {took / loop:.0f} loops, {took * 1e3:.2f} ms (target ≤ {most})",
            took / loop <= most,
        )


def sparse(n: int, parents: int = 3) -> Lists:
    """Each argument has up to so many parents among those before it; names in random order."""
    rng = np.random.default_rng(0)
    names = [f"a{i}" for i in rng.permutation(n).tolist()]
    edges = {(names[s], names[t]) for t in range(1, n) for s in rng.integers(0, t, parents).tolist()}
    return _lists(sorted(names), rng, sorted(edges))


def some_arguments(n: int) -> Iterator[Figure]:
    graph = sparse(n)
    loop = best(lambda: plain_loop(*parents_and_order(*graph)), 15)
    once = best(lambda: strengths(Qbaf(*graph), semantics="qe"), 15)
    print(f"{n:,} arguments, three parents each; a plain Python loop over dicts takes {loop * 1e3:.2f} ms")
    yield f"  build and strengths: {once / loop:.2f} loops (target ≤ 1.5)", once / loop <= 1.5


def iterate(
    scores: dict[str, float], attacks: list[tuple[str, str]], supports: list[tuple[str, str]]
) -> dict[str, float]:
    """What one writes first for graphs with cycles: all arguments at once, until nothing moves by more than 1e-12."""
    attackers, supporters = ({name: [] for name in scores} for _ in range(2))
    for relation, parents in ((attacks, attackers), (supports, supporters)):
        for source, target in relation:
            parents[target].append(source)
    now, moved = dict(scores), 1.0
    while moved > 1e-12:
        then, now = now, {}
        for name, b in scores.items():
            energy = sum(then[x] for x in supporters[name]) - sum(then[x] for x in attackers[name])
            share = energy * energy / (1 + energy * energy)
            now[name] = b + (1 - b) * share if energy > 0 else b - b * share
        moved = max(abs(now[name] - then[name]) for name in now)
    return now


def cycles(count: int = 40, n: int = 15) -> Iterator[Figure]:
    rng, graphs = np.random.default_rng(0), []
    names = [f"a{i}" for i in range(n)]
    while len(graphs) < count:
        i, j = np.nonzero((rng.random((n, n)) < 0.12) & ~np.eye(n, dtype=bool))
        graph = _lists(names, rng, [(names[s], names[t]) for s, t in zip(i.tolist(), j.tolist(), strict=True)])
        try:
            found = strengths(Qbaf(*graph), semantics="qe")
        except UndefinedStrength:
            continue
        if found.solver != "one pass":
            assert max(abs(found[name] - each) for name, each in iterate(*graph).items()) < 1e-9
            graphs.append(graph)
    loop = best_of_each(iterate, graphs)
    ours = best_of_each(lambda *graph: strengths(Qbaf(*graph), semantics="qe"), graphs)
    print(f"15 arguments with cycles; a plain Python loop until nothing moves takes {loop * 1e3:.2f} ms")
    yield f"  build and strengths: {ours / loop:.1f} loops (target ≤ 5)", ours / loop <= 5


def deep(
    scores: dict[str, float], attacks: list[tuple[str, str]], supports: list[tuple[str, str]], *, what: str
) -> Iterator[Figure]:
    loop = best(lambda: plain_loop(*parents_and_order(scores, attacks, supports)), 3)
    both = best(lambda: strengths(Qbaf(scores, attacks, supports), semantics="qe"), 3)
    print(f"{what}; a plain Python loop over dicts takes {loop:.2f} s")
    yield f"  build and strengths: {both / loop:.2f} loops (target ≤ 1.2)", both / loop <= 1.2
