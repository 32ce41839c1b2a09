"""Run every benchmark and say of each figure whether it meets its target."""

from __future__ import annotations

import sys

from . import attribution, change, cli, engine, networks, players, reach, robustness, small, uncertainty, web

MODULES = [engine, small, attribution, players, robustness, change, reach, uncertainty, cli, networks, web]


def main() -> int:
    missed = 0
    for module in MODULES:
        for line, met in module.figures():
            print(f"{line}  {'ok' if met else 'MISSED'}", flush=True)
            missed += not met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
