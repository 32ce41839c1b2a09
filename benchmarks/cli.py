"""Start-up of the command line, against importing NumPy: each the best of several fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

Figure = tuple[str, bool]
LIMIT = 3.0


def once(arguments: Sequence[str]) -> float:
    """Seconds of a new process, with its modules compiled as they are where the package is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def figures() -> Iterator[Figure]:
    commands = (
        "strengths examples:zebra",
        "strengths examples:zebra --json",
        "why examples:zebra",
        "why examples:healthcare antiviral antibiotic",
    )
    runs = [["-c", "import numpy"], *(["-m", "qontrast", *each.split()] for each in commands)]
    times = [min(each) for each in zip(*([once(run) for run in runs] for _ in range(7)), strict=True)]  # in turns
    for command, taken in zip(commands, times[1:], strict=True):
        ratio = taken / times[0]
        yield f"qontrast {command}: {ratio:.2f} times `import numpy` (at most {LIMIT:g})", ratio <= LIMIT
