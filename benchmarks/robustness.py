"""Bounds over boxes: passes with intervals, proofs of the cheapest change, and how far base scores may be off.

The graphs are random and acyclic: two topics with base score 0.5, and arguments of which all may move.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from qontrast import Qbaf, robustness
from qontrast.engine.intervals import Boxes, IntervalPass
from qontrast.engine.problem import make_problem
from qontrast.explain.reach_proof import prove
from qontrast.explain.reach_search import PointSearch
from qontrast.explain.reach_task import ReachTask
from qontrast.explain.reach_trials import PointTrials
from qontrast.explain.search_clock import Clock

from .engine import Figure, best

GRAPHS = 10
COSTS = ("l1", "l2", "linf", "fewest")
TARGETS = {6: 1.0, 10: 30.0}  # seconds, by the number of variables


def figures() -> Iterator[Figure]:
    yield measure_passes()
    for variables, target in TARGETS.items():
        yield from measure_proofs(variables, target)
    yield from measure_radii()


def make_graph(arguments: int, seed: int) -> Qbaf:
    """A random acyclic graph whose last two arguments are the topics."""
    rng, share = np.random.default_rng(seed), min(0.4, 4 / arguments)  # of the possible edges
    sources, targets = np.nonzero(np.triu(rng.random((arguments + 2, arguments + 2)) < share, 1))
    base = rng.random(arguments + 2).round(2)
    base[-2:] = 0.5
    return Qbaf.from_arrays(
        base, sources, targets, rng.uniform(0.2, 1, len(sources)) * rng.choice([-1, 1], len(sources))
    )


def make_task(q: Qbaf, semantics: str, cost: str) -> ReachTask:
    """The topic behind shall draw level by moves of the other arguments."""
    problem, size = make_problem(q, semantics), len(q) - 2
    strengths = problem.strengths()[0]
    goal = np.zeros((1, len(q)))
    goal[0, -2:] = (-1.0, 1.0) if strengths[-2] > strengths[-1] else (1.0, -1.0)
    zeros, ones = np.zeros(size), np.ones(size)
    return ReachTask(
        problem, np.arange(size), np.array([], np.intp), q.base_array[:size], zeros, ones, ones, cost, goal, np.zeros(1)
    )


def measure_passes() -> Figure:
    """Compare a pass with intervals over many boxes with one pass with numbers over as many lanes."""
    q = make_graph(30, 0)
    problem, rng = make_problem(q, "qe"), np.random.default_rng(0)
    ends = np.sort(rng.random((2, 2_000, len(q))), axis=0)
    plain = best(lambda: problem.solve(base_scores=ends[0]), 5)
    bounded = best(lambda: IntervalPass(problem, Boxes(*ends)), 5)
    ratio = bounded / plain
    return f"bounds of 2,000 boxes take {ratio:.1f} times as long as 2,000 lanes (target < 8)", ratio < 8


def measure_proofs(variables: int, target: float) -> Iterator[Figure]:
    """Search and prove to 1e-3 on random graphs, for every cost: the share that is proved within the target."""
    for cost in COSTS:
        times, proved = [], 0
        for seed in range(GRAPHS):
            task = make_task(make_graph(variables, seed), ("qe", "df-quad")[seed % 2], cost)
            trials = PointTrials(task, Clock())
            PointSearch(trials).search()
            began = perf_counter()
            proved += prove(task, trials.best, tolerance=1e-3, time_limit=target).proved
            times.append(perf_counter() - began)
        line = f"proof to 1e-3, {variables} variables, {cost}: {proved} of {GRAPHS} within {target:g} s"
        yield f"{line}, median {np.median(times):.2f} s (target 9)", proved >= 9


def measure_radii() -> Iterator[Figure]:
    """How close certified and found radius are."""
    for size in (6, 20, 50):
        began, exact = perf_counter(), 0
        for seed in range(GRAPHS):
            exact += robustness(make_graph(size, seed), size, size + 1, time_limit=5.0).exact
        seconds = (perf_counter() - began) / GRAPHS
        yield (
            f"robustness, {size + 2} arguments: {exact} of {GRAPHS} exact, {seconds:.2f} s each (target < 5 s)",
            seconds < 5,
        )
