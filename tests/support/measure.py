"""Measure which lines of the library the tests execute, in each process that pytest-xdist starts.

    pytest -p tests.support.measure -n auto && coverage combine && coverage report

A plugin, so that it begins before anything imports the library.
"""

from __future__ import annotations

import sys

import coverage
import pytest

MEASURED = coverage.Coverage(data_suffix=True)  # each process has a file of its own
MEASURED.start()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    MEASURED.stop()
    if "qontrast" in sys.modules:  # the process that distributes the tests does not import it
        MEASURED.save()
