"""Uncertain base scores in files: kept by JSON, node-link and networkx, intervals by CSV, named as lost by others."""

from __future__ import annotations

from pathlib import Path

import pytest

from qontrast import (
    FORMATS,
    Beta,
    FormatError,
    FormatWarning,
    Interval,
    Normal,
    Qbaf,
    Samples,
    convert,
    from_networkx,
    read,
    read_text,
    to_networkx,
    uncertainty,
    write,
    write_text,
)

ALL = {"flu": Beta(2, 3), "pcr": Interval(0.6, 0.9), "wbc": Normal(0.0, 0.2), "age": Samples([0.1, 1.0, 1.0])}
GRAPH = Qbaf(
    {"flu": 0.5, "cold": 0.4, "pcr": 0.8, "wbc": 0.0, "age": 1.0},
    attacks={("pcr", "cold"): 0.5, ("wbc", "flu"): 1.0},
    supports={("pcr", "flu"): 2.0, ("age", "cold"): 1.0, ("flu", "cold"): 1.0},
    topics=["flu", "cold"],
    uncertain=ALL,
)
HOLDING = [name for name, each in FORMATS.items() if not {"uncertain base scores", "distributions"} & {*each.loses}]


def test_two_formats_hold_all_distributions_and_csv_holds_intervals() -> None:
    assert HOLDING == ["json", "node-link"]
    assert [name for name, each in FORMATS.items() if "distributions" in each.loses] == ["csv"]


@pytest.mark.parametrize("format", HOLDING)
def test_the_answer_is_the_same_after_writing_and_reading(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"graph{FORMATS[format].suffixes[0]}"
    write(GRAPH, path, format)
    again = read(path)
    assert again == GRAPH
    assert dict(again.uncertain) == ALL
    one, other = (uncertainty(each, "flu", "cold", samples=500).to_dict() for each in (again, GRAPH))
    assert one == other


def test_networkx_holds_what_a_base_score_may_be_as_an_attribute_of_the_node() -> None:
    graph = to_networkx(GRAPH)
    assert graph.nodes["pcr"]["uncertain"] == {"interval": [0.6, 0.9]}
    assert "uncertain" not in graph.nodes["cold"]
    assert from_networkx(graph) == GRAPH


def test_an_attribute_of_another_program_that_is_called_uncertain_is_left_aside() -> None:
    text = '{"nodes": [{"id": "a", "base_score": 1, "uncertain": "yes"}], "edges": []}'
    with pytest.warns(FormatWarning, match="ignored: 'uncertain'"):
        assert read_text(text, "node-link").uncertain == {}


def test_csv_holds_intervals_in_two_columns_and_says_what_else_is_lost(tmp_path: Path) -> None:
    with pytest.warns(FormatWarning, match="csv cannot hold distributions; these are lost"):
        text = write_text(GRAPH, "csv")
    assert text.splitlines()[0] == "id,label,base_score,topic,low,high"
    assert "pcr,,0.8,,0.6,0.9" in text.splitlines()
    assert dict(read_text(text, "csv").uncertain) == {"pcr": Interval(0.6, 0.9)}
    only = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], uncertain={"b": (0.0, 1.0)})
    write(only, tmp_path / "hotel-arguments.csv")
    assert read(tmp_path / "hotel-relations.csv") == only


@pytest.mark.parametrize("format", [*HOLDING, "csv"])
def test_a_file_of_a_graph_whose_base_scores_are_certain_does_not_mention_it(format: str) -> None:
    text = write_text(Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], topics=["b"]), format)
    assert not {"uncertain", "low", "interval"} & {*text.replace(",", " ").replace('"', " ").split()}


@pytest.mark.parametrize("format", [name for name, each in FORMATS.items() if "uncertain base scores" in each.loses])
def test_conversion_to_a_format_without_uncertain_base_scores_names_the_loss(tmp_path: Path, format: str) -> None:
    write(Qbaf({"a": 0.5, "b": 0.5}, [("a", "b")], topics=["b"], uncertain={"a": (0.1, 0.2)}), tmp_path / "graph.json")
    with pytest.warns(FormatWarning) as caught:
        convert(tmp_path / "graph.json", tmp_path / "graph.out", write_as=format)
    assert any(f"{format} cannot hold" in str(w.message) and "uncertain base scores" in str(w.message) for w in caught)


def test_uncertain_base_scores_of_integer_names_are_written_as_text() -> None:
    qbaf = Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0], uncertain={0: (0.1, 0.2)})
    with pytest.warns(FormatWarning, match="2 integer names written as text"):
        assert dict(read_text(write_text(qbaf, "json")).uncertain) == {"0": Interval(0.1, 0.2)}


WHO = "the uncertain base score of 'a'"
BAD_JSON = {
    '"a": {"interval": [0.9, 0.1]}': f"<text>:3: {WHO}: the interval from 0.9 to 0.1 is reversed; give (0.1, 0.9)",
    '"a": {"interval": [0.9, 1.1]}': f"<text>:3: {WHO}: the interval from 0.9 to 1.1 leaves [0, 1]",
    '"a": {"interval": [0.9]}': f"<text>:3: {WHO}: 'interval' has 1 number; give two",
    '"a": {"beta": [0, 1]}': f"<text>:3: {WHO}: the parameter a of a beta base score is 0; give a number above 0",
    '"a": {"samples": []}': f"<text>:3: {WHO}: the list of samples is empty; give at least one base score",
    '"a": {"samples": [0.1, "x"]}': f"<text>:3: {WHO}: a sample is 'x'; give a number",
    '"a": {"gauss": [0.1, 0.2]}': f"<text>:3: {WHO}: no distribution 'gauss' among the 4 here",
    '"a": {}': f"<text>:3: {WHO}: an uncertain base score has one of the keys interval, normal, beta, samples",
    '"a": [0.1, 0.9]': f"<text>:3: {WHO} is a list; expected an object",
    '"x": {"interval": [0.1, 0.9]}': "<text>:3: the uncertain base score of 'x': no argument 'x' among the 2 here",
}


@pytest.mark.parametrize("entry", BAD_JSON)
def test_a_bad_uncertain_base_score_of_json_is_refused_with_its_line(entry: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text('{"arguments": {"a": 0.5, "b": 0.5},\n"uncertain": {\n' + entry + "}}", "json")
    assert BAD_JSON[entry] in str(caught.value)


BAD_CSV = {
    "a,0.5,0.6,": "<text>:2: 'a' has only one of low and high; give both, or none",
    "a,0.5,0.6,0.2": f"<text>:2: {WHO}: the interval from 0.6 to 0.2 is reversed",
    "a,0.5,0.6,many": "<text>:2: an end of the interval of 'a' is 'many'; expected a number",
}


@pytest.mark.parametrize("row", BAD_CSV)
def test_a_bad_interval_of_csv_is_refused_with_its_line(row: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(f"id,base_score,low,high\n{row}\n", "csv")
    assert BAD_CSV[row] in str(caught.value)
