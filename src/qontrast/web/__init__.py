"""The explorer in a browser, and the JSON API behind it.

    page ─ JSON ─ server ─ bytes ─ worker process ─ qontrast

The server checks hosts, origins, sizes and time, and passes questions on. Worker processes, which can be ended when
they take too long, answer them with the same functions and schemas as the command line.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..extras import require

if TYPE_CHECKING:
    from .launch import serve
    from .server import app

__all__ = ["app", "serve"]
HOME = {"app": "server", "serve": "launch"}


def __getattr__(name: str) -> object:
    """Import on demand: a worker process needs no server, and starts sooner without it."""
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in ("starlette", "pydantic", "uvicorn"):
        require(package, f"qontrast.web.{name}")
    return getattr(import_module(f".{HOME[name]}", __name__), name)
