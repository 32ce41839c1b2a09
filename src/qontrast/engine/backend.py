"""Where the arithmetic happens: the array module with the few functions that differ between devices, and executors.

An array module is NumPy or one that answers to NumPy's functions. Formulas of semantics call NumPy, which hands arrays
of other modules on to them; what is left to a backend is moving arrays, and adding at repeated places.
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
    """An array module, and what it does in its own way.

    Attributes
    ----------
    arrays
        The module: `numpy`.
    send, fetch
        Move an array to the device, and back.
    add_at
        Add values to an array at places that may repeat.
    """

    arrays: Any
    send: Callable[[Floats], Floats]
    fetch: Callable[[Floats], Floats]
    add_at: Callable[[Floats, Integers | tuple[Integers, ...], Floats], None]

    def __reduce__(self) -> tuple[Any, ...]:
        return _find_backend, (next(name for name, each in BACKENDS.items() if each is self),)


def _find_backend(name: str) -> Backend:
    return BACKENDS[name]


BACKENDS: dict[str, Backend] = {"numpy": Backend(np, np.asarray, np.asarray, np.add.at)}
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
