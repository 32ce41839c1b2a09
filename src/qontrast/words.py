"""A contrast in one plain sentence; the longer text is the business of `show`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .qbaf import Name

if TYPE_CHECKING:
    from .contrast import Contrast

TIE = 1e-10  # strengths closer than this are equal: they are good to 1e-12
SMALL = 5e-4  # what would be shown as 0.000


def sentence(why: Contrast) -> str:
    """Both topics, the gap, the strongest reasons for and against."""
    fact, foil = why.qbaf.label(why.fact), why.qbaf.label(why.foil)
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
            f", mainly because of {listed(why, leading)}"
            if abs(why.gap) > TIE
            else f"; for {fact} speaks {listed(why, leading)}"
        )
    elif abs(why.gap) > TIE:
        text += ", though no single argument speaks for it"
    if counter:
        speaks = "the strongest counterweight is" if abs(why.gap) > TIE else f"for {foil}"
        text += f"; {speaks} {listed(why, counter[:1])}"
    missing = [name for name in why if np.isnan(why[name])]
    if missing:
        labels = ", ".join(why.qbaf.label(name) for name in missing[:3])
        text += f"; the slope is undefined (a kink) for {labels}" + (" and others" if len(missing) > 3 else "")
    return text + "."


def reasons(why: Contrast, side: float, most: int = 2) -> Sequence[tuple[Name, float]]:
    """The strongest contributions of one sign, leaving out what would be shown as 0."""
    found = [(name, value) for name, value in why.ranked() if value * side > 0]
    return [each for each in found if abs(each[1]) >= SMALL][:most] or found[:1]


def listed(why: Contrast, items: Sequence[tuple[Name, float]]) -> str:
    """`Viral pneumonia (+0.328) and Positive PCR test (+0.079)`."""
    texts = [f"{why.qbaf.label(name)} ({number(value, '+')})" for name, value in items]
    return " and ".join(texts)


def number(value: float, sign: str = "") -> str:
    """Three decimals, or two digits of what would otherwise be shown as 0.000; never −0.000."""
    if value == 0:
        return "0"
    return f"{value:{sign}.3f}" if abs(value) >= SMALL else f"{value:{sign}.1e}"
