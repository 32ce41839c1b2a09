"""A contrast in a short paragraph that a patient or a judge can read.

It says who is ahead and by how much, the strongest reasons on both sides, what is strong on both topics and so
cancels, what would be missed by looking at the fact alone, what the two topics do to each other, and how all this was
measured. It never claims more than the numbers: what a sample cannot tell from 0 is no reason, a tie is a tie.
"""

from __future__ import annotations

from math import isnan

from ..attribution import METHODS
from ..contrast import Contrast
from ..qbaf import Name
from ..words import SMALL, TIE, called, number

STRONG = 0.25  # of the largest effect on a topic alone: strong on both
CANCELS = 0.1  # of the weaker of the two effects: nothing in the contrast
UNSEEN = 0.2  # of its contribution: small on the fact alone
TELLING = 0.05  # of the largest contribution: matters for the contrast
TITLES = {
    "shapley": "Shapley values",
    "sampled": "sampled Shapley values",
    "removal": "removing each argument in turn",
    "gradient": "slopes (gradients)",
    "intrinsic": "removing each argument in turn, cut off from its own parents",
}


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
    own, other = number(why.strengths[why.fact]), number(why.strengths[why.foil])
    if abs(why.gap) <= TIE:
        return f"{fact} and {foil} are tied at {own}."
    ahead = "ahead of" if why.gap > 0 else "behind"
    return f"{fact} is {ahead} {foil}: {own} against {other}, a gap of {number(abs(why.gap))}."


def _start(why: Contrast) -> str:
    if abs(why.base_gap) <= TIE:
        return ""
    first = called(why.qbaf, why.fact if why.base_gap > 0 else why.foil)
    return f"Before any argument is heard, {first} is ahead by {number(abs(why.base_gap))}."


def _reasons(why: Contrast, most: int) -> list[str]:
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    sides = [_strongest(why, 1.0, most), _strongest(why, -1.0, most)]
    if not any(sides):
        unsure = why.std_error is not None and any(not isnan(value) and value != 0 for value in why.values())
        none = "can be told from 0 with this sample" if unsure else "tells the two apart"
        return [f"No other argument {none}."] if any(not isnan(value) for value in why.values()) else []
    none = "no argument at all" if not _kinks(why) else "none that can be put in one number"
    texts = [
        f"in favour of {topic}, {_listed(why, names) if names else none}"
        for names, topic in zip(sides, (fact, foil), strict=True)
    ]
    if why.gap < -TIE:
        texts.reverse()
    return [f"The strongest reasons: {texts[0]}; {texts[1]}."]


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
    texts = _joined([f"{called(why.qbaf, x)} ({_shown(why, fact[x])} and {_shown(why, foil[x])})" for x in names])
    left = _joined([_shown(why, why[x]) for x in names])
    act, cancel = ("acts", "cancels") if len(names) == 1 else ("act", "cancel")
    return f"{texts} {act} on both alike and all but {cancel} out ({left})."


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
    return f"Looking at {one} alone, one would overlook {_joined(missed)}."


def _across(why: Contrast) -> str:
    """What the topics do to each other, where it matters."""
    cross, one, other = why.cross_topic, called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    if isnan(cross.component):
        return f"What {one} and {other} do to each other is undefined (a kink)."
    effect = max(abs(cross.fact_from_foil), abs(cross.foil_from_fact))
    if effect < max(SMALL, TELLING * _largest(why)):
        return ""
    if cross.fact_from_foil == 0 or cross.foil_from_fact == 0:
        acts, on = (one, other) if cross.fact_from_foil == 0 else (other, one)
        value = cross.fact_from_foil + cross.foil_from_fact
        return f"{acts} itself acts on {on} ({number(value, '+')})."
    return (
        f"The two also act on each other: {other} on {one} {number(cross.fact_from_foil, '+')}, {one} on {other} "
        f"{number(cross.foil_from_fact, '+')}; to the gap this brings {number(cross.component, '+')}."
    )


def _kinks(why: Contrast) -> str:
    bent = [name for name in why if isnan(why[name])]
    if not bent:
        return ""
    parts = []
    for name in bent[:3]:
        sides = why.sides.get(name)
        both = f" ({number(sides.below, '+')} from below, {number(sides.above, '+')} from above)" if sides else ""
        parts.append(f"{called(why.qbaf, name)}{both}")
    more = f" and {len(bent) - 3} more" if len(bent) > 3 else ""
    text = f"{', '.join(parts)}{more}" if more else _joined(parts)
    return f"For {text} no single number exists: the slope has a kink there."


def _measured(why: Contrast) -> list[str]:
    entry = METHODS.get(why.method)
    title = TITLES.get(why.method, f"the method {why.method}")
    if why.combined:
        return [
            f"Measured by {title} under the semantics {why.semantics}, the two effects combined by a formula of "
            "the user's own; nothing is promised about the gap."
        ]
    if entry is None:
        return [f"Measured by {title} under the semantics {why.semantics}."]
    return [
        f"Measured by {title} under the semantics {why.semantics}: {entry.measures}.",
        f"What the method promises: {entry.promises}{'; where the slope exists' if _kinks(why) else ''}.",
    ]


def _listed(why: Contrast, names: list[Name]) -> str:
    errors = why.std_error
    texts = [_shown(why, why[x]) + ("" if errors is None else f" ± {number(errors[x])}") for x in names]
    return _joined([f"{called(why.qbaf, x)} ({text})" for x, text in zip(names, texts, strict=True)])


def _shown(why: Contrast, value: float) -> str:
    """A signed number; digits below the error of a sample are not shown."""
    return number(value if why.std_error is None else round(value, 3), "+")


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
