"""What a network says as a QBAF: laws, values by hand, and ways to fail."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax

from qontrast import InvalidInput, TooLarge, UnknownName, attribute, strengths
from qontrast.networks import Network, from_arrays, load, save


def random_network(seed=0, sizes=(4, 5, 3), scale=2.0, **settings) -> Network:
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=(m, n)) * scale for m, n in pairwise(sizes)]
    return from_arrays(weights, [rng.normal(size=n) * scale for n in sizes[1:]], **settings)


def by_hand(network: Network, x: np.ndarray) -> np.ndarray:
    act = {"logistic": expit, "tanh": np.tanh, "relu": lambda z: np.maximum(z, 0), "identity": lambda z: z}
    for layer in network.layers:
        x = act[layer.activation](x @ layer.weights + layer.bias)
    return {"logistic": expit, "softmax": lambda z: softmax(z, axis=1), "identity": lambda z: z}[network.readout](x)


KINDS = [
    {"activation": "logistic"},
    {"activation": "tanh"},
    {"activation": "logistic", "readout": "softmax"},
    {"activation": "tanh", "readout": "softmax"},
    {"activation": "relu", "as_function": True},
    {"activation": "relu", "readout": "softmax", "as_function": True},
    {"activation": "relu", "readout": "identity", "as_function": True},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
@pytest.mark.parametrize("sizes", [(4, 3), (4, 5, 3), (8, 16, 3), (5, 9, 7, 4)])
def test_strengths_are_the_networks_own_outputs(kind, sizes):
    network = random_network(1, sizes, **kind)
    x = np.random.default_rng(2).random((30, sizes[0]))
    np.testing.assert_allclose(network.strengths(x), by_hand(network, x), rtol=0, atol=1e-11)


@given(st.integers(0, 10**6), st.sampled_from([1.0, 10.0, 60.0, 500.0]), st.sampled_from(["logistic", "tanh"]))
def test_large_weights_and_biases_leave_strengths_exact(seed, scale, activation):
    network = random_network(seed, (3, 4, 2), scale, activation=activation)
    x = np.random.default_rng(seed).integers(0, 3, (6, 3)) / 2  # 0, 0.5 and 1
    np.testing.assert_allclose(network.strengths(x), by_hand(network, x), rtol=0, atol=1e-9)


def test_a_bias_that_no_base_score_can_hold_comes_from_a_constant_argument():
    network = from_arrays([[[-30.0]]], [[40.0]])
    q = network.qbaf([1.0])
    assert q.supports == {("constant", "class 0"): 32.0}
    assert strengths(q)["class 0"] == pytest.approx(expit(10.0), abs=1e-11)


def test_the_qbaf_of_an_instance_by_hand():
    network = from_arrays([[[2.0], [-1.0]], [[3.0]]], [[0.5], [-1.0]], inputs=["a", "b"], classes=["yes"])
    q = network.qbaf({"b": 0.25, "a": 1.0})
    assert q.supports == {("a", "hidden 1.1"): 2.0, ("hidden 1.1", "yes"): 3.0}
    assert q.attacks == {("b", "hidden 1.1"): 1.0}
    assert (q.base_scores["a"], q.base_scores["b"]) == (1.0, 0.25)
    assert q.base_scores["hidden 1.1"] == pytest.approx(expit(0.5))
    assert (q.topics, q.semantics) == (("yes",), "mlp")
    assert strengths(q)["yes"] == pytest.approx(expit(3 * expit(2.25) - 1), abs=1e-14)


def test_an_input_keeps_its_value_to_the_last_bit_even_at_zero_and_one():
    network = random_network(3)
    found = strengths(network.qbaf([0.0, 1.0, 0.3, 1e-300]))
    assert [found[name] for name in network.inputs] == [0.0, 1.0, 0.3, 1e-300]
    assert np.isfinite(network.gradient([0.0, 1.0, 0.3, 1e-300])).all()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
def test_the_gradient_agrees_with_differences(kind):
    network = random_network(4, (4, 6, 5, 3), **kind)
    x = np.random.default_rng(5).uniform(0.1, 0.9, (8, 4))
    h = 1e-6  # strengths are good to 1e-15: 1e-9 of noise; truncation 1e-12
    for i in range(4):
        step = h * np.eye(4)[i]
        slope = (network.strengths(x + step) - network.strengths(x - step)) / (2 * h)
        np.testing.assert_allclose(network.gradient(x)[:, :, i], slope, rtol=0, atol=1e-7)


def naive_shapley(network, x, c):
    n = len(x)
    value = lambda s: network.strengths(np.where(np.isin(np.arange(n), list(s)), x, 0.0))[0, c]  # noqa: E731
    return [
        sum(
            factorial(k) * factorial(n - k - 1) / factorial(n) * (value((*s, i)) - value(s))
            for k in range(n)
            for s in combinations([j for j in range(n) if j != i], k)
        )
        for i in range(n)
    ]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
def test_shapley_over_the_inputs_is_the_naive_sum(kind):
    network = random_network(6, **kind)
    x = np.array([[0.2, 0.9, 0.5, 0.0], [1.0, 0.3, 0.0, 0.7]])
    phi = network.contributions(x, method="shapley")
    for row in range(2):
        for c in range(3):
            np.testing.assert_allclose(phi[row, c], naive_shapley(network, x[row], c), rtol=0, atol=1e-12)


def test_shapley_in_several_blocks_is_the_same(monkeypatch):
    network, x = random_network(7), np.random.default_rng(8).random((5, 4))
    whole = network.contributions(x, method="shapley")
    for lanes in (2, 4, 48):
        monkeypatch.setattr("qontrast.attribution.inputs.LANES", lanes)
        np.testing.assert_allclose(network.contributions(x, method="shapley"), whole, rtol=0, atol=1e-13)


def test_shapley_over_the_inputs_adds_up_to_what_they_change():
    network, x = random_network(9), np.random.default_rng(10).random((7, 4))
    total = network.contributions(x, method="shapley").sum(axis=2)
    np.testing.assert_allclose(total, network.strengths(x) - network.strengths(np.zeros((1, 4))), atol=1e-12)


def test_an_input_at_zero_contributes_nothing_by_removal_and_shapley_but_has_a_slope():
    network = random_network(11)
    x = [0.4, 0.0, 0.8, 0.6]
    for method in ("removal", "shapley"):
        assert (network.contributions(x, method=method)[:, :, 1] == 0.0).all()
    assert (network.contributions(x, method="gradient")[:, :, 1] != 0.0).all()


def test_the_slope_at_a_binary_input_is_not_the_difference_between_its_values():
    network = random_network(12)
    on, off = np.array([0.4, 1.0, 0.8, 0.6]), np.array([0.4, 0.0, 0.8, 0.6])
    difference = network.strengths(on) - network.strengths(off)
    np.testing.assert_allclose(network.contributions(on, method="removal")[:, :, 1], difference, atol=1e-15)
    assert np.abs(network.gradient(on)[:, :, 1] - difference).max() > 0.01


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))
@pytest.mark.parametrize("method", ["gradient", "removal", "shapley"])
def test_a_contrast_is_antisymmetric_and_a_difference(kind, method):
    network, x = random_network(13, **kind), [0.1, 0.6, 1.0, 0.3]
    why = network.contrast(x, "class 0", "class 2", method=method)
    back = network.contrast(x, "class 2", "class 0", method=method)
    for name in network.inputs:
        assert why[name] == -back[name]
        assert why[name] == why.individual["class 0"][name] - why.individual["class 2"][name]
    strength = network.strengths(x)[0]
    assert why.gap == pytest.approx(strength[0] - strength[2])


def test_the_result_says_who_played_how_it_was_read_and_what_was_explained():
    x = [0.1, 0.6, 1.0, 0.3]
    network = random_network(14)
    inputs = network.contrast(x, "class 0", "class 1", method="removal")
    everyone = network.contrast(x, "class 0", "class 1", method="removal", players="all")
    assert (inputs.players, everyone.players) == ("inputs", "all")
    assert set(everyone) == {*network.inputs, *(f"hidden 1.{k}" for k in range(1, 6)), "class 2"}
    assert everyone.contrast.cross_topic.component == 0
    assert "players: the 4 inputs (removal, logistic readout)" in str(inputs)
    assert "players: all arguments" in str(everyone)
    for name in network.inputs:  # to remove an input is the same in both: hidden neurons stay
        assert inputs[name] == pytest.approx(everyone[name], abs=1e-14)
    relu = random_network(14, activation="relu", as_function=True).contrast(x, "class 0", "class 1")
    assert relu.explains == "the network's own function"
    assert "of the network's own function" in str(relu)
    assert relu.to_dict()["explains"] == relu.explains
    assert relu.to_dict()["schema"] == "qontrast/network-contrast/1"


def test_all_arguments_play_the_papers_shapley_game():
    network, x = random_network(15, (2, 3, 2)), [0.3, 0.8]
    everyone = network.contrast(x, "class 0", "class 1", players="all")
    assert sum(everyone.values()) == pytest.approx(everyone.gap - everyone.contrast.base_gap, abs=1e-12)
    assert everyone["x0"] != pytest.approx(network.contrast(x, "class 0", "class 1")["x0"], abs=1e-6)


def test_a_constant_added_to_all_logits_moves_logistic_strengths_and_not_softmax():
    one = random_network(16)
    last = one.layers[-1]
    rest = [layer.weights for layer in one.layers], [one.layers[0].bias, last.bias + 3.0]
    two, x = from_arrays(*rest), [0.2, 0.4, 0.6, 0.8]
    assert np.abs(one.strengths(x) - two.strengths(x)).max() > 0.05
    soft = one.with_readout("softmax"), two.with_readout("softmax")
    np.testing.assert_allclose(soft[0].strengths(x), soft[1].strengths(x), atol=1e-14)
    np.testing.assert_allclose(soft[0].gradient(x), soft[1].gradient(x), atol=1e-14)


def test_individual_ranks_agree_on_logits_and_logistic_outputs():
    network, x = random_network(17), np.random.default_rng(18).random((20, 4))
    logits = from_arrays(
        [layer.weights for layer in network.layers],
        [layer.bias for layer in network.layers],
        readout="identity",
        as_function=True,
    )
    ours, theirs = np.abs(network.gradient(x)), np.abs(logits.gradient(x))
    np.testing.assert_array_equal(ours.argsort(axis=2), theirs.argsort(axis=2))


def test_one_logistic_output_and_two_names_are_two_classes():
    network = from_arrays([[[2.0]]], [[-0.5]], classes=["no", "yes"])
    found = network.strengths([[0.0], [1.0]])
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-15)
    assert found[1, 1] == pytest.approx(expit(1.5))


def test_a_table_with_columns_is_put_in_order():
    pandas = pytest.importorskip("pandas")
    network = random_network(19)
    x = np.random.default_rng(20).random((3, 4))
    frame = pandas.DataFrame(x[:, ::-1], columns=["x3", "x2", "x1", "x0"])
    np.testing.assert_allclose(network.strengths(frame), network.strengths(x), rtol=0, atol=1e-14)


def test_what_cannot_be_an_argument_is_refused_with_the_way_out():
    with pytest.raises(InvalidInput, match=r"hidden layer 1 is relu: its values can leave .* as_function=True"):
        random_network(activation="relu")
    with pytest.raises(InvalidInput, match="plain numbers can leave"):
        random_network(readout="identity")
    with pytest.raises(InvalidInput, match=r"softmax is not an argument.*with_readout\('logistic'\)"):
        random_network(readout="softmax").qbaf([0, 0, 0, 0])
    with pytest.raises(InvalidInput, match="softmax is not an argument"):
        random_network(readout="softmax").contrast([0, 0, 0, 0], "class 0", "class 1", players="all")
    with pytest.raises(InvalidInput, match="it has no QBAF"):
        random_network(activation="relu", as_function=True).qbaf([0, 0, 0, 0])


@pytest.mark.parametrize("place", range(4))
def test_features_from_0_to_1_are_accepted_and_no_others(place):
    network = random_network(inputs=["age", "priors", "sex", "race"])
    asks = (network.strengths, network.gradient, network.qbaf, network.predict, network.contributions)
    for value in (0.0, 1.0, np.nextafter(0, 1), np.nextafter(1, 0)):
        for ask in asks:
            ask(np.where(np.arange(4) == place, value, 0.5))
    for value in (np.nextafter(1, 2), -5e-324, 1.5, 2.0, -1.0, np.inf, np.nan):
        for ask in asks:
            with pytest.raises(InvalidInput, match=f"feature '{network.inputs[place]}' is "):
                ask(np.where(np.arange(4) == place, value, 0.5))


def test_a_feature_outside_the_unit_interval_is_named_with_its_value_and_the_way_out():
    network = random_network(inputs=["age", "priors", "sex", "race"])
    with pytest.raises(InvalidInput, match=r"feature 'priors' is 38 in row 1, outside \[0, 1\].*scale"):
        network.strengths([[0, 0, 0, 0], [0, 38, 0, 0]])
    with pytest.raises(InvalidInput, match="'age' is nan"):
        network.gradient([float("nan"), 0, 0, 0])
    with pytest.raises(InvalidInput, match=r"shape \(1, 3\); give \(instances, 4 features\)"):
        network.strengths([0, 0, 0])
    with pytest.raises(InvalidInput, match="not a number"):
        network.strengths([["a", 0, 0, 0]])
    with pytest.raises(UnknownName, match="no feature 'race'"):
        network.qbaf({"age": 0, "priors": 0, "sex": 0, "rase": 0})


def test_what_makes_no_network_is_refused():
    with pytest.raises(InvalidInput, match="layer 1 has 5 neurons, layer 2 takes 4"):
        from_arrays([np.ones((3, 5)), np.ones((4, 2))], [np.ones(5), np.ones(2)])
    with pytest.raises(InvalidInput, match="not a finite number"):
        from_arrays([[[np.inf]]], [[0.0]])
    with pytest.raises(InvalidInput, match="give as many different names"):
        random_network(inputs=["a", "a", "b", "c"])
    with pytest.raises(InvalidInput, match="'Low' names two arguments"):
        random_network(inputs=["Low", "a", "b", "c"], classes=["Low", "Medium", "High"]).qbaf([0, 0, 0, 0])
    with pytest.raises(UnknownName, match="no class 'Hihg' among the 3 here; did you mean 'High'"):
        random_network(classes=["Low", "Medium", "High"]).contrast([0, 0, 0, 0], "Hihg", "Low")
    with pytest.raises(UnknownName, match="no method 'lime'"):
        random_network().contributions([0, 0, 0, 0], method="lime")
    with pytest.raises(TooLarge, match=r"exact Shapley over 25 inputs needs 2\^25"):
        random_network(sizes=(25, 2)).contributions(np.ones(25))


@pytest.mark.parametrize("activation", ["logistic", "tanh"])
@pytest.mark.parametrize("seed", range(3))
def test_outputs_and_their_slopes_are_those_of_the_qbaf(activation, seed):
    network = random_network(seed, activation=activation)
    for x in np.random.default_rng(seed).random((3, 4)):
        q = network.qbaf(x)
        found = strengths(q)
        assert network.strengths(x)[0] == pytest.approx([found[name] for name in network.classes], rel=1e-11)

        for k, topic in enumerate(network.classes):
            slopes = attribute(q, topic, method="gradient")
            expected = [slopes[name] for name in network.inputs]
            assert network.gradient(x)[0, k] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_network_that_was_saved_is_read_back(tmp_path):
    network = random_network(21, activation="tanh", readout="softmax", inputs=list("abcd"))
    save(network, tmp_path / "net.npz")
    again, x = load(tmp_path / "net.npz"), np.random.default_rng(22).random((5, 4))
    assert (again.inputs, again.classes, again.readout) == (network.inputs, network.classes, "softmax")
    np.testing.assert_allclose(again.strengths(x), network.strengths(x), rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS[::3], ids=lambda kind: "-".join(map(str, kind.values())))
def test_no_instances_are_no_lanes(kind):
    network, none = random_network(**kind), np.empty((0, 4))
    assert network.strengths(none).shape == (0, 3)
    for method in ("gradient", "removal", "shapley"):
        assert network.contributions(none, method=method).shape == (0, 3, 4)
