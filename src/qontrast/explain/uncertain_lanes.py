"""Draw base scores at random, solve them as lanes, and estimate from the gaps whose uncertainty matters.

Two independent tables of draws, A and B, have a row for each sample and a column for each uncertain argument. AB(i) is
A with column i from B ("pick and freeze"). The gaps of these lanes give

    first order   Var(E[gap | τ(i)]) / Var(gap)        the correlation of B and AB(i), which share only τ(i)
    total         E[Var(gap | all but τ(i))] / Var(gap)    1 − the correlation of A and AB(i), which share all but τ(i)

The product of the gaps of A and B, each less the mean, has the expectation 0, so what it is in the sample is noise: its
part in an estimate is found by regression and taken out (a control variate).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..engine.problem import Problem
from ..graph.distributions import Distribution, Samples
from ..results.base import TIE_TOLERANCE
from ..results.order import sort_by_size
from ..standard_errors import find_error
from ..types import Floats, Integers, Name, Progress

STRENGTHS_PER_PIECE = 1 << 21  # strengths between two reports of progress
MAX_SLICES = 32  # of the values of one base score, each equally likely
MIN_SAMPLES_PER_SLICE = 32
SURE = 2.0  # standard errors by which an expected drop has to differ from 0


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Drawn:
    """The gaps of all lanes; NaN where strengths are undefined.

    Attributes
    ----------
    levels
        (2, samples, uncertain arguments): the random numbers in [0, 1] behind the tables A and B.
    one, other
        The gaps of A and B.
    mixed
        Argument → the gaps of AB(i); arguments without a path to fact or foil are left out, since AB(i) is A.
    """

    scores: Mapping[Name, Distribution]
    levels: Floats
    one: Floats
    other: Floats
    mixed: Mapping[Name, Floats]

    @property
    def gaps(self) -> Floats:
        """The gaps of A and B, which are independent draws."""
        return np.concatenate((self.one, self.other))

    def find_shares(self, name: Name) -> tuple[Estimate, Estimate]:
        """Estimate the first-order and the total share of one argument in the variance of the gap."""
        if name not in self.mixed:
            return Estimate(0.0, 0.0), Estimate(0.0, 0.0)
        known = np.isfinite(self.one) & np.isfinite(self.other) & np.isfinite(self.mixed[name])
        one, other, mixed = (each[known] for each in (self.one, self.other, self.mixed[name]))
        center = float(np.nanmean(self.gaps))
        one, other, mixed = one - center, other - center, mixed - center
        if not len(one) or float(np.var(np.concatenate((one, other)))) <= TIE_TOLERANCE**2:
            return Estimate(0.0, 0.0), Estimate(0.0, 0.0)  # nothing varies
        first, rest = _correlate(other, mixed, one * other), _correlate(one, mixed, one * other)
        return first, Estimate(1.0 - rest.value, rest.error)

    def find_drop(self, place: int) -> Estimate:
        """Estimate how much the probability of the wrong order is expected to drop if one base score became known.

        The order is called in every slice of equally likely values of the base score from one table, and judged by the
        other, so that noise never counts as knowledge: the estimate may fall short of the truth but not exceed it, up
        to its standard error.
        """
        signs = find_signs(self.gaps)
        slices = np.concatenate([self._slice(place, levels) for levels in self.levels[:, :, place]])
        known, half = np.isfinite(signs), np.arange(len(signs)) < len(self.one)
        signs = np.where(known, signs, 0.0)
        if not known.any():
            return Estimate(np.nan, np.nan)
        overall = 1.0 if signs.sum() >= 0 else -1.0
        calls = np.empty(len(signs))
        for judged in (half, ~half):
            votes = np.bincount(slices[~judged], signs[~judged], slices.max() + 1)
            calls[judged] = np.where(votes == 0, overall, np.sign(votes))[slices[judged]]
        gains = (signs * (calls - overall) / 2)[known]
        return Estimate(float(gains.mean()), find_error(gains, -1.0, 1.0))

    def _slice(self, place: int, levels: Floats) -> Integers:
        """Say in which slice of equally likely values each level lies; few different samples are a slice each."""
        scores = list(self.scores.values())[place]
        if isinstance(scores, Samples) and len(set(scores.values)) <= MAX_SLICES:
            return np.searchsorted(np.unique(scores.values), scores.quantile(levels))
        slices = max(2, min(MAX_SLICES, len(levels) // MIN_SAMPLES_PER_SLICE))
        return (levels * slices).astype(np.intp)


def find_signs(gaps: Floats) -> Floats:
    """Return 1 where the fact is ahead, −1 where the foil is, 0 for ties, and NaN where strengths are undefined."""
    return np.where(np.abs(gaps) <= TIE_TOLERANCE, 0.0, np.sign(gaps))


def choose_next(drop: Mapping[Name, float], error: Mapping[Name, float], shares: Mapping[Name, float]) -> Name | None:
    """Choose the argument to check next, as `Uncertainty.check_next` says."""
    sure = {name: value for name, value in drop.items() if value > SURE * error[name]}
    ranked = sure or {name: value for name, value in shares.items() if value > 0}
    return next(iter(sort_by_size(ranked, ranked.__getitem__)), None)


def _correlate(one: Floats, other: Floats, control: Floats) -> Estimate:
    """Estimate the correlation of two centred samples; `control` has the expectation 0."""
    squares = (one**2 + other**2) / 2
    variance = float(squares.mean())
    found = float((one * other).mean()) / variance
    influence = (one * other - found * squares) / variance
    deviation = control - control.mean()
    spread = float((deviation**2).sum())
    slope = float((influence * deviation).sum()) / spread if spread > 0 else 0.0
    noise = influence - slope * deviation
    return Estimate(found - slope * float(control.mean()), find_error(noise))


def draw(
    problem: Problem,
    pair: tuple[int, int],
    scores: Mapping[Name, Distribution],
    samples: int,
    seed: int,
    progress: Progress | None,
) -> Drawn:
    """Draw base scores and solve all lanes."""
    qbaf = problem.qbaf
    places = np.array([qbaf.index(name) for name in scores], np.intp)
    levels = np.random.default_rng(seed).random((2, samples, len(scores)))
    tables = np.stack([each.quantile(levels[:, :, k]) for k, each in enumerate(scores.values())], axis=-1)
    acts = find_acting(problem, pair, scores)
    solver = _Lanes(problem, pair, places, samples * (2 + len(acts)), progress)
    one, other = solver.solve(tables[0]), solver.solve(tables[1])
    mixed: dict[Name, Floats] = {}
    for name, k in acts.items():
        swapped = tables[0].copy()
        swapped[:, k] = tables[1][:, k]
        mixed[name] = solver.solve(swapped)
    return Drawn(scores, levels, one, other, mixed)


def find_acting(problem: Problem, pair: tuple[int, int], scores: Mapping[Name, Distribution]) -> dict[Name, int]:
    """List the uncertain arguments with a path to fact or foil, each with its place among all uncertain ones."""
    near = problem.qbaf.structure.ancestors(pair)
    return {name: k for k, name in enumerate(scores) if near[problem.qbaf.index(name)]}


class _Lanes:
    """Solve tables of base scores in pieces and report progress after each."""

    def __init__(
        self, problem: Problem, pair: tuple[int, int], places: Integers, total: int, progress: Progress | None
    ) -> None:
        self.problem, self.pair, self.places = problem, pair, places
        self.done, self.total, self.progress = 0, total, progress
        size = max(len(problem.qbaf), len(problem.qbaf.weights), 1)
        self.piece = max(1, STRENGTHS_PER_PIECE // size)
        if problem.executor is not None or problem.device != "cpu":
            self.piece = max(self.piece, 8 * problem.lanes_per_task)

    def solve(self, table: Floats) -> Floats:
        """Return the gap of each row of base scores of the uncertain arguments."""
        gaps = np.empty(len(table))
        for first in range(0, len(table), self.piece):
            some = table[first : first + self.piece]
            lanes = np.repeat(self.problem.qbaf.base_array[None], len(some), axis=0)
            lanes[:, self.places] = some
            strengths = self.problem.solve(base_scores=lanes).strengths
            gaps[first : first + len(some)] = strengths[:, self.pair[0]] - strengths[:, self.pair[1]]
            self.done += len(some)
            if self.progress:
                self.progress(self.done, self.total)
        return gaps
