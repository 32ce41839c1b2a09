"""Aliases and protocols that several packages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .attribution.matrix import Phi
    from .engine.problem import Problem

Name = str | int  # names are strings; integers where a graph came from arrays without names
Edge = tuple[Name, Name]  # (source, target)
Edges = Iterable[Sequence[Any]] | Mapping[Any, Any]  # pairs, or a mapping from pair to weight
Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Ends = NDArray[np.int32]  # half the memory of intp, and most of the time of a large graph is moving memory
Bools = NDArray[np.bool_]
Progress = Callable[[int, int], None]  # (done, total)


class Method(Protocol):
    """A way to compute contributions: its settings are its fields, and calling it does the work."""

    def __call__(self, problem: Problem, topics: tuple[Name, ...], progress: Progress | None = None) -> Phi:
        """Compute the contributions of every argument to each topic."""
