"""Say what only edges or only groups do: through which of its edges an argument acts, what members do together.

Also why a method was chosen for edges where the user named none.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..attribution.defaults import MAX_OUT_DEGREE, MAX_SOURCES, MethodChoice
from ..attribution.players import Edges, Groups
from ..errors import QontrastError
from ..results.order import rank_contributions, sort_by_size
from .numbers import number
from .phrasing import Statement, call, choose, find_relation, state

if TYPE_CHECKING:
    from ..explain.contrast import Contrast
    from ..types import Edge, Name

MAX_GROUPS = 2  # whose excess is told
MAX_ARGUMENTS = 500  # of a graph whose members are measured one by one for a text


def describe_choice(choice: MethodChoice, *, language: str = "en") -> str:
    """Say on the command line which method was chosen for edges, and why.

    >>> describe_choice(MethodChoice("owen", "budget"))
    'note: --method owen is used: --budget is given, and slopes have none'
    """
    return choose(language).write(find_choice(choice))


def find_choice(choice: MethodChoice) -> Statement:
    """State which method was chosen for edges, and why."""
    sizes = {"evaluations": choice.needed, "limit": choice.limit}
    fields = {what: state(f"choice.{what}", count=size) for what, size in sizes.items()}
    fields |= {
        "arguments": state("size.arguments", count=choice.sources),
        "edges": state("size.edges", count=choice.degree),
    }
    reason = state(f"choice.{choice.reason}", **fields, most=MAX_SOURCES, edges_each=MAX_OUT_DEGREE)
    more = "" if choice.method == "owen" else state("choice.slopes")
    return state("choice", method=choice.method, reason=reason, more=more)


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
    order = sort_by_size((x for x in strong if strong[x]), lambda x: max(map(abs, strong[x].values())), tie=str)
    return [_find_source(why, x, strong[x], sum(edges[x].values())) for x in order[:limit]]


def _find_source(why: Contrast, source: Name, strong: dict[Edge, float], total: float) -> Statement:
    """`Asthma speaks for P by 0.121 by attacking Q, and for Q by 0.122 by attacking P; its edges leave −0.001`."""
    sides = []
    for topic, sign in ((why.fact, 1.0), (why.foil, -1.0)):
        found = rank_contributions({edge: value for edge, value in strong.items() if value * sign > 0})
        # the direct way first
        found.sort(key=lambda each: each[0][1] != topic)
        if found:
            ways = [_find_way(why, edge, topic, value) for edge, value in found]
            sides.append((max(abs(value) for _, value in found), {"topic": call(why.qbaf, topic), "ways": ways}))
    sides = sort_by_size(sides, lambda each: each[0])
    also: Statement | str = state("edge.also", **sides[1][1]) if len(sides) > 1 else ""
    left: Statement | str = state("edge.left", value=number(total, "+")) if len(sides) > 1 and not isnan(total) else ""
    return state("edge.speaks", source=call(why.qbaf, source), **sides[0][1], also=also, left=left)


def _find_way(why: Contrast, edge: Edge, topic: Name, value: float) -> Statement:
    """Say how an edge speaks for a topic: directly, or by attacking or supporting another argument."""
    assert isinstance(why.players, Edges)
    relation = find_relation(why.players, edge).removeprefix("edge.")
    if edge[1] == topic and relation == "support":
        return state("edge.way.direct", value=number(abs(value)))
    return state(f"edge.way.{relation}", value=number(abs(value)), target=call(why.qbaf, edge[1]))


def find_excess(why: Contrast, least: float) -> list[Statement]:
    """Say which groups do more together than one by one, where that is cheap to find and not small.

    Slopes of a group are the sums of those of its members; sampled values are not compared.
    """
    if not isinstance(why.players, Groups) or why.combined or len(why.qbaf) > MAX_ARGUMENTS:
        return []
    if why.method not in ("removal", "intrinsic", "shapley"):
        return []
    try:
        found = [(name, why.excess(name)) for name, members in why.players.groups.items() if len(members) > 1]
    except QontrastError:  # too many players, or undefined strengths: this can be asked for by `excess`
        return []
    strong = rank_contributions({name: value for name, value in found if abs(value) >= least})
    return [_state_excess(why, name, value) for name, value in strong[:MAX_GROUPS]]


def _state_excess(why: Contrast, group: str, excess: float) -> Statement:
    """Together they do less for a topic if that takes away from what they do for it one by one, else more."""
    one_by_one = why[group] - excess
    less = excess * one_by_one < 0 and abs(excess) <= abs(one_by_one)
    favoured = why.fact if (excess > 0) != less else why.foil
    fields = {"group": call(why.qbaf, group), "topic": call(why.qbaf, favoured), "value": number(abs(excess))}
    return state("excess.less" if less else "excess.more", **fields)
