"""Networks from PyTorch and ONNX, against what these libraries compute themselves."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qontrast import FormatError, InvalidInput
from qontrast.networks import from_model, from_onnx, from_torch, load

pytestmark = pytest.mark.heavy


@pytest.fixture
def torch():
    module = pytest.importorskip("torch")
    module.manual_seed(0)
    return module


@pytest.fixture
def onnx():
    return pytest.importorskip("onnx")


@pytest.mark.parametrize("hidden", ["Sigmoid", "Tanh", "ReLU"])
@pytest.mark.parametrize("top", ["Sigmoid", "Softmax", None])
def test_strengths_and_slopes_are_those_of_torch(torch, hidden, top):
    nn = torch.nn
    act = getattr(nn, hidden)
    layers = [
        nn.Linear(5, 8),
        act(),
        nn.Sequential(nn.Linear(8, 4, bias=False), nn.Dropout(0.5), act()),
        nn.Linear(4, 3),
    ]
    if top:
        layers.append(nn.Softmax(dim=1) if top == "Softmax" else nn.Sigmoid())
    model = nn.Sequential(*layers).double().eval()
    network = from_torch(model, as_function=hidden == "ReLU", readout=None if top else "softmax")
    x = torch.rand(20, 5, dtype=torch.float64)
    whole = model if top else lambda z: torch.softmax(model(z), dim=1)
    np.testing.assert_allclose(network.strengths(x.numpy()), whole(x).detach().numpy(), rtol=0, atol=1e-9)
    slopes = torch.stack([torch.autograd.functional.jacobian(lambda z: whole(z[None])[0], row) for row in x]).numpy()
    np.testing.assert_allclose(network.gradient(x.numpy()), slopes, rtol=0, atol=1e-9)


def test_other_torch_layers_are_refused_by_name(torch):
    nn = torch.nn
    with pytest.raises(InvalidInput, match="BatchNorm1d is not a layer"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)))
    with pytest.raises(InvalidInput, match="after the softmax"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.Softmax(dim=1), nn.Linear(2, 2)))
    with pytest.raises(InvalidInput, match="softmax does not follow a linear layer"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.Sigmoid(), nn.Softmax(dim=1)))
    with pytest.raises(InvalidInput, match="say how they are read"):
        from_torch(nn.Sequential(nn.Linear(2, 2)))
    with pytest.raises(InvalidInput, match="dim 0"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.Softmax(dim=0)))


def test_a_trusted_torch_file_is_read(torch, tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Sigmoid())
    torch.save(model, tmp_path / "m.pt")
    with pytest.raises(InvalidInput, match="is a pickle"):
        load(tmp_path / "m.pt")
    x = np.random.default_rng(0).random((4, 2))
    again = load(tmp_path / "m.pt", trusted=True)
    np.testing.assert_allclose(again.strengths(x), from_model(model).strengths(x), rtol=0, atol=1e-14)


def made(onnx, nodes, tensors, inputs=3, metadata=()):
    """An ONNX model from (operator, inputs, output, attributes)."""
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        [helper.make_node(kind, ins, [out], **attributes) for kind, ins, out, attributes in nodes],
        "net",
        [helper.make_tensor_value_info("x", kinds.DOUBLE, [None, inputs])],
        [helper.make_tensor_value_info("y", kinds.DOUBLE, [None, None])],
        [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in tensors.items()],
    )
    model = helper.make_model(graph)
    helper.set_model_props(model, dict(metadata))
    onnx.checker.check_model(model)
    return model


def tensors(seed=0):
    rng = np.random.default_rng(seed)
    shapes = {"w1": (3, 5), "b1": (5,), "w2": (4, 5), "b2": (4,), "s": (3,), "m": (3,)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("hidden", ["Sigmoid", "Tanh", "Relu"])
@pytest.mark.parametrize("top", ["Sigmoid", "Softmax"])
def test_strengths_are_those_of_onnx(onnx, hidden, top, tmp_path):
    from onnx.reference import ReferenceEvaluator

    nodes = [
        ("Sub", ["x", "m"], "a", {}),
        ("Mul", ["s", "a"], "b", {}),
        ("MatMul", ["b", "w1"], "c", {}),
        ("Add", ["b1", "c"], "d", {}),
        (hidden, ["d"], "e", {}),
        ("Gemm", ["e", "w2", "b2"], "f", {"transB": 1, "alpha": 0.5, "beta": 2.0}),
        (top, ["f"], "y", {}),
    ]
    model = made(
        onnx, nodes, tensors(), metadata={"classes": json.dumps(list("abcd")), "features": '["p","q","r"]'}.items()
    )
    onnx.save(model, tmp_path / "net.onnx")
    x = np.random.default_rng(1).random((9, 3))
    expected = ReferenceEvaluator(model).run(None, {"x": x})[0]
    for given in (model, tmp_path / "net.onnx", str(tmp_path / "net.onnx")):
        network = from_onnx(given, as_function=hidden == "Relu")
        np.testing.assert_allclose(network.strengths(x), expected, rtol=0, atol=1e-9)
    assert (network.inputs, network.classes) == (("p", "q", "r"), tuple("abcd"))
    assert network.readout == ("softmax" if top == "Softmax" else "logistic")


def test_what_torch_exports_is_read_back(torch, onnx, tmp_path):
    """The operators of its exporter, written by hand: Gemm with transB, in single precision."""
    nn = torch.nn
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2), nn.Softmax(dim=1))
    held = {name.replace(".", "_"): value.detach().double().numpy() for name, value in net.named_parameters()}
    nodes = [
        ("Gemm", ["x", "0_weight", "0_bias"], "a", {"transB": 1}),
        ("Tanh", ["a"], "b", {}),
        ("Gemm", ["b", "2_weight", "2_bias"], "c", {"transB": 1}),
        ("Softmax", ["c"], "y", {"axis": 1}),
    ]
    x = np.random.default_rng(2).random((5, 3))
    np.testing.assert_allclose(
        from_onnx(made(onnx, nodes, held)).strengths(x), from_torch(net).strengths(x), rtol=0, atol=1e-14
    )


def test_other_operators_are_refused_by_name(onnx):
    with pytest.raises(InvalidInput, match="operator Erf is not part of a plain network"):
        from_onnx(made(onnx, [("MatMul", ["x", "w1"], "a", {}), ("Erf", ["a"], "y", {})], tensors()))
    nodes = [("MatMul", ["x", "w1"], "a", {}), ("MatMul", ["x", "w1"], "b", {}), ("Add", ["a", "b"], "y", {})]
    with pytest.raises(InvalidInput, match="a network is one chain"):
        from_onnx(made(onnx, nodes, tensors()))
    nodes = [("MatMul", ["x", "w1"], "a", {}), ("Sigmoid", ["a"], "b", {}), ("Mul", ["b", "a"], "y", {})]
    with pytest.raises(InvalidInput, match="'a', which is not a constant"):
        from_onnx(made(onnx, nodes, tensors()))


def test_broken_files_and_tensors_elsewhere_are_refused(onnx, tmp_path):
    (tmp_path / "bad.onnx").write_bytes(b"\xff\xff\xff not a model")
    with pytest.raises(FormatError, match="is not an ONNX file"):
        from_onnx(tmp_path / "bad.onnx")
    with pytest.raises(FormatError, match="there is no such file"):
        from_onnx(tmp_path / "none.onnx")
    model = made(onnx, [("MatMul", ["x", "w1"], "a", {}), ("Sigmoid", ["a"], "y", {})], tensors())
    tensor = model.graph.initializer[0]
    tensor.data_location = onnx.TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"
    with pytest.raises(InvalidInput, match="is stored in another file"):
        from_onnx(model)
    nodes = [("MatMul", ["x", "w1"], "a", {}), ("Sigmoid", ["a"], "y", {})]
    apart = tmp_path / "apart.onnx"
    onnx.save_model(made(onnx, nodes, tensors()), apart, save_as_external_data=True, size_threshold=0)
    with pytest.raises(FormatError, match=r"apart\.onnx: .*is stored in another file"):
        from_onnx(apart)
    with pytest.raises(InvalidInput, match="should be a JSON list"):
        from_onnx(made(onnx, nodes, tensors(), metadata=[("classes", "a, b")]))
