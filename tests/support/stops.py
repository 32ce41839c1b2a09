"""End a search at any moment: by a clock that counts how often it is read, or by an interrupt at any line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import qontrast
from qontrast.explain import reach_proof, reasons_search, search_clock

EXPLAIN = str(Path(qontrast.__file__).parent / "explain")


class CountingClock:
    """A clock that goes on by one second whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def count_time(patch: pytest.MonkeyPatch) -> CountingClock:
    """Let every search read a counting clock, so that `time_limit` is the number of readings after which it ends."""
    clock = CountingClock()
    for module in (search_clock, reach_proof, reasons_search):
        patch.setattr(module, "monotonic", clock)
    return clock


class _Interrupter:
    """Counts the lines of the package `explain` that are executed, and raises KeyboardInterrupt at one of them."""

    def __init__(self, at: int | None, within: str) -> None:
        self.at, self.within, self.lines = at, within, 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self.look if frame.f_code.co_filename.startswith(self.within) else None

    def look(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self.at:
                raise KeyboardInterrupt
        return self.look


def run_with_interrupt(ask: Callable[[], Any], at: int | None, within: str = EXPLAIN) -> tuple[Any, int]:
    """Ask, with an interrupt at one line: give the answer, None where the interrupt went through, and the lines."""
    interrupter, before = _Interrupter(at, within), sys.gettrace()
    sys.settrace(interrupter)
    try:
        return ask(), interrupter.lines
    except KeyboardInterrupt:
        return None, interrupter.lines
    finally:
        sys.settrace(before)


def interrupt_everywhere(ask: Callable[[], Any], moments: int, within: str = EXPLAIN) -> Iterator[Any]:
    """Answers after interrupts at so many moments between the first line and the last; without those that got none."""
    lines = run_with_interrupt(ask, None, within)[1]
    for k in range(moments):
        answer = run_with_interrupt(ask, 1 + (lines - 1) * k // max(1, moments - 1), within)[0]
        if answer is not None:
            yield answer
