"""Wait for a condition, with a deadline that only a broken program reaches."""

from __future__ import annotations

import time
from collections.abc import Callable

DEADLINE = 300.0  # seconds; a slow and busy machine needs tens of them


def wait_until(holds: Callable[[], object], what: str, seconds: float = DEADLINE) -> None:
    """Return as soon as `holds()` is true; fail with `what` after the deadline."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, f"after {seconds:g} seconds this is still not so: {what}"
        time.sleep(0.02)
