"""Reports in a browser, opened from disk: on paper and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from qontrast.show import report_html
from tests.support.pages import GRAPHS

# what is wider than its page or its screen; texts in pictures are measured too
TOO_WIDE = """width => [...document.querySelectorAll("h1,h2,p,th,td,dt,dd,li,svg,text")].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width && !each.closest(".picture") && (box.right > width + 1 || box.left < -1);
}).map(each => each.outerHTML.slice(0, 80))"""


@pytest.mark.heavy
@pytest.mark.parametrize("name", GRAPHS)
def test_nothing_is_wider_than_paper_or_a_phone(browser: Any, tmp_path: Path, name: str) -> None:
    qbaf, fact, foil = GRAPHS[name]()
    file = tmp_path / "why.html"
    file.write_text(report_html(qbaf, fact, foil, method="removal"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(file.as_uri())
    assert page.evaluate(TOO_WIDE, 390) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 658, "height": 980})  # A4 within margins of 18 mm
    assert page.evaluate(TOO_WIDE, 658) == []
    heights = page.evaluate(
        "[...document.querySelectorAll('.picture svg')].map(each => each.getBoundingClientRect().height)"
    )
    assert max(heights) < 980
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 12
    page.close()
