"""The command line, which needs the extra `cli`.

`main` holds the table of commands and runs one; `commands` has a module for each; `options` holds what they share.
"""

from __future__ import annotations

import sys

from ..extras import EXTRAS


def entry() -> None:
    """Run the command `qontrast`; say which extra is missing where the command line is not installed."""
    try:
        from .main import main
    except ImportError as error:
        print(f"qontrast: {explain_missing(error)}", file=sys.stderr)
        sys.exit(1)
    sys.exit(main())


def explain_missing(error: ImportError) -> str:
    """Name the extra that installs a missing package; raise the error again where no extra does."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        raise error
    return f"this needs {package}; install it with: pip install 'qontrast[{EXTRAS[package]}]'"
