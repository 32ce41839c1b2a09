"""A contrast in one plain sentence, and how its numbers are written; the longer text is written by `show`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from ..attribution.methods import METHODS
from ..graph.labels import called, label_and_name, label_text, visible

if TYPE_CHECKING:
    from ..explain.contrast import Contrast

__all__ = ["called", "label_and_name", "label_text", "listed", "number", "reasons", "sentence", "visible"]

TIE = 1e-10  # strengths closer than this are equal: they are good to 1e-12
SMALL = 5e-4  # what would be shown as 0.000
TINY = 1e-5  # what is written as 3.4·10⁻⁷
MAX_DIGITS = 9  # after the point, of numbers that have to add up
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ACROSS = "the effect of the two topics on each other"


def sentence(why: Contrast) -> str:
    """Both topics, the gap, the strongest reasons for and against."""
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    own, other = why.strengths[why.fact], why.strengths[why.foil]
    if why.fact == why.foil:
        return f"{fact} ({own:.3f}) is compared with itself; nothing is left to explain."
    text = compare(fact, foil, own, other) + (_because(why, fact, foil) if shares(why) else _measured(why, fact, foil))
    if not shares(why) and abs(why.base_gap) >= SMALL:
        text += f"; base scores alone put {fact if why.base_gap > 0 else foil} ahead by {number(abs(why.base_gap))}"
    missing = [called(why.qbaf, name) for name in why if np.isnan(why[name])]
    if missing:
        text += f"; the slope is not defined (a kink) for {join([*missing[:3], *(['others'] if missing[3:] else [])])}"
    return text + "."


def compare(fact: str, foil: str, own: float, other: float) -> str:
    """Say which of two strengths is larger, and by how much: `a (0.8) is rated above b (0.5) by 0.3`."""
    gap = abs(own - other)
    if gap <= TIE:
        return f"{fact} and {foil} are tied at {number(own)}"
    above = "above" if own > other else "below"
    if gap < TINY:
        return f"{fact} is rated {above} {foil} by {number(gap)} (both are about {number(own)})"
    low, apart, high = add_up(min(own, other), gap, total=max(own, other))
    one, two = (high, low) if own > other else (low, high)
    return f"{fact} ({one}) is rated {above} {foil} ({two}) by {apart}"


def _because(why: Contrast, fact: str, foil: str) -> str:
    """The strongest shares of the gap, for it and against it."""
    side = -1.0 if why.gap < -TIE else 1.0
    leading, counter = reasons(why, side), reasons(why, -side)
    if abs(why.gap) <= TIE:
        sides = [(leading, fact), (counter, foil)]
        texts = [f"{listed(found)} {_speak(found)} for {topic}" for found, topic in sides if found]
        return f"; {' and '.join(texts)}" if texts else ""
    text = f", mainly because of {listed(leading)}" if leading else ", although no single argument speaks for it"
    return text + (f"; the strongest counterweight is {listed(counter[:1])}" if counter else "")


def _speak(items: Sequence[object]) -> str:
    return "speaks" if len(items) == 1 else "speak"


def _measured(why: Contrast, fact: str, foil: str) -> str:
    """The largest values of a method whose values are no shares of the gap, in words of its own."""
    more, less = reasons(why, 1.0), reasons(why, -1.0)[:1]
    if not more and not less:
        return ""
    if why.combined or why.method not in METHODS:
        return f"; the largest contributions by the method {visible(why.method)} are {listed([*more, *less])}"
    entry = METHODS[why.method]
    if entry.kind == "slope":
        rises = f"rises fastest with the base score of {listed(more)}" if more else ""
        falls = f"falls fastest with {'that' if more else 'the base score'} of {listed(less)}" if less else ""
    else:
        rises = f"would lose most without {listed(more, unsigned=True)}" if more else ""
        falls = f"{'' if more else 'would '}gain most without {listed(less, unsigned=True)}" if less else ""
    condition = f", {entry.condition}" if entry.condition else ""
    return f"; relative to {foil}, {fact} {' and '.join(filter(None, (rises, falls)))}{condition}"


def shares(why: Contrast) -> bool:
    """Whether contributions, base scores and the effect of the topics on each other add up to the gap by definition."""
    return not why.combined and why.method in METHODS and METHODS[why.method].adds_up


def reasons(why: Contrast, side: float, most: int = 2) -> Sequence[tuple[str, float]]:
    """Select the strongest contributions of one sign, without what would be shown as 0.

    Where all these are shares of the gap, the base scores of the topics and their effect on each other count too.
    """
    items = [(called(why.qbaf, name), value) for name, value in why.ranked()]
    if shares(why):
        items += [(ACROSS, why.cross_topic.component), ("their base scores", why.base_gap)]
    found = sorted((each for each in items if each[1] * side > 0), key=lambda each: -abs(each[1]))
    return [each for each in found if abs(each[1]) >= SMALL][:most] or found[:1]


def listed(items: Sequence[tuple[str, float]], *, unsigned: bool = False) -> str:
    """`Viral pneumonia (+0.328) and Positive PCR test (+0.079)`."""
    return join([f"{text} ({number(abs(x)) if unsigned else number(x, '+')})" for text, x in items])


def join(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def number(value: float, sign: str = "", digits: int = 3) -> str:
    """Three decimals, or two digits of what would otherwise be shown as 0.000; never −0.000.

    >>> number(-0.0316, "+"), number(0.1196), number(-0.0), number(0.00012), number(-3.4e-7)
    ('−0.032', '0.120', '0', '0.00012', '−3.4·10⁻⁷')
    """
    if value != value:
        return "undefined"
    if value == 0:
        return "0"
    if abs(value) >= 0.5 * 10.0**-digits:
        text = f"{value:{sign}.{digits}f}"
    elif abs(value) >= TINY:
        text = f"{value:{sign}.{1 - floor(log10(abs(value)))}f}"
    else:
        mantissa, power = f"{value:{sign}.1e}".split("e")
        text = f"{mantissa}·10{str(int(power)).translate(RAISED)}"
    return text.replace("-", "−")  # a minus sign, which no line break and no font mistakes for a hyphen


def add_up(*terms: float, total: float, sign: str = "", digits: int = 3) -> tuple[str, ...]:
    """Write terms and their sum, the sum last, with as many digits as it takes for them to add up as printed.

    What is not 0 is not written as 0.000; below 10⁻⁵ it is "about 0". Where nine digits do not suffice, the sum is that
    of the written terms.

    >>> add_up(0.2368, 0.11963, total=0.35643)
    ('0.2368', '0.1196', '0.3564')
    >>> add_up(0.25, 0.5, total=0.75)
    ('0.250', '0.500', '0.750')
    """
    values = [*terms, total]
    if not all(map(isfinite, values)):
        return tuple(number(value, sign, digits) for value in values)
    small = [abs(value) for value in values if TINY <= abs(value) < 0.5 * 10.0**-digits]
    least = max([digits, *(1 - floor(log10(value)) for value in small)])
    for places in range(least, MAX_DIGITS + 1):
        rounded = [Decimal(0) if abs(value) < TINY else Decimal(f"{value:.{places}f}") for value in values]
        if sum(rounded[:-1]) == rounded[-1]:
            break
    rounded[-1] = sum(rounded[:-1], Decimal(0))
    return tuple(_decimal(value, each, sign) for value, each in zip(values, rounded, strict=True))


def write_change(before: float, after: float, digits: int = 4) -> tuple[str, str, str]:
    """Write a number before and after a change, and the change, so that they subtract as printed.

    >>> write_change(0.35643, 0.29014)
    ('0.3564', '0.2901', '−0.0663')
    """
    if abs(after - before) < TINY:
        return number(before, digits=digits), number(after, digits=digits), number(after - before, "+")
    old, change, new = add_up(before, after - before, total=after, digits=digits)
    return old, new, f"+{change}" if after > before else change


def _decimal(value: float, rounded: Decimal, sign: str) -> str:
    if rounded == 0:
        return "0" if value == 0 else "about 0"
    return f"{rounded:{sign}f}".replace("-", "−")
