"""What a network's contrast says is what it holds, and its settings reach the computation."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from qontrast import METHODS, InvalidInput, TooLarge, UnknownName
from qontrast.attribution.inputs import MAX_INPUTS
from qontrast.networks import INPUT_METHODS, Network, from_arrays, load, save
from tests.support.paths import ROOT

CLASSES = ["Low", "Medium", "High"]


def network(seed: int = 0, **settings: object) -> Network:
    rng = np.random.default_rng(seed)
    weights = [rng.normal(0, 2, (4, 5)), rng.normal(0, 2, (5, 3))]
    names = {"inputs": ["age", "race", "priors", "sex"], "classes": CLASSES}
    return from_arrays(weights, [rng.normal(0, 1, 5), rng.normal(0, 1, 3)], **(names | settings))  # type: ignore[arg-type]


X = np.array([0.3, 1.0, 0.75, 0.5])


@pytest.mark.parametrize("as_function", [False, True])
def test_shapley_values_take_exactly_as_many_inputs_as_they_are_told(as_function: bool) -> None:
    made = network(as_function=as_function)
    for ask in (
        lambda most: made.contributions(X, max_inputs=most),
        lambda most: made.contrast(X, "Low", "High", max_inputs=most),
    ):
        ask(4)
        with pytest.raises(TooLarge, match=r"over 4 inputs needs 2\^4 coalitions .*\(limit 3 inputs\)"):
            ask(3)
        with pytest.raises(InvalidInput, match="max_inputs"):
            ask(0)


def test_the_documents_say_how_many_inputs_shapley_values_take() -> None:
    text = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    assert re.findall(r"available for up to (\d+) inputs", text) == [str(MAX_INPUTS)]


@pytest.mark.parametrize("method", INPUT_METHODS)
@pytest.mark.parametrize("readout", ["logistic", "softmax"])
def test_the_sentence_names_the_strongest_inputs_of_each_side_with_their_numbers(method: str, readout: str) -> None:
    sides = set()
    for seed in range(6):
        made = network(seed, readout=readout)
        strengths = dict(zip(CLASSES, made.strengths(X)[0].tolist(), strict=True))
        for fact, foil in permutations(CLASSES, 2):
            why = made.contrast(X, fact, foil, method=method)
            said, gap = str(why), strengths[fact] - strengths[foil]
            assert why.gap == pytest.approx(gap, abs=1e-12)
            assert re.match(rf"{fact} \(\S+\) is rated {'above' if gap > 0 else 'below'} {foil} ", said)
            side = 1 if gap > 0 else -1
            order = sorted(why, key=lambda name: -abs(why[name]))
            speaking = [name for name in order if why[name] * side >= 5e-4][:2]
            against = [name for name in order if why[name] * side <= -5e-4][:1]
            named = re.findall(r"\b(age|race|priors|sex) \(([+−][\d.]+)\)", said)
            assert [name for name, _ in named] == speaking + against, said
            for name, number in named:
                assert float(number.replace("−", "-")) == pytest.approx(why[name], abs=5.1e-4)
            if method == "shapley":
                assert ("mainly because of" in said) == bool(speaking)
                assert ("the strongest counterweight is" in said) == bool(against)
            assert said.endswith(f"players: the 4 inputs ({method}, {readout} readout).")
            sides.add(side)
    assert sides == {1, -1}


@pytest.mark.parametrize("method", INPUT_METHODS)
def test_data_and_table_hold_the_networks_own_contributions(method: str) -> None:
    made = network(3)
    phi = dict(zip(CLASSES, made.contributions(X, method=method)[0].tolist(), strict=True))
    for fact, foil in permutations(CLASSES, 2):
        why = made.contrast(X, fact, foil, method=method)
        data, frame = why.to_dict(), why.to_frame()
        for k, name in enumerate(made.inputs):
            one, two = phi[fact][k], phi[foil][k]
            assert data["contributions"][name] == one - two
            assert (data["individual"][fact][name], data["individual"][foil][name]) == (one, two)
            assert frame.loc[name, ["contrast", "fact", "foil"]].tolist() == [one - two, one, two]
        assert data["gap"] == data["strengths"][fact] - data["strengths"][foil]


@pytest.mark.parametrize("settings", [{"readout": "softmax"}, {"as_function": True, "readout": "identity"}, {}])
def test_a_saved_network_gives_the_same_strengths_and_keeps_how_it_is_read(tmp_path, settings) -> None:  # type: ignore[no-untyped-def]
    made = network(2, **settings)
    save(made, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert (again.inputs, again.classes) == (made.inputs, made.classes)
    assert (again.readout, again.as_function) == (made.readout, made.as_function)
    assert again.strengths(X).tolist() == made.strengths(X).tolist()


def test_a_method_of_the_table_that_explains_inputs_explains_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    network, x = from_arrays([[[2.0, -1.0], [0.5, 3.0]]], [[-1.0, 0.25]]), np.array([[0.3, 0.0], [1.0, 0.6]])
    entry = replace(METHODS["gradient"], input_method=lambda function, rows, limit, progress: -function.slopes(rows))
    monkeypatch.setitem(METHODS, "negated", entry)
    np.testing.assert_array_equal(network.contributions(x, method="negated"), -network.gradient(x))
    monkeypatch.setitem(METHODS, "negated", replace(entry, input_method=None))
    with pytest.raises(UnknownName, match="no method 'negated'"):
        network.contributions(x, method="negated")
