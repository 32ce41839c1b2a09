"""The pages of the studies: what they call agreement, and that every number stands in its column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qontrast import contrast, examples
from qontrast.axioms import Witness, axiom_table
from qontrast.studies import healthcare
from qontrast.studies.page import Claim, Number, Page


@pytest.mark.parametrize("paper", ["0.3564", "-0.0705", "0.75", "12.5", "1/3", "-7/192", "0", "141"])
def test_a_number_agrees_up_to_half_a_unit_of_its_last_printed_digit_and_no_further(paper: str) -> None:
    printed = float(paper) if "/" not in paper else int(paper.split("/")[0]) / int(paper.split("/")[1])
    half = 0.5 * 10.0 ** -len(paper.split(".")[1]) if "." in paper else 0.0
    for side in (-1, 1):
        near, far = (Number("x", paper, printed + side * half * factor) for factor in (0.99, 1.01))
        assert near.agrees
        assert near.explanation == ("the paper's rounding" if half else "none")
        if half:
            assert not far.agrees
            assert far.explanation == "UNEXPLAINED"
        beyond = Number("x", paper, printed + side * (half + 0.01))
        assert not beyond.agrees
        assert beyond.difference == pytest.approx(side * (half + 0.01))
        assert Number("x", paper, beyond.ours, note="a reason").explanation == "a reason"
    assert Number("x", paper, printed).explanation == "none"
    unprinted = Number("x", "", 0.25)
    assert (unprinted.agrees, unprinted.difference, unprinted.explanation) == (True, None, "not printed in the paper")


def test_a_page_says_how_many_numbers_and_statements_do_not_hold() -> None:
    right, wrong, own = Number("one", "0.5", 0.5), Number("two", "0.5", 0.7, "there"), Number("three", "", 0.1)
    page = Page(
        title="Title",
        introduction="Words",
        numbers=[right, wrong, own],
        claims=[Claim("a", True, "1"), Claim("b", False, "2")],
    )
    text = page.markdown()
    assert "2 numbers printed in the paper; 1 do not agree." in text
    assert (
        "all agree to every printed digit" in Page(title="Title", introduction="Words", numbers=[right, own]).markdown()
    )
    assert "| two | there | 0.5 | 0.7 | +0.200 | UNEXPLAINED |" in text
    assert "| three |  | — | 0.1 | — | not printed in the paper |" in text
    assert "| a | yes | 1 |" in text
    assert "| b | NO | 2 |" in text
    data = page.to_dict()
    assert [each["agrees"] for each in data["numbers"]] == [True, False, True]
    assert [each["difference"] for each in data["numbers"]] == pytest.approx([0.0, 0.2, None])
    assert [each["holds"] for each in data["statements"]] == [True, False]
    assert page.to_frame()["ours"].tolist() == [0.5, 0.7, 0.1]


def test_text_and_data_of_a_page_are_written_under_its_name(tmp_path: Path) -> None:
    page = Page(
        title="Title",
        introduction="Words",
        numbers=[Number("one", "0.5", 0.5)],
        tables=[("Table", ("x", "y"), [("a", 0.25)])],
    )
    text, data = page.write("study", tmp_path, [("study.svg", "A picture")])
    assert (text.name, data.name) == ("study.md", "study.json")
    assert "![A picture](study.svg)" in text.read_text(encoding="utf-8")
    assert json.loads(data.read_text(encoding="utf-8"))["tables"] == {"Table": [{"x": "a", "y": 0.25}]}


@pytest.fixture(scope="module")
def page() -> Page:
    return healthcare.run()


def test_every_contribution_of_the_case_study_stands_under_its_topic(page: Page) -> None:
    q = examples.load("healthcare")
    found = {title: (head, rows) for title, head, rows in page.tables}
    for method in ("shapley", "gradient", "removal"):
        why = contrast(q, "antiviral", "antibiotic", method=method)
        head, rows = found[f"Contributions: {method}"]
        assert len(rows) == len(why)
        for name, row in zip(why, rows, strict=True):
            cells = dict(zip(head, row, strict=True))
            assert cells["argument"] == q.label(name)
            assert cells["on antiviral"] == why.individual["antiviral"][name]
            assert cells["on antibiotic"] == why.individual["antibiotic"][name]
            assert cells["contrast"] == why[name]


def test_the_recovered_graphs_give_the_printed_values_and_no_others_are_kept(page: Page) -> None:
    from qontrast.studies.recovery import PRINTED, recover

    found = recover()
    assert found.fits
    for _, first, second in found.fits:
        assert (first, second) == pytest.approx(PRINTED, abs=5e-5)
    assert page.data["recovery"] == {"tried": found.tried, "fits": [list(rows) for rows, _, _ in found.fits]}


def test_a_table_of_properties_asks_for_graphs_of_the_sizes_given_and_keeps_the_sides_of_a_witness() -> None:
    for sizes in ((4, 4), (5, 5)):
        table = axiom_table(semantics="df-quad", cafs=["gradient"], axioms=["efficiency"], graphs=20, arguments=sizes)
        assert table["efficiency", "gradient"]
    seen: list[int] = []

    def caf(qbaf, fact, foil, semantics):  # type: ignore[no-untyped-def]
        seen.append(len(qbaf))
        return {x: 0.0 for x in qbaf if x not in (fact, foil)}

    axiom_table(semantics="df-quad", cafs=[caf], axioms=["antisymmetry"], graphs=12, arguments=(5, 6))
    assert set(seen) == {5, 6}
    table = axiom_table(semantics="df-quad", cafs=["gradient", "removal"], axioms=["efficiency"], graphs=200)
    for (axiom, name), witness in table.cells.items():
        assert isinstance(witness, Witness)
        data = table.to_dict()["cells"][axiom][name]
        assert (data["left"], data["right"], data["words"]) == (witness.left, witness.right, witness.words)
        assert witness.left != witness.right
