"""The names of tests are sentences that stand alone; waits in a browser do not fail by themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.profiles import PACKAGES_OF_EXAMPLES, LeftOut, choose_left_out

WITHOUT_A_SUBJECT = {"and", "it", "its", "they", "so", "but", "this", "that", "these", "those", "nor", "or", "also"}


@cache
def list_tests() -> list[tuple[Path, str]]:
    return list(_iterate_tests())


def _iterate_tests() -> Iterator[tuple[Path, str]]:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield path.relative_to(ROOT), node.name


def test_the_name_of_every_test_is_a_sentence_that_stands_alone() -> None:
    found = list_tests()
    assert len(found) > 900
    for path, name in found:
        words = name.removeprefix("test_").split("_")
        assert len(words) >= 4, f"{path}: {name} is no sentence"
        assert words[0] not in WITHOUT_A_SUBJECT, f"{path}: {name} needs the test before it to be understood"


def test_every_test_is_among_the_laws_the_numbers_or_the_surfaces() -> None:
    for path, name in list_tests():
        assert path.parts[1] in ("laws", "numbers", "surfaces"), f"{path}: {name}"
        assert path.name.startswith("test_"), f"{path}: {name} is not collected"
    assert {path.name for path in (ROOT / "tests").glob("*.py")} == {"__init__.py", "conftest.py"}


def test_every_example_that_waits_for_a_package_exists() -> None:
    for name in PACKAGES_OF_EXAMPLES:
        module, function = name.rsplit(".", 1)
        assert callable(getattr(import_module(module), function)), name


def test_a_light_run_takes_all_cases_of_numbers_and_surfaces() -> None:
    for folder in ("numbers", "surfaces"):
        for path in sorted((ROOT / "tests" / folder).rglob("*.py")):
            if path != Path(__file__):
                assert "mark.some_cases" not in path.read_text(encoding="utf-8"), path.name


def test_every_third_case_of_a_test_is_kept_and_the_others_are_told_at_the_end() -> None:
    left_out = choose_left_out([("t.py::a[0]", 3), ("t.py::b[0]", 2), *((f"t.py::a[{k}]", 3) for k in range(1, 6))])
    assert left_out == {"t.py::a[1]", "t.py::a[2]", "t.py::a[4]", "t.py::a[5]"}
    here, there = LeftOut(cases=left_out), LeftOut(cases={*left_out}, heavy={"t.py::c"}, inside={"t.py:7": 40})
    assert here.describe()[1:] == ["left to make test-heavy:", "  4 cases of a (4)"]
    here.receive(there.send())
    assert here.describe()[2:] == [
        "  1 heavy tests",
        "  4 cases of a (4)",
        "  40 of the cases that 1 tests count themselves",
    ]
    assert LeftOut().describe() == []


def test_a_wait_in_a_browser_bears_that_its_element_is_drawn_anew() -> None:
    careless = re.compile(r"querySelector\((?:\"[^\"]*\"|'[^']*'|`[^`]*`)\)\.")
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "wait_for_function" in line:
                assert not careless.search(line), f"{path.name}: write querySelector(…)?. in: {line.strip()}"
