"""Exact Shapley values as a sum over connected sets; for sparse, tree-like and cyclic graphs.

With C a connected set, B its in-boundary, c = |C| and b = |B|, everyone else being free to come or go:

    φ_i = Σ_{C ∋ i} v(C) (c−1)! b!/(c+b)!  −  Σ_{C : i ∈ B} v(C) c! (b−1)!/(c+b)!
        = Σ_{C ∋ i} v(C) / (c · (c+b choose c))  −  Σ_{C : i ∈ B} v(C) / (b · (c+b choose b))
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from ...types import Bools, Floats, Integers, Progress
from ..players import Game
from .coalitions import pack, unpack

BLOCK = 1 << 14


def connected(game: Game, count: int, progress: Progress | None = None) -> Floats:
    """φ of every player, in the order of `game.players`; `count` is the number of connected sets."""
    n = len(game.players)
    phi, done = np.zeros(n), 0
    for members, out in game.connected_sets(BLOCK):
        inside = unpack(members, n)
        phi += _shares(inside, unpack(out, n), game.values(inside))
        done += len(inside)
        if progress:
            progress(done, count)
    return phi


def together(games: Sequence[Game], counts: Sequence[int], progress: Progress | None = None) -> list[Floats]:
    """The same for several topics with the same ancestors: a sub-graph that serves many games is solved once."""
    blocks = [list(game.connected_sets(BLOCK)) for game in games]
    insides = [
        unpack(np.concatenate([members for members, _ in sets]), len(game.players))
        for game, sets in zip(games, blocks, strict=True)
    ]
    lanes = np.concatenate([game.present(inside) for game, inside in zip(games, insides, strict=True)])
    words, where = np.unique(pack(lanes), axis=0, return_inverse=True)
    solution = games[0].problem.solve(unpack(words, lanes.shape[1]))
    if solution.moving.any():  # one by one, they name the coalition
        return [connected(game, count, progress) for game, count in zip(games, counts, strict=True)]
    places = np.split(where.ravel(), np.cumsum([len(inside) for inside in insides])[:-1])
    found = []
    for game, sets, inside, place in zip(games, blocks, insides, places, strict=True):
        boundary = unpack(np.concatenate([out for _, out in sets]), len(game.players))
        found.append(_shares(inside, boundary, solution.strengths[place, game.topic_column]))
    if progress:
        progress(sum(counts), sum(counts))
    return found


def _shares(inside: Bools, boundary: Bools, values: Floats) -> Floats:
    """What these connected sets, with their in-boundaries, give to each player."""
    c, b = inside.sum(axis=1), boundary.sum(axis=1)
    rare = values * _rare(c, b)
    return np.asarray((rare / np.maximum(c, 1)) @ inside - (rare / np.maximum(b, 1)) @ boundary)


def _rare(c: Integers, b: Integers) -> Floats:
    """1 / (c+b choose c), each different pair once."""
    most = int(b.max()) + 1
    pairs, where = np.unique(c * most + b, return_inverse=True)
    return np.array([1 / comb(sum(each), each[0]) for each in (divmod(pair, most) for pair in pairs.tolist())])[where]
