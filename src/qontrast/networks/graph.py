"""The graph of a network: inputs, neurons and outputs are arguments, connections are edges with weights.

    τ(input) = the feature's value,   τ(neuron) = logistic(bias),   an edge of weight |w| supports if w ≥ 0

Under the semantics `mlp` its strengths are the network's activations (Potyka, AAAI 2021). A bias beyond ±8 does
not fit into a base score: just below 1 a double has too few digits left. What is beyond comes from one
more argument, `constant`, of base score 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InvalidInput
from ..graph.qbaf import Qbaf
from ..semantics import expit
from ..types import Floats
from .layers import Neurons

BIAS = 8.0  # logit(logistic(8)) is good to 3e-13, logit(logistic(20)) only to 1e-7
CONSTANT = "constant"


@dataclass(frozen=True, eq=False)
class Graph:
    """The graph with all inputs at 0; `hidden` and `outputs` are the places of the last two layers."""

    qbaf: Qbaf
    inputs: int
    hidden: slice  # of the last layer before the outputs: the inputs themselves where there is no other
    outputs: slice

    def base_scores(self, x: Floats) -> Floats:
        """Lanes of base scores, (lanes, arguments), for lanes of inputs."""
        lanes = np.empty((len(x), len(self.qbaf)))
        lanes[:] = self.qbaf.base_array
        lanes[:, : self.inputs] = x
        return lanes


def graph_of(layers: Sequence[Neurons], inputs: tuple[str, ...], classes: tuple[str, ...]) -> Graph:
    """From logistic layers (the last one giving logits, whose logistic is the strength)."""
    names, base, start = list(inputs), [np.zeros(len(inputs))], [0, len(inputs)]
    for depth, layer in enumerate(layers, 1):
        width = layer.weights.shape[1]
        names += classes if depth == len(layers) else [f"hidden {depth}.{k + 1}" for k in range(width)]
        base.append(expit(np.clip(layer.bias, -BIAS, BIAS)))
        start.append(start[-1] + width)
    beyond = [layer.bias - np.clip(layer.bias, -BIAS, BIAS) for layer in layers]
    large = any(rest.any() for rest in beyond)
    if large:
        names.append(CONSTANT)
        base.append(np.ones(1))
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidInput(f"{sorted(twice)[0]!r} names two arguments of the network; rename the input or the class")
    edges = [_edges(layer.weights, start[k], start[k + 1]) for k, layer in enumerate(layers)]
    if large:
        edges += [_edges(rest[None], start[-1], start[k + 1]) for k, rest in enumerate(beyond) if rest.any()]
    sources, targets, weights = (np.concatenate(each) for each in zip(*edges, strict=True))
    qbaf = Qbaf.from_arrays(
        np.concatenate(base), sources, targets, weights, names=names, topics=classes, semantics="mlp"
    )
    return Graph(qbaf, len(inputs), slice(start[-3], start[-2]), slice(start[-2], start[-1]))


def _edges(weights: Floats, source: int, target: int) -> tuple[Floats, Floats, Floats]:
    m, n = weights.shape
    return np.repeat(source + np.arange(m), n), np.tile(target + np.arange(n), m), weights.ravel()
