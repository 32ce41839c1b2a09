"""Questions that users waited for, as multiples of what they cannot do without.

The yardsticks: one pass of strengths of the same compiled graph, exact values of the same game, one fit with the
largest basis, and the exact count of connected sets. Times are the best of several.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from qontrast import Qbaf, TooLarge, all_pairs, attribute, paths
from qontrast.attribution.shapley import regression
from qontrast.attribution.shapley.coalitions import estimate_connected_sets, find_connected_sets
from qontrast.attribution.shapley.game import Game
from qontrast.engine.problem import make_problem

from .attribution import cyclic, dag
from .engine import Figure, best, random_dag, solved_anew


def figures() -> Iterator[Figure]:
    yield from removals()
    yield from samples()
    yield from counts()
    yield from strongest_paths()


def make_star(n: int) -> Qbaf:
    rng = np.random.default_rng(0)
    return Qbaf.from_arrays(rng.random(n + 1), np.arange(1, n + 1), np.zeros(n, int), np.full(n, -1 / n))


def removals(n: int = 100_000) -> Iterator[Figure]:
    q, star = Qbaf.from_arrays(*random_dag(n)), make_star(1_000_000)
    chosen = np.random.default_rng(1).integers(n // 2, n, 50).tolist()
    topic = max(chosen, key=lambda place: int(q.structure.ancestors([place]).sum()))
    ancestors = int(q.structure.ancestors([topic]).sum())
    print(f"removal of each of {ancestors:,} ancestors among {n:,} arguments, and of 1,000,000 attackers of one topic")
    ratio = best(lambda: attribute(q, topic, method="removal", semantics="qe"), 2) / best(lambda: solved_anew(q), 5)
    yield f"  ancestors: {ratio:.0f} passes of strengths (target ≤ 250; each lane whole: {ancestors:,})", ratio <= 250
    ratio = best(lambda: attribute(star, 0, method="removal", semantics="qe"), 2) / best(lambda: solved_anew(star), 5)
    yield f"  star: {ratio:.0f} passes of strengths (target ≤ 400; each lane whole: 1,000,000)", ratio <= 400


def samples() -> Iterator[Figure]:
    print("sampled Shapley values")
    q, _, _ = cyclic(np.random.default_rng(3), 14)
    topics = list(range(10))
    sampled = best(lambda: all_pairs(q, topics, method="sampled", semantics="qe"), 3)
    ratio = sampled / best(lambda: all_pairs(q, topics, method="shapley", semantics="qe"), 3)
    yield (
        f"  all pairs of 10 topics of 14 cyclic arguments: {ratio:.1f} times exact values (target ≤ 1.5)",
        ratio <= 1.5,
    )
    game = Game(make_problem(dag(24), "qe"), 24)
    rows = regression.draw(np.random.default_rng(0), 11_000, 24)
    values = rows.mean(axis=1) ** 2
    large, usual = (regression.choose_basis(game.graph, 10_000, each) for each in (0, len(rows)))
    times = [best(lambda made=made: regression.fit(made, rows, values, 0.0, 1.0, 50), 2) for made in (usual, large)]
    ratio = times[0] / times[1]
    yield f"  budget of 10,000: {ratio:.2f} of a fit with {len(large.sets):,} sets (target ≤ 0.35)", ratio <= 0.35
    star, refused = make_star(1_000_000), False
    try:
        attribute(star, 0, method="sampled", semantics="qe")
    except TooLarge:
        refused = True
    yield f"  a star of 1,000,000 attackers: {'refused' if refused else 'not refused'} (target: refused)", refused


def counts() -> Iterator[Figure]:
    graph = Game(make_problem(dag(30), "qe"), 30).graph
    counted = sum(len(members) for members, _ in find_connected_sets(graph))
    slow = best(lambda: sum(len(members) for members, _ in find_connected_sets(graph)), 2)
    ratio = best(lambda: estimate_connected_sets(graph), 3) / slow
    off = abs(estimate_connected_sets(graph)[0] / counted - 1)
    print(f"the number of connected sets of 30 players, {counted:,}")
    yield f"  estimated in {ratio:.3f} of the time of counting (target ≤ 0.2)", ratio <= 0.2
    yield f"  {100 * off:.1f} % off (target ≤ 5)", off <= 0.05


def strongest_paths(n: int = 1_000_000) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))
    one_pass = best(lambda: solved_anew(q), 5)
    start = int(np.flatnonzero(q.structure.ancestors([n - 1]))[5])
    ratio = best(lambda: paths(q, start, n - 1, semantics="qe"), 3) / one_pass
    print(f"the 20 strongest paths between two of {n:,} arguments; one pass of strengths takes {one_pass * 1e3:.0f} ms")
    yield f"  {ratio:.1f} passes (target ≤ 8)", ratio <= 8
