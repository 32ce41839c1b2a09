"""Nothing is lost: failures leave the last answer, states survive a reload, Back steps through questions."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Open, answer, list_unexplained, pick, row, until, upload

pytestmark = pytest.mark.heavy

FAILURES: dict[str, Any] = {
    "the server is gone": lambda route: route.abort(),
    "an error of the server": lambda route: route.fulfill(status=500, body="oops"),
    "a busy server": lambda route: route.fulfill(
        status=503, headers={"Retry-After": "1"}, json={"error": "too many questions at once", "kind": "Refused"}
    ),
}
SAID = {
    "the server is gone": "The server does not answer",
    "an error of the server": "The server answered with an error (500)",
    "a busy server": "Too many questions at once",
}


def strength(name: str = "antiviral", **scores: float) -> str:
    found = qx.strengths(qx.examples.load("healthcare").with_base_scores(scores))[name]
    return f"({found:.3f}"


def until_kept(page: Any) -> None:
    """Wait until the page has the state in its history."""
    page.wait_for_selector("body:not([data-behind]):not([data-busy])")


def test_a_failure_keeps_the_last_answer_and_is_tried_again_by_itself(page: Open) -> None:
    here = page(expected="Failed to load resource")
    for score, (kind, fail) in zip((0.9, 0.8, 0.7), FAILURES.items(), strict=True):
        before = here.evaluate("[...document.querySelectorAll('#graph .qx-node')].length")
        here.route("**/api/explain", fail)
        row(here, "pcr").locator("[type=number]").fill(str(score))
        here.wait_for_selector("body[data-stale] #banner:not([hidden])")
        seen = here.evaluate("""() => ({
            banner: document.querySelector("#banner span").textContent,
            answer: document.querySelector("#answer").textContent,
            nodes: document.querySelectorAll("#graph .qx-node").length,
        })""")
        assert seen["banner"].startswith(SAID[kind])
        assert "It is asked for again by itself" in seen["banner"]
        assert "Antiviral therapy" in seen["answer"]
        assert seen["nodes"] == before > 0
        here.unroute("**/api/explain")
        until(here, strength(pcr=score))
        here.wait_for_selector("body:not([data-stale]) #banner[hidden]", state="attached")


def test_a_graph_that_cannot_be_answered_leaves_the_old_picture_dimmed(page: Open) -> None:
    here = page(expected="Failed to load resource")
    here.route("**/api/explain", FAILURES["an error of the server"])
    upload(here, "zebra.json", write_text(qx.examples.load("zebra"), "json"))
    here.wait_for_selector("body[data-stale] #banner:not([hidden])")
    seen = here.evaluate("""() => ({
        title: document.querySelector("#title").textContent,
        answer: document.querySelector("#answer").textContent,
        old: document.querySelectorAll('#graph[inert] [data-name="pcr"], #bars[inert] [data-name="pcr"]').length,
        dimmed: getComputedStyle(document.querySelector("#graph")).opacity < 1,
    })""")
    assert seen.pop("answer").startswith("“Antiviral therapy” (0.3564)")
    assert seen == {"title": "zebra.json", "old": 2, "dimmed": True}
    here.unroute("**/api/explain")
    until(here, "It is a zebra")
    here.wait_for_selector('#graph:not([inert]) [data-name="stripes"]')


def test_a_question_that_is_refused_for_good_keeps_the_last_answer_and_is_not_repeated(page: Open) -> None:
    here = page(expected="Failed to load resource")
    asked: list[str] = []

    def refuse(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503, json={"error": "this took longer than 20 seconds", "kind": "Refused"})

    here.route("**/api/explain", refuse)
    row(here, "pcr").locator("[type=number]").fill("0.9")
    here.wait_for_selector("body[data-stale] #banner:not([hidden])")
    assert here.locator("#banner button", has_text="Try now").is_hidden()
    assert "Antiviral therapy" in answer(here)
    here.unroute("**/api/explain")
    here.click("#undo")
    here.wait_for_selector("#banner[hidden]", state="attached")
    assert asked


def test_errors_of_scripts_are_shown(page: Open) -> None:
    here = page(expected="planted")
    here.evaluate("setTimeout(() => { throw new Error('planted'); })")
    here.wait_for_function("() => document.querySelector('#banner span')?.textContent.includes('planted')")
    here.click("#banner [aria-label=Dismiss]")
    here.evaluate("setTimeout(() => Promise.reject(new Error('planted again')))")
    here.wait_for_function("() => document.querySelector('#banner span')?.textContent.includes('planted again')")


def test_a_state_too_large_for_an_address_survives_a_reload(page: Open) -> None:
    here = page()
    pick(here, "methods", "gradient")
    upload(here, "large.json", write_text(qx.examples.random(300, seed=1), "json"))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'large.json'")
    first = here.locator(".row").first.get_attribute("data-name")
    row(here, first).locator("[type=number]").fill("0.123")
    here.wait_for_function("() => document.querySelector('#answer')?.textContent.includes('is rated')")
    until_kept(here)
    here.wait_for_function("() => history.state?.entry && !location.hash")
    here.reload()
    here.wait_for_selector("body[data-ready]")
    assert here.inner_text("#title") == "large.json"
    assert row(here, first).locator("[type=number]").input_value() == "0.123"


def test_back_and_forward_step_through_questions_with_their_base_scores(page: Open) -> None:
    here = page()
    row(here, "pcr").locator("[type=number]").fill("0.9")
    until(here, strength(pcr=0.9))
    until_kept(here)
    here.select_option("#foil", "bronchodilator")
    until(here, "above “Bronchodilator therapy”")
    until_kept(here)
    row(here, "pcr").locator("[type=number]").fill("0.3")
    until(here, strength(pcr=0.3))
    until_kept(here)
    here.go_back()  # one step for the question, none for the slider
    until(here, "above “Antibiotic therapy”")
    until(here, strength(pcr=0.9))
    until_kept(here)
    here.go_forward()
    until(here, "above “Bronchodilator therapy”")
    until(here, strength(pcr=0.3))


# -- understand in 30 seconds ---------------------------------------------------------------------------------------


def test_four_steps_greet_newcomers_until_they_are_dismissed(page: Open) -> None:
    here = page()
    assert here.locator("#steps li").count() == 4
    here.click("#steps-done")
    here.wait_for_selector("#steps", state="hidden")
    here.reload()
    here.wait_for_selector("body[data-ready]")
    assert here.locator("#steps").is_hidden()


def test_a_change_survives_a_reload_before_its_answer_comes(page: Open) -> None:
    here = page()
    here.wait_for_selector("body:not([data-behind])")  # the page has made its store
    here.route("**/api/explain", lambda _: None)  # the answer never comes
    row(here, "pcr").locator("input[type=number]").fill("0.9")
    here.evaluate(
        """() => new Promise((done) => {
            const opened = indexedDB.open("qontrast", 1), look = () => {
                const all = opened.result.transaction("states").objectStore("states").getAll();
                all.onsuccess = () => (all.result.some(({ set }) => set.pcr === 0.9) ? done() : setTimeout(look, 50));
            };
            opened.onsuccess = look;
        })"""
    )
    here.reload()
    here.wait_for_function("() => document.querySelector('.row[data-name=pcr] [type=number]')?.value === '0.9'")
    here.unroute_all(behavior="ignoreErrors")


def test_every_control_is_explained_on_hover_on_touch_and_on_focus(page: Open) -> None:
    here = page(has_touch=True)
    assert list_unexplained(here) == []
    for choice in ("methods", "players", "semantics", "solver"):
        here.click(f"#{choice} summary")
        chosen = here.locator(f"#{choice} label:has(:checked)")
        code, title = chosen.locator("input").input_value(), chosen.locator("b").inner_text()
        assert here.get_attribute(f"#{choice} summary", "title").split(": ", 1)[1] == chosen.get_attribute("title")
        assert chosen.get_attribute("title").startswith(f"{title} ({code}): ")
        assert here.inner_text(f"#{choice} summary").splitlines()[-1] == title
        here.keyboard.press("Escape")
    said = here.locator("#methods label:has([value=shapley])").get_attribute("title")
    assert said == f"Shapley values (shapley): {qx.METHODS['shapley'].measures}"
    here.tap("#swap")
    here.wait_for_function("() => document.querySelector('.tip:not([hidden])')?.textContent.startsWith('Exchange')")
    here.locator("#edit").focus()
    here.keyboard.press("Tab")
    here.keyboard.press("Shift+Tab")
    here.wait_for_function(
        "() => document.querySelector('.tip:not([hidden])')?.textContent.startsWith('Change the graph')"
    )


def test_the_sentence_stays_in_view_on_phones_tablets_and_zoomed_pages(page: Open) -> None:
    here = page()
    for width, height in ((390, 844), (768, 1024), (720, 450), (1280, 500)):
        here.set_viewport_size({"width": width, "height": height})
        here.wait_for_function(
            """width => {
                document.querySelector("#scores")?.scrollIntoView();
                const { top, bottom } = document.querySelector("#answer")?.getBoundingClientRect() ?? {};
                return innerWidth === width && scrollY > 0 && top >= 0 && bottom < innerHeight / 2;
            }""",
            arg=width,
        )
