"""What the page computes by itself, in a real Chromium, against Python's numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast import Qbaf
from qontrast.formats import read_text
from qontrast.show.narrative import find_order
from qontrast.show.phrasing import choose
from tests.support.browser import Open, bar, pick, until, upload
from tests.support.hard_graphs import KINDS, make_hard_graph
from tests.support.strategies import random_qbaf

pytestmark = pytest.mark.heavy

SERVER_ONLY: tuple[str, ...] = ()  # built-in semantics that static/engine.js leaves to the server
SEEDS = range(30, 38)  # of random graphs of each kind, for each semantics

COMPUTE = """async (cases) => {
    const engine = await import("/static/engine.js");
    return cases.map(({ graph, semantics, solver, fact, foil, groups, kinds }) => {
        const g = engine.compile(graph, { semantics, solver });
        if (g === null) return null;
        const [one, other] = [g.index.get(fact), g.index.get(foil)];
        const ask = (method, players) => engine.contrast(g, g.base, one, other, { method, players });
        const named = (list) => Object.fromEntries(g.names.map((name, x) => [name, list[x]]));
        const { strengths, moving, unknown } = engine.solve(g);
        if (!strengths) return { moving: moving?.map((x) => g.names[x]), unknown };
        const why = (method) => {
            const { contributions, gap, cross } = ask(method);
            return { contributions: named(contributions), gap, cross };
        };
        const places = ({ members, entry }) => members ?? [g.parents[entry], g.targets[entry]];
        const key = (player) => JSON.stringify(places(player).map((x) => g.names[x]));
        const ofPlayers = (kind, method) => {
            const sets = Object.values(groups).map((members) => members.map((name) => g.index.get(name)));
            const into = kind === "direct" ? [one, other] : null;
            const players = kind === "groups" ? engine.groupPlayers(g, sets) : engine.edgePlayers(g, into);
            const { contributions, gap, cross } = ask(method, players);
            const values = Object.fromEntries(players.map((each, p) => [key(each), contributions[p]]));
            return [`${kind} ${method}`, { contributions: values, gap, cross }];
        };
        const more = kinds.flatMap((kind) => ["removal", "gradient"].map((method) => ofPlayers(kind, method)));
        const found = { strengths: named(strengths), removal: why("removal"), gradient: why("gradient") };
        return { ...found, ...Object.fromEntries(more) };
    });
}"""


def make_graphs(semantics: str) -> list[Qbaf]:
    """Graphs with and without cycles, with weights other than 1, and those that all engines are tried with."""
    limit = min(qx.SEMANTICS[semantics].aggregation.max_weight, 2.5)
    seeds = [(seed, cyclic) for seed in SEEDS for cyclic in (False, True)]
    made = [random_qbaf(seed, cyclic=cyclic, max_weight=limit) for seed, cyclic in seeds]
    made += [random_qbaf(seed, cyclic=cyclic, max_weight=limit, max_size=40) for seed, cyclic in seeds[:2]]
    kinked = Qbaf(
        {"x": 0.5, "y": 0.5, "u": 0.3, "v": 0.6, "z": 0.0},
        attacks={("x", "u"): 0.75, ("x", "v"): 1.0, ("z", "v"): 1.0},
        supports={("y", "u"): 0.75, ("u", "v"): 0.5},
    )
    pair = [("a", "b"), ("b", "a")]
    made += [
        kinked,
        Qbaf({"a": 1.0, "b": 1.0, "c": 0.4}, attacks=[*pair, ("a", "c")]),
        Qbaf({"a": 0.0, "b": 1.0}, dict.fromkeys(pair, 0.9)),
    ]
    made += [make_hard_graph(kind, seed, semantics) for kind in KINDS for seed in (0, 1)]
    if limit > 1:
        made.append(Qbaf({"a": 0.5, "b": 0.5, "c": 0.3}, attacks={**dict.fromkeys(pair, 12.0), ("b", "c"): 1.5}))
        loyal = {("a", "a"): 12.0, ("b", "b"): 12.0}  # so that the synchronous update rests on a balance, too
        made.append(Qbaf({"a": 0.5, "b": 0.5}, attacks=dict.fromkeys(pair, 12.0), supports=loyal))
    return [read_text(json.dumps(each.to_dict()), "json") for each in made if len(each) > 1]  # names as strings


def make_cases(semantics: str) -> list[tuple[Qbaf, dict[str, str]]]:
    """All graphs, and some of those with cycles by the continuous solver, for which one method has to do."""
    graphs = make_graphs(semantics)
    cyclic = [each for each in graphs if not each.structure.acyclic][-3:]
    return [(each, {"semantics": semantics}) for each in graphs] + [
        (each, {"semantics": semantics, "solver": "continuous"}) for each in cyclic
    ]


def compute(graph: Qbaf, solving: dict[str, str]) -> dict[str, Any]:
    """The same in Python: strengths or who moves; contributions, or None where there are none."""
    fact, foil = graph.arguments[:2]
    try:
        found: dict[str, Any] = {"strengths": dict(qx.strengths(graph, **solving))}
    except qx.UndefinedStrength as error:
        return {"moving": list(error.arguments)}
    for method in ("gradient",) if "solver" in solving else ("removal", "gradient"):
        for kind in ("arguments", *list_kinds(graph, solving)):
            groups = group(graph)
            players = groups if kind == "groups" else kind
            key = method if kind == "arguments" else f"{kind} {method}"
            try:
                why = qx.contrast(graph, fact, foil, method=method, players=players, **solving)
            except qx.UndefinedStrength:
                found[key] = None
            else:
                listed = [groups.get(each, [each]) if kind == "groups" else each for each in why.players]
                names = (
                    why.players if kind == "arguments" else [json.dumps(each, separators=(",", ":")) for each in listed]
                )
                values = dict(zip(names, why.array.tolist(), strict=True))
                found[key] = {"contributions": values, "gap": why.gap, "cross": float(why.cross_topic)}
    return found


def group(graph: Qbaf) -> dict[str, list[str]]:
    """Every second argument that is no topic, and the two last of the others."""
    others = list(graph.arguments[2:])
    found = {"first": others[::2], "second": others[1::2][-2:]}
    return {name: members for name, members in found.items() if members}


def list_kinds(graph: Qbaf, solving: dict[str, str]) -> list[str]:
    """The other kinds of players to try: removals in a large graph with cycles would take long."""
    if "solver" in solving or len(graph) > 12:
        return []
    return ["edges", "direct", *(["groups"] if group(graph) else [])]


def compare(found: dict[str, Any], expected: dict[str, Any], what: str) -> None:
    """Numbers are equal to 1e-12; contributions that Python refuses, since they are undefined, are not numbers."""
    if "moving" in expected:
        assert sorted(found["moving"]) == sorted(expected["moving"]), what
        return
    pairs = [(found["strengths"], expected["strengths"])]
    for method in sorted(expected.keys() - {"strengths"}):
        own, other = found[method], expected[method]
        if other is None:
            topics = 0 if method.startswith(("edges", "direct")) else 2  # which have no contribution either
            assert np.isnan([*own["contributions"].values(), own["cross"]]).sum() > topics, what
            continue
        pairs += [(own.pop("contributions"), other.pop("contributions")), (own, other)]
    for mine, theirs in pairs:
        here, there = (np.array([float(each[name]) for name in theirs]) for each in (mine, theirs))
        large = np.maximum(1.0, np.abs(there))
        np.testing.assert_allclose(here / large, there / large, rtol=0, atol=1e-12, err_msg=what)


def test_the_page_computes_pythons_numbers_for_every_semantics(page: Open) -> None:
    here, kinds = page(), set()
    for semantics in qx.SEMANTICS:
        cases = make_cases(semantics)
        asked = [
            {"graph": graph.to_dict(), "fact": graph.arguments[0], "foil": graph.arguments[1], **solving}
            | {"groups": group(graph), "kinds": list_kinds(graph, solving)}
            for graph, solving in cases
        ]
        found = here.evaluate(COMPUTE, asked)
        if semantics in SERVER_ONLY:
            assert found == [None] * len(cases)
            continue
        assert None not in found, f"write the formula of {semantics!r} in static/engine.js, or name it in SERVER_ONLY"
        for k, (own, (graph, solving)) in enumerate(zip(found, cases, strict=True)):
            expected = compute(graph, solving)
            compare(own, expected, f"{semantics}, graph {k}: {graph!r}")
            kinds.add((graph.structure.acyclic, "moving" in expected))
    assert kinds == {(True, False), (False, False), (False, True)}


# -- following the hand: the server's answers are held back, so that what is shown comes from the page


def make_large(size: int = 1000) -> Qbaf:
    """A seeded graph without cycles, whose first two arguments are the topics."""
    rng = np.random.default_rng(7)
    sources = rng.integers(2, size, 3 * size).tolist()
    edges = list(dict.fromkeys((f"a{source}", f"a{rng.integers(0, source)}") for source in sources))
    weights, attacks = rng.choice([0.25, 0.5, 1.0], len(edges)).tolist(), rng.random(len(edges)) < 0.5
    kinds: list[dict[tuple[str, str], float]] = [{}, {}]
    for edge, weight, attack in zip(edges, weights, attacks.tolist(), strict=True):
        kinds[attack][edge] = weight
    base = {f"a{k}": score for k, score in enumerate(rng.random(size).round(2).tolist())}
    return Qbaf(base, attacks=kinds[True], supports=kinds[False], topics=["a0", "a1"])


def slide(page: Any, name: str, *values: float) -> list[dict[str, Any]]:
    """Move a slider, and read what the page shows directly after each move, in the same task."""
    script = """([name, values]) => values.map((value) => {
        const row = document.querySelector(`.row[data-name="${name}"]`), slider = row.querySelector("[type=range]");
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
        const bars = [...document.querySelectorAll("#bars .qx-bar[data-value]:not(.qx-cross)")];
        const read = ({ dataset: { name, source, target, value } }) => [name ?? `${source} ${target}`, Number(value)];
        const said = (id) => document.getElementById(id).textContent;
        return {
            quick: document.body.dataset.quick, answer: said("answer"), status: said("status-text"),
            relation: said("relation"), strength: row.querySelector(".strength").textContent,
            bars: Object.fromEntries(bars.map(read)),
            isQuick: document.querySelector("#bars svg").classList.contains("quick"),
        };
    })"""
    found: list[dict[str, Any]] = page.evaluate(script, [name, values])
    return found


def test_every_move_of_a_slider_is_answered_in_the_page_and_the_exact_values_follow(page: Open) -> None:
    here, asked = page(), []
    graph, values = qx.examples.load("healthcare"), [0.2, 0.3, 0.6]
    here.on("request", lambda sent: asked.append(sent.post_data_json) if sent.url.endswith("/api/explain") else None)
    for shown, value in zip(slide(here, "pcr", *values), values, strict=True):
        expected = qx.contrast(graph.with_base_scores({"pcr": value}), "antiviral", "antibiotic", method="removal")
        assert shown["answer"] == write_order(expected)
        assert shown["relation"] == ("above" if expected.gap > 0 else "below")
        assert shown["strength"] == f"→ {value:.3f}"
        status = "Quick: removing each argument in turn, then Shapley values."
        assert (shown["quick"], shown["status"]) == ("removal", status)
        assert shown["bars"]["viral"] == pytest.approx(expected["viral"], abs=1e-12)
    exact = qx.contrast(graph.with_base_scores({"pcr": 0.6}), "antiviral", "antibiotic")
    until(here, str(exact))
    assert bar(here, "viral") == pytest.approx(exact["viral"], abs=1e-9)
    assert [each["set"] for each in asked] == [{"pcr": 0.6}]  # one question, when the hand rests


@pytest.mark.parametrize("kind", ["edges", "direct", "groups"])
def test_bars_of_edges_and_groups_follow_the_hand(page: Open, kind: str) -> None:
    here, groups = page(), {"tests": ["pcr", "wbc"]}
    graph = qx.examples.load("healthcare").with_groups(groups)
    upload(here, "grouped.json", json.dumps(graph.to_dict()))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'grouped.json'")
    pick(here, "players", kind)
    first = '#bars [data-name="tests"]' if kind == "groups" else "#bars [data-source]"
    here.wait_for_selector(f"body:not([data-quick], [data-busy], [data-behind]) {first}")
    here.route("**/api/explain", lambda _: None)  # the exact values never come
    (shown,) = slide(here, "pcr", 0.9)
    changed = graph.with_base_scores({"pcr": 0.9})
    why = qx.contrast(
        changed, "antiviral", "antibiotic", method="removal", players=groups if kind == "groups" else kind
    )
    expected = {name if kind == "groups" else " ".join(name): value for name, value in why.items()}
    assert (shown["quick"], shown["isQuick"]) == ("removal", True)
    removed, exact = "group" if kind == "groups" else "edge", "Owen" if kind == "edges" else "Shapley"
    assert shown["status"] == f"Quick: removing each {removed} in turn, then {exact} values."
    assert len(shown["bars"]) > 3
    for name, value in shown["bars"].items():
        assert value == pytest.approx(expected[name], abs=1e-12)


def hold_contributions(route: Any) -> None:
    """Answer what is asked without contributions; these never come."""
    if route.request.post_data_json.get("contributions") is False:
        route.continue_()


def test_a_small_graph_shows_strengths_first_where_its_contributions_take_long(page: Open) -> None:
    here, graph = page(), qx.examples.load("zebra")
    here.route("**/api/explain", hold_contributions)
    upload(here, "zebra.json", json.dumps(graph.to_dict()))
    here.wait_for_selector("body[data-quick=removal]:not([data-stale]) #bars .quick [data-name=stripes]")
    shown = bar(here, "stripes")
    assert shown == pytest.approx(qx.contrast(graph, "zebra", "horse", method="removal")["stripes"], abs=1e-12)


def test_a_large_graph_shows_strengths_first_can_be_stopped_and_follows_the_hand(page: Open) -> None:
    here, graph = page(), make_large()
    fact, foil = sorted(graph.topics, key=lambda name: -qx.strengths(graph)[name])
    mover = next(name for name, _ in qx.contrast(graph, fact, foil, method="gradient").ranked() if len(name) < 4)
    here.route("**/api/explain", hold_contributions)
    upload(here, "large.json", json.dumps(graph.to_dict()))
    here.wait_for_selector("body[data-quick=removal] #graph svg")
    here.click("#stop")
    stopped = "Stopped: quick values only."
    here.wait_for_function("text => document.querySelector('#status-text')?.textContent === text", arg=stopped)
    (shown,) = slide(here, mover, 0.9)
    expected = qx.contrast(graph.with_base_scores({mover: 0.9}), fact, foil, method="removal")
    assert shown["answer"] == write_order(expected)
    assert len(shown["bars"]) == 12
    for name, value in shown["bars"].items():
        assert value == pytest.approx(expected[name], abs=1e-12)


def test_where_contributions_are_refused_quick_ones_are_shown_and_called_so(page: Open) -> None:
    here, graph = page(), make_large()
    fact, foil = sorted(graph.topics, key=lambda name: -qx.strengths(graph)[name])
    upload(here, "large.json", json.dumps(graph.to_dict()))
    here.wait_for_function(
        """() => document.querySelector("#problem")?.textContent.startsWith("exact Shapley")
            && document.querySelector("#status-text")?.textContent.startsWith("Quick values instead: removing")
            && document.querySelectorAll("#bars [data-name]").length === 12"""
    )
    shown = here.evaluate(
        "() => [...document.querySelectorAll('#bars [data-name]')].map(({ dataset: { name, value } }) => [name, value])"
    )
    expected = qx.contrast(graph, fact, foil, method="removal")
    for name, value in shown:
        assert float(value) == pytest.approx(expected[name], abs=1e-12)


def test_the_track_of_a_slider_shows_where_the_order_turns_and_the_sentence_turns_there(page: Open) -> None:
    here, graph = page(), qx.examples.load("healthcare")

    def find_gap(score: float) -> float:
        found = qx.strengths(graph.with_base_scores({"pcr": score}))
        return found["antiviral"] - found["antibiotic"]

    here.wait_for_selector('.row[data-name="pcr"] [data-turns*="0."]')
    turns = here.get_attribute('.row[data-name="pcr"] [type=range]', "data-turns").split()
    assert len(turns) == 1
    at = float(turns[0])
    assert find_gap(at - 1e-4) < 0 < find_gap(at + 1e-4)
    below, above = round(at - 0.02, 2), round(at + 0.02, 2)
    assert [each["relation"] for each in slide(here, "pcr", below, above)] == ["below", "above"]
    until(here, f"by {find_gap(above):.3f}")


def write_order(why: qx.Contrast) -> str:
    """The beginning of the sentence, which has no reasons yet."""
    order = find_order(why, "rated.")
    return choose("en").write(order) + "."
