"""Follow strengths over time, from the base scores on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..engine.problem import make_problem
from ..graph.qbaf import Qbaf
from ..results.base import Plottable, Result, Schema
from ..semantics import Semantics
from ..settings import check_integer, check_number
from ..types import Floats, Name

SCHEMA = Schema(
    "qontrast/trajectory/1",
    {
        "semantics": "name of the semantics",
        "solver": "`continuous` or `discrete`",
        "times": "the times, or the numbers of updates",
        "strengths": "argument → a strength for each time",
    },
    source="`trajectory`",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trajectory(Result, Plottable, schema=SCHEMA):
    """Strengths over time: `trajectory[name]` are those of one argument.

    Attributes
    ----------
    qbaf, semantics, solver
        The question.
    times
        The times, or the numbers of updates.
    strengths
        An array (times, arguments), in the graph's order.
    """

    qbaf: Qbaf
    semantics: str
    solver: str
    times: Floats
    strengths: Floats
    method: ClassVar[None] = None

    def __getitem__(self, name: Name) -> Floats:
        return self.strengths[:, self.qbaf.index(name)]

    def _computed_fields(self) -> dict[str, Any]:
        return {"strengths": {name: self[name] for name in self.qbaf}}


def trajectory(
    qbaf: Qbaf,
    *,
    semantics: str | Semantics | None = None,
    solver: str = "continuous",
    until: float = 20.0,
    points: int = 201,
) -> Trajectory:
    """Follow strengths from the base scores on: along dσ/dt = F(σ) − σ, or step by step of the discrete update.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    semantics : str or Semantics, optional
        The graph's own unless given, else "qe".
    solver : {"continuous", "discrete"}
        What is followed: the differential equation, or the update.
    until : float
        The last time, or the number of updates.
    points : int
        At how many times the continuous curve is read.

    Returns
    -------
    Trajectory
        The times, and the strengths at each.

    Examples
    --------
    >>> q = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    >>> trajectory(q, semantics="df-quad", solver="discrete", until=3)["a"].tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    asked = make_problem(qbaf, semantics, solver)
    check_number(until, "until", "give a number above 0", above=0)
    check_integer(points, "points", 2)
    order, place, equation = asked.arrays.order, asked.arrays.place, asked.equation
    base = qbaf.base_array[order]
    if solver == "continuous":
        from ..engine.continuous import sample_flow

        times = np.linspace(0.0, until, points)
        found = sample_flow(equation, base, times)
    else:
        times = np.arange(int(until) + 1.0)
        found = np.empty((len(times), len(base)))
        found[0] = base
        for k in range(1, len(times)):
            found[k] = equation.update(found[k - 1], base, None)
    return Trajectory(qbaf=qbaf, semantics=asked.semantics.name, solver=solver, times=times, strengths=found[:, place])
