"""Plant defects in the scripts of the page, one at a time, and count how many of them the browser tests notice.

    python -m tests.support.script_mutants --sample 60 --seed 1

It works on a copy of the repository:

1. Every browser test runs once while Chromium records which parts of the scripts it executes. The answer is kept in
   `out/script-mutants`, per test file, until that file or a script changes.
2. A seeded sample of lines is drawn, and one defect for each (script_defects.py).
3. For each defect the tests that execute the changed place run in a process of their own, those that
   are most about it first, until one fails. A wait that fails ends after `WAIT_SECONDS`.

The exit code is 0 if the share of noticed defects reaches the target, else 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.script_defects import Defect, list_defects

ROOT = Path(__file__).resolve().parents[2]
STATIC = Path("src/qontrast/web/static")
CACHE = ROOT / "out" / "script-mutants"
TESTS = "tests/surfaces/web/test_browser*.py"
TARGET = 0.85
WAIT_SECONDS = 12  # until a wait fails, where a defect is planted
LIMIT_SECONDS = 300.0  # of tests for one defect
RECORD = "QONTRAST_RECORD_SCRIPTS"  # names the file for the record of a run
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header", "--tb=line"]

Parts = list[tuple[int, int]]  # executed parts of a script, as it is sent


@dataclass
class Record:
    """What one test executes: its seconds, and the executed parts of each script."""

    test: str
    seconds: float
    parts: dict[str, Parts]


@dataclass(frozen=True)
class Mutant:
    """A script, the line and the text with the defect."""

    script: str
    line: int
    defect: Defect
    before: str = field(repr=False)

    @property
    def text(self) -> str:
        return self.defect.plant(self.before)

    def describe(self) -> str:
        was = self.before[self.defect.start : self.defect.end]
        cut = [each if len(each) < 160 else f"{each[:157]}..." for each in (was, self.defect.text)]
        return f"{self.script}:{self.line} {self.defect.kind}: {cut[0]!r} -> {cut[1]!r}"


# -- a pytest plugin: which parts of the scripts a test executes ------------------------------------------------------


class Recorder:
    """Asks Chromium, before each window is closed, what was executed in it."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.records: list[dict[str, Any]] = []
        self.parts: dict[str, Parts] = {}
        self.sessions: dict[Any, list[Any]] = {}

    def pytest_sessionstart(self) -> None:
        from playwright.sync_api import BrowserContext

        new_page, close = BrowserContext.new_page, BrowserContext.close

        def watch(context: Any) -> Any:
            made = new_page(context)
            session = context.new_cdp_session(made)
            session.send("Profiler.enable")
            session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
            self.sessions.setdefault(context, []).append(session)
            return made

        def take(context: Any, **settings: Any) -> None:
            for session in self.sessions.pop(context, []):
                self.note(session.send("Profiler.takePreciseCoverage")["result"])
            close(context, **settings)

        BrowserContext.new_page, BrowserContext.close = watch, take  # type: ignore[method-assign]

    def note(self, scripts: list[dict[str, Any]]) -> None:
        for script in scripts:
            name = script["url"].partition("?")[0].rpartition("/static/")[2]
            if name.endswith(".js") and "/" not in name:
                self.parts.setdefault(name, []).extend(find_executed(script["functions"]))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self.passed, self.seconds = report.passed, report.duration
        if report.when == "teardown":
            if report.passed and self.passed:
                self.records.append({"test": report.nodeid, "seconds": self.seconds, "parts": self.parts})
            self.parts = {}

    def pytest_sessionfinish(self) -> None:
        self.target.write_text(json.dumps(self.records), encoding="utf-8")


def find_executed(functions: list[dict[str, Any]]) -> Parts:
    """The parts that were executed: of nested ranges with and without executions, the innermost counts."""
    marks: list[tuple[int, int, bool]] = sorted(
        ((each["startOffset"], each["endOffset"], each["count"] > 0) for one in functions for each in one["ranges"]),
        key=lambda part: (part[0], -part[1]),
    )
    found: Parts = []
    open_parts: list[tuple[int, bool]] = []
    at = 0

    def advance(to: int) -> None:
        nonlocal at
        if open_parts and open_parts[-1][1] and to > at:
            found.append((at, to))
        at = max(at, to)

    for start, end, is_executed in marks:
        while open_parts and open_parts[-1][0] <= start:
            advance(open_parts[-1][0])
            open_parts.pop()
        advance(start)
        open_parts.append((end, is_executed))
    while open_parts:
        advance(open_parts[-1][0])
        open_parts.pop()
    return found


def pytest_configure(config: Any) -> None:
    if os.environ.get(RECORD):
        config.pluginmanager.register(Recorder(Path(os.environ[RECORD])))


# -- the record of all tests ------------------------------------------------------------------------------------------


def copy_repository(target: Path) -> None:
    """Copy every file that git tracks or does not ignore."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def run_pytest(copy: Path, arguments: list[str], seconds: float, **more: str) -> tuple[int | None, str]:
    """Run tests in the copy: the exit code, None after so many seconds, and what was printed."""
    environment = os.environ | {"PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", "QONTRAST_HEAVY": "1"} | more
    command = [sys.executable, "-m", "pytest", *OPTIONS, *arguments]
    running = subprocess.Popen(
        command, cwd=copy, env=environment, stdout=-1, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = running.communicate(timeout=seconds)
        return running.returncode, said
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)  # the browser, too
            running.communicate()


def find_key(file: Path) -> str:
    """Changes with the test file, with what tests share, and with the scripts."""
    digest = hashlib.sha256()
    shared = [ROOT / "tests/surfaces/web/conftest.py", ROOT / "tests/support/browser.py"]
    for path in [*sorted((ROOT / STATIC).glob("*.js")), *shared, file]:
        digest.update(path.read_bytes())
    return f"{file.stem}-{digest.hexdigest()[:16]}.json"


def record(copy: Path) -> list[Record]:
    """What every browser test executes; files that are not known yet run now."""
    CACHE.mkdir(parents=True, exist_ok=True)
    found: list[Record] = []
    for file in sorted(ROOT.glob(TESTS)):
        target = CACHE / find_key(file)
        if not target.exists():
            print(f"recording what {file.name} executes", flush=True)
            arguments = ["-p", "tests.support.script_mutants", str(file.relative_to(ROOT))]
            code, said = run_pytest(copy, arguments, 1800, **{RECORD: str(target)})
            if code != 0:
                print(f"not all of {file.name} passes without any defect; what fails is not used:\n{said[-2000:]}")
        if target.exists():
            found += [Record(**each) for each in json.loads(target.read_text())]
    return found


# -- the sample -------------------------------------------------------------------------------------------------------


def draw(size: int, seed: int, scripts: list[str]) -> Iterator[Mutant]:
    """A seeded sample of lines, evenly over the scripts, and for each a kind of defect and a defect that parses."""
    texts = {path.name: path.read_text() for path in sorted((ROOT / STATIC).glob("*.js"))}
    lines: dict[tuple[str, int], list[Mutant]] = {}
    for name, text in texts.items():
        for defect in list_defects(text) if not scripts or name in scripts else ():
            mutant = Mutant(name, 1 + text.count("\n", 0, defect.start), defect, text)
            lines.setdefault((name, mutant.line), []).append(mutant)
    chance, count = random.Random(seed), 0
    for place in chance.sample(sorted(lines), len(lines)):
        if count == size:
            return
        kind = chance.choice(sorted({mutant.defect.kind for mutant in lines[place]}))
        mutant = chance.choice([each for each in lines[place] if each.defect.kind == kind])
        if parses(mutant.text):
            count += 1
            yield mutant


def parses(script: str) -> bool:
    """Whether node takes a text as a module."""
    with tempfile.NamedTemporaryFile("w", suffix=".mjs", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        return not subprocess.run(["node", "--check", file.name], capture_output=True, check=False).returncode


def locate(text: str, at: int) -> int:
    """Where a place of a script is in the text that is sent, which has no comments and no indentation."""
    from qontrast.web.scripts import compact

    lines, number = text.split("\n"), text.count("\n", 0, at)
    column, offset, sent = at - (text.rfind("\n", 0, at) + 1), 0, iter(compact(text, ".js").split("\n"))
    now = next(sent)
    for k, line in enumerate(lines):
        own = line.lstrip()
        if not own or not now or not own.startswith(now):
            continue  # a comment
        if k == number:
            return offset + column - (len(line) - len(line.lstrip()))
        offset += len(now) + 1
        now = next(sent, "")
    return -1


def choose_tests(mutant: Mutant, known: list[Record], seconds: float) -> list[Record]:
    """The tests that execute the place of a defect, so many seconds of them.

    First come those that execute most of the script in little time: they are about it, and do not only load it.
    """
    at = locate(mutant.before, mutant.defect.start)
    fitting = [each for each in known if any(a <= at < b for a, b in each.parts.get(mutant.script, ()))]
    usual = min((count_executed(each, mutant.script) for each in fitting), default=0)  # whatever the page does

    def promise(each: Record) -> float:
        return (count_executed(each, mutant.script) - usual + 1) / (each.seconds + 1) ** 0.5

    chosen: list[Record] = []
    for each in sorted(fitting, key=promise, reverse=True):
        if not chosen or sum(one.seconds for one in chosen) + each.seconds <= seconds:
            chosen.append(each)
    return chosen


def count_executed(each: Record, script: str) -> int:
    """How many characters of a script a test executes."""
    return len({at for a, b in each.parts.get(script, ()) for at in range(a, b)})


# -- planting ---------------------------------------------------------------------------------------------------------


def try_defect(copy: Path, mutant: Mutant, tests: list[Record]) -> str | None:
    """Plant a defect and run these tests: the one that fails, or None."""
    path = copy / STATIC / mutant.script
    path.write_text(mutant.text)
    try:
        limit = 60 + 10 * sum(each.seconds for each in tests)
        names = [each.test for each in tests]
        code, said = run_pytest(copy, ["-x", *names], limit, QONTRAST_WAIT_SECONDS=str(WAIT_SECONDS))
    finally:
        path.write_text(mutant.before)
    if code is None:
        return "took far too long"
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return None if code == 0 else (failed or said.splitlines() or ["?"])[-1][:200]


def plant(sample: int = 60, seed: int = 1, scripts: list[str] | None = None, verbose: bool = False) -> float:
    """Plant a sample of defects, print those that survive, and return the share that was noticed."""
    began, noticed, total = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory(prefix="qontrast-script-mutants-") as folder:
        copy = Path(folder)
        copy_repository(copy)
        known = record(copy)
        for mutant in draw(sample, seed, scripts or []):
            tests = choose_tests(mutant, known, LIMIT_SECONDS)
            by = try_defect(copy, mutant, tests) if tests else None
            total, noticed = total + 1, noticed + (by is not None)
            if by is None:
                print(f"SURVIVED {mutant.describe()} ({len(tests)} tests)", flush=True)
            elif verbose:
                print(f"noticed  {mutant.describe()} by {by}", flush=True)
    share = noticed / max(1, total)
    print(f"scripts, seed {seed}: {noticed} of {total} defects noticed, {share:.1%}, target {TARGET:.0%}", end=" ")
    print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return share


def main() -> int:
    ask = argparse.ArgumentParser(description="Plant defects in the scripts of the page and count those noticed.")
    ask.add_argument("--sample", type=int, default=60, help="how many defects")
    ask.add_argument("--seed", type=int, default=1, help="which defects")
    ask.add_argument("--scripts", nargs="+", default=[], help="only in these, such as quick.js")
    ask.add_argument("--verbose", action="store_true", help="show the noticed ones too, and the test that noticed")
    asked = ask.parse_args()
    return 0 if plant(asked.sample, asked.seed, asked.scripts, asked.verbose) >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
