"""The command `explore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..completion import complete_file
from ..options import CHANGES, FILE, TOPIC, Argument, make_option, make_question

HOST_TEXT = "The address to listen on. For any but this machine's own a token is required."
PARAMETERS = [
    Argument("file", "FILE", f"{FILE.help} Default: examples:healthcare.", complete_file, required=False),
    *CHANGES,
    TOPIC,
    make_option("--host", None, HOST_TEXT, default="127.0.0.1"),
    make_option("--port", "N", "The port to listen on; 0 takes any free one.", type=int, default=0),
    make_option("--token", None, "The token that other machines must send. Default: a random one, which is shown."),
    make_option("--browser/--no-browser", None, "Open the page in a browser.", default=True),
]


def run(*, file: str | None, host: str, port: int, token: str | None, browser: bool, **options: Any) -> None:
    """Serve the explorer."""
    from ...web import serve

    question = make_question(file or "examples:healthcare", **options)
    serve(question.qbaf, host, port, browser, token, Path(question.source).name.removeprefix("examples:"))
