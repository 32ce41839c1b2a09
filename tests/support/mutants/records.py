"""Which tests execute which lines: every test file runs once under coverage, and its record is kept.

A record outlives changes of the library: the text of every module is kept beside the records, and a line of today is
looked up under its number of then. A line that was not there belongs to all tests of its module.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.mutants.copies import fork, in_parallel
from tests.support.mutants.parts import CACHE, PACKAGE, ROOT
from tests.support.mutants.places import Mutant

QUIET = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is imported before pytest starts
OPTIONS = ["-q", "-W", QUIET, "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "--no-header"]
LIGHT, HEAVY = "not heavy", "heavy"
PATTERNS = ["tests/**/test_*.py", "src/**/*.py"]
# heavy tests that no defect of a module reaches, or that only a defect of the page's scripts reaches
NOT_RECORDED = ("test_browser", "test_wheel", "test_bench", "test_documents")
CHILDREN = """[run]
parallel = true
data_file = {folder}/data
source = {source}
sigterm = true
disable_warnings = no-data-collected, module-not-measured, module-not-imported, module-not-python, couldnt-parse
"""


@dataclass(frozen=True)
class Record:
    """What one test file executes: its tests with their seconds, and the tests of each line of each module as bits.

    `children` are the lines that processes execute which the tests start: they count for every test of the file.
    """

    tests: list[tuple[str, float]]
    lines: dict[str, dict[int, int]]
    children: dict[str, set[int]]
    sources: dict[str, str]
    heavy: bool


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def find_test_files(patterns: list[str], marks: str) -> list[str]:
    """The files with tests that match: those of tests/, and the modules of the library, whose examples are tests."""
    files = {path for pattern in patterns for path in ROOT.glob(pattern)}
    tests = [path for path in files if path.name.startswith("test_") or ">>>" in path.read_text(encoding="utf-8")]
    if marks == HEAVY:
        tests = [path for path in tests if "mark.heavy" in path.read_text(encoding="utf-8")]
        tests = [path for path in tests if not path.name.startswith(NOT_RECORDED)]
    return sorted(str(path.relative_to(ROOT)) for path in tests)


def record_path(file: str, marks: str) -> Path:
    """Where the record of a test file is kept. The examples of a module are tests, its other lines are not."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if not Path(file).name.startswith("test_"):
        text = "\n".join(line for line in text.splitlines() if line.lstrip().startswith((">>>", "...")))
    return CACHE / "records" / f"{file.removesuffix('.py').replace('/', '.')}-{digest(marks + text)}.json"


class Recorder:
    """A pytest plugin: the lines and the seconds of every test that passes."""

    def __init__(self, coverage: Any) -> None:
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.seconds[report.nodeid] = report.duration

    def pytest_runtest_logfinish(self) -> None:
        self.coverage.switch_context("")


def run_recorded(file: str, marks: str, target: Path) -> int:
    """Run one test file under coverage, also in the processes that it starts, and write its record."""
    import coverage
    import pytest

    with tempfile.TemporaryDirectory() as folder:
        source = Path.cwd() / PACKAGE
        (Path(folder) / "children.ini").write_text(CHILDREN.format(folder=folder, source=source), encoding="utf-8")
        os.environ["COVERAGE_PROCESS_START"] = str(Path(folder) / "children.ini")
        watch = coverage.Coverage(data_file=None, source=[str(source)], config_file=False, messages=False)
        plugin = Recorder(watch)
        watch.start()
        code = pytest.main([*OPTIONS, "--tb=short", "--hypothesis-seed=0", "-m", marks, file], plugins=[plugin])
        watch.stop()
        children = _lines_of_children(Path(folder), source)
    tests = [(test, seconds) for test, seconds in plugin.seconds.items() if test not in plugin.failed]
    bits = {test: 1 << k for k, (test, _) in enumerate(tests)}
    data = watch.get_data()
    lines: dict[str, dict[int, str]] = {}
    for path in data.measured_files():
        executed = {
            line: sum(bits.get(c, 0) for c in set(found)) for line, found in data.contexts_by_lineno(path).items()
        }
        lines[str(Path(path).relative_to(source))] = {line: hex(each) for line, each in executed.items() if each}
    sources = {module: keep_source((source / module).read_text(encoding="utf-8")) for module in {*lines, *children}}
    record = {"tests": tests, "lines": lines, "children": children, "sources": sources, "heavy": marks == HEAVY}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({**record, "failed": plugin.failed, "code": int(code)}), encoding="utf-8")
    return 0


def _lines_of_children(folder: Path, source: Path) -> dict[str, list[int]]:
    import coverage

    lines: dict[str, set[int]] = defaultdict(set)
    for path in folder.glob("data.*"):
        data = coverage.CoverageData(str(path))
        try:
            data.read()
        except coverage.CoverageException:  # a process that was killed while it wrote
            continue
        for file in data.measured_files():
            lines[str(Path(file).relative_to(source))] |= set(data.lines(file) or ())
    return {module: sorted(each) for module, each in lines.items()}


def keep_source(text: str) -> str:
    path = CACHE / "sources" / f"{digest(text)}.py"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path.stem


def load_records(copies: list[Path], marks: str, patterns: list[str]) -> list[Record]:
    """The record of every test file; those that are not known yet are made now, the longest files first."""
    wanted = {file: record_path(file, marks) for file in find_test_files(patterns, marks)}
    missing = [file for file, path in wanted.items() if not path.exists()]
    missing.sort(key=lambda file: (file.startswith("src"), -(ROOT / file).stat().st_size))
    if missing:
        print(f"recording which lines the tests of {len(missing)} files execute", flush=True)

    def start(file: str, copy: Path) -> int:
        return fork(copy, lambda: run_recorded(file, marks, wanted[file]))

    for file, copy, status in in_parallel(copies, missing, start):
        if status:
            print(f"could not record {file}; its tests are not used:\n{(copy / 'log.txt').read_text()}")
    return [read_record(path) for path in wanted.values() if path.exists()]


def read_record(path: Path) -> Record:
    data = json.loads(path.read_text(encoding="utf-8"))
    for test in data["failed"]:
        print(f"fails without any defect, so it is not used: {test}")
    lines = {m: {int(line): int(bits, 16) for line, bits in each.items()} for m, each in data["lines"].items()}
    children = {module: set(each) for module, each in data["children"].items()}
    return Record([(test, seconds) for test, seconds in data["tests"]], lines, children, data["sources"], data["heavy"])


@cache
def _numbers_of_then(then: str, module: str) -> dict[int, int]:
    """The number that each line of a module had when its text was another."""
    today = (ROOT / PACKAGE / module).read_text(encoding="utf-8")
    if digest(today) == then:
        return {line: line for line in range(1, today.count("\n") + 2)}
    old = (CACHE / "sources" / f"{then}.py").read_text(encoding="utf-8").splitlines()
    blocks = difflib.SequenceMatcher(None, today.splitlines(), old, autojunk=False).get_matching_blocks()
    return {block.a + k + 1: block.b + k + 1 for block in blocks for k in range(block.size)}


def tests_of(mutant: Mutant, known: list[Record]) -> list[tuple[str, float]]:
    """The tests that execute the changed line: light ones first, and the quickest of them first.

    A line that runs when the module is imported belongs to every test that executes anything in the module.
    """
    found = (_executing(mutant, [mutant.line], known) or _executing(mutant, mutant.statement, known)) or {}
    chosen = found if mutant.statement and found else _executing(mutant, None, known)
    heavy = {test for record in known if record.heavy for test, _ in record.tests}
    return sorted(chosen.items(), key=lambda item: (item[0] in heavy, item[1]))


def _executing(mutant: Mutant, lines: Any, known: list[Record]) -> dict[str, float]:
    found: dict[str, float] = {}
    in_children: dict[str, float] = {}
    for record in known:
        if mutant.module not in record.sources:
            continue
        then = _numbers_of_then(record.sources[mutant.module], mutant.module)
        by_line, children = record.lines.get(mutant.module, {}), record.children.get(mutant.module, set())
        numbers = [*by_line, *children] if lines is None else [then[line] for line in lines if line in then]
        bits = 0
        for line in numbers:
            bits |= by_line.get(line, 0)
        found |= {test: seconds for k, (test, seconds) in enumerate(record.tests) if bits >> k & 1}
        if children.intersection(numbers):
            in_children |= dict(record.tests)
    return found or in_children
