"""The parts of the library in which `make mutants` plants defects, and those that no test can notice."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.mutants.equivalents import EQUIVALENTS
from tests.support.mutants.parts import PACKAGE, PARTS, ROOT, list_modules
from tests.support.mutants.places import AT_LEAST, share_out

WITHOUT_BEHAVIOUR = {"__init__.py", "__main__.py", "_version.py", "types.py"}


def test_every_module_of_the_library_belongs_to_exactly_one_part() -> None:
    every = {str(path.relative_to(ROOT / PACKAGE)) for path in (ROOT / PACKAGE).rglob("*.py")}
    counted = Counter(module for part in PARTS for module in list_modules(part))
    assert set(counted) == every - WITHOUT_BEHAVIOUR
    assert set(counted.values()) == {1}


def test_every_defect_that_no_test_can_notice_changes_a_line_that_is_still_there() -> None:
    for (module, line, changed), reason in EQUIVALENTS.items():
        text = (ROOT / PACKAGE / module).read_text(encoding="utf-8")
        assert line in {each.strip() for each in text.splitlines()}, f"{module} has no line {line}"
        assert line != changed
        assert reason.strip(), line


@pytest.mark.parametrize("size", [28, 60, 300, 1000])
def test_a_sample_of_all_parts_has_some_defects_of_each_and_more_of_larger_ones(size: int) -> None:
    places = {"small": 300, "middle": 3000, "large": 9000}
    sizes = share_out(size, places)
    assert sum(sizes.values()) == size
    assert sizes["small"] >= AT_LEAST or size // len(places) < AT_LEAST
    assert sizes["small"] <= sizes["middle"] <= sizes["large"]
