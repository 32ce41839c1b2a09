"""Wait for a condition, with a deadline that only a broken program reaches.

A test that fails because something never comes must say so within seconds, so there is one limit for all of them:
`QONTRAST_WAIT_SECONDS` replaces it, for a machine that is far slower, or where many broken programs are tried.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

DEADLINE = float(os.environ.get("QONTRAST_WAIT_SECONDS", "30"))  # a busy machine needs some; a wait that fails, all
LONG_DEADLINE = 10 * DEADLINE  # for a whole computation or a whole program, which a busy machine may take minutes for


def wait_until(holds: Callable[[], object], what: str, seconds: float = DEADLINE) -> None:
    """Return as soon as `holds()` is true; fail with `what` after the deadline."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, f"after {seconds:g} seconds this is still not so: {what}"
        time.sleep(0.02)


def wait_for_check(check: Callable[[], object], pause: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Return as soon as `check()` raises no AssertionError; raise its last one after the deadline."""
    ends = time.monotonic() + seconds
    while True:
        try:
            check()
            return
        except AssertionError:
            if time.monotonic() > ends:
                raise
        pause()
