"""The rows of a picture of bars, before they are drawn: SVG, figure, terminal and report show the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan

from ..explain.contrast import Contrast
from ..explain.wording import number, shares
from ..graph.labels import label_text, name_suffix
from ..types import Name


@dataclass(frozen=True)
class Row:
    """One bar: the contrast, its error, both sides at a kink, and the effect on each topic alone."""

    name: Name | None  # None: what the two topics do to each other, and their base scores
    label: str
    value: float
    error: float | None
    sides: tuple[float, float] | None
    fact: float
    foil: float
    alone: bool = True  # whether it has an effect on each topic alone
    suffix: str = ""  # the name in brackets, where the label is another

    @property
    def label_and_name(self) -> str:
        """How tables call it: `Positive PCR test [pcr]`."""
        return self.label + self.suffix

    @property
    def written(self) -> str:
        """The number at the end of the row."""
        if not isnan(self.value):
            if self.error is None:
                return number(self.value, "+")
            rounded = f"{self.value:+.3f}".replace("-", "−")  # digits below the error would say nothing
            return f"{'0.000' if float(f'{self.value:.3f}') == 0 else rounded} ± {number(self.error)}"
        return (
            "undefined" if self.sides is None else f"kink: {number(self.sides[0], '+')} | {number(self.sides[1], '+')}"
        )

    @property
    def effects(self) -> tuple[str, str]:
        """The numbers for each topic alone, the fact first."""
        one, other = ("kink" if isnan(value) else number(value, "+") for value in (self.fact, self.foil))
        return (one, other) if self.alone else ("", "")

    @property
    def drawn(self) -> list[float]:
        """All values that the row draws."""
        ends = [] if self.error is None else [self.value - 2 * self.error, self.value + 2 * self.error]
        return [each for each in (self.value, self.fact, self.foil, *(self.sides or ()), *ends) if not isnan(each)]


def rows(why: Contrast, most: int) -> tuple[list[Row], list[Row]]:
    """The strongest rows and those at a kink, then the others."""
    fact, foil = why.individual[why.fact], why.individual[why.foil]
    found = [
        Row(
            name,
            label_text(why.qbaf, name),
            value,
            None if why.std_error is None else why.std_error[name],
            (why.sides[name].below, why.sides[name].above) if name in why.sides else None,
            fact[name],
            foil[name],
            suffix=name_suffix(why.qbaf, name),
        )
        for name, value in why.ranked()
    ]
    bent = [row for row in found if isnan(row.value)]  # kinks are not cut off in favour of small numbers
    known = [row for row in found if not isnan(row.value)]
    room = max(0, most - len(bent))
    return known[:room] + bent[:most], known[room:] + bent[most:]


def beside(why: Contrast) -> list[Row]:
    """What is no argument: the topics' effect on each other, and their base scores where the bars add up to the gap."""
    found, across = [], why.cross_topic
    if (across.component, across.fact_from_foil, across.foil_from_fact) != (0, 0, 0):
        label = "Effect of the two topics on each other"
        found.append(Row(None, label, across.component, None, None, across.fact_from_foil, across.foil_from_fact))
    if shares(why) and why.base_gap:
        found.append(Row(None, "Base scores of the two topics", why.base_gap, None, None, nan, nan, alone=False))
    return found
