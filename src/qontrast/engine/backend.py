"""Describe the array modules that lanes are computed with (NumPy, or CuPy on a GPU), and run tasks in an executor.

Formulas of semantics call NumPy's functions. NumPy hands such a call on to the module that an array belongs to
(`__array_ufunc__`, `__array_function__`), so the same formula computes with CuPy's arrays. A formula that is called
often is fused first: it is called once with `Traced` arrays, which note what it does, and the whole of it becomes one
kernel.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..errors import InvalidInput, TooLarge
from ..extras import require
from ..settings import check_choice
from ..types import Floats, Integers

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MAX_TASKS_AHEAD = 256  # tasks that an executor has before the first of them is waited for
MAX_PINNED_BYTES = 4 << 30  # of one result
LARGE_MEMORY = 32 << 30  # bytes of a GPU from which blocks are made larger

Found = TypeVar("Found")
Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Backend:
    """An array module with what differs between modules, and how much it computes at a time.

    Attributes
    ----------
    device
        The name in DEVICES: "cpu" or "cuda".
    arrays
        The module: `numpy` or `cupy`.
    add_at
        Add values to an array at places that may repeat.
    fuse
        Formula → the same formula as one kernel; on the CPU the formula itself.
    to_host
        An array of the module → an array of NumPy.
    make_host_array
        Shape → an array of NumPy, not filled, that `fetch` fills quickly.
    fetch
        Copy an array of the module into an array of NumPy.
    wait
        Wait until what was asked for is computed.
    axes_per_block
        2 to this power is how many coalitions of a hypercube are evaluated at a time.
    axes_per_piece
        2 to this power is how many such blocks are computed between two reports of progress.
    numbers_per_block
        How many strengths are computed at a time where lanes are solved.
    """

    device: str
    arrays: Any
    add_at: Callable[[Floats, Integers | tuple[Integers, ...], Floats], None]
    fuse: Callable[[Function], Function]
    to_host: Callable[[Any], Any]
    make_host_array: Callable[[tuple[int, ...]], Floats]
    fetch: Callable[[Any, Floats], None]
    wait: Callable[[], None]
    axes_per_block: int
    axes_per_piece: int
    numbers_per_block: int

    def __reduce__(self) -> tuple[Any, ...]:
        return find_backend, (self.device,)


class Traced(NDArrayOperatorsMixin):
    """An array inside a formula that is being fused: NumPy's functions on it become those of another module."""

    def __init__(self, value: Any, find: Callable[[str], Function]) -> None:
        self.value, self.find = value, find

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        """Call the function of the same name of the other module."""
        if method != "__call__" or settings:
            return NotImplemented
        return self._call(ufunc.__name__, inputs)

    def __array_function__(self, function: Any, types: Any, inputs: Any, settings: Any) -> Any:
        """Do the same for functions that are no ufuncs, such as `where` and `clip`."""
        return NotImplemented if settings else self._call(function.__name__, inputs)

    def __array__(self, *given: Any, **named: Any) -> Any:
        """Refuse to become an array of NumPy."""
        raise TypeError("a formula that is fused must not convert its arrays")

    def __bool__(self) -> bool:
        raise TypeError("a formula that is fused must not branch on its arrays")

    def _call(self, name: str, inputs: Iterable[Any]) -> Traced:
        return Traced(self.find(name)(*(_set_type(_untrace(each)) for each in inputs)), self.find)


def _untrace(value: Any) -> Any:
    return value.value if isinstance(value, Traced) else value


def _set_type(value: Any) -> Any:
    """A number of Python as one of NumPy: a kernel would compute with half precision where it meets a boolean."""
    kind = NUMBERS.get(type(value))
    return value if kind is None else kind(value)


NUMBERS: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64}


def fuse_with(make_kernel: Callable[[Function], Function], find: Callable[[str], Function], kind: type) -> Any:
    """Make the `fuse` of a backend.

    `make_kernel` makes a kernel of a function of the module's own arrays, which are of type `kind`; `find` gives the
    module's function of a name. A formula that cannot be traced is called with the arrays themselves.
    """

    def fuse(formula: Function) -> Function:
        def trace(*inputs: Any) -> Any:
            found = formula(*(Traced(each, find) for each in inputs))
            return tuple(map(_untrace, found)) if isinstance(found, tuple) else _untrace(found)

        kernel, plain = make_kernel(trace), False

        def call(*inputs: Any) -> Any:
            nonlocal plain
            if plain or not any(isinstance(each, kind) for each in inputs):
                return formula(*inputs)
            try:
                return kernel(*map(_set_type, inputs))
            except (TypeError, ValueError, AttributeError, NotImplementedError, IndexError):
                found = formula(*inputs)  # fails too where the formula is wrong
                plain = True
                return found

        return call

    return fuse


def _keep(value: Any) -> Any:
    return value


def _copy(array: Floats, out: Floats) -> None:
    out[...] = array


def _do_nothing() -> None:
    return None


NUMPY = Backend("cpu", np, np.add.at, _keep, _keep, np.empty, _copy, _do_nothing, 13, 6, 1 << 18)


@lru_cache(maxsize=1)
def load_cupy() -> Backend:
    """Load CuPy and look for a GPU; either may be missing."""
    cupy = require("cupy", 'device="cuda"')
    way = "leave device out to compute on the CPU"
    try:
        cards = cupy.cuda.runtime.getDeviceCount()
        memory = cupy.cuda.Device().mem_info[1] if cards else 0
    except RuntimeError as error:  # the driver is missing or too old
        raise InvalidInput(f'device is "cuda", but CUDA finds no GPU ({error}); {way}') from error
    if not cards:
        raise InvalidInput(f'device is "cuda", but this machine has no GPU; {way}')
    cupyx = import_module("cupyx")  # it comes with CuPy
    special = import_module("cupyx.scipy.special")

    def find(name: str) -> Function:
        found: Function | None = getattr(cupy, name, None) or getattr(special, name, None)
        if found is None:
            raise NotImplementedError(f"CuPy has no function {name}")
        return found

    def make_host_array(shape: tuple[int, ...]) -> Floats:
        """In pinned memory, to which a GPU copies many times quicker than to memory that is used for the first time."""
        pinned: Floats = np.empty(shape) if 8 * math.prod(shape) > MAX_PINNED_BYTES else cupyx.empty_pinned(shape)
        return pinned

    def fetch(array: Any, out: Floats) -> None:
        array.get(out=out)

    def wait() -> None:
        cupy.cuda.get_current_stream().synchronize()

    large = memory >= LARGE_MEMORY
    return Backend(
        device="cuda",
        arrays=cupy,
        add_at=cupy.add.at,
        fuse=fuse_with(lambda trace: cupy.fuse(kernel_name="formula")(trace), find, cupy.ndarray),
        to_host=cupy.asnumpy,
        make_host_array=make_host_array,
        fetch=fetch,
        wait=wait,
        axes_per_block=24 if large else 22,
        axes_per_piece=8,
        numbers_per_block=1 << (28 if large else 25),
    )


DEVICES: dict[str, Callable[[], Backend]] = {"cpu": lambda: NUMPY, "cuda": load_cupy}


def find_backend(device: str) -> Backend:
    """Return the backend of a device: "cpu", or "cuda" for a GPU.

    >>> find_backend("cpu").arrays.__name__
    'numpy'
    """
    return DEVICES[check_choice(device, DEVICES, "device")]()


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
    except _find_losses() as error:
        raise TooLarge(
            "a worker of the executor died, perhaps for lack of memory; ask again with fewer workers"
        ) from error
    finally:
        for each in waiting:
            each.cancel()


def _find_losses() -> tuple[type[Exception], ...]:
    """The errors that say that a worker died: of Python's executors, and of Dask where it is in use."""
    dask = sys.modules.get("distributed")
    return (BrokenExecutor,) if dask is None else (BrokenExecutor, dask.KilledWorker)
