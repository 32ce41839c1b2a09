"""How server and worker talk: a frame is two lengths, a small JSON header and a body."""

from __future__ import annotations

import json
import struct
from typing import Any

LENGTHS = struct.Struct(">II")


def frame(header: dict[str, Any], body: bytes) -> bytes:
    """A message as bytes.

    >>> frame({}, b"hello")
    b'\\x00\\x00\\x00\\x02\\x00\\x00\\x00\\x05{}hello'
    """
    head = json.dumps(header).encode()
    return LENGTHS.pack(len(head), len(body)) + head + body
