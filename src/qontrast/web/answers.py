"""One function for each question of the API: it converts, calls one function of the library, converts back."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..engine.problem import strengths
from ..errors import FormatWarning, InvalidInput, TooLarge
from ..explain.flip import flip
from ..explain.pairs import (
    all_pairs,
)
from ..explain.paths import paths
from ..explain.ranking import (
    rank,
)
from ..formats import write_text
from ..types import Name
from . import limits, schemas
from .explain import explain, settings, why
from .graphs import candidates, graph_of, native, read_files
from .pictures import draw, figure, report


@dataclass(frozen=True)
class Answer:
    """A question of the API: what it takes, how it is answered, and in which media type."""

    asks: type[schemas.Asked]
    answer: Callable[[Any], Any]
    summary: str
    media: tuple[str, ...] = ("application/json",)


def _strengths(asked: schemas.Graph) -> Any:
    return strengths(graph_of(asked), semantics=asked.semantics, solver=asked.solver).to_dict()


def _contrast(asked: schemas.Contrast) -> Any:
    return why(graph_of(asked), asked).to_dict()


def _topics(asked: schemas.Pairs) -> tuple[Any, dict[str, Any]]:
    qbaf = graph_of(asked)
    topics: list[Name] = list(candidates(qbaf) if asked.topics is None else map(qbaf.resolve, asked.topics))
    if len(topics) < 2:
        raise InvalidInput(f"pairs need at least two topics, not {len(topics)}")
    if len(topics) ** 2 * len(qbaf) > limits.NUMBERS:
        raise TooLarge(
            f"{len(topics)} topics over {len(qbaf):,} arguments are too many for one answer; give fewer topics"
        )
    given = {"topics": topics, "method": asked.method, "semantics": asked.semantics, "solver": asked.solver}
    return qbaf, given | settings(qbaf, asked)


def _pairs(asked: schemas.Pairs) -> Any:
    qbaf, given = _topics(asked)
    return all_pairs(qbaf, **given).to_dict()


def _rank(asked: schemas.Pairs) -> Any:
    qbaf, given = _topics(asked)
    return rank(qbaf, **given).to_dict()


def _paths(asked: schemas.Paths) -> Any:
    qbaf = graph_of(asked)
    contributor = qbaf.resolve(asked.contributor)
    found = [
        paths(qbaf, contributor, topic, semantics=asked.semantics, limit=asked.most, solver=asked.solver)
        for topic in map(qbaf.resolve, asked.topics)
        if topic != contributor
    ]
    return {"schema": "qontrast/paths-to-topics/1", "topics": [each.to_dict() for each in found]}


def _flip(asked: schemas.Flip) -> Any:
    qbaf = graph_of(asked)
    fact, foil, *fixed = map(qbaf.resolve, (asked.fact, asked.foil, *asked.fixed))
    chosen: dict[str, Any] = {"fixed": fixed, "move_topics": asked.move_topics, "norm": asked.norm}
    chosen |= {"solver": asked.solver, "time_limit": limits.FLIP_SECONDS}
    found = flip(qbaf, fact, foil, semantics=asked.semantics, **chosen)
    return found.to_dict() | {"words": str(found)}


def _read(asked: schemas.Read) -> Any:
    found, said = read_files(asked)
    graphs = {address: native(qbaf) for address, qbaf in found.items()}
    return {"schema": "qontrast/read/1", "graphs": graphs, "warnings": said}


def _convert(asked: schemas.Convert) -> Any:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        text = write_text(graph_of(asked), asked.format)
    lost = [str(each.message) for each in said if issubclass(each.category, FormatWarning)]
    return {"schema": "qontrast/convert/1", "format": asked.format, "text": text, "warnings": lost}


ANSWERS: dict[str, Answer] = {
    "strengths": Answer(schemas.Graph, _strengths, "The strength of every argument"),
    "contrast": Answer(schemas.Contrast, _contrast, "Why the fact rather than the foil"),
    "explain": Answer(schemas.Explain, explain, "Strengths, contrast, words and pictures in one answer"),
    "pairs": Answer(schemas.Pairs, _pairs, "Every pair of topics"),
    "rank": Answer(schemas.Pairs, _rank, "The topics from the strongest down, each step explained"),
    "paths": Answer(schemas.Paths, _paths, "The signed paths from an argument to topics"),
    "flip": Answer(schemas.Flip, _flip, "What would make the foil win"),
    "read": Answer(schemas.Read, _read, "Files in any format to native JSON"),
    "convert": Answer(schemas.Convert, _convert, "A graph as text of any format"),
    "draw": Answer(schemas.Draw, draw, "A picture of the graph or of a contrast", ("image/svg+xml",)),
    "figure": Answer(schemas.Figure, figure, "A figure for a paper", ("image/svg+xml", "application/pdf", "image/png")),
    "report": Answer(schemas.Report, report, "The whole answer as one self-contained page", ("text/html",)),
}
