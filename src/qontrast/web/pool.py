"""Worker processes, and two lanes for what is asked of them.

A question begins in the quick lane. If it takes longer than a second it moves to the slow lane and gives its place
back, so a slow question never stands before another user's slider for longer than that. The slow lane is short: who
finds it full is told so. A question that runs out of time, or whose asker has gone, ends with its process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .frames import LENGTHS, frame

QUICK = 1.0  # seconds in the quick lane
QUEUE = 256  # questions that may wait for a place in it
PATIENCE = 60.0  # seconds to wait for a worker to start
LOOK = 0.5  # seconds between looks whether the asker of a slow question is still there


class Unavailable(Exception):
    """No answer: too slow, too busy, or the worker failed; the message says which, and what to do."""


@dataclass(frozen=True)
class Reply:
    """What a worker answered."""

    status: int
    media: str
    body: bytes


@dataclass(frozen=True)
class Worker:
    """One process and its pipes."""

    process: asyncio.subprocess.Process

    @classmethod
    async def started(cls) -> Worker:
        """A new process that has imported all that it needs."""
        paths = os.pathsep.join(path for path in sys.path if path)
        settings = {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "qontrast.web.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | settings,
        )
        worker = cls(process)
        try:
            await worker._frame()
        except BaseException:
            await worker.end()
            raise
        return worker

    async def ask(self, question: str, body: bytes) -> Reply:
        """The answer to a question."""
        pipe = self.process.stdin
        assert pipe is not None
        pipe.write(frame({"question": question}, body))
        await pipe.drain()
        header, content = await self._frame()
        return Reply(header["status"], header["media"], content)

    async def _frame(self) -> tuple[dict[str, Any], bytes]:
        pipe = self.process.stdout
        assert pipe is not None
        head, size = LENGTHS.unpack(await pipe.readexactly(LENGTHS.size))
        return json.loads(await pipe.readexactly(head)), await pipe.readexactly(size)

    async def end(self) -> None:
        """Kill it, and wait until it is gone."""
        with suppress(ProcessLookupError):
            self.process.kill()
        pipe = self.process.stdin
        if pipe is not None:
            pipe.close()
        await self.process.wait()


@dataclass
class Pool:
    """Workers for both lanes; those without work wait, the last used on top, and one more is kept ready."""

    seconds: float
    places: int = field(default_factory=lambda: max(4, os.cpu_count() or 1))
    slow_places: int = 4
    failures: int = 0  # workers that ended by a mistake of ours
    _workers: set[Worker] = field(default_factory=set)  # all that run, with work and without
    _idle: list[Worker] = field(default_factory=list)
    _live: int = 0  # workers, those that are starting included
    _starting: int = 0
    _waiting: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self) -> None:
        """Make both lanes, and start the first workers, one after the other, in the background."""
        self._quick, self._slow = asyncio.Semaphore(self.places), asyncio.Semaphore(self.slow_places)
        self._came = asyncio.Condition()
        self._background(self._first())

    async def stop(self) -> None:
        """End everything in the background, then every worker: a cancelled task may have had one in its hands."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._idle.clear()
        while self._workers:
            await self._workers.pop().end()

    async def ask(self, question: str, body: bytes, gone: Callable[[], Awaitable[bool]]) -> Reply:
        """The answer, or Unavailable."""
        if self._waiting >= QUEUE:
            raise Unavailable("too many questions at once; try again in a moment")
        self._waiting += 1
        try:
            await self._quick.acquire()
        finally:
            self._waiting -= 1
        lane: asyncio.Semaphore | None = self._quick
        worker, job = None, None
        try:
            worker = await self._taken()
            job = asyncio.ensure_future(worker.ask(question, body))
            await asyncio.wait({job}, timeout=min(QUICK, self.seconds))
            if not job.done():
                self._quick.release()
                lane = None
                if self._slow.locked():
                    raise Unavailable("too many long questions at once; try again, or ask for a cheaper method")
                await self._slow.acquire()
                lane = self._slow
                await self._patient(job, gone)
            reply = job.result()
            self._background(self._back(worker))
            worker = None
            return reply
        except (asyncio.IncompleteReadError, ConnectionError):
            self.failures += 1
            raise Unavailable("the question broke its worker; this is a mistake of ours, please report it") from None
        finally:
            if lane is not None:
                lane.release()
            if job is not None:
                job.cancel()
            if worker is not None:
                self._background(self._ended(worker))

    async def _patient(self, job: asyncio.Future[Reply], gone: Callable[[], Awaitable[bool]]) -> None:
        """Wait for a slow answer for as long as there is time and somebody to hear it."""
        left = self.seconds - QUICK
        while not job.done() and left > 0:
            await asyncio.wait({job}, timeout=min(LOOK, left))
            left -= LOOK
            if not job.done() and await gone():
                break
        if not job.done():
            raise Unavailable(
                f"this took longer than {self.seconds:g} seconds and was given up; "
                "ask for method 'sampled', 'gradient' or 'removal', or for a smaller graph"
            )

    # -- workers come and go ------------------------------------------------------------------------------------------

    async def _taken(self) -> Worker:
        """A worker without work: there, or as soon as one is."""
        async with self._came:
            while not self._idle:
                self._more()
                try:
                    await asyncio.wait_for(self._came.wait(), PATIENCE)
                except TimeoutError:
                    raise Unavailable("no worker could be started; is the machine out of memory?") from None
            worker = self._idle.pop()
        self._more()
        return worker

    def _more(self) -> None:
        """Start a worker in the background if none is left for the next question."""
        if not self._idle and not self._starting and self._live < self.places + self.slow_places:
            self._background(self._new())

    async def _first(self) -> None:
        while self._live < self.places:
            await self._new()

    async def _new(self) -> None:
        self._live += 1
        self._starting += 1
        try:
            worker = await Worker.started()
        except (asyncio.IncompleteReadError, OSError):
            self._live -= 1
            self.failures += 1
            return
        finally:
            self._starting -= 1
        self._workers.add(worker)
        await self._back(worker)

    async def _back(self, worker: Worker) -> None:
        async with self._came:
            self._idle.append(worker)
            self._came.notify()

    async def _ended(self, worker: Worker) -> None:
        """End a worker whose answer nobody wants, or that has failed."""
        await worker.end()
        self._workers.discard(worker)
        self._live -= 1
        async with self._came:
            self._more()

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
