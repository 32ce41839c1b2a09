"""Fixtures for all tests. What tests import is in tests/support."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Iterator

import pytest

from tests.support.commands import Ran

# variables of a user's shell that change what we print, or where we look
CLEARED = (
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    *("PYTHONIOENCODING", "PYTHONWARNINGS", "QONTRAST_CACHE", "QONTRAST_DEBUG", "XDG_CACHE_HOME", "MPLBACKEND"),
)


@pytest.fixture(autouse=True)
def _no_variables_of_the_users_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CLEARED:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _no_figure_is_left_open() -> Iterator[None]:
    """Once something has imported pyplot, it keeps every figure that a test draws."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def qontrast(capsys, monkeypatch, tmp_path):  # type: ignore[no-untyped-def]
    """Run one command of the command line in this process, in an empty folder."""
    from qontrast.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(line: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        code = main(shlex.split(line))
        return Ran(code, *capsys.readouterr())

    return run
