"""Groups of arguments in files: of their own, and in every format that can hold them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qontrast import (
    FORMATS,
    Qbaf,
    contrast,
    convert,
    from_networkx,
    read,
    read_groups,
    read_text,
    to_networkx,
    write,
    write_text,
)
from qontrast.errors import FormatError, FormatWarning

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
        (",\n", "", "names no group; expected JSON"),
        ("{}", "", "names no group; expected JSON"),
        ("argument,group\n", "", "names no group; expected JSON"),
        ("[1]", ":1", "the whole is a list; expected an object {group: [argument, …]}"),
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


# -- groups in the files of graphs ------------------------------------------------------------------------------------

GROUPED = Qbaf(
    {"flu": 0.5, "cold": 0.4, "pcr": 0.8, "wbc": 0.0, "asthma": 1.0},
    attacks={("pcr", "cold"): 0.5, ("wbc", "flu"): 1.0},
    supports={("pcr", "flu"): 2.0, ("asthma", "cold"): 1.0, ("flu", "cold"): 1.0},
    topics=["flu", "cold"],
    groups=THEMES,
)
HOLDING = [name for name, each in FORMATS.items() if "groups" not in each.loses]


def test_four_formats_hold_groups() -> None:
    assert HOLDING == ["json", "node-link", "graphml", "csv"]


@pytest.mark.parametrize("format", HOLDING)
def test_a_contrast_of_groups_is_the_same_after_writing_and_reading(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"graph{FORMATS[format].suffixes[0]}"
    write(GROUPED, path, format)
    again = read(path)
    assert again == GROUPED
    assert again.groups == {name: tuple(members) for name, members in THEMES.items()}
    why, expected = (contrast(each, "flu", "cold", players="groups") for each in (again, GROUPED))
    assert dict(why) == pytest.approx(dict(expected))
    assert dict(contrast(again, "flu", "cold", players=THEMES)) == pytest.approx(dict(expected))


def test_two_csv_files_hold_groups(tmp_path: Path) -> None:
    write(GROUPED, tmp_path / "hotel-arguments.csv")
    assert read(tmp_path / "hotel-relations.csv") == GROUPED


@pytest.mark.parametrize("format", HOLDING)
def test_a_file_of_a_graph_without_groups_does_not_mention_them(format: str) -> None:
    text = write_text(Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")]), format)
    assert "group" not in text


def test_networkx_holds_groups_as_an_attribute_of_nodes() -> None:
    graph = to_networkx(GROUPED)
    assert graph.nodes["pcr"]["group"] == "tests"
    assert "group" not in graph.nodes["flu"]
    assert from_networkx(graph) == GROUPED


def test_networkx_says_that_empty_groups_are_lost() -> None:
    with pytest.warns(FormatWarning, match="networkx cannot hold empty groups; these are lost"):
        graph = to_networkx(Qbaf({"a": 0.5}, groups={"none": []}))
    assert from_networkx(graph).groups == {}


def test_numbered_groups_of_other_programs_are_read_as_text() -> None:
    text = '{"nodes": [{"id": "a", "base_score": 1, "group": 1}, {"id": "b", "base_score": 1}], "edges": []}'
    assert read_text(text, "node-link").groups == {"1": ("a",)}


def test_groups_of_arguments_with_integer_names_are_written_as_text() -> None:
    qbaf = Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0], groups={"first": [0]})
    with pytest.warns(FormatWarning, match="2 integer names written as text"):
        assert read_text(write_text(qbaf, "json")).groups == {"first": ("0",)}


def test_a_group_that_is_named_like_an_integer_argument_is_not_written() -> None:
    qbaf = Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0], groups={"1": [0]})
    with pytest.raises(
        FormatError, match="written as text, and group '1' has the name of an argument; give it another"
    ):
        write_text(qbaf, "json")


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in HOLDING])
def test_conversion_to_a_format_without_groups_names_the_loss(tmp_path: Path, format: str) -> None:
    attacks_only = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], topics=["b"], groups={"g": ["a"]})
    write(attacks_only, tmp_path / "graph.json")
    with pytest.warns(FormatWarning) as caught:
        convert(tmp_path / "graph.json", tmp_path / "graph.out", write_as=format)
    assert any(f"{format} cannot hold" in str(each.message) and "groups" in str(each.message) for each in caught)


def graph_json(groups: str) -> str:
    return '{"arguments": {"a": 0.5, "b": 0.5},\n"groups": {\n' + groups + "}}"


def graphml(group: str) -> str:
    key = '<key id="g" for="node" attr.name="group" attr.type="string"/>'
    return (
        f'<graphml>{key}\n<graph>\n<node id="a"><data key="g">{group}</data></node>\n<node id="b"/></graph></graphml>'
    )


@pytest.mark.parametrize(
    ("format", "text", "line", "message"),
    [
        ("json", '{"arguments": {"a": 0.5},\n"groups": ["a"]}', 2, "'groups' is a list; expected an object {group:"),
        ("json", graph_json('"g": ["a"],\n"h": ["c"]'), 4, "group 'h': no argument 'c' among the 2 here"),
        ("json", graph_json('"g": ["a"],\n"h": ["a"]'), 4, "argument 'a' is in the groups 'g' and 'h'; an argument is"),
        ("json", graph_json('"g": ["a",\n"a"]'), 4, "argument 'a' is twice in group 'g'; an argument is in one group"),
        ("json", graph_json('"b": ["a"]'), 3, "group 'b' has the name of an argument; give it another name"),
        ("json", graph_json('"": ["a"]'), 3, "a group has an empty name; give every group a name"),
        ("json", graph_json('"g": "ab"'), 3, "the members of group 'g' are 'ab'; expected a list […]"),
        ("json", graph_json('"g": [["a"]]'), 3, "a member of group 'g' is 'list'; expected text"),
        ("csv", "id,base_score,group\na,1,b\nb,1,\n", 2, "group 'b' has the name of an argument; give it another name"),
        ("graphml", graphml("b"), 3, "group 'b' has the name of an argument; give it another name"),
        (
            "node-link",
            '{"edges": [],\n"nodes": [\n{"id": "a", "group": "a"}]}',
            3,
            "group 'a' has the name of an argument; give it another name",
        ),
        (
            "node-link",
            '{"edges": [],\n"nodes": [\n{"id": "a", "group": ["x"]}]}',
            3,
            "the group of 'a' is 'list'; expected text",
        ),
    ],
)
def test_bad_groups_in_the_file_of_a_graph_are_refused_with_file_and_line(
    format: str, text: str, line: int, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(text, format, name="hotel")
    assert (caught.value.file, caught.value.line) == ("hotel", line)
    assert caught.value.message.startswith(message)
