"""Estimates of Shapley values: how far off each is, after how many evaluations and how many seconds.

The error is the root of the mean square over players and seeds, against exact values. Everyone but the plain loop gets
qontrast's strengths of many coalitions at once, counted.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import qontrast as qx

from . import inputs, plain
from .peers import as_function, as_tensors
from .run import MAX_REPEATS, Clock

PLAYERS = 20
SEEDS = 3
ENOUGH = 0.1  # CPU seconds after which an estimate is not made again, if all seeds had their turn
Function = Callable[[np.ndarray], np.ndarray]
Estimate = Callable[[int, int], tuple[np.ndarray, int]]  # budget, seed → values, evaluations


@dataclass
class Counted:
    """A function of coalitions that counts them."""

    function: Function
    rows: int = 0

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        rows = np.atleast_2d(rows)
        self.rows += len(rows)
        return self.function(rows)


def by_qontrast(budget: int, seed: int) -> tuple[np.ndarray, int]:
    lists = inputs.with_players(PLAYERS)
    found = qx.attribute(lists.qbaf(), lists.topic, method="sampled", semantics="qe", budget=budget, seed=seed)
    return np.array([found[x] for x in lists.others]), int(found.evaluations)


def by_plain_loop(budget: int, seed: int) -> tuple[np.ndarray, int]:
    lists = inputs.with_players(PLAYERS)
    found = plain.sample_permutations(lists, budget, seed)
    return np.array(list(found.values())), PLAYERS * max(1, (budget - 1) // PLAYERS)


def with_function(ask: Callable[[Function, int, int, int], np.ndarray]) -> Estimate:
    """Make an estimate of a function (function, players, budget, seed) → values."""

    def estimate(budget: int, seed: int) -> tuple[np.ndarray, int]:
        function, n = as_function(inputs.with_players(PLAYERS))
        counted = Counted(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of small samples
            return ask(counted, n, budget, seed), counted.rows

    return estimate


def ask_shapiq(function: Function, n: int, budget: int, seed: int) -> np.ndarray:
    from shapiq import approximator

    ask = approximator.KernelSHAP(n=n, pairing_trick=True, random_state=seed)  # the nearest of its estimates here
    found = ask.approximate(budget=budget, game=function)
    return np.array([float(found[(k,)]) for k in range(n)])


def ask_shap(function: Function, n: int, budget: int, seed: int) -> np.ndarray:
    import shap

    np.random.seed(seed)  # noqa: NPY002 -- the only seed that it takes
    explainer = shap.KernelExplainer(function, np.zeros((1, n)))
    return explainer.shap_values(np.ones((1, n)), nsamples=budget, l1_reg=False, silent=True)[0]


def ask_captum(function: Function, n: int, budget: int, seed: int) -> np.ndarray:
    import torch
    from captum.attr import ShapleyValueSampling

    torch.manual_seed(seed)
    ask = ShapleyValueSampling(as_tensors(function))
    ones = torch.ones(1, n, dtype=torch.float64)
    return ask.attribute(ones, n_samples=max(1, budget // n), perturbations_per_eval=n)[0].numpy()


ESTIMATES: dict[str, Estimate] = {
    "qontrast": by_qontrast,
    "plain loop": by_plain_loop,
    "shapiq": with_function(ask_shapiq),
    "shap": with_function(ask_shap),
    "captum": with_function(ask_captum),
}


def measure(tool: str, budget: int) -> dict[str, float]:
    """Return the error, the evaluations and the seconds of one estimate, over seeds."""
    lists = inputs.with_players(PLAYERS)
    exact = qx.attribute(lists.qbaf(), lists.topic, method="shapley", semantics="qe")
    truth = np.array([exact[x] for x in lists.others])
    ESTIMATES[tool](budget, 0)  # what is imported and compiled once is not counted
    clock, squares, evaluations = Clock(), [], 0
    for seed in range(SEEDS):
        values, evaluations = clock.time(partial(ESTIMATES[tool], budget, seed))
        squares.append(np.square(values - truth).mean())
    while sum(clock.processor) < ENOUGH and len(clock.wall) < MAX_REPEATS:
        clock.time(partial(ESTIMATES[tool], budget, 0))
    return {
        "seconds": clock.best,
        "error": float(np.sqrt(np.mean(squares))),
        "evaluations": evaluations,
    }
