"""Trained multilayer perceptrons as QBAFs: from scikit-learn, PyTorch, ONNX, or plain arrays.

network = from_sklearn(model)                 # or from_torch, from_onnx, from_arrays, load(path)
network.qbaf(x)                               # the QBAF of one instance, under the semantics `mlp`
network.strengths(X), network.gradient(X)     # of many instances, in one call
network.contrast(x, "Medium", "Low")          # why Medium rather than Low
"""

from .files import NetworkSettings, from_model, load, save
from .layers import Neurons
from .network import INPUT_METHODS, Network, from_arrays
from .result import NetworkContrast
from .sources import from_onnx, from_sklearn, from_torch

__all__ = [
    "INPUT_METHODS",
    "Network",
    "NetworkContrast",
    "NetworkSettings",
    "Neurons",
    "from_arrays",
    "from_model",
    "from_onnx",
    "from_sklearn",
    "from_torch",
    "load",
    "save",
]
