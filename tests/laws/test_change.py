"""The difference of two versions against its definition: every mixture is built as a graph and solved by a loop."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations, pairwise
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qontrast import (
    SEMANTICS,
    InvalidInput,
    InvalidQbaf,
    Qbaf,
    Semantics,
    UndefinedStrength,
    UnknownName,
    change,
    history,
    strengths,
    whatif,
)
from qontrast.engine.problem import make_problem
from qontrast.explain import change_elements, change_sets, change_shares, change_table
from tests.support.profiles import FEW
from tests.support.reference import Loop
from tests.support.strategies import qbafs, scores

Signed = dict[tuple[Any, Any], tuple[str, float]]  # (source, target) → kind and weight
NUMBERS = st.one_of(st.sampled_from([0.0, 0.25, 1.0]), st.floats(0.0, 1.0, allow_subnormal=False))
TIE = 1e-10


def list_edges(qbaf: Qbaf) -> Signed:
    return {pair: ("attack", w) for pair, w in qbaf.attacks.items()} | {
        pair: ("support", w) for pair, w in qbaf.supports.items()
    }


def make_graph(base: dict[Any, float], edges: Signed) -> Qbaf:
    kinds = [{pair: w for pair, (kind, w) in edges.items() if kind == each} for each in ("attack", "support")]
    return Qbaf(base, *kinds)


@st.composite
def versions(draw: st.DrawFn, cyclic: bool | None = None) -> tuple[Qbaf, Qbaf]:
    """A graph and another version of it, in which the topics a0 and a1 last and few things differ."""
    before = draw(qbafs(cyclic=draw(st.booleans()) if cyclic is None else cyclic, max_size=5))
    assume(len(before) >= 2)
    base, edges = dict(before.base_scores), list_edges(before)
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["base", "add", "drop", "edge", "edge"]))
        if kind == "base":
            base[draw(st.sampled_from(sorted(base)))] = draw(scores)
        elif kind == "add":
            new = f"n{len(base)}"
            base[new] = draw(scores)
            others = sorted(base)
            for pair in ((new, draw(st.sampled_from(others))), (draw(st.sampled_from(others)), new)):
                edges[pair] = (draw(st.sampled_from(["attack", "support"])), draw(NUMBERS))
        elif kind == "drop" and len(base) > 2:
            gone = draw(st.sampled_from(sorted(base.keys() - {"a0", "a1"})))
            del base[gone]
            edges = {pair: each for pair, each in edges.items() if gone not in pair}
        elif kind == "edge":
            pair = (draw(st.sampled_from(sorted(base))), draw(st.sampled_from(sorted(base))))
            if pair in edges and draw(st.booleans()):
                del edges[pair]
            else:
                edges[pair] = (draw(st.sampled_from(["attack", "support"])), draw(NUMBERS))
    return before, make_graph(base, edges)


# -- the definition


def find_elements(before: Qbaf, after: Qbaf) -> set[Any]:
    old, new = list_edges(before), list_edges(after)
    lasting = set(before) & set(after)
    return (
        {("base", x) for x in lasting if before.base_scores[x] != after.base_scores[x]}
        | {("add", x) for x in after if x not in before}
        | {("drop", x) for x in before if x not in after}
        | {("edge", *pair) for pair in old.keys() | new if set(pair) <= lasting and old.get(pair) != new.get(pair)}
    )


def mix_elements(before: Qbaf, after: Qbaf, applied: frozenset[Any]) -> Qbaf:
    there = {x for x in before if ("drop", x) not in applied} | {
        x for x in after if x in before or ("add", x) in applied
    }
    there -= {x for x in before if ("drop", x) in applied}
    base = {x: after.base_scores[x] if x not in before else before.base_scores[x] for x in there}
    base |= {x: after.base_scores[x] for x in there if ("base", x) in applied}
    old, new, edges = list_edges(before), list_edges(after), {}
    for pair in old.keys() | new:
        lasting = all(x in before and x in after for x in pair)
        source = (new if ("edge", *pair) in applied else old) if lasting else (old if pair in old else new)
        if pair in source and set(pair) <= there:
            edges[pair] = source[pair]
    return make_graph(base, edges)


def find_arguments(before: Qbaf, after: Qbaf) -> set[Any]:
    return set(before) | set(after)  # all: those that did not change make no difference


def mix_arguments(before: Qbaf, after: Qbaf, applied: frozenset[Any]) -> Qbaf:
    there = {x for x in before if x in after or x not in applied}
    there |= {x for x in after if x not in before and x in applied}
    base = {
        x: after.base_scores[x] if x not in before or (x in applied and x in after) else before.base_scores[x]
        for x in there
    }
    old, new, edges = list_edges(before), list_edges(after), {}
    for x, y in old.keys() | new:
        if not {x, y} <= there:
            continue
        if (x, y) in old and (x not in applied):
            edges[x, y] = old[x, y]
        elif (x, y) in new and (x in applied or y not in before):
            edges[x, y] = new[x, y]
    return make_graph(base, edges)


def value(graph: Qbaf, topics: tuple[Any, ...], semantics: str) -> float:
    """The gap, of the part of the graph that has a path to a topic."""
    kept = set(topics)
    while True:
        more = kept | {x for x, y in list_edges(graph) if y in kept}
        if more == kept:
            break
        kept = more
    found = Loop(graph.restrict(kept), semantics).limit()
    assume(found is not None)
    assert found is not None
    return found[topics[0]] - (found[topics[1]] if len(topics) > 1 else 0.0)


def subsets(units: Iterable[Any]) -> list[frozenset[Any]]:
    listed = sorted(units, key=str)
    return [frozenset(each) for each in chain.from_iterable(combinations(listed, k) for k in range(len(listed) + 1))]


def shapley(units: set[Any], values: dict[frozenset[Any], float], unit: Any) -> float:
    total, n = 0.0, len(units)
    for each in subsets(units - {unit}):
        weight = factorial(len(each)) * factorial(n - len(each) - 1) / factorial(n)
        total += weight * (values[each | {unit}] - values[each])
    return total


def order(gap: float) -> int:
    return 0 if abs(gap) <= TIE else 1 if gap > 0 else -1


def minimal(sets: Iterable[frozenset[Any]]) -> set[frozenset[Any]]:
    those = set(sets)
    return {each for each in those if not any(other < each for other in those)}


SEMANTIC = st.sampled_from(sorted(name for name in SEMANTICS if name != "ebt"))  # of ebt a tie turns on the last bit


# -- laws


@given(versions(), SEMANTIC, st.booleans())
def test_shares_alone_and_undone_are_those_of_the_definition(
    given: tuple[Qbaf, Qbaf], semantics: str, one_topic: bool
) -> None:
    before, after = given
    topics = ("a1",) if one_topic else ("a0", "a1")
    units = find_elements(before, after)
    assume(len(units) <= 5)
    values = {each: value(mix_elements(before, after, each), topics, semantics) for each in subsets(units)}
    found = change(before, after, *topics, semantics=semantics)
    none, every = frozenset(), frozenset(units)
    assert set(found) == units
    assert found.gap_before == pytest.approx(value(before, topics, semantics), abs=1e-9)
    assert found.gap_after == pytest.approx(value(after, topics, semantics), abs=1e-9)
    for unit in units:
        assert found[unit] == pytest.approx(shapley(units, values, unit), abs=1e-9)
        assert found.alone[unit] == pytest.approx(values[frozenset([unit])] - values[none], abs=1e-9)
        assert found.undone[unit] == pytest.approx(values[every] - values[every - {unit}], abs=1e-9)
    assert sum(found.values()) == pytest.approx(found.gap_after - found.gap_before, abs=1e-12)


@given(versions(), SEMANTIC)
def test_sets_of_changed_arguments_are_those_of_the_definition(given: tuple[Qbaf, Qbaf], semantics: str) -> None:
    before, after = given
    topics, units = ("a0", "a1"), find_arguments(before, after)
    assume(len(units) <= 6)
    gaps = {each: value(mix_arguments(before, after, each), topics, semantics) for each in subsets(units)}
    assume(all(abs(abs(gap) - TIE) > TIE / 2 for gap in gaps.values()))
    orders = {each: order(gap) for each, gap in gaps.items()}
    found, every = change(before, after, *topics, semantics=semantics), frozenset(units)
    start = orders[frozenset()]
    sufficient = {each for each in orders if orders[each] != start}
    expected = [
        minimal(sufficient),
        minimal(each for each in sufficient if orders[every - each] == start),
        minimal(each for each in sufficient if not any(other <= every - each for other in sufficient)),
    ]
    if orders[every] == start:
        expected = [{frozenset()}] * 3
    assert [set(found.sufficient), set(found.counterfactual), set(found.necessary)] == expected
    added = [each for each in subsets(set(after) - set(before)) if all(orders[part] == start for part in subsets(each))]
    assert set(found.pockets) == {each for each in added if not any(each < other for other in added)}


@given(versions(), SEMANTIC)
def test_sets_of_changed_elements_are_those_of_the_definition(given: tuple[Qbaf, Qbaf], semantics: str) -> None:
    before, after = given
    units = find_elements(before, after)
    assume(len(units) <= 5)
    gaps = {each: value(mix_elements(before, after, each), ("a0", "a1"), semantics) for each in subsets(units)}
    assume(all(abs(abs(gap) - TIE) > TIE / 2 for gap in gaps.values()))
    orders, every = {each: order(gap) for each, gap in gaps.items()}, frozenset(units)
    start = orders[frozenset()]
    sufficient = {each for each in orders if orders[each] != start}
    expected = {
        "sufficient": minimal(sufficient),
        "counterfactual": minimal(each for each in sufficient if orders[every - each] == start),
        "necessary": minimal(e for e in sufficient if not any(other <= every - e for other in sufficient)),
    }
    if orders[every] == start:
        expected = {kind: {frozenset()} for kind in expected}
    found = change(before, after, "a0", "a1", semantics=semantics)
    assert {kind: set(sets) for kind, sets in found.element_sets.items()} == expected
    assert change(before, after, "a0", semantics=semantics).element_sets == {}
    assert change(before, after, "a0", "a1", semantics=semantics, units="arguments").element_sets == {}


@given(versions(), SEMANTIC)
def test_shares_of_arguments_are_those_of_the_definition(given: tuple[Qbaf, Qbaf], semantics: str) -> None:
    before, after = given
    units = find_arguments(before, after)
    assume(len(units) <= 6)
    values = {each: value(mix_arguments(before, after, each), ("a0", "a1"), semantics) for each in subsets(units)}
    found = change(before, after, "a0", "a1", semantics=semantics, units="arguments")
    for unit in units:
        assert found.get(unit, 0.0) == pytest.approx(shapley(units, values, unit), abs=1e-9)
    assert sum(found.values()) == pytest.approx(found.gap_after - found.gap_before, abs=1e-12)


@given(versions(), SEMANTIC)
def test_a_change_read_backwards_and_with_the_topics_swapped_has_the_opposite_shares(
    given: tuple[Qbaf, Qbaf], semantics: str
) -> None:
    before, after = given
    opposite = {"base": "base", "add": "drop", "drop": "add", "edge": "edge"}
    try:
        found = change(before, after, "a0", "a1", semantics=semantics)
        assume(found.shares is not None)
    except UndefinedStrength:
        assume(False)
    swapped = change(before, after, "a1", "a0", semantics=semantics)
    back = change(after, before, "a0", "a1", semantics=semantics)
    for unit, share in found.items():
        assert swapped[unit] == pytest.approx(-share, abs=1e-12)
        assert back[opposite[unit[0]], *unit[1:]] == pytest.approx(-share, abs=1e-9)
    assert (swapped.sufficient, swapped.necessary) == (found.sufficient, found.necessary)


@given(qbafs(max_size=5), SEMANTIC)
def test_a_graph_that_did_not_change_has_no_changed_elements(qbaf: Qbaf, semantics: str) -> None:
    topic = qbaf.topics[0]
    found = change(qbaf, qbaf, topic, qbaf.arguments[0], semantics=semantics)
    assert dict(found) == {}
    assert found.sufficient == found.counterfactual == found.necessary == [set()]
    assert found.gap_before == found.gap_after


@given(versions(cyclic=False), SEMANTIC, st.booleans(), st.integers(0, 3))
def test_mixtures_solved_by_axes_are_those_solved_as_lanes(
    given: tuple[Qbaf, Qbaf], semantics: str, by_argument: bool, axes: int
) -> None:
    joined = change_elements.join_versions(*given)
    mix = change_elements.mix_arguments if by_argument else change_elements.mix_elements
    topics = [joined.arguments.index(name) for name in ("a0", "a1")]
    _, mixtures = mix(joined, topics, lambda graph: make_problem(graph, semantics))
    assume(mixtures.problem.arrays.acyclic)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(change_table, "AXES_PER_BLOCK", axes)
        found = change_table.solve_axes(mixtures)
    assert found is not None
    np.testing.assert_allclose(found, mixtures.solve_table(), rtol=0, atol=1e-13)


def test_a_formula_that_fails_in_a_mixture_is_reported_as_everywhere() -> None:
    bad = Semantics("bad", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: np.where(b > 0.7, 2.0, b + 0 * e))
    before = Qbaf({"t": 0.5} | {f"x{k}": 0.1 for k in range(9)}, supports=[(f"x{k}", "t") for k in range(9)])
    after = before.with_base_scores({f"x{k}": 0.2 for k in range(8)} | {"x8": 0.8, "t": 0.6})
    with pytest.raises(InvalidQbaf, match="semantics 'bad' gives argument 'x8' the strength 2"):
        change(before, after, "t", semantics=bad)


# -- histories


@FEW
@given(st.lists(versions(), min_size=1, max_size=2), SEMANTIC)
def test_a_history_has_the_changes_of_its_steps_and_their_sums(given: list[tuple[Qbaf, Qbaf]], semantics: str) -> None:
    graphs = [version for pair in given for version in pair]
    steps = []
    try:
        steps = [change(*pair, "a0", "a1", semantics=semantics) for pair in pairwise(graphs)]
    except UndefinedStrength:
        assume(False)
    assume(all(step.shares is not None for step in steps))
    found = history(graphs, "a0", "a1", semantics=semantics)
    assert [dict(step) for step in found.steps] == [dict(step) for step in steps]
    for unit, share in found.items():
        assert share == pytest.approx(sum(step.get(unit, 0.0) for step in steps), abs=1e-12)
    assert found.gaps == (steps[0].gap_before, *(step.gap_after for step in steps))
    assert sum(found.values()) == pytest.approx(found.gaps[-1] - found.gaps[0], abs=1e-9)


def test_a_history_takes_one_semantics_for_all_steps_and_names_its_versions() -> None:
    plain = Qbaf({"p": 0.5, "q": 0.4, "x": 0.5}, supports=[("x", "p")])
    own = Qbaf(plain.base_scores | {"x": 0.25}, supports=[("x", "p")], semantics="df-quad")
    found = history([plain, plain, own], "p", "q")
    assert found.semantics == "df-quad"
    assert found.gaps == pytest.approx((0.35, 0.35, 0.225))
    assert found.names == ("1", "2", "3")
    assert history([plain, own], "p", names=["May", "June"]).names == ("May", "June")
    other = Qbaf(plain.base_scores, semantics="qe")
    with pytest.raises(InvalidInput, match="have different semantics, 'df-quad', 'qe'; ask for semantics="):
        history([own, plain, other], "p", "q")
    with pytest.raises(InvalidInput, match="versions: one graph; give two or more"):
        history([plain], "p", "q")
    with pytest.raises(InvalidInput, match="versions: one graph; give two or more"):
        history(plain, "p", "q")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="names: 1 for 2 versions; give one for each"):
        history([plain, own], "p", "q", names=["May"])
    with pytest.raises(UnknownName, match="no change 'x' among the 1 here"):
        found["x"]
    seen: list[tuple[int, int]] = []
    history([plain, own, plain], "p", "q", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_a_history_refuses_totals_that_need_a_graph_without_strengths() -> None:
    before, after = make_undefined()
    found = history([before, after, before], "p", "q")
    with pytest.raises(UndefinedStrength, match="which has no strengths: edge 'b' → 'a' "):
        found["edge", "b", "a"]
    assert found.to_dict()["totals"][0]["share"] is None


# -- more than a table can hold


def make_many(units: int) -> tuple[Qbaf, Qbaf]:
    names = [f"x{k}" for k in range(units)]
    attacks = {(name, "q"): 0.25 for name in names[::2]}
    supports = {(name, "p"): 0.5 for name in names[1::2]}
    before = Qbaf({"p": 0.3, "q": 0.4} | dict.fromkeys(names, 0.125), attacks, supports, semantics="reb")
    return before, before.with_base_scores({name: 0.3 + 0.02 * k for k, name in enumerate(names)})


def test_many_changes_are_sampled_and_small_sets_alone_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = make_many(8)
    exact = change(before, after, "p", "q")
    monkeypatch.setattr(change_table, "MIN_UNITS", 1)
    assert change(before, after, "p", "q") == pytest.approx(dict(exact), abs=1e-13)
    assert (exact.largest_set, exact.sampled, exact.method) == (None, False, "shapley")
    for module in (change_sets, change_shares):
        monkeypatch.setattr(module, "MAX_TABLE_UNITS", 7)
    found = change(before, after, "p", "q", seed=3, budget=2000)
    assert (found.largest_set, found.sampled, found.method) == (3, True, "sampled")
    assert found.std_error is not None
    assert dict(found.alone) == pytest.approx(dict(exact.alone))
    assert dict(found.undone) == pytest.approx(dict(exact.undone))
    assert sum(found.values()) == pytest.approx(found.gap_after - found.gap_before, abs=1e-12)
    for unit, share in exact.items():
        assert abs(found[unit] - share) <= 5 * found.std_error[unit] + 1e-12
    assert found.necessary == []
    assert set(found.sufficient) == {each for each in exact.sufficient if len(each) <= 3}
    assert set(found.counterfactual) == {each for each in exact.counterfactual if len(each) <= 3}
    assert change(before, after, "p", "q", seed=3, budget=2000) == found
    assert change(before, after, "p", "q", seed=4, budget=2000) != found
    with pytest.raises(InvalidInput, match=r"179 mixtures are too few for 8 changed units; give .* 180 or more"):
        change(before, after, "p", "q", budget=179)


def test_every_step_of_a_history_is_sampled_with_its_seed_and_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = make_many(8)
    for module in (change_sets, change_shares):
        monkeypatch.setattr(module, "MAX_TABLE_UNITS", 7)
    seen = []
    for seed, budget in ((3, 360), (4, 360), (3, 720)):
        found = history([first, second, first], "p", "q", seed=seed, budget=budget)
        steps = [change(*pair, "p", "q", seed=seed, budget=budget) for pair in ((first, second), (second, first))]
        for step, alone in zip(found.steps, steps, strict=True):
            assert (dict(step), step.std_error) == (dict(alone), alone.std_error)
        seen.append(dict(found.steps[0]))
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_small_sets_find_what_the_table_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        base = dict(zip("pqabcde", rng.random(7).round(2).tolist(), strict=True))
        pairs = [(x, y) for x in "abcde" for y in "pq" if rng.random() < 0.7]
        edges: Signed = {pair: ("attack" if rng.random() < 0.5 else "support", 0.5) for pair in pairs}
        before, after = make_graph(base, edges), make_graph(base | {x: float(rng.random()) for x in "abcde"}, edges)
        exact = change(before, after, "p", "q")
        with monkeypatch.context() as context:
            context.setattr(change_sets, "MAX_TABLE_UNITS", 0)
            found = change(before, after, "p", "q", units="arguments")
        if exact.sufficient != [set()]:
            assert set(found.sufficient) == {each for each in exact.sufficient if len(each) <= 3}
            assert set(found.counterfactual) == {each for each in exact.counterfactual if len(each) <= 3}


# -- no strengths


def make_undefined() -> tuple[Qbaf, Qbaf]:
    """Two changes each of which alone closes a cycle that does not settle, and which cut it together."""
    scores = {"p": 0.5, "q": 0.6, "a": 1.0, "b": 1.0}
    before = Qbaf(scores, attacks={("a", "b"): 1.0, ("b", "a"): 0.0}, supports=[("a", "p")], semantics="df-quad")
    after = Qbaf(scores, attacks={("a", "b"): 0.0, ("b", "a"): 1.0}, supports=[("a", "p")], semantics="df-quad")
    return before, after


def test_a_mixture_without_strengths_is_listed_and_shares_that_need_it_are_refused() -> None:
    before, after = make_undefined()
    strengths(before), strengths(after)
    found = change(before, after, "p", "q")
    assert set(found) == {("edge", "a", "b"), ("edge", "b", "a")}
    assert frozenset([("edge", "b", "a")]) in found.undefined
    assert frozenset(["b"]) in found.undefined
    with pytest.raises(UndefinedStrength, match="which has no strengths: edge 'b' → 'a' "):
        found["edge", "b", "a"]
    assert found.shares is None
    assert np.isnan(found.alone["edge", "b", "a"])
    assert found.to_dict()["changes"][0]["share"] is None
    assert frozenset(["b"]) not in found.sufficient
    assert "no strengths" in str(found)


def test_a_version_without_strengths_is_refused_by_name() -> None:
    before, after = make_undefined()
    cycle = Qbaf(before.base_scores, [("a", "b"), ("b", "a")], [("a", "p")], semantics="df-quad")
    with pytest.raises(UndefinedStrength, match=r"^the version after has no strengths: df-quad: 'p', 'a', 'b'"):
        change(before, cycle, "p", "q")
    with pytest.raises(UndefinedStrength, match=r"^the version before has no strengths: df-quad: 'p', 'a', 'b'"):
        change(cycle, after, "p", "q")
    assert change(cycle, after, "q").gap_after == 0.6  # what has no path to the topic is left out


# -- questions that use it


def test_whatif_says_which_of_its_changes_made_the_difference() -> None:
    q = Qbaf(
        {"p": 0.5, "q": 0.4, "r": 0.3, "x": 0.5, "y": 0.5},
        attacks=[("y", "q")],
        supports=[("x", "p")],
        topics=["p", "q", "r"],
        semantics="df-quad",
    )
    found = whatif(q, "p", "q", base_scores={"x": 0.0}, remove=["y", "r"], semantics="qe")
    expected = change(q, q.with_base_scores({"x": 0.0}).without("y", "r"), "p", "q", semantics="qe")
    assert found.change == expected
    assert found.change is not None
    assert found.change.semantics == "qe"
    assert set(found.change) == {("base", "x"), ("drop", "y"), ("drop", "r")}
    assert found.to_dict()["change"] == expected.to_dict()
    assert whatif(q, base_scores={"x": 0.0}).change is None


# -- ways to fail


def test_versions_that_cannot_be_compared_are_refused_with_the_reason() -> None:
    q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5}, supports=[("x", "p")])
    with pytest.raises(UnknownName, match="no argument 'x' in the version after, but in the one before"):
        change(q, q.without("x"), "p", "x")
    with pytest.raises(UnknownName, match="no argument 'q' in the version before, but in the one after"):
        change(q.without("q"), q, "p", "q")
    with pytest.raises(UnknownName, match="no argument 'pp' among the 3 here; did you mean 'p'"):
        change(q, q, "pp", "q")
    with pytest.raises(InvalidInput, match="after is a str; give a Qbaf"):
        change(q, "after.json", "p", "q")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no units 'edges'"):
        change(q, q, "p", "q", units="edges")
    one, other = (Qbaf(q.base_scores, semantics=name) for name in ("qe", "df-quad"))
    with pytest.raises(InvalidInput, match="different semantics, 'qe' before and 'df-quad' after; ask for semantics="):
        change(one, other, "p", "q")
    assert change(one, other, "p", "q", semantics="reb").semantics == "reb"
    assert change(q, other, "p", "q").semantics == change(other, q, "p", "q").semantics == "df-quad"
    with pytest.raises(InvalidInput, match="'q' is a topic of the version before and not of the one after"):
        change(q.with_topics(["p", "q"]), q.with_topics(["p", "x"]), "p", "q")
    assert len(change(q.with_topics(["p", "q"]), q, "p", "q")) == 0
    with pytest.raises(UnknownName, match="no change 'x' among the 1 here"):
        change(q, q.with_base_scores({"x": 0.75}), "p", "q")["x"]
