"""Discussions as Kialo and AIF write them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from qontrast import FormatError, FormatWarning, Qbaf
from qontrast.formats import read_text, write_text

THESIS = """Discussion Title: Should towns ban cars?

1. Towns should ban cars from their centres.
1.1. Pro: -> See 1.2.1.
1.2. Con: Shops lose customers \\(so they say\\).
Most of them arrive by car.

Not all.
1.2.1. Con: Customers [like quiet streets](https://example.org/a_b), they say.
1.3. Pro: The air becomes cleaner.
"""


@pytest.fixture
def thesis() -> Qbaf:
    with pytest.warns(FormatWarning, match="4 arguments without a base score: 0.5 is used"):
        return read_text(THESIS)


def test_pro_supports_and_con_attacks_the_claim_above(thesis: Qbaf) -> None:
    assert thesis.attacks == {("1.2", "1"): 1.0, ("1.2.1", "1.2"): 1.0}
    assert ("1.3", "1") in thesis.supports


def test_a_link_to_a_line_further_down_is_one_more_edge(thesis: Qbaf) -> None:
    assert "1.1" not in thesis
    assert thesis.supports == {("1.2.1", "1"): 1.0, ("1.3", "1"): 1.0}


def test_text_runs_over_lines_and_is_unwrapped(thesis: Qbaf) -> None:
    assert thesis.label("1.2") == "Shops lose customers (so they say).\nMost of them arrive by car.\n\nNot all."
    assert thesis.label("1.2.1") == "Customers like quiet streets, they say."


def test_the_thesis_is_the_topic(thesis: Qbaf) -> None:
    assert thesis.topics == ("1",)


@pytest.mark.filterwarnings("ignore:.*without a base score")
def test_children_with_neither_pro_nor_con_are_the_topics() -> None:
    qbaf = read_text("1. Which fuel?\n1.1. Sun\n1.1.1. Con: Nights\n1.2. Wind\n1.2.1. Con: -> See 1.1.1.")
    assert qbaf.topics == ("1.1", "1.2")
    assert tuple(qbaf) == ("1.1", "1.1.1", "1.2")  # the question is no argument
    assert qbaf.attacks == {("1.1.1", "1.1"): 1.0, ("1.1.1", "1.2"): 1.0}


@pytest.mark.filterwarnings("ignore:.*without a base score")
def test_a_link_to_a_link_ends_at_the_claim() -> None:
    lines = (
        "1. T",
        "1.1. Pro: A",
        "1.1.1. Con: -> See 1.2.1.",
        "1.2. Con: B",
        "1.2.1. Pro: -> See 1.3.",
        "1.3. Con: C",
    )
    qbaf = read_text("\n".join(lines))
    assert ("1.3", "1.1") in qbaf.attacks
    assert ("1.3", "1.2") in qbaf.supports
    assert tuple(qbaf) == ("1", "1.1", "1.2", "1.3")


BROKEN = [
    ("1. T\n1.1. Pro: -> See 1.3.", "hotel:2: '-> See 1.3' leads nowhere: no claim '1.3' among the 2 here; "
     "did you mean '1.1'?"),
    ("1. T\n1.1. Pro: -> See 1.2.\n1.2. Pro: -> See 1.1.", "hotel:3: '-> See 1.1' leads in a circle"),
    ("1. T\n1.1. Pro: A\n1.1. Con: B", "hotel:3: claim 1.1 was given before, in line 2"),
    ("1. T\n1.2.1. Pro: A", "hotel:2: claim 1.2.1 belongs under 1.2, but there is no claim 1.2 before it"),
    ("1. Pro: T", "hotel:1: the first claim is a Pro; expected the thesis"),
    ("Hello\n1. T", "hotel:1: 'Hello' comes before the first claim; expected '1. ' and its text"),
    ("", "hotel: no claim; expected a line '1. ' and its text"),
    ("1. T\n1.1. Pro: A\n1.2. Con: -> See 1.1.", "hotel:3: the edge from '1.1' to '1' is both an attack and a support; "
     "it was given before, in line 2"),
    ("1. T\n1.1. -> See 1.", "hotel:2: '-> See 1' is neither Pro nor Con"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*without a base score")
@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_kialo_is_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(text, "kialo", name="hotel")
    assert str(caught.value) == message


def test_the_same_link_twice_is_kept_once_and_said() -> None:
    with pytest.warns(FormatWarning) as caught:
        qbaf = read_text("1. T\n1.1. Pro: A\n1.2. Pro: -> See 1.1.", "kialo")
    assert str(caught[0].message) == "<text>: 1 edge given more than once; kept once"
    assert qbaf.supports == {("1.1", "1"): 1.0}


def test_kialo_refuses_arguments_that_reach_no_topic() -> None:
    with pytest.raises(FormatError, match="kialo cannot hold arguments that reach no topic: 'b'"):
        write_text(Qbaf({"a": 0.5, "b": 0.5}, topics=["a"]), "kialo")
    with pytest.raises(FormatError, match="kialo needs a topic"):
        write_text(Qbaf({"a": 0.5}), "kialo")


def test_kialo_refuses_a_tree_whose_numbers_would_fill_the_memory() -> None:
    names = [str(k) for k in range(2000)]
    chain = Qbaf(dict.fromkeys(names, 0.5), attacks=[(b, a) for a, b in pairwise(names)], topics=["0"])
    with pytest.raises(FormatError, match="a tree of more than 500 levels"):
        write_text(chain, "kialo")


# -- AIF ------------------------------------------------------------------------------------------------------


def aif(types: dict[str, str], *edges: tuple[str, str]) -> dict[str, Any]:
    nodes = [{"nodeID": name, "text": f"text of {name}", "type": kind} for name, kind in types.items()]
    return {"nodes": nodes, "edges": [{"edgeID": str(k), "fromID": a, "toID": b} for k, (a, b) in enumerate(edges)]}


PLAIN = aif(
    {"1": "I", "2": "I", "3": "I", "4": "I", "r": "RA", "c": "CA"},
    *(("1", "r"), ("2", "r"), ("r", "3"), ("4", "c"), ("c", "3")),
)


@pytest.mark.filterwarnings("ignore:.*without a base score")
@pytest.mark.parametrize("data", [PLAIN, {"AIF": PLAIN, "OVA": {}, "text": "…"}])
def test_ra_is_a_support_from_each_premise_and_ca_an_attack(data: dict[str, Any]) -> None:
    qbaf = read_text(json.dumps(data))
    assert qbaf.supports == {("1", "3"): 1.0, ("2", "3"): 1.0}
    assert qbaf.attacks == {("4", "3"): 1.0}
    assert qbaf.label("1") == "text of 1"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (aif({"1": "I", "2": "L", "3": "YA", "4": "YA", "5": "MA"}), "ignored: 1 L-node, 1 MA-node, 2 YA-nodes"),
        (
            aif({"1": "I", "2": "I", "r": "RA", "c": "CA"}, ("1", "r"), ("r", "2"), ("2", "c"), ("c", "r")),
            "ignored: 1 RA- or CA-node without an I-node on both sides",
        ),
        (
            aif({"1": "I", "r": "RA", "s": "RA"}, ("1", "r"), ("r", "1"), ("1", "s"), ("s", "1")),
            "1 edge given more than once; kept once",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*(without a base score|between RA- and CA-nodes)")
def test_aif_says_what_it_leaves_aside(data: dict[str, Any], message: str) -> None:
    with pytest.warns(FormatWarning) as caught:
        read_text(json.dumps(data))
    assert f"<text>: {message}" in [str(each.message) for each in caught]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (aif({"1": "Q"}), "node '1' has the type 'Q'; expected I, RA, CA, MA, PA, TA, YA, L"),
        (aif({"1": "I", "2": "I"}, ("1", "2")), "an edge joins the I-nodes '1' and '2'; expected RA or CA between"),
        (aif({"1": "I"}, ("1", "7")), "an edge has the toID '7', which is not a node"),
        ({"nodes": []}, "no 'edges' in the object; expected nodes and edges"),
        ({"nodes": [{"type": "I"}], "edges": []}, '\'{"type": "I"}\' has no nodeID; expected text or an integer'),
        ({"AIF": []}, "'AIF' is a list; expected an object {…}"),
    ],
)
def test_broken_aif_is_refused_with_its_reason(data: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_text(json.dumps(data), "aif", name="hotel")
    assert str(caught.value) == f"hotel: {message}"


@pytest.mark.parametrize("lead", [0, 1, 3])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_links_that_lead_in_a_circle_are_refused_wherever_they_enter_it(lead: int, length: int) -> None:
    """The first `lead` claims link to the next one, and those after them to each other, round and round."""
    count = lead + length
    targets = [k + 1 if k + 1 < count else lead for k in range(count)]
    lines = [f"1.{k + 1}. Pro: -> See 1.{target + 1}." for k, target in enumerate(targets)]
    with pytest.raises(FormatError, match=r"'-> See 1\.\d+' leads in a circle"):
        read_text("\n".join(["Discussion Title: Loops", "", "1. The thesis.", *lines]), "kialo")
    straight = [*lines[:-1], f"1.{count}. Pro: A reason."]
    with pytest.warns(FormatWarning):  # no base scores, and the same edge more than once
        assert len(read_text("\n".join(["Discussion Title: Loops", "", "1. The thesis.", *straight]), "kialo")) == 2
