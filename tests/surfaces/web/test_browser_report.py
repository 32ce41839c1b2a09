"""Reports in a browser, opened from disk: on paper, on a phone, with their controls and without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.show import report_html
from qontrast.show.narrative import find_order
from qontrast.show.phrasing import choose
from tests.support.pages import GRAPHS
from tests.surfaces.web.test_browser_axe import find_violations

pytestmark = pytest.mark.heavy
# what is wider than its page or its screen; texts in pictures are measured too
TOO_WIDE = """width => [...document.querySelectorAll("h1,h2,p,th,td,dt,dd,li,svg,text")].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width && !each.closest(".picture") && (box.right > width + 1 || box.left < -1);
}).map(each => each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("name", GRAPHS)
def test_nothing_is_wider_than_paper_or_a_phone(browser: Any, tmp_path: Path, name: str) -> None:
    qbaf, fact, foil = GRAPHS[name]()
    file = tmp_path / "why.html"
    file.write_text(report_html(qbaf, fact, foil, method="removal"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(file.as_uri())
    assert page.evaluate(TOO_WIDE, 390) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 658, "height": 980})  # A4 within margins of 18 mm
    assert page.evaluate(TOO_WIDE, 658) == []
    heights = page.evaluate(
        "[...document.querySelectorAll('.picture svg')].map(each => each.getBoundingClientRect().height)"
    )
    assert max(heights) < 980
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 12
    page.close()


def open_file(browser: Any, folder: Path, page: str, **settings: Any) -> Any:
    file = folder / "why.html"
    file.write_text(page, encoding="utf-8")
    opened = browser.new_context(**settings).new_page()
    opened.complaints = []
    opened.on("console", lambda said: opened.complaints.append(said.text))
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.goto(file.as_uri())
    return opened


MOVE = """([argument, score]) => {
  const range = document.querySelector(`[data-argument="${argument}"]`);
  range.value = score;
  range.dispatchEvent(new Event("input"));
}"""
READ = """[document.querySelector(".answer.quick").textContent.replace(/[\\u2068\\u2069]/g, ""),
  [...document.querySelectorAll(".live [data-strength]")].map(each => each.dataset).map(each =>
    [each.strength, Number(each.value)])]"""


@pytest.mark.parametrize(("name", "language"), [("healthcare", "en"), ("debate", "de")])
def test_the_controls_of_a_report_opened_from_disk_give_the_numbers_and_the_sentence_of_python(
    browser: Any, tmp_path: Path, name: str, language: str
) -> None:
    q = qx.examples.load(name)
    fact, foil, other = (q.topics[0], q.topics[1], q.topics[2])
    page = open_file(
        browser, tmp_path, report_html(q, fact, foil, method="removal", interactive=True, language=language)
    )
    page.wait_for_selector("body[data-shown]:not(.moved)")

    def compare(now: qx.Qbaf, first: Any, second: Any) -> None:
        why = qx.contrast(now, first, second, method="removal")
        sentence, shown = page.evaluate(READ)
        assert sentence == choose(language).write(find_order(why))
        names = list(q)
        for k, value in shown:
            name = names[int(k)]
            assert name not in now or value == pytest.approx(why.strengths[name], abs=1e-9)

    mover = next(x for x in q if x not in q.topics and qx.contrast(q, fact, foil, method="removal")[x])
    page.evaluate(MOVE, [q.index(mover), 0.93])
    page.wait_for_selector("body.moved .exact")
    moved = q.with_base_scores({mover: 0.93})
    compare(moved, fact, foil)
    page.locator(f'[data-remove="{q.index(mover)}"]').check()
    page.wait_for_selector(f'[data-argument="{q.index(mover)}"]:disabled')
    compare(moved.restrict([x for x in q if x != mover]), fact, foil)
    before = page.evaluate("document.body.dataset.shown")
    page.locator(".ask select").nth(1).select_option(str(q.index(other)))
    page.wait_for_function("before => document.body.dataset.shown !== before", arg=before)
    compare(moved.restrict([x for x in q if x != mover]), fact, other)
    page.locator(".ask button").click()
    page.wait_for_selector("body:not(.moved) .answer.quick", state="hidden")
    page.emulate_media(media="print")
    assert page.locator(".live").is_hidden()
    assert page.complaints == []
    page.context.close()


def test_a_report_without_scripts_is_the_whole_report(browser: Any, tmp_path: Path) -> None:
    text = report_html(qx.examples.load("zebra"), "zebra", "horse", method="removal", interactive=True)
    page = open_file(browser, tmp_path, text, java_script_enabled=False)
    assert page.locator(".answer").count() == 1
    assert page.locator("main > section h2").count() >= 4
    assert page.locator(".live, .exact").count() == 0
    page.context.close()


PICTURE = """() => [...document.querySelectorAll(".qx-graph .qx-node")].map(each => [each.dataset.name, {
  strength: Number(each.dataset.strength), words: each.getAttribute("aria-label"),
  text: each.querySelector("text:not([font-weight])").textContent,
  fill: Number(each.querySelectorAll("rect")[1].getAttribute("fill-opacity"))}])"""


def test_the_picture_of_a_report_follows_the_controls_and_paper_shows_what_was_computed(
    browser: Any, tmp_path: Path
) -> None:
    names = ["constructor", "__proto__", "toString", "valueOf", "other"]
    q = qx.Qbaf(
        dict.fromkeys(names, 0.5),
        attacks=[("toString", "__proto__")],
        supports=[("valueOf", "constructor"), ("valueOf", "other")],
        topics=["constructor", "__proto__", "other"],
    )
    text = report_html(q, "constructor", "__proto__", method="removal", interactive=True)
    page = open_file(browser, tmp_path, text)
    page.wait_for_selector("body[data-shown]")
    computed = page.evaluate("document.querySelector('.qx-graph').outerHTML")
    page.evaluate(MOVE, [q.index("valueOf"), 0.93])
    page.locator(f'[data-remove="{q.index("toString")}"]').check()
    page.locator(".ask select").nth(1).select_option(str(q.index("other")))
    page.wait_for_selector('.qx-graph [aria-label^="other, the foil"]')
    shown = dict(page.evaluate(PICTURE))
    now = qx.strengths(q.with_base_scores({"valueOf": 0.93}).restrict([x for x in q if x != "toString"]))
    assert set(shown) == set(names)
    for name, value in now.items():
        assert shown[name]["strength"] == pytest.approx(value, abs=1e-12)
        assert shown[name]["text"].endswith(f"→ {value:.2f}")
        assert shown[name]["fill"] == pytest.approx(0.85 * value, abs=0.006)
    assert shown["toString"]["text"] == "removed"
    assert shown["toString"]["words"] == "toString: gone"
    assert shown["__proto__"]["words"].startswith("__proto__, a topic")
    assert page.locator(".qx-edge.gone").count() == 1
    assert page.locator(".follows").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.querySelector('.qx-graph').outerHTML") == computed
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_selector(".qx-graph .removed")
    page.locator(".ask button").click()
    page.wait_for_function("computed => document.querySelector('.qx-graph')?.outerHTML === computed", arg=computed)
    assert page.locator(".follows").is_hidden()
    assert page.complaints == []
    page.context.close()


def test_the_controls_of_a_report_work_by_keyboard_and_axe_finds_no_violation_after_that(
    browser: Any, tmp_path: Path
) -> None:
    q = qx.examples.load("zebra")
    page = open_file(browser, tmp_path, report_html(q, "zebra", "horse", method="removal", interactive=True))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_selector("body[data-shown]")
    page.locator(f'[data-argument="{q.index("stripes")}"]').focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".qx-graph .edited")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.wait_for_selector(".qx-graph .removed")
    assert find_violations(page, "a report that was edited") == []
    assert asked == []
    page.context.close()
