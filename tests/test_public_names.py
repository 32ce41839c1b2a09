"""What `import qontrast` promises, and what it does not drag in."""

from __future__ import annotations

import subprocess
import sys

import qontrast

PUBLIC = [
    "METHODS",
    "SEMANTICS",
    "Aggregation",
    "Attribution",
    "Chained",
    "Contrast",
    "CrossTopic",
    "Influence",
    "InvalidInput",
    "InvalidQbaf",
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
    "__version__",
    "all_pairs",
    "attribute",
    "chained_pairs",
    "contrast",
    "contributions",
    "paths",
    "rank",
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
    # SciPy itself takes in what it finds installed (through numpy.f2py)
    scipy = code.replace("qontrast", "scipy.sparse.linalg, scipy.special")
    bare = subprocess.run([sys.executable, "-I", "-c", scipy], capture_output=True, text=True, check=True)
    new = set(out.split()) - set(bare.stdout.split()) - set(sys.stdlib_module_names)
    # private helpers of SciPy's compiled parts (such as _cython_3_1_2) begin with an underscore
    assert {name for name in new if not name.startswith("_")} <= {"qontrast", "numpy", "scipy", "cython_runtime"}
