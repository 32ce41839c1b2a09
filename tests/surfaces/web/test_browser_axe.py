"""axe-core finds no violation of the rules of accessibility: on the page, in the report and in the audit's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.auditing.audit import audit_files
from qontrast.networks import from_arrays, save
from qontrast.show.html.audit import audit_html
from qontrast.show.html.report import report_html
from tests.support.browser import Open, list_unexplained, open_example, pick, row, until

pytestmark = pytest.mark.heavy


def find_violations(page: Any, what: str, inside: str | None = None) -> list[str]:
    """List what axe finds on a page or inside of a part of it, by all its rules, in both themes."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for each in axe.run(page, inside, options={"resultTypes": ["violations"]}).response["violations"]:
            found += [f"{what}, {theme}: {each['id']} {node['html']}" for node in each["nodes"]]
    return found


def write_audit(folder: Path) -> str:
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=(3, 2)), rng.normal(size=(2, 2))]
    network = from_arrays(weights, [np.zeros(2), np.zeros(2)], activation="logistic", readout="logistic")
    save(network, folder / "model.npz")
    rows = [f"{k / 100},{(k % 3) / 2},{(k % 7) / 6}" for k in range(60)]
    (folder / "rows.csv").write_text("\n".join(["a,b,c", *rows]), encoding="utf-8")
    settings: dict[str, Any] = {"fact": "class 0", "foil": "class 1", "protected": "b", "methods": ["removal"]}
    return audit_html(audit_files(folder / "model.npz", folder / "rows.csv", **settings))


def walk(here: Any) -> Iterator[tuple[str, str | None]]:
    """Open every part of the page in turn: what it is, and where it stands, or None for all of the page."""
    here.wait_for_selector("#words p")
    yield "start", None
    here.click("#semantics summary")
    here.wait_for_selector("#semantics label")
    yield "a choice", "#picks"
    here.keyboard.press("Escape")
    here.click("#save-menu summary")
    here.wait_for_selector("#formats button")
    yield "save", "#save-menu"
    here.keyboard.press("Escape")
    here.click("#draw")
    here.wait_for_selector("#draw-new")
    here.locator("#graph .qx-node").first.click()
    here.wait_for_selector(".drawbox")
    yield "drawing", None
    here.keyboard.press("Escape")
    here.click("#draw")
    here.wait_for_selector("#draw-new", state="hidden")
    here.locator("#graph .qx-node[data-name=viral]").click()
    here.wait_for_selector("#paths .paths li")
    yield "paths", ".more"
    here.click("#tab-flip")
    here.wait_for_selector("#flip #apply-change")
    yield "flip", ".more"
    here.click("#tab-reach")
    here.wait_for_selector("#reach .level")
    yield "goal", ".more"
    here.click("#tab-together")
    here.wait_for_selector("#together td")
    here.locator("#bars [data-name]").first.click()
    here.wait_for_selector(".inside .value")
    yield "together, with an open bar", "main > :is(.bars, .more)"
    here.locator(".row .spread").first.click()
    here.wait_for_selector("#sure svg")
    yield "uncertain", "main > :is(.ask, .scores)"
    here.click("#tab-compare")
    here.click("#pin")
    here.wait_for_selector("#pinned:not([hidden])")
    row(here, "viral").locator("input[type=checkbox]").click()
    here.wait_for_selector("body:not([data-quick]) .row.gone")
    here.wait_for_selector("#compare td")
    yield "before and after", ".more"
    pick(here, "players", "groups")
    here.click("#new-group")
    here.wait_for_selector("#group-name")
    yield "groups", ".bars"
    here.click("#edit")
    here.wait_for_selector("#editor .edit")
    yield "editor", "#editor"
    here.click("#editor-done")
    open_example(here, "undefined")
    here.wait_for_selector("#problem button")
    yield "undefined", "main"
    open_example(here, "debate")
    until(here, "is rated")
    here.wait_for_selector("#graph [data-fold]")
    here.route("**/api/explain", lambda route: route.fulfill(status=503, json={"error": "busy"}))
    here.click("#swap")
    here.wait_for_selector("body[data-stale] #banner:not([hidden])")
    yield "folded, with a banner", None


def test_axe_finds_no_violation_and_every_control_is_explained_on_every_part_of_the_page(page: Open) -> None:
    here, found = page(width=1440, height=900, expected="status of (422|503)", reduced_motion="reduce"), []
    for part, inside in walk(here):
        here.wait_for_selector("body:not([data-busy])")
        found += find_violations(here, part, inside)
        found += [f"{part}: unexplained {control}" for control in list_unexplained(here)]
    assert found == []


def test_axe_finds_no_violation_in_a_report_and_in_an_audit(browser: Any, tmp_path: Path) -> None:
    report = report_html(qx.examples.load("healthcare"), "antiviral", "antibiotic")
    here = browser.new_page()
    for name, text in (("report", report), ("audit", write_audit(tmp_path))):
        here.set_content(text)
        assert find_violations(here, name) == []
    here.close()
