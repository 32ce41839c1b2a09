"""Tables, bars and boxes of notebooks and reports show the numbers of the results that they are made of."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import qontrast as qx
from qontrast.show import bars_svg, graph_svg, report_html
from qontrast.show.palette import find_palette
from qontrast.show.presentation import PRESENTATIONS
from tests.support.cells import name_player
from tests.support.figure_rows import is_written, read_number
from tests.support.html_tree import Node, read_html, read_sections, read_table
from tests.support.results_to_show import GRAPH, RESULTS, make_result, make_results

SEMANTICS = "ebt"  # of the report, and not the graph's own
SETTINGS: dict[str, Any] = {"semantics": SEMANTICS}


def name(q: qx.Qbaf, player: Any) -> str:
    """Write a player as tables do: `Plan A [p]`."""
    ends = player if isinstance(player, tuple) else (player,)
    label = name_player(q, player)
    return f"{label} [{' → '.join(ends)}]" if any(end in q.labels for end in ends) else label


# -- notebooks --------------------------------------------------------------------------------------------------------


def read_one_table(html: str) -> list[dict[str, str]]:
    (table,) = read_html(html).find("table")
    return read_table(table)


def check_attribution(one: qx.Attribution, html: str) -> None:
    rows = [list(row.values()) for row in read_one_table(html)]
    assert [label for label, _ in rows] == [name(one.qbaf, x) for x, _ in one.ranked()]
    for (_, number), (x, value) in zip(rows, one.ranked(), strict=True):
        assert number == "undefined" if x in one.sides else is_written(number, value)
    head = next(read_html(html).find("p")).text
    assert is_written(head.split("strength ")[1], one.strength, signed=False)


def check_pairs(pairs: qx.Pairs, html: str) -> None:
    own = {name(pairs.qbaf, x): pairs.phi.strengths[pairs.qbaf.index(x)] for x in pairs.topics}
    for row in read_one_table(html):
        (_, first), *cells = row.items()
        for other, text in cells:
            assert text == "·" if first == other else is_written(text, own[first] - own[other])


def check_interactions(found: qx.Interactions, html: str) -> None:
    rows = [list(row.values()) for row in read_one_table(html)]
    expected = {
        (name(found.qbaf, one), name(found.qbaf, other)): value for (one, other), value in found.items() if value
    }
    assert {(one, other) for one, other, _ in rows} == expected.keys()
    assert all(is_written(number, expected[one, other]) for one, other, number in rows)


def check_shares(found: qx.Uncertainty, rows: list[dict[str, str]]) -> None:
    assert [row["Argument"] for row in rows] == [name(found.qbaf, x) for x, _ in found.ranked()]
    for row, (x, share) in zip(rows, found.ranked(), strict=True):
        assert read_number(row["Share of the doubt"]) == pytest.approx(share, abs=5.1e-4)
        assert read_number(row["Total share"]) == pytest.approx(found.total[x], abs=5.1e-4)
        drop = found.expected_drop.get(x)
        written = row["Less risk if known"]
        assert written == "–" if drop is None else read_number(written) == pytest.approx(drop, abs=5.1e-4)


def check_bars(why: qx.Contrast, picture: Node) -> None:
    """Thick and thin bars have the lengths of the values, to the right for the fact and to the left for the foil."""
    (axis,) = picture.find("path", "qx-axis")
    unit, zero = float(axis.attributes["data-unit"]), float(axis.attributes["d"].split()[0].lstrip("M"))
    rows = {_read_name(each): each for each in picture.find("g", "qx-bar")}
    assert {x for x in why if why[x]} <= rows.keys()
    for x, row in rows.items():
        across = why.cross_topic
        values = [across.component, across.fact_from_foil, across.foil_from_fact]
        if x is not None:
            values = [why[x], *(why.individual[topic][x] for topic in (why.fact, why.foil))]
        elif "qx-cross" in row.attributes["class"] and len(list(row.find("rect"))) == 1:
            values = [why.base_gap]
        if x in why.sides:
            continue
        for bar, value in zip(row.find("rect"), values, strict=True):
            start, width = float(bar.attributes["x"]), float(bar.attributes["width"])
            assert start == pytest.approx(zero + min(0.0, unit * value), abs=0.03)
            assert width == pytest.approx(abs(unit * value), abs=0.03) or width == 0.75
        number = [each.text for each in row.find("text")][-1]
        assert is_written(number, values[0]) or why.std_error is not None, number


def _read_name(row: Node) -> Any:
    ends = row.attributes.get("data-source"), row.attributes.get("data-target")
    return ends if ends[0] is not None else row.attributes.get("data-name")


def check_graph(found: qx.Strengths, html: str) -> None:
    """Boxes say base score and strength, and their gauges are as long; edges have their weights."""
    page, q = read_html(html), found.qbaf
    boxes = {box.attributes["data-name"]: box for box in page.find("g", "qx-node")}
    assert boxes.keys() == set(q)
    for x, box in boxes.items():
        label, numbers = [each.text for each in box.find("text")][:2]
        assert label == q.label(x)
        base, strength = numbers.split(" → ")
        assert is_written(base, q.base_scores[x], signed=False)
        assert is_written(strength, found[x], signed=False)
        assert float(box.attributes["data-strength"]) == found[x]
        assert float(box.attributes["data-base"]) == q.base_scores[x]
        bars = list(box.find("rect"))
        place = next(k for k, bar in enumerate(bars) if bar.attributes["class"] == "qx-track")
        track, gauge, notch = bars[place : place + 3]
        left, wide = (float(track.attributes[part]) for part in ("x", "width"))
        assert float(gauge.attributes["width"]) == pytest.approx(found[x] * wide, abs=0.02)
        assert float(notch.attributes["x"]) + 0.8 == pytest.approx(left + q.base_scores[x] * wide, abs=0.02)
    edges = {
        (each.attributes["data-source"], each.attributes["data-target"]): each.attributes
        for each in page.find("g", "qx-edge")
    }
    mutual = {edge[::-1] for edge, attributes in edges.items() if "data-mutual" in attributes}
    assert edges.keys() | mutual == {*q.attacks, *q.supports}
    for edge, attributes in edges.items():
        kind = "attack" if edge in q.attacks else "support"
        assert attributes["data-kind"] == kind
        assert float(attributes["data-weight"]) == (q.attacks if kind == "attack" else q.supports)[edge]


NOTEBOOK: dict[str, Callable[[Any, str], None]] = {
    "Strengths": check_graph,
    "Attribution": check_attribution,
    "Contrast": lambda why, html: check_bars(why, read_html(html)),
    "Pairs": check_pairs,
    "Interactions": check_interactions,
    "Uncertainty": lambda found, html: check_shares(found, read_one_table(html)),
}


def test_every_result_that_a_notebook_shows_in_its_own_way_is_read() -> None:
    assert NOTEBOOK.keys() == {name for name, row in PRESENTATIONS.items() if row.html is not None}


@pytest.mark.parametrize("kind", NOTEBOOK)
def test_a_notebook_shows_the_numbers_of_the_result_in_their_places(kind: str) -> None:
    for result in make_results(kind):
        NOTEBOOK[kind](result, result._repr_html_())


@pytest.mark.parametrize("kind", [kind for kind in RESULTS if kind not in NOTEBOOK])
def test_a_notebook_shows_the_text_of_every_other_result(kind: str) -> None:
    result = make_result(kind)
    (shown,) = read_html(result._repr_html_()).find("pre")
    assert shown.text == str(result)


@pytest.mark.parametrize("case", range(len(RESULTS["Contrast"])))
@pytest.mark.parametrize("width", [360.0, 900.0])
def test_bars_of_any_width_have_the_lengths_of_the_result(case: int, width: float) -> None:
    why: Any = make_result("Contrast", case)
    check_bars(why, read_html(bars_svg(why, width=width, limit=30)))


def test_whiskers_of_bars_reach_two_standard_errors_to_both_sides() -> None:
    sampled: Any = make_result("Contrast", 1)
    why = dataclasses.replace(sampled, std_error={x: 0.01 * k for k, x in enumerate(sampled, 1)})
    picture = read_html(bars_svg(why))
    (axis,) = picture.find("path", "qx-axis")
    unit, zero = float(axis.attributes["data-unit"]), float(axis.attributes["d"].split()[0].lstrip("M"))
    rows = {row.attributes["data-name"]: row for row in picture.find("g", "qx-bar") if "data-name" in row.attributes}
    assert rows.keys() == set(why)
    for x, row in rows.items():
        (line,) = row.find("path", "qx-error")
        low, high = re.findall(r"M([\d.]+) ", line.attributes["d"])[1:]
        for end, sign in ((low, -2), (high, 2)):
            assert float(end) == pytest.approx(zero + unit * (why[x] + sign * why.std_error[x]), abs=0.03)
        value, error = [each.text for each in row.find("text")][-1].split(" ± ")
        assert read_number(value) == pytest.approx(why[x], abs=5.1e-4)
        assert is_written(error, why.std_error[x], signed=False)


def test_the_picture_of_a_graph_shows_its_numbers_also_with_contributions() -> None:
    found = qx.strengths(GRAPH)
    why: Any = make_result("Contrast")
    picture = graph_svg(GRAPH, found, fact="p", foil="q", contributions=why)
    check_graph(found, picture)


# -- reports ----------------------------------------------------------------------------------------------------------


@cache
def read_report(players: str = "arguments", method: str = "shapley") -> dict[str, Node]:
    flip = qx.flip(GRAPH, "q", "r", **SETTINGS)
    page = report_html(GRAPH, "r", "q", players=players, method=method, flip=flip, **SETTINGS)
    return read_sections(read_html(page))


def read_part(heading: str, players: str = "arguments", method: str = "shapley") -> list[dict[str, str]]:
    return [row for table in read_report(players, method)[heading].find("table") for row in read_table(table)]


@pytest.mark.parametrize(("players", "method"), [("arguments", "shapley"), ("edges", "removal"), ("groups", "shapley")])
def test_the_numbers_of_a_report_are_those_of_the_contrast(players: str, method: str) -> None:
    why = qx.contrast(GRAPH, "r", "q", players=players, method=method, **SETTINGS)
    rows, own = read_part("In numbers", players, method), qx.strengths(GRAPH, **SETTINGS)
    alone = ["on r", "on “Plan B”"]
    shown = set()
    for row in rows:
        first, *described = list(row.values())[:-3]
        player = _find_player(why, [first, *described])
        if player is None:
            continue
        shown.add(player)
        number, *others = list(row.values())[-3:]
        assert list(row)[-2:] == alone
        assert is_written(number, why[player]), row
        for text, topic in zip(others, ("r", "q"), strict=True):
            assert is_written(text, why.individual[topic][player]), row
        if players == "arguments":
            assert is_written(row["Base score"], GRAPH.base_scores[player], signed=False), row
            assert is_written(row["Strength"], own[player], signed=False), row
        if players == "edges":
            weight = {**GRAPH.attacks, **GRAPH.supports}[player]
            assert row["Relation"] == f"{'attack' if player in GRAPH.attacks else 'support'}, weight {weight:g}"
    assert {x for x in why if why[x]} <= shown


def _find_player(why: qx.Contrast, described: list[str]) -> Any:
    for x in why:
        texts = [name(why.qbaf, end) for end in x] if isinstance(x, tuple) else [name(why.qbaf, x)]
        if texts == ([described[0], described[2]] if isinstance(x, tuple) else described[:1]):
            return x
    return None


def test_the_edges_of_a_report_are_owen_values_and_add_up_to_their_argument() -> None:
    why = qx.contrast(GRAPH, "r", "q", players="edges", method="owen", **SETTINGS)
    sums: dict[str, float] = {}
    for (source, _), value in why.items():
        sums[name(GRAPH, source)] = sums.get(name(GRAPH, source), 0.0) + value
    edges = {(name(GRAPH, x), name(GRAPH, y)): (x, y) for x, y in why}
    source, seen = "", 0
    for label, number in (list(row.values()) for row in read_part("Through which edges")):
        if label in sums:
            source = label
            assert is_written(number, sums[source])
            continue
        target = next(end for _, end in edges if label.partition(", weight")[0].endswith(f" {end}"))
        edge = edges[source, target]
        assert label.startswith("attack on" if edge in GRAPH.attacks else "support of")
        assert is_written(number, why[edge])
        seen += 1
    assert seen > 3


def test_the_pairs_of_a_report_have_the_gaps_of_its_semantics() -> None:
    own = {name(GRAPH, x): value for x, value in qx.strengths(GRAPH, **SETTINGS).items()}
    rows = read_part("All pairs")
    assert len(rows) == 3
    for row in rows:
        (_, first), *cells = row.items()
        for other, text in cells:
            assert text == "·" if first == other else is_written(text, own[first] - own[other])


def test_a_report_shows_how_sure_the_order_is_under_its_semantics() -> None:
    check_shares(qx.uncertainty(GRAPH, "r", "q", **SETTINGS), read_part("How sure is it?"))


def test_a_report_that_takes_too_many_draws_asks_the_delta_method_under_its_semantics(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("qontrast.show.html.report.MAX_DRAWN_LANES", 10)
    page = read_html(report_html(GRAPH, "r", "q", method="gradient", **SETTINGS))
    (table,) = read_sections(page)["How sure is it?"].find("table")
    check_shares(qx.uncertainty(GRAPH, "r", "q", quick=True, **SETTINGS), read_table(table))


@pytest.mark.parametrize(("players", "method"), [("arguments", "shapley"), ("edges", "removal")])
def test_the_semantics_of_a_report_have_their_own_gaps_and_reasons(players: str, method: str) -> None:
    found = qx.compare_semantics(GRAPH, "r", "q", players=players, method=method)
    section = read_report(players, method)["Does the order depend on the semantics?"]
    assert next(section.find("p")).text == str(found)
    rows = read_part("Does the order depend on the semantics?", players, method)
    assert [row["semantics"] for row in rows] == list(found.gaps)
    assert all(is_written(row["gap"], found.gaps[row["semantics"]]) for row in rows)


def test_the_reasons_of_a_report_are_those_of_its_semantics_and_players() -> None:
    for players in ("arguments", "groups"):
        settings: Any = {"semantics": "df-quad", "players": players}
        page = read_html(report_html(GRAPH, "q", "r", method="removal", **settings))
        (said,) = read_sections(page)["What does the order rest on?"].find("p")
        assert said.text == str(qx.reasons(GRAPH, "q", "r", **settings))
        assert players == "groups" or said.text != str(qx.reasons(GRAPH, "q", "r"))


def test_the_flip_of_a_report_goes_from_the_old_score_to_the_new() -> None:
    found = qx.flip(GRAPH, "q", "r", **SETTINGS)
    assert found.change
    rows = next(part for heading, part in read_report().items() if heading.startswith("What would make"))
    (table,) = rows.find("table")
    shown = {row["Argument"]: row for row in read_table(table)}
    assert shown.keys() == {name(GRAPH, x) for x in found.change}
    for x, (old, new) in found.change.items():
        row = shown[name(GRAPH, x)]
        assert is_written(row["Base score"], old, signed=False)
        assert read_number(row["would have to be"]) == pytest.approx(new, abs=1.001e-3)


def test_the_arcs_of_a_report_are_the_interactions_of_its_semantics() -> None:
    found = qx.interactions(GRAPH, "r", "q", **SETTINGS)
    (picture,) = read_report()["What made the difference"].find("svg", "qx-bars")
    arcs = [float(arc.attributes["data-value"]) for arc in picture.find("g", "qx-arc")]
    assert arcs
    assert set(arcs) <= set(found.values())
    own = qx.interactions(GRAPH, "r", "q")
    assert not set(arcs) & set(own.values())


def test_bars_for_phones_have_the_lengths_and_sides_of_the_contrast() -> None:
    why = qx.contrast(GRAPH, "r", "q", **SETTINGS)
    (rows,) = read_report()["What made the difference"].find("div", "rows")
    foil, fact = (each.text for each in next(rows.find("p", "ends")).find("b"))
    assert (foil, fact) == ("◂ Plan B", "r ▸")
    known = {GRAPH.label(x): (why[x], why.individual["r"][x], why.individual["q"][x]) for x in why}
    spans = []
    for row in (
        each for each in rows.content if isinstance(each, Node) and each.tag == "div" and list(each.find("svg"))
    ):
        label, number = next(row.find("span")).text, next(row.find("b")).text
        if label not in known:
            continue
        axis, *bars = row.find("rect")
        zero = float(axis.attributes["x"]) + 0.2
        assert is_written(number, known[label][0])
        for bar, value in zip(bars, known[label], strict=True):
            start, width = float(bar.attributes["x"]), float(bar.attributes["width"])
            spans.append((start - zero, width, value))
    scale = max(width / abs(value) for _, width, value in spans if abs(value) > 0.01)
    assert len(spans) >= 3 * 4
    for start, width, value in spans:
        assert width == pytest.approx(scale * abs(value), abs=0.2)
        assert start == pytest.approx(min(0.0, scale * value), abs=0.2)


def test_every_picture_of_a_report_has_the_colours_of_its_palette() -> None:
    light, other = find_palette(), find_palette("colour-blind")
    page = read_html(report_html(GRAPH, "r", "q", method="removal", palette="colour-blind"))
    filled = {shape.attributes.get("fill") for shape in page.find("rect")}
    assert {other.fact, other.foil} <= filled
    assert not ({light.fact, light.foil} - {other.fact, other.foil}) & filled


def test_a_report_names_the_largest_standard_error() -> None:
    why = qx.contrast(GRAPH, "r", "q", method="sampled", budget=40)
    assert why.std_error is not None
    page = read_html(report_html(GRAPH, "r", "q", method="sampled", budget=40))
    made = read_sections(page)["How this was made"]
    said = dict(zip((x.text for x in made.find("dt")), (x.text for x in made.find("dd")), strict=True))
    (written,) = [text for head, text in said.items() if "error" in head.lower()]
    assert is_written(written.split()[-1], max(why.std_error.values()), signed=False)
