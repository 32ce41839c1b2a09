"""How many examples the tests try: few in `make test`, many in `make test-heavy`.

Both try the same examples of hypothesis in every run and have no deadline, so that a slow machine fails nothing. To
try others: `pytest --hypothesis-profile=others`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings

HEAVY = os.environ.get("QONTRAST_HEAVY") == "1"
LIGHT_EXAMPLES, HEAVY_EXAMPLES = 10, 250
COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", COMMON, derandomize=True, max_examples=LIGHT_EXAMPLES)
settings.register_profile("thorough", COMMON, derandomize=True, max_examples=HEAVY_EXAMPLES)
settings.register_profile("others", COMMON, max_examples=HEAVY_EXAMPLES)
settings.load_profile("thorough" if HEAVY else "fast")
FEW = settings(max_examples=max(6, settings().max_examples // 6))  # for a test whose examples are expensive


@dataclass
class LeftOut:
    """What a light run leaves out. Its processes find the same, so that it is kept by name and joined."""

    heavy: set[str] = field(default_factory=set)  # tests that are marked as heavy
    cases: set[str] = field(default_factory=set)  # cases of tests that are marked with some_cases
    laws: set[str] = field(default_factory=set)  # tests with random examples
    inside: dict[str, int] = field(default_factory=dict)  # cases that tests count themselves, by the place of the count

    def send(self) -> dict[str, Any]:
        return {name: list(each) if isinstance(each, set) else each for name, each in vars(self).items()}

    def receive(self, sent: dict[str, Any]) -> None:
        for name, each in sent.items():
            getattr(self, name).update(each)

    def describe(self) -> list[str]:
        """What is left to `make test-heavy`, in a few lines for the end of a run."""
        lines = []
        if self.heavy:
            lines.append(f"{len(self.heavy):,} heavy tests")
        if self.cases:
            tests = Counter(case.partition("[")[0].rpartition("::")[2] for case in self.cases)
            lines.append(
                f"{len(self.cases):,} cases of {', '.join(f'{test} ({n})' for test, n in sorted(tests.items()))}"
            )
        if sum(self.inside.values()):
            lines.append(f"{sum(self.inside.values()):,} of the cases that {len(self.inside)} tests count themselves")
        if self.laws:
            fewer = HEAVY_EXAMPLES - LIGHT_EXAMPLES
            lines.append(f"{fewer} of {HEAVY_EXAMPLES} random examples of most of the {len(self.laws):,} laws")
        return ["", "left to make test-heavy:", *(f"  {line}" for line in lines)] if lines else []


LEFT_OUT = LeftOut()


def choose_left_out(cases: Iterable[tuple[str, int]]) -> set[str]:
    """Of the cases of tests that take every n-th one, those that are left out: pairs of the name of a case and n."""
    seen: Counter[str] = Counter()
    left_out = set()
    for case, n in cases:
        test = case.partition("[")[0]
        if seen[test] % n:
            left_out.add(case)
        seen[test] += 1
    return left_out


def number_of_cases(all_cases: int, light: int) -> int:
    """How many cases of one kind a test tries: `all_cases` in `make test-heavy`, else `light`."""
    if HEAVY:
        return all_cases
    caller = sys._getframe(1)
    LEFT_OUT.inside[f"{caller.f_code.co_filename}:{caller.f_lineno}"] = max(0, all_cases - light)
    return light


# examples of the library that wait for a package of the heavy run
PACKAGES_OF_EXAMPLES = {
    "qontrast.networks.sources.from_torch": "torch",
    "qontrast.networks.sources.from_onnx": "onnx",
}
