"""Every number and every name in a text about a result is found in the result, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from rich.console import Console

import qontrast as qx
from qontrast.results.base import SCHEMAS, Result
from qontrast.show import account, contrast_bars, describe, interactions_table, pairs_table, paragraph, ranking_table
from qontrast.show.interaction_texts import write_measurement, write_pairs_question, write_rest
from qontrast.show.narrative import write_question
from qontrast.show.phrasing import LANGUAGES
from qontrast.show.uncertainty_texts import describe_sampling, list_shares
from qontrast.studies.page import StudyResult
from tests.support import worded_results
from tests.support.all_results import BARE, KINDS, make_other_results, make_results
from tests.support.profiles import number_of_cases
from tests.support.sentences import (
    collect,
    collect_result,
    find_problems,
    find_slips,
    mark_names,
    read_amounts,
    read_page,
)

SEEDS = number_of_cases(6, 1)
WORDED = (
    "contrasts",
    "flips",
    "reached",
    "robustnesses",
    "interactions",
    "uncertainties",
    "comparisons",
    "reasons",
    "changes",
)


@cache
def all_results(source: str) -> list[Result]:
    """Results of one kind of graph, without a graph ("other"), or made to say what no small graph says."""
    if source in WORDED:
        return list(getattr(worded_results, source)())
    if source == "other":
        return list(make_other_results())
    every = 1 if source in ("plain", "undefined") else number_of_cases(1, 3)
    return [found for seed in range(SEEDS) for found in make_results(source, seed, every)]


def list_texts(result: Any, code: str) -> Iterator[str]:
    """All that is said about a result in one language."""
    if isinstance(result, StudyResult):
        yield from [str(result)] if code == "en" else []
        return
    yield describe(result, language=code)
    if code == "en":
        yield str(result)
        yield read_page(result._repr_html_())
    if isinstance(result, qx.Contrast):
        yield from (write(result, language=code) for write in (paragraph, account, write_question))
        yield print_table(contrast_bars(result, limit=4, language=code))
    if isinstance(result, qx.Interactions):
        yield from (write(result, language=code) for write in (write_pairs_question, write_measurement))
        yield write_rest(result, 3, language=code)
        yield print_table(interactions_table(result, limit=3, language=code))
    if isinstance(result, qx.Uncertainty):
        yield describe_sampling(result, language=code)
        yield from (" ".join(cells) for _, cells in list_shares(result, LANGUAGES[code]))
    if isinstance(result, qx.Ranking):
        yield print_table(ranking_table(result, language=code))
    if isinstance(result, qx.Pairs):
        yield print_table(pairs_table(result, language=code))


def print_table(table: Any) -> str:
    console = Console(width=400, color_system=None)
    with console.capture() as got:
        console.print(table)
    return got.get()


@pytest.mark.parametrize("source", [*KINDS, "other"])
def test_every_number_and_every_name_in_a_text_is_found_in_the_result(source: str) -> None:
    check_texts(all_results(source), BARE)


@pytest.mark.parametrize("source", WORDED)
def test_every_number_and_every_name_in_a_text_that_is_rarely_said_is_found_in_the_result(source: str) -> None:
    check_texts(all_results(source), rf"[A-Z]|{BARE}")


def check_texts(results: list[Result], bare: str) -> None:
    """Look up what is said about results in every language."""
    for result in results:
        facts = collect_result(result)
        for code in LANGUAGES:
            for text in list_texts(result, code):
                problems = find_problems(text, facts, code, bare=bare) + find_slips(text, facts, code)
                assert problems == [], f"{type(result).__name__}: {text}"


def test_results_of_every_kind_are_put_to_the_test() -> None:
    kinds = {type(each).schema.name for source in ("plain", "undefined", "other") for each in all_results(source)}
    assert kinds == set(SCHEMAS)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_number_that_is_another_or_has_another_sign_is_noticed_nearly_everywhere(code: str) -> None:
    """The law would be worth nothing if a result had every number."""
    missed, tried = [], 0
    for result in all_results("plain"):
        facts = collect_result(result)
        text = describe(result, language=code) if not isinstance(result, StudyResult) else str(result)
        marked, names = mark_names(" ".join(text.split()), facts.names)
        for amount in read_amounts(marked, names, code):
            for wrong in _alter(amount.text, LANGUAGES[code].decimal):
                tried += 1
                if not find_problems(text.replace(amount.text, wrong), facts, code):
                    missed.append((amount.text, wrong, text))
    assert tried > 300
    assert len(missed) < 0.1 * tried, missed[:20]


def _alter(text: str, decimal: str) -> Iterator[str]:
    """The same number with the other sign, where it has one, and with other digits."""
    sign, digits, rest = re.fullmatch(r"([+−]?)([\d.,]+)(.*)", text).groups()  # type: ignore[union-attr]
    if sign:
        yield text.replace(sign, "−" if sign == "+" else "+")
    whole, mark, part = digits.partition(decimal)
    if mark:
        yield f"{sign}{whole}{mark}{(int(part) + 37) % 10 ** len(part):0{len(part)}}{rest}"
    else:
        yield f"{int(re.sub('[.,]', '', digits)) + 17}{rest}"


def test_the_numbers_of_a_text_are_read_with_their_sign_unit_and_name() -> None:
    said = "“58 % said yes” (+0.328 ± 0.010), x1 [x] (−3.4·10⁻⁷) and 1,195 more in 91.5 % of 8,192 cases, 0.5 to 1."
    marked, names = mark_names(said, ["x1"])
    found = [(each.value, each.sign, each.unit, each.about, each.rest) for each in read_amounts(marked, names)]
    assert found == [
        (0.328, "+", "number", "58 % said yes", False),
        (0.01, "", "number", "58 % said yes", False),
        (-3.4e-7, "−", "number", "x1", False),
        (1195.0, "", "count", None, True),
        (91.5, "", "percent", None, False),
        (8192.0, "", "count", None, False),
        (0.5, "", "number", None, False),
        (1.0, "", "count", None, False),
    ]
    german = "„x y“ (+0,328) und 1.195 weitere in mehr als 99 % der Fälle"
    marked, names = mark_names(german, [])
    found = [(each.value, each.unit, each.about, each.bound) for each in read_amounts(marked, names, "de")]
    assert found == [
        (0.328, "number", "x y", ""),
        (1195.0, "count", None, ""),
        (99.0, "percent", None, "more"),
    ]


@pytest.mark.parametrize(
    ("said", "problem"),
    {
        "x (+0.250) is ahead of “The other one” by 0.1": [],
        "x (−0.250)": ["−0.250 behind x"],
        "“The other one” (+0.250)": ["+0.250 behind The other one"],
        "x (25 %)": [],
        "x (0.25 %)": ["0.25 % behind x"],
        "x has a quarter of it": [],
        "x has half of it": ["0.50 in words"],
        "3 cases": [],
        "4 cases": ["4"],
        "“Another one”": ["the name Another one"],
        "z is ahead": ["the name z"],
        "under reb": ["the name reb"],
        "more than 24 %": [],
        "less than 5 %": ["5 %"],
    }.items(),
)
def test_what_a_result_does_not_hold_is_noticed(said: str, problem: list[str]) -> None:
    graph = qx.Qbaf({"x": 0.9, "y": 0.1}, labels={"y": "The other one"})
    facts = collect(graph, {"shares": {"x": 0.25, "y": 0.1}, "semantics": "qe", "cases": [1.5, 2.5, 3.5]})
    assert find_problems(said, facts, bare="[x-z]") == problem


def test_words_that_stand_twice_and_plurals_of_one_are_noticed() -> None:
    facts = collect(qx.Qbaf({"at": 0.5}))
    assert find_slips("starting in in line 1 cases, 1 other paths, at at 11 lines", facts) == [
        "in in",
        "1 cases",
        "1 other paths",
    ]
