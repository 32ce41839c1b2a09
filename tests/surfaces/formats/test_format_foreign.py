"""Files as other programs write them, with their peculiarities; the content is ours."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast import FORMATS, FormatError, FormatWarning, InvalidInput, Qbaf, UnknownName, read, read_text, write_text

NO_SCORES = "without a base score"


def read_with_notes(text: str, format: str | None = None) -> tuple[Qbaf, list[str]]:
    """The graph, and all that is said about it besides missing base scores."""
    with pytest.warns(FormatWarning) as caught:
        qbaf = read_text(text, format, name="f")
    return qbaf, [note for each in caught if NO_SCORES not in (note := str(each.message).removeprefix("f: "))]


# -- yEd ----------------------------------------------------------------------------------------------------------

YED = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.22-->
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key attr.name="url" attr.type="string" for="node" id="d4"/>
  <key attr.name="description" attr.type="string" for="node" id="d5"/>
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key for="graphml" id="d7" yfiles.type="resources"/>
  <key attr.name="Base Score" attr.type="string" for="node" id="d11"/>
  <key for="edge" id="d10" yfiles.type="edgegraphics"/>
  <graph edgedefault="directed" id="G">
    <data key="d0" xml:space="preserve"/>
    <node id="n0">
      <data key="d4" xml:space="preserve"/>
      <data key="d11">0.25</data>
      <data key="d6"><y:ShapeNode><y:Fill color="#FFCC00"/>
        <y:NodeLabel visible="true">Book this
hotel<y:LabelModel><y:SmartNodeLabelModel distance="4.0"/></y:LabelModel></y:NodeLabel>
        <y:Shape type="rectangle"/></y:ShapeNode></data>
      <port name="North"><data key="d1"><y:ShapePort><y:NodeLabel>not a label</y:NodeLabel></y:ShapePort></data></port>
    </node>
    <node id="n1" yfiles.foldertype="group">
      <data key="d6"><y:ProxyAutoBoundsNode><y:Realizers active="0">
        <y:GroupNode><y:NodeLabel>Guests say</y:NodeLabel></y:GroupNode>
        <y:GroupNode><y:NodeLabel>Folder 1</y:NodeLabel></y:GroupNode></y:Realizers></y:ProxyAutoBoundsNode></data>
      <graph edgedefault="directed" id="n1:">
        <node id="n1::n0"><data key="d6"><y:ShapeNode><y:NodeLabel>It is quiet</y:NodeLabel></y:ShapeNode></data></node>
        <node id="n1::n1"><data key="d6"><y:ShapeNode><y:NodeLabel>It is dear</y:NodeLabel></y:ShapeNode></data></node>
        <edge id="n1::e0" source="n1::n1" target="n1::n0">
          <data key="d10"><y:PolyLineEdge><y:Arrows source="none" target="standard"/>
            <y:EdgeLabel>-0.5</y:EdgeLabel></y:PolyLineEdge></data>
        </edge>
      </graph>
    </node>
    <edge id="e0" source="n1::n0" target="n0" sourceport="North">
      <data key="d10"><y:PolyLineEdge><y:Arrows source="none" target="standard"/>
        <y:EdgeLabel>+<y:LabelModel/></y:EdgeLabel></y:PolyLineEdge></data>
    </edge>
    <edge id="e1" source="n0" target="n1::n1">
      <data key="d10"><y:PolyLineEdge><y:Arrows source="delta" target="none"/>
        <y:EdgeLabel>Con</y:EdgeLabel><y:EdgeLabel>0.75</y:EdgeLabel></y:PolyLineEdge></data>
    </edge>
  </graph>
  <data key="d7"><y:Resources/></data>
</graphml>
"""


def test_a_yed_drawing_is_read_with_its_texts_arrowheads_and_groups() -> None:
    qbaf, notes = read_with_notes(YED)
    assert qbaf == Qbaf(
        {"n0": 0.25, "n1::n0": 0.5, "n1::n1": 0.5},
        attacks={("n1::n1", "n1::n0"): 0.5, ("n1::n1", "n0"): 0.75},
        supports=[("n1::n0", "n0")],
        labels={"n0": "Book this\nhotel", "n1::n0": "It is quiet", "n1::n1": "It is dear"},
    )
    assert notes == [
        "1 edge with the arrowhead at the source; read as drawn, from target to source",
        "ignored: 1 group that no edge touches; the nodes inside are read",
        "ignored: 1 port",
    ]


def drawing(*edges: str, nodes: str = "ab") -> str:
    """A yEd file of two nodes with these insides of edges from a to b."""
    return (
        '<graphml xmlns:y="y"><key for="edge" id="g" yfiles.type="edgegraphics"/><graph edgedefault="directed">'
        + "".join(f'<node id="{name}"/>' for name in nodes)
        + "".join(f'<edge source="a" target="b"><data key="g"><y:E>{each}</y:E></data></edge>' for each in edges)
        + "</graph></graphml>"
    )


@pytest.mark.parametrize(
    ("edge", "attacks", "supports", "note"),
    [
        ("<y:EdgeLabel>attack</y:EdgeLabel>", [("a", "b")], [], None),
        ("<y:EdgeLabel> Pro </y:EdgeLabel>", [], [("a", "b")], None),
        ('<y:Arrows source="none" target="none"/><y:EdgeLabel>+</y:EdgeLabel>', [], [("a", "b")],
         "1 edge without an arrowhead; read from source to target"),
        ('<y:Arrows source="standard" target="delta"/><y:EdgeLabel>-</y:EdgeLabel>', [("a", "b"), ("b", "a")], [],
         "1 edge with arrowheads at both ends; read in both directions"),
        ("<y:EdgeLabel>leads to</y:EdgeLabel><y:EdgeLabel>-</y:EdgeLabel>", [("a", "b")], [],
         "texts of edges not understood and ignored: 'leads to'"),
        ("<y:EdgeLabel>leads to</y:EdgeLabel>", [("a", "b")], [],
         "no edge has a relation or a weight; each is read as an attack (1 edge)"),
    ],
)  # fmt: skip
def test_an_edge_is_read_as_it_is_drawn(edge: str, attacks: list[Any], supports: list[Any], note: str | None) -> None:
    qbaf, notes = read_with_notes(drawing(edge))
    assert qbaf == Qbaf({"a": 0.5, "b": 0.5}, attacks, supports)
    assert note in notes or not (note or notes)


def test_a_loop_with_arrowheads_at_both_ends_is_one_edge() -> None:
    edge = '<y:Arrows source="standard" target="standard"/><y:EdgeLabel>-</y:EdgeLabel>'
    qbaf, notes = read_with_notes(drawing(edge).replace('target="b"><data', 'target="a"><data'))
    assert qbaf.attacks == {("a", "a"): 1.0}
    assert not any("more than once" in note for note in notes)


def test_parallel_edges_that_agree_count_once_and_others_are_refused() -> None:
    con, pro = "<y:EdgeLabel>-</y:EdgeLabel>", "<y:EdgeLabel>+</y:EdgeLabel>"
    qbaf, notes = read_with_notes(drawing(con, con))
    assert (list(qbaf.attacks), notes) == ([("a", "b")], ["1 edge given more than once; kept once"])
    with pytest.raises(FormatError, match="is both an attack and a support"):
        read_text(drawing(con, pro))
    with pytest.raises(FormatError, match="has neither a relation nor a weight"):
        read_text(drawing(con, "").replace('target="b"', 'target="a"', 1))


def test_a_group_that_an_edge_touches_is_an_argument() -> None:
    qbaf, _ = read_with_notes(
        '<graphml><graph><node id="g"><graph><node id="a"/></graph></node><node id="b"/>'
        '<edge source="g" target="b"/></graph></graphml>'
    )
    assert (set(qbaf), set(qbaf.attacks)) == ({"g", "a", "b"}, {("g", "b")})


def test_yed_live_keeps_texts_in_label_elements() -> None:
    qbaf, _ = read_with_notes(
        '<graphml xmlns:y="y" xmlns:x="x"><key id="d4" for="node" attr.name="NodeLabels"/>'
        '<key id="p" for="port" attr.name="PortStyle"><default><x:Static Member="y:Void"/></default></key>'
        '<key id="s" attr.name="SharedData"/><data key="s"><y:SharedData/></data><graph edgedefault="directed">'
        '<node id="n0"><data key="d4"><x:List><y:Label><y:Label.Text><![CDATA[Rain & wind]]></y:Label.Text>'
        "<y:Label.Style><y:Style>no</y:Style></y:Label.Style></y:Label></x:List></data></node>"
        '<node id="n1"><data key="d4"><x:List><y:Label Text="Sun"/></x:List></data></node></graph></graphml>'
    )
    assert qbaf.labels == {"n0": "Rain & wind", "n1": "Sun"}


# -- igraph, Gephi, networkx ---------------------------------------------------------------------------------------

IGRAPH = (
    '<graphml><key id="v_name" for="node" attr.name="name" attr.type="string"/>'
    '<key id="e_weight" for="edge" attr.name="weight" attr.type="double"/><graph id="G" edgedefault="directed">'
    '<node id="n0"><data key="v_name">%s</data></node><node id="n1"><data key="v_name">%s</data></node>'
    '<edge source="n1" target="n0"><data key="e_weight">-0.5</data></edge></graph></graphml>'
)


def test_the_names_of_igraph_are_names_where_they_tell_the_nodes_apart_and_labels_else() -> None:
    qbaf, _ = read_with_notes(IGRAPH % ("book", "noise"))
    assert (qbaf.attacks, qbaf.labels) == ({("noise", "book"): 0.5}, {})
    qbaf, _ = read_with_notes(IGRAPH % ("hotel", "hotel"))
    assert (qbaf.attacks, qbaf.labels) == ({("n1", "n0"): 0.5}, {"n0": "hotel", "n1": "hotel"})
    qbaf, _ = read_with_notes(IGRAPH % ("hotel", ""))
    assert (set(qbaf), qbaf.labels) == ({"n0", "n1"}, {"n0": "hotel"})


def test_gephi_gives_keys_other_words_and_says_label_of_node_and_edge() -> None:
    qbaf, notes = read_with_notes(
        '<graphml><key id="lbl" for="node" attr.name="Label"/><key id="lbl" for="edge" attr.name="Label"/>'
        '<key id="edgelabel" for="edge" attr.name="Edge Label"/><key id="r" for="node" attr.name="r" attr.type="int"/>'
        '<graph edgedefault="undirected"><node id="1"><data key="lbl">Noise</data><data key="r">7</data></node>'
        '<node id="2"/><edge source="1" target="2" directed="true"><data key="edgelabel">Support</data></edge>'
        '<edge source="2" target="2" directed="true"><data key="lbl">attack</data></edge></graph></graphml>'
    )
    assert qbaf == Qbaf({"1": 0.5, "2": 0.5}, [("2", "2")], [("1", "2")], labels={"1": "Noise"})
    assert notes == ["not understood and ignored: 'r'"]


@pytest.mark.parametrize("key", ["label", "type", "kind", "relation"])
def test_an_edge_of_networkx_may_say_its_relation_by_another_word(key: str) -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_node("a", text="A claim", base_score=0.25)
    graph.add_node("b", name="b", base_score=1)
    graph.add_edge("b", "a", **{key: "Supports"})
    expected = Qbaf({"a": 0.25, "b": 1.0}, supports=[("b", "a")], labels={"a": "A claim"})
    assert qx.from_networkx(graph) == expected
    assert read_text(json.dumps(networkx.node_link_data(graph, edges="links"))) == expected
    assert read_text("\n".join(networkx.generate_graphml(graph))) == expected


def test_an_edge_that_says_two_relations_is_refused() -> None:
    edge = '{"source": "a", "target": "a", "label": "attack", "type": "support"}'
    with pytest.raises(
        FormatError, match=r"f:2: an edge is both an attack and a support according to its label and type"
    ):
        read_text(f'{{"nodes": [{{"id": "a"}}], "edges": [\n{edge}]}}', name="f")


# -- spreadsheets ---------------------------------------------------------------------------------------------------


def test_columns_that_mean_nothing_here_are_left_aside_with_a_note() -> None:
    qbaf, notes = read_with_notes(
        "Id;Label;Base_Score;Colour\na;A claim;0.25;red\nb;;1;\n\nSource;Target;Relation;Id;Weight\nb;a;pro;7;0.5\n"
    )
    assert qbaf == Qbaf({"a": 0.25, "b": 1.0}, supports={("b", "a"): 0.5}, labels={"a": "A claim"})
    assert notes == ["columns not understood and ignored: 'colour'", "columns not understood and ignored: 'id'"]


# -- the same thing twice ---------------------------------------------------------------------------------------

AIF_NODE = '{"nodeID": 1, "text": "Rain", "type": "I"}'
AIF = '{"nodes": [%s, {"nodeID": 2, "text": "Wet", "type": "I"}, {"nodeID": 3, "type": "RA"}], "edges": [%s]}'
AIF_EDGES = '{"fromID": 1, "toID": 3}, {"fromID": 3, "toID": 2}'


@pytest.mark.parametrize(
    ("format", "once", "twice", "note"),
    [
        ("apx", "arg(a). att(a, a).", "arg(a). arg(a). att(a, a). att(a,a).", "1 argument and 1 edge"),
        ("tgf", "a x\nb\n#\na b sup", "a x\nb\na  x\n#\na b sup\na b +\na b pro", "1 argument and 2 edges"),
        ("iccma", "p af 2\n1 2", "p af 2\n1 2\n01 2\n# no\n1 2", "2 edges"),
        ("aif", AIF % (AIF_NODE, AIF_EDGES), AIF % (f"{AIF_NODE}, {AIF_NODE}", AIF_EDGES), "1 argument"),
        ("aif", AIF % (AIF_NODE, AIF_EDGES), AIF % (AIF_NODE, f"{AIF_EDGES}, {AIF_EDGES}"), "3 edges"),
        ("kialo", "1. T\n1.1. Pro: A", "1. T\n1.1. Pro: A\n1.2. Pro: -> See 1.1.", "1 edge"),
    ],
)
def test_what_is_repeated_exactly_counts_once_and_a_note_says_so(format: str, once: str, twice: str, note: str) -> None:
    qbaf, notes = read_with_notes(twice, format)
    assert notes == [f"{note} given more than once; kept once"]
    assert qbaf == read_with_notes(once, format)[0]


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("apx", "arg(a). att(a, a).\nsupport(a, a).", "f:2: the edge from 'a' to 'a' is both an attack and a support"),
        ("tgf", "a x\na y\n#", "f:2: argument 'a' was given before, in line 1"),
        ("tgf", "a\n#\na a att\na a sup", "f:4: the edge from 'a' to 'a' is both an attack and a support"),
        ("aif", AIF % (AIF_NODE + "," + AIF_NODE.replace("Rain", "Snow"), ""), "argument '1' was given before"),
        ("aif", AIF % (AIF_NODE + "," + AIF_NODE.replace('"I"', '"RA"'), ""),
         "f: node '1' is given twice, as I and as RA"),
        ("bag", "arg(a, 1).\natt(a, a).\natt(a, a).", "f:3: the attack from 'a' to 'a' was given before, in line 2"),
        ("bag", "arg(a, 1).\narg(a, 1).", "f:2: argument 'a' was given before, in line 1"),
        ("csv", "source,target,relation\na,a,-\na,a,-", "f:3: the attack from 'a' to 'a' was given before, in line 2"),
        ("json", '{"arguments": {"a": 1}, "attacks": [["a", "a"],\n["a", "a"]]}', "f:2: the attack from 'a' to 'a'"),
        ("node-link", '{"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "a", "weight": 1},\n'
         '{"source": "a", "target": "a", "weight": 2}]}', "f:2: the support from 'a' to 'a' with the weight 1"),
    ],
)  # fmt: skip
def test_what_is_repeated_otherwise_is_refused(format: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(text, format, name="f")
    assert message in str(caught.value)


# -- ICCMA, numbered otherwise -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments", "attacks", "notes"),
    [
        ("p af 3\n1 2", "123", ["12"], []),
        ("p af 3\n0 1\n2 0", "012", ["01", "20"], ["arguments are numbered from 0 to 2; ICCMA numbers from 1"]),
        ("p af 2\n3 7", "37", ["37"], ["numbers other than 1 to 2, kept as the file has them, 2 arguments"]),
        ("p af 2\n0 2", "02", ["02"], ["numbers other than 1 to 2, kept as the file has them, 2 arguments"]),
        ("p af 4\n3 7", "37", ["37"], ["numbers other than 1 to 4, kept as the file has them, 2 arguments",
         "2 of 4 arguments announced are not mentioned and are left out"]),
        ("p af 1\n1 2", "12", ["12"], ["numbers other than 1 to 1, kept as the file has them, 2 arguments",
         "the header announces 1 argument and 2 are mentioned"]),
        ("p af 2\na b", "ab", ["ab"], ["names instead of numbers, kept as the file has them, 2 arguments"]),
        ("1 2", "12", ["12"],
         ["no line 'p af <number of arguments>'; numbers are kept as the file has them, 2 arguments"]),
        ("# c\nP AF 2 1\n1 2  # why", "12", ["12"], []),
        ("p af 2 5\n1 2", "12", ["12"], ["the header announces 5 attacks and 1 follow"]),
        ("p af 3\n4 5\n--attackless--\n6\n--clusters--\n4 <- 1 2 3\n5 <- 8", "456", ["45"],
         ["numbers other than 1 to 3, kept as the file has them, 3 arguments",
          "ignored: 2 lines under '--clusters--'"]),
    ],
)  # fmt: skip
def test_iccma_files_with_other_numbers_are_read_where_they_are_clear(
    text: str, arguments: str, attacks: list[str], notes: list[str]
) -> None:
    qbaf, said = read_with_notes(text, "iccma")
    assert qbaf == Qbaf(dict.fromkeys(arguments, 0.5), attacks=[(pair[0], pair[1]) for pair in attacks])
    assert said == notes


# -- strengths that a file records -----------------------------------------------------------------------------------


def argllm(semantics: str | None = None, **recorded: float) -> dict[str, Any]:
    """A claim of 0.5 that an argument of 0.8 attacks."""
    entry = {"claim": 0.5, "doubt": 0.8}
    arguments = {name: {"name": name, "argument": name, "initial_weight": b} for name, b in entry.items()}
    for name, strength in recorded.items():
        arguments[name]["strength"] = strength
    data: dict[str, Any] = {"arguments": arguments, "attacks": [["doubt", "claim"]], "supports": []}
    return data | ({"semantics": semantics} if semantics else {})


# τ = 0.5, attacked by 0.8: df-quad 0.5 − 0.5 · 0.8 = 0.1; qe 0.5 − 0.5 · 0.64/1.64 = 0.30488
@pytest.mark.parametrize(
    "data",
    [argllm(), argllm(claim=0.305), argllm(claim=0.3048780487804878), argllm("df-quad", claim=0.1, doubt=0.8),
     argllm(claim=0.5, doubt=0.8)],
    ids=["none", "rounded", "exact", "of the semantics that the file names", "never computed"],
)  # fmt: skip
def test_recorded_strengths_that_are_ours_are_not_mentioned(data: dict[str, Any]) -> None:
    read_text(json.dumps(data))


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (argllm(claim=0.1, doubt=0.8), "the recorded strengths are not those of qe: "
         "'claim' has 0.1 in the file and 0.305 here; they are those of df-quad"),
        (argllm("df-quad", claim=0.30488), "the recorded strengths are not those of df-quad: "
         "'claim' has 0.305 in the file and 0.1 here; they are those of qe"),
        (argllm(claim=0.77, doubt=0.75), "the recorded strengths are not those of qe: 'claim' has 0.77 in the file and "
         "0.305 here, and 1 more differ; no built-in semantics gives them"),
    ],
)  # fmt: skip
def test_recorded_strengths_that_differ_are_named_with_the_semantics_that_gives_them(
    data: dict[str, Any], note: str
) -> None:
    with pytest.warns(FormatWarning) as caught:
        read_text(json.dumps(data), name="f")
    assert [str(each.message) for each in caught] == [f"f: {note}"]


def test_a_results_file_says_in_how_many_graphs_recorded_strengths_differ(tmp_path: Path) -> None:
    bags = [argllm(claim=0.305), argllm(claim=0.1), argllm(claim=0.1, doubt=0.8)]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"arguments": {}, "data": [{"base": {"bag": bag}} for bag in bags]}))
    with pytest.warns(FormatWarning) as caught:
        assert len(qx.read_many(path)) == 3
    assert len(caught) == 1
    assert "in 2 of 3 graphs, first in '#1/base': the recorded strengths are not those of qe" in str(caught[0].message)
    with pytest.warns(FormatWarning, match="they are those of df-quad"):
        read(f"{path}#2/base")


def test_recorded_strengths_of_a_graph_without_a_limit_are_left_alone() -> None:
    undefined = json.loads(write_text(qx.examples.load("undefined")))
    for entry in undefined["arguments"].values():
        entry["strength"] = 0.123
    read_text(json.dumps(undefined))


# -- Python manners -----------------------------------------------------------------------------------------------

PLAIN = Qbaf({"a": 0.25, "b": 1.0}, attacks={("b", "a"): 0.5}, labels={"a": "é"})


@pytest.mark.parametrize(
    "format", [name for name, each in FORMATS.items() if "labels" not in each.loses and "weights" not in each.loses]
)
def test_an_open_file_is_read_as_text_and_as_bytes(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"hotel{FORMATS[format].suffixes[0]}"
    qx.write(PLAIN, path, format=format)
    with path.open(encoding="utf-8") as text, path.open("rb") as data:
        assert read(text) == read(data) == read(path) == PLAIN
        assert not text.closed
        assert not data.closed
    assert read(io.StringIO(write_text(PLAIN, format))) == PLAIN
    assert read(io.BytesIO(write_text(PLAIN, format).encode("utf-8-sig")), format) == PLAIN


def test_the_name_of_an_open_file_chooses_the_format_and_stands_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "hotel.tgf"
    path.write_text("1\n2\n#\n2 1 x\n")
    with path.open() as file, pytest.raises(FormatError, match=rf"{path}:4: 'x' is not a relation"):
        read(file)


def test_a_file_that_cannot_be_read_from_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hotel.json"
    with path.open("w") as file, pytest.raises(FormatError, match=r"hotel\.json: cannot be read: not readable"):
        read(file)
    with pytest.raises(FormatError, match=r"hotel\.json: cannot be read: I/O operation on closed file"):
        read(file)
    with pytest.raises(FormatError, match="<file>: is empty"):
        read(io.BytesIO())
    path.write_bytes(b"\xff")
    with path.open(encoding="utf-8") as file, pytest.raises(FormatError, match="open it as UTF-8"):
        read(file)
    with pytest.raises(InvalidInput, match="read takes a path or an open file, not dict"):
        read({"arguments": {}})  # type: ignore[arg-type]


def test_attackers_and_supporters_are_the_parents_with_their_weights() -> None:
    qbaf = Qbaf({"a": 1, "b": 0, "c": 0.5}, {("a", "c"): 0.25, ("c", "c"): 0.0, ("a", "b"): 3}, {("b", "c"): 2})
    assert dict(qbaf.attackers("c")) == {"a": 0.25, "c": 0.0}  # a weight of 0 is an attack all the same
    assert dict(qbaf.supporters("c")) == {"b": 2.0}
    assert dict(qbaf.supporters("a")) == dict(qbaf.attackers("a")) == {}
    assert dict(Qbaf.from_arrays([0.5, 0.5], [1], [0], [-0.5]).attackers(0)) == {1: 0.5}
    for parents in (qbaf.attackers, qbaf.supporters):
        with pytest.raises(UnknownName, match="no argument 'd' among the 3 here"):
            parents("d")
        with pytest.raises(TypeError):
            parents("c")["a"] = 1.0  # type: ignore[index]


@pytest.mark.parametrize("name", list(qx.examples.EXAMPLES))
def test_to_dict_is_the_content_of_a_native_file(name: str) -> None:
    qbaf = qx.examples.load(name)
    assert qbaf.to_dict() == json.loads(write_text(qbaf))
    assert read_text(json.dumps(qbaf.to_dict())) == qbaf
    edges = {(source, target) for target in qbaf for source in (*qbaf.attackers(target), *qbaf.supporters(target))}
    assert edges == {*qbaf.attacks, *qbaf.supports}


def test_to_dict_of_integer_names_is_text() -> None:
    data = Qbaf.from_arrays([0.5, 0.25], [1], [0], [-0.5], topics=[0]).to_dict()
    expected = Qbaf({"0": 0.5, "1": 0.25}, attacks={("1", "0"): 0.5}, topics=["0"])
    assert read_text(json.dumps(data)) == expected
