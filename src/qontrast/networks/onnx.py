"""Make networks of ONNX files, which are data and run no code: protobuf, read by the `onnx` package.

A network is one chain of operators from the input to the output: Gemm, MatMul, Add, Sub, Mul, Div (with constants),
Sigmoid, Tanh, Relu, Softmax; Identity, Dropout, Flatten, Cast and Constant are passed through. Any other operator
is refused by its name. Names of features and classes may stand in the model's metadata as JSON lists, under
`features` and `classes`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FormatError, InvalidInput
from ..extras import require
from ..types import Floats
from .layers import Chain
from .network import Network, assemble

ACTIVATIONS = {"Sigmoid": "logistic", "Tanh": "tanh", "Relu": "relu"}
PASSED_THROUGH = ("Identity", "Dropout", "Flatten", "Cast")
ARITHMETIC = ("Add", "Sub", "Mul", "Div")


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
    onnx, helper = require("onnx", "a model in ONNX"), import_module("onnx.numpy_helper")
    file = str(model) if isinstance(model, (str, Path)) else None
    if file is not None:
        model = _load(onnx, file)
    try:
        layers, own = _Reader(model.graph, helper.to_array).read()
        stated = {each.key: each.value for each in model.metadata_props}
        names = inputs if inputs is not None else _read_names(stated, "features")
        labels = classes if classes is not None else _read_names(stated, "classes")
    except InvalidInput as error:
        if file is None:
            raise
        raise FormatError(
            error.args[0], file, hints=error.hints
        ) from None  # the settings are not to blame: the file is
    return assemble(layers, names, labels, readout or own or ("identity" if as_function else None), as_function)


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

    def read(self) -> tuple[Any, str | None]:
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
            raise InvalidInput(f"operator {node.domain}.{kind} is not part of a plain network; {self._known()}")
        if self.now not in node.input:
            raise InvalidInput(f"operator {kind} does not follow the one before it; a network is one chain")
        if kind == "Gemm":
            self._gemm(node, settings)
        elif kind == "MatMul":
            self._matmul(node)
        elif kind in ARITHMETIC:
            self._arithmetic(kind, node)
        elif kind in ACTIVATIONS:
            self.chain.activate(ACTIVATIONS[kind])
        elif kind == "Softmax":
            axis = settings["axis"].i if "axis" in settings else -1
            if axis not in (1, -1):
                raise InvalidInput(f"the softmax runs over axis {axis}; give axis 1, the classes")
            self.chain.softmax()
        elif kind not in PASSED_THROUGH:
            raise InvalidInput(f"operator {kind} is not part of a plain network; {self._known()}")
        self.now = node.output[0]

    def _known(self) -> str:
        return "supported: " + ", ".join(("Gemm", "MatMul", *ARITHMETIC, *ACTIVATIONS, "Softmax", *PASSED_THROUGH))

    def _constant(self, node: Any, which: int) -> Floats:
        name = node.input[which]
        if name not in self.constants:
            raise InvalidInput(f"{node.op_type} takes {name!r}, which is not a constant of the model")
        return np.asarray(self.constants[name], np.float64)

    def _gemm(self, node: Any, settings: dict[str, Any]) -> None:
        def of(name: str, default: float) -> float:
            return (
                (settings[name].f if name in ("alpha", "beta") else settings[name].i) if name in settings else default
            )

        if node.input[0] != self.now or of("transA", 0):
            raise InvalidInput(
                "Gemm multiplies with the weights on the left; a layer is x·W + b, with rows of features x"
            )
        weights = self._constant(node, 1)
        weights = of("alpha", 1.0) * (weights.T if of("transB", 0) else weights)
        bias = of("beta", 1.0) * self._constant(node, 2) if len(node.input) > 2 else np.zeros(1)
        self._affine(weights, np.broadcast_to(bias.ravel(), weights.shape[1]))

    def _matmul(self, node: Any) -> None:
        if node.input[0] == self.now:
            weights = self._constant(node, 1)
        else:
            raise InvalidInput(
                "MatMul multiplies with the weights on the left; a layer is x·W, with rows of features x"
            )
        self._affine(weights, np.zeros(weights.shape[-1]))

    def _arithmetic(self, kind: str, node: Any) -> None:
        first = node.input[0] == self.now
        other = self._constant(node, 1 if first else 0).ravel()
        if kind == "Div" and not first:
            raise InvalidInput("Div by the network's own values is not part of a plain network")
        width = self.width or len(other)
        if len(other) not in (1, width):
            raise InvalidInput(f"{kind} has {len(other)} numbers for {width} neurons")
        if self.width == 0 and len(other) == 1:
            raise InvalidInput(f"{kind} by one number comes before any weights; fold it into the first layer")
        scale = {"Mul": other, "Div": 1 / other}.get(kind, np.ones(1)) if first or kind == "Mul" else np.ones(1)
        shift = {"Add": other, "Sub": -other}.get(kind, np.zeros(1))
        if kind == "Sub" and not first:
            scale, shift = -np.ones(1), other
        self._affine(np.diag(np.broadcast_to(scale, width)), np.broadcast_to(shift, width))

    def _affine(self, weights: Floats, bias: Floats) -> None:
        if weights.ndim != 2:
            raise InvalidInput(f"a layer's weights have shape {weights.shape}; give a matrix")
        self.chain.affine(weights, bias)
        self.width = weights.shape[1]
