"""What a command prints: data as JSON or as text that fits the terminal, and notes beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..plain import dumped
from ..words import number

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

DIM = "dim"
FILE_WIDTH = 100  # columns of a text that goes into a file or a pipe


def console() -> Console:
    """Standard output as rich sees it; NO_COLOR is respected by rich itself."""
    from rich.console import Console

    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=FILE_WIDTH if piped else None)


def put_json(data: Any) -> None:
    """Plain data on standard output."""
    print(dumped(data))


def note(message: str) -> None:
    """Something that is no data, on standard error."""
    print(message, file=sys.stderr)


def put(*parts: Any) -> None:
    """Texts, tables and bars, one under the other."""
    out = console()
    for part in parts:
        out.print(part, markup=False)


def heading(text: str) -> Text:
    from rich.text import Text

    return Text(text, style="bold")


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
            title if isinstance(title, Text) else Text(title),
            justify="right" if kind == "number" else "left",
            no_wrap=kind != "text",
            style=DIM if kind == "dim" else None,
        )
    for row in rows:
        made.add_row(*(each if isinstance(each, Text) else Text(str(each)) for each in row))
    return made


def signed(value: float, digits: int = 4) -> str:
    """`+0.0790`, `0` or `undefined`."""
    if value != value:
        return "undefined"
    if value == 0:
        return "0"
    text = f"{value:+.{digits}f}" if abs(value) >= 0.5 * 10**-digits else number(value, "+")
    return text.replace("-", "−")  # as in the words around it
