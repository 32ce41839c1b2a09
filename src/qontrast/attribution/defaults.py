"""Choose a method for edges where the user names none, and say why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..graph.qbaf import Qbaf
from ..types import Name
from .shapley.owen import MAX_EVALUATIONS, count_evaluations

MAX_SOURCES = 16  # arguments upstream of a topic, up to which Owen values are the default
MAX_OUT_DEGREE = 6  # edges of one of them


class MethodChoice(NamedTuple):
    """The name of a method, why it was chosen, and the numbers that decided it."""

    method: str
    reason: str  # "few", "many" arguments or edges, "slow", or "budget": the user set one
    sources: int = 0  # arguments that can act on a topic
    degree: int = 0  # edges of one of them, at most
    needed: int = 0  # evaluations that Owen values take
    limit: int = 0  # of them


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
        "owen" or "gradient", with the reason; `show.player_texts.describe_choice` puts it into words.

    Examples
    --------
    >>> q = Qbaf({"t": 0.5, "x": 0.5}, supports=[("x", "t")])
    >>> choose_edge_method(q, ["t"]).method, choose_edge_method(q, ["t"], max_evaluations=1).method
    ('owen', 'gradient')
    """
    sizes = [_count_edges_by_source(qbaf, qbaf.index(topic)) for topic in topics]
    sources = max((len(each) for each in sizes), default=0)
    degree = max((max(each, default=0) for each in sizes), default=0)
    if sources > MAX_SOURCES or degree > MAX_OUT_DEGREE:
        return MethodChoice("gradient", "many", sources, degree)
    needed = max(map(count_evaluations, sizes), default=0)
    if needed > max_evaluations:
        return MethodChoice("gradient", "slow", sources, degree, needed, max_evaluations)
    return MethodChoice("owen", "few", sources, degree, needed, max_evaluations)


def _count_edges_by_source(qbaf: Qbaf, topic: int) -> list[int]:
    """How many edges each argument but the topic has that lead to the topic, for those that have any."""
    upstream = qbaf.structure.ancestors([topic])
    sources = qbaf.sources[upstream[qbaf.targets] & (qbaf.sources != topic)]
    found: list[int] = np.unique(sources, return_counts=True)[1].tolist()
    return found
