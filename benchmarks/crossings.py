"""Count the modules that a question crosses, and how often control passes from one module of the package to another.

    python -m benchmarks.crossings [--detail]

A switch is a call of a function of one module of qontrast from a function of another, be it through a function of
Python or NumPy; imports do not count. Each
question is asked once beforehand, so that nothing is imported while it is counted.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any

import numpy as np

TARGETS = {"why": (16, 1126), "POST /api/contrast": (17, None), "audit": (12, 276)}  # modules, switches


def count_switches(ask: Callable[[], object]) -> Counter[tuple[str, str]]:
    """Count the calls between different modules of the package while `ask` runs, by (caller, callee)."""
    ask()
    found: Counter[tuple[str, str]] = Counter()

    def look(frame: FrameType, event: str, _: Any) -> None:
        callee = module_of(frame)
        if event == "call" and callee and frame.f_code.co_name != "<module>":
            before = frame.f_back
            while before is not None and not module_of(before):  # through sorted, Mapping, functools and the like
                before = before.f_back
            if before is not None and module_of(before) != callee:
                found[module_of(before), callee] += 1

    sys.setprofile(look)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return found


def module_of(frame: FrameType) -> str:
    """Name the module of the package that a frame belongs to; empty if it belongs to another."""
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.partition(".")[0] == "qontrast" else ""


def ask_why() -> None:
    """Run `qontrast why examples:healthcare antiviral antibiotic`."""
    from qontrast.cli.main import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(["why", "examples:healthcare", "antiviral", "antibiotic"])


def ask_explorer() -> None:
    """Answer POST /api/contrast in this process, as the explorer's worker does."""
    from qontrast.web.answers import answer

    assert answer("contrast", write_request())[0] == 200


@cache
def write_request() -> bytes:
    """Write the request, which a browser sends; that is no part of the answer."""
    from qontrast import examples

    graph = examples.load("healthcare").to_dict()
    return json.dumps({"graph": graph, "fact": "antiviral", "foil": "antibiotic"}).encode()


def ask_audit() -> None:
    """Audit a small network for the effect of one input."""
    from qontrast import audit
    from qontrast.networks import from_arrays

    rng = np.random.default_rng(0)
    network = from_arrays([rng.normal(size=(4, 3)), rng.normal(size=(3, 2))], [np.zeros(3), np.zeros(2)])
    found = audit(network, rng.random((20, 4)), *network.classes, protected=network.inputs[0], instances=range(5))
    assert found.instances


QUESTIONS: dict[str, Callable[[], None]] = {"why": ask_why, "POST /api/contrast": ask_explorer, "audit": ask_audit}


def main(detail: bool = False) -> None:
    """Print modules and switches of each question."""
    for name, ask in QUESTIONS.items():
        found = count_switches(ask)
        modules = {each for pair in found for each in pair}
        print(f"{name}: {len(modules)} modules, {sum(found.values()):,} switches (at most {TARGETS[name]})")
        if detail:
            for (caller, callee), times in found.most_common(40):
                print(f"  {times:6,}  {caller} → {callee}")


if __name__ == "__main__":
    main("--detail" in sys.argv)
