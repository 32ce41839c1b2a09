"""The engine on random acyclic graphs of in-degree 3, under qe, against things that every reader can picture.

The yardsticks: a plain Python loop over dictionaries, from the same lists of edges that a Qbaf is made from, and one
sparse matrix–vector product of the same graph. The loop's last part alone, with parents and order known, is told too.
Every time is the best of several, and no solution is kept from one run to the next.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse import coo_array

from qontrast import Qbaf, solve_lanes, strengths

Figure = tuple[str, bool]
Edges = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # base scores, sources, targets, signed weights


def best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest run."""
    found = float("inf")
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        work()
        found = min(found, time.perf_counter() - start)
    return found


def solved_anew(q: Qbaf) -> None:
    """Solve the compiled graph; `strengths` would remember the last solution."""
    solve_lanes(q, base_scores=q.base_array, semantics="qe")


def random_dag(n: int, seed: int = 0, degree: int = 3) -> Edges:
    """Argument i has `degree` different parents among those before it (all of them, for the first few)."""
    rng = np.random.default_rng(seed)
    targets = np.repeat(np.arange(n), degree)
    sources = (rng.random(len(targets)) * targets).astype(np.int64)
    while len(again := _repeated(sources.reshape(n, degree), degree)):
        sources[again] = (rng.random(len(again)) * targets[again]).astype(np.int64)
    real = targets >= degree
    return rng.random(n), sources[real], targets[real], rng.choice([-1.0, 1.0], int(real.sum()))


def _repeated(sources: np.ndarray, degree: int) -> np.ndarray:
    """Where a parent repeats an earlier one of the same argument."""
    same = np.zeros(sources.shape, bool)
    for k in range(1, degree):
        same[degree:, k] = (sources[degree:, :k] == sources[degree:, k : k + 1]).any(axis=1)
    return np.flatnonzero(same)


def plain_loop(base: dict[str, float], attackers: dict[str, list[str]], supporters: dict[str, list[str]]) -> float:
    """What one writes first: arguments in topological order, parents in dictionaries."""
    strength: dict[str, float] = {}
    for name, b in base.items():
        energy = sum(strength[x] for x in supporters[name]) - sum(strength[x] for x in attackers[name])
        share = energy * energy / (1 + energy * energy)
        strength[name] = b + (1 - b) * share if energy > 0 else b - b * share
    return strength[name]


def parents_and_order(
    scores: dict[str, float], attacks: list[tuple[str, str]], supports: list[tuple[str, str]]
) -> tuple[dict[str, float], dict[str, list[str]], dict[str, list[str]]]:
    """What the loop needs, from the lists that a Qbaf is made from: base scores in topological order, parents."""
    attackers, supporters, children = ({name: [] for name in scores} for _ in range(3))
    for relation, parents in ((attacks, attackers), (supports, supporters)):
        for source, target in relation:
            parents[target].append(source)
            children[source].append(target)
    waiting = {name: len(attackers[name]) + len(supporters[name]) for name in scores}
    order = [name for name in scores if not waiting[name]]
    for name in order:  # which grows on the way
        for child in children[name]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    return {name: scores[name] for name in order}, attackers, supporters


def figures() -> Iterator[Figure]:
    yield from against_a_loop()
    yield from against_a_product()
    yield from many_lanes()


def against_a_loop(n: int = 100_000) -> Iterator[Figure]:
    base, sources, targets, weights = random_dag(n)
    names = [f"a{i}" for i in range(n)]
    scores = dict(zip(names, base.tolist(), strict=True))
    edges = [(names[i], names[j]) for i, j in zip(sources.tolist(), targets.tolist(), strict=True)]
    attacks = [edge for edge, w in zip(edges, weights, strict=True) if w < 0]
    supports = [edge for edge, w in zip(edges, weights, strict=True) if w > 0]
    prepared = parents_and_order(scores, attacks, supports)
    loop = best(lambda: plain_loop(*prepared))
    whole = best(lambda: plain_loop(*parents_and_order(scores, attacks, supports)))
    q = Qbaf(scores, attacks, supports)
    last = list(prepared[0])[-1]
    assert abs(strengths(q, semantics="qe")[last] - plain_loop(*prepared)) < 1e-12
    solve = best(lambda: solved_anew(q), 15)
    both = best(lambda: strengths(Qbaf(scores, attacks, supports), semantics="qe"))
    print(f"{n:,} arguments, {len(weights):,} edges; a plain Python loop over dicts takes {whole * 1e3:.0f} ms,")
    print(f"  of which {loop * 1e3:.0f} ms ({loop / solve:.0f} solves) once parents and order are known")
    yield f"  solve: {whole / solve:.0f} times faster than the loop (target ≥ 100)", whole / solve >= 100
    yield (
        f"  build from dicts and lists, compile, solve: {whole / both:.1f} times faster (target ≥ 3)",
        whole / both >= 3,
    )


def against_a_product(n: int = 1_000_000) -> Iterator[Figure]:
    base, sources, targets, weights = random_dag(n)
    matrix = coo_array((weights, (targets, sources)), shape=(n, n)).tocsr()
    product = best(lambda: matrix @ base, 9)
    q = Qbaf.from_arrays(base, sources, targets, weights)

    def compile_again() -> None:
        Qbaf.from_arrays(base, sources, targets, weights).structure.arrays  # noqa: B018 — made when it is asked for

    compile_time = best(compile_again, 4)
    one_pass = best(lambda: solved_anew(q), 7)
    print(f"{n:,} arguments, {len(weights):,} edges, from arrays; a sparse product takes {product * 1e3:.1f} ms")
    yield f"  compile: {compile_time / product:.1f} products (target ≤ 20)", compile_time / product <= 20
    yield f"  one pass: {one_pass / product:.1f} products (target ≤ 6)", one_pass / product <= 6
    tracemalloc.start()
    strengths(Qbaf.from_arrays(base, sources, targets, weights), semantics="qe")
    peak = tracemalloc.get_traced_memory()[1] / len(weights)
    tracemalloc.stop()
    what = "peak of build + compile + solve, the given arrays not counted"
    yield f"  memory: {peak:.0f} bytes per edge, {what} (target < 120)", peak < 120


def many_lanes(n: int = 100, lanes: int = 10_000) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))
    base = np.random.default_rng(1).random((lanes, n))
    some = base[:500]
    together = best(lambda: solve_lanes(q, base_scores=base, semantics="qe"))
    single = best(lambda: [solve_lanes(q, base_scores=row, semantics="qe") for row in some], 3) * lanes / len(some)
    print(f"{lanes:,} lanes of {n} arguments; as single solves {single:.1f} s (from {len(some)} of them)")
    yield f"  together: {100 * together / single:.2f} % of the single solves (target < 2 %)", together / single < 0.02
