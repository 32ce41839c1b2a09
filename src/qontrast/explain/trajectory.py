"""Strength over time: the picture of convergence that the field likes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from ..engine.problem import problem
from ..errors import InvalidInput
from ..graph.labels import label_and_name
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result
from ..semantics import Semantics
from ..settings import real, whole
from ..types import Floats, Name


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Result, Plottable):
    """Strength over time: `strengths[k]` at `times[k]`, in the order of the graph's arguments."""

    qbaf: Qbaf = field(repr=False)
    times: Floats = field(repr=False)
    strengths: Floats = field(repr=False)  # (times, arguments)
    semantics: str
    solver: str

    def __getitem__(self, name: Name) -> Floats:
        return self.strengths[:, self.qbaf.index(name)]

    def __str__(self) -> str:
        ends = zip(self.qbaf, self.strengths[0].tolist(), self.strengths[-1].tolist(), strict=True)
        shown = [
            f"{label_and_name(self.qbaf, name)} {first:.4f} → {last:.4f}" for name, first, last in islice(ends, 20)
        ]
        more = f", … ({len(self.qbaf) - 20:,} more)" if len(self.qbaf) > 20 else ""
        head = f"{self.solver} strengths under {self.semantics} from {self.times[0]:g} to {self.times[-1]:g}"
        return f"{head} ({len(self.times)} times): {', '.join(shown)}{more}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, `qontrast/trajectory/1`."""
        return {
            "schema": "qontrast/trajectory/1",
            "semantics": self.semantics,
            "solver": self.solver,
            "times": self.times.tolist(),
            "strengths": {name: self[name].tolist() for name in self.qbaf},
        }


def trajectory(
    qbaf: Qbaf,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "continuous",
    until: float = 20.0,
    points: int = 201,
) -> Trajectory:
    """How strengths develop from the base scores: of dσ/dt = F(σ) − σ, or step by step of the discrete update.

    `until` is the last time, or the number of updates; `points` is how many times the continuous curve is read.

    >>> q = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    >>> trajectory(q, semantics="df-quad", solver="discrete", until=3)["a"].tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    asked = problem(qbaf, semantics, solver)
    if real(until, "until", "give a number above 0") <= 0:
        raise InvalidInput(f"until is {until!r}; give a number above 0")
    whole(points, "points", 2)
    order, place, equation = asked.arrays.order, asked.arrays.place, asked.equation
    base = qbaf.base_array[order]
    if solver == "continuous":
        from ..engine.continuous import path

        times = np.linspace(0.0, until, points)
        found = path(lambda s: equation.update(s, base, None), base, times)
    else:
        times = np.arange(int(until) + 1.0)
        found = np.empty((len(times), len(base)))
        found[0] = base
        for k in range(1, len(times)):
            found[k] = equation.update(found[k - 1], base, None)
    return Trajectory(qbaf, times, found[:, place], asked.semantics.name, solver)
