"""Find a small change of base scores that makes the foil win.

    minimise ‖τ′ − τ‖   subject to   σ′(fact) − σ′(foil) ≤ −margin,   0 ≤ τ′ ≤ 1

The gap is linearised with its exact gradient, again and again, inside a trust region, from several starts. With one
linear constraint the cheapest L1 change is greedy, the steepest arguments first; the cheapest L2 change goes along the
slope, clipped to [0, 1]. A change that is found works. That no smaller one exists, or none at all, is not proved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..attribution.slopes import find_slopes
from ..errors import UndefinedStrength
from ..types import Floats, Integers
from .flip_trials import Trials

NORMS = {"l1": 1, "l2": 2}
MAX_PRESS_STEPS = 30  # steps by the gradient towards the least gap
MAX_SCANS = 6  # of all arguments, one at a time, where the gradient leads no further
MAX_ROUNDS = 40  # of the descent
STARTS_PER_KIND = 6
RANDOM_STARTS = 256  # random base scores that are solved at once
MAX_REFINEMENTS = 12  # rounds of random base scores near the best
MAX_SHORTENED = 3  # flips that are shortened, the cheapest
MIN_RADIUS = 1e-3  # of a trust region; the last digits are found by bisection
MAX_SHORTENINGS = 5


@dataclass
class Descent:
    """The state of one descent: where it stands, and the cheapest flip that it has passed."""

    now: Floats
    radius: float = 0.5
    gap: float = np.inf
    merit: float = np.inf
    slope: Floats | None = None
    best: Floats | None = None


class ScoreSearch:
    """The search for base scores; what it finds is kept in `trials`."""

    def __init__(self, trials: Trials, movers: Integers) -> None:
        self.trials, self.movers = trials, movers
        self.base, self.margin = trials.base, trials.margin

    def search(self) -> None:
        """Search until done."""
        trials = self.trials
        if not len(self.movers):
            return
        trials.enter(0, 5)
        scattered = self._scatter()
        trials.enter(5, 15)
        corner = min(map(self._press, (self.base, scattered[0])), key=lambda each: self._solve_gap(each)[0])
        trials.enter(15, 25)
        single = self._move_one()
        if trials.best is None:
            return
        trials.enter(25, 50)
        cheap = trials.pick_cheapest(scattered, self._scattered_gaps, STARTS_PER_KIND)
        starts = [self.base, corner, trials.best, *single, *self._mix(corner), *cheap]
        found = self._descend(np.array(starts))
        found.append(trials.best)
        trials.enter(50, 60)
        different = {tuple(each.round(2)): each for each in sorted(found, key=trials.cost, reverse=True)}
        for each in sorted(different.values(), key=trials.cost)[:MAX_SHORTENED]:
            self._shorten(each)
        trials.enter(60, 65)
        self._refine(trials.best)
        trials.enter(65, 70)
        for k in range(MAX_SHORTENINGS):  # until nothing that is left can be put back
            trials.advance(k / MAX_SHORTENINGS)
            before = trials.best_cost
            self._shorten(trials.best)
            if trials.best_cost == before:
                break

    def _solve_gap(self, base: Floats) -> tuple[float, Floats]:
        gaps, strengths = self.trials.solve_scores(base[None])
        return float(gaps[0]), strengths[0]

    # -- starts -------------------------------------------------------------------------------------------------

    def _scatter(self) -> Floats:
        """Sample base scores, some unchanged, some anywhere, some at 0 or 1; sort them by gap, the least first."""
        rng, shape = np.random.default_rng(0), (RANDOM_STARTS, len(self.movers))
        anywhere = rng.random(shape)
        anywhere[::2] = anywhere[::2].round()
        lanes = np.repeat(self.base[None], RANDOM_STARTS, axis=0)
        lanes[:, self.movers] = np.where(
            rng.random(shape) < rng.random((RANDOM_STARTS, 1)), self.base[self.movers], anywhere
        )
        gaps = self.trials.score_gaps(lanes, 0.0, 1.0)
        order = np.argsort(gaps, kind="stable")
        self._scattered_gaps = gaps[order]
        return np.asarray(lanes[order])

    def _press(self, start: Floats) -> Floats:
        """Lower the gap as far as it goes: by the gradient, or by one argument at a time where the gradient fails."""
        now, scans = start, 0
        gap, strengths = self._solve_gap(now)
        for k in range(MAX_PRESS_STEPS):
            self.trials.advance(k / MAX_PRESS_STEPS)
            slope, trial = self._gap_slope(now, strengths) if np.isfinite(gap) else None, None
            if slope is not None and slope.any():
                trial = self._pick_least(self._move_steepest_to_ends(now, slope))
            if (trial is None or trial[0] >= gap - 1e-12) and scans < MAX_SCANS:
                trial, scans = self._scan(now), scans + 1
            if trial is None or trial[0] >= gap - 1e-12:
                break
            gap, now, strengths = trial
        return now

    def _pick_least(self, lanes: Floats) -> tuple[float, Floats, Floats]:
        gaps, strengths = self.trials.solve_scores(lanes)
        k = int(gaps.argmin())
        return float(gaps[k]), lanes[k], strengths[k]

    def _move_steepest_to_ends(self, now: Floats, slope: Floats) -> Floats:
        """Move the steepest 1, 2, 4, … arguments to the ends where they lower the gap, or all part of the way."""
        here = now[self.movers]
        end = np.where(slope > 0, 0.0, np.where(slope < 0, 1.0, here))
        order = np.argsort(-np.abs(slope * (end - here)), kind="stable")
        return self._make_prefixes(now, end, order, (0.1, 0.3, 0.6))

    def _make_prefixes(self, now: Floats, end: Floats, order: Integers, parts: tuple[float, ...] = ()) -> Floats:
        """Make lanes with the first 1, 2, 4, … movers at their ends, and with all of them part of the way."""
        counts = sorted({min(1 << k, len(order)) for k in range(len(order).bit_length() + 1)})
        lanes = np.repeat(now[None], len(counts) + len(parts), axis=0)
        for row, count in enumerate(counts):
            lanes[row, self.movers[order[:count]]] = end[order[:count]]
        for row, part in enumerate(parts, len(counts)):
            lanes[row, self.movers] += part * (end - now[self.movers])
        return lanes

    def _scan(self, now: Floats) -> tuple[float, Floats, Floats]:
        """Find the least gap that one argument, or the most helpful ones together, reach on a coarse grid."""
        grid = np.linspace(0, 1, 5)
        lanes = self._vary_each(now, grid)
        gaps = self.trials.score_gaps(lanes).reshape(len(self.movers), len(grid))
        together = self._make_prefixes(now, grid[gaps.argmin(axis=1)], np.argsort(gaps.min(axis=1), kind="stable"))
        return self._pick_least(together)  # the first of them is the best single argument

    def _vary_each(self, now: Floats, grid: Floats) -> Floats:
        """Make lanes in which one mover alone has another base score, for all movers in turn."""
        lanes = np.repeat(now[None], len(grid) * len(self.movers), axis=0)
        lanes[np.arange(len(lanes)), np.repeat(self.movers, len(grid))] = np.tile(grid, len(self.movers))
        return lanes

    def _move_one(self) -> Floats:
        """Find the three cheapest flips by one argument alone, on a grid."""
        lanes = self._vary_each(self.base, np.linspace(0, 1, 33))
        return self.trials.pick_cheapest(lanes, self.trials.score_gaps(lanes, 0.0, 1.0), 3)

    def _mix(self, corner: Floats) -> Floats:
        """Put some arguments at the corner and leave the others: starts that one argument alone does not lead to."""
        return np.where(np.random.default_rng(0).random((STARTS_PER_KIND, len(corner))) < 0.5, corner, self.base)

    # -- descent ------------------------------------------------------------------------------------------------

    def _descend(self, starts: Floats) -> list[Floats]:
        """Find the cheapest flip from each start.

        Linearise, take the cheapest change within the trust region, accept what helps, else shrink the region. All
        starts go side by side, so that a round is one solve of as many lanes.
        """
        descents = [Descent(start) for start in starts]
        alive, trials = descents, starts
        for k in range(MAX_ROUNDS):
            gaps, strengths = self.trials.solve_scores(trials, k / MAX_ROUNDS, (k + 1) / MAX_ROUNDS)
            for descent, trial, gap, found in zip(alive, trials, gaps.tolist(), strengths, strict=True):
                self.trials.advance(k / MAX_ROUNDS)
                self._step(descent, trial, gap, found)
            alive = [descent for descent in alive if descent.radius >= MIN_RADIUS and descent.slope is not None]
            if not alive:
                break
            trials = np.array([self._solve_linear(descent) for descent in alive])
        return [descent.best for descent in descents if descent.best is not None]

    def _step(self, descent: Descent, trial: Floats, gap: float, strengths: Floats) -> None:
        """Accept the trial if cost + penalty · (what is missing to close the gap) falls."""
        cost = self.trials.cost(trial)
        if gap <= -self.margin and (descent.best is None or cost < self.trials.cost(descent.best)):
            descent.best = trial
        merit = cost + 10.0 * max(1, len(self.movers)) * max(0.0, gap + self.margin)
        if merit < descent.merit - 1e-9:
            descent.radius = min(1.0, 2 * descent.radius) if descent.slope is not None else descent.radius
            descent.now, descent.gap, descent.merit = trial, gap, merit
            descent.slope = self._gap_slope(trial, strengths)
        else:
            descent.radius /= 4

    def _gap_slope(self, now: Floats, strengths: Floats) -> Floats | None:
        """Compute the slope of the gap in each mover's base score; on a kink the mean of both sides."""
        trials = self.trials
        try:
            values, _, sides, _ = find_slopes(trials.problem, trials.topics, now, strengths)
        except UndefinedStrength:
            return None
        for (topic, x), both in sides.items():
            values[trials.topics.index(topic), trials.problem.qbaf.index(x)] = (both.below + both.above) / 2
        return np.nan_to_num(values[0] - values[1])[self.movers]

    def _solve_linear(self, descent: Descent) -> Floats:
        """Find the cheapest base scores near `now` that close the linearised gap."""
        assert descent.slope is not None
        old, here = self.base[self.movers], descent.now[self.movers]
        low, high = np.maximum(0, here - descent.radius), np.minimum(1, here + descent.radius)
        move = _move_along if self.trials.norm == NORMS["l2"] else _move_steepest
        out = descent.now.copy()
        out[self.movers] = move(old, here, descent.slope, low, high, descent.gap + 1.5 * self.margin).clip(0, 1)
        return out

    # -- shorter changes ---------------------------------------------------------------------------------------------

    def _refine(self, best: Floats) -> None:
        """Try random base scores near the best and a little nearer to the old ones."""
        rng, shape = np.random.default_rng(1), (RANDOM_STARTS, len(self.movers))
        for k, reach in enumerate(np.geomspace(0.3, 0.01, MAX_REFINEMENTS)):
            lanes = np.repeat(best[None], RANDOM_STARTS, axis=0)
            lanes[:, self.movers] += reach * rng.standard_normal(shape) * (rng.random(shape) < 0.5)
            lanes += rng.random((RANDOM_STARTS, 1)) * reach * (self.base - lanes)
            lanes = np.clip(np.where(rng.random(lanes.shape) < 0.2, self.base, lanes), 0, 1)
            self.trials.score_gaps(lanes, k / MAX_REFINEMENTS, (k + 1) / MAX_REFINEMENTS)
            if self.trials.best is not None:
                best = self.trials.best

    def _shorten(self, good: Floats) -> None:
        """Put back moves that are not needed, then go back towards the old base scores as far as the flip holds."""
        now = self._put_back(good)
        little, much = 0.0, 1.0
        for _ in range(5):  # each round narrows the stretch by 64
            parts = np.linspace(little, much, 65)[1:]
            holds = self.trials.score_gaps(self.base + parts[:, None] * (now - self.base)) <= -self.margin
            first = int(holds.argmax()) if holds.any() else len(parts) - 1
            little, much = (little if first == 0 else float(parts[first - 1])), float(parts[first])

    def _put_back(self, now: Floats) -> Floats:
        """Undo moves that are not needed: each alone, and the least needed ones together."""
        while (moved := np.flatnonzero(now != self.base)).size > 1:
            alone = self._restore(now, moved, np.eye(len(moved), dtype=bool))
            gaps = self.trials.score_gaps(alone)
            order = np.argsort(gaps, kind="stable")[: int((gaps <= -self.margin).sum())]
            if not len(order):
                break
            fewer = self._restore(now, moved[order], np.tri(len(order), dtype=bool))
            holds = self.trials.score_gaps(fewer) <= -self.margin
            now = min([*alone[order], *fewer[holds]], key=self.trials.cost)
        return now

    def _restore(self, now: Floats, moved: Integers, back: np.typing.NDArray[np.bool_]) -> Floats:
        """Make lanes in which some of the moved base scores are the old ones."""
        lanes = np.repeat(now[None], len(back), axis=0)
        lanes[:, moved] = np.where(back, self.base[moved], now[moved])
        return lanes


def _move_steepest(old: Floats, here: Floats, slope: Floats, low: Floats, high: Floats, need: float) -> Floats:
    """Make the least change in sum that lowers the gap by `need`: the steepest argument first, then the next."""
    point = np.clip(old, low, high)
    end = np.where(slope > 0, low, high)  # where each argument presses the gap down
    need += float(slope @ (point - here))
    for i in np.argsort(-np.abs(slope), kind="stable").tolist():
        if need <= 0 or slope[i] == 0:
            break
        step = min(abs(end[i] - point[i]), need / abs(slope[i]))
        point[i] += np.sign(end[i] - point[i]) * step
        need -= step * abs(slope[i])
    return point


def _move_along(old: Floats, here: Floats, slope: Floats, low: Floats, high: Floats, need: float) -> Floats:
    """Make the least Euclidean change that lowers the gap by `need`: along the slope, clipped; bisect its length."""

    def moved(length: float) -> Floats:
        return np.asarray(np.clip(old - length * slope, low, high))

    if slope @ (here - moved(0.0)) >= need:
        return moved(0.0)
    little, much = 0.0, 1e6
    for _ in range(100):
        middle = (little + much) / 2
        little, much = (little, middle) if slope @ (here - moved(middle)) >= need else (middle, much)
    return moved(much)
