"""A question passes on everything that it is asked with: its answers are the library's own with the same settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

import qontrast as qx
from qontrast import axioms
from qontrast.questions import Question
from qontrast.show.figures import FIGURES
from tests.support.results_to_show import GRAPH, LATER, UNDEFINED

SETS, GONE = {"a": 0.4, "e": 0.7}, ["d"]
CHANGED = GRAPH.with_base_scores(SETS).without(*GONE)
ROUND = UNDEFINED.without("c")
Settings = dict[str, Any]


def make_question(**more: Any) -> tuple[Question, Settings]:
    """A question in which every setting is another than the default one, and the same as keywords of the library."""
    given: Settings = {"semantics": "ebt", "solver": "discrete", "max_steps": 777}
    asked = Question(graph=GRAPH, base_scores=SETS.items(), remove=GONE, fact="q", foil="p", **given, **more)
    return asked, given


def solve_apart(**more: Any) -> tuple[Question, Settings]:
    """The same about a graph that only the continuous solver solves."""
    given: Settings = {"semantics": "df-quad", "solver": "continuous", "max_steps": 777}
    return Question(graph=ROUND, fact="t", foil="u", **given, **more), given


Answer = tuple[Callable[[Question], Any], Callable[[qx.Qbaf, str, str, Settings], Any]]
FEW: Settings = {"time_limit": None, "max_boxes": 5}
FIGURE_SOURCES: dict[str, Callable[[qx.Qbaf, str, str, Settings], Any]] = {
    "contrast": lambda q, p, f, s: qx.contrast(q, p, f, **s),
    "edges": lambda q, p, f, s: qx.contrast(q, p, f, players="edges", method="owen", **s),
    "interactions": lambda q, p, f, s: qx.interactions(q, p, f, **s),
    "uncertainty": lambda q, p, f, s: qx.uncertainty(q, p, f, **s),
    "pairs": lambda q, p, f, s: qx.all_pairs(q, **s),
    "ranking": lambda q, p, f, s: qx.rank(q, **s),
    "semantics": lambda q, p, f, s: qx.compare_semantics(q, p, f, **{**s, "semantics": None}),
    "trajectory": lambda q, p, f, s: qx.trajectory(q, semantics=s["semantics"], solver=s["solver"], until=20),
}
ANSWERS: dict[str, Answer] = {
    "strengths": (lambda asked: asked.strengths, lambda q, p, f, s: qx.strengths(q, **s)),
    "contrast": (Question.contrast, FIGURE_SOURCES["contrast"]),
    "all_pairs": (Question.all_pairs, FIGURE_SOURCES["pairs"]),
    "rank": (Question.rank, FIGURE_SOURCES["ranking"]),
    "interactions": (Question.interactions, FIGURE_SOURCES["interactions"]),
    "compare_semantics": (Question.compare_semantics, FIGURE_SOURCES["semantics"]),
    "reasons": (lambda asked: asked.reasons(max_sets=9), lambda q, p, f, s: qx.reasons(q, p, f, max_sets=9, **s)),
    "paths": (lambda asked: asked.paths("a", asked.pair[0]), lambda q, p, f, s: qx.paths(q, "a", p, **s)),
}
SEARCHES: dict[str, Answer] = {  # of graphs that are solved quickly
    "flip": (
        lambda asked: asked.flip(fixed=["a"], norm="l2"),
        lambda q, p, f, s: qx.flip(q, p, f, fixed=["a"], norm="l2", **s),
    ),
    "reach": (
        lambda asked: asked.reach([f"{asked.pair[0]} >= 0.6"], prove=False),
        lambda q, p, f, s: qx.reach(q, [f"{p} >= 0.6"], prove=False, **s),
    ),
    "robustness": (
        lambda asked: asked.robustness(movers=["a", "c"], **FEW),
        lambda q, p, f, s: qx.robustness(q, p, f, movers=["a", "c"], **FEW, **s),
    ),
    "uncertainty": (
        lambda asked: asked.uncertainty(samples=500, seed=3),
        lambda q, p, f, s: qx.uncertainty(q, p, f, samples=500, seed=3, **s),
    ),
}
ELSEWHERE = {  # the other methods: tested below, or of no setting
    *("change", "whatif", "verdicts", "check", "compute", "bound_order"),
    "report",  # test_show_html_numbers, test_cli_settings
    *("resolve", "show_progress"),  # names, and a function that is given
}
SLOW = {
    "contrast",
    "interactions",
    "compare_semantics",
    "semantics",
    "rank",
    "ranking",
    "reasons",
    "all_pairs",
    "pairs",
}  # by ODE


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    assert one.to_dict() == other.to_dict()


def test_every_answer_of_a_question_is_compared() -> None:
    public = {name for name, _ in inspect.getmembers(Question, inspect.isfunction) if not name.startswith("_")}
    assert public == (ANSWERS.keys() | SEARCHES.keys() | ELSEWHERE) - {"strengths"}
    sources = {figure.source for figure in FIGURES.values()}
    assert sources == FIGURE_SOURCES.keys() | {"graph", "change"}


@pytest.mark.parametrize("name", ANSWERS | SEARCHES)
def test_an_answer_is_the_librarys_own_with_the_same_settings(name: str) -> None:
    asked, given = make_question()
    ask, compute = (ANSWERS | SEARCHES)[name]
    assert_same(ask(asked), compute(CHANGED, "q", "p", given))


def mark_slow(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.heavy] if name in SLOW else []) for name in names]


@pytest.mark.parametrize("name", mark_slow(ANSWERS))
def test_an_answer_is_found_with_the_solver_that_is_asked_for(name: str) -> None:
    asked, given = solve_apart()
    ask, compute = ANSWERS[name]
    assert_same(ask(asked), compute(ROUND, "t", "u", given))


@pytest.mark.parametrize("players", ["groups", "edges"])
def test_players_and_method_reach_every_answer_that_has_them(players: str) -> None:
    asked, given = make_question(players=players, method="removal")
    by: Settings = {"players": players, "method": "removal"}
    assert_same(asked.contrast(), qx.contrast(CHANGED, "q", "p", **by, **given))
    assert_same(asked.all_pairs(), qx.all_pairs(CHANGED, **by, **given))
    assert_same(
        asked.compare_semantics(["qe", "ebt"]),
        qx.compare_semantics(CHANGED, "q", "p", **by, **{**given, "semantics": ["qe", "ebt"]}),
    )
    assert_same(asked.interactions(), qx.interactions(CHANGED, "q", "p", players=players, **given))
    assert_same(asked.reasons(), qx.reasons(CHANGED, "q", "p", players=players, **given))


@pytest.mark.parametrize("source", FIGURE_SOURCES)
def test_a_figure_is_drawn_from_the_answer_with_the_same_settings(source: str) -> None:
    asked, given = make_question()
    assert_same(asked.compute(source), FIGURE_SOURCES[source](CHANGED, "q", "p", given))


@pytest.mark.parametrize("source", mark_slow(sorted(FIGURE_SOURCES.keys() - {"uncertainty", "edges"})))
def test_a_figure_is_drawn_from_the_answer_with_the_solver_that_is_asked_for(source: str) -> None:
    asked, given = solve_apart()
    assert_same(asked.compute(source), FIGURE_SOURCES[source](ROUND, "t", "u", given))


def test_changes_are_explained_with_the_same_settings() -> None:
    asked, given = make_question()
    assert_same(asked.compute("change"), qx.change(GRAPH, CHANGED, "q", "p", **given))
    settings: Settings = {"units": "arguments", "budget": 1000, "seed": 3}
    assert_same(asked.change([LATER], ["1", "2"], **settings), qx.change(CHANGED, LATER, "q", "p", **settings, **given))
    names = ["May", "June", "July"]
    history = qx.history([CHANGED, LATER, GRAPH], "q", "p", names=names, **settings, **given)
    assert_same(asked.change([LATER, GRAPH], names, **settings), history)


def test_what_if_is_asked_with_the_same_settings() -> None:
    asked, given = make_question(method="gradient")
    changes: Settings = {"base_scores": SETS, "remove": GONE, "method": "gradient"}
    assert_same(asked.whatif(), qx.whatif(GRAPH, "q", "p", **changes, **given))


def test_what_if_is_asked_with_the_same_solver() -> None:
    asked, given = solve_apart(base_scores=[("u", 0.9)])
    asked = replace(asked, graph=ROUND.with_topics([]), fact=None, foil=None)  # strengths alone
    assert_same(asked.whatif(), qx.whatif(ROUND, base_scores={"u": 0.9}, **given))


def test_a_check_and_its_order_are_found_under_the_same_semantics() -> None:
    asked, given = make_question()
    found = asked.check()
    assert found.strengths == {x: qx.strengths(CHANGED, **given)[x] for x in CHANGED.topics}
    assert found.robustness is not None
    assert_same(found.robustness, qx.robustness(CHANGED, "q", "p", max_boxes=1000, time_limit=None, **given))
    asked, given = solve_apart()
    assert asked.check().to_dict() == qx.check(ROUND, **given).to_dict()


def test_properties_are_checked_under_the_semantics_and_for_the_topics_that_are_asked_for() -> None:
    asked, _ = make_question(method="gradient")
    expected = axioms.verdicts(CHANGED, "gradient", semantics="ebt", topics=["q", "p"])
    assert {x: str(each) for x, each in asked.verdicts().items()} == {x: str(each) for x, each in expected.items()}
    own = axioms.verdicts(CHANGED, "gradient", topics=["q", "p"])
    assert {x: str(each) for x, each in own.items()} != {x: str(each) for x, each in expected.items()}
