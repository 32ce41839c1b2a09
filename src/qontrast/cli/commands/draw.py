"""The command `draw`."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...engine.problem import Strengths
from ...errors import InvalidInput, UndefinedStrength, unknown
from ...questions import Question
from ..main import describe_error
from ..options import GRAPH, JSON, MEASURING, PAIR, SOLVING, make_choice, make_question
from ..output import cannot_have_suffix, print_note, write_output

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES: Mapping[str, str] = {
    "graph": "the graph with base scores and strengths",
    "bars": "what made the difference between FACT and FOIL",
    "waterfall": "the same, adding up to the gap; for --method shapley",
    "pairs": "the gap of every pair of topics",
    "ranking": "the topics from the strongest down",
}
SUFFIXES = ("svg", "pdf", "png")
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *MEASURING,
    click.Option(
        ["--out", "-o"],
        metavar="PATH",
        default="graph.svg",
        help="The file to write: .svg, .pdf or .png; - prints SVG.",
    ),
    make_choice(["--figure"], FIGURES, "What to draw", default="graph"),
    JSON,
]


def run(*, out: str, figure: str, json: bool, **options: Any) -> None:
    """Draw a figure."""
    if figure not in FIGURES:
        raise unknown(figure, FIGURES, "figure")
    kind = choose_kind(out)
    draw = {"graph": _draw_graph, "pairs": _draw_topics, "ranking": _draw_topics}.get(figure, _draw_contrast)
    write_output(draw(make_question(**options), figure, kind), out, json=json)


def choose_kind(out: str) -> str:
    """Return the kind of picture that a path stands for; standard output, devices and pipes get SVG."""
    if cannot_have_suffix(out):
        return "svg"
    path = Path(out)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in SUFFIXES:
        has = f"has the suffix {path.suffix!r}" if path.suffix else "has no suffix"
        raise InvalidInput(f"{out} {has}; a picture has one of .{', .'.join(SUFFIXES)}")
    return kind


def _draw_graph(question: Question, _: str, kind: str) -> bytes:
    """Draw the graph with strengths in the boxes, or without them where they are undefined."""
    fact, foil = question.named_pair
    found: Strengths | None = None
    try:
        found = question.strengths
    except UndefinedStrength as error:
        print_note(f"note: drawn without strengths: {describe_error(error, 'draw')}")
    if kind == "svg":
        from ...show.svg.graph import graph_svg

        return graph_svg(question.qbaf, found, fact=fact, foil=foil).encode()
    from ...show.mpl.graph import draw_graph

    return _save(draw_graph(question.qbaf, found, fact=fact, foil=foil), kind)


def _draw_contrast(question: Question, figure: str, kind: str) -> bytes:
    why = question.contrast()
    if (figure, kind) == ("bars", "svg"):
        from ...show.svg.bars import bars_svg

        return bars_svg(why).encode()
    from ...show.mpl.bars import plot_contrast, plot_waterfall

    return _save((plot_contrast if figure == "bars" else plot_waterfall)(why), kind)


def _draw_topics(question: Question, figure: str, kind: str) -> bytes:
    from ...show.mpl.topics import plot_pairs, plot_ranking

    return _save(plot_pairs(question.all_pairs()) if figure == "pairs" else plot_ranking(question.rank()), kind)


def _save(axes: Axes, kind: str) -> bytes:
    """Save Matplotlib's picture; the figure is closed, since pyplot would keep it."""
    from matplotlib import pyplot

    data, page = BytesIO(), axes.get_figure(root=True)
    assert page is not None
    page.savefig(data, format=kind, bbox_inches="tight", dpi=200)
    pyplot.close(page)
    return data.getvalue()
