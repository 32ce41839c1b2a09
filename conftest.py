"""Rules for tests and examples alike.

The heavy run skips nothing. The light run tries all cases of all tests but those marked `some_cases`, fewer random
examples, and says at its end what it leaves out. An example waits for the package that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.support.profiles import HEAVY, LEFT_OUT, PACKAGES_OF_EXAMPLES, choose_left_out

collect_ignore = [] if find_spec("coverage") else ["tests/support/measure.py"]  # of make test-heavy


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _mark_examples(items)
    if HEAVY:
        return
    for item in items:
        if item.get_closest_marker("heavy"):
            LEFT_OUT.heavy.add(item.nodeid)
        elif getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            LEFT_OUT.laws.add(item.nodeid)
    if not any("::" in argument for argument in config.args):  # who names a case gets it
        _leave_out_cases(config, items)


def _leave_out_cases(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep every n-th case of each test that is marked with `some_cases(n)`."""
    marked = [(item.nodeid, item.get_closest_marker("some_cases")) for item in items]
    LEFT_OUT.cases |= choose_left_out((case, marker.args[0]) for case, marker in marked if marker)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in LEFT_OUT.cases])
    items[:] = [item for item in items if item.nodeid not in LEFT_OUT.cases]


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


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of xdist sends what it left out to the one that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = LEFT_OUT.send()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    LEFT_OUT.receive(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not HEAVY:
        for line in LEFT_OUT.describe():
            terminalreporter.write_line(line)
