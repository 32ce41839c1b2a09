"""v(S) with a memory: a coalition is worth what its connected part is worth, and each part is solved once."""

from __future__ import annotations

import numpy as np

from ...coalitions import Bools, connected_part, pack
from ...game import Game
from ...qbaf import Floats

LANES = 4096


class Worth:
    """The values of coalitions of one game; `evaluations` is how many sub-graphs were solved for them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[bytes, float] = {}
        ends = np.zeros((2, len(game.players)), bool)
        ends[1] = True
        self.empty, self.full = self(ends).tolist()

    @property
    def evaluations(self) -> int:
        return len(self.known)

    def __call__(self, coalitions: Bools) -> Floats:
        """v of each coalition."""
        parts, keys = self.parts(coalitions)
        self.learn(parts, keys)
        return self.recall(keys)

    def parts(self, coalitions: Bools) -> tuple[Bools, list[bytes]]:
        """Which sub-graph each coalition stands for, and its key."""
        parts = connected_part(self.game.graph, coalitions)
        words = pack(parts)
        raw, width = words.tobytes(), words.shape[1] * 8
        return parts, [raw[k : k + width] for k in range(0, len(raw), width)]

    def learn(self, parts: Bools, keys: list[bytes]) -> None:
        """Solve those that are not known yet."""
        new = {key: row for row, key in enumerate(keys) if key not in self.known}
        rows = list(new.values())
        for first in range(0, len(rows), LANES):
            some = rows[first : first + LANES]
            values = self.game.values(parts[some])
            self.known.update(zip((keys[row] for row in some), values.tolist(), strict=True))

    def recall(self, keys: list[bytes]) -> Floats:
        return np.array([self.known[key] for key in keys])
