"""Exact Shapley values as a sum over connected sets; for sparse, tree-like and cyclic graphs.

With C a connected set, B its in-boundary, c = |C| and b = |B|, everyone else being free to come or go:

    φ_i = Σ_{C ∋ i} v(C) (c−1)! b!/(c+b)!  −  Σ_{C : i ∈ B} v(C) c! (b−1)!/(c+b)!
        = Σ_{C ∋ i} v(C) / (c · (c+b choose c))  −  Σ_{C : i ∈ B} v(C) / (b · (c+b choose b))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

import numpy as np

from ...types import Bools, Floats, Integers, Progress
from ..players import Game
from .coalitions import Words, connected_sets, gathered, pack, unpack

SETS_PER_BLOCK = 1 << 14

Sets = Iterable[tuple[Words, Words]]  # blocks of connected sets with their in-boundaries


def sum_connected_sets(game: Game, count: int, sets: Sets = (), progress: Progress | None = None) -> Floats:
    """Compute φ of every player, in the order of `game.players`; `count` is the number of connected sets."""
    n = len(game.players)
    phi, done = np.zeros(n), 0
    for members, out in gathered(sets or connected_sets(game.graph, SETS_PER_BLOCK), SETS_PER_BLOCK):
        inside = unpack(members, n)
        phi += _shares(inside, unpack(out, n), game.values(inside))
        done += len(inside)
        if progress:
            progress(done, count)
    return phi


def solve_together(games: Sequence[Game], sets: Sequence[Sets], progress: Progress | None = None) -> list[Floats]:
    """Compute the same for topics with the same ancestors: a sub-graph that serves many games is solved once."""
    joined = [[np.concatenate(each) for each in zip(*blocks, strict=True)] for blocks in sets]
    inside, boundary = (
        [unpack(each[k], len(game.players)) for game, each in zip(games, joined, strict=True)] for k in (0, 1)
    )
    lanes = np.concatenate([game.present(each) for game, each in zip(games, inside, strict=True)])
    words, where = np.unique(pack(lanes), axis=0, return_inverse=True)
    solution = games[0].problem.solve(unpack(words, lanes.shape[1]))
    counts = [len(each) for each in inside]
    if solution.moving.any():  # one by one, they name the coalition
        return [sum_connected_sets(*each, progress) for each in zip(games, counts, sets, strict=True)]
    places = np.split(where.ravel(), np.cumsum(counts)[:-1])
    if progress:
        progress(sum(counts), sum(counts))
    return [
        _shares(inside[k], boundary[k], solution.strengths[places[k], game.topic_column])
        for k, game in enumerate(games)
    ]


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
