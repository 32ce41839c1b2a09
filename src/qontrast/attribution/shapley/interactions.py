"""Interactions of two players: how much more, or less, they give together than each of them gives alone.

With Δ_ij(S) = v(S∪ij) − v(S∪i) − v(S∪j) + v(S), n players, s = |S|:

    SII(ij)  = Σ_S Δ_ij(S) / ((n−1) (n−2 choose s))            the Shapley interaction index
    STII(ij) = Σ_S Δ_ij(S) · 2 / (n (n−1 choose s))            the Shapley–Taylor index, with singles v(i) − v(∅)
    k-SII                                                      pairs as SII, singles φ_i − ½ Σ_j SII(ij)

From connected sets C with in-boundary B, c = |C|, b = |B|, a pair counts where both are in C ∪ B, q of them in B:

    SII(ij)  = Σ (−1)^q (c−2+q)! (b−q)! / (c+b−1)! · v(C),     STII(ij) = Σ (−1)^q 2 (c−2+q)! (b−q+1)! / (c+b)! · v(C)

From all coalitions, with w the weight of Δ_ij by size and x_i = 1 for i ∈ S: Σ_S [x_i x_j (w(s−2) + 2w(s−1) + w(s)) −
(x_i + x_j)(w(s−1) + w(s)) + w(s)] v(S), in the blocks of `hypercube`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, factorial

import numpy as np

from ...engine.backend import run_tasks
from ...types import Bools, Floats, Integers, Progress
from .coalitions import find_connected_sets, join_blocks, unpack
from .exact import ROUNDING, SETS_PER_BLOCK, Plan, Sets
from .game import Game
from .hypercube import Tree, WalkAxes, make_tree

INDICES = {  # name → what it is
    "sii": "the Shapley interaction index: the average of what two players add together beyond what each adds alone",
    "stii": "the Shapley–Taylor index: pairs and what each player adds alone add up to the whole",
    "k-sii": "k-SII: SII of pairs, with singles reduced so that both add up to the whole",
}


def find_pairs(game: Game, plan: Plan, index: str, progress: Progress | None = None) -> Floats:
    """The interaction of every pair of players, a symmetric matrix with 0 on its diagonal."""
    n = len(game.players)
    if n < 2:
        return np.zeros((n, n))
    taylor = index == "stii"
    if plan.how == "coalitions" and game.problem.device != "cpu":
        from .device_sums import sum_pairs_on_device

        found = sum_pairs_on_device(game, taylor, progress)
    elif plan.how == "coalitions":
        found = _sum_hypercube(game, taylor, progress)
    else:
        found = _sum_connected(game, plan.evaluations, plan.sets, taylor, progress)
    found = (found + found.T) / 2
    found[np.abs(found) <= ROUNDING] = 0.0
    np.fill_diagonal(found, 0.0)
    return found


def _sum_connected(game: Game, count: int, sets: Sets, taylor: bool, progress: Progress | None) -> Floats:
    n, done = len(game.players), 0
    found = np.zeros((n, n))
    for members, out in join_blocks(sets or find_connected_sets(game.graph, SETS_PER_BLOCK), SETS_PER_BLOCK):
        inside, boundary = unpack(members, n), unpack(out, n)
        found += _add_pairs(inside, boundary, game.values(inside), taylor)
        done += len(inside)
        if progress:
            progress(min(done, count), count)  # which may be an estimate
    return found


def _add_pairs(inside: Bools, boundary: Bools, values: Floats, taylor: bool) -> Floats:
    """What these connected sets, with their in-boundaries, give to each pair."""
    c, b = inside.sum(axis=1), boundary.sum(axis=1)
    weights = _weigh_sets(c, b, taylor) * values[:, None]
    x, y = inside.astype(np.float64), boundary.astype(np.float64)
    mixed = (x * weights[:, 1:2]).T @ y
    both: Floats = (x * weights[:, :1]).T @ x + (y * weights[:, 2:]).T @ y - mixed - mixed.T
    return both


def _weigh_sets(c: Integers, b: Integers, taylor: bool) -> Floats:
    """Without their signs, the weights of a set for pairs with 0, 1 and 2 members in its boundary: (sets, 3)."""
    most = int(b.max()) + 1
    pairs, where = np.unique(c * most + b, return_inverse=True)
    return np.array([_weigh_set(*divmod(pair, most), taylor) for pair in pairs.tolist()])[where.ravel()]


@lru_cache(maxsize=4096)
def _weigh_set(c: int, b: int, taylor: bool) -> tuple[float, ...]:
    weights = []
    for q in range(3):
        if c - 2 + q < 0 or b - q < 0:
            weights.append(0.0)
        elif taylor:
            weights.append(2 * factorial(c - 2 + q) * factorial(b - q + 1) / factorial(c + b))
        else:
            weights.append(factorial(c - 2 + q) * factorial(b - q) / factorial(c + b - 1))
    return tuple(weights)


def find_set(game: Game, members: Sequence[int], taylor: bool) -> float:
    """The interaction of two or more players, from connected sets: those that decide about all of them count.

    With k players, p of them in C: SII = Σ (−1)^q (c−p)! (b−q)! / (c+b−k+1)! · v(C), and STII of order k, its highest,
    Σ (−1)^q k (c−p)! (b−q+k−1)! / (c+b)! · v(C).
    """
    n, k, total = len(game.players), len(members), 0.0
    for words, out in game.find_connected_sets(SETS_PER_BLOCK):
        inside, boundary = unpack(words, n), unpack(out, n)
        counts = (inside | boundary)[:, members].all(axis=1)
        inside, boundary = inside[counts], boundary[counts]
        if not len(inside):
            continue
        sizes = np.array([inside.sum(axis=1), boundary.sum(axis=1), boundary[:, members].sum(axis=1)])
        weights = [_weigh_for_set(c, b, q, k, taylor) for c, b, q in sizes.T.tolist()]
        total += float(game.values(inside) @ np.array(weights))
    return total


def _weigh_for_set(c: int, b: int, q: int, k: int, taylor: bool) -> float:
    p, sign = k - q, (-1) ** q
    if taylor:
        return sign * k * factorial(c - p) * factorial(b - q + k - 1) / factorial(c + b)
    return sign * factorial(c - p) * factorial(b - q) / factorial(c + b - k + 1)


def _sum_hypercube(game: Game, taylor: bool, progress: Progress | None) -> Floats:
    axes, tree = make_tree(game)
    n, low, upper = len(axes.players), tree.low, tree.upper
    pair, single, none = _weigh_coalitions(n, low, taylor)
    by_size, mixed = np.zeros(pair.shape), np.zeros((upper, 1 << low))
    totals = np.zeros((2, tree.pieces, tree.leaves))
    executor = game.problem.executor if tree.pieces > 1 else None
    tasks = ((tree, piece, taylor) for piece in range(tree.pieces))
    found = _walk_pairs(tree, taylor) if executor is None else run_tasks(executor, _compute_pairs, tasks)
    for k, (sums, own, leaves) in enumerate(found):
        by_size += sums
        totals[:, k] = leaves
        mixed[: len(own) - 1] += own[:-1]
        for axis in range(len(own) - 1, upper):  # what tells the pieces apart
            if k >> (axis - len(own) + 1) & 1:
                mixed[axis] += own[-1]
        if progress:
            progress((k + 1) * tree.leaves, tree.pieces * tree.leaves)
    gram = np.zeros((n, n))
    gram[upper:, upper:] = _sum_bit_pairs((pair * by_size).sum(axis=0), low)[
        ::-1, ::-1
    ]  # the highest bit is axis n − low
    below = _sum_bits((single * by_size).sum(axis=0), low)[::-1]
    linear = np.concatenate((_sum_bits(totals[1].ravel(), upper), below))
    if upper:
        gram[:upper, :upper] = _sum_bit_pairs(totals[0].ravel(), upper)
        gram[:upper, upper:] = _sum_bits(mixed, low)[:, ::-1]
        gram[upper:, :upper] = gram[:upper, upper:].T
    result = gram - linear[:, None] - linear + (none * by_size).sum()
    return np.ascontiguousarray(result[np.ix_(axes.players, axes.players)])


def _sum_bits(values: Floats, bits: int) -> Floats:
    """For each bit the sum over the indices of the last axis that have it."""
    found = np.empty((*values.shape[:-1], bits))
    for bit in range(bits):
        found[..., bit] = values.reshape(*values.shape[:-1], -1, 2, 1 << bit)[..., 1, :].sum(axis=(-2, -1))
    return found


def _sum_bit_pairs(values: Floats, bits: int) -> Floats:
    """For each pair of bits the sum over the indices that have both."""
    found = np.zeros((bits, bits))
    for bit in range(bits):
        found[bit, :bit] = _sum_bits(values.reshape(-1, 2, 1 << bit)[:, 1].sum(axis=0), bit)
    return found + found.T


@lru_cache(maxsize=8)
def _weigh_coalitions(n: int, low: int, taylor: bool) -> tuple[Floats, Floats, Floats]:
    """Of x_i x_j, of x_i, and of 1, by the size of the upper part of a coalition and its setting of the block."""
    by_size = [2 / (n * comb(n - 1, s)) if taylor else 1 / ((n - 1) * comb(n - 2, s)) for s in range(n - 1)]
    weight = np.array([0.0, 0.0, *by_size, 0.0, 0.0])  # of s = −2 … n
    size = np.arange(n - low + 1)[:, None] + np.bitwise_count(np.arange(1 << low)) + 2
    two, one, none = weight[size - 2], weight[size - 1], weight[size]
    return two + 2 * one + none, one + none, none


# of a piece: v by size and setting; Σ of weighted v by axis of the piece, and over all its leaves; totals of its leaves
Sums = tuple[Floats, Floats, Floats]


class _WalkPairs(WalkAxes[Sums]):
    """The walk of `hypercube`, which also adds up what the pairs of an upper and a lower axis need."""

    def __init__(self, tree: Tree, taylor: bool) -> None:
        super().__init__(tree)
        self.pair, self.single, _ = _weigh_coalitions(self.n, self.low, taylor)

    def begin(self) -> None:
        self.by_size = np.zeros(self.pair.shape)
        self.weighted = np.zeros((self.below + 1, 1 << self.low))
        self.totals = np.zeros((2, self.leaves))

    def finish(self) -> Sums:
        return self.by_size, self.weighted, self.totals

    def add_leaf(self, setting: int, size: int, value: Floats) -> None:
        self.by_size[size] += value
        if self.low < self.n:
            weighted = value * self.pair[size]
            self.weighted[-1] += weighted
            for axis in range(self.below):
                if setting >> axis & 1:
                    self.weighted[axis] += weighted
            self.totals[0, setting] = weighted.sum()
            self.totals[1, setting] = value @ self.single[size]


def _walk_pairs(tree: Tree, taylor: bool) -> Iterator[Sums]:
    with np.errstate(over="ignore"):
        yield from _WalkPairs(tree, taylor).pieces()


def _compute_pairs(tree: Tree, piece: int, taylor: bool) -> Sums:
    with np.errstate(over="ignore"):
        return next(_WalkPairs(tree, taylor).pieces(piece))
