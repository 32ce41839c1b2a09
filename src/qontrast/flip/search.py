"""The two searches behind `flip`: the gap as a function of base scores, and of the arguments that are there.

With one linear constraint the cheapest L1 change is greedy, the steepest arguments first; the cheapest L2 change goes
along the slope, clipped to [0, 1].
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from ..arrays import ancestors
from ..attribution.gradient import slopes
from ..errors import InvalidInput, UndefinedStrength
from ..phi import Progress
from ..qbaf import Floats, Integers, Name
from ..solve import Problem

PATIENCE = 500  # steps of a trial on a cyclic graph; what has not settled by then is not suggested
SUBSETS = 100_000  # sets of one size that are tried before a greedy search takes over
ROUNDS = 40
MIXTURES = 6  # starts of a kind
SCATTERED = 256  # random base scores at a time
REFINED = 12  # times that chance may make it cheaper
SHORTENED = 3  # of what was found, the cheapest
NEAR = 1e-3  # the radius at which a descent ends: the last digits are found by bisection
NORMS = {"l1": 1, "l2": 2}


@dataclass
class _Walk:
    """A descent under way: where it stands, and the cheapest flip on its way."""

    now: Floats
    radius: float = 0.5
    gap: float = np.inf
    merit: float = np.inf
    slope: Floats | None = None
    best: Floats | None = None


class Search:
    """The gap as a function of base scores and of present arguments, and the two searches on it."""

    def __init__(
        self,
        asked: Problem,
        fact: Name,
        foil: Name,
        fixed: set[int],
        norm: str,
        margin: float,
        progress: Progress | None = None,
    ) -> None:
        qbaf = asked.qbaf
        self.progress, self.told = progress, 0
        self.problem, self.topics, self.margin = asked, (fact, foil), margin
        self.quick = replace(asked, max_steps=min(PATIENCE, asked.max_steps))
        self.pair = (qbaf.index(fact), qbaf.index(foil))
        if fact == foil:
            raise InvalidInput(f"{fact!r} cannot win over itself; name two topics")
        self.order = NORMS[norm]
        self.base = qbaf.base_array
        near = np.flatnonzero(ancestors(qbaf, self.pair))
        self.movers: Integers = np.array([i for i in near.tolist() if i not in fixed], np.intp)

    def report(self, step: int, part: float) -> None:
        """That much of one of the four steps is done: the corner, the descent, the shortening, the removal."""
        if self.progress:
            self.told = max(self.told, int(25 * (step + min(1.0, part))))
            self.progress(self.told, 100)

    def cost(self, base: Floats) -> float:
        return float(np.linalg.norm(base - self.base, self.order))

    def gap(self, base: Floats) -> float:
        found = self.problem.solve(base_scores=base[None]).strengths[0]
        gap = float(found[self.pair[0]] - found[self.pair[1]])
        return np.inf if np.isnan(gap) else gap

    def gaps(self, **lanes: Any) -> Floats:
        """σ(fact) − σ(foil) of each lane; +∞ where it is undefined, so that it is never chosen."""
        return self.solved(**lanes)[0]

    def solved(self, **lanes: Any) -> tuple[Floats, Floats]:
        """The same, with the strengths of each lane."""
        found = self.quick.solve(**lanes).strengths
        gaps = found[:, self.pair[0]] - found[:, self.pair[1]]
        return np.where(np.isnan(gaps), np.inf, gaps), found

    # -- base scores --------------------------------------------------------------------------------------------

    def change(self) -> tuple[Floats | None, float]:
        """The cheapest base scores found that flip the pair, or None and the least gap reached."""
        scattered = self._scattered()
        corner = min(map(self._farthest, (self.base, scattered[0])), key=self.gap)
        least, good = self.gap(corner), self._good(scattered)
        if least > -self.margin and not len(good):
            return None, least
        starts = [self.base, corner, *self._single_moves(), *self._mixtures(corner), *good]
        found = self._descend(np.array(starts))
        different = {tuple(each.round(2)): each for each in sorted(found or [corner], key=self.cost, reverse=True)}
        cheapest = sorted(different.values(), key=self.cost)[:SHORTENED]
        short = []
        for k, each in enumerate(cheapest):
            self.report(2, k / len(cheapest))
            short.append(self._shorten(each))
        best = self._shorten(self._refined(min(short, key=self.cost)))
        return best, self.gap(best)

    def _refined(self, best: Floats) -> Floats:
        """Cheaper base scores by chance, near the best and a little nearer home."""
        rng = np.random.default_rng(1)
        for reach in np.geomspace(0.3, 0.01, REFINED):
            shape = (SCATTERED, len(self.movers))
            lanes = np.repeat(best[None], SCATTERED, axis=0)
            lanes[:, self.movers] += reach * rng.standard_normal(shape) * (rng.random(shape) < 0.5)
            lanes += rng.random((SCATTERED, 1)) * reach * (self.base - lanes)
            lanes = np.clip(np.where(rng.random(lanes.shape) < 0.2, self.base, lanes), 0, 1)
            best = min([best, *self._good(lanes)[:1]], key=self.cost)
        return best

    def _scattered(self) -> Floats:
        """Random base scores, some at home, some anywhere, some at 0 or 1: the one with the least gap first."""
        rng, shape = np.random.default_rng(0), (SCATTERED, len(self.movers))
        anywhere = rng.random(shape)
        anywhere[::2] = anywhere[::2].round()
        lanes = np.repeat(self.base[None], SCATTERED, axis=0)
        lanes[:, self.movers] = np.where(
            rng.random(shape) < rng.random((SCATTERED, 1)), self.base[self.movers], anywhere
        )
        gaps = self.gaps(base_scores=lanes)
        return np.asarray(lanes[np.argsort(gaps, kind="stable")])

    def _good(self, lanes: Floats) -> Floats:
        """The cheapest of these that flip the pair."""
        good = lanes[self.gaps(base_scores=lanes) <= -self.margin]
        costs = np.array([self.cost(each) for each in good])
        return np.asarray(good[np.argsort(costs, kind="stable")[:MIXTURES]])

    def _farthest(self, start: Floats) -> Floats:
        """Base scores that press the gap down as far as moves of one argument at a time can."""
        now, gap = start.copy(), self.gap(start)
        values = np.linspace(0, 1, 5)
        for k in range(4 * len(self.movers) + 1):
            self.report(0, k / (len(self.movers) + 1))
            lanes = np.repeat(now[None], len(values) * len(self.movers), axis=0)
            lanes[np.arange(len(lanes)), np.repeat(self.movers, len(values))] = np.tile(values, len(self.movers))
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

    def _mixtures(self, corner: Floats) -> Floats:
        """Some arguments at their corner, the others at home: starts that one argument alone does not lead to."""
        return np.where(np.random.default_rng(0).random((MIXTURES, len(corner))) < 0.5, corner, self.base)

    def _descend(self, starts: Floats) -> list[Floats]:
        """The cheapest flip found from each start.

        Linearise, take the cheapest change within the trust region, accept what helps, else shrink the region. All
        starts go side by side, so that a round is one solve of as many lanes.
        """
        walks = [_Walk(start) for start in starts]
        alive, trials = walks, starts
        for k in range(ROUNDS):
            self.report(1, k / ROUNDS)
            gaps, strengths = self.solved(base_scores=trials)
            for walk, trial, gap, found in zip(alive, trials, gaps.tolist(), strengths, strict=True):
                self._step(walk, trial, gap, found)
            alive = [walk for walk in alive if walk.radius >= NEAR and walk.slope is not None]
            if not alive:
                break
            trials = np.array([self._linear(walk) for walk in alive])
        return [walk.best for walk in walks if walk.best is not None]

    def _step(self, walk: _Walk, trial: Floats, gap: float, strengths: Floats) -> None:
        """Accept the trial if cost + penalty · (what is missing to close the gap) falls."""
        cost = self.cost(trial)
        if gap <= -self.margin and (walk.best is None or cost < self.cost(walk.best)):
            walk.best = trial
        merit = cost + 10.0 * max(1, len(self.movers)) * max(0.0, gap + self.margin)
        if merit < walk.merit - 1e-9:
            walk.radius = min(1.0, 2 * walk.radius) if walk.slope is not None else walk.radius
            walk.now, walk.gap, walk.merit, walk.slope = trial, gap, merit, self._slope(trial, strengths)
        else:
            walk.radius /= 4

    def _slope(self, now: Floats, strengths: Floats) -> Floats | None:
        """How the gap falls or grows with each mover's base score; between the two sides on a kink."""
        try:
            values, _, sides, _ = slopes(self.problem, self.topics, now, strengths)
        except UndefinedStrength:
            return None
        for (topic, x), both in sides.items():
            values[self.topics.index(topic), self.problem.qbaf.index(x)] = (both.below + both.above) / 2
        return np.nan_to_num(values[0] - values[1])[self.movers]

    def _linear(self, walk: _Walk) -> Floats:
        """The cheapest base scores near `now` that close the linearised gap."""
        now, gap, radius, slope = walk.now, walk.gap, walk.radius, walk.slope
        assert slope is not None
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
            self.report(3, (size - 1) / len(players))
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
            self.report(3, len(gone) / len(players))
            gone, gap = self._best((*gone, x) for x in players if x not in gone)
            least = min(least, gap)
            if gap <= -self.margin:
                for x in gone:
                    fewer = tuple(y for y in gone if y != x)
                    trial = self._best([fewer]) if fewer else ((), np.inf)
                    gone, gap = (fewer, trial[1]) if trial[1] <= -self.margin else (gone, gap)
                return gone, gap, False
        return None, float(least), False
