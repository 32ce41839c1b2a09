"""Choose the variables of `reach`: which base scores and weights may move, between which bounds, at which prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..engine.problem import Problem
from ..errors import InvalidInput, unknown_name
from ..graph.qbaf import Qbaf
from ..settings import check_number, format_value
from ..types import Edge, Floats, Integers, Name
from .reach_task import ReachTask

CHANGES = {"base_scores": (True, False), "weights": (False, True), "both": (True, True)}
WEIGHT_RANGE = 100.0  # times the largest weight, at least 1: how far weights may rise where a semantics allows any


class Variables:
    """All base scores, then all weights, of a graph: each is found by the name of the argument or edge."""

    def __init__(self, problem: Problem, change: str) -> None:
        self.problem, qbaf = problem, problem.qbaf
        self.qbaf = qbaf
        weights = np.abs(qbaf.weights)
        self.most = limit = problem.semantics.aggregation.max_weight
        if not np.isfinite(limit):
            limit = WEIGHT_RANGE * max(1.0, float(weights.max(initial=0.0)))
        self.start = np.concatenate((qbaf.base_array, weights))
        self.low = np.zeros(len(self.start))
        self.high = np.concatenate((np.ones(len(qbaf)), np.full(len(weights), limit)))
        self.cut_off = (np.arange(len(self.start)) >= len(qbaf)) & ~np.isfinite(self.most)
        self.prices = np.ones(len(self.start))
        scores, edges = CHANGES[change]
        self.free = np.concatenate((np.full(len(qbaf), scores), np.full(len(weights), edges)))
        self._edges: dict[Edge, int] | None = None

    def make_task(self, chosen: Integers, cost: str, coefficients: Floats, constants: Floats) -> ReachTask:
        """Make the task in which the variables of these numbers may move."""
        size = len(self.qbaf)
        return ReachTask(
            problem=self.problem,
            arguments=chosen[chosen < size],
            edges=chosen[chosen >= size] - size,
            start=self.start[chosen],
            low=self.low[chosen],
            high=self.high[chosen],
            prices=self.prices[chosen],
            cost=cost,
            coefficients=coefficients,
            constants=constants,
            cut_off=self.cut_off[chosen],
        )

    def find(self, name: Any, what: str) -> int:
        """Find the number of the variable of an argument, or of an edge (source, target)."""
        if not isinstance(name, tuple | list):
            return self.qbaf.index(name)
        if len(name) != 2:
            raise InvalidInput(f"{what} names {format_value(name)}; give an argument or an edge (source, target)")
        for end in name:
            self.qbaf.index(end)
        edges = self._list_edges()
        if tuple(name) not in edges:
            raise unknown_name(tuple(name), edges, "edge")
        return len(self.qbaf) + edges[tuple(name)]

    def _list_edges(self) -> dict[Edge, int]:
        if self._edges is None:
            names = self.qbaf.arguments
            ends = zip(self.qbaf.sources.tolist(), self.qbaf.targets.tolist(), strict=True)
            self._edges = {(names[i], names[j]): k for k, (i, j) in enumerate(ends)}
        return self._edges

    def set_bounds(self, bounds: Mapping[Any, Any]) -> None:
        """Narrow the bounds of variables; the present value must lie between them."""
        for name, given in bounds.items():
            at, own = self.find(name, "bounds"), f"the bounds of {format_value(name)}"
            try:
                low, high = given
            except (TypeError, ValueError):
                raise InvalidInput(f"{own} are {format_value(given)}; give a pair (low, high)") from None
            low, high = (check_number(each, own, "give a pair (low, high) of numbers") for each in (low, high))
            if low > high:
                raise InvalidInput(f"{own} are {low:g} to {high:g}; give the lower one first")
            limit = 1.0 if at < len(self.qbaf) else self.most
            if low < 0 or high > limit:
                most = f"{limit:g}" if np.isfinite(limit) else "any number"
                raise InvalidInput(f"{own} are {low:g} to {high:g}; give numbers between 0 and {most}")
            if not low <= self.start[at] <= high:
                kind = "weight" if at >= len(self.qbaf) else "base score"
                raise InvalidInput(
                    f"{own} are {low:g} to {high:g}, which excludes its {kind} {self.start[at]:g}; widen them"
                )
            self.low[at], self.high[at], self.cut_off[at] = low, high, False

    def set_prices(self, prices: Mapping[Any, Any]) -> None:
        """Set what a move of 1 costs."""
        for name, price in prices.items():
            at = self.find(name, "prices")
            advice = "give a number of at least 0"
            self.prices[at] = check_number(price, f"the price of {format_value(name)}", advice, above=-1e-300)


def make_task(
    problem: Problem,
    coefficients: Floats,
    constants: Floats,
    change: str,
    cost: str,
    fixed: Sequence[Any],
    bounds: Mapping[Any, Any] | None,
    prices: Mapping[Any, Any] | None,
) -> tuple[ReachTask, tuple[Name | Edge, ...]]:
    """Make the task from the settings of `reach`, and list what was fixed."""
    qbaf, variables = problem.qbaf, Variables(problem, change)
    for given, what, kind in ((bounds, "bounds", "(low, high)"), (prices, "prices", "a number")):
        if given is not None and not isinstance(given, Mapping):
            raise InvalidInput(f"{what} is {format_value(given)}; give a mapping from argument or edge to {kind}")
    held = [variables.find(name, "fixed") for name in fixed]
    variables.set_bounds(bounds or {})
    variables.set_prices(prices or {})
    variables.free[held] = False
    variables.free &= variables.low < variables.high
    if not variables.free.any():
        raise InvalidInput(_explain_nothing(qbaf, change, held))
    upstream = qbaf.structure.ancestors(np.flatnonzero(coefficients.any(axis=0)).tolist())
    matters = np.concatenate((upstream, upstream[qbaf.targets]))
    chosen: Integers = np.flatnonzero(variables.free & matters)
    return variables.make_task(chosen, cost, coefficients, constants), _name_fixed(qbaf, held)


def _explain_nothing(qbaf: Qbaf, change: str, held: list[int]) -> str:
    if not held and change == "weights" and not len(qbaf.weights):
        return 'the graph has no edges, so that no weight may move; use change="base_scores"'
    return f"nothing may move: fixed and bounds hold all that change={change!r} would move; fix less"


def _name_fixed(qbaf: Qbaf, held: list[int]) -> tuple[Name | Edge, ...]:
    names, size = qbaf.arguments, len(qbaf)
    return tuple(
        names[i] if i < size else (names[qbaf.sources[i - size]], names[qbaf.targets[i - size]])
        for i in dict.fromkeys(held)
    )
