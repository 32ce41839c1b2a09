"""Put into words how far base scores may be off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .numbers import write_bound
from .phrasing import Statement, call, choose, state

if TYPE_CHECKING:
    from ..explain.robustness import Robustness

MAX_NAMES = 5  # of movers that a sentence names


def describe_robustness(found: Robustness, *, language: str = "en") -> str:
    """Say how far base scores may be off before the order changes, and what is proved of it."""
    return " ".join(map(choose(language).write, find_robustness(found)))


def find_question(found: Robustness) -> Statement:
    """The question that a result answers."""
    if found.ahead is None:
        return state("robustness.question.tie", fact=call(found.qbaf, found.fact), foil=call(found.qbaf, found.foil))
    return state("robustness.question", **_call_order(found))


def find_robustness(found: Robustness) -> list[Statement]:
    """Say how far base scores may be off before the order changes, and what is proved of it."""
    if found.ahead is None:
        return [state("robustness.tie", fact=call(found.qbaf, found.fact), foil=call(found.qbaf, found.foil))]
    order = _call_order(found)
    if found.impossible:
        return [state("robustness.impossible", what=_name_movers(found, "what"), **order)]
    stopped = [state("robustness.stopped")] if found.stopped else []
    off = f"off.{found.norm}"
    if found.certified > 0:
        less = state("robustness.less", radius=write_bound(found.certified))
        holds = state("robustness.holds", off=_name_movers(found, off, radius=less), then=_find_end(found, order))
        return [holds, *stopped]
    if np.isinf(found.found):
        first = state("robustness.none", what=_name_movers(found, "what"), **order)
        return [first, *([] if found.certifiable else [state("robustness.nothing proved")]), *stopped]
    size = write_bound(found.found, up=True)
    first = state("robustness.found", off=_name_movers(found, off, radius=size), **order)
    return [first, *([] if found.certifiable else [state("robustness.not certified")]), *stopped]


def _find_end(found: Robustness, order: dict[str, Any]) -> Statement:
    """Say when the lead ends."""
    if np.isinf(found.found):
        return state("robustness.then.none")
    if found.exact:
        return state("robustness.then", **order)
    return state("robustness.then.found", radius=write_bound(found.found, up=True), **order)


def _call_order(found: Robustness) -> dict[str, Any]:
    first, second = (found.fact, found.foil) if found.ahead == found.fact else (found.foil, found.fact)
    return {"ahead": call(found.qbaf, first), "behind": call(found.qbaf, second)}


def _name_movers(found: Robustness, key: str, **fields: Any) -> Statement:
    """Name the movers where they are not all arguments that matter."""
    upstream = found.qbaf.structure.ancestors([found.qbaf.index(x) for x in (found.fact, found.foil)])
    if len(found.movers) == int(upstream.sum()) and all(upstream[found.qbaf.index(x)] for x in found.movers):
        return state(f"robustness.{key}", **fields)
    names: list[Any] = [call(found.qbaf, x) for x in found.movers]
    if len(names) == 1:
        return state(f"robustness.{key.split('.')[0]}.one", names=names, **fields)
    rest = len(names) - MAX_NAMES
    shown = names if rest <= 0 else [*names[:MAX_NAMES], state("robustness.more", count=rest)]
    return state(f"robustness.{key}.some", names=shown, **fields)
