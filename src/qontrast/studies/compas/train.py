"""Training many small networks at once, in NumPy: every seed is one slice of a leading axis.

8–16–3, logistic hidden neurons and outputs, binary cross-entropy, Adam at 1e-3, batches of 32, 100 epochs: the
nearest to the published experiment that *is* a QBAF. Each network has its own generator, so that it comes out the
same whatever it is trained beside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from ...networks import Network, from_arrays
from ...types import Floats
from .data import CLASSES, FEATURES

Job = tuple[Floats, Floats, np.random.Generator]  # inputs (rows, 8), targets (rows, 3) of 0 and 1, randomness


@dataclass(frozen=True)
class Recipe:
    """How a network is trained."""

    hidden: int = 16
    epochs: int = 100
    batch: int = 32
    rate: float = 1e-3


def train(
    jobs: Sequence[Job],
    recipe: Recipe | None = None,
    report: Callable[[float], None] | None = None,
    inputs: Sequence[str] = FEATURES,
    classes: Sequence[str] = CLASSES,
) -> list[Network]:
    """A network per job; all jobs have equally many rows. `report` is told the share that is done."""
    recipe = recipe or Recipe()
    x, y = np.stack([job[0] for job in jobs]), np.stack([job[1] for job in jobs])
    generators = [job[2] for job in jobs]
    sizes = (x.shape[2], recipe.hidden, y.shape[2])
    drawn = [[_layer(rng, m, n) for m, n in ((sizes[0], sizes[1]), (sizes[1], sizes[2]))] for rng in generators]
    weights = [np.stack([one[k][part] for one in drawn]) for k in (0, 1) for part in (0, 1)]  # w1, b1, w2, b2
    first, second, step = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights], 0
    rows, lane = x.shape[1], np.arange(len(jobs))[:, None]
    for epoch in range(recipe.epochs):
        order = np.stack([rng.permutation(rows) for rng in generators])
        for start in range(0, rows, recipe.batch):
            here, step = order[:, start : start + recipe.batch], step + 1
            slopes = _slopes(weights, x[lane, here], y[lane, here])
            pace = recipe.rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            for w, g, m, v in zip(weights, slopes, first, second, strict=True):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= pace * m / (np.sqrt(v) + 1e-8 * np.sqrt(1 - 0.999**step))
        if report:
            report((epoch + 1) / recipe.epochs)
    w1, b1, w2, b2 = weights
    return [from_arrays([w1[k], w2[k]], [b1[k, 0], b2[k, 0]], inputs=inputs, classes=classes) for k in range(len(jobs))]


def _layer(rng: np.random.Generator, m: int, n: int) -> tuple[Floats, Floats]:
    """Uniform within ±1/√inputs, weights and biases."""
    most = 1 / np.sqrt(m)
    return rng.uniform(-most, most, (m, n)), rng.uniform(-most, most, (1, n))


def _slopes(weights: list[Floats], x: Floats, y: Floats) -> list[Floats]:
    """Of the mean binary cross-entropy, over rows and outputs."""
    w1, b1, w2, b2 = weights
    hidden = expit(x @ w1 + b1)
    error = (expit(hidden @ w2 + b2) - y) / (y.shape[1] * y.shape[2])
    back = (error @ w2.transpose(0, 2, 1)) * hidden * (1 - hidden)
    return [
        x.transpose(0, 2, 1) @ back,
        back.sum(axis=1, keepdims=True),
        hidden.transpose(0, 2, 1) @ error,
        error.sum(axis=1, keepdims=True),
    ]
