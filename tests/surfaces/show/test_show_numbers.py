"""Every number on the screen, in the table, the figure, the JSON and the page equals the number in the result.

Numbers are read back from each output as a reader would find them, by the row and the column that they stand in, and
compared with the result; the graphs are drawn by seed.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from math import isnan
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import qontrast as qx
from qontrast.show import bars_svg, contrast_bars, pairs_table, ranking_table, report_html, strengths_table
from qontrast.show.figures import FIGURES
from tests.support.profiles import number_of_cases

METHODS = ["shapley", "gradient", "removal", "intrinsic", "sampled"]
SEEDS = range(number_of_cases(4, 2))
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
NUMBER = re.compile(r"[+−]?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")


@cache
def graph(seed: int) -> qx.Qbaf:
    """Three topics with parents, labels beside names, cycles, weights other than 1, base scores of 0 and 1."""
    rng = np.random.default_rng(seed)
    names = ["t", "u", "v", *"abcd"]
    base = np.where(rng.random(7) < 0.2, rng.integers(0, 2, 7), rng.random(7))
    base[:2] = rng.uniform(0.2, 0.8, 2)  # topics that are not stuck at 0 or 1
    edges = {(x, y): float(rng.choice([1.0, 0.5, 2.0])) for x in names for y in names if x != y and rng.random() < 0.3}
    edges |= {("a", "t"): 0.75, ("b", "u"): 1.0, ("u", "t"): 0.5, ("t", "u"): 0.25}
    attacks = {pair: weight for pair, weight in edges.items() if rng.random() < 0.5}
    return qx.Qbaf(
        dict(zip(names, base.tolist(), strict=True)),
        attacks,
        {pair: weight for pair, weight in edges.items() if pair not in attacks},
        labels={name: f"Label of {name}" for name in names[1:]},
        topics=["t", "u", "v"],
        semantics="qe",
    )


@cache
def contrast(seed: int, method: str) -> qx.Contrast:
    return qx.contrast(graph(seed), "t", "u", method=method, **({"budget": 60} if method == "sampled" else {}))


def read(text: str) -> float:
    """A number as it is written for people."""
    text = text.replace("−", "-")
    mantissa, _, power = text.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(RAISED) or 0)


def same(text: str, value: float, digits: int = 3) -> bool:
    """Whether a text is this number, rounded."""
    return abs(read(text) - value) <= 0.51 * 10.0**-digits and (value == 0 or read(text) != 0 or abs(value) < 1e-3)


def printed(thing: Any, width: int = 200) -> list[str]:
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(thing, markup=False)
    return out.getvalue().splitlines()


def row_of(lines: list[str], name: str) -> str:
    """The only line of an argument, by its name in brackets or its unlabelled name."""
    (found,) = [line for line in lines if f"[{name}]" in line or re.match(rf"(\d\.\s+)?{name}\s", line)]
    return found.split("]", 1)[-1]


each_contrast = pytest.mark.parametrize(("seed", "method"), [(s, m) for s in SEEDS for m in METHODS])


@each_contrast
def test_bars_in_the_terminal_show_the_contrast_then_the_fact_then_the_foil(seed: int, method: str) -> None:
    why = contrast(seed, method)
    lines = printed(contrast_bars(why, words=False))
    assert re.search(r"on fact +on foil$", lines[1])
    assert lines[1].index("Label of u [u]") < lines[1].index("t ▸")  # the foil to the left
    longest = max(map(abs, [*why.values(), why.cross_topic.component, why.base_gap * (method in METHODS[::4])]))
    for name, value in why.items():
        row = row_of(lines, name)
        left, right = row.split("│")
        shown = NUMBER.findall(re.sub(r"± \S+", "", right))
        expected = (value, why.individual["t"][name], why.individual["u"][name])
        assert all(map(same, shown, expected)), (name, row, expected)
        if abs(value) > 0.2 * longest:
            assert ("█" in right, "█" in left) == (value > 0, value < 0)
        if why.std_error is not None:
            assert same(re.findall(r"± (\S+)", row)[0], why.std_error[name])
    (across,) = [line for line in lines if line.startswith("Effect of the two topics")]
    cross = why.cross_topic
    shown = NUMBER.findall(across.split("│")[1])
    assert all(map(same, shown, (cross.component, why.individual["t"]["u"], why.individual["u"]["t"])))


def test_tables_in_the_terminal_show_strengths_gaps_and_places() -> None:
    for seed in SEEDS:
        q = graph(seed)
        found, pairs, order = qx.strengths(q), qx.all_pairs(q), qx.rank(q)
        lines = printed(strengths_table(q, found))
        for name in q:
            base, strength = NUMBER.findall(row_of(lines, name))
            assert same(base, q.base_scores[name], 4)
            assert same(strength, found[name], 4)
        lines = printed(pairs_table(pairs))[1:]
        for topic in q.topics:
            cells = row_of(lines, topic).split()[-3:]
            for other, cell in zip(q.topics, cells, strict=True):
                assert cell == "·" if topic == other else same(cell, found[topic] - found[other])
        lines = printed(ranking_table(order), 900)[1:]
        for place, topic, line in zip(order.places, order.order, lines, strict=True):
            assert line.startswith(f"{place}.")
            assert topic in (line.split()[1], re.findall(r"\[(\w)\]", line)[0] if "[" in line else "")
            (strength,) = re.findall(r" (0|\d\.\d{4,}) ", f"{line} ")[:1]
            assert same(strength, found[topic], 4)


@each_contrast
def test_data_frames_and_json_hold_the_very_numbers(seed: int, method: str) -> None:
    why = contrast(seed, method)
    frame, data = why.to_frame(), json.loads(why.to_json())
    t, u = why.individual["t"], why.individual["u"]
    for name in why:
        assert frame.loc[name, ["contrast", "fact", "foil"]].tolist() == [t[name] - u[name], t[name], u[name]]
        assert data["contributions"][name] == t[name] - u[name]
        assert (data["individual"]["t"][name], data["individual"]["u"][name]) == (t[name], u[name])
        assert t.to_frame().loc[name, "contribution"] == t[name]
    sigma = qx.strengths(why.qbaf)
    assert data["gap"] == pytest.approx(sigma["t"] - sigma["u"], abs=1e-12)
    assert data["strengths"] == pytest.approx(dict(sigma), abs=1e-12)


def test_frames_of_many_topics_stand_in_the_right_rows() -> None:
    for seed in SEEDS:
        q = graph(seed)
        sigma, order, pairs = qx.strengths(q), qx.rank(q), qx.all_pairs(q)
        frame = order.to_frame()
        for k, topic in enumerate(order.order):
            assert frame.loc[topic, "strength"] == pytest.approx(sigma[topic], abs=1e-12)
            ahead = sigma[topic] - sigma[order.order[k + 1]] if k < 2 else np.nan
            assert frame.loc[topic, "ahead_of_next"] == pytest.approx(ahead, abs=1e-12, nan_ok=True)
        table = pairs.to_frame()
        for a, b in table.index:
            assert table.loc[(a, b), "gap"] == pytest.approx(sigma[a] - sigma[b], abs=1e-12)
            for name in "abcd":
                assert table.loc[(a, b), name] == pairs[a, b][name]
        assert qx.strengths(q).to_frame()["strength"].tolist() == sigma.array.tolist()
        found = qx.whatif(q, "t", "u", base_scores={"a": 0.35}).to_frame()
        assert found["before"].tolist() == sigma.array.tolist()
        assert found["after"].tolist() == qx.strengths(q.with_base_scores({"a": 0.35})).array.tolist()


@each_contrast
def test_bars_in_svg_have_the_lengths_sides_and_numbers_of_the_result(seed: int, method: str) -> None:
    why = contrast(seed, method)
    root = ElementTree.fromstring(bars_svg(why))
    groups = [each for each in root.iter() if "qx-bar" in (each.get("class") or "").split() and each.get("data-name")]
    assert {each.get("data-name") for each in groups} == set(why)
    lengths = []
    for group in groups:
        name = group.get("data-name") or ""
        assert float(group.get("data-value") or "nan") == why[name]
        assert any(same(NUMBER.findall(each.text or "x0")[0], why[name]) for each in group if each.get("font-weight"))
        thick, upper, lower = [each for each in group if each.tag.endswith("rect")]
        values = (why[name], why.individual["t"][name], why.individual["u"][name])
        lengths += [
            (float(each.get("width") or 0), abs(value))
            for each, value in zip((thick, upper, lower), values, strict=True)
        ]
        if why[name]:
            assert thick.get("class") == ("qx-fact" if why[name] > 0 else "qx-foil")
        spoken = NUMBER.findall((group.get("aria-label") or "").split(": ")[1].replace("± ", ""))
        assert same(spoken[-2], values[1])
        assert same(spoken[-1], values[2])
    scale = max(width / value for width, value in lengths if value > 0.01)
    for width, value in lengths:
        assert width == pytest.approx(scale * value, abs=1.6)  # the least width of a bar is 0.75


def widths(ax: Any) -> list[float]:
    return [each.get_width() for each in ax.patches]


def labels(axis: Any) -> list[str]:
    return [each.get_text().replace("\n", " ") for each in axis.get_ticklabels()]


@each_contrast
def test_bars_in_a_figure_have_the_lengths_and_numbers_of_the_result(seed: int, method: str) -> None:
    why = contrast(seed, method)
    ax = why.plot()
    t, u = why.individual["t"], why.individual["u"]
    order = [name for name, _ in why.ranked()]
    expected = [value for name in order for value in (why[name], t[name], u[name])]
    assert widths(ax)[: len(expected)] == expected
    assert labels(ax.yaxis)[: len(order)] == [why.qbaf.label(name) for name in order]
    numbers = [each.get_text() for each in ax.texts[: len(order)]]
    assert all(same(NUMBER.findall(text)[0], why[name]) for text, name in zip(numbers, order, strict=True))
    assert ax.get_title("left") == "◂ Label of u"  # where negative values are
    one = t.plot()
    assert widths(one) == [value for _, value in t.ranked()]


@pytest.mark.parametrize("method", ["shapley", "sampled"])
def test_a_waterfall_begins_at_the_base_scores_and_each_bar_where_the_last_one_ends(method: str) -> None:
    for seed in SEEDS:
        why = contrast(seed, method)
        start, *steps, end = qx.show.plot_waterfall(why).patches
        assert (start.get_x(), start.get_width()) == (0, why.base_gap)
        level = why.base_gap
        values = [*(value for _, value in why.ranked()), why.cross_topic.component]
        for bar, value in zip(steps, values, strict=True):
            assert bar.get_x() == pytest.approx(level, abs=1e-12)
            assert bar.get_width() == pytest.approx(value, abs=1e-12)
            level += value
        assert (end.get_x(), end.get_width()) == (0, why.gap)
        assert level == pytest.approx(why.gap, abs=1e-9)


@pytest.mark.heavy
def test_the_command_draws_the_figure_that_was_asked_for(
    qontrast: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    drawn = []
    for name, row in FIGURES.items():
        spy = replace(row, plot=lambda *a, row=row, name=name, **k: (drawn.append(name), row.plot(*a, **k))[1])
        monkeypatch.setitem(FIGURES, name, spy)
    zebra = qx.examples.load("zebra")
    uncertain = {"stripes": (0.1, 0.9)}
    given = {"labels": zebra.labels, "topics": zebra.topics, "semantics": zebra.semantics, "uncertain": uncertain}
    qx.write(qx.Qbaf(zebra.base_scores, zebra.attacks, zebra.supports, **given), tmp_path / "zebra.json")
    for figure in FIGURES:
        out = tmp_path / f"{figure}.png"
        assert qontrast(f"draw {tmp_path / 'zebra.json'} --figure {figure} -o {out}").code == 0
    assert drawn == list(FIGURES)


def test_figures_of_many_topics_show_gaps_and_strengths_in_their_places() -> None:
    for seed in SEEDS:
        q = graph(seed)
        sigma, order, pairs = qx.strengths(q), qx.rank(q), qx.all_pairs(q)
        ax = pairs.plot()
        cells = {each.get_position(): each.get_text() for each in ax.texts}
        for i, row in enumerate(q.topics):
            for j, column in enumerate(q.topics):
                assert cells[j, i] == "·" if i == j else same(cells[j, i], sigma[row] - sigma[column])
        assert labels(ax.xaxis) == labels(ax.yaxis) == [q.label(topic) for topic in q.topics]
        ax = order.plot()
        assert widths(ax) == pytest.approx([sigma[topic] for topic in order.order], abs=1e-12)
        found = [each.get_text() for each in ax.texts]
        for topic in order.order:
            assert any(NUMBER.fullmatch(text) and same(text, sigma[topic]) for text in found)
        run = qx.trajectory(q)
        lines = {tuple(line.get_ydata()) for line in run.plot().lines}
        assert all(tuple(run[name]) in lines for name in q)


class Tables(HTMLParser):
    """The tables of a page as lists of rows of cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[list[list[str]]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr":
            self.found[-1].append([])
        elif tag in ("td", "th"):
            self.found[-1][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][-1][-1] += data


def gap_under(q: qx.Qbaf, semantics: str) -> float:
    found = qx.strengths(q, semantics=semantics)
    return found["t"] - found["u"]


@each_contrast
def test_the_report_shows_the_numbers_of_the_result(seed: int, method: str) -> None:
    why, q = contrast(seed, method), graph(seed)
    settings = {"budget": 60} if method == "sampled" else {}
    numbers, *others = Tables(report_html(q, "t", "u", method=method, **settings)).found
    pairs = next(each for each in others if len(each[0]) == len(q.topics) + 1 and each[0][0] != "semantics")
    gaps = [row for each in others if each[0][0] == "semantics" for row in each[1:]]
    assert method == "sampled" or all(same(gap, gap_under(q, name)) for name, gap, _ in gaps)
    head, *rows = numbers
    assert head[-2:] == ["on t", "on “Label of u”"]
    by_name = {re.sub(r".*\[(\w)\]", r"\1", row[0]): row[1:] for row in rows}
    for name in why:
        expected = (
            q.base_scores[name],
            why.strengths[name],
            why[name],
            why.individual["t"][name],
            why.individual["u"][name],
        )
        assert all(same(NUMBER.findall(c)[0], x) for c, x in zip(by_name[name], expected, strict=True)), by_name[name]
    sigma = qx.strengths(q)
    for topic, (_, *cells) in zip(q.topics, pairs[1:], strict=True):
        for other, cell in zip(q.topics, cells, strict=True):
            assert cell == "·" if topic == other else same(cell, sigma[topic] - sigma[other])


@each_contrast
def test_numbers_in_sentences_belong_to_the_arguments_that_they_follow(seed: int, method: str) -> None:
    why = contrast(seed, method)
    said = f"{why} {qx.show.paragraph(why, measured=False)}"
    known = {why.qbaf.label(name): why[name] for name in why}
    checked = 0
    for label, text in re.findall(r"“(Label of \w)” \(([^)]*)\)", said):
        if label not in known or " there" in text or "leaves" in text:
            continue
        if abs(abs(read(NUMBER.findall(text)[0])) - abs(known[label])) > 5.1e-4:
            raise AssertionError(f"{label} is {known[label]}: {said}")
        checked += 1
    for label, there, on_foil in re.findall(
        rf"“(Label of \w)” \(({NUMBER.pattern}) there, ({NUMBER.pattern}) on", said
    ):
        name = label[-1]
        assert same(there, why.individual["t"][name])
        assert same(on_foil, why.individual["u"][name])
    assert checked or all(abs(value) < 5e-4 or isnan(value) for value in why.values())


def test_a_change_has_the_sign_of_after_minus_before(qontrast: Any, tmp_path: Any) -> None:
    for seed in SEEDS:
        q = graph(seed)
        qx.write(q, tmp_path / "g.json")
        before, after = qx.strengths(q), qx.strengths(q.with_base_scores({"a": 0.35}))
        out = (
            qontrast(f"whatif {tmp_path / 'g.json'} t u --set a=0.35").out.split("share of the gap")[0].splitlines()[1:]
        )
        for name in q:
            if abs(after[name] - before[name]) > 1e-4:
                old, new, change = NUMBER.findall(row_of(out, name))
                assert same(old, before[name], 4)
                assert same(new, after[name], 4)
                assert same(change, after[name] - before[name], 4)


def test_an_audit_shows_rates_shares_ranks_and_sizes_as_they_are() -> None:
    weights = [[-8.0, 8.0, 0.0], [0.0, 0.0, 16.0]]
    names = {"inputs": ["race", "age"], "classes": ["Low", "Medium", "High"]}
    network = qx.networks.from_arrays([weights], [[4.0, -4.0, -8.0]], **names)
    x = np.column_stack([np.repeat([0.0, 1.0, 0.6], 10), np.tile(np.linspace(0.0, 1.0, 10), 3)])
    found = qx.audit(network, x, "Medium", "Low", protected="race")
    assert 0 < found.changed < 1
    said, page = str(found), found.report_html()
    rate, flips, candidates, share = re.findall(r"flip rate (\S+) \((\d+) of (\d+) .*?\); (\d+) % of all", said)[0]
    assert same(rate, found.flips / found.candidates, 2)
    assert (int(flips), int(candidates)) == (found.flips, found.candidates)
    assert same(share, 100 * found.changed, 0)
    assert f"<b>{rate}</b>" in page
    assert f"{share} % of all" in page
    for method, features in found.table.items():
        block = said.split(f"\n{method} ")[1].split("\n\n")[0].splitlines()[1:]
        for (name, each), line in zip(features.items(), block, strict=True):
            assert name in line
            numbers = [read(number) for number in NUMBER.findall(line)]
            one, two = each.individual_rank, each.contrastive_rank
            expected = [one.mean, one.low, one.high, two.mean, two.low, two.high]
            expected += [each.individual.mean, each.contrastive.mean]
            assert numbers == pytest.approx(expected, abs=5.1e-3)
