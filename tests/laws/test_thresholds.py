"""On both sides of every constant that switches a path the answer is the same: tests/support/thresholds.py."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import SEMANTICS, InvalidInput, Qbaf, Semantics, networks
from qontrast.attribution.shapley.coalitions import find_connected_sets, unpack
from qontrast.attribution.shapley.game import Game
from qontrast.auditing import measures
from qontrast.engine import backend
from qontrast.engine.problem import make_problem
from qontrast.explain import paths
from qontrast.networks import layers
from tests.support.constants_without_paths import ELSEWHERE
from tests.support.hard_graphs import make_hard_graph
from tests.support.other_arrays import make_other_backend
from tests.support.paths import ROOT
from tests.support.profiles import number_of_cases
from tests.support.reference import find_rates
from tests.support.slow_answers import QUESTIONS, check_answer
from tests.support.thresholds import SAME, SHARED, TRIED, list_constants, list_reasons


def set_constant(monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    module, _, constant = name.rpartition(".")
    monkeypatch.setattr(import_module(f"qontrast.{module}"), constant, value)


def read_constant(name: str) -> Any:
    module, _, constant = name.rpartition(".")
    return getattr(import_module(f"qontrast.{module}"), constant)


def test_every_constant_of_the_library_has_one_row_of_the_table() -> None:
    rows = [*TRIED, *SAME, *SHARED, *ELSEWHERE, *list_reasons()]
    constants = list_constants()
    missing = sorted(set(constants) - set(rows))
    assert not missing, f"add rows to tests/support/thresholds.py or constants_without_paths.py: {missing}"
    assert not set(rows) - set(constants), "rows of constants that are gone"
    assert sorted(rows) == sorted(set(rows)), "two rows of one constant"


@pytest.mark.parametrize("constant", TRIED)
def test_below_at_and_beyond_a_threshold_the_answer_is_that_of_the_definition(
    constant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, semantics = TRIED[constant], list(SEMANTICS)
    made = make_other_backend(axes_per_block=3, axes_per_piece=1, numbers_per_block=60)
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: made)
    turn = list(TRIED).index(constant)
    for k, kind in enumerate(row.kinds[: number_of_cases(len(row.kinds), 2)]):
        kinked = "df-quad" if "kinks" in kind else "ebt" if kind == "ties" else semantics[(turn + k) % len(semantics)]
        for name in semantics if number_of_cases(2, 1) > 1 else [kinked]:
            for value in dict.fromkeys(row.list_values(make_hard_graph(kind, 0, name))):
                with monkeypatch.context() as patch:
                    for beside, other in row.beside:
                        set_constant(patch, beside, other)
                    for each in (constant, *row.names):
                        set_constant(patch, each, value)
                    for question in row.questions:
                        if kind in QUESTIONS[question].kinds:
                            check_answer(question, kind, 0, name, row.device)


@pytest.mark.parametrize("constant", SAME)
def test_an_answer_does_not_depend_on_how_the_work_is_cut(constant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, values = SAME[constant]
    expected = ask()
    for value in values:
        with monkeypatch.context() as patch:
            set_constant(patch, constant, value)
            assert_same(ask(), expected, constant)


def assert_same(found: Any, expected: Any, where: str) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}: {key}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), where
        for one, two in zip(found, expected, strict=True):
            assert_same(one, two, where)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), where
    else:
        assert found == expected, where


@pytest.mark.parametrize("constant", SHARED)
def test_the_page_has_the_constants_of_the_library(constant: str) -> None:
    file, _, name = constant.rpartition(".")
    text = (ROOT / "src" / "qontrast" / "web" / "static" / file).read_text(encoding="utf-8")
    match = re.search(rf"const {name} = ([\d._e-]+)", text)
    assert match is not None
    own, times = SHARED[constant]
    assert float(match[1].replace("_", "")) == pytest.approx(times * read_constant(own), rel=1e-12)


def test_the_tests_that_the_table_names_know_the_constants() -> None:
    for constant, file in ELSEWHERE.items():
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"\b{constant.rpartition('.')[2]}\b", text), f"{file} does not try {constant}"


# -- constants with tests of their own


@pytest.mark.parametrize("block", [1, 2, 3, 7])  # COALITIONS_PER_BLOCK is the default
def test_connected_sets_grown_in_small_blocks_are_those_of_one_block(block: int) -> None:
    for kind in ("plain", "cycles", "9 parents"):
        game = Game(make_problem(make_hard_graph(kind, 0, "qe"), "qe"), 0)
        listed = []
        for size in (block, 1 << 15):
            pairs = [each for words in find_connected_sets(game.graph, size) for each in zip(*words, strict=True)]
            sets = [unpack(np.array(pair), len(game.players)).tolist() for pair in pairs]
            listed.append(sorted(sets))
        assert listed[0] == listed[1]


@pytest.mark.parametrize("count", [1, 8, 16, 40])
def test_a_network_is_explained_alike_however_many_coalitions_a_task_has(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    network = networks.from_arrays([rng.normal(size=(3, 2))], [rng.normal(size=2)])
    rows = rng.random((7, 3))
    expected = network.contributions(rows, method="shapley")
    monkeypatch.setattr("qontrast.attribution.inputs.COALITIONS_PER_TASK", count)
    np.testing.assert_allclose(network.contributions(rows, method="shapley"), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("bias", [-20.0, -8.5, -layers.MAX_BIAS, -7.5, 7.5, layers.MAX_BIAS, 8.5, 20.0])
def test_a_network_and_its_graph_agree_on_both_sides_of_the_largest_bias(bias: float) -> None:
    """A larger one is an edge from a constant argument."""
    network = networks.from_arrays([[[9.0, -9.0]], [[1.0], [2.0]]], [[bias, -bias], [bias / 2]], readout="logistic")
    for x in ([0.0], [0.3], [1.0]):
        found = qx.strengths(network.qbaf(x))
        assert found[network.classes[0]] == pytest.approx(float(network.strengths([x])[0, 0]), abs=1e-9)


@pytest.mark.parametrize("logits", [(1000.0, 998.0, -5.0), (-1000.0, -1001.0, -2000.0), (745.0, 0.0, -745.0)])
def test_the_softmax_of_logits_whose_powers_are_no_numbers_is_finite(logits: tuple[float, ...]) -> None:
    network = networks.from_arrays([np.zeros((1, 3))], [list(logits)], readout="softmax")
    powers = np.exp(np.array(logits) - max(logits))
    assert network.strengths([[0.5]])[0].tolist() == pytest.approx((powers / powers.sum()).tolist(), abs=1e-15)
    assert np.isfinite(network.gradient([[0.5]])).all()


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("count", [31, 32, 33])
def test_up_to_the_limit_all_values_of_a_protected_feature_are_tried(
    count: int, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measures.MAX_PROTECTED_VALUES == 32
    made = make_other_backend()
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: made)
    network = networks.from_arrays([[[3.0, -3.0]]], [[-1.45, 1.45]], inputs=["race"], classes=["p", "q"])
    rows = (np.arange(count) / (count - 1))[:, None]
    if count > measures.MAX_PROTECTED_VALUES:
        with pytest.raises(InvalidInput, match=f"'race' has {count} different values; say which ones to try"):
            qx.audit(network, rows, "p", "q", protected="race", device=device)
    else:
        outputs = network.strengths(rows)
        found = qx.audit(network, rows, "p", "q", protected="race", device=device)
        assert found.flips == found.candidates == int((outputs[:, 0] > outputs[:, 1]).sum()) > 0


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_paths_of_a_cyclic_graph_are_counted_below_the_limit_alone(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    middle = [f"m{k}" for k in range(count)]
    scores = dict.fromkeys(["x", "t", *middle], 0.5)
    ring = Qbaf(
        scores, supports={**{("x", m): 0.5 for m in middle}, **{(m, "t"): 0.5 for m in middle}, ("t", "x"): 0.1}
    )
    monkeypatch.setattr(paths, "MAX_SIMPLE_PATHS", 3)
    found = qx.paths(ring, "x", "t", semantics="qe")
    assert len(found) == min(count, 3)
    assert found.counted_all == (count < 3)


@pytest.mark.parametrize("semantics", ["reb", "ebt", "mlp"])
@pytest.mark.parametrize("energy", [7.5, 600.0, 720.0])
def test_slopes_by_base_scores_of_zero_are_powers_up_to_the_largest_number(semantics: str, energy: float) -> None:
    """At a base score of 0 the slope of the strength is e to the energy, or infinite beyond MAX_EXPONENT."""
    q = Qbaf({"x": 1.0, "t": 0.0, "u": 0.5}, supports={("x", "t"): energy, ("t", "u"): 1.0})
    found = qx.attribute(q, "u", method="gradient", semantics=semantics)["t"]
    if energy < 700:
        rates = find_rates(Qbaf(dict(q.base_scores), supports={("x", "t"): energy}), semantics, "t", 1)
        assert rates is not None
        slope = find_rates(Qbaf({"t": 0.0, "u": 0.5}, supports=[("t", "u")]), semantics, "t", 1)
        assert slope is not None
        assert found == pytest.approx(slope["u"] * rates["t"], rel=1e-9)
    else:
        assert np.isinf(found)


@pytest.mark.parametrize("count", [17, pytest.param(20, marks=pytest.mark.heavy), 21])
def test_shares_of_up_to_twenty_changed_units_are_exact_and_of_more_are_sampled(count: int) -> None:
    """MAX_TABLE_UNITS; the strength is a sum, so that every unit has the share that it has alone."""
    rng = np.random.default_rng(0)
    scores, weights = rng.random(count), rng.random(count)
    added = Semantics("added", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + e, bounded=False)
    supports = {(f"x{k}", "t"): float(weight) for k, weight in enumerate(weights)}
    before, after = (
        Qbaf({"t": 0.5} | {f"x{k}": float(score) for k, score in enumerate(each)}, supports=supports)
        for each in (scores, 1 - scores)
    )
    found = qx.change(before, after, "t", semantics=added, budget=1000)
    assert (found.std_error is None) == (count <= 20)
    for k in range(count):
        expected = weights[k] * (1 - 2 * scores[k])
        assert found["base", f"x{k}"] == pytest.approx(expected, abs=1e-9)
