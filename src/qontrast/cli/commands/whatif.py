"""The command `whatif`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import InvalidInput
from ...explain.contrast import Contrast
from ...explain.whatif import WhatIf
from ...graph.labels import label_and_name
from ...results.base import TIE_TOLERANCE
from ...show.numbers import fixed, number, write_change
from ..options import DEVICE, GRAPH, JSON, LANGUAGE, MEASURING, PAIR, SOLVING, WORKING, make_question
from ..output import make_heading, make_table, print_json, print_text

if TYPE_CHECKING:
    from ...show.phrasing import Language

PARAMETERS = [*GRAPH, *PAIR, *SOLVING, *WORKING, *MEASURING, DEVICE, LANGUAGE, JSON]


def run(*, language: str, json: bool, **options: Any) -> None:
    """Print strengths and reasons before and after."""
    if not options["sets"] and not options["remove"]:
        raise InvalidInput("whatif needs a change: --set NAME=SCORE or --remove NAME")
    found = make_question(**options).whatif()
    if json:
        return print_json(found.to_dict())
    from ...show.change_texts import describe_change
    from ...show.descriptions import describe_whatif
    from ...show.phrasing import choose

    to = choose(language)
    print_text(make_heading(describe_whatif(found, language=language)), "", _make_strengths_table(found, to))
    if found.change is None or found.why_before is None or found.why_after is None:
        return None
    reasons = _make_reasons_table(found.why_before, found.why_after, to)
    return print_text("", reasons, "", describe_change(found.change, language=language))


def _make_strengths_table(found: WhatIf, to: Language) -> Any:
    rows: list[tuple[str, ...]] = []
    for x, before in found.before.items():
        after, name = found.after.get(x), label_and_name(found.before.qbaf, x)
        if after is None:
            rows.append((name, to.number(fixed(before, 4)), to.say("whatif.removed"), ""))
        elif abs(after - before) > TIE_TOLERANCE:
            rows.append((name, *map(to.number, write_change(before, after))))
    heads = to.say("whatif.table").split("|")
    return make_table([(heads[0], "text"), *((head, "number") for head in heads[1:])], rows)


def _make_reasons_table(before: Contrast, after: Contrast, to: Language) -> Any:
    from ...show.phrasing import call_topics, name_value

    value = name_value(before.method, language=to.code)
    title = to.say("whatif.reasons", value=value, method=before.method, **call_topics(before))
    rows = []
    for x, own in before.ranked():
        new = to.number(number(after[x], "+", 4)) if x in after else to.say("whatif.removed")
        rows.append((label_and_name(before.qbaf, x), to.number(number(own, "+", 4)), new))
    heads = to.say("whatif.table").split("|")
    return make_table([(title, "text"), (heads[1], "number"), (heads[2], "number")], rows)
