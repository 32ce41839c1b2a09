"""Put what `reach` found into words: who moves, what was not allowed to, and what is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..explain.goals import Goal, read_goals
from ..graph.qbaf import Qbaf
from ..types import Edge, Name
from .numbers import number, significant, write_move
from .phrasing import Quoted, Statement, call, choose, state

if TYPE_CHECKING:
    from ..explain.reach import Reach

MAX_MOVES = 5  # moves that are named
MAX_KEPT = 5  # fixed arguments and edges that are named
SIGNS = {">=": "≥", "<=": "≤", "==": "="}


def describe_reach(found: Reach, *, language: str = "en") -> str:
    """Say what has to move for the goal to hold, what was not allowed to, and what is proved."""
    return " ".join(map(choose(language).write, find_reach(found)))


def find_reach(found: Reach) -> list[Statement]:
    """Say what has to move for the goal to hold, what was not allowed to, and what is proved."""
    fields = name_goals(found)
    if found.change == {}:
        return [state("reach.already", **fields)]
    said = _find_missing(found, fields) if found.change is None else _find_change(found, fields)
    stopped = [state("reach.stopped")] if found.stopped and not found.proved else []
    return [*said, *_find_kept(found), *_find_proof(found), *stopped]


def name_goals(found: Reach) -> dict[str, Any]:
    """Write the goals as formulas, and count them."""
    goals = read_goals(found.qbaf, found.goal)
    return {"goals": [_write_goal(found.qbaf, goal, found.margin) for goal in goals], "count": len(goals)}


def _write_goal(qbaf: Qbaf, goal: Goal, margin: float) -> Statement:
    fields: dict[str, Any] = {"topic": call(qbaf, goal.topic), "sign": SIGNS[goal.relation]}
    fields["other"] = significant(goal.other, 6) if isinstance(goal.other, float) else call(qbaf, goal.other)
    if not margin or goal.relation == "==":
        return state("reach.goal", **fields)
    return state(
        "reach.goal.above" if goal.relation == ">=" else "reach.goal.below", by=significant(margin, 6), **fields
    )


def _find_change(found: Reach, fields: dict[str, Any]) -> list[Statement]:
    assert found.change is not None
    moves, sizes = [], []
    for who, (before, after) in found.change.items():
        old, new = write_move(before, after)
        kind = "weight" if isinstance(who, tuple) else "base"
        key = f"reach.{kind}.{'rise' if after > before else 'fall'}"
        moves.append(state(key, who=_call(found.qbaf, who), old=old, new=new))
        sizes.append(abs(after - before))
    more = [state("reach.more", count=len(moves) - MAX_MOVES)] if len(moves) > MAX_MOVES else []
    plain = found.norm == "fewest" or (len(moves) == 1 and np.isclose(found.cost or 0.0, sizes[0]))
    cost = "" if plain else state(f"reach.cost.{found.norm}", cost=number(found.cost or 0.0))
    reached = [_write_strength(found.qbaf, topic, *each) for topic, each in found.strengths.items()]
    return [
        state("reach.change", moves=[*moves[:MAX_MOVES], *more], cost=cost, **fields),
        state("reach.after", strengths=[each for each in reached if each is not None]),
    ]


def _write_strength(qbaf: Qbaf, topic: Name, before: float, after: float | None) -> Statement | None:
    if after is None:
        return None
    old, new = number(before), number(after)
    return state("reach.strength.same" if old == new else "reach.strength", who=call(qbaf, topic), old=old, new=new)


def _call(qbaf: Qbaf, who: Name | Edge) -> Quoted | Statement:
    """Call an argument by its label, and an edge by those of its ends."""
    if isinstance(who, tuple):
        return state("reach.edge", source=call(qbaf, who[0]), target=call(qbaf, who[1]))
    return call(qbaf, who)


def _find_missing(found: Reach, fields: dict[str, Any]) -> list[Statement]:
    what = state(f"reach.what.{found.may_change}")
    if found.max_weight is not None:
        what = state("reach.what.up to", what=what, limit=significant(found.max_weight))
    if found.possible is False:
        return [state("reach.impossible" if found.movable else "reach.apart", what=what, **fields)]
    return [state("reach.none", what=what, missed=number(found.missed), **fields)]


def _find_kept(found: Reach) -> list[Statement]:
    """Name what was not allowed to move."""
    if not found.fixed:
        return []
    names: list[Any] = [_call(found.qbaf, each) for each in found.fixed[:MAX_KEPT]]
    if len(found.fixed) > MAX_KEPT:
        names.append(state("reach.others", count=len(found.fixed) - MAX_KEPT))
    return [state("reach.kept", names=names, count=len(found.fixed))]


def _find_proof(found: Reach) -> list[Statement]:
    if found.change is None:
        return []
    if found.proved:
        if found.norm == "fewest":
            return [state("reach.proved.fewest")]
        return [state("reach.proved", tolerance=significant(found.tolerance, 6))]
    if found.lower > 0:
        return [state("reach.lower", lower=number(found.lower))]
    return [state("reach.unproved")]
