"""Every number of the API is the library's, and every field of every question changes what it should."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any, get_args

import httpx
import pytest
from pydantic import BaseModel

import qontrast as qx
from qontrast.formats import write_text
from qontrast.questions import Question, suggest_topics
from qontrast.results.base import to_plain
from qontrast.show.interaction_texts import find_rows
from qontrast.show.numbers import write_move
from qontrast.show.phrasing import choose
from qontrast.web import limits, page, schemas
from qontrast.web.answers import ANSWERS
from qontrast.web.answers import answer as answer_in_worker
from qontrast.web.page import explain
from qontrast.web.server import app

Body = dict[str, Any]


def native(qbaf: qx.Qbaf) -> Body:
    found: Body = json.loads(write_text(qbaf, "json"))
    return found


NAMES = [f"x{k}" for k in range(12)]
QBAF = qx.Qbaf(
    {name: 0.1 + 0.07 * k for k, name in enumerate(NAMES)},
    attacks={(NAMES[k], NAMES[k // 2]): 0.25 + k / 24 for k in range(3, 12, 2)} | {("x2", "x0"): 0.7},
    supports={(NAMES[k], NAMES[(k - 1) // 2]): 1 - k / 24 for k in range(4, 12, 2)}
    | {("x11", "x1"): 0.5, ("x1", "x0"): 0.6},
    labels={"x0": "The first", "x7": "It has a <label>"},
    topics=["x0", "x1", "x2"],
    semantics="df-quad",
)
GRAPH = native(QBAF)
OTHER = native(QBAF.with_base_scores({"x5": 0.9}))
UNCERTAIN = GRAPH | {"uncertain": {"x7": {"interval": [0.1, 0.9]}, "x5": {"beta": [2, 5]}}}
UNDEFINED = native(qx.examples.load("undefined"))
PAIR = {"fact": "x0", "foil": "x1"}
BAG = "arg(a, 0.5).\narg(b, 0.9).\natt(b, a).\n"
MANY = json.dumps(
    {"data": [{"base": {"bag": {"arguments": {"db0": {"initial_weight": 0.5}}, "attacks": [], "supports": []}}}] * 2}
)

BASE: dict[str, Body] = {
    "strengths": {"graph": GRAPH},
    "contrast": {"graph": GRAPH},
    "explain": {"graph": GRAPH},
    "pairs": {"graph": GRAPH},
    "rank": {"graph": GRAPH},
    "paths": {"graph": GRAPH, "contributor": "x11", "topics": ["x0", "x1"]},
    "flip": {"graph": GRAPH, "fact": "x1", "foil": "x0"},
    "reach": {"graph": GRAPH, "goal": ["x0 >= 0.5"]},
    "reasons": {"graph": GRAPH, **PAIR},
    "change": {"graph": GRAPH, **PAIR, "before": native(QBAF.with_base_scores({"x7": 0.9, "x11": 0.1}).without("x9"))},
    "robustness": {"graph": GRAPH, **PAIR},
    "uncertainty": {"graph": GRAPH, **PAIR, "scores": {"x7": {"interval": [0.1, 0.9]}, "x11": {"beta": [2, 3]}}},
    "semantics": {"graph": GRAPH, **PAIR},
    "check": {"graph": GRAPH},
    "convert": {"graph": GRAPH},
    "draw": {"graph": GRAPH},
    "figure": {"graph": GRAPH, "format": "png"},
    "report": {"graph": GRAPH},
    "interactions": {"graph": GRAPH},
    "read": {"files": [{"name": "hotel.bag", "text": BAG}]},
}
# field → (what the question has besides, the value that makes a difference)
ABOUT_GRAPHS: dict[str, tuple[Body, Any]] = {
    "graph": ({}, OTHER),
    "set": ({}, {"x5": 0.9}),
    "remove": ({}, ["x5"]),
    "semantics": ({}, "qe"),
    "solver": (
        {"graph": UNDEFINED, "fact": "bridge", "foil": "detour", "contributor": "open", "topics": ["bridge", "detour"]},
        "continuous",
    ),
}
MEASURED: dict[str, tuple[Body, Any]] = ABOUT_GRAPHS | {
    "method": ({}, "removal"),
    "seed": ({"method": "sampled", "budget": 40}, 1),
    "budget": ({"method": "sampled", "budget": 40}, 60),
}
TOPICS: dict[str, tuple[Body, Any]] = {"fact": ({}, "x2"), "foil": ({}, "x3")}
CONTRAST: dict[str, tuple[Body, Any]] = MEASURED | TOPICS
PLAYERS: dict[str, tuple[Body, Any]] = {"players": ({}, "direct")}
VIEW: dict[str, tuple[Body, Any]] = {"view": ({}, {"fold": True, "shown": ["x5"]})}
FIELDS: dict[str, dict[str, tuple[Body, Any]]] = {
    "strengths": ABOUT_GRAPHS,
    "check": ABOUT_GRAPHS,
    "contrast": CONTRAST | PLAYERS,
    "explain": CONTRAST
    | PLAYERS
    | VIEW
    | {"palette": ({}, "colour-blind"), "pictures": ({}, False), "width": ({}, 900), "contributions": ({}, False)},
    "pairs": MEASURED | {"topics": ({}, ["x3", "x4"])},
    "rank": MEASURED | {"topics": ({}, ["x3", "x4"])},
    "paths": ABOUT_GRAPHS | {"contributor": ({}, "x9"), "topics": ({}, ["x2"]), "most": ({"contributor": "x11"}, 1)},
    "flip": ABOUT_GRAPHS
    | {
        "fact": ({}, "x2"),
        "foil": ({}, "x3"),
        "fixed": ({}, ["x2", "x11"]),
        "norm": ({}, "l2"),
        "move_topics": ({}, True),
        "margin": ({}, 0.05),
    },
    "interactions": ABOUT_GRAPHS
    | PLAYERS
    | {
        "fact": ({}, "x2"),
        "foil": ({}, "x3"),
        "alone": ({"fact": "x0"}, True),
        "index": ({}, "stii"),
        "most": ({}, 1),
    },
    "reach": ABOUT_GRAPHS
    | {
        "goal": ({}, ["x1", "x0"]),
        "change": ({}, "weights"),
        "cost": ({}, "linf"),
        "fixed": ({}, ["x0"]),
        "bounds": ({}, {"x0": [0.1, 0.11]}),
        "prices": ({}, {"x0": 100.0}),
        "margin": ({}, 0.1),
        "prove": ({}, False),
    },
    "reasons": ABOUT_GRAPHS | TOPICS | {"players": ({}, {"all": ["x5", "x6", "x7"]})},
    "change": ABOUT_GRAPHS | TOPICS | {"before": ({}, OTHER), "units": ({}, "arguments")},
    "robustness": ABOUT_GRAPHS
    | TOPICS
    | {"norm": ({}, "l1"), "movers": ({}, ["x5", "x7"])}
    | {"change": ({}, "weights")},
    "uncertainty": ABOUT_GRAPHS
    | TOPICS
    | {
        "scores": ({}, {"x7": {"samples": [0.2, 0.3]}}),
        "samples": ({}, 600),
        "seed": ({}, 1),
        "quick": ({}, True),
    },
    "semantics": CONTRAST | PLAYERS | {"compared": ({}, ["qe", "reb"])},
    "convert": ABOUT_GRAPHS | {"format": ({}, "bag"), "scores": ({}, {"x7": {"interval": [0.2, 0.3]}})},
    "draw": CONTRAST
    | {"players": ({"picture": "bars"}, "direct")}
    | VIEW
    | {"picture": ({}, "bars"), "palette": ({}, "colour-blind"), "dark": ({}, True)},
    "figure": CONTRAST
    | PLAYERS
    | {
        "figure": ({}, "waterfall"),
        "format": ({}, "svg"),
        "palette": ({}, "colour-blind"),
        "scores": ({"figure": "uncertainty", "graph": UNCERTAIN}, {"x7": None}),
    },
    "report": CONTRAST
    | PLAYERS
    | {
        "palette": ({}, "colour-blind"),
        "scores": ({"graph": UNCERTAIN}, {"x7": None}),
        "interactive": ({}, True),
    },
    "read": {
        "files": ({}, [{"name": "hotel.bag", "text": BAG.replace("0.9", "0.8")}]),
        "format": ({"files": [{"text": BAG}], "format": "apx"}, "bag"),
        "address": ({"files": [{"name": "many.json", "text": MANY}]}, "1/base"),
    },
}
# what a graph alone is asked has no method, and drawing the graph measures nothing
ONLY = {
    "draw": {"picture": "bars"},  # the fields of the method are those of the bars
    "convert": {"graph": GRAPH},
}
SOLVED: Body = {  # what the fields of a question need besides for a graph whose strengths are undefined by iteration
    "reach": {"goal": ["bridge >= 0"]},
    "change": {"before": UNDEFINED},
    "uncertainty": {"scores": {"open": {"interval": [0.1, 0.9]}}, "quick": True},
}
SPIED = {("flip", "solver"), ("report", "solver")}  # a search on such a graph takes long: what it is asked is looked at
# a file holds a graph, not its strengths; all semantics are compared, whichever is named
NO_DIFFERENCE = {("convert", "solver"), ("convert", "semantics"), ("semantics", "semantics")}


@pytest.fixture(autouse=True)
def _no_clock_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SEARCH_SECONDS", None)


@cache
def asked(question: str, body: str) -> tuple[int, bytes]:
    status, _, content = answer_in_worker(question, body.encode())
    return status, content


def ask(question: str, body: Body) -> tuple[int, bytes]:
    return asked(question, json.dumps(body))


def known(question: str, body: Body) -> Body:
    """The body without what the question does not have."""
    fields = ANSWERS[question].asks.model_fields
    return {name: value for name, value in body.items() if name in fields}


def fields_of(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)


def test_every_question_and_every_field_has_a_case() -> None:
    assert set(BASE) == set(FIELDS) == set(ANSWERS)
    for question, call in ANSWERS.items():
        assert set(FIELDS[question]) == fields_of(call.asks), question
    assert fields_of(schemas.File) == {"name", "text"}
    assert get_args(ANSWERS["read"].asks.model_fields["files"].annotation) == (schemas.File,)


CASES = [(question, field) for question in FIELDS for field in FIELDS[question] if (question, field) not in SPIED]


@pytest.mark.parametrize("question", ["flip", "report"])
def test_the_solver_reaches_the_search_for_a_flip(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def spy(*asked: Any, **given: Any) -> Any:
        seen.append(given["solver"])
        return qx.flip(*asked, **given | {"solver": "discrete"})

    monkeypatch.setattr("qontrast.explain.flip.flip", spy)
    for solver in ("discrete", "continuous"):
        body = BASE[question] | {"solver": solver}
        assert answer_in_worker(question, json.dumps(body).encode())[0] == 200
    assert seen == ["discrete", "continuous"]


@pytest.mark.parametrize(("question", "field"), CASES)
def test_every_field_of_a_question_changes_its_answer(question: str, field: str) -> None:
    more, value = FIELDS[question][field]
    measured = question == "draw" and field in ("method", "seed", "budget")
    more = more | (SOLVED.get(question, {}) if field == "solver" else {})
    base = known(question, BASE[question] | (ONLY["draw"] if measured else {}) | more)
    before, after = ask(question, base), ask(question, base | {field: value})
    if (question, field) in NO_DIFFERENCE:
        assert before == after
        return
    assert after[0] == 200, after[1][:300]
    assert before != after


def library(question: str, asking: Body) -> Any:
    """The library's own answer to the same question."""
    data = asking["graph"]
    qbaf = qx.read_text(json.dumps(data), "json")
    if asking.get("set"):
        qbaf = qbaf.with_base_scores(asking["set"])
    qbaf = qbaf.without(*asking.get("remove", []))
    under = {"semantics": asking.get("semantics"), "solver": asking.get("solver", "discrete")}
    by = {"method": asking.get("method", "shapley")}
    by |= {name: asking[name] for name in ("seed", "budget") if name in asking}
    if question == "strengths":
        return qx.strengths(qbaf, **under).to_dict()
    if question == "check":
        return Question(graph=qbaf, **under).check().to_dict()
    if question in ("pairs", "rank"):
        function = qx.all_pairs if question == "pairs" else qx.rank
        return function(qbaf, asking.get("topics") or list(suggest_topics(qbaf)), **by, **under).to_dict()
    if question == "paths":
        most = {"limit": asking["most"]} if "most" in asking else {}
        return [qx.paths(qbaf, asking["contributor"], topic, **under, **most).to_dict() for topic in asking["topics"]]
    if question == "reach":
        names = ("change", "cost", "fixed", "bounds", "prices", "margin", "prove")
        given = {name: asking[name] for name in names if name in asking} | {"time_limit": None}
        return qx.reach(qbaf, asking["goal"], **given, **under).to_dict()
    if question == "reasons":
        players = {"players": asking.get("players", "arguments")}
        return qx.reasons(qbaf, asking["fact"], asking["foil"], time_limit=None, **players, **under).to_dict()
    if question == "change":
        before = qx.read_text(json.dumps(asking.get("before") or data), "json")
        units = {"units": asking.get("units", "elements")}
        return qx.change(before, qbaf, asking["fact"], asking["foil"], **units, **under).to_dict()
    if question == "robustness":
        given = {name: asking[name] for name in ("norm", "movers", "change") if name in asking} | {"time_limit": None}
        return qx.robustness(qbaf, asking["fact"], asking["foil"], **given, **under).to_dict()
    if question == "uncertainty":
        given = {name: asking[name] for name in ("scores", "samples", "seed", "quick") if name in asking}
        return qx.uncertainty(qbaf, asking["fact"], asking["foil"], **given, **under).to_dict()
    if question == "semantics":
        compared = {"semantics": asking.get("compared"), "solver": under["solver"]}
        players = {"players": asking.get("players", "arguments")}
        return qx.compare_semantics(qbaf, asking["fact"], asking["foil"], **by, **players, **compared).to_dict()
    if question == "flip":
        return qx.flip(qbaf, asking["fact"], asking["foil"], **under, **known_flip(asking)).to_dict()
    strengths = qx.strengths(qbaf, **under)
    ordered = sorted(suggest_topics(qbaf), key=lambda name: -strengths[name])
    fact = asking.get("fact") or next(name for name in ordered if name != asking.get("foil"))
    foil = asking.get("foil") or next(name for name in ordered if name != fact)
    players = asking.get("players", "arguments")
    if question == "interactions":
        other = None if asking.get("alone") else foil
        return qx.interactions(qbaf, fact, other, players=players, index=asking.get("index", "sii"), **under)
    return qx.contrast(qbaf, fact, foil, players=players, **by, **under).to_dict()


def known_flip(asking: Body) -> Body:
    given = {name: asking[name] for name in ("fixed", "norm", "move_topics", "margin") if name in asking}
    return given | {"time_limit": limits.MAX_SEARCH_SECONDS}


def bodies(question: str) -> list[Body]:
    found = [BASE[question]]
    for field, (more, value) in FIELDS[question].items():
        if (question, field) in SPIED:
            continue
        more = more | (SOLVED.get(question, {}) if field == "solver" else {})
        found.append(known(question, BASE[question] | more | {field: value}))
    return found


COMPARED = [question for question in BASE if question not in ("convert", "draw", "figure", "report", "read")]


@pytest.mark.parametrize("question", COMPARED)
def test_every_number_of_an_answer_is_the_librarys_own(question: str) -> None:
    for body in bodies(question):
        status, content = ask(question, body)
        assert status == 200, content[:300]
        answer = json.loads(content)
        found = library(question, body)
        expected = json.loads(json.dumps(to_plain(found.to_dict() if question == "interactions" else found)))
        if question == "paths":
            assert answer["topics"] == expected
            words = [[path["words"] for path in topic["paths"]] for topic in expected]
            assert [[": ".join(both) for both in parts] for parts in answer["parts"]] == words
        elif question == "flip":
            answer.pop("words")
            changed = expected["base_scores"]["change"] or {}
            assert answer.pop("moves") == {x: list(write_move(c["from"], c["to"])) for x, c in changed.items()}
            assert answer == expected
        elif question == "interactions":
            rows, left_out = find_rows(found, body.get("most", 20), choose("en"))
            own = {"words": str(found), "rows": [list(row) for row in rows], "left_out": left_out}
            assert answer == expected | own
        elif question == "explain":
            check_page(answer, expected, body)
        elif question in ("reach", "reasons", "change", "robustness", "uncertainty", "semantics"):
            assert answer.pop("words")
            if question == "reach":
                changed = (expected["change"] or {}).get("base_scores", {})
                assert answer.pop("moves") == {x: list(write_move(c["from"], c["to"])) for x, c in changed.items()}
            assert answer == expected
        else:
            assert answer == expected


def check_page(answer: Body, contrast: Body, body: Body) -> None:
    """Strengths, gaps and words of the page agree with the contrast that it shows."""
    assert answer["contrast"] == (contrast if body.get("contributions", True) else None)
    assert (answer["fact"], answer["foil"]) == (contrast["fact"], contrast["foil"])
    assert answer["strengths"] == json.loads(json.dumps(to_plain(library("strengths", body))))
    strengths, topics = answer["strengths"]["strengths"], answer["pairs"]["topics"]
    assert {contrast["fact"], contrast["foil"]} <= set(topics)
    for i, row in enumerate(topics):
        for j, column in enumerate(topics):
            assert answer["pairs"]["gaps"][i][j] == pytest.approx(strengths[row] - strengths[column], abs=1e-9)
    shown = [f"{strengths[contrast['fact']]:.{digits}f}" for digits in range(3, 9)]
    assert any(each in answer["sentence"] for each in shown)


# -- what is kept


def variants() -> list[qx.Qbaf]:
    """Graphs that share their names, or their names and edges, and differ in one thing each."""
    heavier = qx.Qbaf(
        QBAF.base_scores,
        {pair: weight / 2 for pair, weight in QBAF.attacks.items()},
        QBAF.supports,
        labels=QBAF.labels,
        topics=QBAF.topics,
        semantics=QBAF.semantics,
    )
    turned = qx.Qbaf(QBAF.base_scores, QBAF.supports, QBAF.attacks, topics=QBAF.topics, semantics=QBAF.semantics)
    made = [QBAF, heavier, turned, QBAF.with_base_scores({"x9": 1.0, "x10": 0.0})]
    for change in ({"semantics": "qe"}, {"semantics": "ebt"}, {"topics": ["x3", "x2"]}, {"labels": {"x0": "Another"}}):
        kept = {"labels": QBAF.labels, "topics": QBAF.topics, "semantics": QBAF.semantics} | change
        made.append(qx.Qbaf(QBAF.base_scores, QBAF.attacks, QBAF.supports, **kept))  # type: ignore[arg-type]
    return made


def test_an_answer_does_not_depend_on_the_graphs_that_were_asked_about_before() -> None:
    every = variants()
    for qbaf in [*every, *reversed(every), *every[::2], *every[1::2]]:
        fresh = qx.read_text(write_text(qbaf, "json"), "json")
        for question, expected in (
            ("strengths", lambda q: qx.strengths(q).to_dict()),
            ("pairs", lambda q: qx.all_pairs(q).to_dict()),
            ("contrast", lambda q: qx.contrast(q, *qx.rank(q, method="removal").order[:2]).to_dict()),
        ):
            status, _, content = answer_in_worker(question, json.dumps({"graph": native(qbaf)}).encode())
            assert status == 200
            assert json.loads(content) == json.loads(json.dumps(to_plain(expected(fresh))))
    labelled = answer_in_worker(
        "explain", json.dumps({"graph": native(every[-1]), **PAIR, "pictures": False}).encode()
    )[2]
    assert "Another" in json.loads(labelled)["sentence"]


# -- limits and guards


def test_a_cyclic_graph_may_take_fewer_evaluations_than_an_acyclic_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits.MAX_CONNECTED_SETS < limits.MAX_COALITIONS
    cyclic = qx.Qbaf({"a": 0.5, "b": 0.5, "t": 0.5}, attacks={("a", "b"): 0.5, ("b", "a"): 0.5}, supports=[("a", "t")])
    for qbaf, limit in ((QBAF, limits.MAX_COALITIONS), (cyclic, limits.MAX_CONNECTED_SETS)):
        question = schemas.Contrast(graph=native(qbaf), **PAIR)
        assert question.to_question().measuring == {"method": "shapley", "max_evaluations": limit, "max_minutes": 1 / 3}
    monkeypatch.setattr(limits, "MAX_CONNECTED_SETS", 1)
    for qbaf, pair in ((QBAF, PAIR), (cyclic, {"fact": "t", "foil": "a"})):
        status, _, content = answer_in_worker("contrast", json.dumps({"graph": native(qbaf), **pair}).encode())
        assert status == (200 if qbaf is QBAF else 422), content
    assert "limit 1)" in json.loads(content)["error"]


def test_a_budget_reaches_the_method_and_is_refused_where_it_means_nothing() -> None:
    for budget in (30, 40):
        sampled = schemas.Contrast(graph=GRAPH, method="sampled", budget=budget, seed=7)
        minutes = {"max_minutes": limits.MAX_ANSWER_SECONDS / 60}
        assert sampled.to_question().measuring == {"method": "sampled", "seed": 7, "budget": budget, **minutes}
    status, content = ask("contrast", {"graph": GRAPH, "method": "removal", "budget": 30})
    assert status == 422
    assert "budget has no meaning for the method 'removal'" in json.loads(content)["error"]
    assert ask("contrast", {"graph": GRAPH, "method": "sampled", "budget": limits.MAX_SAMPLED_COALITIONS + 1})[0] == 422


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", None, 200),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", 200),
        ("localhost:8000", "http://localhost:8000", 200),
        ("127.0.0.1:8000", "http://127.0.0.1:9000", 403),  # a page of another server on this machine
        ("127.0.0.1:8000", "http://127.0.0.1", 403),
        ("127.0.0.1:8000", "http://localhost:8000", 403),
        ("127.0.0.1:8000", "null", 403),
        ("127.0.0.1:8000", "http://evil.example:8000", 403),
        ("evil.example:8000", None, 400),
        ("127.0.0.1.evil.example:8000", None, 400),
    ],
)
def test_only_pages_of_this_host_and_port_are_answered(host: str, origin: str | None, status: int) -> None:
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})

    async def get() -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app()), base_url="http://127.0.0.1:8000") as client:
            return (await client.get("/api/tables", headers=headers)).status_code

    assert asyncio.run(get()) == status


def test_the_gaps_of_the_page_hold_this_pair_too_and_ties_are_exactly_zero() -> None:
    """0.1 + 0.2 and 0.3 as energies: strengths that are equal on paper, and differ in their last bits."""
    q = qx.Qbaf(
        {"a": 0.1, "b": 0.2, "c": 0.3, "one": 0.5, "other": 0.5, "low": 0.1},
        supports=[("a", "one"), ("b", "one"), ("c", "other")],
        topics=["one", "other", "low"],
    )
    found = qx.strengths(q)
    assert 0 < abs(found["one"] - found["other"]) < 1e-15
    for fact, foil in (("one", "other"), ("low", "one"), ("a", "low"), ("low", "b"), ("a", "b"), ("c", "c")):
        pairs = explain(schemas.Explain(graph=native(q), fact=fact, foil=foil, pictures=False))["pairs"]
        assert pairs["topics"] == list(dict.fromkeys(["one", "other", "low", fact, foil]))
        for row, line in zip(pairs["topics"], pairs["gaps"], strict=True):
            for column, gap in zip(pairs["topics"], line, strict=True):
                tied = abs(found[row] - found[column]) < 1e-9
                assert gap == (0.0 if tied else found[row] - found[column])


@pytest.mark.parametrize("figure", ["pairs", "ranking"])
def test_a_figure_of_topics_needs_two_of_them(figure: str) -> None:
    for count in (1, 2, 3):
        q = qx.Qbaf({f"t{k}": 0.2 * k for k in range(count)})
        asked = schemas.Figure(graph=native(q), figure=figure, method="removal")
        if count < 2:
            with pytest.raises(qx.InvalidInput, match="this figure needs two arguments, and the graph has 1"):
                page.draw_figure(asked)
        else:
            assert page.draw_figure(asked).content


# -- uncertain base scores --------------------------------------------------------------------------------------------


def convert(**more: Any) -> Body:
    status, content = ask("convert", {"graph": UNCERTAIN, **more})
    assert status == 200, content
    found: Body = json.loads(json.loads(content)["text"])
    return found


def test_scores_stand_beside_base_scores_that_are_set_and_replace_what_the_graph_says() -> None:
    own = UNCERTAIN["uncertain"]
    interval = {"interval": [0.2, 0.4]}
    assert convert()["uncertain"] == own
    assert convert(set={"x7": 0.3})["uncertain"] == {"x5": own["x5"]}  # one that is set is certain
    assert convert(set={"x7": 0.3}, scores={"x7": interval})["uncertain"] == {"x5": own["x5"], "x7": interval}
    assert convert(scores={"x7": None})["uncertain"] == {"x5": own["x5"]}
    assert "uncertain" not in convert(scores={"x7": None, "x5": None})
    assert convert(scores={"It has a <label>": interval})["uncertain"]["x7"] == interval
    assert convert(remove=["x7"], scores={"x7": interval})["uncertain"] == {"x5": own["x5"]}


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"x7": {"interval": [0.9, 0.1]}}, "scores.x7: the interval from 0.9 to 0.1 is reversed"),
        ({"x7": {"interval": [0.1, 0.9]}, "It has a <label>": None}, "'x7' is given two uncertain base scores"),
        ({"x99": None}, "x99"),
    ],
)
def test_scores_that_make_no_sense_are_refused(scores: Body, said: str) -> None:
    status, content = ask("convert", {"graph": GRAPH, "scores": scores})
    assert status == 422
    assert said in json.loads(content)["error"]


@pytest.mark.parametrize("arguments", [{}, {"a": 0.5}])
def test_a_graph_with_less_than_two_arguments_has_no_foil_and_says_what_to_do(arguments: dict[str, float]) -> None:
    data = explain(schemas.Explain.model_validate({"graph": {"arguments": arguments, "attacks": [], "supports": []}}))
    assert (data["fact"], data["foil"]) == (next(iter(arguments), None), None)
    assert data["refused"].startswith(
        f"A question needs two arguments, and the graph has {len(arguments)}. Double-click"
    )
