"""Copies of the repository, and processes that work in them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support.mutants.parts import ROOT

# Imported once before a process is forked for each defect: everything heavy, but nothing of the library itself.
HEAVY_IMPORTS = [
    "numpy",
    "scipy.integrate",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "scipy.special",
    "scipy.stats",
    "hypothesis.strategies",
    "matplotlib.figure",
    "networkx",
    "pandas",
    "rich.console",
    "click",
    "starlette.applications",
]


def copy_repository(target: Path) -> None:
    """Copy every file that git tracks or does not ignore, and compile them."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=target, check=True)


def enter(copy: Path) -> None:
    """Make this process use the library and the tests of the copy."""
    os.chdir(copy)
    os.setsid()  # so that whatever the tests start can be ended with them
    sys.path[:] = [str(copy / "src"), str(copy), *(path for path in sys.path if path not in ("", str(ROOT)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "conftest")]:
        del sys.modules[name]
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and str(ROOT) not in path]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(copy / "src"), str(copy), *others])
    log = os.open(copy / "log.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)


def fork(copy: Path, work: Callable[[], int]) -> int:
    """Run `work` in a process of its own, in the copy; its result is the exit code."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        enter(copy)
        code = int(work())
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def in_parallel(
    copies: list[Path], jobs: list[Any], start: Callable[[Any, Path], int]
) -> Iterator[tuple[Any, Path, int]]:
    """Start each job in a free copy; yield it when it has ended, with its status as `os.wait` gives it.

    Jobs may be added to the list while others run.
    """
    free, running = list(copies), {}
    while jobs or running:
        while jobs and free:
            copy = free.pop()
            job = jobs.pop(0)
            running[start(job, copy)] = (job, copy)
        pid, status = os.wait()
        if pid not in running:
            continue
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # whatever its tests have left running
        job, copy = running.pop(pid)
        free.append(copy)
        yield job, copy, status
