"""The command line: parse → call one function → show.

Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 unexpected, 2 usage or unknown
name, 3 bad file, 4 undefined strengths, 130 interrupted.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any

from ..errors import (
    FormatError,
    FormatWarning,
    InvalidInput,
    InvalidQbaf,
    QontrastError,
    TooLarge,
    UndefinedStrength,
    UnknownName,
)
from ..extras import EXTRAS

DONE, UNEXPECTED, USAGE, BAD_FILE, UNDEFINED, INTERRUPTED = 0, 1, 2, 3, 4, 130
CODES: dict[type[QontrastError], int] = {
    FormatError: BAD_FILE,
    InvalidQbaf: BAD_FILE,
    UndefinedStrength: UNDEFINED,
    UnknownName: USAGE,
    InvalidInput: USAGE,
    TooLarge: USAGE,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # an old code page shows a question mark, and never fails
            stream.reconfigure(errors="replace")
    try:
        from .app import run

        with warnings.catch_warnings():
            warnings.simplefilter("always", FormatWarning)
            warnings.showwarning = _note
            code = run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # whoever read our output has seen enough; the interpreter must not try to flush the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except QontrastError as error:
        if _debugging():
            traceback.print_exc()
        return _say(spoken(str(error)), next(code for kind, code in CODES.items() if isinstance(error, kind)))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        return _say(f"this needs {package}; install it with: pip install 'qontrast[{EXTRAS[package]}]'", UNEXPECTED)
    except Exception as error:  # the last door: a user sees one line, a developer asks for more
        if _debugging():
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        return _say(f"unexpected {what} (a bug? QONTRAST_DEBUG=1 shows where)", UNEXPECTED)


def entry() -> None:
    """What the command `qontrast` runs."""
    sys.exit(main())


def _debugging() -> bool:
    return os.environ.get("QONTRAST_DEBUG", "") not in ("", "0")


def _say(message: str, code: int) -> int:
    print(f"qontrast: {message}", file=sys.stderr)
    return code


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"note: {spoken(str(message))}", file=sys.stderr)


WORDS = (  # a way out as Python says it, and as the command line does
    (re.compile(r"\b(method|solver|semantics|norm)=['\"]([\w-]+)['\"]"), r"--\1 \2"),
    (re.compile(r"\bgive format= one of"), "give --read-as or --write-as one of"),
    (re.compile(r"\bgive topics=\[\.\.\.\]"), "name them with --topic"),
    (re.compile(r"\braise max_(evaluations|players|budget)\b"), "raise --budget"),
    (re.compile(r"contrast\(\.\.\., (--method shapley)\), or plot_contrast"), r"\1, or --figure bars"),
    (re.compile(r"\btrusted=True"), "--trusted"),
    (re.compile(r"\bclasses=\[\.\.\.\]"), "--class"),
    (re.compile(r"(?<=: )raise max_steps\b"), "try --solver continuous"),
)


def spoken(message: str) -> str:
    """A message of the library in the words of the command line, on one line.

    >>> spoken('strengths are undefined here, or ask for solver="continuous"')
    'strengths are undefined here, or ask for --solver continuous'
    """
    for pattern, words in WORDS:
        message = pattern.sub(words, message)
    return " ".join(message.split("\n"))
