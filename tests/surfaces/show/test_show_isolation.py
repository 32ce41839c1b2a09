"""Labels do not rearrange what stands beside them, and every character and sign of a picture can be understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from matplotlib.text import Text

import qontrast as qx
from qontrast import show
from qontrast.graph.labels import HIDDEN, RIGHT_TO_LEFT
from qontrast.show import FIGURES
from qontrast.show.mpl import fonts
from tests.support.graphs_to_show import SVG, parsed

LABELS = {
    "t": "علاج مضاد للفيروسات (A)",
    "u": "טיפול",
    "x": "חום גבוה (39)",
    "y": "a\u202eb",
    "z": " ",
    "w": "c\x1b[31m",
}
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
NESTED = re.compile("\u2068[^\u2068\u2069]*(\u2068[^\u2068\u2069]*\u2069[^\u2068\u2069]*)+\u2069")


@cache
def graph() -> qx.Qbaf:
    base = {name: 0.3 + 0.1 * k for k, name in enumerate(LABELS)}
    supports = {("x", "t"): 1.0, ("y", "t"): 0.5, ("w", "t"): 0.7}
    attacks = {("z", "u"): 1.0, ("x", "u"): 0.25}
    return qx.Qbaf(
        base, supports=supports, attacks=attacks, labels=LABELS, topics=["t", "u"], groups={"حمى": ["x", "y"]}
    )


PAIR = ("t", "u")
SOURCES: dict[str, Callable[[], tuple[Any, ...]]] = {
    "graph": lambda: (graph(), qx.strengths(graph())),
    "contrast": lambda: (qx.contrast(graph(), *PAIR),),
    "edges": lambda: (qx.contrast(graph(), *PAIR, players="edges", method="owen"),),
    "interactions": lambda: (qx.interactions(graph(), *PAIR),),
    "uncertainty": lambda: (qx.uncertainty(graph(), *PAIR, scores=dict.fromkeys("xyzw", (0.1, 0.9)), samples=500),),
    "change": lambda: (qx.change(graph(), graph().with_base_scores(dict.fromkeys("xyzw", 0.9)), *PAIR),),
    "pairs": lambda: (qx.all_pairs(graph()),),
    "ranking": lambda: (qx.rank(graph()),),
    "semantics": lambda: (qx.compare_semantics(graph(), *PAIR, method="removal"),),
    "trajectory": lambda: (qx.trajectory(graph(), until=3),),
}


def check_texts(texts: list[str]) -> None:
    """Letters from right to left are in isolates that are closed on their line, and nothing else is hidden."""
    lines = [line for text in texts for line in text.split("\n")]
    assert any(RIGHT_TO_LEFT.search(line) for line in lines)
    for line in lines:
        rest = ISOLATED.sub("", NESTED.sub("", line))
        assert not RIGHT_TO_LEFT.search(rest), ascii(line)
        assert not HIDDEN.search(rest), ascii(line)


def draw(name: str, **settings: Any) -> list[str]:
    ax = FIGURES[name].plot(*SOURCES[FIGURES[name].source](), **settings)
    return [each.get_text() for each in ax.figure.findobj(Text)]


@pytest.mark.parametrize("width", [3.3, pytest.param(7.0, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_isolates_labels_from_right_to_left_and_shows_hidden_characters(
    name: str, width: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "draws_both_ways", lambda: True)  # as it does from 3.11 on
    texts = draw(name, width=width)
    check_texts(texts)
    joined = " ".join(texts)
    if FIGURES[name].source not in ("pairs", "ranking", "semantics", "trajectory"):  # these name topics alone
        assert r"a\u202eb" in joined
        assert "“ ”" in joined


def test_a_matplotlib_that_cannot_write_from_right_to_left_gets_no_isolates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "draws_both_ways", lambda: False)
    for name in ("bars", "graph"):
        assert not any("\u2068" in text for text in draw(name, width=3.3))


@pytest.mark.parametrize("players", ["arguments", "edges", "groups"])
def test_titles_and_spoken_labels_of_svg_isolate_labels_from_right_to_left(players: str) -> None:
    why = qx.contrast(graph(), *PAIR, players=players, method="removal")
    arcs = qx.interactions(graph(), *PAIR) if players == "arguments" else None
    pictures = [show.graph_svg(graph(), why.strengths, fact="t", foil="u", contributions=why)]
    pictures.append(show.bars_svg(qx.contrast(graph(), *PAIR), interactions=arcs) if arcs else show.bars_svg(why))
    for svg in pictures:
        root = parsed(svg)
        spoken = [each.text or "" for each in root.iter(f"{SVG}title")]
        spoken += [each.get("aria-label") or "" for each in root.iter()]
        check_texts(spoken)
        check_texts([each.text or "" for each in root.iter(f"{SVG}text")])


def test_the_legend_says_what_stands_for_an_undefined_strength() -> None:
    undefined = dict.fromkeys(graph(), float("nan"))
    for strengths, count in ((undefined, 1), (qx.strengths(graph()), 0)):
        svg = show.graph_svg(graph(), strengths)
        written = [text.get_text() for text in show.draw_graph(graph(), strengths).texts]
        assert svg.count("⊥: the strength is undefined") == count
        assert sum("⊥: the strength is undefined" in text for text in written) == count
