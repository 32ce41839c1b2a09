"""Plant one defect, run the tests that execute its line, and say whether one of them notices it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.support.mutants.parts import CACHE, PACKAGE, ROOT
from tests.support.mutants.places import Mutant
from tests.support.mutants.records import OPTIONS

SLOWER, GRACE, PATIENCE = 10, 20, 120  # a test may take ten times its own processor time and twenty seconds more
FIRST = 60  # tests that run before the others are even imported


class Watch:
    """A pytest plugin: run the named tests in their order, stop one that takes far too long, and say which failed."""

    def __init__(self, tests: list[tuple[str, float]]) -> None:
        self.seconds = dict(tests)
        self.order = {test: k for k, (test, _) in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        own = SLOWER * self.seconds.get(nodeid, 1.0)
        signal.setitimer(signal.ITIMER_PROF, GRACE + own)  # the default action of both ends the process
        signal.setitimer(signal.ITIMER_REAL, PATIENCE + 6 * own)

    def pytest_runtest_logfinish(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            Path("noticed.txt").write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            Path("noticed.txt").write_text(f"{report.nodeid} (cannot be imported)", encoding="utf-8")


def run_tests(mutant: Mutant, tests: list[tuple[str, float]]) -> int:
    """Plant the defect in the copy, and run these tests until one fails."""
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    import pytest

    Path("noticed.txt").write_text("the start of pytest", encoding="utf-8")
    (PACKAGE / mutant.module).write_text(mutant.text, encoding="utf-8")
    files = sorted({test.partition("::")[0] for test, _ in tests})
    code = pytest.main([*OPTIONS, "-x", "--tb=no", "--hypothesis-seed=0", *files], plugins=[Watch(tests)])
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


def put_back(mutant: Mutant, copy: Path) -> None:
    path, original = copy / PACKAGE / mutant.module, ROOT / PACKAGE / mutant.module
    path.write_text(mutant.before, encoding="utf-8")
    times = original.stat()
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def read_status(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "timed out" if os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF) else "killed"
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def limit(tests: list[tuple[str, float]], seconds: float) -> list[tuple[str, float]]:
    """The first tests, which together take this long."""
    chosen, spent = [], 0.0
    for test, own in tests:
        spent += own
        if spent > seconds and chosen:
            break
        chosen.append((test, own))
    return chosen


class Memory:
    """What is known of a defect from earlier runs: the test that noticed it, and the verdict while nothing changed."""

    def __init__(self, heavy: bool) -> None:
        self.path = CACHE / "verdicts.json"
        self.known = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        state = hashlib.sha256(repr(heavy).encode())
        for path in sorted([*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), ROOT / "conftest.py"]):
            if path.parent != Path(__file__).parent:
                state.update(path.read_bytes())
        self.state = state.hexdigest()[:16]

    def verdict(self, mutant: Mutant) -> tuple[str, str] | None:
        """The verdict and the test that noticed the defect, if neither the library nor a test has changed."""
        found = self.known.get(mutant.key())
        return (found["verdict"], found["by"]) if found and found["state"] == self.state else None

    def order(self, mutant: Mutant, tests: list[tuple[str, float]]) -> list[tuple[str, float]]:
        """The test that noticed the defect before comes first."""
        by = self.known.get(mutant.key(), {}).get("by")
        return sorted(tests, key=lambda item: item[0] != by)

    def keep(self, mutant: Mutant, verdict: str, by: str) -> None:
        self.known[mutant.key()] = {"verdict": verdict, "by": by, "state": self.state}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.known), encoding="utf-8")
