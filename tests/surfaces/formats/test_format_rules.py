"""Each format's own rules, and what it says when they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qontrast as qx
from qontrast import (
    FORMATS,
    FormatError,
    FormatWarning,
    Qbaf,
    TooLarge,
    examples,
    from_lists,
    from_networkx,
    to_networkx,
)
from qontrast.formats import csv_tables, graphml, iccma, qbaf_json, read_text, write_text

NO_SCORES = "without a base score: 0.5 is used"


def refused(format: str, text: str, message: str) -> None:
    """The text is refused, and the message is this, file and line included."""
    with pytest.raises(FormatError) as caught:
        read_text(text, format, name="hotel")
    assert str(caught.value) == message


# -- native JSON -----------------------------------------------------------------------------------------


def test_an_argllm_file_opens_as_it_is() -> None:
    text = """{"arguments": {"db0": {"name": "db0", "argument": "Vitamin C cures colds", "initial_weight": 0.5,
        "strength": 0.276}, "Adb0←d1b1": {"name": "Adb0←d1b1", "argument": "No trial says so", "initial_weight": 0.9,
        "strength": 0.9}}, "attacks": [["Adb0←d1b1", "db0"]], "supports": []}"""
    qbaf = read_text(text)
    assert qbaf.base_scores == {"db0": 0.5, "Adb0←d1b1": 0.9}
    assert qbaf.attacks == {("Adb0←d1b1", "db0"): 1.0}
    assert qbaf.label("db0") == "Vitamin C cures colds"


def test_an_argllm_reader_finds_what_it_unpacks() -> None:
    data = json.loads(write_text(examples.load("loan")))
    assert all(entry.keys() >= {"name", "argument", "initial_weight"} for entry in data["arguments"].values())
    assert all(len(pair) == 2 for pair in data["attacks"] + data["supports"])


def test_an_argument_may_be_just_its_base_score() -> None:
    assert read_text('{"arguments": {"zebra": 0.25}}') == Qbaf({"zebra": 0.25})


def test_base_score_and_label_are_words_for_initial_weight_and_argument() -> None:
    qbaf = read_text(
        '{"arguments": {"a": {"base_score": 1, "label": "A"}, "b": {"initial_weight": 0, "argument": "B"}}}'
    )
    assert qbaf == Qbaf({"a": 1.0, "b": 0.0}, labels={"a": "A", "b": "B"})


def test_json_says_which_keys_it_does_not_understand() -> None:
    with pytest.warns(FormatWarning, match=r"<text>: not understood and ignored in arguments: 'colour'"):
        read_text('{"arguments": {"a": {"base_score": 1, "colour": "red"}}}')
    with pytest.warns(FormatWarning, match=r"ignored in the file: 'suports'"):
        read_text('{"arguments": {"a": 1}, "suports": []}')


def test_json_takes_the_default_for_an_argument_without_a_base_score() -> None:
    with pytest.warns(FormatWarning, match="1 argument without a base score: 0.5 is used"):
        assert read_text('{"arguments": {"a": {"label": "A"}}}').base_scores == {"a": 0.5}


def test_a_base_score_of_null_is_refused_in_json_and_not_taken_for_none() -> None:
    refused("json", '{"arguments": {"a": null}}', "hotel:1: argument 'a' is null; give a base score")
    for key in ("base_score", "initial_weight"):
        text = f'{{"arguments": {{"a": {{"{key}": null}}}}}}'
        refused("json", text, "hotel:1: the base score of 'a' is null; expected a number")


def test_a_list_of_comments_is_no_results_file() -> None:
    expected = "; expected an object {…} with 'arguments', or a list of them"
    comments = '[{"text": "nice"}, {"text": "bad", "by": "ann"}]'
    refused("json", comments, f"hotel: a list of 2 items without any graph (keys: 'text', 'by'){expected}")
    comments = '[{"arguments": "I think so"}]'
    refused("json", comments, f"hotel: a list of 1 item without any graph (keys: 'arguments'){expected}")
    refused("json", '{"data": [{}]}', f"hotel: a list of 1 item without any graph (keys: none){expected}")


BROKEN_JSON = [
    ('{"arguments": {"a": 1,\n"a": 2}}', "hotel:2: the key 'a' appears twice in one object; keep one"),
    ('{"arguments": {"a": NaN}}', "hotel:1: NaN is not a JSON number; give a finite one"),
    ('{"arguments": {"a": 1e999}}', "hotel:1: the base score of 'a' is inf; base scores lie between 0 and 1"),
    ('{"arguments": {"a": 0.5}} x', "hotel:1: not JSON: extra data at 'x' (column 27)"),
    ('{"arguments":\n{"a": }}', "hotel:2: not JSON: expecting value at '}}' (column 7)"),
    ('{"arguments": {"a": 0.5, "b', "hotel:1: not JSON: unterminated string starting at '\"b' (column 26)"),
    ('{"arguments": {"a\n": 0.5}}', "hotel:1: not JSON: invalid control character at the end of a line or of the text"),
    ('{"arguments": {"a": 0.5', "hotel:1: not JSON: expecting ',' delimiter at the end of a line or of the text"),
    ('{"arguments": {"a": 1.5}}', "hotel:1: the base score of 'a' is 1.5; base scores lie between 0 and 1"),
    ('{"arguments": {"a": true}}', "hotel:1: the base score of 'a' is 'True'; expected a number"),
    ('{"arguments": {"a": "1"}}', "hotel:1: the base score of 'a' is '1'; expected a number"),
    ('{"arguments": {"": 1}}', "hotel:1: an argument has an empty name; give every argument a name"),
    ('{"arguments": ["a"]}', "hotel: 'arguments' is a list; expected an object {name: base score}"),
    ('{"arguments": {"\\ud800": 1}}', "hotel:1: the name of an argument holds half a surrogate pair: '\\ud800'"),
    ("[]", "hotel: a list without any graph; expected an object {…} with 'arguments', or a list of them"),
    (
        "{}",
        "hotel: no 'arguments'; expected at least {\"arguments\": {name: base score}}, or lists of nodes and edges",
    ),
    (
        '{"nodes": {}, "edges": {}}',
        "hotel: no 'arguments' among the keys 'nodes', 'edges'; "
        "expected at least {\"arguments\": {name: base score}}, or lists of nodes and edges",
    ),
    ('{"format": "qbaf/2", "arguments": {}}', "hotel:1: the format is 'qbaf/2'; this version reads 'qbaf/1'"),
    ('{"arguments": {"a": {"name": "b"}}}', "hotel:1: argument 'a' calls itself 'b'; make them the same"),
    (
        '{"arguments": {"a": {"base_score": 1, "initial_weight": 0}}}',
        "hotel:1: argument 'a' has base_score 1 and initial_weight 0; keep one",
    ),
    (
        '{"arguments": {"a": {"base_score": 1, "label": "A", "argument": "B"}}}',
        "hotel:1: argument 'a' has the label 'A' and the argument 'B'; keep one",
    ),
    ('{"arguments": {"a": 1}, "attacks": [["a"]]}', "hotel:1: '[\"a\"]' in 'attacks' is not a pair [source, target]"),
    (
        '{"arguments": {"profit": 1}, "attacks": [["profit", "proft"]]}',
        "hotel:1: the attack from 'profit' to 'proft' ends nowhere: "
        "no argument 'proft' among the 1 here; did you mean 'profit'?",
    ),
    (
        '{"arguments": {"a": 1}, "attacks": [["a", "a"]], "supports": [["a", "a"]]}',
        "hotel:1: the edge from 'a' to 'a' is both an attack and a support; it was given before, in line 1",
    ),
    (
        '{"arguments": {"a": 1}, "edge_weights": [["attack", "a", "a", 2]]}',
        "hotel:1: 'edge_weights' has a weight for the attack from 'a' to 'a'; no such edge",
    ),
    (
        '{"arguments": {"a": 1}, "attacks": [["a", "a"]], "edge_weights": [["attack", "a", "a", -2]]}',
        "hotel:1: the weight of the attack from 'a' to 'a' is -2; give a finite number ≥ 0",
    ),
    ('{"arguments": {"ab": 1}, "topics": ["abc"]}', "hotel:1: 'topics' names 'abc': "
     "no argument 'abc' among the 1 here; did you mean 'ab'?"),
    ('{"arguments": {"a": 1}, "topics": ["a", "a"]}', "hotel: a topic is named twice among 'a', 'a'"),
    ('{"arguments": {"a": 1}, "semantics": 3}', "hotel: 'semantics' is '3'; expected a name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN_JSON)
def test_broken_json_is_refused_with_its_reason(text: str, message: str) -> None:
    refused("json", text, message)


RESULTS = json.dumps(
    {
        "arguments": {"model": "some-llm", "depth": 1},
        "data": [
            {
                "base": {"bag": {"arguments": {"db0": 0.1}}},
                "estimated": {"bag": {"arguments": {"db0": 0.2}}},
                "valid": 1,
            },
            {"base": {"bag": {"arguments": {"db0": 0.3}}}},
        ],
    }
)


def test_a_results_file_holds_many_graphs() -> None:
    many = qbaf_json.parse_many(RESULTS)
    assert {key: qbaf.base_scores["db0"] for key, qbaf in many.items()} == {
        "0/base": 0.1,
        "0/estimated": 0.2,
        "1/base": 0.3,
    }


def test_reading_a_results_file_as_one_graph_points_to_the_way_out() -> None:
    refused(
        "json",
        RESULTS,
        "hotel: many graphs, not one; '#0/base' after the path picks one of them; read_many reads them all",
    )


# -- .bag --------------------------------------------------------------------------------------------------


def test_bag_reads_what_other_readers_drop_in_silence() -> None:
    text = "# hotel\n\n  arg(A1, 0.5).\narg(P1,.25)\narg( 5 , 1 ).  # five\nsup(P1, A1, 0.5)\n\tatt(5, A1)."
    assert read_text(text) == Qbaf({"A1": 0.5, "P1": 0.25, "5": 1.0}, {("5", "A1"): 1.0}, {("P1", "A1"): 0.5})


def test_a_number_may_have_any_blank_around_it() -> None:
    assert read_text("id,base_score\na,0.25\x1d") == Qbaf({"a": 0.25})


BROKEN_BAG = [
    ("arg(A1, 0.5).\nsup(P1, A1", "hotel:2: 'sup(P1, A1' lacks a closing parenthesis"),
    ("arg(a, 1). arg(b, 1).", "hotel:1: 'arg(b, 1).' follows a fact on the same line; write one fact per line"),
    ("ARG(a, 1).", "hotel:1: 'ARG' is not a keyword; expected arg, att or sup"),
    ("% a comment", "hotel:1: '% a comment' is not a keyword; expected arg, att or sup"),
    ("support(a, b).", "hotel:1: 'support' is not a keyword; expected arg, att or sup"),
    ("arg(a).", "hotel:1: 'arg(a).' has 1 part; expected arg(name, base score)"),
    ("arg(a, 1, 2).", "hotel:1: 'arg(a, 1, 2).' has 3 parts; expected arg(name, base score)"),
    ("arg(a, nan).", "hotel:1: the base score of 'a' is 'nan'; expected a number"),
    ("arg(a, 1_0).", "hotel:1: the base score of 'a' is '1_0'; expected a number"),
    ("arg(a, 2).", "hotel:1: the base score of 'a' is 2; base scores lie between 0 and 1"),
    ("arg(, 1).", "hotel:1: an argument has an empty name; give every argument a name"),
    ("arg(f(x), 1).", "hotel:1: 'arg(f(x), 1).' has parentheses inside parentheses; a name cannot hold them"),
    ("arg(a, 1).\n\narg(a, 1).", "hotel:3: argument 'a' was given before, in line 1"),
    ("arg(a, 1).\natt(a, a).\natt(a, a).", "hotel:3: the attack from 'a' to 'a' was given before, in line 2"),
    (
        "arg(a, 1).\natt(a, a).\nsup(a, a).",
        "hotel:3: the edge from 'a' to 'a' is both an attack and a support; it was given before, in line 2",
    ),
    (
        "arg(a, 1).\natt(a).",
        "hotel:2: 'att(a).' is not an edge; expected att(source, target) or att(source, target, weight)",
    ),
    ("arg(a, 1).\natt(a, a, -1).", "hotel:2: the weight of the attack from 'a' to 'a' is -1; give a finite number ≥ 0"),
    (
        "att(price, book).\narg(book, 1).",
        "hotel:1: the attack from 'price' to 'book' begins nowhere: no argument 'price' among the 1 here: 'book'",
    ),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_BAG)
def test_a_broken_bag_is_refused_with_line_and_reason(text: str, message: str) -> None:
    refused("bag", text, message)


def test_bag_writes_weights_only_when_asked_and_warns_either_way() -> None:
    qbaf = Qbaf({"a": 0.5}, attacks={("a", "a"): 0.25})
    with pytest.warns(FormatWarning, match="bag cannot hold weights; these are lost"):
        assert write_text(qbaf, "bag") == "arg(a, 0.5).\natt(a, a).\n"
    with pytest.warns(FormatWarning, match="1 weight written to bag; most readers of that format drop them"):
        assert write_text(qbaf, "bag", weights=True) == "arg(a, 0.5).\natt(a, a, 0.25).\n"


# -- what is lost, and what is refused, when writing -----------------------------------------------------------


def test_a_writer_names_what_it_loses() -> None:
    qbaf = Qbaf({"a": 0.75}, attacks={("a", "a"): 2}, labels={"a": "A"}, topics=["a"], semantics="qe")
    for format, lost in {
        "bag": "weights, labels, topics, semantics",
        "apx": "base scores, weights, labels, topics, semantics",
        "tgf": "base scores, weights, topics, semantics",
        "aif": "base scores, weights, topics, semantics",
        "kialo": "base scores, weights, semantics",
        "csv": "semantics",
    }.items():
        with pytest.warns(FormatWarning) as caught:
            write_text(qbaf, format)
        assert str(caught[0].message) == f"{format} cannot hold {lost}; these are lost"


def test_iccma_numbers_arguments_and_says_that_names_are_lost() -> None:
    with pytest.warns(FormatWarning, match="iccma cannot hold names"):
        text = write_text(Qbaf({"a": 0.5, "b": 0.5}, attacks=[("b", "a")]), "iccma")
    assert text == "p af 2\n# 1 is 'a'\n# 2 is 'b'\n2 1\n"


@pytest.mark.parametrize(
    ("format", "name", "reason"),
    [
        (
            "bag",
            "my hotel",
            "bag cannot hold the 1 name 'my hotel': a name there cannot contain a space, comma or parenthesis",
        ),
        ("bag", "f(x)", "a name there cannot contain a space, comma or parenthesis"),
        ("tgf", "my hotel", "tgf cannot hold the 1 name 'my hotel': a name there cannot contain a space or be '#'"),
        ("tgf", "#", "or be '#'"),
        ("apx", "a\rb", "apx cannot hold the 1 name"),
        ("graphml", "a\x01b", "graphml cannot hold 'a\\\\x01b': XML has no way to write"),
        ("csv", "a" * 200_000, "over 131,072 characters long"),
    ],
)
def test_a_name_that_a_format_cannot_hold_is_refused(format: str, name: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason.replace("(", r"\(")):
        write_text(Qbaf({name: 0.5}), format)


def test_iccma_refuses_supports_instead_of_dropping_them() -> None:
    with pytest.raises(FormatError, match="iccma holds attacks only and this graph has 1 support"):
        write_text(Qbaf({"1": 0.5}, supports=[("1", "1")]), "iccma")


@pytest.mark.parametrize("format", [name for name, each in FORMATS.items() if "names" not in each.loses])
def test_integer_names_become_text_and_a_warning_says_so(format: str) -> None:
    qbaf = Qbaf.from_arrays([0.5, 0.5], [1], [0], [-1.0])
    with pytest.warns(FormatWarning, match="2 integer names written as text: 0 becomes '0'"):
        text = write_text(qbaf, format)
    if format in ("json", "node-link", "graphml", "bag", "csv"):
        assert read_text(text).attacks == {("1", "0"): 1.0}


# -- CSV -----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*without a base score")
@pytest.mark.parametrize("word", ["attack", "att", "-", "-1", "con", "Con", " ATTACK "])
def test_csv_knows_the_words_for_attack(word: str) -> None:
    assert read_text(f"source,target,relation\na,b,{word}").attacks == {("a", "b"): 1.0}


@pytest.mark.filterwarnings("ignore:.*without a base score")
@pytest.mark.parametrize("word", ["support", "sup", "+", "1", "pro", "+1"])
def test_csv_knows_the_words_for_support(word: str) -> None:
    assert read_text(f"source,target,relation,weight\na,b,{word},0.5").supports == {("a", "b"): 0.5}


def test_csv_relations_alone_are_enough() -> None:
    with pytest.warns(FormatWarning, match=f"3 arguments {NO_SCORES}"):
        qbaf = read_text("source;target;relation\nb;a;att\nc;a;sup")
    assert tuple(qbaf) == ("b", "a", "c")


def test_csv_reads_both_tables_from_one_text() -> None:
    text = "id, base_score, topic\na, 0.5, yes\nb, 1,\n\nsource, target, relation\nb, a, +\n"
    assert read_text(text) == Qbaf({"a": 0.5, "b": 1.0}, supports=[("b", "a")], topics=["a"])


def test_csv_keeps_the_order_of_the_topics() -> None:
    qbaf = Qbaf({"a": 0.5, "b": 0.5}, topics=["b", "a"])
    assert csv_tables.parse(csv_tables.render(qbaf)).topics == ("b", "a")


ARGUMENTS, RELATIONS = "id,base_score,topic\na,0.5,yes\nb,1,\n", "source,target,relation,weight\nb,a,+,2.5\n"
WITH_COMMAS = "id;base_score;topic\na;0,5;yes\nb;1;\n\nsource;target;relation;weight\nb;a;+;2,500\n"
SPREADSHEETS = {
    "plain": f"{ARGUMENTS}\n{RELATIONS}",
    "decimal commas": WITH_COMMAS,
    "decimal commas and a line for the separator": f"sep=;\n{WITH_COMMAS}",
    "a quoted line for the separator, and other line ends": f'"SEP=;"\n{WITH_COMMAS}'.replace("\n", "\r\n"),
    "a bar, which only that line can name": f"sep=|\n{WITH_COMMAS.replace(';', '|')}",
    "tabs": f"sep=\t\n{WITH_COMMAS.replace(';', chr(9))}",
    "decimal commas in quotes between commas": f"{ARGUMENTS.replace('0.5', chr(34) + '0,5' + chr(34))}\n"
    f"{RELATIONS.replace('2.5', chr(34) + '2,5' + chr(34))}",
}


@pytest.mark.parametrize("case", SPREADSHEETS)
def test_csv_of_a_european_spreadsheet_is_the_same_graph(case: str) -> None:
    expected = Qbaf({"a": 0.5, "b": 1.0}, supports={("b", "a"): 2.5}, topics=["a"])
    assert read_text(SPREADSHEETS[case]) == expected
    assert read_text(SPREADSHEETS[case], name="hotel.csv") == expected


SPREADSHEET_WORDS = [  # TRUE and FALSE in Excel and LibreOffice
    *("TRUE FALSE", "WAHR FALSCH", "VRAI FAUX", "VERDADERO FALSO", "VERO FALSO", "VERDADEIRO FALSO", "WAAR ONWAAR"),
    *("PRAWDA FAŁSZ", "PRAVDA NEPRAVDA", "SANT FALSKT", "SAND FALSK", "SANN USANN", "TOSI EPÄTOSI", "IGAZ HAMIS"),
    *("ADEVĂRAT FALS", "DOĞRU YANLIŞ", "ΑΛΗΘΗΣ ΨΕΥΔΗΣ", "ИСТИНА ЛОЖЬ"),
    *("yes no", "ja nein", "oui non", "sí no", "sì no", "sim não", "ja nee", "ja nej", "ja nei", "tak nie", "x ''"),
]


def test_csv_knows_true_and_false_in_the_languages_of_european_spreadsheets() -> None:
    for words in SPREADSHEET_WORDS:
        true, false = words.replace("''", " ").split(" ", 1)
        text = f"id,base_score,topic\na,0.5,{false}\nb,0.5,{true}\nc,0.5,{false.lower()}\n"
        assert read_text(text).topics == ("b",), words


def test_csv_refuses_a_number_that_may_be_meant_otherwise() -> None:
    thousands = 'source,target,relation,weight\na,b,+,"2,500"'
    refused("csv", thousands, "hotel:2: the weight is '2,500'; expected a number")
    refused("csv", "id;base_score\na;1.000,5", "hotel:2: the base score of 'a' is '1.000,5'; expected a number")
    below = "sep=;\nid;base_score\na;0,5\nb;half"  # the line of the separator counts
    refused("csv", below, "hotel:4: the base score of 'b' is 'half'; expected a number")


def test_csv_without_rows_is_noted_and_csv_without_a_table_is_refused() -> None:
    for text in ("id,label,base_score\n", "source,target,relation\n", f"{ARGUMENTS[:20]}\n\n{RELATIONS[:29]}"):
        with pytest.warns(FormatWarning, match="hotel: no rows below the header: the graph has no arguments"):
            assert len(read_text(text, "csv", name="hotel")) == 0
    assert len(read_text(f"{ARGUMENTS}\n{RELATIONS[:29]}")) == 2  # no edges, and nothing to say
    columns = "id,label,base_score,topic,group,low,high or source,target,relation,weight"
    refused("csv", ",,\n", f"hotel: has no table; expected the columns {columns}")


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", '{"arguments": {"a": {"base_score": 0.5, "label": ""}, "b": {"base_score": 0.5, "label": " "}}}'),
        ("node-link", '{"nodes": [{"id": "a", "label": "", "base_score": 1}, {"id": "b", "label": "\\t",'
         ' "base_score": 1}], "edges": []}'),
        ("csv", "id,label,base_score\na, ,0.5\nb,  ,0.5\nc,,0.5\n"),  # of c there is none
    ],
)  # fmt: skip
def test_an_empty_label_is_noted(format: str, text: str) -> None:
    with pytest.warns(FormatWarning, match="2 arguments with an empty label: sentences and pictures show no name"):
        read_text(text, format)


BROKEN_CSV = [
    ("a,b,att", "hotel:1: the columns are 'a', 'b', 'att'; expected id,label,base_score,topic,group,low,high or "
     "source,target,relation,weight"),
    ("source,target,relation\na,b", "hotel:2: 2 cells for 3 columns: 'a,b'"),
    ("source,target,relation\na,b,hates", "hotel:2: 'hates' is not a relation; expected attack, att, -, -1, con or "
     "support, sup, +, 1, pro"),
    ("source,target,relation\na,,att", "hotel:2: the target is empty; expected the id of an argument"),
    ("source,target,relation\na,b,", "hotel:2: the relation is empty; expected attack, att, -, -1, con or "
     "support, sup, +, 1, pro"),
    ('id,label\na,"two\nlines"\na,', "hotel:4: argument 'a' was given before, in line 2"),
    ('id\n"a', "hotel:2: not CSV: unexpected end of data"),
    ("id,topic\na,maybe", "hotel:2: topic is 'maybe'; expected yes, no or a place 1, 2, 3 …"),
    ("id,base_score\na,0;5", "hotel:2: the base score of 'a' is '0;5'; expected a number"),
    ("id,base_score\na,1\n\nid,base_score\nb,1", "hotel: two tables have the same columns; "
     "expected one of arguments and one of relations"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN_CSV)
def test_broken_csv_is_refused_with_line_and_reason(text: str, message: str) -> None:
    refused("csv", text, message)


# -- apx, tgf, ICCMA ---------------------------------------------------------------------------------------------


def test_apx_reads_many_facts_a_line_comments_and_quotes() -> None:
    with pytest.warns(FormatWarning, match=f"3 arguments {NO_SCORES}"):
        qbaf = read_text('% solvers\narg(a). arg(b).arg("my c").\natt(a,b). support(b, "my c").', "apx")
    assert qbaf == Qbaf({"a": 0.5, "b": 0.5, "my c": 0.5}, [("a", "b")], [("b", "my c")])


BROKEN_APX = [
    ("arg(a). att(a, a)", "hotel:1: 'att(a, a)' lacks its final '.'"),
    ("arg(a).\nattack(a, a).", "hotel:2: 'attack' is not a keyword; expected arg, att or support"),
    ("arg(a, b).", "hotel:1: 'arg(a, b).' is not a fact; expected arg(name)."),
    ("arg(a).\natt(a).", "hotel:2: 'att(a).' is not a fact; expected att(source, target)."),
    ('arg("a).', "hotel:1: '\"a).' opens a quote that is not closed on its line"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_APX)
def test_broken_apx_is_refused_with_line_and_reason(text: str, message: str) -> None:
    refused("apx", text, message)


def test_tgf_reads_labels_and_takes_a_bare_edge_for_an_attack() -> None:
    with pytest.warns(FormatWarning, match=f"2 arguments {NO_SCORES}"):
        qbaf = read_text("1 The rooms are quiet\n2\n#\n1 2\n2 1 sup\n", "tgf")
    assert qbaf == Qbaf({"1": 0.5, "2": 0.5}, [("1", "2")], [("2", "1")], labels={"1": "The rooms are quiet"})


def test_tgf_says_how_many_labels_change() -> None:
    with pytest.warns(FormatWarning, match="1 label changed"):
        assert write_text(Qbaf({"a": 0.5}, labels={"a": "two\nlines"}), "tgf") == "a two lines\n#\n"


def test_broken_tgf_is_refused() -> None:
    refused("tgf", "1 one\n2 two", "hotel: no line '#' between arguments and edges")
    edge = "hotel:3: '1' is not an edge; expected source, target and attack, att, -, -1, con or support, sup, +, 1, pro"
    refused("tgf", "1\n#\n1", edge)


def test_iccma_2023_reads_numbers_and_comments() -> None:
    with pytest.warns(FormatWarning, match=f"3 arguments {NO_SCORES}"):
        qbaf = read_text("p af 3\n# 1 attacks 2\n1 2\n2 3\n")
    assert qbaf == Qbaf({"1": 0.5, "2": 0.5, "3": 0.5}, attacks=[("1", "2"), ("2", "3")])


BROKEN_ICCMA = [
    ("# nothing", "hotel: no line 'p af <number of arguments>'"),
    ("a b", "hotel:1: the argument 'a' is not a number; expected a line 'p af <number of arguments>' first"),
    ("p af 3\n1 2\n2 3x", "hotel:3: '2 3x' is not an attack; expected two numbers"),
    ("p af 3\n1 2\n2 x3", "hotel:3: the argument 'x3' is not a number; expected numbers, as in other lines"),
    ("p af 2\n1 -2", "hotel:2: '1 -2' is not an attack; expected two numbers"),
    ("p af 2\n1 2\np af 2", "hotel:3: 'p af 2' is out of place; expected it once, before the attacks"),
    ("1 2\np af 2", "hotel:2: 'p af 2' is out of place; expected it once, before the attacks"),
    ("p af 2\n1 2 3", "hotel:2: '1 2 3' is not an attack; expected two numbers"),
    ("p af 99999999", f"hotel:1: 99,999,999 arguments are announced; the limit is {iccma.MAX_ARGUMENTS:,}"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_ICCMA)
def test_broken_iccma_is_refused_with_line_and_reason(text: str, message: str) -> None:
    refused("iccma", text, message)


# -- networkx and GraphML -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["edges", "links"])
def test_networkx_reads_what_we_write_and_we_read_what_it_writes(key: str) -> None:
    import networkx

    qbaf = examples.load("loan")
    graph = networkx.node_link_graph(json.loads(write_text(qbaf, "node-link")), edges="edges")
    assert from_networkx(graph) == qbaf
    assert read_text(json.dumps(networkx.node_link_data(graph, edges=key))) == qbaf
    assert from_networkx(to_networkx(qbaf)) == qbaf


def test_networkx_reads_our_graphml_and_we_read_its() -> None:
    import networkx

    qbaf = examples.load("loan")
    graph = networkx.parse_graphml(write_text(qbaf, "graphml"))
    assert from_networkx(graph) == qbaf
    assert read_text("\n".join(networkx.generate_graphml(graph))) == qbaf


def test_without_a_relation_the_sign_of_the_weight_decides() -> None:
    text = '{"nodes": [{"id": 1, "base_score": 1}], "links": [{"source": 1, "target": 1, "weight": -0.5}]}'
    with pytest.warns(FormatWarning, match="1 integer name read as text"):
        assert read_text(text).attacks == {("1", "1"): 0.5}


def test_attributes_that_mean_nothing_here_are_named() -> None:
    with pytest.warns(FormatWarning, match="not understood and ignored: 'colour', 'created'"):
        read_text('{"graph": {"created": 1}, "nodes": [{"id": "a", "base_score": 1, "colour": 2}], "edges": []}')


BROKEN_NODE_LINK = [
    ('{"nodes": []}', "hotel: the keys are 'nodes'; expected nodes and either edges or links"),
    ('{"directed": false, "nodes": [], "edges": []}', 'hotel: the graph is not directed; expected "directed": true'),
    ('{"nodes": [{"name": "a"}], "edges": []}', "hotel:1: '{\"name\": \"a\"}' has no 'id'"),
    ('{"nodes": [{"id": 1.5}], "edges": []}', "hotel:1: an argument is named '1.5'; expected text or an integer"),
    ('{"nodes": [{"id": 1}, {"id": "1"}], "edges": []}', "hotel:1: argument '1' was given before, in line 1"),
    (
        '{"nodes": [{"id": "a"}, {"id": "b"}],\n"edges": [{"source": "a", "target": "b", "weight": 1},\n'
        '{"source": "a", "target": "a"}]}',
        "hotel:3: the edge from 'a' to 'a' has neither a relation nor a weight; expected attack or support",
    ),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_NODE_LINK)
def test_broken_node_link_is_refused_with_its_reason(text: str, message: str) -> None:
    refused("node-link", text, message)


def test_an_undirected_networkx_graph_is_refused() -> None:
    import networkx

    with pytest.raises(FormatError, match="not directed"):
        from_networkx(networkx.Graph([("a", "b")]))


def xml(inside: str, keys: str = "") -> str:
    return f'<graphml>{keys}\n<graph edgedefault="directed">{inside}</graph></graphml>'


BROKEN_GRAPHML = [
    (
        '<!DOCTYPE a [<!ENTITY b "c">]><graphml/>',
        "hotel:1: a <!DOCTYPE> is not accepted, because it can define entities that expand without limit; remove it",
    ),
    ("<graphml><graph></graphml>", "hotel:1: not XML: mismatched tag"),
    ("<graphml/>", "hotel: no <graph> in the file"),
    ("<svg/>", "hotel:1: unexpected <svg> here; expected a GraphML graph of nodes and edges"),
    (
        xml("<hyperedge/>"),
        "hotel:2: unexpected <hyperedge> inside <graph>; expected a GraphML graph of nodes and edges",
    ),
    (
        '<graphml><graph edgedefault="undirected"><node id="a"/>\n<edge source="a" target="a"/></graph></graphml>',
        "hotel:2: the edge between 'a' and 'a' is not directed; an attack or support has a direction",
    ),
    (xml("<node/>"), "hotel:2: <node> has no 'id'"),
    (xml("<node id='a'><data key='d'>1</data></node>"), "hotel:2: <data> has the key 'd', which no <key> declares"),
    (xml("\n<node id='a'/><node id='a'/>"), "hotel:3: argument 'a' was given before, in line 3"),
    (xml("<node id='a'/>stray"), "hotel:2: the text 'stray' is outside <data>"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_GRAPHML)
def test_broken_graphml_is_refused_with_line_and_reason(text: str, message: str) -> None:
    refused("graphml", text, message)


def test_graphml_takes_defaults_and_leaves_drawings_aside() -> None:
    keys = (
        '<key id="b" for="node" attr.name="base_score" attr.type="double"><default>0.25</default></key>'
        '<key id="g" for="node" yfiles.type="nodegraphics"/>'
    )
    text = xml(
        '<node id="a"><data key="g"><Shape>x</Shape></data></node><node id="c"><data key="b">1</data></node>', keys
    )
    assert read_text(text) == Qbaf({"a": 0.25, "c": 1.0})


def test_graphml_refuses_an_encoding_that_it_was_not_read_in() -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph><node id="é"/></graph></graphml>'
    refused("graphml", text, "hotel:1: the file declares the encoding 'ISO-8859-1'; save it as UTF-8")


def test_graphml_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphml, "MAX_CHARACTERS", 5)
    with pytest.raises(TooLarge, match="10 letters of GraphML are over the limit of 5"):
        read_text("<graphml/>", "graphml")


# -- four lists ------------------------------------------------------------------------------------------------------


def test_four_lists_make_a_graph() -> None:
    made = from_lists(["a", "b", "c"], [0, 0.5, 1], [("a", "b")], [("c", "b")])
    assert made == Qbaf({"a": 0, "b": 0.5, "c": 1}, [("a", "b")], [("c", "b")])


@pytest.mark.parametrize(
    ("names", "scores", "message"),
    [
        (["a"], [], "1 name and 0 base scores; give as many of each"),
        (["a", "a"], [1, 1], "argument 'a' is named twice; keep one"),
        ("ab", [1, 1], "names is the string 'ab'"),
        ([["a"]], [1], "a name is a string"),
    ],
)
def test_four_lists_that_do_not_fit_are_refused(names: list[str], scores: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_lists(names, scores)


def test_results_with_one_item_per_line_are_read_as_those_in_a_list() -> None:
    items = json.loads(RESULTS)["data"]
    text = "".join(json.dumps(item) + "\n" for item in items * 2)
    many = qbaf_json.parse_many(text)
    assert list(many.values()) == list(qbaf_json.parse_many(json.dumps({"data": items * 2})).values())
    address = list(many)[-1]
    assert address == "4/base"
    assert qbaf_json.parse_one(text, address) == many[address]
    with pytest.raises(FormatError, match="line 2: the base score of"):
        qbaf_json.parse_many(text.split("\n")[0] + '\n{"base": {"bag": {"arguments": {"a": 7}}}}\n')


@pytest.mark.parametrize("written", ["list", "lines", "results", "one"])
@pytest.mark.parametrize("shape", ["graph", "bag", "base"])
def test_claims_of_language_models_are_read_in_every_shape(tmp_path: Path, written: str, shape: str) -> None:
    graph = {"arguments": {"db0": {"initial_weight": 0.5}, "d": {"initial_weight": 0.25}}, "attacks": [["d", "db0"]]}
    item = {"graph": graph, "bag": {"id": 7, "bag": graph}, "base": {"claim": "x", "base": {"bag": graph}}}[shape]
    text = {
        "list": json.dumps([item, item], indent=1),
        "lines": f"{json.dumps(item)}\n" * 2,
        "results": json.dumps({"arguments": {}, "data": [item, item]}),
        "one": json.dumps(item),
    }[written]
    ending = {"graph": "", "bag": "/bag", "base": "/base"}[shape]
    first = 1 if written == "lines" else 0
    expected = [f"{place}{ending}" for place in range(first, first + (1 if written == "one" else 2))]
    if (written, shape) == ("one", "graph"):
        expected = [""]
    for name in ("claims.json", "claims.jsonl") if written == "lines" else ("claims.json",):
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = qx.read_many(tmp_path / name)
        assert {address: len(graph) for address, graph in found.items()} == dict.fromkeys(expected, 2)
        assert len(qx.read(f"{tmp_path / name}#{expected[-1]}" if expected != [""] else tmp_path / name)) == 2


def test_an_item_without_a_graph_is_named_and_stops_no_other(tmp_path: Path) -> None:
    items = [{"arguments": {"a": 0.5}}, {"id": 7, "answer": "yes"}]
    (tmp_path / "claims.json").write_text(json.dumps(items), encoding="utf-8")
    first, second = qx.explain_many(tmp_path / "claims.json")
    assert (first.error, first.name) == (None, f"{tmp_path / 'claims.json'}#0")
    assert "no 'arguments' among the keys 'id', 'answer'" in str(second.error)


def test_a_wrong_score_in_a_list_is_refused_with_its_line() -> None:
    text = '[\n {"arguments": {"a": 0.5}},\n {"id": 7, "bag": {"arguments": {"a": 7}}}\n]'
    with pytest.raises(FormatError, match="base score of 'a' is 7"):
        qbaf_json.parse_many(text)
