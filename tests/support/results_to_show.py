"""Results of every class whose numbers all differ, so that a number in another row, column or version is noticed.

Gaps, contributions and changes have both signs; some strengths are tied, some slopes and strengths are undefined.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import qontrast as qx
from qontrast import axioms, networks
from qontrast.questions import Question
from qontrast.results.base import Result

LABELS = {"p": "Plan A", "q": "Plan B", "a": "Experts agree", "c": "It is cheap", "d": "Few were asked"}
GRAPH = qx.Qbaf(
    {"p": 0.62, "q": 0.55, "r": 0.41, "a": 0.83, "b": 0.37, "c": 0.74, "d": 0.18, "e": 0.29},
    attacks={("a", "q"): 0.9, ("b", "p"): 0.7, ("c", "r"): 0.6, ("d", "b"): 0.8},
    supports={("a", "p"): 0.45, ("c", "q"): 0.35, ("d", "r"): 0.95, ("e", "c"): 0.65, ("q", "p"): 0.25},
    labels=LABELS,
    topics=["p", "q", "r"],
    groups={"money": ["c", "e"], "people": ["a", "d"]},
    uncertain={"a": (0.2, 0.95), "b": qx.Normal(0.4, 0.2), "c": qx.Beta(3, 1.5), "p": [0.3, 0.55, 0.8]},
    semantics="qe",
)
LATER = qx.Qbaf(
    {"p": 0.62, "q": 0.58, "r": 0.41, "a": 0.31, "b": 0.37, "c": 0.91, "e": 0.29, "n": 0.44},
    attacks={("a", "q"): 0.9, ("b", "p"): 0.2, ("c", "r"): 0.6, ("n", "p"): 0.85},
    supports={("a", "p"): 0.45, ("c", "q"): 0.35, ("e", "c"): 0.65, ("q", "p"): 0.25},
    labels={"p": "Plan A", "q": "Plan B", "a": "Experts agree", "c": "It is cheap", "n": "News came in"},
    topics=["p", "q", "r"],
    semantics="qe",
)
LAST = LATER.with_base_scores({"a": 0.66, "c": 0.15, "b": 0.93})
VERSIONS = [GRAPH, LATER, LAST]
NAMES = ["May", "June", "July"]
TIED = qx.Qbaf(
    {"p": 0.5, "q": 0.5, "r": 0.3, "a": 0.7, "b": 0.7, "c": 0.2},
    supports={("a", "p"): 0.6, ("b", "q"): 0.6, ("c", "r"): 0.9},
    topics=["r", "q", "p"],
    semantics="qe",
)
KINKED = qx.Qbaf(
    {"a": 0.5, "b": 0.5, "c": 0.3, "t": 0.35, "u": 0.45},
    attacks={("a", "t"): 1.0, ("c", "u"): 0.4},
    supports={("b", "t"): 1.0},
    topics=["t", "u"],
    semantics="df-quad",
)
UNDEFINED = qx.Qbaf(  # without strengths under df-quad
    {"a": 1.0, "b": 1.0, "c": 0.4, "t": 0.5, "u": 0.3},
    attacks=[("a", "b"), ("b", "a"), ("a", "t")],
    supports={("c", "t"): 0.5, ("b", "u"): 1.0, ("c", "u"): 0.7},
    topics=["t", "u"],
    semantics="qe",
)
MANY = tuple(
    qx.Qbaf(
        {"p": 0.5, "q": 0.52} | {f"x{k}": round(score + 0.03 * k * sign, 3) for k in range(21)},
        supports={(f"x{k}", "p" if k % 3 else "q"): 0.1 + 0.04 * k for k in range(21)},
        semantics="qe",
    )
    for score, sign in ((0.1, 1), (0.85, -1))
)
NETWORK = networks.from_arrays(
    [[[-8.0, 8.0, 0.5], [0.7, -0.4, 12.0], [1.5, 2.5, -1.0]]],
    [[4.0, -4.0, -8.0]],
    inputs=["race", "age", "priors"],
    classes=["Low", "Medium", "High"],
)
ROWS = np.column_stack([np.repeat([0.0, 1.0], 10), np.tile(np.linspace(0.0, 0.45, 10), 2), np.linspace(0.9, 0.1, 20)])
FEW: Any = {"method": "sampled", "budget": 40}
EDGES: Any = {"players": "edges", "method": "removal"}

RESULTS: dict[str, list[Callable[[], Any]]] = {
    "Strengths": [lambda: qx.strengths(GRAPH), lambda: qx.strengths(UNDEFINED, solver="continuous")],
    "Attribution": [
        lambda: qx.attribute(GRAPH, "p"),
        lambda: qx.attribute(GRAPH, "q", **FEW, seed=3, semantics="ebt"),
        lambda: qx.attribute(KINKED, "t", method="gradient"),
        lambda: qx.attribute(GRAPH, "p", **EDGES),
    ],
    "Phi": [
        lambda: qx.contributions(GRAPH, ["q", "p"]),
        lambda: qx.contributions(GRAPH, ["p", "r"], **FEW),
        lambda: qx.contributions(GRAPH, ["p", "q"], **EDGES),
    ],
    "Contrast": [
        lambda: qx.contrast(GRAPH, "p", "q"),
        lambda: qx.contrast(GRAPH, "q", "r", **FEW, semantics="ebt"),
        lambda: qx.contrast(KINKED, "u", "t", method="gradient"),
        lambda: qx.contrast(GRAPH, "p", "q", players="edges", method="owen", semantics="ebt"),
        lambda: qx.contrast(GRAPH, "q", "p", players="groups"),
        lambda: qx.contrast(GRAPH, "p", "r", combine=max),
    ],
    "Pairs": [
        lambda: qx.all_pairs(GRAPH),
        lambda: qx.all_pairs(TIED, method="removal", semantics="ebt"),
        lambda: qx.all_pairs(GRAPH, ["r", "p"], **EDGES),
    ],
    "Chained": [lambda: qx.chained_pairs(lambda a, b: qx.contrast(GRAPH, a, b), ["r", "p", "q"])],
    "Ranking": [lambda: qx.rank(GRAPH), lambda: qx.rank(TIED, method="removal")],
    "Trajectory": [lambda: qx.trajectory(GRAPH, points=4), lambda: qx.trajectory(UNDEFINED, points=3, until=2.0)],
    "WhatIf": [
        lambda: qx.whatif(GRAPH, "p", "q", base_scores={"a": 0.1, "e": 0.8}, remove=["b"]),
        lambda: qx.whatif(GRAPH, base_scores={"c": 0.1}),
    ],
    "Interactions": [
        lambda: qx.interactions(GRAPH, "p", "q"),
        lambda: qx.interactions(GRAPH, "r", index="stii", semantics="ebt"),
        lambda: qx.interactions(GRAPH, "q", "p", players="edges"),
    ],
    "Uncertainty": [
        lambda: qx.uncertainty(GRAPH, "p", "q", samples=500),
        lambda: qx.uncertainty(GRAPH, "q", "p", quick=True),
        lambda: qx.uncertainty(TIED, "p", "q", scores={"a": [0.7, 0.75, 0.6], "b": [0.7, 0.65, 0.8]}, samples=500),
    ],
    "SemanticsComparison": [
        lambda: qx.compare_semantics(GRAPH, "q", "p"),
        lambda: qx.compare_semantics(UNDEFINED, "t", "u", method="removal", max_steps=300),
        lambda: qx.compare_semantics(GRAPH, "p", "q", **EDGES, semantics=["ebt", "qe"]),
    ],
    "Reasons": [
        lambda: qx.reasons(GRAPH, "q", "r", semantics="df-quad"),
        lambda: qx.reasons(GRAPH, "p", "q", players="groups"),
        lambda: qx.reasons(GRAPH, "r", "q", players="edges", semantics="df-quad"),
    ],
    "Change": [
        lambda: qx.change(GRAPH, LATER, "p", "q"),
        lambda: qx.change(LATER, GRAPH, "p", units="arguments"),
        lambda: qx.change(*MANY, "p", "q", budget=1000),
        lambda: qx.change(UNDEFINED, UNDEFINED.without("a"), "t", "u", semantics="qe"),
    ],
    "History": [
        lambda: qx.history(VERSIONS, "p", "q", names=NAMES),
        lambda: qx.history([LAST, GRAPH], "p", units="arguments"),
        lambda: qx.history([*MANY, MANY[0]], "p", "q", budget=1000, seed=4),
    ],
    "Flip": [
        lambda: qx.flip(GRAPH, "q", "r"),
        lambda: qx.flip(GRAPH, "p", "q", fixed=["a", "b", "c"], norm="l2"),
        lambda: qx.flip(GRAPH, "p", "q", fixed=list(GRAPH)),
    ],
    "Reach": [
        lambda: qx.reach(GRAPH, "q >= p", change="both", prove=False),
        lambda: qx.reach(GRAPH, ["r", "q"], cost="l2", prove=False),
        lambda: qx.reach(GRAPH, "p >= 0.66", cost="l2", change="weights", prove=False),
        lambda: qx.reach(GRAPH, "e >= 0.9", fixed=["e"]),
    ],
    "Robustness": [
        lambda: qx.robustness(GRAPH, "p", "q", max_boxes=20),
        lambda: qx.robustness(GRAPH, "q", "r", change="both", norm="l1", max_boxes=20),
        lambda: qx.robustness(GRAPH, "q", "r", movers=["a", "e", ("c", "q"), ("a", "q")], norm="l2", max_boxes=20),
        lambda: qx.robustness(GRAPH, "p", "q", movers=["e", ("d", "r")], max_boxes=20),
    ],
    "Explained": [
        lambda: next(qx.explain_many({"one": GRAPH.restrict(["p", "q", "a", "b"])}, robustness=True, reasons=2)),
        lambda: next(qx.explain_many([GRAPH], "q", "p", **EDGES, reasons=9)),
        lambda: next(qx.explain_many([GRAPH], "nobody")),
        lambda: dataclasses.replace(next(qx.explain_many([TIED])), notes=("a key is not understood", "another")),
    ],
    "Paths": [
        lambda: qx.paths(GRAPH, "a", "p"),
        lambda: qx.paths(GRAPH, "d", "p"),
        lambda: qx.paths(UNDEFINED, "a", "t"),
    ],
    "Check": [
        lambda: qx.check(GRAPH),
        lambda: Question(graph=LATER).check(),
        lambda: qx.check(UNDEFINED, semantics="df-quad", max_steps=50),
    ],
    "Witness": [lambda: axioms.find_counterexample("efficiency", "gradient", semantics="df-quad", graphs=40)],
    "NotApplicable": [lambda: axioms.verdicts(KINKED.restrict(["t", "u"]), "removal")["monotonicity"]],
    "Tried": [lambda: axioms.find_counterexample("efficiency", "shapley", semantics="df-quad", graphs=20)],
    "AxiomTable": [
        lambda: axioms.axiom_table(
            ["gradient", "shapley"], ["efficiency", "neutrality"], semantics="df-quad", graphs=40
        )
    ],
    "NetworkContrast": [
        lambda: NETWORK.contrast(ROWS[12], "Medium", "Low"),
        lambda: NETWORK.contrast(ROWS[3], "High", "Low", method="removal", players="all"),
    ],
    "Audit": [
        lambda: qx.audit(NETWORK, ROWS, "Medium", "Low", protected="race"),
        lambda: qx.audit(NETWORK, ROWS, "High", "Low", protected="age", methods=["removal"], instances=[3, 4, 17]),
    ],
}


@cache
def make_result(name: str, case: int = 0) -> Result:
    """Make one of RESULTS, once."""
    found: Result = RESULTS[name][case]()
    return found


def make_results(name: str) -> list[Result]:
    """Make all results of a class."""
    return [make_result(name, case) for case in range(len(RESULTS[name]))]
