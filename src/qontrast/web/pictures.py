"""Pictures, figures and reports as files, drawn by `show`."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from ..engine.problem import strengths
from ..errors import InvalidInput, TooLarge, unknown_name
from ..explain.flip import flip
from ..explain.pairs import (
    all_pairs,
)
from ..explain.ranking import (
    rank,
)
from ..explain.trajectory import trajectory
from ..graph.qbaf import Qbaf
from ..show import (
    bars_svg,
    draw_graph,
    graph_svg,
    plot_contrast,
    plot_pairs,
    plot_ranking,
    plot_trajectory,
    plot_waterfall,
    report_html,
)
from . import limits, schemas
from .explain import settings, why
from .graphs import candidates, graph_of, pair


@dataclass(frozen=True)
class Picture:
    """A file that is sent as it is."""

    content: bytes
    media: str


MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
FIGURES = {
    "bars": "Contributions, contrastive and individual",
    "waterfall": "Waterfall (Shapley only)",
    "graph": "The graph",
    "pairs": "All pairs",
    "ranking": "Ranking of the topics",
    "convergence": "How strengths develop",
}


def draw(asked: schemas.Draw) -> Picture:
    """The graph, or the bars of a contrast, as SVG."""
    qbaf = graph_of(asked)
    if asked.picture == "bars":
        svg = bars_svg(why(qbaf, asked), palette=asked.palette, dark=asked.dark)
    else:
        found = strengths(qbaf, semantics=asked.semantics, solver=asked.solver)
        fact, foil = pair(qbaf, asked) if len(qbaf) > 1 else (None, None)
        svg = graph_svg(qbaf, found, fact=fact, foil=foil, palette=asked.palette, dark=asked.dark, most=limits.DRAWN)
    return Picture(svg.encode(), MEDIA["svg"])


def figure(asked: schemas.Figure) -> Picture:
    """A figure by matplotlib."""
    if asked.figure not in FIGURES:
        raise unknown_name(asked.figure, FIGURES, "figure")
    try:
        ax = _axes(graph_of(asked), asked)
        content = io.BytesIO()
        ax.figure.savefig(content, format=asked.format, metadata=_UNDATED.get(asked.format), dpi=160)
    except ImportError as error:
        raise InvalidInput(f"figures need {error.name}; install it with: pip install 'qontrast[plot]'") from None
    return Picture(content.getvalue(), MEDIA[asked.format])


_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # the same question gives the same file


def _axes(qbaf: Qbaf, asked: schemas.Figure) -> Any:
    palette = asked.palette
    if asked.figure in ("bars", "waterfall"):
        return (plot_contrast if asked.figure == "bars" else plot_waterfall)(why(qbaf, asked), palette=palette)
    if asked.figure == "convergence":
        return plot_trajectory(trajectory(qbaf, semantics=asked.semantics, solver="continuous"), palette=palette)
    if asked.figure == "graph":
        found = why(qbaf, asked)
        return draw_graph(
            qbaf,
            found.strengths,
            fact=found.fact,
            foil=found.foil,
            contributions=found,
            most=limits.DRAWN,
            palette=palette,
        )
    topics = list(candidates(qbaf))[: limits.PLOTTED]
    if len(topics) < 2:
        raise InvalidInput(f"this figure needs two arguments, and the graph has {len(qbaf)}")
    question: dict[str, Any] = {"method": asked.method, "semantics": asked.semantics, "solver": asked.solver}
    question |= settings(qbaf, asked)
    if asked.figure == "pairs":
        return plot_pairs(all_pairs(qbaf, topics, **question), palette=palette)
    return plot_ranking(rank(qbaf, topics, **question), palette=palette)


def report(asked: schemas.Report) -> Picture:
    """The whole answer as one page, with what would flip it."""
    qbaf = graph_of(asked)
    fact, foil = pair(qbaf, asked)
    found = strengths(qbaf, semantics=asked.semantics, solver=asked.solver)
    ahead, behind = (fact, foil) if found[fact] >= found[foil] else (foil, fact)
    how: dict[str, Any] = {"solver": asked.solver, "time_limit": limits.FLIP_SECONDS}
    other = None if fact == foil else flip(qbaf, ahead, behind, semantics=asked.semantics, **how)
    topics = list(dict.fromkeys([*qbaf.topics, fact, foil]))
    if len(topics) > limits.TOPICS:
        raise TooLarge(f"a report on {len(topics)} topics is too long; this server takes up to {limits.TOPICS}")
    given = {"solver": asked.solver, "palette": asked.palette, **settings(qbaf, asked)}
    page = report_html(qbaf, fact, foil, method=asked.method, semantics=asked.semantics, flip=other, **given)
    return Picture(page.encode("utf-8", "replace"), "text/html; charset=utf-8")
