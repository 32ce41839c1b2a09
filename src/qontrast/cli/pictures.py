"""The commands that draw: draw, report."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..engine.problem import Strengths, strengths
from ..errors import InvalidInput, UndefinedStrength, unknown
from ..explain.contrast import Contrast, contrast
from ..explain.pairs import all_pairs
from ..explain.pairs import rank as ranking
from ..formats.disk import write_files
from ..graph.qbaf import Qbaf
from ..types import Name
from . import load
from .hints import phrased
from .options import TIME_LIMIT, By, Fact, Foil, Graph, Json, TimeLimit, Under, table_of
from .screen import note, put_json
from .streams import put_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURES: Mapping[str, str] = {
    "graph": "the graph with base scores and strengths",
    "bars": "what made the difference between FACT and FOIL",
    "waterfall": "the same, adding up to the gap; for --method shapley",
    "pairs": "the gap of every pair of topics",
    "ranking": "the topics from the strongest down",
}
KINDS = ("svg", "pdf", "png")


def draw(
    graph: Graph,
    under: Under,
    by: By,
    fact: Fact = None,
    foil: Foil = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="The file to write: .svg, .pdf or .png; - prints SVG.")
    ] = "graph.svg",
    figure: Annotated[str, typer.Option("--figure", **table_of(FIGURES, "What to draw"))] = "graph",
    json: Json = False,
) -> None:
    """Draw the graph, or another figure, as SVG, PDF or PNG."""
    if figure not in FIGURES:
        raise unknown(figure, FIGURES, "figure")
    kind = "svg" if load.without_suffix(out) else Path(out).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise InvalidInput(f"{out} has the suffix {Path(out).suffix!r}; a picture has one of .{', .'.join(KINDS)}")
    if figure == "graph":
        qbaf = load.graph(graph)
        one, other = (None if name is None else qbaf.resolve(name) for name in (fact, foil))
        picture = _graph(qbaf, under, one, other, kind)
    elif figure in ("pairs", "ranking"):
        qbaf = load.graph(graph)
        load.check_topics(qbaf, graph)
        picture = _topics(qbaf, under, by, figure, kind)
    else:
        qbaf, one, other = load.pair(graph, fact, foil, under)
        picture = _contrast(contrast(qbaf, one, other, progress=True, **by.chosen(), **under.chosen()), figure, kind)
    _put(picture, out, json)


def _graph(qbaf: Qbaf, under: Under, fact: Name | None, foil: Name | None, kind: str) -> bytes:
    """The graph with strengths in the boxes, or without them where they are undefined."""
    found: Strengths | None = None
    try:
        found = strengths(qbaf, **under.chosen())
    except UndefinedStrength as error:
        note(f"note: drawn without strengths: {phrased(error, 'draw')}")
    if kind == "svg":
        from ..show.svg.graph import graph_svg

        return graph_svg(qbaf, found, fact=fact, foil=foil).encode()
    from ..show.mpl.graph import draw_graph

    return _saved(draw_graph(qbaf, found, fact=fact, foil=foil), kind)


def _contrast(why: Contrast, figure: str, kind: str) -> bytes:
    if (figure, kind) == ("bars", "svg"):
        from ..show.svg.bars import bars_svg

        return bars_svg(why).encode()
    from ..show.mpl.bars import plot_contrast, plot_waterfall

    return _saved((plot_contrast if figure == "bars" else plot_waterfall)(why), kind)


def _topics(qbaf: Qbaf, under: Under, by: By, figure: str, kind: str) -> bytes:
    from ..show.mpl.topics import plot_pairs, plot_ranking

    asked = {"progress": True, **by.chosen(), **under.chosen()}
    axes = plot_pairs(all_pairs(qbaf, **asked)) if figure == "pairs" else plot_ranking(ranking(qbaf, **asked))
    return _saved(axes, kind)


def _saved(axes: Axes, kind: str) -> bytes:
    """Matplotlib's picture as a file; the figure is closed, since pyplot would keep it."""
    from matplotlib import pyplot

    data, page = BytesIO(), axes.get_figure(root=True)
    assert page is not None
    page.savefig(data, format=kind, bbox_inches="tight", dpi=200)
    pyplot.close(page)
    return data.getvalue()


def report(
    graph: Graph,
    under: Under,
    by: By,
    fact: Fact = None,
    foil: Foil = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="PATH", help="The page to write, or - for standard output.")
    ] = "why.html",
    no_flip: Annotated[
        bool, typer.Option("--no-flip", help="Leave out the search for what would make the other topic win.")
    ] = False,
    time_limit: TimeLimit = TIME_LIMIT,
    json: Json = False,
) -> None:
    """Write one page with the whole answer: words, graph, bars, table, all pairs, flip, method."""
    from datetime import date

    from ..explain.flip import flip
    from ..show.html.report import report_html

    load.check_page_name(out)
    qbaf, one, other = load.pair(graph, fact, foil, under)
    chosen = under.chosen()
    ahead, behind = load.ordered(qbaf, [one, other], under)
    found = None if no_flip else flip(qbaf, ahead, behind, time_limit=time_limit or None, progress=True, **chosen)
    today = date.today().isoformat()
    page = report_html(qbaf, one, other, flip=found, date=today, progress=True, **by.chosen(), **chosen)
    _put(page.encode(), out, json)


def _put(data: bytes, out: str, json: bool) -> None:
    """Write to standard output, or into a file, whole or not at all."""
    if load.to_stdout(out):
        return put_bytes(data)
    write_files({Path(out): data})
    if json:
        return put_json({"schema": "qontrast/written/1", "path": out, "bytes": len(data)})
    return note(f"{out}: {len(data) / 1000:,.0f} kB")
