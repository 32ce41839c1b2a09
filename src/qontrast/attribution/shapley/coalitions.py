"""Coalitions as bits, and which of their members count.

In the game of a topic t the players are its ancestors, and v(S) = σ(t) in the graph restricted to S ∪ {t}.
A member of S counts only if it reaches t inside S ∪ {t}; the others leave v(S) as it is. So the coalitions that
differ are the *connected sets*: sets C whose every member reaches t inside C ∪ {t}. The *in-boundary* B of C
are the players outside C with an edge into C ∪ {t}: they are known to be absent, everyone else is free.

A coalition of n players is a row of ⌈n/64⌉ words; bit i is player i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...types import Bools, Floats, Progress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Words = NDArray[np.uint64]  # (coalitions, words)

COALITIONS_PER_BLOCK = 1 << 15  # that grow together


@dataclass(frozen=True)
class Neighbours:
    """Who has an edge into whom."""

    next_to_topic: Bools  # (players,): who has an edge into the topic
    edges: tuple[NDArray[np.integer], NDArray[np.integer]]  # sources and targets of those among players

    @property
    def players(self) -> int:
        return len(self.next_to_topic)

    @cached_property
    def topic(self) -> Words:
        """(words,): the players with an edge into the topic."""
        return pack(self.next_to_topic[None])[0]

    @cached_property
    def into(self) -> Words:
        """(players, words): the players with an edge into each; made only where connected sets are listed."""
        source, target = self.edges
        found = np.zeros((self.players, len(self.topic)), np.uint64)
        np.bitwise_or.at(found, (target, source // 64), np.left_shift(np.uint64(1), (source % 64).astype(np.uint64)))
        return found

    @cached_property
    def outgoing(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.integer]]:
        """The players with edges to others, where their edges start in the list of targets, and these targets."""
        source, target = self.edges
        order = np.argsort(source, kind="stable")
        sources, starts = np.unique(source[order], return_index=True)
        return sources.astype(np.intp), starts, target[order]

    @cached_property
    def backwards(self) -> csr_array:
        """(players, players): [j, i] an edge from i to j."""
        from scipy.sparse import csr_array  # here: SciPy takes longer to import than NumPy

        source, target = self.edges
        return csr_array((np.ones(len(source), np.float32), (target, source)), shape=(self.players, self.players))


def find_neighbours(players: int, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> Neighbours:
    """From edges among players 0 … n − 1, the topic being n."""
    source, target = sources[sources < players], targets[sources < players]
    near = np.zeros(players, bool)
    near[source[target == players]] = True
    inner = target < players
    return Neighbours(near, (source[inner], target[inner]))


def weigh_sizes(n: int) -> Floats:
    """w(s) = s! (n−s−1)!/n! for s = 0 … n − 1: the weight of a coalition of s of the other players.

    >>> weigh_sizes(3).tolist()
    [0.3333333333333333, 0.16666666666666666, 0.3333333333333333]
    """
    return np.array([1 / (n * comb(n - 1, s)) for s in range(n)])


def list_coalitions(n: int, first: int = 0, stop: int | None = None) -> Bools:
    """The coalitions of n players from number `first` to `stop`, all by default; bit i of the number is player i."""
    numbers = np.arange(first, 1 << n if stop is None else stop)
    return (numbers[:, None] >> np.arange(n) & 1).astype(bool)


def weigh_coalitions(coalitions: Bools) -> Floats:
    """The weights of these coalitions in the Shapley value of each player, (coalitions, players).

    φ = v @ weights over all coalitions: a coalition counts w(|S|−1) for its members, −w(|S|) for all others.

    >>> every = list_coalitions(2)  # ∅, {0}, {1}, {0, 1}
    >>> (np.array([0.0, 1.0, 2.0, 5.0]) @ weigh_coalitions(every)).tolist()
    [2.0, 3.0]
    """
    n = coalitions.shape[1]
    weight, size = weigh_sizes(n), coalitions.sum(axis=1)
    inside, outside = weight[np.maximum(size - 1, 0)], weight[np.minimum(size, n - 1)]
    return np.where(coalitions, inside[:, None], -outside[:, None])


def sum_coalitions(
    values: Callable[[Bools], Floats], players: int, block: int = 1 << 12, progress: Progress | None = None
) -> Floats:
    """The Shapley values (…, players) of any game, from all its coalitions, a block of them at a time.

    `values` gives v of these coalitions (coalitions, players) along its last axis: (…, coalitions).

    >>> sum_coalitions(lambda coalitions: coalitions @ [1.0, 2.0] + 2.0 * coalitions.all(axis=1), players=2).tolist()
    [2.0, 3.0]
    """
    total, phi = 1 << players, np.zeros(players)
    for first in range(0, total, block):
        coalitions = list_coalitions(players, first, min(first + block, total))
        phi = phi + values(coalitions) @ weigh_coalitions(coalitions)
        if progress:
            progress(first + len(coalitions), total)
    return phi


def pack(members: Bools) -> Words:
    """Rows of booleans as rows of words."""
    bits = np.packbits(members, axis=1, bitorder="little")
    words = max(1, -(-members.shape[1] // 64))
    room = np.zeros((len(members), 8 * words), np.uint8)
    room[:, : bits.shape[1]] = bits
    return room.view("<u8").astype(np.uint64)


def unpack(words: Words, players: int) -> Bools:
    """Rows of words as rows of booleans."""
    bits = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    return np.unpackbits(bits, axis=1, count=players, bitorder="little").view(bool)


def find_connected_sets(graph: Neighbours, block: int = COALITIONS_PER_BLOCK) -> Iterator[tuple[Words, Words]]:
    """All connected sets with their in-boundaries, in blocks, each once.

    A coalition grows by deciding one undecided in-neighbour at a time, in or out; when none is left, those
    left out are exactly its in-boundary. Work waits on a stack of blocks, so memory stays small.
    """
    words = len(graph.topic)
    nothing = np.zeros((1, words), np.uint64)
    stack = [(nothing, nothing, graph.topic[None].copy())]  # members, left out, in-neighbours not yet decided
    ready: list[tuple[Words, Words]] = []  # a chain ends one set at a time: wait until there is a block of them
    waiting = 0
    while stack:
        members, out, open_ = stack.pop()
        done = ~open_.any(axis=1)
        if done.any():
            ready.append((members[done], out[done]))
            waiting += len(ready[-1][0])
            members, out, open_ = members[~done], out[~done], open_[~done]
        if waiting >= block or not (stack or len(members)):
            yield np.concatenate([each[0] for each in ready]), np.concatenate([each[1] for each in ready])
            ready, waiting = [], 0
        if not len(members):
            continue
        joined = _decide(graph, members, out, open_)
        for first in range(0, len(joined[0]), block):
            here = slice(first, first + block)
            stack.append((joined[0][here], joined[1][here], joined[2][here]))


def _decide(graph: Neighbours, members: Words, out: Words, open_: Words) -> tuple[Words, Words, Words]:
    """Decide one undecided in-neighbour of each coalition: first all with it, then all without it."""
    one, player = _lowest(open_)
    after = (open_ | graph.into[player]) & ~one & ~members & ~out
    return (
        np.concatenate((members | one, members)),
        np.concatenate((out, out | one)),
        np.concatenate((after, open_ & ~one)),
    )


def estimate_connected_sets(graph: Neighbours, runs: int = 32, kept: int = 1 << 11) -> tuple[float, float]:
    """Estimate the number of connected sets, without bias, and the standard error of the estimate.

    Coalitions grow as in `find_connected_sets`, all at once. When they become too many, some are drawn at random, and
    each of these stands for several.
    """
    rng, found = np.random.default_rng(0), []
    nothing = np.zeros((1, len(graph.topic)), np.uint64)
    for _ in range(runs):
        members, out, open_, total, weight = nothing, nothing, graph.topic[None], 0.0, 1.0
        while len(members):
            going = open_.any(axis=1)
            total += weight * float((~going).sum())
            places = np.flatnonzero(going)
            if len(places) > kept:
                weight *= len(places) / kept
                places = rng.choice(places, kept, replace=False, shuffle=False)
            if not len(places):
                break
            members, out, open_ = _decide(graph, members[places], out[places], open_[places])
        found.append(total)
    return float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(runs))


def _lowest(words: Words) -> tuple[Words, NDArray[np.intp]]:
    """The lowest bit of each row, as a row of its own and as a player."""
    rows = np.arange(len(words))
    which = (words != 0).argmax(axis=1)
    word = words[rows, which]
    bit = word & (~word + np.uint64(1))
    one = np.zeros_like(words)
    one[rows, which] = bit
    return one, which * 64 + np.bitwise_count(bit - np.uint64(1)).astype(np.intp)


def join_blocks(blocks: Iterable[tuple[Words, Words]], size: int) -> Iterator[tuple[Words, Words]]:
    """The same rows in blocks of at least this size but the last: small ones cost more than their share."""
    waiting: list[tuple[Words, Words]] = []
    rows = 0
    for block in blocks:
        waiting.append(block)
        rows += len(block[0])
        if rows >= size:
            yield np.concatenate([each[0] for each in waiting]), np.concatenate([each[1] for each in waiting])
            waiting, rows = [], 0
    if waiting:
        yield np.concatenate([each[0] for each in waiting]), np.concatenate([each[1] for each in waiting])


def bound_connected_sets(players: int, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> int:
    """A lower bound on the number of connected sets, without looking at any: those of one spanning tree.

    A sub-tree around the topic is a connected set, and Π (1 + sub-trees of a child) counts them; exact for trees.

    >>> bound_connected_sets(3, np.array([0, 1, 2]), np.array([3, 3, 1]))
    6
    """
    parent = _span_tree(players, sources, targets)
    count = [1] * (players + 1)
    for player in list(parent)[:0:-1]:  # children before their parents
        above = parent[player]
        count[above] *= 1 + count[player]
        if count[above].bit_length() > 4096:  # more than anyone can count: a bound is a bound
            return count[above]
    return count[players]


def find_depth(players: int, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> int:
    """The largest number of edges on a shortest path from a player to the topic, number `players`.

    >>> find_depth(3, np.array([0, 1, 2]), np.array([3, 3, 1]))
    2
    """
    depth: dict[int, int] = {}
    for player, above in _span_tree(players, sources, targets).items():
        depth[player] = depth.get(above, -1) + 1
    return max(depth.values())


def _span_tree(players: int, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> dict[int, int]:
    """Of every player, the next one on a shortest path to the topic; the nearest first, the topic itself before all."""
    into: list[list[int]] = [[] for _ in range(players + 1)]
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        into[target].append(source)
    order, parent = [players], {players: players}
    for target in order:  # breadth first: it grows on the way
        for source in into[target]:
            if source not in parent:
                parent[source] = target
                order.append(source)
    return parent


def find_smallest_connected(graph: Neighbours, most: int) -> Words:
    """Up to `most` non-empty connected sets, the smallest first; a size that does not fit whole is cut off evenly."""
    n = graph.players
    layer = pack(np.eye(n, dtype=bool)[graph.next_to_topic])
    found: list[Words] = []
    room = most
    while len(layer) and room > 0:
        if len(layer) > room:
            layer = layer[np.linspace(0, len(layer) - 1, room).astype(int)]
        found.append(layer)
        room -= len(layer)
        if room <= 0:
            break
        layer = _one_more(graph, layer, limit=4 * room + 1000)
    return np.concatenate(found) if found else np.zeros((0, len(graph.topic)), np.uint64)


def _one_more(graph: Neighbours, sets: Words, limit: int) -> Words:
    """The connected sets that have one member more than one of these."""
    n = graph.players
    made: list[Words] = []
    total = 0
    for first in range(0, len(sets), 1024):
        some = sets[first : first + 1024]
        members = unpack(some, n)
        near = (members.astype(np.float32) @ graph.backwards > 0) | graph.next_to_topic
        row, player = np.nonzero(near & ~members)
        grown = members[row]
        grown[np.arange(len(row)), player] = True
        made.append(pack(grown))
        total += len(row)
        if total > 8 * limit:  # far more than can be used: enough to choose from
            break
    every = np.concatenate(made) if made else np.zeros((0, sets.shape[1]), np.uint64)
    return np.unique(every, axis=0)


def keep_connected(graph: Neighbours, members: Bools) -> Bools:
    """The members of each coalition that reach the topic inside it."""
    inside = pack(members.T)  # a row for each player, whose bits are coalitions
    reached = np.where(graph.next_to_topic[:, None], inside, np.uint64(0))
    sources, starts, targets = graph.outgoing
    allowed = inside[sources]
    while len(sources):
        here = reached[sources]
        grown = here | np.bitwise_or.reduceat(reached[targets], starts, axis=0) & allowed
        if np.array_equal(grown, here):
            break
        reached[sources] = grown
    return np.ascontiguousarray(unpack(reached, len(members)).T)
