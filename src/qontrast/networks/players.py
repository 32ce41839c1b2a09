"""Contributions of the inputs alone: hidden neurons are part of the mechanism, and always there.

    gradient  ∂y/∂x_i        removal  y − y without i        Shapley  over all coalitions of inputs

for any function y(x) of many lanes. An input that is absent has base score 0, and so strength 0; one whose value
is 0 is as good as absent, and contributes exactly 0 by removal and by Shapley.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attribution.shapley.coalitions import list_coalitions, weigh_coalitions
from ..errors import Hint, TooLarge
from ..types import Floats, Progress

Function = Callable[[Floats], Floats]  # (lanes, inputs) → (lanes, classes)

LANES = 1 << 12  # in one call of the function: what stays in cache
MAX_INPUTS = 24


def removal(function: Function, x: Floats) -> Floats:
    """y(x) − y(x with input i at 0), (lanes, classes, inputs)."""
    whole = function(x)
    out = np.zeros((*whole.shape, x.shape[1]))
    for i in range(x.shape[1]):
        there = np.flatnonzero(x[:, i])  # a coalition in which nothing changes needs no evaluation
        if len(there):
            gone = x[there]
            gone[:, i] = 0.0
            out[there, :, i] = whole[there] - function(gone)
    return out


def shapley(function: Function, x: Floats, most: int = MAX_INPUTS, progress: Progress | None = None) -> Floats:
    """The Shapley value of every input, exactly, (lanes, classes, inputs): all coalitions of all lanes are lanes."""
    n = x.shape[1]
    if n > most:
        raise TooLarge(
            f"exact Shapley over {n} inputs needs 2^{n} coalitions for each instance (limit {most} inputs)",
            hints=[Hint("method", ("removal", "gradient")), Hint("max_inputs", raised=True)],
        )
    total = 1 << n
    block = min(total, LANES)
    rows = max(1, LANES // block)
    pieces = []
    for first in range(0, len(x), rows):
        some = x[first : first + rows]
        out: Floats | float = 0.0
        for start in range(0, total, block):
            members = list_coalitions(n, start, start + block)
            values = function((some[:, None] * members).reshape(-1, n)).reshape(len(some), block, -1)
            out = out + values.transpose(0, 2, 1) @ weigh_coalitions(members)
            if progress:
                progress(first * total + (start + block) * len(some), len(x) * total)
        pieces.append(np.where((some == 0)[:, None], 0.0, out))
    return np.concatenate(pieces) if pieces else np.zeros((0, function(x).shape[1], n))
