"""Show a progress bar for long work: silent for its first second, on standard error, and gone when done."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ..types import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

SECONDS_UNTIL_SHOWN = 1.0
SECONDS_BETWEEN_UPDATES = 0.1
BAR_WIDTH = 30  # columns


@contextmanager
def show_progress(title: str) -> Iterator[Progress | None]:
    """Give the callback that draws the bar, or None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    began = last = time.monotonic()
    with ExitStack() as stack:
        bar: Bar | None = None

        def update(done: int, total: int) -> None:
            nonlocal bar, last
            now = time.monotonic()
            if now - began < SECONDS_UNTIL_SHOWN or (bar and now - last < SECONDS_BETWEEN_UPDATES):
                return
            last = now
            if bar is None:
                bar = stack.enter_context(_make_bar())
                bar.add_task(title)
            bar.update(bar.task_ids[0], completed=done, total=total, refresh=True)

        yield update


def _make_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

    # without a thread that redraws it, so that an executor may still fork this process
    title = TextColumn("{task.description}", markup=False)
    columns = (title, BarColumn(BAR_WIDTH), TaskProgressColumn(), MofNCompleteColumn())
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, redirect_stdout=False)
