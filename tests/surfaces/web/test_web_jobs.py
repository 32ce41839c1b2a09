"""One client's long questions never delay another's quick ones, and nobody works for a client that has gone."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from qontrast.web import app, jobs, launch, worker
from qontrast.web.jobs import Disconnected, Pool, Reply, Unavailable, Worker
from tests.support.wait import LONG_DEADLINE
from tests.support.web_server import Served

ANSWER = Reply(200, "text/plain", b"done")


class Fake(Worker):
    """A worker without a process: questions called "held" are answered after `opened`, all others at once."""

    asked: list[tuple[str, bytes]]  # of all workers
    opened: asyncio.Event
    given_up: list[str]

    async def ask(self, question: str, body: bytes) -> Reply:
        self.asked.append((question, body))
        if question == "held":
            await self.opened.wait()
        return ANSWER

    def lower_priority(self) -> None:
        self.is_slow = True

    async def interrupt(self, asked: asyncio.Task[Reply]) -> bool:
        self.given_up.append("interrupted")
        asked.cancel()
        return True

    async def kill(self) -> None:
        pass


def run(work: Any, places: int, patch: pytest.MonkeyPatch, start: asyncio.Event | None = None) -> None:
    """Run `work(pool)` with a pool of fake workers, which start once `start` is set."""

    async def begin() -> Worker:
        if start is not None:
            await start.wait()
        return Fake(None)  # type: ignore[arg-type]

    async def main() -> None:
        Fake.asked, Fake.opened, Fake.given_up = [], asyncio.Event(), []
        pool = Pool(seconds=LONG_DEADLINE, places=places, slow_places=places)
        pool.start()
        await work(pool)
        await pool.stop()

    patch.setattr(Worker, "start", begin)
    asyncio.run(main())


async def until(holds: Any) -> None:
    while not holds():
        await asyncio.sleep(0)


@pytest.mark.parametrize("another", ["one", "two"], ids=["the same client", "another client"])
def test_a_quick_question_is_answered_while_eight_slow_ones_of_one_client_wait(
    another: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "QUICK_SECONDS", 0.01)

    async def work(pool: Pool) -> None:
        slow = [asyncio.create_task(pool.ask("held", b"{}", "one")) for _ in range(8)]
        await until(lambda: len(pool.slow) == pool.slow_places - 1)
        for k in range(5):
            assert await pool.ask("quick", b"%d" % k, another) == ANSWER
        assert not any(each.done() for each in slow)
        assert len(pool.slow) == pool.slow_places - 1  # one place is left for the slow question of another client
        Fake.opened.set()
        assert await asyncio.gather(*slow) == [ANSWER] * 8

    run(work, 3, monkeypatch)


def test_the_last_worker_is_left_to_another_client_while_new_ones_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "QUICK_SECONDS", 0.01)
    start = asyncio.Event()
    start.set()

    async def work(pool: Pool) -> None:
        await until(lambda: len(pool.idle) == pool.places)
        start.clear()  # starting another one takes long
        slow = [asyncio.create_task(pool.ask("held", b"%d" % k, "one")) for k in range(8)]
        await until(lambda: len(pool.slow) == pool.slow_places - 1)
        assert len(pool.idle) == 1
        assert await pool.ask("quick", b"{}", "two") == ANSWER
        start.set()
        Fake.opened.set()
        assert await asyncio.gather(*slow) == [ANSWER] * 8

    run(work, 3, monkeypatch, start)


def test_clients_that_wait_for_workers_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    start = asyncio.Event()

    async def work(pool: Pool) -> None:
        asks = [
            asyncio.create_task(pool.ask("quick", body, client))
            for client, body in (("one", b"a1"), ("one", b"a2"), ("one", b"a3"), ("two", b"b1"), ("two", b"b2"))
        ]
        await until(lambda: len(pool._waiting) == len(asks))
        start.set()
        await asyncio.gather(*asks)
        assert [body for _, body in Fake.asked] == [b"a1", b"b1", b"a2", b"b2", b"a3"]

    run(work, 1, monkeypatch, start)


@pytest.mark.parametrize("at_work", [False, True], ids=["waiting", "at work"])
def test_a_question_whose_client_has_gone_is_given_up(at_work: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "QUICK_SECONDS", 0.01)
    start = asyncio.Event()

    async def work(pool: Pool) -> None:
        gone = asyncio.get_running_loop().create_future()
        asked = asyncio.create_task(pool.ask("held", b"{}", "one", gone))
        if at_work:
            start.set()
            await until(lambda: pool.slow)
        gone.set_result(None)
        with pytest.raises(Disconnected):
            await asked
        start.set()
        await until(lambda: pool.idle or pool.idle_slow)
        assert len(Fake.asked) == len(Fake.given_up) == at_work

    run(work, 1, monkeypatch, start)


def test_a_server_that_stops_answers_what_waits_and_what_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: Pool) -> None:
        asks = [asyncio.create_task(pool.ask("held", b"%d" % k, "one")) for k in range(4)]
        await until(lambda: pool.quick)
        pool.refuse_all()
        for found in await asyncio.gather(*asks, return_exceptions=True):
            assert isinstance(found, Unavailable)
            assert "the server is stopping" in str(found)

    run(work, 2, monkeypatch)


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
def test_a_worker_gives_up_the_question_at_work_and_answers_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    interruptible = worker.Interruptible()
    before = signal.signal(signal.SIGUSR1, interruptible.interrupt)
    try:
        monkeypatch.setattr(worker, "answer", lambda *_: signal.raise_signal(signal.SIGUSR1))
        assert interruptible.answer("explain", b"{}") == worker.GIVEN_UP
        monkeypatch.setattr(worker, "answer", lambda *_: (200, "text/plain", b"next"))
        signal.raise_signal(signal.SIGUSR1)  # between two questions: it does nothing
        assert interruptible.answer("explain", b"{}") == (200, "text/plain", b"next")
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_client_that_goes_away_while_it_sends_is_no_error() -> None:
    made = app()
    made.state.pool.places = 0
    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    async def main() -> None:
        made.state.pool.start()
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/api/strengths", "headers": headers, "query_string": b""}
        await made(scope | {"client": ("127.0.0.1", 1), "root_path": ""}, receive, send)
        await made.state.pool.stop()

    asyncio.run(main())
    assert sent[0]["status"] == 499


@pytest.mark.parametrize(
    "before", [b"", b"GET /api/examples HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], ids=["first", "next"]
)
def test_a_request_whose_head_does_not_come_to_its_end_is_closed(
    before: bytes, explorer: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(explorer.address.rpartition(":")[2])
    if not before:
        monkeypatch.setattr(launch, "MAX_HEADER_SECONDS", 0.01)
    with socket.create_connection(("127.0.0.1", port), LONG_DEADLINE) as connection:
        connection.sendall(before)
        seen = b""
        while before and b"healthcare" not in seen:
            seen += connection.recv(1 << 16)
        monkeypatch.setattr(launch, "MAX_HEADER_SECONDS", 0.01)
        rest = b""
        with suppress(ConnectionError):  # a server that has closed before refuses what is sent
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            while more := connection.recv(1 << 16):
                rest += more
        assert b"doctype" not in rest


async def answer() -> Reply:
    return ANSWER


async def fail() -> Reply:
    raise asyncio.IncompleteReadError(b"", 1)


async def hang() -> Reply:
    return await asyncio.Future()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot interrupt a worker")
@pytest.mark.parametrize(("question", "ready"), [(answer, True), (fail, False), (hang, False)])
def test_a_worker_that_was_interrupted_is_ready_for_another_question_only_after_an_answer(
    monkeypatch: pytest.MonkeyPatch, question: Any, ready: bool
) -> None:
    monkeypatch.setattr(jobs, "MAX_STOP_SECONDS", 0.01)
    sent: list[int] = []
    interrupted = Worker(SimpleNamespace(send_signal=sent.append))  # type: ignore[arg-type]

    async def interrupt() -> bool:
        asked = asyncio.ensure_future(question())
        found = await interrupted.interrupt(asked)
        asked.cancel()
        await asyncio.wait({asked})
        if not asked.cancelled():
            asked.exception()  # it is known
        return found

    assert asyncio.run(interrupt()) is ready
    assert sent == [signal.SIGUSR1]
