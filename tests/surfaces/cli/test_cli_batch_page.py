"""Every cell of the page, the tables and the reports of a batch is that of the answer of the library."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.show.html.batch import batch_html
from tests.support.figure_rows import is_written
from tests.support.html_tree import read_html, read_sections, read_table
from tests.support.results_to_show import GRAPH, LATER, TIED

GRAPHS = {
    "one.json": GRAPH.restrict(["p", "q", "a", "b", "c"]),
    "other.json": LATER.restrict(["p", "q", "n", "b", "a"]).with_base_scores({"p": 0.2}),
    "tied.json": TIED.with_topics(["q", "p"]),
}
OPTIONS = "--robustness --semantics ebt --method removal --reasons 2 --fact q"
SETTINGS: dict[str, Any] = {"semantics": "ebt", "method": "removal"}


@pytest.fixture(autouse=True)
def _graphs(qontrast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.questions.many.MAX_BOXES", 5)  # of the proof of robustness
    for name, graph in GRAPHS.items():
        qx.write(graph, name)


def explain() -> dict[str, qx.Explained]:
    found = qx.explain_many(GRAPHS, fact="q", robustness=True, reasons=2, **SETTINGS)
    return {each.name: each for each in found}


def test_every_cell_of_the_page_is_that_of_its_answer(qontrast: Any) -> None:
    assert qontrast(f"batch {' '.join(GRAPHS)} -o t.html {OPTIONS}").code == 0
    (table,) = read_html(Path("t.html").read_text(encoding="utf-8")).find("table")
    rows, known = read_table(table), explain()
    assert [row["graph"] for row in rows] == sorted(known, key=lambda name: abs(known[name].gap or 0.0))
    for row in rows:
        found = known[row["graph"]]
        assert row["fact rather than foil"] == "q rather than p"
        for column in ("gap", "certified", "found"):
            value = getattr(found, column)
            assert row[column] == "none" if value == float("inf") else is_written(row[column], value, signed=False), row
            assert ("−" in row[column]) == (value < 0)
        reasons = [part.split(" ") for part in row["main reasons"].split(", ")]
        assert [name for name, _ in reasons] == list(found.reasons)
        assert all(is_written(number, found.reasons[name]) for name, number in reasons), row


def test_certified_and_found_stand_under_their_own_heads() -> None:
    row = qx.Explained(name="x", method="shapley", fact="p", foil="q", gap=-0.25, robustness=(0.125, 0.375)).to_row(1)
    (table,) = read_html(batch_html([row], sources=["x"], links={})).find("table")
    (shown,) = read_table(table)
    assert (shown["gap"], shown["certified"], shown["found"]) == ("−0.2500", "0.1250", "0.3750")


def test_every_cell_of_a_table_is_that_of_its_answer(qontrast: Any) -> None:
    known = explain()
    assert qontrast(f"batch {' '.join(GRAPHS)} -o t.csv {OPTIONS}").code == 0
    with Path("t.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row, found in zip(rows, known.values(), strict=True):
        expected = found.to_row(2)
        assert row.keys() == expected.keys()
        for column, value in expected.items():
            assert row[column] == ("" if value is None else str(value)), column
    assert qontrast(f"batch {' '.join(GRAPHS)} -o t.jsonl {OPTIONS}").code == 0
    lines = [json.loads(line) for line in Path("t.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == [found.to_dict() for found in known.values()]


def test_a_linked_report_is_about_the_row_and_has_the_settings_of_the_batch(qontrast: Any) -> None:
    assert qontrast(f"batch {' '.join(GRAPHS)} -o t.html --reports {OPTIONS}").code == 0
    links = {link.text: link.attributes["href"] for link in read_html(Path("t.html").read_text()).find("a")}
    assert links.keys() == GRAPHS.keys()
    for name, address in links.items():
        page = read_html(Path(address).read_text(encoding="utf-8"))
        why = qx.contrast(GRAPHS[name], "q", "p", **SETTINGS)
        rows = [row for table in read_sections(page)["In numbers"].find("table") for row in read_table(table)]
        shown = {row["Argument"]: list(row.values()) for row in rows}
        for x, value in why.items():
            label = GRAPHS[name].label(x)
            cells = shown[f"{label} [{x}]" if label != x else x]
            assert is_written(cells[3], value), (name, x)
            assert is_written(cells[2], why.strengths[x], signed=False), (name, x)
