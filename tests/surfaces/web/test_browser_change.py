"""What changed the gap, how to reach a goal, and how safe the order is: on the page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.show.numbers import number
from tests.support.browser import Open, row, until

pytestmark = pytest.mark.heavy

HEALTHCARE = qx.examples.load("healthcare")
PAIR = ("antiviral", "antibiotic")


def watch(page: Any) -> list[str]:
    """The last parts of the addresses that the page asks for from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    return sent


def settle(page: Any) -> None:
    """Wait for what the page does a moment after an answer."""
    page.wait_for_selector("body:not([data-behind])")


def fits(page: Any, place: str) -> bool:
    """Whether nothing in this place is wider than the place, nor the page than the window."""
    script = (
        "place => [document.querySelector(place), document.documentElement].every(e => e.scrollWidth <= e.clientWidth)"
    )
    found: bool = page.evaluate(script, place)
    return found


# -- what changed the gap -----------------------------------------------------------------------------------------


def pin(page: Any) -> None:
    page.click("#tab-compare")
    page.click("#pin")


def changes(page: Any, count: int) -> dict[str, str]:
    """Change → its share, once so many are listed."""
    script = "n => document.querySelectorAll('#change:not([aria-busy]) tbody tr').length === n"
    page.wait_for_function(script, arg=count)
    rows = page.locator("#change tbody tr").all()
    return {each.locator("th").inner_text(): each.locator("td").first.inner_text() for each in rows}


def test_the_shares_of_what_changed_since_the_pinned_state_are_the_librarys(page: Open) -> None:
    here = page()
    row(here, "wbc").locator("[type=number]").fill("0.4")  # part of the pinned state, and no change since
    before = HEALTHCARE.with_base_scores({"wbc": 0.4})
    until(here, f"({qx.strengths(before)['antiviral']:.3f}")
    pin(here)
    row(here, "pcr").locator("[type=number]").fill("0.2")
    row(here, "fever").locator("[type=checkbox]").uncheck()
    found = qx.change(before, before.with_base_scores({"pcr": 0.2}).without("fever"), *PAIR)
    assert changes(here, 2) == {
        "Positive PCR test: base score 0.500 → 0.200": number(found["base", "pcr"], "+"),
        "High fever: removed": number(found["drop", "fever"], "+"),
    }
    assert str(found) in here.inner_text("#change")
    here.click("#undo")
    alone = qx.change(before, before.with_base_scores({"pcr": 0.2}), *PAIR)
    assert changes(here, 1) == {"Positive PCR test: base score 0.500 → 0.200": number(alone["base", "pcr"], "+")}


def test_a_state_that_is_pinned_instead_has_no_changes_yet(page: Open) -> None:
    here = page()
    pin(here)
    assert here.locator("#change > *").count() == 0
    row(here, "pcr").locator("[type=number]").fill("0.2")
    changes(here, 1)
    here.click("#pin")
    here.wait_for_selector("#change tbody", state="detached")
    row(here, "pcr").locator("[type=number]").fill("0.3")
    assert list(changes(here, 1)) == ["Positive PCR test: base score 0.200 → 0.300"]
    here.locator("#compare").get_by_role("button", name="Unpin").click()
    here.wait_for_selector("#change", state="detached")


def test_changed_edges_are_named_with_what_changed(page: Open) -> None:
    here = page()
    pin(here)
    here.click("#edit")
    gone = here.get_by_role("button", name="Delete the support from viral to antiviral", exact=True)
    weight = here.locator(".edit", has=gone).get_by_label("Weight")
    weight.fill("0.5")
    weight.press("Tab")
    changes(here, 1)
    here.get_by_role("button", name="Delete the attack from viral to antibiotic", exact=True).click()
    changes(here, 2)
    here.click("#editor-done")
    assert set(changes(here, 2)) == {
        "Viral pneumonia → Antiviral therapy: weight 1.000 → 0.500",
        "Viral pneumonia → Antibiotic therapy: attack removed",
    }


def test_what_changed_is_asked_for_only_while_before_and_after_is_open(page: Open) -> None:
    here = page()
    sent = watch(here)
    pin(here)
    here.click("#tab-words")
    row(here, "pcr").locator("[type=number]").fill("0.2")
    until(here, "is rated below")
    settle(here)
    assert "change" not in sent
    here.click("#tab-compare")
    changes(here, 1)
    assert sent.count("change") == 1


def test_states_of_different_semantics_are_not_divided_into_shares(page: Open) -> None:
    here = page()
    pin(here)
    row(here, "pcr").locator("[type=number]").fill("0.2")
    here.select_option("#semantics", "df-quad")
    here.wait_for_function("() => document.querySelector('#change')?.textContent.includes('from qe to df-quad')")
    assert here.locator("#change table").count() == 0


def test_a_pinned_state_without_the_topic_is_answered_with_the_reason(page: Open) -> None:
    here = page()
    row(here, "bronchodilator").locator("[type=checkbox]").uncheck()
    here.wait_for_selector("#graph [data-name=bronchodilator]", state="detached")
    settle(here)
    pin(here)
    here.click("#reset")
    here.wait_for_selector("#graph [data-name=bronchodilator]")
    here.select_option("#foil", "bronchodilator")
    here.wait_for_selector("#change .problem")
    assert "bronchodilator" in here.inner_text("#change .problem")


def test_what_changed_fits_a_phone(page: Open) -> None:
    here = page(width=390, height=844)
    pin(here)
    row(here, "pcr").locator("[type=number]").fill("0.2")
    changes(here, 1)
    assert fits(here, "#compare")
