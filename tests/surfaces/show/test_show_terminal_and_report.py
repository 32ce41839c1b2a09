"""Terminal, tables, notebooks and the report."""

from __future__ import annotations

import re
import sys
from functools import cache
from html.parser import HTMLParser

import pytest
from rich.console import Console

import qontrast as qx
from qontrast.show import contrast_bars, fingerprint, pairs_table, ranking_table, report_html, strengths_table, to_frame
from tests.support.graphs_to_show import EVIL, evil, healthcare, kinked, treatment


def printed(what: object, width: int = 100, **settings: object) -> str:
    console = Console(width=width, color_system=None, **settings)  # type: ignore[arg-type]
    with console.capture() as got:
        console.print(what)
    return got.get()


# -- the terminal


@pytest.mark.parametrize("width", [30, 50, 79, 120])
def test_bars_fit_the_terminal(width: int) -> None:
    text = printed(contrast_bars(treatment()), width)
    assert max(map(len, text.splitlines())) <= width
    assert "+0.328" in text


def test_bars_point_to_the_topic_that_they_favour_without_any_colour() -> None:
    lines = printed(contrast_bars(treatment())).splitlines()
    viral = next(line for line in lines if line.startswith("Viral"))
    bacterial = next(line for line in lines if line.startswith("Bacterial"))
    assert re.search(r"│█+", viral)
    assert re.search(r"█+│", bacterial)
    assert lines[0].strip() == "Share of the gap"
    assert "on fact" in lines[1]
    assert "\x1b" not in "".join(lines)


def test_labels_in_a_terminal_are_no_markup() -> None:
    q = qx.Qbaf({"[red]a[/red]": 0.5, "t": 0.5, "u": 0.5}, supports=[("[red]a[/red]", "t")], topics=["t", "u"])
    assert "[red]a[/red]" in printed(contrast_bars(qx.contrast(q, "t", "u")))
    assert "[red]a[/red]" in printed(strengths_table(q, qx.strengths(q)))


def test_tables_of_strengths_pairs_and_ranking_say_what_they_should() -> None:
    zebra = qx.examples.load("zebra")
    assert re.search(r"It is a zebra \[zebra\] +0.5000 +0.8750", printed(strengths_table(zebra, qx.strengths(zebra))))
    assert printed(pairs_table(qx.all_pairs(zebra))).count("tied") == 2
    assert re.search(r"2\. +It is a tiger", printed(ranking_table(qx.rank(zebra))))
    assert "undefined" in printed(strengths_table(zebra, dict.fromkeys(zebra, float("nan"))))
    assert "kink" in printed(contrast_bars(kinked()))


# -- tables and notebooks


def test_frames_have_the_numbers_of_the_results() -> None:
    frame = treatment().to_frame()
    assert frame.loc["pcr", "contrast"] == pytest.approx(0.078999, abs=1e-6)
    assert frame.loc["pcr", ["fact", "foil"]].tolist() == pytest.approx([0.053369, -0.025630], abs=1e-6)
    q = healthcare()
    assert qx.strengths(q).to_frame().loc["viral", "strength"] == pytest.approx(0.75)
    assert qx.all_pairs(q).to_frame().loc[("antiviral", "antibiotic"), "gap"] == pytest.approx(0.119639, abs=1e-6)
    assert qx.rank(q).to_frame()["place"].tolist() == [1, 2, 3]
    assert len(qx.attribute(q, "viral").to_frame()) == 10
    sampled = qx.contrast(q, "antiviral", "antibiotic", method="sampled", budget=100, seed=1)
    assert "std_error" in sampled.to_frame()


def test_what_has_no_table_says_so() -> None:
    with pytest.raises(qx.InvalidInput, match="no table is known for a dict"):
        to_frame({})  # type: ignore[arg-type]


@pytest.mark.heavy
def test_shap_gets_features_that_add_up_to_the_gap() -> None:
    pytest.importorskip("shap")
    why = treatment()
    made = why.to_shap()
    assert made.base_values + made.values.sum() == pytest.approx(why.gap)
    assert made.feature_names[0] == "Positive PCR test"
    one = why.individual["antiviral"]
    assert one.to_shap().base_values + one.to_shap().values.sum() == pytest.approx(one.strength)
    pairs = qx.all_pairs(healthcare())
    made = pairs.to_shap()
    gaps = [pairs[a, b].gap for a in pairs.topics for b in pairs.topics if a != b]
    assert made.base_values + made.values.sum(axis=1) == pytest.approx(gaps)
    assert made.values.shape == made.data.shape == (6, len(made.feature_names))


@pytest.mark.heavy
def test_shap_gets_the_inputs_of_a_network_starting_where_all_of_them_are_0() -> None:
    pytest.importorskip("shap")
    network = qx.networks.from_arrays([[[2.0, -1.0], [0.5, 3.0]]], [[0.1, -0.2]], classes=("yes", "no"))
    for readout in ("logistic", "softmax"):
        read = network.with_readout(readout)
        why = read.contrast([0.3, 0.8], "yes", "no")
        made, none = why.to_shap(), read.contrast([0.0, 0.0], "yes", "no")
        assert made.base_values + made.values.sum() == pytest.approx(why.gap)
        assert made.base_values == pytest.approx(none.gap)
        assert list(made.data) == [0.3, 0.8]
    whole = network.with_readout("logistic").contrast([0.3, 0.8], "yes", "no", players="all")
    assert whole.to_shap().base_values + whole.to_shap().values.sum() == pytest.approx(whole.gap)


def test_a_network_contrast_by_removal_is_no_explanation_of_shap() -> None:
    network = qx.networks.from_arrays([[[2.0, -1.0], [0.5, 3.0]]], [[0.1, -0.2]], classes=("yes", "no"))
    with pytest.raises(qx.InvalidInput, match=r'add up to the gap, and those of removal do not; ask for method="sh'):
        network.contrast([0.3, 0.8], "yes", "no", method="removal").to_shap()


@pytest.mark.parametrize("method", ["gradient", "removal", "intrinsic"])
def test_shap_gets_no_values_that_do_not_add_up_and_need_not_be_installed_to_say_so(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shap", None)
    why = treatment(method)
    for result in (why, why.individual["antiviral"], qx.all_pairs(healthcare(), method=method)):
        with pytest.raises(qx.InvalidInput, match=r'add up to the gap, and .* do not; ask for method="shapley"'):
            result.to_shap()
    with pytest.raises(qx.InvalidInput, match="combined values do not"):
        qx.contrast(healthcare(), "antiviral", "antibiotic", combine=max).to_shap()


def test_in_a_notebook_a_graph_is_its_picture_and_a_contrast_its_bars_and_sentence() -> None:
    q = healthcare()
    assert "0.50 → 0.36" in (q._repr_svg_() or "")
    assert "→" not in (qx.examples.load("undefined")._repr_svg_() or "").replace("base score → strength", "")
    page = treatment()._repr_html_()
    assert "is rated above" in page
    assert "<svg" in page
    assert "tied" in qx.all_pairs(qx.examples.load("zebra"))._repr_html_()
    assert "1. Antiviral therapy" in qx.rank(q)._repr_html_()
    assert "strength 0.356" in qx.attribute(q, "antiviral")._repr_html_()
    assert "<svg" in qx.strengths(q)._repr_html_()


def test_nothing_in_a_notebook_is_markup_from_a_label() -> None:
    q = evil()
    for each in (qx.contrast(q, "t<u>", "b"), qx.all_pairs(q), qx.rank(q), qx.attribute(q, "b"), qx.strengths(q)):
        assert "<script" not in each._repr_html_()


# -- the report


class Tags(HTMLParser):
    """All tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for key, value in attrs if key in ("src", "href", "data", "action", "srcset")]

    def handle_data(self, data: str) -> None:
        self.text += data


@cache
def flipped() -> qx.Flip:
    return qx.flip(healthcare(), "antiviral", "antibiotic")


def test_a_report_is_one_page_without_script_or_request() -> None:
    page = report_html(healthcare(), "antiviral", "antibiotic", flip=flipped())
    seen = Tags(page)
    assert len(page.encode()) < 200_000
    assert not {"script", "link", "iframe", "img", "object", "form"} & set(seen.tags)
    assert seen.links == []
    outside = page.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\(", outside)
    assert "@media print" in page
    assert "prefers-color-scheme: dark" in page


@pytest.mark.heavy
def test_a_report_has_question_answer_numbers_pairs_flip_and_method() -> None:
    page = report_html(healthcare(), "antiviral", "antibiotic", flip=flipped(), date="2026-01-31")
    text = Tags(page).text
    for part in (
        "Why “Antiviral therapy” rather than “Antibiotic therapy”?",
        "a gap of 0.1196",
        "Asthma (−0.105 and −0.104, which leaves −0.001)",
        "+0.209",  # antiviral over bronchodilator
        "rose from 0.500 to 0.688",
        "What does the order rest on?",
        "“Positive PCR test” and “Viral pneumonia” together keep “Antiviral therapy” ahead",
        "Does the order depend on the semantics?",
        "They disagree most about “Viral pneumonia”",
        "Shapley values",
        "0, up to rounding",
        fingerprint(healthcare()),
        f"qontrast {qx.__version__}",
        "2026-01-31",
    ):
        assert part in text


def test_a_report_on_sixty_arguments_is_under_200_kilobytes_too() -> None:
    page = report_html(qx.examples.load("debate"), "fares", "levy", method="gradient")
    assert len(page.encode()) < 200_000
    whole, close = page.split('id="qx-graph-close"')
    assert whole.count('class="qx-node') == 60
    assert 8 <= close.count('class="qx-node') < 20  # large enough to be read on paper


def test_a_report_on_a_dense_graph_draws_fewer_arguments_and_says_so() -> None:
    names = [f"x{k}" for k in range(70)]
    q = qx.Qbaf(dict.fromkeys(names, 0.5), attacks=[(a, b) for a in names for b in names[:12] if a > b])
    page = report_html(q, "x0", "x1", method="gradient")
    assert len(page.encode()) < 200_000
    assert "more arguments are not shown" in page


def test_labels_in_a_report_are_escaped() -> None:
    page = report_html(evil(), "t<u>", "b")
    assert "<script" not in page
    assert EVIL.replace("\x00", "\ufffd")[:27] in Tags(page).text


def test_two_reports_on_the_same_input_are_the_same() -> None:
    asked = (healthcare(), "antiviral", "antibiotic")
    assert report_html(*asked, method="removal") == report_html(*asked, method="removal")


def test_the_fingerprint_depends_on_the_graph_and_not_on_its_order() -> None:
    q = healthcare()
    again = q.restrict(reversed(list(q)))
    assert fingerprint(q) == fingerprint(again)
    assert fingerprint(q) != fingerprint(q.with_base_scores({"pcr": 0.51}))
