"""Make an executor: processes of this machine, or the machines of a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ..errors import InvalidInput
from ..extras import require
from ..settings import check_integer, format_value

SECONDS_TO_CONNECT = 10


def workers(where: int | str | None = None) -> AbstractContextManager[Executor]:
    """Make an executor for the `executor=` of other functions; it ends with the `with` block.

    Any other `concurrent.futures.Executor` may be given there, too. The numbers are the same whatever the executor and
    the number of its workers.

    Parameters
    ----------
    where : int or str, optional
        How many processes to start on this machine; one for each core unless given. Or the address of the scheduler of
        a Dask cluster, such as 'tcp://10.0.0.1:8786', which needs the extra `cluster`; a worker that dies there costs
        the tasks that it had, and others do them again.

    Returns
    -------
    context manager
        It gives a `concurrent.futures.Executor`.

    Raises
    ------
    InvalidInput
        If there is no scheduler at this address, or the number is not a whole one from 1 up.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> with workers(2) as executor:
    ...     why = contrast(examples.load("healthcare"), "antiviral", "antibiotic", executor=executor)
    >>> round(why.gap, 4)
    0.1196
    """
    if isinstance(where, str):
        return _connect(where)
    return _start((os.cpu_count() or 1) if where is None else check_integer(where, "where", 1))


@contextmanager
def _start(number: int) -> Iterator[Executor]:
    from concurrent.futures import ProcessPoolExecutor  # here: it brings multiprocessing

    pool = ProcessPoolExecutor(number, initializer=_ignore_interrupts)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def check_executor(executor: Any) -> None:
    """Refuse what cannot take work."""
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise InvalidInput(
            f"executor is {format_value(executor)}; give an executor of concurrent.futures or of a Dask client"
        )


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that waits for the workers: it ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _connect(address: str) -> Iterator[Any]:
    if "://" not in address:
        raise InvalidInput(f"where is {format_value(address)}; give a number of processes, or tcp://HOST:PORT")
    distributed = require("distributed", "a Dask cluster")
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:  # a TimeoutError is an OSError
        said = str(error) or type(error).__name__
        raise InvalidInput(
            f"no scheduler of Dask answers at {format_value(address)}: {said}; check the address"
        ) from None
    with client:
        yield client.get_executor()
