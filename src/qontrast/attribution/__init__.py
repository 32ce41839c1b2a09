"""Four ways to fill Φ[topic, contributor], in the table METHODS; and one topic's row of it, `attribute`.

>>> from qontrast import Qbaf
>>> q = Qbaf({"t": 0.5, "x": 1.0, "y": 1.0}, supports=[("x", "t"), ("y", "t")])
>>> dict(attribute(q, "t", method="removal", semantics="df-quad"))
{'x': 0.0, 'y': 0.0}
>>> dict(attribute(q, "t", method="shapley", semantics="df-quad"))
{'x': 0.25, 'y': 0.25}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import ancestors
from ..errors import InvalidInput, unknown
from ..labels import called, label_and_name
from ..phi import Method, Phi, Progress, Sides, View
from ..plain import plain
from ..progress import shown
from ..qbaf import Floats, Name, Qbaf
from ..semantics import Semantics
from ..shown import Attributed
from ..solve import problem
from .gradient import Gradient
from .removal import IntrinsicRemoval, Removal
from .sampled import Sampled
from .shapley import Shapley

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True)
class MethodEntry:
    """A method as users choose it: how it is made from settings, what it measures, what it promises."""

    make: type[Method]
    measures: str
    promises: str


METHODS: dict[str, MethodEntry] = {
    "shapley": MethodEntry(
        Shapley,
        "the average of what an argument adds, over all coalitions of the others; exact",
        "contributions and the cross-topic component add up to the gap (cross-topic-adjusted efficiency)",
    ),
    "removal": MethodEntry(
        Removal,
        "what changes when an argument is removed",
        "removing an argument moves the gap against the sign of its contribution (counterfactuality)",
    ),
    "gradient": MethodEntry(
        Gradient,
        "the slope of strength in an argument's base score; exact",
        "a small change of the base score moves the gap with the sign of the contribution (local faithfulness)",
    ),
    "sampled": MethodEntry(
        Sampled,
        "the Shapley value, estimated from random coalitions, with standard errors",
        "contributions and the cross-topic component add up to the gap; each is good to its standard error",
    ),
    "intrinsic": MethodEntry(
        IntrinsicRemoval,
        "what changes when an argument is removed whose own parents were cut off first",
        "nothing about the gap: it tells what an argument gives of its own",
    ),
}
DEFAULT = "shapley"


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(Attributed, Mapping[Name, float]):
    """φ_topic: a mapping from contributor to contribution, with its context.

    `sides` holds both one-sided derivatives where a gradient does not exist (its value is then NaN), `kinks` the
    arguments that cause it. `std_error` is a mapping like this one where values were sampled, else None.
    """

    qbaf: Qbaf = field(repr=False)
    topic: Name
    array: Floats = field(repr=False)  # in the graph's order; the topic's own entry is NaN
    method: str
    semantics: str
    strength: float  # σ(topic)
    base_score: float  # τ(topic)
    strengths: Mapping[Name, float] = field(repr=False)
    std_error: Mapping[Name, float] | None = field(repr=False)
    sides: Mapping[Name, Sides] = field(repr=False)
    kinks: tuple[Name, ...] = field(repr=False)
    way: str
    evaluations: int

    def __getitem__(self, name: Name) -> float:
        place = self.qbaf.index(name)
        if name == self.topic:
            raise unknown(name, list(self), "contributor")
        return float(self.array[place])

    def __iter__(self) -> Iterator[Name]:
        return (name for name in self.qbaf.arguments if name != self.topic)

    def __len__(self) -> int:
        return len(self.qbaf) - 1

    def ranked(self) -> list[tuple[Name, float]]:
        """Contributors, the most telling first; ties by name, what is undefined last."""
        return ranked(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/attribution/1`."""
        data: dict[str, Any] = {
            "schema": "qontrast/attribution/1",
            "topic": self.topic,
            "method": self.method,
            "semantics": self.semantics,
            "strength": self.strength,
            "base_score": self.base_score,
            "contributions": self,
        }
        return plain(data | uncertain(self))

    def __str__(self) -> str:
        shown = ", ".join(f"{label_and_name(self.qbaf, name)} {value:+.4f}" for name, value in self.ranked()[:8])
        more = f", … ({len(self) - 8} more)" if len(self) > 8 else ""
        return (
            f"{called(self.qbaf, self.topic)} has strength {self.strength:.4f} (base score {self.base_score:.4f}); "
            f"contributions by {self.method} under {self.semantics}: {shown or 'none'}{more}"
        )


def uncertain(result: Any) -> dict[str, Any]:
    """Of an attribution or a contrast, what is there only where values were sampled or a gradient does not exist."""
    data: dict[str, Any] = {}
    if result.std_error is not None:
        data["std_error"] = result.std_error
    if result.kinks:
        data["kinks"] = result.kinks
        data["sides"] = {x: {"below": each.below, "above": each.above} for x, each in result.sides.items()}
    return data


def ranked(contributions: Mapping[Name, float]) -> list[tuple[Name, float]]:
    """Largest magnitude first, then by name; NaN at the end."""
    return sorted(contributions.items(), key=lambda item: (np.isnan(item[1]), -abs(item[1]), str(item[0])))


def contributions(
    qbaf: Qbaf,
    topics: Sequence[Name],
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    *,
    solver: str = "discrete",
    progress: Progress | bool | None = None,
    executor: Executor | None = None,
    **settings: Any,
) -> Phi:
    """Φ for all these topics at once: the matrix behind `attribute`, `contrast`, `all_pairs` and `rank`.

    `method` is a name from METHODS, with its settings as keywords (`max_evaluations` of shapley; `budget`, `seed`,
    `target`, `sampler` of sampled), or an object of your own that is called in the same way. With an `executor` of
    `concurrent.futures`, or that of a Dask client, lanes are solved by many processes or machines; all functions that
    take a method take it too.
    """
    if isinstance(topics, str):
        raise InvalidInput(f"topics is the string {topics!r}; give a list of names")
    asked = problem(qbaf, semantics, solver, executor=executor)
    for topic in topics:
        qbaf.index(topic)
    run = chosen(method, settings)
    with shown(progress, str(method)) as report:
        return run(asked, tuple(topics), report)


def chosen(method: str | Method, settings: Mapping[str, Any]) -> Method:
    """The method of that name with these settings."""
    if not isinstance(method, str):
        if settings:
            raise InvalidInput(f"settings {', '.join(settings)} go with a method's name; this one is made already")
        return method
    if method not in METHODS:
        raise unknown(method, METHODS, "method")
    make = METHODS[method].make
    known = getattr(make, "__dataclass_fields__", {})
    for name in settings:
        if name not in known:
            raise InvalidInput(
                f"method {method!r} has no setting {name!r}" + (f"; it has {', '.join(known)}" if known else "")
            )
    return make(**settings)


def attribute(
    qbaf: Qbaf,
    topic: Name,
    method: str | Method = DEFAULT,
    semantics: str | Semantics | None = None,
    *,
    solver: str = "discrete",
    progress: Progress | bool | None = None,
    **settings: Any,
) -> Attribution:
    """What every other argument contributes to the strength of one topic."""
    phi = contributions(qbaf, [topic], method, semantics, solver=solver, progress=progress, **settings)
    return row(phi, topic)


def row(phi: Phi, topic: Name) -> Attribution:
    """One topic's row of Φ, with its context."""
    qbaf = phi.problem.qbaf
    errors = phi.std_error(topic)
    place = qbaf.index(topic)
    return Attribution(
        qbaf,
        topic,
        phi.row(topic),
        phi.method,
        phi.problem.semantics.name,
        float(phi.strengths[place]),
        float(qbaf.base_array[place]),
        View(qbaf, phi.strengths),
        None if errors is None else View(qbaf, errors, (topic,)),
        {x: both for (t, x), both in phi.sides.items() if t == topic},
        _kinks(phi, topic),
        phi.way,
        phi.evaluations,
    )


def _kinks(phi: Phi, topic: Name) -> tuple[Name, ...]:
    """The kinks upstream of a topic that has undefined slopes."""
    if all(t != topic for t, _ in phi.sides):
        return ()
    qbaf = phi.problem.qbaf
    upstream = ancestors(qbaf, [qbaf.index(topic)])
    return tuple(name for name in phi.kinks if upstream[qbaf.index(name)])
