"""A trained network as a value: strengths, slopes and contrasts of many instances at once.

Two things are for the user to say. The *readout*: `logistic` of the logits (every output is an argument) or a
`softmax` over them; a constant added to all logits leaves softmax as it is but moves logistic strengths. And *who
plays*: the inputs, the hidden neurons being part of the mechanism, or all arguments, as in the paper.

>>> xor = from_arrays([[[6.0, -6.0], [6.0, -6.0]], [[9.0], [9.0]]], [[-2.5, 8.5], [-13.0]], inputs=["a", "b"],
...                   classes=["equal", "different"])
>>> xor.strengths([[0, 0], [0, 1]]).round(2).tolist()
[[0.97, 0.03], [0.02, 0.98]]
>>> print(xor.contrast([0, 1], "different", "equal", method="removal"))
different (0.983) is rated above equal (0.017) by 0.966; the largest values (loss of the gap when the argument is \
removed) are b (+1.896); players: the 2 inputs (removal, logistic readout).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engine.adjoint import pull_back
from ..engine.problem import Problem, problem
from ..errors import Hint, InvalidInput, quoted, unknown
from ..explain.contrast import contrast
from ..graph.qbaf import Qbaf
from ..progress import shown
from ..settings import listed, one_of, whole
from ..types import Floats, Name, Progress
from .graph import Graph, graph_of
from .layers import READOUTS, Neurons, folded, neurons, read_out, read_out_slopes, slopes, values
from .players import MAX_INPUTS, removal, shapley
from .result import NetworkContrast

METHODS = ("gradient", "removal", "shapley")


@dataclass(frozen=True, eq=False)
class Network:
    """A multilayer perceptron; the last layer gives logits, and `readout` makes the strengths of the classes of them.

    `as_function` explains what the network computes without reading its neurons as arguments: for hidden layers
    that leave [0, 1], such as ReLU. Results say so.
    """

    layers: tuple[Neurons, ...] = field(repr=False)
    inputs: tuple[str, ...]
    classes: tuple[str, ...]
    readout: str = "logistic"
    as_function: bool = False

    def __post_init__(self) -> None:
        one_of(self.readout, READOUTS, "readout")
        for names, size, what in (
            (self.inputs, self.layers[0].weights.shape[0], "inputs"),
            (self.classes, self.layers[-1].weights.shape[1], "classes"),
        ):
            if len(names) != size or len(set(names)) < size:
                raise InvalidInput(f"the network has {size} {what}; give as many different names, not {quoted(names)}")
        for k, (one, two) in enumerate(zip(self.layers, self.layers[1:], strict=False), 1):
            if one.weights.shape[1] != two.weights.shape[0]:
                raise InvalidInput(
                    f"layer {k} has {one.weights.shape[1]} neurons, layer {k + 1} takes {len(two.weights)}"
                )
        if not self.as_function:
            self._check_arguments()

    def _check_arguments(self) -> None:
        for k, layer in enumerate(self.layers[:-1], 1):
            if layer.activation not in ("logistic", "tanh"):
                raise InvalidInput(
                    f"hidden layer {k} is {layer.activation}: its values can leave [0, 1], so its neurons are not "
                    "arguments; train with logistic or tanh",
                    hints=[Hint("as_function", (True,), "to explain the network's own function")],
                )
        if self.readout == "identity":
            raise InvalidInput(
                "outputs that are plain numbers can leave [0, 1], so they are not strengths",
                hints=[Hint("readout", ("logistic", "softmax")), Hint("as_function", (True,))],
            )

    # -- as a QBAF ----------------------------------------------------------------------------------------------

    @cached_property
    def _graph(self) -> Graph:
        return graph_of(folded(self.layers), self.inputs, self.classes)

    @cached_property
    def _problem(self) -> Problem:
        return problem(self._graph.qbaf)

    def qbaf(self, x: ArrayLike | Mapping[str, float]) -> Qbaf:
        """The QBAF of one instance, under `mlp`: its topics are the classes, and their strengths the outputs."""
        if self.as_function:
            raise InvalidInput("this network is explained as a function (as_function=True); it has no QBAF")
        if self.readout == "softmax":
            raise InvalidInput(
                "a softmax is not an argument: each class depends on all logits at once; "
                "network.reading('logistic').qbaf(x) reads every output as the logistic of its logit"
            )
        row = self.lanes(x)
        if len(row) != 1:
            raise InvalidInput(f"a QBAF is made from one instance, not {len(row)}; give one row")
        return self._graph.qbaf.with_base_scores(dict(zip(self.inputs, row[0].tolist(), strict=True)))

    def reading(self, readout: str) -> Network:
        """The same network with another readout."""
        return replace(self, readout=readout)

    # -- many instances -----------------------------------------------------------------------------------------

    def lanes(self, x: Any) -> Floats:
        """Instances as (lanes, inputs), checked; a mapping by name, or a table with named columns, is put in order."""
        columns = getattr(x, "columns", None)
        if isinstance(x, Mapping) or columns is not None:
            for name in self.inputs:
                if name not in (x if columns is None else columns):
                    raise unknown(name, list(x if columns is None else columns), "feature")
            x = [x[name] for name in self.inputs] if columns is None else x[list(self.inputs)].to_numpy()
        try:
            rows = np.atleast_2d(np.asarray(x, np.float64))
        except (TypeError, ValueError):
            raise InvalidInput("a feature is not a number; encode text as numbers in [0, 1] first") from None
        if rows.ndim != 2 or rows.shape[1] != len(self.inputs):
            raise InvalidInput(f"instances have shape {rows.shape}; give (instances, {len(self.inputs)} features)")
        inside = np.isfinite(rows) if self.as_function else (rows >= 0) & (rows <= 1)
        if not inside.all():
            row, which = np.argwhere(~inside)[0]
            raise InvalidInput(
                f"feature {self.inputs[which]!r} is {rows[row, which]:g} in row {row}"
                + (
                    ""
                    if self.as_function
                    else ", outside [0, 1]; an input's base score lies there: scale the features, "
                )
                + (
                    "; give finite numbers"
                    if self.as_function
                    else "(x − min)/(max − min), and train on the scaled ones"
                )
            )
        return rows

    def strengths(self, x: Any) -> Floats:
        """The strength of every class, (lanes, classes): the network's own outputs."""
        return self._outputs(self.lanes(x))

    def _outputs(self, rows: Floats) -> Floats:
        if not len(rows):
            return np.empty((0, len(self.classes)))
        if self.as_function:
            return read_out(self.readout, values(self.layers, rows)[-1])
        found = self._problem.strengths(base_scores=self._graph.base_scores(rows))
        return found[:, self._graph.outputs] if self.readout == "logistic" else read_out("softmax", self._logits(found))

    def _logits(self, strengths: Floats) -> Floats:
        """From the last hidden layer's strengths: an output's own strength near 1 has lost the digits of its logit."""
        last = folded(self.layers)[-1]
        return np.asarray(strengths[:, self._graph.hidden] @ last.weights + last.bias)

    def gradient(self, x: Any) -> Floats:
        """∂strength/∂input of all classes by all inputs, (lanes, classes, inputs), in one sweep."""
        rows = self.lanes(x)
        if not len(rows):
            return np.empty((0, len(self.classes), len(self.inputs)))
        if self.as_function:
            logits = values(self.layers, rows)[-1]
            return read_out_slopes(self.readout, logits, slopes(self.layers, rows))
        graph, base = self._graph, self._graph.base_scores(rows)
        movers, seeds = np.arange(graph.inputs), np.zeros((len(self.classes), len(graph.qbaf)))
        if self.readout == "logistic":
            seeds[:, graph.outputs] = np.eye(len(self.classes))
            return pull_back(self._problem, seeds, base, movers)
        seeds[:, graph.hidden] = folded(self.layers)[-1].weights.T
        slope = pull_back(self._problem, seeds, base, movers)
        return read_out_slopes("softmax", self._logits(self._problem.strengths(base_scores=base)), slope)

    def predicted(self, x: Any) -> NDArray[np.intp]:
        """The place in `classes` of the strongest class of each instance; the first at ties."""
        return np.argmax(self.strengths(x), axis=1)

    def contributions(
        self, x: Any, method: str = "shapley", *, max_inputs: int = MAX_INPUTS, progress: Progress | bool | None = None
    ) -> Floats:
        """φ of every input for every class and instance, (lanes, classes, inputs); the inputs play."""
        one_of(method, METHODS, "method")
        whole(max_inputs, "max_inputs", 1)
        rows = self.lanes(x)
        if method == "gradient":
            return self.gradient(rows)
        if method == "removal":
            return removal(self._outputs, rows)
        with shown(progress, "shapley") as report:
            return shapley(self._outputs, rows, max_inputs, report)

    def contrast(
        self, x: Any, fact: str, foil: str, method: str = "shapley", *, players: str = "inputs", **settings: Any
    ) -> NetworkContrast:
        """Why the fact rather than the foil, for one instance.

        `players="inputs"`: the inputs contribute, hidden neurons are part of the mechanism. `players="all"`: every
        argument of the QBAF, as in the paper; `settings` are then those of the method.
        """
        i, j = self.index(fact), self.index(foil)
        one_of(players, ("inputs", "all"), "players")
        rows = self.lanes(x)
        if len(rows) != 1:
            raise InvalidInput(f"a contrast explains one instance, not {len(rows)}; give one row")
        if players == "all":
            return NetworkContrast.argued(
                contrast(self.qbaf(rows), fact, foil, method=method, **settings), self.readout
            )
        strength, phi = self._outputs(rows)[0], self.contributions(rows, method, **settings)[0]
        what = "the network's own function" if self.as_function else "the QBAF under mlp"
        named: list[dict[Name, float]] = [dict(zip(self.inputs, row.tolist(), strict=True)) for row in phi]
        difference: dict[Name, float] = dict(zip(self.inputs, (phi[i] - phi[j]).tolist(), strict=True))
        return NetworkContrast(
            fact,
            foil,
            difference,
            {fact: named[i], foil: named[j]},
            dict(zip(self.classes, strength.tolist(), strict=True)),
            method,
            players,
            self.readout,
            what,
        )

    def index(self, name: str) -> int:
        """The place of a class."""
        one_of(name, self.classes, "class")
        return self.classes.index(name)


def from_arrays(
    weights: Sequence[ArrayLike],
    biases: Sequence[ArrayLike],
    *,
    activation: str | Sequence[str] = "logistic",
    inputs: Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    readout: str = "logistic",
    as_function: bool = False,
) -> Network:
    """From plain arrays: `weights[k]` of shape (inputs of layer k, its neurons), `biases[k]` one per neuron.

    `activation` is that of the hidden layers, one name or one per layer. A single logistic output with two class
    names becomes two outputs, p of the second and 1 − p of the first.
    """
    weights, biases = listed(weights, "weights", "arrays"), listed(biases, "biases", "arrays")
    if len(weights) != len(biases) or not len(weights):
        raise InvalidInput(f"{len(weights)} arrays of weights and {len(biases)} of biases; give one of each per layer")
    hidden = [activation] * (len(weights) - 1) if isinstance(activation, str) else listed(activation, "activation")
    if len(hidden) != len(weights) - 1:
        raise InvalidInput(f"{len(hidden)} activations for {len(weights) - 1} hidden layers; give one each")
    given = zip(weights, biases, [*hidden, "identity"], strict=True)
    layers = tuple(neurons(w, b, f, f"layer {k}") for k, (w, b, f) in enumerate(given, 1))
    return assembled(layers, inputs, classes, readout, as_function)


def assembled(
    layers: tuple[Neurons, ...],
    inputs: Sequence[object] | None,
    classes: Sequence[object] | None,
    readout: str | None,
    as_function: bool,
) -> Network:
    """A network from its layers, with names where none were given; a readout must be stated or known."""
    if readout is None:
        raise InvalidInput(
            "the network ends in plain logits; say how they are read",
            hints=[Hint("readout", ("logistic", "softmax"))],
        )
    last = layers[-1]
    classes = None if classes is None else listed(classes, "classes")
    if last.weights.shape[1] == 1 and classes is not None and len(classes) == 2 and readout == "logistic":
        both = neurons(last.weights * [-1, 1], last.bias * [-1, 1], "identity", "the output")
        layers = (*layers[:-1], both)
    m, n = layers[0].weights.shape[0], layers[-1].weights.shape[1]
    named = tuple(map(str, listed(inputs, "inputs"))) if inputs is not None else tuple(f"x{k}" for k in range(m))
    outputs = (
        tuple(map(str, listed(classes, "classes"))) if classes is not None else tuple(f"class {k}" for k in range(n))
    )
    return Network(layers, named, outputs, readout, as_function)
