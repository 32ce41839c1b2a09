"""The command `flip`."""

from __future__ import annotations

from typing import Any

import click

from ...graph.labels import called
from ..completion import complete_argument
from ..options import GRAPH, JSON, PAIR, SOLVING, TIME_LIMIT, make_question
from ..output import make_heading, print_json, print_text

PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    click.Option(
        ["--fix", "fixed"],
        metavar="NAME",
        multiple=True,
        help="Keep this argument and its base score as they are. May be repeated.",
        shell_complete=complete_argument,
    ),
    click.Option(["--move-topics"], is_flag=True, help="Let the base scores of the two topics change too."),
    click.Option(
        ["--norm"],
        metavar="l1|l2",
        default="l1",
        help="How a change is measured: l1, the sum of its parts, or l2, the root of the sum of their squares.",
    ),
    TIME_LIMIT,
    JSON,
]


def run(*, fixed: tuple[str, ...], move_topics: bool, norm: str, time_limit: float, json: bool, **options: Any) -> None:
    """Print what would make the foil win."""
    question = make_question(**options)
    found = question.flip(fixed=fixed, move_topics=move_topics, norm=norm, time_limit=time_limit or None)
    if json:
        return print_json(found.to_dict())
    fact, foil = (called(question.qbaf, name) for name in question.pair)
    return print_text(make_heading(f"What would make {foil} win over {fact}?"), "", str(found))
