"""Put a contrast into words, from statements that `phrasing` writes in any language.

Nothing here claims more than the numbers: what a sample cannot tell from 0 is no reason, and a tie is a tie. The texts
of other results are in `descriptions`.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from ..attribution.methods import METHODS
from ..graph.labels import visible
from ..results.base import TIE_TOLERANCE
from ..results.order import sort_by_size
from .numbers import SHOWN_AS_ZERO, Number, add_up, number
from .phrasing import (
    Statement,
    TableText,
    are_shares,
    call,
    call_player,
    call_topics,
    choose,
    choose_for_edges,
    choose_phrase,
    compare,
    find_entry,
    find_texts,
    state,
    write_amount,
    write_aside,
    write_because,
)
from .player_texts import find_excess, find_sources

if TYPE_CHECKING:
    from ..explain.contrast import Contrast
    from ..types import Name

MIN_STRONG_SHARE = 0.25  # of the largest effect on a topic alone: strong on both topics
MAX_CANCELLED_SHARE = 0.1  # of the weaker of two effects: nothing is left in the contrast
MAX_OVERLOOKED_SHARE = 0.2  # of a contribution: small on the fact alone
MIN_REASON_SHARE = 0.05  # of the largest contribution: matters for the contrast
SUM_TOLERANCE = 1e-9  # rounding, in a sum of contributions
MAX_KINKS = 3  # arguments on a kink that are named


def sentence(why: Contrast, *, language: str = "en") -> str:
    """Write a contrast in one sentence: both topics, the gap, the strongest reasons for and against.

    Parameters
    ----------
    why : Contrast
        The contrast.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The sentence, which is also `str(why)`.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse")
    >>> sentence(why).partition(",")[0]
    '“It is a zebra” (0.875) is rated above “It is a horse” (0.500) by 0.375'
    >>> sentence(why, language="de").partition(";")[0]
    '„It is a zebra“ (0,875) liegt um 0,375 vor „It is a horse“ (0,500)'
    """
    return "".join(map(choose(language).write, summarize(why))) + "."


def paragraph(why: Contrast, *, limit: int = 3, measured: bool = True, language: str = "en") -> str:
    """Write a contrast as a paragraph that a patient or a judge can read.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Reasons on each side.
    measured : bool
        Whether the last sentences say how it was measured and what the method promises.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The paragraph.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> why = contrast(examples.load("zebra"), "zebra", "horse")
    >>> paragraph(why, limit=1, measured=False).rpartition("; ")[2]
    'in favour of “It is a horse”, “It eats plants” (−0.062).'
    """
    return " ".join(sentences(why, limit=limit, measured=measured, language=language))


def sentences(why: Contrast, *, limit: int = 3, measured: bool = True, language: str = "en") -> list[str]:
    """Write the sentences of `paragraph`, one by one.

    Parameters
    ----------
    why : Contrast
        The contrast.
    limit : int
        Reasons on each side.
    measured : bool
        Whether the last sentences say how it was measured and what the method promises.
    language : str
        "en" or "de".

    Returns
    -------
    list of str
        The sentences.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> sentences(contrast(examples.load("zebra"), "zebra", "horse"))[0]
    '“It is a zebra” is ahead of “It is a horse”: 0.875 against 0.500, a gap of 0.375.'
    """
    answer, method = write_sentences(why, limit, language)
    return [*answer, *method] if measured else answer


def write_sentences(why: Contrast, limit: int = 3, language: str = "en") -> tuple[list[str], list[str]]:
    """Write the sentences of the answer, and those on how it was measured."""
    write = choose(language).write
    answer = [*find_answer(why, limit), *find_context(why)]
    return list(map(write, answer)), list(map(write, find_measurement(why)))


def account(why: Contrast, *, language: str = "en") -> str:
    """Say what the gap is made of, in one line; of values that are no shares of it, that they are not added up.

    Parameters
    ----------
    why : Contrast
        The contrast.
    language : str
        "en" or "de".

    Returns
    -------
    str
        The line.

    Examples
    --------
    >>> from qontrast import contrast, examples
    >>> account(contrast(examples.load("zebra"), "zebra", "horse"))
    'Gap +0.3750 = base scores 0, contributions +0.3750, effect of the two topics on each other 0.'
    """
    return " ".join(map(choose(language).write, find_account(why)))


def write_question(why: Contrast, *, language: str = "en") -> str:
    """Write the question that a contrast answers."""
    return choose(language).say("question.behind" if why.gap < -TIE_TOLERANCE else "question", **call_topics(why))


def find_order(why: Contrast, style: str = "") -> Statement:
    """Say who of the two topics is ahead."""
    own, other = why.strengths[why.fact], why.strengths[why.foil]
    if why.fact == why.foil:
        return state(f"{style}same", **call_topics(why), own=number(own), gap=Number("0"))
    return compare(**call_topics(why), own=own, other=other, style=style)


def summarize(why: Contrast) -> list[Statement]:
    """Collect the parts of one sentence: both topics, the gap, the strongest reasons for and against."""
    order = find_order(why, "rated.")
    if why.fact == why.foil:
        return [order]
    if are_shares(why):
        return [order, *_find_main_reasons(why), *_find_kinks(why, short=True)]
    start = _find_head_start(why, "base") if abs(why.base_gap) >= SHOWN_AS_ZERO else []
    return [order, *_find_largest_values(why), *start, *_find_kinks(why, short=True)]


def find_answer(why: Contrast, limit: int = 3) -> list[Statement]:
    """Say who is ahead, and the strongest reasons on both sides."""
    if why.fact == why.foil:
        return [find_order(why)]
    start = _find_head_start(why, "start") if abs(why.base_gap) > TIE_TOLERANCE else []
    by_source = why.players.kind == "edges" and why.method == "owen" and not why.combined
    sources = find_sources(why, _find_least(why), limit) if by_source else []
    return [find_order(why), *start, *(sources or _find_reasons(why, limit))]


def find_context(why: Contrast) -> list[Statement]:
    """Say what cancels, what would be overlooked, what the topics do to each other, what has no number."""
    if why.fact == why.foil:
        return []
    both = [] if why.combined else [*_find_cancelling(why), *_find_overlooked(why)]
    excess = find_excess(why, _find_least(why)) if why.players.kind == "groups" else []
    return [*both, *excess, *_find_across(why), *_find_kinks(why)]


def find_measurement(why: Contrast) -> list[Statement]:
    """Say by which method and semantics it was measured, and what that promises."""
    if why.fact == why.foil:
        return []
    entry = METHODS[why.method].for_players(why.players.kind) if why.method in METHODS else None
    title = TableText(entry.title) if entry else state("method.own", method=visible(why.method))
    if why.combined or entry is None:
        return [state("measured.combined" if why.combined else "measured", title=title, semantics=why.semantics)]
    kinks = any(map(isnan, why.values()))
    return [
        state("measured.what", title=title, semantics=why.semantics, measures=TableText(entry.measures)),
        state("promises.kinks" if kinks else "promises", promises=TableText(entry.promises)),
    ]


def find_account(why: Contrast) -> list[Statement]:
    """Say what the gap is made of."""
    whole = why.fact == why.foil or why.combined
    if not whole and abs(why.residual) <= SUM_TOLERANCE and (are_shares(why) or why.method not in METHODS):
        terms = (why.base_gap, sum(why.values()), why.cross_topic.component)
        base, total, across, gap = add_up(*terms, total=why.gap, sign="+", digits=4)
        if not why.left_out:
            return [state("account.sum.edges", gap=gap, base=base, total=total)]
        return [state("account.sum", gap=gap, base=base, total=total, across=across)]
    account = state("account", gap=number(why.gap, "+", 4), base=number(why.base_gap, "+", 4))
    if whole:
        return [account]
    entry, kinks = find_entry(why), sum(map(isnan, why.values()))
    if entry is None or entry.kind != "slope":
        return [account, state("account.other")]
    return [account, state("account.slope", kinks=state("account.kinks", count=kinks) if kinks else "")]


def _find_head_start(why: Contrast, key: str) -> list[Statement]:
    first = call(why.qbaf, why.fact if why.base_gap > 0 else why.foil)
    return [state(key, first=first, gap=number(abs(why.base_gap)))]


def _find_main_reasons(why: Contrast) -> list[Statement]:
    side = -1.0 if why.gap < -TIE_TOLERANCE else 1.0
    leading, counter = _select(why, side), _select(why, -side)
    if abs(why.gap) <= TIE_TOLERANCE:
        sides = zip((leading, counter), call_topics(why).values(), strict=True)
        texts = [state("speaks", count=len(found), reasons=found, topic=topic) for found, topic in sides if found]
        return [state("balance", sides=texts)] if texts else []
    return write_because(leading, counter[:1])


def _find_largest_values(why: Contrast) -> list[Statement]:
    """Name the largest values of a method whose values are no shares of the gap."""
    entry = find_texts(why)
    kind = entry.kind if entry else None
    more, less = (_select(why, side, unsigned=kind == "loss") for side in (1.0, -1.0))
    if not more and not less:
        return []
    if entry is None:
        return [state("largest", method=visible(why.method), reasons=[*more, *less[:1]])]
    choose_move = choose_phrase if kind == "slope" else choose_for_edges
    moves = [state(choose_move(f"more.{kind}", why), reasons=more)] if more else []
    key = f"{'and ' if more else ''}less.{kind}"
    moves += [state(choose_move(key, why), reasons=less[:1])] if less else []
    return [state("relative", moves=moves, condition=write_aside(entry.condition), **call_topics(why))]


def _select(why: Contrast, side: float, *, unsigned: bool = False, limit: int = 2) -> list[Statement]:
    """Select the strongest contributions of one sign, and parts of the gap, without what would be shown as 0."""
    items: list[tuple[Any, float]] = [(call_player(why.players, name), value) for name, value in why.ranked()]
    if are_shares(why):
        items += [(state("part.across"), why.cross_topic.component), (state("part.base"), why.base_gap)]
    found = sort_by_size((each for each in items if each[1] * side > 0), lambda each: abs(each[1]))
    strong = [each for each in found if abs(each[1]) >= SHOWN_AS_ZERO][:limit] or found[:1]
    return [write_amount(who, abs(value) if unsigned else value, "" if unsigned else "+") for who, value in strong]


def _find_reasons(why: Contrast, limit: int) -> list[Statement]:
    """Name the strongest contributions on both sides, the side that is ahead first."""
    sides = [_find_strongest(why, 1.0, limit), _find_strongest(why, -1.0, limit)]
    known = [value for value in why.values() if not isnan(value)]
    if not any(sides):
        sampled = why.std_error is not None and any(known)
        return [state(choose_phrase("no reason.sampled" if sampled else "no reason", why))] if known else []
    none = [state("none.kinks" if len(known) < len(why) else "none")]
    texts = [
        state("favour", topic=topic, reasons=[_measure(why, x) for x in names] or none)
        for names, topic in zip(sides, call_topics(why).values(), strict=True)
    ]
    one, other = texts[::-1] if why.gap < -TIE_TOLERANCE else texts
    entry = find_texts(why)
    return [state("reasons", lead=TableText(entry.lead) if entry else state("lead"), one=one, other=other)]


def _measure(why: Contrast, name: Name) -> Statement:
    error = "" if why.std_error is None else f" ± {number(why.std_error[name])}"
    return state("amount", who=call_player(why.players, name), value=Number(_write(why, why[name]) + error))


def _find_strongest(why: Contrast, side: float, limit: int) -> list[Name]:
    """Select contributors of one sign: none that would be shown as 0, or that is small beside the first."""
    found = [(name, value) for name, value in why.ranked() if value * side > 0 and _is_sure(why, name, value)]
    least = _find_least(why)
    return [name for name, value in found if abs(value) >= least][:limit] or [name for name, _ in found[:1]]


def _is_sure(why: Contrast, name: Name, value: float) -> bool:
    """Say whether a contribution can be told from 0: sampled ones by two standard errors."""
    return why.std_error is None or abs(value) > 2 * why.std_error[name]


def _find_least(why: Contrast) -> float:
    """Compute what an effect must reach to matter for the contrast."""
    largest = max((abs(value) for value in why.values() if not isnan(value)), default=0.0)
    return max(SHOWN_AS_ZERO, MIN_REASON_SHARE * largest)


def _find_cancelling(why: Contrast) -> list[Statement]:
    """Name what is strong on both topics and nothing in the contrast."""
    fact, foil = dict(why.individual[why.fact].items()), dict(why.individual[why.foil].items())
    values = dict(why.items())
    effects = [abs(each[name]) for name in values for each in (fact, foil) if not isnan(each[name])]
    strong = max(SHOWN_AS_ZERO, MIN_STRONG_SHARE * max(effects, default=0.0))
    found = []
    for name, value in values.items():
        weaker = min(abs(fact[name]), abs(foil[name]))
        alike = fact[name] * foil[name] > 0 and abs(value) <= MAX_CANCELLED_SHARE * weaker
        if alike and weaker >= strong:
            found.append((weaker, name))
    texts = []
    for _, x in sort_by_size(found, lambda each: each[0], tie=lambda each: str(each[1]))[:2]:
        on_foil, left, on_fact = add_up(foil[x], values[x], total=fact[x], sign="+")
        texts.append(state("cancelling", who=call_player(why.players, x), on_fact=on_fact, on_foil=on_foil, left=left))
    almost = state("almost") if any(each.fields["left"] != "0" for each in texts) else ""
    return [state("cancels", count=len(texts), reasons=texts, almost=almost)] if texts else []


def _find_overlooked(why: Contrast) -> list[Statement]:
    """Name what is small on the fact alone and matters for the contrast."""
    fact, foil, names = dict(why.individual[why.fact].items()), dict(why.individual[why.foil].items()), call_topics(why)
    least = _find_least(why)
    found = [
        x
        for x, value in why.ranked()
        if abs(value) >= least and abs(fact[x]) <= MAX_OVERLOOKED_SHARE * abs(value) and _is_sure(why, x, value)
    ]
    if why.players.kind in ("edges", "direct"):  # nobody looks for the foil's own edges at the fact
        found = [x for x in found if why.foil not in x]
    texts = [
        state(
            "overlooked",
            who=call_player(why.players, x),
            on_fact=_write(why, fact[x]),
            on_foil=_write(why, foil[x]),
            **names,
        )
        for x in found[:2]
    ]
    return [state(choose_for_edges("overlook", why), fact=names["fact"], reasons=texts)] if texts else []


def _find_across(why: Contrast) -> list[Statement]:
    """Say what the topics do to each other, and what that adds to the gap."""
    cross, names, entry = why.cross_topic, call_topics(why), find_texts(why)
    if isnan(cross.component):
        return [state("across.kink", **names)]
    if max(abs(cross.fact_from_foil), abs(cross.foil_from_fact)) < _find_least(why):
        return []
    on_foil, adds, on_fact = add_up(cross.foil_from_fact, cross.component, total=cross.fact_from_foil, sign="+")
    one, other = names.values()
    moves = [state("across.move", source=other, target=one, change=on_fact)] if cross.fact_from_foil else []
    moves += [state("across.move", source=one, target=other, change=on_foil)] if cross.foil_from_fact else []
    share = state("across.share", adds=adds) if are_shares(why) else ""
    note = write_aside(entry.note) if entry and not share else ""
    return [state("across", count=len(moves), note=note, moves=moves, adds=share)]


def _find_kinks(why: Contrast, *, short: bool = False) -> list[Statement]:
    """Name arguments without a slope, with both one-sided ones where they are known."""
    bent = [name for name, value in why.items() if isnan(value)]
    texts: list[Any] = []
    for name in bent[:MAX_KINKS]:
        who: Any = call_player(why.players, name)
        both = why.sides.get(name)
        if both and not short:
            who = state("kink", who=who, below=number(both.below, "+"), above=number(both.above, "+"))
        texts.append(who)
    if len(bent) > MAX_KINKS:
        texts.append(state("part.others") if short else state("more", count=len(bent) - MAX_KINKS))
    return [state(choose_for_edges("kinks.short" if short else "kinks", why), names=texts)] if bent else []


def _write(why: Contrast, value: float) -> Number:
    """Write a signed number; digits below the error of a sample are not shown."""
    return number(value if why.std_error is None else round(value, 3), "+")
