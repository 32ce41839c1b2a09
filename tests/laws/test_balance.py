"""Where only rounding would decide, strengths are undefined; everywhere else a relabelled graph has the relabelled
strengths, a symmetric one symmetric strengths, and a lane the bits that it has alone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast import SEMANTICS, Qbaf, Semantics, UndefinedStrength, solve_lanes, strengths
from qontrast.engine import balance
from qontrast.engine.continuous import follow_flow
from qontrast.engine.discrete import iterate
from qontrast.engine.problem import make_problem
from qontrast.engine.update import Equation
from tests.support.profiles import FEW, number_of_cases
from tests.support.strategies import qbafs, random_qbaf

SOLVERS = ["discrete", "continuous"]
SAME = 1e-9  # rounding of 1e-16, which may be magnified until a lane counts as balanced
MUTUAL = {("a", "b"): 10, ("b", "a"): 10}
EVEN = Qbaf({"a": 0.5, "b": 0.5}, MUTUAL)
CAMPS = Qbaf(  # two rivals, attacked by the same scores in another order: their sums differ in the last bit
    {"a": 0.5, "b": 0.5, "r0": 0.1, "r1": 0.2, "r2": 0.3, "s0": 0.3, "s1": 0.1, "s2": 0.2},
    {**MUTUAL, **{(f"{side}{k}", topic): 1.0 for side, topic in ("ra", "sb") for k in range(3)}},
)
# each rival also supports itself, so that the synchronous update does not swing
LOYAL = Qbaf(
    CAMPS.base_scores,
    {**CAMPS.attacks, ("a", "b"): 4.0, ("b", "a"): 4.0},
    {("a", "a"): 4.0, ("b", "b"): 4.0},
)


def solve(q: Qbaf, semantics: str, solver: str) -> dict[object, float] | None:
    """Strengths, or None where they are undefined."""
    try:
        return dict(strengths(q, semantics=semantics, solver=solver))
    except UndefinedStrength:
        return None


def limit_weights(semantics: str) -> float:
    return min(8.0, SEMANTICS[semantics].aggregation.max_weight)


def rename(q: Qbaf, seed: int) -> Qbaf:
    """The same graph with its arguments and its edges in another order."""
    rng = np.random.default_rng(seed)
    names = [q.arguments[k] for k in rng.permutation(len(q))]

    def shuffle(edges: dict[tuple[object, object], float]) -> dict[tuple[object, object], float]:
        items = list(edges.items())
        return dict(items[k] for k in rng.permutation(len(items)))

    return Qbaf({name: q.base_scores[name] for name in names}, shuffle(dict(q.attacks)), shuffle(dict(q.supports)))


def mirror(q: Qbaf, seed: int) -> Qbaf:
    """Two copies of a graph, the second in another order, which act on each other as each acts on itself."""
    rng = np.random.default_rng(seed)
    crossing = {edge for edge in [*q.attacks, *q.supports] if rng.random() < 0.4}
    base, attacks, supports = {}, {}, {}
    for side, source in ((0, q), (1, rename(q, seed))):
        base |= {(name, side): score for name, score in source.base_scores.items()}
        for given_edges, edges in ((source.attacks, attacks), (source.supports, supports)):
            for (x, y), weight in given_edges.items():
                edges[((x, side), (y, 1 - side if (x, y) in crossing else side))] = weight
    names = {name: f"{name[0]} {name[1]}" for name in base}
    return Qbaf(
        {names[name]: score for name, score in base.items()},
        *({(names[x], names[y]): weight for (x, y), weight in edges.items()} for edges in (attacks, supports)),
    )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("semantics", SEMANTICS)
@FEW
@given(data=st.data())
def test_a_relabelled_graph_has_the_relabelled_strengths(data: st.DataObject, semantics: str, solver: str) -> None:
    q = data.draw(qbafs(cyclic=True, max_size=5, max_weight=limit_weights(semantics)))
    own, other = (solve(each, semantics, solver) for each in (q, rename(q, data.draw(st.integers(0, 99)))))
    assert (own is None) == (other is None)
    if own is not None and other is not None:
        assert other == pytest.approx(own, rel=0, abs=SAME)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("semantics", SEMANTICS)
@FEW
@given(data=st.data())
def test_a_symmetric_graph_has_symmetric_strengths_or_none(data: st.DataObject, semantics: str, solver: str) -> None:
    one = data.draw(qbafs(cyclic=True, max_size=4, max_weight=limit_weights(semantics)))
    found = solve(mirror(one, data.draw(st.integers(0, 99))), semantics, solver)
    if found is not None:
        for name in one:
            assert found[f"{name} 1"] == pytest.approx(found[f"{name} 0"], rel=0, abs=SAME)


@pytest.mark.parametrize(
    ("q", "solver"), [(EVEN, "continuous"), (CAMPS, "continuous"), (LOYAL, "continuous"), (LOYAL, "discrete")]
)
def test_what_only_an_exact_balance_holds_is_undefined_and_the_error_names_it(q: Qbaf, solver: str) -> None:
    with pytest.raises(
        UndefinedStrength, match=r"mlp: 'a', 'b' are held by an exact balance, so that rounding would"
    ) as e:
        strengths(q, semantics="mlp", solver=solver)
    assert e.value.arguments == ("a", "b")
    assert e.value.step > 1e-6
    assert not e.value.hints  # neither another solver nor more steps would help
    lanes = [[1.0] * len(q), [0.0] * len(q)]
    with pytest.raises(UndefinedStrength, match="'a', 'b' are held by an exact balance in lane 1, so that"):
        solve_lanes(q, present=lanes[::-1], semantics="mlp", solver=solver)


@pytest.mark.parametrize(("ahead", "behind"), ["ab", "ba"])
def test_a_lead_that_somebody_may_mean_decides_and_nothing_less_does(ahead: str, behind: str) -> None:
    """From both sides of the border: 1e-10 is above the distance of neighbours, 1e-12 below it."""
    for lead in (1e-3, 1e-7, 1e-10):
        found = strengths(EVEN.with_base_scores({ahead: 0.5 + lead}), semantics="mlp", solver="continuous")
        assert found[ahead] > 0.4
        assert found[behind] < 0.05
    with pytest.raises(UndefinedStrength, match="exact balance"):
        strengths(EVEN.with_base_scores({ahead: 0.5 + 1e-12}), semantics="mlp", solver="continuous")


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_strength_of_zero_is_no_balance(solver: str) -> None:
    """An argument without a score of its own stays at 0, although it supports itself: no rounding can move it."""
    q = Qbaf({"x": 0.0, "t": 0.4}, attacks=[("x", "t")], supports=[("x", "x")])
    assert dict(strengths(q, semantics="df-quad-squared-product", solver=solver)) == {"x": 0.0, "t": 0.4}
    some = q.with_base_scores({"x": 1e-3})
    assert strengths(some, semantics="df-quad-squared-product", solver=solver)["x"] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("weights", "balanced"), [((0.1, 0.2, 0.3), True), ((0.1, 0.2, 0.31), False)])
def test_sums_of_weights_in_another_order_are_a_balance_too(weights: tuple[float, ...], balanced: bool) -> None:
    """All base scores of the camps are 1, which is exact; their weights are not."""
    base = {"a": 0.5, "b": 0.5, **dict.fromkeys([f"{side}{k}" for side in "rs" for k in range(3)], 1.0)}
    attacks = dict(MUTUAL)
    attacks |= {(f"r{k}", "a"): w for k, w in enumerate((0.1, 0.2, 0.3))}
    attacks |= {(f"s{k}", "b"): w for k, w in enumerate(weights[::-1])}
    found = solve(Qbaf(base, attacks), "mlp", "continuous")
    assert (found is None) == balanced
    assert found is None or found["a"] > found["b"] + 0.2


@pytest.mark.parametrize("solver", SOLVERS)
def test_none_of_many_random_graphs_with_cycles_is_held_by_a_balance(solver: str) -> None:
    for seed in range(number_of_cases(60, 16)):
        q = qx.examples.random(12, "cyclic", seed=seed, semantics=("qe", "df-quad", "reb", "mlp")[seed % 4])
        assert not make_problem(q, None, solver).solution.balanced


@pytest.mark.parametrize("players", ["arguments", "edges"])
def test_contributions_of_balanced_lanes_are_refused_and_others_add_up(players: str) -> None:
    for method in ("shapley", "removal"):
        with pytest.raises(UndefinedStrength, match="exact balance"):
            qx.contrast(CAMPS, "a", "b", method=method, players=players, semantics="mlp", solver="continuous")
    # in the coalition of a and b alone the two must not be equal either
    ahead = CAMPS.with_base_scores({"a": 0.55})
    why = qx.contrast(ahead, "a", "b", method="shapley", players=players, semantics="mlp", solver="continuous")
    assert abs(why.residual) <= 1e-9


@pytest.mark.parametrize("method", ["shapley", "removal", "sampled"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_graph_that_is_decided_has_no_contributions_where_a_part_of_it_is_balanced(method: str, solver: str) -> None:
    """x decides between the rivals; without x nobody does."""
    mutual, loyal = dict.fromkeys(MUTUAL, 4.0), {("a", "a"): 4.0, ("b", "b"): 4.0}
    q = Qbaf({"a": 0.5, "b": 0.5, "x": 0.6}, {**mutual, ("x", "b"): 1.0}, loyal)
    assert strengths(q, semantics="mlp", solver=solver)["a"] > 0.9
    with pytest.raises(UndefinedStrength, match="'a', 'b' are held by an exact balance"):
        qx.contrast(q, "a", "b", method=method, semantics="mlp", solver=solver)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("players", ["arguments", "edges"])
@FEW
@given(data=st.data())
def test_exact_shapley_values_on_graphs_with_cycles_add_up_or_are_refused(
    data: st.DataObject, players: str, solver: str
) -> None:
    """Symmetric graphs, too; a topic that acts on itself is not at its base score when it is alone."""
    semantics = data.draw(st.sampled_from(sorted(SEMANTICS)))
    q = data.draw(qbafs(cyclic=True, max_size=3 if players == "edges" else 5, max_weight=limit_weights(semantics)))
    if players == "arguments" and len(q) <= 3 and data.draw(st.booleans()):
        q = mirror(q, data.draw(st.integers(0, 99)))
    fact, foil = q.arguments[-1], q.arguments[0]
    solved = solve(q, semantics, solver)
    try:
        why = qx.contrast(q, fact, foil, method="shapley", players=players, semantics=semantics, solver=solver)
    except UndefinedStrength:
        return
    assert solved is not None
    assert why.gap == pytest.approx(solved[fact] - solved[foil], abs=1e-12)
    alone = {x: strengths(q.restrict([x]), semantics=semantics, solver=solver)[x] for x in (fact, foil)}
    own = [alone[x] - q.base_scores[x] if players == "arguments" else 0.0 for x in (fact, foil)]
    assert why.residual == pytest.approx(own[0] - own[1], abs=SAME)


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("seed", range(number_of_cases(4, 2)))
def test_a_lane_of_the_flow_among_others_has_the_bits_that_it_has_alone(semantics: str, seed: int) -> None:
    q = random_qbaf(seed + 300, cyclic=True, max_weight=limit_weights(semantics), max_size=6)
    rng = np.random.default_rng(seed)
    present, base = rng.random((9, len(q))) < 0.7, rng.choice([0.0, 0.3, 0.5, 1.0], (9, len(q)))
    together = make_problem(q, semantics, "continuous").solve(present, base).strengths
    for k in range(9):
        alone = make_problem(q, semantics, "continuous").solve(present[[k]], base[[k]]).strengths
        np.testing.assert_array_equal(alone[0], together[k])


def test_equal_lanes_and_equal_rivals_are_equal_to_the_last_bit() -> None:
    """Three lanes [.5, .5] of two rivals, and a lead for each side in turn."""
    base = [[0.5, 0.5 + 1e-6], [0.5 + 1e-6, 0.5], [0.5, 0.5 + 1e-6], [0.5 + 1e-6, 0.5], [0.5, 0.5 + 1e-6]]
    found = solve_lanes(EVEN, base_scores=base, semantics="mlp", solver="continuous")
    for lane in found:
        assert sorted(lane.tolist()) == sorted(found[0].tolist())
    even = make_problem(EVEN, "mlp", "continuous", 10_000)
    states = follow_flow(even.equation, np.full((2, 3), 0.5), None, np.full(3, 400)).state
    assert len(set(states.ravel().tolist())) == 1


@pytest.mark.parametrize("semantics", SEMANTICS)
@given(data=st.data())
def test_where_the_update_contracts_no_neighbour_leads_away(data: st.DataObject, semantics: str) -> None:
    """The short way past the neighbours against the neighbours themselves."""
    q = data.draw(qbafs(cyclic=True, max_size=5, max_weight=limit_weights(semantics)))
    problem = make_problem(q, semantics)
    base = q.base_array[problem.arrays.order][:, None]
    path = iterate(problem.equation, base, None, np.array([10_000]))
    if path.moving[0] == 0 and balance.find_contractions(problem.equation, base, None, path)[0]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(balance, "find_contractions", lambda equation, base, held, path: np.zeros(1, bool))
            apart = balance.measure_balance(iterate, problem.equation, base, None, path, 10_000)
        assert apart.max() <= 1e-6


@pytest.mark.parametrize("weight", [3.9, 3.99, 4.01, 4.1])
def test_the_word_contracts_is_absent_where_the_slope_just_exceeds_one(weight: float) -> None:
    """mlp has a slope of weight / 4 at most, which a and b at 1/2 reach."""
    q = Qbaf({"a": 0.5, "b": 0.5}, {("a", "b"): weight, ("b", "a"): weight}, {("a", "a"): weight, ("b", "b"): weight})
    problem = make_problem(q, "mlp")
    base = np.full((2, 1), 0.5)
    path = iterate(problem.equation, base, None, np.array([10_000]))
    # both parents of a move together: the slopes of a support and an attack add up
    assert balance.find_contractions(problem.equation, base, None, path)[0] == (2 * weight / 4 <= 0.999)
    half = Qbaf({"a": 0.5, "b": 0.5}, {("a", "b"): weight, ("b", "a"): weight})
    swinging = make_problem(half, "mlp")
    path = balance.Path(base, np.ones(1, np.int64), np.zeros(1), base - 0.5, base + 0.5)
    assert balance.find_contractions(swinging.equation, base, None, path)[0] == (weight / 4 <= 0.999)
    assert balance.contracts_everywhere(swinging.equation, base, base) == (weight / 4 <= 0.999)


def test_formulas_of_users_are_never_said_to_contract() -> None:
    mine = Semantics("mine", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + 0.01 * np.tanh(e))
    problem = make_problem(Qbaf({"a": 0.5}, supports=[("a", "a")]), mine)
    base = np.full((1, 1), 0.5)
    assert not balance.contracts_everywhere(problem.equation, base, base)
    assert problem.strengths()[0, 0] == pytest.approx(0.5 + 0.01 * np.tanh(0.505), abs=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_number_of_updates_is_limited_by_max_steps(solver: str) -> None:
    """a and b approach their equilibrium as slowly as 0.995 to the power of the steps."""
    q = Qbaf({"a": 1.0, "b": 0.99}, attacks=[("a", "b"), ("b", "a")])
    for max_steps in (20, 60):
        with pytest.raises(UndefinedStrength, match=r"after \d\d steps.*raise max_steps") as error:
            strengths(q, semantics="df-quad", solver=solver, max_steps=max_steps)
        steps = int(str(error.value).partition(" steps")[0].rpartition(" ")[2])
        assert max_steps - 6 < steps <= max_steps
    if solver == "continuous":
        assert strengths(q, semantics="df-quad", solver=solver)["a"] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.heavy
def test_flip_takes_few_updates_where_the_flow_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trial may take 2,000 updates, and lanes that have come to rest take none."""
    taken, update = [0, 0], Equation.update

    def count(self: Equation, states: np.ndarray, *given: object, **settings: object) -> np.ndarray:
        taken[0], taken[1] = taken[0] + 1, taken[1] + states.shape[1]
        return update(self, states, *given, **settings)

    monkeypatch.setattr(Equation, "update", count)
    found = qx.flip(qx.read("examples:undefined"), "bridge", "detour", solver="continuous", time_limit=None)
    assert found.change is not None
    assert (taken[0] <= 100_000, taken[1] <= 400_000) == (True, True), taken


def test_every_coalition_of_two_camps_is_solved_as_its_own_graph_is() -> None:
    names = list(CAMPS)
    present = np.array(list(product((0, 1), repeat=len(names))))[::7]
    solution = make_problem(CAMPS, "mlp", "continuous").solve(present)
    for there, lane in zip(present.astype(bool), solution.strengths, strict=True):
        part = solve(CAMPS.restrict(np.array(names)[there].tolist()), "mlp", "continuous")
        if part is None:
            assert np.isnan(lane).all()
        else:
            assert lane[there] == pytest.approx(list(part.values()), abs=1e-12)
