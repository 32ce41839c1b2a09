"""How the picture of the graph is looked at, in a real Chromium: zoom, pan, and the size of its type."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.browser import Open, open_example

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


def scale(page: Any) -> float:
    return float(page.evaluate(SCALE))


def until_scale(page: Any, condition: str, than: float) -> None:
    page.wait_for_function(f"than => ({SCALE})() {condition} than", arg=than)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_fact_and_foil_are_in_view_at_first_and_no_type_is_smaller_than_11_pixels(
    page: Open, width: int, height: int
) -> None:
    here = page(width=width, height=height)
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
    until_scale(here, "<", 0.5 * first)
    here.click("#zoom-home")
    until_scale(here, "===", first)
    here.wait_for_selector("#map")
    before = here.evaluate("() => document.querySelector('#graph').scrollTop")
    box = here.locator("#graph").bounding_box()
    here.mouse.move(box["x"] + 3, box["y"] + 100)
    here.mouse.down()
    here.mouse.move(box["x"] + 3, box["y"] + 40, steps=3)
    here.mouse.up()
    here.wait_for_function("before => document.querySelector('#graph').scrollTop > before + 40", arg=before)
