"""What a method has to compute is counted before it begins: the count holds, and what is too much is refused first."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import METHODS, InvalidInput, Problem, Qbaf, SlowWarning, TooLarge, contributions
from qontrast.attribution import cost as costs
from qontrast.attribution import downstream, removal
from qontrast.attribution.cost import Cost, find_max_updates
from qontrast.attribution.players import make_players
from qontrast.attribution.shapley import exact
from qontrast.engine import problem as problems
from qontrast.engine.problem import make_problem
from qontrast.questions import Question
from tests.support.games import random_dag


def make_chain(n: int, closed: bool = False) -> Qbaf:
    """Each argument supports or attacks the next one; the last one the first, where the chain is closed."""
    sources = np.arange(n if closed else n - 1)
    return Qbaf.from_arrays(np.full(n, 0.5), sources, (sources + 1) % n, np.where(sources % 2, -0.7, 0.7))


def make_star(n: int) -> Qbaf:
    return Qbaf.from_arrays(np.full(n, 0.5), np.arange(n - 1), np.full(n - 1, n - 1), np.full(n - 1, 0.1))


GRAPHS: dict[str, Callable[[], Qbaf]] = {
    "chain": lambda: make_chain(12),
    "cycle": lambda: make_chain(9, closed=True),
    "star": lambda: make_star(9),
    "random": lambda: random_dag(8, seed=3),
    "long chain": lambda: make_chain(300),
    "long cycle": lambda: make_chain(200, closed=True),
}


def count(method: str, q: Qbaf, topics: tuple[Any, ...], kind: Any = "arguments", **settings: Any) -> Cost:
    counted: Cost = (
        METHODS[method]
        .make(**settings)
        .count(  # type: ignore[attr-defined]
            make_problem(q, "qe"), topics, make_players(q, topics, kind)
        )
    )
    return counted


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Lanes, and updates of their arguments and edges, of every call of `solve`."""
    done: list[tuple[int, int]] = []
    solve = Problem.solve

    def note(self: Problem, *given: Any, **named: Any) -> Any:
        found = solve(self, *given, **named)
        size = len(self.qbaf) + len(self.qbaf.weights)
        done.append((len(found.steps), int(found.steps.sum()) * size))
        return found

    monkeypatch.setattr(Problem, "solve", note)
    return done


@pytest.mark.parametrize(
    ("method", "graph"), [(x, y) for x in METHODS for y in GRAPHS if x != "owen" or "long" not in y]
)
def test_a_method_does_no_more_than_it_counted(
    method: str, graph: str, solved: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removal, "MAX_UPDATES_UNCOUNTED", 0)
    q, kind = GRAPHS[graph](), METHODS[method].players[0]
    topics = (len(q) - 1, len(q) // 2)
    counted = count(method, q, topics, kind)
    solved.clear()
    found = contributions(q, topics, method=method, players=kind, semantics="qe")
    lanes, updates = np.sum(solved, axis=0).tolist()
    own = sum(1 for each, _ in solved if each == 1)  # the strengths of the graph itself, and steps of the check
    assert lanes <= counted.evaluations + own
    assert found.evaluations <= counted.evaluations
    slack = 1.0 if q.structure.acyclic else 3.0  # a sub-graph may take more steps than the whole
    assert updates <= slack * counted.updates + sum(each for lanes, each in solved if lanes == 1)
    if method in ("removal", "intrinsic", "shapley", "gradient", "owen"):
        assert found.evaluations == counted.evaluations
    else:
        assert counted.evaluations <= 2 * max(found.evaluations, 2000)


def test_what_removal_solves_downstream_is_what_it_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downstream, "MIN_NUMBERS", 0)
    monkeypatch.setattr(downstream, "MAX_CHANGED", 1.0)
    monkeypatch.setattr(downstream, "FULL_BATCH", 1)
    monkeypatch.setattr(removal, "MAX_UPDATES_UNCOUNTED", 0)
    pairs = 0
    update = downstream.Downstream._update

    def note(self: Any, number: int, place: Any, *given: Any) -> Any:
        nonlocal pairs
        pairs += len(place)
        return update(self, number, place, *given)

    monkeypatch.setattr(downstream.Downstream, "_update", note)
    for q in (make_chain(40), make_star(60), random_dag(30, seed=1)):
        pairs, topic = 0, len(q) - 1
        movers = removal._find_movers(make_problem(q, "qe"), (topic,), make_players(q, (topic,), "arguments"))
        assert movers.downstream is not None
        promised = movers.downstream.pairs * len(movers.columns)
        contributions(q, [topic], method="removal", semantics="qe")
        assert 0 < pairs <= promised + 1e-9
        assert pairs >= 0.5 * promised  # what changes by less than rounding is not followed


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_refused_above_its_minutes_and_runs_on_their_border(
    method: str, solved: list[tuple[int, int]]
) -> None:
    q, kind = GRAPHS["random"](), METHODS[method].players[0]
    needed = count(method, q, (8,), kind).seconds / 60
    solved.clear()
    below: Any = {"method": method, "players": kind, "semantics": "qe", "max_minutes": needed * (1 - 1e-9)}
    with pytest.raises(TooLarge, match=r"needs .*evaluations, (about|at least) 1 second \(limit 1 second\)"):
        contributions(q, [8], **below)
    assert len(solved) == 0
    for enough in (needed * (1 + 1e-9), None):
        assert contributions(q, [8], **{**below, "max_minutes": enough}).method == method


@pytest.mark.parametrize("method", METHODS)
def test_a_method_warns_above_its_seconds_and_not_on_their_border(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    q, kind = GRAPHS["random"](), METHODS[method].players[0]
    settings: Any = {"method": method, "players": kind, "semantics": "qe"}
    needed = count(method, q, (8,), kind).updates
    monkeypatch.setattr(costs, "WARN_ABOVE", needed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        contributions(q, [8], **settings)
    monkeypatch.setattr(costs, "WARN_ABOVE", np.nextafter(needed, 0))
    with pytest.warns(SlowWarning, match=rf"method '{method}' for 8 over "):
        contributions(q, [8], **settings)


@pytest.mark.parametrize("minutes", [0, -1, "5", float("nan")])
def test_minutes_that_make_no_sense_are_refused(minutes: Any) -> None:
    with pytest.raises(InvalidInput, match=r"max_minutes is .*; give a number above 0, or None"):
        contributions(make_chain(3), [2], method="removal", max_minutes=minutes)


LARGE = {
    "chain": lambda: make_chain(100_000),
    "cycle": lambda: make_chain(100_000, closed=True),
}


@pytest.mark.parametrize("graph", LARGE)
def test_on_a_hundred_thousand_arguments_in_a_row_all_but_gradients_are_refused_at_once(
    graph: str, solved: list[tuple[int, int]]
) -> None:
    q = LARGE[graph]()
    for method in ("removal", "intrinsic", "shapley", "sampled"):
        with pytest.raises(TooLarge) as refused:
            contributions(q, [99_999], method=method, semantics="qe")
        assert [hint.values for hint in refused.value.hints if hint.setting == "method"] == [("gradient",)]
    assert len(solved) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert contributions(q, [99_999], method="gradient", semantics="qe").values[0, 99_998] != 0


@pytest.mark.parametrize(
    "method", ["removal", *(pytest.param(x, marks=pytest.mark.heavy) for x in ("shapley", "sampled", "intrinsic"))]
)
def test_on_ten_thousand_arguments_in_a_row_a_warning_comes_before_the_work(
    method: str, solved: list[tuple[int, int]]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(SlowWarning, match=r"evaluations, about (12 seconds|2 minutes); ask for method=") as warned:
            contributions(make_chain(10_000), [9_999], method=method, semantics="qe")
    assert len(solved) == 0
    (hint,) = warned.value.hints
    assert set(hint.values) <= {"gradient", "removal"}


def list_ways_out(q: Qbaf, topics: list[Any], **settings: Any) -> Iterator[tuple[str, float]]:
    """The methods that are offered, and what each of them needs."""
    with pytest.raises(TooLarge) as refused:
        contributions(q, topics, semantics="qe", **settings)
    for hint in refused.value.hints:
        if hint.setting == "method":
            for name in hint.values:
                yield str(name), count(str(name), q, tuple(topics), settings.get("players", "arguments")).updates


@pytest.mark.parametrize("players", ["arguments", "edges", "direct", {"both": [0, 1]}])
@pytest.mark.parametrize("graph", ["chain", "cycle", "random", "star"])
def test_every_method_that_is_offered_is_cheaper_and_is_not_refused(graph: str, players: Any) -> None:
    q = GRAPHS[graph]()
    topics, kind = [len(q) - 1], make_players(q, (len(q) - 1,), players).kind
    for method, entry in METHODS.items():
        if kind not in entry.players:
            continue
        needed = count(method, q, tuple(topics), players)
        minutes = 0.9 * needed.seconds / 60
        for other, updates in list_ways_out(q, topics, method=method, players=players, max_minutes=minutes):
            assert updates <= needed.updates / 2
            assert other != method
            contributions(q, topics, method=other, players=players, semantics="qe", max_minutes=minutes)


def test_counting_stops_where_there_are_more_connected_sets_than_minutes_allow() -> None:
    q = make_chain(12, closed=True)
    needed = count("shapley", q, (11,), max_minutes=None)
    assert (needed.evaluations, needed.about) == (12, "")
    stopped = count("shapley", q, (11,), max_minutes=needed.seconds / 60 / 4096)
    assert stopped.about == "at least"
    assert find_max_updates(needed.seconds / 60 / 4096) < stopped.updates <= needed.updates


@pytest.mark.parametrize(
    "ask",
    [
        "report",
        *(pytest.param(x, marks=pytest.mark.heavy) for x in ("contrast", "all_pairs", "rank", "compare_semantics")),
    ],
)
def test_a_question_that_is_refused_is_refused_before_anything_else_is_solved(
    ask: str, solved: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strengths are solved first: topics are ordered by them."""

    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("this is other work")

    for other in ("flip", "bound_order"):
        monkeypatch.setattr(Question, other, fail)
    q = make_chain(100_000).with_topics([99_999, 50_000])
    question = Question(graph=q, method="removal", semantics=None if ask == "compare_semantics" else "qe")
    _ = question.strengths
    solved.clear()
    more = {"time_limit": 0.001} if ask == "report" else {}
    with pytest.raises(TooLarge, match="method 'removal' for "):
        getattr(question, ask)(**more)
    assert all(lanes == 1 for lanes, _ in solved)
    assert len(solved) <= 2


def test_a_removal_of_many_players_reports_its_progress_block_by_block() -> None:
    seen: list[tuple[int, int]] = []
    q = make_chain(3000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowWarning)
        qx.attribute(q, 400, method="removal", semantics="qe", progress=lambda *both: seen.append(both))
    assert seen[-1] == (400, 400)


def note_progress(seen: list[tuple[int, int]], done: int, total: int) -> None:
    seen.append((done, total))


@pytest.mark.parametrize("method", ["intrinsic", "shapley"])
def test_smaller_pieces_of_work_give_the_same_values_and_more_reports(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports, values = [], []
    for piece in (None, 1):
        if piece is not None:
            monkeypatch.setattr(removal, "NUMBERS_PER_TASK", piece)
            monkeypatch.setattr(exact, "NUMBERS_PER_BLOCK", piece)
            monkeypatch.setattr(problems, "NUMBERS_PER_BLOCK", piece)
        seen: list[tuple[int, int]] = []
        progress: Any = partial(note_progress, seen)
        found = contributions(make_chain(40), [39], method=method, semantics="qe", progress=progress)
        reports.append(len(seen))
        values.append(found.values[0, :-1])
    assert np.abs(values[0] - values[1]).max() <= 1e-12
    assert reports[1] >= 40 > reports[0]


def test_every_method_counts_and_has_a_limit() -> None:
    for name, entry in METHODS.items():
        assert callable(getattr(entry.make, "count", None)), name
        assert "max_minutes" in entry.settings, name
