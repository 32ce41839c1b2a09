"""What a picture of a graph shows, before it is drawn: boxes with their texts, arrows with their curves.

The SVG and the matplotlib figure draw the same scene. A mutual attack (or support) is one arrow with two heads. Above
`limit` arguments only the topics, the strongest contributors and their paths to the topics are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import copysign, hypot, isnan
from typing import Any

import numpy as np

from ..attribution.players import Groups
from ..graph.labels import label_text
from ..graph.qbaf import Qbaf
from ..types import Edge, Name
from .bands import Band, find_bands, find_groups, join_groups
from .bar_rows import name_favoured
from .layout import Box, Curve, Layout, Point, find_paths, layout
from .numbers import fixed, number, significant
from .phrasing import Language
from .svg.elements import clean, text_width, wrap_text

LABEL, NUMBERS = 13.0, 12.0  # sizes of type
BOLD = 1.1  # how much wider bold type is
LINE, PAD = 16.0, 11.0
NARROWEST, BROADEST = 84.0, 178.0  # of a label
WRITTEN = (26.0, 15.0)  # the room that a weight takes
MAX_SCENE_ARGUMENTS = 80


@dataclass(frozen=True)
class Node:
    """A box: its texts, its numbers, its part in the question."""

    index: int  # in the graph
    name: Name
    label: str
    lines: tuple[str, ...]
    base: float
    strength: float | None  # None: not asked for; NaN: undefined
    role: str  # "fact", "foil", "topic" or ""
    lit: bool
    box: Box
    to: Language

    @property
    def numbers(self) -> str:
        """Write `0.50 → 0.36`."""
        base = self.to.number(fixed(self.base, 2))
        if self.strength is None:
            return base
        return f"{base} → {'⊥' if isnan(self.strength) else self.to.number(fixed(self.strength, 2))}"

    @property
    def words(self) -> str:
        """Write the box as it is read out."""
        node = self.to.say(f"graph.role.{self.role}", label=self.label) if self.role else self.label
        if self.strength is None:
            return self.to.say("graph.node.base", node=node, base=number(self.base))
        return self.to.say("graph.node", node=node, base=number(self.base), strength=number(self.strength))


@dataclass(frozen=True)
class Arrow:
    """An edge, or two opposite edges of one kind, from border to border."""

    source: Name
    target: Name
    kind: str  # "attack" or "support"
    weight: float
    back: float | None  # the weight of the opposite edge, where this arrow has two heads
    words: str
    lit: bool
    curve: Curve
    middle: Point  # where its weights are written
    to: Language
    value: float | None = None  # its contribution; None: not asked for; NaN: at a kink
    share: float = 0.0  # of the largest contribution of an edge, 0 … 1

    @property
    def colour(self) -> str:
        """Name the colour: the topic that its contribution favours, or its kind where contributions are not shown."""
        if self.value is None:
            return self.kind
        return "muted" if isnan(self.value) or not self.value else name_favoured(self.value)

    @property
    def weights(self) -> str:
        """Write weights other than 1, at the arrow."""
        there = self.to.number(significant(self.weight))
        if self.back is None or self.back == self.weight:
            return "" if self.weight == 1 else there
        return f"{there} / {self.to.number(significant(self.back))}"


@dataclass(frozen=True)
class Scene:
    """All of it, within 0 … width and 0 … height; `hidden` arguments are left out."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    hidden: int
    bands: tuple[Band, ...] = ()  # of groups, behind the boxes

    @property
    def above(self) -> float:
        """How far bands reach above 0."""
        return max([0.0, *(band.box.height / 2 - band.box.y for band in self.bands)])


def scene(
    qbaf: Qbaf,
    strengths: Mapping[Name, float] | None = None,
    *,
    fact: Name | None = None,
    foil: Name | None = None,
    highlight: Name | Iterable[Name] | None = None,
    contributions: Mapping[Any, float] | None = None,
    groups: Mapping[str, Iterable[Name]] | None = None,
    limit: int = MAX_SCENE_ARGUMENTS,
    broadest: float = BROADEST,
    engine: str | None = None,
    sideways: bool | None = None,
    to: Language,
) -> Scene:
    """Place the graph, or its most telling part, ready to be drawn."""
    roles = {qbaf.index(topic): "topic" for topic in qbaf.topics}
    for name, role in ((foil, "foil"), (fact, "fact")):
        if name is not None:
            roles[qbaf.index(name)] = role
    edges = find_edge_values(contributions)
    told = _give_to_members(contributions) if edges is None else _add_up_by_argument(edges)
    included = _select(qbaf, roles, told, limit)
    place = {index: k for k, index in enumerate(included)}
    lit = _light_up(qbaf, highlight)
    labels = [label_text(qbaf, qbaf.arguments[index]) for index in included]
    lines = [wrap_text(clean(label), broadest / BOLD, LABEL) for label in labels]
    width = max([NARROWEST, *(BOLD * text_width(line, LABEL) for each in lines for line in each)]) + 2 * PAD
    sizes = [(width, LINE * (len(each) + 1) + 2 * PAD + 2) for each in lines]
    kinds = {
        (place[i], place[j]): ("attack" if copysign(1.0, weight) < 0 else "support", abs(weight))
        for i, j, weight in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True)
        if i in place and j in place
    }
    written = [pair for pair, (_, weight) in kinds.items() if weight != 1]
    rise = min(150.0, 66.0 + 1.1 * len(included) + 14 * bool(written))
    shown = find_groups(qbaf, groups, contributions)
    group_of, ends = join_groups(qbaf, shown, included), [place[i] for i in roles]
    arranging: Any = {"engine": engine, "sideways": sideways, "rise": rise, "written": written}
    made = layout(sizes, kinds, ends, group_of=group_of, **arranging)
    nodes = tuple(
        Node(
            index,
            qbaf.arguments[index],
            labels[k],
            lines[k],
            float(qbaf.base_array[index]),
            None if strengths is None else float(strengths[qbaf.arguments[index]]),
            roles.get(index, ""),
            lit is None or index in lit,
            made.boxes[k],
            to,
        )
        for k, index in enumerate(included)
    )
    bands = find_bands(shown, group_of, made, [node.lit for node in nodes], labels, contributions, to)
    arrows = _arrows(nodes, bands, kinds, made, to, edges)
    return Scene(made.width, made.height, nodes, arrows, len(qbaf) - len(included), bands)


def find_edge_values(contributions: Mapping[Any, float] | None) -> dict[Edge, float] | None:
    """Give the contributions of edges; None where those of arguments or groups, or none, were given."""
    if not contributions or not all(isinstance(name, tuple) for name in contributions):
        return None
    return dict(contributions.items())


def _give_to_members(contributions: Mapping[Any, float] | None) -> Mapping[Name, float] | None:
    """Give the contribution of a group to each of its members."""
    players = getattr(contributions, "players", None)
    if contributions is None or not isinstance(players, Groups):
        return contributions
    return {member: value for name, value in contributions.items() for member in players.members(name)}


def _add_up_by_argument(edges: Mapping[Edge, float]) -> dict[Name, float]:
    """How much the edges at each argument contribute, whatever their sign."""
    found: dict[Name, float] = {}
    for edge, value in edges.items():
        for end in edge:
            found[end] = found.get(end, 0.0) + (0.0 if isnan(value) else abs(value))
    return found


def _light_up(qbaf: Qbaf, highlight: Name | Iterable[Name] | None) -> set[int] | None:
    """Say which arguments are lit up: all that one name can reach, or several names themselves."""
    if highlight is None:
        return None
    if isinstance(highlight, (str, int)):
        back = zip(qbaf.targets.tolist(), qbaf.sources.tolist(), strict=True)
        return set(find_paths(back, [qbaf.index(highlight)]))
    return {qbaf.index(name) for name in highlight}


def _select(
    qbaf: Qbaf, roles: Mapping[int, str], contributions: Mapping[Name, float] | None, limit: int
) -> tuple[int, ...]:
    """Select all arguments, or where there are too many: topics, then contributors with their shortest paths to one."""
    if len(qbaf) <= limit:
        return tuple(range(len(qbaf)))
    ends = [index for index, role in roles.items() if role != "topic"] or list(roles) or [0]
    ahead = find_paths(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True), ends)
    included = set(roles)
    order = list(ahead)  # the nearest first, where nobody says what matters
    if contributions is not None:
        order = [
            index for _, index in sorted((-abs(x), qbaf.index(n)) for n, x in contributions.items() if not isnan(x))
        ]
    for index in order:
        path = [index]
        while ahead.get(path[-1], -1) >= 0:
            path.append(ahead[path[-1]])
        if len(included.union(path)) > limit:
            break
        included.update(path)
    return tuple(sorted(included))


def _arrows(
    nodes: tuple[Node, ...],
    bands: tuple[Band, ...],
    kinds: Mapping[tuple[int, int], tuple[str, float]],
    made: Layout,
    to: Language,
    edges: Mapping[Edge, float] | None = None,
) -> tuple[Arrow, ...]:
    found: list[Arrow] = []
    largest = max((abs(x) for x in (edges or {}).values() if not isnan(x)), default=0.0) or 1.0
    taken = [*(node.box for node in nodes), *(band.name_box for band in bands)]
    for (a, b), (kind, weight) in kinds.items():
        opposite, back = kinds.get((b, a), ("", None)) if a != b else ("", None)
        mutual = opposite == kind and edges is None  # each of the two edges shows its own contribution
        if mutual and b < a:
            continue
        source, target = nodes[a], nodes[b]
        curve = made.curves[a, b] if a != b else _loop(source.box)
        if opposite and not mutual:
            curve = _aside(curve, 6.0)
        words = to.say(f"graph.{kind}s{'.both' if mutual else ''}", source=source.label, target=target.label)
        if weight != 1:
            words += to.say("graph.weight", weight=significant(weight))
        lit, back = source.lit and target.lit, back if mutual else None
        value = None if edges is None else edges.get((source.name, target.name), 0.0)
        share = 0.0 if value is None or isnan(value) else abs(value) / largest
        words += "" if value is None else f": {to.number(number(value, '+'))}"
        arrow = Arrow(source.name, target.name, kind, weight, back, words, lit, curve, curve[0], to, value, share)
        if arrow.weights:
            middle = _free(curve, taken)
            taken.append(Box(*middle, *WRITTEN))
            arrow = replace(arrow, middle=middle)
        found.append(arrow)
    return tuple(
        sorted(found, key=lambda each: (each.lit, each.share))
    )  # what is lit up is drawn last, then what counts most


def _free(curve: Curve, taken: Iterable[Box]) -> Point:
    """Find the point nearest to the middle of a curve where a weight hides nothing."""
    points = sample_curve(curve)
    along = [0.0, *accumulate(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(points))]
    order = sorted(range(len(points)), key=lambda k: (abs(along[k] - along[-1] / 2), k))
    apart = (
        points[k]
        for k in order
        if 14 < along[k] < along[-1] - 14  # the head stays free
        and all(
            abs(points[k][0] - box.x) > (WRITTEN[0] + box.width) / 2
            or abs(points[k][1] - box.y) > (WRITTEN[1] + box.height) / 2
            for box in taken
        )
    )
    return next(apart, points[order[0]])


def _loop(box: Box) -> Curve:
    """An edge to itself, around the upper right corner."""
    right, top = box.x + box.width / 2, box.y - box.height / 2
    return (right - 24, top), (right - 22, top - 26), (right + 26, top - 22), (right, top + 20)


def _aside(curve: Curve, by: float) -> Curve:
    """A curve moved to its left, so that it does not hide the opposite one."""
    (x0, y0), (x1, y1) = curve[0], curve[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = by * (y1 - y0) / length, -by * (x1 - x0) / length
    return tuple((x + dx, y + dy) for x, y in curve)


def sample_curve(curve: Curve, pieces: int = 12) -> list[Point]:
    """Points along a chain of Bézier curves."""
    t = np.arange(1, pieces + 1)[:, None] / pieces
    weights = np.hstack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3])
    points = np.vstack([curve[:1], *(weights @ np.array(curve[k : k + 4]) for k in range(0, len(curve) - 1, 3))])
    return [(x, y) for x, y in points.tolist()]
