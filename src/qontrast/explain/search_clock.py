"""Stop a search at its time limit, and report its progress in percent."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from ..types import Progress

PERCENT = 100


class OutOfTime(Exception):
    """The time limit has passed; the trials hold what was found until then."""


class Clock:
    """The time that is left, and how far the search is; `deadline` is the share of `time_limit` at which it stops."""

    def __init__(self, time_limit: float | None = None, progress: Progress | None = None) -> None:
        self.time_limit, self.progress = time_limit, progress
        self.clock, self.began, self.deadline = monotonic, monotonic(), 1.0
        self.reported, self.phase, self.span = 0.0, (0.0, 100.0), (0.0, 100.0)

    def run(self, search: Callable[[], None], deadline: float = 1.0) -> bool:
        """Search until done or until this share of the time limit has passed; say whether the time ended it."""
        self.deadline = deadline
        try:
            search()
        except OutOfTime:
            return True
        return False

    @property
    def left(self) -> float | None:
        """The seconds that are left, or None for no limit."""
        return None if self.time_limit is None else max(0.0, self.time_limit - (self.clock() - self.began))

    def enter(self, begin: float, end: float) -> None:
        """Begin a phase that takes the bar from `begin` to `end` percent of its `span`."""
        low, high = self.span
        self.phase = (low + (high - low) * begin / PERCENT, low + (high - low) * end / PERCENT)
        self.advance(0.0)

    def advance(self, part: float) -> None:
        """Report that this part of the phase is done; stop if the time has passed."""
        if self.time_limit is not None and self.clock() - self.began > self.deadline * self.time_limit:
            raise OutOfTime
        begin, end = self.phase
        self.reported = max(self.reported, begin + (end - begin) * min(1.0, part))
        if self.progress:
            self.progress(int(self.reported), PERCENT)
