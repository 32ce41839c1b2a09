"""Describe the array module that equations compute with, and run tasks in an executor.

NumPy is the only backend. Formulas of semantics call NumPy's functions themselves; `Backend` holds what the update of
an equation takes from an array module besides: making arrays, and adding at places that repeat.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..types import Floats, Integers

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MAX_TASKS_AHEAD = 256  # tasks that an executor has before the first of them is waited for

Found = TypeVar("Found")


@dataclass(frozen=True)
class Backend:
    """An array module, with its function for adding at repeated places.

    Attributes
    ----------
    arrays
        The module: `numpy`.
    add_at
        Add values to an array at places that may repeat.
    """

    arrays: Any
    add_at: Callable[[Floats, Integers | tuple[Integers, ...], Floats], None]

    def __reduce__(self) -> tuple[Any, ...]:
        return _find_backend, (next(name for name, each in BACKENDS.items() if each is self),)


def _find_backend(name: str) -> Backend:
    return BACKENDS[name]


BACKENDS: dict[str, Backend] = {"numpy": Backend(np, np.add.at)}
NUMPY = BACKENDS["numpy"]


def run_tasks(
    executor: Executor | None, function: Callable[..., Found], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[Found]:
    """Call a function for each tuple of arguments, in an executor if there is one; results come in order.

    Not all tasks are submitted at once, so that their arguments need not be in memory together.

    >>> list(run_tasks(None, pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if executor is None:
        for task in tasks:
            yield function(*task)
        return
    waiting: deque[Future[Found]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, *task))
            if len(waiting) >= MAX_TASKS_AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()
