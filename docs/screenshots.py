"""Take the pictures of the explorer for the documents: `python docs/screenshots.py`.

It needs the extra `web`, playwright, Pillow and chromium, as `make test-heavy` installs them. Each picture is taken of
the page that `qontrast explore` serves, once its answer is there, in light and dark, and reduced to 128 colours.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
COLOURS = 128
PATIENCE_MS = 300_000  # for an answer on a busy machine


def wait_for_answer(page: Any) -> None:
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("() => document.querySelector('#answer')?.textContent.includes('is rated above')")
    page.wait_for_selector("body:not([data-stale]) #graph svg")
    page.wait_for_selector("#bars [data-name]")


def move_a_base_score(page: Any) -> None:
    """Set the base score of the PCR test, after which the order is another."""
    page.locator('.row[data-name="pcr"] [type=range]').fill("0.2")
    page.wait_for_function("() => document.querySelector('#answer')?.textContent.includes('is rated below')")


@dataclass(frozen=True)
class Shot:
    """A picture: its size, and what is done on the page before it is taken."""

    name: str
    width: int
    height: int
    act: Callable[[Any], None] = lambda _: None
    schemes: tuple[str, ...] = ("light", "dark")
    scale: float = 1.0


SHOTS = (
    Shot("explorer", 1280, 860),
    Shot("explorer-moved", 1280, 860, move_a_base_score, schemes=("light",)),
    Shot("explorer-phone", 390, 844, schemes=("light",), scale=1.5),
)


@contextmanager
def serve() -> Iterator[str]:
    """Start the explorer on a free port, and give its address."""
    command = [sys.executable, "-m", "qontrast", "explore", "examples:healthcare", "--no-browser", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout is not None
        try:
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            yield address
        finally:
            server.terminate()


def take(browser: Any, address: str, shot: Shot, scheme: str) -> bytes:
    """Open the page, do what the shot wants, and take its picture."""
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=scheme,
        reduced_motion="reduce",
        device_scale_factor=shot.scale,
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address)
    wait_for_answer(page)
    shot.act(page)
    page.mouse.move(0, 0)
    taken: bytes = page.screenshot(animations="disabled")
    context.close()
    return taken


def compress(data: bytes) -> bytes:
    """The picture with a palette of few colours, which is enough for text and flat shapes."""
    from PIL import Image

    made = BytesIO()
    Image.open(BytesIO(data)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        made, "PNG", optimize=True
    )
    return made.getvalue()


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("QONTRAST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("no chromium on this machine; install it, or name it in QONTRAST_CHROMIUM")
    with serve() as served, sync_playwright() as started:
        running = started.chromium.launch(executable_path=chromium, args=FLAGS)
        for each in SHOTS:
            for colours in each.schemes:
                file = HERE / "pictures" / f"{each.name}{'-dark' if colours == 'dark' else ''}.png"
                file.write_bytes(compress(take(running, served, each, colours)))
                print(f"{file.name:28}{file.stat().st_size:8,} bytes")
        running.close()
