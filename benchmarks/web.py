"""The explorer: how large the page is, how soon it is ready, how long from a slider to the text, and twenty users.

The browser figures need Playwright and a Chromium; where there is none they are not measured, and say so.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from qontrast import examples
from qontrast.formats import write_text

PAGE, READY, SLIDER, LARGE = 120_000, 1.0, 60.0, 250.0  # bytes, seconds, milliseconds, milliseconds
USERS, RATE, SECONDS = 20, 10, 5

SLIDE = """async ({ name, rounds }) => {
    const slider = document.querySelector(`.row[data-name="${name}"] [type=range]`);
    const answer = document.querySelector("#answer"), times = [];
    for (let k = 0; k < rounds; k++) {
        const changed = new Promise((done) => {
            const watch = new MutationObserver(() => { watch.disconnect(); done(); });
            watch.observe(answer, { childList: true, characterData: true, subtree: true });
        });
        const began = performance.now();
        slider.value = 0.2 + 0.6 * ((k * 0.37) % 1);
        slider.dispatchEvent(new Event("input"));
        await changed;
        times.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 250));
    }
    return times;
}"""


def figures() -> Iterator[tuple[str, bool]]:
    """Every figure with its target, and whether it is met."""
    with running() as address:
        yield from in_a_browser(address)
        yield asyncio.run(many_users(address))


@contextmanager
def running() -> Iterator[str]:
    """A server on a free port, warm."""
    import uvicorn

    from qontrast.web import app
    from qontrast.web.launch import open_socket

    made = app()
    listening = open_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(made, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started or len(made.state.pool.idle) < made.state.pool.places:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def in_a_browser(address: str) -> Iterator[tuple[str, bool]]:
    chromium = os.environ.get("QONTRAST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        yield "explorer in a browser: NOT MEASURED, there is no playwright or no chromium here", True
        return
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        took = open_editor(browser, address)
        line = f"explorer: table editor opens in {took:.2f} s with 2,000 arguments (target below {EDITOR:g} s)"
        yield line, took < EDITOR
        size, ready = opened(browser, address)
        yield f"explorer: page {size:,} bytes (target below {PAGE:,})", size < PAGE
        yield f"explorer: ready after {ready:.2f} s (target below {READY:g} s)", ready < READY
        for example, method, name, target in (
            ("healthcare", "shapley", "pcr", SLIDER),
            ("debate", "gradient", "fares", LARGE),
        ):
            took = slid(browser, address, example, method, name)
            line = f"explorer: slider to text {took:.0f} ms, {example} with {method} (target below {target:g} ms)"
            yield line, took < target
        browser.close()


def opened(browser: Any, address: str) -> tuple[int, float]:
    """Bytes of all files that load, without the answers of the API; and the median time until the page is ready."""
    times, size = [], 0
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        loaded: dict[str, int] = {}
        page.on("response", lambda got, loaded=loaded: loaded.update({got.url: len(got.body())}))
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        times.append(page.evaluate("performance.getEntriesByName('ready')[0].startTime") / 1000)
        page.wait_for_timeout(300)
        size = sum(each for url, each in loaded.items() if "/api/" not in url)
        context.close()
    return size, statistics.median(times)


def slid(browser: Any, address: str, example: str, method: str, name: str) -> float:
    """The median from moving a slider to the new text, in milliseconds."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.click(f'#methods input[value="{method}"]', force=True)
    text = write_text(examples.load(example), "json")
    page.set_input_files("#file", {"name": f"{example}.json", "mimeType": "text/plain", "buffer": text.encode()})
    page.wait_for_selector(f'#graph [data-name="{name}"]')
    page.wait_for_timeout(500)
    times = page.evaluate(SLIDE, {"name": name, "rounds": 30})
    context.close()
    return statistics.median(times)


async def many_users(address: str) -> tuple[str, bool]:
    """Each user changes a base score ten times a second; as on the page, only the newest state is asked about."""
    import httpx

    graph = json.loads(write_text(examples.load("healthcare"), "json"))
    errors, times = 0, []

    async def user(client: httpx.AsyncClient, number: int) -> None:
        nonlocal errors
        busy: asyncio.Task[None] | None = None
        for k in range(SECONDS * RATE):
            if busy is None or busy.done():
                score = ((number * 37 + k * 11) % 100) / 100
                busy = asyncio.create_task(ask(client, score))
            await asyncio.sleep(1 / RATE)
        if busy is not None:
            await busy

    async def ask(client: httpx.AsyncClient, score: float) -> None:
        nonlocal errors
        began = time.perf_counter()
        body = {"graph": graph, "set": {"pcr": score}, "fact": "antiviral", "foil": "antibiotic"}
        answer = await client.post("/api/explain", json=body)
        times.append(time.perf_counter() - began)
        errors += answer.status_code != 200

    limits = httpx.Limits(max_connections=USERS)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await asyncio.gather(*(user(client, number) for number in range(USERS)))
    line = (
        f"explorer: {USERS} users, {RATE} changes a second each for {SECONDS} s: {len(times)} answers, "
        f"median {1000 * statistics.median(times):.0f} ms, {errors} errors (target 0)"
    )
    return line, errors == 0


EDITOR = 0.5  # seconds
OPEN = """async () => {
    const began = performance.now(), dialog = document.querySelector("#editor");
    document.querySelector("#edit").click();
    while (!dialog.open) await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - began;
}"""


def open_editor(browser: Any, address: str) -> float:
    """The median time from the button to the painted table of a graph with 2,000 arguments, in seconds."""
    arguments = {f"a{k}": {"name": f"a{k}", "argument": f"a{k}", "initial_weight": 0.5} for k in range(2000)}
    edges = [[f"a{k}", f"a{k // 2}"] for k in range(1, 2000)]
    text = json.dumps({"arguments": arguments, "attacks": edges[::2], "supports": edges[1::2]})
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.route("**/api/explain", lambda _: None)  # the editor needs no answer
    page.set_input_files("#file", {"name": "large.json", "mimeType": "text/plain", "buffer": text.encode()})
    page.wait_for_function("() => document.querySelectorAll('#fact option').length === 2000")
    times = []
    for _ in range(5):
        times.append(page.evaluate(OPEN) / 1000)
        page.click("#editor-done")
    context.close()
    return statistics.median(times)
