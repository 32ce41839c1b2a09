"""What a command prints: data as JSON or as text that fits the terminal, and notes beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..explain.wording import number
from ..graph.labels import visible
from ..results.serialize import write_json
from .streams import complain, put_bytes

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

DIM = "dim"
FILE_WIDTH = 100  # columns of a text that goes into a file or a pipe


def console() -> Console:
    """Standard output as rich sees it; NO_COLOR is respected by rich itself."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for `main`; rich would end with exit code 1

    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Screen(highlight=False, width=FILE_WIDTH if piped else None)


def put_json(data: Any) -> None:
    """Plain data on standard output, in UTF-8; half a surrogate pair in a file name is written as JSON escapes it."""
    put_bytes(f"{write_json(data)}\n".encode(errors="backslashreplace"))


def note(message: str) -> None:
    """Something that is not data, on standard error."""
    complain(message)


def put(*parts: Any) -> None:
    """Texts, tables and bars, one under the other."""
    out = console()
    for part in parts:
        out.print(printable(part) if isinstance(part, str) else part, markup=False)


def printable(text: str) -> str:
    """The text line by line with its control characters made visible."""
    return "\n".join(visible(line) if line.strip() else line for line in text.split("\n"))


def heading(text: str) -> Text:
    from rich.text import Text

    return Text(printable(text), style="bold")


def table(columns: Sequence[tuple[str | Text, str]], rows: Sequence[Sequence[Any]]) -> Any:
    """A plain table; a column is its title and its kind: "text", "number", "bar" or "dim"."""
    from rich.table import Table
    from rich.text import Text

    made = Table(
        box=None,
        show_header=any(str(title) for title, _ in columns),
        padding=(0, 2, 0, 0),
        header_style=DIM,
        pad_edge=False,
    )
    for title, kind in columns:
        made.add_column(
            title if isinstance(title, Text) else Text(printable(title)),
            justify="right" if kind == "number" else "left",
            no_wrap=kind in ("bar", "dim"),
            overflow="fold",  # a narrow terminal breaks a cell over lines and cuts nothing
            style=DIM if kind == "dim" else None,
        )
    for row in rows:
        made.add_row(*(each if isinstance(each, Text) else Text(printable(str(each))) for each in row))
    return made


def signed(value: float, digits: int = 4) -> str:
    """`+0.0790`, `0` or `undefined`."""
    if value != value:
        return "undefined"
    if value == 0:
        return "0"
    text = f"{value:+.{digits}f}" if abs(value) >= 0.5 * 10**-digits else number(value, "+")
    return text.replace("-", "−")  # as in the words around it
