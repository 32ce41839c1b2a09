"""Put edges into words: what a sentence calls them, and through which of them an argument acts."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..attribution.players import Edges
from .numbers import number
from .phrasing import Quoted, Statement, call, state

if TYPE_CHECKING:
    from ..attribution.players import Players
    from ..explain.contrast import Contrast
    from ..types import Edge, Name


def call_player(players: Players, name: Any) -> Quoted | Statement:
    """Write a player as it is called in a sentence: an argument or a group by its label, an edge as what it is."""
    if not isinstance(players, Edges):
        return call(players.qbaf, name)
    source, target = (call(players.qbaf, end) for end in name)
    if name[0] == name[1]:
        return state(f"{_find_relation(players, name)}.self", source=source)
    return state(_find_relation(players, name), source=source, target=target)


def _find_relation(players: Edges, edge: Edge) -> str:
    attacks = np.signbit(players.qbaf.weights[players.numbers[players.index(edge)]])
    return "edge.attack" if attacks else "edge.support"


def find_sources(why: Contrast, least: float, limit: int) -> list[Statement]:
    """Say of the strongest arguments through which of their edges they speak for each topic.

    The values are to be Owen values: the edges of an argument add up to what it contributes. The topics are left out,
    and so are edges below `least`.
    """
    edges: dict[Name, dict[Edge, float]] = {}
    for edge, value in why.items():
        if edge[0] not in (why.fact, why.foil):
            edges.setdefault(edge[0], {})[edge] = value
    strong = {x: {edge: v for edge, v in each.items() if abs(v) >= least} for x, each in edges.items()}
    order = sorted((x for x in strong if strong[x]), key=lambda x: (-max(map(abs, strong[x].values())), str(x)))
    return [_find_source(why, x, strong[x], sum(edges[x].values())) for x in order[:limit]]


def _find_source(why: Contrast, source: Name, strong: dict[Edge, float], total: float) -> Statement:
    """`Asthma speaks for P by 0.121 by attacking Q, and for Q by 0.122 by attacking P; its edges leave −0.001`."""
    sides = []
    for topic, sign in ((why.fact, 1.0), (why.foil, -1.0)):
        found = sorted((each for each in strong.items() if each[1] * sign > 0), key=lambda each: -abs(each[1]))
        # the direct way first
        found.sort(key=lambda each: each[0][1] != topic)
        if found:
            ways = [_find_way(why, edge, topic, value) for edge, value in found]
            sides.append((max(abs(value) for _, value in found), {"topic": call(why.qbaf, topic), "ways": ways}))
    sides.sort(key=lambda each: -each[0])
    also: Statement | str = state("edge.also", **sides[1][1]) if len(sides) > 1 else ""
    left: Statement | str = state("edge.left", value=number(total, "+")) if len(sides) > 1 and not isnan(total) else ""
    return state("edge.speaks", source=call(why.qbaf, source), **sides[0][1], also=also, left=left)


def _find_way(why: Contrast, edge: Edge, topic: Name, value: float) -> Statement:
    """Say how an edge speaks for a topic: directly, or by attacking or supporting another argument."""
    assert isinstance(why.players, Edges)
    relation = _find_relation(why.players, edge).removeprefix("edge.")
    if edge[1] == topic and relation == "support":
        return state("edge.way.direct", value=number(abs(value)))
    return state(f"edge.way.{relation}", value=number(abs(value)), target=call(why.qbaf, edge[1]))
