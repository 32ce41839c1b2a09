"""Interactions as arcs beside the bars of a contrast: which arcs there are, and how far each of them reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import InvalidInput
from ..explain.contrast import Contrast
from ..explain.interactions import Interactions
from ..graph.labels import find_right_to_left, isolate_labels
from .bar_rows import Row, name_favoured
from .layout import Box
from .numbers import SHOWN_AS_ZERO
from .numbers import number as write_number
from .phrasing import Language, call

MAX_ARCS = 5
FIRST, STEP = 32.0, 30.0  # how far the innermost arc reaches, and each further one beyond it
END = 24.0  # room for half of a number, beyond the outermost arc
THINNEST, THICKEST = 1.2, 5.5
ROW = 33.0  # the distance of two rows, at least
NUMBER = (44.0, 16.0)  # the room that a number takes
ALONG = tuple(
    0.5 + sign * k / 50 for k in range(17) for sign in (1, -1)[: 1 + bool(k)]
)  # where a number may stand along its arc, the best first


@dataclass(frozen=True)
class Arc:
    """The interaction of the players of two rows."""

    upper: int  # the rows, counted from 0
    lower: int
    value: float
    share: float  # of the largest interaction, 0 … 1
    lane: int  # how far it reaches: arcs inside it have smaller ones
    words: str
    to: Language
    along: float = 0.5  # where its number stands, from 0 (the upper end) to 1

    @property
    def text(self) -> str:
        """Write the number."""
        return self.to.number(write_number(self.value, "+"))

    @property
    def colour(self) -> str:
        """Name the colour: the topic for which the two work together."""
        return name_favoured(self.value)

    @property
    def width(self) -> float:
        """How thick the line is."""
        return THINNEST + (THICKEST - THINNEST) * self.share

    @property
    def reach(self) -> float:
        """How far it reaches to the right."""
        return FIRST + STEP * self.lane

    @property
    def number_place(self) -> tuple[float, float]:
        """How far to the right its number stands, and at which row or part of one."""
        t = self.along  # along a cubic curve whose handles are at 4/3 of the reach
        return self.reach * 4 * t * (1 - t), self.upper + (self.lower - self.upper) * (3 - 2 * t) * t * t


def find_arcs(
    found: Interactions | None,
    why: Contrast,
    rows: Sequence[Row],
    to: Language,
    *,
    limit: int = MAX_ARCS,
    shrink: float = 1.0,
    number: tuple[float, float] = NUMBER,
    row: float = ROW,
) -> list[Arc]:
    """List the strongest interactions of players that have a row; the outermost arc is the last.

    `shrink` scales how far arcs reach, and `number` is the room of a number, beside rows that are `row` apart.
    """
    if found is None:
        return []
    _check_question(found, why)
    place = {row.name: k for k, row in enumerate(rows) if row.name is not None}
    strong = [
        (pair, value)
        for pair, value in found.strongest(len(found))
        if abs(value) >= SHOWN_AS_ZERO and pair[0] in place and pair[1] in place
    ][:limit]
    largest = max((abs(value) for _, value in strong), default=1.0)
    ends = {pair: (min(place[x] for x in pair), max(place[x] for x in pair)) for pair, _ in strong}
    arcs: list[Arc] = []
    turned = find_right_to_left(why.qbaf)
    for pair, value in sorted(strong, key=lambda item: (ends[item[0]][1] - ends[item[0]][0], ends[item[0]])):
        upper, lower = ends[pair]
        lane = max((arc.lane + 1 for arc in arcs if arc.upper < lower and upper < arc.lower), default=0)
        topic = call(why.qbaf, why.fact if value > 0 else why.foil)
        one, other = (call(why.qbaf, name) for name in pair)
        words = to.say("bars.arc", pair=[one, other], topic=topic, value=write_number(value, "+"))
        words = isolate_labels(words, turned)
        arcs.append(Arc(upper, lower, value, abs(value) / largest, lane, words, to))
    return _place_numbers(arcs, shrink, number, row)


def _place_numbers(arcs: Sequence[Arc], shrink: float, size: tuple[float, float], height: float) -> list[Arc]:
    """Move numbers along their arcs to where they hide neither another number nor the end of an arc."""

    def find_box(arc: Arc) -> Box:
        x, row = arc.number_place
        return Box(shrink * x, height * row, *size)

    ends = [Box(6.0, height * row, 20.0, 8.0) for arc in arcs for row in (arc.upper, arc.lower)]
    placed: list[Arc] = []
    for arc in arcs:
        numbers = [find_box(each) for each in placed]
        tried = [replace(arc, along=t) for t in ALONG]
        placed.append(min(tried, key=lambda each: _count_overlaps(find_box(each), numbers, ends)))
    return placed


def _count_overlaps(box: Box, numbers: Sequence[Box], ends: Sequence[Box]) -> int:
    """Count what a number hides; other numbers matter more than ends of arcs."""
    return 100 * sum(_overlap(box, other) for other in numbers) + sum(_overlap(box, end) for end in ends)


def _overlap(a: Box, b: Box) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 and abs(a.y - b.y) < (a.height + b.height) / 2


def find_room(arcs: Sequence[Arc]) -> float:
    """How much room the arcs take beside the bars."""
    return max(arc.reach for arc in arcs) + END if arcs else 0.0


def _check_question(found: Interactions, why: Contrast) -> None:
    if not isinstance(found, Interactions):
        raise InvalidInput(f"interactions is {found!r}; give what interactions(qbaf, fact, foil) returns, or None")
    mine, theirs = (
        (each.fact, each.foil, each.players.kind, tuple(each.players.names), each.qbaf) for each in (why, found)
    )
    if mine != theirs:
        raise InvalidInput(
            "the interactions are not about the question of the contrast; "
            f"ask for interactions(qbaf, {why.fact!r}, {why.foil!r}) with the same graph and players"
        )
