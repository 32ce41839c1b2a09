"""Put into words how far base scores and weights may be off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph.qbaf import Qbaf
from ..types import Edge, Name
from .numbers import significant, write_bound
from .phrasing import Quoted, Statement, call, choose, state

if TYPE_CHECKING:
    from ..explain.robustness import Robustness

MAX_NAMES = 5  # of movers that a sentence names


def describe_robustness(found: Robustness, *, language: str = "en") -> str:
    """Say how far base scores and weights may be off before the order changes, and what is proved of it."""
    return " ".join(map(choose(language).write, find_robustness(found)))


def find_question(found: Robustness) -> Statement:
    """The question that a result answers."""
    what = state(f"robustness.all.{_find_kind(found)}")
    if found.ahead is None:
        topics = {"fact": call(found.qbaf, found.fact), "foil": call(found.qbaf, found.foil)}
        return state("robustness.question.tie", what=what, **topics)
    return state("robustness.question", what=what, **_call_order(found))


def find_robustness(found: Robustness) -> list[Statement]:
    """Say how far base scores and weights may be off before the order changes, and what is proved of it."""
    if found.ahead is None:
        return [state("robustness.tie", fact=call(found.qbaf, found.fact), foil=call(found.qbaf, found.foil))]
    order = _call_order(found)
    if found.impossible:
        return [state("robustness.impossible", what=_name_moves(found), **order)]
    stopped = [state("robustness.stopped")] if found.stopped else []
    if found.certified > 0:
        less = state("robustness.less", radius=write_bound(found.certified))
        return [state("robustness.holds", off=_say_off(found, less), then=_find_end(found, order)), *stopped]
    if np.isinf(found.found):
        what = _name_moves(found)
        if found.max_weight is not None:
            what = state("robustness.up to", what=what, limit=significant(found.max_weight))
        first = state("robustness.none", what=what, **order)
        return [first, *_find_obstacles(found, "robustness.nothing proved"), *stopped]
    first = state("robustness.found", off=_say_off(found, write_bound(found.found, up=True)), **order)
    return [first, *_find_obstacles(found, "robustness.not certified"), *stopped]


def _find_obstacles(found: Robustness, key: str) -> list[Statement]:
    """Say why nothing is proved, where nothing can be."""
    why = [state(f"robustness.obstacle.{each}") for each in found.obstacles]
    return [state(key, why=why)] if why else []


def _find_end(found: Robustness, order: dict[str, Any]) -> Statement:
    """Say when the lead ends."""
    if np.isinf(found.found):
        if found.max_weight is not None:
            return state("robustness.then.none.up to", limit=significant(found.max_weight))
        return state("robustness.then.none")
    if found.exact:
        return state("robustness.then", **order)
    return state("robustness.then.found", radius=write_bound(found.found, up=True), **order)


def _call_order(found: Robustness) -> dict[str, Any]:
    first, second = (found.fact, found.foil) if found.ahead == found.fact else (found.foil, found.fact)
    return {"ahead": call(found.qbaf, first), "behind": call(found.qbaf, second)}


def _find_kind(found: Robustness) -> str:
    """What may be off: "base_scores", "weights" or "both"."""
    edges = sum(isinstance(each, tuple) for each in found.movers)
    return "base_scores" if not edges else "weights" if edges == len(found.movers) else "both"


def _say_off(found: Robustness, radius: Statement | str) -> Statement:
    """Say that the movers are off by this radius; name them where they are not all that matter."""
    if _has_all(found):
        kind = _find_kind(found)
        if found.norm == "linf":
            return state(f"robustness.off.linf.{kind}", radius=radius)
        return state(f"robustness.off.{found.norm}", what=state(f"robustness.all.{kind}"), radius=radius)
    if len(found.movers) == 1:
        return state("robustness.off.one", names=_name_movers(found, "who"), radius=radius)
    return state(f"robustness.off.{found.norm}.some", names=_name_movers(found, "who"), radius=radius)


def _name_moves(found: Robustness) -> Statement | list[Statement]:
    """What a change would be a change of, in the genitive."""
    return state(f"robustness.change.{_find_kind(found)}") if _has_all(found) else _name_movers(found, "whose")


def _has_all(found: Robustness) -> bool:
    """Whether the movers are all that matter of one kind, or of both."""
    qbaf, kind = found.qbaf, _find_kind(found)
    upstream = qbaf.structure.ancestors([qbaf.index(x) for x in (found.fact, found.foil)])
    ends = [qbaf.index(x[1] if isinstance(x, tuple) else x) for x in found.movers]
    size = int(upstream.sum()) * (kind != "weights") + int(upstream[qbaf.targets].sum()) * (kind != "base_scores")
    return len(found.movers) == size and bool(upstream[ends].all())


def _name_movers(found: Robustness, role: str) -> list[Statement]:
    """Name the arguments whose base scores, and the edges whose weights may be off; the first few of each."""
    said = []
    for kind, edges in (("base_scores", False), ("weights", True)):
        movers = [each for each in found.movers if isinstance(each, tuple) is edges]
        names: list[Any] = [_call(found.qbaf, each) for each in movers[:MAX_NAMES]]
        if len(movers) > MAX_NAMES:
            names.append(state("robustness.more", count=len(movers) - MAX_NAMES))
        if movers:
            said.append(state(f"robustness.{role}.{kind}", names=names, count=len(movers)))
    return said


def _call(qbaf: Qbaf, mover: Name | Edge) -> Quoted | Statement:
    """Call an argument by its label, and an edge by those of its ends."""
    if isinstance(mover, tuple):
        return state("reach.edge", source=call(qbaf, mover[0]), target=call(qbaf, mover[1]))
    return call(qbaf, mover)
