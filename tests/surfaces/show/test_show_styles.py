"""Colours can be told from their paper in every palette and style, and labels of all scripts find their fonts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgba
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.text import Text

import qontrast as qx
from qontrast import show
from qontrast.questions import Question
from qontrast.show.drawing import MAX_FILL
from qontrast.show.mpl import fonts
from qontrast.show.palette import GROUP_COLOURS, PALETTES, find_contrast, find_palette
from tests.support.graphs_to_show import SVG, healthcare, parsed, treatment

EVERY_PALETTE = list(product(PALETTES, (False, True)))
TEXTS = ("ink", "muted", "fact_ink", "foil_ink", "attack", "support")  # the weights of edges have the last two
SHAPES = ("fact", "foil", "fact_soft", "foil_soft", "fill", "attack", "support", "outline", "topic")
STYLES = ["default", "dark_background", "seaborn-v0_8-darkgrid", "seaborn-v0_8-white", "Solarize_Light2", "grayscale"]


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """By the definition of WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def blend(colour: str, paper: str, share: float) -> str:
    parts = [(int(colour[k : k + 2], 16), int(paper[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


@pytest.mark.parametrize(("palette", "dark"), EVERY_PALETTE)
def test_texts_and_shapes_of_every_palette_can_be_told_from_their_paper(palette: str, dark: bool) -> None:
    colours = find_palette(palette, dark)
    assert find_contrast(colours.ink, colours.paper) == pytest.approx(contrast(colours.ink, colours.paper))
    for name in TEXTS:
        assert contrast(colours[name], colours.paper) >= 4.5, name
    for name in SHAPES:
        assert contrast(colours[name], colours.paper) >= 3, name
    assert contrast(colours.ink, blend(colours.fill, colours.paper, MAX_FILL)) >= 4.5
    for band in GROUP_COLOURS:
        assert contrast(colours.ink, colours[band]) >= 4.5, band


@cache
def source(name: str) -> tuple[Any, ...]:
    """What the figures of healthcare are drawn from."""
    q, pair = healthcare(), ("antiviral", "antibiotic")
    question = Question(graph=q, fact=pair[0], foil=pair[1])
    made = {
        "graph": lambda: (q, question.strengths),
        "change": lambda: (qx.change(q, q.without("wbc"), *pair),),
        "uncertainty": lambda: (qx.uncertainty(q, *pair, scores={"pcr": (0.1, 0.9), "wbc": (0.2, 0.4)}, samples=500),),
    }
    return made[name]() if name in made else (question.compute(name),)


def find_papers(ax: Axes, text: Text) -> list[str]:
    """What a text stands on: its cell, its own patch, the boxes of a graph, or the paper of Axes and figure."""
    page = to_hex(ax.figure.get_facecolor())
    if ax.images and text in ax.texts:
        column, row = (round(place) for place in text.get_position())
        value: Any = ax.images[0].get_array()
        empty = np.ma.getmaskarray(value)[row, column] or np.isnan(value[row, column])
        return [to_hex(ax.get_facecolor()) if empty else to_hex(ax.images[0].to_rgba(value)[row, column])]
    if text.get_bbox_patch() is not None:
        return [to_hex(text.get_bbox_patch().get_facecolor())]  # type: ignore[union-attr]
    x, y = text.get_position()
    for box in (each for each in ax.patches if isinstance(each, FancyBboxPatch)):
        if 0 <= x - box.get_x() <= box.get_width() and 0 <= y - box.get_y() <= box.get_height():
            return [to_hex(box.get_facecolor())]
    return [page, to_hex(ax.get_facecolor())] if text in ax.texts and ax.axison else [page]


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("look", STYLES)
@pytest.mark.heavy
def test_texts_and_shapes_of_every_figure_can_be_told_from_the_paper_of_every_style(look: str, palette: str) -> None:
    for name, figure in show.FIGURES.items():
        with style.context(look):
            whole = figure.plot(*source(figure.source), palette=palette)
        for ax in (whole, *whole.child_axes):
            labels = [*ax.texts, ax.title, ax._left_title, ax._right_title]  # type: ignore[attr-defined]
            if ax.axison:
                labels += [*ax.get_yticklabels(), *ax.get_xticklabels(), ax.xaxis.label, ax.yaxis.label]
            for text in (each for each in labels if each.get_text() and each.get_visible()):
                for paper in find_papers(ax, text):  # type: ignore[arg-type]
                    assert contrast(to_hex(str(text.get_color())), paper) >= 4.5, (name, text.get_text())
            bars = [each for each in ax.patches if type(each) is Rectangle] if figure.source != "graph" else []
            paper = to_hex(ax.get_facecolor() if to_rgba(ax.get_facecolor())[3] else whole.figure.get_facecolor())
            for bar in bars:
                assert contrast(to_hex(bar.get_facecolor()), paper) >= 3, name


def test_a_dark_style_gives_dark_paper_and_its_own_ink_to_every_figure() -> None:
    with style.context("dark_background"):
        ax = healthcare().plot()
        cells = show.plot_pairs(qx.all_pairs(healthcare()))
    assert to_hex(ax.figure.get_facecolor()) == "#000000"
    assert {to_hex(str(text.get_color())) for text in ax.texts} >= {"#ffffff"}
    for text in cells.texts:
        row, column = (int(place) for place in reversed(text.get_position()))
        image = cells.images[0]
        value = image.get_array()
        if value is not None and row != column:
            cell = to_hex(image.to_rgba(value)[row, column])
            assert contrast(to_hex(str(text.get_color())), cell) >= 4.5


def make_font(path: Path, family: str, chars: str) -> None:
    """A font with one square for each of the characters."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for k, point in enumerate(((0, 0), (0, 700), (700, 700), (700, 0))):
        (pen.lineTo if k else pen.moveTo)(point)
    pen.closePath()
    square, names = pen.glyph(), [".notdef", *(f"g{k}" for k in range(len(chars)))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(char): f"g{k}" for k, char in enumerate(chars)})
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(str(path))


def test_characters_that_the_font_lacks_come_from_an_installed_font_that_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_font(tmp_path / "han.ttf", "Test Han", "高熱咳")
    monkeypatch.setattr(font_manager.fontManager, "ttflist", list(font_manager.fontManager.ttflist))
    font_manager.fontManager.addfont(str(tmp_path / "han.ttf"))
    fonts._cover.cache_clear()
    fonts.list_fonts.cache_clear()
    q = qx.Qbaf({"t": 0.5, "u": 0.5, "x": 0.5}, supports=[("x", "t")], labels={"x": "高熱"}, topics=["t", "u"])
    ax = qx.contrast(q, "t", "u").plot()
    (label,) = [each for each in ax.get_yticklabels() if each.get_text() == "高熱"]
    assert "Test Han" in label.get_fontfamily()
    fonts._cover.cache_clear()
    fonts.list_fonts.cache_clear()


def test_one_note_names_all_scripts_that_have_no_font_and_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "list_fonts", lambda _: [])
    fonts._cover.cache_clear()
    q = qx.Qbaf({"t": 0.5, "u": 0.5, "x": 0.5}, supports=[("x", "t")], labels={"x": "高熱 🦓 खांसी"}, topics=["t", "u"])
    why = qx.contrast(q, "t", "u")
    with pytest.warns(qx.FontWarning) as caught:
        assert show.draw_figure("bars", why, format="png") == show.draw_figure("bars", why, format="png")
    (said,) = [str(each.message) for each in caught]
    assert "CJK" in said
    assert "install Noto Emoji, Noto Sans CJK, Noto Sans Devanagari and delete" in said
    fonts._cover.cache_clear()


DRAW = """
import sys
if len(sys.argv) > 1:
    sys.modules["pygraphviz"] = None
from hashlib import sha256
import qontrast as qx
from qontrast.questions import Question
from qontrast.show import FIGURES, draw_figure
from qontrast.web import page, schemas
q = qx.examples.load("healthcare")
question = Question(graph=q, fact="antiviral", foil="antibiotic")
why = question.contrast()
made = {"notebook": q._repr_svg_(), "notebook, contrast": why._repr_html_()}
made["report"] = qx.show.report_html(q, "antiviral", "antibiotic", interactive=True)
for name, figure in FIGURES.items():
    settings = {"scores": {"pcr": (0.1, 0.9)}, "samples": 500} if figure.source == "uncertainty" else {}
    if figure.source == "graph":
        drawn = (q, qx.strengths(q))
    elif figure.source == "change":
        drawn = (qx.change(q, q.without("wbc"), "antiviral", "antibiotic"),)
    elif figure.source == "uncertainty":
        drawn = (qx.uncertainty(q, "antiviral", "antibiotic", **settings),)
    else:
        drawn = (question.compute(figure.source),)
    made |= {f"{name}, {kind}": draw_figure(name, *drawn, format=kind) for kind in figure.formats}
asked = {"graph": q.to_dict(), "fact": "antiviral", "foil": "antibiotic"}
made |= {f"explorer, {x}": page.draw(schemas.Draw(**asked, picture=x)).content for x in ("graph", "bars")}
for name, picture in made.items():
    print(name, sha256(picture if isinstance(picture, bytes) else picture.encode()).hexdigest())
"""


@pytest.mark.heavy
def test_pictures_of_every_surface_depend_on_their_input_alone_and_not_on_graphviz_or_on_the_seed_of_hashes() -> None:
    drawn = [
        subprocess.run(
            [sys.executable, "-c", DRAW, *more],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout.splitlines()
        for seed, more in (("1", []), ("2", ["without pygraphviz"]))
    ]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) > 3 * len(show.FIGURES)


def test_labels_from_right_to_left_are_isolated_and_hidden_characters_and_blank_names_are_seen_in_pictures() -> None:
    labels = {"t": "علاج مضاد للفيروسات", "u": "טיפול", "x": "חום גבוה (39)", "y": "a\u202eb", "z": " "}
    base = dict.fromkeys(labels, 0.5)
    q = qx.Qbaf(base, supports=[("x", "t"), ("y", "t")], attacks=[("z", "u")], labels=labels, topics=["t", "u"])
    why = qx.contrast(q, "t", "u", method="removal")
    for svg in (show.graph_svg(q, qx.strengths(q), fact="t", foil="u"), show.bars_svg(why)):
        texts = [each.text or "" for each in parsed(svg).iter(f"{SVG}text")]
        turned = [text for text in texts if any("\u0590" <= char <= "\u06ff" for char in text)]
        assert len(turned) > 2
        for text in turned:
            assert re.fullmatch("(◂ )?\u2068[^\u2068\u2069]+\u2069( ▸)?", text), ascii(text)
        assert {r"a\u202eb", "“ ”"} <= set(texts)
    written = {each.get_text() for each in (*q.plot().texts, *why.plot().get_yticklabels())}
    assert {r"a\u202eb", "“ ”"} <= written


def test_a_file_is_as_wide_as_it_is_asked_to_be() -> None:
    q = healthcare()
    for name, drawn in (("bars", (treatment(),)), ("graph", (q, qx.strengths(q)))):
        root = parsed(show.draw_figure(name, *drawn, width=3.3).decode())
        assert float(root.get("width") or 0) == pytest.approx(316.8)
        wide, high = (float(each) for each in (root.get("viewBox") or "").split()[2:])
        assert float(root.get("height") or 0) / 316.8 == pytest.approx(high / wide, abs=1e-4)
    with pytest.raises(qx.InvalidInput, match=r"width is 0\.2; give the width of the figure in inches, from 1 to 100"):
        show.draw_figure("bars", treatment(), width=0.2)
