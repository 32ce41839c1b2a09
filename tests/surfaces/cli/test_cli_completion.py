"""What the shell offers after a tab: files, examples, studies, and the names in the graph that was given."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import qontrast as qx
from qontrast.cli import completion
from qontrast.cli.main import load_command
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
    monkeypatch.delenv("COMP_WORDS", raising=False)
    return tmp_path


def typed(**params: Any) -> Any:
    """What click has parsed before the word that is being typed."""
    return SimpleNamespace(params=params)


PARAMETER: Any = None  # the completions do not depend on it


def files(start: str) -> list[str]:
    return [item.value for item in completion.complete_file(typed(), PARAMETER, start)]


def arguments(parsed: Any, start: str) -> list[tuple[str, str]]:
    return [(item.value, item.help or "") for item in completion.complete_argument(parsed, PARAMETER, start)]


def scores(parsed: Any, start: str) -> list[tuple[str, str]]:
    return [(item.value, item.help or "") for item in completion.complete_score(parsed, PARAMETER, start)]


def words(command: str, parameter: str, start: str) -> list[tuple[str, str]]:
    """What is offered for a parameter of a command, with what it is about."""
    (found,) = [each for each in load_command(command).params if each.name == parameter]
    return [(item.value, item.help or "") for item in found.shell_complete(typed(), start)]


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
        assert files(typed) == found, typed
    root = [f"/{each.name}/" for each in sorted(Path("/").iterdir()) if each.is_dir() and each.name[0] == "t"]
    assert [each for each in files("/t") if each.endswith("/")] == root


def test_tables_are_offered_with_what_each_entry_is_about() -> None:
    assert words("examples", "name", "") == [(name, each.description) for name, each in EXAMPLES.items()]
    assert words("examples", "name", "zeb") == [("zebra", EXAMPLES["zebra"].description)]
    assert dict(words("reproduce", "studies", "")) == {name: each.title for name, each in STUDIES.items()} | {
        "all": "every one of them",
    }
    assert words("reproduce", "studies", "al") == [("all", "every one of them")]
    assert [name for name, _ in words("why", "semantics", "df")] == [name for name in qx.SEMANTICS if name[:2] == "df"]
    assert [name for name, _ in words("why", "method", "")] == list(qx.METHODS)
    assert [name for name, _ in words("why", "players", "")][:4] == ["arguments", "edges", "direct", "groups"]
    assert [name for name, _ in words("interactions", "index", "s")] == ["sii", "stii"]
    assert [name for name, _ in words("convert", "write_as", "")] == list(qx.FORMATS)


def test_names_and_scores_are_those_of_the_graph_that_was_given(folder: Path) -> None:
    given = typed(file="a.json")
    assert arguments(given, "") == [
        ("rain", "It rains\\x1b[31m"),
        ("run", ""),
        ("stay", "Stay at home"),
        ("café", ""),
    ]
    assert arguments(given, "r") == [("rain", "It rains\\x1b[31m"), ("run", "")]
    assert scores(given, "") == [
        ("rain=0.25", "It rains\\x1b[31m"),
        ("run=1", ""),
        ("stay=0.5", "Stay at home"),
        ("café=0", ""),
    ]
    assert scores(given, "st") == [("stay=0.5", "Stay at home")]


def test_without_a_graph_that_can_be_read_no_name_is_offered(folder: Path) -> None:
    for params in ({}, {"file": None}, {"file": "-"}, {"file": "nowhere.json"}, {"file": "notes.doc"}):
        assert arguments(typed(**params), "") == []
        assert scores(typed(**params), "") == []


def test_the_format_that_was_asked_for_is_used(folder: Path) -> None:
    assert arguments(typed(file="plain", read_as="tgf"), "") == []
    assert arguments(typed(file="plain", read_as="bag"), "") == [("Reception", ""), ("room", "")]


def test_a_graph_among_the_words_is_found_though_they_are_not_parsed_yet(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line, found in {
        "qontrast why b.bag --remove r": ["room"],
        "qontrast why --json b.bag --remove r": ["room"],
        "qontrast why nowhere.json b.bag --remove r": ["room"],
        "qontrast why --json --remove r": [],
        "qontrast a.json b.bag --remove r": ["room"],  # the first word is the command
        "qontrast why b.bag": [],  # the last word is the one that is being typed
    }.items():
        monkeypatch.setenv("COMP_WORDS", line)
        assert [name for name, _ in arguments(typed(), "r")] == found, line
    monkeypatch.setenv("COMP_WORDS", "qontrast why b.bag --remove r")
    assert [name for name, _ in arguments(typed(file="a.json"), "r")] == ["rain", "run"]


@pytest.mark.parametrize("before", ["", "before", "before\n"])
@pytest.mark.parametrize("shell", completion.START_FILES)
def test_a_completion_is_installed_once_on_a_line_of_its_own_and_shown(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: str, before: str
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    file = tmp_path / completion.START_FILES[shell]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before, encoding="utf-8")
    for _ in range(2):
        assert qontrast("--install-completion").code == 0
        assert file.read_text(encoding="utf-8") == "\n".join([*before.splitlines(), completion.SCRIPTS[shell], ""])
    assert completion.VARIABLE in qontrast("--show-completion").out


def test_a_shell_without_completion_is_named(qontrast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/csh")
    ran = qontrast("--install-completion")
    assert (ran.code, ran.err) == (2, "qontrast: completion is for bash, zsh, fish; the variable SHELL names csh\n")


@pytest.mark.parametrize("flag", ["--version", "--install-completion", "--show-completion"])
def test_a_flag_of_the_program_takes_no_further_word(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flag: str
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    ran = qontrast(f"{flag} foo")
    assert (ran.code, ran.err) == (2, f"qontrast: {flag} stands alone; leave out 'foo'\n")
    assert not list(tmp_path.iterdir())
