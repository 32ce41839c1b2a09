"""What a GPU gives: `python -m benchmarks.gpu` compares its numbers with those of the CPU, then takes times.

Every time is taken warm (kernels are compiled, memory is reserved) and ends when the numbers are back on the CPU; it is
the best of several, of the longest runs of one. It needs CuPy and a GPU, and is not part of `make bench`. Numbers after
the command are the players of the exact Shapley values to time: `python -m benchmarks.gpu 30 36`.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from qontrast import (
    Audit,
    Qbaf,
    Sampled,
    Shapley,
    attribute,
    audit,
    change,
    contributions,
    interactions,
    solve_lanes,
)
from qontrast.attribution.shapley.game import Game
from qontrast.engine.backend import find_backend
from qontrast.engine.problem import make_problem
from qontrast.networks import from_arrays

from .attribution import dag
from .engine import Figure, random_dag

PLAYERS = (24, 28, 30, 34, 36, 40)
LIMITS = {30: 0.03, 36: 1.5, 40: 30.0}  # seconds, by the number of players
TOLERANCE = 1e-12
CYCLIC_PLAYERS, LANES, COALITIONS, SIZE, INSTANCES = 24, 100_000, 1_000_000, 1_000, 1_000_000


def take_time(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Seconds of the fastest run, and what it gave; one more run goes before."""
    found = work()
    best = float("inf")
    for _ in range(times):
        del found
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
        if best > 5:
            break
    return best, found


def compare(name: str, one: np.ndarray, other: np.ndarray) -> Figure:
    """How far the numbers of the GPU are from those of the CPU."""
    gap = float(np.nanmax(np.abs(one - other)))
    return f"{name}: the GPU is within {gap:.1e} of the CPU (at most {TOLERANCE:.0e})", gap <= TOLERANCE


def limit(name: str, seconds: float, most: float | None) -> Figure:
    shown = f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
    return f"{name}: {shown}" + ("" if most is None else f" (at most {most:g} s)"), most is None or seconds <= most


def cyclic(players: int, seed: int = 0) -> Qbaf:
    """The topic is the last argument; every other one reaches it, and all of them are in one cycle."""
    rng = np.random.default_rng(seed)
    edges = {(i, (i + 1) % players) for i in range(players)}
    edges |= {(int(i), int(j)) for i, j in rng.integers(players, size=(players, 2)) if i != j}
    edges |= {(int(i), players) for i in rng.choice(players, 5, replace=False)}
    sources, targets = zip(*sorted(edges), strict=True)
    weights = rng.choice([-1.0, 1.0], len(edges)) * rng.uniform(0.2, 0.6, len(edges))
    return Qbaf.from_arrays(rng.random(players + 1), sources, targets, weights)


def exact_shapley(sizes: tuple[int, ...]) -> Iterator[Figure]:
    method = Shapley(max_evaluations=1 << 41)
    for semantics in ("qe", "df-quad", "reb"):
        q = dag(17)
        one, two = (attribute(q, 17, method=method, semantics=semantics, device=each) for each in ("cuda", "cpu"))
        yield compare(f"exact Shapley over 17 players, {semantics}", one.array, two.array)
    q = dag(22)
    one, two = (attribute(q, 22, method=method, semantics="qe", device=each) for each in ("cuda", "cpu"))
    yield compare("exact Shapley over 22 players, qe", one.array, two.array)
    for n in sizes:
        q = dag(n)
        if n <= 36:
            seconds, _ = take_time(lambda q=q, n=n: attribute(q, n, method=method, semantics="qe", device="cuda"))
        else:
            start = time.perf_counter()
            attribute(q, n, method=method, semantics="qe", device="cuda")
            seconds = time.perf_counter() - start
        yield limit(f"exact Shapley over {n} players of an acyclic graph", seconds, LIMITS.get(n))


def cycles() -> Iterator[Figure]:
    for semantics in ("qe", "df-quad"):
        q = cyclic(12)
        one, two = (attribute(q, 12, semantics=semantics, device=each) for each in ("cuda", "cpu"))
        yield compare(f"exact Shapley over 12 players in a cycle, {semantics}", one.array, two.array)
    q = cyclic(CYCLIC_PLAYERS)
    seconds, found = take_time(lambda: attribute(q, CYCLIC_PLAYERS, semantics="qe", device="cuda"))
    yield limit(f"exact Shapley over {CYCLIC_PLAYERS} players in a cycle ({found.how})", seconds, 1.0)


def thousand() -> Qbaf:
    base, sources, targets, weights = random_dag(SIZE)
    return Qbaf.from_arrays(base, sources, targets, weights)


def draw(rows: int, columns: int) -> np.ndarray:
    """Random coalitions."""
    bits = np.random.default_rng(0).integers(256, size=(rows, -(-columns // 8)), dtype=np.uint8)
    return np.unpackbits(bits, axis=1, count=columns).view(bool)


def coalitions() -> Iterator[Figure]:
    q, topic = dag(SIZE - 1), SIZE - 1
    game = Game(make_problem(q, "qe", device="cuda"), topic)
    plain = Game(make_problem(q, "qe"), topic)
    some = draw(COALITIONS, len(game.players))
    yield compare("2,000 coalitions", game.values(some[:2000]), plain.values(some[:2000]))
    seconds, _ = take_time(lambda: game.values(some))
    name = f"values of {COALITIONS:,} random coalitions of {len(game.players)} players"
    yield limit(name, seconds, 1.0)
    budget = 20_000
    seconds, found = take_time(
        lambda: attribute(
            q, topic, method=Sampled(budget=budget, sampler="permutations"), semantics="qe", device="cuda"
        )
    )
    yield limit(f"sampled Shapley values of them ({found.how})", seconds, None)


def lanes() -> Iterator[Figure]:
    q = thousand()
    asked = {
        "presence": {"present": draw(LANES, SIZE)},
        "base scores": {"base_scores": np.random.default_rng(1).random((LANES, SIZE))},
    }
    for name, given in asked.items():
        start = time.perf_counter()
        expected = solve_lanes(q, semantics="qe", **given)
        slow = time.perf_counter() - start
        fast, found = take_time(lambda given=given: solve_lanes(q, semantics="qe", device="cuda", **given))
        yield compare(f"{LANES:,} lanes that differ in {name}", found, expected)
        line = f"solve_lanes of {LANES:,} lanes of {SIZE:,} arguments that differ in {name}: {fast * 1e3:.0f} ms"
        yield f"{line}, {slow / fast:.0f} × the CPU's {slow:.2f} s (at least 20 ×)", slow / fast >= 20


def list_means(found: Audit) -> np.ndarray:
    """Every mean of the table of an audit."""
    each = [measure for features in found.table.values() for measure in features.values()]
    parts = ("individual_rank", "contrastive_rank", "individual", "contrastive")
    return np.array([getattr(measure, part).mean for measure in each for part in parts])


def audits() -> Iterator[Figure]:
    rng = np.random.default_rng(0)
    weights, biases = [rng.normal(size=(8, 16)), rng.normal(size=(16, 3))], [rng.normal(size=16), rng.normal(size=3)]
    network = from_arrays(weights, biases, classes=["high", "medium", "low"])
    x = rng.random((INSTANCES, 8))
    x[:, 7] = x[:, 7] > 0.5
    counts = np.bincount(network.predict(x[:10_000]), minlength=3)
    fact, foil = (network.classes[k] for k in np.argsort(-counts)[:2])
    one, two = (audit(network, x[:20_000], fact, foil, protected="x7", device=each) for each in ("cuda", "cpu"))
    assert one.instances == two.instances
    yield compare("an audit of 20,000 instances", list_means(one), list_means(two))
    seconds, found = take_time(lambda: audit(network, x, fact, foil, protected="x7", device="cuda"))
    name = f"an audit of {INSTANCES:,} instances of an 8–16–3 network, {found.flips:,} of which flip"
    yield limit(name, seconds, 0.1)


def gradients() -> Iterator[Figure]:
    q, topics = thousand(), list(range(SIZE - 200, SIZE))
    for semantics in ("qe", "df-quad", "reb"):
        one, two = (
            contributions(q, topics, method="gradient", semantics=semantics, device=each) for each in ("cuda", "cpu")
        )
        yield compare(f"gradients of 200 topics among {SIZE:,} arguments, {semantics}", one.values, two.values)
    ring = cyclic(CYCLIC_PLAYERS)
    one, two = (attribute(ring, CYCLIC_PLAYERS, method="gradient", device=each) for each in ("cuda", "cpu"))
    yield compare("the gradient of a graph with a cycle", one.array, two.array)
    for size, count in ((10_000, 500), (1_000_000, 1), (1_000_000, 8)):
        base, *edges = random_dag(size)
        q, topics = Qbaf.from_arrays(base, *edges), list(range(size - count, size))

        def ask(device: str, q: Qbaf = q, topics: list[int] = topics) -> Any:
            return contributions(q, topics, method="gradient", semantics="qe", device=device)

        slow, expected = take_time(lambda ask=ask: ask("cpu"), 1)
        fast, found = take_time(lambda ask=ask: ask("cuda"))
        what = f"the gradient{'s' * (count > 1)} of {count:,} topic{'s' * (count > 1)} among {size:,} arguments"
        yield compare(what, found.values, expected.values)
        shown = f"{fast * 1e3:.1f} ms, {slow / fast:.1f} × the CPU's {slow:.2f} s"
        yield f"{what}: {shown}; strengths, which are known here, are computed on the CPU", True


def pairs_and_changes() -> Iterator[Figure]:
    q, ring = dag(18), cyclic(CYCLIC_PLAYERS)
    later = ring.with_base_scores(dict.fromkeys(range(16), 0.5))
    asked = {
        "interactions of 18 players": lambda device: interactions(q, 18, semantics="qe", device=device).matrix,
        "a change of 16 base scores in a graph with a cycle": lambda device: np.array(
            list(change(ring, later, CYCLIC_PLAYERS, semantics="qe", device=device).values())
        ),
    }
    for what, ask in asked.items():
        slow, expected = take_time(lambda ask=ask: ask("cpu"), 1)
        fast, found = take_time(lambda ask=ask: ask("cuda"))
        yield compare(what, found, expected)
        yield f"{what}: {fast * 1e3:.1f} ms, {slow / fast:.1f} × the CPU's {slow:.2f} s", True
    q = dag(28)
    seconds, _ = take_time(lambda: interactions(q, 28, semantics="qe", max_evaluations=1 << 30, device="cuda"))
    yield limit("interactions of 28 players", seconds, None)


def figures(sizes: tuple[int, ...] = PLAYERS) -> Iterator[Figure]:
    yield from exact_shapley(sizes)
    yield from cycles()
    yield from coalitions()
    yield from lanes()
    yield from audits()
    yield from gradients()
    yield from pairs_and_changes()


def main(given: list[str]) -> int:
    arrays = find_backend("cuda").arrays
    card = arrays.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(
        f"{card}; CuPy {arrays.__version__}; Python {platform.python_version()}; NumPy {np.__version__}; "
        f"{os.cpu_count()} CPU cores",
        flush=True,
    )
    missed = 0
    for line, met in figures(tuple(map(int, given)) or PLAYERS):
        print(f"{line}  {'ok' if met else 'MISSED'}", flush=True)
        missed += not met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
