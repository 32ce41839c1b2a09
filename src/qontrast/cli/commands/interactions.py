"""The command `interactions`."""

from __future__ import annotations

from typing import Any

from ...attribution.shapley.exact import MAX_EVALUATIONS
from ...attribution.shapley.interactions import INDICES
from ...explain.interactions import Interactions
from ...graph.labels import quote_label
from ...results.base import TIE_TOLERANCE
from ...settings import check_integer
from ...show.numbers import number
from ..completion import complete_argument
from ..options import GRAPH, JSON, PLAYING, SOLVING, Argument, make_choice, make_option, make_question
from ..output import make_heading, make_table, print_json, print_note, print_text

FACT_TEXT = "The topic to explain. Default: the strongest topic, compared with the second."
FOIL_TEXT = "The topic to compare it with. Default: none where FACT is named; FACT alone is explained."
PARAMETERS = [
    *GRAPH,
    Argument("fact", "FACT", FACT_TEXT, complete_argument, required=False),
    Argument("foil", "FOIL", FOIL_TEXT, complete_argument, required=False),
    *SOLVING,
    make_choice("--index", INDICES, "How the interaction of two players is measured", default="sii"),
    *PLAYING,
    make_option("--budget max_evaluations", "N", "Refuse more evaluations of sub-graphs than this.", type=int,
                default=MAX_EVALUATIONS),
    make_option("--most", "N", "Print at most N pairs.", type=int, default=20),
    JSON,
]  # fmt: skip


def run(*, index: str, max_evaluations: int, most: int, json: bool, **options: Any) -> None:
    """Print the strongest interactions."""
    limit = check_integer(most, "most", 1)
    found = make_question(**options).interactions(alone=True, index=index, max_evaluations=max_evaluations)
    if json:
        return print_json(found.to_dict())
    pairs = [each for each in found.strongest(len(found)) if abs(each[1]) > TIE_TOLERANCE]
    print_text(make_heading(write_question(found)), "")
    if not pairs:
        return print_text("no two of them interact")
    print_text(make_pairs_table(found, pairs[:limit]))
    if (left := len(pairs) - limit) > 0:
        print_text(f"({left:,} weaker pair{'' if left == 1 else 's'} left out)")
    return print_note(f"{found.index}: {found.how}")


def write_question(found: Interactions) -> str:
    """Write what is asked: for a contrast, or for one topic."""
    fact = quote_label(found.qbaf, found.fact)
    noun = {"arguments": "arguments", "groups": "groups or arguments"}.get(found.players.kind, "edges")
    rather = "" if found.foil is None else f" rather than {quote_label(found.qbaf, found.foil)}"
    return f"Which two {noun} act together on {fact}{rather}?"


def make_pairs_table(found: Interactions, pairs: list[tuple[tuple[Any, Any], float]]) -> Any:
    """Make a table of pairs: the two players, their interaction, and which topic it speaks for."""
    fact = quote_label(found.qbaf, found.fact)
    against = f"against {fact}" if found.foil is None else f"for {quote_label(found.qbaf, found.foil)}"
    signs = {True: f"for {fact}", False: against}
    rows = [(_label(found, a), _label(found, b), number(value, "+", 4), signs[value > 0]) for (a, b), value in pairs]
    return make_table([("player", "text"), ("and", "text"), ("interaction", "number"), ("", "text")], rows)


def _label(found: Interactions, player: Any) -> str:
    return found.qbaf.label(player) if player not in getattr(found.players, "groups", ()) else str(player)
