"""Numbers that a sentence subtracts or adds are right as printed, and labels in sentences can be told apart."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast.graph.labels import quote_label
from qontrast.show.narrative import account, sentences
from qontrast.show.numbers import add_up, write_change

N = r"([+−]?\d+(?:\.\d+)?|about 0)"
METHODS = ["shapley", "gradient", "removal", "intrinsic", "sampled"]
RATED = re.compile(rf"\({N}\) is rated (above|below) \S+ \({N}\) by {N}")
AGAINST = re.compile(rf"(ahead of|behind) \S+: {N} against {N}, a gap of {N}\.")
LEAVES = re.compile(rf"\({N} and {N}, which leaves {N}\)")
BOTH_WAYS = re.compile(rf"changes \S+ by {N} and \S+ changes \S+ by {N}; this adds {N} to the gap")
SUM = re.compile(rf"Gap {N} = base scores {N}, contributions {N}, effect of the two topics on each other {N}\.")


def exact(text: str) -> Decimal:
    return Decimal(0) if text == "about 0" else Decimal(text.replace("−", "-"))


def graph(seed: int) -> qx.Qbaf:
    """Two topics with parents that may act on each other, cycles, weights other than 1, base scores of 0 and 1."""
    rng = np.random.default_rng(seed)
    names = ["t", "u", *"abcde"]
    base = np.where(rng.random(7) < 0.2, rng.integers(0, 2, 7), rng.random(7))
    edges = {(x, y): float(rng.choice([1.0, 0.5, 0.25])) for x in names for y in names if x != y and rng.random() < 0.3}
    edges |= {("a", "t"): 0.75}
    if seed % 2:  # one that acts on both alike
        edges = {pair: weight for pair, weight in edges.items() if pair[0] != "b" and pair[1] != "b"}
        edges |= {("b", "t"): 1.0, ("b", "u"): 1.0}
    attacks = {pair: weight for pair, weight in edges.items() if rng.random() < 0.5 and pair[0] != "b"}
    supports = {pair: weight for pair, weight in edges.items() if pair not in attacks}
    return qx.Qbaf(dict(zip(names, base.tolist(), strict=True)), attacks, supports, topics=["t", "u"], semantics="qe")


def texts(seed: int) -> list[str]:
    q = graph(seed)
    found = []
    for method in METHODS[: 5 if seed % 8 == 0 else 4]:
        settings = {"budget": 100} if method == "sampled" else {}
        for fact, foil in (("t", "u"), ("u", "t")):
            why = qx.contrast(q, fact, foil, method=method, **settings)
            found += [str(why), *sentences(why), account(why)]
        found += str(qx.rank(q, method=method, **settings)).splitlines()
    return found


@pytest.mark.heavy
def test_every_sentence_subtracts_and_adds_as_printed() -> None:
    seen = dict.fromkeys(("rated", "against", "leaves", "both ways", "sum"), 0)
    for text in (each for seed in range(24) for each in texts(seed)):
        for one, above, two, gap in RATED.findall(text):
            assert (exact(one) - exact(two)) * (1 if above == "above" else -1) == exact(gap), text
            seen["rated"] += 1
        for ahead, one, two, gap in AGAINST.findall(text):
            assert (exact(one) - exact(two)) * (1 if ahead == "ahead of" else -1) == exact(gap), text
            seen["against"] += 1
        for one, two, left in LEAVES.findall(text):
            assert exact(one) - exact(two) == exact(left), text
            seen["leaves"] += 1
        for one, two, adds in BOTH_WAYS.findall(text):
            assert exact(one) - exact(two) == exact(adds), text
            seen["both ways"] += 1
        for gap, base, contributions, across in SUM.findall(text):
            assert exact(gap) == exact(base) + exact(contributions) + exact(across), text
            seen["sum"] += 1
    assert all(count >= 5 for count in seen.values()), seen


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=4))
def test_written_terms_add_up_to_the_written_sum_and_are_right_to_their_last_digit(terms: list[float]) -> None:
    total = sum(terms)
    written = add_up(*terms, total=total)
    assert sum(map(exact, written[:-1])) == exact(written[-1])
    for value, text in zip((*terms, total), written, strict=True):
        assert (text == "0") == (value == 0) or text != "0"
        assert len(text.partition(".")[2]) <= 6
        assert float(exact(text)) == pytest.approx(value, abs=5.1e-4 if text != "about 0" else 1e-5)


@given(st.floats(0, 1), st.floats(0, 1))
def test_before_after_and_change_subtract_as_printed(before: float, after: float) -> None:
    old, new, change = write_change(before, after)
    if abs(after - before) >= 1e-5:
        assert exact(new) - exact(old) == exact(change)
        assert change[0] == ("+" if after > before else "−")


SENTENCES = st.text(st.sampled_from("ab 1."), max_size=6).map(
    lambda end: f"All speech should be free, whoever it {end}"
)
LABELS = st.one_of(SENTENCES, st.text(st.sampled_from("ab \n\u202e“”"), max_size=60), st.sampled_from(["x1", "12", ""]))


@given(st.lists(LABELS, min_size=1, max_size=8))
def test_no_two_arguments_are_called_the_same_in_a_sentence(labels: list[str]) -> None:
    q = qx.Qbaf({f"x{k}": 0.5 for k in range(len(labels))}, labels={f"x{k}": each for k, each in enumerate(labels)})
    names = [quote_label(q, x) for x in q]
    assert len(set(names)) == len(names)
    for text in names:
        quoted = re.fullmatch(r"(?s)“.*”( \[x\d\])?", text) is not None
        assert quoted or re.fullmatch(r"[^\W\d][\w-]*( \[x\d\])?", text)
        assert len(text) <= 48


def test_gradients_and_removals_are_never_worded_as_shares() -> None:
    for seed in range(10):
        for method in ("gradient", "removal", "intrinsic"):
            why = qx.contrast(graph(seed), "t", "u", method=method)
            said = " ".join([str(why), *sentences(why, measured=False), account(why)])
            for phrase in ("mainly because", "strongest reasons", "to the gap.", "Gap +0.1 =", "counterweight"):
                assert phrase not in said


def test_a_slope_that_does_not_exist_is_not_added_as_zero() -> None:
    q = qx.Qbaf(
        {"t": 0.3, "u": 0.6, "a": 0.5, "b": 0.5}, attacks=[("a", "t")], supports=[("b", "t")], semantics="df-quad"
    )
    assert account(qx.contrast(q, "t", "u", method="gradient")).endswith("they are not defined at 2 kinks.")


def test_who_acts_on_whom_is_said_of_the_right_topics() -> None:
    checked = 0
    for seed in range(40):
        for method in ("shapley", "gradient", "removal"):
            why = qx.contrast(graph(seed), "t", "u", method=method)
            for acts, on, value in re.findall(rf"(\w) changes (\w) by {N}", " ".join(sentences(why))):
                assert float(exact(value)) == pytest.approx(why.individual[on][acts], abs=5.1e-4)
                checked += 1
    assert checked > 20


def test_a_ranking_names_each_step_in_the_order_of_its_places() -> None:
    order = qx.rank(qx.examples.load("loan"))
    lines = str(order).splitlines()[1::2]
    for (one, two), line in zip(pairwise(order.order), lines, strict=True):
        q = order.steps[0].qbaf
        assert line.index(quote_label(q, one)) < line.index(quote_label(q, two))
