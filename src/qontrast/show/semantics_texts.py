"""Put into words whether the order of two topics holds under every semantics, and who makes the semantics disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .numbers import SHOWN_AS_ZERO, number
from .phrasing import Quoted, Statement, call, call_player, call_topics, choose, state, write_amount

if TYPE_CHECKING:
    from ..explain.compare_semantics import SemanticsComparison

MAX_REASONS = 3  # for the order, in a row of the table
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
    first, second = ([name for name in side if name in found.contrasts] for side in found.sides)
    fields = {
        "who": call_player(found.players, who),
        "value": number(found.differences[who]),
        "fact": call(found.qbaf, found.fact),
        "average": state("semantics.average") if len(first) + len(second) > 2 else "",
    }
    return [state("semantics.decisive", first=_list_names(first), second=_list_names(second), **fields)]


def _find_strongest(found: SemanticsComparison) -> list[Statement]:
    """Name the strongest reason for the order, which may be another one under another semantics."""
    by_player: dict[Any, list[str]] = {}
    for name in found.contrasts:
        leading, _ = _find_reasons(found, name)
        if leading and found.signs[name]:
            by_player.setdefault(leading[0][0], []).append(name)
    parts = [
        state("semantics.reason", who=call_player(found.players, x), names=_list_names(names))
        for x, names in by_player.items()
    ]
    if len(found.gaps) > 1 and [list(found.gaps)] == list(by_player.values()):
        return [state("semantics.strongest.same", who=parts[0].fields["who"])]
    return [state("semantics.strongest", count=len(parts), parts=parts)] if parts else []


def _find_reasons(found: SemanticsComparison, semantics: str) -> tuple[list[Any], list[Any]]:
    """List the contributions to the order under a semantics, and those against it; the largest first.

    Where the topics are level, none is against it.
    """
    strong = [each for each in found.strongest(semantics, len(found.players)) if abs(each[1]) >= SHOWN_AS_ZERO]
    sign = found.signs[semantics]
    return [each for each in strong if each[1] * sign >= 0], [each for each in strong if each[1] * sign < 0]


def write_strongest(found: SemanticsComparison, semantics: str, language: str = "en") -> str:
    """Write the strongest reasons for the order under a semantics, then the strongest one against it."""
    to = choose(language)
    leading, counter = (
        ", ".join(to.write(write_amount(call_player(found.players, x), value)) for x, value in side[:limit])
        for side, limit in zip(_find_reasons(found, semantics), (MAX_REASONS, 1), strict=True)
    )
    against = to.say("semantics.against", who=counter) if counter else ""
    return "; ".join(each for each in (leading, against) if each)
