"""Answer questions in worker processes, each within a time limit.

A question begins among the quick ones. If it takes longer than a second, it gives its place to the next question and
goes on as one of a few slow ones, so that it delays nobody. A question that runs out of time, or whose client has
disconnected, ends with its process.

anyio's worker processes would not do: a question that finds no idle worker starts one and waits for it, even if
another worker is free first (10 s instead of 0.1 s in a burst of four), they run the `__main__` of the server again,
and they import modules from the current folder.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field

QUICK_SECONDS = 1.0  # after which a question is a slow one
MAX_WAITING = 256  # questions that wait for a place among the quick ones
MAX_START_SECONDS = 60.0  # of a worker
POLL_SECONDS = 0.5  # between two looks whether the client of a slow question is still connected
SAFE_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}


class Unavailable(Exception):
    """There is no answer: the question is too slow, the server is busy, or the worker failed."""


@dataclass(frozen=True)
class Reply:
    """The answer of a worker, as a response of HTTP."""

    status: int
    media: str
    body: bytes


@dataclass(frozen=True)
class Worker:
    """One process, which reads questions from its standard input and writes replies to its standard output.

    A question is the line `NAME SIZE` and a body of that size; a reply is the line `STATUS SIZE MEDIA` and its body.
    """

    process: asyncio.subprocess.Process

    @classmethod
    async def start(cls) -> Worker:
        """Start a process and wait until it has imported everything."""
        paths = os.pathsep.join(path for path in sys.path if path)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "qontrast.web.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | SAFE_ENVIRONMENT | {"PYTHONPATH": paths},
        )
        worker = cls(process)
        try:
            await worker._read_reply()
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, question: str, body: bytes) -> Reply:
        """Send a question and wait for its reply."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{question} {len(body)}\n".encode() + body)
        await self.process.stdin.drain()
        return await self._read_reply()

    async def _read_reply(self) -> Reply:
        assert self.process.stdout is not None
        line = await self.process.stdout.readuntil(b"\n")
        status, size, media = line.decode().rstrip("\n").split(" ", 2)
        return Reply(int(status), media, await self.process.stdout.readexactly(int(size)))

    async def kill(self) -> None:
        """End the process and wait until it is gone."""
        with suppress(ProcessLookupError):
            self.process.kill()
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()


@dataclass
class Pool:
    """The workers; one without work is kept ready, up to the number of places for quick and slow questions."""

    seconds: float
    places: int = field(default_factory=lambda: max(4, os.cpu_count() or 1))
    slow_places: int = 4
    failures: int = 0  # workers that ended by a mistake of ours
    workers: set[Worker] = field(default_factory=set)
    _waiting: int = 0
    _stopped: bool = False
    _starting: asyncio.Task[None] | None = None
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self) -> None:
        """Start the first workers, one after the other, in the background."""
        self.quick, self.slow = asyncio.Semaphore(self.places), asyncio.Semaphore(self.slow_places)
        self.idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._starting = asyncio.create_task(self._start_workers(self.places))

    async def stop(self) -> None:
        """End all workers, also those that are about to start."""
        self._stopped = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, *self._ending, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self.workers))

    async def ask(self, question: str, body: bytes, is_disconnected: Callable[[], Awaitable[bool]]) -> Reply:
        """Answer a question.

        Raises
        ------
        Unavailable
            There is no answer; the message says why and what to do.
        """
        if self._waiting >= MAX_WAITING:
            raise Unavailable("too many questions at once; try again in a moment")
        async with AsyncExitStack() as place:
            self._waiting += 1
            try:
                await place.enter_async_context(self.quick)
            finally:
                self._waiting -= 1
            worker = await self._take_worker()
            job = asyncio.create_task(worker.ask(question, body))
            try:
                await asyncio.wait({job}, timeout=min(QUICK_SECONDS, self.seconds))
                if not job.done():
                    await place.aclose()
                    if self.slow.locked():
                        raise Unavailable("too many long questions at once; try again, or ask for a cheaper method")
                    await place.enter_async_context(self.slow)
                    await self._wait_for_slow(job, is_disconnected)
                reply = job.result()
            except (asyncio.IncompleteReadError, ConnectionError):
                self.failures += 1
                self._end(worker)
                raise Unavailable("the question broke its worker; this is our mistake: please report it") from None
            except BaseException:
                job.cancel()
                self._end(worker)
                raise
            self.idle.put_nowait(worker)
            return reply

    async def _wait_for_slow(self, job: asyncio.Task[Reply], is_disconnected: Callable[[], Awaitable[bool]]) -> None:
        left = self.seconds - QUICK_SECONDS
        while not job.done() and left > 0:
            await asyncio.wait({job}, timeout=min(POLL_SECONDS, left))
            left -= POLL_SECONDS
            if not job.done() and await is_disconnected():
                break
        if not job.done():
            raise Unavailable(
                f"this took longer than {self.seconds:g} seconds and was given up; "
                "ask for method 'sampled', 'gradient' or 'removal', or for a smaller graph"
            )

    async def _take_worker(self) -> Worker:
        self._start_spare()
        try:
            worker = await asyncio.wait_for(self.idle.get(), MAX_START_SECONDS)
        except TimeoutError:
            raise Unavailable("no worker could be started; is the machine out of memory?") from None
        self._start_spare()
        return worker

    def _start_spare(self) -> None:
        if self.idle.empty() and not self._stopped and (self._starting is None or self._starting.done()):
            self._starting = asyncio.create_task(self._start_workers(1))

    async def _start_workers(self, count: int) -> None:
        for _ in range(min(count, self.places + self.slow_places - len(self.workers))):
            try:
                worker = await Worker.start()
            except (asyncio.IncompleteReadError, OSError):
                self.failures += 1
                return
            self.workers.add(worker)
            self.idle.put_nowait(worker)

    def _end(self, worker: Worker) -> None:
        """End a worker in the background."""

        async def end() -> None:
            await worker.kill()
            self.workers.discard(worker)
            self._start_spare()

        task = asyncio.create_task(end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
