"""How other libraries do the jobs. Each is only called, as its documents say, and imported where it is used.

Libraries of argumentation start from the same lists as qontrast and use their own strengths. Libraries that explain any
function (shapiq, shap, captum) get qontrast's strengths of many coalitions at once as their function, so that only what
they do themselves is compared.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import inputs, plain
from .inputs import Lists
from .jobs import BATCH_OF, LANES_OF, PAIRS_AMONG, Job, Work, make_rows, some, subtract_all

Solve = Callable[[Lists, str], dict[str, float]]  # a graph and a semantics → strengths
SLOPE_STEP = 1e-6  # of finite differences


# -- libraries that have strengths --------------------------------------------------------------------------------


def solve_by_formal_argumentation(lists: Lists, semantics: str, cyclic: bool = False) -> dict[str, float]:
    from argumentation.gradual.dfquad import dfquad_strengths
    from argumentation.gradual.gradual import WeightedBipolarGraph, quadratic_energy_strengths_discrete

    graph = WeightedBipolarGraph(
        frozenset(lists.scores), lists.scores, frozenset(lists.attacks), frozenset(lists.supports)
    )
    solve = dfquad_strengths if semantics == "df-quad" else quadratic_energy_strengths_discrete
    return solve(graph, tolerance=1e-12).strengths


def solve_by_uncertainpy(lists: Lists, semantics: str, cyclic: bool = False) -> dict[str, float]:
    import uncertainpy.gradual as grad
    from uncertainpy.gradual.semantics import modular

    bag = grad.BAG()
    arguments = {name: grad.Argument(name, score) for name, score in lists.scores.items()}
    bag.arguments = dict(arguments)
    for source, target in lists.attacks:
        bag.add_attack(arguments[source], arguments[target])
    for source, target in lists.supports:
        bag.add_support(arguments[source], arguments[target])
    if cyclic:
        model = grad.semantics.ContinuousDFQuADModel()
        model.approximator = grad.algorithms.RK4(model)
        model.BAG = bag
        model.solve(delta=0.5, epsilon=1e-9, verbose=False)
    else:
        parts = {
            "df-quad": (modular.ProductAggregation, modular.LinearInfluence),
            "qe": (modular.SumAggregation, modular.QuadraticMaximumInfluence),
        }[semantics]
        grad.algorithms.computeStrengthValues(bag, parts[0](), parts[1](1))
    return {name: each.strength for name, each in arguments.items()}


QBAF_PY_NAMES = {"df-quad": "DFQuAD_model", "qe": "QuadraticEnergy_model"}


def make_qbaf_py(lists: Lists, semantics: str, cyclic: bool = False) -> Any:
    from qbaf import QBAFramework

    names, scores = list(lists.scores), list(lists.scores.values())
    name = QBAF_PY_NAMES[semantics]
    return QBAFramework(names, scores, lists.attacks, lists.supports, semantics=name, allow_cycles=cyclic)


def solve_by_qbaf_py(lists: Lists, semantics: str, cyclic: bool = False) -> dict[str, float]:
    return make_qbaf_py(lists, semantics, cyclic).final_strengths


def jobs_of_a_solver(solve: Callable[..., dict[str, float]]) -> dict[str, Job]:
    """Make the jobs that need no more than strengths: removal and Shapley by definition, slopes by differences."""

    def strengths(size: int) -> Work:
        lists = inputs.acyclic(size)
        return lambda: some(solve(lists, "df-quad"), lists.others)

    def cyclic(size: int) -> Work:
        lists = inputs.cyclic(size)
        return lambda: some(solve(lists, "df-quad", cyclic=True), lists.others)

    def gradient(size: int) -> Work:
        lists = inputs.acyclic(size)
        return lambda: some(differences(lists, [lists.topic])[lists.topic], lists.near)

    def differences(lists: Lists, topics: list[str]) -> dict[str, dict[str, float]]:
        whole = solve(lists, "qe")
        found: dict[str, dict[str, float]] = {topic: {} for topic in topics}
        for x, score in lists.scores.items():
            step = -SLOPE_STEP if score > 0.5 else SLOPE_STEP
            moved = solve(lists.with_score(x, score + step), "qe")
            for topic in topics:
                found[topic][x] = (moved[topic] - whole[topic]) / step
        return found

    def removal(size: int) -> Work:
        lists = inputs.acyclic(size)

        def run() -> list[float]:
            whole, everyone = solve(lists, "qe")[lists.topic], set(lists.scores)
            gone = {x: whole - solve(lists.keep(everyone - {x}), "qe")[lists.topic] for x in lists.others}
            return some(gone, lists.near)

        return run

    def shapley(size: int) -> Work:
        lists = inputs.with_players(size)
        return lambda: some(enumerate_by_solver(lists, lists.topic), lists.others)

    def enumerate_by_solver(lists: Lists, topic: str) -> dict[str, float]:
        return plain.enumerate_coalitions(lists, topic, lambda kept: solve(lists.keep(kept), "qe")[topic])

    def pairs(size: int) -> Work:
        lists = inputs.acyclic(PAIRS_AMONG)
        topics = list(lists.scores)[-size:]

        def run() -> list[float]:
            found = subtract_all(differences(lists, topics))
            return some(found[topics[-1], topics[-2]], [x for x in lists.near if x not in topics])

        return run

    def lanes(size: int) -> Work:
        lists, rows = inputs.acyclic(LANES_OF), make_rows(size).tolist()

        def run() -> list[float]:
            graphs = (Lists(dict(zip(lists.scores, row, strict=True)), lists.attacks, lists.supports) for row in rows)
            return [solve(each, "qe")[lists.topic] for each in graphs][-5:]

        return run

    def batch(size: int) -> Work:
        graphs = [inputs.with_players(BATCH_OF - 1, seed) for seed in range(size)]
        fact, foil = graphs[0].topic, graphs[0].others[-1]

        def run() -> list[float]:
            for each in graphs:
                one, other = enumerate_by_solver(each, fact), enumerate_by_solver(each, foil)
            return [one[x] - other[x] for x in graphs[0].others[:-1]][-5:]

        return run

    made = (strengths, cyclic, gradient, removal, shapley, pairs, lanes, batch)
    return {each.__name__: each for each in made}


def jobs_of_qbaf_py() -> dict[str, Job]:
    """Its own functions where it has them."""

    def contributions(kind: str, lists: Lists, topic: str) -> dict[str, float]:
        from qbaf_ctrbs.gradient import determine_gradient_ctrb
        from qbaf_ctrbs.removal import determine_removal_ctrb
        from qbaf_ctrbs.shapley import determine_shapley_ctrb

        ask = {
            "gradient": determine_gradient_ctrb,
            "removal": determine_removal_ctrb,
            "shapley": determine_shapley_ctrb,
        }[kind]
        graph = make_qbaf_py(lists, "qe")
        return {x: ask(topic, {x}, graph) for x in lists.scores if x != topic}

    def job(kind: str, make: Callable[[int], Lists]) -> Job:
        def prepare(size: int) -> Work:
            lists = make(size)
            names = lists.others if kind == "shapley" else lists.near
            return lambda: some(contributions(kind, lists, lists.topic), names)

        return prepare

    def pairs(size: int) -> Work:
        lists = inputs.acyclic(PAIRS_AMONG)
        topics = list(lists.scores)[-size:]
        asked = [x for x in lists.near if x not in topics]

        def run() -> list[float]:
            rows = {topic: contributions("gradient", lists, topic) for topic in topics}
            return some({x: rows[topics[-1]][x] - rows[topics[-2]][x] for x in asked}, asked)

        return run

    own = {
        "gradient": job("gradient", inputs.acyclic),
        "removal": job("removal", inputs.acyclic),
        "shapley": job("shapley", inputs.with_players),
        "pairs": pairs,
    }
    return jobs_of_a_solver(solve_by_qbaf_py) | own


# -- libraries that explain any function --------------------------------------------------------------------------


def as_function(lists: Lists) -> tuple[Callable[[np.ndarray], np.ndarray], int]:
    """Return qontrast's strength of the topic as a function of rows of zeros and ones, and the number of players."""
    game = lists.game()
    return lambda rows: game.values(np.asarray(rows) > 0.5), len(game.players)


def shapley_by_shapiq(size: int) -> Work:
    from shapiq import ExactComputer

    lists = inputs.with_players(size)

    def run() -> list[float]:
        function, n = as_function(lists)
        found = ExactComputer(game=function, n_players=n)("SV")
        return [float(found[(k,)]) for k in range(n)][-5:]

    return run


def shapley_by_shap(size: int) -> Work:
    from shap import maskers
    from shap.explainers import ExactExplainer

    lists = inputs.with_players(size)

    def run() -> list[float]:
        function, n = as_function(lists)
        explainer = ExactExplainer(function, maskers.Independent(np.zeros((1, n))))
        return explainer(np.ones((1, n)), max_evals=1 << n, silent=True).values[0][-5:].tolist()

    return run


def as_tensors(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Any]:
    import torch

    return lambda rows: torch.from_numpy(function(rows.numpy()))


def shapley_by_captum(size: int) -> Work:
    import torch
    from captum.attr import ShapleyValues

    lists = inputs.with_players(size)

    def run() -> list[float]:
        function, n = as_function(lists)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ShapleyValues(as_tensors(function)).attribute(
                torch.ones(1, n, dtype=torch.float64), perturbations_per_eval=n
            )
        return found[0, -5:].tolist()

    return run


def removal_by_captum(size: int) -> Work:
    import torch
    from captum.attr import FeatureAblation

    lists = inputs.acyclic(size)

    def run() -> list[float]:
        game = lists.game()  # of the ancestors of the topic only; the others change nothing
        found = np.zeros(len(lists.scores))
        ones = torch.ones(1, len(game.players), dtype=torch.float64)
        ask = FeatureAblation(as_tensors(lambda rows: game.values(rows > 0.5)))
        found[game.players] = ask.attribute(ones, perturbations_per_eval=256)[0].numpy()
        return some(dict(zip(lists.scores, found, strict=True)), lists.near)

    return run


def audit_by_captum(size: int) -> Work:
    import torch
    from captum.attr import Saliency

    given = inputs.audited(size)

    def run() -> list[float]:
        layers: list[Any] = []
        for w, b in zip(given.weights, given.biases, strict=True):
            layer = torch.nn.Linear(*w.shape, dtype=torch.float64)
            layer.weight.data, layer.bias.data = torch.from_numpy(w.T.copy()), torch.from_numpy(b)
            layers += [layer, torch.nn.Sigmoid()]
        model = torch.nn.Sequential(*layers)
        x = torch.from_numpy(given.x)
        other = x.clone()
        other[:, 0] = 1 - other[:, 0]
        with torch.no_grad():
            flips = (model(x).argmax(1) == 0) & (model(other).argmax(1) == 1)
        ask = Saliency(lambda rows: model(rows)[:, 0] - model(rows)[:, 1])
        slopes = ask.attribute(x[flips].requires_grad_(), abs=True).numpy()
        ranks = 1 + (slopes[:, None, :] > slopes[:, :, None]).sum(axis=2)
        return [float(len(slopes)), *slopes.mean(axis=0).tolist(), *ranks.mean(axis=0).tolist()]

    return run
