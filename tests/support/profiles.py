"""How many examples the tests try: few in `make test`, many in `make test-heavy`.

Both try the same examples of hypothesis in every run and have no deadline, so that a slow machine fails nothing. To
try others: `pytest --hypothesis-profile=others`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

HEAVY = os.environ.get("QONTRAST_HEAVY") == "1"
ALL_CASES = HEAVY or os.environ.get("QONTRAST_ALL_CASES") == "1"  # set where defects are planted
COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", COMMON, derandomize=True, max_examples=50 if ALL_CASES else 10)
settings.register_profile("thorough", COMMON, derandomize=True, max_examples=250)
settings.register_profile("others", COMMON, max_examples=250)
settings.load_profile("thorough" if HEAVY else "fast")
FEW = settings(max_examples=max(6, settings().max_examples // 6))  # for a test whose examples are expensive


def number_of_cases(all_cases: int, light: int) -> int:
    """How many cases of one kind a test tries: `all_cases` in `make test-heavy` and `make mutants`, else `light`."""
    return all_cases if ALL_CASES else light


# examples of the library that wait for a package of the heavy run
PACKAGES_OF_EXAMPLES = {
    "qontrast.networks.sources.from_torch": "torch",
    "qontrast.networks.sources.from_onnx": "onnx",
}
