"""What changed the gap, how to reach a goal, and how safe the order is: on the page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.show.numbers import number, write_move
from tests.support.browser import Open, open_example, row, until, upload

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


# -- what it would take -------------------------------------------------------------------------------------------

ACYCLIC = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "a": 0.3, "b": 0.2},
    supports={("a", "p"): 0.5, ("b", "q"): 1.0},
    attacks={("a", "q"): 1.0, ("b", "p"): 0.8},
    topics=["p", "q"],
    semantics="qe",
)


def open_goal(page: Any, graph: qx.Qbaf | None = ACYCLIC) -> None:
    """Open a graph, and the form for a goal."""
    if graph is not None:
        upload(page, "graph.json", write_text(graph, "json"))
        page.wait_for_selector("#graph [data-name=p]")
    page.click("#tab-reach")
    page.wait_for_selector("#find")


def find(page: Any, topic: str, relation: str, target: str, *locks: str) -> None:
    """Ask for a change that reaches a goal, and wait for the answer."""
    page.select_option("#goal-topic", topic)
    page.select_option("#goal-relation", relation)
    page.fill("#goal-target", target)
    if locks:
        page.click(".locks summary")
    for name in locks:
        page.click(f'[data-lock="{name}"]')
        assert page.get_attribute(f'[data-lock="{name}"]', "aria-pressed") == "true"
    page.click("#find")
    page.wait_for_selector("#reached:not([aria-busy]) p")


@pytest.mark.parametrize(
    ("relation", "target", "locks"), [(">=", "0.6", ["q"]), ("<=", "0.3", []), (">=", "0.5", ["q", "a"])]
)
def test_the_change_that_reaches_a_goal_is_the_librarys_and_is_applied_and_undone(
    page: Open, relation: str, target: str, locks: list[str]
) -> None:
    here = page()
    open_goal(here)
    find(here, "q", relation, target, *locks)
    found = qx.reach(ACYCLIC, f"q {relation} {target}", fixed=locks)
    moves = moves_of(found)
    rows = here.locator("#reached tbody tr").all()
    shown = {each.locator("th").inner_text(): tuple(each.locator("td").all_inner_texts()) for each in rows}
    assert shown == {name: write_move(*move) for name, move in moves.items()}
    assert str(found) in here.inner_text("#reached")
    assert f"Cost {number(found.cost)}" in here.inner_text("#reach-cost")
    assert ("not proved" in here.inner_text("#reach-cost")) == (not found.proved)
    here.click("#apply-reach")
    here.wait_for_selector("#apply-reach:disabled")
    assert here.locator("#reach-old").is_visible()
    for name, (_, new) in moves.items():
        assert float(row(here, name).locator("[type=number]").input_value()) == pytest.approx(new, abs=5e-5)
    here.wait_for_function(f"() => document.querySelector('#goal-now').textContent === 'now {number(float(target))}'")
    here.click("#undo")
    here.wait_for_selector("#apply-reach:enabled")
    for name, (old, _) in moves.items():
        assert float(row(here, name).locator("[type=number]").input_value()) == old


def moves_of(found: Any) -> dict[str, tuple[float, float]]:
    """Argument → its base score and the one that it needs."""
    return {name: (move["from"], move["to"]) for name, move in found.to_dict()["change"]["base_scores"].items()}


def test_the_form_proposes_that_the_weaker_topic_becomes_as_strong_and_shows_its_strength(page: Open) -> None:
    here = page()
    open_goal(here, None)
    assert here.input_value("#goal-topic") == "antibiotic"
    assert here.input_value("#goal-target") == "0.36"
    assert here.inner_text("#goal-now") == "now 0.237"
    line = here.locator("#goal-line").bounding_box()
    slider = here.locator("#reach [type=range]").bounding_box()
    place = (line["x"] + 1 - slider["x"] - 8) / (slider["width"] - 16)
    assert place == pytest.approx(qx.strengths(HEALTHCARE)["antibiotic"], abs=0.02)
    here.locator("#reach [type=range]").fill("0.3")
    assert here.input_value("#goal-target") == "0.3"


def test_goals_that_hold_or_that_nothing_reaches_offer_nothing_to_apply(page: Open) -> None:
    here = page()
    open_goal(here)
    find(here, "q", ">=", "0.1")
    assert "holds already" in here.inner_text("#reached")
    find(here, "q", ">=", "0.9", *ACYCLIC.arguments)
    assert here.locator("#apply-reach").count() == 0
    assert here.inner_text("#reached")


@pytest.mark.parametrize(("target", "said"), [("", "Enter a number"), ("7", "7")])
def test_a_target_that_is_no_strength_is_answered_in_words(page: Open, target: str, said: str) -> None:
    here = page()
    open_goal(here)
    find(here, "q", ">=", target)
    assert said in here.inner_text("#reached .problem")


def test_finding_again_cancels_the_search_before(page: Open) -> None:
    here = page()
    open_goal(here)
    here.route("**/api/reach", lambda route: None, times=1)  # never answered
    here.click("#find")
    here.wait_for_selector("#reached[aria-busy=true]")
    find(here, "q", ">=", "0.6")
    assert here.locator("#apply-reach").is_enabled()


def test_goals_and_locks_are_set_by_keyboard_and_stay_while_sliders_move(page: Open) -> None:
    here = page()
    open_goal(here)
    here.locator(".locks summary").focus()
    here.keyboard.press("Enter")
    here.get_by_role("button", name="Lock q", exact=True).focus()
    here.keyboard.press("Space")
    here.fill("#goal-target", "0.55")
    row(here, "a").locator("[type=number]").fill("0.9")
    strength = number(qx.strengths(ACYCLIC.with_base_scores({"a": 0.9}))["q"])
    here.wait_for_function(f"() => document.querySelector('#goal-now').textContent === 'now {strength}'")
    assert here.get_attribute("[data-lock=q]", "aria-pressed") == "true"
    here.locator("#goal-target").focus()
    here.keyboard.press("Enter")
    here.wait_for_selector("#reached:not([aria-busy]) p")
    assert "q was not allowed to change" in here.inner_text("#reached")


def test_another_graph_has_a_form_of_its_own(page: Open) -> None:
    here = page()
    open_goal(here)
    find(here, "q", ">=", "0.6", "q")
    open_example(here, "zebra")
    here.wait_for_selector("[data-lock=stripes]", state="attached")
    assert here.locator("#reached > *").count() == 0
    assert here.locator(".lock[aria-pressed=true]").count() == 0
    upload(here, "other.json", write_text(ACYCLIC, "json"))  # the same names in another file
    here.wait_for_selector("[data-lock=q]", state="attached")
    assert here.locator(".lock[aria-pressed=true]").count() == 0


def test_a_search_for_another_graph_shows_nothing_in_this_one(page: Open) -> None:
    here = page()
    open_goal(here)
    here.route("**/api/reach", lambda route: None, times=1)  # never answered
    here.click("#find")
    here.wait_for_selector("#reached[aria-busy=true]")
    with here.expect_event("requestfailed"):  # the page gives the question up
        open_example(here, "zebra")
    here.wait_for_selector("[data-lock=stripes]", state="attached")
    assert here.locator("#reached > *").count() == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_form_for_a_goal_fits_the_window_and_is_fetched_when_it_is_opened(
    page: Open, width: int, height: int
) -> None:
    here = page(width=width, height=height)
    sent = watch(here)
    assert here.evaluate("performance.getEntriesByType('resource').every(({ name }) => !name.endsWith('reach.js'))")
    open_goal(here)
    assert "reach.js" in sent
    assert "reach" not in sent
    find(here, "q", ">=", "0.6", "q")
    assert fits(here, "#reach")


# -- how safe the order is ----------------------------------------------------------------------------------------


def test_how_safe_the_order_is_comes_in_the_words_of_the_library_and_goes_with_the_state(page: Open) -> None:
    here = page()
    open_goal(here)
    here.click("#safe")
    here.wait_for_selector("#safety:not([aria-busy]) p")
    said = here.locator("#safety p").all_inner_texts()
    assert said == [str(qx.robustness(ACYCLIC, "p", "q")), str(qx.reasons(ACYCLIC, "p", "q"))]
    row(here, "a").locator("[type=number]").fill("0.9")
    here.wait_for_selector("#safety p", state="detached")
