"""What the tests of the page do in a browser: open examples and files, find rows and bars, wait for an answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Open = Callable[..., Any]  # opens the page in a window of its own


def answer(page: Any) -> str:
    return str(page.inner_text("#answer"))


def until(page: Any, text: str) -> None:
    """Wait until the answer has a text; an old one, and one that the page computed by itself, do not count."""
    script = """text => !document.body.matches("[data-quick], [data-stale]")
        && document.querySelector("#answer")?.textContent.includes(text)"""
    page.wait_for_function(script, arg=text)


def row(page: Any, name: str) -> Any:
    return page.locator(f'.row[data-name="{name}"]')


def bar(page: Any, name: str) -> float:
    return float(page.locator(f'#bars [data-name="{name}"]').get_attribute("data-value"))


def open_example(page: Any, name: str) -> None:
    page.click("#open-menu summary")
    page.locator("#examples button", has_text=re.compile(f"^{name} ")).click()
    page.wait_for_function("name => document.querySelector('#title')?.textContent === name", arg=name)
    page.wait_for_selector("body:not([data-quick], [data-stale]) #graph svg")


def pick(page: Any, choice: str, value: str) -> None:
    """Choose from one of the lists of the page: `methods`, `players`, `semantics` or `solver`."""
    page.click(f"#{choice} summary")
    page.click(f"#{choice} label:has([value='{value}'])")


def list_unexplained(page: Any) -> list[str]:
    """List the controls in view that are explained neither by a title, nor by a label or text of some words."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll("button, select, summary, input, [role=slider], [role=button]")]
            .filter(each => each.checkVisibility() && !each.closest("[title]:not([title='']), .sheet, label")
                && !each.labels?.length && !each.querySelector("title") && !each.textContent.trim().includes(" "))
            .map(each => each.outerHTML)"""
        )
    )


def upload(page: Any, name: str, text: str) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})


class Fingers:
    """Fingers on the page, one for each point; the page must have been opened with `has_touch`."""

    def __init__(self, page: Any) -> None:
        self._session = page.context.new_cdp_session(page)

    def put(self, *points: tuple[float, float]) -> None:
        self._send("touchStart", points)

    def move(self, *points: tuple[float, float]) -> None:
        self._send("touchMove", points)

    def lift(self) -> None:
        self._send("touchEnd", ())

    def _send(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        places = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
