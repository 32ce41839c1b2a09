"""Ask every public function about graphs of every kind, for laws that hold of every result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import qontrast as qx
from qontrast import axioms, networks, studies
from qontrast.results.base import Result

TOPICS = ("p", "q", "r")
NAMES = (*TOPICS, *(f"x{k}" for k in range(7)))
BARE = r"[pqr]|x\d+"  # matches the name of an argument
LABELS = {"q": "Refer it to somebody", "x0": "Income is 3.4 times the rate", "x1": "The file leaves 12 questions open",
          "x2": "58 % said yes", "x3": "Nobody knows why"}  # fmt: skip
UNCERTAIN = {"x0": (0.1, 0.9), "x2": qx.Normal(0.6, 0.1), "x3": [0.2, 0.4, 0.9], "p": qx.Beta(4, 3)}
GROUPS = {"evidence": ["x0", "x1"], "doubts": ["x2", "x4"]}
KINDS = {
    "plain": "acyclic; topics act on each other, weights other than 1, base scores of 0 and 1",
    "cyclic": "with cycles",
    "tied": "p and q have the same strength, for mirrored reasons",
    "kinked": "attacks and supports of p are in balance, so that no slope exists",
    "apart": "nobody acts on p and q",
    "undefined": "two certain arguments attack each other: under some semantics nothing has a strength",
}


@cache
def make_graph(kind: str, seed: int = 0) -> qx.Qbaf:
    """Make a graph of one of KINDS; some of its arguments have labels, and numbers stand in them."""
    rng = np.random.default_rng(seed)
    base = np.where(rng.random(len(NAMES)) < 0.2, rng.integers(0, 2, len(NAMES)), rng.uniform(0.05, 0.95, len(NAMES)))
    scores = dict(zip(NAMES, base.tolist(), strict=True))
    weights = {}  # signed
    for i, target in enumerate(NAMES):
        for source in NAMES if kind == "cyclic" else NAMES[i + 1 :]:
            if source != target and rng.random() < (0.22 if kind == "cyclic" else 0.35):
                weights[source, target] = float(rng.choice([-1, 1]) * rng.choice([1.0, 0.5, rng.uniform(0.1, 0.9)]))
    if kind == "tied":
        scores |= {"p": 0.5, "q": 0.5, "x1": scores["x0"]}
        weights = {("x0", "p"): 0.75, ("x1", "q"): 0.75, ("x2", "p"): -0.5, ("x2", "q"): -0.5, ("x3", "r"): 1.0}
    if kind == "kinked":
        scores |= {"p": 0.8, "x0": 0.5, "x1": 0.5}
        weights = {("x0", "p"): -1.0, ("x1", "p"): 1.0, ("x2", "q"): 0.5, ("x3", "r"): -1.0}
    if kind == "apart":
        weights = {pair: weight for pair, weight in weights.items() if pair[1] not in ("p", "q")}
    if kind == "undefined":
        scores |= {"x5": 1.0, "x6": 1.0}
        weights |= {("x5", "x6"): -1.0, ("x6", "x5"): -1.0, ("x5", "p"): 1.0, ("x6", "q"): -0.5}
    attacks = {pair: -weight for pair, weight in weights.items() if weight < 0}
    supports = {pair: weight for pair, weight in weights.items() if weight > 0}
    about: dict[str, Any] = {"labels": LABELS, "topics": TOPICS, "uncertain": UNCERTAIN, "groups": GROUPS}
    return qx.Qbaf(scores, attacks, supports, semantics="df-quad" if kind == "kinked" else "qe", **about)


def make_results(kind: str, seed: int = 0, every: int = 1) -> Iterator[Result]:
    """Make a result of every function that takes a graph, with several settings; refusals are left out.

    Of the questions, `every` n-th one is asked: another share of them for each kind of graph.
    """
    questions = _list_questions(make_graph(kind, seed), make_graph(kind, seed + 1), seed)
    for ask in questions[list(KINDS).index(kind) % every :: every]:
        try:
            found = ask()
        except qx.QontrastError:  # undefined strengths, for example
            continue
        yield from found if isinstance(found, list | tuple) and not isinstance(found, Result) else [found]


def _list_questions(q: qx.Qbaf, other: qx.Qbaf, seed: int) -> list[Callable[[], Any]]:
    strengths = qx.strengths(q, semantics="qe")
    strong, weak = sorted(("p", "q"), key=lambda name: -strengths[name])
    moved = q.with_base_scores({"x0": 0.35, "x2": 0.9})
    few: dict[str, Any] = {"budget": 40, "seed": seed}
    return [
        lambda: qx.strengths(q),
        lambda: qx.strengths(q, solver="continuous"),
        *(lambda method=method: qx.attribute(q, "p", method=method) for method in ("shapley", "removal", "gradient")),
        lambda: qx.attribute(q, "p", method="sampled", **few),
        lambda: qx.attribute(q, "p", players="edges", method="removal"),
        *(lambda how=how: qx.contrast(q, "p", "q", method=how) for how in ("shapley", "removal", "gradient")),
        lambda: qx.contrast(q, "p", "q", method="intrinsic"),
        lambda: qx.contrast(q, "q", "p", method="sampled", **few),
        lambda: qx.contrast(q, "p", "p"),
        lambda: qx.contrast(q, "p", "q", combine=max),
        *(lambda how=how: qx.contrast(q, "p", "q", players="edges", method=how) for how in ("owen", "gradient")),
        lambda: qx.contrast(q, "p", "q", players="direct"),
        *(lambda how=how: qx.contrast(q, "q", "p", players="groups", method=how) for how in ("shapley", "removal")),
        lambda: qx.contributions(q, ["p", "q"]),
        lambda: qx.contributions(q, ["p"], method="sampled", **few),
        lambda: qx.all_pairs(q),
        lambda: qx.all_pairs(q, players="edges", method="removal"),
        lambda: qx.chained_pairs(lambda a, b: qx.contrast(q, a, b), q.topics),
        lambda: qx.rank(q, method="removal"),
        *(lambda start=start: qx.paths(q, start, "p", limit=3) for start in ("x0", "x6", "q")),
        lambda: qx.whatif(q, "p", "q", base_scores={"x0": 0.1}, remove=["x2"]),
        lambda: qx.whatif(q, base_scores={"x0": 0.1}),
        lambda: qx.change(q, moved, "p", "q"),
        lambda: qx.change(q, other, "p", "q", units="arguments"),
        lambda: qx.change(q, other, "p", budget=300, seed=seed),
        lambda: qx.change(q, q.without("x4"), "q", "p"),
        lambda: qx.change(q, q, "p", "q"),
        lambda: qx.history([q, moved, q.without("x2")], "p", "q", names=["May", "June", "July"]),
        lambda: qx.interactions(q, "p", "q"),
        lambda: qx.interactions(q, "p", index="stii", players="edges"),
        lambda: qx.interactions(q, "q", "p", players="groups", index="k-sii"),
        *(lambda pair=pair: qx.uncertainty(q, *pair, samples=500, seed=seed) for pair in (("p", "q"), ("q", "r"))),
        lambda: qx.uncertainty(q, "p", "q", quick=True),
        *(lambda pair=pair: qx.compare_semantics(q, *pair, max_steps=500) for pair in (("p", "q"), ("q", "p"))),
        lambda: qx.compare_semantics(q, "p", "r", players="edges", method="gradient", max_steps=500),
        lambda: qx.reasons(q, "p", "q"),
        lambda: qx.reasons(q, "q", "r", players="groups"),
        lambda: qx.reasons(q, "p", "q", players="edges", time_limit=0.2, max_sets=3),
        lambda: qx.flip(q, strong, weak),
        lambda: qx.flip(q, weak, strong),
        lambda: qx.flip(q, strong, weak, fixed=["x0", "x1", "x2"], norm="l2"),
        lambda: qx.flip(q, strong, weak, fixed=list(q)),
        lambda: qx.reach(q, f"{weak} >= {strong}"),
        lambda: qx.reach(q, ["r", "q", "p"], change="both", cost="linf", prove=False),
        lambda: qx.reach(q, "p >= 0.9", cost="fewest", fixed=["p", "x0"], margin=0.01),
        lambda: qx.reach(q, "p == 0.4", change="weights"),
        *(lambda norm=norm: qx.robustness(q, "p", "q", norm=norm, max_boxes=20) for norm in ("linf", "l1", "l2")),
        lambda: qx.robustness(q, "q", "r", change="both", max_boxes=20),
        lambda: qx.robustness(q, "p", "q", movers=["x0", "x2"], max_boxes=20),
        lambda: list(qx.explain_many({"one": q, "other": other}, pairs="all")),
        lambda: next(qx.explain_many([q.restrict(["p", "q", "x0", "x2"])], robustness=True)),
        lambda: next(qx.explain_many([q], "nobody")),
        lambda: qx.check(q),
        lambda: qx.check(q, semantics="df-quad", max_steps=200),
        lambda: qx.trajectory(q, points=3),
        lambda: _check_properties(q.restrict(["p", "q", "x0", "x1"]), "gradient"),
        lambda: _check_properties(q.restrict(["p", "q", "x2", "x3"]), "removal"),
    ]  # fmt: skip


def _check_properties(q: qx.Qbaf, method: str) -> list[Result]:
    return [each for each in axioms.verdicts(q, method).values() if each is not None]


def make_other_results() -> Iterator[Result]:
    """Make a result of every function that takes no graph: searches for violations, networks, studies."""
    yield axioms.axiom_table(["gradient", "shapley"], ["efficiency", "neutrality"], semantics="df-quad", graphs=40)
    yield axioms.find_counterexample("efficiency", "gradient", semantics="df-quad", graphs=40)
    yield axioms.find_counterexample("efficiency", "shapley", semantics="df-quad", graphs=20)
    weights = [[[-8.0, 8.0, 0.0], [0.0, 0.0, 12.0]]]
    names = {"inputs": ["race", "age"], "classes": ["Low", "Medium", "High"]}
    rows = np.column_stack([np.repeat([0.0, 1.0], 10), np.tile(np.linspace(0.0, 0.45, 10), 2)])
    truth = ["Low"] * 10 + ["Medium"] * 10
    for readout in ("logistic", "softmax"):
        network = networks.from_arrays(weights, [[4.0, -4.0, -8.0]], readout=readout, **names)
        for method in ("shapley", "removal", "gradient"):
            yield network.contrast(rows[12], "Medium", "Low", method=method)
        again: dict[str, Any] = {"trainer": lambda x, y, seed, network=network: network, "seeds": 2}
        yield qx.audit(network, rows, "Medium", "Low", protected="race", y=truth, **again)
        yield qx.audit(network, rows, "High", "Low", protected="age", methods=["removal"])
        yield qx.audit(network, rows, "Medium", "Low", protected="race", value=1.0, instances=[11, 12, 13])
    for name in ("zebra", "healthcare"):
        yield studies.STUDIES[name].run(None)
