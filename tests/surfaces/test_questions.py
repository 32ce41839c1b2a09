"""Questions as the command line and the explorer put them: names, changes, topics and settings."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast import InvalidInput, Qbaf, UnknownName
from qontrast.cli.options import load_semantics, read_graph
from qontrast.errors import Hint
from qontrast.questions import Question, default_pair, suggest_topics
from qontrast.questions.topics import require_topics

GRAPH = Qbaf(
    {"p": 0.5, "q": 0.45, "r": 0.3, "x": 0.8, "y": 0.6},
    attacks={("x", "q"): 0.75, ("y", "p"): 0.4, ("p", "q"): 0.2},
    supports={("x", "p"): 0.5, ("y", "r"): 1.0},
    labels={"p": "Plan A", "q": "Plan B", "x": "The experts agree", "r": "Twin", "y": "Twin"},
    topics=["r", "q", "p"],
    semantics="df-quad",
)


@st.composite
def graphs(draw: st.DrawFn) -> Qbaf:
    """Small graphs whose base scores tie often, with any number of topics, also topics with parents."""
    names = [f"a{k}" for k in range(draw(st.integers(2, 6)))]
    scores = {name: draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])) for name in names}
    edges = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if draw(st.booleans())]
    weights = {edge: draw(st.sampled_from([0.5, 1.0])) for edge in edges}
    attacks = {edge for edge in edges if draw(st.booleans())}
    topics = draw(st.lists(st.sampled_from(names), unique=True))
    return Qbaf(
        scores,
        {edge: weight for edge, weight in weights.items() if edge in attacks},
        {edge: weight for edge, weight in weights.items() if edge not in attacks},
        topics=topics,
    )


# -- the two topics ------------------------------------------------------------------------------------------


@given(graphs())
def test_the_default_pair_is_the_strongest_of_the_topics_and_ties_keep_the_order_of_the_file(qbaf: Qbaf) -> None:
    found = qx.strengths(qbaf)
    fact, foil = default_pair(qbaf, found)
    candidates = suggest_topics(qbaf)
    assert fact != foil
    if len(qbaf.topics) > 1:
        order = sorted(qbaf.topics, key=lambda name: (-round(found[name], 10), qbaf.topics.index(name)))
        assert [fact, foil] == order[:2]
    elif len(qbaf.topics or qbaf.sinks()) == 1:
        assert fact == (qbaf.topics or qbaf.sinks())[0]
        assert found[foil] >= max(found[name] for name in candidates if name != fact) - 1e-9
    else:
        assert {fact, foil} <= set(candidates)
        assert found[fact] >= found[foil] - 1e-9


@given(graphs(), st.data())
def test_a_topic_that_is_named_stays_and_the_other_is_the_strongest_that_is_left(
    qbaf: Qbaf, data: st.DataObject
) -> None:
    found, named = qx.strengths(qbaf), data.draw(st.sampled_from(list(qbaf.arguments)))
    assert default_pair(qbaf, found, fact=named)[0] == named
    assert default_pair(qbaf, found, foil=named)[1] == named
    assert default_pair(qbaf, found, fact=named)[1] == default_pair(qbaf, found, foil=named)[0] != named


TIED = Qbaf({"c": 0.2, "b": 0.5, "a": 0.5, "d": 0.9}, attacks={("d", "c"): 0.5}, topics=["c", "b", "a"])


@pytest.mark.parametrize("fact", [None, "a", "b", "c", "d"])
@pytest.mark.parametrize("changes", [{}, {"set": {"c": 1.0}}, {"remove": ["d"]}])
@pytest.mark.parametrize("topics", [("c", "b", "a"), ("a", "b"), ("d", "c"), ("c",), ()])
def test_the_command_line_and_the_explorer_choose_the_same_pair(
    qontrast: Any, topics: tuple[str, ...], changes: dict[str, Any], fact: str | None
) -> None:
    pytest.importorskip("pydantic", reason="the explorer needs qontrast[web]")
    from qontrast.web.answers import answer

    graph = TIED.with_topics(topics)
    if fact in changes.get("remove", ()):
        return
    qx.write(graph, "graph.json")
    body = {"graph": graph.to_dict(), "method": "removal", "fact": fact, **changes}
    status, _, content = answer("contrast", json.dumps(body).encode())
    assert status == 200, content
    page = json.loads(content)
    options = [f"--set {name}={score}" for name, score in changes.get("set", {}).items()]
    options += [f"--remove {name}" for name in changes.get("remove", ())]
    ran = qontrast(f"why graph.json {fact or ''} --method removal --json {' '.join(options)}")
    question = Question(
        graph=graph,
        fact=fact,
        base_scores=changes.get("set", {}).items(),
        remove=changes.get("remove", ()),
    )
    assert question.pair == (page["fact"], page["foil"])
    left = set(topics) - {fact} - set(changes.get("remove", ()))
    if len(left) < (2 if fact is None else 1):
        assert (ran.code, "Candidates" in ran.err) == (2, True)  # a command does not guess what a file is about
    else:
        assert (ran.data["fact"], ran.data["foil"]) == question.pair


def test_strengths_that_differ_in_their_last_bits_are_tied() -> None:
    qbaf = Qbaf({"a": 0.5, "b": 0.5}, topics=["b", "a"])
    assert default_pair(qbaf, {"a": 0.5 + 1e-15, "b": 0.5}) == ("b", "a")


def test_one_argument_alone_cannot_be_compared() -> None:
    with pytest.raises(InvalidInput, match="needs two arguments, and the graph has 1"):
        Question(graph=Qbaf({"a": 0.5})).contrast()


@pytest.mark.parametrize("topics", [(), ("p",)])
def test_a_strict_question_names_candidates_where_topics_are_missing(topics: tuple[str, ...]) -> None:
    bare = GRAPH.with_topics(topics)
    has = "only one topic, 'p'" if topics else "no topics"
    for ask in (Question.contrast, Question.all_pairs, Question.rank):
        with pytest.raises(InvalidInput, match=rf"hotel.bag has {has}. Candidates .*: 'q' \(“Plan B”\)") as raised:
            ask(Question(graph=bare, source="hotel.bag", strict=True))
        assert "topics" in {hint.setting for hint in raised.value.hints}
        ask(Question(graph=bare))  # the explorer suggests some


# -- changes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("names", [("x", "x"), ("x", "The experts agree"), ("The experts agree", "x")])
def test_two_base_scores_for_one_argument_are_refused_also_by_name_and_label(names: Any, strict: bool) -> None:
    question = Question(graph=GRAPH, base_scores=[(names[0], 0.1), (names[1], 0.9)], strict=strict)
    with pytest.raises(InvalidInput, match="'x' is given two base scores; keep one"):
        _ = question.qbaf


def test_names_and_unique_labels_mean_the_same_everywhere() -> None:
    by_name = Question(graph=GRAPH, fact="p", foil="q", base_scores=[("x", 0.3)], topics=["p", "q"], strict=True)
    by_label = Question(
        graph=GRAPH,
        fact="Plan A",
        foil="Plan B",
        base_scores=[("The experts agree", 0.3)],
        topics=["Plan A", "Plan B"],
        strict=True,
    )
    assert by_label.contrast().to_dict() == by_name.contrast().to_dict()
    assert by_label.qbaf == by_name.qbaf
    with pytest.raises(UnknownName, match="'Twin' is the label of 'r', 'y'"):
        Question(graph=GRAPH, fact="Twin").contrast()


def test_what_is_removed_cannot_be_set_compared_or_a_topic() -> None:
    for more, said in (
        ({"base_scores": [("x", 0.5)], "remove": ["The experts agree"]}, "'x' is both set and removed"),
        ({"fact": "p", "foil": "q", "remove": ["q"]}, "'q' is the foil and is removed; keep it, or set it to 0"),
        ({"fact": "p", "remove": ["p"]}, "'p' is the fact and is removed"),
        ({"topics": ["p", "q"], "remove": ["p"]}, "'p' is both a topic and removed"),
        ({"fact": "p", "foil": "Plan A"}, "'p' cannot be compared with itself; name two topics"),
    ):
        with pytest.raises(InvalidInput, match=said):
            Question(graph=GRAPH, strict=True, **more).contrast()  # type: ignore[arg-type]


def test_removing_wins_over_setting_where_the_question_is_not_strict() -> None:
    assert Question(graph=GRAPH, base_scores=[("x", 0.5)], remove=["x"]).qbaf == GRAPH.without("x")
    assert Question(graph=GRAPH, fact="p", foil="p").contrast().gap == 0


# -- settings ------------------------------------------------------------------------------------------------


def test_settings_are_refused_where_the_method_has_none_and_defaults_are_left_out() -> None:
    with pytest.raises(InvalidInput, match="seed has no meaning for the method 'shapley'; leave it out"):
        Question(graph=GRAPH, settings={"seed": 3}).contrast()
    defaults = {"seed": 3, "max_evaluations": 1 << 20}
    for method, kept in (("shapley", {"max_evaluations"}), ("sampled", {"seed"}), ("removal", set())):
        assert set(Question(graph=GRAPH, method=method, defaults=defaults).measuring) == kept | {"method"}
    chosen = Question(graph=GRAPH, method="sampled", defaults=defaults, settings={"seed": 5}).measuring
    assert chosen["seed"] == 5
    with pytest.raises(UnknownName, match="did you mean 'shapley'"):
        Question(graph=GRAPH, method="shaply").contrast()


def test_semantics_solver_and_steps_reach_every_answer() -> None:
    question = Question(graph=qx.examples.load("undefined"), solver="continuous", semantics="qe")
    assert question.strengths.solver == "continuous"
    assert question.contrast().semantics == "qe"
    for ask in (Question.contrast, Question.all_pairs, Question.rank, Question.flip):
        with pytest.raises(qx.UndefinedStrength):
            ask(Question(graph=qx.examples.load("undefined"), max_steps=50))
    with pytest.raises(UnknownName, match="no solver 'cont'"):
        _ = Question(graph=GRAPH, solver="cont").strengths


def test_answers_are_those_of_the_library() -> None:
    question = Question(graph=GRAPH, base_scores=[("x", 0.3)], remove=["y"], method="removal")
    after = GRAPH.with_base_scores({"x": 0.3}).without("y")
    pair = default_pair(after, qx.strengths(after))
    assert question.contrast().to_dict() == qx.contrast(after, *pair, method="removal").to_dict()
    assert question.all_pairs().to_dict() == qx.all_pairs(after, method="removal").to_dict()
    assert question.rank().to_dict() == qx.rank(after, method="removal").to_dict()
    assert question.flip().to_dict() == qx.flip(after, *pair).to_dict()
    before = default_pair(GRAPH, qx.strengths(GRAPH))
    assert (
        question.whatif().to_dict()
        == qx.whatif(GRAPH, *before, base_scores={"x": 0.3}, remove=["y"], method="removal").to_dict()
    )


# -- sources -------------------------------------------------------------------------------------------------


def test_a_graph_is_read_from_an_example_or_a_file_in_a_stated_format(tmp_path: Any) -> None:
    assert read_graph("examples:zebra") == qx.examples.load("zebra")
    (tmp_path / "graph.txt").write_bytes(b"arg(a, 0.5).\narg(b, 0.25).\natt(b, a).\n")
    assert list(read_graph(str(tmp_path / "graph.txt"), "bag").arguments) == ["a", "b"]


def test_a_semantics_is_a_name_of_the_table_or_an_object_of_the_users_own_code(tmp_path: Any) -> None:
    (tmp_path / "mine.py").write_text(
        "from qontrast import Semantics\nmine = Semantics('mine', lambda a, s: s.sum(0), lambda b, e: b)\n"
    )
    assert load_semantics(f"{tmp_path}/mine.py:mine").name == "mine"  # type: ignore[union-attr]
    for name, said in (
        ("nowhere:mine", "cannot be loaded: ModuleNotFoundError"),
        (f"{tmp_path}/mine.py:other", "cannot be loaded: AttributeError"),
        ("math:pi", "is a float; make it a qontrast.Semantics"),
    ):
        with pytest.raises(InvalidInput, match=said):
            load_semantics(name)


@pytest.mark.parametrize("count", [1, 2, 11, 12, 13, 1500])
def test_at_most_twelve_candidates_are_named_and_the_others_counted(count: int) -> None:
    """The graph has `count` arguments, of which the last two, or the only one, act on no other."""
    names = [f"x{k}" for k in range(count)]
    q = qx.Qbaf(dict.fromkeys(names, 0.5), attacks=[(x, names[-1]) for x in names[:-2]], labels={names[-1]: "The end"})
    with pytest.raises(qx.InvalidInput) as error:
        require_topics(q, "graph.json", Hint("foil"))
    order = [repr(x) for x in [*names[-2:], *names[:-2]]]
    order[min(1, count - 1)] += " (“The end”)"
    first = " (those that act on no other come first)" if count > 2 else ""
    more = f" and {count - 12:,} more" if count > 12 else ""
    assert error.value.args[0] == f"graph.json has no topics. Candidates{first}: {', '.join(order[:12])}{more}"
    assert error.value.hints == (Hint("foil"), Hint("topics"))
    with pytest.raises(qx.InvalidInput, match=rf"^graph.json has only one topic, '{names[-1]}'(\. Candidates|; )"):
        require_topics(q.with_topics([names[-1]]), "graph.json")
    if count > 1:
        require_topics(q.with_topics(names[:2]), "graph.json")


def test_the_figure_of_a_change_goes_from_the_graph_to_the_changed_one() -> None:
    asked = Question(graph=GRAPH, base_scores=[("x", 0.3)], remove=["y"])
    after = GRAPH.with_base_scores({"x": 0.3}).without("y")
    assert asked.compute("change").to_dict() == qx.change(GRAPH, after, *asked.pair).to_dict()


@pytest.mark.parametrize("solver", ["discrete", "continuous"])
def test_the_figure_of_convergence_follows_the_solver_for_at_most_the_steps_of_the_question(solver: str) -> None:
    asked = Question(graph=GRAPH, solver=solver, max_steps=7)
    found = asked.compute("trajectory").to_dict()
    assert (found["solver"], found["times"][-1]) == (solver, 7)
    assert Question(graph=GRAPH, solver=solver).compute("trajectory").to_dict()["times"][-1] == 20
