"""The parts of the library: which modules belong to each, and which share of defects must be noticed there."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path("src/qontrast")
CACHE = ROOT / "out" / "mutants"

# the share of defects that must be noticed, and the modules or folders of the part
PARTS: dict[str, tuple[float, list[str]]] = {
    "graph": (0.95, ["graph"]),
    "semantics": (0.95, ["semantics.py", "finite_differences.py", "scalar_formulas.py"]),
    "engine": (0.95, ["engine"]),
    "attribution": (0.95, ["attribution", "standard_errors.py"]),
    "explain": (0.95, ["explain", "settings.py"]),
    "axioms": (0.90, ["axioms"]),
    "formats": (0.90, ["formats", "examples"]),
    "networks": (0.90, ["networks"]),
    "auditing": (0.90, ["auditing"]),
    "show": (0.90, ["show", "results", "errors.py", "extras.py"]),
    "questions": (0.90, ["questions"]),
    "cli": (0.90, ["cli"]),
    "web": (0.90, ["web"]),
    "studies": (0.90, ["studies"]),
}


def list_modules(part: str) -> list[str]:
    """The modules of a part, as paths inside of the package."""
    modules: list[str] = []
    for name in PARTS[part][1]:
        path = ROOT / PACKAGE / name
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        modules += [str(file.relative_to(ROOT / PACKAGE)) for file in files]
    return modules
