"""Drawing by keyboard and by pulling where something is in the way, and the map, in a real Chromium."""

from __future__ import annotations

import json
from typing import Any

import pytest

import qontrast as qx
from tests.support.browser import Open, open_example, upload

pytestmark = pytest.mark.heavy

GRAPH = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "a": 0.6, "b": 0.3, "c": 0.7},
    supports={("a", "p"): 1.0, ("c", "a"): 0.5},
    attacks={("b", "q"): 1.0, ("a", "b"): 0.5, ("b", "a"): 0.5},
    topics=["p", "q"],
)
MIDDLES = """() => Object.fromEntries([...document.querySelectorAll("#graph .qx-node[data-name]")].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.dataset.name, [x + width / 2, y + height / 2]];
}))"""
WAYS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}


def open_graph(page: Any) -> None:
    upload(page, "graph.json", json.dumps(GRAPH.to_dict()))
    page.wait_for_selector('#graph .qx-edge[data-source="c"]', state="attached")
    page.wait_for_selector("body:not([data-behind], [data-quick], [data-stale])")
    focus(page, "a")
    page.wait_for_selector("#graph[data-draw]")


def focus(page: Any, name: str) -> None:
    page.locator(f'#graph .qx-node[data-name="{name}"]').focus()


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.dataset.name"))


def wait_to_say(page: Any, text: str) -> None:
    page.wait_for_function("text => document.querySelector('#draw-says')?.textContent.includes(text)", arg=text)


def find_nearest(places: dict[str, list[float]], name: str, way: tuple[int, int]) -> str | None:
    """The nearest argument in a direction; what lies aside counts twice."""
    x, y = places[name]
    far = {}
    for other, (a, b) in places.items():
        along, aside = (a - x) * way[0] + (b - y) * way[1], abs((a - x) * way[1]) + abs((b - y) * way[0])
        if other != name and along > 4:
            far[other] = along + 2 * aside
    return min(far, key=lambda each: far[each]) if far else None


def test_arrows_choose_the_nearest_argument_in_their_direction_as_the_target_of_an_edge(page: Open) -> None:
    here = page()
    open_graph(here)
    here.keyboard.press("a")
    wait_to_say(here, "a attacks …")
    at, visited = "a", {"a"}
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowRight"):
        at = find_nearest(here.evaluate(MIDDLES), at, WAYS[key]) or at
        here.keyboard.press(key)
        assert focused(here) == at
        visited.add(at)
        aimed = here.locator("#graph .qx-node.aim").evaluate_all("all => all.map((each) => each.dataset.name)")
        assert aimed == [at] or at == "a"
    assert len(visited) > 2
    here.keyboard.press("Escape")
    wait_to_say(here, "No edge was drawn.")
    assert here.locator("#graph .aim").count() == 0
    assert here.locator("#graph .qx-edge").count() == 4  # a mutual attack is one arrow


def test_an_edge_that_is_there_already_is_opened_instead_of_drawn(page: Open) -> None:
    here = page()
    open_graph(here)
    here.keyboard.press("s")
    wait_to_say(here, "a supports …")
    here.click('#graph .qx-node[data-name="p"]')
    here.locator(".drawbox").get_by_label("Kind").wait_for()
    assert here.locator(".drawbox").get_by_label("Kind").input_value() == "support"
    here.locator(".drawbox").get_by_label("Kind").select_option("attack")
    here.wait_for_selector('#graph .qx-edge.qx-attack[data-source="a"][data-target="p"]', state="attached")
    here.locator(".drawbox").get_by_role("button", name="Done").click()
    here.wait_for_selector(".drawbox", state="detached")
    places = here.evaluate(MIDDLES)
    here.mouse.move(*places["c"])
    here.mouse.down()
    here.mouse.move(*[(one + other) / 2 for one, other in zip(places["c"], places["a"], strict=True)])
    here.mouse.move(*places["a"])
    here.mouse.up()
    assert here.locator(".drawbox").get_by_label("Weight").input_value() == "0.5"


def test_an_edge_that_is_pulled_into_nothing_is_not_drawn(page: Open) -> None:
    here = page()
    open_graph(here)
    places = here.evaluate(MIDDLES)
    card = here.locator("#graph").bounding_box()
    here.mouse.move(*places["a"])
    here.mouse.down()
    here.mouse.move(card["x"] + 60, card["y"] + 60)
    here.mouse.move(card["x"] + 40, card["y"] + 40)
    here.mouse.up()
    wait_to_say(here, "There is no argument here")
    assert here.locator(".drawbox").count() == 0


def test_edges_are_stepped_through_and_deleted_by_keyboard_and_a_mutual_attack_asks_which(page: Open) -> None:
    here = page()
    open_graph(here)
    seen = []
    here.keyboard.press("e")
    for _ in range(3):
        here.wait_for_function("() => document.activeElement?.matches('.qx-edge')")
        seen.append(here.evaluate("() => ({ ...document.activeElement.dataset })"))
        here.keyboard.press("e")
    assert {frozenset((each["source"], each["target"])) for each in seen} == {
        frozenset(pair) for pair in (("a", "p"), ("c", "a"), ("a", "b"))
    }
    while not here.evaluate("document.activeElement.dataset.mutual"):
        here.keyboard.press("e")
    here.keyboard.press("Delete")
    rows = here.locator(".drawbox .arrow")
    rows.first.wait_for()
    assert sorted(rows.all_text_contents()) == ["a → b", "b → a"]
    here.keyboard.press("Escape")
    focus(here, "c")
    here.keyboard.press("e")
    here.keyboard.press("Backspace")
    here.wait_for_selector('#graph .qx-edge[data-source="c"]', state="detached")
    wait_to_say(here, "Deleted: c supports a. Ctrl+Z brings it back.")
    here.keyboard.press("Control+z")
    here.wait_for_selector('#graph .qx-edge[data-source="c"]', state="attached")


def test_an_argument_without_edges_says_so_and_its_base_score_is_changed_in_its_box(page: Open) -> None:
    here = page()
    open_graph(here)
    here.click("#draw")
    here.click("#draw-new")
    here.fill(".drawbox .text", "new")
    here.locator(".drawbox").get_by_label("Base score of the new argument").fill("0.8")
    here.keyboard.press("Enter")
    here.wait_for_selector('#graph .qx-node[data-name="new"][data-base="0.8"]')
    here.wait_for_function("() => document.activeElement?.dataset?.name === 'new'")
    here.keyboard.press("e")
    wait_to_say(here, "new has no edges in the picture.")
    here.keyboard.press("Enter")
    base = here.locator(".drawbox").get_by_label("Base score of new")
    base.fill("0.25")
    base.press("Enter")
    here.wait_for_selector('#graph .qx-node[data-name="new"][data-base="0.25"]')
    assert here.input_value('.row[data-name="new"] [type=number]') == "0.25"
    here.keyboard.press("F2")
    base.fill("7")
    base.press("Enter")
    here.locator(".drawbox .wrong", has_text="between 0 and 1").wait_for()


def test_pressing_the_map_brings_that_place_to_the_middle(page: Open) -> None:
    here = page()
    open_example(here, "debate")
    here.wait_for_selector("#graph .qx-fact-node")
    for _ in range(4):
        here.click("#zoom-in")
    here.wait_for_selector("#map:not([hidden])")
    box = here.locator("#map").bounding_box()
    for part in (0.8, 0.3):
        x, y = box["x"] + part * box["width"], box["y"] + box["height"] / 2
        here.mouse.move(x, y)
        here.mouse.down()
        here.mouse.up()
        here.wait_for_function(
            """part => {
                const card = document.querySelector("#graph"), svg = card.querySelector("svg");
                const own = svg.getBoundingClientRect(), there = card.getBoundingClientRect();
                const middle = (there.x + card.clientWidth / 2 - own.x) / own.width;
                const seen = document.querySelector("#map .seen"), all = document.querySelector("#map");
                const shown = Number(seen.getAttribute("x")) + seen.getAttribute("width") / 2;
                return Math.abs(middle - part) < 0.05 && Math.abs(shown / all.getAttribute("width") - part) < 0.08;
            }""",
            arg=part,
        )
