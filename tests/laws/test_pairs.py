"""All pairs from one Φ, Algorithm 1 with its calls counted, rankings."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from qontrast import METHODS, InvalidInput, Qbaf, UnknownName, all_pairs, chained_pairs, contrast, contributions, rank
from tests.support import games
from tests.support.graphs import TREATMENTS, ZEBRA, healthcare

CLASSES = ["zebra", "horse", "tiger"]


@pytest.mark.parametrize("method", ["removal", "gradient", "shapley", "intrinsic", "sampled"])
def test_every_pair_is_the_contrast_of_the_two(method: str) -> None:
    settings = {"budget": 200} if method == "sampled" else {}
    pairs = all_pairs(healthcare(), TREATMENTS, method=method, **settings)
    for fact in TREATMENTS:
        for foil in TREATMENTS:
            mine, alone = pairs[fact, foil], contrast(healthcare(), fact, foil, method=method, **settings)
            assert mine.gap == alone.gap
            if method != "sampled":  # other topics, other coalitions
                assert dict(mine) == pytest.approx(dict(alone), abs=1e-12)  # sums in another order


def test_the_tensor_and_the_gaps_are_antisymmetric_and_hold_every_pair() -> None:
    pairs = all_pairs(ZEBRA, CLASSES, method="shapley", semantics="df-quad")
    assert pairs.tensor.shape == (3, 3, 5)
    np.testing.assert_array_equal(pairs.tensor, -pairs.tensor.transpose(1, 0, 2))
    np.testing.assert_array_equal(pairs.gaps, [[0, 0.375, 0.375], [-0.375, 0, 0], [-0.375, 0, 0]])
    stripes = list(pairs.contributors).index("stripes")
    assert pairs.tensor[0, 1, stripes] == pairs["zebra", "horse"]["stripes"] == 0.4375
    assert np.isnan(pairs.tensor[0, 1, :2]).all()
    assert repr(pairs) == (
        "<Pairs: 3 topics, shapley under df-quad; zebra over horse +0.375; zebra over tiger +0.375; horse over tiger 0>"
    )


THREE = Qbaf(
    {"p": 0.5, "q": 0.0, "r": 1.0, "a": 0.75, "b": 0.25, "c": 0.9},
    attacks={("a", "b"): 0.5, ("a", "q"): 1.0, ("p", "q"): 0.3, ("c", "r"): 1.0, ("b", "a"): 0.2},
    supports={("b", "p"): 0.8, ("c", "a"): 1.0, ("c", "b"): 1.0, ("q", "r"): 0.6},
    topics=["p", "q", "r"],
    semantics="qe",
)
PLAYERS: dict[str, Any] = {"arguments": "arguments", "edges": "edges", "direct": "direct", "groups": {"g": ["a", "c"]}}


@pytest.mark.parametrize(
    ("kind", "method"),
    [(kind, method) for method, entry in METHODS.items() if method != "sampled" for kind in entry.players],
)
def test_all_pairs_of_any_players_are_their_contrasts_antisymmetric_and_additive(kind: str, method: str) -> None:
    pairs = all_pairs(THREE, players=PLAYERS[kind], method=method)
    tensor = pairs.tensor
    assert list(pairs.contributors) == list(pairs.players)
    assert tensor.shape == (3, 3, len(pairs.players))
    np.testing.assert_array_equal(tensor, -tensor.transpose(1, 0, 2))
    inner = [k for k, name in enumerate(pairs.players) if name not in THREE.topics]
    np.testing.assert_allclose((tensor[0, 1] + tensor[1, 2])[inner], tensor[0, 2, inner], atol=1e-12)
    for fact, foil in permutations(THREE.topics, 2):
        why = contrast(THREE, fact, foil, players=PLAYERS[kind], method=method)
        found = dict(pairs[fact, foil])
        assert {name: found.pop(name) for name in why} == pytest.approx(dict(why), abs=1e-12)
        assert set(found.values()) <= {0.0}  # edges into the third topic


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_table_of_all_pairs_has_a_column_for_each_player(kind: str) -> None:
    pytest.importorskip("pandas")
    pairs = all_pairs(THREE, players=PLAYERS[kind], method="shapley")
    frame = pairs.to_frame()
    assert list(frame.columns) == ["gap", *pairs.players]
    assert frame.columns.name == "share of the gap"
    for pair in permutations(THREE.topics, 2):
        for name, value in pairs[pair].items():
            assert frame.loc[[pair], [name]].to_numpy()[0, 0] == value


def test_all_pairs_of_many_topics_evaluate_as_much_as_one_phi() -> None:
    q = games.random_dag(40, seed=2)
    topics = list(range(20, 40))
    assert (
        all_pairs(q, topics, method="removal", semantics="qe").phi.evaluations
        == contributions(q, topics, method="removal", semantics="qe").evaluations
    )
    assert all_pairs(q, topics, method="removal", semantics="qe").phi.evaluations <= len(q)


def test_pairs_default_to_the_graphs_own_topics_and_need_two_different_ones() -> None:
    q = Qbaf(dict(ZEBRA.base_scores), supports=[("stripes", "zebra")], topics=["zebra", "horse"])
    assert all_pairs(q).topics == ("zebra", "horse")
    with pytest.raises(InvalidInput, match="a contrast needs at least two topics, not \\['zebra'\\]"):
        all_pairs(q, ["zebra"])
    with pytest.raises(InvalidInput, match="a topic is named twice"):
        all_pairs(q, ["zebra", "zebra"])
    with pytest.raises(InvalidInput, match="topics is the string 'zebra'"):
        all_pairs(q, "zebra")
    with pytest.raises(UnknownName, match="no topic 'stripes'"):
        all_pairs(q)["zebra", "stripes"]
    with pytest.raises(InvalidInput, match="ask for a pair"):
        all_pairs(q)["zebra"]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6])
def test_algorithm_one_calls_the_caf_once_less_than_there_are_topics(count: int) -> None:
    q = games.random_dag(12, seed=4)
    topics, calls = list(range(12, 12 - count, -1)), []

    def caf(fact: int, foil: int) -> Mapping[int, float]:
        calls.append((fact, foil))
        return contrast(q, fact, foil, method="removal", semantics="qe")

    chained = chained_pairs(caf, topics)
    assert len(calls) == chained.calls == max(0, count - 1)
    assert chained.additions == (count - 1) * (count - 2) // 2 if count else chained.additions == 0
    for fact in topics:
        for foil in topics:
            if fact != foil:
                whole = contrast(q, fact, foil, method="removal", semantics="qe")
                assert set(chained[fact, foil]) == set(q) - set(topics)
                for x, value in chained[fact, foil].items():
                    assert value == pytest.approx(whole[x], abs=1e-14)  # up to five roundings


def test_algorithm_one_refuses_what_it_was_not_asked() -> None:
    chained = chained_pairs(lambda a, b: contrast(ZEBRA, a, b, method="removal", semantics="df-quad"), CLASSES)
    assert chained["horse", "zebra"] == {"stripes": -0.375, "herbivore": 0.125}
    with pytest.raises(UnknownName, match="no pair of topics"):
        chained["zebra", "stripes"]
    with pytest.raises(InvalidInput, match="named twice"):
        chained_pairs(lambda a, b: {}, ["zebra", "zebra"])


def test_a_ranking_explains_each_step_and_ties_are_ties() -> None:
    order = rank(ZEBRA, ["tiger", "zebra", "horse"], method="removal", semantics="df-quad")
    assert order.order == ("zebra", "tiger", "horse")  # tied topics in the order given
    assert order.places == (1, 2, 2)
    assert order.tied == (False, True)
    assert [(step.fact, step.foil) for step in order.steps] == [("zebra", "tiger"), ("tiger", "horse")]
    assert order.steps[0]["herbivore"] == 0.375
    assert str(order).splitlines() == [
        "1. zebra 0.8750",
        "   zebra (0.875) is rated above tiger (0.500) by 0.375; relative to tiger, "
        "zebra would lose most without herbivore (0.375) and gain most without stripes (0.125).",
        "2. tiger 0.5000",
        "   tiger and horse are tied at 0.500; relative to horse, tiger would lose most without stripes (0.500) and "
        "gain most without herbivore (0.500).",
        "2. horse 0.5000",
    ]


def test_a_ranking_with_a_tie_in_the_middle_counts_on_after_it() -> None:
    q = Qbaf({"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1})
    found = rank(q, ["d", "c", "b", "a"], method="shapley")
    assert found.order == ("a", "c", "b", "d")
    assert found.places == (1, 2, 2, 4)
    assert list(found.strengths) == ["a", "c", "b", "d"]


def test_topics_that_differ_by_rounding_alone_are_tied() -> None:
    """Strengths that are equal on paper: 0.1 + 0.2 and 0.3 as energies."""
    q = Qbaf(
        {"a": 0.1, "b": 0.2, "c": 0.3, "one": 0.5, "other": 0.5, "top": 0.9, "low": 0.1},
        supports=[("a", "one"), ("b", "one"), ("c", "other")],
    )
    assert 0 < abs(all_pairs(q, ["one", "other"], method="removal", semantics="qe").gaps[0, 1]) < 1e-15
    for first, second in (("one", "other"), ("other", "one")):
        pairs = all_pairs(q, ["low", first, second, "top"], method="removal", semantics="qe")
        assert pairs.ahead() == [
            (first, "low"),
            (second, "low"),
            ("top", "low"),
            (first, second),  # a tie is told in the given order
            ("top", first),
            ("top", second),
        ]
        found = rank(q, ["low", first, second, "top"], method="removal", semantics="qe")
        assert found.order == ("top", first, second, "low")
        assert found.places == (1, 2, 2, 4)
        assert found.tied == (False, True, False)
        assert "are tied" in str(found.steps[1])


def test_pairs_as_data_hold_every_two_topics_once_with_their_contrast() -> None:
    pairs = all_pairs(ZEBRA, CLASSES, method="shapley", semantics="df-quad")
    data = pairs.to_dict()
    assert (data["topics"], data["method"], data["semantics"]) == (CLASSES, "shapley", "df-quad")
    assert [(each["fact"], each["foil"]) for each in data["pairs"]] == [
        ("zebra", "horse"),
        ("zebra", "tiger"),
        ("horse", "tiger"),
    ]
    assert data["pairs"] == [pairs[each["fact"], each["foil"]].to_dict() for each in data["pairs"]]
    order = rank(ZEBRA, CLASSES, method="shapley", semantics="df-quad").to_dict()
    assert [(each["topic"], each["place"], each["strength"]) for each in order["order"]] == [
        ("zebra", 1, 0.875),
        ("horse", 2, 0.5),
        ("tiger", 2, 0.5),
    ]
    chained = chained_pairs(lambda a, b: contrast(ZEBRA, a, b, method="removal", semantics="df-quad"), CLASSES)
    told = chained.to_dict()
    assert (told["topics"], told["calls"], told["additions"]) == (CLASSES, 2, 1)
    assert [(each["fact"], each["foil"]) for each in told["pairs"]] == list(chained.values)
    assert all(each["contributions"] == dict(chained[each["fact"], each["foil"]]) for each in told["pairs"])


@pytest.mark.parametrize("count", [2, 6, 7, 8])
def test_the_text_of_all_pairs_names_the_first_twenty_and_counts_the_others(count: int) -> None:
    q = Qbaf({f"t{k}": k / 10 for k in range(count)} | {"x": 0.5}, supports=[("x", "t0")])
    topics = list(q)[:count]
    total = count * (count - 1) // 2
    chained = chained_pairs(lambda a, b: contrast(q, a, b, method="removal"), topics)
    for found in (all_pairs(q, topics, method="removal"), chained):
        head, *lines = str(found).splitlines()
        assert head.startswith(f"{count} topics, ")
        named = [line for line in lines if " over " in line]
        assert len(named) == min(total, 20)
        assert named[0].startswith("t0 over t1")
        rest = {21: "… (1 more pair)", 28: "… (8 more pairs)"}
        assert lines[len(named) :] == ([rest[total]] if total > 20 else [])


def test_the_text_of_algorithm_one_names_the_three_largest_contributions() -> None:
    given = {"a": 0.1, "b": -0.4, "c": 0.3, "d": 0.2}
    for count, said in ((0, "no contributors"), (1, "a +0.100"), (3, "b −0.400, c +0.300, a +0.100")):
        found = chained_pairs(lambda p, q, count=count: dict(list(given.items())[:count]), ["p", "q"])
        assert str(found) == f"2 topics, 1 call of the CAF, 0 additions\np over q: {said}"
    found = chained_pairs(lambda p, q: given, ["p", "q"])
    assert str(found).endswith("\np over q: b −0.400, c +0.300, d +0.200, …")
