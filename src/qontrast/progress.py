"""A progress bar for long work: silent for its first second, on standard error, and gone when done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .settings import check_function
from .types import Progress

SECONDS_UNTIL_SHOWN = 1.0  # seconds before anything is shown
BAR_WIDTH = 30


@contextmanager
def report_progress(progress: Progress | bool | None, title: str) -> Iterator[Progress | None]:
    """The callback to hand down: the caller's own, or a bar on a terminal's standard error for `True`."""
    if progress is not None and not isinstance(progress, bool):
        check_function(progress, "progress", "(done, total), or True for a bar", 2)
    if callable(progress):
        yield progress
    elif progress and sys.stderr.isatty():
        update, close = _make_bar(title)
        try:
            yield update
        finally:
            close()
    else:
        yield None


def _make_bar(title: str) -> tuple[Progress, Callable[[], None]]:
    began, last = time.monotonic(), 0.0

    def update(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - began < SECONDS_UNTIL_SHOWN or now - last < 0.1:
            return
        last = now
        part = min(1.0, done / max(1, total))
        filled = "█" * round(BAR_WIDTH * part)
        sys.stderr.write(f"\r{title} {filled:<{BAR_WIDTH}} {part:4.0%}  {done:,} of {total:,}")
        sys.stderr.flush()

    def close() -> None:
        if last:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    return update, close
