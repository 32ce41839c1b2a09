"""The command `explore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..completion import complete_file
from ..options import CHANGES, TOPIC, Argument, make_question

PARAMETERS = [
    Argument(
        "file",
        "FILE",
        "A graph in any format, - for standard input, or examples:NAME. Default: examples:healthcare.",
        complete_file,
        required=False,
    ),
    *CHANGES,
    TOPIC,
    click.Option(
        ["--host"],
        default="127.0.0.1",
        help="The address to listen on. For any but this machine's own a token is required.",
    ),
    click.Option(["--port"], metavar="N", type=int, default=0, help="The port to listen on; 0 takes any free one."),
    click.Option(["--token"], help="The token that other machines must send. Default: a random one, which is shown."),
    click.Option(["--browser/--no-browser"], default=True, help="Open the page in a browser."),
]


def run(*, file: str | None, host: str, port: int, token: str | None, browser: bool, **options: Any) -> None:
    """Serve the explorer."""
    from ...web import serve

    question = make_question(file or "examples:healthcare", **options)
    serve(question.qbaf, host, port, browser, token, Path(question.source).name.removeprefix("examples:"))
