"""How the picture of the graph is looked at, in a real Chromium: zoom, pan, folding, ghosts, the size of its type."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Fingers, Open, open_example, pick, row, upload

pytestmark = pytest.mark.heavy

SCALE = """() => {
    const svg = document.querySelector("#graph svg");
    return svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 0;
}"""
SMALLEST_TYPE = f"""() => Math.min(...[...document.querySelectorAll("#graph text")]
    .map((each) => Number(each.getAttribute("font-size")))) * ({SCALE})()"""
TOPICS_IN_VIEW = """() => ["fact", "foil"].every((role) => {
    const topic = document.querySelector(`#graph .qx-${role}-node rect`)?.getBoundingClientRect();
    const card = document.querySelector("#graph").getBoundingClientRect();
    return topic && topic.left >= card.left - 1 && topic.right <= card.right + 1
        && topic.top >= card.top - 1 && topic.bottom <= card.bottom + 1;
})"""

FREE = """() => {  // a point of the picture with nothing under it
    const card = document.querySelector("#graph"), { x, y, width, height } = card.getBoundingClientRect();
    for (let left = x + width - 60; left > x + 70; left -= 7)
        for (let top = y + 20; top < y + height - 20; top += 7)
            if ([card, card.firstChild].includes(document.elementFromPoint(left, top))) return [left, top];
}"""


def scale(page: Any) -> float:
    return float(page.evaluate(SCALE))


def until_scale(page: Any, condition: str, than: float) -> None:
    page.wait_for_function(f"than => ({SCALE})() {condition} than", arg=than)


@pytest.mark.parametrize(
    ("example", "width", "height"), [("healthcare", 1280, 720), ("debate", 1280, 720), ("debate", 390, 844)]
)
def test_fact_and_foil_are_in_view_at_first_and_no_type_is_smaller_than_11_pixels(
    page: Open, example: str, width: int, height: int
) -> None:
    here = page(width=width, height=height)
    if example != "healthcare":
        open_example(here, example)
    here.wait_for_function(TOPICS_IN_VIEW)
    here.wait_for_function(f"() => ({SMALLEST_TYPE})() >= 11")


def test_wheel_buttons_and_keys_zoom_and_a_drag_pans(page: Open) -> None:
    here = page()
    open_example(here, "debate")
    here.wait_for_selector("#graph .qx-fact-node")
    first = scale(here)
    here.hover("#graph .qx-fact-node")
    here.mouse.wheel(0, -200)
    until_scale(here, ">", 1.1 * first)
    here.focus("#graph")
    here.keyboard.press("0")
    until_scale(here, "===", first)
    here.click("#zoom-in")
    until_scale(here, ">", 1.2 * first)
    here.keyboard.press("-")
    until_scale(here, "<", 1.01 * first)
    here.click("#zoom-all")
    until_scale(here, "<", 0.9 * first)
    here.click("#zoom-home")
    until_scale(here, "===", first)
    for _ in range(3):
        here.click("#zoom-in")
    until_scale(here, ">", 1.9 * first)
    here.wait_for_selector("#map")
    before = here.evaluate("() => document.querySelector('#graph').scrollLeft")
    x, y = here.evaluate(FREE)
    here.mouse.move(x, y)
    here.mouse.down()
    here.mouse.move(x - 60, y, steps=3)
    here.mouse.up()
    here.wait_for_function("before => document.querySelector('#graph')?.scrollLeft > before + 40", arg=before)


def test_two_fingers_zoom_around_the_point_between_them_and_text_that_would_be_too_small_is_not_shown(
    page: Open,
) -> None:
    here = page(has_touch=True)
    open_example(here, "debate")
    here.wait_for_selector("#graph .qx-fact-node")
    first = scale(here)
    place = """() => {
        const { x, y, width, height } = document.querySelector("#graph .qx-fact-node rect").getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    }"""
    x, y = here.evaluate(place)
    fingers = Fingers(here)
    fingers.put((x - 30, y), (x + 30, y))
    for far in (40, 50, 60):
        fingers.move((x - far, y), (x + far, y))
    fingers.lift()
    until_scale(here, ">", 1.9 * first)
    there = f"([x, y]) => {{ const [a, b] = ({place})(); return Math.hypot(a - x, b - y) < 4; }}"
    here.wait_for_function(there, arg=[x, y])
    fingers.put((x - 150, y), (x + 150, y))
    for far in (110, 70, 50):
        fingers.move((x - far, y), (x + far, y))
    fingers.lift()
    until_scale(here, "<", 0.8 * first)
    here.wait_for_function(
        "() => [...document.querySelectorAll('#graph text')].every((each) => !each.getClientRects().length)"
    )


def test_a_large_graph_is_folded_into_counted_stubs_that_open_by_click_and_by_keyboard(page: Open) -> None:
    here = page()
    pick(here, "methods", "gradient")
    upload(here, "large.json", write_text(qx.examples.random(1000, seed=7), "json"))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'large.json'")
    here.wait_for_selector("body:not([data-quick], [data-busy], [data-behind]) #bars [data-name]")  # the whole answer
    here.wait_for_selector("#graph [data-fold]")
    count = "() => document.querySelectorAll('#graph .qx-node').length"
    first = here.evaluate(count)
    assert 2 < first <= 24
    assert here.evaluate("() => /^\\+\\d+ more$/.test(document.querySelector('#graph [data-fold] text').textContent)")
    here.locator("#graph [data-fold]").first.focus()
    here.keyboard.press("Enter")
    here.wait_for_function(f"first => ({count})() > first", arg=first)
    second = here.evaluate(count)
    here.locator("#graph [data-fold]").last.click()
    here.wait_for_function(f"second => ({count})() > second", arg=second)
    here.click("#whole")
    here.wait_for_function(f"() => ({count})() === 1000")
    here.wait_for_selector("#map")
    here.evaluate("() => { document.querySelector('#graph svg').dataset.mine = 'yes'; }")
    row(here, "a0").locator("input[type=number]").fill("0.93")
    here.wait_for_selector(
        "body:not([data-quick], [data-busy], [data-behind]) #graph svg[data-mine] [data-base='0.93']"
    )
    here.click("#whole")
    here.wait_for_function(f"first => ({count})() === first", arg=first)


def test_a_removed_argument_leaves_a_ghost_and_everybody_keeps_their_place(page: Open) -> None:
    here = page()
    pick(here, "methods", "gradient")
    open_example(here, "debate")
    here.wait_for_selector("body:not([data-quick], [data-busy], [data-behind]) #bars [data-name]")  # the whole answer
    here.wait_for_selector("#graph [data-fold]")
    places = """() => JSON.stringify([...document.querySelectorAll("#graph [data-name], #graph [data-ghost]")]
        .map((each) => [each.dataset.name ?? each.dataset.ghost,
            ...["x", "y"].map((key) => each.querySelector("rect").getAttribute(key))]).sort())"""
    before = here.evaluate(places)
    name = here.evaluate(
        "() => document.querySelector('#graph .qx-node:not(.qx-fact-node, .qx-foil-node)').dataset.name"
    )
    row(here, name).locator("input[type=checkbox]").click()
    here.wait_for_selector(f'#graph [data-ghost="{name}"]')
    here.wait_for_function(f"before => ({places})() === before", arg=before)


def test_a_pinned_state_is_drawn_as_ghosts_of_the_bars(page: Open) -> None:
    here = page()
    here.click("#tab-compare")
    here.click("#pin")
    ghost = """() => {
        const bar = document.querySelector('#bars [data-name="pcr"]'), ghost = bar?.querySelector(".ghost");
        const { unit } = document.querySelector("#bars .qx-axis")?.dataset ?? {};
        return ghost && [Number(ghost.getAttribute("width")) / unit, Math.abs(bar.dataset.value)];
    }"""
    here.wait_for_function(f"() => {{ const [was, is] = ({ghost})() ?? [0, 1]; return Math.abs(was - is) < 1e-3; }}")
    pinned = here.evaluate(ghost)[0]
    row(here, "pcr").locator("input[type=number]").fill("0.95")
    here.wait_for_function(
        f"""pinned => {{
            const [was, is] = ({ghost})() ?? [0, 0];
            return is > pinned + 0.01 && Math.abs(was - pinned) < 1e-3;
        }}""",
        arg=pinned,
    )


def test_parts_that_come_and_go_around_the_picture_cause_no_error(page: Open) -> None:
    here = page(width=1440, height=900)
    here.evaluate("() => { window.errors = []; addEventListener('error', ({ message }) => errors.push(message)); }")
    open_example(here, "debate")
    here.wait_for_selector("#graph .qx-fact-node")
    here.click("#tab-compare")
    here.click("#pin")
    here.wait_for_selector("#pinned:not([hidden])")
    for width, height in ((1440, 900), (1440, 860), (1280, 720), (1000, 800), (390, 844)):
        here.set_viewport_size({"width": width, "height": height})
        for state in ("true", "false"):
            here.click("#draw")
            here.wait_for_selector(f"#draw[aria-pressed={state}]")
            # sizes are reported once in each frame
            frames = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            here.evaluate(frames)
            here.click("#zoom-all")
            here.evaluate(frames)
            here.click("#zoom-home")
            here.evaluate(frames)
    assert here.evaluate("() => errors") == []
