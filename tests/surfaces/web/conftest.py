"""One server for all tests of the web, and a browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("starlette", reason="the explorer needs qontrast[web]")

from tests.support.browser import Open
from tests.support.wait import DEADLINE, LONG_DEADLINE
from tests.support.web_server import Served, served

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def explorer() -> Iterator[Served]:
    with served(seconds=LONG_DEADLINE) as running:
        yield running


@pytest.fixture(scope="session")
def client(explorer: Served) -> Iterator[httpx.Client]:
    with explorer.client() as made:
        yield made


@pytest.fixture(scope="session")
def healthcare(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/examples/healthcare").json()
    return found


@pytest.fixture(scope="module")  # while a browser runs, asyncio.run does not
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="NO BROWSER TESTS: playwright is not installed (make test-heavy installs it)"
    )
    found = os.environ.get("QONTRAST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("NO BROWSER TESTS: no chromium on this machine; install it with: apt-get install chromium")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, explorer: Served) -> Iterator[Open]:
    """Opens the page; at the end of the test nothing may have been complained about or asked of another host."""
    complaints: list[str] = []
    outside: list[str] = []
    contexts = []
    own = (explorer.address, "blob:")

    def opened(
        fragment: str = "", width: int = 1280, height: int = 720, expected: str = "status of 422", **settings: Any
    ) -> Any:
        """`expected` is a pattern of complaints that belong to the test; the browser notes each refusal, too."""

        def complain(text: str) -> None:
            if not re.search(expected, text):
                complaints.append(text)

        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **settings)
        contexts.append(context)
        made = context.new_page()
        made.set_default_timeout(1000 * DEADLINE)
        made.on("console", lambda said: complain(said.text) if said.type in ("error", "warning") else None)
        made.on("pageerror", lambda error: complain(str(error)))
        made.on(
            "request",
            lambda sent: None if sent.url.startswith(own) else outside.append(sent.url),
        )
        made.goto(f"{explorer.address}/{fragment}")
        made.wait_for_selector("body[data-ready]")
        return made

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert outside == []
