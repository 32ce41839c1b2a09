"""The rows of bars and the cells of all pairs, as texts: SVG, figure, terminal and report show the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any

from ..attribution.players import Edges
from ..explain.contrast import Contrast
from ..explain.pairs import Pairs
from ..graph.labels import label_text, label_texts
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE
from ..types import Name
from .narrative import are_shares
from .numbers import number, with_error
from .phrasing import Language


@dataclass(frozen=True)
class Row:
    """One bar: the contrast, its error, both sides at a kink, and the effect on each topic alone."""

    name: Any  # the player; None: what the two topics do to each other, and their base scores
    label: str
    value: float
    fact: float
    foil: float
    to: Language
    error: float | None = None
    sides: tuple[float, float] | None = None
    alone: bool = True  # whether it has an effect on each topic alone
    ends: tuple[str, ...] = ()  # the label, in parts
    suffix: str = ""  # the name in brackets, where the label is another

    @property
    def lines(self) -> tuple[str, ...]:
        """The label in parts that stand on lines of their own where one line is too short."""
        return self.ends or (self.label,)

    @property
    def label_and_name(self) -> str:
        """Write it as tables call it: `Positive PCR test [pcr]`."""
        return self.label + self.suffix

    @cached_property
    def text(self) -> str:
        """Write the number at the end of the row."""
        if not isnan(self.value):
            return self.to.number(with_error(self.value, self.error))
        if self.sides is None:
            return self.to.number(number(nan))
        below, above = self.sides
        return self.to.say("bars.sides", below=number(below, "+"), above=number(above, "+"))

    @cached_property
    def effects(self) -> tuple[str, str]:
        """Write the numbers for each topic alone, the fact first."""
        if not self.alone:
            return "", ""
        return self._write_effect(self.fact), self._write_effect(self.foil)

    def _write_effect(self, value: float) -> str:
        return self.to.say("bars.kink") if isnan(value) else self.to.number(number(value, "+"))

    @property
    def words(self) -> str:
        """Write the row as it is read out."""
        text = f"{self.label}: {self.text}"
        if not self.alone:
            return text
        return self.to.say("bars.alone", row=text, fact=number(self.fact, "+"), foil=number(self.foil, "+"))

    @property
    def values(self) -> list[float]:
        """All values that the row draws."""
        ends = [] if self.error is None else [self.value - 2 * self.error, self.value + 2 * self.error]
        return [each for each in (self.value, self.fact, self.foil, *(self.sides or ()), *ends) if not isnan(each)]


def write_ends(qbaf: Qbaf, name: Any) -> tuple[str, ...]:
    """Write the label of a player in parts: an edge has two.

    >>> from qontrast import examples
    >>> write_ends(examples.load("zebra"), ("stripes", "zebra"))
    ('It has stripes', '→ It is a zebra')
    """
    if isinstance(name, tuple):
        return label_text(qbaf, name[0]), f"→ {label_text(qbaf, name[1])}"
    return (label_text(qbaf, name),)


def name_favoured(value: float) -> str:
    """Name the topic that a contribution favours, which is the colour of its bar."""
    return "fact" if value > 0 else "foil"


def find_rows(why: Contrast, limit: int, to: Language) -> tuple[list[Row], list[Row]]:
    """Give the strongest rows and those at a kink, then the others; edges that have no effect are among the others."""
    fact, foil = dict(why.individual[why.fact].items()), dict(why.individual[why.foil].items())
    ranked, edges = why.ranked(), isinstance(why.players, Edges)
    labels = label_texts(why.qbaf, [name for name, _ in ranked])
    found = [
        Row(
            name,
            label,
            value,
            fact[name],
            foil[name],
            to,
            error=None if why.std_error is None else why.std_error[name],
            sides=(why.sides[name].below, why.sides[name].above) if name in why.sides else None,
            ends=write_ends(why.qbaf, name) if edges else (),
            suffix=suffix,
        )
        for (name, value), (label, suffix) in zip(ranked, labels, strict=True)
    ]
    bent = [row for row in found if isnan(row.value)]  # kinks are not cut off in favour of small numbers
    known = [row for row in found if not isnan(row.value)]
    room = max(0, limit - len(bent))
    if edges:
        room = min(room, sum(any((row.value, row.fact, row.foil)) for row in known))
        known.sort(key=lambda row: not any((row.value, row.fact, row.foil)))
    return known[:room] + bent[:limit], known[room:] + bent[limit:]


def find_parts(why: Contrast, to: Language) -> list[Row]:
    """Give the topics' effect on each other, and their base scores where the bars add up to the gap."""
    found, across = [], why.cross_topic
    effects = (across.component, across.fact_from_foil, across.foil_from_fact)
    if any(effects):
        found.append(Row(None, to.say("bars.across"), *effects, to))
    if are_shares(why) and why.base_gap:
        found.append(Row(None, to.say("bars.base"), why.base_gap, nan, nan, to, alone=False))
    return found


def join_by_source(why: Contrast) -> list[tuple[Name, list[tuple[Name, float]]]]:
    """List the sources of edges with the targets and contributions of those that count, both by their largest edge."""
    found: dict[Name, list[tuple[Name, float]]] = {}
    edges: list[tuple[Any, float]] = why.ranked()
    for (source, target), value in edges:
        if value:
            found.setdefault(source, []).append((target, value))
    return list(found.items())


def write_gaps(pairs: Pairs, to: Language) -> list[list[str]]:
    """Write the gap of row over column for every pair of topics; a tie is called so."""
    return [
        ["·" if i == j else write_gap(gap, to) for j, gap in enumerate(gaps)]
        for i, gaps in enumerate(pairs.gaps.tolist())
    ]


def write_gap(gap: float, to: Language) -> str:
    """Write the gap between two topics."""
    return to.say("tie") if abs(gap) <= TIE_TOLERANCE else to.number(number(gap, "+"))
