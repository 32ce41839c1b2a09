"""Promises that every format keeps: what is written is read back, and no malformed number is read."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

import pytest

from qontrast import FORMATS, FormatError, Interval, Normal, Qbaf, read_text, write_text

TEXTS = [
    *(chr(code) for code in (*range(1, 33), 127, 133, 160)),  # every control character, and blanks of three kinds
    *("\u2028", "\u202e", "\ufeff", "\ufffe", "é", "e\u0301", "漢字", "🦓", "١"),
    *('"', "'", "\\", "\\n", "\\\\n", "\\\n", 'a"b', "a\nb", "a\r\nb", "a\tb", " a", "a ", "a  b"),
    *(
        ",",
        ";",
        "(",
        ")",
        ".",
        "%",
        "#",
        "# a",
        "<a>",
        "&amp;",
        "]]>",
        "[a](b)",
        "->",
        "-> See 1.1.",
        "Pro: a",
        "1.1. a",
    ),
    *(
        "nan",
        "1",
        "-1",
        "0x1",
        "true",
        "null",
        "n0",
        "arg",
        "att",
        "-",
        "+",
        "attack",
        "id",
        "1 2",
        "p af 1",
        "$",
        "{",
        "[]",
    ),
]
SCORES = (0.0, 1.0, 0.1, 5e-324, 1 - 2**-53, 0.5)
WEIGHTS = (0.0, 0.1, 5e-324, 2.0, 1e300, 1.0)


def graph(name: str = "b", label: str | None = None) -> Qbaf:
    """Topics with parents in another order than the arguments, cycles, all kinds of numbers, and this text in it."""
    names = ["a", name, "c", "d", "e", "f"]
    ends = [("a", name), (name, "a"), ("c", name), ("d", "c"), ("e", "d"), ("f", "e")]
    edges = dict(zip(ends, WEIGHTS, strict=True))
    return Qbaf(
        dict(zip(names, SCORES, strict=True)),
        attacks=dict(list(edges.items())[::2]),
        supports=dict(list(edges.items())[1::2]),
        labels={} if label is None else {"a": "A claim", name: label},
        topics=[name, "a"],
        semantics="df-quad",
        groups={"some": ["c", name], "one": ["e"]},
        uncertain={name: (0.1, 1.0), "d": Normal(0.2, 0.125), "e": [0.1, 0.2, 5e-324]},
    )


def held(qbaf: Qbaf, format: str) -> Qbaf:
    """What of the graph the format says that it can hold."""
    lost = FORMATS[format].loses
    names = (
        {name: str(place) for place, name in enumerate(qbaf, start=1)} if format == "iccma" else {n: n for n in qbaf}
    )
    edges = [
        {(names[a], names[b]): 1.0 if "weights" in lost else w for (a, b), w in relation.items()}
        for relation in (qbaf.attacks, qbaf.supports)
    ]
    labels = {} if "labels" in lost else {names[n]: text for n, text in qbaf.labels.items()}
    return Qbaf(
        {names[n]: 0.5 if "base scores" in lost else score for n, score in qbaf.base_scores.items()},
        *edges,
        labels={n: text for n, text in labels.items() if text or "empty labels" not in lost},
        topics=() if "topics" in lost else [names[n] for n in qbaf.topics],
        semantics=None if "semantics" in lost else qbaf.semantics,
        groups={} if "groups" in lost else {group: [names[n] for n in each] for group, each in qbaf.groups.items()},
        uncertain={
            names[n]: each
            for n, each in qbaf.uncertain.items()
            if "uncertain base scores" not in lost and (isinstance(each, Interval) or "distributions" not in lost)
        },
    )


def out_and_in(qbaf: Qbaf, format: str) -> tuple[Qbaf | None, str]:
    """The graph after writing and reading, or None where the writer refuses it; and all that was said."""
    if format == "iccma":
        qbaf = Qbaf(qbaf.base_scores, qbaf.attacks, labels=qbaf.labels, topics=qbaf.topics, semantics=qbaf.semantics)  # type: ignore[arg-type]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            text = write_text(qbaf, format)
        except FormatError as error:
            return None, str(error)
        return read_text(text, format), "\n".join(str(each.message) for each in said)


def same(read: Qbaf, qbaf: Qbaf, format: str) -> bool:
    if format == "iccma":
        qbaf = Qbaf(qbaf.base_scores, qbaf.attacks, labels=qbaf.labels, topics=qbaf.topics)  # type: ignore[arg-type]
    if format != "kialo":
        return read == held(qbaf, format)
    shape = [(len(g), len(g.attacks), len(g.supports), sorted(map(g.label, g))) for g in (read, qbaf)]
    return shape[0] == shape[1] and [*map(read.label, read.topics)] == [*map(qbaf.label, qbaf.topics)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_plain_graph_is_read_back_as_every_format_promises(format: str) -> None:
    read, _ = out_and_in(graph(label="Two words"), format)
    assert read is not None
    assert same(read, graph(label="Two words"), format)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
@pytest.mark.parametrize("format", FORMATS)
def test_every_name_is_read_back_or_refused(format: str, text: str) -> None:
    read, said = out_and_in(graph(name=text), format)
    if read is None:
        assert f"{format} cannot hold" in said
    else:
        assert same(read, graph(name=text), format) or "changed" in said


@pytest.mark.parametrize("text", [*TEXTS, ""], ids=ascii)
@pytest.mark.parametrize("format", FORMATS)
def test_every_label_is_read_back_or_the_writer_says_that_it_changes(format: str, text: str) -> None:
    read, said = out_and_in(graph(label=text), format)
    if read is None:
        assert f"{format} cannot hold" in said
    else:
        assert same(read, graph(label=text), format) or re.search("label.? changed|empty labels", said)


def test_an_escaped_line_end_in_apx_is_a_line_end_and_not_an_n() -> None:
    with pytest.warns(match="without a base score"):
        qbaf = read_text('arg("a\\nb"). arg("a\\\\nb"). arg("anb").', "apx")
    assert tuple(qbaf) == ("a\nb", "a\\nb", "anb")


# -- malformed numbers ------------------------------------------------------------------------------------------

BASE = {  # a file of every format that has base scores, with a place for one in line 2
    "json": '{"arguments": {\n"a": %s,\n"b": 0.5}}',
    "node-link": '{"nodes": [\n{"id": "a", "base_score": %s}\n], "edges": []}',
    "graphml": '<graphml><key id="s" for="node" attr.name="base_score" attr.type="double"/><graph>'
    '\n<node id="a"><data key="s">%s</data></node>\n</graph></graphml>',
    "bag": "arg(b, 1).\narg(a, %s).\n",
    "csv": "id,base_score\na,%s\nb,1\n",
}
WEIGHT = {  # the same for weights
    "json": '{"arguments": {"a": 0.5}, "attacks": [["a", "a"]], "edge_weights": [\n["attack", "a", "a", %s]\n]}',
    "node-link": '{"nodes": [{"id": "a", "base_score": 1}], "edges": ['
    '\n{"source": "a", "target": "a", "relation": "attack", "weight": %s}\n]}',
    "graphml": '<graphml><key id="w" for="edge" attr.name="weight"/><key id="r" for="edge" attr.name="relation"/>'
    '<graph><node id="a"/>\n<edge source="a" target="a"><data key="r">support</data><data key="w">%s</data></edge>'
    "\n</graph></graphml>",
    "bag": "arg(a, 1).\natt(a, a, %s).\n",
    "csv": "source,target,relation,weight\na,a,att,%s\n",
}
MALFORMED = [
    "inf",
    "-inf",
    "nan",
    "NaN",
    "Infinity",
    "1e999",
    "-1e999",
    "-0.1",
    "",
    "x",
    "0x1",
    "1_0",
    "0,5",
    "½",
    "١",
    "--1",
]
QUOTED = {"json": ['"0.5"', "null", "true", "[]"], "node-link": ['"0.5"', "true", "[]"]}


def cases() -> Iterator[tuple[str, str, str]]:
    for templates, more in ((BASE, ["1.1", "1.0000001", "-1e-9", "7"]), (WEIGHT, [])):
        for format, template in templates.items():
            for number in [*MALFORMED, *more, *QUOTED.get(format, [])]:
                if (format, number) != ("csv", ""):  # an empty cell is a cell without a number
                    yield format, template, number


@pytest.mark.parametrize(("format", "template", "number"), list(cases()))
def test_a_malformed_number_is_refused_with_file_and_line(format: str, template: str, number: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(template % number, format, name="hotel")
    assert (caught.value.file, caught.value.line) == ("hotel", 2)


@pytest.mark.filterwarnings("ignore:.*without a base score")
@pytest.mark.parametrize(
    ("templates", "numbers"), [(BASE, ("0", "1", "0.25", "1e-3")), (WEIGHT, ("0", "2.5", "1e300"))]
)
@pytest.mark.parametrize("format", list(BASE))
def test_a_wellformed_number_is_read(format: str, templates: dict[str, str], numbers: tuple[str, ...]) -> None:
    for number in numbers:
        qbaf = read_text(templates[format] % number, format)
        found = qbaf.base_scores["a"] if templates is BASE else {**qbaf.attacks, **qbaf.supports}["a", "a"]
        assert found == float(number)


def test_the_malformed_numbers_are_tried_in_every_format_that_has_numbers() -> None:
    with_scores = {name for name, each in FORMATS.items() if "base scores" not in each.loses}
    assert set(BASE) == with_scores, f"give BASE a file with a base score in line 2: {set(BASE) ^ with_scores}"
    without = {name for name, each in FORMATS.items() if "weights" not in each.loses} - set(WEIGHT)
    assert not without, f"give WEIGHT a file with a weight in line 2: {without}"


# -- hostile files --------------------------------------------------------------------------------------------------

MANY = 20_000
REPEATED = {  # many times the same thing wrong
    "apx": "arg(a).\n" + "att(a, a).\n" * MANY,
    "tgf": "1\n#\n" + "1 1\n" * MANY,
    "iccma": "p af 1\n" + "1 1\n" * MANY,
    "aif": '{"nodes": [{"nodeID": "1", "type": "I", "text": "a"}'
    + ',{"nodeID": "2", "type": "L", "text": "b"}' * MANY
    + '], "edges": []}',
    "node-link": '{"nodes": [{"id": "a", "base_score": 1}], "edges": [{"source": "a", "target": "a", "x": 1}'
    + ',{"source": "a", "target": "a", "y": 2}' * MANY
    + "]}",
    "graphml": '<graphml><graph><node id="a"/>' + '<edge source="a" target="a"/>' * MANY + "</graph></graphml>",
    "kialo": "1. T\n1.1. Pro: A\n" + "".join(f"1.{k}. Pro: -> See 1.1.\n" for k in range(2, MANY)),
    "json": '{"arguments": {"a": {"base_score": 1}' + "".join(f',"{k}": {{"x{k}": 0}}' for k in range(MANY)) + "}}",
}


@pytest.mark.parametrize("format", list(REPEATED))
def test_a_fault_that_is_repeated_is_counted_and_not_listed(format: str) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        qbaf = read_text(REPEATED[format], format)
    assert len(qbaf) < 3 or format == "json"
    assert 1 <= len(said) <= 4
    assert sum(len(str(each.message)) for each in said) < 600
