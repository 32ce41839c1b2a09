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


def upload(page: Any, name: str, text: str) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})
