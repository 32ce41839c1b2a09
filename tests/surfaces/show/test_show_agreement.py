"""What a sentence claims is what the table beside it shows."""

from __future__ import annotations

import re

import pytest

import qontrast as qx
from qontrast.graph.labels import quote_label
from qontrast.show import describe
from qontrast.show.numbers import SHOWN_AS_ZERO, number
from qontrast.show.phrasing import LANGUAGES
from qontrast.show.reach_texts import describe_reach
from qontrast.show.semantics_texts import describe_comparison, write_strongest
from qontrast.show.uncertainty_texts import describe_sampling, describe_uncertainty
from tests.support.results_to_show import make_results
from tests.support.worded_results import comparisons

UNDER = {"en": "under", "de": "unter"}
ALL = {"en": r"is ([A-Z]) under all of them\.", "de": r"ist unter allen ([A-Z])\."}
AVERAGE = {"en": "on average", "de": "im Mittel"}


def name_strongest(text: str, found: qx.SemanticsComparison, code: str) -> dict[str, str]:
    """Semantics → the reason that the text calls the strongest under it."""
    if same := re.search(ALL[code], text):
        return dict.fromkeys(found.gaps, same[1])
    listed = re.findall(rf"([A-Z]) \({UNDER[code]} ([^()]*)\)", text)
    return {name: who for who, names in listed for name in re.split(r", | and | und ", names)}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_strongest_reason_under_a_semantics_stands_first_in_its_row_of_the_table(code: str) -> None:
    seen = set()
    for found in comparisons():
        text = describe_comparison(found, language=code)
        named = name_strongest(text, found, code)
        for semantics, gap in found.gaps.items():
            row = write_strongest(found, semantics, code)
            why = found.contrasts.get(semantics, {})
            leading = [x for x, value in sorted(why.items(), key=lambda each: -abs(each[1])) if value * gap > 0]
            shown = [x for x in leading if abs(why[x]) >= SHOWN_AS_ZERO] if found.signs[semantics] else []
            seen.add((bool(shown), re.search(ALL[code], text) is not None))
            assert (semantics in named) == bool(shown), text
            if shown:
                assert named[semantics] == shown[0]
                assert row.startswith(f"{quote_label(found.qbaf, shown[0])} ("), row
                against = row.partition("; ")[2]
                assert all(value * gap > 0 for value in (why[x] for x in re.findall("[A-Z]", row.partition("; ")[0])))
                assert all(why[x] * gap < 0 for x in re.findall(r"\b[A-Z]\b", against))
    assert seen == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_average_names_the_semantics_that_it_is_the_average_of(code: str) -> None:
    found = qx.compare_semantics(qx.examples.load("healthcare"), "antiviral", "antibiotic")
    without = "df-quad-squared-product"
    assert without in found.sides[0]
    assert without not in found.contrasts
    text = describe_comparison(found, language=code)
    said = next(each for each in re.split(r"(?<=[.:]) ", text) if AVERAGE[code] in each)
    names = [name for name in qx.SEMANTICS if re.search(rf"\b{name}\b(?!-)", said)]
    assert set(names) == set(found.contrasts)
    means = [
        sum(found.contrasts[name]["viral"] for name in side if name in names) / len({*side} & {*names})
        for side in found.sides
    ]
    assert LANGUAGES[code].number(number(means[0] - means[1])) in said


def test_two_semantics_that_disagree_have_no_average() -> None:
    split = qx.Qbaf(dict.fromkeys("TUAB", 0.5) | {"C": 0.6}, supports=[("A", "T"), ("B", "T"), ("C", "U")])
    found = qx.compare_semantics(split, "T", "U", semantics=["qe", "ebt"])
    assert f"under qe it speaks for T by {number(found.differences['A'])} more than under ebt." in str(found)


def test_the_table_of_semantics_has_the_sign_of_every_gap(qontrast) -> None:
    for fact, foil, sign in (("approve", "refer", "+"), ("refer", "approve", "−")):
        gaps = qontrast(f"semantics examples:loan {fact} {foil} --json").data["gaps"]
        rows = qontrast(f"semantics examples:loan {fact} {foil}").out.splitlines()
        for name, gap in gaps.items():
            row = [each for each in rows if each.startswith(f"{name} ")][-1]
            assert row.split()[1] == number(gap, "+", 4)
            assert row.split()[1][0] == sign


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_line_of_a_history_names_the_two_versions_of_its_step(code: str) -> None:
    for found in make_results("History"):
        assert isinstance(found, qx.History)
        _, *lines = describe(found, language=code).split("\n")
        names = zip(found.names, found.names[1:], found.steps, strict=False)
        assert lines == [f"{one} → {other}: {describe(step, language=code)}" for one, other, step in names]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_delta_method_speaks_of_the_topic_that_the_sentence_speaks_of(code: str) -> None:
    graph = qx.Qbaf(
        {"p": 0.9, "q": 0.5, "x": 0.6}, supports=[("x", "q")], uncertain={"p": (0.5, 0.95), "x": (0.3, 1.0)}
    )
    texts = set()
    for pair in (("p", "q"), ("q", "p")):
        found = qx.uncertainty(graph, *pair, samples=1000)
        assert found.delta is not None
        assert 0.05 < min(found.delta.probability, 1 - found.delta.probability) < 0.4
        said = describe_uncertainty(found, language=code), describe_sampling(found, language=code)
        percent = max(found.delta.probability, 1 - found.delta.probability)
        assert said[1].endswith(f" {100 * percent:.0f} %")
        texts.add(said)
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("code", "said"), [("en", "p has strength 0.300 as before"), ("de", "p die Stärke 0,300 wie zuvor")]
)
def test_a_topic_that_a_change_leaves_as_it_is_keeps_its_strength_in_words(code: str, said: str) -> None:
    found = qx.reach(qx.Qbaf({"p": 0.3, "q": 0.2}), "q >= p", fixed=["p"], prove=False)
    assert said in describe_reach(found, language=code)
