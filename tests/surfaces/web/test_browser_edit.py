"""Edit a graph in a real browser: in the table, in the picture, with the mouse and with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest

import qontrast as qx
from qontrast.formats import write_text
from tests.support.browser import Open, row, until, upload

pytestmark = pytest.mark.heavy

ODD = ("constructor", "__proto__", "toString")


def in_editor(here: Any, name: str) -> Any:
    return here.locator("#editor").get_by_label(name, exact=True)


def open_odd(here: Any) -> None:
    first, second, third = ODD
    scores = {first: 0.4, second: 0.3, third: 0.6}
    graph = qx.Qbaf(scores, supports=[(third, first)], attacks=[(third, second)], topics=[first, second])
    upload(here, "odd.json", write_text(graph, "json"))
    here.wait_for_selector('#graph [data-name="__proto__"]')


def test_the_editor_opens_with_two_thousand_arguments_and_keeps_the_focus_where_one_types(page: Open) -> None:
    here = page()
    here.click('#methods input[value="gradient"]', force=True)
    names = [f"a{k}" for k in range(2000)]
    upload(here, "large.json", write_text(qx.Qbaf(dict.fromkeys(names, 0.5), attacks=[("a2", "a0")]), "json"))
    here.wait_for_function("() => document.querySelector('#title')?.textContent === 'large.json'")
    here.click("#edit")
    here.wait_for_selector("#editor[open]")
    here.fill("#editor-search", "a1999")
    in_editor(here, "Name of a1999").wait_for()
    here.wait_for_function("() => document.querySelectorAll('#editor .edits .name').length === 1")
    in_editor(here, "Base score of a1999").fill("0.7")
    in_editor(here, "Name of a1999").fill("a1999x")
    in_editor(here, "Label of a1999").focus()
    here.keyboard.type(" is typed")  # while the change of the name is on its way
    in_editor(here, "Name of a1999x").wait_for()
    found = here.evaluate(
        "() => { const row = document.activeElement.closest('.edit');"
        " return [document.activeElement.value, row.querySelector('.name').value, row.querySelector('.small').value]; }"
    )
    assert found == ["a1999 is typed", "a1999x", "0.7"]


def test_arguments_may_be_named_like_the_properties_of_every_object(page: Open) -> None:
    here = page()
    open_odd(here)
    until(here, "constructor")
    row(here, "__proto__").locator("[type=number]").fill("0.9")
    until(here, "0.66")
    row(here, "__proto__").locator(".spread").click()
    row(here, "__proto__").get_by_text("0.800 to 1.000").wait_for()
    here.click('#graph [data-name="toString"]')
    here.wait_for_function("() => document.querySelector('#paths')?.textContent.includes('__proto__')")
    here.click("#edit")
    in_editor(here, "Name of toString").fill("valueOf")
    in_editor(here, "Label of toString").focus()
    here.wait_for_selector('#graph [data-name="valueOf"]', state="attached")
    here.get_by_role("button", name="Delete __proto__", exact=True).click()
    here.wait_for_selector('#graph [data-name="__proto__"]', state="detached")
    here.click("#editor-done")
    here.click("#undo")
    here.wait_for_selector('#graph [data-name="__proto__"]')
