"""Read all that the page shows, and compare it with what Python computes for the same state."""

from __future__ import annotations

import json
import math
from typing import Any

import qontrast as qx
from qontrast.formats import read_text
from qontrast.show.narrative import find_order
from qontrast.show.numbers import fixed, number
from qontrast.show.phrasing import choose
from tests.support.page_states import State, read_link

MIN_WIDTH = 0.75  # pixels of a bar that is not 0, in a picture of the server
READ = """() => {
    const $ = (id) => document.getElementById(id), text = (each) => each?.textContent ?? null;
    const all = (places) => [...document.querySelectorAll(places)], one = (place) => document.querySelector(place);
    const collect = (list, read) => Object.fromEntries(list.map((each) => [each, read(each)]));
    const size = (rect, key) => Number(rect.getAttribute(key));
    const box = (rect) => rect && [rect.getAttribute("class"), size(rect, "x"), size(rect, "width")];
    const bar = (place) => ({
        key: place.dataset.name ?? `${place.dataset.source} ${place.dataset.target}`,
        value: Number(place.dataset.value),
        label: place.getAttribute("aria-label"), title: text(place.querySelector("title")),
        text: text([...place.querySelectorAll("text:not(.mark)")].at(-1)),
        rects: [...place.querySelectorAll("rect:not(.area, .ghost)")].map(box),
        ghost: box(place.querySelector(".ghost")),
    });
    const row = (place) => [place.dataset.name, {
        kept: place.querySelector("[type=checkbox]").checked, slider: Number(place.querySelector("[type=range]").value),
        number: Number(place.querySelector("[type=number]").value), strength: text(place.querySelector(".strength")),
        back: !place.querySelector(".back").hidden, gone: place.classList.contains("gone"),
        off: place.querySelector("[type=range]").disabled,
    }];
    const node = (each) => [each.dataset.name, [Number(each.dataset.base), Number(each.dataset.strength),
        text([...each.querySelectorAll("text")].find((line) => line.textContent.includes(" → "))),
        each.getAttribute("aria-label")]];
    const axis = one("#bars .qx-axis"), choices = ["methods", "players", "semantics", "solver"];
    return {
        waits: ["quick", "stale", "behind", "busy"].filter((key) => key in document.body.dataset),
        quick: document.body.dataset.quick ?? null, title: text($("title")), status: text($("status-text")),
        answer: text($("answer")), relation: text($("relation")), fact: $("fact").value, foil: $("foil").value,
        bold: all("#answer strong").map((each) => [each.className, each.textContent]),
        rows: Object.fromEntries(all(".row").map(row)),
        nodes: Object.fromEntries(all("#graph .qx-node[data-name]").map(node)),
        roles: ["fact", "foil"].map((role) => one(`#graph .qx-${role}-node`)?.dataset.name ?? null),
        bars: all("#bars .qx-bar:is([data-name], [data-source])").map(bar),
        sides: all("#bars svg > text").slice(0, 2).map(text),
        axis: axis && { zero: parseFloat(axis.getAttribute("d").slice(1)), ...axis.dataset },
        pairs: all("#pairs .cell").map((each) => [each.getAttribute("aria-label"), text(each)]),
        pressed: all("#pairs .cell[aria-pressed=true]").map((each) => each.getAttribute("aria-label")),
        pinned: $("pinned").hidden ? null : text($("pinned")),
        compare: all("#compare > table tbody tr").map((each) => [...each.children].map(text)),
        choices: collect(choices, (id) => one(`#${id} input:checked`)?.value),
        named: collect(choices, (id) => one(`#${id} summary`)?.dataset.value),
        buttons: collect(["undo", "redo", "reset"], (id) => !$(id).disabled),
        hash: location.hash,
    };
}"""


def write(value: float | None, sign: str = "+") -> str:
    return "⊥" if value is None or math.isnan(value) else number(value, sign)


def key_of(player: Any) -> str:
    return " ".join(player) if isinstance(player, tuple) else player


def check_bars(shown: dict[str, Any], why: qx.Contrast, quick: bool) -> None:
    """Every bar has the value, the sign, the row and the length of its player; thin bars are fact and foil alone."""
    values = {key_of(name): value for name, value in why.items()}
    alone = [{key_of(name): value for name, value in why.individual[topic].items()} for topic in (why.fact, why.foil)]
    text = {key_of(name): " → ".join(map(why.qbaf.label, name)) if isinstance(name, tuple) else name for name in why}
    axis = shown["axis"]
    zero, unit, tolerance = axis["zero"], float(axis["unit"]), 1e-12 if quick else 1e-9
    sides = [why.qbaf.label(why.foil), why.qbaf.label(why.fact)]
    assert [text.strip("◂▸ …")[:8] for text in shown["sides"]] == [text[:8] for text in sides]  # long ones are cut
    assert len(shown["bars"]) == min(len(values), len(shown["bars"])) > 0
    for bar in shown["bars"]:
        key, value = bar["key"], values[bar["key"]]
        what = f"the bar of {key}"
        assert abs(bar["value"] - value) <= tolerance, what
        label = why.qbaf.label(key) if key in why.qbaf.arguments else text[key]
        if abs(value) > 1e-9:  # else its digits are rounding
            assert bar["text"] == number(value, "+"), what
            assert bar["label"].startswith(f"{label}: {number(value, '+')}"), what
        assert bar["title"] == bar["label"], what
        assert not quick or "(quick, by removal)" in bar["label"] or "(quick, by gradient)" in bar["label"], what
        lengths = [value, *(own[key] for own in alone)][: len(bar["rects"])]
        for (colour, x, width), length in zip(bar["rects"], lengths, strict=True):
            least = 0.0 if quick or not length else MIN_WIDTH
            assert abs(width - max(least, abs(length) * unit)) < 0.02, what
            assert abs(x - min(zero, zero + length * unit)) < 0.02, what
            assert colour.startswith("qx-")
        colours = [rect[0] for rect in bar["rects"]] if abs(value) > 1e-9 else []
        assert colours == [f"qx-{'fact' if value > 0 else 'foil'}", "qx-fact-soft", "qx-foil-soft"][: len(colours)], (
            what
        )


def check_answer(shown: dict[str, Any], state: State) -> None:
    """The strengths of rows and picture, the order, the matrix and what is chosen."""
    fact, foil = state.pair
    graph, strengths = state.changed, qx.strengths(state.changed, **state.solving)
    gap = strengths[fact] - strengths[foil]
    assert (shown["fact"], shown["foil"]) == (fact, foil)
    bold = {role: name.strip("“”") for role, name in shown["bold"]}
    assert bold == {"fact": state.graph.label(fact), "foil": state.graph.label(foil)}
    assert shown["relation"] == ("level with" if abs(gap) <= 1e-10 else "above" if gap > 0 else "below")
    for name in state.graph.arguments:
        row, there = shown["rows"][name], name not in state.removed
        score = state.set.get(name, state.graph.base_scores[name])
        assert row["strength"] == (f"→ {number(strengths[name])}" if there else "gone"), name
        assert (row["kept"], row["gone"], row["off"]) == (there, not there, not there), name
        assert row["back"] == (name in state.set), name
        assert abs(row["slider"] - score) <= 0.005, name
        assert abs(row["number"] - score) <= 5e-5, name
    nodes = {name: (graph.base_scores[name], strengths[name]) for name in graph.arguments}
    assert shown["nodes"].keys() == nodes.keys()
    for name, numbers in nodes.items():
        *exact, short, said = shown["nodes"][name]
        assert all(abs(a - b) <= 1e-6 for a, b in zip(exact, numbers, strict=True)), name
        assert short == " → ".join(fixed(each, 2) for each in numbers), name
        base, strength = map(number, numbers)
        assert f"base score {base}, strength {strength}" in said, name
    assert shown["roles"] == [fact, foil]
    topics = list(graph.topics)
    topics += [name for name in (fact, foil) if name not in topics]
    cells = {(a, b): strengths[a] - strengths[b] for a in topics for b in topics if a != b}
    said = {pair: "tied" if abs(gap) <= 1e-10 else number(gap, "+") for pair, gap in cells.items()}
    short = {pair: "tied" if abs(gap) <= 1e-10 else number(gap, "+", 2) for pair, gap in cells.items()}
    called = {pair: f"{graph.label(pair[0])} against {graph.label(pair[1])}: {text}" for pair, text in said.items()}
    assert sorted(shown["pairs"]) == sorted([called[pair], short[pair]] for pair in cells)
    assert shown["pressed"] == [called[fact, foil]]


def check_choices(shown: dict[str, Any], state: State) -> None:
    chosen = {"methods": state.method, "players": state.players, "semantics": state.semantics, "solver": state.solver}
    assert shown["choices"] == shown["named"] == chosen
    assert shown["title"] == state.name
    assert shown["buttons"]["reset"] == bool(state.set or state.removed or state.scores)


def check_pinned(shown: dict[str, Any], state: State, pinned: State | None) -> None:
    """The pinned gap and every row of before and after; a pinned answer is turned where fact and foil are exchanged."""
    if pinned is None:
        assert shown["pinned"] is None
        assert all(bar["ghost"] is None for bar in shown["bars"])
        return
    now = describe(state)
    was = turn(describe(pinned), now["fact"], now["foil"])
    asked = (
        ""
        if (was["fact"], was["foil"]) == (now["fact"], now["foil"])
        else f" ({state.graph.label(was['fact'])} over {state.graph.label(was['foil'])})"
    )
    assert (
        shown["pinned"]
        == f"Pinned: gap {write(was['gap'])}{asked} → now {write(now['gap'])} ({write(now['gap'] - was['gap'])}) Unpin"
    )

    def line(
        text: str, before: float | None, after: float | None, there: tuple[bool, bool], sign: str = "+"
    ) -> list[str]:
        cells = [write(value, sign) if known else "–" for value, known in zip((before, after), there, strict=True)]
        return [text, *cells, "–" if before is None or after is None else write(after - before)]

    topics = dict.fromkeys([was["fact"], was["foil"], now["fact"], now["foil"]])
    rows = [["Strengths and gap"]]
    for name in topics:
        before, after = (each["strengths"].get(name) for each in (was, now))
        rows.append(
            line(
                f"Strength of {state.graph.label(name)}",
                before,
                after,
                (name in was["strengths"], name in now["strengths"]),
                "",
            )
        )
    rows.append(line("Gap", was["gap"], now["gap"], (True, True)))
    methods = was["method"] if was["method"] == now["method"] else f"{was['method']} → {now['method']}"
    rows.append([f"Contributions ({methods})"])
    shares = []
    for name in dict.fromkeys([*was["contributions"], *now["contributions"]]):
        before, after = (each["contributions"].get(name) for each in (was, now))
        there = name in was["contributions"], name in now["contributions"]
        label = state.graph.label(name) if name in state.graph.arguments else name
        shares.append(line(label, before, after, there))
    assert shown["compare"][: len(rows)] == rows
    assert sorted(shown["compare"][len(rows) :]) == sorted(shares)
    check_ghosts(shown, was["contributions"])


def check_ghosts(shown: dict[str, Any], was: dict[str, float | None]) -> None:
    axis = shown["axis"]
    zero, unit, left, right = axis["zero"], *(float(axis[key]) for key in ("unit", "left", "right"))
    for bar in shown["bars"]:
        value = was.get(bar["key"])
        if value is None or " " in bar["key"]:
            assert bar["ghost"] is None
            continue
        end = max(left, min(right, zero + value * unit))
        colour, x, width = bar["ghost"]
        assert (colour, abs(x - min(zero, end)) < 0.02) == ("ghost", True), bar["key"]
        assert abs(width - max(1, abs(end - zero))) < 0.02, bar["key"]


def turn(was: dict[str, Any], fact: str, foil: str) -> dict[str, Any]:
    """A contrast seen from the side of this pair, where that is the same pair exchanged."""
    if (was["fact"], was["foil"]) != (foil, fact):
        return was
    back = {name: None if value is None else -value for name, value in was["contributions"].items()}
    return was | {"fact": fact, "foil": foil, "gap": -was["gap"], "contributions": back}


def describe(state: State) -> dict[str, Any]:
    """A contrast as the page knows it, with the contributions of edges by their labels."""
    why = state.why
    data: dict[str, Any] = json.loads(why.to_json())
    if isinstance(data["contributions"], list):
        label = state.graph.label
        data["contributions"] = {
            f"{label(each['source'])} → {label(each['target'])}": each["value"] for each in data["contributions"]
        }
    return data


def check_link(shown: dict[str, Any], state: State) -> None:
    """Every field of the state is in the link; an example by its name, another graph as a whole."""
    found = read_link(shown["hash"])
    assert found.pop("v") == 1
    if state.example:
        assert found.pop("example") == state.example
    else:
        assert read_text(json.dumps(found.pop("graph")), "json") == state.graph
    assert found == state.link()


def check_settled(shown: dict[str, Any], state: State, pinned: State | None) -> None:
    """Compare all that the page shows with Python."""
    why = state.why
    assert shown["waits"] == []
    assert shown["answer"] == str(why)
    assert shown["status"] == f"Computed by {why.how}."
    check_answer(shown, state)
    check_bars(shown, why, quick=False)
    check_choices(shown, state)
    check_pinned(shown, state, pinned)
    check_link(shown, state)


def write_order(why: qx.Contrast) -> str:
    """The beginning of the sentence, which has no reasons yet."""
    return choose("en").write(find_order(why, "rated.")) + "."


def check_moving(shown: dict[str, Any], state: State, pinned: State | None) -> None:
    """Compare what the page computes by itself while a slider moves with the quick method of Python."""
    method = "gradient" if state.method == "gradient" else "removal"
    why = state.contrast(method)
    assert shown["quick"] == method
    assert shown["answer"] == write_order(why)
    check_answer(shown, state)
    check_bars(shown, why, quick=True)
    check_choices(shown, state)
    if pinned is not None:
        check_ghosts(shown, turn(describe(pinned), *state.pair)["contributions"])
