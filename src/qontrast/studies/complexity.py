"""Algorithm 1 against the naive way: calls of the CAF, and operations, for T topics.

Naive: T (T − 1) calls; with antisymmetry half of them. Algorithm 1: T − 1 calls and (T − 1)(T − 2)/2 additions.
Both are counted on the run, with a CAF that is cheap and additive: Φ_{i⪰j}(x) = φ_i(x) − φ_j(x) from a table of φ.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from ..explain.pairs import chained_pairs
from ..show.numbers import number
from ..types import Name, Progress
from .page import Claim, Number, Page

SIZES = (2, 3, 5, 10, 20, 50, 100, 200)


class Counted:
    """An additive CAF of one contributor, that counts how often it is called."""

    def __init__(self, topics: int, seed: int = 0) -> None:
        self.phi = np.random.default_rng(seed).uniform(-1, 1, topics).tolist()
        self.calls = 0

    def __call__(self, fact: Name, foil: Name) -> Mapping[Name, float]:
        self.calls += 1
        return {"x": self.phi[int(fact)] - self.phi[int(foil)]}


def measured(topics: int, naive: bool = True) -> dict[str, float]:
    """Calls and additions for T topics; with the naive way too, its calls and the largest difference between them."""
    quick = Counted(topics)
    chained = chained_pairs(quick, range(topics))
    found: dict[str, float] = {"T": topics, "calls": quick.calls, "additions": chained.additions}
    if naive:
        slow = Counted(topics)
        values = {pair: slow(*pair)["x"] for pair in permutations(range(topics), 2)}
        found["difference"] = max(abs(value - chained[pair]["x"]) for pair, value in values.items())
        found["naive"] = slow.calls
    return found


def run(progress: Progress | None = None) -> Page:
    """T = 2 … 200: the table, and whether the counts are the ones of the paper's formulas at every T."""
    every = {}
    for done, topics in enumerate(range(2, 201), 1):
        every[topics] = measured(topics, naive=topics in SIZES)
        if progress:
            progress(done, 199)
    numbers = []
    for t in SIZES:
        row = every[t]
        numbers += [
            Number(f"naive CAF calls, T = {t}: T(T − 1)", str(t * (t - 1)), row["naive"], "Section 5"),
            Number(f"Algorithm 1 CAF calls, T = {t}: T − 1", str(t - 1), row["calls"], "Section 5"),
            Number(f"additions, T = {t}: (T − 2)(T − 1)/2", str((t - 2) * (t - 1) // 2), row["additions"], "Section 5"),
        ]
    right = all(r["calls"] == t - 1 and r["additions"] == (t - 1) * (t - 2) // 2 for t, r in every.items())
    same = max(every[t]["difference"] for t in SIZES)
    rows = [
        (t, t * (t - 1), t * (t - 1) // 2, int(every[t]["calls"]), int(every[t]["additions"]), t * (t - 1) / (t - 1))
        for t in SIZES
    ]
    return Page(
        title="Algorithm 1: how many CAF calls",
        introduction=(
            "All pairs of T topics, naively and by the paper's dynamic programming; the formulas are the paper's "
            "(Section “Computing Subtraction-Derived CAFs” and the proof), our numbers are counted on the run."
        ),
        numbers=numbers,
        claims=[
            Claim("T − 1 calls and (T − 2)(T − 1)/2 additions, at every T = 2 … 200", right),
            Claim("both ways give the same values", same <= 1e-12, f"largest difference {number(same)}, by rounding"),
        ],
        tables=[("Counts", ("T", "naive", "with antisymmetry", "Algorithm 1", "additions", "times fewer calls"), rows)],
        data={"counts": [{key: each[key] for key in ("T", "calls", "additions")} for each in every.values()]},
    )
