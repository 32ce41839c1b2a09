"""Families of sets are complete, proved and minimal where brute force over all sets says so, not one set earlier."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf, standard_errors
from qontrast.engine.problem import make_problem
from qontrast.explain import (
    change_elements,
    change_sets,
    change_shares,
    change_table,
    flip_removals,
    reasons_proof,
    reasons_search,
)
from qontrast.explain import reasons as reasons_module
from qontrast.explain.reasons_search import Orders
from tests.support.profiles import number_of_cases
from tests.support.reference import Loop
from tests.support.stops import count_time, interrupt_everywhere

SEEDS = range(number_of_cases(10, 2))
NAMES = [f"x{k}" for k in range(6)]


def make_graph(seed: int) -> Qbaf:
    """Two topics and six arguments that act on them directly, on each other, or both."""
    rng = np.random.default_rng(seed)
    scores = {"p": 0.55, "q": 0.5} | dict(zip(NAMES, rng.uniform(0.1, 0.9, 6).tolist(), strict=True))
    edges = {(x, t): float(rng.choice([-1, 1])) * 0.75 for x in NAMES for t in ("p", "q") if rng.random() < 0.5}
    edges |= {(x, y): 0.5 for x, y in combinations(NAMES, 2) if rng.random() < 0.2}
    attacks = {edge: -weight for edge, weight in edges.items() if weight < 0}
    supports = {edge: weight for edge, weight in edges.items() if weight > 0}
    return Qbaf(scores, attacks, supports, semantics="qe")


def find_sign(q: Qbaf, kept: tuple[str, ...]) -> int:
    """Who is ahead with these arguments alone, by plain Python."""
    part = q.without(*(x for x in NAMES if x not in kept))
    found = Loop(part, "qe").run(len(part))
    gap = found["p"] - found["q"]
    return 0 if abs(gap) <= 1e-10 else 1 if gap > 0 else -1


def list_minimal(sets: set[frozenset[str]]) -> set[frozenset[str]]:
    return {some for some in sets if not any(other < some for other in sets)}


def judge(q: Qbaf, players: list[str]) -> dict[str, set[frozenset[str]]]:
    """Prime, breaking and sufficient sets by the definitions, from all sets."""
    every = [frozenset(some) for k in range(len(players) + 1) for some in combinations(players, k)]
    whole = frozenset(players)
    keeps = {some: find_sign(q, tuple(some)) == find_sign(q, tuple(players)) for some in every}
    return {
        "prime": list_minimal({some for some in every if all(keeps[other] for other in every if some <= other)}),
        "breaking": list_minimal({some for some in every if not keeps[whole - some]}),
        "sufficient": list_minimal({some for some in every if keeps[some]}),
    }


def search(q: Qbaf, **settings: Any) -> qx.Reasons:
    return qx.reasons(q, "p", "q", **{"time_limit": None, **settings})


def check(found: qx.Reasons, truth: dict[str, set[frozenset[str]]]) -> None:
    """Whatever was searched: what is called prime is so, and lists that are called complete are."""
    assert set(found.prime) <= truth["prime"]
    assert not found.unproved or not found.complete
    for kind in ("breaking", "sufficient"):
        listed = set(getattr(found, kind))
        assert listed <= truth[kind]
        assert {some for some in truth[kind] if len(some) <= found.examined} <= listed
    if found.complete:
        assert set(found.prime) == truth["prime"]
        assert set(found.breaking) == truth["breaking"]


@pytest.fixture
def no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search from the first player on, instead of solving all sets."""
    monkeypatch.setattr(reasons_module, "MAX_TABLE_PLAYERS", 0)
    monkeypatch.setattr(reasons_search, "MAX_TABLE_PLAYERS", 3)
    monkeypatch.setattr(reasons_search, "LANES_PER_PIECE", 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_reasons_are_complete_up_to_the_number_of_sets_that_is_allowed_and_not_one_below(
    seed: int, no_table: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons_search, "MAX_SETS_PER_SIZE", 10)  # so that candidates are tested
    q = make_graph(seed)
    players = sorted({x for x in NAMES if qx.paths(q, x, "p", limit=1) or qx.paths(q, x, "q", limit=1)})
    truth, seen = judge(q, players), []
    for limit in range(1, 24):
        found = search(q, max_sets=limit)
        check(found, truth)
        seen.append(found.complete)
    assert seen[-1]
    assert seen == sorted(seen)


def test_a_breaking_set_one_larger_than_what_was_examined_is_still_looked_for(no_table: None) -> None:
    """p is ahead with x and one of y and z, so that {x} and {y, z} are breaking."""
    q = Qbaf({"p": 0.5, "q": 0.78, "x": 1.0, "y": 0.4, "z": 0.4}, supports=[(x, "p") for x in "xyz"], semantics="qe")
    seen = set()
    for limit in range(1, 5):
        found = search(q, max_sets=limit)
        seen.add((found.examined, found.complete))
        assert set(found.breaking) <= {frozenset("x"), frozenset("yz")}
        assert set(found.prime) <= {frozenset("xy"), frozenset("xz")}
        assert not found.complete or (len(found.breaking), len(found.prime)) == (2, 2)
    assert {examined for examined, complete in seen if not complete} >= {1}
    assert True in {complete for _, complete in seen}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("parts", [0, 1, 4])
def test_a_proof_that_was_given_up_proves_no_set(
    seed: int, parts: int, no_table: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons_search, "MAX_SETS_PER_SIZE", 0)
    monkeypatch.setattr(reasons_proof, "MAX_PARTS", parts)
    q = make_graph(seed)
    players = sorted({x for x in NAMES if qx.paths(q, x, "p", limit=1) or qx.paths(q, x, "q", limit=1)})
    check(search(q), judge(q, players))


def test_a_part_that_bounds_do_not_decide_is_proved_by_dividing_it_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """x helps p and q alike, so that bounds of p and q apart do not see that p stays ahead."""
    q = Qbaf({"p": 0.55, "q": 0.5, "x": 0.9}, supports=[("x", "p"), ("x", "q")], semantics="qe")
    orders = Orders(make_problem(q), qx.contrast(q, "p", "q").players, "p", "q", None)
    proof = reasons_proof.Proof(orders, lambda: None)
    assert proof.bound(np.array([[reasons_proof.FREE]], np.int8))[0] <= 0
    assert proof.try_to_prove(frozenset()) == (True, None)
    monkeypatch.setattr(reasons_proof, "MAX_PARTS", 0)
    assert proof.try_to_prove(frozenset()) == (False, None)


@pytest.mark.parametrize("above", [0.9e-10, 1.1e-10])
def test_a_set_whose_least_gap_is_a_tie_does_not_keep_the_order(above: float) -> None:
    """Without x the gap is `above`: a tie up to 1e-10, and then x is needed."""
    q = Qbaf({"p": 0.5 + above, "q": 0.5, "x": 0.5}, supports=[("x", "p")], semantics="qe")
    assert search(q).prime == [frozenset() if above > 1e-10 else frozenset({"x"})]
    orders = Orders(make_problem(q), qx.contrast(q, "p", "q").players, "p", "q", None)
    proved, dropped = reasons_proof.Proof(orders, lambda: None).try_to_prove(frozenset())
    assert (proved, dropped) == ((True, None) if above > 1e-10 else (False, [0]))


def test_the_time_of_reasons_may_end_at_every_reading_of_the_clock(
    no_table: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons_search, "MAX_SETS_PER_SIZE", 10)
    q = make_graph(0)
    players = sorted({x for x in NAMES if qx.paths(q, x, "p", limit=1) or qx.paths(q, x, "q", limit=1)})
    truth, clock, seen = judge(q, players), count_time(monkeypatch), []
    for limit in [*range(1, 60, number_of_cases(1, 4)), 100_000]:
        clock.now = 0.0
        found = search(q, time_limit=limit)
        check(found, truth)
        assert found.stopped or found.complete
        assert not (found.stopped and found.complete)
        assert ("was stopped by the time limit" in str(found)) is found.stopped
        assert ("Not all sets were examined" in str(found)) is (not found.complete)
        seen.append(found.stopped)
    assert seen[0]
    assert not seen[-1]


# -- removals -------------------------------------------------------------------------------------------------------


ATTACKED = Qbaf(  # q wins without both of its attackers, and without no fewer
    {"p": 0.51, "q": 0.5, "x": 0.25, "y": 0.3, "z": 0.25},
    attacks=[("x", "q"), ("y", "q")],
    supports=[("z", "q")],
    semantics="qe",
)


@pytest.mark.parametrize(("allowed", "proved"), [(comb(3, 1), True), (comb(3, 1) - 1, False), (0, False)])
def test_a_removal_is_called_smallest_where_all_smaller_sets_were_examined(
    allowed: int, proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flip_removals, "MAX_SETS", allowed)
    found = qx.flip(ATTACKED, "p", "q", time_limit=None)
    assert set(found.removal or ()) == {"x", "y"}
    assert found.proved is proved
    assert found.examined == (1 if proved else 0)
    assert ("no smaller set does it" in str(found)) is proved


@pytest.mark.parametrize(("allowed", "proved"), [(3, True), (2, False), (0, False)])
def test_removals_are_called_useless_where_all_sets_were_examined(
    allowed: int, proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flip_removals, "MAX_SETS", allowed)
    found = qx.flip(ATTACKED.with_base_scores({"p": 0.9}), "p", "q", time_limit=None)
    assert found.removal is None
    assert found.proved is proved
    assert found.examined == (3 if proved else 0)


def test_an_interrupt_of_flip_proves_nothing_that_was_not_examined() -> None:
    seen = set()
    for found in interrupt_everywhere(lambda: qx.flip(ATTACKED, "p", "q", time_limit=None), number_of_cases(60, 6)):
        seen.add((found.interrupted, found.proved, found.change_proved))
        assert found.interrupted
        assert found.stopped
        assert not found.change_proved
        assert found.removal is None or set(found.removal) >= {"x", "y"}
        assert not found.proved or (found.removal is not None and len(found.removal) == 2 and found.examined == 1)
    assert seen


def test_an_interrupt_of_the_quick_proof_of_flip_ends_flip() -> None:
    from qontrast.explain import reach_proof

    seen = []
    for found in interrupt_everywhere(
        lambda: qx.flip(ATTACKED, "p", "q", time_limit=None), number_of_cases(30, 3), reach_proof.__file__
    ):
        assert (found.interrupted, found.removal, found.change_proved) == (True, None, False)
        seen.append(found)
    assert seen


def test_the_time_of_flip_may_end_at_every_reading_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The energy z − x − y of q has to rise to √(s / (1 − s)) with s = 0.02."""
    least = 0.3 + float(np.sqrt(0.02 / 0.98))
    clock, seen = count_time(monkeypatch), []
    for limit in [*range(1, 200, number_of_cases(3, 33)), 100_000]:
        clock.now = 0.0
        found = qx.flip(ATTACKED, "p", "q", time_limit=limit)
        assert found.change_lower <= least + 1e-3
        assert not found.change_proved or found.cost <= least + 2e-3  # type: ignore[operator]
        assert not (found.change_proved and found.change_stopped)
        assert not found.proved or found.examined == 1
        seen.append((found.change_proved, found.proved))
    assert seen[-1][1]
    assert seen[0] == (False, False)


@pytest.mark.parametrize(("excess", "proved"), [(0.9, True), (1.1, False), (9.0, False)])
def test_a_flip_is_proved_where_no_change_is_cheaper_by_more_than_a_thousandth(
    excess: float, proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from qontrast.explain import flip as module
    from qontrast.explain.reach_proof import Proof

    def answer(task: Any, point: Any, **_: Any) -> Proof:
        cost = float(task.measure(point[None])[0])
        return Proof(cost - excess * 1e-3, point, cost, True)

    monkeypatch.setattr(module, "prove", answer)
    found = qx.flip(ATTACKED, "p", "q", time_limit=None)
    assert found.change_proved is proved


# -- changes --------------------------------------------------------------------------------------------------------


def grow(names: list[str]) -> tuple[Qbaf, Qbaf]:
    """Two versions: in the second, new arguments act on q; alone some end p's lead and others restore it."""
    scores = {"p": 0.55, "q": 0.5}
    added = dict(zip(names, [0.5, 0.4, 0.6, 0.5, 0.45][: len(names)], strict=True))
    before = Qbaf(scores, semantics="qe")
    attacks = [(x, "q") for x in names[1::2]]
    supports = [(x, "q") for x in names[::2]]
    return before, Qbaf(scores | added, attacks, supports, semantics="qe")


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_all_subsets_of_a_robust_pocket_keep_the_order_and_no_larger_set_does(size: int) -> None:
    names = list("abcde")[:size]
    before, after = grow(names)
    found = qx.change(before, after, "p", "q", units="arguments")

    def keeps(some: frozenset[str]) -> bool:
        part = after.without(*(x for x in names if x not in some))
        strengths = Loop(part, "qe").run(len(part))
        return bool(strengths["p"] - strengths["q"] > 1e-10)

    every = [frozenset(some) for k in range(size + 1) for some in combinations(names, k)]
    robust = {some for some in every if all(keeps(part) for part in every if part <= some)}
    assert set(found.pockets) == {some for some in robust if not any(some < other for other in robust)}


@pytest.mark.parametrize("largest", [1, 2, 3])
def test_small_sets_are_said_to_be_searched_up_to_the_last_size_that_was(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = grow(list("abcde"))
    after = after.with_base_scores({"p": 0.5, "q": 0.6})  # so that the order changes
    whole = qx.change(before, after, "p", "q", units="arguments")
    for module in (change_sets, change_shares):
        monkeypatch.setattr(module, "MAX_TABLE_UNITS", 4)
    units = len(whole)
    sizes = [comb(units, k) for k in (1, 2, 3)]
    allowed = {3: sum(sizes), 2: sum(sizes) - 1, 1: sum(sizes[:2]) - 1}  # as many as that, or one too few
    monkeypatch.setattr(change_sets, "MAX_SMALL_SETS", allowed[largest])
    found = qx.change(before, after, "p", "q", units="arguments", budget=2000)
    assert whole.largest_set is None
    assert found.largest_set == largest
    assert set(found.sufficient) == {some for some in whole.sufficient if len(some) <= largest}
    assert found.necessary == []


@pytest.mark.parametrize("axes", [3, 4, 5, 6])
def test_mixtures_of_more_units_than_a_block_has_axes_are_those_solved_as_lanes(
    axes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = grow(list("abcde"))
    after = after.with_base_scores({"p": 0.45})
    versions = change_elements.join_versions(before, after)
    mixtures = change_elements.mix_arguments(versions, [0, 1], make_problem)[1]
    monkeypatch.setattr(change_table, "AXES_PER_BLOCK", axes)
    by_axes = change_table.solve_axes(mixtures)
    assert len(mixtures.units) == 6
    np.testing.assert_allclose(by_axes, mixtures.solve_table(None), rtol=0, atol=1e-12)


def test_errors_of_sampled_shares_are_those_of_independent_pairs_of_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order and its reverse are one draw: what one overestimates the other underestimates."""
    before, after = grow(list("abcde"))
    after = after.with_base_scores({"p": 0.45})
    exact = qx.change(before, after, "p", "q", units="arguments")
    for module in (change_sets, change_shares):
        monkeypatch.setattr(module, "MAX_TABLE_UNITS", 4)
    units, pairs, seed = list(exact), 12, 3
    found = qx.change(before, after, "p", "q", units="arguments", budget=2 * (len(units) + 1) * pairs, seed=seed)
    assert found.std_error is not None

    def find_gap(applied: list[str]) -> float:
        part = after.with_base_scores({} if "p" in applied else {"p": 0.55})
        part = part.without(*(x for x in "abcde" if x not in applied))
        strengths = Loop(part, "qe").run(len(part))
        return float(strengths["p"] - strengths["q"])

    rng, means = np.random.default_rng(seed), []
    for _ in range(pairs):
        order = rng.permutation(len(units))
        gains = np.zeros(len(units))
        for each in (order, order[::-1]):
            gaps = [find_gap([units[k] for k in each[:size]]) for size in range(len(units) + 1)]
            gains[each] += np.diff(gaps) / 2
        means.append(gains)
    shares = np.array([found[unit] for unit in units])
    np.testing.assert_allclose(shares, np.mean(means, axis=0), atol=1e-9)
    variances = np.var(means, axis=0, ddof=1) / pairs * standard_errors.widen(pairs) ** 2
    np.testing.assert_allclose(
        [found.std_error[unit] for unit in units], standard_errors.find_errors(variances, pairs), atol=1e-9
    )
    assert qx.change(before, after, "p", "q", units="arguments", budget=168, seed=seed + 1).shares != found.shares
    steps = qx.history([before, after, before], "p", "q", units="arguments", budget=168, seed=seed).steps
    assert steps[0].shares == found.shares
    other = qx.history([before, after, before], "p", "q", units="arguments", budget=168, seed=seed + 1).steps
    assert steps[0].shares != other[0].shares


@pytest.mark.parametrize(("above", "changed"), [(0.9e-10, True), (1.1e-10, False)])
def test_a_change_to_a_tie_changes_the_order(above: float, changed: bool) -> None:
    before = Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, supports=[("x", "p")], semantics="qe")
    after = before.with_base_scores({"p": 0.5 + above, "x": 0.0})
    found = qx.change(before, after, "p", "q", units="arguments")
    assert (found.sufficient != [frozenset()]) is changed
    assert ("level" in str(found)) is changed
