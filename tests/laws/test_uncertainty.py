"""Uncertain base scores: probabilities and shares against exact formulas, numerical integrals and plain loops."""

from __future__ import annotations

import copy
import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qontrast as qx
from qontrast import Qbaf, uncertainty
from qontrast.engine.problem import MAX_LANES_PER_TASK
from qontrast.explain.uncertain_lanes import choose_next
from tests.support.strategies import qbafs

# Under df-quad the gap is 0.6 (1 − x) − 0.5 (1 − y): linear in x and y.
LINEAR = Qbaf(
    {"p": 0.6, "q": 0.5, "x": 0.3, "y": 0.4, "far": 0.5},
    attacks=[("x", "p"), ("y", "q"), ("p", "far")],
    semantics="df-quad",
)
SCORES = {"x": (0.0, 0.6), "y": (0.3, 0.5)}
# p is supported by x and attacked by y through x, with weights: the gap is 1 − (1 − 0.2)(1 − 0.5 x (1 − y)) − 0.3
PRODUCT = Qbaf(
    {"p": 0.2, "q": 0.3, "x": 0.5, "y": 0.5}, attacks=[("y", "x")], supports={("x", "p"): 0.5}, semantics="df-quad"
)
ROUND = Qbaf(
    {"a": 1.0, "b": 1.0, "t": 0.5, "u": 0.2}, attacks=[("a", "b"), ("b", "a"), ("a", "t")], semantics="df-quad"
)
FAR = 5.0  # standard errors: never reached by a right estimate with these seeds


def integrate(gap: Any, distributions: list[qx.Distribution], points: int = 400) -> dict[str, Any]:
    """Mean, variance, probability, first-order and total shares of a function of two numbers, on a grid of levels."""
    levels = (np.arange(points) + 0.5) / points
    values = gap(*np.meshgrid(*(each.quantile(levels) for each in distributions), indexing="ij"))
    variance = values.var()
    first = [values.mean(axis=1).var() / variance, values.mean(axis=0).var() / variance]
    total = [values.var(axis=0).mean() / variance, values.var(axis=1).mean() / variance]
    wrong = min((values > 0).mean(), (values < 0).mean())
    known = [np.minimum((values > 0).mean(axis=k), (values < 0).mean(axis=k)).mean() for k in (1, 0)]
    found = {"mean": values.mean(), "sd": values.std(), "probability": (values > 0).mean()}
    return found | {"first": first, "total": total, "wrong": wrong, "drop": [wrong - each for each in known]}


def linear_gap(x: Any, y: Any) -> Any:
    return 0.6 * (1 - x) - 0.5 * (1 - y)


def product_gap(x: Any, y: Any) -> Any:
    return 1 - 0.8 * (1 - 0.5 * x * (1 - y)) - 0.3


CASES: dict[str, tuple[Qbaf, Any, dict[str, Any]]] = {
    "linear, intervals": (LINEAR, linear_gap, SCORES),
    "linear, normal and beta": (LINEAR, linear_gap, {"x": qx.Normal(0.3, 0.2), "y": qx.Beta(2, 3)}),
    "linear, samples": (LINEAR, linear_gap, {"x": [0.0, 0.1, 0.5, 0.8], "y": (0.2, 0.9)}),
    "product, intervals": (PRODUCT, product_gap, {"x": (0.0, 1.0), "y": (0.0, 1.0)}),
    "product, at the edge": (PRODUCT, product_gap, {"x": qx.Normal(1.0, 0.3), "y": qx.Beta(0.5, 0.5)}),
}


@pytest.mark.parametrize("name", CASES)
def test_all_numbers_agree_with_a_slow_numerical_integral(name: str) -> None:
    q, gap, scores = CASES[name]
    found = uncertainty(q, "p", "q", scores=scores)
    truth = integrate(gap, list(found.scores.values()))
    assert found.probability == pytest.approx(truth["probability"], abs=FAR * found.std_error + 2e-3)
    assert found.mean == pytest.approx(truth["mean"], abs=FAR * found.sd / 64)
    assert found.sd == pytest.approx(truth["sd"], rel=0.05)
    assert found.wrong_order == pytest.approx(truth["wrong"], abs=FAR * found.std_error + 2e-3)
    for k, x in enumerate(scores):
        assert found.first_order[x] == pytest.approx(truth["first"][k], abs=FAR * found.first_order_error[x] + 2e-3)
        assert found.total[x] == pytest.approx(truth["total"][k], abs=FAR * found.total_error[x] + 2e-3)
        assert found.expected_drop[x] == pytest.approx(
            truth["drop"][k], abs=FAR * found.expected_drop_error[x] + 0.015
        ), "cut into slices, a little of what one knows is lost"


def test_the_shares_of_a_linear_gap_are_those_of_the_formula_and_add_up_to_one() -> None:
    found = uncertainty(LINEAR, "p", "q", scores=SCORES)
    parts = {"x": 0.6**2 * 0.6**2 / 12, "y": 0.5**2 * 0.2**2 / 12}
    for x, part in parts.items():
        share = part / sum(parts.values())
        assert found.delta is not None
        assert found.delta.shares[x] == pytest.approx(share, abs=1e-9)
        assert found.first_order[x] == pytest.approx(share, abs=0.03)
        assert found.total[x] == pytest.approx(share, abs=0.03)
    assert found.delta is not None
    assert found.delta.sd == pytest.approx(sum(parts.values()) ** 0.5, abs=1e-9)
    assert found.delta.mean == pytest.approx(0.42 - 0.3, abs=1e-9)
    assert found.check_next == "x"


@pytest.mark.parametrize("scores", [{"x": (0.1, 0.9)}, {"x": qx.Beta(2, 7)}, {"x": [0.1, 0.2, 0.9]}])
def test_one_uncertain_argument_has_all_of_the_doubt(scores: dict[str, Any]) -> None:
    for q in (LINEAR, PRODUCT):
        found = uncertainty(q, "p", "q", scores=scores, samples=500)
        assert found.first_order["x"] == pytest.approx(1.0, abs=1e-9)
        assert found.total["x"] == pytest.approx(1.0, abs=0.02)
        assert found.check_next == "x"
        assert found.expected_drop["x"] <= found.wrong_order + 1e-12


def test_one_known_argument_leaves_no_wrong_order() -> None:
    found = uncertainty(LINEAR, "p", "q", scores={"x": (0.0, 1.0)})
    assert found.probability == pytest.approx(0.5, abs=FAR * found.std_error)  # 0.6 (1 − x) > 0.3
    assert found.expected_drop["x"] == pytest.approx(found.wrong_order, abs=0.03)


def test_an_argument_that_does_not_matter_has_no_share() -> None:
    found = uncertainty(LINEAR, "p", "q", scores={**SCORES, "far": (0.0, 1.0)})
    assert found.first_order["far"] == found.total["far"] == 0.0
    assert found.expected_drop["far"] <= FAR * found.expected_drop_error["far"]
    alone = uncertainty(LINEAR, "p", "q", scores={"far": (0.0, 1.0)})
    assert (alone.probability, alone.check_next, alone.sd < 1e-12) == (1.0, None, True)


def test_strengths_that_differ_by_rounding_are_tied() -> None:
    q = Qbaf({"p": 0.1 + 0.2, "q": 0.3, "x": 0.0}, supports=[("x", "q")])
    found = uncertainty(q, "p", "q", scores={"x": [0.0, 0.0, 1.0]})
    assert 0 < found.gap < 1e-15
    assert found.probability == 0.0
    assert found.tie == pytest.approx(2 / 3, abs=FAR * 0.006)
    assert found.wrong_order == pytest.approx(found.tie / 2)  # the foil is called, and a tie is half wrong
    _, parts = found.histogram()
    assert parts.sum() == pytest.approx(found.behind)


def test_the_argument_to_check_next_lowers_the_risk_by_more_than_noise_or_else_has_the_largest_share() -> None:
    share, error = {"a": 0.6, "b": 0.4}, {"a": 0.01, "b": 0.01}
    assert choose_next({"a": 0.03, "b": 0.04}, error, share) == "b"
    assert choose_next({"a": 0.0, "b": 0.025}, error, share) == "b"
    assert choose_next({"a": 0.0, "b": 0.015}, error, share) == "a"
    assert choose_next({"a": 0.0, "b": 0.0}, error, {"a": 0.0, "b": 0.0}) is None


@pytest.mark.parametrize("quick", [False, True])
def test_the_histogram_has_an_edge_at_zero_and_the_probability_above_it(quick: bool) -> None:
    found = uncertainty(LINEAR, "p", "q", scores=SCORES, quick=quick)
    for bins in (1, 5, 48):
        edges, parts = found.histogram(bins)
        assert np.abs(edges).min() < 1e-12
        assert parts[edges[1:] > 1e-12].sum() == pytest.approx(found.probability, abs=1e-3)
        assert parts.sum() == pytest.approx(1.0, abs=1e-3)
        assert np.diff(edges) == pytest.approx(np.full(len(parts), edges[1] - edges[0]))


def test_fact_and_foil_change_places() -> None:
    one, other = (uncertainty(LINEAR, *pair, scores=SCORES, samples=500) for pair in (("p", "q"), ("q", "p")))
    assert (one.probability, one.behind) == (other.behind, other.probability)
    assert one.mean == pytest.approx(-other.mean, abs=1e-12)
    assert [one.quantiles[k] for k in (0.05, 0.95)] == pytest.approx([-other.quantiles[k] for k in (0.95, 0.05)])
    for x in SCORES:
        assert one.first_order[x] == pytest.approx(other.first_order[x], abs=1e-9)
        assert one.expected_drop[x] == pytest.approx(other.expected_drop[x], abs=1e-9)


def test_alike_topics_are_level_and_have_the_same_shares() -> None:
    q = Qbaf({"p": 0.5, "q": 0.5, "x": 0.5, "y": 0.5}, supports=[("x", "p"), ("y", "q")])
    found = uncertainty(q, "p", "q", scores=dict.fromkeys("xy", (0.2, 0.8)))
    assert found.probability == pytest.approx(0.5, abs=FAR * found.std_error)
    assert found.first_order["x"] == pytest.approx(found.first_order["y"], abs=FAR * 0.02)
    assert found.delta is not None
    assert (found.delta.probability, found.delta.shares["x"]) == pytest.approx((0.5, 0.5), abs=1e-9)


def test_standard_errors_are_as_large_as_the_spread_over_seeds() -> None:
    runs = [uncertainty(PRODUCT, "p", "q", scores={"x": (0, 1), "y": (0, 1)}, samples=500, seed=s) for s in range(60)]

    def compare(values: list[float], errors: list[float]) -> float:
        return float(np.std(values) / np.mean(errors))

    assert 0.7 < compare([r.probability for r in runs], [r.std_error for r in runs]) < 1.4
    for x in "xy":
        assert 0.7 < compare([r.first_order[x] for r in runs], [r.first_order_error[x] for r in runs]) < 1.4
        assert 0.7 < compare([r.total[x] for r in runs], [r.total_error[x] for r in runs]) < 1.4
        drops = [r.expected_drop[x] for r in runs], [r.expected_drop_error[x] for r in runs]
        assert 0.6 < compare(*drops) < 1.6


def test_knowledge_that_is_only_noise_does_not_count() -> None:
    """Both orders are equally likely, and no argument alone tells which one holds."""
    q = Qbaf(
        {"p": 0.5, "q": 0.5, **dict.fromkeys("abcdefgh", 0.5)},
        supports=[(x, "p") for x in "abcd"] + [(x, "q") for x in "efgh"],
        semantics="qe",
    )
    scores = dict.fromkeys("efgh", (0.49, 0.51)) | dict.fromkeys("abcd", (0.0, 1.0))
    for seed in range(3):
        found = uncertainty(q, "p", "q", scores=scores, samples=1000, seed=seed)
        for x in "efgh":
            assert found.expected_drop[x] <= 3 * found.expected_drop_error[x] + 1e-12


@given(qbafs(cyclic=True), st.data())
def test_probabilities_and_the_gap_are_those_of_a_plain_loop_over_samples(q: Qbaf, data: st.DataObject) -> None:
    """Of distributions with few values all combinations are known, so that every drawn gap has to be among them."""
    if len(q) < 2:
        return
    names = data.draw(st.permutations(list(q)))[:2]
    fact, foil = data.draw(st.permutations(list(q)))[:2]
    values = {x: data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.7, 1.0]), min_size=3, max_size=3)) for x in names}
    gaps = []
    for chosen in product(*values.values()):
        try:
            solved = qx.strengths(q.with_base_scores(dict(zip(names, chosen, strict=True))), max_steps=300)
            gaps.append(solved[fact] - solved[foil])
        except qx.UndefinedStrength:
            gaps.append(np.nan)
    known = np.array(gaps)
    try:
        found = uncertainty(q, fact, foil, scores=values, samples=500, max_steps=300)
    except qx.UndefinedStrength:
        assert np.isnan(known).all()
        return
    assert found.probability + found.tie + found.behind + found.undefined == pytest.approx(1.0, abs=1e-12)
    near = FAR * 0.5 / 1000**0.5
    assert found.undefined == pytest.approx(np.isnan(known).mean(), abs=near)
    assert found.probability == pytest.approx((known > 1e-10).mean(), abs=near)
    assert found.tie == pytest.approx((np.abs(known) <= 1e-10).mean(), abs=near)
    rest = known[~np.isnan(known)]
    for gap in found.gaps.tolist():
        assert np.abs(rest - gap).min() < 1e-9
    assert found.sd <= (rest.max() - rest.min()) / 2 + 1e-9
    for x in names:
        assert found.first_order[x] <= 1 + 1e-9
        assert found.first_order[x] <= found.total[x] + FAR * (found.first_order_error[x] + found.total_error[x]) + 0.1


@given(qbafs(cyclic=True, base=st.floats(0, 1)), st.data())
def test_the_delta_method_is_exact_for_small_changes(q: Qbaf, data: st.DataObject) -> None:
    if len(q) < 2:
        return
    fact, foil = data.draw(st.permutations(list(q)))[:2]
    x = data.draw(st.sampled_from(list(q)))
    center, step = data.draw(st.floats(0.1, 0.9)), 1e-6
    try:
        found = uncertainty(q, fact, foil, scores={x: (center - step, center + step)}, quick=True)
        sides = [qx.strengths(q.with_base_scores({x: center + d})) for d in (-step, step)]
    except (qx.UndefinedStrength, qx.InvalidQbaf):
        return
    slope = (sides[1][fact] - sides[1][foil] - sides[0][fact] + sides[0][foil]) / (2 * step)
    assert found.sd == pytest.approx(abs(slope) * 2 * step / 12**0.5, abs=2e-9)
    assert found.samples == 0
    assert np.isnan(found.std_error)


def test_the_delta_method_takes_the_mean_slope_at_a_kink() -> None:
    q = Qbaf({"p": 0.3, "q": 0.5, "x": 0.5, "y": 0.5}, attacks=[("x", "p")], supports=[("y", "p")], semantics="df-quad")
    found = uncertainty(q, "p", "q", scores={"x": (0.4, 0.6)}, quick=True)
    assert found.delta is not None
    assert found.delta.kinks == ("x",)  # 0.7 below and 0.3 above
    assert found.sd == pytest.approx(0.5 * 0.2 / 12**0.5, abs=1e-9)


def test_lanes_without_strengths_are_counted_and_left_out() -> None:
    found = uncertainty(ROUND, "t", "u", scores={"a": [0.5, 1.0, 1.0, 1.0]}, samples=500)
    undefined = [np.isnan(found.gap), found.undefined]
    assert undefined == [True, pytest.approx(0.75, abs=FAR * 0.02)]
    assert found.probability + found.tie + found.behind == pytest.approx(1 - found.undefined)
    assert len(found.gaps) == round((1 - found.undefined) * 1000)
    assert "undefined in 7" in str(found)
    with pytest.raises(qx.UndefinedStrength, match="'a', 'b', 't' still move"):
        uncertainty(ROUND, "t", "u", scores={"t": (0.1, 0.9)})
    with pytest.raises(qx.UndefinedStrength, match="the delta method has no answer; leave out quick"):
        uncertainty(ROUND, "t", "u", scores={"t": (0.1, 0.9)}, quick=True)


def test_the_same_seed_gives_the_same_answer_and_another_seed_another() -> None:
    one, two, other = (uncertainty(LINEAR, "p", "q", scores=SCORES, seed=seed) for seed in (3, 3, 4))
    assert one.to_dict() == two.to_dict()
    assert one.mean != other.mean


def test_scores_replace_what_the_graph_says_of_the_same_argument() -> None:
    q = Qbaf(LINEAR.base_scores, LINEAR.attacks, semantics="df-quad", uncertain={"x": (0.0, 0.1), "y": (0.3, 0.5)})
    assert list(uncertainty(q, "p", "q", samples=500).scores.values()) == [qx.Interval(0.0, 0.1), qx.Interval(0.3, 0.5)]
    found = uncertainty(q, "p", "q", scores={"x": (0.0, 0.6)}, samples=500)
    assert found.to_dict() == uncertainty(LINEAR, "p", "q", scores=SCORES, samples=500).to_dict()


def test_progress_ends_at_the_number_of_lanes() -> None:
    seen: list[tuple[int, int]] = []
    found = uncertainty(LINEAR, "p", "q", scores=SCORES, progress=lambda *at: seen.append(at))
    assert seen[-1] == (found.evaluations, found.evaluations) == (4 * 4096, 4 * 4096)


def test_an_interruption_passes_through() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        uncertainty(LINEAR, "p", "q", scores=SCORES, progress=stop)


def test_an_executor_gives_the_same_answer() -> None:
    from concurrent.futures import ThreadPoolExecutor

    class Counting(ThreadPoolExecutor):
        tasks = 0

        def submit(self, *given: Any, **named: Any) -> Any:
            self.tasks += 1
            return super().submit(*given, **named)

    samples = 2 * MAX_LANES_PER_TASK
    with Counting(2) as executor:
        sent = uncertainty(LINEAR, "p", "q", scores=SCORES, samples=samples, executor=executor)
    assert executor.tasks >= 4
    assert sent.mean == pytest.approx(uncertainty(LINEAR, "p", "q", scores=SCORES, samples=samples).mean, abs=1e-12)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "reversed": ({"scores": {"x": (0.9, 0.6)}}, "'x': the interval from 0.9 to 0.6 is reversed; give (0.6, 0.9)"),
    "outside": ({"scores": {"x": (0.6, 1.2)}}, "'x': the interval from 0.6 to 1.2 leaves [0, 1]"),
    "no samples": ({"scores": {"x": []}}, "'x': the list of samples is empty; give at least one base score"),
    "a sample outside": ({"scores": {"x": [0.1, 0.2, 1.3]}}, "'x': a sample is 1.3; base scores lie between 0 and 1"),
    "two numbers": ({"scores": {"x": [0.1, 0.2]}}, "give the tuple (0.1, 0.2), or Samples([0.1, 0.2])"),
    "unknown": ({"scores": {"xx": (0.1, 0.2)}}, "no argument 'xx' among the 5 here; did you mean 'x'?"),
    "few samples": ({"scores": SCORES, "samples": 499}, "samples is 499; give a whole number of at least 500"),
    "nothing": ({}, "no base score here is uncertain; name what base scores may be, as in scores={name: (0.6, 0.9)}"),
    "a number": ({"scores": {"x": 0.5}}, "'x': 0.5 is no uncertain base score; give (low, high), Normal(mean, sd)"),
    "a key": ({"scores": {"x": {"gamma": [1, 2]}}}, "'x': no distribution 'gamma' among the 4 here"),
    "same": ({"foil": "p", "scores": SCORES}, "'p' cannot be compared with itself; name two topics"),
    "too much": (
        {"scores": SCORES, "max_evaluations": 10_000},
        "need 16,384 evaluations (limit 10,000); give fewer samples; ask for quick=True",
    ),
    "far too much": (
        {"scores": SCORES, "max_evaluations": 1999},
        "need 16,384 evaluations (limit 1,999); ask for quick=True",  # 500 samples would need 2,000
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense_is_refused_with_the_way_out(name: str) -> None:
    settings, message = WRONG[name]
    with pytest.raises(qx.QontrastError) as error:
        uncertainty(**{"qbaf": LINEAR, "fact": "p", "foil": "q", **settings})
    assert message in str(error.value)


MAKES: dict[str, tuple[Any, str]] = {
    "beta": (lambda: qx.Beta(0, 1), "the parameter a of a beta base score is 0; give a number above 0"),
    "beta b": (lambda: qx.Beta(2, -1), "the parameter b of a beta base score is -1; give a number above 0"),
    "mean": (lambda: qx.Normal(1.2, 0.1), "the mean of a normal base score is 1.2; base scores lie between 0 and 1"),
    "sd": (lambda: qx.Normal(0.5, 0.0), "the standard deviation of a normal base score is 0; give a number above 0"),
    "text": (lambda: qx.Interval("low", 1), "low of the distribution 'interval' is 'low'; give a number"),
    "nan": (lambda: qx.Normal(float("nan"), 1), "mean of the distribution 'normal' is nan; give a finite number"),
    "samples": (lambda: qx.Samples("0.5"), "the samples are '0.5'; give a list of numbers"),
}


@pytest.mark.parametrize("name", MAKES)
def test_a_distribution_that_makes_no_sense_is_refused(name: str) -> None:
    make, message = MAKES[name]
    with pytest.raises(qx.InvalidInput) as error:
        make()
    assert message in str(error.value)


unit = st.floats(0, 1)
distributions = st.one_of(
    st.tuples(unit, unit).map(lambda pair: qx.Interval(*sorted(pair))),
    st.builds(qx.Normal, unit, st.floats(0.01, 1)),
    st.builds(qx.Beta, st.floats(0.3, 20), st.floats(0.3, 20)),
    st.lists(unit, min_size=1, max_size=5).map(qx.Samples),
)


@given(distributions)
def test_mean_and_variance_are_those_of_the_quantiles(each: qx.Distribution) -> None:
    values = each.quantile((np.arange(20_000) + 0.5) / 20_000)
    assert values.min() >= 0
    assert values.max() <= 1
    assert (np.diff(values) >= 0).all()
    assert each.expectation == pytest.approx(values.mean(), abs=2e-4)
    assert each.variance == pytest.approx(values.var(), abs=2e-4)
    assert pickle.loads(pickle.dumps(each)) == copy.deepcopy(each) == each
    assert hash(each) == hash(copy.copy(each))


@given(qbafs(), st.data())
def test_a_graph_keeps_its_uncertain_base_scores_until_they_are_set(q: Qbaf, data: st.DataObject) -> None:
    if not len(q):
        return
    x = data.draw(st.sampled_from(list(q)))
    uncertain = {name: data.draw(distributions) for name in q}
    made = Qbaf(q.base_scores, q.attacks, q.supports, topics=q.topics, semantics=q.semantics, uncertain=uncertain)
    assert dict(made.uncertain) == uncertain
    assert made != q or not uncertain
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert hash(made) == hash(pickle.loads(pickle.dumps(made)))
    rest = {name: each for name, each in uncertain.items() if name != x}
    assert dict(made.with_base_scores({x: 0.25}).uncertain) == dict(made.without(x).uncertain) == rest
    assert dict(made.with_topics([x]).uncertain) == uncertain
    with pytest.raises(TypeError):
        made.uncertain[x] = (0.1, 0.2)  # type: ignore[index]
