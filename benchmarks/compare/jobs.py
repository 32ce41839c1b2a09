"""What qontrast, the plain loop and the limit do in each case.

A job takes a size and returns the work to measure, which starts from lists of names and returns some of its numbers, so
that they can be compared. The limit is what the hardware needs for the numbers alone, in one call of NumPy or SciPy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import expit

import qontrast as qx

from ..engine import Edges
from . import inputs, plain
from .run import Skip

Work = Callable[[], list[float]]
Job = Callable[[int], Work]
COMPARED = 5  # numbers of each answer
PAIRS_AMONG = 1000  # arguments of the graph whose topics are compared
LANES_OF = 1000  # arguments of the graph that is solved many times
BATCH_OF = 15  # arguments of each graph of a batch


def some(found: Mapping[str, float], names: list[str]) -> list[float]:
    """Return the numbers of the last few names."""
    return [float(found[name]) for name in names[-COMPARED:]]


# -- qontrast -----------------------------------------------------------------------------------------------------


def strengths(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(qx.strengths(lists.qbaf(), semantics="df-quad"), lists.others)


def cyclic(size: int) -> Work:
    lists = inputs.cyclic(size)
    return lambda: some(qx.strengths(lists.qbaf(), semantics="df-quad"), lists.others)


def gradient(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(qx.attribute(lists.qbaf(), lists.topic, method="gradient", semantics="qe"), lists.near)


def removal(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(qx.attribute(lists.qbaf(), lists.topic, method="removal", semantics="qe"), lists.near)


def shapley(size: int) -> Work:
    lists = inputs.with_players(size)
    return lambda: some(qx.attribute(lists.qbaf(), lists.topic, method="shapley", semantics="qe"), lists.others)


def pairs(size: int) -> Work:
    lists = inputs.acyclic(PAIRS_AMONG)
    topics = list(lists.scores)[-size:]

    def run() -> list[float]:
        made = qx.all_pairs(lists.qbaf(), topics, method="gradient", semantics="qe")
        return some(made[topics[-1], topics[-2]], [x for x in lists.near if x not in topics])

    return run


def lanes(size: int) -> Work:
    lists, rows = inputs.acyclic(LANES_OF), make_rows(size)
    return lambda: qx.solve_lanes(lists.qbaf(), base_scores=rows, semantics="qe")[-COMPARED:, -1].tolist()


def make_rows(size: int) -> np.ndarray:
    """Draw base scores for many lanes."""
    return np.random.default_rng(1).random((size, LANES_OF))


def batch(size: int) -> Work:
    explain_many = getattr(qx, "explain_many", None)
    if explain_many is None:
        raise Skip("this version has no explain_many")
    graphs = [inputs.with_players(BATCH_OF - 1, seed) for seed in range(size)]
    fact, foil = graphs[0].topic, graphs[0].others[-1]

    def run() -> list[float]:
        made = (each.qbaf() for each in graphs)
        for found in explain_many(made, fact, foil, method="shapley", semantics="qe", reasons=BATCH_OF):
            reasons = found.reasons
        return some(defaultdict(float, reasons), graphs[0].others[:-1])

    return run


def audit(size: int) -> Work:
    given = inputs.audited(size)

    def run() -> list[float]:
        network = given.network()
        fact, foil = network.classes[:2]
        found = qx.audit(network, given.x, fact, foil, protected=network.inputs[0], methods=["gradient"], limit=1)
        rows = [found.table["gradient"][name] for name in network.inputs]
        ranks = (each.contrastive_rank.mean for each in rows)
        return [float(found.flips), *(each.contrastive.mean for each in rows), *ranks]

    return run


# -- the plain loop -----------------------------------------------------------------------------------------------


def plain_strengths(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(plain.strengths(lists), lists.others)


def plain_cyclic(size: int) -> Work:
    lists = inputs.cyclic(size)
    return lambda: some(plain.cyclic_strengths(lists), lists.others)


def plain_gradient(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(plain.gradients(lists, [lists.topic])[0], lists.near)


def plain_removal(size: int) -> Work:
    lists = inputs.acyclic(size)
    return lambda: some(plain.removals(lists), lists.near)


def plain_shapley(size: int) -> Work:
    lists = inputs.with_players(size)
    return lambda: some(plain.shapley(lists, lists.topic), lists.others)


def plain_pairs(size: int) -> Work:
    lists = inputs.acyclic(PAIRS_AMONG)
    topics = list(lists.scores)[-size:]

    def run() -> list[float]:
        rows = dict(zip(topics, plain.gradients(lists, topics), strict=True))
        return some(subtract_all(rows)[topics[-1], topics[-2]], [x for x in lists.near if x not in topics])

    return run


def subtract_all(rows: dict[str, dict[str, float]]) -> dict[tuple[str, str], dict[str, float]]:
    """Subtract the contributions of every foil from those of every fact before it."""
    names = list(rows)
    return {
        (fact, foil): {x: rows[fact][x] - rows[foil][x] for x in rows[fact]}
        for k, fact in enumerate(names)
        for foil in names[:k]
    }


def plain_lanes(size: int) -> Work:
    lists, rows = inputs.acyclic(LANES_OF), make_rows(size).tolist()
    return lambda: plain.lanes(lists, rows)[-COMPARED:]


def plain_batch(size: int) -> Work:
    graphs = [inputs.with_players(BATCH_OF - 1, seed) for seed in range(size)]
    fact, foil = graphs[0].topic, graphs[0].others[-1]
    return lambda: some([plain.contrast(each, fact, foil) for each in graphs][-1], graphs[0].others[:-1])


def plain_audit(size: int) -> Work:
    given = inputs.audited(size)
    return lambda: plain.audit(given)


# -- the limit ----------------------------------------------------------------------------------------------------


def make_matrix(edges: Edges) -> tuple[csr_array, np.ndarray]:
    base, sources, targets, weights = edges
    return coo_array((weights, (targets, sources)), shape=(len(base), len(base))).tocsr(), base


def one_product(size: int) -> Work:
    matrix, base = make_matrix(inputs.acyclic_arrays(size))
    return lambda: (matrix @ base)[:1].tolist()


def one_cyclic_product(size: int) -> Work:
    matrix, base = make_matrix(inputs.cyclic_arrays(size))
    return lambda: (matrix @ base)[:1].tolist()


def two_products(size: int) -> Work:
    matrix, base = make_matrix(inputs.acyclic_arrays(size))
    return lambda: (matrix.T @ (matrix @ base))[:1].tolist()


def product_for_each(size: int) -> Work:
    found = inputs.acyclic(size).game().problem.qbaf  # the topic and its ancestors
    matrix, base = make_matrix((found.base_array, found.sources, found.targets, found.weights))
    block = np.repeat(base[:, None], min(len(base), 64), axis=1)
    blocks = -(-len(base) // block.shape[1])
    return lambda: [float((matrix @ block)[0, 0]) for _ in range(blocks)][:1]


def exponentials(size: int) -> Work:
    numbers = np.random.default_rng(0).random(1 << min(size, 22))
    rounds = (1 << size) // len(numbers)
    return lambda: [float(np.exp(numbers)[0]) for _ in range(rounds)][:1]


def subtractions(size: int) -> Work:
    rows = np.random.default_rng(0).random((size, PAIRS_AMONG))
    return lambda: [float((rows[k] - rows[:k]).sum()) for k in range(1, size)][:1]


def product_for_lanes(size: int) -> Work:
    matrix, _ = make_matrix(inputs.acyclic_arrays(LANES_OF))
    columns = np.ascontiguousarray(make_rows(size).T)
    return lambda: (matrix @ columns)[0, :1].tolist()


def forward_and_back(size: int) -> Work:
    given = inputs.audited(size)
    (w1, w2), (b1, b2) = given.weights, given.biases

    def run() -> list[float]:
        hidden = expit(given.x @ w1 + b1)
        out = expit(hidden @ w2 + b2)
        ends = (out * (1 - out))[:, :2] * [1.0, -1.0]
        return ((hidden * (1 - hidden) * (ends @ w2[:, :2].T)) @ w1.T)[0, :1].tolist()

    return run
