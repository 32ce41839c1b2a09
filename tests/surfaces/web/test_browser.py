"""The page in a real Chromium: what people do with it, and that nothing breaks or leaves the machine."""

from __future__ import annotations

import json
import random
import warnings
from dataclasses import fields
from pathlib import Path

import pytest

import qontrast as qx
from qontrast.formats import write_text
from qontrast.graph.labels import visible
from qontrast.show.numbers import number
from qontrast.show.palette import PALETTES, Palette, find_palette
from tests.support.browser import Open, answer, bar, open_example, pick, row, until, upload

pytestmark = pytest.mark.heavy

ALERT = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


# -- asking -------------------------------------------------------------------------------------------------------


def test_the_healthcare_question_shows_the_papers_numbers(page: Open) -> None:
    # the paper, section "CAFs for Healthcare"
    here = page()
    assert answer(here).startswith(
        "“Antiviral therapy” (0.3564) is rated above “Antibiotic therapy” (0.2368) by 0.1196"
    )
    assert bar(here, "viral") == pytest.approx(0.327842, abs=5e-7)
    assert bar(here, "pcr") == pytest.approx(0.078999, abs=5e-7)
    assert bar(here, "bacterial") == pytest.approx(-0.273498, abs=5e-7)
    assert here.locator("#pairs .cell[aria-pressed=true]").inner_text() == "+0.12"
    assert "0.750" in row(here, "viral").inner_text()


def test_a_slider_changes_sentence_bars_and_strengths_together(page: Open) -> None:
    here = page()
    before, strength = bar(here, "pcr"), row(here, "viral").locator(".strength").inner_text()
    row(here, "pcr").locator("[type=range]").fill("0.9")
    expected = qx.contrast(qx.examples.load("healthcare").with_base_scores({"pcr": 0.9}), "antiviral", "antibiotic")
    until(here, f"({expected.strengths['antiviral']:.3f})")
    assert bar(here, "pcr") == pytest.approx(expected["pcr"], abs=1e-9) != before
    assert row(here, "viral").locator(".strength").inner_text() != strength
    assert row(here, "pcr").locator("[type=number]").input_value() == "0.9"
    assert "0.90 →" in (here.text_content('#graph [data-name="pcr"]') or "")


def test_forty_quick_key_presses_all_arrive(page: Open) -> None:
    here = page()
    row(here, "pcr").locator("[type=range]").focus()
    for _ in range(40):
        here.keyboard.press("ArrowRight")
    assert row(here, "pcr").locator("[type=range]").input_value() == "0.9"
    expected = qx.strengths(qx.examples.load("healthcare").with_base_scores({"pcr": 0.9}))
    until(here, f"({expected['antiviral']:.3f})")
    assert row(here, "pcr").locator("[type=range]").input_value() == "0.9"  # no answer has set it back


def test_switches_are_made_from_the_tables_and_ask_again(page: Open) -> None:
    here = page()
    methods = [name for name, entry in qx.METHODS.items() if "arguments" in entry.players]
    assert here.locator("#methods input").evaluate_all("all => all.map(each => each.value)") == methods
    assert here.locator("#semantics input").evaluate_all("all => all.map(each => each.value)") == list(qx.SEMANTICS)
    pick(here, "methods", "removal")
    here.wait_for_function("() => document.querySelector('#bars [data-name=pcr]')?.dataset.value.startsWith('0.2272')")
    pick(here, "semantics", "df-quad")
    expected = qx.strengths(qx.examples.load("healthcare"), semantics="df-quad")
    until(here, f"({expected['antiviral']:.3f})")


def test_a_cell_of_the_matrix_asks_that_question(page: Open) -> None:
    here = page()
    here.get_by_role("button", name="Bronchodilator therapy against Antiviral therapy").click()
    until(here, "“Bronchodilator therapy” (0.14786) is rated below “Antiviral therapy”")
    assert here.input_value("#fact") == "bronchodilator"
    here.click("#swap")
    until(here, "“Antiviral therapy” (0.35643) is rated above “Bronchodilator therapy”")
    here.select_option("#foil", "antibiotic")
    until(here, "above “Antibiotic therapy”")


def test_hover_lights_up_what_is_reached_and_a_click_lists_the_paths(page: Open) -> None:
    here = page()
    here.hover('#graph [data-name="wbc"]')
    assert "dim" in (here.get_attribute('#graph [data-name="viral"]', "class") or "")
    assert "dim" not in (here.get_attribute('#graph [data-name="bacterial"]', "class") or "")
    here.click('#graph [data-name="wbc"]')
    here.wait_for_selector("#paths li")
    listed = here.inner_text("#paths")
    assert "How Elevated WBC count acts" in listed
    assert "“Elevated WBC count” —supports→ “Bacterial pneumonia” —supports→ “Antibiotic therapy”" in listed


# -- changing -----------------------------------------------------------------------------------------------------


def test_remove_undo_redo_reset(page: Open) -> None:
    here = page()
    first = answer(here)
    row(here, "bacterial").locator("[type=checkbox]").uncheck()
    gone = qx.strengths(qx.examples.load("healthcare").without("bacterial"))
    until(here, f"({gone['antiviral']:.3f})")
    assert here.locator('#graph [data-name="bacterial"]').count() == 0
    here.click("#undo")
    until(here, first)
    assert row(here, "bacterial").locator("[type=checkbox]").is_checked()
    here.keyboard.press("Control+Shift+Z")
    until(here, f"({gone['antiviral']:.3f})")
    here.click("#reset")
    until(here, first)


def test_flip_is_applied_with_one_click(page: Open) -> None:
    here = page()
    here.click("#tab-flip")
    here.wait_for_selector("#apply-change")
    said = here.inner_text("#flip")
    assert "would win if the base score of" in said
    assert "Antibiotic therapy is ahead by at least 0.01" in said  # a change that can be seen
    here.click("#apply-change")
    until(here, "is rated below “Antibiotic therapy”")
    here.wait_for_function(
        "() => Number(/rated below .* by ([0-9.]+)/.exec(document.querySelector('#answer')?.textContent)?.[1]) > 0.0099"
    )


def test_pin_and_compare_before_and_after(page: Open) -> None:
    here = page()
    here.click("#tab-compare")
    here.click("#pin")
    row(here, "pcr").locator("[type=number]").fill("0.8")
    here.wait_for_function("() => document.querySelector('#pinned')?.textContent.includes('now')")
    here.wait_for_function("() => document.querySelector('#pinned')?.textContent.includes('now +0.120') === false")
    assert "gap +0.120" in here.inner_text("#pinned")
    assert "Positive PCR test" in here.inner_text("#compare table")


def test_edit_adds_renames_deletes_and_answers_mistakes_beside_the_field(page: Open) -> None:
    here = page()
    here.click("#edit")
    new = here.locator(".edit.new").first
    new.locator(".name").fill("rest")
    new.locator(".text").fill("Bed rest")
    new.locator(".small").fill("1.7")
    new.locator(".small").evaluate("each => each.form.noValidate = true")
    new.locator("button").click()
    here.wait_for_function("() => document.querySelector('.edit.new .wrong')?.textContent.includes('between 0 and 1')")
    new.locator(".small").fill("0.7")
    new.locator("button").click()
    here.wait_for_function("() => [...document.querySelectorAll('.edits .name')].some(each => each.value === 'rest')")
    edge = here.locator(".edit.new").nth(1)
    edge.locator("select").nth(0).select_option("rest")
    edge.locator("select").nth(2).select_option("antibiotic")
    edge.locator("button").click()
    here.wait_for_selector('#graph [data-source="rest"]')
    edge = here.locator(".edit.new").nth(1)
    edge.locator("select").nth(0).select_option("rest")
    edge.locator("select").nth(2).select_option("antibiotic")
    edge.locator("button").click()
    here.wait_for_function(
        "() => [...document.querySelectorAll('.wrong')].some(each => /already/.test(each.textContent))"
    )
    name = here.locator(".edit .name").nth(0)
    name.fill("pcr-test")
    name.press("Tab")
    here.wait_for_selector('#graph [data-name="pcr-test"]')
    here.get_by_role("button", name="Delete rest", exact=True).click()
    here.wait_for_function("() => !document.querySelector('#graph [data-name=rest]')")
    here.click("#editor-done")
    assert "“Antiviral therapy” (0.3564)" in answer(here)


def test_a_wrong_number_is_answered_beside_it(page: Open) -> None:
    here = page()
    number = row(here, "pcr").locator("[type=number]")
    number.fill("3")
    assert row(here, "pcr").locator(".wrong").inner_text() == "between 0 and 1"
    assert "(0.3564)" in answer(here)
    number.fill("0.6")
    assert row(here, "pcr").locator(".wrong").inner_text() == ""


# -- files --------------------------------------------------------------------------------------------------------


def test_open_a_file_in_any_format(page: Open) -> None:
    here = page()
    for format, name in (("bag", "z.bag"), ("json", "z.json"), ("graphml", "z.graphml"), ("apx", "z.apx")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", qx.FormatWarning)  # not every format holds labels
            text = write_text(qx.examples.load("zebra"), format)
        upload(here, name, text)
        here.wait_for_function("name => document.querySelector('#title')?.textContent === name", arg=name)
        here.wait_for_selector('body:not([data-stale]) #graph [data-name="zebra"]')


def test_a_dropped_file_is_opened(page: Open) -> None:
    here = page()
    text = write_text(qx.examples.load("zebra"), "json")
    here.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.json"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    here.wait_for_selector('#graph [data-name="zebra"]')
    assert here.inner_text("#title") == "dropped.json"


def test_a_bad_file_is_refused_in_words_and_changes_nothing(page: Open) -> None:
    here = page()
    upload(here, "hotel.bag", "arg(a, 0.5).\nsup(P1, A1")
    here.wait_for_function("() => document.querySelector('#problem')?.textContent.includes('hotel.bag:2:')")
    assert "(0.3564)" in answer(here)
    assert here.inner_text("#title") == "healthcare"


def test_a_file_with_two_hundred_arguments_draws_the_top_and_lists_the_rest(page: Open) -> None:
    here = page()
    qbaf = qx.examples.random(200, seed=1)
    pick(here, "methods", "gradient")
    upload(here, "large.json", write_text(qbaf, "json"))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'large.json'")
    here.wait_for_function("() => document.querySelector('#hidden-note')?.textContent.includes('more in the list')")
    assert 0 < here.locator("#graph .qx-node").count() <= 80
    here.fill("#search", str(qbaf.arguments[150]))
    assert 1 <= here.locator(".row").count() < 50


def test_json_report_and_pictures_are_downloaded(page: Open, tmp_path: Path) -> None:
    here = page()
    row(here, "asthma").locator("[type=checkbox]").uncheck()
    for save, check in (("json", b'"qbaf/1"'), ("report", b"<!doctype html>"), ("bars-svg", b"<svg")):
        here.click("#save-menu summary")
        with here.expect_download() as started:
            here.click(f'[data-save="{save}"]')
        content = Path(started.value.path()).read_bytes()
        assert content.lower().startswith(check.lower()) or check in content[:200]
        if save == "json":
            assert "asthma" not in json.loads(content)["arguments"]


def test_a_link_restores_the_state(page: Open) -> None:
    here = page()
    row(here, "pcr").locator("[type=range]").fill("0.8")
    here.get_by_role("button", name="Bronchodilator therapy against Antiviral therapy").click()
    until(here, "Bronchodilator therapy")
    said = answer(here)
    here.wait_for_selector("body:not([data-behind])")
    assert here.evaluate("location.hash").startswith("#s=")
    there = page(here.evaluate("location.hash"))
    until(there, said)
    assert row(there, "pcr").locator("[type=range]").input_value() == "0.8"


def test_a_damaged_link_is_told_and_harmless(page: Open) -> None:
    for fragment in ("#s=AAAA", "#s=" + "A" * 3000, "#<script>alert(1)</script>"):
        here = page(fragment)
        assert "(0.3564)" in answer(here)


# -- for everybody ------------------------------------------------------------------------------------------------


def test_labels_with_markup_are_text_everywhere(page: Open) -> None:
    here = page()
    entry = {"name": ALERT, "argument": ALERT, "initial_weight": 0.5}
    graph = {
        "arguments": {ALERT: entry, "b": {"name": "b", "argument": "<b>bold</b>", "initial_weight": 0.3}, "c": 0.5},
        "attacks": [["c", ALERT]],
        "supports": [["c", "b"]],
    }
    upload(here, "<img src=x>.json", json.dumps(graph))
    until(here, "<script>")
    here.click('#graph [data-name="c"]')
    here.wait_for_selector("#paths li")
    here.click("#tab-flip")
    here.wait_for_selector("#flip p")
    here.click("#edit")
    here.wait_for_selector(".edit")
    assert here.evaluate("window.hacked") is None
    assert here.locator("main script, main img, dialog script, dialog img").count() == 0


def test_every_part_of_the_page_can_be_used_by_keyboard_alone(page: Open) -> None:
    here = page()
    here.locator("#fact").focus()
    here.keyboard.press("ArrowDown")
    until(here, "Antibiotic therapy")
    here.locator("#graph [data-name=pcr]").focus()
    here.keyboard.press("Enter")
    here.wait_for_function("() => document.querySelector('#paths')?.textContent.includes('Positive PCR test acts')")
    here.keyboard.press("Escape")
    here.locator("#tab-paths").focus()
    here.keyboard.press("ArrowRight")
    assert here.get_attribute("#tab-flip", "aria-selected") == "true"
    row(here, "pcr").locator("[type=checkbox]").focus()
    here.keyboard.press("Space")
    here.wait_for_function("() => !document.querySelector('#graph [data-name=pcr]')")
    here.keyboard.press("Control+z")
    here.wait_for_selector("#graph [data-name=pcr]")
    seen = set()
    for _ in range(60):
        here.keyboard.press("Tab")
        seen.add(here.evaluate("document.activeElement.tagName"))
    assert {"BUTTON", "INPUT"} <= seen


def test_every_input_has_a_name_for_screen_readers(page: Open) -> None:
    here = page()
    nameless = here.evaluate(
        """() => [...document.querySelectorAll("button, input:not([hidden]), select")]
            .filter(each => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length))
            .map(each => each.outerHTML)"""
    )
    assert nameless == []
    assert here.get_attribute("#answer", "aria-live") == "polite"


def test_undefined_strengths_are_shown_as_such_and_have_a_way_out(page: Open) -> None:
    here = page()
    open_example(here, "undefined")
    until(here, "do not converge")
    assert "⊥" in (here.text_content("#graph") or "")
    here.get_by_role("button", name="Solve cycles continuously (continuous)").click()
    here.wait_for_function("() => document.querySelector('#graph')?.textContent.includes('⊥') === false")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_nothing_sticks_out_sideways(page: Open, width: int, height: int) -> None:
    here = page(width=width, height=height)
    assert here.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_and_colour_blind_are_switches_that_stay(page: Open) -> None:
    here = page()
    light = here.evaluate("getComputedStyle(document.body).backgroundColor")
    here.select_option("#theme", "dark")
    assert here.evaluate("getComputedStyle(document.body).backgroundColor") != light
    here.select_option("#palette", "colour-blind")
    here.reload()
    here.wait_for_selector("body[data-ready]")
    assert here.evaluate("document.documentElement.dataset.palette") == "colour-blind"
    stroke = here.evaluate("getComputedStyle(document.querySelector('.qx-attack .qx-stroke')).stroke")
    assert stroke not in ("rgb(201, 42, 42)", "none")


@pytest.mark.parametrize("system", ["light", "dark"])
def test_every_palette_has_its_own_colours_in_light_and_in_dark(page: Open, system: str) -> None:
    here = page(color_scheme=system)
    script = """names => {
        const probe = document.body.appendChild(document.createElement("p"));
        const seen = names.map((name) => {
            probe.style.color = `var(--${name})`;
            return getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
        });
        probe.remove();
        return seen;
    }"""
    names = [each.name for each in fields(Palette)]
    for palette in PALETTES:
        here.select_option("#palette", palette)
        for theme in ("auto", "light", "dark"):
            here.select_option("#theme", theme)
            own = find_palette(palette, dark=(system if theme == "auto" else theme) == "dark")
            expected = [list(bytes.fromhex(own[name][1:])) for name in names]
            assert here.evaluate(script, [name.replace("_", "-") for name in names]) == expected


# -- nothing of an old question under a new one -------------------------------------------------------------------


def test_a_reload_brings_back_the_graph_that_was_opened_last(page: Open) -> None:
    here = page()
    row(here, "pcr").locator("[type=number]").fill("0.9")
    before = here.url
    open_example(here, "zebra")
    here.wait_for_function("before => location.href !== before && location.hash", arg=before)
    here.wait_for_selector("body:not([data-behind])")
    here.reload()
    here.wait_for_selector("body[data-ready]")
    assert here.inner_text("#title") == "zebra"
    here.wait_for_selector("body:not([data-behind])")
    here.goto(f"{here.url.split('#')[0]}#s=damaged")
    here.wait_for_function("() => !location.hash.includes('damaged')")
    assert "damaged and was not opened" in here.inner_text("#toast")
    assert here.inner_text("#title") == "zebra"


def test_two_quick_choices_both_count(page: Open) -> None:
    here = page()
    here.evaluate(
        """pairs => pairs.forEach(([which, name]) => {
            const list = document.getElementById(which);
            list.value = name;
            list.dispatchEvent(new Event("change"));
        })""",
        [["fact", "bronchodilator"], ["foil", "antiviral"]],
    )
    until(here, "“Bronchodilator therapy” (0.14786) is rated below “Antiviral therapy”")


def test_a_refusal_leaves_no_old_answer_and_draws_what_is_there(page: Open) -> None:
    here = page()
    upload(here, "two.json", '{"arguments": {"a": 0.6, "b": 0}}')
    until(here, "mainly because of their base scores (+0.600)")
    assert row(here, "b").locator("[type=number]").input_value() == "0"
    row(here, "b").locator("[type=checkbox]").uncheck()
    until(here, "a has nothing to compare with")
    assert "needs two arguments" in here.inner_text("#problem")
    assert here.locator("#graph .qx-node").count() == 1
    assert here.locator("#pairs button, #bars svg").count() == 0
    here.click("#swap")


def test_the_one_behind_may_win_whichever_way_it_was_asked(page: Open) -> None:
    here = page()
    here.click("#swap")
    until(here, "“Antibiotic therapy” (0.2368) is rated below")
    here.click("#tab-flip")
    here.wait_for_selector("#apply-change")
    assert here.inner_text("#flip h3") == "What would make Antibiotic therapy win over Antiviral therapy?"


def test_a_search_ends_with_its_graph(page: Open) -> None:
    here = page()
    open_example(here, "debate")
    here.fill("#search", "bus")
    open_example(here, "zebra")
    row(here, "stripes").wait_for()


# -- the page writes numbers and labels as Python does


def test_the_page_writes_numbers_exactly_as_sentences_do(page: Open) -> None:
    rng = random.Random(0)
    values = [sign * rng.random() * 10.0**-power for power in range(10) for sign in (1, -1) for _ in range(200)]
    values += [k / 2**power for power in range(2, 14) for k in range(1, 40)]  # many of them are ties
    values += [tie / 2**5 + by for tie in range(1, 30) for by in (-3e-13, -1e-15, 1e-15, 3e-13)]  # almost ties
    values += [0.0, 1.0, 0.5, 0.0005, 0.00049999, 1e-5, 9.96e-5, 0.000996, 9.99e-6, 1e-4, 1e-3, 5e-324, 12.3456]
    script = """async ([values, digits]) => {
        const { formatNumber } = await import("/static/dom.js");
        return values.map((value) => [formatNumber(value, false, digits), formatNumber(value, true, digits)]);
    }"""
    opened = page()
    for digits in (2, 3, 4):
        expected = [[number(value, "", digits), number(value, "+", digits)] for value in values]
        assert opened.evaluate(script, [values, digits]) == expected


def test_the_page_shows_hidden_characters_as_sentences_do(page: Open) -> None:
    letters = [chr(code) for code in [*range(0xD800), *range(0xE000, 0x10000), *range(0xE0000, 0xE1000, 7)]]
    texts = [f"a{letter}b" for letter in letters] + ["", " ", "\t", "❤\ufe0f", "👩\u200d🔬", "ب\u200cب", "a\u200db"]
    script = """async (texts) => {
        const { visible } = await import("/static/dom.js");
        return texts.map(visible);
    }"""
    assert page().evaluate(script, texts) == [visible(text) for text in texts]


def test_headings_and_menus_show_hidden_characters_of_labels(page: Open) -> None:
    graph = qx.Qbaf(
        {"a": 0.7, "b": 0.4, "c": 0.6}, supports=[("c", "a")], labels={"a": "evil\u202etxt"}, topics=["a", "b"]
    )
    opened = page()
    upload(opened, "hidden.json", write_text(graph, "json"))
    opened.wait_for_selector("#fact option[value=a]", state="attached")
    opened.wait_for_function(
        "() => document.querySelector('#fact')?.selectedOptions[0]?.textContent === 'evil\\\\u202etxt'"
    )
    opened.click("#tab-flip")
    opened.wait_for_selector("#flip h3")
    assert "\u202e" not in opened.inner_text("body")
    assert "evil\\u202etxt" in opened.inner_text("#flip h3")
