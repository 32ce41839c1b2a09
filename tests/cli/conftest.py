"""One command in this process: its exit code, standard output and standard error."""

from __future__ import annotations

import io
import json
import shlex
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from qontrast.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        def refuse(word: str) -> None:
            raise AssertionError(f"{word} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def qontrast(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(line: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(shlex.split(line))
        return Ran(code, *capsys.readouterr())

    return run
