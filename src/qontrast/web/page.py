"""What the page shows: the answer to `explain` after a slider has moved; pictures, figures and reports as files.

Undefined strengths and a method that is too expensive for the graph are part of the answer to `explain`, so that the
page can show the graph anyway. Only a request that makes no sense is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution.methods import METHODS
from ..errors import InvalidInput, QontrastError, TooLarge, UndefinedStrength, unknown_name
from ..explain.contrast import Contrast
from ..graph.qbaf import Qbaf
from ..questions import Question, suggest_topics
from ..results.base import TIE_TOLERANCE
from ..show import bars_svg, graph_svg
from ..show.descriptions import find_nothing_to_compare, find_undefined
from ..show.figures import FIGURES, save
from ..show.folding import View
from ..show.narrative import paragraph, summarize
from ..show.packing import MIN_PACKED
from ..show.palette import find_palette
from ..show.phrasing import call, choose, compare, write_pieces, write_size
from ..show.scene import scene
from ..show.svg.graph import write_scene
from ..types import Name
from . import limits, schemas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Data = dict[str, Any]
MAX_BOX_WIDTH = 150.0  # of the graph, in pixels
MEDIA = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


def explain(asked: schemas.Explain) -> Data:
    """Answer with strengths, contrast, sentences, gaps between all topics, and pictures."""
    question = asked.to_question()
    data: Data = {"schema": "qontrast/explain/1", "contrast": None, "undefined": None, "refused": None, "ways": []}
    try:
        data |= {"strengths": question.strengths.to_dict()}
    except UndefinedStrength as error:
        return data | _show_undefined(question, asked, error)
    if len(question.qbaf) < 2:
        return data | _show_single(question, asked)
    fact, foil = question.pair
    data |= {"fact": fact, "foil": foil, "pairs": _list_gaps(question)}
    if not asked.contributions:
        return data | _show_order(question, asked, fact, foil)
    try:
        return data | _show_contrast(question, asked, question.contrast())
    except (UndefinedStrength, TooLarge) as error:  # sub-graphs may be undefined, or too many
        data |= {"refused": error.phrase(schemas.write_hint), "ways": schemas.list_ways(error)}
        return data | _show_order(question, asked, fact, foil)


def _show_order(question: Question, asked: schemas.Explain, fact: Name, foil: Name) -> Data:
    names, strengths = [call(question.qbaf, name) for name in (fact, foil)], question.strengths
    order = compare(names[0], names[1], strengths[fact], strengths[foil], "rated.")
    answer = _write_answer(question, fact, foil, [order, "."])
    return answer | _draw(question, asked, strengths, fact, foil)


def _show_contrast(question: Question, asked: schemas.Explain, why: Contrast) -> Data:
    entry = METHODS[asked.method].for_players(why.players.kind)
    data: Data = {
        "contrast": why.to_dict(),
        **_write_answer(question, why.fact, why.foil, [*summarize(why), "."]),
        "paragraph": paragraph(why),
        "way": why.how,
        "measures": entry.measures,
        "promises": entry.promises,
        "kinks": list(why.kinks),
    }
    data["sides"] = data["contrast"].get("sides", {})
    return data | _draw(question, asked, question.strengths, why.fact, why.foil, why)


def _write_answer(question: Question, fact: Name | None, foil: Name | None, said: Iterable[Any]) -> Data:
    """Write the answer as one sentence, and in pieces that say where fact and foil are named."""
    roles: dict[str, str] = {
        call(question.qbaf, x): role for x, role in ((foil, "foil"), (fact, "fact")) if x is not None
    }
    pieces = write_pieces(said, roles)
    return {"sentence": "".join(text for text, _ in pieces), "pieces": pieces}


def _show_single(question: Question, asked: schemas.Explain) -> Data:
    qbaf = question.qbaf
    refused = (
        f"A question needs two arguments, and the graph has {len(qbaf)}. "
        "Double-click in the picture to add one, or open “Edit graph”."
    )
    fact = next(iter(qbaf), None)
    data: Data = {"fact": fact, "foil": None, "refused": refused}
    data |= _write_answer(question, fact, None, find_nothing_to_compare(qbaf))
    return data | _draw(question, asked, question.strengths)


def _show_undefined(question: Question, asked: schemas.Explain, error: UndefinedStrength) -> Data:
    qbaf = question.qbaf
    names = [*suggest_topics(qbaf), *qbaf.arguments]
    fact, foil = question.named_pair
    fact = next((name for name in names if name != foil), None) if fact is None else fact
    foil = next((name for name in names if name != fact), None) if foil is None else foil
    moving = [name for name in qbaf.arguments if name in set(error.arguments)]
    data: Data = {
        "fact": fact,
        "foil": foil,
        **_write_answer(question, fact, foil, find_undefined(qbaf, moving)),
        "undefined": {"message": error.phrase(schemas.write_hint), "arguments": moving},
        "ways": schemas.list_ways(error),
    }
    return data | _draw(question, asked, dict.fromkeys(qbaf.arguments, float("nan")), fact, foil)


def _draw(
    question: Question,
    asked: schemas.Explain,
    strengths: Mapping[Name, float],
    fact: Name | None = None,
    foil: Name | None = None,
    why: Contrast | None = None,
) -> Data:
    """Draw the graph, without the legend that the page has, and the bars of a contrast."""
    if not asked.pictures:
        return {"svg": None}
    graph = None
    if asked.view is None or not asked.view.drawn:
        graph = _draw_view(question, strengths, fact, foil, why, asked.view, asked.palette, legend=False)
    bars = None if why is None else bars_svg(why, palette=asked.palette, width=float(asked.width))
    return {"svg": {"graph": graph, "bars": bars}}


def _draw_view(
    question: Question,
    strengths: Mapping[Name, float],
    fact: Name | None,
    foil: Name | None,
    why: Contrast | None,
    view: schemas.View | None,
    palette: str,
    **settings: Any,
) -> str:
    """Draw the graph as a page looks at it; without a view as a picture of up to so many arguments."""
    pair: Data = {"fact": fact, "foil": foil, "broadest": MAX_BOX_WIDTH}
    if view is None:
        return _draw_graph(question, strengths, contributions=why, palette=palette, **pair, **settings)
    asked, english = _read_view(view, question.original), choose("en")
    if why is None and asked.folded and (asked.shown is None or asked.opened is not None):
        why = _estimate(question)
    limit = limits.MAX_ARGUMENTS
    made = scene(question.qbaf, strengths, contributions=why, view=asked, limit=limit, to=english, **pair)
    light = len(made.nodes) >= MIN_PACKED
    return write_scene(made, find_palette(palette), write_size(question.qbaf, english), light=light)


def _read_view(view: schemas.View, original: Qbaf) -> View:
    """Read the earlier graph of a view; that before the removals of this question unless it is given."""
    before = original if view.before is None else schemas.read_graph(view.before, "the graph before")
    shown = None if view.shown is None else tuple(view.shown)
    placed: dict[Name, tuple[float, float]] = dict(view.placed.items())
    return View(view.fold, shown, view.opened, before, view.room, placed)


def _estimate(question: Question) -> Contrast | None:
    """Find out quickly which arguments matter, where the contributions are not known."""
    try:
        return replace(question, method="gradient", players="arguments", settings={}, defaults={}).contrast()
    except QontrastError:
        return None


def _draw_graph(question: Question, strengths: Mapping[Name, float], **settings: Any) -> str:
    return graph_svg(question.qbaf, strengths, limit=limits.MAX_ARGUMENTS_IN_PICTURE, **settings)


def _list_gaps(question: Question) -> Data:
    """List σ(row) − σ(column) of every pair of topics, also of fact and foil if they are no topics."""
    topics = list(suggest_topics(question.qbaf))[: limits.MAX_TOPICS]
    topics += [name for name in dict.fromkeys(question.pair) if name not in topics]
    own = np.array([question.strengths[topic] for topic in topics])
    gaps = own[:, None] - own
    gaps[np.abs(gaps) <= TIE_TOLERANCE] = 0.0
    return {"topics": topics, "gaps": gaps.tolist()}


# -- files ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A file that is sent as it is."""

    content: bytes
    media: str


def draw(asked: schemas.Draw) -> Picture:
    """Draw the graph, or the bars of a contrast, as SVG."""
    question = asked.to_question()
    colours: Data = {"palette": asked.palette, "dark": asked.dark}
    if asked.picture == "bars":
        svg = bars_svg(question.contrast(), **colours)
    else:
        fact, foil = question.pair if len(question.qbaf) > 1 else (None, None)
        if asked.view is None:
            svg = _draw_graph(question, question.strengths, fact=fact, foil=foil, **colours)
        else:
            why = None if asked.players == "arguments" else question.contrast()
            svg = _draw_view(question, question.strengths, fact, foil, why, asked.view, asked.palette)
    return Picture(svg.encode(), MEDIA["svg"])


def draw_figure(asked: schemas.Figure) -> Picture:
    """Draw a figure of the table FIGURES by matplotlib."""
    if asked.figure not in FIGURES:
        raise unknown_name(asked.figure, FIGURES, "figure")
    try:
        content = save(plot(asked.to_question(), asked.figure, asked.palette), asked.format)
    except ImportError as error:
        raise InvalidInput(str(error)) from None
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
    settings: dict[str, Any] = {"palette": asked.palette, "interactive": asked.interactive}
    page = question.report(time_limit=limits.MAX_SEARCH_SECONDS, **settings)
    return Picture(page.encode("utf-8", "replace"), "text/html; charset=utf-8")
