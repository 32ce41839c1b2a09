"""Edges, groups and pairs on the page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.show.numbers import number
from tests.support.browser import Open, open_example, row, upload

pytestmark = pytest.mark.heavy

HEALTHCARE = qx.examples.load("healthcare")
PAIR = ("antiviral", "antibiotic")


def choose_method(page: Any, method: str) -> None:
    """Choose a method and wait for its answer."""
    page.locator(f"#methods input[value={method}]").check(force=True)
    page.wait_for_function(
        "method => document.querySelector('#words').textContent.includes(method)", arg=f"{qx.METHODS[method].measures}"
    )


def open_bar(page: Any, name: str) -> dict[str, str]:
    """Open a bar; target → value of the edges that it opens into."""
    page.click(f'#bars [data-name="{name}"]')
    return edges(page)


def edges(page: Any) -> dict[str, str]:
    page.wait_for_selector("#bars .inside[aria-busy=false]")
    rows = page.locator("#bars .inside .part").all()
    return {each.locator(".text").inner_text().split("\n")[-1]: each.locator(".value").inner_text() for each in rows}


def expected(source: str, method: str, qbaf: qx.Qbaf = HEALTHCARE) -> dict[str, str]:
    why = qx.contrast(qbaf, *PAIR, players="edges", method=method)
    return {qbaf.label(target): number(value, "+") for (start, target), value in why.items() if start == source}


# -- a bar opens into its edges -----------------------------------------------------------------------------------


def test_a_shapley_bar_opens_into_edges_that_add_up_to_it(page: Open) -> None:
    here = page()
    whole = here.locator("#bars svg").get_attribute("viewBox")
    assert here.get_attribute("#bars [data-name=asthma]", "aria-expanded") == "false"
    assert open_bar(here, "asthma") == expected("asthma", "owen")
    assert "add up to −0.001" in here.inner_text("#bars .inside")
    assert here.get_attribute("#bars [data-name=asthma]", "aria-expanded") == "true"
    assert open_bar(here, "viral") == expected("viral", "owen")  # opens instead of the other
    assert here.locator("#bars [aria-expanded=true]").count() == 1
    here.click('#bars [data-name="viral"]')
    here.wait_for_selector("#bars .inside", state="detached")
    assert here.locator("#bars [aria-expanded=true]").count() == 0
    assert here.locator("#bars svg").get_attribute("viewBox") == whole


def test_the_rows_below_an_open_bar_move_down(page: Open) -> None:
    here = page()
    before = here.locator("#bars [data-name=bacterial]").bounding_box()["y"]
    open_bar(here, "viral")
    inside = here.locator("#bars .inside").bounding_box()
    after = here.locator("#bars [data-name=bacterial]").bounding_box()["y"]
    assert after - before == pytest.approx(inside["height"], abs=2)
    assert after >= inside["y"] + inside["height"] - 2


def test_a_bar_opens_and_closes_by_keyboard(page: Open) -> None:
    here = page()
    here.locator("#bars [data-name=pcr]").focus()
    here.keyboard.press("Enter")
    assert edges(here) == expected("pcr", "owen")
    here.keyboard.press("Escape")
    here.wait_for_selector("#bars .inside", state="detached")
    here.keyboard.press("Space")
    assert edges(here) == expected("pcr", "owen")


@pytest.mark.parametrize(
    ("method", "shown", "said"),
    [
        ("removal", "removal", "lost without each edge"),
        ("gradient", "gradient", "per unit of each edge's weight"),
        ("intrinsic", "removal", "intrinsic is not defined for edges"),
        ("sampled", "owen", "of which the bar is an estimate"),
    ],
)
def test_a_bar_of_another_method_says_what_its_edges_show(page: Open, method: str, shown: str, said: str) -> None:
    here = page()
    choose_method(here, method)
    assert open_bar(here, "viral") == expected("viral", shown)
    assert said in here.inner_text("#bars .inside")
    assert ("do not add up" in here.inner_text("#bars .inside")) == (method != "sampled")


def test_an_open_bar_follows_the_slider(page: Open) -> None:
    here = page()
    open_bar(here, "viral")
    row(here, "viral").locator("[type=range]").fill("0.9")
    changed = expected("viral", "owen", HEALTHCARE.with_base_scores({"viral": 0.9}))
    here.wait_for_function(
        "value => [...document.querySelectorAll('#bars .inside .value')].some((each) => each.textContent === value)",
        arg=changed["Antiviral therapy"],
    )
    assert edges(here) == changed


@pytest.mark.parametrize(
    ("method", "size", "said"),
    [("shapley", 20, "lost without each edge"), ("sampled", 30, "among all edges, estimated")],
)
def test_a_bar_whose_shares_are_too_many_says_what_it_shows_instead(
    page: Open, method: str, size: int, said: str
) -> None:
    here = page()
    names = [f"x{k}" for k in range(size)]
    graph = qx.Qbaf(
        dict.fromkeys(["p", "q", "z", *names], 0.5),
        supports=[("z", "p"), *((name, "p") for name in names), *((name, "q") for name in names[:8])],
        attacks=[("z", "q")],
        topics=["p", "q"],
    )
    here.locator(f"#methods input[value={method}]").check(force=True)
    upload(here, "wide.json", write_text(graph, "json"))
    here.wait_for_selector("#bars [data-name=z]")
    assert set(open_bar(here, "z")) == {"p", "q"}
    assert "need more evaluations than this server allows" in here.inner_text("#bars .inside")
    assert said in here.inner_text("#bars .inside")


def test_another_graph_closes_the_bar(page: Open) -> None:
    here = page()
    open_bar(here, "viral")
    open_example(here, "zebra")
    here.wait_for_selector("#bars [data-name=stripes]")
    assert here.locator("#bars .inside").count() == 0
