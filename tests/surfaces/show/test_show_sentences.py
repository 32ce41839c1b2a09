"""What sentences, reports, notebooks and shap say of a contrast is true of it: sides, signs, sizes and names."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from math import isnan
from typing import Any

import numpy as np
import pytest

import qontrast as qx
from qontrast.graph.labels import quote_label
from qontrast.show import fingerprint, graph_svg, paragraph, report_html, sentences
from qontrast.show.narrative import account
from tests.support.graphs_to_show import kinked

METHODS = ("shapley", "gradient", "removal", "intrinsic", "sampled")
N = r"[+−]?\d+(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
SEEDS = range(12)


@cache
def graph(seed: int) -> qx.Qbaf:
    """Topics with parents that may act on each other, cycles, weights other than 1, base scores of 0 and 1."""
    rng = np.random.default_rng(seed)
    names = ["t", "u", *"abcd"]
    base = np.where(rng.random(6) < 0.25, rng.integers(0, 2, 6), rng.random(6))
    base[:2] = rng.uniform(0.1, 0.9, 2)
    edges = {(x, y): float(rng.choice([1.0, 0.5, 0.25])) for x in names for y in names if x != y and rng.random() < 0.3}
    edges |= {("a", "t"): 0.75, ("b", "u"): 1.0, ("c", "t"): 1.0, ("d", "u"): 0.5}
    attacks = {pair: weight for pair, weight in edges.items() if rng.random() < 0.5}
    supports = {pair: weight for pair, weight in edges.items() if pair not in attacks}
    return qx.Qbaf(dict(zip(names, base.tolist(), strict=True)), attacks, supports, topics=["t", "u"], semantics="qe")


@cache
def contrast(seed: int, method: str) -> qx.Contrast:
    return qx.contrast(
        graph(seed), "t", "u", method=method, **({"budget": 40, "seed": 1} if method == "sampled" else {})
    )


def value(text: str) -> float:
    mantissa, _, power = text.replace("−", "-").partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


def near(text: str, number: float) -> bool:
    return value(text) == pytest.approx(number, abs=5.1e-4)


def said(why: qx.Contrast) -> str:
    return " ".join([str(why), paragraph(why, measured=False), account(why)])


def every() -> list[qx.Contrast]:
    return [contrast(seed, method) for seed in SEEDS for method in METHODS[: 5 if seed < 3 else 4]]


def test_who_is_rated_above_and_who_is_ahead_have_the_larger_strength() -> None:
    for why in every():
        if abs(why.gap) > 1e-5:
            above, ahead = ("above", "ahead of") if why.gap > 0 else ("below", "behind")
            assert re.search(rf"^t \(\S+\) is rated {above} u ", str(why))
            assert sentences(why)[0].startswith(f"t is {ahead} u: ")


def test_base_scores_alone_put_the_topic_with_the_larger_one_ahead_by_the_difference() -> None:
    seen = 0
    for why in every():
        scores = why.qbaf.base_scores
        for first, number in re.findall(
            rf"(?:base scores alone put|By base scores alone,) (\w)(?: is)? ahead by ({N})", said(why)
        ):
            other = "u" if first == "t" else "t"
            assert scores[first] > scores[other], said(why)
            assert near(number, scores[first] - scores[other])
            seen += scores["t"] > scores["u"]
    assert seen > 0


def test_arguments_stand_on_the_side_of_their_sign() -> None:
    """Each phrase with the sign that the contributions named after it have."""
    phrases = {
        "in favour of t, ": 1,
        "in favour of u, ": -1,
        "would lose most without ": 1,
        "gain most without ": -1,
        "rises fastest with the base score of ": 1,
        "falls fastest with (?:that|the base score) of ": -1,
    }
    seen = dict.fromkeys(phrases, 0)
    for why in every():
        for phrase, sign in phrases.items():
            for listed in re.findall(rf"{phrase}((?:(?:, | and )?\w \([^)]*\))+)", said(why)):
                for name in re.findall(r"\b([a-d]) \(", listed):
                    assert why[name] * sign > 0, (phrase, listed, said(why))
                    seen[phrase] += 1
    assert all(seen.values()), seen


def test_the_two_strongest_reasons_of_a_gap_and_the_strongest_counterweight_are_named_with_their_numbers() -> None:
    across = qx.Qbaf({"t": 0.9, "u": 0.4, "a": 0.3}, attacks={("t", "u"): 1.0}, supports={("a", "u"): 0.5})
    back = qx.Qbaf({"t": 0.3, "u": 0.4, "a": 0.3}, attacks={("t", "u"): 1.0, ("a", "t"): 0.02}, semantics="df-quad")
    seen = dict.fromkeys(("the effect of the two topics on each other", "their base scores", "small", "counter"), 0)
    for why in [*every(), *(qx.contrast(q, *pair) for q in (across, back) for pair in (("t", "u"), ("u", "t")))]:
        if why.method not in ("shapley", "sampled") or abs(why.gap) < 1e-5:
            continue
        values = {str(name): value for name, value in why.items()}
        values["the effect of the two topics on each other"] = why.cross_topic.component
        values["their base scores"] = why.base_gap
        side = 1 if why.gap > 0 else -1
        for sign, phrase, most in ((side, "mainly because of", 2), (-side, "the strongest counterweight is", 1)):
            strong = sorted((x for x in values if values[x] * sign > 0), key=lambda x: -abs(values[x]))
            expected = [x for x in strong if abs(values[x]) >= 5e-4][:most] or strong[:1]
            found = re.findall(rf"{phrase} ((?:(?: and )?[a-z ]+ \({N}\))*)", str(why))
            named = re.findall(rf"(?: and )?([a-z ]+?) \(({N})\)", found[0] if found else "")
            assert [name for name, _ in named] == expected, (str(why), values)
            assert all(near(number, values[name]) for name, number in named)
            for name in expected:
                seen[name] = seen.get(name, 0) + 1
                seen["small"] += abs(values[name]) < 0.05
                seen["counter"] += sign != side
    assert all(seen.values()), seen


def test_the_number_after_plus_minus_is_one_standard_error_and_the_report_names_the_largest() -> None:
    q = qx.examples.load("loan")
    fact, foil = q.topics[:2]
    seen = 0
    for seed in range(3):
        why = qx.contrast(q, fact, foil, method="sampled", budget=40, seed=seed)
        assert why.std_error is not None
        assert max(why.std_error.values()) > min(why.std_error.values()) + 0.002
        for name in why:
            for error in re.findall(rf"{re.escape(quote_label(q, name))} \({N} ± ({N})\)", said(why)):
                assert near(error, why.std_error[name])
                seen += 1
        page = report_html(q, fact, foil, method="sampled", budget=40, seed=seed)
        most = re.findall(r"Sampling error</dt><dd>at most (\S+?)</dd>", page)
        every = qx.all_pairs(q, list(dict.fromkeys([*q.topics, fact, foil])), method="sampled", budget=40, seed=seed)
        errors = every[fact, foil].std_error
        assert errors is not None
        assert near(most[0], max(errors.values()))
    assert seen


def test_a_reason_of_a_sample_is_more_than_two_standard_errors_from_zero() -> None:
    doubtful = 0
    for name in ("healthcare", "loan"):
        q = qx.examples.load(name)
        fact, foil = q.topics[:2]
        for seed in range(6):
            why = qx.contrast(q, fact, foil, method="sampled", budget=40, seed=seed)
            assert why.std_error is not None
            lines = sentences(why, limit=20, measured=False)
            reasons = " ".join(each for each in lines if each.startswith("The strongest reasons") or "overlook" in each)
            largest = max(map(abs, why.values()))
            for x, error in why.std_error.items():
                if re.search(rf"{re.escape(quote_label(q, x))} \([+−]", reasons):
                    assert abs(why[x]) > 2 * error
                doubtful += error < abs(why[x]) <= 2 * error and abs(why[x]) > 0.05 * largest
    assert doubtful


def test_strong_effects_that_cancel_have_the_same_sign_on_both_topics() -> None:
    q = qx.Qbaf(
        {"t": 0.5, "u": 0.5, "a": 0.8, "b": 0.8, "c": 0.5},
        attacks={("b", "t"): 1.0, ("c", "u"): 0.5},
        supports={("a", "t"): 1.0, ("a", "u"): 1.0, ("b", "u"): 1.0},
        topics=["t", "u"],
    )
    for method in ("shapley", "removal", "gradient"):
        text = paragraph(qx.contrast(q, "t", "u", method=method))
        if "cancel" in text:
            assert re.search(r"\ba \([^)]*which leaves [^)]*\) acts on both topics alike", text)
            assert not re.search(r"\bb \([^)]*which leaves", text)
    assert "cancel" in paragraph(qx.contrast(q, "t", "u", method="removal")) + paragraph(
        qx.contrast(q, "t", "u", method="gradient")
    )


def test_the_effects_of_the_topics_on_each_other_say_how_they_were_measured() -> None:
    how = {"gradient": ", per unit of base score:", "removal": ", measured by removal:", "shapley": ":"}
    seen = set()
    for why in every():
        for end in re.findall(r"(?:act on each other|acts on the other)([^:]*:)", said(why)):
            if why.method in how:
                assert end == how[why.method]
                seen.add(why.method)
    assert seen == set(how)


def test_both_sides_of_a_kink_are_said_in_their_order_wherever_they_are() -> None:
    why = kinked()
    page = html.unescape(report_html(why.qbaf, why.fact, why.foil, method="gradient", semantics="df-quad"))
    text = paragraph(why)
    for name, sides in why.sides.items():
        below, above = (f"{each:+.3f}".replace("-", "−") for each in (sides.below, sides.above))
        assert below != above
        assert f"{name} ({below} from below, {above} from above)" in text
        assert f"kink: {below} | {above}" in page
    assert {name for name in why if isnan(why[name])} == set(why.sides)


# -- the report -----------------------------------------------------------------------------------------------------


@pytest.mark.heavy
def test_the_question_of_a_report_fits_the_gap_and_cells_are_coloured_by_their_sign() -> None:
    for seed in SEEDS:
        why = contrast(seed, "shapley")
        page = report_html(graph(seed), "t", "u")
        question = re.findall(r"<h1>(.*?)</h1>", page)[0]
        assert question == ("Why t rather than u?" if why.gap > 0 else "Why is t rated below u?")
        cells = re.findall(r'<(?:b|span) class="(for-fact|for-foil)[^"]*">([+−])', page)
        assert cells
        assert all(sign == {"for-fact": "+", "for-foil": "−"}[side] for side, sign in cells)
        asked = re.findall(r'class="[^"]*\basked">([^<]*)<', page)
        assert len(asked) == 1
        assert near(asked[0], why.gap)


def test_a_report_shows_the_changes_of_a_flip_from_the_old_score_to_the_new() -> None:
    q = graph(1)
    sigma = qx.strengths(q)
    ahead, behind = ("t", "u") if sigma["t"] > sigma["u"] else ("u", "t")
    found = qx.flip(q, ahead, behind)
    assert found.change
    page = report_html(q, ahead, behind, flip=found)
    assert f"What would make {behind} win?" in page
    part = page.split("would have to be")[1]
    for name, (old, new) in found.change.items():
        cells = re.findall(rf"<tr><td>{name}</td><td>({N})</td><td>({N})</td>", part)
        assert near(cells[0][0], old)
        assert value(cells[0][1]) == pytest.approx(new, abs=1.01e-3)  # away from the old one, as in the sentence
        assert f"from {cells[0][0]} to {cells[0][1]}" in html.unescape(page)
        assert old == q.base_scores[name]


CHANGES: dict[str, Any] = {
    "a base score": lambda q: q.with_base_scores({"a": 0.123}),
    "a weight": lambda q: rebuilt(q, attacks={pair: weight / 2 for pair, weight in q.attacks.items()}),
    "a relation": lambda q: rebuilt(q, attacks=q.supports, supports=q.attacks),
    "a label": lambda q: rebuilt(q, labels={"a": "Another"}),
    "a topic": lambda q: q.with_topics(["t", "a"]),
    "the order of the topics": lambda q: q.with_topics(["u", "t"]),
    "the semantics": lambda q: rebuilt(q, semantics="ebt"),
}


def rebuilt(q: qx.Qbaf, **changes: Any) -> qx.Qbaf:
    parts = {"attacks": q.attacks, "supports": q.supports, "labels": {"a": "One"}, "semantics": q.semantics}
    return qx.Qbaf(q.base_scores, topics=q.topics, **(parts | changes))  # type: ignore[arg-type]


def test_the_fingerprint_changes_with_every_part_of_a_graph() -> None:
    q = rebuilt(graph(0))
    marks = {what: fingerprint(change(q)) for what, change in CHANGES.items()}
    assert len({fingerprint(q), *marks.values()}) == len(CHANGES) + 1


# -- notebooks and shap ---------------------------------------------------------------------------------------------


def test_notebooks_show_the_numbers_of_pairs_and_attributions_in_their_places() -> None:
    for seed in range(4):
        q = graph(seed).with_topics(["t", "u", "a"])
        pairs = qx.all_pairs(q)
        rows = re.findall(r"<tr>(<td>.*?)</tr>", html.unescape(pairs._repr_html_()))
        for i, row in enumerate(rows):
            for j, cell in enumerate(re.findall(r"<td>(.*?)</td>", row)[1:]):
                assert cell == "·" if i == j else near(cell, pairs.gaps[i, j])
        assert len(rows) == 3
    many = qx.Qbaf({"t": 0.5, **{f"x{k}": 0.01 * k for k in range(60)}}, supports=[(f"x{k}", "t") for k in range(60)])
    for one in (qx.attribute(graph(0), "t", method="gradient"), qx.attribute(many, "t", method="gradient")):
        page = html.unescape(one._repr_html_())
        rows = re.findall(rf"<td>(\w+)</td><td>({N})</td>", page)
        assert [name for name, _ in rows] == [name for name, _ in one.ranked()[:40]]
        assert all(near(number, one[name]) for name, number in rows)


def test_shap_gets_start_features_and_data_that_add_up_to_the_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import SimpleNamespace

    monkeypatch.setitem(sys.modules, "shap", SimpleNamespace(Explanation=SimpleNamespace))  # type: ignore[arg-type]
    for seed in SEEDS:
        why = contrast(seed, "shapley")
        made = why.to_shap()
        assert made.base_values == why.base_gap != 0
        assert made.base_values + made.values.sum() == pytest.approx(why.gap, abs=1e-9)
        assert made.values[:-1].tolist() == list(why.values())
        assert made.data[:-1].tolist() == [why.qbaf.base_scores[name] for name in why]
        assert made.feature_names[:-1] == list(why)
        one = why.individual["t"]
        alone = one.to_shap()
        assert alone.base_values == why.qbaf.base_scores["t"]
        assert dict(zip(alone.feature_names, alone.values.tolist(), strict=True)) == dict(one)
        pairs = qx.all_pairs(why.qbaf)
        rows = pairs.to_shap()
        gaps = [pairs[a, b].gap for a in pairs.topics for b in pairs.topics if a != b]
        assert rows.base_values + rows.values.sum(axis=1) == pytest.approx(gaps, abs=1e-9)


def count_ones() -> Iterator[str]:
    """Texts in which there is one of everything: an attack, an argument that is left out, a step, a pair, a call."""
    q = qx.Qbaf({"a": 0.5, "b": 0.4}, attacks=[("a", "b")], topics=["a", "b"])
    one = qx.Qbaf({"a": 0.5}, topics=["a"])
    for graph in (q, one, qx.Qbaf({"a": 0.5, "b": 0.4}, supports=[("a", "b")], topics=["a", "b"])):
        yield from (str(graph), str(qx.check(graph)), graph_svg(graph), str(qx.contributions(graph, graph.topics)))
        yield str(qx.attribute(graph, graph.topics[-1]).how)
        yield str(qx.attribute(graph, graph.topics[-1], method="removal").how)
    yield report_html(q, "a", "b", flip=qx.flip(q, "a", "b"))
    yield str(qx.all_pairs(q))
    yield str(qx.whatif(one, base_scores={"a": 0.4}))
    for topics in (2, 3):
        yield str(qx.chained_pairs(lambda fact, foil: {"x": 0.5}, [f"t{k}" for k in range(topics)]))
    yield str(qx.all_pairs(qx.Qbaf({f"t{k}": k / 7 for k in range(7)}, topics=[f"t{k}" for k in range(7)])))  # 21 pairs
    loop = qx.Qbaf({"a": 0.9, "b": 0.8}, attacks=[("a", "b"), ("b", "a")])
    with pytest.raises(qx.UndefinedStrength) as undefined:
        qx.strengths(loop, max_steps=1)
    yield str(undefined.value)


def test_texts_count_one_in_the_singular() -> None:
    for text in count_ones():
        assert not re.search(r"(?<![\d.,^])1 (more )?[a-z]+s\b", text), text


@pytest.mark.parametrize(("wrong", "said"), [(3, "an int"), ([], "a list"), ({"a"}, "a set")])
def test_a_message_puts_the_article_that_the_word_needs(wrong: Any, said: str) -> None:
    with pytest.raises(qx.InvalidQbaf, match=f"base_scores is {said}; give a mapping"):
        qx.Qbaf(wrong)


def test_a_report_refuses_what_is_no_flip_and_no_robustness() -> None:
    q = qx.Qbaf({"a": 0.5, "b": 0.4})
    with pytest.raises(qx.InvalidInput, match="robustness is 3; give a Robustness"):
        report_html(q, "a", "b", robustness=3)  # type: ignore[arg-type]
    with pytest.raises(qx.InvalidInput, match="flip is False; give a Flip"):
        report_html(q, "a", "b", flip=False)  # type: ignore[arg-type]


def test_effects_that_leave_nothing_cancel_and_others_almost_do() -> None:
    alike = qx.Qbaf({"a": 0.5, "b": 0.5, "x": 0.3}, supports=[("x", "a"), ("x", "b")])
    close = qx.Qbaf({"a": 0.5, "b": 0.49, "x": 0.3}, supports=[("x", "a"), ("x", "b")])
    for graph, english, german in (
        (alike, "and cancels out", "sich auf"),
        (close, "and almost cancels", "sich fast auf"),
    ):
        why = qx.contrast(graph, "a", "b")
        assert english in paragraph(why)
        assert german in paragraph(why, language="de")
