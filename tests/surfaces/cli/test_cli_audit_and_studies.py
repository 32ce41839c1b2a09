"""Every option of audit, reproduce, examples and explore: it changes what it should."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from qontrast import Qbaf, write
from qontrast.cli.main import COMMANDS, load_command
from qontrast.networks import from_arrays, save
from qontrast.studies import Page

SEED = 3
AUDIT = "audit model.npz data.csv --protected race --fact Low --foil Medium --json"
NAMES = {"inputs": ["age", "race", "priors"], "classes": ["Low", "Medium", "High"]}


def long_options(command: str) -> set[str]:
    """The options of a command by their long names."""
    return {each.opts[0] for each in load_command(command).params if each.opts[0].startswith("--")} - {"--help"}


# -- audit ---------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """An option that is added to the command line of an audit, and the parts of its JSON that change."""

    given: str
    changes: tuple[str, ...]
    model: str = "model.npz"
    code: int = 0  # without the option


AUDITED = {
    "--protected": Case("--protected age", ("protected", "flips")),
    "--fact": Case("--fact High", ("fact", "candidates", "methods")),
    "--foil": Case("--foil High", ("foil", "flips")),
    "--class": Case("--class Low --class Medium --class High", (), "unnamed-classes.npz", 2),
    "--input": Case("--input priors --input race --input age", (), "unnamed-inputs.npz", 2),
    "--value": Case("--value 0.25 --value 0.75", ("flips", "instances")),
    "--readout": Case("--readout softmax", ("readout", "methods")),
    "--as-function": Case("--as-function", ("explains",)),
    "--label": Case("--label truth", ("asked", "candidates")),
    "--method": Case("--method gradient", ("methods",)),
    "--trusted": Case("--trusted", (), "model.pkl", 2),
    "--out": Case("--out page.html", ()),
}


@pytest.fixture
def network(qontrast) -> None:
    """The files of an audit, in the folder where commands are run."""
    write_network()


def write_network() -> None:
    """Write a network that race sways, with and without names, and its data."""
    rng = np.random.default_rng(SEED)
    weights, biases = [rng.normal(0, 3, (3, 4)), rng.normal(0, 3, (4, 3))], [rng.normal(size=4), np.zeros(3)]
    made = from_arrays(weights, biases, **NAMES)
    save(made, "model.npz")
    save(from_arrays(weights, biases, inputs=NAMES["inputs"]), "unnamed-classes.npz")
    save(from_arrays(weights, biases, classes=NAMES["classes"]), "unnamed-inputs.npz")
    Path("model.pkl").write_bytes(pickle.dumps(made))
    rows = rng.random((80, 3)).round(3)
    truth = rng.choice(NAMES["classes"], len(rows))
    lines = [f"{int(a > 0.5)},{int(b > 0.5)},{c},{t}" for (a, b, c), t in zip(rows, truth, strict=True)]
    Path("data.csv").write_text("\n".join(["age,race,priors,truth", *lines, ""]), encoding="utf-8")


def test_every_option_of_an_audit_has_a_case():
    working = {"--workers", "--scheduler", "--device"}  # which change no figure: see laws/test_executors, test_devices
    shown = {"--json", "--language"}  # how it is printed: see test_cli_sentences
    assert set(AUDITED) | shown | working == long_options("audit")


@pytest.mark.parametrize("option", AUDITED)
def test_every_option_of_an_audit_changes_what_it_should(qontrast, network, option):
    case = AUDITED[option]
    line = AUDIT.replace("model.npz", case.model)
    without, given = qontrast(line), qontrast(f"{line} {case.given}")
    assert (without.code, given.code) == (case.code, 0), without.err + given.err
    if case.code == 0:
        assert without.data["flips"] > 0
        for part in case.changes:
            assert given.data[part] != without.data[part], part
    assert Path("page.html").exists() == (option == "--out")


def test_classes_and_a_pickle_that_are_told_give_the_same_audit_as_a_file_with_names(qontrast, network):
    named = qontrast(AUDIT).data
    for option in ("--class", "--trusted"):
        case = AUDITED[option]
        assert qontrast(f"{AUDIT.replace('model.npz', case.model)} {case.given}").data == named


def test_an_audit_in_words_is_not_its_json(qontrast, network):
    assert qontrast(AUDIT.removesuffix(" --json")).out.startswith("Why Low rather than Medium")
    assert qontrast(AUDIT).data["schema"] == "qontrast/audit/1"


# -- reproduce and examples ----------------------------------------------------------------------------------


def test_every_option_of_reproduce_and_examples_is_tried_below():
    assert long_options("reproduce") == {"--out", "--data", "--seeds", "--json"}
    assert long_options("examples") == {"--json"}


def test_reproduce_writes_into_the_folder_asked_for(qontrast):
    assert qontrast("reproduce counterexamples").code == 0
    assert Path("reproduced/counterexamples.md").exists()
    ran = qontrast("reproduce counterexamples --out pages --json")
    assert [Path(each) for each in ran.data["files"]] == [
        Path("pages") / f"counterexamples.{ending}" for ending in ("md", "json")
    ]
    assert all(Path(each).exists() for each in ran.data["files"])


@pytest.mark.parametrize(
    ("given", "data", "seeds"),
    [("", None, 40), ("--data synthetic", "synthetic", 40), ("--data own.csv --seeds 2", "own.csv", 2)],
)
def test_reproduce_hands_data_and_seeds_to_the_study_of_compas(qontrast, monkeypatch, given, data, seeds):
    calls: list[dict[str, Any]] = []

    def spy(*, progress: object, write: bool, **settings: Any) -> Page:
        calls.append(settings)
        return Page(title="COMPAS", introduction="")

    monkeypatch.setattr("qontrast.studies.compas.run", spy)
    assert qontrast(f"reproduce compas {given}").code == 0
    assert calls == [{"data": data, "seeds": seeds, "out": Path("reproduced")}]


def test_data_without_the_study_of_compas_is_refused(qontrast):
    ran = qontrast("reproduce zebra --data synthetic")
    assert (ran.code, "--data goes with the study compas" in ran.err) == (2, True)


def test_examples_as_json_are_the_names_of_the_list(qontrast):
    text, names = qontrast("examples").out, qontrast("examples --json").data["examples"]
    assert [line.split()[0] for line in text.splitlines() if line.startswith("examples:")] == [
        f"examples:{name}" for name in names
    ]


# -- explore -------------------------------------------------------------------------------------------------


class Started(NamedTuple):
    """What the server was started with."""

    graph: dict[str, Any]
    name: str
    host: str
    port: int
    said: str
    opened: list[str]


@pytest.fixture
def explore(qontrast, monkeypatch):
    """Run explore up to the point where it would serve, with a timer that runs at once and no browser."""
    pytest.importorskip("starlette", reason="the explorer needs qontrast[web]")
    from qontrast.web import launch

    started: dict[str, Any] = {}
    opened: list[str] = []

    class Now:
        def __init__(self, _: float, call: Any, given: tuple[Any, ...]) -> None:
            self.call, self.given = call, given

        def start(self) -> None:
            self.call(*self.given)

    def app(graph: Qbaf, name: str, **_: Any) -> SimpleNamespace:
        started.update(graph=graph.to_dict(), name=name)
        return SimpleNamespace(state=SimpleNamespace(pool=None))

    def serve(_: Any, sockets: list[Any]) -> None:
        started.update(zip(("host", "port"), sockets[0].getsockname(), strict=False))

    monkeypatch.setattr(launch, "app", app)
    monkeypatch.setattr(launch.threading, "Timer", Now)
    monkeypatch.setattr(launch.webbrowser, "open", opened.append)
    monkeypatch.setattr(launch, "configure", lambda *_, **__: None)
    monkeypatch.setattr(launch, "Server", type("Server", (), {"__init__": lambda *_: None, "run": serve}))

    def run(line: str) -> Started:
        opened.clear()
        ran = qontrast(f"explore {line}")
        assert ran.code == 0, ran.err
        return Started(**started, said=ran.err, opened=list(opened))

    return run


EXPLORED = {"--set", "--remove", "--read-as", "--topic", "--host", "--port", "--token", "--browser"}


def test_every_option_of_explore_is_tried_below():
    assert long_options("explore") == EXPLORED
    assert {"audit", "reproduce", "examples", "explore"} <= set(COMMANDS)


def test_explore_serves_the_graph_as_the_options_change_it(explore):
    graph = Qbaf({"a": 0.5, "b": 0.4, "c": 0.3}, attacks={("c", "a"): 0.5}, topics=["a", "b"])
    write(graph, "graph.json")
    Path("wrong.tgf").write_bytes(Path("graph.json").read_bytes())
    plain = explore("graph.json")
    assert (plain.graph, plain.name) == (graph.to_dict(), "graph.json")
    assert explore("graph.json --set c=0.9").graph == graph.with_base_scores({"c": 0.9}).to_dict()
    assert explore("graph.json --remove c").graph == graph.without("c").to_dict()
    assert explore("graph.json --topic b --topic c").graph == graph.with_topics(["b", "c"]).to_dict()
    assert explore("wrong.tgf --read-as json").graph == graph.to_dict()
    assert explore("").name == "healthcare"


def test_a_file_that_is_not_in_the_format_of_its_name_is_not_explored(qontrast):
    Path("wrong.tgf").write_text(json.dumps({"arguments": {"a": 0.5}}), encoding="utf-8")
    assert qontrast("explore wrong.tgf --no-browser").code == 3


def test_explore_listens_where_it_is_told_and_opens_the_address_that_it_says(explore):
    from qontrast.web.launch import open_socket

    with open_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    plain = explore("examples:zebra")
    assert plain.host == "127.0.0.1"
    assert plain.opened == [f"http://127.0.0.1:{plain.port}/"]
    assert plain.opened[0] in plain.said
    assert explore("examples:zebra --no-browser").opened == []
    assert explore(f"examples:zebra --port {port}").port == port
    beyond = explore("examples:zebra --host 0.0.0.0 --token secret")
    assert beyond.host == "0.0.0.0"
    assert beyond.opened[0].endswith(f":{beyond.port}/?token=secret")
    assert "everybody who can reach this machine" in beyond.said
    assert "everybody" not in plain.said
