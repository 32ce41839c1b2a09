"""Write the answers for many graphs into one table; a run that was killed continues where it stopped.

While it runs, every graph adds one line to a journal beside the table. When all are done, the table is made from the
journal, and the journal is deleted.
"""

from __future__ import annotations

import csv
import heapq
import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from io import TextIOWrapper
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._version import __version__
from ..attribution.methods import make_method
from ..engine.backend import run_tasks
from ..errors import FormatError, Hint, InvalidInput, QontrastError, phrase_in_python
from ..extras import require
from ..formats.disk import open_beside, write_files
from ..formats.many import GraphText, count_files, iterate_texts
from ..results.base import to_plain
from ..semantics import SEMANTICS, Semantics
from ..types import Progress
from .journal import Journal, Row, append_json
from .many import Asked, Explained, explain_each

if TYPE_CHECKING:
    from concurrent.futures import Executor

JOURNAL = ".journal"  # appended to the name of the table
MAX_PAGE_ROWS = 10_000  # of a page; a table has all
ROWS_PER_GROUP = 10_000  # of a parquet file
TEXTS = {"name", "fact", "foil", "method", "semantics", "notes", "error"}  # besides reasons, the columns of texts
Key = TypeVar("Key")


@dataclass(frozen=True)
class BatchRun:
    """What a run did."""

    graphs: int
    answers: int
    failed: int
    continued: int  # graphs that an earlier run had explained, and that are as they were
    changed: int  # graphs that an earlier run had explained, and that were explained again since they changed


@dataclass(frozen=True, kw_only=True)
class Batch:
    """A table to write.

    Attributes
    ----------
    paths
        Files, folders and patterns.
    out
        The table; its suffix is one of WRITERS.
    asked
        What is asked of every graph.
    restart
        Begin again, whatever an earlier run has done.
    reports
        Write a report for each row of a page.
    tell_error
        Called with each answer that is an error, as soon as it is there.
    say
        Phrases the ways out of errors.
    """

    paths: Sequence[str]
    out: Path
    asked: Asked
    restart: bool = False
    reports: bool = False
    tell_error: Callable[[Explained], None] = lambda found: None
    say: Callable[[Hint], str | None] = phrase_in_python

    @property
    def journal_path(self) -> Path:
        """The journal of this table."""
        return self.out.with_name(self.out.name + JOURNAL)

    @property
    def suffix(self) -> str:
        """The suffix of the table, which says its format."""
        return self.out.suffix.lower()

    def run(self, executor: Executor | None = None, progress: Progress | None = None) -> BatchRun:
        """Explain what is left to explain, then write the table."""
        self.check()
        total = count_files(*self.paths)
        if self.restart:
            with suppress(FileNotFoundError):
                self.journal_path.unlink()
        with Journal(self.journal_path, self.paths, self.describe()) as journal:
            run = self._explain(journal, executor, progress, total)
        # reports that are there are of this run only if it continues
        WRITERS[self.suffix](replace(self, restart=not run.continued), journal, executor)
        self.journal_path.unlink()
        return run

    def check(self) -> None:
        """Refuse a table that cannot be written, before anything is computed."""
        if self.suffix not in WRITERS:
            raise InvalidInput(f"{str(self.out)!r} has no suffix of a table; end it in {', '.join(WRITERS)}")
        if self.reports and self.suffix != ".html":
            raise InvalidInput(f"reports are linked from a page, and {str(self.out)!r} is none; end it in .html")
        if self.suffix == ".parquet":
            require("pyarrow", "a table in parquet")
        if not self.out.parent.is_dir():
            raise FormatError(f"the folder {str(self.out.parent)!r} does not exist", str(self.out))

    def find_texts(self) -> Iterator[GraphText]:
        """Find the graphs; files that this run writes are none of them."""
        own = {os.path.abspath(self.out), os.path.abspath(self.journal_path)}
        return (text for text in iterate_texts(*self.paths) if os.path.abspath(text.path) not in own)

    def describe(self) -> Row:
        """Describe every setting that the answers depend on, in the same way however it was given."""
        asked = {each.name: getattr(self.asked, each.name) for each in fields(self.asked)}
        solving, measuring = asked.pop("solving"), dict(asked.pop("measuring"))
        method, players = measuring.pop("method"), measuring.pop("players")
        made = make_method(method, measuring)  # with the settings that were left out
        settings: Row = {each.name: getattr(made, each.name) for each in fields(made)} if is_dataclass(made) else {}
        texts = {"pairs": str(asked["pairs"]), "method": str(method), "format": self.suffix}
        code = {"semantics": _describe_semantics(solving["semantics"])}
        described: Row = to_plain(asked | solving | code | texts | {"players": players} | settings)
        return described

    def name_report(self, text: GraphText, fact: str, foil: str) -> str:
        """The file of a report: the same for the same graph, topics and settings, whatever the number of its row."""
        about = [__version__, self.describe(), text.name, text.hash_content(), fact, foil]
        return f"{sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]}.html"

    def _explain(self, journal: Journal, executor: Executor | None, progress: Progress | None, total: int) -> BatchRun:
        waiting: deque[tuple[int, str]] = deque()  # place and content of each graph that is being explained
        explained = changed = 0

        def find_missing() -> Iterator[tuple[str, GraphText]]:
            nonlocal changed
            for text in self.find_texts():
                content = text.hash_content()
                if not journal.take_over(text.name, content):
                    waiting.append((len(journal.order) - 1, content))
                    changed += text.name in journal.names
                    yield text.name, text

        def report(*_: int) -> None:
            if progress is not None:
                done = len(journal.order) - len(waiting) + 1
                progress(done, max(total, done))

        for name, found in explain_each(self.asked, find_missing(), executor, report, say=self.say):
            place, content = waiting.popleft()
            journal.add(place, name, content, [self._write_answer(each) for each in found])
            for each in found:
                if each.error is not None:
                    self.tell_error(each)
            explained += 1
        rows = Counter(row.get("error") is not None for row in journal.read_rows())
        return BatchRun(len(journal.order), rows[False], rows[True], len(journal.order) - explained, changed)

    def _write_answer(self, found: Explained) -> Row:
        return found.to_dict() if self.suffix == ".jsonl" else found.to_row(self.asked.reasons)


def _describe_semantics(given: str | Semantics | None) -> Any:
    """Name a semantics; one of the user's own is known by its code, too."""
    if isinstance(given, Semantics) and SEMANTICS.get(given.name) is not given:
        return _describe_code(given)
    return given.name if isinstance(given, Semantics) else given


def _describe_code(part: Any, around: tuple[Any, ...] = ()) -> Any:
    """Describe a formula: a function is known by its name, the file that it is written in, and what it keeps."""
    inside = (*around, part)
    if is_dataclass(part):
        return {each.name: _describe_code(getattr(part, each.name), inside) for each in fields(part)}
    file = Path(part.__code__.co_filename) if hasattr(part, "__code__") else None
    if file is None or not file.is_file():
        return repr(part)  # of a function without a file it is the same in no other run
    kept = [part.__defaults__, part.__kwdefaults__, *(each.cell_contents for each in part.__closure__ or ())]
    values = [_describe_code(each, inside) for each in kept if not any(each is one for one in inside)]
    return [part.__qualname__, sha256(file.read_bytes()).hexdigest()[:32], *values]


# -- tables --------------------------------------------------------------------------------------------------


def _list_columns(batch: Batch) -> list[str]:
    return list(Explained(name="", method="").to_row(batch.asked.reasons))


def _write_jsonl(batch: Batch, journal: Journal, executor: Executor | None) -> None:
    with open_beside(batch.out) as file:
        for row in journal.read_rows():
            append_json(file, row)


def _write_csv(batch: Batch, journal: Journal, executor: Executor | None) -> None:
    with open_beside(batch.out) as file:
        text = TextIOWrapper(file, "utf-8", "backslashreplace", newline="")
        writer = csv.DictWriter(text, _list_columns(batch), lineterminator="\n")
        writer.writeheader()
        writer.writerows(journal.read_rows())
        text.detach()


def _write_parquet(batch: Batch, journal: Journal, executor: Executor | None) -> None:
    arrow, parquet = require("pyarrow", "a table in parquet"), require("pyarrow.parquet", "a table in parquet")
    columns = _list_columns(batch)
    kinds = {name: arrow.string() for name in columns if name in TEXTS or name.startswith("reason_")}
    kinds["arguments"] = arrow.int64()
    schema = arrow.schema([(name, kinds.get(name, arrow.float64())) for name in columns])
    rows = journal.read_rows()
    with open_beside(batch.out) as file, parquet.ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, ROWS_PER_GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _write_page(batch: Batch, journal: Journal, executor: Executor | None) -> None:
    from ..show.html.batch import MAX_ERRORS, Counts, batch_html

    chosen = _choose_rows(journal)
    rows = [row for row, _ in chosen]
    counts = Counts.count(journal.read_rows())
    errors = list(islice((row for row in journal.read_rows() if row["error"] is not None), MAX_ERRORS))
    links = _write_reports(batch, chosen, executor) if batch.reports else {}
    write_files({batch.out: batch_html(rows, sources=batch.paths, errors=errors, counts=counts, links=links)})


def _choose_rows(journal: Journal) -> list[tuple[Row, str]]:
    """Choose the rows with the smallest gaps, then those without, each with the content of its graph; in order."""

    def number_rows() -> Iterator[tuple[float, int, Row, str]]:
        number = count_up()
        for line in journal.read_lines():
            for row in line["answers"]:
                if row["error"] is None:
                    size = float("inf") if row["gap"] is None else abs(row["gap"])
                    yield size, next(number), row, line["content"]

    chosen = heapq.nsmallest(MAX_PAGE_ROWS, number_rows(), key=lambda each: each[:2])
    return [(row, content) for _, _, row, content in sorted(chosen, key=lambda each: each[1])]


def _write_reports(batch: Batch, rows: Sequence[tuple[Row, str]], executor: Executor | None) -> dict[int, str]:
    """Write a report for each row that has a foil, and return its address by the place of the row.

    A graph that changed while the others were explained has none: its row is about what it was.
    """
    folder = batch.out.with_name(f"{batch.out.stem}-reports")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot be made: {error.strerror or error}", str(folder)) from None
    wanted: dict[tuple[str, str], list[int]] = {}
    for place, (row, content) in enumerate(rows):
        if row["foil"] is not None:
            wanted.setdefault((row["name"], content), []).append(place)
    links: dict[int, str] = {}

    def find_missing() -> Iterator[tuple[Any, ...]]:
        """The reports that no earlier part of this run has written; those that are there are linked."""
        for text in batch.find_texts():
            for k in wanted.get((text.name, text.hash_content()), ()):
                about = rows[k][0]["fact"], rows[k][0]["foil"]
                name = batch.name_report(text, *about)
                if not batch.restart and (folder / name).exists():
                    links[k] = f"{folder.name}/{name}"
                else:
                    yield batch.asked, text, *about, (k, name)

    for (place, name), page in run_tasks(executor, make_report, find_missing()):
        if page is not None:
            write_files({folder / name: page})
            links[place] = f"{folder.name}/{name}"
    return links


def make_report(asked: Asked, text: GraphText, fact: str, foil: str, key: Key) -> tuple[Key, str | None]:
    """Write the report of one row; None where it needs more than is allowed. The key is handed back."""
    from ..show.html.report import report_html

    try:
        qbaf = text.read()
        settings: dict[str, Any] = {**asked.measuring, **asked.solving}
        return key, report_html(qbaf, qbaf.resolve(fact), qbaf.resolve(foil), **settings)
    except QontrastError:
        return key, None


WRITERS: dict[str, Callable[[Batch, Journal, Any], None]] = {
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".html": _write_page,
}
