"""What both solvers promise of every lane: an absent argument is as good as cut out, the residual is tiny, lanes on
either side of a ridge end on their own side; layers, users' formulas and kinks included."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from qontrast import (
    SEMANTICS,
    Influence,
    InvalidInput,
    Qbaf,
    Semantics,
    UndefinedStrength,
    attribute,
    contributions,
    solve_lanes,
    strengths,
)
from qontrast.attribution.methods import extract_row
from qontrast.engine.problem import make_problem
from qontrast.engine.update import Equation
from qontrast.graph.structure import Layer
from tests.support.reference import Loop
from tests.support.strategies import random_qbaf

SOLVERS = ["discrete", "continuous"]
RESIDUAL = {"discrete": 1e-12, "continuous": 1.5e-13}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("semantics", SEMANTICS)
def test_every_defined_lane_solves_the_equation(semantics: str, solver: str) -> None:
    rng, seen = np.random.default_rng(1), 0
    for seed in range(3):
        q = random_qbaf(20 + seed, cyclic=True, max_weight=0.9, max_size=7)
        present, base = rng.random((6, len(q))) < 0.8, rng.choice([0.0, 0.2, 0.7, 1.0], (6, len(q)))
        found = make_problem(q, semantics, solver).solve(present, base)
        for there, scores, lane, moving in zip(present, base, found.strengths, found.moving, strict=True):
            if moving == 0:
                part = q.with_base_scores(dict(enumerate(scores.tolist()))).restrict(np.flatnonzero(there).tolist())
                now = dict(zip(part, lane[there].tolist(), strict=True))
                again = Loop(part, semantics).step(now)
                assert max((abs(again[x] - now[x]) for x in now), default=0) <= RESIDUAL[solver]
                assert not lane[~there].any()
                seen += 1
    assert seen >= 9


# p, at 1, would push x over the ridge to the upper of its two fixed points; where p is absent, x must stay low
PUSHED = Qbaf({"p": 1.0, "x": 0.01, "y": 0.3}, supports={("p", "x"): 5.0, ("x", "x"): 5.0}, attacks={("y", "y"): 0.5})


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_absent_argument_gives_no_push_at_the_start(solver: str) -> None:
    alone = strengths(PUSHED.without("p"), semantics="qe", solver=solver)
    assert strengths(PUSHED, semantics="qe", solver=solver)["x"] > 0.9
    assert alone["x"] < 0.05
    for lanes in ([[0, 1, 1]], [[0, 1, 1], [1, 1, 1]], [[1, 1, 1], [0, 1, 1], [0, 1, 0]]):
        found = solve_lanes(PUSHED, present=lanes, semantics="qe", solver=solver)
        for there, lane in zip(lanes, found, strict=True):
            assert lane[1] == pytest.approx(alone["x"], abs=1e-10) if not there[0] else lane[1] > 0.9
    slow = Qbaf({"p": 1.0, "x": 0.001}, supports={("p", "x"): 1.0, ("x", "x"): 0.95})
    with pytest.raises(UndefinedStrength, match="'x'"):  # the error looks at the same lane
        solve_lanes(slow, present=[[0, 1]], semantics="df-quad", max_steps=10)


@pytest.mark.heavy
def test_lanes_close_to_a_ridge_end_on_the_side_where_each_ends_alone() -> None:
    q = Qbaf(
        {"a": 0.6, "b": 0.4, "c": 0.5},
        attacks={("a", "b"): 9.0, ("b", "a"): 7.0},
        supports={("c", "a"): 1.0, ("b", "c"): 2.0},
    )

    def side(score: float) -> float:
        return strengths(q.with_base_scores({"b": score}), semantics="mlp", solver="continuous")["a"] - 0.4

    low, high = 0.794, 0.795
    assert side(low) > 0 > side(high)
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if side(middle) > 0 else (low, middle)
    far = [1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3]
    scores = [low - d for d in far] + [high + d for d in far]
    found = solve_lanes(q, base_scores=[[0.6, b, 0.5] for b in scores], semantics="mlp", solver="continuous")
    for b, lane in zip(scores, found, strict=True):
        assert lane == pytest.approx(
            strengths(q.with_base_scores({"b": b}), semantics="mlp", solver="continuous").array, abs=1e-9
        )
    assert (found[:6, 0] > 0.4).all()
    assert (found[6:, 0] < 0.4).all()


def test_two_equilibria_that_nearly_meet_are_solved_to_the_last_digits() -> None:
    """Newton's method halves its error there, and is not done after its few steps."""
    b = 0.05

    def rest(s: float, w: float) -> float:
        return b + (1 - b) * (w * s) ** 2 / (1 + (w * s) ** 2) - s

    def lowest(w: float) -> float:  # where F′ = 1 on the lower branch
        slope = lambda s: (1 - b) * 2 * w * w * s / (1 + (w * s) ** 2) ** 2 - 1  # noqa: E731
        return brentq(slope, 0.0, 1 / (np.sqrt(3) * w), xtol=1e-16)

    for gap in (1e-8, 1e-10, 1e-12):
        weight = float(brentq(lambda w, gap=gap: rest(lowest(w), w) + gap, 1.7, 2.4, xtol=1e-15))
        q = Qbaf({"a": b}, supports={("a", "a"): weight})
        truth = brentq(lambda s, weight=weight: rest(s, weight), b, lowest(weight), xtol=1e-16)
        for found in (
            strengths(q, semantics="qe", solver="continuous")["a"],
            *solve_lanes(q, base_scores=[[b], [b]], semantics="qe", solver="continuous")[:, 0],
        ):
            assert abs(rest(found, weight)) <= RESIDUAL["continuous"]
            assert found == pytest.approx(truth, abs=1e-6)


def test_lanes_that_come_to_rest_slowly_do_so_to_the_last_digits() -> None:
    """σ ← τ + w σ (1 − τ) approaches its limit at a rate of 0.13: lanes are near it long before they are there."""
    weight, scores = 0.87 / 0.995, [0.005, 0.004, 0.0045]
    q = Qbaf({"a": 0.005}, supports={("a", "a"): weight})
    found = solve_lanes(q, base_scores=[[b] for b in scores], semantics="df-quad", solver="continuous")[:, 0]
    for b, strength in zip(scores, found.tolist(), strict=True):
        assert abs(b + weight * strength * (1 - b) - strength) <= RESIDUAL["continuous"]
        assert strength == pytest.approx(b / (1 - weight * (1 - b)), abs=1e-11)


@pytest.mark.parametrize("score", [1e-5, 1e-6, 1e-7, 1e-8])
def test_an_argument_that_moves_slowly_beside_a_quick_one_comes_to_rest_to_the_last_digits(score: float) -> None:
    """The quick one is far from rest when the slow one, which hardly moves at all, would pass for resting."""
    weight = 0.93
    q = Qbaf({"slow": score, "quick": 0.9}, supports={("slow", "slow"): weight, ("quick", "quick"): 0.5})
    found = strengths(q, semantics="df-quad", solver="continuous")
    assert found["slow"] == pytest.approx(score / (1 - weight * (1 - score)), rel=0, abs=1e-11)
    assert found["quick"] == pytest.approx(0.9 / (1 - 0.5 * 0.1), abs=1e-11)


@pytest.mark.parametrize("semantics", ["qe", "reb", "mlp"])
@pytest.mark.parametrize("odd", [None, 0, 3, 7])
def test_a_level_is_solved_as_one_product_only_where_all_its_arguments_have_the_same_parents(
    semantics: str, odd: int | None
) -> None:
    """Eight arguments with the same eight of nine parents, and one of the eight that has the ninth instead."""
    rng = np.random.default_rng(3)
    edges = [(p + (p == 0 and k == odd) * 8, 9 + k) for k in range(8) for p in range(8)] + [
        (9 + k, 17) for k in range(8)
    ]
    for weights in (rng.choice([-1.0, 1.0], len(edges)), rng.normal(size=len(edges))):
        q = Qbaf.from_arrays(rng.random(18), *zip(*edges, strict=True), weights)
        assert bool(q.structure.arrays.layers) == (odd is None)
        truth = Loop(q, semantics).run(4)
        assert dict(strengths(q, semantics=semantics)) == pytest.approx(truth, abs=1e-13)
        lanes = rng.random((5, 18))
        for lane, base in zip(solve_lanes(q, base_scores=lanes, semantics=semantics), lanes, strict=True):
            moved = Loop(q.with_base_scores(dict(enumerate(base.tolist()))), semantics).run(4)
            assert lane == pytest.approx([moved[x] for x in q], abs=1e-13)
        slow = Loop(q.with_base_scores({2: float(q.base_array[2]) + 1e-6}), semantics).run(4)[17] - truth[17]
        assert attribute(q, 17, method="gradient", semantics=semantics)[2] == pytest.approx(slow / 1e-6, abs=1e-5)


def test_a_level_between_others_that_is_a_layer_comes_in_its_turn() -> None:
    """Three full layers with unequal numbers of attackers, so that each is made of several groups."""
    rng, width = np.random.default_rng(5), 7
    edges = [(width * k + i, width * (k + 1) + j) for k in range(3) for i in range(width) for j in range(width)]
    order = rng.permutation(4 * width)
    sources, targets = order[np.array(edges)].T
    q = Qbaf.from_arrays(rng.random(4 * width), sources, targets, rng.normal(size=len(edges)))
    assert len({id(layer) for layer in q.structure.arrays.layers.values()}) == 3
    for semantics in ("qe", "mlp"):
        assert dict(strengths(q, semantics=semantics)) == pytest.approx(Loop(q, semantics).run(5), abs=1e-13)


# -- a user's influence that moves the base score even without energy ------------------------------------------------

RESTLESS = {
    "plain": Semantics(
        "plain", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: 0.1 + 0.7 * b + 0.1 * np.tanh(e)
    ),
    "with slopes": Semantics(
        "with slopes",
        SEMANTICS["qe"].aggregation,
        Influence(
            lambda b, e: 0.1 + 0.7 * b + 0.1 * np.tanh(e),
            lambda b, e: np.full_like(b + e, 0.7),
            lambda b, e: 0.1 / np.cosh(e) ** 2 + 0 * b,
        ),
    ),
}


@pytest.mark.parametrize("kind", RESTLESS)
@pytest.mark.parametrize("cyclic", [False, True])
def test_an_influence_that_moves_base_scores_without_energy_works_everywhere(kind: str, cyclic: bool) -> None:
    mine = RESTLESS[kind]
    base, edges = [0.2, 0.9, 0.4, 1.0, 0.0], {(0, 1): 0.5, (1, 4): -1.0, (2, 4): 2.0, (3, 2): -0.7, (0, 4): 1.0}
    edges |= {(4, 1): 0.3} if cyclic else {}
    q = Qbaf.from_arrays(base, *zip(*edges, strict=True), list(edges.values()))

    def v(keep: set[int]) -> dict[int, float]:
        now = {x: base[x] for x in keep}
        for _ in range(60):
            energy = {x: sum(w * now[s] for (s, t), w in edges.items() if t == x and s in keep) for x in keep}
            now = {x: 0.1 + 0.7 * base[x] + 0.1 * np.tanh(energy[x]) for x in keep}
        return now

    everyone = set(range(5))
    subsets = [set(s) for s in chain.from_iterable(combinations(range(5), k) for k in range(6))]
    lanes = np.array([[x in s for x in range(5)] for s in subsets])
    for solver in SOLVERS:
        assert dict(strengths(q, semantics=mine, solver=solver)) == pytest.approx(v(everyone), abs=1e-11)
        for s, lane in zip(subsets, solve_lanes(q, present=lanes, semantics=mine, solver=solver), strict=True):
            assert lane == pytest.approx([v(s).get(x, 0.0) for x in range(5)], abs=1e-11)
    for x in range(4):
        added = sum((v({*s, 4, x})[4] - v({*s, 4})[4]) / (4 * comb(3, len(s))) for s in subsets if not s & {4, x})
        assert attribute(q, 4, method="shapley", semantics=mine)[x] == pytest.approx(added, abs=1e-10)
        assert attribute(q, 4, method="removal", semantics=mine)[x] == pytest.approx(
            v(everyone)[4] - v(everyone - {x})[4], abs=1e-10
        )
    ways = {
        contributions(q, [4, 1], method="shapley", semantics=mine).how,
        contributions(q, [4], method="shapley", semantics=mine).how,
    }
    assert any(("connected" if cyclic else "coalitions") in way for way in ways)
    slope = attribute(q, 4, method="gradient", semantics=mine)
    for x in range(4):
        h = 1e-5 if base[x] < 1 else -1e-5
        moved = strengths(q.with_base_scores({x: base[x] + h}), semantics=mine)[4]
        assert slope[x] == pytest.approx((moved - v(everyone)[4]) / h, abs=1e-5)


# -- near kinks and at them --------------------------------------------------------------------------------


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize(("off", "slope"), [(1e-3, 0.2), (1e-6, 0.2), (1e-9, 0.2), (-1e-9, 0.8), (-1e-6, 0.8)])
def test_beside_a_kink_the_slope_is_that_of_its_side(off: float, slope: float, cyclic: bool) -> None:
    loop = {("u", "v"): 0.5, ("v", "u"): 0.5} if cyclic else {}
    q = Qbaf({"t": 0.8, "att": 0.5, "sup": 0.5 + off, "u": 0.3, "v": 0.6}, {("att", "t"): 1.0, **loop}, [("sup", "t")])
    for found in (
        attribute(q, "t", method="gradient", semantics="df-quad"),
        contributions(q, ["t", "u"], method="gradient", semantics="df-quad"),
    ):
        extract_row = dict(found) if not hasattr(found, "row") else dict(zip(q, found.row("t").tolist(), strict=True))
        assert (extract_row["att"], extract_row["sup"]) == pytest.approx((-slope, slope), abs=1e-9)
        assert not found.kinks
    at = attribute(q.with_base_scores({"sup": 0.5}), "t", method="gradient", semantics="df-quad")
    assert at.kinks == ("t",)
    assert np.isnan(at["att"])


def test_only_kinks_upstream_of_a_topic_are_named_with_it() -> None:
    """Three topics: one on a kink, one below it, one beside it with a kink of its own."""
    q = Qbaf(
        {"s": 0.5, "r": 0.5, "k": 0.8, "below": 0.3, "l": 0.9, "p": 0.4, "m": 0.4, "free": 0.7},
        attacks=[("r", "k"), ("m", "l"), ("s", "free")],
        supports=[("s", "k"), ("k", "below"), ("p", "l")],
    )
    phi = contributions(q, ["k", "below", "l", "free"], method="gradient", semantics="df-quad")
    assert set(phi.kinks) == {"k", "l"}
    for topic, kinks in {"k": ("k",), "below": ("k",), "l": ("l",), "free": ()}.items():
        assert attribute(q, topic, method="gradient", semantics="df-quad").kinks == kinks
        assert extract_row(phi, topic).kinks == kinks
        assert {x for (t, x) in phi.sides if t == topic} == set(extract_row(phi, topic).sides)


def product_slope(x: Any, i: int) -> Any:
    """Of 1 − ∏ (1 − x)."""
    return (1 - np.delete(x, i, axis=0)).prod(axis=0)


def squared_product_slope(x: Any, i: int) -> Any:
    """Of 1 − ∏ (1 − x)²."""
    return 2 * (1 - x[i]) * product_slope(x, i) ** 2


def sum_slope(x: Any, i: int) -> Any:
    return np.ones(x.shape[1])


def largest_slope(x: Any, i: int) -> Any:
    return (x.argmax(axis=0) == i) * 1.0


# the slope of the energy of the supporters alone with respect to the i-th of them, by the formula of each semantics
SLOPES = {
    **dict.fromkeys(["qe", "reb", "mlp"], sum_slope),
    **dict.fromkeys(["df-quad", "df-quad-1-max"], product_slope),
    "df-quad-squared-product": squared_product_slope,
    "ebt": largest_slope,
}


@pytest.mark.parametrize("name", SEMANTICS)
def test_slopes_of_any_number_of_parents_are_those_of_the_formula(name: str) -> None:
    """From none to seventy, strengths of 0 and 1 among them; a product has its slope without a division."""
    assert name in SLOPES, f"add to SLOPES the slope of the aggregation of {name}, from its formula"
    rng, s = np.random.default_rng(0), SEMANTICS[name]
    for k in range(71):
        for attackers, supporters in product((k,), (0, 1, 70 - k)):
            att, sup = rng.random((attackers, 3)), rng.random((supporters, 3))
            for x in (att, sup):
                x[rng.random(x.shape) < 0.02] = 1.0
                x *= np.where(rng.random(x.shape) < 0.02, 0.0, 1.0)
            found = s.slopes(att, sup)
            for sign, x, slopes in ((-1, att, found[0]), (1, sup, found[1])):
                assert slopes.shape == x.shape
                for i in {0, 1, 31, 32, 33, len(x) // 2, len(x) - 2, len(x) - 1} & set(range(len(x))):
                    truth = SLOPES[name](x, i)
                    assert slopes[i] == pytest.approx(sign * truth, rel=1e-12, abs=1e-300)


def test_a_semantics_keeps_what_it_is_given() -> None:
    qe = SEMANTICS["qe"]
    mine = Semantics("mine", qe.aggregation, qe.influence, "a paper", "σ = τ", False)
    told = (mine.name, mine.aggregation, mine.influence, mine.source, mine.formula, mine.bounded)
    assert told == ("mine", qe.aggregation, qe.influence, "a paper", "σ = τ", False)
    make, given = mine.__reduce__()
    assert make(*given) == mine
    usual = Semantics("usual", qe.aggregation.energy, qe.influence.strength)
    assert (usual.source, usual.formula, usual.bounded) == ("user-defined", "", True)
    for parts in ((lambda att, sup: att, qe.influence), (qe.aggregation, lambda b, e: 0.5)):
        with pytest.raises(InvalidInput, match=r"gives shape .* give a function of two arrays that gives an array"):
            Semantics("misshapen", *parts)


def test_a_users_formula_may_overflow_without_a_warning() -> None:
    steep = Semantics(
        "steep", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + (1 - b) / (1 + np.exp(-1e4 * (e - 0.1)))
    )
    q = Qbaf({"a": 0.0, "t": 0.5, "u": 0.2}, supports=[("a", "t"), ("t", "u")])
    for solver in SOLVERS:
        assert strengths(q, semantics=steep, solver=solver)["t"] == 0.5


@pytest.mark.parametrize("lanes", [1, 3])
@pytest.mark.parametrize("weight", [0.0, 0.3, 0.7, 0.9, 0.99])
def test_the_steps_of_a_flow_are_the_updates_that_it_took(
    weight: float, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """σ ← τ + w σ (1 − τ) contracts, so that no neighbours are followed."""
    problem = make_problem(Qbaf({"a": 0.4}, supports={("a", "a"): weight}), "df-quad", "continuous")
    updates: list[int] = []
    update = Equation.update

    def count(self: Equation, *given: Any, **named: Any) -> Any:
        updates.append(1)
        return update(self, *given, **named)

    monkeypatch.setattr(Equation, "update", count)
    found = problem.solve(base_scores=np.full((lanes, 1), 0.4))
    assert found.steps.tolist() == [len(updates)] * lanes
    assert found.strengths[:, 0] == pytest.approx(0.4 / (1 - weight * 0.6), abs=1e-12)


def in_levels(seed: int, cyclic: bool) -> Qbaf:
    """Levels of some arguments, each with the same parents or with parents of its own, their names shuffled."""
    rng = np.random.default_rng(seed)
    edges, before, n = [], np.arange(rng.integers(4, 9)), 9
    for _ in range(3):
        level = np.arange(n, n + rng.integers(1, 9))
        whole = rng.random() < 0.7
        edges += [(int(p), int(x)) for x in level for p in before if whole or rng.random() < 0.6]
        before, n = level, n + len(level)
    if cyclic:
        edges += [(n - 1, n - 1)]
    sources, targets = rng.permutation(n)[np.array(edges)].T
    return Qbaf.from_arrays(rng.random(n), sources, targets, rng.choice([-1.0, -0.5, 0.5, 1.0], len(edges)))


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_groups_and_layers_hold_every_argument_once_in_the_order_of_evaluation(seed: int, cyclic: bool) -> None:
    q = in_levels(seed, cyclic)
    arrays = q.structure.arrays
    assert arrays.acyclic == (not cyclic)
    assert arrays.order[arrays.place].tolist() == list(range(len(q)))
    edges = {(int(s), int(t)): w for s, t, w in zip(q.sources, q.targets, q.weights.tolist(), strict=True)}
    for backwards in (False, True):
        blocks, groups = list(arrays.blocks(backwards)), list(arrays.groups(backwards))
        for found in (blocks, groups):
            ends = [(each.lo, each.hi) for each in (found[::-1] if backwards else found)]
            assert [lo for lo, _ in ends] == [0, *(hi for _, hi in ends[:-1])]
            assert ends[-1][1] == len(q)
        for block in blocks:
            for column, place in enumerate(range(block.lo, block.hi)):
                x = int(arrays.order[place])
                own = {edge: w for edge, w in edges.items() if edge[1] == x}
                if isinstance(block, Layer):
                    parents, weights = block.parents, block.matrix[column]
                    assert arrays.layers[block.lo] is block
                else:
                    parents = block.parents[:, column]
                    weights = np.ones(len(parents)) if block.weights is None else block.weights[:, column].copy()
                    weights[: block.attackers] *= -1
                assert own == {(int(arrays.order[p]), x): w for p, w in zip(parents, weights, strict=True)}
                if not cyclic:
                    assert all(p < block.lo for p in parents)


@pytest.mark.parametrize("width", [2, 5, 6, 8])
def test_a_level_of_32_edges_or_more_with_the_same_parents_is_a_layer(width: int) -> None:
    edges = [(i, width + j) for i in range(width) for j in range(width)]
    signs = np.where(np.arange(len(edges)) % 3 == 0, -1.0, 1.0)  # several groups, by number of attackers
    arrays = Qbaf.from_arrays(np.full(2 * width, 0.5), *zip(*edges, strict=True), signs).structure.arrays
    layers = [block for block in arrays.blocks() if isinstance(block, Layer)]
    assert [(layer.lo, layer.hi) for layer in layers] == [(width, 2 * width)] * (width * width >= 32)
    assert set(arrays.layers) == {group.lo for group in arrays.groups() if group.lo >= width and width * width >= 32}


def test_a_flow_that_does_not_rest_within_its_steps_is_undefined_and_the_others_are_as_without_a_limit() -> None:
    mutual = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    scores = [[1.0, 0.2], [1.0, 0.99]]  # the second is near the ridge between two equilibria
    whole = make_problem(mutual, "df-quad", "continuous")
    free, limited = (each.solve(base_scores=scores) for each in (whole, replace(whole, max_steps=400)))
    assert not np.isnan(free.strengths).any()
    assert np.isnan(limited.strengths[1]).all()
    assert limited.moving[1] > 0
    np.testing.assert_array_equal(limited.strengths[0], free.strengths[0])
    alone = replace(whole, max_steps=400).solve(base_scores=scores[1:])
    assert np.isnan(alone.strengths).all()


@pytest.mark.parametrize("solve", [strengths, lambda q, **how: attribute(q, "c", method="gradient", **how)])
def test_a_graph_without_a_limit_is_iterated_once(solve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error needs the last moves of the arguments, which the first run has seen."""
    pair = Qbaf({"a": 1.0, "b": 1.0, "c": 0.5}, attacks=[("a", "b"), ("b", "a")], supports=[("a", "c")])
    updates: list[int] = []
    update = Equation.update

    def count(self: Equation, *given: Any, **named: Any) -> Any:
        updates.append(1)
        return update(self, *given, **named)

    monkeypatch.setattr(Equation, "update", count)
    monkeypatch.setattr("qontrast.engine.discrete.MAX_LISTED_UPDATE", 0)
    with pytest.raises(UndefinedStrength) as caught:
        solve(pair, semantics="df-quad")
    assert f"after {len(updates)} steps" in str(caught.value)
    assert caught.value.arguments == make_problem(pair, "df-quad").undefined(0).arguments
