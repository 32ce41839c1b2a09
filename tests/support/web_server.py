"""A server of the explorer for tests: the real one, in a thread, on a free port."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import uvicorn
from fastapi import FastAPI

from qontrast.web import app
from qontrast.web.launch import bound


@dataclass(frozen=True)
class Served:
    """Where it listens, and the application itself."""

    address: str
    app: FastAPI

    def client(self, **settings: object) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=120, **settings)  # type: ignore[arg-type]


@contextmanager
def served(**settings: object) -> Iterator[Served]:
    """The application, answering until the block is left."""
    made = app(**settings)  # type: ignore[arg-type]
    listening = bound("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(made, log_level="error", access_log=False, timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        deadline = time.monotonic() + 60
        while not server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", made)
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
