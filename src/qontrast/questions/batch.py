"""Write the answers for many graphs into one table; a run that was killed continues where it stopped.

While it runs, every graph adds one line to a journal beside the table. A line that is not complete was not written, so
the complete ones say which graphs are done. When all are done, the table is made from the journal, and the journal is
deleted.
"""

from __future__ import annotations

import csv
import heapq
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from io import TextIOWrapper
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from .._version import __version__
from ..engine.backend import run_tasks
from ..errors import FormatError, Hint, InvalidInput, QontrastError
from ..extras import require
from ..formats.disk import open_beside, write_files
from ..formats.many import GraphText, count_files, iterate_texts
from ..results.base import to_plain
from ..types import Progress
from .many import Asked, Explained, explain_each

if TYPE_CHECKING:
    from concurrent.futures import Executor

JOURNAL = ".journal"  # appended to the name of the table
MAX_PAGE_ROWS = 10_000  # of a page; a table has all
ROWS_PER_GROUP = 10_000  # of a parquet file
TEXTS = {"name", "fact", "foil", "method", "semantics", "notes", "error"}  # besides reasons, the columns of texts
Row = dict[str, Any]
Key = TypeVar("Key")


@dataclass(frozen=True)
class BatchRun:
    """What a run did."""

    graphs: int
    answers: int
    failed: int
    continued: int  # graphs that were done before


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
    """

    paths: Sequence[str]
    out: Path
    asked: Asked
    restart: bool = False
    reports: bool = False
    tell_error: Callable[[Explained], None] = lambda found: None

    @property
    def journal(self) -> Path:
        """The journal of this table."""
        return self.out.with_name(self.out.name + JOURNAL)

    @property
    def suffix(self) -> str:
        """The suffix of the table, which says its format."""
        return self.out.suffix.lower()

    def run(self, executor: Executor | None = None, progress: Progress | None = None) -> BatchRun:
        """Explain what is left to explain, then write the table."""
        self.check()
        if self.restart:
            with suppress(FileNotFoundError):
                self.journal.unlink()
        total = count_files(*self.paths)
        with self._open_journal() as (file, texts, done):
            run = self._explain(file, texts, done, executor, progress, total)
        # reports that are there are of this run only if it continues
        WRITERS[self.suffix](replace(self, restart=not run.continued), executor)
        self.journal.unlink()
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
            raise FormatError(f"the folder {str(self.out.parent)!r} is not there", str(self.out))

    def find_texts(self) -> Iterator[GraphText]:
        """Find the graphs; files that this run writes are none of them."""
        own = {os.path.abspath(self.out), os.path.abspath(self.journal)}
        return (text for text in iterate_texts(*self.paths) if os.path.abspath(text.path) not in own)

    @contextmanager
    def _open_journal(self) -> Iterator[tuple[IO[bytes], Iterator[GraphText], int]]:
        """Open the journal behind its last complete line, with the graphs that are not in it and how many are."""
        header = self._describe()
        try:
            file = self.journal.open("r+b" if self.journal.exists() else "w+b")
        except OSError as error:
            raise FormatError(f"cannot be written: {error.strerror or error}", str(self.journal)) from None
        with file:
            texts = self.find_texts()
            first = file.readline()
            if not first.endswith(b"\n"):
                file.seek(0)
                file.truncate()
                _append(file, header)
                yield file, texts, 0
                return
            self._compare_settings(json.loads(first), header)
            done = self._skip_done(file, texts)
            yield file, texts, done

    def _describe(self) -> Row:
        """Describe the run: the first line of its journal."""
        solving, measuring = self.asked.solving, dict(self.asked.measuring)
        semantics = solving["semantics"]
        header: Row = to_plain(
            {
                "version": __version__,
                "format": self.suffix,
                "graphs": list(self.paths),
                "fact": self.asked.fact,
                "foil": self.asked.foil,
                "pairs": str(self.asked.pairs),
                "reasons": self.asked.reasons,
                "robustness": self.asked.robustness,
                "time_limit": self.asked.time_limit,
                **solving,
                "semantics": getattr(semantics, "name", semantics),
                **measuring,
            }
        )
        return header

    def name_report(self, text: GraphText, fact: str, foil: str) -> str:
        """The file of a report: the same for the same graph, topics and settings, whatever the number of its row."""
        content = text.content if isinstance(text.content, str | dict) else str(text.content)
        about = [self._describe(), text.name, content, text.partner, fact, foil]
        return f"{sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()[:16]}.html"

    def _compare_settings(self, before: Row, now: Row) -> None:
        for key in before.keys() | now.keys():
            if before.get(key) != now.get(key):
                said = f"with {key} {before.get(key)!r} instead of {now.get(key)!r}"
                raise self._refuse(f"{self.journal} is of a run {said}; ask the same to continue it")

    def _refuse(self, message: str) -> InvalidInput:
        return InvalidInput(message, hints=[Hint("restart", (True,))])

    def _skip_done(self, file: IO[bytes], texts: Iterator[GraphText]) -> int:
        """Skip the graphs of the complete lines of the journal, and cut off an incomplete line."""
        for done in count_up():
            end = file.tell()
            line = file.readline()
            if not line.endswith(b"\n"):
                file.seek(end)
                file.truncate()
                return done
            name, text = json.loads(line)["name"], next(texts, None)
            if text is None or text.name != name:
                found = "there is no more" if text is None else f"it is now {text.name!r}"
                raise self._refuse(f"{self.journal}: graph {done + 1:,} was {name!r}, and {found}")
        raise AssertionError

    def _explain(
        self,
        file: IO[bytes],
        texts: Iterator[GraphText],
        done: int,
        executor: Executor | None,
        progress: Progress | None,
        total: int,
    ) -> BatchRun:
        run = BatchRun(done, 0, 0, done)

        def report(now: int, _: int) -> None:
            if progress is not None:
                progress(done + now, max(total, done + now))

        for name, found in explain_each(self.asked, ((text.name, text) for text in texts), executor, report):
            _append(file, {"name": name, "answers": [self._write_answer(each) for each in found]})
            for each in found:
                if each.error is not None:
                    self.tell_error(each)
            run = replace(run, graphs=run.graphs + 1)
        return self._count(file, run)

    def _write_answer(self, found: Explained) -> Row:
        return found.to_dict() if self.suffix == ".jsonl" else found.to_row(self.asked.reasons)

    def _count(self, file: IO[bytes], run: BatchRun) -> BatchRun:
        answers = failed = 0
        file.flush()
        for row in self.read_rows():
            bad = row.get("error") is not None
            answers, failed = answers + (not bad), failed + bad
        return replace(run, answers=answers, failed=failed)

    def read_rows(self) -> Iterator[Row]:
        """Read the answers from the journal."""
        with self.journal.open("rb") as file:
            for line in islice(file, 1, None):
                yield from json.loads(line)["answers"]


def _append(file: IO[bytes], data: Mapping[str, Any]) -> None:
    file.write(json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
    file.flush()


# -- tables --------------------------------------------------------------------------------------------------


def _list_columns(batch: Batch) -> list[str]:
    return list(Explained(name="", method="").to_row(batch.asked.reasons))


def _write_jsonl(batch: Batch, executor: Executor | None) -> None:
    with open_beside(batch.out) as file:
        for row in batch.read_rows():
            _append(file, row)


def _write_csv(batch: Batch, executor: Executor | None) -> None:
    with open_beside(batch.out) as file:
        text = TextIOWrapper(file, "utf-8", "backslashreplace", newline="")
        writer = csv.DictWriter(text, _list_columns(batch), lineterminator="\n")
        writer.writeheader()
        writer.writerows(batch.read_rows())
        text.detach()


def _write_parquet(batch: Batch, executor: Executor | None) -> None:
    arrow, parquet = require("pyarrow", "a table in parquet"), require("pyarrow.parquet", "a table in parquet")
    columns = _list_columns(batch)
    kinds = {name: arrow.string() for name in columns if name in TEXTS or name.startswith("reason_")}
    kinds["arguments"] = arrow.int64()
    schema = arrow.schema([(name, kinds.get(name, arrow.float64())) for name in columns])
    rows = batch.read_rows()
    with open_beside(batch.out) as file, parquet.ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, ROWS_PER_GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _write_page(batch: Batch, executor: Executor | None) -> None:
    from ..show.html.batch import batch_html

    shown, left_out = _choose_rows(batch)
    errors = list(islice((row for row in batch.read_rows() if row["error"] is not None), MAX_PAGE_ROWS))
    links = _write_reports(batch, shown, executor) if batch.reports else {}
    page = batch_html(shown, sources=batch.paths, errors=errors, left_out=left_out, links=links)
    write_files({batch.out: page})


def _choose_rows(batch: Batch) -> tuple[list[Row], int]:
    """Choose the rows with the smallest gaps, in the order of the files."""
    total = 0

    def number_rows() -> Iterator[tuple[float, int, Row]]:
        nonlocal total
        for row in batch.read_rows():
            if row["error"] is None:
                total += 1
                yield (float("inf") if row["gap"] is None else abs(row["gap"])), total, row

    chosen = heapq.nsmallest(MAX_PAGE_ROWS, number_rows(), key=lambda each: each[:2])
    chosen.sort(key=lambda each: each[1])
    return [row for _, _, row in chosen], total - len(chosen)


def _write_reports(batch: Batch, rows: Sequence[Row], executor: Executor | None) -> dict[int, str]:
    """Write a report for each row that has a foil, and return its address by the place of the row."""
    folder = batch.out.with_name(f"{batch.out.stem}-reports")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot be made: {error.strerror or error}", str(folder)) from None
    wanted: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row["foil"] is not None:
            wanted.setdefault(row["name"], []).append(place)
    links: dict[int, str] = {}

    def find_missing() -> Iterator[tuple[Any, ...]]:
        """The reports that no earlier part of this run has written; those that are there are linked."""
        for text in batch.find_texts():
            for k in wanted.get(text.name, ()):
                about = rows[k]["fact"], rows[k]["foil"]
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


WRITERS: dict[str, Callable[[Batch, Any], None]] = {
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".html": _write_page,
}
