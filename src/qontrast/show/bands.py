"""Groups of arguments in a picture of a graph: bands behind the boxes of their members, each with the group's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import Any

from ..attribution.players import Groups
from ..errors import InvalidInput, InvalidQbaf
from ..graph.labels import isolate_text, visible
from ..graph.qbaf import Qbaf
from ..graph.validation import check_groups
from ..types import Name
from .bar_rows import name_favoured
from .layout import Box, Layout
from .numbers import number
from .palette import GROUP_COLOURS
from .phrasing import Language
from .svg.elements import clean, shorten_text, text_width

PAD, HEAD = 9.0, 16.0  # around the boxes, and above them for the name
NAME = 11.5  # size of type
BOLD = 1.1  # how much wider bold type is


@dataclass(frozen=True)
class Band:
    """A rectangle behind members of one group that stand side by side."""

    group: str
    text: str  # the name, and the contribution where groups contribute; cut where the band is narrow
    words: str  # what is read out
    colour: str  # of the palette
    value: float | None  # its contribution, where groups contribute
    lit: bool
    box: Box

    @property
    def ink(self) -> str:
        """Name the colour of the text: the topic that the contribution favours."""
        if self.value is None or isnan(self.value) or not self.value:
            return "ink"
        return f"{name_favoured(self.value)}_ink"

    @property
    def name_box(self) -> Box:
        """Where the name is written: in the upper left corner."""
        width = BOLD * text_width(self.text, NAME) + 12
        left, top = self.box.x - self.box.width / 2, self.box.y - self.box.height / 2
        return Box(left + 7 + width / 2, top + 9, width, 15)


def find_groups(
    qbaf: Qbaf, groups: Mapping[str, Iterable[Name]] | None, contributions: Mapping[Any, float] | None
) -> Mapping[str, tuple[Name, ...]]:
    """Give the groups to draw: those asked for, else those that contribute, else those that the graph stores."""
    if groups is not None:
        try:
            return check_groups(groups, qbaf.arguments, qbaf._index)
        except InvalidQbaf as error:
            raise InvalidInput(f"groups: {error}") from None
    players = getattr(contributions, "players", None)
    return players.groups if isinstance(players, Groups) else qbaf.groups


def join_groups(qbaf: Qbaf, groups: Mapping[str, tuple[Name, ...]], included: Sequence[int]) -> tuple[int, ...]:
    """Give the number of the group of each box, −1 where it is in none."""
    number_of = {qbaf.index(member): k for k, members in enumerate(groups.values()) for member in members}
    return tuple(number_of.get(index, -1) for index in included)


def find_bands(
    groups: Mapping[str, tuple[Name, ...]],
    group_of: Sequence[int],
    made: Layout,
    lit: Sequence[bool],
    labels: Sequence[str],
    contributions: Mapping[Any, float] | None,
    to: Language,
) -> tuple[Band, ...]:
    """Find the bands: on each layer one for members of a group that have no other box between them."""
    names, found = list(groups), []
    for run in _find_runs(group_of, made):
        group = names[group_of[run[0]]]
        text, value = visible(group), None
        if isinstance(getattr(contributions, "players", None), Groups) and contributions and group in contributions:
            value = contributions[group]
            text += f" {to.number(number(value, '+'))}"
        words = f"{isolate_text(text)}: {', '.join(isolate_text(labels[k]) for k in run)}"
        box = _surround([made.boxes[k] for k in run])
        text = shorten_text(clean(text), (box.width - 26) / BOLD, NAME)
        colour = GROUP_COLOURS[group_of[run[0]] % len(GROUP_COLOURS)]
        found.append(Band(group, text, words, colour, value, any(lit[k] for k in run), box))
    return tuple(found)


def _find_runs(group_of: Sequence[int], made: Layout) -> list[list[int]]:
    """List the members of one group that follow each other on a layer."""
    places = range(len(group_of))
    order = sorted(places, key=lambda k: (made.layers[k], made.boxes[k].y if made.sideways else made.boxes[k].x))
    runs = [(group, list(run)) for (_, group), run in groupby(order, key=lambda k: (made.layers[k], group_of[k]))]
    return [run for group, run in runs if group >= 0]


def _surround(boxes: Sequence[Box]) -> Box:
    left, right = min(b.x - b.width / 2 for b in boxes) - PAD, max(b.x + b.width / 2 for b in boxes) + PAD
    top, bottom = min(b.y - b.height / 2 for b in boxes) - PAD - HEAD, max(b.y + b.height / 2 for b in boxes) + PAD
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
