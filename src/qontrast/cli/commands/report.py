"""The command `report`."""

from __future__ import annotations

from datetime import date
from typing import Any

from ...errors import unknown_name
from ...show.layout import ENGINES
from ..options import (
    GRAPH,
    JSON,
    LANGUAGE,
    MEASURING_PLAYERS,
    PAIR,
    SOLVING,
    TIME_LIMIT,
    WORKING,
    make_choice,
    make_flag,
    make_option,
    make_question,
)
from ..output import check_page_name, write_output

INTERACTIVE_TEXT = "Put controls for base scores, removals and topics into the page; they work without a server."
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    *MEASURING_PLAYERS,
    make_option("--out -o", "PATH", "The page to write, or - for standard output.", default="why.html"),
    make_flag("--no-flip", "Leave out the search for what would make the other topic win."),
    make_choice("--layout", ENGINES, "Who arranges the graph (Graphviz needs the extra graphviz)"),
    make_option("--interactive/--static", None, INTERACTIVE_TEXT, default=True),
    TIME_LIMIT,
    LANGUAGE,
    JSON,
]


def run(
    *,
    out: str,
    no_flip: bool,
    layout: str | None,
    interactive: bool,
    time_limit: float,
    language: str,
    json: bool,
    **options: Any,
) -> None:
    """Write a report."""
    check_page_name(out)
    if layout is not None and layout not in ENGINES:
        raise unknown_name(layout, ENGINES, "layout")
    question = make_question(language=language, **options)
    settings: Any = {"date": date.today().isoformat(), "language": language, "interactive": interactive}
    page = question.report(search=not no_flip, time_limit=time_limit or None, engine=layout, **settings)
    write_output(page.encode(), out, json=json)
