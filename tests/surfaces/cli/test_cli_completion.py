"""What the shell offers after a tab: files, examples, studies, and the names in the graph that was given."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import qontrast as qx
from qontrast.cli import complete
from qontrast.examples import EXAMPLES
from qontrast.studies import STUDIES

GRAPH = qx.Qbaf(
    {"rain": 0.25, "run": 1.0, "stay": 0.5, "café": 0.0},
    attacks=[("rain", "run")],
    labels={"rain": "It rains\x1b[31m", "stay": "Stay at home"},
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with graphs in two formats, a folder, hidden files and a file of no format."""
    (tmp_path / "sub").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("a.json", "sub/c.json", "sub/d.BAG", ".e.json"):
        qx.write(GRAPH, tmp_path / name, "json")
    (tmp_path / "b.bag").write_text("arg(Reception, 0.5).\narg(room, 0.75).", encoding="utf-8")
    (tmp_path / "plain").write_text("arg(Reception, 0.5).\narg(room, 0.75).", encoding="utf-8")
    (tmp_path / "notes.doc").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for variable in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def test_files_are_folders_graphs_and_examples_that_begin_as_typed(folder: Path) -> None:
    examples = [f"examples:{name}" for name in EXAMPLES]
    for typed, found in {
        "": ["a.json", "b.bag", "sub/", *examples],
        "a": ["a.json"],
        "s": ["sub/"],
        "n": [],
        ".": [".e.json", ".hidden/"],
        "e": examples,
        "examples:z": ["examples:zebra"],
        "sub/": ["sub/c.json", "sub/d.BAG"],
        "sub/d": ["sub/d.BAG"],
        "./sub/c": ["./sub/c.json"],
        "nowhere/": [],
        f"{folder}/a": [f"{folder}/a.json"],
        f"{folder}/sub/": [f"{folder}/sub/c.json", f"{folder}/sub/d.BAG"],
    }.items():
        assert complete.files(typed) == found, typed
    root = [f"/{each.name}/" for each in sorted(Path("/").iterdir()) if each.is_dir() and each.name[0] == "t"]
    assert [each for each in complete.files("/t") if each.endswith("/")] == root


def test_tables_are_offered_with_what_each_entry_is_about() -> None:
    assert complete.examples("") == list(EXAMPLES.items())
    assert complete.examples("zeb") == [("zebra", EXAMPLES["zebra"])]
    offered = dict(complete.studies(""))
    assert offered == {name: each.title for name, each in STUDIES.items()} | {
        "compas": "The paper's bias experiment over many seeds; takes minutes",
        "all": "every one of them",
    }
    assert complete.studies("al") == [("all", "every one of them")]
    assert complete.starting(["one", "two", "three"], "t") == ["two", "three"]


def typed(**params: Any) -> Any:
    return SimpleNamespace(params=params)


def test_names_and_scores_are_those_of_the_graph_that_was_given(folder: Path) -> None:
    given = typed(file="a.json")
    assert complete.arguments(given, "") == [
        ("rain", "It rains\\x1b[31m"),
        ("run", ""),
        ("stay", "Stay at home"),
        ("café", ""),
    ]
    assert complete.arguments(given, "r") == [("rain", "It rains\\x1b[31m"), ("run", "")]
    assert complete.settings(given, "") == [
        ("rain=0.25", "It rains\\x1b[31m"),
        ("run=1", ""),
        ("stay=0.5", "Stay at home"),
        ("café=0", ""),
    ]
    assert complete.settings(given, "st") == [("stay=0.5", "Stay at home")]


def test_without_a_graph_that_can_be_read_no_name_is_offered(folder: Path) -> None:
    for params in ({}, {"file": None}, {"file": "-"}, {"file": "nowhere.json"}, {"file": "notes.doc"}):
        assert complete.arguments(typed(**params), "") == []
        assert complete.settings(typed(**params), "") == []


def test_the_format_that_was_asked_for_is_used(folder: Path) -> None:
    assert complete.arguments(typed(file="plain", read_as="tgf"), "") == []
    assert complete.arguments(typed(file="plain", read_as="bag"), "") == [("Reception", ""), ("room", "")]


@pytest.mark.parametrize("variable", ["COMP_WORDS", "_TYPER_COMPLETE_ARGS"])
def test_a_graph_among_the_words_is_found_though_they_are_not_parsed_yet(
    variable: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, found in {
        "qontrast why b.bag --remove r": ["room"],
        "qontrast why --json b.bag --remove r": ["room"],
        "qontrast why nowhere.json b.bag --remove r": ["room"],
        "qontrast why --json --remove r": [],
        "qontrast a.json b.bag --remove r": ["room"],  # the first word is the command
        "qontrast why b.bag": [],  # the last word is the one that is being typed
    }.items():
        monkeypatch.setenv(variable, words)
        assert [name for name, _ in complete.arguments(typed(), "r")] == found, words
    monkeypatch.setenv(variable, "qontrast why b.bag --remove r")
    assert [name for name, _ in complete.arguments(typed(file="a.json"), "r")] == ["rain", "run"]
