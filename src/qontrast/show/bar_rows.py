"""The rows of bars, their notes and the cells of all pairs: SVG, figure, terminal and report show the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Any

from ..attribution.players import Edges
from ..explain.contrast import Contrast
from ..explain.pairs import Pairs
from ..graph.labels import isolate_text, label_text, label_texts
from ..graph.qbaf import Qbaf
from ..results.base import TIE_TOLERANCE
from ..types import Name
from .narrative import find_order
from .numbers import number, with_error
from .phrasing import Language, are_shares, choose_phrase, name_value


@dataclass(frozen=True)
class Bar:
    """One rectangle of a row, from 0 to its value."""

    value: float
    top: float  # where it begins and how high it is, as shares of the height of the row
    height: float
    colour: str
    hollow: bool = False


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
        text = f"{isolate_text(self.label)}: {self.text}"
        if not self.alone:
            return text
        return self.to.say("bars.alone", row=text, fact=number(self.fact, "+"), foil=number(self.foil, "+"))

    @property
    def bars(self) -> list[Bar]:
        """The contrast, or at a kink the slopes from both sides; below it the effects on each topic alone."""
        if isnan(self.value):
            found = [Bar(x, (6 + 8 * k) / 42, 7 / 42, name_favoured(x), True) for k, x in enumerate(self.sides or ())]
        else:
            found = [Bar(self.value, 6 / 42, 15 / 42, name_favoured(self.value))]
        alone = ((self.fact, 23 / 42, "fact_soft"), (self.foil, 29.5 / 42, "foil_soft"))
        return found + [Bar(value, top, 5.5 / 42, colour) for value, top, colour in alone if not isnan(value)]

    @property
    def whiskers(self) -> tuple[float, float] | None:
        """Two standard errors to both sides, where the value was sampled."""
        if self.error is None or isnan(self.value):
            return None
        return self.value - 2 * self.error, self.value + 2 * self.error

    @property
    def values(self) -> list[float]:
        """All values that the row draws."""
        both = (self.value, self.fact, self.foil, *(self.sides or ()), *(self.whiskers or ()))
        return [each for each in both if not isnan(each)]


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
    """Give the strongest rows and those at a kink, then the others.

    Edges without any effect are always among the others, arguments and groups if not all have room.
    """
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
    if edges or len(found) > limit:
        known.sort(key=lambda row: not any((row.value, row.fact, row.foil)))
        room = min(room, sum(any((row.value, row.fact, row.foil)) for row in known))
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


def find_notes(
    why: Contrast, rest: list[Row], drawn: list[Row], to: Language, *, index: str = "", named: bool = True
) -> list[tuple[str, str]]:
    """Write what stands under the bars, each with its ink: what is left out, what they add up to, how to read them.

    `index` is that of the interactions that are drawn as arcs; `named` tells whether to say what the bars are.
    """
    notes = []
    if rest:
        notes.append((write_rest(rest, to) + ".", "muted"))
    if not drawn:
        notes.append((to.say(choose_phrase("bars.none", why)), "muted"))
    if are_shares(why) and why.fact != why.foil:
        gap = find_order(why).fields["gap"]  # with the digits of the sentence
        notes.append((to.say("bars.sum", gap=to.number(f"−{gap}" if why.gap < 0 and gap != "0" else gap)), "ink"))
    what = name_value(why.method, players=why.players.kind, combined=why.combined, language=to.code)
    legend = [to.say("bars.what", what=what)] if named else []
    notes.append((" ".join([*legend, to.say("bars.thin")]), "muted"))
    if why.std_error is not None:
        notes.append((to.say("bars.sampled"), "muted"))
    if any(isnan(row.value) for row in drawn):
        notes.append((to.say("bars.hollow"), "muted"))
    return [*notes, (to.say("bars.arcs", index=index), "muted")] if index else notes


def write_rest(rest: list[Row], to: Language) -> str:
    """Count the rows that are left out, and say how large they are at most; those at a kink have no number."""
    known = [abs(row.value) for row in rest if not isnan(row.value)]
    key = "bars.rest" if any(known) else "bars.rest.nothing"
    parts = [to.count(key, len(known), most=number(max(known)))] if known else []
    kinks = len(rest) - len(known)
    return "; ".join([*parts, *([to.count("bars.rest.kinks", kinks)] if kinks else [])])


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
