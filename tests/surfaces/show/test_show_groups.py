"""Groups in the picture of a graph: bands behind the boxes of their members, with their names."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast import show
from qontrast.show.layout import Box
from qontrast.show.palette import GROUP_COLOURS, PALETTES, find_palette, write_style
from qontrast.show.phrasing import choose
from qontrast.show.scene import Scene, scene
from tests.support.graphs_to_show import EVIL, evil, healthcare, of_class, parsed
from tests.support.strategies import qbafs

THEMES = {"Tests": ("pcr", "wbc"), "Symptoms": ("fever", "cough", "wheezing"), "Diseases": ("viral", "bacterial")}
PAIR = {"fact": "antiviral", "foil": "antibiotic"}


def grouped(q: qx.Qbaf, groups: Any) -> qx.Qbaf:
    held: Any = {"labels": q.labels, "topics": q.topics, "semantics": q.semantics}
    return qx.Qbaf(q.base_scores, q.attacks, q.supports, groups=groups, **held)


def overlap(a: Box, b: Box) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 - 1e-9 and abs(a.y - b.y) < (a.height + b.height) / 2 - 1e-9


def holds(outer: Box, inner: Box) -> bool:
    return (
        abs(outer.x - inner.x) <= (outer.width - inner.width) / 2 + 1e-9
        and abs(outer.y - inner.y) <= (outer.height - inner.height) / 2 + 1e-9
    )


def check_bands(made: Scene, groups: Any) -> None:
    """Each band holds members of its group and touches no other box, band or name."""
    boxes = {node.name: node.box for node in made.nodes}
    for band in made.bands:
        inside = {name for name, box in boxes.items() if overlap(band.box, box)}
        assert inside <= set(groups[band.group])
        assert all(holds(band.box, boxes[name]) for name in inside)
        assert not any(overlap(band.name_box, box) for box in boxes.values())
        assert holds(band.box, band.name_box)
        assert band.box.y - band.box.height / 2 >= -made.above - 1e-9
    for one, other in combinations(made.bands, 2):
        assert not overlap(one.box, other.box)
    for group, members in groups.items():
        bands = [band for band in made.bands if band.group == group]
        for name in set(members) & set(boxes):
            assert sum(holds(band.box, boxes[name]) for band in bands) == 1
        assert len({band.colour for band in bands}) <= 1
    tags = [Box(n.box.x - n.box.width / 2 + 32, n.box.y - n.box.height / 2, 40, 15) for n in made.nodes if n.role]
    assert not any(overlap(band.name_box, tag) for band in made.bands for tag in tags)


@pytest.mark.parametrize("sideways", [False, True, None])
@given(
    q=st.one_of(qbafs(max_size=14), qbafs(max_size=10, cyclic=True)),
    numbers=st.lists(st.integers(-1, 7), min_size=14, max_size=14),
)
def test_bands_hold_the_members_of_their_group_and_nothing_else(
    sideways: bool | None, q: qx.Qbaf, numbers: list[int]
) -> None:
    groups = {f"theme {k}": [x for x, own in zip(q, numbers, strict=False) if own == k] for k in range(8)}
    made = scene(q, groups=groups, sideways=sideways, to=choose("en"))
    check_bands(made, groups)
    rows = {round(node.box.y, 6) for node in made.nodes}
    if sideways is False:
        for group in groups:
            assert sum(band.group == group for band in made.bands) <= len(rows)  # side by side on each layer


@pytest.mark.parametrize("engine", ["own", "graphviz"])
@pytest.mark.parametrize("example", ["healthcare", "loan", "products", "debate"])
def test_bands_of_the_examples_overlap_nothing(example: str, engine: str) -> None:
    if engine == "graphviz":
        pytest.importorskip("pygraphviz")
    q = qx.examples.load(example)
    others = [name for name in q if name not in q.topics]
    groups = {f"A theme with a long name, number {k}": others[k::5] for k in range(5)}
    made = scene(q, qx.strengths(q), fact=q.topics[0], foil=q.topics[1], groups=groups, engine=engine, to=choose("en"))
    check_bands(made, groups)


def names_of(svg: str) -> list[str]:
    return [re.sub(r" [+−].*| 0$", "", each) for each in re.findall('class="qx-group"[^>]*data-group="(.*?)"', svg)]


def test_stored_groups_are_shown_and_others_where_they_are_asked_for_or_contribute() -> None:
    bare, stored = healthcare(), grouped(healthcare(), THEMES)
    other = {"One": ("asthma",)}
    why = qx.contrast(stored, "antiviral", "antibiotic", players=other, method="removal")
    assert names_of(show.graph_svg(bare)) == []
    assert set(names_of(show.graph_svg(stored))) == set(THEMES)
    assert names_of(show.graph_svg(stored, groups={})) == []
    assert names_of(show.graph_svg(bare, groups=other)) == ["One"]
    assert names_of(show.graph_svg(stored, contributions=why)) == ["One"]
    assert set(names_of(show.graph_svg(stored, contributions=why, groups=THEMES))) == set(THEMES)
    for wrong, words in (({"x": ["nobody"]}, "nobody"), ({"x": ["pcr"], "y": ["pcr"]}, "one group at most")):
        with pytest.raises(qx.QontrastError, match=words):
            show.graph_svg(bare, groups=wrong)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_group_that_contributes_has_its_number_and_the_ink_of_the_topic_that_it_favours(language: str) -> None:
    why = qx.contrast(healthcare(), "antiviral", "antibiotic", players=THEMES, method="removal")
    root = parsed(show.graph_svg(healthcare(), why.strengths, contributions=why, language=language, **PAIR))
    texts = {each.attrib["data-group"]: each for each in of_class(root, "qx-group-name")}
    assert set(texts) == set(THEMES)
    for group, element in texts.items():
        written = next(each for each in element.iter() if each.tag.endswith("text"))
        value = f"{why[group]:+.3f}".replace("-", "−")
        assert written.text == f"{group} {value.replace('.', ',') if language == 'de' else value}"
        assert written.attrib["class"] == ("qx-fact-ink" if why[group] > 0 else "qx-foil-ink")
    legend = {"en": "number of a group", "de": "Zahl einer Gruppe"}[language]
    drawn = [show.graph_svg(healthcare(), language=language, groups=THEMES, contributions=x) for x in (why, None)]
    assert [legend in svg for svg in drawn] == [True, False]


def test_matplotlib_draws_the_same_bands_and_names() -> None:
    q = grouped(healthcare(), THEMES)
    plain, banded = show.draw_graph(healthcare()), show.draw_graph(q)
    assert len(banded.patches) == len(plain.patches) + len(THEMES)
    assert set(THEMES) <= {text.get_text() for text in banded.texts}
    low, high = banded.get_ylim()[::-1]
    for patch in banded.patches:
        box = patch.get_path().transformed(patch.get_patch_transform()).get_extents()
        assert low <= box.y0 <= box.y1 <= high


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("palette", PALETTES)
def test_ink_can_be_read_on_every_band_and_a_dark_page_repaints_it(palette: str, dark: bool) -> None:
    colours = find_palette(palette, dark)

    def brightness(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for name in GROUP_COLOURS:
        low, high = sorted((brightness(colours[name]), brightness(colours.ink)))
        assert (high + 0.05) / (low + 0.05) > 7
        assert f".qx-{name.replace('_', '-')}{{fill:{colours[name]}}}" in write_style(colours)
    assert len({colours[name] for name in GROUP_COLOURS}) == len(GROUP_COLOURS)


def test_names_of_groups_are_escaped_and_cut_where_their_band_is_narrow() -> None:
    svg = show.graph_svg(evil(), groups={f"{EVIL}!": [EVIL]})
    assert "<script" not in svg
    assert len(of_class(parsed(svg), "qx-group")) == 1
    (band,) = scene(healthcare(), groups={"A very long name of a group " * 3: ["pcr"]}, to=choose("en")).bands
    assert band.text.endswith("…")
    assert band.words.startswith("A very long name of a group A very long")


def test_a_band_is_faded_where_none_of_its_members_is_lit_up() -> None:
    root = parsed(show.graph_svg(healthcare(), groups=THEMES, highlight=["pcr", "viral"]))
    faded = {each.attrib["data-group"]: "qx-faded" in each.attrib["class"] for each in of_class(root, "qx-group")}
    assert faded == {"Tests": False, "Symptoms": True, "Diseases": False}


def test_the_command_draw_shows_groups_of_the_graph_and_of_a_file(qontrast: Any) -> None:
    Path("themes.json").write_text(json.dumps(THEMES))
    qx.write(grouped(healthcare(), {"Held": ["pcr", "wbc"]}), "held.json")
    for line, names, numbers in (
        ("held.json", {"Held"}, False),
        ("held.json --players edges --method removal", {"Held"}, False),
        ("held.json --players groups", {"Held"}, True),
        ("held.json --groups themes.json --players arguments", set(THEMES), False),
        ("examples:healthcare --groups themes.json", set(THEMES), True),
        ("examples:healthcare", set(), False),
    ):
        assert qontrast(f"draw {line} -o out.svg").code == 0
        svg = Path("out.svg").read_text(encoding="utf-8")
        assert set(names_of(svg)) == names
        assert bool(re.search(r'class="qx-group"[^>]*aria-label="\w+ [+−]', svg)) == numbers
