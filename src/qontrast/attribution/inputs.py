"""Contributions of the inputs of any function of many rows: what a method of METHODS does for networks.

    gradient  ∂y/∂x_i        removal  y − y without i        Shapley  over all coalitions of inputs

An input that is absent is 0; one whose value is 0 is as good as absent, and contributes exactly 0 by removal and by
Shapley. In a network the hidden neurons are part of the function, and always there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import Hint, TooLarge
from ..types import Bools, Floats, Progress
from .shapley.coalitions import sum_coalitions

LANES = 1 << 12  # in one call of the function: what stays in cache
MAX_INPUTS = 24
ROWS_PER_TASK = 1 << 14  # that are explained at a time, here or in an executor
COALITIONS_PER_TASK = 1 << 20  # the same for coalitions of inputs


@dataclass(frozen=True)
class Function:
    """A function of many rows (lanes, inputs): its values (lanes, outputs) and slopes (lanes, outputs, inputs)."""

    values: Callable[[Floats], Floats]
    slopes: Callable[[Floats], Floats]


# (function, rows, largest number of inputs, progress) → contributions (lanes, outputs, inputs)
InputMethod = Callable[[Function, Floats, int, Progress | None], Floats]


def gradient(function: Function, x: Floats, max_inputs: int, progress: Progress | None) -> Floats:
    """∂y/∂x."""
    return function.slopes(x)


def removal(function: Function, x: Floats, max_inputs: int, progress: Progress | None) -> Floats:
    """y(x) − y(x with input i at 0)."""
    whole = function.values(x)
    out = np.zeros((*whole.shape, x.shape[1]))
    for i in range(x.shape[1]):
        there = np.flatnonzero(x[:, i])  # a coalition in which nothing changes needs no evaluation
        gone = x[there]
        gone[:, i] = 0.0
        out[there, :, i] = whole[there] - function.values(gone)
    return out


def shapley(function: Function, x: Floats, max_inputs: int, progress: Progress | None) -> Floats:
    """The Shapley value of every input, exactly; all coalitions of all lanes are lanes."""
    rows, n = x.shape
    check_inputs(n, max_inputs)
    step = max(1, LANES >> n)
    found = [_shapley_of(function, x[k : k + step], k, rows, progress) for k in range(0, rows, step)]
    return np.concatenate(found) if found else np.zeros((*function.values(x).shape, n))


def count_rows(inputs: int, method: str) -> int:
    """How many rows a method explains at a time.

    >>> count_rows(30, "removal"), count_rows(8, "shapley"), count_rows(30, "shapley")
    (16384, 4096, 1)
    """
    return max(1, min(ROWS_PER_TASK, COALITIONS_PER_TASK >> inputs)) if method == "shapley" else ROWS_PER_TASK


def check_inputs(count: int, most: int) -> None:
    """Refuse exact Shapley values over too many inputs."""
    if count > most:
        raise TooLarge(
            f"exact Shapley over {count} inputs needs 2^{count} coalitions for each instance (limit {most} inputs)",
            hints=[Hint("method", ("removal", "gradient")), Hint("max_inputs", raised=True)],
        )


def _shapley_of(function: Function, x: Floats, first: int, rows: int, progress: Progress | None) -> Floats:
    """The same for a few rows, which are numbers `first` and following of so many."""
    some, n = x.shape

    def values(coalitions: Bools) -> Floats:
        found = function.values((x[:, None] * coalitions).reshape(-1, n))
        return found.reshape(some, len(coalitions), found.shape[1]).swapaxes(1, 2)

    def report(done: int, total: int) -> None:
        if progress:
            progress(first * total + some * done, rows * total)

    return np.where((x == 0)[:, None], 0.0, sum_coalitions(values, n, LANES, report))
