"""Compute what a multilayer perceptron computes, and its slopes, from a list of layers; and build its graph.

    x₁ = f(W₁ᵀx + b₁),   x₂ = f(W₂ᵀx₁ + b₂),   …,   logits = Wᵀx + b,   outputs = readout(logits)

In the graph, inputs, neurons and outputs are arguments, and connections are edges with weights:

    τ(input) = the feature's value,   τ(neuron) = logistic(bias),   an edge of weight |w| supports if w ≥ 0

Under the semantics `mlp` its strengths are the network's activations (Potyka, AAAI 2021). A bias beyond ±8 does
not fit into a base score: just below 1 a double has too few digits left. What is beyond comes from one
more argument, `constant`, of base score 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, unknown_name
from ..graph.qbaf import Qbaf
from ..semantics import expit
from ..types import Floats


@dataclass(frozen=True)
class Activation:
    """f, and its slope as a function of its value; at ReLU's kink the slope is 0, as in the training libraries."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]


ACTIVATIONS: dict[str, Activation] = {
    "logistic": Activation(expit, lambda y: y * (1 - y)),
    "tanh": Activation(np.tanh, lambda y: 1 - y * y),
    "relu": Activation(lambda z: np.maximum(z, 0.0), lambda y: (y > 0).astype(np.float64)),
    "identity": Activation(lambda z: z, np.ones_like),
}
READOUTS = ("logistic", "softmax", "identity")
MAX_BIAS = 8.0  # in a base score: logit(logistic(8)) is good to 3e-13, logit(logistic(20)) only to 1e-7
CONSTANT = "constant"


@dataclass(frozen=True, eq=False)
class Neurons:
    """One layer: f(Wᵀx + b), with W of shape (inputs, neurons)."""

    weights: Floats
    bias: Floats
    activation: str


def make_layer(weights: ArrayLike, bias: ArrayLike, activation: str, where: str) -> Neurons:
    """Check a layer and make it read-only; `where` names it in messages."""
    try:
        w, b = np.array(weights, np.float64), np.array(bias, np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"{where} has weights or biases that are not numbers; give arrays (m, n) and (n,)") from None
    if w.ndim != 2 or b.shape != w.shape[1:]:
        raise InvalidInput(
            f"{where} has weights of shape {w.shape} and biases of shape {b.shape}; give (m, n) and (n,)"
        )
    if not (np.isfinite(w).all() and np.isfinite(b).all()):
        raise InvalidInput(f"{where} holds a weight or bias that is not a finite number")
    if activation not in ACTIVATIONS:
        raise unknown_name(activation, ACTIVATIONS, "activation")
    w.setflags(write=False)
    b.setflags(write=False)
    return Neurons(w, b, activation)


def make_layers(
    weights: Sequence[ArrayLike], biases: Sequence[ArrayLike], hidden: Sequence[str]
) -> tuple[Neurons, ...]:
    """Make hidden layers of these activations, and the last one, which gives logits."""
    parts = zip(weights, biases, [*hidden, "identity"], strict=True)
    return tuple(make_layer(w, b, f, f"layer {k}") for k, (w, b, f) in enumerate(parts, 1))


class Chain:
    """Collect affine maps and activations one after the other; affine maps in a row become one layer."""

    def __init__(self) -> None:
        self.layers: list[Neurons] = []
        self.map: tuple[Floats, Floats] | None = None  # weights and bias of the layer that is not ended yet
        self.top: str | None = None

    def affine(self, weights: Floats, bias: Floats) -> None:
        """x ↦ Wᵀx + b, after whatever came before."""
        self._check_open("a linear layer")
        weights, bias = np.asarray(weights, np.float64), np.asarray(bias, np.float64)
        if self.map is None:
            self.map = weights, np.broadcast_to(bias, weights.shape[1:])
        else:
            self.map = self.map[0] @ weights, self.map[1] @ weights + bias

    def activate(self, name: str) -> None:
        """End a layer."""
        self._check_open(name)
        if self.map is None:
            raise InvalidInput(f"{name} does not follow a linear layer; only layers f(Wᵀx + b) can be read")
        self.layers.append(make_layer(*self.map, name, f"layer {len(self.layers) + 1}"))
        self.map = None

    def softmax(self) -> None:
        """End the network."""
        if self.map is None:
            raise InvalidInput("softmax does not follow a linear layer; it is applied to logits")
        self.activate("identity")
        self.top = "softmax"

    def finish(self) -> tuple[tuple[Neurons, ...], str | None]:
        """Return the layers, the last of which gives logits, and the readout that followed them, where one did."""
        if self.top:
            return tuple(self.layers), self.top
        if self.map is not None:
            self.activate("identity")
            return tuple(self.layers), None
        if not self.layers:
            raise InvalidInput("the network has no layer with weights")
        last = self.layers[-1]
        if last.activation != "logistic":
            raise InvalidInput(f"the network ends in {last.activation}; its outputs are logits, logistic or softmax")
        return (*self.layers[:-1], Neurons(last.weights, last.bias, "identity")), "logistic"

    def _check_open(self, what: str) -> None:
        if self.top:
            raise InvalidInput(f"{what} comes after the softmax; a softmax is the last layer")


def fold_tanh(layers: Sequence[Neurons]) -> tuple[Neurons, ...]:
    """Return the same function with logistic neurons only, by tanh z = 2 logistic(2z) − 1."""
    out, scale, shift = [], 1.0, 0.0  # the values of the layer before are scale · strength + shift
    for layer in layers:
        weights, bias = scale * layer.weights, layer.bias + shift * layer.weights.sum(axis=0)
        if layer.activation == "tanh":
            out.append(Neurons(2 * weights, 2 * bias, "logistic"))
            scale, shift = 2.0, -1.0
        else:
            out.append(Neurons(weights, bias, layer.activation))
            scale, shift = 1.0, 0.0
    return tuple(out)


def compute_layers(layers: Sequence[Neurons], x: Floats) -> list[Floats]:
    """Return what every layer gives, (lanes, neurons) each; the last are the logits."""
    found = []
    for layer in layers:
        x = ACTIVATIONS[layer.activation].value(x @ layer.weights + layer.bias)
        found.append(x)
    return found


def compute_slopes(layers: Sequence[Neurons], readout: str, x: Floats) -> Floats:
    """Return ∂output/∂input, (lanes, classes, inputs), in reverse mode."""
    found = compute_layers(layers, x)
    adjoint = np.broadcast_to(layers[-1].weights.T, (len(x), *layers[-1].weights.T.shape))
    for layer, value in zip(layers[-2::-1], found[-2::-1], strict=True):
        adjoint = (adjoint * ACTIVATIONS[layer.activation].slope(value)[:, None]) @ layer.weights.T
    return _read_out_slopes(readout, found[-1], adjoint)


def compute_outputs(layers: Sequence[Neurons], readout: str, x: Floats) -> Floats:
    """Return the outputs, (lanes, classes)."""
    return _read_out(readout, compute_layers(layers, x)[-1])


def _read_out(readout: str, logits: Floats) -> Floats:
    if readout != "softmax":
        return expit(logits) if readout == "logistic" else logits
    powers = np.exp(logits - logits.max(axis=1)[:, None])
    found: Floats = powers / powers.sum(axis=1, keepdims=True)
    return found


def _read_out_slopes(readout: str, logits: Floats, slope: Floats) -> Floats:
    """Return ∂output/∂input from ∂logit/∂input: p(1 − p) g, and for softmax p_c (g_c − Σ p_k g_k)."""
    if readout == "identity":
        return slope
    outputs = _read_out(readout, logits)[:, :, None]
    found: Floats
    if readout == "logistic":
        found = outputs * expit(-logits)[:, :, None] * slope
    else:
        found = outputs * (slope - (outputs * slope).sum(axis=1, keepdims=True))
    return found


def build_graph(layers: Sequence[Neurons], inputs: tuple[str, ...], classes: tuple[str, ...]) -> Qbaf:
    """Build the QBAF with all inputs at 0; the strengths of its topics are the logistic of the last layer's values."""
    layers = fold_tanh(layers)
    names, base, start = list(inputs), [np.zeros(len(inputs))], [0, len(inputs)]
    for depth, layer in enumerate(layers, 1):
        width = layer.weights.shape[1]
        names += classes if depth == len(layers) else [f"hidden {depth}.{k + 1}" for k in range(width)]
        base.append(expit(np.clip(layer.bias, -MAX_BIAS, MAX_BIAS)))
        start.append(start[-1] + width)
    beyond = [layer.bias - np.clip(layer.bias, -MAX_BIAS, MAX_BIAS) for layer in layers]
    large = any(rest.any() for rest in beyond)
    if large:
        names.append(CONSTANT)
        base.append(np.ones(1))
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidInput(f"{sorted(twice)[0]!r} names two arguments of the network; rename the input or the class")
    edges = [_list_edges(layer.weights, start[k], start[k + 1]) for k, layer in enumerate(layers)]
    if large:
        edges += [_list_edges(rest[None], start[-1], start[k + 1]) for k, rest in enumerate(beyond) if rest.any()]
    sources, targets, weights = (np.concatenate(each) for each in zip(*edges, strict=True))
    return Qbaf.from_arrays(
        np.concatenate(base), sources, targets, weights, names=names, topics=classes, semantics="mlp"
    )


def _list_edges(weights: Floats, source: int, target: int) -> tuple[Floats, Floats, Floats]:
    m, n = weights.shape
    return np.repeat(source + np.arange(m), n), np.tile(target + np.arange(n), m), weights.ravel()
