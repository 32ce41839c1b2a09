"""Goals: how fast a change is found and proved, and how far flips are from proved optima and from random search."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import numpy as np

from qontrast import Qbaf, UndefinedStrength, flip, reach, strengths
from qontrast.engine.problem import make_problem

from .engine import Figure

SEMANTICS = ("qe", "df-quad", "reb")


def figures() -> Iterator[Figure]:
    yield from speed()
    yield from proofs()
    yield from optima()
    yield from random_searches()


def make_layers(arguments: int, seed: int = 0, layers: int = 6) -> tuple[Qbaf, int, int]:
    """A layered graph in which the two topics have many parents, and the topics, the stronger first."""
    rng = np.random.default_rng(seed)
    layer = np.sort(rng.integers(0, layers, arguments))
    layer[-2:] = layers
    edges = []
    for target in range(arguments):
        before = np.flatnonzero(layer < layer[target])
        count = min(len(before), 3 if layer[target] < layers else max(3, arguments // 20))
        edges += [(source, target) for source in rng.choice(before, count, replace=False)] if count else []
    weights = rng.choice([-1, 1], len(edges)) * rng.uniform(0.1, 1, len(edges))
    qbaf = Qbaf.from_arrays(rng.random(arguments), *np.array(edges).T, weights)
    return qbaf, *sorted((arguments - 2, arguments - 1), key=lambda topic: -strengths(qbaf)[topic])


def make_small(seed: int, cyclic: bool = False, least: int = 4, most: int = 8) -> tuple[Qbaf, str, int, int]:
    """A graph of a few arguments, its semantics, and its first two arguments, the stronger first."""
    rng, semantics = np.random.default_rng(seed), SEMANTICS[seed % 3]
    size = int(rng.integers(least, most + 1))
    while True:
        there = rng.random((size, size)) < (0.3 if cyclic else 0.45)
        sources, targets = np.nonzero(there if cyclic else np.tril(there, -1))
        weights = rng.choice([0.4, 0.7, 1.0], len(sources)) * rng.choice([-1, 1], len(sources))
        qbaf = Qbaf.from_arrays(rng.random(size).round(3), sources, targets, weights)
        try:
            found = strengths(qbaf, semantics=semantics)
        except UndefinedStrength:
            continue
        if len(sources) and abs(found[0] - found[1]) > 0.02:
            return qbaf, semantics, *sorted((0, 1), key=lambda topic: -found[topic])


def speed() -> Iterator[Figure]:
    for arguments, target in ((225, 0.5), (2000, 5.0)):
        times = []
        for seed in range(3):
            qbaf, fact, foil = make_layers(arguments, seed)
            start = process_time()
            flip(qbaf, fact, foil)
            times.append(process_time() - start)
        line = f"flip of {arguments} arguments in layers: {max(times):.2f} s, the slowest of 3 (target {target} s)"
        yield line, max(times) < target


def proofs() -> Iterator[Figure]:
    for variables, target in ((6, 1.0), (10, 30.0)):
        times, proved = [], 0
        for seed in range(10):
            qbaf, semantics, fact, foil = make_small(seed, least=variables, most=variables)
            start = process_time()
            proved += reach(qbaf, f"{foil} >= {fact}", semantics=semantics, time_limit=target).proved
            times.append(process_time() - start)
        line = f"proofs with {variables} base scores to 0.001: {proved} of 10, {np.median(times):.2f} s in the median"
        yield f"{line}, {max(times):.2f} s at most (target: all in {target:g} s)", proved == 10 and max(times) < target


def optima(graphs: int = 200) -> Iterator[Figure]:
    """Flips against the proved optimum; where no flip was found, none shall exist."""
    worst, unproved, missed = 0.0, 0, 0
    for seed in range(graphs):
        qbaf, semantics, fact, foil = make_small(seed)
        found = flip(qbaf, fact, foil, semantics=semantics, move_topics=True, time_limit=None)
        tolerance = 1e-3 if found.cost is None else 0.004 * found.cost
        best = reach(qbaf, f"{foil} >= {fact}", semantics=semantics, margin=1e-6, tolerance=tolerance)
        unproved += not best.proved
        if found.cost is None:
            missed += best.possible is True
        elif best.proved:
            worst = max(worst, found.cost / best.lower - 1)
    line = f"flips of {graphs} graphs of 4 to 8 arguments: at most {worst:.2%} above the proved bound (target 1%), "
    yield f"{line}{missed} missed, {unproved} not proved", worst <= 0.01 and not missed


def random_searches(graphs: int = 60, points: int = 20_000) -> Iterator[Figure]:
    """Flips of cyclic graphs against random base scores."""
    worst, missed = 0.0, 0
    for seed in range(graphs):
        qbaf, semantics, fact, foil = make_small(seed, cyclic=True)
        found = flip(qbaf, fact, foil, semantics=semantics, move_topics=True, time_limit=None)
        cost = search_randomly(qbaf, semantics, fact, foil, points, np.random.default_rng(seed))
        if found.cost is None:
            missed += np.isfinite(cost)
        else:
            worst = max(worst, found.cost / cost - 1)
    line = f"flips of {graphs} cyclic graphs: random search is at most {max(0.0, worst):.2%} cheaper (target 1%)"
    yield f"{line}, and finds {missed} that flip does not", worst <= 0.01 and not missed


def search_randomly(qbaf: Qbaf, semantics: str, fact: int, foil: int, points: int, rng: np.random.Generator) -> float:
    """The least cost of random base scores that put the foil ahead: first anywhere, then near the best so far."""
    base, cost = qbaf.base_array, np.inf
    best, problem = base, make_problem(qbaf, semantics, max_steps=500)
    for spread in (1.0, 1.0, 0.3, 0.1, 0.03, 0.01):
        lanes = np.repeat(best[None], points // 6, axis=0)
        lanes += spread * rng.normal(size=lanes.shape) * (rng.random(lanes.shape) < 0.5)
        lanes += rng.random((len(lanes), 1)) * spread * (base - lanes)
        lanes = np.clip(np.where(rng.random(lanes.shape) < 0.3, base, lanes), 0, 1)
        found = problem.solve(base_scores=lanes).strengths  # NaN where undefined
        good = lanes[found[:, foil] - found[:, fact] >= 1e-6]
        costs = np.abs(good - base).sum(axis=1)
        if len(costs) and costs.min() < cost:
            best, cost = good[costs.argmin()], float(costs.min())
    return cost


if __name__ == "__main__":
    for text, met in figures():
        print(text, "ok" if met else "MISSED")
