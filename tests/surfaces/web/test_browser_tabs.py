"""The parts under the graph where there is little to say, and computations that are stopped, in a real Chromium."""

from __future__ import annotations

import json
from typing import Any

import pytest

import qontrast as qx
from qontrast.show.numbers import number
from tests.support.browser import Open, pick, row, until, upload

pytestmark = pytest.mark.heavy

GRAPH = qx.Qbaf(
    {"p": 0.4, "q": 0.6, "a": 0.3, "b": 0.2, "lone": 0.5},
    supports={("a", "p"): 0.5},
    attacks={("b", "a"): 0.8},
    topics=["p", "q"],
)


def open_graph(page: Any, graph: qx.Qbaf = GRAPH) -> None:
    upload(page, "graph.json", json.dumps(graph.to_dict()))
    page.wait_for_selector('body:not([data-quick], [data-stale], [data-behind]) #graph [data-name="p"]')


def wait_for_text(page: Any, place: str, text: str) -> None:
    script = "([place, text]) => document.querySelector(place)?.textContent.includes(text)"
    page.wait_for_function(script, arg=[place, text])


def test_an_argument_is_not_compared_with_itself_in_any_tab(page: Open) -> None:
    here = page()
    open_graph(here)
    here.select_option("#foil", "q")
    here.select_option("#fact", "q")
    until(here, "q")
    here.wait_for_selector("body:not([data-behind])")
    for tab in ("flip", "together"):
        here.click(f"#tab-{tab}")
        wait_for_text(here, f"#{tab}", "Choose two different arguments.")
    here.click("#tab-reach")
    here.click("#safe")
    wait_for_text(here, "#robust", "Choose two different arguments.")


def test_paths_say_where_none_leads_and_whose_argument_is_removed(page: Open) -> None:
    here = page()
    open_graph(here)
    here.click('#graph [data-name="b"]')
    wait_for_text(here, "#paths", "No path leads to q.")
    lines = here.locator("#paths li").all_inner_texts()
    assert len(lines) == 1
    assert lines[0].startswith("▼")
    classes = here.locator("#paths li").first.get_attribute("class")
    fact = here.input_value("#fact")
    assert classes == ("down" if fact == "p" else "up")  # against the fact, or for it
    row(here, "b").locator("[type=checkbox]").uncheck()
    wait_for_text(here, "#paths", "It is removed.")
    here.click("#undo")
    wait_for_text(here, "#paths", "No path leads to q.")


def test_a_tab_asks_once_for_the_same_question(page: Open) -> None:
    here = page()
    open_graph(here)
    asked: list[str] = []
    here.on("request", lambda sent: asked.append(sent.url.rpartition("/")[2]))
    for _ in range(2):
        here.click("#tab-flip")
        here.wait_for_selector("#flip p:not(.muted)")
        here.click("#tab-together")
        here.wait_for_selector("#together p:not([role])")
        here.click("#tab-words")
    assert (asked.count("interactions"), asked.count("flip") <= 2) == (1, True)
    before = asked.count("flip")
    row(here, "a").locator("[type=number]").fill("0.9")
    here.wait_for_selector("body:not([data-quick], [data-behind])")
    here.click("#tab-flip")
    here.wait_for_function("() => document.querySelector('#flip p:not(.muted)')")
    assert asked.count("flip") > before


def test_a_computation_that_is_stopped_before_any_answer_says_so_and_begins_again(page: Open) -> None:
    here = page()
    here.route("**/api/explain", lambda _: None)
    upload(here, "graph.json", json.dumps(GRAPH.to_dict()))
    here.wait_for_selector("#stop:not([hidden])")
    assert here.inner_text("#stop") == "Stop"
    here.click("#stop")
    wait_for_text(here, "#answer", "Stopped.")
    assert here.locator("#bars svg, #graph svg, #pairs table").count() == 0
    assert here.inner_text("#status-text") == "Stopped."
    here.unroute_all(behavior="ignoreErrors")
    here.click("#stop:text-is('Compute')")
    until(here, "is rated")
    here.wait_for_selector('#graph [data-name="p"]')


def test_a_page_that_cannot_begin_tries_until_the_server_is_there(page: Open) -> None:
    here = page(expected="Failed to load resource")
    here.route("**/api/tables", lambda route: route.abort())
    here.reload()
    wait_for_text(here, "#banner span", "The server does not answer")
    here.unroute_all(behavior="ignoreErrors")
    here.wait_for_selector("body[data-ready]")
    until(here, "(0.3564)")


def test_the_largest_of_many_changes_since_the_pinned_state_are_listed_and_the_rest_is_counted(page: Open) -> None:
    here = page()
    here.click("#tab-compare")
    here.click("#pin")
    graph = qx.examples.load("healthcare")
    moved = {name: round(0.9 * score, 2) for name, score in graph.base_scores.items() if 0 < score < 1}
    assert len(moved) > 8
    for name, score in moved.items():
        row(here, name).locator("[type=number]").fill(str(score))
    wait_for_text(here, "#change", f"{len(moved) - 8} more have smaller shares")
    found = qx.change(graph, graph.with_base_scores(moved), here.input_value("#fact"), here.input_value("#foil"))
    sizes = sorted((abs(found["base", name]) for name in moved), reverse=True)
    shown = here.locator("#change tbody tr td:nth-child(2)").all_inner_texts()
    values = [abs(float(text.partition(" ±")[0].replace("−", "-"))) for text in shown]
    assert values == pytest.approx(sizes[:8], abs=6e-4)


def test_the_form_for_a_goal_follows_a_removal_with_bars_of_the_new_strengths_and_without_old_results(
    page: Open,
) -> None:
    here = page()
    open_graph(here)
    here.click("#tab-reach")
    here.click("#find")
    here.wait_for_selector("#reached:not([aria-busy]) p")
    here.click("#safe")
    here.wait_for_selector("#robust:not([aria-busy]) p")
    row(here, "b").locator("[type=checkbox]").uncheck()
    here.wait_for_selector("[data-lock=b]", state="detached")
    for name, strength in qx.strengths(GRAPH.without("b")).items():
        if name in ("p", "q"):
            wait_for_text(here, f".level[data-level={name}] .value", number(strength))
    assert here.locator("#reached > *, #safety p").count() == 0
    assert here.locator(".level :is(.after, .sure, .open, .edge):visible").count() == 0


def test_the_one_behind_may_win_also_where_contributions_are_refused(page: Open) -> None:
    here = page()
    pick(here, "players", "edges")
    here.wait_for_selector("#bars [data-source]")
    pick(here, "methods", "shapley")  # of 29 edges
    wait_for_text(here, "#status-text", "Quick values instead")
    here.click("#swap")
    until(here, "“Antibiotic therapy” (0.2368) is rated below")
    here.click("#tab-flip")
    here.wait_for_selector("#flip h3")
    assert here.inner_text("#flip h3") == "What would make Antibiotic therapy win over Antiviral therapy?"
