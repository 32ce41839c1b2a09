"""10,000 instances through an 8–16–3 network: strengths, all slopes, contributions.

The yardstick is a dense forward pass written by hand in NumPy. Times are the best of several, taken in turns, so
that a busy machine slows all of them alike.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit

from qontrast.networks import from_arrays

Figure = tuple[str, bool]
INSTANCES = 10_000


def in_turns(works: list[Callable[[], object]], times: int = 15) -> list[float]:
    """Seconds of the fastest run of each."""
    found = [float("inf")] * len(works)
    for _ in range(times):
        for k, work in enumerate(works):
            gc.collect()
            start = time.perf_counter()
            work()
            found[k] = min(found[k], time.perf_counter() - start)
    return found


def figures() -> Iterator[Figure]:
    rng = np.random.default_rng(0)
    w1, b1, w2, b2 = rng.normal(size=(8, 16)), rng.normal(size=16), rng.normal(size=(16, 3)), rng.normal(size=3)
    x = rng.random((INSTANCES, 8))
    network = from_arrays([w1, w2], [b1, b2])
    softmax = network.with_readout("softmax")

    def by_hand() -> np.ndarray:
        return expit(expit(x @ w1 + b1) @ w2 + b2)

    assert np.abs(network.strengths(x) - by_hand()).max() < 1e-12
    forward, strengths, gradient, top, top_gradient = in_turns(
        [
            by_hand,
            lambda: network.strengths(x),
            lambda: network.gradient(x),
            lambda: softmax.strengths(x),
            lambda: softmax.gradient(x),
        ]
    )
    print(f"{INSTANCES:,} instances, 8–16–3; a dense forward pass in NumPy takes {forward * 1e3:.1f} ms")
    yield _ratio("strengths", strengths / forward, "forward passes", 20)
    yield _ratio("all slopes of all classes", gradient / strengths, "times strengths", 5)
    yield _ratio("the same under softmax", top_gradient / top, "times strengths", 5)
    some = x[:200]
    removal, shapley = in_turns(
        [lambda: network.contributions(x, method="removal"), lambda: network.contributions(some, method="shapley")], 5
    )
    print(
        f"  removal {removal / INSTANCES * 1e3:.4f} ms, exact Shapley over 8 inputs {shapley / 200 * 1e3:.3f} ms each"
    )


def _ratio(what: str, ratio: float, unit: str, most: float) -> Figure:
    return f"  {what}: {ratio:.1f} {unit} (target ≤ {most:g})", ratio <= most


if __name__ == "__main__":
    for line, met in figures():
        print(line, "ok" if met else "MISSED")
