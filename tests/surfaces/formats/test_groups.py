"""Groups of arguments in files: of their own, and in every format that can hold them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qontrast.errors import FormatError, FormatWarning
from qontrast.formats import read_groups

THEMES = {"tests": ["pcr", "wbc"], "history": ["asthma"]}


def write_file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(THEMES),
        json.dumps(THEMES, indent=2),
        "argument,group\npcr,tests\nwbc,tests\nasthma,history\nage,\n",
        "group;argument\r\ntests;pcr\r\n\r\ntests;wbc\r\nhistory;asthma\r\n",
    ],
)
@pytest.mark.parametrize("name", ["themes.json", "themes.csv", "themes"])
def test_the_text_of_a_groups_file_decides_between_json_and_csv(tmp_path: Path, name: str, text: str) -> None:
    assert read_groups(write_file(tmp_path, name, text)) == THEMES


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "", "is empty; expected JSON"),
        ("{}", "", "names no group; expected JSON"),
        ("argument,group\n", "", "names no group; expected JSON"),
        ("[1]", "", "the whole is a list; expected an object {group: [argument, …]}"),
        ('{"a": ["x"],\n"a": ["y"]}', ":2", "the key 'a' appears twice"),
        ('{"a": [],\n"": ["y"]}', ":2", "a group has an empty name; give every group a name"),
        ('{"a": [],\n"b": "xy"}', ":2", "the members of group 'b' are 'xy'; expected a list […]"),
        ('{"a": ["x",\n3]}', ":2", "a member of group 'a' is '3'; expected text"),
        ('{"a": ["x",\n"x"]}', ":2", "argument 'x' is twice in group 'a'; an argument is in one group at most"),
        ('{"a": ["x"],\n"b": ["x"]}', ":2", "argument 'x' is in the groups 'a' and 'b'; an argument is in one group"),
        ("argument,group\nx,a\nx,b\n", ":3", "argument 'x' is in the groups 'a' and 'b'"),
        ("argument,group\nx,a,1\n", ":2", "3 cells for 2 columns: 'x,a,1'"),
        ("argument,group\n,a\n", ":2", "the argument is empty; expected its name"),
        ("name,theme\nx,a\n", ":1", "the columns are 'name', 'theme'; expected JSON"),
    ],
)
def test_a_bad_groups_file_is_refused_with_file_and_line(tmp_path: Path, text: str, place: str, message: str) -> None:
    path = write_file(tmp_path, "themes.txt", text)
    with pytest.raises(FormatError) as caught:
        read_groups(path)
    assert str(caught.value).startswith(f"{path}{place}: {message}")


def test_a_column_that_a_groups_file_does_not_need_is_named_by_a_warning(tmp_path: Path) -> None:
    path = write_file(tmp_path, "themes.csv", "argument,group,colour\nx,a,red\n")
    with pytest.warns(FormatWarning, match="columns not understood and ignored: 'colour'"):
        assert read_groups(path) == {"a": ["x"]}
