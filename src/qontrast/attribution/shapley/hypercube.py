"""Exact Shapley values of an acyclic game from all 2ⁿ coalitions, in blocks that stay in cache.

Players are axes, in topological order: axis 0 is nearest to the topic, the last axes are sources. A block holds
all 2ᵐ settings of the last m axes. The other axes are walked as a binary tree, the deepest of them at the root:
when a player is taken in, its strength in all 2ᵐ settings is computed once and handed to its children's
aggregates, and the whole subtree below reuses it. A leaf evaluates the topic alone. So 2ⁿ numbers are never
stored, and every argument is evaluated once per setting of its own side of the tree.

With w(s) = s! (n−s−1)!/n!, the weight of a coalition of size s without the player,

    φ_i = Σ_{S ∋ i} (w(|S|−1) + w(|S|)) v(S) − Σ_S w(|S|) v(S),        w(−1) = w(n) = 0,

so a leaf only adds its block to a sum by size, and keeps one weighted total for the axes of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from ...game import Game
from ...phi import Progress
from ...qbaf import Floats
from ...semantics import Semantics

LOW = 13  # axes in a block: 64 kB an array


@dataclass(frozen=True)
class Node:
    """An argument of the game as the walk sees it: its base score, and whom it hands its strength to."""

    base: float
    children: tuple[tuple[int, bool, float], ...]  # (child, whether it is a support, weight)


@dataclass
class Tally:
    """What the leaves add up to."""

    by_size: Floats  # (sizes of the upper part, 2ᵐ): sums of v
    upper: Floats  # Σ (w(|S|−1) + w(|S|)) v(S) over the block, for each setting of the upper axes
    inner: Floats  # (sizes of the upper part, 2ᵐ): w(|S|−1) + w(|S|)
    outer: Floats  # the same for w(|S|)


def hypercube(game: Game, progress: Progress | None = None) -> Floats:
    """φ of every player, in the order of `game.players`."""
    nodes, axis_of = _nodes(game)
    n = len(nodes) - 1
    low = min(LOW, n)
    tally = _tally(n, low)
    walk = _Walk(game.problem.semantics, nodes, low, tally, progress)
    with np.errstate(over="ignore"):
        walk.start()
    below = _with_bit((tally.inner * tally.by_size).sum(axis=0), low)[::-1]  # axis n − low first
    above = _with_bit(tally.upper, n - low)
    rest = float((tally.outer * tally.by_size).sum())
    return (np.concatenate((above, below)) - rest)[axis_of]


def _with_bit(values: Floats, bits: int) -> list[float]:
    """For each bit the sum over the indices that have it."""
    return [float(values.reshape(-1, 2, 1 << bit)[:, 1].sum()) for bit in range(bits)]


def _nodes(game: Game) -> tuple[list[Node], Any]:
    """The arguments by axis, the topic last; and the axis of every player."""
    qbaf, arrays = game.problem.qbaf, game.problem.arrays
    topic = qbaf.index(game.whole.qbaf.arguments[game.topic])
    ordered = [i for i in arrays.order[::-1].tolist() if i != topic] + [topic]
    axis = {argument: k for k, argument in enumerate(ordered)}
    children: list[list[tuple[int, bool, float]]] = [[] for _ in ordered]
    for s, t, w in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True):
        children[axis[s]].append((axis[t], not np.signbit(w), abs(w)))
    nodes = [Node(float(qbaf.base_array[i]), tuple(children[k])) for k, i in enumerate(ordered)]
    columns = np.searchsorted(game.members, game.players).tolist()
    return nodes, np.array([axis[i] for i in columns], np.intp)


def _tally(n: int, low: int) -> Tally:
    weight = np.array([1 / (n * comb(n - 1, s)) for s in range(n)] + [0.0])  # w(s); w(n) = 0
    both = weight + np.append(0.0, weight[:-1])
    size = np.bitwise_count(np.arange(2**low))
    total = np.arange(n - low + 1)[:, None] + size
    return Tally(np.zeros(total.shape), np.zeros(2 ** (n - low)), both[total], weight[total])


class _Walk:
    """The walk over the upper axes. What an argument has received so far is a pair (attacks, supports)."""

    def __init__(
        self, semantics: Semantics, nodes: list[Node], low: int, tally: Tally, progress: Progress | None
    ) -> None:
        self.semantics, self.nodes, self.tally, self.progress = semantics, nodes, tally, progress
        self.n, self.low, self.leaves = len(nodes) - 1, low, 0
        fold = semantics.aggregation.fold
        if fold is None:  # a user's own aggregation: gather the parents, reduce at the end
            self.lift: Any = lambda x: (x,)
            self.combine: Any = lambda y, x: y + x
            self.finish: Any = lambda att, sup: semantics.aggregation.energy(_stacked(att), _stacked(sup))
            self.nothing: Any = ()
        else:
            self.lift, self.combine, self.finish = fold.lift, fold.combine, fold.finish
            self.nothing = self.lift(np.zeros(1))  # an x of 0 is without effect

    def start(self) -> None:
        """The block's own axes, then the tree above them."""
        received: dict[int, tuple[Any, Any]] = {}
        for bit in range(self.low):  # arrays over the axes so far double with each axis: first without it, then with it
            axis = self.n - 1 - bit
            taken = np.broadcast_to(self._strength(axis, received), (1 << bit,))
            received.pop(axis, None)
            received = {child: (_twice(attacks), _twice(supports)) for child, (attacks, supports) in received.items()}
            received = self._hand_on(axis, np.concatenate((np.zeros(1 << bit), taken)), received)
        self._descend(self.n - self.low, 0, 0, received)

    def _descend(self, axis: int, setting: int, size: int, received: dict[int, tuple[Any, Any]]) -> None:
        """All settings of the axes before `axis`, given those from `axis` on."""
        if axis == 0:
            self._leaf(setting, size, received)
            return
        axis -= 1
        self._descend(axis, setting, size, received)
        taken = self._hand_on(axis, self._strength(axis, received), received)
        self._descend(axis, setting | 1 << axis, size + 1, taken)

    def _leaf(self, setting: int, size: int, received: dict[int, tuple[Any, Any]]) -> None:
        value = np.broadcast_to(self._strength(self.n, received), (2**self.low,))
        self.tally.by_size[size] += value
        self.tally.upper[setting] = value @ self.tally.inner[size]
        self.leaves += 1
        if self.progress and (self.leaves % 64 == 0 or self.leaves == len(self.tally.upper)):
            self.progress(self.leaves, len(self.tally.upper))

    def _strength(self, axis: int, received: dict[int, tuple[Any, Any]]) -> Floats:
        node, influence = self.nodes[axis], self.semantics.influence
        if axis not in received and influence.neutral:
            return np.full(1, node.base)
        attacks, supports = received.get(axis, (self.nothing, self.nothing))
        return influence.strength(np.full(1, node.base), np.asarray(self.finish(attacks, supports)))

    def _hand_on(self, axis: int, strength: Floats, received: dict[int, tuple[Any, Any]]) -> dict[int, tuple[Any, Any]]:
        after = dict(received)
        for child, support, weight in self.nodes[axis].children:
            lifted = self.lift(strength if weight == 1 else weight * strength)
            attacks, supports = after.get(child, (self.nothing, self.nothing))
            if support:
                after[child] = (attacks, self.combine(supports, lifted))
            else:
                after[child] = (self.combine(attacks, lifted), supports)
        return after


def _stacked(blocks: tuple[Floats, ...]) -> Floats:
    return np.stack(np.broadcast_arrays(*blocks)) if blocks else np.zeros((0, 1))


def _twice(blocks: Any) -> Any:
    if isinstance(blocks, tuple):
        return tuple(_twice(each) for each in blocks)
    return blocks if len(blocks) == 1 else np.concatenate((blocks, blocks))
