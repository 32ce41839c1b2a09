"""Make networks of the models of scikit-learn and PyTorch, neither of which is imported here.

scikit-learn: `MLPClassifier`, `MLPRegressor`. PyTorch: `nn.Sequential` of Linear, Sigmoid, Tanh, ReLU, Softmax,
Identity, Dropout. A model's own last activation is its readout unless another is stated; plain logits (and a
regression) have none, and it must be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .layers import Chain, make_layer
from .network import Network, assemble

TORCH = {"Sigmoid": "logistic", "Tanh": "tanh", "ReLU": "relu"}
PASSED_THROUGH = ("Identity", "Dropout", "Flatten")  # without effect on a trained network's rows


def from_sklearn(
    model: Any,
    *,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    """Make a network of a fitted `MLPClassifier` or `MLPRegressor`.

    Parameters
    ----------
    model : MLPClassifier or MLPRegressor
        A fitted model; of a pipeline, its last step.
    inputs, classes : sequence of str, optional
        Names, in place of the model's own.
    readout : {"logistic", "softmax", "identity"}, optional
        How outputs are made of logits, in place of the model's own last activation.
    as_function : bool
        Whether to explain the network's own function instead of its QBAF.

    Returns
    -------
    Network

    Raises
    ------
    InvalidInput
        If the model is no fitted network, or a regression without a readout.

    Examples
    --------
    >>> import warnings; from sklearn.neural_network import MLPClassifier
    >>> model = MLPClassifier((2,), activation="logistic", max_iter=5, random_state=0)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model = model.fit([[0.0], [1.0]], ["decline", "approve"])
    >>> from_sklearn(model, inputs=["income"])
    Network(inputs=('income',), classes=('approve', 'decline'), readout='logistic', as_function=False)
    """
    if hasattr(model, "steps"):
        raise InvalidInput(
            "a pipeline is more than a network; scale the features yourself and give its last step: from_sklearn(p[-1])"
        )
    if not hasattr(model, "coefs_"):
        raise InvalidInput(f"{type(model).__name__} is not a fitted MLPClassifier or MLPRegressor (it has no coefs_)")
    hidden = [model.activation] * (len(model.coefs_) - 1)
    given = zip(model.coefs_, model.intercepts_, [*hidden, "identity"], strict=True)
    layers = tuple(make_layer(w, b, f, f"layer {k}") for k, (w, b, f) in enumerate(given, 1))
    own = model.out_activation_ if model.out_activation_ in ("logistic", "softmax") else None
    if own is None and model.out_activation_ != "identity":
        raise InvalidInput(f"the outputs are {model.out_activation_}; only identity, logistic and softmax can be read")
    names = inputs if inputs is not None else getattr(model, "feature_names_in_", None)
    labels = classes if classes is not None else getattr(model, "classes_", None)
    if isinstance(labels, np.ndarray) and labels.ndim == 1:
        labels = labels.tolist()
    return assemble(layers, names, labels, readout or own or ("identity" if as_function else None), as_function)


def from_torch(
    model: Any,
    *,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    """Make a network of an `nn.Sequential`; nested ones are taken apart, single precision is widened.

    Parameters
    ----------
    model : torch.nn.Sequential
        Of Linear, Sigmoid, Tanh, ReLU, Softmax, Identity, Dropout and Flatten.
    inputs, classes : sequence of str, optional
        Names, in place of x0, x1, … and class 0, class 1, ….
    readout : {"logistic", "softmax", "identity"}, optional
        How outputs are made of logits, in place of the model's own last activation.
    as_function : bool
        Whether to explain the network's own function instead of its QBAF.

    Returns
    -------
    Network

    Raises
    ------
    InvalidInput
        If a layer is of another kind, or the model ends in logits and no readout is given.

    Examples
    --------
    >>> from torch.nn import Linear, Sequential, Sigmoid
    >>> from_torch(Sequential(Linear(3, 2), Sigmoid()), classes=["decline", "approve"])
    Network(inputs=('x0', 'x1', 'x2'), classes=('decline', 'approve'), readout='logistic', as_function=False)
    """
    chain = Chain()
    for kind, module in _list_modules(model):
        if kind == "Linear":
            weights = _to_array(module.weight).T
            chain.affine(weights, np.zeros(weights.shape[1]) if module.bias is None else _to_array(module.bias))
        elif kind in TORCH:
            chain.activate(TORCH[kind])
        elif kind == "Softmax":
            if module.dim not in (1, -1):
                raise InvalidInput(f"the softmax runs over dim {module.dim}; give Softmax(dim=1), over the classes")
            chain.softmax()
        elif kind not in PASSED_THROUGH:
            known = ", ".join(("Linear", *TORCH, "Softmax", *PASSED_THROUGH))
            raise InvalidInput(f"{kind} is not a layer of a plain network; supported: {known}")
    layers, own = chain.finish()
    return assemble(layers, inputs, classes, readout or own or ("identity" if as_function else None), as_function)


def _list_modules(model: Any) -> list[tuple[str, Any]]:
    """The modules of a Sequential, in order, each with the name of its class."""
    kind = type(model).__name__
    if kind == "Sequential":
        return [each for child in model for each in _list_modules(child)]
    return [(kind, model)]


def _to_array(parameter: Any) -> Any:
    return parameter.detach().cpu().double().numpy()
