"""Edges, direct edges and groups as players: equal to slow definitions, and the laws that make them add up."""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qontrast import (
    METHODS,
    SEMANTICS,
    InvalidInput,
    InvalidQbaf,
    Owen,
    Qbaf,
    TooLarge,
    UndefinedStrength,
    UnknownName,
    attribute,
    contrast,
    interactions,
    strengths,
)
from qontrast.attribution.players import KINDS
from qontrast.attribution.shapley.coalitions import list_coalitions
from qontrast.attribution.shapley.exact import Plan
from qontrast.attribution.shapley.game import Game
from qontrast.attribution.shapley.interactions import find_pairs
from qontrast.engine.problem import make_problem
from qontrast.explain.contrast import EXCESS_METHODS
from qontrast.results.base import TIE_TOLERANCE
from tests.support import players as slow
from tests.support.games import Undefined, random_dag, strength
from tests.support.graphs import healthcare
from tests.support.strategies import eighths, qbafs

SEMANTICS_DRAWN = st.sampled_from(list(SEMANTICS))
small = qbafs(max_size=5).filter(lambda q: 0 < len(q.weights) <= 7)
small_cyclic = qbafs(max_size=4, cyclic=True, max_weight=0.7).filter(lambda q: 0 < len(q.weights) <= 6)


def close(found: Any, expected: dict[Any, float], tolerance: float = 1e-10) -> None:
    assert dict(found) == pytest.approx(expected, abs=tolerance)


@given(st.one_of(small, small_cyclic), SEMANTICS_DRAWN, st.sampled_from(EXCESS_METHODS))
def test_the_excess_of_a_group_is_its_contribution_minus_those_of_its_members(
    q: Qbaf, semantics: str, method: str
) -> None:
    fact, foil, *others = q.arguments if len(q) > 3 else assume(False)
    groups = {"pair": others[:2]}
    try:
        why = contrast(q, fact, foil, players=groups, method=method, semantics=semantics)
        single = contrast(q, fact, foil, method=method, semantics=semantics)
        found = why.excess("pair")
    except UndefinedStrength:
        assume(False)
    expected = why["pair"] - single[others[0]] - single[others[1]]
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if method == "gradient" and not why.kinks and not single.kinks:
        assert found == pytest.approx(0.0, abs=1e-9)


def test_groups_that_are_set_replace_all_others_and_play_as_those_that_are_given() -> None:
    q, groups = healthcare(), {"tests": ["pcr", "wbc"], "signs": ["fever", "cough"]}
    pair = ("antiviral", "antibiotic")
    with_groups = q.with_groups({"old": ["asthma"]}).with_groups(groups)
    assert {name: list(each) for name, each in with_groups.groups.items()} == groups
    assert (with_groups.base_scores, with_groups.attacks, with_groups.topics) == (q.base_scores, q.attacks, q.topics)
    assert dict(contrast(with_groups, *pair, players="groups")) == dict(contrast(q, *pair, players=groups))
    assert not q.groups
    assert not with_groups.with_groups({}).groups


def test_groups_that_cannot_be_set_are_refused_by_name() -> None:
    q = healthcare()
    with pytest.raises(UnknownName, match="group 'tests': no argument 'pcrr' among the 11 here; did you mean 'pcr'"):
        q.with_groups({"tests": ["pcrr"]})
    with pytest.raises(InvalidQbaf, match="argument 'pcr' is in the groups 'a' and 'b'"):
        q.with_groups({"a": ["pcr"], "b": ["pcr"]})
    with pytest.raises(InvalidQbaf, match="groups is a list; give a mapping from name to arguments"):
        q.with_groups(["pcr"])  # type: ignore[arg-type]


def test_an_excess_that_cannot_be_computed_is_refused_with_a_way_out() -> None:
    q, groups = healthcare(), {"tests": ["pcr", "wbc"]}
    pair = ("antiviral", "antibiotic")
    with pytest.raises(InvalidInput, match=r"excess is about groups; here edges play: give players=\{name: \[...\]\}"):
        contrast(q, *pair, players="edges", method="removal").excess("tests")
    with pytest.raises(InvalidInput, match=r"not defined for values of method 'sampled'; give method= one of"):
        contrast(q, *pair, players=groups, method="sampled", budget=100).excess("tests")
    with pytest.raises(InvalidInput, match="excess is not defined for combined values"):
        contrast(q, *pair, players=groups, combine=max).excess("tests")
    with pytest.raises(UnknownName, match="no group or argument 'test' among the 10 here; did you mean 'tests'"):
        contrast(q, *pair, players=groups, method="removal").excess("test")
    large = random_dag(30, seed=1)
    with pytest.raises(TooLarge, match="limit 65,536"):
        contrast(large, 30, 29, players={"all": list(range(29))}).excess("all")


def reference(compute: Any) -> Any:
    """What a slow definition gives; graphs on which it is undefined are not examples."""
    try:
        return compute()
    except Undefined:
        assume(False)


@given(st.one_of(small, small_cyclic), SEMANTICS_DRAWN)
def test_shapley_values_of_edges_are_those_of_the_definition(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    expected = reference(lambda: slow.shapley(slow.edges_of(q), slow.edge_worth(q, topic, semantics)))
    found = attribute(q, topic, players="edges", semantics=semantics)
    close(found, expected, 1e-9)
    empty = strength(slow.keep_edges(q, ()), q, topic, semantics)
    assert sum(found.values()) == pytest.approx(found.strength - empty, abs=1e-9)


@given(st.one_of(small, small_cyclic), SEMANTICS_DRAWN)
def test_removing_an_edge_is_solving_the_graph_without_it(q: Qbaf, semantics: str) -> None:
    topic, every = q.topics[0], slow.edges_of(q)
    worth = slow.edge_worth(q, topic, semantics)
    expected = reference(lambda: {edge: worth(frozenset(every)) - worth(frozenset(every) - {edge}) for edge in every})
    close(attribute(q, topic, players="edges", method="removal", semantics=semantics), expected, 1e-9)


@given(st.one_of(small, small_cyclic), SEMANTICS_DRAWN)
def test_owen_values_of_edges_are_those_of_the_definition_and_add_up_to_arguments(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    own = [edge for edge in slow.edges_of(q) if edge[0] == topic]
    unions = {
        x: [edge for edge in slow.edges_of(q) if edge[0] == x]
        for x in q
        if x != topic and any(edge[0] == x for edge in slow.edges_of(q))
    }
    expected = reference(lambda: slow.owen(unions, slow.edge_worth(q, topic, semantics, own)))
    found = attribute(q, topic, players="edges", method="owen", semantics=semantics)
    close(found, expected | dict.fromkeys(own, 0.0), 1e-9)
    arguments = attribute(q, topic, semantics=semantics)
    for x, value in arguments.items():
        assert sum(found[edge] for edge in unions.get(x, ())) == pytest.approx(value, abs=1e-9)


@given(st.one_of(small, small_cyclic), SEMANTICS_DRAWN, st.sampled_from(["removal", "shapley"]))
def test_direct_edges_are_the_only_ones_that_leave(q: Qbaf, semantics: str, method: str) -> None:
    topic, every = q.topics[0], slow.edges_of(q)
    into = [edge for edge in every if edge[1] == topic]
    worth = slow.edge_worth(q, topic, semantics, [edge for edge in every if edge[1] != topic])
    whole = frozenset(into)
    expected = reference(
        lambda: (
            slow.shapley(into, worth)
            if method == "shapley"
            else {edge: worth(whole) - worth(whole - {edge}) for edge in into}
        )
    )
    close(attribute(q, topic, players="direct", method=method, semantics=semantics), expected, 1e-9)


@st.composite
def graphs_with_groups(draw: st.DrawFn) -> tuple[Qbaf, dict[str, list[Any]]]:
    q = draw(st.one_of(qbafs(max_size=6), qbafs(max_size=5, cyclic=True, max_weight=0.7)))
    others = [name for name in q.arguments if name != q.topics[0]]
    group_of = [draw(st.sampled_from(["one", "two", None])) for _ in others]
    groups = {
        group: [name for name, own in zip(others, group_of, strict=True) if own == group] for group in ("one", "two")
    }
    return q, groups


@given(graphs_with_groups(), SEMANTICS_DRAWN)
def test_groups_are_players_that_come_and_go_together(drawn: tuple[Qbaf, dict[str, list[Any]]], semantics: str) -> None:
    q, groups = drawn
    topic, grouped = q.topics[0], {member for members in groups.values() for member in members}
    members = {**groups, **{x: [x] for x in q if x not in grouped and x != topic}}
    single = slow.argument_worth(q, topic, semantics)

    def worth(some: frozenset[Any]) -> float:
        return single(frozenset(x for player in some for x in members[player]))

    expected, inside = reference(lambda: (slow.shapley(list(members), worth), slow.owen(members, single)))
    found = attribute(q, topic, players=groups, semantics=semantics)
    close(found, expected, 1e-9)
    whole = frozenset(members)
    try:
        removed = attribute(q, topic, players=groups, method="removal", semantics=semantics)
    except UndefinedStrength:
        assume(False)  # what is left without the topic does not settle
    close(removed, {player: worth(whole) - worth(whole - {player}) for player in members}, 1e-9)
    divided = attribute(q, topic, players=groups, method="owen", semantics=semantics)
    close(divided, inside, 1e-9)
    for player, own in members.items():
        assert sum(divided[x] for x in own) == pytest.approx(found[player], abs=1e-9)


@given(graphs_with_groups(), SEMANTICS_DRAWN)
def test_owen_values_of_random_orders_add_up_to_the_strength(
    drawn: tuple[Qbaf, dict[str, list[Any]]], semantics: str
) -> None:
    q, groups = drawn
    topic = q.topics[0]
    worth = slow.argument_worth(q, topic, semantics)
    others = frozenset(x for x in q if x != topic)
    whole = reference(lambda: worth(others) - worth(frozenset()))
    try:
        found = attribute(q, topic, players=groups, method=Owen(orders=10), semantics=semantics)
    except UndefinedStrength:
        assume(False)  # a coalition on the way does not settle
    assert sum(found.values()) == pytest.approx(whole, abs=1e-9)


def test_owen_values_of_random_orders_are_good_to_their_standard_errors() -> None:
    q = Qbaf(
        {"t": 0.2, "a": 0.9, "b": 0.8, "c": 0.7, "d": 1.0, "e": 0.4},
        supports={("a", "t"): 0.9, ("b", "t"): 1.0, ("c", "t"): 0.5, ("e", "d"): 1.0},
        attacks={("d", "t"): 0.8, ("a", "b"): 0.6},
        semantics="df-quad",
    )
    groups = {"one": ["a", "b"], "two": ["c", "d"]}
    exact = attribute(q, "t", players=groups, method="owen")
    found = attribute(q, "t", players=groups, method=Owen(orders=2000))
    errors = found.std_error
    assert errors is not None
    assert found.how == "2,000 pairs of random orders, 18 evaluations, seed 0"
    for name, value in exact.items():
        assert abs(found[name] - value) <= 4 * errors[name] + 1e-12
    alone = attribute(q, "t")  # without the unions other values would come out
    assert any(abs(alone[name] - exact[name]) > 8 * errors[name] for name in alone)
    again = attribute(q, "t", players=groups, method=Owen(orders=2000))
    assert dict(again) == dict(found)
    assert dict(attribute(q, "t", players=groups, method=Owen(orders=2000, seed=1))) != dict(found)


@given(graphs_with_groups(), SEMANTICS_DRAWN)
def test_the_slope_of_a_group_is_the_sum_of_its_members_slopes(
    drawn: tuple[Qbaf, dict[str, list[Any]]], semantics: str
) -> None:
    q, groups = drawn
    try:
        alone = attribute(q, q.topics[0], method="gradient", semantics=semantics)
    except ArithmeticError:
        assume(False)
    assume(not alone.kinks)
    together = attribute(q, q.topics[0], players=groups, method="gradient", semantics=semantics)
    for group, members in groups.items():
        assert together[group] == pytest.approx(sum(alone[x] for x in members), abs=1e-9)


@given(graphs_with_groups(), SEMANTICS_DRAWN)
def test_intrinsic_removal_of_a_group_first_cuts_the_edges_into_it(
    drawn: tuple[Qbaf, dict[str, list[Any]]], semantics: str
) -> None:
    q, groups = drawn
    topic = q.topics[0]
    try:
        found = attribute(q, topic, players=groups, method="intrinsic", semantics=semantics)
    except ArithmeticError:
        assume(False)
    for group, members in groups.items():
        kept = [edge for edge in slow.edges_of(q) if edge[1] not in members or edge[0] in members]
        cut = slow.keep_edges(q, kept)
        expected = reference(
            lambda cut=cut, members=members: (
                strength(cut, cut, topic, semantics) - strength(q, [x for x in q if x not in members], topic, semantics)
            )
        )
        assert found[group] == pytest.approx(expected, abs=1e-9)


KINDS_AND_METHODS = [
    (kind, method) for kind in (*KINDS, "groups") for method, entry in METHODS.items() if kind in entry.players
]


@pytest.mark.parametrize(("kind", "method"), KINDS_AND_METHODS)
def test_contrasts_of_all_players_are_differences_antisymmetric_and_add_up_where_promised(
    kind: str, method: str
) -> None:
    q = Qbaf(
        {"p": 0.6, "q": 0.4, "x": 0.7, "y": 0.3, "z": 0.2},
        attacks={("p", "q"): 0.8, ("q", "p"): 1.0, ("y", "x"): 0.5},
        supports={("x", "p"): 0.9, ("x", "y"): 0.4, ("y", "q"): 1.0, ("z", "y"): 0.3},
        semantics="qe",
    )
    who: Any = {"all": ["x", "z"]} if kind == "groups" else kind
    why, reverse = (contrast(q, *pair, players=who, method=method) for pair in (("p", "q"), ("q", "p")))
    one, other = (attribute(q, topic, players=who, method=method) for topic in ("p", "q"))
    assert why.players.kind == ("arguments" if (kind, method) == ("groups", "owen") else kind)
    tolerance = 0.05 if method == "sampled" else 1e-12
    for player, value in why.items():
        here, there = one.get(player, 0.0), other.get(player, 0.0)
        assert value == pytest.approx(here - there, abs=tolerance), player
        assert reverse[player] == pytest.approx(-value, abs=1e-12)
    if METHODS[method].adds_up:
        assert why.residual == pytest.approx(0, abs=1e-12)
    if kind in ("edges", "direct"):
        assert why.cross_topic.component == 0
        assert set(why) <= set(slow.edges_of(q))
    else:
        assert not set(why) & {"p", "q"}


def test_every_bar_of_healthcare_opens_into_the_edges_that_it_acts_through() -> None:
    q = healthcare()
    edges = contrast(q, "antiviral", "antibiotic", players="edges", method="owen")
    why = contrast(q, "antiviral", "antibiotic")
    for x, value in why.items():
        assert sum(each for edge, each in edges.items() if edge[0] == x) == pytest.approx(value, abs=1e-12)
    assert round(edges["asthma", "antiviral"], 4) == -0.1221
    assert round(edges["asthma", "antibiotic"], 4) == 0.1213
    assert [round(edges["viral", y], 4) for y in ("antibiotic", "antiviral", "bronchodilator")] == [
        0.1699,
        0.1578,
        0.0002,
    ]
    assert edges.residual == pytest.approx(0, abs=1e-12)


# -- slopes by weights ------------------------------------------------------------------------------------------------


def with_weight(q: Qbaf, edge: tuple[Any, Any], weight: float) -> Qbaf:
    attacks, supports = dict(q.attacks), dict(q.supports)
    (attacks if edge in attacks else supports)[edge] = weight
    return Qbaf(dict(q.base_scores), attacks, supports)


# scores and weights that are not within a difference of a kink, unless they are on it
exact: dict[str, Any] = {"base": eighths, "weight": eighths}


@given(
    st.one_of(qbafs(max_size=6, **exact), qbafs(max_size=5, cyclic=True, **exact)),
    SEMANTICS_DRAWN,
    st.data(),
)
def test_the_slope_of_an_edge_is_that_of_its_weight_from_both_sides(
    q: Qbaf, semantics: str, data: st.DataObject
) -> None:
    assume(len(q.weights))
    topic = q.topics[0]
    edge = data.draw(st.sampled_from(slow.edges_of(q)))
    weight = {**q.attacks, **q.supports}[edge]
    h = 1e-4
    assume(weight == 0 or weight > 3 * h)
    assume(weight < 1 - 3 * h)  # a weight of 1 is the largest that some semantics take
    try:
        found = attribute(q, topic, players="edges", method="gradient", semantics=semantics)
    except ArithmeticError:
        assume(False)

    def side(sign: float) -> float:
        at = [strength(with_weight(q, edge, weight + sign * k * h), q, topic, semantics) for k in (0, 1, 2)]
        return sign * (-3 * at[0] + 4 * at[1] - at[2]) / (2 * h)

    above = reference(lambda: side(1))
    both = found.sides.get(edge)
    expected = both.above if both else found[edge]
    scale = max(1.0, abs(expected))
    assume(scale < 50)  # where slopes are steep, differences say little
    assert expected == pytest.approx(above, abs=2e-4 * scale)
    if weight > 0:
        below = reference(lambda: side(-1))
        assert (both.below if both else found[edge]) == pytest.approx(below, abs=2e-4 * scale)


@given(st.one_of(qbafs(max_size=7), qbafs(max_size=5, cyclic=True, max_weight=0.7)), SEMANTICS_DRAWN)
def test_slopes_of_one_topic_and_of_two_are_the_same(q: Qbaf, semantics: str) -> None:
    assume(len(q.weights))
    try:
        one, other = (
            attribute(q, topic, players="edges", method="gradient", semantics=semantics)
            for topic in (q.topics[0], q.arguments[0])
        )
        why = contrast(q, q.topics[0], q.arguments[0], players="edges", method="gradient", semantics=semantics)
    except ArithmeticError:
        assume(False)
    assume(q.topics[0] != q.arguments[0])
    assume(not why.kinks)
    close(why, {edge: one[edge] - other[edge] for edge in one}, 1e-9)


@given(qbafs(max_size=6), SEMANTICS_DRAWN)
def test_weighted_slopes_of_an_arguments_edges_follow_from_its_own_slope(q: Qbaf, semantics: str) -> None:
    """Σ over the edges of x of w·∂σ(t)/∂w = σ(x) · a(x), and ∂σ(t)/∂τ(x) = ι_τ(x) · a(x)."""
    topic = q.topics[0]
    by_base = attribute(q, topic, method="gradient", semantics=semantics)
    by_weight = attribute(q, topic, players="edges", method="gradient", semantics=semantics)
    assume(not by_base.kinks)
    assume(not by_weight.kinks)
    weights, sigma = {**q.attacks, **q.supports}, strengths(q, semantics=semantics)
    for x in q:
        if x == topic or any(edge[1] == x for edge in weights):
            continue  # a source: ι_τ = 1 where the influence is neutral
        total = sum(w * by_weight[edge] for edge, w in weights.items() if edge[0] == x)
        assert total == pytest.approx(sigma[x] * by_base[x], abs=1e-9)


@given(qbafs(max_size=6), SEMANTICS_DRAWN, st.data())
def test_sure_signs_hold_whatever_the_base_scores(q: Qbaf, semantics: str, data: st.DataObject) -> None:
    assume(len(q.weights))
    fact, foil = q.topics[0], q.arguments[0]
    sure = contrast(q, fact, foil, players="edges", method="removal", semantics=semantics).sure
    other = q.with_base_scores({name: data.draw(st.floats(0.01, 0.99)) for name in q.arguments})
    for method in ("removal", "gradient", "shapley"):
        if method == "shapley" and len(q.weights) > 8:
            continue
        found = contrast(other, fact, foil, players="edges", method=method, semantics=semantics)
        for edge, sign in sure.items():
            if not np.isnan(found[edge]):
                assert found[edge] * sign >= -1e-12
                assert sign or abs(found[edge]) <= 1e-12


def test_sure_signs_know_edges_whose_sign_depends_and_claim_nothing_on_cycles() -> None:
    supports = [("x", "y"), ("x", "t"), ("y", "z")]
    q = Qbaf(dict.fromkeys("txyz", 0.5), attacks=[("y", "t"), ("x", "z")], supports=supports)
    found = attribute(q, "t", players="edges", method="removal", semantics="qe")
    assert found.sure == {("y", "t"): -1, ("x", "z"): 0, ("x", "y"): -1, ("x", "t"): 1, ("y", "z"): 0}
    mixed = Qbaf(dict.fromkeys("txyz", 0.5), attacks=[("y", "t")], supports=[("x", "y"), ("x", "t"), ("z", "x")])
    assert ("z", "x") not in attribute(mixed, "t", players="edges", method="removal").sure
    cyclic = Qbaf(dict.fromkeys("tx", 0.5), supports=[("x", "t"), ("t", "x")])
    assert attribute(cyclic, "t", players="edges", method="removal").sure == {}


@given(st.one_of(qbafs(max_size=5, **exact), qbafs(max_size=4, cyclic=True, **exact)), SEMANTICS_DRAWN)
def test_missing_edges_are_the_largest_of_all_that_could_be_added(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    try:
        found = attribute(q, topic, players="edges", method="removal", semantics=semantics).missing(10_000)
    except ArithmeticError:
        assume(False)
    sizes = [abs(each.slope) for each in found]
    assert all(one >= other - TIE_TOLERANCE for one, other in pairwise(sizes))
    seen = {(each.source, each.target, each.kind): each.slope for each in found}
    existing, h = set(slow.edges_of(q)), 1e-4
    for source in q:
        for target in q:
            for kind in ("attack", "support"):
                if source in (topic, target) or (source, target) in existing:
                    assert (source, target, kind) not in seen
                    continue

                def at(weight: float, kind: str = kind, pair: Any = (source, target)) -> float:
                    attacks, supports = dict(q.attacks), dict(q.supports)
                    (attacks if kind == "attack" else supports)[pair] = weight
                    return strength(Qbaf(dict(q.base_scores), attacks, supports), q, topic, semantics)

                values = reference(lambda at=at: [at(k * h) for k in (0, 1, 2)])
                slope = (-3 * values[0] + 4 * values[1] - values[2]) / (2 * h)
                assume(abs(slope) < 50)
                assert seen.get((source, target, kind), 0.0) == pytest.approx(slope, abs=1e-3 * max(1, abs(slope)))


# -- pairs ------------------------------------------------------------------------------------------------------------


@given(st.one_of(qbafs(max_size=6), qbafs(max_size=5, cyclic=True, max_weight=0.7)), SEMANTICS_DRAWN)
def test_interactions_are_those_of_the_definitions(q: Qbaf, semantics: str) -> None:
    topic = q.topics[0]
    others = [x for x in q if x != topic]
    worth = slow.argument_worth(q, topic, semantics)
    for index in ("sii", "stii", "k-sii"):
        expected = reference(
            lambda index=index: {
                (x, y): slow.interaction(others, worth, (x, y), index == "stii")
                for k, x in enumerate(others)
                for y in others[k + 1 :]
            }
        )
        found = interactions(q, topic, index=index, semantics=semantics)
        close(found, expected, 1e-9)
        for (x, y), value in found.items():
            assert found[y, x] == value
        if index == "sii":
            close(found.singles, slow.shapley(others, worth), 1e-9)
        else:
            own = worth(frozenset()) - q.base_scores[topic]  # what a topic that acts on itself gets from nobody else
            assert found.residual == pytest.approx(own, abs=1e-9)
        sizes = [abs(value) for _, value in found.strongest(99)]
        assert all(one >= other - TIE_TOLERANCE for one, other in pairwise(sizes))
        assert dict(found.strongest(99)) == {pair: value for pair, value in found.items() if value}


@given(qbafs(max_size=6, cyclic=False), SEMANTICS_DRAWN, st.sampled_from(["stii", "k-sii"]))
def test_pairs_singles_and_the_other_topic_add_up_to_the_gap(q: Qbaf, semantics: str, index: str) -> None:
    fact, foil = q.topics[0], q.arguments[0]
    found, reverse = (interactions(q, *pair, index=index, semantics=semantics) for pair in ((fact, foil), (foil, fact)))
    assert found.residual == pytest.approx(0, abs=1e-9)
    for pair, value in found.items():
        assert reverse[pair] == pytest.approx(-value, abs=1e-12)
    if fact == foil:
        assert set(found.values()) <= {0.0}
        return
    one, other = (interactions(q, topic, index=index, semantics=semantics) for topic in (fact, foil))
    for pair, value in found.items():
        assert value == pytest.approx(one[pair] - other[pair], abs=1e-12)
    for x, value in found.cross_topic.items():
        assert value == pytest.approx(one[x, foil] - other[x, fact], abs=1e-12)


@pytest.mark.parametrize("size", [13, 14, 15, 17])
@pytest.mark.parametrize("index", ["sii", "stii"])
def test_pairs_in_blocks_are_those_of_all_coalitions_at_once(size: int, index: str) -> None:
    game = Game(make_problem(random_dag(size, seed=size), "qe"), size)
    n = len(game.players)
    every = list_coalitions(n)
    v, count = np.concatenate([game.values(each) for each in np.array_split(every, 64)]), every.sum(axis=1)
    weight = np.array(
        [1 / ((n - 1) * comb(n - 2, s)) if index == "sii" else 2 / (n * comb(n - 1, s)) for s in range(n - 1)]
    )
    found = find_pairs(game, Plan("coalitions", 1 << n), index)
    rng = np.random.default_rng(0)
    for _ in range(12):
        i, j = rng.choice(n, 2, replace=False).tolist()
        without = np.flatnonzero(~every[:, i] & ~every[:, j])
        gain = v[without | 1 << i | 1 << j] - v[without | 1 << i] - v[without | 1 << j] + v[without]
        assert found[i, j] == pytest.approx(weight[count[without]] @ gain, abs=1e-12)


# -- bad input --------------------------------------------------------------------------------------------------------


GRAPH = Qbaf(
    {"p": 0.5, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "q")], attacks=[("y", "x")], semantics="qe"
)


@pytest.mark.parametrize(
    ("groups", "error", "words"),
    [
        ({"g": ["x", "zz"]}, UnknownName, "group 'g': no argument 'zz' among the 4 here"),
        ({"g": ["x"], "h": ["y", "x"]}, InvalidInput, "argument 'x' is in the groups 'g' and 'h'"),
        ({"g": ["x", "x"]}, InvalidInput, "argument 'x' is twice in group 'g'"),
        ({"g": ["p", "x"]}, InvalidInput, "group 'g' holds 'p', whose strength is explained"),
        ({"g": ["x", "q"]}, InvalidInput, "group 'g' holds 'q', whose strength is explained"),
        ({"g": "x"}, InvalidInput, "the members of group 'g' are 'x'; give a list of arguments"),
        ({"x": ["y"]}, InvalidInput, "group 'x' has the name of an argument"),
        ({1: ["y"]}, InvalidInput, "a group is named 1"),
        ({"g": 3}, InvalidInput, "the members of group 'g' are 3"),
    ],
)
def test_bad_groups_are_refused_by_name(groups: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as refused:
        contrast(GRAPH, "p", "q", players=groups)
    assert words in str(refused.value)


@pytest.mark.parametrize("players", ["edge", "", None, 3, ["x"]])
def test_unknown_players_are_refused_with_the_kinds_that_exist(players: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        contrast(GRAPH, "p", "q", players=players)
    assert "'arguments', 'edges', 'direct'" in str(refused.value)


def test_edges_that_do_not_exist_are_unknown_names() -> None:
    found = contrast(GRAPH, "p", "q", players="edges")
    assert ("x", "p") in found
    assert ("p", "x") not in found
    with pytest.raises(UnknownName):
        found["p", "x"]
    with pytest.raises(UnknownName, match="an edge is a pair"):
        found["x"]


@pytest.mark.parametrize(
    ("kind", "method"),
    [(kind, method) for kind in (*KINDS, "groups") for method, entry in METHODS.items() if kind not in entry.players],
)
def test_a_method_that_is_not_defined_for_the_players_names_those_that_are(kind: str, method: str) -> None:
    who: Any = {"g": ["x"]} if kind == "groups" else kind
    with pytest.raises(InvalidInput) as refused:
        contrast(GRAPH, "p", "q", players=who, method=method)
    assert f"method {method!r} is not defined for" in str(refused.value)


def test_games_that_are_too_large_say_how_large_they_are() -> None:
    with pytest.raises(TooLarge, match="Owen values for 'p' over 2 arguments with up to 1 edge need 8 evaluations"):
        attribute(GRAPH, "p", players="edges", method=Owen(max_evaluations=3))
    with pytest.raises(TooLarge, match="needs at least"):
        interactions(GRAPH, "p", players="edges", max_evaluations=2)


def test_sure_and_missing_are_about_edges() -> None:
    why = contrast(GRAPH, "p", "q")
    for ask in (lambda: why.sure, why.missing):
        with pytest.raises(InvalidInput, match="players='edges'"):
            ask()


@pytest.mark.parametrize("pair", ["x", ("x",), ("x", "p"), ("x", "nobody"), 3])
def test_interactions_of_what_is_no_pair_of_players_are_refused(pair: Any) -> None:
    with pytest.raises(UnknownName):
        interactions(GRAPH, "p", "q")[pair]


def test_groups_that_a_graph_stores_are_players_by_name() -> None:
    q = Qbaf(dict(GRAPH.base_scores), GRAPH.attacks, GRAPH.supports, groups={"both": ["x", "y"]})
    assert dict(attribute(q, "p", players="groups")) == dict(attribute(q, "p", players={"both": ["x", "y"]}))
    with pytest.raises(InvalidInput, match="the graph has no groups"):
        attribute(GRAPH, "p", players="groups")
    assert q.restrict(["x", "p"]).groups == {"both": ("x",)}


ODD_GRAPHS = {
    "numbered": (Qbaf.from_arrays([0.5, 0.6, 0.7, 0.2], [0, 1, 2], [3, 3, 1], [-0.5, 1.0, 0.3]), (3, 1)),
    "compared with itself": (GRAPH, ("p", "p")),
    "without edges": (Qbaf({"a": 0.5, "b": 0.25}), ("a", "b")),
    "alone": (Qbaf({"a": 0.5}), ("a", "a")),
    "acting on itself": (Qbaf({"a": 0.5, "b": 0.4}, attacks={("a", "a"): 0.5, ("a", "b"): 0.0}), ("a", "b")),
}


@pytest.mark.parametrize("name", ODD_GRAPHS)
@pytest.mark.parametrize("kind", [*KINDS, "groups", "no groups", "an empty group"])
def test_questions_about_odd_graphs_are_answered_whoever_plays(name: str, kind: str) -> None:
    q, (fact, foil) = ODD_GRAPHS[name]
    others = [x for x in q.arguments if x not in (fact, foil)]
    given_groups: dict[str, Any] = {"groups": {"others": others}, "no groups": {}, "an empty group": {"nobody": []}}
    who = given_groups.get(kind, kind)
    for method, entry in METHODS.items():
        if (kind if kind in KINDS else "groups") in entry.players:
            settings: Any = {"budget": 200} if method == "sampled" else {}
            why = contrast(q, fact, foil, players=who, method=method, **settings)
            one = attribute(q, fact, players=who, method=method, **settings)
            for found in (why, one):
                assert str(found)
                assert found.to_json()
                assert len(found.to_frame()) >= len(found)
                assert len(found.ranked()) == len(found)
    for topics in ((fact,), (fact, foil)):
        pairs = interactions(q, *topics, players=who)
        assert str(pairs)
        assert pairs.to_json()
        assert len(pairs) == len(list(pairs))


@pytest.mark.parametrize("limit", [-1, "many", 2.0])
def test_the_strongest_pairs_are_asked_for_by_a_whole_number(limit: Any) -> None:
    with pytest.raises(InvalidInput, match="limit is"):
        interactions(healthcare(), "antiviral", "antibiotic").strongest(limit)


def test_arguments_that_do_not_settle_without_an_edge_are_named_once() -> None:
    q = Qbaf({"a": 1.0, "b": 1.0, "c": 0.5}, attacks=[("a", "b"), ("b", "a")], supports=[("c", "a")])
    with pytest.raises(UndefinedStrength) as caught:
        contrast(q, "a", "b", players="edges", method="removal", semantics="df-quad")
    assert len(set(caught.value.arguments)) == len(caught.value.arguments)


ODD_KEYS: dict[str, dict[Any, str]] = {  # what is asked of a contrast of healthcare, and what is said
    "edges": {
        ("pcr", "antiviral"): "no edge ('pcr', 'antiviral') here; the edges of 'pcr' go to ",
        ("antiviral", "viral"): "there is one in the other direction, ('viral', 'antiviral')",
        ("virl", "antiviral"): "no edge ('virl', 'antiviral') among the 29 here; did you mean ('viral', 'antiviral')?",
        "viral → antiviral": "'viral → antiviral' is no edge; an edge is a pair (source, target)",
        ("a", "b", "c"): "('a', 'b', 'c') is no edge; an edge is a pair (source, target)",
    },
    "direct": {
        ("pcr", "viral"): "the edge ('pcr', 'viral') enters no topic; ask for players='edges' to have it play",
        ("asthma", "pcr"): "there is one in the other direction, ('pcr', 'asthma')",
    },
    "groups": {
        "pcr": "'pcr' plays as a member of the group 'tests'; ask for 'tests'",
        "test": "no group or argument 'test' among the 10 here; did you mean 'tests'?",
        "antiviral": "no contributor 'antiviral' among the 8 here",
    },
}


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, keys in ODD_KEYS.items() for key in keys])
def test_a_player_that_is_not_there_is_named_with_those_that_are(kind: str, key: Any) -> None:
    q = healthcare().with_groups({"tests": ["pcr", "wbc"]})
    why = contrast(q, "antiviral", "antibiotic", players=kind, method="removal")
    assert key not in why
    with pytest.raises(UnknownName) as found:
        why[key]
    assert ODD_KEYS[kind][key] in str(found.value)


@pytest.mark.parametrize("method", [name for name, entry in METHODS.items() if "groups" in entry.players])
def test_a_group_without_members_contributes_nothing_and_changes_nothing(method: str) -> None:
    q, groups = healthcare(), {"tests": ["pcr", "wbc"]}
    settings: Any = {"budget": 200} if method == "sampled" else {}
    pair = ("antiviral", "antibiotic")
    with_empty = dict(contrast(q, *pair, players={"none": [], **groups}, method=method, **settings))
    assert with_empty.pop("none", 0.0) == 0.0
    assert with_empty == pytest.approx(dict(contrast(q, *pair, players=groups, method=method, **settings)), abs=1e-12)


def test_names_with_arrows_stay_apart_from_edges() -> None:
    q = Qbaf({"a → b": 0.5, "a": 0.5, "b": 0.4}, supports=[("a → b", "a"), ("a", "b")])
    why = contrast(q, "a", "b", players="edges", semantics="df-quad")
    assert list(why) == [("a → b", "a"), ("a", "b")]
    assert "the support of “a → b” for a" in str(why)


def test_interactions_that_are_too_many_name_ways_out_that_exist() -> None:
    with pytest.raises(TooLarge) as found:
        interactions(healthcare(), "antiviral", "antibiotic", players="edges", max_evaluations=100)
    assert "the table of interactions for 'antiviral' over 29 players needs at least" in str(found.value)
    assert str(found.value).endswith("ask for players='arguments', or raise max_evaluations")
    with pytest.raises(UnknownName, match="'antiviral' is a topic; cross_topic has the interactions"):
        interactions(healthcare(), "antiviral", "antibiotic")["pcr", "antiviral"]


@pytest.mark.parametrize(("players", "said"), [
    ("edge", "players is 'edge'; give 'arguments', 'edges', 'direct', 'groups', or {group: [argument, ...]}"),
    (None, "players is None; give 'arguments', 'edges', 'direct', 'groups', or {group: [argument, ...]}"),
    ("groups", "the graph has no groups; set them by with_groups, or give players={name: [argument, ...]}"),
])  # fmt: skip
def test_players_that_do_not_exist_are_refused_with_those_that_do(players: Any, said: str) -> None:
    with pytest.raises(InvalidInput) as found:
        contrast(healthcare(), "antiviral", "antibiotic", players=players)
    assert str(found.value) == said
