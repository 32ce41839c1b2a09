"""Plant defects in the library, one at a time, and count how many of them the tests notice.

    python tests/support/mutants.py engine --sample 60 --seed 1

The defects come from mutmut's operators (a number plus one, `<` for `<=`, an argument left out, a value replaced by
None, and so on). mutmut itself changes neither decorated functions nor formulas outside of functions, and the library
has many of both, so this driver applies the operators to every expression. It works on a copy of the repository:

1. Every test runs once under coverage, which tells the lines that it executes and the seconds that it takes. The
   answer is kept in `out/mutants`, per test file, until the file or the library changes.
2. A seeded sample of places in the named part is drawn, and one defect for each.
3. For each defect the tests that execute the changed line run in a process of their own, the quickest first, until one
   fails. A test that takes much longer than it did is stopped, which counts as noticed.

The exit code is 0 if the share of noticed defects reaches the target of the part, else 1.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import hashlib
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src/qontrast")
CACHE = ROOT / "out" / "mutants"

# The parts of the library: the share of defects that must be noticed, and the modules or folders that belong to it.
PARTS: dict[str, tuple[float, list[str]]] = {
    "graph": (0.95, ["graph"]),
    "semantics": (0.95, ["semantics.py", "finite_differences.py", "scalar_formulas.py"]),
    "engine": (0.95, ["engine"]),
    "attribution": (0.95, ["attribution", "standard_errors.py"]),
    "explain": (0.95, ["explain", "settings.py"]),
    "axioms": (0.90, ["axioms"]),
    "formats": (0.90, ["formats", "examples"]),
    "networks": (0.90, ["networks"]),
    "audit": (0.90, ["auditing"]),
    "show": (0.90, ["show", "results", "errors.py", "extras.py"]),
    "cli": (0.90, ["cli", "questions"]),
    "web": (0.90, ["web"]),
    "studies": (0.90, ["studies"]),
}

# Imported once before a process is forked for each defect: everything heavy, but nothing of the library itself.
HEAVY_IMPORTS = [
    "numpy",
    "scipy.integrate",
    "scipy.linalg",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "scipy.special",
    "scipy.stats",
    "hypothesis.strategies",
    "matplotlib.figure",
    "networkx",
    "pandas",
    "rich.console",
    "click",
    "starlette.applications",
]
QUIET = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is imported before pytest starts
OPTIONS = ["-q", "-W", QUIET, "-x", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header", "--tb=no"]
SLOWER, GRACE = 10, 20  # a test may take ten times its own time, and twenty seconds, before it is stopped


@dataclass(frozen=True)
class Record:
    """What one test file executes: its tests with their seconds, and the tests of each line of each module."""

    tests: list[tuple[str, float]]
    lines: dict[str, dict[int, list[int]]]


@dataclass(frozen=True)
class Mutant:
    """One defect: the module, the lines of the changed statement, and the whole text of the changed module.

    `statement` is empty for what lies outside of functions and so runs when the module is imported.
    """

    module: str
    line: int
    statement: range
    before: str = field(repr=False)
    text: str = field(repr=False)

    def diff(self) -> str:
        lines = difflib.unified_diff(
            self.before.splitlines(), self.text.splitlines(), self.module, "mutant", n=0, lineterm=""
        )
        return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


# -- a copy of the repository -----------------------------------------------------------------------------------------


def copy_repository(target: Path) -> None:
    """Copy every file that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def enter(copy: Path) -> None:
    """Make this process use the library and the tests of the copy."""
    os.chdir(copy)
    os.setsid()  # so that whatever the tests start can be ended with them
    sys.path[:0] = [str(copy / "src"), str(copy)]
    os.environ["PYTHONPATH"] = f"{copy / 'src'}{os.pathsep}{copy}"
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.environ["QONTRAST_ALL_CASES"] = "1"
    sys.dont_write_bytecode = True
    log = os.open(copy / "log.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    from hypothesis import settings

    settings.register_profile("mutants", database=None)
    settings.load_profile("mutants")


def fork(copy: Path, work: Any) -> int:
    """Run `work` in a process of its own, in the copy; its result is the exit code."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        enter(copy)
        code = int(work())
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


# -- which tests execute which lines ----------------------------------------------------------------------------------


def find_test_files(patterns: list[str]) -> list[str]:
    """The files with tests that match: those of tests/, and the modules of the library, whose examples are tests."""
    files = {path for pattern in patterns for path in ROOT.glob(pattern)}
    tests = [path for path in files if path.name.startswith("test_") or ">>>" in path.read_text()]
    return sorted(str(path.relative_to(ROOT)) for path in tests)


def record_key(file: str) -> str:
    """Changes with the library, with what tests share, and with the test file itself."""
    found = hashlib.sha256()
    shared = [p for p in ROOT.glob("tests/**/*.py") if not p.name.startswith("test_") and p != Path(__file__)]
    for path in [*sorted(ROOT.glob("src/**/*.py")), *sorted(shared), ROOT / file]:
        found.update(path.read_bytes())
    name = file.removesuffix(".py").replace("/", ".")
    return f"{name}-{found.hexdigest()[:16]}"


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


def run_recorded(file: str, target: Path) -> int:
    """Run one test file under coverage, and write its record."""
    import coverage
    import pytest

    watch = coverage.Coverage(data_file=None, source=[str(PACKAGE)], config_file=False, messages=False)
    plugin = Recorder(watch)
    watch.start()
    code = pytest.main([o for o in OPTIONS if o != "-x"] + ["--hypothesis-seed=0", file], plugins=[plugin])
    watch.stop()
    tests = [(test, seconds) for test, seconds in plugin.seconds.items() if test not in plugin.failed]
    number = {test: k for k, (test, _) in enumerate(tests)}
    data = watch.get_data()
    lines: dict[str, dict[int, list[int]]] = {}
    for path in data.measured_files():
        found = data.contexts_by_lineno(path)
        known = {line: sorted(number[c] for c in contexts if c in number) for line, contexts in found.items()}
        lines[str(Path(path).relative_to(Path.cwd() / PACKAGE))] = {line: each for line, each in known.items() if each}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(
        json.dumps({"tests": tests, "lines": lines, "failed": plugin.failed, "code": int(code)}), encoding="utf-8"
    )
    return 0


def records(copies: list[Path], patterns: list[str]) -> list[Record]:
    """The record of every test file; those that are not known yet are made now."""
    wanted = {file: CACHE / f"{record_key(file)}.json" for file in find_test_files(patterns)}
    missing = [file for file, path in wanted.items() if not path.exists()]
    if missing:
        print(f"recording which lines the tests of {len(missing)} files execute", flush=True)
    for file, copy, status in in_parallel(
        copies, missing, lambda file, copy: fork(copy, lambda: run_recorded(file, wanted[file]))
    ):
        if status:
            print(f"could not record {file}; its tests are not used:\n{(copy / 'log.txt').read_text()}")
    found = []
    for path in wanted.values():
        if not path.exists():
            continue
        data = json.loads(path.read_text())
        for test in data["failed"]:
            print(f"fails without any defect, so it is not used: {test}")
        lines = {module: {int(line): tests for line, tests in each.items()} for module, each in data["lines"].items()}
        found.append(Record([(test, seconds) for test, seconds in data["tests"]], lines))
    return found


def tests_of(mutant: Mutant, known: list[Record]) -> list[tuple[str, float]]:
    """The tests that execute the changed line, the quickest first.

    A line that runs when the module is imported belongs to every test that executes anything in the module.
    """

    def executing(lines: Iterable[int] | None) -> dict[str, float]:
        found = {}
        for record in known:
            by_line = record.lines.get(mutant.module, {})
            for line in by_line if lines is None else lines:
                found |= {record.tests[k][0]: record.tests[k][1] for k in by_line.get(line, ())}
        return found

    found = (executing([mutant.line]) or executing(mutant.statement)) if mutant.statement else {}
    chosen = found or executing(None)
    return sorted(chosen.items(), key=lambda item: item[1])


# -- the defects ------------------------------------------------------------------------------------------------------


def modules_of(part: str) -> list[str]:
    found: list[str] = []
    for name in PARTS[part][1]:
        path = ROOT / PACKAGE / name
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        found += [str(file.relative_to(ROOT / PACKAGE)) for file in files]
    return found


def places(module: str) -> Iterator[tuple[int, range, list[Any]]]:
    """Every place in a module where a defect can be planted: its line, its statement, and the texts with a defect."""
    import libcst as cst
    from libcst.metadata import MetadataWrapper, PositionProvider
    from mutmut.mutation.mutators import mutation_operators

    wrapper = MetadataWrapper(cst.parse_module((ROOT / PACKAGE / module).read_text()))
    position = wrapper.resolve(PositionProvider)

    def walk(node: Any, statement: range, inside: bool = False) -> Iterator[tuple[int, range, list[Any]]]:
        if _without_effect(node):
            return
        if inside and isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            where = position[node]
            last = where.end.line
            if isinstance(node, cst.BaseCompoundStatement):
                inner = node.cases[0] if isinstance(node, cst.Match) else node.body
                last = position[inner].start.line - 1
            statement = range(where.start.line, max(where.start.line, last) + 1)
        made = [new for kind, operator in mutation_operators if isinstance(node, kind) for new in operator(node)]
        made = [new for new in made if not _only_strict(wrapper.module, node, new)]
        if made and node in position:
            texts = [lambda new=new: wrapper.module.deep_replace(node, new).code for new in made]
            yield position[node].start.line, statement, texts
        for child in node.children:
            yield from walk(child, statement, inside or (isinstance(node, cst.FunctionDef) and child is node.body))

    yield from walk(wrapper.module, range(1, 1))


def _only_strict(module: Any, node: Any, new: Any) -> bool:
    """Whether a defect changes nothing but `strict=` of a `zip`, which is a check of our own assumptions."""
    import libcst as cst

    if isinstance(node, cst.Arg):
        return False
    before, after = (re.sub(r",?\s*strict=\w+|[,\s]", "", module.code_for_node(each)) for each in (node, new))
    return before == after


def _without_effect(node: Any) -> bool:
    """What no test can notice: annotations, imports for types, names of types, documentation."""
    import libcst as cst
    import libcst.matchers as m

    text = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
    for_types = m.If(test=m.Name("TYPE_CHECKING"))
    alias = m.Assign(targets=[m.AssignTarget(m.Name(m.MatchRegex(r"[A-Z][a-z]\w*$")))])
    of_type = m.Subscript() | m.BinaryOperation(operator=m.BitOr())
    strict = m.Arg(keyword=m.Name("strict"))
    if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom) or m.matches(node, text | for_types | strict):
        return True
    return m.matches(node, alias) and m.matches(node.value, of_type)


def sample(part: str, size: int, seed: int) -> list[Mutant]:
    """A seeded sample of places, evenly over the part, and one defect for each."""
    every = [(module, *place) for module in modules_of(part) for place in places(module)]
    draw = random.Random(seed)
    chosen = draw.sample(every, min(size, len(every)))
    found = []
    for module, line, statement, texts in chosen:
        before = (ROOT / PACKAGE / module).read_text()
        found.append(Mutant(module, line, statement, before, draw.choice(texts)()))
    return sorted(found, key=lambda mutant: (mutant.module, mutant.line))


# -- running ----------------------------------------------------------------------------------------------------------


class Watch:
    """A pytest plugin: stop a test that takes far longer than it did, and say which test failed."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(int(GRACE + SLOWER * self.seconds.get(nodeid, 1.0)))  # its default action ends the process

    def pytest_runtest_logfinish(self) -> None:
        signal.alarm(0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            Path("noticed.txt").write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            Path("noticed.txt").write_text(f"{report.nodeid} (cannot be imported)", encoding="utf-8")


def run_tests(mutant: Mutant, tests: list[tuple[str, float]]) -> int:
    """Plant the defect in the copy, and run these tests until one fails."""
    import pytest

    path = PACKAGE / mutant.module
    Path("noticed.txt").write_text("the start of pytest", encoding="utf-8")
    path.write_text(mutant.text)
    names = [test for test, _ in tests]
    return int(pytest.main([*OPTIONS, "--hypothesis-seed=0", *names], plugins=[Watch(dict(tests))]))


def in_parallel(copies: list[Path], jobs: list[Any], start: Any) -> Iterator[tuple[Any, Path, int]]:
    """Start each job in a free copy; yield it when it has ended, with its status as `os.wait` gives it."""
    free, running, waiting = list(copies), {}, list(jobs)
    while waiting or running:
        while waiting and free:
            copy = free.pop()
            job = waiting.pop(0)
            running[start(job, copy)] = (job, copy)
        pid, status = os.wait()
        if pid not in running:
            continue
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # whatever its tests have left running
        job, copy = running.pop(pid)
        yield job, copy, status
        free.append(copy)


def verdict(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "timed out" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed"


def limited(tests: list[tuple[str, float]], seconds: float) -> list[tuple[str, float]]:
    """The quickest tests that together take this long."""
    found, spent = [], 0.0
    for test, own in tests:
        spent += own
        if spent > seconds and found:
            break
        found.append((test, own))
    return found


def main() -> int:
    ask = argparse.ArgumentParser(description="Plant defects in a part of the library and count those noticed.")
    ask.add_argument("part", choices=PARTS)
    ask.add_argument("--sample", type=int, default=60, help="how many defects")
    ask.add_argument("--seed", type=int, default=1, help="which defects")
    ask.add_argument("--jobs", type=int, default=2, help="processes side by side")
    ask.add_argument("--seconds", type=float, default=300.0, help="of tests for one defect, the quickest first")
    ask.add_argument("--tests", nargs="+", default=["tests/**/test_*.py", "src/**/*.py"], help="which test files")
    ask.add_argument("--verbose", action="store_true", help="show the noticed ones too, and the test that noticed")
    asked = ask.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"
    sys.path.pop(0)  # this folder: its modules are part of a package
    for name in HEAVY_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="qontrast-mutants-") as folder:
        copies = [Path(folder) / str(k) for k in range(asked.jobs)]
        for copy in copies:
            copy_repository(copy)
        return report(asked, copies)


def report(asked: argparse.Namespace, copies: list[Path]) -> int:
    known = records(copies, asked.tests)
    mutants = sample(asked.part, asked.sample, asked.seed)
    tests = {mutant: limited(tests_of(mutant, known), asked.seconds) for mutant in mutants}
    counts: dict[str, int] = defaultdict(int)

    def start(mutant: Mutant, copy: Path) -> int:
        return fork(copy, lambda: run_tests(mutant, tests[mutant]))

    began, jobs = time.monotonic(), [mutant for mutant in mutants if tests[mutant]]
    for mutant in mutants:
        if not tests[mutant]:
            counts["survived"] += 1
            print(f"\nSURVIVED {mutant.module}:{mutant.line} (no test executes the line)\n{mutant.diff()}", flush=True)
    for mutant, copy, status in in_parallel(copies, jobs, start):
        what = verdict(status)
        counts[what] += 1
        if what == "survived" or asked.verbose:
            by = "" if what == "survived" else f" by {(copy / 'noticed.txt').read_text()}"
            print(f"\n{what.upper()} {mutant.module}:{mutant.line}{by} ({len(tests[mutant])} tests)\n{mutant.diff()}")
            sys.stdout.flush()
        (copy / PACKAGE / mutant.module).write_text(mutant.before)
    total, target = len(mutants), PARTS[asked.part][0]
    share = 1 - counts["survived"] / max(1, total)
    each = ", ".join(f"{counts[what]} {what}" for what in ("killed", "timed out", "survived"))
    print(f"\n{asked.part}, seed {asked.seed}: {total} defects, {each} ({time.monotonic() - began:.0f} s)")
    print(f"{share:.1%} noticed, target {target:.0%}")
    return 0 if share >= target else 1


if __name__ == "__main__":
    sys.exit(main())
