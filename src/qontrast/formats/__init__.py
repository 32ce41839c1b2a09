"""Files: a graph is read from and written to any format in the table `FORMATS`.

Every format is a pure pair `parse(text)`, `render(qbaf)` in a module of its own that specifies it; only `read`
and `write` touch the disk. The format is the one named, else the one of the file's suffix, else the one that
recognises the text. What a reader assumes and what a writer cannot keep is a `FormatWarning`; what cannot be
read or written is a `FormatError` with file and line. A user's own format is one more entry in the table.

>>> read_text("arg(a, 0.5). \\n arg(b, 1.0). \\n att(b, a).")
<Qbaf: 2 arguments, 1 attack, 0 supports>
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..errors import FormatError, Hint, InvalidInput, TooLarge, unknown
from ..graph.qbaf import Qbaf
from . import aif, apx, bag, csv_tables, graphml, iccma, kialo, node_link, qbaf_json, tgf
from ._disk import MAX_BYTES, decoded, load, store
from ._text import reading
from .lists import from_lists
from .node_link import from_networkx, to_networkx

__all__ = [
    "FORMATS",
    "SOURCES",
    "Format",
    "convert",
    "format_of",
    "from_lists",
    "from_networkx",
    "read",
    "read_bytes",
    "read_many",
    "read_text",
    "render_text",
    "to_networkx",
    "write",
    "write_text",
]


@dataclass(frozen=True)
class Format:
    """One row of the table."""

    name: str
    suffixes: tuple[str, ...]
    description: str
    parse: Callable[[str], Qbaf]
    render: Callable[..., str]
    sniff: Callable[[str], bool]  # does this text look like mine?
    loses: tuple[str, ...] = ()  # what of a graph it cannot hold


def _table(*formats: Format) -> dict[str, Format]:
    return {each.name: each for each in formats}


def _format(name: str, module: Any, suffixes: tuple[str, ...], description: str, *more: str) -> Format:
    loses = (*getattr(module, "LOSES", ()), *more)
    return Format(name, suffixes, description, module.parse, module.render, module.sniff, loses)


FORMATS: dict[str, Format] = _table(  # in the order in which they look at a text
    _format("json", qbaf_json, (".json",), "native JSON, a superset of ArgLLM's; holds everything"),
    _format("aif", aif, (".json",), "AIF and xAIF JSON, from AIFdb and OVA"),
    _format("node-link", node_link, (".json",), "networkx node-link JSON; holds everything"),
    _format("graphml", graphml, (".graphml", ".xml"), "GraphML, for graph editors; holds everything"),
    _format("bag", bag, (".bag",), "facts of Uncertainpy and Attractor"),
    _format("apx", apx, (".apx",), "facts for argumentation solvers"),
    _format("iccma", iccma, (".af",), "ICCMA 2023, attacks between numbers", "names", "supports"),
    _format("csv", csv_tables, (".csv",), "tables of arguments and relations"),
    _format("kialo", kialo, (".txt",), "the text that Kialo exports", "names"),
    _format("tgf", tgf, (".tgf",), "Trivial Graph Format"),
)

SOURCES: dict[str, Callable[[str], Qbaf]] = {}  # 'examples' → load, so that read("examples:zebra") works

_SHARED_SUFFIXES = {".json", ".txt", ".xml"}  # these say too little: the text decides

PathLike = str | os.PathLike[str]


def format_of(text: str, suffix: str = "", name: str = "<text>") -> Format:
    """The format of a text: by the suffix of its file, else the first that recognises it."""
    suffix = suffix.lower()
    named = [each for each in FORMATS.values() if suffix in each.suffixes]
    if named and suffix not in _SHARED_SUFFIXES:
        return named[0]
    recognised = [each for each in FORMATS.values() if each.sniff(text)]
    chosen = recognised or named  # where nobody recognises it, the suffix's own reader says what is wrong
    if not text.strip():
        raise FormatError("is empty", name)
    if not chosen:
        raise FormatError("its format is not recognised", name, hints=[Hint("read_as", tuple(FORMATS))])
    return chosen[0]


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
    chosen = _named(format) if format else format_of(text, Path(name).suffix, name)
    with reading(name):
        return chosen.parse(text)


def read_bytes(data: bytes, format: str | None = None, name: str = "<bytes>") -> Qbaf:
    """Read a graph from the bytes of a file, which are UTF-8 text."""
    return read_text(decoded(data, name), format, name)


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
    return _named(format).render(qbaf, **options)


render_text = write_text  # its earlier name


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
    text = load(place)
    if address is not None:
        with reading(str(place)):
            return qbaf_json.parse_one(text, address)
    other = csv_tables.partner(place.name)
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
    text = decoded(data, name) if isinstance(data, bytes) else data.removeprefix("\ufeff")
    if not text.strip():
        raise FormatError("is empty", name)
    return read_text(text, format, name)


def read_many(path: PathLike) -> dict[str, Qbaf]:
    """Every graph of an ArgLLM results file by its address: '0/base', '0/estimated', '1/base', …

    A file with one graph gives {'': graph}; so `read(f"{path}#{address}")` is one of them.
    """
    text = load(Path(path))
    with reading(os.fspath(path)):
        if qbaf_json.sniff(text):
            return qbaf_json.parse_many(text)
    return {"": read(path)}


def write(qbaf: Qbaf, path: PathLike, format: str | None = None, **options: Any) -> None:
    """Write the graph to a file in the format of its suffix; a failure leaves the old file as it was."""
    place = Path(path)
    chosen = _named(format) if format else _by_suffix(place)
    other = csv_tables.partner(place.name) if chosen.name == "csv" else None
    with reading(str(place)):
        if other is None:
            texts = {place: chosen.render(qbaf, **options)}
        else:
            tables = csv_tables.render_files(qbaf)
            first, second = ("arguments", "relations") if "relations" in other else ("relations", "arguments")
            texts = {place: tables[first], place.with_name(other): tables[second]}
    store(texts)


def convert(source: PathLike, target: PathLike, *, read_as: str | None = None, write_as: str | None = None) -> Qbaf:
    """Read one file, write the other; the graph is returned."""
    qbaf = read(source, read_as)
    write(qbaf, target, write_as)
    return qbaf


def _read_pair(path: Path, text: str, other: Path) -> Qbaf:
    tables = [(str(path), text), (str(other), load(other))]
    with reading(str(path)):
        return csv_tables.parse_files(tables if "relations" in other.name else tables[::-1])


def _named(format: str) -> Format:
    if format not in FORMATS:
        raise unknown(format, FORMATS, kind="format")
    return FORMATS[format]


def _by_suffix(path: Path) -> Format:
    found = next((each for each in FORMATS.values() if path.suffix.lower() in each.suffixes), None)
    if found is None:
        raise FormatError(
            f"no format has the suffix {path.suffix!r}", str(path), hints=[Hint("write_as", tuple(FORMATS))]
        )
    return found


def _split_address(path: PathLike) -> tuple[Path, str | None]:
    place, mark, address = os.fspath(path).rpartition("#")
    return (Path(place), address) if mark and place and not os.path.exists(path) else (Path(path), None)
