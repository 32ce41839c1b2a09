"""Networks from scikit-learn, and saved models: what is read, and what is refused."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

from qontrast import FormatError, InvalidInput
from qontrast.networks import from_model, from_sklearn, load

sklearn = pytest.importorskip("sklearn")
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine  # noqa: E402
from sklearn.neural_network import MLPClassifier, MLPRegressor  # noqa: E402

DATA = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits}


def fitted(data="iris", activation="logistic", kind=MLPClassifier, hidden=(6, 5), **settings):
    x, y = DATA[data](return_X_y=True)
    x = (x - x.min(axis=0)) / np.maximum(x.max(axis=0) - x.min(axis=0), 1e-12)
    model = kind(
        hidden_layer_sizes=hidden, activation=activation, max_iter=30, random_state=0, solver="adam", **settings
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it need not converge
        return model.fit(x, y), x


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("activation", ["logistic", "tanh"])
def test_strengths_are_the_probabilities_of_scikit_learn(data, activation):
    model, x = fitted(data, activation)
    network = from_sklearn(model)
    assert network.readout == ("logistic" if data == "cancer" else "softmax")
    np.testing.assert_allclose(network.strengths(x), model.predict_proba(x), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(network.predict(x), model.predict(x))


def test_the_logistic_reading_of_a_softmax_is_the_users_choice():
    model, x = fitted("iris")
    stated = from_sklearn(model, readout="logistic")
    assert stated.readout == "logistic"
    hidden = x
    for w, b in zip(model.coefs_[:-1], model.intercepts_[:-1], strict=True):
        hidden = 1 / (1 + np.exp(-(hidden @ w + b)))
    logits = hidden @ model.coefs_[-1] + model.intercepts_[-1]
    np.testing.assert_allclose(stated.strengths(x), 1 / (1 + np.exp(-logits)), atol=1e-9)


def test_relu_is_explained_as_a_function_when_asked():
    model, x = fitted("wine", "relu")
    with pytest.raises(InvalidInput, match="relu"):
        from_sklearn(model)
    network = from_sklearn(model, as_function=True)
    np.testing.assert_allclose(network.strengths(x), model.predict_proba(x), rtol=0, atol=1e-9)


def test_a_regression_needs_a_stated_readout():
    model, x = fitted("iris", "tanh", MLPRegressor)
    with pytest.raises(InvalidInput, match="say how they are read"):
        from_sklearn(model)
    read = from_sklearn(model, readout="logistic").strengths(x)
    np.testing.assert_allclose(read[:, 0], 1 / (1 + np.exp(-model.predict(x))), rtol=0, atol=1e-9)
    plain = from_sklearn(model, as_function=True)
    np.testing.assert_allclose(plain.strengths(x)[:, 0], model.predict(x), rtol=0, atol=1e-9)


def test_names_of_features_and_classes_are_the_models_own():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.random.default_rng(0).random((60, 2)), columns=["age", "priors"])
    model = MLPClassifier((3,), activation="logistic", max_iter=5, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(frame, np.where(frame["age"] > 0.5, "High", "Low"))
    network = from_sklearn(model)
    assert (network.inputs, network.classes) == (("age", "priors"), ("High", "Low"))


def test_what_is_no_fitted_network_is_refused():
    with pytest.raises(InvalidInput, match="not a fitted MLP"):
        from_sklearn(MLPClassifier())
    with pytest.raises(InvalidInput, match="not a fitted MLP"):
        from_model(object())
    from sklearn.pipeline import make_pipeline

    with pytest.raises(InvalidInput, match="a pipeline is more than a network"):
        from_sklearn(make_pipeline(MLPClassifier()))


class Bomb:
    def __reduce__(self):
        raise AssertionError("this cannot be pickled")


@pytest.mark.parametrize("ending", [".pkl", ".pickle", ".joblib", ".pt", ".pth", ".bin"])
def test_a_pickle_is_never_read_unless_it_is_trusted(ending, tmp_path, monkeypatch):
    def explode(*_, **__):
        raise AssertionError("it was read")

    monkeypatch.setattr(pickle, "load", explode)
    monkeypatch.setattr("joblib.load", explode)
    path = tmp_path / f"model{ending}"
    path.write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(InvalidInput, match=r"is a pickle, .* any program .* trusted=True"):
        load(path)


def test_a_trusted_pickle_is_read(tmp_path):
    import joblib

    model, x = fitted("iris")
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(model))
    joblib.dump(model, tmp_path / "model.joblib")
    for name in ("model.pkl", "model.joblib"):
        network = load(tmp_path / name, trusted=True)
        np.testing.assert_allclose(network.strengths(x), model.predict_proba(x), rtol=0, atol=1e-9)


def test_files_that_hold_no_network_are_refused(tmp_path):
    with pytest.raises(FormatError, match="there is no such file"):
        load(tmp_path / "none.onnx")
    (tmp_path / "model.txt").write_text("hello")
    with pytest.raises(FormatError, match="an unknown suffix"):
        load(tmp_path / "model.txt")
    (tmp_path / "model.npz").write_text("hello")
    with pytest.raises(FormatError, match="is not a network that `save` wrote"):
        load(tmp_path / "model.npz")
    np.savez(tmp_path / "hidden.npz", activations=np.array([Bomb], dtype=object), allow_pickle=True)
    with pytest.raises(FormatError, match="is not a network that `save` wrote"):
        load(tmp_path / "hidden.npz")
