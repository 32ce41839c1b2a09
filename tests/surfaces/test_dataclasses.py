"""The dataclasses of the library: what is told stays as it was told, and results are compared and shown by one rule."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import qontrast
from qontrast.results.base import Result

# what is filled or counted while a search or a file goes on, and never leaves it
CHANGED_WHILE_USED = {
    *("Sums", "_Run", "RemovalSearch", "Descent", "Found", "Element", "Claim", "Motion"),
    *("Worker", "Job", "Pool", "Interruptible"),
}


@cache
def list_dataclasses() -> list[Any]:
    return list(_iterate_dataclasses())


def _iterate_dataclasses() -> Iterator[Any]:
    for module in pkgutil.walk_packages(qontrast.__path__, "qontrast."):
        if not module.name.endswith("__main__"):
            for each in vars(import_module(module.name)).values():
                if inspect.isclass(each) and each.__module__ == module.name and "__dataclass_params__" in vars(each):
                    yield each


def test_no_dataclass_can_be_written_over_but_those_that_are_filled_while_a_search_goes_on() -> None:
    changed = {each.__name__ for each in list_dataclasses() if each.__dataclass_params__.frozen is not True}
    assert len(list_dataclasses()) > 150
    assert changed == CHANGED_WHILE_USED


def test_results_have_the_equality_and_the_text_of_their_base_class_and_fields_by_name_only() -> None:
    results = [each for each in list_dataclasses() if issubclass(each, Result)]
    assert len(results) > 20
    for each in results:
        assert not {"__eq__", "__repr__", "__hash__"} & {name for name, value in vars(each).items() if value}, each
        assert all(field.kw_only for field in dataclasses.fields(each)), each
        assert each.__dataclass_params__.eq is False, each
        assert each.__dataclass_params__.repr is False, each


def test_dataclasses_that_are_compared_at_all_are_compared_by_their_fields_or_by_who_they_are() -> None:
    for each in list_dataclasses():
        assert each.__dataclass_params__.eq in (True, False), each
        assert each.__dataclass_params__.repr in (True, False), each
