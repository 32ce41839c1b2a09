"""No label and no name controls the terminal, hides, or breaks a line: every output shows all of it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

import qontrast as qx
from qontrast.graph.labels import HIDDEN, visible
from qontrast.show import bars_svg, contrast_bars, graph_svg, pairs_table, ranking_table, report_html, strengths_table

HOSTILE = "a\x1b[31mb\x07c\nd\re\tf\u202eg\u200bh\x9bi\u2066j\ufeffk\x7fl\u2028m\x00n"
SHOWN = r"a\x1b[31mb\x07c\nd\re\tf\u202eg\u200bh\x9bi\u2066j\ufeffk\x7fl\u2028m\x00n"
METHODS = ["shapley", "gradient", "removal", "sampled", "intrinsic"]


def hostile() -> qx.Qbaf:
    """Names and labels that are hostile, one that is blank, a cycle between the topics, weights other than 1."""
    t, u, x = f"t{HOSTILE}", f"u{HOSTILE}", f"x{HOSTILE}"
    return qx.Qbaf(
        {t: 0.5, u: 0.4, x: 0.75, "y": 0.25, " ": 0.5, "z": 0.3},
        attacks={(x, u): 0.5, (t, u): 1.0, (u, t): 1.0, (" ", t): 1.0},
        supports={("y", t): 1.0, (x, t): 2.0, ("z", u): 1.0},
        labels={t: f"T{HOSTILE}", "y": f"Y{HOSTILE}", "z": ""},
        topics=[t, u, "y"],
        semantics="qe",
    )


def results(q: qx.Qbaf) -> Iterator[object]:
    t, u, y = q.topics
    for method in METHODS:
        settings = {"method": method} | ({"budget": 60} if method == "sampled" else {})
        yield qx.contrast(q, t, u, **settings)
        yield qx.attribute(q, t, **settings)
        yield qx.all_pairs(q, **settings)
        yield qx.rank(q, **settings)
        yield qx.whatif(q, t, u, base_scores={y: 0.5}, **settings)
    yield qx.strengths(q)
    yield qx.change(q, q.with_base_scores({y: 0.5}), t, u)
    yield qx.history([q, q.with_base_scores({y: 0.5}), q.without(y)], t, u, names=[t, u, y])
    yield qx.paths(q, y, t)
    yield qx.paths(q, t, y)
    yield qx.flip(q, t, u)
    yield qx.whatif(q, base_scores={y: 0.5})
    yield qx.check(q)
    yield qx.trajectory(q)
    outcomes = [entry(q, method) for entry in qx.axioms.AXIOMS.values() for method in METHODS[1:3]]
    yield from filter(None, outcomes)


class Texts(HTMLParser):
    """The texts and attributes of a page, as a reader sees or hears them; data attributes hold the raw names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.found.append(data.strip("\n"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for key, value in attrs if not key.startswith("data-")]


def printed(thing: Any, width: int) -> str:
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(thing, markup=False)
    return out.getvalue()


def figure_texts(ax: Any) -> list[str]:
    from matplotlib.text import Text

    found = [each.get_text() for each in ax.figure.findobj(Text)]
    ax.figure.clear()
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    return found


def surfaces(q: qx.Qbaf) -> Iterator[tuple[str, str]]:
    """Every output that prints labels or names, by what it is."""
    t, u, _ = q.topics
    drawn: set[str] = set()
    for result in results(q):
        kind = type(result).__name__
        yield f"str of {kind}", str(result)
        yield f"repr of {kind}", repr(result)
        if hasattr(result, "_repr_html_"):
            yield from ((f"notebook of {kind}", text) for text in Texts(result._repr_html_()).found)
        if hasattr(result, "plot") and kind not in drawn:
            drawn.add(kind)
            yield from ((f"figure of {kind}", text) for text in figure_texts(result.plot()))
        if hasattr(result, "to_frame"):
            frame = result.to_frame()
            yield from ((f"table of {kind}", text) for text in frame.get("label", ()))
    why = qx.contrast(q, t, u)
    yield from (("waterfall", text) for text in figure_texts(qx.show.plot_waterfall(why)))
    for width in (40, 80, 160):
        for thing in (
            contrast_bars(why),
            strengths_table(q, qx.strengths(q)),
            pairs_table(qx.all_pairs(q)),
            ranking_table(qx.rank(q)),
        ):
            yield f"terminal, {width} columns", printed(thing, width)
    for svg in (bars_svg(why), graph_svg(q, qx.strengths(q), fact=t, foil=u)):
        yield from (("SVG", text) for text in Texts(svg).found)
    page = report_html(q, t, u, flip=qx.flip(q, t, u))
    yield from (("report", text) for text in Texts(page).found)
    for ask in _failures(q):
        with pytest.raises(qx.QontrastError) as caught:
            ask()
        yield "error", str(caught.value)


def _failures(q: qx.Qbaf) -> list[Callable[[], object]]:
    t, u, _ = q.topics
    return [
        lambda: qx.contrast(q, t, HOSTILE),
        lambda: qx.contrast(q, t, u, method="gradient", budget=HOSTILE),
        lambda: qx.whatif(q, t, u, remove=[t]),
        lambda: qx.Qbaf({HOSTILE: 2.0}),
        lambda: qx.Qbaf({HOSTILE: 0.5}, attacks=[(HOSTILE, "b")]),
    ]


def test_no_output_prints_what_cannot_be_seen() -> None:
    seen = set()
    for place, text in surfaces(hostile()):
        seen.add(place.split(",")[0])
        assert not re.search("c\n *d", text), place  # other line breaks are our own
        for line in text.split("\n"):
            found = HIDDEN.search(line)
            assert found is None, f"{place}: {found[0]!a} in {line!a}"
    assert {
        "terminal",
        "SVG",
        "report",
        "waterfall",
        "error",
        "str of Flip",
        "str of Witness",
        "figure of Ranking",
    } <= seen


def test_a_line_break_in_a_label_makes_no_line() -> None:
    tables = [strengths_table(hostile(), qx.strengths(hostile())), pairs_table(qx.all_pairs(hostile()))]
    for table in tables:
        assert len(printed(table, 900).splitlines()) == table.row_count + 1


def test_what_is_shown_of_a_hostile_label_is_all_of_it() -> None:
    assert visible(HOSTILE) == SHOWN
    table = printed(strengths_table(hostile(), qx.strengths(hostile())), 400)
    for label in ("T", "Y", "x"):
        assert label + SHOWN in table


def test_a_blank_label_and_a_blank_name_are_seen() -> None:
    q = qx.Qbaf({"t": 0.5, "u": 0.5, " ": 0.5, "z": 0.4}, supports=[(" ", "t"), ("z", "u")], labels={"z": ""})
    why = qx.contrast(q, "t", "u")
    for text in (str(why), qx.show.paragraph(why), printed(contrast_bars(why), 80), bars_svg(why)):
        assert "“ ”" in text
        assert "“”" in text


@pytest.mark.parametrize("text", ["naïve 中文 ελληνικά", "می\u200cخواهم", "👩\u200d🚀 ❤\ufe0f", "क\u094d\u200dष"])
def test_scripts_and_emoji_keep_the_joiners_that_they_need(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "é\u200cé", "a\ufe0f", "\u200d", "中\u200d文"])
def test_a_joiner_that_joins_nothing_is_shown(text: str) -> None:
    assert not HIDDEN.search(visible(text))
    assert re.search(r"\\u\w{4}", visible(text))
