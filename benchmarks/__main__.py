"""Measure targets, compare with a plain loop and other libraries, and write both as out/bench.json and out/bench.md.

`python -m benchmarks` measures everything; `--quick` compares at small sizes and leaves targets out; `--only` selects
cases of the comparison or modules of targets; `--peer uncertainpy=PATH` and `--peer qbaf-py=PATH` add checkouts.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from qontrast import __version__

from .compare import tables
from .compare.cases import CASES, CHECKOUTS, LIMIT, PACKAGES, TOOLS
from .compare.run import Options, Row, run_apart, use_one_core

TARGETS = (  # modules with `figures`, which yield lines and whether each meets its target
    "engine",
    "small",
    "attribution",
    "waits",
    "cost",
    "players",
    "robustness",
    "change",
    "reach",
    "uncertainty",
    "batch",
    "cli",
    "networks",
    "web",
)
TARGET_SECONDS = 900.0  # that one module of targets may take


def main(words: list[str] | None = None) -> int:
    asked = parse(words)
    use_one_core()
    targets = [name for name in TARGETS if name in (asked.only or (() if asked.quick else TARGETS))]
    cases = [name for name in CASES if name in (asked.only or CASES)]
    limit = asked.limit or (1.0 if asked.quick else 40.0)
    options = Options(asked.quick, limit, tuple(asked.peer), find_packages(cases))
    data = describe_run(options)
    for name in targets:
        data["targets"] += check_targets(name)
        tables.save(data, asked.output)
    for name in cases:
        data["rows"] += compare(name, options)
        tables.compare_values(data["rows"])
        data["growth"] = tables.find_growth(data["rows"])
        tables.save(data, asked.output)
    data["finished"] = True
    tables.save(data, asked.output)
    print(tables.write_markdown(data))
    print(f"written to {asked.output / 'bench.json'} and {asked.output / 'bench.md'}")
    return int(any(not each.get("met", True) or "reason" in each for each in data["targets"]))


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure targets, and compare.")
    parser.add_argument("--quick", action="store_true", help="compare at small sizes; leave the targets out")
    choices = dict.fromkeys((*CASES, *TARGETS))  # some name both
    parser.add_argument("--only", action="append", choices=choices, metavar="CASE", help=f"one of {', '.join(choices)}")
    parser.add_argument("--peer", action="append", default=[], type=read_peer, metavar="NAME=PATH", help="a checkout")
    parser.add_argument("--limit", type=float, help="CPU seconds for one tool in one case (40; with --quick 1)")
    parser.add_argument("--output", type=Path, default=Path("out"), help="the folder of bench.json and bench.md")
    return parser.parse_args(words)


def read_peer(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if name not in CHECKOUTS or not equals:
        raise argparse.ArgumentTypeError(f"{text!r}: give {' or '.join(f'{each}=PATH' for each in CHECKOUTS)}")
    if not Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"{path!r} is not a folder")
    return name, str(Path(path).resolve())


def find_packages(cases: list[str]) -> tuple[str, ...]:
    """Return the installed packages that these cases import."""
    used = {tool for case in cases for tool in PACKAGES if tool not in CASES[case].absent}
    return tuple(module for tool, module in PACKAGES.items() if tool in used and is_installed(module))


def is_installed(module: str) -> bool:
    return find_spec(module.partition(".")[0]) is not None


def describe_run(options: Options) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "machine": describe_machine(),
        "date": f"{now:%Y-%m-%d}",
        "python": platform.python_version(),
        "version": __version__,
        "versions": {tool: version(tool) for tool, module in PACKAGES.items() if is_installed(module)},
        "limit": options.limit,
        "note": describe_load(),
        "finished": False,
        "targets": [],
        "rows": [],
        "growth": [],
    }


def describe_machine() -> str:
    """Say how many cores of which processor there are; never the name of the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    return f"{cores} core{'s' if cores > 1 else ''} of {model}, {platform.system()}"


def describe_load() -> str:
    """Say how busy the machine was with other programs when the run began, if it was."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load < 1:
        return ""
    return f"Other programs ran on this machine too (a load of {load:.0f} at the start), so short times are uncertain."


def check_targets(name: str) -> list[Row]:
    """Measure one module of targets in a process of its own."""
    found = []
    for row in run_apart("benchmarks.compare.run:measure_targets", (name,), Options(limit=TARGET_SECONDS)):
        line = {"module": name, "line": f"{name}: {row['reason']}", "met": False} if "reason" in row else row
        print(f"{line['line']}  {tables.mark(line)}".rstrip(), flush=True)
        found.append(line)
    return found


def compare(case: str, options: Options) -> list[Row]:
    """Measure every tool in one case."""
    entry, found = CASES[case], []
    print(f"{case}: {entry.title}", flush=True)
    for tool in TOOLS:
        if tool in entry.absent:
            found.append({"case": case, "tool": tool, "reason": entry.absent[tool]})
            continue
        if tool == LIMIT and LIMIT not in entry.jobs:
            continue
        for row in run_apart("benchmarks.compare.run:measure_tool", (case, tool), options):
            found.append({"case": case, "tool": tool, **row})
            result = row.get("reason") or f"{row['size']:,} {entry.unit}: {tables.format_seconds(row['seconds'])}"
            print(f"  {tool}: {result}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
