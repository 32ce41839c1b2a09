"""The API: the paper's numbers through it, the same schemas as on the command line, and every way to be refused."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.formats.qbaf_json import from_data
from qontrast.graph.labels import quote_label
from qontrast.results.schemas import EXPLORER
from qontrast.web import agents, limits, schemas, serve
from qontrast.web.answers import ANSWERS
from qontrast.web.jobs import Pool, Worker
from qontrast.web.launch import _address, _is_local, _names
from tests.support.wait import LONG_DEADLINE, wait_until
from tests.support.web_server import Gate, Served, served

Graph = dict[str, Any]
ZEBRA = {"arguments": {"zebra": 0.5, "horse": 0.5, "stripes": 0.8}, "supports": [["stripes", "zebra"]]}


def ask(client: httpx.Client, question: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = client.post(f"/api/{question}", json=body)
    assert answer.status_code == status, answer.text[:500]
    return answer.json() if "json" in answer.headers["content-type"] else answer


# -- answers -------------------------------------------------------------------------------------------------------


def test_the_healthcare_question_gives_the_papers_numbers(client: httpx.Client, healthcare: Graph) -> None:
    # the paper, section "CAFs for Healthcare": cross-topic component 0.0074, contributions sum to 0.1123
    found = ask(client, "explain", {"graph": healthcare, "fact": "antiviral", "foil": "antibiotic"})
    why = found["contrast"]
    assert found["strengths"]["strengths"]["antiviral"] == pytest.approx(0.35643314, abs=5e-9)
    assert why["contributions"]["viral"] == pytest.approx(0.327842, abs=5e-7)
    assert sum(why["contributions"].values()) == pytest.approx(0.1123, abs=5e-5)
    assert why["cross_topic"]["component"] == pytest.approx(0.0074, abs=5e-5)
    assert found["sentence"].startswith(
        "“Antiviral therapy” (0.3564) is rated above “Antibiotic therapy” (0.2368) by 0.1196"
    )
    assert found["svg"]["graph"].startswith("<svg ")
    assert found["pairs"]["topics"] == ["antiviral", "antibiotic", "bronchodilator"]


@pytest.mark.parametrize("labels", [{"fact": "a", "foil": "a b"}, {"fact": "same", "foil": "same"}, {}])
@pytest.mark.parametrize("more", [{}, {"base": 1.0}, {"method": "shapley", "many": True}])
def test_the_pieces_of_the_sentence_say_where_fact_and_foil_are_named(
    client: httpx.Client, labels: dict[str, str], more: dict[str, Any]
) -> None:
    """Whatever they are called: one label is part of the other, two are the same; also without a contrast."""
    base = more.get("base", 0.5)  # two certain arguments that attack each other have no strengths
    scores = {name: {"base_score": base, "label": labels.get(name, name)} for name in ("fact", "foil")}
    others = [f"x{k}" for k in range(30 if more.get("many") else 1)]
    edges = [[one, two] for one in others for two in ("fact", "foil")] + [["fact", "foil"], ["foil", "fact"]]
    graph = {"arguments": scores | dict.fromkeys(others, 0.25), "attacks": edges, "semantics": "df-quad"}
    settings = {"method": more["method"]} if "method" in more else {}
    found = ask(client, "explain", {"graph": graph, "fact": "fact", "foil": "foil", **settings})
    assert "".join(text for text, _ in found["pieces"]) == found["sentence"]
    qbaf = from_data(graph)
    for role in ("fact", "foil"):
        assert {text for text, own in found["pieces"] if own == role} == {quote_label(qbaf, role)}


def test_answers_are_the_plain_data_of_the_library(client: httpx.Client, healthcare: Graph) -> None:
    qbaf = qx.examples.load("healthcare")
    pair = {"fact": "antiviral", "foil": "antibiotic"}
    assert ask(client, "strengths", {"graph": healthcare}) == qx.strengths(qbaf).to_dict()
    assert ask(client, "contrast", {"graph": healthcare, **pair}) == qx.contrast(qbaf, *pair.values()).to_dict()
    assert ask(client, "pairs", {"graph": healthcare}) == qx.all_pairs(qbaf).to_dict()
    assert (
        ask(client, "rank", {"graph": healthcare, "method": "gradient"}) == qx.rank(qbaf, method="gradient").to_dict()
    )
    found = ask(client, "paths", {"graph": healthcare, "contributor": "pcr", "topics": ["antiviral"]})
    assert found["topics"] == [qx.paths(qbaf, "pcr", "antiviral").to_dict()]


def test_objects_of_the_server_have_their_documented_fields(client: httpx.Client, healthcare: Graph) -> None:
    alone = {"arguments": {"a": 0.5}}
    undefined = qx.examples.load("undefined").to_dict()
    found = [
        client.get("/api/tables").json(),
        client.get("/api/start").json(),
        ask(client, "explain", {"graph": healthcare}),
        ask(client, "explain", {"graph": alone}),
        ask(client, "explain", {"graph": undefined}),
        ask(client, "paths", {"graph": healthcare, "contributor": "pcr", "topics": ["antiviral"]}),
        ask(client, "convert", {"graph": healthcare, "format": "bag"}),
        ask(client, "read", {"files": [{"name": "a.bag", "text": "arg(a, 0.5)\n"}]}),
    ]
    assert {data["schema"] for data in found} == {schema.name for schema in EXPLORER}
    for schema in EXPLORER:
        keys = [set(data) - {"schema"} for data in found if data["schema"] == schema.name]
        assert all(set(schema.fields) <= each <= {*schema.fields, *schema.optional} for each in keys), (schema, keys)
        assert set().union(*keys) == {*schema.fields, *schema.optional}


def test_a_flip_that_is_applied_flips(client: httpx.Client, healthcare: Graph) -> None:
    pair = {"fact": "antiviral", "foil": "antibiotic"}
    found = ask(client, "flip", {"graph": healthcare, **pair})
    scores = {name: each["to"] for name, each in found["base_scores"]["change"].items()}
    assert ask(client, "contrast", {"graph": healthcare, "set": scores, **pair})["gap"] < 0
    assert not set(scores) & set(pair.values())
    moved = ask(client, "flip", {"graph": healthcare, **pair, "move_topics": True})
    assert list(moved["base_scores"]["change"]) == ["antiviral"]
    gone = found["removal"]["arguments"]
    assert ask(client, "contrast", {"graph": healthcare, "remove": gone, **pair})["gap"] < 0


def test_set_and_remove_are_with_base_scores_and_without(client: httpx.Client, healthcare: Graph) -> None:
    qbaf = qx.examples.load("healthcare").with_base_scores({"pcr": 0.9}).without("asthma")
    body = {"graph": healthcare, "set": {"pcr": 0.9}, "remove": ["asthma"]}
    assert ask(client, "strengths", body)["strengths"] == dict(qx.strengths(qbaf))


LABELLED = {
    "arguments": {
        "p": {"initial_weight": 0.5, "argument": "Plan A"},
        "q": {"initial_weight": 0.45, "argument": "Plan B"},
        "x": {"initial_weight": 0.8, "argument": "The experts agree"},
        "y": {"initial_weight": 0.6, "argument": "Twin"},
        "z": {"initial_weight": 0.35, "argument": "Twin"},
    },
    "attacks": [["x", "q"], ["y", "p"]],
    "supports": [["x", "p"], ["z", "q"]],
    "topics": ["p", "q"],
}
BY_NAME: list[tuple[str, dict[str, Any]]] = [
    ("strengths", {"set": {"{x}": 0.25}}),
    ("strengths", {"remove": ["{x}"]}),
    ("contrast", {"fact": "{p}", "foil": "{q}", "set": {"{x}": 0.25}}),
    ("contrast", {"fact": "{q}", "foil": "{p}", "remove": ["{x}"]}),
    ("contrast", {"fact": "{x}", "foil": "{q}"}),
    ("explain", {"fact": "{p}", "foil": "{x}"}),
    ("pairs", {"topics": ["{p}", "{x}"]}),
    ("paths", {"contributor": "{x}", "topics": ["{p}", "{q}"]}),
    ("flip", {"fact": "{p}", "foil": "{q}", "fixed": ["{x}"]}),
    ("interactions", {"fact": "{p}", "foil": "{q}", "players": {"one": ["{x}"]}}),
    ("reach", {"goal": ["{q}", "{p}"], "fixed": ["{x}"], "bounds": {"{p}": [0.0, 1.0]}, "prices": {"{q}": 2.0}}),
    ("reasons", {"fact": "{p}", "foil": "{q}", "players": {"both": ["{x}", "z"]}}),
    ("robustness", {"fact": "{p}", "foil": "{q}", "movers": ["{x}"]}),
    ("change", {"fact": "{p}", "foil": "{q}", "set": {"{x}": 0.25}}),
    ("uncertainty", {"fact": "{p}", "foil": "{q}", "scores": {"{x}": {"interval": [0.1, 0.9]}}, "samples": 500}),
    ("semantics", {"fact": "{p}", "foil": "{q}", "remove": ["{x}"]}),
]


def filled(body: dict[str, Any], **names: str) -> dict[str, Any]:
    text = json.dumps(body)
    for mark, name in names.items():
        text = text.replace(f"{{{mark}}}", name)
    return {"graph": LABELLED, **json.loads(text)}


def test_a_change_without_a_second_version_is_refused_with_the_fields_that_give_one(client: httpx.Client) -> None:
    said = ask(client, "change", {"graph": LABELLED, "fact": "p", "foil": "q"}, 422)["error"]
    assert said == "there is no second version to compare with; give before, set or remove"
    unchanged = ask(client, "change", {"graph": LABELLED, "fact": "p", "foil": "q", "before": LABELLED})
    assert unchanged["words"].endswith("nothing changed.")
    with pytest.raises(qx.InvalidInput, match="no version before; give before as JSON, before_file as a path, or set"):
        asyncio.run(agents._answer(Pool(1), Path(), "change", {"graph": LABELLED, "fact": "p", "foil": "q"}))


@pytest.mark.parametrize(("question", "body"), BY_NAME)
def test_a_label_that_is_unique_is_taken_where_a_name_is(
    client: httpx.Client, question: str, body: dict[str, Any]
) -> None:
    names = ask(client, question, filled(body, p="p", q="q", x="x"))
    assert ask(client, question, filled(body, p="Plan A", q="Plan B", x="The experts agree")) == names


@pytest.mark.parametrize(("question", "body"), BY_NAME)
def test_a_label_that_two_arguments_have_is_refused_with_their_names(
    client: httpx.Client, question: str, body: dict[str, Any]
) -> None:
    refused = ask(client, question, filled(body, p="p", q="q", x="Twin"), status=422)
    assert refused["error"] == "'Twin' is the label of 'y', 'z'; give the name of one of them"


def test_without_fact_and_foil_the_two_strongest_topics_are_compared(client: httpx.Client, healthcare: Graph) -> None:
    found = ask(client, "contrast", {"graph": healthcare, "method": "removal"})
    assert (found["fact"], found["foil"]) == ("antiviral", "antibiotic")
    assert ask(client, "contrast", {"graph": ZEBRA})["fact"] == "zebra"


def test_undefined_strengths_are_an_answer_of_explain_and_an_error_elsewhere(client: httpx.Client) -> None:
    graph = client.get("/api/examples/undefined").json()
    found = ask(client, "explain", {"graph": graph})
    assert found["contrast"] is None
    assert found["undefined"]["arguments"] == ["open", "closed", "bridge", "detour"]
    assert "⊥" in found["svg"]["graph"]
    refused = ask(client, "strengths", {"graph": graph}, status=422)
    assert refused["kind"] == "UndefinedStrength"
    assert set(refused["arguments"]) == {"open", "closed", "bridge", "detour"}


def test_a_kink_is_null_with_both_sides(client: httpx.Client) -> None:
    graph = {"arguments": {"a": 0.5, "b": 0.5, "t": 0.3, "u": 0.5}, "attacks": [["a", "t"]], "supports": [["b", "t"]]}
    body = {"graph": graph, "fact": "t", "foil": "u", "method": "gradient", "semantics": "df-quad"}
    found = ask(client, "explain", body)
    assert found["contrast"]["contributions"]["a"] is None
    assert found["kinks"] == ["t"]
    assert found["sides"]["a"]["below"] != found["sides"]["a"]["above"]


def test_a_method_that_is_too_dear_leaves_the_strengths(client: httpx.Client) -> None:
    n = 40
    names = [f"x{i}" for i in range(n)]
    graph = {
        "arguments": dict.fromkeys(["t", "u", *names], 0.5),
        "supports": [[a, b] for a in names for b in ("t", "u")],
        "attacks": [[names[i], names[j]] for i in range(n) for j in (i - 1, (i + 1) % n)],
    }
    found = ask(client, "explain", {"graph": graph, "fact": "t", "foil": "u"})
    assert found["contrast"] is None
    assert "choose the method sampled" in found["refused"]
    assert len(found["strengths"]["strengths"]) == n + 2
    sampled = ask(client, "explain", {"graph": graph, "fact": "t", "foil": "u", "method": "sampled", "budget": 200})
    assert sampled["contrast"]["std_error"]["x0"] >= 0


def test_every_format_is_read_and_written(client: httpx.Client) -> None:
    qbaf = qx.examples.load("zebra")
    for name, each in qx.FORMATS.items():
        if name in ("iccma",):  # holds no supports
            continue
        found = ask(client, "convert", {"graph": qx_native(qbaf), "format": name})
        files = [{"name": f"zebra{each.suffixes[0]}", "text": found["text"]}]
        graphs = ask(client, "read", {"files": files, "format": name})["graphs"]
        assert len(graphs[""]["arguments"]) == 5, name


def qx_native(qbaf: qx.Qbaf) -> Graph:
    found: Graph = json.loads(write_text(qbaf, "json"))
    return found


def test_a_bad_file_is_told_by_file_line_and_reason(client: httpx.Client) -> None:
    files = [{"name": "hotel.bag", "text": "arg(a, 0.5).\nsup(P1, A1"}]
    assert ask(client, "read", {"files": files}, status=422)["error"].startswith("hotel.bag:2: ")


def test_the_name_of_an_upload_is_never_opened(client: httpx.Client, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"arguments": {"secret": 0.5}}')
    for name in (str(secret), "../../etc/passwd", "examples:zebra", "file:///etc/passwd"):
        answer = client.post("/api/read", json={"files": [{"name": name, "text": "nothing"}]})
        assert answer.status_code == 422
        assert "secret':" not in answer.text
        assert "root:" not in answer.text
    for path in ("/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "//etc/passwd"):
        assert client.get(path).status_code in (404, 405)
    assert client.get(f"/api/examples/{secret.name}").status_code == 404
    assert client.get("/api/examples/..%2fhealthcare").status_code == 404


@pytest.mark.parametrize("figure", ["bars", "waterfall", "graph", "pairs", "ranking", "convergence"])
def test_figures_come_as_files(client: httpx.Client, healthcare: Graph, figure: str) -> None:
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    chosen = "png" if figure == "graph" else "pdf" if figure == "pairs" else "svg"
    answer = client.post("/api/figure", json={"graph": healthcare, "figure": figure, "format": chosen})
    assert answer.status_code == 200, answer.text[:300]
    assert answer.content.startswith(starts[chosen])


def test_the_report_is_one_file_to_keep(client: httpx.Client, healthcare: Graph) -> None:
    answer = client.post("/api/report", json={"graph": healthcare})
    assert answer.headers["content-disposition"] == "attachment"
    assert "<script" not in answer.text
    assert len(answer.content) < 200_000


def test_labels_are_escaped_in_pictures_and_reports(client: httpx.Client) -> None:
    bad = "<script>alert(1)</script>\"'&"
    entry = {"name": "x", "argument": bad, "initial_weight": 0.5}
    graph = {"arguments": {"x": entry, "y": 0.4, "z": 0.2}, "attacks": [["z", "x"]]}
    body = {"graph": graph, "fact": "x", "foil": "y"}
    svg = ask(client, "explain", body)["svg"]
    page = client.post("/api/report", json=body).text
    for text in (svg["graph"], svg["bars"], page):
        assert "<script" not in text


def test_the_tables_are_those_of_the_library(client: httpx.Client) -> None:
    found = client.get("/api/tables").json()
    assert list(found["methods"]) == list(qx.METHODS)
    assert list(found["semantics"]) == list(qx.SEMANTICS)
    assert list(found["formats"]) == list(qx.FORMATS)
    assert list(found["examples"]) == list(client.get("/api/examples").json()) == list(qx.examples.EXAMPLES)


def test_every_row_of_the_tables_has_a_title_and_an_explanation(client: httpx.Client) -> None:
    found = client.get("/api/tables").json()
    titles = {("semantics", name): each["title"] for name, each in found["semantics"].items()}
    texts = {("semantics", name): each["formula"] for name, each in found["semantics"].items()}
    for name, each in found["methods"].items():
        titles |= {("methods", name, kind): each["titles"][kind] for kind in each["players"]}
        texts |= {("methods", name, kind): each["measures_of"][kind] for kind in each["players"]}
    titles |= {("players", name): found["player_titles"][name] for name in found["players"]}
    titles |= {("solvers", name): found["solver_titles"][name] for name in found["solvers"]}
    texts |= {("players", name): text for name, text in found["players"].items()}
    texts |= {("solvers", name): found["solver_texts"][name] for name in found["solvers"]}
    assert texts.keys() == titles.keys()
    assert all(titles.values())
    assert all(texts.values())
    assert {key[1] for key, title in titles.items() if title == key[1]} == {"arguments", "groups"}
    assert found["semantics"]["qe"]["title"] == qx.SEMANTICS["qe"].title == "quadratic energy"


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "graph: Field required"),
        ({"graph": {}}, "no 'arguments'"),
        ({"graph": ZEBRA, "fact": "zebro", "foil": "horse"}, "did you mean 'zebra'?"),
        ({"graph": ZEBRA, "method": "shaply"}, "did you mean 'shapley'?"),
        ({"graph": ZEBRA, "semantics": "quad"}, "no semantics 'quad'"),
        ({"graph": ZEBRA, "set": {"zebra": 1.5}}, "set.zebra: "),
        ({"graph": ZEBRA, "remove": ["unicorn"]}, "no argument 'unicorn'"),
        ({"graph": ZEBRA, "surprise": 1}, "surprise: "),
    ],
)
def test_what_makes_no_sense_is_422_with_the_way_out(client: httpx.Client, body: Any, said: str) -> None:
    assert said in ask(client, "explain", body, status=422)["error"]


@pytest.mark.parametrize("arguments", [{}, {"only": 0.5}])
def test_with_less_than_two_arguments_there_is_a_picture_and_a_reason(client: httpx.Client, arguments: Any) -> None:
    found = ask(client, "explain", {"graph": {"arguments": arguments}})
    assert "needs two arguments" in found["refused"]
    assert found["contrast"] is None
    assert found["svg"]["graph"].startswith("<svg")
    assert "needs two arguments" in ask(client, "contrast", {"graph": {"arguments": arguments}}, status=422)["error"]


def test_what_a_graph_is_about_is_the_fact(client: httpx.Client) -> None:
    graph = {"arguments": {"a": 0.9, "b": 0.8, "t": 0.2}, "supports": [["a", "t"]], "attacks": [["b", "t"]]}
    for topics in ([], ["t"]):
        found = ask(client, "explain", {"graph": graph | {"topics": topics}})
        assert (found["fact"], found["foil"]) == ("t", "a")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"graph": NaN}', b'{"a":1,"a":2}', b"[" * 100_000])
def test_what_is_not_json_is_422(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/api/explain", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_large_bodies_large_graphs_and_other_media_are_refused(client: httpx.Client) -> None:
    many = {f"x{i}": 0.5 for i in range(limits.MAX_ARGUMENTS + 1)}
    assert "up to 5,000" in ask(client, "strengths", {"graph": {"arguments": many}}, status=422)["error"]
    long = b" " * (limits.MAX_BODY_BYTES + 1)
    assert client.post("/api/explain", content=long).status_code == 413

    def pieces() -> Any:  # without a length in the header
        for _ in range(limits.MAX_BODY_BYTES // 65536 + 2):
            yield b" " * 65536

    answer = client.post("/api/explain", content=pieces(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert client.post("/api/explain", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415


def test_errors_of_the_server_have_the_same_shape(client: httpx.Client) -> None:
    for answer in (client.get("/api/nothing"), client.get("/api/explain"), client.delete("/api/tables")):
        assert answer.status_code in (404, 405)
        assert set(answer.json()) == {"error", "kind"}


def test_a_foreign_host_or_origin_is_not_answered(explorer: Served) -> None:
    with explorer.client() as client:
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
        assert client.get("/", headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.get("/", headers={"Origin": explorer.address}).status_code == 200


def test_every_answer_carries_the_headers_that_keep_it_safe(client: httpx.Client) -> None:
    for path in ("/", "/api/tables", "/static/main.js", "/nothing"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_where_a_token_is_wanted_nothing_is_answered_without_it() -> None:
    with served(token="let-me-in") as running, running.client() as client:
        for path in ("/", "/api/tables", "/static/main.js", "/palette.css"):
            assert client.get(path).status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get("/api/tables", headers={"Authorization": "Bearer let-me-in"}).status_code == 200
        assert client.get("/?token=let-me-in").status_code == 303
        assert client.get("/api/tables").status_code == 200  # by the cookie
        assert "httponly" in client.get("/?token=let-me-in").headers["set-cookie"].lower()


def test_only_loopback_is_private() -> None:
    assert all(map(_is_local, ("127.0.0.1", "127.8.8.8", "localhost", "::1")))
    assert not any(map(_is_local, ("0.0.0.0", "::", "192.168.1.1", "example.org")))
    assert "evil.example" not in _names("0.0.0.0")


# -- time ----------------------------------------------------------------------------------------------------------


HELD = {"arguments": {"held": 0.5, "other": 0.25}}


@pytest.mark.heavy
def test_a_question_that_does_not_end_is_given_up_and_its_worker_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)  # it stays shut
    with served(places=1, seconds=1.5) as running, running.client() as client:
        found = ask(client, "strengths", {"graph": HELD}, 503)
        assert "this took longer than 1.5 seconds and was given up" in found["error"]
        (process,) = gate.processes
        wait_until(lambda: process.returncode is not None, "the worker of the question that was given up has ended")
        running.app.state.pool.seconds = LONG_DEADLINE  # this one may be slow
        ask(client, "strengths", {"graph": ZEBRA})  # a new worker stands where the old one was ended
        assert running.app.state.pool.failures == 0


@pytest.mark.heavy
def test_questions_that_do_not_end_block_nobody_until_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch, healthcare: Graph
) -> None:
    gate = Gate(monkeypatch)
    with (
        served(places=2, seconds=LONG_DEADLINE) as running,
        running.client() as client,
        ThreadPoolExecutor(8) as threads,
    ):
        pool = running.app.state.pool
        try:
            kinds = [{"graph": HELD, "semantics": name} for name in ("qe", "df-quad")]  # each is new to the server
            slow = [threads.submit(ask, client, "strengths", kind) for kind in kinds]
            wait_until(lambda: len(pool.slow) == pool.slow_places, "all held questions have become slow ones")
            assert gate.held == pool.slow_places
            for _ in range(pool.places + 1):
                ask(client, "explain", {"graph": healthcare, "method": "gradient"})
            slow.append(threads.submit(ask, client, "strengths", {"graph": HELD, "semantics": "reb"}))
            wait_until(lambda: gate.held == pool.slow_places + 1, "one more is at work among the quick ones")
            wait_until(lambda: any(job.kind in pool._slow_kinds for job in pool.quick), "it is known to be slow")
            another = {"json": {"graph": HELD, "semantics": "ebt"}, "headers": {"X-Qontrast-Page": "another"}}
            refused = client.post("/api/strengths", **another)
            assert refused.status_code == 503
            assert "too many long questions at once" in refused.json()["error"]
            assert not any(each.done() for each in slow)
        finally:
            gate.open()
        for each in slow:
            assert each.result()["strengths"] == {"held": 0.5, "other": 0.25}
        assert pool.failures == 0


def test_a_worker_whose_server_is_gone_ends_in_silence() -> None:
    command = [sys.executable, "-P", "-m", "qontrast.web.worker"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1) as worker:
        assert None not in (worker.stdin, worker.stdout, worker.stderr)
        assert worker.stdout.readline() == b"200 5 text/plain\n"
        assert worker.stdout.read(5) == b"ready"
        worker.stdout.close()
        body = json.dumps({"graph": ZEBRA}).encode()
        worker.stdin.write(b"strengths %d\n" % len(body) + body)
        worker.stdin.flush()
        assert worker.wait(LONG_DEADLINE) == 0
        assert worker.stderr.read() == b""


@pytest.mark.heavy
def test_a_worker_that_dies_is_replaced_and_counted() -> None:
    with served(places=2) as running, running.client() as client:
        ask(client, "strengths", {"graph": ZEBRA})
        pool = running.app.state.pool
        wait_until(lambda: len(pool.idle) == pool.places, "all workers have started")
        killed = list(pool.workers)
        for worker in killed:
            worker.process.kill()
        wait_until(lambda: all(each.process.returncode is not None for each in killed), "they are dead")
        statuses = [client.post("/api/strengths", json={"graph": ZEBRA}).status_code for _ in range(len(killed) + 2)]
        assert set(statuses) == {200, 503}
        assert statuses[-1] == 200
        assert pool.failures == statuses.count(503)


@pytest.mark.heavy
def test_a_server_that_stops_ends_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[threading.Thread, Worker]] = []  # also by the server that other tests share
    start = Worker.start

    async def record() -> Worker:
        worker = await start()
        started.append((threading.current_thread(), worker))
        return worker

    gate = Gate(monkeypatch)  # it stays shut, so a worker has a question when the server stops
    monkeypatch.setattr(Worker, "start", record)
    with served(places=2) as running, running.client() as client, ThreadPoolExecutor(1) as threads:
        ask(client, "strengths", {"graph": ZEBRA})
        threads.submit(client.post, "/api/strengths", json={"graph": HELD})
        wait_until(lambda: gate.held, "the held question has reached a worker")
        running.stop()
    workers = [worker for thread, worker in started if thread is running.thread]
    assert workers
    assert all(each.process.returncode is not None for each in workers)


# -- the command --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
def test_explore_says_where_it_is_and_stops_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(ZEBRA))
    command = [sys.executable, "-m", "qontrast", "explore", str(file), "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert address, said
        start = httpx.get(f"{address[0]}api/start", timeout=LONG_DEADLINE).json()
        assert start["name"] == "mine.json"
        assert start["example"] is None
        assert set(start["graph"]["arguments"]) == set(ZEBRA["arguments"])
        place = ("127.0.0.1", int(address[0].rstrip("/").rpartition(":")[2]))
        with socket.create_connection(place) as head, socket.create_connection(place) as body:
            head.sendall(b"POST /api/strengths HTTP/1.1\r\nHost: 127.0")  # neither request comes to its end
            body.sendall(b"POST /api/strengths HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{")
            httpx.get(f"{address[0]}api/start", timeout=LONG_DEADLINE)
            running.send_signal(signal.SIGINT)
            assert running.wait(LONG_DEADLINE) == 0
        assert running.stderr.read() == ""


def test_explore_beyond_this_machine_says_what_that_means_and_makes_a_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: None)
    serve(host="0.0.0.0", open_browser=False)
    said = capsys.readouterr().err
    assert "everybody who can reach this machine" in said
    assert re.search(r"\?token=[\w-]{20,}", said)
    serve(open_browser=False)
    assert "token" not in capsys.readouterr().err


def test_a_port_that_is_taken_is_an_error_with_a_way_out(explorer: Served) -> None:
    with pytest.raises(qx.QontrastError, match="give another port"):
        serve(port=int(explorer.address.rpartition(":")[2]), open_browser=False)


KEYWORDS = {
    "$ref",
    "$defs",
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "prefixItems",
    "properties",
    "required",
    "title",
    "type",
}
TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}


def check_schema(schema: Any, at: str) -> None:
    """A schema has no keyword that no reader knows, and names only types that exist."""
    if isinstance(schema, bool):
        return
    assert set(schema) <= KEYWORDS, (at, set(schema) - KEYWORDS)
    assert schema.get("type", "object") in TYPES, at
    for group in ("properties", "$defs"):
        for name, each in schema.get(group, {}).items():
            check_schema(each, f"{at}/{name}")
    for single in ("items", "additionalProperties"):
        if single in schema:
            check_schema(schema[single], f"{at}/{single}")
    for several in ("anyOf", "prefixItems"):
        for k, each in enumerate(schema.get(several, ())):
            check_schema(each, f"{at}/{several}/{k}")
    assert set(schema.get("required", ())) <= set(schema.get("properties", ())), at


def test_every_question_is_described_by_a_schema_of_known_keywords() -> None:
    for question, answer in ANSWERS.items():
        check_schema(answer.asks.model_json_schema(), question)


def test_the_schema_of_a_graph_says_what_the_reader_takes() -> None:
    graph = schemas.GRAPH_SCHEMA["properties"]
    score = {"type": "number", "minimum": 0, "maximum": 1}
    plain, full = graph["arguments"]["additionalProperties"]["anyOf"]
    assert (plain, full["properties"]) == (score, {"initial_weight": score, "argument": {"type": "string"}})
    pair = {"type": "array", "prefixItems": [{"type": "string"}] * 2, "minItems": 2, "maxItems": 2, "items": False}
    assert [graph[name]["type"] for name in ("attacks", "supports", "edge_weights", "topics")] == ["array"] * 4
    assert graph["attacks"]["items"] == graph["supports"]["items"] == pair
    assert (graph["topics"]["items"], graph["semantics"]) == ({"type": "string"}, {"type": "string"})
    example = schemas.EXAMPLE_GRAPH
    assert set(example) <= set(graph)
    read = qx.read_text(json.dumps(example | {"format": "qbaf/1"}), "json")
    assert read.to_dict()["topics"] == example["topics"]
    for name, wrong in {
        "format": "qbaf/2",
        "arguments": {"zebra": 2.0},
        "attacks": [["stripes", "horse", "zebra"]],
        "supports": [["stripes", 1]],
        "topics": [1],
        "semantics": 1,
    }.items():
        with pytest.raises(qx.QontrastError):
            qx.read_text(json.dumps(example | {name: wrong}), "json")


def test_scripts_are_sent_without_comments_and_not_twice(client):
    from qontrast.web.scripts import STATIC

    for path in STATIC.iterdir():
        if path.suffix == ".html":
            continue
        answer = client.get(f"/static/{path.name}")
        assert answer.status_code == 200, path.name
        assert not re.search(r"^\s*(//|/\*|\n)", answer.text, re.MULTILINE), path.name
        again = client.get(f"/static/{path.name}", headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.text) == (304, "")
    assert client.get("/static/nothing.js").status_code == 404


def test_no_text_in_a_script_would_lose_its_indentation():
    from qontrast.web.scripts import STATIC

    for path in STATIC.glob("*.js"):
        source = path.read_text(encoding="utf-8")
        for quoted in re.findall(r"`(?:\\.|[^`\\])*`", source):
            for line in re.sub(r"\$\{[^`]*?\}", "", quoted, flags=re.DOTALL).split("\n")[1:]:
                assert not line.startswith((" ", "\t")), f"{path.name}: {line!r} is inside a quoted text"


@pytest.mark.parametrize(
    ("host", "token", "address"),
    [
        ("0.0.0.0", None, f"http://{socket.gethostname()}:80/"),
        ("::", "abc", f"http://{socket.gethostname()}:80/?token=abc"),
        ("127.0.0.1", "abc", "http://127.0.0.1:80/?token=abc"),
        ("::1", None, "http://[::1]:80/"),
        ("example.org", None, "http://example.org:80/"),
    ],
)
def test_the_address_of_the_page_names_this_machine_where_the_server_listens_everywhere(
    host: str, token: str | None, address: str
) -> None:
    assert _address(host, 80, token) == address
