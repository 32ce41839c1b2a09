"""What `import qontrast` promises, and what it does not drag in."""

from __future__ import annotations

import subprocess
import sys

import qontrast

PUBLIC = [
    "SEMANTICS",
    "Aggregation",
    "Influence",
    "InvalidInput",
    "InvalidQbaf",
    "Qbaf",
    "QontrastError",
    "Semantics",
    "Strengths",
    "TooLarge",
    "Trajectory",
    "UndefinedStrength",
    "UnknownName",
    "__version__",
    "solve_lanes",
    "strengths",
    "trajectory",
]


def test_the_public_names_are_these_and_no_others() -> None:
    assert qontrast.__all__ == PUBLIC  # in the order that the linter asks for
    assert all(hasattr(qontrast, name) for name in PUBLIC)


def test_importing_qontrast_imports_nothing_beyond_numpy_and_scipy() -> None:
    code = "import sys, qontrast; print(*{m.partition('.')[0] for m in sys.modules})"
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
    bare = subprocess.run([sys.executable, "-I", "-c", code.replace(", qontrast", "")], capture_output=True, text=True)
    new = set(out.split()) - set(bare.stdout.split()) - set(sys.stdlib_module_names)
    # private helpers of SciPy's compiled parts (such as _cython_3_1_2) begin with an underscore
    assert {name for name in new if not name.startswith("_")} <= {"qontrast", "numpy", "scipy", "cython_runtime"}
