"""The progress bar of the command line: only on a terminal, only for long work, and gone when done."""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from math import inf

import pytest

from qontrast.cli import output as module
from qontrast.cli.output import show_progress

COMMANDS = ["why", "pairs", "rank", "flip", "axioms", "report -o page.html"]


class Screen(io.StringIO):
    """A standard error that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def open_screen(monkeypatch: pytest.MonkeyPatch, *, terminal: bool = True, silent_seconds: float = 0.0) -> Screen:
    """Replace standard error; in a fixture it would be put back before the test begins."""
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "SECONDS_UNTIL_SHOWN", silent_seconds)
    monkeypatch.setattr(module, "SECONDS_BETWEEN_UPDATES", 0.0)
    return screen


def test_a_bar_shows_its_title_and_how_much_is_done_and_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = open_screen(monkeypatch)
    with show_progress("searching") as progress:
        assert progress is not None
        progress(1, 4)
        progress(2, 4)
        shown = screen.getvalue()
    assert "searching" in shown
    assert " 50%" in shown
    assert "2/4" in shown
    rest = screen.getvalue()[len(shown) :]
    assert "\x1b[2K" in rest  # the line is cleared
    assert "\x1b[?25h" in rest  # and the cursor is back
    assert "searching" not in rest.rpartition("\x1b[2K")[2]


def test_a_bar_is_erased_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = open_screen(monkeypatch)
    with suppress(KeyboardInterrupt), show_progress("searching") as progress:
        assert progress is not None
        progress(1, 4)
        raise KeyboardInterrupt
    assert "searching" in screen.getvalue()
    assert "searching" not in screen.getvalue().rpartition("\x1b[2K")[2]


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = open_screen(monkeypatch, silent_seconds=inf)
    with show_progress("searching") as progress:
        assert progress is not None
        progress(1, 4)
    assert screen.getvalue() == ""


def test_nothing_is_shown_where_standard_error_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = open_screen(monkeypatch, terminal=False)
    with show_progress("searching") as progress:
        assert progress is None
    assert screen.getvalue() == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_may_take_long_show_a_bar(qontrast, monkeypatch, command) -> None:  # type: ignore[no-untyped-def]
    screen = open_screen(monkeypatch)
    name, _, options = command.partition(" ")
    assert qontrast(f"{name} examples:healthcare {options}").code == 0
    assert "%" in screen.getvalue()


@pytest.mark.parametrize("rate", [{}, {"rate": False}, {"rate": True}], ids=str)
def test_how_much_is_done_in_a_second_is_shown_only_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, rate: dict[str, bool]
) -> None:
    screen = open_screen(monkeypatch)
    with show_progress("searching", **rate) as progress:
        assert progress is not None
        for done in range(1, 5):
            progress(done, 9)
        assert bool(re.search(r"\d a second", screen.getvalue())) == (rate == {"rate": True})
