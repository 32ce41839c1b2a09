"""Exact Shapley values as a sum over connected sets; for sparse, tree-like and cyclic graphs.

With C a connected set, B its in-boundary, c = |C| and b = |B|, everyone else being free to come or go:

    φ_i = Σ_{C ∋ i} v(C) (c−1)! b!/(c+b)!  −  Σ_{C : i ∈ B} v(C) c! (b−1)!/(c+b)!
        = Σ_{C ∋ i} v(C) / (c · (c+b choose c))  −  Σ_{C : i ∈ B} v(C) / (b · (c+b choose b))
"""

from __future__ import annotations

from math import comb

import numpy as np

from ...coalitions import unpack
from ...game import Game
from ...phi import Progress
from ...qbaf import Floats, Integers

BLOCK = 1 << 14


def connected(game: Game, count: int, progress: Progress | None = None) -> Floats:
    """φ of every player, in the order of `game.players`; `count` is the number of connected sets."""
    n = len(game.players)
    phi, done = np.zeros(n), 0
    for members, out in game.connected_sets(BLOCK):
        inside, boundary = unpack(members, n), unpack(out, n)
        c, b = inside.sum(axis=1), boundary.sum(axis=1)
        value = game.values(inside) * _rare(c, b)
        phi += (value / np.maximum(c, 1)) @ inside - (value / np.maximum(b, 1)) @ boundary
        done += len(value)
        if progress:
            progress(done, count)
    return phi


def _rare(c: Integers, b: Integers) -> Floats:
    """1 / (c+b choose c), each different pair once."""
    most = int(b.max()) + 1
    pairs, where = np.unique(c * most + b, return_inverse=True)
    return np.array([1 / comb(sum(each), each[0]) for each in (divmod(pair, most) for pair in pairs.tolist())])[where]
