"""State the optimisation task of `reach`: what may move, what a move costs, and what has to hold afterwards.

    minimise cost(z − z₀)   subject to   C σ(z) + d ≥ 0,   low ≤ z ≤ high

z holds the base scores that may move, then the weights that may move, as magnitudes: the sign of an edge stays. The
search (`reach_search`) finds a point, and the proof (`reach_proof`) a lower bound of the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..engine.problem import Problem
from ..types import Bools, Floats, Integers

FEASIBILITY = 1e-9  # a constraint holds from −1e-9 on: strengths of a cyclic graph are good to 1e-12
Costs = Callable[[Floats], Floats]

# (points, variables) of price · |move| → (points,)
COSTS: dict[str, Costs] = {
    "l1": lambda moves: np.asarray(moves.sum(axis=-1)),
    "l2": lambda moves: np.asarray(np.sqrt(np.square(moves).sum(axis=-1))),
    "linf": lambda moves: np.asarray(moves.max(axis=-1, initial=0.0)),
    "fewest": lambda moves: np.asarray((moves > 0).sum(axis=-1).astype(np.float64)),
}


@dataclass(frozen=True, eq=False)
class ReachTask:
    """A graph, the variables that may move, and the constraints; a *point* holds one number for each variable.

    Attributes
    ----------
    problem
        The graph under a semantics. A proof needs an acyclic one.
    arguments
        Numbers of the arguments whose base scores are the first variables.
    edges
        Numbers of the edges, in the order of `qbaf.weights`, whose weights are the other variables.
    start
        z₀, what the graph says: base scores, and |weights|.
    low, high
        Between which bounds each variable may move, low ≤ start ≤ high and low < high; all finite.
    prices
        What a move of 1 costs, ≥ 0.
    cost
        "l1", Σ price·|move|; "l2", √Σ(price·|move|)²; "linf", the largest price·|move|; "fewest", the number of
        variables that move.
    coefficients, constants
        C (constraints, arguments) and d (constraints,): a point is feasible if C σ + d ≥ −FEASIBILITY.
    cut_off
        The variables whose `high` is no bound of theirs, but where the task ends: any larger weight is allowed too.
    """

    problem: Problem
    arguments: Integers
    edges: Integers
    start: Floats
    low: Floats
    high: Floats
    prices: Floats
    cost: str
    coefficients: Floats
    constants: Floats
    cut_off: Bools | None = None

    @property
    def max_weight(self) -> float | None:
        """The largest weight of the task, where larger ones are allowed too."""
        return None if self.cut_off is None or not self.cut_off.any() else float(self.high[self.cut_off].max())

    def find_cost_beyond(self) -> float:
        """The least that a point may cost which is not in the task, since a weight is larger than the task allows."""
        if self.cut_off is None or not self.cut_off.any():
            return np.inf
        return 1.0 if self.cost == "fewest" else float((self.prices * (self.high - self.start))[self.cut_off].min())

    def __len__(self) -> int:
        return len(self.start)

    def make_lanes(self, points: Floats) -> tuple[Floats, Floats | None]:
        """Make the lanes of points (points, variables): base scores, and weights, None where none may move."""
        qbaf, count = self.problem.qbaf, len(self.arguments)
        base = np.repeat(qbaf.base_array[None], len(points), axis=0)
        base[:, self.arguments] = points[:, :count]
        if not len(self.edges):
            return base, None
        weights = np.repeat(np.abs(qbaf.weights)[None], len(points), axis=0)
        weights[:, self.edges] = points[:, count:]
        return base, weights

    def evaluate(self, strengths: Floats) -> Floats:
        """Compute C σ + d, (points, constraints), of strengths (points, arguments)."""
        return np.asarray(strengths @ self.coefficients.T + self.constants)

    def is_feasible(self, values: Floats) -> Bools:
        """Say for each row of C σ + d whether all constraints hold; an undefined point is not feasible."""
        return np.asarray((values >= -FEASIBILITY).all(axis=-1))

    def measure(self, points: Floats) -> Floats:
        """Compute the cost of each point."""
        if self.cost == "fewest":
            return COSTS["fewest"](np.abs(points - self.start))
        return COSTS[self.cost](self.prices * np.abs(points - self.start))
