"""Write the map of the modules into CONTRIBUTING.md: every module of the library with the first line of its docstring.

    python -m tests.support.module_map

A test compares the map with the tree.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.support.paths import ROOT

PACKAGE = ROOT / "src" / "qontrast"
DOCUMENT = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- the map: python -m tests.support.module_map -->\n", "<!-- the end of the map -->\n"
# the path of the data; a package comes after those that it imports
ORDER = (
    *("types.py", "errors.py", "extras.py", "settings.py", "results", "graph", "formats", "examples"),
    *(
        "semantics.py",
        "finite_differences.py",
        "scalar_formulas.py",
        "standard_errors.py",
        "engine",
        "attribution",
        "explain",
        "axioms",
        "show",
        "networks",
    ),
    *("auditing", "studies", "questions", "cli", "web"),
)
UNLISTED = {"_version.py", "__main__.py", "__init__.py", "py.typed", "__pycache__"}


def summarise(module: Path) -> str:
    """The first paragraph of a module's docstring, up to its first full stop, on one line."""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def list_modules(folder: Path) -> list[Path]:
    """The modules of a package and of the packages in it, without those that only gather names."""
    found = [path for path in sorted(folder.rglob("*.py")) if path.name not in UNLISTED]
    return found + [path for path in sorted(folder.rglob("*/__init__.py")) if has_code(path) and path.parent != folder]


def has_code(module: Path) -> bool:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)


def draw_map() -> str:
    """The map as Markdown: a heading for each package in the order of the data, a line for each module."""
    missing = {path.name for path in PACKAGE.iterdir()} - UNLISTED - set(ORDER)
    assert not missing, f"tests/support/module_map.py does not say where {missing} belong on the path of the data"
    lines = []
    for name in ORDER:
        path = PACKAGE / name
        if path.is_file():
            lines.append(f"- `{name}`: {summarise(path)}")
        elif path.is_dir():
            lines.append(f"- **`{name}/`**: {summarise(path / '__init__.py')}")
            lines += [f"  - `{each.relative_to(path).as_posix()}`: {summarise(each)}" for each in list_modules(path)]
    return "\n".join(lines) + "\n"


def replace_map(text: str) -> str:
    """The text of a document with the map as it should be."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}{draw_map()}{END}{tail}"


if __name__ == "__main__":
    DOCUMENT.write_text(replace_map(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
