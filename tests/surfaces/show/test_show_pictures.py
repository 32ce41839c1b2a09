"""Lengths, colours, dashes and notches of every picture stand for the numbers and the relations of the result."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from rich.console import Console

import qontrast as qx
from qontrast.show import bars_svg, contrast_bars, draw_graph, graph_svg, pairs_table
from qontrast.show.palette import PALETTES, find_palette, write_style
from tests.support.graphs_to_show import SVG, kinked, of_class, parsed

EVERY_PALETTE = list(product(PALETTES, (False, True)))
each_palette = pytest.mark.parametrize(("palette", "dark"), EVERY_PALETTE)


@cache
def graph() -> qx.Qbaf:
    """Topics with parents that attack each other with other weights, an attack of weight 0, base scores of 0 and 1."""
    return qx.Qbaf(
        {"t": 0.6, "u": 0.35, "v": 0.35, "a": 0.0, "b": 1.0, "c": 0.45, "d": 0.7},
        attacks={("t", "u"): 0.25, ("u", "t"): 0.75, ("b", "u"): 1.0, ("d", "v"): 0.0, ("d", "t"): 0.5},
        supports={("c", "t"): 1.5, ("b", "t"): 0.5, ("c", "v"): 1.0, ("t", "c"): 0.4, ("a", "u"): 1.0},
        topics=["t", "u", "v"],
        semantics="qe",
    )


@cache
def contrast(method: str = "shapley") -> qx.Contrast:
    return qx.contrast(graph(), "t", "u", method=method, **({"budget": 40, "seed": 1} if method == "sampled" else {}))


@cache
def sampled() -> qx.Contrast:
    q = qx.examples.load("healthcare")
    return qx.contrast(q, "antiviral", "antibiotic", method="sampled", budget=60, seed=1)


def relations(q: qx.Qbaf) -> dict[Any, tuple[str, float]]:
    attacks = {pair: ("attack", weight) for pair, weight in q.attacks.items()}
    return attacks | {pair: ("support", weight) for pair, weight in q.supports.items()}


# -- colours ------------------------------------------------------------------------------------------------------


@each_palette
def test_the_fact_is_bluish_the_foil_reddish_supports_are_greenish_and_attacks_reddish(
    palette: str, dark: bool
) -> None:
    colours = find_palette(palette, dark)

    def rgb(name: str) -> list[int]:
        text = getattr(colours, name)
        return [int(text[k : k + 2], 16) for k in (1, 3, 5)]

    for name in ("fact", "fact_soft", "fact_ink"):
        assert rgb(name)[2] > rgb(name)[0], name
    for name in ("foil", "foil_soft", "foil_ink"):
        assert rgb(name)[0] > rgb(name)[2], name
    assert rgb("attack")[0] > rgb("attack")[1]
    assert rgb("support")[1] > rgb("support")[0]
    lights = [sum(rgb(name)) for name in ("ink", "paper")]
    assert (lights[0] > lights[1]) == dark


@each_palette
def test_style_rules_give_every_class_the_colour_of_its_name(palette: str, dark: bool) -> None:
    colours = find_palette(palette, dark)
    rules = dict(re.findall(r"(\.qx[^{,]*)[^{]*\{(?:fill|stroke):([^}]+)\}", write_style(colours)))
    for selector, colour in rules.items():
        name = (
            re.split(r"[. ]", selector)[1]
            .removeprefix("qx-")
            .removesuffix("-line")
            .removesuffix("-edge")
            .replace("-", "_")
        )
        ink = "_ink" if name in ("fact", "foil") and selector.endswith("-edge .qx-weight") else ""
        assert getattr(colours, name + ink) == colour, selector
    assert {".qx-fact", ".qx-foil-line", ".qx-attack .qx-stroke", ".qx-support .qx-head"} <= set(rules)


# -- graphs -------------------------------------------------------------------------------------------------------


@each_palette
def test_every_edge_of_a_drawing_has_the_ends_kind_weight_colour_and_dash_of_its_relation(
    palette: str, dark: bool
) -> None:
    colours, found = find_palette(palette, dark), {}
    for edge in of_class(parsed(graph_svg(graph(), palette=palette, dark=dark)), "qx-edge"):
        kind, pair = edge.get("data-kind") or "", (edge.get("data-source"), edge.get("data-target"))
        found[pair] = kind, float(edge.get("data-weight") or "nan")
        if edge.get("data-mutual"):
            found[pair[::-1]] = kind, float(edge.get("data-weight-back") or "nan")
        (line,) = of_class(edge, "qx-stroke")
        heads = of_class(edge, "qx-head")
        assert {line.get("stroke"), *(head.get("fill") for head in heads)} == {getattr(colours, kind)}
        assert (line.get("stroke-dasharray") is not None) == (kind == "attack")
    assert found == relations(graph())


def test_weights_at_arrows_are_those_from_source_to_target_and_then_back() -> None:
    known, texts = relations(graph()), set()
    for group in of_class(parsed(graph_svg(graph())), "qx-number"):
        ends = (group.get("data-source"), group.get("data-target"))
        (text,) = of_class(group, "qx-weight")
        mutual = known.get(ends[::-1], ("", 0))[0] == known[ends][0]
        weights = [known[ends][1], *([known[ends[::-1]][1]] if mutual else [])]
        assert [float(each) for each in (text.text or "").split(" / ")] == weights
        texts.add(text.text)
    assert {"0.25 / 0.75", "0.4 / 1.5", "0.5", "0"} == texts
    assert texts <= {each.get_text() for each in draw_graph(graph()).texts}


def test_boxes_have_a_gauge_as_long_as_the_strength_and_a_notch_at_the_base_score() -> None:
    q = graph()
    sigma = qx.strengths(q)
    densities = []
    for node in of_class(parsed(graph_svg(q, sigma, fact="t", foil="u")), "qx-node"):
        name = node.get("data-name") or ""
        assert (float(node.get("data-base") or ""), float(node.get("data-strength") or "")) == (
            q.base_scores[name],
            sigma[name],
        )
        rects = list(node.iter(f"{SVG}rect"))
        (track,) = of_class(node, "qx-track")
        left, length = float(track.get("x") or 0), float(track.get("width") or 0)
        gauge = [each for each in rects if each.get("height") == "3.5" and each is not track]
        assert sum(float(each.get("width") or 0) for each in gauge) == pytest.approx(length * sigma[name], abs=0.02)
        if gauge:
            colour = {"t": "fact", "u": "foil"}.get(name, "muted")
            assert gauge[0].get("fill") == getattr(find_palette(), colour)
        (notch,) = [each for each in rects if each.get("height") == "7.5"]
        assert float(notch.get("x") or 0) + 0.8 == pytest.approx(left + length * q.base_scores[name], abs=0.02)
        (fill,) = of_class(node, "qx-fill")
        densities.append((sigma[name], float(fill.get("fill-opacity") or 0)))
        assert f"{q.base_scores[name]:.2f} → {sigma[name]:.2f}" in [each.text for each in node.iter(f"{SVG}text")]
    assert [one for one, _ in sorted(densities)] == [one for one, _ in sorted(densities, key=lambda each: each[1])]


def test_undefined_boxes_are_empty_and_dashed_and_others_are_not() -> None:
    q = graph()
    for strengths, dashed in ((dict.fromkeys(q, float("nan")), True), (qx.strengths(q), False)):
        for fill in of_class(parsed(graph_svg(q, strengths)), "qx-fill"):
            assert (fill.get("stroke-dasharray") is not None) == dashed
            assert not dashed or float(fill.get("fill-opacity") or 0) == 0


def test_the_figure_of_a_graph_has_the_colours_dashes_gauges_and_notches_of_the_drawing() -> None:
    q, colours = graph(), find_palette()
    sigma = qx.strengths(q)
    ax = draw_graph(q, sigma, fact="t", foil="u", legend=False)
    lines = [each for each in ax.patches if isinstance(each, PathPatch) and not isinstance(each, FancyBboxPatch)]
    drawn = sorted((to_hex(each.get_edgecolor()), each.get_linestyle() in ("-", "solid")) for each in lines)
    edges = [each.get("data-kind") for each in of_class(parsed(graph_svg(q, sigma)), "qx-edge")]
    assert drawn == sorted((getattr(colours, kind or ""), kind == "support") for kind in edges)
    boxes = [each for each in ax.patches if isinstance(each, FancyBboxPatch)]
    bars = [each for each in ax.patches if isinstance(each, Rectangle)]
    assert len(boxes) == len(q)
    for name, box, (track, gauge, notch) in zip(q, boxes, zip(*[iter(bars)] * 3, strict=True), strict=True):
        role = {"t": "fact", "u": "foil", "v": "topic"}.get(name, "outline")
        assert to_hex(box.get_edgecolor()) == getattr(colours, role)
        assert gauge.get_width() == pytest.approx(track.get_width() * sigma[name])
        assert notch.get_x() + 0.8 == pytest.approx(track.get_x() + track.get_width() * q.base_scores[name])
        assert to_hex(gauge.get_facecolor()) == getattr(colours, role if role in ("fact", "foil") else "muted")


# -- bars ---------------------------------------------------------------------------------------------------------


@each_palette
@pytest.mark.parametrize("method", ["shapley", "gradient", "sampled"])
def test_bars_and_numbers_have_the_colour_of_the_topic_that_they_favour(palette: str, dark: bool, method: str) -> None:
    colours, why = find_palette(palette, dark), contrast(method)
    root = parsed(bars_svg(why, palette=palette, dark=dark))
    left, right = [each for each in root if each.tag == f"{SVG}text"][:2]
    assert ((left.text or "")[:3], left.get("fill")) == ("◂ u", colours.foil_ink)
    assert ((right.text or "")[:3], right.get("fill")) == ("t ▸", colours.fact_ink)
    assert float(left.get("x") or 0) < float(right.get("x") or 0)
    for bar in of_class(root, "qx-bar"):
        value = float(bar.get("data-value") or "nan")
        (number,) = [each for each in bar.iter(f"{SVG}text") if each.get("font-weight") == "600"]
        thick, *thin = bar.iter(f"{SVG}rect")
        assert [each.get("fill") for each in thin] == [colours.fact_soft, colours.foil_soft][: len(thin)]
        if value:
            assert thick.get("fill") == (colours.fact if value > 0 else colours.foil)
            assert number.get("fill") == (colours.fact_ink if value > 0 else colours.foil_ink)


def test_hollow_bars_at_a_kink_have_the_slope_from_below_first() -> None:
    why = kinked()
    root = parsed(bars_svg(why))
    ax = why.plot()
    hollow = [each for each in ax.patches if not each.get_fill() or each.get_facecolor()[3] == 0]
    bent = [name for name in why if np.isnan(why[name])]
    expected = [value for name in bent for value in (why.sides[name].below, why.sides[name].above)]
    assert [each.get_width() for each in hollow] == pytest.approx(expected)
    for name in bent:
        (bar,) = [each for each in of_class(root, "qx-bar") if each.get("data-name") == name]
        below, above = (float(each.get("width") or 0) for each in of_class(bar, "qx-hollow"))
        assert below / above == pytest.approx(why.sides[name].below / why.sides[name].above, rel=0.02)


def test_whiskers_reach_two_standard_errors_to_both_sides_in_every_picture() -> None:
    why = sampled()
    assert why.std_error is not None
    root = parsed(bars_svg(why))
    zero = next(
        float(found[1])
        for each in root.iter(f"{SVG}path")
        if (found := re.fullmatch(r"M(\S+) 28V\S+", each.get("d") or ""))
    )
    bars = {each.get("data-name"): each for each in of_class(root, "qx-bar") if each.get("data-name")}
    strongest = max(why, key=lambda name: abs(why[name]))
    unit = float(next(bars[str(strongest)].iter(f"{SVG}rect")).get("width") or 0) / abs(why[strongest])
    for name, error in why.std_error.items():
        (whisker,) = of_class(bars[str(name)], "qx-error")
        low, high = (float(each) for each in re.findall(r"^M(\S+) \S+?H([\d.]+)", whisker.get("d") or "")[0])
        assert (low - zero) / unit == pytest.approx(why[name] - 2 * error, abs=0.1 * error + 1e-3)
        assert (high - zero) / unit == pytest.approx(why[name] + 2 * error, abs=0.1 * error + 1e-3)
    one = why.individual[why.fact]
    for result, ax in ((why, why.plot()), (one, one.plot())):
        assert result.std_error is not None
        whiskers = [
            each.errorbar.lines[2][0].get_segments()[0] for each in ax.containers if getattr(each, "errorbar", None)
        ]
        for (name, value), ends in zip(result.ranked(), whiskers, strict=False):
            error = result.std_error[name]
            assert ends[:, 0] == pytest.approx([value - 2 * error, value + 2 * error], abs=1e-9)
        assert len(whiskers) == len(result)


@pytest.mark.parametrize("palette", PALETTES)
def test_bars_of_a_figure_have_the_colour_of_the_topic_that_they_favour(palette: str) -> None:
    colours, why = find_palette(palette), contrast("gradient")
    ax = why.plot(palette=palette)
    fills = [to_hex(each.get_facecolor()) for each in ax.patches]
    for k, (_, value) in enumerate(why.ranked()):
        thick, upper, lower = fills[3 * k : 3 * k + 3]
        assert (upper, lower) == (colours.fact_soft, colours.foil_soft)
        assert not value or thick == (colours.fact if value > 0 else colours.foil)
    foil, fact = ax._left_title, ax._right_title  # type: ignore[attr-defined]
    assert (foil.get_text(), to_hex(str(foil.get_color()))) == ("◂ u", colours.foil_ink)
    assert (fact.get_text(), to_hex(str(fact.get_color()))) == ("t ▸", colours.fact_ink)
    shares = contrast()
    steps = qx.show.plot_waterfall(shares, palette=palette).patches[1:-1]
    for bar, (_, value) in zip(steps, shares.ranked(), strict=False):
        assert not value or to_hex(bar.get_facecolor()) == (colours.fact if value > 0 else colours.foil)
    one = shares.individual["t"]
    for bar, (_, value) in zip(one.plot(palette=palette).patches, one.ranked(), strict=True):
        assert not value or to_hex(bar.get_facecolor()) == (colours.fact if value > 0 else colours.fact_soft)


def test_what_is_left_out_of_a_waterfall_is_one_bar_with_its_sum() -> None:
    why = contrast()
    for most in range(1, len(why)):
        bars = qx.show.plot_waterfall(why, limit=most).patches[1:-1]
        values = [value for _, value in why.ranked()]
        expected = [*values[:most], sum(values[most:]), why.cross_topic.component]
        assert [each.get_width() for each in bars] == pytest.approx(expected, abs=1e-12)


# -- many topics --------------------------------------------------------------------------------------------------


def test_every_topic_in_the_first_place_has_its_colour_and_a_notch_at_its_base_score() -> None:
    tie = qx.Qbaf({"p": 0.5, "q": 0.5, "r": 0.2, "x": 0.4}, supports=[("x", "p"), ("x", "q")], topics=["p", "q", "r"])
    for q in (tie, graph()):
        order, colours = qx.rank(q), find_palette()
        ax = order.plot()
        fills = [to_hex(each.get_facecolor()) for each in ax.patches]
        assert fills == [colours.fact if place == 1 else colours.fill for place in order.places]
        notches = [each.get_xdata()[0] for each in ax.lines]
        assert notches == [q.base_scores[topic] for topic in order.order]
        assert order.to_frame()["place"].tolist() == list(order.places)
    assert qx.rank(tie).places[:2] == (1, 1)


def test_the_cells_of_the_matrix_are_coloured_by_their_own_numbers() -> None:
    pairs = qx.all_pairs(graph())
    for of in (None, "b", "c"):
        values = pairs.gaps if of is None else np.array([[
            0.0 if of in (a, b) or a == b else pairs[a, b][of] for b in pairs.topics] for a in pairs.topics
        ])  # fmt: skip
        ax = pairs.plot(of=of)
        image = ax.images[0]
        off = ~np.eye(len(values), dtype=bool)
        assert np.asarray(image.get_array())[off] == pytest.approx(values[off])
        low, high = image.cmap(0.0), image.cmap(1.0)
        assert (to_hex(low), to_hex(high)) == (find_palette().foil, find_palette().fact)


@pytest.mark.parametrize(("solver", "unit"), [("discrete", "update"), ("continuous", "time")])
def test_a_trajectory_names_the_unit_of_its_axis_and_the_last_strengths(solver: str, unit: str) -> None:
    run = qx.trajectory(graph(), solver=solver)
    ax = run.plot()
    assert ax.get_xlabel() == unit
    said = {each.get_text().split()[0]: float(each.get_text().split()[-1]) for each in ax.texts}
    assert said == pytest.approx({topic: run[topic][-1] for topic in graph().topics}, abs=5.1e-4)


# -- the terminal -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["shapley", "gradient", "removal"])
def test_in_the_terminal_positive_numbers_are_blue_and_negative_ones_orange(method: str) -> None:
    console = Console(width=120, color_system="256", force_terminal=True)
    signed = re.compile(r"\s*([+−])\d\S*\s*")
    for thing in (contrast_bars(contrast(method), words=False), pairs_table(qx.all_pairs(graph(), method=method))):
        seen = set()
        for segment in console.render(thing):
            found = signed.fullmatch(segment.text)
            if found and segment.style and segment.style.color:
                assert segment.style.color.name == {"+": "blue", "−": "dark_orange"}[found[1]]
                seen.add(found[1])
        assert seen == {"+", "−"}


@pytest.mark.parametrize("most", [1, 2])
def test_the_strongest_are_shown_and_the_largest_of_the_others_is_named(most: int) -> None:
    why = contrast()
    ranked = why.ranked()
    text = print_bars(why, most)
    assert [name for name, _ in ranked if re.search(rf"^{name} ", text, re.MULTILINE)] == [n for n, _ in ranked[:most]]
    number = re.findall(rf"{len(ranked) - most} more, each at most (\S+)", text)
    assert float(number[0]) == pytest.approx(abs(ranked[most][1]), abs=5.1e-4)
    svg = bars_svg(why, limit=most)
    assert f"{len(ranked) - most} more, each at most {number[0]}." in svg
    assert f"{len(ranked) - most} more, each at most {number[0]}." in why.plot(limit=most).get_xlabel()


def test_bars_that_are_left_out_are_said_to_contribute_nothing_or_to_be_at_a_kink_where_they_are() -> None:
    isolated = qx.Qbaf({"p": 0.6, "q": 0.5} | {f"x{k}": 0.5 for k in range(14)}, supports=[("x0", "p")])
    why = qx.contrast(isolated, "p", "q")
    for text in (print_bars(why, 1), bars_svg(why, limit=1), why.plot(limit=1).get_xlabel()):
        assert "13 more contribute nothing" in text
    bent = kinked()
    assert sorted(name for name, value in bent.items() if np.isnan(value)) == ["a", "b"]
    for text in (print_bars(bent, 1), bars_svg(bent, limit=1)):
        assert re.search(r"1 more, at most 0\.\d+; 1 more is at a kink", text)


def print_bars(why: qx.Contrast, limit: int) -> str:
    console = Console(width=120, color_system=None)
    with console.capture() as got:
        console.print(contrast_bars(why, limit=limit, words=False))
    return got.get()


# -- what stands beside the bars ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["shapley", "sampled", "gradient", "removal", "intrinsic"])
def test_base_scores_stand_beside_bars_that_add_up_with_them_and_beside_no_others(method: str) -> None:
    why = contrast(method)
    adds_up = qx.METHODS[method].adds_up
    assert why.base_gap
    console = Console(width=120, color_system=None)
    with console.capture() as got:
        console.print(contrast_bars(why, words=False))
    ticks = " ".join(each.get_text().replace("\n", " ") for each in why.plot().get_yticklabels())
    for text in (bars_svg(why).replace("</text>", " "), got.get(), ticks):
        plain = re.sub(r"<[^>]*>|\s+", " ", text)
        assert bool(re.search(r"Base scores\s+of the two topics", re.sub(r"\s+", " ", plain))) == adds_up


@pytest.mark.parametrize(("fact", "foil"), [("t", "u"), ("u", "t")])
def test_bars_that_add_up_say_to_which_gap(fact: str, foil: str) -> None:
    why = qx.contrast(graph(), fact, foil)
    number = re.findall(r"The bars add up to the gap of (\S+)\.<", bars_svg(why))[0]
    assert float(number.replace("−", "-")) == pytest.approx(why.gap, abs=5.1e-4)
    values = [float(each.get("data-value") or "nan") for each in of_class(parsed(bars_svg(why)), "qx-bar")]
    assert sum(values) == pytest.approx(why.gap, abs=1e-9)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_bars_than_asked_for_are_drawn_and_kinks_come_before_small_numbers(most: int) -> None:
    why = kinked()
    bent = [name for name in why if np.isnan(why[name])]
    bars = [each.get("data-name") for each in of_class(parsed(bars_svg(why, limit=most)), "qx-bar")]
    drawn = [name for name in bars if name is not None]
    assert len(drawn) == most
    assert set(drawn) & set(bent) == set(bent[:most])
    ticks = [each.get_text() for each in why.plot(limit=most).get_yticklabels()]
    assert [name for name in ticks if name in why] == drawn
