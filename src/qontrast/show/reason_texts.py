"""Put reasons into words: which sets of players keep the order of two topics, and without which it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .numbers import significant
from .phrasing import Statement, call_player, call_topics, choose, state

if TYPE_CHECKING:
    from ..explain.reasons import Reasons

MAX_TOLD_SETS = 3  # of one kind that a text names
MAX_TOLD_MEMBERS = 6  # of a set


def describe_reasons(found: Reasons, *, language: str = "en") -> str:
    """Say which sets keep the order, without which it changes, and what was not examined."""
    return " ".join(map(choose(language).write, find_reasons(found)))


def find_reasons(found: Reasons) -> list[Statement]:
    """Say which sets keep the order, without which it changes, and what was not examined."""
    said = [*_find_prime(found), *_find_unproved(found), *_find_breaking(found)]
    if found.undefined:
        said.append(state("reasons.undefined", count=found.undefined))
    if not found.complete:
        some = {"count": found.examined} if found.examined else {}
        said.append(state("reasons.incomplete", **some))
    if found.stopped and found.time_limit is not None:
        said.append(state("reasons.stopped", seconds=significant(found.time_limit, 6)))
    return said


def call_order(found: Reasons) -> dict[str, Any]:
    """Call the topic that is ahead, and the other one."""
    one, other = call_topics(found).values()
    return {"ahead": other, "behind": one} if found.sign < 0 else {"ahead": one, "behind": other}


def _find_prime(found: Reasons) -> list[Statement]:
    kind, topics = ("ahead" if found.sign else "level"), call_order(found)
    if not found.prime:
        return []
    if found.prime == [frozenset()]:
        return [state(f"reasons.{kind}.always", **topics)]
    first, *others = found.prime
    said = [state(f"reasons.{kind}", count=len(first), names=_call_members(found, first), **topics)]
    return said + ([state("reasons.same", sets=_list_sets(found, others))] if others else [])


def _find_breaking(found: Reasons) -> list[Statement]:
    if not found.breaking:
        return []
    sets = [
        state(f"reasons.without{'' if place else '.first'}", count=len(some), names=_call_members(found, some))
        for place, some in enumerate(found.breaking[:MAX_TOLD_SETS])
    ]
    kind = "ahead" if found.sign else "level"
    return [state(f"reasons.{kind}.broken", without=_join(sets, len(found.breaking)), **call_order(found))]


def _find_unproved(found: Reasons) -> list[Statement]:
    key = "reasons.unproved" if found.prime else "reasons.unproved.only"
    return [state(key, count=len(found.unproved))] if found.unproved else []


def _call_members(found: Reasons, some: frozenset[Any]) -> list[Any]:
    names: list[Any] = [call_player(found.players, x) for x in found.sort_members(some)]
    if len(names) > MAX_TOLD_MEMBERS:
        names[MAX_TOLD_MEMBERS - 1 :] = [state("more", count=len(names) - MAX_TOLD_MEMBERS + 1)]
    return names


def _list_sets(found: Reasons, sets: Sequence[frozenset[Any]]) -> Any:
    return _join([_call_members(found, some) for some in sets[:MAX_TOLD_SETS]], len(sets))


def _join(sets: Sequence[Any], size: int) -> Any:
    """Write sets as alternatives, and how many more there are."""
    told, *others = sets
    if size > len(sets):
        others.append(state("reasons.more", count=size - len(sets)))
    for other in others:
        told = state("reasons.or", first=told, last=other)
    return told
