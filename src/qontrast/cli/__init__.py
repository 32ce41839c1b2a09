"""The command line, which needs the extra `cli`.

`main` holds the table of commands and runs one; `commands` has a module for each; `options` holds what they share.
"""

from __future__ import annotations

import sys

from ..extras import EXTRAS, describe_missing


def entry() -> None:
    """Run the command `qontrast`; say how to install what it needs where the command line is not installed."""
    try:
        from .main import main
    except ImportError as error:
        print(f"qontrast: {explain_missing(error)}", file=sys.stderr)
        sys.exit(1)
    sys.exit(main())


def explain_missing(error: ImportError) -> str:
    """Say how to install a missing package; raise the error again where no extra has it."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        raise error
    return describe_missing(package, "this")
