"""JSON lines: files with a graph, or an item of a results file, on every line; a line that is wrong spoils no other.

Lines are counted from 1, blank ones too, and the number of its line is the address of a graph: 'graphs.jsonl#3'.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ..errors import FormatError, TooLarge
from ..graph.qbaf import Qbaf
from . import disk, qbaf_json
from .building import file_context, line_context


def iterate_lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of each line that is not blank; of one over the limit of a file only the beginning."""
    with disk.open_file(Path(path)) as file:
        line = 0
        while data := file.readline(disk.MAX_BYTES + 1):
            line += 1
            if data.strip():
                yield line, data
            while data and not data.endswith(b"\n"):  # the rest of a line that is too long
                data = file.readline(disk.MAX_BYTES)


def decode_line(path: str, line: int, data: bytes) -> str:
    """Return the text of a line."""
    if len(data) > disk.MAX_BYTES:
        raise TooLarge(f"{path}:{line}: the line is over the limit of {disk.MAX_BYTES:,} bytes")
    with line_context(line):
        return disk.decode(data, path)


def read_graph(path: str, address: str | None) -> Qbaf:
    """Read the graph at this address, '3' or '3/base'; without an address, the only graph of the file."""
    with file_context(path):
        if address is None:
            return _read_single(path)
        place, known = address.partition("/")[0], []
        for line, data in iterate_lines(path):
            known.append(str(line))
            if known[-1] == place:
                return qbaf_json.parse_line(line, decode_line(path, line, data), address)
        raise qbaf_json.refuse_line(place, known)


def _read_single(path: str) -> Qbaf:
    lines = list(islice(iterate_lines(path), 2))
    if not lines:
        raise FormatError("is empty", path)
    line, data = lines[0]
    text = decode_line(path, line, data)
    addresses = list(qbaf_json.list_line(line, text))
    if len(lines) > 1 or addresses != [str(line)]:
        raise qbaf_json.refuse_many(addresses[0])
    return qbaf_json.parse_line(line, text, addresses[0])
