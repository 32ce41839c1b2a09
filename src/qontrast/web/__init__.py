"""The explorer in a browser, and the JSON API behind it.

    page ─ JSON ─ server ─ bytes ─ worker process ─ qontrast

The server only guards and passes on: hosts, origins, sizes, time. All reasoning happens in worker processes that can
be ended when they take too long, by the same functions and with the same schemas as on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extras import require

if TYPE_CHECKING:
    from .launch import serve
    from .server import app

__all__ = ["app", "serve"]


def __getattr__(name: str) -> object:
    """Both on demand: a worker process has no use for FastAPI, and starts in half the time without it."""
    if name in __all__:
        for package in ("fastapi", "uvicorn"):
            require(package, f"qontrast.web.{name}")
    if name == "app":
        from .server import app

        return app
    if name == "serve":
        from .launch import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
