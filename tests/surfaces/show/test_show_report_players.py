"""The report of every kind of players, in every language: its tables hold the players and their numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import qontrast as qx
from qontrast.show import fingerprint, report_html
from qontrast.show.html import report
from qontrast.show.numbers import number
from qontrast.show.phrasing import LANGUAGES, choose

GRAPH = qx.Qbaf(
    {"p": 0.5, "q": 0.4, "r": 1.0, "a": 0.7, "b": 0.2, "c": 0.9, "d": 0.0},
    attacks={("a", "b"): 0.5, ("a", "q"): 1.0, ("p", "q"): 0.3, ("d", "p"): 1.0, ("r", "q"): 0.25},
    supports={("b", "p"): 0.8, ("c", "a"): 1.0, ("c", "b"): 1.0, ("q", "r"): 1.0},
    labels={"a": "It rains", "b": "The road is wet", "p": "Take the bus", "q": "Ride a bike"},
    topics=["p", "q", "r"],
    semantics="qe",
)
THEMES = {"weather": ["a", "c"], "other topic": ["r", "d"]}
PLAYERS: dict[str, Any] = {"arguments": "arguments", "edges": "edges", "direct": "direct", "groups": THEMES}
ASKED = [(kind, method) for method, entry in qx.METHODS.items() for kind in entry.players]
HEADS = {
    ("arguments", "en"): ["Argument", "Base score", "Strength"],
    ("edges", "en"): ["Source", "Relation", "Target"],
    ("direct", "en"): ["Source", "Relation", "Target"],
    ("groups", "en"): ["Group or argument", "Members"],
    ("arguments", "de"): ["Argument", "Basiswert", "Stärke"],
    ("edges", "de"): ["Quelle", "Beziehung", "Ziel"],
    ("direct", "de"): ["Quelle", "Beziehung", "Ziel"],
    ("groups", "de"): ["Gruppe oder Argument", "Mitglieder"],
}
RELATIONS = {"en": ("attack", "support", "weight"), "de": ("Angriff", "Unterstützung", "Gewicht")}


@cache
def explain(kind: str, method: str) -> qx.Contrast:
    return qx.contrast(GRAPH, "p", "q", players=PLAYERS[kind], method=method)


@cache
def write(kind: str, method: str, language: str) -> str:
    return report_html(GRAPH, "p", "q", players=PLAYERS[kind], method=method, language=language)


def tables_of(page: str) -> list[list[list[str]]]:
    """All tables as rows of texts, the head first."""
    found = [ElementTree.fromstring(text) for text in re.findall("<table>.*?</table>", page, re.DOTALL)]
    return [[["".join(cell.itertext()) for cell in row] for row in each.iter("tr")] for each in found]


def describe(why: qx.Contrast, player: Any, language: str) -> list[str]:
    """What the first columns of a row should say."""
    to = choose(language)

    def call(name: str) -> str:
        return f"{GRAPH.labels[name]} [{name}]" if name in GRAPH.labels else name

    if isinstance(player, tuple):
        attack, support, weight = RELATIONS[language]
        size = {**GRAPH.attacks, **GRAPH.supports}[player]
        relation = attack if player in GRAPH.attacks else support
        relation += "" if size == 1 else f", {weight} {to.number(f'{size:g}')}"
        return [call(player[0]), relation, call(player[1])]
    if why.players.kind == "groups":
        return [call(player), ", ".join(GRAPH.label(member) for member in THEMES.get(player, ()))]
    return [call(player), to.number(number(GRAPH.base_scores[player])), to.number(number(why.strengths[player]))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "method"), ASKED)
def test_the_table_of_a_report_has_a_row_for_each_player_with_its_numbers(
    kind: str, method: str, language: str
) -> None:
    why, to = explain(kind, method), choose(language)
    numbers, *_ = tables_of(write(kind, method, language))
    head, *rows = numbers
    shown = why.players.kind  # Owen values of groups are those of arguments
    columns = len(HEADS[shown, language])
    assert head[:columns] == HEADS[shown, language]
    assert len(head) == columns + 3
    edges = kind in ("edges", "direct")  # those without an effect are left out
    single = [why.individual[topic] for topic in ("p", "q")]
    ranked = [(x, value) for x, value in why.ranked() if not edges or value or any(each[x] for each in single)]
    assert [row[:columns] for row in rows[: len(ranked)]] == [describe(why, name, language) for name, _ in ranked]
    for row, (name, value) in zip(rows, ranked, strict=False):
        sampled = why.std_error is not None
        assert row[columns] == to.number(number(value, "+")) or (sampled and " ± " in row[columns])
        assert row[columns + 1 :] == [to.number(number(each[name], "+")) for each in single]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "method"), [(kind, method) for kind, method in ASKED if kind != "arguments"])
def test_a_report_calls_edges_edges_and_groups_groups(kind: str, method: str, language: str) -> None:
    page, why = write(kind, method, language), explain(kind, method)
    facts = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page))
    to = choose(language)
    if why.players.kind == "arguments":
        assert to.say("made.players") not in facts
    else:
        assert facts[to.say("made.players")] == to.say(f"made.players.{kind}")
    drawn = re.findall('class="qx-bar[^>]*?data-(name|source)="', page)
    single = [why.individual[topic] for topic in ("p", "q")]
    assert len(drawn) == sum(
        kind == "groups" or any((value, *(each[x] for each in single))) for x, value in why.items()
    )
    assert {*drawn} == {"source" if kind in ("edges", "direct") else "name"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "method"), [("arguments", "shapley"), ("edges", "owen")])
def test_the_share_of_each_argument_opens_into_its_edges(kind: str, method: str, language: str) -> None:
    to, opened = choose(language), explain("edges", "owen")
    (_, *rows), *_ = (
        each
        for each in tables_of(write(kind, method, language))
        if each[0][0].startswith("Argument,") or each[0][0].startswith("Argument und")
    )
    totals = {}
    for source in GRAPH:
        edges = {edge: value for edge, value in opened.items() if edge[0] == source and value}
        if not edges:
            continue
        text = f"{GRAPH.labels[source]} [{source}]" if source in GRAPH.labels else source
        place = [row[0] for row in rows].index(text)
        totals[source] = sum(edges.values())
        assert rows[place][1] == to.number(number(totals[source], "+"))
        below = sorted(row[1] for row in rows[place + 1 : place + 1 + len(edges)])
        assert below == sorted(to.number(number(value, "+")) for value in edges.values())
    by_argument = explain("arguments", "shapley")
    for source, value in by_argument.items():
        assert totals.get(source, 0.0) == pytest.approx(value, abs=1e-9)


def test_only_shapley_values_open_and_only_where_that_is_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    heading = f"<h2>{choose('en').say('report.opened')}</h2>"
    opened = {asked for asked in ASKED if heading in write(*asked, "en")}
    assert opened == {("arguments", "shapley"), ("edges", "owen")}
    monkeypatch.setattr(report, "MAX_EVALUATIONS", 10)
    assert heading not in report_html(GRAPH, "p", "q")


def test_bars_of_shapley_values_have_arcs_of_the_strongest_interactions_where_that_is_cheap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_arcs = {asked for asked in ASKED if 'class="qx-arc"' in write(*asked, "en")}
    assert with_arcs == {(kind, "shapley") for kind in PLAYERS}
    monkeypatch.setattr(report, "MAX_EVALUATIONS", 10)
    assert 'class="qx-arc"' not in report_html(GRAPH, "p", "q")


def test_a_group_may_hold_a_topic_that_the_report_does_not_explain() -> None:
    pairs = next(each for each in tables_of(write("groups", "shapley", "en")) if each[1][0] == "Take the bus [p]")
    assert [row[0] for row in pairs[1:]] == ["Take the bus [p]", "Ride a bike [q]", "r"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_tables_count_the_edges_and_members_that_are_left_out(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(report, "MAX_ROWS", 2)
    monkeypatch.setattr(report, "MAX_MEMBERS", 1)
    rest = {
        "en": ("7 more edges contribute less.", "3 more"),
        "de": ("7 weitere Kanten tragen weniger bei.", "3 weitere"),
    }
    text, more = rest[language]
    assert text in report_html(GRAPH, "p", "q", players="edges", method="removal", language=language)
    page = report_html(GRAPH, "p", "q", players={"all": ["a", "b", "c", "d"]}, language=language)
    assert f"It rains, {more}" in page


def test_a_picture_that_leaves_out_arguments_keeps_the_members_of_the_strongest_group() -> None:
    names = [f"x{k}" for k in range(90)]
    q = qx.Qbaf(
        {"p": 0.5, "q": 0.5, **dict.fromkeys(names, 0.5)},
        supports={(x, "p"): 1.0 if x in ("x88", "x89") else 0.001 for x in names},
        topics=["p", "q"],
    )
    page = report_html(q, "p", "q", players={"last": ["x88", "x89"]}, method="removal")
    assert {'data-name="x88"', 'data-name="x89"'} <= set(re.findall('data-name="[^"]*"', page))


def test_the_fingerprint_depends_on_groups() -> None:
    grouped = [
        qx.Qbaf({"a": 0.5, "b": 0.5, "c": 0.5}, groups=groups)
        for groups in (None, {"one": ["a", "b"]}, {"one": ["b", "a"]}, {"one": ["a", "c"]})
    ]
    bare, one, same, other = map(fingerprint, grouped)
    assert one == same
    assert len({bare, one, other}) == 3


@pytest.mark.parametrize("line", ["--players edges --method removal", "--players direct", "--groups themes.csv"])
def test_the_command_report_takes_players(qontrast: Any, tmp_path: Path, line: str) -> None:
    Path("themes.csv").write_text("argument,group\na,weather\nc,weather\nr,other topic\nd,other topic\n")
    qx.write(GRAPH, "graph.json")
    for language in LANGUAGES:
        kind = "groups" if "--groups" in line else line.split()[1]
        method = "removal" if "removal" in line else "shapley"
        assert qontrast(f"report graph.json p q {line} --no-flip --language {language} -o {language}.html").code == 0
        page = Path(f"{language}.html").read_text(encoding="utf-8")
        assert tables_of(page) == tables_of(write(kind, method, language))
