"""Lanes solved by many hands: the same numbers, wherever they are computed."""

from __future__ import annotations

import pickle
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from qontrast import SEMANTICS, Semantics, contrast, examples, solve_lanes
from qontrast.solve import SHARE


def lanes(count: int, size: int) -> np.ndarray:
    return np.random.default_rng(0).random((count, size)) < 0.7


def check(executor: Executor) -> None:
    """Acyclic and cyclic lanes, and a method on top of them."""
    for name in ("loan", "healthcare"):
        q = examples.load(name)
        present = lanes(2 * SHARE + 7, len(q))
        np.testing.assert_array_equal(solve_lanes(q, present, executor=executor), solve_lanes(q, present))
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
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        check(client.get_executor())


def test_lanes_are_sent_in_shares_and_a_few_are_not_sent_at_all() -> None:
    class Counting(ThreadPoolExecutor):
        sent = 0

        def submit(self, *given, **named):  # type: ignore[no-untyped-def]
            Counting.sent += 1
            return super().submit(*given, **named)

    q = examples.load("loan")
    with Counting(2) as executor:
        solve_lanes(q, lanes(SHARE, len(q)), executor=executor)
        assert Counting.sent == 0
        solve_lanes(q, lanes(2 * SHARE + 1, len(q)), executor=executor)
        assert Counting.sent == 3


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
