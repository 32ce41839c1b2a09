"""Models of PyTorch and ONNX, built from stand-ins of their classes: chains drawn by seed, against plain arithmetic.

Neither library is needed; `test_network_torch_and_onnx.py` compares with the libraries themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qontrast import FormatError, InvalidInput
from qontrast.networks import Network, from_onnx, from_sklearn, from_torch
from qontrast.networks.layers import Chain
from qontrast.types import Floats

WIDTH = 3  # of the input
FORMULAS: dict[str, Callable[[Floats], Floats]] = {
    "Sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "Tanh": np.tanh,
    "Relu": lambda z: np.maximum(z, 0),
    "Softmax": lambda z: np.exp(z) / np.exp(z).sum(1, keepdims=True),
}
X = np.random.default_rng(5).normal(size=(6, WIDTH))


# -- ONNX -------------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(file: str, load_external_data: bool = True) -> Any:
        assert not load_external_data
        raise {"none": FileNotFoundError(), "shut": PermissionError(13, "Permission denied")}[file]

    helper = SimpleNamespace(to_array=lambda tensor: tensor.values)
    monkeypatch.setitem(sys.modules, "onnx", SimpleNamespace(numpy_helper=helper, load=load))
    message = SimpleNamespace(DecodeError=type("DecodeError", (Exception,), {}))
    monkeypatch.setitem(sys.modules, "google.protobuf.message", message)


def tensor(name: str, values: Any, **more: Any) -> Any:
    return SimpleNamespace(**{"name": name, "values": values, "data_location": 0, "external_data": [], **more})


def node(kind: str, inputs: str, output: str, domain: str = "", **settings: Any) -> Any:
    attributes = [SimpleNamespace(name=name, i=value, f=value, t=value) for name, value in settings.items()]
    return SimpleNamespace(op_type=kind, input=inputs.split(), output=[output], domain=domain, attribute=attributes)


def model(nodes: list[Any], tensors: list[Any], output: str = "y", **metadata: str) -> Any:
    names = [*(each.name for each in tensors), "x"]  # old files name constants among the inputs too
    return SimpleNamespace(
        graph=SimpleNamespace(
            node=nodes,
            initializer=tensors,
            input=[SimpleNamespace(name=name) for name in names],
            output=[SimpleNamespace(name=output)],
        ),
        metadata_props=[SimpleNamespace(key=key, value=value) for key, value in metadata.items()],
    )


class RandomChain:
    """Operators one after the other, and what they give, computed by the definition of each."""

    def __init__(self, seed: int, top: str) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []
        self.values, self.last = X, "x"
        for kind in ["Arithmetic", "Linear", "Arithmetic", "Relu", "Pass", "Linear", "Tanh", "Linear", "Arithmetic"]:
            getattr(self, f"add_{kind.lower()}", lambda kind=kind: self.activate(kind))()
        if top:
            self.activate(top)
        self.append("Identity", self.last, "y", self.values)

    def append(self, kind: str, inputs: str, output: str, values: Floats, **settings: Any) -> None:
        self.nodes.append(node(kind, inputs, output, self.rng.choice(["", "ai.onnx"]), **settings))
        self.values, self.last = values, output

    def constant(self, values: Floats) -> str:
        name = f"c{len(self.tensors)}"
        self.tensors.append(tensor(name, values))
        return name

    def step(self) -> str:
        return f"v{len(self.nodes)}"

    def add_linear(self) -> None:
        weights, bias = self.rng.normal(size=(self.values.shape[1], 4)), self.rng.normal(size=4)
        if self.rng.random() < 0.3:
            name = f"{self.last} {self.constant(weights)}"
            return self.append("MatMul", name, self.step(), self.values @ weights)
        alpha, beta, turned = [*self.rng.uniform(0.5, 2, 2).tolist(), bool(self.rng.random() < 0.5)]
        names = f"{self.last} {self.constant(weights.T if turned else weights)}"
        if self.rng.random() < 0.3:
            return self.append("Gemm", names, self.step(), alpha * self.values @ weights, alpha=alpha, transB=turned)
        settings = {"alpha": alpha, "beta": beta} | ({"transB": 1} if turned else {})
        values = alpha * self.values @ weights + beta * bias
        return self.append("Gemm", f"{names} {self.constant(bias[None])}", self.step(), values, **settings)

    def add_arithmetic(self) -> None:
        for kind in self.rng.permutation(["Add", "Sub", "Mul", "Div"])[:3].tolist():
            alone = self.last != "x" and self.rng.random() < 0.3  # one number for all neurons
            other = self.rng.uniform(0.5, 2, 1 if alone else self.values.shape[1])
            first = kind == "Div" or self.rng.random() < 0.5
            pair = (self.values, other) if first else (other, self.values)
            call = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}[kind]
            names = [self.last, self.constant(other)]
            self.append(kind, " ".join(names if first else names[::-1]), self.step(), call(*pair))

    def add_pass(self) -> None:
        for kind in ("Identity", "Dropout", "Flatten", "Cast"):
            self.append(kind, self.last, self.step(), self.values)

    def activate(self, kind: str) -> None:
        settings = {"axis": int(self.rng.choice([1, -1]))} if kind == "Softmax" and self.rng.random() < 0.7 else {}
        self.append(kind, self.last, self.step(), FORMULAS[kind](self.values), **settings)


@pytest.mark.parametrize(("top", "readout"), [("Softmax", "softmax"), ("Sigmoid", "logistic"), ("", "identity")])
@pytest.mark.parametrize("seed", range(8))
def test_a_chain_of_operators_is_read_as_what_it_computes(seed: int, top: str, readout: str) -> None:
    chain = RandomChain(seed, top)
    network = from_onnx(model(chain.nodes, chain.tensors), as_function=True)
    assert network.readout == readout
    np.testing.assert_allclose(network.strengths(X), chain.values, rtol=1e-9, atol=1e-12)


WEIGHTS = tensor("w", np.ones((WIDTH, 2)))
LINEAR = node("MatMul", "x w", "a")


def read(*nodes: Any, tensors: list[Any] | None = None, **more: Any) -> Network:
    return from_onnx(model([*nodes], [WEIGHTS] if tensors is None else tensors, **more))


def test_names_of_features_and_classes_stand_in_the_metadata() -> None:
    chain = [LINEAR, node("Softmax", "a", "y")]
    network = read(*chain, features='["p", 7, "r"]', classes='["no", "yes"]')
    assert (network.inputs, network.classes) == (("p", "7", "r"), ("no", "yes"))
    network = from_onnx(model(chain, [WEIGHTS], classes='["no", "yes"]'), inputs=list("abc"), classes=["u", "v"])
    assert (network.inputs, network.classes) == (("a", "b", "c"), ("u", "v"))
    for stated in ("a, b", '{"a": 1}', "null"):
        with pytest.raises(InvalidInput, match=r"metadata 'classes' is .*; it should be a JSON list of names"):
            read(*chain, classes=stated)


def test_a_constant_may_be_a_node() -> None:
    held = node("Constant", "", "w", value=tensor("w", np.ones((WIDTH, 2))))
    network = read(held, LINEAR, node("Softmax", "a", "y"), tensors=[])
    np.testing.assert_allclose(network.strengths(np.full((1, WIDTH), 0.25)), 0.5)


KNOWN = "supported: Gemm, MatMul, Add, Sub, Mul, Div, Sigmoid, Tanh, Relu, Softmax, Identity, Dropout, Flatten, Cast"
REFUSED: dict[str, tuple[list[Any], str]] = {
    "unknown": ([LINEAR, node("Erf", "a", "y")], f"operator Erf is not part of a plain network; {KNOWN}"),
    "foreign": ([node("Gemm", "x w", "y", "com.me")], f"operator com.me.Gemm is not part of a plain network; {KNOWN}"),
    "beside": ([LINEAR, node("Tanh", "x", "y")],
               "operator Tanh does not follow the one before it; a network is one chain"),
    "open end": ([LINEAR], "the chain of operators ends in 'a', not in 'y'"),
    "axis": ([LINEAR, node("Softmax", "a", "y", axis=0)], "the softmax runs over axis 0; give axis 1, the classes"),
    "no tensor": ([node("Constant", "", "c")], "the constant 'c' has no tensor; save it as an initializer"),
    "left": ([node("Gemm", "w x", "y")],
             "Gemm multiplies with the weights on the left; a layer is x·W + b, with rows of features x"),
    "turned": ([node("Gemm", "x w", "y", transA=1)],
               "Gemm multiplies with the weights on the left; a layer is x·W + b, with rows of features x"),
    "not constant": ([node("MatMul", "x u", "y")], "MatMul takes 'u', which is not a constant of the model"),
    "divided by": ([LINEAR, node("Div", "b a", "y")],
                   "Div by the network's own values is not part of a plain network"),
    "too many": ([LINEAR, node("Add", "a three", "y")], "Add has 3 numbers for 2 neurons"),
    "too soon": ([node("Mul", "x b", "y")], "Mul by one number comes before any weights; fold it into the first layer"),
    "no matrix": ([node("MatMul", "x three", "y")], r"a layer's weights have shape (3,); give a matrix"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_plain_network_is_refused_with_its_reason(case: str) -> None:
    nodes, message = REFUSED[case]
    tensors = [WEIGHTS, tensor("b", np.ones(1)), tensor("three", np.ones(3))]
    with pytest.raises(InvalidInput) as error:
        read(*nodes, tensors=tensors)
    assert str(error.value) == message


def test_models_with_other_inputs_or_with_tensors_elsewhere_are_refused() -> None:
    given = model([LINEAR, node("Softmax", "a", "y")], [WEIGHTS])
    given.graph.input.append(SimpleNamespace(name="z"))
    with pytest.raises(InvalidInput, match="the model has 2 inputs; a network has one, a row of features"):
        from_onnx(given)
    for more in ({"data_location": 1}, {"external_data": ["/etc/passwd"]}):
        with pytest.raises(InvalidInput, match="tensor 'w' is stored in another file; save the model in one file"):
            read(LINEAR, tensors=[tensor("w", np.ones((3, 2)), **more)])


def test_a_file_that_cannot_be_read_is_blamed_by_its_name() -> None:
    with pytest.raises(FormatError, match=r"^none: there is no such file"):
        from_onnx("none")
    with pytest.raises(FormatError, match=r"^shut: cannot be read: Permission denied"):
        from_onnx("shut")


# -- PyTorch ----------------------------------------------------------------------------------------------------------


class Parameter:
    """What torch keeps numbers in."""

    def __init__(self, values: Floats) -> None:
        self.values = values

    def detach(self) -> Parameter:
        return self

    cpu = double = detach

    def numpy(self) -> Floats:
        return self.values


def module(kind: str, *children: Any, **settings: Any) -> Any:
    made = type(kind, (tuple,), {})(children)
    vars(made).update(settings)
    return made


def linear(rng: np.random.Generator, wide: int, narrow: int, bias: bool = True) -> Any:
    weight = Parameter(rng.normal(size=(narrow, wide)))
    return module("Linear", weight=weight, bias=Parameter(rng.normal(size=narrow)) if bias else None)


def compute(each: Any, z: Floats) -> Floats:
    match type(each).__name__:
        case "Sequential":
            for child in each:
                z = compute(child, z)
        case "Linear":
            z = z @ each.weight.values.T + (0 if each.bias is None else each.bias.values)
        case "Sigmoid" | "Tanh" | "ReLU" | "Softmax" as kind:
            z = FORMULAS[kind.capitalize()](z)
    return z


@pytest.mark.parametrize(("top", "readout"), [("Softmax", "softmax"), ("Sigmoid", "logistic"), (None, "identity")])
@pytest.mark.parametrize("hidden", ["Sigmoid", "Tanh", "ReLU"])
def test_a_sequence_of_modules_is_read_as_what_it_computes(hidden: str, top: str | None, readout: str) -> None:
    rng = np.random.default_rng(3)
    inner = module("Sequential", linear(rng, 4, 5, bias=False), module("Dropout"), module(hidden), module("Flatten"))
    ends = [] if top is None else [module(top, dim=-1)]
    whole = [linear(rng, WIDTH, 4), module(hidden), inner, module("Identity"), linear(rng, 5, 2), *ends]
    given = module("Sequential", *whole)
    network = from_torch(given, as_function=True)
    assert network.readout == readout
    np.testing.assert_allclose(network.strengths(X), compute(given, X), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ([module("Conv1d")], "Conv1d is not a layer of a plain network; "
         "supported: Linear, Sigmoid, Tanh, ReLU, Softmax, Identity, Dropout, Flatten"),
        ([module("Softmax", dim=0)], "the softmax runs over dim 0; give Softmax(dim=1), over the classes"),
        ([module("Softmax", dim=1), module("Tanh")], "tanh comes after the softmax; a softmax is the last layer"),
        ([module("Tanh"), module("Tanh")],
         "tanh does not follow a linear layer; only layers f(Wᵀx + b) can be read"),
        ([module("Tanh"), module("Softmax", dim=1)], "softmax does not follow a linear layer; it is applied to logits"),
        ([module("Tanh")], "the network ends in tanh; its outputs are logits, logistic or softmax"),
    ],
)  # fmt: skip
def test_modules_that_make_no_plain_network_are_refused_with_their_reason(modules: list[Any], message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        from_torch(module("Sequential", linear(np.random.default_rng(0), 2, 2), *modules))
    assert str(error.value) == message


# -- chains and scikit-learn ------------------------------------------------------------------------------------------


def test_a_chain_says_why_it_is_no_network_and_how_its_outputs_are_read() -> None:
    with pytest.raises(InvalidInput) as error:
        Chain().finish()
    assert str(error.value) == "the network has no layer with weights"
    chain = Chain()
    chain.affine(np.eye(2), np.zeros(2))
    chain.softmax()
    with pytest.raises(InvalidInput, match=r"^a linear layer comes after the softmax; a softmax is the last layer$"):
        chain.affine(np.eye(2), np.zeros(2))
    (layer,), readout = chain.finish()
    assert (layer.activation, readout) == ("identity", "softmax")


@pytest.mark.parametrize("given", [object(), SimpleNamespace(coefs=1)])
def test_a_model_that_is_not_fitted_is_named_by_its_type(given: object) -> None:
    with pytest.raises(InvalidInput) as error:
        from_sklearn(given)
    expected = "is not a fitted MLPClassifier or MLPRegressor (it has no coefs_)"
    assert str(error.value) == f"{type(given).__name__} {expected}"
