"""Which arguments of a graph a picture shows, and which of them it lights up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan

from ..graph.qbaf import Qbaf
from ..types import Name


def lit_up(qbaf: Qbaf, highlight: Name | Iterable[Name] | None) -> set[int] | None:
    """One name lights up all that it can reach; several names light up themselves."""
    if highlight is None:
        return None
    if isinstance(highlight, (str, int)):
        return reached(qbaf, highlight)
    return {qbaf.index(name) for name in highlight}


def reached(qbaf: Qbaf, name: Name) -> set[int]:
    """The places of an argument and of all that its paths lead to."""
    children: dict[int, list[int]] = {}
    for i, j in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True):
        children.setdefault(i, []).append(j)
    found, stack = {qbaf.index(name)}, [qbaf.index(name)]
    while stack:
        ahead = [child for child in children.get(stack.pop(), []) if child not in found]
        found.update(ahead)
        stack += ahead
    return found


def kept(
    qbaf: Qbaf, roles: Mapping[int, str], contributions: Mapping[Name, float] | None, most: int
) -> tuple[int, ...]:
    """All arguments, or where there are too many: topics, then contributors with their shortest paths to one."""
    if len(qbaf) <= most:
        return tuple(range(len(qbaf)))
    asked = [index for index, role in roles.items() if role != "topic"] or list(roles) or [0]
    parents: dict[int, list[int]] = {}
    for i, j in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True):
        parents.setdefault(j, []).append(i)
    ahead = dict.fromkeys(asked, -1)  # the next argument on the way to a topic
    wave = list(ahead)
    for node in wave:  # grows while it is walked: breadth first
        for parent in parents.get(node, []):
            if parent not in ahead:
                ahead[parent] = node
                wave.append(parent)
    chosen = set(roles)
    order = wave  # the nearest first, where nobody says what matters
    if contributions is not None:
        known = [(abs(value), qbaf.index(name)) for name, value in contributions.items() if not isnan(value)]
        order = [index for _, index in sorted(known, key=lambda each: (-each[0], each[1]))]
    for index in order:
        way = [index]
        while ahead.get(way[-1], -1) >= 0:
            way.append(ahead[way[-1]])
        if len(chosen.union(way)) > most:
            break
        chosen.update(way)
    return tuple(sorted(chosen))
