"""A worker process: reads questions from standard input, writes answers to standard output, one after the other.

What goes wrong on purpose is an answer with status 422; a
mistake of ours ends the process with its traceback, and the server says 503 and starts another.
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
from .frames import LENGTHS, frame
from .graphs import native
from .limits import MEMORY
from .phrases import phrased
from .pictures import Picture
from .schemas import checked


def answered(question: str, body: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and body of the answer to a question."""
    call = ANSWERS[question]
    try:
        found = call.answer(checked(call.asks, body))
    except QontrastError as error:
        return {"status": 422, "media": "application/json"}, as_json(refusal(error))
    except (MemoryError, RecursionError):
        return {"status": 422, "media": "application/json"}, as_json(
            {"error": "this needs more memory than a request may take; ask for less", "kind": "TooLarge"}
        )
    if isinstance(found, Picture):
        return {"status": 200, "media": found.media}, found.content
    return {"status": 200, "media": call.media[0]}, as_json(found)


def refusal(error: QontrastError) -> dict[str, Any]:
    """An error of ours as data."""
    data: dict[str, Any] = {"error": phrased(error), "kind": type(error).__name__}
    if getattr(error, "arguments", None):
        data["arguments"] = list(error.arguments)  # type: ignore[attr-defined] # of UndefinedStrength
    return data


def as_json(data: Any) -> bytes:
    """Strict JSON, in ASCII so that half a surrogate pair in a label does no harm; not a number becomes null."""
    return json.dumps(to_plain(data), allow_nan=False).encode()


def main() -> None:
    """Answer until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    warnings.simplefilter("ignore")  # those that matter are collected where a file is read or written
    _limit_memory()
    questions, answers = _pipes()
    _warm()
    answers.write(frame({"ready": os.getpid()}, b""))
    answers.flush()
    while lengths := questions.read(LENGTHS.size):
        head, size = LENGTHS.unpack(lengths)
        header = json.loads(questions.read(head))
        reply = frame(*answered(header["question"], questions.read(size)))
        try:
            answers.write(reply)
            answers.flush()
        except BrokenPipeError:  # the server is gone
            os._exit(0)


def _warm() -> None:
    """Import what the first questions would have to wait for."""
    for method in ("shapley", "gradient"):
        answered("explain", as_json({"graph": native(load("healthcare")), "method": method}))


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Both pipes for us alone: a stray print goes to standard error and cannot end up inside an answer."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdin, sys.stdout = io.StringIO(), sys.stderr
    return questions, answers


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
