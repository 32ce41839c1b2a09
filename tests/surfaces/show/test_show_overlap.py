"""In every figure, at the widths of a column and of a page, no two texts overlap and none leaves the figure."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

import qontrast as qx
from qontrast import show
from qontrast.show import FIGURES
from qontrast.show.html.audit import _plot
from tests.support.graphs_to_show import SVG, parsed

COLUMN, PAGE = 3.3, 7.0  # inches: a column of a paper, and its text block
PAGE_HEIGHT = 9.3
SMALLEST_TYPE = 6.0  # points
STYLES = ("dark_background", "seaborn-v0_8-darkgrid", "seaborn-v0_8-poster")
PIXELS = 96  # of an inch of SVG
LONG = "The committee of experts recommends incomprehensibilities-in-extraordinarily-long-words rather than short ones"
Box = tuple[str, float, float, float, float]  # a text, left, right, bottom, top


@cache
def crowded(arguments: int, topics: int, seed: int = 1) -> qx.Qbaf:
    """Many topics and arguments with long labels, tiny and negative effects, ties, weights, and base scores 0 and 1."""
    rng = random.Random(seed)
    ends = [f"t{k}" for k in range(topics)]
    names = [f"a{k}" for k in range(arguments)]
    base = {name: rng.choice((0.0, 0.5, 0.5, 1.0, round(rng.random(), 2))) for name in (*ends, *names)}
    relations: dict[Any, float] = {}
    for k, name in enumerate(names):
        relations[name, ends[k % topics]] = rng.choice((1.0, 0.25, 1e-4))
        relations[name, ends[(7 * k + 1) % topics]] = 1.0
    attacks = {pair: weight for k, (pair, weight) in enumerate(relations.items()) if k % 3}
    supports = {pair: weight for pair, weight in relations.items() if pair not in attacks}
    labels = {name: f"{k} {LONG}"[: rng.choice((12, 40, 120))].strip() for k, name in enumerate((*ends, *names))}
    labels[ends[0]], labels[ends[1]] = f"First {LONG}", f"Second {LONG}"
    return qx.Qbaf(base, attacks=attacks, supports=supports, labels=labels, topics=ends, semantics="qe")


def many() -> qx.Qbaf:
    return crowded(40, 15)


def few() -> qx.Qbaf:
    return crowded(10, 2)


def changed() -> qx.Qbaf:
    return few().with_base_scores({"a1": 0.3, "a2": 0.31, "a3": 0.9, "a4": 0.1}).without("a6")


def versions() -> list[qx.Qbaf]:
    return [few(), changed(), few().without("a2"), few().without("a3"), few(), changed()]


PAIR = ("t0", "t1")
RANGES = {f"a{k}": (0.0, 0.2 + 0.1 * k) for k in range(8)}
SOURCES: dict[str, Callable[[], tuple[Any, ...]]] = {
    "graph": lambda: (many(), qx.strengths(many())),
    "contrast": lambda: (qx.contrast(many(), *PAIR, method="sampled", budget=200, seed=1),),
    "edges": lambda: (qx.contrast(few(), *PAIR, players="edges", method="owen"),),
    "interactions": lambda: (qx.interactions(few(), *PAIR),),
    "uncertainty": lambda: (qx.uncertainty(few(), *PAIR, scores=RANGES, samples=500),),
    "change": lambda: (qx.change(few(), changed(), *PAIR),),
    "pairs": lambda: (qx.all_pairs(many(), method="removal"),),
    "ranking": lambda: (qx.rank(many(), method="removal"),),
    "semantics": lambda: (qx.compare_semantics(few(), *PAIR, method="removal"),),
    "trajectory": lambda: (qx.trajectory(many(), until=3),),
}
SETTINGS: dict[str, dict[str, Any]] = {"bars": {"limit": 40}, "waterfall": {"limit": 40}, "graph": {"fact": "t0"}}
SETTINGS["graph"] |= {"foil": "t1", "limit": 25}
# figures that are drawn by a function and by no command
OTHERS: dict[str, tuple[Any, Callable[[], tuple[Any, ...]], Callable[[], dict[str, Any]]]] = {
    "attribution": (show.plot_attribution, lambda: (qx.attribute(many(), "t0", method="removal"),), dict),
    "graph with weights": (show.draw_graph, lambda: (few(), qx.strengths(few())), lambda: {"fact": "t0", "foil": "t1"}),
    "graph without a question": (show.draw_graph, lambda: (qx.examples.load("debate"),), dict),
    "graph with edges": (
        show.draw_graph,
        lambda: (qx.examples.load("healthcare"),),
        lambda: {
            "contributions": qx.contrast(
                qx.examples.load("healthcare"), "antiviral", "antibiotic", players="edges", method="removal"
            )
        },
    ),
    "history": (show.plot_history, lambda: (qx.history(versions(), *PAIR),), dict),
    "arcs": (
        show.plot_contrast,
        lambda: (qx.contrast(few(), *PAIR),),
        lambda: {"interactions": qx.interactions(few(), *PAIR)},
    ),
}


@cache
def source(name: str) -> tuple[Any, ...]:
    return SOURCES[name]()


def drawn(name: str, **settings: Any) -> Axes:
    if name in OTHERS:
        plot, make, more = OTHERS[name]
        made: Axes = plot(*make(), **more(), **settings)
        return made
    return FIGURES[name].plot(*source(FIGURES[name].source), **SETTINGS.get(name, {}), **settings)


def texts(figure: Figure) -> Iterator[Box]:
    """All texts that are drawn, with the boxes that the renderer gives them."""
    figure.draw_without_rendering()
    renderer = figure._get_renderer()  # type: ignore[attr-defined]
    for ax in figure.axes:
        for each in (ax, *ax.child_axes):
            labels: list[Text] = []
            for axis in (each.xaxis, each.yaxis):
                low, high = sorted(axis.get_view_interval())
                ticks = [tick for tick in axis.get_major_ticks() if low - 1e-9 <= tick.get_loc() <= high + 1e-9]
                shown = each.axison and axis.get_visible()
                labels += [label for tick in ticks for label in (tick.label1, tick.label2)] if shown else []
                labels += [axis.label] if shown else []
            titles = [each.title, each._left_title, each._right_title]  # type: ignore[attr-defined]
            for text in (*labels, *titles, *each.texts):
                if text.get_visible() and text.get_text().strip():
                    box = Text.get_window_extent(text, renderer)  # without the arrow of an annotation
                    yield text.get_text(), box.x0, box.x1, box.y0, box.y1


def check(boxes: list[Box], width: float, height: float, slack: float) -> None:
    """No two of the boxes overlap by more than the slack, and all are in the figure."""
    for text, left, right, low, high in boxes:
        assert -slack <= left <= right <= width + slack, f"{text!r} is cut: {left:.1f} … {right:.1f} of {width:.1f}"
        assert -slack <= low <= high <= height + slack, f"{text!r} is cut: {low:.1f} … {high:.1f} of {height:.1f}"
    for one, other in combinations(boxes, 2):
        across = min(one[2], other[2]) - max(one[1], other[1])
        along = min(one[4], other[4]) - max(one[3], other[3])
        assert across <= slack or along <= slack, f"{one[0]!r} and {other[0]!r} overlap by {across:.1f} × {along:.1f}"


def test_every_source_of_a_figure_has_a_hard_input() -> None:
    assert set(SOURCES) == {figure.source for figure in FIGURES.values()}


@pytest.mark.parametrize("look", ["default", *(pytest.param(each, marks=pytest.mark.heavy) for each in STYLES)])
@pytest.mark.parametrize("width", [COLUMN, pytest.param(PAGE, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", [*FIGURES, *OTHERS])
def test_no_text_of_a_figure_overlaps_another_or_leaves_the_figure_or_is_too_small(
    name: str, width: float, look: str
) -> None:
    with style.context(look):
        figure = drawn(name, width=width).figure
        assert isinstance(figure, Figure)
        assert figure.get_figwidth() == pytest.approx(width)
        boxes = list(texts(figure))
    assert len(boxes) > 3
    check(boxes, *(figure.get_size_inches() * figure.dpi), slack=0.01 * figure.dpi)
    written = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert min(text.get_fontsize() for text in written) >= SMALLEST_TYPE  # type: ignore[attr-defined]


@pytest.mark.heavy
def test_figures_for_a_column_fit_on_a_page() -> None:
    debate, healthcare = qx.examples.load("debate"), qx.examples.load("healthcare")
    why = qx.contrast(debate, *debate.topics[:2], method="gradient")
    edges = qx.contrast(healthcare, "antiviral", "antibiotic", players="edges", method="owen")
    pair = {"fact": why.fact, "foil": why.foil}
    for ax in (
        show.draw_graph(debate, why.strengths, contributions=why, width=COLUMN, **pair),
        show.draw_graph(debate, why.strengths, width=PAGE),
        show.plot_contrast(why, width=COLUMN),
        show.plot_edges(edges, width=COLUMN),
    ):
        assert ax.figure.get_figheight() <= PAGE_HEIGHT  # type: ignore[union-attr]
    svg = parsed(show.graph_svg(debate, why.strengths, contributions=why, width=COLUMN * PIXELS, **pair))
    assert float(svg.get("height") or 0) <= PAGE_HEIGHT * PIXELS
    units = float((svg.get("viewBox") or "").split()[2]) / COLUMN / 72  # of a point
    sizes = [float(each.get("font-size") or 0) / units for each in svg.iter(f"{SVG}text")]
    assert min(sizes) >= SMALLEST_TYPE - 0.01


@pytest.mark.parametrize("name", ["bars", "waterfall", "ranking", "semantics", "change"])
@pytest.mark.heavy
def test_axes_of_a_narrow_figure_of_the_user_have_room_for_all_texts(name: str) -> None:
    figure = Figure(figsize=(COLUMN, 20), layout="constrained")
    drawn(name, ax=figure.add_subplot())
    check(list(texts(figure)), *(figure.get_size_inches() * figure.dpi), slack=0.01 * figure.dpi)


def measured(root: ElementTree.Element, dx: float = 0.0, dy: float = 0.0) -> Iterator[Box]:
    """All texts of an SVG, with boxes in a wide font."""
    for each in root:
        moved = (each.get("transform") or "translate(0 0)").removeprefix("translate(").removesuffix(")").split()
        x, y = dx + float(moved[0]), dy + float(moved[1])
        if each.tag == f"{SVG}text" and each.text:
            size, bold = float(each.get("font-size") or 12), each.get("font-weight") in ("600", "700", "bold")
            font = FontProperties(size=size, weight="bold" if bold else "normal")
            wide = text_to_path.get_text_width_height_descent(each.text, font, ismath=False)[0]
            start = x + float(each.get("x") or 0)
            start -= {"start": 0.0, "middle": wide / 2, "end": wide}[each.get("text-anchor") or "start"]
            base = y + float(each.get("y") or 0)
            yield each.text, start, start + wide, base - 0.74 * size, base + 0.2 * size
        yield from measured(each, x, y)


@pytest.mark.parametrize("width", [COLUMN, PAGE])
@pytest.mark.parametrize("name", ["bars", "arcs"])
@pytest.mark.heavy
def test_no_text_of_bars_in_svg_overlaps_another_or_leaves_the_picture(name: str, width: float) -> None:
    (why,) = source("contrast") if name == "bars" else (qx.contrast(few(), *PAIR),)
    arcs = qx.interactions(few(), *PAIR) if name == "arcs" else None
    root = parsed(show.bars_svg(why, limit=40, width=width * PIXELS, interactions=arcs))
    assert float(root.get("width") or 0) == pytest.approx(width * PIXELS)
    check(list(measured(root)), width * PIXELS, float(root.get("height") or 0), slack=0.5)


@pytest.mark.heavy
def test_no_text_of_a_graph_in_svg_overlaps_another_or_leaves_the_picture() -> None:
    root = parsed(show.graph_svg(many(), qx.strengths(many()), fact="t0", foil="t1"))
    check(list(measured(root)), float(root.get("width") or 0), float(root.get("height") or 0), slack=0.5)


def test_no_text_of_the_plot_of_an_audit_overlaps_another_or_leaves_it() -> None:
    rng = random.Random(3)
    names = [f"{k} {LONG}"[: rng.choice((5, 12, 30))] for k in range(15)]
    ranks = {
        name: [SimpleNamespace(mean=rng.choice((1.0, 2.0, 8.5, rng.uniform(1, 15)))) for _ in "ab"] for name in names
    }
    table = {name: SimpleNamespace(individual_rank=a, contrastive_rank=b) for name, (a, b) in ranks.items()}
    audit: Any = SimpleNamespace(network=SimpleNamespace(inputs=names), table={"shapley": table}, protected=names[3])
    root = parsed(_plot(audit, "shapley"))
    for each in [each for each in root if "rotate" in (each.get("transform") or "")]:
        root.remove(each)  # the name of the vertical axis
    assert sum(each.tag == f"{SVG}circle" for each in root) == len(names)
    boxes = list(measured(root))
    assert len(boxes) > 10
    check(boxes, float(root.get("width") or 0), float(root.get("height") or 0), slack=2)
