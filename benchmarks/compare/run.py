"""Measure every tool in every case, each in a process of its own with limits of time and memory.

Seconds are those of the fastest of several runs on one core, or their mean by the clock of the processor if that is
less, so that other programs on the machine change them little. Memory is the peak of the process, less what it had
before the job. What fails, is killed or is missing gives a reason instead.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import math
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

Row = dict[str, Any]
MAX_BYTES = 12 * 2**30  # of address space; a job that needs more gets a MemoryError
ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
MIN_PROCESSOR_SECONDS = 0.1  # the clock of processor time moves in steps of up to 0.01 s
MAX_REPEATS = 50
WARMED = ("qontrast", "shapiq", "shap", "captum")  # the first call of these imports or compiles; it is not counted
WALL_FACTOR = 10  # a busy machine may take so many times the CPU seconds


class Skip(Exception):
    """Raised by a job that cannot be done, with the reason."""


@dataclass(frozen=True)
class Options:
    """How much is measured: `limit` bounds the CPU seconds of one tool in one case."""

    quick: bool = False
    limit: float = 40.0
    peers: tuple[tuple[str, str], ...] = ()  # name and path of a checkout
    packages: tuple[str, ...] = ()  # that are imported once, for all processes

    @property
    def enough(self) -> float:
        """CPU seconds after which a job is not run again."""
        return 0.03 if self.quick else 0.25


def start_method() -> str:
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def run_apart(target: str, arguments: tuple[Any, ...], options: Options) -> Iterator[Row]:
    """Run `target` ("module:function") in a new process; yield what it sends, and a reason if it dies."""
    context = multiprocessing.get_context(start_method())
    if start_method() == "forkserver":
        context.set_forkserver_preload(["benchmarks.compare.cases", *options.packages])
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=enter, args=(target, arguments, options, theirs))
    process.start()
    theirs.close()
    deadline = time.monotonic() + WALL_FACTOR * options.limit + 60
    late = True
    try:
        while mine.poll(max(0.0, deadline - time.monotonic())):
            yield mine.recv()
    except EOFError:
        late = False
    finally:
        if late:  # or interrupted
            process.kill()
        process.join()
    killed = {-getattr(signal, name) for name in ("SIGKILL", "SIGXCPU") if hasattr(signal, name)}
    if late or process.exitcode in killed:
        yield {"reason": f"stopped at the limit of {options.limit:g} s"}
    elif process.exitcode:
        yield {"reason": f"the process ended with {describe_exit(process.exitcode)}"}


def describe_exit(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def enter(target: str, arguments: tuple[Any, ...], options: Options, connection: Connection) -> None:
    """Begin in the new process, and send the rows that the target yields."""
    module, _, name = target.partition(":")
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for row in getattr(import_module(module), name)(*arguments, options):
                connection.send(row)
    except Skip as reason:
        connection.send({"reason": str(reason)})
    except Exception as error:  # of any library: it becomes a line of the table
        connection.send({"reason": describe_error(error)})


def describe_error(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:160]}" if text else type(error).__name__


def limit_processor(seconds: float | None) -> float:
    """Have this process killed after so many CPU seconds from now, where that can be; return the CPU seconds now."""
    now = time.process_time()
    with contextlib.suppress(ImportError):  # Windows
        import resource

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (hard if seconds is None else math.ceil(now + seconds), hard))
    return now


def limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


# -- in the new process -------------------------------------------------------------------------------------------


def measure_tool(case_name: str, tool: str, options: Options) -> Iterator[Row]:
    """Yield a row for each size until the limit."""
    from . import sampled
    from .cases import CASES

    case = CASES[case_name]
    import_peer(tool, dict(options.peers))
    limit_memory()
    gc.freeze()  # what was imported is not collected again before each run
    done: list[tuple[int, float]] = []
    left = options.limit
    for size in case.quick if options.quick else case.sizes:
        expected = expect(done, size, exponential=case.exponential)
        if expected > left:
            yield {
                "size": size,
                "reason": f"would take about {expected:.0f} s; {left:.1f} of {options.limit:g} s are left",
            }
            return
        limit_processor(None)
        work = partial(sampled.measure, tool, size) if case_name == "sampled" else case.jobs[tool](size)
        if not done and tool in WARMED:
            work()
        started = limit_processor(left)  # for the work alone, not for imports and inputs
        row = work() if case_name == "sampled" else measure(work, options)
        left -= time.process_time() - started
        done.append((size, row["seconds"]))
        yield {"size": size, **row}


def import_peer(tool: str, checkouts: dict[str, str]) -> None:
    """Import a peer, or say how to get it."""
    from .cases import CHECKOUTS, PACKAGES

    if tool in PACKAGES:
        if find_spec(PACKAGES[tool].partition(".")[0]) is None:
            raise Skip("not installed; make bench installs it")
        import_module(PACKAGES[tool])
    if tool in CHECKOUTS:
        if tool not in checkouts:
            raise Skip(f"no checkout; give --peer {tool}=PATH")
        folder, module = CHECKOUTS[tool]
        sys.path.insert(0, str(Path(checkouts[tool]) / folder))
        import_module(module)


def expect(done: list[tuple[int, float]], size: int, *, exponential: bool) -> float:
    """Extrapolate the seconds at the next size from the last two, or in proportion from one."""
    if not done:
        return 0.0
    last, seconds = done[-1]
    if len(done) == 1:
        return seconds * (2.0 ** (size - last) if exponential else size / last)
    before, earlier = done[-2]
    place = float if exponential else math.log
    steps = (place(size) - place(last)) / (place(last) - place(before))
    return seconds * max(1.0, seconds / max(earlier, 1e-9)) ** steps


def measure(work: Any, options: Options) -> Row:
    """Run the work until enough seconds have passed; the first run also measures memory."""
    clock, memory, values = Clock(), math.nan, []
    before = reset_peak()
    while len(clock.wall) < 2 or sum(clock.processor) < options.enough:
        gc.collect()
        values = clock.time(work)
        memory = memory if len(clock.wall) > 1 else peak() - before
        if len(clock.wall) == MAX_REPEATS or sum(clock.processor) > options.limit / 5:
            break
    return {"seconds": clock.best, "repeats": len(clock.wall), "memory_mib": max(0.0, memory), "values": values}


class Clock:
    """Seconds of several runs by two clocks; a busy machine lengthens those of the wall, not those of the processor."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.processor: list[float] = []

    def time(self, work: Callable[[], Any]) -> Any:
        wall, processor = time.perf_counter(), time.process_time()
        found = work()
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.process_time() - processor)
        return found

    @property
    def best(self) -> float:
        """The shortest run, or the mean by the processor, without the first run, where its steps are fine enough."""
        later = self.processor[1:] or self.processor
        mean = sum(later) / len(later)
        return min(*self.wall, mean) if sum(later) >= MIN_PROCESSOR_SECONDS else min(self.wall)


def reset_peak() -> float:
    """Forget the peak of memory where the system can, and return the MiB in use."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what was freed would be used again, and not be seen
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> float:
    """Return the peak of this process in MiB."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
        if found:
            return int(found[1]) / 1024
    try:
        import resource
    except ImportError:
        return math.nan
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)


def measure_targets(name: str, options: Options) -> Iterator[Row]:
    """Yield the lines of one module of targets: headings, and figures with whether they are met."""
    heading = io.StringIO()
    with contextlib.redirect_stdout(heading):
        for line, met in import_module(f"benchmarks.{name}").figures():
            yield from take_headings(heading)
            yield {"line": line, "met": bool(met)}
        yield from take_headings(heading)


def take_headings(heading: io.StringIO) -> Iterator[Row]:
    yield from ({"line": line} for line in heading.getvalue().splitlines())
    heading.seek(0)
    heading.truncate()


def use_one_core() -> None:
    """Keep libraries from starting threads; call it before they are imported."""
    for name in ONE_CORE:
        os.environ[name] = "1"
