"""The command `reasons`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...explain.reasons import MAX_SETS, Reasons
from ...graph.labels import quote_label
from ...settings import check_integer
from ...show.numbers import number
from ...show.phrasing import call_player
from ..options import (
    DEVICE,
    GRAPH,
    JSON,
    LANGUAGE,
    PAIR,
    PLAYING,
    SOLVING,
    TIME_LIMIT,
    WORKING,
    make_option,
    make_question,
)
from ..output import make_heading, make_table, print_json, print_note, print_text

if TYPE_CHECKING:
    from ...show.phrasing import Language

SETS_TEXT = "Where there are too many players to solve all sets, stop at N sets of a kind."
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    DEVICE,
    *PLAYING,
    make_option("--max-sets", "N", SETS_TEXT, type=int, default=MAX_SETS),
    TIME_LIMIT,
    make_option("--most", "N", "Print at most N sets of each kind.", type=int, default=20),
    LANGUAGE,
    JSON,
]
KINDS = ("prime", "breaking", "sufficient", "unproved")


def run(*, max_sets: int, time_limit: float, most: int, language: str, json: bool, **options: Any) -> None:
    """Print the sets of players that decide the order."""
    limit = check_integer(most, "most", 1)
    found = make_question(**options).reasons(max_sets=max_sets, time_limit=time_limit or None)
    if json:
        return print_json(found.to_dict())
    from ...show.phrasing import choose
    from ...show.reason_texts import describe_reasons

    to = choose(language)
    fact, foil = (to.name(quote_label(found.qbaf, name)) for name in (found.fact, found.foil))
    heading = make_heading(to.say("reasons.question", fact=fact, foil=foil))
    print_text(heading, "", describe_reasons(found, language=language), "", _make_sets_table(found, limit, to))
    return print_note(choose(language).count("size.solved", found.evaluations))


def _make_sets_table(found: Reasons, limit: int, to: Language) -> Any:
    """Make a table of the sets of every kind: the players, and for breaking sets the gap without them."""
    rows = []
    for kind in KINDS:
        sets = getattr(found, kind)
        for place, some in enumerate(sets[:limit]):
            names = ", ".join(to.write(call_player(found.players, x)) for x in found.sort_members(some)) or "∅"
            gap = to.number(number(found.breaking_gaps[place], "+", 4)) if kind == "breaking" else ""
            rows.append((to.say(f"reasons.kind.{kind}"), names, gap))
        if len(sets) > limit:
            rows.append((to.say(f"reasons.kind.{kind}"), f"… ({to.count('reasons.more', len(sets) - limit)})", ""))
    kinds, players, gaps = to.say("reasons.table").split("|")
    return make_table([(kinds, "text"), (players, "text"), (gaps, "number")], rows)
