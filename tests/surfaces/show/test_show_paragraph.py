"""The answer in words: what the paper points out, and nothing that the numbers do not say."""

from __future__ import annotations

import pytest

import qontrast as qx
from qontrast.show import paragraph, sentences
from qontrast.show.numbers import number
from tests.support.graphs_to_show import healthcare, kinked, treatment


def test_a_paragraph_says_who_is_ahead_and_why() -> None:
    text = paragraph(treatment())
    assert text.startswith(
        "“Antiviral therapy” is ahead of “Antibiotic therapy”: 0.3564 against 0.2368, a gap of 0.1196."
    )
    assert "in favour of “Antiviral therapy”, “Viral pneumonia” (+0.328) and “Positive PCR test” (+0.079)" in text
    assert "in favour of “Antibiotic therapy”, “Bacterial pneumonia” (−0.273) and “Elevated WBC count” (−0.032)" in text


def test_the_papers_asthma_is_strong_on_both_and_cancels() -> None:
    (line,) = [each for each in sentences(treatment()) if "cancel" in each]
    assert line.startswith("Asthma (−0.105 and −0.104, which leaves −0.001)")
    assert "Viral" not in line


def test_the_papers_wbc_count_is_small_on_the_fact_and_matters_for_the_contrast() -> None:
    (line,) = [each for each in sentences(treatment()) if "overlook" in each]
    assert "“Elevated WBC count” (−0.001 there, +0.031 on “Antibiotic therapy”)" in line


def test_a_paragraph_says_what_the_topics_do_to_each_other() -> None:
    (line,) = [each for each in sentences(treatment()) if "act on each other" in each]
    assert "“Antibiotic therapy” changes “Antiviral therapy” by −0.071" in line
    assert "this adds +0.007 to the gap" in line


@pytest.mark.parametrize("method", ["shapley", "removal", "gradient", "intrinsic"])
def test_the_method_and_its_promise_stand_at_the_end(method: str) -> None:
    entry = qx.METHODS[method]
    text = paragraph(treatment(method))
    assert entry.measures in text
    assert text.endswith(f"What the method promises: {entry.promises}.")
    assert "promises" not in paragraph(treatment(method), measured=False)


def test_who_is_behind_is_said_to_be_behind() -> None:
    why = qx.contrast(healthcare(), "antibiotic", "antiviral")
    text = paragraph(why)
    assert text.startswith("“Antibiotic therapy” is behind “Antiviral therapy”: 0.2368 against 0.3564")
    assert text.index("in favour of “Antiviral therapy”") < text.index("in favour of “Antibiotic therapy”")


def test_a_tie_is_a_tie_and_the_same_topic_leaves_nothing_to_explain() -> None:
    zebra = qx.examples.load("zebra")
    assert "are tied at 0.500." in paragraph(qx.contrast(zebra, "horse", "tiger"))
    assert paragraph(qx.contrast(zebra, "zebra", "zebra")).endswith("nothing is left to explain.")


def test_a_kink_is_said_with_both_sides() -> None:
    text = paragraph(kinked())
    assert "There is no single slope for a (−1.100 from below, −0.700 from above) and b" in text
    assert "nan" not in text
    assert "in favour of u, none that can be put in one number" in text


def test_a_sample_gives_no_reason_that_it_cannot_tell_from_nothing() -> None:
    q = healthcare()
    rough = qx.contrast(q, "antiviral", "antibiotic", method="sampled", budget=60, seed=3)
    text = " ".join(sentences(rough, limit=9)[:2])
    for name, value in rough.items():
        if abs(value) <= 2 * rough.std_error[name]:  # type: ignore[index]
            assert q.label(name) not in text
    assert "±" in text


def test_a_head_start_of_the_base_scores_is_told() -> None:
    q = qx.Qbaf({"t": 0.7, "u": 0.5, "a": 0.5}, supports=[("a", "u")])
    assert "By base scores alone, t is ahead by 0.200." in paragraph(qx.contrast(q, "t", "u"))


def test_where_nothing_tells_the_two_apart_it_says_so() -> None:
    q = qx.Qbaf({"t": 0.7, "u": 0.5, "a": 0.5})
    assert "No other argument makes a difference between the two." in paragraph(qx.contrast(q, "t", "u"))


def test_a_formula_of_the_users_own_promises_nothing() -> None:
    why = qx.contrast(healthcare(), "antiviral", "antibiotic", combine=max)
    assert paragraph(why).endswith("nothing is promised about the gap.")
    assert "cancel" not in paragraph(why)


def test_numbers_in_words_have_a_minus_sign_and_no_negative_zero() -> None:
    assert "-" not in str(treatment()).replace("-topic", "")
    assert [number(x, "+") for x in (-0.0, 0.0, -0.25, 1e-4, -2e-9)] == ["0", "0", "−0.250", "+0.00010", "−2.0·10⁻⁹"]
