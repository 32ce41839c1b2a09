"""Arcs beside the bars of a contrast: the strongest interactions of the players that have a bar."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast import show
from qontrast.show.arcs import MAX_ARCS, NUMBER, ROW, THICKEST, THINNEST, Arc, find_arcs
from qontrast.show.bar_rows import find_parts, find_rows
from qontrast.show.palette import find_palette
from qontrast.show.phrasing import choose
from tests.support.graphs_to_show import healthcare, of_class, parsed

PAIR = ("antiviral", "antibiotic")
PLAYERS: dict[str, Any] = {
    "arguments": "arguments",
    "direct": "direct",
    "groups": {"Tests": ["pcr", "wbc"], "Symptoms": ["fever", "cough"]},
}


def ask(players: Any = "arguments", **settings: Any) -> tuple[qx.Contrast, qx.Interactions]:
    return (
        qx.contrast(healthcare(), *PAIR, players=players, **settings),
        qx.interactions(healthcare(), *PAIR, players=players, **settings),
    )


def arcs_of(why: qx.Contrast, found: qx.Interactions, limit: int = 20) -> tuple[list[Arc], list[Any]]:
    to = choose("en")
    rows = [*find_rows(why, limit, to)[0], *find_parts(why, to)]
    return find_arcs(found, why, rows, to), [row.name for row in rows]


@pytest.mark.parametrize("limit", [3, 20])
@pytest.mark.parametrize("kind", PLAYERS)
def test_arcs_are_the_strongest_interactions_between_players_that_have_a_bar(kind: str, limit: int) -> None:
    why, found = ask(PLAYERS[kind])
    arcs, names = arcs_of(why, found, limit)
    strongest = [(set(pair), value) for pair, value in found.strongest(999) if {*pair} <= {*names}]
    drawn = [({names[arc.upper], names[arc.lower]}, arc.value) for arc in arcs]
    expected = [(pair, value) for pair, value in strongest if abs(value) >= 1e-3][:MAX_ARCS]
    assert sorted(drawn, key=lambda each: -abs(each[1])) == expected
    assert all(arc.upper < arc.lower for arc in arcs)


@pytest.mark.parametrize("kind", PLAYERS)
def test_arcs_that_overlap_reach_to_different_places_and_numbers_hide_no_other(kind: str) -> None:
    arcs, _ = arcs_of(*ask(PLAYERS[kind]))
    for one, other in combinations(arcs, 2):
        if one.upper < other.lower and other.upper < one.lower:
            assert one.lane != other.lane
        (x, row), (far, place) = one.number_place, other.number_place
        assert abs(x - far) >= NUMBER[0] or ROW * abs(row - place) >= NUMBER[1]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("palette", ["default", "colour-blind"])
def test_the_svg_has_an_arc_for_each_as_thick_as_it_is_large_and_inside_the_picture(palette: str, dark: bool) -> None:
    why, found = ask()
    colours, (arcs, _) = find_palette(palette, dark), arcs_of(why, found)
    svg = show.bars_svg(why, interactions=found, palette=palette, dark=dark)
    root = parsed(svg)
    drawn = of_class(root, "qx-arc")
    assert [float(each.attrib["data-value"]) for each in drawn] == [arc.value for arc in arcs]
    largest = max(abs(arc.value) for arc in arcs)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    assert width == 640
    for element, arc in zip(drawn, arcs, strict=True):
        (line,) = (each for each in element.iter() if each.tag.endswith("path"))
        expected = THINNEST + (THICKEST - THINNEST) * abs(arc.value) / largest
        assert float(line.attrib["stroke-width"]) == pytest.approx(expected, abs=0.06)
        assert line.attrib["stroke"] == (colours.fact if arc.value > 0 else colours.foil)
        start = float(re.findall(r"M([\d.]+)", line.attrib["d"])[0])
        assert start + arc.reach + NUMBER[0] / 2 <= width
        assert all(0 <= float(y) <= height for y in re.findall(r"[\d.]+ ([\d.]+)", line.attrib["d"]))


def test_matplotlib_draws_the_same_arcs() -> None:
    why, found = ask()
    arcs, _ = arcs_of(why, found)
    ax = show.plot_contrast(why, interactions=found)
    lines = [patch for patch in ax.patches if type(patch).__name__ == "PathPatch"]
    assert [patch.get_linewidth() for patch in lines] == pytest.approx([arc.width for arc in arcs])
    assert [text.get_text() for text in ax.texts][-len(arcs) :] == [arc.text for arc in arcs]
    assert "Arcs: the strongest interactions" in ax.get_xlabel()
    assert "Arcs:" not in show.plot_contrast(why).get_xlabel()


@pytest.mark.parametrize(
    ("language", "said", "legend"),
    [
        ("en", "“Viral pneumonia” and “Positive PCR test” work together for “Antiviral therapy”: +0.092", "Arcs:"),
        ("de", "„Viral pneumonia“ und „Positive PCR test“ wirken zusammen für „Antiviral therapy“: +0,092", "Bögen:"),
    ],
)
def test_an_arc_reads_itself_out_and_the_legend_says_what_arcs_are(language: str, said: str, legend: str) -> None:
    why, found = ask()
    svg = show.bars_svg(why, interactions=found, language=language)
    one, _, other = said.partition(" und " if language == "de" else " and ")
    titles = [each.attrib["aria-label"] for each in of_class(parsed(svg), "qx-arc")]
    assert any(one in title and other.split(" ")[-1] in title for title in titles), titles
    assert legend in svg
    assert legend not in show.bars_svg(why, language=language)


def test_without_an_interaction_the_bars_are_as_they_were() -> None:
    q = qx.Qbaf({"t": 0.5, "u": 0.5, "x": 0.5}, supports=[("x", "t")], topics=["t", "u"])
    why, none = qx.contrast(q, "t", "u"), qx.interactions(q, "t", "u")
    assert show.bars_svg(why, interactions=none) == show.bars_svg(why)


WRONG: dict[str, Any] = {
    "no interactions": 3,
    "one topic": lambda: qx.interactions(healthcare(), "antiviral"),
    "reversed": lambda: qx.interactions(healthcare(), *PAIR[::-1]),
    "other players": lambda: qx.interactions(healthcare(), *PAIR, players="direct"),
    "another graph": lambda: qx.interactions(healthcare().with_base_scores({"pcr": 0.1}), *PAIR),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("draw", [show.bars_svg, show.plot_contrast])
def test_interactions_of_another_question_are_refused(draw: Any, name: str) -> None:
    wrong = WRONG[name]() if callable(WRONG[name]) else WRONG[name]
    with pytest.raises(qx.InvalidInput, match=r"interactions"):
        draw(ask()[0], interactions=wrong)


def test_the_command_draw_has_arcs_for_bars_only(qontrast: Any) -> None:
    assert qontrast("draw examples:healthcare --figure bars --interactions -o out.svg").code == 0
    assert Path("out.svg").read_text(encoding="utf-8").count('class="qx-arc"') == MAX_ARCS
    ran = qontrast("draw examples:healthcare --interactions -o out.svg")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "--interactions has no meaning for --figure graph; try --figure bars" in ran.err
