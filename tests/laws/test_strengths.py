"""Strengths against the definitions in reference.py, and the laws that every semantics obeys."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import SEMANTICS, Qbaf, Semantics, UndefinedStrength, solve_lanes, strengths, trajectory
from qontrast.engine import backend
from qontrast.engine.problem import make_problem
from qontrast.graph import levels
from qontrast.graph.levels import find_levels
from tests.support.other_arrays import make_other_backend
from tests.support.profiles import number_of_cases
from tests.support.reference import Loop, exact
from tests.support.strategies import eighths, qbafs, random_qbaf

NAMES = sorted(SEMANTICS)
SUMS = ["qe", "reb", "mlp", "ebt"]  # the ones that take any weight
LAST_DIGITS = 1e-13  # rounding of a handful of operations, magnified by slopes of at most a few units per level


@pytest.mark.parametrize("semantics", ["df-quad", "qe"])
@given(qbaf=qbafs(max_size=6, base=eighths, weight=st.sampled_from([1.0, 0.5, 0.25, 0.0])))
def test_strengths_equal_exact_rational_arithmetic(semantics: str, qbaf: Qbaf) -> None:
    found, truth = strengths(qbaf, semantics=semantics), exact(qbaf, semantics)
    for name in qbaf:
        assert found[name] == pytest.approx(float(truth[name]), rel=0, abs=1e-15 * len(qbaf))  # a few ulps per level


@pytest.mark.parametrize("semantics", NAMES)
def test_strengths_equal_a_plain_loop_on_random_acyclic_graphs(semantics: str) -> None:
    for seed in range(number_of_cases(300, 100)):
        qbaf = random_qbaf(seed, cyclic=False, max_weight=3.0 if semantics in SUMS else 1.0)
        found, truth = strengths(qbaf, semantics=semantics), Loop(qbaf, semantics).run(len(qbaf))
        assert found.solver == "one pass"
        assert dict(found) == pytest.approx(truth, rel=0, abs=LAST_DIGITS), seed


@pytest.mark.parametrize("semantics", NAMES)
def test_strengths_equal_a_plain_loop_on_random_cyclic_graphs(semantics: str) -> None:
    defined = undefined = 0
    graphs = number_of_cases(150, 50)
    for seed in range(graphs):
        qbaf = random_qbaf(10_000 + seed, cyclic=True, max_weight=2.0 if semantics in SUMS else 1.0, max_size=6)
        truth = Loop(qbaf, semantics).limit(1500)
        try:
            found = dict(strengths(qbaf, semantics=semantics))
        except UndefinedStrength:
            assert truth is None, seed
            undefined += 1
        else:
            defined += 1
            # the tolerance of the iteration is 1e-12; a graph just at the rim of stability magnifies it
            assert found == pytest.approx(truth or Loop(qbaf, semantics).run(40_000), rel=0, abs=1e-11), seed
    assert defined > 0.6 * graphs  # the comparison is not an empty one
    assert undefined < 0.4 * graphs


def test_a_strength_computed_by_hand_with_weights_and_both_kinds_of_parents() -> None:
    q = Qbaf(
        {"s": 0.4, "a": 0.8, "m": 0.5, "t": 0.6}, attacks={("a", "m"): 0.5, ("m", "t"): 1.0}, supports={("s", "t"): 0.5}
    )
    # df-quad: m = 0.5 − 0.5·0.4 = 0.3; E(t) = (1 − 0.3) − (1 − 0.2) = −0.1; t = 0.6 − 0.1·0.6
    assert strengths(q, semantics="df-quad")["t"] == pytest.approx(0.54, abs=1e-15)
    # qe: m = 0.5 − 0.5·0.16/1.16; E(t) = 0.2 − m
    m = 0.5 - 0.5 * 0.16 / 1.16
    assert strengths(q, semantics="qe")["t"] == pytest.approx(
        0.6 - 0.6 * (m - 0.2) ** 2 / (1 + (m - 0.2) ** 2), abs=1e-15
    )


def test_the_two_functions_sold_as_squared_df_quad_keep_their_two_values() -> None:
    q = Qbaf({"a": 0.5, "t": 0.5}, attacks=[("a", "t")])
    assert strengths(q, semantics="df-quad-squared-product")["t"] == 0.125
    assert strengths(q, semantics="df-quad-1-max")["t"] == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.parametrize("semantics", NAMES)
@given(qbaf=qbafs(cyclic=True), data=st.data())
def test_an_argument_held_at_zero_is_as_good_as_gone(semantics: str, qbaf: Qbaf, data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(qbaf), max_size=len(qbaf)))
    part = qbaf.restrict(name for name, kept in zip(qbaf, keep, strict=True) if kept)
    try:
        held = solve_lanes(qbaf, present=[keep], semantics=semantics)[0]
        cut = strengths(part, semantics=semantics)
    except UndefinedStrength:
        return
    assert held[~np.array(keep)] == pytest.approx(0.0, abs=0.0)
    assert held[np.array(keep)] == pytest.approx(cut.array, rel=0, abs=1e-11)  # both are good to 1e-12


@pytest.mark.parametrize("semantics", NAMES)
@given(qbaf=qbafs(cyclic=True), score=st.floats(0, 1))
def test_an_isolated_argument_changes_nothing(semantics: str, qbaf: Qbaf, score: float) -> None:
    more = Qbaf({"alone": score, **qbaf.base_scores}, qbaf.attacks, qbaf.supports)
    try:
        found = strengths(qbaf, semantics=semantics)
    except UndefinedStrength:
        with pytest.raises(UndefinedStrength):
            strengths(more, semantics=semantics)
        return
    assert dict(strengths(more, semantics=semantics)) == {"alone": score, **found}  # to the last bit


@pytest.mark.parametrize("semantics", NAMES)
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_lane_among_others_equals_the_lane_alone_to_the_last_bit(semantics: str, cyclic: bool) -> None:
    rng = np.random.default_rng(5)
    for seed in range(7):
        qbaf = random_qbaf(seed, cyclic=cyclic, max_weight=0.4, max_size=14)
        base, there = rng.random((9, len(qbaf))), rng.random((9, len(qbaf))) < 0.8
        asked = make_problem(qbaf, semantics, max_steps=60)  # some lanes have no limit, or none so soon: they are NaN
        together = asked.solve(there, base)
        alone = [asked.solve(t, b) for t, b in zip(there, base, strict=True)]
        two = asked.solve(there[[7, 2]], base[[7, 2]])
        for what in ("strengths", "steps", "moving"):
            all_lanes = getattr(together, what)
            np.testing.assert_array_equal(all_lanes, np.concatenate([getattr(one, what) for one in alone]))
            np.testing.assert_array_equal(all_lanes[[7, 2]], getattr(two, what))


@pytest.mark.parametrize("semantics", SUMS)
def test_forty_parents_are_added_in_the_same_order_in_one_lane_and_in_many(semantics: str) -> None:
    rng = np.random.default_rng(1)
    star = Qbaf.from_arrays(rng.random(41), np.arange(40), np.full(40, 40), rng.normal(size=40))
    base = rng.random((20, 41))
    alone = [solve_lanes(star, base_scores=b, semantics=semantics)[0] for b in base]
    assert (solve_lanes(star, base_scores=base, semantics=semantics) == np.array(alone)).all()


def test_lanes_in_several_chunks_equal_the_lanes_of_one() -> None:
    rng = np.random.default_rng(2)
    n = 3000  # a chunk holds about 2^18 numbers: 43 lanes of 6000 edges
    qbaf = random_dag(n, 2, rng)
    base = rng.random((101, n))
    together = solve_lanes(qbaf, base_scores=base)
    assert (together[[0, 42, 43, 100]] == [solve_lanes(qbaf, base_scores=base[k])[0] for k in (0, 42, 43, 100)]).all()


def random_dag(n: int, degree: int, rng: np.random.Generator) -> Qbaf:
    targets = np.repeat(np.arange(1, n), degree)
    sources = (rng.random(len(targets)) * targets).astype(int)
    pairs = np.unique(np.column_stack((sources, targets)), axis=0)
    return Qbaf.from_arrays(rng.random(n), pairs[:, 0], pairs[:, 1], rng.choice([-1.0, 1.0], len(pairs)))


def test_one_row_of_lanes_serves_all_rows_of_the_other() -> None:
    q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")])
    base = [[0.5, 0.5], [1.0, 0.5]]
    assert solve_lanes(q, present=[1, 1], base_scores=base, semantics="df-quad").tolist() == [[0.5, 0.75], [1.0, 1.0]]
    assert solve_lanes(q, present=[[1, 1], [0, 1]], base_scores=[1.0, 0.5], semantics="df-quad").tolist() == [
        [1.0, 1.0],
        [0.0, 0.5],
    ]
    assert solve_lanes(q, present=np.ones((0, 2))).shape == (0, 2)


def test_the_upstream_transient_decides_which_of_two_fixed_points_is_reached() -> None:
    # p starts at 1 and is pulled down to 0 by s in one step, but its first push has carried x over the ridge.
    scores = {"s": 1.0, "p": 1.0, "x": 0.01}
    q = Qbaf(scores, attacks={("s", "p"): 100.0}, supports={("p", "x"): 5.0, ("x", "x"): 5.0})
    found = strengths(q, semantics="qe")
    assert found["x"] > 0.9
    assert dict(found) == pytest.approx(Loop(q, "qe").limit(), rel=0, abs=1e-11)
    # Without p nothing pushes, not even at the start.
    assert solve_lanes(q, present=[[1, 0, 1]], semantics="qe")[0, 2] < 0.05
    # Component by component, p would be at its end before x begins: another fixed point of the same equation.
    upstream = strengths(q.restrict(["s", "p"]), semantics="qe")
    settled = Qbaf({"p": upstream["p"], "x": 0.01}, supports={("p", "x"): 5.0, ("x", "x"): 5.0})
    low = strengths(settled, semantics="qe")["x"]
    assert low < 0.05
    again = Loop(q, "qe").step({"s": 1.0, "p": upstream["p"], "x": low})
    assert again["x"] == pytest.approx(low, abs=1e-11)


def test_a_pulse_that_a_large_weight_will_magnify_is_not_taken_for_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    # One step after the other moves one argument only: m by 0.5, n by 1e-8, y by 1e-16, and then x by 0.5.
    weights = {("s", "m"): 1.0, ("m", "n"): 2e-4, ("n", "y"): 1.0, ("y", "x"): 1e16, ("loop", "loop"): 1.0}
    q = Qbaf({"s": 1.0, "m": 0.0, "n": 0.0, "y": 0.0, "x": 0.0, "loop": 0.0}, supports=weights)
    assert strengths(q, semantics="qe")["x"] == pytest.approx(Loop(q, "qe").run(10)["x"], abs=1e-12)
    assert strengths(q, semantics="qe")["x"] == pytest.approx(0.5, abs=1e-6)
    # lanes with weights of their own, some of which end early, and on a device
    made = make_other_backend()
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: made)
    lanes = np.tile(np.abs(q.weights), (9, 1))
    assert list(q.supports)[1:4:2] == [("m", "n"), ("y", "x")]
    lanes[:6, 1], lanes[:6, 3] = 0.0, 1.0
    for device in ("cpu", "cuda"):
        found = solve_lanes(q, weights=lanes, semantics="qe", device=device)[:, q.index("x")]
        assert found == pytest.approx([0.0] * 6 + [0.5] * 3, abs=1e-6)
        found = solve_lanes(q, present=np.ones((2, len(q))), semantics="qe", device=device)[:, q.index("x")]
        assert found == pytest.approx([0.5, 0.5], abs=1e-6)


@pytest.mark.parametrize("gain", [0.9, 0.99, 0.998])
def test_slow_convergence_is_followed_to_its_end(gain: float) -> None:
    q = Qbaf({"a": 0.5}, attacks={("a", "a"): gain})  # σ = 0.5 − 0.5·gain·σ, alternating
    assert strengths(q, semantics="df-quad")["a"] == pytest.approx(0.5 / (1 + 0.5 * gain), abs=1e-12)
    # σ ← τ + w σ (1 − τ): the rate is w(1 − τ), the limit τ / (1 − w(1 − τ))
    rise = strengths(Qbaf({"a": 1e-4}, supports={("a", "a"): gain}), semantics="df-quad", max_steps=40_000)
    assert rise["a"] == pytest.approx(1e-4 / (1 - gain * (1 - 1e-4)), abs=3e-12)  # rounding / (1 − rate) is 1e-13


def test_convergence_too_slow_for_the_limit_of_steps_is_an_error_and_says_so() -> None:
    with pytest.raises(UndefinedStrength, match="may converge slowly; raise max_steps"):
        strengths(Qbaf({"a": 1e-7}, supports=[("a", "a")]), semantics="df-quad", max_steps=50)


def test_an_update_without_limit_is_an_error_that_names_who_moves() -> None:
    q = Qbaf({"a": 1.0, "b": 1.0, "calm": 0.3}, attacks=[("a", "b"), ("b", "a")])
    with pytest.raises(
        UndefinedStrength, match=r"df-quad: 'a', 'b' still move by 1 after \d\d? steps; .* solver=.continuous."
    ) as e:
        strengths(q, semantics="df-quad")
    assert e.value.arguments == ("a", "b")
    assert e.value.step == 1.0
    with pytest.raises(UndefinedStrength, match="in lane 1;") as e:
        solve_lanes(q, present=[[1, 0, 1], [1, 1, 1]], semantics="df-quad")
    assert e.value.lane == 1


def test_the_continuous_semantics_gives_the_two_values_of_the_literature() -> None:
    b, c = [f"b{i}" for i in range(10)], [f"c{i}" for i in range(10)]
    q = Qbaf(
        {"A": 1.0, **dict.fromkeys(b + c, 0.0)},
        attacks=[(x, "A") for x in c],
        supports=[("A", x) for x in b] + [(x, y) for x in b for y in c],
    )
    with pytest.raises(UndefinedStrength):
        strengths(q, semantics="qe")
    found = strengths(q, semantics="qe", solver="continuous")
    assert found["A"] == pytest.approx(0.2240877, abs=5e-8)  # as printed
    assert found.residual < 1e-13
    pair = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    assert dict(strengths(pair, semantics="df-quad", solver="continuous")) == pytest.approx(
        {"a": 0.5, "b": 0.5}, abs=1e-9
    )


@pytest.mark.parametrize("lead", [1e-3, 1e-7])
def test_the_continuous_semantics_does_not_stop_at_an_equilibrium_it_only_passes(lead: float) -> None:
    q = Qbaf({"a": 0.5 + lead, "b": 0.5}, attacks={("a", "b"): 10, ("b", "a"): 10})
    found = strengths(q, semantics="mlp", solver="continuous")
    assert found["a"] > 0.4
    assert found["b"] < 0.05
    lanes = solve_lanes(q, base_scores=[[0.5 + lead, 0.5], [0.5, 0.5 + lead]], semantics="mlp", solver="continuous")
    assert lanes[0] == pytest.approx(found.array, abs=1e-12)
    assert lanes[1] == pytest.approx(found.array[::-1], abs=1e-12)


@pytest.mark.parametrize("semantics", ["df-quad", "qe", "reb", "mlp"])
def test_many_continuous_lanes_are_what_each_is_alone(semantics: str) -> None:
    """Each coalition of a cyclic graph, side by side and by itself; so too those that only pass an equilibrium."""
    rng = np.random.default_rng(3)
    attacks = {("a", "b"): 1.0, ("b", "a"): 1.0, ("c", "a"): 0.5, ("b", "d"): 1.0}
    heavy = {edge: 8.0 * weight for edge, weight in attacks.items()}
    q = Qbaf(
        {"a": 0.5, "b": 0.5 + 1e-9, "c": 0.2, "d": 1.0},
        attacks if semantics == "df-quad" else heavy,
        {("d", "c"): 0.7, ("a", "d"): 0.3, ("c", "c"): 0.9},
    )
    present = np.array(list(product((0, 1), repeat=4)))
    base = np.where(rng.random((16, 4)) < 0.5, q.base_array, rng.random((16, 4)))
    found = solve_lanes(q, present=present, base_scores=base, semantics=semantics, solver="continuous")
    for there, scores, lane in zip(present.astype(bool), base, found, strict=True):
        alone = q.with_base_scores(dict(zip(q, scores.tolist(), strict=True))).restrict(
            np.array(list(q))[there].tolist()
        )
        # both end at an equilibrium with a residual below 1e-13; what steep slopes make of that stays below 1e-10
        assert lane[there] == pytest.approx(strengths(alone, semantics=semantics, solver="continuous").array, abs=1e-10)
        assert not lane[~there].any()


def test_a_lane_without_an_equilibrium_leaves_the_others_as_they_are() -> None:
    growing = Semantics("growing", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + 2 * e, bounded=False)
    q = Qbaf({"a": 0.5, "b": 0.5}, supports=[("a", "a"), ("a", "b"), ("b", "b")])
    lanes = make_problem(q, growing, "continuous").solve([[0, 0], [1, 1], [1, 0]])
    assert lanes.strengths[0].tolist() == [0.0, 0.0]
    assert lanes.moving[0] == 0
    assert (lanes.moving[1:] > 0).all()
    assert np.isnan(lanes.strengths[1:]).all()


def test_continuous_and_discrete_agree_where_the_update_contracts() -> None:
    for seed in range(30):
        qbaf = random_qbaf(seed, cyclic=True, max_weight=0.3, max_size=6)
        if np.abs(qbaf.weights).sum() < 1.5:  # slopes are below 0.65, so F contracts
            one, other = strengths(qbaf, semantics="qe"), strengths(qbaf, semantics="qe", solver="continuous")
            assert other.array == pytest.approx(one.array, rel=0, abs=1e-11)


def test_a_trajectory_starts_at_the_base_scores_and_ends_at_the_strengths() -> None:
    q = Qbaf({"a": 0.5, "b": 0.7, "t": 0.3}, attacks=[("a", "b"), ("b", "a")], supports=[("a", "t")])
    for solver in ("continuous", "discrete"):
        path = trajectory(q, semantics="qe", solver=solver, until=60)
        assert path.strengths[0] == pytest.approx([0.5, 0.7, 0.3], abs=0)
        assert path.strengths[-1] == pytest.approx(
            strengths(q, semantics="qe").array, abs=1e-7
        )  # the integrator's rtol is 1e-9
    steps = trajectory(q, semantics="qe", solver="discrete", until=3)
    assert dict(zip(q, steps.strengths[2], strict=True)) == pytest.approx(Loop(q, "qe").run(2), abs=1e-15)
    alone = trajectory(Qbaf({"s": 1.0, "t": 0.0}, supports=[("s", "t")]), semantics="df-quad", until=2, points=3)
    assert alone["t"] == pytest.approx(1 - np.exp(-alone.times), abs=1e-7)  # dσ/dt = 1 − σ


def test_the_residual_and_the_steps_say_how_the_strengths_were_found() -> None:
    q = Qbaf({"a": 0.5, "b": 0.7}, attacks=[("a", "b"), ("b", "a")])
    found = strengths(q, semantics="qe")
    again = Loop(q, "qe").step(dict(found))
    assert found.residual == pytest.approx(max(abs(again[x] - found[x]) for x in q), abs=1e-15)
    assert (found.solver, found.semantics) == ("discrete", "qe")
    assert found.steps > 3
    assert found == dict(found)
    assert "a 0." in str(found)
    assert "strengths(" not in repr(found).replace("Strengths(", "")


def test_the_semantics_of_the_graph_is_taken_unless_another_is_asked_for() -> None:
    q = Qbaf({"a": 0.5, "t": 0.5}, supports=[("a", "t")], semantics="df-quad")
    assert strengths(q)["t"] == 0.75
    assert strengths(q, semantics="qe")["t"] == pytest.approx(0.6, abs=1e-15)
    assert strengths(Qbaf(q.base_scores, supports=q.supports))["t"] == pytest.approx(0.6, abs=1e-15)


def test_a_users_own_semantics_works_wherever_a_built_in_one_does() -> None:
    mine = Semantics(
        "mine", lambda att, sup: (1 - att).prod(0) - (1 - sup).prod(0), lambda b, e: b + e * np.where(e > 0, 1 - b, b)
    )
    assert mine.numeric
    for seed in range(40):
        qbaf = random_qbaf(seed, cyclic=seed % 2 == 1)
        try:
            truth = strengths(qbaf, semantics="df-quad").array
        except UndefinedStrength:
            continue
        assert strengths(qbaf, semantics=mine).array == pytest.approx(truth, abs=1e-11)
        lanes = np.ones((3, len(qbaf)))
        assert solve_lanes(qbaf, present=lanes, semantics=mine)[2] == pytest.approx(truth, abs=1e-11)


def test_a_chain_of_many_arguments_needs_no_recursion() -> None:
    n = 50_000  # a million takes a quarter of a minute, and nothing is different there
    q = Qbaf.from_arrays(np.full(n, 0.5), np.arange(n - 1), np.arange(1, n), np.full(n - 1, -1.0))
    found = strengths(q, semantics="df-quad")
    assert found[n - 1] == pytest.approx(1 / 3, abs=1e-15)  # σ = 0.5 (1 − σ)
    assert q.structure.arrays.levels == n


def test_levels_are_longest_paths_also_beyond_the_depth_where_the_method_changes() -> None:
    rng = np.random.default_rng(3)
    n = 5000
    chain = np.column_stack((np.arange(n - 1), np.arange(1, n)))
    extra = np.sort(rng.integers(0, n, (2 * n, 2)), axis=1)
    pairs = np.unique(np.concatenate((chain, extra[extra[:, 0] < extra[:, 1]])), axis=0).astype(np.int32)
    shuffled = rng.permutation(n).astype(np.int32)
    found, _ = find_levels(n, shuffled[pairs[:, 0]], shuffled[pairs[:, 1]])
    assert (found[shuffled] == np.arange(n)).all()
    for short, long in ((0, 1), (1, 0)):  # two chains that meet, whichever is followed first
        starts, lengths = (0, 3000), [0, 0]
        lengths[short], lengths[long] = 2500, 2999
        ends = [np.arange(start, start + length) for start, length in zip(starts, lengths, strict=True)]
        meet = [starts[k] + lengths[k] for k in (0, 1)]
        sources = np.concatenate((*ends, meet)).astype(np.int32)
        targets = np.concatenate((*(end + 1 for end in ends), [6000, 6000])).astype(np.int32)
        assert find_levels(6001, sources, targets)[0][6000] == 3000
    closed = np.concatenate((pairs, [[n - 1, n - 1]])).astype(np.int32)
    assert not find_levels(n, closed[:, 0], closed[:, 1])[1].all()


@pytest.mark.parametrize("cyclic", [False, True])
def test_levels_are_the_same_one_argument_or_one_level_at_a_time(cyclic: bool, monkeypatch) -> None:
    for seed in range(60):
        q = random_qbaf(seed, cyclic=cyclic, max_size=20)
        both = []
        for most in (0, 10**9):
            monkeypatch.setattr(levels, "MAX_EDGES_IN_A_LOOP", most)
            level, reached = find_levels(len(q), q.sources, q.targets)
            both.append((level[reached].tolist(), reached.tolist()))
        assert both[0] == both[1], seed


def test_a_graph_without_arguments_has_no_strengths_and_no_error() -> None:
    assert dict(strengths(Qbaf({}))) == {}
    assert dict(strengths(Qbaf({}), solver="continuous")) == {}


@pytest.mark.parametrize("semantics", SUMS)
def test_extreme_weights_and_many_parents_stay_in_range_without_a_warning(semantics: str) -> None:
    base = {f"s{i}": 1.0 for i in range(1000)} | {"zero": 0.0, "half": 0.5, "one": 1.0}
    for sign in ("attacks", "supports"):
        for weight in (1.0, 1e300):
            edges = {(f"s{i}", t): weight for i in range(1000) for t in ("zero", "half", "one")}
            found = strengths(Qbaf(base, **{sign: edges}), semantics=semantics)
            assert all(0 <= value <= 1 for value in found.values())
            assert (
                strengths(Qbaf(base, **{sign: {**edges, ("half", "half"): weight}}), semantics=semantics)["s0"] == 1.0
            )
    if semantics in ("reb", "ebt", "mlp"):
        assert (found["zero"], found["one"]) == (0.0, 1.0)


def test_a_trajectory_says_its_solver_its_semantics_and_its_times() -> None:
    q = Qbaf({"a": 1.0, "b": 1.0}, attacks=[("a", "b"), ("b", "a")])
    for solver in ("discrete", "continuous"):
        assert f"{solver} strengths under df-quad from 0 to 3" in str(
            trajectory(q, semantics="df-quad", solver=solver, until=3)
        )
