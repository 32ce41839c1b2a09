"""The graph: a value that is checked when it is made and never changes."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qontrast import (
    InvalidInput,
    InvalidQbaf,
    Qbaf,
    QontrastError,
    Semantics,
    UndefinedStrength,
    UnknownName,
    attribute,
    contrast,
    solve_lanes,
    strengths,
    trajectory,
)
from qontrast.errors import Hint
from tests.support.strategies import qbafs

AB = {"a": 0.5, "b": 0.25}
ONE_EDGE = Qbaf(AB, attacks=[("a", "b")])


@given(qbaf=qbafs(cyclic=True), data=st.data())
def test_a_graph_equals_itself_in_any_order_and_through_pickle(qbaf: Qbaf, data: st.DataObject) -> None:
    shuffled = Qbaf(
        {name: qbaf.base_scores[name] for name in data.draw(st.permutations(list(qbaf)))},
        {edge: qbaf.attacks[edge] for edge in data.draw(st.permutations(list(qbaf.attacks)))},
        {edge: qbaf.supports[edge] for edge in data.draw(st.permutations(list(qbaf.supports)))},
        topics=qbaf.topics,
    )
    for other in (shuffled, pickle.loads(pickle.dumps(qbaf)), copy.copy(qbaf), copy.deepcopy(qbaf)):
        assert other == qbaf
        assert hash(other) == hash(qbaf)


def test_graphs_that_differ_in_anything_are_not_equal() -> None:
    q = Qbaf(AB, attacks=[("a", "b")], labels={"a": "A"}, topics=["b"], semantics="qe")
    keys = {"labels": {"a": "A"}, "topics": ["b"], "semantics": "qe"}
    others = [
        Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "b")], **keys),
        Qbaf({"a": 0.5, "c": 0.25}, attacks=[("a", "c")], labels={"a": "A"}, topics=["c"], semantics="qe"),
        Qbaf(AB, supports=[("a", "b")], **keys),
        Qbaf(AB, attacks=[("b", "a")], **keys),
        Qbaf(AB, attacks=[("a", "a")], **keys),
        Qbaf(AB, attacks={("a", "b"): 0.5}, **keys),
        Qbaf(AB, attacks=[("a", "b")], **{**keys, "labels": {}}),
        Qbaf(AB, attacks=[("a", "b")], **{**keys, "topics": []}),
        Qbaf(AB, attacks=[("a", "b")], **{**keys, "semantics": None}),
    ]
    assert all(q != other for other in others)
    assert q != "q"
    assert Qbaf(AB, attacks={("a", "b"): 0.0}) != Qbaf(AB, supports={("a", "b"): 0.0})
    assert hash(Qbaf({"a": -0.0})) == hash(Qbaf({"a": 0.0}))


def test_a_graph_never_changes() -> None:
    q = Qbaf(AB, attacks=[("a", "b")])
    with pytest.raises(AttributeError, match="never changes"):
        q.semantics = "qe"
    with pytest.raises(AttributeError, match="never changes"):
        del q.topics
    with pytest.raises(ValueError, match="read-only"):
        q.base_array[0] = 1.0
    with pytest.raises(TypeError):
        q.attacks["a", "b"] = 2.0  # type: ignore[index]
    with pytest.raises(TypeError):
        q.base_scores["a"] = 1.0  # type: ignore[index]
    mine = np.array([0.5, 0.5])
    made = Qbaf.from_arrays(mine, [0], [1], [1.0])
    mine[:] = 7
    assert made.base_scores == {0: 0.5, 1: 0.5}


def test_the_repr_counts_and_names_what_matters() -> None:
    q = Qbaf(AB, attacks=[("a", "b")], supports=[("a", "a"), ("b", "a")], topics=["b"], semantics="qe")
    assert repr(q) == "<Qbaf: 2 arguments, 1 attack, 2 supports, topics 'b', qe>"
    assert repr(Qbaf({})) == "<Qbaf: 0 arguments, 0 attacks, 0 supports>"


def test_the_parts_of_a_graph_can_be_read_back() -> None:
    q = Qbaf(AB, attacks={("a", "b"): 0.5}, supports=[("b", "b")], labels={"a": "Alpha"})
    assert q.base_scores == AB
    assert q.attacks == {("a", "b"): 0.5}
    assert q.supports == {("b", "b"): 1.0}
    assert (q.label("a"), q.label("b"), q.index("b"), len(q), list(q)) == ("Alpha", "b", 1, 2, ["a", "b"])
    assert "a" in q
    assert ["a"] not in q
    assert Qbaf({"a": Fraction(1, 2), "b": np.float32(0.25)}).base_scores == AB


def test_a_restriction_keeps_arguments_scores_and_the_edges_among_them() -> None:
    q = Qbaf({**AB, "c": 1.0}, {("a", "b"): 0.5, ("c", "a"): 1.0}, [("b", "b")], labels={"c": "C"}, topics=["b", "c"])
    part = q.restrict(["b", "a"])
    assert part == Qbaf(AB, {("a", "b"): 0.5}, [("b", "b")], topics=["b"])
    assert q.without("c") == part
    assert q.without() == q
    assert len(q.restrict([])) == 0
    numbered = Qbaf.from_arrays([0.1, 0.2, 0.3], [0, 1], [1, 2], [1.0, -0.5]).without(0)
    assert numbered.base_scores == {1: 0.2, 2: 0.3}
    assert numbered.attacks == {(1, 2): 0.5}
    assert pickle.loads(pickle.dumps(numbered)) == numbered


def test_new_base_scores_leave_the_old_graph_alone() -> None:
    q = Qbaf(AB, attacks=[("a", "b")])
    before = strengths(q, semantics="df-quad")["b"]
    assert q.base_scores == AB
    new = q.with_base_scores({"a": 1.0})
    assert new.base_scores == {"a": 1.0, "b": 0.25}
    assert strengths(new, semantics="df-quad")["b"] == 0.0
    assert strengths(q, semantics="df-quad")["b"] == before
    with pytest.raises(InvalidQbaf, match=r"base score of argument 'a' is 2;"):
        q.with_base_scores({"a": 2})
    with pytest.raises(UnknownName, match="no argument 'z'"):
        q.with_base_scores({"z": 0.5})


def test_arrays_and_dictionaries_make_the_same_graph() -> None:
    q = Qbaf(AB, attacks={("a", "b"): 0.5}, supports={("b", "b"): 2.0})
    assert Qbaf.from_arrays([0.5, 0.25], [0, 1], [1, 1], [-0.5, 2.0], names=["a", "b"]) == q


REFUSED = [
    (lambda: Qbaf({"a": 1.5}), r"base score of argument 'a' is 1\.5; base scores lie between 0 and 1"),
    (lambda: Qbaf({"a": -0.1, "b": 2}), r"'a' is -0\.1; .* \(1 more are outside\)"),
    (lambda: Qbaf({"a": float("nan")}), "'a' is nan"),
    (lambda: Qbaf({"a": "0.5"}), "base score of argument 'a' is '0.5', not a number"),
    (lambda: Qbaf({"a": None}), "'a' is None, not a number"),
    (lambda: Qbaf({"a": True}), "'a' is True, not a number"),
    (lambda: Qbaf({"a": 10**400}), "too large"),
    (lambda: Qbaf(["a"]), "base_scores is a list; give a mapping"),
    (lambda: Qbaf({"": 0.5}), "argument 1 has an empty name"),
    (lambda: Qbaf({"a": 0.5, 7: 0.5}), "argument 2 is named 7; a name is a string: '7'"),
    (lambda: Qbaf({"profit": 0.5}, [("proft", "profit")]), r"attack .* from nowhere: .* did you mean 'profit'\?"),
    (lambda: Qbaf({"profit": 0.5}, (), [("profit", "x")]), r"support \('profit', 'x'\) leads to nowhere"),
    (lambda: Qbaf(AB, [(["a"], "b")]), "nowhere"),
    (lambda: Qbaf(AB, [("a", "b")], [("a", "b")]), "edge from 'a' to 'b' is both an attack and a support"),
    (lambda: Qbaf(AB, [("a", "b"), ("a", "b")]), "edge from 'a' to 'b' is given twice"),
    (lambda: Qbaf(AB, "ab"), "attacks is the string 'ab'; give pairs"),
    (lambda: Qbaf(AB, ["ab"]), "'ab' is not an attack: give pairs"),
    (lambda: Qbaf(AB, (), [("a", "b", 1.0)]), r"\('a', 'b', 1\.0\) is not a support"),
    (lambda: Qbaf(AB, {("a", "b"): -1.0}), "weight of attack .* is -1; make it a support of weight ≥ 0"),
    (lambda: Qbaf(AB, {("a", "b"): float("inf")}), r"weight of edge .* is -inf; give a number of at most 1e\+300"),
    (lambda: Qbaf(AB, {("a", "b"): float("nan")}), "weight of edge .* is nan"),
    (lambda: Qbaf(AB, {("a", "b"): "x"}), "weight of attack .* is 'x', not a number"),
    (lambda: Qbaf(AB, topics="a"), r"topics is the string 'a'; give a list"),
    (lambda: Qbaf(AB, topics=["a", "a"]), "topic is named twice"),
    (lambda: Qbaf(AB, topics=["z"]), "no argument 'z' among the 2 here: 'a', 'b'"),
    (lambda: Qbaf(AB, labels={"z": "Z"}), "no argument 'z'"),
    (lambda: Qbaf(AB, labels={"a": 3}), "label of argument 'a' is 3; give a string"),
    (lambda: Qbaf(AB, semantics=3), "holds the name of its semantics, not 3"),
    (lambda: Qbaf(AB).restrict("a"), "restrict takes a collection of names, not the string 'a'"),
    (lambda: Qbaf(AB).without("c"), "no argument 'c'"),
    (lambda: Qbaf.from_arrays([[0.5]], [], [], []), r"base_scores has shape \(1, 1\)"),
    (lambda: Qbaf.from_arrays(["0.5"], [], [], []), "base_scores cannot be read as numbers"),
    (lambda: Qbaf.from_arrays([0.5j], [], [], []), "base_scores cannot be read as numbers"),
    (lambda: Qbaf.from_arrays([0.5], [0], [1], [1.0]), r"targets\[0\] is 1; with 1 argument an"),
    (lambda: Qbaf.from_arrays([0.5], [-1], [0], [1.0]), r"sources\[0\] is -1"),
    (lambda: Qbaf.from_arrays([0.5], [0.0], [0], [1.0]), "sources is float64"),
    (lambda: Qbaf.from_arrays([0.5], [0], [0], [1.0, 1.0]), "differ in length: 1, 1, 2"),
    (lambda: Qbaf.from_arrays([0.5, 0.5], [], [], [], names=["a", "a"]), "as many different names, not 1"),
    (lambda: Qbaf.from_arrays([0.5], [0, 0], [0, 0], [1.0, -1.0]), "edge from 0 to 0 is both"),
    (
        lambda: strengths(Qbaf(AB, {("a", "b"): 2.0}), semantics="df-quad"),
        "is 2; df-quad allows weights up to 1: rescale",
    ),
    (
        lambda: strengths(Qbaf(AB), semantics="dfquad"),
        r"no semantics 'dfquad' among the 7 here; did you mean 'df-quad'\?",
    ),
    (lambda: strengths(Qbaf(AB), semantics="qe", solver="euler"), "no solver 'euler'"),
    (lambda: strengths(Qbaf(AB), semantics="qe", max_steps=0), "max_steps is 0; give a whole number of at least 1"),
    (lambda: strengths(AB), "expected a Qbaf, not dict"),
    (lambda: strengths(Qbaf(AB))["c"], "no argument 'c'"),
    (lambda: solve_lanes(Qbaf(AB), present=[[1, 1, 1]]), r"present has shape \(1, 3\); give \(lanes, 2 arguments\)"),
    (lambda: solve_lanes(Qbaf(AB), present=[[1, 0.5]]), "present says 0.5 of argument 'b' in lane 0"),
    (lambda: solve_lanes(Qbaf(AB), base_scores=[[0.5, 0.5], [0.5, 3.0]]), "argument 'b' in lane 1 is 3, outside"),
    (
        lambda: solve_lanes(Qbaf(AB), present=np.ones((2, 2)), base_scores=np.ones((3, 2))),
        "base_scores has 3 lanes, and there are 2; give 1 or 2",
    ),
    (lambda: solve_lanes(ONE_EDGE, weights=[[1, 1]]), r"weights has shape \(1, 2\); give \(lanes, 1 edges\)"),
    (lambda: solve_lanes(ONE_EDGE, weights=[[1], [-1]]), r"edge \('a', 'b'\) in lane 1 is -1; give a number from 0 on"),
    (lambda: solve_lanes(ONE_EDGE, weights=[[np.inf]]), r"edge \('a', 'b'\) in lane 0 is inf; give a number from 0 on"),
    (lambda: solve_lanes(ONE_EDGE, weights=[[2]], semantics="df-quad"), "in lane 0 is 2; give a number from 0 to 1"),
    (lambda: solve_lanes(ONE_EDGE, weights="heavy"), r"weights is 'heavy'; give an array of numbers, \(lanes, edges\)"),
    (lambda: solve_lanes(ONE_EDGE, weights=np.ones((2, 1)), present=np.ones((3, 2))), "weights has 2 lanes, and there"),
    (lambda: trajectory(Qbaf(AB), until=0), "until is 0; give a number above 0"),
    (lambda: Semantics("", np.add, np.add), "named by a non-empty string"),
    (lambda: Semantics("mine", 3, np.add), "aggregation of semantics 'mine' is 3; give a function"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_what_is_refused_is_named_with_the_way_out(make, message: str) -> None:
    with pytest.raises(QontrastError, match=message):
        make()


LOOP = Qbaf({"a": 0.5, "b": 0.5}, supports=[("a", "b"), ("b", "a")])


@pytest.mark.parametrize("solver", ["discrete", "continuous"])
@pytest.mark.parametrize("graph", [LOOP, Qbaf({"a": 0.5, "b": 0.5}, supports=[("a", "b")])])
def test_a_users_formula_that_gives_no_number_is_named(solver: str, graph: Qbaf) -> None:
    broken = Semantics("broken", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: np.where(e > 0.3, np.nan, b))
    with pytest.raises(InvalidQbaf, match=r"semantics 'broken' gives argument .* the strength nan"):
        strengths(graph, semantics=broken, solver=solver)
    wild = Semantics("wild", broken.aggregation, lambda b, e: b + e)
    if graph is not LOOP:
        with pytest.raises(InvalidQbaf, match=r"'b' the strength 1.*; bounded=False"):
            strengths(graph.with_base_scores({"b": 0.75}), semantics=wild, solver=solver)


@pytest.mark.parametrize("solver", ["discrete", "continuous"])
def test_strengths_that_grow_beyond_all_bounds_are_undefined(solver: str) -> None:
    double = Semantics("double", lambda att, sup: sup.sum(0), lambda b, e: b + 2 * e, bounded=False)
    with pytest.raises(UndefinedStrength, match="double"):
        strengths(LOOP, semantics=double, solver=solver)


def test_errors_are_also_the_usual_kinds_of_python_and_survive_pickle() -> None:
    assert issubclass(InvalidQbaf, ValueError)
    assert issubclass(InvalidInput, ValueError)
    assert issubclass(UnknownName, KeyError)
    assert str(UnknownName("no quotes")) == "no quotes"
    error = pickle.loads(pickle.dumps(UndefinedStrength("moves", ("a",), 0.5, 3)))
    assert (str(error), error.arguments, error.step, error.lane) == ("moves", ("a",), 0.5, 3)


def numbered() -> list[Qbaf]:
    """Graphs named by integers: all of them, some of them, and one that travelled."""
    whole = Qbaf.from_arrays([0.1, 0.2, 0.3, 0.4], [0, 1], [1, 2], [1.0, -0.5])
    some = whole.restrict([1, 2])
    return [whole, some, pickle.loads(pickle.dumps(whole)), pickle.loads(pickle.dumps(some))]


@pytest.mark.parametrize("name", [True, 1.0, "1", None, np.True_, np.float64(1.0), 1 + 0j, (1,), [1]])
@pytest.mark.parametrize("q", numbered())
def test_only_the_integer_one_names_argument_one(q: Qbaf, name: object) -> None:
    assert name not in q
    for ask in (
        q.index,
        lambda name: q.restrict([name]),
        lambda name: q.without(name),
        lambda name: q.with_base_scores({name: 0.5}) if not isinstance(name, list) else q.index(name),
        strengths(q).__getitem__,
        lambda name: attribute(q, name),
        lambda name: attribute(q, 2)[name],
        lambda name: contrast(q, 2, name),
    ):
        with pytest.raises(UnknownName, match="no argument"):
            ask(name)


@pytest.mark.parametrize("q", numbered())
def test_any_kind_of_integer_names_its_argument(q: Qbaf) -> None:
    for name in (1, np.int64(1), np.int32(1), np.uint8(1)):
        assert name in q
        assert q.arguments[q.index(name)] == 1
        assert strengths(q)[name] == strengths(q)[1]
    assert 7 not in q
    assert -1 not in q
    assert q.base_scores[1] == 0.2


def test_graphs_named_by_other_integers_are_not_equal() -> None:
    whole = Qbaf.from_arrays([0.5, 0.5, 0.5], [0, 1], [1, 2], [1.0, 1.0])
    one, other = whole.without(0), whole.without(2)
    assert one != other  # 1 → 2 and 0 → 1
    assert one != Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0])
    assert other == Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0])
    assert hash(other) == hash(Qbaf.from_arrays([0.5, 0.5], [0], [1], [1.0]))
    assert other != Qbaf({"0": 0.5, "1": 0.5}, supports=[("0", "1")])


@pytest.mark.parametrize(
    ("q", "names"),
    [
        (Qbaf({"b": 0.1, "a": 0.2, "c": 0.3}), ["b", "a", "c"]),
        (Qbaf.from_arrays([0.1, 0.2, 0.3], [], [], []), [0, 1, 2]),
        (Qbaf.from_arrays([0.1, 0.2, 0.3, 0.4], [], [], []).restrict([3, 1]), [1, 3]),
        (Qbaf({}), []),
    ],
)
def test_the_index_of_a_graph_maps_its_names_to_their_places(q: Qbaf, names: list[object]) -> None:
    places = {name: place for place, name in enumerate(names)}
    assert list(q) == list(q.arguments) == names
    assert dict(q._index) == places
    assert len(q._index) == len(names)
    assert {name: q.index(name) for name in names} == places
    for stranger in (4, -1, "z", 0.5, None, True):
        assert stranger not in q
        assert stranger not in q._index
        with pytest.raises(UnknownName):
            q.index(stranger)


def test_an_error_is_its_message_and_then_its_ways_out() -> None:
    more, other = Hint("max_steps", raised=True), Hint("method", ("removal", "shapley"))
    for arguments, hints, said in (
        ((), (), ""),
        (("too slow",), (), "too slow"),
        (("too slow",), (more,), "too slow; raise max_steps"),
        (("too slow",), (more, other), "too slow; raise max_steps, or ask for method='removal' or 'shapley'"),
        (("too slow",), (Hint("figure", ("bars",)),), "too slow"),  # which is no setting of a Python function
        (("unread",), (Hint("read_as", ("a", "b", "c", "d")),), "unread; give format= one of a, b, c, d"),
        (("unread",), (Hint("values", more="in order"),), "unread; give values=[...] in order"),
    ):
        error = QontrastError(*arguments, hints=hints)
        assert str(error) == said
        assert error.phrase(lambda hint: None) == (arguments[0] if arguments else "")
