"""Exact Shapley values of an acyclic game from all 2ⁿ coalitions, in blocks that stay in cache.

Players are axes: axis 0 is nearest to the topic, the last axes are sources. A block holds all 2ᵐ settings of the last
m axes, as an array with an axis of two for each; the strength of an argument varies along the axes of its ancestors
alone, and has length 1 along the others. The other axes are walked as a binary tree, the deepest of them at the
root: when a player is taken in, its strength in all settings is computed once and handed to its children's
aggregates, and the whole subtree below reuses it. A leaf evaluates the topic alone. So 2ⁿ numbers are never
stored, and every argument is evaluated once per setting of its own side of the tree.

With w(s) = s! (n−s−1)!/n!, the weight of a coalition of size s without the player,

    φ_i = Σ_{S ∋ i} (w(|S|−1) + w(|S|)) v(S) − Σ_S w(|S|) v(S),        w(−1) = w(n) = 0,

so a leaf only adds its block to a sum by size, and keeps one weighted total for the axes of the tree.

The tree is cut into pieces of 2^AXES_PER_PIECE leaves, whose sums are added up in order. With an executor each piece is
sent there; the numbers are the same to the last bit. A tree of one piece (up to 19 players) is not worth sending.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np

from ...engine.backend import NUMPY, Backend, run_tasks
from ...engine.update import Received, make_accumulator
from ...semantics import Semantics
from ...types import Floats, Integers, Progress
from .coalitions import weigh_sizes
from .game import Game

AXES_PER_BLOCK = NUMPY.axes_per_block  # 64 kB an array
MAX_PLAYERS_PER_BLOCK = 14  # up to which one block holds all
AXES_PER_PIECE = NUMPY.axes_per_piece  # upper axes: 2^6 leaves of 2^13 coalitions, some hundredths of a second

Found = TypeVar("Found")  # what the leaves of a piece add up to
ReceivedByAxis = dict[int, Received]


@dataclass(frozen=True)
class Axes:
    """The arguments of a game by axis, the topic last: what does not depend on base scores."""

    order: Integers  # the argument of each axis
    players: Integers  # the axis of each player
    children: list[list[tuple[int, bool, float]]]  # of each axis: (child, whether it is a support, weight)


@dataclass(frozen=True)
class Weights:
    """By the size of the upper part of a coalition, and by its setting of the block."""

    inner: Floats  # w(|S|−1) + w(|S|)
    outer: Floats  # w(|S|)


def hypercube(game: Game, progress: Progress | None = None) -> Floats:
    """φ of every player, in the order of `game.players`."""
    if game.problem.backend is not NUMPY:
        from .device_sums import sum_on_device  # here: it imports this module

        return sum_on_device(game, progress)
    axes, tree = make_tree(game)
    n, low = len(axes.players), tree.low
    weights = _make_weights(n, low)
    by_size, upper = np.zeros(weights.inner.shape), np.zeros((tree.pieces, tree.leaves))
    executor = game.problem.executor if tree.pieces > 1 else None
    tasks = ((tree, piece) for piece in range(tree.pieces))
    found = _walk(tree) if executor is None else run_tasks(executor, _compute_piece, tasks)
    for k, (sums, totals) in enumerate(found):
        by_size += sums
        upper[k] = totals
        if progress:
            progress((k + 1) * tree.leaves, upper.size)
    below = _sum_by_bit((weights.inner * by_size).sum(axis=0), low)[::-1]  # axis n − low first
    above = _sum_by_bit(upper.reshape(-1), n - low)
    rest = (weights.outer * by_size).sum()
    return np.asarray((np.concatenate((above, below)) - rest)[axes.players])


def make_tree(game: Game, backend: Backend = NUMPY) -> tuple[Axes, Tree]:
    """The axes of a game, and the tree to walk."""
    axes = game.whole.qbaf.structure.remember(Axes, game.key, lambda: _order_axes(game))
    n, base = len(axes.players), game.problem.qbaf.base_array[axes.order]
    if backend is not NUMPY:
        return axes, Tree(game.problem.semantics, base, axes.children, min(n, backend.axes_per_block), backend)
    low = n if n <= MAX_PLAYERS_PER_BLOCK else AXES_PER_BLOCK
    return axes, Tree(game.problem.semantics, base, axes.children, low)


@dataclass(frozen=True)
class Tree:
    """What one needs to walk any piece of the tree."""

    semantics: Semantics
    base: Floats  # by axis, the topic last
    children: list[list[tuple[int, bool, float]]]
    low: int
    backend: Backend = NUMPY

    @property
    def axes_per_piece(self) -> int:
        """The upper axes of a piece."""
        most = AXES_PER_PIECE if self.backend is NUMPY else self.backend.axes_per_piece
        return min(most, self.upper)

    @property
    def upper(self) -> int:
        """The axes above a block."""
        return len(self.children) - 1 - self.low

    @property
    def leaves(self) -> int:
        """The leaves of a piece."""
        return 1 << self.axes_per_piece

    @property
    def pieces(self) -> int:
        return 1 << (self.upper - self.axes_per_piece)


# of a piece: v by the size of the upper part and the block's setting; totals of its leaves
Sums = tuple[Floats, Floats]


def _walk(tree: Tree) -> Iterator[Sums]:
    """Compute all pieces, one after the other, sharing what they have in common."""
    with np.errstate(over="ignore"):
        yield from _Walk(tree).pieces()


def _compute_piece(tree: Tree, piece: int) -> Sums:
    """Compute one piece, as another thread, process or machine does."""
    with np.errstate(over="ignore"):
        return next(_Walk(tree).pieces(piece))


def _sum_by_bit(values: Floats, bits: int) -> Floats:
    """For each bit the sum over the indices that have it."""
    half = bits // 2
    table = values.reshape(-1, 1 << half)
    parts = ((half, table.sum(axis=0)), (bits - half, table.sum(axis=1)))
    return np.concatenate([(list_bits(count) * sums).sum(axis=1) for count, sums in parts if count] or [np.zeros(0)])


@lru_cache(maxsize=64)
def list_bits(count: int) -> Floats:
    """(count, 2^count): 1 where the index has the bit."""
    return np.asarray(np.arange(1 << count) >> np.arange(count)[:, None] & 1, float)


def _order_axes(game: Game) -> Axes:
    """Whoever has more descendants comes later, which is a topological order, and puts the axes that most arrays
    share last, where they are contiguous."""
    qbaf, n = game.problem.qbaf, len(game.players)
    sources, targets = qbaf.sources.tolist(), qbaf.targets.tolist()
    below = [1 << i for i in range(n + 1)]  # descendants, as bits
    into: list[list[int]] = [[] for _ in below]
    for s, t in zip(sources, targets, strict=True):
        into[t].append(s)
    for t in reversed(qbaf.structure.evaluation_order):
        for s in into[t]:
            below[s] |= below[t]
    order = sorted(range(n + 1), key=lambda i: below[i].bit_count())
    order.remove(game.topic_column)
    order.append(game.topic_column)
    axis = {argument: k for k, argument in enumerate(order)}
    children: list[list[tuple[int, bool, float]]] = [[] for _ in order]
    for s, t, w in zip(sources, targets, qbaf.weights.tolist(), strict=True):
        children[axis[s]].append((axis[t], not np.signbit(w), abs(w)))
    columns = game.places.tolist()
    return Axes(np.array(order, np.intp), np.array([axis[i] for i in columns], np.intp), children)


@lru_cache(maxsize=32)
def _make_weights(n: int, low: int) -> Weights:
    weight = np.append(weigh_sizes(n), 0.0)  # w(n) = 0
    both = weight + np.append(0.0, weight[:-1])
    size = np.bitwise_count(np.arange(2**low))
    total = np.arange(n - low + 1)[:, None] + size
    return Weights(both[total], weight[total])


class WalkAxes(ABC, Generic[Found]):
    """The walk over the upper axes; subclasses say what the leaves of a piece add up to."""

    def __init__(self, tree: Tree) -> None:
        semantics, low = tree.semantics, tree.low
        self.n, self.low, self.leaves = len(tree.children) - 1, low, tree.leaves
        self.children = tree.children
        self.arrays = tree.backend.arrays
        self.arguments = make_accumulator(semantics, low, tree.backend)
        self.below = tree.axes_per_piece  # the axes of a piece are those before this one
        scores = tree.base.tolist()
        self.base = [np.asarray(each) for each in scores] if tree.backend is NUMPY else scores

    @abstractmethod
    def begin(self) -> None:
        """Begin a piece with sums of 0."""

    @abstractmethod
    def add_leaf(self, setting: int, size: int, value: Floats) -> None:
        """Add a leaf: v by the setting of the block, the piece's own axes in `setting`, `size` upper players there."""

    @abstractmethod
    def finish(self) -> Found:
        """Give the sums of the piece."""

    def pieces(self, only: int | None = None) -> Iterator[Found]:
        """The block's own axes, then the tree above them, piece by piece; or one piece alone."""
        received: ReceivedByAxis = {}
        for axis in range(self.n - 1, self.n - self.low - 1, -1):
            strength = self.arrays.asarray(self._strength(axis, received))
            received.pop(axis, None)
            place = axis - self.n + self.low
            own = strength.shape[place + 1 :] if strength.ndim else (1,) * (self.low - place - 1)
            both = self.arrays.zeros((*[1] * place, 2, *own))
            both.reshape(2, -1)[1] = strength.reshape(-1)
            self._hand_on(axis, both, received)
        return self._descend(self.n - self.low, 0, received, only)

    def _descend(self, axis: int, size: int, received: ReceivedByAxis, only: int | None) -> Iterator[Found]:
        """All settings of the axes before `axis`, given those from `axis` on, down to the pieces."""
        if axis == self.below:
            self.begin()
            self._walk_piece(axis, 0, size, received)
            yield self.finish()
            return
        axis -= 1
        wanted = None if only is None else only >> (axis - self.below) & 1
        if wanted != 1:
            yield from self._descend(axis, size, received, only)
        if wanted != 0:
            yield from self._descend(axis, size + 1, self._take_in(axis, received), only)

    def _walk_piece(self, axis: int, setting: int, size: int, received: ReceivedByAxis) -> None:
        """The same inside a piece, down to the leaves."""
        if axis == 0:
            self.evaluate_leaf(setting, size, received)
            return
        axis -= 1
        self._walk_piece(axis, setting, size, received)
        self._walk_piece(axis, setting | 1 << axis, size + 1, self._take_in(axis, received))

    def evaluate_leaf(self, setting: int, size: int, received: ReceivedByAxis) -> None:
        """Compute the strength of the topic in every setting of the block, and add it."""
        self.add_leaf(setting, size, self._spread(self._strength(self.n, received)))

    def _spread(self, strength: Floats) -> Floats:
        """The strength of the topic in every setting of the block, as a vector."""
        spread: Floats = self.arrays.broadcast_to(self.arrays.asarray(strength), (2,) * self.low).reshape(-1)
        return spread

    def _take_in(self, axis: int, received: ReceivedByAxis) -> ReceivedByAxis:
        """What all have received once the player of this axis is there too."""
        taken = dict(received)
        self._hand_on(axis, self._strength(axis, received), taken)
        return taken

    def _strength(self, axis: int, received: ReceivedByAxis) -> Floats:
        return self.arguments.strength(self.base[axis], received.get(axis))

    def _hand_on(self, axis: int, strength: Floats, received: ReceivedByAxis) -> None:
        """Add a strength to what its children have received."""
        for child, support, weight in self.children[axis]:
            received[child] = self.arguments.add(received.get(child), strength, support, weight)


class _Walk(WalkAxes[Sums]):
    """The walk for Shapley values."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self.inner = _make_weights(self.n, self.low).inner

    def begin(self) -> None:
        self.by_size = np.zeros(self.inner.shape)  # sums of v, by the size of the upper part
        self.upper = np.zeros(self.leaves)  # Σ (w(|S|−1) + w(|S|)) v(S), by the setting of the axes of the piece

    def add_leaf(self, setting: int, size: int, value: Floats) -> None:
        self.by_size[size] += value
        if self.low < self.n:
            self.upper[setting] = value @ self.inner[size]

    def finish(self) -> Sums:
        return self.by_size, self.upper
