"""Every property: what it says of the paper's graphs, of graphs by chance, and of CAFs that break it."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qontrast import InvalidInput, Qbaf, UndefinedStrength, UnknownName, contrast, examples
from qontrast.axioms import (
    AXIOMS,
    Derived,
    NotApplicable,
    Witness,
    efficiency,
    local_faithfulness,
    plausibility,
    verdicts,
)
from qontrast.axioms.axiom import list_topics
from qontrast.axioms.evaluation import Evaluation, resolve_caf
from qontrast.semantics import SEMANTICS, Aggregation, Influence, Semantics
from tests.support.profiles import FEW, HEAVY
from tests.support.strategies import qbafs

METHODS = ("removal", "gradient", "shapley")
LARGER = ["healthcare"] if HEAVY else []


def of(method):
    """The CAF of a method as a function of one's own."""
    return lambda qbaf, fact, foil, semantics: dict(contrast(qbaf, fact, foil, method=method, semantics=semantics))


def scaled(factor, method="removal"):
    return lambda *asked: {x: factor * value for x, value in of(method)(*asked).items()}


# -- the paper's own counterexamples ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "method", "value", "left", "right"),
    [  # the paper, appendix "Proofs": Φ(γ), and the two sides
        ("counterfactuality", "gradient", 1 / 8, 11 / 32, 3 / 8),
        ("counterfactuality", "shapley", 1 / 8, 11 / 32, 3 / 8),
        ("local-faithfulness", "removal", 3 / 64, -5 / 32, 0),
        ("local-faithfulness", "shapley", 7 / 192, -5 / 32, 0),
    ],
)
def test_the_papers_counterexamples_are_witnesses_with_its_numbers(name, method, value, left, right):
    found = AXIOMS[name](examples.load(name), method)
    assert isinstance(found, Witness)
    assert found.arguments == {"fact": "alpha", "foil": "beta", "contributor": "gamma"}
    assert (found.value, found.left, found.right) == pytest.approx((value, left, right), abs=1e-12)
    assert found.semantics == "df-quad"
    assert "γ" in str(found)
    assert "gamma attacks beta" in str(found)


@pytest.mark.parametrize(("method", "left"), [("removal", 1 / 4), ("gradient", 1 / 2)])
def test_removal_and_gradient_do_not_add_up_where_the_paper_says_so(method, left):
    found = efficiency(examples.load("efficiency"), method)
    assert (found.left, found.right) == pytest.approx((left, 3 / 8), abs=1e-12)


@pytest.mark.parametrize("name", ["counterfactuality", "local-faithfulness", "efficiency"])
@pytest.mark.parametrize("method", METHODS)
def test_on_the_papers_graphs_no_proven_property_is_violated(name, method):
    for axiom in AXIOMS.values():
        if method in axiom.proved_for:
            assert not axiom(examples.load(name), method)


def test_shapley_adds_up_on_the_cyclic_healthcare_graph():
    assert efficiency(examples.load("healthcare"), "shapley") is None


@pytest.mark.parametrize("name", ["zebra", "counterfactuality", "undefined", "claim", *LARGER])
@pytest.mark.parametrize("method", METHODS)
def test_all_properties_at_once_say_what_each_says_alone(name, method):
    q, told = examples.load(name), []
    found = verdicts(q, method, progress=lambda done, of: told.append((done, of)))
    total = len(AXIOMS) * len(list(permutations(list_topics(q), 2)))
    done = [each for each, _ in told]
    assert {of for _, of in told} == {total}
    assert done == sorted(done)
    assert {each // (total // len(AXIOMS)) for each in done} == set(
        range(len(AXIOMS) + 1)
    )  # every property, and the end
    assert {each: str(outcome) for each, outcome in found.items()} == {
        each.name: str(each(q, method)) for each in AXIOMS.values()
    }


def test_rows_that_serve_many_pairs_give_what_contrasts_give_one_by_one():
    q = Qbaf(
        {"a": 0.6, "b": 0.3, "c": 0.8, "t": 0.5, "u": 0.4},
        attacks={("a", "b"): 0.5, ("b", "a"): 0.7, ("c", "t"): 1.0, ("t", "u"): 0.9},
        supports={("b", "t"): 0.4, ("a", "u"): 1.0},
    )
    values, groups = Evaluation(q, SEMANTICS["qe"], resolve_caf("shapley")), {"both": ("a", "b")}
    for fact, foil in permutations(["t", "u", "c"], 2):
        one_by_one = [
            (values.contrast(fact, foil), contrast(q, fact, foil, semantics="qe")),
            (values.contrast_edges(fact, foil), contrast(q, fact, foil, players="edges", semantics="qe")),
            (
                values.contrast_edges(fact, foil, owen=True),
                contrast(q, fact, foil, players="edges", method="owen", semantics="qe"),
            ),
            (values.contrast_groups(fact, foil, groups), contrast(q, fact, foil, players=groups, semantics="qe")),
        ]
        for found, expected in one_by_one:
            assert dict(found) == pytest.approx(dict(expected), rel=0, abs=1e-11)


# -- laws: what the paper proves --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@given(qbaf=qbafs(max_size=5), semantics=st.sampled_from(["df-quad", "qe", "reb"]))
def test_what_the_paper_proves_holds_of_any_acyclic_graph(method, qbaf, semantics):
    assume(len(qbaf) > 1)
    for axiom in AXIOMS.values():
        if method in axiom.proved_for:
            found = axiom(qbaf, method, semantics=semantics, topics=qbaf.arguments[:2])
            assert not found, str(found)


@pytest.mark.parametrize("method", METHODS)
@FEW
@given(qbaf=qbafs(cyclic=True, max_size=4))
def test_what_the_paper_proves_holds_of_cyclic_graphs_without_self_loops(method, qbaf):
    assume(len(qbaf) > 1)
    assume((qbaf.sources != qbaf.targets).all())
    for axiom in AXIOMS.values():
        if method in axiom.proved_for:
            found = axiom(qbaf, method, semantics="qe", topics=qbaf.arguments[:2])
            assert not found, str(found)


# -- ways to fail: a CAF that breaks a property is caught -------------------------------------------------------


FORK = Qbaf(  # x only on a, y only on b, z the same on both, u on a and c
    {"a": 0.5, "b": 0.5, "c": 0.5, "x": 0.5, "y": 0.5, "z": 0.5, "u": 0.5},
    attacks=[("z", "a"), ("z", "b")],
    supports=[("x", "a"), ("y", "b"), ("u", "a"), ("u", "c")],
    topics=["a", "b"],
)


@pytest.mark.parametrize(
    ("name", "caf"),
    [
        ("antisymmetry", lambda *asked: {x: abs(v) for x, v in of("removal")(*asked).items()}),
        ("calibration", scaled(2.0)),
        ("inverse-calibration", scaled(2.0)),
        ("neutrality", lambda *asked: {x: v + 0.01 for x, v in of("removal")(*asked).items()}),
        ("monotonicity", scaled(0.0)),
        ("monotonicity", scaled(-1.0)),
        ("additivity", lambda *asked: {x: v**3 for x, v in of("removal")(*asked).items()}),
        ("counterfactuality", scaled(-1.0)),
        ("local-faithfulness", scaled(-1.0, "gradient")),
        ("efficiency", scaled(1.001, "shapley")),
    ],
)
def test_a_caf_of_ones_own_that_breaks_a_property_is_caught(name, caf):
    phi = "shapley" if name == "efficiency" else "removal"
    found = AXIOMS[name](FORK, caf, semantics="df-quad", phi=phi)
    assert isinstance(found, Witness), found
    assert found.left != found.right or name == "monotonicity"
    assert not AXIOMS[name](FORK, of(phi if name != "local-faithfulness" else "gradient"), semantics="df-quad", phi=phi)


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_a_caf_whose_numbers_are_those_of_numpy_is_caught_too(number):
    halved = lambda *asked: {x: number(v / 2) for x, v in of("removal")(*asked).items()}  # noqa: E731
    assert isinstance(AXIOMS["calibration"](FORK, halved, semantics="df-quad", phi="removal"), Witness)


def test_an_implausible_attribution_is_caught_in_all_three_ways():
    shares = lambda qbaf, topic, semantics: {x: 1 / len(qbaf) for x in qbaf if x != topic}  # noqa: E731
    found = plausibility(FORK, "removal", semantics="df-quad", phi=shares)
    assert found.right in (1 / 8, 0)
    assert "isolated" in found.words
    on_others = lambda q, topic, s: {x: 1.0 if x == "isolated" else 0.0 for x in q if x != topic}  # noqa: E731
    assert plausibility(FORK, "removal", semantics="df-quad", phi=on_others).words.endswith("contributes 1 to a, not 0")
    from_others = lambda q, topic, s: {x: float(topic == "isolated") for x in q if x != topic}  # noqa: E731
    assert "to an isolated argument, not 0" in plausibility(FORK, "removal", semantics="df-quad", phi=from_others).words
    changed = lambda q, topic, s: {x: float("isolated" in q and x != "isolated" != topic) for x in q if x != topic}  # noqa: E731
    assert "is 0, and 1 once an isolated argument is added" in plausibility(FORK, phi=changed, semantics="qe").words


def test_graphs_without_names_are_checked_as_well():
    qbaf = Qbaf.from_arrays([0.5, 0.5, 0.5], [2, 2], [0, 1], [1.0, -0.5])
    for axiom in AXIOMS.values():
        assert not axiom(qbaf, "removal", semantics="qe", topics=[0, 1]) or axiom.name in (
            "efficiency",
            "local-faithfulness",
        )


# -- what does not apply says so --------------------------------------------------------------------------------


def test_a_premise_that_is_not_met_does_not_pass_silently():
    alone = Qbaf({"a": 0.5, "b": 0.5})
    found = AXIOMS["antisymmetry"](alone, "removal", semantics="qe")
    assert isinstance(found, NotApplicable)
    assert not found
    assert str(found) == "Antisymmetry does not apply: there is no third argument with a defined contribution"
    assert isinstance(AXIOMS["additivity"](alone, "removal", semantics="qe"), NotApplicable)
    apart = Qbaf({"a": 0.5, "b": 0.5, "x": 0.5}, topics=["a", "b"])
    assert str(AXIOMS["monotonicity"](apart, "removal")).endswith("contributes more to the fact than to the foil")
    assert isinstance(AXIOMS["counterfactuality"](apart, "removal"), NotApplicable)
    assert AXIOMS["neutrality"](apart, "removal") is None


def test_a_gradient_at_a_kink_meets_no_premise():
    # attack and support of a are equal and its base score is not 1/2: the limit of the definition does not exist
    qbaf = Qbaf({"a": 0.25, "b": 0.5, "x": 0.5, "y": 0.5}, [("x", "a")], [("y", "a")], topics=["a", "b"])
    for name in ("antisymmetry", "local-faithfulness", "efficiency"):
        found = AXIOMS[name](qbaf, "gradient", semantics="df-quad")
        assert isinstance(found, NotApplicable)
        assert "Φ does not exist for 'x', 'y' (a kink)" in found.reason


def test_an_undefined_strength_is_said_to_be_why():
    found = efficiency(examples.load("undefined"), "removal", topics=examples.load("undefined").arguments[:2])
    assert isinstance(found, NotApplicable)
    assert "undefined" in found.reason


def test_properties_against_phi_ask_for_one():
    with pytest.raises(InvalidInput, match="give phi="):
        AXIOMS["calibration"](FORK, of("removal"))
    with pytest.raises(UnknownName, match="did you mean 'removal'"):
        AXIOMS["calibration"](FORK, "removl")
    with pytest.raises(InvalidInput, match="caf is 3; give a function"):
        AXIOMS["calibration"](FORK, 3)
    with pytest.raises(InvalidInput, match="give a list of names"):
        AXIOMS["calibration"](FORK, "removal", topics="ab")


# -- local faithfulness where a slope is 0 ----------------------------------------------------------------------

BALANCED = Qbaf({"a": 0.5, "b": 0.5, "x": 0.5, "y": 0.5}, [("y", "a")], [("x", "a")], topics=["a", "b"])


def test_a_slope_of_zero_is_not_taken_for_a_verdict():
    # QE at energy 0: σ moves with the square of the energy, so all slopes are 0 and its sign still follows x
    assert dict(contrast(BALANCED, "a", "b", method="gradient", semantics="qe")) == {"x": 0, "y": 0}
    assert local_faithfulness(BALANCED, "removal", semantics="qe") is None
    found = local_faithfulness(BALANCED, scaled(-1.0), semantics="qe")
    assert isinstance(found, Witness)
    assert found.left == 0
    assert "whose slope is 0, moves the other way" in found.words
    # DF-QuAD: the gap is (c² − c)/2 for base score c, smallest at 1/2, so that more of c and less of c both raise it
    bowl = Qbaf({"a": 0.5, "b": 1.0, "c": 0.5}, [("a", "b"), ("c", "a"), ("c", "b")], topics=["a", "b"])
    found = local_faithfulness(bowl, "removal", semantics="df-quad")
    assert (found.value, found.left) == (-0.125, 0)


def test_a_gap_that_moves_now_this_way_now_that_is_not_decided():
    def strength(b, e):
        size = np.abs(e)
        turns = np.where(size > 0, np.cos(np.pi * np.log2(np.where(size > 0, size, 1.0))), 0.0)
        return b + np.where(size < 2.0**-6, e * size * turns, 0.2 * e)

    flat = Influence(strength, lambda b, e: np.ones_like(b), lambda b, e: np.zeros_like(b), neutral=True)
    slopes = lambda att, sup: (-np.ones_like(att), np.ones_like(sup))  # noqa: E731
    wobbly = Semantics("wobbly", Aggregation(lambda att, sup: sup.sum(0) - att.sum(0), slopes), flat)
    found = local_faithfulness(BALANCED, "removal", semantics=wobbly)
    assert isinstance(found, NotApplicable)
    assert found.undecided
    assert "is not decided" in str(found)


def test_only_the_side_that_exists_counts_at_base_scores_0_and_1():
    # DF-QuAD at a full supporter: less of x moves a down, more of it is impossible
    qbaf = Qbaf({"a": 0.5, "b": 0.5, "x": 1.0}, supports=[("x", "a")], topics=["a", "b"])
    assert local_faithfulness(qbaf, "removal", semantics="df-quad") is None
    found = local_faithfulness(qbaf, scaled(-1.0), semantics="df-quad")
    assert "with less of x" in found.words
    assert (
        "with more of x"
        in local_faithfulness(qbaf.with_base_scores({"x": 0.0}), scaled(-1.0, "gradient"), semantics="df-quad").words
    )


def test_at_a_kink_each_side_has_its_own_slope():
    # DF-QuAD: attack and support of a balance, so σ(a) has slope 1/4 below and 3/4 above; σ(b) = x/2 has 1/2
    scores = {"a": 0.25, "b": 0.0, "x": 0.5, "y": 0.5}
    qbaf = Qbaf(scores, [("y", "a")], {("x", "a"): 1.0, ("x", "b"): 0.5}, topics=["a", "b"])
    found = local_faithfulness(qbaf, lambda *_: {"x": -0.125, "y": 0.0}, semantics="df-quad")
    assert "with more of x" in found.words
    assert found.left == 0.25
    found = local_faithfulness(qbaf, lambda *_: {"x": 0.125, "y": 0.0}, semantics="df-quad")
    assert "with less of x" in found.words
    assert found.left == -0.25


# -- findings: where the paper's statements need a word more ----------------------------------------------------


@pytest.mark.parametrize(("semantics", "strength"), [("df-quad", 1 / 3), ("qe", None), ("reb", None)])
def test_a_self_attack_breaks_the_efficiency_of_shapley_values(semantics, strength):
    # alone in the empty coalition, a already is not at its base score: v(∅) ≠ τ(a)
    qbaf = Qbaf({"a": 0.5, "b": 0.5}, attacks=[("a", "a")])
    found = efficiency(qbaf, "shapley", semantics=semantics)
    assert isinstance(found, Witness)
    assert found.left == 0
    if strength:
        assert found.right == pytest.approx(strength - 1 / 2, abs=1e-10)


def test_a_gap_may_have_a_gradient_where_neither_topic_has():
    # twins at a kink: the gap is 0 whatever x is, but neither φ exists, nor does their difference
    scores = {"a": 0.25, "b": 0.25, "x": 0.5, "y": 0.5}
    qbaf = Qbaf(scores, [("x", "a"), ("x", "b")], [("y", "a"), ("y", "b")], topics=["a", "b"])
    why = contrast(qbaf, "a", "b", method="gradient", semantics="df-quad")
    assert np.isnan(why["x"])
    assert (why.sides["x"].below, why.sides["x"].above) == (0, 0)
    assert isinstance(AXIOMS["neutrality"](qbaf, "gradient", semantics="df-quad"), NotApplicable)


def test_a_restriction_may_be_undefined_though_the_graph_is_not():
    qbaf = Qbaf({"a": 1.0, "b": 1.0, "c": 1.0}, [("a", "b"), ("b", "a"), ("c", "a")], topics=["a", "b"])
    with pytest.raises(UndefinedStrength):
        contrast(qbaf, "a", "b", method="removal", semantics="df-quad")
    for name in ("antisymmetry", "counterfactuality"):
        assert isinstance(AXIOMS[name](qbaf, "removal", semantics="df-quad"), NotApplicable)


def test_every_property_of_the_paper_is_in_the_table():
    paper = {name: each for name, each in AXIOMS.items() if each.players == "arguments"}
    assert list(paper) == [
        "antisymmetry",
        "calibration",
        "inverse-calibration",
        "neutrality",
        "monotonicity",
        "additivity",
        "plausibility",
        "counterfactuality",
        "local-faithfulness",
        "efficiency",
    ]
    assert all(each.title and each.statement and each.help for each in AXIOMS.values())
    for each in paper.values():  # the paper proves or refutes every property for each of its methods
        assert sorted(each.proved_for + each.refuted_for) == sorted(METHODS)


def test_a_derived_caf_knows_its_phi():
    assert AXIOMS["calibration"](FORK, Derived("removal", lambda a, b: a - b), semantics="df-quad") is None
    assert AXIOMS["calibration"](FORK, Derived("removal", lambda a, b: 2 * a - b), semantics="df-quad")
