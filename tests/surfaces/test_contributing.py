"""What CONTRIBUTING.md says of the code is true: the map has every module, and the tables are where it says."""

from __future__ import annotations

import ast
import re

from tests.support.module_map import DOCUMENT, PACKAGE, list_modules, replace_map
from tests.support.paths import ROOT

TEXT = DOCUMENT.read_text(encoding="utf-8")


def list_names(module: str) -> set[str]:
    """The names that a module of the library sets at its top level."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    targets = [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    targets += [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def test_the_map_names_every_module_of_the_library_with_the_first_line_of_its_docstring() -> None:
    assert replace_map(TEXT) == TEXT, "run python -m tests.support.module_map"


def test_the_map_is_about_all_modules() -> None:
    assert len(list_modules(PACKAGE)) > 80


def test_every_table_that_takes_a_new_row_is_where_contributing_says() -> None:
    named = re.findall(r"`([A-Z]{4,})` in `([\w/]+\.py)`", TEXT)
    assert len(named) >= 10
    for table, module in named:
        assert table in list_names(module), f"{module} has no table {table}"


def test_every_file_and_folder_that_contributing_names_exists() -> None:
    prose = TEXT.partition("## Where to add something")[2]
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w.-]+\.(?:py|md|txt|json|toml))`", prose))
    places = (ROOT, PACKAGE, ROOT / "tests" / "support", ROOT / "tests" / "numbers", PACKAGE / "show" / "languages")
    assert len(named) > 20
    for name in named - {"examples/NAME.json", "conftest.py"}:
        assert any((place / name).exists() for place in places), name
