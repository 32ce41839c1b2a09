"""What `import qontrast` promises, and what it does not drag in."""

from __future__ import annotations

import subprocess
import sys

import qontrast

PUBLIC = [
    "FORMATS",
    "METHODS",
    "SEMANTICS",
    "Aggregation",
    "Attribution",
    "Audit",
    "Chained",
    "Check",
    "Contrast",
    "CrossTopic",
    "Flip",
    "FormatError",
    "FormatWarning",
    "Influence",
    "InvalidInput",
    "InvalidQbaf",
    "Network",
    "NetworkContrast",
    "Pairs",
    "Path",
    "Paths",
    "Qbaf",
    "QontrastError",
    "Ranking",
    "Semantics",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "UndefinedStrength",
    "UnknownName",
    "WhatIf",
    "__version__",
    "all_pairs",
    "attribute",
    "audit",
    "audit_files",
    "chained_pairs",
    "check",
    "contrast",
    "contributions",
    "convert",
    "examples",
    "flip",
    "from_lists",
    "from_networkx",
    "networks",
    "paths",
    "rank",
    "read",
    "read_many",
    "read_text",
    "solve_lanes",
    "strengths",
    "to_networkx",
    "trajectory",
    "whatif",
    "write",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert qontrast.__all__ == PUBLIC  # in the order that the linter asks for
    assert all(hasattr(qontrast, name) for name in PUBLIC)


def top_level_modules(imports: str) -> set[str]:
    code = f"import sys, {imports}; print(*{{m.partition('.')[0] for m in sys.modules}})"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return {name for name in run.stdout.split() if not name.startswith("_")}  # such as _cython_3_1_2 of SciPy


def test_importing_qontrast_imports_nothing_beyond_numpy_and_scipy() -> None:
    theirs = top_level_modules("numpy, scipy.integrate, scipy.linalg, scipy.sparse.linalg, scipy.special")
    assert top_level_modules("qontrast") - theirs - set(sys.stdlib_module_names) <= {"qontrast"}
