"""Ask the same question before and after base scores are set and arguments removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from ..attribution.methods import DEFAULT, MethodSettings
from ..engine.problem import MAX_STEPS, Strengths, strengths
from ..errors import InvalidInput
from ..graph.qbaf import Qbaf, check_graph
from ..results.base import Result, Schema
from ..semantics import Semantics
from ..settings import check_list, format_value
from ..types import Method, Name, Progress
from .change import Change
from .change import change as explain_change
from .contrast import Contrast, contrast

if TYPE_CHECKING:
    from concurrent.futures import Executor

SIDE = "`strengths` (`qontrast/strengths/1`) and `contrast` (`qontrast/contrast/1`, or `null` without two topics)"
SCHEMA = Schema(
    "qontrast/whatif/1",
    {
        "set": "argument → new base score",
        "remove": "the removed arguments",
        "before": SIDE,
        "after": "the same after the change",
        "change": "`qontrast/change/1`: the share of each change in the change of the gap; `null` without two topics",
    },
    source="`whatif`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WhatIf(Result, schema=SCHEMA):
    """Strengths and, where two topics were given, the contrast, before and after a change.

    Attributes
    ----------
    base_scores
        Argument → new base score.
    remove
        The removed arguments.
    before, after
        The strengths.
    why_before, why_after
        The contrasts; None where no two topics were given.
    """

    base_scores: Mapping[Name, float]
    remove: tuple[Name, ...]
    before: Strengths
    after: Strengths
    why_before: Contrast | None
    why_after: Contrast | None

    @property
    def set(self) -> Mapping[Name, float]:
        """Argument → new base score."""
        return self.base_scores

    @property
    def qbaf(self) -> Qbaf:
        """The graph before the change."""
        return self.before.qbaf

    @property
    def semantics(self) -> str:
        """The name of the semantics."""
        return self.before.semantics

    @property
    def method(self) -> str | None:
        """The name of the method; None where no two topics were given."""
        return None if self.why_before is None else self.why_before.method

    @cached_property
    def change(self) -> Change | None:
        """The share of each change in the change of the gap; None where no two topics were given."""
        if self.why_before is None:
            return None
        why, problem = self.why_before, self.why_before.problem
        solving: dict[str, Any] = {"solver": problem.solver, "max_steps": problem.max_steps}
        return explain_change(
            self.before.qbaf, self.after.qbaf, why.fact, why.foil, semantics=problem.semantics, **solving
        )

    def _computed_fields(self) -> dict[str, Any]:
        return {
            "change": None if self.change is None else self.change.to_dict(),
            "before": _side(self.before, self.why_before),
            "after": _side(self.after, self.why_after),
        }


def _side(found: Strengths, why: Contrast | None) -> dict[str, Any]:
    return {"strengths": found.to_dict(), "contrast": None if why is None else why.to_dict()}


def apply_changes(qbaf: Qbaf, base_scores: Mapping[Name, float], remove: Iterable[Name] = ()) -> Qbaf:
    """Return the graph with these base scores and without these arguments."""
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
    device: str = "cpu",
    progress: Progress | None = None,
    base_scores: Mapping[Name, float] | None = None,
    remove: Iterable[Name] = (),
    **settings: Unpack[MethodSettings],
) -> WhatIf:
    """Compare a graph before and after a change of base scores or the removal of arguments.

    Parameters
    ----------
    qbaf : Qbaf
        The graph before the change.
    fact, foil : str or int, optional
        The two topics; without them strengths alone are compared.
    method, semantics, solver, max_steps, executor, device, progress, **settings
        As in `contributions`.
    base_scores : mapping, optional
        Argument → new base score.
    remove : iterable of names
        The arguments to remove.

    Returns
    -------
    WhatIf
        Strengths and contrasts before and after.

    Raises
    ------
    InvalidInput
        If an argument is both set and removed, or a topic is removed.

    Examples
    --------
    >>> from qontrast import examples
    >>> found = whatif(examples.load("zebra"), "zebra", "horse", base_scores={"stripes": 0.0})
    >>> found.before["zebra"], found.after["zebra"], found.why_after.gap
    (0.875, 0.75, 0.0)
    """
    check_graph(qbaf)
    if base_scores is not None and not isinstance(base_scores, Mapping):
        raise InvalidInput(f"base_scores is {format_value(base_scores)}; give a mapping from argument to base score")
    scores, gone = dict(base_scores or {}), tuple(check_list(remove, "remove"))
    for name in gone:
        qbaf.index(name)
    graphs = qbaf, apply_changes(qbaf, scores, gone)
    solving: dict[str, Any] = {"semantics": semantics, "solver": solver, "max_steps": max_steps}
    whys: list[Contrast | None] = [None, None]
    if fact is not None and foil is not None:
        for topic in (fact, foil):
            if topic in gone:
                raise InvalidInput(f"{topic!r} is removed, so nothing can be compared with it; keep it, or set it to 0")
        asking: dict[str, Any] = {"method": method, "executor": executor, "device": device, "progress": progress}
        asking |= {**solving, **settings}
        whys = [contrast(each, fact, foil, **asking) for each in graphs]
    before, after = (strengths(each, **solving) for each in graphs)
    return WhatIf(base_scores=scores, remove=gone, before=before, after=after, why_before=whys[0], why_after=whys[1])
