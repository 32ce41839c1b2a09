"""Networks from the libraries that trained them. Neither is imported here: their objects are asked for their arrays.

scikit-learn: `MLPClassifier`, `MLPRegressor`. PyTorch: `nn.Sequential` of Linear, Sigmoid, Tanh, ReLU, Softmax,
Identity, Dropout. A model's own last activation is its readout unless another is stated; plain logits (and a
regression) have none, and it must be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidInput
from .layers import Chain, neurons
from .network import Network, assembled

TORCH = {"Sigmoid": "logistic", "Tanh": "tanh", "ReLU": "relu"}
SILENT = ("Identity", "Dropout", "Flatten")  # without effect on a trained network's rows


def from_sklearn(
    model: Any,
    *,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    """From a fitted `MLPClassifier` or `MLPRegressor`; names of features and classes are the model's own."""
    if hasattr(model, "steps"):
        raise InvalidInput(
            "a pipeline is more than a network; scale the features yourself and give its last step: from_sklearn(p[-1])"
        )
    if not hasattr(model, "coefs_"):
        raise InvalidInput(f"{type(model).__name__} is not a fitted MLPClassifier or MLPRegressor (it has no coefs_)")
    hidden = [model.activation] * (len(model.coefs_) - 1)
    given = zip(model.coefs_, model.intercepts_, [*hidden, "identity"], strict=True)
    layers = tuple(neurons(w, b, f, f"layer {k}") for k, (w, b, f) in enumerate(given, 1))
    own = model.out_activation_ if model.out_activation_ in ("logistic", "softmax") else None
    if own is None and model.out_activation_ != "identity":
        raise InvalidInput(f"the outputs are {model.out_activation_}; only identity, logistic and softmax can be read")
    names = inputs if inputs is not None else getattr(model, "feature_names_in_", None)
    labels = classes if classes is not None else getattr(model, "classes_", None)
    if isinstance(labels, np.ndarray) and labels.ndim == 1:
        labels = labels.tolist()
    return assembled(layers, names, labels, readout or own or ("identity" if as_function else None), as_function)


def from_torch(
    model: Any,
    *,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    """From an `nn.Sequential`; nested ones are taken apart. Single precision is widened, not rounded again."""
    chain = Chain()
    for kind, module in _modules(model):
        if kind == "Linear":
            weights = _array(module.weight).T
            chain.affine(weights, np.zeros(weights.shape[1]) if module.bias is None else _array(module.bias))
        elif kind in TORCH:
            chain.activate(TORCH[kind])
        elif kind == "Softmax":
            if module.dim not in (1, -1):
                raise InvalidInput(f"the softmax runs over dim {module.dim}; give Softmax(dim=1), over the classes")
            chain.softmax()
        elif kind not in SILENT:
            known = ", ".join(("Linear", *TORCH, "Softmax", *SILENT))
            raise InvalidInput(f"{kind} is not a layer of a plain network; supported: {known}")
    layers, own = chain.ended()
    return assembled(layers, inputs, classes, readout or own or ("identity" if as_function else None), as_function)


def _modules(model: Any) -> list[tuple[str, Any]]:
    """The modules of a Sequential, in order, each with the name of its class."""
    kind = type(model).__name__
    if kind == "Sequential":
        return [each for child in model for each in _modules(child)]
    return [(kind, model)]


def _array(parameter: Any) -> Any:
    return parameter.detach().cpu().double().numpy()
