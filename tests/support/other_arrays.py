"""A second array module on the CPU that is as strict as CuPy, to test code that shall run on a GPU.

Its arrays are not NumPy's: NumPy's functions are handed on to the functions of this module, by the same protocols as
CuPy's, and what CuPy refuses is refused here. An array of NumPy beside one of this module, and a conversion that is
not asked for by `to_host`, are errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from qontrast.engine.backend import Backend, fuse_with

MAX_AXES = 25  # of CuPy
METHODS = {  # of arrays, with the settings that CuPy's have
    "all": {"axis"},
    "any": {"axis"},
    "argmax": {"axis"},
    "astype": set(),
    "copy": set(),
    "max": {"axis"},
    "min": {"axis"},
    "prod": {"axis"},
    "ravel": set(),
    "reshape": set(),
    "sum": {"axis", "keepdims"},
    "swapaxes": set(),
    "take": {"axis"},
    "transpose": set(),
}
UFUNC_METHODS = {("add", "at"), ("maximum", "at"), ("minimum", "at"), ("add", "reduce"), ("multiply", "reduce")}
WITHOUT = {"max": "initial", "min": "initial", "sum": "initial", "prod": "initial"}  # settings that CuPy lacks
MAKING = {"asarray", "array", "ascontiguousarray", "atleast_2d", "full", "zeros", "ones", "empty", "arange", "eye"}


OF_ARRAYS = {"broadcast_to"}  # functions that take no numbers


class OtherArray(NDArrayOperatorsMixin):
    """An array that NumPy does not know."""

    def __init__(self, value: Any) -> None:
        self.inner = np.asarray(value)
        assert self.inner.ndim <= MAX_AXES

    shape = property(lambda self: self.inner.shape)
    ndim = property(lambda self: self.inner.ndim)
    size = property(lambda self: self.inner.size)
    dtype = property(lambda self: self.inner.dtype)
    T = property(lambda self: OtherArray(self.inner.T))

    def __array__(self, *given: Any, **named: Any) -> Any:
        raise TypeError("an array of this module is not converted implicitly; use to_host")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        if method != "__call__" and (ufunc.__name__, method) not in UFUNC_METHODS:
            raise NotImplementedError(f"{ufunc.__name__}.{method}")
        if "initial" in settings:
            raise TypeError("initial")
        with np.errstate(all="ignore"):  # a GPU gives no warnings
            return wrap(getattr(ufunc, method)(*map(unwrap, inputs), **{k: unwrap(v) for k, v in settings.items()}))

    def __array_function__(self, function: Any, types: Any, inputs: Any, settings: Any) -> Any:
        return getattr(OTHER, function.__name__)(*inputs, **settings)

    def __getattr__(self, name: str) -> Any:
        if name not in METHODS:
            raise AttributeError(f"arrays of this module have no {name}")

        def call(*given: Any, **settings: Any) -> Any:
            if not set(settings) <= METHODS[name]:
                raise TypeError(f"{name} takes no {set(settings) - METHODS[name]}")
            return wrap(getattr(self.inner, name)(*map(unwrap, given), **settings))

        return call

    def __getitem__(self, where: Any) -> Any:
        return OtherArray(self.inner[unwrap(where)])

    def __setitem__(self, where: Any, value: Any) -> None:
        self.inner[unwrap(where)] = unwrap(value)

    def __matmul__(self, other: Any) -> Any:
        return wrap(self.inner @ unwrap(other))

    def __len__(self) -> int:
        return len(self.inner)

    def __bool__(self) -> bool:
        return bool(self.inner)

    def __float__(self) -> float:
        return float(self.inner)

    def __int__(self) -> int:
        return int(self.inner)


def unwrap(value: Any) -> Any:
    """What NumPy computes with; an array of NumPy itself is refused, as CuPy refuses it."""
    if isinstance(value, np.ndarray) and value.ndim:
        raise TypeError("an array of NumPy beside one of this module")
    if isinstance(value, OtherArray):
        return value.inner
    if isinstance(value, tuple | list):
        return type(value)(map(unwrap, value))
    return value


def wrap(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(map(wrap, value))
    return OtherArray(value) if isinstance(value, np.ndarray | np.generic) else value


class Module:
    """The functions of NumPy for arrays of this module; those that make arrays also take NumPy's."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(np, name)

        def call(*given: Any, **settings: Any) -> Any:
            if WITHOUT.get(name) in settings:
                raise TypeError(f"{name} takes no {WITHOUT[name]}")
            if name in OF_ARRAYS and not isinstance(given[0], OtherArray):
                raise TypeError(f"{name} takes arrays of this module")
            if name in MAKING:
                given = tuple(each.inner if isinstance(each, OtherArray) else each for each in given)
            return wrap(function(*map(unwrap, given) if name not in MAKING else given, **settings))

        return call


OTHER = Module()


def find(name: str) -> Callable[..., Any]:
    """A function for traced arrays: elementwise ones alone, of NumPy or SciPy."""
    import scipy.special

    found = getattr(np, name, None) or getattr(scipy.special, name)
    if not isinstance(found, np.ufunc) and name not in ("where", "clip"):
        raise NotImplementedError(name)

    def call(*inputs: Any) -> Any:
        if any(type(each) in (int, float) for each in inputs):
            raise ValueError("the precision of a number of Python is not certain inside a kernel")
        with np.errstate(all="ignore"):
            return wrap(found(*map(unwrap, inputs)))

    return call


def fetch(array: OtherArray, out: np.ndarray) -> None:
    assert out.flags.c_contiguous
    assert array.inner.flags.c_contiguous
    out[...] = array.inner


def make_other_backend(axes_per_block: int = 7, axes_per_piece: int = 2, numbers_per_block: int = 150) -> Backend:
    """A backend of this module, with small blocks so that small graphs have several."""
    with_kernels = fuse_with(lambda trace: trace, find, OtherArray)
    return Backend(
        device="cuda",
        arrays=OTHER,
        add_at=lambda array, places, values: np.add.at(array.inner, unwrap(places), unwrap(values)),
        fuse=with_kernels,
        to_host=lambda array: array.inner.copy(),
        make_host_array=np.empty,
        fetch=fetch,
        wait=lambda: None,
        axes_per_block=axes_per_block,
        axes_per_piece=axes_per_piece,
        numbers_per_block=numbers_per_block,
    )
