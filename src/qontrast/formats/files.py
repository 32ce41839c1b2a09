"""Read and write graphs; of this package, only these functions touch the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from ..errors import FormatError, InvalidInput, TooLarge
from ..graph.qbaf import Qbaf
from . import csv_tables, qbaf_json
from .building import file_context
from .disk import MAX_BYTES, decode, read_file, write_files
from .table import choose_format_to_write, detect_format, find_format

SOURCES: dict[str, Callable[[str], Qbaf]] = {}  # 'examples' → load, so that read("examples:zebra") works

PathLike = str | os.PathLike[str]


def read_text(text: str, format: str | None = None, name: str = "<text>") -> Qbaf:
    """Read a graph from a text.

    Parameters
    ----------
    text : str
        What a file would hold.
    format : str, optional
        One of `FORMATS`; without it the suffix of `name` decides, else the text itself.
    name : str
        Stands for the file in messages.

    Returns
    -------
    Qbaf

    Raises
    ------
    FormatError
        If the text is not of that format; the message names file and line.

    Examples
    --------
    >>> read_text("arg(a, 0.5).\\narg(b, 1).\\natt(b, a).", "bag").base_scores["b"]
    1.0
    """
    entry = find_format(format) if format else detect_format(text, Path(name).suffix, name)
    with file_context(name):
        return entry.parse(text)


def read_bytes(data: bytes, format: str | None = None, name: str = "<bytes>") -> Qbaf:
    """Read a graph from the bytes of a file, which are UTF-8 text."""
    return read_text(decode(data, name), format, name)


def write_text(qbaf: Qbaf, format: str = "json", **options: Any) -> str:
    """Write a graph as text; `read_text` reads it back.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    format : str
        One of `FORMATS`.
    options
        Settings of the format, such as `weights=True` for bag.

    Returns
    -------
    str

    Raises
    ------
    FormatError
        If the format has no way to write a name or a relation of the graph.

    Warns
    -----
    FormatWarning
        If the format cannot hold something that the graph has; the message names it.

    Examples
    --------
    >>> print(write_text(Qbaf({"a": 0.5, "b": 1.0}, attacks=[("b", "a")]), "bag"), end="")
    arg(a, 0.5).
    arg(b, 1.0).
    att(b, a).
    """
    return find_format(format).render(qbaf, **options)


def read(source: PathLike | IO[str] | IO[bytes], format: str | None = None) -> Qbaf:
    """Read a graph from a file.

    Parameters
    ----------
    source : str, os.PathLike or an open file
        A path; 'results.json#3/base' picks one graph of a results file, and 'examples:zebra' is an example that comes
        with the library. A file that is open for reading, as text or as bytes, is read from where it stands and left
        open; the suffix of its name counts as that of a path does.
    format : str, optional
        One of `FORMATS`; without it the suffix decides, else the text itself.

    Returns
    -------
    Qbaf

    Raises
    ------
    FormatError
        If the file cannot be read or is not of that format; the message names file and line.

    Examples
    --------
    >>> import io
    >>> read(io.StringIO("arg(a, 0.5).\\narg(b, 1).\\natt(b, a)."))
    <Qbaf: 2 arguments, 1 attack, 0 supports>
    """
    if not isinstance(source, str | os.PathLike):
        return _read_open(source, format)
    scheme, colon, rest = os.fspath(source).partition(":")
    if colon and scheme in SOURCES:
        return SOURCES[scheme](rest)
    place, address = _split_address(source)
    text = read_file(place)
    if address is not None:
        with file_context(str(place)):
            return qbaf_json.parse_one(text, address)
    other = csv_tables.find_partner(place.name)
    if other and format in (None, "csv") and place.with_name(other).is_file():
        return _read_pair(place, text, place.with_name(other))
    if not text.strip():
        raise FormatError("is empty", str(place))
    return read_text(text, format, name=str(place))


def _read_open(file: IO[str] | IO[bytes], format: str | None) -> Qbaf:
    """Read from an open file; what has no `read` is refused."""
    if not hasattr(file, "read"):
        raise InvalidInput(f"read takes a path or an open file, not {type(file).__name__}; read_text takes a text")
    name = getattr(file, "name", None)
    name = name if isinstance(name, str) else "<file>"  # the number of a pipe is no name
    try:
        data = file.read(MAX_BYTES + 1) or ""
    except UnicodeDecodeError:
        raise FormatError("is not text in the encoding that it was opened with; open it as UTF-8", name) from None
    except (OSError, ValueError) as error:  # open for writing only, or closed
        raise FormatError(f"cannot be read: {getattr(error, 'strerror', None) or error}", name) from None
    if len(data) > MAX_BYTES:
        raise TooLarge(f"{name} is over the limit of {MAX_BYTES:,} bytes")
    text = decode(data, name) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if not text.strip():
        raise FormatError("is empty", name)
    return read_text(text, format, name)


def read_many(path: PathLike) -> dict[str, Qbaf]:
    """Read every graph of an ArgLLM results file.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    dict
        Address → graph: '0/base', '0/estimated', '1/base', … A file with one graph gives {'': graph}. `read` takes an
        address too: `read("results.json#0/base")`.

    Raises
    ------
    FormatError
        If the file cannot be read; the message names file and line.

    Examples
    --------
    >>> import json, tempfile
    >>> graph = {"arguments": {"db0": {"initial_weight": 0.5}}, "attacks": [], "supports": []}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "results.json")
    ...     _ = path.write_text(json.dumps({"data": [{"base": {"bag": graph}}, {"base": {"bag": graph}}]}))
    ...     list(read_many(path))
    ['0/base', '1/base']
    """
    text = read_file(Path(path))
    with file_context(os.fspath(path)):
        if qbaf_json.recognise(text):
            return qbaf_json.parse_many(text)
    return {"": read(path)}


def write(qbaf: Qbaf, path: PathLike, format: str | None = None, **options: Any) -> None:
    """Write a graph to a file; a failure leaves the old file as it was.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    path : str or os.PathLike
        The file. Of two CSV files, `NAME-arguments.csv` and `NAME-relations.csv`, one is named and both are written.
    format : str, optional
        One of `FORMATS`; without it the suffix of the file decides.
    options
        Settings of the format, such as `weights=True` for bag.

    Raises
    ------
    FormatError
        If the file cannot be written, or the format has no way to write a name or a relation of the graph.

    Warns
    -----
    FormatWarning
        If the format cannot hold something that the graph has; the message names it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Qbaf({"a": 0.5}), Path(folder, "hotel.bag"))
    ...     Path(folder, "hotel.bag").read_text()
    'arg(a, 0.5).\\n'
    """
    place = Path(path)
    entry = find_format(format) if format else choose_format_to_write(place)
    other = csv_tables.find_partner(place.name) if entry.name == "csv" else None
    with file_context(str(place)):
        if other is None:
            texts = {place: entry.render(qbaf, **options)}
        else:
            tables = csv_tables.render_files(qbaf)
            first, second = ("arguments", "relations") if "relations" in other else ("relations", "arguments")
            texts = {place: tables[first], place.with_name(other): tables[second]}
    write_files(texts)


def convert(source: PathLike, target: PathLike, *, read_as: str | None = None, write_as: str | None = None) -> Qbaf:
    """Read one file and write another.

    Parameters
    ----------
    source : str or os.PathLike
        The file to read, as `read` takes it.
    target : str or os.PathLike
        The file to write.
    read_as, write_as : str, optional
        One of `FORMATS` each; without them the suffixes decide.

    Returns
    -------
    Qbaf
        The graph.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "hotel.bag").write_text("arg(a, 0.5).")
    ...     convert(Path(folder, "hotel.bag"), Path(folder, "hotel.json"))
    <Qbaf: 1 argument, 0 attacks, 0 supports>
    """
    qbaf = read(source, read_as)
    write(qbaf, target, write_as)
    return qbaf


def _read_pair(path: Path, text: str, other: Path) -> Qbaf:
    tables = [(str(path), text), (str(other), read_file(other))]
    with file_context(str(path)):
        return csv_tables.parse_files(tables if "relations" in other.name else tables[::-1])


def _split_address(path: PathLike) -> tuple[Path, str | None]:
    place, mark, address = os.fspath(path).rpartition("#")
    return (Path(place), address) if mark and place and not os.path.exists(path) else (Path(path), None)
