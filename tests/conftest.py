"""What all tests share: where the team's shared files are, and that nothing is skipped in the heavy run."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("QONTRAST_SHARED", ROOT.parent / "shared"))
HEAVY = os.environ.get("QONTRAST_HEAVY") == "1"


def shared(name: str) -> Path:
    """A file that is not part of the project; the test is skipped, with the reason, where it is not there."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the project (set QONTRAST_SHARED to the folder that has it)")
    return path


@pytest.fixture(name="shared", scope="session")
def shared_folder() -> Path:
    """The folder itself."""
    if not SHARED.is_dir():
        pytest.skip("no folder shared/ beside the repository; set QONTRAST_SHARED to its place")
    return SHARED


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


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        def refuse(word: str) -> None:
            raise AssertionError(f"{word} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def qontrast(capsys, monkeypatch, tmp_path):  # type: ignore[no-untyped-def]
    """One command of the command line, run in this process and in an empty folder."""
    from qontrast.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(line: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(shlex.split(line))
        return Ran(code, *capsys.readouterr())

    return run
