"""Twins, whose numbers differ in their last bits only, stand in the order of their names wherever they are shown."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import qontrast as qx
from qontrast import Qbaf
from qontrast.questions.topics import order_by_strength
from qontrast.results.order import find_least, rank_contributions, sort_by_size
from qontrast.show import bars_svg, contrast_bars, plot_contrast
from qontrast.show.html.batch import batch_html
from qontrast.show.narrative import paragraph, sentence
from qontrast.show.numbers import add_up, fixed, number
from qontrast.show.svg.elements import compact

NAMES = ("twin b", "twin c", "twin a")  # neither the order of the graph nor of the last bits is that of the names
BITS = (3e-16, 1e-16, 0.0)


def make_graph() -> Qbaf:
    scores = {"fact": 0.5, "foil": 0.5, **dict.fromkeys(NAMES, 0.5)}
    return Qbaf(scores, supports=[(name, "fact") for name in NAMES], topics=["fact", "foil"])


@pytest.fixture
def why() -> qx.Contrast:
    """A contrast of three twins; the last bits of their contributions are as another machine might round them."""
    found = qx.contrast(make_graph(), "fact", "foil", method="removal")
    array = found.array.copy()
    for name, bits in zip(NAMES, BITS, strict=True):
        array[found.players.index(name)] = 0.125 + bits
    return replace(found, array=array)


def print_to_text(renderable: object) -> str:
    console = Console(width=100, file=StringIO())
    console.print(renderable)
    return console.file.getvalue()  # type: ignore[attr-defined]


def find_order(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"twin.[abc]", text.replace("\u00a0", " "))))


def test_twins_stand_in_the_order_of_their_names_in_every_answer_for_people(why: qx.Contrast) -> None:
    assert [name for name, _ in why.ranked()] == sorted(NAMES)
    bars = " ".join(label.get_text() for label in plot_contrast(why).get_yticklabels())
    for text in (sentence(why), paragraph(why), bars_svg(why), print_to_text(contrast_bars(why)), str(why), bars):
        assert find_order(text) == sorted(NAMES)[: len(find_order(text))], text
        assert len(find_order(text)) >= 2, text


def test_pairs_of_twins_are_listed_in_the_order_of_their_names() -> None:
    found = qx.interactions(make_graph(), "fact", "foil")
    matrix = found.matrix.copy()
    for k, (one, other) in enumerate(((0, 1), (1, 2), (0, 2))):
        i, j = (found.players.index(NAMES[x]) for x in (one, other))
        matrix[i, j] = matrix[j, i] = 0.25 + k * 2e-16
    pairs = [pair for pair, _ in replace(found, matrix=matrix).strongest(3)]
    assert pairs == sorted(pairs, key=str)


def test_topics_that_are_tied_keep_their_order_and_rows_of_a_batch_that_of_the_graphs() -> None:
    assert order_by_strength("cab", {"a": 2**-11 + 1e-16, "b": 2**-11, "c": 2**-11 - 1e-16}) == ["c", "a", "b"]
    answers = [{"name": f"graph {k}", "gap": 0.125 - k * 2e-16} for k in range(3)]
    common = {"fact": "p", "foil": "q", "error": None, "certified": None, "found": None, "reasons": "x +0.1"}
    page = batch_html([common | row for row in answers], sources=["x"], links={})
    assert re.findall(r"--gap:(\d);--fragility:\d;--given:(\d)", page) == [("0", "0"), ("1", "1"), ("2", "2")]


def test_of_twins_whose_removal_does_the_same_the_first_of_the_graph_is_removed() -> None:
    scores = {"fact": 0.5, "foil": 0.55, "z": 0.5, "y": 0.5, "x": 0.5}
    found = qx.flip(Qbaf(scores, supports=[(name, "fact") for name in "zyx"]), "fact", "foil")
    assert found.removal == tuple("zyx"[: len(found.removal or "")])


def test_contributions_to_two_topics_that_are_equal_but_for_rounding_leave_exactly_0() -> None:
    graph = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p"), ("x", "q")])
    for one, other, left in ((0.1 + 0.2, 0.3, 0.0), (0.3, 0.3 - 1e-10, 1e-10)):
        rows = [[0.0, 0.0, one], [0.0, 0.0, other]]
        why = qx.contrast(graph, "p", "q", method=lambda problem, topics, progress, rows=rows: rows)
        assert one != other
        assert why["x"] == pytest.approx(left, abs=1e-15)
        assert bool(why["x"]) == bool(left)


@pytest.mark.parametrize("value", [0.0625, 2**-4 * 3, 0.5**11, -0.1875])
def test_last_bits_do_not_choose_the_last_digit_that_is_written(value: float) -> None:
    for moved in (np.nextafter(value, -1), np.nextafter(value, 1)):
        assert number(float(moved)) == number(value)
        assert fixed(float(moved), 3) == fixed(value, 3)
        assert add_up(float(moved), total=float(moved)) == add_up(value, total=value)
        assert compact(2 * float(moved)) == compact(2 * value)


@pytest.mark.parametrize("seed", range(8))
def test_last_bits_change_no_order_and_no_group_of_ties(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.choice([2.0**-11, 3 * 2.0**-11, 0.0, 0.1, 1e-11], 40)
    names = [f"{k:02}" for k in random.permutation(40)]
    expected = sorted(zip(names, values, strict=True), key=lambda each: (-round(each[1], 9), each[0]))
    for _ in range(5):
        moved = values + random.choice([-3e-16, 0.0, 3e-16], 40)
        found = rank_contributions(dict(zip(names, moved.tolist(), strict=True)))
        assert [name for name, _ in found] == [name for name, _ in expected]


def test_a_long_row_of_close_numbers_is_no_single_tie() -> None:
    sizes = np.linspace(0, 1e-8, 1000)
    assert sort_by_size(range(1000), sizes.__getitem__)[0] >= 989
    assert sort_by_size(range(1000), sizes.__getitem__)[-1] <= 9


def test_numbers_that_are_infinite_or_missing_have_a_place_in_an_order() -> None:
    sizes = {"d": float("nan"), "b": float("inf"), "a": float("inf"), "c": 1.0, "e": -float("inf")}
    assert sort_by_size(sizes, sizes.__getitem__, tie=str) == ["a", "b", "c", "d", "e"]
    assert find_least([2.0, 1.0 + 1e-16, 1.0]) == 1
    assert sort_by_size([], abs) == []
