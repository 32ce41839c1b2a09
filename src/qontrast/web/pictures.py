"""Pictures, figures and reports as files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput, TooLarge, unknown_name
from ..questions import Question, suggest_topics
from ..show import bars_svg, graph_svg
from ..show.figures import FIGURES, save
from . import limits, schemas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


@dataclass(frozen=True)
class Picture:
    """A file that is sent as it is."""

    content: bytes
    media: str


def draw(asked: schemas.Draw) -> Picture:
    """Draw the graph, or the bars of a contrast, as SVG."""
    question = asked.to_question()
    if asked.picture == "bars":
        svg = bars_svg(question.contrast(), palette=asked.palette, dark=asked.dark)
    else:
        qbaf = question.qbaf
        fact, foil = question.pair if len(qbaf) > 1 else (None, None)
        colours: dict[str, Any] = {"palette": asked.palette, "dark": asked.dark}
        svg = graph_svg(
            qbaf, question.strengths, fact=fact, foil=foil, limit=limits.MAX_ARGUMENTS_IN_PICTURE, **colours
        )
    return Picture(svg.encode(), MEDIA["svg"])


def draw_figure(asked: schemas.Figure) -> Picture:
    """Draw a figure of the table FIGURES by matplotlib."""
    if asked.figure not in FIGURES:
        raise unknown_name(asked.figure, FIGURES, "figure")
    try:
        content = save(plot(asked.to_question(), asked.figure, asked.palette), asked.format)
    except ImportError as error:
        raise InvalidInput(f"figures need {error.name}; install it with: pip install 'qontrast[plot]'") from None
    return Picture(content, MEDIA[asked.format])


def plot(question: Question, name: str, palette: str) -> Axes:
    """Plot a figure from what it is drawn from."""
    figure, qbaf = FIGURES[name], question.qbaf
    if figure.source == "graph":
        why = question.contrast()
        pair = {"fact": why.fact, "foil": why.foil}
        return figure.plot(
            qbaf, why.strengths, contributions=why, limit=limits.MAX_ARGUMENTS_IN_PICTURE, palette=palette, **pair
        )
    topics = suggest_topics(qbaf)[: limits.MAX_TOPICS_IN_FIGURE]
    if figure.source in ("pairs", "ranking") and len(topics) < 2:
        raise InvalidInput(f"this figure needs two arguments, and the graph has {len(qbaf)}")
    return figure.plot(question.compute(figure.source, topics), palette=palette)


def write_report(asked: schemas.Report) -> Picture:
    """Write the whole answer as one page of HTML, with what would flip it."""
    question = asked.to_question()
    topics = {*question.qbaf.topics, *question.pair}
    if len(topics) > limits.MAX_TOPICS:
        raise TooLarge(f"a report on {len(topics)} topics is too long; this server takes up to {limits.MAX_TOPICS}")
    page = question.report(time_limit=limits.MAX_FLIP_SECONDS, palette=asked.palette)
    return Picture(page.encode("utf-8", "replace"), "text/html; charset=utf-8")
