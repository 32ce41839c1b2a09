"""A worker process: read questions from standard input and write replies to standard output, one after the other.

An error of the library is a reply with status 422. Any other exception is a mistake of ours and ends the process with
its traceback; the server then answers 503 and starts another. The signal SIGUSR1 interrupts the question at work.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from dataclasses import dataclass
from typing import Any, BinaryIO

from ..examples import load
from .answers import answer, to_json
from .limits import MAX_WORKER_BYTES

GIVEN_UP = (499, "text/plain", b"")  # the reply to a question that was interrupted


class Interrupted(BaseException):
    """The server wants no answer any more."""


@dataclass
class Interruptible:
    """Answers that a signal interrupts; a signal between two questions does nothing."""

    at_work: bool = False

    def interrupt(self, *_: Any) -> None:
        """Leave the question at work; this is the handler of the signal."""
        if self.at_work:
            self.at_work = False
            raise Interrupted

    def answer(self, question: str, body: bytes) -> tuple[int, str, bytes]:
        """Answer a question, or reply that it was given up."""
        try:
            self.at_work = True
            try:
                return answer(question, body)
            finally:
                self.at_work = False
        except Interrupted:
            return GIVEN_UP


def main() -> None:
    """Answer until standard input ends."""
    interruptible = Interruptible()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    if sys.platform != "win32":
        signal.signal(signal.SIGUSR1, interruptible.interrupt)
    warnings.simplefilter("ignore")  # those that matter are collected where a file is read or written
    _limit_memory()
    questions, replies = _take_pipes()
    for method in ("shapley", "gradient"):  # imports everything that the first questions need
        answer("explain", to_json({"graph": load("healthcare").to_dict(), "method": method}))
    try:
        _write(replies, 200, "text/plain", b"ready")
        while line := questions.readline():
            question, size = line.decode().split()
            _write(replies, *interruptible.answer(question, questions.read(int(size))))
    except BrokenPipeError:  # the server is gone
        os._exit(0)


def _write(replies: BinaryIO, status: int, media: str, content: bytes) -> None:
    replies.write(f"{status} {len(content)} {media}\n".encode() + content)
    replies.flush()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep both pipes for questions and replies: a stray print goes to standard error, not into a reply."""
    questions, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    return questions, replies


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_WORKER_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
