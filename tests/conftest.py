"""Where the shared cases lie: beside the repository, or where QONTRAST_SHARED says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("QONTRAST_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("no folder shared/ beside the repository; set QONTRAST_SHARED to its place")
    return SHARED
