"""Fixtures for all tests, and the rule that the heavy run skips nothing. What tests import is in tests/support."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator

import pytest

from tests.support.commands import Ran

HEAVY = os.environ.get("QONTRAST_HEAVY") == "1"


@pytest.fixture(autouse=True)
def _no_figure_is_left_open() -> Iterator[None]:
    """Once something has imported pyplot, it keeps every figure that a test draws."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):  # type: ignore[no-untyped-def]
    outcome = yield
    report = outcome.get_result()
    if HEAVY and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in the heavy run, where nothing may be: {item.nodeid}: {report.longrepr}"


@pytest.fixture
def qontrast(capsys, monkeypatch, tmp_path):  # type: ignore[no-untyped-def]
    """Run one command of the command line in this process, in an empty folder."""
    from qontrast.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(line: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(shlex.split(line))
        return Ran(code, *capsys.readouterr())

    return run
