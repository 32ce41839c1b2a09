"""Rules for tests and examples alike.

The heavy run skips nothing. The light run takes every fourth case of a test that has many. An example waits for the
package that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.support.profiles import ALL_CASES, HEAVY, PACKAGES_OF_EXAMPLES

collect_ignore = [] if find_spec("coverage") else ["tests/support/measure.py"]  # of make test-heavy


WHOLE_RUN = 5000  # tests that are collected; a selection of fewer is run as it is
MANY_CASES = 10


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_examples(items)
    if not ALL_CASES and len(items) >= WHOLE_RUN:
        _thin_out(config, items)


def _thin_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every fourth case of each test with many; the heavy run takes them all."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {item for each in cases.values() for item in (each if len(each) < MANY_CASES else each[::4])}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _mark_examples(items: list[pytest.Item]) -> None:
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
