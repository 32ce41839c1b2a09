"""Every sentence exists in every language, with the same numbers, and no English in the German ones."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from html.parser import HTMLParser
from inspect import signature
from itertools import product
from typing import Any

import pytest

import qontrast as qx
from qontrast import axioms
from qontrast.attribution.defaults import MethodChoice
from qontrast.explain.history import History
from qontrast.show import (
    account,
    bars_svg,
    contrast_bars,
    describe,
    graph_svg,
    interactions_table,
    narrative,
    paragraph,
    ranking_table,
    report_html,
    sentence,
)
from qontrast.show.change_texts import find_change, find_history, find_main_reason
from qontrast.show.descriptions import find_flip
from qontrast.show.interaction_texts import (
    find_interactions,
    find_rows,
    write_measurement,
    write_pairs_question,
    write_rest,
)
from qontrast.show.narrative import write_question
from qontrast.show.phrasing import LANGUAGES, Statement, name_value
from qontrast.show.player_texts import find_choice
from qontrast.show.presentation import PRESENTATIONS
from qontrast.show.reach_texts import find_reach
from qontrast.show.reason_texts import find_reasons
from qontrast.show.robustness_texts import find_question as find_robustness_question
from qontrast.show.robustness_texts import find_robustness
from qontrast.show.semantics_texts import find_comparison
from qontrast.show.uncertainty_texts import find_uncertainty
from tests.support.graphs_to_show import healthcare
from tests.support.worded_results import (
    METHODS,
    changes,
    comparisons,
    contrasts,
    contrasts_of_other_players,
    flips,
    graph,
    interactions,
    reached,
    reasons,
    robustnesses,
    uncertainties,
)

OTHERS = [code for code in LANGUAGES if code != "en"]
ENGLISH = LANGUAGES["en"].phrases
# Words that are English and nothing else; those that German shares (Argument, Graph, in) are left out.
ENGLISH_WORDS = {
    word for phrase in ENGLISH.values() for word in re.findall(r"[a-z]{2,}", re.sub(r"\{\w+\}", " ", phrase))
} - {
    word
    for phrase in [*LANGUAGES["de"].phrases.values(), *LANGUAGES["de"].texts.values()]
    for word in re.findall(r"[a-z]{2,}", re.sub(r"\{\w+\}", " ", phrase))
}
NUMBER = r"[+−]?\d+(?:[.,]\d+)*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def fields(phrase: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name}


def read_numbers(text: str) -> list[str]:
    return sorted(each.replace(",", ".") for each in re.findall(NUMBER, text))


def english_in(text: str) -> set[str]:
    return set(re.findall(r"\b[a-z]{2,}\b", text)) & ENGLISH_WORDS


CHOICES = [("owen", "few"), ("owen", "budget"), ("gradient", "many"), ("gradient", "slow")]


def said() -> Iterator[Statement]:
    for doubt in uncertainties():
        yield from find_uncertainty(doubt)
    for compared in comparisons():
        yield from find_comparison(compared)
    for found in reasons():
        yield from find_reasons(found)
    for bounds in robustnesses():
        yield find_robustness_question(bounds)
        yield from find_robustness(bounds)
    for change in changes():
        yield from find_change(change)
        for steps in ((change,), (change, change)):
            yield from find_history(History(names=("1", "2", "3")[: len(steps) + 1], steps=steps))
        yield find_main_reason(change)
    for pairs in interactions():
        yield from find_interactions(pairs)
    for why in contrasts():
        yield from narrative.summarize(why)
        yield from narrative.find_answer(why)
        yield from narrative.find_context(why)
        yield from narrative.find_measurement(why)
        yield from narrative.find_account(why)
    for each in flips():
        yield from find_flip(each)
    for goal in reached():
        yield from find_reach(goal)
    for (method, reason), size in product(CHOICES, (1, 2)):
        yield find_choice(MethodChoice(method, reason, size, size, size, size))


def find_keys(each: Any) -> Iterator[str]:
    """The phrases of a statement and of the statements in it."""
    if isinstance(each, Statement):
        count = each.fields.get("count")
        yield each.key if count is None else f"{each.key}.one" if count == 1 else f"{each.key}.many"
        for inner in each.fields.values():
            yield from find_keys(inner)
    elif isinstance(each, list):
        for inner in each:
            yield from find_keys(inner)


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_the_phrases_of_english_with_the_same_fields(code: str) -> None:
    other = LANGUAGES[code].phrases
    assert set(other) == set(ENGLISH), f"only one of English and {code} has the phrases {set(other) ^ set(ENGLISH)}"
    allowed = {
        "made.evaluations.one": {"way"},
        "made.evaluations.many": {"way"},
        "pairs.way.one": {"way"},
        "pairs.way.many": {"way"},
        "flip.removal.also": {"foil"},
    }
    for key, phrase in ENGLISH.items():
        assert fields(other[key]) - {"count"} <= fields(phrase), key
        assert fields(phrase) - fields(other[key]) <= allowed.get(key, set()), key


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_translates_every_text_of_every_method(code: str) -> None:
    texts = LANGUAGES[code].texts
    for entry in qx.METHODS.values():
        for text in (entry.title, entry.measures, entry.promises, entry.value, entry.lead, entry.note, entry.condition):
            assert not text or text in texts, f"the texts of the language {code} lack a translation of {text!r}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_phrase_with_a_count_has_one_form_for_one_and_one_for_many(code: str) -> None:
    phrases = LANGUAGES[code].phrases
    for key, phrase in phrases.items():
        if "count" in fields(phrase):
            stem, form = key.rsplit(".", 1)
            assert form in ("one", "many"), key
            assert {f"{stem}.one", f"{stem}.many"} <= set(phrases), key


def test_one_argument_that_is_left_out_of_a_german_picture_is_in_the_singular() -> None:
    for others, left_out in ((21, "1 weiteres, höchstens"), (22, "2 weitere, jeweils höchstens")):
        names = [f"x{i}" for i in range(others)]
        scores = {"a": 0.5, "b": 0.4} | {name: 0.3 + 0.01 * i for i, name in enumerate(names)}
        why = qx.contrast(qx.Qbaf(scores, supports=[(name, "a") for name in names]), "a", "b", method="removal")
        assert left_out in " ".join(read(bars_svg(why, language="de")))


@pytest.mark.parametrize("method", METHODS)
def test_german_names_of_methods_and_of_what_they_measure_are_nominatives(method: str) -> None:
    entry, german = qx.METHODS[method], LANGUAGES["de"]
    for text in map(german.text, (entry.title, entry.measures)):
        assert text.split()[0] not in ("den", "dem", "des", "einen", "einem", "eines"), text
    settings = {"budget": 40} if method == "sampled" else {}
    text = paragraph(qx.contrast(graph(0), "T", "U", method=method, **settings), language="de")  # type: ignore[arg-type]
    assert f"Methode: {german.text(entry.title)}; Semantik: qe; gemessen wird: {german.text(entry.measures)}." in text


@pytest.mark.heavy
def test_every_phrase_of_a_statement_is_said_in_every_language() -> None:
    elsewhere = (
        r"(live|question|bars|graph|size|report|made|rank|value|whole|of|number|and|tie|largest.values|list|strengths|"
        r"attribution|contributions|gaps|trajectory|paths?|explained|check|whatif|axiom|tried|network|audit)(\.|$)"
    )
    headings = {"flip.question", "flip.heading", "flip.table", "sure.question", "sure.heading", "sure.table"}
    headings |= {key for key in ENGLISH if re.match(r"pairs\.(question|who|table|other topic|rest|measured|way)", key)}
    headings |= {"sure.made.one", "sure.made.many", "sure.made.beside", "sure.made.delta"}
    headings |= {key for key in ENGLISH if key.startswith("sure.scores.")}
    headings |= {"robustness.heading", "robustness.table.base_scores", "robustness.table.weights"}
    headings |= {f"{key}.{kind}" for key in ("reasons", "semantics") for kind in ("question", "heading", "table")}
    headings |= {key for key in ENGLISH if key.startswith("reasons.kind.")}
    headings |= {"reach.question", "semantics.against"}
    headings |= {"change.table", "history.table", "history.one"}
    keys = {key for key in ENGLISH if not re.match(elsewhere, key)} - headings
    made: set[str] = set()
    for each in said():
        made.update(find_keys(each))
        for language in LANGUAGES.values():
            text = language.write(each)
            assert text
            assert "{" not in text
            assert not re.search(r"\bnan\b", text)
            if language.code != "en":
                assert not english_in(text), text
    assert sorted({key for key in made if not re.match(elsewhere, key)} ^ keys) == []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.heavy
def test_texts_have_the_numbers_of_the_english_ones_and_no_english_words(code: str) -> None:
    pairs = []
    for why in contrasts():
        for write in (sentence, paragraph, account, write_question, describe):
            pairs.append((write(why), write(why, language=code)))
    worded = [
        *robustnesses(),
        *flips(),
        *reached(),
        *interactions(),
        *uncertainties(),
        *reasons(),
        *comparisons(),
        *changes(),
    ]
    pairs += [(describe(found), describe(found, language=code)) for found in worded]
    pairs += [(describe(found), describe(found, language=code)) for found in map(qx.rank, map(graph, range(4)))]
    for english, other in pairs:
        assert read_numbers(english) == read_numbers(other), (english, other)
        assert not english_in(other), other
        assert not re.search(r"\d\.\d", other), other
        assert other.count("(") == other.count(")")


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.heavy
def test_a_report_in_another_language_has_the_numbers_of_the_english_one(code: str, method: str) -> None:
    q = graph(1)
    first, second = sorted(q.topics, key=lambda x: -qx.strengths(q)[x])
    settings = {"method": method, "flip": qx.flip(q, first, second)} | ({"budget": 40} if method == "sampled" else {})
    texts = [read(report_html(q, "T", "U", language=each, **settings)) for each in ("en", code)]  # type: ignore[arg-type]
    english, other = ([re.sub(r"\b[0-9a-f]{64}\b|qontrast \S+|SHA-256", "", each) for each in text] for text in texts)
    way = qx.contrast(q, "T", "U", **{k: v for k, v in settings.items() if k != "flip"}).how  # type: ignore[arg-type]
    in_english = read_numbers(" ".join(english).replace(way, ""))
    assert [each for each in read_numbers(" ".join(other)) if each not in in_english] == []
    assert not english_in(" ".join(other).replace(method, ""))


def read(page: str) -> list[str]:
    """The texts of a page, those that are read out included; no style sheet."""
    found: list[str] = []

    class Reader(HTMLParser):
        hidden = False

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.hidden = tag == "style"
            found.extend(value for key, value in attrs if key == "aria-label" and value)

        def handle_data(self, data: str) -> None:
            if not self.hidden:
                found.append(data)

    Reader().feed(page)
    return found


@pytest.mark.parametrize("code", OTHERS)
def test_pictures_and_tables_speak_the_language(code: str) -> None:
    from rich.console import Console

    q = graph(0)
    for why in contrasts():
        pictures = [bars_svg(why, language=code), graph_svg(why.qbaf, why.strengths, fact=why.fact, language=code)]
        console = Console(width=100, color_system=None)
        with console.capture() as got:
            console.print(contrast_bars(why, language=code))
        texts = [*(text for picture in pictures for text in read(picture)), got.get()]
        assert not english_in(" ".join(texts).replace(why.method, "")), texts
    for found in interactions():
        texts = [write_pairs_question(found, language=code), write_measurement(found, language=code)]
        texts += [text for row in find_rows(found, 2, LANGUAGES[code])[0] for text in row]
        table = interactions_table(found, limit=1, language=code)
        texts += [write_rest(found, 1, language=code), *(str(column.header) for column in table.columns)]
        assert not english_in(" ".join(texts).replace(found.semantics, "")), texts
    heads = [str(column.header) for column in ranking_table(qx.rank(q), language=code).columns]
    assert not english_in(" ".join(heads))
    for method in qx.METHODS:
        assert not english_in(name_value(method, language=code) + name_value(method, "strength", language=code))


def test_a_table_of_edges_is_indexed_by_source_and_target_and_one_of_groups_by_name() -> None:
    pytest.importorskip("pandas")
    why = qx.contrast(graph(0), "T", "U", players="edges", method="removal")
    frame = why.to_frame()
    assert frame.index.names == ["source", "target"]
    assert dict(zip(frame.index, frame["contrast"], strict=True)) == dict(why)
    phi = qx.contributions(graph(0), ["T", "U"], players="edges", method="removal")
    assert list(phi.to_frame().columns) == list(phi.players)
    assert "2 topics by" in str(phi)
    assert "argument" not in str(phi)
    grouped = qx.attribute(graph(0), "T", players={"both": ["A", "B"]}).to_frame()
    assert grouped.index.name == "group or argument"
    assert "both" in grouped.index


@pytest.mark.parametrize("method", ["shapley", "removal", "gradient", "owen"])
@pytest.mark.parametrize("players", ["edges", {"both": ["A", "C"]}], ids=["edges", "groups"])
def test_a_contrast_of_edges_or_groups_does_not_speak_of_arguments_or_base_scores_of_them(
    players: Any, method: str
) -> None:
    q = qx.Qbaf(dict.fromkeys("TUABC", 0.4), attacks=[("A", "U")], supports=[("A", "T"), ("B", "T"), ("C", "B")])
    why = qx.contrast(q, "T", "U", players=players, method=method)
    if why.players.kind == "arguments":
        return  # Owen values inside groups are those of arguments
    for language in LANGUAGES:
        whose = method != "owen"  # these are measured by the contributions of arguments
        text = sentence(why, language=language) + paragraph(why, language=language, measured=whose)
        assert "rgument" not in text
        assert "base score of" not in text


def test_labels_keep_their_letters_and_take_the_languages_quotation_marks() -> None:
    text = sentence(qx.contrast(healthcare(), "antiviral", "antibiotic"), language="de")
    assert text.startswith("„Antiviral therapy“ (0,3564) liegt um 0,1196 vor „Antibiotic therapy“ (0,2368)")
    odd = qx.Qbaf({"a": 0.5, "b": 0.4}, labels={"a": "x ”y“ z", "b": "x ”y“ z"})
    assert "„x ”y“ z“ [a] (0,500)" in sentence(qx.contrast(odd, "a", "b"), language="de")


def test_a_language_that_does_not_exist_is_refused() -> None:
    for write in (sentence, describe):
        with pytest.raises(qx.UnknownName, match="no language 'xx'"):
            write(contrasts()[0], language="xx")


def test_every_result_is_described_in_every_language() -> None:
    for name, row in PRESENTATIONS.items():
        assert "language" in signature(row.describe).parameters, name


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_translates_every_text_of_every_property(code: str) -> None:
    texts = LANGUAGES[code].texts
    for axiom in axioms.AXIOMS.values():
        for text in (axiom.title, axiom.premise, *axiom.words):
            assert text in texts, f"the texts of the language {code} lack a translation of {text!r}"
            assert fields(texts[text]) == fields(text), text


@pytest.mark.parametrize("method", qx.METHODS)
def test_the_texts_of_a_method_are_about_the_players_that_play(method: str) -> None:
    other = {"edges": r"[Aa]rgument|[Gg]ro?up|[Gg]rupp", "groups": r"[Aa]rgument|\b[Ee]dge|Kante"}
    other["direct"] = other["edges"]
    for kind in qx.METHODS[method].players:
        entry = qx.METHODS[method].for_players(kind)
        texts = [entry.title, entry.measures, entry.promises, entry.value, entry.lead, entry.note, entry.condition]
        for code, language in LANGUAGES.items():
            assert code == "en" or all(each in language.texts for each in texts if each)
            heads = [name_value(method, whole, players=kind, language=code) for whole in ("gap", "strength")]
            said = [*heads, *(language.text(each) for each in texts)]
            if kind != "arguments" and method != "owen":  # one text about unions of edges and of arguments
                assert [each for each in said if re.search(other[kind], each)] == []


def test_headings_of_edges_and_groups_do_not_speak_of_arguments() -> None:
    for why in contrasts_of_other_players():
        if why.players.kind == "arguments":
            continue
        kind = why.players.kind
        for code in LANGUAGES:
            heading = name_value(why.method, players=kind, language=code)
            assert heading in bars_svg(why, language=code)
        own = str(why.individual[why.fact])
        assert name_value(why.method, "strength", players=kind) in own
        assert "rgument" not in own
