"""Print to standard output and standard error: data as UTF-8 bytes, text in characters that the terminal has.

Long work has a progress bar on standard error, which appears after a second and goes when the work is done.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import FormatError, InvalidInput
from ..formats.disk import find_descriptor, is_stream, write_files
from ..graph.labels import visible
from ..results.base import write_json
from ..types import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.text import Text

PIPE_COLUMNS = 100  # columns of a text that goes into a file or a pipe
REPLACEMENTS = {  # what stands for a character that the encoding of the terminal lacks
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "─": "-", "→": "->", "←": "<-", "↔": "<->",
    "≥": ">=", "⪰": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-", "×": "x", "·": "*", "•": "*", "÷": "/", "⁄": "/",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "\u00a0": " ", "\u202f": " ",
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": "#", "▎": "|", "▏": "|", "░": ".", "▒": ":", "▓": "#",
    "│": "|", "◂": "<", "▸": ">", "∞": "inf", "⊥": "undefined", "Σ": "sum", "Δ": "delta", "∂": "d",
    "φ": "phi", "Φ": "Phi", "σ": "sigma", "τ": "tau", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "ı": "i",
}  # fmt: skip
RAISED_DIGITS = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
ENCODING_ERRORS = "qontrast-plain"
SECONDS_UNTIL_SHOWN = 1.0
SECONDS_BETWEEN_UPDATES = 0.1
BAR_WIDTH = 30  # columns


def replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded by a plain equivalent, or by its escape; never by a question mark.

    >>> "3.4·10⁻⁷ ≥ −1 “naïve” 斑".encode("ascii", errors=ENCODING_ERRORS).decode()
    '3.4*10^-7 >= -1 "naive" \\\\u6591'
    >>> "3.4·10⁻¹² m²".encode("cp1252", errors=ENCODING_ERRORS).decode("cp1252")
    '3.4·10^-12 m²'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, end = error.object, error.end
    while text[end - 1] in RAISED_DIGITS and text[end : end + 1] and text[end] in RAISED_DIGITS:
        end += 1  # the rest of the exponent too: cp1252 has ¹, ² and ³, but no other raised digit
    return "".join(_replace(text, place) for place in range(error.start, end)), end


def _replace(text: str, place: int) -> str:
    char = text[place]
    if char in RAISED_DIGITS:
        power = "" if text[place - 1 : place] and text[place - 1] in RAISED_DIGITS else "^"
        return power + ("-" if char == "⁻" else str(unicodedata.digit(char)))
    if char in REPLACEMENTS:
        return REPLACEMENTS[char]
    letters = "".join(
        REPLACEMENTS.get(each, each) for each in unicodedata.normalize("NFKD", char) if not unicodedata.combining(each)
    )
    return letters if letters.isascii() and letters else char.encode("unicode_escape").decode()


codecs.register_error(ENCODING_ERRORS, replace_characters)


class ClosedStream(io.TextIOBase):
    """Stand for a standard output that the caller has closed: writing to it fails like any other failed write."""

    encoding = "utf-8"

    def write(self, text: str) -> NoReturn:
        """Fail."""
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make both streams safe to write to: closed ones are replaced, and no character makes them fail."""
    if sys.stdout is None:
        sys.stdout = ClosedStream()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 # for the life of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ENCODING_ERRORS)


def print_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    sys.stdout.flush()
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # a stream of text, as in a notebook
        sys.stdout.write(data.decode())
    else:
        raw.write(data)
        raw.flush()


def print_file(text: str) -> None:
    """Write the text of a file to standard output, in UTF-8 whatever the terminal's encoding is."""
    try:
        print_bytes(text.encode())
    except UnicodeEncodeError:
        raise FormatError("not written: a name or label holds half a surrogate pair", "standard output") from None


def abandon_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_note(message: str) -> None:
    """Print a line to standard error; where that is gone too, there is nobody to tell."""
    with suppress(OSError):
        print(visible(message), file=sys.stderr)


def print_json(data: Any) -> None:
    """Print plain data to standard output; half a surrogate pair in a file name is written as JSON escapes it."""
    print_bytes(f"{write_json(data)}\n".encode(errors="backslashreplace"))


def print_text(*parts: Any) -> None:
    """Print texts, tables and bars, one under the other, as wide as the terminal is."""
    from rich.console import Console

    class Screen(Console):  # rich respects NO_COLOR by itself
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for `main`; rich would end with exit code 1

    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    screen = Screen(highlight=False, width=PIPE_COLUMNS if piped else None)
    for part in parts:
        screen.print(escape_lines(part) if isinstance(part, str) else part, markup=False)


def escape_lines(text: str) -> str:
    """Make the control characters of every line visible."""
    return "\n".join(visible(line) if line.strip() else line for line in text.split("\n"))


def make_heading(text: str) -> Text:
    """Make a text bold."""
    from rich.text import Text

    return Text(escape_lines(text), style="bold")


def make_table(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> Any:
    """Make a plain table; a column is its title and its kind: "text", "number", "bar" or "dim"."""
    from rich.table import Table
    from rich.text import Text

    heads = any(title for title, _ in columns)
    table = Table(box=None, show_header=heads, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for title, kind in columns:
        table.add_column(
            Text(escape_lines(title)),
            justify="right" if kind == "number" else "left",
            no_wrap=kind in ("bar", "dim"),
            overflow="fold",  # a narrow terminal breaks a cell over lines and cuts nothing
            style="dim" if kind == "dim" else None,
        )
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(escape_lines(str(cell))) for cell in row))
    return table


# -- progress ------------------------------------------------------------------------------------------------


@contextmanager
def show_progress(title: str, *, rate: bool = False) -> Iterator[Progress | None]:
    """Give the callback that draws the bar, or None where standard error is no terminal; `rate` is shown if asked."""
    if not sys.stderr.isatty():
        yield None
        return
    began = last = time.monotonic()
    with ExitStack() as stack:
        bar: Bar | None = None

        def update(done: int, total: int) -> None:
            nonlocal bar, last
            now = time.monotonic()
            if now - began < SECONDS_UNTIL_SHOWN or (bar and now - last < SECONDS_BETWEEN_UPDATES):
                return
            last = now
            if bar is None:
                bar = stack.enter_context(_make_bar(rate))
                bar.add_task(title)
            bar.update(bar.task_ids[0], completed=done, total=total, refresh=True)

        yield update


def _make_bar(rate: bool) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

    # without a thread that redraws it, so that an executor may still fork this process
    title = TextColumn("{task.description}", markup=False)
    columns = [title, BarColumn(BAR_WIDTH), TaskProgressColumn(), MofNCompleteColumn()]
    if rate:
        columns.append(_make_rate_column())
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, redirect_stdout=False)


def _make_rate_column() -> Any:
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        """What is done in a second, on average."""

        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.0f} a second")

    return Rate()


# -- files ---------------------------------------------------------------------------------------------------


def is_stdout(path: str) -> bool:
    """Return whether a path means standard output: - or /dev/stdout."""
    return path == "-" or find_descriptor(Path(path)) == 1


def cannot_have_suffix(path: str) -> bool:
    """Return whether a path is standard output, a device or a pipe."""
    try:
        return is_stdout(path) or (not PurePath(path).suffix and is_stream(Path(path)))
    except (OSError, ValueError):
        return False  # writing says what is wrong with it


def check_page_name(path: str) -> None:
    """Refuse to write a page under the name of something else."""
    suffix = PurePath(path).suffix.lower()
    if path != "-" and suffix not in ("", ".html", ".htm"):
        raise InvalidInput(f"a report is a page of HTML, and {path!r} ends in {suffix}; end it in .html")


def write_output(data: bytes, path: str, *, json: bool) -> None:
    """Write to standard output, or into a file, whole or not at all; then say what was written."""
    if is_stdout(path):
        print_bytes(data)
    elif json:
        write_files({Path(path): data})
        print_json({"schema": "qontrast/written/1", "path": path, "bytes": len(data)})
    else:
        write_file(data, path)


def write_file(data: bytes, path: str) -> None:
    """Write a file, whole or not at all, and note how large it is."""
    write_files({Path(path): data})
    print_note(f"{path}: {len(data) / 1000:,.0f} kB")
