"""Answer questions in worker processes, each within a time limit, so that no user's long questions delay another's.

A question begins among the quick ones. If it takes longer than half a second, it goes on as a slow one: its process
gets a low priority, and another takes its place among those for quick questions. A question that was slow before is a
slow one from the start. The last process that is ready is never taken by a slow question, nor by a client with other
questions at work. Where questions wait, clients take turns: first comes the one with the fewest questions at work. A
question that runs out of time, or whose client has disconnected, is interrupted.

anyio's worker processes would not do: a question that finds no idle worker starts one and waits for it, even if
another worker is free first (10 s instead of 0.1 s in a burst of four), they run the `__main__` of the server again,
and they import modules from the current folder.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import zlib
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

QUICK_SECONDS = 0.5  # after which a question is a slow one
MAX_WAITING = 256  # questions that wait for a worker
MAX_START_SECONDS = 60.0  # of a worker
MAX_STOP_SECONDS = 1.0  # in which a worker has to react to an interruption
MAX_REMEMBERED = 1000  # clients, and kinds of questions that are slow
LOW_PRIORITY = 2  # of slow questions, as of `nice`; other programs would starve a lower one
SAFE_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
QUICKER = ("removal", "gradient", "sampled")  # methods that take less time
STOPPING = "the server is stopping; start it again to go on"
CHANGING = re.compile(rb'"(set|remove|width)": ?(\{[^{}]*\}|\[[^][]*\]|\d+),?')  # parts that a slider changes


Key = TypeVar("Key")
Value = TypeVar("Value")


class Unavailable(Exception):
    """There is no answer: the question is too slow, the server is busy, or the worker failed.

    `again` says whether the same question may be answered in a moment; `methods` would answer it sooner.
    """

    def __init__(self, message: str, again: bool = True, methods: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.again, self.methods = again, list(methods)


class Disconnected(Exception):
    """The client has gone, so nobody waits for an answer."""


@dataclass(frozen=True)
class Reply:
    """The answer of a worker, as a response of HTTP."""

    status: int
    media: str
    body: bytes


@dataclass(eq=False)
class Worker:
    """One process, which reads questions from its standard input and writes replies to its standard output.

    A question is the line `NAME SIZE` and a body of that size; a reply is the line `STATUS SIZE MEDIA` and its body.
    """

    process: asyncio.subprocess.Process
    is_slow: bool = False  # its priority is low, for good: raising it again takes rights that we do not have

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

    def lower_priority(self) -> None:
        """Let other processes go first."""
        self.is_slow = True
        if sys.platform != "win32":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.process.pid, LOW_PRIORITY)

    async def interrupt(self, asked: asyncio.Task[Reply]) -> bool:
        """Make the process give up a question and return whether it is ready for another one."""
        if sys.platform != "win32":
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGUSR1)
            await asyncio.wait({asked}, timeout=MAX_STOP_SECONDS)
        return asked.done() and not asked.cancelled() and asked.exception() is None

    async def kill(self) -> None:
        """End the process and wait until it is gone."""
        with suppress(ProcessLookupError):
            self.process.kill()
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()


@dataclass(eq=False)
class Job:
    """A question that waits for a worker, or is at work."""

    question: str
    body: bytes
    client: str
    kind: int  # the same for questions that differ only by what a slider changes
    place: asyncio.Future[Worker]
    is_slow: bool = False


def find_kind(question: str, body: bytes) -> int:
    """Return a number that is the same for questions that take about the same time.

    >>> find_kind("flip", b'{"graph":{},"set":{"a":0.5},"fact":"b"}') == find_kind("flip", b'{"graph":{},"fact":"b"}')
    True
    """
    return zlib.crc32(CHANGING.sub(b"", body), zlib.crc32(question.encode()))


def remember(known: dict[Key, Value], key: Key, value: Value) -> None:
    """Add an entry to a dictionary with an end, which forgets what was added first."""
    known.pop(key, None)
    known[key] = value
    if len(known) > MAX_REMEMBERED:
        del known[next(iter(known))]


async def wait_for_first(*each: asyncio.Future[Any], seconds: float) -> None:
    """Wait until one of them is done, or the time is over."""
    await asyncio.wait(each, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


@dataclass
class Pool:
    """The workers: as many as `places` for quick questions, and up to `slow_places` with slow ones."""

    seconds: float
    places: int = field(default_factory=lambda: max(4, os.cpu_count() or 1))
    slow_places: int = 4
    failures: int = 0  # workers that ended by a mistake of ours
    workers: set[Worker] = field(default_factory=set)
    idle: list[Worker] = field(default_factory=list)
    idle_slow: list[Worker] = field(default_factory=list)  # those with a low priority
    slow: set[Job] = field(default_factory=set)  # slow questions at work
    quick: set[Job] = field(default_factory=set)  # other questions at work
    _waiting: list[Job] = field(default_factory=list)
    _slow_kinds: dict[int, None] = field(default_factory=dict)
    _turns: dict[str, int] = field(default_factory=dict)  # when clients had a worker last
    _starting: asyncio.Task[None] | None = None
    _ending: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self) -> None:
        """Start the first workers, one after the other, in the background."""
        self._stopped: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._start_missing()

    @property
    def stopped(self) -> asyncio.Future[None]:
        """Done as soon as the server stops."""
        return self._stopped

    def refuse_all(self) -> None:
        """Answer all questions, also those at work, by saying that the server stops."""
        if not self._stopped.done():
            self._stopped.set_result(None)

    async def stop(self) -> None:
        """End all workers, also those that are about to start."""
        self.refuse_all()
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, *self._ending, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self.workers))

    async def ask(
        self, question: str, body: bytes, client: str = "", gone: asyncio.Future[None] | None = None
    ) -> Reply:
        """Answer a question.

        Parameters
        ----------
        question, body
            As the worker reads them.
        client
            Who asks; clients take turns.
        gone
            Done as soon as the client has disconnected.

        Raises
        ------
        Unavailable
            There is no answer; the message says why and what to do.
        Disconnected
            The client has gone before.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise Unavailable("too many questions at once; try again in a moment")
        waits_for = {self._stopped} if gone is None else {self._stopped, gone}
        job = Job(question, body, client, find_kind(question, body), asyncio.get_running_loop().create_future())
        try:
            return await self._answer(job, await self._wait_for_worker(job, waits_for), waits_for)
        finally:
            self.slow.discard(job)
            self.quick.discard(job)
            self._assign()

    # -- who is next

    async def _wait_for_worker(self, job: Job, waits_for: set[asyncio.Future[None]]) -> Worker:
        self._waiting.append(job)
        self._start_missing()
        self._assign()
        try:
            await wait_for_first(job.place, *waits_for, seconds=MAX_START_SECONDS)
            if job.place.done():
                return job.place.result()
            self._raise_if_over(waits_for)
            if job.is_slow:
                raise Unavailable("too many long questions at once; try again, or choose a cheaper method")
            raise Unavailable("no worker could be started; is the machine out of memory?")
        except BaseException:
            if job.place.done():
                self._put_back(job.place.result())
            raise
        finally:
            with suppress(ValueError):
                self._waiting.remove(job)

    def _raise_if_over(self, waits_for: set[asyncio.Future[None]]) -> None:
        if self._stopped.done():
            raise Unavailable(STOPPING)
        if any(each.done() for each in waits_for):
            raise Disconnected

    def _assign(self) -> None:
        """Give workers to the questions that wait, as far as there are any: quick ones first, and clients in turn."""
        while True:
            at_work = Counter(job.client for job in (*self.quick, *self.slow))
            for job in self._waiting:
                job.is_slow = job.kind in self._slow_kinds
            turns = sorted(
                self._waiting, key=lambda job: (job.is_slow, at_work[job.client], self._turns.get(job.client, 0))
            )
            found = next(((job, worker) for job in turns if (worker := self._find_worker(job))), None)
            if found is None:
                return
            job, worker = found
            self._waiting.remove(job)
            remember(self._turns, job.client, 1 + max(self._turns.values(), default=0))
            (self.slow if job.is_slow else self.quick).add(job)
            job.place.set_result(worker)

    def _find_worker(self, job: Job) -> Worker | None:
        """Take a worker for a question; None if it has to wait. No client has all places unless there is only one."""
        places = self.slow_places if job.is_slow else self.places
        at_work = (*self.slow, *self.quick) if job.is_slow else self.quick  # a quick one may become slow
        own = sum(each.client == job.client for each in at_work)
        if own >= max(1, places - 1) or (job.is_slow and len(self.slow) >= self.slow_places):
            return None
        if job.is_slow and self.idle_slow:
            return self.idle_slow.pop()
        has_others = any(each.client == job.client for each in (*self.slow, *self.quick))
        reserved = 1 if (job.is_slow or has_others) and self.places > 1 else 0  # for another client's quick question
        return self.idle.pop() if len(self.idle) > reserved else None

    # -- at work

    async def _answer(self, job: Job, worker: Worker, waits_for: set[asyncio.Future[None]]) -> Reply:
        asked = asyncio.create_task(worker.ask(job.question, job.body))
        try:
            reply = await self._wait_for_reply(job, worker, asked, waits_for)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.failures += 1
            self._in_background(self._end(worker))
            message = "the question broke its worker; this is our mistake: please report it"
            raise Unavailable(message, again=False) from None
        except BaseException:
            self._in_background(self._give_up(worker, asked))
            raise
        self._put_back(worker)
        return reply

    async def _wait_for_reply(
        self, job: Job, worker: Worker, asked: asyncio.Task[Reply], waits_for: set[asyncio.Future[None]]
    ) -> Reply:
        if job.is_slow:
            worker.lower_priority()
        quick = min(QUICK_SECONDS, self.seconds)
        # a quick question is not worth an interruption, even if its client has gone
        await wait_for_first(asked, self._stopped, seconds=quick)
        if not asked.done():
            self._raise_if_over(waits_for)
            self._become_slow(job, worker)
            await wait_for_first(asked, *waits_for, seconds=self.seconds - quick)
        elif not asked.exception():
            self._slow_kinds.pop(job.kind, None)
        if not asked.done():
            self._raise_if_over(waits_for)
            raise Unavailable(
                f"this took longer than {self.seconds:g} seconds and was given up; "
                f"choose the method {', '.join(QUICKER[:-1])} or {QUICKER[-1]}, or a smaller graph",
                again=False,
                methods=QUICKER,
            )
        return asked.result()

    def _become_slow(self, job: Job, worker: Worker) -> None:
        """Move a question to the slow ones, and let another worker take its place."""
        remember(self._slow_kinds, job.kind, None)
        if not job.is_slow and len(self.slow) >= self.slow_places and len(self.quick) < self.places:
            return  # it stays among the quick ones, as long as it does not take their last place
        if not job.is_slow:
            if len(self.slow) >= self.slow_places:
                raise Unavailable("too many long questions at once; try again, or choose a cheaper method")
            job.is_slow = True
            self.quick.discard(job)
            self.slow.add(job)
            worker.lower_priority()
        if self.idle_slow and sum(each.is_slow for each in self.workers) > self.slow_places:
            self._in_background(self._end(self.idle_slow.pop()))
        self._start_missing()
        self._assign()

    # -- workers

    def _put_back(self, worker: Worker) -> None:
        (self.idle_slow if worker.is_slow else self.idle).append(worker)
        self._assign()

    async def _give_up(self, worker: Worker, asked: asyncio.Task[Reply]) -> None:
        if await worker.interrupt(asked):
            self._put_back(worker)
            return
        asked.cancel()
        await self._end(worker)

    async def _end(self, worker: Worker) -> None:
        await worker.kill()
        self.workers.discard(worker)
        self._start_missing()

    def _in_background(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _start_missing(self) -> None:
        if not self._stopped.done() and (self._starting is None or self._starting.done()):
            self._starting = asyncio.create_task(self._start_workers())

    async def _start_workers(self) -> None:
        while sum(not each.is_slow for each in self.workers) < self.places:
            try:
                worker = await Worker.start()
            except (asyncio.IncompleteReadError, OSError):
                self.failures += 1
                return
            self.workers.add(worker)
            self._put_back(worker)
