"""Measure one network on a device, many instances at once: what `measures` does on the CPU.

All figures are those of the CPU up to rounding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..attribution.inputs import MAX_INPUTS, check_inputs
from ..attribution.shapley.coalitions import list_coalitions, weigh_coalitions
from ..engine.backend import Backend
from ..networks import Network
from ..networks.layers import compute_outputs, compute_slopes
from ..types import Floats
from .measures import (
    EQUAL_DIGITS,
    MAX_PROTECTED_VALUES,
    AuditQuestion,
    Explanations,
    Flips,
    Measure,
    list_values,
    name_measures,
)

Array = Any  # an array of the device


class DeviceMeasures:
    """One network and its instances on a device."""

    def __init__(self, network: Network, x: Floats, question: AuditQuestion, backend: Backend) -> None:
        self.network, self.question, self.backend = network, question, backend
        self.arrays = backend.arrays
        self.layers = [
            replace(layer, weights=self.arrays.asarray(layer.weights), bias=self.arrays.asarray(layer.bias))
            for layer in network.layers
        ]
        self.fact, self.foil = network.index(question.fact), network.index(question.foil)
        self.x = self.arrays.asarray(x)
        self.host = x

    def _outputs(self, x: Array) -> Array:
        return compute_outputs(self.layers, self.network.readout, x)

    def find_flips(self, labels: NDArray[np.intp] | None) -> Flips:
        """Find who changes from the fact to the foil when the protected attribute alone changes."""
        place = self.network.inputs.index(self.question.protected)
        now = self._outputs(self.x).argmax(axis=1)
        candidates = now == self.fact
        if labels is not None:
            candidates = candidates & (self.arrays.asarray(labels) == self.fact)
        if self.question.value is not None:
            candidates = candidates & (self.x[:, place] == self.question.value)
        column = self.backend.to_host(self.arrays.unique(self.x[:, place])[: MAX_PROTECTED_VALUES + 1])
        flipped = changed = now != now
        for value in list_values(column, self.question):
            other = self.x.copy()
            other[:, place] = float(value)
            then = self._outputs(other).argmax(axis=1)
            flipped, changed = flipped | (then == self.foil), changed | (then != now)
        rows = np.flatnonzero(self.backend.to_host(candidates & flipped))
        share = float(changed.sum()) / len(self.host) if len(self.host) else 0.0
        return Flips(rows, int(candidates.sum()), share)

    def explain(self, rows: NDArray[np.intp]) -> dict[str, tuple[Array, Array]]:
        """Compute the contributions (instances, features) to the fact and to the contrast, by every method."""
        x, found = self.x[self.arrays.asarray(rows)], {}
        ways = {"gradient": self._find_slopes, "removal": self._remove, "shapley": self._sum_coalitions}
        for method in self.question.methods if len(rows) else ():
            phi = ways[method](x)
            found[method] = phi[:, self.fact], phi[:, self.fact] - phi[:, self.foil]
        return found

    def to_host(self, explanations: dict[str, tuple[Array, Array]]) -> Explanations:
        """The same contributions as arrays of NumPy."""
        get = self.backend.to_host
        return {method: (get(one), get(two)) for method, (one, two) in explanations.items()}

    def _find_slopes(self, x: Array) -> Array:
        return compute_slopes(self.layers, self.network.readout, x)

    def _remove(self, x: Array) -> Array:
        whole, losses = self._outputs(x), []
        for k in range(x.shape[1]):
            gone = x.copy()
            gone[:, k] = 0.0
            losses.append(whole - self._outputs(gone))
        return self.arrays.stack(losses, axis=2)

    def _sum_coalitions(self, x: Array) -> Array:
        """Exact Shapley values, from many coalitions of inputs at a time, for all instances."""
        rows, n = x.shape
        check_inputs(n, MAX_INPUTS)
        widest = max(n, *(len(layer.bias) for layer in self.layers))
        block = max(1, self.backend.numbers_per_block // (rows * widest))
        total: Array = 0.0
        for first in range(0, 1 << n, block):
            some = list_coalitions(n, first, min(first + block, 1 << n))
            there = self.arrays.asarray(some.astype(np.float64))
            values = self._outputs((there[:, None] * x).reshape(-1, n)).reshape(len(some), -1)
            total = total + self.arrays.asarray(np.ascontiguousarray(weigh_coalitions(some).T)) @ values
        phi = total.reshape(n, rows, -1).transpose(1, 2, 0)
        return self.arrays.where((x == 0)[:, None], 0.0, phi)

    def measure(self, explanations: dict[str, tuple[Array, Array]]) -> dict[str, dict[str, Measure]]:
        """Measure every feature under every method: method → feature → measure."""
        found = {}
        for method, (one, two) in explanations.items():
            columns = (self._rank(one), self._rank(two), np.abs(one), np.abs(two))
            found[method] = name_measures(self.network, [self._sum_up(each) for each in columns], len(one))
        return found

    def _rank(self, contributions: Array) -> Array:
        """Rank each |contribution| in its row, 1 for the largest; equal ones share the mean of their ranks."""
        size = np.abs(contributions)
        largest = size.max(axis=1)[:, None]
        size = self.arrays.round(size / self.arrays.where(largest > 0, largest, 1.0), EQUAL_DIGITS)
        above, same = 0.0, 0.0
        for k in range(size.shape[1]):
            other = size[:, k : k + 1]
            above, same = above + (other > size), same + (other == size)
        return above + (same + 1.0) / 2

    def _sum_up(self, values: Array) -> tuple[Floats, Floats]:
        """The mean of each column of (instances, features), and the sum of the squares around it."""
        mean = values.sum(axis=0) / len(values)
        return self.backend.to_host(mean), self.backend.to_host(((values - mean) ** 2).sum(axis=0))
