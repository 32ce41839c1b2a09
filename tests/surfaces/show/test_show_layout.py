"""Layouts: every box on its layer, none on another, the same each time, with and without Graphviz."""

from __future__ import annotations

import random
from importlib.util import find_spec
from itertools import combinations

import pytest

import qontrast as qx
from qontrast.show.curves import sample_curve
from qontrast.show.layout import ENGINES, Layout, find_layers, layout

NO_GRAPHVIZ = pytest.mark.skipif(find_spec("pygraphviz") is None, reason="pygraphviz is installed by make test-heavy")
ENGINE = pytest.mark.parametrize(
    "engine", [pytest.param(each, marks=[NO_GRAPHVIZ] if each == "graphviz" else []) for each in sorted(ENGINES)]
)


def graph(seed: int, size: int = 24, edges: int = 40) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    draw = random.Random(seed)
    sizes = [(draw.uniform(80, 200), draw.uniform(40, 90)) for _ in range(size)]
    return sizes, [(draw.randrange(size), draw.randrange(size)) for _ in range(edges)]


def overlaps(made: Layout) -> list[tuple[int, int]]:
    found = []
    for (i, a), (j, b) in combinations(enumerate(made.boxes), 2):
        # Graphviz rounds places to a hundredth of a point
        if abs(a.x - b.x) < (a.width + b.width) / 2 - 0.5 and abs(a.y - b.y) < (a.height + b.height) / 2 - 0.5:
            found.append((i, j))
    return found


@ENGINE
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sideways", [False, True])
def test_no_box_overlaps_another(engine: str, seed: int, sideways: bool) -> None:
    sizes, edges = graph(seed)
    assert overlaps(layout(sizes, edges, [0, 1], engine=engine, sideways=sideways)) == []


@ENGINE
def test_a_layout_is_the_same_each_time(engine: str) -> None:
    sizes, edges = graph(3)
    assert layout(sizes, edges, [0], engine=engine) == layout(sizes, edges[::-1], [0], engine=engine)


@ENGINE
def test_boxes_and_curves_lie_inside_the_frame(engine: str) -> None:
    made = layout(*graph(5), [0, 2], engine=engine)
    for box in made.boxes:
        assert box.x - box.width / 2 >= -0.01
        assert box.x + box.width / 2 <= made.width + 0.01
        assert box.y - box.height / 2 >= -0.01
        assert box.y + box.height / 2 <= made.height + 0.01
    assert all(-0.01 <= x <= made.width + 0.01 for curve in made.curves.values() for x, _ in curve)


@ENGINE
def test_every_edge_has_a_curve_that_starts_and_ends_at_its_boxes(engine: str) -> None:
    sizes, edges = graph(1)
    made = layout(sizes, edges, [0, 1], engine=engine)
    assert set(made.curves) == {(a, b) for a, b in edges if a != b}
    for pair, curve in made.curves.items():
        assert len(curve) % 3 == 1
        for (x, y), box in zip((curve[0], curve[-1]), (made.boxes[k] for k in pair), strict=True):
            assert abs(x - box.x) <= box.width / 2 + 2
            assert abs(y - box.y) <= box.height / 2 + 2


@ENGINE
def test_edges_within_a_layer_pass_over_the_boxes_between(engine: str) -> None:
    made = layout([(100, 50)] * 3, [(0, 1), (1, 2), (0, 2)], [0, 1, 2], engine=engine)
    assert len({box.y for box in made.boxes}) == 1
    order = sorted(range(3), key=lambda k: made.boxes[k].x)
    outer = made.curves.get((order[0], order[2])) or made.curves[order[2], order[0]]
    assert min(y for _, y in outer) < made.boxes[0].y - 25
    inner = made.curves.get((order[0], order[1])) or made.curves[order[1], order[0]]
    assert {y for _, y in inner} == {made.boxes[0].y}


def test_topics_stand_on_one_layer_even_where_one_supports_the_other() -> None:
    assert find_layers(4, [(0, 1), (2, 0), (3, 2)], topics=[0, 1]) == [0, 0, 1, 2]


def test_a_layer_is_the_longest_path_to_a_sink() -> None:
    assert find_layers(4, [(0, 3), (0, 1), (1, 2), (2, 3)]) == [3, 2, 1, 0]


def test_arguments_on_a_small_cycle_share_a_layer_and_a_large_one_is_spread() -> None:
    assert find_layers(3, [(0, 1), (1, 0), (0, 2)]) == [1, 1, 0]
    ring = [(k, (k + 1) % 12) for k in range(12)]
    assert len(set(find_layers(12, ring))) == 12


def test_edges_between_layers_point_to_a_higher_one() -> None:
    q = qx.examples.load("debate")
    pairs = list(zip(q.sources.tolist(), q.targets.tolist(), strict=True))
    layer = find_layers(len(q), pairs, [q.index(t) for t in q.topics])
    assert all(layer[a] > layer[b] for a, b in pairs)


def test_a_wide_graph_is_laid_out_sideways() -> None:
    star = [(k, 0) for k in range(1, 20)]
    assert layout([(150, 50)] * 20, star, [0]).sideways
    assert not layout([(150, 50)] * 4, star[:3], [0]).sideways


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(qx.UnknownName, match=r"no layout engine 'grapviz' .* did you mean 'graphviz'"):
        layout([(1, 1)], [], engine="grapviz")


@ENGINE
def test_a_graph_without_edges_and_one_without_arguments_have_a_layout(engine: str) -> None:
    assert len(layout([(10, 10)] * 3, [], engine=engine).boxes) == 3
    assert layout([], [], engine=engine).boxes == ()


@ENGINE
@pytest.mark.parametrize("seed", range(4))
def test_an_edge_over_several_layers_goes_around_the_boxes_between(engine: str, seed: int) -> None:
    draw = random.Random(seed)
    edges = [(a, b) for a in range(20) for b in range(a) if draw.random() < 0.12]
    made = layout([(120, 50)] * 20, edges, engine=engine, sideways=False)
    for pair, curve in made.curves.items():
        for k, box in enumerate(made.boxes):
            if k not in pair and abs(made.layers[pair[0]] - made.layers[pair[1]]) > 1:
                inside = [
                    (x, y) for x, y in sample_curve(curve) if abs(x - box.x) < box.width / 2 - 3 and abs(y - box.y) < 22
                ]
                assert not inside, (pair, k)


def test_a_picture_depends_on_its_input_alone_and_not_on_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: tuple[list[tuple[float, float]], list[tuple[int, int]]] = ([(30.0, 10.0)] * 3, [(0, 2), (1, 2)])
    assert layout(*asked) == layout(*asked, engine="own")
    monkeypatch.setitem(ENGINES, "graphviz", None)  # type: ignore[arg-type] # not called
    assert layout(*asked) == layout(*asked, engine="own")
