"""Sort the edges of a graph, and find the levels and the strongly connected components of its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Ends, Floats, Integers

MAX_EDGES_WITHOUT_SCIPY = 20_000  # up to here sorting the edges is quicker than importing SciPy
SHALLOW_LEVELS = 5  # at most, so that arrays have few groups
MAX_EDGES_IN_A_LOOP = 256  # up to here a plain loop finds levels sooner than whole levels at a time
MAX_WIDE_LEVELS = 2_000  # found by whole levels; what is deeper is narrow, and a plain loop is quicker


def sort_by_row(rows: int, row: Ends, column: Ends, data: Floats | None = None) -> tuple[Ends, Ends, Floats | None]:
    """Edges row after row, each by column: where the rows start, then the columns, then the data.

    >>> starts, columns, _ = sort_by_row(2, np.array([1, 0, 1]), np.array([7, 6, 5]))
    >>> starts.tolist(), columns.tolist()
    ([0, 1, 3], [6, 5, 7])
    """
    if len(row) <= MAX_EDGES_WITHOUT_SCIPY:
        order = np.lexsort((column, row))
        starts = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=rows))))
        return starts, column[order], None if data is None else data[order]
    from scipy.sparse import coo_array

    given = np.ones(len(row), np.int8) if data is None else data
    found = coo_array((given, (row, column)), shape=(rows, int(column.max()) + 1)).tocsr()
    return found.indptr, found.indices, None if data is None else found.data


def find_components(n: int, sources: Ends, targets: Ends) -> Integers:
    """The strongly connected component of each argument, by number: arguments that reach each other share one.

    >>> find_components(3, np.array([0, 1, 1]), np.array([1, 0, 2])).tolist()
    [1, 1, 0]
    """
    from scipy.sparse import coo_array  # here: SciPy takes longer to import than NumPy
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(sources), np.int8), (sources, targets)), shape=(n, n))
    return np.asarray(connected_components(graph, connection="strong")[1])


def is_shallow(sources: Ends, targets: Ends, n: int) -> bool:
    """Whether no path has SHALLOW_LEVELS edges; a graph with a cycle is not shallow.

    >>> is_shallow(np.array([0, 1]), np.array([1, 2]), 3), is_shallow(np.array([0, 1]), np.array([1, 0]), 2)
    (True, False)
    """
    ends = np.ones(n, bool)  # where a path of as many edges ends as there were rounds
    for _ in range(SHALLOW_LEVELS):
        last, ends = ends, np.zeros(n, bool)
        ends[targets[last[sources]]] = True
    return not ends.any()


def find_levels(
    n: int, sources: Ends, targets: Ends, children: Ends | None = None, parents: Integers | None = None
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The length of the longest path that ends in each argument, and which have one: no cycle leads to them.

    `children` are the targets of all edges, source after source; `parents` counts the parents of each argument.

    >>> level, reached = find_levels(3, np.array([0, 1, 0], np.int32), np.array([1, 2, 2], np.int32))
    >>> level.tolist(), reached.tolist()
    ([0, 1, 2], [True, True, True])
    """
    child = sort_by_row(n, sources, targets)[1] if children is None else children
    size = np.bincount(sources, minlength=n).astype(np.int32)
    start = np.concatenate((np.zeros(1, np.int32), np.cumsum(size, dtype=np.int32)))
    waiting = np.bincount(targets, minlength=n) if parents is None else parents.copy()
    if waiting.max(initial=0) < 256:
        waiting = waiting.astype(np.uint8)  # which stays in cache
    one, level = np.ones((), waiting.dtype), np.zeros(n, np.int32)
    wave, depth = np.flatnonzero(waiting == 0).astype(np.int32), 0
    most = MAX_WIDE_LEVELS if len(sources) > MAX_EDGES_IN_A_LOOP else 0
    while len(wave) and depth < most:
        depth += 1
        own = size[wave]
        edge = np.repeat(start[wave] - np.cumsum(own, dtype=np.int32) + own, own)
        edge += np.arange(len(edge), dtype=np.int32)
        reached = child[edge]
        np.subtract.at(waiting, reached, one)
        free = reached[waiting[reached] == 0]
        free.sort()  # in order memory is read faster
        wave = free[np.diff(free, prepend=-1) > 0]  # each once
        level[wave] = depth
    if len(wave):
        _find_deep_levels(start.tolist(), child.tolist(), waiting, level, wave)
    return level, waiting == 0


def _find_deep_levels(
    start: list[int], child: list[int], waiting: NDArray[Any], level: NDArray[np.int32], wave: Ends
) -> None:
    """The same for what lies deeper, one argument at a time; `level` and `waiting` are filled in place."""
    left, depth, stack = waiting.tolist(), level.tolist(), wave.tolist()
    while stack:
        source = stack.pop()
        for target in child[start[source] : start[source + 1]]:
            depth[target] = max(depth[target], depth[source] + 1)
            left[target] -= 1
            if not left[target]:
                stack.append(target)
    level[:], waiting[:] = depth, left
