"""Edit a graph in a real browser: in the table, in the picture, with the mouse and with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Fingers, Open, row, until, upload

pytestmark = pytest.mark.heavy

ODD = ("constructor", "__proto__", "toString")


def in_editor(here: Any, name: str) -> Any:
    return here.locator("#editor").get_by_label(name, exact=True)


def open_odd(here: Any) -> None:
    first, second, third = ODD
    scores = {first: 0.4, second: 0.3, third: 0.6}
    graph = qx.Qbaf(scores, supports=[(third, first)], attacks=[(third, second)], topics=[first, second])
    upload(here, "odd.json", write_text(graph, "json"))
    here.wait_for_selector('#graph [data-name="__proto__"]')


def test_the_editor_opens_with_two_thousand_arguments_and_keeps_the_focus_where_one_types(page: Open) -> None:
    here = page()
    here.route("**/api/explain", lambda _: None)  # the editor needs no answer, and it would keep the server busy
    names = [f"a{k}" for k in range(2000)]
    upload(here, "large.json", write_text(qx.Qbaf(dict.fromkeys(names, 0.5), attacks=[("a2", "a0")]), "json"))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'large.json'")
    here.click("#edit")
    here.wait_for_selector("#editor[open]")
    here.fill("#editor-search", "a1999")
    in_editor(here, "Name of a1999").wait_for()
    here.wait_for_function("() => document.querySelectorAll('#editor .edits .name').length === 1")
    in_editor(here, "Base score of a1999").fill("0.7")
    in_editor(here, "Name of a1999").fill("a1999x")
    in_editor(here, "Label of a1999").focus()
    here.keyboard.type(" is typed")  # while the change of the name is on its way
    in_editor(here, "Name of a1999x").wait_for()
    found = here.evaluate(
        "() => { const row = document.activeElement.closest('.edit');"
        " return [document.activeElement.value, row.querySelector('.name').value, row.querySelector('.small').value]; }"
    )
    assert found == ["a1999 is typed", "a1999x", "0.7"]


def test_arguments_may_be_named_like_the_properties_of_every_object(page: Open) -> None:
    here = page()
    open_odd(here)
    until(here, "constructor")
    row(here, "__proto__").locator("[type=number]").fill("0.9")
    until(here, "0.66")
    here.click('#graph [data-name="toString"]')
    here.wait_for_function("() => document.querySelector('#paths')?.textContent.includes('__proto__')")
    here.wait_for_selector("#graph[data-draw]")
    node(here, "__proto__").focus()
    here.keyboard.press("n")
    here.wait_for_selector(".drawbox .text:focus")
    here.keyboard.type("hasOwnProperty")
    here.keyboard.press("Enter")
    wait_for_focus(here, "hasOwnProperty")
    here.click("#edit")
    in_editor(here, "Name of toString").fill("valueOf")
    in_editor(here, "Label of toString").focus()
    here.wait_for_selector('#graph [data-name="valueOf"]', state="attached")
    here.get_by_role("button", name="Delete __proto__", exact=True).click()
    here.wait_for_selector('#graph [data-name="__proto__"]', state="detached")
    here.click("#editor-done")
    here.click("#undo")
    here.wait_for_selector('#graph [data-name="__proto__"]')
    row(here, "__proto__").locator(".spread").click()
    row(here, "__proto__").get_by_text("0.800 to 1.000").wait_for()


# -- in the picture -----------------------------------------------------------------------------------------------


def open_small(here: Any) -> None:
    graph = qx.Qbaf({"t": 0.5, "u": 0.4, "a": 0.6}, attacks=[("a", "t")], topics=["t", "u"])
    upload(here, "small.json", write_text(graph, "json"))
    here.wait_for_selector('#graph .qx-edge[data-source="a"]', state="attached")


def node(here: Any, name: str) -> Any:
    return here.locator(f'#graph .qx-node[data-name="{name}"]')


def wait_for_focus(here: Any, name: str) -> None:
    here.wait_for_function("name => document.activeElement?.dataset?.name === name", arg=name)


def wait_for_edge(here: Any, rest: str, state: str = "attached") -> None:
    here.wait_for_selector(f"#graph .qx-edge{rest}", state=state)


NEXT_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
MIDDLES = """() => {
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const of = (name) => middle(document.querySelector(`#graph .qx-node[data-name="${name}"]`).getBoundingClientRect());
    return [...of("a"), ...of("u")];
}"""
ON_THE_EDGE = """() => {
    const line = document.querySelector('#graph .qx-edge[data-target="u"] path');
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    return [x, y];
}"""


def test_edges_and_arguments_are_drawn_changed_deleted_and_undone_by_mouse(page: Open) -> None:
    here = page()
    open_small(here)
    node(here, "a").hover()
    here.wait_for_selector("#graph[data-draw]")
    x, y, right, top = here.evaluate(MIDDLES)
    here.mouse.move(x, y)
    here.mouse.down()
    here.mouse.move((x + right) / 2, (y + top) / 2)
    here.mouse.move(right, top)
    here.mouse.up()
    here.click(".drawbox button.support")
    wait_for_edge(here, '.qx-support[data-source="a"][data-target="u"]')
    here.wait_for_selector(".drawbox", state="detached")
    here.mouse.click(*here.evaluate(ON_THE_EDGE))
    here.locator(".drawbox").get_by_label("Weight").fill("0.5")
    here.locator(".drawbox").get_by_role("button", name="Done").click()
    wait_for_edge(here, '[data-target="u"][data-weight="0.5"]')
    here.mouse.click(*here.evaluate(ON_THE_EDGE))
    here.locator(".drawbox").get_by_role("button", name="Delete").click()
    wait_for_edge(here, '[data-target="u"]', "detached")
    here.locator("#graph").dblclick(position={"x": 12, "y": 12})
    here.fill(".drawbox .text", "b")
    here.keyboard.press("Enter")
    node(here, "b").dblclick()
    here.fill(".drawbox .text", "a")
    here.keyboard.press("Enter")
    here.locator(".drawbox .wrong", has_text="there is an argument 'a' already").wait_for()
    here.fill(".drawbox .text", "c")
    here.keyboard.press("Enter")
    node(here, "c").dblclick()
    here.locator(".drawbox").get_by_role("button", name="Delete").click()
    node(here, "c").wait_for(state="detached")
    for _ in range(4):  # c, its name, its being there, the edge
        here.click("#undo")
    wait_for_edge(here, '[data-target="u"][data-weight="0.5"]')
    assert here.locator("#graph .qx-node").count() == 3


def test_edges_and_arguments_are_drawn_changed_deleted_and_undone_by_keyboard(page: Open) -> None:
    here = page()
    open_small(here)
    node(here, "a").focus()
    here.wait_for_selector("#graph[data-draw]")
    here.keyboard.press("s")
    here.locator("#draw-says[role=status]", has_text="a supports …").wait_for()
    for _ in range(4):
        here.keyboard.press("Shift+Tab")
        if here.evaluate("document.activeElement.dataset.name") == "u":
            break
    here.keyboard.press("Enter")
    wait_for_edge(here, '.qx-support[data-source="a"][data-target="u"]')
    wait_for_focus(here, "a")
    here.keyboard.press("e")
    here.wait_for_function("() => document.activeElement?.matches('.qx-edge')")
    here.keyboard.press("Enter")
    here.wait_for_selector(".drawbox select:focus")
    here.keyboard.press("Escape")
    wait_for_focus(here, "a")
    here.keyboard.press("F2")
    here.wait_for_selector(".drawbox .text:focus")
    here.keyboard.type("b")
    here.keyboard.press("Enter")
    wait_for_focus(here, "b")
    here.keyboard.press("n")
    here.wait_for_selector(".drawbox .text:focus")
    here.keyboard.type("c")
    here.keyboard.press("Enter")
    wait_for_focus(here, "c")
    here.keyboard.press("Delete")
    node(here, "c").wait_for(state="detached")
    here.keyboard.press("Control+z")
    node(here, "c").wait_for()


def test_an_edge_is_pulled_by_finger_or_tapped_while_the_button_draw_is_on(page: Open) -> None:
    here = page(has_touch=True)
    open_small(here)
    here.click("#draw")
    here.wait_for_selector("#graph.drawn-in[data-draw]")
    here.evaluate(NEXT_FRAMES)  # the tools have taken their room from the picture
    x, y, right, top = here.evaluate(MIDDLES)
    fingers = Fingers(here)
    fingers.put((x, y))
    for part in (0.2, 0.6, 1.0):
        fingers.move((x + part * (right - x), y + part * (top - y)))
    here.wait_for_selector('#graph .aim[data-name="u"]')
    fingers.lift()
    here.tap(".drawbox button.support")
    wait_for_edge(here, '.qx-support[data-source="a"][data-target="u"]')
    here.wait_for_selector(".drawbox", state="detached")
    node(here, "u").tap()
    here.locator(".drawbox").get_by_role("button", name="Attack …").tap()
    node(here, "t").tap()
    wait_for_edge(here, '.qx-attack[data-source="u"][data-target="t"]')


PLACES = """() => Object.fromEntries([...document.querySelectorAll("#graph .qx-node")].map((each) => {
    const { x, y, width, height } = each.querySelector("rect").getBoundingClientRect();
    return [each.dataset.name, [x + width / 2, y + height / 2]];
}))"""
STAY = f"""(places) => {{
    const now = ({PLACES})();
    const same = ([name, [x, y]]) => now[name] && Math.hypot(now[name][0] - x, now[name][1] - y) < 2;
    return Object.keys(places).length === Object.keys(now).length && Object.entries(places).every(same);
}}"""


def test_a_new_argument_stands_where_one_double_clicks_and_everybody_stays(page: Open) -> None:
    here = page()
    open_small(here)
    node(here, "a").hover()
    here.wait_for_selector("#graph[data-draw]")
    places = here.evaluate(PLACES)
    spot = [places["u"][0], places["a"][1]]  # below u, where no box is
    here.mouse.dblclick(*spot)
    here.fill(".drawbox .text", "b")
    here.keyboard.press("Enter")
    here.wait_for_function(STAY, arg={**places, "b": spot})
    row(here, "a").locator("input[type=number]").fill("0.9")
    until(here, "0.276")  # the strength of t
    here.wait_for_function(STAY, arg={**places, "b": spot})
    here.click("#undo")
    here.click("#undo")
    here.wait_for_function(STAY, arg=places)
    here.click("#redo")
    here.wait_for_function(STAY, arg={**places, "b": spot})
