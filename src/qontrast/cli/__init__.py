"""The command line: parse, call one function, show.

Data goes to standard output, everything else to standard error. EXIT_CODES says what each exit code means.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
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
from .streams import abandon_output, complain, prepare

DONE, UNEXPECTED, USAGE, BAD_FILE, UNDEFINED, INTERRUPTED = 0, 1, 2, 3, 4, 130
EXIT_CODES = {  # what `qontrast --help` says of them
    DONE: "done; also where the reader of a pipe stops reading, as `head` does",
    UNEXPECTED: "a missing package, or something unexpected; QONTRAST_DEBUG=1 shows where",
    USAGE: "wrong usage, or an unknown name",
    BAD_FILE: "a file, or standard output, that cannot be read or written",
    UNDEFINED: "undefined strengths",
    INTERRUPTED: "interrupted by Ctrl-C",
}
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
    command = given[0] if given else ""
    prepare()
    try:
        from .app import run

        with warnings.catch_warnings():
            warnings.simplefilter("always", FormatWarning)
            warnings.showwarning = _note
            code = run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # whoever read our output has seen enough
        abandon_output()
        return DONE
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except QontrastError as error:
        if _debugging():
            traceback.print_exc()
        from .hints import phrased

        return _say(phrased(error, command), next(code for kind, code in CODES.items() if isinstance(error, kind)))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        return _say(f"this needs {package}; install it with: pip install 'qontrast[{EXTRAS[package]}]'", UNEXPECTED)
    except OSError as error:  # files are read and written with errors of our own, so this is standard output
        if _debugging():
            traceback.print_exc()
        abandon_output()
        place = error.filename if error.filename is not None else "standard output"
        return _say(f"{place}: cannot be written: {error.strerror or error}", BAD_FILE)
    except Exception as error:  # a user sees one line, a developer asks for more
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
    complain(f"qontrast: {message}")
    return code


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    complain(f"note: {message}")
