"""Attributions against things that every reader can picture, on seeded random graphs.

The yardsticks: a plain enumeration with a Python loop, one `np.exp` of as many numbers as there are coalitions, one
pass of `strengths`, separate restrictions, one Φ, and LeverageSHAP at equal evaluations. Times are the best of several.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import comb

import numpy as np

from qontrast import Qbaf, UndefinedStrength, all_pairs, attribute, contributions, strengths
from qontrast.attribution.shapley.game import Game
from qontrast.engine.problem import make_problem

from .engine import Figure, best, random_dag, solved_anew

Values = Callable[[np.ndarray], np.ndarray]  # coalitions (rows of booleans) → v


def figures() -> Iterator[Figure]:
    yield from exact_shapley()
    yield from trees()
    yield from gradients()
    yield from removals()
    yield from pairs()
    yield from sampled()


def dag(players: int, seed: int = 0, parents: int = 4, degree: int = 3) -> Qbaf:
    """The topic is the last argument and has `parents` parents; every other argument reaches it.

    Argument i has `degree` parents among those before it; one that would be left without a child replaces a parent
    of a later argument.
    """
    rng = np.random.default_rng(seed)
    chosen = {i: rng.choice(i, min(i, degree), replace=False).tolist() for i in range(1, players)}
    chosen[players] = list(range(players - parents, players))
    for lone in range(players - parents):
        if not any(lone in each for each in chosen.values()):
            later = int(rng.integers(max(lone + 1, degree + 1), players))
            used = [x for x in chosen[later] if sum(x in each for each in chosen.values()) > 1]
            if lone not in chosen[later] and used:
                chosen[later][chosen[later].index(used[0])] = lone
            else:
                chosen[later].append(lone)
    edges = sorted((int(x), i) for i, each in chosen.items() for x in each)
    sources, targets = zip(*edges, strict=True)
    return Qbaf.from_arrays(rng.random(players + 1), sources, targets, rng.choice([-1.0, 1.0], len(edges)))


def enumeration(q: Qbaf, topic: int) -> dict[int, float]:
    """What one writes first: every coalition solved by a loop over dictionaries, then Definition 6."""
    base = q.base_scores
    parents: dict[int, list[tuple[int, float]]] = {name: [] for name in q}
    for s, t, w in zip(q.sources.tolist(), q.targets.tolist(), q.weights.tolist(), strict=True):
        parents[t].append((s, w))
    players = [name for name in q if name != topic]
    n, value = len(players), {}
    for mask in range(1 << n):
        there = {x for k, x in enumerate(players) if mask >> k & 1} | {topic}
        strength: dict[int, float] = {}
        for name in q:  # in topological order
            if name in there:
                energy = sum(w * strength[x] for x, w in parents[name] if x in there)
                share = energy * energy / (1 + energy * energy)
                b = base[name]
                strength[name] = b + (1 - b) * share if energy > 0 else b - b * share
        value[mask] = strength[topic]
    phi = dict.fromkeys(players, 0.0)
    weight = [1 / (n * comb(n - 1, size)) for size in range(n)]
    for mask, v in value.items():
        for k, x in enumerate(players):
            if not mask >> k & 1:
                phi[x] += weight[mask.bit_count()] * (value[mask | 1 << k] - v)
    return phi


def exact_shapley() -> Iterator[Figure]:
    q = dag(14)
    plain, found = enumeration(q, 14), attribute(q, 14, semantics="qe")
    assert max(abs(plain[x] - found[x]) for x in plain) < 1e-12
    slow, fast = best(lambda: enumeration(q, 14), 3), best(lambda: attribute(q, 14, semantics="qe"), 50)
    print(f"exact Shapley over random acyclic graphs; 14 players by plain enumeration take {slow:.2f} s")
    yield f"  14 players: {slow / fast:,.0f} times faster than the enumeration (target ≥ 1,000)", slow / fast >= 1000
    for players, most in ((20, 12), (24, 8)):
        numbers = np.random.default_rng(0).random(1 << players)
        yardstick = best(lambda numbers=numbers: np.exp(numbers), 7)
        del numbers
        q = dag(players)
        ratio = best(lambda q=q, n=players: attribute(q, n, semantics="qe"), 5) / yardstick
        yield f"  {players} players: {ratio:.1f} np.exp of 2^{players} numbers (target ≤ {most})", ratio <= most
    tracemalloc.start()
    attribute(q, 24, semantics="qe")
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    yield f"  24 players: {peak:.0f} MiB at the peak (target ≤ 1,024)", peak <= 1024
    q = dag(28)
    seconds = best(lambda: attribute(q, 28, semantics="qe"), 1)
    yield f"  28 players: {seconds:.1f} s (target ≤ 30)", seconds <= 30


def trees() -> Iterator[Figure]:
    def tree(players: int, seed: int) -> Qbaf:
        """Every argument hangs on one of the four before it."""
        rng = np.random.default_rng(seed)
        hung = [int(rng.integers(max(0, i - 4), i)) for i in range(1, players + 1)]
        return Qbaf.from_arrays(rng.random(players + 1), range(1, players + 1), hung, rng.choice([-1.0, 1.0], players))

    def branches(count: int, length: int) -> Qbaf:
        rng, n = np.random.default_rng(0), count * length
        targets = [0 if k % length == 0 else k for k in range(n)]
        return Qbaf.from_arrays(rng.random(n + 1), np.arange(1, n + 1), targets, rng.choice([-1.0, 1.0], n))

    print("exact Shapley over connected sets")
    for what, q, most in (("a tree of 40 players", tree(40, 4), 10), ("four branches of 25", branches(4, 25), 20)):
        found = []
        seconds = best(lambda q=q, found=found: found.append(attribute(q, 0, semantics="qe")), 1)
        yield f"  {what}: {found[0].evaluations:,} sets in {seconds:.1f} s (target ≤ {most} s)", seconds <= most


def gradients(n: int = 1_000_000) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))
    one_pass = best(lambda: solved_anew(q), 7)
    # the strengths that a gradient needs are solved anew each time, and counted
    ratio = best(lambda: (solved_anew(q), attribute(q, n - 1, method="gradient", semantics="qe")), 7) / one_pass
    print(f"gradient of one topic by all of {n:,} arguments; one pass of strengths takes {one_pass * 1e3:.0f} ms")
    yield f"  {ratio:.1f} passes (target ≤ 4)", ratio <= 4


def removals(n: int = 1000) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))
    separate = best(lambda: [strengths(q.without(x), semantics="qe") for x in range(100)], 3) * n / 100
    ratio = separate / best(lambda: contributions(q, range(n), method="removal", semantics="qe"), 5)
    print(f"removal of each of {n:,} arguments, for all topics; as separate restrictions {separate:.1f} s (from 100)")
    yield f"  {ratio:.0f} times faster (target ≥ 20)", ratio >= 20


def pairs(n: int = 1000, topics: int = 100) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))
    asked = list(range(n - topics, n))
    print(f"all pairs of {topics} topics among {n:,} arguments, gaps and one contrast included")
    for method in ("removal", "gradient"):

        def all_of_them(method: str = method) -> None:
            made = all_pairs(q, asked, method=method, semantics="qe")
            assert made.gaps.shape == (topics, topics)
            made[n - 1, n - 2]

        ratio = best(all_of_them, 7) / best(
            lambda method=method: contributions(q, asked, method=method, semantics="qe"), 7
        )
        yield f"  {method}: {ratio:.2f} of what Φ costs (target ≤ 1.3)", ratio <= 1.3


# -- sampled: the error at equal evaluations ----------------------------------------------------------------------


def leverage_shap(v: Values, n: int, budget: int, rng: np.random.Generator) -> np.ndarray:
    """Kernel regression on single players, from pairs of coalitions of uniform size without repeats (their leverage);
    v(∅) and v(N) are constraints (Musco and Witter, ICLR 2025)."""
    drawn: dict[bytes, np.ndarray] = {}
    while len(drawn) < budget - 2:
        size = int(rng.integers(1, n))
        some = np.zeros(n, bool)
        some[rng.permutation(n)[:size]] = True
        for each in (some, ~some):
            drawn.setdefault(each.tobytes(), each)
        if len(drawn) >= 2**n - 2:
            break
    rows = np.array(list(drawn.values()))[: budget - 2]
    empty, full = v(np.array([[False] * n, [True] * n]))
    size = rows.sum(axis=1)
    root = np.sqrt(1 / (size * (n - size)))[:, None]  # the Shapley kernel over the chance to be drawn
    # φ = (v(N) − v(∅))/n + what is orthogonal to the ones
    y = (v(rows) - empty - size * (full - empty) / n)[:, None] * root
    x = (rows - size[:, None] / n) * root
    return np.linalg.lstsq(x, y, rcond=None)[0][:, 0] + (full - empty) / n


def kinds(seed: int) -> Iterator[tuple[str, Qbaf, int, str]]:
    """The four kinds of graph: layered DF-QuAD of 16, acyclic QE of 20, tree DF-QuAD of 20, cyclic QE of 14 players."""
    rng = np.random.default_rng(seed)

    def graph(n: int, edges: set[tuple[int, int]]) -> Qbaf:
        sources, targets = zip(*sorted(edges), strict=True)
        return Qbaf.from_arrays(rng.random(n), sources, targets, rng.choice([-1.0, 1.0], len(edges)))

    layers = [list(range(5)), list(range(5, 11)), list(range(11, 16)), [16]]
    layered = {(a, b) for one, two in pairwise(layers) for a in one for b in two if rng.random() < 0.6}
    layered |= {(a, int(rng.choice(two))) for one, two in pairwise(layers) for a in one}
    yield "layered df-quad, 16", graph(17, layered), 16, "df-quad"
    yield "acyclic qe, 20", dag(20, seed), 20, "qe"
    yield "tree df-quad, 20", graph(21, {(i, int(rng.integers(0, i))) for i in range(1, 21)}), 0, "df-quad"
    yield "cyclic qe, 14", *cyclic(rng)


def cyclic(rng: np.random.Generator, n: int = 15) -> tuple[Qbaf, int, str]:
    """A ring with chords, all weights 1; drawn again until every coalition has a value."""
    while True:
        edges = {(i, (i + 1) % n) for i in range(n)} | {
            tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(n)
        }
        sources, targets = zip(*sorted(edges), strict=True)
        q = Qbaf.from_arrays(rng.random(n), sources, targets, rng.choice([-1.0, 1.0], len(edges)))
        try:
            attribute(q, 0, method="shapley", semantics="qe")
        except UndefinedStrength:
            continue
        return q, 0, "qe"


def sampled(graphs: int = 3, seeds: int = 3) -> Iterator[Figure]:
    budgets = (500, 1000, 2000)
    logs: dict[int, dict[str, list[float]]] = {budget: {} for budget in budgets}
    for number in range(graphs):
        for kind, q, topic, semantics in kinds(number):
            exact = attribute(q, topic, method="shapley", semantics=semantics)
            game = Game(make_problem(q, semantics), topic)
            truth = exact.array[game.players]
            for budget in budgets:
                ours, theirs = [], []
                for seed in range(seeds):
                    found = attribute(q, topic, method="sampled", semantics=semantics, budget=budget, seed=seed).array[
                        game.players
                    ]
                    other = leverage_shap(game.values, len(truth), budget, np.random.default_rng(seed))
                    ours.append(np.square(found - truth).mean())
                    theirs.append(np.square(other - truth).mean())
                logs[budget].setdefault(kind, []).append(np.log(np.mean(ours) / np.mean(theirs)))
    print("sampled Shapley: mean squared error over LeverageSHAP's at equal evaluations, geometric mean over graphs")
    for budget, by_kind in logs.items():
        mean = float(np.exp(np.mean([np.mean(each) for each in by_kind.values()])))
        parts = ", ".join(f"{kind}: {np.exp(np.mean(each)):.2g}" for kind, each in by_kind.items())
        yield f"  {budget:,} evaluations: {mean:.3f} ({parts}) (target ≤ 0.2)", mean <= 0.2
