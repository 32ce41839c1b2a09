"""Folded pictures of large graphs, and pictures that keep their places while the graph changes."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from qontrast import Qbaf, contrast, examples, strengths
from qontrast.show.curves import sample_curve
from qontrast.show.folding import MAX_FOLDED, MAX_OPENED, STRONGEST, View, fold
from qontrast.show.palette import find_palette
from qontrast.show.phrasing import choose
from qontrast.show.scene import Scene, scene
from qontrast.show.svg.graph import write_scene

KINDS = ("dag", "tree", "layered", "cyclic")
EN = choose("en")


def make(n: int = 120, kind: str = "dag", seed: int = 1) -> Qbaf:
    return examples.random(n, kind, weights=True, topics=4, seed=seed)


def draw(qbaf: Qbaf, view: View, fact: str = "a0", foil: str = "a1") -> Scene:
    return scene(qbaf, strengths(qbaf, semantics="df-quad"), fact=fact, foil=foil, view=view, to=EN)


def places(made: Scene) -> dict[object, tuple[float, float]]:
    return {node.name: (node.box.x, node.box.y) for node in made.nodes}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_argument_is_shown_or_counted_once(kind: str, seed: int) -> None:
    qbaf = make(90, kind, seed)
    values = {name: 1.0 / (1 + k) for k, name in enumerate(reversed(qbaf.arguments))}
    folded = fold(qbaf, [0, 1], values)
    for _ in range(3):
        assert {0, 1} <= set(folded.included)
        assert len(folded.included) + sum(stub.count for stub in folded.stubs) + folded.apart == len(qbaf)
        assert all(stub.count > 0 and stub.target in folded.included for stub in folded.stubs)
        if not folded.stubs:
            break
        opened, before = folded.stubs[0].target, set(folded.included)
        shown = [qbaf.arguments[index] for index in before]
        folded = fold(qbaf, [0, 1], values, shown=shown, opened=qbaf.arguments[opened])
        added = set(folded.included) - before
        parents = {a for a, b in zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True) if b == opened}
        assert 0 < len(added) <= MAX_OPENED
        assert added <= parents


@pytest.mark.parametrize("kind", KINDS)
def test_the_strongest_contributors_are_shown_with_a_path_to_a_topic(kind: str) -> None:
    qbaf = make(90, kind)
    why = contrast(qbaf, "a0", "a1", method="gradient", semantics="df-quad")
    folded = fold(qbaf, [0, 1], dict(why.items()))
    included = set(folded.included)
    assert len(included) <= MAX_FOLDED
    reached = {0, 1}
    edges = list(zip(qbaf.sources.tolist(), qbaf.targets.tolist(), strict=True))
    for _ in included:
        reached |= {a for a, b in edges if b in reached and a in included}
    assert reached == included
    strong = sorted((name for name in why if abs(why[name]) > 0), key=lambda name: -abs(why[name]))
    assert qbaf.index(strong[0]) in included
    assert sum(qbaf.index(name) in included for name in strong) >= min(len(strong), STRONGEST)


def test_a_folded_picture_has_stubs_that_say_how_many_they_hold() -> None:
    made = draw(make(), View())
    folded = fold(make(), [0, 1])
    assert [stub.text for stub in made.stubs] == [f"+{stub.count} more" for stub in folded.stubs]
    assert all(re.fullmatch(r"\d+ more arguments? acts? through .+: open (it|them)", stub.words) for stub in made.stubs)


def test_the_same_graph_gives_the_same_folded_picture() -> None:
    assert draw(make(), View(room=(800, 300))) == draw(make(), View(room=(800, 300)))


@pytest.mark.parametrize("view", [{}, {"room": (800.0, 300.0)}, {"folded": False}])
def test_removing_an_argument_keeps_all_places_and_leaves_a_ghost(view: dict[str, object]) -> None:
    qbaf = make(40)
    first = draw(qbaf, View(**view))  # type: ignore[arg-type]
    shown = tuple(node.name for node in first.nodes)
    gone = next(node.name for node in first.nodes if not node.role)
    now = qbaf.without(gone).with_base_scores({"a0": 0.123})
    made = draw(now, View(**{**view, "shown": shown, "before": qbaf}))  # type: ignore[arg-type]
    assert places(made) == places(first)
    assert [node.name for node in made.nodes if node.ghost] == [gone]
    assert next(node.base for node in made.nodes if node.name == "a0") == 0.123
    assert {(each.source, each.target) for each in made.arrows if each.ghost} == {
        (each.source, each.target) for each in first.arrows if gone in (each.source, each.target)
    }


def test_changing_edges_keeps_all_places_and_leaves_ghosts() -> None:
    base = dict.fromkeys("abcdt", 0.5)
    before = Qbaf(base, attacks=[("a", "c"), ("b", "c")], supports=[("c", "t"), ("d", "t")], topics=["t"])
    after = Qbaf(base, attacks=[("a", "c"), ("d", "t")], supports=[("c", "t"), ("a", "b"), ("b", "d")], topics=["t"])
    first, made = (draw(each, View(folded=False, before=before), "t", "c") for each in (before, after))
    assert places(made) == places(first)
    assert [(each.source, each.target) for each in made.arrows if each.ghost] == [("b", "c")]
    assert {(each.source, each.target) for each in made.arrows if not each.ghost} == {*after.attacks, *after.supports}


@pytest.mark.parametrize("view", [{}, {"room": (800.0, 300.0)}, {"folded": False}])
@pytest.mark.parametrize("share", [(0.0, 0.0), (0.5, 0.5), (0.9, 0.2), (7.0, -3.0)])
def test_a_new_argument_stands_where_it_is_wished_and_moves_nobody(
    view: dict[str, object], share: tuple[float, float]
) -> None:
    qbaf = make(40)
    first = draw(qbaf, View(**view))  # type: ignore[arg-type]
    shown = tuple(node.name for node in first.nodes)
    end = next(node.name for node in first.nodes if not node.role)
    now = Qbaf(
        {**qbaf.base_scores, "new": 0.3, "more": 0.2},
        attacks=[*qbaf.attacks, ("new", "a0")],
        supports=[*qbaf.supports, (end, "new"), ("more", "new")],
        topics=qbaf.topics,
    )
    wish = (share[0] * first.width, share[1] * first.height)
    placed = {"new": wish, "more": wish}
    made = draw(now, View(**{**view, "shown": shown, "before": qbaf, "placed": placed}))  # type: ignore[arg-type]
    found = places(made)
    assert {name: at for name, at in found.items() if name not in placed} == places(first)
    boxes = [*(node.box for node in made.nodes), *(stub.box for stub in made.stubs)]
    for one, other in combinations(boxes, 2):
        apart = max(
            abs(one.x - other.x) - (one.width + other.width) / 2, abs(one.y - other.y) - (one.height + other.height) / 2
        )
        assert apart >= 0
    for box in boxes:
        assert box.width / 2 <= box.x + 1e-6 <= made.width - box.width / 2 + 1e-3
        assert box.height / 2 <= box.y + 1e-6 <= made.height - box.height / 2 + 1e-3
    there = {(each.source, each.target) for each in made.arrows}
    assert {("new", "a0"), (end, "new"), ("more", "new")} <= there


def test_a_new_argument_on_free_paper_stands_exactly_there() -> None:
    before = Qbaf(dict.fromkeys("abct", 0.5), supports=[("a", "t"), ("b", "a")], topics=["t", "c"])
    first = draw(before, View(folded=False), "t", "c")
    now = Qbaf({**before.base_scores, "new": 0.5}, supports=before.supports, topics=["t", "c"])
    free = next(node.box for node in first.nodes if node.name == "c").x, first.height - 40
    made = draw(now, View(folded=False, before=before, placed={"new": free}), "t", "c")
    assert places(made) == {**places(first), "new": free}


def test_the_line_of_a_stub_passes_behind_no_box() -> None:
    for sideways in (False, True):
        qbaf = make(120)
        settings = {"fact": "a0", "foil": "a1", "view": View(), "sideways": sideways, "to": EN}
        made = scene(qbaf, strengths(qbaf, semantics="df-quad"), **settings)  # type: ignore[arg-type]
        assert made.stubs
        for stub in made.stubs:
            for x, y in sample_curve(stub.curve)[1:-1]:
                assert not any(
                    abs(x - node.box.x) < node.box.width / 2 - 1 and abs(y - node.box.y) < node.box.height / 2 - 1
                    for node in made.nodes
                    if node.name != stub.target
                )


@pytest.mark.parametrize("kind", KINDS)
def test_a_very_large_graph_has_the_shape_of_its_room_and_few_elements_for_its_edges(kind: str) -> None:
    qbaf, view = make(400, kind), View(folded=False, room=(800, 400))
    made = scene(qbaf, dict.fromkeys(qbaf.arguments, 0.5), fact="a0", foil="a1", view=view, limit=400, to=EN)
    assert len(made.nodes) == 400
    assert 0.4 < made.width / made.height < 4
    x, y, width, height = np.array([(node.box.x, node.box.y, node.box.width, node.box.height) for node in made.nodes]).T
    apart = (abs(x[:, None] - x) >= width[:, None]) | (abs(y[:, None] - y) >= height[:, None])
    assert apart[~np.eye(400, dtype=bool)].all()
    for box in (node.box for node in made.nodes):
        assert box.width / 2 <= box.x <= made.width - box.width / 2
        assert box.height / 2 <= box.y <= made.height - box.height / 2
    text = write_scene(made, find_palette("default"), "", light=True)
    assert text.count('class="qx-node') == 400
    assert 2 <= text.count("<path") <= 8


def test_fact_and_foil_stand_side_by_side_in_a_page() -> None:
    made = draw(make(200), View(room=(800, 300)), "a0", "a3")
    fact, foil = (next(node.box for node in made.nodes if node.role == role) for role in ("fact", "foil"))
    apart = max(abs(fact.x - foil.x) - fact.width, abs(fact.y - foil.y) - fact.height)
    assert apart < 70
