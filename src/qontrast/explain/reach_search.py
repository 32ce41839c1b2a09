"""Search for the cheapest point that meets the constraints of a task.

The constraints are linearised with their exact slopes, again and again, inside a trust region, from several starts side
by side. What is found is shortened: moves that are not needed are put back, and the rest goes back towards the start as
far as the constraints hold. A point that is found works. That no cheaper one exists is not
proved here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..engine.problem import Problem
from ..types import Bools, Floats, Integers
from .reach_steps import Step, solve_step
from .reach_trials import EXACT, PointTrials

NUMBERS_PER_ROUND = 1 << 19  # strengths computed for random points at a time, so that large graphs get fewer points
MAX_RANDOM = 256  # random points that are solved at once
MIN_RANDOM = 16
MAX_PRESS_STEPS = 30  # steps by the slopes towards the constraints
MAX_SCANS = 6  # of all variables, one at a time, where the slopes lead no further
MAX_GRID = 33  # values of a variable that moves alone
MAX_ROUNDS = 60  # of a descent
STARTS_PER_KIND = 6
MAX_REFINEMENTS = 8  # rounds of random points near the best
MAX_SHORTENED = 3  # points that are shortened, the cheapest
SHORTER_MOVES = (1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.6)  # parts of a move that are tried with slow flows
MAX_SHORTENINGS = 5
MAX_PUT_BACK = 64  # moves that are tried to be put back at a time, where there are many
MIN_RADIUS = 1e-6  # of a trust region
SLOW = 1e-6  # a share of the merit: a descent that gains less soon ends
NEAR = 1e-5  # how near a variable must be to a bound to be put there
AIM = 2e-9  # by which the linearised constraints are to hold: a little more than rounding


@dataclass(frozen=True)
class Effort:
    """How many points are solved in each part of the search."""

    random: int  # points that are solved at once
    grid: int  # values of a variable that moves alone
    starts: int = STARTS_PER_KIND
    rounds: int = MAX_ROUNDS  # of a descent
    min_radius: float = MIN_RADIUS
    refinements: int = MAX_REFINEMENTS
    shortened: int = MAX_SHORTENED
    sections: int = 64  # into which a stretch is cut, again and again
    least_part: float = 1e-9  # of a move, to which it is shortened
    slow_flows: bool = False  # whether shorter moves may do whose flows take longer to rest than a trial may


def choose_effort(problem: Problem, variables: int) -> Effort:
    """Solve fewer points where each of them takes longer."""
    size = max(len(problem.qbaf), 1)
    if problem.arrays.acyclic:
        random = int(np.clip(NUMBERS_PER_ROUND // size, MIN_RANDOM, MAX_RANDOM))
        return Effort(random, int(np.clip(4 * NUMBERS_PER_ROUND // (size * max(1, variables)), 3, MAX_GRID)))
    if problem.solver == "continuous":  # each lane is integrated
        few: dict[str, int] = {"starts": 2, "rounds": 15, "refinements": 1, "shortened": 1, "sections": 4}
        return Effort(MIN_RANDOM, 3, min_radius=1e-4, least_part=1e-4, slow_flows=True, **few)
    random = int(np.clip(NUMBERS_PER_ROUND // (16 * size), MIN_RANDOM, MAX_RANDOM))
    return Effort(random, int(np.clip(NUMBERS_PER_ROUND // (4 * size * max(1, variables)), 3, MAX_GRID)))


@dataclass
class Descent:
    """The state of one descent: where it stands, between which bounds, and the cheapest point that it has passed."""

    trial: Floats
    low: Floats
    high: Floats
    radius: float = 0.5
    merit: float = np.inf
    penalty: float = 0.0
    now: Floats | None = None
    values: Floats | None = None
    slopes: Floats | None = None
    best: Floats | None = None
    best_rank: float = np.inf


class PointSearch:
    """The search; what it finds is kept in `trials`."""

    def __init__(self, trials: PointTrials) -> None:
        self.trials, self.task, self.clock = trials, trials.task, trials.clock
        self.start, self.low, self.high = self.task.start, self.task.low, self.task.high
        self.cost = "l1" if self.task.cost == "fewest" else self.task.cost
        self.scale = np.minimum(self.high - self.low, np.maximum(1.0, self.start))  # of a trust region
        self.effort = choose_effort(self.task.problem, len(self.task))

    def search(self) -> None:
        """Search until done."""
        trials, enter = self.trials, self.clock.enter
        if not len(self.task):
            return
        enter(0, 5)
        scattered, missing = self._scatter()
        enter(5, 15)
        corners = [self._press(self.start), self._press(scattered[0])]
        corner = min(corners, key=lambda each: float(trials.miss(trials.solve(each[None])[0])[0]))
        enter(15, 25)
        single = self._move_one()
        cheap = self._pick_cheapest(scattered, missing, self.effort.starts)
        starts = [self.start, corner, *single, *self._mix(corner), *cheap]
        if trials.best is not None:
            starts.append(trials.best)
        enter(25, 60)
        found = self.descend(np.array(starts))
        if trials.best is None:
            return
        found.append(trials.best)
        enter(60, 75)
        different = {tuple(each.round(2)): each for each in sorted(found, key=self._rank, reverse=True)}
        for each in sorted(different.values(), key=self._rank)[: self.effort.shortened]:
            self._shorten(each)
        enter(75, 90)
        self._refine(trials.best)
        enter(90, 95)
        self.descend(trials.best[None], radius=0.05)
        enter(95, 100)
        for k in range(MAX_SHORTENINGS):  # until nothing that is left can be put back
            self.clock.advance(k / MAX_SHORTENINGS)
            before = trials.best_rank
            self._shorten(trials.best)
            if trials.best_rank == before:
                break
        if self.effort.slow_flows:
            parts = np.array(SHORTER_MOVES)[:, None]
            trials.solve(self.start + parts * (trials.best - self.start), limited=False)
        self._round(trials.best)

    def _round(self, best: Floats) -> None:
        """Put what is next to its start, to a bound, or to a number of few digits, exactly there."""
        point = best.copy()
        for ends in (self.low, self.high, self.start):
            near = np.abs(point - ends) <= NEAR
            point[near] = ends[near]
        self.trials.replace_best(point)
        moved = point != self.start
        for digits in range(2, 6):
            rounder = np.clip(np.where(moved, point.round(digits), point), self.low, self.high)
            if np.abs(rounder - point).max() <= NEAR / 100 and self.trials.replace_best(rounder):
                break

    def _rank(self, point: Floats) -> float:
        return float(self.trials.rank(point[None])[0])

    # -- starts -------------------------------------------------------------------------------------------------

    def _scatter(self) -> tuple[Floats, Floats]:
        """Sample points, some unchanged, some anywhere, some at their bounds; sort them by what they miss."""
        count = self.effort.random
        rng, shape = np.random.default_rng(0), (count, len(self.task))
        anywhere = rng.random(shape)
        anywhere[::2] = anywhere[::2].round()
        anywhere = self.low + anywhere * (self.high - self.low)
        points = np.where(rng.random(shape) < rng.random((count, 1)), self.start, anywhere)
        missing = self.trials.miss(self.trials.solve(points, 0.0, 1.0)[0])
        order = np.argsort(missing, kind="stable")
        return points[order], missing[order]

    def _press(self, start: Floats) -> Floats:
        """Go towards the constraints: by the slopes, or by one variable at a time where the slopes lead no further."""
        now, scans = start, 0
        values, strengths = self.trials.solve(now[None])
        missing = float(self.trials.miss(values)[0])
        for k in range(MAX_PRESS_STEPS):
            self.clock.advance(k / MAX_PRESS_STEPS)
            if missing == 0:
                break
            better = None
            if np.isfinite(missing):
                slope = self.trials.find_slopes(now[None], strengths)[0][values[0] < 0].sum(axis=0)
                if slope.any():
                    better = self._pick_least(self._move_steepest_to_ends(now, slope))
            if (better is None or better[0] >= missing - 1e-12) and scans < MAX_SCANS:
                better, scans = self._scan(now), scans + 1
            if better is None or better[0] >= missing - 1e-12:
                break
            missing, now, values, strengths = better
        return now

    def _pick_least(self, points: Floats) -> tuple[float, Floats, Floats, Floats]:
        values, strengths = self.trials.solve(points)
        missing = self.trials.miss(values)
        k = int(missing.argmin())
        return float(missing[k]), points[k], values[k : k + 1], strengths[k : k + 1]

    def _move_steepest_to_ends(self, now: Floats, slope: Floats) -> Floats:
        """Move the steepest 1, 2, 4, … variables to the bounds where they help, or all part of the way."""
        end = np.where(slope > 0, self.high, np.where(slope < 0, self.low, now))
        order = np.argsort(-np.abs(slope * (end - now)), kind="stable")
        return self._make_prefixes(now, end, order, (0.1, 0.3, 0.6))

    def _make_prefixes(self, now: Floats, end: Floats, order: Integers, parts: tuple[float, ...] = ()) -> Floats:
        """Make points with the first 1, 2, 4, … variables at their ends, and with all of them part of the way."""
        counts = sorted({min(1 << k, len(order)) for k in range(len(order).bit_length() + 1)})
        points = np.repeat(now[None], len(counts) + len(parts), axis=0)
        for row, count in enumerate(counts):
            points[row, order[:count]] = end[order[:count]]
        for row, part in enumerate(parts, len(counts)):
            points[row] += part * (end - now)
        return points

    def _scan(self, now: Floats) -> tuple[float, Floats, Floats, Floats]:
        """Find the least miss that one variable, or the most helpful ones together, reach on a coarse grid."""
        parts = np.linspace(0, 1, min(5, self.effort.grid))
        missing = self.trials.miss(self.trials.solve(self._vary_each(now, parts))[0]).reshape(len(now), len(parts))
        end = self.low + parts[missing.argmin(axis=1)] * (self.high - self.low)
        return self._pick_least(self._make_prefixes(now, end, np.argsort(missing.min(axis=1), kind="stable")))

    def _vary_each(self, now: Floats, parts: Floats) -> Floats:
        """Make points in which one variable alone stands at each part of its range, for all variables in turn."""
        points = np.repeat(now[None], len(parts) * len(now), axis=0)
        values = self.low[:, None] + parts * (self.high - self.low)[:, None]
        points[np.arange(len(points)), np.repeat(np.arange(len(now)), len(parts))] = values.ravel()
        return points

    def _move_one(self) -> Floats:
        """Find the three cheapest points at which one variable alone has moved, on a grid."""
        points = self._vary_each(self.start, np.linspace(0, 1, self.effort.grid))
        return self._pick_cheapest(points, self.trials.miss(self.trials.solve(points, 0.0, 1.0)[0]), 3)

    def _pick_cheapest(self, points: Floats, missing: Floats, limit: int) -> Floats:
        good = points[missing == 0]
        return np.asarray(good[np.argsort(self.trials.rank(good), kind="stable")[:limit]])

    def _mix(self, corner: Floats) -> Floats:
        """Put some variables at the corner and leave the others: starts that one variable alone does not lead to."""
        return np.where(np.random.default_rng(0).random((self.effort.starts, len(corner))) < 0.5, corner, self.start)

    # -- descent ------------------------------------------------------------------------------------------------

    def descend(self, starts: Floats, masks: Bools | None = None, radius: float = 0.5) -> list[Floats]:
        """Find the cheapest point from each start; with masks, only those variables move.

        Linearise, take the cheapest point within the trust region, accept what helps, else shrink the region. All
        starts go side by side, so that a round is one solve of as many lanes.
        """
        low = np.broadcast_to(self.low, starts.shape) if masks is None else np.where(masks, self.low, self.start)
        high = np.broadcast_to(self.high, starts.shape) if masks is None else np.where(masks, self.high, self.start)
        descents = [Descent(*each, radius=radius) for each in zip(starts, low, high, strict=True)]
        alive = descents
        rounds = self.effort.rounds
        for k in range(rounds):
            points = np.array([each.trial for each in alive])
            values, strengths = self.trials.solve(points, k / rounds, (k + 1) / rounds)
            moved = [self._accept(*each) for each in zip(alive, points, values, strict=True)]
            if any(moved):
                slopes = self.trials.find_slopes(points[moved], strengths[moved])
                accepted = (each for each, has in zip(alive, moved, strict=True) if has)
                for each, slope in zip(accepted, slopes, strict=True):
                    each.slopes = slope
            alive = [each for each in alive if each.radius >= self.effort.min_radius and each.slopes is not None]
            for each in alive:
                self._aim(each)
            alive = [each for each in alive if (each.trial != each.now).any()]
            if not alive:
                break
        return [each.best for each in descents if each.best is not None]

    def _accept(self, descent: Descent, point: Floats, values: Floats) -> bool:
        """Accept the trial if cost + penalty · (what constraints are missed by) falls."""
        missing, rank = float(self.trials.miss(values)), self._rank(point)
        if rank < descent.best_rank and self.trials.holds(values):
            descent.best, descent.best_rank = point, rank
        cost = self._measure(point)
        merit = cost + descent.penalty * missing if np.isfinite(missing) else np.inf
        first = descent.now is None
        if first and np.isfinite(missing):
            descent.merit, descent.now, descent.values = merit, point, values
            return True
        if merit < descent.merit - 1e-10 * max(1.0, abs(descent.merit)):
            slow = merit > descent.merit - SLOW * max(1.0, abs(descent.merit))
            descent.radius = descent.radius / 4 if slow else min(1.0, 2 * descent.radius)
            descent.merit, descent.now, descent.values = merit, point, values
            return True
        descent.radius /= 4
        return False

    def _measure(self, point: Floats) -> float:
        """Compute the cost that the descent lowers: of the fewest moves, their sum."""
        moves = self.task.prices * np.abs(point - self.start)
        if self.cost == "l2":
            return float(np.sqrt(moves @ moves))
        return float(moves.sum() if self.cost == "l1" else moves.max())

    def _aim(self, descent: Descent) -> None:
        """Put the next trial at the cheapest point near `now` that meets the linearised constraints."""
        assert descent.now is not None
        assert descent.values is not None
        assert descent.slopes is not None
        reach = descent.radius * self.scale
        step = Step(
            self.start,
            descent.now,
            np.maximum(descent.low, descent.now - reach),
            np.minimum(descent.high, descent.now + reach),
            self.task.prices,
            descent.values - AIM,
            descent.slopes,
        )
        descent.trial, price = solve_step(step, self.cost)
        if 2 * price > descent.penalty:
            missing = float(self.trials.miss(descent.values))
            descent.penalty = 3 * price
            descent.merit = self._measure(descent.now) + descent.penalty * missing

    # -- shorter changes ----------------------------------------------------------------------------------------

    def _refine(self, best: Floats) -> None:
        """Try random points near the best and a little nearer to the start."""
        count, rounds = self.effort.random, self.effort.refinements
        rng, shape = np.random.default_rng(1), (count, len(self.task))
        for k, reach in enumerate(np.geomspace(0.3, 0.01, rounds)):
            points = np.repeat(best[None], count, axis=0)
            points += reach * self.scale * rng.standard_normal(shape) * (rng.random(shape) < 0.5)
            points += rng.random((count, 1)) * reach * (self.start - points)
            points = np.clip(np.where(rng.random(shape) < 0.2, self.start, points), self.low, self.high)
            self.trials.solve(points, k / rounds, (k + 1) / rounds)
            if self.trials.best is not None:
                best = self.trials.best

    def _shorten(self, good: Floats) -> None:
        """Put back moves that are not needed, then go back towards the start as far as the constraints hold."""
        now = self._put_back(good)
        holds = self._test(now[None])
        if not holds[0]:
            return
        little, much, sections = 0.0, 1.0, self.effort.sections
        while much - little > self.effort.least_part:
            parts = np.linspace(little, much, sections + 1)[1:]
            holds = self._test(self.start + parts[:, None] * (now - self.start))
            first = int(holds.argmax()) if holds.any() else len(parts) - 1
            little, much = (little if first == 0 else float(parts[first - 1])), float(parts[first])

    def _test(self, points: Floats) -> Bools:
        """Say which points meet all constraints, without rounding where the best does without."""
        values = self.trials.solve(points)[0]
        exact = bool((self.trials.best_values >= -EXACT).all())
        return np.asarray((values >= -EXACT).all(axis=1)) if exact else self.trials.holds(values)

    def _put_back(self, now: Floats) -> Floats:
        """Undo moves that are not needed: each alone, and the least needed ones together."""
        for _ in range(len(now)):
            moved = np.flatnonzero(now != self.start)
            if len(moved) < 2:
                break
            if len(moved) > MAX_PUT_BACK:  # those that seem to matter least
                slopes = self.trials.find_slopes(now[None], self.trials.solve(now[None])[1])[0]
                effect = np.abs(slopes[:, moved] * (now - self.start)[moved]).max(axis=0)
                moved = moved[np.argsort(effect, kind="stable")[:MAX_PUT_BACK]]
            alone = self._restore(now, moved, np.eye(len(moved), dtype=bool))
            values = self.trials.solve(alone)[0]
            holds = self.trials.holds(values)
            if not holds.any():
                break
            order = np.argsort(np.where(holds, -values.min(axis=1), np.inf), kind="stable")[: int(holds.sum())]
            fewer = self._restore(now, moved[order], np.tri(len(order), dtype=bool))
            good = fewer[self.trials.holds(self.trials.solve(fewer)[0])]
            now = min([*alone[order], *good], key=self._rank)
        return now

    def _restore(self, now: Floats, moved: Integers, back: Bools) -> Floats:
        """Make points in which some of the moved variables stand where they started."""
        points = np.repeat(now[None], len(back), axis=0)
        points[:, moved] = np.where(back, self.start[moved], now[moved])
        return points
