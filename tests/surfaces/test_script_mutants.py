"""The defects that are planted in the scripts of the page: what is found, and where it is in the text that is sent."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

pytest.importorskip("starlette", reason="the scripts belong to qontrast[web]")

from qontrast.web.scripts import compact
from tests.support.script_defects import list_defects, split
from tests.support.script_mutants import ROOT, STATIC, find_executed, locate

SCRIPT = """import { a } from "./a.js";
// a comment with "quotes" and `more`
const one = (x, low) => (x < 1 ? `${x + low} of ${[x, "two"].filter(Boolean)}` : /[/"]+/g.test(x) && !low);
if (one(2, 3)) { start(one, two); }
"""


def change(kind: str) -> set[str]:
    """The lines that defects of a kind make of the script."""
    made = [each.plant(SCRIPT) for each in list_defects(SCRIPT) if each.kind == kind]
    return {line for text in made for line in text.splitlines() if line not in SCRIPT.splitlines()}


def test_a_script_is_split_without_losing_anything_but_comments() -> None:
    for path in sorted((ROOT / STATIC).glob("*.js")):
        text = path.read_text(encoding="utf-8")
        tokens = split(text)
        gaps = [text[a.end : b.start] for a, b in pairwise(tokens)]
        assert all(re.fullmatch(r"\s*(//[^\n]*\s*|/\*.*?\*/\s*)*", gap, re.DOTALL) for gap in gaps), path.name


def test_each_operator_makes_the_defects_that_it_is_for() -> None:
    assert {"if (true) { start(one, two); }", "if (false) { start(one, two); }"} == change("condition")
    assert any("x <= 1" in line for line in change("sign"))
    assert any("x - low" in line for line in change("sign"))
    assert any("|| !low" in line for line in change("sign"))
    assert any("&& low" in line for line in change("negation"))
    assert any('[x, "two"]}' in line for line in change("call"))
    assert any("[x]" in line for line in change("entry"))
    assert change("exchange") == {"if (one(3, 2)) { start(one, two); }", "if (one(2, 3)) { start(two, one); }"}
    assert change("statement") == {"if (one(2, 3)) { ; }"}
    assert len(change("choice")) == 1
    assert not any("import" in line for kind in ("text", "entry", "number") for line in change(kind))


def test_every_place_of_a_defect_is_found_in_the_text_that_is_sent() -> None:
    for path in sorted((ROOT / STATIC).glob("*.js")):
        text = path.read_text(encoding="utf-8")
        sent = compact(text, ".js")
        places = {each.start for each in list_defects(text)}
        assert places
        for start in list(places)[::40]:
            assert sent[locate(text, start)] == text[start]


def test_of_nested_parts_the_innermost_says_whether_it_was_executed() -> None:
    def part(start: int, end: int, count: int) -> dict[str, int]:
        return {"startOffset": start, "endOffset": end, "count": count}

    functions = [{"ranges": [part(0, 100, 1), part(10, 20, 0)]}, {"ranges": [part(12, 15, 3)]}]
    assert find_executed(functions) == [(0, 10), (12, 15), (20, 100)]
