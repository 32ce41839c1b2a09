"""Reports with controls: what the page holds, and where it has none and says why."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import pytest

import qontrast as qx
from qontrast.show import report_html
from qontrast.show.html import interactive
from qontrast.show.phrasing import LANGUAGES

EVIL = "</script><script>alert(1)</script><!-- \u2028 & “x”"
GRAPH = qx.Qbaf(
    {"p": 0.5, "q": 0.25, EVIL: 1.0, "constructor": 0.0},
    attacks={(EVIL, "q"): 0.5, ("constructor", "p"): 1.0},
    supports={("constructor", "q"): 1.0},
    topics=["p", "q"],
)


def split(page: str) -> tuple[str, dict[str, Any], str]:
    """The page without its controls, their data, and their script."""
    found = re.search(
        r'<style>[^<]*</style>\n<script type="application/json" id="qx-data">(.*?)</script>\n'
        r'<script type="module">(.*?)</script>\n</body>',
        page,
        re.DOTALL,
    )
    assert found
    return page.replace(found[0], "</body>"), json.loads(found[1]), found[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_with_controls_is_the_static_page_with_data_and_one_script_that_it_allows(language: str) -> None:
    settings: Any = {"method": "removal", "language": language}
    page = report_html(GRAPH, "p", "q", interactive=True, **settings)
    static, data, script = split(page)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert static.replace(f"'sha256-{digest}'", "'none'") == report_html(GRAPH, "p", "q", **settings)
    assert page.count("<script") == page.count("</script") == 2
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|\bimport\b[^;]*from|innerHTML|eval\(", page)
    assert data["base"] == [0.5, 0.25, 1.0, 0.0]
    assert data["attacks"] == [[2, 1, 0.5], [3, 0]]
    assert data["supports"] == [[3, 1]]
    assert (data["fact"], data["foil"], data["semantics"], data["solver"]) == (0, 1, "qe", "discrete")
    assert data["texts"]["ahead"] == LANGUAGES[language].phrases["ahead"]


def test_every_text_that_the_script_asks_for_is_in_the_data() -> None:
    _, data, script = split(report_html(GRAPH, "p", "q", method="removal", interactive=True))
    script = script[script.index("The controls of a report") :]
    asked = set(re.findall(r'(?:texts\[|fill\()"([^"]+)"', script))
    asked |= {f"{start}{end}" for start in ("lead.", "live.") for end in interactive.QUICK_METHODS}
    asked |= {"live.fact", "live.foil", "ahead", "behind", "close.ahead", "close.behind"}
    asked |= {"live.undefined", "live.unknown", "graph.role.fact", "graph.role.foil", "graph.role.topic"}
    assert asked == set(data["texts"])


def chain(size: int, **settings: Any) -> qx.Qbaf:
    names = [f"argument {k}" for k in range(size)]
    edges = [(names[k], names[k // 2]) for k in range(2, size)]
    labels = {name: f"What {name} says is a sentence of about eighty characters, as in a debate" for name in names}
    return qx.Qbaf(
        dict.fromkeys(names, 0.5), attacks=edges[::2], supports=edges[1::2], labels=labels, topics=names[:2], **settings
    )


@pytest.mark.parametrize(("size", "has_controls"), [(500, True), (501, False)])
def test_graphs_of_up_to_500_arguments_have_controls_in_less_than_400_kilobytes(size: int, has_controls: bool) -> None:
    page = report_html(chain(size), "argument 0", "argument 1", method="gradient", interactive=True)
    assert len(page.encode()) < 400_000
    assert ("<script" in page) == has_controls
    assert ("the graph has 501 arguments, and controls are made for at most 500" in page) != has_controls


def test_a_page_that_would_be_too_large_and_one_of_an_own_semantics_say_why_they_have_no_controls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = replace(qx.SEMANTICS["qe"], name="mine<b>")
    page = report_html(GRAPH, "p", "q", method="removal", semantics=own, interactive=True)
    assert "<script" not in page
    assert "and mine&lt;b&gt; is another one" in page
    monkeypatch.setattr(interactive, "MAX_BYTES", 50_000)
    page = report_html(GRAPH, "p", "q", method="removal", interactive=True)
    assert "<script" not in page
    assert "larger than 50 kB" in page


def test_the_command_writes_controls_unless_a_static_page_is_asked_for(qontrast, tmp_path) -> None:  # type: ignore[no-untyped-def]
    for line, controls in (("", True), ("--interactive", True), ("--static", False)):
        assert qontrast(f"report examples:zebra zebra horse --no-flip {line} -o why.html").code == 0
        assert ('id="qx-data"' in (tmp_path / "why.html").read_text(encoding="utf-8")) == controls
