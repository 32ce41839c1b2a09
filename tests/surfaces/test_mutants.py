"""The parts of the library in which `make mutants` plants defects."""

from __future__ import annotations

from collections import Counter

from tests.support.mutants import PACKAGE, PARTS, ROOT, modules_of

WITHOUT_BEHAVIOUR = {"__init__.py", "__main__.py", "_version.py", "types.py"}


def test_every_module_of_the_library_belongs_to_exactly_one_part() -> None:
    every = {str(path.relative_to(ROOT / PACKAGE)) for path in (ROOT / PACKAGE).rglob("*.py")}
    counted = Counter(module for part in PARTS for module in modules_of(part))
    assert set(counted) == every - WITHOUT_BEHAVIOUR
    assert set(counted.values()) == {1}
