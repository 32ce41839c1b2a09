"""The studies: every number of the paper beside ours, within its printed digits, on complete pages."""

from __future__ import annotations

import json

import pytest

from qontrast import UnknownName, contrast
from qontrast.studies import STUDIES, Claim, Number, Page, figures, reproduce, zebra
from qontrast.studies.complexity import measured
from qontrast.studies.healthcare import fits_the_text
from qontrast.studies.properties import run as run_axioms
from qontrast.studies.recovery import drawn_rows, recover

QUICK = ("zebra", "healthcare", "counterexamples", "complexity")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("studies")
    reproduce(QUICK, path)
    return path


@pytest.mark.parametrize("name", QUICK)
def test_every_number_agrees_to_the_digits_printed_and_every_difference_is_explained(folder, name):
    data = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    text = (folder / f"{name}.md").read_text(encoding="utf-8")
    assert data["schema"] == "qontrast/study/1"
    assert data["numbers"]
    assert all(each["agrees"] for each in data["numbers"])
    assert all(each["holds"] for each in data["statements"])
    assert all(each["explanation"] != "UNEXPLAINED" for each in data["numbers"])
    assert "all agree to every printed digit" in text
    for each in data["numbers"]:
        assert f"| {each['what']} |" in text


def test_the_pages_hold_all_that_the_paper_prints(folder):
    printed = {
        "zebra": ["0.875", "0.5"],
        "healthcare": [
            "0.75",
            "0.6",
            "0.4",
            "0.3564",
            "0.2368",
            "0.1479",
            "0.1196",
            "0.1123",
            "-0.0705",
            "-0.0779",
            "0.0074",
            "-0.1436",
            "-0.2632",
        ],
        "counterexamples": [
            "17/32",
            "3/16",
            "11/32",
            "5/8",
            "1/4",
            "3/8",
            "1/8",
            "-1/32",
            "-5/32",
            "15/64",
            "1/16",
            "11/64",
            "3/64",
            "-5/32",
            "-35/192",
            "-7/32",
            "7/192",
            "7/8",
            "1/2",
        ],
        "complexity": ["39800", "199", "19701"],
    }
    for name, numbers in printed.items():
        data = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        assert set(numbers) <= {each["paper"] for each in data["numbers"]}


def test_the_contributions_are_those_recomputed_independently(folder):
    zebra = json.loads((folder / "zebra.json").read_text(encoding="utf-8"))["tables"][
        "Contributions (the paper prints none)"
    ]
    found = {(row["contrast"], row["method"], row["argument"]): row["contribution"] for row in zebra}
    expected = {("removal", "stripes"): 0.375, ("gradient", "stripes"): 0.75, ("shapley", "stripes"): 0.4375}
    expected |= {("removal", "herbivore"): -0.125, ("gradient", "herbivore"): -0.25, ("shapley", "herbivore"): -0.0625}
    for (method, x), value in expected.items():
        assert found["zebra over horse", method, x] == pytest.approx(value, abs=1e-12)
    tables = json.loads((folder / "healthcare.json").read_text(encoding="utf-8"))["tables"]
    shapley = {row["argument"]: row["contrast"] for row in tables["Contributions: shapley"]}
    assert shapley["Positive PCR test"] == pytest.approx(0.078999, abs=5e-7)
    assert shapley["Viral pneumonia"] == pytest.approx(0.327842, abs=5e-7)
    gradient = {row["argument"]: row["contrast"] for row in tables["Contributions: gradient"]}
    assert gradient["Bacterial pneumonia"] == pytest.approx(-0.60650, abs=1e-5)


def test_the_healthcare_graph_is_the_only_one_that_fits():
    found = recover()
    assert found.tried == 658
    assert [rows for rows, _, _ in found.fits if fits_the_text(rows)] == [drawn_rows()]
    cross = {rows: (a, b) for rows, a, b in found.fits}[drawn_rows()]
    assert cross == pytest.approx((-0.070515, -0.077898), abs=5e-7)  # as the Shapley values of the whole graph


def test_a_number_that_is_off_is_not_passed_over():
    wrong = Number("gap", "0.1196", 0.1197)
    assert not wrong.agrees
    assert wrong.explanation == "UNEXPLAINED"
    assert Number("gap", "0.1196", 0.11964).explanation == "the paper's rounding"
    assert not Number("a fraction", "1/3", 0.3333).agrees
    assert Number("not printed", "", 0.3).explanation == "not printed in the paper"
    page = Page(title="t", introduction="i", numbers=[wrong], claims=[Claim("so it is", False)]).markdown()
    assert "1 do not agree" in page
    assert "| so it is | NO |" in page


def test_algorithm_1_saves_calls_and_loses_nothing():
    found = measured(40)
    assert (found["naive"], found["calls"], found["additions"]) == (40 * 39, 39, 39 * 38 / 2)
    assert found["difference"] < 1e-13


@pytest.mark.heavy
def test_the_table_of_axioms_is_the_papers():
    seen = []
    page = run_axioms(lambda *at: seen.append(at), graphs=160)
    assert len(page.claims) == 3 * 3 * 10
    assert all(claim.holds for claim in page.claims)
    assert seen[-1] == (9 * 160, 9 * 160)
    text = page.markdown()
    assert text.count("is violated by") == 18
    assert "| Antisymmetry | none in 160 graphs |" in text


def test_studies_are_chosen_by_name(tmp_path):
    assert list(STUDIES) == ["zebra", "healthcare", "counterexamples", "axioms", "complexity", "compas"]
    written = reproduce("zebra", tmp_path / "new" / "folder")
    assert {"zebra.md", "zebra.json"} <= {path.name for path in written}
    assert all(path.exists() for path in written)
    with pytest.raises(UnknownName, match="did you mean 'zebra'"):
        reproduce(["zebras"], tmp_path)


@pytest.mark.heavy
def test_figures_are_drawn_where_show_can_draw_them(tmp_path):
    drawn = STUDIES["healthcare"].run(None).draw(tmp_path)
    assert len(drawn) == (3 if figures.can_draw() else 0)
    assert all((tmp_path / file).stat().st_size > 10_000 for file, _ in drawn)


def test_a_claim_of_the_zebra_fails_where_the_reason_speaks_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(claim.holds for claim in zebra.run().claims)
    monkeypatch.setattr(zebra, "contrast", lambda q, fact, foil, method: contrast(q, foil, fact, method=method))
    first, *others = zebra.run().claims
    assert first.holds
    assert [claim.holds for claim in others] == [False] * 6


def test_a_page_may_have_no_numbers_claims_tables_or_notes() -> None:
    page = Page(title="A title", introduction="What it is about.")
    assert (list(page.numbers), list(page.claims)) == ([], [])
    assert str(page).strip() == "# A title\n\nWhat it is about."
    assert page.to_dict()["title"] == "A title"
