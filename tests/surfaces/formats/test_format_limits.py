"""Limits of files are those of the documents and exact, and every loss and every assumption is told."""

from __future__ import annotations

import json
import os
import re
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from qontrast import (
    FORMATS,
    Beta,
    FormatError,
    FormatWarning,
    Normal,
    Qbaf,
    QontrastError,
    TooLarge,
    read,
    read_text,
    write,
)
from qontrast.formats import csv_tables, disk, from_networkx, graphml, iccma, kialo, to_networkx, write_text
from tests.support.paths import ROOT

LIMITS = {
    "bytes of a file": disk.MAX_BYTES,
    "characters of a GraphML file": graphml.MAX_CHARACTERS,
    "arguments that an ICCMA header announces": iccma.MAX_ARGUMENTS,
    "characters of a cell in a CSV file": csv_tables.MAX_CELL_CHARACTERS,
    "levels of a Kialo tree": kialo.MAX_DEPTH,
}
PLAIN = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")])


def said(function: Any, *given: Any, **settings: Any) -> tuple[Any, str]:
    """What a function returns, and all that it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(*given, **settings)
    assert all(issubclass(each.category, FormatWarning) for each in caught)
    return found, "\n".join(str(each.message) for each in caught)


def test_every_limit_is_the_one_in_the_documents() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").split("Limits, so that")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| ([\d,]+) \|$", text, re.MULTILINE)
    assert {what: int(number.replace(",", "")) for what, number in rows} == LIMITS


def test_a_file_of_exactly_the_limit_is_read_and_a_byte_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write(PLAIN, path)
    monkeypatch.setattr(disk, "MAX_BYTES", path.stat().st_size)
    assert read(path) == PLAIN
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(TooLarge, match="over the limit"):
        read(path)


def test_limits_on_iccma_arguments_and_on_characters_of_graphml_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iccma, "MAX_ARGUMENTS", 4)
    assert len(said(read_text, "p af 4\n1 2\n", "iccma")[0]) == 4
    with pytest.raises(QontrastError, match="5 arguments are announced; the limit is 4"):
        read_text("p af 5\n1 2\n", "iccma")
    text = write_text(PLAIN, "graphml")
    monkeypatch.setattr(graphml, "MAX_CHARACTERS", len(text))
    assert read_text(text, "graphml") == PLAIN
    with pytest.raises(TooLarge):
        read_text(text + "\n", "graphml")


@pytest.mark.parametrize(("length", "fits"), [(131_072, True), (131_073, False)])
def test_the_longest_cell_that_readers_of_csv_take_is_written(length: int, fits: bool) -> None:
    qbaf = Qbaf({"a": 0.5}, labels={"a": "x" * length})
    if fits:
        assert read_text(write_text(qbaf, "csv"), "csv") == qbaf
    else:
        with pytest.raises(FormatError, match=r"over 131,072 characters"):
            write_text(qbaf, "csv")


@pytest.mark.parametrize(("size", "fits"), [(500, True), (501, False)])
def test_a_kialo_tree_has_at_most_five_hundred_levels(size: int, fits: bool) -> None:
    names = [str(k) for k in range(size)]
    chain = Qbaf(dict.fromkeys(names, 0.5), attacks=[(b, a) for a, b in pairwise(names)], topics=["0"])
    if fits:
        text, _ = said(write_text, chain, "kialo")
        assert max(line.count(".") for line in text.splitlines()) == size
    else:
        with pytest.raises(FormatError, match="more than 500 levels"):
            said(write_text, chain, "kialo")


# -- losses and assumptions -------------------------------------------------------------------------------------------

ONE_OF_MANY: dict[str, list[Qbaf]] = {  # graphs in which a single thing would be lost
    "base scores": [Qbaf({"a": 0.5, "b": b, "c": 0.5}, attacks=[("a", "b"), ("c", "b")], topics=["b"]) for b in (0, 1)]
    + [Qbaf({"a": 0.5, "b": 0.4999, "c": 0.5}, attacks=[("a", "b"), ("c", "b")], topics=["b"])],
    "weights": [
        Qbaf(dict.fromkeys("abc", 0.5), attacks={("a", "b"): 1.0, ("c", "b"): weight}, topics=["b"])
        for weight in (0.0, 0.5, 0.999999, 1.000001, 2.0)
    ],
    "labels": [Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], labels={"c": "C"}, topics=["b"])],
    "empty labels": [Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], labels={"c": ""}, topics=["b"])],
    "topics": [Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"])],
    "semantics": [Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"], semantics="ebt")],
    "groups": [Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"], groups={"g": ["c"]})],
    "empty groups": [
        Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"], groups={"g": ["c"], "h": []})
    ],
    "uncertain base scores": [
        Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"], uncertain={"c": (0.1, 0.9)})
    ],
    "distributions": [
        Qbaf(dict.fromkeys("abc", 0.5), attacks=[("a", "b"), ("c", "b")], topics=["b"], uncertain={"c": each})
        for each in (Normal(0.5, 0.1), Beta(1, 2), [0.1, 0.2, 0.4])
    ],
}


@pytest.mark.parametrize("what", ONE_OF_MANY)
@pytest.mark.parametrize("format", FORMATS)
def test_a_writer_tells_of_every_single_thing_that_it_loses(format: str, what: str) -> None:
    for qbaf in ONE_OF_MANY[what]:
        _, told = said(write_text, qbaf, format)
        lost = re.findall(rf"{format} cannot hold ([^;]*); these are lost", told)
        expected = [each for each in FORMATS[format].loses if each == what or (each == "topics" and qbaf.topics)]
        whole = "uncertain base scores" if what == "distributions" else what.removeprefix("empty ")
        if whole != what and whole in FORMATS[format].loses:
            expected = [whole, *(each for each in expected if each == "topics")]
        assert sorted(", ".join(lost).split(", ") if lost else []) == sorted(expected)


def test_every_kind_of_loss_is_tried() -> None:
    lost = {what for each in FORMATS.values() for what in each.loses}
    assert lost - {"names", "supports"} == set(ONE_OF_MANY)  # iccma says of names and of supports what becomes of them


@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
def test_a_single_weight_written_to_bag_is_told(weight: float) -> None:
    qbaf = Qbaf({"a": 0.5, "b": 0.5}, attacks={("a", "b"): weight}, supports=[("b", "a")])
    text, told = said(write_text, qbaf, "bag", weights=True)
    assert told.startswith("1 weight written to bag; most readers of that format drop them")
    assert read_text(text, "bag") == qbaf


@pytest.mark.parametrize(("announced", "told"), [(3, False), (2, True), (4, True)])
def test_attacks_that_a_header_announces_are_counted_as_they_stand(announced: int, told: bool) -> None:
    _, text = said(read_text, f"p af 3 {announced}\n1 2\n2 3\n1 2\n", "iccma")
    assert ("and 3 follow" in text) == told


def test_the_schemes_of_aif_have_the_texts_and_types_of_their_relations() -> None:
    qbaf = Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, attacks=[("a", "b")], supports=[("c", "b")])
    data = json.loads(write_text(qbaf, "aif"))
    nodes = {node["nodeID"]: node for node in data["nodes"]}
    ends = [(edge["fromID"], edge["toID"]) for edge in data["edges"]]
    for kind, text, relation in (("CA", "Default Conflict", qbaf.attacks), ("RA", "Default Inference", qbaf.supports)):
        (scheme,) = [name for name, node in nodes.items() if node["type"] == kind]
        assert nodes[scheme]["text"] == text
        assert [(a, b) for a, at in ends for b in [to for by, to in ends if by == at] if at == scheme] == [*relation]


def test_networkx_keeps_weights_labels_topics_and_semantics() -> None:
    qbaf = Qbaf(
        {"a": 0.0, "b": 1.0, "c": 0.3},
        attacks={("a", "b"): 0.25, ("b", "a"): 0.0},
        supports={("c", "b"): 2.5},
        labels={"c": "C"},
        topics=["b", "a"],
        semantics="ebt",
    )
    graph = to_networkx(qbaf)
    assert graph.edges["a", "b"] == {"relation": "attack", "weight": 0.25}
    assert graph.edges["c", "b"] == {"relation": "support", "weight": 2.5}
    assert from_networkx(graph) == qbaf


@pytest.mark.parametrize(("sign", "kind"), [(-0.0, "attacks"), (0.0, "supports"), (-0.5, "attacks"), (2.0, "supports")])
def test_without_a_relation_the_sign_of_a_weight_decides_also_at_zero(sign: float, kind: str) -> None:
    nodes = [{"id": "a", "base_score": 0.5}, {"id": "b", "base_score": 0.5}]
    text = json.dumps({"nodes": nodes, "edges": [{"source": "a", "target": "b", "weight": sign}]})
    assert getattr(read_text(text, "node-link"), kind) == {("a", "b"): abs(sign)}


# -- recorded strengths -----------------------------------------------------------------------------------------------


def recorded(**strengths: float) -> str:
    arguments = {"t": 0.5, "x": 0.8, "y": 0.0}
    data = {name: {"base_score": b} | ({"strength": strengths[name]} if name in strengths else {}) for name, b in
            arguments.items()}  # fmt: skip
    return json.dumps({"arguments": data, "attacks": [["x", "t"]], "semantics": "df-quad"})


@pytest.mark.parametrize("strength", [0.0, 1.0, 1, 0.1005, 0.0995, 2.0])
def test_a_recorded_strength_that_differs_in_its_last_digit_is_told(strength: float) -> None:
    _, told = said(read_text, recorded(t=strength, x=0.8), "json")
    assert f"'t' has {strength:.3g} in the file and 0.1 here" in told


def test_the_recorded_strength_that_differs_most_is_named() -> None:
    _, told = said(read_text, recorded(t=0.15, x=0.3, y=0.2), "json")
    assert "'x' has 0.3 in the file and 0.8 here, and 2 more differ" in told
    assert said(read_text, recorded(t=0.1, x=0.8, y=0.0), "json")[1] == ""


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_failure_at_the_second_of_two_files_leaves_no_other_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(PLAIN, tmp_path / "arguments.csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(before) == {"arguments.csv", "relations.csv"}
    real, calls = os.fsync, []

    def second(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", second)
    with pytest.raises(FormatError, match="No space left"):
        write(PLAIN.with_base_scores({"a": 0.25}), tmp_path / "arguments.csv")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
