"""Every machine gives the answers of the record: values to 1e-12, and the same orders, sentences and pictures."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.support.same_everywhere import RECORD, compute

RECORDED: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
found = cache(compute)


def test_the_record_has_all_questions_that_are_computed() -> None:
    assert list(RECORDED) == list(found())
    assert {key for row in RECORDED.values() for key in row} == {"values", "order", "text", "picture"}


@pytest.mark.parametrize("question", RECORDED)
def test_values_are_those_of_the_record_to_the_twelfth_digit(question: str) -> None:
    expected = RECORDED[question].get("values", {})
    assert found()[question].get("values", {}) == pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.parametrize("question", RECORDED)
def test_orders_sentences_and_pictures_are_those_of_the_record(question: str) -> None:
    changed = "to write the record anew: python -m tests.support.same_everywhere"
    for part in ("order", "text", "picture"):
        assert found()[question].get(part) == RECORDED[question].get(part), changed
