"""Debates of key point analysis: one graph per motion, from three tables."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import qontrast as qx
from qontrast import FormatError, UnknownName
from tests.support.paths import ROOT

TABLES = {
    "arguments_dev.csv": """arg_id,argument,topic,stance
arg_0_0,"Trams are quiet, and clean",We should build trams,1
arg_0_1,Trams take many people,We should build trams,1
arg_0_2,Rails are dear,We should build trams,-1
arg_0_3,I like trams,We should build trams,1
""",
    "key_points_dev.csv": """key_point_id,key_point,topic,stance
kp_0_0,The air becomes cleaner,We should build trams,1
kp_0_1,Trams carry more people,We should build trams,1
kp_0_2,It costs too much,We should build trams,-1
""",
    "labels_dev.csv": """arg_id,key_point_id,label
arg_0_0,kp_0_0,1
arg_0_1,kp_0_0,1
arg_0_1,kp_0_1,1
arg_0_2,kp_0_2,1
arg_0_3,kp_0_0,0
""",
    "arguments_train.csv": "stance,topic,argument,arg_id\n-1,We should close zoos,Children learn there,arg_1_0\n",
    "key_points_train.csv": "key_point_id,key_point,topic,stance\nkp_1_0,Zoos teach,We should close zoos,-1\n",
    "labels_train.csv": "arg_id,key_point_id,label\narg_1_0,kp_1_0,1\n",
}
TRAMS = "We should build trams"
REAL = os.environ.get("QONTRAST_KPA")  # a copy of the data of the shared task of 2021, where someone has one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "kpm_data"
    place.mkdir()
    for name, text in TABLES.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_a_motion_is_a_graph_of_two_sides_key_points_and_the_arguments_that_match_them(folder: Path) -> None:
    debates = qx.read_many(folder)
    assert list(debates) == [TRAMS, "We should close zoos"]
    trams = debates[TRAMS]
    assert trams == qx.read(f"{folder}#{TRAMS}")
    assert trams.topics == ("for", "against")
    assert (trams.label("for"), trams.label("against")) == (TRAMS, f"Not: {TRAMS}")
    assert trams.semantics == "qe"
    points, arguments = ("kp_0_0", "kp_0_1", "kp_0_2"), ("arg_0_0", "arg_0_1", "arg_0_2")
    assert dict(trams.base_scores) == dict.fromkeys(points, 0.0) | dict.fromkeys(("for", "against", *arguments), 0.5)
    assert {*trams.attacks} == {("kp_0_0", "against"), ("kp_0_1", "against"), ("kp_0_2", "for")}
    behind = {("arg_0_0", "kp_0_0"), ("arg_0_1", "kp_0_0"), ("arg_0_1", "kp_0_1"), ("arg_0_2", "kp_0_2")}
    assert dict(trams.supports) == dict.fromkeys(behind, 0.1) | dict.fromkeys(
        [("kp_0_0", "for"), ("kp_0_1", "for"), ("kp_0_2", "against")], 1.0
    )
    assert {name: set(members) for name, members in trams.groups.items()} == {
        "kp_0_0: The air becomes cleaner": {"kp_0_0", "arg_0_0", "arg_0_1"},
        "kp_0_1: Trams carry more people": {"kp_0_1"},
        "kp_0_2: It costs too much": {"kp_0_2", "arg_0_2"},
    }


@pytest.mark.parametrize("line", ["convert {} --as kpa -o debates.jsonl", "convert {} debates.jsonl"])
def test_convert_writes_one_line_for_every_motion(qontrast, folder: Path, line: str) -> None:
    ran = qontrast(line.format(folder) + " --json")
    assert ran.data == {"schema": "qontrast/written/1", "path": "debates.jsonl", "graphs": 2}
    assert list(qx.read_many("debates.jsonl").values()) == list(qx.read_many(folder).values())
    assert "debates.jsonl: 2 graphs" in qontrast(line.format(folder)).err


def test_every_command_reads_one_motion_and_batch_reads_all(qontrast, folder: Path) -> None:
    assert "for" in qontrast(f"why '{folder}#{TRAMS}' --players groups").out
    ran = qontrast(f"batch {folder} -o - --players groups")
    assert (ran.code, ran.out.count("\n")) == (0, 2)
    ran = qontrast(f"why {folder}")
    assert (ran.code, f"'#{TRAMS}' after the path picks one" in " ".join(ran.err.split())) == (3, True)
    with pytest.raises(
        UnknownName, match="no motion 'We should build tram' among the 2 here; did you mean 'We should build trams'"
    ):
        qx.read(f"{folder}#We should build tram")


def test_a_graph_that_is_changed_or_piped_in_is_one_line(qontrast) -> None:
    qontrast("convert - piped.jsonl", stdin="arg(a, 0.5).")
    assert list(qx.read_many("piped.jsonl").values()) == [qx.Qbaf({"a": 0.5})]
    qontrast("convert examples:zebra zebra.jsonl --remove stripes")
    (found,) = qx.read_many("zebra.jsonl").values()
    assert "stripes" not in found
    with pytest.raises(FormatError, match=r"several graphs go to a file that ends in \.jsonl or \.ndjson"):
        qx.write_many([found], "zebra.json")


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        (
            "arguments_dev.csv",
            ",1\narg_0_1",
            ",2\narg_0_1",
            r"arguments_dev\.csv:2: the stance is '2'; expected 1 or -1",
        ),
        ("arguments_dev.csv", "arg_0_1,", "arg_0_0,", r"arguments_dev\.csv:3: the id 'arg_0_0' stands twice"),
        (
            "arguments_dev.csv",
            "arg_id,",
            "id,",
            "the columns are 'id', 'argument', 'topic', 'stance'; expected arg_id,",
        ),
        (
            "labels_dev.csv",
            "arg_0_2,kp_0_2,1",
            "arg_0_2,kp_0_2,x",
            r"labels_dev\.csv:5: the label is 'x'; expected 0 or 1",
        ),
        ("labels_dev.csv", "arg_0_2,kp_0_2", "arg_9,kp_0_2", r"labels_dev\.csv:5: no argument has the id 'arg_9'"),
        ("labels_dev.csv", "kp_0_2,1", "kp_9,1", r"labels_dev\.csv:5: no key point has the id 'kp_9'"),
        ("labels_dev.csv", "kp_0_2,1", "kp_0_2", r"labels_dev\.csv:5: the row has 2 cells; expected 3"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_with_its_line(
    folder: Path, table: str, old: str, new: str, message: str
) -> None:
    text = TABLES[table]
    assert old in text
    (folder / table).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        qx.read_many(folder)


def test_a_missing_table_is_named(folder: Path, qontrast) -> None:
    (folder / "labels_train.csv").unlink()
    with pytest.raises(FormatError, match=r"labels_train\.csv"):
        qx.read_many(folder)
    for each in folder.iterdir():
        each.unlink()
    ran = qontrast(f"convert {folder} --as kpa -o debates.jsonl")
    assert (ran.code, "holds no table arguments_*.csv" in " ".join(ran.err.split())) == (3, True)


def test_labels_of_two_motions_are_refused(tmp_path: Path) -> None:
    for name in ("arguments", "key_points", "labels"):
        rows = TABLES[f"{name}_dev.csv"] + TABLES[f"{name}_train.csv"].partition("\n")[2]
        if name == "arguments":
            rows = TABLES["arguments_dev.csv"] + "arg_1_0,Children learn there,We should close zoos,-1\n"
        (tmp_path / f"{name}.csv").write_text(rows + ("arg_1_0,kp_0_0,1\n" if name == "labels" else ""), "utf-8")
    with pytest.raises(FormatError, match=r"labels\.csv:8: 'arg_1_0' and 'kp_0_0' belong to different motions"):
        qx.read_many(tmp_path)


if REAL:

    def test_the_debates_of_the_shared_task_have_their_known_gaps() -> None:
        debates = qx.read_many(REAL)
        assert len(debates) == 28
        ranks = {motion: qx.strengths(graph) for motion, graph in debates.items()}
        gaps = {motion: abs(found["for"] - found["against"]) for motion, found in ranks.items()}
        assert min(gaps, key=gaps.__getitem__) == "We should abolish capital punishment"
        assert min(gaps.values()) == pytest.approx(0.0002, abs=1e-5)
        assert ranks["We should legalize cannabis"]["for"] == pytest.approx(0.518, abs=5e-4)

    def test_the_chapter_on_debates_has_the_numbers_of_the_real_data(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.syspath_prepend(str(ROOT / "docs"))
        import debates

        (tmp_path / "kpm_data").symlink_to(REAL)
        monkeypatch.chdir(tmp_path)
        assert debates.check_chapter() == 0
