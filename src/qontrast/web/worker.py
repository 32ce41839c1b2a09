"""A worker process: read questions from standard input and write replies to standard output, one after the other.

An error of the library is a reply with status 422. Any other exception is a mistake of ours and ends the process with
its traceback; the server then answers 503 and starts another.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import warnings
from typing import Any, BinaryIO

from ..errors import QontrastError
from ..examples import load
from ..results.serialize import to_plain
from .answers import ANSWERS
from .graphs import native
from .limits import MEMORY
from .phrases import phrased
from .pictures import Picture
from .schemas import checked


def answer(question: str, body: bytes) -> tuple[int, str, bytes]:
    """Answer a question: status, media type and content."""
    call = ANSWERS[question]
    try:
        found = call.answer(checked(call.asks, body))
    except QontrastError as error:
        return 422, "application/json", to_json(describe_error(error))
    except (MemoryError, RecursionError):
        message = "this needs more memory than a request may take; ask for less"
        return 422, "application/json", to_json({"error": message, "kind": "TooLarge"})
    if isinstance(found, Picture):
        return 200, found.media, found.content
    return 200, call.media[0], to_json(found)


def describe_error(error: QontrastError) -> dict[str, Any]:
    data: dict[str, Any] = {"error": phrased(error), "kind": type(error).__name__}
    if getattr(error, "arguments", None):
        data["arguments"] = list(error.arguments)  # type: ignore[attr-defined] # of UndefinedStrength
    return data


def to_json(data: Any) -> bytes:
    """Strict JSON, in ASCII so that half a surrogate pair in a label does no harm; not a number becomes null."""
    return json.dumps(to_plain(data), allow_nan=False).encode()


def main() -> None:
    """Answer until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    warnings.simplefilter("ignore")  # those that matter are collected where a file is read or written
    _limit_memory()
    questions, replies = _take_pipes()
    for method in ("shapley", "gradient"):  # imports everything that the first questions need
        answer("explain", to_json({"graph": native(load("healthcare")), "method": method}))
    try:
        _write(replies, 200, "text/plain", b"ready")
        while line := questions.readline():
            question, size = line.decode().split()
            _write(replies, *answer(question, questions.read(int(size))))
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
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
