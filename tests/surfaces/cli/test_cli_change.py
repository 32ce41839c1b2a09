"""The command `change`: two versions, several, and how its words are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from qontrast import Qbaf, change, examples, history, write

BEFORE = examples.load("healthcare")
AFTER = BEFORE.with_base_scores({"pcr": 0.2, "fever": 0.1})
LAST = AFTER.without("wbc")


@pytest.fixture(autouse=True)
def files(qontrast) -> None:
    for name, graph in (("before", BEFORE), ("after", AFTER), ("last", LAST)):
        write(graph, f"{name}.json")


def test_two_versions_give_the_change_of_the_library(qontrast):
    ran = qontrast("change before.json after.json antiviral antibiotic --json")
    assert ran.data == change(BEFORE, AFTER, "antiviral", "antibiotic").to_dict()
    assert qontrast("change before.json after.json --json") == ran
    assert qontrast("change examples:healthcare after.json --json") == ran
    alone = qontrast("change before.json after.json antiviral --units arguments --json").data
    assert alone == change(BEFORE, AFTER, "antiviral", units="arguments").to_dict()


def test_the_text_names_the_order_and_the_changes_with_their_shares(qontrast):
    said = " ".join(qontrast("change before.json after.json antiviral antibiotic").out.split())
    assert "“Antiviral therapy” fell behind “Antibiotic therapy” (0.120 → −0.019)" in said
    assert "the changes of “Positive PCR test” alone would do" in said
    assert "the base score of “High fever” (0.500 → 0.100) −0.0135 −0.0313 +0.0042" in said
    assert "nothing changed" in qontrast("change before.json before.json").out


def test_a_change_and_a_history_are_drawn_into_a_file(qontrast):
    for files in ("after.json", "after.json last.json"):
        ran = qontrast(f"change before.json {files} antiviral antibiotic -o drawn.svg --json")
        assert ran.data["path"] == "drawn.svg"
        text = Path("drawn.svg").read_text(encoding="utf-8")
        assert text.startswith("<?xml")
        assert ("last.json" in text) == ("last.json" in files)  # names of versions are below a history alone
    assert "x.gif has the suffix '.gif'; a picture has one of" in qontrast("change before.json after.json -o x.gif").err


def test_several_versions_give_a_history_under_the_names_of_the_files(qontrast):
    ran = qontrast("change before.json after.json last.json antiviral antibiotic --json")
    names = ["before.json", "after.json", "last.json"]
    assert ran.data == history([BEFORE, AFTER, LAST], "antiviral", "antibiotic", names=names).to_dict()
    lines = qontrast("change before.json after.json last.json").out.splitlines()
    assert lines[0].startswith("Over 3 versions: “Antiviral therapy” stayed ahead of “Antibiotic therapy”")
    assert any(line.startswith("last.json") and "+0.0425" in line for line in lines)
    german = qontrast("change before.json after.json last.json --language de").out
    assert german.startswith("Über 3 Fassungen:")


def test_a_word_that_is_an_argument_is_a_topic_even_where_a_file_has_its_name(qontrast):
    Path("antiviral").write_text("no graph")
    assert qontrast("change before.json after.json antiviral antibiotic").code == 0


def test_words_that_are_neither_files_nor_topics_are_refused_by_name(qontrast):
    for words, said in {
        "after.json antiviral antibiotic pcr": "'pcr' is too many after FACT and FOIL",
        "after.jsn antiviral": "after.jsn: no such file; did you mean 'after.json'?",
        "after.json antivral": "no argument 'antivral' among the 11 here; did you mean 'antiviral'?",
        "last.json antiviral wbc": "no argument 'wbc' in the version after, but in the one before",
    }.items():
        ran = qontrast(f"change before.json {words}")
        assert ran.code in (2, 3)
        assert said in " ".join(ran.err.split())
    assert qontrast("change before.json").code == 2


def test_topics_that_no_other_version_has_are_said_to_be_missing_there(qontrast):
    write(BEFORE.without("antibiotic", "bronchodilator"), "fewer.json")
    write(BEFORE.without(*BEFORE.topics), "none.json")
    for file, said in {
        "fewer.json": "before.json has only one topic that every version has, 'antiviral'. Candidates: 'pcr'",
        "none.json": "before.json has no topics that every version has. Candidates: 'pcr'",
        "after.json none.json": "before.json has no topics that every version has. Candidates: 'pcr'",
        "examples:loan": "before.json has no argument that every version has; give versions of one graph",
    }.items():
        ran = qontrast(f"change before.json {file}")
        assert ran.code == 2
        assert said in " ".join(ran.err.split())
        assert "'antibiotic'" not in ran.err  # no candidate that a version lacks


def test_topics_that_a_version_lacks_are_not_chosen(qontrast):
    write(Qbaf({"p": 0.9, "q": 0.5, "r": 0.3}, topics=["p", "q", "r"]), "one.json")
    write(Qbaf({"q": 0.4, "r": 0.6}, topics=["q", "r"]), "two.json")
    found = qontrast("change one.json two.json --json").data
    assert (found["fact"], found["foil"]) == ("q", "r")
