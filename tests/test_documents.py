"""The documents are true: their Python runs and prints what they say, their commands work, their pictures are ours."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import shlex
import warnings
from pathlib import Path

import pytest

import qontrast as qx
from qontrast.cli import main
from qontrast.cli.app import COMMANDS
from tests.support.paths import ROOT

PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(path: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(path.read_text()) if kind == language]


def test_the_readme_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for code in blocks(ROOT / "README.md", "python"):
            exec(code, {})
    assert printed.getvalue() == "".join(blocks(ROOT / "README.md", "text"))


def test_the_commands_of_the_readme_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [line for text in blocks(ROOT / "README.md", "sh") for line in text.splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("qontrast ")]
    assert len(commands) == 3
    for command in commands:
        assert main(command) == 0, capsys.readouterr().err
    assert (tmp_path / "why.html").exists()


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(ROOT / "docs" / page, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=said.write)
    assert runner.failures == 0, said.getvalue()


def test_the_code_of_the_page_on_files_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hotel.bag").write_text("arg(a, 0.5).\narg(b, 0.9).\natt(b, a).\n")
    Path("notes.txt").write_text("arg(a). arg(b). att(b,a).")
    one = {"arguments": {"db0": {"name": "db0", "argument": "x", "initial_weight": 0.5}}, "attacks": [], "supports": []}
    results = {"arguments": {}, "data": [{"base": {"bag": one}}, {"base": {"bag": one}}]}
    Path("results.json").write_text(json.dumps(results))
    space: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", qx.FormatWarning)
        for code in blocks(ROOT / "docs" / "formats.md", "python"):
            exec(code, space)


def test_every_schema_and_command_is_documented():
    page = (ROOT / "docs" / "json.md").read_text()
    source = "".join(path.read_text() for path in (ROOT / "src" / "qontrast").rglob("*.py") if "web" not in path.parts)
    for schema in set(re.findall(r'"(qontrast/\w+/\d+)"', source)):
        assert schema in page, f"{schema} is not on the page docs/json.md"
    assert set(COMMANDS) >= {"why", "flip", "report"}


def test_no_document_names_what_is_not_there():
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([\w./-]+\.(?:md|svg|png))\)", path.read_text()):
            assert (path.parent / target).exists() or "reference" in target or path.name == "cli-intro.md", target
    assert (ROOT / "docs" / "healthcare.svg").stat().st_size < 100_000
