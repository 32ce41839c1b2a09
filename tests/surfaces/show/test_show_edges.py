"""Edges in the picture of a graph show what they contribute: by thickness and colour."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import qontrast as qx
from qontrast import show
from qontrast.show.drawing import THICKEST, THINNEST
from qontrast.show.palette import find_palette
from tests.support.graphs_to_show import healthcare

SVG = "{http://www.w3.org/2000/svg}"
CYCLIC = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "a": 0.7, "b": 0.2, "c": 0.9},
    attacks={("a", "b"): 0.5, ("b", "a"): 1.0, ("a", "q"): 1.0, ("p", "q"): 0.3, ("q", "p"): 1.0},
    supports={("b", "p"): 0.8, ("c", "c"): 0.4, ("c", "a"): 1.0},
    topics=["p", "q"],
    semantics="qe",
)


def edges_of(svg: str) -> dict[tuple[str, str], ElementTree.Element]:
    found = [each for each in ElementTree.fromstring(svg).iter(f"{SVG}g") if "qx-edge" in each.get("class", "").split()]
    edges = {(each.attrib["data-source"], each.attrib["data-target"]): each for each in found}
    assert len(edges) == len(found)
    return edges


def line_of(edge: ElementTree.Element) -> ElementTree.Element:
    (line,) = (each for each in edge.iter(f"{SVG}path") if each.get("class") == "qx-stroke")
    return line


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("palette", ["default", "colour-blind"])
@pytest.mark.parametrize(("qbaf", "fact", "foil"), [(healthcare(), "antiviral", "antibiotic"), (CYCLIC, "p", "q")])
def test_every_edge_is_as_thick_as_its_contribution_and_has_the_colour_of_whom_it_favours(
    qbaf: qx.Qbaf, fact: str, foil: str, palette: str, dark: bool
) -> None:
    why = qx.contrast(qbaf, fact, foil, players="edges", method="removal")
    svg = show.graph_svg(qbaf, why.strengths, fact=fact, foil=foil, contributions=why, palette=palette, dark=dark)
    drawn, colours = edges_of(svg), find_palette(palette, dark)
    assert set(drawn) == set(why)  # opposite edges have an arrow each
    largest = max(map(abs, why.values()))
    for edge, value in why.items():
        line = line_of(drawn[edge])
        assert float(drawn[edge].attrib["data-value"]) == value
        width = THINNEST + (THICKEST - THINNEST) * abs(value) / largest
        assert float(line.attrib["stroke-width"]) == pytest.approx(width, abs=0.06)
        assert line.attrib["stroke"] == (colours.fact if value > 0 else colours.foil if value < 0 else colours.muted)
        assert ("stroke-dasharray" in line.attrib) == (drawn[edge].attrib["data-kind"] == "attack")


def test_the_matplotlib_graph_has_a_line_of_its_own_width_for_every_edge() -> None:
    why = qx.contrast(CYCLIC, "p", "q", players="edges", method="removal")
    valued = show.draw_graph(CYCLIC, why.strengths, contributions=why, legend=False)
    lines = [p for p in valued.patches if type(p).__name__ == "PathPatch"]
    assert len(lines) == len(why)
    ratio = max(p.get_linewidth() for p in lines) / min(p.get_linewidth() for p in lines)
    smallest = min(map(abs, why.values())) / max(map(abs, why.values()))
    assert ratio == pytest.approx(THICKEST / (THINNEST + (THICKEST - THINNEST) * smallest))


@pytest.mark.parametrize(("language", "legend"), [("en", "thickness: how much"), ("de", "Dicke: wie viel")])
def test_the_legend_says_what_thickness_and_colour_mean_only_where_edges_have_contributions(
    language: str, legend: str
) -> None:
    why = qx.contrast(CYCLIC, "p", "q", players="edges", method="removal")
    assert legend in show.graph_svg(CYCLIC, contributions=why, language=language)
    for others in (None, qx.contrast(CYCLIC, "p", "q", method="removal")):
        svg = show.graph_svg(CYCLIC, contributions=others, language=language)
        assert legend not in svg
        assert "data-value" not in svg


def test_where_not_all_arguments_are_drawn_those_at_the_strongest_edges_are() -> None:
    q = qx.examples.load("debate")
    fact, foil = q.topics[:2]
    why = qx.contrast(q, fact, foil, players="edges", method="gradient")
    svg = show.graph_svg(q, why.strengths, fact=fact, foil=foil, contributions=why, limit=12)
    drawn = edges_of(svg)
    (strongest, _), *_ = why.ranked()
    assert strongest in drawn
    assert len(re.findall('class="qx-node', svg)) <= 12


@pytest.mark.parametrize(("qbaf", "fact", "foil"), [(healthcare(), "antiviral", "antibiotic"), (CYCLIC, "p", "q")])
def test_bars_open_into_edges_that_add_up_to_the_shapley_value_of_the_argument(
    qbaf: qx.Qbaf, fact: str, foil: str
) -> None:
    opened = qx.contrast(qbaf, fact, foil, players="edges", method="owen")
    ax = show.plot_edges(opened, limit=99)
    whole = [bar for bar in ax.patches if bar.get_height() == pytest.approx(0.66)]  # type: ignore[attr-defined]
    expected = qx.contrast(qbaf, fact, foil)
    values = [*expected.values(), expected.cross_topic.fact_from_foil, -expected.cross_topic.foil_from_fact]
    drawn = sorted(bar.get_width() for bar in whole)  # type: ignore[attr-defined]
    assert drawn == pytest.approx(sorted(value for value in values if abs(value) > 1e-12), abs=1e-9)


def test_only_owen_values_of_edges_open_and_the_caption_counts_what_is_left_out() -> None:
    q = healthcare()
    for settings in ({"players": "edges", "method": "removal"}, {"method": "shapley"}):
        with pytest.raises(qx.InvalidInput, match="need Owen values of edges"):
            show.plot_edges(qx.contrast(q, "antiviral", "antibiotic", **settings))  # type: ignore[arg-type]
    ax = show.plot_edges(qx.contrast(q, "antiviral", "antibiotic", players="edges", method="owen"), limit=1)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["Viral pneumonia", "→ Antibiotic therapy", "→ Antiviral therapy"]
    assert [each.get_text() for each in ax.texts if each.get_text()[0] in "+−"] == ["+0.328", "+0.170", "+0.158"]
    assert "1 edge below" in ax.get_xlabel()
    assert "10 arguments with smaller edges not shown" in ax.get_xlabel()


def test_a_graph_too_large_to_open_into_edges_is_told_of_the_plain_bars(qontrast: Any, tmp_path: Path) -> None:
    answer = qontrast(f"draw examples:debate --figure edges -o {tmp_path / 'edges.png'}")
    assert answer.code == 2
    assert "try --figure bars" in answer.err
    assert "--method" not in answer.err
