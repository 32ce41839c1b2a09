"""Answer the questions of the API: each function takes a request and calls the library."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..attribution.players import make_players
from ..errors import FormatWarning, InvalidInput, QontrastError, TooLarge
from ..explain.change import change
from ..explain.paths import paths
from ..formats import csv_tables, qbaf_json, read_text, write_text
from ..graph.qbaf import Qbaf
from ..questions import Question, suggest_topics
from ..results.base import Result, to_plain
from ..show.descriptions import write_path
from ..show.interaction_texts import find_rows
from ..show.numbers import write_move
from ..show.phrasing import choose
from ..types import Name
from . import limits, schemas
from .page import Picture, draw, draw_figure, explain, write_report

JSON = "application/json"


@dataclass(frozen=True)
class Answer:
    """A question of the API: the model of its request, the function that answers it, and its media types."""

    asks: type[schemas.Asked]
    answer: Callable[[Any], Any]
    summary: str
    media: tuple[str, ...] = (JSON,)


def answer(question: str, body: bytes) -> tuple[int, str, bytes]:
    """Answer a request: status, media type and content. Errors of the library are an answer with status 422."""
    entry = ANSWERS[question]
    try:
        found = entry.answer(schemas.parse_request(entry.asks, body))
    except QontrastError as error:
        return 422, JSON, to_json(_describe_error(error))
    except (MemoryError, RecursionError):
        message = "this needs more memory than a request may take; ask for less"
        return 422, JSON, to_json({"error": message, "kind": "TooLarge"})
    if isinstance(found, Picture):
        return 200, found.media, found.content
    return 200, JSON, to_json(found.to_dict() if isinstance(found, Result) else found)


def _describe_error(error: QontrastError) -> dict[str, Any]:
    data: dict[str, Any] = {"error": error.phrase(schemas.write_hint), "kind": type(error).__name__}
    if getattr(error, "arguments", None):
        data["arguments"] = list(error.arguments)  # type: ignore[attr-defined] # of UndefinedStrength
    if ways := schemas.list_ways(error):
        data["ways"] = ways
    return data


def to_json(data: Any) -> bytes:
    """Write strict JSON, in ASCII so that half a surrogate pair in a label does no harm; NaN becomes null."""
    return json.dumps(to_plain(data), allow_nan=False).encode()


def _compare_topics(asked: schemas.Pairs, compare: Callable[[Question, list[Name]], Result]) -> Result:
    question = asked.to_question()
    topics = list(suggest_topics(question.qbaf) if asked.topics is None else question.resolve(asked.topics))
    size = len(question.qbaf)
    if len(topics) < 2:
        raise InvalidInput(f"pairs need at least two topics, not {len(topics)}")
    if len(topics) ** 2 * size > limits.MAX_NUMBERS_OF_PAIRS:
        raise TooLarge(f"{len(topics)} topics over {size:,} arguments are too many for one answer; give fewer topics")
    return compare(question, topics)


def _find_paths(asked: schemas.Paths) -> Any:
    question = asked.to_question()
    (contributor,) = question.resolve([asked.contributor])
    topics = [topic for topic in question.resolve(asked.topics) if topic != contributor]
    found = [paths(question.qbaf, contributor, topic, limit=asked.most, **question.solving) for topic in topics]
    parts = [[write_path(path) for path in each] for each in found]
    return {"schema": "qontrast/paths-to-topics/1", "topics": [each.to_dict() for each in found], "parts": parts}


def _flip(asked: schemas.Flip) -> Any:
    settings: dict[str, Any] = {name: getattr(asked, name) for name in ("move_topics", "norm", "margin")}
    found = asked.to_question().flip(fixed=asked.fixed, time_limit=limits.MAX_SEARCH_SECONDS, **settings)
    moves = {str(name): write_move(*scores) for name, scores in (found.change or {}).items()}
    return found.to_dict() | {"words": str(found), "moves": moves}


def _find_interactions(asked: schemas.Interactions) -> Any:
    question = asked.to_question()
    size = len(make_players(question.qbaf, question.pair, question.resolved_players))
    if size > limits.MAX_INTERACTING_PLAYERS:
        raise TooLarge(
            f"interactions of {size:,} players are too many for one answer; this server takes up to "
            f"{limits.MAX_INTERACTING_PLAYERS}: remove arguments, or put them into groups"
        )
    found = question.interactions(alone=asked.alone, index=asked.index)
    rows, left_out = find_rows(found, asked.most, choose("en"))
    return found.to_dict() | {"words": str(found), "rows": rows, "left_out": left_out}


def _find_reasons(asked: schemas.Reasons) -> Any:
    return _add_words(asked.to_question().reasons(time_limit=limits.MAX_SEARCH_SECONDS))


def _compare_semantics(asked: schemas.CompareSemantics) -> Any:
    return _add_words(asked.to_question().compare_semantics(asked.compared))


def _estimate_uncertainty(asked: schemas.Uncertainty) -> Any:
    settings: dict[str, Any] = {"samples": asked.samples, "seed": asked.seed, "quick": asked.quick}
    return _add_words(asked.to_question().uncertainty(**settings))


def _reach(asked: schemas.Reach) -> Any:
    question = asked.to_question()
    settings: dict[str, Any] = {name: getattr(asked, name) for name in ("change", "cost", "margin", "prove")}
    settings["fixed"] = question.resolve(asked.fixed)
    settings["bounds"] = {question.qbaf.resolve(name): tuple(ends) for name, ends in asked.bounds.items()}
    settings["prices"] = {question.qbaf.resolve(name): price for name, price in asked.prices.items()}
    found = _add_words(question.reach(asked.goal, time_limit=limits.MAX_SEARCH_SECONDS, **settings))
    changed = (found["change"] or {}).get("base_scores", {})
    return found | {"moves": {name: write_move(move["from"], move["to"]) for name, move in changed.items()}}


def _bound_robustness(asked: schemas.Robustness) -> Any:
    settings: dict[str, Any] = {"norm": asked.norm, "change": asked.change, "time_limit": limits.MAX_SEARCH_SECONDS}
    return _add_words(asked.to_question().robustness(movers=asked.movers, **settings))


def _check(asked: schemas.Graph) -> Any:
    found = asked.to_question().check()
    reason = None if found.reason is None else found.reason.phrase(schemas.write_hint)
    return found.to_dict() | {"undefined": reason}


def _explain_change(asked: schemas.Change) -> Any:
    question = asked.to_question()
    if asked.before is None and not (question.changes or question.removed):
        raise InvalidInput("there is no second version to compare with; give before, set or remove")
    before = question.original if asked.before is None else schemas.read_graph(asked.before, "the graph before")
    return _add_words(change(before, question.qbaf, *question.pair, units=asked.units, **question.solving))


def _add_words(found: Result) -> dict[str, Any]:
    return found.to_dict() | {"words": str(found)}


def _read(asked: schemas.Read) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = _read_graphs(asked)
    graphs = {address: qbaf_json.to_data(schemas.check_size(qbaf)) for address, qbaf in found.items()}
    return {"schema": "qontrast/read/1", "graphs": graphs, "warnings": _list_warnings(caught)}


def _read_graphs(asked: schemas.Read) -> dict[str, Qbaf]:
    """Read every graph in the files by its address, '' where there is one."""
    for file in asked.files:
        if "\0" in file.text:
            raise InvalidInput(f"{file.name}: is binary, not text: it has a NUL")
    first = asked.files[0]
    if len(asked.files) == 2:
        return {"": csv_tables.parse_files([(file.name, file.text) for file in asked.files])}
    if asked.address is not None:
        return {asked.address: qbaf_json.parse_one(first.text, asked.address, first.name)}
    if asked.format in (None, "json") and qbaf_json.recognise(first.text):
        many = qbaf_json.parse_many(first.text, first.name)
        if list(many) != [""]:
            return many
    return {"": read_text(first.text, asked.format, first.name)}


def _convert(asked: schemas.Convert) -> Any:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = write_text(asked.to_question().qbaf, asked.format)
    lost = _list_warnings(caught)
    return {"schema": "qontrast/convert/1", "format": asked.format, "text": text, "warnings": lost}


def _list_warnings(caught: list[warnings.WarningMessage]) -> list[str]:
    return [str(each.message) for each in caught if issubclass(each.category, FormatWarning)]


ANSWERS: dict[str, Answer] = {
    "strengths": Answer(schemas.Graph, lambda asked: asked.to_question().strengths, "The strength of every argument"),
    "contrast": Answer(
        schemas.Contrast, lambda asked: asked.to_question().contrast(), "Why the fact rather than the foil"
    ),
    "explain": Answer(schemas.Explain, explain, "Strengths, contrast, words and pictures in one answer"),
    "pairs": Answer(schemas.Pairs, lambda asked: _compare_topics(asked, Question.all_pairs), "Every pair of topics"),
    "rank": Answer(
        schemas.Pairs,
        lambda asked: _compare_topics(asked, Question.rank),
        "The topics from the strongest down, each step explained",
    ),
    "paths": Answer(schemas.Paths, _find_paths, "The signed paths from an argument to topics"),
    "flip": Answer(schemas.Flip, _flip, "What would make the foil win"),
    "interactions": Answer(
        schemas.Interactions, _find_interactions, "Which two players work together, and which overlap"
    ),
    "reach": Answer(schemas.Reach, _reach, "The cheapest change that reaches a goal"),
    "reasons": Answer(schemas.Reasons, _find_reasons, "The sets of players that decide the order"),
    "change": Answer(schemas.Change, _explain_change, "What changed the gap between two versions of a graph"),
    "robustness": Answer(schemas.Robustness, _bound_robustness, "How far base scores may be off"),
    "uncertainty": Answer(schemas.Uncertainty, _estimate_uncertainty, "How sure the order is"),
    "semantics": Answer(schemas.CompareSemantics, _compare_semantics, "The order under every semantics"),
    "check": Answer(schemas.Graph, _check, "What a graph holds, and whether it has strengths"),
    "read": Answer(schemas.Read, _read, "Files in any format to native JSON"),
    "convert": Answer(schemas.Convert, _convert, "A graph as text of any format"),
    "draw": Answer(schemas.Draw, draw, "A picture of the graph or of a contrast", ("image/svg+xml",)),
    "figure": Answer(
        schemas.Figure, draw_figure, "A figure for a paper", ("image/svg+xml", "application/pdf", "image/png")
    ),
    "report": Answer(schemas.Report, write_report, "The whole answer as one self-contained page", ("text/html",)),
}
