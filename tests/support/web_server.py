"""A server of the explorer for tests: the real one, in a thread, on a free port."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
import pytest
from starlette.applications import Starlette

from qontrast.web import app
from qontrast.web.jobs import Reply, Worker
from qontrast.web.launch import Server, configure, open_socket
from tests.support.wait import LONG_DEADLINE, wait_until


@dataclass(frozen=True)
class Served:
    """Where it listens, the application itself, and the thread in which it runs."""

    address: str
    app: Starlette
    thread: threading.Thread
    stop: Callable[[], None]

    def client(self, **settings: object) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=120, **settings)  # type: ignore[arg-type]


@contextmanager
def served(places: int | None = None, **settings: object) -> Iterator[Served]:
    """The application, answering until the block is left; `places` is the length of both lanes."""
    made = app(**settings)  # type: ignore[arg-type]
    if places is not None:
        made.state.pool.places = made.state.pool.slow_places = places
    listening = open_socket("127.0.0.1", 0)
    server = Server(configure(made, log_level="error"), made.state.pool)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()

    def stop() -> None:
        server.should_exit = True
        thread.join(LONG_DEADLINE)

    try:
        wait_until(lambda: server.started or not thread.is_alive(), "the server has started")
        assert server.started
        yield Served(f"http://127.0.0.1:{listening.getsockname()[1]}", made, thread, stop)
    finally:
        stop()
        listening.close()
    assert not thread.is_alive(), "the server did not stop"


class Gate:
    """Holds back the questions that mention `word`: their workers get them only after `open`, so they never end before.

    The rest of the server is the real one: lanes, limits of time, and processes.
    """

    def __init__(self, patch: pytest.MonkeyPatch, word: str = "held") -> None:
        self.held = 0  # questions that have reached a worker and wait here
        self.processes: list[asyncio.subprocess.Process] = []
        self._opened = threading.Event()
        ask = Worker.ask

        async def ask_when_open(worker: Worker, question: str, body: bytes) -> Reply:
            if word.encode() in body:
                self.processes.append(worker.process)
                self.held += 1
                while not self._opened.is_set():
                    await asyncio.sleep(0.02)
            return await ask(worker, question, body)

        patch.setattr(Worker, "ask", ask_when_open)

    def open(self) -> None:
        self._opened.set()
