"""axe-core finds no violation of the rules of accessibility: on the page, in the report and in the audit's page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.auditing.audit import audit_files
from qontrast.networks import from_arrays, save
from qontrast.show.html.audit import audit_html
from qontrast.show.html.report import report_html
from tests.support.browser import Open, open_example, until

pytestmark = pytest.mark.heavy


ALL_RULES = {"resultTypes": ["violations"]}
CONTRAST = ALL_RULES | {"runOnly": ["color-contrast"]}  # the rule that depends on the theme


def find_violations(page: Any, what: str) -> list[str]:
    """List what axe finds on a page: all rules on the light one, contrast on the dark one."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = []
    for theme, options in (("light", ALL_RULES), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=theme)
        for each in axe.run(page, options=options).response["violations"]:
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


def test_axe_finds_no_violation_on_the_page(page: Open) -> None:
    here = page(width=1440, height=900)
    assert find_violations(here, "healthcare") == []
    here.click("#tab-reach")
    here.wait_for_selector("#reach .level")
    assert find_violations(here, "goal") == []
    here.click("#edit")
    here.wait_for_selector("#editor .edit")
    assert find_violations(here, "editor") == []
    here.click("#editor-done")
    open_example(here, "debate")
    until(here, "is rated")
    assert find_violations(here, "debate") == []


def test_axe_finds_no_violation_in_a_report_and_in_an_audit(browser: Any, tmp_path: Path) -> None:
    report = report_html(qx.examples.load("healthcare"), "antiviral", "antibiotic")
    here = browser.new_page()
    for name, text in (("report", report), ("audit", write_audit(tmp_path))):
        here.set_content(text)
        assert find_violations(here, name) == []
    here.close()
