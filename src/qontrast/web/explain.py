"""Everything that the page shows after a slider has moved, in one answer.

Nothing here is an error that the page could not show: strengths that are undefined, and a method that is too dear for
this graph, are part of the answer. Only a request that makes no sense is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..attribution.methods import METHODS
from ..engine.problem import Strengths, strengths
from ..errors import InvalidInput, TooLarge, UndefinedStrength, unknown_name
from ..explain.contrast import Contrast, contrast
from ..graph.labels import called
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE
from ..show import bars_svg, graph_svg
from ..show.narrative import paragraph, sentence
from ..types import Name
from . import limits, schemas
from .graphs import candidates, graph_of, pair
from .phrases import phrased


def settings(qbaf: Qbaf, asked: schemas.Measured) -> dict[str, Any]:
    """The settings that go with the method asked for, within the limits of the server."""
    if asked.method not in METHODS:
        raise unknown_name(asked.method, METHODS, "method")
    if asked.method == "shapley":
        return {"max_evaluations": _affordable(qbaf)}
    if asked.method == "sampled":
        return {"seed": asked.seed, **({} if asked.budget is None else {"budget": asked.budget})}
    if asked.budget is not None:
        raise InvalidInput(f"a budget goes with method 'sampled', not {asked.method!r}")
    return {}


def _affordable(qbaf: Qbaf) -> int:
    """Evaluations that an exact Shapley value may take: cheap ones where all coalitions are gone through at once."""
    return limits.COALITIONS if qbaf.structure.arrays.acyclic else limits.CONNECTED


def why(qbaf: Qbaf, asked: schemas.Contrast) -> Contrast:
    """The contrast asked for."""
    fact, foil = pair(qbaf, asked)
    return contrast(
        qbaf, fact, foil, method=asked.method, semantics=asked.semantics, solver=asked.solver, **settings(qbaf, asked)
    )


def explain(asked: schemas.Explain) -> dict[str, Any]:
    """Strengths, contrast, words, gaps between all topics and pictures."""
    qbaf = graph_of(asked)
    data: dict[str, Any] = {"schema": "qontrast/explain/1", "contrast": None, "undefined": None, "refused": None}
    try:
        found = strengths(qbaf, semantics=asked.semantics, solver=asked.solver)
    except UndefinedStrength as error:
        return data | _undefined(qbaf, asked, error)
    if len(qbaf) < 2:
        return data | _too_few(qbaf, asked, found)
    fact, foil = pair(qbaf, asked)
    data |= {"fact": fact, "foil": foil, "strengths": found.to_dict(), "pairs": _gaps(qbaf, found, fact, foil)}
    try:
        answer = why(qbaf, asked.model_copy(update={"fact": fact, "foil": foil}))
    except (UndefinedStrength, TooLarge) as error:  # the strengths stand, but not every sub-graph has some
        return data | _refused(qbaf, asked, found, fact, foil, phrased(error))
    return data | _answered(qbaf, asked, found, answer)


def _answered(qbaf: Qbaf, asked: schemas.Explain, found: Strengths, answer: Contrast) -> dict[str, Any]:
    data: dict[str, Any] = {
        "contrast": answer.to_dict(),
        "sentence": sentence(answer),
        "paragraph": paragraph(answer),
        "way": answer.way,
        "measures": METHODS[asked.method].measures,
        "promises": METHODS[asked.method].promises,
        "kinks": list(answer.kinks),
        "sides": {name: {"below": both.below, "above": both.above} for name, both in answer.sides.items()},
    }
    if asked.pictures:
        data["svg"] = {
            "graph": _graph(qbaf, asked, found, answer.fact, answer.foil, answer),
            "bars": bars_svg(answer, palette=asked.palette, width=float(asked.width)),
        }
    return data


def _refused(
    qbaf: Qbaf, asked: schemas.Explain, found: Strengths, fact: Name, foil: Name, message: str
) -> dict[str, Any]:
    gap = found[fact] - found[foil]
    one, other = called(qbaf, fact), called(qbaf, foil)
    if abs(gap) <= TIE_TOLERANCE:
        said = f"{one} and {other} are tied at {found[fact]:.3f}."
    else:
        above = "above" if gap > 0 else "below"
        said = f"{one} ({found[fact]:.3f}) is rated {above} {other} ({found[foil]:.3f})."
    svg = {
        "graph": _graph(qbaf, asked, found, fact, foil),
        "bars": None,
    }
    return {"sentence": said, "refused": message, "svg": svg if asked.pictures else None}


def _too_few(qbaf: Qbaf, asked: schemas.Explain, found: Strengths) -> dict[str, Any]:
    """Nothing to compare, but a picture."""
    only = next(iter(qbaf), None)
    svg = {"graph": _graph(qbaf, asked, found, None, None), "bars": None}
    return {
        "fact": only,
        "foil": None,
        "strengths": found.to_dict(),
        "sentence": "There is no argument here."
        if only is None
        else f"{called(qbaf, only)} has nothing to compare with.",
        "refused": f"a contrast needs two arguments, and the graph has {len(qbaf)}",
        "svg": svg if asked.pictures else None,
    }


def _undefined(qbaf: Qbaf, asked: schemas.Explain, error: UndefinedStrength) -> dict[str, Any]:
    """No strengths: the picture marks what still moves, and the message says what to try."""
    given = [None if name is None else qbaf.resolve(name) for name in (asked.fact, asked.foil)]
    more = [name for name in (*candidates(qbaf), *qbaf.arguments) if name not in given]
    fact, foil = (name if name is not None else (more.pop(0) if more else None) for name in given)
    moving = set(error.arguments)
    unknown_strengths = dict.fromkeys(qbaf.arguments, float("nan"))
    svg = {
        "graph": _graph(qbaf, asked, unknown_strengths, fact, foil),
        "bars": None,
    }
    labels = [called(qbaf, name) for name in qbaf.arguments if name in moving]
    return {
        "fact": fact,
        "foil": foil,
        "sentence": f"No strengths here: {', '.join(labels[:3])}{' and others' if len(labels) > 3 else ''} "
        "do not converge, so nothing can be compared.",
        "undefined": {"message": phrased(error), "arguments": [name for name in qbaf.arguments if name in moving]},
        "svg": svg if asked.pictures else None,
    }


def _graph(
    qbaf: Qbaf,
    asked: schemas.Explain,
    found: Mapping[Name, float],
    fact: Name | None,
    foil: Name | None,
    contributions: Mapping[Name, float] | None = None,
) -> str:
    """The picture for the page, which has a legend of its own and room for narrow boxes."""
    return graph_svg(
        qbaf,
        found,
        fact=fact,
        foil=foil,
        contributions=contributions,
        most=limits.DRAWN,
        broadest=150.0,
        palette=asked.palette,
        legend=False,
    )


def _gaps(qbaf: Qbaf, found: Strengths, fact: Name, foil: Name) -> dict[str, Any]:
    """σ(row) − σ(column) of every pair of candidates; of this pair too, if it is not among them."""
    topics = list(candidates(qbaf))[: limits.TOPICS]
    topics += [name for name in dict.fromkeys((fact, foil)) if name not in topics]
    own = np.array([found[topic] for topic in topics])
    gaps = own[:, None] - own
    gaps[np.abs(gaps) <= TIE_TOLERANCE] = 0.0  # tied
    return {"topics": topics, "gaps": gaps.tolist()}
