"""Choose a method for edges where the user names none, and say why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..errors import count
from ..graph.qbaf import Qbaf
from ..types import Name
from .shapley.owen import MAX_EVALUATIONS, count_evaluations

MAX_SOURCES = 16  # arguments upstream of a topic, up to which Owen values are the default
MAX_OUT_DEGREE = 6  # edges of one of them


class MethodChoice(NamedTuple):
    """The name of a method, and the reason why it was chosen."""

    method: str
    reason: str


def choose_edge_method(qbaf: Qbaf, topics: Iterable[Name], max_evaluations: int = MAX_EVALUATIONS) -> MethodChoice:
    """Choose Owen values where the graph is small enough for them, else slopes.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    topics : iterable of names
        The topics that are explained.
    max_evaluations : int
        Choose slopes where Owen values would need more evaluations of sub-graphs than this.

    Returns
    -------
    MethodChoice
        "owen" or "gradient", and a reason that names the graph's sizes and the limits.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 0.5}, supports=[("x", "t")])
    >>> choose_edge_method(q, ["t"]).method, choose_edge_method(q, ["t"], max_evaluations=1).method
    ('owen', 'gradient')
    """
    sizes = [_count_edges_by_source(qbaf, qbaf.index(topic)) for topic in topics]
    sources = max((len(each) for each in sizes), default=0)
    degree = max((max(each, default=0) for each in sizes), default=0)
    found = f"{count(sources, 'argument')} with at most {count(degree, 'edge')} each can act on a topic"
    if sources > MAX_SOURCES or degree > MAX_OUT_DEGREE:
        return MethodChoice("gradient", f"{found}; Owen values are for up to {MAX_SOURCES} with {MAX_OUT_DEGREE} each")
    needed = max(map(count_evaluations, sizes), default=0)
    if needed > max_evaluations:
        return MethodChoice("gradient", f"{found}; Owen values need {needed:,} evaluations (limit {max_evaluations:,})")
    return MethodChoice("owen", f"{found}, which is few enough for exact shares of the gap")


def _count_edges_by_source(qbaf: Qbaf, topic: int) -> list[int]:
    """How many edges each argument but the topic has that lead to the topic, for those that have any."""
    upstream = qbaf.structure.ancestors([topic])
    sources = qbaf.sources[upstream[qbaf.targets] & (qbaf.sources != topic)]
    found: list[int] = np.unique(sources, return_counts=True)[1].tolist()
    return found
