"""What all tests share: where the team's shared files are, and that nothing is skipped in the heavy run."""

from __future__ import annotations

import os
from pathlib import Path

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


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):  # type: ignore[no-untyped-def]
    outcome = yield
    report = outcome.get_result()
    if HEAVY and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in the heavy run, where nothing may be: {item.nodeid}: {report.longrepr}"
