"""What is said about a contrast and a flip, before it is put into words: who, how much, and why.

A statement holds names as they are called in sentences and numbers as texts of `numbers`; `narrative` and a language
turn it into a sentence. Nothing here claims more than the numbers: what a sample cannot tell from 0 is no reason, and
a tie is a tie.
"""

from __future__ import annotations

from math import isnan
from typing import NamedTuple

import numpy as np

from ..attribution.methods import METHODS
from ..explain.contrast import Contrast
from ..explain.flip import MARGIN, Flip
from ..explain.flip_scores import NORMS
from ..graph.labels import quote_label
from ..results.base import TIE_TOLERANCE
from ..types import Name
from .numbers import MIN_DECIMAL, SHOWN_AS_ZERO, add_up, number, write_move

MIN_STRONG_SHARE = 0.25  # of the largest effect on a topic alone: strong on both topics
MAX_CANCELLED_SHARE = 0.1  # of the weaker of two effects: nothing is left in the contrast
MAX_OVERLOOKED_SHARE = 0.2  # of a contribution: small on the fact alone
MIN_REASON_SHARE = 0.05  # of the largest contribution: matters for the contrast
SUM_TOLERANCE = 1e-9  # rounding, in a sum of contributions
MAX_MOVES = 5  # changed base scores that a flip names
MAX_KINKS = 3  # arguments on a kink that are named


class Amount(NamedTuple):
    """One reason: an argument, or a part of the gap ("across", "base"), with its signed number and its error."""

    who: str
    value: str
    error: str = ""
    part: bool = False


class Order(NamedTuple):
    """Who is ahead: "same", "tied", "ahead", "behind", or "close.ahead" and "close.behind" below 10⁻⁵."""

    relation: str
    fact: str
    foil: str
    own: str
    other: str
    gap: str


class HeadStart(NamedTuple):
    """Who is ahead by base scores alone."""

    first: str
    gap: str


class MainReasons(NamedTuple):
    """The shares of a gap that speak for it, and those against; of a tie, those on each side."""

    fact: str
    foil: str
    tied: bool
    leading: tuple[Amount, ...]
    counter: tuple[Amount, ...]


class LargestValues(NamedTuple):
    """The largest values of a method whose values are no shares of the gap; `known`: it is one of METHODS."""

    fact: str
    foil: str
    method: str
    known: bool
    more: tuple[Amount, ...]
    less: tuple[Amount, ...]


class Reasons(NamedTuple):
    """The strongest contributions on both sides, the side that is ahead first; no method where they are combined."""

    method: str | None
    sides: tuple[tuple[str, tuple[Amount, ...]], ...]  # (topic, contributions in its favour)
    kinks: bool


class NoReason(NamedTuple):
    """That no argument tells the two apart, or none within the error of a sample."""

    sampled: bool


class Effect(NamedTuple):
    """What one argument does to each topic alone, and what that leaves in the contrast."""

    who: str
    on_fact: str
    on_foil: str
    left: str = ""


class Cancelling(NamedTuple):
    """What is strong on both topics and nothing in the contrast."""

    effects: tuple[Effect, ...]


class Overlooked(NamedTuple):
    """What is small on the fact alone and matters for the contrast."""

    fact: str
    foil: str
    effects: tuple[Effect, ...]


class Across(NamedTuple):
    """What the topics do to each other: (who, whom, by how much), and what that adds to the gap."""

    fact: str
    foil: str
    method: str | None
    moves: tuple[tuple[str, str, str], ...]  # none: not defined
    adds: str


class Kinks(NamedTuple):
    """Arguments without a slope, with both one-sided ones where they are known, and how many more there are."""

    sides: tuple[tuple[str, str, str], ...]  # (who, below, above)
    more: int


class Measurement(NamedTuple):
    """By which method and semantics, and what that promises."""

    method: str
    semantics: str
    combined: bool
    kinks: bool


class Account(NamedTuple):
    """What the gap is made of; `total` and `across` are empty for values that are no shares of it."""

    gap: str
    base: str
    total: str
    across: str
    slopes: bool
    kinks: int
    whole: bool  # nothing else is to be said, as of a topic compared with itself


class AlreadyAhead(NamedTuple):
    """That the foil of a flip is ahead already."""

    fact: str
    foil: str
    gap: str


class ScoreChange(NamedTuple):
    """Base scores that would make the foil win: (who, from, to), whether each rises, how many more, at what cost."""

    foil: str
    moves: tuple[tuple[str, str, str], ...]
    rises: tuple[bool, ...]
    more: int
    cost: str
    norm: str


class NoScoreChange(NamedTuple):
    """That no such base scores were found, or that all are fixed; `gap` is "" for a tie."""

    fact: str
    foil: str
    fixed: bool
    gap: str


class RemovalFound(NamedTuple):
    """Arguments without which the foil would win, and what is known about smaller sets."""

    foil: str
    names: tuple[str, ...]
    also: bool
    proved: bool
    examined: int


class NoRemoval(NamedTuple):
    """That no removal makes the foil win, and how far that is known; `gap` is "" for a tie."""

    removable: int
    proved: bool
    examined: int
    stopped: bool
    gap: str


class Stopped(NamedTuple):
    """Which searches the time limit ended."""

    searches: tuple[str, ...]  # "change", "removal"
    seconds: float | None


Statement = (
    Order
    | HeadStart
    | MainReasons
    | LargestValues
    | Reasons
    | NoReason
    | Cancelling
    | Overlooked
    | Across
    | Kinks
    | Measurement
    | Account
    | AlreadyAhead
    | ScoreChange
    | NoScoreChange
    | RemovalFound
    | NoRemoval
    | Stopped
)


def find_method(why: Contrast) -> str | None:
    """Give the method in METHODS that says what the values are; None where nothing is known about them."""
    return None if why.combined or why.method not in METHODS else why.method


def are_shares(why: Contrast) -> bool:
    """Say whether contributions, base scores and the effect of the topics on each other add up to the gap."""
    method = find_method(why)
    return method is not None and METHODS[method].adds_up


def compare(fact: str, foil: str, own: float, other: float) -> Order:
    """Say which of two strengths is larger, and by how much, in numbers that subtract as printed."""
    gap = abs(own - other)
    if gap <= TIE_TOLERANCE:
        return Order("tied", fact, foil, number(own), number(other), "0")
    relation = "ahead" if own > other else "behind"
    if gap < MIN_DECIMAL:
        return Order(f"close.{relation}", fact, foil, number(own), number(other), number(gap))
    low, apart, high = add_up(min(own, other), gap, total=max(own, other))
    return Order(relation, fact, foil, *((high, low) if own > other else (low, high)), apart)


def find_order(why: Contrast) -> Order:
    """Say who of the two topics is ahead."""
    fact, foil = _names(why)
    own, other = why.strengths[why.fact], why.strengths[why.foil]
    if why.fact == why.foil:
        return Order("same", fact, foil, number(own), number(own), "0")
    return compare(fact, foil, own, other)


def summarize(why: Contrast) -> list[Statement]:
    """Collect what one sentence says: both topics, the gap, the strongest reasons for and against."""
    order = find_order(why)
    if order.relation == "same":
        return [order]
    fact, foil = order.fact, order.foil
    if are_shares(why):
        side = -1.0 if why.gap < -TIE_TOLERANCE else 1.0
        tied = abs(why.gap) <= TIE_TOLERANCE
        leading, counter = _select(why, side), _select(why, -side)
        return [order, MainReasons(fact, foil, tied, leading, counter if tied else counter[:1]), *_find_kinks(why)]
    known = find_method(why) is not None
    more, less = _select(why, 1.0), _select(why, -1.0)[:1]
    found: list[Statement] = [order]
    if more or less:
        found.append(LargestValues(fact, foil, why.method, known, more, less))
    if abs(why.base_gap) >= SHOWN_AS_ZERO:
        found.append(_head_start(why))
    return [*found, *_find_kinks(why)]


def find_answer(why: Contrast, limit: int = 3) -> list[Statement]:
    """Say who is ahead, and the strongest reasons on both sides."""
    order = find_order(why)
    if order.relation == "same":
        return [order]
    start = [_head_start(why)] if abs(why.base_gap) > TIE_TOLERANCE else []
    return [order, *start, *_find_reasons(why, limit)]


def find_context(why: Contrast) -> list[Statement]:
    """Say what cancels, what would be overlooked, what the topics do to each other, what has no number."""
    if why.fact == why.foil:
        return []
    both = [] if why.combined else [*_find_cancelling(why), *_find_overlooked(why)]
    return [*both, *_find_across(why), *_find_kinks(why)]


def find_measurement(why: Contrast) -> list[Statement]:
    """Say by which method and semantics it was measured."""
    if why.fact == why.foil:
        return []
    return [Measurement(why.method, why.semantics, why.combined, any(map(isnan, why.values())))]


def find_account(why: Contrast) -> Account:
    """Say what the gap is made of."""
    method, kinks = find_method(why), sum(map(isnan, why.values()))
    slopes = method is not None and METHODS[method].kind == "slope"
    whole = why.fact == why.foil or why.combined
    if not whole and abs(why.residual) <= SUM_TOLERANCE and (are_shares(why) or why.method not in METHODS):
        terms = (why.base_gap, sum(why.values()), why.cross_topic.component)
        base, total, across, gap = add_up(*terms, total=why.gap, sign="+", digits=4)
        return Account(gap, base, total, across, slopes, kinks, whole)
    return Account(number(why.gap, "+", 4), number(why.base_gap, "+", 4), "", "", slopes, kinks, whole)


def _names(why: Contrast) -> tuple[str, str]:
    return quote_label(why.qbaf, why.fact), quote_label(why.qbaf, why.foil)


def _head_start(why: Contrast) -> HeadStart:
    return HeadStart(quote_label(why.qbaf, why.fact if why.base_gap > 0 else why.foil), number(abs(why.base_gap)))


def _select(why: Contrast, side: float, limit: int = 2) -> tuple[Amount, ...]:
    """Select the strongest contributions of one sign, without what would be shown as 0.

    Where all these are shares of the gap, the base scores of the topics and their effect on each other count too.
    """
    items = [(quote_label(why.qbaf, name), value, False) for name, value in why.ranked()]
    if are_shares(why):
        items += [("across", why.cross_topic.component, True), ("base", why.base_gap, True)]
    found = sorted((each for each in items if each[1] * side > 0), key=lambda each: -abs(each[1]))
    strong = [each for each in found if abs(each[1]) >= SHOWN_AS_ZERO][:limit] or found[:1]
    return tuple(Amount(who, number(value, "+"), part=part) for who, value, part in strong)


def _find_reasons(why: Contrast, limit: int) -> list[Statement]:
    fact, foil = _names(why)
    sides = [_find_strongest(why, 1.0, limit), _find_strongest(why, -1.0, limit)]
    known = [value for value in why.values() if not isnan(value)]
    if not any(sides):
        return [NoReason(why.std_error is not None and any(known))] if known else []
    texts = [(topic, tuple(_measure(why, x) for x in names)) for names, topic in zip(sides, (fact, foil), strict=True)]
    if why.gap < -TIE_TOLERANCE:
        texts.reverse()
    return [Reasons(find_method(why), tuple(texts), len(known) < len(why))]


def _measure(why: Contrast, name: Name) -> Amount:
    error = "" if why.std_error is None else number(why.std_error[name])
    return Amount(quote_label(why.qbaf, name), _write(why, why[name]), error)


def _find_strongest(why: Contrast, side: float, limit: int) -> list[Name]:
    """Select contributors of one sign: none that would be shown as 0, or that is small beside the first."""
    ranked = [(name, value) for name, value in why.ranked() if value * side > 0 and _is_sure(why, name)]
    least = max(SHOWN_AS_ZERO, MIN_REASON_SHARE * _find_largest(why))
    return [name for name, value in ranked if abs(value) >= least][:limit] or [name for name, _ in ranked[:1]]


def _is_sure(why: Contrast, name: Name) -> bool:
    """Say whether a contribution can be told from 0: sampled ones by two standard errors."""
    return why.std_error is None or abs(why[name]) > 2 * why.std_error[name]


def _find_largest(why: Contrast) -> float:
    return max((abs(value) for value in why.values() if not isnan(value)), default=0.0)


def _find_cancelling(why: Contrast) -> list[Statement]:
    contrast, fact, foil = _get_values(why)
    effects = [abs(each[name]) for name in contrast for each in (fact, foil) if not isnan(each[name])]
    strong = max(SHOWN_AS_ZERO, MIN_STRONG_SHARE * max(effects, default=0.0))
    found = []
    for name, value in contrast.items():
        weaker = min(abs(fact[name]), abs(foil[name]))
        alike = fact[name] * foil[name] > 0 and abs(value) <= MAX_CANCELLED_SHARE * weaker
        if alike and weaker >= strong:
            found.append((-weaker, str(name), name))
    said = []
    for _, _, x in sorted(found)[:2]:
        on_foil, left, on_fact = add_up(foil[x], contrast[x], total=fact[x], sign="+")
        said.append(Effect(quote_label(why.qbaf, x), on_fact, on_foil, left))
    return [Cancelling(tuple(said))] if said else []


def _get_values(why: Contrast) -> tuple[dict[Name, float], dict[Name, float], dict[Name, float]]:
    """Return the contrast and the contributions to the fact and to the foil, each by argument."""
    fact, foil = why.individual[why.fact], why.individual[why.foil]
    return dict(why.items()), dict(fact.items()), dict(foil.items())


def _find_overlooked(why: Contrast) -> list[Statement]:
    _, fact, foil = _get_values(why)
    least = max(SHOWN_AS_ZERO, MIN_REASON_SHARE * _find_largest(why))
    names = [
        name
        for name, value in why.ranked()
        if abs(value) >= least and abs(fact[name]) <= MAX_OVERLOOKED_SHARE * abs(value) and _is_sure(why, name)
    ][:2]
    said = tuple(Effect(quote_label(why.qbaf, x), _write(why, fact[x]), _write(why, foil[x])) for x in names)
    return [Overlooked(*_names(why), said)] if said else []


def _find_across(why: Contrast) -> list[Statement]:
    cross, (one, other), method = why.cross_topic, _names(why), find_method(why)
    if isnan(cross.component):
        return [Across(one, other, method, (), "")]
    effect = max(abs(cross.fact_from_foil), abs(cross.foil_from_fact))
    if effect < max(SHOWN_AS_ZERO, MIN_REASON_SHARE * _find_largest(why)):
        return []
    on_foil, adds, on_fact = add_up(cross.foil_from_fact, cross.component, total=cross.fact_from_foil, sign="+")
    moves = [(other, one, on_fact)] if cross.fact_from_foil else []
    moves += [(one, other, on_foil)] if cross.foil_from_fact else []
    return [Across(one, other, method, tuple(moves), adds if are_shares(why) else "")]


def _find_kinks(why: Contrast) -> list[Statement]:
    bent = [name for name, value in why.items() if isnan(value)]
    sides = []
    for name in bent[:MAX_KINKS]:
        both = why.sides.get(name)
        ends = (number(both.below, "+"), number(both.above, "+")) if both else ("", "")
        sides.append((quote_label(why.qbaf, name), *ends))
    return [Kinks(tuple(sides), len(bent) - len(sides))] if bent else []


def _write(why: Contrast, value: float) -> str:
    """Write a signed number; digits below the error of a sample are not shown."""
    return number(value if why.std_error is None else round(value, 3), "+")


def find_flip(found: Flip) -> list[Statement]:
    """Say what would make the foil win, and what was tried to find it."""
    fact, foil = quote_label(found.qbaf, found.fact), quote_label(found.qbaf, found.foil)
    if found.gap <= -MARGIN:
        return [AlreadyAhead(fact, foil, number(-found.gap))]
    searches = {"change": found.change_stopped, "removal": found.removal_stopped}
    stopped = tuple(name for name, cut in searches.items() if cut)
    seconds = found.time_limit
    if seconds is not None and not found.removal_stopped:
        seconds /= 2  # the share of the changes
    change = _find_change(found, fact, foil)
    return [change, _find_removal(found, foil), *([Stopped(stopped, seconds)] if stopped else [])]


def _find_change(found: Flip, fact: str, foil: str) -> Statement:
    if found.change is None:
        return NoScoreChange(fact, foil, not found.movable, _write_gap(found.change_gap))
    moves = [(quote_label(found.qbaf, x), *write_move(old, new)) for x, (old, new) in found.change.items()]
    cost = found.cost or 0.0
    if len(moves) <= MAX_MOVES:  # all are printed, so the cost is that of the printed scores
        cost = float(np.linalg.norm([float(new) - float(old) for _, old, new in moves], NORMS[found.norm]))
    rises = tuple(new > old for old, new in found.change.values())
    shown = tuple(moves[:MAX_MOVES])
    return ScoreChange(foil, shown, rises, len(moves) - len(shown), number(cost), found.norm)


def _find_removal(found: Flip, foil: str) -> Statement:
    if found.removal is None:
        gap = _write_gap(found.removal_gap)
        return NoRemoval(found.removable, found.proved, found.examined, found.removal_stopped, gap)
    names = tuple(quote_label(found.qbaf, x) for x in found.removal)
    return RemovalFound(foil, names, found.change is not None, found.proved, found.examined)


def _write_gap(gap: float) -> str:
    return "" if abs(gap) < MARGIN else number(gap)
