"""Sections of a report on what the order of two topics rests on: sets of players, and the semantics."""

from __future__ import annotations

from typing import Any

from ...attribution.players import PlayersGiven
from ...errors import TooLarge
from ...explain.compare_semantics import SemanticsComparison, compare_semantics
from ...explain.contrast import Contrast
from ...explain.reasons import Reasons, reasons
from ...semantics import SEMANTICS
from ..numbers import number
from ..phrasing import Language
from ..reason_texts import describe_reasons
from ..semantics_texts import describe_comparison, write_strongest
from .parts import Raw, element, page_table, section

MAX_PLAYERS = 12  # whose sets are all solved: 4,096 graphs
MAX_EVALUATIONS = 1 << 14  # of graphs, under each semantics
MAX_MINUTES = 1 / 6  # of what the page says besides the answer: where that takes long, it is left out
METHODS = ("shapley", "removal", "gradient", "intrinsic")  # quick enough, without settings that matter here


def write_order_sections(why: Contrast, players: PlayersGiven, solving: dict[str, Any], to: Language) -> list[Raw]:
    """Write which players the order rests on, and whether it depends on the semantics, where that is quick to find."""
    if why.fact == why.foil:
        return []
    found, compared = _find_reasons(why, players, solving), _compare(why, players, solving)
    out = []
    if found is not None:
        said = element("p", describe_reasons(found, language=to.code))
        out.append(section(to.say("reasons.heading"), said))
    if compared is not None:
        said = element("p", describe_comparison(compared, language=to.code))
        out.append(section(to.say("semantics.heading"), said, _make_table(compared, to)))
    return out


def _find_reasons(why: Contrast, players: PlayersGiven, solving: dict[str, Any]) -> Reasons | None:
    qbaf = why.qbaf
    upstream = qbaf.structure.ancestors([qbaf.index(why.fact), qbaf.index(why.foil)])
    edges = why.players.kind in ("edges", "direct")
    size = int(upstream[qbaf.targets].sum()) if edges else int(upstream.sum()) - 2
    return None if size > MAX_PLAYERS else reasons(qbaf, why.fact, why.foil, players=players, **solving)


def _compare(why: Contrast, players: PlayersGiven, solving: dict[str, Any]) -> SemanticsComparison | None:
    """Compare all semantics, and the one of the report where it is not among them."""
    if why.method not in METHODS or why.combined:
        return None
    own = solving["semantics"]
    more = [] if own is None or isinstance(own, str) or own.name in SEMANTICS else [own]
    settings: Any = {**solving, "players": players, "semantics": [*SEMANTICS.values(), *more]}
    settings["max_minutes"] = MAX_MINUTES
    if why.method == "shapley":
        settings["max_evaluations"] = MAX_EVALUATIONS
    try:
        return compare_semantics(why.qbaf, why.fact, why.foil, method=why.method, **settings)
    except TooLarge:
        return None


def _make_table(found: SemanticsComparison, to: Language) -> Raw:
    rows = [
        (name, to.number(number(gap, "+", 4)), write_strongest(found, name, to.code))
        for name, gap in found.gaps.items()
    ]
    return page_table(to.say("semantics.table").split("|"), rows, texts={2})
