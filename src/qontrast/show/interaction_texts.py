"""Put interactions of pairs of players into words: question, sentence, and the rows of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..attribution.shapley.interactions import INDICES
from ..graph.labels import label_text, name_suffix, shorten
from ..results.base import TIE_TOLERANCE
from ..results.order import rank_contributions
from .numbers import number
from .phrasing import Language, Statement, TableText, call, call_player, choose, compare, state

if TYPE_CHECKING:
    from ..explain.interactions import Interactions

MAX_INTERACTIONS = 3  # pairs that a sentence names
MIN_INTERACTION = 1e-3  # and a share of the gap: smaller ones are not put into words
MIN_INTERACTION_SHARE = 0.05


def write_pairs_question(found: Interactions, *, language: str = "en") -> str:
    """Write what is asked: for a contrast, or for one topic."""
    to = choose(language)
    kind = "edges" if found.players.kind == "direct" else found.players.kind
    topics = {"fact": call(found.qbaf, found.fact)}
    if found.foil is None:
        return to.say("pairs.question.topic", who=state(f"pairs.who.{kind}"), **topics)
    return to.say("pairs.question", who=state(f"pairs.who.{kind}"), foil=call(found.qbaf, found.foil), **topics)


def write_measurement(found: Interactions, *, language: str = "en") -> str:
    """Say by which index and semantics interactions are measured."""
    index = TableText(INDICES[found.index])
    return choose(language).say("pairs.measured", index=index, semantics=found.semantics)


def write_way(found: Interactions, *, language: str = "en") -> str:
    """Say how interactions were computed."""
    return choose(language).count("pairs.way", found.evaluations, index=found.index, way=found.how)


def write_rest(found: Interactions, limit: int, *, language: str = "en") -> str:
    """Count the pairs that a table of so many leaves out; nothing where it has all."""
    to = choose(language)
    left = find_rows(found, limit, to)[1]
    return to.count("pairs.rest", left) if left else ""


def describe_interactions(found: Interactions, *, language: str = "en") -> str:
    """Say which pairs work together and which overlap, where that matters for the gap."""
    return "".join(map(choose(language).write, find_interactions(found))) + "."


def find_interactions(found: Interactions) -> list[Statement]:
    """Say how strong the topics are, then what the strongest pairs do."""
    fact, own = call(found.qbaf, found.fact), found.strengths[found.fact]
    if found.foil is None:
        order = state("pairs.topic", fact=fact, own=number(own))
    elif found.foil == found.fact:
        return [state("rated.same", fact=fact, foil=fact, own=number(own))]
    else:
        order = compare(fact, call(found.qbaf, found.foil), own, found.strengths[found.foil], "rated.")
    said = [
        state("pairs.pair", pair=[call_player(found.players, x) for x in pair], does=does, value=number(value, "+"))
        for pair, value in found.strongest(MAX_INTERACTIONS)
        if (does := find_effect(found, pair, value)) is not None
    ]
    return [order, *(said or [state("pairs.none")])]


def find_effect(found: Interactions, pair: tuple[Any, Any], value: float) -> Statement | None:
    """Say what a pair does; None where its interaction is too small to be put into words.

    Two players overlap if each by itself acts against their interaction; else they work together for one side.
    """
    if abs(value) < max(MIN_INTERACTION, MIN_INTERACTION_SHARE * abs(found.gap)):
        return None
    if all(found.singles[x] * value < 0 for x in pair):
        return state("pairs.overlap")
    if value < 0 and found.foil is None:
        return state("pairs.lower", topic=call(found.qbaf, found.fact))
    favoured = found.fact if value > 0 or found.foil is None else found.foil
    return state("pairs.together", topic=call(found.qbaf, favoured))


def find_rows(found: Interactions, limit: int, to: Language) -> tuple[list[tuple[str, str, str, str]], int]:
    """List the strongest pairs, then those with the other topic, and count the pairs that are left out.

    A row has both players, their interaction, and what they do if that is worth saying.
    """
    pairs = [each for each in found.strongest(len(found)) if abs(each[1]) > TIE_TOLERANCE]
    crossed = [each for each in rank_contributions(found.cross_topic) if abs(each[1]) > TIE_TOLERANCE]
    rows = []
    for pair, value in pairs[:limit]:
        does = find_effect(found, pair, value)
        one, other = (_name_player(found, x) for x in pair)
        rows.append((one, other, to.number(number(value, "+", 4)), "" if does is None else to.write(does)))
    for player, value in crossed[:limit]:
        rows.append((_name_player(found, player), to.say("pairs.other topic"), to.number(number(value, "+", 4)), ""))
    return rows, max(0, len(pairs) - limit) + max(0, len(crossed) - limit)


def _name_player(found: Interactions, player: Any) -> str:
    """Write the label of a player, with its name where another argument has the same label."""
    label = label_text(found.qbaf, player)
    ends = player if isinstance(player, tuple) else (player,)
    alike = any(found.qbaf.label_counts[shorten(label_text(found.qbaf, x))] > 1 for x in ends)
    return label + (name_suffix(found.qbaf, player) if alike else "")
