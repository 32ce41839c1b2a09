"""Real notebooks, executed and converted by nbconvert: pictures are in them, and their texts can be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.heavy

START = "import qontrast as qx\nq = qx.read('examples:healthcare')\nwhy = qx.contrast(q, 'antiviral', 'antibiotic')"


def convert(folder: Path, to: str, *cells: str) -> str:
    """Execute a notebook of these cells in a kernel of its own; return it as JSON (`notebook`) or a page (`html`)."""
    pytest.importorskip("nbconvert", reason="nbconvert is installed by make test-heavy")
    empty = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    code = [empty | {"source": each} for each in cells]
    whole = {"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (folder / "asked.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", to, "--output", "done", "asked.ipynb"]
    settings = {name: str(folder) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR")}  # not those of the user
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (written,) = folder.glob("done.*")
    return written.read_text(encoding="utf-8")


def list_outputs(notebook: str) -> list[set[str]]:
    """List the kinds of data that each cell shows."""
    cells = json.loads(notebook)["cells"]
    return [{kind for output in cell["outputs"] for kind in output.get("data", ())} for cell in cells]


@pytest.mark.parametrize("before", ["pass", "import matplotlib.pyplot as plt"])
def test_a_notebook_shows_the_figure_of_a_result_whether_or_not_pyplot_was_imported(
    before: str, tmp_path: Path
) -> None:
    cells = (before, f"{START}\nwhy.plot()", "axes = qx.rank(q).plot()", "qx.show.plot_waterfall(why);", "q", "why")
    shown = list_outputs(convert(tmp_path, "notebook", *cells))
    assert [sorted(each - {"text/plain"}) for each in shown] == [
        *([], ["image/png"], ["image/png"], ["image/png"]),
        *(["image/svg+xml"], ["text/html"]),
    ]


def test_a_converted_notebook_breaks_no_line_inside_a_word(browser: Any, tmp_path: Path) -> None:
    convert(tmp_path, "html", START, "qx.rank(q)", "qx.flip(q, 'antiviral', 'antibiotic')", "why")
    page = browser.new_page(viewport={"width": 640, "height": 800})
    page.route("http*://**", lambda route: route.abort())  # libraries that nbconvert's page would load
    page.goto((tmp_path / "done.html").as_uri())
    broken, words = page.evaluate(
        """() => {
            const found = [], within = document.createRange();
            let count = 0;
            for (const output of document.querySelectorAll(".jp-RenderedHTMLCommon pre, .jp-RenderedHTMLCommon p")) {
                const text = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
                while (text.nextNode())
                    for (const word of text.currentNode.data.matchAll(/\\S+/g)) {
                        within.setStart(text.currentNode, word.index);
                        within.setEnd(text.currentNode, word.index + word[0].length);
                        count += 1;
                        if (new Set([...within.getClientRects()].map(each => each.top)).size > 1) found.push(word[0]);
                    }
            }
            return [found, count];
        }"""
    )
    page.close()
    assert words > 80
    assert broken == []
