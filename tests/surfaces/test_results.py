"""What every result promises: plain data with a schema, JSON, a table with the same numbers, a short text, copies."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import json
import pickle
import pkgutil
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import axioms, errors, networks, studies
from qontrast.attribution.cost import Cost
from qontrast.attribution.matrix import Phi, View
from qontrast.attribution.players import MissingEdge, Players
from qontrast.axioms import AxiomTable, NotApplicable, Tried, Witness
from qontrast.engine.problem import Solution
from qontrast.questions import Question
from qontrast.results.base import MAX_REPR_LENGTH, SCHEMAS, Plottable, Result, ShapConvertible, to_plain
from qontrast.results.schemas import write_page
from qontrast.studies import compas
from qontrast.studies.compas import Compas
from qontrast.studies.page import Number, Page

SCORES = {"p": 0.6, "q": 0.5, "r": 0.0, "x": 0.8, "y": 1.0, "z": 0.3}
GRAPH = qx.Qbaf(
    SCORES,
    attacks={("x", "q"): 0.5, ("p", "r"): 1.0, ("z", "p"): 0.25},
    supports={("x", "p"): 1.0, ("y", "q"): 0.75, ("y", "x"): 0.5, ("z", "r"): 1.0},
    labels={"x": "It rains\tin Bergen"},
    topics=["p", "q", "r"],
    semantics="df-quad",
)
OTHER = qx.Qbaf(
    SCORES | {"x": 0.2, "n": 0.9},
    attacks={("x", "q"): 0.5, ("y", "q"): 0.75, ("n", "p"): 1.0},
    supports={("x", "p"): 1.0, ("y", "x"): 0.25, ("z", "r"): 1.0},
    topics=["p", "q", "r"],
    semantics="df-quad",
)
MANY = (
    qx.Qbaf({"p": 0.5, "q": 0.5} | {f"x{k}": 0.1 for k in range(21)}, supports=[(f"x{k}", "p") for k in range(21)]),
    qx.Qbaf({"p": 0.5, "q": 0.7} | {f"x{k}": 0.0 for k in range(21)}, supports=[(f"x{k}", "p") for k in range(21)]),
)
KINKED = qx.Qbaf(
    {"a": 0.5, "b": 0.5, "t": 0.3, "u": 0.5}, attacks=[("a", "t")], supports=[("b", "t")], topics=["t", "u"]
)
CYCLIC = qx.Qbaf({"a": 0.7, "b": 0.4, "t": 0.5}, attacks={("a", "b"): 0.5, ("b", "a"): 0.5}, supports=[("a", "t")])
NETWORK = networks.from_arrays(
    [[[-8.0, 8.0, 0.0], [0.0, 0.0, 12.0]]],
    [[4.0, -4.0, -8.0]],
    inputs=["race", "age"],
    classes=["Low", "Medium", "High"],
)
ROWS = np.column_stack([np.repeat([0.0, 1.0], 10), np.tile(np.linspace(0.0, 0.45, 10), 2)])


def audited() -> qx.Audit:
    y = ["Low"] * 10 + ["Medium"] * 10
    return qx.audit(NETWORK, ROWS, "Medium", "Low", protected="race", y=y, trainer=lambda x, y, seed: NETWORK, seeds=2)


def small_study() -> Compas:
    outcome = {"accuracy": 0.6, "flips": 3, "candidates": 4, "changed": 0.5}
    shape = {each.name: None for each in dataclasses.fields(compas.Outcome)}
    ranks = {method: [5.0, 2.0] for method in ("gradient", "removal", "shapley")}
    made = shape | {k: v for k, v in outcome.items() if k in shape} | {"rank": ranks, "size": ranks}
    return Compas(seeds=[{"outcomes": {"planted 0.7": made}, "shown": None}], source="made up", rows=10)


CASES: dict[type, list[Callable[[], Any]]] = {
    qx.Strengths: [lambda: qx.strengths(GRAPH), lambda: qx.strengths(CYCLIC, semantics="qe", solver="continuous")],
    qx.Attribution: [
        lambda: qx.attribute(GRAPH, "p"),
        lambda: qx.attribute(KINKED, "t", method="gradient", semantics="df-quad"),
        lambda: qx.attribute(GRAPH, "q", method="sampled", budget=20, seed=1),
    ],
    qx.Contrast: [
        lambda: qx.contrast(GRAPH, "p", "q"),
        lambda: qx.contrast(KINKED, "t", "u", method="gradient", semantics="df-quad"),
        lambda: qx.contrast(GRAPH, "p", "q", method="sampled", budget=20, seed=1),
    ],
    qx.Pairs: [lambda: qx.all_pairs(GRAPH), lambda: qx.all_pairs(KINKED, method="gradient", semantics="df-quad")],
    qx.Chained: [lambda: qx.chained_pairs(lambda a, b: qx.contrast(GRAPH, a, b), GRAPH.topics)],
    qx.Ranking: [lambda: qx.rank(GRAPH)],
    qx.Paths: [
        lambda: qx.paths(GRAPH, "y", "p"),
        lambda: qx.paths(CYCLIC, "b", "t"),
        lambda: qx.paths(GRAPH, "p", "q"),
    ],
    qx.WhatIf: [
        lambda: qx.whatif(GRAPH, "p", "q", base_scores={"x": 0.1}, remove=["y"]),
        lambda: qx.whatif(GRAPH, base_scores={"x": 0.1}),
    ],
    qx.Change: [
        lambda: qx.change(GRAPH, OTHER, "p", "q"),
        lambda: qx.change(GRAPH, OTHER, "p", units="arguments"),
        lambda: qx.change(*MANY, "p", "q", budget=1000),
    ],
    qx.History: [
        lambda: qx.history([GRAPH, OTHER, GRAPH], "p", "q"),
        lambda: qx.history([GRAPH, OTHER], "p", names=["May", "June"], units="arguments"),
    ],
    qx.Interactions: [
        lambda: qx.interactions(GRAPH, "p", "q"),
        lambda: qx.interactions(GRAPH, "p", index="stii", players="edges"),
    ],
    qx.Uncertainty: [
        lambda: qx.uncertainty(GRAPH, "p", "q", scores={"x": (0.5, 1.0), "z": qx.Beta(1, 2)}, samples=500),
        lambda: qx.uncertainty(GRAPH, "p", "q", scores={"x": qx.Normal(0.8, 0.1)}, quick=True),
    ],
    qx.SemanticsComparison: [
        lambda: qx.compare_semantics(GRAPH, "p", "q"),
        lambda: qx.compare_semantics(qx.examples.load("undefined"), "open", "closed", semantics=["df-quad", "qe"]),
        lambda: qx.compare_semantics(GRAPH, "p", "q", players="edges", method="gradient"),
    ],
    qx.Reasons: [
        lambda: qx.reasons(GRAPH, "p", "q"),
        lambda: qx.reasons(GRAPH, "r", "q", players="edges"),
        lambda: qx.reasons(qx.Qbaf({"p": 0.5, "q": 0.5}), "p", "q"),
    ],
    qx.Flip: [lambda: qx.flip(GRAPH, "p", "q"), lambda: qx.flip(GRAPH, "p", "q", fixed=list(GRAPH))],
    qx.Reach: [
        lambda: qx.reach(GRAPH, "q >= p", change="both"),
        lambda: qx.reach(GRAPH, "q >= p", fixed=["x"]),
        lambda: qx.reach(GRAPH, ["p", "q"]),
        lambda: qx.reach(GRAPH, "y >= 0.9", fixed=["y"]),
    ],
    qx.Robustness: [
        lambda: qx.robustness(GRAPH, "p", "q"),
        lambda: qx.robustness(GRAPH, "p", "q", movers=["x", "y"], norm="l2"),
        lambda: qx.robustness(GRAPH, "p", "q", change="both"),
        lambda: qx.robustness(CYCLIC, "a", "t"),
    ],
    qx.Explained: [
        lambda: next(qx.explain_many([GRAPH], robustness=True)),
        lambda: next(qx.explain_many({"a": GRAPH}, "p", pairs="all", players="edges", method="removal")),
        lambda: next(qx.explain_many([CYCLIC])),
        lambda: next(qx.explain_many([GRAPH], "nobody")),
        lambda: dataclasses.replace(next(qx.explain_many([GRAPH])), notes=("a key is not understood",)),
    ],
    qx.Check: [
        lambda: qx.check(GRAPH),
        lambda: Question(graph=GRAPH).check(),
        lambda: qx.check(qx.examples.load("undefined")),
        lambda: qx.check(CYCLIC.restrict(["a", "t"])),
        lambda: qx.check(qx.Qbaf({"a": 0.5, "b": 0.5}, uncertain={"b": (0.1, 0.6)})),
    ],
    qx.Trajectory: [lambda: qx.trajectory(GRAPH, points=3)],
    qx.Audit: [audited, lambda: qx.audit(NETWORK, ROWS, "High", "Low", protected="age", methods=["removal"])],
    qx.NetworkContrast: [
        lambda: NETWORK.contrast(ROWS[12], "Medium", "Low"),
        lambda: NETWORK.contrast(ROWS[12], "Medium", "Low", players="all"),
    ],
    AxiomTable: [
        lambda: axioms.axiom_table(
            ["gradient", "shapley"], ["efficiency", "neutrality"], semantics="df-quad", graphs=40
        )
    ],
    Witness: [lambda: axioms.find_counterexample("efficiency", "gradient", semantics="df-quad", graphs=40)],
    Tried: [lambda: axioms.find_counterexample("efficiency", "shapley", semantics="df-quad", graphs=20)],
    NotApplicable: [lambda: axioms.verdicts(KINKED.restrict(["t", "u"]), "removal")["monotonicity"]],
    Phi: [
        lambda: qx.contributions(GRAPH, ["p", "q"]),
        lambda: qx.contributions(GRAPH, ["p"], method="sampled", budget=20),
    ],
    Page: [
        lambda: studies.STUDIES["zebra"].run(None),
        lambda: Page(title="t", introduction="i", numbers=[Number("n", "0.5", float("nan"))]),
    ],
    Compas: [small_study],
}
ALL = [pytest.param(make, id=f"{kind.__name__}-{k}") for kind, cases in CASES.items() for k, make in enumerate(cases)]


def public_modules() -> Iterator[ModuleType]:
    yield from (qx, axioms, networks, studies, compas)


def returned(function: FunctionType) -> Iterator[type]:
    """The classes that a function's annotation says it returns, out of unions and containers."""
    hint = getattr(function, "__annotations__", {}).get("return")
    waiting = [eval(hint, function.__globals__) if isinstance(hint, str) else hint]
    while waiting:
        each = waiting.pop()
        if inspect.isclass(each) and not typing.get_args(each):
            yield each
        waiting += typing.get_args(each)


def results() -> set[type]:
    """Dataclasses that public functions and methods return, and whatever else calls itself a result."""
    found: set[type] = set()
    for module in public_modules():
        for name in module.__all__:
            thing = getattr(module, name, None)
            functions = [thing] if inspect.isfunction(thing) else []
            if inspect.isclass(thing):
                functions += [
                    each for _, each in inspect.getmembers(thing, inspect.isfunction) if each.__name__[0] != "_"
                ]
            for function in functions:
                found |= {each for each in returned(function) if dataclasses.is_dataclass(each)}
    for info in pkgutil.walk_packages(qx.__path__, "qontrast."):
        if not info.name.startswith(("qontrast.web", "qontrast.cli", "qontrast.__main__")):
            importlib.import_module(info.name)
    waiting = [Result]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if dataclasses.is_dataclass(kind) and not inspect.isabstract(kind):
            found.add(kind)
    return {each for each in found if each.__module__.startswith("qontrast")} - NO_RESULTS


# what a function returns to be asked on, not to be read: a graph, a network, the parts of a result
NO_RESULTS: set[type] = {
    networks.Network,
    networks.Neurons,
    compas.Table,
    compas.Setting,
    compas.Check,  # a line of Compas
    compas.Outcome,  # of one seed of Compas
    View,  # a mapping that is part of a result
    MissingEdge,  # a line of `missing`
    type(qx.METHODS["shapley"]),  # a row of METHODS
    Solution,  # of Problem.solve: arrays of lanes
    Cost,  # of what a method counts before it begins
}


def test_every_result_of_a_public_function_is_tested_here() -> None:
    assert results() == set(CASES), "give a new result a case in CASES, or say in NO_RESULTS why it is none"


@cache
def made(make: Callable[[], Any]) -> Any:
    return make()


def test_the_cases_are_what_they_say() -> None:
    for kind, cases in CASES.items():
        assert [type(made(make)) for make in cases] == [kind] * len(cases)


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.mark.parametrize("make", ALL)
def test_json_is_the_dictionary_with_its_schema_and_null_for_what_does_not_exist(make: Callable[[], Any]) -> None:
    result = made(make)
    data = result.to_dict()
    assert next(iter(data)) == "schema"
    assert data["schema"].startswith("qontrast/")
    assert data["schema"].endswith("/1")
    assert json.loads(result.to_json(), parse_constant=no_constant) == data


@pytest.mark.parametrize("make", ALL)
def test_every_field_of_json_is_an_attribute_of_the_same_name_and_single_values_are_the_same(
    make: Callable[[], Any],
) -> None:
    result = made(make)
    data = result.to_dict()
    for name in {**result.schema.fields, **result.schema.optional, **data}.keys() - {"schema"}:
        own = getattr(result, name)
        if isinstance(data.get(name), bool | int | float | str) and not isinstance(own, Players):
            assert to_plain(own) == data[name], name


def test_every_schema_of_a_result_has_a_case() -> None:
    assert {kind.schema.name for kind in CASES} == set(SCHEMAS)


def numbers(value: Any) -> list[float]:
    """Every number in plain data or in a result's fields; what does not exist is left out."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, dict):
        return [x for each in value.values() for x in numbers(each)]
    if isinstance(value, list | tuple):
        return [x for each in value for x in numbers(each)]
    return [] if value != value else [float(value)]


@pytest.mark.parametrize("make", ALL)
def test_every_number_of_a_table_is_one_of_the_result(make: Callable[[], Any]) -> None:
    result = made(make)
    frame = result.to_frame()
    told = set(numbers(result.to_dict()))
    told |= {-each for each in told}  # reversed pairs
    told |= {float(len(each)) for each in result.to_dict().values() if isinstance(each, list)}
    told |= set(SCORES.values()) | set(KINKED.base_scores.values()) | set(CYCLIC.base_scores.values())
    told |= set(np.abs(GRAPH.weights).tolist())
    shown = frame.select_dtypes(["number"]).to_numpy().ravel().tolist()
    assert {each for each in shown if each == each} <= told


def frame_of(kind: type, case: int = 0) -> tuple[Any, Any]:
    result = made(CASES[kind][case])
    return result, result.to_frame()


def test_tables_of_studies_hold_the_numbers_in_their_places() -> None:
    page, frame = frame_of(Page)
    assert frame["ours"].tolist() == [each.ours for each in page.numbers]
    study, frame = frame_of(Compas)
    assert frame["ours"].tolist() == [each.ours for each in study.checks()]


# -- schemas

INTEGERS = qx.Qbaf.from_arrays(
    [0.5, 0.75, 0.25, 1.0], [2, 3, 3], [0, 1, 2], [0.5, -1.0, 1.0], topics=[0, 1], semantics="df-quad"
)
WITH_INTEGERS: list[Callable[[], Any]] = [
    lambda: qx.strengths(INTEGERS),
    lambda: qx.attribute(INTEGERS, 0),
    lambda: qx.contributions(INTEGERS, [0, 1]),
    lambda: qx.contrast(INTEGERS, 0, 1),
    lambda: qx.contrast(INTEGERS, 0, 1, method="sampled", budget=20),
    lambda: qx.all_pairs(INTEGERS),
    lambda: qx.chained_pairs(lambda a, b: qx.contrast(INTEGERS, a, b), [0, 1]),
    lambda: qx.rank(INTEGERS),
    lambda: qx.paths(INTEGERS, 3, 0),
    lambda: qx.change(INTEGERS, INTEGERS.with_base_scores({2: 0.5}).without(3), 0, 1),
    lambda: qx.history([INTEGERS, INTEGERS.with_base_scores({2: 0.5})], 0, units="arguments"),
    lambda: qx.whatif(INTEGERS, 0, 1, base_scores={2: 0.5}, remove=[3]),
    lambda: qx.flip(INTEGERS, 1, 0),
    lambda: qx.robustness(INTEGERS, 1, 0),
    lambda: qx.check(INTEGERS),
    lambda: qx.trajectory(INTEGERS, points=3),
]
DOCUMENTED = {name: kind.schema for name, kind in SCHEMAS.items()}


def cases_of(name: str) -> list[Callable[[], Any]]:
    """The cases of a schema, of which several classes may be: each study has its own."""
    return [make for kind, cases in CASES.items() if issubclass(kind, SCHEMAS[name]) for make in cases]


@pytest.mark.parametrize("make", WITH_INTEGERS)
def test_json_is_the_dictionary_also_where_names_are_integers(make: Callable[[], Any]) -> None:
    result = make()
    assert json.loads(result.to_json()) == result.to_dict()


def test_the_page_on_json_is_written_from_the_schemas() -> None:
    page = Path(__file__).parents[2] / "docs" / "json.md"
    assert page.read_text(encoding="utf-8") == write_page(), "run python docs/schemas.py"


def test_every_result_has_a_schema() -> None:
    for kind, cases in CASES.items():
        assert issubclass(kind, Result)
        assert made(cases[0]).to_dict()["schema"] in DOCUMENTED
    assert all(cases_of(name) for name in SCHEMAS)


@pytest.mark.parametrize("name", sorted(set(DOCUMENTED) - {"qontrast/study/1"}))  # each study has fields of its own
def test_a_result_gives_its_documented_fields_in_their_order_and_no_others(name: str) -> None:
    schema, seen = DOCUMENTED[name], set()
    for data in (made(make).to_dict() for cases in CASES.values() for make in cases):
        if data["schema"] == name:
            head, tail = list(data)[1 : 1 + len(schema.fields)], list(data)[1 + len(schema.fields) :]
            assert head == list(schema.fields)
            assert tail == [each for each in schema.optional if each in tail]
            seen |= set(tail)
    assert seen == set(schema.optional), "an optional field that no case has"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_result_keeps_all_promises_of_its_base_class(name: str) -> None:
    for make in cases_of(name):
        result = made(make)
        assert all(each.kw_only for each in dataclasses.fields(result)), "fields are given by keyword"
        assert result.qbaf is None or isinstance(result.qbaf, qx.Qbaf)
        assert result.semantics is None or result.semantics in qx.SEMANTICS
        assert result.method is None or isinstance(result.method, str)
        assert result._repr_html_().startswith("<")
        assert hasattr(result, "plot") == isinstance(result, Plottable)
        assert hasattr(result, "to_shap") == isinstance(result, ShapConvertible)


@pytest.mark.parametrize("name", [name for name, kind in SCHEMAS.items() if issubclass(kind, Plottable)])
def test_a_result_with_a_picture_draws_on_the_axes_that_it_is_given(name: str) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for make in cases_of(name):
        figure, ax = pyplot.subplots()
        assert made(make).plot(ax=ax) is ax
        pyplot.close(figure)


# -- texts


@pytest.mark.parametrize("make", ALL)
def test_a_result_shows_its_content_in_one_short_line(make: Callable[[], Any]) -> None:
    result = made(make)
    shown = repr(result)
    assert type(result).__name__ in shown
    assert shown.isprintable()
    assert len(shown) <= MAX_REPR_LENGTH + 60
    assert " at 0x" not in shown
    assert str(result)


def test_strengths_pairs_and_checks_say_their_numbers() -> None:
    assert repr(qx.strengths(qx.examples.load("zebra"))).startswith(
        "<Strengths: strengths under df-quad: It is a zebra [zebra] 0.8750, It is a horse [horse] 0.5000"
    )
    shown = str(qx.all_pairs(GRAPH, method="removal"))
    for fact, foil in (("p", "q"), ("p", "r"), ("q", "r")):
        gap = qx.strengths(GRAPH)[fact] - qx.strengths(GRAPH)[foil]
        assert f"{fact} over {foil} {gap:+.3f}".replace("-", "−") in shown
    assert str(qx.check(GRAPH)) == (
        "6 arguments, 3 attacks, 4 supports; 4 weights other than 1; acyclic; "
        "strengths are defined under df-quad (1 step)"
    )
    assert "still move" in str(qx.check(qx.examples.load("undefined")))


def test_a_long_text_is_cut_where_a_part_ends() -> None:
    ranking = qx.rank(qx.examples.load("healthcare"))
    shown = repr(ranking)
    assert shown.endswith("…>")
    assert ".;" not in shown
    lines = [line.strip().removesuffix(".") for line in str(ranking).splitlines()]
    assert shown[len("<Ranking: ") : -len("…>")].split("; ")[0] == lines[0]
    assert any(line.endswith(shown[-20:-2]) for line in lines), "the last line is whole"
    assert len(repr(qx.strengths(qx.Qbaf({"a" * 1000: 0.5})))) <= MAX_REPR_LENGTH + 60  # one long word


def test_texts_of_large_graphs_are_bounded() -> None:
    n = 2000
    large = qx.Qbaf.from_arrays(np.full(n, 0.5), np.arange(n - 2) + 2, np.arange(n - 2) % 2, np.ones(n - 2))
    many = [*range(40)]
    for result in (
        qx.strengths(large),
        qx.check(large),
        qx.check(qx.Qbaf.from_arrays(np.full(n, 0.5), [], [], [])),
        qx.attribute(large, 0, method="gradient"),
        qx.contrast(large, 0, 1, method="gradient"),
        qx.contributions(large, many, method="gradient"),
        qx.all_pairs(large, many, method="gradient"),
        qx.trajectory(large, points=2),
        qx.whatif(large, base_scores={3: 0.1}),
        qx.change(large, large.with_base_scores(dict.fromkeys(range(2, 12), 0.1)), 0, 1),
    ):
        assert len(repr(result)) <= MAX_REPR_LENGTH + 60
        assert len(str(result)) < 2500


# -- copies


def same(one: Any, two: Any) -> bool:
    if isinstance(one, qx.Qbaf):
        return one == two and one.semantics == two.semantics and one.topics == two.topics and one.labels == two.labels
    return one.to_dict() == two.to_dict() and str(one) == str(two)


@pytest.mark.parametrize("kind", CASES)
def test_results_are_equal_if_class_graph_and_content_are(kind: type) -> None:
    found = [made(make) for make in CASES[kind]]
    for k, result in enumerate(found):
        again = CASES[kind][k]()
        if isinstance(result, Mapping):
            assert (result == again) == (dict(result) == dict(again))
        else:
            assert result == again
            assert hash(result) == hash(again)
            assert not any(result == other for other in found[:k])
        assert result != "a text"


def test_results_about_different_graphs_differ() -> None:
    reason = {"axiom": "efficiency", "reason": "why"}
    assert NotApplicable(**reason, qbaf=GRAPH) == NotApplicable(**reason, qbaf=GRAPH)
    assert NotApplicable(**reason, qbaf=GRAPH) != NotApplicable(**reason, qbaf=CYCLIC)
    assert Tried(graphs=3) == Tried(graphs=3)
    assert len({Tried(graphs=3), Tried(graphs=3), Tried(graphs=4)}) == 2


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("make", ALL)
def test_every_result_can_be_copied_and_pickled(make: Callable[[], Any], again: Callable[[Any], Any]) -> None:
    result = made(make)
    other = again(result)
    assert type(other) is type(result)
    assert same(result, other)
    if isinstance(getattr(result, "qbaf", None), qx.Qbaf):
        assert same(result.qbaf, other.qbaf)
        assert other.qbaf.semantics == result.qbaf.semantics
        assert (
            qx.strengths(other.qbaf).to_dict() == qx.strengths(result.qbaf).to_dict()
            if qx.check(result.qbaf).undefined is None
            else True
        )


HOW = [copy.copy, copy.deepcopy, *(lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in range(2, 6))]


@pytest.mark.parametrize("again", HOW)
def test_a_graph_keeps_everything_when_it_is_copied(again: Callable[[Any], Any]) -> None:
    arrays = qx.Qbaf.from_arrays([0.5, 0.1, 1.0], [0, 2], [1, 1], [-0.5, -0.0], topics=[1], semantics="ebt")
    for graph in (GRAPH, CYCLIC, arrays, qx.Qbaf({}), *map(qx.examples.load, qx.examples.EXAMPLES)):
        other = again(graph)
        assert same(graph, other)
        assert other.base_array.tolist() == graph.base_array.tolist()
        assert np.signbit(other.weights).tolist() == np.signbit(graph.weights).tolist()
        assert list(other.arguments) == list(graph.arguments)
        assert not other.base_array.flags.writeable
        if qx.check(graph).undefined is None:
            assert dict(qx.strengths(other)) == dict(qx.strengths(graph))


def energy(attacks: Any, supports: Any) -> Any:
    return supports.sum(0) - attacks.sum(0)


def strength(base: Any, energy: Any) -> Any:
    return base + 3 * energy


@pytest.mark.parametrize("again", HOW)
def test_a_semantics_and_what_was_computed_with_it_survive_copying(again: Callable[[Any], Any]) -> None:
    for semantics in qx.SEMANTICS.values():
        assert again(semantics) is semantics
    own = qx.Semantics("qe", energy, strength, "mine", "b + 3e", bounded=False)  # not the one that has this name
    other = again(own)
    assert (other.name, other.source, other.formula, other.bounded) == ("qe", "mine", "b + 3e", False)
    assert dict(qx.strengths(GRAPH, semantics=other)) == dict(qx.strengths(GRAPH, semantics=own))
    phi = qx.contributions(GRAPH, ["p", "q"], method="removal", semantics=own)
    assert again(phi).problem.semantics.influence.strength is strength
    assert again(phi).to_dict() == phi.to_dict()


def kinds(of: type) -> list[type]:
    return [of, *(each for kind in of.__subclasses__() for each in kinds(kind))]


def test_every_error_can_be_pickled_with_all_that_it_carries() -> None:
    made = {
        errors.FormatError: errors.FormatError("lacks a parenthesis", "hotel.bag", 7),
        errors.UndefinedStrength: errors.UndefinedStrength("a still moves", ("a",), 0.5, 3),
    }
    for kind in [*kinds(errors.QontrastError), errors.FontWarning, errors.FormatWarning, errors.SlowWarning]:
        if not kind.__module__.startswith("qontrast"):
            continue
        error = made.get(kind) or kind("something is wrong")
        for again in HOW:
            other = again(error)
            assert type(other) is kind
            assert (str(other), vars(other)) == (str(error), vars(error))


@pytest.mark.parametrize("again", HOW[1:])
def test_a_network_gives_the_same_answers_after_copying(again: Callable[[Any], Any]) -> None:
    softmax = NETWORK.with_readout("softmax")
    for network in (NETWORK, softmax):
        network.strengths(ROWS)  # its graph is made and kept
        other = again(network)
        np.testing.assert_array_equal(other.strengths(ROWS), network.strengths(ROWS))
        assert (other.inputs, other.classes, other.readout) == (network.inputs, network.classes, network.readout)


def test_an_attribution_names_the_eight_largest_contributions_and_counts_the_others() -> None:
    names = [f"x{k}" for k in range(1, 11)]
    for count in (0, 1, 8, 9, 10):
        scores = {name: 0.05 * k for k, name in enumerate(names[:count], 1)}
        q = qx.Qbaf({"t": 0.5} | scores, attacks=[(x, "t") for x in names[:count]])
        found = qx.attribute(q, "t", method="gradient", semantics="qe")
        head, said = str(found).split("): ", 1)
        assert head == (
            f"t has strength {found.strength:.4f} (base score 0.5000); "
            "slope of the strength per unit of base score (gradient, qe"
        )
        shown = [f"{x} {value:+.4f}".replace("-", "−") for x, value in found.ranked()[:8]]
        more = f", … ({count - 8} more)" if count > 8 else ""
        assert said == (", ".join(shown) or "none") + more


# -- values

MUTABLE = {  # what works through a search, reads a file or serves requests, and holds its state meanwhile
    "qontrast.attribution.shapley.device_sums.PairSums",
    "qontrast.attribution.shapley.device_sums.Sums",
    "qontrast.attribution.shapley.device_sums.TaylorSums",
    "qontrast.attribution.shapley.sampling._Run",
    "qontrast.explain.flip_removals.RemovalSearch",
    "qontrast.explain.reasons_search.Found",
    "qontrast.explain.reach_search.Descent",
    "qontrast.formats.graphml.Element",
    "qontrast.formats.kialo.Claim",
    "qontrast.formats.kpa.Motion",
    "qontrast.web.jobs.Job",
    "qontrast.web.jobs.Pool",
    "qontrast.web.jobs.Worker",
    "qontrast.web.worker.Interruptible",
}


def test_every_dataclass_but_these_is_immutable() -> None:
    mutable = set()
    for info in pkgutil.walk_packages(qx.__path__, "qontrast."):
        module = None if info.name.endswith("__main__") else importlib.import_module(info.name)
        for kind in vars(module).values() if module else ():
            if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and not kind.__dataclass_params__.frozen:
                mutable.add(f"{kind.__module__}.{kind.__name__}")
    assert mutable == MUTABLE


@pytest.mark.parametrize("make", ALL)
def test_a_result_cannot_be_changed_and_can_be_compared(make: Callable[[], Any]) -> None:
    result = made(make)
    for each in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, each.name, None)
    assert (result == copy.copy(result)) in (True, False)  # where arrays were compared, there would be no answer
    assert result != "another thing"
    if isinstance(result, Mapping) and not np.isnan(list(result.values())).any():
        assert result == dict(result)
