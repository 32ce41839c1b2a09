"""Small graphs, and deep ones: what one pays per question and per level, against a plain Python loop.

The yardstick is the loop of `engine`, from the same lists that a Qbaf is made from: parents in dictionaries, a
topological order, one argument after the other. Small graphs have 15 arguments and about 20 edges; 300 of them are
asked in turn, each a new graph of which nothing is known yet. Deep graphs are a chain and a random tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from qontrast import Qbaf, contrast, strengths

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


def figures() -> Iterator[Figure]:
    yield from fifteen_arguments()
    yield from deep(*chain(1_000_000), what="a chain of 1,000,000 arguments")
    yield from deep(*tree(100_000, 5_000), what="a random tree of 100,000 arguments and depth 5,000")


def fifteen_arguments() -> Iterator[Figure]:
    graphs = random_graphs()
    for graph in graphs[:50]:
        prepared = parents_and_order(*graph)
        assert abs(strengths(Qbaf(*graph), semantics="qe")[list(prepared[0])[-1]] - plain_loop(*prepared)) < 1e-12

    def ask(method: str) -> None:
        for scores, attacks, supports in graphs:
            fact, foil, *_ = scores
            contrast(Qbaf(scores, attacks, supports), fact, foil, method=method, semantics="qe")

    loop = best(lambda: [plain_loop(*parents_and_order(*graph)) for graph in graphs], 9) / len(graphs)
    solve = best(lambda: [strengths(Qbaf(*graph), semantics="qe") for graph in graphs], 9) / len(graphs)
    print(f"15 arguments; a plain Python loop over dicts takes {loop * 1e3:.3f} ms")
    yield f"  build and strengths: {solve / loop:.1f} loops, {solve * 1e3:.3f} ms (target ≤ 2)", solve / loop <= 2
    for method, most in (("gradient", 10), ("shapley", 27)):
        took = best(lambda method=method: ask(method), 5) / len(graphs)  # type: ignore[misc]
        yield (
            f"  build and contrast by {method}: {took / loop:.0f} loops, {took * 1e3:.2f} ms (target ≤ {most})",
            took / loop <= most,
        )


def deep(
    scores: dict[str, float], attacks: list[tuple[str, str]], supports: list[tuple[str, str]], *, what: str
) -> Iterator[Figure]:
    loop = best(lambda: plain_loop(*parents_and_order(scores, attacks, supports)), 3)
    both = best(lambda: strengths(Qbaf(scores, attacks, supports), semantics="qe"), 3)
    print(f"{what}; a plain Python loop over dicts takes {loop:.2f} s")
    yield f"  build and strengths: {both / loop:.2f} loops (target ≤ 1.2)", both / loop <= 1.2
