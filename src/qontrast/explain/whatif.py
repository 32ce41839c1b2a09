"""What if: the same question before and after base scores are set and arguments removed.

>>> from qontrast import examples
>>> found = whatif(examples.load("zebra"), "zebra", "horse", base_scores={"stripes": 0.0})
>>> found.before["zebra"], found.after["zebra"], found.why_after.gap
(0.875, 0.75, 0.0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from ..attribution.methods import DEFAULT
from ..engine.problem import MAX_STEPS, Strengths, strengths
from ..errors import InvalidInput
from ..explain.wording import TIE, called, number
from ..graph.qbaf import Qbaf, is_graph
from ..results.base import Result
from ..semantics import Semantics
from ..settings import listed, shown
from ..types import Method, Name, Progress
from .contrast import Contrast, contrast


@dataclass(frozen=True, eq=False, repr=False)
class WhatIf(Result):
    """Strengths and, where a pair was asked for, the contrast, before and after a change."""

    base_scores: Mapping[Name, float]  # the new ones
    remove: tuple[Name, ...]
    before: Strengths = field(repr=False)
    after: Strengths = field(repr=False)
    why_before: Contrast | None = field(repr=False)
    why_after: Contrast | None = field(repr=False)

    def __str__(self) -> str:
        if self.why_before is None or self.why_after is None:
            moved = [x for x in self.after if abs(self.after[x] - self.before[x]) > TIE]
            return f"The strength of {len(moved)} of {len(self.after)} arguments changes."
        qbaf, why = self.before.qbaf, self.why_before
        fact, foil = called(qbaf, why.fact), called(qbaf, why.foil)
        before, after = _ahead(self.why_before.gap, foil), _ahead(self.why_after.gap, "it")
        return f"{fact} was {before}; it is now {after}."

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/whatif/1`."""
        return {
            "schema": "qontrast/whatif/1",
            "set": dict(self.base_scores),
            "remove": list(self.remove),
            "before": _side(self.before, self.why_before),
            "after": _side(self.after, self.why_after),
        }


def _side(found: Strengths, why: Contrast | None) -> dict[str, Any]:
    return {"strengths": found.to_dict(), "contrast": None if why is None else why.to_dict()}


def _ahead(gap: float, foil: str) -> str:
    if abs(gap) <= TIE:
        return f"level with {foil}"
    return f"{'ahead of' if gap > 0 else 'behind'} {foil} by {number(abs(gap))}"


def changed(qbaf: Qbaf, base_scores: Mapping[Name, float], remove: Iterable[Name] = ()) -> Qbaf:
    """The graph with these base scores and without these arguments."""
    gone = tuple(remove)
    for name in gone:
        if name in base_scores:
            raise InvalidInput(f"{name!r} is both set and removed; do one of the two")
    qbaf = qbaf.with_base_scores(base_scores) if base_scores else qbaf
    return qbaf.without(*gone) if gone else qbaf


def whatif(
    qbaf: Qbaf,
    fact: Name | None = None,
    foil: Name | None = None,
    *,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    solver: str = "discrete",
    max_steps: int = MAX_STEPS,
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
    base_scores: Mapping[Name, float] | None = None,
    remove: Iterable[Name] = (),
    **settings: Any,
) -> WhatIf:
    """The graph before and after: the given base scores, without the arguments in `remove`."""
    is_graph(qbaf)
    if base_scores is not None and not isinstance(base_scores, Mapping):
        raise InvalidInput(f"base_scores is {shown(base_scores)}; give a mapping from argument to base score")
    scores, gone = dict(base_scores or {}), tuple(listed(remove, "remove"))
    for name in gone:
        qbaf.index(name)
    other = changed(qbaf, scores, gone)
    whys: list[Contrast | None] = [None, None]
    if fact is not None and foil is not None:
        for topic in (fact, foil):
            if topic in gone:
                raise InvalidInput(f"{topic!r} is removed, so nothing can be compared with it; keep it, or set it to 0")
        settings |= {"solver": solver, "max_steps": max_steps, "executor": executor, "progress": progress}
        whys = [contrast(each, fact, foil, method=method, semantics=semantics, **settings) for each in (qbaf, other)]
    before, after = (strengths(each, semantics=semantics, solver=solver, max_steps=max_steps) for each in (qbaf, other))
    return WhatIf(scores, gone, before, after, *whys)
