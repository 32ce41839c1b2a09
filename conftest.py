"""Rules for tests and examples alike: the heavy run skips nothing; an example waits for the package that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.support.profiles import HEAVY, PACKAGES_OF_EXAMPLES

collect_ignore = [] if find_spec("coverage") else ["tests/support/measure.py"]  # of make test-heavy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        package = PACKAGES_OF_EXAMPLES.get(item.name)
        if package:
            item.add_marker(pytest.mark.heavy)
        if package and find_spec(package) is None:
            item.add_marker(pytest.mark.skip(reason=f"{package} is installed by make test-heavy"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    if HEAVY and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in the heavy run, where nothing may be: {item.nodeid}: {report.longrepr}"
