"""Put into words whether the order of two topics holds under every semantics, and who makes the semantics disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..results.base import TIE_TOLERANCE
from .numbers import SHOWN_AS_ZERO, number
from .phrasing import Quoted, Statement, call, call_player, call_topics, choose, state, write_amount

if TYPE_CHECKING:
    from ..explain.compare_semantics import SemanticsComparison

ORDERS = {1: "ahead", 0: "level", -1: "behind"}


def describe_comparison(found: SemanticsComparison, *, language: str = "en") -> str:
    """Say under which semantics the fact is ahead, who makes them disagree, and which give no answer."""
    return " ".join(map(choose(language).write, find_comparison(found)))


def find_comparison(found: SemanticsComparison) -> list[Statement]:
    """Say under which semantics the fact is ahead, who makes them disagree, and which give no answer."""
    topics = call_topics(found)
    if not found.gaps:
        said = [state("semantics.none", **topics)]
    elif found.agree:
        order = ORDERS[next(iter(found.signs.values()))]
        said = [state(f"semantics.all.{order}", names=_list_names(found.signs), **topics)]
    else:
        said = [state("semantics.split", orders=_list_orders(found), **topics), *_find_decisive(found)]
    silent = [name for name in found.refused if name not in found.gaps]
    partly = [name for name in found.refused if name in found.gaps]
    said += _find_strongest(found)
    said += [state("semantics.refused", names=_list_names(silent))] if silent else []
    return said + ([state("semantics.no contributions", names=_list_names(partly))] if partly else [])


def _list_names(names: Any) -> list[Any]:
    return [Quoted(name) for name in names]


def _list_orders(found: SemanticsComparison) -> list[Statement]:
    by_sign = {sign: [name for name, own in found.signs.items() if own == sign] for sign in ORDERS}
    return [
        state(f"semantics.{order}", names=_list_names(by_sign[sign])) for sign, order in ORDERS.items() if by_sign[sign]
    ]


def _find_decisive(found: SemanticsComparison) -> list[Statement]:
    """Name the player whose contributions differ most between the two sides."""
    who = found.decisive
    if who is None:
        return []
    first, second = map(_list_names, found.sides)
    value = number(found.differences[who])
    fact = call(found.qbaf, found.fact)
    return [
        state(
            "semantics.decisive",
            who=call_player(found.players, who),
            value=value,
            fact=fact,
            first=first,
            second=second,
        )
    ]


def _find_strongest(found: SemanticsComparison) -> list[Statement]:
    """Name the strongest reason for the order, which may be another one under another semantics."""
    by_player: dict[Any, list[str]] = {}
    for name, why in found.contrasts.items():
        side = -1.0 if why.gap < -TIE_TOLERANCE else 1.0
        leading = [x for x, value in why.ranked() if value * side >= SHOWN_AS_ZERO]
        if leading:
            by_player.setdefault(leading[0], []).append(name)
    parts = [
        state("semantics.reason", who=call_player(found.players, x), names=_list_names(names))
        for x, names in by_player.items()
    ]
    if len(parts) == 1 and len(found.contrasts) > 1 and len(next(iter(by_player.values()))) == len(found.contrasts):
        return [state("semantics.strongest.same", who=parts[0].fields["who"])]
    return [state("semantics.strongest", count=len(parts), parts=parts)] if parts else []


def write_strongest(found: SemanticsComparison, semantics: str, language: str = "en") -> str:
    """Write the strongest contributions under a semantics: `Viral pneumonia (+0.328), Positive PCR test (+0.079)`."""
    to = choose(language)
    strong = [each for each in found.strongest(semantics) if abs(each[1]) >= SHOWN_AS_ZERO]
    return ", ".join(to.write(write_amount(call_player(found.players, x), value)) for x, value in strong)
