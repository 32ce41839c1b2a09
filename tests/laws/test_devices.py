"""A device gives the numbers of the CPU: a second array module, as strict as CuPy, stands for the GPU here.

With QONTRAST_GPU=1 the tests run on the GPU itself: `QONTRAST_GPU=1 pytest tests/laws/test_devices.py`.
"""

from __future__ import annotations

import inspect
import json
import os
import pickle
import sys
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import SEMANTICS, InvalidInput, InvalidQbaf, Qbaf, Semantics, Shapley, UndefinedStrength, networks
from qontrast.attribution.shapley.exact import make_plan
from qontrast.attribution.shapley.game import Game
from qontrast.cli.main import COMMANDS, load_command, main
from qontrast.engine import backend
from qontrast.engine.problem import make_problem
from tests.support import games
from tests.support.other_arrays import OtherArray, make_other_backend

RING = Qbaf(  # a cycle, a topic with parents and a child, weights other than 1, base scores 0 and 1
    {"a": 1.0, "b": 0.0, "c": 0.4, "d": 0.7, "t": 0.5, "u": 0.3},
    attacks={("a", "b"): 0.5, ("b", "c"): 0.25, ("d", "t"): 0.75},
    supports={("c", "a"): 0.5, ("a", "t"): 1.0, ("t", "u"): 0.5, ("b", "u"): 0.5},
    topics=["t", "u"],
)
WIDE = Qbaf(  # more parents than one kernel takes
    {f"x{k}": k / 9 for k in range(10)} | {"t": 0.5},
    attacks={(f"x{k}", "t"): 0.5 for k in range(2)},
    supports={(f"x{k}", "t"): 0.1 + k / 20 for k in range(2, 10)},
)
GRAPHS = {"dag": games.random_dag(8, seed=1), "ring": RING, "wide": WIDE}
MEAN = Semantics("mean", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: (b + np.clip(b + e, 0, 1)) / 2)


ON_GPU = os.environ.get("QONTRAST_GPU") == "1"
SMALL = {"axes_per_block": 3, "axes_per_piece": 2, "numbers_per_block": 30}


def make_backend(**sizes: int) -> backend.Backend:
    """The other module, or the GPU where that is asked for, with small blocks."""
    return replace(backend.load_cupy(), **sizes) if ON_GPU else make_other_backend(**sizes)


@pytest.fixture(autouse=True)
def other(monkeypatch: pytest.MonkeyPatch) -> backend.Backend:
    """`device="cuda"` computes with the other module, or on the GPU."""
    made = make_backend()
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: made)
    return made


def lanes_of(q: Qbaf, count: int = 30) -> list[dict[str, Any]]:
    """Lanes that differ in who is there, in base scores too, and in weights."""
    rng = np.random.default_rng(0)
    present, scores = rng.random((count, len(q))) < 0.7, rng.random((count, len(q)))
    weights = rng.random((count, len(q.weights)))
    scores[::7] = np.round(scores[::7])
    return [
        {"present": present},
        {"present": present.astype(float), "base_scores": scores, "weights": weights[0]},
        {"present": present[0], "weights": weights},
    ]


@pytest.mark.parametrize("semantics", [*SEMANTICS, MEAN], ids=[*SEMANTICS, "mean"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_lanes_on_a_device_have_the_strengths_of_the_cpu(graph: str, semantics: str | Semantics) -> None:
    q = GRAPHS[graph]
    for given in lanes_of(q):
        found = make_problem(q, semantics, max_steps=60, device="cuda").solve(**given)
        expected = make_problem(q, semantics, max_steps=60).solve(**given)
        np.testing.assert_allclose(found.strengths, expected.strengths, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(found.moving == 0, expected.moving == 0)
        if not ON_GPU:  # whose last digits are others, so that it may settle a step earlier or later
            np.testing.assert_array_equal(found.steps, expected.steps)
            np.testing.assert_allclose(found.moving, expected.moving, rtol=0, atol=1e-12)


@pytest.mark.parametrize("semantics", ["mlp", "reb", "ebt"])
def test_lanes_that_an_exact_balance_holds_are_undefined_on_a_device_too(semantics: str) -> None:
    """Two rivals that support themselves: lanes of equal scores, one with a lead, and one where a rival is absent."""
    mutual, own = dict.fromkeys([("a", "b"), ("b", "a")], 8.0), {("a", "a"): 8.0, ("b", "b"): 8.0}
    q = Qbaf({"a": 0.5, "b": 0.5, "x": 0.3}, mutual, {**own, ("x", "x"): 0.1})
    given = {
        "present": [[1, 1, 1], [1, 1, 1], [1, 0, 1], [1, 1, 0]],
        "base_scores": [[0.5, 0.5, 0.3], [0.5 + 1e-7, 0.5, 0.3], [0.5, 0.5, 0.3], [0.25, 0.25, 0.3]],
    }
    found, expected = (
        make_problem(q, semantics, device=each).solve(**{k: np.array(v, float) for k, v in given.items()})
        for each in ("cuda", "cpu")
    )
    assert (expected.moving > 1e-6).tolist() == [True, False, False, True]
    assert (found.moving > 1e-6).tolist() == [True, False, False, True]
    np.testing.assert_allclose(found.strengths, expected.strengths, rtol=0, atol=1e-12)
    with pytest.raises(UndefinedStrength, match="'a', 'b' are held by an exact balance"):
        qx.attribute(q, "a", method="shapley", semantics=semantics, device="cuda")


@pytest.mark.parametrize("semantics", [*SEMANTICS, MEAN], ids=[*SEMANTICS, "mean"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_methods_on_a_device_have_the_contributions_of_the_cpu(graph: str, semantics: str | Semantics) -> None:
    q, topic = GRAPHS[graph], list(GRAPHS[graph])[-1]
    for method in ("shapley", "removal"):
        one, two = (
            qx.attribute(q, topic, method=method, semantics=semantics, device=each).array for each in ("cuda", "cpu")
        )
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


@pytest.mark.parametrize("players", range(1, 9))
def test_every_number_of_players_is_cut_into_blocks_and_pieces(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    small = make_backend(**SMALL)
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: small)
    q = games.random_dag(players, seed=players, parents=2)
    seen: list[tuple[int, int]] = []
    found = qx.attribute(
        q, players, method="shapley", semantics="df-quad", device="cuda", progress=lambda *at: seen.append(at)
    )
    np.testing.assert_allclose(
        found.array, qx.attribute(q, players, method="shapley", semantics="df-quad").array, rtol=0, atol=1e-12
    )
    assert seen[-1][0] == seen[-1][1]


def test_sampled_and_owen_values_are_computed_on_a_device_too() -> None:
    for asked in (
        {"method": "sampled", "sampler": "permutations", "budget": 100},
        {"method": "owen", "players": "edges"},
    ):
        one, two = (qx.contrast(RING, "t", "u", device=each, **asked) for each in ("cuda", "cpu"))
        np.testing.assert_allclose(list(one.values()), list(two.values()), rtol=0, atol=1e-12)


def test_groups_and_edges_are_players_on_a_device_too() -> None:
    for players in ({"ab": ["a", "b"], "cd": ["c", "d"]}, "edges", "direct"):
        asked: dict[str, Any] = {"players": players, "method": "shapley", "semantics": "qe"}
        one, two = (qx.contrast(RING, "t", "u", device=each, **asked) for each in ("cuda", "cpu"))
        assert list(one) == list(two)
        np.testing.assert_allclose(list(one.values()), list(two.values()), rtol=0, atol=1e-12)


@pytest.mark.parametrize("semantics", [*SEMANTICS, MEAN], ids=[*SEMANTICS, "mean"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_gradients_on_a_device_are_those_of_the_cpu(graph: str, semantics: str | Semantics) -> None:
    q = GRAPHS[graph]
    for players in ("arguments", "edges", {"some": list(q)[:2]} if graph != "dag" else {"some": [0, 1]}):
        asked = {"method": "gradient", "semantics": semantics, "players": players}
        one, two = (qx.contributions(q, list(q)[-3:], device=each, **asked) for each in ("cuda", "cpu"))
        np.testing.assert_allclose(one.values, two.values, rtol=0, atol=1e-12)
        assert one.sides.keys() == two.sides.keys()
        assert one.kinks == two.kinks


def test_gradients_of_many_topics_are_swept_in_blocks_on_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    small = make_backend(numbers_per_block=30)
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: small)
    for q in (GRAPHS["dag"], Qbaf({"a": 0.5, "t": 0.5}), games.random_dag(40, seed=3)):
        one, two = (qx.contributions(q, list(q), method="gradient", device=each) for each in ("cuda", "cpu"))
        np.testing.assert_allclose(one.values, two.values, rtol=0, atol=1e-12)


def test_both_sides_of_a_kink_are_found_on_a_device() -> None:
    q = Qbaf({"a": 0.5, "b": 0.5, "t": 0.3}, attacks=[("a", "t")], supports=[("b", "t")])
    one, two = (qx.attribute(q, "t", method="gradient", semantics="df-quad", device=each) for each in ("cuda", "cpu"))
    assert one.sides == two.sides != {}
    assert one.kinks == two.kinks == ("t",)


def test_a_series_that_does_not_converge_soon_is_left_to_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.attribution.device_slopes.MAX_SERIES_TERMS", 2)
    one, two = (qx.attribute(RING, "t", method="gradient", device=each).array for each in ("cuda", "cpu"))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


@pytest.mark.parametrize("index", ["sii", "stii", "k-sii"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_interactions_on_a_device_are_those_of_the_cpu(graph: str, index: str, monkeypatch) -> None:
    q = GRAPHS[graph]
    small = make_backend(**SMALL | {"numbers_per_block": 50})
    for made in (make_backend(), small):
        monkeypatch.setitem(backend.DEVICES, "cuda", lambda made=made: made)
        one, two = (
            qx.interactions(q, *list(q)[-2:], index=index, semantics="qe", device=each) for each in ("cuda", "cpu")
        )
        np.testing.assert_allclose(one.matrix, two.matrix, rtol=0, atol=1e-12)


def test_questions_that_solve_many_lanes_take_a_device() -> None:
    many = Qbaf({f"x{k}": k / 20 for k in range(9)} | {"t": 0.5, "u": 0.4}, [(f"x{k}", "tu"[k % 2]) for k in range(9)])
    later = many.with_base_scores({f"x{k}": 0.9 for k in range(9)})
    asked = {
        "change": lambda **how: list(qx.change(many, later, "t", "u", **how).values()),
        "change with a cycle": lambda **how: list(
            qx.change(RING, RING.with_base_scores({"a": 0.5, "d": 0.1}), "t", "u", **how).values()
        ),
        "history": lambda **how: list(qx.history([many, later, many], "t", "u", **how).values()),
        "all_pairs": lambda **how: list(qx.all_pairs(RING, **how)["t", "u"].values()),
        "rank": lambda **how: list(qx.rank(RING, **how).steps[0].values()),
        "whatif": lambda **how: list(qx.whatif(RING, "t", "u", base_scores={"a": 0.4}, **how).why_after.values()),
        "compare_semantics": lambda **how: list(qx.compare_semantics(RING, "t", "u", **how).gaps.values()),
        "reasons": lambda **how: qx.reasons(RING, "t", "u", **how).breaking_gaps,
        "uncertainty": lambda **how: list(
            qx.uncertainty(RING, "t", "u", scores={"a": (0.2, 0.8)}, samples=500, **how).quantiles.values()
        ),
    }
    for name, ask in asked.items():
        np.testing.assert_allclose(ask(device="cuda"), ask(device="cpu"), rtol=0, atol=1e-12, err_msg=name)


def test_every_public_function_with_a_device_is_tried_here() -> None:
    takes = {
        name
        for name in qx.__all__
        if inspect.isfunction(made := getattr(qx, name)) and "device" in inspect.signature(made).parameters
    }
    tried = {"all_pairs", "attribute", "audit", "change", "compare_semantics", "contrast", "contributions", "history"}
    assert takes == tried | {"interactions", "rank", "reasons", "solve_lanes", "uncertainty", "whatif"}


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_formulas_of_the_library_are_fused(semantics: str) -> None:
    """A formula that is not would be called with arrays of the other module."""
    kinds: list[str] = []

    def spy(base: Any, energy: Any) -> Any:
        kinds.append(type(base).__name__)
        return SEMANTICS[semantics].influence.strength(base, energy)

    base, energy = np.array([0.5, 1.0, 0.0]), np.array([0.25, -0.5, 0.0])
    found = make_other_backend().fuse(spy)(OtherArray(base), OtherArray(energy))
    np.testing.assert_array_equal(found.inner, SEMANTICS[semantics].influence.strength(base, energy))
    assert kinds == ["Traced"]


def test_a_formula_that_needs_arrays_of_numpy_is_refused_with_the_way_out() -> None:
    stubborn = Semantics("stubborn", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + 0 * np.asarray(e))
    assert qx.solve_lanes(RING, semantics=stubborn, present=np.ones((3, 6))).shape == (3, 6)
    with pytest.raises(InvalidInput, match=r"semantics 'stubborn' on device 'cuda' failed with .*; write its formulas"):
        qx.solve_lanes(RING, semantics=stubborn, present=np.ones((3, 6)), device="cuda")


def test_a_formula_with_a_branch_is_not_fused_to_one_side_of_it() -> None:
    branch = Semantics(
        "branch",
        lambda att, sup: sup.sum(0) - att.sum(0),
        lambda b, e: np.clip(b + e, 0, 1) if np.shape(e) and (e > -9).all() else np.clip(b - e, 0, 1),
    )
    lanes = np.random.default_rng(0).random((9, 11))
    one, two = (qx.solve_lanes(WIDE, semantics=branch, base_scores=lanes, device=each) for each in ("cuda", "cpu"))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)
    fused = make_other_backend().fuse(lambda x: x if x > 0 else -x)
    with pytest.raises(ValueError, match="truth value"):
        fused(OtherArray([1.0, -1.0]))


def test_errors_on_a_device_are_those_of_the_cpu() -> None:
    pair = Qbaf({"a": 1.0, "b": 1.0, "c": 0.5}, attacks=[("a", "b"), ("b", "a")], supports=[("a", "c")])
    wild = Semantics("wild", lambda att, sup: sup.sum(0) - att.sum(0), lambda b, e: b + 3 * e)
    scores = np.full((4, 3), 0.5)
    scores[2, 1] = 1.5
    for kind, ask in (
        (UndefinedStrength, lambda **how: qx.solve_lanes(pair, semantics="df-quad", present=np.ones((4, 3)), **how)),
        (UndefinedStrength, lambda **how: qx.attribute(pair, "c", semantics="df-quad", method="shapley", **how)),
        (InvalidQbaf, lambda **how: qx.solve_lanes(pair, base_scores=scores, **how)),
        (InvalidQbaf, lambda **how: qx.solve_lanes(WIDE, semantics=wild, present=np.ones((4, 11)), **how)),
        (InvalidInput, lambda **how: qx.solve_lanes(pair, present=2 * np.ones((4, 3)), **how)),
    ):
        messages = []
        for device in ("cuda", "cpu"):
            with pytest.raises(kind) as caught:
                ask(device=device)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


def test_what_the_cpu_does_alone_is_refused_on_a_device() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with pytest.raises(InvalidInput, match=r"solver 'continuous' computes on the CPU alone; leave device='cuda' out"):
        qx.contrast(RING, "t", "u", solver="continuous", device="cuda")
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(InvalidInput, match="device 'cuda' and an executor are both given; leave one of them out"),
    ):
        qx.solve_lanes(RING, executor=executor, device="cuda")
    with pytest.raises(qx.UnknownName, match="no device 'gpu' among the 2 here"):
        qx.solve_lanes(RING, device="gpu")


def test_a_device_solves_all_coalitions_unless_connected_sets_are_few() -> None:
    chain = games.branches(1, 24)
    for device, how in (("cpu", "connected sets"), ("cuda", "connected sets")):
        game = Game(make_problem(chain, "qe", device=device), 0)
        assert make_plan(game, 1 << 28, None).how == how
    method = Shapley(max_evaluations=1 << 28)
    one, two = (qx.attribute(chain, 0, method=method, device=each).array for each in ("cuda", "cpu"))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


def test_a_problem_on_a_device_can_be_pickled(other: backend.Backend) -> None:
    asked = pickle.loads(pickle.dumps(make_problem(RING, "qe", device="cuda")))
    assert asked.backend is other
    assert pickle.loads(pickle.dumps(backend.NUMPY)) is backend.NUMPY


@pytest.mark.parametrize("readout", ["logistic", "softmax"])
def test_an_audit_on_a_device_has_the_figures_of_the_cpu(readout: str) -> None:
    rng = np.random.default_rng(3)
    network = networks.from_arrays(
        [rng.normal(size=(3, 4)), 3 * rng.normal(size=(4, 3))],
        [rng.normal(size=4), rng.normal(size=3)],
        inputs=["a", "b", "race"],
        classes=["high", "medium", "low"],
        readout=readout,
    )
    x = rng.random((60, 3)).round(1)
    x[:, 2] = x[:, 2] > 0.5
    y = network.predict(x)
    for given in ({}, {"y": y, "value": 1.0}, {"value": 0.0}, {"instances": range(30)}):
        one, two = (
            qx.audit(network, x, "high", "low", protected="race", device=each, **given) for each in ("cuda", "cpu")
        )
        assert one.instances == two.instances
        assert (one.flips, one.candidates, one.changed) == (two.flips, two.candidates, two.changed)
        assert len(one.telling) == len(two.telling)
        for method, features in two.table.items():
            for name, expected in features.items():
                for part in ("individual_rank", "contrastive_rank", "individual", "contrastive"):
                    found = astuple(getattr(one.table[method][name], part))
                    assert found == pytest.approx(astuple(getattr(expected, part)), abs=1e-12)


WITH_DEVICE = {
    "why": "why examples:zebra",
    "pairs": "pairs examples:zebra",
    "rank": "rank examples:zebra",
    "interactions": "interactions examples:zebra",
    "reasons": "reasons examples:zebra",
    "semantics": "semantics examples:zebra",
    "whatif": "whatif examples:zebra --set stripes=0.2",
    "uncertainty": "uncertainty examples:zebra --score stripes=0.1:0.9 --samples 500",
    "change": "change examples:zebra examples:zebra",
    "audit": "",  # tried above
}


def test_every_command_with_a_device_is_tried_here() -> None:
    takes = {name for name in COMMANDS if any(each.name == "device" for each in load_command(name).params)}
    assert takes == set(WITH_DEVICE)


@pytest.mark.parametrize("line", list(filter(None, WITH_DEVICE.values())))
def test_the_command_line_takes_a_device(line: str, capsys, monkeypatch: pytest.MonkeyPatch, other) -> None:
    answers = []
    for device in ("cuda", "cpu"):
        assert main([*line.split(), "--json", "--device", device]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0].count("\n") == answers[1].count("\n") > 0
    asked: list[str] = []
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: asked.append("cuda") or other)
    main([*line.split(), "--device", "cuda"])
    assert asked


def test_an_audit_by_the_command_line_takes_a_device(tmp_path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    network = networks.from_arrays([[[3.0, -3.0], [1.0, 0.5]]], [[-1.0, 1.0]], inputs=["a", "race"], classes=["p", "q"])
    network_file, table = tmp_path / "net.npz", tmp_path / "rows.csv"
    networks.save(network, network_file)
    table.write_text("a,race\n" + "".join(f"{k / 9},{k % 2}\n" for k in range(10)))
    asked: list[str] = []
    made = make_backend()
    monkeypatch.setitem(backend.DEVICES, "cuda", lambda: asked.append("cuda") or made)
    line = ["audit", str(network_file), str(table), "--protected", "race", "--fact", "p", "--foil", "q", "--json"]
    figures = []
    for device in ("cuda", "cpu"):
        assert main([*line, "--device", device]) == 0
        figures.append(json.loads(capsys.readouterr().out))
    assert asked
    assert figures[0]["flips"] == figures[1]["flips"]


class NoGpu:
    """CuPy on a machine without a GPU."""

    class cuda:
        class runtime:
            cards: int | None = 0

            @classmethod
            def getDeviceCount(cls) -> int:
                if cls.cards is None:
                    raise RuntimeError("cudaErrorInsufficientDriver")
                return cls.cards


def test_a_machine_without_a_gpu_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(backend.DEVICES, "cuda", backend.load_cupy.__wrapped__)
    monkeypatch.setitem(sys.modules, "cupy", NoGpu)
    way = "leave device out to compute on the CPU"
    with pytest.raises(InvalidInput, match=f'device is "cuda", but this machine has no GPU; {way}'):
        qx.contrast(RING, "t", "u", device="cuda")
    monkeypatch.setattr(NoGpu.cuda.runtime, "cards", None)
    with pytest.raises(InvalidInput, match=rf"CUDA finds no GPU \(cudaErrorInsufficientDriver\); {way}"):
        qx.contrast(RING, "t", "u", device="cuda")
