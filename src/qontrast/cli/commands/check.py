"""The command `check`."""

from __future__ import annotations

from typing import Any

from ...errors import count
from ...graph.labels import label_and_name
from ...graph.qbaf import Qbaf
from ..main import DONE, UNDEFINED, describe_error
from ..options import GRAPH, JSON, SOLVING, make_question
from ..output import make_table, print_json, print_note, print_text

PARAMETERS = [*GRAPH, *SOLVING, JSON]
MAX_NAMES = 6  # of unconnected arguments in the table


def run(*, json: bool, **options: Any) -> int:
    """Print what a file holds; return UNDEFINED where its strengths are."""
    question = make_question(**options)
    found, qbaf = question.check(), question.qbaf
    code = DONE if found.undefined is None else UNDEFINED
    reason = None if found.reason is None else describe_error(found.reason, "check")
    if json:
        print_json(found.to_dict() | {"undefined": reason})
        return code
    where = f"{count(found.cyclic, 'argument')} on cycles, in {count(found.cycles, 'group')}"
    cycles = where if found.cycles else "none"
    rows = [
        ("arguments", f"{found.arguments:,}"),
        ("attacks", f"{found.attacks:,}"),
        ("supports", f"{found.supports:,}"),
        ("weights", f"{found.weighted:,} other than 1" if found.weighted else "all 1"),
        ("topics", _list_names(qbaf, qbaf.topics) or "none named"),
        ("labels", f"{len(qbaf.labels):,}"),
        *([("uncertain", _list_names(qbaf, tuple(qbaf.uncertain)))] if qbaf.uncertain else []),
        ("cycles", cycles),
        ("unconnected", _list_names(qbaf, found.isolated, MAX_NAMES) or "none"),
        ("semantics", found.semantics + ("" if qbaf.semantics else " (the file names none)")),
        ("strengths", "defined" if found.undefined is None else "undefined"),
    ]
    if found.robustness is not None:
        from ...show.descriptions import write_comparison
        from ...show.robustness_texts import describe_robustness

        order = write_comparison(qbaf, question.strengths, found.robustness.fact, found.robustness.foil)
        rows.append(("order", f"{order} {describe_robustness(found.robustness)}"))
    print_text(make_table([("", "dim"), ("", "text")], rows))
    if reason is not None:
        print_note(f"qontrast: {reason}")
    return code


def _list_names(qbaf: Qbaf, names: tuple[Any, ...], limit: int = 12) -> str:
    more = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return ", ".join(label_and_name(qbaf, name) for name in names[:limit]) + more
