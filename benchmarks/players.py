"""Edges, groups and pairs as players: how fast, against what one writes first, the gradient, Shapley and shapiq.

The plain enumeration is the definition word for word: for each edge and each subset of the other edges, the graph is
solved twice by a loop over dictionaries. Times are the best of several; all ratios are of one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from math import comb
from time import perf_counter

import numpy as np

from qontrast import Qbaf, attribute, contrast, examples, interactions
from qontrast.attribution.shapley.game import Game
from qontrast.engine.problem import make_problem

from .attribution import dag
from .engine import Figure, best, random_dag, solved_anew

Edge = tuple[int, int]


def figures() -> Iterator[Figure]:
    yield from edges()
    yield from slopes()
    yield from all_pairs_of_players()
    yield from pairs_by_shapiq()
    yield from groups()
    yield from owen()


# -- edges --------------------------------------------------------------------------------------------------------


def dense(edges: int, seed: int = 0) -> Qbaf:
    """An acyclic graph of few arguments and so many edges; the topic is the last argument."""
    rng = np.random.default_rng(seed)
    n = 6 if edges <= 10 else 8
    spine = [(i, i + 1) for i in range(n - 1)]  # so that every argument reaches the topic
    others = [(i, j) for j in range(n) for i in range(j - 1)]
    some = rng.choice(len(others), edges - len(spine), replace=False)
    chosen = sorted(spine + [others[k] for k in some])
    sources, targets = zip(*chosen, strict=True)
    return Qbaf.from_arrays(rng.random(n), sources, targets, rng.choice([-1.0, 1.0], edges))


def solve_plainly(q: Qbaf, weights: dict[Edge, float], kept: set[Edge]) -> float:
    """The strength of the last argument under qe, with some of the edges."""
    strength: dict[int, float] = {}
    for name, b in q.base_scores.items():  # in topological order
        energy = sum(weights[x, y] * strength[x] for x, y in kept if y == name)
        share = energy * energy / (1 + energy * energy)
        strength[name] = b + (1 - b) * share if energy > 0 else b - b * share
    return strength[len(q) - 1]


def enumerate_edges(q: Qbaf, sample: int | None = None) -> tuple[dict[Edge, float], float]:
    """Compute the Shapley value of each edge by its definition, and the seconds.

    With `sample`, only so many random subsets of each edge are solved: the values are then wrong, and the seconds are
    extrapolated to all subsets.
    """
    arcs = zip(q.sources.tolist(), q.targets.tolist(), q.weights.tolist(), strict=True)
    weights = {(s, t): w for s, t, w in arcs}
    n = len(weights)
    masks = range(1 << n - 1) if sample is None else np.random.default_rng(0).integers(1 << n - 1, size=sample).tolist()
    found, start = dict.fromkeys(weights, 0.0), perf_counter()
    for edge in weights:
        others = [each for each in weights if each != edge]
        for mask in masks:
            some = {each for k, each in enumerate(others) if mask >> k & 1}
            gain = solve_plainly(q, weights, some | {edge}) - solve_plainly(q, weights, some)
            found[edge] += gain / (n * comb(n - 1, len(some)))
    return found, (perf_counter() - start) * (1 << n - 1) / len(masks)


def edges(sample: int = 200) -> Iterator[Figure]:
    print("exact Shapley over edges, against the definition in a plain loop")
    for count, least in ((10, 300), (16, 10_000)):
        q = dense(count)
        topic = len(q) - 1
        plain, slow = enumerate_edges(q, None if count == 10 else sample)
        found = attribute(q, topic, players="edges", semantics="qe")
        assert count > 10 or max(abs(plain[edge] - found[edge]) for edge in plain) < 1e-12
        # a graph remembers its line graph and how it is best computed: every counted run has a new graph
        new = [dense(count) for _ in range(30)]
        fast = best(lambda new=new, t=topic: attribute(new.pop(), t, players="edges", semantics="qe"), 30)
        again = best(lambda q=q, t=topic: attribute(q, t, players="edges", semantics="qe"), 30)
        how = "" if count == 10 else f", the loop extrapolated from {sample} random subsets for each edge"
        line = (
            f"  {count} edges: {slow / fast:,.0f} times faster than {slow:.2f} s{how} (target ≥ {least:,}); "
            f"asked again of the same graph {slow / again:,.0f} times"
        )
        yield line, slow / fast >= least


def slopes(n: int = 1_000_000) -> Iterator[Figure]:
    q = Qbaf.from_arrays(*random_dag(n))

    def ask(players: str) -> float:
        # the strengths that slopes need are solved anew each time, and counted
        return best(
            lambda: (solved_anew(q), attribute(q, n - 1, players=players, method="gradient", semantics="qe")), 1
        )

    rounds = [(ask("edges"), ask("arguments")) for _ in range(7)]  # in turns, so that a busy machine slows both
    ratio = min(one for one, _ in rounds) / min(other for _, other in rounds)
    print(f"slopes of one topic by all {len(q.weights):,} edges of {n:,} arguments")
    yield f"  {ratio:.2f} of what the gradient by arguments costs (target ≤ 1.3)", ratio <= 1.3


# -- pairs --------------------------------------------------------------------------------------------------------


def all_pairs_of_players(players: int = 20) -> Iterator[Figure]:
    q = dag(players)
    shapley = best(lambda: attribute(q, players, semantics="qe"), 5)
    print(f"interactions of all pairs of {players} players; their Shapley values take {shapley * 1e3:.0f} ms")
    for index in ("sii", "stii"):
        ratio = best(lambda index=index: interactions(q, players, index=index, semantics="qe"), 5) / shapley
        yield f"  {index}, pairs: {ratio:.1f} of what Shapley costs (target ≤ 3)", ratio <= 3
    ratio = best(lambda: interactions(q, players, index="k-sii", semantics="qe").singles, 5) / shapley
    yield f"  k-sii, pairs and singles: {ratio:.1f} of what Shapley costs (target ≤ 3)", ratio <= 3


def pairs_by_shapiq(players: int = 14) -> Iterator[Figure]:
    if find_spec("shapiq") is None:
        print("interactions against shapiq: not measured, shapiq is not installed (pip install 'qontrast[shapiq]')")
        return
    from shapiq import ExactComputer

    q = dag(players)
    game = Game(make_problem(q, "qe"), players)
    names = [q.arguments[k] for k in game.players]

    def ask_shapiq() -> dict[tuple[int, ...], float]:
        computer = ExactComputer(game=lambda rows: game.values(np.asarray(rows, bool)), n_players=players)
        return computer("SII", order=2).dict_values

    theirs, ours = ask_shapiq(), interactions(q, players, semantics="qe")
    assert max(abs(ours[names[k[0]], names[k[1]]] - v) for k, v in theirs.items() if len(k) == 2) < 1e-12
    slow, fast = best(ask_shapiq, 2), best(lambda: interactions(q, players, semantics="qe"), 30)
    print(f"interactions of all pairs of {players} players; shapiq takes {slow:.2f} s, with our strengths as its game")
    yield f"  {slow / fast:,.0f} times faster (target ≥ 400)", slow / fast >= 400


# -- groups and Owen values -----------------------------------------------------------------------------------------


def debate(groups: int = 11, members: int = 222) -> tuple[Qbaf, dict[str, list[int]]]:
    """Two sides and a motion-sized crowd: 11 key points, each a group with the arguments that support it."""
    rng = np.random.default_rng(0)
    points = list(range(2, 2 + groups))
    crowd = list(range(2 + groups, 3 + members))
    belongs = {x: points[int(rng.integers(groups))] for x in crowd}
    sources, targets, weights = [], [], []
    for k, point in enumerate(points):
        sources += [point, point]
        targets += [k % 2, 1 - k % 2]
        weights += [1.0, -1.0]
    for x, point in belongs.items():
        sources.append(x)
        targets.append(point)
        weights.append(0.1)
    scores = np.full(3 + members, 0.5)
    scores[points] = 0.0
    q = Qbaf.from_arrays(scores, sources, targets, weights)
    return q, {f"point {p}": [p, *(x for x in crowd if belongs[x] == p)] for p in points}


def groups() -> Iterator[Figure]:
    q, themes = debate()
    found = contrast(q, 0, 1, players=themes, semantics="qe")
    assert len(q) == 225
    assert len(found) == 11
    seconds = best(lambda: contrast(q, 0, 1, players=themes, semantics="qe"), 5)
    print("Shapley values of 11 groups over 225 arguments, for a contrast")
    yield f"  {seconds:.3f} s (target < 0.1)", seconds < 0.1


def owen() -> Iterator[Figure]:
    q = examples.load("healthcare")
    seconds = best(lambda: contrast(q, "antiviral", "antibiotic", players="edges", method="owen"), 3)
    print("Owen values of all edges of healthcare, for a contrast")
    yield f"  {seconds:.2f} s (target < 1)", seconds < 1
