"""Opening and saving in a real Chromium: files with many graphs, every format, figures, links, and what hovers."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import FORMATS, write_text
from tests.support.browser import Open, row, upload
from tests.support.page_states import read_link
from tests.support.wait import LONG_DEADLINE

pytestmark = pytest.mark.heavy

HEALTHCARE = qx.examples.load("healthcare")


def save(page: Any, button: str) -> tuple[str, bytes]:
    """Choose from the menu “Save”: the name of the file that is downloaded, and its content."""
    page.click("#save-menu summary")
    with page.expect_download(timeout=1000 * LONG_DEADLINE) as started:  # the first figure loads matplotlib
        page.locator(button).first.click()
    return started.value.suggested_filename, Path(started.value.path()).read_bytes()


def test_a_file_with_many_graphs_asks_which_one_and_opens_that(page: Open) -> None:
    here = page()
    graphs = [qx.examples.load(name) for name in ("healthcare", "zebra")]
    upload(here, "many.jsonl", "\n".join(json.dumps(each.to_dict()) for each in graphs))
    dialog = here.locator("dialog.choice")
    dialog.wait_for()
    assert dialog.locator("h2").inner_text() == "many.jsonl holds 2 graphs"
    last = dialog.locator("button").last
    address = last.inner_text()
    last.click()
    here.wait_for_function(
        "text => document.querySelector('#title')?.textContent === text", arg=f"many.jsonl#{address}"
    )
    here.wait_for_selector('body:not([data-stale]) #graph [data-name="zebra"]')
    dialog.wait_for(state="detached")
    upload(here, "many.jsonl", "\n".join(json.dumps(each.to_dict()) for each in graphs))
    dialog.wait_for()
    here.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert here.inner_text("#title") == f"many.jsonl#{address}"


def test_every_format_is_saved_as_the_library_writes_it_with_all_that_was_changed(page: Open) -> None:
    here = page()
    row(here, "pcr").locator("[type=number]").fill("0.9")
    row(here, "asthma").locator("[type=checkbox]").uncheck()
    changed = HEALTHCARE.with_base_scores({"pcr": 0.9}).without("asthma")
    here.click("#save-menu summary")
    here.locator("#formats button").first.wait_for()
    listed = here.locator("#formats button").all_inner_texts()
    here.keyboard.press("Escape")
    assert listed == [name for name in FORMATS if name != "json"]
    for name in listed:
        if name == "iccma":  # which holds no supports
            here.click("#save-menu summary")
            here.click('#formats button:text-is("iccma")')
            here.wait_for_function("() => document.querySelector('#problem')?.textContent.includes('attacks only')")
            continue
        with warnings.catch_warnings(record=True) as lost:
            warnings.simplefilter("always", qx.FormatWarning)
            expected = write_text(changed, name)
        saved, content = save(here, f'#formats button:text-is("{name}")')
        assert saved == f"healthcare{FORMATS[name].suffixes[0]}"
        assert content.decode() == expected
        if lost:
            here.wait_for_function(
                "text => document.querySelector('#toast')?.textContent.includes(text)", arg=str(lost[0].message)
            )


def test_figures_and_pictures_are_saved_under_the_name_of_the_graph(page: Open) -> None:
    here = page()
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for kind, begin in begins.items():
        saved, content = save(here, f'#figures [data-figure=bars] button:text-is("{kind}")')
        assert saved == f"healthcare-bars.{kind}"
        assert content.startswith(begin)
    assert save(here, '[data-save="graph-svg"]')[0] == "healthcare-graph.svg"
    assert save(here, '[data-save="report"]')[0] == "healthcare.html"


def test_a_link_is_copied_and_holds_the_state_of_this_moment(page: Open) -> None:
    here = page(permissions=["clipboard-read", "clipboard-write"])
    row(here, "pcr").locator("[type=number]").fill("0.9")
    here.click("#save-menu summary")
    here.click('[data-save="link"]')
    here.wait_for_function("() => document.querySelector('#toast')?.textContent.includes('is in the clipboard')")
    assert "It opens on this computer only" in here.inner_text("#toast")
    copied = here.evaluate("navigator.clipboard.readText()")
    assert copied == here.url
    assert read_link(copied.partition("#")[2])["set"] == {"pcr": 0.9}


def test_a_link_that_cannot_be_copied_stands_in_the_address(page: Open) -> None:
    here = page()
    here.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    here.click("#save-menu summary")
    here.click('[data-save="link"]')
    here.wait_for_function("() => document.querySelector('#toast')?.textContent.includes('copy it from there')")
    assert read_link(here.evaluate("location.hash"))["example"] == "healthcare"


def test_a_file_that_hovers_is_answered_by_a_place_to_drop_it(page: Open) -> None:
    here = page()
    send = "kind => document.dispatchEvent(new DragEvent(kind, { dataTransfer: new DataTransfer(), cancelable: true }))"
    assert here.locator("#drop").is_hidden()
    here.evaluate(send, "dragover")
    here.wait_for_selector("#drop:not([hidden])", state="attached")
    here.evaluate(send, "dragleave")
    here.wait_for_selector("#drop[hidden]", state="attached")


def test_a_file_that_is_no_text_is_refused_by_its_name(page: Open) -> None:
    here = page()
    here.set_input_files("#file", {"name": "photo.json", "mimeType": "text/plain", "buffer": b"\xff\xfe\x80"})
    said = "The file was not opened. photo.json is not UTF-8 text"
    here.wait_for_function("said => document.querySelector('#problem')?.textContent === said", arg=said)
