"""Standard output and standard error: data as UTF-8 bytes, text in the characters that the terminal has."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from contextlib import suppress
from typing import NoReturn

from ..errors import FormatError

PLAIN = {  # what stands for a character that the encoding of the terminal lacks
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "─": "-", "→": "->", "←": "<-", "↔": "<->",
    "≥": ">=", "⪰": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-", "×": "x", "·": "*", "•": "*", "÷": "/", "⁄": "/",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "…": "...", "\u00a0": " ", "\u202f": " ",
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": "#", "▎": "|", "▏": "|", "░": ".", "▒": ":", "▓": "#",
    "│": "|", "◂": "<", "▸": ">", "∞": "inf", "⊥": "undefined", "Σ": "sum", "Δ": "delta", "∂": "d",
    "φ": "phi", "Φ": "Phi", "σ": "sigma", "τ": "tau", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "ı": "i",
}  # fmt: skip
RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
HANDLER = "qontrast-plain"


def in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded by a plain equivalent, or by its escape; never by a question mark.

    >>> "3.4·10⁻⁷ ≥ −1 “naïve” 斑".encode("ascii", errors=HANDLER).decode()
    '3.4*10^-7 >= -1 "naive" \\\\u6591'
    >>> "3.4·10⁻¹² m²".encode("cp1252", errors=HANDLER).decode("cp1252")
    '3.4·10^-12 m²'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text, end = error.object, error.end
    while text[end - 1] in RAISED and text[end : end + 1] and text[end] in RAISED:
        end += 1  # the rest of the exponent too: cp1252 has ¹, ² and ³, but no other raised digit
    return "".join(_plain(text, place) for place in range(error.start, end)), end


def _plain(text: str, place: int) -> str:
    char = text[place]
    if char in RAISED:
        power = "" if text[place - 1 : place] and text[place - 1] in RAISED else "^"
        return power + ("-" if char == "⁻" else str(unicodedata.digit(char)))
    if char in PLAIN:
        return PLAIN[char]
    letters = "".join(
        PLAIN.get(each, each) for each in unicodedata.normalize("NFKD", char) if not unicodedata.combining(each)
    )
    return letters if letters.isascii() and letters else char.encode("unicode_escape").decode()


codecs.register_error(HANDLER, in_plain_characters)


class ClosedStream(io.TextIOBase):
    """Stand for a standard output that the caller has closed: writing to it fails like any other failed write."""

    encoding = "utf-8"

    def write(self, text: str) -> NoReturn:
        """Fail."""
        raise OSError(errno.EBADF, "it is closed")


def prepare() -> None:
    """Make both streams safe to write to: closed ones are replaced, and no character makes them fail."""
    if sys.stdout is None:
        sys.stdout = ClosedStream()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 # for the life of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def put_bytes(data: bytes) -> None:
    """Write bytes to standard output."""
    sys.stdout.flush()
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # a stream of text, as in a notebook
        sys.stdout.write(data.decode())
    else:
        raw.write(data)
        raw.flush()


def put_file(text: str) -> None:
    """Write the text of a file to standard output, in UTF-8 whatever the terminal's encoding is."""
    try:
        put_bytes(text.encode())
    except UnicodeEncodeError:
        raise FormatError("not written: a name or label holds half a surrogate pair", "standard output") from None


def abandon_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """Write a line to standard error; where that is gone too, there is nobody to tell."""
    from ..graph.labels import visible

    with suppress(OSError):
        print(visible(message), file=sys.stderr)
