"""Read and write graphs in the formats of the table `FORMATS`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ..errors import FormatError, Hint, InvalidInput, QontrastError, unknown_name
from ..graph.qbaf import Qbaf
from . import aif, apx, bag, csv_tables, graphml, iccma, json_lines, kialo, kpa, node_link, qbaf_json, tgf
from .building import file_context, mute_warnings
from .disk import decode, read_file, read_open, write_files

EXAMPLE_FILES: dict[str, Path] = {}  # name → file, so that read("examples:zebra") works; `examples` fills it
AMBIGUOUS_SUFFIXES = {".json", ".txt", ".xml"}  # of several formats: the text decides

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Format:
    """One row of the table: everything about a format.

    Parameters
    ----------
    name : str
        What `format=` takes.
    suffixes : tuple of str
        Of its files, with the dot; the first is the usual one.
    description : str
        One line of help.
    parse : callable
        text → graph.
    render : callable
        graph → text.
    recognise : callable
        text → whether it looks like this format.
    loses : tuple of str
        What of a graph it cannot hold.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    parse: Callable[[str], Qbaf] = field(repr=False)
    render: Callable[..., str] = field(repr=False)
    recognise: Callable[[str], bool] = field(repr=False)
    loses: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    name: Format(name, suffixes, description, module.parse, module.render, module.recognise, module.LOSES)
    for name, suffixes, module, description in (  # in the order in which they look at a text
        ("json", (".json",), qbaf_json, "native JSON, a superset of ArgLLM's; holds everything"),
        ("aif", (".json",), aif, "AIF and xAIF JSON, from AIFdb and OVA"),
        ("node-link", (".json",), node_link, "networkx node-link JSON; holds all but empty groups"),
        ("graphml", (".graphml", ".xml"), graphml, "GraphML, for graph editors; holds most of a graph"),
        ("bag", (".bag",), bag, "facts of Uncertainpy and Attractor"),
        ("apx", (".apx",), apx, "facts for argumentation solvers"),
        ("iccma", (".af",), iccma, "ICCMA 2023, attacks between numbers"),
        ("csv", (".csv",), csv_tables, "tables of arguments and relations"),
        ("kialo", (".txt",), kialo, "the text that Kialo exports"),
        ("tgf", (".tgf",), tgf, "Trivial Graph Format"),
    )
}


def _find_format(name: str) -> Format:
    if name not in FORMATS:
        raise unknown_name(name, FORMATS, kind="format")
    return FORMATS[name]


def _list_formats_of(suffix: str) -> list[Format]:
    return [each for each in FORMATS.values() if suffix.lower() in each.suffixes]


def find_format_of(name: str) -> Format | None:
    """Return the format that the suffix of a file says, whatever its text; None where the text decides."""
    suffix = Path(name).suffix.lower()
    return next(iter(_list_formats_of(suffix)), None) if suffix not in AMBIGUOUS_SUFFIXES else None


def _detect_format(text: str, name: str) -> Format:
    """Return the format of a text: by the suffix of its file, else the first that recognises it."""
    said = find_format_of(name)
    if said is not None:
        return said
    by_suffix = _list_formats_of(Path(name).suffix)
    # where none recognises it, the reader of its suffix says what is wrong
    candidates = [each for each in FORMATS.values() if each.recognise(text)] or by_suffix
    _refuse_empty(text, name)
    if not candidates:
        raise FormatError("its format is not recognised", name, hints=[Hint("read_as", tuple(FORMATS))])
    return candidates[0]


def _choose_format_to_write(path: Path, format: str | None) -> Format:
    if format:
        return _find_format(format)
    found = _list_formats_of(path.suffix)
    if not found:
        hint = Hint("write_as", tuple(FORMATS))
        raise FormatError(f"no format has the suffix {path.suffix!r}", str(path), hints=[hint])
    return found[0]


def _refuse_empty(text: str, name: str) -> None:
    if not text.strip():
        raise FormatError("is empty", name)


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
    entry = _find_format(format) if format else _detect_format(text, name)
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
    return _find_format(format).render(qbaf, **options)


def read(source: PathLike | IO[str] | IO[bytes], format: str | None = None) -> Qbaf:
    """Read a graph from a file.

    Parameters
    ----------
    source : str, os.PathLike or an open file
        A path; 'results.json#3/base' picks one graph of a results file, 'graphs.jsonl#3' the graph on line 3,
        'kpm_data#MOTION' one debate of a folder of key point analysis, and 'examples:zebra' is an example that comes
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
    if isinstance(source, str | os.PathLike):
        return _read_path(source, format)
    if not hasattr(source, "read"):
        raise InvalidInput(f"read takes a path or an open file, not {type(source).__name__}; read_text takes a text")
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) else "<file>"  # the number of a pipe is no name
    text = read_open(source, name)
    _refuse_empty(text, name)
    return read_text(text, format, name)


def find_example(name: str) -> Path:
    """Return the file of an example."""
    if name not in EXAMPLE_FILES:
        raise unknown_name(name, EXAMPLE_FILES, kind="example")
    return EXAMPLE_FILES[name]


def _read_path(path: PathLike, format: str | None) -> Qbaf:
    scheme, colon, rest = os.fspath(path).partition(":")
    if colon and scheme == "examples":
        return read_text(find_example(rest).read_text(encoding="utf-8"), "json", os.fspath(path))
    before, mark, address = os.fspath(path).rpartition("#")
    has_address = bool(mark and before) and not os.path.exists(path)
    place = Path(before if has_address else path)
    if kpa.is_kpa(place):
        return kpa.read_debate(place, address if has_address else None)
    if qbaf_json.has_lines(str(place)) and format in (None, "json"):
        return json_lines.read_graph(str(place), address if has_address else None)
    text = read_file(place)
    with file_context(str(place)):
        if has_address:
            return qbaf_json.parse_one(text, address)
        other = csv_tables.find_partner(place)
        if other and format in (None, "csv") and other.is_file():
            return csv_tables.parse_files(sorted([(str(place), text), (str(other), read_file(other))]))
    _refuse_empty(text, str(place))
    return read_text(text, format, str(place))


def list_targets(path: PathLike, format: str | None = None) -> list[Path]:
    """List the files that `write` writes: one, or the two of CSV, that of arguments first."""
    place = Path(path)
    other = csv_tables.find_partner(place) if _choose_format_to_write(place, format).name == "csv" else None
    return sorted([place, *([other] if other else [])])  # the name of arguments comes before that of relations


def _spare_others(path: Path, targets: list[Path]) -> None:
    """Refuse to overwrite the second of two CSV files, which nobody named, unless both are the tables of one graph."""
    for other in targets:
        if other != path and other.exists() and not _are_one_graph(targets):
            hint = Hint("force", (True,), "to overwrite it")
            raise FormatError(f"exists, and would be overwritten together with {path}", str(other), hints=[hint])


def _are_one_graph(files: list[Path]) -> bool:
    try:
        with mute_warnings():
            texts = [(str(file), read_file(file)) for file in files]
            csv_tables.parse_files(texts)
    except QontrastError:
        return False
    return all(text.strip() for _, text in texts)


def write(qbaf: Qbaf, path: PathLike, format: str | None = None, *, force: bool = False, **options: Any) -> None:
    """Write a graph to a file; a failure leaves the old file as it was.

    Parameters
    ----------
    qbaf : Qbaf
        The graph.
    path : str or os.PathLike
        The file. Of two CSV files, `NAME-arguments.csv` and `NAME-relations.csv`, one is named and both are written.
    format : str, optional
        One of `FORMATS`; without it the suffix of the file decides.
    force : bool
        Whether to overwrite the second of two CSV files also where it exists and is no table of the same graph as the
        first; the file that is named is always overwritten.
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
    place, targets = Path(path), list_targets(path, format)
    if not force:
        _spare_others(place, targets)
    with file_context(str(place)):
        if len(targets) > 1:
            texts = dict(zip(targets, csv_tables.render_tables(qbaf), strict=True))
        else:
            texts = {place: _choose_format_to_write(place, format).render(qbaf, **options)}
    write_files(texts)


def convert(
    source: PathLike,
    target: PathLike,
    *,
    read_as: str | None = None,
    write_as: str | None = None,
    force: bool = False,
) -> Qbaf:
    """Read one file and write another.

    Parameters
    ----------
    source : str or os.PathLike
        The file to read, as `read` takes it.
    target : str or os.PathLike
        The file to write.
    read_as, write_as : str, optional
        One of `FORMATS` each; without them the suffixes decide.
    force : bool
        As in `write`.

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
    write(qbaf, target, write_as, force=force)
    return qbaf
