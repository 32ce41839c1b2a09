"""The SVG pictures: their structure, their rules, and that no label is ever markup."""

from __future__ import annotations

import re

import pytest

import qontrast as qx
from qontrast.show import bars_svg, graph_svg
from qontrast.show.palette import PALETTES, find_palette
from qontrast.show.svg.elements import text_width, wrap_text
from tests.support.graphs_to_show import EVIL, SVG, evil, healthcare, kinked, of_class, parsed, treatment


def pictured(**settings: object) -> str:
    q = healthcare()
    return graph_svg(q, qx.strengths(q), fact="antiviral", foil="antibiotic", **settings)


def test_every_argument_is_a_box_and_every_edge_an_arrow_with_its_data() -> None:
    root = parsed(pictured())
    nodes, edges = of_class(root, "qx-node"), of_class(root, "qx-edge")
    assert [node.get("data-name") for node in nodes] == list(healthcare())
    mutual = [edge for edge in edges if edge.get("data-mutual")]
    assert len(mutual) == 3  # the three treatments attack each other
    assert len(edges) == 18 + 11 - 3
    assert {edge.get("data-kind") for edge in edges} == {"attack", "support"}
    assert float(nodes[8].get("data-strength") or "") == pytest.approx(0.35643314)


def test_a_mutual_attack_has_two_heads_and_a_plain_one_has_one() -> None:
    for edge in of_class(parsed(pictured()), "qx-edge"):
        assert len(of_class(edge, "qx-head")) == (2 if edge.get("data-mutual") else 1)


def test_attacks_are_dashed_and_supports_are_not() -> None:
    for edge in of_class(parsed(pictured()), "qx-edge"):
        (line,) = of_class(edge, "qx-stroke")
        assert (line.get("stroke-dasharray") is not None) == (edge.get("data-kind") == "attack")


def test_boxes_say_base_score_and_strength_and_who_is_fact_and_foil() -> None:
    root = parsed(pictured())
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "0.50 → 0.36" in texts
    assert texts.count("fact") == texts.count("foil") == 1
    assert [node.get("data-name") for node in of_class(root, "qx-fact-node")] == ["antiviral"]


def test_fact_is_blue_foil_is_orange_in_boxes_and_bars() -> None:
    colours = find_palette()
    graph, bars = parsed(pictured()), parsed(bars_svg(treatment()))
    assert of_class(graph, "qx-fact-line")[0].get("stroke") == colours.fact
    assert of_class(graph, "qx-foil-line")[0].get("stroke") == colours.foil
    for bar in of_class(bars, "qx-bar"):
        thick = next(each for each in bar if each.get("height") == "15")
        value = float(bar.get("data-value") or "")
        assert thick.get("fill") == (colours.fact if value > 0 else colours.foil)


def test_labels_are_never_markup() -> None:
    q = evil()
    why = qx.contrast(q, "t<u>", "b", method="removal")
    for svg in (graph_svg(q, qx.strengths(q), fact="b"), bars_svg(why)):
        root = parsed(svg)  # well-formed, although XML has no NUL
        assert not list(root.iter(f"{SVG}script"))
        assert "<script" not in svg
        assert any("<script>" in (text or "") for text in root.itertext())
    assert EVIL.replace("\x00", "\ufffd") in [
        node.get("data-name") for node in of_class(parsed(graph_svg(q)), "qx-node")
    ]


def test_no_picture_needs_a_style_or_another_host() -> None:
    for svg in (pictured(), bars_svg(treatment())):
        assert " style=" not in svg
        assert "<style" not in svg
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_a_picture_is_the_same_each_time() -> None:
    assert pictured() == pictured()


def test_one_name_lights_up_what_it_reaches_and_a_list_exactly_that() -> None:
    lit = [n.get("data-name") for n in of_class(parsed(pictured(highlight="wbc")), "qx-node") if not n.get("opacity")]
    assert lit == ["wbc", "bacterial", "asthma", "antiviral", "antibiotic", "bronchodilator"]
    root = parsed(pictured(highlight=["pcr", "viral"]))
    assert len([n for n in of_class(root, "qx-node") if not n.get("opacity")]) == 2
    assert [e.get("data-source") for e in of_class(root, "qx-edge") if not e.get("opacity")] == ["pcr"]


def test_weights_other_than_one_are_written_and_loops_are_drawn() -> None:
    q = qx.Qbaf({"a": 0.5, "b": 0.5}, attacks={("a", "b"): 0.25, ("a", "a"): 1.0}, supports={("b", "a"): 1.0})
    root = parsed(graph_svg(q))
    assert [text.text for text in of_class(root, "qx-weight")] == ["0.25"]
    assert len(of_class(root, "qx-edge")) == 3
    lines = [of_class(edge, "qx-stroke")[0].get("d") for edge in of_class(root, "qx-edge")]
    assert len(set(lines)) == 3  # opposite edges of different kinds do not hide each other


def test_undefined_strengths_are_shown_as_undefined() -> None:
    q = qx.examples.load("undefined")
    assert "0.50 → ⊥" in graph_svg(q, dict.fromkeys(q, float("nan")))


def test_a_large_graph_shows_the_strongest_contributors_and_says_how_many_it_does_not() -> None:
    size = 200
    q = qx.Qbaf(
        {"t": 0.5, "u": 0.5, **{f"x{k}": 0.5 for k in range(size)}},
        supports=[(f"x{k}", f"x{k + 1}") for k in range(9)] + [(f"x{k}", "tu"[k % 2]) for k in range(9, size)],
        topics=["t", "u"],
    )
    weights = {f"x{k}": float(k) for k in range(size)} | {"x7": 1e6}
    svg = graph_svg(q, contributions=weights, fact="t", foil="u")
    names = [node.get("data-name") for node in of_class(parsed(svg), "qx-node")]
    assert len(names) <= 80
    assert {"t", "u", "x7", "x8", "x9", "x199"} <= set(names)  # x8 and x9 are the path of x7
    assert f"{size + 2 - len(names)} more arguments are not shown" in svg


@pytest.mark.parametrize(
    "label", ["x" * 2_000_000, "x y " * 500_000, "\u0301" * 2_000_000], ids=["word", "words", "marks"]
)
def test_a_label_costs_what_is_shown_of_it(label: str) -> None:
    """With work that grew with the square of a label this would take hours."""
    lines = wrap_text(label, 100, 13)
    assert len(lines) <= 4
    assert all(text_width(line, 13) <= 100 for line in lines)


def test_long_labels_are_wrapped_and_cut_and_kept_whole_in_the_title() -> None:
    label = "a very long label that goes on and on " * 5
    q = qx.Qbaf({"a": 0.5}, labels={"a": label})
    root = parsed(graph_svg(q))
    lines = [text.text or "" for text in of_class(root, "qx-node")[0].iter(f"{SVG}text")]
    assert len(lines) == 5  # four of the label, one of numbers
    assert lines[3].endswith("…")
    assert label in (of_class(root, "qx-node")[0].find(f"{SVG}title").text or "")  # type: ignore[union-attr]
    assert all(
        text_width(line, 13) <= 100 for line in wrap_text("pneumonoultramicroscopicsilicovolcanoconiosis", 100, 13)
    )


def test_no_number_in_a_picture_is_a_negative_zero() -> None:
    zebra = qx.examples.load("zebra")
    for why in (treatment(), qx.contrast(zebra, "horse", "tiger"), kinked()):
        assert not re.search(r"[-−]0\.0+\b(?!\d*[1-9])", " ".join(parsed(bars_svg(why)).itertext()))


def test_kinks_are_hollow_bars_with_both_sides_and_no_number() -> None:
    root = parsed(bars_svg(kinked()))
    bent = [bar for bar in of_class(root, "qx-bar") if bar.get("data-value") is None]
    assert [bar.get("data-name") for bar in bent] == ["a", "b"]
    assert all(len(of_class(bar, "qx-hollow")) == 2 for bar in bent)
    assert "kink: −1.100 | −0.700" in list(root.itertext())


def test_sampled_bars_have_whiskers_and_exact_ones_have_none() -> None:
    why = qx.contrast(healthcare(), "antiviral", "antibiotic", method="sampled", budget=200, seed=1)
    assert len(of_class(parsed(bars_svg(why)), "qx-error")) == 9
    assert not of_class(parsed(bars_svg(treatment())), "qx-error")
    assert any(re.fullmatch(r"\+0\.\d{3} ± 0\.\d{3}", text) for text in parsed(bars_svg(why)).itertext())


def test_only_shapley_bars_claim_to_add_up() -> None:
    assert "add up to the gap of 0.1196" in bars_svg(treatment())
    assert "add up" not in bars_svg(treatment("removal"))
    assert "add up" not in bars_svg(treatment("gradient"))


def test_bars_that_are_left_out_are_counted() -> None:
    assert "6 more, each at most 0.032." in bars_svg(treatment(), limit=3)


def test_arguments_without_any_effect_are_left_out_of_long_lists_of_bars_only() -> None:
    def of(idle: int) -> list[str | None]:
        scores = {"t": 0.5, "u": 0.5, "a": 0.5} | {f"idle{k}": 0.5 for k in range(idle)}
        why = qx.contrast(qx.Qbaf(scores, attacks=[("a", "u")], topics=["t", "u"]), "t", "u")
        return [each.get("data-name") for each in of_class(parsed(bars_svg(why, limit=4)), "qx-bar")]

    assert [name for name in of(3) if name] == ["a", "idle0", "idle1", "idle2"]
    assert [name for name in of(4) if name] == ["a"]


@pytest.mark.parametrize("palette", sorted(PALETTES))
@pytest.mark.parametrize("dark", [False, True])
def test_type_can_be_read_on_every_ground(palette: str, dark: bool) -> None:
    colours = find_palette(palette, dark)

    def light(colour: str, over: str = "", share: float = 1.0) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        if over:
            ground = [int(over[k : k + 2], 16) / 255 for k in (1, 3, 5)]
            parts = [share * a + (1 - share) * b for a, b in zip(parts, ground, strict=True)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def ratio(a: float, b: float) -> float:
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)

    for ink in (colours.ink, colours.muted, colours.fact_ink, colours.foil_ink):
        assert ratio(light(ink), light(colours.paper)) >= 4.5  # WCAG AA
    assert ratio(light(colours.ink), light(colours.fill, colours.paper, 0.85)) >= 4.5  # on the fullest box


def test_an_unknown_palette_is_named() -> None:
    with pytest.raises(qx.UnknownName, match=r"no palette 'color-blind' .* did you mean 'colour-blind'"):
        bars_svg(treatment(), palette="color-blind")


NEEDED = {  # what SVG needs to show a shape at all, and what makes it visible
    "svg": ({"viewBox", "width", "height"}, set()),
    "rect": ({"x", "y", "width", "height"}, {"fill", "stroke"}),
    "path": ({"d"}, {"fill", "stroke"}),
    "text": ({"x", "y", "font-size", "text-anchor"}, {"fill"}),
    "g": (set(), set()),
    "title": (set(), set()),
}
PICTURES = {
    "a graph": lambda: graph_svg(healthcare()),
    "a graph with strengths": pictured,
    "a graph with contributions": lambda: pictured(contributions=treatment()),
    "a dark graph": lambda: pictured(dark=True),
    "bars": lambda: bars_svg(treatment()),
    "bars of slopes": lambda: bars_svg(kinked()),
    "bars of samples": lambda: bars_svg(qx.contrast(healthcare(), "antiviral", "antibiotic", method="sampled")),
    "hostile labels": lambda: graph_svg(evil(), qx.strengths(evil())),
}


@pytest.mark.parametrize("name", PICTURES)
def test_every_shape_has_its_place_its_size_and_a_colour_and_lies_inside_the_picture(name: str) -> None:
    root = parsed(PICTURES[name]())
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    assert (left, top, float(root.get("width") or 0), float(root.get("height") or 0)) == (0, 0, width, height)
    for shape in root.iter():
        kind = shape.tag.removeprefix(SVG)
        place, colours = NEEDED[kind]
        assert place <= set(shape.attrib), (kind, shape.attrib)
        assert not colours or colours & set(shape.attrib), (kind, shape.attrib)
        assert shape.get("d") != ""
        for paint in ("fill", "stroke"):
            assert re.fullmatch(r"#[0-9a-f]{6}|none", shape.get(paint, "none")), shape.attrib
        if kind in ("rect", "text") and not any(
            shape in group.iter() for group in root.iter() if group.get("transform")
        ):
            x, y = float(shape.get("x") or 0), float(shape.get("y") or 0)
            assert left <= x <= x + float(shape.get("width", 0)) <= width, shape.attrib
            assert top <= y <= y + float(shape.get("height", 0)) <= height, shape.attrib


def test_a_gauge_is_as_long_as_the_strength_and_has_a_notch_at_the_base_score() -> None:
    q, found = healthcare(), qx.strengths(healthcare())
    nodes = of_class(parsed(pictured()), "qx-node")
    assert len(nodes) == len(q)
    for node in nodes:
        name, shapes = node.get("data-name") or "", list(node.iter(f"{SVG}rect"))
        first = next(k for k, shape in enumerate(shapes) if shape.get("class") == "qx-track")
        track, bar, notch = (
            {side: float(shape.get(side) or 0) for side in ("x", "y", "width", "height")}
            for shape in shapes[first : first + 3]
        )
        assert [bar[side] for side in ("x", "y", "height")] == [track[side] for side in ("x", "y", "height")]
        assert bar["width"] == pytest.approx(track["width"] * found[name], abs=0.06)  # written with one digit
        middle = notch["x"] + notch["width"] / 2, notch["y"] + notch["height"] / 2
        assert middle[0] == pytest.approx(track["x"] + track["width"] * q.base_scores[name], abs=0.11)
        assert middle[1] == pytest.approx(track["y"] + track["height"] / 2, abs=0.06)
