"""The command `batch`."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from ...attribution.methods import DEFAULT
from ...errors import InvalidInput, count
from ...formats.groups import read_groups
from ...formats.many import check_paths
from ...graph.labels import visible
from ...questions.batch import WRITERS, Batch, BatchRun
from ...questions.many import REASONS, RULES, TIME_LIMIT, Explained, explain_each, make_asked, name_files
from ..completion import complete_file
from ..main import BAD_GRAPHS, DONE, describe_hint
from ..options import (
    JSON,
    MEASURING,
    METHOD_OPTIONS,
    PLAYING,
    SOLVING,
    WORKING,
    Argument,
    choose_players,
    choose_settings,
    load_semantics,
    make_flag,
    make_option,
    open_workers,
)
from ..output import is_stdout, print_bytes, print_json, print_note, show_progress

SOURCES_TEXT = (
    "Files, JSONL files with a graph on every line, results files of ArgLLM, folders, and patterns in quotes."
)
OUT_TEXT = f"The table or page to write: {', '.join(WRITERS)}; or - for JSON lines on standard output."
PAIRS_TEXT = f"Which topics are compared: {' or '.join(f'{name} ({text})' for name, text in RULES.items())}."
LIMIT_TEXT = "Stop the search for the robustness of one pair after this time; 0 sets no limit."
PARAMETERS = [
    Argument("sources", "GRAPHS", SOURCES_TEXT, complete_file, nargs=-1, required=True),
    make_option("--out -o", "PATH", OUT_TEXT, required=True),
    make_option("--fact", "NAME", "The topic of every graph to explain."),
    make_option("--foil", "NAME", "The topic of every graph to compare it with."),
    make_option("--pairs", "NAME", PAIRS_TEXT, default="strongest"),
    make_option("--reasons", "N", "How many of the strongest contributors a row names.", type=int, default=REASONS),
    make_flag("--robustness", "Say how far base scores may be off before the order changes."),
    make_option("--time-limit", "SECONDS", LIMIT_TEXT, type=float, default=TIME_LIMIT),
    *SOLVING,
    *MEASURING,
    *PLAYING,
    *WORKING,
    make_flag("--reports", "With -o PATH.html: also write a report for each row, and link it."),
    make_flag("--restart", "Begin again instead of continuing a run that was stopped."),
    JSON,
]
MAX_NOTES = 20  # failures that are printed


class Failures:
    """Print the first failures, and count all."""

    def __init__(self) -> None:
        self.number = 0

    def tell(self, found: Explained) -> None:
        """Print one failure, unless there are many."""
        self.number += 1
        if self.number <= MAX_NOTES:
            error = str(found.error)
            print_note(visible(error if error.startswith(found.name.partition("#")[0]) else f"{found.name}: {error}"))
        elif self.number == MAX_NOTES + 1:
            print_note("note: further failures are not printed here")


def run(
    *,
    sources: tuple[str, ...],
    out: str,
    method: str | None,
    players: str | None,
    groups: str | None,
    semantics: str | None,
    time_limit: float,
    workers: int | None,
    scheduler: str | None,
    reports: bool,
    restart: bool,
    json: bool,
    **options: Any,
) -> int:
    """Explain many graphs, and return the exit code."""
    kind, file = choose_players(players, groups)
    chosen = method or ("owen" if kind == "edges" else DEFAULT)
    given = {each.name: options.pop(each.name, None) for each in METHOD_OPTIONS}
    if time_limit < 0:
        raise InvalidInput(f"--time-limit is {time_limit:g}; give seconds, or 0 for no limit")
    asked = make_asked(
        **options,
        **choose_settings(chosen, given),
        method=chosen,
        players=kind if file is None else read_groups(file),
        semantics=None if semantics is None else load_semantics(semantics),
        time_limit=time_limit or None,
    )
    check_paths(*sources)
    failures, began, say = Failures(), time.monotonic(), partial(describe_hint, command="batch")
    with open_workers(workers, scheduler) as executor, show_progress("batch", rate=True) as progress:
        if is_stdout(out):
            for _, found in explain_each(asked, name_files(*sources), executor, say=say):
                for each in found:
                    print_bytes(each.to_line().encode(errors="backslashreplace"))
                    if each.error is not None:
                        failures.tell(each)
            return BAD_GRAPHS if failures.number else DONE
        batch = Batch(
            paths=sources,
            out=Path(out),
            asked=asked,
            restart=restart,
            reports=reports,
            tell_error=failures.tell,
            say=say,
        )
        try:
            done = batch.run(executor, progress)
        except KeyboardInterrupt:
            print_note(f"note: the same command continues where this run stopped; it keeps {batch.journal_path}")
            raise
    _print_summary(done, out, time.monotonic() - began, json)
    return BAD_GRAPHS if done.failed else DONE


def _print_summary(done: BatchRun, out: str, seconds: float, json: bool) -> None:
    now = done.graphs - done.continued
    if json:
        return print_json(
            {
                "schema": "qontrast/written/1",
                "path": out,
                "graphs": done.graphs,
                "answers": done.answers,
                "failed": done.failed,
                "continued": done.continued,
                "changed": done.changed,
            }
        )
    before = f", {done.continued:,} of them before" if done.continued else ""
    before += f", {done.changed:,} again since {'it' if done.changed == 1 else 'they'} changed" if done.changed else ""
    failed = f"; {done.failed:,} without an answer, see the column error" if done.failed else ""
    rate = f", {now / seconds:,.0f} a second" if sys.stderr.isatty() and seconds > 1 else ""
    return print_note(f"{out}: {count(done.answers, 'answer')} for {count(done.graphs, 'graph')}{before}{rate}{failed}")
