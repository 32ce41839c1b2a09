"""Read many graphs, one after the other: those of a folder, of a pattern, of a JSONL file, of a results file.

Nothing is kept, so memory does not grow with the number of graphs. A graph is found first (`iterate_texts`) and read
afterwards (`GraphText.read`), so that workers can read it, and so that one that cannot be read stops no other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, replace
from glob import has_magic, iglob
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import FormatError, QontrastError, unknown_name
from ..graph.qbaf import Qbaf
from . import csv_tables, kpa, qbaf_json
from .building import file_context
from .disk import read_file, refuse_missing, write_files
from .files import FORMATS, PathLike, find_example, find_format_of, read, read_text, write_text
from .json_lines import decode_line, iterate_lines
from .qbaf_json import LINE_SUFFIXES, has_lines

BYTES_PER_COUNT = 1 << 20  # read at a time to count lines


@dataclass(frozen=True, slots=True)
class GraphText:
    """One graph that was found and is not read yet; it can be sent to another process.

    Attributes
    ----------
    path
        Its file.
    address
        Which graph of the file it is, as in '3/base'; '' where the file is one graph. It begins with the number of the
        line where the file has a graph on every line.
    content
        The text of the file, or of a line; the data of a bag of a results file; or why there is nothing to read.
    line
        The line of the file where the text stands, if it is a line.
    partner
        Path and text of the second file of a pair of CSV files.
    """

    path: str
    address: str
    content: str | dict[str, Any] | QontrastError
    line: int | None = None
    partner: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """The graph as `read` takes it: 'hotel.bag', 'results.json#3/base'."""
        return f"{self.path}#{self.address}" if self.address else self.path

    def hash_content(self) -> str:
        """Return a hash of what the graph is read from, or of the reason why there is nothing to read."""
        content = str(self.content) if isinstance(self.content, QontrastError) else self.content
        return sha256(json.dumps([content, self.partner]).encode()).hexdigest()[:32]

    def read(self) -> Qbaf:
        """Read the graph."""
        if isinstance(self.content, QontrastError):
            raise self.content
        if isinstance(self.content, dict):
            with file_context(self.name):
                return qbaf_json.read_bag(self.content)
        if self.line is not None:
            with file_context(self.path):
                return qbaf_json.parse_line(self.line, self.content, self.address)
        if self.partner:
            with file_context(self.path):
                return csv_tables.parse_files(sorted([(self.path, self.content), self.partner]))
        if not self.content.strip():
            raise FormatError("is empty", self.path)
        return read_text(self.content, None, self.path)


def iterate_texts(*paths: PathLike) -> Iterator[GraphText]:
    """Find every graph of files, folders and patterns, in an order that does not change from run to run."""
    for path in list_files(*paths):
        if has_lines(path):
            yield from _split_lines(path)
        elif kpa.is_kpa(Path(path)):
            yield from _split_debates(path)
        else:
            yield from _split_file(path)


def list_files(*paths: PathLike) -> Iterator[str]:
    """List the files of folders and patterns by name, each once; of two CSV files that belong together one.

    A path, folder or pattern that leads to no file is an error.
    """
    for given in paths:
        path = os.fspath(given)
        if kpa.is_kpa(Path(path)):
            yield path
        elif os.path.isdir(path):
            yield from _require_some(_walk_folder(path), f"{path}: no file in this folder has the suffix of a format")
        elif path.startswith("examples:"):
            find_example(path.removeprefix("examples:"))
            yield path
        elif os.path.exists(path):
            yield path
        elif has_magic(path):
            found = sorted(each for each in iglob(path, recursive=True) if os.path.isfile(each))
            yield from _require_some(filter(_leads, found), f"{path}: no file has such a name")
        else:
            raise refuse_missing(Path(path))


def check_paths(*paths: PathLike) -> None:
    """Refuse a path, folder or pattern that leads to no file, before any graph is read."""
    for path in paths:
        next(list_files(path))


def count_files(*paths: PathLike) -> int:
    """Count the graphs of files, folders and patterns: one for each file, or for each line of JSONL files."""
    return sum(_count_lines(path) if has_lines(path) else 1 for path in list_files(*paths))


def _require_some(paths: Iterable[str], message: str) -> Iterator[str]:
    empty = True
    for path in paths:
        empty = False
        yield path
    if empty:
        raise FormatError(message)


def _walk_folder(folder: str) -> Iterator[str]:
    suffixes = (*LINE_SUFFIXES, *(suffix for entry in FORMATS.values() for suffix in entry.suffixes))
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.lower().endswith(suffixes) and not name.startswith(".") and _leads(path):
                yield path


def _leads(path: str) -> bool:
    """Whether this is not the second file of a pair of CSV files."""
    partner = csv_tables.find_partner(Path(path))
    return partner is None or str(partner) > path or not partner.is_file()


def _split_file(path: str) -> Iterator[GraphText]:
    """Yield the graphs of one file; what cannot be read is yielded too, with the reason."""
    try:
        if path.startswith("examples:"):
            yield GraphText(path, "", write_text(read(path)))
            return
        text = read_file(Path(path))
        if find_format_of(path) is None and qbaf_json.recognise(text):
            lines = qbaf_json.find_lines(text)
            if lines:
                for line, item in lines:
                    yield from _split_line(path, line, item)
                return
            with file_context(path):
                bags = qbaf_json.list_bags(text)
            if "" not in bags:
                yield from (GraphText(path, address, bag) for address, bag in bags.items())
                return
        partner = csv_tables.find_partner(Path(path)) if path.lower().endswith(".csv") else None
        second = (str(partner), read_file(partner)) if partner is not None and partner.is_file() else None
        yield GraphText(path, "", text, partner=second)
    except QontrastError as error:
        yield GraphText(path, "", error)


def _split_debates(folder: str) -> Iterator[GraphText]:
    """Yield the graph of every motion of a folder of key point analysis."""
    try:
        debates = kpa.read_debates(Path(folder))
    except QontrastError as error:
        yield GraphText(folder, "", error)
        return
    yield from (GraphText(folder, motion, write_text(graph)) for motion, graph in debates.items())


def _split_lines(path: str) -> Iterator[GraphText]:
    """Yield the graphs of a JSONL file: one for a line, or one for each bag of a line; blank lines are left out."""
    try:
        for line, data in iterate_lines(path):
            yield from _split_line(path, line, data)
    except QontrastError as error:
        yield GraphText(path, "", error)


def _split_line(path: str, line: int, data: bytes | str) -> Iterator[GraphText]:
    try:
        with file_context(path):
            text = (data if isinstance(data, str) else decode_line(path, line, data)).rstrip()
            whole = GraphText(path, str(line), text, line)
            bags = qbaf_json.list_line(line, text) if '"bag"' in text else {whole.address: text}
        yield from (replace(whole, address=address, content=bag) for address, bag in bags.items())
    except QontrastError as error:
        yield GraphText(path, str(line), error)


def _count_lines(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(BYTES_PER_COUNT), b""))
    except OSError:
        return 1


def read_many(path: PathLike) -> Mapping[str, Qbaf]:
    """Read every graph of a folder, of a pattern, of a JSONL file, of an ArgLLM results file or of a set of debates.

    Parameters
    ----------
    path : str or os.PathLike
        A folder, with all that lies in it; a pattern such as `graphs/*.bag`; or a file. A file with the suffix .jsonl
        or .ndjson has a graph, or an item of a results file, on every line. A folder with the tables of key point
        analysis (arguments_*.csv, key_points_*.csv, labels_*.csv) has a graph for each motion.

    Returns
    -------
    mapping
        Name → graph. Of a file the names are addresses: '0/base', '0/estimated', '1/base', … in a results file, the
        number of the line, '1', '2', … or '1/base', …, in a JSONL file, '' where the file is one graph; of debates they
        are motions. `read` takes them too: `read("results.json#0/base")`. Of a folder or a pattern the names are what
        `read` takes. Graphs of folders, patterns and JSONL files are read while one goes through `items()`, and none of
        them is kept.

    Raises
    ------
    FormatError
        If a file cannot be read; the message names file and line. Folders, patterns and JSONL files raise it when the
        graph is read; all other graphs can still be read by name.

    Examples
    --------
    >>> import json, tempfile
    >>> graph = {"arguments": {"db0": {"initial_weight": 0.5}}, "attacks": [], "supports": []}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "results.json")
    ...     _ = path.write_text(json.dumps({"data": [{"base": {"bag": graph}}, {"base": {"bag": graph}}]}))
    ...     list(read_many(path))
    ...     [(os.path.relpath(name, folder), len(graph)) for name, graph in read_many(folder).items()]
    ['0/base', '1/base']
    [('results.json#0/base', 1), ('results.json#1/base', 1)]
    """
    given = os.fspath(path)
    if kpa.is_kpa(Path(given)):
        return kpa.read_debates(Path(given))
    if given.startswith("examples:"):
        return {"": read(given)}
    if _is_one_file(given) and not has_lines(given):
        text = read_file(Path(given))
        with file_context(given):
            if qbaf_json.recognise(text):
                return qbaf_json.parse_many(text)
        return {"": read(path)}
    return GraphFiles(given)


def write_many(graphs: Iterable[Qbaf] | Mapping[Any, Qbaf], path: PathLike) -> int:
    """Write graphs to a JSONL file, one on every line; a failure leaves the old file as it was.

    Parameters
    ----------
    graphs : iterable of Qbaf, or a mapping
        The graphs; of a mapping, such as `read_many` gives, its values.
    path : str or os.PathLike
        The file, with the suffix .jsonl or .ndjson.

    Returns
    -------
    int
        How many were written.

    Raises
    ------
    FormatError
        If the file cannot be written, has another suffix, or one of the graphs cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "graphs.jsonl")
    ...     write_many([Qbaf({"a": 0.5}), Qbaf({"b": 1.0})], path)
    ...     [list(graph) for graph in read_many(path).values()]
    2
    [['a'], ['b']]
    """
    place = Path(path)
    if place.suffix.lower() not in LINE_SUFFIXES:
        raise FormatError(f"several graphs go to a file that ends in {' or '.join(LINE_SUFFIXES)}", str(place))
    found = graphs.values() if isinstance(graphs, Mapping) else graphs
    lines = [json.dumps(qbaf_json.to_data(graph), ensure_ascii=False, allow_nan=False) for graph in found]
    write_files({place: "".join(f"{line}\n" for line in lines)})
    return len(lines)


def _is_one_file(path: str) -> bool:
    return not os.path.isdir(path) and (os.path.exists(path) or not has_magic(path))


class GraphFiles(Mapping[str, Qbaf]):
    """The graphs of files by name, each read when it is asked for: a mapping that holds none of them.

    `items()` and `values()` read them one after the other. Of a single file the names are addresses, such as '0/base';
    of several files they are what `read` takes, such as 'graphs/a.json'.
    """

    def __init__(self, path: str):
        self.path = path
        self._single = _is_one_file(path)

    def texts(self) -> Iterator[GraphText]:
        """Find the graphs without reading them."""
        return iterate_texts(self.path)

    def _name(self, text: GraphText) -> str:
        return text.address if self._single else text.name

    def _iterate(self) -> Generator[tuple[str, Qbaf], None, None]:
        for text in self.texts():
            yield self._name(text), text.read()

    def __iter__(self) -> Iterator[str]:
        return (self._name(text) for text in self.texts())

    def __len__(self) -> int:
        return sum(1 for _ in self.texts())

    def __getitem__(self, name: str) -> Qbaf:
        for text in self.texts():
            if self._name(text) == name:
                return text.read()
        raise unknown_name(name, list(islice(self, 100)), "graph")

    def items(self) -> ItemsView[str, Qbaf]:
        """Yield name and graph of each, one after the other."""
        return _Items(self)

    def values(self) -> ValuesView[Qbaf]:
        """Yield the graphs, one after the other."""
        return _Values(self)

    def __repr__(self) -> str:
        return f"<GraphFiles: {self.path}>"


class _Items(ItemsView[str, Qbaf]):
    _mapping: GraphFiles

    def __iter__(self) -> Iterator[tuple[str, Qbaf]]:
        return self._mapping._iterate()


class _Values(ValuesView[Qbaf]):
    _mapping: GraphFiles

    def __iter__(self) -> Iterator[Qbaf]:
        return (graph for _, graph in self._mapping._iterate())
