"""The search for counterexamples: it finds every "no" of the paper, no "yes", and the axiom that a wrong CAF breaks."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from qontrast import InvalidInput, Qbaf, UnknownName, contrast
from qontrast.axioms import AXIOMS, Derived, Tried, Witness, axiom_table, find_counterexample
from qontrast.axioms.evaluation import Evaluation, resolve_caf
from qontrast.axioms.random_graphs import Batch, GraphSampler, sample_graphs
from qontrast.axioms.search import measure_size, search, shrink
from qontrast.semantics import SEMANTICS

METHODS = ("removal", "gradient", "shapley")


@pytest.mark.parametrize("semantics", ["df-quad", "qe", "reb"])
def test_the_search_finds_every_no_of_the_paper_and_no_yes(semantics):
    table = axiom_table(semantics=semantics, graphs=160)
    for axiom in table.axioms:
        for method in METHODS:
            found = table[axiom, method]
            if method in AXIOMS[axiom].refuted_for:
                found = found or find_counterexample(axiom, method, semantics=semantics)  # some are rare
                assert isinstance(found, Witness), (axiom, method)
                again = AXIOMS[axiom](found.qbaf, method, semantics=semantics, topics=["a", "b"])
                assert isinstance(again, Witness)
            else:
                assert isinstance(found, Tried), str(found)
                assert found.graphs == 160
                assert found.applied > 25
                assert found.undecided == 0


def test_witnesses_are_shrunk_to_what_is_needed():
    found = find_counterexample("efficiency", "gradient", semantics="df-quad", seed=3)
    assert measure_size(found.qbaf) <= (3, 1, 0, 0)  # one supporter or attacker, all base scores 1/2
    assert abs(found.left) == 0.5
    assert abs(found.right) == 0.25
    local = find_counterexample("local-faithfulness", "removal", semantics="df-quad")
    assert len(local.qbaf) <= 4
    for edge in [*local.qbaf.attacks, *local.qbaf.supports]:  # nothing can be left out
        kept = [{e: w for e, w in r.items() if e != edge} for r in (local.qbaf.attacks, local.qbaf.supports)]
        smaller = Qbaf(dict(local.qbaf.base_scores), *kept)
        assert not AXIOMS["local-faithfulness"](smaller, "removal", semantics="df-quad", topics=["a", "b"])


def test_the_same_seed_gives_the_same_witness_and_another_may_not():
    ask = lambda seed: str(find_counterexample("efficiency", "removal", semantics="qe", seed=seed))  # noqa: E731
    assert ask(1) == ask(1)
    assert len({ask(seed) for seed in range(4)}) > 1


def test_cyclic_search_finds_that_self_loops_break_the_efficiency_of_shapley_values():
    found = find_counterexample("efficiency", "shapley", semantics="qe", graphs=40, cyclic=True, arguments=(2, 3))
    assert measure_size(found.qbaf)[:2] == (2, 1)
    assert (found.qbaf.sources == found.qbaf.targets).all()
    without = find_counterexample(
        "efficiency", "shapley", semantics="qe", graphs=30, cyclic=True, loops=False, arguments=(3, 4)
    )
    assert isinstance(without, Tried)
    assert without.graphs == 30


def test_the_progress_of_a_search_is_told():
    seen = []
    axiom_table(
        ["removal", "gradient"], ["antisymmetry"], semantics="qe", graphs=120, progress=lambda *at: seen.append(at)
    )
    assert seen[-1] == (240, 240)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_search_that_makes_no_sense_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'antisymmetry'"):
        find_counterexample("antisymetry")
    with pytest.raises(InvalidInput, match="arguments is"):
        find_counterexample("antisymmetry", arguments=(1, 3))


def test_the_largest_graphs_leave_a_name_for_an_isolated_argument():
    found = find_counterexample("plausibility", "removal", semantics="qe", graphs=2, arguments=(16, 16))
    assert (found.graphs, found.applied) == (2, 2)
    with pytest.raises(InvalidInput, match=r"arguments is \(3, 17\); give \(from, to\) between 2 and 16"):
        find_counterexample("plausibility", arguments=(3, 17))


# -- graphs side by side ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("semantics", ["df-quad", "reb"])
@pytest.mark.parametrize("method", METHODS)
def test_graphs_side_by_side_have_the_same_numbers_as_each_alone(method, semantics):
    caf, sigma = resolve_caf(method), SEMANTICS[semantics]
    sampled = sample_graphs(np.random.default_rng(5), 12, 5, 1.0)
    batch = Batch(sampled, sigma, caf, (0, 1, 2))
    for k in range(12):
        mine, alone = batch[k], Evaluation(sampled.qbaf(k), sigma, caf)
        near = lambda a, b: pytest.approx(b, abs=1e-12, nan_ok=True) == a  # noqa: E731
        assert near(dict(mine.contrast("a", "b")), dict(alone.contrast("a", "b")))
        assert near(dict(mine.phi("c")), dict(alone.phi("c")))
        for x in "cde":
            for topic in "ab":
                assert near(mine.strength_without(x, topic), alone.strength_without(x, topic))
                for side in (1, -1):
                    assert near(mine.slope(x, topic, side), alone.slope(x, topic, side))
        for new, topic in ((0, "a"), (-1, "f")):
            grown, grown_alone = mine.with_isolated, alone.with_isolated
            assert grown.players[new] == topic
            assert near([*grown.phi(topic).values()], [*grown_alone.phi(grown_alone.players[new]).values()])


def test_sampled_graphs_have_all_that_laws_need():
    sampled = sample_graphs(np.random.default_rng(0), 400, 5, 2.0)
    assert {0.0, 0.5, 1.0} <= set(sampled.base.ravel().tolist())
    weights = sampled.weights[~np.isnan(sampled.weights)]
    assert (np.abs(weights) == 1).any()
    assert (np.abs(weights) > 1).any()
    assert (weights < 0).any()
    assert (~np.isnan(sampled.weights[:, :, :2])).any(axis=(1, 2)).mean() > 0.6  # topics have parents
    loops = sample_graphs(np.random.default_rng(0), 400, 5, 2.0, cyclic=True)
    assert (~np.isnan(loops.weights[:, range(5), range(5)])).any()


# -- the characterisation: derived, antisymmetric, calibrated, additive means subtraction ------------------------------

NEEDED = ("antisymmetry", "calibration", "additivity")
OTHERS = {  # f(φ_fact, φ_foil), and which of the three it breaks, by hand
    "a + b": (lambda a, b: a + b, {"antisymmetry", "additivity"}),
    "max(a, b)": (max, {"antisymmetry", "calibration", "additivity"}),
    "a b": (lambda a, b: a * b, {"antisymmetry", "calibration", "additivity"}),
    "2a − b": (lambda a, b: 2 * a - b, {"antisymmetry", "calibration", "additivity"}),
    "a − b + ab": (lambda a, b: a - b + a * b, {"antisymmetry", "additivity"}),
    "a": (lambda a, b: a, {"antisymmetry", "additivity"}),
    "|a − b|": (lambda a, b: abs(a - b), {"antisymmetry", "calibration", "additivity"}),
    "tanh(a − b)": (lambda a, b: math.tanh(a - b), {"calibration", "additivity"}),
    "2(a − b)": (lambda a, b: 2 * (a - b), {"calibration"}),
    "a³ − b³": (lambda a, b: a**3 - b**3, {"calibration"}),
    "a − b + ab(a − b)": (lambda a, b: a - b + a * b * (a - b), {"additivity"}),
    "a − b": (lambda a, b: a - b, set()),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("method", ["removal", "gradient"])
def test_every_other_combination_than_subtraction_breaks_an_axiom(name, method):
    combine, broken = OTHERS[name]
    found = search(NEEDED, Derived(method, combine, name), GraphSampler(graphs=400), semantics="df-quad")
    assert {axiom for axiom, each in found.items() if isinstance(each, Witness)} == broken
    for axiom in broken:
        assert found[axiom].caf == name


def test_a_caf_of_ones_own_is_searched_one_graph_at_a_time():
    def halved(qbaf, fact, foil, semantics):
        return {x: value / 2 for x, value in contrast(qbaf, fact, foil, method="removal", semantics=semantics).items()}

    found = search(
        ["antisymmetry", "calibration", "efficiency"], halved, GraphSampler(graphs=40), semantics="qe", phi="removal"
    )
    assert isinstance(found["antisymmetry"], Tried)
    assert isinstance(found["calibration"], Witness)
    assert isinstance(found["efficiency"], Witness)
    assert found["calibration"].caf == "halved"


def test_some_of_the_sampled_graphs_have_twin_topics_with_parents():
    """So that premises of equality occur: the foil has the base score and the parents of the fact."""
    for cyclic in (False, True):
        sampled = sample_graphs(np.random.default_rng(1), 600, 5, 2.0, cyclic=cyclic)
        same = [
            sampled.base[k, 0] == sampled.base[k, 1]
            and np.array_equal(sampled.weights[k, :, 0], sampled.weights[k, :, 1], equal_nan=True)
            and not np.isnan(sampled.weights[k, :, 0]).all()
            for k in range(600)
        ]
        assert 0.05 < np.mean(same) < 0.25


def test_a_graph_counts_as_applied_only_where_the_premise_holds():
    """Two arguments leave no contributor, three no third topic beside one; not every graph has equal contributions."""
    for axiom in ("antisymmetry", "calibration", "neutrality", "monotonicity", "counterfactuality"):
        alone = find_counterexample(axiom, "removal", semantics="qe", graphs=30, arguments=(2, 2), seed=2)
        assert (alone.graphs, alone.applied) == (30, 0)
        assert str(alone) == "none in 30 graphs (0 apply)"
    assert find_counterexample("additivity", "removal", semantics="qe", graphs=30, arguments=(3, 3)).applied == 0
    for axiom in ("calibration", "neutrality", "monotonicity", "counterfactuality"):
        some = find_counterexample(axiom, "removal", semantics="qe", graphs=30, arguments=(3, 3), seed=2)
        assert 0 < some.applied < some.graphs == 30
    every = find_counterexample("antisymmetry", "removal", semantics="qe", graphs=30, arguments=(3, 3))
    assert (every.applied, str(every)) == (30, "none in 30 graphs")


@pytest.mark.parametrize("axiom", ["efficiency", "counterfactuality", "local-faithfulness", "monotonicity"])
def test_a_witness_cannot_be_made_plainer_by_one_step(axiom):
    """No argument, edge, weight or base score can be left out, set to 1 or made rounder, and still violate it."""
    for method in METHODS:
        if method not in AXIOMS[axiom].refuted_for:
            continue
        found = find_counterexample(axiom, method, semantics="df-quad", seed=4, graphs=400)
        if not isinstance(found, Witness):
            continue
        q = found.qbaf

        def still(graph, axiom=axiom, method=method):
            return isinstance(AXIOMS[axiom](graph, method, semantics="df-quad", topics=["a", "b"]), Witness)

        assert still(q)
        for x in set(q) - {"a", "b"}:
            assert not still(q.without(x))
        relations = (q.attacks, q.supports)
        for edge in [*q.attacks, *q.supports]:
            assert not still(Qbaf(q.base_scores, *({e: w for e, w in r.items() if e != edge} for r in relations)))
            if q.attacks.get(edge, q.supports.get(edge)) != 1.0:
                assert not still(
                    Qbaf(q.base_scores, *({e: 1.0 if e == edge else w for e, w in r.items()} for r in relations))
                )
        for x in q:
            for plainer in (0.5, 0.0, 1.0, 0.25, 0.75):
                graph = q.with_base_scores({x: plainer})
                assert measure_size(graph) >= measure_size(q) or not still(graph)


def test_everything_about_a_witness_that_is_not_needed_is_dropped_or_made_plain():
    """A violation that needs the weight of one edge and the base score of one argument, and nothing else."""
    graph = Qbaf(
        {"a": 0.31, "b": 0.62, "c": 0.47, "d": 0.9, "e": 0.123},
        attacks={("c", "a"): 0.7, ("d", "b"): 0.2, ("e", "a"): 0.4},
        supports={("d", "a"): 0.3, ("c", "b"): 0.6},
    )

    def again(q):
        edges = {**q.attacks, **q.supports}
        needed = edges.get(("c", "a"), 1.0) < 1 and ("d", "b") in edges and q.base_scores.get("d", 0) > 0.8
        return SimpleNamespace(qbaf=q) if needed else None

    found = shrink(SimpleNamespace(qbaf=graph), again, ["a", "b"]).qbaf
    assert set(found) == {"a", "b", "c", "d"}
    assert found.attacks == {("c", "a"): 0.7, ("d", "b"): 1.0}
    assert not found.supports
    assert found.base_scores == {"a": 0.5, "b": 0.5, "c": 0.5, "d": 1.0}


def test_what_can_go_only_after_something_else_has_gone_goes_too():
    """No argument can be removed while there are edges, and arguments are tried before edges."""
    last = Qbaf(dict.fromkeys("abxyz", 0.3), attacks={("y", "x"): 0.7, ("z", "y"): 0.7, ("b", "z"): 0.7})

    def check(smaller):
        nonlocal last
        if len(smaller) < len(last) and last.attacks:
            return None
        last = smaller
        return SimpleNamespace(qbaf=smaller)

    found = shrink(SimpleNamespace(qbaf=last), check, ["a", "b"]).qbaf
    assert (list(found), dict(found.attacks)) == (["a", "b"], {})
