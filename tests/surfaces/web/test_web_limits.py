"""The limits of the server are those of its documents, and exact: on a limit a question is answered, beyond it not."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import httpx
import pytest

import qontrast as qx
from qontrast import METHODS
from qontrast.attribution.players import make_players
from qontrast.engine.problem import make_problem
from qontrast.errors import QontrastError
from qontrast.formats.qbaf_json import to_data as native
from qontrast.web import answers, limits, page, schemas
from qontrast.web.answers import answer as answer_in_worker
from qontrast.web.guard import HEADERS
from qontrast.web.server import app
from qontrast.web.tables import list_tables
from tests.support.paths import ROOT

Body = dict[str, Any]
DOCUMENTED = {  # the constant, and how its row begins in docs/api-server.md
    "MAX_BODY_BYTES": "bytes of a request",
    "MAX_ARGUMENTS": "arguments of a graph",
    "MAX_EDGES": "edges of a graph",
    "MAX_COALITIONS": "evaluations of an exact Shapley value, acyclic",
    "MAX_CONNECTED_SETS": "evaluations of an exact Shapley value, graph with cycles",
    "MAX_SAMPLED_COALITIONS": "`budget`",
    "MAX_DRAWS": "`samples` of `uncertainty`",
    "MAX_TOPICS": "`topics` of",
    "MAX_NUMBERS_OF_PAIRS": "topics²",
    "MAX_NAMES": "names in one list",
    "MAX_INTERACTING_PLAYERS": "players of `interactions`",
    "MAX_PATHS": "`most` of `paths`",
    "MAX_TOPICS_IN_FIGURE": "topics in a figure",
    "MAX_ARGUMENTS_IN_PICTURE": "arguments in a picture",
    "MAX_ANSWER_SECONDS": "seconds for an answer",
    "MAX_SEARCH_SECONDS": "seconds for the search",
    "MAX_WORKER_BYTES": "bytes of memory",
}
UNDOCUMENTED = {"MAX_DRAINED_BYTES"}  # how much of a body that is too long is read


def ask(question: str, **body: Any) -> tuple[int, Any]:
    status, media, content = answer_in_worker(question, json.dumps(body).encode())
    return status, json.loads(content) if "json" in media else content


def star(size: int, topics: int = 2) -> qx.Qbaf:
    """As many arguments, the first ones topics, the others supporters of the first."""
    names = [f"x{k}" for k in range(size)]
    scores = {name: 0.2 + 0.5 * k / size for k, name in enumerate(names)}
    return qx.Qbaf(scores, supports={(name, "x0"): 0.5 for name in names[topics:]}, topics=names[:topics])


def test_every_limit_is_the_one_in_the_documents() -> None:
    text = (ROOT / "docs" / "api-server.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \| ([\d,]+) \|$", text.split("## Limits")[1].split("\n## ")[0], re.MULTILINE)
    constants = {name for name in vars(limits) if name.isupper()}
    assert constants == {*DOCUMENTED, *UNDOCUMENTED}
    assert len(rows) == len(DOCUMENTED)
    for name, start in DOCUMENTED.items():
        (number,) = [int(value.replace(",", "")) for what, value in rows if what.startswith(start)]
        assert getattr(limits, name) == number, name
    assert f"over {limits.MAX_BODY_BYTES // 2**20} MiB" in text
    assert f"within {limits.MAX_ANSWER_SECONDS:g} seconds" in text


def test_the_tables_give_each_limit_under_its_name() -> None:
    names = {"body": "MAX_BODY_BYTES", "drawn": "MAX_ARGUMENTS_IN_PICTURE"}
    shown = list_tables()["limits"]
    assert shown == {key: getattr(limits, names.get(key, f"MAX_{key.upper()}")) for key in shown}
    assert {*names, "arguments", "edges", "coalitions", "connected_sets"} == set(shown)


@pytest.mark.parametrize("question", [name for name, call in answers.ANSWERS.items() if name != "read"])
def test_a_graph_on_the_limit_is_answered_and_a_larger_one_is_refused(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_SEARCH_SECONDS", None)
    needed: Body = {
        "paths": {"contributor": "x3", "topics": ["x0"]},
        "change": {"set": {"x3": 0.4}},
        "flip": {"fact": "x0", "foil": "x1"},
        "reach": {"goal": ["x0 >= 0"]},
        "uncertainty": {"scores": {"x3": {"interval": [0.2, 0.4]}}, "quick": True},
    }
    more = needed.get(question, {})
    for limit, size in (("MAX_ARGUMENTS", 6), ("MAX_EDGES", 4)):
        monkeypatch.setattr(limits, limit, size)
        assert ask(question, graph=native(star(6)), **more)[0] == 200
        monkeypatch.setattr(limits, limit, size - 1)
        status, said = ask(question, graph=native(star(6)), **more)
        assert (status, said["kind"]) == (422, "TooLarge")
        monkeypatch.setattr(limits, limit, 10**6)


@pytest.mark.parametrize("players", ["arguments", "edges", "direct", {"g": ["x3", "x4"]}])
def test_what_takes_longer_than_an_answer_may_is_refused_with_methods_that_do_not(
    players: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Body = {"graph": native(star(6)), "players": players}
    graph = star(6)
    problem, playing = make_problem(graph), make_players(graph, graph.topics, players)
    counted = [METHODS[name].make().count(problem, graph.topics, playing).seconds for name in ("removal", "gradient")]
    monkeypatch.setattr(limits, "MAX_ANSWER_SECONDS", 1.001 * max(counted))
    monkeypatch.setattr("qontrast.attribution.shapley.sampling.SETS_PER_EVALUATION", 0)  # nothing is summed exactly
    status, found = ask("explain", method="sampled", **asked)
    (way,) = found["ways"]
    assert (status, way["setting"]) == (200, "method")
    assert found["refused"].endswith(f"; choose the method {' or '.join(way['values'])}")
    for other in way["values"]:
        assert ask("contrast", method=other, **asked)[0] == 200
    status, said = ask("contrast", method="sampled", **asked)
    assert (status, said["kind"]) == (422, "TooLarge")


def test_a_file_on_the_limit_is_read_and_a_larger_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ARGUMENTS", 6)
    for size, status in ((6, 200), (7, 422)):
        files = [{"name": "g.json", "text": json.dumps(native(star(size)))}]
        assert ask("read", files=files)[0] == status


@pytest.mark.parametrize(
    ("model", "field", "limit", "body"),
    [
        (schemas.Contrast, "budget", limits.MAX_SAMPLED_COALITIONS, {"method": "sampled"}),
        (schemas.Contrast, "remove", limits.MAX_NAMES, {}),
        (schemas.Contrast, "players", limits.MAX_NAMES, {}),
        (schemas.Flip, "fixed", limits.MAX_NAMES, {"fact": "a", "foil": "b"}),
        (schemas.Paths, "most", limits.MAX_PATHS, {"contributor": "a", "topics": ["b"]}),
        (schemas.Interactions, "most", limits.MAX_PATHS, {}),
        (schemas.Pairs, "topics", limits.MAX_TOPICS, {}),
        (schemas.Paths, "topics", limits.MAX_TOPICS, {"contributor": "a"}),
        (schemas.Explain, "width", 2000, {}),
        (schemas.Contrast, "seed", 2**32 - 1, {}),
    ],
)
def test_a_field_on_its_limit_is_taken_and_one_more_is_refused(
    model: type[schemas.Asked], field: str, limit: int, body: Body
) -> None:
    for more, fits in ((0, True), (1, False)):
        value: Any = ["a"] * (limit + more) if field in ("topics", "remove", "fixed") else limit + more
        value = {"group": ["a"] * (limit + more)} if field == "players" else value
        text = json.dumps({"graph": {"arguments": {"a": 0.5}}, field: value, **body}).encode()
        if fits:
            schemas.parse_request(model, text)
        else:
            with pytest.raises(QontrastError, match=field):
                schemas.parse_request(model, text)


@pytest.mark.parametrize("question", ["pairs", "rank"])
def test_the_numbers_of_all_pairs_are_limited_by_topics_squared_times_arguments(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = native(star(7, topics=3))
    monkeypatch.setattr(limits, "MAX_NUMBERS_OF_PAIRS", 9 * 7)
    assert ask(question, graph=graph)[0] == 200
    monkeypatch.setattr(limits, "MAX_NUMBERS_OF_PAIRS", 9 * 7 - 1)
    status, said = ask(question, graph=graph)
    assert (status, said["kind"]) == (422, "TooLarge")


@pytest.mark.parametrize(
    ("players", "size"), [("arguments", 7), ("edges", 5), ("direct", 5), ({"group": ["x5", "x6"]}, 6)], ids=str
)
def test_the_players_of_interactions_are_limited(players: Any, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = native(star(7))
    monkeypatch.setattr(limits, "MAX_INTERACTING_PLAYERS", size)
    assert ask("interactions", graph=graph, players=players)[0] == 200
    monkeypatch.setattr(limits, "MAX_INTERACTING_PLAYERS", size - 1)
    status, said = ask("interactions", graph=graph, players=players)
    assert (status, said["kind"]) == (422, "TooLarge")
    assert f"interactions of {size} players" in said["error"]


def test_pictures_have_no_more_topics_and_arguments_than_they_may() -> None:
    many = native(star(100, topics=70))
    gaps = ask("explain", graph=many, method="removal", pictures=False)[1]["pairs"]
    assert (
        len(gaps["topics"]) - len({"x69", "x68", "x0"} & set(gaps["topics"][limits.MAX_TOPICS :])) == limits.MAX_TOPICS
    )
    svg = ask("explain", graph=native(star(100)), method="gradient")[1]["svg"]["graph"]
    assert svg.count('class="qx-node') <= limits.MAX_ARGUMENTS_IN_PICTURE
    for topics in (limits.MAX_TOPICS_IN_FIGURE, limits.MAX_TOPICS_IN_FIGURE + 1):
        asked = schemas.Figure(graph=native(star(20, topics)), figure="pairs", method="gradient")
        ax = page.plot(asked.to_question(), "pairs", "default")
        assert len(ax.get_yticklabels()) == limits.MAX_TOPICS_IN_FIGURE
    assert ask("report", graph=native(star(62, topics=61)), method="gradient")[1]["kind"] == "TooLarge"


@pytest.mark.parametrize("question", ["flip", "report"])
def test_the_search_for_a_flip_has_its_time_and_the_topics_in_their_order(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def spy(qbaf: qx.Qbaf, fact: str, foil: str, **given: Any) -> Any:
        seen.append((fact, foil, given["time_limit"]))
        return qx.flip(qbaf, fact, foil, **given | {"time_limit": None})  # type: ignore[arg-type]

    monkeypatch.setattr("qontrast.explain.flip.flip", spy)
    graph = native(star(5))  # x0 wins over x1
    assert ask(question, graph=graph, fact="x0", foil="x1")[0] == 200
    if question == "report":  # what would make the loser win, whichever it is
        assert ask(question, graph=graph, fact="x1", foil="x0")[0] == 200
    assert set(seen) == {("x0", "x1", limits.MAX_SEARCH_SECONDS)}
    assert limits.MAX_SEARCH_SECONDS < limits.MAX_ANSWER_SECONDS


def test_losses_and_assumptions_are_told_with_the_answer() -> None:
    graph = native(qx.Qbaf({"a": 0.25, "b": 0.5}, attacks={("a", "b"): 0.5}, labels={"a": "One"}, topics=["b"]))
    for name, each in qx.FORMATS.items():
        status, said = ask("convert", graph=graph, format=name)
        assert status == 200
        lost = [what for what in ("base scores", "weights", "labels", "topics") if what in each.loses]
        assert all(what in " ".join(said["warnings"]) for what in lost), name
    status, said = ask("read", files=[{"name": "a.apx", "text": "arg(a). arg(b). att(a, b)."}])
    assert "without a base score" in said["warnings"][0]


def test_binary_files_are_refused_by_their_names() -> None:
    status, said = ask("read", files=[{"name": "a.bag", "text": "arg(a, 0.5).\0"}])
    assert (status, said["kind"]) == (422, "InvalidInput")
    assert said["error"].startswith("a.bag: is binary")


def test_a_refused_contrast_says_who_is_above_whom() -> None:
    crowd = {f"x{k}": 0.5 for k in range(60)}
    edges = sorted({(f"x{k}", f"x{(7 * k + j) % 60}") for k in range(60) for j in (1, 2, 3)})
    q = qx.Qbaf(crowd | {"x0": 0.9, "x1": 0.1}, supports=[e for e in edges if e[0] != e[1]], topics=["x0", "x1"])
    sigma = qx.strengths(q)
    for fact, foil in (("x0", "x1"), ("x1", "x0")):
        answer = ask("explain", graph=native(q), fact=fact, foil=foil, pictures=False)[1]
        assert "limit" in answer["refused"]
        above = "above" if sigma[fact] > sigma[foil] else "below"
        number = r"\d\.\d{3,9}"
        said = re.fullmatch(
            rf"{fact} \(({number})\) is rated {above} {foil} \(({number})\) by {number}\.", answer["sentence"]
        )
        assert said is not None
        assert [float(each) for each in said.groups()] == pytest.approx([sigma[fact], sigma[foil]], abs=5.1e-4)


def test_what_a_method_measures_and_promises_is_its_own_and_kinks_have_their_sides() -> None:
    q = qx.Qbaf({"t": 0.3, "u": 0.6, "a": 0.5, "b": 0.5}, attacks=[("a", "t")], supports=[("b", "t"), ("a", "u")])
    every = [(method, kind) for method, entry in qx.METHODS.items() for kind in entry.players]
    for method, kind in every:
        players = {"both": ["a", "b"]} if kind == "groups" else kind
        body = {"fact": "t", "foil": "u", "method": method, "semantics": "df-quad", "pictures": False}
        answer = ask("explain", graph=native(q), players=players, **body)[1]
        entry = qx.METHODS[method].for_players(answer["contrast"]["players"])
        assert (answer["measures"], answer["promises"]) == (entry.measures, entry.promises)
        if (method, kind) == ("gradient", "arguments"):
            sides = qx.contrast(q, "t", "u", method="gradient", semantics="df-quad").sides
            assert answer["sides"] == {name: {"below": s.below, "above": s.above} for name, s in sides.items()}
            assert any(side["below"] != side["above"] for side in answer["sides"].values())


def test_every_answer_forbids_sniffing_framing_and_foreign_content() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert HEADERS["X-Content-Type-Options"] == "nosniff"
    assert HEADERS["Referrer-Policy"] == "no-referrer"
    assert {HEADERS["Cross-Origin-Opener-Policy"], HEADERS["Cross-Origin-Resource-Policy"]} == {"same-origin"}


def test_a_token_is_taken_from_the_first_address_a_header_or_the_cookie_and_from_nowhere_else() -> None:
    async def get(path: str, **headers: str) -> httpx.Response:
        guarded = app(token="the token")
        base = "http://127.0.0.1:8000"
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url=base) as client:
            return await client.get(path, headers=headers)

    def answer(path: str, **headers: str) -> httpx.Response:
        return asyncio.run(get(path, **headers))

    opened = answer("/?token=the%20token")
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    kept = [part.strip().lower() for part in opened.headers["set-cookie"].split(";")]
    assert {"httponly", "samesite=strict"} <= set(kept)
    assert answer("/api/tables", Authorization="Bearer the token").status_code == 200
    assert answer("/api/tables", Cookie='qontrast-token="the token"').status_code == 200
    for path in ("/?token=other", "/api/tables?token=the%20token", "/api/tables", "/static/app.js"):
        refused = answer(path)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer"), path
        assert "set-cookie" not in refused.headers
    for wrong in ("Bearer the toke", "Bearer", "Basic the token"):
        assert answer("/api/tables", Authorization=wrong).status_code == 401
