"""Make networks of the models of scikit-learn, PyTorch and ONNX, none of which is imported before it is needed.

scikit-learn: `MLPClassifier`, `MLPRegressor`. PyTorch: `nn.Sequential` of Linear, Sigmoid, Tanh, ReLU, Softmax,
Identity, Dropout. A model's own last activation is its readout unless another is stated; plain logits (and a
regression) have none, and it must be.

ONNX files are data and run no code. A network is one chain of operators from the input to the output: Gemm, MatMul,
Add, Sub, Mul, Div (with constants), Sigmoid, Tanh, Relu, Softmax; Identity, Dropout, Flatten, Cast and Constant are
passed through. Any other operator is refused by its name. Names of features and classes may stand in the model's
metadata as JSON lists, under `features` and `classes`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FormatError, InvalidInput, count
from ..extras import require
from ..types import Floats
from .layers import Chain, Neurons, make_layers
from .network import Network, assemble

ACTIVATIONS = {"Sigmoid": "logistic", "Tanh": "tanh", "ReLU": "relu", "Relu": "relu"}  # of torch and of ONNX
PASSED_THROUGH = ("Identity", "Dropout", "Flatten")  # without effect on a trained network's rows
ARITHMETIC = ("Add", "Sub", "Mul", "Div")
TORCH_LAYERS = ("Linear", "Sigmoid", "Tanh", "ReLU", "Softmax", *PASSED_THROUGH)
ONNX_OPERATORS = ("Gemm", "MatMul", *ARITHMETIC, "Sigmoid", "Tanh", "Relu", "Softmax", *PASSED_THROUGH, "Cast")
KNOWN = f"supported: {', '.join(ONNX_OPERATORS)}"


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
    layers = make_layers(model.coefs_, model.intercepts_, [model.activation] * (len(model.coefs_) - 1))
    own = model.out_activation_ if model.out_activation_ in ("logistic", "softmax") else None
    if own is None and model.out_activation_ != "identity":
        raise InvalidInput(f"the outputs are {model.out_activation_}; only identity, logistic and softmax can be read")
    names = inputs if inputs is not None else getattr(model, "feature_names_in_", None)
    labels = classes if classes is not None else getattr(model, "classes_", None)
    if isinstance(labels, np.ndarray) and labels.ndim == 1:
        labels = labels.tolist()
    return assemble(layers, names, labels, readout or own, as_function)


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
        elif kind in ACTIVATIONS:
            chain.activate(ACTIVATIONS[kind])
        elif kind == "Softmax":
            if module.dim not in (1, -1):
                raise InvalidInput(f"the softmax runs over dim {module.dim}; give Softmax(dim=1), over the classes")
            chain.softmax()
        elif kind not in PASSED_THROUGH:
            raise InvalidInput(f"{kind} is not a layer of a plain network; supported: {', '.join(TORCH_LAYERS)}")
    layers, own = chain.finish()
    return assemble(layers, inputs, classes, readout or own, as_function)


def _list_modules(model: Any) -> list[tuple[str, Any]]:
    """The modules of a Sequential, in order, each with the name of its class."""
    kind = type(model).__name__
    if kind == "Sequential":
        return [each for child in model for each in _list_modules(child)]
    return [(kind, model)]


def _to_array(parameter: Any) -> Any:
    return parameter.detach().cpu().double().numpy()


def from_onnx(
    model: Any,
    *,
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str | None = None,
    as_function: bool = False,
) -> Network:
    """Make a network of an ONNX file, or of a model that is loaded already.

    Parameters
    ----------
    model : str, Path or onnx.ModelProto
        One chain of operators from one input to one output.
    inputs, classes : sequence of str, optional
        Names, in place of those in the model's metadata.
    readout : {"logistic", "softmax", "identity"}, optional
        How outputs are made of logits, in place of the model's own last activation.
    as_function : bool
        Whether to explain the network's own function instead of its QBAF.

    Returns
    -------
    Network

    Raises
    ------
    FormatError, InvalidInput
        If an operator is not part of a plain network, or the model ends in logits and no readout is given.

    Examples
    --------
    >>> from onnx.parser import parse_model
    >>> model = parse_model('''<ir_version: 8, opset_import: ["": 17]>
    ...     loan (float[n, 2] applicant) => (float[n, 2] chances)
    ...     <float[2, 2] weights = {1.0, 0.5, -0.5, 2.0}, float[2] biases = {0.1, 0.2}>
    ...     { logits = Gemm(applicant, weights, biases)  chances = Softmax(logits) }''')
    >>> from_onnx(model, inputs=["income", "debt"], classes=["decline", "approve"])
    Network(inputs=('income', 'debt'), classes=('decline', 'approve'), readout='softmax', as_function=False)
    """
    onnx = require("onnx", "a model in ONNX")
    file = str(model) if isinstance(model, (str, Path)) else None
    if file is not None:
        model = _load(onnx, file)
    try:
        layers, own = _Reader(model.graph, onnx.numpy_helper.to_array).read()
        stated = {each.key: each.value for each in model.metadata_props}
        names = inputs if inputs is not None else _read_names(stated, "features")
        labels = classes if classes is not None else _read_names(stated, "classes")
    except InvalidInput as error:
        if file is None:
            raise
        raise FormatError(error.args[0], file, hints=error.hints) from None  # the file is to blame, not the settings
    return assemble(layers, names, labels, readout or own, as_function)


def _load(onnx: Any, file: str) -> Any:
    try:
        return onnx.load(file, load_external_data=False)
    except FileNotFoundError:
        raise FormatError("there is no such file", file) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", file) from None
    except import_module("google.protobuf.message").DecodeError:
        raise FormatError("is not an ONNX file: its protobuf cannot be decoded", file) from None


def _read_names(stated: dict[str, str], key: str) -> list[str] | None:
    if key not in stated:
        return None
    try:
        found = json.loads(stated[key])
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise InvalidInput(f"the model's metadata {key!r} is {stated[key]!r}; it should be a JSON list of names")
    return [str(each) for each in found]


class _Reader:
    """Walk the chain from the input to the output."""

    def __init__(self, graph: Any, to_array: Any) -> None:
        self.graph, self.to_array = graph, to_array
        self.constants: dict[str, Floats] = {each.name: self._tensor(each) for each in graph.initializer}
        given = [each.name for each in graph.input if each.name not in self.constants]
        if len(given) != 1 or not graph.output:
            raise InvalidInput(f"the model has {len(given)} inputs; a network has one, a row of features")
        self.now, self.chain, self.width = given[0], Chain(), 0

    def _tensor(self, tensor: Any) -> Floats:
        if tensor.data_location == 1 or tensor.external_data:
            raise InvalidInput(f"tensor {tensor.name!r} is stored in another file; save the model in one file")
        return np.asarray(self.to_array(tensor))

    def read(self) -> tuple[tuple[Neurons, ...], str | None]:
        for node in self.graph.node:
            self._step(node)
        if self.now != self.graph.output[0].name:
            raise InvalidInput(f"the chain of operators ends in {self.now!r}, not in {self.graph.output[0].name!r}")
        return self.chain.finish()

    def _step(self, node: Any) -> None:
        kind, settings = node.op_type, {each.name: each for each in node.attribute}
        if kind == "Constant":
            if "value" not in settings:
                raise InvalidInput(f"the constant {node.output[0]!r} has no tensor; save it as an initializer")
            self.constants[node.output[0]] = self._tensor(settings["value"].t)
            return
        if node.domain not in ("", "ai.onnx"):
            raise InvalidInput(f"operator {node.domain}.{kind} is not part of a plain network; {KNOWN}")
        if self.now not in node.input:
            raise InvalidInput(f"operator {kind} does not follow the one before it; a network is one chain")
        if kind in ("Gemm", "MatMul"):
            self._multiply(node, settings)
        elif kind in ARITHMETIC:
            self._arithmetic(kind, node)
        elif kind in ACTIVATIONS:
            self.chain.activate(ACTIVATIONS[kind])
        elif kind == "Softmax":
            axis = settings["axis"].i if "axis" in settings else -1
            if axis not in (1, -1):
                raise InvalidInput(f"the softmax runs over axis {axis}; give axis 1, the classes")
            self.chain.softmax()
        elif kind not in ONNX_OPERATORS:
            raise InvalidInput(f"operator {kind} is not part of a plain network; {KNOWN}")
        self.now = node.output[0]

    def _constant(self, node: Any, which: int) -> Floats:
        name = node.input[which]
        if name not in self.constants:
            raise InvalidInput(f"{node.op_type} takes {name!r}, which is not a constant of the model")
        return np.asarray(self.constants[name], np.float64)

    def _multiply(self, node: Any, settings: dict[str, Any]) -> None:
        def read(name: str, default: float) -> float:
            return getattr(settings[name], "f" if isinstance(default, float) else "i") if name in settings else default

        if node.input[0] != self.now or read("transA", 0):
            raise InvalidInput(
                f"{node.op_type} multiplies with the weights on the left; a layer is x·W + b, with rows of features x"
            )
        weights = self._constant(node, 1)
        bias = read("beta", 1.0) * self._constant(node, 2) if len(node.input) > 2 else np.zeros(1)
        self._affine(read("alpha", 1.0) * (weights.T if read("transB", 0) else weights), bias.ravel())

    def _arithmetic(self, kind: str, node: Any) -> None:
        first = node.input[0] == self.now
        other = self._constant(node, int(first)).ravel()
        if kind == "Div" and not first:
            raise InvalidInput("Div by the network's own values is not part of a plain network")
        width = self.width or len(other)
        if len(other) not in (1, width):
            raise InvalidInput(f"{kind} has {count(len(other), 'number')} for {count(width, 'neuron')}")
        if self.width == 0 and len(other) == 1:
            raise InvalidInput(f"{kind} by one number comes before any weights; fold it into the first layer")
        scale, shift = np.ones(1), np.zeros(1)
        if kind in ("Mul", "Div"):
            scale = other if kind == "Mul" else 1 / other
        elif kind == "Sub" and not first:
            scale, shift = -scale, other
        else:
            shift = other if kind == "Add" else -other
        self._affine(np.diag(np.broadcast_to(scale, width)), shift)

    def _affine(self, weights: Floats, bias: Floats) -> None:
        if weights.ndim != 2:
            raise InvalidInput(f"a layer's weights have shape {weights.shape}; give a matrix")
        self.width = weights.shape[1]
        self.chain.affine(weights, np.broadcast_to(bias, self.width))
