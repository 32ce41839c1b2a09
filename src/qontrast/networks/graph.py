"""Build the graph of a network: inputs, neurons and outputs are arguments, connections are edges with weights.

    τ(input) = the feature's value,   τ(neuron) = logistic(bias),   an edge of weight |w| supports if w ≥ 0

Under the semantics `mlp` its strengths are the network's activations (Potyka, AAAI 2021). A bias beyond ±8 does
not fit into a base score: just below 1 a double has too few digits left. What is beyond comes from one
more argument, `constant`, of base score 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..semantics import expit
from ..types import Floats
from .layers import Neurons, fold_tanh

MAX_BIAS = 8.0  # in a base score: logit(logistic(8)) is good to 3e-13, logit(logistic(20)) only to 1e-7
CONSTANT = "constant"


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
