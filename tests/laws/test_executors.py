"""Lanes solved by many hands: the same numbers, wherever they are computed."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import pickle
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import qontrast
import qontrast.show
from qontrast import (
    SEMANTICS,
    Qbaf,
    Semantics,
    TooLarge,
    all_pairs,
    attribute,
    audit,
    axioms,
    change,
    compare_semantics,
    contrast,
    contributions,
    examples,
    explain_many,
    flip,
    history,
    interactions,
    networks,
    rank,
    reach,
    reasons,
    robustness,
    solve_lanes,
    uncertainty,
    whatif,
)
from qontrast.engine.problem import MAX_LANES_PER_TASK
from tests.support import games


def lanes(count: int, size: int) -> np.ndarray:
    return np.random.default_rng(0).random((count, size)) < 0.7


def check(executor: Executor) -> None:
    """Acyclic and cyclic lanes, and a method on top of them."""
    for name in ("loan", "healthcare"):
        q = examples.load(name)
        present = lanes(2 * MAX_LANES_PER_TASK + 7, len(q))
        np.testing.assert_array_equal(
            solve_lanes(q, present=present, executor=executor), solve_lanes(q, present=present)
        )
    q = examples.load("healthcare")
    alone, shared = (contrast(q, "antiviral", "antibiotic", executor=each) for each in (None, executor))
    assert dict(alone) == dict(shared)


def test_threads_give_the_same_numbers() -> None:
    with ThreadPoolExecutor(2) as executor:
        check(executor)


def test_processes_give_the_same_numbers() -> None:
    with ProcessPoolExecutor(2) as executor:
        check(executor)


@pytest.mark.heavy
def test_a_dask_cluster_gives_the_same_numbers() -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is installed by make test-heavy")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        check(client.get_executor())


@pytest.mark.heavy
def test_a_worker_of_a_dask_cluster_that_is_killed_costs_its_tasks_only(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is installed by make test-heavy")
    marker, log = str(tmp_path / "killed"), str(tmp_path / "log")

    def choose(graph: Qbaf, strengths: Mapping[Any, float]) -> tuple[str, str]:
        """A rule for pairs that kills the first worker that comes to the graph of 0.5."""
        if graph.base_scores["p"] == 0.5:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
        with open(log, "a") as file:
            file.write(f"{graph.base_scores['p']}\n")
        return "p", "q"

    graphs = [Qbaf({"p": k / 64, "q": 0.25, "x": 0.5}, supports=[("x", "p")]) for k in range(64)]
    alone = [each.to_dict() for each in explain_many(graphs, "p", "q")]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        qontrast.workers(cluster.scheduler_address) as executor,
    ):
        shared = [each.to_dict() for each in explain_many(graphs, pairs=choose, executor=executor)]
    assert os.path.exists(marker)
    assert shared == alone
    done = Path(log).read_text().split()
    assert set(done) == {str(k / 64) for k in range(64)}
    assert done.count("0.5") == 1


def test_a_task_that_kills_its_workers_on_a_cluster_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask gives up a task after several workers died of it; its own error is no BrokenExecutor."""

    class KilledWorker(Exception):
        pass

    class Dying(ThreadPoolExecutor):
        def submit(self, *given, **named):  # type: ignore[no-untyped-def]
            future: Future[Any] = Future()
            future.set_exception(KilledWorker("task", "worker"))
            return future

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(KilledWorker=KilledWorker))
    q = examples.load("loan")
    with Dying(1) as executor, pytest.raises(TooLarge, match="a worker of the executor died"):
        solve_lanes(q, present=lanes(2 * MAX_LANES_PER_TASK, len(q)), executor=executor)


class Spy(ThreadPoolExecutor):
    """Threads, and how often something was sent to them."""

    def __init__(self) -> None:
        super().__init__(2)
        self.sent = 0

    def submit(self, *given, **named):  # type: ignore[no-untyped-def]
        self.sent += 1
        return super().submit(*given, **named)


def test_lanes_are_sent_in_shares_and_a_few_are_not_sent_at_all() -> None:
    q = examples.load("loan")
    with Spy() as executor:
        solve_lanes(q, present=lanes(MAX_LANES_PER_TASK, len(q)), executor=executor)
        assert executor.sent == 0
        solve_lanes(q, present=lanes(2 * MAX_LANES_PER_TASK + 1, len(q)), executor=executor)
        assert executor.sent == 3


def test_on_a_large_graph_few_lanes_are_worth_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.attribution.downstream.MIN_NUMBERS", 1 << 60)  # solve whole lanes
    q = games.random_dag(1500, seed=0)
    alone, shared = attribute(q, 1500, method="removal", semantics="qe"), None
    with Spy() as executor:
        shared = attribute(q, 1500, method="removal", semantics="qe", executor=executor)
        assert executor.sent > 1
    np.testing.assert_array_equal(alone.array, shared.array)


def change_scores(q: Qbaf) -> Qbaf:
    """Another version, with other base scores of the first six arguments."""
    return q.with_base_scores(dict.fromkeys(list(q)[:6], 0.3))


def find_quantiles(q: Qbaf, **how: Any) -> Mapping[float, float]:
    return uncertainty(q, *q.topics[:2], scores={q.topics[0]: (0.2, 0.8)}, samples=500, **how).quantiles


def find_changes(search: Any, q: Qbaf, **how: Any) -> str:
    """What a search finds on a small graph, with a cycle where q has one, without a limit on its time."""
    cycle = [] if q.structure.acyclic else [("t", "x")]
    small = Qbaf({"t": 0.5, "u": 0.4, "x": 0.3}, attacks=[("x", "t")], supports=[*cycle, ("x", "u")], semantics="qe")
    about = {"goal": "u >= t"} if search is reach else {"fact": "t", "foil": "u"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qontrast.engine.problem.MAX_LANES_PER_TASK", 50)
        return json.dumps(search(small, **about, time_limit=None, **how).to_dict())


def train(x: np.ndarray, y: Any, seed: int) -> Any:
    """A network that depends on the seed and on what it is trained on."""
    weights = np.random.default_rng(seed).random((1, 2, 2)) + x.mean()
    return networks.from_arrays(weights, [[0.5, -0.5]], inputs=["race", "age"], classes=["Low", "High"])


def audit_network(**how: Any) -> list[float]:
    x = np.random.default_rng(0).random((12, 2))
    y, network = ["Low", "High"] * 6, train(x, None, 0)
    found = audit(network, x, "Low", "High", protected="race", y=y, instances=range(12), trainer=train, seeds=2, **how)
    assert found.runs is not None
    return [
        found.runs.changed,
        found.null.changed,
        *(each.contrastive.mean for each in found.table["shapley"].values()),
    ]


def search(**how: Any) -> dict[str, Any]:
    """The counts and witnesses of a search in a few batches of graphs."""
    table = axioms.axiom_table(["gradient"], ["efficiency", "antisymmetry"], semantics="qe", graphs=120, **how)
    one = axioms.find_counterexample("efficiency", "removal", semantics="df-quad", graphs=120, **how)
    return {"table": table.to_dict(), "one": one.to_dict()}


@pytest.mark.usefixtures("small_shares")
def test_the_check_of_properties_sends_its_work_and_finds_the_same() -> None:
    q = examples.load("efficiency")
    with Spy() as executor:
        shared = axioms.verdicts(q, "shapley", executor=executor)
        assert executor.sent > 1
    assert shared == axioms.verdicts(q, "shapley")


def test_a_search_for_counterexamples_sends_its_batches_and_finds_the_same() -> None:
    alone, told = search(), []
    with Spy() as executor:
        assert search(executor=executor, progress=lambda *at: told.append(at)) == alone
        assert executor.sent > 2
    assert told[-1][0] <= told[-1][1]
    with ProcessPoolExecutor(1) as executor:
        assert search(executor=executor) == alone


ASK = {
    "attribute": lambda q, **how: attribute(q, q.topics[0], **how).array,
    "contributions": lambda q, **how: contributions(q, q.topics, **how).values,
    "contrast": lambda q, **how: list(contrast(q, *q.topics[:2], **how).values()),
    "interactions": lambda q, method, **how: interactions(q, *q.topics[:2], **how).matrix,
    "all_pairs": lambda q, **how: [
        list(each.values()) for each in map(all_pairs(q, **how).__getitem__, combinations(q.topics, 2))
    ],
    "rank": lambda q, **how: [list(why.values()) for why in rank(q, **how).steps],
    "whatif": lambda q, **how: list(whatif(q, *q.topics[:2], base_scores={q.topics[0]: 0.4}, **how).why_after.values()),
    "change": lambda q, method, **how: list(change(q, change_scores(q), *q.topics[:2], **how).values()),
    "history": lambda q, method, **how: list(history([q, change_scores(q)], *q.topics[:2], **how).values()),
    "reasons": lambda q, method, **how: reasons(q, *q.topics[:2], **how).breaking_gaps,
    "compare_semantics": lambda q, **how: list(compare_semantics(q, *q.topics[:2], **how).gaps.values()),
    "uncertainty": lambda q, method, **how: list(find_quantiles(q, **how).values()),
    "flip": lambda q, method, **how: find_changes(flip, q, **how),
    "reach": lambda q, method, **how: find_changes(reach, q, **how),
    "robustness": lambda q, method, **how: find_changes(robustness, q, max_boxes=300, **how),
    "report_html": lambda q, **how: qontrast.show.report_html(q, *q.topics[:2], **how),
    "audit": lambda q, method, **how: audit_network(**how),
    "explain_many": lambda q, **how: [list(each.reasons.values()) for each in explain_many([q, q, q], **how)],
    "solve_lanes": lambda q, method, **how: solve_lanes(q, present=lanes(50, len(q)), **how),
}
METHODS_THAT_SEND = {
    "shapley": {},
    "removal": {},
    "intrinsic": {},
    "sampled": {"budget": 120},
    "sampled by permutations": {"method": "sampled", "sampler": "permutations", "budget": 300},
}


@pytest.fixture
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever could be sent is sent, in small pieces."""
    hypercube = import_module("qontrast.attribution.shapley.hypercube")
    monkeypatch.setattr("qontrast.engine.problem.MAX_LANES_PER_TASK", 5)
    monkeypatch.setattr(hypercube, "MAX_PLAYERS_PER_BLOCK", 2)
    monkeypatch.setattr(hypercube, "AXES_PER_BLOCK", 2)
    monkeypatch.setattr(hypercube, "AXES_PER_PIECE", 1)
    monkeypatch.setattr("qontrast.attribution.removal.GRAPHS_PER_TASK", 2)
    monkeypatch.setattr("qontrast.auditing.measures.ROWS_PER_TASK", 5)
    monkeypatch.setattr("qontrast.explain.reach_proof.BOXES_PER_TASK", 20)


def test_every_public_function_that_takes_an_executor_is_asked_here() -> None:
    takes = set()
    for name in qontrast.__all__:
        made = getattr(qontrast, name)
        if inspect.isfunction(made):
            parameters = inspect.signature(made).parameters
            if "executor" in parameters or {"method", "settings"} <= set(parameters):
                takes.add(name)
    assert takes | {"report_html"} == set(ASK)


@pytest.mark.usefixtures("small_shares")
@pytest.mark.parametrize("graph", ["loan", "healthcare"])
@pytest.mark.parametrize(
    ("asked", "method"), [*product(ASK, ["removal"]), *product(["contributions"], METHODS_THAT_SEND)]
)
def test_an_executor_is_used_by_every_function_and_method_and_changes_no_bit(asked, method, graph) -> None:
    how = {"method": method} | ({} if asked == "solve_lanes" else METHODS_THAT_SEND[method])
    q = examples.load(graph)
    with Spy() as executor:
        shared = ASK[asked](q, **how, executor=executor)
        unproved = asked in ("flip", "reach") and graph == "healthcare"  # it has cycles, so no boxes are sent
        assert unproved or executor.sent > 1
    alone = ASK[asked](q, **how)
    np.testing.assert_array_equal(alone, shared)


@pytest.mark.parametrize("method", networks.INPUT_METHODS)
def test_instances_of_a_network_are_sent_in_shares_and_explained_the_same(method: str, monkeypatch) -> None:
    monkeypatch.setattr("qontrast.attribution.inputs.ROWS_PER_TASK", 5)
    x = np.random.default_rng(0).random((12, 2))
    network, told = train(x, None, 0), []
    with Spy() as executor:
        shared = network.contributions(x, method=method, executor=executor, progress=lambda *at: told.append(at))
        assert executor.sent == 3
    assert told == [(5, 12), (10, 12), (12, 12)]
    np.testing.assert_array_equal(network.contributions(x, method=method), shared)
    np.testing.assert_allclose(
        np.concatenate([network.contributions(row, method=method) for row in x]), shared, rtol=0, atol=1e-13
    )
    with ProcessPoolExecutor(1) as executor:
        np.testing.assert_array_equal(network.contributions(x, method=method, executor=executor), shared)


def test_boxes_of_a_proof_are_sent_to_processes_and_prove_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.explain.reach_proof.BOXES_PER_TASK", 8)
    q = Qbaf({"t": 0.5, "u": 0.45, "x": 0.4, "y": 0.6}, attacks=[("x", "t"), ("t", "y")], supports=[("y", "u")])
    asked = {"semantics": "qe", "max_boxes": 200, "time_limit": None}
    alone = robustness(q, "t", "u", **asked).to_dict()
    with Spy() as threads:
        assert robustness(q, "t", "u", executor=threads, **asked).to_dict() == alone
        assert threads.sent > 1
    with ProcessPoolExecutor(1) as executor:
        assert robustness(q, "t", "u", executor=executor, **asked).to_dict() == alone


def test_a_gradient_is_one_system_and_is_not_sent() -> None:
    with Spy() as executor:
        contrast(examples.load("loan"), "approve", "refer", method="gradient", executor=executor)
        assert executor.sent == 0


def test_exact_shapley_values_of_acyclic_graphs_are_sent_in_fixed_pieces() -> None:
    """Up to 19 players are one piece, which is not sent; 21 are four pieces of 2^19 coalitions."""
    small, large = games.random_dag(19, seed=1), games.random_dag(21, seed=1)
    assert attribute(small, 19, semantics="qe").how == "524,288 coalitions over 19 players"
    alone = attribute(large, 21, semantics="qe")
    assert alone.how == "2,097,152 coalitions over 21 players"
    with Spy() as executor:
        attribute(small, 19, semantics="qe", executor=executor)
        assert executor.sent == 0
        told: list[tuple[int, int]] = []
        shared = attribute(large, 21, semantics="qe", executor=executor, progress=lambda *at: told.append(at))
        assert executor.sent == 4
        assert told == [(64, 256), (128, 256), (192, 256), (256, 256)]
    with ProcessPoolExecutor(1) as executor:
        elsewhere = attribute(large, 21, semantics="qe", executor=executor)
    np.testing.assert_array_equal(alone.array, shared.array)
    np.testing.assert_array_equal(alone.array, elsewhere.array)


def test_blocks_of_connected_sets_are_sent() -> None:
    q = games.branches(3, 20)
    alone = attribute(q, 0, semantics="qe")
    assert alone.how == "9,261 connected sets over 60 players"
    with Spy() as executor:
        shared = attribute(q, 0, semantics="qe", executor=executor)
        assert executor.sent > 1
    np.testing.assert_array_equal(alone.array, shared.array)


def test_a_built_in_semantics_travels_by_its_name() -> None:
    for semantics in SEMANTICS.values():
        assert pickle.loads(pickle.dumps(semantics)) is semantics


def _energy(attacks: np.ndarray, supports: np.ndarray) -> np.ndarray:
    return supports.sum(0) - attacks.sum(0)


def _strength(base: np.ndarray, energy: np.ndarray) -> np.ndarray:
    return np.clip(base + energy, 0, 1)


def test_a_users_own_semantics_travels_with_its_functions() -> None:
    again = pickle.loads(pickle.dumps(Semantics("mine", _energy, _strength)))
    assert again.aggregation.energy is _energy
