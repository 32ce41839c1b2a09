"""What a command of the command line leaves behind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ran:
    """The exit code, standard output and standard error of one command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as strict JSON."""

        def refuse(word: str) -> None:
            raise AssertionError(f"{word} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


def list_options(command: str) -> frozenset[str]:
    """Return the options that a command has."""
    from qontrast.cli.main import COMMANDS, load_command

    parameters = load_command(command).params if command in COMMANDS else []
    return frozenset(name for each in parameters for name in (*each.opts, *each.secondary_opts) if name[0] == "-")
