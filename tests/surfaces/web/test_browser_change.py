"""What changed the gap, how to reach goals, and how safe the order is: on the page, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.show.numbers import number, write_bound, write_move
from tests.support.browser import Open, open_example, pick, row, until, upload

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
    pick(here, "semantics", "df-quad")
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
    page.wait_for_function("() => getComputedStyle(document.querySelector('#levels')).position === 'sticky'")  # styled


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
    wait_for_level(here, "q", number(float(target)))
    here.click("#undo")
    here.wait_for_selector("#apply-reach:enabled")
    for name, (old, _) in moves.items():
        assert float(row(here, name).locator("[type=number]").input_value()) == old


def moves_of(found: Any) -> dict[str, tuple[float, float]]:
    """Argument → its base score and the one that it needs."""
    return {name: (move["from"], move["to"]) for name, move in found.to_dict()["change"]["base_scores"].items()}


def level(page: Any, name: str) -> Any:
    return page.locator(f'.level[data-level="{name}"]')


def wait_for_level(page: Any, name: str, strength: str) -> None:
    """Wait until the bar of an argument has this strength beside it."""
    script = "([name, text]) => document.querySelector(`.level[data-level=${name}] .value`)?.textContent === text"
    page.wait_for_function(script, arg=[name, strength])


def read_line(page: Any, name: str) -> tuple[float, str]:
    """The place of a goal line on its bar, from 0 to 1, and its value as it is read out."""
    line, axis = (level(page, name).locator(each).bounding_box() for each in (".line", ".axis"))
    place = (line["x"] + line["width"] / 2 - axis["x"]) / axis["width"]
    return place, level(page, name).locator(".line").get_attribute("aria-valuetext")


def test_the_form_proposes_that_the_weaker_topic_becomes_as_strong_and_shows_both_strengths(page: Open) -> None:
    here = page()
    open_goal(here, None)
    assert here.input_value("#goal-topic") == "antibiotic"
    assert here.input_value("#goal-target") == "0.36"
    strengths = qx.strengths(HEALTHCARE)
    for name in PAIR:
        bar, axis = (level(here, name).locator(each).bounding_box() for each in (".bar", ".axis"))
        assert level(here, name).locator(".value").inner_text() == number(strengths[name])
        assert bar["width"] / axis["width"] == pytest.approx(strengths[name], abs=0.01)
    place, said = read_line(here, "antibiotic")
    assert place == pytest.approx(0.36, abs=0.01)
    assert said == "at least 0.36"
    assert level(here, "antiviral").locator(".line").count() == 0


def test_a_goal_line_is_dragged_by_mouse_and_by_keyboard_in_step_with_the_number(page: Open) -> None:
    here = page()
    open_goal(here)
    line = here.get_by_role("slider", name="Goal for q")
    axis, start = level(here, "q").locator(".axis").bounding_box(), line.bounding_box()
    here.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    here.mouse.down()
    here.mouse.move(axis["x"] + 0.8 * axis["width"], axis["y"] + 40, steps=4)  # it follows outside of its bar too
    here.mouse.up()
    assert float(here.input_value("#goal-target")) == pytest.approx(0.8, abs=0.011)
    assert read_line(here, "q")[0] == pytest.approx(0.8, abs=0.011)
    here.mouse.move(axis["x"], axis["y"])  # not dragged any more
    assert float(here.input_value("#goal-target")) == pytest.approx(0.8, abs=0.011)
    here.fill("#goal-target", "0.3")
    assert read_line(here, "q") == (pytest.approx(0.3, abs=0.01), "at least 0.3")
    line.focus()
    for key, target in [("ArrowRight", "0.31"), ("ArrowDown", "0.3"), ("PageUp", "0.4"), ("End", "1"), ("Home", "0")]:
        here.keyboard.press(key)
        assert here.input_value("#goal-target") == target
    assert here.input_value("#goal-relation") == "<="  # below the present strength
    assert line.get_attribute("aria-valuenow") == "0"


def test_a_goal_line_follows_a_finger_and_what_it_asks_for_is_reached_and_applied(page: Open) -> None:
    here = page(width=390, height=844, has_touch=True)
    open_goal(here)
    line = level(here, "q").locator(".line")
    line.scroll_into_view_if_needed()
    start, axis = line.bounding_box(), level(here, "q").locator(".axis").bounding_box()
    middle = start["y"] + start["height"] / 2
    wire = here.context.new_cdp_session(here)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        sent = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        wire.send("Input.dispatchTouchEvent", sent)

    touch("touchStart", (start["x"] + start["width"] / 2, middle))
    for part in (0.5, 0.55, 0.6):
        touch("touchMove", (axis["x"] + part * axis["width"], middle))
    touch("touchEnd")
    here.wait_for_function("() => Math.abs(document.querySelector('#goal-target')?.value - 0.6) < 0.015")
    target = here.input_value("#goal-target")
    here.click("#find")
    here.wait_for_selector("#apply-reach")
    here.click("#apply-reach")
    wait_for_level(here, "q", number(float(target)))


def test_pressing_the_bar_of_the_other_topic_moves_the_goal_there(page: Open) -> None:
    here = page()
    open_goal(here)
    axis = level(here, "p").locator(".axis")
    box = axis.bounding_box()
    axis.click(position={"x": 0.25 * box["width"], "y": 6})
    assert here.input_value("#goal-topic") == "p"
    assert here.input_value("#goal-relation") == "<="
    assert level(here, "q").locator(".line").count() == 0
    assert read_line(here, "p")[0] == pytest.approx(0.25, abs=0.015)


def test_an_order_of_topics_is_a_goal_beside_a_number(page: Open) -> None:
    here = page()
    open_goal(here)
    here.select_option("#goal-relation", ">")
    assert not here.locator("#goal-target").is_visible()
    assert here.input_value("#goal-other") == "p"
    assert here.locator(".level .line").count() == 0
    here.click("#add-goal")
    here.select_option("#goal-topic-2", "p")
    here.select_option("#goal-relation-2", ">=")
    here.fill("#goal-target-2", "0.6")
    here.click(".locks summary")
    for name in ("a", "b"):  # fewer variables make a quick proof
        here.click(f'[data-lock="{name}"]')
    here.click("#find")
    here.wait_for_selector("#reached:not([aria-busy]) p")
    found = qx.reach(ACYCLIC, ["q > p", "p >= 0.6"], fixed=["a", "b"])
    shown = here.inner_text("#reached")  # a server that has little time may stop within the tolerance of the proof
    assert "q ≥ p and p ≥ 0.6 are reached if the base score of q rises from 0.400 to 0.6" in shown
    assert float(shown.partition("Cost ")[2].split()[0]) == pytest.approx(found.cost, abs=2e-3)
    assert level(here, "p").locator(".after").is_visible()
    promised = {name: level(here, name).locator(".after").get_attribute("title") for name in ("p", "q")}
    here.click("#apply-reach")
    for name, title in promised.items():
        wait_for_level(here, name, title.split()[-1])
    here.get_by_role("button", name="Remove goal 2").click()
    assert here.locator("#goals .one").count() == 1
    assert not here.locator("#goals .gone").is_visible()


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
    wait_for_level(here, "q", strength)
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


def ask_safety(page: Any) -> None:
    page.click("#safe")
    for place in ("robust", "deciding"):
        page.wait_for_selector(f"#{place}:not([aria-busy]) p")


def span(page: Any, name: str, part: str) -> tuple[float, float] | None:
    """Where a part of a bar begins and ends, from 0 to 1; None where it is not shown."""
    made, axis = (level(page, name).locator(each).bounding_box() for each in (part, ".axis"))
    return made and tuple((x - axis["x"]) / axis["width"] for x in (made["x"], made["x"] + made["width"]))


def test_how_safe_the_order_is_comes_in_the_words_of_the_library_and_goes_with_the_state(page: Open) -> None:
    here = page()
    open_goal(here)
    assert span(here, "p", ".edge") is None  # not asked for yet
    ask_safety(here)
    found = qx.robustness(ACYCLIC, "p", "q")
    assert here.inner_text("#robust .safe p") == str(found)
    assert here.inner_text("#deciding") == str(qx.reasons(ACYCLIC, "p", "q"))
    row(here, "a").locator("[type=number]").fill("0.9")
    here.wait_for_selector("#safety p", state="detached")
    assert span(here, "p", ".edge") is None
    assert span(here, "p", ".sure") is None


def test_a_certified_band_reaches_from_both_strengths_to_the_line_where_they_are_level(page: Open) -> None:
    here = page()
    open_goal(here)
    ask_safety(here)
    found = qx.robustness(ACYCLIC, "p", "q")
    assert found.exact
    before, after = qx.strengths(ACYCLIC), qx.strengths(found.changed())
    for name in ("p", "q"):
        ends = sorted((before[name], after[name]))
        assert span(here, name, ".sure") == pytest.approx(ends, abs=0.01)
        assert span(here, name, ".edge") == pytest.approx([after[name]] * 2, abs=0.01)
        assert span(here, name, ".open") is None
    assert f"certified up to {write_bound(found.certified)}" in here.get_attribute("#robust .axis", "aria-label")
    assert here.locator("#robust .scale .sure").bounding_box()["width"] > 20


def test_nothing_is_shown_as_certified_where_a_cycle_leads_to_the_topics(page: Open) -> None:
    here = page(width=390, height=844)
    open_goal(here, None)
    ask_safety(here)
    found = qx.robustness(HEALTHCARE, *PAIR)
    before, after = qx.strengths(HEALTHCARE), qx.strengths(found.changed())
    for name in PAIR:
        assert span(here, name, ".sure") is None
        assert span(here, name, ".open") == pytest.approx(sorted((before[name], after[name])), abs=0.012)
    said = here.get_attribute("#robust .axis", "aria-label")
    assert said == f"Base scores may be off: nothing certified, a change of {write_bound(found.found, up=True)} found"
    assert fits(here, "#reach")
