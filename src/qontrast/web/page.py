"""The answer to `explain`: everything that the page shows after a slider has moved.

Undefined strengths and a method that is too expensive for the graph are part of the answer, so that the page can show
the graph anyway. Only a request that makes no sense is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..attribution.methods import METHODS
from ..errors import TooLarge, UndefinedStrength
from ..explain.contrast import Contrast
from ..questions import Question, suggest_topics
from ..results.base import TIE_TOLERANCE
from ..show import bars_svg, graph_svg
from ..show.descriptions import write_comparison, write_nothing_to_compare, write_undefined
from ..show.narrative import paragraph, sentence
from ..types import Name
from . import limits, schemas

Data = dict[str, Any]
MAX_BOX_WIDTH = 150.0  # of the graph, in pixels


def explain(asked: schemas.Explain) -> Data:
    """Answer with strengths, contrast, sentences, gaps between all topics, and pictures."""
    question = asked.to_question()
    data: Data = {"schema": "qontrast/explain/1", "contrast": None, "undefined": None, "refused": None}
    try:
        data |= {"strengths": question.strengths.to_dict()}
    except UndefinedStrength as error:
        return data | _show_undefined(question, asked, error)
    if len(question.qbaf) < 2:
        return data | _show_single(question, asked)
    fact, foil = question.pair
    data |= {"fact": fact, "foil": foil, "pairs": _list_gaps(question)}
    try:
        return data | _show_contrast(question, asked, question.contrast())
    except (UndefinedStrength, TooLarge) as error:  # sub-graphs may be undefined, or too many
        data |= {
            "sentence": write_comparison(question.qbaf, question.strengths, *question.pair),
            "refused": error.phrase(schemas.write_hint),
        }
        return data | _draw(question, asked, question.strengths, fact, foil)


def _show_contrast(question: Question, asked: schemas.Explain, why: Contrast) -> Data:
    entry = METHODS[asked.method]
    data: Data = {
        "contrast": why.to_dict(),
        "sentence": sentence(why),
        "paragraph": paragraph(why),
        "way": why.how,
        "measures": entry.measures,
        "promises": entry.promises,
        "kinks": list(why.kinks),
        "sides": {name: {"below": both.below, "above": both.above} for name, both in why.sides.items()},
    }
    return data | _draw(question, asked, question.strengths, why.fact, why.foil, why)


def _show_single(question: Question, asked: schemas.Explain) -> Data:
    qbaf = question.qbaf
    refused = f"a contrast needs two arguments, and the graph has {len(qbaf)}"
    data: Data = {"fact": next(iter(qbaf), None), "foil": None, "refused": refused}
    data["sentence"] = write_nothing_to_compare(qbaf)
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
        "sentence": write_undefined(qbaf, moving),
        "undefined": {"message": error.phrase(schemas.write_hint), "arguments": moving},
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
    picture = graph_svg(
        question.qbaf,
        strengths,
        fact=fact,
        foil=foil,
        contributions=why,
        limit=limits.MAX_ARGUMENTS_IN_PICTURE,
        broadest=MAX_BOX_WIDTH,
        palette=asked.palette,
        legend=False,
    )
    bars = None if why is None else bars_svg(why, palette=asked.palette, width=float(asked.width))
    return {"svg": {"graph": picture, "bars": bars}}


def _list_gaps(question: Question) -> Data:
    """List σ(row) − σ(column) of every pair of topics, also of fact and foil if they are no topics."""
    topics = list(suggest_topics(question.qbaf))[: limits.MAX_TOPICS]
    topics += [name for name in dict.fromkeys(question.pair) if name not in topics]
    own = np.array([question.strengths[topic] for topic in topics])
    gaps = own[:, None] - own
    gaps[np.abs(gaps) <= TIE_TOLERANCE] = 0.0
    return {"topics": topics, "gaps": gaps.tolist()}
