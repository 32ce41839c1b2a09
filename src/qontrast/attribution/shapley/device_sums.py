"""Exact Shapley values and interactions on a device, from the values of all 2ⁿ coalitions, block by block.

A block has all settings of its own players, and one setting of the others, the *upper* ones. The values of an acyclic
game come from the walk of `hypercube`, those of any other from lanes: all coalitions of a block are solved together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from typing import TypeVar

import numpy as np

from ...engine.backend import Backend
from ...engine.device_lanes import Row, solve_topic
from ...engine.update import FusedAccumulator
from ...types import Floats, Integers, Progress
from .coalitions import weigh_sizes
from .game import Game
from .hypercube import ReceivedByAxis, Tree, WalkAxes, list_bits, make_tree


def sum_on_device(game: Game, progress: Progress | None = None) -> Floats:
    """φ of every player, in the order of `game.players`, from all coalitions."""
    sums, order = _visit(game, Sums, progress)
    above, below, rest = sums.finish()
    return np.asarray((np.concatenate((below, above)) - rest)[order])


def sum_pairs_on_device(game: Game, taylor: bool, progress: Progress | None = None) -> Floats:
    """The interaction of every pair of players, (players, players), from all coalitions."""
    make = PairSums if not taylor else TaylorSums
    sums, order = _visit(game, make, progress)
    return np.ascontiguousarray(sums.finish_pairs()[np.ix_(order, order)])


def _visit(game: Game, make: type[AnySums], progress: Progress | None) -> tuple[AnySums, Integers]:
    """Add up the values of all coalitions; also which bit of a coalition each player is."""
    if game.is_plain and game.problem.arrays.acyclic:
        return _walk(game, make, progress)
    return _solve_lanes(game, make, progress)


def _walk(game: Game, make: type[AnySums], progress: Progress | None) -> tuple[AnySums, Integers]:
    """The values of an acyclic game come from the walk of `hypercube`."""
    axes, tree = make_tree(game, game.problem.backend)
    n, low = len(axes.players), tree.low
    sums = make(n, low, tree.backend)
    walk = _WalkOnDevice(tree, sums)
    with np.errstate(over="ignore"):
        for done in walk.pieces():
            if progress:
                tree.backend.wait()
                progress(done, 1 << (n - low))
    # the upper axes come first, and the last axis of a block is the lowest bit of a setting of it
    bits = np.concatenate((np.arange(low, n), np.arange(low)[::-1]))
    return sums, bits[axes.players]


class _WalkOnDevice(WalkAxes[int]):
    """The walk for Shapley values; the leaves come in the order of their settings."""

    arguments: FusedAccumulator

    def __init__(self, tree: Tree, sums: Sums) -> None:
        super().__init__(tree)
        self.sums, self.done = sums, 0

    def begin(self) -> None:
        """Go on with the sums of the pieces before."""

    def evaluate_leaf(self, setting: int, size: int, received: ReceivedByAxis) -> None:
        total = self.sums.by_size.get(size)
        found = None
        if total is not None:
            total = total.reshape((2,) * self.low)
            found = self.arguments.strength_and_sum(self.base[self.n], received.get(self.n), total)
        if found is None:
            super().evaluate_leaf(setting, size, received)
        else:
            self.sums.add(self.done, self._spread(found[0]), found[1].reshape(-1))
            self.done += 1

    def add_leaf(self, setting: int, size: int, value: Floats) -> None:
        self.sums.add(self.done, value)
        self.done += 1

    def finish(self) -> int:
        return self.done


def _solve_lanes(game: Game, make: type[AnySums], progress: Progress | None) -> tuple[AnySums, Integers]:
    """The values of any game; all coalitions are lanes."""
    problem, n = game.problem, len(game.players)
    backend, size = problem.backend, len(problem.qbaf)
    low = min(n, max(1, (backend.numbers_per_block // size).bit_length() - 1))
    sums, numbers = make(n, low, backend), backend.arrays.arange(1 << low)
    bits: list[Row] = [(numbers >> k) % 2 == 1 for k in range(low)]
    base = problem.qbaf.base_array.tolist()
    for setting in range(1 << (n - low)):
        there = [*bits, *(bool(setting >> k & 1) for k in range(n - low))]
        held = [None if player < 0 else there[player] for player in game.player_of.tolist()]
        values, moving = solve_topic(problem, base, held, game.topic_column, 1 << low)
        if bool(moving.any()):
            lane = int((moving > 0).argmax())
            game.refuse(np.array([lane >> k & 1 if k < low else setting >> (k - low) & 1 for k in range(n)], bool))
        sums.add(setting, values)
        if progress:
            backend.wait()
            progress(setting + 1, 1 << (n - low))
    return sums, np.arange(n)


@dataclass
class Sums:
    """Sums of v over all coalitions, weighted as Shapley values need it; see `hypercube` for the formula."""

    players: int
    low: int  # players of a block
    backend: Backend
    by_size: dict[int, Row] = field(default_factory=dict)  # sums of v by the size of the upper part

    def __post_init__(self) -> None:
        weight = np.append(weigh_sizes(self.players), 0.0)  # w(n) = 0
        self.outer, self.inner = weight, weight + np.append(0.0, weight[:-1])
        arrays, half = self.backend.arrays, self.low // 2
        one, two = (arrays.asarray(list_bits(count).sum(axis=0).astype(np.int32)) for count in (self.low - half, half))
        self.sizes = (one[:, None] + two).reshape(-1)  # of each setting of a block
        self.weights: dict[int, Row] = {}
        self.upper = arrays.zeros(1 << (self.players - self.low))

    def _weigh(self, by_size: Floats, size: int) -> Row:
        """The weight of every setting of a block beside so many upper players."""
        return self.backend.arrays.asarray(by_size[size : size + self.low + 1])[self.sizes]

    def add(self, setting: int, values: Row, total: Row | None = None) -> None:
        """Add the values of a block; bit k of `setting` says whether the k-th upper player is there.

        `total` is what they add up to with the blocks before them of the same size, where that is known.
        """
        size = setting.bit_count()
        if size not in self.by_size:
            self.by_size[size], self.weights[size] = values.copy(), self._weigh(self.inner, size)
        elif total is None:
            self.by_size[size] += values
        else:
            self.by_size[size] = total
        if self.low < self.players:
            self.upper[setting] = values @ self.weights[size]

    def finish(self) -> tuple[Floats, Floats, float]:
        """The sums over the coalitions of each upper player, of each player of a block, and over all."""
        total, rest = self.sizes * 0.0, self.backend.arrays.zeros(())
        for size, values in self.by_size.items():
            total = total + values * self.weights[size]
            rest = rest + values @ self._weigh(self.outer, size)
        above = self._sum_by_bit(self.upper, self.players - self.low)
        return above, self._sum_by_bit(total, self.low), float(rest)

    def _sum_by_bit(self, values: Row, bits: int) -> Floats:
        """For each bit the sum over the indices that have it."""
        half = bits // 2
        table = values.reshape(-1, 1 << half)
        parts = ((half, table.sum(axis=0)), (bits - half, table.sum(axis=1)))
        sums = [(list_bits(count) * self.backend.to_host(each)).sum(axis=1) for count, each in parts if count]
        return np.concatenate([np.zeros(0), *sums])


class PairSums(Sums):
    """Sums of v as the interactions of pairs need it; see `interactions` for the formula."""

    taylor = False

    def __post_init__(self) -> None:
        super().__post_init__()
        n, arrays = self.players, self.backend.arrays
        by_size = [2 / (n * comb(n - 1, s)) if self.taylor else 1 / ((n - 1) * comb(n - 2, s)) for s in range(n - 1)]
        weight = np.array([0.0, 0.0, *by_size, 0.0, 0.0])  # of s = −2 … n
        self.none, self.single = weight[2:], weight[1:-1] + weight[2:]
        self.pair = weight[:-2] + 2 * weight[1:-1] + weight[2:]
        self.by_bit = arrays.zeros((n - self.low, 1 << self.low))  # weighted v beside each upper player
        self.upper_pairs, self.upper_singles = (arrays.zeros(1 << (n - self.low)) for _ in range(2))

    def add(self, setting: int, values: Row, total: Row | None = None) -> None:
        """Add the values of a block; bit k of `setting` says whether the k-th upper player is there."""
        size = setting.bit_count()
        if size not in self.by_size:
            self.by_size[size], self.weights[size] = values.copy(), self._weigh(self.pair, size)
        elif total is None:
            self.by_size[size] += values
        else:
            self.by_size[size] = total
        if self.low < self.players:
            weighted = values * self.weights[size]
            for k in range(self.players - self.low):
                if setting >> k & 1:
                    self.by_bit[k] += weighted
            self.upper_pairs[setting] = weighted.sum()
            self.upper_singles[setting] = values @ self._weigh(self.single, size)

    def finish_pairs(self) -> Floats:
        """The interaction of every two bits of a coalition: those of a block, then the upper ones."""
        low, upper = self.low, self.players - self.low
        pairs, singles, rest = self.sizes * 0.0, self.sizes * 0.0, self.backend.arrays.zeros(())
        for size, values in self.by_size.items():
            pairs, singles = pairs + values * self.weights[size], singles + values * self._weigh(self.single, size)
            rest = rest + values @ self._weigh(self.none, size)
        both = np.zeros((self.players, self.players))
        both[:low, :low], both[low:, low:] = (
            self._sum_bit_pairs(pairs, low),
            self._sum_bit_pairs(self.upper_pairs, upper),
        )
        for k in range(upper):
            both[low + k, :low] = both[:low, low + k] = self._sum_by_bit(self.by_bit[k], low)
        alone = np.concatenate((self._sum_by_bit(singles, low), self._sum_by_bit(self.upper_singles, upper)))
        return both - alone[:, None] - alone + float(rest)

    def _sum_bit_pairs(self, values: Row, bits: int) -> Floats:
        """For every two bits the sum over the indices that have both; the diagonal has no meaning."""
        half = bits // 2
        table = values.reshape(-1, 1 << half)
        low, high = list_bits(half), list_bits(bits - half)
        columns, rows = (self.backend.to_host(table.sum(axis=axis)) for axis in (0, 1))
        found = np.zeros((bits, bits))
        found[:half, :half], found[half:, half:] = (low * columns) @ low.T, (high * rows) @ high.T
        if half:
            asarray = self.backend.arrays.asarray
            found[half:, :half] = self.backend.to_host((asarray(high) @ table) @ asarray(np.ascontiguousarray(low.T)))
            found[:half, half:] = found[half:, :half].T
        return found


class TaylorSums(PairSums):
    """The same for the Shapley–Taylor index."""

    taylor = True


AnySums = TypeVar("AnySums", bound=Sums)
