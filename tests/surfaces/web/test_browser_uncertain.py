"""Uncertain base scores on the page, in a real Chromium: sliders with two thumbs, and how sure the order is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Open, open_example, row, upload

pytestmark = pytest.mark.heavy

HEALTHCARE = qx.examples.load("healthcare")
PAIR = ("antiviral", "antibiotic")
SAMPLES = 2048  # that the page asks for
MAY = {
    "pcr": {"beta": [8.0, 8.0]},
    "fever": {"normal": [0.5, 0.1]},
    "viral": {"interval": [0.3, 0.6]},
    "cough": {"samples": [0.4, 0.5, 0.5, 0.9]},
}
FILE = json.dumps(json.loads(write_text(HEALTHCARE, "json")) | {"uncertain": MAY})


def thumb(page: Any, name: str, which: int) -> Any:
    return row(page, name).locator(".span input").nth(which)


def drag_thumb(page: Any, name: str, old: float, new: float) -> None:
    """Drag the thumb that stands at one value to another, by mouse; a thumb is 10 pixels wide."""
    box = row(page, name).locator(".span").bounding_box()
    ends = [box["x"] + 5 + (box["width"] - 10) * value for value in (old, new)]
    page.mouse.move(ends[0], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(ends[1], box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()


def wait_for_words(page: Any, graph: qx.Qbaf, scores: dict[str, Any] | None = None) -> None:
    """Wait until the page says how sure the order is, in the words of the library."""
    found = qx.uncertainty(graph, *PAIR, scores=scores or {}, samples=SAMPLES)
    page.wait_for_function(
        "text => document.querySelector('#sure:not([hidden]) p')?.textContent === text", arg=str(found)
    )


def open_file(page: Any) -> None:
    upload(page, "uncertain.json", FILE)
    page.wait_for_selector("#sure:not([aria-busy]) p")


def save_json(page: Any) -> Any:
    page.click("#save-menu summary")
    with page.expect_download() as started:
        page.click('[data-save="json"]')
    return json.loads(Path(started.value.path()).read_text())


def test_two_thumbs_set_an_interval_and_the_answer_says_how_sure_the_order_is(page: Open) -> None:
    here = page()
    assert not here.locator("#sure").is_visible()
    button = here.get_by_role("button", name="Uncertain base score of Positive PCR test")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    wait_for_words(here, HEALTHCARE, {"pcr": (0.4, 0.6)})
    here.get_by_role("slider", name="Lowest base score of Positive PCR test").focus()
    for _ in range(3):
        here.keyboard.press("ArrowLeft")
    thumb(here, "pcr", 1).fill("0.55")
    wait_for_words(here, HEALTHCARE, {"pcr": (0.37, 0.55)})
    assert row(here, "pcr").locator(".may").inner_text() == "0.370 to 0.550"
    assert row(here, "pcr").locator("[type=number]").input_value() == "0.5"
    assert "“Positive PCR test”" in here.inner_text("#sure p")
    assert here.locator("#sure svg rect").count() > 10
    assert here.get_attribute("#sure svg", "aria-label").startswith("Distribution of the gap from ")


def test_the_thumbs_do_not_cross_and_take_the_base_score_with_them(page: Open) -> None:
    here = page()
    row(here, "pcr").locator(".spread").click()
    wait_for_words(here, HEALTHCARE, {"pcr": (0.4, 0.6)})
    drag_thumb(here, "pcr", 0.4, 0.2)
    drag_thumb(here, "pcr", 0.6, 0.8)
    assert [float(thumb(here, "pcr", k).input_value()) for k in (0, 1)] == pytest.approx([0.2, 0.8], abs=0.025)
    thumb(here, "pcr", 1).fill("0.6")
    thumb(here, "pcr", 0).fill("0.9")  # beyond the other end
    assert thumb(here, "pcr", 0).input_value() == "0.6"
    assert row(here, "pcr").locator("[type=number]").input_value() == "0.6"
    row(here, "pcr").locator("[type=number]").fill("0.2")  # a base score outside widens the interval
    wait_for_words(here, HEALTHCARE.with_base_scores({"pcr": 0.2}), {"pcr": (0.2, 0.6)})
    assert [thumb(here, "pcr", which).input_value() for which in (0, 1)] == ["0.2", "0.6"]


def test_an_interval_is_undone_kept_in_the_link_and_saved(page: Open) -> None:
    here = page()
    row(here, "wbc").locator(".spread").click()
    thumb(here, "wbc", 1).fill("0.9")
    wait_for_words(here, HEALTHCARE, {"wbc": (0.4, 0.9)})
    assert save_json(here)["uncertain"] == {"wbc": {"interval": [0.4, 0.9]}}
    here.wait_for_selector("body:not([data-behind])")
    there = page(here.evaluate("location.hash"))
    wait_for_words(there, HEALTHCARE, {"wbc": (0.4, 0.9)})
    assert thumb(there, "wbc", 1).input_value() == "0.9"
    here.click("#undo")
    wait_for_words(here, HEALTHCARE, {"wbc": (0.4, 0.6)})
    here.click("#undo")
    here.wait_for_selector("#sure", state="hidden")
    assert not row(here, "wbc").locator(".span").is_visible()
    assert "uncertain" not in save_json(here)
    there.click("#reset")
    there.wait_for_selector("#sure", state="hidden")


def test_distributions_of_a_file_are_shown_in_words_until_their_base_score_is_set(page: Open) -> None:
    here = page()
    open_file(here)
    graph = qx.read_text(FILE, "json")
    wait_for_words(here, graph)
    said = {name: row(here, name).locator(".may").inner_text() for name in MAY}
    assert said == {
        "pcr": "beta(8, 8)",
        "fever": "normal with mean 0.500 and standard deviation 0.100",
        "viral": "0.300 to 0.600",
        "cough": "4 samples from 0.400 to 0.900",
    }
    row(here, "pcr").locator("[type=number]").fill("0.4")
    wait_for_words(here, graph.with_base_scores({"pcr": 0.4}))
    assert row(here, "pcr").locator(".spread").get_attribute("aria-pressed") == "false"
    row(here, "pcr").locator(".back").click()
    wait_for_words(here, graph)
    row(here, "pcr").locator(".spread").click()  # certain, without another base score
    wait_for_words(here, graph.with_base_scores({"pcr": 0.5}))
    assert set(save_json(here)["uncertain"]) == {"fever", "viral", "cough"}


def test_the_figure_of_uncertainty_is_offered_only_where_base_scores_are_uncertain(page: Open) -> None:
    here = page()
    figure = here.locator("#figures [data-figure=uncertainty] button", has_text="svg")
    here.click("#save-menu summary")
    here.wait_for_selector("#figures [data-figure=bars] button")
    assert not figure.is_visible()
    here.keyboard.press("Escape")
    row(here, "pcr").locator(".spread").click()
    here.click("#save-menu summary")
    figure.wait_for(state="visible")
    with here.expect_download() as started:
        figure.click()
    assert "ahead" in Path(started.value.path()).read_text()
    open_example(here, "zebra")
    here.wait_for_selector("#sure", state="hidden")
    here.click("#save-menu summary")
    figure.wait_for(state="hidden")


def test_an_uncertain_argument_is_renamed_and_deleted_with_what_it_may_be(page: Open) -> None:
    here = page()
    open_file(here)
    row(here, "wbc").locator(".spread").click()
    here.click("#edit")
    for old, new in (("pcr", "test"), ("wbc", "cells")):
        name = here.get_by_label(f"Name of {old}", exact=True)
        name.fill(new)
        name.press("Tab")
        here.wait_for_selector(f'#graph [data-name="{new}"]')
    here.get_by_role("button", name="Delete fever", exact=True).click()
    here.wait_for_selector('#graph [data-name="fever"]', state="detached")
    here.click("#editor-done")
    saved = save_json(here)["uncertain"]
    kept = {"test": MAY["pcr"], "viral": MAY["viral"], "cough": MAY["cough"]}
    assert saved == kept | {"cells": {"interval": [0.4, 0.6]}}


def test_arguments_may_have_the_names_of_what_every_object_has(page: Open) -> None:
    graph = qx.Qbaf(
        {"constructor": 0.4, "valueOf": 0.3, "toString": 0.6},
        supports=[("toString", "constructor")],
        attacks=[("toString", "valueOf")],
        topics=["constructor", "valueOf"],
    )
    here = page()
    upload(here, "names.json", write_text(graph, "json"))
    here.wait_for_selector('#graph [data-name="constructor"]')
    assert row(here, "constructor").locator("[type=number]").input_value() == "0.4"
    row(here, "toString").locator(".spread").click()
    assert row(here, "valueOf").locator(".spread").get_attribute("aria-pressed") == "false"
    here.wait_for_function(
        "() => /constructor is ahead of valueOf/.test(document.querySelector('#sure p')?.textContent)"
    )
    here.click("#tab-reach")
    here.wait_for_selector(".level[data-level=constructor] .bar.fact")
    assert here.locator(".level .edge:visible").count() == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_uncertain_base_scores_fit_the_window_and_are_fetched_when_there_are_any(
    page: Open, width: int, height: int
) -> None:
    here = page(width=width, height=height)
    fetched = "performance.getEntriesByType('resource').some(({ name }) => /(sure|spans)\\.js$/.test(name))"
    assert not here.evaluate(fetched)
    open_file(here)
    assert here.evaluate(fetched)
    for place in ("#sure", "#score-rows", "html"):
        assert here.evaluate(
            "place => { const e = document.querySelector(place); return e.scrollWidth <= e.clientWidth; }", place
        )
    assert thumb(here, "viral", 0).bounding_box()["width"] >= 100
