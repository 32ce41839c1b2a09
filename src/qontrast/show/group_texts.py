"""Put groups into words: what the members of a group do together beyond what they do one by one."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..attribution.players import Groups
from ..errors import QontrastError
from .numbers import number
from .phrasing import Statement, call, state

if TYPE_CHECKING:
    from ..explain.contrast import Contrast

MAX_GROUPS = 2  # whose excess is told
MAX_ARGUMENTS = 500  # of a graph whose members are measured one by one for a text


def find_excess(why: Contrast, least: float) -> list[Statement]:
    """Say which groups do more together than one by one, where that is cheap to find and not small.

    Slopes of a group are the sums of those of its members; sampled values are not compared.
    """
    if not isinstance(why.players, Groups) or why.combined or len(why.qbaf) > MAX_ARGUMENTS:
        return []
    if why.method not in ("removal", "intrinsic", "shapley"):
        return []
    try:
        found = [(why.excess(name), name) for name, members in why.players.groups.items() if len(members) > 1]
    except QontrastError:  # too many players, or undefined strengths: this can be asked for by `excess`
        return []
    strong = sorted((each for each in found if abs(each[0]) >= least and not isnan(each[0])), key=lambda x: -abs(x[0]))
    return [_state_excess(why, name, value) for value, name in strong[:MAX_GROUPS]]


def _state_excess(why: Contrast, group: str, excess: float) -> Statement:
    """Together they do less for a topic if that takes away from what they do for it one by one, else more."""
    one_by_one = why[group] - excess
    less = excess * one_by_one < 0 and abs(excess) <= abs(one_by_one)
    favoured = why.fact if (excess > 0) != less else why.foil
    fields = {"group": call(why.qbaf, group), "topic": call(why.qbaf, favoured), "value": number(abs(excess))}
    return state("excess.less" if less else "excess.more", **fields)
