"""`qontrast explore`: the page from the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from ..cli import complete
from ..errors import InvalidInput


def explore(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A file of any format, or examples:NAME; the healthcare example unless given.",
            show_default=False,
            autocompletion=complete.files,
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Listen here; beyond this machine a token is wanted.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Listen on this port; 0 is a free one.", min=0, max=65535)] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    token: Annotated[
        str | None, typer.Option(help="What callers must know; made on the spot where one is wanted.", metavar="TEXT")
    ] = None,
) -> None:
    """Ask, drag and understand in a browser, on this machine; Ctrl-C stops it."""
    try:
        from .launch import serve
    except ImportError as error:
        if error.name not in ("fastapi", "uvicorn", "starlette", "pydantic"):
            raise
        raise InvalidInput(f"the explorer needs {error.name}; install it with: pip install 'qontrast[web]'") from None
    serve(file, host, port, not no_browser, token)
