"""Many graphs: each is explained as if it were alone, and a bad one stops no other."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import combinations, count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf, examples
from qontrast.questions import many
from qontrast.questions.topics import default_pair
from tests.support.strategies import random_qbaf

GRAPHS = [random_qbaf(seed, cyclic=seed % 2 == 0, max_weight=0.7, max_size=7) for seed in range(24)]
OPEN = Qbaf({"p": 0.5}, semantics="df-quad")
SPLIT = examples.load("undefined")


def explain_one(q: Qbaf, **how: Any) -> tuple[Any, ...]:
    """What `explain_many` should say of one graph, from the public functions for one graph."""
    about = q.topics or q.sinks()
    try:
        if len(about) == 1:
            alone = qx.attribute(q, about[0], **how)
            ranked = [(x, v) for x, v in alone.ranked() if v][:3]
            return about[0], None, None, dict(ranked), None
        fact, foil = default_pair(q, qx.strengths(q, **how))
        why = qx.contrast(q, fact, foil, **how)
    except qx.QontrastError as error:
        return None, None, None, {}, str(error)
    return fact, foil, why.gap, dict([(x, v) for x, v in why.ranked() if v][:3]), None


def test_each_graph_is_explained_as_if_it_were_alone() -> None:
    found = list(qx.explain_many([*GRAPHS, SPLIT, OPEN]))
    assert len(found) == len(GRAPHS) + 2
    assert found[-2].error is not None  # its strengths are undefined
    for each, q in zip(found, [*GRAPHS, SPLIT, OPEN], strict=True):
        fact, foil, gap, reasons, error = explain_one(q)
        if error is None:
            assert (each.fact, each.foil, each.gap, dict(each.reasons)) == (fact, foil, gap, reasons)
            assert each.strengths == {t: qx.strengths(q)[t] for t in (fact, foil) if t is not None}
        assert each.error == error
        assert each.arguments == len(q)
    assert [each.name for each in found] == [str(k) for k in range(len(found))]


def test_pairs_are_given_or_all_or_chosen_by_a_rule() -> None:
    q = examples.load("zebra")
    every = [(each.fact, each.foil) for each in qx.explain_many([q], pairs="all")]
    assert [set(pair) for pair in every] == [set(pair) for pair in combinations(("zebra", "horse", "tiger"), 2)]
    assert all(each.gap >= 0 for each in qx.explain_many([q], pairs="all"))
    assert [(each.fact, each.foil) for each in qx.explain_many([q], "tiger")] == [("tiger", "zebra")]
    assert [(each.fact, each.foil) for each in qx.explain_many([q], "It is a tiger", "horse")] == [("tiger", "horse")]
    rule = qx.explain_many([q], pairs=lambda graph, strengths: [(min(strengths, key=strengths.get), "zebra")])
    assert [each.foil for each in rule] == ["zebra"]
    assert [each.foil for each in qx.explain_many([q], pairs=lambda *_: ("zebra", None))] == [None]
    assert list(qx.explain_many([q], pairs=lambda *_: [])) == []
    (failed,) = qx.explain_many([q], pairs=lambda *_: [1])
    assert failed.error == "pairs gives 1; give a function (graph, strengths) → a pair of topics, or a list of pairs"


def test_robustness_is_that_of_the_pair() -> None:
    q = examples.load("zebra")
    (each,) = qx.explain_many([q], robustness=True)
    alone = qx.robustness(q, each.fact, each.foil, max_boxes=1000, time_limit=None)
    assert each.robustness == (alone.certified, alone.found)
    assert each.to_row()["found"] == alone.found
    (hasty,) = qx.explain_many([q], robustness=True, time_limit=1e-9)
    assert hasty.robustness[0] <= each.robustness[0]
    assert "found" not in next(qx.explain_many([q])).to_dict()


def test_a_setting_that_suits_no_graph_is_refused_at_once() -> None:
    for wrong, said in (
        ({"method": "shaply"}, "no method 'shaply'"),
        ({"semantics": "qee"}, "no semantics 'qee'"),
        ({"pairs": "most"}, "no rule of pairs 'most'"),
        ({"budget": 3}, "has no setting 'budget'"),
        ({"fact": "a", "pairs": lambda q, s: ("a", "b")}, "give one of them"),
    ):
        with pytest.raises(qx.QontrastError, match=said):
            qx.explain_many([], **wrong)
    with pytest.raises(qx.InvalidInput, match="give graphs in a list"):
        qx.explain_many(OPEN)
    assert next(qx.explain_many(["nonsense"])).error.startswith("graphs has 'nonsense', a str; expected a Qbaf")


class Held(ThreadPoolExecutor):
    """Threads, and how many tasks and graphs they had at once."""

    def __init__(self) -> None:
        super().__init__(1)
        self.tasks: list[int] = []

    def submit(self, function: Any, *given: Any, **named: Any) -> Future[Any]:
        self.tasks.append(len(given[1]))
        return super().submit(function, *given, **named)


def test_an_endless_row_of_graphs_is_read_only_as_far_as_it_is_explained() -> None:
    taken = count()

    def graphs() -> Iterator[Qbaf]:
        while True:
            next(taken)
            yield OPEN

    assert len(list(islice(qx.explain_many(graphs()), 5))) == 5
    assert next(taken) == 5


def test_tasks_grow_with_what_they_take_and_answers_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qontrast.engine.backend.MAX_TASKS_AHEAD", 2)
    clock = count(step=0.01)  # seconds: each task takes a hundredth
    monkeypatch.setattr(many.time, "perf_counter", lambda: next(clock))
    graphs = {f"g{k}": Qbaf({"t": k / 100}) for k in range(100)}
    told: list[tuple[int, int]] = []
    with Held() as executor:
        found = list(qx.explain_many(graphs, executor=executor, progress=lambda *at: told.append(at)))
    assert [each.name for each in found] == list(graphs)
    assert [each.strengths["t"] for each in found] == [k / 100 for k in range(100)]
    assert told == [(k, 100) for k in range(1, 101)]
    assert executor.tasks[:2] == [1, 1]
    assert sum(executor.tasks) == 100
    assert max(executor.tasks) > 10


def kill_the_worker(graph: Qbaf, strengths: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_local_worker_that_dies_is_an_error_that_says_so() -> None:
    with (
        pytest.raises(qx.TooLarge, match="a worker of the executor died, perhaps for lack of memory"),
        qx.workers(1) as executor,
    ):
        list(qx.explain_many([OPEN, OPEN], pairs=kill_the_worker, executor=executor))


def test_read_many_reads_folders_patterns_and_lines_one_by_one(tmp_path: Path) -> None:
    zebra, loan = examples.load("zebra"), examples.load("loan")
    line = qx.write_text(zebra).replace("\n", " ")
    bag = '{"arguments": {"db0": {"initial_weight": 0.25}}}'
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.jsonl").write_text(f'{line}\n\n{{"base": {{"bag": {bag}}}, "valid": 1}}\n{{oops\n{line}')
    qx.write(loan, tmp_path / "deep" / "a.json")
    qx.write(Qbaf({"p": 0.5}), tmp_path / "a-arguments.csv")
    (tmp_path / "notes.md").write_text("no graph")
    lines = qx.read_many(tmp_path / "b.jsonl")
    assert list(lines) == ["1", "3/base", "4", "5"]
    assert lines["1"] == lines["5"] == zebra
    assert lines["3/base"].base_scores == {"db0": 0.25}
    with pytest.raises(qx.FormatError, match=r"b\.jsonl:4: not JSON"):
        dict(lines.items())
    with pytest.raises(qx.UnknownName, match="no graph '7'"):
        lines["7"]
    names = [Path(name).relative_to(tmp_path).as_posix() for name in qx.read_many(tmp_path)]
    assert names == ["a-arguments.csv", "b.jsonl#1", "b.jsonl#3/base", "b.jsonl#4", "b.jsonl#5", "deep/a.json"]
    graphs = qx.read_many(str(tmp_path / "*" / "*.json"))
    assert len(graphs) == 1
    assert list(graphs.values()) == [loan]
    for nothing in (tmp_path / "*.bag", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(qx.FormatError, match="no file"):
            list(qx.read_many(nothing))


def test_files_are_explained_with_their_errors_and_notes(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"arguments": {"p": 0.5}, "who": 1}\n{"arguments": {"p": 2}}\n\xff\n')
    (tmp_path / "b.json").write_text("")
    found = list(qx.explain_many(tmp_path))
    assert [Path(each.name).name for each in found] == ["a.jsonl#1", "a.jsonl#2", "a.jsonl#3", "b.json"]
    assert found[0].notes == ("not understood and ignored in the file: 'who'",)
    assert [each.error is None for each in found] == [True, False, False, False]
    assert found[1].error.endswith("a.jsonl:2: the base score of 'p' is 2; base scores lie between 0 and 1")
    assert found[3].error.endswith("b.json: is empty")
    assert list(qx.explain_many(qx.read_many(tmp_path))) == found
    assert np.isclose(found[0].strengths["p"], 0.5)
