"""What a picture of a graph shows, before it is drawn: boxes with their texts, arrows with their curves.

The SVG and the matplotlib figure draw the same scene. A mutual attack (or support) is one arrow with two heads. Above
`limit` arguments only the topics, the strongest contributors and their paths to the topics are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import copysign, hypot, isnan
from typing import Any

from ..attribution.players import Groups
from ..graph.labels import isolate_text, label_text
from ..graph.qbaf import Qbaf
from ..results.order import sort_by_size
from ..types import Edge, Name
from .bands import Band, find_bands, find_groups, join_groups
from .bar_rows import name_favoured
from .curves import make_loop, move_aside, sample_curve
from .folding import Stub, View, fold, select
from .ghosts import Joined, join
from .layout import Box, Curve, Layout, Point, find_paths, layout
from .numbers import fixed, number, significant
from .packing import MIN_PACKED, pack
from .phrasing import Language
from .placing import add_boxes, add_curves, pull_stubs
from .svg.elements import clean, text_width, wrap_text

LABEL, NUMBERS = 13.0, 12.0  # sizes of type
BOLD = 1.1  # how much wider bold type is
LINE, PAD = 16.0, 11.0
NARROWEST, BROADEST = 84.0, 178.0  # of a label
WRITTEN = (26.0, 15.0)  # the room that a weight takes
MAX_SCENE_ARGUMENTS = 80
MAX_FITTED = 60  # arguments of a picture for which several arrangements are tried
STUB, TIGHT = 27.0, 0.62  # the height of a stub; how much closer layers stand in a page, which is low


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
    ghost: bool = False  # an argument that is gone

    @property
    def numbers(self) -> str:
        """Write `0.50 → 0.36`."""
        base = self.to.number(fixed(self.base, 2))
        if self.strength is None:
            return base
        return f"{base} → {'⊥' if isnan(self.strength) else self.to.number(fixed(self.strength, 2))}"

    @property
    def called(self) -> str:
        """Write the label as a part of a text that is read out."""
        return isolate_text(self.label)

    @property
    def words(self) -> str:
        """Write the box as it is read out."""
        if self.ghost:
            return self.to.say("graph.ghost", label=self.called)
        node = self.to.say(f"graph.role.{self.role}", label=self.called) if self.role else self.called
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
    ghost: bool = False  # an edge that is gone

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
class More:
    """A stub: so many arguments that are not shown act through a shown one."""

    target: Name
    text: str
    words: str
    box: Box
    curve: Curve


@dataclass(frozen=True)
class Scene:
    """All of it, within 0 … width and 0 … height; `hidden` arguments are left out."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    hidden: int
    bands: tuple[Band, ...] = ()  # of groups, behind the boxes
    stubs: tuple[More, ...] = ()

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
    view: View | None = None,
    to: Language,
) -> Scene:
    """Place the graph, or its most telling part, ready to be drawn."""
    both = join(None if view is None else view.before, qbaf)
    qbaf = both.graph
    roles = {qbaf.index(topic): "topic" for topic in qbaf.topics}
    for name, role in ((foil, "foil"), (fact, "fact")):
        if name is not None:
            roles[qbaf.index(name)] = role
    edges = find_edge_values(contributions)
    told = _give_to_members(contributions, qbaf, roles) if edges is None else _add_up_by_argument(edges)
    wishes = {} if view is None else {qbaf.index(n): at for n, at in view.placed.items() if n in both.new and n in qbaf}
    included, stubs = _choose(qbaf, roles, told, limit, view, both)
    included = (*(index for index in included if index not in wishes), *wishes)
    size = len(included) - len(wishes)  # of the layout, which those with a wish do not change
    place = {index: k if k < size else k + len(stubs) for k, index in enumerate(included)}
    lit = _light_up(qbaf, highlight)
    labels = [label_text(qbaf, qbaf.arguments[index]) for index in included]
    texts = [to.count("graph.more", stub.count) for stub in stubs]
    signed: dict[tuple[int, int], tuple[str, float]] = {
        (place[i], place[j]): ("attack" if copysign(1.0, weight) < 0 else "support", abs(weight))
        for i, j, weight in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), qbaf.weights.tolist(), strict=True)
        if i in place and j in place
    }
    gone, new, written = (_number(qbaf, edges, place) for edges in (both.gone_edges, both.new_edges, both.weighted))
    kinds = {pair: each for pair, each in signed.items() if pair not in gone}
    new |= {pair for pair in signed if max(pair) >= size}
    rise = min(150.0, 66.0 + 1.1 * size + 14 * bool(written))
    shown = find_groups(qbaf, groups, contributions)
    group_of = join_groups(qbaf, shown, included[:size])
    ends = [place[i] for i in roles if i in place and i not in wishes]
    arranging: Any = {"engine": engine, "rise": rise, "written": written}
    arranging["group_of"] = [*group_of, *[-1] * len(stubs)]
    if view is not None:
        arranging["together"] = [place[i] for i, role in roles.items() if role != "topic" and i not in wishes]
    tufted = {size + k: place[stub.target] for k, stub in enumerate(stubs)}
    pairs = [*(pair for pair in signed if pair not in new), *tufted.items()]
    room = None if view is None else view.room
    lines, made = _arrange(labels[:size], texts, pairs, ends, broadest, sideways, room, arranging)
    made = pull_stubs(made, tufted)
    if wishes:
        lines, made = _add_placed(lines, labels[size:], made, list(wishes.values()))
    made = add_curves(made, new)
    nodes = tuple(
        Node(
            index,
            qbaf.arguments[index],
            labels[k],
            lines[k],
            float(qbaf.base_array[index]),
            None
            if strengths is None or qbaf.arguments[index] in both.gone
            else float(strengths[qbaf.arguments[index]]),
            roles.get(index, ""),
            lit is None or index in lit,
            made.boxes[place[index]],
            to,
            qbaf.arguments[index] in both.gone,
        )
        for k, index in enumerate(included)
    )
    bands = find_bands(shown, group_of, made, [node.lit for node in nodes], labels, contributions, to)
    at = {place[node.index]: node for node in nodes}
    arrows = _arrows(at, bands, kinds, made, to, edges)
    ghosts = _ghosts(at, {pair: signed[pair] for pair in gone}, made, to)
    tufts = tuple(
        More(
            qbaf.arguments[stub.target],
            texts[k],
            to.count("graph.more.words", stub.count, label=isolate_text(at[place[stub.target]].label)),
            made.boxes[size + k],
            made.curves[size + k, place[stub.target]],
        )
        for k, stub in enumerate(stubs)
    )
    hidden = len(qbaf) - len(both.gone.union(qbaf.arguments[index] for index in included))
    return Scene(made.width, made.height, nodes, (*ghosts, *arrows), hidden, bands, tufts)


def _choose(
    qbaf: Qbaf,
    roles: Mapping[int, str],
    contributions: Mapping[Name, float] | None,
    limit: int,
    view: View | None,
    both: Joined,
) -> tuple[tuple[int, ...], tuple[Stub, ...]]:
    """Choose the arguments to draw, and where the others are counted."""
    if view is None or not view.folded:
        return select(qbaf, roles, contributions, limit), ()
    ends = [index for index, role in roles.items() if role != "topic"] or list(roles)[:2] or [0]
    shown = view.shown if view.shown is None else (*view.shown, *view.placed)
    folded = fold(qbaf, ends, contributions, shown, view.opened, both.gone)
    return folded.included, folded.stubs


def _number(qbaf: Qbaf, edges: Iterable[Edge], place: Mapping[int, int]) -> set[tuple[int, int]]:
    """Give edges between arguments that are drawn by the places of their ends."""
    ends = ((qbaf.index(a), qbaf.index(b)) for a, b in edges)
    return {(place[i], place[j]) for i, j in ends if i in place and j in place}


def _arrange(
    labels: Sequence[str],
    stubs: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    ends: Sequence[int],
    broadest: float,
    sideways: bool | None,
    room: tuple[float, float] | None,
    arranging: Mapping[str, Any],
) -> tuple[list[tuple[str, ...]], Layout]:
    """Break labels into lines and lay out the boxes; with a room for it, so that as little as possible is cut off."""
    best: tuple[float, list[tuple[str, ...]], Layout] | None = None
    small = [(text_width(text, LABEL) + 18, STUB) for text in stubs]
    fitted, packed = room is not None and len(labels) <= MAX_FITTED, room is not None and len(labels) >= MIN_PACKED
    settings = dict(arranging) | ({"rise": TIGHT * arranging["rise"]} if room is not None else {})
    for wide in (broadest, 0.8 * broadest, 0.62 * broadest) if fitted else (broadest,):
        lines = [wrap_text(clean(label), wide / BOLD, LABEL) for label in labels]
        width = max([NARROWEST, *(BOLD * text_width(line, LABEL) for each in lines for line in each)]) + 2 * PAD
        sizes = [(width, LINE * (len(each) + 1) + 2 * PAD + 2) for each in lines]
        if packed and room is not None:
            return lines, pack([*sizes, *small], pairs, ends, arranging["together"], room)
        for turned in (False, True) if fitted and sideways is None else (sideways,):
            made = layout([*sizes, *small], pairs, ends, sideways=turned, **settings)
            fit = 1.0 if room is None else min(1.0, room[0] / (made.width + 40), room[1] / (made.height + 46))
            if best is None or fit > best[0] + 0.02:
                best = fit, lines, made
    assert best is not None
    return best[1], best[2]


def _add_placed(
    lines: list[tuple[str, ...]], labels: Sequence[str], made: Layout, wishes: Sequence[Point]
) -> tuple[list[tuple[str, ...]], Layout]:
    """Add boxes for arguments that have a place already, as broad as the others."""
    width = made.boxes[0].width if lines else NARROWEST + 2 * PAD
    more = [wrap_text(clean(label), (width - 2 * PAD) / BOLD, LABEL) for label in labels]
    sizes = [(width, LINE * (len(each) + 1) + 2 * PAD + 2) for each in more]
    return [*lines, *more], add_boxes(made, sizes, wishes)


def _ghosts(
    nodes: Mapping[int, Node], kinds: Mapping[tuple[int, int], tuple[str, float]], made: Layout, to: Language
) -> list[Arrow]:
    """The edges that are gone."""
    found = []
    for (a, b), (kind, weight) in sorted(kinds.items()):
        curve = made.curves[a, b] if a != b else make_loop(nodes[a].box)
        said = to.say(f"graph.{kind}s", source=nodes[a].called, target=nodes[b].called)
        words = to.say("graph.ghost", label=said)
        ends = nodes[a].name, nodes[b].name
        found.append(Arrow(*ends, kind, weight, None, words, True, curve, curve[0], to, ghost=True))
    return found


def find_edge_values(contributions: Mapping[Any, float] | None) -> dict[Edge, float] | None:
    """Give the contributions of edges; None where those of arguments or groups, or none, were given."""
    if not contributions or not all(isinstance(name, tuple) for name in contributions):
        return None
    return dict(contributions.items())


def _give_to_members(
    contributions: Mapping[Any, float] | None, qbaf: Qbaf, topics: Iterable[int]
) -> Mapping[Name, float] | None:
    """Give the contribution of a group to the member nearest to a topic, and an equal share of it to the others.

    So a picture with few arguments shows one of every strong group before it shows more of any.
    """
    players = getattr(contributions, "players", None)
    if contributions is None or not isinstance(players, Groups):
        return contributions
    ahead = find_paths(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True), topics)
    distance = {qbaf.arguments[index]: place for place, index in enumerate(ahead)}
    found: dict[Name, float] = {}
    for name, value in contributions.items():
        members = sorted(players.members(name), key=lambda member: distance.get(member, len(qbaf)))
        found |= dict.fromkeys(members, value / max(1, len(members)))
        found |= dict.fromkeys(members[:1], value)
    return found


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


def _arrows(
    nodes: Mapping[int, Node],
    bands: tuple[Band, ...],
    kinds: Mapping[tuple[int, int], tuple[str, float]],
    made: Layout,
    to: Language,
    edges: Mapping[Edge, float] | None = None,
) -> tuple[Arrow, ...]:
    found: list[Arrow] = []
    largest = max((abs(x) for x in (edges or {}).values() if not isnan(x)), default=0.0) or 1.0
    taken = [*(node.box for node in nodes.values()), *(band.name_box for band in bands)]
    for (a, b), (kind, weight) in kinds.items():
        opposite, back = kinds.get((b, a), ("", None)) if a != b else ("", None)
        mutual = opposite == kind and edges is None  # each of the two edges shows its own contribution
        if mutual and b < a:
            continue
        source, target = nodes[a], nodes[b]
        curve = made.curves[a, b] if a != b else make_loop(source.box)
        if opposite and not mutual:
            curve = move_aside(curve, 6.0)
        words = to.say(f"graph.{kind}s{'.both' if mutual else ''}", source=source.called, target=target.called)
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
        sorted(sort_by_size(found, lambda each: -each.share), key=lambda each: each.lit)
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
