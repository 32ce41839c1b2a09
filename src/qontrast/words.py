"""A contrast in one plain sentence; the longer text is the business of `show`."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np

from .labels import called, label_and_name, label_text, visible

if TYPE_CHECKING:
    from .contrast import Contrast

__all__ = ["called", "label_and_name", "label_text", "listed", "number", "reasons", "sentence", "visible"]

TIE = 1e-10  # strengths closer than this are equal: they are good to 1e-12
SMALL = 5e-4  # what would be shown as 0.000
ADDING = ("shapley", "sampled")  # the methods whose contributions, cross-topic component and base gap add up to the gap
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def sentence(why: Contrast) -> str:
    """Both topics, the gap, the strongest reasons for and against."""
    fact, foil = called(why.qbaf, why.fact), called(why.qbaf, why.foil)
    own, other = why.strengths[why.fact], why.strengths[why.foil]
    if why.fact == why.foil:
        return f"{fact} ({own:.3f}) is compared with itself; nothing is left to explain."
    if abs(why.gap) <= TIE:
        head = f"{fact} and {foil} are tied at {own:.3f}"
    else:
        above = "above" if why.gap > 0 else "below"
        head = f"{fact} ({own:.3f}) is rated {above} {foil} ({other:.3f}) by {number(abs(why.gap))}"
    side = -1.0 if why.gap < -TIE else 1.0
    leading, counter = reasons(why, side), reasons(why, -side)
    text = head
    if leading:
        text += (
            f", mainly because of {listed(leading)}" if abs(why.gap) > TIE else f"; for {fact} speaks {listed(leading)}"
        )
    elif abs(why.gap) > TIE:
        text += ", though no single argument speaks for it"
    if counter:
        speaks = "the strongest counterweight is" if abs(why.gap) > TIE else f"for {foil} speaks"
        text += f"; {speaks} {listed(counter[:1])}"
    if why.method not in ADDING and abs(why.base_gap) >= SMALL:
        text += f"; base scores alone put {fact if why.base_gap > 0 else foil} ahead by {number(abs(why.base_gap))}"
    missing = [name for name in why if np.isnan(why[name])]
    if missing:
        labels = ", ".join(called(why.qbaf, name) for name in missing[:3])
        text += f"; the slope is undefined (a kink) for {labels}" + (" and others" if len(missing) > 3 else "")
    return text + "."


def reasons(why: Contrast, side: float, most: int = 2) -> Sequence[tuple[str, float]]:
    """The strongest of one sign, leaving out what would be shown as 0: contributions, what the two topics do to each
    other, and their base scores where all these add up to the gap."""
    items = [(called(why.qbaf, name), value) for name, value in why.ranked()]
    if not why.combined:
        items.append(("what the two do to each other", why.cross_topic.component))
        items += [("their base scores", why.base_gap)] if why.method in ADDING else []
    found = sorted((each for each in items if each[1] * side > 0), key=lambda each: -abs(each[1]))
    return [each for each in found if abs(each[1]) >= SMALL][:most] or found[:1]


def listed(items: Sequence[tuple[str, float]]) -> str:
    """`Viral pneumonia (+0.328) and Positive PCR test (+0.079)`."""
    return " and ".join(f"{text} ({number(value, '+')})" for text, value in items)


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
    elif abs(value) >= 1e-5:
        text = f"{value:{sign}.{1 - floor(log10(abs(value)))}f}"
    else:
        mantissa, power = f"{value:{sign}.1e}".split("e")
        text = f"{mantissa}·10{str(int(power)).translate(RAISED)}"
    return text.replace("-", "−")  # a minus sign, which no line break and no font mistakes for a hyphen
