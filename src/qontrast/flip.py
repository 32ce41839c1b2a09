"""The other half of a contrastive question: what would have to change for the foil to win?

Two answers. The smallest change of base scores,

    minimise ‖τ′ − τ‖₁   subject to   σ′(fact) − σ′(foil) ≤ −margin,   0 ≤ τ′ ≤ 1,

found by linearising the gap with its exact gradient, again and again, inside a trust region: with one linear
constraint the best change is greedy, the steepest arguments first. And the smallest set of arguments whose removal
does it. Both are verified by solving again; the first is the smallest that was found from several starts, the second
is proved smallest where all smaller sets were tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from .arrays import ancestors
from .attribution.gradient import slopes
from .errors import InvalidInput, UndefinedStrength
from .plain import plain
from .qbaf import Floats, Integers, Name, Qbaf
from .semantics import Semantics
from .solve import Problem, problem
from .words import number

MARGIN = 1e-6  # so that the foil is ahead, and not only level up to rounding
SUBSETS = 100_000  # sets of one size that are tried before a greedy search takes over
NORMS = {"l1": 1, "l2": 2}


@dataclass(frozen=True, eq=False)
class Flip:
    """What would make the foil win. A part that is impossible is None, with the best gap that was reached.

    `change` maps arguments to (old, new) base score at `cost`; `removal` names arguments to remove, `proved` that no
    smaller set does it.
    """

    qbaf: Qbaf = field(repr=False)
    fact: Name
    foil: Name
    gap: float
    change: Mapping[Name, tuple[float, float]] | None
    cost: float | None
    change_gap: float  # σ(fact) − σ(foil) after the change, or the least that was reached
    removal: tuple[Name, ...] | None
    removal_gap: float
    proved: bool
    norm: str
    semantics: str

    def changed(self) -> Qbaf:
        """The graph with the changed base scores."""
        if self.change is None:
            raise InvalidInput(f"no change of base scores makes {self.foil!r} win; there is nothing to apply")
        return self.qbaf.with_base_scores({name: new for name, (_, new) in self.change.items()})

    def removed(self) -> Qbaf:
        """The graph without the removed arguments."""
        if self.removal is None:
            raise InvalidInput(f"no removal makes {self.foil!r} win; there is nothing to apply")
        return self.qbaf.without(*self.removal)

    def __str__(self) -> str:
        label = self.qbaf.label
        fact, foil = label(self.fact), label(self.foil)
        if self.gap <= -MARGIN:
            return f"{foil} is ahead of {fact} already, by {number(-self.gap)}; nothing has to change."
        if self.change is None:
            text = f"No change of base scores makes {foil} win over {fact}; {_reached(self.change_gap)}."
        else:
            moves = ", ".join(f"{label(x)} from {old:.3f} to {new:.3f}" for x, (old, new) in self.change.items())
            text = f"{foil} would win over {fact} with {moves} ({self.norm.upper()} change {self.cost:.3f})."
        if self.removal is None:
            return f"{text} Removing arguments does not do it; {_reached(self.removal_gap)}."
        gone = " and ".join(label(x) for x in self.removal)
        smallest = "; no smaller removal does" if self.proved and len(self.removal) > 1 else ""
        return f"{text} It would also win without {gone}{smallest}."

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/flip/1`."""
        change = None if self.change is None else {x: {"from": a, "to": b} for x, (a, b) in self.change.items()}
        data = {
            "schema": "qontrast/flip/1",
            "fact": self.fact,
            "foil": self.foil,
            "semantics": self.semantics,
            "gap": self.gap,
            "base_scores": {"change": change, "norm": self.norm, "cost": self.cost, "gap": self.change_gap},
            "removal": {
                "arguments": None if self.removal is None else list(self.removal),
                "gap": self.removal_gap,
                "proved_smallest": self.proved,
            },
        }
        return plain(data)


def _reached(gap: float) -> str:
    return "the two can be brought level, no more" if abs(gap) < MARGIN else f"the gap stays at least {number(gap)}"


def flip(
    qbaf: Qbaf,
    fact: Name,
    foil: Name,
    semantics: str | Semantics | None = None,
    *,
    fixed: Iterable[Name] = (),
    norm: str = "l1",
    solver: str = "discrete",
    margin: float = MARGIN,
) -> Flip:
    """What would have to change for the foil to win: base scores, or arguments to remove.

    Arguments in `fixed` keep their base score and stay.

    >>> q = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    >>> print(flip(q, "p", "q", "df-quad", fixed=["p", "x"]))
    q would win over p with q from 0.500 to 0.800 (L1 change 0.300). Removing arguments does not do it; \
the gap stays at least 0.300.
    """
    if isinstance(fixed, str):
        raise InvalidInput(f"fixed is the string {fixed!r}; give a list of names")
    if norm not in NORMS or not 0 < margin < 1:
        raise InvalidInput(f"norm is one of {', '.join(NORMS)} and margin between 0 and 1, not {norm!r} and {margin!r}")
    search = _Search(problem(qbaf, semantics, solver), fact, foil, {qbaf.index(name) for name in fixed}, norm, margin)
    gap = search.gap(qbaf.base_array)
    if gap <= -margin:
        return Flip(qbaf, fact, foil, gap, {}, 0.0, gap, (), gap, True, norm, search.problem.semantics.name)
    change, change_gap = search.change()
    removal, removal_gap, proved = search.removal()
    moves, cost = None, None
    if change is not None:
        moved = [int(i) for i in np.argsort(-np.abs(change - qbaf.base_array)) if change[i] != qbaf.base_array[i]]
        moves = {qbaf.arguments[i]: (float(qbaf.base_array[i]), float(change[i])) for i in moved}
        cost = search.cost(change)
    names = None if removal is None else tuple(qbaf.arguments[i] for i in removal)
    return Flip(
        qbaf, fact, foil, gap, moves, cost, change_gap, names, removal_gap, proved, norm, search.problem.semantics.name
    )


class _Search:
    """The gap as a function of base scores and of present arguments, and the two searches on it."""

    def __init__(self, asked: Problem, fact: Name, foil: Name, fixed: set[int], norm: str, margin: float) -> None:
        qbaf = asked.qbaf
        self.problem, self.topics, self.margin = asked, (fact, foil), margin
        self.pair = (qbaf.index(fact), qbaf.index(foil))
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot win over itself; name two topics")
        self.order = NORMS[norm]
        self.base = qbaf.base_array
        near = np.flatnonzero(ancestors(qbaf, self.pair))
        self.movers: Integers = np.array([i for i in near.tolist() if i not in fixed], np.intp)

    def cost(self, base: Floats) -> float:
        return float(np.linalg.norm(base - self.base, self.order))

    def gap(self, base: Floats) -> float:
        return float(self.gaps(base_scores=base[None])[0])

    def gaps(self, **lanes: Any) -> Floats:
        """σ(fact) − σ(foil) of each lane; +∞ where it is undefined, so that it is never chosen."""
        found = self.problem.solve(**lanes).strengths
        gaps = found[:, self.pair[0]] - found[:, self.pair[1]]
        return np.where(np.isnan(gaps), np.inf, gaps)

    # -- base scores --------------------------------------------------------------------------------------------

    def change(self) -> tuple[Floats | None, float]:
        """The cheapest base scores found that flip the pair, or None and the least gap reached."""
        corner = self._farthest()
        least = self.gap(corner)
        if least > -self.margin:
            return None, least
        starts = [self.base, corner, *self._single_moves()]
        found = [self._descend(start) for start in starts]
        good = [self._shorten(each) for each in found if each is not None]
        best = min(good or [self._shorten(corner)], key=self.cost)
        return best, self.gap(best)

    def _farthest(self) -> Floats:
        """Base scores that press the gap down as far as coordinate moves to 0 or 1 can."""
        now, gap = self.base.copy(), self.gap(self.base)
        for _ in range(4 * len(self.movers) + 1):
            lanes = np.repeat(now[None], 2 * len(self.movers), axis=0)
            lanes[np.arange(len(lanes)), np.repeat(self.movers, 2)] = np.tile([0.0, 1.0], len(self.movers))
            if not len(lanes):
                break
            gaps = self.gaps(base_scores=lanes)
            if not gaps.min() < gap - 1e-12:
                break
            now, gap = lanes[gaps.argmin()], float(gaps.min())
        return now

    def _single_moves(self) -> list[Floats]:
        """The three cheapest flips by one argument alone, on a grid."""
        grid = np.linspace(0, 1, 33)
        lanes = np.repeat(self.base[None], len(grid) * len(self.movers), axis=0)
        lanes[np.arange(len(lanes)), np.repeat(self.movers, len(grid))] = np.tile(grid, len(self.movers))
        gaps = self.gaps(base_scores=lanes) if len(lanes) else np.empty(0)
        good = lanes[gaps <= -self.margin]
        costs = np.abs(good - self.base).sum(axis=1)
        return list(good[np.argsort(costs, kind="stable")[:3]])

    def _descend(self, start: Floats) -> Floats | None:
        """Linearise, take the cheapest change within the trust region, accept what helps, else shrink the region."""
        now, radius, best = start.copy(), 0.5, None
        penalty = 10.0 * max(1, len(self.movers))
        gap = self.gap(now)
        merit = self.cost(now) + penalty * max(0.0, gap + self.margin)
        for _ in range(30):
            if gap <= -self.margin and (best is None or self.cost(now) < self.cost(best)):
                best = now
            trial = self._linear(now, gap, radius)
            if trial is None:
                return best
            trial_gap = self.gap(trial)
            trial_merit = self.cost(trial) + penalty * max(0.0, trial_gap + self.margin)
            if trial_merit < merit - 1e-12:
                now, gap, merit, radius = trial, trial_gap, trial_merit, min(1.0, 2 * radius)
            else:
                radius /= 2
            if radius < 1e-3:  # the last digits are the business of `_shorten`
                break
        return best

    def _linear(self, now: Floats, gap: float, radius: float) -> Floats | None:
        """The cheapest base scores near `now` that close the linearised gap."""
        try:
            values, _, sides, _ = slopes(self.problem, self.topics, now)
        except UndefinedStrength:
            return None
        for (topic, x), both in sides.items():
            values[self.topics.index(topic), self.problem.qbaf.index(x)] = (both.below + both.above) / 2
        slope = np.nan_to_num(values[0] - values[1])[self.movers]
        old, here = self.base[self.movers], now[self.movers]
        low, high = np.maximum(0, here - radius), np.minimum(1, here + radius)
        point = np.clip(old, low, high)
        need = gap + self.margin * 1.5 + float(slope @ (point - here))
        end = np.where(slope > 0, low, high)  # where each argument presses the gap down
        if self.order == 2:
            point = self._even(point, slope, low, high, need)
        else:
            for i in np.argsort(-np.abs(slope), kind="stable").tolist():
                room = abs(end[i] - point[i])
                if need <= 0 or slope[i] == 0:
                    break
                step = min(room, need / abs(slope[i]))
                point[i] += np.sign(end[i] - point[i]) * step
                need -= step * abs(slope[i])
        out = now.copy()
        out[self.movers] = np.clip(point, 0, 1)
        return out

    @staticmethod
    def _even(point: Floats, slope: Floats, low: Floats, high: Floats, need: float) -> Floats:
        """The least change in Euclidean length: along the slope, clipped, its length found by bisection."""
        if need <= 0 or not slope.any():
            return point
        little, much = 0.0, 1e6
        for _ in range(100):
            middle = (little + much) / 2
            moved = np.clip(point - middle * slope, low, high)
            little, much = (middle, much) if slope @ (point - moved) < need else (little, middle)
        return np.asarray(np.clip(point - much * slope, low, high))

    def _shorten(self, good: Floats) -> Floats:
        """Drop moves that are not needed, then go back towards the old base scores as far as the flip holds."""
        now = good.copy()
        while (moved := np.flatnonzero(now != self.base)).size > 1:
            lanes = np.repeat(now[None], len(moved), axis=0)
            lanes[np.arange(len(moved)), moved] = self.base[moved]
            fewer = lanes[self.gaps(base_scores=lanes) <= -self.margin]
            if not len(fewer):
                break
            now = min(fewer, key=self.cost)
        little, much = 0.0, 1.0
        for _ in range(5):  # each round narrows the stretch by 64
            parts = np.linspace(little, much, 65)[1:]
            holds = self.gaps(base_scores=self.base + parts[:, None] * (now - self.base)) <= -self.margin
            first = int(holds.argmax()) if holds.any() else len(parts) - 1
            little, much = (little if first == 0 else float(parts[first - 1])), float(parts[first])
        return self.base + much * (now - self.base)

    # -- removal ------------------------------------------------------------------------------------------------

    def removal(self) -> tuple[tuple[int, ...] | None, float, bool]:
        """The smallest set whose removal flips the pair; the least gap reached; whether smaller sets were ruled out."""
        players = [i for i in self.movers.tolist() if i not in self.pair]
        least = np.inf
        for size in range(1, len(players) + 1):
            if comb(len(players), size) > SUBSETS:
                return self._greedy_removal(players, least)
            found, gap = self._best(combinations(players, size))
            least = min(least, gap)
            if gap <= -self.margin:
                return found, gap, True
        return None, float(least) if players else self.gap(self.base), True

    def _best(self, sets: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], float]:
        """Of these sets, the one whose removal presses the gap down most."""
        best: tuple[tuple[int, ...], float] = ((), np.inf)
        sets = iter(sets)
        while some := list(islice(sets, 4096)):
            present = np.ones((len(some), len(self.base)), bool)
            present[np.arange(len(some))[:, None], np.array(some)] = False
            gaps = self.gaps(present=present)
            if gaps.min() < best[1]:
                best = some[int(gaps.argmin())], float(gaps.min())
        return best

    def _greedy_removal(self, players: list[int], least: float) -> tuple[tuple[int, ...] | None, float, bool]:
        """One more argument at a time, the most helpful; then drop what is not needed. Not proved smallest."""
        gone: tuple[int, ...] = ()
        while len(gone) < len(players):
            gone, gap = self._best((*gone, x) for x in players if x not in gone)
            least = min(least, gap)
            if gap <= -self.margin:
                for x in gone:
                    fewer = tuple(y for y in gone if y != x)
                    trial = self._best([fewer]) if fewer else ((), np.inf)
                    gone, gap = (fewer, trial[1]) if trial[1] <= -self.margin else (gone, gap)
                return gone, gap, False
        return None, float(least), False
