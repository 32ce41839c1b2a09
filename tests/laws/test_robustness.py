"""How far base scores and weights may be off: certified ≤ radius ≤ found, against a grid over all of them."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qontrast as qx
from qontrast import SEMANTICS, InvalidInput, Qbaf, Robustness, Semantics, UnknownName
from tests.support.profiles import number_of_cases
from tests.support.strategies import qbafs, random_qbaf

robustness_module = import_module("qontrast.explain.robustness")
ORDERS = {"linf": np.inf, "l1": 1, "l2": 2}
each_norm = pytest.mark.parametrize("norm", ORDERS)


def name_edges(q: Qbaf) -> list[tuple[Any, Any]]:
    return [(q.arguments[i], q.arguments[j]) for i, j in zip(q.sources.tolist(), q.targets.tolist(), strict=True)]


def measure_on_grid(q: Qbaf, semantics: str, pair: tuple[int, int], movers: list[int], norm: str) -> float:
    """The least change on a grid after which the one ahead is not ahead any more; ∞ if there is none.

    Movers are numbers of arguments, and beyond them of edges.
    """
    start = np.concatenate((q.base_array, np.abs(q.weights)))
    most = SEMANTICS[semantics].aggregation.max_weight
    ends = np.concatenate((np.ones(len(q)), np.full(len(q.weights), most if np.isfinite(most) else 3.0)))
    axes = [np.union1d(np.linspace(0, ends[i], 9), [start[i]]) for i in movers]
    moved = np.array(list(product(*axes)))
    lanes = np.repeat(start[None], len(moved), axis=0)
    lanes[:, movers] = moved
    base, weights = lanes[:, : len(q)], lanes[:, len(q) :]
    found = qx.solve_lanes(q, semantics=semantics, base_scores=base, weights=weights)
    gaps, gap = (
        found[:, pair[0]] - found[:, pair[1]],
        np.subtract(*qx.strengths(q, semantics=semantics).array[list(pair)]),
    )
    over = gaps * np.sign(gap) <= 0
    return float(np.linalg.norm(lanes - start, ORDERS[norm], axis=1)[over].min(initial=np.inf))


def check_bounds(q: Qbaf, found: Robustness) -> None:
    """certified ≤ found, and the example ends the lead, moves only movers, and has the size that is said."""
    assert 0 <= found.certified <= found.found
    if found.example is None:
        assert found.found == np.inf
        return
    assert set(found.example) <= set(found.movers)
    after = found.changed()
    moves = np.concatenate((after.base_array - q.base_array, after.weights - q.weights))
    assert np.linalg.norm(moves, ORDERS[found.norm]) == pytest.approx(found.found, abs=1e-9)
    assert (np.signbit(after.weights) == np.signbit(q.weights)).all()
    strengths = qx.strengths(after, semantics=found.semantics)
    assert (strengths[found.fact] - strengths[found.foil]) * np.sign(found.gap) <= 1e-9


@each_norm
@settings(max_examples=number_of_cases(15, 8))
@given(q=qbafs(max_size=5), semantics=st.sampled_from(sorted(SEMANTICS)), seed=st.integers(0, 2**32 - 1))
@pytest.mark.heavy
def test_no_change_on_a_grid_is_smaller_than_the_certified_radius_and_the_example_ends_the_lead(
    norm: str, q: Qbaf, semantics: str, seed: int
) -> None:
    if len(q) < 2:
        return
    rng = np.random.default_rng(seed)
    fact, foil, *_ = rng.permutation(len(q)).tolist()
    movers = rng.permutation(len(q) + len(q.weights))[: rng.integers(1, 4)].tolist()
    names = [[*q.arguments, *name_edges(q)][i] for i in movers]
    pair = q.arguments[fact], q.arguments[foil]
    found = qx.robustness(q, *pair, semantics=semantics, norm=norm, movers=names, max_boxes=500)
    check_bounds(q, found)
    assert found.certifiable
    if found.ahead is None:
        assert (found.certified, found.found, found.exact) == (0.0, 0.0, True)
        return
    least = measure_on_grid(q, semantics, (fact, foil), movers, norm)
    assert found.certified <= least + 1e-9
    assert found.impossible <= np.isinf(least)
    other = qx.robustness(q, *pair[::-1], semantics=semantics, norm=norm, movers=names, max_boxes=500)
    assert (other.certified, other.found, other.ahead) == (found.certified, found.found, found.ahead)


def test_weights_alone_and_both_together_are_all_that_matter_to_the_topics() -> None:
    q = Qbaf(
        {"p": 0.7, "q": 0.5, "x": 0.6, "y": 0.5}, attacks={("x", "q"): 0.5, ("q", "y"): 1.0}, supports=[("x", "p")]
    )
    edges = [("x", "q"), ("x", "p")]
    for change, names in (("weights", edges), ("both", ["p", "q", "x", *edges])):
        found = qx.robustness(q, "p", "q", semantics="df-quad", change=change, max_boxes=100, time_limit=None)
        check_bounds(q, found)
        assert found.movers == tuple(names)
        same = qx.robustness(q, "p", "q", semantics="df-quad", movers=names, max_boxes=100, time_limit=None)
        assert (same.certified, same.found) == (found.certified, found.found)


@pytest.mark.parametrize(("semantics", "most"), [("qe", np.inf), ("df-quad", 1.0)])
def test_a_lead_that_weights_cannot_end_is_certified_as_far_as_weights_were_looked_at(
    semantics: str, most: float
) -> None:
    q = Qbaf({"p": 0.9, "q": 0.1, "x": 0.5}, attacks={("x", "q"): 0.5})
    assert SEMANTICS[semantics].aggregation.max_weight == most
    found = qx.robustness(q, "p", "q", change="weights", semantics=semantics)
    assert (found.movers, found.example, found.found) == ((("x", "q"),), None, np.inf)
    # where any weight is allowed, those up to 100 were examined, and the sentence says so
    assert found.certified == (np.inf if np.isfinite(most) else 99.5)
    assert found.max_weight == found.to_dict()["max_weight"] == (None if np.isfinite(most) else 100.0)
    limited = "less than 99.500; with weights up to 100, no change was found that ends it."
    assert str(found).endswith("No change of weights ends the lead of p over q." if np.isfinite(most) else limited)
    none = qx.robustness(Qbaf({"p": 0.9, "q": 0.1}), "p", "q", change="weights", semantics=semantics)
    assert none.impossible
    assert none.movers == ()


def make_late_flip(weight: float, start: float = 0.5) -> Qbaf:
    """Under reb, q draws level with p when the weight w of x → q is this: σ(q) = 1 − (1 − b²)/(1 + b exp(0.05 w))."""
    base = 0.2
    level = 1 - (1 - base**2) / (1 + base * np.exp(0.05 * weight))
    return Qbaf({"p": float(level), "q": base, "x": 0.05}, supports={("x", "q"): start}, semantics="reb")


@pytest.mark.parametrize("weight", [9.0, 10.5, 13.0, 99.0])
def test_weights_beyond_ten_are_tried_too(weight: float) -> None:
    found = qx.robustness(make_late_flip(weight), "p", "q", change="weights")
    assert (found.certified, found.found) == pytest.approx((weight - 0.5, weight - 0.5), abs=1e-4)
    assert (found.exact, found.impossible) == (True, False)
    assert "up to" not in str(found)


def test_where_the_weights_that_are_tried_do_not_suffice_the_sentence_names_the_largest() -> None:
    found = qx.robustness(make_late_flip(101.0), "p", "q", change="weights")
    assert (found.certified, found.found, found.max_weight) == (99.5, np.inf, 100.0)
    assert (found.exact, found.impossible, found.example) == (False, False, None)
    assert str(found).endswith("; with weights up to 100, no change was found that ends it.")
    after = qx.strengths(make_late_flip(101.0, start=102.0))
    assert after["q"] > after["p"]  # which nothing above denies
    scores = qx.robustness(make_late_flip(101.0), "p", "q")
    assert (scores.max_weight, "up to" in str(scores)) == (None, False)
    round_trip = Qbaf({"p": 0.9, "q": 0.1, "x": 0.5}, attacks=[("x", "q")], supports={("q", "x"): 0.5}, semantics="reb")
    cyclic = str(qx.robustness(round_trip, "p", "q", movers=[("x", "q")]))
    assert cyclic.startswith("No change of the weight of x → q up to 100 was found that ends the lead of p over q.")


@pytest.mark.parametrize("start", [9.0, 12.0, 120.0])
def test_a_large_weight_lies_between_its_own_bounds(start: float) -> None:
    """The range is 100 times the largest weight, so that weights may rise from wherever they are, and fall."""
    found = qx.robustness(make_late_flip(start + 8, start), "p", "q", change="weights", time_limit=None)
    assert found.max_weight == 100 * start
    assert (found.certified, found.found) == pytest.approx((8.0, 8.0), abs=1e-3)
    down = Qbaf(
        {"p": 0.5, "q": 0.45, "x": 0.5}, supports={("x", "p"): start}, attacks={("x", "q"): 0.5}, semantics="reb"
    )
    moved = qx.reach(down, "p <= 0.6", change="weights", fixed=[("x", "q")])
    assert moved.change is not None
    old, new = moved.change["x", "p"]
    assert (old, 0 <= new < start) == (start, True)
    assert qx.strengths(moved.qbaf_after, semantics="reb")["p"] == pytest.approx(0.6, abs=1e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize(("left", "exact"), [(0.9e-4, True), (1.1e-4, False), (9e-3, False)])
def test_bounds_are_called_exact_if_they_differ_by_less_than_1e_4(
    left: float, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    q = Qbaf({"p": 0.7, "q": 0.4})
    real = robustness_module._prove

    def prove_less(*given: Any) -> Any:
        found = real(*given)
        return replace(found, lower=found.cost - left)

    monkeypatch.setattr(robustness_module, "_prove", prove_less)
    found = qx.robustness(q, "p", "q")
    assert found.found - found.certified == pytest.approx(left, rel=1e-9)
    assert found.exact == found.to_dict()["exact"] == exact
    assert ("; beyond that, q may draw level with p." in str(found)) == exact
    assert ("on q may draw level with p." in str(found)) == (not exact)


def test_one_weight_has_a_radius_in_closed_form() -> None:
    # DF-QuAD: p falls to 0.8 (1 − 0.5 w), so that p and q are level at w = 0.75
    q = Qbaf({"p": 0.8, "q": 0.5, "x": 0.5}, attacks={("x", "p"): 0.25}, semantics="df-quad")
    found = qx.robustness(q, "p", "q", movers=[("x", "p")])
    assert (found.certified, found.found) == pytest.approx((0.5, 0.5), abs=1e-4)
    assert found.example == pytest.approx({("x", "p"): 0.75}, abs=1e-4)
    assert found.to_dict()["example"] == {}
    assert found.to_dict()["example_weights"] == [{"source": "x", "target": "p", "weight": found.example["x", "p"]}]
    assert found.to_dict()["edges"] == [{"source": "x", "target": "p"}]


def test_more_boxes_prove_more() -> None:
    q = random_qbaf(3, cyclic=False, max_size=7)
    few, many = (qx.robustness(q, 0, 1, norm="l1", max_boxes=each, time_limit=None) for each in (1, 5000))
    assert few.certified <= many.certified <= many.found
    assert not few.stopped


@each_norm
@pytest.mark.heavy
def test_what_is_found_is_close_to_what_is_certified_on_most_small_acyclic_graphs(norm: str) -> None:
    close = []
    for seed in range(12):
        q = random_qbaf(seed, cyclic=False, max_size=7)
        if len(q) > 1:
            found = qx.robustness(q, 0, 1, semantics="qe", norm=norm, max_boxes=4000, time_limit=None)
            check_bounds(q, found)
            close.append(found.exact)
    assert np.mean(close) > 0.8


@each_norm
def test_on_cyclic_graphs_nothing_is_certified_and_the_example_ends_the_lead(norm: str) -> None:
    uncertain = 0
    for seed in range(number_of_cases(6, 3)):
        q = random_qbaf(seed, cyclic=True, max_size=6, max_weight=0.6)
        if len(q) < 2:
            continue
        try:
            found = qx.robustness(q, 0, 1, semantics="df-quad", norm=norm, time_limit=None)
        except qx.UndefinedStrength:
            continue
        check_bounds(q, found)
        if not found.certifiable and found.ahead is not None:
            assert found.certified == 0
            assert found.obstacles == ("cycle",)
            assert "cannot be proved here, because a cycle leads to the topics." in str(found)
            assert not found.impossible
            uncertain += 1
    assert uncertain


def test_a_cycle_that_leads_to_no_topic_does_not_matter() -> None:
    q = Qbaf({"p": 0.7, "q": 0.5, "x": 0.5, "y": 0.5}, attacks=[("x", "y"), ("y", "x"), ("p", "x")])
    found = qx.robustness(q, "p", "q")
    assert found.certifiable
    assert (found.certified, found.found) == pytest.approx((0.1, 0.1), abs=1e-4)
    assert found.movers == ("p", "q")


def test_two_topics_without_parents_have_a_radius_in_closed_form() -> None:
    q = Qbaf({"p": 0.7, "q": 0.4})
    for norm, radius in {"linf": 0.15, "l1": 0.3, "l2": 0.3 / np.sqrt(2)}.items():
        found = qx.robustness(q, "p", "q", norm=norm)
        assert (found.certified, found.found) == pytest.approx((radius, radius), abs=1e-4)
        assert found.exact
    alone = qx.robustness(q, "p", "q", movers=["q"])
    assert (alone.certified, alone.found) == pytest.approx((0.3, 0.3), abs=1e-4)
    assert alone.example == pytest.approx({"q": 0.7}, abs=1e-4)


def test_a_lead_that_no_change_can_end_is_certified_without_end() -> None:
    q = Qbaf({"p": 0.9, "q": 0.1, "x": 0.5}, attacks={("x", "p"): 0.1})
    for movers in (["x"], ["x", "q"]):
        found = qx.robustness(q, "p", "q", movers=movers, semantics="df-quad")
        assert found.impossible == (movers == ["x"])
    none = qx.robustness(q, "p", "q", movers=["x"], semantics="df-quad")
    assert (none.certified, none.found, none.example, none.exact) == (np.inf, np.inf, None, True)
    with pytest.raises(InvalidInput, match="no change was found after which 'p' is not ahead; none can be applied"):
        none.changed()
    unconnected = qx.robustness(Qbaf({"p": 0.9, "q": 0.1, "x": 0.5}), "p", "q", movers=["x"])
    assert unconnected.impossible


def test_under_a_semantics_of_your_own_nothing_is_certified() -> None:
    own = Semantics("own", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b * np.exp(-(e**2)))
    q = Qbaf({"p": 0.7, "q": 0.4, "x": 0.5}, supports=[("x", "q")])
    found = qx.robustness(q, "p", "q", semantics=own)
    assert (found.certified, found.certifiable, found.obstacles) == (0.0, False, ("semantics",))
    assert 0 < found.found < 1
    assert "cannot be proved here, because the semantics is not known to be monotone" in str(found)
    check = qx.strengths(found.changed(), semantics=own)
    assert check["p"] - check["q"] <= 1e-9


def test_an_interrupt_gives_what_is_known() -> None:
    q = Qbaf.from_arrays([0.5, 0.2, 0.7, 0.4], [0, 1, 0, 1, 2], [2, 2, 3, 3, 3], [1.0, -0.7, -1.0, 0.8, 0.9])
    calls: list[int] = []

    def interrupt(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    found = qx.robustness(q, 2, 3, progress=interrupt)
    assert found.stopped
    assert found.certified <= found.found


def test_progress_runs_to_its_end() -> None:
    seen: list[tuple[int, int]] = []
    qx.robustness(Qbaf({"p": 0.7, "q": 0.4}), "p", "q", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (100, 100)


def test_questions_that_make_no_sense_are_refused() -> None:
    q = Qbaf({"p": 0.7, "q": 0.4})
    with pytest.raises(InvalidInput, match="'p' cannot be compared with itself; name two topics"):
        qx.robustness(q, "p", "p")
    with pytest.raises(InvalidInput, match="movers is empty; name the arguments and edges that may be off"):
        qx.robustness(q, "p", "q", movers=[])
    with pytest.raises(InvalidInput, match="movers is the string 'p'; give a list of names"):
        qx.robustness(q, "p", "q", movers="p")
    with pytest.raises(UnknownName, match="no argument 'r'"):
        qx.robustness(q, "p", "q", movers=["r"])
    with pytest.raises(UnknownName, match=r"no edge \('p', 'q'\)"):
        qx.robustness(q, "p", "q", movers=[("p", "q")])
    with pytest.raises(
        InvalidInput, match="change is 'weights', but movers say what may be off; leave out one of them"
    ):
        qx.robustness(q, "p", "q", movers=["p"], change="weights")
    with pytest.raises(UnknownName, match="no change 'scores'"):
        qx.robustness(q, "p", "q", change="scores")
    with pytest.raises(UnknownName, match="no norm 'l3'"):
        qx.robustness(q, "p", "q", norm="l3")
