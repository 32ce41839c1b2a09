"""Figures and pairs of edges and groups, on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from qontrast import all_pairs, contrast, examples
from qontrast.show import FIGURES

THEMES = {"tests": ["pcr", "wbc"], "symptoms": ["fever", "cough"]}
PAIR = ("antiviral", "antibiotic")
DRAWN = [
    (figure, kind) for figure, entry in FIGURES.items() for kind in entry.players if entry.players != ("arguments",)
]


@pytest.mark.parametrize(("figure", "kind"), DRAWN)
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_every_figure_is_drawn_for_the_players_that_it_can_show(qontrast, figure, kind, suffix):
    Path("themes.json").write_text(json.dumps(THEMES))
    who = "--groups themes.json" if kind == "groups" else f"--players {kind}"
    how = "--method sampled --budget 60" if kind == "edges" and figure not in ("edges", "interactions") else ""
    graph = "examples:zebra" if kind != "groups" else "examples:healthcare"
    ran = qontrast(f"draw {graph} --figure {figure} {who} {how} -o out.{suffix}")
    assert ran.code == 0, ran.err
    assert Path(f"out.{suffix}").stat().st_size > 500


@pytest.mark.parametrize("figure", [figure for figure, entry in FIGURES.items() if "groups" not in entry.players])
def test_a_figure_that_cannot_show_the_players_says_which_can(qontrast, figure):
    Path("themes.json").write_text(json.dumps(THEMES))
    ran = qontrast(f"draw examples:healthcare --figure {figure} --groups themes.json -o out.svg")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"the figure '{figure}' does not show groups; try --players arguments" in ran.err
    assert "give --figure one of graph, bars, waterfall, interactions" in ran.err


def test_bars_and_the_graph_show_the_contributions_of_edges(qontrast):
    why = contrast(examples.load("healthcare"), *PAIR, players="edges", method="removal")
    for figure, shape in (("bars", "qx-bar"), ("graph", "qx-edge")):
        drawn = qontrast(f"draw examples:healthcare --figure {figure} --players edges --method removal -o out.svg")
        assert drawn.code == 0
        picture = Path("out.svg").read_text(encoding="utf-8")
        found = re.findall(
            f'class="{shape}[^>]*data-source="(.*?)" data-target="(.*?)"[^>]*data-value="(.*?)"', picture
        )
        values = {(source, target): float(value) for source, target, value in found}
        assert values == pytest.approx({edge: why[edge] for edge in values}, abs=1e-12)
        assert len(values) == (20 if figure == "bars" else len(why))


@pytest.mark.parametrize("option", ["--players edges --method removal", "--players direct", "--groups themes.json"])
def test_all_pairs_take_players_as_in_the_library(qontrast, option):
    Path("themes.json").write_text(json.dumps(THEMES))
    who = THEMES if "groups" in option else option.split()[1]
    method = "removal" if "removal" in option else "shapley"
    expected = all_pairs(examples.load("healthcare"), players=who, method=method)
    assert qontrast(f"pairs examples:healthcare {option} --json").data == json.loads(expected.to_json())
