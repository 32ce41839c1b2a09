"""Memoised coalition values v(S), keyed by the part of S that is connected to the topic.

Coalitions are noted first and solved later, many at a time: so an executor gets shares that are worth sending.
"""

from __future__ import annotations

import numpy as np

from ...types import Bools, Floats, Progress
from ..players import Game
from .coalitions import connected_part, pack, unpack

SHARES = 16  # that are solved between two reports of progress, where there is an executor


class Worth:
    """The values of coalitions of one game; `evaluations` is how many sub-graphs are solved for them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[bytes, float] = {}
        self.waiting: dict[bytes, None] = {}  # in the order of their coming
        ends = np.zeros((2, len(game.players)), bool)
        ends[1] = True
        self.empty, self.full = self.recall(self.note(ends)).tolist()

    @property
    def evaluations(self) -> int:
        return len(self.known) + len(self.waiting)

    def keys(self, coalitions: Bools) -> list[bytes]:
        """Which sub-graph each coalition stands for."""
        words = pack(connected_part(self.game.graph, coalitions))
        raw, width = words.tobytes(), words.shape[1] * 8
        return [raw[k : k + width] for k in range(0, len(raw), width)]

    def is_new(self, key: bytes) -> bool:
        return key not in self.known and key not in self.waiting

    def note(self, coalitions: Bools) -> list[bytes]:
        """Remember to solve these; their keys."""
        keys = self.keys(coalitions)
        self.note_keys(keys)
        return keys

    def note_keys(self, keys: list[bytes]) -> None:
        self.waiting.update((key, None) for key in keys if key not in self.known)

    def solve(self, progress: Progress | None = None) -> None:
        """Solve what was noted; progress is reported as (solved, evaluations)."""
        keys, problem = list(self.waiting), self.game.problem
        some = problem.share * (1 if problem.executor is None else SHARES)
        for first in range(0, len(keys), some):
            chosen = keys[first : first + some]
            words = np.frombuffer(b"".join(chosen), np.uint64).reshape(len(chosen), -1)
            values = self.game.values(unpack(words, len(self.game.players)))
            self.known.update(zip(chosen, values.tolist(), strict=True))
            if progress:
                progress(len(self.known), self.evaluations)
        self.waiting.clear()

    def recall(self, keys: list[bytes]) -> Floats:
        """The values of noted coalitions."""
        if self.waiting:
            self.solve()
        return np.array([self.known[key] for key in keys])
