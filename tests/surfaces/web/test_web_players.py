"""Who contributes to a contrast of the API: arguments, edges, edges into the topics, or groups."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import qontrast as qx
from qontrast.formats.qbaf_json import to_data
from qontrast.questions.question import PLAYERS
from qontrast.web import limits

GROUPS = {"tests": ["pcr", "wbc"], "symptoms": ["fever", "cough", "wheezing"]}


SMALL = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "a": 0.7, "b": 0.2, "c": 0.9},
    supports={("a", "p"): 0.5, ("c", "b"): 1.0},
    attacks={("a", "q"): 1.0, ("b", "p"): 0.8},
)


STORED = qx.Qbaf(SMALL.base_scores, SMALL.attacks, SMALL.supports, groups={"one": ["a", "c"]})


@pytest.mark.parametrize("players", ["arguments", "edges", "direct", {"one": ["a", "c"]}], ids=str)
@pytest.mark.parametrize("method", list(qx.METHODS))
def test_players_of_a_contrast_give_the_librarys_answer_or_its_refusal(
    client: httpx.Client, players: Any, method: str
) -> None:
    body = {"graph": to_data(SMALL), "fact": "p", "foil": "q", "players": players, "method": method}
    answered = client.post("/api/contrast", json=body)
    kind = players if isinstance(players, str) else "groups"
    if kind not in qx.METHODS[method].players:
        assert (answered.status_code, answered.json()["kind"]) == (422, "InvalidInput")
        assert method in answered.json()["error"]
        assert players == "arguments" or kind in answered.json()["error"]
        return
    own = qx.contrast(SMALL, "p", "q", players=players, method=method)
    expected = json.loads(json.dumps(own.to_dict()))
    found = answered.json()
    assert found.keys() == expected.keys()
    assert found["players"] == own.players.kind
    if isinstance(expected["contributions"], list):
        assert [(e["source"], e["target"]) for e in found["contributions"]] == list(own)
        values = [each["value"] for each in found["contributions"]]
    else:
        assert list(found["contributions"]) == list(own)
        values = list(found["contributions"].values())
    assert values == pytest.approx(list(own.values()), abs=1e-9)


@pytest.mark.parametrize("players", ["edges", "direct", GROUPS], ids=str)
def test_the_page_gets_words_and_pictures_of_any_players(
    client: httpx.Client, healthcare: dict[str, Any], players: Any
) -> None:
    found = client.post("/api/explain", json={"graph": healthcare, "players": players, "method": "removal"}).json()
    assert found["sentence"]
    assert found["refused"] is None
    assert found["svg"]["bars"].startswith("<svg")
    assert found["contrast"]["players"] == (players if isinstance(players, str) else "groups")


def test_members_of_groups_may_be_labels_and_removed_ones_leave_their_group(
    client: httpx.Client, healthcare: dict[str, Any]
) -> None:
    body = {"graph": healthcare, "fact": "antiviral", "foil": "antibiotic", "remove": ["wbc", "asthma"]}
    groups = {"tests": ["Positive PCR test", "wbc"], "lungs": ["asthma"]}
    found = client.post("/api/contrast", json=body | {"players": groups}).json()
    q = qx.examples.load("healthcare").without("wbc", "asthma")
    expected = qx.contrast(q, "antiviral", "antibiotic", players={"tests": ["pcr"]})
    assert found["contributions"] == pytest.approx(dict(expected), abs=1e-9)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("edge", "players"),
        ({"tests": ["pcr", "nobody"]}, "no argument 'nobody'"),
        ({"a": ["pcr"], "b": ["pcr"]}, "'pcr'"),
        ({"a": ["antiviral"]}, "take 'antiviral' out of the group"),
        ({"a": "pcr"}, "players"),
        ({"a": ["pcr"] * (limits.MAX_NAMES + 1)}, "players"),
        ("groups", "the graph has no groups"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_players_that_make_no_sense_are_refused_by_name(
    client: httpx.Client, healthcare: dict[str, Any], players: Any, said: str
) -> None:
    body = {"graph": healthcare, "fact": "antiviral", "foil": "antibiotic", "players": players}
    answered = client.post("/api/contrast", json=body)
    assert answered.status_code == 422
    assert said in answered.json()["error"]


@pytest.mark.parametrize("method", [name for name, entry in qx.METHODS.items() if "groups" in entry.players])
def test_the_groups_that_a_graph_holds_play_where_groups_are_asked_for(client: httpx.Client, method: str) -> None:
    body = {"graph": to_data(STORED), "fact": "p", "foil": "q", "players": "groups", "method": method}
    found = client.post("/api/contrast", json=body).json()
    own = qx.contrast(STORED, "p", "q", players="groups", method=method)
    assert found["players"] == own.players.kind
    assert found["contributions"] == pytest.approx(dict(own), abs=1e-9)
    page = client.post("/api/explain", json=body).json()
    assert page["contrast"] == found
    assert page["measures"] == qx.METHODS[method].for_players(own.players.kind).measures


def test_a_removed_argument_leaves_the_stored_groups(client: httpx.Client) -> None:
    body = {"graph": to_data(STORED), "fact": "p", "foil": "q", "players": "groups", "remove": ["a"]}
    found = client.post("/api/contrast", json=body).json()
    expected = qx.contrast(STORED.without("a"), "p", "q", players={"one": ["c"]})
    assert found["contributions"] == pytest.approx(dict(expected), abs=1e-9)


def test_a_stored_group_that_holds_a_topic_is_refused_by_name(client: httpx.Client) -> None:
    body = {"graph": to_data(STORED), "fact": "p", "foil": "a", "players": "groups"}
    answered = client.post("/api/contrast", json=body)
    assert answered.status_code == 422
    assert "take 'a' out of the group" in answered.json()["error"]


@pytest.mark.parametrize(("question", "more"), [("report", {}), ("figure", {"figure": "bars"})])
def test_reports_and_figures_show_the_players_that_are_asked_for(
    client: httpx.Client, question: str, more: dict[str, str]
) -> None:
    body = {"graph": to_data(STORED), "fact": "p", "foil": "q", "players": "groups", **more}
    answered = client.post(f"/api/{question}", json=body)
    assert answered.status_code == 200
    assert question == "figure" or ">one<" in answered.text


def test_the_tables_list_every_kind_of_players(client: httpx.Client) -> None:
    tables = client.get("/api/tables").json()
    assert tuple(tables["players"]) == PLAYERS
    for name, entry in tables["methods"].items():
        assert list(entry["measures_of"]) == entry["players"] == list(qx.METHODS[name].players)


def test_the_tables_say_for_which_players_a_method_is_defined(client: httpx.Client) -> None:
    methods = client.get("/api/tables").json()["methods"]
    assert {name: tuple(each["players"]) for name, each in methods.items()} == {
        name: entry.players for name, entry in qx.METHODS.items()
    }


def test_owen_values_over_the_servers_limit_are_refused_with_a_way_out(client: httpx.Client) -> None:
    names = [f"x{k}" for k in range(40)]
    graph = qx.Qbaf(dict.fromkeys(["p", "q", *names], 0.5), supports=[(name, "p") for name in names])
    body = {"graph": to_data(graph), "fact": "p", "foil": "q", "players": "edges", "method": "owen"}
    answered = client.post("/api/contrast", json=body)
    assert (answered.status_code, answered.json()["kind"]) == (422, "TooLarge")
    assert "choose the method" in answered.json()["error"]
