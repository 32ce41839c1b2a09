"""Search for the fewest moves that meet the constraints of a task, and among equally many for the least sum."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from ..types import Floats
from .reach_search import PointSearch
from .reach_trials import PointTrials

MAX_CORNERS = 20_000  # of all sets of one size; where there are more, only the most helpful variables are combined
MAX_SETS = 24  # sets of one size from which a descent starts


def search_fewest(trials: PointTrials) -> None:
    """Search by sum first, then among the sets of 1, 2, … variables until a set does it."""
    search = PointSearch(trials)
    search.search()
    limit = len(trials.task) if trials.best is None else int(trials.task.measure(trials.best[None])[0]) - 1
    helpful = _rank_variables(trials)
    for size in range(1, limit + 1):
        found = _search_sets(search, helpful, size)
        if found:
            return


def _rank_variables(trials: PointTrials) -> list[int]:
    """Order the variables by what each alone can do."""
    task = trials.task
    points = np.repeat(task.start[None], 2 * len(task), axis=0)
    each = np.arange(len(task))
    points[each, each], points[each + len(task), each] = task.low, task.high
    missing = trials.miss(trials.solve(points)[0]).reshape(2, -1).min(axis=0)
    return [int(i) for i in np.argsort(missing, kind="stable")]


def _search_sets(search: PointSearch, helpful: list[int], size: int) -> bool:
    """Try sets of one size: their corners first, then descents from the best corners; say whether one does it."""
    trials, task = search.trials, search.task
    count = len(helpful)
    while count > size and comb(count, size) << size > MAX_CORNERS:
        count -= 1
    if comb(count, size) << size > MAX_CORNERS:
        return False
    sets = np.array(list(combinations(helpful[:count], size)), np.intp)
    corners = _make_corners(search, sets)
    missing = trials.miss(trials.solve(corners)[0]).reshape(1 << size, len(sets))
    best = missing.min(axis=0)
    order = np.argsort(best, kind="stable")
    chosen = order[: max(MAX_SETS, 0)]
    masks = np.zeros((len(chosen), len(task)), bool)
    masks[np.arange(len(chosen))[:, None], sets[chosen]] = True
    starts = corners.reshape(1 << size, len(sets), -1)[missing[:, chosen].argmin(axis=0), chosen]
    before = trials.best_rank
    search.descend(starts, masks)
    search.descend(np.where(masks, (starts + task.start) / 2, task.start), masks)
    if trials.best is None or trials.best_rank >= before or trials.task.measure(trials.best[None])[0] > size:
        return False
    search._shorten(trials.best)
    return True


def _make_corners(search: PointSearch, sets: np.typing.NDArray[np.intp]) -> Floats:
    """Make the points with each set of variables at each combination of their bounds."""
    task, size = search.task, sets.shape[1]
    out = np.repeat(task.start[None], len(sets) << size, axis=0).reshape(1 << size, len(sets), len(task))
    rows = np.arange(len(sets))[:, None]
    for corner in range(1 << size):
        high = (corner >> np.arange(size)) & 1
        out[corner, rows, sets] = np.where(high, task.high[sets], task.low[sets])
    return out.reshape(-1, len(task))
