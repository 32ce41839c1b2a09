"""Every cell of every table is the number, the text and the row of the result, and there are no others."""

from __future__ import annotations

from math import isfinite
from typing import Any

import pytest

from qontrast.show.presentation import PRESENTATIONS
from tests.support.cells import CELLS, Cells, find_wrong_cells, read_frame
from tests.support.results_to_show import RESULTS, make_result, make_results

FRAMED = [name for name, row in PRESENTATIONS.items() if row.frame is not None]


def list_lines(cells: Cells, end: int) -> list[tuple[Any, ...]]:
    """The numbers of each row, or of each column; whole numbers and undefined ones tell little."""
    lines: dict[Any, list[Any]] = {}
    for place, value in cells.items():
        if isinstance(value, float) and isfinite(value) and value != int(value):
            lines.setdefault(place[end], []).append(round(value, 12))
    return [tuple(line) for line in lines.values()]


def test_every_result_with_a_table_has_cells_and_cases() -> None:
    assert set(FRAMED) == set(CELLS) == set(RESULTS), "give a new result a row in CELLS and in RESULTS"


@pytest.mark.parametrize("name", CELLS)
def test_no_two_rows_and_no_two_columns_of_the_first_case_are_alike(name: str) -> None:
    """Else two of them could be swapped without anybody noticing."""
    result = make_result(name)
    assert type(result).__name__ == name
    for end in (0, 1):
        lines = list_lines(CELLS[name](result), end)
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("name", FRAMED)
def test_every_cell_of_a_table_is_that_of_the_result(name: str) -> None:
    for result in make_results(name):
        frame = result.to_frame()
        assert not frame.index.duplicated().any()
        assert find_wrong_cells(read_frame(frame), CELLS[name](result)) == []


UNITS = {  # what the numbers of a table are: the name of its columns
    ("Attribution", 0): "share of the strength",
    ("Attribution", 1): "share of the strength, estimated",
    ("Attribution", 2): "slope of the strength per unit of base score",
    ("Attribution", 3): "loss of the strength when the edge is removed",
    ("Contrast", 0): "share of the gap",
    ("Contrast", 1): "share of the gap, estimated",
    ("Contrast", 2): "slope of the gap per unit of base score",
    ("Contrast", 3): "share of the gap",
    ("Pairs", 0): "share of the gap",
    ("Pairs", 1): "loss of the gap when the argument is removed",
    ("Pairs", 2): "loss of the gap when the edge is removed",
    ("SemanticsComparison", 0): "share of the gap",
    ("SemanticsComparison", 1): "loss of the gap when the argument is removed",
    ("Interactions", 0): "sii",
    ("Interactions", 1): "stii",
    ("Change", 0): "share of the change",
}


@pytest.mark.parametrize(("name", "case"), UNITS)
def test_the_columns_of_a_table_say_what_their_numbers_are(name: str, case: int) -> None:
    assert make_result(name, case).to_frame().columns.name == UNITS[name, case]
