"""The command line of the driver: draw defects, plant them one at a time, and report."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.support.mutants.copies import HEAVY_IMPORTS, copy_repository, fork, in_parallel
from tests.support.mutants.equivalents import find_reason
from tests.support.mutants.parts import PARTS
from tests.support.mutants.places import Mutant, draw_from_all_parts, draw_sample
from tests.support.mutants.records import HEAVY, LIGHT, PATTERNS, load_records, tests_of
from tests.support.mutants.verdicts import FIRST, Memory, limit, put_back, read_status, run_tests

Tests = list[tuple[str, float]]
NOTICED = ("killed", "timed out")


def parse_arguments() -> argparse.Namespace:
    ask = argparse.ArgumentParser(description="Plant defects in the library and count those that the tests notice.")
    ask.add_argument("part", nargs="?", default="all", choices=["all", *PARTS, "scripts"], help="one part")
    ask.add_argument("--sample", type=int, default=60, help="how many defects")
    ask.add_argument("--seed", type=int, default=1, help="which defects")
    ask.add_argument("--jobs", type=int, default=2, help="processes side by side")
    ask.add_argument("--seconds", type=float, default=150.0, help="of tests for one defect, the quickest first")
    ask.add_argument("--tests", nargs="+", default=PATTERNS, help="which test files")
    ask.add_argument("--heavy", action="store_true", help="run heavy tests too, where the others notice nothing")
    ask.add_argument("--fresh", action="store_true", help="forget the verdicts of earlier runs")
    ask.add_argument("--verbose", action="store_true", help="show the noticed ones too, and the test that noticed")
    return ask.parse_args()


def main() -> int:
    asked = parse_arguments()
    if asked.part == "scripts":
        from tests.support.script_mutants import TARGET, plant

        return 0 if plant(asked.sample, asked.seed) >= TARGET else 1
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"
    for name in HEAVY_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    draw = draw_from_all_parts if asked.part == "all" else lambda size, seed: draw_sample(asked.part, size, seed)
    mutants = draw(asked.sample, asked.seed)
    with tempfile.TemporaryDirectory(prefix="qontrast-mutants-") as folder:
        copies = [Path(folder) / str(k) for k in range(asked.jobs)]
        for copy in copies:
            copy_repository(copy)
        began = time.monotonic()
        counts = judge_all(asked, mutants, copies)
    print(f"\nseed {asked.seed}, {len(mutants)} defects, {time.monotonic() - began:.0f} s")
    reached = {part: report(part, counts) for part in PARTS if any(mutant.part == part for mutant in mutants)}
    return 0 if all(reached.values()) else 1


def judge_all(asked: argparse.Namespace, mutants: list[Mutant], copies: list[Path]) -> Counter[tuple[str, str]]:
    """Plant the defects, show those that survive, and count the verdicts by part."""
    known = load_records(copies, LIGHT, asked.tests)
    known += load_records(copies, HEAVY, asked.tests) if asked.heavy else []
    memory = Memory(asked.heavy)
    counts: Counter[tuple[str, str]] = Counter()

    def conclude(mutant: Mutant, verdict: str, by: str, number: int) -> None:
        counts[mutant.part, verdict] += 1
        if verdict not in NOTICED or asked.verbose:
            place = f"src/qontrast/{mutant.module}:{mutant.line}"
            print(f"\n{verdict.upper()} {place} {by} ({number} tests)\n{mutant.diff()}", flush=True)

    jobs: list[tuple[Mutant, Tests, Tests]] = []
    for mutant in mutants:
        reason, verdict = find_reason(mutant), memory.verdict(mutant)
        tests = memory.order(mutant, limit(tests_of(mutant, known), asked.seconds))
        if reason:
            conclude(mutant, "equivalent", reason, 0)
        elif verdict and not asked.fresh:
            conclude(mutant, *verdict, len(tests))
        elif not tests:
            conclude(mutant, "survived", "no test executes the line", 0)
        else:
            jobs.append((mutant, tests[:FIRST], tests[FIRST:]))

    def start(job: tuple[Mutant, Tests, Tests], copy: Path) -> int:
        return fork(copy, lambda: run_tests(job[0], job[1]))

    for (mutant, tests, others), copy, status in in_parallel(copies, jobs, start):
        verdict = read_status(status)
        put_back(mutant, copy)
        if verdict == "survived" and others:
            jobs.insert(0, (mutant, others, []))
            continue
        by = (copy / "noticed.txt").read_text(encoding="utf-8") if verdict in NOTICED else ""
        memory.keep(mutant, verdict, by)
        conclude(mutant, verdict, by, len(tests))
    return counts


def report(part: str, counts: Counter[tuple[str, str]]) -> bool:
    """Print the line of a part; whether its target is reached."""
    each = {verdict: counts[part, verdict] for verdict in (*NOTICED, "survived", "equivalent")}
    judged, target = sum(each.values()) - each["equivalent"], PARTS[part][0]
    share = 1 - each["survived"] / max(1, judged)
    words = ", ".join(f"{number} {verdict}" for verdict, number in each.items())
    print(f"{part:12} {share:6.1%} noticed, target {target:.0%}: {words}")
    return share >= target


if __name__ == "__main__":
    sys.exit(main())
