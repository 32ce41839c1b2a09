"""Every place of the formats that warns has a case here that makes it warn, with its message."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast import FormatWarning, Qbaf, read_groups, read_text, write_text
from qontrast.formats import building
from tests.support.paths import ROOT

FOLDER = ROOT / "src" / "qontrast" / "formats"
HELPERS = {"warn", "warn_of", "warn_ignored", "warn_lost"}  # of building.py; who calls them is a place that warns
PAIR = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], topics=["b"])


def read_nodes(kinds: str, *edges: str) -> Qbaf:
    """Read AIF with nodes such as "a:I r:RA" and edges such as "ar"."""
    nodes = [dict(zip(("nodeID", "type"), each.split(":"), strict=True)) for each in kinds.split()]
    data = {"nodes": nodes, "edges": [{"fromID": source, "toID": target} for source, target in edges]}
    return read_text(json.dumps(data), "aif")


def read_yed(nodes: str = '<node id="a"/><node id="b"/>', edge: str = "<y:EdgeLabel>-</y:EdgeLabel>") -> Qbaf:
    """Read GraphML of yEd with these nodes and, between a and b, an edge with this inside."""
    return read_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
        '<key id="g" for="all" yfiles.type="graphics"/><graph edgedefault="directed">'
        f'{nodes}<edge source="a" target="b"><data key="g"><y:E>{edge}</y:E></data></edge></graph></graphml>',
        "graphml",
    )


def read_themes(folder: Path) -> Any:
    (folder / "themes.csv").write_text("argument,group,colour\na,tests,red\n", encoding="utf-8")
    return read_groups(folder / "themes.csv")


def read_results(folder: Path) -> Any:
    graph = '{"bag": {"arguments": {"a": {"base_score": 0.5, "strength": 0.9}}}}'
    (folder / "results.json").write_text(f'{{"data": [{{"base": {graph}}}, {{"base": {graph}}}]}}', encoding="utf-8")
    return qx.read_many(folder / "results.json")


def write_nodes(folder: Path) -> Any:
    return pytest.importorskip("networkx") and qx.to_networkx(Qbaf({"a": 0.5}, groups={"tests": []}))


# what is done in an empty folder, and what is said about it
CASES: list[tuple[Callable[[Path], Any], str]] = [
    # -- what all formats share
    (
        lambda _: read_text("arg(a).\narg(a).\natt(a,a).\natt(a,a).", "apx"),
        "1 argument and 1 edge given more than once",
    ),
    (lambda _: read_text('{"arguments": {"a": {}}}'), "1 argument without a base score: 0.5 is used"),
    (
        lambda _: read_text('{"arguments": {"a": {"label": "", "base_score": 1}}}'),
        "1 argument with an empty label: sentences and pictures show no name there",
    ),
    (lambda _: write_text(PAIR, "bag"), "bag cannot hold topics; these are lost"),
    (
        lambda _: write_text(Qbaf.from_arrays([0.5], [], [], []), "json"),
        "1 integer name written as text: 0 becomes '0'",
    ),
    # -- JSON
    (
        lambda _: read_text('{"arguments": {"a": {"base_score": 0.5, "strength": 0.9}}}'),
        "the recorded strengths are not those of qe: 'a' has 0.9 in the file and 0.5 here; no built-in semantics",
    ),
    (read_results, "in 2 of 2 graphs, first in '#0/base': the recorded strengths are not those of qe"),
    (
        lambda _: read_text('{"arguments": {"a": 1}, "suports": []}'),
        "not understood and ignored in the file: 'suports'",
    ),
    (lambda _: read_text('{"arguments": {"a": {"base_score": 1, "hue": 2}}}'), "ignored in arguments: 'hue'"),
    # -- AIF
    (lambda _: read_nodes("a:I l:L y:YA z:YA"), "ignored: 1 L-node, 2 YA-nodes"),
    (lambda _: read_nodes("a:I r:RA c:CA", "ar", "ca"), "ignored: 2 RA- or CA-nodes without an I-node on both sides"),
    (
        lambda _: read_nodes("a:I b:I r:RA c:CA d:I", "ar", "rb", "dc", "cb", "cr"),
        "ignored: 1 edge between RA- and CA-nodes; a QBAF has no edges to edges",
    ),
    # -- CSV
    (lambda _: read_text("id,base_score,colour\na,1,red\n"), "columns not understood and ignored: 'colour'"),
    (lambda _: read_text("id,base_score\n"), "no rows below the header: the graph has no arguments"),
    (read_themes, "columns not understood and ignored: 'colour'"),
    # -- bag, tgf, Kialo
    (
        lambda _: write_text(Qbaf({"a": 1}, {("a", "a"): 0.5}), "bag", weights=True),
        "1 weight written to bag; most readers",
    ),
    (
        lambda _: write_text(Qbaf({"a": 0.5}, labels={"a": "two\nlines"}), "tgf"),
        "1 label changed: line breaks and repeat",
    ),
    (lambda _: write_text(PAIR, "kialo"), "kialo cannot hold names; arguments are numbered by their place in the tree"),
    (
        lambda _: write_text(Qbaf({"1": 0.5}, labels={"1": " spaced "}, topics=["1"]), "kialo"),
        "1 label changed: spaces at the ends and carriage returns are lost",
    ),
    # -- ICCMA
    (lambda _: read_text("p af 2 3\n1 2\n", "iccma"), "the header announces 3 attacks and 1 follow"),
    (lambda _: read_text("p af 2\n1 2\n-- notes --\na b c\n", "iccma"), "ignored: 1 line under '-- notes --'"),
    (lambda _: read_text("p af 2\n0 1\n", "iccma"), "arguments are numbered from 0 to 1; ICCMA numbers from 1"),
    (
        lambda _: read_text("1 2\n", "iccma"),
        "no line 'p af <number of arguments>'; numbers are kept as the file has them",
    ),
    (lambda _: read_text("p af 2\na b\n", "iccma"), "names instead of numbers, kept as the file has them, 2 arguments"),
    (
        lambda _: read_text("p af 2\n5 9\n", "iccma"),
        "numbers other than 1 to 2, kept as the file has them, 2 arguments",
    ),
    (lambda _: read_text("p af 3\n5 9\n", "iccma"), "1 of 3 arguments announced are not mentioned and are left out"),
    (lambda _: read_text("p af 2\n5 9\n7 9\n", "iccma"), "the header announces 2 arguments and 3 are mentioned"),
    (lambda _: write_text(Qbaf({"a": 0.5}), "iccma"), "iccma cannot hold names; arguments are numbered in their order"),
    # -- networkx and GraphML
    (write_nodes, "networkx cannot hold empty groups; these are lost"),
    (
        lambda _: read_text('{"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "a"}]}', "node-link"),
        "no edge has a relation or a weight; each is read as an attack (1 edge)",
    ),
    (
        lambda _: read_text('{"nodes": [{"id": "a", "hue": 1}], "edges": []}', "node-link"),
        "not understood and ignored: 'hue'",
    ),
    (lambda _: read_text('{"nodes": [{"id": 7}], "edges": []}', "node-link"), "1 integer name read as text"),
    (
        lambda _: read_yed('<node id="a"/><node id="b"/><node id="c"><graph edgedefault="directed"/></node>'),
        "ignored: 1 group that no edge touches; the nodes inside are read",
    ),
    (lambda _: read_yed('<node id="a"><port name="North"/></node><node id="b"/>'), "ignored: 1 port"),
    (
        lambda _: read_yed(
            '<node id="a"><data key="g"><y:N><y:NodeLabel>A</y:NodeLabel><y:NodeLabel>B</y:NodeLabel></y:N></data>'
            '</node><node id="b"/>'
        ),
        "1 node with several texts; the first is the label",
    ),
    (
        lambda _: read_yed(edge='<y:Arrows source="delta" target="none"/><y:EdgeLabel>-</y:EdgeLabel>'),
        "1 edge with the arrowhead at the source; read as drawn, from target to source",
    ),
    (
        lambda _: read_yed(edge='<y:Arrows source="delta" target="delta"/><y:EdgeLabel>-</y:EdgeLabel>'),
        "1 edge with arrowheads at both ends; read in both directions",
    ),
    (
        lambda _: read_yed(edge='<y:Arrows source="none" target="none"/><y:EdgeLabel>-</y:EdgeLabel>'),
        "1 edge without an arrowhead; read from source to target",
    ),
    (
        lambda _: read_yed(edge="<y:EdgeLabel>leads to</y:EdgeLabel><y:EdgeLabel>-</y:EdgeLabel>"),
        "texts of edges not understood and ignored: 'leads to'",
    ),
]

Place = tuple[str, int]  # file and first line of a call


def list_places() -> dict[Place, ast.Call]:
    """List every call of a helper that warns, outside of the helpers."""
    found = {}
    for path in sorted(FOLDER.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {
            id(node) for each in ast.walk(tree) if getattr(each, "name", "") in HELPERS for node in ast.walk(each)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in HELPERS and id(node) not in inside:
                found[path.name, node.lineno] = node
    return found


PLACES = list_places()


def find_place() -> Place:
    """Find the place that warns, from inside of `warnings.warn`."""
    frame = sys._getframe()
    while Path(frame.f_code.co_filename).parent != FOLDER or frame.f_code.co_name in HELPERS:
        assert frame.f_back is not None
        frame = frame.f_back
    name, line = Path(frame.f_code.co_filename).name, frame.f_lineno
    return next(
        (file, start)
        for (file, start), call in PLACES.items()
        if file == name and start <= line <= (call.end_lineno or 0)
    )


def list_warnings(do: Callable[[Path], Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Place]:
    """Return everything that is said, with the place that says it."""
    said: dict[str, Place] = {}

    def note(message: str, category: type[Warning] = UserWarning, **_: Any) -> None:
        if category is FormatWarning:
            said[message] = find_place()

    monkeypatch.setattr(building.warnings, "warn", note)
    do(folder)
    return said


def test_every_place_of_the_formats_that_warns_has_a_case_in_which_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(PLACES) > 35
    fired: set[Place] = set()
    silent = []
    for do, message in CASES:
        places = {place for said, place in list_warnings(do, tmp_path, monkeypatch).items() if message in said}
        fired |= places
        silent += [] if places else [message]
    assert silent == [], "nobody says these"
    without = [
        f"{file}:{line}: {ast.unparse(call)}" for (file, line), call in PLACES.items() if (file, line) not in fired
    ]
    assert without == [], "give CASES a case for each of these"


def test_nothing_of_the_formats_warns_but_by_the_helpers() -> None:
    for path in FOLDER.glob("*.py"):
        direct = re.findall(r"warnings\.warn\(", path.read_text(encoding="utf-8"))
        assert len(direct) == (path.name == "building.py"), path.name
