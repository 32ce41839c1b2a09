"""Pages on paper and on phones: nothing is cut off, and labels keep to themselves."""

from __future__ import annotations

import re

import pytest

import qontrast as qx
from qontrast.show import report_html
from qontrast.show.html.parts import isolate, page_table, write_css_string
from qontrast.show.html.pictures import MIN_POINTS, measure_text
from tests.support.pages import ARABIC, HEBREW, LONG, unbroken


def test_a_table_that_is_too_wide_for_paper_is_divided_and_loses_no_column() -> None:
    heads = ["first", *(f"h{k}" for k in range(15))]
    page = page_table(heads, [["row", *map(str, range(15))]], texts={1, 9})
    assert page.count("<table>") == 3
    assert page.count(">row</td>") == 3
    assert re.findall(r"<th[^>]*>(h\d+)</th>", page) == heads[1:]
    assert re.findall(r"<td[^>]*>(\d+)</td>", page) == [str(k) for k in range(15)]
    assert re.findall(r'<td class="text">(\d+)</td>', page) == ["0", "8"]


def test_a_head_in_a_style_can_neither_end_its_string_nor_its_attribute() -> None:
    page = page_table(["a", "\";}</style>'<b>\\", "c"], [["1", "2", "3"]])
    style = re.findall(r'style="([^"]*)"', page)[0]
    assert not set(style) & set("<>'}")
    assert write_css_string('x"\\\n') == '"x\\22 \\5c \\a "'


def test_labels_from_right_to_left_are_isolated_where_they_are_text() -> None:
    page = report_html(unbroken(), f"p{LONG}", f"q{LONG}")
    outside = re.sub(
        r"<(svg|style)\b.*?</\1>|<[^>]*>", lambda each: each[0] if "bdi" in each[0] else "", page, flags=re.S
    )
    assert outside.count(ARABIC) == outside.count(f"<bdi>{ARABIC}</bdi>") > 3
    assert "<bdi>" not in report_html(qx.examples.load("zebra"), "zebra", "horse", method="removal")
    shown = isolate(f"<svg><title>{HEBREW}</title></svg><td>{HEBREW} [b]</td>", [HEBREW, HEBREW[:2]])
    assert shown == f"<svg><title>{HEBREW}</title></svg><td><bdi>{HEBREW}</bdi> [b]</td>"
    assert "x\\u202ey" in page
    assert "“ ”" in page


def split_pictures(page: str) -> list[str]:
    """The picture for screens and the one for paper, where there are two."""
    return [re.findall(rf'<div class="{name}">(<svg.*?</svg>)', page, re.S)[0] for name in ("whole", "close")]


def test_a_picture_that_is_too_large_for_paper_is_arranged_anew_and_only_then_has_fewer_arguments() -> None:
    whole, close = split_pictures(report_html(qx.examples.load("debate"), "fares", "levy", method="removal"))
    assert measure_text(whole) < MIN_POINTS <= measure_text(close)
    assert "50 more arguments are not shown" in close
    care = qx.examples.load("healthcare")
    whole, close = split_pictures(report_html(care, "antiviral", "antibiotic", method="removal"))
    assert measure_text(whole) < MIN_POINTS <= measure_text(close)
    assert whole.count('class="qx-node') == close.count('class="qx-node') == len(care)
    assert 'class="close"' not in report_html(qx.examples.load("zebra"), "zebra", "horse", method="removal")


def test_the_picture_for_paper_shows_fact_foil_and_contributors_before_other_topics() -> None:
    topics = [f"t{k}" for k in range(15)]
    edges = [(f"a{k}", topics[k % 2]) for k in range(6)]
    q = qx.Qbaf(dict.fromkeys([*topics, *(f"a{k}" for k in range(6))], 0.5), supports=edges, topics=topics)
    _, close = split_pictures(report_html(q, "t0", "t1", method="removal"))
    assert measure_text(close) >= MIN_POINTS
    assert set(re.findall('data-source="(.*?)"', close)) == {source for source, _ in edges}


def test_stacked_bars_have_the_numbers_of_the_contrast() -> None:
    why = qx.contrast(qx.examples.load("zebra"), "zebra", "horse", method="removal")
    page = report_html(why.qbaf, "zebra", "horse", method="removal")
    rows = page.split('class="rows">', 1)[1].split('class="note"')[0]
    shown = re.findall(r'<p><span>(.*?)</span><b class="(.*?)">(.*?)</b></p>', rows)
    assert [label for label, _, _ in shown] == [why.qbaf.label(name) for name, value in why.ranked() if value][
        : len(shown)
    ]
    for label, side, text in shown:
        value = next(value for name, value in why.items() if why.qbaf.label(name) == label)
        assert (side == "for-fact") == (value > 0)
        assert float(text.replace("−", "-")) == pytest.approx(value, abs=6e-4)
