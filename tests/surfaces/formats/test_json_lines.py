"""Files with a graph on every line: a graph is named by its line, and a line that is wrong spoils no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qontrast as qx
from qontrast import FormatError, Qbaf
from qontrast.formats import disk, qbaf_json

GRAPHS = [Qbaf({"p": 0.25 * k, "x": 0.5}, attacks=[("x", "p")], topics=["p"]) for k in range(4)]
LINES = [json.dumps(qbaf_json.to_data(graph)).encode() for graph in GRAPHS]
WRONG = {  # lines that hold no graph, each with the end of its message
    "cut off": (LINES[0][:-1], ": not JSON: expecting ',' delimiter at the end of a line or of the text"),
    "open": (b"{", ": not JSON"),
    "no JSON": (b"oops", ": not JSON: expecting value at 'oops'"),
    "closed twice": (LINES[0] + b"}", ": not JSON: extra data"),
    "a list": (b"[" + LINES[0] + b"]", ": the line is a list; expected an object"),
    "no graph": (b'{"id": 7}', ": no 'arguments' among the keys 'id'"),
    "a wrong score": (b'{"arguments": {"p": 2}}', ": the base score of 'p' is 2"),
    "a wrong bag": (b'{"bag": 1}', ": the bag of the line is '1'; expected an object"),
    "no text": (b'{"arguments": {"\xff": 1}}', ": is not UTF-8 text: this line has the byte 0xff"),
    "binary": (b"{\0}", ": is binary, not text: this line has a NUL"),
    "too long": (b'{"arguments": {"' + b"p" * 2000 + b'": 1}}', ": the line is over the limit of 1,000 bytes"),
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(disk, "MAX_BYTES", 1000)
    return tmp_path / "graphs.jsonl"


def test_a_line_that_is_wrong_is_blamed_itself_and_all_others_are_read_by_name_wherever_it_stands(path: Path) -> None:
    for what, (wrong, message) in WRONG.items():
        for place in range(4):
            lines = [*LINES[:place], b"  ", wrong, *LINES[place:]]
            path.write_bytes(b"\n".join(lines))
            blamed, good = place + 2, [k + 1 for k, line in enumerate(lines) if line in LINES]
            for line, graph in zip(good, GRAPHS, strict=True):
                assert qx.read(f"{path}#{line}") == qx.read_many(path)[str(line)] == graph, (what, place)
            with pytest.raises(qx.QontrastError) as refused:
                qx.read(f"{path}#{blamed}")
            assert str(refused.value).startswith(f"{path}:{blamed}{message}"), (what, str(refused.value))
            answers = {each.name: each.error for each in qx.explain_many(path)}
            assert list(answers) == [f"{path}#{line}" for line in sorted([*good, blamed])], (what, place)
            assert [name for name, error in answers.items() if error is not None] == [f"{path}#{blamed}"]
            assert str(answers[f"{path}#{blamed}"]).startswith(f"{path}:{blamed}{message}"), (what, place)


def test_a_text_with_an_item_per_line_is_read_by_line_whatever_its_suffix(tmp_path: Path) -> None:
    """Without a suffix that says so, the lines do; the page of the explorer reads texts too."""
    path = tmp_path / "graphs.json"
    for wrong in (b"{", b"{oops", LINES[0][:-1]):
        for place in range(4):
            lines = [*LINES[:place], wrong, *LINES[place:]]
            text = b"\n".join(lines).decode()
            path.write_text(text)
            for line, graph in zip((k + 1 for k in range(5) if k != place), GRAPHS, strict=True):
                assert qx.read(f"{path}#{line}") == qbaf_json.parse_one(text, str(line)) == graph
            with pytest.raises(FormatError, match=f"graphs.json:{place + 1}: not JSON"):
                qx.read_many(path)
            answers = list(qx.explain_many(path))
            assert [each.name for each in answers] == [f"{path}#{line}" for line in range(1, 6)]
            assert [each.error is None for each in answers] == [k != place for k in range(5)]


@pytest.mark.parametrize(
    "text",
    [
        '{"data": [\n{"arguments": {"p": 1}}\n]}',
        '{"arguments":\n{"p": 1}\n}',
        '[\n{"arguments": {"p": 1}},\n{"arguments": {"q": 1}}\n]',
        '{"arguments": {"p": 1}}\n\n',
        '{"arguments":\n{"p": 1}\n, "uncertain":\n{}}',
    ],
)
def test_one_json_text_of_several_lines_has_no_item_per_line(text: str) -> None:
    assert qbaf_json.find_lines(text) == []
    assert all(place in ("", "0", "1") for place in qbaf_json.parse_many(text))


def test_a_comma_that_is_missing_in_a_list_is_blamed_where_it_is_missing() -> None:
    for head, tail in (("[", "]"), ('{"data": [', "]}")):
        with pytest.raises(FormatError, match="line 3: not JSON: expecting ',' delimiter"):
            qbaf_json.parse_many(f'{head}\n{{"arguments": {{"p": 1}}}}\n{{"arguments": {{"q": 1}}}}\n{tail}')


def test_the_graphs_of_a_line_are_named_by_its_number_and_their_keys(path: Path) -> None:
    item = {"base": {"bag": {"arguments": {"p": 0.5}}}, "estimated": {"bag": {"arguments": {"p": 3}}}}
    path.write_text(f"\n\n{json.dumps(item)}\n")
    assert list(qx.read_many(path)) == list(qbaf_json.list_line(3, json.dumps(item))) == ["3/base", "3/estimated"]
    assert qx.read(f"{path}#3/base") == qbaf_json.parse_one(path.read_text(), "3/base", "a.jsonl") == Qbaf({"p": 0.5})
    with pytest.raises(FormatError, match=r"graphs\.jsonl:3: the base score of 'p' is 3"):
        qx.read(f"{path}#3/estimated")
    with pytest.raises(FormatError, match=r"graphs\.jsonl:3: no graph '3/last' among the 2 here"):
        qx.read(f"{path}#3/last")


def test_a_line_without_a_graph_and_a_file_without_a_line_are_named(path: Path) -> None:
    path.write_bytes(LINES[0] + b"\n\n" + LINES[1])
    for place in ("0", "2"):
        said = f"no graph on line '{place}'; the file has 2 graphs, the first on line 1, the last on line 3"
        with pytest.raises(FormatError, match=rf"graphs\.jsonl: {said}"):
            qx.read(f"{path}#{place}")
        with pytest.raises(FormatError, match=said):
            qbaf_json.parse_one(path.read_text(), place)
    with pytest.raises(FormatError, match=r"many graphs, not one; '#1' after the path picks one of them; read_many"):
        qx.read(path)
    path.write_bytes(b"\n" + LINES[2])
    assert qx.read(path) == GRAPHS[2]
    path.write_text("\n")
    with pytest.raises(FormatError, match=r"graphs\.jsonl: is empty"):
        qx.read(path)
    with pytest.raises(FormatError, match=r"nothing\.jsonl: no such file"):
        qx.read(path.with_name("nothing.jsonl"))
