"""What is written is read back: everything where the format holds everything, else all that it holds."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import FORMATS, FormatWarning, Qbaf
from qontrast.formats import read_text, write_text
from tests.support.format_strategies import any_name, any_text, bare, intervals, plain_name, qbafs, xml_text

line = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=12)


def back(qbaf: Qbaf, format: str, **options: object) -> Qbaf:
    """Out and in again; only 'no base scores' and 'an empty label' may be said on the way."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*(without a base score|with an empty label)")
        return FORMATS[format].parse(write_text(qbaf, format, **options))


@given(qbafs())
def test_native_json_holds_everything(qbaf: Qbaf) -> None:
    assert back(qbaf, "json") == qbaf


def test_native_json_keeps_a_label_that_repeats_the_name() -> None:
    qbaf = Qbaf({"a": 0.1}, labels={"a": "a"})
    assert back(qbaf, "json") == qbaf


@given(qbafs())
def test_node_link_json_holds_everything(qbaf: Qbaf) -> None:
    assert back(qbaf, "node-link") == qbaf


@given(
    qbafs(
        names=xml_text.filter(bool),
        groups=xml_text.filter(bool),
        uncertain=None,
        labels=xml_text | st.just('two\r\nlines\tand <a> & "quotes" '),
    )
)
def test_graphml_holds_everything_that_xml_can_write(qbaf: Qbaf) -> None:
    assert back(qbaf, "graphml") == qbaf


@given(qbafs(labels=any_text.filter(bool), with_semantics=False, uncertain=intervals))
def test_csv_holds_everything_but_semantics_empty_labels_and_distributions(qbaf: Qbaf) -> None:
    assert back(qbaf, "csv") == qbaf


@given(
    qbafs(
        names=plain_name,
        labels=st.nothing(),
        weights=st.just(1.0),
        with_topics=False,
        with_semantics=False,
        with_groups=False,
        uncertain=None,
    )
)
def test_bag_holds_base_scores_and_edges(qbaf: Qbaf) -> None:
    assert back(qbaf, "bag") == qbaf


@given(
    qbafs(
        names=plain_name,
        labels=st.nothing(),
        with_topics=False,
        with_semantics=False,
        with_groups=False,
        uncertain=None,
    )
)
def test_bag_holds_weights_when_asked(qbaf: Qbaf) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*written to bag", category=FormatWarning)
        assert back(qbaf, "bag", weights=True) == qbaf


@given(qbafs(names=any_name.filter(lambda name: "\r" not in name), labels=st.nothing(), **bare))
def test_apx_holds_every_name_and_both_relations(qbaf: Qbaf) -> None:
    assert back(qbaf, "apx") == qbaf


@given(qbafs(names=plain_name, labels=line, **bare))
def test_tgf_holds_labels_and_both_relations(qbaf: Qbaf) -> None:
    assert back(qbaf, "tgf") == qbaf


@given(qbafs(labels=any_text, **bare))
def test_aif_holds_names_labels_and_both_relations(qbaf: Qbaf) -> None:
    assert back(qbaf, "aif") == qbaf


@given(st.integers(1, 8), st.data())
def test_iccma_holds_attacks_between_numbers(size: int, data: st.DataObject) -> None:
    name = st.sampled_from([str(i) for i in range(1, size + 1)])
    attacks = data.draw(st.lists(st.tuples(name, name), unique=True))
    qbaf = Qbaf({str(i): 0.5 for i in range(1, size + 1)}, attacks=attacks)
    assert back(qbaf, "iccma") == qbaf


def reaching_topics(qbaf: Qbaf) -> Qbaf:
    reached, size = set(qbaf.topics[:3] or qbaf.arguments[:1]), 0
    while size < len(reached):
        size = len(reached)
        reached |= {source for source, target in (*qbaf.attacks, *qbaf.supports) if target in reached}
    topics = qbaf.topics or qbaf.arguments[:1]
    kept = qbaf.restrict(reached)
    return Qbaf(kept.base_scores, kept.attacks, kept.supports, labels=kept.labels, topics=topics)  # type: ignore[arg-type]


awkward = st.sampled_from(
    ["1.2. Pro: no claim", "1. one\n1.1. two", "-> See 1.1.", "Con: not so", "[a](b) (c)", "a\\b\\(", "a\n\nb", "Pro:"]
)


@given(qbafs(names=plain_name, labels=line | awkward, **{**bare, "with_topics": True}).map(reaching_topics))
def test_kialo_holds_the_graph_up_to_names(qbaf: Qbaf) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*cannot hold names", category=FormatWarning)
        read = back(qbaf, "kialo")
        assert [len(read), len(read.attacks), len(read.supports)] == [len(qbaf), len(qbaf.attacks), len(qbaf.supports)]
        assert [read.label(name) for name in read.topics] == [qbaf.label(name) for name in qbaf.topics]
        assert sorted(map(read.label, read)) == sorted(map(qbaf.label, qbaf))
        assert back(read, "kialo") == read  # its names are numbers now: nothing more changes


@pytest.mark.parametrize("format", FORMATS)
def test_whatever_a_format_writes_it_recognises(format: str) -> None:
    qbaf = Qbaf({"1": 0.5, "2": 0.5}, attacks=[("2", "1")], topics=["1"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        text = write_text(qbaf, format)
        assert [len(read_text(text)), len(read_text(text).attacks)] == [2, 1]
        assert next(each.name for each in FORMATS.values() if each.recognise(text)) == format


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("format", FORMATS)
def test_line_ends_of_any_system_are_the_same(format: str, end: str) -> None:
    qbaf = Qbaf({"1": 0.5, "2": 0.5}, attacks=[("2", "1")], topics=["1"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        text = write_text(qbaf, format).replace("\r\n", "\n")
        assert FORMATS[format].parse(text.replace("\n", end)) == FORMATS[format].parse(text)
