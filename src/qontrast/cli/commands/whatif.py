"""The command `whatif`."""

from __future__ import annotations

from typing import Any

from ...errors import InvalidInput
from ...explain.whatif import WhatIf
from ...graph.labels import label_and_name, quote_label
from ...results.base import TIE_TOLERANCE
from ...show.numbers import fixed, number, write_change
from ...show.phrasing import name_value
from ..options import DEVICE, GRAPH, JSON, MEASURING, PAIR, SOLVING, WORKING, make_question
from ..output import make_heading, make_table, print_json, print_text

PARAMETERS = [*GRAPH, *PAIR, *SOLVING, *WORKING, *MEASURING, DEVICE, JSON]


def run(*, json: bool, **options: Any) -> None:
    """Print strengths and reasons before and after."""
    if not options["sets"] and not options["remove"]:
        raise InvalidInput("whatif needs a change: --set NAME=SCORE or --remove NAME")
    found = make_question(**options).whatif()
    if json:
        return print_json(found.to_dict())
    print_text(make_heading(str(found)), "", _make_strengths_table(found))
    return None if found.change is None else print_text("", _make_reasons_table(found), "", str(found.change))


def _make_strengths_table(found: WhatIf) -> Any:
    rows = []
    for x, before in found.before.items():
        after = found.after.get(x)
        if after is None:
            rows.append((label_and_name(found.before.qbaf, x), fixed(before, 4), "removed", ""))
        elif abs(after - before) > TIE_TOLERANCE:
            rows.append((label_and_name(found.before.qbaf, x), *write_change(before, after)))
    return make_table([("argument", "text"), ("before", "number"), ("after", "number"), ("change", "number")], rows)


def _make_reasons_table(found: WhatIf) -> Any:
    before, after = found.why_before, found.why_after
    assert before is not None
    assert after is not None
    qbaf = before.qbaf
    title = (
        f"{name_value(before.method)}, {quote_label(qbaf, before.fact)} rather than {quote_label(qbaf, before.foil)}"
    )
    rows = [
        (label_and_name(qbaf, x), number(value, "+", 4), number(after[x], "+", 4) if x in after else "removed")
        for x, value in before.ranked()
    ]
    return make_table([(f"{title} ({before.method})", "text"), ("before", "number"), ("after", "number")], rows)
