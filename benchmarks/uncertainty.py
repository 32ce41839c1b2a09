"""Uncertain base scores: how long an answer takes, by draws and by the delta method.

The plain loop draws base scores, makes a graph of them and asks for its strengths, once for each lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from qontrast import Qbaf, examples, strengths, uncertainty

from .engine import Figure, best, random_dag

LOOPED_LANES = 200


def figures() -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(30))
    yield from measure("acyclic, 30 arguments, 81 edges", q, (28, 29), 1.0)
    yield from measure(
        "healthcare, cyclic, 11 arguments", examples.load("healthcare"), ("antiviral", "antibiotic"), 2.0
    )


def measure(name: str, q: Qbaf, pair: tuple[str | int, str | int], target: float) -> Iterator[Figure]:
    """Measure draws against their target and a plain loop, and the delta method against draws."""
    scores = {x: (max(0.0, b - 0.2), min(1.0, b + 0.2)) for x, b in q.base_scores.items()}
    found = uncertainty(q, *pair, scores=scores)
    drawn = best(lambda: uncertainty(q, *pair, scores=scores), 3)
    quick = best(lambda: uncertainty(q, *pair, scores=scores, quick=True), 5)
    plain = loop(q, scores) * found.evaluations
    print(f"uncertainty of all base scores ({name}): {found.evaluations:,} lanes; a plain loop takes {plain:.0f} s")
    yield f"  by draws {drawn:.2f} s (target < {target:g} s)", drawn < target
    yield f"  {plain / drawn:,.0f} times as fast as a plain loop (target 20)", plain / drawn >= 20
    yield f"  by the delta method {quick * 1e3:.1f} ms (target < 50 ms)", quick < 0.05


def loop(q: Qbaf, scores: dict[str | int, tuple[float, float]]) -> float:
    """Return the seconds that one lane takes in a plain loop."""
    rng, began = np.random.default_rng(0), perf_counter()
    for _ in range(LOOPED_LANES):
        strengths(q.with_base_scores({x: rng.uniform(*ends) for x, ends in scores.items()}))
    return (perf_counter() - began) / LOOPED_LANES
