"""A contrast in a short paragraph that a patient or a judge can read.

It says who is ahead and by how much, the strongest reasons on both sides, what is strong on both topics and so
cancels, what would be missed by looking at the fact alone, what the two topics do to each other, and how all this was
measured. It never claims more than the numbers: what a sample cannot tell from 0 is no reason, a tie is a tie.
"""

from __future__ import annotations

from math import isnan

from ..attribution.methods import METHODS
from ..explain.contrast import Contrast
from ..explain.wording import ACROSS, SMALL, TIE, TINY, add_up, called, join, number, shares, visible
from ..types import Name

STRONG = 0.25  # of the largest effect on a topic alone: strong on both
CANCELS = 0.1  # of the weaker of the two effects: nothing in the contrast
UNSEEN = 0.2  # of its contribution: small on the fact alone
ADDS_UP = 1e-9  # rounding, in a sum of contributions
TELLING = 0.05  # of the largest contribution: matters for the contrast


def paragraph(why: Contrast, *, most: int = 3, measured: bool = True) -> str:
    """The answer as a paragraph; `most` reasons on each side, and how it was `measured` at the end."""
    return " ".join(sentences(why, most=most, measured=measured))


def sentences(why: Contrast, *, most: int = 3, measured: bool = True) -> list[str]:
    """The same, sentence by sentence."""
    return answer(why, most) + context(why) + (_measured(why) if measured and why.fact != why.foil else [])


def answer(why: Contrast, most: int = 3) -> list[str]:
    """Who is ahead, and the strongest reasons on both sides."""
    if why.fact == why.foil:
        return [f"{called(why.qbaf, why.fact)} is compared with itself; nothing is left to explain."]
    return [each for each in (_head(why), _start(why), *_reasons(why, most)) if each]


def context(why: Contrast) -> list[str]:
    """What cancels, what would be overlooked, what the topics do to each other, what has no number."""
    if why.fact == why.foil:
        return []
    return [each for each in (_cancelling(why), _unseen(why), _across(why), _kinks(why)) if each]


def _head(why: Contrast) -> str:
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    own, other, gap = why.strengths[why.fact], why.strengths[why.foil], abs(why.gap)
    if gap <= TIE:
        return f"{fact} and {foil} are tied at {number(own)}."
    ahead = "ahead of" if why.gap > 0 else "behind"
    if gap < TINY:
        return f"{fact} is {ahead} {foil} by {number(gap)}; both are about {number(own)}."
    low, apart, high = add_up(min(own, other), gap, total=max(own, other))
    one, two = (high, low) if why.gap > 0 else (low, high)
    return f"{fact} is {ahead} {foil}: {one} against {two}, a gap of {apart}."


def _start(why: Contrast) -> str:
    if abs(why.base_gap) <= TIE:
        return ""
    first = called(why.qbaf, why.fact if why.base_gap > 0 else why.foil)
    return f"By base scores alone, {first} is ahead by {number(abs(why.base_gap))}."


def _reasons(why: Contrast, most: int) -> list[str]:
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    sides = [_strongest(why, 1.0, most), _strongest(why, -1.0, most)]
    if not any(sides):
        unsure = why.std_error is not None and any(not isnan(value) and value != 0 for value in why.values())
        none = "can be told from 0 with this sample" if unsure else "makes a difference between the two"
        return [f"No other argument {none}."] if any(not isnan(value) for value in why.values()) else []
    none = "none" if not _kinks(why) else "none that can be put in one number"
    texts = [
        f"in favour of {topic}, {_listed(why, names) if names else none}"
        for names, topic in zip(sides, (fact, foil), strict=True)
    ]
    if why.gap < -TIE:
        texts.reverse()
    entry = None if why.combined else METHODS.get(why.method)
    lead = entry.lead if entry else "The largest contributions"
    return [f"{lead}: {texts[0]}; {texts[1]}."]


def _strongest(why: Contrast, side: float, most: int) -> list[Name]:
    """The strongest contributors of one sign: none that would be shown as 0, or that is small beside the first."""
    ranked = [(name, value) for name, value in why.ranked() if value * side > 0 and _sure(why, name)]
    if not ranked:
        return []
    least = max(SMALL, TELLING * _largest(why))
    return [name for name, value in ranked if abs(value) >= least][:most] or [ranked[0][0]]


def _sure(why: Contrast, name: Name) -> bool:
    """Whether a contribution can be told from 0: sampled ones by two standard errors."""
    return why.std_error is None or abs(why[name]) > 2 * why.std_error[name]


def _largest(why: Contrast) -> float:
    return max((abs(value) for value in why.values() if not isnan(value)), default=0.0)


def _cancelling(why: Contrast) -> str:
    """What is strong on both topics and nothing in the contrast."""
    fact, foil = why.individual[why.fact], why.individual[why.foil]
    effects = [abs(each[name]) for name in why for each in (fact, foil) if not isnan(each[name])]
    strong = max(SMALL, STRONG * max(effects, default=0.0))
    found = []
    for name in why:
        a, b = fact[name], foil[name]
        weaker = min(abs(a), abs(b))
        if a * b > 0 and weaker >= strong and abs(why[name]) <= CANCELS * weaker:
            found.append((weaker, name))
    if not found or why.combined:
        return ""
    names = [name for _, name in sorted(found, key=lambda each: (-each[0], str(each[1])))][:2]
    texts = []
    for x in names:
        on_foil, left, on_fact = add_up(foil[x], why[x], total=fact[x], sign="+")
        texts.append(f"{called(why.qbaf, x)} ({on_fact} and {on_foil}, which leaves {left})")
    act, cancel = ("acts", "cancels") if len(names) == 1 else ("act", "cancel")
    return f"{join(texts)} {act} on both topics alike and almost {cancel} out."


def _unseen(why: Contrast) -> str:
    """What is small on the fact alone and matters for the contrast."""
    fact, foil = why.individual[why.fact], why.individual[why.foil]
    least = max(SMALL, TELLING * _largest(why))
    names = [
        name
        for name, value in why.ranked()
        if abs(value) >= least and abs(fact[name]) <= UNSEEN * abs(value) and _sure(why, name)
    ][:2]
    if not names or why.combined:
        return ""
    one, other = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    missed = [f"{called(why.qbaf, x)} ({_shown(why, fact[x])} there, {_shown(why, foil[x])} on {other})" for x in names]
    return f"Looking at {one} alone, one would overlook {join(missed)}."


def _across(why: Contrast) -> str:
    """What the topics do to each other, where it matters."""
    cross, one, other = why.cross_topic, called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    if isnan(cross.component):
        return f"The effect of {one} and {other} on each other is not defined (a kink)."
    effect = max(abs(cross.fact_from_foil), abs(cross.foil_from_fact))
    if effect < max(SMALL, TELLING * _largest(why)):
        return ""
    on_foil, adds, on_fact = add_up(cross.foil_from_fact, cross.component, total=cross.fact_from_foil, sign="+")
    moves = [f"{other} changes {one} by {on_fact}"] if cross.fact_from_foil else []
    moves += [f"{one} changes {other} by {on_foil}"] if cross.foil_from_fact else []
    lead = "The topics also act on each other" if len(moves) > 1 else "One topic also acts on the other"
    if shares(why):
        return f"{lead}: {' and '.join(moves)}; this adds {adds} to the gap."
    entry = METHODS.get(why.method)
    how = f", {entry.note}" if entry and entry.note else ""
    return f"{lead}{how}: {' and '.join(moves)}."


def _kinks(why: Contrast) -> str:
    bent = [name for name in why if isnan(why[name])]
    if not bent:
        return ""
    parts = []
    for name in bent[:3]:
        sides = why.sides.get(name)
        both = f" ({number(sides.below, '+')} from below, {number(sides.above, '+')} from above)" if sides else ""
        parts.append(f"{called(why.qbaf, name)}{both}")
    text = join([*parts, *([f"{len(bent) - 3} more"] if len(bent) > 3 else [])])
    return f"There is no single slope for {text}: the gap has a kink there."


def _measured(why: Contrast) -> list[str]:
    entry = METHODS.get(why.method)
    title = entry.title if entry else f"the method {visible(why.method)}"
    if why.combined:
        return [
            f"Measured by {title} under the semantics {why.semantics}; the effects on the two topics are combined by a "
            "function of the user's own, so nothing is promised about the gap."
        ]
    if entry is None:
        return [f"Measured by {title} under the semantics {why.semantics}."]
    return [
        f"Measured by {title} under the semantics {why.semantics}: {entry.measures}.",
        f"What the method promises: {entry.promises}{', where the slope is defined' if _kinks(why) else ''}.",
    ]


def account(why: Contrast) -> str:
    """What the gap is made of, in one line; for values that are no shares of it, that they are not added up."""
    cross, kinks = why.cross_topic.component, sum(map(isnan, why.values()))
    total = sum(why.values())
    if why.fact == why.foil or why.combined:
        return f"Gap {number(why.gap, '+', 4)}, base scores {number(why.base_gap, '+', 4)}."
    if abs(why.residual) <= ADDS_UP and (shares(why) or why.method not in METHODS):
        parts = add_up(why.base_gap, total, cross, total=why.gap, sign="+", digits=4)
        return f"Gap {parts[3]} = base scores {parts[0]}, contributions {parts[1]}, {ACROSS[4:]} {parts[2]}."
    text = f"Gap {number(why.gap, '+', 4)}, base scores {number(why.base_gap, '+', 4)}. "
    if why.method in METHODS and METHODS[why.method].kind == "slope":
        text += "Slopes are not shares of the gap and do not add up to it"
        return text + (f"; they are not defined at {kinks} kink{'s' if kinks > 1 else ''}." if kinks else ".")
    return f"{text}These numbers are not shares of the gap: they need not add up to it."


def _listed(why: Contrast, names: list[Name]) -> str:
    errors = why.std_error
    texts = [_shown(why, why[x]) + ("" if errors is None else f" ± {number(errors[x])}") for x in names]
    return join([f"{called(why.qbaf, x)} ({text})" for x, text in zip(names, texts, strict=True)])


def _shown(why: Contrast, value: float) -> str:
    """A signed number; digits below the error of a sample are not shown."""
    return number(value if why.std_error is None else round(value, 3), "+")
