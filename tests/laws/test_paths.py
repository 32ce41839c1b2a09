"""Paths: their signs, their shares of the gradient, their number, the strongest first."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, InvalidInput, Qbaf, UndefinedStrength, attribute, paths
from tests.support import games
from tests.support.graphs import KINK, healthcare
from tests.support.strategies import qbafs


def digraph(q: Qbaf) -> nx.DiGraph:
    graph = nx.DiGraph([*q.attacks, *q.supports])
    graph.add_nodes_from(q)
    return graph


@given(qbafs(max_size=8), st.sampled_from(["qe", "reb", "mlp", "df-quad"]))
def test_shares_sum_to_the_gradient_and_every_path_is_there_once(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    gradient = attribute(q, topic, method="gradient", semantics=semantics)
    for x in gradient:
        found = paths(q, x, topic, semantics=semantics, limit=10_000)
        assert {path.arguments for path in found} == {tuple(p) for p in nx.all_simple_paths(digraph(q), x, topic)}
        assert len(found) == len({path.arguments for path in found})
        assert found.left_out == 0
        assert found.gradient == pytest.approx(gradient[x], nan_ok=True)
        if not gradient.kinks and q.base_scores[x] not in (0.0, 1.0):
            sizes = [abs(path.share) for path in found]
            assert all(a >= b - 1e-15 for a, b in pairwise(sizes))  # products in another order
            # on a kink, sides that differ by less than 1e-9 count as equal
            assert sum(path.share or 0.0 for path in found) == pytest.approx(gradient[x], abs=1e-9)


def test_at_a_kink_no_share_is_claimed() -> None:
    found = paths(KINK, "att", "t", semantics="df-quad")
    assert np.isnan(found.gradient)
    assert [(path.arguments, path.share) for path in found] == [(("att", "t"), None)]
    assert str(found) == "lowers t: att —attacks→ t"


@given(qbafs(max_size=6, cyclic=True))
def test_simple_paths_of_cyclic_graphs_are_counted_and_claim_no_share(q: Qbaf) -> None:
    topic = q.topics[0]
    for x in q:
        if x == topic:
            continue
        try:
            found = paths(q, x, topic, semantics="reb", limit=10_000)
        except UndefinedStrength:
            return
        every = [tuple(p) for p in nx.all_simple_paths(digraph(q), x, topic)]
        assert sorted(path.arguments for path in found) == sorted(every)
        if nx.is_directed_acyclic_graph(digraph(q)):
            continue
        assert found.gradient is None
        assert all(path.share is None for path in found)


def test_an_attack_on_an_attacker_helps_and_says_so() -> None:
    q = Qbaf(
        dict.fromkeys("abct", 0.5),
        attacks=[("a", "b"), ("b", "t"), ("a", "c")],
        supports=[("c", "t")],
        labels={"t": "the topic"},
    )
    found = paths(q, "a", "t", semantics="df-quad")
    assert [path.sign for path in found] == [1, -1]
    assert [path.arguments for path in found] == [("a", "b", "t"), ("a", "c", "t")]
    assert found[0].relations == ("attacks", "attacks")
    assert str(found) == (
        "raises “the topic” by 0.250 per unit of base score: a —attacks→ b —attacks→ “the topic”\n"
        "lowers “the topic” by 0.250 per unit of base score: a —attacks→ c —supports→ “the topic”"
    )


def test_the_strongest_paths_of_too_many_and_the_number_of_the_rest() -> None:
    """Seven layers of three arguments have 3⁷ paths; the strongest are found without listing them."""
    rng = np.random.default_rng(0)
    layers = [[0], *([3 * k + 1, 3 * k + 2, 3 * k + 3] for k in range(7)), [22]]
    edges = [(a, b) for one, two in pairwise(layers) for a in one for b in two]
    sources, targets = zip(*edges, strict=True)
    weights = rng.choice([-1.0, 1.0], len(edges)) * rng.random(len(edges))
    q = Qbaf.from_arrays(rng.uniform(0.2, 0.8, 23), sources, targets, weights)
    found = paths(q, 0, 22, semantics="mlp", limit=5)
    assert (len(found), found.left_out, found.counted_all) == (5, 3**7 - 5, True)
    assert str(found).endswith("(2,182 weaker paths left out)")
    assert found.gradient == pytest.approx(attribute(q, 22, method="gradient", semantics="mlp")[0], rel=1e-12)
    longer = paths(q, 0, 22, semantics="mlp", limit=200)
    assert [path.arguments for path in longer[:5]] == [path.arguments for path in found]
    assert abs(longer[0].share) == max(abs(path.share) for path in paths(q, 0, 22, semantics="mlp", limit=3**7))


def test_a_path_that_starts_weakly_and_ends_strongly_comes_first() -> None:
    supports = {("x", "m"): 0.02, ("m", "t"): 8.0, ("x", "n"): 1.0, ("n", "t"): 0.1}
    found = paths(Qbaf(dict.fromkeys("xmnt", 0.5) | {"t": 0.02}, supports=supports), "x", "t", semantics="mlp")
    assert [path.arguments[1] for path in found] == ["m", "n"]
    assert found[0].share > found[1].share
    assert len(paths(Qbaf(dict.fromkeys("xmnt", 0.5), supports=supports), "x", "t", semantics="mlp", limit=1)) == 1


def test_a_cyclic_graph_with_too_many_paths_says_at_least() -> None:
    n = 14
    edges = [(i, j) for i in range(n) for j in range(n) if i != j]
    sources, targets = zip(*edges, strict=True)
    q = Qbaf.from_arrays(np.full(n, 0.5), sources, targets, np.full(len(edges), 0.05))
    found = paths(q, 0, 13, semantics="qe", limit=3)
    assert not found.counted_all
    assert str(found).endswith("(at least 9,997 other paths left out)")
    assert found[0].arguments == (0, 13)


def test_no_path_is_said_in_words() -> None:
    q = Qbaf({"x": 0.5, "t": 0.5}, attacks=[("t", "x")])
    found = paths(q, "x", "t")
    assert (len(found), found.left_out, found.gradient) == (0, 0, 0.0)
    assert str(found) == "no path leads from x to t"
    with pytest.raises(InvalidInput, match="'t' is both contributor and topic"):
        paths(q, "t", "t")
    with pytest.raises(InvalidInput, match="limit is 0"):
        paths(q, "x", "t", limit=0)


def test_a_self_loop_is_on_no_simple_path() -> None:
    q = Qbaf(dict.fromkeys("xmt", 0.5), attacks=[("x", "m"), ("m", "m")], supports=[("m", "t"), ("t", "t")])
    assert [path.arguments for path in paths(q, "x", "t")] == [("x", "m", "t")]


def test_the_paths_of_the_healthcare_example() -> None:
    found = paths(healthcare(), "pcr", "antiviral", limit=100)
    every = list(nx.all_simple_paths(digraph(healthcare()), "pcr", "antiviral"))
    assert len(found) == len(every) == 15
    assert found[0].sign == 1


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_a_long_chain_is_one_path(semantics: str) -> None:
    q = games.branches(1, 50)
    found = paths(q, 50, 0, semantics=semantics)
    assert [len(path.arguments) for path in found] == [51]


def test_shares_are_claimed_only_where_they_add_up_to_the_gradient() -> None:
    """Also where a bound or a kink makes a small difference: base scores of 0 and 1, equal attacks and supports."""
    rng = np.random.default_rng(7)
    claimed = refused = 0
    for _ in range(150):
        scores = dict(zip("abct", rng.choice([0.0, 0.5, 1.0], 4), strict=True))
        weight = float(rng.choice([0.05, 0.3, 1.0]))
        ends = [("a", "b"), ("a", "c"), ("b", "t"), ("c", "t"), ("a", "t")]
        signs = rng.integers(0, 2, len(ends))
        attacks = {end: weight for end, sign in zip(ends, signs, strict=True) if sign}
        supports = {end: weight for end, sign in zip(ends, signs, strict=True) if not sign}
        q = Qbaf(scores, attacks, supports)
        for semantics in ("df-quad", "qe"):
            found = paths(q, "a", "t", semantics=semantics)
            gradient = attribute(q, "t", method="gradient", semantics=semantics)["a"]
            if any(path.share is not None for path in found):
                assert sum(path.share or 0.0 for path in found) == pytest.approx(gradient, abs=1e-8)
                claimed += 1
            else:
                refused += 1
    assert claimed
    assert refused
