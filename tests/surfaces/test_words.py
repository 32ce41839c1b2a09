"""Words such as proved and exact have a row for every place that sets or says them, and mean the same everywhere."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.questions.question import Question
from qontrast.results.base import Result
from qontrast.show import describe
from qontrast.show.html.report import report_html
from qontrast.show.phrasing import LANGUAGES
from qontrast.show.presentation import html
from qontrast.web import answers
from qontrast.web.agents import find_words
from tests.support.paths import ROOT
from tests.support.words import WORDS, find_fields, find_phrases, find_strings

# -- the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", WORDS)
def test_every_field_of_a_result_that_holds_the_word_has_a_row(word: str) -> None:
    assert find_fields(WORDS[word]) == WORDS[word].set_in, "add the field to WORDS, with a case on either side"


@pytest.mark.parametrize("word", WORDS)
def test_every_phrase_that_says_the_word_has_a_row(word: str) -> None:
    assert find_phrases(WORDS[word]) == WORDS[word].phrases, "add the phrase to WORDS, with a case on either side"


@pytest.mark.parametrize("word", WORDS)
def test_every_other_text_that_says_the_word_has_a_row(word: str) -> None:
    assert find_strings(WORDS[word]) == WORDS[word].strings, "count the text in WORDS, with a case on either side"


def test_every_word_names_tests_of_its_border() -> None:
    known = {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    for word, row in WORDS.items():
        assert row.set_in, word
        assert row.tests, word
        assert set(row.tests) <= known, word


def test_a_place_without_a_row_is_noticed() -> None:
    row = dataclasses.replace(WORDS["proved"], names=r"proved|cost$")
    assert "Reach.cost" in find_fields(row) - WORDS["proved"].set_in
    row = dataclasses.replace(WORDS["proved"], written={"en": r"[Pp]rove|Gap "})
    assert "account" in find_phrases(row) - WORDS["proved"].phrases
    assert find_strings(dataclasses.replace(row, written={"en": r"Searching"})) != {}


# -- the same word on every surface --------------------------------------------------------------------------------

QUICK: dict[str, Any] = {"time_limit": None}
PAIR = qx.Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, attacks=[("x", "q")], topics=["p", "q"], semantics="qe")
CYCLE = qx.Qbaf({"p": 0.6, "q": 0.5, "x": 0.5}, attacks=[("x", "q"), ("q", "x")], topics=["p", "q"], semantics="qe")


@cache
def make_cases() -> dict[str, list[tuple[Result, bool]]]:
    """Word and place → results on both sides of the border, and whether the word stands there."""
    reached = qx.reach(PAIR, "q >= p", **QUICK)
    unproved = qx.reach(PAIR, "q >= p", prove=False, **QUICK)
    bound = dataclasses.replace(unproved, lower=0.01)
    never = qx.reach(PAIR, "q >= 0.9", fixed=["q"], **QUICK)
    unknown = qx.reach(PAIR, "q >= 0.9", fixed=["q"], prove=False, **QUICK)
    stopped = dataclasses.replace(unproved, stopped=True)
    radius, cyclic = qx.robustness(PAIR, "p", "q", **QUICK), qx.robustness(CYCLE, "p", "q", **QUICK)
    loose = dataclasses.replace(radius, certified=radius.found - 2e-4, exact=False)
    lasting = qx.robustness(PAIR, "p", "q", movers=["x"], **QUICK)
    flipped = qx.flip(PAIR, "p", "q", **QUICK)
    stuck = qx.flip(PAIR.with_base_scores({"p": 0.9}), "p", "q", **QUICK)
    given_up = dataclasses.replace(stuck, change_proved=False, change_lower=0.0, proved=False, examined=0)
    ended = dataclasses.replace(flipped, change_stopped=True)
    reasons = qx.reasons(PAIR, "p", "q")
    some = dataclasses.replace(reasons, complete=False)
    late = dataclasses.replace(some, stopped=True, time_limit=2.0)
    return {
        "Reach.proved": [(reached, True), (unproved, False), (bound, False), (stopped, False), (never, True),
                         (unknown, False)],
        "Reach.possible is False": [(never, True), (unknown, False), (reached, False), (unproved, False)],
        "Reach.stopped": [(stopped, True), (unproved, False), (reached, False)],
        "Robustness.exact": [(radius, True), (loose, False), (cyclic, False)],
        "Robustness.certified": [(radius, True), (loose, True), (cyclic, False)],
        "Robustness.impossible": [(lasting, True), (radius, False), (loose, False), (cyclic, False)],
        "Robustness.stopped": [(dataclasses.replace(loose, stopped=True), True), (loose, False), (radius, False)],
        "Flip.change_proved": [(stuck, True), (given_up, False)],
        "Flip.proved": [(stuck, True), (given_up, False)],
        "Flip.stopped": [(ended, True), (flipped, False), (dataclasses.replace(ended, interrupted=True), True)],
        "Reasons.complete is False": [(some, True), (late, True), (reasons, False)],
        "Reasons.stopped": [(late, True), (some, False), (reasons, False)],
    }  # fmt: skip


SAID = {  # how a sentence says it
    "Reach.proved": {"en": "It is proved that no change|; this is proved", "de": "um mehr als|; das ist bewiesen"},
    "Reach.possible is False": {"en": "^No change of .*; this is proved", "de": "^Keine Änderung .*; das ist bewiesen"},
    "Reach.stopped": {"en": "was stopped early", "de": "vorzeitig beendet"},
    "Robustness.exact": {"en": "beyond that,", "de": "darüber kann"},
    "Robustness.certified": {"en": "^The order holds as long as", "de": "^Die Reihenfolge gilt, solange"},
    "Robustness.impossible": {"en": "^No change of .* ends the lead", "de": "^Keine Änderung .* beendet den Vorsprung"},
    "Robustness.stopped": {"en": "was stopped early", "de": "vorzeitig beendet"},
    "Flip.change_proved": {"en": "It is proved that no change", "de": "Es ist bewiesen, dass keine Änderung"},
    "Flip.proved": {"en": "Removing arguments (does not do it|brings)", "de": "Der Wegfall von Argumenten"},
    "Flip.stopped": {"en": "was stopped by|was interrupted", "de": "Zeitlimit|unterbrochen"},
    "Reasons.complete is False": {"en": "Not all sets were examined", "de": "Nicht alle Mengen"},
    "Reasons.stopped": {"en": "was stopped by", "de": "Zeitlimit"},
}  # fmt: skip
JSON = {  # where the same stands in JSON, and as what
    "Reach.proved": lambda data: data["proved"],
    "Reach.possible is False": lambda data: data["possible"] is False and data["lower"] is None,
    "Reach.stopped": lambda data: data["stopped"],
    "Robustness.exact": lambda data: data["exact"],
    "Robustness.certified": lambda data: data["certified"] > 0 and data["certifiable"],
    "Robustness.impossible": lambda data: data["impossible"] and data["certified"] is None,
    "Robustness.stopped": lambda data: data["stopped"],
    "Flip.change_proved": lambda data: data["base_scores"]["proved"],
    "Flip.proved": lambda data: data["removal"]["proved_smallest"],
    "Flip.stopped": lambda data: data["base_scores"]["stopped"],
    "Reasons.complete is False": lambda data: not data["complete"],
    "Reasons.stopped": lambda data: data["stopped"],
}
QUESTIONS = {"Reach": "reach", "Robustness": "robustness", "Flip": "flip", "Reasons": "reasons"}


@pytest.mark.parametrize("place", SAID)
def test_a_word_stands_in_sentence_notebook_json_and_api_where_its_evidence_holds_and_nowhere_else(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = make_cases()[place]
    assert {holds for _, holds in cases} == {True, False}
    for found, holds in cases:
        for code in LANGUAGES:
            assert (re.search(SAID[place][code], describe(found, language=code)) is not None) is holds
        data = json.loads(found.to_json())
        assert bool(JSON[place](data)) is holds
        assert (re.search(SAID[place]["en"].removeprefix("^"), html(found)) is not None) is holds
        answer = ask_server(found, monkeypatch)
        assert bool(JSON[place](answer)) is holds
        assert (re.search(SAID[place]["en"], find_words(answer)) is not None) is holds
        assert answer["words"] == str(found)


def ask_server(found: Result, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a page and an assistant get where this is what was found."""
    question = QUESTIONS[type(found).__name__]
    monkeypatch.setattr(Question, question, lambda *_, **__: found)
    graph = json.loads(qx.write_text(PAIR))
    body: dict[str, Any] = {"goal": ["q >= p"]} if question == "reach" else {"fact": "p", "foil": "q"}
    status, _, content = answers.answer(question, json.dumps({"graph": graph, **body}).encode())
    assert status == 200, content
    return dict(json.loads(content))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_stands_in_a_report_where_its_evidence_holds_and_nowhere_else(language: str) -> None:
    for place in SAID:
        kind = place.partition(".")[0].lower()
        if kind not in ("flip", "robustness"):
            continue
        for found, holds in make_cases()[place]:
            assert found.qbaf is not None
            page = report_html(found.qbaf, "p", "q", language=language, method="removal", **{kind: found})  # type: ignore[arg-type]
            text = re.sub(r"<[^>]+>", "", page).replace("⁨", "").replace("⁩", "")
            said = SAID[place][language].removeprefix("^")
            assert (re.search(said, text) is not None) is holds, (place, holds)


def test_numbers_of_bounds_are_rounded_to_the_safe_side_in_every_language() -> None:
    radius = make_cases()["Robustness.exact"][1][0]
    assert isinstance(radius, qx.Robustness)
    for certified, found in ((0.12349, 0.12351), (0.019999, 0.020001), (0.5 - 1e-6, 0.5 + 1e-6)):
        given = dataclasses.replace(radius, certified=certified, found=found)
        for code, language in LANGUAGES.items():
            numbers = re.findall(r"\d+[.,]\d+", describe(given, language=code))
            low, high = (float(each.replace(language.decimal, ".")) for each in numbers)
            assert low <= certified
            assert high >= found
            assert high - low <= 0.003 + found - certified
    assert not np.isnan(radius.found)
