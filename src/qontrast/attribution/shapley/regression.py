"""Shapley values by regression on the connected frontier.

The Möbius coefficient of a set T is 0 unless T is connected, so v is fitted by the indicators 1[T ⊆ S] of the
smallest connected sets T, and of all single players. Weighted least squares with the Shapley kernel, v(∅) and v(N)
met exactly; then φ_i = Σ_{T ∋ i} β_T/|T|. What the fit leaves is orthogonal to the single players, so its own
Shapley values vanish as the sample grows, whatever sets T were chosen: the estimate is consistent, and the ridge on
the larger sets costs no bias in the limit.

Coalitions come in pairs S, N∖S of uniform size (their leverage), the same for all topics. The error is the
jackknife's: how much the estimate would change without each pair, by the formula for leaving out two rows.

Rows × sets² is bounded. Where single players alone are beyond that bound, only they are fitted, by conjugate gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...types import Bools, Floats
from .coalitions import Neighbours, find_smallest_connected, unpack

SETS_PER_EVALUATION = 0.2  # connected sets in the basis, per evaluation of the budget
MAX_SETS = 1500  # connected sets in the basis
MAX_WORK = 8e9  # rows × sets² of one fit: less than a second
RIDGE = 1e-4
ROWS_HELD = 4096  # even, so that pairs stay together
MAX_ITERATIONS = 200  # of conjugate gradients
ITERATION_TOLERANCE = 1e-6  # of their residual, relative: below the rounding of single precision nothing is gained
MAX_REFINEMENTS = 8  # of a solution in single precision
REFINED = 1e-14  # of its residual in double precision, relative


@dataclass(frozen=True)
class Basis:
    """The sets T whose indicators are fitted: all single players, then the smallest larger connected sets."""

    sets: Bools  # (sets, players)

    def indicators(self, coalitions: Bools) -> Floats:
        """1[T ⊆ S], (coalitions, sets)."""
        larger = self.sets[coalitions.shape[1] :]
        inside = coalitions.astype(np.float32) @ larger.T.astype(np.float32)
        return np.concatenate((coalitions, inside == larger.sum(axis=1)), axis=1, dtype=np.float64)

    def shares(self) -> Floats:
        """φ = shares @ β."""
        return (self.sets / self.sets.sum(axis=1, keepdims=True)).T


def is_too_large(players: int, rows: int) -> bool:
    """Whether a fit of the single players to so many coalitions is beyond the bound."""
    return rows * players**2 > MAX_WORK


def choose_basis(graph: Neighbours, budget: int, rows: int = 0) -> Basis:
    """All single players, and about a fifth of the budget in connected sets, as far as so many rows allow."""
    n = graph.players
    allowed = max(0, int(np.sqrt(MAX_WORK / max(1, rows))) - n)
    wanted = min(MAX_SETS, allowed, int(SETS_PER_EVALUATION * budget))
    small = find_smallest_connected(graph, wanted + int(graph.next_to_topic.sum()))
    sizes = np.bitwise_count(small).sum(axis=1)
    return Basis(np.concatenate((np.eye(n, dtype=bool), unpack(small[sizes > 1], n))))


def draw(rng: np.random.Generator, pairs: int, players: int) -> Bools:
    """Random coalitions of uniform size, so too on every subset of the players; row 2k + 1 completes row 2k."""
    chance = rng.random((pairs, 1))
    one = rng.random((pairs, players)) < chance
    return np.stack((one, ~one), axis=1).reshape(2 * pairs, players)


def fit(
    made: Basis, coalitions: Bools, values: Floats, empty: float, full: float, groups: int
) -> tuple[Floats, Floats]:
    """φ of all players, and `groups` deviations (groups, players) whose squares add up to its variance."""
    from scipy.linalg import cho_solve, cholesky, solve_triangular  # here: SciPy takes longer to import than NumPy

    n, sets = coalitions.shape[1], len(made.sets)
    gram, right = np.zeros((sets, sets)), np.zeros(sets)
    for x, y, _ in _rows(made, coalitions, values - empty):
        gram += x.T @ x
        right += x.T @ y
    ridge = np.full(sets, RIDGE * gram.diagonal().mean() + 1e-12)  # a single player has no row at all
    ridge[:n] *= 1e-8  # single players stay free, or the estimate would not be consistent
    root, shares = cholesky(gram + np.diag(ridge), lower=True), made.shares()
    # the sum of all β is v(N) − v(∅)
    free, ones = cho_solve((root, True), np.column_stack((right, np.ones(sets)))).T
    beta = free + ones * ((full - empty) - free.sum()) / ones.sum()
    # φ as a linear map of the rows, shares · A⁻¹ · xᵀ, and the hat matrix, x · A⁻¹ · xᵀ, both without what moves Σβ
    move = cho_solve((root, True), shares.T)
    move -= np.outer(ones, shares @ ones) / ones.sum()
    by_group, single = np.zeros((groups, n)), root.astype(np.float32)
    for x, y, pair in _rows(made, coalitions, values - empty):
        # the hat matrix is for the error alone: single precision is enough
        half = solve_triangular(single, x.T.astype(np.float32), lower=True, check_finite=False)
        moves = (x @ move) * _leave_out(half, (x @ ones) / np.sqrt(ones.sum()), y - x @ beta)[:, None]
        np.add.at(by_group, pair % groups, moves)
    by_group -= by_group.mean(axis=0)
    return shares @ beta, np.sqrt(groups / (groups - 1)) * by_group


def fit_single_players(
    coalitions: Bools, values: Floats, empty: float, full: float, groups: int
) -> tuple[Floats, Floats]:
    """The same as `fit` with single players as the basis, without their Gram matrix.

    The mean of the two rows of a pair is met by any φ that sums to v(N) − v(∅), so that half their difference is one
    row. Coalitions of uniform size make the Gram matrix, apart from the sum of φ, a multiple of the unit matrix on
    average: conjugate gradients need few steps, and the errors are those of the average matrix and leverage.
    """
    x, n = coalitions[::2].astype(np.float32), coalitions.shape[1]
    size, total = coalitions[::2].sum(axis=1), full - empty
    inner = (size > 0) & (size < n)
    weight = inner / np.maximum(size * (n - size), 1)
    y = (values[::2] - values[1::2]) / 2 - (size / n - 0.5) * total

    def pull(rows: Floats, some: NDArray[np.float32] = x) -> Floats:
        """Xᵀ of one number for each row, without what moves Σφ."""
        pieces = [rows[k : k + ROWS_HELD] @ some[k : k + ROWS_HELD] for k in range(0, len(rows), ROWS_HELD)]
        found = np.sum(pieces, axis=0)
        found -= found.mean()
        return np.asarray(found - found.mean())  # once more: the first mean may be far larger than what is left

    def push(point: Floats) -> Floats:
        return np.concatenate([x[k : k + ROWS_HELD] @ point for k in range(0, len(x), ROWS_HELD)])

    def multiply(step: Floats) -> Floats:
        """Xᵀ W X in single precision, which is quicker."""
        found = (weight * (x @ step.astype(np.float32))).astype(np.float32) @ x
        return np.asarray(found - found.mean(dtype=np.float64), np.float64)

    # what single precision leaves over is found in double precision and solved again: φ has no rounding of BLAS
    point, left = np.zeros(n), pull(weight * y)
    enough = REFINED**2 * float(left @ left)
    for _ in range(MAX_REFINEMENTS):
        if float(left @ left) <= enough:
            break
        point = point + _solve_iteratively(multiply, left)
        left = pull(weight * (y - push(point)))
    pairs = max(1, int(inner.sum()))
    residual = (y - push(point)) * weight / max(1 - (n - 1) / pairs, 1e-3)
    by_group = np.stack([pull(residual[k::groups], x[k::groups]) for k in range(groups)])
    by_group *= n * (n - 1) / pairs
    by_group -= by_group.mean(axis=0)
    return total / n + point - point.mean(), np.sqrt(groups / (groups - 1)) * by_group


def _solve_iteratively(multiply: Callable[[Floats], Floats], right: Floats) -> Floats:
    """Solve A z = right by conjugate gradients, as far as single precision goes."""
    point, left = np.zeros(len(right)), right
    step, square = left, float(left @ left)
    enough = ITERATION_TOLERANCE**2 * square
    for _ in range(MAX_ITERATIONS):
        if square <= enough:
            break
        moved = multiply(step)
        length = square / float(step @ moved)
        point, left = point + length * step, left - length * moved
        square, before = float(left @ left), square
        step = left + square / before * step
    return point


def _rows(made: Basis, coalitions: Bools, values: Floats) -> Iterator[tuple[Floats, Floats, NDArray[np.intp]]]:
    """The weighted rows of the regression, a piece at a time, and the pair that each belongs to."""
    n = coalitions.shape[1]
    for first in range(0, len(coalitions), ROWS_HELD):
        some = coalitions[first : first + ROWS_HELD]
        size = some.sum(axis=1)
        inner = np.maximum(size * (n - size), 1)
        # the Shapley kernel over the chance to be drawn; ∅ and N are constraints, not rows
        root = np.sqrt(((size > 0) & (size < n)) / inner)
        yield (
            made.indicators(some) * root[:, None],
            values[first : first + ROWS_HELD] * root,
            (np.arange(len(some)) + first) // 2,
        )


def _leave_out(half: Floats, along: Floats, left: Floats) -> Floats:
    """(I − H_gg)⁻¹ e_g of every pair g of rows: its residuals, had it not been there; H = halfᵀ half − along alongᵀ."""
    a, b = slice(0, None, 2), slice(1, None, 2)
    h_aa, h_bb, h_ab = (
        np.einsum("ij,ij->j", half[:, one], half[:, two]) - along[one] * along[two]
        for one, two in ((a, a), (b, b), (a, b))
    )
    aa, bb = np.maximum(1 - h_aa, 1e-3), np.maximum(1 - h_bb, 1e-3)
    det = np.maximum(aa * bb - h_ab**2, 1e-3)
    out = np.empty_like(left)
    out[a] = (bb * left[a] + h_ab * left[b]) / det
    out[b] = (h_ab * left[a] + aa * left[b]) / det
    return out
