"""What has room and stays legible at each size of the window, in a real Chromium."""

from __future__ import annotations

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Open, open_example, upload

pytestmark = pytest.mark.heavy

SLIDER = "() => document.querySelector('#scores input[type=range]')?.getBoundingClientRect().width ?? 0"
IS_HEAD_IN_VIEW = """() => {  // of the last cell, after scrolling to it
    const card = document.querySelector("#pairs"), rows = card?.querySelectorAll("tr") ?? [];
    if (rows.length !== 16) return false;
    card.scrollTo(card.scrollWidth, card.scrollHeight);
    const isIn = (each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect(), frame = card.getBoundingClientRect();
        const inside = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left >= frame.left - 1 && right <= frame.right + 1 && top >= frame.top - 1 && bottom <= frame.bottom + 1
            && each.contains(inside);
    };
    const last = rows[15].querySelectorAll("td")[13];
    return [rows[0].lastElementChild, rows[15].firstElementChild, last].every(isIn);
}"""


def write_many_topics() -> str:
    topics = {f"t{k}": f"Option {k} among fifteen" for k in range(15)}
    scores = dict.fromkeys(topics, 0.5) | {f"a{k}": k / 15 for k in range(15)}
    edges = [(f"a{k}", f"t{k}") for k in range(15)]
    graph = qx.Qbaf(scores, attacks=edges[:7], supports=edges[7:], topics=list(topics), labels=topics)
    return write_text(graph, "json")


def test_sliders_are_200_pixels_wide_at_1440_and_never_narrower_than_80(page: Open) -> None:
    here = page(width=1440, height=900)
    open_example(here, "debate")
    here.wait_for_function(f"() => ({SLIDER})() >= 200")
    for width, height in ((1280, 720), (1180, 800), (1000, 800), (768, 1024), (390, 844)):
        here.set_viewport_size({"width": width, "height": height})
        here.wait_for_function(f"width => innerWidth === width && ({SLIDER})() >= 80", arg=width)


def test_the_heads_of_fifteen_topics_stay_in_view_while_all_pairs_are_scrolled(page: Open) -> None:
    here = page(width=1440, height=900)
    upload(here, "many.json", write_many_topics())
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'many.json'")
    for width, height in ((1440, 900), (1180, 800), (1000, 800)):
        here.set_viewport_size({"width": width, "height": height})
        here.wait_for_function(f"width => innerWidth === width && ({IS_HEAD_IN_VIEW})()", arg=width)
