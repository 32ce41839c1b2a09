"""Contributions of the inputs alone: hidden neurons are part of the mechanism, and always there.

    gradient  ∂y/∂x_i        removal  y − y without i        Shapley  over all coalitions of inputs

for any function y(x) of many lanes. An input that is absent has base score 0, and so strength 0; one whose value
is 0 is as good as absent, and contributes exactly 0 by removal and by Shapley.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

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
    """The Shapley value of every input, exactly, (lanes, classes, inputs): all coalitions of all lanes are lanes.

    With w(s) = s! (n−s−1)!/n!, φ_i = Σ_{S ∋ i} w(|S|−1) v(S) − Σ_{S ∌ i} w(|S|) v(S).
    """
    n = x.shape[1]
    if n > most:
        raise TooLarge(
            f"exact Shapley over {n} inputs needs 2^{n} coalitions for each instance (limit {most} inputs)",
            hints=[Hint("method", ("removal", "gradient")), Hint("max_inputs", raised=True)],
        )
    weight = np.array([1 / (n * comb(n - 1, s)) for s in range(n)])
    total = 1 << n
    block = min(total, LANES)
    rows = max(1, LANES // block)
    pieces = []
    for first in range(0, len(x), rows):
        some = x[first : first + rows]
        out: Floats | float = 0.0
        for start in range(0, total, block):
            members = (np.arange(start, start + block)[:, None] >> np.arange(n)) & 1  # (coalitions, inputs)
            size = members.sum(axis=1)
            inside, outside = weight[np.maximum(size - 1, 0)], weight[np.minimum(size, n - 1)]
            share = np.where(members == 1, inside[:, None], -outside[:, None])
            worth = function((some[:, None] * members).reshape(-1, n)).reshape(len(some), block, -1)
            out = out + worth.transpose(0, 2, 1) @ share
            if progress:
                progress(first * total + (start + block) * len(some), len(x) * total)
        pieces.append(np.where((some == 0)[:, None], 0.0, out))
    return np.concatenate(pieces) if pieces else np.zeros((0, function(x).shape[1], n))
